"""The best one-to-one alignment of key and response entities, a connected component at a time."""

import numpy as np

from corescore.arrays import AnyArray, BoolArray, FloatArray, IntArray
from corescore.counting.contingency import Components, Contingency
from corescore.tolerances import TOLERANCE

# A component of more key × response entities than this is solved as a sparse assignment. Dense,
# it would be 2**18 float64 = 2 MB, and past that size the sparse one is the faster.
LARGEST_DENSE = 2**18


def best_alignment(table: Contingency, similarity: FloatArray) -> IntArray:
    """The cells, ascending, that maximise the summed similarity with each entity used once at most.

    similarity  (cells,) > 0 of each cell. Entities that share no mention are never aligned: it
    could not raise the sum. Where several alignments are best, the same one is always taken.
    """
    if not len(similarity):
        return np.zeros(0, dtype=np.int64)
    parts = table.components
    ordered = similarity[parts.cells]
    is_star = (parts.n_rows == 1) | (parts.n_columns == 1)
    chosen = [_best_of_stars(parts, ordered, is_star)]
    for component in np.flatnonzero(~is_star).tolist():
        start = parts.first[component]
        within = slice(start, start + parts.n_cells[component])
        shape = int(parts.n_rows[component]), int(parts.n_columns[component])
        chosen.append(
            start + _assign(parts.row[within], parts.column[within], ordered[within], shape)
        )
    return np.sort(parts.cells[np.concatenate(chosen)])


def has_other_best(table: Contingency, similarity: FloatArray) -> BoolArray:
    """(cells,) whether the component of a cell has another alignment of the same sum.

    Each key entity holds the response entity that it is aligned with, or nothing. A move from
    what it holds to another response entity gains the difference in similarity. No cycle of moves
    gains anything, for the alignment is best; a cycle that loses nothing is another best one.
    """
    if not len(similarity):
        return np.zeros(0, dtype=bool)
    chosen = best_alignment(table, similarity)
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


def _best_of_stars(parts: Components, similarity: FloatArray, is_star: BoolArray) -> IntArray:
    """The first cell of the greatest similarity in each star: its whole alignment."""
    greatest = np.maximum.reduceat(similarity, parts.first)
    wanted = np.repeat(np.where(is_star, greatest, np.inf), parts.n_cells)
    candidates = np.flatnonzero(similarity == wanted)
    component = np.searchsorted(parts.first, candidates, side="right")
    return candidates[np.diff(component, prepend=0) > 0]


def _assign(
    row: IntArray, column: IntArray, similarity: FloatArray, shape: tuple[int, int]
) -> IntArray:
    """The chosen cells of one component, as positions in the arguments."""
    assign = _assign_dense if shape[0] * shape[1] <= LARGEST_DENSE else _assign_sparse
    rows, columns = assign(row, column, similarity, shape)
    aligned = np.full(shape[0], -1)
    aligned[rows] = columns
    return np.flatnonzero(aligned[row] == column)


def _assign_dense(
    row: IntArray, column: IntArray, similarity: FloatArray, shape: tuple[int, int]
) -> tuple[AnyArray, AnyArray]:
    from scipy.optimize import linear_sum_assignment

    dense = np.zeros(shape)
    dense[row, column] = similarity
    return linear_sum_assignment(dense, maximize=True)


def _assign_sparse(
    row: IntArray, column: IntArray, similarity: FloatArray, shape: tuple[int, int]
) -> tuple[AnyArray, AnyArray]:
    """The same without the zeros: each row may stay alone, in a column of its own.

    The matching must be full and its weights must not be 0, so every weight is raised by 1, which
    raises every full matching by the number of rows.
    """
    from scipy.sparse import csr_array, hstack
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n = shape[0]
    shared = csr_array((1 + similarity, (row, column)), shape=shape)
    alone = csr_array((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n))
    return min_weight_full_bipartite_matching(hstack([shared, alone], format="csr"), maximize=True)
