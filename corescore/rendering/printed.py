"""Printed figures beside the computed ones → a sentence, text and HTML."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import pandas as pd
from markupsafe import Markup

from corescore.rendering.templates import render
from corescore.rendering.text import TextTable
from corescore.replication.printed import NOTHING, PERCENT, Printed, comparable
from corescore.sentences.names import escaped, metric_title
from corescore.wording import RATIOS, count, counted, heading_of, written

DIFFERS = "≠"
LEGEND = f"{DIFFERS}: a unit of the last printed digit or more apart."
MOST_COLUMNS = 16
_NEAR = 1e-9


@dataclass(frozen=True)
class Pair:
    """A printed figure and the computed one, with as many digits; "" where nothing is computed."""

    printed: str = ""
    computed: str = ""
    says: str = ""

    @property
    def differs(self) -> bool:
        return bool(self.says)


@dataclass(frozen=True)
class Row:
    """A system or response: its name, and its figures."""

    header: str
    pairs: Sequence[Pair]

    @property
    def is_computed(self) -> bool:
        return any(pair.computed for pair in self.pairs)


@dataclass(frozen=True)
class Table:
    """A paper's table: the heads of its columns in groups, and its rows."""

    groups: Sequence[tuple[str, Sequence[str]]]
    rows: Sequence[Row]

    @property
    def n_columns(self) -> int:
        return sum(max(1, len(heads)) for _, heads in self.groups)


def with_digits_of(cell: str, value: float, *, percent: bool = False) -> str:
    """A computed number with as many digits as the printed one, two if it is in percent and none is
    printed; "" if there is none."""
    if pd.isna(value):
        return ""
    if cell in NOTHING:
        return written(value) if percent or value % 1 else count(value)
    if "/" in cell:
        exact = Fraction(value).limit_denominator(10_000)
        return str(exact) if abs(value - exact) < _NEAR else written(value, ".4f")
    comma = "," if "," in cell else ""
    return written(value, f"{comma}.{len(cell.partition('.')[2])}f")


def sentence(beside: pd.DataFrame, printed: Printed, *, ran_on: str = "") -> str:
    """How many figures match, and their unit.

    ran_on  what the computed ones were computed on, where that is not the paper's own data
    """
    unit = " In percent." if beside["percent"].all() else ""
    both = comparable(beside)
    if both.empty:
        return f"As the paper has it; nothing of it is recomputed.{unit}"
    if ran_on or not printed.same_data:
        return f"Printed for the paper's systems; computed on {ran_on or 'other data'}.{unit}"
    n, off = len(both), int(both["differs"].sum())
    if not off:
        match = f"All {n} recomputed figures match" if n > 1 else "The recomputed figure matches"
        return f"{match} what is printed to within its last digit.{unit}"
    differ = f"{off} {'differs' if off == 1 else 'differ'} ({DIFFERS})"
    match = f"{n - off} of {counted(n, 'recomputed figure')} match"
    return f"{match} what is printed to within its last digit; {differ}.{unit}"


# Text ---------------------------------------------------------------------------------------------


def text_table(beside: pd.DataFrame, printed: Printed, *, ran_on: str = "") -> TextTable:
    """A line for each row of the paper, and for each figure what is printed and computed."""
    heads, left = [*printed.on], len(printed.on)
    figures = [*dict.fromkeys(beside["figure"])]
    lines = {name: list(name) for name in _names(beside, printed.on)}
    for figure in figures:
        of_figure = beside[beside["figure"] == figure]
        unit = PERCENT if of_figure["percent"].all() else ""
        has_computed = bool(of_figure["computed"].notna().any())
        title = heading_of(figure) + unit
        heads += [f"{title} printed", *([f"{title} computed"] if has_computed else [])]
        for row in of_figure.to_dict("records"):
            pair = _pair(row)
            mark = f"{DIFFERS} " if pair.differs else ""
            cells = [pair.printed or "–", mark + (pair.computed or "–")]
            lines[_name(row, printed.on)] += cells if has_computed else cells[:1]
    notes = (
        sentence(beside, printed, ran_on=ran_on),
        *([LEGEND] if beside["differs"].any() else []),
    )
    return TextTable(heads, [*lines.values()], range(left), notes)


# HTML ---------------------------------------------------------------------------------------------


def html_table(table: Table, caption: str) -> Markup:
    """The table of a paper: for each row what is printed and, below it, what is computed."""
    return render("printed", "table", table=table, caption=caption)


def as_table(beside: pd.DataFrame, on: Sequence[str]) -> Table:
    """`Outcome.beside` with a row for each response and its metrics as columns, as papers have it;
    a row for each metric where that would be too wide, or there is one response alone."""
    across = ("metric",) if "metric" in on and len(on) > 1 else ()
    rows = beside.to_dict("records")
    if len({(_name(row, across), row["figure"]) for row in rows}) > MOST_COLUMNS:
        across = ()
    down = [name for name in on if name not in across]
    pairs = {(_name(row, down), _name(row, (*across, "figure"))): _pair(row) for row in rows}
    with_figures = {column for (_, column), pair in pairs.items() if pair != Pair()}
    filled = [c for c in dict.fromkeys(column for _, column in pairs) if c in with_figures]
    metrics = [*dict.fromkeys(column[:-1] for column in filled)]
    columns = sorted(filled, key=lambda column: metrics.index(column[:-1]))
    names = dict.fromkeys(name for name, _ in pairs)
    return Table(
        [*_groups(columns, _units(beside))],
        [Row(_header(down, n), [pairs.get((n, c), Pair()) for c in columns]) for n in names],
    )


def _groups(
    columns: Sequence[tuple[str, ...]], units: Mapping[str, str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """The heads of the columns under the metric that they are of; one alone needs no name."""
    is_alone = len({figure for *_, figure in columns}) == 1
    for metric, group in groupby(columns, key=lambda column: column[:-1]):
        heads = [heading_of(figure) + units[figure] for *_, figure in group]
        title = escaped(metric_title(metric[0])) if metric else ""
        yield title, [] if is_alone and title else heads


def _units(beside: pd.DataFrame) -> dict[str, str]:
    """What is written behind each figure's name: " %" where not all are in percent."""
    every = bool(beside["percent"].all())
    percent = beside.groupby("figure")["percent"].all()
    return {str(name): PERCENT if one and not every else "" for name, one in percent.items()}


def _header(down: Sequence[str], name: Sequence[str]) -> Markup:
    return escaped(", ".join(_called(of, word) for of, word in zip(down, name, strict=True)))


def _called(column: str, word: str) -> str:
    """A value of a column that names rows: the title of a metric, "F1 of coreference links"."""
    if column in ("metric", "other"):
        return metric_title(word)
    first, space, rest = word.partition(" ")
    return RATIOS.get(first, first) + space + rest


# Cells --------------------------------------------------------------------------------------------


def _pair(row: Mapping[Hashable, Any]) -> Pair:
    printed, value = row["printed"], row["computed"]
    computed = with_digits_of(printed, value, percent=row["percent"])
    if not row["differs"]:
        return Pair(printed, computed)
    apart = value - float(Fraction(printed.replace(",", "")))
    says = f"{abs(apart):.4g} {'more' if apart > 0 else 'less'} than printed"
    return Pair(printed, computed, says)


def _names(beside: pd.DataFrame, on: Sequence[str]) -> list[tuple[str, ...]]:
    return [*dict.fromkeys(_name(row, on) for row in beside.to_dict("records"))]


def _name(row: Mapping[Any, Any], on: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in on)
