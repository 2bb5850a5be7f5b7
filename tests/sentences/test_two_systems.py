"""Sentences about two systems."""

import math
import re
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pandas as pd
import pytest

from corescore.analysis.systems.pair import Pair, evidence, held, influence
from corescore.analysis.systems.runs import PairOverRuns
from corescore.metrics import METRIC_IDS
from corescore.plots.compare import dumbbells
from corescore.rendering.compared import paper_table
from corescore.rendering.text import latex_prose
from corescore.scoring.tables import difference_table as ratio_differences
from corescore.sentences import compare
from corescore.sentences import runs as sentences
from corescore.sentences.compare import CAN_TELL, COMPARABLE, HOLDS, HOW_LARGE, QUESTIONS, WHY
from corescore.wording import interval, p_equals, p_value, percent, signed
from tests.support.letters import sets
from tests.support.samples import damaged, partitions, results

# Whether one of two systems is better, argued: sentences against numbers computed -----------------

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


@pytest.mark.parametrize("n", [1, 24])
def test_identical_responses_are_called_identical_and_nothing_else_is_claimed(n):
    key = partitions(n, seed=1)
    same = damaged(key, 0.3, seed=2)
    pair = Pair(*results(key, same, [[*reversed(entities)] for entities in same]), trials=50)
    of = evidence(pair, "lea")
    said = compare.conclusion(of, TITLES)
    assert said.startswith("A (one) and B (two) are identical: the same mentions in the same ")
    assert compare.lines(of)[HOLDS] == compare.IDENTICAL
    assert compare.facts(of)[HOLDS] == "Identical"
    assert "We cannot conclude" not in compare.paragraph(of, NAMES, pair.a)
    table = pair.significance.query("measure == 'f1'").set_index("metric")
    nothing = "With a single document it" if n == 1 else "There is no difference to test."
    assert compare.significance(table).startswith(nothing)


def test_a_difference_is_of_unrounded_scores_wherever_it_is_shown(far, near):
    looks_off = []
    for pair in (far, near):
        written = paper_table(pair, "f1", NAMES).text("latex"), pair._repr_html_()
        apart = ratio_differences(pair.a, pair.b)["f1"]
        for row in pair.significance.query("measure == 'f1'").itertuples():
            if row.metric in (*METRIC_IDS, "conll"):
                shown = signed(row.b - row.a)
                if shown != signed(float(percent(row.b)) / 100 - float(percent(row.a)) / 100):
                    looks_off.append((pair, row.metric, shown))
                assert all(shown.lstrip("+−") in text for text in written)
                assert signed(apart[row.metric]) == shown
    pair, metric, shown = looks_off[0]
    of = evidence(pair, metric)
    assert compare.facts(of)[HOW_LARGE].startswith(f"{shown} points")
    assert f"B − A is {shown} points" in compare.lines(of)[HOW_LARGE]
    assert compare.UNROUNDED in compare.how_tested(far.randomisation)


def test_a_tie_of_different_responses_is_no_direction_that_holds():
    # {a b c d} and {e f}: LEA of {a b c}{e f} and of {b c d}{e f} is the same, and so are all
    # others, in each document; only one is damaged otherwise
    key = [sets("abcd ef")] * 2
    pair = Pair(*results(key, [sets("abc ef")] * 2, [sets("bcd ef")] * 2), trials=50)
    of = evidence(pair, "lea")
    assert not of.is_identical
    said = compare.conclusion(of, TITLES)
    assert said.startswith("You cannot conclude which is better, A (one) or B (two), by LEA F1.")
    assert "direction" not in compare.holds(of.held)
    assert compare.holds(of.held).startswith("There is no difference here, nor under all ")


def test_a_tie_by_one_metric_alone_names_those_under_which_it_is_none():
    # MUC: 4 of 6 links both times; {a b c}{d e f} keeps larger parts than {a b}{c d}{e f}
    key = [sets("abcd efgh")] * 2
    pair = Pair(*results(key, [sets("abc efg")] * 2, [sets("abcd ef g h")] * 2), trials=50)
    held = evidence(pair, "muc").held
    assert abs(held.difference) < 1e-9
    said = compare.holds(held)
    assert said.startswith("There is no difference here, nor under ")
    assert "; there is one under " in said
    assert "tie" not in said


def test_a_difference_is_told_with_its_size_and_p_and_decides_nothing_if_not_significant(far, near):
    of = evidence(far, "conll")
    assert tuple(compare.lines(of)) == QUESTIONS
    gap = far.b["conll"].f1 - far.a["conll"].f1
    said = compare.conclusion(of, TITLES)
    assert said.startswith(f"A (one) is better by {percent(-gap)} points of CoNLL")
    assert p_value(of.p) in said
    assert of.interval[1] < 0
    of = evidence(near, "lea")
    assert of.p >= 0.05
    assert of.interval[0] <= 0 <= of.interval[1]
    said = compare.conclusion(of, TITLES)
    assert said.startswith("You cannot conclude which is better, A (one) or B (two), by LEA F1.")
    assert said.endswith("That does not make them equally good.")


def test_what_the_documents_show_is_told_with_the_smallest_p_and_the_difference_found(far):
    """The smallest p of 500 drawn exchanges is 1 / 501; `test_power` simulates the difference."""
    found = percent(far.detectable("conll").difference)
    assert compare.lines(evidence(far, "conll"))[CAN_TELL] == (
        "24 documents: p cannot be below 0.002. The test would detect a true difference of "
        f"{found} points of CoNLL with 80% power. Smaller ones are missed more often."
    )


def test_the_size_is_told_as_each_document_scored_by_itself_has_it(five):
    of_documents = zip(*(of.document_scores["lea"].f1 for of in (five.a, five.b)), strict=True)
    gaps = [b - a for a, b in of_documents]
    of = evidence(five, "lea")
    standardised = f"{mean(gaps) / stdev(gaps):+.2f}".replace("-", "−")
    assert compare.lines(of)[HOW_LARGE] == (
        f"B − A is {signed(five.b['lea'].f1 - five.a['lea'].f1)} points of LEA F1 "
        f"(p = {p_value(of.p)}, not significant). Documents won: A {sum(g < 0 for g in gaps)}, "
        f"B {sum(g > 0 for g in gaps)}; standardised difference {standardised} (mean "
        "divided by standard deviation over documents)."
    )
    assert re.match(r"No\. 5 documents: .* 0\.0625\b", compare.lines(of)[CAN_TELL])
    assert "no difference can" in compare.conclusion(of, TITLES)
    # Only documents that favour the difference are named, with what it is without them
    whole = five.b["lea"].f1 - five.a["lea"].f1
    behind = compare.documents_behind(of)
    of_each = influence(five.a, five.b, "lea")["influence"]
    assert (of_each * whole).is_monotonic_decreasing
    assert of_each.nunique() == 5
    for name, without in behind[["document", "without"]].values.tolist():
        kept = np.array([at for at, one in enumerate(five.a.documents) if one != name])
        rest = [of_one.rows(kept)["lea"].f1 for of_one in (five.a, five.b)]
        assert without == pytest.approx(rest[1] - rest[0])
        assert (whole - without) * whole > 0
        assert f"{name} ({signed(without)} without it)" in compare.lines(of)[WHY]
    tally = evidence(five.a.tally.compare(five.b.tally, trials=50), "conll")
    assert tally.errors is None
    assert "Compared with A" not in compare.lines(tally)[WHY]


def test_the_kinds_of_errors_that_b_makes_more_of_are_those_that_were_made():
    """B is the key without an entity in three documents, and with two merged in two others."""
    key = [sets("ab cd efg")] * 8
    b = [sets("cd efg")] * 3 + [sets("abcd efg")] * 2 + key[5:]
    said = compare.lines(evidence(Pair(*results(key, key, b), trials=50), "conll"))[WHY]
    assert said.startswith(
        "Compared with A, B makes 3 more missing entities and 2 more conflated entities "
        "(errors; one can affect several mentions). "
    )


def test_an_interval_is_spoken_of_only_where_there_is_one(five, far):
    for pair, speaks in ((five, False), (far, True)):
        of = evidence(pair, "conll")
        paragraph = compare.paragraph(of, NAMES, pair.a)
        for said in (paragraph, compare.how_size_is_told(of)):
            assert ("interval contains every difference" in said) == speaks
            assert ("interval" in said) == speaks
        assert ("with all 32 exchanges. " in paragraph) != speaks
        table = paper_table(pair, "f1", NAMES)
        heads = ["metric", "one", "two", "difference", *["95% interval"] * speaks, "p"]
        assert table.heads == heads
        assert {len(row) for row in table.rows()} == {len(heads)}
        assert "(two − one)" in table.notes[0]


def test_a_single_document_is_not_tested():
    of = evidence(pair_of(1), "conll")
    assert math.isnan(of.p)
    assert compare.lines(of)[CAN_TELL].startswith("No. With 1 document")
    assert "cannot be tested" in compare.lines(of)[HOW_LARGE]
    said = compare.conclusion(of, TITLES)
    assert said.startswith("You cannot conclude")
    assert said.endswith("from a single document.")


def test_a_difference_that_is_rounded_away_is_told_by_its_bound_and_whom_it_favours(near):
    of = evidence(near, "lea")
    of = replace(of, row=pd.Series({**of.row, "difference": -0.00004}))
    how_large = compare.lines(of)[HOW_LARGE]
    assert how_large.startswith("B − A is less than 0.01 points of LEA F1, in favour of A (")
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
    key = [sets("ab cd efg")] * 6
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
    said = compare.paragraph(of, NAMES, far.a)
    assert said.startswith("We compare one (A) and two (B) on 24 documents.")
    assert "approximate randomisation over the 24 documents (Noreen, 1989), with 500 ran" in said
    assert said.endswith(
        "Mentions match exactly; singletons are included; a document missing from the response "
        "counts as empty; counts are summed over documents and divided once."
    )
    assert "the primary metric, A scores" in said
    assert "beforehand" not in said  # which only the user can say
    told = compare.paragraph(of, NAMES, far.a, beforehand=True)
    assert "the primary metric, chosen beforehand, A scores" in told


def test_the_notes_of_a_table_for_a_paper_explain_only_what_it_has(far):
    """It has no stars, and the interval of CoNLL is not one of the simultaneous six."""
    table = paper_table(far, "f1", NAMES)
    tested = table.notes[1]
    assert "✱" not in tested
    assert not tested.startswith("p below")
    assert "CoNLL, a mean of three of them, is not" in tested
    assert "Other rows have individual intervals" in tested
    single = paper_table(far, "f1", NAMES, intervals="single")
    row = far.significance.query("metric == 'lea' and measure == 'f1'").iloc[0]
    cells = next(cells for cells in single.rows() if cells[0] == "LEA")
    assert cells[4] == interval(row["bca_low"], row["bca_high"])
    assert "simultaneous: all" not in single.notes[1]
    text = table.text("latex")
    of_lea = next(line for line in text.splitlines() if line.startswith("LEA"))
    assert percent(row["a"]) in of_lea
    assert percent(row["b"]) in of_lea
    assert r"\begin{tabular}" in text
    assert "500 trials" in text
    assert latex_prose("p < 0.001, p = 0.03 and p-values of map") == (
        "$p < 0.001$, $p = 0.03$ and $p$-values of map"
    )


# Two systems in sentences: who is ahead, and what chance makes of it ------------------------------

KEY = partitions(24, seed=1)


def of_f1(winner, p_max):
    index = pd.Index(METRIC_IDS, name="metric")
    return pd.DataFrame({"winner": winner, "p": p_max, "p_max": p_max}, index=index)


def test_the_headline_names_the_leader_and_who_is_ahead_elsewhere():
    table = of_f1(["B", "B", "tie", "B", "B", "A"], [1.0] * 6)
    assert compare.ahead(table, TITLES, "f1") == (
        "B (two) is ahead under four of the six, A (one) under LEA, they tie under CEAFₘ."
    )
    everywhere = compare.ahead(of_f1(["A"] * 6, [1.0] * 6), TITLES, "recall")
    assert everywhere == "A (one) is ahead in recall under all six."
    nowhere = compare.ahead(of_f1(["tie"] * 6, [1.0] * 6), TITLES, "precision")
    assert nowhere == "All six give A (one) and B (two) the same precision."


@pytest.mark.parametrize(
    "p_max, said",
    [
        ([0.0004] * 5 + [0.049], "Under all six .* the largest is p = 0.049"),
        ([0.06] * 6, "Under none of the six .* the smallest is p = 0.060"),
        (
            [0.003, 0.01, 0.02, 0.2, 0.02, 0.02],
            "Under MUC, .* the largest is p = 0.020.; under CEAFₑ",
        ),
        ([0.003, 0.01, 0.2, 0.2, 0.2, 0.2], "Under MUC and B³ .* p = 0.003 and p = 0.010"),
    ],
    ids=["all", "none", "most", "some"],
)
def test_the_headline_says_which_differences_are_larger_than_chance(p_max, said):
    assert re.search(said, compare.significance(of_f1(["B"] * 6, p_max)))


def test_a_metric_outside_the_six_is_judged_by_its_own_p():
    row = pd.Series({"p": 0.01, "p_max": math.nan})
    assert compare.verdict(row) == "p < 0.05"
    assert compare.verdict(pd.Series({"p": 0.01, "p_max": 0.06})) == "not significant"


def test_the_sentence_on_chance_counts_the_trials_behind_p(far):
    said = compare.randomisation(far.randomisation, "ceafe", "f1")
    n, p = re.search(r"In ([\d,]+|none) of 500 random .* = (0\.\d+|< 0\.001)", said).groups()
    at = far.randomisation.metrics.index("ceafe")
    observed = abs(far.randomisation.difference[at, 2])
    expected = int((abs(far.randomised("ceafe")) >= observed - 1e-12).sum())
    assert n == ("none" if not expected else str(expected))
    assert float(p) == pytest.approx((expected + 1) / 501, abs=5e-4)


# What is said of two systems with several runs each, and what cannot be concluded -----------------


def runs(shares, n=24, *, seed=10):
    """A run for each share of damaged mentions."""
    key = KEY[:n]
    return results(key, *(damaged(key, share, seed=seed + at) for at, share in enumerate(shares)))


def concluded(a, b):
    return sentences.conclusion(PairOverRuns(a, b, trials=400), "lea", "f1", TITLES)


def test_a_difference_far_beyond_that_of_runs_is_told_with_its_mean():
    better, worse = runs([0.1] * 5), runs([0.7] * 5, seed=30)
    pair = PairOverRuns(worse, better, trials=400)
    said = sentences.conclusion(pair, "lea", "f1", TITLES)
    points = 100 * abs(sentences.row_of(pair, "lea", "f1")["difference"])
    assert said.startswith(
        f"B (two) is better by {points:.2f} points of LEA F1 over runs (p = 0.00"
    )
    assert "But" not in said


def test_systems_whose_runs_overlap_cannot_be_told_apart():
    said = concluded(runs([0.3, 0.5, 0.4]), runs([0.5, 0.3, 0.4], seed=40))
    assert said.startswith("You cannot conclude")
    assert " A (one) or B (two), by LEA F1." in said
    assert said.endswith("equally good.")


def test_systems_with_the_same_runs_are_called_identical_and_nothing_else_is_claimed():
    one, other = runs([0.3, 0.5])
    pair = PairOverRuns([one, other], [other, one], trials=50)
    said = sentences.conclusion(pair, "lea", "f1", TITLES)
    assert said.startswith("The runs of A (one) and B (two) are identical: the same mentions in ")
    assert sentences.lines(pair, "lea", "f1")[HOLDS] == compare.IDENTICAL
    paragraph = sentences.paragraph(pair, "lea", "f1", NAMES)
    assert not {"cannot conclude", "ahead by"} & {
        *re.findall("cannot conclude|ahead by", paragraph)
    }
    assert PairOverRuns([one], [one] * 3).is_identical
    assert not PairOverRuns([one, other], [one, other, other]).is_identical


def test_runs_that_tie_have_no_direction_that_holds():
    a, b = results([sets("abcd ef")] * 2, [sets("abc ef")] * 2, [sets("bcd ef")] * 2)
    pair = PairOverRuns([a], [b], trials=50)
    assert sentences.conclusion(pair, "lea", "f1", TITLES).startswith("You cannot conclude")
    held = sentences.holds(pair, "lea", "f1")
    assert held.endswith("There is no difference here, nor under all of 6 other metrics.")


@pytest.mark.parametrize(
    "n_a, n_b, but",
    [
        (1, 3, "But A (one) has one run: others may score differently."),
        (3, 3, "But with few runs"),
        (4, 4, ""),
    ],
)
def test_few_runs_weaken_what_is_concluded(n_a, n_b, but):
    said = concluded(runs([0.7] * n_a), runs([0.1] * n_b, seed=50))
    assert "B (two) is better" in said
    assert but in said
    assert ("But" in said) == bool(but)


@pytest.mark.parametrize("n, p_of_runs", [(3, "0.100"), (5, "")])
def test_a_paper_quotes_no_p_that_the_few_runs_cannot_bear(n, p_of_runs):
    """Three runs and three: exchanging them gives 2 of 20, whatever the documents give."""
    pair = PairOverRuns(runs([0.7] * n), runs([0.1] * n, seed=50), trials=2000)
    row = sentences.row_of(pair, "lea", "f1")
    assert row["p"] < 0.01
    said = sentences.paragraph(pair, "lea", "f1", {"A": "one", "B": "two"})
    quoted = re.findall(r"p [=<] [\d.]*\d", said)
    if p_of_runs:
        assert quoted == [f"p = {p_of_runs}"] * 2
    else:
        assert quoted == [p_equals(row["p"])] * 2


@pytest.mark.parametrize("n, told", [(1, "nothing can be tested"), (3, "be below 0.25")])
def test_few_documents_show_nothing_however_many_runs_there_are(n, told):
    key = KEY[:n]
    apart = [[{mention} for entity in side for mention in entity] for side in key]
    pair = PairOverRuns(results(key, *[apart] * 4), results(key, *[key] * 4), trials=100)
    assert sentences.can_tell(pair).startswith("No. ")
    assert told in sentences.can_tell(pair)
    conclusion = sentences.conclusion(pair, "lea", "f1", TITLES)
    assert conclusion.startswith("You cannot conclude")


def test_the_questions_are_those_of_two_responses():
    pair = PairOverRuns(runs([0.2, 0.3]), runs([0.3], seed=60), trials=100)
    told = sentences.lines(pair, "conll", "f1")
    assert list(told) == list(QUESTIONS[:4])
    assert "in 2 pairs" not in told["How large?"]
    assert "of 2 pairs of a run of A and one of B" in told["How large?"]
    assert "How far runs of B vary cannot be estimated from one run" in told[CAN_TELL]


# What is said of two responses where there are too few documents to tell --------------------------


def test_a_single_document_has_no_test_and_no_count_of_documents():
    row = pair_of(1).significance.query("measure == 'f1'").iloc[0]
    said = compare.sign_test("lea", row)
    assert said == "A sign test over documents needs more than a single one."
    same, unlike = (compare.disagreement("lea", "conll", n, 1) for n in (0, 1))
    assert same == "LEA and CoNLL name the same winner."
    assert unlike == "LEA and CoNLL name different winners."
    winner = pd.Categorical(["B"], ["A", "B", "tie"])
    table = pd.DataFrame({"document": ["d"], "winner": winner, "difference": [0.1]})
    assert compare.documents("lea", table) == "LEA puts B first. B leads on d by 10.00 points."
    tie = table.assign(winner=pd.Categorical(["tie"], ["A", "B", "tie"]), difference=0.0)
    assert compare.documents("lea", tie) == "LEA scores A and B alike."


def test_intervals_are_told_of_and_drawn_only_where_there_are_any(five):
    one, eight = pair_of(1), pair_of(8)
    few, more = (compare.how_to_read(of.randomisation) for of in (five, eight))
    assert compare.NO_INTERVALS in few
    assert "hold together" not in few
    assert "all six hold together" in more
    assert compare.about_intervals(one.randomisation, "single") == compare.NONE_OF_ONE
    single = compare.how_tested(five.randomisation, "single")
    assert compare.INTERVALS_ARE["single"] in single
    for pair in (one, five, eight):
        table = pair.significance.query("measure == 'f1'").set_index("metric")
        notes = [note.text for note in dumbbells(table, "f1").layout.annotations]
        assert ("B − A in points" in notes) == (pair is not eight)
        assert ("B − A in points, 95% interval" in notes) == (pair is eight)
