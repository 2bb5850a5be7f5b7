"""The lines that a document in CoNLL columns was read from, and the same with other entities.

All is kept but the coreference cells of words at which mentions begin or end that the file has
otherwise. An entity keeps the number that it has in the file where it has most of its mentions.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, count, groupby, pairwise
from typing import NamedTuple

from corescore.corpus.documents import Document
from corescore.corpus.formats.conll_cells import Labelled, brackets, labels, mentions_of
from corescore.corpus.formats.conll_columns import n_columns
from corescore.corpus.mentions import Original

_BEGIN = re.compile(r"^#[ \t]*begin document\b.*$", re.MULTILINE)
_FILLED = re.compile(r"[^ \t]+")


def originals(
    text: str, begins: Sequence[int], names: Sequence[str], lines: Sequence[int]
) -> Iterator[Original]:
    """The lines of each document: those up to the next one's.

    text    of the file; what stands before the first document goes with it
    begins  where in the text each document begins
    names   of the documents
    lines   the number of the line that begins each document, of the first that of the text
    """
    cuts = [0, *begins[1:], len(text)] if begins else []
    for (start, stop), name, line in zip(pairwise(cuts), names, lines, strict=True):
        yield Original.of("conll", text[start:stop], name, line)


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
    n_words = len(document.words) or len(at)  # a file without words has a row for each
    beyond = document.rows[:, 1].max(initial=0) > n_words or max(at, default=0) >= len(lines)
    if beyond or len(at) != n_words or "\n" in header:
        return None
    rows = _rows(lines, at)
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


def _rows(lines: Sequence[str], at: Sequence[int]) -> list[_Row]:
    """The rows that stand at these lines; none if one has not the columns of its sentence."""
    is_tabbed = bool(at) and "\t" in lines[at[0]].strip(" ").rstrip("\t")
    field = _tabbed_field if is_tabbed else _spaced_field
    rows = []
    for sentence in _sentences(lines, at):
        first = sentence[0].split("\t") if is_tabbed else _FILLED.findall(sentence[0])
        cut = is_tabbed and not first[-1].strip(" ")
        n = n_columns(sentence, 0, "#") if cut else len(first)  # no row is taken for a comment
        for line in sentence:
            start, cell = field(line, n)
            if not start:
                return []
            rows.append(_Row(line[:start], cell, line[start + len(cell) :]))
    return rows


def _sentences(lines: Sequence[str], at: Sequence[int]) -> Iterator[list[str]]:
    """The rows of each sentence: those without a blank line between them."""
    n_blank = [*accumulate(not line.strip(" \t") for line in lines)]
    for _, of_sentence in groupby(at, key=n_blank.__getitem__):
        yield [lines[number] for number in of_sentence]


def _tabbed_field(line: str, n: int) -> tuple[int, str]:
    """Where the n-th column begins and what it holds; 0 if there is none, or none before it."""
    fields = line.split("\t", n)
    if not 1 < n <= len(fields):
        return 0, ""
    cell = fields[n - 1]
    start = sum(map(len, fields[: n - 1])) + n - 1
    return start + len(cell) - len(cell.lstrip(" ")), cell.strip(" ")


def _spaced_field(line: str, n: int) -> tuple[int, str]:
    fields = [*_FILLED.finditer(line)]
    return (fields[n - 1].start(), fields[n - 1][0]) if 1 < n <= len(fields) else (0, "")


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
    known = {(mention.start, mention.end, mention.entity): mention for mention in old}
    ids = _ids(document, old)
    rows = [(start, end, ids[entity]) for start, end, entity in document.rows.tolist()]
    return [known.get(row) or Labelled.of(*row) for row in rows]


def _ids(document: Document, old: Sequence[Labelled]) -> dict[int, str]:
    """The id of each entity: that of the file which most of its mentions have, or a new one."""
    types = _types(document, old)
    entities_at: dict[tuple[int, int], list[int]] = defaultdict(list)
    for start, end, entity in document.rows.tolist():
        entities_at[start, end].append(entity)
    votes = Counter((at, m.entity) for m in old for at in entities_at[m.start, m.end])
    ids: dict[int, str] = {}
    taken: set[str] = set()
    for (entity, id_), _ in votes.most_common():
        if entity not in ids and id_ not in taken and _type(id_) == types[entity]:
            ids[entity] = id_
            taken.add(id_)
    largest = max((int(m.entity.rpartition("-")[2]) for m in old), default=-1)
    fresh = (str(number) for number in count(largest + 1))
    for entity in range(document.n_entities):
        if entity not in ids:
            ids[entity] = "-".join(filter(None, (types[entity], next(fresh))))
    return ids


def _type(id_: str) -> str:
    return id_.rpartition("-")[0]


def _types(document: Document, old: Sequence[Labelled]) -> list[str]:
    """The type of each entity where the file has types, that of most of its mentions; else ""."""
    if not any(_type(mention.entity) for mention in old):
        return [""] * document.n_entities
    in_file = {(mention.start, mention.end): _type(mention.entity) for mention in old}
    known = document.attributes.entity_type if document.attributes else ("",) * len(document.rows)
    votes: list[Counter[str]] = [Counter() for _ in range(document.n_entities)]
    for (start, end, entity), type_ in zip(document.rows.tolist(), known, strict=True):
        votes[entity][type_ or in_file.get((start, end), "")] += 1
    return [next((t for t, _ in counts.most_common() if t), "") for counts in votes]
