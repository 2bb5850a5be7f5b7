"""Entity sizes and cells of a whole corpus: the one table that feeds every metric."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corescore.counting.assignment import Components, component_of_node, components_of
from corescore.counting.matching import Matching
from corescore.counting.sides import Side
from corescore.util import AnyArray, BoolArray, FloatArray, IntArray

# glibc keeps the memory of freed arrays for the next ones, up to the largest that was freed. Asking
# the system for their pages again takes a tenth of the time of counting. This one touches no page.
np.empty(2**23, dtype=np.uint8)


@dataclass(frozen=True)
class Contingency:
    """How the key's and the response's entities overlap, for all documents at once.

    key_sizes, response_sizes         (entities,) a_i and b_j, mentions of each entity
    key_document, response_document   (entities,) the document of each entity, ascending
    cell_key, cell_response           (cells,) the two entities of each cell, ascending
    cell_sizes                        (cells,) n_ij > 0, the mentions that both entities have
    cell_held                         (cells,) of a table of look-ups, if what an entity holds
                                      counts too, wherever it is looked up: the response
                                      mentions that both entities list; else None
    """

    n_documents: int
    key_sizes: IntArray
    key_document: IntArray
    response_sizes: IntArray
    response_document: IntArray
    cell_key: IntArray
    cell_response: IntArray
    cell_sizes: IntArray
    cell_held: IntArray | None = None

    @cached_property
    def cell_document(self) -> IntArray:
        """(cells,) the document of each cell."""
        return self.key_document[self.cell_key]

    @property
    def are_equal(self) -> BoolArray:
        """(cells,) whether the two entities have the same mentions."""
        sizes = self.key_sizes[self.cell_key], self.response_sizes[self.cell_response]
        equal: BoolArray = (self.cell_sizes == sizes).all(axis=0)
        return equal

    @property
    def same_singletons(self) -> BoolArray:
        """(cells,) whether both sides have the mention as a singleton."""
        of_key, of_response = self.key_sizes == 1, self.response_sizes == 1
        both: BoolArray = of_key[self.cell_key] & of_response[self.cell_response]
        return both

    @cached_property
    def key_shared(self) -> IntArray:
        """(entities,) n_i·, the mentions of each key entity that the response has too."""
        return add_up_mentions(self.cell_key, self.cell_sizes, len(self.key_sizes))

    @cached_property
    def response_shared(self) -> IntArray:
        """(entities,) n_·j, the mentions of each response entity that the key has too."""
        return add_up_mentions(self.cell_response, self.cell_sizes, len(self.response_sizes))

    @cached_property
    def n_key_entities(self) -> IntArray:
        """(documents,) the entities of the key."""
        return np.bincount(self.key_document, minlength=self.n_documents)

    @cached_property
    def n_response_entities(self) -> IntArray:
        """(documents,) the entities of the response."""
        return np.bincount(self.response_document, minlength=self.n_documents)

    @cached_property
    def n_key_mentions(self) -> FloatArray:
        """(documents,) A."""
        return self.by_document(self.key_document, self.key_sizes)

    @cached_property
    def n_response_mentions(self) -> FloatArray:
        """(documents,) B."""
        return self.by_document(self.response_document, self.response_sizes)

    @cached_property
    def n_shared_mentions(self) -> FloatArray:
        """(documents,) m, the mentions both sides have."""
        return self.by_document(self.cell_document, self.cell_sizes)

    @cached_property
    def key_links(self) -> FloatArray:
        """(documents,) ΣC(a_i), the coreference links of the key."""
        return self.by_document(self.key_document, pairs(self.key_sizes))

    @cached_property
    def response_links(self) -> FloatArray:
        """(documents,) ΣC(b_j), the coreference links of the response."""
        return self.by_document(self.response_document, pairs(self.response_sizes))

    @cached_property
    def key_links_of_shared(self) -> FloatArray:
        """(documents,) ΣC(n_i·), the key's among the mentions that the response has too."""
        return self.by_document(self.key_document, pairs(self.key_shared))

    @cached_property
    def response_links_of_shared(self) -> FloatArray:
        """(documents,) ΣC(n_·j), the response's among the mentions that the key has too."""
        return self.by_document(self.response_document, pairs(self.response_shared))

    @cached_property
    def shared_links(self) -> FloatArray:
        """(documents,) ΣC(n_ij), the coreference links that both sides have."""
        return self.by_document(self.cell_document, pairs(self.cell_sizes))

    @cached_property
    def swapped(self) -> "Contingency":
        """The same table with the sides exchanged, so that recall of it is precision here.

        The cells stay in their order, by the entities that are now the response's.
        """
        return Contingency(
            self.n_documents,
            self.response_sizes,
            self.response_document,
            self.key_sizes,
            self.key_document,
            self.cell_response,
            self.cell_key,
            self.cell_sizes,
            self.cell_held,
        )

    @cached_property
    def component_of_entity(self) -> IntArray:
        """(key entities + response entities,) the connected component of each entity."""
        n_key, n_response = len(self.key_sizes), len(self.response_sizes)
        return component_of_node(self.cell_key, self.cell_response, n_key, n_response)

    @cached_property
    def components(self) -> Components:
        """The connected components of the cells."""
        return components_of(self.cell_key, self.cell_response)

    def with_cells(self, kept: BoolArray) -> "Contingency":
        """The table with these of its cells."""
        return replace(
            self,
            cell_key=self.cell_key[kept],
            cell_response=self.cell_response[kept],
            cell_sizes=self.cell_sizes[kept],
        )

    def apart(self, values: AnyArray) -> FloatArray:
        """(cells,) the sum of the values of all cells of the document with two other entities."""
        of_key = add_up(self.cell_key, values, len(self.key_sizes))
        of_response = add_up(self.cell_response, values, len(self.response_sizes))
        every = self.by_document(self.cell_document, values)[self.cell_document]
        return every - of_key[self.cell_key] - of_response[self.cell_response] + values

    def by_document(self, document: IntArray, values: AnyArray) -> FloatArray:
        """(documents,) the sum of `values` in each document."""
        return add_up(document, values, self.n_documents)


def contingency(matching: Matching) -> Contingency:
    """The table of a matching. Entities that a policy left without mentions are not in it."""
    pairs = matching.key_mention, matching.response_mention
    return contingency_of(matching.n_documents, *matching.sides, *pairs)


def contingency_of(
    n_documents: int, key: Side, response: Side, pair_key: IntArray, pair_response: IntArray
) -> Contingency:
    """The table of two sides whose cells count these pairs of their mentions."""
    key_entity, key_sizes, key_document = entities(key)
    response_entity, response_sizes, response_document = entities(response)
    bits = len(response_sizes).bit_length()
    code = key_entity.take(pair_key) << bits
    code |= response_entity.take(pair_response)
    code.sort(kind="stable" if n_documents > 1 else None)  # of many they are nearly in order
    first = np.flatnonzero(np.append(True, code[1:] != code[:-1])[: len(code)])
    cells = code[first]
    return Contingency(
        n_documents,
        key_sizes,
        key_document,
        response_sizes,
        response_document,
        cells >> bits,
        cells & ((1 << bits) - 1),
        np.diff(first, append=len(code)),
    )


def entities(side: Side) -> tuple[IntArray, IntArray, IntArray]:
    """The entity of each mention numbered without gaps, and the entities' sizes and documents."""
    sizes = np.bincount(side.entity, minlength=len(side.entity_document))
    present = sizes > 0
    if present.all():
        return side.entity, sizes, side.entity_document
    number = np.cumsum(present) - 1
    return number[side.entity], sizes[present], side.entity_document[present]


def rows_of_entities(side: Side) -> IntArray:
    """(entities,) the row of each in the table; −1 of one that a policy left without mentions."""
    present = np.bincount(side.entity, minlength=len(side.entity_document)) > 0
    return np.where(present, np.cumsum(present) - 1, -1)


def add_up(index: IntArray, values: AnyArray, length: int) -> FloatArray:
    """(length,) the sum of the `values` at each index, as float64 (exact to 2**53)."""
    return np.bincount(index, weights=values, minlength=length).astype(np.float64, copy=False)


def add_up_mentions(index: IntArray, sizes: IntArray, length: int) -> IntArray:
    """The same of numbers of mentions, as whole numbers."""
    return add_up(index, sizes, length).astype(np.int64)


def pairs(n: AnyArray) -> FloatArray:
    """C(n, 2) = n(n − 1)/2, the links among n mentions, in float64: they outgrow 32 bits."""
    count: FloatArray = np.asarray(n, dtype=np.float64)
    return (count * count - count) / 2
