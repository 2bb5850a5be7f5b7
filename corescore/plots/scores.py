"""Scores → figures: metrics side by side, against the size of documents, before and after a
perturbation."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Figure, Scatter

from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots.template import (
    FIXED,
    Layout,
    Tables,
    chart,
    columns,
    explained,
    label,
    marks,
    percents,
    percents_around,
    points,
    titled,
)
from corescore.scoring.tables import opposite_changes
from corescore.sentences.names import title
from corescore.wording import RATIOS, fraction, percent, signed

if TYPE_CHECKING:  # the toys bring all experiments along, which the first page does not need
    from corescore.teaching.toy import History

SHAPES = {"recall": "triangle-up", "precision": "triangle-down", "f1": "circle"}
_SIZES = {"recall": 9, "precision": 9, "f1": 14}
_RATIOS_OF_F1 = ("recall", "precision")
_WHISKER = 0.1  # half of its width; two metrics are 1 apart

# The six ------------------------------------------------------------------------------------------


def six_metrics(tables: Tables, intervals: Tables | None = None) -> Figure:
    """The metrics side by side: recall, precision and F1 of each system, by shape.

    tables     score tables by the system's letter or name; the first is drawn filled, the second
               open
    intervals  tables of `significance.Intervals` by the same letters: F1's is drawn as a whisker,
               all are in the hover texts
    """
    several = len(tables) > 1
    metrics = [metric for metric in METRIC_IDS if all(metric in of.index for of in tables.values())]
    traces: list[Scatter] = []
    shapes: list[Layout] = []
    of_f1: list[Layout] = []
    drawn: list[float] = []
    has_interval = False
    offsets = (-0.24, 0.24) if several else (0.0,)
    for (letter, table), offset in zip(tables.items(), offsets, strict=True):
        own = (intervals or {}).get(letter, pd.DataFrame())
        ends: dict[str, dict[str, tuple[float, float]]] = {metric: {} for metric in metrics}
        for row in own.dropna().to_dict("records"):
            ends.setdefault(row["metric"], {})[row["measure"]] = row["t_low"], row["t_high"]
        style, dash = ("", "solid") if offset <= 0 else ("-open", "dot")
        for at, metric in enumerate(metrics):
            x, scores, colour = at + offset, table.T[metric], colour_of(metric)
            whisker = ends[metric].get("f1", ())
            has_interval |= bool(ends[metric])
            drawn += [*scores[list(RATIOS)], *whisker]
            stem = Scatter(  # from recall to precision
                x=[x, x],
                y=[100 * scores["recall"], 100 * scores["precision"]],
                mode="lines",
                line={"color": colour, "width": 2, "dash": dash},
                opacity=0.5,
                hoverinfo="skip",
            )
            of_metric = points(
                [x] * len(RATIOS),
                [100 * scores[ratio] for ratio in RATIOS],
                [
                    f"{letter}, {_ratio_hover(metric, scores, ratio, ends[metric])}"
                    for ratio in RATIOS
                ],
                marks(
                    colour,
                    symbol=[SHAPES[ratio] + style for ratio in RATIOS],
                    size=[_SIZES[ratio] for ratio in RATIOS],
                ),
                cliponaxis=False,
            )
            traces += [stem, of_metric]
            shapes += _whisker(x, [100 * end for end in whisker], colour)
            f1 = f"<b>{percent(scores['f1'])}</b>"
            text = f"{letter}<br>{f1}" if several else f"F1 {f1}"  # where nothing lies over it
            text += "".join(f"<br>{r[0].upper()} {percent(scores[r])}" for r in _RATIOS_OF_F1)
            place = {"x": x, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -4}
            of_f1.append({**place, "text": text, "showarrow": False})
    lowest, highest = pd.Series(drawn).agg(["min", "max"])
    bottom, top = 100 * lowest // 10 * 10 - 3, -(-100 * highest // 10) * 10 + 3
    interval = " on its 95% interval" if has_interval else ""
    first, *others = tables
    systems = f" &nbsp; · &nbsp; {first} filled, {others[0]} open" if others else ""
    mean = f"▲ recall &nbsp; ▼ precision &nbsp; ● F1{interval}{systems}"
    return chart(
        traces,
        height=410,
        margin=(60, 8, 34, 116),
        shapes=shapes,
        annotations=[*of_f1, explained(mean)],
        xaxis=columns(
            [*map(label, metrics)],
            range=[-0.5, len(metrics) - 0.5],
            tickfont={"size": 14},
            ticklabelstandoff=70 if several else 54,
        ),
        yaxis={**percents(max(-3.0, bottom), min(103.0, top)), "title": "percent"},
    )


def _ratio_hover(
    metric: str, row: pd.Series, ratio: str, ends: Mapping[str, tuple[float, float]]
) -> str:
    value = f"{percent(row[ratio])}%"
    if ratio != "f1":
        parts = fraction(row[f"{ratio}_numerator"], row[f"{ratio}_denominator"])
        value = f"{parts} = {value}" if parts else value
    if ratio in ends:
        low, high = map(percent, ends[ratio])
        value += f"<br>95% interval: {low} to {high}"
    return f"{title(metric)} {RATIOS[ratio]}: {value}"


def _whisker(x: float, ends: Sequence[float], colour: str) -> list[Layout]:
    """Between which values F1 lies: a pale bar with a line at each end, behind the marks."""
    if not ends:
        return []
    across = {"x0": x - _WHISKER, "x1": x + _WHISKER, "layer": "below"}
    line = {"type": "line", "opacity": 0.85, "line": {"color": colour, "width": 2}}
    bar = {"type": "rect", "opacity": 0.22, "fillcolor": colour, "line": {"width": 0}}
    return [
        {**across, **bar, "y0": ends[0], "y1": ends[1]},
        *({**across, **line, "y0": y, "y1": y} for y in ends),
    ]


def scores_of_toy(history: "History") -> Figure:
    """The six scores of the toy that is shown and, open, of the one before the last change."""
    toy, before = history.toy, history.before
    tables = {"now": toy.result.table}
    if before:
        tables["before"] = before.result.table
    heading = f"{toy.response_notation} against the key {toy.key_notation}"
    return titled(six_metrics(tables), heading, toy.result.signature)


# Documents ----------------------------------------------------------------------------------------


def size_against_score(summaries: Tables, *, size: str, size_title: str, metric: str) -> Figure:
    """A point for each document: its size across, its F1 up; the first system filled, the second
    open. Each point carries its document's name as `customdata`."""
    known = {letter: table[table[metric].notna()] for letter, table in summaries.items()}
    traces = [
        points(
            table[size],
            100 * table[metric],
            [
                f"{escape(str(name))}<br>{letter}, {title(metric)} F1: {percent(row[metric])}%"
                f"<br>{row[size]:,.0f} {size_title}"
                for name, row in table.iterrows()
            ],
            marks(colour_of(metric), size=10, symbol=f"circle{'' if letter == 'A' else '-open'}"),
            name=letter,
            customdata=list(table.index),
        )
        for letter, table in known.items()
    ]
    return chart(
        traces,
        height=360,
        margin=(56, 12, 36, 48),
        showlegend=len(summaries) > 1,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemclick": False},
        xaxis={"title": f"{size_title} in the document", "zeroline": False},
        yaxis={
            **percents_around(pd.concat([table[metric] for table in known.values()])),
            "title": f"{title(metric)} F1, percent",
        },
    )


# Perturbations ------------------------------------------------------------------------------------

_OFFSETS = {"recall": -0.33, "precision": 0.0, "f1": 0.33}
_LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}
_HALVES = {"blanc.coreference": -0.11, "blanc.non_coreference": 0.11}  # and where: beside BLANC
_BLANC = METRIC_IDS.index("blanc")


def before_and_after(
    table: pd.DataFrame, other: pd.DataFrame | None = None, other_is: str = ""
) -> Figure:
    """Recall, precision and F1 of each metric: open before, filled after, an arrow between them,
    and the change in points above each; BLANC's halves, its two kinds of links, small beside it.

    table     of `corescore.scoring.tables.change_table`
    other     the same under the other reading of incorrectly resolved mentions: a diamond shows its
              score after, where its change has the opposite sign
    other_is  which mentions that reading has
    """
    rows = table.T
    others: dict[tuple[str, str], float] = {}  # after, where a change has the opposite sign there
    if other is not None:
        for metric, measure in opposite_changes(table, other):
            others[metric, measure] = float(other[f"{measure}_after"][metric])
    values = table.loc[
        [*METRIC_IDS, *_HALVES], [*_OFFSETS, *(f"{name}_after" for name in _OFFSETS)]
    ]
    low = 100 * min([float(values.min().min()), *others.values()])
    high = 100 * max([float(values.max().max()), *others.values()])
    marks_mean = "▲ R recall &nbsp; ▼ P precision &nbsp; ● F1  · open: before, filled: after"
    marks_mean += " · small: BLANC’s links, non-links"
    marks_mean += " · ◇ after, by the other reading" if others else ""
    arrows = [_arrows(at, rows[metric]) for at, metric in enumerate(METRIC_IDS)]
    halves = [_arrows(_BLANC + aside, rows[half], small=4) for half, aside in _HALVES.items()]
    return chart(
        [
            *arrows,
            *halves,
            _change_numbers(rows, others),
            *([_diamonds(rows, others, other_is)] if others else []),
        ],
        height=400,
        margin=(63, 8, 30, 56),
        xaxis=_axis_of_arrows(),
        yaxis={
            **percents(max(0, low // 10 * 10 - 5), min(112, high + 9)),
            "title": "percent",
        },
        annotations=[explained(marks_mean)],
    )


def _axis_of_arrows() -> Layout:
    """The measures' letters below their arrows; the metrics' names below those in the middle."""
    large = '<span style="font-size: 14px">{}</span>'
    letters = {
        number + offset: _LETTERS[measure] + (f"<br>{large.format(label(metric))}" * (not offset))
        for number, metric in enumerate(METRIC_IDS)
        for measure, offset in _OFFSETS.items()
    }
    look = {"range": [-0.5, len(METRIC_IDS) - 0.5], "tickangle": 0, "tickfont": {"size": 12}}
    return {**FIXED, "tickvals": list(letters), "ticktext": list(letters.values()), **look}


def _arrows(number: float, row: pd.Series, *, small: int = 0) -> Scatter:
    """A metric's three arrows: one trace, which a browser draws sooner than three.

    small  by how many pixels the marks are smaller
    """
    x: list[float | None] = []
    y: list[float | None] = []
    hovers, shapes = [], []
    for measure, offset in _OFFSETS.items():
        before, after = row[measure], row[f"{measure}_after"]
        hover = (
            f"{title(str(row.name))} {RATIOS[measure]}: {percent(before)}% before, "
            f"{percent(after)}% after<br>{signed(row[f'{measure}_change'])} points"
        )
        x += [number + offset, number + offset, None]  # before and after, and the end of the line
        y += [100 * before, 100 * after, None]
        hovers += [hover, hover, ""]
        shapes += [f"{SHAPES[measure]}-open", SHAPES[measure], SHAPES[measure]]
    colour = colour_of(str(row.name))
    return points(
        x,
        y,
        hovers,
        marks(colour, size=[9 - small, 11 - small, 0] * len(_OFFSETS), symbol=shapes),
        mode="lines+markers",
        line={"color": colour, "width": 1 if small else 2},
        cliponaxis=False,
    )


_ABOVE_MARKS = 16  # the size of a mark that is at least as large as those drawn, in pixels

_Others = Mapping[tuple[str, str], float]  # scores after by metric and measure


def _change_numbers(rows: pd.DataFrame, others: _Others) -> Scatter:
    """The change above the higher end of each arrow, and of BLANC's halves, in one trace without
    empty texts: a browser that draws a chart again loses the texts that were empty before."""
    places = [(metric, measure) for metric in METRIC_IDS for measure in _OFFSETS]

    def top(metric: str, measure: str) -> float:
        drawn = [metric, *(_HALVES if metric == METRIC_IDS[_BLANC] else ())]
        scores = rows.loc[[measure, f"{measure}_after"], drawn]
        return 100 * max(float(scores.max().max()), others.get((metric, measure), 0))

    return Scatter(
        x=[METRIC_IDS.index(metric) + _OFFSETS[measure] for metric, measure in places],
        y=[top(*place) for place in places],
        mode="markers+text",
        marker={"size": _ABOVE_MARKS, "opacity": 0},  # texts keep clear of marks, seen or not
        text=[signed(rows[metric][f"{of}_change"]) for metric, of in places],
        textposition="top center",
        textfont={"size": 12},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _diamonds(rows: pd.DataFrame, others: _Others, other_is: str) -> Scatter:
    """The scores after, under the other reading."""
    places = [METRIC_IDS.index(metric) + _OFFSETS[measure] for metric, measure in others]
    hovers = [
        f"{title(metric)} {RATIOS[measure]}, with {other_is}: {percent(after)}% after<br>"
        f"{signed(after - rows[metric][measure])} points"
        for (metric, measure), after in others.items()
    ]
    colours = [colour_of(metric) for metric, _ in others]
    after = [100 * value for value in others.values()]
    look = marks(colours, size=11, symbol="diamond-open")
    return points(places, after, hovers, look, cliponaxis=False)
