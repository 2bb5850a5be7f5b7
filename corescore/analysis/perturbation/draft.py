"""The response as flat arrays, which perturbations change, and back to documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corescore.analysis.errors.mentions import INCORRECT, Incorrect, incorrectly_resolved, unlinked
from corescore.analysis.errors.slices import SLICES
from corescore.analysis.perturbation.documents import perturbed_documents
from corescore.analysis.perturbation.mentions import Mentions
from corescore.arrays import BoolArray, IntArray
from corescore.corpus.documents import Document
from corescore.counting.comparison import Comparison, compare
from corescore.counting.matching import Matching
from corescore.counting.policies import Policies, Singletons
from corescore.counting.sides import Side


@dataclass(frozen=True, eq=False)
class Draft:
    """A response to perturb, compared with its key.

    Mentions and entities are numbered through the corpus, in text order.
    """

    comparison: Comparison

    @classmethod
    def of(
        cls,
        key: Sequence[Document],
        response: Sequence[Document],
        *,
        singletons: Singletons = "keep",
    ) -> "Draft":
        """The draft of paired documents; a span listed twice keeps its first entity.

        With singletons "drop", entities of one mention are removed from both sides first.
        """
        return cls(compare(key, response, Policies(singletons=singletons)))

    @cached_property
    def mentions(self) -> Mentions:
        """The response's mentions as they are."""
        view = self.comparison.precision
        own, entity = view.own, view.own_entity
        accompanied = self.entity_sizes[entity] > 1
        itself = np.arange(len(entity))
        spans = own.document, own.start, own.end
        return Mentions(*spans, entity, view.own_partner, itself, accompanied)

    @property
    def n_documents(self) -> int:
        return len(self.comparison.key)

    @property
    def n_entities(self) -> int:
        return len(self.entity_sizes)

    @property
    def entity_sizes(self) -> IntArray:
        """(entities,) mentions of each response entity."""
        return self.comparison.table.response_sizes

    @property
    def entity_document(self) -> IntArray:
        """(entities,) the document of each response entity, ascending."""
        return self.comparison.table.response_document

    @cached_property
    def entities_in(self) -> IntArray:
        """(documents,) how many response entities each document has."""
        return np.bincount(self.entity_document, minlength=self.n_documents)

    @cached_property
    def first_entity(self) -> IntArray:
        """(documents,) the first response entity of each document."""
        return np.cumsum(self.entities_in) - self.entities_in

    @cached_property
    def missing(self) -> IntArray:
        """The key mentions that the response lacks, ascending."""
        return np.flatnonzero(self.comparison.recall.own_partner < 0)

    def missing_for(self, incorrect: Incorrect) -> IntArray:
        """The missing mentions that a wrong entity makes incorrectly resolved: "all", or only those
        with a link in the key."""
        entity = self.comparison.recall.own_entity[self.missing]
        linked = self.comparison.table.key_sizes[entity] > 1
        return self.missing[linked] if incorrect == "linked" else self.missing

    def incorrectly_resolved(self, incorrect: Incorrect = "all") -> BoolArray:
        """(mentions,) see `corescore.analysis.errors.mentions.incorrectly_resolved`."""
        return self._incorrectly_resolved[incorrect]

    @cached_property
    def _incorrectly_resolved(self) -> dict[Incorrect, BoolArray]:
        """By each reading, found once for all runs of a sweep."""
        return {one: incorrectly_resolved(self.comparison, incorrect=one) for one in INCORRECT}

    @cached_property
    def unlinked(self) -> BoolArray:
        """(mentions,) see `corescore.analysis.errors.mentions.unlinked`."""
        return unlinked(self.comparison)

    @cached_property
    def types(self) -> IntArray:
        """(mentions,) their types, by their positions in MENTION_TYPES."""
        return SLICES["type"](self.comparison, self.comparison.precision).number

    @cached_property
    def _lengths(self) -> tuple[IntArray, BoolArray]:
        """(documents,) how many positions each document has, and whether positions can be added: in
        notation, and where the words are unknown."""
        both = [*zip(self.comparison.key, self.comparison.response, strict=True)]
        length = np.array([max(map(_n_words, pair)) for pair in both], dtype=np.int64)
        wordless = length == 0
        for side in (self.comparison.matching.key, self.comparison.matching.response):
            np.maximum.at(length, side.document, side.end)
        is_named = np.array([key.named_mentions for key, _ in both], dtype=bool)
        return length, is_named | (wordless & (length > 0))

    def free_words(self, most: IntArray) -> tuple[IntArray, IntArray]:
        """Documents and positions, ascending, of the words that are a mention on neither side.

        most  (documents,) how many positions to add at the end, where that is possible
        """
        length, is_open = self._lengths
        space = length + most * is_open
        start = np.cumsum(space) - space
        document = np.repeat(np.arange(len(space)), space)
        position = np.arange(len(document)) - start[document]
        free = ~is_open[document] | (position >= length[document])
        for at, of_document in enumerate(self.comparison.response):
            free[start[at] + np.array([*of_document.empty_nodes], dtype=np.int64)] = False
        for side in (self.comparison.matching.key, self.comparison.matching.response):
            words = side.keep(side.end - side.start == 1)
            free[start[words.document] + words.start] = False
        return document[free], position[free]

    def key_mentions(self, which: IntArray, entity: IntArray) -> Mentions:
        """These mentions of the key as mentions of these response entities."""
        key = self.comparison.matching.key
        spans = key.document[which], key.start[which], key.end[which]
        added, alone = np.full(len(which), -1), np.zeros(len(which), dtype=bool)
        return Mentions(*spans, entity, which, added, alone)

    def matching(self, mentions: Mentions) -> Matching:
        """The key matched with these mentions instead of the draft's."""
        width = 1 + mentions.entity.max(initial=0)
        codes, entity = np.unique(mentions.document * width + mentions.entity, return_inverse=True)
        spans = mentions.start, mentions.end, mentions.own
        side = Side(mentions.document, entity, *spans, codes // width)
        shared = np.flatnonzero(mentions.key_mention >= 0)
        key_mention = mentions.key_mention[shared]
        return replace(
            self.comparison.matching,
            response=side,
            key_mention=key_mention,
            response_mention=shared,
        )

    def documents(self, mentions: Mentions) -> tuple[Document, ...]:
        """The response's documents with these mentions instead of the draft's."""
        return perturbed_documents(self.comparison, mentions)


def _n_words(document: Document) -> int:
    """How many words there are, known or, of rows without a column of words, not; else 0."""
    return len(document.words or () if document.lines is None else document.lines)
