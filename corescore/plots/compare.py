"""The comparison of two systems → figures: documents, chance, errors, and where metrics disagree.

A is drawn filled, B open.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import isnan
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Bar, Figure, Scatter
from plotly.subplots import make_subplots

from corescore.analysis.significance import INTERVALS
from corescore.metrics import HOW_MANY, colour_of
from corescore.plots.template import (
    CLEAR,
    FIXED,
    INK,
    OPEN,
    QUIET,
    SHADE,
    Layout,
    beside,
    chart,
    clickable,
    columns,
    explained,
    faint,
    frame,
    heat_map,
    label,
    line,
    margins,
    marks,
    note,
    points,
    rows,
    short,
    with_room,
)
from corescore.sentences import compare as sentences
from corescore.sentences.names import title
from corescore.util import FloatArray
from corescore.wording import (
    RATIOS,
    count,
    counted,
    gap_points,
    interval,
    p_equals,
    percent,
    signed,
    signed_count,
    signed_points,
    written,
)

BARS = 61  # of the histogram; odd, so that one stands over 0

# Documents ----------------------------------------------------------------------------------------


def documents(table: pd.DataFrame, metric: str, systems: Sequence[str] = ("", "")) -> Figure:
    """A bar for each document, B − A in points, B's greatest lead first: filled where A is ahead,
    open where B is. Each carries its document's name as `customdata`.

    table  rows of `compared_documents` for one metric
    """
    known = table.dropna(subset=["difference"])
    known = known.sort_values("difference", ascending=False, kind="stable")
    colour, gaps = colour_of(metric), 100 * known["difference"]
    a, b = (f"{letter} {escape(name)}".strip() for letter, name in zip("AB", systems, strict=True))
    bars = Bar(
        x=list(range(len(known))),
        y=gaps,
        marker={
            "color": [colour if gap < 0 else CLEAR for gap in gaps],
            "line": {"color": colour, "width": 1.6},
        },
        hovertext=[_document_hover(row) for row in known.to_dict("records")],
        hoverinfo="text",
        customdata=known["document"].astype(str).tolist(),
        unselected={"marker": {"opacity": 1}},
    )
    return chart(
        [bars],
        height=128,
        margin=(64, 8, 22, 8),
        clickmode="event+select",
        hovermode="x",
        bargap=0.25,
        xaxis={**FIXED, "showticklabels": False},
        yaxis={**OPEN, "title": "B − A, points", "nticks": 4, "zeroline": True},
        annotations=[explained(f"○ {b} ahead &nbsp; ● {a} ahead")],
    )


def _document_hover(row: Mapping[Any, Any]) -> str:
    gap = f"by {gap_points(row['difference'])}"
    ahead = "they tie" if row["winner"] == "tie" else f"{row['winner']} is ahead {gap}"
    return (
        f"{escape(str(row['document']))}<br>A {percent(row['a'])}%, B {percent(row['b'])}%: "
        f"{ahead}<br>click to read it"
    )


# Where metrics disagree ---------------------------------------------------------------------------


def disagreements(table: pd.DataFrame, selected: tuple[str, str]) -> Figure:
    """On how many documents each two metrics name different winners, the selected two framed.

    table  of `disagreement_counts`. A point over each number carries its two metrics.
    """
    names = [*map(label, table.index)]
    n = len(names)
    lower = table.to_numpy().astype(float)
    lower[np.triu_indices(n)] = np.nan
    most = max(float(np.nanmax(lower)), 1.0)
    across, down = sorted(list(table.index).index(metric) for metric in selected)
    cells = [(row, column) for row in range(n) for column in range(row)]
    numbers = clickable(
        cells,
        [
            f"{names[row]} and {names[column]}: different winners on {count(lower[row, column])}"
            "<br>click to list them"
            for row, column in cells
        ],
        [[table.index[row], table.index[column]] for row, column in cells],
        mode="markers+text",
        text=[count(lower[cell]) for cell in cells],
    )
    return chart(
        [heat_map(lower, scale=SHADE, within=(0, most)), numbers],
        height=54 + 38 * n,
        margin=(beside(names), 8, 8, 36),
        clickmode="event+select",
        xaxis=columns(names, range=[-0.5, n - 1.5]),
        yaxis=rows(names, range=[n - 0.5, 0.5]),
        shapes=[frame(across, down, (0.46, 0.46), color=INK, width=2)],
    )


# Chance -------------------------------------------------------------------------------------------


def randomised(differences: FloatArray, observed: float, metric: str) -> Figure:
    """How often chance made which difference, the observed one as a line, its mirror dashed."""
    ends = [(observed, "solid", f"observed<br><b>{signed(observed)}</b>")]
    if observed:
        ends.append((-observed, "dash", "as large,<br>for the other"))
    look: Layout = {"color": colour_of(metric), "width": 2.5}
    above = {"xref": "x", "xanchor": "center", "yanchor": "bottom", "yshift": 2}
    bars = randomised_table(differences, observed)
    low, high = bars["from"], bars["to"]
    step = 1 if bars["exchanges"].max() < 6 else None  # no half exchanges
    histogram = Bar(
        x=(low + high) / 2,
        y=bars["exchanges"],
        width=0.94 * (high[0] - low[0]),
        marker={"color": faint(colour_of(metric), 0.55), "line": {"width": 0}},
        hovertext=[
            f"{counted(number, 'exchange')}: from {written(start)} to {written(end)} points"
            for start, end, number in bars.itertuples(index=False)
        ],
        hoverinfo="text",
    )
    return chart(
        [histogram],
        height=270,
        margin=(76, 8, 40, 64),
        xaxis={**OPEN, "title": "B − A by chance, points", "range": [low.min(), high.max()]},
        yaxis={**OPEN, "title": "exchanges", "dtick": step},
        shapes=[
            {**line(100 * x, 100 * x, dash=dash, **look), "layer": "above"} for x, dash, _ in ends
        ],
        annotations=[note(100 * x, 1, text, **above) for x, _, text in ends],
    )


def randomised_table(differences: FloatArray, observed: float) -> pd.DataFrame:
    """One row per bar of `randomised`: from and to, in points, and its number of exchanges."""
    most = 100 * (1.12 * max(float(abs(differences).max()), abs(observed), 1e-4))
    n, edges = np.histogram(100 * differences, BARS, (-most, most))
    return pd.DataFrame({"from": edges[:-1], "to": edges[1:], "exchanges": n})


# Errors -------------------------------------------------------------------------------------------


def errors(table: pd.DataFrame) -> Figure:
    """One row per kind of error: how many A makes (filled) and B (open), and the difference.

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


# Two systems under the six, side by side → figure -------------------------------------------------


def dumbbells(table: pd.DataFrame, measure: str, systems: Sequence[str] = ("", "")) -> Figure:
    """One row per metric: A filled and B open, their difference with the interval that agrees with
    its corrected p-value, and what follows from it.

    table    rows of `Pair.significance` for one measure, by metric
    systems  the names of A and B, after their letters above the chart
    """
    low, high = INTERVALS["simultaneous"]
    figure = make_subplots(cols=2, shared_yaxes=True, column_widths=[0.58, 0.42])
    colours, names = [*map(colour_of, table.index)], [*map(label, table.index)]
    for letter in ("A", "B"):
        own, other = (table["a"], table["b"]) if letter == "A" else (table["b"], table["a"])
        is_left = (own < other) | ((own == other) & (letter == "A"))  # away from the other's mark
        written_beside = [
            f"{letter} {percent(value)}  " if left else f"  {letter} {percent(value)}"
            for value, left in zip(own, is_left, strict=True)
        ]
        hovers = [
            f"{letter}, {title(str(metric))} {RATIOS[measure]}: {percent(value)}%"
            for metric, value in own.items()
        ]
        symbol = "circle" if letter == "A" else "circle-open"
        look = marks(colours, size=13, symbol=symbol, width=2.5)
        places = [f"middle {'left' if left else 'right'}" for left in is_left]
        of_system = _row_marks(own, hovers, look, text=written_beside, textposition=places)
        figure.add_trace(of_system, row=1, col=1)
    gaps = _row_marks(
        table["difference"],
        [_difference_hover(row) for _, row in table.iterrows()],
        {"symbol": "diamond", "size": 10, "color": colours, "opacity": 1},
        text=[signed(value) for value in table["difference"]],
        textposition="top center",
    )
    figure.add_trace(gaps, row=1, col=2)
    bars, whiskers, zeros = [], [], []
    for at, (colour, row) in enumerate(zip(colours, table.to_dict("records"), strict=True)):
        look = {"color": colour, "width": 3}
        bars.append(line(100 * row["a"], 100 * row["b"], at, **look, opacity=0.5))
        if not isnan(row[low]):
            whiskers.append(line(100 * row[low], 100 * row[high], at, **look, axis="x2"))
        # No difference: a piece of the line in each row, below the number over its mark.
        zero = {"yref": "y", "y0": at - 0.14, "y1": at + 0.5}
        zeros.append({**line(0, 0, axis="x2"), **zero})
    figure.update_layout(
        **QUIET,
        height=74 + 47 * len(table),
        margin=margins(beside(names), 158, 30, 44),
        shapes=[*bars, *whiskers, *zeros],
        annotations=[*_headings(systems, bool(table[low].notna().any())), *_p_values(table)],
    )
    figure.update_xaxes(**FIXED, showticklabels=False)
    figure.update_xaxes(range=with_room(table[["a", "b"]], 0.42), col=1)
    spread = table[["difference", low, high]].assign(zero=0)
    numbers = {"showticklabels": True, "tickformat": "~g", "nticks": 6, "tickfont": {"size": 12}}
    figure.update_xaxes(range=with_room(spread, 0.1), col=2, **numbers)
    figure.update_yaxes(**FIXED, range=[len(table) - 0.45, -0.6])
    ticks = {"tickvals": list(range(len(table))), "ticktext": names}
    return figure.update_yaxes(col=1, **ticks, tickfont={"size": 14}, automargin=True)


def _row_marks(values: pd.Series, hovers: list[str], marker: Layout, **text: Any) -> Scatter:
    """A mark with its number in each row."""
    look = {"mode": "markers+text", "textfont": {"size": 12.5}, "cliponaxis": False}
    return points(100 * values, list(range(len(values))), hovers, marker, **look, **text)


def _difference_hover(row: pd.Series) -> str:
    both = f"; corrected by max T: {_p(row['p_max'])}, by Holm: {_p(row['p_holm'])}"
    corrected = "" if pd.isna(row["p_max"]) else both
    of_the_test = "its own test" if pd.isna(row["p_max"]) else "simultaneous"
    return (
        f"{title(str(row.name))}: B − A = {signed_points(row['difference'])}"
        f"<br>95% interval ({of_the_test}): {interval(row['tested_low'], row['tested_high'])}"
        f"<br>single interval (BCa): {interval(row['bca_low'], row['bca_high'])}"
        f"<br>randomisation: {_p(row['p'])}{corrected}"
        f"<br>documents: A {row['wins_a']}, tie {row['ties']}, B {row['wins_b']}; "
        f"sign test: {_p(row['p_sign'])}"
    )


def _p(p: float) -> str:
    return str(escape(p_equals(p)))


def _headings(names: Sequence[str], has_intervals: bool) -> list[Layout]:
    a, b = (f" {short(name)}" if name else "" for name in names)
    above: dict[str, Any] = {"yanchor": "bottom", "yshift": 2, "font": {"size": 12.5}}
    below: dict[str, Any] = {"xref": "x2", "yanchor": "top", "yshift": -21, "font": {"size": 12}}
    return [
        note(0, 1, f"● A{a} &nbsp; ○ B{b} &nbsp; percent", **above),
        note(0.605, 1, f"B − A in points{', 95% interval' if has_intervals else ''}", **above),
        note(1, 1, "p (max T)", xshift=14, **above),
        note(0, 0, "◄ A ahead", **{**below, "xanchor": "right", "xshift": -4}),
        note(0, 0, "B ahead ►", **below, xshift=4),
    ]


def _p_values(table: pd.DataFrame) -> list[Layout]:
    """The p-values beside the rows, each with a word and, if it is small, a mark."""
    beside = {"yref": "y", "xshift": 14, "align": "left", "font": {"size": 12}}
    return [note(1, at, _p_in_words(row), **beside) for at, (_, row) in enumerate(table.iterrows())]


def _p_in_words(row: pd.Series) -> str:
    p, word = _p(sentences.corrected(row)), sentences.verdict(row)
    first = f"<b>✱ {p}</b>" if word == sentences.SIGNIFICANT else p
    if pd.isna(row["p"]):
        return word
    is_alone = pd.isna(row["p_max"])
    which = f", before the<br>correction for {HOW_MANY} tests" if is_alone else " by max T"
    return f"{first}<br>{word}{which if is_alone or word == sentences.SIGNIFICANT else ''}"


# Counts of each row in parts → bars of shares, with the counts beside them ------------------------
# What two systems make of mentions is drawn so: A's part filled, B's open.

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
) -> Figure:
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
                _error_bars(table, str(column), names, _fill(kind, colours)),
                Bar(x=[None], name=str(column), marker=_fill(kind, [INK]), legend=legend),
            )
        ],
        height=height,
        margin=(beside(names), round(sum(_widths(table, heads))) + 10, _TOP, 8),
        barmode="stack",
        showlegend=True,
        **{  # one legend of all would be as narrow as the bars, and break off
            legend: {**_LEGEND, "x": n % _A_LINE / _A_LINE, "y": 1 - n // _A_LINE * _LINE / height}
            for n, legend in enumerate(legends)
        },
        xaxis={
            **FIXED,
            "showticklabels": False,
            "range": [0, 100.4],
        },
        yaxis=rows(names, tickfont={"size": 13}),
        annotations=list(_count_notes(table, heads)),
    )


def _error_bars(table: pd.DataFrame, column: Any, names: Sequence[str], fill: Layout) -> Bar:
    total = table.sum(axis=1)
    return Bar(
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


def _count_notes(table: pd.DataFrame, heads: Sequence[str]) -> Iterator[Layout]:
    """The counts beside the bars, right-aligned below their heads."""
    look: Layout = {"xref": "x domain", "xanchor": "right", "font": {"size": 12}}
    for head, column, end in zip(heads, table, accumulate(_widths(table, heads)), strict=True):
        yield note(1, 1, str(escape(head)), yanchor="bottom", yshift=1, xshift=end, **look)
        for row, n in enumerate(table[column]):
            yield note(1, row, count(n), yref="y", xshift=end, opacity=1 if n else 0.5, **look)


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
