"""GAP: a text a line, with a pronoun, two names A and B, and whether the pronoun means them.

The key has the columns ID, Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B, B-offset,
B-coref (and URL, which is lost), separated by tabs; offsets are characters from 0. Each line is a
document over the words of its text: the pronoun and the names that are TRUE are one entity. A
system's file has the columns ID, A-coref and B-coref, without a header: its documents have no text,
only mentions named Pronoun, A and B, which are put over the text of a key. Only read. Source:
Webster et al. 2018, "Mind the GAP", and https://github.com/google-research-datasets/gap-coreference.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.marked_text import words_of
from corescore.corpus.problems import InputError, Problem, Problems

PRONOUN, NAMES = "Pronoun", ("A", "B")
ALL = (PRONOUN, *NAMES)
_ANSWERS = ("ID", "A-coref", "B-coref")
_NEEDED = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset")
_LABELS = {"true": True, "false": False}
_ANSWER = re.compile(r"[^\t\n]+\t(?:true|false)\t(?:true|false)[ \t]*(?:\n|$)", re.IGNORECASE)


def read_gap(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file; `side` makes no difference.

    Raises InputError with every problem found, each with its line.
    """
    first, line = next(_lines(text))
    header = line.rstrip().split("\t")
    columns = header if "ID" in header else [*_ANSWERS]
    needed = {*_ANSWERS, *(_NEEDED if "Text" in columns else ())}
    if missing := sorted(needed - set(columns)):
        found = f"no column {', '.join(missing)}"
        expected = f"the columns {', '.join(_ANSWERS)}, and of a key {', '.join(_NEEDED[1:])}"
        raise InputError([Problem(file, first, found, expected, "Add them.")])
    documents: dict[str, Document] = {}
    problems = Problems()
    for number, line in islice(_lines(text), columns is header, None):
        row = _Row(file, number, columns, line)
        try:
            document = row.document()
        except InputError as error:
            problems.extend(error.problems)
            continue
        if document.name in documents:
            found, advice = f"a second document '{document.name}'", "Delete one of them."
            problems.add(Problem(file, number, found, "each ID once", advice))
        documents[document.name] = document
    if not documents and not problems:
        problems.add(Problem(file, 0, "no document", "a line for each text", "Add them."))
    problems.refuse()
    return Corpus(tuple(documents.values()), file)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """(number, line) of each line that is not empty."""
    return ((n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip())


class _Row:
    """A line of the file: the cells of its columns."""

    def __init__(self, file: str, number: int, columns: Sequence[str], line: str) -> None:
        self.file, self.number = file, number
        cells = line.split("\t")
        self.n_cells, self.n_columns = len(cells), len(columns)
        self.cells = dict(zip(columns, cells, strict=False))

    def document(self) -> Document:
        """The document of this line."""
        if self.n_cells != self.n_columns:
            expected = f"{self.n_columns}, separated by tabs"
            self.refuse(f"{self.n_cells} columns", expected, "Write a tab between columns.")
        name = self.cells["ID"].strip()
        if not name:
            self.refuse("no ID", "a name for each line", "Add it.")
        entity = [name for name in NAMES if self.is_true(f"{name}-coref")]
        entity += [PRONOUN] if entity else []
        return self.over_text(name, entity) if "Text" in self.cells else self.named(name, entity)

    def named(self, name: str, entity: Sequence[str]) -> Document:
        """Over the names of the three mentions, as there is no text."""
        return Document.of_rows(
            name,
            [(ALL.index(mention), ALL.index(mention) + 1, 0) for mention in entity],
            words=ALL,
            named_mentions=True,
            file=self.file,
            lines=np.full(len(ALL), self.number),
        )

    def over_text(self, name: str, entity: Sequence[str]) -> Document:
        """Over the words of the text; it knows where the three mentions are."""
        text = self.cells["Text"]
        characters = {mention: self.span(text, mention) for mention in ALL}
        words = words_of(text, characters.values())
        spans = {
            mention: found
            for mention, (start, end) in characters.items()
            if (found := words.covering(start, end))
        }
        for mention in set(ALL) - spans.keys():
            self.refuse(f"{mention} without a word", "at least one word", "Fix the column.")
        return Document.of_rows(
            name,
            [(*spans[mention], 0) for mention in entity],
            words=words.words,
            named_spans=spans,
            file=self.file,
            lines=np.full(len(words.words), self.number),
        )

    def span(self, text: str, mention: str) -> tuple[int, int]:
        """(start, end) of a mention in characters of the text."""
        offset, said = self.cells[f"{mention}-offset"].strip(), self.cells[mention]
        start = int(offset) if offset.isascii() and offset.isdecimal() and len(offset) < 10 else -1
        if start < 0 or not said or text[start : start + len(said)] != said:
            found = f"'{said}' is not at character {offset or '?'} of the text"
            expected = f"{mention} at its offset, counted in characters from 0"
            self.refuse(found, expected, f"Fix the column {mention}-offset.")
        return start, start + len(said)

    def is_true(self, column: str) -> bool:
        """Whether a cell says TRUE."""
        label = self.cells[column].strip()
        if label.lower() not in _LABELS:
            self.refuse(f"'{label}' as {column}", "TRUE or FALSE", "Fix the cell.")
        return _LABELS[label.lower()]

    def refuse(self, found: str, expected: str, advice: str) -> None:
        raise InputError([Problem(self.file, self.number, found, expected, advice)])


def fits_gap(text: str) -> bool:
    """Whether the first line is the header of a key, or that or an answer of a system."""
    first = text.lstrip("\n").split("\n", 1)[0]
    columns = set(first.split("\t"))
    is_header = "ID" in columns and bool(columns & {"A-coref", "Pronoun-offset"})
    return is_header or bool(_ANSWER.match(first))


GAP = Format(id="gap", title="GAP", suffixes=(".gap",), fits=fits_gap, read=read_gap)
