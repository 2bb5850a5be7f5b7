"""Sweeps: each run is the score of what `perturb` makes, and the tables sum the runs up."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from corescore import Corpus, PolicyError, score
from corescore.analysis.perturbation import (
    Add,
    Dosed,
    Drop,
    MorePrecise,
    Repair,
    Singletons,
    parse_doses,
    perturb,
)
from corescore.analysis.perturbation.sweep import Sweep, band_table, dosed, run_table
from tests.support.samples import EVERY_PERTURBATION
from tests.support.synthetic import Shape, synthesise

DOSED = [perturbation for perturbation in EVERY_PERTURBATION if isinstance(perturbation, Dosed)]
SMALL = Shape(documents=3, words=60, mentions=20, entities=6)


@cache
def corpora():
    return synthesise(SMALL, np.random.default_rng(2))


def sweep_of(key, response, perturbation, doses=(0.0, 0.5, 1.0), seeds=(1, 2), **options):
    left_behind = options.pop("left_behind", "keep")
    result = score(key, response, **options)
    return Sweep(
        result=result,
        perturbation=perturbation,
        doses=doses,
        seeds=seeds,
        left_behind=left_behind,
    )


@pytest.mark.parametrize("perturbation", DOSED, ids=lambda p: p.spec)
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_a_run_is_the_score_of_the_perturbed_response(perturbation, singletons):
    key, response = corpora()
    policies = {"singletons": singletons, "blanc": "luo2014"}
    for left_behind, doses in (("keep", (0.0, 0.5)), ("drop", (0.5, 1.0))):
        options = {"seeds": (2,), "left_behind": left_behind, **policies}
        for run in sweep_of(key, response, perturbation, doses, **options):
            change = perturbation.at(run.dose)
            kept = {"left_behind": left_behind, "singletons": singletons}
            made = perturb(key, response, [change], seed=run.seed, **kept)
            assert_same(run.scores, score(key, made, **policies).scores)


def assert_same(scores, others):
    """Recall, precision and F1 of every metric; sums may be taken in another order."""
    assert list(scores) == list(others)
    for name, found in scores.items():
        for ratio in ("recall", "precision", "f1"):
            expected = pytest.approx(getattr(others[name], ratio), abs=1e-12, nan_ok=True)
            assert getattr(found, ratio) == expected


def test_the_doses_of_one_seed_come_before_the_next_seed():
    runs = list(sweep_of(*corpora(), Drop(), doses=(0.0, 1.0), seeds=(5, 3)))
    assert [(run.seed, run.dose) for run in runs] == [(5, 0), (5, 1), (3, 0), (3, 1)]


def test_dose_0_is_the_score_of_the_response_itself():
    key, response = corpora()
    for run in sweep_of(key, response, Repair(), doses=(0.0,)):
        assert_same(run.scores, score(key, response).scores)


def test_documents_that_the_response_lacks_count():
    key, response = corpora()
    lacking = Corpus(response.documents[1:])
    (run,) = sweep_of(key, lacking, Repair(), doses=(1.0,), seeds=(1,))
    assert run.scores["muc"].recall == 1


def test_the_signature_names_policies_perturbation_and_leavings():
    sweep = sweep_of(*corpora(), Drop(of="right", share=0.3), left_behind="drop", singletons="drop")
    *policies, perturbation, left_behind = sweep.signature.split(" | ")
    assert "singletons drop" in policies
    assert (perturbation, left_behind) == ("drop:of=correct", "left behind drop")


def test_the_table_of_runs_has_a_row_for_each_metric_of_each():
    sweep = sweep_of(*corpora(), Drop(), doses=(0.0, 0.5), seeds=(1, 2, 3))
    runs = list(sweep)
    assert len(runs) == len(sweep) == 6
    table = run_table(runs, ["lea", "conll"])
    assert list(table.columns) == ["dose", "seed", "metric", "recall", "precision", "f1"]
    assert len(table) == 6 * 2
    assert table["recall"].isna().tolist() == [False, True] * 6
    assert table["f1"].tolist() == [run.scores[m].f1 for run in runs for m in ("lea", "conll")]


def test_bands_are_means_and_quantiles_over_the_seeds():
    rows = [(dose, seed, "muc", seed / 10, dose, dose) for seed in range(11) for dose in (0.0, 0.5)]
    runs = pd.DataFrame(rows, columns=["dose", "seed", "metric", "recall", "precision", "f1"])
    table = band_table(runs).set_index(["dose", "metric", "measure"])
    assert table.index.tolist() == [
        (dose, "muc", measure) for dose in (0.0, 0.5) for measure in ("recall", "precision", "f1")
    ]
    assert table.loc[(0.5, "muc", "recall")].tolist() == pytest.approx([0.5, 0.1, 0.9])
    assert table.loc[(0.5, "muc", "f1")].tolist() == [0.5, 0.5, 0.5]
    wide = band_table(runs, band=(0.0, 1.0)).set_index(["dose", "metric", "measure"])
    assert wide.loc[(0.0, "muc", "recall")].tolist() == pytest.approx([0.5, 0, 1])


def test_metrics_keep_their_order_in_the_bands_and_conll_has_only_an_f1():
    runs = run_table(sweep_of(*corpora(), Add(), doses=(0.5,)), ["muc", "bcub", "conll"])
    table = band_table(runs)
    assert table["metric"].tolist() == ["muc"] * 3 + ["bcub"] * 3 + ["conll"]
    assert table["measure"].tolist()[-1] == "f1"


@pytest.mark.parametrize(
    ("text", "doses"),
    [
        ("0:1:0.25", (0, 0.25, 0.5, 0.75, 1)),
        ("0:0.3:0.1", (0, 0.1, 0.2, 0.3)),
        ("0:1:0.3", (0, 0.3, 0.6, 0.9)),
        ("0.5:0.5:1", (0.5,)),
        ("0,0.07,1", (0, 0.07, 1)),
        ("0.5", (0.5,)),
    ],
)
def test_doses_are_ranges_with_their_stop_or_lists(text, doses):
    assert parse_doses(text) == doses


def test_five_percent_steps_are_twenty_one_doses():
    assert parse_doses("0:1:0.05") == tuple(n / 20 for n in range(21))


@pytest.mark.parametrize(
    "text", ["", "a", "0:1", "0:1:0", "0:1:-1", "1:0:0.1", "0:1:1e-9", "0:1:nan"]
)
def test_other_doses_are_refused(text):
    with pytest.raises(PolicyError, match="expected start:stop:step or numbers with commas"):
        parse_doses(text)


def test_what_cannot_be_swept_is_refused_before_it_starts():
    with pytest.raises(PolicyError, match="singletons has no dose to vary; expected one of: more-"):
        dosed(Singletons())
    assert dosed(MorePrecise()) == MorePrecise()
    with pytest.raises(PolicyError, match=r"share of drop is 1\.5; .* 0 to 1"):
        sweep_of(*corpora(), Drop(), doses=(0.5, 1.5))
    with pytest.raises(PolicyError, match="seed is -1"):
        sweep_of(*corpora(), Drop(), seeds=(-1,))
    with pytest.raises(PolicyError, match="left behind is 'away'"):
        sweep_of(*corpora(), Drop(), left_behind="away")
