"""Does a difference hold? The same two responses under other conditions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from corescore.analysis.scorers.rescored import Rescored, rows_of
from corescore.analysis.significance.stack import check_same_key, measures_of
from corescore.analysis.systems.influence import without_each
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.policies import Policies, Singletons
from corescore.metrics import METRIC_IDS
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import Scores
from corescore.scoring.tally import Tally
from corescore.tolerances import PLACES, TOLERANCE

KEPT, REVERSED, TIE, NONE = "kept", "reversed", "tie", "none"
OUTCOMES = (KEPT, REVERSED, TIE, NONE)
_Row = tuple[str, str, str, float, float, str]  # kind, condition, metric, a, b, refusal


@dataclass(frozen=True)
class Held:
    """The difference b − a of one metric under other conditions.

    difference  as it is, a fraction
    table       one row per condition. Columns: kind and condition, metric, a and b (fractions),
                difference, outcome, refusal (why a scorer refuses the files; else ""), repeats
                (whether both scores equal the present ones or those of an earlier row for the same
                metric, so the row is no further evidence). The kinds and their conditions:

                metric      each other metric, and CoNLL, as far as it has the measure
                singletons  "drop" where they are kept, otherwise "keep"
                average     "macro": the mean over documents
                document    the name of the one that favours the difference most, left out
                scorer      the id of each other scorer that has the metric

                outcome: "kept" is the sign of the difference, "reversed", or a "tie" (kept, if it
                is one as it is); "none" where there is no difference.
    """

    metric: str
    measure: str
    difference: float
    table: pd.DataFrame

    def count(self, outcome: str) -> int:
        """Under how many conditions that is the outcome."""
        return int((self.table["outcome"] == outcome).sum())

    @property
    def distinct(self) -> pd.DataFrame:
        """The rows with scores of their own: neither refused nor a repetition of other scores."""
        return self.table[(self.table["outcome"] != NONE) & ~self.table["repeats"]]

    @property
    def exceptions(self) -> pd.DataFrame:
        """The rows under which the sign is reversed, or there is a tie."""
        return self.table[self.table["outcome"].isin([REVERSED, TIE])]


def held(a: Tally, b: Tally, metric: str = "conll", *, measure: str = "f1") -> Held:
    """The difference of two results under other conditions; see `Held`.

    Tallies have no documents to score again: then singletons and scorers have no rows. Otherwise
    the documents are scored again as they were paired. Raises ValueError if the results are not
    over one key under the same policies, PolicyError for an unknown metric or measure.
    """
    check_same_key(a, b)
    choose("metric", metric, a.scores)
    choose("measure", measure, measures_of(metric))
    rows = [
        *_other_metrics(a, b, metric, measure),
        *_rescored(a, b, metric, measure),
        ("average", "macro", metric, *(getattr(of.macro[metric], measure) for of in (a, b)), ""),
        *_without_a_document(a, b, metric, measure),
    ]
    difference = getattr(b[metric], measure) - getattr(a[metric], measure)
    columns = ["kind", "condition", "metric", "a", "b", "refusal"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(5, "difference", table["b"] - table["a"])
    outcomes = [_outcome(difference, other) for other in table["difference"].tolist()]
    table.insert(6, "outcome", pd.Series(pd.Categorical(outcomes, OUTCOMES)))
    table["repeats"] = _repeats(table, metric, [getattr(of[metric], measure) for of in (a, b)])
    return Held(metric, measure, difference, table)


def _repeats(table: pd.DataFrame, metric: str, present: list[float]) -> "pd.Series[bool]":
    """Whether a row's two scores occur in an earlier row for its metric, the present scores being
    the first row."""
    first = pd.DataFrame([[metric, *present]], columns=["metric", "a", "b"])
    scores = pd.concat([first, table[["metric", "a", "b"]]], ignore_index=True).round(PLACES)
    return scores.duplicated().iloc[1:].reset_index(drop=True)


def _outcome(difference: float, other: float) -> str:
    if np.isnan(other):
        return NONE
    before, after = (0 if abs(d) <= TOLERANCE else np.sign(d) for d in (difference, other))
    if before == after:
        return KEPT
    return REVERSED if before and after else TIE


def _other_metrics(a: Tally, b: Tally, metric: str, measure: str) -> Iterator[_Row]:
    for other in (*METRIC_IDS, "conll"):
        if other != metric and other in a.scores and measure in measures_of(other):
            yield "metric", other, other, *(getattr(of[other], measure) for of in (a, b)), ""


def _rescored(a: Tally, b: Tally, metric: str, measure: str) -> Iterator[_Row]:
    if not (isinstance(a, Scores) and isinstance(b, Scores)):
        return
    both = [Rescored(Corpus(of.comparison.key), Corpus(of.comparison.response)) for of in (a, b)]

    def row(kind: str, condition: str, changed: Policies) -> _Row:
        # They are paired: what a scorer does to other words and missing documents is done
        policies = replace(changed, words=a.policies.words, missing_documents="empty")
        refusal = next(filter(None, (of.refusal(policies) for of in both)), "")
        values = [np.nan if refusal else of.value(policies, metric, measure) for of in both]
        return kind, condition, metric, values[0], values[1], refusal

    other: Singletons = "keep" if a.policies.singletons == "drop" else "drop"
    yield row("singletons", other, replace(a.policies, average="micro", singletons=other))
    for name, scorer in PRESETS.items():
        if metric in rows_of(scorer) and scorer.policies != a.policies:
            yield row("scorer", name, scorer.policies)


def _without_a_document(a: Tally, b: Tally, metric: str, measure: str) -> Iterator[_Row]:
    """Without the document that favours the difference most; the first of equals by name."""
    if len(a.documents) < 2:
        return
    names, of_a, of_b = without_each(a, b, metric, measure=measure)
    difference = getattr(b[metric], measure) - getattr(a[metric], measure)
    left = int(np.argmin(((of_b - of_a) * np.sign(difference)).round(PLACES)))
    yield "document", names[left], metric, float(of_a[left]), float(of_b[left]), ""
