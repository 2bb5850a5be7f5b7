"""Scores before and after a perturbation → plotly figures. No Streamlit here."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots import experiment_charts
from corescore.plots.charts import SHAPES, explain, html_title, metric_axis
from corescore.replication.experiment import Chart
from corescore.wording import RATIOS, percent, signed

PLACES = {"precision": -0.33, "f1": 0.0, "recall": 0.33}
LETTERS = {"precision": "P", "f1": "F1", "recall": "R"}


def before_and_after(table: pd.DataFrame) -> go.Figure:
    """Precision, F1 and recall of the six: open as they were, filled as they are, an arrow
    between, and the change in points over each.

    table  of `corescore.scoring.tables.change_table`
    """
    rows = table.T
    places = [
        (number + offset, metric, measure, rows[metric])
        for number, metric in enumerate(METRIC_IDS)
        for measure, offset in PLACES.items()
    ]
    figure = go.Figure([_arrow(*place) for place in places])
    values = table.loc[list(METRIC_IDS), [*PLACES, *(f"{name}_after" for name in PLACES)]]
    low = max(0.0, 100 * float(values.min().min()) // 10 * 10 - 5)
    figure.update_layout(
        height=400,
        margin={"l": 56, "r": 8, "t": 30, "b": 56},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        xaxis=metric_axis(standoff=18),
        yaxis={
            "title": "percent",
            "range": [low, min(112.0, 100 * float(values.max().max()) + 9)],
            "zeroline": False,
            "fixedrange": True,
        },
        annotations=[note for x, _, measure, row in places for note in _notes(x, measure, row)],
    )
    explain(figure, "▼ P precision &nbsp; ● F1 &nbsp; ▲ R recall  · open: before, filled: after")
    return figure


def _arrow(x: float, metric: str, measure: str, row: pd.Series) -> go.Scatter:
    colour = colour_of(metric)
    name = f"{html_title(metric)} {RATIOS[measure]}"
    hover = (
        f"{name}: {percent(row[measure])} % before, {percent(row[f'{measure}_after'])} % after"
        f"<br>{signed(row[f'{measure}_change'])} points"
    )
    return go.Scatter(
        x=[x, x],
        y=_ends(measure, row),
        mode="lines+markers",
        line={"color": colour, "width": 2},
        marker={
            "symbol": [f"{SHAPES[measure]}-open", SHAPES[measure]],
            "size": [9, 11],
            "color": colour,
            "line": {"width": 2, "color": colour},
            "opacity": 1,
        },
        hovertext=[hover, hover],
        hoverinfo="text",
        cliponaxis=False,
    )


def _ends(measure: str, row: pd.Series) -> list[float]:
    return [100 * row[measure], 100 * row[f"{measure}_after"]]


def _notes(x: float, measure: str, row: pd.Series) -> list[dict[str, Any]]:
    """The change over the arrow, and the measure's letter on the axis."""
    place = {"x": x, "showarrow": False}
    change = signed(row[f"{measure}_change"])
    over = {"y": max(_ends(measure, row)), "yshift": 13, "text": change, "font": {"size": 10}}
    below = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -2, "text": LETTERS[measure]}
    return [{**place, **over}, {**place, **below}]


def curves(table: pd.DataFrame, measure: str) -> go.Figure:
    """A line a metric over the doses, with its band; as high as the lines need.

    table  dose, metric, mean, low and high as fractions
    """
    points = {name: 100 * table[name] for name in ("mean", "low", "high")}
    chart = Chart(
        "lines",
        x="dose",
        y="mean",
        x_title="dose, percent",
        y_title=f"{RATIOS[measure]}, points of 100",
    )
    return experiment_charts.draw(chart, table.assign(**points))
