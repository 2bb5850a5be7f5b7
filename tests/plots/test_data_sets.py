"""The critical-difference diagram: what it draws, and that none of its names lies over another."""

import numpy as np
import pytest

from corescore.analysis.systems.data_sets import DataSets
from corescore.plots.many import critical_differences
from corescore.rendering import drawn


def made(n_systems, n_data_sets, apart, names=None):
    """Scores of which the first system has the highest, apart from the next one by so much."""
    rng = np.random.default_rng(n_systems)
    scores = rng.random((n_systems, n_data_sets)) * 0.3 - apart * np.arange(n_systems)[:, None]
    names = names or [f"system {number}" for number in range(n_systems)]
    data_sets = tuple(f"set {number}" for number in range(n_data_sets))
    return DataSets("lea", "f1", tuple(names), data_sets, scores)


def bars(figure):
    return [trace for trace in figure.data if trace.line.width == 5]


def test_each_system_stands_at_its_mean_rank_and_each_group_has_a_bar():
    found = made(5, 8, 0.1)
    figure = critical_differences(found)
    (marks,) = (trace for trace in figure.data if trace.mode == "markers")
    assert list(marks.x) == sorted(found.mean_ranks.tolist())
    assert len(bars(figure)) == len(found.groups) > 1
    rank_of = dict(zip(found.systems, found.mean_ranks, strict=True))
    for bar, group in zip(bars(figure), found.groups, strict=True):
        ends = [rank_of[name] for name in group]
        assert list(bar.x) == pytest.approx([min(ends), max(ends)], abs=0.05)


def test_the_bracket_is_as_long_as_the_critical_difference():
    found = made(5, 8, 0.1)
    lengths = [shape.x1 - shape.x0 for shape in critical_differences(found).layout.shapes]
    assert max(lengths) == pytest.approx(found.critical_difference)


def test_a_critical_difference_longer_than_the_axis_has_no_bracket_and_is_said():
    figure = critical_differences(made(3, 2, 0.2))
    assert not figure.layout.shapes
    assert figure.layout.annotations[0].text == "critical difference 2.34: longer than the axis"


@pytest.mark.parametrize("n_systems", [3, 4, 9, 30])
def test_each_name_has_a_row_of_its_own_below_all_bars(n_systems):
    figure = critical_differences(made(n_systems, 17, 0.04))
    names = [note for note in figure.layout.annotations if note.xref == "paper"]
    rows = {side: sorted(n.y for n in names if n.x == side) for side in (0, 1)}
    assert sum(map(len, rows.values())) == n_systems
    for heights in rows.values():
        assert min(np.diff(heights), default=1) >= 1
    assert all(bar.y[0] < min(map(min, rows.values())) for bar in bars(figure))
    assert max(map(max, rows.values())) < figure.layout.yaxis.range[0]


def test_long_names_that_begin_alike_are_told_apart_and_escaped():
    names = [f"the same long beginning <b> {end}" for end in "abc"]
    notes = critical_differences(made(3, 4, 0.2, names)).layout.annotations[1:]
    texts = [note.text for note in notes]
    assert len({text.split("</b>")[0].split("<b>")[-1] for text in texts}) == 3
    assert not any("<b> a" in text for text in texts)


def test_the_table_of_the_diagram_says_which_systems_are_under_one_bar():
    found = made(5, 8, 0.1)
    table = drawn.critical_differences(found).set_index("system")
    assert table["mean rank"].is_monotonic_increasing
    for letter, group in zip("abc", found.groups, strict=False):
        under = {name for name, letters in table["bars"].items() if letter in letters.split()}
        assert under == set(group)
