"""An experiment's table → figure."""

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go

from corescore.plots.experiments.bars import bars
from corescore.plots.experiments.lines import lines, points
from corescore.plots.experiments.maps import matrix, surface
from corescore.replication.experiment import Chart

_KINDS: dict[str, Callable[[Chart, pd.DataFrame], go.Figure]] = {
    "lines": lines,
    "bars": bars,
    "surface": surface,
    "matrix": matrix,
    "points": points,
}


def draw(chart: Chart, table: pd.DataFrame) -> go.Figure | None:
    """The table as its chart says; None for a chart of kind "table"."""
    return _KINDS[chart.kind](chart, table) if chart.kind in _KINDS else None
