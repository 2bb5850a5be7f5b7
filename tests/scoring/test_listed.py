"""Mentions that a side lists several times, counted by look-ups, held to a slow oracle.

The oracle works on lists of mentions and dictionaries, as the rules of each scorer are stated.
"""

from dataclasses import fields
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import score, score_entities
from tests.support.listings import (
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


def scored(key, response, **policies):
    return score(listed_corpus(key), listed_corpus(response), **policies)


def value(score, direction):
    return float(getattr(score, direction))


@given(LISTED, LISTED)
def test_listed_counts_each_direction_by_its_own_look_ups(key, response):
    """coval: sizes as listed, look-ups in the last entity, CEAF by what an entity holds."""
    key, response = opened(key), opened(response)
    result = scored(key, response, repeats="listed")
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
    recall = precision = Fraction(0)
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
    result = scored(key, response, repeats="reference")
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
    bcub = score_entities(["ab", "cb"], ["ab"], repeats="reference")["bcub"]
    assert (bcub.recall_numerator, bcub.recall_denominator) == (1.5, 4)
    assert (bcub.precision_numerator, bcub.precision_denominator) == (1.5, 2)
    assert (bcub.recall, bcub.precision, bcub.f1) == (0.375, 0.75, 0.5)


@given(LISTED, LISTED)
def test_the_look_up_table_counts_each_direction_by_its_own_look_ups(key, response):
    """CorefUD: one mention a span within an entity; CEAF by what an entity holds."""
    key, response = ([sorted(set(e)) for e in opened(side)] for side in (key, response))
    result = scored(key, response, repeats="all", lookup="table", blanc="luo2014")
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
    plain, other = scored(key, response), scored(key, response, **policies)
    for name, counts in plain.counts.items():
        for entry in fields(counts):
            one, again = getattr(counts, entry.name), getattr(other.counts[name], entry.name)
            assert one == pytest.approx(again), name
