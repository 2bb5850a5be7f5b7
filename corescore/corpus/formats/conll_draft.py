"""One document of a CoNLL file while it is read."""

from array import array
from bisect import bisect_right
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from sys import intern

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_brackets import (
    EXPECTED_BRACKETS,
    NOTHING,
    TOO_MANY_BRACKETS,
    Bracket,
    has_too_many,
    parse_cell,
    plain_brackets,
    sharing_a_number,
    spelled_twice,
    types_of,
)
from corescore.corpus.formats.conll_columns import (
    WordColumn,
    is_blank,
    is_comment,
    n_columns,
    tabbed,
    word_column,
)
from corescore.corpus.mentions import Attributes, Original
from corescore.corpus.problems import MOST_PROBLEMS, Problem, Problems, TooManyProblems
from corescore.wording import counted, listed

WORD_COLUMN, TAG_COLUMN, SPEAKER_COLUMN, ALL_COLUMNS = 3, 4, 9, 12
# SemEval-2010: number, word, lemma, predicted lemma, …
SEMEVAL_WORD, LEMMA_COLUMN, SEMEVAL_COLUMNS = 1, 2, 17
_BEGINNING = 1 << 15  # characters
OPEN = -1  # the end of a mention that has not been closed


@dataclass
class Draft:
    """A document while it is read. Positions in a file are inclusive, here half-open."""

    plain_name: str
    part: str
    file: str
    line: int
    words: list[str] = field(default_factory=list)
    lines: IntArray | None = None
    column: WordColumn | None = None
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    table: IntArray | None = None
    rows: list[tuple[int, int, str]] = field(default_factory=list)
    open_rows: dict[str, list[int]] = field(default_factory=dict)
    unopened: list[tuple[str, int, int]] = field(default_factory=list)
    unusual: bool = False  # whether an id has a type or a leading zero
    problems: Problems = field(default_factory=Problems)
    warnings: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the document is known by: "x", or "x; part 3"."""
        return f"{self.plain_name}; part {self.part}" if self.part else self.plain_name

    def read(self, text: str) -> None:
        """Take in the rows that follow the line of the header; up to a hundred problems.

        The beginning of a long text tells first whether there are so many: all of its lines at once
        take many times its memory.
        """
        end = text.find("\n", _BEGINNING)
        with suppress(TooManyProblems):
            if end >= 0:
                trial = Draft(self.plain_name, self.part, self.file, self.line)
                trial.problems = self.problems
                trial._read(text[:end].split("\n"))
                self.problems.found.clear()
            self._read(text.split("\n"))

    def _read(self, lines: Sequence[str]) -> None:
        at, n, tagged, lemmatised = 0, -1, False, False
        words, tags = self.words, self.tags
        cells: list[tuple[int, str]] = []
        others = array("q")  # lines without a word; far fewer than those with one, if all is well
        rows = tabbed(lines, self.plain_name)
        for number, line in enumerate(rows):
            fields = line.split("\t")
            if len(fields) != n or not fields[at] or line[0] == "#":
                others.append(number)
                n, fields = self._other_line(rows, number, fields, n)
                at, tagged = self.place, n >= ALL_COLUMNS
                lemmatised = at == SEMEVAL_WORD and n >= SEMEVAL_COLUMNS
                if not fields:
                    continue
                others.pop()
            words.append(intern(fields[at]))
            if tagged:
                tags.append(intern(fields[TAG_COLUMN]))
            if lemmatised:
                self.lemmas.append(_lemma(*fields[LEMMA_COLUMN : LEMMA_COLUMN + 2]))
            cell = fields[-1]
            if cell not in NOTHING:
                cells.append((len(words) - 1, cell))
        self.lines = np.delete(np.arange(len(lines)), np.frombuffer(others, dtype=np.int64))
        self.lines += self.line + 1
        self._read_brackets(cells)

    @property
    def place(self) -> int:
        """The column that is read as words: the first where there are none."""
        return max(self.column.at, 0) if self.column else 0

    def _other_line(
        self, rows: Sequence[str], number: int, fields: list[str], n: int
    ) -> tuple[int, list[str]]:
        """The number of columns after a line unlike the one before, and its cells if it is a row.

        CoNLL-2012 has another number of columns in every sentence: −1 at the end of one.
        """
        line = rows[number]
        if is_blank(line):
            return -1, []
        if is_comment(line, self.plain_name):
            return n, []
        if n < 0:
            n = self._begin_sentence(rows, number, fields)
        if len(fields) > n and not any(cell.strip(" ") for cell in fields[n:]):
            fields = fields[:n]
        if len(fields) == n and fields[self.place]:
            return n, fields
        found = "no word" if len(fields) == n else counted(len(fields), "column")
        self._refuse(self.line + 1 + number, found, *_expected_columns(n))
        return n, []

    def _begin_sentence(self, rows: Sequence[str], number: int, fields: Sequence[str]) -> int:
        """How many columns the sentence has whose first row this is."""
        if self.column is None:
            self.column = word_column(rows, number, self.plain_name)
        is_conll_2012 = self.column.at == WORD_COLUMN and len(fields) >= ALL_COLUMNS
        speaker = fields[SPEAKER_COLUMN] if is_conll_2012 else ""
        self._pad()
        self.sentence_starts.append(len(self.words))
        self.speakers.append("" if speaker in NOTHING else speaker)
        cut = not fields[-1].strip(" ")
        n = n_columns(rows, number, self.plain_name) if cut else len(fields)
        return max(n, self.place + 2 if self.column.at >= 0 else 2)

    def _pad(self) -> None:
        """No tag and no lemma for the words so far that have no such column."""
        self.tags += [""] * (len(self.words) - len(self.tags))
        self.lemmas += [""] * (len(self.words) - len(self.lemmas))

    def read_brackets(self, cells: Collection[tuple[int, str]]) -> None:
        """Open and close mentions, given the cells of words in the order written; up to a hundred
        problems.

        Of one entity inner mentions close first.
        """
        with suppress(TooManyProblems):
            self._read_brackets(cells)

    def _read_brackets(self, cells: Collection[tuple[int, str]]) -> None:
        rows = self.rows
        for at, cell in cells:
            if has_too_many(cell):
                self._refuse(self._line_of(at), *TOO_MANY_BRACKETS)
                continue
            for entity, opens, closes in plain_brackets(cell) or self._other_brackets(at, cell):
                if not opens:
                    self._close(entity, at)
                elif closes:
                    rows.append((at, at + 1, entity))
                else:
                    self.open_rows.setdefault(entity, []).append(len(rows))
                    rows.append((at, OPEN, entity))
        if self.unusual:
            self._warn_of_spellings(cells)

    def _other_brackets(self, at: int, cell: str) -> tuple[Bracket, ...]:
        cell = cell.strip(" ")
        brackets = parse_cell(cell)
        if brackets:
            self.unusual = True  # or it had blanks, which makes no difference
        elif cell not in NOTHING:
            found = f"'{cell[:60]}' in the last column"
            self._refuse(self._line_of(at), found, *EXPECTED_BRACKETS)
        return brackets

    def _close(self, entity: str, at: int) -> None:
        opened = self.open_rows.get(entity)
        if not opened:
            self.unopened.append((entity, len(self.rows), at))
            return
        row = opened.pop()
        start = self.rows[row][0]
        self.rows[row] = (start, at + 1, entity)
        if start < self.sentence_starts[bisect_right(self.sentence_starts, at) - 1]:
            text = f"a mention of entity {entity} runs over a sentence end."
            self._warn(self._line_of(at), text)

    def _line_of(self, word: int) -> int:
        """The line of a word; 0 before the rows are read."""
        return int(self.lines[word]) if self.lines is not None else 0

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.problems.add(Problem(self.file, line, found, expected, advice))

    def document(self, original: Original, *, is_wanted: bool) -> Document:
        """The document as read; brackets without their partners are problems.

        is_wanted  whether the file is right so far; else the document is looked through only
        """
        with suppress(TooManyProblems):
            self._pair_brackets()
        if self.problems or not is_wanted:
            return Document.of_rows(self.name, ())
        if self.tags or self.lemmas:
            self._pad()
        has_words = self.column is None or self.column.at >= 0
        document = Document(
            self.name,
            np.zeros((0, 3), dtype=np.int64) if self.table is None else self.table,
            tuple(self.words) if has_words else (),
            tuple(self.sentence_starts) if has_words else (),
            tuple(self.speakers) if has_words and any(self.speakers) else (),
            tuple(_known(self.tags)) if has_words else (),
            tuple(self.lemmas) if has_words and any(self.lemmas) else (),
            file=self.file,
            lines=self.lines,
            original=original,
        )
        rows = [row for row in self.rows if row[1] != OPEN]
        attributes = self._typed(rows) if self.unusual else None
        return document.with_entities(rows, attributes) if rows else document

    def _pair_brackets(self) -> None:
        for entity, rows in self.open_rows.items():
            for row in rows:
                found = f"entity {entity} opens here but never closes in document '{self.name}'"
                expected = f"'{entity})' after it"
                line = self._line_of(self.rows[row][0])
                self._refuse(line, found, expected, "Add the closing bracket.")
        for number, (entity, n_before, at) in enumerate(self.unopened):
            told = n_before if number < MOST_PROBLEMS else 0  # no more than that is shown
            self._refuse(self._line_of(at), *self._unopened(entity, told))

    def _unopened(self, entity: str, n_before: int) -> tuple[str, str, str]:
        """What is wrong with a closing bracket after the first so many mentions."""
        closed = [row for row in self.rows[:n_before] if row[2] == entity and row[1] != OPEN]
        if not closed:
            found = f"entity {entity} closes here but was never opened"
            return found, f"'({entity}' before it", "Add the opening bracket."
        start, end, _ = max(closed, key=lambda row: row[1])
        opened, before = self._line_of(start), self._line_of(end - 1)
        found = f"entity {entity} closes here again (opened in line {opened}, closed in {before})"
        expected = f"'({entity}' between the two, or one bracket less"
        return found, expected, "Check the numbers of the entities in both lines."

    def _typed(self, rows: Sequence[tuple[int, int, str]]) -> Attributes | None:
        """The types of the entities, if any has one."""
        entities = dict.fromkeys(row[2] for row in rows)
        types = types_of(entities)
        if not types:
            return None
        for sharing in (every := sharing_a_number(entities))[:1]:
            more = f" (so do those of {counted(len(every) - 1, 'number')} more)" * (len(every) > 1)
            text = f"{listed(sharing)} share a number{more}: taken as different entities."
            self._warn(self.line, text)
        return Attributes.of(len(rows), entity_type=[types.get(row[2], "") for row in rows])

    def _warn(self, line: int, text: str) -> None:
        self.warnings.append(f"{self.file}:{line}: {text}")

    def words_taken_from(self) -> str:
        """Which column the words are from, for a warning."""
        if self.column is None or self.column.at < 0:
            return f"document '{self.name}' has no column of words, so only its entities are read"
        some = " ".join(self.words[:5])
        return f"the words are taken from column {self.column.at + 1}: '{some}'"

    def _warn_of_spellings(self, cells: Collection[tuple[int, str]]) -> None:
        """Warn of a number that is written in two ways: the reference scorer tells them apart."""
        for at, one, other in spelled_twice(cells):
            text = f"{one} and {other} are one entity here and two for the reference scorer."
            self._warn(self._line_of(at), text)
            return


def _known(tags: Sequence[str]) -> Sequence[str]:
    """The tags with "" where there is none; empty if there is none at all."""
    different = set(tags)
    if NOTHING.isdisjoint(different):
        return tags
    return () if different <= NOTHING else ["" if tag in NOTHING else tag for tag in tags]


def _lemma(lemma: str, predicted: str) -> str:
    """The lemma of a word, else the predicted one; "" if neither is known."""
    known = predicted if lemma in NOTHING else lemma
    return "" if known in NOTHING else intern(known)


def _expected_columns(n: int) -> tuple[str, str]:
    if n == 2:
        return "2 columns or more, the last one for coreference", "Add the columns."
    return (
        f"{n} columns, as in every row of the sentence, the last one for coreference",
        "Write '-' where a column is empty.",
    )
