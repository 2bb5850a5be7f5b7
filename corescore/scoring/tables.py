"""Tables of sizes of a result, and of the differences of two."""

from collections.abc import Mapping
from itertools import product

import pandas as pd

from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS
from corescore.scoring.tally import Tally
from corescore.util import HALF_A_PLACE, PLACES

_SIDE = ("mentions", "entities", "singletons")
_STATUS = ("shared", "missing", "spurious")


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


def by_document(result: Tally, measure: str) -> pd.DataFrame:
    """(documents × metrics) the scores of each document; NaN where nothing is scored. PolicyError
    for an unknown measure."""
    choose("measure", measure, MEASURES)
    columns = {name: getattr(score, measure) for name, score in result.document_scores.items()}
    return pd.DataFrame(columns, pd.Index(result.documents, name="document"))


def document_differences(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """F1, or another measure, of b minus that of a: one row per document, one column per
    metric; NaN where either has nothing to score. Both results are over one key."""
    return by_document(b, measure) - by_document(a, measure)


def win_table(a: Tally, b: Tally, *, measure: str = "f1") -> pd.DataFrame:
    """One row per metric: the number of documents on which the F1 of a is higher, that of b,
    and on which they tie. Documents with nothing to score count nowhere."""
    difference = document_differences(a, b, measure=measure).round(PLACES)
    wins = {"a": difference < 0, "b": difference > 0, "ties": difference == 0}
    return pd.DataFrame({name: won.sum() for name, won in wins.items()})


def difference_table(a: Tally, b: Tally) -> pd.DataFrame:
    """Recall, precision and F1 of b minus those of a: one row per metric, as `Tally.table`."""
    return b.table[list(MEASURES)] - a.table[list(MEASURES)]


def change_table(before: Tally, after: Tally) -> pd.DataFrame:
    """What changed from one response to another: one row per metric, indexed as `Tally.table`.

    Columns: recall, precision, f1 before; recall_after and so on; and their differences,
    recall_change and so on. Fractions; NaN where a metric has none.
    """
    old, new = (result.table[list(MEASURES)] for result in (before, after))
    change = (new - old).add_suffix("_change")
    return old.join([new.add_suffix("_after"), change])


def opposite_changes(one: pd.DataFrame, other: pd.DataFrame) -> list[tuple[str, str]]:
    """The metric and measure of each change that is above 0 in one table and below 0 in the other,
    to two decimals of a percentage. Tables as of `change_table`."""
    return [
        (metric, measure)
        for metric, measure in product(METRIC_IDS, MEASURES)
        if is_opposite(*(float(of[f"{measure}_change"][metric]) for of in (one, other)))
    ]


def is_opposite(one: float, other: float) -> bool:
    """Whether one difference is above 0 and the other below, to two decimals of a percentage."""
    return min(one, other) <= -HALF_A_PLACE and max(one, other) >= HALF_A_PLACE
