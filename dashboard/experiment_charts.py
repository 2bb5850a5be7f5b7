"""An experiment's table → plotly figure. No Streamlit here, and no arithmetic but of positions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from textwrap import wrap
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from corescore.dashboard.charts import COLOURS, html_title, short
from corescore.dashboard.wording import RATIOS, SIX, TITLES, percent
from corescore.experiments.experiment import Chart

OTHER = "#8F7A66"  # of a metric that is none of ours
HEIGHT = 380
LONGEST = 34
BLANC_RULES = {
    "reference": "reference scorer",
    "luo2014": "Luo et al. 2014",
    "recasens2011": "Recasens & Hovy 2011",
}
_ASIDE = {
    "mentions": "dot",
    "conll": "dash",
    "links": "longdash",
    "rand": "dashdot",
    "non_coreference": "longdashdot",
}
_GREY = COLOURS["conll"]
_TRACK = "rgba(128, 134, 146, 0.16)"
_SHADE = [[0, "rgba(82, 104, 214, 0.04)"], [1, "rgba(82, 104, 214, 0.62)"]]
_TWO_SHADES = [[0, "rgba(213, 94, 0, 0.6)"], [0.5, "rgba(128, 134, 146, 0)"], _SHADE[1]]
# From blue to yellow, with no end as dark or as light as a theme's background.
_HEIGHTS = [[0, "#34509B"], [0.35, "#2F8DB5"], [0.7, "#4FB286"], [1, "#DDB440"]]
_ROW = 28
WIDTH, NARROWEST, FIGURE = 610, 50, 39  # pixels: of bars, of a column, of its figures


def draw(chart: Chart, table: pd.DataFrame) -> go.Figure | None:
    """The table as its chart says; None for a chart of kind "table"."""
    kinds: dict[str, Callable[[Chart, pd.DataFrame], go.Figure]] = {
        "lines": _lines,
        "bars": _bars,
        "surface": _surface,
        "matrix": _matrix,
        "points": _points,
    }
    return kinds[chart.kind](chart, table) if chart.kind in kinds else None


def ordered_metrics(table: pd.DataFrame) -> list[str]:
    """The metrics of a table: the six in their order, then the others; [""] if it names none."""
    if "metric" not in table:
        return [""]
    found = [str(metric) for metric in table["metric"].unique()]
    return [m for m in SIX if m in found] + [m for m in found if m not in SIX]


def metric_title(metric: str) -> str:
    """What a metric is called, be it one of ours, a kind of BLANC, or one of the reader's own."""
    weight = metric.removeprefix("blanc_")
    blanc = BLANC_RULES.get(metric, "" if weight == metric else f"α = {weight}")
    known = {**TITLES, "non_coreference": "Non-coreference links"}
    return f"BLANC, {blanc}" if blanc else known.get(metric, metric)


def named(value: object) -> str:
    """A value of a column as an axis writes it; a metric by its title."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return html_title(text) if text in TITLES else short(metric_title(text), LONGEST)


def is_percent(title: str) -> bool:
    """Whether what an axis of that title shows are fractions, to be drawn in percent."""
    return "percent" in title or "%" in title


# Lines --------------------------------------------------------------------------------------------


def _lines(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """A line a metric, named at its end; a panel for each value of the facet."""
    panels = _panels(chart, table)
    columns = min(len(panels), 2)
    figure = _panel_figure(chart, list(panels), columns)
    n_rows = -(-len(panels) // columns)
    height = HEIGHT if n_rows == 1 else 285 * n_rows
    for place, rows in enumerate(panels.values()):
        at = {"row": place // columns + 1, "col": place % columns + 1}
        scaled = _scaled(chart, rows)
        for metric in ordered_metrics(rows):
            _add_line(figure, chart, _of_metric(scaled, metric), metric, at)
        if "metric" in rows:
            _name_ends(figure, chart, scaled, at, per_point=100 / (height / n_rows - 90))
        low, high = scaled[chart.x].min(), scaled[chart.x].max()
        room = (0.17 if columns == 1 else 0.38) * (high - low)
        figure.update_xaxes(range=[low - 0.02 * (high - low), high + room], **at)
    figure.update_layout(height=height)
    return figure


def _panels(chart: Chart, table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    if not chart.facet:
        return {"": table}
    return {named(value): rows for value, rows in table.groupby(chart.facet, sort=False)}


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
    _quiet(figure, top=34 if len(panels) > 1 else 10)
    figure.update_xaxes(title=escape(chart.x_title), title_standoff=6, showgrid=False)
    figure.update_yaxes(title=escape(chart.y_title), col=1)
    if is_percent(chart.y_title):
        figure.update_yaxes(range=[-3, 103], tickvals=[0, 20, 40, 60, 80, 100])
    return figure


def _scaled(chart: Chart, table: pd.DataFrame) -> pd.DataFrame:
    """The table with what is drawn in percent times 100, in the order of x."""
    columns = [chart.y, chart.low, chart.high] if is_percent(chart.y_title) else []
    columns += [chart.x] if is_percent(chart.x_title) else []
    scaled = table.assign(**{name: 100 * table[name] for name in columns if name in table})
    return scaled.sort_values(chart.x, kind="stable")


def _of_metric(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    return table[table["metric"] == metric] if metric else table


def _add_line(
    figure: go.Figure, chart: Chart, rows: pd.DataFrame, metric: str, at: dict[str, int]
) -> None:
    if {chart.low, chart.high} <= set(rows) and rows[chart.low].notna().any():
        figure.add_trace(_band(chart, rows, metric), **at)
    few = rows[chart.x].nunique() <= 30
    figure.add_trace(
        go.Scatter(
            x=rows[chart.x],
            y=rows[chart.y],
            name=metric_title(metric),
            mode="lines+markers" if few else "lines",
            line={"color": _colour(metric), "width": 2.2, "dash": _ASIDE.get(metric, "solid")},
            marker={"size": 5},
            hovertext=[_line_hover(chart, row, metric) for row in rows.to_dict("records")],
            hoverinfo="text",
            cliponaxis=False,
        ),
        **at,
    )


def _band(chart: Chart, rows: pd.DataFrame, metric: str) -> go.Scatter:
    back = rows.iloc[::-1]
    return go.Scatter(
        x=[*rows[chart.x], *back[chart.x]],
        y=[*rows[chart.high], *back[chart.low]],
        fill="toself",
        fillcolor=_faint(_colour(metric)),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
    )


def _colour(metric: str) -> str:
    if metric in BLANC_RULES or metric.startswith("blanc_"):
        return COLOURS["blanc"]
    return _GREY if metric in _ASIDE else COLOURS.get(metric, OTHER)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.16)"


def _line_hover(chart: Chart, row: dict[str, Any], metric: str) -> str:
    lines = [named(metric)] if metric else []
    lines += [f"{escape(chart.x_title)}: {row[chart.x]:g}"]
    lines += [f"{escape(chart.y_title)}: {row[chart.y]:.2f}"]
    if chart.low in row and row[chart.low] == row[chart.low]:
        lines.append(f"from {row[chart.low]:.2f} to {row[chart.high]:.2f}")
    return "<br>".join(lines)


def _name_ends(
    figure: go.Figure, chart: Chart, table: pd.DataFrame, at: dict[str, int], *, per_point: float
) -> None:
    """Each metric's name at the right end of its line, none over another."""
    ends = {}
    for metric in ordered_metrics(table):
        told = _of_metric(table, metric).dropna(subset=[chart.y])[chart.y]
        if len(told):
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
            ayref=f"y{_axis_number(figure, at)}",
            text=f"<b>{_short(metric).replace('<br>', ' ')}</b>",
            xanchor="left",
            font={"size": 12},
            arrowcolor=_colour(metric),
            arrowwidth=1.2,
            arrowhead=0,
            standoff=3,
            **at,
        )


def _y_range(chart: Chart, table: pd.DataFrame) -> tuple[float, float]:
    if is_percent(chart.y_title):
        return -3.0, 103.0
    low, high = float(table[chart.y].min()), float(table[chart.y].max())
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def _axis_number(figure: go.Figure, at: dict[str, int]) -> str:
    return str(figure.get_subplot(**at).yaxis.plotly_name.removeprefix("yaxis"))


def _short(metric: str) -> str:
    """A metric's name where there is little room."""
    names = {
        "conll": "CoNLL",
        "mentions": "mentions",
        "links": "links",
        "rand": "Rand",
        "non_coreference": "non-coref.<br>links",
    }
    return names.get(metric) or named(metric).replace("BLANC, ", "BLANC<br>")


def apart(places: Sequence[float], *, gap: float, within: tuple[float, float]) -> list[float]:
    """Rising places moved as little as need be to lie a gap apart, and within bounds.

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


def _points(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """A dot for each row; the panels beside each other."""
    panels = _panels(chart, table)
    titles = [_panel_title(name, rows) for name, rows in panels.items()]
    figure = _panel_figure(chart, titles, len(panels))
    for column, rows in enumerate(panels.values(), 1):
        for metric in ordered_metrics(rows):
            dots = _dots(chart, _of_metric(_scaled(chart, rows), metric), metric)
            figure.add_trace(dots, row=1, col=column)
    if is_percent(chart.x_title):
        figure.update_xaxes(range=[-3, 103], tickvals=[0, 50, 100])
    figure.update_layout(height=HEIGHT - 50, margin_t=46)  # the button stands above the titles
    return figure


def _panel_title(name: str, rows: pd.DataFrame) -> str:
    if "correlation" not in rows:
        return name
    value = rows["correlation"].iloc[0]
    return f"{name}, correlation {'–' if pd.isna(value) else f'{value:.2f}'.replace('-', '−')}"


def _dots(chart: Chart, rows: pd.DataFrame, metric: str) -> go.Scatter:
    words = rows.drop(columns="metric", errors="ignore").select_dtypes(exclude="number")
    names = [escape(", ".join(map(str, row))) for row in words.itertuples(index=False)]
    figures = [_line_hover(chart, row, metric) for row in rows.to_dict("records")]
    return go.Scatter(
        x=rows[chart.x],
        y=rows[chart.y],
        name=metric_title(metric),
        mode="markers",
        marker={"size": 9, "color": _colour(metric), "opacity": 0.75},
        hovertext=[f"{name}<br>{told}" for name, told in zip(names, figures, strict=True)],
        hoverinfo="text",
        cliponaxis=False,
    )


# Bars ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Column:
    """Bars below each other: what stands over them, whose they are, and their rows."""

    heading: str
    metric: str
    rows: pd.DataFrame


@dataclass(frozen=True)
class _Cell:
    """One bar: the row and the column that it stands in, counted from 0, and what it shows."""

    y: float
    column: int
    colour: str
    value: float
    hover: str


@dataclass
class _Layout:
    """What stands where: bars, words over them by (row, column), and what is left of the rows."""

    cells: list[_Cell] = field(default_factory=list)
    words: dict[tuple[float, int], str] = field(default_factory=dict)
    ticks: dict[float, str] = field(default_factory=dict)
    height: float = 0.0

    def add(self, chart: Chart, columns: Sequence[_Column], title: str) -> None:
        """Put a block below what there is."""
        if title:
            self.words[self.height, 0] = title
            self.height += 0.85
        self.words.update({(self.height, n): column.heading for n, column in enumerate(columns)})
        self.ticks[self.height] = escape(chart.y_title)
        self.height += 0.75 + 0.25 * max(column.heading.count("<br>") + 1 for column in columns)
        names = _names_of(chart, columns)
        places = {name: self.height + n for n, name in enumerate(names)}
        self.ticks.update({place: named(name) for name, place in places.items()})
        for n, column in enumerate(columns):
            self.cells.extend(_cells(chart, column, n, places))
        self.height += len(names) + 0.2


def _bars(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """A row for each name and a column for each metric, a bar with its figure in each cell; a
    block for each value of the facet, and more where the columns do not fit beside each other."""
    told = table[table[chart.y].notna()]
    longest = max((len(_unmarked(named(name))) for name in told[chart.x].unique()), default=0)
    room = WIDTH - max(76, 6.5 * longest)
    fitting = int(room / NARROWEST)
    layout = _Layout()
    for title, columns in _columns(chart, told).items():
        for at in range(0, len(columns), fitting):
            layout.add(chart, columns[at : at + fitting], "" if at else title)
    n_columns = 1 + max((cell.column for cell in layout.cells), default=0)
    return _bar_figure(chart, layout, n_columns, track=1 - FIGURE * n_columns / room)


def _bar_figure(chart: Chart, layout: _Layout, n_columns: int, *, track: float) -> go.Figure:
    """`track`: the share of a column that its longest bar takes; the rest is for figures."""
    cells = layout.cells
    figure = go.Figure([_tracks(chart, cells, track), _drawn_bars(chart, cells, track)])
    figure.add_traces([_figures(chart, cells, track), _headings(layout)])
    _quiet(figure, top=0)
    figure.update_xaxes(visible=False, range=[-0.02, n_columns])
    figure.update_yaxes(
        tickvals=list(layout.ticks),
        ticktext=list(layout.ticks.values()),
        range=[layout.height - 0.4, -0.6],
        showgrid=False,
        ticks="",
        ticksuffix=" ",
    )
    figure.update_layout(height=int(_ROW * (layout.height + 0.2)) + 10, barmode="overlay")
    return figure


def _columns(chart: Chart, table: pd.DataFrame) -> dict[str, list[_Column]]:
    """The columns of each block; where the names are metrics, the facet's values are columns."""
    panels = _panels(chart, table)
    if chart.x == "metric":
        lines = {name: "<br>".join(wrap(name, 15, break_long_words=False)) for name in panels}
        return {"": [_Column(lines[name], "", rows) for name, rows in panels.items()]}
    metrics = ordered_metrics(table)
    return {
        name: [_Column(_short(metric), metric, _of_metric(rows, metric)) for metric in metrics]
        for name, rows in panels.items()
    }


def _names_of(chart: Chart, columns: Sequence[_Column]) -> list[Any]:
    rows = pd.concat([column.rows for column in columns])
    return ordered_metrics(rows) if chart.x == "metric" else list(rows[chart.x].unique())


def _cells(
    chart: Chart, column: _Column, number: int, places: Mapping[Any, float]
) -> Iterator[_Cell]:
    for row in column.rows.to_dict("records"):
        yield _Cell(
            places[row[chart.x]],
            number,
            _colour(column.metric or str(row[chart.x])),
            row[chart.y],
            _bar_hover(chart, row, column.metric),
        )


def _tracks(chart: Chart, cells: Sequence[_Cell], track: float) -> go.Bar:
    """Behind each bar, how long it could be."""
    full = track if is_percent(chart.y_title) else 0
    return _bar([cell.column for cell in cells], [full] * len(cells), cells, color=_TRACK)


def _drawn_bars(chart: Chart, cells: Sequence[_Cell], track: float) -> go.Bar:
    values = [cell.value for cell in cells]
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    span = 1.0 if is_percent(chart.y_title) else (high - low) or 1.0
    low = 0.0 if is_percent(chart.y_title) else low
    bases = [cell.column - track * low / span for cell in cells]
    bars = _bar(
        bases, [track * v / span for v in values], cells, color=[cell.colour for cell in cells]
    )
    return bars.update(hoverinfo="text", hovertext=[cell.hover for cell in cells])


def _bar(
    bases: Sequence[float], lengths: Sequence[float], cells: Sequence[_Cell], *, color: Any
) -> go.Bar:
    return go.Bar(
        x=lengths,
        base=bases,
        y=[cell.y for cell in cells],
        width=0.72,
        orientation="h",
        marker={"color": color, "line": {"width": 0}},
        hoverinfo="skip",
    )


def _figures(chart: Chart, cells: Sequence[_Cell], track: float) -> go.Scatter:
    return go.Scatter(
        x=[cell.column + track for cell in cells],
        y=[cell.y for cell in cells],
        mode="text",
        text=[f" {_figure_of(chart, cell.value)}" for cell in cells],
        textposition="middle right",
        textfont={"size": 12},
        hoverinfo="skip",
    )


def _headings(layout: _Layout) -> go.Scatter:
    return go.Scatter(
        x=[column for _, column in layout.words],
        y=[y for y, _ in layout.words],
        mode="text",
        text=[f"<b>{text}</b>" if text else "" for text in layout.words.values()],
        textposition="middle right",
        textfont={"size": 12},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _unmarked(text: str) -> str:
    return unescape(text.replace("<sub>", "").replace("</sub>", ""))


def _bar_hover(chart: Chart, row: dict[str, Any], metric: str) -> str:
    who = f"{_short(metric)}, " if metric else ""
    told = (
        f"{who}{named(row[chart.x])}<br>{escape(chart.y_title)}: {_figure_of(chart, row[chart.y])}"
    )
    if chart.low in row and row[chart.low] == row[chart.low]:
        told += f"<br>from {_figure_of(chart, row[chart.low])} to "
        told += _figure_of(chart, row[chart.high])
    ratios = [f"{RATIOS[name]} {percent(row[name])} %" for name in RATIOS if name in row]
    return f"{told}<br>{', '.join(ratios)}" if ratios else told


def _figure_of(chart: Chart, value: float) -> str:
    if is_percent(chart.y_title) or pd.isna(value):
        return percent(value)
    return f"{value:,.2f}".replace("-", "−")


# Surface and matrix -------------------------------------------------------------------------------


def _surface(chart: Chart, table: pd.DataFrame) -> go.Figure:
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


def _matrix(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """y written into the cells of x against the facet, and as their shade."""
    across, down = (list(table[name].unique()) for name in (chart.x, chart.facet))
    grid = table.pivot_table(index=chart.facet, columns=chart.x, values=chart.y, sort=False)
    grid = grid.reindex(index=down, columns=across)
    low, high = float(grid.min().min()), float(grid.max().max())
    texts = [[_figure_of(chart, value) for value in row] for row in grid.to_numpy()]
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
    _quiet(figure, top=40)
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


def _quiet(figure: go.Figure, *, top: int) -> None:
    """No legend, no dragging, narrow margins."""
    figure.update_layout(
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        margin={"l": 8, "r": 8, "t": top, "b": 8},
    )
    figure.update_xaxes(fixedrange=True, zeroline=False, automargin=True)
    figure.update_yaxes(fixedrange=True, zeroline=False, automargin=True)
