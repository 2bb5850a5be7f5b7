"""What charts draw, as tables to read."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from corescore.analysis.errors.overlaps import Grid, grid_table
from corescore.analysis.significance import Intervals
from corescore.analysis.systems.data_sets import DataSets
from corescore.metrics import METRIC_IDS, name_of
from corescore.plots.errors import Titles, aligned_first
from corescore.rendering.columns import PERCENT, POINTS, Column, column
from corescore.rendering.text import Table
from corescore.sentences.many import letters_of
from corescore.util import FloatArray
from corescore.wording import percent


def _share(name: str, head: str = "") -> Column:
    return Column(head or name, percent, (name,), PERCENT)


def scores_with_intervals(intervals: Mapping[str, Intervals]) -> Table:
    """One row per system, metric and ratio: the score and its 95% interval.

    intervals  by the systems' letters
    """
    rows = pd.concat({letter: one.table for letter, one in intervals.items()}, names=["response"])
    rows = rows[rows["metric"].isin(METRIC_IDS)].reset_index("response")
    return Table(
        rows, ("response", "metric", "measure", _share("value", "score"), "t_low", "t_high")
    )


def documents(summaries: Mapping[str, pd.DataFrame], metric: str, sizes: Collection[str]) -> Table:
    """One row per document: its sizes, and its F1 under a metric in each response.

    summaries  of `corescore.scoring.tables.document_summary`, by the systems' letters
    """
    first = next(iter(summaries.values()))
    of_each = {letter: summary[metric] for letter, summary in summaries.items()}
    rows = first[[*sizes]].assign(**of_each).rename_axis("document").reset_index()
    return Table(rows, ("document", *sizes, *map(_share, of_each)))


def gains(table: pd.DataFrame, names: Mapping[str, str]) -> Table:
    """One row per kind of error and one for all: the points that fixing it gains.

    table  of `corescore.analysis.errors.tables.gain_table`
    names  the kinds as the page calls them
    """
    rows = table.rename(index=dict(names)).rename_axis("fixed").reset_index()
    points = (Column(name_of(metric), percent, (metric,), POINTS) for metric in map(str, table))
    return Table(rows, ("fixed", *points))


def alignment(table: pd.DataFrame, key: Titles, response: Titles) -> Table:
    """One row per pair of entities that a CEAF aligns, those that differ first.

    table          of `corescore.analysis.credit.alignment_table`
    key, response  what the entities are called, by their numbers
    """
    return _with_titles(aligned_first(table).drop(columns="document"), key, response)


def grid(cells: Grid, key: Titles, response: Titles) -> Table:
    """One row per key and response entity that share mentions, by their names."""
    return _with_titles(grid_table(cells), key, response)


def _with_titles(table: pd.DataFrame, key: Titles, response: Titles) -> Table:
    """Entities by their numbers and names."""
    of_sides = {"key_entity": key, "response_entity": response}
    named = {
        side: [f"{n} {titles[n]}" for n in table[side].tolist()]
        for side, titles in of_sides.items()
    }
    return Table(table.assign(**named))


def curves(bands: pd.DataFrame) -> Table:
    """One row per metric and dose: mean, low and high over the seeds.

    bands  of `corescore.analysis.perturbation.sweep.band_table`, of one measure
    """
    rows = bands.sort_values("metric", kind="stable")
    return Table(rows, ("metric", _share("dose"), "mean", "sweep.low", "sweep.high"))


def by_metric(table: pd.DataFrame) -> Table:
    """Counts or coefficients, one row per metric; the columns may be metrics, too."""
    names = map(str, table)
    columns = [Column(column(name).head, None, (name,)) for name in names]
    return Table(table.rename_axis("metric").reset_index(), ["metric", *columns])


def ranks(table: pd.DataFrame, metrics: Collection[str]) -> Table:
    """One row per metric and response: rank, score, and the ranks in the resamples.

    table  of `corescore.analysis.systems.many.Ranking`
    """
    columns = "metric", "response", "rank", "score", "first", "ranks.low", "ranks.high"
    return Table(table[table["metric"].isin(metrics)], columns)


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


def rank_shares(shares: FloatArray, names: Sequence[str]) -> Table:
    """One row per response: in how many percent of the resamples it has which rank.

    shares  (responses, ranks)
    """
    ranks = [f"rank {n}" for n in range(1, shares.shape[1] + 1)]
    rows = pd.DataFrame(shares, columns=ranks).assign(response=names)
    return Table(rows, ("response", *map(_share, ranks)))
