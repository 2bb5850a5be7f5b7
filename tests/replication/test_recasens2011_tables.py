"""Section 5 of Recasens & Hovy 2011: the responses of Table 8 and what the paper says of them."""

from fractions import Fraction
from itertools import pairwise

import pytest

from corescore.bibliography import RECASENS_2011
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import run
from corescore.replication.recasens2011.errata_text import TABLES_AND_TEXT
from corescore.replication.recasens2011.fig6 import FIGURE_6
from corescore.replication.recasens2011.fig7 import FIGURE_7, blanc_at
from corescore.replication.recasens2011.table8 import SYSTEMS, eight_systems, table_8
from corescore.replication.recasens2011.tables8_11 import TABLES_8_TO_11
from corescore.replication.statements import STATEMENTS
from corescore.replication.statements import checks_of as checks_by_id
from tests.support.half import exactly

OURS = ("5.1, Tables 8", "5.1, Table 10", "5.1, Table 11", "5.3")
LINKS = 70 * 69 // 2


@pytest.fixture(scope="module")
def tables_8_to_11():
    return run(TABLES_8_TO_11)


def checks_of(outcome):
    return {claim.id: check for claim, check in outcome.checks}


# Table 8 ------------------------------------------------------------------------------------------


def test_table_8_has_the_same_mentions_on_every_line():
    sides = table_8()
    assert list(sides) == ["Gold", *SYSTEMS]
    for side in sides.values():
        assert sorted(m for entity in side for m in entity) == list(range(1, 71))


def test_the_links_of_table_8_are_those_in_words():
    sides = {name: {frozenset(e) for e in side} for name, side in table_8().items()}
    key = sides["Gold"]
    assert sides["A"] - key == {frozenset({1, 2})}
    assert sides["B"] - key == {frozenset({1, 62, 63, 64, 65})}
    assert sides["D"] - key == {frozenset(range(62, 69))}
    assert {len(entity) for entity in sides["E"] - key} == {3}
    assert len(sides["F"] - key) == 4


@pytest.mark.parametrize("n", [4, 20, 61, 90])
def test_another_number_of_singletons_leaves_the_errors_alone(n):
    """All links but those of H stay wrong or missing as they are."""
    for name, (key, response) in zip(SYSTEMS, eight_systems(n), strict=True):
        assert [len(entity) for entity in key].count(1) == n
        assert sorted(m for entity in response for m in entity) == list(range(n + 9))
        assert len(response) == {"A": n + 2, "B": n + 2, "C": n + 5, "D": n + 2}.get(
            name, {"E": n + 2, "F": n + 2, "G": n + 9, "H": 1}.get(name)
        )


# Tables 9 to 11 -----------------------------------------------------------------------------------


def test_every_figure_of_tables_9_to_11_comes_out(tables_8_to_11):
    for printed, n in zip(TABLES_8_TO_11.printed, (8 * 6, 39, 54 + 8), strict=True):
        beside = tables_8_to_11.beside(printed)
        told = beside[beside["printed"] != ""]
        assert len(told) == n
        assert told["computed"].notna().all()
        assert not told["differs"].any()


def test_the_rand_index_is_the_share_of_right_links(tables_8_to_11):
    table = tables_8_to_11.table
    rand = table[table["metric"] == "rand"].set_index("response")["f1"]
    assert rand["E"] == exactly(Fraction(LINKS - 4 - 4, LINKS))
    assert rand["H"] == exactly(Fraction(10, LINKS))


def test_the_claims_hold_by_the_printed_figures_too(tables_8_to_11):
    checks = checks_of(tables_8_to_11)
    assert len(checks) == len(TABLES_8_TO_11.claims)
    told = {name: check.printed.holds for name, check in checks.items() if check.printed}
    assert set(told.values()) == {True}
    assert {"errors", "blanc-order", "rand-order", "spread", "blanc-recall", "a-and-b"} <= set(told)


def test_a_claim_can_fail_with_other_singletons():
    """With four singletons the Rand index is not squeezed any more."""
    outcome = run(TABLES_8_TO_11, TABLES_8_TO_11.setting({"singletons": 4}))
    checks = checks_of(outcome)
    assert checks["rand-close"].holds is False
    assert checks["printed-10"].holds is False
    assert checks["blanc-order"].holds is not None


# Figures 6 and 7 ----------------------------------------------------------------------------------


def blanc(right, wrong_n=0):
    """With so many of the ten coreference links, and so many non-coreference links wrong."""
    n = LINKS - 10
    missed = 10 - right
    f1_c = Fraction(2 * right, 10 + right + wrong_n)
    f1_n = Fraction(2 * (n - wrong_n), n + (n - wrong_n) + missed)
    return (f1_c + f1_n) / 2


def test_each_further_link_adds_less():
    gains = [blanc(k + 1) - blanc(k) for k in range(10)]
    assert all(later < earlier for earlier, later in pairwise(gains))
    check = checks_of(run(FIGURE_6))["slope"]
    assert check.holds is False
    first, last = (f"{100 * float(gain):.2f} points" for gain in (gains[0], gains[-1]))
    assert check.numbers == f"the first link adds {first}, the last of 10 adds {last}"


def test_muc_is_above_blanc_for_some_choices_of_links_and_not_for_others():
    """2 + 2 of the entity of 4 and the others whole: 2 + 3 + 1 of the links, 5 of MUC's 6."""
    muc = Fraction(2 * 5, 5 + 6)
    assert muc > blanc(6)
    outcome = run(FIGURE_6)
    rows = outcome.table.set_index(["metric", "right_coreference"])
    assert rows.loc[("muc", 6), "high"] == exactly(muc)
    assert all(rows.loc[("muc", n), "low"] <= blanc(n) + 1e-12 for n in range(11))
    assert checks_of(outcome)["above-muc"].holds is False
    assert checks_of(outcome)["below-others"].holds is True


def test_the_front_face_of_figure_7_ends_at_one():
    assert blanc_at(1, 1) == 1
    assert blanc_at(0, 1) == exactly(blanc(0))
    assert blanc_at(1, 0.9) == exactly(
        (Fraction(20, 20 + Fraction(2405, 10)) + Fraction(2 * 9, 19)) / 2
    )
    checks = checks_of(run(FIGURE_7))
    assert {name for name, check in checks.items() if not check.holds} == {"front-face"}


# Statements and errata ----------------------------------------------------------------------------


def test_each_erratum_is_indeed_off():
    for erratum in TABLES_AND_TEXT:
        check = erratum.arithmetic()
        assert check.holds, erratum.id
        assert check.numbers


def test_the_statements_hold_or_not_as_counted_here():
    outcomes = [run(one) for one in EXPERIMENTS if one.paper is RECASENS_2011]
    checks = checks_by_id(outcomes)
    ours = [s for s in STATEMENTS if s.paper is RECASENS_2011 and s.where.startswith(OURS)]
    verdicts = {s.where: set() for s in ours}
    for statement in ours:
        verdicts[statement.where].add(statement.verdict(checks))
    assert verdicts == {
        "5.1, Tables 8 to 10": {"holds"},
        "5.1, Table 10": {"holds"},
        "5.1, Table 11": {"holds"},
        "5.3, Figure 6": {"does not hold"},
        "5.3, Figure 7": {"does not hold"},
    }
