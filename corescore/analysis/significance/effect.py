"""How large is a difference? Documents won, and the difference by how far documents vary."""

from dataclasses import dataclass

import numpy as np

from corescore.corpus.problems import choose
from corescore.scoring.tables import document_differences, win_table
from corescore.scoring.tally import Tally
from corescore.tolerances import TOLERANCE


@dataclass(frozen=True)
class Effect:
    """The size of the difference b − a over documents, by one metric.

    won_a, won_b, ties  documents; those with nothing to score count nowhere
    mean                of the documents' differences, each alike: a fraction, which may have
                        another sign than the difference of the corpus. NaN without a document
    standardised        mean / their standard deviation (n − 1). NaN where they do not vary, or with
                        fewer than two. Cohen 1988, Statistical power analysis for the behavioral
                        sciences, §2.3.5 (d of paired values, d_z)
    """

    metric: str
    measure: str
    won_a: int
    won_b: int
    ties: int
    mean: float
    standardised: float


def effect(a: Tally, b: Tally, metric: str, *, measure: str = "f1") -> Effect:
    """The size of the difference; PolicyError for an unknown metric or measure."""
    choose("metric", metric, a.scores)
    differences = document_differences(a, b, measure=measure)[metric].dropna().to_numpy()
    won = win_table(a, b, measure=measure).to_dict("index")[metric]
    won_a, won_b, ties = (int(won[of]) for of in ("a", "b", "ties"))
    mean = float(differences.mean()) if len(differences) else np.nan
    deviation = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    standardised = mean / deviation if deviation > TOLERANCE else np.nan
    return Effect(metric, measure, won_a, won_b, ties, mean, standardised)
