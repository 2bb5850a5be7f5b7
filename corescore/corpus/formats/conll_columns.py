"""Which columns of a CoNLL file hold the words and the entities."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from corescore.corpus.formats.conll_brackets import NOTHING, parse_cell

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
