"""The best one-to-one assignment of key and response nodes, a connected component at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path

import numpy as np

from corescore.util import AnyArray, BoolArray, FloatArray, IntArray

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


@dataclass(frozen=True)
class Stars:
    """Components of one node of one side and several of the other.

    cells           (cells,) their cells, ascending within each star, one star after the other
    first, n_cells  (stars,) where each star starts in `cells`, and its length
    """

    cells: IntArray
    first: IntArray
    n_cells: IntArray


@dataclass(frozen=True)
class Grids:
    """Components of several nodes of either side: each is a small grid.

    cells               (cells,) their cells, one component after the other
    first, n_cells      (components,) where each component starts in `cells`, and its length
    row, column         (cells,) the place of each of `cells` in the grid of its component
    n_rows, n_columns   (components,) key and response nodes of each component
    """

    cells: IntArray
    first: IntArray
    n_cells: IntArray
    row: IntArray
    column: IntArray
    n_rows: IntArray
    n_columns: IntArray


@dataclass(frozen=True)
class Components:
    """The components of all cells, by their shapes; most are of the simpler ones.

    n_cells  the number of all cells
    alone    (cells,) those that are the only one of their component
    """

    n_cells: int
    alone: IntArray
    stars: Stars
    grids: Grids


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
    return Components(
        len(cell_key),
        np.flatnonzero(is_alone),
        Stars(*_grouped(stars, centre[stars])),
        _grids(others, cell_key[others], cell_response[others]),
    )


def _grouped(cells: IntArray, group: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The cells one group after the other, where each group starts, and its length."""
    order = np.argsort(group, kind="stable")
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    return cells[order], first, np.diff(first, append=len(cells))


def _grids(cells: IntArray, key: IntArray, response: IntArray) -> Grids:
    keys, key = np.unique(key, return_inverse=True)
    responses, response = np.unique(response, return_inverse=True)
    of_node = component_of_node(key, response, len(keys), len(responses)) if len(cells) else cells
    order, first, n_cells = _grouped(np.arange(len(cells)), of_node[key])
    place, n_nodes = _places_in_groups(of_node)
    n_rows = np.bincount(of_node[: len(keys)], minlength=len(n_nodes))
    column = place[len(keys) + response[order]] - np.repeat(n_rows, n_cells)
    return Grids(cells[order], first, n_cells, place[key[order]], column, n_rows, n_nodes - n_rows)


def _places_in_groups(group: IntArray) -> tuple[IntArray, IntArray]:
    """The place of each member within its group, in order, and the groups' sizes."""
    sizes = np.bincount(group)
    order = np.argsort(group, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes


# Components of up to this many key × response entities are laid out dense at once: 8 KB each.
SMALL = 2**10

# A component of more key × response entities than this is solved as a sparse assignment. Dense,
# it would be 2**18 float64 = 2 MB, and past that size the sparse one is the faster.
LARGEST_DENSE = 2**18


def best_assignment(parts: Components, similarity: FloatArray) -> IntArray:
    """The cells, ascending, that maximise the summed similarity with each node used once at most.

    similarity  (cells,) > 0 of each cell. Nodes without a common cell are never assigned: it could
    not raise the sum. Where several assignments are best, the same one is always taken.
    """
    is_chosen = np.zeros(parts.n_cells, dtype=bool)
    is_chosen[parts.alone] = True
    if len(parts.stars.cells):
        is_chosen[_best_of_stars(parts.stars, similarity)] = True
    if len(parts.grids.cells):
        is_chosen[_best_of_grids(parts.grids, similarity)] = True
    return np.flatnonzero(is_chosen)


def _best_of_stars(stars: Stars, similarity: FloatArray) -> IntArray:
    """The first cell of the greatest similarity in each star: its whole alignment."""
    ordered = similarity[stars.cells]
    greatest = np.maximum.reduceat(ordered, stars.first)
    candidates = np.flatnonzero(ordered == np.repeat(greatest, stars.n_cells))
    star = np.searchsorted(stars.first, candidates, side="right")
    return stars.cells[candidates[np.diff(star, prepend=0) > 0]]


def _best_of_grids(grids: Grids, similarity: FloatArray) -> IntArray:
    """The cells that settle each grid, by a solver."""
    ordered = similarity[grids.cells]
    is_small = grids.n_rows * grids.n_columns <= SMALL
    chosen = [_best_of_small(grids, ordered, is_small)]
    for component in np.flatnonzero(~is_small).tolist():
        start = grids.first[component]
        within = slice(start, start + grids.n_cells[component])
        shape = int(grids.n_rows[component]), int(grids.n_columns[component])
        chosen.append(
            start + _assign(grids.row[within], grids.column[within], ordered[within], shape)
        )
    return grids.cells[np.concatenate(chosen)]


def _best_of_small(parts: Grids, similarity: FloatArray, wanted: BoolArray) -> IntArray:
    """The chosen cells of small components, solved one by one in one dense array for all."""
    size = np.where(wanted, parts.n_rows * parts.n_columns, 0)
    first = np.cumsum(size) - size
    component = np.repeat(np.arange(len(wanted)), parts.n_cells)
    cells = np.flatnonzero(wanted[component])
    component = component[cells]
    place = first[component] + parts.row[cells] * parts.n_columns[component] + parts.column[cells]
    cost, cell_at = np.zeros(int(size.sum())), np.full(int(size.sum()), -1)
    cost[place], cell_at[place] = -similarity[cells], cells
    grids = np.flatnonzero(wanted)
    shapes = zip(
        *(of[grids].tolist() for of in (first, parts.n_rows, parts.n_columns)), strict=True
    )
    solve = dense_solver()
    solved = [solve(cost[at : at + n * m].reshape(n, m)) for at, n, m in shapes]
    if not solved:
        return grids
    n_pairs = np.minimum(parts.n_rows, parts.n_columns)[grids]
    row, column = (np.concatenate(side) for side in zip(*solved, strict=True))
    width, start = (np.repeat(of[grids], n_pairs) for of in (parts.n_columns, first))
    chosen: IntArray = cell_at[start + row * width + column]
    return chosen[chosen >= 0]


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
