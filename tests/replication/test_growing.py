"""Responses that grow, and how sizes and parts are read."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import PolicyError
from corescore.replication import EXPERIMENTS
from corescore.replication.curves import (
    ORDERS,
    PARTNERS,
    WRONG,
    correct_entities,
    correct_links,
    entity_numbers,
    wrongly_linked,
)
from corescore.replication.partitions import of_sizes, read_parts, read_sizes

BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}
SIZES = st.lists(st.integers(2, 8), min_size=2, max_size=6)


@given(SIZES, st.sampled_from(sorted(ORDERS)), st.floats(0, 1), st.integers(0, 9))
def test_correct_entities_are_parts_of_the_keys_that_just_reach_the_share(
    sizes, order, share, seed
):
    key = of_sizes(sizes)
    entity_of = entity_numbers(key)
    mentions = ORDERS[order](key, np.random.default_rng(seed))
    assert sorted(mentions) == sorted(entity_of)
    (right,) = correct_entities(key, mentions, [share])
    assert all(len({entity_of[m] for m in entity}) == 1 < len(entity) for entity in right)
    n_links, there = correct_links(key, entity_of), {*chain.from_iterable(right)}
    assert correct_links(right, entity_of) >= share * n_links - 1e-6
    if there:
        last = next(m for m in reversed(mentions) if m in there)
        before = [[m for m in entity if m != last] for entity in right]
        assert correct_links(before, entity_of) < share * n_links


@given(SIZES, st.sampled_from(PARTNERS), st.floats(0, 1), st.integers(0, 9))
def test_every_other_mention_has_a_partner_that_is_not_coreferent(sizes, partners, share, seed):
    key, rng = of_sizes(sizes), np.random.default_rng(seed)
    entity_of = entity_numbers(key)
    (right,) = correct_entities(key, ORDERS["random"](key, rng), [share])
    response = wrongly_linked(key, right, rng, partners=partners)
    assert sorted(chain.from_iterable(response)) == sorted(entity_of)
    for before, after in zip(right, response, strict=False):
        assert {*before} <= {*after}
    there = {*chain.from_iterable(right)}
    for entity in response:
        numbers = {entity_of[m] for m in entity}
        assert len(numbers) > 1 or {*entity} <= there


@given(SIZES, st.sampled_from(sorted(WRONG)))
def test_wrong_entities_never_have_two_mentions_of_one_part(sizes, kind):
    parts = [[*part] for part in of_sizes(sizes)]
    entity_of = entity_numbers(parts)
    entities, alone = WRONG[kind](parts)
    assert sorted([*chain.from_iterable(entities), *alone]) == sorted(entity_of)
    assert correct_links(entities, entity_of) == 0
    n, most = sum(sizes), max(sizes)
    n_alone = {"pairs": n - 2 * min(n // 2, n - most), "groups": max(2 * most - n, 0)}
    assert len(alone) == n_alone[kind]


@pytest.mark.parametrize("text", ["20 10×2 5x3 4 2*10", "20, 10×2, 5×3, 4, 2×10"])
def test_sizes_are_read_in_several_ways(text):
    assert read_sizes(text) == (20, 10, 10, 5, 5, 5, 4, *[2] * 10)


@pytest.mark.parametrize(
    "text", ["", "20", "20 1", "20 x", "2×0 3", "20 -3", "400 101", "2×251", "3 2.5"]
)
def test_sizes_that_cannot_be_a_key_are_refused(text):
    with pytest.raises(PolicyError, match="entity sizes"):
        BY_ID["moosavi2016-fig2"].setting({"key": text})


def test_parts_are_read_once_each():
    assert read_parts("18-2 5-3-2, 18-2") == ((18, 2), (5, 3, 2))


@pytest.mark.parametrize(
    "text", ["", "18", "18-", "a-b", "400-101", " ".join(f"1-{n}" for n in range(41))]
)
def test_parts_that_cannot_be_are_refused(text):
    with pytest.raises(PolicyError, match="the list is"):
        BY_ID["moosavi2016-fig6"].setting({"parts": text})
