"""Is a difference significant? Counts of documents are resampled; nothing is scored twice.

Up to MOST_ENUMERATED documents, two systems are exchanged in all ways that there are; otherwise
trials are drawn. A block is a chunk of work: a function of (stack of counts, block) says what its
trials give, and any process may run it. Stack, block and function can be pickled; blocks carry the
state of the generator, not what it draws.

Every test takes `run`, a `Run`: where and by how many the blocks are counted. The results are the
same to the bit, for the blocks are: they depend on the seed, the trials and the number of documents
alone. pandas is imported only by what makes a table.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, partial
from itertools import combinations
from math import ceil, floor, log2
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import numpy as np

from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES, Counts, Score, Value, divide
from corescore.counting.sides import without_absent
from corescore.metrics import BESIDE_IDS, CONLL, Metric, id_among
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally, scores_of
from corescore.util import STEP_PLACES, TOLERANCE, AnyArray, FloatArray, IntArray
from corescore.wording import ALPHA, capital, counted, p_below

if TYPE_CHECKING:
    import pandas as pd

TRIALS = 10_000
MOST_TRIALS = 1_000_000  # half a minute and a gigabyte for two systems
SEED = 0
LEVEL = 0.95
FEW_TRIALS = 1_000
FEW_DOCUMENTS = 20
MOST_ENUMERATED = 13  # documents: 8,192 exchanges
_N_ARRAYS = len(fields(Counts))
_MOST_WEIGHTS = 2**20  # 8 MiB a block; a corpus of many documents has more and shorter blocks

Kind = Literal["simultaneous", "single"]

# The columns of `Pair.significance` with the ends of each kind: that of the test, which agrees with
# the corrected p, and that of the bootstrap (BCa), for each metric alone.
INTERVALS: dict[Kind, tuple[str, str]] = {
    "simultaneous": ("tested_low", "tested_high"),
    "single": ("bca_low", "bca_high"),
}


def check(trials: int, seed: int, level: float = LEVEL) -> None:
    """Raise ValueError for fewer than one trial, more than MOST_TRIALS, a negative seed, and a
    level not between 0 and 1."""
    if trials < 1:
        raise ValueError(f"trials is {trials}; expected 1 or more")
    if trials > MOST_TRIALS:
        raise ValueError(f"trials is {trials}; expected {MOST_TRIALS:,} at most")
    if seed < 0:
        raise ValueError(f"seed is {seed}; expected 0 or more")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected more than 0 and less than 1, such as 0.95")


# Results over one key -----------------------------------------------------------------------------


def needed_for(metric: str) -> tuple[str, ...]:
    """The ids of the metrics whose counts a metric needs: three for CoNLL."""
    return CONLL.members if metric == CONLL.id else (metric,)


def measures_of(metric: str) -> tuple[str, ...]:
    """The measures that a metric has: CoNLL has only F1."""
    return ("f1",) if metric == CONLL.id else MEASURES


def id_with(metric: str, measure: str, known: Iterable[str]) -> str:
    """The one of the known ids that a metric is or means, if it has this measure. Raises
    PolicyError if there is none."""
    metric = id_among(metric, known)
    choose("measure", measure, measures_of(metric))
    return metric


def check_same_key(a: Tally, b: Tally) -> None:
    """Raise ValueError unless both results are over one key, by the same metrics and policies."""
    if a.policies != b.policies:
        ours, theirs = asdict(a.policies), asdict(b.policies)
        name = next(name for name in ours if ours[name] != theirs[name])
        difference = f"{name} is {ours[name]!r} in A and {theirs[name]!r} in B"
        raise ValueError(f"results under different policies: {difference}; score both by the same")
    if a.metrics != b.metrics:
        raise ValueError("results scored by different metrics: score both by the same")
    if difference := _unlike(a, b):
        raise ValueError(f"results over different keys: {difference}; expected one key for both")


def _unlike(a: Tally, b: Tally) -> str:
    """How the keys of two results differ, in words; "" if they do not."""
    ours, theirs = a.documents, b.documents
    for letter, names, others in (("A", ours, theirs), ("B", theirs, ours)):
        if only := [name for name in names if name not in others]:
            more = f" and {counted(len(only) - 1, 'more document')}" if len(only) > 1 else ""
            return f"only {letter} has document {only[0]!r}{more}"
    for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one != other:
            return f"document {at + 1} is {one!r} in A and {other!r} in B"
        if a.fingerprints[at] != b.fingerprints[at] or _has_other_words(a, b, at):
            first, second = (
                f"{counted(of.sizes['key_mentions'][at])} in "
                f"{counted(of.sizes['key_entities'][at], 'entity')}"
                for of in (a, b)
            )
            has = f"document {one!r} has {first} in"
            return (
                f"{has} A and {second} in B" if first != second else f"{has} both, but not the same"
            )
    return ""


def _has_other_words(a: Tally, b: Tally, number: int) -> bool:
    """Whether the key's words differ, where they are known, in a document; a longer response lends
    its key words after the last, and one in notation its names."""
    if not (isinstance(a, Result) and isinstance(b, Result)):
        return False
    one, other = a.comparison.key[number], b.comparison.key[number]
    if one is other or one.named_mentions:
        return False
    ours, theirs = without_absent(one).words, without_absent(other).words
    n = min(len(ours), len(theirs))
    return ours[:n] != theirs[:n]


# All counts of one or more results in one array: one product resamples every metric ---------------


@dataclass(frozen=True)
class Stack:
    """The counts of one or more systems over one key.

    metrics  in the order of the results
    n_parts  (metrics,) the number of parts of each metric
    values   (systems, counts, documents) the four arrays of each metric, one after the other. The
             documents are in the order of their names: resamples must not depend on the order in a
             file
    """

    metrics: tuple[Metric, ...]
    n_parts: tuple[int, ...]
    values: FloatArray

    @classmethod
    def of(cls, *results: Tally, metrics: Collection[str] | None = None) -> "Stack":
        """The counts of the metrics with these ids; None means all.

        Raises ValueError unless all results are over one key, by the same metrics and policies.
        """
        first = results[0]
        for result in results[1:]:
            check_same_key(first, result)
        selected = tuple(m for m in first.metrics if metrics is None or m.id in metrics)
        order = sorted(range(len(first.documents)), key=first.documents.__getitem__)
        columns = [
            [getattr(of.counts[m.id], entry.name) for m in selected for entry in fields(Counts)]
            for of in results
        ]
        n_parts = tuple(first.counts[m.id].recall_numerator.shape[1] for m in selected)
        return cls(selected, n_parts, np.array([np.hstack(of)[order].T for of in columns]))

    @property
    def n_documents(self) -> int:
        return int(self.values.shape[-1])

    @cached_property
    def _different(self) -> tuple[FloatArray, IntArray]:
        """Counts that differ, (different, documents), and which of them each is: (systems, counts).
        Many are repeated: the sizes of the key, for one, by several metrics and every system."""
        place: dict[bytes, int] = {}
        every = self.values.reshape(-1, self.n_documents)
        which = np.array([place.setdefault(of.tobytes(), len(place)) for of in every])
        first = np.unique(which, return_index=True)[1]
        return every[first], which.reshape(self.values.shape[:-1])

    @classmethod
    def of_score(
        cls, metric: str, measure: str, *results: Tally
    ) -> tuple["Stack", tuple[int, int]]:
        """The counts that one score needs, and the place of the score among those of the stack."""
        stack = cls.of(*results, metrics=needed_for(metric))
        return stack, (stack.names.index(metric), MEASURES.index(measure))

    def sums(self, weights: FloatArray) -> FloatArray:
        """(systems, counts, trials) the sums over documents, weighed by (documents, trials)."""
        different, which = self._different
        return (different @ weights)[which]

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the metrics, "conll" last if its three are among them."""
        ids = tuple(metric.id for metric in self.metrics)
        return (*ids, CONLL.id) if set(CONLL.members) <= set(ids) else ids

    @property
    def total(self) -> FloatArray:
        """(systems, counts, 1) the sums over all documents."""
        total: FloatArray = self.values.sum(axis=-1, keepdims=True)
        return total

    @property
    def observed(self) -> FloatArray:
        """(systems, metrics, measures) the scores over all documents."""
        return self.scores(self.total)[..., 0]

    def scores(self, sums: FloatArray) -> FloatArray:
        """(systems, metrics, measures, rows) scores from sums over documents, (systems, counts,
        rows).

        The metrics are ordered as `names`, the measures as MEASURES. A resample is scored like
        any corpus: 0/0 is 0. CoNLL's R and P are NaN.
        """
        each = (scores_of(self.metrics, self.counts(of), empty=0) for of in sums)
        return np.array([score_array(of) for of in each])

    def counts(self, sums: FloatArray) -> dict[str, Counts]:
        """A system's counts under each metric, arrays of (rows, parts), from `sums`: (counts,
        rows)."""
        of_metrics = np.split(sums, self._cuts)
        return {
            metric.id: Counts(*(array.T for array in np.split(of, _N_ARRAYS)))
            for metric, of in zip(self.metrics, of_metrics, strict=True)
        }

    @property
    def _cuts(self) -> IntArray:
        """(metrics − 1,) where the counts of each metric but the last end."""
        return np.cumsum(_N_ARRAYS * np.array(self.n_parts))[:-1]

    @property
    def shares(self) -> FloatArray:
        """(metrics, measures, documents) the share of each document in a metric's denominators.

        Of recall and precision in their own, of F1 in both together, each system's alike; of a
        metric of several parts (BLANC) the mean over its parts, of CoNLL the mean over its three
        metrics. They sum to 1, and are equal where nothing is divided. A difference of d points
        between two systems is one of d points on every document if it is spread over them by these
        shares.
        """
        by_metric, n = {}, self.n_documents
        for metric, of in zip(self.metrics, np.split(self.values, self._cuts, 1), strict=True):
            _, recall, _, precision = of.reshape(len(of), _N_ARRAYS, -1, n).swapaxes(0, 1)
            denominators = np.array([recall, precision, recall + precision])
            total = denominators.sum(axis=-1, keepdims=True)
            by_metric[metric.id] = divide(denominators, total, empty=1 / n).mean(axis=(1, 2))
        if CONLL.id in self.names:
            by_metric[CONLL.id] = np.mean([by_metric[name] for name in CONLL.members], axis=0)
        return np.array([*by_metric.values()])


def score_array(scores: Mapping[str, Score[Value]]) -> FloatArray:
    """(metrics, measures, …) the scores under each metric."""
    return np.array([score.ratios for score in scores.values()])


def array_table(
    axes: Mapping[str, Sequence[str]], columns: Mapping[str, AnyArray]
) -> "pd.DataFrame":
    """Arrays over the same axes as columns: one row per combination of their names. An array
    with one axis more, ends of intervals, is two columns: its name with low and high at its end."""
    import pandas as pd

    index = pd.MultiIndex.from_product([*axes.values()], names=[*axes])
    flat: dict[str, AnyArray] = {}
    for name, values in columns.items():
        names = [f"{name}low", f"{name}high"] if values.ndim > len(axes) else [name]
        flat |= dict(zip(names, values.reshape(len(index), -1).T, strict=True))
    return pd.DataFrame(flat, index).reset_index()


def measure_table(metrics: Sequence[str], columns: Mapping[str, AnyArray]) -> "pd.DataFrame":
    """Arrays of (metrics, measures) as columns: one row per measure that a metric has."""
    table = array_table({"metric": metrics, "measure": MEASURES}, columns)
    has = [measure in measures_of(metric) for metric in metrics for measure in MEASURES]
    return table[has].reset_index(drop=True)


# Weights of documents, in blocks of trials --------------------------------------------------------

Found = TypeVar("Found")


@dataclass
class Exchanges:
    """Consecutive trials, each of which exchanges two systems on some documents.

    rng    the generator as it is before them: on each document they are exchanged with probability
           ½. None: a trial for each set of documents
    after  the generator after them, once they are drawn
    """

    n_documents: int
    n_trials: int
    rng: np.random.Generator | None = None
    after: np.random.Generator | None = field(default=None, init=False)

    def draw(self, rng: np.random.Generator) -> AnyArray:
        """(trials, documents) what the generator draws: 1 where the systems are exchanged."""
        return rng.integers(2, size=(self.n_trials, self.n_documents), dtype=np.int8)

    @property
    def drawn(self) -> AnyArray:
        """(trials, documents) what is drawn in this block, the same each time."""
        if self.rng is None:
            return np.arange(self.n_trials)[:, None] >> np.arange(self.n_documents) & 1
        self.after = deepcopy(self.rng)
        return self.draw(self.after)

    @property
    def weights(self) -> FloatArray:
        """(documents, trials) how much each document weighs in each trial."""
        return self.drawn.T.astype(np.float64)


class Resamples(Exchanges):
    """Consecutive trials, each a resample: as many documents as the corpus has, drawn with
    replacement. A document weighs as often as it occurs."""

    def draw(self, rng: np.random.Generator) -> AnyArray:
        """(trials, documents) the documents that the generator draws."""
        return rng.integers(self.n_documents, size=(self.n_trials, self.n_documents))

    @property
    def weights(self) -> FloatArray:
        picks = self.drawn
        picks += self.n_documents * np.arange(self.n_trials)[:, None]
        times = np.bincount(picks.ravel(), minlength=picks.size)
        return times.reshape(picks.shape).T.astype(np.float64)


class Run(Protocol):
    """Something that counts blocks: in this process, in several, on a cluster."""

    def __call__(
        self, count: Callable[[Stack, Exchanges], Found], stack: Stack, blocks: Iterable[Exchanges]
    ) -> Iterable[Found]:
        """`count(stack, block)` of each block, in the order of the blocks."""


def in_turn(
    count: Callable[[Stack, Exchanges], Found], stack: Stack, blocks: Iterable[Exchanges]
) -> Iterator[Found]:
    """The `Run` that counts one block after the other in this process."""
    return (count(stack, block) for block in blocks)


def blocks_of(
    kind: type[Exchanges], n_documents: int, *, trials: int, seed: int
) -> Iterator[Exchanges]:
    """Blocks of `Exchanges` or `Resamples` that together have these trials, in order.

    Of up to MOST_ENUMERATED documents all exchanges are one block. Otherwise all draws are those of
    one generator, one block after the other. The sizes of blocks depend only on the number of
    documents, so that a seed gives the same resamples for two systems and for thirty. Raises
    ValueError as `check`.
    """
    check(trials, seed)
    if kind is Exchanges and n_documents <= MOST_ENUMERATED:
        yield Exchanges(n_documents, 2**n_documents)
        return
    rng = np.random.default_rng(seed)
    size = max(1, _MOST_WEIGHTS // max(n_documents, 1))
    for first in range(0, trials, size):
        block = kind(n_documents, min(size, trials - first), rng)
        yield block
        if block.after is None and first + size < trials:  # another process counts it
            block.after = deepcopy(rng)
            block.draw(block.after)
        rng = block.after or rng


@dataclass(frozen=True, kw_only=True)
class ByExchanges:
    """How a test by exchanges on documents is made.

    asked, seed  how many trials; of few documents all exchanges are made, and nothing is drawn
    """

    n_documents: int
    asked: int
    seed: int

    @property
    def is_exact(self) -> bool:
        """Whether all exchanges are tried, so that nothing is drawn."""
        return self.n_documents <= MOST_ENUMERATED

    @property
    def trials(self) -> int:
        """How many exchanges are tried: all 2ⁿ of few documents, otherwise as many as asked."""
        return 2**self.n_documents if self.is_exact else self.asked

    @property
    def smallest_p(self) -> float:
        """What p cannot be below: 2/2ⁿ where all exchanges of n documents are tried, as the
        observed difference and its opposite are among them; otherwise 1/(n + 1) of n drawn ones.
        NaN for a single document."""
        return float(self.p_of(np.array(2.0 * self.is_exact)))

    def p_of(self, n_as_large: FloatArray) -> FloatArray:
        """c/2ⁿ where all exchanges were tried, of which the observed one is one; (c + 1)/(n + 1) of
        n drawn ones. NaN for a single document: with it the difference only changes its sign.

        n_as_large  c, how many made a difference at least as large as the observed one
        """
        if self.n_documents < 2:
            return np.full(np.shape(n_as_large), np.nan)
        drawn = int(not self.is_exact)
        return (n_as_large + drawn) / (self.trials + drawn)

    def warnings_of(self, n_tests: int) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no difference of so many can be significant.

        n_tests  the tests that Holm's correction is over
        """
        few, n = few_documents(self.n_documents), counted(self.n_documents, "document")
        if self.n_documents < 2:
            return (*few, f"{capital(n)}: a difference cannot be tested.")
        least = self.smallest_p
        if least * n_tests < ALPHA:
            return few
        by, needed = counted(self.asked, "trial"), f"take {ceil(n_tests / ALPHA):,} trials or more"
        if self.is_exact:
            by, needed = n, f"that takes {floor(log2(n_tests / ALPHA)) + 2} documents"
        known = f"With {by}, {p_below(least)}"
        if least >= ALPHA:
            return (*few, f"{known}: no difference can be significant.")
        after = f"after Holm’s correction for {n_tests:,} tests no difference can be significant"
        return (*few, f"{known}: {after}; {needed}.")


# What makes a result doubtful ---------------------------------------------------------------------


def few_trials(trials: int) -> tuple[str, ...]:
    """A warning if there are too few trials for p-values and intervals that others can repeat."""
    if trials >= FEW_TRIALS:
        return ()
    n = counted(trials, "trial")
    return (f"Only {n}: with fewer than {FEW_TRIALS:,}, another seed may give another p.",)


def few_documents(n_documents: int) -> tuple[str, ...]:
    """A warning if there are too few documents for reliable intervals."""
    if n_documents >= FEW_DOCUMENTS:
        return ()
    rough = f"with fewer than {FEW_DOCUMENTS}, intervals are rough"
    what = "there are no intervals" if n_documents < 2 else rough
    return (f"Only {counted(n_documents, 'document')}: {what}.",)


# Corrected p-values -------------------------------------------------------------------------------


def holm(p: FloatArray) -> FloatArray:
    """(tests, …) p-values corrected along the first axis. Holm 1979.

    The k-th smallest of m is multiplied by m − k + 1, and is at most 1 and at least the one before
    it. NaN stays NaN and is not counted as a test.
    """
    order = np.argsort(p, axis=0)
    place = np.arange(len(p)).reshape(-1, *[1] * (p.ndim - 1))
    factored = np.take_along_axis(p, order, axis=0) * ((~np.isnan(p)).sum(axis=0) - place)
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.maximum.accumulate(factored, axis=0), axis=0)
    return np.minimum(corrected, 1)


def family_of(metrics: Iterable[str]) -> list[int]:
    """The positions of those metrics that are tested together: not of diagnostics and CoNLL."""
    return [at for at, name in enumerate(metrics) if name not in (CONLL.id, *BESIDE_IDS)]


def holm_of_family(metrics: Sequence[str], p: FloatArray) -> FloatArray:
    """(metrics, measures) the p-values of the family corrected; NaN of the others."""
    corrected, family = np.full(p.shape, np.nan), family_of(metrics)
    corrected[family] = holm(p[family])
    return corrected


# Approximate randomisation (Noreen 1989): how often chance alone makes a difference as large ------


@dataclass(frozen=True)
class Randomisation(ByExchanges):
    """What exchanges of two systems on documents make of their differences b − a.

    metrics      the ids of the metrics, "conll" last
    difference   (metrics, measures) b − a of the whole corpus, fractions; the measures as in
                 MEASURES. NaN for CoNLL's R and P
    exchanged    (metrics, measures, exchanges) the same after each exchange
    moments      (3, metrics, measures) means over the exchanges of D², D·w and w², where D is the
                 difference after an exchange and w what the exchange makes of a difference of 1
                 that is spread over the documents by `Stack.shares`. The observed order of the
                 systems is one of the exchanges.
    """

    metrics: tuple[str, ...]
    difference: FloatArray
    exchanged: FloatArray = field(repr=False)
    moments: FloatArray = field(repr=False)

    def exchanged_of(self, metric: str, measure: str = "f1") -> FloatArray:
        """(exchanges,) the differences of one metric; PolicyError for an unknown metric or
        measure."""
        differences: FloatArray = self.exchanged[self.place(metric, measure)]
        return differences

    def place(self, metric: str, measure: str) -> tuple[int, int]:
        """Where a metric and a measure stand in the arrays; PolicyError for an unknown one."""
        metric = id_with(metric, measure, self.metrics)
        return self.metrics.index(metric), MEASURES.index(measure)

    @property
    def n_tests(self) -> int:
        """How many metrics are tested together, those that p is corrected over: all but
        diagnostics and CoNLL."""
        return len(family_of(self.metrics))

    @cached_property
    def n_as_large(self) -> FloatArray:
        """(metrics, measures) the number of exchanges with a difference at least as large."""
        as_large = abs(self.exchanged) >= abs(self.difference)[..., None] - TOLERANCE
        counts: FloatArray = as_large.sum(axis=-1).astype(np.float64)
        return counts

    @cached_property
    def p(self) -> FloatArray:
        """(metrics, measures) how many of the exchanges made a difference at least as large in
        either direction: (c + 1)/(n + 1) of n drawn ones, c/2ⁿ where all exchanges of up to 13
        documents are tried. NaN for CoNLL's R and P, and for a single document."""
        p = self.p_of(self.n_as_large)
        return np.where(np.isnan(self.difference), np.nan, p)

    @cached_property
    def p_holm(self) -> FloatArray:
        """(metrics, measures) Holm's correction of p over the metrics, for each measure; NaN for
        diagnostics and CoNLL, which are not part of that family."""
        return holm_of_family(self.metrics, self.p)

    @cached_property
    def p_max(self) -> FloatArray:
        """(metrics, measures) p corrected over the metrics by the largest of them, for each
        measure.

        T of a metric is |b − a| divided by its standard deviation over all exchanges; the corrected
        p is the share of exchanges in which the largest T of all metrics is at least the metric's
        own observed one. The metrics are exchanged together, so that the correction is as small as
        their correlation allows. They are studentised because their differences vary by unlike
        amounts: otherwise the metric that varies most would decide for all. It is never below p.
        Single-step, so that it can exceed Holm’s; NaN for diagnostics, CoNLL and a single document.
        The null hypothesis is that of `randomisation`, for all metrics at once. Westfall & Young
        1993, Resampling-based multiple testing, §2.
        """
        t = divide(abs(self.difference), self.spread, empty=0)
        least = t - divide(np.full(t.shape, TOLERANCE), self.spread, empty=TOLERANCE)
        n_reached, family = np.full(t.shape, np.nan), family_of(self.metrics)
        n_reached[family] = (self.largest >= least[family][..., None]).sum(axis=-1)
        return self.p_of(n_reached)

    @property
    def table(self) -> "pd.DataFrame":
        """One row per metric and measure.

        Columns:

        metric, measure  str      "muc" … and "conll"; "recall", "precision" or "f1"
        difference       float64  b − a, fractions
        p                float64  of this test alone, from 0 to 1
        p_holm, p_max    float64  corrected over the metrics, by Holm and by max T
        """
        names = "difference", "p", "p_holm", "p_max"
        return measure_table(self.metrics, {name: getattr(self, name) for name in names})

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings if there are few documents, and if no difference can be significant."""
        *others, last = self.warnings_of(self.n_tests) or ("",)
        if "Holm" in last:
            last = f"{last[:-1]}. Corrected by max T one can be."
        return (*others, last) if last else ()

    @cached_property
    def spread(self) -> FloatArray:
        """(metrics, measures) √mean D²: how far exchanges move the difference from 0. Exchanges
        come in opposites, so that the mean is 0 and this is the standard deviation."""
        spread = np.sqrt(np.maximum(self.moments[0], 0))
        return np.where(spread > TOLERANCE, spread, 0)

    @cached_property
    def studentised(self) -> FloatArray:
        """(metrics, measures, exchanges) |D| by the spread; 0 where no exchange moves anything."""
        return divide(abs(self.exchanged), self.spread[..., None], empty=0)

    @cached_property
    def largest(self) -> FloatArray:
        """(measures, exchanges) the largest of the family in each exchange, ascending: max T."""
        largest = self.studentised[family_of(self.metrics)].max(axis=0, initial=0)
        return np.sort(largest, axis=-1)

    def critical(self, alpha: float) -> FloatArray:
        """(metrics, measures) what |b − a| by its spread must exceed for an adjusted p below
        `alpha`: one number for the family (from max T), another for each other metric.

        Infinite where no p can be below `alpha`.
        """
        thresholds = self.critical_alone(alpha)
        if np.isfinite(thresholds).all():
            thresholds[family_of(self.metrics)] = self.largest[:, self.trials - self._rank(alpha)]
        return thresholds

    def critical_alone(self, alpha: float) -> FloatArray:
        """(metrics, measures) the same for each metric tested alone, for its own p."""
        rank = self._rank(alpha)
        if self.n_documents < 2 or self.smallest_p >= alpha or rank < 1:
            return np.full(self.difference.shape, np.inf)
        place = self.trials - rank
        return np.partition(self.studentised, place, axis=-1)[..., place]

    def _rank(self, alpha: float) -> int:
        """How many exchanges are as large as the observed order where p is `alpha` or just above
        it."""
        drawn = int(not self.is_exact)
        return ceil(round(alpha * (self.trials + drawn), STEP_PLACES)) - drawn

    # Intervals: the test turned round. A difference δ other than 0 is tested by
    # taking δ off b − a, spread over the documents by `Stack.shares`, and exchanging what is left.
    # T(δ) = |b − a − δ| divided by the standard deviation of the exchanges of what is left; it is
    # compared with the exchanges' own T at δ = 0, since the distribution of T hardly depends on δ.
    # At δ = 0 this is the test itself, to the last exchange.

    def intervals(self, level: float, *, alone: bool = False) -> FloatArray:
        """(metrics, measures, 2) the lowest and highest difference b − a, from −1 to 1, that the
        test does not reject; NaN where nothing can be rejected: with too few documents or trials.

        Those of the family are simultaneous: all of them hold their difference with confidence
        `level`. Diagnostics and CoNLL have intervals of their own. An interval leaves 0 out if and
        only if the p-value of the same metric and measure is below 1 − level: `p_max` in the
        family, `p` of the others. `alone`: each metric for itself, so that its interval agrees
        with `p`.

        (b − a − δ)² ≤ c²·(spread after δ is taken off)² is solved for δ, with the c that |b − a|
        must exceed, in spreads, for an adjusted p below 1 − level. Where the solution has no end on
        one side it is cut at −1 or 1. The confidence is that of the assumption above: nearly
        `level`, checked by simulation. Lehmann & Romano 2005, Testing statistical hypotheses, §3.5
        and §15.2 (confidence sets by tests; exchanges).
        """
        return self._ends(self.critical_alone(1 - level) if alone else self.critical(1 - level))

    def _ends(self, critical: FloatArray) -> FloatArray:
        """(metrics, measures, 2) between which |b − a − δ| ≤ critical · √mean (D − δ·w)².

        The roots of a quadratic equation for δ, where the other root of a straight line is
        infinite. Where it is not above 0 the solution lies beyond them.
        """
        observed, is_tested = self.difference, np.isfinite(critical) & ~np.isnan(self.difference)
        c = np.where(is_tested, critical, 0)
        _, mixed, shares = self.moments
        quadratic, linear = 1 - c**2 * shares, 2 * (c**2 * mixed - observed)
        constant = observed**2 - (c * self.spread) ** 2
        root = np.sqrt(np.maximum(linear**2 - 4 * quadratic * constant, 0))
        half = -(linear + np.copysign(root, linear)) / 2
        one = divide(constant, half, empty=0)
        infinite = np.copysign(np.inf, -one)
        other = np.where(quadratic == 0, infinite, divide(half, quadratic, empty=np.inf))
        first, second = np.sort([one, other], axis=0)
        is_bounded, is_above = quadratic > 0, observed > 0
        holds_zero = abs(observed) <= c * self.spread + TOLERANCE
        low = np.where(is_bounded, first, np.where(is_above & ~holds_zero, second, -1))
        high = np.where(is_bounded, second, np.where(is_above | holds_zero, 1, first))
        low, high = (
            np.where(holds_zero, nearer(end, 0), end)
            for nearer, end in ((np.minimum, low), (np.maximum, high))
        )
        ends = np.clip(np.stack([low, high], axis=-1), -1, 1)
        return np.where(is_tested[..., None], ends, np.nan)


def randomisation(
    a: Tally | Sequence[Tally],
    b: Tally | Sequence[Tally],
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Randomisation:
    """Exchange the two systems' counts of each document with probability ½, `trials` times; in all
    2ⁿ ways where there are up to 13 documents.

    The null hypothesis is that it does not matter which system made which response to a document.
    Neither the order of the documents nor which system is A changes p. p is 1 for two equal
    systems. A difference that equals the observed one up to rounding counts as at least as large.
    Noreen 1989, Computer-intensive methods for testing hypotheses.

    The scores of a system with several runs are means over these. On a document that is exchanged,
    each run of A has the counts of a run of B, and the other way round. As no run of A belongs to
    any of B, that is done with each run of A and each of B, and the differences are averaged. The
    runs themselves stay: the tests are over documents, and of these runs alone.

    Raises ValueError if there are no trials, or the results are not over one key under the same
    policies.
    """
    a, b = ([of] if isinstance(of, Tally) else of for of in (a, b))
    stack = Stack.of(*a, *b)
    observed = mean_difference(stack.observed, len(a))
    blocks = blocks_of(Exchanges, stack.n_documents, trials=trials, seed=seed)
    drawn = np.concatenate([*run(partial(_exchanged, n_first=len(a)), stack, blocks)], axis=-1)
    every = drawn
    by = ByExchanges(n_documents=stack.n_documents, asked=trials, seed=seed)
    if not by.is_exact:  # the observed order was not drawn
        as_it_is = np.stack([observed, np.ones_like(observed)])
        every = np.concatenate([drawn, as_it_is[..., None]], axis=-1)
    differences, moved = every
    products = differences**2, differences * moved, moved**2
    moments = np.array([product.mean(axis=-1) for product in products])
    return Randomisation(stack.names, observed, drawn[0], moments, **vars(by))


def _exchanged(stack: Stack, block: Exchanges, *, n_first: int) -> FloatArray:
    """(2, metrics, measures, trials) of the exchanges of one block: the differences, of several
    pairs of systems their mean, and what becomes of a difference of 1 (`Randomisation.moments`)."""
    weights, n_systems = block.weights, len(stack.values)
    pairs = [(i, j) for i in range(n_first) for j in range(n_first, n_systems)]
    every = differences_after(stack, stack.sums(weights), pairs)
    differences = np.mean([*every], axis=0)
    shares = stack.shares
    return np.stack([differences, shares.sum(axis=-1, keepdims=True) - 2 * shares @ weights])


def differences_after(
    stack: Stack, leaves: FloatArray, pairs: Iterable[tuple[int, int]]
) -> Iterator[FloatArray]:
    """For each of these pairs of systems, by position: (metrics, measures, trials) the later minus
    the earlier after the exchanges of each trial.

    leaves  (systems, counts, trials) the sums over the documents that a trial exchanges
    """
    stays = stack.total - leaves
    for i, j in pairs:
        earlier, later = stack.scores(np.stack([stays[i] + leaves[j], stays[j] + leaves[i]]))
        yield later - earlier


def mean_difference(scores: FloatArray, n_first: int) -> FloatArray:
    """The mean over the later systems minus that over the first `n_first`, along the first axis."""
    difference: FloatArray = scores[n_first:].mean(axis=0) - scores[:n_first].mean(axis=0)
    return difference


def p_of_pairs(stack: Stack, *, trials: int, seed: int, run: Run) -> FloatArray:
    """(pairs, metrics, measures) p of each two systems, as `combinations` of their positions. All
    pairs see the same exchanges."""
    blocks = blocks_of(Exchanges, stack.n_documents, trials=trials, seed=seed)
    by = ByExchanges(n_documents=stack.n_documents, asked=trials, seed=seed)
    return by.p_of(np.sum([*run(_as_large, stack, blocks)], axis=0))


def _as_large(stack: Stack, block: Exchanges) -> FloatArray:
    """(pairs, metrics, measures) the number of trials of one block whose absolute difference is at
    least the observed one."""
    observed = stack.observed[..., None]
    pairs = [*combinations(range(len(observed)), 2)]
    counts = np.empty((len(pairs), *observed.shape[1:3]))
    every = differences_after(stack, stack.sums(block.weights), pairs)
    for at, ((i, j), differences) in enumerate(zip(pairs, every, strict=True)):
        least = abs(observed[j] - observed[i]) - TOLERANCE
        counts[at] = (abs(differences) >= least).sum(axis=-1)
    return counts


# Intervals over documents, of one system or of a difference: bootstrap and jackknife --------------


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of scores, or of differences of scores.

    metrics     the ids of the metrics, "conll" last
    observed    (metrics, measures) of the whole corpus, fractions; the measures as in MEASURES
    percentile  (metrics, measures, 2) the quantiles of the resamples
    bca         (metrics, measures, 2) the same, corrected for bias and acceleration
    jackknife   (metrics, measures, 2) observed ± t · standard error by leaving each document out, t
                of n − 1 degrees of freedom. With few documents this covers the truth far more often
                than the bootstrap, whose resamples vary too little

    NaN for CoNLL's R and P, and for the intervals of a corpus of one document. The intervals have
    no width where all documents score the same.
    """

    metrics: tuple[str, ...]
    observed: FloatArray
    percentile: FloatArray
    bca: FloatArray
    jackknife: FloatArray
    level: float
    trials: int
    seed: int
    n_documents: int

    @property
    def table(self) -> "pd.DataFrame":
        """One row per metric and measure.

        Columns:

        metric, measure    str      "muc" … and "conll"; "recall", "precision" or "f1"
        value              float64  the score or difference, a fraction
        low, high          float64  its interval by percentiles of the bootstrap
        bca_low, bca_high  float64  the same, bias-corrected and accelerated
        t_low, t_high      float64  its interval by the jackknife
        """
        ends = {"": self.percentile, "bca_": self.bca, "t_": self.jackknife}
        return measure_table(self.metrics, {"value": self.observed} | ends)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if there are few documents."""
        return few_documents(self.n_documents)


def intervals_of(
    *results: Tally,
    level: float = LEVEL,
    trials: int = TRIALS,
    seed: int = SEED,
    run: Run = in_turn,
) -> Intervals:
    """The intervals of recall, precision and F1 under every metric: of one system, or of the
    differences b − a of two, for which a resample has the same documents (paired).

    Documents are resampled with replacement; their counts are summed and divided once, as in the
    score itself (micro). Efron & Tibshirani 1993, An introduction to the bootstrap, §13 and §14.
    Raises ValueError if there are no trials, for a level not between 0 and 1, and for two results
    that are not over one key under the same policies.
    """
    check(trials, seed, level)
    stack = Stack.of(*results)
    n = stack.n_documents
    observed = _statistic(stack.observed)
    percentile = bca = jackknife = np.full((*observed.shape, 2), np.nan)
    if n > 1:
        blocks = blocks_of(Resamples, n, trials=trials, seed=seed)
        resampled = _statistic(np.concatenate([*run(scores_in, stack, blocks)], axis=-1))
        left_out = _statistic(stack.scores(stack.total - stack.values))
        percentile = between(resampled, level)
        bca = quantiles(resampled, _corrected(tails_of(level), observed, resampled, left_out))
        jackknife = _jackknife(observed, left_out, level, lowest=1 - len(results))
    ends = percentile, bca, jackknife
    return Intervals(stack.names, observed, *ends, level, trials, seed, n)


def scores_in(stack: Stack, block: Exchanges) -> FloatArray:
    """(systems, metrics, measures, trials) the scores in the resamples of one block."""
    return stack.scores(stack.sums(block.weights))


def _statistic(scores: FloatArray) -> FloatArray:
    """Of the scores of one system these, of two the differences b − a."""
    statistic: FloatArray = scores[-1] - scores[0] if len(scores) > 1 else scores[0]
    return statistic


def _jackknife(
    observed: FloatArray, left_out: FloatArray, level: float, *, lowest: float
) -> FloatArray:
    """(metrics, measures, 2) observed ± t · √((n − 1)/n · Σ(s − s̄)²), s being the n scores that
    leave one document out, within the range of a score or difference. Efron & Tibshirani 1993, An
    introduction to the bootstrap, §11.
    """
    from scipy.special import stdtrit  # scipy is slow to import: only for intervals

    n = left_out.shape[-1]
    reach = stdtrit(n - 1, (1 + level) / 2) * np.sqrt((n - 1) * left_out.var(axis=-1))
    ends = np.stack([observed - reach, observed + reach], axis=-1)
    interval: FloatArray = np.clip(ends, lowest, 1)
    return interval


def _corrected(
    tails: FloatArray, observed: FloatArray, resampled: FloatArray, left_out: FloatArray
) -> FloatArray:
    """(metrics, measures, 2) the quantiles of the resamples that BCa takes instead of `tails`.

    Φ(z + (z + z_α)/(1 − a(z + z_α))), where Φ(z) is the share of resamples below the observed
    value (a tie counts half; the share is kept half a trial away from 0 and 1, so that z is
    finite) and a = Σd³ / 6(Σd²)^1.5. Each d belongs to a document: the mean of all scores that
    leave one document out minus the score without this one. Efron 1987, Better bootstrap
    confidence intervals.
    """
    from scipy.special import ndtr, ndtri  # scipy is slow to import: only for intervals

    gap = resampled - observed[..., None]
    below = ((gap < -TOLERANCE).mean(axis=-1) + (gap <= TOLERANCE).mean(axis=-1)) / 2
    half_a_trial = 0.5 / resampled.shape[-1]
    bias = ndtri(np.clip(below, half_a_trial, 1 - half_a_trial))[..., None]
    d = left_out.mean(axis=-1, keepdims=True) - left_out
    spread = 6 * (d**2).sum(axis=-1, keepdims=True) ** 1.5
    z = bias + ndtri(tails)
    slope = 1 - divide((d**3).sum(axis=-1, keepdims=True), spread, empty=0) * z
    # Past the pole the formula has no value; its limit on this side is the lowest or highest end
    moved = np.where(slope > 0, divide(z, slope, empty=0), np.copysign(np.inf, z))
    corrected: FloatArray = ndtr(bias + moved)
    return corrected


def tails_of(level: float) -> FloatArray:
    """Below and above which shares an interval of this level ends."""
    return np.array([(1 - level) / 2, (1 + level) / 2])


def between(resampled: FloatArray, level: float) -> FloatArray:
    """(metrics, measures, 2) between which this share of the resamples lies."""
    return quantiles(resampled, np.broadcast_to(tails_of(level), (*resampled.shape[:-1], 2)))


def quantiles(resampled: FloatArray, levels: FloatArray) -> FloatArray:
    """(metrics, measures, 2) the quantiles of the resamples; NaN where there is no score."""
    values: FloatArray = np.vectorize(np.quantile, signature="(n),(q)->(q)")(resampled, levels)
    return values
