"""Verdicts as signs and words, and how many claims have each."""

import pytest

from corescore.replication.experiment import VERDICTS, Check, Claim, Reading
from corescore.sentences.verdicts import (
    VERDICT_MARKS,
    held,
    mark_of,
    overall,
    readings_told,
    statement_counts,
    tally,
    tally_mark,
)

READINGS = (Reading("one", True), Reading("other", False))
YES, NO, UNTOLD = (Check(holds, "", scope="result") for holds in (True, False, None))
PRINT_ONLY = Check(False, "", printed=YES, scope="result")
RECOMPUTED = Check(True, "", printed=NO, scope="result")
DEPENDS = Check(False, "", readings=READINGS, scope="result")


def of(*checks, ours=()):
    """Claims of a paper with these checks, and claims of ours."""
    both = [(False, check) for check in checks] + [(True, check) for check in ours]
    return [(Claim("", "", lambda _: YES, scope="result", ours=own), c) for own, c in both]


def names(n, *, held):
    return [Reading(f"r{at}", at < held) for at in range(n)]


@pytest.mark.parametrize(
    ("check", "sign", "verdict"),
    [
        (YES, "✓", "holds"),
        (NO, "✗", "does not hold under any reading"),
        (UNTOLD, "–", "cannot be tried"),
        (PRINT_ONLY, "◐", "holds in print only"),
        (RECOMPUTED, "◐", "holds recomputed only"),
        (DEPENDS, "◐", "depends on the reading (1 of 2)"),
    ],
)
def test_a_claim_has_the_sign_and_the_words_of_its_verdict(check, sign, verdict):
    mark = mark_of(check.verdict, check.all_readings)
    assert (mark.sign, mark.words) == (sign, verdict)


def test_every_verdict_has_a_mark():
    assert [*VERDICT_MARKS] == [*VERDICTS]


@pytest.mark.parametrize(
    ("readings", "said"),
    [
        ([], ""),
        (names(1, held=1), "under 1 reading"),
        (names(3, held=3), "under each of 3 readings"),
        (names(2, held=0), "under none of 2 readings: r0; r1"),
        (names(3, held=1), "under 1 of 3 readings: r0"),
        (names(3, held=2), "under 2 of 3 readings, but not: r2"),
        (names(20, held=6), "under 6 of 20 readings: r0; r1; r2; r3; 2 more"),
        (names(6, held=0), "under none of 6 readings: r0; r1; r2; r3; r4; r5"),
    ],
)
def test_the_fewer_readings_are_named(readings, said):
    assert readings_told(readings) == said


def test_a_tally_counts_each_claim_once_and_ours_apart():
    checks = of(YES, YES, NO, PRINT_ONLY, UNTOLD, DEPENDS, RECOMPUTED, ours=(YES, NO))
    counts = (
        f"1 in print only, 1 recomputed only, 1 {DEPENDS.verdict}, 1 does not, 1 cannot be tried"
    )
    assert tally(checks) == f"2 of 7 hold, {counts}; of ours 1 of 2"
    assert held(checks, "here").startswith("2 of 7 observations hold here, 1 in print only, ")
    whole = overall([checks], n_waiting=0)
    assert whole.startswith("2 of 7 observations hold, ")
    assert whole.endswith(" Of our own claims, 1 of 2 holds, 1 does not.")


def test_claims_of_ours_alone_are_no_observations_of_the_paper():
    checks = of(ours=(YES, NO))
    assert tally(checks) == "of ours 1 of 2"
    assert "observes nothing" in held(checks, "here")
    assert tally_mark(checks).sign == "✗"


@pytest.mark.parametrize(
    ("checks", "ours", "sign"),
    [
        ((YES, PRINT_ONLY, NO, UNTOLD), (), "✗"),
        ((YES, PRINT_ONLY, UNTOLD), (), "◐"),
        ((YES, DEPENDS), (), "◐"),
        ((UNTOLD,), (), "–"),
        ((YES, YES), (NO,), "✓"),
        ((), (), "–"),
    ],
)
def test_the_sign_of_a_tally_is_that_of_the_papers_worst_claim(checks, ours, sign):
    assert tally_mark(of(*checks, ours=ours)).sign == sign


def test_nothing_to_check_is_said():
    assert tally([]) == "no claim to check"


def test_statements_are_counted_by_verdict():
    verdicts = [of.verdict for of in (YES, YES, DEPENDS, PRINT_ONLY)]
    assert statement_counts(verdicts) == (
        f"Of 4 testable statements, 2 hold, 1 in print only and 1 {DEPENDS.verdict}."
    )
