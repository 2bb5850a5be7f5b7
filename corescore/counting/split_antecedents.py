"""Split antecedents: entities that refer to several others at once, as "they" to two people.

Such a plural has one more mention, without a span: S, the set of its elements. An S of the key is
aligned with one of the response by what a metric says of their elements alone, and a metric counts
an aligned S as the share that it says of them where any other mention counts 1. The rules are those
of the Universal Anaphora scorer (Yu et al. 2022, after Paun et al. 2022).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple, Self

import numpy as np

from corescore.corpus.documents import Attributes, Document, Pieces, in_text_order
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.assignment import best_assignment, components_of
from corescore.counting.contingency import Contingency, rows_of_entities
from corescore.counting.counts import Counts, harmonic_mean, score_counts
from corescore.counting.matching import equal_pairs
from corescore.counting.sides import Side
from corescore.util import AnyArray, BoolArray, FloatArray, IntArray, as_rows
from corescore.wording import listed

Counted = Callable[[Contingency], Counts]

# The metrics that count split antecedents, by their ids.
METRICS = ("muc", "bcub", "ceafm", "ceafe", "lea", "blanc")


# The plurals of a document ------------------------------------------------------------------------


Element = int | Pieces  # the number of an entity, or the spans of one that does not refer


def elements_of(document: Document) -> dict[int, frozenset[Element]]:
    """The elements of each plural of a document, by its number.

    An element that is a plural itself is replaced by its own elements. Raises InputError where an
    entity is its own element, directly or by way of others.
    """
    named: dict[Element, set[Element]] = defaultdict(set)
    for plural, elements in document.split_antecedents:
        named[plural].update(elements)
    for plural, spans in document.non_referring:
        named[plural].add(spans)
    try:
        order = [*TopologicalSorter(named).static_order()]
    except CycleError as error:
        raise InputError([_cycle(document, error.args[1])], stage=Stage.ELEMENTS) from None
    by_plural: dict[Element, frozenset[Element]] = {}
    for entity in order:
        if entity in named:
            every = (by_plural.get(one, frozenset([one])) for one in named[entity])
            by_plural[entity] = frozenset().union(*every)
    return {one: of for one, of in by_plural.items() if isinstance(one, int)}


def _cycle(document: Document, entities: Sequence[int]) -> Problem:
    """What is wrong with split antecedents that lead from an entity back to it."""
    first = [int(np.flatnonzero(document.entity_of == entity)[0]) for entity in entities[:-1]]
    places = [tuple(document.spans[at].tolist()) for at in first]
    names = [f"'{document.text_at(*place)}' (word {place[0] + 1})" for place in places]
    by_way = f" by way of {listed(names[1:])}" if names[1:] else ""
    return Problem(
        document.place,
        document.line_of(places[0][0]),
        f"entity {names[0]} of '{document.name}' among its own split antecedents{by_way}",
        "other entities",
        "Fix the file, or choose split antecedents 'drop'.",
    )


def with_plurals_once(document: Document) -> tuple[Document, frozenset[int]]:
    """The document with its plurals of the same elements merged, and their elements as found by
    `elements_of`; and which of its entities do not refer, and are elements only. A mention that one
    entity lists twice is there once. Raises InputError as `elements_of` does."""
    once: dict[frozenset[Element], int] = {}
    to = np.arange(document.n_entities)
    for plural, elements in sorted(elements_of(document).items()):
        to[plural] = once.setdefault(elements, plural)
    named = tuple(
        (plural, tuple(sorted(one for one in of if isinstance(one, int))))
        for of, plural in once.items()
    )
    others = sorted(
        (plural, one) for of, plural in once.items() for one in of if not isinstance(one, int)
    )
    merged = replace(document, split_antecedents=named, non_referring=tuple(others)).with_merged(to)
    pieces = merged.pieces
    mentions = [(*row, of) for row, of in zip(merged.rows.tolist(), pieces, strict=True)]
    first = {one: at for at, one in reversed([*enumerate(mentions)])}
    return _with_non_referring(merged.keep(np.isin(np.arange(len(mentions)), [*first.values()])))


def _with_non_referring(document: Document) -> tuple[Document, frozenset[int]]:
    """The document with an entity for each element that does not refer, and the numbers of these;
    a span that another entity has is left to it."""
    taken = {*map(tuple, document.spans.tolist())}
    spans = {of: [one for one in of if one not in taken] for _, of in document.non_referring}
    more = [(*span, of) for of, left in spans.items() for span in left]
    if not more:
        return document, frozenset()
    ordered = in_text_order(document.name, [*document.rows.tolist(), *more])
    added = [ordered.number[of] for of, left in spans.items() if left]
    elements: dict[int, list[Element]] = {p: [*of] for p, of in document.split_antecedents}
    for plural, of in document.non_referring:
        elements[plural] += [of] * bool(spans[of])
    known = document.attributes and document.attributes.plus(Attributes.of(len(more)))
    listed = [*(ordered.number[one] for one in document.listed), *added]
    changed = replace(
        document,
        rows=ordered.table,
        attributes=known and known.take(ordered.order),
        split_antecedents=ordered.renumbered(elements.items()),
        non_referring=(),
        listed=tuple(listed) if document.listed else ordered.listed,
    )
    return changed, frozenset(added)


class Plurals(NamedTuple):
    """The plurals of one side, by the entities of a table; −1 is an entity that is not in it.

    entity           (plurals,) the entity of each
    plural, element  (elements,) one row for each plural and entity that is one of its elements
    others           entities that are in the table as elements only, because they do not refer
    """

    entity: IntArray
    plural: IntArray
    element: IntArray
    others: IntArray

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        side: Side,
        non_referring: Iterable[Collection[int]] = (),
    ) -> "Plurals":
        """Those of some documents, which the side is of; their elements are no plurals.

        non_referring  of each document the entities that do not refer
        """
        row = rows_of_entities(side)
        first = np.searchsorted(side.entity_document, np.arange(len(documents))).tolist()
        named = [
            (
                start + plural,
                sorted(start + one for one in elements[plural] if isinstance(one, int)),
            )
            for start, document in zip(first, documents, strict=True)
            for elements in [elements_of(document)]
            for plural in dict(document.split_antecedents)
        ]
        left = [at + one for at, of in zip(first, non_referring, strict=False) for one in of]
        made = cls.of_rows(named, left)
        entity, element, others = (row[of] for of in (made.entity, made.element, made.others))
        known = element >= 0
        return cls(entity, made.plural[known], element[known], others[others >= 0])

    @classmethod
    def of_rows(cls, named: Sequence[tuple[int, Sequence[int]]], others: Sequence[int]) -> Self:
        """Plurals and their elements, and others, by their rows."""
        plural = np.repeat(np.arange(len(named)), [len(elements) for _, elements in named])
        entity, element, alone = (
            np.array(of, dtype=np.int64)
            for of in (
                [entity for entity, _ in named],
                [one for _, elements in named for one in elements],
                others,
            )
        )
        return cls(entity, plural, element, alone)

    @property
    def sets(self) -> dict[int, list[int]]:
        """By its entity, the elements of each plural that is in the table."""
        rows = as_rows(self.entity[self.plural], self.element)
        by_plural: dict[int, list[int]] = {int(one): [] for one in self.entity if one >= 0}
        for entity, element in rows:
            if entity >= 0:
                by_plural[entity].append(element)
        return by_plural


BothPlurals = tuple[Plurals, Plurals]  # of the key and of the response

OfElements = tuple[Contingency, BothPlurals]  # a table, and the plurals by its entities


# Which S of the key goes with which of the response, and what they are worth ----------------------


class AlignedPlurals(NamedTuple):
    """The aligned pairs of plurals; what S is worth in recall, in precision, and as F1; and the
    counts of their elements."""

    key: IntArray
    response: IntArray
    recall: FloatArray
    precision: FloatArray
    f1: FloatArray
    counts: Counts


def aligned(
    table: Contingency, key: Plurals, response: Plurals, counted: Counted, part: int = 0
) -> AlignedPlurals:
    """One to one, the greatest sum of F1 of their elements, which are scored as if each pair of
    plurals were a document.

    A pair with the same elements is worth 1, whatever the metric says of it; one with F1 0 is not
    aligned. Where several alignments are best, the same one is always taken.

    counted  the counts of such a table; part is the column of them that is meant
    """
    at_key, at_response, elements = _element_table(table, key, response)
    counts = counted(elements).part(part)
    score, same = score_counts(counts, empty=0), _are_the_same(elements)
    recall, precision = np.where(same, 1, score.recall), np.where(same, 1, score.precision)
    f1 = harmonic_mean(recall, precision)
    useful = np.flatnonzero(f1 > 0)
    cells = (np.unique(of[useful], return_inverse=True)[1] for of in (at_key, at_response))
    best = useful[best_assignment(components_of(*cells), f1[useful])] if len(useful) else useful
    worth = recall[best], precision[best], f1[best]
    return AlignedPlurals(at_key[best], at_response[best], *worth, counts.rows(best))


def _element_table(
    table: Contingency, key: Plurals, response: Plurals
) -> tuple[IntArray, IntArray, Contingency]:
    """The pairs of plurals whose elements share a mention, and the table of these elements, in
    which each pair is a document."""
    cell, of_key = equal_pairs(table.cell_key, key.element)
    kept, of_response = equal_pairs(table.cell_response[cell], response.element)
    cell, of_key = cell[kept], of_key[kept]
    n_response = max(len(response.entity), 1)
    code = key.plural[of_key] * n_response + response.plural[of_response]
    codes, document = np.unique(code, return_inverse=True)
    at_key, at_response = np.divmod(codes, n_response)
    sides = []
    for plurals, of, mine, sizes in (
        (key, at_key, of_key, table.key_sizes),
        (response, at_response, of_response, table.response_sizes),
    ):
        pair, element = equal_pairs(of, plurals.plural)
        order = np.lexsort((element, pair))
        pair, element = pair[order], element[order]
        width = max(len(plurals.element), 1)
        row = np.searchsorted(pair * width + element, document * width + mine)
        sides.append((sizes[plurals.element[element]], pair, row))
    (key_sizes, key_document, cell_key), (sizes, documents, cell_response) = sides
    order = np.lexsort((cell_response, cell_key))
    return (
        at_key,
        at_response,
        Contingency(
            len(codes),
            key_sizes,
            key_document,
            sizes,
            documents,
            cell_key[order],
            cell_response[order],
            table.cell_sizes[cell][order],
        ),
    )


def _are_the_same(table: Contingency) -> BoolArray:
    """(documents,) whether both sides have the same entities."""
    n = table.by_document(table.cell_document, table.are_equal)
    same: BoolArray = (n == table.n_key_entities) & (n == table.n_response_entities)
    return same


def _muc_of_elements(counted: Counted) -> Counted:
    """The counts of MUC, with a link for each singleton: only of elements does it see them."""

    def counts(table: Contingency) -> Counts:
        shared = table.by_document(table.cell_document, table.same_singletons)
        return counted(table) + Counts.of(
            shared,
            table.by_document(table.key_document, table.key_sizes == 1),
            shared,
            table.by_document(table.response_document, table.response_sizes == 1),
        )

    return counts


# The counts of whole documents --------------------------------------------------------------------


class WithMembers(NamedTuple):
    """A table with one more mention in each plural, without the singletons that are left out.

    pairs      the aligned pairs
    pair_cell  (pairs,) the cell of each, which may hold no mention; −1 where a plural is not in it
    worth      (cells,) what S is worth there
    rows       the row of each entity of key and response, the last of none; −1 is one left out
    cells      (cells of the table without S,) where each is; −1 is one left out
    """

    table: Contingency
    pairs: AlignedPlurals
    pair_cell: IntArray
    worth: FloatArray
    rows: tuple[IntArray, IntArray]
    cells: IntArray


def tables_with_plurals(
    metric: str,
    counted: Counted,
    tables: tuple[Contingency, Contingency],
    sides: BothPlurals,
    elements: OfElements,
    drops: tuple[bool, bool],
) -> list[tuple[WithMembers, WithMembers]]:
    """By part of the counts, what recall and precision are counted from.

    counted   the metric's own counts of a table
    tables    that recall and that precision is counted from, all mentions in them
    sides     the plurals of key and response, by the entities of these tables
    elements  the table that elements are scored by, and the plurals by its entities
    drops     whether singletons of the key and of the response are left out; plurals never are
    """
    if metric == "blanc":
        of_parts = (aligned(elements[0], *elements[1], counted, part) for part in (0, 1))
        return [(_with_members(tables[0], sides, of, of.f1, drops),) * 2 for of in of_parts]
    of_elements = _muc_of_elements(counted) if metric == "muc" else counted
    pairs = aligned(elements[0], *elements[1], of_elements)
    is_one = metric in ("ceafm", "ceafe")
    worth = (pairs.f1, pairs.f1) if is_one else (pairs.recall, pairs.precision)
    recall, precision = (
        _with_members(table, sides, pairs, s, drops) for table, s in zip(tables, worth, strict=True)
    )
    return [(recall, precision)]


def counts_with_plurals(
    metric: str,
    counted: Counted,
    tables: Sequence[tuple[WithMembers, WithMembers]],
) -> Counts:
    """The counts of one of `METRICS` of some documents, S of each plural included.

    With n_ij, a_i, b_j as ever, but S among the a_i and b_j, and s what S of entity i is worth in
    entity j of its partner (0 in all others):

    muc           Σ n_ij − 1 + s over n_ij > 0
    bcub          Σ (n_ij + s)²/a_i
    ceafm, ceafe  the best alignment by n_ij + s and 2(n_ij + s)/(a_i + b_j)
    lea           Σ a_i · (C(n_ij) + n_ij·s)/C(a_i)
    blanc         coreference C(n_ij) + n_ij·s; of other links each is worth the product of what
                  its ends are

    Denominators are those of the metric. s is the recall of the elements in recall, their
    precision in precision, and their F1 in CEAF and BLANC, which aligns once for each kind of link.

    counted  the metric's own counts of a table
    tables   what `tables_with_plurals` of the metric makes
    """
    if metric == "blanc":
        parts = []
        for part, (of, _) in enumerate(tables):
            more = (_coreference_links, _other_links)[part](of.table, of.worth)
            rest = counted(of.table)
            parts.append(_raised(rest.part(part), more, more))
        others = [rest.part(at) for at in range(2, rest.recall_numerator.shape[1])]
        return Counts.of_parts(*parts, *others)
    directions = (_counted_with(metric, counted, of.table, of.worth) for of in tables[0])
    return Counts.of_directions(*directions)


def counts_of_plurals(metric: str, counted: Counted, elements: OfElements) -> Counts:
    """The counts of the elements alone, one row: numerators of the aligned plurals over the
    denominators of all, `only_split_antecedent` of the Universal Anaphora scorer."""
    table, sides = elements
    counted = _muc_of_elements(counted) if metric == "muc" else counted
    none = np.zeros(0, dtype=np.int64)
    alone = [
        (sizes[of.element], of.plural)
        for sizes, of in zip((table.key_sizes, table.response_sizes), sides, strict=True)
    ]
    n = max(len(of.entity) for of in sides)
    every = counted(Contingency(n, *alone[0], *alone[1], none, none, none)).total()
    parts = []
    for part in range(2 if metric == "blanc" else 1):
        counts, below = aligned(table, *sides, counted, part).counts.total(), every.part(part)
        parts.append(
            replace(
                counts,
                recall_denominator=below.recall_denominator,
                precision_denominator=below.precision_denominator,
            )
        )
    others = [every.part(at) for at in range(len(parts), every.recall_numerator.shape[1])]
    return Counts.of_parts(*parts, *others)


def _counted_with(metric: str, counted: Counted, table: Contingency, worth: FloatArray) -> Counts:
    """The counts of a table with S, which is worth so much in each cell."""
    if metric == "lea":
        links = table.cell_sizes * worth
        of_key, of_response = (
            table.by_document(table.cell_document, 2 * links / np.maximum(sizes[cell] - 1, 1))
            for sizes, cell in (
                (table.key_sizes, table.cell_key),
                (table.response_sizes, table.cell_response),
            )
        )
        return _raised(counted(table), of_key, of_response)
    if metric == "muc":
        shared = table.cell_sizes > 0
        table, worth = table.with_cells(shared), worth[shared]
    sizes: AnyArray = table.cell_sizes + worth
    return counted(replace(table, cell_sizes=sizes))


def _coreference_links(table: Contingency, worth: FloatArray) -> FloatArray:
    """(documents,) the links of S with mentions of its entity, on both sides."""
    return table.by_document(table.cell_document, table.cell_sizes * worth)


def _other_links(table: Contingency, worth: FloatArray) -> FloatArray:
    """(documents,) the links of S with mentions of other entities, on both sides, and with the S
    of these."""
    with_mentions = worth * table.apart(table.cell_sizes)
    of_mentions, one, square = (
        table.by_document(table.cell_document, of) for of in (with_mentions, worth, worth**2)
    )
    return of_mentions + (one**2 - square) / 2


def _raised(counts: Counts, recall: FloatArray, precision: FloatArray) -> Counts:
    """The counts with more in the numerators."""
    nothing = np.zeros_like(recall)
    return counts + Counts.of(recall, nothing, precision, nothing)


def _with_members(
    table: Contingency,
    sides: BothPlurals,
    pairs: AlignedPlurals,
    worth: FloatArray,
    drops: tuple[bool, bool],
) -> WithMembers:
    """A table with its plurals; `worth` is that of S in each aligned pair."""
    numbers, sizes = [], []
    for plurals, known, drop in zip(
        sides, (table.key_sizes, table.response_sizes), drops, strict=True
    ):
        members = np.bincount(plurals.entity[plurals.entity >= 0], minlength=len(known))
        kept = known + members > 1 if drop else np.ones(len(known), dtype=bool)
        kept[plurals.others] = False
        numbers.append(np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1))
        sizes.append((known + members)[kept])
    width = max(len(sizes[1]), 1)

    def codes(key: IntArray, response: IntArray) -> IntArray:
        row, column = numbers[0][key], numbers[1][response]
        return np.where((row >= 0) & (column >= 0), row * width + column, -1)

    of_cells = codes(table.cell_key, table.cell_response)
    of_pairs = codes(sides[0].entity[pairs.key], sides[1].entity[pairs.response])
    every = np.unique(np.concatenate([of_cells, of_pairs]))
    every = every[every >= 0]
    n = np.zeros(len(every), dtype=np.int64)
    n[np.searchsorted(every, of_cells[of_cells >= 0])] = table.cell_sizes[of_cells >= 0]
    made = Contingency(
        table.n_documents,
        sizes[0],
        table.key_document[numbers[0][:-1] >= 0],
        sizes[1],
        table.response_document[numbers[1][:-1] >= 0],
        *np.divmod(every, width),
        n,
    )
    pair_cells, cells = (
        np.where(of >= 0, np.searchsorted(every, of), -1) for of in (of_pairs, of_cells)
    )
    of_cell = np.zeros(len(every))
    of_cell[pair_cells[pair_cells >= 0]] = worth[pair_cells >= 0]
    return WithMembers(made, pairs, pair_cells, of_cell, (numbers[0], numbers[1]), cells)
