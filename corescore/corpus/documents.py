"""The values everything starts from: documents and corpora. All frozen."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.mentions import Attributes, EmptyNode, Mention, Original, Pieces
from corescore.corpus.text_order import Rows, in_text_order

_NONE: dict[Any, Any] = {}  # one for all documents


@dataclass(frozen=True, eq=False)
class Document:
    """One side's view of one document: its words and the entities over them.

    rows             (mentions, 3) start, end and entity of each mention: start and end in words
                     of the document, half-open; in text order, that is by start, the longer
                     first; entities numbered from 0 in the text order of their first mentions.
    words            the words; empty if unknown.
    sentence_starts  the position of the first word of each sentence.
    speakers         one for each sentence ("" if unknown); empty if no speaker is known.
    tags             the part of speech of each word ("" if unknown); empty if none is known.
    lemmas           the lemma of each word, in the same way.
    named_mentions   True where words are only names of mentions (notation): a mention is then
                     the same on both sides if its name is, wherever it stands.
    file, lines      where it was read: the file, and the line of each word. Only for messages.
    attributes       what is known of the mentions beyond their spans; None if nothing is.
    empty_nodes      the words that are not in the text, by their positions.
    split_antecedents  (entity, antecedents): an entity that refers to several others at once, such
                     as "they" to two people; shown, never scored.
    named_spans      spans that the file names, mentions or not, such as GAP's "Pronoun" and "A".
    listed           of a document that lists a span twice, its entities in the order in which the
                     file opens them: in a word first the one-word mentions; () of every other.
    original         the text it was read from, if its format keeps it.
    genre            what the file says that the text is, such as "news"; "" if it says nothing.

    Build one with `Document.of_rows` or `Document.of_entities`, which put mentions in order.
    """

    name: str
    rows: IntArray
    words: tuple[str, ...] = ()
    sentence_starts: tuple[int, ...] = ()
    speakers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    named_mentions: bool = False
    file: str = ""
    lines: IntArray | None = None
    attributes: Attributes | None = None
    empty_nodes: Mapping[int, EmptyNode] = field(default_factory=dict)
    split_antecedents: tuple[tuple[int, tuple[int, ...]], ...] = ()
    named_spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    listed: tuple[int, ...] = ()
    original: Original | None = field(default=None, repr=False)
    genre: str = ""

    def called(self, name: str) -> "Document":
        """The document by another name; quicker than `replace`, for files of many."""
        if name == self.name:
            return self
        other = object.__new__(type(self))
        for known in _FIELDS:
            object.__setattr__(other, known, getattr(self, known))
        object.__setattr__(other, "name", name)
        if self.original:
            object.__setattr__(other, "original", replace(self.original, name=name))
        return other

    @cached_property
    def n_entities(self) -> int:
        """How many entities there are."""
        return int(self.rows[:, 2].max(initial=-1)) + 1

    @classmethod
    def of_rows(
        cls,
        name: str,
        rows: Rows,
        *,
        words: Sequence[str] = (),
        sentence_starts: Sequence[int] | None = None,
        speakers: Sequence[str] = (),
        tags: Sequence[str] = (),
        lemmas: Sequence[str] = (),
        named_mentions: bool = False,
        file: str = "",
        lines: IntArray | None = None,
        attributes: Attributes | None = None,
        empty_nodes: Mapping[int, EmptyNode] | None = None,
        split_antecedents: Iterable[tuple[Hashable, Sequence[Hashable]]] = (),
        named_spans: Mapping[str, tuple[int, int]] | None = None,
        original: Original | None = None,
        genre: str = "",
    ) -> "Document":
        """A document out of (start, end, entity id) rows in any order; ids may be anything.

        The rows may be an array. Of two of them with one span, that of the entity that appears
        first in the text comes first.
        Without `sentence_starts` all words are one sentence. `attributes` are in the order of the
        rows; split antecedents are named by the ids, and left out where one has no mention.
        Raises ValueError for a span without a word or before the document, and for tags or lemmas
        that are not one for each word.
        """
        ordered = in_text_order(name, rows)
        number = ordered.number
        for kind, of_words in (("tags", tags), ("lemmas", lemmas)):
            if of_words and len(of_words) != len(words):
                found = f"{len(of_words)} {kind} for {len(words)} words"
                raise ValueError(f"document '{name}' has {found}")
        return cls(
            name,
            ordered.table,
            tuple(words),
            tuple(sentence_starts) if sentence_starts is not None else (0,) * bool(words),
            tuple(speakers),
            tuple(tags),
            tuple(lemmas),
            named_mentions,
            file,
            lines,
            attributes.take(ordered.order) if attributes is not None else None,
            empty_nodes or _NONE,
            tuple(
                (number[entity], tuple(number[one] for one in antecedents))
                for entity, antecedents in split_antecedents
                if {entity, *antecedents} <= number.keys()
            ),
            named_spans or _NONE,
            ordered.listed,
            original,
            genre,
        )

    @classmethod
    def of_entities(
        cls, name: str, entities: Iterable[Iterable[tuple[int, int]]], *, words: Sequence[str] = ()
    ) -> "Document":
        """A document out of entities, each a collection of half-open (start, end) spans."""
        rows = [(s, e, i) for i, entity in enumerate(entities) for s, e in entity]
        return cls.of_rows(name, rows, words=words)

    @property
    def spans(self) -> IntArray:
        """(mentions, 2) start and end of each mention."""
        return self.rows[:, :2]

    @property
    def entity_of(self) -> IntArray:
        """(mentions,) the entity of each mention."""
        return self.rows[:, 2]

    @property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """(start, end) of each sentence, half-open."""
        return tuple(pairwise((*self.sentence_starts, len(self.words))))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All mentions in text order."""
        if self.attributes is None:
            return tuple(Mention(start, end) for start, end in self.spans.tolist())
        pieces = self.attributes.pieces
        spans = zip(self.spans.tolist(), pieces, strict=True)
        return tuple(Mention(start, end, of_span) for (start, end), of_span in spans)

    @cached_property
    def entities(self) -> tuple[tuple[Mention, ...], ...]:
        """The mentions of each entity, both in text order."""
        members: list[list[Mention]] = [[] for _ in range(self.n_entities)]
        for mention, entity in zip(self.mentions, self.entity_of.tolist(), strict=True):
            members[entity].append(mention)
        return tuple(map(tuple, members))

    @cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits by which two documents are told apart without keeping them.

        They depend on what scores depend on: the mentions with their entities, heads, minimum spans
        and pieces, the number of words and the places of empty nodes; of notation also on the names
        of mentions. Not on the text.
        """
        known = self.attributes
        pieces = [(at, of) for at, of in enumerate(known.pieces) if of] if known else []
        arrays = [self.rows] if known is None else [self.rows, known.head, known.minimum]
        names = self.words if self.named_mentions else ()
        places = repr((len(self.words), sorted(self.empty_nodes), pieces))
        digest = blake2b(places.encode(), digest_size=16)
        for part in (*(array.astype("<i8").tobytes() for array in arrays), repr(names).encode()):
            digest.update(part)
        return digest.hexdigest()

    @cached_property
    def shown_words(self) -> tuple[str, ...]:
        """The words as they are shown: one that is not in the text as ∅, with its form if any."""
        if not self.empty_nodes:
            return self.words
        forms = enumerate(self.words)
        return tuple(f"∅{w.strip('_')}" if at in self.empty_nodes else w for at, w in forms)

    def mention(self, start: int, end: int) -> Mention:
        """The mention of a span: with its pieces, if the document has one with gaps there."""
        return Mention(start, end, self._pieces.get((start, end), ()))

    @cached_property
    def _pieces(self) -> dict[tuple[int, int], Pieces]:
        pieces = self.attributes.pieces if self.attributes else ()
        return {(*self.spans[at].tolist(),): of for at, of in enumerate(pieces) if of}

    def text(self, mention: Mention) -> str:
        """The words of a mention, joined by spaces; " … " stands for a gap."""
        return " … ".join(" ".join(self.shown_words[start:end]) for start, end in mention.runs)

    def text_at(self, start: int, end: int) -> str:
        """The words of the mention of a span, as `text` of `mention` joins them."""
        if (start, end) in self._pieces:
            return self.text(self.mention(start, end))
        return " ".join(self.shown_words[start:end])

    def with_entities(
        self,
        rows: Rows,
        attributes: Attributes | None = None,
    ) -> "Document":
        """The same text with other (start, end, entity id) rows, and without split antecedents."""
        ordered = in_text_order(self.name, rows)
        return replace(
            self,
            rows=ordered.table,
            attributes=attributes.take(ordered.order) if attributes is not None else None,
            split_antecedents=(),
            listed=ordered.listed,
        )

    def __eq__(self, other: object) -> bool:
        """Equal in all that is said of the text; where it was read does not count."""
        if not isinstance(other, Document):
            return NotImplemented
        same_values = self._values() == other._values()
        return (
            same_values
            and np.array_equal(self.rows, other.rows)
            and self.attributes == other.attributes
            and self.empty_nodes == other.empty_nodes
            and self.named_spans == other.named_spans
        )

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[object, ...]:
        text = self.words, self.sentence_starts, self.speakers, self.tags, self.lemmas
        return self.name, *text, self.named_mentions, self.split_antecedents


_FIELDS = tuple(known.name for known in fields(Document))


@dataclass(frozen=True)
class Corpus:
    """The documents of one file or folder, in order.

    `warnings` are what the reader noticed and read all the same, each with file and line;
    `format` is the id of the format that one file was in.
    """

    documents: tuple[Document, ...]
    file: str = field(default="", compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)
    format: str = field(default="", compare=False)

    @cached_property
    def by_name(self) -> dict[str, Document]:
        """The documents by their names."""
        return {document.name: document for document in self.documents}

    def __getitem__(self, name: str) -> Document:
        return self.by_name[name]

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)
