"""An experiment's table → figure."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import nan
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Bar, Figure, Scatter, Surface
from plotly.subplots import make_subplots

from corescore.metrics import METRIC_IDS, ROW_IDS, colour_of
from corescore.plots.template import (
    ACCENT,
    FIXED,
    FULL,
    INK,
    OPEN,
    QUIET,
    TWO_SHADES,
    Scale,
    apart,
    beside,
    columns,
    faint,
    heat_map,
    margins,
    percents,
    points,
    rows,
    short,
)
from corescore.plots.template import chart as chart_of
from corescore.replication.experiment import Chart
from corescore.sentences.names import BLANC_RULES, metric_title, title
from corescore.wording import RATIOS, number, percent, written

# What the charts of experiments share: names, colours, panels -------------------------------------

HEIGHT = 380

LONGEST = 34

ASIDE = {
    "mentions": "dot",
    "conll": "dash",
    "links": "longdash",
    "rand": "dashdot",
    "non_coreference": "longdashdot",
    "correct_links": "longdash",
}


def ordered_metrics(table: pd.DataFrame) -> list[str]:
    """The metrics of a table: the six in their order, then the others; [""] if it names none."""
    if "metric" not in table:
        return [""]
    metrics = [str(metric) for metric in table["metric"].unique()]
    return [m for m in METRIC_IDS if m in metrics] + [m for m in metrics if m not in METRIC_IDS]


def named(value: object) -> str:
    """A value of a column as an axis writes it; a metric by its title."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return title(text) if text in ROW_IDS else short(metric_title(text), LONGEST)


def is_percent(title: str) -> bool:
    """Whether an axis of that title shows fractions, to be drawn in percent."""
    return "percent" in title or "%" in title


def short_title(metric: str) -> str:
    """A metric's name where there is little room."""
    names = {
        "rand": "Rand<br>index",
        "non_coreference": "non-coref.<br>links",
        "correct_links": "links",
        "ceafm-links": "CEAFₘ<br>links",
        "ceafe-links": "CEAFₑ<br>links",
    }
    return names.get(metric) or named(metric).replace("BLANC, ", "BLANC<br>")


def colour(metric: str) -> str:
    """The fixed colour of a metric; grey for what stands beside the six."""
    if metric in BLANC_RULES:
        return colour_of("blanc")
    return INK if metric in ASIDE else colour_of(metric)


def panels_of(chart: Chart, table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each value of the facet, by its name; all of them if there is none."""
    if not chart.facet:
        return {"": table}
    return {named(value): rows for value, rows in table.groupby(chart.facet, sort=False)}


def of_metric(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of a metric; all of them where the table names none."""
    return table[table["metric"] == metric] if metric else table


def written_value(chart: Chart, value: float) -> str:
    """A value of the chart's y as it is written."""
    return percent(value) if is_percent(chart.y_title) else written(value, ",.2f")


# An experiment's table as bars, one column per metric ---------------------------------------------

_MOST_COLUMNS = 7  # beside each other; more make another block

_ROW = 28  # pixels


def bars(chart: Chart, table: pd.DataFrame) -> Figure:
    """One row per name and one column per metric, a bar with its number in each cell; a
    block for each value of the facet, and more if there are more columns than have room."""
    known = table[table[chart.y].notna()]
    blocks = [
        (panel, of_panel[first : first + _MOST_COLUMNS])
        for panel, of_panel in _columns(chart, known).items()
        for first in range(0, len(of_panel), _MOST_COLUMNS)
    ]
    of_blocks = (pd.concat([rows for *_, rows in block]) for _, block in blocks)
    names: list[list[Any]] = [
        ordered_metrics(rows) if chart.x == "metric" else [*rows[chart.x].unique()]
        for rows in of_blocks
    ]
    n_columns = max(len(block) for _, block in blocks)
    height = _ROW * (sum(map(len, names)) + 3 * len(blocks))
    figure = make_subplots(
        rows=len(blocks),
        cols=n_columns,
        shared_yaxes=True,
        row_heights=[len(of) + 1 for of in names],
        horizontal_spacing=0.01,
        vertical_spacing=2 * _ROW / height,
        subplot_titles=[
            f"<b>{head}</b>"
            for _, block in blocks
            for head in [*(head for head, *_ in block), *[""] * (n_columns - len(block))]
        ],
    )
    for row, ((panel, block), of_block) in enumerate(zip(blocks, names, strict=True), 1):
        for column, (_, metric, rows_) in enumerate(block, 1):
            figure.add_trace(_bars_of(chart, rows_, metric, of_block), row=row, col=column)
        ticks = rows([f"<b>{panel}</b>", *map(named, of_block)])
        figure.update_yaxes({**ticks, "showticklabels": False, "automargin": False}, row=row)
        figure.update_yaxes(showticklabels=True, row=row, col=1)
    low, high = min(0.0, known[chart.y].min()), max(0.0, known[chart.y].max())
    if is_percent(chart.y_title):
        low, high = 0.0, 1.0
    room = 0.2 * n_columns * (high - low or 1.0)  # for the number beside a bar
    figure.update_xaxes(**FIXED, showticklabels=False, range=[low - room * (low < 0), high + room])
    figure.update_annotations(font_size=12)
    labels = [*(named(name) for of in names for name in of), *(panel for panel, _ in blocks)]
    margin = margins(beside(labels), 8, 2 * _ROW, 8)
    return figure.update_layout(**QUIET, height=height, margin=margin)


def _bars_of(chart: Chart, rows: pd.DataFrame, metric: str, names: Sequence[Any]) -> Bar:
    """The bars of one column, below the name of the block."""
    return Bar(
        x=rows[chart.y],
        y=[1 + names.index(name) for name in rows[chart.x]],
        text=[written_value(chart, value) for value in rows[chart.y]],
        textposition="outside",
        textfont={"size": 12},
        cliponaxis=False,
        orientation="h",
        width=0.72,
        marker={"color": [colour(metric or str(name)) for name in rows[chart.x]]},
        hoverinfo="text",
        hovertext=[_bar_hover(chart, row, metric) for row in rows.to_dict("records")],
    )


def _columns(chart: Chart, table: pd.DataFrame) -> dict[str, list[tuple[str, str, pd.DataFrame]]]:
    """The columns of each block, with their heading, their metric ("" for many) and their rows;
    where the names are metrics, the facet's values are columns."""
    panels = panels_of(chart, table)
    if chart.x == "metric":
        lines = {name: "<br>".join(wrap(name, 15, break_long_words=False)) for name in panels}
        return {"": [(lines[name], "", rows) for name, rows in panels.items()]}
    heads = {metric: short_title(metric) for metric in ordered_metrics(table)}
    return {
        name: [(head, m, of_metric(rows, m)) for m, head in heads.items()]
        for name, rows in panels.items()
    }


def _bar_hover(chart: Chart, row: Mapping[Any, Any], metric: str) -> str:
    who = f"{short_title(metric)}, " if metric else ""
    value = written_value(chart, row[chart.y])
    lines = [f"{who}{named(row[chart.x])}", f"{escape(chart.y_title)}: {value}"]
    if not pd.isna(row.get(chart.low, nan)):
        low, high = (written_value(chart, row[end]) for end in (chart.low, chart.high))
        lines.append(f"from {low} to {high}")
    ratios = [f"{RATIOS[name]} {percent(row[name])}%" for name in RATIOS if name in row]
    return "<br>".join([*lines, *([", ".join(ratios)] if ratios else [])])


# An experiment's table as lines with their bands, or as dots --------------------------------------

_NEAR = 0.002  # lines that are nearer than this part of the axis look like one


def lines(chart: Chart, table: pd.DataFrame) -> Figure:
    """A line for each metric, named at its end; a panel for each value of the facet."""
    panels = panels_of(chart, table)
    columns = min(len(panels), 2)
    figure = _panel_figure(chart, list(panels), columns)
    n_rows = -(-len(panels) // columns)
    height = HEIGHT if n_rows == 1 else 285 * n_rows
    for place, panel in enumerate(panels.values()):
        where = {"row": place // columns + 1, "col": place % columns + 1}
        scaled = _scaled(chart, panel)
        by_metric = {m: of_metric(scaled, m) for m in ordered_metrics(panel)}
        within = _y_range(chart, scaled)
        extent = within[1] - within[0]
        under = _under({m: own[chart.y] for m, own in by_metric.items()}, near=_NEAR * extent)
        for metric, own in by_metric.items():
            dash = ASIDE.get(metric, "dash" if metric in under else "solid")
            _add_line(figure, chart, own, metric, dash, where)
        if "metric" in panel:
            gap = 15.5 * extent / (height / n_rows - 90)
            _name_ends(figure, chart, scaled, under, where, gap=gap, within=within)
        low, high = scaled[chart.x].min(), scaled[chart.x].max()
        room = (0.17 if columns == 1 else 0.38) * (high - low)
        figure.update_xaxes(range=[low - 0.02 * (high - low), high + room], **where)
    return figure.update_layout(height=height)


def _panel_figure(chart: Chart, panels: Sequence[str], columns: int) -> Figure:
    figure = make_subplots(
        rows=-(-len(panels) // columns),
        cols=columns,
        subplot_titles=[f"<b>{name}</b>" for name in panels] if len(panels) > 1 else None,
        shared_yaxes=True,
        horizontal_spacing=0.06,
        vertical_spacing=0.16,
    )
    figure.update_annotations(font_size=13)
    figure.update_layout(**QUIET, margin=margins(8, 8, 34 if len(panels) > 1 else 10, 8))
    x_title = {"title": str(escape(chart.x_title)), "title_standoff": 6}
    figure.update_xaxes(**OPEN, **x_title, automargin=True, showgrid=False)
    figure.update_yaxes(**OPEN, automargin=True)
    figure.update_yaxes(title=str(escape(chart.y_title)), col=1)
    if is_percent(chart.y_title):
        figure.update_yaxes(range=[-3, 103], tickvals=[0, 20, 40, 60, 80, 100])
    return figure


def _scaled(chart: Chart, table: pd.DataFrame) -> pd.DataFrame:
    """The table with what is drawn in percent times 100, in the order of x."""
    columns = [chart.y, chart.low, chart.high] if is_percent(chart.y_title) else []
    columns += [chart.x] if is_percent(chart.x_title) else []
    scaled = table.assign(**{name: 100 * table[name] for name in columns if name in table})
    return scaled.sort_values(chart.x, kind="stable")


def _add_line(
    figure: Figure,
    chart: Chart,
    rows: pd.DataFrame,
    metric: str,
    dash: str,
    where: dict[str, int],
) -> None:
    """The line of a metric, over its band if the table has one."""
    ink, back = colour(metric), rows.iloc[::-1]
    if {chart.low, chart.high} <= set(rows) and rows[chart.low].notna().any():
        band = Scatter(
            x=[*rows[chart.x], *back[chart.x]],
            y=[*rows[chart.high], *back[chart.low]],
            fill="toself",
            fillcolor=faint(ink, 0.16),
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
        )
        figure.add_trace(band, **where)
    line = points(
        rows[chart.x],
        rows[chart.y],
        [_line_hover(chart, row, metric) for row in rows.to_dict("records")],
        {"size": 5},
        name=metric_title(metric),
        mode="lines+markers" if rows[chart.x].nunique() <= 30 else "lines",
        line={"color": ink, "width": 2.2, "dash": dash},
        cliponaxis=False,
    )
    figure.add_trace(line, **where)


def _under(values: Mapping[str, "pd.Series[float]"], *, near: float) -> dict[str, str]:
    """Of each metric whose line lies on one before it, for at least half of its length and at its
    end, that metric."""
    names = list(values)
    under: dict[str, str] = {}
    for at, name in enumerate(names):
        on = (one for one in names[:at] if _coincide(values[name], values[one], near))
        if other := next(on, ""):
            under[name] = under.get(other, other)
    return under


def _coincide(one: "pd.Series[float]", other: "pd.Series[float]", near: float) -> bool:
    if len(one) != len(other) or len(one) < 2:
        return False
    is_near = np.isclose(one, other, rtol=0, atol=near)
    return bool(is_near[-1]) and float(is_near.mean()) >= 0.5


def _line_hover(chart: Chart, row: dict[Any, Any], metric: str) -> str:
    lines = [named(metric)] if metric else []
    lines += [f"{escape(chart.x_title)}: {number(round(row[chart.x], 2))}"]
    lines += [f"{escape(chart.y_title)}: {row[chart.y]:.2f}"]
    if chart.low in row and row[chart.low] == row[chart.low]:
        lines.append(f"from {row[chart.low]:.2f} to {row[chart.high]:.2f}")
    return "<br>".join(lines)


def _name_ends(
    figure: Figure,
    chart: Chart,
    table: pd.DataFrame,
    under: Mapping[str, str],
    where: dict[str, int],
    *,
    gap: float,
    within: tuple[float, float],
) -> None:
    """Each metric's name at the right end of its line, none over another; of lines that lie on each
    other all names at the first one's (`under`: `_under`)."""
    ends: dict[str, tuple[float, float]] = {}
    names: defaultdict[str, list[str]] = defaultdict(list)
    for metric in ordered_metrics(table):
        values = of_metric(table, metric).dropna(subset=[chart.y])[chart.y]
        if len(values):
            names[under.get(metric, metric)].append(short_title(metric))
        if len(values) and metric not in under:
            ends[metric] = (float(values.iloc[-1]), float(values.mean()))
    metrics = sorted(ends, key=lambda metric: (round(ends[metric][0], 1), ends[metric][1]))
    heights = apart([ends[metric][0] for metric in metrics], gap=gap, within=within)
    for metric, height in zip(metrics, heights, strict=True):
        figure.add_annotation(
            x=table[chart.x].max(),
            y=ends[metric][0],
            ax=26,
            ay=height,
            ayref=figure.get_subplot(**where).yaxis.plotly_name.replace("axis", ""),
            text=f"<b>{', '.join(names[metric]).replace('<br>', ' ')}</b>",
            xanchor="left",
            font={"size": 12},
            arrowcolor=colour(metric),
            arrowwidth=1.2,
            arrowhead=0,
            standoff=3,
            **where,
        )


def _y_range(chart: Chart, table: pd.DataFrame) -> tuple[float, float]:
    if is_percent(chart.y_title):
        return -3.0, 103.0
    low, high = float(table[chart.y].min()), float(table[chart.y].max())
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


# Points -------------------------------------------------------------------------------------------


def points_chart(chart: Chart, table: pd.DataFrame) -> Figure:
    """A dot for each row; the panels beside each other."""
    panels = panels_of(chart, table)
    titles = [
        f"{name}<br>correlation {written(rows['correlation'].iloc[0])}"
        if "correlation" in rows
        else name
        for name, rows in panels.items()
    ]
    figure = _panel_figure(chart, titles, len(panels))
    for column, panel in enumerate(panels.values(), 1):
        for metric in ordered_metrics(panel):
            dots = _dots(chart, of_metric(_scaled(chart, panel), metric), metric)
            figure.add_trace(dots, row=1, col=column)
    if is_percent(chart.x_title):
        figure.update_xaxes(range=[-3, 103], tickvals=[0, 50, 100])
    # The button stands above the titles, which have up to two lines.
    return figure.update_layout(height=HEIGHT - 34, margin_t=62)


def _dots(chart: Chart, rows: pd.DataFrame, metric: str) -> Scatter:
    words = rows.drop(columns="metric", errors="ignore").select_dtypes(exclude="number")
    names = [str(escape(", ".join(map(str, row)))) for row in words.itertuples(index=False)]
    values = [_line_hover(chart, row, metric) for row in rows.to_dict("records")]
    return points(
        rows[chart.x],
        rows[chart.y],
        [f"{name}<br>{value}" for name, value in zip(names, values, strict=True)],
        {"size": 9, "color": colour(metric), "opacity": 0.75},
        name=metric_title(metric),
        cliponaxis=False,
    )


_SHADE: Scale = [(0, faint(ACCENT, 0.04)), (1, FULL)]

# From blue to yellow, with no end as dark or as light as a theme's background.
_HEIGHTS: Scale = [(0, "#34509B"), (0.35, "#2F8DB5"), (0.7, "#4FB286"), (1, "#DDB440")]

# Maps ---------------------------------------------------------------------------------------------


def surface(chart: Chart, table: pd.DataFrame) -> Figure:
    """y as the height over x and the facet."""
    grid = table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y)
    titles = {"x": chart.x_title, "y": chart.facet_title, "z": chart.y_title}
    values = {"x": grid.columns.to_numpy(), "y": grid.index.to_numpy(), "z": grid.to_numpy()}
    lines = [f"{escape(title)}: %{{{axis}:.2f}}<br>" for axis, title in titles.items()]
    figure = Figure(
        Surface(
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


def matrix(chart: Chart, table: pd.DataFrame) -> Figure:
    """y written into the cells of x against the facet, and as their shade."""
    across, down = (list(table[name].unique()) for name in (chart.x, chart.facet))
    grid = table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y, sort=False)
    grid = grid.reindex(index=down, columns=across)
    low, high = float(grid.min().min()), float(grid.max().max())
    within = (min(low, -high) if low < 0 else 0, max(high, -low))
    scale = TWO_SHADES if low < 0 else _SHADE
    values = grid.to_numpy()

    text = partial(written_value, chart)

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

_KINDS: dict[str, Callable[[Chart, pd.DataFrame], Figure]] = {
    "lines": lines,
    "bars": bars,
    "surface": surface,
    "matrix": matrix,
    "points": points_chart,
}


def draw(chart: Chart, table: pd.DataFrame) -> Figure | None:
    """The table as its chart says; None for a chart of kind "table"."""
    return _KINDS[chart.kind](chart, table) if chart.kind in _KINDS else None


# A sweep's bands → figure: the scores by the dose of a perturbation -------------------------------


def curves(table: pd.DataFrame, measure: str) -> Figure:
    """A line with its band for each metric over the doses; as high as the lines need.

    table  dose, metric, mean, low and high as fractions
    """
    values = {name: 100 * table[name] for name in ("mean", "low", "high")}
    x_title, y_title = "dose, percent", f"{RATIOS[measure]}, points of 100"
    of_lines = Chart("lines", x="dose", y="mean", x_title=x_title, y_title=y_title)
    figure = draw(of_lines, table.assign(**values))
    low, high = float(values["low"].min()), float(values["high"].max())
    room = 0.05 * (high - low) or 1.0
    return figure and figure.update_yaxes(percents(low - room, high + room))
