"""The ranking of many systems → figures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.arrays import FloatArray
from corescore.plots.experiments.lines import apart
from corescore.plots.template import (
    ACCENT,
    FIXED,
    FULL,
    INK,
    OPEN,
    TWO_SHADES,
    Layout,
    Scale,
    chart,
    columns,
    faint,
    frame,
    heat_map,
    label,
    marks,
    points,
    rows,
    short,
    with_room,
)
from corescore.sentences.names import title
from corescore.wording import RATIOS, ordinal, percent, share, written

LONGEST = 24
_LINE = 17  # pixels of a name at the end of a line
HEADER = 36  # pixels: what stands above the rows of a table
MOST_WRITTEN = 12  # of more systems the shares are shades, and words when pointed at
_SHADE: Scale = [(0, faint(ACCENT, 0)), (0.02, faint(ACCENT, 0.1)), (1, FULL)]
_BARE_SHADE: Scale = [(0, faint(ACCENT, 0)), (0.02, faint(ACCENT, 0.18)), (1, ACCENT)]

# Ranks --------------------------------------------------------------------------------------------


def bumps(
    table: pd.DataFrame, metrics: Sequence[str], selected: Mapping[str, str], measure: str
) -> go.Figure:
    """A line for each response through its ranks under each metric, the best at the top; a thin
    upright line from the best to the worst of its ranks in 95% of the resamples.

    table     of `Ranking`; each point carries its response as `customdata`
    selected  the letters of the systems A and B by their names: A drawn filled, B open and dotted
    """
    ranks = table.pivot_table(index="response", columns="metric", values="rank", observed=True)
    ranks = ranks[list(metrics)].sort_values([metrics[-1], *metrics[:-1]])
    by_name = table.set_index(["response", "metric"])
    n = len(ranks)
    traces = [
        _line(
            ranks.loc[name],
            [_bump_hover(by_name.loc[name, m], name, m, n, measure) for m in metrics],
            selected.get(name),
        ).update(error_y=_whiskers(by_name.loc[name].loc[list(metrics)]))
        for name in _in_front(ranks.index, selected)
    ]
    return chart(
        traces,
        **_frame(ranks, metrics),
        annotations=_ends(ranks.iloc[:, -1], selected, x=len(metrics) - 1, gap=1, within=(1, n)),
        yaxis={
            **FIXED,
            "range": [n + 0.7, 0.3],
            "tickvals": _rank_ticks(n),
            "tickfont": {"size": 12},
            "title": {"text": "rank", "standoff": 4},
        },
    )


def score_lines(
    table: pd.DataFrame, metrics: Sequence[str], selected: Mapping[str, str], measure: str
) -> go.Figure:
    """A line for each response through its scores under each metric: equal distances are equal
    differences, so that a tenth of a point looks like one.

    table, selected  as in `bumps`
    """
    scores = 100 * table.pivot_table(
        index="response", columns="metric", values="score", observed=True
    )
    scores = scores[list(metrics)].sort_values([metrics[-1], *metrics[:-1]])
    by_name = table.set_index(["response", "metric"])
    n, frame = len(scores), _frame(scores, metrics)
    low, high = with_room(scores / 100, 0.05)
    traces = [
        _line(
            scores.loc[name],
            [_bump_hover(by_name.loc[name, m], name, m, n, measure) for m in metrics],
            selected.get(name),
        )
        for name in _in_front(scores.index, selected)
    ]
    room = {"gap": (high - low) * _LINE / (frame["height"] - 38), "within": (low, high)}
    return chart(
        traces,
        **frame,
        annotations=_ends(scores.iloc[:, -1], selected, x=len(metrics) - 1, **room),
        yaxis={**OPEN, "range": [low, high], "title": f"{RATIOS[measure]}, percent"},
    )


def _in_front(names: "pd.Index[str]", selected: Mapping[str, str]) -> list[Any]:
    """The names in the order in which their lines are drawn: B and A last."""
    return sorted(names, key=lambda name: (name in selected, selected.get(name) == "A"))


def _frame(table: pd.DataFrame, metrics: Sequence[str]) -> Layout:
    """The layout that both charts of lines have; a row of the table for each response."""
    n, longest = len(table), max(len(short(str(name), LONGEST)) for name in table.index)
    return {
        "height": 66 + max(17, min(44, 560 // n)) * max(n, 6),  # few get tall rows, many low ones
        "margin": (56, 24 + 7 * longest, 30, 8),
        "clickmode": "event+select",
        "xaxis": columns(
            [label(metric) for metric in metrics],
            side="top",
            tickfont={"size": 14},
            range=[-0.25, len(metrics) - 0.95],
        ),
    }


def _whiskers(rows: pd.DataFrame) -> Layout:
    """From the best to the worst rank in the resamples."""
    return {
        "array": (rows["high"] - rows["rank"]).clip(lower=0).tolist(),
        "arrayminus": (rows["rank"] - rows["low"]).clip(lower=0).tolist(),
        "thickness": 1,
        "width": 0,
    }


def _rank_ticks(n: int) -> list[int]:
    return list(range(1, n + 1)) if n <= 12 else [1, *range(5, n + 1, 5)]


def _line(ranks: pd.Series, hovers: Sequence[str], letter: str | None) -> go.Scatter:
    colour, opacity = (ACCENT, 1) if letter else (INK, 0.6)
    symbol, dash = ("circle-open", "dot") if letter == "B" else ("circle", "solid")
    size, width = (12, 2.5) if letter else (7, 0)
    return points(
        list(range(len(ranks))),
        ranks.tolist(),
        hovers,
        {**marks(colour, size=size, symbol=symbol, width=width), "opacity": opacity},
        mode="lines+markers",
        opacity=1 if letter else 0.55,
        line={"color": colour, "width": 3 if letter else 1.4, "dash": dash},
        unselected={"marker": {"opacity": opacity}},
        customdata=[ranks.name] * len(ranks),
        cliponaxis=False,
    )


def _bump_hover(row: pd.Series, name: str, metric: str, n: int, measure: str) -> str:
    between = f"{ordinal(row['low'])} to {ordinal(row['high'])}"
    stays = f"stays {ordinal(row['low'])}" if row["low"] == row["high"] else f"is {between}"
    return (
        f"{escape(name)}: {ordinal(row['rank'])} of {n} by {title(metric)} {RATIOS[measure]}, "
        f"{percent(row['score'])}%<br>{stays} in 95% of the resamples, first in "
        f"{share(row['first'])}"
    )


def _ends(
    ranks: pd.Series,
    selected: Mapping[str, str],
    *,
    x: float,
    gap: float,
    within: tuple[float, float],
) -> list[Layout]:
    """The names at the right end of the lines, none over another; `ranks` ascend."""
    heights = apart(ranks.tolist(), gap=gap, within=within)
    beside = {"x": x, "showarrow": False, "xanchor": "left", "xshift": 12}
    return [
        {
            **beside,
            "y": height,
            "text": _end(str(name), selected.get(str(name))),
            "font": {"size": 12.5 if name in selected else 12},
            "opacity": 1 if name in selected else 0.8,
        }
        for name, height in zip(ranks.index, heights, strict=True)
    ]


def _end(name: str, letter: str | None) -> str:
    return f"<b>{letter} {short(name, LONGEST)}</b>" if letter else short(name, LONGEST)


def rank_shares(
    shares: FloatArray,
    names: Sequence[str],
    ranks: Sequence[int],
    letters: Mapping[str, str],
    *,
    row_height: int,
) -> go.Figure:
    """In how many resamples each response has which rank, as shades; its own rank is framed.

    shares      (responses, ranks) as in `Ranking.shares`, the best response first
    names       of the responses; ranks: their ranks in the whole corpus
    letters     of A and B by their names
    row_height  in pixels, so that the rows lie beside those of a table
    """
    n, ticks = len(names), _rank_ticks(len(names))
    return chart(
        [_rank_map(shares, names)],
        height=HEADER + row_height * n + 8,
        margin=(8, 8, HEADER, 8),
        shapes=[
            frame(rank, row, (0.48, 0.47), color=INK, width=1.6) for row, rank in enumerate(ranks)
        ],
        xaxis={
            **FIXED,
            "side": "top",
            "tickvals": ticks,
            "ticktext": ["rank 1", *map(str, ticks[1:])],
            "range": [0.4, n + 0.6],
        },
        yaxis=rows([_end(name, letters.get(name)) for name in names], tickfont={"size": 12}),
    )


def _rank_map(shares: FloatArray, names: Sequence[str]) -> go.Heatmap:
    """The shades of `rank_shares`; the shares are written on them where there is room."""
    are_written = len(names) <= MOST_WRITTEN

    def text(value: float) -> str:
        told = share(value) if are_written and value else ""
        return told.replace("under ", "<").replace("over ", ">")

    def hover(row: int, column: int) -> str:
        rank, part = ordinal(column + 1), share(shares[row, column])
        return f"{escape(names[row])} is {rank} in {part} of the resamples"

    return heat_map(
        shares,
        within=(0, 1),
        x=list(range(1, len(names) + 1)),
        scale=_SHADE if are_written else _BARE_SHADE,
        gap=1,
        text=text,
        hover=hover,
    )


# Correlations -------------------------------------------------------------------------------------


def correlations(table: pd.DataFrame, what: str) -> go.Figure:
    """Kendall's τ of each two metrics, written into the cells and as their shade.

    table  a row and a column for each metric; what: what is correlated, for the hover texts
    """
    names = [label(metric) for metric in table.index]
    n = len(names)
    values = table.to_numpy().astype(float)
    values[np.triu_indices(n)] = np.nan

    def text(value: float) -> str:
        return "" if np.isnan(value) else written(value)

    def hover(row: int, column: int) -> str:
        return f"{names[row]} and {names[column]}: τ = {text(values[row, column])} {what}"

    look: Layout = {"text": text, "hover": hover, "hoverongaps": False}
    return chart(
        [heat_map(values, scale=TWO_SHADES, within=(-1, 1), **look)],
        height=44 + 38 * (n - 1),
        margin=(8, 8, 8, 34),
        xaxis=columns(names, range=[-0.5, n - 1.5], tickfont={"size": 13}),
        yaxis=rows(names, range=[n - 0.5, 0.5], tickfont={"size": 13}),
    )
