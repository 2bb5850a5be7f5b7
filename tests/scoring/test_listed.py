"""Mentions that a side lists several times, counted by look-ups, held to a slow oracle.

The oracle works on lists of mentions and dictionaries, as the rules of each scorer are stated.
"""

from collections import Counter
from dataclasses import fields
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, score

N_WORDS = 5
# Entities as lists of words: a word may stand in several entities, and twice in one
LISTED = st.lists(st.lists(st.integers(0, N_WORDS - 1), min_size=1, max_size=4), max_size=4)


def scored(key, response, **policies):
    sides = [
        Corpus(
            (
                Document.of_rows(
                    "d",
                    [(at, at + 1, number) for number, entity in enumerate(side) for at in entity],
                    words=["w"] * N_WORDS,
                ),
            )
        )
        for side in (key, response)
    ]
    return score(*sides, **policies)


def opened(entities):
    """The entities in the order in which a file with a word a line opens them."""
    order = sorted(range(len(entities)), key=lambda at: (min(entities[at]), at))
    return [sorted(entities[at]) for at in order]


def looked_up(entities):
    """mention → the number of the last entity that lists it."""
    return {mention: at for at, entity in enumerate(entities) for mention in entity}


def shares(own, where):
    """For each entity its size and how many of its mentions each entity of `where` has."""
    return [(len(e), Counter(where[m] for m in e if m in where)) for e in own]


def muc(own, where):
    of = shares(own, where)
    return sum(sum(c.values()) - len(c) for _, c in of), sum(size - 1 for size, _ in of)


def bcub(own, where):
    of = shares(own, where)
    correct = sum((Fraction(n * n, size) for size, c in of for n in c.values()), Fraction(0))
    return correct, sum(size for size, _ in of)


def links(n):
    return Fraction(n * (n - 1), 2)


def lea(own, where, other):
    total = Fraction(0)
    for entity in own:
        common = Counter(where[m] for m in entity if m in where)
        if len(entity) > 1:
            total += len(entity) * sum(map(links, common.values())) / links(len(entity))
        elif common:
            (at,) = common
            total += len(other[at]) == 1
    return total, sum(map(len, own))


def ceaf_sums(key, response, similarity):
    """The greatest sum of similarities of a one-to-one alignment."""

    def best(rest, free):
        if not rest:
            return Fraction(0)
        options = [best(rest[1:], free)]
        options += [similarity(rest[0], response[j]) + best(rest[1:], free - {j}) for j in free]
        return max(options)

    return best(list(key), frozenset(range(len(response))))


def held(key_entity, response_entity):
    return sum(mention in response_entity for mention in key_entity)


def phi4(key_entity, response_entity):
    return Fraction(2 * held(key_entity, response_entity), len(key_entity) + len(response_entity))


def ratio(numerator, denominator):
    return Fraction(numerator) / Fraction(denominator) if denominator else Fraction(0)


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
    expected["bcub"] = (
        sum((Fraction(n * n, len(key[at])) for _, c in found for at, n in c.items()), Fraction(0)),
        sum((Fraction(n * n, size) for size, c in found for n in c.values()), Fraction(0)),
    )
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
