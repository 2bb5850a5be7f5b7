"""All counts of results in one matrix, its documents resampled, and the intervals of that.

Up to MOST_ENUMERATED documents, two systems are exchanged in all ways that there are; otherwise
trials are drawn. A block is a chunk of work: a function of (stack of counts, block) says what its
trials give, and any process may run it. Stack, block and function can be pickled; drawn blocks
carry the state of the generator, not what it draws.

Every test takes `run`, a `Run`: where and by how many the blocks are counted. The results are the
same to the bit, for the blocks are: they depend on the seed, the trials and the number of documents
alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from math import ceil, floor, log2
from typing import Protocol, TypeVar

import numpy as np
import pandas as pd

from corescore.analysis.significance import LEVEL, SEED, TRIALS, check
from corescore.corpus.documents import Document
from corescore.counting.counts import MEASURES, Counts, Score, Value, divide
from corescore.counting.sides import without_absent
from corescore.metrics import CONLL, Metric
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally, scores_of
from corescore.util import TOLERANCE, AnyArray, FloatArray, IntArray
from corescore.wording import ALPHA, capital, counted, p_below

FEW_DOCUMENTS = 20
MOST_ENUMERATED = 13  # documents: 8,192 exchanges
_MOST_WEIGHTS = 2**20  # 8 MiB a block; a corpus of many documents has more and shorter blocks

# All counts of one or more results in one matrix: one product resamples every metric --------------


@dataclass(frozen=True)
class Stack:
    """The counts of one or more systems over one key.

    metrics  in the order of the results
    n_parts  (metrics,) the number of parts of each metric
    values   (documents, columns) all counts; equal columns are stored once. The documents are in
             the order of their names: resamples must not depend on the order in a file
    columns  (systems, counts) the column of each count of a system: the four arrays of each
             metric, one after the other
    """

    metrics: tuple[Metric, ...]
    n_parts: tuple[int, ...]
    values: FloatArray
    columns: IntArray

    @classmethod
    def of(cls, *results: Tally, metrics: Collection[str] | None = None) -> "Stack":
        """The counts of the metrics with these ids; None means all.

        Raises ValueError unless all results are over one key, by the same metrics and policies.
        """
        for result in results[1:]:
            check_same_key(results[0], result)
        selected = tuple(m for m in results[0].metrics if metrics is None or m.id in metrics)
        names = results[0].documents
        order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
        counts = [[result.counts[m.id].rows(order) for m in selected] for result in results]
        every = [column for of_system in counts for column in _columns(of_system)]
        place: dict[bytes, int] = {}
        columns = np.array([place.setdefault(c.tobytes(), len(place)) for c in every])
        _, first = np.unique(columns, return_index=True)
        values = np.array([every[at] for at in first]).T
        n_parts = tuple(of_metric.recall_numerator.shape[1] for of_metric in counts[0])
        return cls(selected, n_parts, values, columns.reshape(len(results), -1))

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the metrics, "conll" last if its three are among them."""
        ids = tuple(metric.id for metric in self.metrics)
        return (*ids, "conll") if set(CONLL.members) <= set(ids) else ids

    @property
    def total(self) -> FloatArray:
        """(columns, 1) the sums over all documents."""
        total: FloatArray = self.values.sum(axis=0)[:, None]
        return total

    @property
    def observed(self) -> FloatArray:
        """(systems, metrics, measures) the scores over all documents."""
        return self.scores_of_each(self.total)[..., 0]

    def scores_of_each(self, sums: FloatArray) -> FloatArray:
        """(systems, metrics, measures, rows) scores from sums over documents, (columns, rows)."""
        return np.array([self.scores(sums[columns]) for columns in self.columns])

    def scores(self, sums: FloatArray) -> FloatArray:
        """(metrics, measures, rows) scores from sums of a system's counts, (counts, rows).

        The metrics are ordered as `names`, the measures as MEASURES. A resample is scored like
        any corpus: 0/0 is 0. CoNLL's R and P are NaN.
        """
        return score_array(scores_of(self.metrics, self.counts(sums), empty=0))

    def counts(self, sums: FloatArray) -> dict[str, Counts]:
        """A system's counts under each metric, arrays of (rows, parts), from `sums`: (counts,
        rows)."""
        counts, at = {}, 0
        for metric, n in zip(self.metrics, self.n_parts, strict=True):
            arrays = [sums[at + n * i : at + n * (i + 1)].T for i in range(len(fields(Counts)))]
            counts[metric.id] = Counts(*arrays)
            at += n * len(arrays)
        return counts


def score_array(scores: Mapping[str, Score[Value]]) -> FloatArray:
    """(metrics, measures, …) the scores under each metric."""
    return np.array([[getattr(score, name) for name in MEASURES] for score in scores.values()])


def _columns(counts: Iterable[Counts]) -> Iterator[FloatArray]:
    """Each column of each array of the counts."""
    for of_metric in counts:
        for entry in fields(Counts):
            yield from getattr(of_metric, entry.name).T


def measure_table(metrics: Sequence[str], columns: Mapping[str, FloatArray]) -> pd.DataFrame:
    """Arrays as columns: a row for each measure of each metric. One of shape (metrics, measures)
    is a column; one of (metrics, measures, 2), ends of intervals, two: their name with low and
    high at its end."""
    index = pd.MultiIndex.from_product([metrics, MEASURES], names=["metric", "measure"])
    flat: dict[str, FloatArray] = {}
    for name, values in columns.items():
        names = [f"{name}low", f"{name}high"] if values.ndim > 2 else [name]
        flat |= dict(zip(names, values.reshape(len(index), -1).T, strict=True))
    kept = [measure in measures_of(metric) for metric, measure in index]
    return pd.DataFrame(flat, index)[kept].reset_index()


def needed_for(metric: str) -> tuple[str, ...]:
    """The ids of the metrics whose counts a metric needs: three for the CoNLL average."""
    return CONLL.members if metric == "conll" else (metric,)


def measures_of(metric: str) -> tuple[str, ...]:
    """The measures that a metric has: the CoNLL average has only F1."""
    return ("f1",) if metric == "conll" else MEASURES


def check_same_key(a: Tally, b: Tally) -> None:
    """Raise ValueError unless both results are over one key, by the same metrics and policies."""
    if a.policies != b.policies:
        raise ValueError(f"results made under other policies: {a.signature}; {b.signature}")
    if a.metrics != b.metrics:
        raise ValueError("results scored by other metrics; score both by the same")
    ours, theirs = a.documents, b.documents
    if len(ours) != len(theirs):
        raise ValueError(f"results over other keys: {len(ours)} documents and {len(theirs)}")
    other_at = next(_other_documents(a, b), None)
    if other_at is not None:
        names = f"'{ours[other_at]}' of one, '{theirs[other_at]}' of the other"
        raise ValueError(f"results over other keys: they differ in {names}")


def _other_documents(a: Tally, b: Tally) -> Iterator[int]:
    """The positions of documents of the key that differ, by what is kept of them."""
    if isinstance(a, Result) and isinstance(b, Result):
        both = [*zip(a.comparison.key, b.comparison.key, strict=True)]
        if a.policies.words == "ignore":  # a longer response lends its key words after the last
            both = [*map(_over_common_words, both)]
        yield from (i for i, (k, r) in enumerate(both) if k is not r and not _same(k, r))
    else:
        ours, theirs = (list(zip(one.documents, one.fingerprints, strict=True)) for one in (a, b))
        yield from (at for at, one in enumerate(ours) if one != theirs[at])


def _over_common_words(both: tuple[Document, Document]) -> tuple[Document, Document]:
    """The same documents without the words that only one has after those of the other."""
    one, other = both
    n = min(len(one.words), len(other.words))
    if len(one.words) == len(other.words):
        return both
    return _shortened(one, n), _shortened(other, n)


def _shortened(document: Document, n: int) -> Document:
    words, tags, lemmas = (of[:n] for of in (document.words, document.tags, document.lemmas))
    return replace(document, words=words, tags=tags, lemmas=lemmas)


def _same(one: Document, other: Document) -> bool:
    """Equal; of brace notation only the names in the key count, as each response adds its own, and
    of empty nodes those that the key has."""
    if not (one.named_mentions and other.named_mentions):
        return without_absent(one) == without_absent(other)
    return one.name == other.name and _named(one) == _named(other)


def _named(document: Document) -> list[tuple[str, int]]:
    starts = document.spans[:, 0].tolist()
    names = [document.words[start] for start in starts]
    return list(zip(names, document.entity_of.tolist(), strict=True))


# Weights of documents, in blocks of trials --------------------------------------------------------

Found = TypeVar("Found")


@dataclass
class Block(ABC):
    """Consecutive trials."""

    n_documents: int
    n_trials: int

    @property
    @abstractmethod
    def weights(self) -> FloatArray:
        """(documents, trials) how much each document weighs in each trial."""


@dataclass
class Drawn(Block):
    """Trials that are drawn, and the generator as it is before them; `after` them too, once they
    are drawn."""

    before: np.random.Generator
    after: np.random.Generator | None = field(default=None, init=False)

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> AnyArray:
        """(trials, documents) what the generator draws."""

    @property
    def drawn(self) -> AnyArray:
        """(trials, documents) what is drawn in this block, the same each time."""
        self.after = deepcopy(self.before)
        return self.draw(self.after)


class EveryExchange(Block):
    """A trial for each set of documents, on which two systems are exchanged: 1 there, else 0."""

    @property
    def weights(self) -> FloatArray:
        trials, documents = np.arange(self.n_trials), np.arange(self.n_documents)
        return (trials >> documents[:, None] & 1).astype(np.float64)


class Exchanges(Drawn):
    """Weight 1 where a trial exchanges two systems on a document, with probability ½; else 0."""

    @property
    def weights(self) -> FloatArray:
        return self.drawn.T.astype(np.float64)

    def draw(self, rng: np.random.Generator) -> AnyArray:
        return rng.integers(2, size=(self.n_trials, self.n_documents), dtype=np.int8)


class Resamples(Drawn):
    """How often each document occurs in a resample: as many documents as the corpus has, drawn with
    replacement."""

    @property
    def weights(self) -> FloatArray:
        picks = self.drawn
        picks += self.n_documents * np.arange(self.n_trials)[:, None]
        times = np.bincount(picks.ravel(), minlength=picks.size)
        return times.reshape(picks.shape).T.astype(np.float64)

    def draw(self, rng: np.random.Generator) -> AnyArray:
        return rng.integers(self.n_documents, size=(self.n_trials, self.n_documents))


def blocks_of(
    kind: Callable[[int, int, np.random.Generator], Drawn],
    n_documents: int,
    *,
    trials: int,
    seed: int,
) -> Iterator[Drawn]:
    """Blocks of `Exchanges` or `Resamples` that together have these trials, in order.

    All draws are those of one generator, one block after the other. The sizes of blocks depend only
    on the number of documents, so that a seed gives the same resamples for two systems and for
    thirty. Raises ValueError as `check`.
    """
    check(trials, seed)
    rng = np.random.default_rng(seed)
    size = max(1, _MOST_WEIGHTS // max(n_documents, 1))
    for first in range(0, trials, size):
        block = kind(n_documents, min(size, trials - first), rng)
        yield block
        if first + size < trials:
            rng = block.after or _after(block)


def _after(block: Drawn) -> np.random.Generator:
    """The generator after a block that nobody has drawn here: another process does."""
    rng = deepcopy(block.before)
    block.draw(rng)
    return rng


def exchanges(n_documents: int, *, trials: int, seed: int) -> Iterator[Block]:
    """All exchanges of up to MOST_ENUMERATED documents, otherwise drawn ones.

    Raises ValueError as `check`.
    """
    if not is_enumerated(n_documents):
        return iter(blocks_of(Exchanges, n_documents, trials=trials, seed=seed))
    check(trials, seed)
    return iter([EveryExchange(n_documents, n_exchanges(n_documents, trials))])


def is_enumerated(n_documents: int) -> bool:
    """Whether all exchanges of so many documents are tried."""
    return n_documents <= MOST_ENUMERATED


def n_exchanges(n_documents: int, trials: int) -> int:
    """How many exchanges are tried: all 2ⁿ of few documents, otherwise as many as trials."""
    return 2**n_documents if is_enumerated(n_documents) else trials


def p_of(n_as_large: FloatArray, n_documents: int, trials: int) -> FloatArray:
    """c/2ⁿ where all exchanges were tried, of which the observed one is one; (c + 1)/(n + 1) of n
    drawn ones. NaN for a single document: with it the difference only changes its sign.

    n_as_large  c, how many made a difference at least as large as the observed one
    """
    if n_documents < 2:
        return np.full(np.shape(n_as_large), np.nan)
    drawn = 0 if is_enumerated(n_documents) else 1
    p: FloatArray = (n_as_large + drawn) / (n_exchanges(n_documents, trials) + drawn)
    return p


def smallest_p(n_documents: int, trials: int) -> float:
    """What p cannot be below: 2/2ⁿ where all exchanges of n documents are tried, as the observed
    difference and its opposite are among them; otherwise 1/(n + 1) of n drawn ones. NaN for a
    single document."""
    least = np.array([2.0 if is_enumerated(n_documents) else 0.0])
    return float(p_of(least, n_documents, trials)[0])


class Run(Protocol):
    """Something that counts blocks: in this process, in several, on a cluster."""

    def __call__(
        self, count: Callable[[Stack, Block], Found], stack: Stack, blocks: Iterable[Block]
    ) -> Iterable[Found]:
        """`count(stack, block)` of each block, in the order of the blocks."""


def in_turn(
    count: Callable[[Stack, Block], Found], stack: Stack, blocks: Iterable[Block]
) -> Iterator[Found]:
    """The `Run` that counts one block after the other in this process."""
    return (count(stack, block) for block in blocks)


def few_documents(n_documents: int) -> tuple[str, ...]:
    """A warning if there are too few documents for reliable intervals."""
    if n_documents >= FEW_DOCUMENTS:
        return ()
    n = counted(n_documents, "document")
    if n_documents < 2:
        return (f"Only {n}: there are no intervals.",)
    return (f"Only {n}: with fewer than {FEW_DOCUMENTS}, intervals are rough.",)


def untestable(n_documents: int, n_tests: int, trials: int) -> tuple[str, ...]:
    """A warning if no difference of so many documents can be significant.

    n_tests  the tests that Holm's correction is over
    """
    n = counted(n_documents, "document")
    if n_documents < 2:
        return (f"{capital(n)}: a difference cannot be tested.",)
    least = smallest_p(n_documents, trials)
    if least * n_tests < ALPHA:
        return ()
    by = n if is_enumerated(n_documents) else f"{trials:,} trials"
    known = f"With {by}, {p_below(least)}"
    if least >= ALPHA:
        return (f"{known}: no difference can be significant.",)
    after = f"after Holm’s correction for {n_tests:,} tests no difference can be significant"
    return (f"{known}: {after}; {_needed(n_documents, n_tests)}.",)


def _needed(n_documents: int, n_tests: int) -> str:
    """How many documents, or trials where these are drawn, Holm's correction needs."""
    if is_enumerated(n_documents):
        return f"that takes {floor(log2(n_tests / ALPHA)) + 2} documents"
    return f"take {ceil(n_tests / ALPHA):,} trials or more"


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
    def table(self) -> pd.DataFrame:
        """One row per metric and measure: metric, measure, value, low, high, bca_low, bca_high,
        t_low, t_high. Fractions."""
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
    n = len(stack.values)
    observed = _statistic(stack, stack.total)[..., 0]
    percentile = bca = jackknife = np.full((*observed.shape, 2), np.nan)
    if n > 1:
        blocks = blocks_of(Resamples, n, trials=trials, seed=seed)
        resampled = np.concatenate([*run(resampled_in, stack, blocks)], axis=-1)
        percentile = between(resampled, level)
        left_out = _statistic(stack, stack.total - stack.values.T)
        bca = quantiles(resampled, _corrected(_tails(level), observed, resampled, left_out))
        jackknife = _jackknife(observed, left_out, level, lowest=1 - len(results))
    ends = percentile, bca, jackknife
    return Intervals(stack.names, observed, *ends, level, trials, seed, n)


def resampled_in(stack: Stack, block: Block) -> FloatArray:
    """(metrics, measures, trials) what intervals are of, in the resamples of one block: the scores
    of a stack of one system, the differences b − a of a stack of two."""
    return _statistic(stack, stack.values.T @ block.weights)


def _statistic(stack: Stack, sums: FloatArray) -> FloatArray:
    """(columns, rows) sums over documents → (metrics, measures, rows)."""
    scores = stack.scores_of_each(sums)
    found: FloatArray = scores[0] if len(scores) == 1 else scores[1] - scores[0]
    return found


def _jackknife(
    observed: FloatArray, left_out: FloatArray, level: float, *, lowest: float
) -> FloatArray:
    """(metrics, measures, 2) observed ± t · √((n − 1)/n · Σ(s − s̄)²), s being the n scores that
    leave one document out, within the range of a score or difference. Efron & Tibshirani 1993, An
    introduction to the bootstrap, §11.
    """
    from scipy.special import stdtrit  # scipy is slow to import: only for intervals

    n = left_out.shape[-1]
    error = np.sqrt((n - 1) * left_out.var(axis=-1))
    reach = stdtrit(n - 1, (1 + level) / 2) * error
    ends = np.stack([observed - reach, observed + reach], axis=-1)
    found: FloatArray = np.clip(ends, lowest, 1)
    return found


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
    from scipy.special import (
        ndtr,
        ndtri,  # scipy is slow to import: only for intervals
    )

    gap = resampled - observed[..., None]
    below = ((gap < -TOLERANCE).mean(axis=-1) + (gap <= TOLERANCE).mean(axis=-1)) / 2
    half_a_trial = 0.5 / resampled.shape[-1]
    bias = ndtri(np.clip(below, half_a_trial, 1 - half_a_trial))[..., None]
    d = left_out.mean(axis=-1, keepdims=True) - left_out
    spread = 6 * (d**2).sum(axis=-1, keepdims=True) ** 1.5
    acceleration = divide((d**3).sum(axis=-1, keepdims=True), spread, empty=0)
    z = bias + ndtri(tails)
    slope = 1 - acceleration * z
    # Past the pole the formula has no value; its limit on this side is the lowest or highest end
    moved = np.where(slope > 0, divide(z, slope, empty=0), np.copysign(np.inf, z))
    corrected: FloatArray = ndtr(bias + moved)
    return corrected


def _tails(level: float) -> FloatArray:
    return np.array([(1 - level) / 2, (1 + level) / 2])


def between(resampled: FloatArray, level: float) -> FloatArray:
    """(metrics, measures, 2) between which this share of the resamples lies."""
    return quantiles(resampled, np.broadcast_to(_tails(level), (*resampled.shape[:-1], 2)))


def quantiles(resampled: FloatArray, at: FloatArray) -> FloatArray:
    """(metrics, measures, 2) the quantiles `at` of the resamples; NaN where there is no score."""
    found = np.full(at.shape, np.nan)
    for place in zip(*np.nonzero(~np.isnan(resampled[..., 0])), strict=True):
        found[place] = np.quantile(resampled[place], at[place])
    return found
