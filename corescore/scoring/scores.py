"""Corpus × corpus → counts of each document and their totals, under named policies."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self, TypedDict

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Corpus, Document
from corescore.counting.comparison import Comparison, compare
from corescore.counting.contingency import Contingency, entities
from corescore.counting.counts import Counts
from corescore.counting.pairing import Pairing, pair_documents
from corescore.counting.policies import DEFAULTS, Policies
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, METRICS, Metric
from corescore.metrics.blanc import BLANC
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.variants.changes import SPURIOUS_ALONE
from corescore.scoring.averages import alone
from corescore.scoring.listed import counts_of
from corescore.scoring.noticed import OfSide, empty_average, side_warnings
from corescore.scoring.presets import policies_for
from corescore.scoring.tally import Tally, stacked


class KeyFacts(TypedDict):
    """What a tally keeps of the documents of the key: fields of `Tally`."""

    documents: tuple[str, ...]
    fingerprints: tuple[str, ...]
    lengths: dict[str, IntArray]


@dataclass(frozen=True, kw_only=True)
class Scores(Tally):
    """A tally with the documents that it was counted from.

    compared    the paired documents, matched and counted, for each metric by its id: another
                comparison where the policy for singletons depends on the metric
    """

    compared: Mapping[str, Comparison]

    @property
    def comparison(self) -> Comparison:
        """The comparison under the policies as they stand, whatever a metric does to singletons."""
        return self.compared[MENTIONS.id]

    @cached_property
    def exact(self) -> Self:
        """The same scored with exact matching, to be shown beside any other."""
        policies = replace(self.policies, match="exact")
        sides = self.comparison.key, self.comparison.response
        compared = compared_by(*sides, policies, self.metrics)
        counts = _counts(compared, policies, self.metrics)
        return replace(
            self,
            policies=policies,
            compared=compared,
            counts=counts,
            by_scorch=alone(self.metrics, counts, partial(_with_spurious, compared), policies),
            sizes=sizes_of(compared[MENTIONS.id]),
        )

    @classmethod
    def sum(cls, tallies: Iterable[Self]) -> Self:
        """The result of all their documents, as `Tally.sum`; documents are compared once more.

        Documents of `score_entities` all have one name, so here two may have the same.
        """
        every = tuple(tallies)
        key = [document for one in every for document in one.comparison.key]
        response = [document for one in every for document in one.comparison.response]
        made = stacked(every)
        return replace(made, compared=compared_by(key, response, made.policies, made.metrics))


def score(
    key: Corpus,
    response: Corpus,
    policies: Policies = DEFAULTS,
    *,
    metrics: Sequence[Metric] = METRICS,
) -> Scores:
    """Score a response against a key, all documents at once; see `corescore.score`."""
    pairing = pair_documents(key, response, policies)
    made = count(pairing, policies, metrics)
    names = key.file or "the key", response.file or "the response"
    of_key, of_response = noticed_of(made)
    sides = OfSide.read(key.documents) + of_key, OfSide.read(response.documents) + of_response
    warnings = (
        *pairing.warnings,
        *side_warnings(sides, names, policies),
        *empty_average(made.counts, made.documents, policies),
    )
    files = ((key.file, response.file),) if key.file or response.file else ()
    return replace(made, warnings=warnings, files=files)


def noticed_of(made: Scores) -> tuple[OfSide, OfSide]:
    """What is noticed of the mentions scored on both sides."""
    of = made.comparison
    return (
        OfSide.scored(of.matching.key, of.key),
        OfSide.scored(of.matching.response, of.response),
    )


def count(
    pairing: Pairing, policies: Policies = DEFAULTS, metrics: Sequence[Metric] = METRICS
) -> Scores:
    """Match and count paired documents, all or a batch of them; `count(…).tally` lets go of them.

    It has no warnings: those of the pairing and of what is counted are about all documents.
    """
    scored = in_force(policies, metrics)
    compared = compared_by(pairing.key, pairing.response, policies, scored)
    counts = _counts(compared, policies, scored)
    return Scores(
        policies=policies,
        metrics=scored,
        compared=compared,
        counts=counts,
        by_scorch=alone(scored, counts, partial(_with_spurious, compared), policies),
        sizes=sizes_of(compared[MENTIONS.id]),
        **of_key(pairing),
    )


def of_key(pairing: Pairing) -> KeyFacts:
    """What a tally keeps of the documents of the key."""
    return {
        "documents": tuple(document.name for document in pairing.key),
        "fingerprints": tuple(document.fingerprint for document in pairing.read),
        "lengths": {
            "words": np.array([len(d.words) for d in pairing.read], dtype=np.int64),
            "empty_nodes": np.array([len(d.empty_nodes) for d in pairing.key], dtype=np.int64),
        },
    }


def _with_spurious(compared: Mapping[str, Comparison], metric: str) -> Contingency:
    return SPURIOUS_ALONE.table(compared[metric].table)


def in_force(policies: Policies, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics and the diagnostics, BLANC as the policy for it says."""
    taken = {metric.id for metric in metrics}
    diagnostics = [metric for metric in DIAGNOSTICS if metric.id not in taken]
    blanc = BLANC_VARIANTS[policies.blanc]
    return tuple(blanc if metric is BLANC else metric for metric in (*metrics, *diagnostics))


def compared_by(
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


def sizes_of(comparison: Comparison) -> dict[str, IntArray]:
    """`Tally.sizes`: each mention once, and the entities as they are listed, repeats included."""
    table, matching, values = comparison.table, comparison.matching, {}
    sides = [one.side for one in matching.listings or ()] or [matching.key, matching.response]
    n_mentions = table.n_key_mentions, table.n_response_mentions
    for side, n, of_side in zip(("key", "response"), n_mentions, sides, strict=True):
        _, sizes, document = entities(of_side)
        values[f"{side}_mentions"] = n.astype(np.int64)
        for what, of in (("entities", document), ("singletons", document[sizes == 1])):
            values[f"{side}_{what}"] = np.bincount(of, minlength=table.n_documents)
    values["shared_mentions"] = table.n_shared_mentions.astype(np.int64)
    return values
