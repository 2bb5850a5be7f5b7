"""Groups of overlapping entities: nothing is lost between them."""

import pytest
from hypothesis import given

from corescore import score
from corescore.analysis.errors.overlaps import (
    PAIR_KINDS,
    along_diagonal,
    grid_table,
    link_counts,
    overlap_grid,
    overlap_links,
    overlap_members,
    overlap_table,
    pair_counts,
    pair_kinds,
)
from corescore.metrics import METRICS
from tests.support.strategies import corpora_of, pair_corpora

TELLING = [metric for metric in METRICS if metric.credit]
every_metric = pytest.mark.parametrize("metric", TELLING, ids=lambda metric: metric.id)


@every_metric
@given(pairs=pair_corpora())
def test_the_losses_of_all_groups_are_what_the_score_lacks(metric, pairs):
    result = score(*corpora_of(pairs))
    groups = overlap_table(result.comparison, metric)
    own = result[metric.id]
    parts = list(own.parts.values()) or [own]
    for side in ("recall", "precision"):
        lacks = [
            getattr(part, f"{side}_denominator") - getattr(part, f"{side}_numerator")
            for part in parts
        ]
        if own.parts:
            wholes = [getattr(part, f"{side}_denominator") or 1 for part in parts]
            lacks = [lack / whole for lack, whole in zip(lacks, wholes, strict=True)]
        assert groups[f"{side}_loss"].sum() == pytest.approx(sum(lacks), abs=1e-9)


@given(pairs=pair_corpora())
def test_every_entity_and_mention_is_in_one_group(pairs):
    result = score(*corpora_of(pairs))
    groups = overlap_table(result.comparison, METRICS[0])
    for side in ("key", "response"):
        for what in ("entities", "mentions"):
            assert groups[f"{side}_{what}"].sum() == result.sizes[f"{side}_{what}"].sum()
    assert groups["shared_mentions"].sum() == result.sizes["shared_mentions"].sum()


def test_a_grid_shows_who_shares_how_much_with_whom_and_who_is_aligned():
    """Key {abc}{defg}, response {ab}{cd}{fghi}: one group; CEAF pairs the first and the last."""
    pairs = [([{0, 1, 2}, {3, 4, 5, 6}], [{0, 1}, {2, 3}, {5, 6, 7, 8}])]
    comparison = score(*corpora_of(pairs)).comparison
    (number,) = overlap_table(comparison, METRICS[0])["group"]
    grid = overlap_grid(comparison, number)
    assert grid.document == "d0"
    assert grid.key_entities.tolist() == [1, 2]
    assert grid.response_entities.tolist() == [1, 2, 3]
    assert grid.shared.tolist() == [[2, 1, 0], [0, 1, 2]]
    assert [aligned.tolist() for aligned in grid.aligned] == [[[1, 0, 0], [0, 0, 1]]] * 2
    assert grid_table(grid).to_numpy().tolist() == [
        # key entity and mentions, response entity and mentions, shared, paired by either CEAF
        [1, 3, 1, 2, 2, True, True],
        [1, 3, 2, 2, 1, False, False],
        [2, 4, 2, 2, 1, False, False],
        [2, 4, 3, 4, 2, True, True],
    ]


@given(pairs=pair_corpora())
def test_along_the_diagonal_a_grid_has_the_same_cells_in_another_order(pairs):
    comparison = score(*corpora_of(pairs)).comparison
    for number in overlap_table(comparison, METRICS[0])["group"]:
        before = overlap_grid(comparison, number)
        after = along_diagonal(before)
        assert cells_of(after) == cells_of(before)
        assert (after.key_sizes[:-1] >= after.key_sizes[1:]).all()
        if after.shared.size:
            rows = after.shared.argmax(axis=0)
            assert (rows[:-1] <= rows[1:]).all()


def cells_of(grid):
    """By key and response entity: their sizes, what they share, and whether a CEAF pairs them."""
    return {
        (key, response): (
            *(grid.key_sizes[at], grid.response_sizes[column], grid.shared[at, column]),
            *(aligned[at, column] for aligned in grid.aligned),
        )
        for at, key in enumerate(grid.key_entities.tolist())
        for column, response in enumerate(grid.response_entities.tolist())
    }


def test_links_and_pairs_of_an_overlap_are_counted_under_their_own_kinds():
    """Key {abc}{defg}, response {ab}{cd}{fghi}: the key has 9 links, the response 8; ab and fg are
    those of both."""
    pairs = [([{0, 1, 2}, {3, 4, 5, 6}], [{0, 1}, {2, 3}, {5, 6, 7, 8}])]
    comparison = score(*corpora_of(pairs)).comparison
    members = overlap_members(comparison, 0)
    assert link_counts(members) == {"correct": 2, "missing": 7, "wrong": 6}
    listed = overlap_links(comparison, members, which="all")["kind"].value_counts()
    assert listed.to_dict() == {"correct": 2, "missing": 7, "wrong": 6}
    counted = dict(pair_counts(pair_kinds(members)))
    assert [counted[kind] for kind in PAIR_KINDS[:3]] == [2, 7, 6]
