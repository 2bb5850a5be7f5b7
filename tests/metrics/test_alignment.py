"""Whether another alignment is as good, against every alignment in exact arithmetic."""

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency
from corescore.metrics.ceaf import has_other_best


@st.composite
def tables(draw, most=4, largest=3):
    """Any overlaps of a few entities, which may have some mentions that are not shared."""
    n_key, n_response = (draw(st.integers(1, most)) for _ in range(2))
    row = st.lists(st.integers(0, largest), min_size=n_response, max_size=n_response)
    grid = np.array(draw(st.lists(row, min_size=n_key, max_size=n_key)))
    alone = [draw(st.integers(0, 2)) for _ in range(n_key + n_response)]
    cells = np.nonzero(grid)
    return Contingency(
        1,
        grid.sum(axis=1) + alone[:n_key],
        np.zeros(n_key, dtype=np.int64),
        grid.sum(axis=0) + alone[n_key:],
        np.zeros(n_response, dtype=np.int64),
        *cells,
        grid[cells],
    )


def shared(table):
    return [Fraction(int(n)) for n in table.cell_sizes]


def dice(table):
    sizes = table.key_sizes[table.cell_key] + table.response_sizes[table.cell_response]
    return [
        Fraction(2 * int(n), int(size)) for n, size in zip(table.cell_sizes, sizes, strict=True)
    ]


def alignments(table, cells):
    """Every set of these cells in which no entity comes twice."""
    sets = chain.from_iterable(combinations(cells, n) for n in range(len(cells) + 1))
    for chosen in sets:
        rows, columns = table.cell_key[list(chosen)], table.cell_response[list(chosen)]
        if len({*rows.tolist()}) == len({*columns.tolist()}) == len(chosen):
            yield chosen


@pytest.mark.parametrize("similarity", [shared, dice])
@given(table=tables(most=3))
def test_a_tie_is_reported_exactly_where_another_alignment_has_the_same_sum(similarity, table):
    exact = similarity(table)
    chosen = best_assignment(table.components, np.array(exact, dtype=float))
    tied = has_other_best(table, np.array(exact, dtype=float))
    component = table.component_of_entity[table.cell_key]
    for number in np.unique(component).tolist():
        cells = np.flatnonzero(component == number).tolist()
        sums = [sum(exact[at] for at in made) for made in alignments(table, cells)]
        n_best = sums.count(max(sums))
        event(f"{n_best > 1}")
        assert tied[cells].tolist() == [n_best > 1] * len(cells)
        assert sum(exact[at] for at in chosen if at in cells) == max(sums)


@pytest.mark.parametrize("similarity", [shared, dice])
@given(table=tables(most=9))
def test_every_component_has_the_assignment_that_scipy_finds_for_it(similarity, table):
    """The first of several best ones included; a star takes its first greatest cell."""
    weight = np.array(similarity(table), dtype=float)
    chosen = set(best_assignment(table.components, weight).tolist())
    component = table.component_of_entity[table.cell_key]
    for number in np.unique(component).tolist():
        cells = np.flatnonzero(component == number)
        rows, row = np.unique(table.cell_key[cells], return_inverse=True)
        columns, column = np.unique(table.cell_response[cells], return_inverse=True)
        if 1 in (len(rows), len(columns)):
            assert chosen & {*cells.tolist()} == {cells[weight[cells].argmax()]}
            continue
        grid, cell_at = np.zeros((len(rows), len(columns))), np.full((len(rows), len(columns)), -1)
        grid[row, column], cell_at[row, column] = weight[cells], cells
        found = cell_at[linear_sum_assignment(grid, maximize=True)]
        assert chosen & {*cells.tolist()} == {*found[found >= 0].tolist()}


def test_sums_that_differ_by_less_than_a_billionth_are_no_tie():
    """2·1/(n + 1) and 2·1/(n + 2), n = 60,000, differ by 5.6e-10."""
    n = 60_000
    none, both, ones = np.array([0, 0]), np.array([0, 1]), np.array([1, 1])
    table = Contingency(1, np.array([n]), none[:1], np.array([1, 2]), none, none, both, ones)
    similarity = np.array([2 / (n + 1), 2 / (n + 2)])
    assert not has_other_best(table, similarity).any()
    assert has_other_best(table, similarity[[0, 0]]).all()
