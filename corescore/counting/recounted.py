"""Tables of what changes touch, each change as a document: what has no closed form is recounted."""

from collections.abc import Iterator

import numpy as np

from corescore.arrays import IntArray, ranges
from corescore.counting.changes import Changes
from corescore.counting.contingency import Contingency, add_up

MOST_CELLS = 2**19  # of one batch: some 100 MB while it is counted


def batches(changes: Changes) -> Iterator[Contingency]:
    """The document of each change afterwards, as tables of which each change is a document."""
    table = changes.table
    n_cells = np.bincount(table.cell_document, minlength=table.n_documents) + 1
    batch = np.cumsum(n_cells[changes.document]) // MOST_CELLS
    for number in np.unique(batch).tolist():
        yield _after(changes.rows(np.flatnonzero(batch == number)))


def _after(changes: Changes) -> Contingency:
    table, sizes, cells = changes.table, changes.sizes, changes.cells
    n_key, width = max(len(table.key_sizes), 1), len(table.response_sizes) + 1
    change, key = _members(table.key_document, changes.document)
    keys = change * n_key + key
    change, response = _members(table.response_document, changes.document)
    responses, response_sizes = _changed(
        (change * width + response, table.response_sizes[response]),
        (sizes.change * width + sizes.response, sizes.after - sizes.before),
    )
    change, cell = _members(table.cell_document, changes.document)
    touched = cells.change * n_key + cells.key
    codes, cell_sizes = _changed(
        (
            (change * n_key + table.cell_key[cell]) * width + table.cell_response[cell],
            table.cell_sizes[cell],
        ),
        (touched * width + sizes.response[cells.entity], cells.after - cells.before),
    )
    of_key, of_response = np.divmod(codes, width)
    return Contingency(
        len(changes.document),
        table.key_sizes[keys % n_key],
        keys // n_key,
        response_sizes,
        responses // width,
        np.searchsorted(keys, of_key),
        np.searchsorted(responses, of_key // n_key * width + of_response),
        cell_sizes,
    )


def _members(document: IntArray, documents: IntArray) -> tuple[IntArray, IntArray]:
    """For each of some documents its place among them with each of its members.

    document  the document of each member, ascending
    """
    first, end = (np.searchsorted(document, documents, side=side) for side in ("left", "right"))
    return ranges(first, end)


def _changed(
    whole: tuple[IntArray, IntArray], change: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """Codes, ascending, and their sizes: those of `whole` with `change` added; 0 is left out."""
    both = np.concatenate([whole[0], change[0]])
    codes, which = np.unique(both, return_inverse=True)
    sizes = add_up(which, np.concatenate([whole[1], change[1]]), len(codes)).astype(np.int64)
    return codes[sizes > 0], sizes[sizes > 0]
