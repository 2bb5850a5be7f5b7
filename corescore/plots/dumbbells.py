"""Two systems under the six, side by side → figure."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape
from plotly.subplots import make_subplots

from corescore.analysis.significance.kinds import INTERVALS, Kind
from corescore.metrics import HOW_MANY, colour_of
from corescore.plots.template import (
    FIXED,
    QUIET,
    Layout,
    beside,
    label,
    line,
    margins,
    marks,
    note,
    points,
    with_room,
)
from corescore.sentences import two_systems as sentences
from corescore.sentences.names import title
from corescore.wording import RATIOS, interval, p_equals, percent, signed, signed_points


def dumbbells(table: pd.DataFrame, measure: str, intervals: Kind = "simultaneous") -> go.Figure:
    """A row for each metric: A filled and B open, their difference with its interval, its p-value
    and what follows from it.

    table      rows of `Pair.significance` for one measure, by metric
    intervals  those that agree with the corrected p-values, or the bootstrap's, each alone
    """
    low, high = INTERVALS[intervals]
    figure = make_subplots(cols=2, shared_yaxes=True, column_widths=[0.58, 0.42])
    for letter in ("A", "B"):
        figure.add_trace(_scores(table, letter, measure), row=1, col=1)
    figure.add_trace(_differences(table), row=1, col=2)
    bars = zip(100 * table["a"], 100 * table["b"], range(len(table)), strict=True)
    whiskers = zip(100 * table[low], 100 * table[high], range(len(table)), strict=True)
    colours, names = _colours(table), [label(metric) for metric in table.index]
    figure.update_layout(
        **QUIET,
        height=74 + 47 * len(table),
        margin=margins(beside(names), 158, 30, 44),
        shapes=[
            *(line(*bar, color=colours[bar[2]], width=3, opacity=0.5) for bar in bars),
            *(
                line(*ends, color=colours[ends[2]], width=3, axis="x2")
                for ends in whiskers
                if not math.isnan(ends[0])
            ),
            *map(_zero, range(len(table))),
        ],
        annotations=[*_headings(has_intervals=bool(table[low].notna().any())), *_p_values(table)],
    )
    figure.update_xaxes(**FIXED, showticklabels=False)
    figure.update_xaxes(range=with_room(table[["a", "b"]], 0.42), col=1)
    spread = table[["difference", low, high]].assign(zero=0)
    numbers = {"showticklabels": True, "tickformat": "~g", "nticks": 6, "tickfont": {"size": 12}}
    figure.update_xaxes(range=with_room(spread, 0.1), col=2, **numbers)
    figure.update_yaxes(**FIXED, range=[len(table) - 0.45, -0.6])
    ticks = {"tickvals": list(range(len(table))), "ticktext": names}
    return figure.update_yaxes(col=1, **ticks, tickfont={"size": 14}, automargin=True)


def _zero(row: int) -> Layout:
    """No difference: a piece of the line in each row, below the number over its mark."""
    return {**line(0, 0, axis="x2"), "yref": "y", "y0": row - 0.14, "y1": row + 0.5}


def _colours(table: pd.DataFrame) -> list[str]:
    return [colour_of(metric) for metric in table.index]


def _scores(table: pd.DataFrame, letter: str, measure: str) -> go.Scatter:
    """The marks of one system, its score written on the side away from the other's."""
    own, other = (table["a"], table["b"]) if letter == "A" else (table["b"], table["a"])
    is_left = (own < other) | ((own == other) & (letter == "A"))
    texts = [f"{letter} {percent(value)}" for value in own]
    of = [f"{letter}, {title(str(metric))} {RATIOS[measure]}" for metric in table.index]
    symbol = "circle" if letter == "A" else "circle-open"
    return _row_marks(
        own,
        [f"{name}: {percent(value)}%" for name, value in zip(of, own, strict=True)],
        marks(_colours(table), size=13, symbol=symbol, width=2.5),
        text=[f"{t}  " if left else f"  {t}" for t, left in zip(texts, is_left, strict=True)],
        textposition=[f"middle {'left' if left else 'right'}" for left in is_left],
    )


def _differences(table: pd.DataFrame) -> go.Scatter:
    return _row_marks(
        table["difference"],
        [_difference_hover(row) for _, row in table.iterrows()],
        {"symbol": "diamond", "size": 10, "color": _colours(table), "opacity": 1},
        text=[signed(value) for value in table["difference"]],
        textposition="top center",
    )


def _row_marks(values: pd.Series, hovers: list[str], marker: Layout, **text: Any) -> go.Scatter:
    """A mark with its number in each row."""
    look = {"mode": "markers+text", "textfont": {"size": 12.5}, "cliponaxis": False}
    return points(100 * values, list(range(len(values))), hovers, marker, **look, **text)


def _difference_hover(row: pd.Series) -> str:
    both = f"; corrected by max T: {_p(row['p_max'])}, by Holm: {_p(row['p_holm'])}"
    corrected = "" if pd.isna(row["p_max"]) else both
    of_the_test = "its own test" if pd.isna(row["p_max"]) else "simultaneous"
    return (
        f"{title(str(row.name))}: B − A = {signed_points(row['difference'])}"
        f"<br>95% interval ({of_the_test}): {interval(row['tested_low'], row['tested_high'])}"
        f"<br>single interval (BCa): {interval(row['bca_low'], row['bca_high'])}"
        f"<br>randomisation: {_p(row['p'])}{corrected}"
        f"<br>documents: A {row['wins_a']}, tie {row['ties']}, B {row['wins_b']}; "
        f"sign test: {_p(row['p_sign'])}"
    )


def _p(p: float) -> str:
    return str(escape(p_equals(p)))


def _headings(*, has_intervals: bool) -> list[Layout]:
    above: dict[str, Any] = {"yanchor": "bottom", "yshift": 2, "font": {"size": 12.5}}
    below: dict[str, Any] = {"xref": "x2", "yanchor": "top", "yshift": -21, "font": {"size": 12}}
    return [
        note(0, 1, "● A &nbsp; ○ B &nbsp; percent", **above),
        note(0.605, 1, f"B − A in points{', 95% interval' if has_intervals else ''}", **above),
        note(1, 1, "p, by max T", xshift=14, **above),
        note(0, 0, "◄ A ahead", **{**below, "xanchor": "right", "xshift": -4}),
        note(0, 0, "B ahead ►", **below, xshift=4),
    ]


def _p_values(table: pd.DataFrame) -> list[Layout]:
    """The p-values beside the rows, each with a word and, if it is small, a mark."""
    beside = {"yref": "y", "xshift": 14, "align": "left", "font": {"size": 12}}
    return [note(1, at, _p_in_words(row), **beside) for at, (_, row) in enumerate(table.iterrows())]


def _p_in_words(row: pd.Series) -> str:
    p, word = _p(sentences.corrected(row)), sentences.verdict(row)
    first = f"<b>✱ {p}</b>" if word == sentences.SIGNIFICANT else p
    if pd.isna(row["p"]):
        return word
    is_alone = pd.isna(row["p_max"])
    which = f", before the<br>correction for {HOW_MANY} tests" if is_alone else " by max T"
    return f"{first}<br>{word}{which if is_alone or word == sentences.SIGNIFICANT else ''}"
