"""An experiment's table as bars, a column for each metric."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from markupsafe import Markup, escape

from corescore.plots.experiments import marks
from corescore.plots.template import INK, faint
from corescore.replication.experiment import Chart
from corescore.wording import RATIOS, percent

_TRACK = faint(INK, 0.16)
_ROW = 28
WIDTH, NARROWEST, NUMBER = 610, 50, 39  # pixels: of bars, of a column, of its numbers


@dataclass(frozen=True)
class _Column:
    """Bars below each other: their heading, their metric ("" for many) and their rows."""

    heading: str
    metric: str
    rows: pd.DataFrame


@dataclass(frozen=True)
class _Cell:
    """One bar: its row and column, counted from 0, and what it shows."""

    y: float
    column: int
    colour: str
    value: float
    hover: str


@dataclass
class _Layout:
    """Where everything stands: bars, headings by (row, column), and the names of the rows."""

    cells: list[_Cell] = field(default_factory=list)
    words: dict[tuple[float, int], str] = field(default_factory=dict)
    ticks: dict[float, str] = field(default_factory=dict)
    height: float = 0.0

    def add(self, chart: Chart, columns: Sequence[_Column], title: str) -> None:
        """Add a block below the last."""
        if title:
            self.words[self.height, 0] = title
            self.height += 0.85
        self.words.update({(self.height, n): column.heading for n, column in enumerate(columns)})
        self.ticks[self.height] = str(escape(chart.y_title))
        self.height += 0.75 + 0.25 * max(column.heading.count("<br>") + 1 for column in columns)
        rows = pd.concat([column.rows for column in columns]).sort_index(kind="stable")
        names = list(rows[chart.x].unique())
        if chart.x == "metric":
            names = marks.ordered_metrics(rows)
        places = {name: self.height + n for n, name in enumerate(names)}
        self.ticks.update({place: marks.named(name) for name, place in places.items()})
        for n, column in enumerate(columns):
            for row in column.rows.to_dict("records"):
                own = marks.colour(column.metric or str(row[chart.x]))
                hover = _hover(chart, row, column)
                self.cells.append(_Cell(places[row[chart.x]], n, own, row[chart.y], hover))
        self.height += len(names) + 0.2


def bars(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """A row for each name and a column for each metric, a bar with its number in each cell; a
    block for each value of the facet, and more where the columns do not fit beside each other."""
    told = table[table[chart.y].notna()]
    names = [Markup(marks.named(name)).striptags() for name in told[chart.x].unique()]
    longest = max(map(len, names), default=0)
    room = WIDTH - max(76, 6.5 * longest)
    fitting = int(room / NARROWEST)
    layout = _Layout()
    for title, columns in _columns(chart, told).items():
        for at in range(0, len(columns), fitting):
            layout.add(chart, columns[at : at + fitting], "" if at else title)
    n_columns = 1 + max((cell.column for cell in layout.cells), default=0)
    return _bar_figure(chart, layout, n_columns, track=1 - NUMBER * n_columns / room)


def _bar_figure(chart: Chart, layout: _Layout, n_columns: int, *, track: float) -> go.Figure:
    """`track`: the share of a column that its longest bar takes; the rest is for numbers."""
    figure = go.Figure([*_bars(chart, layout.cells, track), *_texts(chart, layout, track)])
    marks.quiet(figure, top=0)
    figure.update_xaxes(visible=False, range=[-0.02, n_columns])
    ticks = {"tickvals": list(layout.ticks), "ticktext": list(layout.ticks.values())}
    figure.update_yaxes(**ticks, range=[layout.height - 0.4, -0.6], showgrid=False)
    figure.update_yaxes(ticks="", ticksuffix=" ")
    height = int(_ROW * (layout.height + 0.2)) + 10
    return figure.update_layout(height=height, barmode="overlay")


def _columns(chart: Chart, table: pd.DataFrame) -> dict[str, list[_Column]]:
    """The columns of each block; where the names are metrics, the facet's values are columns."""
    panels = marks.panels_of(chart, table)
    if chart.x == "metric":
        lines = {name: "<br>".join(wrap(name, 15, break_long_words=False)) for name in panels}
        return {"": [_Column(lines[name], "", rows) for name, rows in panels.items()]}
    heads = {metric: marks.short_title(metric) for metric in marks.ordered_metrics(table)}
    return {
        name: [_Column(head, m, marks.of_metric(rows, m)) for m, head in heads.items()]
        for name, rows in panels.items()
    }


def _bars(chart: Chart, cells: Sequence[_Cell], track: float) -> Iterator[go.Bar]:
    """Behind each bar, how long it could be in percent; then the bars."""
    values = [cell.value for cell in cells]
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    if marks.is_percent(chart.y_title):
        low, high = 0.0, 1.0
    span = (high - low) or 1.0
    full = track if marks.is_percent(chart.y_title) else 0
    look = {"y": [cell.y for cell in cells], "width": 0.72, "orientation": "h"}
    yield go.Bar(
        x=[full] * len(cells),
        base=[cell.column for cell in cells],
        marker={"color": _TRACK, "line": {"width": 0}},
        hoverinfo="skip",
        **look,
    )
    yield go.Bar(
        x=[track * value / span for value in values],
        base=[cell.column - track * low / span for cell in cells],
        marker={"color": [cell.colour for cell in cells], "line": {"width": 0}},
        hoverinfo="text",
        hovertext=[cell.hover for cell in cells],
        **look,
    )


def _texts(chart: Chart, layout: _Layout, track: float) -> Iterator[go.Scatter]:
    """The numbers of the bars, and the headings."""
    look = {"mode": "text", "textposition": "middle right", "textfont": {"size": 12}}
    yield go.Scatter(
        x=[cell.column + track for cell in layout.cells],
        y=[cell.y for cell in layout.cells],
        text=[f" {marks.written_value(chart, cell.value)}" for cell in layout.cells],
        hoverinfo="skip",
        **look,
    )
    yield go.Scatter(
        x=[column for _, column in layout.words],
        y=[y for y, _ in layout.words],
        text=[f"<b>{text}</b>" if text else "" for text in layout.words.values()],
        hoverinfo="skip",
        cliponaxis=False,
        **look,
    )


def _hover(chart: Chart, row: Mapping[Any, Any], column: _Column) -> str:
    who = f"{marks.short_title(column.metric)}, " if column.metric else ""
    value = marks.written_value(chart, row[chart.y])
    lines = [f"{who}{marks.named(row[chart.x])}", f"{escape(chart.y_title)}: {value}"]
    if not pd.isna(row.get(chart.low, math.nan)):
        low, high = (marks.written_value(chart, row[end]) for end in (chart.low, chart.high))
        lines.append(f"from {low} to {high}")
    ratios = [f"{RATIOS[name]} {percent(row[name])}%" for name in RATIOS if name in row]
    return "<br>".join([*lines, *([", ".join(ratios)] if ratios else [])])
