"""Tables of pandas as text and as Parquet, each with its signature."""

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from json.encoder import encode_basestring
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
    "χ": r"$\chi$",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "–": "--",
    "…": r"\ldots{}",
    "✓": "$+$",
    "✗": "$-$",
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}

_BELOW = re.compile(r"(CEAF|B\$\^3\$)\\_(?:([em0])|(sys))\b")

_P = re.compile(r"(?<![\w$\\-])p(?: (\\textless\{\}|=) ([\d.]*\d))?(?!\w|\.\d)")

_BELOW_P = re.compile(r"< [\d.]+")

BEST = "*"


def latex(text: str) -> str:
    """Text as LaTeX prints it: nothing in it is a command any more, and it stands on one line."""
    plain = " ".join(text.split())
    escaped = "".join(_ESCAPED.get(letter, letter) for letter in plain)
    return _BELOW.sub(_with_index, escaped)


def latex_prose(text: str) -> str:
    """A sentence, a note or a heading as LaTeX prints it, p set as the variable it is."""
    return _P.sub(_typeset_p, latex(text))


def _typeset_p(found: re.Match[str]) -> str:
    sign = "=" if found[1] == "=" else "<"
    return f"$p {sign} {found[2]}$" if found[1] else "$p$"


def _with_index(found: re.Match[str]) -> str:
    index = found[2] or rf"{{\mathrm{{{found[3]}}}}}"
    return f"{found[1]}$_{index}$"


def latex_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    note: str,
    left: Collection[int] = (0,),
    groups: Sequence[tuple[str, int]] = (),
) -> str:
    r"""A `tabular` with \toprule, \midrule and \bottomrule, and the note in small type below.

    rows    a cell that ends in `BEST`, and is not of a column in `left`, is printed bold
    left    the columns that begin at their left edge; the others end aligned
    groups  what stands over the columns after the first: (title, how many columns)
    """
    columns = "".join("l" if at in left else "r" for at in range(len(header)))
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule"]
    lines += _group_lines(groups)
    lines += [_line(map(latex_prose, header)), r"\midrule"]
    lines += [_line(_latex_cell(text, at in left) for at, text in enumerate(row)) for row in rows]
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
    return [_line(["", *titles]), " ".join(rules)]


def _line(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    shield = "{}" if row.startswith(("[", "*")) else ""  # else an option of the line before
    return rf"{shield}{row} \\"


def _latex_cell(text: str, is_left: bool) -> str:
    """Blanks at the beginning of a text are kept, as an indent."""
    if is_left:
        return r"\quad " * text.startswith("  ") + latex(text)
    if _BELOW_P.fullmatch(text):
        return f"${text}$"
    best = text.endswith(BEST)
    return rf"\textbf{{{latex(text.removesuffix(BEST))}}}" if best else latex(text)


LONGEST_TEXT = 48

NOTHING: Mapping[str, Any] = MappingProxyType({})

_INNER = "\n  "


def render(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[int] = (0,),
    markdown: bool = False,
) -> str:
    """Rows under a header; the columns `left` begin at their left edge, the others end aligned.

    Cells are as wide as a terminal draws them. (rich's own tables take a millisecond a row.)
    """
    from rich.cells import cell_len  # rich is only needed for tables

    def padded(cell: str, width: int, *, is_left: bool) -> str:
        gap = " " * (width - cell_len(cell))
        return cell + gap if is_left else gap + cell

    table = [[_on_one_line(cell, markdown=markdown) for cell in row] for row in (header, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    lines = [
        [padded(row[at], width, is_left=at in left) for at, width in enumerate(widths)]
        for row in table
    ]
    if markdown:
        rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
        head, *body = (f"| {' | '.join(line)} |" for line in lines)
    else:
        rule = "─" * (sum(widths) + 3 * len(widths) - 1)
        head, *body = (f" {'   '.join(line)}".rstrip() for line in lines)
    return "\n".join([head, rule, *body]) + "\n"


def _on_one_line(cell: str, *, markdown: bool) -> str:
    """Without what would break the line, or move the cursor of a terminal."""
    plain = "".join(letter if letter.isprintable() else " " for letter in cell)
    return in_markdown(plain).replace("|", "\\|") if markdown else plain


def in_markdown(text: str) -> str:
    """Text for Markdown, in which HTML counts: a name such as `<img src=x>` stays a name."""
    return escape(text, quote=False)


def render_frame(
    frame: "pd.DataFrame",
    signature: str,
    *,
    format: str,
    longest: int = LONGEST_TEXT,
    unit: str = "",
    places: int = 4,
    more: Mapping[str, Any] = NOTHING,
) -> str:
    """A pandas table as text, with its signature: "json" or "csv" with the values as they are,
    "table", "markdown" or "latex" to be read, texts cut after `longest` letters.

    unit    of the numbers in a table to be read, in a sentence below it
    places  decimals of its fractional numbers
    more    additional fields of JSON, by name
    """
    if format == "json":
        others = "".join(
            f"{_json(name)}: {_nested(v, _INNER)},{_INNER}" for name, v in more.items()
        )
        said = f'"signature": {_json(signature)},\n  {others}"rows": {_json_rows(frame)}'
        return f"{{\n  {said}\n}}\n"
    if format == "csv":
        return _as_csv(frame.assign(signature=signature))
    rows = frame.itertuples(index=False, name=None)
    cells = [[_cell(value, longest, places) for value in row] for row in rows]
    header = [str(name).replace("_", " ") for name in frame.columns]
    words = {
        at for at, kind in enumerate(frame.dtypes) if str(kind) in ("str", "object", "category")
    }
    notes = (unit,) if unit else ()
    return TextTable(header, cells, words, notes).text(signature, format=format)


def _as_csv(frame: "pd.DataFrame") -> str:
    """Where a text has a carriage return all are quoted; see `comma_separated.csv_of`."""
    text = frame.to_csv(index=False, lineterminator="\n")
    if "\r" not in text:
        return text
    return frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)


@dataclass(frozen=True)
class TextTable:
    """A table of texts: `left` as in `render`, and the notes that stand below it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Collection[int] = (0,)
    notes: tuple[str, ...] = ()

    def text(self, signature: str, *, format: str) -> str:
        """As "table", "markdown" or "latex", the signature below the notes."""
        note = "\n".join([*self.notes, signature])
        note = in_markdown(note) if format == "markdown" else note
        if format == "latex":
            return latex_table(self.header, self.rows, note=note, left=self.left)
        markdown = format == "markdown"
        return f"{render(self.header, self.rows, left=self.left, markdown=markdown)}\n{note}\n"


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


def as_parquet(frame: "pd.DataFrame", signature: str) -> bytes:
    """A pandas table as a Parquet file, its values as they are; the index is left out.

    The signature is the entry "signature" of the schema's metadata, and of
    `pandas.read_parquet(file).attrs`. A column of values of several kinds is written as text.
    """
    import pyarrow as pa  # slow to import: only when asked for
    import pyarrow.parquet as pq

    objects = [name for name in frame if frame[name].dtype == object]
    fitting = frame.copy(deep=False)
    for name in objects:
        fitting[name] = _of_one_kind(frame[name])
    table = pa.Table.from_pandas(fitting, preserve_index=False)
    said = {"signature": signature}
    metadata = {**(table.schema.metadata or {}), **said, "PANDAS_ATTRS": json.dumps(said)}
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


def _cell(value: Any, longest: int, places: int) -> str:
    """Numbers and long texts short, missing values as "–"."""
    if isinstance(value, str):
        return value if len(value) <= longest else f"{value[: longest - 1]}…"
    if str(value) in ("None", "nan", "<NA>"):
        return "–"
    return f"{value:.{places}f}" if isinstance(value, float) else str(value)
