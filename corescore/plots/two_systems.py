"""The comparison of two systems → figures: documents, chance, errors, and where metrics disagree.

A is drawn filled, B open.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.arrays import FloatArray
from corescore.metrics import colour_of
from corescore.plots.template import (
    INK,
    OPEN,
    SHADE,
    Layout,
    beside,
    chart,
    columns,
    explained,
    faint,
    frame,
    heat_map,
    label,
    line,
    marks,
    note,
    points,
    rows,
    with_room,
)
from corescore.sentences.names import title
from corescore.wording import RATIOS, count, gap_points, percent, signed, signed_count, written

BARS = 61  # of the histogram; odd, so that one stands over 0

# Documents ----------------------------------------------------------------------------------------


def documents(table: pd.DataFrame, metric: str, measure: str) -> go.Figure:
    """A point for each document, A across and B up, with the diagonal; filled where A is ahead,
    open where B is, a diamond where they tie. Each carries its document's name as `customdata`.

    table  rows of `compared_documents` for one metric
    """
    known = table.dropna(subset=["a", "b"])
    symbols = {"A": "circle", "B": "circle-open", "tie": "diamond"}
    low, high = bounds = with_room(known[["a", "b"]], 0.06) if len(known) else [0, 100]
    look = marks(
        colour_of(metric), size=11, symbol=[symbols.get(w, "diamond") for w in known["winner"]]
    )
    names = f"{title(metric)} {RATIOS[measure]}, percent"
    axis = {**OPEN, "range": bounds, "nticks": 7, "constrain": "domain"}
    diagonal = {"type": "line", "x0": low, "x1": high, "y0": low, "y1": high, "layer": "below"}
    return chart(
        [
            points(
                100 * known["a"],
                100 * known["b"],
                [_document_hover(row) for row in known.to_dict("records")],
                look,
                unselected={"marker": {"opacity": 1}},
                customdata=known["document"].astype(str).tolist(),
            )
        ],
        height=400,
        margin=(64, 8, 26, 64),
        clickmode="event+select",
        xaxis={**axis, "title": f"A: {names}"},
        yaxis={**axis, "title": f"B: {names}", "scaleanchor": "x"},
        shapes=[{**diagonal, "line": {"color": INK, "width": 1, "dash": "dot"}}],
        annotations=[
            {**explained("● A ahead &nbsp; ○ B ahead"), "xref": "x domain", "yref": "y domain"}
        ],
    )


def _document_hover(row: Mapping[Any, Any]) -> str:
    gap = f"by {gap_points(row['difference'])}"
    ahead = "they tie" if row["winner"] == "tie" else f"{row['winner']} is ahead {gap}"
    return (
        f"{escape(str(row['document']))}<br>A {percent(row['a'])}%, B {percent(row['b'])}%: "
        f"{ahead}<br>click to read it"
    )


# Where metrics disagree ---------------------------------------------------------------------------


def disagreements(table: pd.DataFrame, selected: tuple[str, str]) -> go.Figure:
    """On how many documents each two metrics name different winners, the selected two framed.

    table  of `disagreement_counts`. A point over each number carries its two metrics.
    """
    names = [label(metric) for metric in table.index]
    n = len(names)
    lower = table.to_numpy().astype(float)
    lower[np.triu_indices(n)] = np.nan
    most = max(float(np.nanmax(lower)), 1.0)
    across, down = sorted(list(table.index).index(metric) for metric in selected)
    return chart(
        [heat_map(lower, scale=SHADE, within=(0, most)), _clickable(table, lower, names)],
        height=54 + 38 * n,
        margin=(beside(names), 8, 8, 36),
        clickmode="event+select",
        xaxis=columns(names, range=[-0.5, n - 1.5]),
        yaxis=rows(names, range=[n - 0.5, 0.5]),
        shapes=[frame(across, down, (0.46, 0.46), color=INK, width=2)],
    )


def _clickable(table: pd.DataFrame, lower: FloatArray, names: list[str]) -> go.Scatter:
    """The numbers of the cells; each carries its two metrics as `customdata`."""
    cells = [(row, column) for row in range(len(names)) for column in range(row)]
    return points(
        [column for _, column in cells],
        [row for row, _ in cells],
        [
            f"{names[row]} and {names[column]}: different winners on {count(lower[row, column])}"
            "<br>click to list them"
            for row, column in cells
        ],
        {"symbol": "square", "size": 30, "opacity": 0.004, "color": INK},
        mode="markers+text",
        text=[count(lower[cell]) for cell in cells],
        unselected={"marker": {"opacity": 0.004}},
        customdata=[[table.index[row], table.index[column]] for row, column in cells],
    )


# Chance -------------------------------------------------------------------------------------------


def randomised(differences: FloatArray, observed: float, metric: str) -> go.Figure:
    """How often chance made which difference, the observed one as a line, its mirror dashed."""
    most = _farthest(differences, observed)
    ends = [(observed, "solid", f"observed<br><b>{signed(observed)}</b>")]
    if observed:
        ends.append((-observed, "dash", "as large,<br>for the other"))
    look: Layout = {"color": colour_of(metric), "width": 2.5}
    above = {"xref": "x", "xanchor": "center", "yanchor": "bottom", "yshift": 2}
    bars = randomised_table(differences, observed)
    step = 1 if bars["exchanges"].max() < 6 else None  # no half exchanges
    return chart(
        [_histogram(bars, metric)],
        height=270,
        margin=(76, 8, 40, 64),
        xaxis={**OPEN, "title": "B − A by chance, points", "range": [-100 * most, 100 * most]},
        yaxis={**OPEN, "title": "exchanges", "dtick": step},
        shapes=[
            {**line(100 * x, 100 * x, dash=dash, **look), "layer": "above"} for x, dash, _ in ends
        ],
        annotations=[note(100 * x, 1, text, **above) for x, _, text in ends],
    )


def randomised_table(differences: FloatArray, observed: float) -> pd.DataFrame:
    """A row for each bar of `randomised`: from and to, in points, and its number of exchanges."""
    most = 100 * _farthest(differences, observed)
    n, edges = np.histogram(100 * differences, BARS, (-most, most))
    return pd.DataFrame({"from": edges[:-1], "to": edges[1:], "exchanges": n})


def _farthest(differences: FloatArray, observed: float) -> float:
    return 1.12 * max(float(abs(differences).max()), abs(observed), 1e-4)


def _histogram(bars: pd.DataFrame, metric: str) -> go.Bar:
    low, high = bars["from"], bars["to"]
    return go.Bar(
        x=(low + high) / 2,
        y=bars["exchanges"],
        width=0.94 * (high[0] - low[0]),
        marker={"color": faint(colour_of(metric), 0.55), "line": {"width": 0}},
        hovertext=[
            f"{count(number)} exchanges: from {written(low)} to {written(high)} points"
            for low, high, number in bars.itertuples(index=False)
        ],
        hoverinfo="text",
    )


# Errors -------------------------------------------------------------------------------------------


def errors(table: pd.DataFrame) -> go.Figure:
    """A row for each kind of error: how many A makes (filled) and B (open), and the difference.

    table  of `compared_errors`; each point carries (letter, kind) as `customdata`
    """
    traces = [
        points(
            table[column],
            list(range(len(table))),
            [f"{letter}, {kind}: {count(n)}" for kind, n in table[column].items()],
            marks(INK, size=12, symbol=symbol, width=2.5),
            cliponaxis=False,
            customdata=[[letter, str(kind)] for kind in table.index],
        )
        for letter, column, symbol in (("A", "a", "circle"), ("B", "b", "circle-open"))
    ]
    both = list(zip(table["a"], table["b"], table["difference"], strict=True))
    names = list(map(str, table.index))
    changes = [f"{count(a)} → {count(b)} &nbsp;<b>{signed_count(gap)}</b>" for a, b, gap in both]
    return chart(
        traces,
        height=64 + 32 * len(table),
        margin=(beside(names), 150, 28, 40),
        clickmode="event+select",
        xaxis={**OPEN, "rangemode": "tozero"},
        yaxis=rows(names, tickfont={"size": 13}, ticksuffix="  "),
        shapes=[line(a, b, row, width=2.5, opacity=0.5) for row, (a, b, _) in enumerate(both)],
        annotations=[
            note(0, 1, "● A &nbsp; ○ B", yanchor="bottom", yshift=2, font={"size": 12.5}),
            note(1, 1, "A &nbsp;→&nbsp; B", yanchor="bottom", yshift=2, xshift=14),
            *(note(1, row, text, yref="y", xshift=14) for row, text in enumerate(changes)),
        ],
    )
