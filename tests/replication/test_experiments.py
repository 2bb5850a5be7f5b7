"""What holds for all experiments, and our own."""

from collections import Counter
from fractions import Fraction
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
from corescore import InputError
from corescore.analysis.long_documents import by_window
from corescore.analysis.perturbation import without_singletons
from corescore.corpus.problems import PolicyError
from corescore.counting.policies import Policies
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.own import load_metrics
from corescore.replication import EXPERIMENTS, current
from corescore.replication.claims import COMPARED
from corescore.replication.conformance import QUESTIONS, conformance
from corescore.replication.experiment import in_paper, run
from corescore.replication.moosavi2016.curves import (
    FIGURE_3,
    WRONG,
    correct_entities,
    correct_links,
    entity_numbers,
    ordered,
    wrongly_linked,
)
from corescore.replication.ours import LOSSES, SPLIT, WINDOWS
from corescore.replication.partitions import of_sizes, read_parts, read_sizes
from corescore.util import bundled
from tests.support.experiments import holding, on, side_of_sample
from tests.support.own_metric import OWN_OF_OWN_METRIC as OWN
from tests.support.samples import BY_ID

# What holds for all experiments: their names, and the names of their claims -----------------------


def test_no_two_experiments_have_or_had_the_same_name():
    names = Counter(name for one in EXPERIMENTS for name in (one.id, *one.former))
    assert max(names.values()) == 1
    for one in EXPERIMENTS:
        assert {current(name) for name in (one.id, *one.former)} == {one.id}


# These have scores of their own, or published ones, and do not score by the reader's metrics.
OWN_SCORES = {
    *("recasens2011-fig7", "recasens2011-table2", "recasens2011-tables3-16"),
    *("recasens2011-tables14-15", "moosavi2016-table5", "luo2014-boundaries", "luo2014-systems"),
    "paun2023-split-antecedents",
}


@pytest.mark.parametrize("one", [one for one in EXPERIMENTS if not one.on_data])
def test_a_metric_of_ones_own_is_in_every_table_and_changes_no_claim(one):
    plain, with_own = in_paper(one), run(one, one.setting(metrics=(*METRICS, MENTIONS)))
    assert holding(with_own) == holding(plain)
    if one.id not in OWN_SCORES:
        assert {*with_own.table["metric"]} == {*plain.table["metric"], "mentions"}


# Experiments on data are scored by the policies that they are given -------------------------------

ON_DATA = [one for one in EXPERIMENTS if one.on_data]
REFUSED = {
    "singletons": "e2e",
    "repeats": "all",
    "match": "head",
    "lookup": "table",
    "mentions": "np-only",
    "zeros": "drop",
}
DROP = Policies(singletons="drop")


@pytest.fixture(scope="module")
def sides():
    return [*map(side_of_sample, ("key", "greedy"))]


def outcome(experiment, sides, policies):
    key, response = sides
    return run(experiment, experiment.setting(key=key, response=response, policies=policies))


@pytest.mark.slow
@pytest.mark.parametrize("experiment", ON_DATA)
def test_dropping_singletons_is_as_if_neither_side_had_any(experiment, sides):
    dropped, kept = outcome(experiment, sides, DROP), outcome(experiment, sides, Policies())
    bare = outcome(experiment, [*map(without_singletons, sides)], Policies())
    of = [name for name in ("recall", "precision", "f1", "correlation") if name in dropped.table]
    pd.testing.assert_frame_equal(dropped.table[of], bare.table[of])
    assert not dropped.table[of].equals(kept.table[of])
    assert "singletons drop" in dropped.signature
    assert "singletons keep" in kept.signature


def test_policies_that_no_experiment_obeys_are_refused(sides):
    key, response = sides
    for experiment in EXPERIMENTS:
        if not experiment.on_data:
            with pytest.raises(PolicyError, match="expected no policies"):
                experiment.setting(policies=DROP)
        for name, values in experiment.allowed.items():
            other = Policies(**{name: REFUSED[name]})
            with pytest.raises(PolicyError, match=f"expected one of: {', '.join(values)}"):
                experiment.setting(key=key, response=response, policies=other)


# Experiments that no paper prints: what they list is what the analyses say ------------------------


def test_losses_are_those_of_the_decomposition_in_its_order(sides):
    made = on(LOSSES.id, *sides)
    table = corescore.score(*sides).decomposition.table
    f1 = table[table["measure"] == "f1"]
    assert made.table["f1"].tolist() == f1["loss"].tolist()
    assert made.table["part"].tolist() == f1["part"].tolist()
    assert made.table["concerned"].tolist() == f1["mentions"].tolist()
    assert made.drawn["F1, points"].tolist() == pytest.approx([100 * one for one in f1["loss"]])


def test_windows_end_with_the_texts_as_they_are(sides):
    made = on(WINDOWS.id, *sides)
    expected = by_window(corescore.score(*sides))
    assert made.table["f1"].tolist() == expected["f1"].tolist()
    assert made.table["words"].iloc[-1] == max(len(one.words) for one in sides[0])
    assert {*made.table["metric"]} == {*METRIC_IDS, "conll"}


def test_scores_with_without_and_of_sets_alone_are_those_of_the_files_of_the_sample():
    made = run(SPLIT)
    f1 = made.table.set_index(["response", "use", "metric"])["f1"].sort_index()
    sides = (
        bundled("sample_data") / "split_antecedents" / f"{side}.conllua" for side in ("key", "sets")
    )
    result = corescore.score(*sides, split_antecedents="score")
    assert f1["names the sets", "scored"].to_dict() == {
        one: result[one].f1 for one in (*METRIC_IDS, "conll")
    }
    assert set(f1["names none", "alone"]) == set(f1["names none", "worth of a set"]) == {0}
    # MUC counts one link for an element of one mention; "the old man" is not in Mr Lund's entity
    of_six = [1, Fraction(2, 3), Fraction(1, 2), Fraction(4, 5), Fraction(6, 7), 1]
    assert f1["names the sets", "worth of a set", "muc"] == pytest.approx(float(sum(of_six) / 6))


# Responses that grow, and how sizes and parts are read --------------------------------------------

SIZES = st.lists(st.integers(2, 8), min_size=2, max_size=6)

CHOICES = {one.id: one.choices for one in FIGURE_3.parameters}


@given(SIZES, st.sampled_from(CHOICES["order"]), st.floats(0, 1), st.integers(0, 9))
def test_correct_entities_are_parts_of_the_keys_that_just_reach_the_share(
    sizes, order, share, seed
):
    key = of_sizes(sizes)
    entity_of = entity_numbers(key)
    mentions = ordered(key, order, np.random.default_rng(seed))
    assert sorted(mentions) == sorted(entity_of)
    right = correct_entities(key, mentions, share)
    assert all(len({entity_of[m] for m in entity}) == 1 < len(entity) for entity in right)
    n_links, there = correct_links(key, entity_of), {*chain.from_iterable(right)}
    assert correct_links(right, entity_of) >= share * n_links - 1e-6
    if there:
        last = next(m for m in reversed(mentions) if m in there)
        before = [[m for m in entity if m != last] for entity in right]
        assert correct_links(before, entity_of) < share * n_links


@given(SIZES, st.sampled_from(CHOICES["partners"]), st.floats(0, 1), st.integers(0, 9))
def test_every_other_mention_has_a_partner_that_is_not_coreferent(sizes, partners, share, seed):
    key, rng = of_sizes(sizes), np.random.default_rng(seed)
    entity_of = entity_numbers(key)
    right = correct_entities(key, ordered(key, "random", rng), share)
    response = wrongly_linked(key, right, rng, partners=partners)
    assert sorted(chain.from_iterable(response)) == sorted(entity_of)
    for before, after in zip(right, response, strict=False):
        assert {*before} <= {*after}
    there = {*chain.from_iterable(right)}
    for entity in response:
        numbers = {entity_of[m] for m in entity}
        assert len(numbers) > 1 or {*entity} <= there


@given(SIZES, st.sampled_from(sorted(WRONG)))
def test_wrong_entities_never_have_two_mentions_of_one_part(sizes, kind):
    parts = [[*part] for part in of_sizes(sizes)]
    entity_of = entity_numbers(parts)
    entities, alone = WRONG[kind](parts)
    assert sorted([*chain.from_iterable(entities), *alone]) == sorted(entity_of)
    assert correct_links(entities, entity_of) == 0
    n, most = sum(sizes), max(sizes)
    n_alone = {"pairs": n - 2 * min(n // 2, n - most), "groups": max(2 * most - n, 0)}
    assert len(alone) == n_alone[kind]


@pytest.mark.parametrize("text", ["20 10×2 5x3 4 2*10", "20, 10×2, 5×3, 4, 2×10"])
def test_sizes_are_read_in_several_ways_and_parts_once_each(text):
    assert read_sizes(text) == (20, 10, 10, 5, 5, 5, 4, *[2] * 10)
    assert read_parts("18-2 5-3-2, 18-2") == ((18, 2), (5, 3, 2))


@pytest.mark.parametrize(
    "figure, parameter, texts",
    [
        (
            *("fig2", "key"),
            ["", "20", "20 1", "20 x", "2×0 3", "20 -3", "400 101", "2×251", "3 2.5"],
        ),
        (
            *("fig6", "parts"),
            ["", "18", "18-", "a-b", "400-101", " ".join(f"1-{n}" for n in range(41))],
        ),
    ],
)
def test_sizes_and_parts_that_cannot_be_are_refused(figure, parameter, texts):
    for text in texts:
        with pytest.raises(PolicyError, match=r"entity sizes|the list is"):
            BY_ID[f"moosavi2016-{figure}"].setting({parameter: text})


# What a metric does where metrics differ, and metrics of the reader's own -------------------------

# Where the six part, by the papers and by their arithmetic
FAILS = {
    "no-right-link": {"bcub", "ceafm", "ceafe", "blanc"},
    "removing-incorrect": {"bcub", "ceafm", "ceafe", "blanc"},
    "adding-wrong": {"bcub", "ceafm", "ceafe", "blanc"},
    "monotone": {"ceafm", "ceafe"},
    "more-right-links": {"ceafm", "ceafe"},
    "split-size": {"muc", "ceafe"},
    "split-balance": {"muc"},
    "merging": {"muc", "ceafe"},
}


@pytest.fixture(scope="module")
def sheet():
    return conformance([metric for metric in METRICS if metric.id in COMPARED])


@pytest.mark.slow
@pytest.mark.parametrize("question", [q.id for q in QUESTIONS if q.wanted is not None])
def test_the_six_fail_where_the_papers_say_so(sheet, question):
    rows = sheet[sheet["question"] == question]
    assert set(rows.loc[rows["passes"] == False, "metric"]) == FAILS.get(question, set())  # noqa: E712


@pytest.mark.slow
def test_a_fall_of_f1_is_shown_by_its_smallest_counterexample():
    metrics = [metric for metric in METRICS if metric.id in ("ceafm", "ceafe")]
    sheet = conformance(metrics).query("question == 'monotone'").set_index("metric")
    pair = "key {a b c d}, response {c d} → {a b}{c d}: 66.67% → "
    # CEAFₘ 2/4 and 2/2, then 2/4 and 2/4; CEAFₑ 2·2/6 of 1 and of 1, then of 1 and of 2
    assert sheet.loc["ceafm", "numbers"].endswith(f"{pair}50.00%")
    assert sheet.loc["ceafe", "numbers"].endswith(f"{pair}44.44%")


@pytest.mark.slow
def test_where_both_answers_have_their_reasons_nothing_passes_or_fails(sheet):
    open_ = sheet[sheet["wanted"].isna()]
    assert set(open_["question"]) == {"singletons", "diluting", "extra-mention"}
    assert open_["passes"].isna().all()
    answers = open_.set_index(["question", "metric"])["answer"]
    assert not answers["singletons", "muc"]
    assert not answers["extra-mention", "lea"]
    assert answers["extra-mention", "bcub"]


def test_a_metric_of_ones_own_is_asked_the_same(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    sheet = conformance(load_metrics(str(path))).set_index("question")
    assert set(sheet["metric"]) == {"own"}
    assert len(sheet) == len(QUESTIONS)
    assert sheet.loc["perfect", "passes"]
    # it sees mentions only, so it pays for mentions without one right link: 78 of 79
    assert not sheet.loc["no-right-link", "passes"]
    assert "99.36%" in sheet.loc["no-right-link", "numbers"]  # 2·78 / (79 + 78)


@pytest.mark.parametrize(
    "text, line, found",
    [
        ("x = (", 1, "SyntaxError"),
        ("a = 1\nb = a / 0\n", 2, "ZeroDivisionError"),
        ("from corescore.metrics import METRICS\n", 0, "no metric"),
        (OWN.replace('id="own"', 'id="muc"'), 0, "'muc'"),
    ],
)
def test_a_file_that_makes_no_metric_is_refused_with_its_line(tmp_path, text, line, found):
    path = tmp_path / "own.py"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_metrics(str(path))
    (problem,) = caught.value.problems
    assert (problem.line, found in problem.found) == (line, True)
