"""The best one-to-one assignment of key and response nodes, a connected component at a time."""

from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corescore.util import AnyArray, FloatArray, IntArray

# The solver of a dense grid -----------------------------------------------------------------------

Solver = Callable[[FloatArray], tuple[IntArray, IntArray]]


@cache
def dense_solver() -> Solver:
    """`scipy.optimize.linear_sum_assignment`, without the rest of scipy.optimize where it can be
    loaded alone: importing all of it takes longer than scoring most corpora."""
    package = find_spec("scipy")
    folders = package.submodule_search_locations if package else None
    folders = [str(Path(folder, "optimize")) for folder in folders or ()]
    alone = PathFinder.find_spec("_lsap", folders)
    if alone and alone.loader:
        module = module_from_spec(alone)
        alone.loader.exec_module(module)
        solver: Solver = module.linear_sum_assignment
        return solver
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment


# Connected components of a bipartite graph: key and response nodes that are joined by cells -------


class Stars(NamedTuple):
    """Components of one node of one side and several of the other.

    cells  (cells,) their cells, ascending within each star, one star after the other
    star   (cells,) the number of the star of each
    first  (stars,) where each star starts in `cells`
    """

    cells: IntArray
    star: IntArray
    first: IntArray


class SmallGrids(NamedTuple):
    """Components of several nodes of either side with few places, all laid out dense.

    cell_at    (places,) the cell at each place of each grid, row by row; −1 where none is
    n_squares  how many of them are of 2 × 2 nodes: the first
    shapes     (others, 3) where each other one starts in `cell_at`, its rows and its columns
    """

    cell_at: IntArray
    n_squares: int
    shapes: IntArray


class LargeGrid(NamedTuple):
    """A component of many nodes of both sides: its cells, and their places in its grid."""

    cells: IntArray
    row: IntArray
    column: IntArray
    shape: tuple[int, int]


class Components(NamedTuple):
    """The components of all cells, by their shapes; most are of the simpler ones.

    n_cells  the number of all cells
    alone    (cells,) those that are the only one of their component
    """

    n_cells: int
    alone: IntArray
    stars: Stars
    small: SmallGrids
    large: tuple[LargeGrid, ...]


def component_of_node(
    cell_key: IntArray, cell_response: IntArray, n_key: int, n_response: int
) -> IntArray:
    """(n_key + n_response,) the component of each node, the key's first."""
    own, other = cell_key, n_key + cell_response
    node = np.arange(n_key + n_response)
    least = node.copy()  # of each node, the lowest that is known to be of its component
    while (least[own] != least[other]).any():
        pair = least[own], least[other]
        np.minimum.at(least, np.maximum(*pair), np.minimum(*pair))
        while (least[least] != least).any():
            least = least[least]
    number: IntArray = np.cumsum(least == node) - 1
    return number[least]


def components_of(cell_key: IntArray, cell_response: IntArray) -> Components:
    """The components of cells that join these nodes of the key with these of the response.

    A cell is part of a star if all cells of its row are the only ones of their columns, or all
    cells of its column the only ones of their rows.
    """
    in_row, in_column = np.bincount(cell_key), np.bincount(cell_response)
    only_of_row, only_of_column = in_row[cell_key] == 1, in_column[cell_response] == 1
    n_only = np.bincount(cell_key[only_of_column], minlength=len(in_row))
    is_row = (n_only == in_row)[cell_key]
    n_only = np.bincount(cell_response[only_of_row], minlength=len(in_column))
    is_column = (n_only == in_column)[cell_response]
    centre = np.where(is_row, cell_key, len(in_row) + cell_response)
    is_alone = is_row & is_column
    stars = np.flatnonzero((is_row | is_column) & ~is_alone)
    others = np.flatnonzero(~(is_row | is_column))
    cells, star, first = _grouped(stars, centre[stars])
    return Components(
        len(cell_key),
        np.flatnonzero(is_alone),
        Stars(cells, star, first),
        *_grids(others, cell_key[others], cell_response[others]),
    )


def _grouped(cells: IntArray, group: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The cells one group after the other, the place of the group of each, and where each group
    starts."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    begins = np.append(True, ordered[1:] != ordered[:-1])[: len(order)]
    return cells[order], np.cumsum(begins) - 1, np.flatnonzero(begins)


# Components of up to this many key × response entities are laid out dense at once: 8 KB each.
SMALL = 2**10


def _grids(
    cells: IntArray, key: IntArray, response: IntArray
) -> tuple[SmallGrids, tuple[LargeGrid, ...]]:
    """The components of cells that join these nodes, rows and columns in the order of the nodes."""
    if not len(cells):
        return SmallGrids(cells, 0, cells.reshape(-1, 3)), ()
    key, response = _without_gaps(key), _without_gaps(response)
    n_key = 1 + int(key.max())
    of_node = component_of_node(key, response, n_key, 1 + int(response.max()))
    place, n_nodes = _places_in_groups(of_node)
    n_rows = np.bincount(of_node[:n_key])
    n_columns, of_cell = n_nodes - n_rows, of_node[key]
    row, column = place[key], place[n_key + response] - n_rows[of_cell]
    is_small = n_rows * n_columns <= SMALL
    is_square = (n_rows == 2) & (n_columns == 2)
    in_order = np.argsort(~is_square, kind="stable")
    size = (is_small * n_rows * n_columns)[in_order]
    start = np.empty_like(size)
    start[in_order] = np.cumsum(size) - size
    cell_at = np.full(size.sum(), -1)
    dense = is_small[of_cell]
    cell_at[(start[of_cell] + row * n_columns[of_cell] + column)[dense]] = cells[dense]
    others = np.flatnonzero(is_small & ~is_square)
    shapes = np.array([start, n_rows, n_columns]).T[others]
    small = SmallGrids(cell_at, int(is_square.sum()), shapes)
    sparse = np.flatnonzero(~dense)
    if not len(sparse):
        return small, ()
    ordered, _, first = _grouped(sparse, of_cell[sparse])
    large = [
        LargeGrid(cells[of], row[of], column[of], (1 + row[of].max(), 1 + column[of].max()))
        for of in np.split(ordered, first)[1:]
    ]
    return small, tuple(large)


def _without_gaps(nodes: IntArray) -> IntArray:
    """The nodes numbered from 0, in their order, without those that have no cell."""
    number: IntArray = np.cumsum(np.bincount(nodes) > 0) - 1
    return number[nodes]


def _places_in_groups(group: IntArray) -> tuple[IntArray, IntArray]:
    """The place of each member within its group, in order, and the groups' sizes."""
    sizes = np.bincount(group)
    order = np.argsort(group, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes


# A component of more key × response entities than this is solved as a sparse assignment. Dense,
# it would be 2**18 float64 = 2 MB, and past that size the sparse one is the faster.
LARGEST_DENSE = 2**18


def best_assignment(parts: Components, similarity: FloatArray) -> IntArray:
    """The cells, ascending, that maximise the summed similarity with each node used once at most.

    similarity  (cells,) > 0 of each cell. Nodes without a common cell are never assigned: it could
    not raise the sum. Where several assignments are best, the same one is always taken.
    """
    is_chosen = np.zeros(parts.n_cells + 1, dtype=bool)  # and of the places without a cell
    is_chosen[parts.alone] = True
    if len(parts.stars.cells):
        is_chosen[_best_of_stars(parts.stars, similarity)] = True
    if len(parts.small.cell_at):
        cost = np.append(-similarity, 0)[parts.small.cell_at]
        is_chosen[_best_of_squares(parts.small, cost)] = True
        is_chosen[_best_of_small(parts.small, cost)] = True
    for grid in parts.large:
        within = _assign(grid.row, grid.column, similarity[grid.cells], grid.shape)
        is_chosen[grid.cells[within]] = True
    return np.flatnonzero(is_chosen[:-1])


def _best_of_stars(stars: Stars, similarity: FloatArray) -> IntArray:
    """The first cell of the greatest similarity in each star: its whole alignment."""
    ordered = similarity[stars.cells]
    greatest = np.maximum.reduceat(ordered, stars.first)
    candidates = np.flatnonzero(ordered == greatest[stars.star])[::-1]
    best = np.empty_like(stars.first)
    best[stars.star[candidates]] = stars.cells[candidates]
    return best


def _best_of_squares(small: SmallGrids, cost: FloatArray) -> IntArray:
    """The cells on one diagonal or on the other of each grid of 2 × 2, as the solver takes them.

    It gives the first row its cheaper column, the first one if both cost the same, and the second
    row the other column unless exchanging the two costs less.
    """
    end = 4 * small.n_squares
    (a, b, c, d), places = cost[:end].reshape(-1, 4).T, small.cell_at[:end].reshape(-1, 4)
    stays, back = ~((c < d) & (c + b - a < d)), (d < c) & (d + a - b < c)
    is_main = np.where(b < a, back, stays)
    return np.where(is_main, places[:, [0, 3]].T, places[:, [1, 2]].T)


def _best_of_small(small: SmallGrids, cost: FloatArray) -> IntArray:
    """The cells that settle each other small grid, by the solver."""
    solve = dense_solver()
    solved = [
        solve(cost[start : start + n * m].reshape(n, m)) for start, n, m in small.shapes.tolist()
    ]
    if not solved:
        return small.cell_at[:0]
    start, _, n_columns = np.repeat(small.shapes, small.shapes[:, 1:].min(axis=1), axis=0).T
    row, column = (np.concatenate(side) for side in zip(*solved, strict=True))
    chosen: IntArray = small.cell_at[start + row * n_columns + column]
    return chosen


def _assign(
    row: IntArray, column: IntArray, similarity: FloatArray, shape: tuple[int, int]
) -> IntArray:
    """The chosen cells of one component, as positions in the arguments.

    A large one is solved without its zeros: each row may stay alone, in a column of its own. The
    matching must then be full and its weights must not be 0, so every weight is raised by 1, which
    raises every full matching by the number of rows.
    """
    n = shape[0]
    rows: AnyArray
    columns: AnyArray
    if n * shape[1] <= LARGEST_DENSE:
        cost = np.zeros(shape)
        cost[row, column] = -similarity
        rows, columns = dense_solver()(cost)
    else:
        from scipy.sparse import csr_array, hstack
        from scipy.sparse.csgraph import min_weight_full_bipartite_matching

        shared = csr_array((1 + similarity, (row, column)), shape=shape)
        alone = csr_array((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n))
        both = hstack([shared, alone], format="csr")
        rows, columns = min_weight_full_bipartite_matching(both, maximize=True)
    aligned = np.full(n, -1)
    aligned[rows] = columns
    return np.flatnonzero(aligned[row] == column)
