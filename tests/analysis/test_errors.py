"""What became of each mention: its class, and the incorrectly resolved ones."""

import numpy as np
import pytest
from hypothesis import given

from corescore import Corpus, Document, PolicyError, read, score
from corescore.analysis.errors.classes import (
    MENTION_CLASSES,
    align,
    count_incorrectly_resolved,
    duplicates,
    incorrectly_resolved,
    mention_classes,
)
from corescore.analysis.errors.tables import (
    error_counts,
    incorrectly_resolved_counts,
    incorrectly_resolved_table,
    mention_table,
)
from corescore.corpus.documents import Attributes
from tests.support.damaged import partition, span_corpora
from tests.support.samples import RESPONSES, first_files
from tests.support.strategies import corpora_of, pair_corpora

SAMPLE = first_files(6)


def comparison_of(corpora, **policies):
    return score(*corpora, **policies).comparison


def single(key, response, words=()):
    """The comparison of one document, its entities given as collections of spans."""
    return comparison_of(
        [Corpus((Document.of_entities("d", side, words=words),)) for side in (key, response)]
    )


def partners_of(document):
    """The other mentions of the entity of each mention."""
    return {m: entity - {m} for entity in partition(document) for m in entity}


# --- Incorrectly resolved -------------------------------------------------------------------------


@given(span_corpora())
def test_incorrectly_resolved_are_those_whose_links_of_both_sides_have_none_in_common(corpora):
    """Both sides have m, L_r(m) is not empty, and L_k(m) ∩ L_r(m) is."""
    table = incorrectly_resolved_table(comparison_of(corpora))
    found = [(row.document, (row.start, row.end)) for row in table.itertuples()]
    wanted, alone = [], []
    for key, response in zip(*corpora, strict=True):
        links_k, links_r = partners_of(key), partners_of(response)
        for m in links_k.keys() & links_r.keys():
            if links_r[m] and not links_k[m] & links_r[m]:
                wanted.append((key.name, m))
                alone += [] if links_k[m] else [(key.name, m)]
    assert sorted(found) == sorted(wanted)
    told = [place for place, is_one in zip(found, table["key_singleton"], strict=True) if is_one]
    assert sorted(told) == sorted(alone)
    assert count_incorrectly_resolved(comparison_of(corpora)) == (len(wanted), len(alone))


@given(span_corpora())
def test_wrong_and_right_partners_are_the_others_of_the_entities_of_both_sides(corpora):
    for row in incorrectly_resolved_table(comparison_of(corpora)).itertuples():
        sides = [partners_of(corpus[row.document])[row.start, row.end] for corpus in corpora]
        assert [set(row.right_spans), set(row.wrong_spans)] == sides
        words = corpora[0][row.document].words
        assert row.wrong_partners == tuple(" ".join(words[s:e]) for s, e in row.wrong_spans)
        assert row.right_partners == tuple(" ".join(words[s:e]) for s, e in row.right_spans)


def test_twinless_partners_are_wrong_partners():
    comparison = single([[(0, 1), (1, 2)]], [[(0, 1), (2, 3)]])
    assert incorrectly_resolved(comparison).tolist() == [True, False]


def test_of_those_with_a_link_in_the_key_a_singleton_of_the_key_is_none():
    """Key {0} {1 2}, response {0 1} {2}: both 0 and 1 have a wrong partner only."""
    comparison = single([[(0, 1)], [(1, 2), (2, 3)]], [[(0, 1), (1, 2)], [(2, 3)]])
    assert incorrectly_resolved(comparison).tolist() == [True, True, False]
    assert incorrectly_resolved(comparison, incorrect="linked").tolist() == [False, True, False]
    assert count_incorrectly_resolved(comparison) == (2, 1)
    with pytest.raises(PolicyError, match="'alone'; expected one of: all, linked"):
        incorrectly_resolved(comparison, incorrect="alone")


def test_a_mention_without_partners_in_the_response_is_not_incorrectly_resolved():
    assert not incorrectly_resolved(single([[(0, 1), (1, 2)]], [[(0, 1)]])).any()


@given(pair_corpora())
def test_without_them_the_recall_of_muc_and_lea_is_the_same(pairs):
    key, response = corpora_of(pairs)
    result = score(key, response)
    side = result.comparison.matching.response
    wrong = incorrectly_resolved(result.comparison)
    without = Corpus(
        tuple(
            document.with_entities(document.rows[~wrong[side.document == number]].tolist())
            for number, document in enumerate(response)
        )
    )
    after = score(key, without)
    assert after["muc"].recall == result["muc"].recall
    assert after["lea"].recall == pytest.approx(result["lea"].recall)


@given(span_corpora())
def test_counts_are_the_rows_of_each_document_and_their_share_of_the_shared_mentions(corpora):
    comparison = comparison_of(corpora)
    counts = incorrectly_resolved_counts(comparison)
    table = incorrectly_resolved_table(comparison)
    rows = table["document"].value_counts()
    alone = table.groupby("document", observed=False)["key_singleton"].sum()
    for document in corpora[0]:
        shared = {*document.mentions} & {*corpora[1][document.name].mentions}
        row = counts.loc[document.name]
        assert row["shared_mentions"] == len(shared)
        assert row["incorrectly_resolved"] == rows[document.name]
        assert row["incorrect_singletons"] == alone.get(document.name, 0)
        assert row["share"] == pytest.approx(
            rows[document.name] / len(shared) if shared else np.nan, nan_ok=True
        )


# --- Span errors ----------------------------------------------------------------------------------


def span_errors(key, response, text):
    """(response span, key span) of each."""
    table = mention_table(single([[span] for span in key], [[span] for span in response], text))
    rows = table[table["class"] == "span error"]
    return [
        ((row.response_start, row.response_end), (row.start, row.end)) for row in rows.itertuples()
    ]


TEXT = ("the", "dog", "of", "the", "man", "barks", "at", "it")


def test_a_spurious_mention_contained_in_a_missing_one_is_a_span_error():
    assert span_errors([(0, 5)], [(3, 5)], TEXT) == [((3, 5), (0, 5))]


def test_crossing_spans_are_one_only_with_the_same_head():
    """The head of "dog of the" is "dog", that of "the dog" too; that of "of the man" is not."""
    assert span_errors([(0, 2)], [(1, 4)], TEXT) == [((1, 4), (0, 2))]
    assert span_errors([(0, 3)], [(2, 5)], TEXT) == []


def test_the_same_head_comes_before_nearer_ends_and_those_before_the_text_order():
    """(0, 5) and (0, 2) have the head "dog"; without words heads are last words."""
    assert span_errors([(0, 5)], [(1, 5), (2, 5), (3, 5)], TEXT) == [((1, 5), (0, 5))]
    assert span_errors([(0, 5)], [(0, 2), (2, 5)], TEXT) == [((0, 2), (0, 5))]
    assert span_errors([(0, 4)], [(0, 2), (1, 3)], ()) == [((0, 2), (0, 4))]
    assert span_errors([(0, 4)], [(0, 1), (0, 3)], ()) == [((0, 3), (0, 4))]


def test_a_mention_that_matches_or_lies_apart_is_no_span_error():
    assert span_errors([(0, 2), (3, 5)], [(0, 2), (0, 1), (5, 6)], TEXT) == []


@given(span_corpora())
def test_span_errors_are_overlapping_mentions_one_to_one_and_none_is_left_out(corpora):
    comparison = comparison_of(corpora)
    key, response = comparison.matching.key, comparison.matching.response
    alignment = align(comparison)
    altered = np.flatnonzero(alignment.altered)
    partner = alignment.key_mention[altered]
    assert len(set(partner.tolist())) == len(partner)
    assert (key.document[partner] == response.document[altered]).all()
    assert (key.start[partner] < response.end[altered]).all()
    assert (response.start[altered] < key.end[partner]).all()
    free = set(range(len(key.document))) - set(alignment.key_mention.tolist())
    for r in np.flatnonzero(alignment.key_mention < 0):
        for k in free:
            nested = (key.start[k] - response.start[r]) * (key.end[k] - response.end[r]) <= 0
            overlap = key.start[k] < response.end[r] and response.start[r] < key.end[k]
            assert key.document[k] != response.document[r] or not (nested and overlap)


# --- Classes --------------------------------------------------------------------------------------


def test_every_class():
    """Key {a b c} {d} {e}, response {a b} {d x} {e'}: c is missing, x spurious, e' has a span."""
    comparison = single(
        [[(0, 1), (1, 2), (2, 3)], [(3, 4)], [(5, 7)]],
        [[(0, 1), (1, 2)], [(3, 4), (4, 5)], [(6, 7)]],
    )
    table = mention_table(comparison)
    assert dict(zip(table["start"], table["class"], strict=True)) == {
        0: "correct",
        1: "correct",
        2: "missing",
        3: "incorrectly resolved",
        4: "spurious",
        5: "span error",
    }
    assert table["key_entity"].fillna(0).tolist() == [1, 1, 1, 2, 0, 3]
    assert table["response_entity"].fillna(0).tolist() == [1, 1, 0, 2, 2, 3]
    assert table["response_start"].fillna(-1).tolist() == [0, 1, -1, 3, 4, 6]


def test_a_mention_left_alone_is_right_only_if_the_key_leaves_it_alone_too():
    """Key {a b} {c} {d}, response {a} {b x} {c} {d y}."""
    at = [(n, n + 1) for n in range(6)]
    comparison = single([at[:2], at[2:3], at[3:4]], [at[:1], at[1::3], at[2:3], at[3::2]])
    classes = dict(zip("abcdxy", mention_table(comparison)["class"], strict=True))
    assert classes["a"] == "unlinked"
    assert classes["c"] == "correct"
    assert classes["b"] == classes["d"] == "incorrectly resolved"


@given(span_corpora())
def test_every_mention_of_either_side_is_one_row_in_text_order(corpora):
    comparison = comparison_of(corpora)
    classes = mention_classes(comparison)
    for side, rows in (
        (comparison.matching.key, classes.key),
        (comparison.matching.response, classes.response),
    ):
        assert sorted(rows[rows >= 0].tolist()) == [*range(len(side.document))]
    table = mention_table(comparison)
    places = zip(table["document"].cat.codes, table["start"], -table["end"], strict=True)
    assert (places := [*places]) == sorted(places)


@given(pair_corpora())
def test_classes_add_up_to_what_mention_identification_counts(pairs):
    result = score(*corpora_of(pairs))
    counts = error_counts(mention_table(result.comparison), of="class").sum()
    shared = counts["correct"] + counts["unlinked"] + counts["incorrectly resolved"]
    assert counts["span error"] == counts["duplicated"] == 0
    assert shared == result["mentions"].recall_numerator
    assert shared + counts["missing"] == result["mentions"].recall_denominator
    assert shared + counts["spurious"] == result["mentions"].precision_denominator


TWICE = [[(0, 1), (1, 2)], [(0, 1), (2, 3)]]


@pytest.mark.parametrize("repeats", ["first", "all"])
def test_a_mention_that_the_response_lists_again_is_duplicated(repeats):
    sides = [
        Corpus((Document.of_entities("d", entities, words=("a", "b", "c")),))
        for entities in ([[(0, 1), (1, 2)]], TWICE)
    ]
    table = mention_table(comparison_of(sides, repeats=repeats))
    rows = table[table["start"] == 0]
    assert rows["class"].tolist() == ["correct", "duplicated"]
    assert rows["response_entity"].tolist() == [1, 2]
    assert len(table) == 4


def test_what_is_a_singleton_is_no_duplicate_where_singletons_are_dropped():
    sides = [
        Corpus((Document.of_entities("d", entities),))
        for entities in (TWICE, [*TWICE[:1], [(0, 1)]])
    ]
    comparison = comparison_of(sides, singletons="drop")
    assert len(duplicates(comparison, singletons="drop")[0]) == 0
    assert len(duplicates(comparison, singletons="keep")[0]) == 1


@pytest.mark.parametrize("name", RESPONSES)
def test_counts_by_any_slice_add_up_to_all_rows(name):
    table = mention_table(comparison_of([read(SAMPLE / f"{n}.conll") for n in ("key", name)]))
    for by in ("document", "type", "length", "size", "position", "antecedent", "genre"):
        counts = error_counts(table, of="class", by=by)
        assert tuple(counts.columns) == MENTION_CLASSES
        assert counts.to_numpy().sum() == len(table)
    with pytest.raises(PolicyError, match="by is 'colour'"):
        error_counts(table, of="class", by="colour")


def test_documents_without_words_or_mentions_have_tables_too():
    empty = Corpus((Document.of_entities("a", []), Document.of_entities("b", [])))
    comparison = comparison_of([empty, empty])
    assert len(mention_table(comparison)) == len(incorrectly_resolved_table(comparison)) == 0
    assert incorrectly_resolved_counts(comparison)["share"].isna().all()


def test_a_span_error_goes_by_the_heads_that_the_file_tells():
    """Of the rule for English the heads of "house of stone" and "of stone wall" would differ."""
    words = ("the", "house", "of", "stone", "wall")

    def with_head(start, end, head):
        attributes = Attributes.of(1, head=[head])
        return Document.of_rows("d", [(start, end, 0)], words=words, attributes=attributes)

    same, other = with_head(2, 5, 3), with_head(2, 5, 4)
    key = with_head(0, 4, 3)
    found = [
        align(score(Corpus((key,)), Corpus((response,))).comparison).altered.tolist()
        for response in (same, other)
    ]
    assert found == [[True], [False]]
