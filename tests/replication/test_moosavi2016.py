"""Moosavi & Strube 2016: its curves, its passage, its tables on data."""

from fractions import Fraction

import pytest

from corescore import PolicyError
from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.standard import LEA
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import in_paper, run
from corescore.replication.moosavi2016.toys import passage, responses
from corescore.replication.partitions import of_sizes
from tests.support.experiments import holding, on_sample, on_toy, side_of_sample
from tests.support.letters import sets
from tests.support.own_metric import exactly
from tests.support.samples import BY_ID, f1_of, scores_of
from tests.support.strategies import corpora_of, document_of

# The experiments of Moosavi & Strube 2016 on data: Tables 1 and 4 ---------------------------------


def test_table_1_can_leave_singletons_of_the_key_alone():
    """a is alone in the key and goes by default; the missing d, e and f make one wrong pair,
    without d, which is alone there, none."""
    sides = sets("a bc d ef"), sets("ab c")
    sizes, says = {}, {}
    for incorrect in ("all", "linked"):
        made = on_toy("moosavi2016-table1", *sides, incorrect=incorrect)
        says[incorrect] = made.by_claim["recall-more"].numbers
        table = made.table.groupby("system").first()
        sizes[incorrect] = [
            *table.loc["Base", ["incorrectly_resolved", "incorrect_singletons"]],
            table.loc["More precise", "mentions"],
            table.loc["Less precise (a)", "added_entities"],
        ]
    assert sizes == {"all": [2, 1, 1, 1], "linked": [1, 0, 2, 0]}
    assert says["all"].startswith("2 incorrectly resolved mentions removed, of which 1 is")
    assert says["linked"].startswith("1 incorrectly resolved mention removed;")
    with pytest.raises(PolicyError, match="'none'; expected one of: all, linked"):
        on_toy("moosavi2016-table1", *sides, incorrect="none")


def test_table_1_without_singletons_keeps_what_a_removal_leaves_alone():
    """{c} and {s} go first. Then a, whose one partner is spurious, is incorrectly resolved; of its
    entity b is left, which CEAFₑ pays nothing: its precision falls from (1 + 2·1/4)/2 to 1/2."""
    key, response = corpora_of([(sets("xyz ac s"), sets("xyz ab c"))])
    experiment, policies = BY_ID["moosavi2016-table1"], Policies(singletons="drop")
    made = run(experiment, experiment.setting(key=key, response=response, policies=policies))
    table = made.table.set_index(["system", "metric"])
    for system, sizes, precision in (("Base", [5, 2, 0], 0.75), ("More precise", [4, 2, 1], 0.5)):
        row = table.loc[(system, "ceafe")]
        assert [*row[["mentions", "entities", "removed_or_added"]]] == sizes
        assert row["precision"] == precision


def test_an_output_without_an_error_has_nothing_to_remove_or_to_add():
    told = holding(on_sample("moosavi2016-table1", "key"))
    assert {*told.values()} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moosavi2016-table1", "moosavi2016-table4"])
def test_experiments_on_data_score_what_they_are_given(name):
    experiment = BY_ID[name]
    key, response = map(side_of_sample, ("key", "greedy"))
    for metrics in ((LEA,), (*METRICS, MENTIONS)):
        outcome = run(experiment, experiment.setting(metrics=metrics, key=key, response=response))
        conll = {"conll"} if len(metrics) > 1 else set()
        assert set(outcome.table["metric"]) == {metric.id for metric in metrics} | conll


def test_experiments_on_data_ask_for_data():
    for experiment in EXPERIMENTS:
        if experiment.on_data:
            with pytest.raises(PolicyError, match=r"expected a key and a response|runs on data"):
                experiment.setting()


# The curves of Moosavi & Strube 2016: Figures 2, 3 and 8 ------------------------------------------

CURVES = ["fig2", "fig3", "fig8"]


@pytest.fixture(scope="module")
def outcomes():
    names = ("fig1", "fig2", "fig3", "fig8", "table3", "repeats")
    return {name: in_paper(BY_ID[f"moosavi2016-{name}"]) for name in names}


# Figures 2, 3 and 8 -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CURVES)
def test_the_same_seeds_give_the_same_table_and_a_line_lies_in_the_band_of_all(name, outcomes):
    experiment, table = outcomes[name].experiment, outcomes[name].table
    again = experiment.run(experiment.setting({"seeds": 1}))
    assert again.equals(table[table["seed"] < 1].reset_index(drop=True))
    random = run(experiment, experiment.setting({"order": "random"})).table
    bcub = random[random["metric"] == "bcub"]
    assert bcub.pivot_table(index="seed", values="f1").duplicated().sum() == 0
    drawn = outcomes[name].drawn
    assert (drawn["low"] <= drawn["f1"] + 1e-12).all()
    assert (drawn["f1"] <= drawn["high"] + 1e-12).all()
    assert len(drawn) == 11 * drawn["metric"].nunique()


def test_figure_2_has_nothing_that_is_wrong_and_as_few_links_as_a_mention_brings(outcomes):
    table = outcomes["fig2"].table
    muc = table[table["metric"] == "muc"]
    assert (muc.loc[muc["step"] > 0, "precision"] == 1).all()
    assert (table.loc[table["share"] == 1, "f1"] == 1).all()
    past = table["share"] - table["step"]
    assert past.min() >= -1e-12
    assert past.max() < 19 / 326  # the last mention of the largest entity brings 19 links


def test_figure_3_has_all_mentions_everywhere_and_nothing_else(outcomes):
    outcome = outcomes["fig3"]
    assert (outcome.table["mentions_present"] == 1).all()
    setting = outcome.experiment.setting({"seeds": 1}, metrics=(MENTIONS,))
    assert (outcome.experiment.run(setting)["f1"] == 1).all()


def test_figure_8_has_not_one_correct_link_and_ends_with_all_singletons(outcomes):
    table = outcomes["fig8"].table
    assert (table["share"] == 0).all()
    assert sorted({*table["mentions_present"]}) == [
        exactly(Fraction(round(7.9 * n), 79)) for n in range(11)
    ]
    experiment, where = outcomes["fig8"].experiment, {"seed": 0, "step": 1.0}
    alone = run(experiment, experiment.setting({"order": "alike", "partners": "singletons"}))
    bcub = scores_of(alone, "bcub", **where)
    assert bcub == exactly(f1_of(Fraction(17, 79)))  # 17 entities, each self-link is 1/size
    assert scores_of(alone, "ceafm", **where) == exactly(Fraction(17, 79))
    setting = experiment.setting({"key": "4 2 1×3", "seeds": 1, "partners": "singletons"})
    told = run(experiment, setting).by_claim["muc-lea-zero"]
    assert told.holds is None
    assert "LEA at most 50.00" in told.numbers  # three singletons of nine mentions: recall 3/9


def test_parameters_change_what_is_drawn():
    experiment = BY_ID["moosavi2016-fig2"]
    outcome = run(experiment, experiment.setting({"order": "largest", "steps": 4, "key": "3 2 2"}))
    muc = outcome.drawn[outcome.drawn["metric"] == "muc"]
    # of 3 + 1 + 1 links: the first, all of the largest entity, the same, all
    assert muc["share"].tolist() == pytest.approx([0, 3 / 5, 3 / 5, 4 / 5, 1], abs=1e-12)


# Keys with singletons, and of one's own -----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fig2", {"key": "5 3×2 2"}),
        ("fig3", {"key": "5 3×2 2"}),
        ("fig4-5", {"key": "5 3×2 2 1×2"}),
        ("fig6", {"key": "5 3×2 2", "parts": "3-2"}),
        ("fig7", {"key": "5 3×2 2", "extra": "1-2 2-0 2-2 3-0 3-2"}),
        ("fig8", {"key": "5 3×2 2 1×2"}),
    ],
)
def test_a_document_of_ones_own_is_the_key_as_far_as_the_text_allows_it(name, expected):
    document = document_of(of_sizes((1, 3, 5, 1, 2, 3)))
    experiment = BY_ID[f"moosavi2016-{name}"]
    assert experiment.takes_key
    values = experiment.values_of_key(document)
    assert values == expected
    assert not run(experiment, experiment.setting(values)).table.empty
    without = {one: value.removesuffix(" 1×2") for one, value in expected.items()}
    assert experiment.values_of_key(document, singletons="drop") == without


def test_a_document_without_a_link_or_with_too_many_mentions_is_refused():
    experiment = BY_ID["moosavi2016-fig8"]
    for sizes in ((1, 1, 1, 1), (600, 2)):
        with pytest.raises(PolicyError, match="entity sizes are"):
            experiment.values_of_key(document_of(of_sizes(sizes)))


# Moosavi & Strube 2016, Figure 1 with Tables 2 and 3, and mentions listed twice -------------------


def test_the_passage_has_each_mention_in_one_entity_and_table_2_halves_of_the_first():
    entities = passage()
    assert [len(entity) for entity in entities.values()] == [8, 2, 4, 2, 2]
    assert sorted(m for entity in entities.values() for m in entity) == [*range(1, 19)]
    cr1, cr2 = responses()["cr1"], responses()["cr2"]
    assert [len(entity) for entity in cr1] == [4, 4]
    assert {m for entity in cr1 for m in entity} == {*entities[1]}
    assert cr2 == cr1[:1]


@pytest.mark.parametrize(("number", "size"), [(1, 8), (2, 2), (3, 4), (4, 2), (5, 2)])
def test_an_entity_that_is_lost(number, size, outcomes):
    where = {"response": "all but this entity", "number": number}
    for metric, recall in {
        "muc": Fraction(13 - (size - 1), 13),
        "bcub": Fraction(18 - size, 18),
        "ceafe": Fraction(4, 5),
        "lea": Fraction(18 - size, 18),
    }.items():
        assert scores_of(outcomes["fig1"], metric, "recall", **where) == exactly(recall)
        assert scores_of(outcomes["fig1"], metric, **where) == exactly(f1_of(recall))
    numbers = outcomes["fig1"].by_claim["ceafe-sizes"].numbers
    assert "CEAFₑ 88.89, 88.89; MUC 63.16, 96.00;" in numbers


@pytest.mark.parametrize(("number", "size"), [(1, 8), (2, 2), (3, 4)])
def test_one_mention_of_an_entity_among_spurious_ones(number, size, outcomes):
    """Of 18 mentions in 5 entities one is found, in an entity of 3; another one has 2."""
    where = {"response": "one mention of this entity", "number": number}
    for metric, recall, precision in (
        ("ceafm", Fraction(1, 18), Fraction(1, 5)),
        ("ceafe", Fraction(2, (size + 3) * 5), Fraction(2, (size + 3) * 2)),
        ("bcub", Fraction(1, size) / 18, Fraction(1, 3) / 5),
        *((name, 0, 0) for name in ("muc", "blanc", "lea", "ceafm-links", "ceafe-links")),
    ):
        assert scores_of(outcomes["fig1"], metric, "recall", **where) == exactly(recall)
        assert scores_of(outcomes["fig1"], metric, "precision", **where) == exactly(precision)


# Mentions listed twice ----------------------------------------------------------------------------


def test_the_reference_scorer_sees_a_second_listing_no_more(outcomes):
    for metric in METRIC_IDS:
        once, twice = (
            scores_of(
                outcomes["repeats"],
                metric,
                response=response,
                repeats="as the reference scorer counts",
            )
            for response in ("{ab}{cd}", "{ab}{cd}{cd}")
        )
        assert once == twice > 0
