"""An experiment's table → figure."""

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.plots.experiments.bars import bars
from corescore.plots.experiments.changes import changes
from corescore.plots.experiments.lines import lines, points
from corescore.plots.experiments.marks import HEIGHT, is_percent, named, written_value
from corescore.plots.template import ACCENT, FULL, TWO_SHADES, Scale, columns, faint, heat_map, rows
from corescore.plots.template import chart as chart_of
from corescore.replication.experiment import Chart

_SHADE: Scale = [(0, faint(ACCENT, 0.04)), (1, FULL)]
# From blue to yellow, with no end as dark or as light as a theme's background.
_HEIGHTS: Scale = [(0, "#34509B"), (0.35, "#2F8DB5"), (0.7, "#4FB286"), (1, "#DDB440")]


# Maps ---------------------------------------------------------------------------------------------


def surface(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """y as the height over x and the facet."""
    grid = table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y)
    titles = {"x": chart.x_title, "y": chart.facet_title, "z": chart.y_title}
    values = {"x": grid.columns.to_numpy(), "y": grid.index.to_numpy(), "z": grid.to_numpy()}
    lines = [f"{escape(title)}: %{{{axis}:.2f}}<br>" for axis, title in titles.items()]
    figure = go.Figure(
        go.Surface(
            **{name: (100 if is_percent(titles[name]) else 1) * of for name, of in values.items()},
            colorscale=_HEIGHTS,
            colorbar={"title": str(escape(chart.y_title)), "thickness": 12, "len": 0.7},
            hovertemplate="".join(lines) + "<extra></extra>",
        )
    )
    axes = {
        f"{name}axis": {"title": {"text": str(escape(title)), "font": {"size": 12}}}
        for name, title in titles.items()
    }
    camera = {"eye": {"x": -1.75, "y": -1.85, "z": 0.95}, "center": {"z": -0.15}}
    return figure.update_layout(
        height=HEIGHT + 50, margin=dict.fromkeys("lrtb", 0), scene={**axes, "camera": camera}
    )


def matrix(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """y written into the cells of x against the facet, and as their shade."""
    across, down = (list(table[name].unique()) for name in (chart.x, chart.facet))
    grid = table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y, sort=False)
    grid = grid.reindex(index=down, columns=across)
    low, high = float(grid.min().min()), float(grid.max().max())
    within = (min(low, -high) if low < 0 else 0, max(high, -low))
    scale = TWO_SHADES if low < 0 else _SHADE
    values = grid.to_numpy()

    def text(value: float) -> str:
        return written_value(chart, value)

    def hover(row: int, column: int) -> str:
        value = f"{escape(chart.y_title)}: {text(values[row, column])}"
        return f"{named(down[row])}, {named(across[column])}<br>{value}"

    return chart_of(
        [heat_map(values, scale=scale, within=within, text=text, hover=hover)],
        height=70 + 36 * len(down),
        margin=(8, 8, 40, 8),
        xaxis=columns([f"<b>{named(name)}</b>" for name in across], side="top", automargin=True),
        yaxis=rows([f"<b>{named(name)}</b>" for name in down]),
    )


# All ----------------------------------------------------------------------------------------------

_KINDS: dict[str, Callable[[Chart, pd.DataFrame], go.Figure]] = {
    "lines": lines,
    "bars": bars,
    "surface": surface,
    "matrix": matrix,
    "points": points,
    "changes": changes,
}


def draw(chart: Chart, table: pd.DataFrame) -> go.Figure | None:
    """The table as its chart says; None for a chart of kind "table"."""
    return _KINDS[chart.kind](chart, table) if chart.kind in _KINDS else None
