"""Overlaps: key and response entities that share mentions, directly or through other entities."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.analysis.credit.tables import numbers_of_entities
from corescore.analysis.credit.units import mention_credit
from corescore.arrays import BoolArray, FloatArray, IntArray
from corescore.counting.assignment import best_assignment
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import add_up
from corescore.metrics import Metric
from corescore.metrics.ceaf import entity_similarity, shared_mentions


def overlap_table(comparison: Comparison, metric: Metric) -> pd.DataFrame:
    """A row for each overlap, the largest loss first; an entity that shares no mention is its own.

    Columns: group (its number, for `overlap_grid`), document, key_entities and response_entities
    (how many), key_mentions, response_mentions, shared_mentions, recall_loss and precision_loss
    (the credit that `metric` did not give, in its units; for BLANC's parts as shares of their
    links), and loss: the mean of both losses as shares of the denominators, in the unit of a
    score.
    """
    table = comparison.table
    overlap = table.component_of_entity
    n_key, n_overlaps = len(table.key_sizes), int(overlap.max(initial=-1)) + 1
    of_key, of_response = overlap[:n_key], overlap[n_key:]
    document = np.zeros(n_overlaps, dtype=np.int64)
    document[of_key], document[of_response] = table.key_document, table.response_document
    names = np.array([document.name for document in comparison.key], dtype=object)
    recall, recall_share = _loss(comparison, metric, "recall", of_key, n_overlaps)
    precision, precision_share = _loss(comparison, metric, "precision", of_response, n_overlaps)
    frame = pd.DataFrame(
        {
            "group": np.arange(n_overlaps),
            "document": names[document],
            "key_entities": np.bincount(of_key, minlength=n_overlaps),
            "response_entities": np.bincount(of_response, minlength=n_overlaps),
            "key_mentions": add_up(of_key, table.key_sizes, n_overlaps).astype(int),
            "response_mentions": add_up(of_response, table.response_sizes, n_overlaps).astype(int),
            "shared_mentions": add_up(of_key[table.cell_key], table.cell_sizes, n_overlaps).astype(
                int
            ),
            "recall_loss": recall,
            "precision_loss": precision,
            "loss": (recall_share + precision_share) / 2,
        }
    )
    return frame.sort_values(["loss", "group"], ascending=[False, True], ignore_index=True)


def _loss(
    comparison: Comparison, metric: Metric, side: str, overlap: IntArray, n_overlaps: int
) -> tuple[FloatArray, FloatArray]:
    """(overlaps,) credit that was possible and not earned, and the same as a share of the score."""
    of_mention = overlap[comparison.view(side).own_entity]
    spread = mention_credit(comparison, metric, side=side)
    n_parts = len({unit.part for unit in spread})
    loss, share = np.zeros(n_overlaps), np.zeros(n_overlaps)
    for part in range(n_parts):
        units = [unit for unit in spread if unit.part == part]
        lost = sum(add_up(of_mention, unit.possible - unit.credit, n_overlaps) for unit in units)
        whole = sum(float(unit.possible.sum()) for unit in units) or 1.0
        share += lost / whole / n_parts
        loss += lost if n_parts == 1 else lost / whole
    return loss, share


@dataclass(frozen=True)
class Grid:
    """One overlap as a table: key entities × response entities.

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


def grid_table(grid: Grid) -> pd.DataFrame:
    """A row for each key and response entity of a grid that share mentions.

    Columns: key_entity, key_mentions, response_entity, response_mentions, shared, and ceafm and
    ceafe: whether it pairs the two.
    """
    down, across = np.nonzero(grid.shared)
    by_ceafm, by_ceafe = grid.aligned
    return pd.DataFrame(
        {
            "key_entity": grid.key_entities[down],
            "key_mentions": grid.key_sizes[down],
            "response_entity": grid.response_entities[across],
            "response_mentions": grid.response_sizes[across],
            "shared": grid.shared[down, across],
            "ceafm": by_ceafm[down, across],
            "ceafe": by_ceafe[down, across],
        }
    )


def overlap_grid(comparison: Comparison, overlap: int) -> Grid:
    """The key × response grid of one overlap of `overlap_table`."""
    table = comparison.table
    component, n_key = table.component_of_entity, len(table.key_sizes)
    keys, responses = (
        np.flatnonzero(side == overlap) for side in (component[:n_key], component[n_key:])
    )
    cells = np.flatnonzero(np.isin(table.cell_key, keys))
    at = (
        np.searchsorted(keys, table.cell_key[cells]),
        np.searchsorted(responses, table.cell_response[cells]),
    )
    shared = np.zeros((len(keys), len(responses)), dtype=np.int64)
    shared[at] = table.cell_sizes[cells]
    aligned = tuple(
        _aligned(shared, at, np.isin(cells, best_assignment(table.components, phi(table))))
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


def grid_part(grid: Grid, *, first: int, most: int) -> Grid:
    """A part of a grid: `most` key entities, from the `first` on in descending size, and the `most`
    response entities that share the most mentions with them; both in text order."""
    by_size = np.argsort(-grid.key_sizes, kind="stable")
    rows = np.sort(by_size[first : first + most])
    in_common = grid.shared[rows].sum(axis=0)
    return _within(grid, rows, np.sort(np.argsort(-in_common, kind="stable")[:most]))


def along_diagonal(grid: Grid) -> Grid:
    """The grid with its shared mentions near the diagonal: key entities by descending size, and
    response entities by the first key entity with which they share the most mentions, of several
    the one that shares more first. What is equal stays in text order."""
    rows = np.argsort(-grid.key_sizes, kind="stable")
    shared = grid.shared[rows]
    if not shared.size:
        return grid
    columns = np.lexsort((-shared.max(axis=0), shared.argmax(axis=0)))
    return _within(grid, rows, columns)


def _within(grid: Grid, rows: IntArray, columns: IntArray) -> Grid:
    """Some key and response entities of a grid, in this order."""
    cells = np.ix_(rows, columns)
    return Grid(
        grid.document,
        grid.key_entities[rows],
        grid.response_entities[columns],
        grid.key_sizes[rows],
        grid.response_sizes[columns],
        grid.shared[cells],
        (grid.aligned[0][cells], grid.aligned[1][cells]),
    )


def _aligned(shared: IntArray, at: tuple[IntArray, IntArray], chosen: BoolArray) -> BoolArray:
    grid = np.zeros(shared.shape, dtype=bool)
    grid[at] = chosen
    return grid


def entities_of_overlaps(
    comparison: Comparison,
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The numbers of the key's and of the response's entities in each overlap, in text order."""
    component, n_key = comparison.table.component_of_entity, len(comparison.table.key_sizes)
    sides = ((comparison.recall, component[:n_key]), (comparison.precision, component[n_key:]))
    found: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for members, (view, overlaps) in zip(found, sides, strict=True):
        numbers = numbers_of_entities(view).tolist()
        for overlap, number in sorted(zip(overlaps.tolist(), numbers, strict=True)):
            members.setdefault(overlap, []).append(number)
    return found
