"""One document of a CoNLL file while it is read.

Which columns of a CoNLL file hold the words and the entities.

The entities in one cell of a CoNLL file: `(1`, `1)`, `(1)`, `(1|(2)`, `(person-3`.

The bar between brackets may be missing (`(1(3`) or be a `_` (`2)_1)`, as sacr2conll writes it). An
id is a number, or a type and a number as in GUM's files; a name after them (`(person-3-Mia)`) is
left out.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice, pairwise
from math import inf
from sys import intern

import numpy as np

from corescore.corpus.documents import Attributes, Document, Original
from corescore.corpus.formats.columns import (
    NOTHING,
    TOO_MANY_BRACKETS,
    Noted,
    Stretch,
    cells_of,
    has_tabs,
    has_too_many,
    is_blank,
    known_of,
    stretches,
    with_tabs,
)
from corescore.corpus.problems import MOST_PROBLEMS, TooManyProblems
from corescore.wording import counted, listed

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

Bracket = tuple[str, bool, bool]


@lru_cache(maxsize=100_000)
def plain_brackets(cell: str) -> tuple[Bracket, ...]:
    """As `parse_cell`; none too if there are too many, an id has a type or a leading zero."""
    return () if has_too_many(cell) or _UNUSUAL.search(cell) else parse_cell(cell)


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


def n_columns(rows: Sequence[str]) -> int:
    """How many columns a sentence has, given its rows with tabs.

    The last column is that of the entities. It may be empty in some of the rows, or in all of
    them if the last that is filled holds no brackets; other empty columns at the end are too many.
    """
    n = rows[0].count("\t") + 1
    if not _n_empty(rows[0]):
        return n
    filled = next((row.count("\t") + 1 for row in rows if not _n_empty(row)), 0)
    if filled:
        return min(filled, n)
    last = n - min(map(_n_empty, rows)) - 1
    cells = ("".join(row.split("\t")[last : last + 1]) for row in rows)
    return last + 1 if any(parse_cell(cell.strip(" ")) for cell in cells) else n


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


def word_column(rows: Iterator[str], name: str) -> WordColumn | None:
    """Where the words are: found from the first rows, with tabs; None if there is none.

    CoNLL-2012 rows begin with the document's name, its part, the number of the word and the word,
    SemEval-2010 rows with the number and the word. Files of fewer columns are told by the name, by
    numbers that count and by cells that stay the same.
    """
    if (row := next(rows, None)) is None:
        return None
    first = row.split("\t", 4)
    if len(first) > 4 and first[0] == name and first[1].isdecimal() and first[2] in ("0", "1"):
        return WordColumn(3)  # as nearly every file has it
    sample = [row.rstrip(" \t").split("\t")[:-1] for row in chain([row], islice(rows, SAMPLE - 1))]
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

_LINE = re.compile("[^\n]+")

OPEN = -1  # the end of a mention that has not been closed


@dataclass
class ConllDraft(Noted):
    """A document while it is read. Positions in a file are inclusive, here half-open.

    place   the column that is read as words: the first where none holds any
    lines   (first word, line less position) of each run of words in lines without others between
    cells   the last column
    starts, ends, ids  of the mentions as they open; the end is −1 until they close
    """

    line: int
    plain_name: str
    part: str
    column: WordColumn | None = None
    place: int = 0
    words: list[str] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    opened: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    unopened: list[tuple[str, int, int]] = field(default_factory=list)
    unusual: bool = False  # whether an id has a type or a leading zero

    @property
    def name(self) -> str:
        """What the document is known by: "x", or "x; part 3"."""
        return f"{self.plain_name}; part {self.part}" if self.part else self.plain_name

    def read(self, text: str) -> None:
        """Take in the rows that follow the line of the header; up to a hundred problems."""
        lines = (match[0] for match in _LINE.finditer(text))
        _, first = next(self._rows(lines, 0), (0, ""))
        tabbed = has_tabs(first)
        others = chain([first], lines)
        rows = (row for _, row in self._rows(others if tabbed else map(with_tabs, others), 0))
        self.column = word_column(rows, self.plain_name)
        if self.column is None:
            return
        self.place = max(self.column.at, 0)
        try:
            for stretch in stretches(text, self.line + 1):
                cells, n = cells_of(stretch, tabbed=tabbed)
                if not n or not self._are_rows(stretch, cells, n):
                    self._read_lines(stretch, tabbed=tabbed)
                else:
                    self._take(cells, n, (stretch.first,))
        except TooManyProblems:
            self.opened.clear()  # what closes them may not have been read
        if self.unusual:
            self._warn_of_spellings()

    def _are_rows(self, stretch: Stretch, cells: Sequence[str], n: int) -> bool:
        """Whether these are rows of n cells as they should be, none of them a comment."""
        return (
            n >= self.place + 2
            and "" not in cells[self.place :: n + 1]
            and not is_blank(cells[n - 1])
            and not ("#" in stretch.lines and any(cell[:1] == "#" for cell in cells[:: n + 1]))
        )

    def _rows(self, lines: Iterable[str], first: int) -> Iterator[tuple[int, str]]:
        """The lines that are neither blank nor comments, with their numbers.

        In a document whose name begins with a number sign, so do rows.
        """
        for number, line in enumerate(lines, first):
            is_comment = line[:1] == "#" and not line.startswith(self.plain_name)
            if not is_comment and not is_blank(line):
                yield number, line

    def _read_lines(self, stretch: Stretch, *, tabbed: bool) -> None:
        """Take in lines of which some are no rows, or not as they should be."""
        lines = (stretch.lines if tabbed else with_tabs(stretch.lines)).split("\n")
        ends = [*(at for at, line in enumerate(lines) if is_blank(line)), len(lines)]
        for start, end in pairwise([-1, *ends]):
            sentence = lines[start + 1 : end]
            if any(self._rows(sentence, 0)):
                self._read_sentence(sentence, stretch.first + start + 1)

    def _read_sentence(self, lines: Sequence[str], first: int) -> None:
        place = self.place
        n = max(n_columns([row for _, row in self._rows(lines, first)]), place + 2)
        cells: list[str] = []
        numbers: list[int] = []
        for number, row in self._rows(lines, first):
            fields = row.split("\t")
            if not any(cell.strip(" ") for cell in fields[n:]):
                del fields[n:]
            if len(fields) == n and fields[place]:
                cells += *fields, "\n"
                numbers.append(number)
            else:
                found = "no word" if len(fields) == n else counted(len(fields), "column")
                self.refuse(number, found, *_expected_columns(n))
        if cells:
            self._take(cells, n, numbers)

    def _take(self, cells: list[str], n: int, numbers: Sequence[int]) -> None:
        """Take in the cells of a sentence, n in each row and a mark between rows.

        numbers  of the lines of the rows; only the first if they follow one another
        """
        place, at, step = self.place, len(self.words), n + 1
        self.words += map(intern, cells[place::step])
        self.sentence_starts.append(at)
        for word, number in enumerate(numbers, at):
            if not self.lines or number - word != self.lines[-1][1]:
                self.lines.append((word, number - word))
        self.speakers.append("")
        if n >= ALL_COLUMNS:
            self.tags += [""] * (at - len(self.tags))
            self.tags += cells[TAG_COLUMN::step]
            if place == WORD_COLUMN:
                self.speakers[-1] = cells[SPEAKER_COLUMN]
        if place == SEMEVAL_WORD and n >= SEMEVAL_COLUMNS:
            self.lemmas += [""] * (at - len(self.lemmas))
            self.lemmas += map(_lemma, cells[LEMMA_COLUMN::step], cells[LEMMA_COLUMN + 1 :: step])
        entities = cells[n - 1 :: step]
        self.cells += entities
        self._read_brackets(entities, at)

    def _read_brackets(self, entities: Sequence[str], sentence_start: int) -> None:
        """Open and close the mentions of a sentence. Of one entity inner ones close first."""
        starts, ends, ids, opened = self.starts, self.ends, self.ids, self.opened
        for at, cell in enumerate(entities, sentence_start):
            if cell in NOTHING:
                continue
            for entity, opens, closes in plain_brackets(cell) or self._other_brackets(at, cell):
                if opens:
                    if not closes:
                        opened[entity].append(len(starts))
                    starts.append(at)
                    ends.append(at + 1 if closes else OPEN)
                    ids.append(entity)
                elif open_ones := opened.get(entity):
                    mention = open_ones.pop()
                    ends[mention] = at + 1
                    if starts[mention] < sentence_start:
                        text = f"a mention of entity {entity} runs over a sentence end."
                        self.warn(self._line_of(at), text)
                else:
                    self.unopened.append((entity, len(starts), at))

    def _other_brackets(self, at: int, cell: str) -> tuple[Bracket, ...]:
        if has_too_many(cell):
            self.refuse(self._line_of(at), *TOO_MANY_BRACKETS)
            return ()
        cell = cell.strip(" ")
        brackets = parse_cell(cell)
        if brackets:
            self.unusual = True  # or it had blanks, which makes no difference
        elif cell not in NOTHING:
            found = f"'{cell[:60]}' in the last column"
            self.refuse(self._line_of(at), found, *EXPECTED_BRACKETS)
        return brackets

    def _line_of(self, word: int) -> int:
        return word + self.lines[bisect_right(self.lines, (word, inf)) - 1][1]

    def document(self, original: Original, *, is_wanted: bool) -> Document:
        """The document as read; brackets without their partners are problems.

        is_wanted  whether the file is right so far; else the document is looked through only
        """
        with suppress(TooManyProblems):
            self._pair_brackets()
        if self.problems or not is_wanted:
            return Document.of_rows(self.name, ())
        n_words = len(self.words)
        has_words = self.column is None or self.column.at >= 0
        runs = np.diff([*(word for word, _ in self.lines), n_words])
        offsets = np.array([offset for _, offset in self.lines], dtype=np.int64)
        return Document.of_rows(
            self.name,
            [*zip(self.starts, self.ends, self.ids, strict=True)],
            words=self.words if has_words else (),
            sentence_starts=self.sentence_starts if has_words else (),
            speakers=known_of(self.speakers) if has_words else (),
            tags=known_of(self.tags, n=n_words) if has_words else (),
            lemmas=known_of(self.lemmas, n=n_words) if has_words else (),
            file=self.file,
            lines=np.arange(n_words) + np.repeat(offsets, runs),
            attributes=self._types() if self.unusual else None,
            original=original,
        )

    def _pair_brackets(self) -> None:
        for entity, mentions in self.opened.items():
            for mention in mentions:
                found = f"entity {entity} opens here but never closes in document '{self.name}'"
                expected = f"'{entity})' after it"
                line = self._line_of(self.starts[mention])
                self.refuse(line, found, expected, "Add the closing bracket.")
        for number, (entity, n_before, at) in enumerate(self.unopened):
            told = n_before if number < MOST_PROBLEMS else 0  # no more than that is shown
            self.refuse(self._line_of(at), *self._unopened(entity, told))

    def _unopened(self, entity: str, n_before: int) -> tuple[str, str, str]:
        """What is wrong with a closing bracket after the first so many mentions."""
        before = zip(self.ends[:n_before], self.starts, self.ids, strict=False)
        closed = [(end, start) for end, start, id_ in before if id_ == entity and end != OPEN]
        if not closed:
            found = f"entity {entity} closes here but was never opened"
            return found, f"'({entity}' before it", "Add the opening bracket."
        end, start = max(closed, key=lambda span: span[0])
        lines = f"opened in line {self._line_of(start)}, closed in {self._line_of(end - 1)}"
        found = f"entity {entity} closes here again ({lines})"
        expected = f"'({entity}' between the two, or one bracket less"
        return found, expected, "Check the numbers of the entities in both lines."

    def _types(self) -> Attributes | None:
        """The types of the entities, if any has one."""
        entities = dict.fromkeys(self.ids)
        types = types_of(entities)
        if not types:
            return None
        for sharing in (every := sharing_a_number(entities))[:1]:
            more = f" (so do those of {counted(len(every) - 1, 'number')} more)" * (len(every) > 1)
            text = f"{listed(sharing)} share a number{more}: taken as different entities."
            self.warn(self.line, text)
        return Attributes.of(len(self.ids), entity_type=[types.get(id_, "") for id_ in self.ids])

    def words_taken_from(self) -> str:
        """Which column the words are from, for a warning."""
        if self.column is None or self.column.at < 0:
            return f"document '{self.name}' has no column of words, so only its entities are read"
        some = " ".join(self.words[:5])
        return f"the words are taken from column {self.column.at + 1}: '{some}'"

    def _warn_of_spellings(self) -> None:
        """Warn of a number that is written in two ways: the reference scorer tells them apart."""
        for at, one, other in islice(spelled_twice(enumerate(self.cells)), 1):
            text = f"{one} and {other} are one entity here and two for the reference scorer."
            self.warn(self._line_of(at), text)


def _lemma(lemma: str, predicted: str) -> str:
    """The lemma of a word, else the predicted one."""
    return predicted if lemma in NOTHING else lemma


def _expected_columns(n: int) -> tuple[str, str]:
    if n == 2:
        return "2 columns or more, the last one for coreference", "Add the columns."
    return (
        f"{n} columns, as in every row of the sentence, the last one for coreference",
        "Write '-' where a column is empty.",
    )
