"""Two responses to one key: what differs, whether it holds, and whether they can be compared."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from corescore import Corpus, Document, PolicyError, preset, score
from corescore.analysis.credit import mention_share
from corescore.analysis.errors.tables import OUTCOMES, error_counts, mention_table, outcome_table
from corescore.analysis.systems.comparability import comparability
from corescore.analysis.systems.documents import (
    A_MORE,
    B_MORE,
    BOTH_ALL,
    BOTH_PART,
    NOTHING,
    by_metric,
    compared_documents,
    compared_entities,
    compared_errors,
    compared_mentions,
    disagreement_counts,
    disagreements,
    documents_of_each,
    error_differences,
    most_different,
    most_unequal,
    one_per_entity,
    sign_test,
    verdict_counts,
)
from corescore.analysis.systems.pair import held
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS
from corescore.scoring.tables import win_table
from corescore.util import PLACES
from tests.support.letters import lettered, sets
from tests.support.samples import corpus, damaged, partitions, results

# Two responses to one key: documents, mentions, entities and errors of each -----------------------

TELLING = [metric.id for metric in METRICS if metric.credit]
KEY = partitions(40, seed=1)
A, B = results(KEY, damaged(KEY, 0.3, seed=2), damaged(KEY, 0.35, seed=3))
PAIR = A.compare(B, trials=200)

# A cuts a mention off, B joins two entities and lacks the singleton
SMALL_A, SMALL_B = results([sets("abc de f")], [sets("ab de f")], [sets("abcde")])


# --- Documents -----------------------------------------------------------------------------------


def test_each_document_has_a_winner_under_each_metric():
    table = compared_documents(SMALL_A, SMALL_B).set_index("metric")
    assert set(table.index) == set(SMALL_A.scores)
    # MUC: of the key's 3 links, A has 2 and no other, B all 3 and another
    assert table.loc["muc", "a"] == pytest.approx(float(Fraction(4, 5)))
    assert table.loc["muc", "b"] == pytest.approx(float(Fraction(6, 7)))
    assert table.loc["muc", "difference"] == pytest.approx(float(Fraction(2, 35)))
    assert table["winner"][["muc", "lea", "mentions"]].tolist() == ["B", "A", "tie"]


def test_a_document_with_nothing_to_score_has_no_winner():
    table = compared_documents(*results([[{0}]], [[{0}]], [[]])).set_index("metric")
    assert pd.isna(table.loc["muc", "winner"])
    assert table.loc["bcub", "winner"] == "A"
    assert "conll" not in set(compared_documents(A, B, measure="recall")["metric"])


def test_wins_and_ties_are_those_of_the_documents():
    for measure in MEASURES:
        counted = compared_documents(A, B, measure=measure).groupby(
            ["metric", "winner"], observed=False
        )
        wins = win_table(A, B, measure=measure)
        for (metric, winner), n in counted.size().items():
            assert wins.loc[metric, {"A": "a", "B": "b", "tie": "ties"}[winner]] == n


def test_the_sign_test_leaves_ties_out_and_a_single_document_has_no_p():
    key, wrong = sets("ab cd"), sets("ac bd")
    a = [wrong] * 5 + [key] + [key] * 2
    b = [key] * 5 + [wrong] + [key] * 2
    row = sign_test(*results([key] * 8, a, b)).loc["lea"]
    assert row[["a", "b", "ties"]].tolist() == [1, 5, 2]
    assert row["p"] == pytest.approx(float(Fraction(2 * (1 + 6), 2**6)))
    assert (sign_test(A, A)["p"] == 1).all()
    one = sign_test(*results([key], [wrong], [key]))
    assert one.loc["lea", ["a", "b", "ties"]].tolist() == [0, 1, 0]
    assert one["p"].isna().all()


def test_metrics_disagree_where_they_name_different_winners():
    table = compared_documents(A, B).pivot(index="document", columns="metric", values="winner")
    opposed = (table["ceafe"] != table["muc"]) & ~table[["ceafe", "muc"]].isin(["tie", None]).any(
        axis=1
    )
    found = disagreements(A, B, metric="muc", other="ceafe")
    counts = disagreement_counts(A, B)
    assert set(found["document"]) == set(table.index[opposed])
    assert len(found) == counts.loc["muc", "ceafe"] == counts.loc["ceafe", "muc"] > 1
    assert np.diag(counts).sum() == 0
    assert found["margin"].is_monotonic_decreasing
    assert found["margin"].nunique() > 1
    expected = np.minimum(abs(found["muc"]), abs(found["ceafe"]))
    assert found["margin"].tolist() == expected.tolist()
    assert (found["muc"] * found["ceafe"] < 0).all()


def test_documents_of_many_have_a_column_each():
    table = documents_of_each({"one": A, "two": B}, "lea", measure="recall")
    assert table.columns.tolist() == ["one", "two"]
    assert table["two"].tolist() == B.document_scores["lea"].recall.tolist()


# --- Mentions ------------------------------------------------------------------------------------


def test_a_response_earns_more_by_a_mention_where_its_credit_is_larger():
    lea = compared_mentions(SMALL_A, SMALL_B, "lea").set_index("start")
    # {0, 1, 2}: A has one of the two links of 0 and of 1, and none of 2
    assert lea["credit_a"].tolist() == pytest.approx([0.5, 0.5, 0, 1, 1, 1])
    assert lea["credit_b"].tolist() == pytest.approx([1, 1, 1, 1, 1, 0])
    assert lea["difference"].tolist() == (lea["credit_b"] - lea["credit_a"]).tolist()
    assert lea["verdict"].tolist() == [*[B_MORE] * 3, BOTH_ALL, BOTH_ALL, A_MORE]
    assert compared_mentions(SMALL_A, SMALL_B, "muc")["verdict"].iloc[5] == NOTHING
    assert compared_mentions(SMALL_A, SMALL_A, "lea")["verdict"].iloc[0] == BOTH_PART


@pytest.mark.parametrize("of", [compared_mentions, compared_entities])
@pytest.mark.parametrize("metric", ["bcub", "lea"])
def test_the_most_unequal_stand_first_and_equals_are_left_out(of, metric):
    table = of(A, B, metric)
    found = most_unequal(table)
    assert set(found.index) == set(table.index[~np.isclose(table["difference"].fillna(0), 0)])
    gap = found["difference"].abs().round(PLACES)
    assert gap.is_monotonic_decreasing
    size = found["size"].cat.codes if "size" in found else found["mentions"]
    assert all(rows.is_monotonic_decreasing for _, rows in size.groupby(gap))
    assert most_unequal(of(A, A, metric)).empty


def test_of_each_entity_one_row_is_listed_those_of_a_and_b_in_turn():
    table = pd.DataFrame(
        [
            ("d", 1, -0.9),
            ("d", 1, -0.8),
            ("d", 2, -0.7),
            ("d", 3, 0.5),
            ("e", 1, 0.4),
            ("e", 2, 0.1),
        ],
        columns=["document", "key_entity", "difference"],
    )
    assert one_per_entity(table)["difference"].tolist() == [-0.9, 0.5, -0.7, 0.4, 0.1]
    assert one_per_entity(table[:0]).empty


def test_a_mention_has_what_became_of_it_in_each_response():
    table = compared_mentions(SMALL_A, SMALL_B, "lea")
    assert table["class_a"].tolist() == [*["correct"] * 2, "missing", *["correct"] * 3]
    assert table["class_b"].tolist() == [*["correct"] * 5, "missing"]
    assert table["outcome"].iloc[[0, 2, 5]].tolist() == [
        "both correct",
        "only B correct",
        "only A correct",
    ]
    assert table["b_entity"].tolist() == [1, 1, 1, 1, 1, pd.NA]


def test_outcomes_are_those_of_all_spans_that_the_key_has():
    spans = outcome_table(*(mention_table(result.comparison) for result in (A, B)))
    of_key = spans[spans["key_entity"].notna()].reset_index(drop=True)
    table = compared_mentions(A, B, "lea")
    names = ["start", "end", "outcome"]
    pd.testing.assert_frame_equal(table[names], of_key[names], check_index_type=False)
    assert set(OUTCOMES) - set(table["outcome"]) == {"spurious"}


def test_swapping_the_responses_swaps_the_verdicts():
    swap = {A_MORE: B_MORE, B_MORE: A_MORE}
    forward, back = verdict_counts(A, B), verdict_counts(B, A)
    assert forward.index.tolist() == TELLING
    pd.testing.assert_frame_equal(forward, back.rename(columns=swap)[forward.columns])


def test_verdicts_count_each_mention_of_the_key_once_whatever_they_are_sliced_by():
    n = sum(len(entity) for partition in KEY for entity in partition)
    counts = verdict_counts(A, B)
    assert (counts.sum(axis=1) == n).all()
    for metric in TELLING:
        table = compared_mentions(A, B, metric)
        for by in ("document", "size", "genre"):
            sliced = error_counts(table, column="verdict", by=by)
            assert sliced.sum().to_dict() == counts.loc[metric].to_dict()


# --- Entities and errors -------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafm", "ceafe", "lea"])
def test_the_entities_differences_add_up_to_that_of_the_numerators(metric):
    table = compared_entities(A, B, metric)
    expected = B[metric].recall_numerator - A[metric].recall_numerator
    assert table["difference"].sum() == pytest.approx(expected)
    assert table["possible"].sum() == pytest.approx(A[metric].recall_denominator)


def test_blanc_has_its_entities_by_kind_of_link():
    sums = compared_entities(A, B, "blanc").groupby("kind")["difference"].sum()
    for kind, part in (
        ("coreference link", "coreference"),
        ("non-coreference link", "non_coreference"),
    ):
        of_a, of_b = (result["blanc"].parts[part].recall_numerator for result in (A, B))
        assert sums[kind] == pytest.approx(of_b - of_a)


def test_errors_differ_by_kind_and_by_slice():
    table = compared_errors(SMALL_A, SMALL_B)["difference"]
    assert table[table != 0].to_dict() == {
        "conflated entities": 1,
        "missing mention": -1,
        "missing entity": 1,
    }
    for by in ("document", "size"):
        assert error_differences(A, B, by=by).sum().to_dict() == (
            compared_errors(A, B)["difference"].to_dict()
        )


def test_where_errors_differ_most_stands_first():
    table = error_differences(A, B)
    sizes = most_different(table).abs().sum(axis=1)
    assert sizes.is_monotonic_decreasing
    assert set(sizes.index) == {name for name, row in table.iterrows() if row.any()}


# --- All of it -----------------------------------------------------------------------------------


def test_one_table_says_who_is_better_and_how_likely_chance_is():
    table = PAIR.significance.set_index(["metric", "measure"])
    assert len(table) == 3 * len(A.counts) + 1
    row = table.loc[("lea", "recall")]
    assert (row["a"], row["b"]) == (A["lea"].recall, B["lea"].recall)
    assert row["difference"] == pytest.approx(row["b"] - row["a"])
    assert row["winner"] == ("A" if row["difference"] < 0 else "B")
    assert row["low"] <= row["difference"] <= row["high"]
    assert row[["wins_a", "wins_b", "ties"]].sum() == len(KEY)
    assert 0 < row["p"] <= row["p_holm"] <= 1
    assert math.isnan(table.loc[("conll", "f1"), "p_holm"])
    places = [PAIR.randomisation.metrics.index("lea"), MEASURES.index("recall")]
    assert row["p"] == PAIR.randomisation.p[*places]
    assert row["p_sign"] == sign_test(A, B, measure="recall").loc["lea", "p"]


def test_a_comparison_says_how_it_was_made():
    assert PAIR.signature.startswith(A.signature)
    assert PAIR.signature.endswith("over 40 documents | 200 trials | seed 0")
    assert PAIR.warnings == ()
    assert len(PAIR.randomised("lea")) == 200
    few = SMALL_A.compare(SMALL_B, trials=10)
    assert few.warnings == few.randomisation.warnings
    assert few.warnings == ("Only 1 document: there are no intervals.", few.warnings[-1])
    assert few.significance[["p", "p_holm"]].isna().all(axis=None)
    assert few.signature.endswith("| 10 trials | seed 0 | all 2 exchanges")


def test_a_comparison_that_makes_no_sense_is_refused_at_once():
    with pytest.raises(ValueError, match=r"level is 1\.0"):
        A.compare(B, level=1.0)
    with pytest.raises(PolicyError, match="metric is 'rouge'"):
        PAIR.mentions("rouge")
    with pytest.raises(PolicyError, match="does not define credit"):
        PAIR.entities("mentions")
    with pytest.raises(PolicyError, match="measure is 'F'"):
        compared_documents(A, B, measure="F")


def test_texts_and_slices_come_with_the_mentions():
    words = ("Ann", "saw", "the", "dog", ".", "She", "ran", ".")
    key, a, b = (
        Document.of_entities("news_one", entities, words=words)
        for entities in ([[(0, 1), (5, 6)]], [[(0, 1), (5, 6)]], [[(2, 4), (5, 6)]])
    )
    table = score(key, a).compare(score(key, b)).mentions("lea")
    assert table["mention"].tolist() == ["Ann", "She"]
    assert table["type"].tolist() == ["name", "pronoun"]
    assert table["genre"].tolist() == ["news", "news"]
    assert table["class_b"].tolist() == ["missing", "incorrectly resolved"]


def test_towards_precision_the_mentions_of_both_responses_are_compared():
    found = compared_mentions(A, B, "muc", side="precision")
    places = list(zip(found["document"], found["start"], found["end"], strict=True))
    of_a, of_b = map(shares_of, (A, B))
    assert len(places) == len({*places})
    assert {*places} == of_a.keys() & of_b.keys()
    for column, shares in (("credit_a", of_a), ("credit_b", of_b)):
        expected = [shares[place] for place in places]
        assert found[column].tolist() == pytest.approx(expected, nan_ok=True)
    counts = verdict_counts(A, B, side="precision").loc["muc"]
    assert counts.to_dict() == found["verdict"].value_counts().to_dict()


def test_documents_with_most_disagreement_come_first():
    wide = by_metric(compared_documents(A, B))
    assert sorted(wide.index) == sorted(A.documents)
    minority = [min((row > 1e-9).sum(), (row < -1e-9).sum()) for _, row in wide.iterrows()]
    assert minority == sorted(minority, reverse=True)
    assert minority[0] > minority[-1]
    gap = A.document_scores["lea"].f1[3], B.document_scores["lea"].f1[3]
    assert wide.loc[A.documents[3], "lea"] == pytest.approx(gap[1] - gap[0])


def shares_of(result):
    """What each mention of the response earns of MUC's precision, by its place."""
    view = result.comparison.precision
    names = [view.documents[at].name for at in view.own.document]
    places = zip(names, view.own.start.tolist(), view.own.end.tolist(), strict=True)
    share = mention_share(result.comparison, METRICS[0], side="precision")
    return dict(zip(places, share, strict=True))


# The difference of two responses under other conditions, each against scoring by hand -------------

KEY_OF_HOLDS = partitions(12, seed=1)
FIRST, SECOND = damaged(KEY_OF_HOLDS, 0.3, seed=2), damaged(KEY_OF_HOLDS, 0.4, seed=3)
A_OF_HOLDS, B_OF_HOLDS = results(KEY_OF_HOLDS, FIRST, SECOND)


def rows_of(found, kind):
    return found.table[found.table["kind"] == kind].set_index("condition")


def difference_of(metric, measure="f1", *, averaged=False, **policies):
    a, b = (score(corpus(KEY_OF_HOLDS), corpus(side), **policies) for side in (FIRST, SECOND))
    return getattr((b.means if averaged else b)[metric], measure) - getattr(
        (a.means if averaged else a)[metric], measure
    )


def test_other_metrics_singletons_and_the_mean_are_those_of_scores():
    found = held(A_OF_HOLDS, B_OF_HOLDS, "lea")
    metrics = rows_of(found, "metric")
    assert list(metrics.index) == ["muc", "bcub", "ceafm", "ceafe", "blanc", "conll"]
    for metric, row in metrics.iterrows():
        assert row["difference"] == pytest.approx(difference_of(metric))
    dropped = rows_of(found, "singletons").loc["drop", "difference"]
    assert dropped == pytest.approx(difference_of("lea", singletons="drop"))
    macro = rows_of(found, "average").loc["macro", "difference"]
    assert macro == pytest.approx(difference_of("lea", averaged=True, average="macro"))


def test_other_scorers_are_those_that_have_the_metric():
    assert list(rows_of(held(A_OF_HOLDS, B_OF_HOLDS, "lea"), "scorer").index) == [
        "coval",
        "corefud",
        "ua",
        "ua2",
        "stanza",
    ]
    scorers = rows_of(held(A_OF_HOLDS, B_OF_HOLDS, "ceafe"), "scorer")
    for name in ("perl", "corefud", "e2e"):
        expected = difference_of("ceafe", **preset(name))
        assert scorers.loc[name, "difference"] == pytest.approx(expected)
    expected = difference_of("ceafe", averaged=True, **preset("scorch"))
    assert scorers.loc["scorch", "difference"] == pytest.approx(expected)


def test_the_document_left_out_is_the_one_without_which_the_difference_is_least():
    found = rows_of(held(A_OF_HOLDS, B_OF_HOLDS, "lea"), "document")
    without = {}
    for at in range(len(KEY_OF_HOLDS)):
        rest = [
            [side[n] for n in range(len(KEY_OF_HOLDS)) if n != at]
            for side in (KEY_OF_HOLDS, FIRST, SECOND)
        ]
        a, b = results(*rest)
        without[f"d{at}"] = b["lea"].f1 - a["lea"].f1
    least = max(without, key=without.get)  # A is ahead: the difference is below 0
    assert found["difference"].to_dict() == {least: pytest.approx(without[least])}


def test_one_document_reverses_a_difference_that_rests_on_it():
    """A misses all 9 links of one document, B one of the two of each of three others."""
    three, apart, half = sets("ab cd"), sets("a b c d e f g h i j"), sets("ab c d")
    ten = sets("abcdefghij")
    a, b = results([ten, *[three] * 3], [apart, *[three] * 3], [ten, *[half] * 3])
    found = held(a, b, "muc")
    assert found.difference > 0
    assert found.count("reversed") > 0
    row = rows_of(found, "document").iloc[0]
    assert (row.name, row["outcome"]) == ("d0", "reversed")


def test_only_what_can_be_scored_otherwise_is():
    kinds = {*held(A_OF_HOLDS.tally, B_OF_HOLDS.tally, "lea").table["kind"]}
    assert kinds == {"metric", "average", "document"}  # tallies have no documents to score again
    alone = results(KEY_OF_HOLDS[:1], FIRST[:1], SECOND[:1])
    assert "document" not in {*held(*alone, "lea").table["kind"]}
    assert {*held(A_OF_HOLDS, A_OF_HOLDS, "lea").table["outcome"]} == {"kept"}


def test_what_is_not_there_is_refused():
    with pytest.raises(PolicyError, match="rouge"):
        held(A_OF_HOLDS, B_OF_HOLDS, "rouge")
    with pytest.raises(PolicyError, match="recall"):
        held(A_OF_HOLDS, B_OF_HOLDS, "conll", measure="recall")
    with pytest.raises(ValueError, match="different policies"):
        held(A_OF_HOLDS, score(corpus(KEY_OF_HOLDS), corpus(SECOND), singletons="drop"), "lea")


# Whether two responses can be compared: gold mentions, singletons, documents, words ---------------

ENTITIES = "ab g | h k | de"
LINKED = "ab de | h k"
ALONE = "ab | de | g | h | k"
CUT = (*"abcdefghijk", "l1", "l2")


def documents(*texts, words="abcdefghijkl"):
    """Documents "d0", "d1", … of entities in letters; none for None."""
    of = [lettered(text, words, f"d{at}") for at, text in enumerate(texts) if text is not None]
    return Corpus(tuple(document for (document,) in of))


def found(a, b, key=(ENTITIES, ENTITIES), **policies):
    return comparability(*(score(documents(*key), side, **policies) for side in (a, b)))


OTHER = (f"{LINKED} | g", f"{LINKED} | b")
GOLD = ("gold mentions", "", "")


@pytest.mark.parametrize(
    "a, b, policies, told",
    [
        ((LINKED, LINKED), (LINKED, "ab de"), {}, ()),
        (
            (ALONE, ENTITIES),
            OTHER,
            {},
            (*GOLD, "A has all 10 mentions of the key and no other, B does not"),
        ),
        (OTHER, (ALONE, ENTITIES), {}, (*GOLD, "B has all 10 mentions")),
        ((ALONE, ENTITIES), (ENTITIES, ENTITIES), {}, ()),
        # Without singletons A, with other entities, no longer has the same mentions as the key.
        ((ALONE, ENTITIES), (OTHER[0], LINKED), {"singletons": "drop"}, (*GOLD, "A has all 10")),
        (
            (LINKED, LINKED),
            OTHER,
            {},
            (
                *("singletons", "singletons", "drop"),
                "2 entities of B and 0 of A have one mention, 2 entities of the",
            ),
        ),
        ((LINKED, LINKED), OTHER, {"singletons": "drop"}, ()),
        (
            (LINKED, LINKED),
            (LINKED, None),
            {},
            (
                *("documents", "missing_documents", "skip"),
                "B has no mention in 1 document ('d1'), A has: its missing documents count as",
            ),
        ),
    ],
)
def test_what_speaks_against_comparing_two_responses(a, b, policies, told):
    every = found(documents(*a), documents(*b), **policies)
    assert [(one.kind, one.policy, one.value) for one in every] == [told[:3]] * bool(told)
    assert all(one.sentence.startswith(told[3]) for one in every)


@pytest.mark.parametrize("entities", ["ab g | de | h | b", "ab g | de | h"])
def test_one_mention_more_or_less_is_no_sign_of_given_mentions(entities):
    kinds = {one.kind for one in found(documents(ENTITIES, entities), documents(LINKED, LINKED))}
    assert "gold mentions" not in kinds


def test_a_document_without_mentions_may_be_a_failure_unless_the_key_has_none():
    whole = documents(LINKED, LINKED)
    (one,) = found(whole, documents(LINKED, ""))
    assert (one.kind, one.policy) == ("documents", "")
    assert one.sentence.endswith("did its system fail?")
    assert found(whole, documents(LINKED, None), key=(ENTITIES, "")) == ()


@pytest.mark.parametrize("words, offered", [("align", ("", "")), ("ignore", ("words", "align"))])
def test_another_tokenisation_on_one_side(words, offered):
    a, b = documents(LINKED, LINKED), documents(LINKED, LINKED, words=CUT)
    (one,) = found(a, b, words=words)
    assert (one.kind, one.policy, one.value) == ("words", *offered)
    assert one.sentence.startswith("The text of B differs from the key’s, the text of A does not.")
    assert found(b, documents(LINKED, "ab de", words=CUT), words=words) == ()


def test_tallies_without_documents_tell_the_same():
    key, *sides = documents(ENTITIES, ENTITIES), documents(ALONE, ENTITIES), documents(LINKED, None)
    a, b = (score(key, side) for side in sides)
    assert comparability(a.tally, b.tally) == comparability(a, b) != ()
