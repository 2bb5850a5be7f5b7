"""The alignment of a CEAF → figure."""

from collections.abc import Mapping
from itertools import chain

import pandas as pd
import plotly.graph_objects as go

from corescore.metrics import colour_of
from corescore.plots.template import Layout, chart, short

MOST_ALIGNED = 40
Titles = Mapping[int, str]


def alignment(table: pd.DataFrame, key: Titles, response: Titles) -> go.Figure:
    """The pairs of entities that a CEAF aligns: key left, response right, a line for each pair.

    table  of `alignment_table`; the `MOST_ALIGNED` pairs of the greatest similarity are drawn
    key, response  what the entities are called, by their numbers
    """
    shown = table.nlargest(MOST_ALIGNED, "similarity", keep="first").sort_values("key_entity")
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
