"""Tallies: what is kept of documents once they are counted adds up to what scoring them gives."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, score
from corescore.corpus.files import read_bytes
from corescore.counting.pairing import pair_documents
from corescore.metrics import NAMED, metric_of
from corescore.scoring.scores import Result, count
from corescore.scoring.tally import Tally
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.tallies import POLICIES, bits, numbers


@settings(max_examples=60)
@given(pair_corpora(max_documents=6), st.sampled_from(POLICIES), st.data())
def test_tallies_of_batches_add_up_to_that_of_the_whole_to_the_bit(pairs, policies, data):
    key, response = corpora_of(pairs)
    whole = score(key, response, **policies)
    cuts = data.draw(st.lists(st.integers(0, len(pairs)), max_size=4).map(sorted))
    batches = []
    for first, last in zip([0, *cuts], [*cuts, len(pairs)], strict=True):
        sides = (Corpus(side.documents[first:last]) for side in (key, response))
        batches.append(score(*sides, **policies).tally)
    added = replace(Tally.sum(batches), warnings=whole.warnings)
    assert bits(added) == bits(whole.tally)
    assert numbers(added) == numbers(whole)
    assert added.signature == whole.signature


@given(pair_corpora(max_documents=6), st.data())
def test_rows_of_a_tally_are_those_of_scoring_these_documents(pairs, data):
    key, response = corpora_of(pairs)
    at = data.draw(st.permutations(range(len(pairs))))[: data.draw(st.integers(0, len(pairs)))]
    sides = (Corpus(tuple(side.documents[i] for i in at)) for side in (key, response))
    own = score(*sides, average="scorch").tally
    rows = score(key, response, average="scorch").rows(np.array(at, dtype=np.int64))
    assert bits(replace(rows, warnings=own.warnings)) == bits(own)
    assert numbers(rows) == numbers(own)


def notation(*documents):
    """A corpus of documents named 1, 2, …"""
    return read_bytes("\n".join(documents).encode(), "key.txt", format="notation")


def test_a_tally_of_paired_documents_is_that_of_their_scores():
    key, response = notation("{a b} {c}", "{a b c}"), notation("{a} {b c}", "{a b} {c}")
    pairing = pair_documents(key, response)
    made = score(key, response).tally
    assert bits(count(pairing).tally) == bits(replace(made, files=()))


def test_a_tally_has_no_documents():
    tally = score(notation("{a b}"), notation("{a b}")).tally
    assert not isinstance(tally, Result)
    assert not hasattr(tally, "compared")


def test_the_sum_of_tallies_has_no_documents_even_of_scores():
    shards = [score(notation("{a b}"), notation(text)) for text in ("{a} {b}", "{a b}")]
    assert type(Tally.sum([shards[0], replace(shards[1], documents=("2",))])) is Tally


def test_a_document_counts_once():
    shard = score(notation("{a b}"), notation("{a} {b}")).tally
    with pytest.raises(ValueError, match="both have a document '1' do not add up"):
        shard + shard


def test_tallies_of_other_versions_do_not_add_up():
    shard = score(notation("{a b}"), notation("{a} {b}")).tally
    other = replace(shard, documents=("2",), version="0.0.1")
    with pytest.raises(ValueError, match=r"by corescore .* and 0\.0\.1 do not add"):
        shard + other


def test_no_tally_has_no_sum():
    with pytest.raises(ValueError, match="expected one or more"):
        Tally.sum([])


@pytest.mark.parametrize("blanc", ["reference", "luo2014", "recasens2011", "corefud"])
def test_a_tally_travels_to_another_process_and_back(blanc):
    key, response = notation("{a b} {c}"), notation("{a} {b c}")
    metrics = [metric_of("blanc"), *NAMED]
    tally = score(key, response, blanc=blanc, metrics=metrics).tally
    back = pickle.loads(pickle.dumps(tally))
    assert bits(back) == bits(tally)
    assert back.metrics == tally.metrics


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("{a b} {c d}", "{a c} {b d}"),
        ("{a b} {c d}", "{a b} {c e}"),
        ("{a b}", "{a b} {c}"),
    ],
)
def test_fingerprints_tell_keys_apart_that_have_the_same_sizes(key, other):
    one, two = (notation(text).documents[0] for text in (key, other))
    assert one.fingerprint != two.fingerprint
    assert one.fingerprint == notation(key).documents[0].fingerprint
