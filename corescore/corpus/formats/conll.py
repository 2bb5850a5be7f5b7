"""CoNLL-2011/2012 and SemEval-2010 columns: a word a line, entities as brackets in the last column.

Read leniently where the meaning is plain, refused where it is not. Plain are: tabs or blanks; two
columns or more; `# begin document` with a blank, or without a name, which is then that of the file;
`part` and `#end document` left out (at the end of the file with a warning); rows that end in empty
columns; leading zeros; words that begin with `#` in a first column with a tab after it; ids with
types, as GUM's files have them (`(person-1`), and with a name after them (`(person-3-Mia)`), which
is left out; no bar between brackets (`(1(3`), or a `_` (`2)_1)`, as sacr2conll writes it); with a
warning, a number without a bracket at a word inside a mention of its entity, as NewsReader's files
have it; the begin of a document in the line that ends the one before, as in files that were joined.

Of rows with at least twelve columns the fifth is the part of speech in both formats (CoNLL-2012:
document, part, number, word, part of speech, …; SemEval-2010: number, word, lemma, its lemma as
predicted, part of speech, …), and in CoNLL-2012 the tenth is the speaker. SemEval-2010 has at least
seventeen columns, of which the lemma is read, the predicted one where that is empty. CoNLL-2012 has
lemmas in its seventh column only of verbs and nouns with a frameset: they are not read. All other
columns are lost.

A document that was read from columns is written with its own lines: all is kept but the coreference
cells of words at which mentions begin or end that the file has otherwise. An entity keeps the
number that it has in the file where it has most of its mentions.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, count, islice, pairwise
from sys import intern

import numpy as np

from corescore.corpus.documents import (
    Attributes,
    Columns,
    Corpus,
    Document,
    JoinedWords,
    Mention,
    Ordered,
    in_text_order_at_once,
)
from corescore.corpus.formats.columns import (
    AT_ONCE,
    NOTHING,
    Block,
    Blocks,
    Bracket,
    Draft,
    Layout,
    SplitRows,
    first_row,
    has_tabs,
    is_blank,
    lines_like,
    part_of,
    second_names,
    with_tabs,
    written,
)
from corescore.corpus.formats.format import (
    Begin,
    Format,
    Lines,
    Notice,
    Part,
    Parts,
    Place,
    Seen,
    Texts,
    commented,
    likeness,
    more_than_spans,
    name_of_file,
    refuse_seen,
    unwritable,
)
from corescore.corpus.problems import ENOUGH, InputError, Problem, TooManyProblems, refuse
from corescore.util import BoolArray, IntArray
from corescore.wording import counted, listed

# The cells of the coreference column --------------------------------------------------------------

_BRACKET = re.compile(
    r"\|*(?P<opens>\()?(?P<closing>(?P<type>[A-Za-z][A-Za-z_]*-)?(?P<number>[0-9]+))"
    r"(?P<name>(?(type)(?:-[^()|]*)?))(?P<closes>\))?\|*"
)

_UNUSUAL = re.compile(r"[A-Za-z]|[0-9]{8}|(?<![0-9])0[0-9]")  # a type, or more than a short number

_NUMBER = re.compile(r"[1-9][0-9]*|0(?![0-9])")

_BAR = re.compile(r"(?<=\))_|_(?=\()")

_EXPECTED_BRACKETS = (
    "brackets with numbers such as '(1', '1)', '(1)' or '(1|(2)', or '-' for none",
    "Number the entities and close every bracket.",
)


def brackets_of(cell: str) -> tuple[Bracket, ...]:
    """The brackets of a cell; none if the cell is wrong. The label of a bracket is the entity.

    In the order in which the reference scorer reads a cell: one-word mentions, what opens, what
    closes, each as written. So `7)|(7` is a one-word mention inside the one that is open.
    """
    if "_" in cell:
        cell = _BAR.sub("|", cell)
    read_up_to = 0
    brackets: list[Bracket] = []
    while read_up_to < len(cell):
        match = _BRACKET.match(cell, read_up_to)
        if match is None:
            return ()
        opens, closing, type_, number, name, closes = match.groups()
        if not (opens or closes):
            return ()
        entity = intern((type_ or "") + (number.lstrip("0") or "0"))
        written = {"opening": closing + name, "closing": closing}
        brackets.append((entity, bool(opens), bool(closes), written))
        read_up_to = match.end()
    if len(brackets) > 1:
        brackets.sort(key=lambda one: 0 if one[1] and one[2] else 2 - one[1])
    return tuple(brackets)


_known_brackets = lru_cache(maxsize=100_000)(brackets_of)  # of cells that are not long


@lru_cache(maxsize=100_000)
def _codes_of(cell: str) -> tuple[int, ...]:
    """The brackets of a cell as numbers: four times that of the entity, 2 more if it opens, 1 more
    if it closes; none if the cell is long or wrong, or has another id than a short number."""
    if len(cell) > 1000 or _UNUSUAL.search(cell):
        return ()
    every = brackets_of(cell)
    return tuple(4 * int(label) + 2 * opens + closes for label, opens, closes, _ in every)


def _numbers_in(cell: str) -> list[str]:
    """The numbers in a cell, which may have some of them very often."""
    return _NUMBER.findall(" ".join({*cell.replace("|", "(").split("(")}))


def _type(entity: str) -> str:
    """ "person" of "person-3"; "" of "3"."""
    return entity.rpartition("-")[0]


# The columns --------------------------------------------------------------------------------------

_SAMPLE = 40  # as many rows of a document are looked at to find the words

_BLANKS = re.compile(r"[ \t]+")


def n_columns(rows: Sequence[str]) -> int:
    """How many columns a sentence has, given its rows with tabs.

    The last column is that of the entities. It may be empty in some of the rows, or in all of
    them if the last that is filled holds no brackets; other empty columns at the end are too many.
    """
    n = rows[0].count("\t") + 1
    empty = [row.count("\t", len(row.rstrip(" \t"))) for row in rows]  # of the last columns
    whole = next((row.count("\t") + 1 for row, no in zip(rows, empty, strict=True) if not no), 0)
    if whole:
        return min(whole, n)
    last = n - min(empty)
    cells = ("".join(row.split("\t")[last - 1 : last]) for row in rows)
    return last if any(brackets_of(cell.strip(" ")) for cell in cells) else n


def word_column(rows: Iterator[str], name: str) -> tuple[int, bool]:
    """Where the words are, −1 if nowhere; and whether that is where the known formats have them.

    Found from the first rows, with tabs. CoNLL-2012 rows begin with the document's name, its part,
    the number of the word and the word, SemEval-2010 rows with the number and the word. Other files
    are told by the name, by numbers that count, by cells that stay the same and by those that are
    less different than words, such as names of texts.
    """
    if (row := next(rows, None)) is None:
        return 0, True
    first = row.split("\t", 5)
    is_usual = len(first) > 4 and first[0] == name and first[1].isdecimal()
    if is_usual and first[2] in ("0", "1") and not any(map(str.isdecimal, first[3:5])):
        return 3, True  # as nearly every file has it
    sample = [row.rstrip(" \t").split("\t")[:-1] for row in chain([row], islice(rows, _SAMPLE - 1))]
    columns = [*zip(*sample, strict=False)]
    kinds = [_kind(column, name) for column in columns]
    is_numbered = all(map(str.isdecimal, (cell for row in sample for cell in row[1:3])))
    more_numbers = kinds[3:5] == ["number"] * 2 and "words" in kinds
    if len(kinds) >= 4 and is_numbered and not more_numbers:
        return 3, kinds[3] == "words"
    if "words" in kinds:
        # names of texts, flags and tags are not the same throughout either, but fewer than words
        n = {at: _n_texts(columns[at]) for at, kind in enumerate(kinds) if kind == "words"}
        place = next(at for at in n if 2 * n[at] >= max(n.values()))
        return place, kinds[:place] in _BEFORE or len(kinds) == 1
    constant = [place for place, kind in enumerate(kinds) if kind == "constant" and place]
    return constant[-1] if constant else -1, False


def _n_texts(column: Sequence[str]) -> int:
    """How many different cells a column has, but for those with a digit."""
    return sum(not any(map(str.isdecimal, cell)) for cell in {*column})


_BEFORE = (["number"], ["name"], ["name", "number"], ["constant", "number"])


def _kind(column: Sequence[str], name: str) -> str:
    """What a column holds: the document's name, numbers, entities, one cell throughout, words."""
    different = set(column)
    if different == {name}:
        return "name"
    if all(cell in NOTHING or brackets_of(cell) for cell in different):
        return "entities"
    if all(cell.isdecimal() and len(cell) < 10 for cell in different):
        steps = pairwise(map(int, column))  # words of the sentence or the document, or the same
        if all(after in (before, before + 1, 0, 1) for before, after in steps):
            return "number"
    return "constant" if len(different) == 1 < len(column) else "words"


def why_no_entities(text: str) -> tuple[int, str] | None:
    """A line and a cause why rows have no entities, other than that there are none.

    Brackets stand in another column than the last, or the last is empty and another is filled.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if is_blank(line) or line[0] == "#":
            continue
        cells = _BLANKS.split(line.strip(" \t"))
        for place, cell in enumerate(cells[:-1], start=1):
            if "(" in cell and brackets_of(cell):
                return number, f"the last column holds none, but column {place} has '{cell}'"
        if "\t" in line[len(line.rstrip(" \t")) :] and cells[-1] not in NOTHING:
            return number, f"the last column is empty, and '{cells[-1]}' before it is no entity"
    return None


def is_row(line: str) -> bool:
    """Whether a line looks like a row of columns, the last of them for entities."""
    cells = line.split()
    return len(cells) >= 2 and (cells[-1] in ("-", "_", "*") or bool(brackets_of(cells[-1])))


# A document ---------------------------------------------------------------------------------------

BEGIN, END = "#begin document", "#end document"

_BEGINS, _ENDS = "begin document", "end document"

# After "cat" of files that do not end in a line feed it is in the line that ends the one before.
_HEADER = re.compile(
    rf"(?:#[ \t]*{_ENDS}[ \t\ufeff]*(?=#))?(?P<line>#[ \t]*{_BEGINS}\b(?P<name>.*))"
)

_END = re.compile(rf"#[ \t]*{_ENDS}\b")

_MARK = re.compile(rf"#[ \t]*(?:{_BEGINS}|{_ENDS})\b")

_PART = re.compile(r"(?:;|(?<=\)))\s*part\s+(\S+)$")

_EXPECTED_HEADER = f"'{BEGIN} (NAME); part 000'"

# Kinds of notices
_COLUMN, _NO_ROWS, _MENTIONS, _NO_END = "column", "no rows", "mentions", "no end"

_WORD, _TAG, _SPEAKER, _ALL = 3, 4, 9, 12  # CoNLL-2012

_SEMEVAL_WORD, _LEMMA, _SEMEVAL_ALL = 1, 2, 17  # number, word, lemma, predicted lemma, …

_LINE = re.compile("[^\n]+")

_SIGNED = re.compile("#[^ \t]*\t.*")


@dataclass
class _ConllDraft(Draft):
    """A document while it is read.

    header  the places in its text of the line that begins it and of the line after that
    end     that of the line that ends it; of the end of the text if there is none
    own     its name as it stands in the rows
    joined  its words, those of each block with a line feed between them
    tagged  its tags, in the same way
    place   the column that is read as words; −1 if none holds any, and the first counts
    sure    whether that is where the known formats have it
    rows    its rows, as `Blocks.rows`
    tabbed  whether columns have a tab between them
    widths  how many columns each sentence has
    unusual whether an id may have a type or a leading zero
    unread  the numbers in what is refused, of whose entities it is not known what is open
    bare    the lines in which a number without a bracket is inside a mention of its entity
    waiting words, their cells and the sentence of the first, whose brackets are not taken in yet
    ordered its mentions, if all of them were put in order with those of other documents
    """

    header: tuple[int, int] = (0, 0)
    end: int = 0
    rows: Callable[[Layout], Iterator[tuple[Block | None, slice, str, int]]] = field(kw_only=True)
    own: str = ""
    joined: list[str] = field(default_factory=list)
    tagged: list[str] = field(default_factory=list)
    place: int = 0
    sure: bool = True
    tabbed: bool = True
    widths: list[int] = field(default_factory=list)
    unusual: bool = False
    unread: set[str] = field(default_factory=set)
    bare: list[int] = field(default_factory=list)
    waiting: list[tuple[IntArray, list[str], int]] = field(default_factory=list)
    ordered: Ordered | None = None

    format = "conll"
    nothing = NOTHING
    across_sentences = "runs over a sentence end."

    def take_rows(self) -> None:
        """Take in the rows; those outside of the document are refused."""
        above, start = self.header
        stop = len(self.text)
        if above:
            self._refuse_rows(0, above)
        if self.end < stop:
            if self.text.find("\n", self.end, stop - 1) >= 0:
                self._refuse_rows(self.end, stop)
            stop = self.end - 1
        rows = filter(self._is_row, (match[0] for match in _LINE.finditer(self.text, start, stop)))
        first = next(rows, "")
        self.tabbed = has_tabs(first)
        sample: Iterator[str] = chain([first], rows)
        if not self.tabbed:
            sample = filter(self._is_row, map(with_tabs, sample))
        self.place, self.sure = word_column(sample, self.own)
        place = max(self.place, 0)
        signed = (line[0] for line in lines_like(_SIGNED, self.text, "#"))
        if self.own[:1] == "#" or any(map(self._is_row, signed)):
            self._read_rows(self.text[start:stop], self.begin + 1, place)
        else:
            kinds = (_ALL,) if place == _WORD else (_ALL, _SEMEVAL_ALL)
            for block, of, lines, line in self.rows(Layout(place, kinds, self.tabbed)):
                if block:
                    self._take(block, of)
                else:
                    self._read_rows(lines, line, place)

    def read(self) -> None:
        """Take in the brackets, once the rows are, unless the mentions are in order already."""
        if self.ordered or len(self.problems.noted) >= ENOUGH:
            return
        self._take_brackets()
        self.finish()
        if self.unusual and not self.problems:
            self._warn_of_ids()
        if self.bare:
            words = counted(len(self.bare), "word")
            text = (
                f"a number without a bracket inside a mention of its entity is left out ({words})."
            )
            self.warn(self.bare[0], text)

    def _refuse_rows(self, start: int, stop: int) -> None:
        """Refuse a row in a part of the text that is outside of the document."""
        line = self.line + self.text.count("\n", 0, start)
        if row := first_row(self.text[start:stop], line):
            self.problems.add(no_header(self.file, *row))

    def _is_row(self, line: str) -> bool:
        """Whether a line is neither blank nor a comment.

        Rows begin with a number sign in a document whose name does, and where a word does.
        """
        is_named = line[:1] != "#" or line.startswith(self.own)
        return not is_blank(line) and (is_named or bool(_SIGNED.match(line) and is_row(line)))

    def _read_rows(self, text: str, first: int, place: int) -> None:
        """Take in lines of which some are not as they should be.

        first  the number of the first
        """
        self._take_brackets()
        lines = (text if self.tabbed else with_tabs(text)).split("\n")
        blank = [at for at, line in enumerate(lines) if is_blank(line)]
        for before, end in pairwise([-1, *blank, len(lines)]):
            sentence = lines[before + 1 : end]
            rows = [*filter(self._is_row, sentence)]
            if not rows:
                continue
            n = max(n_columns(rows), place + 2)
            cells: list[list[str]] = []
            numbers: list[int] = []
            for at, line in enumerate(sentence, before + 1):
                if not self._is_row(line):
                    continue
                row = line.split("\t")
                if not any(cell.strip(" ") for cell in row[n:]):
                    del row[n:]
                if len(row) == n and row[place]:
                    cells.append(row)
                    numbers.append(first + at)
                    continue
                expected = "2 columns or more, the last one for coreference"
                advice = "Add the columns."
                if n > 2:
                    every = "as in every row of the sentence, the last one for coreference"
                    expected, advice = f"{n} columns, {every}", "Write '-' if a column is empty."
                fault = "no word" if len(row) == n else counted(len(row), "column")
                self.note(first + at, fault, expected, advice)
                self.unread.update(_numbers_in(row[-1]))
            if cells:
                self._take(SplitRows(cells, [n], np.array(numbers)), slice(None))
                self._take_brackets()

    def _take(self, block: Block | SplitRows, rows: slice) -> None:
        """Take in rows of a block."""
        place, n_before, sentence = max(self.place, 0), len(self.lines), len(self.widths)
        first, stop, _ = rows.indices(len(block.lines))
        begun = slice(*(bisect_left(block.sentences, row) for row in (first, stop)))
        self.joined.append(block.joined(place, rows))
        self.lines.frombytes(block.lines[rows].tobytes())
        self.sentence_starts += [row - first + n_before for row in block.sentences[begun]]
        self.widths += block.widths[begun]
        n, n_sentences = block.widths[0], len(self.widths) - sentence
        is_known = n >= _ALL and place == _WORD
        self.speakers += block.starts(_SPEAKER, begun) if is_known else [""] * n_sentences
        self.tagged.append(block.joined(_TAG, rows) if n >= _ALL else "\n" * (stop - first - 1))
        if n >= _SEMEVAL_ALL and place == _SEMEVAL_WORD:
            self.lemmas += [""] * (n_before - len(self.lemmas))
            both = zip(block.column(_LEMMA, rows), block.column(_LEMMA + 1, rows), strict=True)
            self.lemmas += (other if lemma in NOTHING else lemma for lemma, other in both)
        filled, cells = block.filled
        here = slice(*np.searchsorted(filled, (first, stop)).tolist())
        self.waiting.append((filled[here] - first + n_before, cells[here], sentence))

    def _take_brackets(self) -> None:
        """Open and close the mentions of the cells that wait, one by one."""
        for words, cells, sentence in self.waiting:
            numbers, every = words.tolist(), map(_known_brackets, cells)
            if not all(map(_codes_of, cells)):
                self.unusual, every = True, map(self._brackets, numbers, cells)
            self.read_brackets(zip(numbers, every, strict=True), sentence)
        self.waiting.clear()

    def _brackets(self, word: int, cell: str) -> tuple[Bracket, ...]:
        """The brackets of a cell; of one that is wrong those of its parts that can be read."""
        line, cell = self.lines[word], cell.strip(" ")
        if self.has_too_many(cell, line):
            self.unread.update(_numbers_in(cell))
            return ()
        brackets = (brackets_of if len(cell) > 1000 else _known_brackets)(cell)
        if brackets or cell in NOTHING:
            return brackets
        parts = cell.split("|")
        read = [part for part in parts if brackets_of(part)]
        others = [part for part in parts if part and not brackets_of(part)]
        if others and all(_NUMBER.fullmatch(part) and self.opened.get(part) for part in others):
            self.bare.append(line)
        else:
            self.note(line, f"'{cell[:60]}' in the last column", *_EXPECTED_BRACKETS)
            self.unread.update(_NUMBER.findall(" ".join(others)))
        return brackets_of("|".join(read))

    def is_sure(self, label: str) -> bool:
        """Not if the partner may be in what is refused."""
        return label.rpartition("-")[2] not in self.unread

    def cell(self, line: str, width: int) -> str:
        """The last cell of a row of so many columns, without blanks around it."""
        cells = line.split("\t") if self.tabbed else _BLANKS.split(line.strip(" \t"))
        return cells[width - 1].strip(" ")

    def unopened(self, label: str, word: int) -> tuple[str, str, str]:
        """What is wrong with a bracket that closes nothing."""
        mentions = zip(self.ends, self.starts, self.labels, strict=True)
        end, start = max(
            ((end, start) for end, start, of in mentions if of == label), default=(0, 0)
        )
        if not end:
            fault = f"entity {label} closes here but was never opened"
            return fault, f"'({label}' before it", "Add the opening bracket."
        lines = f"opened in line {self.lines[start]}, closed in {self.lines[end - 1]}"
        fault = f"entity {label} closes here again ({lines})"
        expected = f"'({label}' between the two, or one bracket less"
        return fault, expected, "Check the numbers of the entities in both lines."

    def unclosed(self, label: str) -> tuple[str, str]:
        """What is wrong with a bracket that never closes."""
        fault = f"entity {label} opens here but never closes in document '{self.name}'"
        return fault, f"'{label})' after it"

    def _warn_of_ids(self) -> None:
        """Warn of a number that is written in two ways, which the reference scorer tells apart; and
        of entities that differ in nothing but their types, such as person-3 and place-3."""
        ways: dict[str, str] = {}
        lines = self.text.split("\n")
        widths = self.width_of_words
        brackets = (
            (at, label, told["closing"].rpartition("-")[2])
            for at in sorted({*self.starts, *(end - 1 for end in self.ends)})
            for cell in [self.cell(lines[self.lines[at] - self.line], widths[at])]
            for label, _, _, told in brackets_of(cell)
        )
        twice = (
            (at, label, way) for at, label, way in brackets if ways.setdefault(label, way) != way
        )
        for at, label, way in islice(twice, 1):
            text = f"{ways[label]} and {way} are one entity here and two for the reference scorer."
            self.warn(self.lines[at], text)
        of_number: dict[str, list[str]] = defaultdict(list)
        for entity in dict.fromkeys(self.labels):
            of_number[entity.rpartition("-")[2]].append(entity)
        every = [entities for entities in of_number.values() if len(entities) > 1]
        if every:
            more = f" (so do those of {counted(len(every) - 1, 'number')} more)"
            text = f"{listed(every[0])} share a number{more * (len(every) > 1)}"
            self.warn(self.begin, f"{text}: taken as different entities.")

    @property
    def in_column(self) -> Sequence[str]:
        """What the column of the words holds."""
        return JoinedWords("\n".join(self.joined), len(self.lines))

    @property
    def width_of_words(self) -> list[int]:
        """How many columns the row of each word has."""
        n_words = np.diff([*self.sentence_starts, len(self.lines)])
        return np.repeat(self.widths, n_words).tolist()

    def document(self) -> Document:
        """The document as read; without words where no column holds any."""
        words = self.in_column
        tags: Sequence[str] = JoinedWords("\n".join(self.tagged), len(words))
        if self.place < 0:
            words = tags = ()
            self.sentence_starts.clear()
            self.speakers.clear()
        types = [*map(_type, self.labels)] if self.unusual else []
        attributes = Attributes.of(len(types), entity_type=types) if any(types) else None
        return self.made(
            self.ordered or Columns(self.starts, self.ends, self.labels),
            words=words,
            tags=tags,
            attributes=attributes,
            original=self.original,
            met=self.closed,
        )

    def notices(self) -> Iterator[Notice]:
        """Which column the words are from, if that is not sure, and what the document lacks."""
        if self.place < 0:
            text = f"document '{self.name}' has no column of words, so only its entities are read"
            yield Notice(_COLUMN, self.begin + 1, text)
        elif not self.sure:
            some = " ".join(self.in_column[:5])
            text = f"the words are taken from column {self.place + 1}: '{some}'"
            yield Notice(_COLUMN, self.begin + 1, text)
        if not self.lines:
            yield Notice(_NO_ROWS, self.begin)
        if self.starts or self.ordered:
            yield Notice(_MENTIONS, self.begin)
        if self.end == len(self.text):
            yield Notice(_NO_END, self.begin)


def _drafts(text: str, file: str, line: int) -> Iterator[_ConllDraft]:
    """The documents of a text, each up to the next; the first with all that stands above it."""
    marks = [mark.start() for mark in lines_like(_MARK, text, "#")]
    headers = [*filter(None, (_HEADER.match(text, mark) for mark in marks))]
    ends = [mark for mark in marks if _END.match(text, mark)]
    begins = [header.start("line") for header in headers]
    blocks = Blocks(text, line, begins, ends)
    start = 0
    for header, begin, stop in zip(headers, begins, [*begins[1:], len(text)], strict=False):
        own, part = _name_of(header, file)
        end = min([*ends[bisect_left(ends, header.end()) :][:1], stop])
        yield _ConllDraft(
            file,
            text[start:stop],
            blocks.number[start],
            blocks.number[begin],
            f"{own}; part {part}" if part else own,
            header=(max(header.start() - start, 0), header.end() + 1 - start),
            end=end - start,
            rows=partial(blocks.rows, begin, end),
            own=own,
        )
        start = stop


def _together(drafts: Iterable[_ConllDraft]) -> Iterator[_ConllDraft]:
    """The documents with their rows taken in, and most of them with their mentions in order: many
    at once, which is faster than one by one."""
    group: list[_ConllDraft] = []
    n_letters = 0
    for draft in drafts:
        with suppress(TooManyProblems):
            draft.take_rows()
        group.append(draft)
        n_letters += len(draft.text)
        if n_letters > AT_ONCE:
            yield from _in_order(group)
            group, n_letters = [], 0
    yield from _in_order(group)


def _in_order(drafts: Sequence[_ConllDraft]) -> Sequence[_ConllDraft]:
    """The documents with their mentions put in order, but for those that are looked at alone: with
    a cell that is not plain, a bracket without its partner, a mention that runs over a sentence
    end, or a span that is there twice."""
    plain: list[_ConllDraft] = []
    codes: list[list[tuple[int, ...]]] = []  # of the cells of each
    for draft in drafts:
        cells = [*chain.from_iterable(of for _, of, _ in draft.waiting)]
        text = "".join(cells)
        if draft.starts or draft.problems or text.count("(") != text.count(")"):
            continue
        of_cells = [*map(_codes_of, cells)]
        if of_cells and all(of_cells):
            plain.append(draft)
            codes.append(of_cells)
    if not plain:
        return drafts
    # By cell
    document = np.repeat(np.arange(len(plain)), [*map(len, codes)])
    word = np.concatenate([words for draft in plain for words, *_ in draft.waiting])
    first_word = np.cumsum([0, *(len(draft.lines) for draft in plain)])
    sentences = [
        begin + at
        for begin, draft in zip(first_word.tolist(), plain, strict=False)
        for at in draft.sentence_starts
    ]
    sentence = np.searchsorted(sentences, word + first_word[document], side="right")
    # By bracket, those of an entity one after the other
    every = [*chain.from_iterable(codes)]
    cell = np.repeat(np.arange(len(every)), [*map(len, every)])
    code = np.fromiter(chain.from_iterable(every), np.int64, len(cell))
    label = document[cell] * (code.max() + 1) + (code >> 2)
    order = np.argsort(label, kind="stable")
    cell, code = cell[order], code[order] & 3
    entity = np.cumsum(np.diff(label[order], prepend=-1) != 0) - 1
    halves = np.flatnonzero(code < 3)  # of mentions that another bracket closes
    opening, closing, alone = _bracket_pairs(code[halves] == 2, entity[halves])
    others = {*document[cell[halves[alone]]].tolist()}
    last = cell.copy()
    last[halves[opening]] = cell[halves[closing]]
    is_mention = code == 3
    is_mention[halves[opening]] = True
    # By mention
    first, last, entity = cell[is_mention], last[is_mention], entity[is_mention]
    is_across = sentence[first] != sentence[last]
    others.update(document[first[is_across]].tolist())
    sizes = np.bincount(document[first], minlength=len(plain))
    at_once = in_text_order_at_once(word[first], word[last] + 1, entity, sizes)
    for number, (draft, ordered) in enumerate(zip(plain, at_once, strict=True)):
        draft.ordered = None if number in others else ordered
    return drafts


def _bracket_pairs(opens: BoolArray, entity: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Which brackets open mentions, which closes each of these, and which have no partner.

    An opening bracket and the next closing one of the same entity and depth belong together.

    opens, entity  (brackets,) in the order of the text, those of an entity one after the other
    """
    depth = np.cumsum(np.where(opens, 1, -1)) + ~opens
    depth -= depth.min(initial=0)
    place = entity * (depth.max(initial=0) + 1) + depth
    order = np.argsort(place, kind="stable")
    opens = opens[order]
    opening = np.flatnonzero(opens[:-1] & ~opens[1:] & (np.diff(place[order]) == 0))
    alone = np.delete(order, np.append(opening, opening + 1))
    return order[opening], order[opening + 1], alone


def _name_of(header: re.Match[str], file: str) -> tuple[str, str]:
    """The name and the part as far as it is not 0: `(x); part 003` is ("x", "3"). Without a name
    that of the file."""
    rest = header["name"].strip().rstrip("; \t")
    part = _PART.search(rest)
    name = rest[: part.start()].rstrip("; \t") if part else rest
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name or name_of_file(file), part[1].lstrip("0") if part else ""


# Files --------------------------------------------------------------------------------------------


def read_conll(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    part = _read_part(text, file, side, Begin())
    if not part.seen:
        like = likeness(text)
        if like:
            advice = "Leave out the format: it is detected from the content."
            problem = Problem(file, like.number, like.fault, _EXPECTED_HEADER, advice)
        elif row := first_row(text, 1):
            problem = no_header(file, *row)
        else:
            problem = Problem(file, 0, "no document", _EXPECTED_HEADER, "Add the line.")
        raise InputError([problem])
    return Corpus(part.documents, file, _finish(part.seen, file, side, [(1, text)]))


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    return part_of(_together(_drafts(text, file, begin.line)))


def _finish(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    """The warnings: where the words were taken from, if that is not sure, what has no rows or
    mentions, and a last document without its end, where the file may be cut short."""
    advice = "Rename one of them, or give it another part."
    named = ((of.name or "", of.line) for of in seen)
    refuse_seen(second_names(named, file, "each name and part once", advice), seen)
    warnings = []
    notices = [(of.name, notice) for of in seen for notice in of.notices]
    unsure = [notice for _, notice in notices if notice.kind == _COLUMN]
    for notice in unsure[:1]:
        more = f" (so in {counted(len(unsure), 'document')})" if len(unsure) > 1 else ""
        warnings.append(f"{file}:{notice.line}: {notice.text}{more}.")
    for name, notice in notices:
        if notice.kind == _NO_ROWS:
            warnings.append(f"{file}:{notice.line}: document '{name}' has no rows.")
    if not any(notice.kind == _MENTIONS for _, notice in notices):
        causes = ((first, why_no_entities(text)) for first, text in texts)
        for first, (number, why) in islice(((f, cause) for f, cause in causes if cause), 1):
            warnings.append(f"{file}:{first - 1 + number}: no mention is read: {why}.")
    last = max(seen, key=lambda of: of.line)
    if any(notice.kind == _NO_END for notice in last.notices):
        text = f"document '{last.name}' has no '#end document'; is the file complete?"
        warnings.append(f"{file}:{last.line}: {text}")
    return (*warnings, *(warning for of in seen for warning in of.warnings))


def no_header(file: str, number: int, row: str) -> Problem:
    """A row of columns that stands in no document."""
    fault = f"'{row.strip()[:40]}' outside of a document"
    expected = f"{_EXPECTED_HEADER} before the first row"
    return Problem(file, number, fault, expected, "Add the line.")


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each document up to the next; the first with all that stands above it."""
    last: Place | None = None
    end = 0
    for block in blocks:
        for start, number, line in commented(block, b"begin document"):
            if header := _HEADER.match(line):
                name = "; part ".join(filter(None, _name_of(header, file)))
                begin = block.start + start + len(line[: header.start("line")].encode())
                if last:
                    yield last._replace(stop=begin)
                last = Place(name, begin, 0, Begin(number)) if last else Place(name, 0, 0)
        end = block.start + len(block.data)
    if last:
        yield last._replace(stop=end)


def fits_conll(text: str) -> bool:
    """Whether there is a `#begin document` line."""
    return "#" in text and any(True for _ in lines_like(_HEADER, text, _BEGINS))


# Writing ------------------------------------------------------------------------------------------

_PART_NUMBER = re.compile(r"[1-9][0-9]*")

_WHOLE = re.compile(r"\([^()]+\); part [0-9]{3,}")  # a name that is a header already


def write_conll(corpus: Corpus) -> str:
    """CoNLL-2012 columns: name, part, number in the sentence, word, part of speech, …, speaker, *,
    coreference.

    A document that was read from columns keeps its lines, and of its coreference column the cells
    that say the same; one that was renamed gets a new header. Of others, blanks in a speaker's
    name or a tag become "_". Heads, minimum spans and types of mentions are left out (types stay
    where a file has them in its ids), lemmas and split antecedents. Raises InputError for what
    columns cannot hold: discontinuous mentions, empty nodes, mentions of one entity that cross,
    words that are empty or have blanks, a document without words.
    """
    kept = [_header_in_file(document) for document in corpus]
    times = Counter(kept)
    first: dict[str, Document] = {}
    texts: list[str] = []
    problems: list[Problem] = []
    for document, header in zip(corpus, kept, strict=True):
        if header is None or times[header] > 1:
            header = _header(document)
        if (other := first.setdefault(header, document)) is not document:
            fault = f"the documents '{other.name}' and '{document.name}'"
            expected = f"names that differ when written as '{header}'"
            place = document.place
            problems.append(Problem(place, 0, fault, expected, "Rename one of them."))
        text = _rewritten(document, header)
        problems += _not_in_brackets(document)
        if text is None or document.words:
            problems += _unwritable(document)
        if not problems:
            if texts and not texts[-1].endswith("\n"):
                texts.append("\n")
            texts.append("".join(_lines(document, header)) if text is None else text)
    refuse(problems)
    return "".join(texts)


def _header_in_file(document: Document) -> str | None:
    """The line that begins the document in its file; None if there is none, or it was renamed."""
    original = document.original
    if original is None or original.format != "conll" or original.name != document.name:
        return None
    headers = lines_like(_HEADER, original.text, _BEGINS)
    return next((header["line"] for header in headers), None)


def _header(document: Document) -> str:
    if _WHOLE.fullmatch(document.name):
        return f"{BEGIN} {document.name}"
    name, part = _name_and_part(document)
    return f"{BEGIN} ({name}); part {part.zfill(3)}"


def _name_and_part(document: Document) -> tuple[str, str]:
    name, _, part = document.name.rpartition("; part ")
    return (name, part) if name and _PART_NUMBER.fullmatch(part) else (document.name, "0")


def _unwritable(document: Document) -> Iterator[Problem]:
    place = document.place
    yield from unwritable(document)
    if (name := _name_and_part(document)[0]) != name.rstrip():
        fault = f"the document name {document.name!r}, with a space before its part"
        yield Problem(place, 0, fault, "a name without one", "Rename the document.")
    for word in document.words:
        if not word or re.search(r"[ \t\n\r]", word):
            fault = f"the word {word!r} in document '{document.name}'"
            yield Problem(place, 0, fault, "words without spaces", "Write it as jsonl.")
            return


def _not_in_brackets(document: Document) -> Iterator[Problem]:
    yield from more_than_spans(document)
    if any(map(_cross, document.entities)):
        fault = f"mentions of one entity that cross in document '{document.name}'"
        place = document.place
        yield Problem(place, 0, fault, "mentions that nest", "Write it as jsonl.")


def _cross(entity: Iterable[Mention]) -> bool:
    """Whether two mentions overlap without one being inside the other.

    Of brackets with one number the inner ones close first.
    """
    ends: list[int] = []
    for mention in entity:
        while ends and ends[-1] <= mention.start:
            ends.pop()
        if ends and ends[-1] < mention.end:
            return True
        ends.append(mention.end)
    return False


def _lines(document: Document, header: str) -> Iterator[str]:
    """A document that was not read from columns."""
    name, part = _name_and_part(document)
    column = re.sub(r"[\s#]+", "_", name)
    yield f"{header}\n"
    rows = document.rows.tolist()
    mentions = [(start, end, str(entity), str(entity)) for start, end, entity in rows]
    cells = written(len(document.words), mentions)
    speakers = document.speakers or ("",) * len(document.sentences)
    tags = document.tags or ("",) * len(document.words)
    for (start, end), speaker in zip(document.sentences, speakers, strict=True):
        who = _in_column(speaker)
        for at in range(start, end):
            word = (str(at - start), document.words[at], _in_column(tags[at]))
            cell = "|".join([*cells[at][0], *cells[at][1]]) or "-"
            yield "\t".join((column, part, *word, *"----", who, "*", cell)) + "\n"
        yield "\n"
    yield f"{END}\n"


def _in_column(text: str) -> str:
    return re.sub(r"\s+", "_", text) or "-"


def _rewritten(document: Document, header: str) -> str | None:
    """The lines that a document was read from with its entities and this header.

    None if there are none, or it has other words than they have.
    """
    original = document.original
    if original is None or original.format != "conll" or "\n" in header:
        return None
    (draft,) = _drafts(original.text, document.file, 0)
    draft.take_rows()
    draft.read()
    n_words = len(draft.lines)
    words = draft.in_column if draft.place >= 0 else ()
    if words != document.words or document.rows[:, 1].max(initial=0) > n_words:
        return None
    as_opened = [*zip(draft.starts, draft.ends, draft.labels, strict=True)]
    as_written = dict(zip(as_opened, draft.told, strict=True))
    old = sorted(as_opened, key=lambda mention: (mention[1], mention[1] - mention[0]))  # as closed
    new = _with_ids(document, old)
    mentions = []
    for start, end, label in new:
        brackets = as_written.get((start, end, label), {})
        mentions.append(
            (start, end, brackets.get("opening", label), brackets.get("closing", label))
        )
    lines, widths = original.text.split("\n"), draft.width_of_words
    rows = zip((lines[line] for line in draft.lines), widths, strict=True)
    cells = [draft.cell(line, width) for line, width in rows]
    several = [cell for cell in cells if len(brackets_of(cell)) > 1]
    separator = "" if several and not any("|" in cell for cell in several) else "|"
    empty = Counter(cell for cell in cells if cell in NOTHING)
    nothing = max(empty, key=empty.__getitem__, default="-")
    in_file, now = _touching(old, n_words), _touching(new, n_words)
    for at, (closing, opening) in enumerate(written(n_words, mentions)):
        if in_file[at] != now[at]:
            line, cell = lines[draft.lines[at]], cells[at]
            start = len(line.rstrip(" \t")) - len(cell)
            if not cell:
                start = len("\t".join(line.split("\t")[: widths[at] - 1])) + 1
            end = start + len(cell)
            changed = separator.join([*closing, *opening]) or nothing
            lines[draft.lines[at]] = line[:start] + changed + line[end:]
    lines[draft.begin] = header
    return "\n".join(lines).replace("\n", original.newline)


def _touching(
    mentions: Iterable[tuple[int, int, str]], n_words: int
) -> list[list[tuple[int, int, str]]]:
    """The mentions that begin or end at each word."""
    of_words: list[list[tuple[int, int, str]]] = [[] for _ in range(n_words)]
    for mention in sorted(mentions):
        of_words[mention[0]].append(mention)
        of_words[mention[1] - 1].append(mention)
    return of_words


def _with_ids(
    document: Document, old: Sequence[tuple[int, int, str]]
) -> list[tuple[int, int, str]]:
    """The mentions of a document in text order, with the ids of their entities.

    An entity has the id which most of its mentions have in the file, or a new one; where the file
    has types, one with the type of most of its mentions.
    """
    rows = document.rows.tolist()
    in_file = {(start, end): _type(label) for start, end, label in old}
    types = [""] * document.n_entities
    if any(in_file.values()):
        known = document.attributes.entity_type if document.attributes else [""] * len(rows)
        of_entity: list[Counter[str]] = [Counter() for _ in types]
        for (start, end, entity), type_ in zip(rows, known, strict=True):
            of_entity[entity][type_ or in_file.get((start, end), "")] += 1
        types = [next((t for t, _ in of.most_common() if t), "") for of in of_entity]
    entities_at: dict[tuple[int, int], list[int]] = defaultdict(list)
    for start, end, entity in rows:
        entities_at[start, end].append(entity)
    votes = Counter((at, of) for start, end, of in old for at in entities_at.get((start, end), ()))
    ids: dict[int, str] = {}
    taken: set[str] = set()
    for (entity, label), _ in votes.most_common():
        if entity not in ids and label not in taken and _type(label) == types[entity]:
            ids[entity] = label
            taken.add(label)
    fresh = count(max((int(label.rpartition("-")[2]) for *_, label in old), default=-1) + 1)
    for entity, type_ in enumerate(types):
        if entity not in ids:
            ids[entity] = "-".join(filter(None, (type_, str(next(fresh)))))
    return [(start, end, ids[entity]) for start, end, entity in rows]


CONLL = Format(
    id="conll",
    title="CoNLL",
    suffixes=("conll", ".col", ".semeval"),
    fits=fits_conll,
    read=read_conll,
    write=write_conll,
    parts=Parts(_places, _read_part, _finish),
)
