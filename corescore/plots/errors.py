"""Tables of errors → figures."""

from collections.abc import Callable, Mapping

import pandas as pd
import plotly.graph_objects as go
from markupsafe import escape

from corescore.metrics import METRIC_IDS
from corescore.plots.palette import TWO_SHADES
from corescore.plots.template import chart, columns, heat_map, label, rows, written_cells
from corescore.sentences.markup import title
from corescore.wording import percent, signed


def gains(table: pd.DataFrame, names: Mapping[str, str], hover: str) -> go.Figure:
    """How much fixing each kind of error would gain under each metric, written and shaded.

    table  of `corescore.analysis.errors.summaries.gain_table`
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
        at = {"x": place, "y": len(of_kinds), "font": {"size": 11}}
        figure.add_annotation(**at, text=text, showarrow=False)
    return figure


def slice_credit(table: pd.DataFrame) -> go.Figure:
    """The share of its credit that each slice earns under each metric, written and shaded."""

    def told(name: str, metric: str, value: float) -> str:
        gives = f"{escape(name)}: {title(metric)} gives {percent(value)} %"
        return f"{gives}<br>of what these mentions could earn"

    heads = [f"{escape(str(name))} ({n})" for name, n in table["mentions"].items()]
    return _heat_map(table[list(METRIC_IDS)], heads, text=percent, hover=told, most=1)


def _heat_map(
    table: pd.DataFrame,
    heads: list[str],
    *,
    text: Callable[[float], str],
    hover: Callable[[str, str, float], str],
    most: float,
) -> go.Figure:
    """Cells of a table shaded from −most to most, with room for as many rows as there are heads."""
    metrics = [str(metric) for metric in table]
    values = dict(zip(map(str, table.index), table.to_numpy(dtype=float).tolist(), strict=True))
    written = written_cells(
        [[text(value) for value in row] for row in values.values()],
        [
            [hover(name, metric, value) for metric, value in zip(metrics, row, strict=True)]
            for name, row in values.items()
        ],
    )
    return chart(
        [heat_map(table.to_numpy(), scale=TWO_SHADES, within=(-most, most), **written)],
        height=34 * len(heads) + 44,
        margin=(8, 8, 34, 8),
        xaxis=columns([label(metric) for metric in metrics], side="top"),
        yaxis=rows(heads),
    )
