"""What became of each mention and link, and what fixing errors gains."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from corescore import Corpus, Document, PolicyError, read, score
from corescore.analysis.errors.classes import (
    INCORRECT,
    MENTION_CLASSES,
    SLICES,
    align,
    count_incorrectly_resolved,
    duplicates,
    mention_classes,
)
from corescore.analysis.errors.operations import KINDS, impact_table
from corescore.analysis.errors.tables import (
    ALL_KINDS,
    by_kind,
    error_counts,
    gain_table,
    incorrectly_resolved_counts,
    incorrectly_resolved_table,
    mention_table,
    operation_table,
    removal_table,
    slice_credit,
)
from corescore.corpus.documents import Attributes
from corescore.corpus.files import read_bytes
from corescore.metrics import METRICS
from tests.support import gaps, oracle
from tests.support.errors import partition, span_corpora
from tests.support.letters import scored, spans
from tests.support.samples import RESPONSES, first_files
from tests.support.strategies import corpora_of, pair_corpora

# What became of each mention: its class, and the incorrectly resolved ones ------------------------

SAMPLE = first_files(6)


def comparison_of(corpora, **policies):
    return score(*corpora, **policies).comparison


def partners_of(document):
    """The other mentions of the entity of each mention."""
    return {m: entity - {m} for entity in partition(document) for m in entity}


# --- Incorrectly resolved -------------------------------------------------------------------------


@given(span_corpora())
def test_incorrectly_resolved_are_those_whose_links_of_both_sides_have_none_in_common(corpora):
    """Both sides have m, L_r(m) is not empty, and L_k(m) ∩ L_r(m) is."""
    comparison = comparison_of(corpora)
    table, counts = incorrectly_resolved_table(comparison), incorrectly_resolved_counts(comparison)
    found = {(row.document, (row.start, row.end)): row for row in table.itertuples()}
    n_wrong = n_alone = 0
    for key, response in zip(*corpora, strict=True):
        links_k, links_r = partners_of(key), partners_of(response)
        shared = links_k.keys() & links_r.keys()
        wrong = {m for m in shared if links_r[m] and not links_k[m] & links_r[m]}
        alone = {m for m in wrong if not links_k[m]}
        for m in wrong:
            row = found.pop((key.name, m))
            assert row.key_singleton == (m in alone)
            for kind, links in (("right", links_k), ("wrong", links_r)):
                of = getattr(row, f"{kind}_spans")
                assert {*of} == links[m]
                told = tuple(" ".join(key.words[s:e]) for s, e in of)
                assert getattr(row, f"{kind}_partners") == told
        row = counts.loc[key.name]
        names = ["shared_mentions", "incorrectly_resolved", "incorrect_singletons"]
        assert row[names].tolist() == [len(shared), len(wrong), len(alone)]
        share = len(wrong) / len(shared) if shared else np.nan
        assert row["share"] == pytest.approx(share, nan_ok=True)
        n_wrong, n_alone = n_wrong + len(wrong), n_alone + len(alone)
    assert not found
    assert count_incorrectly_resolved(comparison) == (n_wrong, n_alone)


# --- Span errors ----------------------------------------------------------------------------------


TEXT = ("the", "dog", "of", "the", "man", "barks", "at", "it")


@pytest.mark.parametrize(
    "key, response, words, found",
    [
        ("abcde", "de", TEXT, "de abcde"),  # a spurious mention within a missing one
        # Crossing spans only with the same head: of "dog of the", "dog"; not of "of the man"
        ("ab", "bcd", TEXT, "bcd ab"),
        ("abc", "cde", TEXT, ""),
        # The same head, then nearer ends, then the text order; without words heads are last words
        ("abcde", "bcde | cde | de", TEXT, "bcde abcde"),
        ("abcde", "ab | cde", TEXT, "ab abcde"),
        ("abcd", "ab | bc", (), "ab abcd"),
        ("abcd", "a | abc", (), "abc abcd"),
        ("ab | de", "ab | a | f", TEXT, ""),  # one that matches, and one that lies apart
    ],
)
def test_which_spurious_mention_is_a_missing_one_with_another_span(key, response, words, found):
    table = mention_table(scored(key, response, words).comparison)
    rows = table[table["class"] == "span error"]
    names = ["response_start", "response_end", "start", "end"]
    (wanted,) = spans(found)[:1] or [()]
    assert rows[names].to_numpy().ravel().tolist() == [at for span in wanted for at in span]


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
    """c is missing, e spurious, g has a span; i is alone in the response only, j on both sides."""
    table = mention_table(scored("a b c | d | fg | h i | j", "a b | d e | g | i | j").comparison)
    assert dict(zip(table["start"].map("abcdefghij".__getitem__), table["class"], strict=True)) == {
        **dict.fromkeys("abj", "correct"),
        **dict.fromkeys("ch", "missing"),
        "d": "incorrectly resolved",
        "e": "spurious",
        "f": "span error",
        "i": "unlinked",
    }
    assert table["key_entity"].fillna(0).tolist() == [1, 1, 1, 2, 0, 3, 4, 4, 5]
    assert table["response_entity"].fillna(0).tolist() == [1, 1, 0, 2, 2, 3, 0, 4, 5]
    assert table["response_start"].fillna(-1).tolist() == [0, 1, -1, 3, 4, 6, -1, 8, 9]


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
    counts = error_counts(mention_table(result.comparison), column="class").sum()
    shared = counts["correct"] + counts["unlinked"] + counts["incorrectly resolved"]
    assert counts["span error"] == counts["duplicated"] == 0
    assert shared == result["mentions"].recall_numerator
    assert shared + counts["missing"] == result["mentions"].recall_denominator
    assert shared + counts["spurious"] == result["mentions"].precision_denominator


TWICE = "a b | a c"


@pytest.mark.parametrize("repeats", ["first", "all"])
def test_a_mention_that_the_response_lists_again_is_duplicated(repeats):
    table = mention_table(scored("a b", TWICE, repeats=repeats).comparison)
    rows = table[table["start"] == 0]
    assert rows["class"].tolist() == ["correct", "duplicated"]
    assert rows["response_entity"].tolist() == [1, 2]
    assert len(table) == 4


def test_what_is_a_singleton_is_no_duplicate_where_singletons_are_dropped():
    comparison = scored(TWICE, "a b | a", singletons="drop").comparison
    assert len(duplicates(comparison, singletons="drop")[0]) == 0
    assert len(duplicates(comparison, singletons="keep")[0]) == 1


@pytest.mark.parametrize("name", RESPONSES)
def test_counts_by_any_slice_add_up_to_all_rows(name):
    table = mention_table(comparison_of([read(SAMPLE / f"{n}.conll") for n in ("key", name)]))
    for by in ("document", "type", "length", "size", "position", "antecedent", "genre"):
        counts = error_counts(table, column="class", by=by)
        assert tuple(counts.columns) == MENTION_CLASSES
        assert counts.to_numpy().sum() == len(table)
    with pytest.raises(PolicyError, match="by is 'colour'"):
        error_counts(table, column="class", by="colour")


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
    found = [align(score(key, response).comparison).altered.tolist() for response in (same, other)]
    assert found == [[True], [False]]


# Removing incorrectly resolved mentions is scoring the response without them ----------------------


@given(pairs=pair_corpora(), incorrect=st.sampled_from(INCORRECT))
def test_removal_scores_the_rest_and_leaves_the_recall_of_muc_and_lea(pairs, incorrect):
    table = removal_table(score(*corpora_of(pairs)), incorrect=incorrect)
    without = [
        (k, oracle.without(r, oracle.incorrectly_resolved((k, r), incorrect))) for k, r in pairs
    ]
    rest = score(*corpora_of(without))
    for metric in METRICS:
        row, expected = table.loc[metric.id], rest[metric.id]
        assert row["recall_after"] == pytest.approx(expected.recall, abs=1e-12)
        assert row["precision_after"] == pytest.approx(expected.precision, abs=1e-12)
    for metric in ("muc", "lea") if incorrect == "all" else ("muc",):
        before, after = table.loc[metric, "recall"], table.loc[metric, "recall_after"]
        assert after == pytest.approx(before, abs=1e-12)


def test_each_kind_is_counted_with_an_example():
    table = by_kind(scored("a b | c", "a b c")).set_index("kind")
    assert table.loc["conflated entities", ["errors", "documents"]].tolist() == [1, 1]
    assert table.loc["missing entity", "errors"] == 0
    assert len(table) == 7


@pytest.mark.parametrize("repeats", ["first", "listed", "reference"])
def test_a_mention_listed_twice_does_not_make_the_recall_of_muc_and_lea_fall(repeats):
    """The key lists 0 in two entities; in the response, 1 has no partner of its last one."""
    pairs = [([{0, 1}, {0, 2, 3}], [{0, 1, 2}, {3}])]
    result = score(*corpora_of(pairs), repeats=repeats)
    table = removal_table(result)
    assert table.loc[["muc", "lea"], "recall_change"].tolist() == [0, 0]
    if repeats == "first":
        assert table.loc["muc", "recall"] == result["muc"].recall


# What fixing errors gains, by kind and by slice ---------------------------------------------------

PARTS = scored("a b c | d e f g", "a b | c d | f g h i")


@pytest.mark.parametrize("gain", ["in_order", "share"])
def test_gains_in_order_and_shares_add_up_to_the_gap(gain):
    table = gain_table(impact_table(PARTS.comparison), gain=gain)
    assert list(table.index) == [*KINDS, ALL_KINDS]
    np.testing.assert_allclose(table.iloc[:-1].sum(), table.loc[ALL_KINDS], atol=1e-12)
    np.testing.assert_allclose(table.loc[ALL_KINDS, "lea"], 1 - PARTS["lea"].f1)
    alone, last = (gain_table(impact_table(PARTS.comparison), gain=g) for g in ("alone", "last"))
    if gain == "in_order":  # the first is fixed alone, the last as the last
        np.testing.assert_allclose(alone.iloc[0], table.iloc[0])
        np.testing.assert_allclose(last.iloc[-2], table.iloc[-2])


@pytest.mark.parametrize("side", ["recall", "precision"])
@pytest.mark.parametrize("by", SLICES)
def test_the_credit_of_slices_averages_to_the_score(by, side):
    table = slice_credit(PARTS.comparison, by=by, side=side)
    sides = {"recall": "key_mentions", "precision": "response_mentions"}
    assert table["mentions"].sum() == PARTS.sizes[sides[side]].sum()
    weighted = (table["bcub"] * table["mentions"]).sum() / table["mentions"].sum()
    assert weighted == pytest.approx(getattr(PARTS["bcub"], side))


def test_without_shares_the_rest_of_the_impact_is_the_same():
    whole, quick = (impact_table(PARTS.comparison, shares=shares) for shares in (True, False))
    assert quick["share"].isna().all()
    assert not whole["share"].isna().any()
    assert_frame_equal(whole.drop(columns="share"), quick.drop(columns="share"))


# Mentions with gaps, and words that are not in the text, in the tables of errors ------------------


def test_errors_are_told_with_gaps_and_in_the_words_of_the_side_they_change():
    sides = read_bytes(gaps.KEY, "key"), read_bytes(gaps.RESPONSE, "response")
    comparison = score(*sides).comparison
    of_class = mention_table(comparison).groupby("class", observed=True)["mention"].agg(list)
    assert of_class["span error"] == ["the old basket that leaks"]
    assert of_class["missing"] == ["∅it"]
    assert "take … along" in of_class["correct"]
    of_kind = operation_table(comparison).set_index("kind")["mentions"]
    assert of_kind["span error"] == ("the old … leaks",)
    assert of_kind["missing mention"] == ("∅it",)
    that = incorrectly_resolved_table(comparison).set_index("mention").loc["that"]
    assert that["wrong_partners"] == ("the old … leaks",)
    assert that["right_partners"] == ("the old basket that leaks", "∅it")


GAP = ((0, 1), (3, 4))


def side(*mentions, apart):
    """A document whose mentions are (start, end, entity, pieces); those without gaps that begin at
    its start are at its end instead if `apart`."""
    rows = [
        (s + 7, e + 7, of) if apart and not (s or pieces) else (s, e, of)
        for s, e, of, pieces in mentions
    ]
    known = Attributes.of(len(rows), pieces=[pieces for *_, pieces in mentions])
    words = ["take", "the", "basket", "along", "please", "now", "then", "set", "the", "box", "out"]
    return Corpus((Document.of_rows("d", rows, words=words, attributes=known),))


BASKET, WHOLE, PLEASE, NOW = (0, 4, "A", GAP), (0, 4, "B", ()), (4, 5, "A", ()), (5, 6, "B", ())


@pytest.mark.parametrize(
    "response",
    [
        [BASKET, PLEASE, NOW],  # the mention without a gap is missing
        [WHOLE, PLEASE, NOW],  # the one with it
        [(0, 4, "B", GAP), (0, 4, "A", ()), PLEASE, NOW],  # both are in the wrong entity
    ],
)
def test_mentions_that_differ_only_in_their_gaps_are_two(response):
    """Errors, what fixing each gains, and the losses are as if the other began elsewhere."""
    found, expected = (
        score(*(side(*of, apart=apart) for of in ([BASKET, WHOLE, PLEASE, NOW], response)))
        for apart in (False, True)
    )
    kinds = [sorted(of.errors["kind"]) for of in (found, expected)]
    assert kinds[0] == kinds[1]
    losses = [of.decomposition.table["loss"].tolist() for of in (found, expected)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-12, nan_ok=True)
    gains = [sorted(of.error_table["cost_lea"]) for of in (found, expected)]
    assert gains[0] == pytest.approx(gains[1], abs=1e-9, nan_ok=True)
    assert found.error_table["id"].is_unique
    both = {"take … along", "take the basket along"}
    told = {*found.error_table["mention"]} & both
    elsewhere = expected.error_table["mention"].replace("set the box out", "take the basket along")
    assert told == {*elsewhere} & both
