"""Corpus × corpus → counts of each document and their totals, under named policies."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from corescore.corpus.documents import UNNAMED, Corpus, Document
from corescore.counting import split_antecedents
from corescore.counting.comparison import Comparison, compare
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, arrays_of
from corescore.counting.matching import ListedSide
from corescore.counting.pairing import Pairing, pair_documents
from corescore.counting.policies import DEFAULTS, Policies
from corescore.counting.sides import Side, identities
from corescore.metrics import BLANC_VARIANTS, DIAGNOSTICS, METRICS, Metric
from corescore.metrics.blanc import BLANC
from corescore.metrics.diagnostics import MENTIONS
from corescore.metrics.metric import check_counts
from corescore.metrics.variants import spurious_alone
from corescore.scoring.noticed import OfSide, empty_average, side_warnings
from corescore.scoring.presets import policies_for
from corescore.scoring.tally import Tally, alone, stacked
from corescore.util import IntArray

if TYPE_CHECKING:
    import pandas as pd

    from corescore.analysis.decomposition import Decomposition
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
    table, listed, e2e  each direction by its own look-ups; CEAF by what entities hold; BLANC has
               one numerator, by the key's look-ups. CorefUD scorer 1.2; coval and its descendants
    stanza     the same, but B³ and LEA by sets of mentions. Stanza
    reference  both directions by the response's look-ups, B³'s shares and CEAF by what entities
               hold; BLANC by the sets of pairs of mentions. CoNLL reference scorer v8.01
    """
    counts = _metric_counts(metric, comparison, policies)
    checked = check_counts(counts, comparison.table.n_documents, f"metric '{metric.id}'")
    plurals = comparison.plurals
    if plurals is None or not counts_plurals(metric):
        return checked
    own = plurals.comparison
    tables = _tables(metric, own, policies)
    sides = plurals.elements[1] if tables[0] is own.table else plurals.listed
    rows = split_antecedents.counts_with_plurals(
        metric.id,
        metric.counts,
        split_antecedents.tables_with_plurals(
            metric.id, metric.counts, tables, sides, plurals.elements, plurals.drops
        ),
    )
    return checked.with_rows(plurals.documents, rows)


def counts_plurals(metric: Metric) -> bool:
    """Whether a metric counts split antecedents. BLANC of 2011 knows no mention that one side
    lacks."""
    return metric.id in split_antecedents.METRICS and metric is not BLANC_VARIANTS["recasens2011"]


def _metric_counts(metric: Metric, comparison: Comparison, policies: Policies) -> Counts:
    if metric.of_mentions:
        return metric.of_mentions(comparison)
    recall, precision = _tables(metric, comparison, policies)
    if recall is not precision:
        counts = Counts.of_directions(metric.counts(recall), metric.counts(precision))
        in_sets = _IN_SETS.get(metric.id) if policies.repeats == "stanza" else None
        return _with_sets(in_sets, counts, comparison, policies) if in_sets else counts
    counts = metric.counts(recall)
    if (metric.repeats, policies.repeats, policies.lookup) == ("links", "reference", "pairs"):
        return _link_sets(counts, comparison, policies)
    return counts


def _tables(
    metric: Metric, comparison: Comparison, policies: Policies
) -> tuple[Contingency, Contingency]:
    """What a metric counts recall and precision from."""
    tables = comparison.look_ups
    if tables is None or metric.repeats == "once":
        return comparison.table, comparison.table
    if metric.repeats == "held":
        return tables.members, tables.members
    if metric.repeats == "looked up":
        by_response = policies.repeats == "reference"
        return tables.precision if by_response else tables.recall, tables.precision
    sets = policies.repeats == "reference" and policies.lookup == "pairs"
    one = comparison.table if sets else tables.recall
    return one, one


def _link_sets(counts: Counts, comparison: Comparison, policies: Policies) -> Counts:
    """The counts with links as sets of pairs of mentions in the documents that list one twice.

    A pair that entities list twice is one link, a mention in two entities makes a non-coreference
    link with itself, and one pair can be a link of both kinds.
    """
    if comparison.matching.listings is None:
        return counts
    key, response = (listing.side for listing in comparison.matching.listings)
    codes = identities(key, response, policies)
    changed = [array.copy() for array in arrays_of(counts)]
    for document in _with_repeats(key, codes[0]) | _with_repeats(response, codes[1]):
        k, r = (_links_of(*of, document) for of in zip((key, response), codes, strict=True))
        for part in (0, 1):
            shared = len(np.intersect1d(k[part], r[part], assume_unique=True))
            row = shared, len(k[part]), shared, len(r[part])
            for array, value in zip(changed, row, strict=True):
                array[document, part] = value
    return Counts(*changed)


def _with_sets(
    count_of: "CountOfSets", counts: Counts, comparison: Comparison, policies: Policies
) -> Counts:
    """The counts with the numerators by the sets of mentions in the documents that list one twice;
    as Stanza's scorer counts B³ and LEA."""
    assert comparison.matching.listings
    listings = comparison.matching.listings
    codes = identities(listings[0].side, listings[1].side, policies)
    numerators = counts.recall_numerator.copy(), counts.precision_numerator.copy()
    changed = (
        _with_repeats(of.side, code) | {*of.last.document[of.hidden].tolist()}
        for of, code in zip(listings, codes, strict=True)
    )
    for document in set.union(*changed):
        both = [_entities_of(*of, document) for of in zip(listings, codes, strict=True)]
        for numerator, (own, _), (other, last) in zip(numerators, both, both[::-1], strict=True):
            numerator[document, 0] = sum(count_of(mentions, other, last) for mentions in own)
    return replace(counts, recall_numerator=numerators[0], precision_numerator=numerators[1])


Entities = list[list[int]]
CountOfSets = Callable[[list[int], Entities, Mapping[int, list[int]]], float]


def _entities_of(
    listed: ListedSide, code: IntArray, document: int
) -> tuple[Entities, dict[int, list[int]]]:
    """The entities of a document, mentions by their codes, and the one each is looked up in."""
    entities: dict[int, list[int]] = defaultdict(list)
    of_mention = {}
    for at in np.flatnonzero(listed.side.document == document).tolist():
        mention, place = int(code[at]), listed.place[at]
        entities[int(listed.side.entity[at])].append(mention)
        last = [mention] if listed.hidden[place] else entities[int(listed.last.entity[place])]
        of_mention[mention] = last
    return [*entities.values()], of_mention


def _bcub_of_sets(mentions: list[int], others: Entities, last: Mapping[int, list[int]]) -> float:
    """Σ |k ∩ r|² / |k|."""
    own = {*mentions}
    return sum(len(own.intersection(other)) ** 2 for other in others) / len(own)


def _lea_of_sets(mentions: list[int], others: Entities, last: Mapping[int, list[int]]) -> float:
    """|k| times the share of its links of which the first is in the entity that the second is
    looked up in."""
    correct = sum(one in last.get(two, ()) for one, two in combinations(mentions, 2))
    return 2 * correct / max(len(mentions) - 1, 1)


_IN_SETS: Mapping[str, CountOfSets] = {"bcub": _bcub_of_sets, "lea": _lea_of_sets}

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


# Results ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Result(Tally):
    """A tally with the documents that it was counted from: what `corescore.score` returns.

    compared    the paired documents, matched and counted, for each metric by its id: another
                comparison where the policy for singletons depends on the metric

    >>> import corescore
    >>> result = corescore.score("key.conll", "cautious.conll")
    >>> result.table.loc["lea", ["recall", "precision", "f1"]].round(4).tolist()
    [0.2892, 0.6108, 0.3926]
    >>> result.credit("lea", by="entity").nlargest(2, "credit")[["document", "mentions", "credit"]]
             document  mentions    credit
    1046  story_ferry        14  6.923077
    1044  story_ferry        18  5.411765
    >>> len(result.find("type:pronoun given:none"))
    301
    """

    compared: Mapping[str, Comparison]

    @property
    def comparison(self) -> Comparison:
        """The comparison under the policies as given, whatever a metric does to singletons."""
        return self.compared[MENTIONS.id]

    @cached_property
    def exact(self) -> Self:
        """The same scored with exact matching, for comparison."""
        policies = replace(self.policies, match="exact")
        compared = compared_by(
            self.comparison.key, self.comparison.response, policies, self.metrics
        )
        return replace(self, policies=policies, **_counted_from(compared, policies, self.metrics))

    def credit(
        self,
        metric: str,
        *,
        side: str = "recall",
        by: str = "mention",
        documents: Sequence[str] | None = None,
        bounds: Sequence[int] = (),
    ) -> "pd.DataFrame":
        """What `metric` credits on one side, recall or precision; `documents` names one or some,
        None means all.

        by      "mention", "link", "entity", "document" or "entity-type": what a row is about; or
                "size" or "distance": one row per group of mentions, by the mentions of their
                entity, or by the words between their start and that of their antecedent
        bounds  the highest size or distance of each group but the last; by default 1 (singletons)
                and 9 mentions (Duron-Tejedor et al. 2023 tell singletons, short and long chains
                apart), and 50, 500 and 5,000 words

        Columns:

        document                     str       its name in the key; by mention, link, entity and
                                               document
        size, distance               str       by size or distance: the group, such as "2 to 9"
        entity_type                  str       by entity type: the first type that its own file
                                               gives one of the entity's mentions, "unknown" without
                                               one
        metric, side                 str       as given
        kind                         str       of unit, such as "self-link"
        mention                      str       by mention and link: its words
        start, end                   Int64     its span in words, half-open
        other                        str       by link: the words of the other mention
        other_start, other_end       Int64     its span; NA where a unit has one mention
        key_entity, response_entity  Int64     from 1 by first mention; NA if a side does not
                                               have the mention
        entity                       int64     by entity: its number, from 1 by first mention
        other_entity                 Int64     by link, of non-coreference links: the second of
                                               the two entities; `entity` is the first
        entities                     int64     by entity type: how many
        mentions                     int64     by entity, entity type, size and distance: how many
        credit                       float64   what the metric gives
        possible                     float64   what it could give at most
        share                        float64   by entity type, size and distance: credit /
                                               possible, NaN without any

        The sum of `credit` is the numerator of the metric's score, that of `possible` the
        denominator (for BLANC, of the part that the kind belongs to). Raises PolicyError for an
        unknown side, level or document, and a metric that does not define credit.
        """
        from corescore.analysis.credit import credit_table

        definition = self.metric(metric)
        return credit_table(
            self.compared[definition.id],
            definition,
            side=side,
            by=by,
            documents=documents,
            bounds=bounds,
        )

    def marginal(self, metric: str) -> "pd.DataFrame":
        """How the score of the corpus would change if one mention were removed from the response,
        for each mention.

        Columns:

        document                     str       its name in the key
        mention                      str       its words
        start, end                   int64     its span in words, half-open
        key_entity, response_entity  Int64     from 1 by first mention; NA if the key does not
                                               have the mention
        recall, precision, f1        float64   the score without the mention minus that with it, a
                                               fraction
        """
        from corescore.analysis.credit import marginal_table

        definition = self.metric(metric)
        return marginal_table(self.compared[definition.id], definition)

    @property
    def errors(self) -> "pd.DataFrame":
        """The operations that turn the response into the key, each an error of one of seven kinds.

        Columns:

        document                     category  its name in the key
        group                        int64     its overlap of entities in the document, from 1
        order                        int64     its place among the operations of the document
        operation                    str       alter span, split, remove, introduce or merge
        kind                         category  one of the seven
        mentions                     object    the mentions it affects: a tuple of their words
        spans                        object    and of their spans, (start, end)
        target                       object    a span: the key's of an altered one; of introduce and
                                               merge a mention of the entity that gets them; else
                                               None
        key_entity, response_entity  Int64     from 1 by first mention; NA where a side has none
        type, length, size           category  slices of the first mention: its type, words,
                                               entity's size
        position, antecedent, genre  category  its place in the text and entity, and the document's
                                               genre

        Raises PolicyError if a side lists a span twice under repeats "all".
        """
        from corescore.analysis.errors.tables import operation_table

        return operation_table(self.comparison)

    @cached_property
    def error_table(self) -> "pd.DataFrame":
        """One row per mention of either side with an error, and what its fix alone gains; in
        text order. Spans are in words and half-open; numbers count from 1; NA, or "" of a text,
        if there is none.

        Columns:

        id                                str       names the row in every run: document, span and
                                                    the sides that have the mention, such as
                                                    "news_harbour:4-6:b"
        document, genre                   category  of the key
        sentence                          Int64     where the mention starts
        start, end                        int64     its span: the key's if that has the mention
        response_start, response_end      Int64     the response's span
        mention                           str       its words
        kind                              category  the kinds of its errors, joined by ", "
        class                             category  missing, spurious, span error, unlinked,
                                                    incorrectly resolved, correct or duplicated
        operation                         Int64     the first of its operations in `errors`
        fix                               str       the fix, in words
        key_entity, response_entity       Int64     its entity on each side
        key_name, response_name           str       what they are called
        key_size, response_size           Int64     their mentions
        given, antecedent                 str       the antecedent it was given, and the correct
                                                    one
        given_start, given_end            Int64     span of the given one, in the response
        antecedent_start, antecedent_end  Int64     span of the correct one, in the key
        given_right                       bool      whether the given one is in its key entity, or
                                                    would be with another span:
        given_span_error                  bool      whether it would
        distance_mentions                 Int64     from the correct antecedent, in mentions of
                                                    the key
        distance_sentences                Int64     and in sentences; 0 is the same
        given_distance_mentions           Int64     from the given one, in mentions of the response
        given_distance_sentences          Int64     and in sentences
        type, given_type                  category  fine type of the mention, and of the given
                                                    antecedent
        antecedent_type                   category  of the correct antecedent
        type_guessed                      bool      whether the type is guessed by rules for English
        type_by_file                      bool      whether a file gives pronoun, name or nominal
        length                            int64     words of the mention
        string_match                      category  exact, head or none, with the correct antecedent
        nested                            bool      whether it lies within another mention
        quotation                         bool      whether it is inside quotation marks
        slice_type, slice_length          category  as on the page Errors
        slice_size, slice_position        category
        slice_antecedent                  category
        cost_muc, cost_bcub, …            float64   F1 that the fix gains under each metric, in
                                                    points
        cost_conll                        float64   the mean of those of CoNLL

        If a document has lemmas, `lemma`, `given_lemma` and `antecedent_lemma` are also columns. If
        split antecedents are scored and a document has any, so are `given_split` and
        `antecedent_split`: the entities to which a mention of the kind "wrong split antecedent"
        refers together, in the response and in the key.
        """
        from corescore.analysis.error_table.table import every_error

        return every_error(self)

    def find(
        self,
        query: str = "",
        *,
        order: str = "cost.conll",
        notes: "Notes | None" = None,
        other: "Result | None" = None,
    ) -> "ErrorList":
        """The errors that a query finds: result.find("type:pronoun given.type:proper given:wrong").

        query  as on the page Errors; `corescore.analysis.error_table.query` has SYNTAX, how to
               write one, and FIELDS, which fields it can use
        order  "text", or a field such as "cost.lea" or "size:ascending": of numbers the greatest
               first, ties in text order
        notes  on the errors (`corescore.analysis.error_table.notes.read_notes`), which add
               the columns tag, note and seen, and can be asked for: "tag:hard seen:no"
        other  the result of another response to the key, which adds the column other, the class of
               the same mention there (`corescore.analysis.error_table.rows`): "other:correct"

        Raises QueryError (a PolicyError, with the `position`) for an invalid query, PolicyError for
        an invalid order, and ValueError if the other result has another key, metrics or policies.
        """
        from corescore.analysis.error_table.table import ErrorList

        return ErrorList.of(self, query, order=order, notes=notes, other=other)

    @cached_property
    def decomposition(self) -> "Decomposition":
        """What each score loses, divided among detection, linking and singletons; see
        `corescore.analysis.decomposition.decompose`.

        Raises PolicyError if a side lists a span twice.
        """
        from corescore.analysis.decomposition import decompose

        return decompose(self)

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

        credit  a metric: the mentions of one side, shaded by the share of their possible credit
                that it gives them; `side` is "recall" (mentions of the key) or "precision"
        start   the first word, counted from 0
        words   how many words at most

        Raises PolicyError for an unknown document, metric or side, a metric that does not define
        credit, and a start beyond the document.
        """
        from corescore.rendering.notebook import document as passage

        metric = self.metric(credit) if credit else None
        return passage(self, document, credit=metric, side=side, start=start, words=words)

    def sweep(
        self,
        perturbation: "Perturbation | str",
        *,
        doses: Sequence[float] | float = (0, 0.25, 0.5, 0.75, 1),
        seeds: int = 5,
        left_behind: str = "keep",
    ) -> "Sweep":
        """The scores of this response under increasing doses of a perturbation, with a table and a
        plot: result.sweep("drop").

        perturbation as `corescore.perturb` takes it
        doses        shares, from 0 to 1, or one
        seeds        how many seeds, counted from 1
        left_behind  as in `corescore.analysis.perturbation.perturb`

        Raises PolicyError for a perturbation without doses, a dose or number of seeds that is not
        allowed, and a result that keeps repeats.
        """
        from corescore.analysis.perturbation.sweep import swept

        return swept(self, perturbation, doses=doses, seeds=seeds, left_behind=left_behind)

    @property
    def incorrectly_resolved(self) -> "pd.DataFrame":
        """One row per mention all of whose partners are wrong, in text order (Moosavi & Strube
        2016).

        Columns:

        document                     category  its name in the key
        mention                      str       its words
        start, end                   int64     its span in words, half-open
        key_entity, response_entity  Int64     from 1 by first mention
        wrong_partners, wrong_spans  object    the other mentions of its response entity: words,
                                               spans
        right_partners, right_spans  object    the other mentions of its key entity; may be empty
        key_singleton                bool      whether it is a singleton in the key
        """
        from corescore.analysis.errors.tables import incorrectly_resolved_table

        return incorrectly_resolved_table(self.comparison)

    @classmethod
    def sum(cls, tallies: Iterable[Self]) -> Self:
        """The result of all their documents, as `Tally.sum`; documents are compared once more.

        Those without names of their own, as `score_entities` makes them, are numbered.
        """
        every = tuple(tallies)
        key = [document for one in every for document in one.comparison.key]
        if [document.name for document in key].count(UNNAMED) > 1:
            key = [
                document.called(f"{UNNAMED} {n}") if document.name == UNNAMED else document
                for n, document in enumerate(key, start=1)
            ]
        response = [document for one in every for document in one.comparison.response]
        made = stacked(every, [document.name for document in key])
        return replace(made, compared=compared_by(key, response, made.policies, made.metrics))


def score(
    key: Corpus,
    response: Corpus,
    policies: Policies = DEFAULTS,
    *,
    metrics: Sequence[Metric] = METRICS,
) -> Result:
    """Score a response against a key, all documents at once; see `corescore.score`."""
    read = OfSide.read(key.documents), OfSide.read(response.documents)
    pairing = pair_documents(key, response, policies)
    made = count(pairing, policies, metrics)
    names = key.file or "the key", response.file or "the response"
    noticed = noticed_of(made)
    sides = read[0] + noticed[0], read[1] + noticed[1]
    warnings = (
        *pairing.warnings,
        *side_warnings(sides, names, policies),
        *empty_average(made.counts, made.documents, policies),
    )
    files = ((key.file, response.file),) if key.file or response.file else ()
    return replace(made, warnings=warnings, files=files)


def noticed_of(made: Result) -> tuple[OfSide, OfSide]:
    """What is noticed of the mentions scored on both sides."""
    comparison = made.comparison
    plurals = comparison.plurals.documents.tolist() if comparison.plurals else ()
    key = OfSide.scored(comparison.matching.key, comparison.key, plurals)
    response = OfSide.scored(comparison.matching.response, comparison.response, plurals)
    return key, response.compared(comparison)


def count(
    pairing: Pairing, policies: Policies = DEFAULTS, metrics: Sequence[Metric] = METRICS
) -> Result:
    """Match and count paired documents, all or a batch of them; `count(…).tally` lets go of them.

    It has no warnings: those of the pairing and of what is counted are about all documents.
    """
    scored, documents = in_force(policies, metrics), of_key(pairing)
    compared = compared_by(pairing.key, pairing.response, policies, scored)
    counted = _counted_from(compared, policies, scored)
    return Result(policies=policies, metrics=scored, **documents, **counted)


def of_key(pairing: Pairing) -> dict[str, Any]:
    """The fields of a tally on the documents of the key."""
    both = zip(pairing.key, pairing.response, strict=True)
    return {
        "documents": tuple(document.name for document in pairing.key),
        "fingerprints": tuple(document.fingerprint for document in pairing.read),
        "lengths": {
            "words": np.array([len(d.words) for d in pairing.read], dtype=np.int64),
            "empty_nodes": np.array([len(d.empty_nodes) for d in pairing.key], dtype=np.int64),
            "split_antecedents": np.array(
                [len(k.split_antecedents) + len(r.split_antecedents) for k, r in both],
                dtype=np.int64,
            ),
        },
    }


def _counted_from(
    compared: Mapping[str, Comparison], policies: Policies, metrics: Sequence[Metric]
) -> dict[str, Any]:
    """The fields of a result that are counted from the comparisons."""
    counts = {m.id: counts_of(m, compared[m.id], policies) for m in metrics}
    return {
        "compared": compared,
        "counts": counts,
        "by_scorch": alone(
            metrics, counts, lambda metric: spurious_alone(compared[metric].table), policies
        ),
        "sizes": sizes_of(compared[MENTIONS.id]),
    }


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


def sizes_of(comparison: Comparison) -> dict[str, IntArray]:
    """`Tally.sizes`: each mention once, and the entities as they are listed, repeats included."""
    table = comparison.table
    listed = comparison.look_ups.recall if comparison.look_ups else table
    is_single = listed.key_sizes == 1, listed.response_sizes == 1
    sizes = {
        "key_mentions": table.n_key_mentions,
        "key_entities": listed.n_key_entities,
        "key_singletons": listed.by_document(listed.key_document, is_single[0]),
        "response_mentions": table.n_response_mentions,
        "response_entities": listed.n_response_entities,
        "response_singletons": listed.by_document(listed.response_document, is_single[1]),
        "shared_mentions": table.n_shared_mentions,
    }
    return {name: of.astype(np.int64) for name, of in sizes.items()}
