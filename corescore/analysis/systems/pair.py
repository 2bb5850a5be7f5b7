"""Two responses to one key and all tables that compare them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.scorers.rescored import Rescored, rows_of
from corescore.analysis.significance import LEVEL, SEED, TRIALS, check
from corescore.analysis.significance.exchanges import Equivalence, Randomisation, randomisation
from corescore.analysis.significance.power import POWER, Detectable, Effect, detectable, effect
from corescore.analysis.significance.resamples import (
    Intervals,
    Run,
    Stack,
    check_same_key,
    in_turn,
    intervals_of,
    is_enumerated,
    measure_table,
    measures_of,
    n_exchanges,
    needed_for,
    score_array,
)
from corescore.analysis.systems.comparability import Finding, comparability
from corescore.analysis.systems.documents import (
    compared_documents,
    disagreement_counts,
    disagreements,
    sign_test,
    winners,
)
from corescore.analysis.systems.mentions import (
    compared_entities,
    compared_errors,
    compared_mentions,
    verdict_counts,
)
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Policies, Singletons
from corescore.metrics import METRIC_IDS
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import Result
from corescore.scoring.tables import document_differences
from corescore.scoring.tally import Tally
from corescore.util import PLACES, TOLERANCE, FloatArray, later
from corescore.wording import ALPHA

# Which documents make the difference between two results ------------------------------------------


def influence(a: Tally, b: Tally, metric: str, *, measure: str = "f1") -> pd.DataFrame:
    """A row for each document: how much of the corpus' difference b − a goes with it.

    Columns: document; difference, of the document's own scores (NaN where there was nothing to
    score); without, that of the corpus without the document; influence, the difference of the whole
    corpus minus that. The document that favours the difference most comes first; where there is
    none, the one that changes it most. Fractions; without the only document the difference is 0.

    Raises ValueError if the results are not over one key under the same policies, PolicyError for
    an unknown metric or measure.
    """
    names, of_a, of_b = without_each(a, b, metric, measure=measure)
    whole = getattr(b[metric], measure) - getattr(a[metric], measure)
    table = pd.DataFrame({"document": names, "without": of_b - of_a})
    table["influence"] = whole - table["without"]
    own = document_differences(a, b, measure=measure)[metric]
    table.insert(1, "difference", table["document"].map(own))
    favours = table["influence"] * (1 if whole > 0 else -1) if whole else table["influence"].abs()
    order = favours.sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)


def without_each(
    a: Tally, b: Tally, metric: str, *, measure: str
) -> tuple[list[str], FloatArray, FloatArray]:
    """The documents by name, and (documents,) the scores of a and of b without each. Raises as
    `influence`."""
    choose("metric", metric, a.scores)
    choose("measure", measure, measures_of(metric))
    stack = Stack.of(a, b, metrics=needed_for(metric))
    at = stack.names.index(metric), MEASURES.index(measure)
    rest = stack.total - stack.values.T
    of_a, of_b = (stack.scores(rest[columns])[at] for columns in stack.columns)
    return sorted(a.documents), of_a, of_b


KEPT, REVERSED, TIE, NONE = "kept", "reversed", "tie", "none"

# Does a difference hold? The same two responses under other conditions ----------------------------

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
    if not (isinstance(a, Result) and isinstance(b, Result)):
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


@dataclass(frozen=True)
class Pair:
    """Two results over one key, A and B; differences are b − a.

    Of tallies there are no verdicts, errors, mentions and entities: these raise ValueError.

    Everything is computed on first use. The p-values depend neither on which of the two is A nor
    on the order of the documents. Raises ValueError if the results are not over one key, by the
    same metrics and policies, for fewer than one trial, and for a level not between 0 and 1.

    trials, seed  of the randomisation and of the bootstrap
    level         of the intervals
    run           where trials are counted; see `corescore.analysis.significance.resamples`
    """

    a: Tally
    b: Tally
    trials: int = TRIALS
    seed: int = SEED
    level: float = LEVEL
    run: Run = in_turn

    def __post_init__(self) -> None:
        check_same_key(self.a, self.b)
        check(self.trials, self.seed, self.level)

    @cached_property
    def randomisation(self) -> Randomisation:
        """The exchanges that all tests are made of, and the p-values of all differences."""
        return randomisation(self.a, self.b, trials=self.trials, seed=self.seed, run=self.run)

    def equivalence(self, margin: float) -> Equivalence:
        """Whether the systems differ by less than a margin, a fraction; ValueError unless it is
        between 0 and 1."""
        return self.randomisation.equivalence(margin)

    def detectable(
        self, metric: str = "conll", *, measure: str = "f1", power: float = POWER, n_tests: int = 1
    ) -> Detectable:
        """The smallest difference that the test of one metric finds with this power.

        n_tests  among how many tests; 1 for a metric that was chosen beforehand. Of more, the
                 answer is that of Bonferroni's correction, and an upper bound for max T and Holm

        Raises as `corescore.analysis.significance.power.detectable`.
        """
        alpha = (1 - self.level) / n_tests
        of = self.a, self.b, self.randomisation, metric
        return detectable(*of, measure=measure, power=power, alpha=round(alpha, PLACES))

    def effect(self, metric: str = "conll", *, measure: str = "f1") -> Effect:
        """How many documents each wins, and the standardised difference."""
        return effect(self.a, self.b, metric, measure=measure)

    def held(self, metric: str = "conll", *, measure: str = "f1") -> Held:
        """The difference under other conditions; see `corescore.analysis.systems.pair`."""
        return held(self.a, self.b, metric, measure=measure)

    @cached_property
    def intervals(self) -> Intervals:
        """The bootstrap intervals of all differences, each alone."""
        return intervals_of(
            self.a, self.b, level=self.level, trials=self.trials, seed=self.seed, run=self.run
        )

    @cached_property
    def significance(self) -> pd.DataFrame:
        """A row for each metric and measure: which is better, and whether that is significant.

        Columns: metric, measure, a, b, difference, winner (A, tie, B), p, p_holm and p_max
        (approximate randomisation; the two corrections are over the metrics of this pair, NaN for
        CoNLL and diagnostics, which are outside that family), low, high, bca_low, bca_high (of the
        difference, by the bootstrap, each alone), wins_a, wins_b, ties (documents), p_sign,
        tested_low, tested_high (the interval that leaves out 0 where p_max, or p outside the
        family, is below 0.05), family (what p_max and p_holm are corrected over; "" outside it).
        Fractions.
        """
        of, bootstrap = self.randomisation, self.intervals
        columns = {
            "a": score_array(self.a.scores),
            "b": score_array(self.b.scores),
            "difference": of.difference,
            "p": of.p,
            "p_holm": of.p_holm,
            "p_max": of.p_max,
            "": bootstrap.percentile,
            "bca_": bootstrap.bca,
            "t_": bootstrap.jackknife,
        }
        tested = measure_table(of.metrics, {"tested_": of.intervals(self.level)})
        table = measure_table(of.metrics, columns).merge(self._sign_tests).merge(tested)
        table.insert(5, "winner", pd.Series(winners(table["difference"].to_numpy())))
        family = f"{of.n_tests} metrics of one pair"
        return table.assign(family=np.where(table["p_max"].isna(), "", family))

    @property
    def _sign_tests(self) -> pd.DataFrame:
        names = {"a": "wins_a", "b": "wins_b", "p": "p_sign"}
        tests = [
            sign_test(self.a, self.b, measure=measure).rename(columns=names).assign(measure=measure)
            for measure in MEASURES
        ]
        return pd.concat(tests).rename_axis("metric").reset_index()

    @cached_property
    def documents(self) -> pd.DataFrame:
        """F1 of each document under each metric; see `compared_documents`."""
        return compared_documents(self.a, self.b)

    @property
    def disagreements(self) -> pd.DataFrame:
        """The documents on which LEA and the CoNLL average prefer different responses."""
        return disagreements(self.a, self.b)

    @property
    def disagreement_counts(self) -> pd.DataFrame:
        """The number of documents on which each two metrics prefer different responses."""
        return disagreement_counts(self.a, self.b)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """The number of key mentions of each verdict; see `verdict_counts`."""
        return verdict_counts(*self._with_documents)

    @cached_property
    def errors(self) -> pd.DataFrame:
        """The number of errors of each kind; see `compared_errors`."""
        return compared_errors(*self._with_documents)

    def mentions(self, metric: str, *, side: str = "recall") -> pd.DataFrame:
        """How each response resolves each mention of the key; see `compared_mentions`."""
        return compared_mentions(*self._with_documents, metric, side=side)

    def entities(self, metric: str) -> pd.DataFrame:
        """The credit of each response for each entity of the key; see `compared_entities`."""
        return compared_entities(*self._with_documents, metric)

    def randomised(self, metric: str, *, measure: str = "f1") -> FloatArray:
        """(exchanges,) the differences b − a that the exchanges made under one metric; PolicyError
        for an unknown metric or measure."""
        return self.randomisation.exchanged_of(metric, measure)

    @property
    def _with_documents(self) -> tuple[Result, Result]:
        if isinstance(self.a, Result) and isinstance(self.b, Result):
            return self.a, self.b
        raise ValueError(
            "a tally has no mentions or entities, only their counts; score the key and both "
            "responses again to compare these"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, if no difference can be significant, and if other
        versions of corescore counted."""
        few = self.randomisation.warnings
        if self.a.version == self.b.version:
            return few
        versions = f"{self.a.version} and {self.b.version}"
        return (*few, f"The results were made by corescore {versions}; their counts may differ.")

    @property
    def signature(self) -> str:
        """Policies, trials and seed in one line, and how many exchanges there are of few
        documents: then p is exact, and the seed is that of the intervals alone."""
        drawn = f"{self.a.signature} | {self.trials:,} trials | seed {self.seed}"
        n = len(self.a.documents)
        return (
            f"{drawn} | all {n_exchanges(n, self.trials):,} exchanges"
            if is_enumerated(n)
            else drawn
        )

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure of both under each of the six and, for F1, the CoNLL average: A filled
        and B open, in percent, b − a in points with its interval, and whether it is significant.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        choose("measure", measure, MEASURES)
        table = self.significance
        rows = table[table["measure"] == measure].set_index("metric")
        shown = [*METRIC_IDS] + (["conll"] if measure == "f1" else [])
        rows = rows.loc[[metric for metric in shown if metric in rows.index]]
        return later("plots.compare.dumbbells")(rows, measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: F1 of both, their differences, and which are significant."""
        return str(later("rendering.tables.differences")(self))


# All that speaks for or against a difference by one metric, the primary one -----------------------


@dataclass(frozen=True)
class Evidence:
    """What a careful reader asks of a difference b − a, and its answers.

    metric, measure  the primary ones
    findings         what speaks against comparing the two at all
    row              of `Pair.significance`, for the metric and measure
    interval         of the difference b − a, 95%: it leaves out 0 exactly where p is below 0.05.
                     NaN where nothing can be tested
    randomisation    how the difference was tested
    detectable       what these data can tell
    effect           how large the difference is over documents
    held             the difference under other conditions
    influence        which documents make it: `influence`
    errors           of each kind, `Pair.errors`; None where they cannot be told: of tallies, and
                     where mentions are listed twice and scored twice
    signature        policies, trials and seed
    """

    metric: str
    measure: str
    findings: tuple[Finding, ...]
    row: pd.Series
    interval: tuple[float, float]
    randomisation: Randomisation
    detectable: Detectable
    effect: Effect
    held: Held
    influence: pd.DataFrame
    errors: pd.DataFrame | None
    signature: str

    @property
    def p(self) -> float:
        """The p-value to judge by: not corrected for the other metrics, which is right only if this
        one was chosen before the scores were seen. NaN for a single document."""
        return float(self.row["p"])

    @property
    def is_significant(self) -> bool:
        return self.p < ALPHA


def evidence(
    pair: Pair, metric: str, *, measure: str = "f1", letters: tuple[str, str] = ("A", "B")
) -> Evidence:
    """The evidence of a comparison; PolicyError for an unknown metric or measure.

    letters  what the findings call the two
    """
    table = pair.significance
    (row,) = table.index[(table["metric"] == metric) & (table["measure"] == measure)]
    return Evidence(
        metric,
        measure,
        comparability(pair.a, pair.b, letters=letters),
        table.loc[row],
        _interval(pair, metric, measure),
        pair.randomisation,
        pair.detectable(metric, measure=measure),
        pair.effect(metric, measure=measure),
        pair.held(metric, measure=measure),
        influence(pair.a, pair.b, metric, measure=measure),
        _errors(pair),
        pair.signature,
    )


def _interval(pair: Pair, metric: str, measure: str) -> tuple[float, float]:
    of = pair.randomisation
    found = of.intervals(1 - ALPHA, alone=True)[of.place(metric, measure)]
    return float(found[0]), float(found[1])


def _errors(pair: Pair) -> pd.DataFrame | None:
    if not (isinstance(pair.a, Result) and isinstance(pair.b, Result)):
        return None
    try:
        return pair.errors
    except PolicyError:  # mentions are listed twice
        return None
