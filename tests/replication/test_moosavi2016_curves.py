"""The curves of Moosavi & Strube 2016: Figures 2, 3 and 8."""

from fractions import Fraction

import pytest

from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError
from corescore.metrics.diagnostics import MENTIONS
from corescore.replication.experiment import in_paper, run
from corescore.replication.papers import STATEMENTS
from corescore.replication.partitions import of_sizes
from tests.support.experiments import BY_ID, f1_of, scores_of
from tests.support.half import exactly

CURVES = ["moosavi2016-fig2", "moosavi2016-fig3", "moosavi2016-fig8"]


@pytest.fixture(scope="module")
def outcomes():
    return {name: in_paper(BY_ID[name]) for name in CURVES}


# Figures 2, 3 and 8 -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CURVES)
def test_the_same_seeds_give_the_same_table_and_others_another(name, outcomes):
    experiment, table = BY_ID[name], outcomes[name].table
    again = experiment.run(experiment.setting({"seeds": 1}))
    assert again.equals(table[table["seed"] < 1].reset_index(drop=True))
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


def test_blanc_gains_most_where_mentions_come_but_not_where_they_go(outcomes):
    checks = outcomes["moosavi2016-fig8"].by_claim
    check = checks["blanc-most"]
    assert (check.holds, check.printed.holds) == (True, False)
    assert [one.holds for one in check.readings] == [True] * 12
    in_print = {one.name: one.holds for one in check.printed.readings}
    assert len(in_print) == 4
    assert all(holds == ("Less precise (a)" in name) for name, holds in in_print.items())
    numbers = check.printed.numbers
    assert "Less precise (a): MUC 0.00, B³ +4.70, CEAF_e +9.94, BLANC +11.22" in numbers
    assert "More precise: MUC 0.00, B³ −1.89, CEAF_e −3.96, BLANC −3.86" in numbers


# Keys with singletons, and of one's own -----------------------------------------------------------


def test_with_singletons_in_the_key_lea_pays_for_mentions_alone():
    experiment = BY_ID["moosavi2016-fig8"]
    outcome = run(experiment, experiment.setting({"key": "4 2 1×3", "seeds": 1}))
    where = {"order": "alike", "partners": "singletons", "step": 1.0}
    assert scores_of(outcome, "lea", **where) == exactly(Fraction(3, 9))
    assert {*outcome.table["key_singletons"]} == {3}


def test_it_is_said_for_which_keys_mentions_alone_earn_nothing_by_lea(outcomes):
    here = outcomes["moosavi2016-fig8"].by_claim
    assert here["muc-lea-zero"].verdict == "holds"
    alone = here["lea-mentions-alone"]
    assert alone.verdict == "depends on the reading"
    assert [one.holds for one in alone.readings] == [True, True, False]
    assert "17.71" in alone.numbers  # 17 singletons among 79 + 17 mentions
    experiment = BY_ID["moosavi2016-fig8"]
    alone = {"key": "4 2 1×3", "seeds": 1, "partners": "singletons"}
    told = run(experiment, experiment.setting(alone)).by_claim
    assert told["muc-lea-zero"].verdict == "cannot be tried"
    assert "LEA at most 50.00" in told["muc-lea-zero"].numbers  # of the three: recall 3/9


def test_a_statement_on_lea_and_mentions_alone_has_the_verdict_of_that_claim():
    (statement,) = (one for one in STATEMENTS if "mentions alone earn nothing" in one.says)
    assert ("moosavi2016-fig8", "lea-mentions-alone") in statement.claims


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
    sizes = (1, 3, 5, 1, 2, 3)
    spans = [[(m, m + 1) for m in entity] for entity in of_sizes(sizes)]
    document = Document.of_entities("d", spans)
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
        spans = [[(m, m + 1) for m in entity] for entity in of_sizes(sizes)]
        document = Document.of_entities("d", spans)
        with pytest.raises(PolicyError, match="entity sizes are"):
            experiment.values_of_key(document)
