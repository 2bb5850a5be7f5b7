"""From the arrays of a perturbed response back to its documents."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corescore.analysis.perturbation.mentions import Mentions
from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.mentions import Attributes, EmptyNode
from corescore.counting.comparison import Comparison


def perturbed_documents(comparison: Comparison, mentions: Mentions) -> tuple[Document, ...]:
    """The response's documents with these mentions instead of its own.

    A mention keeps what is known of it beyond its span; one that is taken from the key brings what
    the key knows, and the empty nodes that it is made of. Split antecedents stay where none of
    their entities changed.
    """
    order = np.lexsort((-mentions.end, mentions.start, mentions.document))
    ordered = mentions.keep(order)
    cuts = np.searchsorted(ordered.document, np.arange(1, len(comparison.key)))
    parts = np.split(np.arange(len(order)), cuts)
    every = zip(range(len(comparison.key)), parts, strict=False)
    return tuple(_perturbed(comparison, at, ordered.keep(part)) for at, part in every)


def _perturbed(comparison: Comparison, at: int, mentions: Mentions) -> Document:
    key, response, matching = comparison.key[at], comparison.response[at], comparison.matching
    rows = np.append(matching.response.row, -1)[mentions.own]
    taken = np.where(mentions.own < 0, mentions.key_mention, -1)
    key_rows = np.append(matching.key.row, -1)[taken]
    spans = mentions.start.tolist(), mentions.end.tolist(), mentions.entity.tolist()
    attributes = _attributes(key, response, rows, key_rows)
    changed = response.with_entities([*zip(*spans, strict=True)], attributes)
    return replace(
        changed,
        words=_words(response, mentions.end.max(initial=0)),
        empty_nodes=_empty_nodes(key, response, key_rows),
        split_antecedents=_split_antecedents(response, rows, mentions.entity),
    )


def _attributes(
    key: Document, response: Document, rows: IntArray, key_rows: IntArray
) -> Attributes | None:
    """Of each mention those of its row in the response or else in the key; −1 is no row."""
    if key.attributes is None and response.attributes is None:
        return None
    own, other = (d.attributes or Attributes.of(len(d.rows)) for d in (response, key))
    every = own.plus(other).plus(Attributes.of(1))
    n_own, n_other = len(response.rows), len(key.rows)
    elsewhere = n_own + np.where(key_rows < 0, n_other, key_rows)
    return every.take(np.where(rows < 0, elsewhere, rows)).or_none


def _words(response: Document, n_positions: int) -> tuple[str, ...]:
    """The words; in notation, positions after the end get new names."""
    if not response.named_mentions:
        return response.words
    taken = set(response.words)
    new = (name for n in range(10**9) if (name := f"new{n + 1}") not in taken)
    return (*response.words, *(next(new) for _ in range(n_positions - len(response.words))))


def _empty_nodes(key: Document, response: Document, key_rows: IntArray) -> dict[int, EmptyNode]:
    """The response's empty nodes, and those of the key that the mentions of these rows have."""
    nodes = dict(response.empty_nodes)
    for row in key_rows[key_rows >= 0].tolist() if nodes else ():
        for start, end in key.mentions[row].runs:
            nodes |= {at: key.empty_nodes[at] for at in range(start, end) if at in key.empty_nodes}
    return nodes


def _split_antecedents(
    response: Document, rows: IntArray, entity: IntArray
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Those of entities that have the same mentions as before; `rows` in text order."""
    if not response.split_antecedents:
        return ()
    before, after = _members(range(len(response.rows)), response.entity_of), _members(rows, entity)
    numbers = {members: number for number, members in enumerate(after.values())}
    kept = {old: numbers[m] for old, m in before.items() if m in numbers}
    return tuple(
        (kept[one], tuple(kept[other] for other in others))
        for one, others in response.split_antecedents
        if {one, *others} <= kept.keys()
    )


def _members(rows: Sequence[int] | IntArray, entity: IntArray) -> dict[int, frozenset[int]]:
    """The rows of the mentions of each entity, entities by their first mentions."""
    members = defaultdict(set)
    for row, of in zip(rows, entity.tolist(), strict=True):
        members[of].add(int(row))
    return {of: frozenset(its) for of, its in members.items()}
