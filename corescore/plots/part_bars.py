"""Counts in parts, as bars → plotly figure. No Streamlit here."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from corescore.plots.charts import faint
from corescore.plots.compare_marks import FIXED, INK, note
from corescore.wording import count

_FAINT = "rgba(128, 134, 146, 0.22)"
_CLEAR = "rgba(128, 134, 146, 0)"


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
            **FIXED,
            "showticklabels": False,
            "range": [0, 100.4],
            "domain": [0, 0.76 - 0.055 * len(heads)],  # the numbers have the rest
        },
        yaxis={
            **FIXED,
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
    longest = [max(map(len, map(count, table[column])), default=0) for column in table]
    widths = [14 + 6.5 * max(len(head), n) for head, n in zip(heads, longest, strict=True)]
    at: dict[str, Any] = {"xref": "x domain", "xanchor": "right", "font": {"size": 12}}
    for head, column, end in zip(heads, table, accumulate(widths), strict=True):
        yield note(1, 1, escape(head), yanchor="bottom", yshift=1, xshift=end, **at)
        for row, n in enumerate(table[column]):
            yield note(1, row, count(n), yref="y", xshift=end, opacity=1 if n else 0.5, **at)


def _part_marker(kind: int, colours: Sequence[str]) -> dict[str, Any]:
    """How a part is filled: A's, those between, B's (−1)."""
    if kind in (0, -1):
        fills = [faint(colour, 0.62) if kind == 0 else _CLEAR for colour in colours]
        return {"color": fills, "line": {"color": list(colours), "width": 1.6}}
    pattern = {"shape": ("", "", "/", ".")[kind], "fgcolor": _FAINT, "bgcolor": _CLEAR, "size": 6}
    fill = _FAINT if kind == 1 else _CLEAR
    return {"color": fill, "pattern": pattern, "line": {"color": _FAINT, "width": 1}}
