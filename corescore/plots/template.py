"""What all charts share: colours, layout, axes, marks, notes and the camera.

Plotly reads texts as pseudo-HTML: those from outside are escaped, here or where they are used.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd
import plotly.graph_objects as go
from markupsafe import Markup, escape
from plotly.offline import get_plotlyjs

from corescore.sentences.names import title
from corescore.util import FloatArray

# Colours; those of metrics are in their records.
INK = "#808692"  # of marks that belong to no metric
ACCENT = "#5268D6"  # of selected systems; a metric's colour would mean the metric
KEY, RESPONSE = "rgb(63, 110, 181)", INK
CORRECT, MISSING, WRONG = "#009E73", "#D55E00", "#C26A97"
CLEAR = "rgba(128, 134, 146, 0)"

Scale = list[tuple[float, str]]


def faint(colour: str, opacity: float) -> str:
    """A colour such as "#0072B2" that lets through what is behind it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# Translucent, so that the numbers written over them can be read in both themes.
FULL = faint(ACCENT, 0.62)
SHADE: Scale = [(0, faint(ACCENT, 0)), (1, FULL)]
TWO_SHADES: Scale = [(0, faint(MISSING, 0.6)), (0.5, CLEAR), (1, FULL)]

Figure: TypeAlias = go.Figure  # for those who pass a chart on: only this package imports plotly
Layout = dict[str, Any]  # as plotly knows it
Tables = Mapping[str, pd.DataFrame]  # by the letter or the name of a system
QUIET: Layout = {"showlegend": False, "hovermode": "closest", "dragmode": False}
FIXED: Layout = {"zeroline": False, "fixedrange": True, "showgrid": False, "ticks": ""}
OPEN: Layout = {"zeroline": False, "fixedrange": True}
_PIXELS = {"svg": 1, "png": 3}  # to a pixel of the screen: 3 is sharp in print
_LINES = {"gridcolor": "#e6e8ee", "zerolinecolor": "#dcdfe6", "linecolor": "#dcdfe6", "ticks": ""}
_PAPER = go.layout.Template(  # of a report, which is light; pages have the theme of their app
    layout={
        "font": {"family": "Helvetica, Arial, sans-serif", "size": 12, "color": "#1e222b"},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "xaxis": _LINES,
        "yaxis": _LINES,
        "hoverlabel": {"align": "left"},
    }
)


def plotly_script() -> str:
    """plotly's own JavaScript, for a page that draws charts by itself."""
    script: str = get_plotlyjs()
    return script


def config(name: str, format: str = "svg") -> dict[str, Any]:
    """Settings of a chart whose camera saves "svg" or "png" under this name."""
    return {
        "displaylogo": False,
        "showSendToCloud": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": format, "filename": name, "scale": _PIXELS[format]},
    }


# Figures ------------------------------------------------------------------------------------------


def chart(
    traces: Sequence[Any], *, height: float, margin: tuple[int, int, int, int], **layout: Any
) -> Figure:
    """A figure without legend or dragging; `margin` is left, right, top, bottom."""
    return Figure(list(traces), {**QUIET, "height": height, "margin": margins(*margin), **layout})


def final(figure: Figure) -> Figure:
    """The figure, which is not to be changed any more: it is made a dictionary now, not each time
    that it is sent, which takes plotly longer than all else about it."""
    made = figure.to_dict()
    figure.to_dict = lambda: made
    return figure


def margins(left: int, right: int, top: int, bottom: int) -> Layout:
    """The margins of a figure in pixels."""
    return {"l": left, "r": right, "t": top, "b": bottom}


def beside(names: Sequence[str]) -> int:
    """The left margin for the names of rows, in plotly's markup. Where a browser has to widen it,
    it draws the whole chart a second time; very long names are left to that."""
    longest = max((len(Markup(name).striptags()) for name in names), default=0)
    return min(max(66, round(8 + 6.2 * longest)), 200)


def titled(figure: Figure, title: str, subtitle: str) -> Figure:
    """The figure below a title, for a picture that is used elsewhere; both are plain text."""
    about = {"text": str(escape(subtitle)), "font": {"size": 12}}
    heading = {"text": str(escape(title)), "font": {"size": 14}, "subtitle": about}
    figure.update_layout(
        title={**heading, "x": 0.01, "y": 0.97},
        margin_t=(figure.layout.margin.t or 0) + 56,
        height=(figure.layout.height or 0) + 56,
    )
    return figure


def on_paper(figure: Figure) -> Figure:
    """The figure in the light theme of a report."""
    return Figure(figure).update_layout(template=_PAPER)


def nothing() -> Figure:
    """An empty figure, which makes a browser load the script that draws the others."""
    return Figure()


# Names --------------------------------------------------------------------------------------------


def label(metric: str) -> str:
    """A metric's name on an axis."""
    return f"<b>{title(metric)}</b>"


def short(text: str, most: int = 28) -> str:
    """The beginning of a text, escaped."""
    return str(escape(text if len(text) <= most else f"{text[: most - 1].rstrip()}…"))


# Axes ---------------------------------------------------------------------------------------------


def columns(names: Sequence[str], **more: Any) -> Layout:
    """An x-axis with a name at each whole number from 0."""
    return {**FIXED, "tickvals": list(range(len(names))), "ticktext": list(names), **more}


def rows(names: Sequence[str], **more: Any) -> Layout:
    """A y-axis with a name at each whole number, 0 at the top."""
    down = {"range": [len(names) - 0.5, -0.5], "automargin": True, "ticksuffix": " "}
    return columns(names, **{**down, **more})


_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)  # how far apart, in percent

_MOST_TICKS = 7


def percents(low: float, high: float) -> Layout:
    """An axis of scores in percent: it may have room beyond 0 and 100, but no tick there."""
    step = next((step for step in _TICKS if high - low <= step * _MOST_TICKS), _TICKS[-1])
    first, last = math.ceil(max(low, 0) / step), math.floor(min(high, 100) / step)
    ticks = [round(step * number, 2) for number in range(first, last + 1)]
    return {**OPEN, "range": [low, high], "tickvals": ticks}


def percents_around(scores: "pd.Series[float]") -> Layout:
    """The same with room around scores, fractions; where there is none, as plotly draws it."""
    return percents(*with_room(scores.to_frame(), 0.06)) if len(scores) else {**OPEN}


# Beside long names of rows: a picture of the chart may be shown in a wider font than the page's.
ROOM: Layout = {"title": {"text": " ", "font": {"size": 18}}}


def with_room(table: pd.DataFrame, share: float) -> list[float]:
    """A range in percent with room for what is written beside the ends."""
    low, high = 100 * float(table.min().min()), 100 * float(table.max().max())
    room = share * max(high - low, 1)
    return [low - room, high + room]


# Marks --------------------------------------------------------------------------------------------


def marks(colour: Any, *, size: Any, symbol: Any = "circle", width: float = 2) -> Layout:
    """Markers with an outline in their own colour, so that open ones can be seen."""
    line = {"width": width, "color": colour}
    return {"symbol": symbol, "size": size, "color": colour, "line": line, "opacity": 1}


def points(x: Any, y: Any, hovers: Sequence[str], marker: Layout, **more: Any) -> go.Scatter:
    """Markers, each with its hover text."""
    texts = {"hovertext": hovers, "hoverinfo": "text"}
    return go.Scatter(**{"x": x, "y": y, "mode": "markers", "marker": marker, **texts, **more})


def heat_map(
    values: FloatArray,
    *,
    scale: Scale,
    within: tuple[float, float],
    gap: int = 2,
    text: Callable[[float], str] | None = None,
    hover: Callable[[int, int], str] | None = None,
    **more: Any,
) -> go.Heatmap:
    """Shaded cells: rows × columns, numbered from 0.

    text   of a value, written into its cell; hover  of (row, column), shown where pointed at
    """
    low, high = within
    look = {"colorscale": scale, "zmin": low, "zmax": high, "xgap": gap, "ygap": gap}
    if text:
        look |= {
            "texttemplate": "%{text}",
            "textfont": {"size": 12},
            "text": [[*map(text, row)] for row in values],
        }
    if hover:
        down, across = map(range, values.shape)
        look |= {"hovertext": [[hover(row, column) for column in across] for row in down]}
    info = "text" if hover else "skip"
    return go.Heatmap(**{"z": values, "showscale": False, "hoverinfo": info, **look, **more})


def clickable(
    cells: Sequence[Sequence[int]],
    hovers: Sequence[str],
    customdata: Sequence[object],
    *,
    size: float = 30,
    opacity: float = 0.004,
    colour: str = INK,
    **more: Any,
) -> go.Scatter:
    """A point over each cell (row, column), since a heat map cannot be clicked; a click selects a
    point, and plotly would fade the others: here a click only asks."""
    marker = {"symbol": "square", "size": size, "opacity": opacity, "color": colour}
    faded = {"unselected": {"marker": {"opacity": opacity}}}
    across, down = [column for _, column in cells], [row for row, _ in cells]
    return points(across, down, hovers, marker, customdata=customdata, **{**faded, **more})


def line(
    x0: float,
    x1: float,
    y: float | None = None,
    *,
    axis: str = "x",
    opacity: float = 1,
    **look: Any,
) -> Layout:
    """A line at a height; dotted from top to bottom without one."""
    ends = {"y0": 0, "y1": 1, "yref": "paper"} if y is None else {"y0": y, "y1": y, "yref": "y"}
    drawn = {"color": INK, "width": 1, "dash": "dot" if y is None else "solid", **look}
    place = {"type": "line", "x0": x0, "x1": x1, "xref": axis, **ends, "layer": "below"}
    return {**place, "opacity": opacity, "line": drawn}


def frame(x: float, y: float, half: tuple[float, float], **line: Any) -> Layout:
    """The outline of a cell: half its width and height."""
    across, down = half
    ends = {"x0": x - across, "x1": x + across, "y0": y - down, "y1": y + down}
    return {"type": "rect", **ends, "line": line}


def note(x: float, y: float, text: str, **more: Any) -> Layout:
    """A text at a place of the whole chart, from its left; `more` as plotly knows it."""
    paper = {"xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "left"}
    return {**paper, "x": x, "y": y, "text": text, **more}


def at_point(x: float, y: float, text: str, **more: Any) -> Layout:
    """A text at a place on the axes, from its left."""
    return note(x, y, text, **{"xref": "x", "yref": "y", **more})


def explained(text: str) -> Layout:
    """What the marks mean, above the chart's left end."""
    return note(0, 1, text, yanchor="bottom", yshift=4)


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
