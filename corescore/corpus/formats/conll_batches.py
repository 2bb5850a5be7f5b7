"""Many CoNLL documents read at once, as arrays, where their rows are as they should be.

A document is left to `Draft.read`, row by row, at the first thing that needs a second look. So
what is odd is judged in one place only, and what is read here is what would be read there.

What is needed of the rows of several CoNLL documents, with the positions of all else let go.

Mentions of many documents out of their brackets at once, where the brackets are plain.

Plain are brackets whose ids are numbers of at most nine digits without leading zeros, with their
partners in the same sentence; no span occurs twice, and no entity closes and opens at one word. All
other documents are left to `Draft.read_brackets`, which knows what to say of them.

The rows of several CoNLL documents as arrays: where they stand, and the cells of their columns.

Rows are as they should be where a plain look at them tells all: the same number of columns in a
sentence, a word and an entity cell in each. `are_odd` says which of them need a second look.

Where the cells of columns stand in the bytes of their lines, found for many lines at once.

Splitting text into lines and cells makes a string of each, of which most are never looked at.
Positions cost a tenth of that, and only the cells that are needed become strings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from sys import intern
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corescore.corpus.formats.conll_draft import (
    ALL_COLUMNS,
    LEMMA_COLUMN,
    MOST_BRACKETS,
    NOTHING,
    SAMPLE,
    SEMEVAL_COLUMNS,
    SEMEVAL_WORD,
    SPEAKER_COLUMN,
    TAG_COLUMN,
    WORD_COLUMN,
    Draft,
    WordColumn,
    has_tabs,
    with_tabs,
    word_column,
)
from corescore.corpus.problems import ENOUGH
from corescore.util import AnyArray, BoolArray, IntArray

Bytes = NDArray[np.uint8]

TAB, NEWLINE, BLANK = b"\t\n "

_HALVES = "surrogatepass"  # half a character, which only a program can give, is kept


def encoded(text: str) -> Bytes:
    """(bytes,) the text in UTF-8."""
    return np.frombuffer(text.encode("utf-8", _HALVES), dtype=np.uint8)


def decoded(data: Bytes) -> str:
    """The text that the bytes are in UTF-8."""
    return data.tobytes().decode("utf-8", _HALVES)


@dataclass(frozen=True)
class Stretches:
    """Stretches of bytes, such as the cells of a column; none holds a newline or the last byte."""

    data: Bytes
    starts: IntArray
    lengths: IntArray

    def __getitem__(self, which: AnyArray) -> "Stretches":
        return Stretches(self.data, self.starts[which], self.lengths[which])

    def where(self, known: BoolArray) -> "Stretches":
        """The same, but empty where this does not hold."""
        return Stretches(self.data, self.starts, np.where(known, self.lengths, 0))

    @property
    def first_bytes(self) -> Bytes:
        """(stretches,) the first byte of each; of an empty one the byte after it."""
        return self.data[self.starts]

    def joined(self) -> Bytes:
        """(sum of lengths + stretches,) one after the other, each with a newline after it."""
        wide = self.lengths + 1
        after = np.cumsum(wide)
        at = np.repeat(self.starts - after + wide, wide)
        found = self.data[at + np.arange(len(at))]
        found[after - 1] = NEWLINE
        return found

    def alone(self) -> "Stretches":
        """The same, with no other bytes kept than theirs."""
        starts = np.cumsum(self.lengths + 1) - self.lengths - 1
        return Stretches(self.joined(), starts, self.lengths)

    @classmethod
    def together(cls, parts: Sequence["Stretches"]) -> "Stretches":
        """The stretches of several texts, one after the other."""
        sizes = np.cumsum([0, *(len(part.data) for part in parts)])
        return cls(
            np.concatenate([part.data for part in parts]),
            np.concatenate([part.starts + n for part, n in zip(parts, sizes[:-1], strict=True)]),
            np.concatenate([part.lengths for part in parts]),
        )

    def texts(self) -> list[str]:
        """Each as a string."""
        return decoded(self.joined()).split("\n")[:-1]


@dataclass(frozen=True)
class Cells:
    """The cells of lines of text.

    data    (bytes,) the text in UTF-8, a newline before it and one at its end
    before  (cells,) the byte before each cell
    ends    (cells,) the byte after it
    first   (lines,) which cell is the first of each line; of a line without cells it means nothing
    n       (lines,) how many it has
    """

    data: Bytes
    before: IntArray
    ends: IntArray
    first: IntArray
    n: IntArray

    def at(self, which: IntArray) -> Stretches:
        """The bytes of some of the cells."""
        starts = self.before[which] + 1
        return Stretches(self.data, starts, self.ends[which] - starts)


def tabbed_cells(data: Bytes) -> Cells:
    """The cells of lines with a tab between columns. An empty line has none."""
    edges = np.flatnonzero(data - np.uint8(TAB) <= NEWLINE - TAB)
    before, ends = edges[:-1], edges[1:]
    last = np.flatnonzero(data[ends] == NEWLINE)
    first = np.append(0, last[:-1] + 1)
    is_empty = before[first] + 1 == ends[last]
    return Cells(data, before, ends, first, np.where(is_empty, 0, last - first + 1))


def spaced_cells(data: Bytes) -> Cells:
    """The cells of lines with blanks or tabs between columns. A line of blanks has none."""
    is_newline = data == NEWLINE
    is_gap = is_newline | (data == BLANK) | (data == TAB)
    edges = np.flatnonzero(is_gap[1:] != is_gap[:-1])
    before, ends = edges[::2], edges[1::2] + 1
    after = np.searchsorted(before, np.flatnonzero(is_newline)[1:])
    first = np.append(0, after[:-1])
    return Cells(data, before, ends, first, after - first)


_IS_NOTHING: BoolArray = np.isin(np.arange(256), [ord(cell) for cell in NOTHING if cell])

_COMMENT = ord("#")


class Piece(NamedTuple):
    """Lines of a document, from the beginning of a sentence on.

    document  its number in the batch
    line      the first line's number, counted from 0 at the line after the header
    """

    document: int
    line: int
    text: str


@dataclass(frozen=True)
class Rows:
    """The lines of some pieces of documents that are neither empty nor comments.

    cells     of all their lines
    line      (rows,) the line of each row, counted as in `Piece`
    document  (rows,) its document
    begins    (rows,) whether it is the first of a sentence
    first, n  (rows,) its first cell, and how many it has
    """

    cells: Cells
    line: IntArray
    document: IntArray
    begins: BoolArray
    first: IntArray
    n: IntArray

    @classmethod
    def of(cls, pieces: Sequence[Piece], *, tabbed: bool) -> "Rows":
        """The rows of pieces, with tabs or blanks between columns.

        No name of a document begins with a number sign; its rows could be taken for comments.
        """
        ended = [text if text.endswith("\n") else f"{text}\n" for _, _, text in pieces]
        n_lines = np.array([text.count("\n") for text in ended], dtype=np.int64)
        cells = (tabbed_cells if tabbed else spaced_cells)(encoded("".join(["\n", *ended])))
        filled = np.flatnonzero(cells.n)
        at = filled[cells.at(cells.first[filled]).first_bytes != _COMMENT]
        piece = np.repeat(np.arange(len(pieces)), n_lines)[at]
        n_blank = np.cumsum(cells.n == 0)[at]
        begins = np.append(True, (np.diff(n_blank) > 0) | (np.diff(piece) > 0))[: len(at)]
        before = np.array([piece.line for piece in pieces]) - (np.cumsum(n_lines) - n_lines)
        document = np.array([piece.document for piece in pieces])[piece]
        return cls(cells, at + before[piece], document, begins, cells.first[at], cells.n[at])

    def column(self, number: IntArray | int) -> Stretches:
        """The cell of each row in a column; of a row that has not so many columns its last cell."""
        return self.cells.at(self.first + np.minimum(number, self.n - 1))

    def text(self, start: int, stop: int) -> str:
        """Rows as they stand in the file, with the lines between them."""
        last = self.first[stop - 1] + self.n[stop - 1] - 1
        begin, end = self.cells.before[self.first[start]] + 1, self.cells.ends[last]
        return decoded(self.cells.data[begin:end])


def are_filled(cells: Stretches) -> BoolArray:
    """(cells,) whether a cell holds more than a sign that there is nothing."""
    is_sign: BoolArray = _IS_NOTHING[cells.first_bytes] & (cells.lengths == 1)
    return ~is_sign & (cells.lengths > 0)


def are_odd(rows: Rows, place: IntArray, words: Stretches, entities: Stretches) -> BoolArray:
    """(rows,) whether a row needs a second look.

    place            (rows,) the column of its word
    words, entities  (rows,) its word, and its last cell
    """
    odd: BoolArray = (rows.n < place + 2) | (words.lengths == 0)
    odd |= (entities.lengths == 0) | (entities.first_bytes == BLANK)
    odd |= entities.lengths > MOST_BRACKETS  # there may be too many in it
    odd[1:] |= ~rows.begins[1:] & (np.diff(rows.n) != 0)
    return odd


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


MOST_DIGITS = 9

_OPENING, _CLOSING, _BAR, _ZERO = b"()|0"


@dataclass(frozen=True)
class Marked:
    """The words with brackets of some documents, in order.

    cells     (words,) their brackets
    row       (words,) the rows they stand in
    document  (words,) their documents
    sentence  (words,) their sentences; no two documents have one in common
    """

    cells: Stretches
    row: IntArray
    document: IntArray
    sentence: IntArray


def tables_of(words: Marked, edges: IntArray) -> Iterator[IntArray | None]:
    """The `rows` of each document; None where its brackets are not plain.

    edges  (documents + 1,) the first row of each document, and the number of all
    """
    are_plain = np.ones(len(edges) - 1, dtype=bool)
    brackets, wrong = _brackets_in(words)
    are_plain[wrong] = False
    brackets = brackets[are_plain[brackets.document]]
    in_pairs, wrong = _nested(brackets)
    are_plain[wrong] = False
    in_pairs = in_pairs[are_plain[brackets.document[in_pairs]]]
    opening, closing = in_pairs[::2], in_pairs[1::2]
    runs_over = brackets.sentence[opening] != brackets.sentence[closing]
    are_plain[brackets.document[opening[runs_over]]] = False
    stop = brackets.row + 1
    stop[opening] = stop[closing]
    begins = np.flatnonzero(brackets.opens & are_plain[brackets.document])
    order = begins[np.lexsort((-stop[begins], brackets.row[begins]))]
    mentions = brackets[order]
    is_again = (np.diff(mentions.row) == 0) & (np.diff(stop[order]) == 0)
    are_plain[mentions.document[1:][is_again]] = False
    limits = np.searchsorted(mentions.document, np.arange(len(edges)))
    entity = _in_text_order(mentions.entity)
    spans = np.column_stack([mentions.row, stop[order]]) - edges[mentions.document][:, None]
    table = np.column_stack([spans, entity - np.append(entity, 0)[limits][mentions.document]])
    for is_plain, (first, after) in zip(are_plain.tolist(), pairwise(limits.tolist()), strict=True):
        yield table[first:after] if is_plain else None


@dataclass(frozen=True)
class _Brackets:
    """The ids in brackets, in the order of the file.

    row, document, sentence  (brackets,) those of the word, as in `Marked`
    entity                   (brackets,) the id; no two documents have one in common
    opens, closes            (brackets,) on which sides of the id there is a bracket
    """

    row: IntArray
    document: IntArray
    sentence: IntArray
    entity: IntArray
    opens: BoolArray
    closes: BoolArray

    def __getitem__(self, which: AnyArray) -> "_Brackets":
        places = self.row[which], self.document[which], self.sentence[which]
        return _Brackets(*places, self.entity[which], self.opens[which], self.closes[which])


def _brackets_in(words: Marked) -> tuple[_Brackets, IntArray]:
    """The brackets, and the documents of those that are no brackets or are not plain."""
    data = np.append(np.uint8(NEWLINE), words.cells.joined())
    word = np.append(0, np.repeat(np.arange(len(words.row)), words.cells.lengths + 1))
    is_digit = data - np.uint8(_ZERO) < 10
    is_opening, is_closing = data == _OPENING, data == _CLOSING
    starts = np.flatnonzero(is_digit[1:] & ~is_digit[:-1]) + 1
    ends = np.flatnonzero(is_digit[:-1] & ~is_digit[1:]) + 1
    opens, closes = is_opening[starts - 1], is_closing[ends]
    is_wrong = ~(is_digit | is_opening | is_closing | (data == _BAR) | (data == NEWLINE))
    is_wrong[:-1] |= is_opening[:-1] & ~is_digit[1:]
    is_wrong[1:] |= is_closing[1:] & ~is_digit[:-1]
    is_wrong[starts] |= ~(opens | closes) | (ends - starts > MOST_DIGITS)
    is_wrong[starts] |= (data[starts] == _ZERO) & (ends - starts > 1)
    has_id = np.zeros(len(words.row), dtype=bool)
    has_id[word[starts]] = True
    at = word[starts]
    entity = words.document[at] * 10**MOST_DIGITS + _numbers(data, starts, ends)
    places = words.row[at], words.document[at], words.sentence[at]
    wrong = np.append(word[is_wrong], np.flatnonzero(~has_id))
    return _Brackets(*places, entity, opens, closes), words.document[wrong]


def _numbers(data: Bytes, starts: IntArray, ends: IntArray) -> IntArray:
    """The numbers whose digits stand here; of one with too many digits its first ones."""
    numbers = np.zeros(len(starts), dtype=np.int64)
    for n in range(min(int((ends - starts).max(initial=0)), MOST_DIGITS)):
        longer = starts + n < ends
        numbers[longer] = numbers[longer] * 10 + (data[starts[longer] + n] - _ZERO)
    return numbers


def _nested(brackets: _Brackets) -> tuple[IntArray, IntArray]:
    """Brackets on one side of an id, each that opens before its partner; and wrong documents.

    Wrong are documents in which a bracket has no partner, and those in which an entity closes and
    opens at one word, where what opens is read first: what is said of their brackets is not true.
    """
    half = np.flatnonzero(brackets.opens != brackets.closes)
    half = half[np.argsort(brackets.entity[half], kind="stable")]
    entity, opens = brackets.entity[half], brackets.opens[half]
    depth = np.cumsum(np.where(opens, 1, -1))
    firsts = np.flatnonzero(np.diff(entity, prepend=-1))
    n_brackets = np.diff(np.append(firsts, len(half)))
    depth -= np.repeat(np.append(0, depth)[firsts], n_brackets)
    is_last = np.diff(entity, append=-1) != 0
    wrong = (depth < 0) | (is_last & (depth != 0))
    row = brackets.row[half]
    wrong[1:] |= ~opens[:-1] & opens[1:] & (entity[1:] == entity[:-1]) & (row[1:] == row[:-1])
    in_pairs = np.lexsort((depth + ~opens, entity))
    return half[in_pairs], brackets.document[half[wrong]]


def _in_text_order(entity: IntArray) -> IntArray:
    """(mentions,) the entities numbered from 0 in the order in which they first occur."""
    _, first, number = np.unique(entity, return_index=True, return_inverse=True)
    rank = np.empty_like(first)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


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
