"""Connected components of a bipartite graph: key and response nodes that are joined by cells."""

from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import IntArray


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

    @property
    def turned(self) -> "Grids":
        """The same with rows and columns exchanged."""
        return replace(
            self,
            row=self.column,
            column=self.row,
            n_rows=self.n_columns,
            n_columns=self.n_rows,
        )


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
    # scipy takes longer to import than most corpora to score: only where it is needed
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = n_key + n_response
    edges = (np.ones(len(cell_key)), (cell_key, n_key + cell_response))
    _, component = connected_components(coo_array(edges, shape=(n, n)), directed=False)
    return component.astype(np.int64)


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
    place, n_nodes = _places(of_node)
    n_rows = np.bincount(of_node[: len(keys)], minlength=len(n_nodes))
    column = place[len(keys) + response[order]] - np.repeat(n_rows, n_cells)
    return Grids(cells[order], first, n_cells, place[key[order]], column, n_rows, n_nodes - n_rows)


def _places(group: IntArray) -> tuple[IntArray, IntArray]:
    """The place of each member within its group, in order, and the groups' sizes."""
    sizes = np.bincount(group)
    order = np.argsort(group, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes
