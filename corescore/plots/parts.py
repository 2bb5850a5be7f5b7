"""Counts of each row in parts → bars of shares, with the counts beside them.

What two systems make of mentions is drawn so: A's part filled, B's open.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.plots.template import CLEAR, FIXED, INK, Layout, beside, chart, faint, note, rows
from corescore.wording import count

_FAINT = faint(INK, 0.22)
_LEGEND: Layout = {
    "orientation": "h",
    "xref": "container",
    "yref": "container",
    "xanchor": "left",
    "yanchor": "top",
    "itemclick": False,
    "itemdoubleclick": False,
    "itemwidth": 30,
    "font": {"size": 12},
}
_TOP = 62  # pixels: two lines of the legend, and the heads
_LINE, _A_LINE = 20, 3  # of the legend: pixels, and entries


def parts(
    table: pd.DataFrame, names: Sequence[str], colours: Sequence[str], *, heads: Sequence[str]
) -> go.Figure:
    """A bar for each row, a part for each column, as long as its share of the row: the first
    (A's) filled, the last (B's) open, those between paler. The counts stand beside the bar.
    What a part stands for, as `customdata`: the row and the column.

    names    of the rows, in plotly's markup
    colours  of the rows
    heads    above the counts of each column
    """
    kinds = [0, *range(1, len(table.columns) - 1), -1]
    legends = ["legend", *(f"legend{n}" for n in range(2, len(kinds) + 1))]
    height = _TOP + 8 + 30 * len(table)
    return chart(
        [
            trace
            for column, kind, legend in zip(table, kinds, legends, strict=True)
            for trace in (
                _bars(table, str(column), names, _fill(kind, colours)),
                go.Bar(x=[None], name=str(column), marker=_fill(kind, [INK]), legend=legend),
            )
        ],
        height=height,
        margin=(beside(names), round(sum(_widths(table, heads))) + 10, _TOP, 8),
        barmode="stack",
        showlegend=True,
        **{legend: _in_legend(n, height) for n, legend in enumerate(legends)},
        xaxis={
            **FIXED,
            "showticklabels": False,
            "range": [0, 100.4],
        },
        yaxis=rows(names, tickfont={"size": 13}),
        annotations=list(_counts(table, heads)),
    )


def _in_legend(entry: int, height: int) -> Layout:
    """The place of an entry: one legend of all would be as narrow as the bars, and break off."""
    line, at = divmod(entry, _A_LINE)
    return {**_LEGEND, "x": at / _A_LINE, "y": 1 - line * _LINE / height}


def _bars(table: pd.DataFrame, column: Any, names: Sequence[str], fill: Layout) -> go.Bar:
    total = table.sum(axis=1)
    return go.Bar(
        x=100 * table[column] / total.clip(lower=1),
        y=list(range(len(table))),
        orientation="h",
        width=0.74,
        showlegend=False,
        marker=fill,
        hovertext=[
            f"{name}: {escape(str(column))}, {count(n)} of {count(of)}"
            for name, n, of in zip(names, table[column], total, strict=True)
        ],
        hoverinfo="text",
        customdata=[[str(row), column] for row in table.index],
    )


def _counts(table: pd.DataFrame, heads: Sequence[str]) -> Iterator[Layout]:
    """The counts beside the bars, right-aligned below their heads."""
    at: Layout = {"xref": "x domain", "xanchor": "right", "font": {"size": 12}}
    for head, column, end in zip(heads, table, accumulate(_widths(table, heads)), strict=True):
        yield note(1, 1, str(escape(head)), yanchor="bottom", yshift=1, xshift=end, **at)
        for row, n in enumerate(table[column]):
            yield note(1, row, count(n), yref="y", xshift=end, opacity=1 if n else 0.5, **at)


def _widths(table: pd.DataFrame, heads: Sequence[str]) -> list[float]:
    """The pixels that each column of counts takes in the margin."""
    longest = [max(map(len, map(count, table[column])), default=0) for column in table]
    return [14 + 7.5 * max(len(head), n) for head, n in zip(heads, longest, strict=True)]


def _fill(kind: int, colours: Sequence[str]) -> Layout:
    """How a part is filled: A's (0), those between, B's (−1)."""
    if kind in (0, -1):
        fills = [faint(colour, 0.62) if kind == 0 else CLEAR for colour in colours]
        return {"color": fills, "line": {"color": list(colours), "width": 1.6}}
    pattern = {"shape": ("", "", "/", ".")[kind], "fgcolor": _FAINT, "bgcolor": CLEAR, "size": 6}
    fill = _FAINT if kind == 1 else CLEAR
    return {"color": fill, "pattern": pattern, "line": {"color": _FAINT, "width": 1}}
