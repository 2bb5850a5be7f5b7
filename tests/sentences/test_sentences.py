"""Sentences about one system, many, and the extremes of something."""

from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, score
from corescore.analysis.credit import alignment_table
from corescore.analysis.errors import classes as status
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import BOTH_CORRECT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.systems.data_sets import DataSets, Repeated
from corescore.analysis.systems.many import groups
from corescore.analysis.systems.many import ranking as rank
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, metric_of
from corescore.plots.errors import aligned_first
from corescore.rendering.papers import held
from corescore.replication.experiment import Check, Claim
from corescore.sentences import compare, credit, errors, many, scores
from corescore.sentences.credit import alignment_part
from corescore.sentences.many import LONGEST, common_beginning, told_apart
from corescore.sentences.scorers import documents_moved
from corescore.wording import incorrectly_resolved, key_singletons, share
from tests.support.letters import lettered, scored
from tests.support.samples import damaged_results

# Sentences about the smallest and the greatest of something: with ties, of one, of none -----------


WHOLE, PART = "a c e", "a c"


def corpus(*of_documents):
    of = (lettered(text, name=f"d{n}") for n, text in enumerate(of_documents, 1))
    return Corpus(tuple(document for (document,) in of))


def test_metrics_that_tie_for_lowest_or_highest_are_all_named():
    assert scores.disagreement("X", scored(WHOLE, WHOLE)) == ("All six give X the same F1: 100.00.")
    assert scores.disagreement("X", scored(WHOLE, PART)) == (
        "BLANC and LEA put X lowest, at 50.00; CEAFₘ and CEAFₑ highest, at 80.00: "
        "30.00 points apart, for the same response."
    )
    assert scores.least({}) == scores.greatest({"none": nan}) == []


@pytest.mark.parametrize(
    "key, response, said",
    [
        ([WHOLE], [PART], "X has MUC 66.67 on d1."),
        ([WHOLE, WHOLE], [PART, PART], "X has MUC 66.67 on each of 2 documents."),
        (
            [WHOLE] * 4,
            [WHOLE, PART, PART, PART],
            "X is weakest on d2 and 2 other documents (MUC 66.67) and best on d1 (100.00).",
        ),
        (
            [WHOLE, ""],
            [PART, ""],
            "X has MUC 66.67 on d1, the only document with anything to score.",
        ),
        ([""], [""], "No document has anything to score under MUC."),
    ],
)
def test_a_document_is_not_both_the_weakest_and_the_best(key, response, said):
    result = score(corpus(*key), corpus(*response))
    assert scores.weakest_document("X", result, "muc") == said


def test_metrics_that_prefer_neither_of_two_responses_are_said_to():
    told = scores.preferences(("A", "B"), scored(WHOLE, "a c e | b"), scored(WHOLE, WHOLE))
    assert told == (
        "B³, CEAFₘ, CEAFₑ and LEA put B first, by anything from 14.29 points "
        "(B³, CEAFₘ and LEA) to 33.33 (CEAFₑ). The other metrics give both the same F1."
    )


def gains(**points):
    column = [points.get(kind, 0.0) for kind in KINDS]
    rows = {metric: [*column, sum(column)] for metric in (*METRIC_IDS, "conll")}
    return pd.DataFrame(rows, index=[*KINDS, "all"])


def test_kinds_of_errors_that_gain_the_same_are_all_named():
    one, two = KINDS[1], KINDS[2]
    first = errors.largest_gain("X", gains(**{one: 0.02}))
    assert first == (
        f"Fixing {errors.NAMES[one]} alone would help X most: +2.00 CoNLL points. "
        "Each of the six gains as much: +2.00."
    )
    tied = gains(**{one: 0.02, two: 0.02})
    both = f"{errors.NAMES[one]} or {errors.NAMES[two]}"
    assert errors.largest_gain("X", tied) == (
        f"Fixing {both} alone would help X most: +2.00 CoNLL points each."
    )
    assert errors.largest_gain_of_other("Y", gains(**{one: 0.02}), tied) == (
        f"For Y it is {both} (+2.00 each)."
    )
    assert "change no score" in errors.largest_gain("X", gains())


def test_slices_that_earn_the_same_are_neither_least_nor_most():
    def told(**shares):
        return errors.weakest_slice("X", "recall", pd.DataFrame({"lea": pd.Series(shares)}))

    assert told(pronoun=0.5) == "X has fewer than two slices to compare."
    for other in (0.5, 0.509):
        assert told(pronoun=0.5, proper=other) == (
            "Of the recall to be earned, LEA gives X about 50.00% for each slice."
        )
    assert told(pronoun=0.5, proper=0.5, other=0.75) == (
        "Of the recall to be earned, LEA gives X least for “pronoun” and “proper” (50.00%) and "
        "most for “other” (75.00%)."
    )


def depth(*lost, **more):
    rows = {"entity": range(1, len(lost) + 1), "title": "Mia", "mention": None, "lost": lost}
    table = pd.DataFrame(rows).assign(running=0.5)
    return credit.depth("d1", "lea", "recall", "entity", table, **more)


@pytest.mark.parametrize(
    "lost, end",
    [
        ((0.0,), ": nothing is lost."),
        ((0.0051, 0.0), "; the only loss, 0.51 points, is at entity 1 (“Mia”)."),
        ((0.0051, 0.002), "; the greatest loss, 0.51 points, is at entity 1 (“Mia”)."),
        (
            (0.00511, 0.0051, 0.0051, 0.002),
            "; the greatest loss, 0.51 points, is at entity 1 (“Mia”), and just as much at 2 "
            "others.",
        ),
        ((1e-6, 1e-6), "; none of 2 losses is as great as 0.01 points."),
    ],
)
def test_the_greatest_loss_says_where_as_much_is_lost(lost, end):
    assert depth(*lost, apart="split antecedents") == (
        f"LEA recall of d1, split antecedents left out, is 50.00%{end}"
    )


@pytest.mark.parametrize(
    "losses, said",
    [
        (
            (0.0051, 0.0051, 0.0051, 0.001),
            ". The worst costs 0.51 points of LEA F1 over the corpus, as do 2 more: ",
        ),
        ((0.0051, 0.001), ". The worst costs 0.51 points"),
        ((0.0051, 0.0), ". The only one with a loss costs 0.51 points"),
        ((0.0,), "loses nothing under LEA."),
        ((), "neither side has an entity."),
    ],
)
def test_overlaps_that_cost_as_much_as_the_worst_are_counted(losses, said):
    columns = ("key_entities", "response_entities", "shared_mentions", "split", "merged")
    table = pd.DataFrame(dict.fromkeys(columns, 1) | {"loss": losses})
    assert said in errors.losses("d1", "X", "lea", table)


def correlations(**tau):
    table = pd.DataFrame(1.0, index=["muc", "bcub", "lea"], columns=["muc", "bcub", "lea"])
    for pair, value in tau.items():
        one, other = pair.split("_")
        table.loc[one, other] = table.loc[other, one] = value
    return many.correlation(table, "3 responses")


def test_pairs_of_metrics_that_agree_as_much_are_counted():
    assert correlations(muc_bcub=0.5, muc_lea=0.5, bcub_lea=0.5) == (
        "Over 3 responses, MUC and B³ agree as much as any other pair (τ = 0.50)."
    )
    assert correlations(muc_bcub=0.9, muc_lea=0.5, bcub_lea=0.5) == (
        "Over 3 responses, MUC and B³ agree most (τ = 0.90), "
        "MUC and LEA (and 1 other pair of metrics) least (0.50)."
    )


@pytest.mark.parametrize(
    "low, high, begin, end",
    [
        (
            *((1, 1, 1), (3, 3, 2)),
            "By LEA, none of the 3 responses keeps its rank",
            "r1 moves most, from 1st to 3rd, and 1 other moves as far.",
        ),
        ((1, 2, 2), (1, 3, 3), "By LEA, 1 of the 3 responses keeps its rank", ""),
        ((1, 2, 3), (1, 2, 3), "By LEA, all of the 3 responses keep their rank", ""),
    ],
)
def test_how_many_responses_keep_their_rank(low, high, begin, end):
    table = pd.DataFrame({"response": ["r1", "r2", "r3"], "low": low, "high": high})
    said = many.spread(table, "lea")
    assert said.split(" in at least 95%")[0] == begin
    assert said.endswith(end)


def test_the_most_opposed_metrics_say_how_many_others_are_as_opposed():
    counts = pd.DataFrame(2, index=["muc", "bcub", "lea"], columns=["muc", "bcub", "lea"])
    assert compare.most_opposed(counts, 5) == (
        "MUC and B³ name different winners most often: on 2 of 5 documents, "
        "as do 2 other pairs of metrics."
    )
    counts.loc["bcub", "lea"] = counts.loc["lea", "bcub"] = 1
    assert compare.most_opposed(counts, 5).endswith(", as does 1 other pair of metrics.")
    assert compare.most_opposed(counts * 0, 5).startswith("No two metrics")


def test_the_documents_where_a_response_leads_by_most_are_counted():
    difference = [-0.1, 0.2, 0.2, 0.2]
    winner = pd.Categorical(["A", "B", "B", "B"], ["A", "tie", "B"])
    documents = ["d1", "d2", "d3", "d4"]
    table = pd.DataFrame({"document": documents, "difference": difference, "winner": winner})
    assert compare.documents("lea", table) == (
        "LEA puts B first on 3 of 4 documents, A on 1. "
        "B leads by most on d2 and 2 other documents (20.00 points). "
        "A leads on d1 by 10.00 points."
    )


def test_kinds_of_errors_that_differ_as_much_are_all_named():
    def told(**difference):
        return compare.errors(pd.DataFrame({"difference": pd.Series(difference)}))

    assert told(divided=2, missing=2, extra=-1) == (
        "Compared with A, B makes 1 fewer of the kind “extra” and "
        "2 more of each of the kinds “divided” and “missing”."
    )
    assert told(divided=0) == "Both make the same number of errors of each kind."


@pytest.mark.parametrize(
    "differences, said",
    [
        ((0.1, -0.1, 0.05), "3 documents, most d1 (+10.00), 1 other as much"),
        ((0.1, 0.05), "2 documents, most d1 (+10.00)"),
        ((0.1,), "1 document, d1 (+10.00)"),
        ((), "no document"),
    ],
)
def test_documents_that_a_step_moves_as_much_are_counted(differences, said):
    rows = [(f"d{n}", value) for n, value in enumerate(differences, 1)]
    assert documents_moved(pd.DataFrame(rows, columns=["document", "difference"])) == said


# How many claims hold -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "holds, said",
    [
        ((), ""),
        ((True,), "1 of 1 observation holds here"),
        ((True, False), "1 of 2 observations holds here"),
        ((True, True, False, None), "2 of 4 observations hold here, 1 cannot be checked"),
        ((False, None), "0 of 2 observations hold here, 1 cannot be checked"),
    ],
)
def test_claims_that_hold_are_counted(holds, said):
    claim = Claim("", "", lambda _: Check(True, ""))
    assert held([(claim, Check(one, "")) for one in holds]) == said


# Many systems in sentences: who is first, and who can be told apart -------------------------------


@pytest.fixture
def results():
    return damaged_results()


def test_the_sentences_say_who_is_first_and_where_metrics_part(results):
    found = rank(results, trials=200)
    said = many.first(found.table, found, "lea")
    first = share(found.table.query("metric == 'lea'")["first"].max())
    assert said.startswith("Of 4 responses, r1 is first by all six")
    assert said.endswith(f"by LEA in {first} of 200 resamples.")
    n = found.opposed.loc["lea", "conll"]
    but = f"all but {n} of" if n else "all"
    assert many.agreement(found).startswith(f"LEA and CoNLL rank {but} 6 pairs the same way")
    # All that are first most often are named, and equal ones are first together
    found = rank({"one": results["r1"], "other": results["r1"], "third": results["r4"]}, trials=20)
    said = many.first(found.table, found, "muc")
    assert said.startswith("Of 3 responses, one and other are each first by all six; by MUC")
    assert "one and other tie for first" in said


def test_letters_are_shared_by_those_in_one_group(results):
    found = groups(results, "lea", trials=300)
    letters = many.letters(found)
    for one in found.responses:
        for other in found.responses:
            together = any({one, other} <= set(group) for group in found.groups)
            assert bool(set(letters[one].split()) & set(letters[other].split())) == together


def test_the_note_says_who_can_be_told_apart(results):
    pair = {name: results[name] for name in ("r1", "r4")}
    said = many.apart(groups(pair, "lea", trials=300))
    assert said.startswith("All responses differ significantly from each other.")
    assert "p < 0.05 after Holm’s correction" in said
    twins = {"one": results["r1"], "other": results["r1"]}
    said = many.apart(groups(twins, "lea", trials=300))
    assert said.startswith("No two responses differ")
    assert "300 exchanges, p ≥ 0.05 after Holm’s correction over 1 pair" in said
    three = groups({**twins, "third": results["r4"]}, "lea", trials=300)
    assert many.apart(three).startswith(
        "Responses sharing a letter do not differ significantly; all others do."
    )
    crossing = replace(three, groups=tuple((name,) for name in three.responses))
    assert "Neither does 1 pair without a common letter, such as one" in many.apart(crossing)


def test_shared_texts_make_p_too_small_only_where_there_is_one():
    shared = [Repeated("books", "news", words=3, names=3, n_smaller=3)]
    (tested,), (untested,) = (many.repeated(shared, is_tested=is_tested) for is_tested in (1, 0))
    assert "so p is too small. Leave one of them out." in tested
    assert "the means count these texts twice. Leave one of them out." in untested
    assert " p " not in untested


# What is said of systems over several data sets ---------------------------------------------------


def of_scores(scores):
    scores = np.array(scores, dtype=float)
    names = tuple("ABCDE"[: len(scores)])
    return DataSets("lea", "f1", names, tuple(map(str, range(scores.shape[1]))), scores)


def test_where_ranks_agree_by_chance_as_often_nothing_is_concluded():
    found = of_scores([[0.1, 0.9, 0.3], [0.5, 0.2, 0.2], [0.7, 0.6, 0.1]])
    cannot = "You cannot conclude that the systems differ on data sets such as these."
    assert many.conclusion(found) == cannot


def test_a_difference_of_which_no_two_systems_are_known_is_said():
    """p of Friedman's test is 6/144 = 0.042; the critical difference is 3.32, the farthest 3."""
    found = of_scores([[0.4, 0.4], [0.3, 0.3], [0.2, 0.2], [0.1, 0.1]])
    assert "you cannot conclude which two differ" in many.conclusion(found)
    said = " ".join(many.tested(found))
    assert "finds no two systems that differ" in said
    assert "Any other two" not in said


def test_the_pairs_that_differ_are_named_the_better_first():
    found = of_scores(np.arange(5)[::-1, None] / 9 + np.zeros(6))
    said = many.conclusion(found)
    assert said == "On data sets such as these, better ranked: A than D, A than E and B than E."
    tied = of_scores([[0.5, 0.5], [0.5, 0.1], [0.2, 0.1]])  # for the best score of the first
    assert many.leader(tied) == (
        "A has the highest mean LEA F1 over 2 data sets, 50.00%, and the best score on 2 of 2."
    )


# Names of documents that are shortened can still be told apart ------------------------------------

SHARED = "harbour_corpus_2021_"
KEEPER = "story_of_the_lighthouse_and_its_keeper"
ALIKE = [f"begins_alike_{n}_ends_alike_too" for n in range(3)]


@pytest.mark.parametrize(
    "names, beginning, shown",
    [
        (["news_harbour", "news_library", "x" * LONGEST], "", None),
        (
            [f"{SHARED}{end}" for end in ("ferry", "ferries_and_quays", "lighthouse")],
            SHARED,
            ["…ferry", "…ferries_and_quays", "…lighthouse"],
        ),
        # A long name loses its middle, unless names would look alike
        ([KEEPER, "ferry"], "", ["story_of_the…nd_its_keeper", "ferry"]),
        (["other", *ALIKE], "", None),
        # A beginning that is a whole name or hardly anything stays
        ([SHARED, f"{SHARED}lighthouse"], "", [SHARED, "harbour_corp…21_lighthouse"]),
        (
            ["GUM_of_a_lighthouse_and_a_keeper", "GUM_ferry"],
            "",
            ["GUM_of_a_lig…_and_a_keeper", "GUM_ferry"],
        ),
        ([f"{SHARED}lighthouse"], "", ["harbour_corp…21_lighthouse"]),
    ],
)
def test_names_are_shortened(names, beginning, shown):
    assert common_beginning(names) == beginning
    assert [*told_apart(names).values()] == (shown or names)


def test_a_narrow_column_takes_less():
    assert told_apart([KEEPER, "ferry"], longest=20)[KEEPER] == "story_of_…its_keeper"


@given(st.lists(st.text("ab_", min_size=1, max_size=60), max_size=8), st.text("ab_", max_size=40))
def test_names_are_told_apart(ends, start):
    names = {start + end for end in ends}
    shown = told_apart(names)
    assert set(shown) == names
    assert len(set(shown.values())) == len(names)


# Sentences about a list of errors, and how gains are written --------------------------------------


@pytest.mark.parametrize(
    "n_all, n_found, gains, says",
    [
        (0, 0, [], "A has no errors."),
        (3, 0, [], "None of the 3 mentions with errors of A matches."),
        (1, 1, [0.5], "A has 1 mention with errors. The fix alone gains 0.50 points of LEA."),
        (
            1200,
            53,
            [0.25, -0.1, 0.125],
            "53 of the 1,200 mentions with errors of A match. A single fix gains at most 0.25 "
            "points of LEA; 2 of the 3 fixes gain something.",
        ),
        (2, 2, [0.0, -1.0], "Fixing any one of them alone gains nothing under LEA."),
        (2, 2, [nan, nan], "It is not known how much their fixes gain under LEA."),
        (4, 2, [nan, 2.0], "A single fix gains at most 2.00 points of LEA; 1 of the 2 fixes gains"),
        (4, 2, [1, 2], "at most 2.00 points of LEA; all of the 2 fixes gain something."),
        (4, 1, [], "Fixing the mentions around them resolves them."),
    ],
)
def test_the_list_is_told_in_a_sentence(n_all, n_found, gains, says):
    assert says in errors.found("A", n_all, n_found, "lea", np.array(gains, dtype=float))


def test_a_list_that_hides_mentions_says_how_many():
    gains = np.array([0.5, 0.25])
    two, one = (errors.found("A", 9, 9, "lea", gains, n_moved=n) for n in (2, 1))
    assert two.startswith(
        "A has 9 mentions with errors; not listed: 2 correct mentions that fixes only move. "
    )
    assert "; not listed: 1 correct mention that fixes only move. " in one
    assert "2 fixes" in one
    shown = errors.found("A", 9, 9, "lea", gains, n_moved=2, are_listed=True)
    assert shown.startswith("A has 9 mentions with errors, and 2 correct mentions that fixes only")
    said = errors.found("A", 9, 0, "lea", np.array([]), n_moved=2)
    assert said == (
        "None of the 9 mentions with errors of A matches; not listed: 2 correct mentions that "
        "fixes only move."
    )
    only = errors.found("A", 0, 0, "lea", np.array([]), n_moved=2)
    assert only.startswith("A has no mention with an error; not listed: 2 correct mentions")


def test_an_empty_list_advises_what_helps():
    assert errors.nothing_listed(0, 0) == "There is nothing to list."
    assert "Switch them on" in errors.nothing_listed(0, 4)
    assert "Remove a term" in errors.nothing_listed(9, 0)


def test_the_gains_of_fixes_are_written_to_be_told_from_none():
    # Gains have two decimals unless they would vanish
    gains = (0.0123, -0.4, 0.0, -0.0001, 0.0999, 0.004, 12.345, np.nan)
    written = [errors.points(gain) for gain in gains]
    assert written == ["+0.01", "−0.40", "0.00", "−0.0001", "+0.10", "+0.004", "+12.35", "–"]


# Errors in sentences ------------------------------------------------------------------------------


def changes(**f1):
    """As of `change_table`, all changes 0 but these of F1."""
    columns = [f"{measure}_change" for measure in MEASURES]
    table = pd.DataFrame(0.0, index=list(METRIC_IDS), columns=columns)
    table.loc[list(f1), "f1_change"] = list(f1.values())
    return table


def test_singletons_in_the_key_are_told_of_incorrectly_resolved_mentions():
    assert incorrectly_resolved(1375, 873) == (
        "1,375 incorrectly resolved mentions, of which 873 are singletons in the key"
    )
    assert key_singletons(5, 1) == "of which 1 is a singleton in the key"
    assert key_singletons(5, 5) == "all singletons in the key"
    assert key_singletons(1, 1) == "a singleton in the key"
    assert key_singletons(5, 0) == ""


def test_the_other_reading_is_told_where_a_sign_differs():
    every = changes(bcub=-0.0317, ceafe=-0.02, lea=0.05, muc=-0.01)
    linked = changes(bcub=0.0086, ceafe=-0.01, lea=0.03, muc=0.00001)
    said = errors.other_reading("all", every, linked)
    assert "only incorrectly resolved" in said
    assert "B³ F1 +0.86 instead of −3.17." in said
    assert "singletons of the key" in said
    assert not any(name in said for name in ("CEAF", "LEA", "MUC"))
    back = errors.other_reading("linked", linked, every)
    assert "With all incorrectly resolved" in back
    assert "B³ F1 −3.17 instead of +0.86." in back
    assert errors.other_reading("all", every, every) == ""


# Sentences about what a response did with a document's mentions -----------------------------------


def test_counts_of_a_long_document_have_separators():
    classes = [status.CORRECT] * 5000 + [status.UNLINKED] * 1200 + [status.MISSING] * 2000
    others = [status.SPURIOUS] * 1034 + [status.SPAN_ERROR]
    assert credit.counts("book", "A", classes + others, 0) == (
        "In book, A finds 6,200 of 8,201 key mentions, including 1,200 unlinked; it has 1 with a "
        "span error, misses 2,000 and adds 1,034."
    )
    assert credit.filtered(1034, 8200).startswith("The filters leave 1,034 of 8,200 mentions.")
    counts = {BOTH_CORRECT: 4000, ONLY_A: 1500, ONLY_B: 1001, BOTH_WRONG: 2000}
    each = [one for one, n in counts.items() for _ in range(n)]
    assert credit.outcomes("book", ("A", "B"), each) == (
        "In book, both have 4,000 of 8,501 key mentions correct, only A 1,500, only B 1,001, and "
        "neither 2,000."
    )
    assert errors.links_part(300, 600, 12_000, 1, 11_000) == (
        "Shown: mentions 301 to 600 of 12,000 in text order, and the 1 link between them, of "
        "11,000. Page forward for the rest."
    )


def test_incorrectly_resolved_mentions_are_told_with_the_singletons_in_the_key_among_them():
    classes = [status.CORRECT] * 2 + [status.INCORRECTLY_RESOLVED] * 7
    assert "7 with wrong partners only, of which 5 are singletons" in credit.counts(
        "d", "A", classes, 5
    )
    shares = pd.Series({"bcub": 0.5, "muc": 0.0})
    said = credit.incorrect_shares("d", "A", 7, "recall", shares, singletons=5)
    assert "7 mentions to wrong partners only, of which 5 are singletons in the key" in said


# Which pairs of a large alignment are drawn -------------------------------------------------------


@pytest.mark.parametrize(
    "perfect, end",
    [
        ((True, False), ""),
        ((True, True, False), "(1 in all), the most similar first. Left out: 1, all of them"),
        ((False, False, False, True), "(3 in all), the most similar first. Left out: 2, 1 of them"),
    ],
)
def test_what_is_left_out_is_counted(perfect, end):
    said = alignment_part(2, pd.DataFrame({"perfect": perfect}))
    assert end in said
    assert bool(said) == bool(end)


def test_pairs_whose_entities_differ_come_before_perfect_ones():
    comparison = scored("a b | c d e | f g", "a b | c d | f g").comparison
    for metric in ("ceafm", "ceafe"):
        table = alignment_table(comparison, metric_of(metric))
        assert table["perfect"].tolist() == [True, False, True]
        assert aligned_first(table)["key_entity"].tolist() == [2, 1, 3]
