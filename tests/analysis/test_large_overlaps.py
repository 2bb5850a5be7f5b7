"""Overlaps of many entities: their grid in parts, and their links."""

import numpy as np
import pytest

from corescore import score
from corescore.analysis.errors.overlaps import (
    grid_part,
    link_counts,
    overlap_grid,
    overlap_links,
    overlap_members,
    overlap_table,
)
from corescore.metrics import METRICS
from tests.support.synthetic import SMALL_TANGLE, synthesise


@pytest.fixture(scope="module")
def corpora():
    return synthesise(SMALL_TANGLE, np.random.default_rng(2))


@pytest.fixture(scope="module")
def comparison(corpora):
    return score(*corpora).comparison


@pytest.fixture(scope="module")
def worst(comparison):
    lea = next(metric for metric in METRICS if metric.id == "lea")
    return int(overlap_table(comparison, lea)["group"].iloc[0])


def test_the_parts_of_a_grid_have_every_key_entity_once(comparison, worst):
    whole = overlap_grid(comparison, worst)
    n = len(whole.key_entities)
    parts = [grid_part(whole, first=first, most=7) for first in range(0, n, 7)]
    assert n > 20
    assert sorted(e for part in parts for e in part.key_entities) == sorted(whole.key_entities)
    assert parts[0].key_sizes.min() >= parts[-1].key_sizes.max()
    for part in parts:
        rows = np.searchsorted(whole.key_entities, part.key_entities)
        columns = np.searchsorted(whole.response_entities, part.response_entities)
        assert (part.shared == whole.shared[np.ix_(rows, columns)]).all()
        others = np.delete(whole.shared[rows].sum(axis=0), columns)
        assert part.shared.sum(axis=0).min() >= others.max(initial=0)


def test_links_are_counted_without_listing_them(comparison, worst):
    members = overlap_members(comparison, worst)
    listed = overlap_links(comparison, members, which="all")["kind"].value_counts()
    assert link_counts(members) == {kind: int(listed[kind]) for kind in link_counts(members)}


@pytest.mark.parametrize("which", ["all", "minimum"])
def test_the_links_of_an_overlap_do_not_depend_on_other_entities(comparison, worst, which):
    members = overlap_members(comparison, worst)
    found = overlap_links(comparison, members, which=which)
    ends = members.table["key_entity"].to_numpy()
    of_key = found[found["kind"] != "wrong"]
    assert (ends[of_key["first"]] == ends[of_key["second"]]).all()
    assert (found["first"] < found["second"]).all()
