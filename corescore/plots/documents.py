"""Documents by their scores → a dot for each, stacked."""

import numpy as np
import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Bar, Figure, Scatter

from corescore.analysis.scorers import PolicyStep, Walk
from corescore.metrics import colour_of
from corescore.plots.template import (
    ACCENT,
    CORRECT,
    INK,
    MISSING,
    OPEN,
    ROOM,
    Layout,
    Tables,
    chart,
    explained,
    line,
    marks,
    percents,
    percents_around,
    points,
    rows,
)
from corescore.sentences.names import title
from corescore.sentences.policies import NAMES
from corescore.sentences.scorers import moving, step_clause
from corescore.util import IntArray
from corescore.wording import RATIOS, counted, percent, signed

_ALIKE = 1.5  # the 90th percentile of sizes over the 10th, up to which they hardly differ

_COLUMNS = 40  # of dots, about

_WIDTHS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)  # of a column, in points

_HEIGHT = 210  # pixels for all dots of a column


def are_alike(sizes: IntArray) -> bool:
    """Whether documents hardly differ in size: nothing is seen in a chart of scores against it.

    sizes  (documents,)
    """
    low, high = np.quantile(sizes, (0.1, 0.9))
    return bool(high <= _ALIKE * low)


def distribution(summaries: Tables, *, metric: str) -> Figure:
    """A dot for each document at its F1, rounded to the width of a column; the first system's
    filled and upwards, the second's open and downwards. Each dot carries its document's name as
    `customdata`.

    summaries  of `corescore.scoring.tables.document_summary`, by the systems' letters
    """
    scores = {letter: 100 * table[metric].dropna() for letter, table in summaries.items()}
    width = _width(pd.concat(scores.values()))
    places = {letter: (f1 / width).round() * width for letter, f1 in scores.items()}
    stacks = {letter: at.groupby(at).cumcount() + 1 for letter, at in places.items()}
    most = sum(int(stack.max()) for stack in stacks.values() if len(stack))
    size = float(np.clip(_HEIGHT / max(1, most), 3, 12))
    first, *others = scores
    symbols = {letter: "circle" if letter == first else "circle-open" for letter in scores}
    traces = [
        points(
            places[letter],
            stacks[letter] * (1 if letter == first else -1),
            [
                f"{escape(str(name))}<br>{letter}, {title(metric)} F1: {percent(value / 100)}%"
                for name, value in f1.items()
            ],
            marks(colour_of(metric), size=size, symbol=symbols[letter]),
            customdata=list(f1.index),
        )
        for letter, f1 in scores.items()
    ]
    systems = f"{first} above, filled &nbsp; · &nbsp; {others[0]} below, open" if others else ""
    meaning = f"Each dot is a document, each column {counted(width, 'point')}"
    return chart(
        traces,
        height=300,
        margin=(12, 12, 48, 48),
        annotations=[explained("<br>".join(filter(None, [meaning, systems])))],
        xaxis={
            **percents_around(pd.concat(scores.values()) / 100),
            "title": f"{title(metric)} F1, percent",
        },
        yaxis={**OPEN, "visible": False},
    )


def _width(scores: "pd.Series[float]") -> float:
    span = float(scores.max() - scores.min()) if len(scores) else 0.0
    return next((width for width in _WIDTHS if span <= _COLUMNS * width), _WIDTHS[-1])


# Scorers that disagree → figures ------------------------------------------------------------------

_ROW = 40  # pixels


def waterfall(walk: Walk, start: str, end: str) -> Figure:
    """The score of two scorers, and between them a bar for each change of policy that moves it.

    start, end  what the scorers are called
    """
    steps = moving(walk)
    labels = [f"<b>{start}</b>", *map(_label, steps), f"<b>{end}</b>"]
    low, high = _range(walk, steps)
    return chart(
        [_walk_ends(walk, len(steps)), *([_step_bars(steps)] if steps else [])],
        height=64 + _ROW * len(labels),
        margin=(8, 12, 6, 46),
        shapes=_connections(walk, steps),
        bargap=0.42,
        xaxis={**percents(low, high), "title": {"text": f"{RATIOS[walk.measure]}, percent"}},
        yaxis=rows(labels, tickfont={"size": 13}, **ROOM),
    )


def waterfall_table(walk: Walk, start: str, end: str) -> pd.DataFrame:
    """What `waterfall` draws: one row per end and change, its score and by how much it moves."""
    steps = moving(walk)
    return pd.DataFrame(
        {
            "scored by": [start, *map(_label, steps), end],
            "score": [walk.first, *(step.score_after for step in steps), walk.last],
            "difference": [np.nan, *(step.difference for step in steps), np.nan],
        }
    )


def _label(step: PolicyStep) -> str:
    return f"{NAMES[step.policy]}: {step.old} → {step.new}"


def _walk_ends(walk: Walk, n_steps: int) -> Scatter:
    values = [walk.first, walk.last]
    return points(
        [100 * value for value in values],
        [0, n_steps + 1],
        [f"{percent(value)}%" for value in values],
        marks(ACCENT, size=13, symbol="diamond"),
        mode="markers+text",
        text=[f"  {percent(value)}" for value in values],
        textposition="middle right",
        textfont={"size": 13},
        cliponaxis=False,
    )


def _step_bars(steps: list[PolicyStep]) -> Bar:
    differences = [100 * step.difference for step in steps]
    return Bar(
        orientation="h",
        y=list(range(1, len(steps) + 1)),
        x=differences,
        base=[100 * step.score_before for step in steps],
        marker={"color": [CORRECT if d > 0 else MISSING for d in differences]},
        text=[f" {signed(step.difference)} " for step in steps],
        textposition="outside",
        textfont={"size": 13},
        cliponaxis=False,
        hovertext=[*map(_step_hover, steps)],
        hoverinfo="text",
    )


def _step_hover(step: PolicyStep) -> str:
    moved = f"{percent(step.score_before)}% to {percent(step.score_after)}%"
    return f"{step_clause(step)}<br>{moved}: {signed(step.difference)} points"


def _connections(walk: Walk, steps: list[PolicyStep]) -> list[Layout]:
    """A dotted line from the end of each row down to the next."""
    reached = [walk.first, *(step.score_after for step in steps)]
    return [
        {
            **line(100 * value, 100 * value, at, width=1, dash="dot", color=INK),
            "y1": at + 1,
        }
        for at, value in enumerate(reached)
    ]


def _range(walk: Walk, steps: list[PolicyStep]) -> tuple[float, float]:
    values = [100 * value for value in (walk.first, walk.last)]
    values += [100 * step.score_after for step in steps]
    room = 0.16 * max(max(values) - min(values), 2)
    return min(values) - room, max(values) + 1.4 * room
