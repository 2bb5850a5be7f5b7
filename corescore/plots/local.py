"""How much of a score is local → figures: by window, by distance or size, and along a text."""

import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Figure

from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots.template import (
    OPEN,
    SHADE,
    Tables,
    apart,
    at_point,
    chart,
    clickable,
    columns,
    explained,
    heat_map,
    label,
    marks,
    points,
    rows,
)
from corescore.sentences.names import title
from corescore.util import FloatArray
from corescore.wording import counted, percent

_LOOKS = (("solid", "circle"), ("dot", "circle-open"))


def by_window(tables: Tables) -> Figure:
    """F1 by the words of a window, a line for each of the six; the last point is of whole texts.

    tables  `corescore.analysis.long_documents.by_window` by the system's letter; the first is drawn
            solid, the second dotted
    """
    traces, ends = [], []
    first, *_ = tables.values()
    sizes = first["words"].drop_duplicates()
    names = ["whole" if pd.isna(words) else f"{words:,}" for words in sizes]
    for (letter, table), (dash, symbol) in zip(tables.items(), _LOOKS, strict=False):
        for metric in METRIC_IDS:
            f1 = table[table["metric"] == metric]["f1"]
            colour = colour_of(metric)
            hovers = [
                f"{letter}, {title(metric)} F1, windows of {name} words: {percent(value)}%"
                for name, value in zip(names, f1, strict=True)
            ]
            traces.append(
                points(
                    [*range(len(names))],
                    100 * f1,
                    hovers,
                    marks(colour, size=7, symbol=symbol),
                    mode="lines+markers",
                    line={"color": colour, "dash": dash, "width": 2},
                )
            )
            if dash == "solid":
                ends.append((100 * float(f1.iloc[-1]), metric))
    ends.sort()
    heights = apart([y for y, _ in ends], gap=2.4, within=(0, 100))  # no name over another
    signs = ("● solid", "○ dotted")
    meaning = " &nbsp; ".join(f"{of}: {sign}" for of, sign in zip(tables, signs, strict=False))
    legend = [explained(meaning)] if len(tables) > 1 else []
    return chart(
        traces,
        height=360,
        margin=(56, 90, 30, 48),
        xaxis=columns(names, title="words of a window", range=[-0.3, len(names) - 0.7]),
        yaxis={**OPEN, "title": "F1, percent"},
        annotations=[
            *legend,
            *(
                at_point(
                    len(names) - 1, y, label(metric), font={"color": colour_of(metric)}, xshift=10
                )
                for y, (_, metric) in zip(heights, ends, strict=True)
            ),
        ],
    )


def by_group(table: pd.DataFrame, by: str) -> Figure:
    """The share of the credit mentions could earn: one row per metric, one column per group of
    mentions by "distance" or "size"."""
    shown = [*table.loc[table["mentions"] > 0, by].drop_duplicates()]
    names = [metric for metric in METRIC_IDS if metric in set(table["metric"])]
    values: FloatArray = (
        table.pivot(index="metric", columns=by, values="share")
        .loc[names, shown]
        .to_numpy(dtype=float)
    )
    sizes = table.drop_duplicates(by).set_index(by)["mentions"]
    heads = [f"{name}<br>{counted(sizes[name])}" for name in shown]
    cells = heat_map(
        values,
        scale=SHADE,
        within=(0, 1),
        text=percent,
        hover=lambda row, column: (
            f"{title(names[row])}, {shown[column]}: {percent(values[row, column])}%"
        ),
    )
    return chart(
        [cells],
        height=60 + 34 * len(names),
        margin=(84, 8, 40, 8),
        xaxis=columns(heads, side="top"),
        yaxis=rows([*map(label, names)]),
    )


def along(table: pd.DataFrame, document: str, places: list[list[int]]) -> Figure:
    """F1 along a text: one row per metric, one column per window; darker is lower. A square
    over each cell carries the document and the place in `places` as `customdata`: a heat map gives
    no selection when it is clicked."""
    names = [name for name in METRIC_IDS if name in table]
    values: FloatArray = table[names].to_numpy(dtype=float).T
    where = [f"{start:,}–{end:,}" for start, end in zip(table["start"], table["end"], strict=True)]
    shades = heat_map(1 - values, scale=SHADE, within=(0, 1), gap=1)
    n = len(where)
    cells = [(row, column) for row in range(len(names)) for column in range(n)]
    squares = clickable(
        cells,
        [
            f"{escape(document)}, words {where[column]}<br>{title(names[row])} F1: "
            f"{percent(values[row, column])}"
            for row, column in cells
        ],
        [[document, *places[column]] for _, column in cells],
        size=16,
    )
    every = max(1, n // 8)
    ticks = {"tickvals": [*range(0, n, every)], "ticktext": where[::every]}
    return chart(
        [shades, squares],
        height=60 + 24 * len(names),
        margin=(84, 8, 8, 40),
        xaxis={**columns(where), **ticks, "title": "words of the text"},
        yaxis=rows([*map(label, names)]),
        clickmode="event+select",
    )
