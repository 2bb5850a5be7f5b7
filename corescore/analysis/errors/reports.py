"""Errors as the command line prints them: by kind, document, entity or mention."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from corescore.analysis.errors.mention_tables import (
    error_counts,
    incorrectly_resolved_counts,
    mention_table,
)
from corescore.analysis.errors.mentions import Incorrect, incorrectly_resolved
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import impact_table, operation_table
from corescore.counting.contingency import Contingency, contingency
from corescore.metrics import BESIDE_IDS
from corescore.scoring.scores import Scores
from corescore.scoring.tables import change_table


def by_kind(result: Scores) -> pd.DataFrame:
    """A row for each of the seven kinds: errors, documents that have it, and its first mention."""
    errors = operation_table(result.comparison)
    grouped = errors.groupby("kind", observed=False)
    example = grouped["mentions"].first().map(lambda words: words[0], na_action="ignore")
    table = pd.DataFrame(
        {
            "errors": grouped.size(),
            "documents": grouped["document"].nunique(),
            "example": example.astype(object).where(example.notna(), None),
        }
    )
    return table.reindex(list(KINDS)).reset_index()


def by_document(result: Scores) -> pd.DataFrame:
    """A row for each document: its incorrectly resolved mentions, their share of the shared
    mentions, and the number of errors of each kind."""
    counts = error_counts(operation_table(result.comparison), of="kind")
    resolved = incorrectly_resolved_counts(result.comparison).drop(columns="shared_mentions")
    table = resolved.join(counts.set_axis([str(name) for name in counts.columns], axis=1))
    return table.rename_axis("document").reset_index()


def by_entity(result: Scores) -> pd.DataFrame:
    """A row for each operation, with the mentions and entities that it affects."""
    columns = ("document", "order", "operation", "kind", "mentions")
    table = operation_table(result.comparison)[[*columns, "key_entity", "response_entity"]]
    return table.assign(mentions=table["mentions"].map(" | ".join))


def by_mention(result: Scores) -> pd.DataFrame:
    """A row for each mention of either side: its class and its slices."""
    return mention_table(result.comparison, singletons=result.policies.singletons)


def impact(result: Scores) -> pd.DataFrame:
    """How much fixing each kind would gain under each metric."""
    shown = [metric for metric in result.metrics if metric.id not in BESIDE_IDS]
    return impact_table(result.comparison, shown)


def removal_table(result: Scores, *, incorrect: Incorrect = "all") -> pd.DataFrame:
    """The scores without the incorrectly resolved mentions (Moosavi & Strube 2016, §2).

    A row for each metric (and "conll"), indexed by its id; columns recall, precision, f1,
    recall_after and so on, and the differences recall_change and so on. None of these mentions
    has a correct link, so the recall of MUC and LEA does not change; the recall of other metrics
    falls, which is the mention identification effect. Where mentions that a side lists twice are
    looked up, both scores are those of the pairs of mentions.

    incorrect  "all" of them, or only "linked" ones, as in `incorrectly_resolved`. With "linked", a
               singleton in the key may lose all its wrong partners: LEA then credits it, and its
               recall rises

    Raises PolicyError for another value of `incorrect`.
    """
    comparison = result.comparison
    removed = incorrectly_resolved(comparison, incorrect=incorrect)
    table = contingency(comparison.matching.without(removed))
    before = result if comparison.look_ups is None else _counted(result, comparison.table)
    return change_table(before, _counted(result, table))


def _counted(result: Scores, table: Contingency) -> Scores:
    return replace(result, counts={m.id: m.counts(table) for m in result.metrics})


LEVELS: dict[str, Callable[[Scores], pd.DataFrame]] = {
    "kind": by_kind,
    "document": by_document,
    "entity": by_entity,
    "mention": by_mention,
}
