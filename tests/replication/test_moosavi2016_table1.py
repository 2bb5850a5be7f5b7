"""Moosavi & Strube 2016, Table 1: what is claimed of it, and what its printed scores tell."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from corescore import Corpus, read
from corescore.analysis.perturbation.effects import FALL, NOT_FALL, RISE, SAME
from corescore.corpus.documents import Document
from corescore.counting.counts import MEASURES
from corescore.rendering.papers import finding
from corescore.replication.experiment import run
from corescore.replication.moosavi2016 import table1 as checks
from corescore.util import bundled
from tests.support.experiments import BY_ID

EXPERIMENT = BY_ID["moosavi2016-table1"]
FOLDER = bundled("sample_data")
KEY_LINKS, KEY_ENTITIES = 19764 - 4532, 4532
# Recall and precision of MUC, then of CEAF_e, as Table 1 prints them
PRINTED = {
    "Base": (69.31, 76.23, 54.88, 59.41),
    "More precise": (69.31, 82.29, 50.92, 55.85),
    "Less precise (a)": (69.31, 69.46, 64.82, 53.06),
    "Less precise (b)": (69.31, 74.70, 69.50, 47.61),
}


@pytest.fixture(scope="module", params=("cautious", "greedy"))
def sample(request):
    key, response = (read(FOLDER / f"{name}.conll") for name in ("key", request.param))
    return request.param, run(EXPERIMENT, EXPERIMENT.setting(key=key, response=response))


def verdicts(outcome):
    return {claim.id: check.holds for claim, check in outcome.checks}


def with_rows_of(table, system, other):
    """The table with the scores and sizes of another system in the rows of a system."""
    rows = table[table["system"] == other].assign(system=system)
    kept = table[table["system"] != system]
    return pd.concat([kept, rows], ignore_index=True)


@pytest.mark.slow
def test_claims_hold_on_the_sample_but_for_what_its_scores_do_not_show(sample):
    name, outcome = sample
    fails = {"f1-less-b"} | ({"ceafe-falls", "printed-directions"} if name == "cautious" else set())
    assert {claim for claim, holds in verdicts(outcome).items() if not holds} == fails
    assert set(verdicts(outcome).values()) == {True, False}


def test_all_claims_hold_in_print_but_those_of_less_precise_b(sample):
    _, outcome = sample
    printed = {claim.id: check.printed.holds for claim, check in outcome.checks if check.printed}
    assert {claim for claim, holds in printed.items() if not holds} == {"f1-less-b", "count-less-b"}
    assert set(printed.values()) == {True, False}


def test_another_output_does_not_have_the_sizes_that_are_claimed(sample):
    table = sample[1].table
    assert checks.mentions_lost(table).holds
    assert not checks.mentions_lost(with_rows_of(table, checks.MORE, checks.BASE)).holds
    assert checks.pairs_added(table).holds
    assert not checks.pairs_added(with_rows_of(table, checks.LESS_A, checks.LESS_B)).holds
    assert checks.large_entities_added(table).holds
    as_pairs = with_rows_of(table, checks.LESS_B, checks.LESS_A)
    assert not checks.large_entities_added(as_pairs).holds
    assert checks.pairs_and_singletons_added(table).holds
    whole = with_rows_of(table, checks.LESS_B_PRINTED, checks.LESS_B)
    assert not checks.pairs_and_singletons_added(whole).holds


def test_as_printed_each_large_entity_is_a_pair_and_singletons():
    """Of 2 to 8 two times three mentions are of three key entities; the last, 8, is left over."""
    entities = [[0, 1], [2, 3], [4, 5], [6, 7, 8]]
    key, response = (
        Corpus((Document.of_entities("d", [[(m, m + 1) for m in e] for e in side]),))
        for side in (entities, entities[:1])
    )
    outcome = run(EXPERIMENT, EXPERIMENT.setting(key=key, response=response))
    sizes = outcome.table.groupby("system")[["mentions", "entities"]].first()
    assert sizes.loc[checks.LESS_B].tolist() == [2 + 6, 1 + 2]
    assert sizes.loc[checks.LESS_B_PRINTED].tolist() == [2 + 6, 1 + 2 * (1 + 1)]
    assert verdicts(outcome)["pairs-and-singletons"]


def test_a_response_without_a_correct_link_tells_nothing_of_its_size():
    key, response = (
        Corpus((Document.of_entities("d", [[(m, m + 1) for m in e] for e in side]),))
        for side in ([[0, 1], [2, 3], [4, 5]], [[0, 2]])
    )
    told = verdicts(run(EXPERIMENT, EXPERIMENT.setting(key=key, response=response)))
    of_sizes = ("count-more", "count-less-a", "count-less-b", "pairs-and-singletons")
    assert {told[name] for name in of_sizes} == {None}


# At a glance --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_chart_has_what_each_variant_should_do_and_its_spread_over_random_draws(sample):
    _, outcome = sample
    drawn = outcome.drawn.set_index("system")
    assert {*drawn["recall_should"].drop(checks.BASE)} == {SAME}
    assert drawn["precision_should"].groupby("system").first().to_dict() == {
        checks.BASE: "",
        checks.MORE: RISE,
        **dict.fromkeys((checks.LESS_A, checks.LESS_B, checks.LESS_B_PRINTED), FALL),
    }
    setting = outcome.setting
    linked = EXPERIMENT.setting(
        {"incorrect": "linked", "seeds": 1}, key=setting.key, response=setting.response
    )
    other = run(EXPERIMENT, linked)
    of_more = other.table["system"] == checks.MORE
    assert {*other.table.loc[of_more, "recall_should"]} == {NOT_FALL}
    for measure in MEASURES:  # each reading is the other's other
        one, two = outcome.table, other.table
        np.testing.assert_allclose(one[f"{measure}_other"], two[measure].astype(float))
        np.testing.assert_allclose(two[f"{measure}_other"], one[measure].astype(float))
    for measure in MEASURES:
        low, at, high = (drawn[f"{measure}{end}"].dropna() for end in ("_low", "", "_high"))
        assert ((low <= at) & (at <= high)).all()
    spread = (drawn["f1_high"] - drawn["f1_low"]).groupby("system").max()
    assert spread[[checks.BASE, checks.MORE]].tolist() == [0, 0]  # nothing in them is random
    assert spread[checks.LESS_A] > 0


@pytest.mark.slow
def test_a_score_of_each_random_draw_lies_between_the_bounds(sample):
    setting = sample[1].setting
    values = {"seeds": 2, "seed": 4}
    of = EXPERIMENT.setting(values, key=setting.key, response=setting.response)
    bounds = run(EXPERIMENT, of).table
    each = []
    for seed in (4, 5):
        alone = {"seeds": 1, "seed": seed}
        one = EXPERIMENT.setting(alone, key=setting.key, response=setting.response)
        each.append(run(EXPERIMENT, one).table["recall"].astype(float))
    np.testing.assert_allclose(bounds["recall_low"], np.fmin.reduce(each))
    np.testing.assert_allclose(bounds["recall_high"], np.fmax.reduce(each))


def test_the_first_sentence_says_whose_recall_changes_although_none_should(sample):
    sentence = finding(sample[1], changed=False)
    changed, same = (sentence.index(names) for names in ("B³, CEAFₘ, CEAFₑ and", "MUC and LEA"))
    assert changed < same < sentence.index("observations")


def test_of_a_perfect_response_it_is_said_that_no_recall_changes(sample):
    key = sample[1].setting.key
    perfect = run(EXPERIMENT, EXPERIMENT.setting({"seeds": 1}, key=key, response=key))
    assert EXPERIMENT.finding(perfect.table).endswith("It does not.")


def test_signs_that_depend_on_the_reading_are_named_with_the_variant(sample):
    name, outcome = sample
    sentence = finding(outcome, changed=False)
    assert "CEAFₘ and CEAFₑ (Less precise (a))" in sentence
    assert ("B³ (Less precise (b))" in sentence) == (name == "greedy")
    same = outcome.table.assign(f1_other=outcome.table["f1"])
    assert "other reading" not in EXPERIMENT.finding(same)


def test_the_printed_row_b_stands_beside_both_of_its_readings(sample):
    beside = sample[1].beside(checks.SCORES).set_index(["system", "metric", "figure"])
    for of in ("recall", "precision", "f1"):
        for metric in checks.IN_TABLE_1:
            one, other = (
                beside.loc[(system, metric, of)]
                for system in (checks.LESS_B, checks.LESS_B_PRINTED)
            )
            assert one["printed"] == other["printed"]
    computed = beside["computed"].unstack("figure").unstack("system")["f1"]
    assert (computed[checks.LESS_B] != computed[checks.LESS_B_PRINTED]).all()


def test_only_the_metrics_of_the_papers_table_are_asked_whether_they_rise(sample):
    table = sample[1].table
    fallen = table["f1"].mask(table["metric"] == "ceafm", 0)
    for check in (checks.scores_rise(checks.LESS_A), checks.recall_moves(checks.LESS_A, up=True)):
        changed = table.assign(
            f1=fallen, recall=table["recall"].mask(table["metric"] == "ceafm", 0)
        )
        assert check(changed).holds == check(table).holds
    of_blanc = (table["metric"] == "blanc") & (table["system"] == checks.LESS_A)
    assert not checks.scores_rise(checks.LESS_A)(
        table.assign(f1=table["f1"].mask(of_blanc, 0))
    ).holds


def test_the_directions_of_the_printed_row_are_compared_score_by_score(sample):
    table = checks.SCORES.numbers
    renamed = table.assign(system=table["system"].replace(checks.LESS_B, checks.LESS_B_PRINTED))
    both = pd.concat([table, renamed[renamed["system"] == checks.LESS_B_PRINTED]])
    assert checks.printed_directions(both).holds
    is_one = (both["system"] == checks.LESS_B_PRINTED) & (both["metric"] == "ceafe")
    risen = both.assign(f1=both["f1"].mask(is_one, 1))
    off = checks.printed_directions(risen)
    assert not off.holds
    assert "11 of the 12, but not F1 of CEAF_e" in off.numbers


# What is printed ----------------------------------------------------------------------------------


def test_all_scores_are_there_as_printed():
    cells = checks.SCORES.cells
    assert len(cells) == 4 * 4
    scores = cells.set_index(["system", "metric"])
    for system, values in PRINTED.items():
        printed = [scores.loc[(system, of)].tolist()[:2] for of in ("muc", "ceafe")]
        assert [float(cell) for pair in printed for cell in pair] == [*values]


@pytest.mark.parametrize(
    ("system", "links", "entities"),
    [
        ("More precise", -1019.9, -54.5),
        ("Less precise (a)", 1349.8, 1350.0),
        ("Less precise (b)", 283.7, 2429.3),
    ],
)
def test_the_printed_scores_tell_how_many_links_and_entities_there_are_more(
    system, links, entities
):
    """Links of the key times recall over precision of MUC; entities by CEAF_e."""
    (r, p, re, pe), (r0, p0, re0, pe0) = PRINTED[system], PRINTED["Base"]
    assert KEY_LINKS * (r / p - r0 / p0) == pytest.approx(links, abs=0.06)
    assert KEY_ENTITIES * (re / pe - re0 / pe0) == pytest.approx(entities, abs=0.06)
    change = checks._printed_change(system)
    assert change.links.value == pytest.approx(links, abs=0.06)
    assert change.entities.value == pytest.approx(entities, abs=0.06)
    assert change.links.high - change.links.low < 2 * 5
    assert change.entities.high - change.entities.low < 2 * 3


def test_what_is_said_of_less_precise_b_has_the_arithmetic():
    """283 entities of 2,713 mentions have 2,430 links: 15,232 · 0.6931 / (13,849 + 2,430)."""
    check = checks.large_entities_added_in_print()
    precision = KEY_LINKS * Fraction(6931, 10000) / (Fraction(13849) + 2430)
    assert f"{float(100 * precision):.2f}" == "64.85"
    assert "bring MUC precision to 64.85, not 74.70" in check.numbers
    fits = checks.pairs_and_singletons_in_print().numbers
    assert fits.startswith("283.7 ± 3.9 pairs and 2,145.6 ± ")
    assert "rises by 2,429.4 ± " in fits
