"""Whether another one-to-one alignment of key and response entities is as good."""

import numpy as np

from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency
from corescore.tolerances import TOLERANCE


def has_other_best(table: Contingency, similarity: FloatArray) -> BoolArray:
    """(cells,) whether the component of a cell has another alignment of the same sum.

    Each key entity holds the response entity that it is aligned with, or nothing. A move from
    what it holds to another response entity gains the difference in similarity. No cycle of moves
    gains anything, for the alignment is best; a cycle that loses nothing is another best one.
    """
    if not len(similarity):
        return np.zeros(0, dtype=bool)
    chosen = best_assignment(table.components, similarity)
    nothing = len(table.response_sizes)
    held, worth = np.full(len(table.key_sizes), nothing), np.zeros(len(table.key_sizes))
    held[table.cell_key[chosen]] = table.cell_response[chosen]
    worth[table.cell_key[chosen]] = similarity[chosen]
    other = np.delete(np.arange(len(similarity)), chosen)
    key = table.cell_key[other]
    aligned = table.cell_response[chosen]
    free = np.setdiff1d(table.cell_response, aligned)
    moves = (
        (held[key], table.cell_response[other], similarity[other] - worth[key]),
        (np.full(len(aligned), nothing), aligned, np.zeros(len(aligned))),  # no one holds it then
        (aligned, np.full(len(aligned), nothing), -similarity[chosen]),  # its key entity drops it
        (free, np.full(len(free), nothing), np.zeros(len(free))),  # no one has to drop it
    )
    source, target, gain = (np.concatenate(arrays) for arrays in zip(*moves, strict=True))
    in_cycle = _in_free_cycle(source, target, gain, nothing + 1)
    component = table.component_of_entity
    tied = np.zeros(len(component), dtype=bool)
    tied[component[len(table.key_sizes) :][in_cycle[:nothing]]] = True
    return tied[component[table.cell_key]]


def _in_free_cycle(source: IntArray, target: IntArray, gain: FloatArray, n: int) -> BoolArray:
    """(n,) whether a node lies on a cycle of moves whose gains add up to 0, the most they can.

    A node costs the most that a walk to it gains. Moves that gain less than the costs differ by
    cannot be part of such a cycle, and every cycle of the others is one.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    cost = np.zeros(n)
    while True:
        raised = cost.copy()
        np.maximum.at(raised, target, cost[source] + gain)
        if (raised - cost).max() <= TOLERANCE:
            break
        cost = raised
    tight = cost[source] + gain >= cost[target] - TOLERANCE
    ends = source[tight], target[tight]
    graph = coo_array((np.ones(len(ends[0])), ends), shape=(n, n))
    _, label = connected_components(graph, connection="strong")
    found: BoolArray = np.bincount(label)[label] > 1
    return found
