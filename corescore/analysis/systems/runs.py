"""Two systems with several runs each, as of training with several seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from corescore.analysis.significance import resampling
from corescore.analysis.significance.bootstrap import LEVEL, check_level
from corescore.analysis.significance.crossed import (
    Crossed,
    crossed,
    equivalence_of_runs,
    p_of_runs,
    smallest_p_of_runs,
)
from corescore.analysis.significance.exchanged import Exchanged, exchanged_runs
from corescore.analysis.significance.inverted import Equivalence
from corescore.analysis.significance.randomisation import Randomisation, p_values
from corescore.analysis.significance.stack import check_same_key, measure_table
from corescore.analysis.systems.comparability import Finding, comparability
from corescore.analysis.systems.documents import winners
from corescore.arrays import FloatArray
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.scoring.tally import Tally
from corescore.tolerances import TOLERANCE
from corescore.wording import counted

FEW_RUNS = 5


@dataclass(frozen=True)
class PairOverRuns:
    """Two systems, A and B, by their runs over one key; a system's score is the mean over its runs,
    and differences are b − a.

    Three questions are kept apart, as each has an answer of its own:

    - Would other runs on other documents differ as well? Runs and documents are resampled: `low`,
      `high` and `p` of `significance`; see `corescore.analysis.significance.crossed.crossed`.
    - Would these runs differ on other documents? Documents are exchanged between the systems, all
      runs at once: `p_documents`; see `…significance.exchanged.exchanged_runs`.
    - Would other runs differ on these documents? Whole runs are exchanged: `p_runs`; see
      `…significance.crossed.p_of_runs`.

    Of one run a system the last cannot be asked, and the first is the second: `p_documents`, `low`
    and `high` are then those of `Pair`. Which of the two is A changes the draws of runs, but not
    `p_documents` and `p_runs`.

    Everything is computed on first use. Raises ValueError if a system has no run, if the results
    are not over one key, by the same metrics and policies, for fewer than one trial, and for a
    level not between 0 and 1.

    trials, seed  of the exchanges and of the bootstrap
    level         of the intervals
    run           where trials are counted; see `corescore.analysis.significance.resampling`
    letters       what findings and warnings call the two
    """

    a: Sequence[Tally]
    b: Sequence[Tally]
    trials: int = resampling.TRIALS
    seed: int = resampling.SEED
    level: float = LEVEL
    run: resampling.Run = resampling.in_turn
    letters: tuple[str, str] = ("A", "B")

    def __post_init__(self) -> None:
        if not (self.a and self.b):
            raise ValueError("a system has no run; expected one or more")
        for other in (*self.a, *self.b):
            check_same_key(self.a[0], other)
        resampling.check(self.trials, self.seed)
        check_level(self.level)

    @property
    def n_runs(self) -> tuple[int, int]:
        """Of A and of B."""
        return len(self.a), len(self.b)

    @property
    def n_documents(self) -> int:
        return len(self.a[0].documents)

    @cached_property
    def crossed(self) -> Crossed:
        """The difference with runs and documents resampled."""
        draws = {"trials": self.trials, "seed": self.seed}
        return crossed(self.a, self.b, level=self.level, run=self.run, **draws)

    def equivalence(self, margin: float) -> Equivalence:
        """Whether the systems differ by less than a margin, a fraction, for other runs on other
        documents; see `…significance.crossed.equivalence_of_runs`.

        Raises PolicyError for a system with fewer than FEW_RUNS runs, whose spread is too little
        known to say so; ValueError for a margin that is not between 0 and 1.
        """
        if min(self.n_runs) < FEW_RUNS:
            a, b = self.n_runs
            found = f"{counted(a, 'run')} of {self.letters[0]} and {b} of {self.letters[1]}"
            raise PolicyError(f"{found}; equivalence takes {FEW_RUNS} of each, or more")
        return equivalence_of_runs(self.crossed, margin)

    @cached_property
    def exchanged(self) -> Exchanged:
        """The exchanges of documents."""
        draws = {"trials": self.trials, "seed": self.seed}
        return exchanged_runs(self.a, self.b, run=self.run, **draws)

    @cached_property
    def randomisation(self) -> Randomisation:
        """The p-values over documents, of these runs."""
        return p_values(self.exchanged)

    @property
    def smallest_p_of_runs(self) -> float:
        """What `p_runs` cannot be below; NaN for one run each."""
        return smallest_p_of_runs(*self.n_runs)

    @cached_property
    def significance(self) -> pd.DataFrame:
        """A row for each metric and measure: which is better, and whether that is significant.

        Columns: metric, measure, a, b (means over runs), difference, winner (A, tie, B), low, high,
        p, p_holm (runs and documents resampled; Holm's correction is over the metrics, NaN for
        CoNLL and diagnostics, which are outside that family), p_documents, p_documents_max (these
        runs, documents exchanged; corrected by max T), p_runs (these documents, whole runs
        exchanged), sd_a, lowest_a, highest_a, sd_b, lowest_b, highest_b (of the runs; sd by n − 1,
        NaN of one run), runs_a, runs_b, ahead_b, pairs (in how many of all pairs of a run of A and
        one of B the latter has the higher score), family (what p_holm and p_documents_max are
        corrected over; "" outside it). Fractions.
        """
        of, tested = self.crossed, self.randomisation
        columns = {
            "a": _scores(self.a).mean(axis=0),
            "b": _scores(self.b).mean(axis=0),
            "difference": of.observed,
            "low": of.ends[..., 0],
            "high": of.ends[..., 1],
            "p": of.p,
            "p_holm": of.p_holm,
            "p_documents": tested.p,
            "p_documents_max": tested.p_max,
            "p_runs": p_of_runs(self.a, self.b, trials=self.trials, seed=self.seed),
            **_spread("a", self.a),
            **_spread("b", self.b),
            "ahead_b": self._ahead(),
        }
        table = measure_table(of.metrics, columns)
        table.insert(5, "winner", pd.Series(winners(table["difference"].to_numpy())))
        n_a, n_b = self.n_runs
        family = np.where(table["p_holm"].isna(), "", f"{tested.n_tests} metrics of one pair")
        ahead = table.pop("ahead_b").astype(int)
        return table.assign(runs_a=n_a, runs_b=n_b, ahead_b=ahead, pairs=n_a * n_b, family=family)

    def _ahead(self) -> FloatArray:
        """(metrics, measures) in how many pairs of runs that of B has the higher score."""
        gaps = _scores(self.b)[None] - _scores(self.a)[:, None]
        ahead: FloatArray = (gaps > TOLERANCE).sum(axis=(0, 1)).astype(np.float64)
        return ahead

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What speaks against comparing the systems, of each kind the first that any two runs
        show."""
        found: dict[str, Finding] = {}
        for a in self.a:
            for b in self.b:
                for finding in comparability(a, b, letters=self.letters):
                    found.setdefault(finding.kind, finding)
        return tuple(found.values())

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents or few runs, and if a system has one run."""
        few = resampling.few_documents(self.n_documents)
        runs = tuple(
            f"Only {counted(n, 'run')} of {letter}: with fewer than {FEW_RUNS}, intervals "
            "are too narrow where runs vary more than documents."
            for letter, n in zip(self.letters, self.n_runs, strict=True)
            if 1 < n < FEW_RUNS
        )
        return (*few, *runs)

    @property
    def signature(self) -> str:
        """Policies, runs, trials and seed in one line."""
        a, b = self.n_runs
        drawn = f"{self.trials:,} trials | seed {self.seed}"
        return f"{self.a[0].signature} | mean over {a} and {b} runs | {drawn}"


def _scores(runs: Sequence[Tally]) -> FloatArray:
    """(runs, metrics, measures) the scores over all documents."""
    every = [[[getattr(of, name) for name in MEASURES] for of in r.scores.values()] for r in runs]
    return np.array(every)


def _spread(letter: str, runs: Sequence[Tally]) -> dict[str, FloatArray]:
    """How far the runs of a system vary, arrays of (metrics, measures)."""
    scores = _scores(runs)
    deviation = np.full(scores[0].shape, np.nan)
    if len(runs) > 1:
        deviation = scores.std(axis=0, ddof=1)
        deviation[deviation < TOLERANCE] = 0
    found = {"sd": deviation, "lowest": scores.min(axis=0), "highest": scores.max(axis=0)}
    return {f"{name}_{letter}": values for name, values in found.items()}
