"""Results as pandas tables."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from corescore.counts import SCORE_FIELDS, Score, Value
from corescore.metrics import DIAGNOSTICS
from corescore.scoring import Result

_DIAGNOSTIC = {metric.id for metric in DIAGNOSTICS}
_MACRO = ("recall", "precision", "f1")


def score_table(result: Result) -> pd.DataFrame:
    """A row for each metric, indexed by its id; fractions, numerators and denominators.

    BLANC's two parts have rows of their own, "blanc.coreference" and "blanc.non_coreference".
    """
    titles = {metric.id: metric.title for metric in result.metrics} | {"conll": "CoNLL"}
    rows = _rows(result.scores)
    table = pd.DataFrame(
        {name: [getattr(score, name) for score in rows.values()] for name in SCORE_FIELDS},
        index=pd.Index(list(rows), name="metric"),
    )
    table.insert(0, "title", [_title(name, titles) for name in rows])
    table.insert(1, "diagnostic", [name in _DIAGNOSTIC for name in rows])
    if result.policies.average == "macro":
        macro = _rows(result.macro)
        for name in _MACRO:
            table[f"macro_{name}"] = [getattr(macro[row], name) for row in rows]
    return table


def document_table(result: Result) -> pd.DataFrame:
    """Rows (document, metric) in the key's order; NaN where a document has nothing to score."""
    rows = _rows(result.document_scores)
    index = pd.MultiIndex.from_product([result.documents, rows], names=["document", "metric"])
    columns = {
        name: np.column_stack([getattr(score, name) for score in rows.values()]).ravel()
        for name in SCORE_FIELDS
    }
    return pd.DataFrame(columns, index=index)


def size_table(result: Result) -> pd.DataFrame:
    """A row for each document: mentions, entities and singletons of both sides, and mentions that
    are shared, missing (only the key has them) or spurious (only the response has them)."""
    table = pd.DataFrame(dict(result.sizes), index=pd.Index(result.documents, name="document"))
    table["missing_mentions"] = table["key_mentions"] - table["shared_mentions"]
    table["spurious_mentions"] = table["response_mentions"] - table["shared_mentions"]
    return table


def _rows(scores: Mapping[str, Score[Value]]) -> dict[str, Score[Value]]:
    rows = {}
    for name, score in scores.items():
        rows[name] = score
        rows |= {f"{name}.{part}": value for part, value in score.parts.items()}
    return rows


def _title(name: str, titles: Mapping[str, str]) -> str:
    metric, _, part = name.partition(".")
    return f"{titles[metric]} {part.replace('_', '-')} links" if part else titles[metric]
