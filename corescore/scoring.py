"""Corpus × corpus → counts of each document and their totals, under named policies."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.comparison import Comparison, compare
from corescore.contingency import Contingency
from corescore.counts import Counts, Score, empty_score
from corescore.documents import Corpus, Document
from corescore.matching import Side
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, METRICS, Metric
from corescore.metrics.blanc import BLANC
from corescore.pairing import pair_documents
from corescore.problems import choose
from corescore.version import __version__

if TYPE_CHECKING:
    import pandas as pd

    from corescore.responses.pair import Pair

AVERAGES = ("micro", "macro")
CONLL = ("muc", "bcub", "ceafe")


@dataclass(frozen=True, slots=True)
class Policies:
    """How a score was made; `corescore.score` says what each policy means."""

    match: str = "exact"
    singletons: str = "keep"
    repeats: str = "first"
    blanc: str = "reference"
    missing_documents: str = "empty"
    average: str = "micro"


@dataclass(frozen=True)
class Result:
    """The counts of every document under every metric, and all that follows from them.

    `result["bcub"]` is the Score of the whole corpus, its values plain floats; "conll" is the mean
    of the F1 of MUC, B³ and CEAF_e, and has no recall or precision. Results of two shards of a
    corpus add up to the result of the whole.

    comparison  the paired documents, matched and counted
    sizes       (documents,) each: key_mentions, key_entities, key_singletons, the same of the
                response, and shared_mentions
    """

    policies: Policies
    metrics: tuple[Metric, ...]
    comparison: Comparison
    counts: Mapping[str, Counts]
    sizes: Mapping[str, IntArray]
    warnings: tuple[str, ...] = ()

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The names of the key's documents, in order."""
        return tuple(document.name for document in self.comparison.key)

    @property
    def signature(self) -> str:
        """One line that names the policies in force."""
        p, n = self.policies, len(self.documents)
        averages = "micro and macro" if p.average == "macro" else "micro"
        return (
            f"corescore {__version__} | match {p.match} | singletons {p.singletons} | "
            f"repeats {p.repeats} | blanc {p.blanc} | "
            f"{averages} over {n} document{'' if n == 1 else 's'}"
        )

    @cached_property
    def scores(self) -> Mapping[str, Score[float]]:
        """The score of the whole corpus under every metric: sums over documents, divided once."""
        totals = {name: counts.total() for name, counts in self.counts.items()}
        scores = scores_of(self.metrics, totals, empty=0)
        return {name: score.row(0) for name, score in scores.items()}

    @cached_property
    def document_scores(self) -> Mapping[str, Score[FloatArray]]:
        """The scores of each document, arrays of shape (documents,); empty is NaN."""
        return scores_of(self.metrics, self.counts, empty=np.nan)

    @cached_property
    def macro(self) -> Mapping[str, Score[float]]:
        """The mean over documents of recall, precision and F1, each where it is not empty."""
        return {name: _mean_score(score).row(0) for name, score in self.document_scores.items()}

    def __getitem__(self, metric: str) -> Score[float]:
        return self.scores[choose("metric", metric, self.scores)]

    @property
    def table(self) -> "pd.DataFrame":
        """A row for each metric: title, whether a diagnostic, recall, precision, F1 and what they
        were divided from; with macro means beside them under `average="macro"`."""
        from corescore.tables import score_table  # pandas is slow to import: only when asked for

        return score_table(self)

    @property
    def per_document(self) -> "pd.DataFrame":
        """The same for each document: rows (document, metric), NaN where empty."""
        from corescore.tables import document_table

        return document_table(self)

    def credit(
        self,
        metric: str,
        *,
        side: str = "recall",
        by: str = "mention",
        documents: Sequence[str] | None = None,
    ) -> "pd.DataFrame":
        """What `metric` credits; see `corescore.credit.tables.credit_table` for the columns."""
        from corescore.credit.tables import credit_table

        known = {known.id: known for known in self.metrics}
        chosen = known[choose("metric", metric, known)]
        return credit_table(self.comparison, chosen, side=side, by=by, documents=documents)

    def marginal(self, metric: str) -> "pd.DataFrame":
        """What the score would gain or lose without each mention of the response; see
        `corescore.credit.tables.marginal_table` for the columns."""
        from corescore.credit.tables import marginal_table

        known = {known.id: known for known in self.metrics}
        return marginal_table(self.comparison, known[choose("metric", metric, known)])

    @property
    def errors(self) -> "pd.DataFrame":
        """The operations that turn the response into the key, each an error of one of seven
        kinds; see `corescore.errors.tables.operation_table` for the columns."""
        from corescore.errors.tables import operation_table

        return operation_table(self.comparison)

    @property
    def incorrectly_resolved(self) -> "pd.DataFrame":
        """The mentions whose partners are all wrong, with wrong and right partners; see
        `corescore.errors.mention_tables.incorrectly_resolved_table` for the columns."""
        from corescore.errors.mention_tables import incorrectly_resolved_table

        return incorrectly_resolved_table(self.comparison)

    def compare(
        self, other: "Result", *, trials: int = 10_000, seed: int = 0, level: float = 0.95
    ) -> "Pair":
        """This response (A) held against another (B) over the same key: who is better, where, and
        whether it may be luck; see `corescore.responses.pair.Pair` for its tables."""
        from corescore.responses.pair import Pair

        return Pair(self, other, trials=trials, seed=seed, level=level)

    def plot(self) -> Any:
        """A plotly figure of the six side by side, as the dashboard draws it: recall, precision
        and F1 in percent, with the fractions they were divided from on hover.

        `.show()` opens it, `.write_html(…)` and `.write_image(…)` (with kaleido) keep it.
        """
        from corescore.dashboard.charts import six_metrics

        return six_metrics({"A": self.table})

    def __add__(self, other: "Result") -> "Result":
        """The result of both corpora together. Raises ValueError if made under other policies."""
        if (self.policies, self.metrics) != (other.policies, other.metrics):
            raise ValueError("results made with other policies or metrics do not add up")
        policies, mine, theirs = self.policies, self.comparison, other.comparison
        return replace(
            self,
            comparison=compare(
                mine.key + theirs.key,
                mine.response + theirs.response,
                by=policies.match,
                singletons=policies.singletons,
                repeats=policies.repeats,
            ),
            counts={
                name: Counts.of_documents(counts, other.counts[name])
                for name, counts in self.counts.items()
            },
            sizes={
                name: np.concatenate([size, other.sizes[name]]) for name, size in self.sizes.items()
            },
            warnings=self.warnings + other.warnings,
        )


def scores_of(
    metrics: Iterable[Metric], counts: Mapping[str, Counts], *, empty: float
) -> dict[str, Score[FloatArray]]:
    """The score of each row of the counts (by the metrics' ids) under each metric, and under
    "conll", last, if its three are there; 0/0 is `empty`."""
    scores = {metric.id: metric.score(counts[metric.id], empty=empty) for metric in metrics}
    if all(name in scores for name in CONLL):
        scores["conll"] = conll_score(scores)
    return scores


def conll_score(scores: Mapping[str, Score[FloatArray]]) -> Score[FloatArray]:
    """The mean of the F1 of MUC, B³ and CEAF_e; one that is empty for a document counts as 0.

    Empty where all three are. It has no recall, precision or counts: those are NaN. Range 0 to 1.
    Pradhan et al. 2012.
    """
    f1 = np.array([scores[name].f1 for name in CONLL])
    mean = np.where(np.isnan(f1).all(axis=0), np.nan, np.nan_to_num(f1).mean(axis=0))
    return replace(empty_score(len(mean)), f1=mean)


def _mean_score(score: Score[FloatArray]) -> Score[FloatArray]:
    """A Score of one row: means over the documents where the value is not empty; no counts."""
    known = [array[~np.isnan(array)] for array in (score.recall, score.precision, score.f1)]
    means = [np.array([array.mean() if len(array) else np.nan]) for array in known]
    parts = {name: _mean_score(part) for name, part in score.parts.items()}
    return replace(empty_score(1), recall=means[0], precision=means[1], f1=means[2], parts=parts)


def score(
    key: Corpus,
    response: Corpus,
    *,
    metrics: Sequence[Metric] = METRICS,
    singletons: str = "keep",
    repeats: str = "first",
    blanc: str = "reference",
    match: str = "exact",
    missing_documents: str = "empty",
    average: str = "micro",
) -> Result:
    """Score a response against a key, all documents at once.

    metrics            the metrics to score by; the diagnostics (mentions, links, rand) come along
    singletons         "keep", or "drop": remove entities of one mention from both sides first
    repeats            a span listed twice on one side: "first" keeps the entity that appears
                       first, "error" refuses, "all" scores the overlapping sets as they stand
                       (recall and precision can then pass 1)
    blanc              BLANC's empty parts: "reference" as the reference scorer, "luo2014",
                       "recasens2011" (only the mentions that both sides have)
    match              how a response mention finds its key mention: "exact", the same span
    missing_documents  a key document that the response lacks: "empty" response, or "error"
    average            "micro"; "macro" puts means over documents beside it

    Raises InputError if the two sides do not fit together, PolicyError for an unknown policy.
    """
    policies = Policies(match, singletons, repeats, blanc, missing_documents, average)
    choose("average", average, AVERAGES)
    variant = BLANC_VARIANTS[choose("blanc", blanc, BLANC_VARIANTS)]
    pairing = pair_documents(key, response, missing_documents=missing_documents)
    comparison = compare(
        pairing.key, pairing.response, by=match, singletons=singletons, repeats=repeats
    )
    table, matching = comparison.table, comparison.matching
    taken = {metric.id for metric in metrics}
    diagnostics = [metric for metric in DIAGNOSTICS if metric.id not in taken]
    scored = tuple(variant if m is BLANC else m for m in (*metrics, *diagnostics))
    return Result(
        policies,
        scored,
        comparison,
        {metric.id: metric.counts(table) for metric in scored},
        _sizes(table),
        (
            *pairing.warnings,
            *_repeat_warnings(matching.key, key.file or "the key", repeats),
            *_repeat_warnings(matching.response, response.file or "the response", repeats),
        ),
    )


def score_entities(
    key: Iterable[Collection[Hashable]], response: Iterable[Collection[Hashable]], **policies: str
) -> Result:
    """Score one document whose entities are given as collections of mentions of any kind.

    Two mentions are the same if they are equal: `score_entities([{1, 2}, {3}], [{1}, {2, 3}])`.
    Policies as in `score`.
    """
    names: dict[Hashable, str] = {}
    sides = [Corpus((_named_document(entities, names),)) for entities in (key, response)]
    return score(*sides, **policies)  # type: ignore[arg-type]


def _named_document(
    entities: Iterable[Collection[Hashable]], names: dict[Hashable, str]
) -> Document:
    position: dict[str, int] = {}
    rows = []
    for number, entity in enumerate(entities):
        for mention in entity:
            name = names.setdefault(mention, f"{mention}#{len(names)}")
            at = position.setdefault(name, len(position))
            rows.append((at, at + 1, number))
    return Document.of_rows("document", rows, words=tuple(position), named_mentions=True)


def _sizes(table: Contingency) -> dict[str, IntArray]:
    values = {
        "key_mentions": table.n_key_mentions,
        "key_entities": table.by_document(table.key_document, np.ones(len(table.key_sizes))),
        "key_singletons": table.by_document(table.key_document, table.key_sizes == 1),
        "response_mentions": table.n_response_mentions,
        "response_entities": table.by_document(
            table.response_document, np.ones(len(table.response_sizes))
        ),
        "response_singletons": table.by_document(
            table.response_document, table.response_sizes == 1
        ),
        "shared_mentions": table.n_shared_mentions,
    }
    return {name: value.astype(np.int64) for name, value in values.items()}


def _repeat_warnings(side: Side, name: str, repeats: str) -> Iterable[str]:
    if side.n_repeats:
        done = "first entity kept" if repeats == "first" else "all kept"
        times = f"{side.n_repeats} mention{'s' if side.n_repeats > 1 else ''}"
        places = "; ".join(side.repeats)
        more = "; …" if side.n_repeats > len(side.repeats) else ""
        yield f"{name} lists {times} twice ({places}{more}): {done}."
