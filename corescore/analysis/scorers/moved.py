"""What one change of policy moves: the scores of documents, and mentions."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from corescore.analysis.scorers.rescored import Rescored
from corescore.analysis.scorers.walk import Step
from corescore.corpus.documents import Document
from corescore.counting.policies import Policies
from corescore.counting.sides import Side
from corescore.scoring.presets import policies_for
from corescore.scoring.scores import Scores
from corescore.tolerances import WHOLE

# Steps that leave every mention at its place, so that it can be found again.
_IN_PLACE = ("singletons", "match", "repeats", "lookup")
LEFT_OUT, COUNTED = "left out", "counted"
UNMATCHED, MATCHED = "not matched", "matched"
_COLUMNS = ["document", "side", "start", "end", "mention", "change"]
_Place = tuple[int, int, int]


def moved_documents(of: Rescored, step: Step, metric: str, measure: str = "f1") -> pd.DataFrame:
    """The documents whose own score a step moves, the most moved first: `document`, `before`,
    `after`, `difference`.

    Fractions; NaN where a document has nothing to score. None where only the average changes.
    """
    columns = {
        name: pd.Series(getattr(result.document_scores[metric], measure), list(result.documents))
        for name, result in (("before", of.scores(step.before)), ("after", of.scores(step.after)))
    }
    table = pd.DataFrame(columns)  # a document may be left out of one of the two
    table = table.rename_axis("document").reset_index()
    table["difference"] = table["after"] - table["before"]
    moved = np.abs(np.nan_to_num(table["after"]) - np.nan_to_num(table["before"]))
    order = np.argsort(-moved, kind="stable")
    rows: pd.DataFrame = table.iloc[order[moved[order] > WHOLE]]
    return rows.reset_index(drop=True)


def moved_mentions(of: Rescored, step: Step, metric: str) -> pd.DataFrame:
    """The mentions that a step leaves out, counts, matches or no longer matches.

    Columns: document, side, start, end, mention (its words), change. Empty for a step of another
    kind, such as an average or other words, and for a choice about singletons that depends on
    the metric, unless `metric` is one of those.
    """
    if step.policy not in _IN_PLACE:
        return pd.DataFrame(columns=_COLUMNS)
    before, after = (
        of.scores(_of_metric(policies, metric)) for policies in (step.before, step.after)
    )
    rows = [*_listed(before, after), *_matched(before, after)]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _of_metric(policies: Policies, metric: str) -> Policies:
    return policies_for(policies, metric)


def _listed(before: Scores, after: Scores) -> Iterator[tuple[object, ...]]:
    """The mentions that only one of two results has on a side."""
    for name in ("key", "response"):
        documents = getattr(before.comparison, name)
        old, new = (_places(getattr(r.comparison.matching, name)) for r in (before, after))
        yield from _rows(before, documents, name, old - new, LEFT_OUT)
        yield from _rows(before, documents, name, new - old, COUNTED)


def _matched(before: Scores, after: Scores) -> Iterator[tuple[object, ...]]:
    """The key's mentions that both results have and only one of them matches."""
    both = set(_places(before.comparison.matching.key)) & set(
        _places(after.comparison.matching.key)
    )
    old, new = (_pairs(result) for result in (before, after))
    for places, change in ((old - new, UNMATCHED), (new - old, MATCHED)):
        still = Counter({place: n for place, n in places.items() if place in both})
        yield from _rows(before, before.comparison.key, "key", still, change)


def _places(side: Side) -> Counter[_Place]:
    columns = (column.tolist() for column in (side.document, side.start, side.end))
    return Counter(zip(*columns, strict=True))


def _pairs(result: Scores) -> Counter[_Place]:
    matching = result.comparison.matching
    return _places(matching.key.keep(matching.key_mention))


def _rows(
    result: Scores, documents: Sequence[Document], side: str, places: Counter[_Place], change: str
) -> Iterator[tuple[object, ...]]:
    for number, start, end in sorted(places.elements()):
        document = documents[number]
        text = document.text_at(start, end) if document.words else ""
        yield result.documents[number], side, start, end, text, change
