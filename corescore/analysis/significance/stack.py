"""All counts of one or more results in one matrix: one product resamples every metric."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd

from corescore.corpus.documents import Document
from corescore.counting.counts import MEASURES, Counts
from corescore.counting.sides import without_absent
from corescore.metrics import CONLL, Metric
from corescore.scoring.scores import Result
from corescore.scoring.tally import Tally, scores_of
from corescore.util import FloatArray, IntArray


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
        total = self.total
        return np.array([self.scores(total[columns])[..., 0] for columns in self.columns])

    def scores(self, sums: FloatArray) -> FloatArray:
        """(metrics, measures, rows) scores from sums of a system's counts, (counts, rows).

        The metrics are ordered as `names`, the measures as MEASURES. A resample is scored like
        any corpus: 0/0 is 0. CoNLL's R and P are NaN.
        """
        counts, at = {}, 0
        for metric, n in zip(self.metrics, self.n_parts, strict=True):
            arrays = [sums[at + n * i : at + n * (i + 1)].T for i in range(len(fields(Counts)))]
            counts[metric.id] = Counts(*arrays)
            at += n * len(arrays)
        scores = scores_of(self.metrics, counts, empty=0)
        return np.array([[getattr(s, name) for name in MEASURES] for s in scores.values()])


def _columns(counts: Iterable[Counts]) -> Iterator[FloatArray]:
    """Each column of each array of the counts."""
    for of_metric in counts:
        for entry in fields(Counts):
            yield from getattr(of_metric, entry.name).T


def measure_table(metrics: Sequence[str], columns: Mapping[str, FloatArray]) -> pd.DataFrame:
    """Arrays of shape (metrics, measures) as columns: a row for each measure of each metric."""
    index = pd.MultiIndex.from_product([metrics, MEASURES], names=["metric", "measure"])
    flat = {name: values.ravel() for name, values in columns.items()}
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
