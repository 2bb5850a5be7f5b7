"""Errors and credit → figures."""

from collections.abc import Callable, Mapping
from itertools import chain

import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots.template import (
    INK,
    TWO_SHADES,
    Layout,
    chart,
    columns,
    heat_map,
    label,
    points,
    rows,
    short,
)
from corescore.sentences.names import title
from corescore.wording import percent, signed

MOST_ALIGNED = 40
Titles = Mapping[int, str]

# Errors -------------------------------------------------------------------------------------------


def gains(table: pd.DataFrame, names: Mapping[str, str], hover: str) -> go.Figure:
    """How much fixing each kind of error would gain under each metric, written and shaded.

    table  of `corescore.analysis.errors.summaries.gain_table`
    names  the kinds as the page calls them
    hover  what the gain is, in words
    """
    of_kinds, total = table.iloc[:-1], table.iloc[-1]

    def told(kind: str, metric: str, value: float) -> str:
        return f"{names[kind]}, {title(metric)}: {signed(value)} points<br>{hover}"

    most = max(float(of_kinds.abs().max().max()), 1e-9)
    heads = [*(names[kind] for kind in of_kinds.index), f"<b>{total.name}</b>"]
    figure = _heat_map(of_kinds, heads, text=signed, hover=told, most=most)
    for place, metric in enumerate(table.columns):
        text = f"<b>{signed(total[metric])}</b>"
        at = {"x": place, "y": len(of_kinds), "font": {"size": 12}}
        figure.add_annotation(**at, text=text, showarrow=False)
    return figure


def slice_credit(table: pd.DataFrame) -> go.Figure:
    """The share of its credit that each slice earns under each metric, written and shaded."""

    def told(name: str, metric: str, value: float) -> str:
        gives = f"{escape(name)}: {title(metric)} gives {percent(value)}%"
        return f"{gives}<br>of what these mentions could earn"

    heads = [f"{escape(str(name))} ({n:,})" for name, n in table["mentions"].items()]
    return _heat_map(table[list(METRIC_IDS)], heads, text=percent, hover=told, most=1)


def _heat_map(
    table: pd.DataFrame,
    heads: list[str],
    *,
    text: Callable[[float], str],
    hover: Callable[[str, str, float], str],
    most: float,
) -> go.Figure:
    """Cells of a table shaded from −most to most, with room for as many rows as there are heads."""
    values = table.to_numpy(dtype=float)

    def told(row: int, column: int) -> str:
        return hover(str(table.index[row]), str(table.columns[column]), values[row, column])

    shades = heat_map(values, scale=TWO_SHADES, within=(-most, most), text=text)
    return chart(
        [shades, _clickable(table, told)],
        height=34 * len(heads) + 44,
        margin=(8, 8, 34, 8),
        clickmode="event+select",
        xaxis=columns([label(str(metric)) for metric in table], side="top"),
        yaxis=rows(heads),
    )


def _clickable(table: pd.DataFrame, hover: Callable[[int, int], str]) -> go.Scatter:
    """A point over each cell, since a heat map cannot be clicked; each carries the names of its row
    and its column as `customdata`."""
    cells = [(row, column) for row in range(len(table)) for column in range(table.shape[1])]
    return points(
        [column for _, column in cells],
        [row for row, _ in cells],
        [hover(row, column) for row, column in cells],
        {"symbol": "square", "size": 30, "opacity": 0.004, "color": INK},
        unselected={"marker": {"opacity": 0.004}},
        selected={"marker": {"opacity": 0.004}},
        customdata=[[str(table.index[row]), str(table.columns[column])] for row, column in cells],
    )


# Credit -------------------------------------------------------------------------------------------


def aligned_first(table: pd.DataFrame) -> pd.DataFrame:
    """The pairs whose entities differ before the perfect ones, the most similar first."""
    order = ["perfect", "similarity"]
    return table.sort_values(order, ascending=[True, False], kind="stable")


def alignment(table: pd.DataFrame, key: Titles, response: Titles) -> go.Figure:
    """The pairs of entities that a CEAF aligns: key left, response right, a line for each pair.

    table  of `alignment_table`; the first pairs of `aligned_first` are drawn
    key, response  what the entities are called, by their numbers
    """
    shown = aligned_first(table).head(MOST_ALIGNED).sort_values("key_entity")
    left = {number: -place for place, number in enumerate(shown["key_entity"])}
    right = {number: -place for place, number in enumerate(sorted(shown["response_entity"]))}
    lines = [
        _line(row, left[row["key_entity"]], right[row["response_entity"]])
        for _, row in shown.iterrows()
    ]
    hidden = {"visible": False, "fixedrange": True}
    return chart(
        lines,
        height=60 + 21 * len(shown),
        margin=(8, 8, 8, 8),
        annotations=list(chain(_names(left, key, x=0), _names(right, response, x=1))),
        xaxis={**hidden, "range": [-0.8, 1.8]},
        yaxis={**hidden, "range": [0.8 - len(shown), 0.8]},
    )


def _line(row: pd.Series, left: float, right: float) -> go.Scatter:
    hover = (
        f"key entity {row['key_entity']} – response entity {row['response_entity']}"
        f"<br>{row['shared']} shared, similarity {row['similarity']:.3f}"
        f"{'<br>another alignment is as good' if row['tied'] else ''}"
    )
    width, dash = 1.5 + min(row["shared"], 10) / 2, "dash" if row["tied"] else "solid"
    return go.Scatter(
        x=[0, 0.5, 1],
        y=[left, (left + right) / 2, right],
        mode="lines+markers",
        marker={"size": [8, 0.1, 8], "opacity": [1, 0, 1]},
        line={"color": colour_of("ceafe"), "width": width, "dash": dash},
        hovertext=hover,
        hoverinfo="text",
    )


def _names(places: Mapping[int, float], titles: Titles, *, x: int) -> list[Layout]:
    """The names of a side's entities beside the ends of their lines."""
    side = {"x": x, "xanchor": ("right", "left")[x], "xshift": (-9, 9)[x], "showarrow": False}
    return [
        {**side, "y": y, "text": f"{number} {short(titles[number])}"}
        for number, y in places.items()
    ]
