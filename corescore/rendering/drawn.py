"""What charts draw, as tables to read: ids as names, fractions in percent, headings in words."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from corescore.analysis.errors.overlaps import Grid, grid_table
from corescore.analysis.significance import Intervals
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.effect import IdentificationEffect
from corescore.metrics import METRIC_IDS, ROW_IDS
from corescore.plots.errors import Titles, aligned_first
from corescore.rendering.many import effect_rows
from corescore.sentences.many import letters_of
from corescore.sentences.names import metric_title
from corescore.util import FloatArray
from corescore.wording import RATIOS, heading_of, in_percent

_BAND = ["dose", "mean", "low", "high"]


def readable(table: pd.DataFrame, fractions: Collection[str] = ()) -> pd.DataFrame:
    """The table as pages show it: metrics and measures by their names, plain headings.

    fractions  the columns that are shown in percent
    """
    shown = {}
    for name in table:
        column, heading = table[name], _heading(str(name))
        if name == "metric" or column.isin(ROW_IDS).all():
            column = column.map(metric_title)
        elif column.isin([*RATIOS]).all():
            column = column.map(RATIOS)
        if name in fractions and pd.api.types.is_numeric_dtype(column):
            column, heading = 100 * column, f"{heading} %"
        shown[heading] = column
    return pd.DataFrame(shown)


def _heading(column: str) -> str:
    return metric_title(column) if column in ROW_IDS else heading_of(column)


def with_decimals(table: pd.DataFrame) -> list[str]:
    """The columns to be shown with decimals: those in percent and those with fractions."""
    floats = table.select_dtypes("float")
    whole = (floats.isna() | (floats % 1 == 0)).all()
    return [name for name in floats.columns if name.endswith(" %") or not whole[name]]


def scores_with_intervals(intervals: Mapping[str, Intervals]) -> pd.DataFrame:
    """One row per system, metric and ratio: the score and its 95% interval.

    intervals  by the systems' letters
    """
    rows = pd.concat({letter: one.table for letter, one in intervals.items()}, names=["response"])
    rows = rows[rows["metric"].isin(METRIC_IDS)].reset_index("response")
    ends = {"value": "score", "t_low": "from", "t_high": "to"}
    columns = ["response", "metric", "measure", *ends]
    return readable(rows[columns].rename(columns=ends), [*ends.values()])


def documents(
    summaries: Mapping[str, pd.DataFrame], metric: str, sizes: Collection[str]
) -> pd.DataFrame:
    """One row per document: its sizes, and its F1 under a metric in each response.

    summaries  of `corescore.scoring.tables.document_summary`, by the systems' letters
    """
    first = next(iter(summaries.values()))
    of_each = {letter: summary[metric] for letter, summary in summaries.items()}
    rows = first[[*sizes]].assign(**of_each).rename_axis("document").reset_index()
    return readable(rows, [*of_each])


def gains(table: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """One row per kind of error and one for all: the points that fixing it gains.

    table  of `corescore.analysis.errors.tables.gain_table`
    names  the kinds as the page calls them
    """
    named = table.rename(index=dict(names)).rename_axis("fixed").reset_index()
    return readable(in_percent(named, [*table.columns]))


def alignment(table: pd.DataFrame, key: Titles, response: Titles) -> pd.DataFrame:
    """One row per pair of entities that a CEAF aligns, those that differ first.

    table          of `corescore.analysis.credit.alignment_table`
    key, response  what the entities are called, by their numbers
    """
    shown = aligned_first(table).drop(columns="document")
    return readable(_with_titles(shown, key, response))


def grid(cells: Grid, key: Titles, response: Titles) -> pd.DataFrame:
    """One row per key and response entity that share mentions, by their names."""
    return readable(_with_titles(grid_table(cells), key, response))


def _with_titles(table: pd.DataFrame, key: Titles, response: Titles) -> pd.DataFrame:
    """Entities by their numbers and names."""
    of_sides = {"key_entity": key, "response_entity": response}
    named = {
        side: [f"{n} {titles[n]}" for n in table[side].tolist()]
        for side, titles in of_sides.items()
    }
    return table.assign(**named)


def curves(bands: pd.DataFrame) -> pd.DataFrame:
    """One row per metric and dose: mean, low and high over the seeds.

    bands  of `corescore.analysis.perturbation.sweep.band_table`, of one measure
    """
    rows = bands.sort_values("metric", kind="stable")
    return readable(rows[["metric", *_BAND]], _BAND)


def by_metric(table: pd.DataFrame) -> pd.DataFrame:
    """A table with one row per metric; its columns may be metrics, too."""
    return readable(table.rename_axis("metric").reset_index())


def ranks(table: pd.DataFrame, metrics: Collection[str]) -> pd.DataFrame:
    """One row per metric and response: rank, score, and the ranks in the resamples.

    table  of `corescore.analysis.systems.many.Ranking`
    """
    columns = {"score": "score", "first": "first in", "low": "from", "high": "to"}
    rows = table[table["metric"].isin(metrics)].rename(columns=columns)
    return readable(rows[["metric", "response", "rank", *columns.values()]], ["score", "first in"])


def slopes(effect: IdentificationEffect) -> pd.DataFrame:
    """`corescore.rendering.many.effect_rows`, with headings and percent."""
    rows = effect_rows(effect)
    if len(effect.readings) < 2:
        rows = rows.drop(columns=["score_linked", "rank_linked"])
    floats = rows.select_dtypes("float").columns
    shares = [str(name) for name in floats if name != "change"]
    return readable(rows.assign(change=100 * rows["change"]), shares)


def critical_differences(compared: DataSets) -> pd.DataFrame:
    """`barred`, with headings and percent."""
    return readable(barred(compared), ["macro"])


def barred(compared: DataSets) -> pd.DataFrame:
    """One row per system, the best mean rank first, with the letters of the bars it is under."""
    order = compared.by_rank
    bars = letters_of(compared.groups)
    rows = {
        "system": [compared.systems[i] for i in order],
        "mean_rank": compared.mean_ranks[order],
        "macro": compared.macro[order],
        "bars": [bars.get(compared.systems[i], "–") for i in order],
    }
    return pd.DataFrame(rows)


def rank_shares(shares: FloatArray, names: Sequence[str]) -> pd.DataFrame:
    """One row per response: in how many percent of the resamples it has which rank.

    shares  (responses, ranks)
    """
    ranks = [f"rank {n} %" for n in range(1, shares.shape[1] + 1)]
    rows = pd.DataFrame(100 * shares, columns=ranks)
    rows.insert(0, "response", list(names))
    return rows
