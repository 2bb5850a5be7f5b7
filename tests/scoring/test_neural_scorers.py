"""The scorers that come with neural systems, `--as e2e` and `--as stanza`, against their rules
written down slowly, for every metric that they have.

e2e     mentions match exactly; sizes as listed, a mention is looked up in the last entity that
        lists it. MUC as it is; B³ without singletons on both sides; CEAF_e without those of the
        response. Sums over documents
stanza  mentions match exactly. Mean recall and mean precision over documents, 0/0 is 0, then F1 of
        the two; CEAF_e of a document without key entities is empty. LEA without singletons: its
        sums over documents, divided once
"""

import json
from fractions import Fraction
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import preset, score
from corescore.__main__ import main
from corescore.scoring.presets import PRESETS
from tests.support import oracle
from tests.support.listings import (
    LISTED,
    bcub,
    ceaf_sums,
    listed_corpus,
    looked_up,
    muc,
    opened,
    phi4,
    ratio,
)
from tests.support.strategies import corpora_of, pair_corpora


def linked(side):
    return [entity for entity in side if len(entity) > 1]


# --- e2e: counts (n, d, m, e) of recall n/d and of precision m/e ----------------------------------


def of_muc(key, response):
    return *muc(key, looked_up(response)), *muc(response, looked_up(key))


def of_bcub(key, response):
    key, response = linked(key), linked(response)
    return *bcub(key, looked_up(response)), *bcub(response, looked_up(key))


def of_ceafe(key, response):
    response = linked(response)
    best = ceaf_sums(key, response, phi4)
    return best, len(key), best, len(response)


E2E = {"muc": of_muc, "bcub": of_bcub, "ceafe": of_ceafe}


def f1_of(recall, precision):
    return ratio(2 * recall * precision, recall + precision)


def by_e2e(pairs):
    scores = {}
    for name, counts in E2E.items():
        rows = [counts(*pair) for pair in pairs]
        n, d, m, e = (sum(column) for column in zip(*rows, strict=True))
        recall, precision = ratio(n, d), ratio(m, e)
        scores[name] = recall, precision, f1_of(recall, precision)
    return scores, sum(f1 for *_, f1 in scores.values()) / 3


def values(found):
    return found.recall, found.precision, found.f1


def assert_equal(found, expected):
    """Each value is the fraction, or empty for None."""
    for value, one in zip(found, expected, strict=True):
        assert isnan(value) if one is None else value == pytest.approx(float(one), abs=1e-12)


def test_these_are_all_the_metrics_they_have():
    assert set(PRESETS["e2e"].metrics) == set(E2E)
    assert set(PRESETS["stanza"].metrics) == {"muc", "bcub", "ceafe", "lea"}


@given(st.lists(st.tuples(LISTED, LISTED), min_size=1, max_size=3))
def test_e2e_is_as_the_rules_say_with_repeats_too(pairs):
    pairs = [tuple(map(opened, pair)) for pair in pairs]
    sides = (listed_corpus(*side) for side in zip(*pairs, strict=True))
    result = score(*sides, **preset("e2e"))
    expected, conll = by_e2e(pairs)
    for name in E2E:
        assert_equal(values(result[name]), expected[name])
    assert_equal([result["conll"].f1], [conll])


# --- Stanza ---------------------------------------------------------------------------------------


def stanza_of_one(metric, pair):
    """Recall and precision of a document; None is empty."""
    key, response = pair
    found = oracle.score(metric, [(key, response)], empty=None)
    recall, precision = found.recall or Fraction(0), found.precision or Fraction(0)
    if metric == "ceafe" and not key:
        return None, precision if response else None
    return recall, precision


def mean(column):
    return None if None in column else sum(column, Fraction(0)) / len(column)


def by_stanza(metric, pairs):
    if metric == "lea":
        found = oracle.score("lea", [(linked(k), linked(r)) for k, r in pairs], empty=Fraction(0))
        return found.recall, found.precision, f1_of(found.recall, found.precision)
    rows = [stanza_of_one(metric, pair) for pair in pairs]
    recall, precision = (mean(column) for column in zip(*rows, strict=True))
    f1 = None if recall is None or precision is None else f1_of(recall, precision)
    return recall, precision, f1


@given(pair_corpora())
def test_stanza_is_as_the_rules_say(pairs):
    means = score(*corpora_of(pairs), **preset("stanza")).means
    expected = {name: by_stanza(name, pairs) for name in PRESETS["stanza"].metrics}
    for name, of in expected.items():
        assert_equal(values(means[name]), of)
    f1 = [expected[name][2] for name in ("muc", "bcub", "ceafe")]
    assert_equal([means["conll"].f1], [mean(f1)])


# --- From the shell -------------------------------------------------------------------------------


def conll(*documents):
    """Documents of rows, a word with its cell each."""
    return "".join(
        f"#begin document ({name}); part 000\n"
        + "".join(f"{name} 0 {at} w {cell}\n" for at, cell in enumerate(cells))
        + "#end document\n"
        for name, cells in zip("ab", documents, strict=False)
    )


# Words as mentions: a has {0, 1}, {2}, {3, 4}; b has {0, 1}.
KEY = conll(["(1)", "(1)", "(2)", "(3)", "(3)"], ["(1)", "(1)", "-", "-", "-"])
RESPONSE = conll(["(1)", "(1)", "(2)", "(3)", "(1)"], ["(1)", "(1)", "(2)", "-", "-"])
AS_SETS = [
    ([{0, 1}, {2}, {3, 4}], [{0, 1, 4}, {2}, {3}]),
    ([{0, 1}], [{0, 1}, {2}]),
]


@pytest.mark.parametrize("name", ["e2e", "stanza"])
def test_the_command_prints_what_the_rules_say(name, tmp_path, capsys):
    files = [tmp_path / "key.conll", tmp_path / "response.conll"]
    for file, text in zip(files, (KEY, RESPONSE), strict=True):
        file.write_text(text)
    assert main(["score", *map(str, files), "--as", name, "--format", "json"]) == 0
    (response,) = json.loads(capsys.readouterr().out)["responses"]
    if name == "e2e":
        expected, conll_f1 = by_e2e([tuple(map(list, pair)) for pair in AS_SETS])
        printed = response["scores"]
    else:
        pairs = [tuple([frozenset(e) for e in side] for side in pair) for pair in AS_SETS]
        expected = {metric: by_stanza(metric, pairs) for metric in PRESETS[name].metrics}
        conll_f1 = mean([expected[metric][2] for metric in ("muc", "bcub", "ceafe")])
        printed = response["stanza"]
    for metric, of in expected.items():
        assert_equal([printed[metric][one] for one in ("recall", "precision", "f1")], of)
    assert_equal([printed["conll"]["f1"]], [conll_f1])
    assert set(printed) - {"mentions", "links", "rand"} == {*expected, "conll"}
