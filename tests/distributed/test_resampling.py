"""Randomisation and bootstrap on a cluster have the results of one process, to the bit."""

import numpy as np
import pytest

import corescore
from corescore.analysis.significance.exchanges import randomisation
from corescore.analysis.significance.resamples import Exchanges, blocks_of, intervals_of
from corescore.distributed import OnCluster
from tests.support.synthetic import Shape, synthesise

pytestmark = pytest.mark.slow

SHAPE = Shape(documents=300, words=120, mentions=12, entities=4)
TRIALS = 8000  # three blocks


@pytest.fixture(scope="module")
def results():
    """Two responses to one key."""
    key, a = synthesise(SHAPE, np.random.default_rng(1))
    other, _ = synthesise(SHAPE, np.random.default_rng(1))
    half = len(key) // 2
    b = corescore.Corpus((*key.documents[:half], *a.documents[half:]))
    return corescore.score(key, a).tally, corescore.score(other, b).tally


def test_there_are_several_blocks():
    assert len([*blocks_of(Exchanges, SHAPE.documents, trials=TRIALS, seed=3)]) == 3


def test_randomisation_is_the_same(client, results):
    expected = randomisation(*results, trials=TRIALS, seed=3)
    found = randomisation(*results, trials=TRIALS, seed=3, run=OnCluster(client))
    assert found.p.tobytes() == expected.p.tobytes()
    assert found.p_holm.tobytes() == expected.p_holm.tobytes()
    assert (expected.p[0] < 0.01).all()


@pytest.mark.parametrize("n_systems", [1, 2])
def test_intervals_are_the_same(client, results, n_systems):
    of = results[:n_systems]
    expected = intervals_of(*of, trials=TRIALS, seed=3)
    found = intervals_of(*of, trials=TRIALS, seed=3, run=OnCluster(client))
    assert found.percentile.tobytes() == expected.percentile.tobytes()
    assert found.bca.tobytes() == expected.bca.tobytes()
