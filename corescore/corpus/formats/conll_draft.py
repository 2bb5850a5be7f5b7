"""One document of a CoNLL file while it is read.

Which columns of a CoNLL file hold the words and the entities.

The entities in one cell of a CoNLL file: `(1`, `1)`, `(1)`, `(1|(2)`, `(person-3`.

The bar between brackets may be missing (`(1(3`) or be a `_` (`2)_1)`, as sacr2conll writes it). An
id is a number, or a type and a number as in GUM's files; a name after them (`(person-3-Mia)`) is
left out.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise
from sys import intern

import numpy as np

from corescore.corpus.documents import Attributes, Document, Original
from corescore.corpus.problems import MOST_PROBLEMS, Problem, Problems, TooManyProblems
from corescore.util import IntArray
from corescore.wording import counted, listed

NOTHING = frozenset(("-", "_", "*", ""))

EXPECTED_BRACKETS = (
    "brackets with numbers such as '(1', '1)', '(1)' or '(1|(2)', or '-' for none",
    "Number the entities and close every bracket.",
)

_BRACKET = re.compile(
    r"\|*(?P<opens>\()?"
    r"(?:(?P<type>[A-Za-z][A-Za-z_]*-)(?P<of_type>[0-9]+)(?:-[^()|]*)?|(?P<number>[0-9]+))"
    r"(?P<closes>\))?\|*"
)

_UNUSUAL = re.compile(r"[A-Za-z]|(?<![0-9])0[0-9]")

_BAR = re.compile(r"(?<=\))_|_(?=\()")

MOST_BRACKETS = 1000  # that open or close in one cell; no text has as many

TOO_MANY_BRACKETS = (
    f"more than {MOST_BRACKETS:,} brackets in one cell",
    f"at most {MOST_BRACKETS:,}",
    "Check the cell.",
)

Bracket = tuple[str, bool, bool]


def has_too_many(cell: str) -> bool:
    """Whether a cell has more brackets than any text; each would take many times its memory."""
    return len(cell) > MOST_BRACKETS and cell.count("(") + cell.count(")") > MOST_BRACKETS


@lru_cache(maxsize=100_000)
def plain_brackets(cell: str) -> tuple[Bracket, ...]:
    """As `parse_cell`; none too where an id has a type or a leading zero."""
    return () if _UNUSUAL.search(cell) else parse_cell(cell)


def parse_cell(cell: str) -> tuple[Bracket, ...]:
    """(entity, opens, closes) of each bracket; none if the cell is wrong.

    In the order in which the reference scorer reads a cell: one-word mentions, what opens, what
    closes, each as written. So `7)|(7` is a one-word mention inside the one that is open.
    """
    brackets: list[Bracket] = []
    for match in bracket_matches(cell):
        if match is None or not (match["opens"] or match["closes"]):
            return ()
        brackets.append((entity_of(match), bool(match["opens"]), bool(match["closes"])))
    return tuple(sorted(brackets, key=lambda bracket: reading_order(*bracket[1:])))


def reading_order(opens: bool, closes: bool) -> int:
    """The place of a kind of bracket in the reading of its cell, from 0."""
    return 2 - opens if opens != closes else 0


def entity_of(match: re.Match[str]) -> str:
    """The id of an entity: its number without leading zeros, after its type if it has one."""
    return (match["type"] or "") + ((match["of_type"] or match["number"]).lstrip("0") or "0")


def bracket_matches(cell: str) -> Iterator[re.Match[str] | None]:
    """What the brackets of a cell match one after the other; None where they do not."""
    cell, at = _BAR.sub("|", cell), 0
    while at < len(cell):
        match = _BRACKET.match(cell, at)
        yield match
        if match is None:
            return
        at = match.end()


def spelled_twice(cells: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """(place, the way it has been written, how it is written there) of numbers such as 1 and 01.

    cells  (place, cell) of each cell in which there are brackets
    """
    ways: dict[str, dict[str, None]] = {}
    for place, cell in cells:
        for match in bracket_matches(cell):
            if match is not None:
                number = match["of_type"] or match["number"]
                seen = ways.setdefault(entity_of(match), {})
                if seen and number not in seen:
                    yield place, next(iter(seen)), number
                seen[number] = None


def types_of(entities: Collection[str]) -> Mapping[str, str]:
    """The type of each entity that has one: "person" of "person-3"."""
    parts = ((entity, entity.rpartition("-")[0]) for entity in entities)
    return {entity: type_ for entity, type_ in parts if type_}


def sharing_a_number(entities: Iterable[str]) -> list[list[str]]:
    """The entities that differ in nothing but their types, such as person-3 and place-3."""
    of_number: dict[str, list[str]] = {}
    for entity in entities:
        of_number.setdefault(entity.rpartition("-")[2], []).append(entity)
    return [sharing for sharing in of_number.values() if len(sharing) > 1]


SAMPLE = 40  # as many rows of a document are looked at to find the words

_BLANKS = re.compile(r"[ \t]+")


def is_blank(line: str) -> bool:
    """Whether a line ends a sentence: blanks and tabs only, no other white space, which is text."""
    return not line.strip(" \t")


def is_comment(line: str, name: str) -> bool:
    """Whether a line with a # is no row of a document whose name begins with one."""
    return line[0] == "#" and not line.startswith(name)


def tabbed(lines: Sequence[str], name: str) -> Sequence[str]:
    """The lines with tabs between columns, whether they had tabs or blanks."""
    return lines if has_tabs(lines, name) else with_tabs(lines)


def with_tabs(lines: Iterable[str]) -> list[str]:
    """The lines with tabs between columns, having had blanks."""
    return [_BLANKS.sub("\t", line.strip(" \t")) for line in lines]


def has_tabs(lines: Iterable[str], name: str) -> bool:
    """Whether the first row among the lines of a document has a tab between columns."""
    rows = (line for line in lines if not is_blank(line) and not is_comment(line, name))
    return "\t" in next(rows, "").strip(" ").rstrip("\t")


def n_columns(rows: Sequence[str], at: int, name: str) -> int:
    """How many columns a sentence has whose first row, rows[at], ends in an empty one.

    The last column is that of the entities. It may be empty in some of the rows, or in all of
    them if the last that is filled holds no brackets; other empty columns at the end are too many.
    """
    sentence = list(_sentence(rows, at, name))
    n = sentence[0].count("\t") + 1
    filled = next((row.count("\t") + 1 for row in sentence if not _n_empty(row)), 0)
    if filled:
        return min(filled, n)
    last = n - min(map(_n_empty, sentence)) - 1
    cells = ("".join(row.split("\t")[last : last + 1]) for row in sentence)
    return last + 1 if any(parse_cell(cell.strip(" ")) for cell in cells) else n


def _sentence(rows: Sequence[str], at: int, name: str) -> Iterator[str]:
    for number in range(at, len(rows)):
        if is_blank(rows[number]):
            return
        if not is_comment(rows[number], name):
            yield rows[number]


def _n_empty(row: str) -> int:
    """How many of the last columns of a row are empty."""
    return row.count("\t", len(row.rstrip(" \t")))


def why_no_entities(lines: Sequence[str]) -> tuple[int, str] | None:
    """A line and a cause why rows have no entities, other than that there are none.

    Brackets stand in another column than the last, or the last is empty and another is filled.
    """
    rows = [(number, line) for number, line in enumerate(lines, start=1) if not is_blank(line)]
    rows = [(number, line) for number, line in rows if line[0] != "#"]
    for number, line in rows:
        cells = _BLANKS.split(line.strip(" \t"))
        for place, cell in enumerate(cells[:-1], start=1):
            if "(" in cell and parse_cell(cell):
                return number, f"the last column holds none, but column {place} has '{cell}'"
        if _n_empty(line) and cells[-1] not in NOTHING:
            return number, f"the last column is empty, and '{cells[-1]}' before it is no entity"
    return None


@dataclass(frozen=True)
class WordColumn:
    """Where the words of a document are.

    at    the column; −1 if none holds words
    sure  whether it is where the known formats have it
    """

    at: int
    sure: bool = True


def word_column(rows: Sequence[str], at: int, name: str) -> WordColumn:
    """Where the words are: found from the rows from rows[at] on.

    CoNLL-2012 rows begin with the document's name, its part, the number of the word and the word,
    SemEval-2010 rows with the number and the word. Files of fewer columns are told by the name, by
    numbers that count and by cells that stay the same.
    """
    first = rows[at].split("\t", 4)
    if len(first) > 4 and first[0] == name and first[1].isdecimal() and first[2] in ("0", "1"):
        return WordColumn(3)  # as nearly every file has it
    sample = [row.rstrip(" \t").split("\t")[:-1] for row in _sample(rows, at, name)]
    kinds = [_kind(column, name) for column in zip(*sample, strict=False)]
    if len(kinds) >= 4 and all(map(str.isdecimal, (cell for row in sample for cell in row[1:3]))):
        return WordColumn(3, sure=kinds[3] == "words")
    if "words" in kinds:
        place = kinds.index("words")
        before = kinds[:place]
        return WordColumn(place, sure=before in _BEFORE or len(kinds) == 1)
    constant = [place for place, kind in enumerate(kinds) if kind == "constant" and place]
    return WordColumn(constant[-1] if constant else -1, sure=False)


_BEFORE = (["number"], ["name"], ["name", "number"], ["constant", "number"])


def _sample(rows: Sequence[str], at: int, name: str) -> Iterator[str]:
    wanted = (number for number in range(at, len(rows)) if not is_blank(rows[number]))
    return (rows[n] for n in islice(wanted, SAMPLE) if not is_comment(rows[n], name))


def _kind(column: Sequence[str], name: str) -> str:
    """What a column holds: the document's name, numbers, entities, one cell throughout, words."""
    different = set(column)
    if different == {name}:
        return "name"
    if different <= NOTHING or all(cell in NOTHING or parse_cell(cell) for cell in different):
        return "entities"
    if all(cell.isdecimal() and len(cell) < 10 for cell in different) and _counts(column):
        return "number"
    return "constant" if len(different) == 1 < len(column) else "words"


def _counts(column: Sequence[str]) -> bool:
    """Whether numbers count the words of each sentence or of the document, or stay the same."""
    steps = ((before, after) for before, after in pairwise(map(int, column)))
    return all(after in (before, before + 1, 0, 1) for before, after in steps)


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
