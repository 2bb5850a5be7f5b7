"""Errors as the command line prints them: by kind, document, entity or mention."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from corescore.analysis.errors.mention_tables import (
    error_counts,
    incorrectly_resolved_counts,
    mention_table,
)
from corescore.analysis.errors.mentions import incorrectly_resolved
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import impact_table, operation_table
from corescore.counting.contingency import contingency
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
    """A row for each document: its incorrectly resolved mentions, their share of the mentions
    that both sides have, and errors of each kind."""
    counts = error_counts(operation_table(result.comparison), of="kind")
    resolved = incorrectly_resolved_counts(result.comparison).drop(columns="shared_mentions")
    table = resolved.join(counts.set_axis([str(name) for name in counts.columns], axis=1))
    return table.rename_axis("document").reset_index()


def by_entity(result: Scores) -> pd.DataFrame:
    """A row for each operation, with the mentions and the entities that it deals with."""
    columns = [
        "document",
        "order",
        "operation",
        "kind",
        "mentions",
        "key_entity",
        "response_entity",
    ]
    table = operation_table(result.comparison)[columns].copy()
    table["mentions"] = [" | ".join(words) for words in table["mentions"]]
    return table


def by_mention(result: Scores) -> pd.DataFrame:
    """A row for each mention of either side: its class and its slices."""
    return mention_table(result.comparison, singletons=result.policies.singletons)


def impact(result: Scores) -> pd.DataFrame:
    """What fixing each kind would bring under each metric."""
    shown = [metric for metric in result.metrics if metric.credit is not None]
    return impact_table(result.comparison, shown)


def removal_table(result: Scores) -> pd.DataFrame:
    """What the score would be without the incorrectly resolved mentions (Moosavi & Strube §2).

    A row for each metric (and "conll"), indexed by its id; columns recall, precision, f1 as they
    are, recall_after and so on, and their differences, recall_change and so on. None of these
    mentions has a correct link, so the recall of MUC and LEA stays; that another metric's recall
    falls with them is the mention identification effect.
    """
    comparison = result.comparison
    table = contingency(comparison.matching.without(incorrectly_resolved(comparison)))
    after = replace(result, counts={m.id: m.counts(table) for m in result.metrics})
    return change_table(result, after)


LEVELS: dict[str, Callable[[Scores], pd.DataFrame]] = {
    "kind": by_kind,
    "document": by_document,
    "entity": by_entity,
    "mention": by_mention,
}
