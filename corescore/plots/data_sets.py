"""Systems over several data sets → the critical-difference diagram."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from markupsafe import escape

from corescore.analysis.systems.data_sets import DataSets
from corescore.plots.template import ACCENT, FIXED, INK, Layout, chart, marks, points
from corescore.sentences.document_names import NARROW, told_apart
from corescore.wording import listed, percent, written

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
