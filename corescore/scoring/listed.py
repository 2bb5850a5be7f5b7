"""Counts where mentions that a side lists several times are looked up, not paired."""

from dataclasses import fields, replace

import numpy as np

from corescore.arrays import IntArray
from corescore.counting.comparison import Comparison
from corescore.counting.counts import Counts
from corescore.counting.look_ups import LookUps
from corescore.counting.policies import Policies
from corescore.counting.sides import Side, identities
from corescore.metrics import Metric
from corescore.metrics.checked import check_counts


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
