"""Many CoNLL documents read at once, as arrays, where their rows are as they should be.

A document is left to `Draft.read`, row by row, at the first thing that needs a second look. So
what is odd is judged in one place only, and what is read here is what would be read there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from sys import intern

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.formats.byte_cells import Stretches
from corescore.corpus.formats.conll_columns import (
    SAMPLE,
    WordColumn,
    has_tabs,
    with_tabs,
    word_column,
)
from corescore.corpus.formats.conll_draft import (
    ALL_COLUMNS,
    SPEAKER_COLUMN,
    TAG_COLUMN,
    WORD_COLUMN,
    Draft,
)
from corescore.corpus.formats.conll_rows import Rows, are_filled, are_odd
from corescore.corpus.formats.conll_tables import Marked, tables_of

BATCH = 1 << 19  # characters: arrays of so many bytes stay near the processor


def read_rows(drafts: Sequence[Draft], text: str, bodies: Sequence[slice]) -> None:
    """Take in the rows of each draft.

    bodies  where in the text the lines after its header stand
    """
    for batch, tabbed in _batches(drafts, text, bodies):
        _read_batch([drafts[at] for at in batch], [text[bodies[at]] for at in batch], tabbed)


def _batches(
    drafts: Sequence[Draft], text: str, bodies: Sequence[slice]
) -> Iterator[tuple[list[int], bool]]:
    """Documents that are read at once: one after the other, all with tabs or all with blanks."""
    batch: list[int] = []
    were_tabbed, n = False, 0
    for at, (draft, body) in enumerate(zip(drafts, bodies, strict=True)):
        tabbed = has_tabs(_lines(text, body), draft.plain_name)
        if batch and (tabbed != were_tabbed or n > BATCH):
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
    rows = Rows.of(bodies, tabbed=tabbed)
    edges = np.searchsorted(rows.document, np.arange(len(drafts) + 1))
    for draft, span in zip(drafts, pairwise(edges.tolist()), strict=True):
        draft.column = _word_column(rows, *span, draft.plain_name, tabbed)
    place = np.array([draft.place for draft in drafts])[rows.document]
    words, entities = rows.column(place), rows.column(rows.n - 1)
    is_odd = np.array([draft.plain_name[:1] in ("", "#") for draft in drafts])
    is_odd[rows.document[are_odd(rows, place, words, entities)]] = True
    for at in np.flatnonzero(is_odd).tolist():
        drafts[at].column = None
        drafts[at].read(bodies[at].split("\n"))
    texts = _Texts(rows, edges, words.texts(), _tags(rows), *_sentences(rows, place))
    for at in np.flatnonzero(~is_odd).tolist():
        texts.give(at, drafts[at])
    _read_brackets(drafts, rows, edges, entities.where(~is_odd[rows.document]))


def _word_column(rows: Rows, start: int, stop: int, name: str, tabbed: bool) -> WordColumn | None:
    """Where the words of the document are that has these rows."""
    if start == stop:
        return None
    some = rows.text(start, min(stop, start + SAMPLE)).split("\n")
    return word_column(some if tabbed else with_tabs(some), 0, name)


def _tags(rows: Rows) -> list[str]:
    """The tag of each row, "" where none is known; empty if none is known of any."""
    tags = rows.column(TAG_COLUMN)
    return [*map(intern, _known(tags, rows.n >= ALL_COLUMNS))]


def _sentences(rows: Rows, place: IntArray) -> tuple[IntArray, list[str]]:
    """The rows that begin the sentences, and their speakers as `_tags` has the tags."""
    firsts = np.flatnonzero(rows.begins)
    may_have_one = (rows.n >= ALL_COLUMNS) & (place == WORD_COLUMN)
    return firsts, _known(rows.column(SPEAKER_COLUMN)[firsts], may_have_one[firsts])


def _known(cells: Stretches, where: BoolArray) -> list[str]:
    known = where & are_filled(cells)
    return cells.where(known).texts() if known.any() else []


@dataclass(frozen=True)
class _Texts:
    """What the rows of some documents hold but for the entities.

    edges     (documents + 1,) the first row of each document, and the number of all
    words     (rows,) the word of each
    tags      (rows,) "" where none is known; empty if none is known of any
    firsts    (sentences,) the row that begins each sentence
    speakers  (sentences,) as the tags
    """

    rows: Rows
    edges: IntArray
    words: list[str]
    tags: list[str]
    firsts: IntArray
    speakers: list[str]

    def give(self, document: int, draft: Draft) -> None:
        """Give a draft what the rows of its document hold."""
        start, stop = self.edges[document : document + 2].tolist()
        first, after = np.searchsorted(self.firsts, (start, stop)).tolist()
        draft.words = self.words[start:stop]
        draft.tags = self.tags[start:stop]
        draft.lines = self.rows.line[start:stop] + draft.line + 1
        draft.sentence_starts = (self.firsts[first:after] - start).tolist()
        draft.speakers = self.speakers[first:after]


def _read_brackets(
    drafts: Sequence[Draft], rows: Rows, edges: IntArray, entities: Stretches
) -> None:
    """Give each draft its mentions, of cells that are empty where they are not wanted."""
    at = np.flatnonzero(are_filled(entities))
    document = rows.document[at]
    words = Marked(entities[at], at, document, np.cumsum(rows.begins, dtype=np.int64)[at])
    for draft, table in zip(drafts, tables_of(words, edges), strict=True):
        draft.table = table
    is_left = np.array([draft.table is None for draft in drafts])[document]
    at, document = at[is_left], document[is_left]
    cells = [*zip((at - edges[document]).tolist(), entities[at].texts(), strict=True)]
    spans = pairwise(np.searchsorted(document, np.arange(len(drafts) + 1)).tolist())
    for draft, (start, stop) in zip(drafts, spans, strict=True):
        draft.read_brackets(cells[start:stop])
