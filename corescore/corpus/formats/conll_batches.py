"""Many CoNLL documents read at once, as arrays, where their rows are as they should be.

A document is left to `Draft.read`, row by row, at the first thing that needs a second look. So
what is odd is judged in one place only, and what is read here is what would be read there.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.formats.conll_block import Block
from corescore.corpus.formats.conll_columns import has_tabs
from corescore.corpus.formats.conll_draft import Draft
from corescore.corpus.formats.conll_rows import Piece
from corescore.corpus.formats.conll_tables import Marked, tables_of
from corescore.corpus.problems import ENOUGH

BATCH = 1 << 19  # characters: arrays of so many bytes stay near the processor
_SHORTEST = 4  # characters of a row: a word, a blank, a cell and the end of the line


def read_rows(drafts: Sequence[Draft], text: str, bodies: Sequence[slice]) -> int:
    """Take in the rows of each draft, in order; of how many: up to a hundred problems.

    bodies  where in the text the lines after its header stand
    """
    n_read = n_problems = 0
    for batch, tabbed in _batches(drafts, text, bodies):
        some = [drafts[at] for at in batch]
        if tabbed is None:
            some[0].read(text[bodies[batch[0]]])
        else:
            _read_batch(some, [text[bodies[at]] for at in batch], tabbed)
        n_read += len(batch)
        n_problems += sum(len(draft.problems.found) for draft in some)
        if n_problems >= ENOUGH:
            break
    return n_read


def _has_short_lines(text: str, body: slice) -> bool:
    """Whether lines are so short that they are no rows: arrays of all of them would be many times
    as large as the text."""
    length: int = body.stop - body.start
    return length > BATCH and text.count("\n", body.start, body.stop) * _SHORTEST > length


def _batches(
    drafts: Sequence[Draft], text: str, bodies: Sequence[slice]
) -> Iterator[tuple[list[int], bool | None]]:
    """Documents that are read at once: one after the other, all with tabs or all with blanks; one
    of short lines, None, by itself."""
    batch: list[int] = []
    were_tabbed: bool | None = False
    n = 0
    for at, (draft, body) in enumerate(zip(drafts, bodies, strict=True)):
        is_short = _has_short_lines(text, body)
        tabbed = None if is_short else has_tabs(_lines(text, body), draft.plain_name)
        if batch and (tabbed is None or tabbed != were_tabbed or n > BATCH):
            yield batch, were_tabbed
            batch, n = [], 0
        batch.append(at)
        n += body.stop - body.start
        were_tabbed = tabbed
    if batch:
        yield batch, were_tabbed


def _lines(text: str, body: slice) -> Iterator[str]:
    at = body.start
    while at < body.stop:
        end = text.find("\n", at, body.stop)
        end = end if end >= 0 else body.stop
        yield text[at:end]
        at = end + 1


def _read_batch(drafts: Sequence[Draft], bodies: Sequence[str], tabbed: bool) -> None:
    block = Block.together([Block.of(drafts, pieces, tabbed) for pieces in _pieces(bodies)])
    edges = np.searchsorted(block.document, np.arange(len(drafts) + 1))
    is_odd = np.array([draft.plain_name[:1] in ("", "#") for draft in drafts])
    is_odd[block.document[block.is_odd]] = True
    n_problems = 0
    for at in np.flatnonzero(is_odd).tolist():
        drafts[at].column = None
        drafts[at].read(bodies[at])
        n_problems += len(drafts[at].problems.found)
        if n_problems >= ENOUGH:
            is_odd[at:] = True  # what follows is read no more
            break
    firsts = np.flatnonzero(block.begins)
    for at in np.flatnonzero(~is_odd).tolist():
        block.give(drafts[at], firsts, *edges[at : at + 2].tolist())
    _read_brackets(drafts, block, edges, ~is_odd)


def _pieces(bodies: Sequence[str]) -> Iterator[list[Piece]]:
    """The lines of documents, cut between sentences into lists of about as many characters."""
    pieces: list[Piece] = []
    n = 0
    for document, body in enumerate(bodies):
        line = 0
        for text in _cut(body):
            pieces.append(Piece(document, line, text))
            n += len(text)
            if n >= BATCH:
                yield pieces
                pieces, n = [], 0
            line += text.count("\n") if text is not body else 0
    if pieces:
        yield pieces


def _cut(body: str) -> Iterator[str]:
    start = 0
    while (end := body.find("\n\n", start + BATCH)) >= 0:
        yield body[start : end + 2]
        start = end + 2
    yield body[start:]


def _read_brackets(
    drafts: Sequence[Draft], block: Block, edges: IntArray, are_wanted: BoolArray
) -> None:
    """Give the wanted documents their mentions."""
    wanted = np.flatnonzero(are_wanted[block.document[block.marked]])
    at, cells = block.marked[wanted], block.cells[wanted]
    document = block.document[at]
    words = Marked(cells, at, document, np.cumsum(block.begins, dtype=np.int64)[at])
    for draft, table in zip(drafts, tables_of(words, edges), strict=True):
        draft.table = table
    left = np.flatnonzero(np.array([draft.table is None for draft in drafts])[document])
    of = document[left]
    texts = [*zip((at[left] - edges[of]).tolist(), cells[left].texts(), strict=True)]
    spans = pairwise(np.searchsorted(of, np.arange(len(drafts) + 1)).tolist())
    for draft, (start, stop) in zip(drafts, spans, strict=True):
        draft.read_brackets(texts[start:stop])
