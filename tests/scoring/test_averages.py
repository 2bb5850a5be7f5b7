"""Averages over documents, as scorch and Stanza have them, against sets and fractions."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import corescore
from corescore.__main__ import main
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.registry import NAMED
from corescore.util import bundled
from tests.support import oracle
from tests.support.oracle_variants import alone
from tests.support.pages import html, run
from tests.support.strategies import corpora_of, pair_corpora

NAMES = (*METRIC_IDS, "conll", "mentions", "links", "rand")


def exactly(expected):
    return pytest.approx(float(expected), abs=1e-12)


def scored(pairs, average):
    return corescore.score(*corpora_of(pairs), average=average)


def n_mentions(side):
    return sum(map(len, side))


def by_scorch(metric, pairs):
    """Each document scored with its spurious mentions as singletons of the key, then weighted."""
    pairs = [
        ([*key, *alone(oracle.mentions_of(response) - oracle.mentions_of(key))], response)
        for key, response in pairs
    ]
    scores = [oracle.score(metric, [pair], empty=Fraction(0)) for pair in pairs]
    key, response = ([n_mentions(pair[side]) for pair in pairs] for side in (0, 1))
    both = [k + r for k, r in zip(key, response, strict=True)]

    def weighted(values, weights):
        total = sum(weights)
        above = sum(value * weight for value, weight in zip(values, weights, strict=True))
        return above / total if total else Fraction(0)

    f1 = weighted([score.f1 or Fraction(0) for score in scores], both)
    if metric == "conll":
        return None, None, f1
    recall = weighted([score.recall for score in scores], key)
    return recall, weighted([score.precision for score in scores], response), f1


def by_stanza(metric, pairs):
    """The means of recall and precision, 0 where empty, and F1 of the two; LEA of the sums."""
    if metric == "conll":
        f1 = [by_stanza(name, pairs)[2] for name in ("muc", "bcub", "ceafe")]
        return None, None, sum(f1, Fraction(0)) / 3
    parts = [pairs] if metric == "lea" else [[pair] for pair in pairs]
    scores = [oracle.score(metric, part, empty=Fraction(0)) for part in parts]
    recall = sum((score.recall for score in scores), Fraction(0)) / len(parts)
    precision = sum((score.precision for score in scores), Fraction(0)) / len(parts)
    return recall, precision, oracle.harmonic_mean(recall, precision)


ORACLES = {"scorch": by_scorch, "stanza": by_stanza}


@pytest.mark.parametrize("average", ORACLES)
@settings(max_examples=40)
@given(pairs=pair_corpora())
def test_an_average_is_as_the_rule_says(average, pairs):
    result = scored(pairs, average)
    for name in NAMES:
        found, expected = result.means[name], ORACLES[average](name, pairs)
        values = (found.recall, found.precision, found.f1)
        for value, one in zip(values, expected, strict=True):
            assert np.isnan(value) if one is None else value == exactly(one)


def test_scorch_weighs_documents_by_their_mentions():
    """ab found whole; of cdef the response has cd, and gh, which the key then has as singletons."""
    pairs = [
        ([frozenset({0, 1})], [frozenset({0, 1})]),
        ([frozenset({2, 3, 4, 5})], [frozenset({2, 3}), frozenset({6, 7})]),
    ]
    bcub = scored(pairs, "scorch").means["bcub"]
    recall = (Fraction(2 * 2, 4) + 1 + 1) / (4 + 2)
    precision = (Fraction(2 * 2, 2) + Fraction(1 + 1, 2)) / 4
    f1 = [Fraction(1), 2 * recall * precision / (recall + precision)]
    assert bcub.recall == exactly((2 * 1 + 6 * recall) / (2 + 6))
    assert bcub.precision == exactly((2 * 1 + 4 * precision) / (2 + 4))
    assert bcub.f1 == exactly((4 * f1[0] + 10 * f1[1]) / (4 + 10))


def test_stanza_takes_f1_of_the_means():
    pairs = [
        ([frozenset({0, 1})], [frozenset({0, 1})]),
        ([frozenset({2, 3})], []),
    ]
    bcub = scored(pairs, "stanza").means["bcub"]
    assert (bcub.recall, bcub.precision) == (exactly(Fraction(1, 2)), exactly(Fraction(1, 2)))
    assert bcub.f1 == exactly(Fraction(1, 2))


def test_stanza_divides_the_sums_of_lea():
    """Recall 2·1/2 of one document and 0/3 of the other: 2/5, where the mean is 1/2."""
    pairs = [
        ([frozenset({0, 1})], [frozenset({0, 1})]),
        ([frozenset({2, 3, 4})], [frozenset({2, 5})]),
    ]
    lea = corescore.score(*corpora_of(pairs), **corescore.preset("stanza")).means["lea"]
    assert (lea.recall, lea.precision) == (exactly(Fraction(2, 5)), exactly(Fraction(1, 2)))
    assert lea.f1 == exactly(Fraction(4, 9))


def test_stanza_has_no_average_ceafe_where_a_document_has_no_key_entity():
    """MUC 1/1 and 0/0, so recall 1/2 and precision 1/2; CEAF_e 1/1 and 0/0, so none."""
    one = [frozenset({0, 1})]
    sides = corpora_of([(one, one), ([], one)])
    result = corescore.score(*sides, **corescore.preset("stanza"))
    assert result.means["muc"].f1 == exactly(Fraction(1, 2))
    assert np.isnan(result.means["ceafe"].recall)
    assert result.means["ceafe"].precision == exactly(Fraction(1, 2))
    assert np.isnan(result.means["ceafe"].f1)
    assert np.isnan(result.means["conll"].f1)
    assert result["ceafe"].f1 == exactly(Fraction(2, 3))  # of the sums: 1/1 and 1/2
    assert (
        "The key has no entity to score in 1 document ('d1'): as in Stanza's scorer, the average "
        "of CEAF_e and CoNLL is empty."
    ) in result.warnings
    assert corescore.score(*sides, average="stanza").means["ceafe"].recall == exactly(
        Fraction(1, 2)
    )
    with_key = corescore.score(*corpora_of([(one, one)]), **corescore.preset("stanza"))
    assert not with_key.warnings


@pytest.mark.parametrize("average", ["macro", "scorch", "stanza"])
def test_an_average_stands_beside_the_sums_and_in_the_signature(average):
    pairs = [([frozenset({0, 1})], [frozenset({0, 1, 2})])]
    plain, chosen = scored(pairs, "micro"), scored(pairs, average)
    assert not plain.means
    assert chosen["bcub"] == plain["bcub"]
    assert f"micro and {average} over 1 document" in chosen.signature
    added = [name for name in chosen.table if name not in plain.table]
    assert added == [f"{average}_{name}" for name in ("recall", "precision", "f1")]
    assert chosen.table.loc["bcub", f"{average}_f1"] == chosen.means["bcub"].f1


@pytest.mark.parametrize("average", ["scorch", "stanza"])
def test_the_command_line_shows_an_average_when_chosen(average, capsys):
    sample = bundled("sample_data")
    files = [str(sample / name) for name in ("key.conll", "cautious.conll")]
    result = corescore.score(*map(corescore.read, files), average=average)
    assert main(["score", *files, "--average", average, "--format", "json"]) == 0
    (response,) = json.loads(capsys.readouterr().out)["responses"]
    assert response[average]["lea"]["f1"] == result.means["lea"].f1
    assert main(["score", *files, "--average", average]) == 0
    assert f"average as {average}" in capsys.readouterr().out


@pytest.mark.parametrize("average", ["macro", "scorch", "stanza"])
def test_every_metric_that_has_a_name_can_be_averaged(average):
    key, response = corpora_of([([frozenset({0, 1})], [frozenset({0, 1, 2})])] * 2)
    result = corescore.score(key, response, metrics=[*METRICS, *NAMED], average=average)
    assert set(result.means) == set(result.scores)
    assert result.means["b3-0"].recall == exactly(1)


def test_overview_shows_the_average_that_is_selected():
    app = run(view="overview", average="sums, and averages as scorch")
    assert "Means over documents (scorch)" in html(app)
    assert "micro and scorch over" in html(app)
