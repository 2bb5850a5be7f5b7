"""All that speaks for or against a difference by one metric that was chosen beforehand."""

import math
from dataclasses import dataclass

import pandas as pd

from corescore.analysis.significance.effect import Effect
from corescore.analysis.significance.power import Detectable
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
    detectable: Detectable
    effect: Effect
    held: Held
    influence: pd.DataFrame
    errors: pd.DataFrame | None
    signature: str

    @property
    def p(self) -> float:
        """The p-value to judge by: corrected if the metric is one of the six, which are tested
        together (max T). NaN for a single document."""
        own, corrected = float(self.row["p"]), float(self.row["p_max"])
        return own if math.isnan(corrected) else corrected

    @property
    def is_significant(self) -> bool:
        return self.p < ALPHA

    @property
    def has_given_mentions(self) -> bool:
        """Whether one system seems to have been given the key's mentions."""
        return any(finding.kind == "gold mentions" for finding in self.findings)


def evidence(pair: Pair, metric: str, *, measure: str = "f1") -> Evidence:
    """The evidence of a comparison; PolicyError for an unknown metric or measure."""
    table = pair.significance.set_index(["metric", "measure"])
    detectable = pair.detectable(metric, measure=measure)
    return Evidence(
        metric,
        measure,
        comparability(pair.a, pair.b),
        table.loc[(metric, measure)],
        detectable,
        pair.effect(metric, measure=measure),
        pair.held(metric, measure=measure),
        influence(pair.a, pair.b, metric, measure=measure),
        _errors(pair),
        pair.signature,
    )


def _errors(pair: Pair) -> pd.DataFrame | None:
    if not (isinstance(pair.a, Scores) and isinstance(pair.b, Scores)):
        return None
    try:
        return pair.errors
    except PolicyError:  # mentions are listed twice
        return None
