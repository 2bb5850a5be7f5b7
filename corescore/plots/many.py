"""The ranking of many systems → figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.analysis.systems.data_sets import DataSets
from corescore.plots.experiments import apart
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
from corescore.sentences.many import NARROW, told_apart
from corescore.sentences.names import title
from corescore.util import FloatArray
from corescore.wording import RATIOS, listed, ordinal, percent, share, written

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


# Systems over several data sets → the critical-difference diagram ---------------------------------

_STEP = 20  # pixels from one row of names to the next, which is 1 on the axis that is not drawn

_LETTER = 7.5  # pixels

_ENDS = 0.15  # ranks of the axis beyond the first and the last, where the names begin

_BAR = 0.6  # from one bar to the next

_BRACKET, _SAID, _TOP = -0.7, -1.35, -1.95  # heights above the axis


@dataclass(frozen=True)
class _Place:
    """Where a system stands: its rank on the axis, and its name in a row below."""

    name: str
    shown: str
    rank: float
    macro: float
    row: float
    is_left: bool

    @property
    def hover(self) -> str:
        mean = f"mean over data sets {percent(self.macro)}%"
        return f"{escape(self.name)}: mean rank {written(self.rank)}, {mean}"


def critical_differences(found: DataSets) -> go.Figure:
    """Mean ranks on one axis, the best at the left; a bar joins systems that do not differ
    significantly, a bracket is as long as the critical difference. After Demšar 2006, figure 1.

    Names stand in rows of their own, half of them at each side, so that none lies over another.
    Expects systems that are tested.
    """
    places = _places(found)
    beside = round(54 + _LETTER * max(len(place.shown) for place in places))
    lowest = max(place.row for place in places) + 0.6
    k = len(places)
    return chart(
        [*_bars(found, places), *_stems(places), _marks(places)],
        height=_STEP * (lowest - _TOP) + 46,
        margin=(beside, beside, 44, 2),
        shapes=_bracket(found),
        annotations=[_said(found), *map(_name, places)],
        xaxis={
            **FIXED,
            "side": "top",
            "range": [1 - _ENDS, k + _ENDS],
            "tickvals": list(range(1, k + 1)) if k <= 12 else [1, *range(5, k + 1, 5)],
            "title": {"text": "mean rank", "standoff": 4},
            "showline": True,
            "linecolor": INK,
            "ticks": "outside",
        },
        yaxis={**FIXED, "range": [lowest, _TOP], "visible": False},
    )


def _places(found: DataSets) -> list[_Place]:
    """The systems, the best mean rank first; the names of outer ranks stand highest."""
    order = found.by_rank.tolist()
    shown = told_apart(found.systems, longest=NARROW)
    n_left = (len(order) + 1) // 2
    heights = [*range(n_left), *reversed(range(len(order) - n_left))]
    first = _BAR * len(found.groups) + 1
    return [
        _Place(
            name=(name := found.systems[at]),
            shown=shown[name],
            rank=float(found.mean_ranks[at]),
            macro=float(found.macro[at]),
            row=first + height,
            is_left=number < n_left,
        )
        for number, (at, height) in enumerate(zip(order, heights, strict=True))
    ]


def _stems(places: Sequence[_Place]) -> Iterator[go.Scatter]:
    """From the place of each system on the axis down to its row, and on to its name."""
    left, right = 1 - _ENDS, len(places) + _ENDS
    for place in places:
        yield go.Scatter(
            x=[place.rank, place.rank, left if place.is_left else right],
            y=[0, place.row, place.row],
            mode="lines",
            line={"color": INK, "width": 1},
            hoverinfo="skip",
        )


def _marks(places: Sequence[_Place]) -> go.Scatter:
    ranks, hovers = [place.rank for place in places], [place.hover for place in places]
    return points(ranks, [0] * len(ranks), hovers, marks(ACCENT, size=9), cliponaxis=False)


def _bars(found: DataSets, places: Sequence[_Place]) -> Iterator[go.Scatter]:
    """A bar for each group, below the axis."""
    rank_of = {place.name: place.rank for place in places}
    for number, group in enumerate(found.groups, 1):
        ranks = [rank_of[name] for name in group]
        yield go.Scatter(
            x=[min(ranks) - 0.04, max(ranks) + 0.04],
            y=[_BAR * number] * 2,
            mode="lines",
            line={"color": ACCENT, "width": 5},
            hovertext=f"{escape(listed(group))}: no significant difference",
            hoverinfo="text",
        )


def _fits(found: DataSets) -> bool:
    """Whether mean ranks can lie as far apart as the critical difference."""
    return found.critical_difference <= len(found.systems) - 1


def _bracket(found: DataSets) -> list[Layout]:
    if not _fits(found):
        return []
    end, half = 1 + found.critical_difference, 0.2
    across = {"x0": 1, "x1": end, "y0": _BRACKET, "y1": _BRACKET}
    ends = [{"x0": x, "x1": x, "y0": _BRACKET - half, "y1": _BRACKET + half} for x in (1, end)]
    look = {"type": "line", "line": {"color": INK, "width": 2}}
    return [{**look, **line} for line in (across, *ends)]


def _said(found: DataSets) -> Layout:
    """The critical difference in words, above the bracket."""
    said = f"critical difference {written(found.critical_difference)}"
    text = said if _fits(found) else f"{said}: longer than the axis"
    look = {"showarrow": False, "xanchor": "left", "font": {"size": 12}}
    return {**look, "x": 1, "xshift": -4, "y": _SAID, "text": text}


def _name(place: _Place) -> Layout:
    """The name of a system and its mean rank, beside the axis."""
    called, rank = f"<b>{escape(place.shown)}</b>", written(place.rank)
    if place.is_left:
        side = {"x": 0, "xanchor": "right", "xshift": -6, "text": f"{called}  {rank}"}
    else:
        side = {"x": 1, "xanchor": "left", "xshift": 6, "text": f"{rank}  {called}"}
    return {"xref": "paper", "y": place.row, "showarrow": False, "font": {"size": 12.5}, **side}
