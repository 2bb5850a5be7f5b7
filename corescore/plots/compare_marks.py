"""What the charts of a comparison share: names, notes, lines. No Streamlit here."""

from typing import Any

import pandas as pd

from corescore.metrics import CONLL
from corescore.plots.charts import html_title

INK = CONLL.colour
QUIET: dict[str, Any] = {"showlegend": False, "hovermode": "closest", "dragmode": False}
FIXED: dict[str, Any] = {"zeroline": False, "fixedrange": True, "showgrid": False, "ticks": ""}


def label(metric: str) -> str:
    """A metric's name on an axis."""
    return f"<b>{'CoNLL' if metric == 'conll' else html_title(metric)}</b>"


def line(
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


def note(x: float, y: float, text: str, **more: Any) -> dict[str, Any]:
    """A text at a place of the whole chart, from its left; `more` as plotly knows it."""
    paper = {"xref": "paper", "yref": "paper", "showarrow": False, "xanchor": "left"}
    return {**paper, "x": x, "y": y, "text": text, **more}


def with_room(table: pd.DataFrame, share: float) -> list[float]:
    """A range in percent with room for what is written beside the ends."""
    low, high = 100 * float(table.min().min()), 100 * float(table.max().max())
    room = share * max(high - low, 1)
    return [low - room, high + room]
