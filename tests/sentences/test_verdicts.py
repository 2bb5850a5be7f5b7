"""Two verdicts on a claim, computed and in print, as signs and words."""

import pytest

from corescore.replication.experiment import Check, Claim
from corescore.sentences.verdicts import held, mark_of, overall, statement_counts, tally, tally_mark

YES, NO, UNTOLD = (Check(holds, "") for holds in (True, False, None))
PRINT_ONLY = Check(False, "", printed=YES)
PRINT_ALONE = Check(None, "", printed=YES)
NOT_IN_PRINT = Check(True, "", printed=NO)


def of(*checks):
    return [(Claim("", "", lambda table: YES), check) for check in checks]


@pytest.mark.parametrize(
    ("check", "sign", "words"),
    [
        (YES, "✓", "holds"),
        (NO, "✗", "does not hold"),
        (UNTOLD, "–", "cannot be checked here"),
        (Check(True, "", printed=YES), "✓", "holds when recomputed and in print"),
        (NOT_IN_PRINT, "◐", "holds when recomputed, not in print"),
        (PRINT_ONLY, "◐", "holds in print, not when recomputed"),
        (Check(False, "", printed=NO), "✗", "holds neither when recomputed nor in print"),
        (PRINT_ALONE, "◐", "holds in print; cannot be checked here"),
        (Check(None, "", printed=NO), "✗", "does not hold in print; cannot be checked here"),
        (Check(True, "", printed=UNTOLD), "✓", "holds"),
    ],
)
def test_a_claim_has_the_words_of_both_verdicts(check, sign, words):
    mark = mark_of(check)
    assert (mark.sign, mark.words) == (sign, words)


def test_on_the_users_data_the_words_say_so():
    assert mark_of(PRINT_ONLY, on_data=True).words == "holds in print, not on this data"


def test_a_tally_counts_each_claim_once():
    checks = of(YES, NOT_IN_PRINT, NO, PRINT_ONLY, UNTOLD, PRINT_ALONE)
    said = "2 of 6 hold, 1 not in print, 1 does not, 2 in print only, 1 cannot be checked"
    assert tally(checks) == said
    assert held(checks, "here") == (
        "2 of 6 observations hold here, 1 not in print; 2 hold in print only; 1 cannot be checked."
    )
    assert overall([checks], n_waiting=0) == (
        "2 of 6 observations hold when recomputed, 2 in print only, 1 do not, "
        "and 1 cannot be checked."
    )


def test_a_single_claim_that_fails_is_not_counted():
    assert held(of(NO), "here") == "The paper's observation does not hold here."


@pytest.mark.parametrize(
    ("checks", "sign"),
    [
        ((YES, PRINT_ONLY, NO, UNTOLD), "✗"),
        ((YES, PRINT_ONLY, UNTOLD), "◐"),
        ((YES, UNTOLD), "–"),
        ((YES, YES), "✓"),
        ((), "–"),
    ],
)
def test_the_sign_of_a_tally_is_that_of_the_worst_claim(checks, sign):
    assert tally_mark(of(*checks)).sign == sign


def test_nothing_to_check_is_said():
    assert tally([]) == "no claim to check"
    assert tally_mark([]).words == "no claim to check"


def test_statements_are_counted_by_verdict():
    verdicts = ["holds", "holds", "does not hold", "holds in print only"]
    assert statement_counts(verdicts) == (
        "Of 4 testable statements, 2 hold, 1 does not, 1 holds in print only and 0 cannot be tried."
    )
