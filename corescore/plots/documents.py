"""Documents by their scores → a dot for each, stacked."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.arrays import IntArray
from corescore.metrics import colour_of
from corescore.plots.template import OPEN, chart, explained, marks, points
from corescore.sentences.names import title
from corescore.wording import counted, percent

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


def distribution(summaries: Mapping[str, pd.DataFrame], *, metric: str) -> go.Figure:
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
    said = f"A dot is a document, a column {counted(width, 'point')}"
    return chart(
        traces,
        height=300,
        margin=(12, 12, 48, 48),
        annotations=[explained("<br>".join(filter(None, [said, systems])))],
        xaxis={**OPEN, "title": f"{title(metric)} F1, percent"},
        yaxis={**OPEN, "visible": False},
    )


def _width(scores: "pd.Series[float]") -> float:
    span = float(scores.max() - scores.min()) if len(scores) else 0.0
    return next((width for width in _WIDTHS if span <= _COLUMNS * width), _WIDTHS[-1])
