"""One document of a CoNLL file while it is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from sys import intern

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_brackets import (
    EXPECTED_BRACKETS,
    NOTHING,
    Bracket,
    parse_cell,
    plain_brackets,
    sharing_a_number,
    spelled_twice,
    types_of,
)
from corescore.corpus.formats.conll_columns import (
    WordColumn,
    is_comment,
    n_columns,
    tabbed,
    word_column,
)
from corescore.corpus.mentions import Attributes
from corescore.corpus.problems import MOST_PROBLEMS, Problem
from corescore.wording import counted, listed

TAG_COLUMN, SPEAKER_COLUMN, ALL_COLUMNS = 4, 9, 12


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
    rows: list[tuple[int, int, str]] = field(default_factory=list)
    open_rows: dict[str, list[int]] = field(default_factory=dict)
    unopened: list[tuple[str, int, int]] = field(default_factory=list)
    unusual: bool = False  # whether an id has a type or a leading zero
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the document is known by: "x", or "x; part 3"."""
        return f"{self.plain_name}; part {self.part}" if self.part else self.plain_name

    def read(self, lines: Sequence[str]) -> None:
        """Take in the rows that follow the line of the header."""
        at, n, tagged = 0, -1, False
        words, tags, brackets = self.words, self.tags, self._brackets
        others: list[int] = []  # lines without a word; far fewer than those with one
        rows = tabbed(lines, self.plain_name)
        first_line = self.line + 1
        for number, line in enumerate(rows):
            fields = line.split("\t")
            if len(fields) != n or not fields[at] or line[0] == "#":
                others.append(number)
                n, fields = self._other_line(rows, number, fields, n)
                if not fields:
                    continue
                at, tagged = self._place, n >= ALL_COLUMNS
                others.pop()
            words.append(fields[at])
            if tagged:
                tags.append(intern(fields[TAG_COLUMN]))
            cell = fields[-1]
            if cell not in NOTHING:
                brackets(cell, first_line + number)
        self.lines = np.delete(np.arange(len(lines)), np.array(others, dtype=np.int64))
        self.lines += first_line
        if self.unusual:
            self._warn_of_spellings(rows)

    @property
    def _place(self) -> int:
        """The column that is read as words: the first where there are none."""
        return max(self.column.at, 0) if self.column else 0

    def _other_line(
        self, rows: Sequence[str], number: int, fields: list[str], n: int
    ) -> tuple[int, list[str]]:
        """The number of columns after a line unlike the one before, and its cells if it is a row.

        CoNLL-2012 has another number of columns in every sentence: −1 at the end of one.
        """
        line = rows[number]
        if not line.strip(" \t"):
            return -1, []
        if is_comment(line, self.plain_name):
            return n, []
        if n < 0:
            n = self._begin_sentence(rows, number, fields)
        if len(fields) > n and not any(cell.strip(" ") for cell in fields[n:]):
            fields = fields[:n]
        if len(fields) == n and fields[self._place]:
            return n, fields
        found = "no word" if len(fields) == n else counted(len(fields), "column")
        self._refuse(self.line + 1 + number, found, *_expected_columns(n))
        return n, []

    def _begin_sentence(self, rows: Sequence[str], number: int, fields: Sequence[str]) -> int:
        """How many columns the sentence has whose first row this is."""
        if self.column is None:
            self.column = word_column(rows, number, self.plain_name)
        is_conll_2012 = self.column.at == 3 and len(fields) >= ALL_COLUMNS
        speaker = fields[SPEAKER_COLUMN] if is_conll_2012 else ""
        self._pad_tags()
        self.sentence_starts.append(len(self.words))
        self.speakers.append("" if speaker in NOTHING else speaker)
        cut = not fields[-1].strip(" ")
        n = n_columns(rows, number, self.plain_name) if cut else len(fields)
        return max(n, self._place + 2 if self.column.at >= 0 else 2)

    def _pad_tags(self) -> None:
        """None for the words so far that have no such column."""
        self.tags += [""] * (len(self.words) - len(self.tags))

    def _brackets(self, cell: str, line: int) -> None:
        """Open and close the mentions of a word in the order written; inner ones close first."""
        rows, at = self.rows, len(self.words) - 1
        for entity, opens, closes in plain_brackets(cell) or self._other_brackets(cell, line):
            if not opens:
                self._close(entity, at, line)
            elif closes:
                rows.append((at, at + 1, entity))
            else:
                self.open_rows.setdefault(entity, []).append(len(rows))
                rows.append((at, -line, entity))

    def _other_brackets(self, cell: str, line: int) -> tuple[Bracket, ...]:
        cell = cell.strip(" ")
        brackets = parse_cell(cell)
        if brackets:
            self.unusual = True  # or it had blanks, which makes no difference
        elif cell not in NOTHING:
            self._refuse(line, f"'{cell[:60]}' in the last column", *EXPECTED_BRACKETS)
        return brackets

    def _close(self, entity: str, at: int, line: int) -> None:
        opened = self.open_rows.get(entity)
        if not opened:
            self.unopened.append((entity, len(self.rows), line))
            return
        row = opened.pop()
        start = self.rows[row][0]
        self.rows[row] = (start, at + 1, entity)
        if start < self.sentence_starts[-1]:
            self._warn(line, f"a mention of entity {entity} runs over a sentence end.")

    def _refuse(self, line: int, found: str, expected: str, advice: str) -> None:
        self.problems.append(Problem(self.file, line, found, expected, advice))

    def document(self) -> Document:
        """The document as read; brackets without their partners are problems."""
        self._pair_brackets()
        self._pad_tags()
        rows = [row for row in self.rows if row[1] > 0]
        has_words = self.column is None or self.column.at >= 0
        return Document.of_rows(
            self.name,
            rows,
            words=self.words if has_words else (),
            sentence_starts=self.sentence_starts if has_words else (),
            speakers=self.speakers if has_words and any(self.speakers) else (),
            tags=_known(self.tags) if has_words else (),
            file=self.file,
            lines=self.lines,
            attributes=self._typed(rows) if self.unusual else None,
        )

    def _pair_brackets(self) -> None:
        for entity, rows in self.open_rows.items():
            for row in rows:
                found = f"entity {entity} opens here but never closes in document '{self.name}'"
                expected = f"'{entity})' after it"
                self._refuse(-self.rows[row][1], found, expected, "Add the closing bracket.")
        for number, (entity, n_before, line) in enumerate(self.unopened):
            told = n_before if number < MOST_PROBLEMS else 0  # no more than that is shown
            self._refuse(line, *self._unopened(entity, told))

    def _unopened(self, entity: str, n_before: int) -> tuple[str, str, str]:
        """What is wrong with a closing bracket after the first so many mentions."""
        closed = [row for row in self.rows[:n_before] if row[2] == entity and row[1] > 0]
        if not closed or self.lines is None:
            found = f"entity {entity} closes here but was never opened"
            return found, f"'({entity}' before it", "Add the opening bracket."
        start, end, _ = max(closed, key=lambda row: row[1])
        opened, before = self.lines[start], self.lines[end - 1]
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

    def _warn_of_spellings(self, rows: Sequence[str]) -> None:
        """Warn of a number that is written in two ways: the reference scorer tells them apart."""
        cells = (row.rstrip(" \t").rsplit("\t", 1)[-1] for row in rows)
        for place, one, other in spelled_twice(cells):
            text = f"{one} and {other} are one entity here and two for the reference scorer."
            self._warn(self.line + 1 + place, text)
            return


def _known(tags: Sequence[str]) -> Sequence[str]:
    """The tags with "" where there is none; empty if there is none at all."""
    different = set(tags)
    if NOTHING.isdisjoint(different):
        return tags
    return () if different <= NOTHING else ["" if tag in NOTHING else tag for tag in tags]


def _expected_columns(n: int) -> tuple[str, str]:
    if n == 2:
        return "2 columns or more, the last one for coreference", "Add the columns."
    return (
        f"{n} columns, as in every row of the sentence, the last one for coreference",
        "Write '-' where a column is empty.",
    )
