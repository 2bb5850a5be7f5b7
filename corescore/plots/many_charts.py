"""The ranking of many responses → plotly figures. No Streamlit here, and no arithmetic but of
positions."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from corescore.arrays import FloatArray
from corescore.metrics import CONLL
from corescore.plots.charts import html_title, short
from corescore.plots.experiment_lines import apart
from corescore.wording import RATIOS, ordinal, percent, share

ACCENT = "#5268D6"  # of the systems chosen as A and B; a metric's colour would mean the metric
LONGEST = 24
HEADER = 36  # pixels: what stands over the rows of a table
_GREY = CONLL.colour
_FULL = "rgba(82, 104, 214, 0.62)"  # figures can be read on it in both themes
_NONE = "rgba(82, 104, 214, 0)"
_SHADE = [[0, _NONE], [0.02, "rgba(82, 104, 214, 0.1)"], [1, _FULL]]
_BARE_SHADE = [[0, _NONE], [0.02, "rgba(82, 104, 214, 0.18)"], [1, ACCENT]]
_TWO_SHADES = [[0, "rgba(213, 94, 0, 0.6)"], [0.5, "rgba(128, 134, 146, 0)"], [1, _FULL]]
_QUIET: dict[str, Any] = {"showlegend": False, "hovermode": "closest", "dragmode": False}
_FIXED: dict[str, Any] = {"zeroline": False, "fixedrange": True, "showgrid": False, "ticks": ""}


def label(metric: str) -> str:
    """A metric's name on an axis."""
    return f"<b>{'CoNLL' if metric == 'conll' else html_title(metric)}</b>"


# Ranks --------------------------------------------------------------------------------------------


def bumps(
    table: pd.DataFrame, metrics: Sequence[str], chosen: Mapping[str, str], measure: str
) -> go.Figure:
    """A line a response through its ranks under each metric, the best at the top.

    table   of `Ranking`; each point carries its response as `customdata`
    chosen  the letters of the systems A and B by their names: A drawn filled, B open and dotted
    """
    ranks = table.pivot_table(index="response", columns="metric", values="rank", observed=True)
    ranks = ranks[list(metrics)].sort_values([metrics[-1], *metrics[:-1]])
    rows = table.set_index(["response", "metric"])
    n = len(ranks)
    figure = go.Figure()
    for name in sorted(ranks.index, key=lambda name: (name in chosen, chosen.get(name) == "A")):
        hovers = [_bump_hover(rows.loc[name, m], name, m, n, measure) for m in metrics]
        figure.add_trace(_bump(name, ranks.loc[name].tolist(), hovers, chosen.get(name)))
    longest = max(len(short(name, LONGEST)) for name in ranks.index)
    figure.update_layout(
        **_QUIET,
        height=66 + _row_height(n) * n,
        margin={"l": 44, "r": 24 + 7 * longest, "t": 30, "b": 8},
        clickmode="event+select",
        annotations=_ends(ranks.iloc[:, -1], chosen, x=len(metrics) - 1),
        xaxis={
            **_FIXED,
            "side": "top",
            "tickvals": list(range(len(metrics))),
            "ticktext": [label(metric) for metric in metrics],
            "tickfont": {"size": 14},
            "range": [-0.25, len(metrics) - 0.95],
        },
        yaxis={
            **_FIXED,
            "range": [n + 0.7, 0.3],
            "tickvals": _rank_ticks(n),
            "tickfont": {"size": 12},
            "title": {"text": "rank", "standoff": 4},
        },
    )
    return figure


def _row_height(n: int) -> int:
    """Few responses get tall rows, many low ones."""
    return max(17, min(44, 560 // n))


def _rank_ticks(n: int) -> list[int]:
    return list(range(1, n + 1)) if n <= 12 else [1, *range(5, n + 1, 5)]


def _bump(
    name: str, ranks: Sequence[float], hovers: Sequence[str], letter: str | None
) -> go.Scatter:
    colour = ACCENT if letter else _GREY
    marker = {
        "symbol": "circle-open" if letter == "B" else "circle",
        "size": 12 if letter else 7,
        "color": colour,
        "line": {"width": 2.5 if letter else 0, "color": colour},
        "opacity": 1 if letter else 0.6,
    }
    return go.Scatter(
        x=list(range(len(ranks))),
        y=ranks,
        mode="lines+markers",
        opacity=1 if letter else 0.55,
        line={
            "color": colour,
            "width": 3 if letter else 1.4,
            "dash": "dot" if letter == "B" else "solid",
        },
        marker=marker,
        unselected={"marker": {"opacity": marker["opacity"]}},
        customdata=[name] * len(ranks),
        hovertext=hovers,
        hoverinfo="text",
        cliponaxis=False,
    )


def _bump_hover(row: pd.Series, name: str, metric: str, n: int, measure: str) -> str:
    between = f"{ordinal(row['low'])} to {ordinal(row['high'])}"
    stays = f"stays {ordinal(row['low'])}" if row["low"] == row["high"] else f"is {between}"
    return (
        f"{escape(name)}: {ordinal(row['rank'])} of {n} by {html_title(metric)} {RATIOS[measure]}, "
        f"{percent(row['score'])} %<br>{stays} in 95 % of the resamples, first in "
        f"{share(row['first'])}"
    )


def _ends(ranks: pd.Series, chosen: Mapping[str, str], *, x: float) -> list[dict[str, Any]]:
    """The names at the right end of the lines, none over another; `ranks` rise."""
    heights = apart(ranks.tolist(), gap=1, within=(1, len(ranks)))
    return [
        {
            "x": x,
            "y": height,
            "text": _end(str(name), chosen.get(str(name))),
            "showarrow": False,
            "xanchor": "left",
            "xshift": 12,
            "font": {"size": 12.5 if name in chosen else 12},
            "opacity": 1 if name in chosen else 0.8,
        }
        for name, height in zip(ranks.index, heights, strict=True)
    ]


def _end(name: str, letter: str | None) -> str:
    return f"<b>{letter} {short(name, LONGEST)}</b>" if letter else short(name, LONGEST)


def rank_shares(
    shares: FloatArray,
    names: Sequence[str],
    ranks: Sequence[int],
    marks: Mapping[str, str],
    *,
    row_height: int,
) -> go.Figure:
    """In how many resamples each response has which rank, as shades; its own rank is framed.

    shares  (responses, ranks) as in `Ranking.shares`, the best response first
    names   of the responses; ranks: their ranks in the whole corpus
    marks   the letters of A and B by their names
    row_height  in pixels, so that the rows lie beside those of a table
    """
    n = len(names)
    written = n <= MOST_WRITTEN
    texts = [[_cell(value) if written else "" for value in row] for row in shares]
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=list(range(1, n + 1)),
            y=list(range(n)),
            text=texts,
            texttemplate="%{text}",
            hovertext=[
                [
                    f"{escape(name)} is {ordinal(rank)} in {share(value)} of the resamples"
                    for rank, value in enumerate(row, start=1)
                ]
                for name, row in zip(names, shares.tolist(), strict=True)
            ],
            hoverinfo="text",
            colorscale=_SHADE if written else _BARE_SHADE,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    figure.update_layout(
        **_QUIET,
        height=HEADER + row_height * n + 8,
        margin={"l": 8, "r": 8, "t": HEADER, "b": 8},
        shapes=[_frame(rank, row) for row, rank in enumerate(ranks)],
        xaxis={
            **_FIXED,
            "side": "top",
            "tickvals": _rank_ticks(n),
            "ticktext": [f"rank {rank}" if rank == 1 else str(rank) for rank in _rank_ticks(n)],
            "range": [0.4, n + 0.6],
        },
        yaxis={
            **_FIXED,
            "tickvals": list(range(n)),
            "ticktext": [_end(name, marks.get(name)) for name in names],
            "tickfont": {"size": 12},
            "range": [n - 0.5, -0.5],
            "automargin": True,
            "ticksuffix": " ",
        },
    )
    return figure


MOST_WRITTEN = 12  # of more responses the shares are shades, and words when pointed at


def _cell(value: float) -> str:
    return share(value).replace("under ", "<").replace("over ", ">") if value else ""


def _frame(rank: float, row: float) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": rank - 0.48,
        "x1": rank + 0.48,
        "y0": row - 0.47,
        "y1": row + 0.47,
        "line": {"color": _GREY, "width": 1.6},
    }


# Correlations -------------------------------------------------------------------------------------


def correlations(table: pd.DataFrame, what: str) -> go.Figure:
    """Kendall's τ of each two metrics, written into the cells and as their shade.

    table  a row and a column for each metric; what: what is correlated, for the hover texts
    """
    names = [label(metric) for metric in table.index]
    n = len(names)
    values = table.to_numpy().astype(float)
    values[np.triu_indices(n)] = np.nan
    hovers = [
        [
            f"{down} and {across}: τ = {_tau(values[row, column])} {what}"
            for column, across in enumerate(names)
        ]
        for row, down in enumerate(names)
    ]
    figure = go.Figure(
        go.Heatmap(
            z=values,
            text=[[_tau(value) for value in row] for row in values],
            texttemplate="%{text}",
            hovertext=hovers,
            hoverinfo="text",
            hoverongaps=False,
            colorscale=_TWO_SHADES,
            zmin=-1,
            zmax=1,
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    axis = {**_FIXED, "tickvals": list(range(n)), "ticktext": names, "tickfont": {"size": 13}}
    figure.update_layout(
        **_QUIET,
        height=44 + 38 * (n - 1),
        margin={"l": 8, "r": 8, "t": 8, "b": 34},
        xaxis={**axis, "range": [-0.5, n - 1.5]},
        yaxis={**axis, "range": [n - 0.5, 0.5], "automargin": True, "ticksuffix": " "},
    )
    return figure


def _tau(value: float) -> str:
    return "" if value != value else f"{value:.2f}".replace("-", "−")
