"""Connected components of a bipartite graph: key and response nodes that are joined by cells."""

from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import IntArray


@dataclass(frozen=True)
class Components:
    """Nodes that are joined directly or through others: each component is a small grid.

    cells               (cells,) all cells, one component after the other
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
    def turned(self) -> "Components":
        """The same with rows and columns exchanged."""
        return replace(
            self,
            row=self.column,
            column=self.row,
            n_rows=self.n_columns,
            n_columns=self.n_rows,
        )


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


def components_of(
    cell_key: IntArray,
    cell_response: IntArray,
    n_key: int,
    n_response: int,
    of_node: IntArray | None = None,
) -> Components:
    """The components of the cells; `of_node` is `component_of_node`, if it is known."""
    if of_node is None:
        of_node = component_of_node(cell_key, cell_response, n_key, n_response)
    of_cell = of_node[cell_key]
    cells = np.argsort(of_cell, kind="stable")
    first = np.flatnonzero(np.diff(of_cell[cells], prepend=-1))
    n_cells = np.diff(first, append=len(cells))
    place, n_nodes = _places(of_node)
    present = of_cell[cells[first]]
    n_rows = np.bincount(of_node[:n_key], minlength=len(n_nodes))[present]
    column = place[n_key + cell_response[cells]] - np.repeat(n_rows, n_cells)
    row = place[cell_key[cells]]
    return Components(cells, first, n_cells, row, column, n_rows, n_nodes[present] - n_rows)


def _places(group: IntArray) -> tuple[IntArray, IntArray]:
    """The place of each member within its group, in order, and the groups' sizes."""
    sizes = np.bincount(group)
    order = np.argsort(group, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes
