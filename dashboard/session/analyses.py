"""What several pages ask of a system, cached by its files and policies."""

from dataclasses import replace

import pandas as pd

from corescore.analysis.error_table import table as error_table
from corescore.analysis.error_table.notes import NO_NOTES, with_notes
from corescore.analysis.error_table.query import matching, parse
from corescore.analysis.error_table.rows import error_rows, fix_numbers, with_other
from corescore.analysis.errors import tables as errors
from corescore.analysis.errors.classes import count_incorrectly_resolved
from corescore.analysis.errors.operations import impact_table
from corescore.analysis.errors.overlaps import (
    Members,
    entity_table,
    overlap_members,
    overlap_table,
)
from corescore.analysis.explain import entity_titles
from corescore.analysis.significance import Intervals, intervals_of
from corescore.counting.comparison import SIDES
from corescore.metrics import metric_of
from corescore.sentences import errors as sentences
from corescore.util import BoolArray, IntArray
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System

RESAMPLES = 1000


@cached(32)
def intervals(system: System) -> Intervals:
    """Between which values a system's scores lie: `…significance.intervals_of`."""
    return intervals_of(system.result, trials=RESAMPLES)


@cached(8, "Looking at every mention")
def mentions(system: System) -> pd.DataFrame:
    """What became of every mention: `corescore.analysis.errors.tables.mention_table`."""
    result = system.result
    return errors.mention_table(result.comparison, singletons=result.policies.singletons)


@cached(8)
def every_error(system: System) -> pd.DataFrame:
    """One row per error, what fixing it gains, what the system beside it makes of the mention,
    and the notes on it: `error_table`, `cost_table`, `with_other`, `with_notes`."""
    return with_notes(_beside_other(replace(system, notes=NO_NOTES)), system.notes)


@cached(8)
def _beside_other(system: System) -> pd.DataFrame:
    """Without the other system where it is over another key, as that of a longer response is that
    is compared by positions."""
    table = _every_error(replace(system, other=None))
    if not system.other:
        return table
    try:
        return with_other(table, system.result, system.other.result)
    except ValueError:
        return table


@cached(8, "Looking at every error")
def _every_error(system: System) -> pd.DataFrame:
    """One row per error, and what fixing it gains: `error_table.table.every_error`."""
    return error_table.every_error(system.result)


@cached(8)
def only_moved(system: System) -> BoolArray:
    """(errors,) which mentions are correct, and only moved by a fix: `error_table.only_moved`."""
    return error_table.only_moved(every_error(system))


@cached(256)
def n_errors(system: System, find: str) -> int:
    """How many mentions with errors of a system a query finds."""
    return int((matching(parse(find), every_error(system)) & ~only_moved(system)).sum())


@cached(64)
def documents_with(system: System, find: str) -> frozenset[str]:
    """The documents that have mentions with errors which a query finds. Raises QueryError."""
    table = every_error(system)
    return frozenset(table["document"][matching(parse(find), table) & ~only_moved(system)])


@cached(256)
def n_moved(system: System, find: str) -> int:
    """How many correct mentions that a fix only moves a query finds."""
    return int((matching(parse(find), every_error(system)) & only_moved(system)).sum())


@cached(8)
def fixes(system: System) -> IntArray:
    """(errors,) the number of each row's fix: `error_table.rows.fix_numbers`."""
    result = system.result
    rows = error_rows(result.comparison, singletons=result.policies.singletons)
    return fix_numbers(rows)


@cached(32)
def side_counts(loaded: Loaded) -> pd.DataFrame:
    """What there is of the key and of each system: `analysis.errors.tables.side_counts`."""
    return errors.side_counts(loaded.key, loaded.results)


@cached(32)
def class_counts(system: System) -> pd.DataFrame:
    """How many mentions of each class each document has: `analysis.errors.tables.error_counts`."""
    return errors.error_counts(mentions(system), column="class")


@cached(32)
def incorrect_singletons(system: System) -> dict[str, int]:
    """How many of each document's incorrectly resolved mentions are singletons in the key:
    `analysis.errors.tables.incorrectly_resolved_counts`."""
    counts = errors.incorrectly_resolved_counts(system.result.comparison)["incorrect_singletons"]
    return {str(name): int(n) for name, n in counts.items()}


@cached(8, "Fixing errors")
def operations(system: System) -> pd.DataFrame:
    """What turns the response into the key: `corescore.analysis.errors.tables.operation_table`."""
    return errors.operation_table(system.result.comparison)


@cached(8, "Fixing errors")
def impact(system: System, *, shares: bool = False) -> pd.DataFrame:
    """What each kind of error costs: `tables.impact_table` for the six."""
    return impact_table(system.result.comparison, system.result.six, shares=shares)


def n_incorrectly_resolved(system: System) -> tuple[int, int]:
    """How many mentions have wrong partners only, and how many of these are singletons in the key:
    `corescore.analysis.errors.classes.count_incorrectly_resolved`."""
    return count_incorrectly_resolved(system.result.comparison)


@cached(48, "Adding up the credit")
def credit_of_slices(system: System, *, by: str, side: str) -> pd.DataFrame:
    """What the six credit in each slice: `corescore.analysis.errors.tables.slice_credit`."""
    return errors.slice_credit(system.result.comparison, system.result.six, by=by, side=side)


@cached(32, "Finding entities that overlap")
def overlaps(system: System, metric: str) -> pd.DataFrame:
    """Entities that overlap, the greatest loss under a metric first: `overlap_table`."""
    result = system.result
    scored_by = metric_of(metric, result.metrics)
    return overlap_table(result.comparison, scored_by, singletons=result.policies.singletons)


@cached(32, "Finding entities that overlap")
def entities(system: System, metric: str, side: str) -> pd.DataFrame:
    """The entities of a side, the greatest loss under a metric first: `entity_table`."""
    result = system.result
    return entity_table(result.comparison, metric_of(metric, result.metrics), side=side)


@cached(64)
def entities_called(system: System, metric: str, side: str, document: str) -> pd.DataFrame:
    """The entities of a side of a document, or of all if it is empty, with what they, those merged
    with them and those that have their parts are called."""
    table = entities(system, metric, side)
    table = table[table["document"] == document] if document else table
    own = SIDES.index(side)

    def names(numbers: str, side_number: int) -> list[str]:
        rows = zip(table["document"], table[numbers], strict=True)
        return [" · ".join(called(system, name)[side_number][n] for n in of) for name, of in rows]

    one = [
        called(system, name)[own][n]
        for name, n in zip(table["document"], table["entity"], strict=True)
    ]
    return table.assign(
        called=one, merged=names("merged_with", own), of=names("others", 1 - own)
    ).reset_index(drop=True)


@cached(64)
def called(system: System, document: str) -> tuple[sentences.Titles, sentences.Titles]:
    """What the key's and the response's entities of a document are called: `entity_titles`."""
    comparison = system.result.comparison
    key, response = (entity_titles(comparison, document, side=side) for side in SIDES)
    return key, response


@cached(64)
def overlaps_called(system: System, metric: str, document: str) -> pd.DataFrame:
    """The overlaps of a document, or of all if it is empty, and what they are called."""
    table = overlaps(system, metric)
    table = table[table["document"] == document] if document else table
    of_documents = {name: called(system, name) for name in table["document"].unique()}
    key = {name: of_key for name, (of_key, _) in of_documents.items()}
    response = {name: of_response for name, (_, of_response) in of_documents.items()}
    titles = sentences.titles(system.result.comparison, table, key, response)
    return table.assign(called=titles).reset_index(drop=True)


@cached(32)
def members(system: System, overlap: int) -> Members:
    """The mentions of an overlap: `overlap_members`."""
    return overlap_members(system.result.comparison, overlap)
