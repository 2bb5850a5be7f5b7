"""Every testable statement of the papers has a verdict."""

from collections import Counter

import pytest

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import (
    VERDICTS,
    Chart,
    Check,
    Claim,
    Experiment,
    Outcome,
    Reading,
    Setting,
)
from corescore.replication.papers import (
    FOLDERS,
    STATEMENTS,
    Statement,
    read_statements,
    run_on_sample,
    statements_table,
    try_statements,
)
from tests.support.experiments import DEPENDS, FAILS, PRINT_ONLY

PAPER = MOOSAVI_2016
YES, NO, UNTOLD = (Check(holds, "1 of 2") for holds in (True, False, None))
IN_PRINT = Check(True, "2 of 2")
BOTH = (Reading("one", True), Reading("other", False))
N_STATEMENTS = {MOOSAVI_2016: 42, RECASENS_2011: 24, LUO_2014: 5, PRADHAN_2014: 3}


@pytest.fixture(scope="module")
def tried():
    return try_statements(STATEMENTS, run_on_sample())


def of(*checks, why_not=""):
    """A statement with a claim for each check, tried."""
    claims = [
        Claim("", "", lambda table: YES, id=f"c{n}", scope="result") for n in range(len(checks))
    ]
    experiment = Experiment("doe", PAPER, "", "", "", lambda setting: None, Chart("table"))
    outcome = Outcome(experiment, Setting(), None, tuple(zip(claims, checks, strict=True)))
    named = tuple(("doe", claim.id) for claim in claims)
    (one,) = try_statements([Statement(PAPER, "6, Table 5", "So.", named, why_not)], [outcome])
    return one


@pytest.mark.parametrize(
    ("checks", "verdict"),
    [
        ((YES,), "holds"),
        ((YES, UNTOLD), "holds"),
        ((YES, NO), FAILS),
        ((Check(True, "", printed=IN_PRINT),), "holds"),
        ((Check(True, "", printed=NO),), "holds recomputed only"),
        ((Check(False, "", printed=IN_PRINT),), PRINT_ONLY),
        ((Check(None, "", printed=IN_PRINT),), PRINT_ONLY),
        ((YES, Check(False, "", readings=BOTH)), DEPENDS),
        ((NO, Check(False, "", readings=BOTH)), FAILS),
        ((Check(None, "", printed=NO),), FAILS),
        ((UNTOLD,), "cannot be tried"),
        ((), "cannot be tried"),
    ],
)
def test_the_verdict_of_a_statement_is_that_of_its_claims(checks, verdict):
    assert of(*checks).verdict == verdict


def test_a_row_says_why_and_on_what():
    one = of(Check(False, "1 of 2", printed=IN_PRINT))
    (row,) = statements_table([one]).to_dict("records")
    assert row == {
        "paper": PAPER.name,
        "where": "§6, Table 5",
        "says": "So.",
        "verbatim": False,
        "scope": "result",
        "verdict": PRINT_ONLY,
        "held_under": "",
        "not_under": "",
        "because": "1 of 2. In print: 2 of 2.",
        "on_data": False,
        "on_other_data": "",
        "claims": "doe:c0",
    }


def test_what_cannot_be_tried_says_why_not():
    one = of(why_not="The corpus is not free.")
    assert (one.verdict, one.because) == ("cannot be tried", "The corpus is not free.")


def test_a_claim_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        try_statements([Statement(PAPER, "1", "So.", (("doe", "none"),), "")], [])


def test_a_file_is_read_with_its_claims(tmp_path):
    path = tmp_path / "statements.csv"
    path.write_text(
        "# Of a paper.\nwhere,says,claims,why_not\n"
        '"6, Table 5",So.,doe:one; doe:other,\nabstract,Not so.,,No data.\n'
    )
    first, other = read_statements(path, PAPER)
    assert first.claims == (("doe", "one"), ("doe", "other"))
    assert (other.claims, other.why_not, other.place) == ((), "No data.", "abstract")


# Those of the papers ------------------------------------------------------------------------------


def test_each_paper_has_all_its_testable_statements():
    assert Counter(statement.paper for statement in STATEMENTS) == N_STATEMENTS
    assert set(FOLDERS.values()) == set(N_STATEMENTS)
    assert len(STATEMENTS) == 74


def test_no_statement_is_there_twice():
    assert len({(one.paper, one.says) for one in STATEMENTS}) == len(STATEMENTS)


def test_each_statement_has_claims_or_a_reason_why_not():
    for one in STATEMENTS:
        assert one.says
        assert one.where
        assert bool(one.claims) != bool(one.why_not), one.says


def test_every_claim_that_a_statement_names_is_there():
    known = {(one.id, claim.id) for one in EXPERIMENTS for claim in one.claims}
    assert {claim for one in STATEMENTS for claim in one.claims} <= known


@pytest.mark.slow
def test_each_statement_has_one_of_the_verdicts(tried):
    counts = Counter(one.verdict for one in tried)
    assert set(counts) <= set(VERDICTS)
    assert sum(counts.values()) == len(STATEMENTS)


def test_only_what_says_why_not_cannot_be_tried(tried):
    untried = [one for one in tried if one.verdict == "cannot be tried"]
    assert all(one.because for one in untried)
    assert {one.statement.says for one in untried} >= {
        one.says for one in STATEMENTS if one.why_not
    }
