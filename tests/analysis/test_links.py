"""Coreference links: all of them, and as few as MUC counts."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import score
from corescore.analysis.credit import WHICH_LINKS, links_of
from corescore.metrics.blanc import blanc_counts
from corescore.metrics.muc import muc_counts
from tests.support.strategies import corpora_of, pair_corpora

every_side = pytest.mark.parametrize("side", ["recall", "precision"])


def view_of(pairs, side):
    return score(*corpora_of(pairs)).comparison.view(side)


def rows(links):
    return [*zip(links.first.tolist(), links.second.tolist(), links.correct.tolist(), strict=True)]


def test_a_mention_is_linked_to_the_nearest_before_it_in_its_part_or_else_in_its_entity():
    """Key {0 1 2 3 4}, response {0 3} {1 4}: 0–3 and 1–4 are right, 1 and 2 open parts."""
    view = view_of([([{0, 1, 2, 3, 4}], [{0, 3}, {1, 4}])], "recall")
    links = links_of(view, "minimum")
    assert rows(links) == [(0, 1, False), (1, 2, False), (0, 3, True), (1, 4, True)]
    assert links.cell.tolist() == [-1, -1, 0, 1]


def test_all_links_are_right_where_the_other_side_has_both_ends_in_one_entity():
    view = view_of([([{0, 1, 2, 3}], [{0, 2}, {1}])], "recall")
    right = {(0, 2)}
    assert rows(links_of(view, "all")) == [
        (first, second, (first, second) in right) for second in range(4) for first in range(second)
    ]


@every_side
@given(pairs=pair_corpora())
def test_each_entity_has_as_many_wrong_spanning_links_as_muc_misses(side, pairs):
    """a_i − 1 − Σ_j (n_ij − 1)."""
    view = view_of(pairs, side)
    table, links = view.table, links_of(view, "minimum")
    wrong = Counter(view.own_entity[links.second[~links.correct]].tolist())
    for entity, size in enumerate(table.key_sizes.tolist()):
        parts = table.cell_sizes[table.cell_key == entity]
        assert wrong[entity] == size - 1 - (parts - 1).sum()


@every_side
@given(pairs=pair_corpora())
def test_spanning_links_hold_each_entity_together_without_a_circle(side, pairs):
    view = view_of(pairs, side)
    links = links_of(view, "minimum")
    root = list(range(len(view.own_entity)))

    def root_of(mention):
        return mention if root[mention] == mention else root_of(root[mention])

    for first, second, _ in rows(links):
        assert root_of(first) != root_of(second)
        root[root_of(second)] = root_of(first)
    roots = [root_of(mention) for mention in range(len(root))]
    for one, other in combinations(range(len(root)), 2):
        assert (roots[one] == roots[other]) == (view.own_entity[one] == view.own_entity[other])


@every_side
@given(pairs=pair_corpora())
def test_links_are_as_many_as_the_metrics_count(side, pairs):
    view = view_of(pairs, side)
    for listed, counts in (
        (links_of(view, "minimum"), muc_counts(view.table)),
        (links_of(view, "all"), blanc_counts(view.table).part(0)),
    ):
        total = counts.total()
        assert listed.correct.sum() == total.recall_numerator.item()
        assert len(listed.correct) == total.recall_denominator.item()


@every_side
@given(pairs=pair_corpora())
def test_right_links_lie_in_the_cell_they_name(side, pairs):
    view = view_of(pairs, side)
    for links in (links_of(view, "minimum"), links_of(view, "all")):
        for end in (links.first, links.second):
            assert (view.own_cell[end] == links.cell)[links.correct].all()
        assert (links.cell[~links.correct] == -1).all()


@every_side
@given(pairs=pair_corpora(), data=st.data())
def test_links_of_some_documents_are_those_of_all_that_lie_in_them(side, pairs, data):
    view = view_of(pairs, side)
    flags = st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs))
    wanted = np.array(data.draw(flags))
    for which in WHICH_LINKS:
        everywhere = [r for r in rows(links_of(view, which)) if wanted[view.own.document[r[0]]]]
        assert rows(links_of(view, which, among=wanted[view.own.document])) == everywhere


@every_side
def test_a_repeat_scored_as_it_stands_has_a_right_link_for_each_of_its_cells(side):
    """Key {0 1}, response {0 1} {0 1} as repeats: the link is right twice, as MUC counts it."""
    pair = ([{0, 1}], [{0, 1}, {0, 1}])
    view = score(*corpora_of([pair]), repeats="all").comparison.view(side)
    for which in WHICH_LINKS:
        assert links_of(view, which).correct.sum() == 2
