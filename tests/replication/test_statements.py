"""Statements, errata and verdicts."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import pytest

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011
from corescore.replication import EXPERIMENTS, PAPERS
from corescore.replication import claims as of_claims
from corescore.replication.claims import KINDS, is_verbatim
from corescore.replication.conformance import QUESTIONS
from corescore.replication.experiment import (
    SCOPES,
    VERDICTS,
    Chart,
    Check,
    Claim,
    Experiment,
    Outcome,
    Reading,
    Setting,
    in_paper,
    told,
    verdict,
    worst,
)
from corescore.replication.papers import (
    ERRATA,
    FOLDERS,
    OPEN_READINGS,
    STATEMENTS,
    Statement,
    errata_table,
    kinds_told,
    on_kinds_of_data,
    read_statements,
    run_on_sample,
    statements_table,
    try_statements,
)
from tests.support.samples import BY_ID

# Every testable statement of the papers has a verdict ---------------------------------------------

PAPER = MOOSAVI_2016
EVERY = (*ERRATA, *OPEN_READINGS)
HOLDS, PRINT, RECOMPUTED, DEPENDS, FAILS, UNTRIED = VERDICTS
YES, NO, UNTOLD = (Check(holds, "1 of 2") for holds in (True, False, None))
IN_PRINT = Check(True, "2 of 2")
BOTH = (Reading("one", True), Reading("other", False))
N_STATEMENTS = {MOOSAVI_2016: 42, RECASENS_2011: 24, LUO_2014: 5, PRADHAN_2014: 3}


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
        ((Check(False, "", printed=IN_PRINT),), PRINT),
        ((Check(None, "", printed=IN_PRINT),), PRINT),
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
        "verdict": PRINT,
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


def test_each_paper_has_all_its_testable_statements_each_once_with_claims_or_a_reason():
    assert Counter(statement.paper for statement in STATEMENTS) == N_STATEMENTS
    assert {*FOLDERS.values()} == {*N_STATEMENTS}
    assert len({(one.paper, one.says) for one in STATEMENTS}) == len(STATEMENTS) == 74
    ours = {(one.id, claim.id): claim.ours for one in EXPERIMENTS for claim in one.claims}
    for one in STATEMENTS:
        assert one.says
        assert one.where
        assert bool(one.claims) != bool(one.why_not), one.says
        assert not any(ours[claim] for claim in one.claims)  # it rests on those of the paper


# One standard: from scope and evidence to a verdict, the same one wherever a sentence -------------

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
    """(experiment, claim) → its verdict."""
    return {
        (name, claim.id): check.verdict
        for name, outcome in outcomes.items()
        for claim, check in outcome.checks
    }


def claims_of(errata):
    return {(one.experiment, claim): one.id for one in errata for claim in one.claims}


def test_a_sentence_of_a_paper_that_does_not_hold_is_on_the_list_of_its_verdict(judged):
    """What no reading rescues is an erratum, and what one rescues an open reading."""
    listed = errata_table(EVERY).set_index("id")["verdict"]
    ours = {(one.id, claim.id) for one in EXPERIMENTS for claim in one.claims if claim.ours}
    for wanted, errata in ((FAILS, ERRATA), (DEPENDS, OPEN_READINGS)):
        claims = claims_of(errata)
        assert {*claims} == {claim for claim, of in judged.items() if of == wanted} - ours
        assert {listed[one] for one in claims.values()} == {wanted}


def test_a_statement_fares_as_its_claims_do(outcomes, judged):
    for one in try_statements(STATEMENTS, outcomes.values()):
        parts = [judged[claim] for claim in one.statement.claims]
        assert one.verdict == worst(parts), one.statement.says
        assert one.because or one.verdict != UNTRIED
        assert one.verdict == UNTRIED or not one.statement.why_not
        assert set(one.scopes) <= set(SCOPES)


# By verdict, under how many readings, and of how many: all others hold
NOT_HELD = {
    (PRINT, 0, 0): "table1:ceafe-falls table5:xu-significant table5:shared-ranks",
    (FAILS, 0, 0): (
        "table1:count-less-b table1:printed-directions table3:as-printed table5:ranks "
        "recasens2011-table1:as-printed recasens2011-table1:merged-entities "
        "recasens2011-fig7:front-face luo2014-correlation:strong "
        "pradhan2014-table1:official-order-2011 pradhan2014-table1:official-averages"
    ),
    (FAILS, 0, 3): "table4:peng-precision",
    (DEPENDS, 1, 2): (
        "table1:f1-less-b fig4-5:equal-by-captions luo2014-boundaries:same-as-old "
        "luo2014-systems:same-blanc recasens2011-fig4-5:bcub-prefers-rag-bag "
        "recasens2011-fig6:slope recasens2011-desiderata:precision-weighs-more"
    ),
    (DEPENDS, 1, 6): "table4:key-1ent-parts",
    (DEPENDS, 1, 12): "fig3:ceafe-drops",
    (DEPENDS, 2, 3): "repeats:lea-untroubled fig8:lea-mentions-alone recasens2011-desiderata:fine",
    (DEPENDS, 2, 48): "fig3:blanc-far-above",
    (DEPENDS, 3, 4): "fig2:blanc-below-bcub fig2:blanc-below-lea",
    (DEPENDS, 14, 16): "fig8:blanc-most",
}


def test_all_claims_hold_but_for_these_each_under_so_many_readings(outcomes):
    found = {}
    for name, outcome in outcomes.items():
        for claim, check in outcome.checks:
            held = [bool(one.holds) for one in check.all_readings]
            verdict = (check.verdict, sum(held), len(held))
            found[f"{name.removeprefix('moosavi2016-')}:{claim.id}"] = verdict
            assert check.numbers
    assert found["recasens2011-fig6:above-muc"] == (HOLDS, 6, 6)
    assert found["fig3:only-muc-lea-zero"] == (HOLDS, 12, 12)
    assert {claim: of for claim, of in found.items() if of[0] != HOLDS} == {
        claim: of for of, claims in NOT_HELD.items() for claim in claims.split()
    }


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


# Every erratum is worked out, and every figure that differs when recomputed is on a list ----------


def test_each_erratum_is_worked_out_explained_and_tried_under_readings():
    rows = errata_table(EVERY).to_dict("records")
    assert len({erratum.id for erratum in EVERY}) == len(EVERY)
    for erratum, row in zip(EVERY, rows, strict=True):
        off = erratum in ERRATA
        assert (row["id"], row["is_off"]) == (erratum.id, off)
        assert row["arithmetic"]
        assert erratum.cause
        assert erratum.printed != erratum.computed
        assert erratum.kind in KINDS
        assert erratum.experiment in {"", *BY_ID}
        assert not (erratum.cells and BY_ID[erratum.experiment].on_data)
        assert row["verdict"] in ((FAILS,) if off else (DEPENDS, UNTRIED))  # too open to be tried
        assert bool(row["held_under"]) == (row["verdict"] == DEPENDS)
        assert row["not_under"] or row["verdict"] == UNTRIED


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.id)
def test_each_figure_that_differs_when_recomputed_is_on_the_list(experiment):
    for printed in experiment.printed:
        assert not printed.cells.duplicated([*printed.on]).any()
    if not experiment.on_data:
        outcome = in_paper(experiment)
        off = {
            (*(row[name] for name in printed.on), row["figure"])
            for printed in experiment.printed
            for row in outcome.beside(printed).query("differs").to_dict("records")
        }
        errata = [erratum for erratum in EVERY if erratum.experiment == experiment.id]
        assert {cell for erratum in errata for cell in erratum.cells} == off


# What stands in the papers' folders as data has the types and values of the records it ------------

FOLDER = Path(of_claims.__file__).parent
FILES = sorted(FOLDER.rglob("*.toml"))


def fits(value, hint):
    """Whether a value has a type, as far as that can be seen."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return value in parts
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is tuple:
        every = parts * len(value) if len(parts) == 1 else parts
        inner = [parts[0]] * len(value) if parts[-1] is Ellipsis else every
        return isinstance(value, tuple) and all(map(fits, value, inner))
    if origin is not None:
        return isinstance(value, origin)
    return (hint is float and isinstance(value, int)) or isinstance(value, hint)


def of_wrong_type(record):
    hints = get_type_hints(type(record))
    return {
        name: getattr(record, name)
        for name, hint in hints.items()
        if not fits(getattr(record, name), hint)
    }


def test_what_is_read_of_the_files_has_the_types_that_it_should_have():
    of_experiments = (
        record for one in EXPERIMENTS for record in (one, one.chart, *one.parameters, *one.claims)
    )
    for record in (*of_experiments, *EVERY, *QUESTIONS, *STATEMENTS):
        assert not of_wrong_type(record), record


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.id)
def test_an_experiment_its_claims_and_parameters_say_what_they_are(experiment):
    assert experiment.title
    assert experiment.setup
    assert len({claim.id for claim in experiment.claims} - {""}) == len(experiment.claims)
    for claim in experiment.claims:
        assert claim.says.endswith((".", "?")), claim.id
        assert claim.where
    for parameter in experiment.parameters:
        assert parameter.checked(parameter.default) == parameter.default


def test_nothing_in_a_file_is_left_out():
    """Each experiment, claim and erratum of a file is one of a paper, in the order of the file."""
    ids = {one.id: [claim.id for claim in one.claims] for one in EXPERIMENTS}
    errata = [one.id for one in (*ERRATA, *OPEN_READINGS)]
    assert {path.name for path in FILES} == {"experiments.toml", "errata.toml", "conformance.toml"}
    for path in FILES:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name == "experiments.toml":
            found.pop("printed", None)
            assert {name: [*row.get("claims", {})] for name, row in found.items()} == {
                name: claims for name, claims in ids.items() if name in found
            }
        if path.name == "errata.toml":
            listed = [one["id"] for rows in found.values() for one in rows]
            assert {*listed} <= {*errata}
    assert sum(len(one.EXPERIMENTS) for one in PAPERS) == len(ids)


def paper_with(tmp_path, text):
    (tmp_path / "experiments.toml").write_text(
        '[e]\nwhere = "Table 1"\ntitle = "T?"\nsetup = "S."\nchart = { kind = "table" }\n' + text
    )
    return of_claims.PaperData(str(tmp_path), EXPERIMENTS[0].paper)


CLAIM = '[e.claims.c]\nsays = "So."\nwhere = "§1"\nscope = "result"\n'


def test_a_check_without_a_claim_and_a_claim_without_a_check_are_errors(tmp_path):
    holds = lambda table: Check(True, "")  # noqa: E731
    paper = paper_with(tmp_path, CLAIM)
    assert paper.experiment("e", lambda _: None, {"c": holds}).claims[0].says == "So."
    for checks in ({}, {"c": holds, "d": holds}):
        with pytest.raises(KeyError):
            paper.experiment("e", lambda _: None, checks)


def test_a_key_that_no_record_has_is_an_error(tmp_path):
    paper = paper_with(tmp_path, CLAIM + 'note_ = "a slip of the pen"\n')
    with pytest.raises(TypeError, match="note_"):
        paper.experiment("e", lambda _: None, {"c": lambda table: Check(True, "")})
