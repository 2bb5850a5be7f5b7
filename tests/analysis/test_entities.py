"""Entities: their links, their overlaps, and the operations that turn the response into the key."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corescore import Corpus, PolicyError, score
from corescore.analysis.credit import WHICH_LINKS, links_of
from corescore.analysis.errors.operations import OPERATION_OF
from corescore.analysis.errors.overlaps import (
    PAIR_KINDS,
    along_diagonal,
    entity_table,
    grid_part,
    grid_table,
    link_counts,
    overlap_grid,
    overlap_links,
    overlap_members,
    overlap_table,
    pair_counts,
    pair_kinds,
)
from corescore.analysis.errors.tables import operation_table
from corescore.metrics import METRICS, metric_of
from corescore.metrics.blanc import blanc_counts
from corescore.metrics.standard import muc_counts
from tests.support.errors import carried_out, partition, span_corpora
from tests.support.letters import LETTERS, lettered, scored
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.synthetic import SMALL_TANGLE, synthesise

# Coreference links: all of them, and as few as MUC counts -----------------------------------------

every_side = pytest.mark.parametrize("side", ["recall", "precision"])


def rows(links):
    return [*zip(links.first.tolist(), links.second.tolist(), links.correct.tolist(), strict=True)]


def test_a_mention_is_linked_to_the_nearest_before_it_in_its_part_or_else_in_its_entity():
    """a–d and b–e are right, b and c open parts."""
    links = links_of(scored("a b c d e", "a d | b e").comparison.recall, "minimum")
    assert rows(links) == [(0, 1, False), (1, 2, False), (0, 3, True), (1, 4, True)]
    assert links.cell.tolist() == [-1, -1, 0, 1]


@every_side
@given(pairs=pair_corpora(), data=st.data())
def test_links_are_those_of_muc_and_of_the_entities(side, pairs, data):
    view = score(*corpora_of(pairs)).comparison.view(side)
    flags = st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs))
    among = np.array(data.draw(flags))[view.own.document]
    for which, counts in (
        ("minimum", muc_counts(view.table)),
        ("all", blanc_counts(view.table).part(0)),
    ):
        links, total = links_of(view, which), counts.total()
        assert links.correct.sum() == total.recall_numerator.item()
        assert len(links.correct) == total.recall_denominator.item()
        for end in (links.first, links.second):
            assert (view.own_cell[end] == links.cell)[links.correct].all()
        assert (links.cell[~links.correct] == -1).all()
        everywhere = [row for row in rows(links) if among[row[0]]]
        assert rows(links_of(view, which, among=among)) == everywhere
    assert_holds_entities_together(view, links_of(view, "minimum"))


def assert_holds_entities_together(view, links):
    """Without a circle; of each entity a_i − 1 − Σ_j (n_ij − 1) are wrong, as MUC misses."""
    wrong = Counter(view.own_entity[links.second[~links.correct]].tolist())
    for entity, size in enumerate(view.table.key_sizes.tolist()):
        parts = view.table.cell_sizes[view.table.cell_key == entity]
        assert wrong[entity] == size - 1 - (parts - 1).sum()
    root = list(range(len(view.own_entity)))
    for first, second, _ in rows(links):
        assert root[first] != root[second]
        root = [root[first] if of == root[second] else of for of in root]
    for one, other in combinations(range(len(root)), 2):
        assert (root[one] == root[other]) == (view.own_entity[one] == view.own_entity[other])


@every_side
def test_a_repeat_scored_as_it_stands_has_a_right_link_for_each_of_its_cells(side):
    """The link is right twice, as MUC counts it."""
    view = scored("a b", "a b | a b", repeats="all").comparison.view(side)
    for which in WHICH_LINKS:
        assert links_of(view, which).correct.sum() == 2


# Entities by what they lose -----------------------------------------------------------------------


def test_entities_are_listed_by_what_they_lose_with_their_parts():
    """LEA: {a b c d} has one link of six, 4/8 · 5/6 are lost; {g h} has none of one, 2/8 are."""
    comparison = scored("a b c d | e f | g h", "a b | c e f | g").comparison
    found = entity_table(comparison, metric_of("lea"))
    assert found["loss"].tolist() == pytest.approx([5 / 12, 1 / 4, 0])
    names = ["entity", "mentions", "parts", "others", "twinless", "merged_with"]
    assert found[names].to_numpy().tolist() == [
        [1, 4, "2 + 1", (1, 2), 1, (2,)],
        [3, 2, "1", (3,), 1, ()],
        [2, 2, "2", (2,), 0, (1,)],
    ]
    of_response = entity_table(comparison, metric_of("lea"), side="precision")
    assert of_response[names].to_numpy().tolist()[0] == [2, 3, "2 + 1", (2, 1), 0, (1,)]


@pytest.mark.parametrize("metric", METRICS)
@every_side
@given(pairs=pair_corpora())
@example(  # BLANC counts both kinds of links, of which the response has one
    pairs=[
        ([frozenset({0}), frozenset({2, 3})], [frozenset({0}), frozenset({1}), frozenset({2})]),
        ([frozenset({2, 3})], [frozenset({3})]),
    ]
)
def test_losses_of_entities_add_up_to_what_the_score_lacks(metric, side, pairs):
    result = score(*corpora_of(pairs))
    found = entity_table(result.comparison, metric, side=side)
    parts = [*result[metric.id].parts.values()] or [result[metric.id]]
    counted = [of for of in parts if of.recall_denominator or len(parts) == 1]
    lacks = [1 - getattr(of, side) for of in counted if getattr(of, f"{side}_denominator")]
    assert found["loss"].sum() == pytest.approx(sum(lacks) / (len(counted) or 1))


# Groups of overlapping entities: nothing is lost between them -------------------------------------

TELLING = [metric for metric in METRICS if metric.credit]


@pytest.mark.parametrize("metric", TELLING)
@given(pairs=pair_corpora())
def test_the_losses_of_all_groups_are_what_the_score_lacks(metric, pairs):
    result = score(*corpora_of(pairs))
    groups = overlap_table(result.comparison, metric)
    for side in ("key", "response"):  # every entity and mention is in one group
        for what in ("entities", "mentions"):
            assert groups[f"{side}_{what}"].sum() == result.sizes[f"{side}_{what}"].sum()
    assert groups["shared_mentions"].sum() == result.sizes["shared_mentions"].sum()
    own = result[metric.id]
    parts = [part for part in own.parts.values() if part.recall_denominator] if own.parts else [own]
    for side in ("recall", "precision"):
        lacks = [
            getattr(part, f"{side}_denominator") - getattr(part, f"{side}_numerator")
            for part in parts
        ]
        if own.parts:
            wholes = [getattr(part, f"{side}_denominator") or 1 for part in parts]
            lacks = [lack / whole for lack, whole in zip(lacks, wholes, strict=True)]
        assert groups[f"{side}_loss"].sum() == pytest.approx(sum(lacks), abs=1e-9)


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@given(pairs=pair_corpora())
def test_the_loss_of_a_group_is_what_replacing_it_by_the_key_gains(singletons, pairs):
    key, response = corpora_of(pairs)
    result = score(key, response, singletons=singletons)
    for metric in TELLING:
        groups = overlap_table(result.comparison, metric, singletons=singletons)
        for row in groups.itertuples():
            replaced = replace_by_key(result.comparison, row.group)
            after = score(Corpus(result.comparison.key), replaced, singletons=singletons)
            gain = after[metric.id].f1 - result[metric.id].f1
            assert row.loss == pytest.approx(gain, abs=1e-9)


def replace_by_key(comparison, group):
    """The response with the key's entities of a group instead of its own."""
    table = comparison.table
    of_key, of_response = np.split(table.component_of_entity, [len(table.key_sizes)])
    sides = (comparison.recall, of_key == group), (comparison.precision, of_response != group)
    rows = [
        [
            (start, end, (side, entity))
            for side, (view, taken) in enumerate(sides)
            for at, start, end, entity in zip(
                *(of.tolist() for of in (view.own.document, view.own.start, view.own.end)),
                view.own_entity.tolist(),
                strict=True,
            )
            if at == number and taken[entity]
        ]
        for number in range(len(comparison.response))
    ]
    documents = zip(comparison.response, rows, strict=True)
    return Corpus(tuple(document.with_entities(of) for document, of in documents))


def test_split_and_merged_entities_are_counted_each_for_itself():
    """The key's abcd is in three parts; ab and ef are in one entity; gh has no counterpart."""
    comparison = scored("a b c d | e f | g h", "a b e f | c | d i").comparison
    groups = overlap_table(comparison, metric_of("lea"))
    assert groups[["key_entities", "response_entities", "split", "merged"]].to_numpy().tolist() == [
        [2, 3, 1, 1],
        [1, 0, 0, 0],
    ]


def test_a_grid_shows_who_shares_how_much_with_whom_and_who_is_aligned():
    """One group; CEAF pairs the first and the last. The key has 9 links, the response 8; ab and fg
    are those of both."""
    comparison = scored("a b c | d e f g", "a b | c d | f g h i").comparison
    (number,) = overlap_table(comparison, METRICS[0])["group"]
    grid = overlap_grid(comparison, number)
    assert grid.document == "d"
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
    members = overlap_members(comparison, number)
    assert link_counts(members) == {"correct": 2, "missing": 7, "wrong": 6}
    counted = dict(pair_counts(pair_kinds(members)))
    assert [counted[kind] for kind in PAIR_KINDS[:3]] == [2, 7, 6]


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


# Overlaps of many entities: their grid in parts, and their links ----------------------------------


@pytest.fixture(scope="module")
def comparison():
    return score(*synthesise(SMALL_TANGLE, np.random.default_rng(2))).comparison


def test_the_parts_of_a_grid_have_every_key_entity_once(comparison):
    worst = int(overlap_table(comparison, metric_of("lea"))["group"].iloc[0])
    whole = overlap_grid(comparison, worst)
    n = len(whole.key_entities)
    parts = [grid_part(whole, first=first, most=7) for first in range(0, n, 7)]
    assert n > 20
    assert sorted(e for part in parts for e in part.key_entities) == sorted(whole.key_entities)
    assert parts[0].key_sizes.min() >= parts[-1].key_sizes.max()
    for part in parts:
        rows = np.searchsorted(whole.key_entities, part.key_entities)
        columns = np.searchsorted(whole.response_entities, part.response_entities)
        assert (part.shared == whole.shared[np.ix_(rows, columns)]).all()
        others = np.delete(whole.shared[rows].sum(axis=0), columns)
        assert part.shared.sum(axis=0).min() >= others.max(initial=0)
    # Its links are counted without listing them, and are between mentions of one entity
    members = overlap_members(comparison, worst)
    ends = members.table["key_entity"].to_numpy()
    for which in ("minimum", "all"):
        found = overlap_links(comparison, members, which=which)
        of_key = found[found["kind"] != "wrong"]
        assert (ends[of_key["first"]] == ends[of_key["second"]]).all()
        assert (found["first"] < found["second"]).all()
    assert link_counts(members) == found["kind"].value_counts().to_dict()


# Errors of entities: the operations that turn the response into the key ---------------------------


def table_of(key, response, **policies):
    return operation_table(score(key, response, **policies).comparison)


def told(key, response):
    """The operations by letters: kind, spans, target."""

    def letters(span):
        return "" if span is None else LETTERS[slice(*span)]

    table = operation_table(scored(key, response).comparison)
    return [
        (row.kind, " ".join(map(letters, row.spans)), letters(row.target))
        for row in table.itertuples()
    ]


@given(st.one_of(span_corpora(), pair_corpora().map(corpora_of)))
def test_the_operations_carried_out_in_full_give_the_key(corpora):
    key, response = corpora
    table = table_of(key, response)
    for document in key:
        rows = table[table["document"] == document.name]
        assert carried_out(response[document.name], rows) == partition(document)
    assert table_of(key, key).empty


@given(span_corpora())
def test_operations_stand_in_order_and_are_numbered(corpora):
    table = table_of(*corpora)
    for _, rows in table.groupby("document", observed=True):
        assert rows["order"].tolist() == [*range(1, len(rows) + 1)]
        assert rows["kind"].cat.codes.is_monotonic_increasing
    for _, rows in table.groupby(["document", "kind"], observed=True):
        places = [(start, -end) for ((start, end), *_) in rows["spans"]]
        altered = rows["target"] if (rows["operation"] == "alter span").all() else []
        places = [(start, -end) for start, end in altered] or places
        assert places == sorted(places)
    assert [OPERATION_OF[kind] for kind in table["kind"]] == table["operation"].tolist()


@pytest.mark.parametrize(
    "key, response, operations",
    [
        # A part of another key entity is split off; the largest stays, or the first in the text
        ("a b | c d e", "a b c d e", [("conflated entities", "a b", "")]),
        ("a c | b d", "a b c d", [("conflated entities", "b d", "")]),
        # A part joins the largest part of its key entity
        ("a b c", "a | b c", [("divided entity", "a", "b")]),
        ("a", "a b | c d", [("extra mention", "b", ""), ("extra entity", "c d", "")]),
        ("a b | c d", "a", [("missing mention", "b", "a"), ("missing entity", "c d", "")]),
        # A span is altered first, and its mention is then a part like any
        ("ab e", "abc | e", [("span error", "abc", "ab"), ("divided entity", "e", "ab")]),
    ],
)
def test_the_operations_of_each_kind(key, response, operations):
    assert told(key, response) == operations


def test_entities_that_overlap_through_others_are_one_group():
    """The third and the fourth group stand alone."""
    table = operation_table(scored("a b | c d | e", "b c | f").comparison)
    assert dict(zip(table["spans"], table["group"], strict=True)) == {
        ((at, at + 1),): group for at, group in {0: 1, 2: 1, 3: 1, 4: 2, 5: 3}.items()
    }
    table = operation_table(scored("a | b c", "b", singletons="drop").comparison)
    assert table["key_entity"].tolist() == [2]  # numbered as in their documents


def test_a_span_listed_twice_is_refused_where_repeats_stand():
    twice = lettered("a b | a c")
    with pytest.raises(PolicyError, match="repeats"):
        table_of(twice, twice, repeats="all")
    assert len(table_of(twice, twice)) == 0
