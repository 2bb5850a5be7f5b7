"""What scores lose → figures: the parts of each loss, and of the difference of two systems."""

from collections.abc import Mapping

from plotly.graph_objects import Bar, Figure

from corescore.analysis.decomposition import GROUPS, PARTS, Decomposition, between
from corescore.counting.counts import MEASURES
from corescore.metrics import colour_of
from corescore.plots.template import INK, OPEN, chart, explained, faint, label, marks, points, rows
from corescore.sentences.names import title
from corescore.wording import RATIOS, counted, percent, signed

# By letter and shade, so that colour alone says nothing.
_LETTERS = dict(zip(GROUPS, "DLS", strict=True))
_SCORE, _SHADES = 0.6, dict(zip(GROUPS, (0.36, 0.2, 0.07), strict=True))
_SYMBOLS = dict(zip(GROUPS, ("square", "diamond", "circle"), strict=True))
_SIGNS = dict(zip(GROUPS, "■◆●", strict=True))
_LEAST = 5.0  # points that a part of a bar needs for its number


def losses(each: Mapping[str, Decomposition], measure: str = "f1") -> Figure:
    """A bar for each metric and system, from 0 to what the key itself would score: the score, then
    what detection, linking and singletons lose. A share below 0 is drawn as nothing.

    each  by the system's letter or name
    """
    first = next(iter(each.values()))
    names = [name for name in first.metrics if name != "conll" or measure == "f1"]
    places = [(name, letter) for name in names for letter in each]
    traces = [_score_bars(each, places, measure)]
    traces += [_lost(each, places, measure, group) for group in GROUPS]
    letters = "" if len(each) < 2 else " {}"
    of_each = [label(name) + letters.format(letter) for name, letter in places]
    meaning = " &nbsp; ".join(["score", *(f"{_LETTERS[group]} {group}" for group in GROUPS)])
    return chart(
        traces,
        height=70 + 26 * len(places),
        margin=(84, 12, 30, 40),
        barmode="stack",
        bargap=0.25,
        xaxis={**OPEN, "title": f"{RATIOS[measure]}, percent", "range": [0, 100.5]},
        yaxis=rows(of_each),
        annotations=[explained(meaning)],
    )


def _score_bars(
    each: Mapping[str, Decomposition], places: list[tuple[str, str]], measure: str
) -> Bar:
    m = MEASURES.index(measure)
    scores = [float(each[of].score[each[of].metrics.index(name), m]) for name, of in places]
    hovers = [
        f"{of}, {title(name)} {RATIOS[measure]}: {percent(score)}%"
        for (name, of), score in zip(places, scores, strict=True)
    ]
    return _bar_layer(places, scores, [""] * len(places), hovers, opacity=_SCORE)


def _lost(
    each: Mapping[str, Decomposition], places: list[tuple[str, str]], measure: str, group: str
) -> Bar:
    shares = [
        float(each[of].of_group(measure, group)[each[of].metrics.index(name)])
        for name, of in places
    ]
    texts = [
        f"{_LETTERS[group]} {percent(share)}" if 100 * share >= _LEAST else "" for share in shares
    ]
    hovers = [
        f"{of}, {title(name)}: {group} loses {signed(share).removeprefix('+')} points"
        + "".join(_of_part(each[of], measure, part, name) for part in PARTS if PARTS[part] == group)
        for (name, of), share in zip(places, shares, strict=True)
    ]
    drawn = [max(0.0, share) for share in shares]
    return _bar_layer(places, drawn, texts, hovers, opacity=_SHADES[group])


def _bar_layer(
    places: list[tuple[str, str]],
    values: list[float],
    texts: list[str],
    hovers: list[str],
    *,
    opacity: float,
) -> Bar:
    """A part of each bar, in the metric's colour: pale, so that its number can be read."""
    colours = [colour_of(name) for name, _ in places]
    shades = [faint(colour, opacity) for colour in colours]
    return Bar(
        x=[100 * value for value in values],
        y=[*range(len(places))],
        orientation="h",
        marker={"color": shades, "line": {"color": colours, "width": 1}},
        text=texts,
        textposition="inside",
        insidetextanchor="middle",
        textfont={"size": 12},
        constraintext="none",
        textangle=0,
        hovertext=hovers,
        hoverinfo="text",
    )


def _of_part(made: Decomposition, measure: str, part: str, metric: str) -> str:
    share = made.of_part(measure, part)[made.metrics.index(metric)]
    return f"<br>{part}: {signed(share).removeprefix('+')} ({counted(made.mentions[part])})"


def differences(a: Decomposition, b: Decomposition, measure: str = "f1") -> Figure:
    """One row per metric: how much of the difference b − a comes from detection, from linking
    and from singletons, in points; a mark for each, by shape."""
    table = between(a, b)
    shares = table[table["measure"] == measure].groupby(["metric", "group"])["share"].sum()
    names = [name for name in a.metrics if name != "conll" or measure == "f1"]
    traces = [
        points(
            [100 * shares[name, group] for name in names],
            [*range(len(names))],
            [f"{title(name)}: {group} {signed(shares[name, group])} points" for name in names],
            marks([*map(colour_of, names)], size=11, symbol=_SYMBOLS[group]),
        )
        for group in GROUPS
    ]
    meaning = " &nbsp; ".join(f"{_SIGNS[group]} {group}" for group in GROUPS)
    axis = {**OPEN, "zeroline": True, "zerolinecolor": INK}
    return chart(
        traces,
        height=70 + 30 * len(names),
        margin=(84, 12, 30, 40),
        xaxis={**axis, "title": f"{RATIOS[measure]}, B − A in points: right of 0, B gains"},
        yaxis=rows([*map(label, names)]),
        annotations=[explained(meaning)],
    )
