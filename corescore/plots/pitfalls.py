"""What the metrics say of A and B on a pitfall card → figure, and the words of its rows."""

from collections.abc import Iterator, Mapping
from math import isnan
from textwrap import wrap
from typing import Any

import pandas as pd
from plotly.graph_objects import Bar, Figure

from corescore.metrics import ROW_IDS, colour_of, name_of
from corescore.plots.template import OPEN, Layout, chart, note, rows
from corescore.sentences.names import escaped
from corescore.teaching.criteria import MEASURES, NO_VALUE, SAME, A, B
from corescore.wording import RATIOS, fraction, percent

Row = Mapping[Any, Any]  # of `corescore.teaching.criteria.score_comparison`, by column

_LINE, _LONG_LINE = 78, 105  # letters of a line of the title, and of what stands below it
_ROW, _LINE_HEIGHT, _FOOT, _NUMBERS = 48, 20, 56, 190  # pixels; the numbers stand beside the bars
_THICK, _APART = 0.31, 0.18  # in rows
MARKS = "A filled, B open; R is recall, P precision"


# A row in words -----------------------------------------------------------------------------------


def title_of(row: Row) -> str:
    """The metric's name in HTML."""
    return escaped(name_of(row["metric"]) if row["metric"] in ROW_IDS else row["title"])


def says(puts_first: str) -> str:
    """What a metric says of A and B."""
    words = {SAME: "no difference", NO_VALUE: "no value: 0/0"}
    return words.get(puts_first, f"{puts_first} is better")


def column(measure: str) -> str:
    """The column of the table that a card compares by."""
    return "macro_f1" if measure == "macro" else measure


def ratios(row: Row, measure: str) -> list[str]:
    """Recall and precision, or 0/0; a mean over some of the documents says of how many. An average
    has none."""
    if isnan(row["recall"]):
        return []
    return [_ratio(row, ratio, measure == "macro") for ratio in ("recall", "precision")]


def _ratio(row: Row, ratio: str, is_mean: bool) -> str:
    letter = ratio[0].upper()
    if not is_mean:
        is_empty = row[f"{ratio}_denominator"] == 0
        return f"{letter} {'0/0' if is_empty else percent(row[ratio])}"
    n, documents = row[f"{ratio}_documents"], row["documents"]
    some = "" if n == documents else f" ({n} of {documents})"
    return f"{letter} {percent(row[f'macro_{ratio}'])}{some}"


def shown(value: float) -> str:
    """A fraction in percent, or that it is 0/0."""
    return "0/0" if isnan(value) else percent(value)


def _compared_values(table: pd.DataFrame, measure: str) -> "pd.Series[float]":
    """What is compared, fractions; empty where it is 0/0."""
    values = table[column(measure)]
    is_ratio = measure in ("recall", "precision")
    return values.where(table[f"{measure}_denominator"] != 0) if is_ratio else values


# The chart ----------------------------------------------------------------------------------------


def comparison(table: pd.DataFrame, *, measure: str, title: str, finding: str) -> Figure:
    """Two bars for each metric, A filled and B open, with their numbers beside them.

    table           of `corescore.teaching.criteria.score_comparison`
    measure         of `corescore.teaching.criteria.MEASURES`: what the bars show
    title, finding  of the card, and what A and B have by the criterion
    """
    sides = [
        (table[table["output"] == output], offset) for output, offset in ((A, -_APART), (B, _APART))
    ]
    metrics = table.drop_duplicates("metric").to_dict("records")
    claim, subtitle = _wrapped(title, _LINE), [*_wrapped(finding, _LONG_LINE), MARKS]
    above = _LINE_HEIGHT * (len(claim) + len(subtitle) + 1)
    highest = max(100, 100 * _compared_values(table, measure).max())
    return chart(
        [_response_bars(of, measure, offset) for of, offset in sides],
        height=above + _ROW * len(metrics) + _FOOT,
        margin=(8, _NUMBERS, above, _FOOT),
        title={
            "text": "<br>".join(claim),
            "subtitle": {"text": "<br>".join(subtitle), "font": {"size": 13, "weight": 400}},
            "font": {"size": 16},
            "y": 1,
            "yanchor": "top",
            "pad": {"t": 8},
        },
        annotations=[text for of, offset in sides for text in _beside(of, measure, offset)],
        xaxis={**OPEN, "title": f"{MEASURES[measure]}, percent", "range": [0, highest]},
        yaxis=rows([*map(_row_name, metrics)]),
    )


def _wrapped(text: str, most: int) -> list[str]:
    return [escaped(line) for line in wrap(text, most)]


def _row_name(row: Row) -> str:
    sign = "✗ disagrees: " if row["disagrees"] else "– " if row["puts_first"] == NO_VALUE else "✓ "
    return f"<b>{title_of(row)}</b><br>{sign}{says(row['puts_first'])}"


def _response_bars(table: pd.DataFrame, measure: str, offset: float) -> Bar:
    """The bars of one response: A's above the middle of their rows, B's open and below."""
    colours = [colour_of(metric) for metric in table["metric"]]
    return Bar(
        x=100 * _compared_values(table, measure),
        y=[place + offset for place in range(len(table))],
        width=_THICK,
        orientation="h",
        marker={
            "color": "rgba(0, 0, 0, 0)" if offset > 0 else colours,
            "line": {"width": 2, "color": colours},
        },
        hovertext=[_score_hover(row, measure) for row in table.to_dict("records")],
        hoverinfo="text",
    )


def _beside(table: pd.DataFrame, measure: str, offset: float) -> Iterator[Layout]:
    """The numbers of the bars, to the right of all."""
    rows_and_values = zip(table.to_dict("records"), _compared_values(table, measure), strict=True)
    for place, (row, value) in enumerate(rows_and_values):
        score = f"{row['output']} <b>{shown(value)}</b>"
        text = " &nbsp; ".join([score, *ratios(row, measure)])
        yield note(1, place + offset, text, yref="y", xshift=16)


def _score_hover(row: Row, measure: str) -> str:
    """Recall, precision and F1, each with the fraction it comes from, if it is a single one."""
    over, mean = ("macro_", ", mean over documents") if measure == "macro" else ("", "")
    lines = [f"{title_of(row)} of {row['output']}{mean}"]
    for ratio, name in RATIOS.items():
        value, parts = row[f"{over}{ratio}"], ""
        if not over and ratio != "f1":
            parts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
        if parts == "0/0":
            lines.append(f"{name}: 0/0, no value")
        elif not isnan(value):
            lines.append(f"{name}: {f'{parts} = ' if parts else ''}{percent(value)}%")
    return "<br>".join(lines)
