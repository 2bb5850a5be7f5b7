"""Charts of scorers: the walk between two, and the lead under each policy."""

import pytest

from corescore.analysis.scorers.rescored import Rescored
from corescore.analysis.scorers.search import ranking_grid
from corescore.analysis.scorers.walk import walk
from corescore.corpus.documents import Corpus, Document
from corescore.counting.policies import DEFAULTS
from corescore.plots.documents import lead_by_policy, lead_table, waterfall, waterfall_table
from corescore.scoring.presets import PRESETS


def small():
    words = tuple("abcdef")
    key = Corpus(
        (Document.of_rows("d", [(0, 1, 0), (1, 2, 1), (3, 4, 1), (5, 6, 2)], words=words),)
    )
    a = Corpus((Document.of_rows("d", [(0, 1, 0), (1, 2, 1)], words=words),))
    b = Corpus((Document.of_rows("d", [(1, 2, 1), (3, 4, 1)], words=words),))
    return {"a": Rescored(key, a), "b": Rescored(key, b)}


def test_the_bars_of_the_waterfall_lead_from_one_score_to_the_other():
    taken = walk(small()["b"], DEFAULTS, PRESETS["corefud"].policies, "bcub")
    ends, bars = waterfall(taken, "here", "there").data
    assert list(ends.x) == [100 * taken.first, 100 * taken.last]
    assert bars.base[0] == 100 * taken.first
    assert bars.base[-1] + bars.x[-1] == pytest.approx(100 * taken.last)
    rows = waterfall_table(taken, "here", "there")
    assert [*rows["scored by"].iloc[[0, -1]]] == ["here", "there"]
    assert list(100 * rows["difference"].dropna()) == list(bars.x)
    assert rows["score"].iloc[-1] == taken.last


def test_two_scorers_that_agree_have_no_bars():
    taken = walk(small()["b"], DEFAULTS, DEFAULTS, "bcub")
    assert len(waterfall(taken, "here", "there").data) == 1


def test_each_cell_is_the_lead_under_its_policies():
    grid = ranking_grid(small(), "bcub")
    (cells,) = lead_by_policy(grid, "a", "b").data
    first = grid.iloc[0]
    assert cells.z[0][0] == pytest.approx(first["score b"] - first["score a"])
    assert cells.z.shape == (4 * 4, 5)
    rows = lead_table(grid, "a", "b")
    assert sorted(rows["lead"]) == sorted(cells.z.ravel())
