"""Corpus × corpus → counts of each document and their totals, under named policies."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison, compare
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score
from corescore.counting.matching import Matching
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import DEFAULTS, Policies, Repeats
from corescore.counting.sides import Side
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, METRICS, Metric
from corescore.metrics.blanc import BLANC
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.variants.changes import SPURIOUS_ALONE
from corescore.scoring.averages import averages, macro_means
from corescore.scoring.listed import counts_of
from corescore.scoring.noticed import empty_average, empty_side, split_antecedents
from corescore.scoring.presets import policies_for, preset_of
from corescore.scoring.totals import scores_of, sums
from corescore.version import __version__
from corescore.wording import counted

# Policies that the signature names only where they are not the default.
_UNNAMED = ("words", "zeros", "lookup", "mentions")


@dataclass(frozen=True)
class Scores:
    """The counts of every document under every metric, and the scores that follow from them.

    `scores["bcub"]` is the Score of the whole corpus, its values plain floats; "conll" is the mean
    of the F1 of MUC, B³ and CEAF_e, and has no recall or precision. The scores of two shards
    of a corpus add up to those of the whole.

    compared    the paired documents, matched and counted, for each metric by its id: another
                comparison where the policy for singletons depends on the metric
    sizes       (documents,) each: key_mentions, key_entities, key_singletons, the same of the
                response, and shared_mentions
    """

    policies: Policies
    metrics: tuple[Metric, ...]
    compared: Mapping[str, Comparison]
    counts: Mapping[str, Counts]
    sizes: Mapping[str, IntArray]
    warnings: tuple[str, ...] = ()

    @property
    def comparison(self) -> Comparison:
        """The comparison under the policies as they stand, whatever a metric does to singletons."""
        return self.compared[MENTIONS.id]

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The names of the key's documents, in order."""
        return tuple(document.name for document in self.comparison.key)

    @property
    def signature(self) -> str:
        """One line that names the policies in force."""
        p, n = self.policies, len(self.documents)
        averages = "micro" if p.average == "micro" else f"micro and {p.average}"
        has_zeros = any(document.empty_nodes for document in self.comparison.key)
        others = [name for name in _UNNAMED if getattr(p, name) != getattr(DEFAULTS, name)]
        named = [*others, "zeros"] if has_zeros and "zeros" not in others else others
        more = "".join(f"{name} {getattr(p, name)} | " for name in named)
        scored = tuple(metric.id for metric in self.metrics if metric not in DIAGNOSTICS)
        name = preset_of(p, scored)
        preset = f"as {name} | " if name else ""
        return (
            f"corescore {__version__} | {preset}match {p.match} | singletons {p.singletons} | "
            f"repeats {p.repeats} | blanc {p.blanc} | {more}"
            f"{averages} over {n} {'document' if n == 1 else 'documents'}"
        )

    @cached_property
    def scores(self) -> Mapping[str, Score[float]]:
        """The score of the whole corpus under every metric: sums over documents, divided once."""
        return sums(self.metrics, self.counts)

    @cached_property
    def document_scores(self) -> Mapping[str, Score[FloatArray]]:
        """The scores of each document, arrays of shape (documents,); empty is NaN."""
        return scores_of(self.metrics, self.counts, empty=np.nan)

    @cached_property
    def macro(self) -> Mapping[str, Score[float]]:
        """The mean over documents of recall, precision and F1, each where it is not empty."""
        return macro_means(self.document_scores)

    @cached_property
    def means(self) -> Mapping[str, Score[float]]:
        """The averages over documents by the policy `average`; none under "micro".

        "macro" is `macro`; for "scorch" and "stanza" see `corescore.scoring.averages`.
        """
        if self.policies.average == "micro":
            return {}
        return averages(self.metrics, self.counts, self._with_spurious, self.policies)

    def _with_spurious(self, metric: str) -> Contingency:
        return SPURIOUS_ALONE.table(self.compared[metric].table)

    @cached_property
    def exact(self) -> Self:
        """The same scored with exact matching, to be shown beside any other."""
        policies = replace(self.policies, match="exact")
        sides = self.comparison.key, self.comparison.response
        compared = _compared(*sides, policies, self.metrics)
        return replace(
            self,
            policies=policies,
            compared=compared,
            counts=_counts(compared, policies, self.metrics),
            sizes=sizes_of(compared[MENTIONS.id].table),
        )

    def __getitem__(self, metric: str) -> Score[float]:
        return self.scores[choose("metric", metric, self.scores)]

    def __add__(self, other: Self) -> Self:
        """The result of both corpora together. Raises ValueError if made under other policies."""
        if (self.policies, self.metrics) != (other.policies, other.metrics):
            raise ValueError("results made with other policies or metrics do not add up")
        mine, theirs = self.comparison, other.comparison
        return replace(
            self,
            compared=_compared(
                mine.key + theirs.key, mine.response + theirs.response, self.policies, self.metrics
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


def score(
    key: Corpus,
    response: Corpus,
    policies: Policies = DEFAULTS,
    *,
    metrics: Sequence[Metric] = METRICS,
) -> Scores:
    """Score a response against a key, all documents at once; see `corescore.score`."""
    pairing = pair_documents(key, response, policies)
    scored = in_force(policies, metrics)
    compared = _compared(pairing.key, pairing.response, policies, scored)
    matching, table = compared[MENTIONS.id].matching, compared[MENTIONS.id].table
    counts = _counts(compared, policies, scored)
    names = key.file or "the key", response.file or "the response"
    return Scores(
        policies,
        scored,
        compared,
        counts,
        sizes_of(table),
        (
            *pairing.warnings,
            *empty_side(matching.key, key.documents, names[0], policies.of_sides[0]),
            *empty_side(matching.response, response.documents, names[1], policies.of_sides[1]),
            *_core_warnings(matching, names, policies),
            *_repeat_warnings(matching.key, names[0], policies.repeats),
            *_repeat_warnings(matching.response, names[1], policies.repeats),
            *split_antecedents(pairing.key, names[0], policies),
            *split_antecedents(pairing.response, names[1], policies),
            *empty_average(counts, pairing.key, policies),
        ),
    )


def in_force(policies: Policies, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics and the diagnostics, BLANC as the policy for it says."""
    taken = {metric.id for metric in metrics}
    diagnostics = [metric for metric in DIAGNOSTICS if metric.id not in taken]
    blanc = BLANC_VARIANTS[policies.blanc]
    return tuple(blanc if metric is BLANC else metric for metric in (*metrics, *diagnostics))


def _compared(
    key: Sequence[Document],
    response: Sequence[Document],
    policies: Policies,
    metrics: Iterable[Metric],
) -> dict[str, Comparison]:
    """What each metric is counted from, by its id."""
    own = {metric.id: policies_for(policies, metric.id) for metric in metrics}
    made = {policies: compare(key, response, policies) for policies in {*own.values()}}
    return {name: made[policies] for name, policies in own.items()}


def _counts(
    compared: Mapping[str, Comparison], policies: Policies, metrics: Iterable[Metric]
) -> dict[str, Counts]:
    return {m.id: counts_of(m, compared[m.id], policies) for m in metrics}


def score_entities(
    key: Iterable[Collection[Hashable]],
    response: Iterable[Collection[Hashable]],
    policies: Policies = DEFAULTS,
    *,
    metrics: Sequence[Metric] = METRICS,
) -> Scores:
    """Score one document of entities that are collections of mentions; see
    `corescore.score_entities`."""
    names: dict[Hashable, str] = {}
    key_corpus, response_corpus = (
        Corpus((_named_document(entities, names),)) for entities in (key, response)
    )
    return score(key_corpus, response_corpus, policies, metrics=metrics)


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


def sizes_of(table: Contingency) -> dict[str, IntArray]:
    values = {}
    for side, document, sizes in (
        ("key", table.key_document, table.key_sizes),
        ("response", table.response_document, table.response_sizes),
    ):
        values[f"{side}_mentions"] = table.by_document(document, sizes)
        values[f"{side}_entities"] = table.by_document(document, np.ones(len(sizes)))
        values[f"{side}_singletons"] = table.by_document(document, sizes == 1)
    values["shared_mentions"] = table.n_shared_mentions
    return {name: value.astype(np.int64) for name, value in values.items()}


def _core_warnings(matching: Matching, names: Sequence[str], policies: Policies) -> Iterable[str]:
    """What is not known that `match` goes by: heads of both sides, or the core of key mentions."""
    if policies.match in ("partial", "lenient") and matching.key.minimum is not None:
        unknown = int((matching.key.minimum[:, 0] < 0).sum())
        if unknown:
            of = f"{counted(unknown)} of {len(matching.key.start)}"
            yield f"{names[0]} does not name the minimum span of {of}: only the same words match."
    elif policies.match not in ("exact", "min-span"):
        for side, name in zip((matching.key, matching.response), names, strict=True):
            yield from _head_warnings(side, name)


def _head_warnings(side: Side, name: str) -> Iterable[str]:
    unknown = len(side.start) if side.head is None else int((side.head < 0).sum())
    if unknown:
        of = (
            f"{counted(unknown)} of {len(side.start)}"
            if unknown < len(side.start)
            else "any mention"
        )
        yield (
            f"{name} does not name the head of {of} (CoNLL-U: the field 'head' or 'minspan'): its "
            "first word is taken."
        )


_DONE = {
    "first": "first entity kept (the reference scorer: repeats 'reference')",
    "reference": "counted as the reference scorer does",
    "listed": "counted as coval does",
}


def _repeat_warnings(side: Side, name: str, repeats: Repeats) -> Iterable[str]:
    if side.n_repeats:
        done = _DONE.get(repeats, "all kept")
        places = "; ".join(side.repeats)
        more = "; …" if side.n_repeats > len(side.repeats) else ""
        n = counted(side.n_repeats)
        what = (
            f"lists {n} twice"
            if side.label is None
            else f"has {n} with the minimum span of another"
        )
        yield f"{name} {what} ({places}{more}): {done}."
