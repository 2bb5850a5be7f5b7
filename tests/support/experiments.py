"""The experiments on data, each run once in a process on the sample."""

from functools import cache

from corescore import read
from corescore.replication.experiment import run
from corescore.util import bundled
from tests.support.samples import BY_ID
from tests.support.strategies import corpora_of


@cache
def side_of_sample(name):
    return read(bundled("sample_data") / f"{name}.conll")


def on(experiment, key, response, **values):
    """The outcome of an experiment by its id on two corpora."""
    return run(BY_ID[experiment], BY_ID[experiment].setting(values, key=key, response=response))


def on_toy(experiment, key, response, **values):
    """That on entities of one document, each a collection of positions."""
    return on(experiment, *corpora_of([(key, response)]), **values)


@cache
def on_sample(experiment, response, **values):
    """That on the sample's key and a response of it."""
    return on(experiment, side_of_sample("key"), side_of_sample(response), **values)


def holding(outcome):
    """Whether each claim holds, by its id."""
    return {claim.id: check.holds for claim, check in outcome.checks}
