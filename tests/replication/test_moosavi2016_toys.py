"""The experiments of Moosavi & Strube 2016 on toys: Figures 4 to 7 and Table 3, and all claims."""

from fractions import Fraction

import pytest

from corescore import PolicyError
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.replication.experiment import in_paper, run
from corescore.replication.moosavi2016.figs6_7 import weight_of_error
from tests.support.experiments import BY_ID, f1_of, scores_of
from tests.support.half import exactly

TOYS = [
    f"moosavi2016-{name}"
    for name in (
        *("fig1", "fig2", "fig3", "fig4-5", "fig6", "fig7", "fig8"),
        *("table3", "repeats"),
    )
]

# The only claims that do not hold, by how they begin
FALSE = {
    "moosavi2016-fig3": {"BLANC is at least 20%"},
    "moosavi2016-fig4-5": {"B³, CEAF and LEA"},
    "moosavi2016-fig8": {"Mentions alone earn nothing"},
    "moosavi2016-repeats": {"Repeated mentions in several"},
    "moosavi2016-table3": {"The printed scores match"},
}


@pytest.fixture(scope="module")
def outcomes():
    return {name: in_paper(BY_ID[name]) for name in TOYS}


# Claims -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOYS)
def test_claims_hold_but_for_those_known_to_be_false(name, outcomes):
    wrong = {claim.says for claim, check in outcomes[name].checks if not check.holds}
    expected = FALSE.get(name, set())
    assert {begin for begin in expected for says in wrong if says.startswith(begin)} == expected
    assert len(wrong) == len(expected)


def test_a_claim_is_told_by_its_numbers(outcomes):
    numbers = {
        (name.removeprefix("moosavi2016-"), claim.id): check.numbers
        for name in TOYS
        for claim, check in outcomes[name].checks
    }
    assert numbers["fig7", "only-lea"].startswith(
        "2-0 less the better of 1-2 and 1-10, in points: LEA +0.02, MUC 0.00, B³ −0.20,"
    )
    assert numbers["fig6", "more-than-muc"] == "different scores of 8 responses: LEA 8, MUC 2"
    assert numbers["fig6", "muc-merged"] == (  # 36/37 by 18 of 19 links; 42/43 and 24/34
        "MUC: singletons 97.30, entities of ten 97.30; B³: singletons 97.67, entities of ten 70.59"
    )
    assert numbers["fig7", "more-than-muc"] == "different scores of 8 responses: LEA 7, MUC 3"
    assert "37.23 points apart" in numbers["fig4-5", "equal-by-captions"]
    assert "35.29, the paper prints 32.29" in numbers["table3", "as-printed"]
    assert "less at 90, 100%" in numbers["fig3", "blanc-far-above"]


@pytest.mark.slow
@pytest.mark.parametrize("name", TOYS)
def test_a_metric_of_ones_own_is_in_every_table_and_changes_no_claim(name, outcomes):
    experiment = BY_ID[name]
    with_own = run(experiment, experiment.setting(metrics=(*METRICS, MENTIONS)))
    assert set(with_own.table["metric"]) == {*outcomes[name].table["metric"], "mentions"}
    holds = [[check.holds for _, check in o.checks] for o in (with_own, outcomes[name])]
    assert holds[0] == holds[1]


@pytest.mark.parametrize("name", TOYS)
def test_without_the_metrics_that_a_claim_names_there_is_nothing_to_tell(name):
    experiment = BY_ID[name]
    alone = run(experiment, experiment.setting(metrics=(MENTIONS,)))
    assert not {*alone.table["metric"]} & {*METRIC_IDS}
    told = [c.says for c, v in alone.checks if v.holds is not None]
    begins = {"Merging has the effect", "Missing mentions have the effect", "It does not matter"}
    begins.add("Counted in links")
    assert all(any(claim.startswith(begin) for begin in begins) for claim in told)


@pytest.mark.parametrize("name", TOYS)
def test_a_chart_draws_columns_of_its_table(name, outcomes):
    outcome = outcomes[name]
    chart = outcome.experiment.chart
    drawn = outcome.drawn
    assert {chart.x, chart.y, "metric", *([chart.facet] if chart.facet else [])} <= {*drawn}
    assert not drawn.duplicated([chart.x, "metric", *([chart.facet] if chart.facet else [])]).any()


# Figures 4 to 7 -----------------------------------------------------------------------------------


def test_figures_4_and_5_draw_the_correct_links_beside_the_metrics(outcomes):
    outcome = outcomes["moosavi2016-fig4-5"]
    drawn = outcome.drawn[outcome.drawn["metric"] == "correct_links"]
    by_order = drawn.set_index(["order", "entities"])
    assert by_order["f1"]["decreasing size", 2] == exactly(Fraction(190 + 45, 326))
    assert by_order["f1"]["increasing size", 11] == exactly(Fraction(10 + 6, 326))
    assert by_order["resolved"]["increasing size", 11] == exactly(Fraction(11, 17))
    assert len(drawn) == 2 * 18


def test_figures_4_and_5_end_with_everything_right(outcomes):
    table = outcomes["moosavi2016-fig4-5"].table
    assert (table.loc[table["share"] == 1, "f1"] == 1).all()
    assert set(table.loc[table["share"] == 1, "order"]) == {"decreasing size", "increasing size"}


@pytest.mark.parametrize(
    ("metric", "recall"),
    [
        ("muc", Fraction(19 + 9 + 9, 79 - 17)),
        ("bcub", Fraction(20 + 10 + 10, 79)),
        ("ceafm", Fraction(20 + 10 + 10, 79)),
        ("ceafe", Fraction(3, 17)),
        ("lea", Fraction(20 + 10 + 10, 79)),
    ],
)
def test_the_three_largest_entities_alone(metric, recall, outcomes):
    where = {"order": "decreasing size", "entities": 3}
    assert scores_of(outcomes["moosavi2016-fig4-5"], metric, "recall", **where) == exactly(recall)
    f1 = scores_of(outcomes["moosavi2016-fig4-5"], metric, **where)
    assert f1 == exactly(f1_of(recall))


@pytest.mark.parametrize(
    ("parts", "metric", "recall", "precision"),
    [
        ("10-10", "muc", Fraction(61, 62), 1),
        ("5-3-2", "muc", Fraction(60, 62), 1),
        ("18-2", "bcub", (59 + Fraction(18**2 + 2**2, 20)) / 79, 1),
        ("5-3-2", "ceafm", Fraction(79 - 3 - 2, 79), Fraction(79 - 3 - 2, 79)),
        ("2-2", "ceafe", (16 + Fraction(2, 3)) / 17, (16 + Fraction(2, 3)) / 18),
        ("10-10", "ceafe", (16 + Fraction(2, 3)) / 17, (16 + Fraction(2, 3)) / 18),
        ("16-4", "lea", (59 + 20 * Fraction(120 + 6, 190)) / 79, 1),
    ],
)
def test_an_entity_of_the_key_in_parts(parts, metric, recall, precision, outcomes):
    outcome = outcomes["moosavi2016-fig6"]
    there = {"parts": parts, "way": "split"}
    back = {"parts": parts, "way": "merged"}
    assert scores_of(outcome, metric, "recall", **there) == exactly(recall)
    assert scores_of(outcome, metric, "precision", **there) == exactly(precision)
    assert scores_of(outcome, metric, "recall", **back) == exactly(precision)
    assert scores_of(outcome, metric, "precision", **back) == exactly(recall)


@pytest.mark.parametrize(
    ("extra", "metric", "precision"),
    [
        ("1-2", "lea", (77 + 3 * Fraction(1, 3)) / 80),
        ("1-10", "lea", (69 + 11 * Fraction(45, 55)) / 80),  # the same: 78/80
        ("2-0", "lea", Fraction(79, 81)),
        ("2-10", "muc", Fraction(62, 64)),
        ("3-0", "muc", Fraction(62, 64)),
        ("3-2", "bcub", (77 + Fraction(2 * 2, 5)) / 82),
    ],
)
def test_extra_mentions_cost_precision_alone(extra, metric, precision, outcomes):
    outcome = outcomes["moosavi2016-fig7"]
    assert scores_of(outcome, metric, "precision", way="extra", extra=extra) == exactly(precision)
    assert scores_of(outcome, metric, "recall", way="extra", extra=extra) == 1
    assert scores_of(outcome, metric, "recall", way="missing", extra=extra) == exactly(precision)


@pytest.mark.parametrize(
    ("n", "k", "weight"),
    [
        *((n, 1, 2) for n in (2, 3, 10, 20)),
        (2, 2, Fraction(4 * 5, 6)),
        (10, 2, Fraction(12 * 21, 66)),
        (2, 3, Fraction(5 * 9, 10)),
        (10, 3, Fraction(13 * 33, 78)),
    ],
)
def test_what_extra_mentions_weigh_in_leas_precision(n, k, weight, outcomes):
    """The entity's size times its wrong links over all of its links."""
    assert weight_of_error(n, k) == weight
    if n in (2, 10):
        precision = scores_of(
            outcomes["moosavi2016-fig7"], "lea", "precision", way="extra", extra=f"{k}-{n}"
        )
        assert (1 - precision) * (79 + k) == exactly(weight)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("moosavi2016-fig6", {"parts": "18-3"}),
        ("moosavi2016-fig6", {"parts": "20-0"}),
        ("moosavi2016-fig7", {"extra": "1-3"}),
        ("moosavi2016-fig7", {"extra": "0-2"}),
        ("moosavi2016-fig7", {"extra": "1-2-3"}),
    ],
)
def test_what_does_not_fit_the_key_is_refused(name, values):
    with pytest.raises(PolicyError, match="expected"):
        run(BY_ID[name], BY_ID[name].setting(values))
