"""Corpus × corpus → counts of each document and their totals, under named policies."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Self, TypedDict

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.counting.comparison import Comparison, LookUps, compare
from corescore.counting.contingency import Contingency, entities
from corescore.counting.counts import Counts
from corescore.counting.pairing import Pairing, pair_documents
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.sides import Side, identities
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, METRICS, Metric
from corescore.metrics.blanc import BLANC
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.metric import check_counts
from corescore.metrics.variant import SPURIOUS_ALONE
from corescore.scoring.noticed import OfSide, empty_average, side_warnings
from corescore.scoring.presets import policies_for
from corescore.scoring.tally import Tally, alone, stacked
from corescore.util import IntArray, later

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.error_table.notes import Notes
    from corescore.analysis.error_table.table import ErrorList
    from corescore.analysis.perturbation.base import Perturbation
    from corescore.analysis.perturbation.sweep import Sweep
    from corescore.rendering.tables import Shown


# Counts where mentions that a side lists several times are looked up, not paired ------------------


def counts_of(metric: Metric, comparison: Comparison, policies: Policies) -> Counts:
    """The counts of each document, by the tables that the policies for repeats ask for.

    Raises InputError where a metric's function returns anything else than counts of each document.

    paired     the table of the pairs
    table      each direction by its own look-ups; CEAF by what entities hold; BLANC has one
               numerator, by the key's look-ups. CorefUD scorer 1.2
    listed     each direction by its own look-ups; CEAF by what entities hold; links once. coval
    reference  both directions by the response's look-ups, B³'s shares and CEAF by what entities
               hold; BLANC by the sets of pairs of mentions. CoNLL reference scorer v8.01
    """
    counts = _counted(metric, comparison, policies)
    return check_counts(counts, comparison.table.n_documents, f"metric '{metric.id}'")


def _counted(metric: Metric, comparison: Comparison, policies: Policies) -> Counts:
    if metric.of_mentions:
        return metric.of_mentions(comparison)
    tables = comparison.look_ups
    if tables is None or metric.repeats == "once":
        return metric.counts(comparison.table)
    if metric.repeats == "held":
        return metric.counts(tables.members)
    if metric.repeats == "looked up":
        by_response = policies.repeats == "reference"
        return metric.counts(tables.precision) if by_response else _directions(metric, tables)
    if policies.lookup == "table":
        return metric.counts(tables.recall)
    counts = metric.counts(comparison.table)
    return _link_sets(counts, comparison, policies) if policies.repeats == "reference" else counts


def _directions(metric: Metric, tables: LookUps) -> Counts:
    """Recall by the key's look-ups, precision by the response's."""
    recall, precision = metric.counts(tables.recall), metric.counts(tables.precision)
    return replace(
        precision,
        recall_numerator=recall.recall_numerator,
        recall_denominator=recall.recall_denominator,
    )


def _link_sets(counts: Counts, comparison: Comparison, policies: Policies) -> Counts:
    """The counts with links as sets of pairs of mentions in the documents that list one twice.

    A pair that entities list twice is one link, a mention in two entities makes a non-coreference
    link with itself, and one pair can be a link of both kinds.
    """
    if comparison.matching.listings is None:
        return counts
    key, response = (listing.side for listing in comparison.matching.listings)
    codes = identities(key, response, policies)
    changed = {entry.name: getattr(counts, entry.name).copy() for entry in fields(counts)}
    for document in _with_repeats(key, codes[0]) | _with_repeats(response, codes[1]):
        k, r = (_links_of(*of, document) for of in zip((key, response), codes, strict=True))
        for part in (0, 1):
            shared = len(np.intersect1d(k[part], r[part], assume_unique=True))
            row = shared, len(k[part]), shared, len(r[part])
            for name, value in zip(changed, row, strict=True):
                changed[name][document, part] = value
    return Counts(**changed)


_CODE_BITS = 31  # two codes in one number


def _with_repeats(side: Side, code: IntArray) -> set[int]:
    """The documents in which a mention is listed twice."""
    _, first = np.unique(code, return_index=True)
    return set(np.delete(side.document, first).tolist())


def _links_of(side: Side, code: IntArray, document: int) -> tuple[IntArray, IntArray]:
    """The coreference links and the non-coreference links of a document, each a number."""
    within = side.document == document
    mention, entity = code[within], side.entity[within]
    first, second = np.triu_indices(len(mention), k=1)
    low, high = np.sort([mention[first], mention[second]], axis=0)
    pair = (low << _CODE_BITS) | high
    together = entity[first] == entity[second]
    return np.unique(pair[together]), np.unique(pair[~together])


class KeyFacts(TypedDict):
    """What a tally keeps of the documents of the key: fields of `Tally`."""

    documents: tuple[str, ...]
    fingerprints: tuple[str, ...]
    lengths: dict[str, IntArray]


@dataclass(frozen=True, kw_only=True)
class Result(Tally):
    """A tally with the documents that it was counted from: what `corescore.score` returns.

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

    def credit(
        self,
        metric: str,
        *,
        side: str = "recall",
        by: str = "mention",
        documents: Sequence[str] | None = None,
    ) -> "pd.DataFrame":
        """What `metric` credits; see `credit_table` in `corescore.analysis.credit` for the
        columns."""
        of = self.metric(metric)
        table: pd.DataFrame = later("analysis.credit.credit_table")(
            self.compared[of.id], of, side=side, by=by, documents=documents
        )
        return table

    def marginal(self, metric: str) -> "pd.DataFrame":
        """What the score would gain or lose without each mention of the response; see
        `marginal_table` in `corescore.analysis.credit` for the columns."""
        of = self.metric(metric)
        table: pd.DataFrame = later("analysis.credit.marginal_table")(self.compared[of.id], of)
        return table

    @property
    def errors(self) -> "pd.DataFrame":
        """The operations that turn the response into the key, each an error of one of seven
        kinds; see `operation_table` in `corescore.analysis.errors.tables` for the columns."""
        table: pd.DataFrame = later("analysis.errors.tables.operation_table")(self.comparison)
        return table

    @cached_property
    def error_table(self) -> "pd.DataFrame":
        """A row for each mention with an error, and what its fix alone gains; see `error_table` in
        `corescore.analysis.error_table.table` and `cost_table` in `…error_table.costs`."""
        table: pd.DataFrame = later("analysis.error_table.table.every_error")(self)
        return table

    def find(
        self,
        query: str = "",
        *,
        order: str = "cost.conll",
        notes: "Notes | None" = None,
        other: "Result | None" = None,
    ) -> "ErrorList":
        """The errors that a query finds: result.find("type:pronoun given.type:proper given:wrong").

        query  as on the page Errors; `corescore.analysis.error_table.fields` has SYNTAX, how it is
               written, and FIELDS, what it may name
        order  "text", or a field such as "cost.lea" or "size:ascending": of numbers the greatest
               first, ties in text order
        notes  on the errors (`corescore.analysis.error_table.notes.read_notes`), which add
               the columns tag, note and seen, and can be asked for: "tag:hard seen:no"
        other  the result of another response to the key, which adds the column other, the class of
               the same mention there (`corescore.analysis.error_table.rows`): "other:correct"

        Raises QueryError (a PolicyError) with its `position` for a query, PolicyError for an order,
        that is not understood, and ValueError for another result over another key, or by other
        metrics or policies.
        """
        found: ErrorList = later("analysis.error_table.table.ErrorList").of(
            self, query, order=order, notes=notes, other=other
        )
        return found

    def show(
        self,
        document: str,
        *,
        credit: str = "",
        side: str = "recall",
        start: int = 0,
        words: int = 500,
    ) -> "Shown":
        """A passage of a document for a notebook: self-contained HTML, also as `.html`.

        Without `credit`, once with the mentions of the key and once with those of the response,
        each with the number of its entity and a mark if it has an error.

        credit  a metric: the mentions of one side, shaded by the share that it gives them of what
                they could earn; `side` is "recall", mentions of the key, or "precision"
        start   the first word, counted from 0
        words   how many words at most

        Raises PolicyError for a document, metric or side that is not there, a metric that does not
        say what it credits, and a start beyond the document.
        """
        metric = self.metric(credit) if credit else None
        shown: Shown = later("rendering.notebook.document")(
            self, document, credit=metric, side=side, start=start, words=words
        )
        return shown

    def sweep(
        self,
        perturbation: "Perturbation",
        *,
        doses: Sequence[float] = (0, 0.25, 0.5, 0.75, 1),
        seeds: int = 5,
        left_behind: str = "keep",
    ) -> "Sweep":
        """The scores of this response with a perturbation in several doses, with its table and
        plot: result.sweep(Drop()).

        doses        shares, from 0 to 1
        seeds        how many seeds, counted from 1
        left_behind  as in `corescore.analysis.perturbation.perturb`

        Raises PolicyError for a perturbation without doses, a dose or number of seeds that is not
        allowed, and a result that keeps repeats.
        """
        sweep: Sweep = later("analysis.perturbation.sweep.swept")(
            self, perturbation, doses=doses, seeds=seeds, left_behind=left_behind
        )
        return sweep

    @property
    def incorrectly_resolved(self) -> "pd.DataFrame":
        """The mentions whose partners are all wrong, with their wrong and correct partners; see
        `incorrectly_resolved_table` in `corescore.analysis.errors.tables`."""
        table: pd.DataFrame = later("analysis.errors.tables.incorrectly_resolved_table")(
            self.comparison
        )
        return table

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
) -> Result:
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


def noticed_of(made: Result) -> tuple[OfSide, OfSide]:
    """What is noticed of the mentions scored on both sides."""
    of = made.comparison
    return (
        OfSide.scored(of.matching.key, of.key),
        OfSide.scored(of.matching.response, of.response),
    )


def count(
    pairing: Pairing, policies: Policies = DEFAULTS, metrics: Sequence[Metric] = METRICS
) -> Result:
    """Match and count paired documents, all or a batch of them; `count(…).tally` lets go of them.

    It has no warnings: those of the pairing and of what is counted are about all documents.
    """
    scored = in_force(policies, metrics)
    compared = compared_by(pairing.key, pairing.response, policies, scored)
    counts = _counts(compared, policies, scored)
    return Result(
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
) -> Result:
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
