"""The comparison of two systems → plotly figures. No Streamlit here, and no arithmetic but of
positions."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from corescore.arrays import FloatArray
from corescore.dashboard import verdicts
from corescore.dashboard.charts import COLOURS, html_title
from corescore.dashboard.wording import RATIOS, count, percent, signed

INK = COLOURS["conll"]
BARS = 61  # of the histogram; odd, so that one stands over 0
_FAINT = "rgba(128, 134, 146, 0.22)"
_CLEAR = "rgba(128, 134, 146, 0)"
_SHADE = [[0, "rgba(82, 104, 214, 0)"], [1, "rgba(82, 104, 214, 0.62)"]]
_QUIET: dict[str, Any] = {"showlegend": False, "hovermode": "closest", "dragmode": False}
_FIXED: dict[str, Any] = {"zeroline": False, "fixedrange": True, "showgrid": False, "ticks": ""}


def label(metric: str) -> str:
    """A metric's name on an axis."""
    return f"<b>{'CoNLL' if metric == 'conll' else html_title(metric)}</b>"


# The six ------------------------------------------------------------------------------------------


def dumbbells(table: pd.DataFrame, measure: str) -> go.Figure:
    """A row a metric: A filled and B open, their difference with its interval, and its p in words.

    table  rows of `Pair.significance` for one measure, by metric
    """
    figure = make_subplots(cols=2, shared_yaxes=True, column_widths=[0.58, 0.42])
    rows = list(range(len(table)))
    colours = [COLOURS[metric] for metric in table.index]
    for letter, column in (("A", "a"), ("B", "b")):
        figure.add_trace(_ends(table, letter, column, measure, colours), row=1, col=1)
    figure.add_trace(_differences(table, colours), row=1, col=2)
    figure.update_layout(
        **_QUIET,
        height=52 + 47 * len(table),
        margin={"l": 8, "r": 158, "t": 30, "b": 22},
        shapes=[*_bars(table, colours), *_whiskers(table, colours), _line(x0=0, x1=0, axis=2)],
        annotations=[*_headings(), *_figures(table)],
    )
    figure.update_xaxes(**_FIXED, showticklabels=False)
    figure.update_xaxes(range=_with_room(table[["a", "b"]], 0.42), col=1)
    spread = table[["difference", "bca_low", "bca_high"]].assign(zero=0)
    figure.update_xaxes(range=_with_room(spread, 0.1), col=2)
    figure.update_yaxes(**_FIXED, range=[len(table) - 0.45, -0.6])
    figure.update_yaxes(
        col=1, tickvals=rows, ticktext=[label(m) for m in table.index], tickfont={"size": 14}
    )
    return figure


def _with_room(table: pd.DataFrame, share: float) -> list[float]:
    """A range in percent with room for what is written beside the ends."""
    low, high = 100 * float(table.min().min()), 100 * float(table.max().max())
    room = share * max(high - low, 1)
    return [low - room, high + room]


def _ends(
    table: pd.DataFrame, letter: str, column: str, measure: str, colours: Sequence[str]
) -> go.Scatter:
    """The marks of one system, its score written on the side away from the other's."""
    other = {"a": "b", "b": "a"}[column]
    is_left = table[column] < table[other]
    is_left |= (table[column] == table[other]) & (letter == "A")
    names = [f"{letter} {percent(value)}" for value in table[column]]
    return go.Scatter(
        x=100 * table[column],
        y=list(range(len(table))),
        mode="markers+text",
        text=[f"{n}  " if left else f"  {n}" for n, left in zip(names, is_left, strict=True)],
        textposition=[f"middle {'left' if left else 'right'}" for left in is_left],
        textfont={"size": 12.5},
        marker={
            "symbol": "circle" if letter == "A" else "circle-open",
            "size": 13,
            "color": list(colours),
            "line": {"width": 2.5, "color": list(colours)},
            "opacity": 1,
        },
        hovertext=[
            f"{letter}, {html_title(metric)} {RATIOS[measure]}: {percent(value)} %"
            for metric, value in table[column].items()
        ],
        hoverinfo="text",
        cliponaxis=False,
    )


def _differences(table: pd.DataFrame, colours: Sequence[str]) -> go.Scatter:
    return go.Scatter(
        x=100 * table["difference"],
        y=list(range(len(table))),
        mode="markers+text",
        text=[signed(value) for value in table["difference"]],
        textposition="top center",
        textfont={"size": 12.5},
        marker={"symbol": "diamond", "size": 10, "color": list(colours), "opacity": 1},
        hovertext=[_difference_hover(row) for _, row in table.iterrows()],
        hoverinfo="text",
        cliponaxis=False,
    )


def _difference_hover(row: pd.Series) -> str:
    lines = [
        f"{html_title(str(row.name))}: B − A = {signed(row['difference'])} points",
        f"95 % interval (BCa): {signed(row['bca_low'])} to {signed(row['bca_high'])}",
        f"percentile interval: {signed(row['low'])} to {signed(row['high'])}",
        f"randomisation: {_p(row['p'])}",
        f"documents: A {row['wins_a']}, tie {row['ties']}, B {row['wins_b']}; "
        f"sign test: {_p(row['p_sign'])}",
    ]
    if row["p_holm"] == row["p_holm"]:
        lines[3] += f", after Holm {_p(row['p_holm'])}"
    return "<br>".join(lines)


def _p(p: float) -> str:
    return escape(verdicts.p_value(p))


def _bars(table: pd.DataFrame, colours: Sequence[str]) -> list[dict[str, Any]]:
    ends = zip(table["a"], table["b"], strict=True)
    return [
        _line(x0=100 * a, x1=100 * b, y=row, colour=colours[row], width=3, opacity=0.5)
        for row, (a, b) in enumerate(ends)
    ]


def _whiskers(table: pd.DataFrame, colours: Sequence[str]) -> list[dict[str, Any]]:
    ends = zip(table["bca_low"], table["bca_high"], strict=True)
    return [
        _line(x0=100 * low, x1=100 * high, y=row, colour=colours[row], width=3, axis=2)
        for row, (low, high) in enumerate(ends)
        if low == low
    ]


def _line(
    *,
    x0: float,
    x1: float,
    y: float | None = None,
    axis: int = 1,
    colour: str = INK,
    width: float = 1,
    opacity: float = 1,
) -> dict[str, Any]:
    """A line at a height; from top to bottom without one."""
    place = "" if axis == 1 else str(axis)
    whole = y is None
    return {
        "type": "line",
        "x0": x0,
        "x1": x1,
        "y0": 0 if whole else y,
        "y1": 1 if whole else y,
        "xref": f"x{place}",
        "yref": "paper" if whole else "y",
        "layer": "below",
        "opacity": opacity,
        "line": {"color": colour, "width": width, "dash": "dot" if whole else "solid"},
    }


def _note(x: float, y: float, text: str, **more: Any) -> dict[str, Any]:
    paper = {"xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "left"}
    return {**paper, "x": x, "y": y, "text": text, **more}


def _headings() -> list[dict[str, Any]]:
    above = {"yanchor": "bottom", "yshift": 2, "font": {"size": 12.5}}
    below = {"yanchor": "top", "yshift": -2, "font": {"size": 12}}
    return [
        _note(0, 1, "● A &nbsp; ○ B &nbsp; percent", **above),
        _note(0.605, 1, "B − A in points, 95 % interval", **above),
        _note(1, 1, "p, after Holm", xshift=14, **above),
        _note(0, 0, "◄ A ahead", xref="x2", **{**below, "xanchor": "right", "xshift": -4}),
        _note(0, 0, "B ahead ►", xref="x2", **below, xshift=4),
    ]


def _figures(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The p-values beside the rows, with a mark and a word for what chance hardly makes."""
    beside = {"yref": "y", "xshift": 14, "align": "left", "font": {"size": 12}}
    return [
        _note(1, row, _p_in_words(of), **beside) for row, (_, of) in enumerate(table.iterrows())
    ]


def _p_in_words(row: pd.Series) -> str:
    """The p-value with a mark where chance hardly makes the difference, and below it a word."""
    p, word = _p(verdicts.corrected(row)), verdicts.luck(row)
    first = f"<b>✱ {p}</b>" if word == verdicts.UNLIKELY else p
    if row["p_holm"] == row["p_holm"]:
        return f"{first}<br>{word}"
    return f"{first}<br>{word}, before the<br>correction for six tests"


# Documents ----------------------------------------------------------------------------------------


def documents(table: pd.DataFrame, metric: str, measure: str) -> go.Figure:
    """A point a document, A across and B up, with the diagonal; filled where A is ahead, open
    where B is, a diamond where they tie. Each carries its document's name as `customdata`.

    table  rows of `compared_documents` for one metric
    """
    known = table.dropna(subset=["a", "b"])
    symbols = {"A": "circle", "B": "circle-open", "tie": "diamond"}
    bounds = _with_room(known[["a", "b"]], 0.06) if len(known) else [0, 100]
    figure = go.Figure(
        go.Scatter(
            x=100 * known["a"],
            y=100 * known["b"],
            mode="markers",
            marker={
                "symbol": [symbols.get(winner, "diamond") for winner in known["winner"]],
                "size": 11,
                "color": COLOURS[metric],
                "line": {"width": 2, "color": COLOURS[metric]},
                "opacity": 1,
            },
            unselected={"marker": {"opacity": 1}},
            customdata=known["document"].astype(str).tolist(),
            hovertext=[_document_hover(row) for row in known.to_dict("records")],
            hoverinfo="text",
        )
    )
    title = f"{html_title(metric)} {RATIOS[measure]}, percent"
    axis = {"range": bounds, "zeroline": False, "fixedrange": True, "nticks": 7}
    figure.update_layout(
        **_QUIET,
        height=400,
        margin={"l": 56, "r": 8, "t": 8, "b": 46},
        clickmode="event+select",
        xaxis={**axis, "title": f"A: {title}", "constrain": "domain"},
        yaxis={**axis, "title": f"B: {title}", "scaleanchor": "x", "constrain": "domain"},
        shapes=[
            {
                "type": "line",
                "x0": bounds[0],
                "x1": bounds[1],
                "y0": bounds[0],
                "y1": bounds[1],
                "layer": "below",
                "line": {"color": INK, "width": 1, "dash": "dot"},
            }
        ],
        annotations=[
            _corner("○ B ahead", 0, 1),
            _corner("● A ahead", 1, 0),
        ],
    )
    return figure


def _corner(text: str, x: int, y: int) -> dict[str, Any]:
    ends = {"xanchor": ("left", "right")[x], "yanchor": ("bottom", "top")[y]}
    domain = {"xref": "x domain", "yref": "y domain"}
    inside = {"xshift": (8, -8)[x], "yshift": (6, -6)[y]}
    return _note(x, y, text, font={"size": 12.5}, **ends, **domain, **inside)


def _document_hover(row: Mapping[str, Any]) -> str:
    gap = f"by {percent(abs(row['difference']))} points"
    ahead = "they tie" if row["winner"] == "tie" else f"{row['winner']} is ahead {gap}"
    return (
        f"{escape(str(row['document']))}<br>A {percent(row['a'])} %, B {percent(row['b'])} %: "
        f"{ahead}<br>click to read it"
    )


# Counts in parts ----------------------------------------------------------------------------------


def parts(
    table: pd.DataFrame, names: Sequence[str], colours: Sequence[str], *, heads: Sequence[str]
) -> go.Figure:
    """A row a bar, cut into as many parts as there are columns, each as a share of the row: the
    first (A's) filled, the last (B's) open, those between paler. The numbers stand beside it.

    names    of the rows, in plotly's mark-up
    colours  of the rows
    heads    what stands over the numbers of each column
    """
    figure = go.Figure()
    rows = list(range(len(table)))
    total = table.sum(axis=1)
    for number, column in enumerate(table.columns):
        kind = 0 if number == 0 else -1 if number == len(table.columns) - 1 else number
        figure.add_trace(
            go.Bar(
                x=100 * table[column] / total.clip(lower=1),
                y=rows,
                orientation="h",
                width=0.74,
                showlegend=False,
                marker=_part_marker(kind, colours),
                hovertext=[
                    f"{name}: {escape(str(column))}, {count(n)} of {count(of)}"
                    for name, n, of in zip(names, table[column], total, strict=True)
                ],
                hoverinfo="text",
            )
        )
        # What the legend shows: no row's colour
        figure.add_trace(go.Bar(x=[None], name=str(column), marker=_part_marker(kind, [INK])))
    top = 62  # two lines of the legend, and the heads
    figure.update_layout(
        height=top + 8 + 30 * len(table),
        margin={"l": 8, "r": 16, "t": top, "b": 8},
        barmode="stack",
        hovermode="closest",
        dragmode=False,
        legend={
            "orientation": "h",
            "yref": "container",
            "x": 0,
            "y": 1,
            "xanchor": "left",
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
            "itemwidth": 30,
            "font": {"size": 11},
            "traceorder": "normal",
        },
        xaxis={
            **_FIXED,
            "showticklabels": False,
            "range": [0, 100.4],
            "domain": [0, 0.76 - 0.055 * len(heads)],  # the numbers have the rest
        },
        yaxis={
            **_FIXED,
            "tickvals": rows,
            "ticktext": list(names),
            "tickfont": {"size": 13},
            "range": [len(table) - 0.5, -0.5],
            "automargin": True,
            "ticksuffix": " ",
        },
        annotations=list(_numbers(table, heads)),
    )
    return figure


def _numbers(table: pd.DataFrame, heads: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The numbers beside the bars under their heads, those of a column below each other."""
    longest = [max(map(len, map(count, table[column]))) for column in table]
    widths = [14 + 6.5 * max(len(head), n) for head, n in zip(heads, longest, strict=True)]
    at: dict[str, Any] = {"xref": "x domain", "xanchor": "right", "font": {"size": 12}}
    for head, column, end in zip(heads, table, accumulate(widths), strict=True):
        yield _note(1, 1, escape(head), yanchor="bottom", yshift=1, xshift=end, **at)
        for row, n in enumerate(table[column]):
            yield _note(1, row, count(n), yref="y", xshift=end, opacity=1 if n else 0.5, **at)


def _part_marker(kind: int, colours: Sequence[str]) -> dict[str, Any]:
    """How a part is filled: A's, those between, B's (−1)."""
    if kind in (0, -1):
        fill = [_faint(colour, 0.62) if kind == 0 else _CLEAR for colour in colours]
        return {"color": fill, "line": {"color": list(colours), "width": 1.6}}
    pattern = {"shape": ("", "", "/", ".")[kind], "fgcolor": _FAINT, "bgcolor": _CLEAR, "size": 6}
    fill = _FAINT if kind == 1 else _CLEAR
    return {"color": fill, "pattern": pattern, "line": {"color": _FAINT, "width": 1}}


def _faint(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# Where metrics disagree ---------------------------------------------------------------------------


def disagreements(table: pd.DataFrame, chosen: tuple[str, str]) -> go.Figure:
    """On how many documents each two metrics name different winners, the chosen two framed.

    table  of `disagreement_counts`. A point over each number carries its two metrics.
    """
    names = [label(metric) for metric in table.index]
    n = len(names)
    lower = table.to_numpy().astype(float)
    lower[np.triu_indices(n)] = np.nan
    cells = [(row, column) for row in range(n) for column in range(row)]
    figure = go.Figure(
        go.Heatmap(
            z=lower,
            colorscale=_SHADE,
            zmin=0,
            zmax=max(float(np.nanmax(lower)), 1.0),
            showscale=False,
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[column for _, column in cells],
            y=[row for row, _ in cells],
            mode="markers+text",
            text=[count(lower[cell]) for cell in cells],
            marker={"symbol": "square", "size": 30, "opacity": 0.004, "color": INK},
            unselected={"marker": {"opacity": 0.004}},
            customdata=[[table.index[row], table.index[column]] for row, column in cells],
            hovertext=[
                f"{names[row]} and {names[column]}: other winners on {count(lower[row, column])}"
                "<br>click to list them"
                for row, column in cells
            ],
            hoverinfo="text",
        )
    )
    at = sorted(list(table.index).index(metric) for metric in chosen)
    frame = {"x0": at[0] - 0.46, "x1": at[0] + 0.46, "y0": at[1] - 0.46, "y1": at[1] + 0.46}
    axis = {**_FIXED, "tickvals": list(range(n)), "ticktext": names}
    figure.update_layout(
        **_QUIET,
        height=54 + 38 * n,
        margin={"l": 8, "r": 8, "t": 8, "b": 34},
        clickmode="event+select",
        xaxis={**axis, "range": [-0.5, n - 1.5]},
        yaxis={**axis, "range": [n - 0.5, 0.5], "automargin": True, "ticksuffix": " "},
        shapes=[{"type": "rect", **frame, "line": {"color": INK, "width": 2}}],
    )
    return figure


# Chance -------------------------------------------------------------------------------------------


def randomised(differences: FloatArray, observed: float, metric: str) -> go.Figure:
    """How often chance made which difference, the observed one as a line, its mirror dashed."""
    most = 1.12 * max(float(abs(differences).max()), abs(observed), 1e-4)
    n, edges = np.histogram(100 * differences, BARS, (-100 * most, 100 * most))
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=n,
            width=0.94 * (edges[1] - edges[0]),
            marker={"color": _faint(COLOURS[metric], 0.55), "line": {"width": 0}},
            hovertext=[
                f"{count(number)} exchanges: from {low:.2f} to {high:.2f} points"
                for number, low, high in zip(n, edges, edges[1:], strict=False)
            ],
            hoverinfo="text",
        )
    )
    lines = [(observed, "solid", f"observed<br><b>{signed(observed)}</b>")]
    if observed:
        lines.append((-observed, "dash", "as large,<br>for the other"))
    figure.update_layout(
        **_QUIET,
        height=270,
        margin={"l": 56, "r": 8, "t": 40, "b": 44},
        xaxis={
            "title": "B − A by chance, points",
            "zeroline": False,
            "fixedrange": True,
            "range": [-100 * most, 100 * most],
        },
        yaxis={"title": "exchanges", "zeroline": False, "fixedrange": True},
        shapes=[
            {
                "type": "line",
                "x0": 100 * x,
                "x1": 100 * x,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": COLOURS[metric], "width": 2.5, "dash": dash},
            }
            for x, dash, _ in lines
        ],
        annotations=[
            _note(100 * x, 1, text, xref="x", xanchor="center", yanchor="bottom", yshift=2)
            for x, _, text in lines
        ],
    )
    return figure


# Errors -------------------------------------------------------------------------------------------


def errors(table: pd.DataFrame) -> go.Figure:
    """A row a kind of error: how many A makes (filled) and B (open), and the difference.

    table  of `compared_errors`
    """
    rows = list(range(len(table)))
    figure = go.Figure()
    for letter, column, symbol in (("A", "a", "circle"), ("B", "b", "circle-open")):
        figure.add_trace(
            go.Scatter(
                x=table[column],
                y=rows,
                mode="markers",
                marker={
                    "symbol": symbol,
                    "size": 12,
                    "color": INK,
                    "line": {"width": 2.5, "color": INK},
                    "opacity": 1,
                },
                hovertext=[f"{letter}, {kind}: {count(n)}" for kind, n in table[column].items()],
                hoverinfo="text",
                cliponaxis=False,
            )
        )
    both = zip(table["a"], table["b"], table["difference"], strict=True)
    figure.update_layout(
        **_QUIET,
        height=64 + 32 * len(table),
        margin={"l": 8, "r": 150, "t": 28, "b": 34},
        xaxis={"rangemode": "tozero", "fixedrange": True, "zeroline": False},
        yaxis={
            **_FIXED,
            "tickvals": rows,
            "ticktext": list(table.index),
            "tickfont": {"size": 13},
            "range": [len(table) - 0.5, -0.5],
            "automargin": True,
            "ticksuffix": "  ",
        },
        shapes=[
            _line(x0=a, x1=b, y=row, width=2.5, opacity=0.5)
            for row, (a, b) in enumerate(zip(table["a"], table["b"], strict=True))
        ],
        annotations=[
            _note(0, 1, "● A &nbsp; ○ B", yanchor="bottom", yshift=2, font={"size": 12.5}),
            _note(1, 1, "A &nbsp;→&nbsp; B", yanchor="bottom", yshift=2, xshift=14),
            *(
                _note(
                    1,
                    row,
                    f"{count(a)} → {count(b)} &nbsp;<b>{verdicts.change(gap)}</b>",
                    yref="y",
                    xshift=14,
                )
                for row, (a, b, gap) in enumerate(both)
            ),
        ],
    )
    return figure
