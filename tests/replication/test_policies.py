"""Experiments on data are scored by the policies that they are given."""

import pandas as pd
import pytest

from corescore import read
from corescore.analysis.perturbation.baselines import without_singletons
from corescore.corpus.problems import PolicyError
from corescore.counting.policies import Policies
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import run
from corescore.util import bundled

ON_DATA = [one for one in EXPERIMENTS if one.on_data]
MADE_OF_SINGLETONS = ("sys-sing", "key-sing", "Less precise (b), as printed")  # dropped again
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
    return [read(bundled("sample_data") / f"{name}.conll") for name in ("key", "cautious")]


def outcome(experiment, sides, policies):
    key, response = sides
    values = {one.id: "drop" for one in experiment.parameters if one.id == "left_behind"}
    return run(
        experiment, experiment.setting(values, key=key, response=response, policies=policies)
    )


@pytest.mark.slow
@pytest.mark.parametrize("experiment", ON_DATA, ids=lambda one: one.id)
def test_dropping_singletons_is_as_if_neither_side_had_any(experiment, sides):
    dropped, kept = outcome(experiment, sides, DROP), outcome(experiment, sides, Policies())
    bare = outcome(experiment, [*map(without_singletons, sides)], Policies())
    of = [name for name in ("recall", "precision", "f1", "correlation") if name in dropped.table]
    there = dropped.table["metric"].notna()
    if "system" in dropped.table:
        there = ~dropped.table["system"].isin(MADE_OF_SINGLETONS)
    pd.testing.assert_frame_equal(dropped.table.loc[there, of], bare.table.loc[there, of])
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
