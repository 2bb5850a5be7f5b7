"""An experiment's table as a surface or as a matrix of shades. No Streamlit here."""

from collections.abc import Sequence
from html import escape

import pandas as pd
import plotly.graph_objects as go

from corescore.plots.experiment_marks import HEIGHT, figure_of, is_percent, named, quiet
from corescore.replication.experiment import Chart

_SHADE = [[0, "rgba(82, 104, 214, 0.04)"], [1, "rgba(82, 104, 214, 0.62)"]]
_TWO_SHADES = [[0, "rgba(213, 94, 0, 0.6)"], [0.5, "rgba(128, 134, 146, 0)"], _SHADE[1]]
# From blue to yellow, with no end as dark or as light as a theme's background.
_HEIGHTS = [[0, "#34509B"], [0.35, "#2F8DB5"], [0.7, "#4FB286"], [1, "#DDB440"]]


def surface(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """y as the height over x and the facet."""
    scale = 100 if is_percent(chart.y_title) else 1
    grid = scale * table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y)
    titles = {"x": chart.x_title, "y": chart.facet_title, "z": chart.y_title}
    axes = {
        name: (100 if is_percent(titles[name]) else 1) * values
        for name, values in (("x", grid.columns), ("y", grid.index))
    }
    figure = go.Figure(
        go.Surface(
            x=axes["x"],
            y=axes["y"],
            z=grid.to_numpy(),
            colorscale=_HEIGHTS,
            colorbar={"title": escape(chart.y_title), "thickness": 12, "len": 0.7},
            hovertemplate="".join(
                f"{escape(title)}: %{{{name}:.2f}}<br>" for name, title in titles.items()
            )
            + "<extra></extra>",
        )
    )
    figure.update_layout(
        height=HEIGHT + 50,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        scene={
            **{
                f"{name}axis": {"title": {"text": escape(title), "font": {"size": 12}}}
                for name, title in titles.items()
            },
            "camera": {"eye": {"x": -1.75, "y": -1.85, "z": 0.95}, "center": {"z": -0.15}},
        },
    )
    return figure


def matrix(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """y written into the cells of x against the facet, and as their shade."""
    across, down = (list(table[name].unique()) for name in (chart.x, chart.facet))
    grid = table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y, sort=False)
    grid = grid.reindex(index=down, columns=across)
    low, high = float(grid.min().min()), float(grid.max().max())
    texts = [[figure_of(chart, value) for value in row] for row in grid.to_numpy()]
    figure = go.Figure(
        go.Heatmap(
            x=list(range(len(across))),
            y=list(range(len(down))),
            z=grid.to_numpy(),
            text=texts,
            texttemplate="%{text}",
            hovertext=[
                [
                    f"{named(d)}, {named(a)}<br>{escape(chart.y_title)}: {text}"
                    for a, text in zip(across, row, strict=True)
                ]
                for d, row in zip(down, texts, strict=True)
            ],
            hoverinfo="text",
            zmin=min(low, -high) if low < 0 else 0,
            zmax=max(high, -low),
            colorscale=_TWO_SHADES if low < 0 else _SHADE,
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    quiet(figure, top=40)
    figure.update_xaxes(side="top", tickvals=list(range(len(across))), ticktext=_bold(across))
    figure.update_yaxes(
        tickvals=list(range(len(down))),
        ticktext=_bold(down),
        range=[len(down) - 0.5, -0.5],
        automargin=True,
        ticksuffix=" ",
    )
    figure.update_xaxes(showgrid=False, zeroline=False, ticks="")
    figure.update_yaxes(showgrid=False, zeroline=False, ticks="")
    figure.update_layout(height=70 + 36 * len(down))
    return figure


def _bold(values: Sequence[object]) -> list[str]:
    return [f"<b>{named(value)}</b>" for value in values]
