"""The header and the rows of WebAnno TSV 3."""

import re
from dataclasses import dataclass, field

from corescore.corpus.problems import InputError, Problem

_HEADER = re.compile(r"#T_(SP|RL|CH)=(\S.*)")
_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(\.\d{1,9})?", re.ASCII)
_WORD_COLUMNS = 3


@dataclass(frozen=True)
class Layer:
    """A layer of the header: its kind (SP, RL or CH), its name, and where its columns begin."""

    kind: str
    name: str
    features: tuple[str, ...]
    column: int

    @property
    def end(self) -> int:
        return self.column + max(1, len(self.features))


@dataclass(frozen=True)
class Row:
    """A row: its line, the position of its word, its number as written, and its cells."""

    line: int
    position: int
    number: str
    cells: tuple[str, ...]


@dataclass
class Rows:
    """The header and the rows of a file."""

    file: str
    layers: list[Layer] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    sentence_starts: list[int] = field(default_factory=list)
    parts: int = 0

    def refusal(self, line: int, found: str, expected: str, advice: str) -> InputError:
        return InputError([Problem(self.file, line, found, expected, advice)])


def rows_of(text: str, file: str) -> Rows:
    """The rows of a file. Raises InputError with the first problem found and its line."""
    source = Rows(file)
    position: dict[str, int] = {}
    sentence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.fullmatch(line):
            _add_layer(source, header[1], header[2], number)
        elif line.strip() and line[0] != "#":
            row = _row(source, line, number, position)
            of = row.number.partition("-")[0]
            if of != sentence:
                source.sentence_starts.append(row.position)
                sentence = of
            source.rows.append(row)
    return source


def _add_layer(source: Rows, kind: str, names: str, number: int) -> None:
    name, *features = names.rstrip().split("|")
    column = source.layers[-1].end if source.layers else _WORD_COLUMNS
    if kind == "RL" and not any(feature.startswith("BT_") for feature in features):
        found = f"the relation layer {name} without a column BT_"
        raise source.refusal(number, found, "the layer it is on", "Export the file again.")
    source.layers.append(Layer(kind, name, tuple(features), column))


def _row(source: Rows, line: str, number: int, position: dict[str, int]) -> Row:
    cells = line.split("\t")
    if cells[-1] == "":
        del cells[-1]  # rows end in a tab
    width = source.layers[-1].end if source.layers else _WORD_COLUMNS
    match = _ROW.fullmatch(cells[0])
    if match is None or len(cells) != width or not cells[2].strip():
        found = f"'{line[:40]}'" if match is None else f"{len(cells)} columns"
        expected = f"sentence-word, characters, word and {width - _WORD_COLUMNS} columns of layers"
        raise source.refusal(number, found, expected, "Export the file again.")
    word = f"{match[1]}-{match[2]}"
    if match[3] and word in position:
        source.parts += 1
    elif match[3] or word in position:
        raise source.refusal(number, f"the row {cells[0]}", "each word once", "Fix the number.")
    else:
        position[word] = len(source.words)
        source.words.append(cells[2])
    return Row(number, position[word], cells[0], tuple(cells))


def values_of(cell: str) -> list[str]:
    """The stacked values of a cell; none of `_`."""
    return [] if cell == "_" else re.split(r"(?<!\\)\|", cell)


def plain_value(value: str) -> str:
    """A value without the marks before its own brackets and bars; "" if it stands for none."""
    return "" if value in ("*", "_") else re.sub(r"\\(.)", r"\1", value)
