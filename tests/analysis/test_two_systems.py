"""Two responses to one key: documents, mentions, entities and errors of each."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from corescore import Corpus, Document, PolicyError, score
from corescore.analysis.credit import mention_share
from corescore.analysis.errors.tables import OUTCOMES, error_counts, mention_table, outcome_table
from corescore.analysis.systems.documents import (
    by_metric,
    compared_documents,
    disagreement_counts,
    disagreements,
    documents_of_each,
    sign_test,
)
from corescore.analysis.systems.mentions import (
    A_MORE,
    B_MORE,
    BOTH_ALL,
    BOTH_PART,
    NOTHING,
    compared_entities,
    compared_errors,
    compared_mentions,
    error_differences,
    most_different,
    most_unequal,
    verdict_counts,
)
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS
from corescore.scoring.tables import win_table
from corescore.util import PLACES
from tests.support.rivals import damaged, partitions, results

TELLING = [metric.id for metric in METRICS if metric.credit]
KEY = partitions(40, seed=1)
A, B = results(KEY, damaged(KEY, 0.3, seed=2), damaged(KEY, 0.35, seed=3))
PAIR = A.compare(B, trials=200)

# A cuts a mention off, B joins two entities and lacks the singleton
SMALL_A, SMALL_B = results([[{0, 1, 2}, {3, 4}, {5}]], [[{0, 1}, {3, 4}, {5}]], [[{0, 1, 2, 3, 4}]])


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


def test_the_sign_test_leaves_ties_out():
    key, wrong = [{0, 1}, {2, 3}], [{0, 2}, {1, 3}]
    a = [wrong] * 5 + [key] + [key] * 2
    b = [key] * 5 + [wrong] + [key] * 2
    row = sign_test(*results([key] * 8, a, b)).loc["lea"]
    assert row[["a", "b", "ties"]].tolist() == [1, 5, 2]
    assert row["p"] == pytest.approx(float(Fraction(2 * (1 + 6), 2**6)))
    assert (sign_test(A, A)["p"] == 1).all()


def test_a_single_document_has_no_p_of_a_sign_test():
    key, wrong = [{0, 1}, {2, 3}], [{0, 2}, {1, 3}]
    one = sign_test(*results([key], [wrong], [key]))
    assert one.loc["lea", ["a", "b", "ties"]].tolist() == [0, 1, 0]
    assert one["p"].isna().all()


def test_metrics_disagree_where_they_name_different_winners():
    table = compared_documents(A, B).pivot(index="document", columns="metric", values="winner")
    opposed = (table["ceafe"] != table["muc"]) & ~table[["ceafe", "muc"]].isin(["tie", None]).any(
        axis=1
    )
    found = disagreements(A, B, metric="muc", other="ceafe")
    assert set(found["document"]) == set(table.index[opposed])
    assert len(found) == disagreement_counts(A, B).loc["muc", "ceafe"] > 0
    assert found["margin"].is_monotonic_decreasing
    expected = np.minimum(abs(found["muc"]), abs(found["ceafe"]))
    assert found["margin"].tolist() == expected.tolist()
    assert (found["muc"] * found["ceafe"] < 0).all()


def test_disagreement_goes_both_ways_and_never_with_oneself():
    counts = disagreement_counts(A, B)
    assert (counts == counts.T).all(axis=None)
    assert np.diag(counts).sum() == 0


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
            sliced = error_counts(table, of="verdict", by=by)
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
    for settings, said in (
        ({"trials": 0}, "trials is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"level": 1.0}, "level is 1.0"),
    ):
        with pytest.raises(ValueError, match=said):
            A.compare(B, **settings)
    with pytest.raises(ValueError, match="other keys"):
        A.compare(SMALL_B)
    with pytest.raises(PolicyError, match="metric is 'rouge'"):
        PAIR.mentions("rouge")
    with pytest.raises(PolicyError, match="does not tell"):
        PAIR.entities("mentions")
    with pytest.raises(PolicyError, match="measure is 'F'"):
        compared_documents(A, B, measure="F")


def test_texts_and_slices_come_with_the_mentions():
    words = ("Ann", "saw", "the", "dog", ".", "She", "ran", ".")
    key, a, b = (
        Corpus((Document.of_entities("news_one", entities, words=words),))
        for entities in ([[(0, 1), (5, 6)]], [[(0, 1), (5, 6)]], [[(2, 4), (5, 6)]])
    )
    table = score(key, a).compare(score(key, b)).mentions("lea")
    assert table["mention"].tolist() == ["Ann", "She"]
    assert table["type"].tolist() == ["name", "pronoun"]
    assert table["genre"].tolist() == ["news", "news"]
    assert table["class_b"].tolist() == ["missing", "incorrectly resolved"]


def test_towards_precision_the_mentions_of_both_responses_are_compared():
    found = compared_mentions(A, B, "muc", side="precision")
    spans = [
        {(d.name, *span) for d in of.comparison.response for span in map(tuple, d.spans.tolist())}
        for of in (A, B)
    ]
    places = list(zip(found["document"], found["start"], found["end"], strict=True))
    assert len(places) == len({*places})
    assert {*places} == spans[0] & spans[1]
    shares = [
        dict(
            zip(
                places_of(of),
                mention_share(of.comparison, METRICS[0], side="precision"),
                strict=True,
            )
        )
        for of in (A, B)
    ]
    for at, place in enumerate(places):
        for column, share in zip(("credit_a", "credit_b"), shares, strict=True):
            assert found[column][at] == pytest.approx(share[place], nan_ok=True)
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


def places_of(result):
    """The place of each mention of the response."""
    view = result.comparison.precision
    names = [view.documents[at].name for at in view.own.document]
    return list(zip(names, view.own.start.tolist(), view.own.end.tolist(), strict=True))


@pytest.mark.parametrize("of", [compared_mentions, compared_entities])
def test_a_difference_of_credit_is_what_b_has_more_and_the_verdict_has_its_sign(of):
    table = of(A, B, "lea")
    more = table["credit_b"] - table["credit_a"]
    assert table["difference"].tolist() == more.tolist()
    assert {-1, 1} <= set(np.sign(more))
    if "verdict" in table:
        assert (more[table["verdict"] == A_MORE] < 0).all()
        assert (more[table["verdict"] == B_MORE] > 0).all()


def test_of_equally_unequal_rows_the_largest_entity_is_first():
    table = pd.DataFrame({"difference": [0.5, -0.5, 0.5, 0.75], "mentions": [2, 9, 4, 1]})
    assert most_unequal(table)["mentions"].tolist() == [1, 9, 4, 2]


def test_of_documents_on_which_metrics_disagree_those_with_the_widest_margin_come_first():
    for metric, other in (("muc", "bcub"), ("ceafe", "blanc"), ("muc", "ceafe")):
        margins = disagreements(A, B, metric=metric, other=other)["margin"]
        assert margins.is_monotonic_decreasing
        if margins.nunique() > 1:
            return
    raise AssertionError("no two documents with margins that differ")
