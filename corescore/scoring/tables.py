"""Results as pandas tables."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES, SCORE_FIELDS, Score, Value
from corescore.metrics import BESIDE_IDS, CONLL, METRIC_IDS
from corescore.scoring.tally import Tally
from corescore.util import HALF_A_PLACE, PLACES

_SIDE = ("mentions", "entities", "singletons")
_STATUS = ("shared", "missing", "spurious")


def score_table(result: Tally) -> pd.DataFrame:
    """One row per metric, indexed by its id; fractions, numerators and denominators.

    BLANC's two parts have rows of their own, "blanc.coreference" and "blanc.non_coreference".
    """
    titles = {metric.id: metric.title for metric in result.metrics} | {CONLL.id: CONLL.title}
    rows = _rows(result.scores)
    table = pd.DataFrame(
        {name: [getattr(score, name) for score in rows.values()] for name in SCORE_FIELDS},
        index=pd.Index(list(rows), name="metric"),
    )
    table.insert(0, "title", [_title(name, titles) for name in rows])
    table.insert(1, "diagnostic", [name in BESIDE_IDS for name in rows])
    if result.means:
        means = _rows(result.means)
        for name in MEASURES:
            table[f"{result.policies.average}_{name}"] = [getattr(means[row], name) for row in rows]
    return table


def document_table(result: Tally) -> pd.DataFrame:
    """Rows (document, metric) in the key's order; NaN where a document has nothing to score."""
    rows = _rows(result.document_scores)
    index = pd.MultiIndex.from_product([result.documents, rows], names=["document", "metric"])
    columns = {
        name: np.column_stack([getattr(score, name) for score in rows.values()]).ravel()
        for name in SCORE_FIELDS
    }
    return pd.DataFrame(columns, index=index)


def size_table(result: Tally) -> pd.DataFrame:
    """One row per document: mentions, entities and singletons of both sides, and mentions that
    are shared, missing (only the key has them) or spurious (only the response has them)."""
    table = pd.DataFrame(dict(result.sizes), index=pd.Index(result.documents, name="document"))
    table["missing_mentions"] = table["key_mentions"] - table["shared_mentions"]
    table["spurious_mentions"] = table["response_mentions"] - table["shared_mentions"]
    return table


def count_table(key: Corpus, results: Mapping[str, Tally]) -> pd.DataFrame:
    """A row for the key and one row per named result, with what there is of each.

    documents, words, mentions, entities, singletons; of a result also the mentions that are
    shared, missing and spurious (NaN for the key).
    """
    words = sum(len(document.words) for document in key)
    rows: dict[str, dict[str, float]] = {}
    for name, result in results.items():
        total = size_table(result).sum()
        text = {"documents": len(result.documents), "words": words}
        rows["key"] = text | {what: total[f"key_{what}"] for what in _SIDE}
        rows[name] = text | {what: total[f"response_{what}"] for what in _SIDE}
        rows[name] |= {what: total[f"{what}_mentions"] for what in _STATUS}
    order = ["key", *results]
    return pd.DataFrame.from_dict(rows, orient="index").reindex(order)


def has_empty_side(result: Tally) -> bool:
    """Whether the key or the response has no mention at all."""
    return not all(result.sizes[f"{side}_mentions"].sum() for side in ("key", "response"))


def document_summary(result: Tally) -> pd.DataFrame:
    """One row per document: words, the sizes of `size_table`, and the F1 of each metric by its
    id; NaN where a document has nothing to score."""
    table = size_table(result)
    table.insert(0, "words", result.lengths["words"])
    for name, score in result.document_scores.items():
        table[name] = score.f1
    return table


def document_differences(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """F1, or another measure, of b minus that of a: one row per document, one column per
    metric; NaN where either has nothing to score. Both results are over one key."""
    choose("measure", measure, MEASURES)
    columns = {
        name: getattr(b.document_scores[name], measure) - getattr(a.document_scores[name], measure)
        for name in a.scores
    }
    return pd.DataFrame(columns, index=pd.Index(a.documents, name="document"))


def win_table(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """One row per metric: the number of documents on which the F1 of a is higher, that of b,
    and on which they tie. Documents with nothing to score count nowhere."""
    difference = document_differences(a, b, measure=measure).round(PLACES)
    wins = {"a": difference < 0, "b": difference > 0, "ties": difference == 0}
    return pd.DataFrame({name: won.sum() for name, won in wins.items()})


def difference_table(a: Tally, b: Tally) -> pd.DataFrame:
    """Recall, precision and F1 of b minus those of a: one row per metric, as `score_table`."""
    return score_table(b)[list(MEASURES)] - score_table(a)[list(MEASURES)]


def change_table(before: Tally, after: Tally) -> pd.DataFrame:
    """What changed from one response to another: one row per metric, indexed as `score_table`.

    Columns: recall, precision, f1 before; recall_after and so on; and their differences,
    recall_change and so on. Fractions; NaN where a metric has none.
    """
    old, new = (score_table(result)[list(MEASURES)] for result in (before, after))
    change = (new - old).add_suffix("_change")
    return old.join([new.add_suffix("_after"), change])


def opposite_changes(one: pd.DataFrame, other: pd.DataFrame) -> list[tuple[str, str]]:
    """The metric and measure of each change that is above 0 in one table and below 0 in the other,
    to two decimals of a percentage. Tables as of `change_table`."""
    found = []
    for metric in METRIC_IDS:
        for measure in MEASURES:
            if is_opposite(*(float(of[f"{measure}_change"][metric]) for of in (one, other))):
                found.append((metric, measure))
    return found


def is_opposite(one: float, other: float) -> bool:
    """Whether one difference is above 0 and the other below, to two decimals of a percentage."""
    return min(one, other) <= -HALF_A_PLACE and max(one, other) >= HALF_A_PLACE


def _rows(scores: Mapping[str, Score[Value]]) -> dict[str, Score[Value]]:
    rows = {}
    for name, score in scores.items():
        rows[name] = score
        rows |= {f"{name}.{part}": value for part, value in score.parts.items()}
    return rows


def _title(name: str, titles: Mapping[str, str]) -> str:
    if name in titles:
        return titles[name]
    metric, _, part = name.rpartition(".")  # a metric's own id may have a dot: "blanc_0.2"
    return f"{titles[metric]}, {part.replace('_', '-')} links"
