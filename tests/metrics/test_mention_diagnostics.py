"""Zeros that are linked to the correct entity, and how far mentions overlap."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import METRICS, Corpus, Document, PolicyError, metrics, score
from corescore.counting.contingency import Contingency
from tests.support.zeros import with_zeros


def scored(key, response, name, **policies):
    return score(Corpus((key,)), Corpus((response,)), metrics=[*METRICS, name], **policies)[name]


def of_entities(*entities):
    """Zeros after the words 0, 1, …, each with its entity, in the order of the text."""
    nodes = {(at, 1): (entity, [(at, "nsubj")]) for at, entity in enumerate(entities)}
    return with_zeros(nodes, words=("w",) * len(entities))


def test_a_zero_is_correct_where_an_earlier_mention_of_its_entity_has_the_same_partner_entity():
    """Key aaab, response aabb: of the anaphors 2 and 3, the second is linked to its entity, the
    third is first in its own: missed. The response's fourth is a spurious anaphor."""
    made = scored(of_entities(*"aaab"), of_entities(*"aabb"), "zero")
    assert made.recall == Fraction(1, 2)
    assert made.precision == Fraction(1, 2)


def test_a_zero_in_the_wrong_entity_is_wrongly_linked():
    """Key a b a b: the anaphors are the third and the fourth. The response has each with the other
    entity's first mention: both wrong for recall and for precision."""
    made = scored(of_entities(*"abab"), of_entities(*"abba"), "zero")
    assert (made.recall, made.recall_denominator) == (0, 2)
    assert (made.precision, made.precision_denominator) == (0, 2)


def test_without_zeros_there_is_nothing_to_count():
    plain = Document.of_entities("d", [[(0, 1), (2, 3)]])
    made = scored(plain, plain, "zero")
    assert (made.recall_denominator, made.precision_denominator) == (0, 0)


def test_swapped_zeros_count_as_wrong_only_where_mentions_are_looked_up():
    """Two zeros at each other's place, found by what they depend on: the CorefUD scorer puts the
    same place before the pair."""
    first = {(0, 1): (0, [(0, "nsubj")]), (1, 1): (1, [(1, "nsubj")])}
    third, fourth = [(2, "nsubj")], [(3, "nsubj")]
    key = with_zeros({**first, (2, 1): (0, third), (3, 1): (1, fourth)})
    swapped = with_zeros({**first, (2, 1): (1, fourth), (3, 1): (0, third)})
    assert scored(key, swapped, "zero").f1 == 1
    assert scored(key, swapped, "zero", repeats="all", lookup="table").f1 == 0


SPANS = st.sets(
    st.tuples(st.integers(0, 6), st.integers(1, 4)).map(lambda s: (s[0], s[0] + s[1])), max_size=4
).map(sorted)


def common(one, other):
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


@given(SPANS, SPANS)
def test_overlap_is_the_most_words_of_a_one_to_one_assignment(key, response):
    made = scored(
        *(Document.of_entities("d", [[s] for s in side]) for side in (key, response)), "mor"
    )
    few, many = sorted((key, response), key=len)
    best = max(
        sum(common(a, b) for a, b in zip(few, others, strict=True))
        for others in permutations(many, len(few))
    )
    assert made.recall_numerator == made.precision_numerator == best
    assert made.recall_denominator == sum(end - start for start, end in key)
    assert made.precision_denominator == sum(end - start for start, end in response)


@pytest.mark.parametrize("metric", metrics.MENTION_DIAGNOSTICS, ids=lambda metric: metric.id)
def test_a_table_of_entities_does_not_hold_what_they_count(metric):
    none = Contingency(0, *([] for _ in range(7)))
    with pytest.raises(PolicyError, match="counted from mentions"):
        metric.counts(none)
