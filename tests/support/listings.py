"""Slow counts of entities that list mentions several times: lists, look-ups in dictionaries and
fractions, as the rules of each scorer are stated."""

from collections import Counter
from fractions import Fraction

from hypothesis import strategies as st

from corescore import Corpus, Document

N_WORDS = 5
# Entities as lists of words: a word may stand in several entities, and twice in one
LISTED = st.lists(st.lists(st.integers(0, N_WORDS - 1), min_size=1, max_size=4), max_size=4)


def listed_corpus(*documents):
    """A corpus of documents that are lists of entities; the mention m is word m."""
    return Corpus(
        tuple(
            Document.of_rows(
                f"d{number}",
                [(at, at + 1, of) for of, entity in enumerate(entities) for at in entity],
                words=["w"] * N_WORDS,
            )
            for number, entities in enumerate(documents)
        )
    )


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
