"""Moosavi & Strube 2016: its curves, passage and toys; its Tables 1, 4 and 5."""

import re
from fractions import Fraction

import numpy as np
import pytest

from corescore import PolicyError
from corescore.analysis.perturbation.sweep import FALL, NOT_FALL, RISE, SAME
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.standard import LEA
from corescore.rendering.papers import finding
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import in_paper, run
from corescore.replication.moosavi2016 import systems as checks
from corescore.replication.moosavi2016.systems import (
    TABLE_5,
)
from corescore.replication.moosavi2016.toys import passage, responses, weight_of_error
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
    names = ("fig2", "fig3", "fig8", "table3", "repeats")
    return {name: in_paper(BY_ID[f"moosavi2016-{name}"]) for name in names}


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
    "name, expected",
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


# Moosavi & Strube 2016, Table 1 -------------------------------------------------------------------

TABLE_1, TABLE_4 = "moosavi2016-table1", "moosavi2016-table4"
every_response = pytest.mark.parametrize("response", ["cautious", "greedy"])


def test_claims_hold_but_for_what_the_other_sample_does_not_show():
    told = holding(on_sample(TABLE_1, "cautious"))
    assert {name for name in told if not told[name]} == {"f1-less-b", "ceafe-falls"}


def test_counts_are_those_of_the_responses():
    """Of c to i the pairs are three, cannot be more; by threes c, e, g and d, f, h, without i."""
    outcome = on_toy(TABLE_1, sets("ab cd ef ghi"), sets("ab"))
    sizes = outcome.table.groupby("system")[["mentions", "entities"]].first()
    assert sizes.loc[checks.LESS_A].tolist() == [2 + 6, 1 + 3]
    assert sizes.loc[checks.LESS_B].tolist() == [2 + 6, 1 + 2]
    told = outcome.by_claim
    assert (told["count-less-a"].holds, told["count-less-b"].holds) == (True, True)
    assert told["count-less-b"].numbers == "2 wrong entities added; 6 mentions in them; (a) adds 3"
    both = outcome.table.replace({"system": {checks.LESS_A: "a", checks.LESS_B: checks.LESS_A}})
    by_id = {claim.id: claim for claim in BY_ID[TABLE_1].claims}
    assert by_id["count-less-a"].check(both).holds is False  # of three mentions each
    told = holding(on_toy(TABLE_1, sets("ab cd ef"), sets("ac")))  # without a correct link
    assert (told["count-more"], told["count-less-a"]) == (True, True)


# At a glance --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_chart_has_what_each_variant_should_do():
    outcome = on_sample(TABLE_1, "greedy")
    drawn = outcome.drawn.set_index("system")
    assert {*drawn["recall_should"].drop(checks.BASE)} == {SAME}
    assert drawn["precision_should"].groupby("system").first().to_dict() == {
        checks.BASE: "",
        checks.MORE: RISE,
        **dict.fromkeys((checks.LESS_A, checks.LESS_B), FALL),
    }
    other = on_sample(TABLE_1, "greedy", incorrect="linked")
    of_more = other.table["system"] == checks.MORE
    assert {*other.table.loc[of_more, "recall_should"]} == {NOT_FALL}
    for measure in MEASURES:
        one, two = outcome.table, other.table  # each reading is the other's other
        np.testing.assert_allclose(one[f"{measure}_other"], two[measure].astype(float))
        np.testing.assert_allclose(two[f"{measure}_other"], one[measure].astype(float))


@every_response
def test_the_first_sentence_names_whose_recall_changes_and_where_signs_depend_on_the_reading(
    response,
):
    outcome = on_sample(TABLE_1, response)
    sentence = finding(outcome, changed=False)
    changed, same = (sentence.index(names) for names in ("B³, CEAFₘ, CEAFₑ and", "MUC and LEA"))
    assert changed < same < sentence.index("observations")
    assert "CEAFₘ and CEAFₑ (Less precise (a))" in sentence
    assert ("B³ (Less precise (b))" in sentence) == (response == "greedy")
    told = BY_ID[TABLE_1].finding
    assert "other reading" not in told(outcome.table.assign(f1_other=outcome.table["f1"]))
    perfect = on_toy(TABLE_1, sets("ab cd"), sets("ab cd"))
    assert told(perfect.table).endswith("It does not.")


def test_only_the_metrics_of_the_papers_table_are_asked_whether_they_rise():
    table = on_sample(TABLE_1, "greedy").table
    claims = {claim.id: claim for claim in BY_ID[TABLE_1].claims}
    changed = table.copy()
    changed.loc[table["metric"] == "ceafm", ["f1", "recall"]] = 0
    for name in ("f1-less-a", "recall-less-a"):
        assert claims[name].check(changed).holds == claims[name].check(table).holds
    of_blanc = (table["metric"] == "blanc") & (table["system"] == checks.LESS_A)
    fallen = table.assign(f1=table["f1"].mask(of_blanc, 0))
    assert not claims["f1-less-a"].check(fallen).holds


# Moosavi & Strube 2016, Table 4: boundary systems -------------------------------------------------


def test_every_claim_holds_on_the_other_sample():
    assert {*holding(on_sample(TABLE_4, "cautious")).values()} == {True}


def test_the_mentions_of_the_key_alone_and_together():
    outcome, key = on_sample(TABLE_4, "greedy"), side_of_sample("key")
    sizes = [len(entity) for document in key for entity in document.entities]
    n, links = sum(sizes), sum(sizes) - len(sizes)
    for system, metric, measure, expected in (
        ("key-sing", "muc", "f1", 0),
        ("key-sing", "lea", "recall", Fraction(sizes.count(1), n)),
        ("key-sing", "bcub", "recall", Fraction(len(sizes), n)),
        ("key-sing", "bcub", "precision", 1),
        ("key-1ent", "muc", "recall", 1),
        ("key-1ent", "muc", "precision", Fraction(links, n - len(key))),
    ):
        assert scores_of(outcome, metric, measure, system=system) == exactly(expected)


OF_LINKS = ("sys-1ent", "key-1ent-muc", "key-1ent-parts")


@pytest.mark.parametrize(
    "key, response, expected",
    [
        # Full recall of no links is neither true nor false
        ("", "", dict.fromkeys((*OF_LINKS, "sys-sing", "key-sing-bcub"))),
        ("a b", "a b", dict.fromkeys(OF_LINKS) | {"sys-sing": True, "key-sing-bcub": True}),
        # One entity of the key loses to a perfect response
        (
            "ab cd",
            "ab cd",
            {"key-1ent-muc": False, "key-1ent-parts": True, "key-1ent-bcub": True},
        ),
        # A response that finds nothing: B³ and CEAFₑ give no credit either
        ("ab", "cd", {"sys-sing": False}),
    ],
)
def test_what_small_files_tell(key, response, expected):
    told = holding(on_toy(TABLE_4, sets(key), sets(response)))
    assert {name: told[name] for name in expected} == expected


# Moosavi & Strube 2016, Table 5: averages and ranks -----------------------------------------------


def test_the_moves_are_those_against_the_average():
    moves = in_paper(TABLE_5).table.set_index(["system", "metric"])["moves"]
    assert moves["xu", "lea"] == 5 - 9


FIGURES = ("fig1", "fig2", "fig3", "fig4-5", "fig6", "fig7", "fig8", "table3", "repeats")
TOYS = [f"moosavi2016-{name}" for name in FIGURES]


@pytest.fixture(scope="module")
def outcomes_of_toys():
    return {name: in_paper(BY_ID[name]) for name in TOYS}


# Claims -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "experiment, claim, numbers",
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
def test_a_claim_is_told_by_its_numbers(experiment, claim, numbers, outcomes_of_toys):
    assert numbers in outcomes_of_toys[f"moosavi2016-{experiment}"].by_claim[claim].numbers


@pytest.mark.parametrize("name", TOYS)
def test_without_the_metrics_that_a_claim_names_there_is_nothing_to_tell(name):
    experiment = BY_ID[name]
    alone = run(experiment, experiment.setting(metrics=(MENTIONS,)))
    assert not {*alone.table["metric"]} & {*METRIC_IDS}
    told = [c.says for c, v in alone.checks if v.holds is not None]
    begins = "Merging has the effect|Missing mentions have the effect|It does not matter|Counted in"
    assert all(re.match(begins, claim) for claim in told)


# Figures 4 to 7 -----------------------------------------------------------------------------------


def test_figures_4_and_5_draw_the_correct_links_and_end_with_everything_right(outcomes_of_toys):
    outcome = outcomes_of_toys["moosavi2016-fig4-5"]
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
    "n, k, weight",
    [
        *((n, 1, 2) for n in (2, 20)),
        (10, 2, Fraction(12 * 21, 66)),
        (10, 3, Fraction(13 * 33, 78)),
    ],
)
def test_what_extra_mentions_weigh_in_leas_precision(n, k, weight, outcomes_of_toys):
    """The entity's size times its wrong links over all of its links."""
    assert weight_of_error(n, k) == weight
    if n in (2, 10):
        precision = scores_of(
            outcomes_of_toys["moosavi2016-fig7"], "lea", "precision", way="extra", extra=f"{k}-{n}"
        )
        assert (1 - precision) * (79 + k) == exactly(weight)


@pytest.mark.parametrize(
    "figure, parameter, text",
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
