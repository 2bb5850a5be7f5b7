"""What the charts of experiments share: names, colours, panels."""

import pandas as pd
import plotly.graph_objects as go

from corescore.metrics import METRIC_IDS, ROW_IDS, colour_of
from corescore.plots.template import INK, OPEN, QUIET, margins, short
from corescore.replication.experiment import Chart
from corescore.sentences.names import BLANC_RULES, metric_title, title
from corescore.wording import percent, written

HEIGHT = 380
LONGEST = 34
ASIDE = {
    "mentions": "dot",
    "conll": "dash",
    "links": "longdash",
    "rand": "dashdot",
    "non_coreference": "longdashdot",
    "correct_links": "longdash",
}


def ordered_metrics(table: pd.DataFrame) -> list[str]:
    """The metrics of a table: the six in their order, then the others; [""] if it names none."""
    if "metric" not in table:
        return [""]
    found = [str(metric) for metric in table["metric"].unique()]
    return [m for m in METRIC_IDS if m in found] + [m for m in found if m not in METRIC_IDS]


def named(value: object) -> str:
    """A value of a column as an axis writes it; a metric by its title."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return title(text) if text in ROW_IDS else short(metric_title(text), LONGEST)


def is_percent(title: str) -> bool:
    """Whether an axis of that title shows fractions, to be drawn in percent."""
    return "percent" in title or "%" in title


def short_title(metric: str) -> str:
    """A metric's name where there is little room."""
    names = {
        "conll": "CoNLL",
        "mentions": "mentions",
        "links": "links",
        "rand": "Rand",
        "non_coreference": "non-coref.<br>links",
        "correct_links": "links",
        "ceafm-links": "CEAFₘ<br>links",
        "ceafe-links": "CEAFₑ<br>links",
    }
    return names.get(metric) or named(metric).replace("BLANC, ", "BLANC<br>")


def colour(metric: str) -> str:
    """The fixed colour of a metric; grey for what stands beside the six."""
    if metric in BLANC_RULES:
        return colour_of("blanc")
    return INK if metric in ASIDE else colour_of(metric)


def panels_of(chart: Chart, table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each value of the facet, by its name; all of them where there is none."""
    if not chart.facet:
        return {"": table}
    return {named(value): rows for value, rows in table.groupby(chart.facet, sort=False)}


def of_metric(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of a metric; all of them where the table names none."""
    return table[table["metric"] == metric] if metric else table


def written_value(chart: Chart, value: float) -> str:
    """A value of the chart's y as it is written."""
    return percent(value) if is_percent(chart.y_title) else written(value, ",.2f")


def quiet(figure: go.Figure, *, top: int) -> None:
    """No legend, no dragging, narrow margins."""
    figure.update_layout(**QUIET, margin=margins(8, 8, top, 8))
    figure.update_xaxes(**OPEN, automargin=True)
    figure.update_yaxes(**OPEN, automargin=True)
