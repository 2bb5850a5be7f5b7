"""Two systems with several runs each, as of training with several seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from corescore.analysis.significance import (
    LEVEL,
    SEED,
    TRIALS,
    ByExchanges,
    Randomisation,
    Resamples,
    Run,
    Stack,
    between,
    blocks_of,
    check,
    check_same_key,
    few_documents,
    holm_of_family,
    in_turn,
    mean_difference,
    measure_table,
    randomisation,
    score_array,
    scores_in,
)
from corescore.analysis.systems.comparability import Finding, comparability, is_identical
from corescore.analysis.systems.documents import judged
from corescore.scoring.tally import Tally
from corescore.util import TOLERANCE, FloatArray
from corescore.wording import counted

# Two systems with several runs each: runs and documents are two crossed random factors ------------

MOST_ASSIGNED = 12_870  # ways to exchange whole runs that are all tried: those of 8 and 8


@dataclass(frozen=True)
class Crossed:
    """The difference of two systems' means over runs, with runs and documents resampled.

    metrics   the ids of the metrics, "conll" last
    observed  (metrics, measures) the mean over the runs of B minus that over the runs of A, of the
              whole corpus, fractions; the measures as in MEASURES
    ends      (metrics, measures, 2) the interval of the level, quantiles of resamples
    p         (metrics, measures) two-sided: the level 1 − p is that of the interval with 0 at one
              of its ends, so that p is below 1 − level exactly where the interval leaves out 0. But
              not below 2/(trials + 1), nor below what exchanging so many documents can give
              (`smallest_p`): resamples of three documents that favour one system all do
              so, which shows nothing
    p_holm    (metrics, measures) Holm's correction of p over the metrics, for each measure; NaN for
              diagnostics and CoNLL, which are not part of that family

    NaN for CoNLL's R and P, and for the intervals and p of a corpus of one document.
    """

    metrics: tuple[str, ...]
    observed: FloatArray
    ends: FloatArray
    p: FloatArray
    p_holm: FloatArray


def run_weights(n_runs: int, trials: int, rng: np.random.Generator) -> FloatArray:
    """(runs, trials) how much each run weighs in each trial, 1 in sum: of n runs n − 1 are drawn
    with replacement; of one run, that one."""
    n_drawn = max(n_runs - 1, 1)
    picks = rng.integers(n_runs, size=(trials, n_drawn))
    drawn = (picks[:, :, None] == np.arange(n_runs)).sum(axis=1)
    weights: FloatArray = drawn.T / n_drawn
    return weights


def _share_below_0(resampled: FloatArray) -> FloatArray:
    """(metrics, measures) the share of resamples at 0 or below; between resamples as quantiles."""
    shares = np.linspace(0, 1, resampled.shape[-1])

    def share(values: FloatArray) -> float:
        return float(np.interp(TOLERANCE, np.sort(values), shares))

    below = np.vectorize(share, signature="(n)->()")(resampled)
    return np.where(np.isnan(resampled[..., 0]), np.nan, below)


# Whole runs exchanged -----------------------------------------------------------------------------


def p_of_runs(
    a: Sequence[Tally], b: Sequence[Tally], *, trials: int = TRIALS, seed: int = SEED
) -> FloatArray:
    """(metrics, measures) how often runs shared out between the systems by chance differ as much.

    Whole runs are exchanged, with all their documents: the null hypothesis is that A and B train
    alike, so that any of the runs could have been either's. Documents stay as they are: the test is
    of these documents alone. All ways are tried, up to 12,870 of them (8 and 8 runs); of more,
    `trials` are drawn, and p = (c + 1)/(n + 1). NaN for CoNLL's R and P, and for one run each.
    Edgington & Onghena 2007, Randomization tests.
    """
    scores = Stack.of(*a, *b).observed
    n_a, n = len(a), len(a) + len(b)
    if n == 2:
        return np.full(scores.shape[1:], np.nan)
    is_drawn = comb(n, n_a) > MOST_ASSIGNED
    if is_drawn:
        rng = np.random.default_rng(np.random.SeedSequence(seed).spawn(3)[2])
        ways = rng.permuted(np.tile(np.arange(n), (trials, 1)), axis=1)[:, :n_a]
    else:
        ways = np.array([*combinations(range(n), n_a)])
    is_first = np.zeros((len(ways), n))  # whether a run is A's, in each way
    np.put_along_axis(is_first, ways, 1, axis=1)
    weights = (1 - is_first) / len(b) - is_first / n_a
    differences = np.tensordot(weights, scores, axes=1)
    observed = mean_difference(scores, n_a)
    as_large = (abs(differences) >= abs(observed) - TOLERANCE).sum(axis=0)
    p: FloatArray = (as_large + is_drawn) / (len(ways) + is_drawn)
    return np.where(np.isnan(observed), np.nan, p)


FEW_RUNS = 5


@dataclass(frozen=True)
class PairOverRuns:
    """Two systems, A and B, by their runs over one key; a system's score is the mean over its runs,
    and differences are b − a.

    Three questions are kept apart, as their answers differ:

    - Would other runs on other documents differ as well? Runs and documents are resampled: `low`,
      `high` and `p` of `significance`, which is `crossed`.
    - Would these runs differ on other documents? Documents are exchanged between the systems, all
      runs at once: `p_documents`; see `…significance.randomisation`.
    - Would other runs differ on these documents? Whole runs are exchanged: `p_runs`; see
      `p_of_runs`.

    With one run per system the last cannot be asked, and the first equals the second:
    `p_documents`, `low` and `high` are then as in `Pair`. Which of the two is A
    changes the draws of runs, but not `p_documents` and `p_runs`.

    Everything is computed on first use. Raises ValueError if a system has no run, if the results
    are not over one key, by the same metrics and policies, for fewer than one trial, and for a
    level not between 0 and 1.

    trials, seed  of the exchanges and of the bootstrap
    level         of the intervals
    run           where trials are counted; see `corescore.analysis.significance`
    letters       what findings and warnings call the two

    >>> import corescore
    >>> names = ("cautious", "heads", "greedy", "nearest")
    >>> results = [corescore.score("key.conll", f"{name}.conll") for name in names]
    >>> runs = corescore.compare(results[:2], results[2:], trials=100)  # as if runs of two systems
    >>> runs.n_runs
    (2, 2)
    >>> runs.significance.query("metric == 'lea' and measure == 'f1'")[["a", "b"]].round(4)
            a       b
    17  0.357  0.3718
    """

    a: Sequence[Tally]
    b: Sequence[Tally]
    trials: int = TRIALS
    seed: int = SEED
    level: float = LEVEL
    run: Run = in_turn
    letters: tuple[str, str] = ("A", "B")

    def __post_init__(self) -> None:
        if not (self.a and self.b):
            raise ValueError("a system has no run; expected one or more")
        for other in (*self.a, *self.b):
            check_same_key(self.a[0], other)
        check(self.trials, self.seed, self.level)

    def __repr__(self) -> str:
        return f"PairOverRuns: {self.signature}"

    def _repr_html_(self) -> str:
        """What a notebook shows: F1 of both under each metric, their difference and whether it is
        significant for other runs on other documents."""
        from corescore.rendering.tables import over_runs

        return str(over_runs(self))

    @property
    def n_runs(self) -> tuple[int, int]:
        """The number of runs of A and of B."""
        return len(self.a), len(self.b)

    @property
    def n_documents(self) -> int:
        """The number of documents of each run."""
        return len(self.a[0].documents)

    @cached_property
    def is_identical(self) -> bool:
        """Whether the two have identical runs, each as often among its system's runs as among the
        other's; of tallies this cannot be told, and it is False."""
        shares = (
            [
                sum(is_identical(run, other) for other in runs) / len(runs)
                for runs in (self.a, self.b)
            ]
            for run in self.a
        )
        return all(0 < of_a == of_b for of_a, of_b in shares)

    @cached_property
    def crossed(self) -> Crossed:
        """Resample documents and, apart from them, the runs of each system.

        A resample has as many documents as the corpus, drawn with replacement, the same for
        all runs; and of m runs of a system m − 1, drawn with replacement, those of A and B
        apart (a seed of A has nothing to do with the same seed of B). m − 1, because the
        mean of so many varies as the mean of m runs does; m would vary by (m − 1)/m of
        that, much less where runs are few (Rao & Wu 1988, Resampling inference with complex
        survey data). A single run is kept as it is: how far others would vary is not known,
        and is left out. The statistic is the mean over the drawn runs of B minus that of A,
        each run scored as a corpus (micro). Where runs vary by document the spread is on
        average somewhat too large (Owen 2007, The pigeonhole bootstrap; McCullagh 2000,
        Resampling and exchangeable arrays). Sellam et al. 2022, The MultiBERTs, is the same
        bootstrap of training runs and test items. Quantiles of few runs are too near: of
        1,500 simulated comparisons on 30 documents, a 95% interval held the true difference
        in 69, 86, 91 and 93% with 2, 3, 5 and 10 runs each where hardly anything but runs
        varied, in 95 to 96% where documents did.

        Documents are drawn as by `intervals_of`: with one run per system, the ends are those of
        its percentile intervals.
        """
        stack, n_a = Stack.of(*self.a, *self.b), len(self.a)
        by = ByExchanges(n_documents=self.n_documents, asked=self.trials, seed=self.seed)
        observed = mean_difference(stack.observed, n_a)
        ends, p = np.full((*observed.shape, 2), np.nan), np.full(observed.shape, np.nan)
        if self.n_documents > 1:
            blocks = blocks_of(Resamples, self.n_documents, trials=self.trials, seed=self.seed)
            scores = np.concatenate([*self.run(scores_in, stack, blocks)], axis=-1)
            apart = np.random.SeedSequence(self.seed).spawn(2)  # not the draws of documents
            means = []
            for sequence, side in zip(apart, (scores[:n_a], scores[n_a:]), strict=True):
                weights = run_weights(len(side), self.trials, np.random.default_rng(sequence))
                means.append(np.einsum("rt,rmnt->mnt", weights, side))
            resampled = means[1] - means[0]
            ends = between(resampled, self.level)
            lesser = np.minimum(_share_below_0(resampled), _share_below_0(-resampled))
            p = np.maximum(np.clip(2 * lesser, 2 / (self.trials + 1), 1), by.smallest_p)
        p_holm = holm_of_family(stack.names, p)
        return Crossed(stack.names, observed, ends, p, p_holm)

    @cached_property
    def randomisation(self) -> Randomisation:
        """The p-values over documents, of these runs."""
        return randomisation(self.a, self.b, trials=self.trials, seed=self.seed, run=self.run)

    @property
    def smallest_p_of_runs(self) -> float:
        """What `p_runs` cannot be below: the observed way is one of all, and if both systems have
        as many runs, so is its opposite. NaN for one run each, where nothing can be tested."""
        n_a, n_b = self.n_runs
        return np.nan if n_a == n_b == 1 else (1 + (n_a == n_b)) / comb(n_a + n_b, n_a)

    @cached_property
    def significance(self) -> pd.DataFrame:
        """One row per metric and measure: which is better, and whether that is significant.

        Columns:

        metric, measure      str       "muc" … and "conll"; "recall", "precision" or "f1"
        a, b                 float64   means over runs, fractions
        difference           float64   b − a
        winner               category  A, tie or B
        low, high            float64   the interval of the difference, a fraction
        p                    float64   runs and documents resampled
        p_holm               float64   corrected over the metrics by Holm; NaN for CoNLL and
                                       diagnostics, which are outside that family
        p_documents          float64   these runs, documents exchanged
        p_documents_max      float64   the same, corrected by max T
        p_runs               float64   these documents, whole runs exchanged
        sd_a, sd_b           float64   of the runs, by n − 1; NaN of one run
        lowest_a, highest_a  float64   of the runs, fractions
        lowest_b, highest_b  float64   the same of B
        runs_a, runs_b       int64     how many
        ahead_b              int64     in how many pairs of a run of A and one of B the latter has
                                       the higher score
        pairs                int64     how many pairs there are
        family               str       what p_holm and p_documents_max are corrected over; ""
                                       outside it
        """
        crossed, tested, (n_a, n_b) = self.crossed, self.randomisation, self.n_runs
        a, b = (np.array([score_array(run.scores) for run in runs]) for runs in (self.a, self.b))
        counts = {
            "runs_a": np.full(crossed.p.shape, n_a),
            "runs_b": np.full(crossed.p.shape, n_b),
            "ahead_b": (b[None] - a[:, None] > TOLERANCE).sum(axis=(0, 1)),
            "pairs": np.full(crossed.p.shape, n_a * n_b),
        }
        columns = {
            "a": a.mean(axis=0),
            "b": b.mean(axis=0),
            "difference": crossed.observed,
            "": crossed.ends,
            "p": crossed.p,
            "p_holm": crossed.p_holm,
            "p_documents": tested.p,
            "p_documents_max": tested.p_max,
            "p_runs": p_of_runs(self.a, self.b, trials=self.trials, seed=self.seed),
            **_spread("a", a),
            **_spread("b", b),
            **counts,
        }
        table = measure_table(crossed.metrics, columns)
        return judged(table, "p_holm", tested.n_tests)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Caveats of comparing the systems: of each kind, the first that any two runs show."""
        by_kind: dict[str, Finding] = {}
        for a in self.a:
            for b in self.b:
                for finding in comparability(a, b, letters=self.letters):
                    by_kind.setdefault(finding.kind, finding)
        return tuple(by_kind.values())

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents or few runs, and if a system has one run."""
        few = few_documents(self.n_documents)
        runs = tuple(
            f"Only {counted(n, 'run')} of {letter}: with fewer than {FEW_RUNS}, intervals "
            "are too narrow if runs vary more than documents."
            for letter, n in zip(self.letters, self.n_runs, strict=True)
            if 1 < n < FEW_RUNS
        )
        return (*few, *runs)

    @property
    def signature(self) -> str:
        """Policies, runs, trials and seed in one line."""
        a, b = self.n_runs
        drawn = f"{counted(self.trials, 'trial')} | seed {self.seed}"
        return f"{self.a[0].signature} | mean over {a} and {counted(b, 'run')} | {drawn}"


def _spread(letter: str, scores: FloatArray) -> dict[str, FloatArray]:
    """How far the runs of a system vary, arrays of (metrics, measures)."""
    deviation = np.full(scores[0].shape, np.nan)
    if len(scores) > 1:
        deviation = scores.std(axis=0, ddof=1)
        deviation[deviation < TOLERANCE] = 0
    spread = {"sd": deviation, "lowest": scores.min(axis=0), "highest": scores.max(axis=0)}
    return {f"{name}_{letter}": values for name, values in spread.items()}


def pairs_over_runs(
    systems: Mapping[str, Sequence[Tally]], *, trials: int = TRIALS, seed: int = SEED
) -> dict[tuple[str, str], PairOverRuns]:
    """Each two systems over their runs, by their names, which the warnings have, too."""
    return {
        (a, b): PairOverRuns(systems[a], systems[b], trials=trials, seed=seed, letters=(a, b))
        for a, b in combinations(systems, 2)
    }
