"""The ranking of many systems → figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Figure, Scatter

from corescore.analysis.errors.classes import INCORRECT, Incorrect
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.effect import IdentificationEffect
from corescore.analysis.systems.many import ranks
from corescore.plots.template import (
    ACCENT,
    FIXED,
    FULL,
    INK,
    TWO_SHADES,
    Layout,
    Scale,
    apart,
    at_point,
    chart,
    columns,
    faint,
    frame,
    heat_map,
    label,
    marks,
    note,
    percents,
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


def lines(
    table: pd.DataFrame,
    metrics: Sequence[str],
    selected: Mapping[str, str],
    measure: str,
    column: str,
) -> Figure:
    """A line for each response under each metric. Through its ranks, the best at the top, with a
    thin upright line from the best to the worst of its ranks in 95% of the resamples; or through
    its scores: equal distances are equal differences, so that a tenth of a point looks like one.

    table     of `Ranking`; each point carries its response as `customdata`
    selected  the letters of the systems A and B by their names: A drawn filled, B open and dotted
    column    "rank" or "score"
    """
    values = table.pivot_table(index="response", columns="metric", values=column, observed=True)
    values = values[list(metrics)].sort_values([metrics[-1], *metrics[:-1]])
    n, longest = len(values), max(len(short(str(name), LONGEST)) for name in values.index)
    height = 66 + max(17, min(44, 560 // n)) * max(n, 6)  # few get tall rows, many low ones
    if column == "rank":
        gap, within = 1.0, (1.0, float(n))
        title = {"text": "rank", "standoff": 4}
        ticks = {"tickvals": _rank_ticks(n), "tickfont": {"size": 12}}
        yaxis = {**FIXED, "range": [n + 0.7, 0.3], **ticks, "title": title}
    else:
        low, high = with_room(values, 0.05)
        values = 100 * values
        gap, within = (high - low) * _LINE / (height - 38), (low, high)
        yaxis = {**percents(low, high), "title": f"{RATIOS[measure]}, percent"}
    by_name = table.set_index(["response", "metric"])
    traces = []
    for name in sorted(
        values.index, key=lambda name: (name in selected, selected.get(name) == "A")
    ):
        rows = by_name.loc[name].loc[list(metrics)]
        hovers = [_bump_hover(rows.loc[m], name, m, n, measure) for m in metrics]
        line = _response_line(values.loc[name], hovers, selected.get(name))
        traces.append(line.update(error_y=_whiskers(rows)) if column == "rank" else line)
    last = values.iloc[:, -1]
    return chart(
        traces,
        height=height,
        margin=(56, 24 + 7 * longest, 30, 8),
        clickmode="event+select",
        annotations=[
            at_point(
                len(metrics) - 1,
                y,
                _end(str(name), selected.get(str(name))),
                xshift=12,
                font={"size": 12.5 if name in selected else 12},
                opacity=1 if name in selected else 0.8,
            )
            for name, y in zip(
                last.index, apart(last.tolist(), gap=gap, within=within), strict=True
            )
        ],
        xaxis=columns(
            [*map(label, metrics)],
            side="top",
            tickfont={"size": 14},
            range=[-0.25, len(metrics) - 0.95],
        ),
        yaxis=yaxis,
    )


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


def _response_line(ranks: pd.Series, hovers: Sequence[str], letter: str | None) -> Scatter:
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
    ends = dict.fromkeys(ordinal(row[end]) for end in ("low", "high"))
    return (
        f"{escape(name)}: {ordinal(row['rank'])} of {n} by {title(metric)} {RATIOS[measure]}, "
        f"{percent(row['score'])}%<br>95% interval of its rank: {' to '.join(ends)}; "
        f"first in {share(row['first'])} of the resamples"
    )


def _end(name: str, letter: str | None) -> str:
    return f"<b>{letter} {short(name, LONGEST)}</b>" if letter else short(name, LONGEST)


def rank_shares(
    shares: FloatArray,
    names: Sequence[str],
    ranks: Sequence[int],
    letters: Mapping[str, str],
    *,
    row_height: int,
) -> Figure:
    """In how many resamples each response has which rank, as shades; its own rank is framed.

    shares      (responses, ranks) as in `Ranking.shares`, the best response first
    names       of the responses; ranks: their ranks in the whole corpus
    letters     of A and B by their names
    row_height  in pixels, so that the rows lie beside those of a table
    """
    n, ticks = len(names), _rank_ticks(len(names))
    are_written = n <= MOST_WRITTEN

    def text(value: float) -> str:
        shown = share(value) if are_written and value else ""
        return shown.replace("under ", "<").replace("over ", ">")

    def hover(row: int, column: int) -> str:
        rank, part = ordinal(column + 1), share(shares[row, column])
        return f"{escape(names[row])} is {rank} in {part} of the resamples"

    shades = heat_map(
        shares,
        within=(0, 1),
        x=list(range(1, n + 1)),
        scale=_SHADE if are_written else _BARE_SHADE,
        gap=1,
        text=text,
        hover=hover,
    )
    return chart(
        [shades],
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


# The mention identification effect ----------------------------------------------------------------

_WIDE = 0.5  # of a slope; in the rest are the names of those whose rank changes

_SHORTEST = 10  # characters of such a name


def slopes(effect: IdentificationEffect, incorrect: Incorrect = "all") -> Figure:
    """For each metric a line per response, from its score at the left to its score without its
    incorrectly resolved mentions; coloured and thick where its rank changes."""
    after = effect.after[INCORRECT.index(incorrect)]
    place, then = ranks(effect.scores.T).T, ranks(after.T).T
    n, n_metrics = effect.scores.shape
    longest = max(len(short(name, LONGEST)) for name in effect.responses)
    low, high = with_room(pd.DataFrame(np.vstack([effect.scores, after])), 0.05)
    height = 380
    traces = []
    for at, m in ((at, m) for m in range(n_metrics) for at in range(n)):
        moves = place[at, m] != then[at, m]
        colour = ACCENT if moves else INK
        ends = [float(effect.scores[at, m]), float(after[at, m])]
        hover = (
            f"{escape(effect.responses[at])}, {title(effect.metrics[m])} {RATIOS[effect.measure]}: "
            f"{percent(ends[0])}%, {ordinal(place[at, m])} of {n}<br>without: {percent(ends[1])}%, "
            f"{ordinal(then[at, m])}"
        )
        traces.append(
            points(
                [m, m + _WIDE],
                [100 * end for end in ends],
                [hover, hover],
                marks(colour, size=7 if moves else 5, width=0),
                mode="lines+markers",
                line={"color": colour, "width": 2.6 if moves else 1.4},
                opacity=1 if moves else 0.6,
                cliponaxis=False,
            )
        )
    gap = (high - low) * _LINE / (height - 38)
    labels = []
    for m in range(n_metrics):
        is_last = m == n_metrics - 1
        named = [at for at in range(n) if is_last or place[at, m] != then[at, m]]
        named.sort(key=lambda at: float(after[at, m]))
        heights = apart([100 * float(after[at, m]) for at in named], gap=gap, within=(low, high))
        for at, y in zip(named, heights, strict=True):
            text = short(effect.responses[at], LONGEST if is_last else _SHORTEST)
            font = {"size": 12 if is_last else 11}
            labels.append(at_point(m + _WIDE, y, text, xshift=6, font=font))
    heads = [*map(label, effect.metrics)]
    middles = [m + _WIDE / 2 for m in range(n_metrics)]
    return chart(
        traces,
        height=height,
        margin=(56, 16 + 7 * longest, 30, 8),
        annotations=labels,
        xaxis={
            **columns(heads, side="top", range=[-0.15, n_metrics - 1 + _WIDE + 0.05]),
            "tickvals": middles,
            "tickfont": {"size": 14},
        },
        yaxis={**percents(low, high), "title": f"{RATIOS[effect.measure]}, percent"},
    )


# Correlations -------------------------------------------------------------------------------------


def correlations(table: pd.DataFrame, what: str) -> Figure:
    """Kendall's τ of each two metrics, written into the cells and as their shade.

    table  a row and one column per metric; what: what is correlated, for the hover texts
    """
    names = [*map(label, table.index)]
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


def critical_differences(compared: DataSets) -> Figure:
    """Mean ranks on one axis, the best at the left; a bar joins systems that do not differ
    significantly, a bracket is as long as the critical difference. After Demšar 2006, figure 1.

    Names stand in rows of their own, half of them at each side, so that none lies over another;
    those of outer ranks highest. Expects systems that are tested.
    """
    order = compared.by_rank.tolist()
    k, n_left = len(order), (len(order) + 1) // 2
    first = _BAR * len(compared.groups) + 1
    heights = [first + row for row in (*range(n_left), *reversed(range(k - n_left)))]
    ranks = {compared.systems[at]: float(compared.mean_ranks[at]) for at in order}
    shown = told_apart(compared.systems, longest=NARROW)
    stems, names = [], []
    for number, ((name, rank), height) in enumerate(zip(ranks.items(), heights, strict=True)):
        called, mean = f"<b>{escape(shown[name])}</b>", written(rank)
        if number < n_left:
            end = 1 - _ENDS
            side: Layout = {"x": 0, "xanchor": "right", "xshift": -6, "text": f"{called}  {mean}"}
        else:
            end = k + _ENDS
            side = {"x": 1, "xshift": 6, "text": f"{mean}  {called}"}
        names.append(note(**side, y=height, yref="y", font={"size": 12.5}))
        stems.append(_mark([rank, rank, end], [0, height, height], INK, 1, hoverinfo="skip"))
    bars = []
    for number, group in enumerate(compared.groups, 1):
        ends = [
            min(ranks[name] for name in group) - 0.04,
            max(ranks[name] for name in group) + 0.04,
        ]
        hover = f"{escape(listed(group))}: no significant difference"
        bars.append(_mark(ends, [_BAR * number] * 2, ACCENT, 5, hovertext=hover, hoverinfo="text"))
    hovers = [
        f"{escape(compared.systems[at])}: mean rank {written(compared.mean_ranks[at])}, "
        f"mean over data sets {percent(compared.macro[at])}%"
        for at in order
    ]
    dots = points([*ranks.values()], [0] * k, hovers, marks(ACCENT, size=9), cliponaxis=False)
    beside = round(54 + _LETTER * max(len(shown[name]) for name in ranks))
    lowest = max(heights) + 0.6
    needed = compared.critical_difference
    caption, fits = f"critical difference {written(needed)}", needed <= k - 1
    text = caption if fits else f"{caption}: longer than the axis"
    above = at_point(1, _SAID, text, font={"size": 12}, xshift=-4)
    return chart(
        [*bars, *stems, dots],
        height=_STEP * (lowest - _TOP) + 46,
        margin=(beside, beside, 44, 2),
        shapes=_bracket(1 + needed) if fits else [],
        annotations=[above, *names],
        xaxis={
            **FIXED,
            "side": "top",
            "range": [1 - _ENDS, k + _ENDS],
            "tickvals": _rank_ticks(k),
            "title": {"text": "mean rank", "standoff": 4},
            "showline": True,
            "linecolor": INK,
            "ticks": "outside",
        },
        yaxis={**FIXED, "range": [lowest, _TOP], "visible": False},
    )


def _mark(x: list[float], y: list[float], colour: str, width: float, **hover: str) -> Scatter:
    return Scatter(x=x, y=y, mode="lines", line={"color": colour, "width": width}, **hover)


def _bracket(end: float) -> list[Layout]:
    """From rank 1 to the end, with a tick at both."""
    across = {"x0": 1, "x1": end, "y0": _BRACKET, "y1": _BRACKET}
    ends = [{"x0": x, "x1": x, "y0": _BRACKET - 0.2, "y1": _BRACKET + 0.2} for x in (1, end)]
    look = {"type": "line", "line": {"color": INK, "width": 2}}
    return [{**look, **line} for line in (across, *ends)]
