"""The experiments of Moosavi & Strube 2016: exact values and claims."""

from fractions import Fraction
from pathlib import Path

import pytest

from corescore import Corpus, PolicyError, read
from corescore.corpus.documents import Document
from corescore.installation import bundled
from corescore.metrics import METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.lea import LEA
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import run
from corescore.replication.moosavi2016 import table1
from corescore.replication.moosavi2016.table3 import PRINTED
from corescore.replication.printed import read_printed
from tests.support.half import exactly

BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}
TOYS = [
    f"moosavi2016-{name}" for name in ("fig2", "fig3", "fig4-5", "fig6", "fig7", "fig8", "table3")
]
CURVES = ["moosavi2016-fig2", "moosavi2016-fig3", "moosavi2016-fig8"]
ON_DATA = ["moosavi2016-table1", "moosavi2016-table4"]
RESPONSES = ("cautious", "greedy")
FOLDER = bundled("sample_data")

# The only claims that do not hold, by how they begin
FALSE = {
    "moosavi2016-fig2": {"It does not matter"},
    "moosavi2016-fig3": {"BLANC is at least 20 points", "It does not matter"},
    "moosavi2016-fig4-5": {"B³, CEAF_e and LEA"},
    "moosavi2016-table3": {"The printed scores match"},
}


@pytest.fixture(scope="module")
def outcomes():
    return {name: run(BY_ID[name]) for name in TOYS}


@pytest.fixture(scope="module", params=RESPONSES)
def on_data(request):
    key, response = (read(FOLDER / f"{name}.conll") for name in ("key", request.param))
    made = {
        name: run(BY_ID[name], BY_ID[name].setting(key=key, response=response)) for name in ON_DATA
    }
    return key, response, made


def f1_of(recall, precision=Fraction(1)):
    return 2 * recall * precision / (recall + precision)


def scores_of(outcome, metric, value="f1", **where):
    """The one figure of a metric at a point of an outcome."""
    table = outcome.table
    for column, wanted in {**where, "metric": metric}.items():
        table = table[table[column] == wanted]
    (figure,) = table[value]
    return figure


# Claims -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOYS)
def test_claims_hold_but_for_those_known_to_be_false(name, outcomes):
    wrong = {claim.says for claim, check in outcomes[name].checks if not check.holds}
    expected = FALSE.get(name, set())
    assert {begin for begin in expected for says in wrong if says.startswith(begin)} == expected
    assert len(wrong) == len(expected)


def test_a_claim_is_told_by_its_numbers(outcomes):
    numbers = {claim.says: check.numbers for name in TOYS for claim, check in outcomes[name].checks}
    together = (
        "LEA: two extra mentions linked to each other cost less than one linked to an entity."
    )
    assert numbers[together] == "LEA: 2-0 (98.75) > 1-2 (98.73); by 0.02 points"
    assert "37.23 points apart" in numbers["B³, CEAF_e and LEA are equal."]
    assert (
        "35.29, the paper prints 32.29"
        in numbers["The printed scores match, to a hundredth of a point."]
    )
    far_above = numbers["BLANC is at least 20 points above all the others."]
    assert "less at 90, 100 %" in far_above


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
    assert set(alone.table["metric"]) == {"mentions"}
    told = [c.says for c, v in alone.checks if v.holds is not None]
    assert {*told} <= {"Merging costs as much as splitting."} | {
        claim.says for claim in experiment.claims if claim.says.startswith("It does not matter")
    }


@pytest.mark.parametrize("name", TOYS)
def test_a_chart_draws_columns_of_its_table(name, outcomes):
    outcome = outcomes[name]
    chart = outcome.experiment.chart
    drawn = outcome.drawn
    assert {chart.x, chart.y, "metric", *([chart.facet] if chart.facet else [])} <= {*drawn}
    assert not drawn.duplicated([chart.x, "metric", *([chart.facet] if chart.facet else [])]).any()


# Figures 2, 3 and 8 -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CURVES)
def test_the_same_seeds_give_the_same_table_and_others_another(name, outcomes):
    experiment, table = BY_ID[name], outcomes[name].table
    again = experiment.run(experiment.setting({"seeds": 2}))
    assert again.equals(table[table["seed"] < 2].reset_index(drop=True))
    by_chance = table[(table["order"] == "random") & (table["metric"] == "bcub")]
    assert by_chance.pivot_table(index="seed", values="f1").duplicated().sum() == 0


@pytest.mark.parametrize("name", CURVES)
def test_a_line_lies_in_its_band(name, outcomes):
    drawn = outcomes[name].drawn
    assert (drawn["low"] <= drawn["f1"] + 1e-12).all()
    assert (drawn["f1"] <= drawn["high"] + 1e-12).all()
    assert len(drawn) == 11 * drawn["metric"].nunique()


def test_figure_2_has_nothing_that_is_wrong(outcomes):
    table = outcomes["moosavi2016-fig2"].table
    muc = table[table["metric"] == "muc"]
    assert (muc.loc[muc["step"] > 0, "precision"] == 1).all()
    assert (table.loc[table["share"] == 1, "f1"] == 1).all()


def test_figure_2_reaches_each_share_with_as_few_links_as_a_mention_brings(outcomes):
    table = outcomes["moosavi2016-fig2"].table
    past = table["share"] - table["step"]
    assert past.min() >= -1e-12
    assert past.max() < 19 / 326  # the last mention of the largest entity brings 19 links


def test_figure_3_has_all_mentions_everywhere_and_nothing_else(outcomes):
    outcome = outcomes["moosavi2016-fig3"]
    assert (outcome.table["mentions_present"] == 1).all()
    setting = outcome.experiment.setting({"seeds": 1}, metrics=(MENTIONS,))
    assert (outcome.experiment.run(setting)["f1"] == 1).all()


def test_figure_8_has_not_one_correct_link(outcomes):
    table = outcomes["moosavi2016-fig8"].table
    assert (table["share"] == 0).all()
    assert sorted({*table["mentions_present"]}) == [
        exactly(Fraction(round(7.9 * n), 79)) for n in range(11)
    ]


def test_figure_8_at_the_end_is_all_singletons(outcomes):
    where = {"order": "alike", "partners": "singletons", "seed": 0, "step": 1.0}
    bcub = scores_of(outcomes["moosavi2016-fig8"], "bcub", **where)
    assert bcub == exactly(f1_of(Fraction(17, 79)))  # 17 entities, each self-link is 1/size
    assert scores_of(outcomes["moosavi2016-fig8"], "ceafm", **where) == exactly(Fraction(17, 79))


def test_parameters_change_what_is_drawn():
    experiment = BY_ID["moosavi2016-fig2"]
    outcome = run(experiment, experiment.setting({"order": "largest", "steps": 4, "key": "3 2 2"}))
    muc = outcome.drawn[outcome.drawn["metric"] == "muc"]
    # of 3 + 1 + 1 links: the first, all of the largest entity, the same, all
    assert muc["share"].tolist() == [
        0,
        *map(exactly, (Fraction(3, 5), Fraction(3, 5), Fraction(4, 5))),
        1,
    ]


# Figures 4 to 7, and Table 3 ----------------------------------------------------------------------


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
    assert scores_of(outcome, metric, "precision", extra=extra) == exactly(precision)
    assert scores_of(outcome, metric, "recall", extra=extra) == 1


@pytest.mark.parametrize(
    ("response", "metric", "f1"),
    [
        ("cr1", "muc", f1_of(Fraction(6, 7))),
        ("cr1", "bcub", f1_of(Fraction(4 + 4, 16))),
        ("cr1", "ceafm", Fraction(1, 2)),
        ("cr1", "ceafe", f1_of(Fraction(2, 3), Fraction(1, 3))),
        ("cr1", "blanc", f1_of(Fraction(12, 28))),
        ("cr1", "lea", f1_of(Fraction(12, 28))),
        ("cr2", "muc", f1_of(Fraction(3, 7))),
        ("cr2", "bcub", f1_of(Fraction(4, 16))),
        ("cr2", "ceafm", f1_of(Fraction(4, 8))),
        ("cr2", "ceafe", Fraction(2, 3)),
        ("cr2", "blanc", Fraction(6, 17)),
        ("cr2", "lea", Fraction(6, 17)),
    ],
)
def test_table_3(response, metric, f1, outcomes):
    assert scores_of(outcomes["moosavi2016-table3"], metric, response=response) == exactly(f1)


def test_table_3_prints_what_is_cut_after_two_decimals_but_for_one(outcomes):
    outcome = outcomes["moosavi2016-table3"]
    off = [
        (row["response"], row["metric"])
        for row in PRINTED.numbers.to_dict("records")
        if int(1e4 * scores_of(outcome, row["metric"], response=row["response"]) + 1e-6)
        != round(1e4 * row["f1"])
    ]
    assert off == [("cr2", "blanc")]


# Table 1 and Table 4 ------------------------------------------------------------------------------


def test_the_effect_shows_on_the_sample_data(on_data):
    _, _, made = on_data
    assert [check.holds for _, check in made["moosavi2016-table1"].checks] == [True] * 3


def test_more_precise_is_without_the_incorrectly_resolved(on_data):
    _, _, made = on_data
    systems = (
        made["moosavi2016-table1"]
        .table.groupby("system")[["mentions", "incorrectly_resolved"]]
        .first()
    )
    base, more = systems.loc["Base"], systems.loc["More precise"]
    assert base["incorrectly_resolved"] > 0
    assert more["incorrectly_resolved"] == 0
    assert more["mentions"] == base["mentions"] - base["incorrectly_resolved"]


def test_less_precise_adds_as_many_entities_as_fit(on_data):
    key, response, made = on_data
    pairs = groups = 0
    for document in key:
        there = {*response[document.name].mentions}
        left = [sum(m not in there for m in entity) for entity in document.entities]
        n, most = sum(left), max(left)
        pairs += min(n // 2, n - most)
        groups += sorted(left)[-2]  # so many turns have two entities or more to take from
    added = made["moosavi2016-table1"].table.groupby("system")["added_entities"].first()
    assert added.to_dict() == {
        "Base": 0,
        "More precise": 0,
        "Less precise (a)": pairs,
        "Less precise (b)": groups,
    }


def test_published_counts_stand_beside_and_are_the_papers_own():
    published = read_printed(Path(table1.__file__).with_name("table1.csv"))
    assert dict(zip(published["system"], published["value"], strict=True)) == {
        "More precise": 1075,
        "Less precise (a)": 1350,
        "Less precise (b)": 283,
    }


def test_another_seed_adds_other_entities_of_the_same_number(on_data):
    key, response, made = on_data
    experiment, first = BY_ID["moosavi2016-table1"], made["moosavi2016-table1"].table
    setting = experiment.setting({"seed": 2}, key=key, response=response)
    second = experiment.run(setting)
    assert (second["added_entities"] == first["added_entities"]).all()
    assert not second.equals(first)
    assert experiment.run(setting).equals(second)


def test_an_output_without_an_error_has_nothing_to_remove_or_to_add():
    key = read(FOLDER / "key.conll")
    experiment = BY_ID["moosavi2016-table1"]
    outcome = run(experiment, experiment.setting(key=key, response=key))
    assert [check.holds for _, check in outcome.checks] == [None] * 3


def test_boundary_systems(on_data):
    key, _, made = on_data
    outcome = made["moosavi2016-table4"]
    sizes = [len(entity) for document in key for entity in document.entities]
    singles, n_mentions = sizes.count(1), sum(sizes)
    by = "All-singletons"
    assert scores_of(outcome, "muc", system=by) == 0
    assert scores_of(outcome, "lea", "recall", system=by) == exactly(Fraction(singles, n_mentions))
    assert scores_of(outcome, "bcub", "recall", system=by) == exactly(
        Fraction(len(sizes), n_mentions)
    )
    assert scores_of(outcome, "muc", "recall", system="One-entity") == 1
    assert [check.holds for _, check in outcome.checks] == [True] * 3


@pytest.mark.parametrize(
    ("entities", "told"), [([], [None, None, None]), ([[0], [1]], [True, None, None])]
)
def test_a_key_without_links_says_nothing_of_links(entities, told):
    """Full recall of no links is neither true nor false."""
    document = Document.of_entities("d", [[(m, m + 1) for m in entity] for entity in entities])
    experiment, key = BY_ID["moosavi2016-table4"], Corpus((document,))
    outcome = run(experiment, experiment.setting(key=key, response=key))
    assert [check.holds for _, check in outcome.checks] == told


@pytest.mark.parametrize("name", ON_DATA)
def test_experiments_on_data_score_what_they_are_given(name, on_data):
    key, response, _ = on_data
    experiment = BY_ID[name]
    for metrics in ((LEA,), (*METRICS, MENTIONS)):
        outcome = run(experiment, experiment.setting(metrics=metrics, key=key, response=response))
        conll = {"conll"} if len(metrics) > 1 else set()
        assert set(outcome.table["metric"]) == {metric.id for metric in metrics} | conll


@pytest.mark.parametrize("name", ON_DATA)
def test_experiments_on_data_ask_for_data(name):
    with pytest.raises(PolicyError, match="expected a key and a response"):
        BY_ID[name].setting()


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
