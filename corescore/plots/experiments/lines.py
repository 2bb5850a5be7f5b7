"""An experiment's table as lines with their bands, or as dots."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape
from plotly.subplots import make_subplots

from corescore.plots import template
from corescore.plots.experiments import marks
from corescore.replication.experiment import Chart
from corescore.sentences.names import metric_title
from corescore.wording import number, written

_NEAR = 0.002  # lines that are nearer than this part of the axis look like one


def lines(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """A line for each metric, named at its end; a panel for each value of the facet."""
    panels = marks.panels_of(chart, table)
    columns = min(len(panels), 2)
    figure = _panel_figure(chart, list(panels), columns)
    n_rows = -(-len(panels) // columns)
    height = marks.HEIGHT if n_rows == 1 else 285 * n_rows
    for place, rows in enumerate(panels.values()):
        at = {"row": place // columns + 1, "col": place % columns + 1}
        scaled = _scaled(chart, rows)
        of = {m: marks.of_metric(scaled, m) for m in marks.ordered_metrics(rows)}
        under = _under({m: own[chart.y] for m, own in of.items()}, near=_near(chart, scaled))
        for metric, own in of.items():
            dash = marks.ASIDE.get(metric, "dash" if metric in under else "solid")
            _add_line(figure, chart, own, metric, dash, at)
        if "metric" in rows:
            per_point = 100 / (height / n_rows - 90)
            _name_ends(figure, chart, scaled, under, at, per_point=per_point)
        low, high = scaled[chart.x].min(), scaled[chart.x].max()
        room = (0.17 if columns == 1 else 0.38) * (high - low)
        figure.update_xaxes(range=[low - 0.02 * (high - low), high + room], **at)
    return figure.update_layout(height=height)


def _panel_figure(chart: Chart, panels: Sequence[str], columns: int) -> go.Figure:
    figure = make_subplots(
        rows=-(-len(panels) // columns),
        cols=columns,
        subplot_titles=[f"<b>{name}</b>" for name in panels] if len(panels) > 1 else None,
        shared_yaxes=True,
        horizontal_spacing=0.06,
        vertical_spacing=0.16,
    )
    figure.update_annotations(font_size=13)
    marks.quiet(figure, top=34 if len(panels) > 1 else 10)
    figure.update_xaxes(title=str(escape(chart.x_title)), title_standoff=6, showgrid=False)
    figure.update_yaxes(title=str(escape(chart.y_title)), col=1)
    if marks.is_percent(chart.y_title):
        figure.update_yaxes(range=[-3, 103], tickvals=[0, 20, 40, 60, 80, 100])
    return figure


def _scaled(chart: Chart, table: pd.DataFrame) -> pd.DataFrame:
    """The table with what is drawn in percent times 100, in the order of x."""
    columns = [chart.y, chart.low, chart.high] if marks.is_percent(chart.y_title) else []
    columns += [chart.x] if marks.is_percent(chart.x_title) else []
    scaled = table.assign(**{name: 100 * table[name] for name in columns if name in table})
    return scaled.sort_values(chart.x, kind="stable")


def _add_line(
    figure: go.Figure,
    chart: Chart,
    rows: pd.DataFrame,
    metric: str,
    dash: str,
    at: dict[str, int],
) -> None:
    """The line of a metric, over its band if the table has one."""
    ink, back = marks.colour(metric), rows.iloc[::-1]
    if {chart.low, chart.high} <= set(rows) and rows[chart.low].notna().any():
        band = go.Scatter(
            x=[*rows[chart.x], *back[chart.x]],
            y=[*rows[chart.high], *back[chart.low]],
            fill="toself",
            fillcolor=template.faint(ink, 0.16),
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
        )
        figure.add_trace(band, **at)
    line = template.points(
        rows[chart.x],
        rows[chart.y],
        [_line_hover(chart, row, metric) for row in rows.to_dict("records")],
        {"size": 5},
        name=metric_title(metric),
        mode="lines+markers" if rows[chart.x].nunique() <= 30 else "lines",
        line={"color": ink, "width": 2.2, "dash": dash},
        cliponaxis=False,
    )
    figure.add_trace(line, **at)


def _under(values: Mapping[str, "pd.Series[float]"], *, near: float) -> dict[str, str]:
    """Of each metric whose line lies on one before it, for at least half of its length and at its
    end, that metric."""
    names = list(values)
    found: dict[str, str] = {}
    for at, name in enumerate(names):
        on = (one for one in names[:at] if _coincide(values[name], values[one], near))
        if other := next(on, ""):
            found[name] = found.get(other, other)
    return found


def _coincide(one: "pd.Series[float]", other: "pd.Series[float]", near: float) -> bool:
    if len(one) != len(other) or len(one) < 2:
        return False
    is_near = np.isclose(one, other, rtol=0, atol=near)
    return bool(is_near[-1]) and float(is_near.mean()) >= 0.5


def _line_hover(chart: Chart, row: dict[Any, Any], metric: str) -> str:
    lines = [marks.named(metric)] if metric else []
    lines += [f"{escape(chart.x_title)}: {number(round(row[chart.x], 2))}"]
    lines += [f"{escape(chart.y_title)}: {row[chart.y]:.2f}"]
    if chart.low in row and row[chart.low] == row[chart.low]:
        lines.append(f"from {row[chart.low]:.2f} to {row[chart.high]:.2f}")
    return "<br>".join(lines)


def _name_ends(
    figure: go.Figure,
    chart: Chart,
    table: pd.DataFrame,
    under: Mapping[str, str],
    at: dict[str, int],
    *,
    per_point: float,
) -> None:
    """Each metric's name at the right end of its line, none over another; of lines that lie on each
    other all names at the first one's (`under`: `_under`)."""
    ends: dict[str, tuple[float, float]] = {}
    names: defaultdict[str, list[str]] = defaultdict(list)
    for metric in marks.ordered_metrics(table):
        told = marks.of_metric(table, metric).dropna(subset=[chart.y])[chart.y]
        if len(told):
            names[under.get(metric, metric)].append(marks.short_title(metric))
        if len(told) and metric not in under:
            ends[metric] = (float(told.iloc[-1]), float(told.mean()))
    metrics = sorted(ends, key=lambda metric: (round(ends[metric][0], 1), ends[metric][1]))
    low, high = _y_range(chart, table)
    gap = 15.5 * per_point * (high - low) / 100
    heights = apart([ends[metric][0] for metric in metrics], gap=gap, within=(low, high))
    for metric, height in zip(metrics, heights, strict=True):
        figure.add_annotation(
            x=table[chart.x].max(),
            y=ends[metric][0],
            ax=26,
            ay=height,
            ayref=figure.get_subplot(**at).yaxis.plotly_name.replace("axis", ""),
            text=f"<b>{', '.join(names[metric]).replace('<br>', ' ')}</b>",
            xanchor="left",
            font={"size": 12},
            arrowcolor=marks.colour(metric),
            arrowwidth=1.2,
            arrowhead=0,
            standoff=3,
            **at,
        )


def _near(chart: Chart, table: pd.DataFrame) -> float:
    low, high = _y_range(chart, table)
    return _NEAR * (high - low)


def _y_range(chart: Chart, table: pd.DataFrame) -> tuple[float, float]:
    if marks.is_percent(chart.y_title):
        return -3.0, 103.0
    low, high = float(table[chart.y].min()), float(table[chart.y].max())
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def apart(places: Sequence[float], *, gap: float, within: tuple[float, float]) -> list[float]:
    """Ascending places, moved as little as possible to lie a gap apart and within bounds.

    Neighbours that are too near form a group around their mean.
    """
    low, high = within
    groups: list[list[float]] = []

    def lowest(group: list[float]) -> float:
        width = gap * (len(group) - 1)
        return max(low, min(sum(group) / len(group) - width / 2, high - width))

    for place in places:
        groups.append([place])
        while len(groups) > 1 and lowest(groups[-1]) < lowest(groups[-2]) + gap * len(groups[-2]):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [lowest(group) + gap * n for group in groups for n in range(len(group))]


# Points -------------------------------------------------------------------------------------------


def points(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """A dot for each row; the panels beside each other."""
    panels = marks.panels_of(chart, table)
    titles = [
        f"{name}<br>correlation {written(rows['correlation'].iloc[0])}"
        if "correlation" in rows
        else name
        for name, rows in panels.items()
    ]
    figure = _panel_figure(chart, titles, len(panels))
    for column, rows in enumerate(panels.values(), 1):
        for metric in marks.ordered_metrics(rows):
            dots = _dots(chart, marks.of_metric(_scaled(chart, rows), metric), metric)
            figure.add_trace(dots, row=1, col=column)
    if marks.is_percent(chart.x_title):
        figure.update_xaxes(range=[-3, 103], tickvals=[0, 50, 100])
    # The button stands above the titles, which have up to two lines.
    return figure.update_layout(height=marks.HEIGHT - 34, margin_t=62)


def _dots(chart: Chart, rows: pd.DataFrame, metric: str) -> go.Scatter:
    words = rows.drop(columns="metric", errors="ignore").select_dtypes(exclude="number")
    names = [str(escape(", ".join(map(str, row)))) for row in words.itertuples(index=False)]
    values = [_line_hover(chart, row, metric) for row in rows.to_dict("records")]
    return template.points(
        rows[chart.x],
        rows[chart.y],
        [f"{name}<br>{value}" for name, value in zip(names, values, strict=True)],
        {"size": 9, "color": marks.colour(metric), "opacity": 0.75},
        name=metric_title(metric),
        cliponaxis=False,
    )
