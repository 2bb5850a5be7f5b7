"""What is needed of the rows of several CoNLL documents, with the positions of all else let go."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from sys import intern

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.formats.byte_cells import Stretches
from corescore.corpus.formats.conll_columns import SAMPLE, WordColumn, with_tabs, word_column
from corescore.corpus.formats.conll_draft import (
    ALL_COLUMNS,
    LEMMA_COLUMN,
    SEMEVAL_COLUMNS,
    SEMEVAL_WORD,
    SPEAKER_COLUMN,
    TAG_COLUMN,
    WORD_COLUMN,
    Draft,
)
from corescore.corpus.formats.conll_rows import Piece, Rows, are_filled, are_odd


@dataclass(frozen=True)
class Block:
    """What the rows of some pieces of documents hold.

    document, line, begins  (rows,) as in `Rows`
    is_odd    (rows,) whether a row needs a second look
    words     (rows,) the word of each
    tags      (rows,) "" where none is known; empty if none is known of any
    lemmas    (rows,) as the tags
    speakers  (sentences,) as the tags
    marked    (cells,) the rows that have brackets
    cells     (cells,) their brackets
    """

    document: IntArray
    line: IntArray
    begins: BoolArray
    is_odd: BoolArray
    words: list[str]
    tags: list[str]
    lemmas: list[str]
    speakers: list[str]
    marked: IntArray
    cells: Stretches

    @classmethod
    def of(cls, drafts: Sequence[Draft], pieces: Sequence[Piece], tabbed: bool) -> "Block":
        """The rows of pieces; each draft of which this is the first learns where its words are."""
        rows = Rows.of(pieces, tabbed=tabbed)
        for start, stop in _runs(rows.document):
            draft = drafts[rows.document[start]]
            draft.column = draft.column or _word_column(rows, start, stop, draft.plain_name, tabbed)
        place = np.array([draft.place for draft in drafts])[rows.document]
        words, entities = rows.column(place), rows.column(rows.n - 1)
        marked = np.flatnonzero(are_filled(entities))
        may_have_speaker = rows.begins & (rows.n >= ALL_COLUMNS) & (place == WORD_COLUMN)
        tags = _known(rows.column(TAG_COLUMN), rows.n >= ALL_COLUMNS)
        return cls(
            rows.document,
            rows.line,
            rows.begins,
            are_odd(rows, place, words, entities),
            [*map(intern, words.texts())],
            [*map(intern, tags)],
            [*map(intern, _lemmas(rows, place))],
            _known(rows.column(SPEAKER_COLUMN)[rows.begins], may_have_speaker[rows.begins]),
            marked,
            entities[marked].alone(),
        )

    @classmethod
    def together(cls, blocks: Sequence["Block"]) -> "Block":
        """Several blocks, one after the other."""
        if len(blocks) == 1:
            return blocks[0]
        before = np.cumsum([0, *(len(block.words) for block in blocks)])[:-1]
        return cls(
            np.concatenate([block.document for block in blocks]),
            np.concatenate([block.line for block in blocks]),
            np.concatenate([block.begins for block in blocks]),
            np.concatenate([block.is_odd for block in blocks]),
            [*chain.from_iterable(block.words for block in blocks)],
            _padded([(block.tags, len(block.words)) for block in blocks]),
            _padded([(block.lemmas, len(block.words)) for block in blocks]),
            _padded([(block.speakers, int(block.begins.sum())) for block in blocks]),
            np.concatenate([b.marked + n for b, n in zip(blocks, before, strict=True)]),
            Stretches.together([block.cells for block in blocks]),
        )

    def give(self, draft: Draft, firsts: IntArray, start: int, stop: int) -> None:
        """Give a draft what its rows hold.

        firsts       the rows that begin sentences
        start, stop  the rows of the draft's document
        """
        first, after = np.searchsorted(firsts, (start, stop)).tolist()
        draft.words = self.words[start:stop]
        draft.tags = self.tags[start:stop]
        draft.lemmas = self.lemmas[start:stop]
        draft.lines = self.line[start:stop] + draft.line + 1
        draft.sentence_starts = (firsts[first:after] - start).tolist()
        draft.speakers = self.speakers[first:after]


def _runs(document: IntArray) -> Iterator[tuple[int, int]]:
    """The rows of each document that has some, from the first to that after the last."""
    firsts = np.flatnonzero(np.diff(document, prepend=-1))
    return pairwise([*firsts.tolist(), len(document)])


def _word_column(rows: Rows, start: int, stop: int, name: str, tabbed: bool) -> WordColumn:
    """Where the words of the document are that has these rows."""
    some = rows.text(start, min(stop, start + SAMPLE)).split("\n")
    return word_column(some if tabbed else with_tabs(some), 0, name)


def _known(cells: Stretches, where: BoolArray) -> list[str]:
    """What cells hold, "" where it is nothing; empty if all hold nothing."""
    known = where & are_filled(cells)
    return cells.where(known).texts() if known.any() else []


def _lemmas(rows: Rows, place: IntArray) -> list[str]:
    """The lemmas of rows as SemEval-2010 has them, the predicted one where that is empty."""
    where = (place == SEMEVAL_WORD) & (rows.n >= SEMEVAL_COLUMNS)
    if not where.any():
        return []
    is_empty = ~are_filled(rows.column(LEMMA_COLUMN))
    return _known(rows.column(LEMMA_COLUMN + is_empty), where)


def _padded(parts: Sequence[tuple[list[str], int]]) -> list[str]:
    """The texts of several blocks with "" for each of those that know none."""
    if not any(texts for texts, _ in parts):
        return []
    return [*chain.from_iterable(texts or [""] * n for texts, n in parts)]
