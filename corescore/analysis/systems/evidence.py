"""All that speaks for or against a difference by one metric, the primary one."""

from dataclasses import dataclass

import pandas as pd

from corescore.analysis.significance.effect import Effect
from corescore.analysis.significance.inverted import agreeing_intervals
from corescore.analysis.significance.power import Detectable
from corescore.analysis.significance.randomisation import Randomisation
from corescore.analysis.systems.comparability import Finding, comparability
from corescore.analysis.systems.holds import Held
from corescore.analysis.systems.influence import influence
from corescore.analysis.systems.pair import Pair
from corescore.corpus.problems import PolicyError
from corescore.scoring.scores import Scores
from corescore.wording import ALPHA


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
    of = pair.exchanged
    found = agreeing_intervals(of, level=1 - ALPHA, alone=True).ends[of.place(metric, measure)]
    return float(found[0]), float(found[1])


def _errors(pair: Pair) -> pd.DataFrame | None:
    if not (isinstance(pair.a, Scores) and isinstance(pair.b, Scores)):
        return None
    try:
        return pair.errors
    except PolicyError:  # mentions are listed twice
        return None
