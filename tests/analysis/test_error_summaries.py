"""What fixing errors gains, by kind and by slice."""

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import corescore
from corescore.analysis.errors.operations import KINDS, SLICES
from corescore.analysis.errors.tables import (
    ALL_KINDS,
    GAINS,
    gain_table,
    impact_table,
    incorrectly_resolved_table,
    partner_table,
    slice_credit,
)

PARTS = corescore.score_entities(
    [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}]
)


@pytest.mark.parametrize("gain", ["in_order", "share"])
def test_gains_in_order_and_shares_add_up_to_the_gap(gain):
    table = gain_table(impact_table(PARTS.comparison), gain=gain)
    assert list(table.index) == [*KINDS, ALL_KINDS]
    np.testing.assert_allclose(table.iloc[:-1].sum(), table.loc[ALL_KINDS], atol=1e-12)
    np.testing.assert_allclose(table.loc[ALL_KINDS, "lea"], 1 - PARTS["lea"].f1)


def test_the_first_kind_in_order_gains_what_it_gains_alone():
    impact = impact_table(PARTS.comparison)
    alone, in_order, last = (gain_table(impact, gain=g) for g in ("alone", "in_order", "last"))
    np.testing.assert_allclose(alone.iloc[0], in_order.iloc[0])
    np.testing.assert_allclose(last.iloc[-2], in_order.iloc[-2])


@pytest.mark.parametrize("side", ["recall", "precision"])
@pytest.mark.parametrize("by", SLICES)
def test_the_credit_of_slices_averages_to_the_score(by, side):
    app_result = PARTS
    table = slice_credit(app_result.comparison, by=by, side=side)
    sides = {"recall": "key_mentions", "precision": "response_mentions"}
    assert table["mentions"].sum() == app_result.sizes[sides[side]].sum()
    weighted = (table["bcub"] * table["mentions"]).sum() / table["mentions"].sum()
    assert weighted == pytest.approx(getattr(app_result["bcub"], side))


def test_gains_have_names():
    assert set(GAINS) == {"alone", "in_order", "last", "share"}


def test_partners_are_the_first_of_those_that_the_whole_table_lists():
    comparison = corescore.score_entities(
        [{"a", "b"}, {"c", "d", "e"}, {"f"}], [{"a", "c", "f"}, {"b"}, {"d"}, {"e"}]
    ).comparison
    whole, brief = incorrectly_resolved_table(comparison), partner_table(comparison, most=1)
    assert len(whole) > 1
    for side in ("wrong", "right"):
        assert [p[:1] for p in whole[f"{side}_partners"]] == brief[f"{side}_partners"].tolist()
        assert [len(p) for p in whole[f"{side}_partners"]] == brief[f"n_{side}"].tolist()


def test_without_shares_the_rest_of_the_impact_is_the_same():
    whole, quick = (impact_table(PARTS.comparison, shares=shares) for shares in (True, False))
    assert quick["share"].isna().all()
    assert not whole["share"].isna().any()
    assert_frame_equal(whole.drop(columns="share"), quick.drop(columns="share"))
