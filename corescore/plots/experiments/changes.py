"""What changes of a response do to scores: a block for each, a row for each metric."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape
from plotly.subplots import make_subplots

from corescore.analysis.perturbation.effects import is_kept
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots.scores import SHAPES
from corescore.plots.template import (
    FIXED,
    QUIET,
    beside,
    explained,
    label,
    line,
    margins,
    marks,
    note,
    points,
)
from corescore.replication.experiment import Chart
from corescore.scoring.tables import is_opposite
from corescore.sentences.names import title
from corescore.wording import RATIOS, signed

_HEAD, _GAP = 1.6, 0.4  # in rows: what stands above the first row of a block, and below its last
_ROW = 23  # pixels
_MEANING = (
    "Change in points; bar: from lowest to highest over random draws<br>"
    "✓ as it should be &nbsp; ✗ not &nbsp; ◇ by the other reading, if of opposite sign"
)
_SIGNS = {True: " ✓", False: " ✗", None: ""}


def changes(chart: Chart, table: pd.DataFrame) -> go.Figure:
    """How recall, precision and F1 move, a column for each: a mark for the change in points, a line
    to it from no change, a bar from the lowest to the highest over random draws, and the number; ✓
    and ✗ say whether it is as it should be.

    table  columns: `chart.x` (a response; the first is what the others are changed from), metric,
           and for each measure the score, as "recall", its bounds over random draws, as
           "recall_low" and "recall_high", the score by another reading, as "recall_other", whose
           change is drawn if it has the opposite sign, and what the score should do, as
           "recall_should" ("" for nothing); fractions
    """
    rows, blocks, height = _placed(chart, table)
    names = [label(metric) for metric in rows["metric"]]
    figure = make_subplots(cols=len(MEASURES), shared_yaxes=True, horizontal_spacing=0.03)
    for column, measure in enumerate(MEASURES, 1):
        axis = f"x{column}" if column > 1 else "x"
        known = rows[rows[f"{measure}_change"].notna()]
        others = known[_moves_otherwise(known, measure)]
        ends = known[[f"{measure}_change_low", f"{measure}_change_high"]], others[_other(measure)]
        span = max(0.01, *(float(of.abs().max().max()) for of in ends if len(of)))
        figure.add_trace(_dots(chart, known, measure), row=1, col=column)
        figure.add_trace(_numbers(known, measure, 1.3 * span), row=1, col=column)
        if len(others):
            figure.add_trace(_diamonds(chart, others, measure), row=1, col=column)
        figure.update_layout(
            shapes=[*(figure.layout.shapes or ()), *_lines(known, blocks, measure, axis)],
            annotations=[
                *(figure.layout.annotations or ()),
                *_heads(blocks, measure, axis, -1.1 * span),
            ],
        )
        figure.update_xaxes(**FIXED, showticklabels=False, col=column)
        figure.update_xaxes(range=[-1.1 * span, 2.3 * span], col=column)
    titles = [
        note(0, y, f"<b>{escape(name)}</b>", yref="y", xanchor="left", font={"size": 13})
        for name, y, _ in blocks
    ]
    figure.update_layout(
        **QUIET,
        height=round(_ROW * height) + 66,
        margin=margins(beside(names), 4, 48, 8),
        annotations=[*figure.layout.annotations, *titles, {**explained(_MEANING), "align": "left"}],
    )
    figure.update_yaxes(**FIXED, range=[height - 0.5, -0.5], showticklabels=False)
    ticks = {"tickvals": rows["y"].tolist(), "ticktext": names, "showticklabels": True}
    return figure.update_yaxes(col=1, **ticks)


def change_table(chart: Chart, table: pd.DataFrame) -> pd.DataFrame:
    """What `changes` draws of a table, a row for each response and metric: for each measure, in
    points, the change, its bounds over random draws and the change by the other reading, NaN if
    that is not drawn."""
    rows, _, _ = _placed(chart, table)
    drawn = {chart.x: rows[chart.x], "metric": rows["metric"].map(title)}
    for measure in MEASURES:
        name = RATIOS[measure]
        drawn[f"{name} change"] = rows[f"{measure}_change"]
        drawn[f"{name} lowest"], drawn[f"{name} highest"] = (
            rows[f"{measure}_{end}"] for end in _ENDS
        )
        is_drawn = np.array(_moves_otherwise(rows, measure))
        drawn[f"{name}, other reading"] = rows[_other(measure)].where(is_drawn)
    return pd.DataFrame(drawn).dropna(axis="columns", how="all").reset_index(drop=True)


def _other(measure: str) -> str:
    return f"{measure}_change_other"


def _moves_otherwise(rows: pd.DataFrame, measure: str) -> list[bool]:
    """Of each row, whether its change has the opposite sign by the other reading."""
    pairs = zip(rows[f"{measure}_change"], rows[_other(measure)], strict=True)
    return [is_opposite(one / 100, other / 100) for one, other in pairs]


_Block = tuple[str, float, pd.DataFrame]


def _placed(chart: Chart, table: pd.DataFrame) -> tuple[pd.DataFrame, list[_Block], float]:
    """The rows of the six with their place y, the blocks with the places of their titles, and the
    height of all, in rows."""
    blocks: list[_Block] = []
    at = 0.0
    by_name = dict([*table[table["metric"].isin(METRIC_IDS)].groupby(chart.x, sort=False)])
    first, *others = by_name
    base = by_name[first].set_index("metric")
    for name in others:
        rows = by_name[name]
        ordered = rows.set_index("metric").loc[[m for m in METRIC_IDS if m in {*rows["metric"]}]]
        moved = {
            f"{measure}_change{end}": 100 * (ordered[f"{measure}{end}"] - base[measure])
            for measure in MEASURES
            for end in ("", "_low", "_high", "_other")
        }
        of_name = ordered.assign(**moved).reset_index()
        placed = of_name.assign(y=[at + _HEAD + n for n in range(len(of_name))])
        blocks.append((str(name), at, placed))
        at += _HEAD + len(placed) + _GAP
    return pd.concat([rows for *_, rows in blocks]), blocks, at


def _lines(
    rows: pd.DataFrame, blocks: list[_Block], measure: str, axis: str
) -> Iterator[dict[str, object]]:
    """No change as a dotted line in each block; the lines to the marks, and the bars."""
    for _, _, of in blocks:
        zero = line(0, 0, axis=axis)
        yield {**zero, "yref": "y", "y0": of["y"].min() - 0.45, "y1": of["y"].max() + 0.45}
    for row in rows.to_dict("records"):
        change, low, high = (row[f"{measure}_{end}"] for end in ("change", *_ENDS))
        colour = colour_of(row["metric"])
        yield line(0, change, row["y"], axis=axis, color=colour, width=2.5, opacity=0.55)
        if high > low:
            yield line(low, high, row["y"], axis=axis, color=colour, width=9, opacity=0.35)


_ENDS = ("change_low", "change_high")


def _dots(chart: Chart, rows: pd.DataFrame, measure: str) -> go.Scatter:
    colours = [colour_of(metric) for metric in rows["metric"]]
    return points(
        rows[f"{measure}_change"],
        rows["y"],
        [_hover(chart, row, measure) for row in rows.to_dict("records")],
        marks(colours, size=9, symbol=SHAPES[measure]),
        cliponaxis=False,
    )


def _diamonds(chart: Chart, rows: pd.DataFrame, measure: str) -> go.Scatter:
    """The changes by the other reading."""
    hovers = [
        f"{escape(row[chart.x])}, {title(row['metric'])} {RATIOS[measure]}, by the other reading"
        f"<br>{signed(row[_other(measure)] / 100)} points"
        for row in rows.to_dict("records")
    ]
    colours = [colour_of(metric) for metric in rows["metric"]]
    look = marks(colours, size=9, symbol="diamond-open")
    return points(rows[_other(measure)], rows["y"], hovers, look, cliponaxis=False)


def _hover(chart: Chart, row: Mapping[Hashable, Any], measure: str) -> str:
    change, low, high = (row[f"{measure}_{end}"] for end in ("change", *_ENDS))
    lines = [
        f"{escape(row[chart.x])}, {title(row['metric'])} {RATIOS[measure]}",
        f"{signed(change / 100)} points",
    ]
    if high > low:
        lines.append(f"over the random draws from {signed(low / 100)} to {signed(high / 100)}")
    if should := row[f"{measure}_should"]:
        lines.append(f"it {should}")
    return "<br>".join(lines)


def _numbers(rows: pd.DataFrame, measure: str, x: float) -> go.Scatter:
    """The changes at the right of the column, with whether they are as they should be."""
    signs = [
        _SIGNS[is_kept(should, change / 100) if should else None]
        for should, change in zip(rows[f"{measure}_should"], rows[f"{measure}_change"], strict=True)
    ]
    return go.Scatter(
        x=[x] * len(rows),
        y=rows["y"],
        mode="text",
        text=[
            f"{signed(change / 100)}{sign}"
            for change, sign in zip(rows[f"{measure}_change"], signs, strict=True)
        ],
        textposition="middle right",
        textfont={"size": 12},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _heads(blocks: list[_Block], measure: str, axis: str, x: float) -> Iterator[dict[str, object]]:
    """The measure above the rows of each block, and what it should do."""
    for _, y, rows in blocks:
        should = rows[f"{measure}_should"].iloc[0]
        text = f"{RATIOS[measure].capitalize() if measure != 'f1' else 'F1'} {should}".strip()
        place = {"xref": axis, "yref": "y", "yshift": -_ROW * 0.8}
        yield note(x, y, text, **place, font={"size": 12})
