"""Groups of key and response entities that overlap, directly or through others."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import numbers_of_entities
from corescore.analysis.credit.units import mention_credit
from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import add_up
from corescore.metrics import Metric
from corescore.metrics.alignment import best_alignment
from corescore.metrics.ceaf import entity_similarity, shared_mentions


def overlap_table(comparison: Comparison, metric: Metric) -> pd.DataFrame:
    """A row for each group, the greatest loss first; entities that overlap with none are alone.

    Columns: group (its number, the index of `overlap_grid`), document, key_entities and
    response_entities (how many), key_mentions, response_mentions, shared_mentions, recall_loss
    and precision_loss (the numerators that `metric` could have had there and has not, in its
    units; of BLANC's parts, each as a share of all its links), and loss, both together as shares
    of their denominators: what the group costs, in the unit of a score.
    """
    table = comparison.table
    group = table.component_of_entity
    n_key, n_groups = len(table.key_sizes), int(group.max(initial=-1)) + 1
    of_key, of_response = group[:n_key], group[n_key:]
    document = np.zeros(n_groups, dtype=np.int64)
    document[of_key], document[of_response] = table.key_document, table.response_document
    names = np.array([document.name for document in comparison.key], dtype=object)
    recall, recall_share = _loss(comparison, metric, "recall", of_key, n_groups)
    precision, precision_share = _loss(comparison, metric, "precision", of_response, n_groups)
    frame = pd.DataFrame(
        {
            "group": np.arange(n_groups),
            "document": names[document],
            "key_entities": np.bincount(of_key, minlength=n_groups),
            "response_entities": np.bincount(of_response, minlength=n_groups),
            "key_mentions": add_up(of_key, table.key_sizes, n_groups).astype(int),
            "response_mentions": add_up(of_response, table.response_sizes, n_groups).astype(int),
            "shared_mentions": add_up(of_key[table.cell_key], table.cell_sizes, n_groups).astype(
                int
            ),
            "recall_loss": recall,
            "precision_loss": precision,
            "loss": (recall_share + precision_share) / 2,
        }
    )
    return frame.sort_values(["loss", "group"], ascending=[False, True], ignore_index=True)


def _loss(
    comparison: Comparison, metric: Metric, side: str, group: IntArray, n_groups: int
) -> tuple[FloatArray, FloatArray]:
    """(groups,) credit that was possible and not earned, and the same as a share of the score."""
    of_mention = group[comparison.view(side).own_entity]
    spread = mention_credit(comparison, metric, side=side)
    n_parts = len({unit.part for unit in spread})
    loss, share = np.zeros(n_groups), np.zeros(n_groups)
    for part in range(n_parts):
        units = [unit for unit in spread if unit.part == part]
        lost = sum(add_up(of_mention, unit.possible - unit.credit, n_groups) for unit in units)
        whole = sum(float(unit.possible.sum()) for unit in units) or 1.0
        share += lost / whole / n_parts
        loss += lost if n_parts == 1 else lost / whole
    return loss, share


@dataclass(frozen=True)
class Grid:
    """One group as a table: key entities × response entities.

    key_entities, response_entities  their numbers in the document, counted from 1
    key_sizes, response_sizes        their mentions
    shared       (key, response) mentions that both have
    aligned      (key, response) whether CEAF_m (first) and CEAF_e (second) pair the two
    """

    document: str
    key_entities: IntArray
    response_entities: IntArray
    key_sizes: IntArray
    response_sizes: IntArray
    shared: IntArray
    aligned: tuple[BoolArray, BoolArray]


def overlap_grid(comparison: Comparison, group: int) -> Grid:
    """The key × response grid of one group of `overlap_table`."""
    table = comparison.table
    component, n_key = table.component_of_entity, len(table.key_sizes)
    keys, responses = (
        np.flatnonzero(side == group) for side in (component[:n_key], component[n_key:])
    )
    cells = np.flatnonzero(np.isin(table.cell_key, keys))
    at = (
        np.searchsorted(keys, table.cell_key[cells]),
        np.searchsorted(responses, table.cell_response[cells]),
    )
    shared = np.zeros((len(keys), len(responses)), dtype=np.int64)
    shared[at] = table.cell_sizes[cells]
    aligned = tuple(
        _aligned(shared, at, np.isin(cells, best_alignment(table, phi(table))))
        for phi in (shared_mentions, entity_similarity)
    )
    documents = (*table.key_document[keys], *table.response_document[responses])
    return Grid(
        comparison.key[documents[0]].name,
        numbers_of_entities(comparison.recall)[keys],
        numbers_of_entities(comparison.precision)[responses],
        table.key_sizes[keys],
        table.response_sizes[responses],
        shared,
        (aligned[0], aligned[1]),
    )


def _aligned(shared: IntArray, at: tuple[IntArray, IntArray], chosen: BoolArray) -> BoolArray:
    grid = np.zeros(shared.shape, dtype=bool)
    grid[at] = chosen
    return grid


def entities_of_overlaps(
    comparison: Comparison,
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The numbers of the key's and of the response's entities in each group, in text order."""
    component, n_key = comparison.table.component_of_entity, len(comparison.table.key_sizes)
    sides = ((comparison.recall, component[:n_key]), (comparison.precision, component[n_key:]))
    found: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for members, (view, groups) in zip(found, sides, strict=True):
        numbers = numbers_of_entities(view).tolist()
        for group, number in sorted(zip(groups.tolist(), numbers, strict=True)):
            members.setdefault(group, []).append(number)
    return found
