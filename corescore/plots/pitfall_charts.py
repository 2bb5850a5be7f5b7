"""What the metrics say of A and B on a card → plotly figure. No Streamlit here."""

import math
from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from corescore.metrics import ROW_IDS, colour_of, name_of
from corescore.sentences.markup import escaped
from corescore.teaching.pitfalls.pitfall import MEASURES, SAME, A, B
from corescore.wording import RATIOS, fraction, percent

Row = Mapping[Any, Any]  # of `corescore.teaching.pitfalls.tables.score_comparison`, by column

_LINE, _LONG_LINE = 78, 105  # letters of a line of the claim, and of what stands below it
_ROW, _LINE_HEIGHT, _FOOT, _FIGURES = 48, 20, 56, 190  # pixels; the figures stand beside the bars
_THICK, _APART = 0.31, 0.18  # in rows
MARKS = "A filled, B open; R is recall, P precision"


# A row in words -----------------------------------------------------------------------------------


def title_of(row: Row) -> str:
    """What the metric is called, in HTML."""
    return escaped(name_of(row["metric"]) if row["metric"] in ROW_IDS else row["title"])


def says(puts_first: str) -> str:
    """What a metric says of A and B."""
    return "no difference" if puts_first == SAME else f"{puts_first} is better"


def column(measure: str) -> str:
    """Where the table has what a card compares by."""
    return "macro_f1" if measure == "macro" else measure


def ratios(row: Row, measure: str) -> list[str]:
    """Recall and precision in figures; an average has none."""
    over = "macro_" if measure == "macro" else ""
    values = [row[f"{over}{ratio}"] for ratio in ("recall", "precision")]
    named = zip("RP", values, strict=True)
    return [f"{letter} {percent(value)}" for letter, value in named if not math.isnan(value)]


# The chart ----------------------------------------------------------------------------------------


def comparison(table: pd.DataFrame, *, measure: str, title: str, finding: str) -> go.Figure:
    """Two bars for each score, A filled and B open, with their figures beside them.

    table           of `corescore.teaching.pitfalls.tables.score_comparison`
    measure         of `corescore.teaching.pitfalls.pitfall.MEASURES`: what the bars show
    title, finding  the claim of the card, and which output is better in truth
    """
    figure = go.Figure()
    for output, apart in ((A, -_APART), (B, _APART)):
        _add_bars(figure, table[table["output"] == output], measure, apart)
    metrics = table.drop_duplicates("metric").to_dict("records")
    claim, told = _lines(title, _LINE), [*_lines(finding, _LONG_LINE), MARKS]
    above = _LINE_HEIGHT * (len(claim) + len(told) + 1)
    figure.update_layout(
        height=above + _ROW * len(metrics) + _FOOT,
        margin={"l": 8, "r": _FIGURES, "t": above, "b": _FOOT},
        title={
            "text": "<br>".join(claim),
            "subtitle": {"text": "<br>".join(told), "font": {"size": 13, "weight": 400}},
            "font": {"size": 16},
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 8},
        },
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        xaxis={
            "title": f"{MEASURES[measure]}, percent",
            "range": [0, max(100, *(100 * table[column(measure)]))],
            "zeroline": False,
            "fixedrange": True,
        },
        yaxis={
            "tickvals": list(range(len(metrics))),
            "ticktext": [_row_name(row) for row in metrics],
            "range": [len(metrics) - 0.5, -0.5],
            "ticks": "",
            "ticksuffix": " ",
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "automargin": True,
        },
    )
    return figure


def _lines(text: str, most: int) -> list[str]:
    return [escaped(line) for line in wrap(text, most)]


def _row_name(row: Row) -> str:
    sign = "✗ misled: " if row["misled"] else "✓ "
    return f"<b>{title_of(row)}</b><br>{sign}{says(row['puts_first'])}"


def _add_bars(figure: go.Figure, table: pd.DataFrame, measure: str, apart: float) -> None:
    """The bars of one output, and their figures right of all bars."""
    rows = table.to_dict("records")
    places = [place + apart for place in range(len(rows))]
    colours = [colour_of(row["metric"]) for row in rows]
    figure.add_trace(
        go.Bar(
            x=100 * table[column(measure)],
            y=places,
            width=_THICK,
            orientation="h",
            marker={
                "color": "rgba(0, 0, 0, 0)" if apart > 0 else colours,
                "line": {"width": 2, "color": colours},
            },
            hovertext=[_hover(row, measure) for row in rows],
            hoverinfo="text",
        )
    )
    beside = {"x": 1, "xref": "paper", "xshift": 16, "xanchor": "left", "showarrow": False}
    notes = [
        {**beside, "y": place, "text": _figures(row, measure)}
        for place, row in zip(places, rows, strict=True)
    ]
    figure.update_layout(annotations=[*figure.layout.annotations, *notes])


def _figures(row: Row, measure: str) -> str:
    told = [f"{row['output']} <b>{percent(row[column(measure)])}</b>", *ratios(row, measure)]
    return " &nbsp; ".join(told)


def _hover(row: Row, measure: str) -> str:
    """Recall, precision and F1 in words, each with what it was divided from."""
    over = "macro_" if measure == "macro" else ""
    values = {name: row[f"{over}{ratio}"] for ratio, name in RATIOS.items()}
    lines = [
        f"{name}: {'' if over else _divided(row, name)}{percent(value)} %"
        for name, value in values.items()
        if not math.isnan(value)
    ]
    mean = ", mean over documents" if over else ""
    return "<br>".join([f"{title_of(row)} of {row['output']}{mean}", *lines])


def _divided(row: Row, ratio: str) -> str:
    """ "4/7 = "; nothing for F1, and for a score that is no single fraction."""
    if ratio not in ("recall", "precision"):
        return ""
    parts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
    return f"{parts} = " if parts else ""
