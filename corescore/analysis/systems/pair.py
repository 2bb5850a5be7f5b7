"""Two responses to one key and all tables that compare them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from corescore.analysis.significance import resampling
from corescore.analysis.significance.bootstrap import (
    LEVEL,
    Intervals,
    check_level,
    difference_intervals,
)
from corescore.analysis.significance.effect import Effect, effect
from corescore.analysis.significance.exchanged import Exchanged, exchanged
from corescore.analysis.significance.inverted import (
    AgreeingIntervals,
    Equivalence,
    agreeing_intervals,
    equivalence,
)
from corescore.analysis.significance.kinds import INTERVALS
from corescore.analysis.significance.power import POWER, Detectable, detectable
from corescore.analysis.significance.randomisation import Randomisation, p_values
from corescore.analysis.significance.stack import check_same_key
from corescore.analysis.systems.documents import (
    compared_documents,
    disagreement_counts,
    disagreements,
    sign_test,
    winners,
)
from corescore.analysis.systems.holds import Held, held
from corescore.analysis.systems.mentions import (
    compared_entities,
    compared_errors,
    compared_mentions,
    verdict_counts,
)
from corescore.arrays import FloatArray
from corescore.counting.counts import MEASURES
from corescore.scoring.scores import Scores
from corescore.scoring.tally import Tally
from corescore.tolerances import PLACES


@dataclass(frozen=True)
class Pair:
    """Two results over one key, A and B; differences are b − a.

    Of tallies there are no verdicts, errors, mentions and entities: these raise ValueError.

    Everything is computed on first use. The p-values depend neither on which of the two is A nor
    on the order of the documents. Raises ValueError if the results are not over one key, by the
    same metrics and policies, for fewer than one trial, and for a level not between 0 and 1.

    trials, seed  of the randomisation and of the bootstrap
    level         of the intervals
    run           where trials are counted; see `corescore.analysis.significance.resampling`
    """

    a: Tally
    b: Tally
    trials: int = resampling.TRIALS
    seed: int = resampling.SEED
    level: float = LEVEL
    run: resampling.Run = resampling.in_turn

    def __post_init__(self) -> None:
        check_same_key(self.a, self.b)
        resampling.check(self.trials, self.seed)
        check_level(self.level)

    @cached_property
    def randomisation(self) -> Randomisation:
        """The p-values of all differences; see `corescore.analysis.significance.randomisation`."""
        return p_values(self.exchanged)

    @cached_property
    def exchanged(self) -> Exchanged:
        """The exchanges that all tests are made of; see `corescore.analysis.significance`."""
        return exchanged(self.a, self.b, trials=self.trials, seed=self.seed, run=self.run)

    @cached_property
    def agreeing_intervals(self) -> AgreeingIntervals:
        """The intervals that agree with the adjusted p-values: those of the six metrics are
        simultaneous. See `corescore.analysis.significance.inverted`."""
        return agreeing_intervals(self.exchanged, level=self.level)

    def equivalence(self, margin: float) -> Equivalence:
        """Whether the systems differ by less than a margin, a fraction; ValueError unless it is
        between 0 and 1."""
        return equivalence(self.exchanged, margin)

    def detectable(
        self, metric: str = "conll", *, measure: str = "f1", power: float = POWER, n_tests: int = 1
    ) -> Detectable:
        """The smallest difference that the test of one metric finds with this power.

        n_tests  among how many tests; 1 for a metric that was chosen beforehand. Of more, the
                 answer is that of Bonferroni's correction, and an upper bound for max T and Holm

        Raises as `corescore.analysis.significance.power.detectable`.
        """
        alpha = (1 - self.level) / n_tests
        of = self.a, self.b, self.exchanged, metric
        return detectable(*of, measure=measure, power=power, alpha=round(alpha, PLACES))

    def effect(self, metric: str = "conll", *, measure: str = "f1") -> Effect:
        """How many documents each wins, and the standardised difference."""
        return effect(self.a, self.b, metric, measure=measure)

    def held(self, metric: str = "conll", *, measure: str = "f1") -> Held:
        """The difference under other conditions; see `corescore.analysis.systems.holds`."""
        return held(self.a, self.b, metric, measure=measure)

    @cached_property
    def intervals(self) -> Intervals:
        """The bootstrap intervals of all differences, each alone."""
        return difference_intervals(
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
        intervals = self.intervals.table.drop(columns="value")
        ends = dict(zip(("low", "high"), INTERVALS["simultaneous"], strict=True))
        agreeing = self.agreeing_intervals.table.drop(columns="value").rename(columns=ends)
        table = self.randomisation.table.merge(intervals).merge(self._sign_tests).merge(agreeing)
        for place, (name, result) in enumerate((("a", self.a), ("b", self.b)), start=2):
            rows = zip(table["metric"], table["measure"], strict=True)
            table.insert(place, name, [getattr(result[metric], of) for metric, of in rows])
        table.insert(5, "winner", pd.Series(winners(table["difference"].to_numpy())))
        family = f"{self.randomisation.n_tests} metrics of one pair"
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
        return self.exchanged.differences_of(metric, measure)

    @property
    def _with_documents(self) -> tuple[Scores, Scores]:
        if isinstance(self.a, Scores) and isinstance(self.b, Scores):
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
        if not resampling.is_enumerated(n):
            return drawn
        return f"{drawn} | all {resampling.n_exchanges(n, self.trials):,} exchanges"
