"""Groups of overlapping entities → plotly figures and rows. No Streamlit here."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from corescore.analysis.errors.mentions import CORRECT, MISSING
from corescore.analysis.overlaps.members import PAIR_KINDS
from corescore.analysis.overlaps.table import Grid, entities_of_overlaps
from corescore.arrays import BoolArray, IntArray
from corescore.counting.comparison import Comparison
from corescore.metrics import colour_of
from corescore.plots.charts import short
from corescore.wording import counted

__all__ = ["arcs", "flows", "grid_chart", "pair_matrix"]

Titles = Mapping[int, str]
_INK = "rgb(63, 110, 181)"
# A click selects a point, and plotly would fade the others: here a click only asks.
_UNFADED = {"marker": {"opacity": 0.02}, "textfont": {"color": "#808692"}}
_STYLES = {  # of links: colour, dash, width
    CORRECT: ("#009E73", "solid", 1.8),
    MISSING: ("#D55E00", "dash", 1.8),
    "wrong": ("#C26A97", "dot", 2.2),
}


def overlap_titles(
    comparison: Comparison,
    table: pd.DataFrame,
    key: Mapping[str, Titles],
    response: Mapping[str, Titles],
) -> list[str]:
    """What to call each group: its first key entities, or response entities if it has none."""
    keys, responses = entities_of_overlaps(comparison)
    rows = zip(table["group"], table["document"], strict=True)
    return [
        " · ".join(key[name][n] for n in keys.get(group, ())[:3])
        or " · ".join(f"{response[name][n]} (response)" for n in responses.get(group, ())[:3])
        for group, name in rows
    ]


def grid_title(grid: Grid, key: Titles, response: Titles) -> str:
    """A heading without marks that Markdown would read."""
    from corescore.sentences.markup import plain

    titles = [key[n] for n in grid.key_entities] or [response[n] for n in grid.response_entities]
    more = " and more" if len(titles) > 2 else ""
    return plain(f"{grid.document}: {' · '.join(titles[:2])}{more}")


def grid_chart(grid: Grid, key: Titles, response: Titles) -> go.Figure:
    """Key entities down, response entities across, the mentions they share in the cells.

    A point over each cell carries (key entity, response entity) as `customdata`; pairs that a
    CEAF aligns are outlined: CEAF_m solid, CEAF_e dotted.
    """
    down = [
        f"{n} {short(key[n], 24)} ({size})" for n, size in _rows(grid.key_entities, grid.key_sizes)
    ]
    across = [
        f"{n} {short(response[n], 15)} ({size})"
        for n, size in _rows(grid.response_entities, grid.response_sizes)
    ]
    rows, places = np.nonzero(grid.shared)
    cells = list(zip(rows.tolist(), places.tolist(), strict=True))
    highest = int(grid.shared.max(initial=1))
    figure = go.Figure(
        go.Heatmap(
            z=np.where(grid.shared > 0, grid.shared, np.nan),
            x=np.arange(len(across)),
            y=np.arange(len(down)),
            colorscale=[[0, "rgba(128, 134, 146, 0.16)"], [1, "rgba(128, 134, 146, 0.72)"]],
            zmin=0,
            zmax=highest,
            showscale=False,
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    )
    few = len(down) * len(across) <= 900
    figure.add_trace(
        go.Scatter(
            x=places,
            y=rows,
            mode="markers+text" if few else "markers",
            marker={"symbol": "square", "size": 26 if few else 10, "opacity": 0.02, "color": _INK},
            text=[str(n) for n in grid.shared[rows, places]],
            textfont={"size": 13},
            unselected=_UNFADED,
            customdata=[
                [int(grid.key_entities[r]), int(grid.response_entities[p])] for r, p in cells
            ],
            hovertext=[_cell_hover(grid, r, p, key, response) for r, p in cells],
            hoverinfo="text",
        )
    )
    for aligned, dash, inset in ((grid.aligned[0], "solid", 0.46), (grid.aligned[1], "dot", 0.38)):
        for r, p in np.argwhere(aligned).tolist():
            figure.add_shape(
                type="rect",
                x0=p - inset,
                x1=p + inset,
                y0=r - inset,
                y1=r + inset,
                line={
                    "color": colour_of("ceafm" if dash == "solid" else "ceafe"),
                    "width": 2.5,
                    "dash": dash,
                },
            )
    figure.update_layout(
        height=int(min(700, max(190, 112 + 30 * len(down)))),
        margin={"l": 10, "r": 80, "t": 74, "b": 10},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        clickmode="event+select",
        xaxis=_axis(across, "response entities", side="top", tickangle=-28),
        yaxis=_axis(down, "key entities", autorange="reversed"),
    )
    return figure


def _rows(numbers: IntArray, sizes: IntArray) -> list[tuple[int, int]]:
    return list(zip(numbers.tolist(), sizes.tolist(), strict=True))


def _axis(labels: Sequence[str], title: str, **more: Any) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        "tickfont": {"size": 12},
        **more,
    }


def _cell_hover(grid: Grid, row: int, place: int, key: Titles, response: Titles) -> str:
    k, r = int(grid.key_entities[row]), int(grid.response_entities[place])
    pairs = [
        title
        for title, aligned in zip(
            ("CEAF<sub>m</sub>", "CEAF<sub>e</sub>"), grid.aligned, strict=True
        )
        if aligned[row, place]
    ]
    return (
        f"{counted(int(grid.shared[row, place]), 'mention')} in both"
        f"<br>key entity {k} ({grid.key_sizes[row]}): {short(key[k], 40)}"
        f"<br>response entity {r} ({grid.response_sizes[place]}): {short(response[r], 40)}"
        + (f"<br>aligned by {' and '.join(pairs)}" if pairs else "<br>aligned by no CEAF")
    )


def members_of_cell(table: pd.DataFrame, key: int, response: int) -> BoolArray:
    """(mentions,) those that both entities have."""
    found: BoolArray = (
        (table["key_entity"] == key) & (table["response_entity"] == response)
    ).to_numpy()
    return found


def context_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Mentions in context for a table; – where a side lacks one."""
    entities = ["key_entity", "response_entity"]
    shown = table[["before", "text", "after", *entities]]
    return shown.assign(**{e: ["–" if n == 0 else str(n) for n in shown[e]] for e in entities})


def flows(grid: Grid, key: Titles, response: Titles) -> go.Figure:
    """Bands from key to response entities, as wide as the mentions they share."""
    rows, places = np.nonzero(grid.shared)
    n_key = len(grid.key_entities)
    labels = [f"{n} {short(key[n], 24)}" for n in grid.key_entities.tolist()]
    labels += [f"{n} {short(response[n], 24)}" for n in grid.response_entities.tolist()]
    figure = go.Figure(
        go.Sankey(
            arrangement="fixed",
            node={
                "label": labels,
                "pad": 12,
                "thickness": 10,
                "color": [_INK] * n_key + ["#808692"] * len(grid.response_entities),
                "line": {"width": 0},
                "hovertemplate": "%{label}: %{value} shared mentions<extra></extra>",
            },
            link={
                "source": rows,
                "target": places + n_key,
                "value": grid.shared[rows, places],
                "color": "rgba(110, 135, 190, 0.38)",
                "hovertemplate": "%{source.label} – %{target.label}: %{value}<extra></extra>",
            },
        )
    )
    figure.update_layout(
        height=max(180, 34 * max(grid.shared.shape) + 40),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
    )
    return figure


# Links ------------------------------------------------------------------------------------------


def arcs(members: pd.DataFrame, links: pd.DataFrame, *, chosen: int | None) -> go.Figure:
    """Mentions in text order on a line; correct and missing links above it, wrong ones below.

    Each mention's point carries its row in `members` as `customdata`; `chosen` is the selected.
    """
    figure = go.Figure()
    for kind, (colour, dash, width) in _STYLES.items():
        of_kind = links[links["kind"] == kind]
        xs, ys, tops = _arc_points(of_kind, up=kind != "wrong")
        figure.add_trace(
            go.Scatter(
                x=xs,
                y=ys,
                mode="lines",
                line={"color": colour, "dash": dash, "width": width},
                opacity=1 if len(of_kind) < 60 else 0.55,
                hoverinfo="skip",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=[top[0] for top in tops],
                y=[top[1] for top in tops],
                mode="markers",
                marker={"size": 9, "opacity": 0.02, "color": colour},
                hovertext=[
                    f"{kind}: {short(members['text'].iloc[a], 40)} – "
                    f"{short(members['text'].iloc[b], 40)}"
                    for a, b in zip(of_kind["first"], of_kind["second"], strict=True)
                ],
                hoverinfo="text",
            )
        )
    named = len(members) <= 45
    figure.add_trace(
        go.Scatter(
            x=list(range(len(members))),
            y=[0] * len(members),
            mode="markers",
            marker={
                "size": [13 if n == chosen else 9 for n in range(len(members))],
                "symbol": _mention_symbols(members),
                "color": "#808692",
                "line": {"width": 1.5, "color": "#808692"},
                "opacity": 1,
            },
            unselected={"marker": {"opacity": 1}},
            customdata=list(range(len(members))),
            hovertext=[_mention_hover(row) for row in members.to_dict("records")],
            hoverinfo="text",
        )
    )
    highest = max(
        (_height(b - a) for a, b in zip(links["first"], links["second"], strict=True)), default=1.0
    )
    below = (links["kind"] == "wrong").any()
    above = (links["kind"] != "wrong").any()
    figure.update_layout(
        height=430 if len(links) else 170,
        margin={"l": 84, "r": 8, "t": 26, "b": 8},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        clickmode="event+select",
        xaxis={
            "tickvals": list(range(len(members))) if named else [],
            "ticktext": [short(text, 20) for text in members["text"]] if named else [],
            "tickangle": -50,
            "range": [-0.7, len(members) - 0.3],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "automargin": True,
        },
        yaxis={
            "visible": False,
            "fixedrange": True,
            "range": [-1.12 * highest if below else -0.25, 1.12 * highest if above else 0.25],
        },
    )
    legend = [("key: correct solid, missing dashed", 1)] if above else []
    legend += [("response: wrong dotted", 0)] if below else []
    for words, y in legend:
        figure.add_annotation(
            x=0,
            y=y,
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            yshift=4 if y else 2,
            text=words,
            showarrow=False,
        )
    return figure


def _height(distance: int) -> float:
    return float(distance**0.6)


def _arc_points(links: pd.DataFrame, *, up: bool) -> tuple[list[Any], list[Any], list[Any]]:
    """Half ellipses, one after the other with a gap between; and where each is highest."""
    angle = np.linspace(0, np.pi, 21)
    xs: list[Any] = []
    ys: list[Any] = []
    tops = []
    sign = 1 if up else -1
    for a, b in zip(links["first"].tolist(), links["second"].tolist(), strict=True):
        centre, radius, height = (a + b) / 2, (b - a) / 2, sign * _height(b - a)
        xs += [*(centre - radius * np.cos(angle)).tolist(), None]
        ys += [*(height * np.sin(angle)).tolist(), None]
        tops.append((centre, height))
    return xs, ys, tops


def _mention_symbols(members: pd.DataFrame) -> list[str]:
    """Both sides: filled; missing: open; spurious: a cross."""
    sides = zip(members["key_entity"], members["response_entity"], strict=True)
    return ["circle" if k and r else "circle-open" if k else "x" for k, r in sides]


def _mention_hover(row: Mapping[Any, Any]) -> str:
    k, r = row["key_entity"], row["response_entity"]
    where = [f"key entity {k}" if k else "not in the key (spurious)"]
    where.append(f"response entity {r}" if r else "not in the response (missing)")
    return f"{short(row['text'], 60)}<br>{', '.join(where)}"


PAIR_STYLES = (  # of PAIR_KINDS: colour and letter
    ("rgba(0, 158, 115, 0.60)", "C"),
    ("rgba(213, 94, 0, 0.55)", "M"),
    ("rgba(194, 106, 151, 0.60)", "W"),
    ("rgba(128, 134, 146, 0.16)", "·"),
    ("rgba(128, 134, 146, 0.0)", "◦"),
)


def pair_matrix(members: pd.DataFrame, kinds: IntArray) -> go.Figure:
    """Each pair of mentions below the diagonal: what it is on the two sides.

    A point over each pair carries its two rows in `members` as `customdata`.
    """
    n = len(members)
    shown = np.where(np.tri(n, k=-1, dtype=bool), kinds, -1)
    labels = [f"{number + 1} {short(text, 22)}" for number, text in enumerate(members["text"])]
    scale = []
    for number, (colour, _) in enumerate(PAIR_STYLES):
        scale += [[number / 5, colour], [(number + 1) / 5, colour]]
    rows, places = np.nonzero(shown >= 0)
    figure = go.Figure(
        go.Heatmap(
            z=np.where(shown >= 0, shown + 0.5, np.nan),
            colorscale=scale,
            zmin=0,
            zmax=5,
            showscale=False,
            hoverinfo="skip",
            xgap=1,
            ygap=1,
        )
    )
    of = shown[rows, places].tolist()
    figure.add_trace(
        go.Scatter(
            x=places,
            y=rows,
            mode="markers+text",
            marker={"symbol": "square", "size": 18, "opacity": 0.02, "color": _INK},
            text=[PAIR_STYLES[kind][1] for kind in of],
            unselected=_UNFADED,
            customdata=[[int(a), int(b)] for a, b in zip(places, rows, strict=True)],
            hovertext=[
                f"{PAIR_KINDS[kind]}<br>{short(members['text'].iloc[a], 40)} – "
                f"{short(members['text'].iloc[b], 40)}"
                for kind, a, b in zip(of, places, rows, strict=True)
            ],
            hoverinfo="text",
        )
    )
    figure.update_layout(
        height=60 + 26 * n,
        width=200 + 26 * n,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        showlegend=False,
        hovermode="closest",
        dragmode=False,
        clickmode="event+select",
        xaxis=_axis([str(number + 1) for number in range(n)], "", tickangle=0),
        yaxis=_axis(labels, "", autorange="reversed"),
    )
    return figure


def link_rows(members: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """The links by the words of their two mentions."""
    words = members["text"].to_numpy(dtype=object)
    ends = {end: words[links[end].to_numpy(dtype=np.int64)] for end in ("first", "second")}
    return pd.DataFrame({"kind": links["kind"].to_numpy(), **ends})
