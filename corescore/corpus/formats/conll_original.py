"""The lines that a document in CoNLL columns was read from, and the same with other entities.

All is kept but the coreference cells of words at which mentions begin or end that the file has
otherwise. An entity keeps the number that it has in the file where it has most of its mentions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, pairwise
from typing import NamedTuple

from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_cells import Labelled, brackets, labels, mentions_of
from corescore.corpus.mentions import Original

_BEGIN = re.compile(r"^# ?begin document.*$", re.MULTILINE)
_FILLED = re.compile(r"[^ \t]+")


def with_originals(
    documents: Sequence[Document], lines: Sequence[str], begins: Sequence[int]
) -> tuple[Document, ...]:
    """The documents, each with its lines: those up to the next one's.

    lines   of the file; those before the first document go with it
    begins  the number, from 1, of the line that begins each document
    """
    cuts = [0, *(begin - 1 for begin in begins[1:]), len(lines)]
    return tuple(
        replace(document, original=_original(document.name, lines, start, stop))
        for document, (start, stop) in zip(documents, pairwise(cuts), strict=True)
    )


def _original(name: str, lines: Sequence[str], start: int, stop: int) -> Original:
    end = "\n" if stop < len(lines) else ""  # what split has taken away
    return Original("conll", "\n".join(lines[start:stop]) + end, name, start + 1)


def header_of(document: Document) -> str | None:
    """The line that begins the document in its file; None if there is none, or it was renamed."""
    original = document.original
    if original is None or original.format != "conll" or original.name != document.name:
        return None
    found = _BEGIN.search(original.text)
    return found[0] if found else None


def rewritten(document: Document, header: str) -> str | None:
    """The lines of a document's original with its entities and this header.

    None if it has no such lines, or other words than they have.
    """
    original = document.original
    if original is None or original.format != "conll" or document.lines is None:
        return None
    lines = original.text.split("\n")
    at = (document.lines - original.line).tolist()
    if len(at) != len(document.words) or max(at, default=0) >= len(lines):
        return None
    rows = _rows([lines[line] for line in at], original.column)
    if len(rows) != len(at) or not all(map(_Row.has, rows, document.words)):
        return None
    for line, row, cell in zip(at, rows, _cells(document, rows), strict=True):
        lines[line] = f"{row.before}{cell}{row.after}"
    text = _BEGIN.sub(lambda _: header, "\n".join(lines), count=1)
    return text.replace("\n", original.newline)


class _Row(NamedTuple):
    """A row of columns: its coreference cell, and what stands before and after it."""

    before: str
    cell: str
    after: str

    def has(self, word: str) -> bool:
        """Whether one of the columns before is this word."""
        if "\t" in self.before:
            return f"\t{word}\t" in f"\t{self.before}\t"
        return word in _FILLED.findall(self.before)


def _rows(lines: Sequence[str], column: int) -> list[_Row]:
    """The rows, with tabs or blanks between columns as in the first; none if one is too short."""
    field = _tabbed_field if lines and "\t" in lines[0] else _spaced_field
    rows = []
    for line in lines:
        start, cell = field(line, column)
        if not start:
            return []
        rows.append(_Row(line[:start], cell, line[start + len(cell) :]))
    return rows


def _tabbed_field(line: str, column: int) -> tuple[int, str]:
    """Where the column begins and what it holds; 0 if there is none, or none before it."""
    before, *fields = line.rsplit("\t", -column)
    if len(fields) < -column:
        return 0, ""
    blanks = len(fields[0]) - len(fields[0].lstrip(" "))
    return len(before) + 1 + blanks, fields[0].strip(" ")


def _spaced_field(line: str, column: int) -> tuple[int, str]:
    fields = [*_FILLED.finditer(line)]
    return (fields[column].start(), fields[column][0]) if len(fields) > -column else (0, "")


def _cells(document: Document, rows: Sequence[_Row]) -> Iterator[str]:
    """The coreference column with the entities of the document."""
    cells = [row.cell for row in rows]
    old = mentions_of(cells)
    new = _labelled(document, old)
    is_old, is_new = _touching(old, len(cells)), _touching(new, len(cells))
    separator, nothing = _separator(cells), _nothing(cells)
    for at, written in enumerate(brackets(len(cells), new)):
        same = is_old[at] == is_new[at]
        yield cells[at] if same else separator.join(written) or nothing


def _touching(mentions: Iterable[Labelled], n_words: int) -> list[list[Labelled]]:
    """The mentions that begin or end at each word."""
    found: list[list[Labelled]] = [[] for _ in range(n_words)]
    for mention in sorted(mentions):
        found[mention.start].append(mention)
        found[mention.end - 1].append(mention)
    return found


def _separator(cells: Sequence[str]) -> str:
    """What stands between brackets: nothing if the file has it so, else |."""
    several = [cell for cell in cells if len(labels(cell)) > 1]
    return "" if several and not any("|" in cell for cell in several) else "|"


def _nothing(cells: Sequence[str]) -> str:
    """What stands in most of the cells without brackets."""
    empty = Counter(cell for cell in cells if not labels(cell))
    return empty.most_common(1)[0][0] if empty else "-"


def _labelled(document: Document, old: Sequence[Labelled]) -> list[Labelled]:
    """The document's mentions in text order, with the labels of the old ones where they are."""
    known = {(m.start, m.end, m.number): m for m in old}
    types = {(m.start, m.end): m.type for m in old if m.type}
    numbers = _numbers(document, old)
    kinds = document.attributes.entity_type if document.attributes else ("",) * len(document.rows)
    mentions = []
    for (start, end, entity), kind in zip(document.rows.tolist(), kinds, strict=True):
        number, type_ = numbers[entity], (kind or types.get((start, end), "")) if types else ""
        label = f"{type_}-{number}" if type_ else number
        same = known.get((start, end, number))
        if same is None or same.type != type_:
            same = Labelled(start, end, label, label)
        mentions.append(same)
    return mentions


def _numbers(document: Document, old: Sequence[Labelled]) -> dict[int, str]:
    """The number of each entity: that in the file which most of its mentions have, each once."""
    entities_at: dict[tuple[int, int], list[int]] = defaultdict(list)
    for start, end, entity in document.rows.tolist():
        entities_at[start, end].append(entity)
    votes = Counter((at, m.number) for m in old for at in entities_at[m.start, m.end])
    numbers: dict[int, str] = {}
    taken: set[str] = set()
    for (entity, number), _ in votes.most_common():
        if entity not in numbers and number not in taken:
            numbers[entity] = number
            taken.add(number)
    largest = max((int(m.number) for m in old if m.number.isdecimal()), default=-1)
    fresh = map(str, count(largest + 1))
    return {at: numbers.get(at) or next(fresh) for at in range(document.n_entities)}
