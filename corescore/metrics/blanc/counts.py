"""BLANC: what is counted, by four rules, and how a score follows."""

from dataclasses import replace

import numpy as np

from corescore.arrays import AnyArray, BoolArray, FloatArray
from corescore.counting.changes import Changes
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import Counts, Score, empty_score, score_counts
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, Unit


def blanc_counts(table: Contingency) -> Counts:
    """Links that both sides have, of those of the key and of the response; two parts.

    Coreference: ΣC(n_ij) of ΣC(a_i) and ΣC(b_j). Non-coreference: C(m) − ΣC(n_i·) − ΣC(n_·j)
    + ΣC(n_ij) of C(A) − ΣC(a_i) and C(B) − ΣC(b_j). In links. Luo et al. 2014.
    """
    return _both_parts(
        table,
        table.key_links,
        pairs(table.n_key_mentions) - table.key_links,
        table.response_links,
        pairs(table.n_response_mentions) - table.response_links,
    )


def blanc_shared_counts(table: Contingency) -> Counts:
    """The same among the mentions that both sides have, as in Recasens & Hovy 2011.

    Coreference: ΣC(n_ij) of ΣC(n_i·) and ΣC(n_·j); the other pairs of the m shared mentions are
    the non-coreference links. The paper knows no twinless mentions, so they are left out.
    """
    links = pairs(table.n_shared_mentions)
    key_links, response_links = table.key_links_of_shared, table.response_links_of_shared
    return _both_parts(table, key_links, links - key_links, response_links, links - response_links)


def _both_parts(
    table: Contingency,
    key_coreference: FloatArray,
    key_non_coreference: FloatArray,
    response_coreference: FloatArray,
    response_non_coreference: FloatArray,
) -> Counts:
    coreference = table.shared_links
    in_key, in_response = table.key_links_of_shared, table.response_links_of_shared
    non_coreference = pairs(table.n_shared_mentions) - in_key - in_response + coreference
    return Counts.of_parts(
        Counts.of(coreference, key_coreference, coreference, response_coreference),
        Counts.of(non_coreference, key_non_coreference, non_coreference, response_non_coreference),
    )


def blanc_luo_counts(table: Contingency) -> Counts:
    """`blanc_counts` and a third part, the mentions, which decides where nobody has a link."""
    m, a, b = table.n_shared_mentions, table.n_key_mentions, table.n_response_mentions
    return Counts.of_parts(blanc_counts(table), Counts.of(m, a, m, b))


def blanc_credit(table: Contingency) -> tuple[Unit, ...]:
    """1 for each link that both sides have, in the part of its kind."""
    return _link_units(table, shared_only=False)


def blanc_shared_credit(table: Contingency) -> tuple[Unit, ...]:
    """The same among the mentions that both sides have."""
    return _link_units(table, shared_only=True)


def _link_units(table: Contingency, *, shared_only: bool) -> tuple[Unit, ...]:
    cell, key, response = (
        np.ones(len(sizes)) for sizes in (table.cell_sizes, table.key_sizes, table.response_sizes)
    )
    return tuple(
        Unit(kind, cell, key, cell, response, part=part, shared_only=shared_only)
        for part, kind in enumerate((COREFERENCE_LINK, NON_COREFERENCE_LINK))
    )


def blanc_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """R, P and F of each part, then the mean of the two, where only the key decides what counts.

    No key link at all: empty. No coreference link in the key: the non-coreference part alone; no
    non-coreference link in the key: the coreference part alone. Range 0 to 1. F is not the
    harmonic mean of R and P. This is what the reference scorer v8.01 prints.
    """
    coreference, non_coreference = _parts(counts, empty=empty)
    no_coreference = coreference.recall_denominator == 0
    no_non_coreference = non_coreference.recall_denominator == 0
    nothing = np.full(len(no_coreference), empty)
    return _mean(coreference, non_coreference, no_coreference, no_non_coreference, nothing)


def blanc_luo_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """R, P and F of each part, then the mean of the two, where both sides decide (§4.1).

    A part counts unless neither side has a link of it. With no link at all on either side, 1 if
    both have the same mentions, else 0. Range 0 to 1. Luo et al. 2014.
    """
    coreference, non_coreference = _parts(counts, empty=empty)
    mentions = score_counts(counts.part(2), empty=1)
    same = (mentions.recall == 1) & (mentions.precision == 1)
    return _mean(
        coreference, non_coreference, _no_link(coreference), _no_link(non_coreference), same
    )


def blanc_corefud_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    """As `blanc_luo_score`, but 0 with no link at all on either side, as the CorefUD scorer."""
    coreference, non_coreference = _parts(counts, empty=empty)
    lacks = _no_link(coreference), _no_link(non_coreference)
    return _mean(coreference, non_coreference, *lacks, np.zeros(len(lacks[0])))


def _parts(counts: Counts, *, empty: float) -> tuple[Score[FloatArray], Score[FloatArray]]:
    return score_counts(counts.part(0), empty=empty), score_counts(counts.part(1), empty=empty)


def _no_link(part: Score[FloatArray]) -> BoolArray:
    no_link: BoolArray = part.recall_denominator + part.precision_denominator == 0
    return no_link


def _mean(
    coreference: Score[FloatArray],
    non_coreference: Score[FloatArray],
    no_coreference: BoolArray,
    no_non_coreference: BoolArray,
    nothing: AnyArray,
) -> Score[FloatArray]:
    """The mean of the two parts, or the one that counts, or `nothing` where none does.

    Inside the mean, a part's 0/0 is 0.
    """
    cases = [no_coreference & no_non_coreference, no_coreference, no_non_coreference]

    def combine(c: FloatArray, n: FloatArray) -> FloatArray:
        return np.select(cases, [nothing, n, c], (np.nan_to_num(c) + np.nan_to_num(n)) / 2)

    return replace(
        empty_score(len(no_coreference)),
        recall=combine(coreference.recall, non_coreference.recall),
        precision=combine(coreference.precision, non_coreference.precision),
        f1=combine(coreference.f1, non_coreference.f1),
        parts={"coreference": coreference, "non_coreference": non_coreference},
    )


def blanc_changes(changes: Changes) -> Counts:
    """How each sum of `blanc_counts` changes; the key's links stay as they are."""
    mentions = changes.pairs_of(changes.table.n_response_mentions, changes.response_mentions)
    links, key = changes.of_sizes(pairs), np.zeros(len(mentions))
    return _changes_of_parts(changes, key, key, links, mentions - links)


def blanc_shared_changes(changes: Changes) -> Counts:
    """How each sum of `blanc_shared_counts` changes."""
    links = changes.pairs_of(changes.table.n_shared_mentions, changes.shared_mentions)
    key, response = changes.key_links_of_shared, changes.response_links_of_shared
    return _changes_of_parts(changes, key, links - key, response, links - response)


def _changes_of_parts(
    changes: Changes,
    key_coreference: FloatArray,
    key_non_coreference: FloatArray,
    response_coreference: FloatArray,
    response_non_coreference: FloatArray,
) -> Counts:
    coreference = changes.of_cells(pairs)
    links = changes.pairs_of(changes.table.n_shared_mentions, changes.shared_mentions)
    in_key, in_response = changes.key_links_of_shared, changes.response_links_of_shared
    non_coreference = links - in_key - in_response + coreference
    return Counts.of_parts(
        Counts.of(coreference, key_coreference, coreference, response_coreference),
        Counts.of(non_coreference, key_non_coreference, non_coreference, response_non_coreference),
    )


def blanc_luo_changes(changes: Changes) -> Counts:
    """`blanc_changes`, and how the mentions of `blanc_luo_counts` change."""
    m, b = changes.shared_mentions, changes.response_mentions
    return Counts.of_parts(blanc_changes(changes), Counts.of(m, np.zeros(len(m)), m, b))
