"""Tables → plotly figures. No Streamlit here, and no arithmetic but of positions."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from corescore.metrics import METRIC_IDS, colour_of, name_of
from corescore.sentences.markup import escaped
from corescore.wording import RATIOS, fraction, percent

SHAPES = {"recall": "triangle-up", "precision": "triangle-down", "f1": "circle"}
CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "showSendToCloud": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "svg", "filename": "corescore"},
}
_PIXELS = {"svg": 1, "png": 3}  # to a pixel of the screen: 3 is sharp in print
_SIZES = {"recall": 9, "precision": 9, "f1": 14}
_WHISKER = 0.1  # half of its width; two metrics are 1 apart
_DRAWN = {(metric, "f1") for metric in METRIC_IDS}


def config(name: str, format: str = "svg") -> dict[str, Any]:
    """CONFIG for a chart whose camera saves "svg" or "png" under this name."""
    saved = {"format": format, "filename": name, "scale": _PIXELS[format]}
    return CONFIG | {"toImageButtonOptions": saved}


def titled(figure: go.Figure, title: str, subtitle: str) -> go.Figure:
    """The figure under its title, for a picture that leaves its page; both are plain text."""
    about = {"text": escape(subtitle), "font": {"size": 11}}
    figure.update_layout(
        title={
            "text": escape(title),
            "font": {"size": 14},
            "subtitle": about,
            "x": 0.01,
            "y": 0.97,
        },
        margin_t=(figure.layout.margin.t or 0) + 56,
        height=(figure.layout.height or 0) + 56,
    )
    return figure


def nothing() -> go.Figure:
    """An empty figure: it makes a browser load what draws the others."""
    return go.Figure()


def six_metrics(
    tables: Mapping[str, pd.DataFrame], intervals: Mapping[str, pd.DataFrame] | None = None
) -> go.Figure:
    """The six side by side: recall, precision and F1 of each system, told apart by shape.

    tables     score tables by the system's letter or name; the first is drawn filled, the second
               open.
    intervals  by letter, tables of `bootstrap.Intervals`: F1's is drawn as a
               whisker, all are said in the hover texts; none where there is none
    """
    figure = go.Figure()
    shapes: list[dict[str, Any]] = []
    ends = {
        (letter, row["metric"], row["measure"]): (row["bca_low"], row["bca_high"])
        for letter, table in (intervals or {}).items()
        for row in table.dropna().to_dict("records")
    }
    first = next(iter(tables))
    places = dict(zip(tables, (0.0,) if len(tables) == 1 else (-0.24, 0.24), strict=True))
    notes = []
    for letter, table in tables.items():
        rows = table.T
        for number, metric in enumerate(METRIC_IDS):
            x = number + places[letter]
            of_metric = {ratio: ends.get((letter, metric, ratio)) for ratio in RATIOS}
            shapes += _whisker(x, metric, of_metric["f1"])
            style = "" if letter == first else "-open"
            row = rows[metric]
            _add_metric(figure, x, letter, row, of_metric, style=style)
            notes.append(_f1_note(x, letter if len(tables) > 1 else "", row["f1"]))
    lowest = min(table.loc[list(METRIC_IDS), list(RATIOS)].min().min() for table in tables.values())
    lowest = min([lowest, *(ends[place][0] for place in ends if place[1:] in _DRAWN)])
    figure.update_layout(
        height=410,
        margin={"l": 60, "r": 8, "t": 34, "b": 84},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        shapes=shapes,
        annotations=notes,
        xaxis=metric_axis(standoff=22 if len(tables) == 1 else 38),
        yaxis={
            "title": "percent",
            "range": [max(0.0, 100 * lowest // 10 * 10) - 3, 103],
            "zeroline": False,
            "fixedrange": True,
        },
    )
    _explain_marks(figure, list(tables), whiskers=bool(ends))
    return figure


def metric_axis(*, standoff: int) -> dict[str, Any]:
    """An axis with the six; their names stand off by so many pixels."""
    return {
        "tickvals": list(range(len(METRIC_IDS))),
        "ticktext": [f"<b>{html_title(metric)}</b>" for metric in METRIC_IDS],
        "tickfont": {"size": 14},
        "ticklabelstandoff": standoff,
        "range": [-0.5, len(METRIC_IDS) - 0.5],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }


def _f1_note(x: float, letter: str, f1: float) -> dict[str, Any]:
    """F1 in figures under its column, where nothing can lie over it."""
    text = f"{letter}<br><b>{percent(f1)}</b>" if letter else f"F1 <b>{percent(f1)}</b>"
    place = {"x": x, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -4}
    return {**place, "text": text, "showarrow": False}


def _explain_marks(figure: go.Figure, letters: Sequence[str], *, whiskers: bool) -> None:
    systems = f" &nbsp; · &nbsp; {letters[0]} filled, {letters[1]} open" if letters[1:] else ""
    interval = " on its 95 % interval" if whiskers else ""
    explain(figure, f"▼ precision &nbsp; ● F1{interval} &nbsp; ▲ recall{systems}")


def explain(figure: go.Figure, marks: str) -> None:
    """Say above the chart's left end what its marks mean."""
    figure.add_annotation(
        x=0,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=4,
        text=marks,
        showarrow=False,
    )


def html_title(metric: str) -> str:
    """The metric's name in plotly's and HTML's mark-up."""
    return escaped(name_of(metric))


Ends = tuple[float, float]


def _whisker(x: float, metric: str, ends: Ends | None) -> list[dict[str, Any]]:
    """Between which values F1 lies: a pale bar with a line at each end, behind the marks."""
    if ends is None:
        return []
    low, high = (100 * end for end in ends)
    across = {"x0": x - _WHISKER, "x1": x + _WHISKER, "layer": "below"}
    line = {"type": "line", "opacity": 0.85, "line": {"color": colour_of(metric), "width": 2}}
    bar = {"type": "rect", "opacity": 0.22, "fillcolor": colour_of(metric), "line": {"width": 0}}
    return [
        {**across, **bar, "y0": low, "y1": high},
        *({**across, **line, "y0": y, "y1": y} for y in (low, high)),
    ]


def _add_metric(
    figure: go.Figure,
    x: float,
    letter: str,
    row: pd.Series,
    ends: Mapping[str, Ends | None],
    *,
    style: str,
) -> None:
    """A line from recall to precision with the three marks on it.

    row    of a score table, named by its metric
    style  "" for filled marks, "-open" for open ones
    """
    metric = str(row.name)
    figure.add_trace(
        go.Scatter(
            x=[x, x],
            y=[100 * row["recall"], 100 * row["precision"]],
            mode="lines",
            line={"color": colour_of(metric), "width": 2, "dash": "dot" if style else "solid"},
            opacity=0.5,
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[x] * len(RATIOS),
            y=[100 * row[ratio] for ratio in RATIOS],
            mode="markers",
            marker=_marker(metric, style),
            hovertext=[_hover(letter, metric, ratio, row, ends[ratio]) for ratio in RATIOS],
            hoverinfo="text",
            cliponaxis=False,
        )
    )


def _marker(metric: str, style: str) -> dict[str, Any]:
    return {
        "symbol": [SHAPES[ratio] + style for ratio in RATIOS],
        "size": [_SIZES[ratio] for ratio in RATIOS],
        "color": colour_of(metric),
        "line": {"width": 2, "color": colour_of(metric)},
        "opacity": 1,
    }


def _hover(letter: str, metric: str, ratio: str, row: pd.Series, ends: Ends | None) -> str:
    parts = (
        "" if ratio == "f1" else fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
    )
    value = f"{percent(row[ratio])} %"
    equals = f"{parts} = {value}" if parts else value
    interval = f"<br>95 % interval: {percent(ends[0])} to {percent(ends[1])}" if ends else ""
    return f"{letter}, {html_title(metric)} {RATIOS[ratio]}: {equals}{interval}"


def size_against_score(
    summaries: Mapping[str, pd.DataFrame], *, size: str, size_title: str, metric: str
) -> go.Figure:
    """A point a document: its size across, its F1 up; the first system filled, the second open.

    Each point carries its document's name as `customdata`.
    """
    figure = go.Figure()
    for letter, table in summaries.items():
        known = table[table[metric].notna()]
        figure.add_trace(
            go.Scatter(
                x=known[size],
                y=100 * known[metric],
                name=letter,
                mode="markers",
                marker={
                    "symbol": SHAPES["f1"] + ("" if letter == "A" else "-open"),
                    "size": 10,
                    "color": colour_of(metric),
                    "line": {"width": 2, "color": colour_of(metric)},
                    "opacity": 1,
                },
                customdata=list(known.index),
                hovertext=_document_hovers(known, letter, size, size_title, metric),
                hoverinfo="text",
            )
        )
    figure.update_layout(
        height=360,
        margin={"l": 56, "r": 12, "t": 36, "b": 48},
        showlegend=len(summaries) > 1,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": False},
        hovermode="closest",
        dragmode=False,
        xaxis={"title": f"{size_title} in the document", "zeroline": False},
        yaxis={"title": f"{html_title(metric)} F1, percent", "zeroline": False},
    )
    return figure


def _document_hovers(
    table: pd.DataFrame, letter: str, size: str, size_title: str, metric: str
) -> list[str]:
    return [
        f"{escape(str(name))}<br>{letter}, {html_title(metric)} F1: {percent(row[metric])} %"
        f"<br>{row[size]:,.0f} {size_title}"
        for name, row in table.iterrows()
    ]


MOST_ALIGNED = 40


def alignment(
    table: pd.DataFrame, key: Mapping[int, str], response: Mapping[int, str]
) -> go.Figure:
    """The pairs of entities that a CEAF aligns: key left, response right, a line for each pair.

    table  of `alignment_table`; the `MOST_ALIGNED` pairs of the greatest similarity are drawn.
    key, response  what the entities are called, by their numbers
    """
    shown = table.nlargest(MOST_ALIGNED, "similarity", keep="first").sort_values("key_entity")
    left = {number: -place for place, number in enumerate(shown["key_entity"])}
    right = {number: -place for place, number in enumerate(sorted(shown["response_entity"]))}
    widths = 1.5 + shown["shared"].clip(upper=10) / 2
    figure = go.Figure()
    for row, width in zip(shown.itertuples(), widths, strict=True):
        hover = (
            f"key entity {row.key_entity} – response entity {row.response_entity}"
            f"<br>{row.shared} shared, similarity {row.similarity:.3f}"
            f"{'<br>another alignment is as good' if row.tied else ''}"
        )
        ends = [left[row.key_entity], right[row.response_entity]]
        figure.add_trace(
            go.Scatter(
                x=[0, 0.5, 1],
                y=[ends[0], sum(ends) / 2, ends[1]],
                mode="lines+markers",
                marker={"size": [8, 0.1, 8], "opacity": [1, 0, 1]},
                line={
                    "color": colour_of("ceafe"),
                    "width": width,
                    "dash": "dash" if row.tied else "solid",
                },
                hovertext=hover,
                hoverinfo="text",
            )
        )
    labels = []
    for places, names, x, anchor in ((left, key, 0, "right"), (right, response, 1, "left")):
        for number, y in places.items():
            label = f"{number} {short(names[number])}"
            place = {"x": x, "y": y, "xanchor": anchor, "xshift": -9 if x == 0 else 9}
            labels.append({**place, "text": label, "showarrow": False})
    figure.update_layout(
        height=60 + 21 * len(shown),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        annotations=labels,
        xaxis={"visible": False, "range": [-0.8, 1.8], "fixedrange": True},
        yaxis={"visible": False, "fixedrange": True, "range": [0.8 - len(shown), 0.8]},
    )
    return figure


def faint(colour: str, opacity: float) -> str:
    """A colour such as "#0072B2" that lets through what is behind it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


def short(text: str, most: int = 28) -> str:
    """The beginning of a text, safe in plotly's mark-up."""
    return escape(text if len(text) <= most else f"{text[: most - 1].rstrip()}…")
