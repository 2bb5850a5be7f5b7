"""Errors and credit → figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import escape
from plotly.graph_objects import Figure, Sankey, Scatter

from corescore.analysis.errors import classes as status
from corescore.analysis.errors.overlaps import PAIR_KINDS, Grid
from corescore.metrics import METRIC_IDS, colour_of
from corescore.plots.template import (
    CLEAR,
    CORRECT,
    INK,
    KEY,
    MISSING,
    RESPONSE,
    ROOM,
    TWO_SHADES,
    WRONG,
    Layout,
    Scale,
    at_point,
    chart,
    clickable,
    columns,
    explained,
    faint,
    frame,
    heat_map,
    label,
    margins,
    marks,
    note,
    points,
    rows,
    short,
)
from corescore.sentences.names import title
from corescore.util import IntArray
from corescore.wording import counted, listed, percent, signed

MOST_ALIGNED = 40

# Entities that overlap → figures: a grid, flows, arcs of links, a matrix of pairs -----------------

Titles = Mapping[int, str]

# Errors -------------------------------------------------------------------------------------------


def gains(table: pd.DataFrame, names: Mapping[str, str], hover: str) -> Figure:
    """How much fixing each kind of error would gain under each metric, written and shaded.

    table  of `corescore.analysis.errors.tables.gain_table`
    names  the kinds as the page calls them
    hover  what the gain is, in words
    """
    of_kinds, total = table.iloc[:-1], table.iloc[-1]

    def told(kind: str, metric: str, value: float) -> str:
        return f"{names[kind]}, {title(metric)}: {signed(value)} points<br>{hover}"

    most = max(float(of_kinds.abs().max().max()), 1e-9)
    heads = [*(names[kind] for kind in of_kinds.index), f"<b>{total.name}</b>"]
    figure = _heat_map(of_kinds, heads, text=signed, hover=told, most=most)
    for place, metric in enumerate(table.columns):
        text = f"<b>{signed(total[metric])}</b>"
        where = {"x": place, "y": len(of_kinds), "font": {"size": 12}}
        figure.add_annotation(**where, text=text, showarrow=False)
    return figure


def slice_credit(table: pd.DataFrame) -> Figure:
    """The share of its credit that each slice earns under each metric, written and shaded."""

    def told(name: str, metric: str, value: float) -> str:
        gives = f"{escape(name)}: {title(metric)} gives {percent(value)}%"
        return f"{gives}<br>of the credit these mentions could earn"

    heads = [f"{escape(str(name))} ({n:,})" for name, n in table["mentions"].items()]
    return _heat_map(table[list(METRIC_IDS)], heads, text=percent, hover=told, most=1)


def _heat_map(
    table: pd.DataFrame,
    heads: list[str],
    *,
    text: Callable[[float], str],
    hover: Callable[[str, str, float], str],
    most: float,
) -> Figure:
    """Cells of a table shaded from −most to most, with room for as many rows as there are heads."""
    values = table.to_numpy(dtype=float)
    cells = [(row, column) for row in range(len(table)) for column in range(table.shape[1])]
    names = [[str(table.index[row]), str(table.columns[column])] for row, column in cells]
    hovers = [
        hover(name, metric, values[cell]) for cell, (name, metric) in zip(cells, names, strict=True)
    ]
    shades = heat_map(values, scale=TWO_SHADES, within=(-most, most), text=text)
    return chart(
        [shades, clickable(cells, hovers, names, selected={"marker": {"opacity": 0.004}})],
        height=34 * len(heads) + 44,
        margin=(8, 8, 34, 8),
        clickmode="event+select",
        xaxis=columns([label(str(metric)) for metric in table], side="top"),
        yaxis=rows(heads),
    )


# Credit -------------------------------------------------------------------------------------------


def aligned_first(table: pd.DataFrame) -> pd.DataFrame:
    """The pairs whose entities differ before the perfect ones, the most similar first."""
    order = ["perfect", "similarity"]
    return table.sort_values(order, ascending=[True, False], kind="stable")


def alignment(table: pd.DataFrame, key: Titles, response: Titles) -> Figure:
    """The pairs of entities that a CEAF aligns: key left, response right, a line for each pair.

    table  of `alignment_table`; the first pairs of `aligned_first` are drawn
    key, response  what the entities are called, by their numbers
    """
    shown = aligned_first(table).head(MOST_ALIGNED).sort_values("key_entity")
    left = {number: -place for place, number in enumerate(shown["key_entity"])}
    right = {number: -place for place, number in enumerate(sorted(shown["response_entity"]))}
    lines = [
        _alignment_line(row, left[row["key_entity"]], right[row["response_entity"]])
        for _, row in shown.iterrows()
    ]
    hidden = {"visible": False, "fixedrange": True}
    return chart(
        lines,
        height=60 + 21 * len(shown),
        margin=(8, 8, 8, 8),
        annotations=list(chain(_entity_names(left, key, x=0), _entity_names(right, response, x=1))),
        xaxis={**hidden, "range": [-0.8, 1.8]},
        yaxis={**hidden, "range": [0.8 - len(shown), 0.8]},
    )


def _alignment_line(row: pd.Series, left: float, right: float) -> Scatter:
    hover = (
        f"key entity {row['key_entity']} – response entity {row['response_entity']}"
        f"<br>{row['shared']} shared, similarity {row['similarity']:.3f}"
        f"{'<br>another alignment is as good' if row['tied'] else ''}"
    )
    width, dash = 1.5 + min(row["shared"], 10) / 2, "dash" if row["tied"] else "solid"
    return points(
        [0, 0.5, 1],
        [left, (left + right) / 2, right],
        [hover] * 3,
        {"size": [8, 0.1, 8], "opacity": [1, 0, 1]},
        mode="lines+markers",
        line={"color": colour_of("ceafe"), "width": width, "dash": dash},
    )


def _entity_names(places: Mapping[int, float], titles: Titles, *, x: int) -> list[Layout]:
    """The names of a side's entities beside the ends of their lines."""
    side = {"xanchor": ("right", "left")[x], "xshift": (-9, 9)[x]}
    return [
        at_point(x, y, f"{number} {short(titles[number])}", **side) for number, y in places.items()
    ]


_PALE: dict[str, Any] = {  # points over cells, whose numbers a click does not fade
    "opacity": 0.02,
    "colour": KEY,
    "unselected": {"marker": {"opacity": 0.02}, "textfont": {"color": INK}},
}

_MOST_CELLS, _MOST_NAMES, _MANY_LINKS = 900, 45, 60  # beyond: no numbers, no names, paler arcs

_FEW_MENTIONS = 75  # beyond: smaller points

_MOST_NAMED_COLUMNS = 15  # beyond: the names of columns would lie over each other

# Entities -----------------------------------------------------------------------------------------


def grid(grid: Grid, key: Titles, response: Titles) -> Figure:
    """Key entities down, response entities across, the mentions they share in the cells.

    A point over each cell carries (key entity, response entity) as `customdata`; pairs that a
    CEAF aligns are outlined: CEAFₘ solid, CEAFₑ dotted.
    """
    down = _overlaps_names(grid.key_entities, key, grid.key_sizes, most=24)
    across = _overlaps_names(grid.response_entities, response, grid.response_sizes, most=15)
    shared, most = np.where(grid.shared > 0, grid.shared, np.nan), grid.shared.max(initial=1)
    scale: Scale = [(0, faint(INK, 0.16)), (1, faint(INK, 0.72))]
    ticks = {"automargin": True, "tickfont": {"size": 12}}
    if len(across) > _MOST_NAMED_COLUMNS:
        words = f"{len(across)} response entities: point at a cell for their names"
        ticks_across: Layout = {**ticks, "showticklabels": False, "title": words}
    else:
        ticks_across = {**ticks, "tickangle": -28 if len(across) <= 12 else -60}
    return chart(
        [heat_map(shared, scale=scale, within=(0, int(most))), _shared_counts(grid, key, response)],
        height=int(min(700, max(190, 112 + 30 * len(down)))),
        margin=(10, 80, 74, 10),
        clickmode="event+select",
        shapes=list(_outlines(grid)),
        xaxis=columns(across, side="top", **ticks_across),
        yaxis=columns(down, autorange="reversed", **ticks, **ROOM),
    )


def _overlaps_names(entities: IntArray, titles: Titles, sizes: IntArray, *, most: int) -> list[str]:
    numbers = zip(entities.tolist(), sizes.tolist(), strict=True)
    return [f"{n} {short(titles[n], most)} ({size})" for n, size in numbers]


def _shared_counts(grid: Grid, key: Titles, response: Titles) -> Scatter:
    """The number of shared mentions in each cell that has any."""
    cells = np.argwhere(grid.shared).tolist()
    few = grid.shared.size <= _MOST_CELLS
    return clickable(
        cells,
        [_cell_hover(grid, row, column, key, response) for row, column in cells],
        [
            [int(grid.key_entities[row]), int(grid.response_entities[column])]
            for row, column in cells
        ],
        size=26 if few else 10,
        **_PALE,
        mode="markers+text" if few else "markers",
        text=[str(n) for n in grid.shared[grid.shared > 0]],
        textfont={"size": 13},
    )


def _cell_hover(grid: Grid, row: int, column: int, key: Titles, response: Titles) -> str:
    k, r = int(grid.key_entities[row]), int(grid.response_entities[column])
    pairs = zip(("ceafm", "ceafe"), grid.aligned, strict=True)
    by = [title(metric) for metric, aligned in pairs if aligned[row, column]]
    return (
        f"{counted(int(grid.shared[row, column]), 'mention')} in both"
        f"<br>key entity {k} ({grid.key_sizes[row]}): {short(key[k], 40)}"
        f"<br>response entity {r} ({grid.response_sizes[column]}): {short(response[r], 40)}"
        f"<br>aligned by {listed(by) if by else 'no CEAF'}"
    )


def _outlines(grid: Grid) -> Iterator[Layout]:
    """Frames around the cells that a CEAF aligns."""
    looks = (("ceafm", "solid", 0.46), ("ceafe", "dot", 0.38))
    for aligned, (metric, dash, half) in zip(grid.aligned, looks, strict=True):
        for row, column in np.argwhere(aligned).tolist():
            look = {"color": colour_of(metric), "width": 2.5, "dash": dash}
            yield frame(column, row, (half, half), **look)


def flows(grid: Grid, key: Titles, response: Titles) -> Figure:
    """Bands from key to response entities, as wide as the mentions they share."""
    down, across = np.nonzero(grid.shared)
    sides = ((grid.key_entities, key), (grid.response_entities, response))
    names = [f"{n} {short(titles[n], 24)}" for entities, titles in sides for n in entities.tolist()]
    bands = Sankey(
        arrangement="fixed",
        node={
            "label": names,
            "color": [KEY] * len(grid.key_entities) + [RESPONSE] * len(grid.response_entities),
            "pad": 12,
            "thickness": 10,
            "line": {"width": 0},
            "hovertemplate": "%{label}<br>shared mentions: %{value}<extra></extra>",
        },
        link={
            "source": down,
            "target": across + len(grid.key_entities),
            "value": grid.shared[down, across],
            "color": "rgba(110, 135, 190, 0.38)",
            "hovertemplate": "%{source.label} – %{target.label}: %{value}<extra></extra>",
        },
    )
    height = max(180, 34 * max(grid.shared.shape) + 40)
    return Figure(bands, {"height": height, "margin": margins(10, 10, 10, 10)})


# Links --------------------------------------------------------------------------------------------


_ARCS: dict[str, Layout] = {  # of each kind of links
    status.CORRECT: {"color": CORRECT, "dash": "solid", "width": 1.8},
    status.MISSING: {"color": MISSING, "dash": "dash", "width": 1.8},
    "wrong": {"color": WRONG, "dash": "dot", "width": 2.2},
}


def arcs(members: pd.DataFrame, links: pd.DataFrame, *, selected: int | None) -> Figure:
    """Mentions in text order on a line; correct and missing links above it, wrong ones below.

    Each mention's point carries its row in `members` as `customdata`; `selected` is such a row.
    """
    height = (links["second"] - links["first"]).to_numpy(dtype=float) ** 0.6
    most, is_wrong = 1.12 * float(height.max(initial=0) or 1), links["kind"] == "wrong"
    below, above = is_wrong.any(), (~is_wrong).any()
    drawn = links.assign(height=np.where(is_wrong, -height, height))
    names = [short(text, 20) for text in members["text"]] if len(members) <= _MOST_NAMES else []
    legend = [explained("key: correct solid, missing dashed")] if above else []
    legend += [note(0, 0, "response: wrong dotted", yanchor="bottom", yshift=2)] if below else []
    of_kinds = [_arcs(drawn[drawn["kind"] == kind], kind, members["text"]) for kind in _ARCS]
    return chart(
        [*chain.from_iterable(of_kinds), _mentions(members, selected)],
        height=430 if len(links) else 170,
        margin=(84, 8, 26, 8),
        clickmode="event+select",
        annotations=legend,
        xaxis=columns(names, range=[-0.7, len(members) - 0.3], tickangle=-50, automargin=True),
        yaxis={
            "visible": False,
            "fixedrange": True,
            "range": [-most if below else -0.25, most if above else 0.25],
        },
    )


def _arcs(links: pd.DataFrame, kind: str, texts: pd.Series) -> Iterator[Scatter]:
    """Half ellipses, one after the other with a gap between; each says at its top what it links."""
    angle = np.append(np.linspace(0, np.pi, 21), np.nan)
    first, second = (links[end].to_numpy(dtype=float) for end in ("first", "second"))
    height, centre = links["height"].to_numpy(), (first + second) / 2
    yield Scatter(
        x=(centre[:, None] - np.outer((second - first) / 2, np.cos(angle))).ravel(),
        y=np.outer(height, np.sin(angle)).ravel(),
        mode="lines",
        line=_ARCS[kind],
        opacity=1 if len(links) < _MANY_LINKS else 0.55,
        hoverinfo="skip",
    )
    ends = zip(texts.iloc[links["first"]], texts.iloc[links["second"]], strict=True)
    hovers = [f"{kind}: {short(one, 40)} – {short(other, 40)}" for one, other in ends]
    marker = {"size": 9, "opacity": 0.02, "color": _ARCS[kind]["color"]}
    yield points(centre, height, hovers, marker)


def _mentions(members: pd.DataFrame, selected: int | None) -> Scatter:
    """Filled, both sides have the mention; open, it is missing; a cross, it is spurious."""
    sides = zip(members["key_entity"], members["response_entity"], strict=True)
    places, usual = list(range(len(members))), 9 if len(members) <= _FEW_MENTIONS else 5
    return points(
        places,
        [0] * len(members),
        [_mention_hover(row) for row in members.to_dict("records")],
        marks(
            INK,
            size=[13 if n == selected else usual for n in places],
            symbol=["circle" if k and r else "circle-open" if k else "x" for k, r in sides],
            width=1.5,
        ),
        unselected={"marker": {"opacity": 1}},
        customdata=places,
    )


def _mention_hover(row: Mapping[Any, Any]) -> str:
    k, r = row["key_entity"], row["response_entity"]
    key = f"key entity {k}" if k else "not in the key (spurious)"
    response = f"response entity {r}" if r else "not in the response (missing)"
    return f"{short(row['text'], 60)}<br>{key}, {response}"


# Pairs --------------------------------------------------------------------------------------------

_PAIRS = (  # of PAIR_KINDS: colour and letter
    (faint(CORRECT, 0.6), "C"),
    (faint(MISSING, 0.55), "M"),
    (faint(WRONG, 0.6), "W"),
    (faint(INK, 0.16), "·"),
    (CLEAR, "◦"),
)


def pair_matrix(members: pd.DataFrame, kinds: IntArray) -> Figure:
    """Each pair of mentions below the diagonal: what it is on the two sides.

    A point over each pair carries its two rows in `members` as `customdata`.
    """
    n, n_kinds = len(members), len(_PAIRS)
    below = np.tri(n, k=-1, dtype=bool)
    shades = enumerate(colour for colour, _ in _PAIRS)
    scale = [(end / n_kinds, colour) for at, colour in shades for end in (at, at + 1)]
    names = [f"{number} {short(text, 22)}" for number, text in enumerate(members["text"], start=1)]
    ticks = {"automargin": True, "tickfont": {"size": 12}}
    return chart(
        [
            heat_map(np.where(below, kinds + 0.5, np.nan), scale=scale, within=(0, n_kinds), gap=1),
            _pair_letters(members, kinds, np.argwhere(below).tolist()),
        ],
        height=60 + 26 * n,
        width=200 + 26 * n,
        margin=(10, 10, 10, 10),
        clickmode="event+select",
        xaxis=columns([str(number) for number in range(1, n + 1)], tickangle=0, **ticks),
        yaxis=columns(names, autorange="reversed", **ticks, **ROOM),
    )


def _pair_letters(
    members: pd.DataFrame, kinds: IntArray, pairs: Sequence[Sequence[int]]
) -> Scatter:
    text = [short(text, 40) for text in members["text"]]
    return clickable(
        pairs,
        [
            f"{PAIR_KINDS[kinds[row, column]]}<br>{text[column]} – {text[row]}"
            for row, column in pairs
        ],
        [[column, row] for row, column in pairs],
        size=18,
        **_PALE,
        mode="markers+text",
        text=[_PAIRS[kinds[row, column]][1] for row, column in pairs],
    )
