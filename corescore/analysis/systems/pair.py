"""Two responses to one key, all tables that compare them, and what speaks for a difference."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.scorers import Rescored, rows_of
from corescore.analysis.significance import (
    LEVEL,
    MOST_ENUMERATED,
    SEED,
    TRIALS,
    Intervals,
    Randomisation,
    Run,
    Stack,
    check,
    check_same_key,
    id_with,
    in_turn,
    intervals_of,
    measure_table,
    measures_of,
    randomisation,
    score_array,
)
from corescore.analysis.systems import documents
from corescore.analysis.systems.comparability import Finding, comparability, is_identical
from corescore.analysis.systems.documents import judged
from corescore.analysis.systems.power import POWER, Detectable, Effect, detectable, effect
from corescore.analysis.systems.together import Together, together
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Singletons
from corescore.metrics import SCORE_IDS
from corescore.scoring.presets import PRESETS
from corescore.scoring.scores import Result
from corescore.scoring.tables import document_differences
from corescore.scoring.tally import Tally
from corescore.util import PLACES, TOLERANCE, FloatArray
from corescore.wording import ALPHA, counted

# Which documents make the difference between two results ------------------------------------------


def influence(a: Tally, b: Tally, metric: str, *, measure: str = "f1") -> pd.DataFrame:
    """One row per document: how much of the corpus' difference b − a goes with it.

    Columns: document; difference, of the document's own scores (NaN where there was nothing to
    score); without, that of the corpus without the document; influence, the difference of the whole
    corpus minus that. The document that favours the difference most comes first; where there is
    none, the one that changes it most. Fractions; without the only document the difference is 0.

    Raises ValueError if the results are not over one key under the same policies, PolicyError for
    an unknown metric or measure.
    """
    without = without_each(a, b, metric, measure=measure)
    table = (without["b"] - without["a"]).rename("without").reset_index()
    table.insert(
        1, "difference", table["document"].map(document_differences(a, b, measure=measure)[metric])
    )
    whole = getattr(b[metric], measure) - getattr(a[metric], measure)
    table["influence"] = whole - table["without"]
    favours = table["influence"] * np.sign(whole) if whole else table["influence"].abs()
    order = favours.sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)


def without_each(a: Tally, b: Tally, metric: str, *, measure: str) -> pd.DataFrame:
    """One row per document by name: a and b, the scores without it. Raises as `influence`."""
    metric = id_with(metric, measure, a.scores)
    stack, place = Stack.of_score(metric, measure, a, b)
    scores = stack.scores(stack.total - stack.values)[:, *place]
    index = pd.Index(sorted(a.documents), name="document")
    return pd.DataFrame(dict(zip("ab", scores, strict=True)), index)


# Does a difference hold? The same two responses under other conditions ----------------------------

KEPT, REVERSED, TIE, NO_TIE, NONE = OUTCOMES = ("kept", "reversed", "tie", "no tie", "none")

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

                outcome: "kept" is the sign of the difference, "reversed", or a "tie"; of a tie,
                which may be kept, "no tie"; "none" where there is no difference.

    >>> import corescore
    >>> a, b = (corescore.score("key.conll", f"{name}.conll") for name in ("cautious", "greedy"))
    >>> held = a.compare(b).held("lea")
    >>> held.table[["condition", "difference", "outcome"]].head(3).round(4)
      condition  difference outcome
    0       muc      0.1053    kept
    1      bcub      0.0799    kept
    2     ceafm      0.0706    kept
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


def held(a: Tally, b: Tally, metric: str = "conll", *, measure: str = "f1") -> Held:
    """The difference of two results under other conditions; see `Held`.

    Tallies have no documents to score again: then singletons and scorers have no rows. Otherwise
    the documents are scored again as they were paired. Raises ValueError if the results are not
    over one key under the same policies, PolicyError for an unknown metric or measure.
    """
    check_same_key(a, b)
    metric = id_with(metric, measure, a.scores)
    present = [getattr(of[metric], measure) for of in (a, b)]
    rows = [("", "", metric, *present, ""), *_conditions(a, b, metric, measure)]
    columns = ["kind", "condition", "metric", "a", "b", "refusal"]
    table = pd.DataFrame(rows, columns=columns)
    difference = table["b"] - table["a"]
    table.insert(5, "difference", difference)
    sign = np.sign(difference.mask(difference.abs() <= TOLERANCE, 0).to_numpy())
    other = np.where(sign == 0, TIE, REVERSED) if sign[0] else NO_TIE
    outcome = np.where(sign == sign[0], KEPT, other).astype(object)
    outcome[np.isnan(sign)] = NONE
    table.insert(6, "outcome", pd.Series(pd.Categorical(outcome, OUTCOMES)))
    table["repeats"] = table[["metric", "a", "b"]].round(PLACES).duplicated()
    return Held(metric, measure, difference[0], table[1:].reset_index(drop=True))


def _conditions(a: Tally, b: Tally, metric: str, measure: str) -> Iterator[_Row]:
    """What the two score under each other condition: the rows of `Held.table`."""
    for other in SCORE_IDS:
        if other != metric and other in a.scores and measure in measures_of(other):
            yield "metric", other, other, *(getattr(of[other], measure) for of in (a, b)), ""
    if isinstance(a, Result) and isinstance(b, Result):  # with singletons or not, and by others
        compared = [of.comparison for of in (a, b)]
        both = [Rescored(Corpus(of.key), Corpus(of.response)) for of in compared]
        opposite: Singletons = "keep" if a.policies.singletons == "drop" else "drop"
        changed = replace(a.policies, average="micro", singletons=opposite)
        conditions = [("singletons", str(opposite), changed)]
        conditions += [
            ("scorer", name, scorer.policies)
            for name, scorer in PRESETS.items()
            if metric in rows_of(scorer) and scorer.policies != a.policies
        ]
        for kind, condition, policies in conditions:
            # They are paired: what a scorer does to other words and missing documents is done
            policies = replace(policies, words=a.policies.words, missing_documents="empty")
            refusal = next(filter(None, (of.refusal(policies) for of in both)), "")
            values = [np.nan if refusal else of.value(policies, metric, measure) for of in both]
            yield kind, condition, metric, values[0], values[1], refusal
    yield "average", "macro", metric, *(getattr(of.macro[metric], measure) for of in (a, b)), ""
    if len(a.documents) > 1:
        without = without_each(a, b, metric, measure=measure)
        difference = getattr(b[metric], measure) - getattr(a[metric], measure)
        left = ((without["b"] - without["a"]) * np.sign(difference)).round(PLACES).idxmin()
        yield "document", str(left), metric, *without.loc[left].tolist(), ""


@dataclass(frozen=True)
class Pair:
    """Two results over one key, A and B; differences are b − a.

    Tallies have no verdicts, errors, mentions or entities; accessing them raises ValueError.

    Everything is computed on first use. The p-values depend neither on which of the two is A nor
    on the order of the documents. Raises ValueError if the results have different keys,
    metrics or policies, for fewer than one trial, and for a level not between 0 and 1.

    trials, seed  of the randomisation and of the bootstrap
    level         of the intervals
    run           where trials are counted; see `corescore.analysis.significance`

    >>> import corescore
    >>> a, b = (corescore.score("key.conll", f"{name}.conll") for name in ("cautious", "greedy"))
    >>> pair = a.compare(b)
    >>> round(100 * pair.detectable("lea").difference, 2)  # points, by documents like these
    4.89
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

    def __repr__(self) -> str:
        return f"Pair: A {self.a.in_short}; B {self.b.in_short} | {self.signature}"

    @cached_property
    def randomisation(self) -> Randomisation:
        """The random exchanges behind all tests, and the p-values of all differences."""
        return randomisation(self.a, self.b, trials=self.trials, seed=self.seed, run=self.run)

    def detectable(
        self, metric: str = "conll", *, measure: str = "f1", power: float = POWER, n_tests: int = 1
    ) -> Detectable:
        """The smallest difference that the test of one metric detects with this power.

        n_tests  the number of tests; 1 for a metric that was chosen beforehand. For more, p is
                 corrected by Bonferroni, so the result is an upper bound for max T and Holm

        Raises as `corescore.analysis.systems.power.detectable`.
        """
        alpha = (1 - self.level) / n_tests
        given = self.a, self.b, self.randomisation, metric
        return detectable(*given, measure=measure, power=power, alpha=round(alpha, PLACES))

    def effect(self, metric: str = "conll", *, measure: str = "f1") -> Effect:
        """How many documents each wins, and the standardised difference."""
        return effect(self.a, self.b, metric, measure=measure)

    def held(self, metric: str = "conll", *, measure: str = "f1") -> Held:
        """The difference under other conditions; see `corescore.analysis.systems.pair`."""
        return held(self.a, self.b, metric, measure=measure)

    def together(self, metric: str = "conll", *, measure: str = "f1") -> Together:
        """The score if the better of the two could be taken: for each document a score that was
        found, for each mention an upper bound; see `corescore.analysis.systems.together`."""
        return together(self.a, self.b, metric, measure=measure)

    @cached_property
    def intervals(self) -> Intervals:
        """The bootstrap intervals of all differences, each alone."""
        return intervals_of(
            self.a, self.b, level=self.level, trials=self.trials, seed=self.seed, run=self.run
        )

    @cached_property
    def significance(self) -> pd.DataFrame:
        """One row per metric and measure: which is better, and whether that is significant.

        Columns:

        metric, measure          str       "muc" … and "conll"; "recall", "precision" or "f1"
        a, b, difference         float64   fractions, and b − a
        winner                   category  A, tie or B
        p                        float64   of approximate randomisation, of this metric alone
        p_holm, p_max            float64   corrected over the metrics of this pair, by Holm and by
                                           the maximal statistic; NaN for CoNLL and diagnostics
        low, high                float64   the percentile interval of the difference (bootstrap)
        bca_low, bca_high        float64   the bias-corrected and accelerated one
        t_low, t_high            float64   the studentised one
        wins_a, wins_b, ties     int64     documents
        p_sign                   float64   of the sign test over documents
        tested_low, tested_high  float64   the interval that excludes 0 exactly when p_max (outside
                                           the family: p) is below 1 − `level`, by default 0.05
        family                   str       what p_max and p_holm are corrected over; "" outside it
        """
        test, bootstrap = self.randomisation, self.intervals
        signs = [documents.sign_test(self.a, self.b, measure=measure) for measure in MEASURES]
        wins_a, wins_b, ties, p_sign = np.moveaxis(np.stack(signs, axis=1), -1, 0)
        columns = {
            "a": score_array(self.a.scores),
            "b": score_array(self.b.scores),
            "difference": test.difference,
            "p": test.p,
            "p_holm": test.p_holm,
            "p_max": test.p_max,
            "": bootstrap.percentile,
            "bca_": bootstrap.bca,
            "t_": bootstrap.jackknife,
            "wins_a": wins_a,
            "wins_b": wins_b,
            "ties": ties,
            "p_sign": p_sign,
            "tested_": test.intervals(self.level),
        }
        table = measure_table(test.metrics, columns)
        table = table.astype(dict.fromkeys(("wins_a", "wins_b", "ties"), "int64"))
        return judged(table, "p_max", test.n_tests)

    @cached_property
    def documents(self) -> pd.DataFrame:
        """One row per document and metric, in the key's order.

        Columns:

        document, metric  category
        a, b, difference  float64   F1, fractions, and b − a; NaN if there was nothing to score
        winner            category  A, tie or B; NA if the difference is NaN
        """
        return documents.compared_documents(self.a, self.b)

    @property
    def disagreements(self) -> pd.DataFrame:
        """The documents on which LEA and CoNLL prefer different responses, largest
        margin first.

        Columns:

        document    str       its name
        lea, conll  float64   the difference b − a of F1, fractions
        margin      float64   the smaller absolute value of the two
        """
        return documents.disagreements(self.a, self.b)

    @property
    def disagreement_counts(self) -> pd.DataFrame:
        """The number of documents on which two metrics prefer different responses: one row and
        one column per metric.

        Columns:

        muc, bcub, …  int64     documents
        """
        return documents.disagreement_counts(self.a, self.b)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """The number of key mentions of each verdict under each metric.

        Columns:

        metric                      str       the index: its id
        A earns more, B earns more  int64     one response gets more credit for the mention
        both earn all               int64     both get all that is possible
        equal, not all              int64     both get the same, but less
        nothing to earn             int64     the metric gives no credit for it
        """
        return documents.verdict_counts(*self._with_documents)

    @cached_property
    def errors(self) -> pd.DataFrame:
        """The number of errors of each of the seven kinds.

        Columns:

        kind              str       the index
        a, b, difference  int64     errors of A and of B, and b − a

        Raises PolicyError if a side lists a span twice under repeats "all".
        """
        return documents.compared_errors(*self._with_documents)

    def mentions(self, metric: str, *, side: str = "recall") -> pd.DataFrame:
        """One row per mention of the key, in text order: how each response resolves it. For the
        side "precision", one row per mention that both responses have.

        Columns:

        document                        category  its name in the key
        mention                         str       its words
        start, end                      int64     its span in words, half-open
        key_entity, a_entity, b_entity  Int64     from 1 by first mention; NA if a side does not
                                                  have the mention
        class_a, class_b                category  correct, unlinked, incorrectly resolved, span
                                                  error, missing
        outcome                         category  in which response it is correct
        credit_a, credit_b, difference  float64   its credit as a share of the possible, and b − a
        verdict                         category  A earns more, B earns more, both earn all, equal,
                                                  not all, nothing to earn
        type, length, size              category  slices of the mention
        position, antecedent, genre     category

        Raises PolicyError for an unknown metric or side, or a metric that does not define credit.
        """
        return documents.compared_mentions(*self._with_documents, metric, side=side)

    def entities(self, metric: str) -> pd.DataFrame:
        """The credit of each response for each entity of the key, towards recall: one row per
        kind of unit and each entity with such units.

        Columns:

        document                        str       its name in the key
        kind                            str       of unit
        entity                          int64     from 1 by first mention
        mentions                        int64     how many it has
        possible                        float64   the most that can be given
        credit_a, credit_b, difference  float64   what is given, and b − a

        Raises PolicyError as `mentions`.
        """
        return documents.compared_entities(*self._with_documents, metric)

    def randomised(self, metric: str, *, measure: str = "f1") -> FloatArray:
        """(exchanges,) the differences b − a that the exchanges made under one metric; PolicyError
        for an unknown metric or measure."""
        return self.randomisation.exchanged_of(metric, measure)

    @property
    def _with_documents(self) -> tuple[Result, Result]:
        if isinstance(self.a, Result) and isinstance(self.b, Result):
            return self.a, self.b
        raise ValueError(
            "a tally has no mentions or entities, only their counts. Score the key and both "
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
        n = len(self.a.documents)
        exact = f" | all {2**n:,} exchanges" if n <= MOST_ENUMERATED else ""
        return f"{self.a.signature} | {counted(self.trials, 'trial')} | seed {self.seed}{exact}"

    def plot(self, *, measure: str = "f1") -> Any:
        """A plotly figure of both under each of the six and, for F1, CoNLL: A filled
        and B open, in percent, b − a in points with its interval, and whether it is significant.

        measure  "recall", "precision" or "f1"; PolicyError for another
        """
        from corescore.plots.compare import dumbbells

        choose("measure", measure, MEASURES)
        table = self.significance
        rows = table[table["measure"] == measure].set_index("metric")
        rows = rows.loc[[metric for metric in SCORE_IDS if metric in rows.index]]
        return dumbbells(rows, measure)

    def _repr_html_(self) -> str:
        """What a notebook shows: F1 of both, their differences, and which are significant."""
        from corescore.rendering.tables import differences

        return str(differences(self))


# All that speaks for or against a difference by one metric, the primary one -----------------------


@dataclass(frozen=True)
class Evidence:
    """What a careful reader asks of a difference b − a, and its answers.

    pair             both, and how their difference was tested
    metric, measure  the primary ones
    is_identical     whether both have the same mentions in the same entities; of tallies this
                     cannot be told, and it is False
    findings         what speaks against comparing the two at all
    row              of `Pair.significance`, for the metric and measure
    interval         of the difference b − a, 95%: it leaves out 0 exactly where p is below 0.05.
                     NaN where nothing can be tested
    detectable       what these data can tell
    effect           how large the difference is over documents
    held             the difference under other conditions
    influence        which documents make it: `influence`
    errors           of each kind, `Pair.errors`; None where they cannot be told: of tallies, and
                     where mentions are listed twice and scored twice
    """

    pair: Pair
    metric: str
    measure: str
    is_identical: bool
    findings: tuple[Finding, ...]
    row: pd.Series
    interval: tuple[float, float]
    detectable: Detectable
    effect: Effect
    held: Held
    influence: pd.DataFrame
    errors: pd.DataFrame | None

    @property
    def p(self) -> float:
        """The p-value to judge by: not corrected for the other metrics, which is right only if this
        one was chosen before the scores were seen. NaN for a single document."""
        return float(self.row["p"])

    @property
    def is_significant(self) -> bool:
        return self.p < ALPHA

    @cached_property
    def together(self) -> Together:
        """What they would score if the better of the two could be taken."""
        return self.pair.together(self.metric, measure=self.measure)


def evidence(
    pair: Pair, metric: str, *, measure: str = "f1", letters: tuple[str, str] = ("A", "B")
) -> Evidence:
    """The evidence of a comparison; PolicyError for an unknown metric or measure.

    letters  what the findings call the two
    """
    tests, (a, b) = pair.randomisation, (pair.a, pair.b)
    interval = tests.intervals(1 - ALPHA, alone=True)[tests.place(metric, measure)].tolist()
    table, errors = pair.significance, None
    if isinstance(a, Result) and isinstance(b, Result):
        with suppress(PolicyError):  # mentions are listed twice
            errors = pair.errors
    return Evidence(
        pair,
        metric,
        measure,
        is_identical(a, b),
        comparability(a, b, letters=letters),
        table[(table["metric"] == metric) & (table["measure"] == measure)].iloc[0],
        (interval[0], interval[1]),
        pair.detectable(metric, measure=measure),
        pair.effect(metric, measure=measure),
        pair.held(metric, measure=measure),
        influence(a, b, metric, measure=measure),
        errors,
    )
