"""Scores → figures: metrics side by side, against the size of documents, before and after a
perturbation."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots.template import (
    FIXED,
    OPEN,
    Layout,
    chart,
    columns,
    explained,
    label,
    marks,
    points,
    titled,
)
from corescore.scoring.tables import opposite_changes, score_table
from corescore.sentences.names import title
from corescore.wording import RATIOS, fraction, percent, signed

if TYPE_CHECKING:  # the toys bring all experiments along, which the first page does not need
    from corescore.teaching.toy import History

SHAPES = {"recall": "triangle-up", "precision": "triangle-down", "f1": "circle"}
_SIZES = {"recall": 9, "precision": 9, "f1": 14}
_WHISKER = 0.1  # half of its width; two metrics are 1 apart

# The six ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _MetricColumn:
    """One metric of one system: its place, its row of the score table, and its intervals."""

    x: float
    letter: str
    metric: str
    row: pd.Series
    ends: Mapping[str, tuple[float, float]]
    is_first: bool


def six_metrics(
    tables: Mapping[str, pd.DataFrame], intervals: Mapping[str, pd.DataFrame] | None = None
) -> go.Figure:
    """The metrics side by side: recall, precision and F1 of each system, by shape.

    tables     score tables by the system's letter or name; the first is drawn filled, the second
               open
    intervals  tables of `bootstrap.Intervals` by the same letters: F1's is drawn as a whisker, all
               are in the hover texts
    """
    several, drawn = len(tables) > 1, _columns(tables, intervals or {})
    lowest = min(table.loc[list(METRIC_IDS), list(RATIOS)].min().min() for table in tables.values())
    lowest = min([lowest, *(column.ends["f1"][0] for column in drawn if "f1" in column.ends)])
    interval = " on its 95% interval" if any(column.ends for column in drawn) else ""
    first, *others = tables
    systems = f" &nbsp; · &nbsp; {first} filled, {others[0]} open" if others else ""
    return chart(
        [trace for column in drawn for trace in (_stem(column), _marks(column))],
        height=410,
        margin=(60, 8, 34, 84),
        shapes=[shape for column in drawn for shape in _whisker(column)],
        annotations=[
            *(_f1_note(column, several=several) for column in drawn),
            explained(f"▲ recall &nbsp; ▼ precision &nbsp; ● F1{interval}{systems}"),
        ],
        xaxis=_metric_axis(standoff=38 if several else 22),
        yaxis={**OPEN, "title": "percent", "range": [max(0.0, 100 * lowest // 10 * 10) - 3, 103]},
    )


def _columns(
    tables: Mapping[str, pd.DataFrame], intervals: Mapping[str, pd.DataFrame]
) -> list[_MetricColumn]:
    offsets = (-0.24, 0.24) if len(tables) > 1 else (0.0,)
    drawn = []
    for (letter, table), offset in zip(tables.items(), offsets, strict=True):
        ends: dict[str, dict[str, tuple[float, float]]] = {metric: {} for metric in METRIC_IDS}
        if letter in intervals:
            for row in intervals[letter].dropna().to_dict("records"):
                of_metric = ends.setdefault(row["metric"], {})
                of_metric[row["measure"]] = row["t_low"], row["t_high"]
        drawn += [
            _MetricColumn(at + offset, letter, metric, table.T[metric], ends[metric], offset <= 0)
            for at, metric in enumerate(METRIC_IDS)
        ]
    return drawn


def _stem(column: _MetricColumn) -> go.Scatter:
    """The line from recall to precision."""
    dash = "solid" if column.is_first else "dot"
    return go.Scatter(
        x=[column.x, column.x],
        y=[100 * column.row["recall"], 100 * column.row["precision"]],
        mode="lines",
        line={"color": colour_of(column.metric), "width": 2, "dash": dash},
        opacity=0.5,
        hoverinfo="skip",
    )


def _marks(column: _MetricColumn) -> go.Scatter:
    style = "" if column.is_first else "-open"
    return points(
        [column.x] * len(RATIOS),
        [100 * column.row[ratio] for ratio in RATIOS],
        [_hover(column, ratio) for ratio in RATIOS],
        marks(
            colour_of(column.metric),
            symbol=[SHAPES[ratio] + style for ratio in RATIOS],
            size=[_SIZES[ratio] for ratio in RATIOS],
        ),
        cliponaxis=False,
    )


def _hover(column: _MetricColumn, ratio: str) -> str:
    row, value = column.row, f"{percent(column.row[ratio])}%"
    if ratio != "f1":
        parts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
        value = f"{parts} = {value}" if parts else value
    if ratio in column.ends:
        low, high = map(percent, column.ends[ratio])
        value += f"<br>95% interval: {low} to {high}"
    return f"{column.letter}, {title(column.metric)} {RATIOS[ratio]}: {value}"


def _whisker(column: _MetricColumn) -> list[Layout]:
    """Between which values F1 lies: a pale bar with a line at each end, behind the marks."""
    if "f1" not in column.ends:
        return []
    low, high = (100 * end for end in column.ends["f1"])
    colour = colour_of(column.metric)
    across = {"x0": column.x - _WHISKER, "x1": column.x + _WHISKER, "layer": "below"}
    line = {"type": "line", "opacity": 0.85, "line": {"color": colour, "width": 2}}
    bar = {"type": "rect", "opacity": 0.22, "fillcolor": colour, "line": {"width": 0}}
    return [
        {**across, **bar, "y0": low, "y1": high},
        *({**across, **line, "y0": y, "y1": y} for y in (low, high)),
    ]


def _f1_note(column: _MetricColumn, *, several: bool) -> Layout:
    """F1 as a number below its column, where nothing can lie over it."""
    f1 = f"<b>{percent(column.row['f1'])}</b>"
    text = f"{column.letter}<br>{f1}" if several else f"F1 {f1}"
    place = {"x": column.x, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -4}
    return {**place, "text": text, "showarrow": False}


def _metric_axis(*, standoff: int) -> Layout:
    """An axis with the metrics, their names so many pixels below it."""
    look = {"tickfont": {"size": 14}, "ticklabelstandoff": standoff}
    return columns([label(m) for m in METRIC_IDS], range=[-0.5, len(METRIC_IDS) - 0.5], **look)


def scores_of_toy(history: "History") -> go.Figure:
    """The six scores of the toy that is shown and, open, of the one before the last change."""
    toy, before = history.toy, history.before
    tables = {"now": score_table(toy.result)}
    if before:
        tables["before"] = score_table(before.result)
    heading = f"{toy.response_notation} against the key {toy.key_notation}"
    return titled(six_metrics(tables), heading, toy.result.signature)


# Documents ----------------------------------------------------------------------------------------


def size_against_score(
    summaries: Mapping[str, pd.DataFrame], *, size: str, size_title: str, metric: str
) -> go.Figure:
    """A point for each document: its size across, its F1 up; the first system filled, the second
    open. Each point carries its document's name as `customdata`."""
    known = {letter: table[table[metric].notna()] for letter, table in summaries.items()}
    traces = [
        points(
            table[size],
            100 * table[metric],
            [
                f"{escape(str(name))}<br>{letter}, {title(metric)} F1: {percent(row[metric])}%"
                f"<br>{row[size]:,.0f} {size_title}"
                for name, row in table.iterrows()
            ],
            marks(colour_of(metric), size=10, symbol=f"circle{'' if letter == 'A' else '-open'}"),
            name=letter,
            customdata=list(table.index),
        )
        for letter, table in known.items()
    ]
    return chart(
        traces,
        height=360,
        margin=(56, 12, 36, 48),
        showlegend=len(summaries) > 1,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": False},
        xaxis={"title": f"{size_title} in the document", "zeroline": False},
        yaxis={"title": f"{title(metric)} F1, percent", "zeroline": False},
    )


# Perturbations ------------------------------------------------------------------------------------

_OFFSETS = {"recall": -0.33, "precision": 0.0, "f1": 0.33}
_LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}


def before_and_after(
    table: pd.DataFrame, other: pd.DataFrame | None = None, other_is: str = ""
) -> go.Figure:
    """Recall, precision and F1 of each metric: open before, filled after, an arrow between them,
    and the change in points above each.

    table     of `corescore.scoring.tables.change_table`
    other     the same under the other reading of incorrectly resolved mentions: a diamond shows its
              score after, where its change has the opposite sign
    other_is  which mentions that reading has
    """
    rows = table.T
    others = {} if other is None else _opposite_after(table, other)
    values = table.loc[list(METRIC_IDS), [*_OFFSETS, *(f"{name}_after" for name in _OFFSETS)]]
    low = 100 * min([float(values.min().min()), *others.values()])
    high = 100 * max([float(values.max().max()), *others.values()])
    marks_mean = "▲ R recall &nbsp; ▼ P precision &nbsp; ● F1  · open: before, filled: after"
    marks_mean += " · ◇ after, by the other reading" if others else ""
    arrows = [_arrows(at, rows[metric]) for at, metric in enumerate(METRIC_IDS)]
    return chart(
        [*arrows, _changes(rows, others), *([_diamonds(rows, others, other_is)] if others else [])],
        height=400,
        margin=(63, 8, 30, 56),
        xaxis=_axis_of_arrows(),
        yaxis={
            **OPEN,
            "title": "percent",
            "range": [max(0, low // 10 * 10 - 5), min(112, high + 9)],
        },
        annotations=[explained(marks_mean)],
    )


def _axis_of_arrows() -> Layout:
    """The measures' letters below their arrows; the metrics' names below those in the middle."""
    at = {
        number + offset: _LETTERS[measure] + f"<br>{_large(label(metric))}" * (not offset)
        for number, metric in enumerate(METRIC_IDS)
        for measure, offset in _OFFSETS.items()
    }
    look = {"range": [-0.5, len(METRIC_IDS) - 0.5], "tickangle": 0, "tickfont": {"size": 12}}
    return {**FIXED, "tickvals": list(at), "ticktext": list(at.values()), **look}


def _large(text: str) -> str:
    return f'<span style="font-size: 14px">{text}</span>'


def _arrows(number: int, row: pd.Series) -> go.Scatter:
    """A metric's three arrows: one trace, which a browser draws sooner than three."""
    arrows = [_arrow(number, measure, row) for measure in _OFFSETS]
    x, y, hovers, shapes = ([*chain(*column)] for column in zip(*arrows, strict=True))
    colour = colour_of(str(row.name))
    return points(
        x,
        y,
        hovers,
        marks(colour, size=[9, 11, 0] * len(arrows), symbol=shapes),
        mode="lines+markers",
        line={"color": colour, "width": 2},
        cliponaxis=False,
    )


_Others = Mapping[tuple[str, str], float]  # scores after by metric and measure


def _opposite_after(table: pd.DataFrame, other: pd.DataFrame) -> _Others:
    """The scores after of the other table, if a change has the opposite sign there."""
    return {
        (metric, measure): float(other[f"{measure}_after"][metric])
        for metric, measure in opposite_changes(table, other)
    }


def _changes(rows: pd.DataFrame, others: _Others) -> go.Scatter:
    """The change above the higher end of each arrow, in one trace without empty texts: a browser
    that draws a chart again loses the texts that were empty before."""
    every = [
        (number + offset, rows[metric], measure, others.get((metric, measure)))
        for number, metric in enumerate(METRIC_IDS)
        for measure, offset in _OFFSETS.items()
    ]
    return go.Scatter(
        x=[x for x, _, _, _ in every],
        y=[100 * max(row[of], row[f"{of}_after"], other or 0) for _, row, of, other in every],
        mode="text",
        text=[signed(row[f"{of}_change"]) for _, row, of, _ in every],
        textposition="top center",
        textfont={"size": 12},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _diamonds(rows: pd.DataFrame, others: _Others, other_is: str) -> go.Scatter:
    """The scores after, under the other reading."""
    places = [METRIC_IDS.index(metric) + _OFFSETS[measure] for metric, measure in others]
    hovers = [
        f"{title(metric)} {RATIOS[measure]}, with {other_is}: {percent(after)}% after<br>"
        f"{signed(after - rows[metric][measure])} points"
        for (metric, measure), after in others.items()
    ]
    colours = [colour_of(metric) for metric, _ in others]
    after = [100 * value for value in others.values()]
    look = marks(colours, size=11, symbol="diamond-open")
    return points(places, after, hovers, look, cliponaxis=False)


def _arrow(number: int, measure: str, row: pd.Series) -> tuple[list[Any], ...]:
    """x, y, hover text and mark, before and after; then the end of the line."""
    before, after = row[measure], row[f"{measure}_after"]
    change = signed(row[f"{measure}_change"])
    hover = (
        f"{title(str(row.name))} {RATIOS[measure]}: {percent(before)}% before, "
        f"{percent(after)}% after<br>{change} points"
    )
    x, shape = number + _OFFSETS[measure], SHAPES[measure]
    return (
        [x, x, None],
        [100 * before, 100 * after, None],
        [hover, hover, ""],
        [f"{shape}-open", shape, shape],
    )
