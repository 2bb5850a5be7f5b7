"""Two systems under the six, side by side → plotly figure. No Streamlit here."""

from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from corescore.metrics import HOW_MANY, colour_of
from corescore.plots.charts import html_title
from corescore.plots.compare_marks import FIXED, QUIET, label, line, note, with_room
from corescore.sentences import two_systems as verdicts
from corescore.wording import RATIOS, p_equals, percent, signed


def dumbbells(table: pd.DataFrame, measure: str) -> go.Figure:
    """A row a metric: A filled and B open, their difference with its interval, and its p in words.

    table  rows of `Pair.significance` for one measure, by metric
    """
    figure = make_subplots(cols=2, shared_yaxes=True, column_widths=[0.58, 0.42])
    rows = list(range(len(table)))
    colours = [colour_of(metric) for metric in table.index]
    for letter, column in (("A", "a"), ("B", "b")):
        figure.add_trace(_ends(table, letter, column, measure, colours), row=1, col=1)
    figure.add_trace(_differences(table, colours), row=1, col=2)
    figure.update_layout(
        **QUIET,
        height=52 + 47 * len(table),
        margin={"l": 8, "r": 158, "t": 30, "b": 22},
        shapes=[*_bars(table, colours), *_whiskers(table, colours), line(x0=0, x1=0, axis=2)],
        annotations=[*_headings(), *_figures(table)],
    )
    figure.update_xaxes(**FIXED, showticklabels=False)
    figure.update_xaxes(range=with_room(table[["a", "b"]], 0.42), col=1)
    spread = table[["difference", "bca_low", "bca_high"]].assign(zero=0)
    figure.update_xaxes(range=with_room(spread, 0.1), col=2)
    figure.update_yaxes(**FIXED, range=[len(table) - 0.45, -0.6])
    figure.update_yaxes(
        col=1, tickvals=rows, ticktext=[label(m) for m in table.index], tickfont={"size": 14}
    )
    return figure


def _ends(
    table: pd.DataFrame, letter: str, column: str, measure: str, colours: Sequence[str]
) -> go.Scatter:
    """The marks of one system, its score written on the side away from the other's."""
    other = {"a": "b", "b": "a"}[column]
    is_left = table[column] < table[other]
    is_left |= (table[column] == table[other]) & (letter == "A")
    names = [f"{letter} {percent(value)}" for value in table[column]]
    return go.Scatter(
        x=100 * table[column],
        y=list(range(len(table))),
        mode="markers+text",
        text=[f"{n}  " if left else f"  {n}" for n, left in zip(names, is_left, strict=True)],
        textposition=[f"middle {'left' if left else 'right'}" for left in is_left],
        textfont={"size": 12.5},
        marker={
            "symbol": "circle" if letter == "A" else "circle-open",
            "size": 13,
            "color": list(colours),
            "line": {"width": 2.5, "color": list(colours)},
            "opacity": 1,
        },
        hovertext=[
            f"{letter}, {html_title(str(metric))} {RATIOS[measure]}: {percent(value)} %"
            for metric, value in table[column].items()
        ],
        hoverinfo="text",
        cliponaxis=False,
    )


def _differences(table: pd.DataFrame, colours: Sequence[str]) -> go.Scatter:
    return go.Scatter(
        x=100 * table["difference"],
        y=list(range(len(table))),
        mode="markers+text",
        text=[signed(value) for value in table["difference"]],
        textposition="top center",
        textfont={"size": 12.5},
        marker={"symbol": "diamond", "size": 10, "color": list(colours), "opacity": 1},
        hovertext=[_difference_hover(row) for _, row in table.iterrows()],
        hoverinfo="text",
        cliponaxis=False,
    )


def _difference_hover(row: pd.Series) -> str:
    lines = [
        f"{html_title(str(row.name))}: B − A = {signed(row['difference'])} points",
        f"95 % interval (BCa): {signed(row['bca_low'])} to {signed(row['bca_high'])}",
        f"percentile interval: {signed(row['low'])} to {signed(row['high'])}",
        f"randomisation: {_p(row['p'])}",
        f"documents: A {row['wins_a']}, tie {row['ties']}, B {row['wins_b']}; "
        f"sign test: {_p(row['p_sign'])}",
    ]
    if row["p_holm"] == row["p_holm"]:
        lines[3] += f", after Holm {_p(row['p_holm'])}"
    return "<br>".join(lines)


def _p(p: float) -> str:
    return escape(p_equals(p))


def _bars(table: pd.DataFrame, colours: Sequence[str]) -> list[dict[str, Any]]:
    ends = zip(table["a"], table["b"], strict=True)
    return [
        line(x0=100 * a, x1=100 * b, y=row, colour=colours[row], width=3, opacity=0.5)
        for row, (a, b) in enumerate(ends)
    ]


def _whiskers(table: pd.DataFrame, colours: Sequence[str]) -> list[dict[str, Any]]:
    ends = zip(table["bca_low"], table["bca_high"], strict=True)
    return [
        line(x0=100 * low, x1=100 * high, y=row, colour=colours[row], width=3, axis=2)
        for row, (low, high) in enumerate(ends)
        if low == low
    ]


def _headings() -> list[dict[str, Any]]:
    above = {"yanchor": "bottom", "yshift": 2, "font": {"size": 12.5}}
    below = {"yanchor": "top", "yshift": -2, "font": {"size": 12}}
    return [
        note(0, 1, "● A &nbsp; ○ B &nbsp; percent", **above),
        note(0.605, 1, "B − A in points, 95 % interval", **above),
        note(1, 1, "p, after Holm", xshift=14, **above),
        note(0, 0, "◄ A ahead", xref="x2", **{**below, "xanchor": "right", "xshift": -4}),
        note(0, 0, "B ahead ►", xref="x2", **below, xshift=4),
    ]


def _figures(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The p-values beside the rows, with a mark and a word for what chance hardly makes."""
    beside = {"yref": "y", "xshift": 14, "align": "left", "font": {"size": 12}}
    return [note(1, row, _p_in_words(of), **beside) for row, (_, of) in enumerate(table.iterrows())]


def _p_in_words(row: pd.Series) -> str:
    """The p-value with a mark where chance hardly makes the difference, and below it a word."""
    p, word = _p(verdicts.corrected(row)), verdicts.luck(row)
    first = f"<b>✱ {p}</b>" if word == verdicts.UNLIKELY else p
    if row["p_holm"] == row["p_holm"]:
        return f"{first}<br>{word}"
    return f"{first}<br>{word}, before the<br>correction for {HOW_MANY} tests"
