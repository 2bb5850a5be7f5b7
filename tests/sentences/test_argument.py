"""Whether one of two systems is better, argued: sentences against numbers computed otherwise."""

import math
import re
from itertools import product
from statistics import mean, stdev

import numpy as np
import pytest

from corescore.analysis.systems.pair import evidence, held, influence
from corescore.corpus.documents import Corpus
from corescore.rendering.many import paper_table
from corescore.rendering.text import latex_prose
from corescore.scoring.scores import score
from corescore.sentences import compare
from corescore.sentences.compare import CAN_TELL, COMPARABLE, HOLDS, HOW_LARGE, QUESTIONS, WHY
from corescore.wording import interval, p_value, percent, signed
from tests.support.rivals import damaged, partitions, results

TITLES = {"A": "A (one)", "B": "B (two)"}
NAMES = {"A": "one", "B": "two"}


def pair_of(n, *, worse=0.2, better=0.5, **fixed):
    key = partitions(n, seed=1)
    a, b = results(key, damaged(key, worse, seed=2), damaged(key, better, seed=3))
    return a.compare(b, trials=500, **fixed)


@pytest.fixture(scope="module")
def far():
    """24 documents of which A has nearly all right."""
    return pair_of(24)


@pytest.fixture(scope="module")
def five():
    return pair_of(5)


@pytest.fixture(scope="module")
def near():
    """24 documents, damaged alike."""
    return pair_of(24, better=0.2)


def test_every_question_is_answered_in_order(far):
    assert tuple(compare.lines(evidence(far, "conll"))) == QUESTIONS


def test_a_significant_difference_is_told_with_its_size_and_p(far):
    of = evidence(far, "conll")
    gap = far.b["conll"].f1 - far.a["conll"].f1
    said = compare.conclusion(of, TITLES)
    assert said.startswith(f"A (one) is better by {percent(-gap)} points of the CoNLL average")
    assert p_value(of.p) in said
    assert of.interval[1] < 0


def test_a_difference_that_is_not_significant_decides_nothing(near):
    of = evidence(near, "lea")
    assert of.p >= 0.05
    assert of.interval[0] <= 0 <= of.interval[1]
    said = compare.conclusion(of, TITLES)
    assert said.startswith("You cannot conclude which is better, A (one) or B (two), by LEA F1.")
    assert said.endswith("That does not make them equally good.")


def test_p_and_floor_of_five_documents_are_those_of_every_exchange(five):
    """All 32 exchanges, each scored anew."""
    key, a, b = five.a.comparison.key, five.a.comparison.response, five.b.comparison.response
    gaps = []
    for exchanged in product([False, True], repeat=5):
        sides = [
            [d if leaves is stays else e for d, e, leaves in zip(a, b, exchanged, strict=True)]
            for stays in (False, True)
        ]
        of_a, of_b = (score(Corpus(key), Corpus(tuple(side)))["muc"].f1 for side in sides)
        gaps.append(of_b - of_a)
    p = np.mean(np.abs(gaps) >= abs(gaps[0]) - 1e-12)
    of = evidence(five, "muc")
    assert of.p == pytest.approx(p)
    assert f"{p_value(p)}" in compare.lines(of)[HOW_LARGE]
    assert re.match(r"No\. 5 documents: .* 0\.0625\b", compare.lines(of)[CAN_TELL])
    assert "no difference can" in compare.conclusion(of, TITLES)


def test_what_the_documents_show_is_told_with_the_smallest_p_and_the_difference_found(far):
    """The smallest p of 500 drawn exchanges is 1 / 501; `test_power` simulates the difference."""
    found = percent(far.detectable("conll").difference)
    assert compare.lines(evidence(far, "conll"))[CAN_TELL] == (
        "24 documents: p cannot be below 0.002. The test would detect a true difference of "
        f"{found} points of the CoNLL average with 80% power; smaller ones are missed more often."
    )


def test_the_size_is_told_as_each_document_scored_by_itself_has_it(five):
    sides = five.a.comparison.key, five.a.comparison.response, five.b.comparison.response
    gaps = []
    for key, a, b in zip(*sides, strict=True):
        of_a, of_b = (score(Corpus((key,)), Corpus((side,)))["lea"].f1 for side in (a, b))
        gaps.append(of_b - of_a)
    of = evidence(five, "lea")
    standardised = f"{mean(gaps) / stdev(gaps):+.2f}".replace("-", "−")
    assert compare.lines(of)[HOW_LARGE] == (
        f"B − A is {signed(five.b['lea'].f1 - five.a['lea'].f1)} points of LEA F1 "
        f"(p = {p_value(of.p)}, not significant). Documents won: A {sum(g < 0 for g in gaps)}, "
        f"B {sum(g > 0 for g in gaps)}; standardised difference {standardised} (mean by standard "
        "deviation over documents)."
    )


def test_the_kinds_of_errors_that_b_makes_more_of_are_those_that_were_made():
    """B is the key without an entity in three documents, and with two merged in two others."""
    key = [[frozenset({0, 1}), frozenset({2, 3}), frozenset({4, 5, 6})] for _ in range(8)]
    b = [[*of] for of in key]
    for document in b[:3]:
        document.pop(0)
    for document in b[3:5]:
        document[:2] = [document[0] | document[1]]
    a, b = results(key, key, b)
    said = compare.lines(evidence(a.compare(b, trials=50), "conll"))[WHY]
    assert said.startswith(
        "Compared with A, B makes 3 more missing entities and 2 more conflated entities. "
    )


def test_an_interval_is_spoken_of_only_where_there_is_one(five, far):
    few, many = (
        compare.paragraph(evidence(of, "conll"), {"A": "one", "B": "two"}, of.a.policies)
        for of in (five, far)
    )
    assert "with all 32 exchanges. " in few
    assert "interval" not in few
    assert "interval contains every difference" in many
    few, many = (compare.how_size_is_told(evidence(of, "conll")) for of in (five, far))
    assert "interval" not in few
    assert "interval contains every difference" in many


def test_a_single_document_is_not_tested():
    of = evidence(pair_of(1), "conll")
    assert math.isnan(of.p)
    assert compare.lines(of)[CAN_TELL].startswith("No. With 1 document")
    assert "cannot be tested" in compare.lines(of)[HOW_LARGE]
    said = compare.conclusion(of, TITLES)
    assert said.startswith("You cannot conclude")
    assert said.endswith("from a single document.")


@pytest.mark.parametrize(("metric", "measure"), [("conll", "f1"), ("lea", "recall")])
def test_a_document_counts_for_what_the_corpus_loses_without_it(five, metric, measure):
    table = influence(five.a, five.b, metric, measure=measure).set_index("document")
    whole = [getattr(r[metric], measure) for r in (five.a, five.b)]
    for name, row in table.iterrows():
        kept = [at for at, of in enumerate(five.a.documents) if of != name]
        rest = [getattr(r.rows(np.array(kept))[metric], measure) for r in (five.a, five.b)]
        assert row["without"] == pytest.approx(rest[1] - rest[0])
        assert row["influence"] == pytest.approx(whole[1] - whole[0] - row["without"])
    sign = np.sign(whole[1] - whole[0])
    assert (sign * table["influence"]).is_monotonic_decreasing


def test_only_documents_that_favour_the_difference_are_named(five):
    of = evidence(five, "conll")
    named = compare.documents_behind(of)
    assert (named["influence"] * of.row["difference"] > 0).all()
    for name, without in zip(named["document"], named["without"], strict=True):
        assert f"{name} ({signed(without)} without it)" in compare.lines(of)[WHY]


def test_a_difference_that_is_rounded_away_is_told_by_its_bound_and_whom_it_favours():
    """A lacks one of 12,000 links of the key, B two: apart by 0.004 points of MUC F1."""
    key = [[frozenset({at, at + 1}) for at in range(0, 4000, 2)] for _ in range(6)]
    of_a = [key[0], key[1][1:], *key[2:]]
    a, b = results(key, of_a, [key[0][1:], *of_a[1:]], metrics=["muc"])
    gap = 2 * 11_999 / (12_000 + 11_999) - 2 * 11_998 / (12_000 + 11_998)
    assert a["muc"].f1 - b["muc"].f1 == pytest.approx(gap)
    assert 0 < 100 * gap < 0.005
    of = evidence(a.compare(b, trials=50), "muc")
    how_large = compare.lines(of)[HOW_LARGE]
    assert how_large.startswith("B − A is less than 0.01 points of MUC F1, in favour of A (")
    assert "of less than 0.01 points is not significant" in compare.conclusion(of, TITLES)


@pytest.mark.slow
def test_a_document_is_named_only_where_its_absence_is_seen():
    """A lacks half of the links of each document, and of d0 one more: 0.004 points of MUC F1."""
    key = [[frozenset({at, at + 1}) for at in range(0, 12_000, 2)] for _ in range(4)]
    a, b = results(key, [key[0][3001:], *(of[3000:] for of in key[1:])], key, metrics=["muc"])
    of = evidence(a.compare(b, trials=50), "muc")
    (influence,) = of.influence["influence"][of.influence["influence"] > 1e-9]
    assert influence < 0.00005
    assert compare.documents_behind(of).empty
    assert "rests most on" not in compare.lines(of)[WHY]


def test_equal_systems_leave_nothing_to_explain():
    key = partitions(6, seed=1)
    a, b = results(key, key, key)
    of = evidence(a.compare(b, trials=50), "conll")
    assert compare.lines(of)[WHY] == "There is no difference to explain."
    assert "points is not significant (p = 1.000)" in compare.conclusion(of, TITLES)


def test_what_turns_the_difference_round_is_named():
    of = evidence(pair_of(5, better=0.2), "conll")
    said, table = compare.lines(of)[HOLDS], of.held.table
    turned = table[table["outcome"] == "reversed"]
    assert len(turned) == of.held.count("reversed") > 0
    for name in turned.loc[turned["kind"] == "document", "condition"]:
        assert f"without {name}" in said
    distinct = of.held.distinct["outcome"].tolist()
    assert f"under {distinct.count('kept')} of {len(distinct)} " in said
    assert f"({len(of.held.table) - len(distinct)} others " in said


def test_conditions_that_repeat_scores_are_counted_once():
    """Without singletons and repeats most scorers print the scores that are there."""
    key = [[frozenset((0, 1)), frozenset((2, 3)), frozenset((4, 5, 6))] for _ in range(6)]
    a, b = results(key, damaged(key, 0.2, seed=2), damaged(key, 0.6, seed=3))
    of = held(a, b, "ceafe")
    rows = of.table[of.table["outcome"] != "none"]
    pairs = {(row.metric, round(row.a, 12), round(row.b, 12)) for row in rows.itertuples()}
    pairs.discard(("ceafe", round(a["ceafe"].f1, 12), round(b["ceafe"].f1, 12)))
    assert len(of.distinct) == len(pairs) < len(rows)


def test_given_mentions_decide_that_nothing_can_be_concluded():
    key = partitions(24, seed=1)
    alone = [[frozenset({m}) for entity in of for m in entity] for of in key]
    a, b = results(key, damaged(key, 0.5, seed=3), alone)
    of = evidence(a.compare(b, trials=50), "conll")
    assert "were the key’s mentions given to B?" in compare.lines(of)[COMPARABLE]
    assert compare.conclusion(of, TITLES).startswith("You cannot conclude that A (one) or B")


def test_unlike_systems_decide_nothing_as_long_as_a_policy_would_make_them_alike():
    key = partitions(24, seed=1)
    linked = [[entity for entity in of if len(entity) > 1] for of in damaged(key, 0.5, seed=3)]
    kept, dropped = (
        results(key, key, linked, singletons=singletons) for singletons in ("keep", "drop")
    )
    of = evidence(kept[0].compare(kept[1], trials=50), "conll")
    assert of.is_significant
    said = compare.conclusion(of, TITLES)
    assert said.startswith("You cannot conclude")
    assert "singletons" in {finding.kind for finding in of.findings}
    of = evidence(dropped[0].compare(dropped[1], trials=50), "conll")
    assert "singletons" not in {finding.kind for finding in of.findings}


def test_the_paragraph_names_data_test_and_policies(far):
    of = evidence(far, "conll")
    said = compare.paragraph(of, {"A": "one", "B": "two"}, far.a.policies)
    assert said.startswith("We compare one (A) and two (B) on 24 documents.")
    assert "approximate randomisation over the 24 documents (Noreen, 1989), with 500 ran" in said
    assert said.endswith(
        "Mentions match exactly; singletons are included; a document missing from the response "
        "counts as empty; counts are summed over documents and divided once."
    )


def test_only_the_user_can_say_that_the_metric_was_chosen_beforehand(far):
    of, names = evidence(far, "conll"), {"A": "one", "B": "two"}
    silent, told = (
        compare.paragraph(of, names, far.a.policies, beforehand=said) for said in (False, True)
    )
    assert "the primary metric, A scores" in silent
    assert "the primary metric, chosen beforehand, A scores" in told
    assert "beforehand" not in silent


def test_the_table_for_a_paper_has_a_row_for_each_metric(far):
    text = paper_table(far, "f1", NAMES).text(far.signature, format="latex")
    lea = far.significance.query("metric == 'lea' and measure == 'f1'").iloc[0]
    row = next(line for line in text.splitlines() if line.startswith("LEA"))
    assert percent(lea["a"]) in row
    assert percent(lea["b"]) in row
    assert r"\begin{tabular}" in text
    assert "500 trials" in text


def test_the_table_for_a_paper_has_intervals_only_where_there_are_any(five, far):
    few, many = (paper_table(of, "f1", NAMES) for of in (five, far))
    assert [*few.header] == ["", "one", "two", "difference", "p"]
    assert [*many.header] == ["", "one", "two", "difference", "95% interval", "p"]
    assert "(two − one)" in many.notes[0]
    for table in (few, many):
        assert {len(row) for row in table.rows} == {len(table.header)}


def test_the_notes_of_a_table_for_a_paper_explain_only_what_it_has(far):
    """It has no stars, and the interval of the CoNLL average is not one of the simultaneous six."""
    tested = paper_table(far, "f1", NAMES).notes[1]
    assert "✱" not in tested
    assert not tested.startswith("p below")
    assert "the CoNLL average, a mean of three of them, is not" in tested
    assert "Other rows have individual intervals" in tested
    single = paper_table(far, "f1", NAMES, intervals="single")
    row = far.significance.query("metric == 'lea' and measure == 'f1'").iloc[0]
    cells = next(cells for cells in single.rows if cells[0] == "LEA")
    assert cells[4] == interval(row["bca_low"], row["bca_high"])
    assert "simultaneous: all" not in single.notes[1]


def test_p_is_typeset_in_latex():
    assert latex_prose("p < 0.001, p = 0.03 and p-values of map") == (
        "$p < 0.001$, $p = 0.03$ and $p$-values of map"
    )


def test_a_tally_has_no_errors_to_tell():
    pair = pair_of(5)
    of = evidence(pair.a.tally.compare(pair.b.tally, trials=50), "conll")
    assert of.errors is None
    assert "Compared with A" not in compare.lines(of)[WHY]
