"""A sweep's bands → figure: the scores by the dose of a perturbation."""

import pandas as pd
import plotly.graph_objects as go

from corescore.plots.experiments import draw
from corescore.replication.experiment import Chart
from corescore.wording import RATIOS


def curves(table: pd.DataFrame, measure: str) -> go.Figure:
    """A line with its band for each metric over the doses; as high as the lines need.

    table  dose, metric, mean, low and high as fractions
    """
    values = {name: 100 * table[name] for name in ("mean", "low", "high")}
    x_title, y_title = "dose, percent", f"{RATIOS[measure]}, points of 100"
    of_lines = Chart("lines", x="dose", y="mean", x_title=x_title, y_title=y_title)
    return draw(of_lines, table.assign(**values))
