"""Blocks of trials: the same draws and the same results wherever they are counted."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import score
from corescore.analysis.significance import resamples
from corescore.analysis.significance.exchanges import randomisation
from corescore.analysis.significance.resamples import Exchanges, Resamples, blocks_of, intervals_of
from corescore.analysis.systems.many import groups, ranking
from tests.support.strategies import corpora_of, pair_corpora

SIZES = st.integers(1, 40), st.integers(1, 60), st.integers(0, 2**32)


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of few trials, so that few documents have several."""
    monkeypatch.setattr(resamples, "_MOST_WEIGHTS", 64)


def weights(kind, n_documents, trials, seed):
    return np.hstack([b.weights for b in blocks_of(kind, n_documents, trials=trials, seed=seed)])


@given(*SIZES)
def test_exchanges_are_what_one_generator_draws(n_documents, trials, seed):
    rng = np.random.default_rng(seed)
    drawn, size = [], 2**20 // n_documents
    for first in range(0, trials, size):
        shape = min(size, trials - first), n_documents
        drawn.append(rng.integers(2, size=shape, dtype=np.int8))
    assert (weights(Exchanges, n_documents, trials, seed) == np.vstack(drawn).T).all()


@given(*SIZES)
def test_resamples_are_what_one_generator_draws(n_documents, trials, seed):
    picks = np.random.default_rng(seed).integers(n_documents, size=(trials, n_documents))
    times = [np.bincount(row, minlength=n_documents) for row in picks]
    assert (weights(Resamples, n_documents, trials, seed) == np.array(times).T).all()


@pytest.mark.parametrize("kind", [Exchanges, Resamples])
def test_all_blocks_together_draw_what_one_generator_draws(kind):
    """A corpus of so many documents that each block has few trials, and an odd number of draws."""
    n_documents, trials = 2**20 // 3 - 1, 7
    rng = np.random.default_rng(11)
    for block in blocks_of(kind, n_documents, trials=trials, seed=11):
        assert block.n_trials in (3, 1)
        own = block.draw(rng)
        assert (pickle.loads(pickle.dumps(block)).drawn == own).all()


def shuffled(seed):
    """A `Run` that counts pickled copies of the blocks in any order."""

    def run(count, stack, blocks):
        work = [(at, pickle.dumps((count, stack, block))) for at, block in enumerate(blocks)]
        Random(seed).shuffle(work)
        found = {}
        for at, pickled in work:
            own_count, own_stack, block = pickle.loads(pickled)
            found[at] = own_count(own_stack, block)
        return [found[at] for at in range(len(work))]

    return run


def outcomes(a, b, c, run):
    """Everything that is drawn, as bytes."""
    draws = {"trials": 12, "run": run}
    test = randomisation(a, b, **draws)
    of_a, of_two = intervals_of(a, **draws), intervals_of(a, b, **draws)
    all_three = {"a": a, "b": b, "c": c}
    ranks, tested = ranking(all_three, **draws), groups(all_three, "lea", **draws)
    arrays = [test.p, test.p_holm, of_a.percentile, of_a.bca, of_two.percentile, of_two.bca]
    arrays += [randomisation(a, b, **draws).exchanged_of("conll"), ranks.n_at_rank, tested.p_holm]
    return [array.tobytes() for array in arrays]


@settings(max_examples=5, deadline=None)
@given(pair_corpora(max_documents=6), st.integers(0, 100))
def test_results_are_the_same_in_whatever_order_and_process_blocks_are_counted(pairs, seed):
    key, response = corpora_of(pairs)
    tallies = [score(key, of).tally for of in (response, key, key)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resamples, "_MOST_WEIGHTS", 16)
        assert outcomes(*tallies, shuffled(seed)) == outcomes(*tallies, resamples.in_turn)


def test_two_processes_give_what_one_gives(small_blocks):
    key, response = corpora_of([([{1, 2}, {3, 4}], [{1, 2, 3}, {4}]), ([{1, 2}], [{1}, {2}])] * 4)
    tallies = [score(key, of).tally for of in (response, key, key)]
    with ProcessPoolExecutor(2) as pool:

        def run(count, stack, blocks):
            return pool.map(count, repeat(stack), blocks)

        assert outcomes(*tallies, run) == outcomes(*tallies, resamples.in_turn)
