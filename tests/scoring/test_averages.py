"""Averages, exact scores, empty sides, listings, and documents that all have."""

import json
from dataclasses import fields
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
from corescore import Corpus, Document, Result, preset, score, score_entities
from corescore.corpus.files import read_bytes
from corescore.corpus.problems import InputError
from corescore.metrics import METRIC_IDS, METRICS
from corescore.metrics.registry import NAMED
from corescore.rendering.scores import Report, as_json, as_table
from corescore.scoring.presets import PRESETS
from corescore.scoring.tally_files import over_common_documents
from corescore.sentences.policies import beside_exact
from tests.support import oracle
from tests.support.oracle_split import (
    LISTED,
    N_WORDS,
    bcub,
    ceaf_sums,
    held,
    lea,
    listed_corpus,
    looked_up,
    muc,
    opened,
    phi4,
    ratio,
    shares,
)
from tests.support.oracle_variants import alone
from tests.support.own_metric import exactly
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.texts import with_zeros

# Averages over documents, as scorch and Stanza have them, against sets and fractions --------------

NAMES = (*METRIC_IDS, "conll", "mentions", "links", "rand")


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
    scores = [oracle.score(metric, [pair], empty=0) for pair in pairs]
    key, response = ([n_mentions(pair[side]) for pair in pairs] for side in (0, 1))
    both = [k + r for k, r in zip(key, response, strict=True)]

    def weighted(values, weights):
        total = sum(weights)
        above = sum(value * weight for value, weight in zip(values, weights, strict=True))
        return above / total if total else 0

    f1 = weighted([score.f1 or 0 for score in scores], both)
    if metric == "conll":
        return None, None, f1
    recall = weighted([score.recall for score in scores], key)
    return recall, weighted([score.precision for score in scores], response), f1


@given(pair_corpora())
def test_the_average_of_scorch_is_as_its_rule_says(pairs):
    """That of Stanza is held to its own in test_presets.py."""
    result = scored(pairs, "scorch")
    for name in NAMES:
        found = result.means[name]
        values = (found.recall, found.precision, found.f1)
        for value, one in zip(values, by_scorch(name, pairs), strict=True):
            assert np.isnan(value) if one is None else value == exactly(one)


def test_stanza_has_no_average_ceafe_where_a_document_has_no_key_entity():
    one = [frozenset({0, 1})]
    sides = corpora_of([(one, one), ([], one)])
    result = score(*sides, **preset("stanza"))
    assert np.isnan(result.means["ceafe"].f1)
    assert result["ceafe"].f1 == exactly(2 / 3)  # of the sums: 1/1 and 1/2
    assert (
        "The key has no entity to score in 1 document ('d1'): as in Stanza's scorer, the average "
        "of CEAFₑ and CoNLL is empty."
    ) in result.warnings
    assert score(*sides, average="stanza").means["ceafe"].recall == exactly(1 / 2)
    assert not score(*corpora_of([(one, one)]), **preset("stanza")).warnings


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
    every = score(*corpora_of(pairs * 2), metrics=[*METRICS, *NAMED], average=average)
    assert {*every.means} == {*every.scores}
    assert every.means["b3-0"].recall == exactly(1)


# Exact scores stand beside those of any other matching --------------------------------------------

# "the old dog … it" and "a cat … she"; the response has "dog" for "the old dog" and lacks "a cat".
WORDS = ["the", "old", "dog", "and", "a", "cat", "saw", "that", "it", "and", "she", "ran"]
KEY = [(0, 3, 0), (8, 9, 0), (4, 6, 1), (10, 11, 1)]
RESPONSE = [(0, 1, 0), (8, 9, 0), (4, 6, 1), (10, 11, 1)]  # heads unknown: the first words


def corpus(rows):
    return Document.of_rows("d", rows, words=WORDS)


def scored_of_exact(match):
    return score(corpus(KEY), corpus(RESPONSE), match=match)


@pytest.mark.parametrize("match", ["head", "partial", "lenient"])
def test_the_exact_scores_are_those_of_exact_matching(match):
    found, exact = scored_of_exact(match), scored_of_exact("exact")
    assert found["mentions"].f1 == 1
    assert found.exact.table.equals(exact.table)
    assert exact["mentions"].f1 == 3 / 4
    assert found.exact.signature == exact.signature
    report = Report("key", {"it": found})
    assert beside_exact("it", found) in as_table(report).splitlines()
    (values,) = json.loads(as_json(report))["responses"]
    assert values["exact"]["mentions"]["f1"] == 3 / 4
    assert values["scores"]["mentions"]["f1"] == 1
    plain = Report("key", {"it": exact})
    assert "instead of" not in as_table(plain)
    assert "exact" not in json.loads(as_json(plain))["responses"][0]


def test_a_sentence_gives_both():
    said = beside_exact("A · it", scored_of_exact("head"))
    assert said.startswith("Mentions of A · it are matched by head. If only the same words match, ")
    # MUC 1/2; B³ (1/2 + 1 + 1)/4 = 5/8; CEAFₑ (1/2 + 1)/2 = 3/4; their mean is 5/8
    assert "its CoNLL score is 62.50 instead of 100.00; F1: MUC 50.00, B³ 62.50," in said
    assert beside_exact("A", scored_of_exact("exact")) == ""
    same = score(corpus(KEY), corpus(KEY), match="head")
    assert "its CoNLL score is 100.00, too; F1: MUC 100.00," in beside_exact("A", same)


@pytest.mark.parametrize("key, is_said", [([{1}], True), ([], False)])
def test_it_is_said_that_conll_counts_an_empty_score_as_0(key, is_said):
    report = Report("key", {"it": score_entities(key, key)}, per_document=True)
    assert ("counts an empty score (–) as 0" in as_table(report)) is is_said


def test_documents_keep_their_positions_where_they_were_aligned():
    key = read_bytes(b"# d\n[The dogs](#1) ran .", "k.md")
    response = read_bytes(b"# d\n[The](#1) dogs ran /.", "r.md")
    found = score(key, response, match="head", words="align")
    assert (found["mentions"].f1, found.exact["mentions"].f1) == (1, 0)


# Sides without a mention to score, under every preset: an empty one, and one of -------------------

# CoNLL-U: two words, each with an empty node after it, and the cells of word, node, word, node.
SIDES = {
    "zeros": ("(e1)", "(e1)", "(e2)", "(e2)"),
    "words": ("(e1)", "", "(e1)", ""),
    "singleton zeros": ("(e1)", "(e2)", "(e3)", "(e4)"),
    "singletons": ("(e1)", "", "(e2)", ""),
    "empty": ("", "", "", ""),
}
FULL, SINGLETONS = ("zeros", "words"), ("singleton zeros", "singletons")
DROPPED = {"corefud": SINGLETONS, "ua2": (*SINGLETONS, "zeros")}  # without zeros two singletons
PAIRS = [pair for pair in product(SIDES, repeat=2) if not set(pair) <= {*FULL}]


@cache
def of(name):
    """The same as a corpus: words 0 and 2, zeros 1 and 3."""
    cells = SIDES[name]
    plain = with_zeros({(1, 1): (0, [(0, "nsubj")]), (2, 1): (1, [(1, "nsubj")])}, words=("a", "b"))
    rows = [(at, at + 1, cell) for at, cell in enumerate(cells) if cell]
    numbers = {cell: number for number, cell in enumerate(dict.fromkeys(c for *_, c in rows))}
    return Corpus((plain.with_entities([(s, e, numbers[cell]) for s, e, cell in rows]),))


@pytest.mark.parametrize("name", PRESETS)
def test_a_side_without_mentions_counts_nothing_and_is_no_error(name):
    """A denominator is 0 exactly if its side has no mention to score."""
    nothing = {"empty", *DROPPED.get(name, ())}
    for key, response in PAIRS:
        result = score(of(key), of(response), **preset(name))
        bcub, mor = result["bcub"], result.scores.get("mor")
        if name != "e2e":  # B³ without singletons
            assert (bcub.recall_denominator == 0) == (key in nothing)
            assert (bcub.precision_denominator == 0) == (response in nothing)
        for one in (bcub, result["muc"], result["ceafe"], mor or bcub):
            if {key, response} & nothing:
                assert one.recall == one.precision == one.f1 == 0
        assert all(0 <= one.f1 <= 1 for one in result.scores.values())


def test_a_missing_zero_is_missed_where_the_response_is_empty():
    """Key {word, zero} {word, zero}: two anaphoric zeros, both missed; no zero of the response."""
    for response in ("empty", "singletons", "singleton zeros"):
        zero = score(of("zeros"), of(response), **preset("corefud"))["zero"]
        assert (zero.recall_numerator, zero.recall_denominator) == (0, 2)
        assert zero.precision_numerator == 0
        swapped = score(of(response), of("zeros"), **preset("corefud"))["zero"]
        assert (swapped.recall_denominator, swapped.precision_denominator) == (0, 2)


# Mentions that a side lists several times, counted by look-ups, held to a slow oracle -------------


def scored_of_listed(key, response, **policies):
    return score(listed_corpus(key), listed_corpus(response), **policies)


def value(score, direction):
    return float(getattr(score, direction))


@given(LISTED, LISTED)
def test_listed_counts_each_direction_by_its_own_look_ups(key, response):
    """coval: sizes as listed, look-ups in the last entity, CEAF by what an entity holds."""
    key, response = opened(key), opened(response)
    result = scored_of_listed(key, response, repeats="listed")
    to_response, to_key = looked_up(response), looked_up(key)
    for name, recall, precision in (
        ("muc", muc(key, to_response), muc(response, to_key)),
        ("bcub", bcub(key, to_response), bcub(response, to_key)),
        ("lea", lea(key, to_response, response), lea(response, to_key, key)),
    ):
        assert value(result[name], "recall") == pytest.approx(float(ratio(*recall))), name
        assert value(result[name], "precision") == pytest.approx(float(ratio(*precision))), name
    best = ceaf_sums(key, response, phi4)
    assert value(result["ceafe"], "recall") == pytest.approx(float(ratio(best, len(key))))
    assert value(result["ceafe"], "precision") == pytest.approx(float(ratio(best, len(response))))
    shared = len(to_response.keys() & to_key.keys())
    assert value(result["mentions"], "recall") == float(ratio(shared, len(to_key)))
    assert value(result["mentions"], "precision") == float(ratio(shared, len(to_response)))


def without_known_repeats(response, key):
    """The reference scorer removes a span that was seen before, but only if the key has it."""
    known = {mention for entity in key for mention in entity}
    seen, left = set(), []
    for entity in response:
        kept = []
        for mention in entity:
            if not (mention in seen and mention in known):
                kept.append(mention)
            seen.add(mention)
        left.append(kept)
    return [entity for entity in left if entity]


def shares_of_looked_up(key, response):
    """B³ of the reference scorer, mention by mention: the mentions of the response entity that the
    looked-up key entity lists, as shares of both."""
    where = looked_up(key)
    recall = precision = 0
    for entity in response:
        for mention in entity:
            if mention in where:
                looked = key[where[mention]]
                common = sum(1 for other in entity if other in looked)
                recall += Fraction(common, len(looked))
                precision += Fraction(common, len(entity))
    return recall, precision


def link_sets(entities):
    """Unordered pairs of mentions within entities, and across them."""
    within = {tuple(sorted(p)) for entity in entities for p in combinations(entity, 2)}
    across = {
        tuple(sorted((a, b)))
        for one, other in combinations(entities, 2)
        for a in one
        for b in other
    }
    return within, across


@given(LISTED, LISTED)
def test_reference_counts_both_directions_by_the_look_ups_of_the_response(key, response):
    key, response = opened(key), opened(response)
    result = scored_of_listed(key, response, repeats="reference")
    response = without_known_repeats(response, key)
    where = looked_up(key)
    found = shares(response, where)
    common = sum(sum(c.values()) - len(c) for _, c in found)
    expected = {"muc": (common, common)}
    expected["bcub"] = shares_of_looked_up(key, response)
    expected["ceafm"] = (ceaf_sums(key, response, held),) * 2
    expected["ceafe"] = (ceaf_sums(key, response, phi4),) * 2
    sizes = {"muc": lambda e: len(e) - 1, "bcub": len, "ceafm": len, "ceafe": lambda e: 1}
    for name, (recall, precision) in expected.items():
        for direction, numerator, side in (
            ("recall", recall, key),
            ("precision", precision, response),
        ):
            denominator = sum(map(sizes[name], side))
            got = value(result[name], direction)
            assert got == pytest.approx(float(ratio(numerator, denominator))), (name, direction)
    (k_within, k_across), (r_within, r_across) = link_sets(key), link_sets(response)
    parts = result["blanc"].parts
    for name, k, r in (
        ("coreference", k_within, r_within),
        ("non_coreference", k_across, r_across),
    ):
        assert parts[name].recall_numerator == len(k & r)
        assert parts[name].recall_denominator == len(k)
        assert parts[name].precision_denominator == len(r)


def test_a_mention_of_two_key_entities_counts_in_both_of_their_shares():
    """Key {a b} {c b}, response {a b}, as the reference scorer prints it: a is looked up in {a b},
    which holds 2 of the response's mentions, and b in {c b}, which holds 1: (2/2 + 1/2)/4 and
    (2/2 + 1/2)/2."""
    bcub = score_entities([{"a", "b"}, {"c", "b"}], [{"a", "b"}], repeats="reference")["bcub"]
    assert (bcub.recall_numerator, bcub.recall_denominator) == (1.5, 4)
    assert (bcub.precision_numerator, bcub.precision_denominator) == (1.5, 2)
    assert (bcub.recall, bcub.precision, bcub.f1) == (0.375, 0.75, 0.5)


@given(LISTED, LISTED)
def test_the_look_up_table_counts_each_direction_by_its_own_look_ups(key, response):
    """CorefUD: one mention a span within an entity; CEAF by what an entity holds."""
    key, response = ([sorted(set(e)) for e in opened(side)] for side in (key, response))
    result = scored_of_listed(key, response, repeats="all", lookup="table", blanc="luo2014")
    to_response, to_key = looked_up(response), looked_up(key)
    assert value(result["bcub"], "recall") == pytest.approx(float(ratio(*bcub(key, to_response))))
    precision = ratio(*bcub(response, to_key))
    assert value(result["bcub"], "precision") == pytest.approx(float(precision))

    best = ceaf_sums(key, response, held)
    n_key, n_response = (sum(map(len, side)) for side in (key, response))
    assert value(result["ceafm"], "recall") == pytest.approx(float(ratio(best, n_key)))
    assert value(result["ceafm"], "precision") == pytest.approx(float(ratio(best, n_response)))


@pytest.mark.parametrize(
    "policies",
    [{"repeats": "listed"}, {"repeats": "reference"}, {"repeats": "all", "lookup": "table"}],
)
@given(st.data())
def test_without_repeats_look_ups_change_nothing(policies, data):
    sides = [
        data.draw(st.lists(st.integers(-1, 2), min_size=N_WORDS, max_size=N_WORDS))
        for _ in range(2)
    ]
    key, response = (
        [[at for at, e in enumerate(side) if e == n] for n in range(3) if n in side]
        for side in sides
    )
    plain, other = scored_of_listed(key, response), scored_of_listed(key, response, **policies)
    for name, counts in plain.counts.items():
        for entry in fields(counts):
            one, again = getattr(counts, entry.name), getattr(other.counts[name], entry.name)
            assert one == pytest.approx(again), name


# Results over the documents that all of them have -------------------------------------------------


def corpus_of_common(**entities):
    rows = {
        name: [(at, at + 1, number) for number, of in enumerate(found) for at in of]
        for name, found in entities.items()
    }
    words = tuple("abcdef")
    return Corpus(tuple(Document.of_rows(name, of, words=words) for name, of in rows.items()))


KEY_OF_COMMON = corpus_of_common(one=[[0, 1], [2, 3]], two=[[0, 1, 2]], three=[[4, 5]])
A = corpus_of_common(one=[[0, 1, 2]], two=[[0, 1]], three=[[4, 5]])
B = corpus_of_common(one=[[0, 1], [2, 3]], three=[[3, 4]])
SKIP = {"missing_documents": "skip"}


def both():
    return {"a": score(KEY_OF_COMMON, A, **SKIP), "b": score(KEY_OF_COMMON, B, **SKIP)}


def test_scores_are_those_of_the_documents_that_all_have():
    found = over_common_documents(both())
    key = Corpus(tuple(of for of in KEY_OF_COMMON if of.name != "two"))
    assert found["a"].table.equals(score(key, A, **SKIP).table)
    assert found["b"].table.equals(both()["b"].table)
    assert isinstance(found["a"], Result)
    assert found["a"].errors.equals(score(key, A, **SKIP).errors)
    tallies = over_common_documents({name: of.tally for name, of in both().items()})
    assert tallies["a"].table.equals(found["a"].table)
    assert found["a"].compare(found["b"]).randomisation.n_documents == 2


def test_what_is_left_out_is_told_once():
    warnings = over_common_documents(both())["a"].warnings
    assert [of for of in warnings if "a is scored without 1 document ('two')" in of] == [
        warnings[-1]
    ]
    assert over_common_documents(both())["b"].warnings == both()["b"].warnings


def test_no_common_document():
    other = score(KEY_OF_COMMON, corpus_of_common(two=[[0, 1]]), **SKIP)
    with pytest.raises(InputError, match="no document in common with the other responses"):
        over_common_documents({"b": score(KEY_OF_COMMON, B, **SKIP), "c": other})
