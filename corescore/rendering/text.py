"""Tables as text and as Parquet, each with its signature."""

import csv
import io
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, zip_longest
from json.encoder import encode_basestring
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from corescore.metrics import name_of
from corescore.rendering.columns import Column, Columns, column, counted

if TYPE_CHECKING:
    import pandas as pd

# Tables in LaTeX, in the style of booktabs: no vertical lines, three rules ------------------------

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "²": "$^2$",
    "³": "$^3$",
    "₀": "$_0$",
    "ₑ": "$_e$",
    "ₘ": "$_m$",
    "χ": r"$\chi$",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "–": "--",
    "…": r"\ldots{}",
    "✓": "$+$",
    "✗": "$-$",
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}

_BELOW = re.compile(r"(CEAF|\^3\$)\\_sys\b")

_P = re.compile(r"(?<![\w$\\-])p(?: (\\textless\{\}|=) ([\d.]*\d))?(?!\w|\.\d)")

_BELOW_P = re.compile(r"< [\d.]+")


def latex(text: str) -> str:
    """Text as LaTeX prints it: nothing in it is a command any more, and it stands on one line."""
    plain = " ".join(text.split())
    escaped = "".join(_ESCAPED.get(letter, letter) for letter in plain)
    return _BELOW.sub(r"\1$_{\\mathrm{sys}}$", escaped)


def latex_prose(text: str) -> str:
    """A sentence, a note or a heading as LaTeX prints it, p set as the variable it is."""
    return _P.sub(_typeset_p, latex(text))


def _typeset_p(match: re.Match[str]) -> str:
    sign = "=" if match[1] == "=" else "<"
    return f"$p {sign} {match[2]}$" if match[1] else "$p$"


def latex_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    note: str,
    left: Collection[int] = (0,),
    groups: Sequence[tuple[str, int]] = (),
) -> str:
    r"""A `tabular` with \toprule, \midrule and \bottomrule, and the note in small type below.

    left    the columns that begin at their left edge; the others end aligned
    groups  what stands over the columns after the first: (title, how many columns)
    """
    columns = "".join("l" if at in left else "r" for at in range(len(header)))
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule"]
    lines += _group_lines(groups)
    lines += [_latex_row(map(latex_prose, header)), r"\midrule"]
    lines += [
        _latex_row(_latex_cell(text, at in left) for at, text in enumerate(row)) for row in rows
    ]
    lines += [r"\bottomrule", r"\end{tabular}", "", rf"{{\footnotesize {latex_prose(note)}}}"]
    return "\n".join(["% \\usepackage{booktabs}", *lines]) + "\n"


def _group_lines(groups: Sequence[tuple[str, int]]) -> list[str]:
    if not groups:
        return []
    titles, rules, first = [], [], 2
    for title, width in groups:
        titles.append(rf"\multicolumn{{{width}}}{{c}}{{{latex(title)}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        first += width
    return [_latex_row(["", *titles]), " ".join(rules)]


def _latex_row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    shield = "{}" if row.startswith(("[", "*")) else ""  # else an option of the line before
    return rf"{shield}{row} \\"


def _latex_cell(text: str, is_left: bool) -> str:
    """Blanks at the beginning of a text are kept, as an indent."""
    if is_left:
        return r"\quad " * text.startswith("  ") + latex(text)
    if _BELOW_P.fullmatch(text):
        return f"${text}$"
    return latex(text)


LONGEST_TEXT = 48

LEAST_TEXT = (16, 8)  # letters of a line of a text that is broken; fewer if a row would not fit

GAPS = (3, 2, 1)  # blanks between columns; fewer where a row would not fit

MOST_IN_BLOCKS = 60  # rows that are together if the columns are in blocks

_INNER = "\n  "


def render(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[int] = (0,),
    markdown: bool = False,
) -> str:
    """Rows under a header; the columns `left` begin at their left edge, the others end aligned.

    Cells are as wide as a terminal draws them. (rich's own tables take a millisecond a row.) What
    is wider than the terminal, or than 80 columns without one, is set closer; then its texts are
    broken into lines; then the columns are in blocks below each other, a few rows at a time.
    """
    from rich.cells import cell_len  # rich is only needed for tables

    table = [[_on_one_line(cell, markdown=markdown) for cell in row] for row in (header, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    if markdown:
        head, *body = (f"| {' | '.join(_padded(row, widths, left))} |" for row in table)
        rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
        return "\n".join([head, rule, *body]) + "\n"
    widths, gap, parts = _fitted(table, widths, left)
    blocks = []
    together = len(table) if len(parts) == 1 else MOST_IN_BLOCKS
    for first in range(1, max(2, len(table)), together):
        for columns in parts:
            chosen = [widths[at] for at in columns]
            at_left = [place for place, at in enumerate(columns) if at in left]
            head, *body = (
                "\n".join(
                    f" {(' ' * gap).join(_padded(line, chosen, at_left))}".rstrip()
                    for line in _lines_of([row[at] for at in columns], chosen)
                )
                for row in (table[0], *table[first : first + together])
            )
            blocks.append("\n".join([head, "─" * _extent(chosen, gap), *body]) + "\n")
    return "\n".join(blocks)


def _fitted(
    table: Sequence[Sequence[str]], widths: list[int], left: Collection[int]
) -> tuple[list[int], int, list[list[int]]]:
    """The widths of the columns, the gap between two, and which are side by side in a block."""
    from rich.cells import cell_len

    room = get_terminal_size().columns
    columns = [*zip(widths, zip(*table, strict=True), strict=True)]
    leasts = [
        [
            min(width, least_text)
            if at in left
            else max(map(cell_len, (*head.split(), *cells)), default=0)
            for at, (width, (head, *cells)) in enumerate(columns)
        ]
        for least_text in LEAST_TEXT
    ]
    attempts = [(widths, GAPS[0]), (widths, GAPS[1]), (leasts[0], GAPS[1])]
    gap = next((gap for tried, gap in attempts if _extent(tried, gap) <= room), GAPS[-1])
    for least in leasts[: 1 if len(table) <= MOST_IN_BLOCKS else None]:
        narrow = _narrowed(widths, least, gap, room)
        if _extent(narrow, gap) <= room:
            return narrow, gap, [[*range(len(widths))]]
    narrow = _narrowed(widths, leasts[0], gap, room)
    return narrow, gap, _blocks(narrow, gap, room)


def _padded(row: Sequence[str], widths: Sequence[int], left: Collection[int]) -> Iterator[str]:
    from rich.cells import cell_len

    for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
        blank = " " * (width - cell_len(cell))
        yield cell + blank if at in left else blank + cell


def _extent(widths: Sequence[int], gap: int) -> int:
    """The width of a row, with a blank before and after it and gaps between its cells."""
    return 2 + sum(widths) + gap * (len(widths) - 1)


def _narrowed(widths: Sequence[int], least: Sequence[int], gap: int, room: int) -> list[int]:
    """The widths, the widest ones narrower until a row fits or none can be."""
    narrow = [*widths]
    while _extent(narrow, gap) > room:
        wide = [at for at, width in enumerate(narrow) if width > least[at]]
        if not wide:
            break
        narrow[max(wide, key=narrow.__getitem__)] -= 1
    return narrow


def _blocks(widths: Sequence[int], gap: int, room: int) -> list[list[int]]:
    """The columns that stand side by side: the first with as many of the others as fit."""
    blocks = [[0]]
    for at in range(1, len(widths)):
        wider = [*blocks[-1], at]
        fits = _extent([widths[one] for one in wider], gap) <= room or len(wider) <= 2
        blocks = [*blocks[:-1], wider] if fits else [*blocks, [0, at]]
    return blocks


def _lines_of(row: Sequence[str], widths: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """The lines of a row whose cells are broken between words."""
    from rich.cells import cell_len, chop_cells

    cells = []
    for cell, width in zip(row, widths, strict=True):
        fits = cell_len(cell) <= width
        broken = (
            textwrap.wrap(cell, width) if len(cell) == cell_len(cell) else chop_cells(cell, width)
        )
        cells.append([cell] if fits else broken)
    return zip_longest(*cells, fillvalue="")


def _on_one_line(cell: str, *, markdown: bool) -> str:
    """Without what would break the line, or move the cursor of a terminal."""
    plain = "".join(letter if letter.isprintable() else " " for letter in cell)
    return in_markdown(plain).replace("|", "\\|") if markdown else plain


def in_markdown(text: str) -> str:
    """Text for Markdown, in which HTML counts: a name such as `<img src=x>` stays a name."""
    from html import escape  # not for tables in a terminal

    return escape(text, quote=False)


@dataclass(frozen=True)
class Table:
    """A result as a table, which each format draws: text here, HTML in `rendering.html`.

    frame      its rows, with values as they are; programs get all of it
    columns    what a table to be read shows, by names as in `rendering.columns` or as columns of
               its own; all of the frame if empty
    title      what it shows, in a few words
    said       the sentences above it
    notes      what stands below it
    signature  how it was made
    once       the columns whose cells are blank where the row above has the same
    more       additional fields of JSON, by name
    fractions  whether shares are shown as fractions
    longest    letters of a text in a cell, if its column does not say how it is written
    """

    frame: "pd.DataFrame"
    columns: Columns = ()
    title: str = ""
    said: Sequence[str] = ()
    notes: Sequence[str] = ()
    signature: str = ""
    once: Collection[str] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    fractions: bool = False
    longest: int | None = None

    @property
    def shown(self) -> list[Column]:
        """The columns that are read. One that the register makes of others is as it is in a frame
        without these."""
        columns = []
        for one in self.columns or map(str, self.frame):
            known = one if isinstance(one, Column) else column(one)
            is_there = isinstance(one, Column) or {*known.of} <= {*self.frame}
            columns.append(known if is_there else Column(str(one), of=(str(one),)))
        return columns

    @property
    def heads(self) -> list[str]:
        """Their headings."""
        return [one.head for one in self.shown]

    @property
    def left(self) -> set[int]:
        """The columns of words, which begin at their left edge."""
        words = ("str", "object", "category")
        return {
            at
            for at, one in enumerate(self.shown)
            if not one.unit and str(self.frame[one.of[0]].dtype) in words
        }

    def rows(self, metric: Callable[[str], str] = name_of) -> list[list[str]]:
        """The cells as they are written; `metric`: what a metric is called."""
        columns = [self._cells(one, metric) for one in self.shown]
        return [[*row] for row in zip(*columns, strict=True)]

    def _cells(self, one: Column, metric: Callable[[str], str]) -> list[str]:
        plain = partial(_cell, longest=self.longest)
        write = metric if one.write is name_of else one.write or plain
        values = zip(*(self.frame[name] for name in one.of), strict=True)

        def cell(*parts: Any) -> str:
            is_number = bool(one.unit) or one.write is counted
            is_plain = is_number if isinstance(parts[0], str) else self.fractions
            return plain(*parts) if is_plain else write(*parts)

        cells = [cell(*of) for of in values]
        if one.of[0] in self.once:
            cells = ["" if pair[0] == pair[1] else pair[1] for pair in pairwise(["", *cells])]
        return cells

    def text(self, format: str) -> str:
        """As "json" or "csv" with the values as they are; as "table", "markdown" or "latex" to be
        read, below what is said, which in LaTeX is prose below the table."""
        if format == "json":
            others = "".join(
                f"{_json(name)}: {_nested(v, _INNER)},{_INNER}" for name, v in self.more.items()
            )
            signed = f'"signature": {_json(self.signature)},{_INNER}{others}'
            return f'{{\n  {signed}"rows": {_json_rows(self.frame)}\n}}\n'
        if format == "csv":
            return _as_csv(self.frame.assign(signature=self.signature))
        heads, rows, markdown = self.heads, self.rows(), format == "markdown"
        above, below = "\n".join(self.said), "\n".join([*self.notes, self.signature])
        if format == "latex":
            table = latex_table(heads, rows, note=below, left=self.left)
            return f"{table}\n{latex_prose(above)}\n" if above else table
        if markdown:
            above, below = in_markdown(above), in_markdown(below)
        table = render(heads, rows, left=self.left, markdown=markdown)
        return f"{above}\n\n{table}\n{below}\n" if above else f"{table}\n{below}\n"


def _as_csv(frame: "pd.DataFrame") -> str:
    """Where a text has a carriage return all are quoted; see `util.csv_of`."""
    text = frame.to_csv(index=False, lineterminator="\n")
    if "\r" not in text:
        return text
    return frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)


# `json` writes slowly, piece by piece, as soon as lines are indented. So a column is written in one
# go; line breaks within texts are escaped, so that "\n" stands between values only.


def _json_rows(frame: "pd.DataFrame") -> str:
    """As `json.dumps` with an indentation of 2 would write the rows inside an object."""
    if frame.empty:
        return "[]"
    columns = [_json_cells(frame[name]) for name in frame]
    names = [_json(str(name)).replace("%", "%%") for name in frame]
    row = ",\n      ".join(f"{name}: %s" for name in names)
    rows = "\n    },\n    {\n      ".join(map(row.__mod__, zip(*columns, strict=True)))
    return f"[\n    {{\n      {rows}\n    }}\n  ]"


def _json_cells(column: "pd.Series[Any]") -> list[str]:
    """Each value of a column; those of several lines begin at the margin of a row's values."""
    values = column.astype(object).where(column.notna(), None).tolist()
    if any(issubclass(kind, list | tuple | dict) for kind in set(map(type, values))):
        return [_nested(value, "\n      ") for value in values]
    return _json(values, separators=("\n", ":"))[1:-1].split("\n")


def _nested(value: Any, line: str) -> str:
    """A value as `json.dumps` with an indentation of 2 would write it, but lists faster.

    line  the line break and the indentation of the value's last line
    """
    if isinstance(value, str):
        return encode_basestring(value)
    if type(value) is int:
        return str(value)
    if not isinstance(value, list | tuple) or not value:
        return _json(value, indent=2).replace("\n", line)
    inner = f"{line}  "
    return f"[{inner}{f',{inner}'.join([_nested(one, inner) for one in value])}{line}]"


_json = partial(json.dumps, ensure_ascii=False, default=lambda value: value.item())  # of numpy's


def as_parquet(made: Table) -> bytes:
    """A table as a Parquet file, its values as they are; the index of the frame is left out.

    The signature is the entry "signature" of the schema's metadata, and of
    `pandas.read_parquet(file).attrs`. A column of values of several kinds is written as text.
    """
    import pyarrow as pa  # slow to import: only when asked for
    import pyarrow.parquet as pq

    frame = made.frame
    objects = [name for name in frame if frame[name].dtype == object]
    fitting = frame.copy(deep=False)
    for name in objects:
        fitting[name] = _of_one_kind(frame[name])
    table = pa.Table.from_pandas(fitting, preserve_index=False)
    attributes = {"signature": made.signature}
    metadata = {
        **(table.schema.metadata or {}),
        **attributes,
        "PANDAS_ATTRS": json.dumps(attributes),
    }
    data = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), data)
    return data.getvalue()


def _of_one_kind(column: "pd.Series[Any]") -> "pd.Series[Any]":
    import pyarrow as pa

    try:
        pa.array(column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return column.map(str, na_action="ignore")
    return column


def _cell(value: Any, longest: int | None) -> str:
    """Numbers and long texts short, missing values as "–"."""
    if isinstance(value, str):
        return f"{value[: longest - 1]}…" if longest and len(value) > longest else value
    if str(value) in ("None", "nan", "<NA>"):
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
