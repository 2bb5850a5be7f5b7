"""The comparison of two responses → plotly figures: documents, chance, errors, and where metrics
disagree. No Streamlit here, and no arithmetic but of positions."""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from corescore.arrays import FloatArray
from corescore.metrics import colour_of
from corescore.plots.charts import faint, html_title
from corescore.plots.compare_marks import FIXED, INK, QUIET, label, line, note, with_room
from corescore.sentences import two_systems as verdicts
from corescore.wording import RATIOS, count, percent, signed

BARS = 61  # of the histogram; odd, so that one stands over 0
_SHADE = [[0, "rgba(82, 104, 214, 0)"], [1, "rgba(82, 104, 214, 0.62)"]]


# Documents ----------------------------------------------------------------------------------------


def documents(table: pd.DataFrame, metric: str, measure: str) -> go.Figure:
    """A point a document, A across and B up, with the diagonal; filled where A is ahead, open
    where B is, a diamond where they tie. Each carries its document's name as `customdata`.

    table  rows of `compared_documents` for one metric
    """
    known = table.dropna(subset=["a", "b"])
    symbols = {"A": "circle", "B": "circle-open", "tie": "diamond"}
    bounds = with_room(known[["a", "b"]], 0.06) if len(known) else [0, 100]
    figure = go.Figure(
        go.Scatter(
            x=100 * known["a"],
            y=100 * known["b"],
            mode="markers",
            marker={
                "symbol": [symbols.get(winner, "diamond") for winner in known["winner"]],
                "size": 11,
                "color": colour_of(metric),
                "line": {"width": 2, "color": colour_of(metric)},
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
        **QUIET,
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
    return note(x, y, text, font={"size": 12.5}, **ends, **domain, **inside)


def _document_hover(row: Mapping[Any, Any]) -> str:
    gap = f"by {percent(abs(row['difference']))} points"
    ahead = "they tie" if row["winner"] == "tie" else f"{row['winner']} is ahead {gap}"
    return (
        f"{escape(str(row['document']))}<br>A {percent(row['a'])} %, B {percent(row['b'])} %: "
        f"{ahead}<br>click to read it"
    )


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
    axis = {**FIXED, "tickvals": list(range(n)), "ticktext": names}
    figure.update_layout(
        **QUIET,
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
            marker={"color": faint(colour_of(metric), 0.55), "line": {"width": 0}},
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
        **QUIET,
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
                "line": {"color": colour_of(metric), "width": 2.5, "dash": dash},
            }
            for x, dash, _ in lines
        ],
        annotations=[
            note(100 * x, 1, text, xref="x", xanchor="center", yanchor="bottom", yshift=2)
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
        **QUIET,
        height=64 + 32 * len(table),
        margin={"l": 8, "r": 150, "t": 28, "b": 34},
        xaxis={"rangemode": "tozero", "fixedrange": True, "zeroline": False},
        yaxis={
            **FIXED,
            "tickvals": rows,
            "ticktext": list(table.index),
            "tickfont": {"size": 13},
            "range": [len(table) - 0.5, -0.5],
            "automargin": True,
            "ticksuffix": "  ",
        },
        shapes=[
            line(x0=a, x1=b, y=row, width=2.5, opacity=0.5)
            for row, (a, b) in enumerate(zip(table["a"], table["b"], strict=True))
        ],
        annotations=[
            note(0, 1, "● A &nbsp; ○ B", yanchor="bottom", yshift=2, font={"size": 12.5}),
            note(1, 1, "A &nbsp;→&nbsp; B", yanchor="bottom", yshift=2, xshift=14),
            *(
                note(
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
