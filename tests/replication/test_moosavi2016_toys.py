"""The experiments of Moosavi & Strube 2016 on toys: Figures 4 to 7 and Table 3, and all claims."""

import re
from fractions import Fraction

import pytest

from corescore import PolicyError
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.replication.experiment import in_paper, run
from corescore.replication.moosavi2016.toys import weight_of_error
from tests.support.own_metric import exactly
from tests.support.samples import BY_ID, scores_of

FIGURES = ("fig1", "fig2", "fig3", "fig4-5", "fig6", "fig7", "fig8", "table3", "repeats")
TOYS = [f"moosavi2016-{name}" for name in FIGURES]


@pytest.fixture(scope="module")
def outcomes():
    return {name: in_paper(BY_ID[name]) for name in TOYS}


# Claims -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("experiment", "claim", "numbers"),
    [
        (
            *("fig7", "only-lea"),
            "2-0 less the better of 1-2 and 1-10, in points: LEA +0.02, MUC 0.00, B³ −0.20,",
        ),
        ("fig6", "more-than-muc", "different scores of 8 responses: LEA 8, MUC 2"),
        # 36/37 by 18 of 19 links; 42/43 and 24/34
        (
            *("fig6", "muc-merged"),
            "MUC: singletons 97.30, entities of ten 97.30; B³: singletons 97.67, entities of ten "
            "70.59",
        ),
        ("fig7", "more-than-muc", "different scores of 8 responses: LEA 7, MUC 3"),
        ("fig3", "blanc-far-above", "less at 90, 100%"),
    ],
)
def test_a_claim_is_told_by_its_numbers(experiment, claim, numbers, outcomes):
    assert numbers in outcomes[f"moosavi2016-{experiment}"].by_claim[claim].numbers


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
    begins = "Merging has the effect|Missing mentions have the effect|It does not matter|Counted in"
    assert all(re.match(begins, claim) for claim in told)


# Figures 4 to 7 -----------------------------------------------------------------------------------


def test_figures_4_and_5_draw_the_correct_links_and_end_with_everything_right(outcomes):
    outcome = outcomes["moosavi2016-fig4-5"]
    drawn = outcome.drawn[outcome.drawn["metric"] == "correct_links"]
    by_order = drawn.set_index(["order", "entities"])
    assert by_order["f1"]["decreasing size", 2] == exactly(Fraction(190 + 45, 326))
    assert by_order["f1"]["increasing size", 11] == exactly(Fraction(10 + 6, 326))
    assert by_order["resolved"]["increasing size", 11] == exactly(Fraction(11, 17))
    assert len(drawn) == 2 * 18
    last = outcome.table[outcome.table["share"] == 1]
    assert (last["f1"] == 1).all()
    assert {*last["order"]} == {"decreasing size", "increasing size"}


@pytest.mark.parametrize(
    ("parts", "metric", "recall", "precision"),
    [
        ("5-3-2", "muc", Fraction(60, 62), 1),
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
        ("1-10", "lea", (69 + 11 * Fraction(45, 55)) / 80),
        ("2-0", "lea", Fraction(79, 81)),
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
        *((n, 1, 2) for n in (2, 20)),
        (10, 2, Fraction(12 * 21, 66)),
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
    ("figure", "parameter", "text"),
    [
        ("fig6", "parts", "18-3"),
        ("fig6", "parts", "20-0"),
        ("fig7", "extra", "1-3"),
        ("fig7", "extra", "0-2"),
        ("fig7", "extra", "1-2-3"),
    ],
)
def test_what_does_not_fit_the_key_is_refused(figure, parameter, text):
    experiment = BY_ID[f"moosavi2016-{figure}"]
    with pytest.raises(PolicyError, match="expected"):
        run(experiment, experiment.setting({parameter: text}))
