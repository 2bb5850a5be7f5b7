"""An experiment's table → figure."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import Markup, escape
from plotly.subplots import make_subplots

from corescore.analysis.perturbation.sweep import is_kept
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, ROW_IDS, colour_of
from corescore.plots.scores import SHAPES
from corescore.plots.template import (
    ACCENT,
    FIXED,
    FULL,
    INK,
    OPEN,
    QUIET,
    TWO_SHADES,
    Layout,
    Scale,
    beside,
    columns,
    explained,
    faint,
    heat_map,
    label,
    line,
    margins,
    marks,
    note,
    percents,
    points,
    rows,
    short,
)
from corescore.plots.template import chart as chart_of
from corescore.replication.experiment import Chart
from corescore.scoring.tables import is_opposite
from corescore.sentences.names import BLANC_RULES, metric_title, title
from corescore.wording import RATIOS, number, percent, signed, written

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


def quiet(figure: go.Figure, *, top: int) -> None:
    """No legend, no dragging, narrow margins."""
    figure.update_layout(**QUIET, margin=margins(8, 8, top, 8))
    figure.update_xaxes(**OPEN, automargin=True)
    figure.update_yaxes(**OPEN, automargin=True)


# An experiment's table as bars, one column per metric ------------------------------------------

_TRACK = faint(INK, 0.16)

# What changes of a response do to scores: a block for each, one row per metric -----------------

_ROW = 28

WIDTH, NARROWEST, NUMBER = 610, 50, 39  # pixels: of bars, of a column, of its numbers


def bars(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """One row per name and one column per metric, a bar with its number in each cell; a
    block for each value of the facet, and more where the columns do not fit beside each other.

    A column is as wide as 1; the longest bar takes a share of it, the track, the rest is for
    numbers.
    """
    known = table[table[chart.y].notna()]
    names = [Markup(named(name)).striptags() for name in known[chart.x].unique()]
    room = WIDTH - max(76, 6.5 * max(map(len, names), default=0))
    fitting = int(room / NARROWEST)
    drawn: list[pd.DataFrame] = []
    heads: list[tuple[int, float, str]] = []
    ticks: dict[float, str] = {}
    height = 0.0
    for panel, block in _columns(chart, known).items():
        for first in range(0, len(block), fitting):
            columns = block[first : first + fitting]
            if panel and not first:
                heads.append((0, height, panel))
                height += 0.85
            heads += [(n, height, head) for n, (head, _, _) in enumerate(columns)]
            ticks[height] = str(escape(chart.y_title))
            height += 0.75 + 0.25 * max(head.count("<br>") + 1 for head, _, _ in columns)
            rows = pd.concat([rows for _, _, rows in columns]).sort_index(kind="stable")
            by_name = ordered_metrics(rows) if chart.x == "metric" else rows[chart.x].unique()
            places = {name: height + n for n, name in enumerate(by_name)}
            ticks |= {place: named(name) for name, place in places.items()}
            height += len(places) + 0.2
            drawn += [
                pd.DataFrame(
                    {
                        "y": rows[chart.x].map(places),
                        "column": n,
                        "colour": [colour(metric or str(name)) for name in rows[chart.x]],
                        "value": rows[chart.y],
                        "hover": [
                            _bar_hover(chart, row, metric) for row in rows.to_dict("records")
                        ],
                    }
                )
                for n, (_, metric, rows) in enumerate(columns)
            ]
    cells = pd.concat(drawn)
    n_columns = 1 + int(cells["column"].max())
    track = 1 - NUMBER * n_columns / room
    low, high = min(0.0, cells["value"].min()), max(0.0, cells["value"].max())
    if is_percent(chart.y_title):
        low, high = 0.0, 1.0
    span = (high - low) or 1.0
    look = {"y": cells["y"].tolist(), "width": 0.72, "orientation": "h"}
    text = {"mode": "text", "textposition": "middle right", "textfont": {"size": 12}}
    column = cells["column"]
    figure = go.Figure(
        [
            go.Bar(  # behind each bar, how long it could be in percent
                x=[track if is_percent(chart.y_title) else 0] * len(cells),
                base=column.tolist(),
                marker={"color": _TRACK, "line": {"width": 0}},
                hoverinfo="skip",
                **look,
            ),
            go.Bar(
                x=(track * cells["value"] / span).tolist(),
                base=(column - track * low / span).tolist(),
                marker={"color": cells["colour"].tolist(), "line": {"width": 0}},
                hoverinfo="text",
                hovertext=cells["hover"].tolist(),
                **look,
            ),
            go.Scatter(
                x=(column + track).tolist(),
                y=look["y"],
                text=[f" {written_value(chart, value)}" for value in cells["value"]],
                hoverinfo="skip",
                **text,
            ),
            go.Scatter(
                x=[n for n, _, _ in heads],
                y=[y for _, y, _ in heads],
                text=[f"<b>{head}</b>" if head else "" for _, _, head in heads],
                hoverinfo="skip",
                cliponaxis=False,
                **text,
            ),
        ]
    )
    quiet(figure, top=0)
    figure.update_xaxes(visible=False, range=[-0.02, n_columns])
    named_ticks = {"tickvals": list(ticks), "ticktext": list(ticks.values())}
    figure.update_yaxes(**named_ticks, range=[height - 0.4, -0.6], showgrid=False)
    figure.update_yaxes(ticks="", ticksuffix=" ")
    return figure.update_layout(height=int(_ROW * (height + 0.2)) + 10, barmode="overlay")


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
    if not pd.isna(row.get(chart.low, math.nan)):
        low, high = (written_value(chart, row[end]) for end in (chart.low, chart.high))
        lines.append(f"from {low} to {high}")
    ratios = [f"{RATIOS[name]} {percent(row[name])}%" for name in RATIOS if name in row]
    return "<br>".join([*lines, *([", ".join(ratios)] if ratios else [])])


# An experiment's table as lines with their bands, or as dots --------------------------------------

_NEAR = 0.002  # lines that are nearer than this part of the axis look like one


def lines(chart: Chart, table: pd.DataFrame) -> go.Figure:
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
        under = _under({m: own[chart.y] for m, own in by_metric.items()}, near=_near(chart, scaled))
        for metric, own in by_metric.items():
            dash = ASIDE.get(metric, "dash" if metric in under else "solid")
            _add_line(figure, chart, own, metric, dash, where)
        if "metric" in panel:
            per_point = 100 / (height / n_rows - 90)
            _name_ends(figure, chart, scaled, under, where, per_point=per_point)
        low, high = scaled[chart.x].min(), scaled[chart.x].max()
        room = (0.17 if columns == 1 else 0.38) * (high - low)
        figure.update_xaxes(range=[low - 0.02 * (high - low), high + room], **where)
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
    quiet(figure, top=34 if len(panels) > 1 else 10)
    figure.update_xaxes(title=str(escape(chart.x_title)), title_standoff=6, showgrid=False)
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
    figure: go.Figure,
    chart: Chart,
    rows: pd.DataFrame,
    metric: str,
    dash: str,
    where: dict[str, int],
) -> None:
    """The line of a metric, over its band if the table has one."""
    ink, back = colour(metric), rows.iloc[::-1]
    if {chart.low, chart.high} <= set(rows) and rows[chart.low].notna().any():
        band = go.Scatter(
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
    figure: go.Figure,
    chart: Chart,
    table: pd.DataFrame,
    under: Mapping[str, str],
    where: dict[str, int],
    *,
    per_point: float,
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
    low, high = _y_range(chart, table)
    gap = 15.5 * per_point * (high - low) / 100
    heights = apart([ends[metric][0] for metric in metrics], gap=gap, within=(low, high))
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


def _near(chart: Chart, table: pd.DataFrame) -> float:
    low, high = _y_range(chart, table)
    return _NEAR * (high - low)


def _y_range(chart: Chart, table: pd.DataFrame) -> tuple[float, float]:
    if is_percent(chart.y_title):
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


def points_chart(chart: Chart, table: pd.DataFrame) -> go.Figure:
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


def _dots(chart: Chart, rows: pd.DataFrame, metric: str) -> go.Scatter:
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


_HEAD, _GAP = 1.6, 0.4  # in rows: what stands above the first row of a block, and below its last

_CHANGES_ROW = 23  # pixels

_MEANING = (
    "Change in points<br>"
    "✓ as it should be &nbsp; ✗ not &nbsp; ◇ by the other reading, if of opposite sign"
)

_SIGNS = {True: " ✓", False: " ✗", None: ""}


def changes(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """How recall, precision and F1 move, one column per: a mark for the change in points, a line
    to it from no change, and the number; ✓ and ✗ say whether it is as it should be.

    table  columns: `chart.x` (a response; the first is what the others are changed from), metric,
           and for each measure the score, as "recall", the score by another reading, as
           "recall_other", whose change is drawn if it has the opposite sign, and what the score
           should do, as "recall_should" ("" for nothing); fractions
    """
    moved, blocks, height = _moved(chart, table)
    figure = make_subplots(cols=len(MEASURES), shared_yaxes=True, horizontal_spacing=0.03)
    shapes: list[Layout] = []
    heads: list[Layout] = []
    for column, (measure, of) in enumerate(moved.items(), 1):
        axis = f"x{column}" if column > 1 else "x"
        known = of[of["change"].notna()]
        span = max(0.01, float(known[["change", "other"]].abs().max().max()))
        dots = _dots_of_changes(known, "change", measure, SHAPES[measure])
        traces = [dots, _change_labels(known, 1.3 * span)]
        others = known[known["other"].notna()]
        if len(others):
            traces.append(_dots_of_changes(others, "other", measure, "diamond-open"))
        figure.add_traces(traces, rows=1, cols=column)
        for _, at, n in blocks:
            top = at + _HEAD
            name = RATIOS[measure].capitalize() if measure != "f1" else "F1"
            text = f"{name} {of['should'][of['y'] == top].iloc[0]}".strip()
            place = {"xref": axis, "yref": "y", "yshift": -_CHANGES_ROW * 0.8, "font": {"size": 12}}
            heads.append(note(-1.1 * span, at, text, **place))
            zero = {"yref": "y", "y0": top - 0.45, "y1": top + n - 0.55}
            shapes.append({**line(0, 0, axis=axis), **zero})
        for row in known.to_dict("records"):
            look = {"axis": axis, "color": colour_of(row["metric"])}
            shapes.append(line(0, row["change"], row["y"], **look, width=2.5, opacity=0.55))
        figure.update_xaxes(**FIXED, showticklabels=False, col=column)
        figure.update_xaxes(range=[-1.1 * span, 2.3 * span], col=column)
    names = [label(metric) for metric in of["metric"]]
    titles = [
        note(0, y, f"<b>{escape(name)}</b>", yref="y", xanchor="left", font={"size": 13})
        for name, y, _ in blocks
    ]
    figure.update_layout(
        **QUIET,
        height=round(_CHANGES_ROW * height) + 66,
        margin=margins(beside(names), 4, 48, 8),
        shapes=shapes,
        annotations=[*heads, *titles, {**explained(_MEANING), "align": "left"}],
    )
    figure.update_yaxes(**FIXED, range=[height - 0.5, -0.5], showticklabels=False)
    ticks = {"tickvals": of["y"].tolist(), "ticktext": names, "showticklabels": True}
    return figure.update_yaxes(col=1, **ticks)


def change_table(chart: Chart, table: pd.DataFrame) -> pd.DataFrame:
    """What `changes` draws of a table, one row per response and metric: for each measure, in
    points, the change and the change by the other reading, NaN if that is not drawn."""
    moved, _, _ = _moved(chart, table)
    first = moved[MEASURES[0]]
    drawn = {chart.x: first["name"], "metric": first["metric"].map(title)}
    for measure, of in moved.items():
        name = RATIOS[measure]
        drawn |= {
            f"{name} change": of["change"],
            f"{name}, other reading": of["other"],
        }
    return pd.DataFrame(drawn).dropna(axis="columns", how="all")


def _moved(
    chart: Chart, table: pd.DataFrame
) -> tuple[dict[str, pd.DataFrame], list[tuple[str, float, int]], float]:
    """For each measure a row per response and metric of the six: its place y; in points its change
    and the change by the other reading, NaN unless that has the opposite sign; what it should do.
    The responses with the places of their titles and their numbers of rows, and the height of all,
    in rows."""
    blocks: list[tuple[str, float, int]] = []
    height = 0.0
    by_name = dict([*table[table["metric"].isin(METRIC_IDS)].groupby(chart.x, sort=False)])
    first, *others = by_name
    base = by_name[first].set_index("metric")
    placed = []
    for name in others:
        of_name = by_name[name].set_index("metric")
        of_name = of_name.loc[[metric for metric in METRIC_IDS if metric in of_name.index]]
        n = len(of_name)
        placed.append(of_name.assign(y=[height + _HEAD + row for row in range(n)]))
        blocks.append((str(name), height, n))
        height += _HEAD + n + _GAP
    every = pd.concat(placed).reset_index()
    moved = {}
    for measure in MEASURES:
        before = every["metric"].map(base[measure])
        ends = {"change": "", "other": "_other"}
        far = {name: 100 * (every[f"{measure}{end}"] - before) for name, end in ends.items()}
        both = zip(far["change"], far["other"], strict=True)
        opposite = np.array([is_opposite(one / 100, other / 100) for one, other in both])
        far["other"] = far["other"].where(opposite)
        labels = {"name": every[chart.x], "should": every[f"{measure}_should"]}
        moved[measure] = every[["metric", "y"]].assign(**labels, **far)
    return moved, blocks, height


def _dots_of_changes(changes: pd.DataFrame, column: str, measure: str, symbol: str) -> go.Scatter:
    """A mark for each change, or for each change by the other reading."""
    hovers = []
    for row in changes.to_dict("records"):
        who = f"{escape(row['name'])}, {title(row['metric'])} {RATIOS[measure]}"
        lines = [who, f"{signed(row[column] / 100)} points"]
        if column == "other":
            lines[0] += ", by the other reading"
        else:
            lines += [f"it {row['should']}"] if row["should"] else []
        hovers.append("<br>".join(lines))
    look = marks([colour_of(metric) for metric in changes["metric"]], size=9, symbol=symbol)
    return points(changes[column], changes["y"], hovers, look, cliponaxis=False)


def _change_labels(changes: pd.DataFrame, x: float) -> go.Scatter:
    """The changes at the right of the column, with whether they are as they should be."""
    signs = [
        _SIGNS[is_kept(should, change / 100) if should else None]
        for should, change in zip(changes["should"], changes["change"], strict=True)
    ]
    return go.Scatter(
        x=[x] * len(changes),
        y=changes["y"],
        mode="text",
        text=[
            f"{signed(at / 100)}{sign}" for at, sign in zip(changes["change"], signs, strict=True)
        ],
        textposition="middle right",
        textfont={"size": 12},
        hoverinfo="skip",
        cliponaxis=False,
    )


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
    "points": points_chart,
    "changes": changes,
}


def draw(chart: Chart, table: pd.DataFrame) -> go.Figure | None:
    """The table as its chart says; None for a chart of kind "table"."""
    return _KINDS[chart.kind](chart, table) if chart.kind in _KINDS else None


# A sweep's bands → figure: the scores by the dose of a perturbation -------------------------------


def curves(table: pd.DataFrame, measure: str) -> go.Figure:
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
