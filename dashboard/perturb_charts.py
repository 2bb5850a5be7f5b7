"""Scores before and after a perturbation → plotly figures. No Streamlit here."""

import pandas as pd
import plotly.graph_objects as go

from corescore.dashboard import experiment_charts
from corescore.dashboard.charts import COLOURS, SHAPES, explain, html_title, metric_axis
from corescore.dashboard.wording import RATIOS, SIX, percent, signed
from corescore.experiments.experiment import Chart

PLACES = {"precision": -0.33, "f1": 0.0, "recall": 0.33}
LETTERS = {"precision": "P", "f1": "F1", "recall": "R"}


def before_and_after(table: pd.DataFrame) -> go.Figure:
    """Precision, F1 and recall of the six: open as they were, filled as they are, an arrow
    between, and the change in points over each.

    table  of `corescore.tables.change_table`
    """
    figure = go.Figure()
    for number, metric in enumerate(SIX):
        row = table.T[metric]
        for measure, offset in PLACES.items():
            _add_change(figure, number + offset, metric, measure, row)
    values = table.loc[list(SIX), [*PLACES, *(f"{name}_after" for name in PLACES)]]
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
    )
    explain(figure, "▼ P precision &nbsp; ● F1 &nbsp; ▲ R recall  · open: before, filled: after")
    return figure


def _add_change(figure: go.Figure, x: float, metric: str, measure: str, row: pd.Series) -> None:
    ends = [100 * row[measure], 100 * row[f"{measure}_after"]]
    change = row[f"{measure}_change"]
    colour = COLOURS[metric]
    name = f"{html_title(metric)} {RATIOS[measure]}"
    hover = (
        f"{name}: {percent(row[measure])} % before, {percent(row[f'{measure}_after'])} % after"
        f"<br>{signed(change)} points"
    )
    figure.add_trace(
        go.Scatter(
            x=[x, x],
            y=ends,
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
    )
    figure.add_annotation(
        x=x, y=max(ends), yshift=13, text=signed(change), showarrow=False, font={"size": 10}
    )
    figure.add_annotation(
        x=x, y=0, yref="paper", yanchor="top", yshift=-2, text=LETTERS[measure], showarrow=False
    )


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
