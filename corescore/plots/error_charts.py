"""Tables of errors → plotly figures. No Streamlit here, and no arithmetic but of positions."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from corescore.metrics import METRIC_IDS
from corescore.plots.charts import html_title
from corescore.wording import percent, signed

# Seen through, so that the figures written over it can be read in both themes.
_SCALE = [[0, "rgba(213,94,0,0.6)"], [0.5, "rgba(128,134,146,0)"], [1, "rgba(82,104,214,0.62)"]]
ROW = 34


def gains(table: pd.DataFrame, names: Mapping[str, str], hover: str) -> go.Figure:
    """What fixing each kind adds under each metric: kinds × metrics, written and shaded.

    table  of `corescore.analysis.errors.summaries.gain_table`
    names  the kinds as the page calls them
    hover  what the gain is, in words
    """
    figure = _heat_map(
        table.iloc[:-1],
        names,
        text=signed,
        hover=lambda kind, metric, value: (
            f"{names[kind]}, {html_title(metric)}: {signed(value)} points<br>{hover}"
        ),
    )
    most = max(float(table.iloc[:-1].abs().max().max()), 1e-9)
    figure.update_traces(zmin=-most, zmax=most, colorscale=_SCALE)
    for place, metric in enumerate(table.columns):
        figure.add_annotation(
            x=place,
            y=len(table) - 1,
            text=f"<b>{signed(table.iloc[-1][metric])}</b>",
            font={"size": 11},
            showarrow=False,
        )
    figure.update_yaxes(
        tickvals=list(range(len(table))),
        ticktext=[*(names[kind] for kind in table.index[:-1]), f"<b>{table.index[-1]}</b>"],
        range=[len(table) - 0.5, -0.5],
    )
    figure.update_layout(height=ROW * len(table) + 44)
    return figure


def slice_credit(table: pd.DataFrame) -> go.Figure:
    """The share of its credit that each slice earns under each metric, written and shaded."""
    names = {name: f"{name} ({table.loc[name, 'mentions']})" for name in table.index}
    figure = _heat_map(
        table[list(METRIC_IDS)],
        names,
        text=percent,
        hover=lambda name, metric, value: (
            f"{name}: {html_title(metric)} gives {percent(value)} %<br>of what these mentions "
            "could earn"
        ),
    )
    figure.update_traces(zmin=-1, zmax=1, colorscale=_SCALE)
    figure.update_layout(height=ROW * len(table) + 44)
    return figure


def _heat_map(table: pd.DataFrame, names: Mapping[str, str], *, text: Any, hover: Any) -> go.Figure:
    rows = [[(kind, metric) for metric in table.columns] for kind in table.index]
    figure = go.Figure(
        go.Heatmap(
            x=list(range(len(table.columns))),
            y=list(range(len(table))),
            z=table.to_numpy(),
            text=[[text(table.loc[cell]) for cell in row] for row in rows],
            texttemplate="%{text}",
            hovertext=[[hover(*cell, table.loc[cell]) for cell in row] for row in rows],
            hoverinfo="text",
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        dragmode=False,
        xaxis={
            "side": "top",
            "ticks": "",
            "tickvals": list(range(len(table.columns))),
            "ticktext": [f"<b>{_short(metric)}</b>" for metric in table.columns],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        yaxis={
            "tickvals": list(range(len(table))),
            "ticktext": [names[name] for name in table.index],
            "range": [len(table) - 0.5, -0.5],
            "ticks": "",
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "automargin": True,
            "ticksuffix": " ",
        },
    )
    return figure


def _short(metric: str) -> str:
    return "CoNLL" if metric == "conll" else html_title(metric)
