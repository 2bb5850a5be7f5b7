"""One standard: from scope and evidence to a verdict, the same one wherever a sentence stands."""

import re

import pytest

from corescore.replication.erratum import is_verbatim
from corescore.replication.experiment import (
    SCOPES,
    VERDICTS,
    Check,
    Claim,
    Reading,
    told,
    verdict,
    worst,
)
from corescore.replication.papers import (
    ERRATA,
    OPEN_READINGS,
    STATEMENTS,
    errata_table,
    kinds_told,
    on_kinds_of_data,
    run_on_sample,
    try_statements,
)
from tests.support.experiments import BY_ID

HOLDS, PRINT, RECOMPUTED, DEPENDS, FAILS, UNTRIED = VERDICTS
ANY = tuple(SCOPES)
BUT_UNIVERSAL = ("result", "comparison", "property")


@pytest.mark.parametrize(
    ("scopes", "computed", "printed", "expected"),
    [
        (ANY, True, True, HOLDS),
        (ANY, True, None, HOLDS),
        (ANY, False, False, FAILS),
        (ANY, False, None, FAILS),
        (ANY, None, False, FAILS),
        (ANY, None, None, UNTRIED),
        (BUT_UNIVERSAL, True, False, RECOMPUTED),
        (("universal",), True, False, FAILS),  # one counterexample
        (("existential",), True, False, HOLDS),  # one case
        (("existential",), False, True, HOLDS),
        (("existential",), "some", False, HOLDS),
        (("universal", "result", "comparison", "property"), False, True, PRINT),
        (("universal", "result", "property"), None, True, PRINT),
        (("comparison",), None, True, HOLDS),
        (("universal", "result", "comparison", "property"), "some", None, DEPENDS),
        (BUT_UNIVERSAL, "some", False, DEPENDS),
        (("universal", "result", "comparison", "property"), True, "some", DEPENDS),
    ],
)
def test_a_verdict_follows_from_scope_and_evidence(scopes, computed, printed, expected):
    for scope in scopes:
        assert verdict(scope, computed, printed) == expected, scope


@pytest.mark.parametrize(
    ("computed", "printed", "expected"),
    [
        (True, True, HOLDS),
        (False, True, PRINT),
        (True, False, FAILS),  # other data do not make good for what is printed
        ("some", True, PRINT),  # nor open a reading of it
        (True, "some", DEPENDS),
        (False, None, FAILS),
    ],
)
def test_other_data_bear_out_what_is_printed_and_no_more(computed, printed, expected):
    assert verdict("result", computed, printed, other_data=True) == expected


@pytest.mark.parametrize(
    ("holds", "readings", "expected"),
    [
        (True, (), True),
        (None, (), None),
        (True, (True, False), "some"),
        (False, (True, True), True),
        (True, (False, None), False),
        (True, (None,), True),
    ],
)
def test_readings_decide_where_there_are_any(holds, readings, expected):
    assert told(holds, [Reading(str(n), one) for n, one in enumerate(readings)]) == expected


def test_a_whole_fares_as_its_worst_part():
    assert worst([HOLDS, PRINT, DEPENDS, RECOMPUTED]) == DEPENDS
    assert worst([HOLDS, FAILS, DEPENDS]) == FAILS
    assert worst([HOLDS, UNTRIED]) == HOLDS
    assert worst([UNTRIED]) == worst([]) == UNTRIED


def test_a_claim_declares_its_scope_and_is_judged_by_it():
    check = Check(None, "", printed=Check(True, ""))
    for scope, expected in (("comparison", HOLDS), ("result", PRINT)):
        claim = Claim("", "", lambda _: check, in_print=lambda: Check(True, ""), scope=scope)
        assert claim.checked(None).verdict == expected


# Those of the papers ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def outcomes():
    return {outcome.experiment.id: outcome for outcome in run_on_sample()}


@pytest.fixture(scope="module")
def judged(outcomes):
    """(experiment, claim) → its verdict, of the claims of the papers."""
    return {
        (name, claim.id): check.verdict
        for name, outcome in outcomes.items()
        for claim, check in outcome.checks
        if not claim.ours
    }


@pytest.fixture(scope="module")
def listed():
    """(experiment, claim) → the verdicts on the errata and open readings of the same sentence."""
    every = (*ERRATA, *OPEN_READINGS)
    rows = errata_table(every).set_index("id")["verdict"]
    return {(one.experiment, claim): rows[one.id] for one in every for claim in one.claims}


def test_no_sentence_has_one_verdict_here_and_another_there(judged, listed):
    assert listed
    assert {claim: judged[claim] for claim in listed} == listed


def test_what_no_reading_rescues_is_an_erratum_and_what_one_rescues_is_an_open_reading(judged):
    lists = {FAILS: ERRATA, DEPENDS: OPEN_READINGS}
    for expected, of in lists.items():
        claims = {(one.experiment, claim) for one in of for claim in one.claims}
        assert claims == {claim for claim, found in judged.items() if found == expected}


def test_every_erratum_was_tried_under_some_reading_and_comes_out_under_none():
    for row in errata_table(ERRATA).to_dict("records"):
        assert (row["verdict"], row["is_off"], row["held_under"]) == (FAILS, True, "")
        assert row["not_under"], row["id"]


def test_every_open_reading_is_rescued_by_one_or_too_open_to_be_tried():
    for row in errata_table(OPEN_READINGS).to_dict("records"):
        assert not row["is_off"]
        assert row["verdict"] in (DEPENDS, UNTRIED)
        if row["verdict"] == DEPENDS:
            assert row["held_under"], row["id"]
            assert row["not_under"], row["id"]


def test_a_statement_fares_as_its_claims_do(outcomes, judged):
    for one in try_statements(STATEMENTS, outcomes.values()):
        parts = [judged[claim] for claim in one.statement.claims]
        assert one.verdict == worst(parts), one.statement.says
        assert set(one.scopes) <= set(SCOPES)


def test_no_statement_rests_on_a_claim_of_ours(outcomes):
    ours = {
        (name, claim.id)
        for name, outcome in outcomes.items()
        for claim, _ in outcome.checks
        if claim.ours
    }
    assert ours
    assert not [one for one in STATEMENTS if ours & set(one.claims)]


@pytest.mark.parametrize(
    ("experiment", "claim", "expected", "held", "of"),
    [
        ("recasens2011-fig6", "above-muc", HOLDS, 6, 6),
        ("recasens2011-fig6", "slope", DEPENDS, 1, 2),
        ("recasens2011-desiderata", "precision-weighs-more", DEPENDS, 1, 2),
        ("moosavi2016-fig8", "blanc-most", DEPENDS, 14, 16),
        ("moosavi2016-fig2", "blanc-below-bcub", DEPENDS, 3, 4),
        ("moosavi2016-fig2", "blanc-below-lea", DEPENDS, 3, 4),
        ("moosavi2016-fig3", "only-muc-lea-zero", HOLDS, 12, 12),
        ("moosavi2016-fig3", "ceafe-drops", DEPENDS, 1, 12),
        ("moosavi2016-fig3", "blanc-far-above", DEPENDS, 2, 48),
        ("moosavi2016-table4", "key-1ent-parts", DEPENDS, 1, 6),
        ("moosavi2016-table4", "peng-precision", FAILS, 0, 3),
        ("luo2014-systems", "most", HOLDS, 0, 0),
    ],
)
def test_a_verdict_says_under_how_many_readings(outcomes, experiment, claim, expected, held, of):
    check = outcomes[experiment].by_claim[claim]
    readings = check.all_readings
    assert check.verdict == expected
    assert (sum(one.holds for one in readings), len(readings)) == (held, of)


def test_no_two_readings_of_one_check_have_one_name(outcomes):
    for outcome in outcomes.values():
        for claim, check in outcome.checks:
            names = [one.name for one in check.all_readings]
            assert len(set(names)) == len(names), claim.id
            assert not [name for name in names if "; " in name]  # they are joined by it


# Wording ------------------------------------------------------------------------------------------


def test_what_is_verbatim_stands_in_quotation_marks_and_nothing_else_does():
    told_of = [one.printed for one in (*ERRATA, *OPEN_READINGS)] + [one.says for one in STATEMENTS]
    assert sum(map(is_verbatim, told_of)) > 10
    for words in told_of:
        inside = words[1:-1] if is_verbatim(words) else words
        assert not re.search("[“”]", inside), words
        assert is_verbatim(words) == (words[0] == "“" and words[-1] == "”")


# Data ---------------------------------------------------------------------------------------------


def test_what_depends_on_the_data_says_how_it_comes_out_on_each_kind():
    table_1 = BY_ID["moosavi2016-table1"]
    assert on_kinds_of_data(table_1)["ceafe-falls"] == (False, True)
    words = kinds_told(table_1)["ceafe-falls"]
    assert re.search("the sample, with its singletons: no; .*without.*: yes", words)
    assert kinds_told(BY_ID["moosavi2016-fig2"]) == {}
    assert "recall-more" not in kinds_told(table_1)  # it falls on both
