"""The values everything starts from: documents and corpora. All frozen."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import blake2b
from itertools import chain, count, pairwise
from sys import intern
from typing import Any, NamedTuple, Self, overload

import numpy as np

from corescore.corpus.problems import did_you_mean
from corescore.util import BoolArray, IntArray, ranges
from corescore.wording import counted

# A mention, what a file may tell of it beyond its span, and words that are not in the text --------

_HALVES = "surrogatepass"  # half a character, which only a program can give, is kept

Pieces = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A span of one document: the words from `start` up to, but not including, `end`.

    A discontinuous mention also has `pieces`: (start, end) pairs in ascending order, not adjacent.

    >>> from corescore import Mention
    >>> Mention(0, 2), Mention(0, 4, pieces=((0, 1), (3, 4))).runs
    (Mention(start=0, end=2, pieces=()), ((0, 1), (3, 4)))
    """

    start: int
    end: int
    pieces: Pieces = ()

    @property
    def runs(self) -> Pieces:
        """The (start, end) of each of its pieces; of the whole span if it has no gap."""
        return self.pieces or ((self.start, self.end),)


@dataclass(frozen=True, eq=False)
class Attributes:
    """What a file tells of its mentions beyond their spans and entities, a value each.

    head          (mentions,) the position of the head; −1 if unknown
    minimum       (mentions, 2) the minimum span, half-open; −1 if unknown
    pieces        of a discontinuous mention its pieces, as in `Mention`; () of every other
    entity_type   such as "person"; "" if unknown
    mention_type  such as "pronoun"; "" if unknown
    """

    head: IntArray
    minimum: IntArray
    pieces: tuple[Pieces, ...]
    entity_type: tuple[str, ...]
    mention_type: tuple[str, ...]

    @classmethod
    def of(
        cls,
        n_mentions: int,
        *,
        head: Sequence[int] = (),
        minimum: Sequence[tuple[int, int]] = (),
        pieces: Sequence[Pieces] = (),
        entity_type: Sequence[str] = (),
        mention_type: Sequence[str] = (),
    ) -> Self:
        """The attributes of this many mentions; what is left out is unknown of all of them. Of a
        mention without a gap the pieces are none, or one."""
        return cls(
            np.array(head or [-1] * n_mentions, dtype=np.int64),
            np.array(minimum or [(-1, -1)] * n_mentions, dtype=np.int64).reshape(-1, 2),
            tuple(of if len(of) > 1 else () for of in pieces) or ((),) * n_mentions,
            tuple(entity_type) or ("",) * n_mentions,
            tuple(mention_type) or ("",) * n_mentions,
        )

    def take(self, order: IntArray) -> "Attributes":
        """Those of the mentions at these positions, in this order."""
        numbers = order.tolist()
        return Attributes(
            self.head[order],
            self.minimum[order],
            tuple(map(self.pieces.__getitem__, numbers)),
            tuple(map(self.entity_type.__getitem__, numbers)),
            tuple(map(self.mention_type.__getitem__, numbers)),
        )

    def plus(self, other: "Attributes") -> "Attributes":
        """Those of these mentions and the others."""
        return Attributes(
            np.concatenate([self.head, other.head]),
            np.concatenate([self.minimum, other.minimum]),
            self.pieces + other.pieces,
            self.entity_type + other.entity_type,
            self.mention_type + other.mention_type,
        )

    @property
    def or_none(self) -> "Attributes | None":
        """The same, or None if nothing is known."""
        texts = (*self.pieces, *self.entity_type, *self.mention_type)
        known = any(texts) or (self.head >= 0).any() or (self.minimum >= 0).any()
        return self if known else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Attributes):
            return NotImplemented
        return all(
            np.array_equal(one, of) if isinstance(one, np.ndarray) else one == of
            for one, of in zip(vars(self).values(), vars(other).values(), strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.pieces, self.entity_type, self.mention_type))


class EmptyNode(NamedTuple):
    """A word that is not in the text, such as a dropped pronoun (CoNLL-U `8.1`).

    number   its place among the empty nodes after the same word: 1 in `8.1`
    parents  (position, relation) of each word that it depends on; the root is −1
    absent   whether only the other side has it, so that both sides have the same positions
    """

    number: int
    parents: frozenset[tuple[int, str]] = frozenset()
    absent: bool = False


class JoinedWords(Sequence[str]):
    """The words of a text, joined until somebody reads them: most are only counted and compared.

    joined   with a line feed between them
    n_words  how many they are
    nothing  words that are read as ""
    """

    def __init__(self, joined: str, n_words: int, nothing: Set[str] = frozenset()) -> None:
        self.joined, self._n_words, self._nothing = joined, n_words, nothing

    @classmethod
    def of(cls, *sentences: Sequence[str]) -> Sequence[str]:
        """The words of sentences joined; as they are if there is a line feed in one of them."""
        joined = "\n".join(map("\n".join, filter(None, sentences)))
        n_words = sum(map(len, sentences))
        if joined.count("\n") + 1 == n_words:
            return cls(joined, n_words)
        return tuple(chain.from_iterable(sentences))

    @cached_property
    def _words(self) -> tuple[str, ...]:
        words = self.joined.split("\n") if self._n_words else []
        if self._nothing:
            words = ["" if word in self._nothing else word for word in words]
        return tuple(map(intern, words))

    def without(self, nothing: Set[str]) -> Sequence[str]:
        """The same with "" for each word that holds nothing; none if no word holds more."""
        if any(self.joined == (f"{one}\n" * self._n_words)[:-1] for one in nothing):
            return ()
        is_more = self.joined.strip("".join(nothing) + "\n")  # of most texts the first word is
        if not is_more and {*self.joined.split("\n")} <= {*nothing, ""}:
            return ()
        return JoinedWords(self.joined, self._n_words, nothing)

    def __len__(self) -> int:
        return self._n_words

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._words[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, JoinedWords) and self._nothing == other._nothing:
            return self.joined == other.joined and self._n_words == other._n_words
        return self._words == (other._words if isinstance(other, JoinedWords) else other)

    def __hash__(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return repr(self._words)

    def __reduce__(self) -> tuple[type["JoinedWords"], tuple[str, int, Set[str]]]:
        return JoinedWords, (self.joined, self._n_words, self._nothing)


@dataclass(frozen=True, slots=True, eq=False)
class Original:
    """The text a document was read from, so that it can be written as it was.

    It is kept as bytes, which take half the room of a text with a single dash, and where the bytes
    of the file are kept anyway, as a stretch of them.

    format   the id of its format
    source   bytes in UTF-8, which hold its lines, such as those from #begin document up to the next
             one's, from `start` up to `stop`
    name     that of the document in it
    line     the number of the first of them, counted as `Document.lines` are
    newline  how the lines of the file end
    """

    format: str
    source: bytes
    start: int
    stop: int
    name: str
    line: int
    newline: str = "\n"

    @classmethod
    def of(cls, format: str, text: str, name: str, line: int) -> "Original":
        """The original of a document that is this text, whose lines end in LF."""
        source = text.encode("utf-8", _HALVES)
        return cls(format, source, 0, len(source), name, line)

    @property
    def text(self) -> str:
        """Its lines, with LF after each."""
        return self.source[self.start : self.stop].decode("utf-8", _HALVES)

    def within(self, source: bytes, start: int) -> "Original":
        """The same as a stretch of other bytes, if they are the same from `start` on."""
        if self.start or not source.startswith(self.source, start):
            return self
        stop = start + len(self.source)
        return Original(self.format, source, start, stop, self.name, self.line, self.newline)

    # What else the bytes hold does not count, and does not go to another process.

    def _own(self) -> tuple[str, bytes, str, int, str]:
        return self.format, self.source[self.start : self.stop], self.name, self.line, self.newline

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Original) and self._own() == other._own()

    def __hash__(self) -> int:
        return hash(self._own())

    def __reduce__(self) -> tuple[Any, ...]:
        format_id, own, *more = self._own()
        return Original, (format_id, own, 0, len(own), *more)


# The mentions of a document in text order, and its entities numbered in the order they appear -----

Row = tuple[int, int, Hashable]  # (start, end, entity id) of a mention


class Columns(NamedTuple):
    """The starts, the ends and the entity ids of all mentions."""

    starts: Sequence[int] | IntArray
    ends: Sequence[int] | IntArray
    ids: Sequence[Hashable]


# Those of all mentions; an array if the ids are whole numbers
Rows = Columns | IntArray | Iterable[Row]


class Ordered(NamedTuple):
    """Rows in text order.

    table   (mentions, 3) `Document.rows`
    order   (mentions,) which of the rows, as given, stands where
    number  of each entity id
    listed, met  as in `Document`
    """

    table: IntArray
    order: IntArray
    number: dict[Hashable, int]
    listed: tuple[int, ...] = ()
    met: tuple[int, ...] = ()

    def renumbered(
        self, split_antecedents: Iterable[tuple[Hashable, Sequence[Hashable]]]
    ) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """`Document.split_antecedents` of these ids, but those of which one has no mention."""
        return tuple(
            (self.number[entity], tuple(self.number[one] for one in antecedents))
            for entity, antecedents in split_antecedents
            if {entity, *antecedents} <= self.number.keys()
        )

    def of_plurals(
        self, non_referring: Iterable[tuple[Hashable, Pieces]], plurals: Mapping[int, object]
    ) -> tuple[tuple[int, Pieces], ...]:
        """`Document.non_referring` of these ids, but those of entities that are no plurals now."""
        numbered = ((self.number.get(entity, -1), spans) for entity, spans in non_referring)
        return tuple(pair for pair in numbered if pair[0] in plurals)


def in_text_order(
    name: str, rows: Rows, *, met: Sequence[int] = (), numbered: Sequence[Hashable] = ()
) -> Ordered:
    """The rows of the document of this name, put in order.

    met       the places of the rows in the order in which they are met, if it is another
    numbered  if a span is there twice: the ids of the entities in the order of their numbers, if it
              is not that of the text

    Raises ValueError for a span without a word or before the document.
    """
    starts, ends, ids = columns_of(rows)
    start, end = np.asarray(starts, dtype=np.int64), np.asarray(ends, dtype=np.int64)
    order = _by_span(start, end)
    start, end = start[order], end[order]
    number: dict[Hashable, int] = defaultdict(count().__next__)
    entities = map(number.__getitem__, map(ids.__getitem__, order.tolist()))
    table = np.column_stack([start, end, np.fromiter(entities, np.int64, len(ids))])
    if (len(ids) and start[0] < 0) or np.count_nonzero(end <= start):
        raise ValueError(f"document '{name}' has a span that is not 0 ≤ start < end")
    if not np.count_nonzero((start[1:] == start[:-1]) & (end[1:] == end[:-1])):
        return Ordered(table, order, dict(number))
    if numbered:
        given = dict.fromkeys(one for one in numbered if one in number)
        number = {one: at for at, one in enumerate(given)}
        table[:, 2] = [number[ids[at]] for at in order.tolist()]
    again = np.lexsort((table[:, 2], -table[:, 1], table[:, 0]))
    as_met = dict.fromkeys(number[ids[at]] for at in met or range(len(ids)))
    return Ordered(table[again], order[again], dict(number), _listed(table, order), (*as_met,))


def in_text_order_at_once(
    start: IntArray, end: IntArray, entity: IntArray, sizes: IntArray
) -> Iterator[Ordered | None]:
    """The rows of several documents, each as `in_text_order` has them but without `number`, faster
    than one by one; None for a document that has a span twice.

    start, end  (rows,) of all documents, one after the other; nobody checks that 0 ≤ start < end
    entity      (rows,) a number for each entity, counted from 0 through all documents
    sizes       (documents,) how many rows each has
    """
    document = np.repeat(np.arange(len(sizes)), sizes)
    first_word = document * end.max(initial=0)
    order = _by_span(start + first_word, end + first_word)
    start, end, entity = start[order], end[order], entity[order]
    places = np.arange(len(order))
    first = np.empty(entity.max(initial=-1) + 1, dtype=np.int64)  # of each entity its first place
    first[entity[::-1]] = places[::-1]
    n_entities = np.cumsum(first[entity] == places)
    bounds = np.append(0, np.cumsum(sizes))
    before = bounds[document]
    number = n_entities[first[entity]] - n_entities[before]
    table = np.column_stack([start, end, number])
    is_again = (np.diff(start) == 0) & (np.diff(end) == 0) & (np.diff(document) == 0)
    twice = {*document[1:][is_again].tolist()}
    order -= before
    for n, bound in enumerate(pairwise(bounds.tolist())):
        its = slice(*bound)
        yield None if n in twice else Ordered(table[its], order[its], {})


def _by_span(start: IntArray, end: IntArray) -> IntArray:
    """The order by start, the longer first."""
    is_wide = np.count_nonzero((start | end) >> 31)  # otherwise one number has room for both
    return np.lexsort((-end, start)) if is_wide else np.argsort((start << 32) - end, kind="stable")


def _listed(table: IntArray, order: IntArray) -> tuple[int, ...]:
    """The entities as the rows open them that stood in this order before they were sorted."""
    given = np.empty_like(table)
    given[order] = table
    start, end, entity = given.T
    opened = np.lexsort((end - start > 1, start))
    return tuple(dict.fromkeys(entity[opened].tolist()))


def columns_of(rows: Rows) -> Columns:
    """The rows as columns."""
    if isinstance(rows, Columns):
        return rows
    if isinstance(rows, np.ndarray):
        starts, ends, ids = rows.T
        return Columns(starts, ends, ids.tolist())
    return Columns(*zip(*rows, strict=True)) if (rows := [*rows]) else Columns((), (), ())


# Where the words of one text are in another that has them in the same order -----------------------

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Positions:
    """Where the words of one text are in another.

    start, end  (words,) half-open ranges of words of the other text, ascending; 0, 0 of a word that
                it lacks
    n_words     how many words the other text has
    apart       whether a word that only the other text has is no part of a mention around it
    """

    start: IntArray
    end: IntArray
    n_words: int
    apart: bool = False

    @classmethod
    def of(cls, positions: IntArray, n_words: int) -> Self:
        """Each word is the other text's word at this position; −1 of one that it lacks."""
        return cls(np.maximum(positions, 0), positions + 1, n_words, apart=True)

    @cached_property
    def sources(self) -> IntArray:
        """(n_words,) the first word that is at each position of the other text; −1 if none is."""
        known = np.flatnonzero(self.end)[::-1]
        which, place = ranges(self.start[known], self.end[known])
        source = np.full(self.n_words, NOWHERE)
        source[place] = known[which]
        return source

    @cached_property
    def following(self) -> IntArray:
        """(words + 1,) the first word from each on that the other text has; `words` if none is."""
        n = len(self.end)
        here = np.where(self.end > 0, np.arange(n), n)
        return np.append(np.minimum.accumulate(here[::-1])[::-1], n)

    @cached_property
    def preceding(self) -> IntArray:
        """(words + 1,) the last word before each that the other text has; −1 if none is."""
        here = np.where(self.end > 0, np.arange(len(self.end)), NOWHERE)
        return np.append(NOWHERE, np.maximum.accumulate(here))

    def words(self, old: IntArray) -> IntArray:
        """The new positions of these words; −1 of one that the other text lacks, and of −1."""
        return np.append(np.where(self.end > 0, self.start, NOWHERE), NOWHERE)[old]

    def spans(self, spans: IntArray) -> IntArray:
        """(spans, 2) the smallest ranges that cover the words of these; −1, −1 if none is left."""
        first, last = self.following[spans[:, 0]], self.preceding[spans[:, 1]]
        start, end = np.append(self.start, NOWHERE)[first], np.append(self.end, NOWHERE)[last]
        return np.where((first <= last)[:, None], np.column_stack([start, end]), NOWHERE)

    def runs(self, document: "Document") -> list[Pieces]:
        """The new pieces of each mention; one for a mention without a gap, none if no word is left.

        Pieces that touch are joined.
        """
        spans = self.spans(document.spans)
        foreign = (self.sources < 0) & self.apart
        n_foreign = np.append(0, np.cumsum(foreign))[spans]
        is_cut = (n_foreign[:, 0] < n_foreign[:, 1]).tolist()
        pieces = document.pieces
        runs: list[Pieces] = []
        for (start, end), cut, of in zip(spans.tolist(), is_cut, pieces, strict=True):
            if of or cut:
                covered = self.spans(np.array(of)).tolist() if of else [(start, end)]
                runs.append(_joined(covered, foreign))
            else:
                runs.append(((start, end),) * (start != NOWHERE))
        return runs


def _joined(spans: Iterable[tuple[int, int]], left_out: BoolArray) -> Pieces:
    """The runs of the positions in these ranges, without those that are left out."""
    every = np.unique(np.concatenate([np.arange(start, end) for start, end in spans]))
    kept = every[~left_out[every]]
    runs = np.split(kept, np.flatnonzero(np.diff(kept) > 1) + 1)
    return tuple((int(run[0]), int(run[-1]) + 1) for run in runs if len(run))


# Documents and corpora ----------------------------------------------------------------------------

UNNAMED = "document"  # the name of one without a name

_NONE: dict[Any, Any] = {}  # one for all documents


class _Cached:
    """Where a class of slots keeps its cached properties."""


@dataclass(frozen=True, eq=False, slots=True)
class Document(_Cached):
    """One side's view of one document: its words and the entities over them.

    rows             (mentions, 3) start, end and entity of each mention: start and end in words
                     of the document, half-open; in text order, that is by start, the longer
                     first; entities numbered from 0 in the text order of their first mentions.
    words            the words; empty if unknown.
    sentence_starts  the position of the first word of each sentence.
    speakers         one for each sentence ("" if unknown); empty if no speaker is known.
    tags             the part of speech of each word ("" if unknown); empty if none is known.
    lemmas           the lemma of each word, in the same way.
    named_mentions   True if the words are only names of mentions (brace notation): mentions then
                     match by name, whatever their position.
    file, lines      where it was read: the file, and the line of each word. Only for messages.
    attributes       the mentions' heads, types and the like; None if nothing is known.
    empty_nodes      words that are not in the text (zeros), by position.
    split_antecedents  (entity, antecedents): an entity that refers to several others at once, such
                     as "they" to two people.
    non_referring    (entity, spans): one more of its antecedents, which is no entity of the
                     document because it does not refer, by the spans of its mentions.
    named_spans      spans with a name in the file, mentions or not, such as GAP's "Pronoun".
    listed, met      if a span is listed twice: the entities in the order in which the file opens
                     them (at the same word, one-word mentions first), and in the order of the
                     mentions as they are met (as they are listed; as brackets close them in CoNLL
                     columns); otherwise ().
    original         the text it was read from, if its format keeps it.
    genre            the genre that the file gives, such as "news"; "" if it gives none.
    as_text          whether each empty node stands after the word that it depends on, and heads are
                     those of the key: texts for language models (text2text)

    Build one with `Document.of_rows` or `Document.of_entities`, which sort the mentions.

    >>> from corescore import Document
    >>> words = ["Mia", "fed", "her", "cat"]
    >>> document = Document.of_entities("story", [[(2, 3), (0, 1)], [(2, 4)]], words=words)
    >>> [[document.text(mention) for mention in entity] for entity in document.entities]
    [['Mia', 'her'], ['her cat']]
    """

    name: str
    rows: IntArray
    words: Sequence[str] = ()
    sentence_starts: tuple[int, ...] = ()
    speakers: tuple[str, ...] = ()
    tags: Sequence[str] = ()
    lemmas: Sequence[str] = ()
    named_mentions: bool = False
    file: str = ""
    lines: IntArray | None = None
    attributes: Attributes | None = None
    empty_nodes: Mapping[int, EmptyNode] = field(default_factory=dict)
    split_antecedents: tuple[tuple[int, tuple[int, ...]], ...] = ()
    non_referring: tuple[tuple[int, Pieces], ...] = ()
    named_spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    listed: tuple[int, ...] = ()
    met: tuple[int, ...] = ()
    original: Original | None = field(default=None, repr=False)
    genre: str = ""
    as_text: bool = False

    def called(self, name: str) -> "Document":
        """The document under another name."""
        if name == self.name:
            return self
        original = self.original and replace(self.original, name=name)
        return replace(self, name=name, original=original)

    def __repr__(self) -> str:
        return f"Document {self.name!r}: {_sizes([self])}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the mentions of the first entities."""
        from corescore.rendering.tables import of_document

        return str(of_document(self))

    @cached_property
    def n_entities(self) -> int:
        """The number of entities."""
        return int(self.rows[:, 2].max(initial=-1)) + 1

    @classmethod
    def of_rows(
        cls,
        name: str,
        rows: Rows | Ordered,
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
        non_referring: Iterable[tuple[Hashable, Pieces]] = (),
        named_spans: Mapping[str, tuple[int, int]] | None = None,
        original: Original | None = None,
        genre: str = "",
        met: Sequence[int] = (),
        as_text: bool = False,
    ) -> "Document":
        """A document from (start, end, entity id) rows in any order; ids are any hashable values.

        The rows may be an array. If a span occurs twice, the row whose entity appears first in
        the text comes first; of named mentions, the one whose entity is given first. `met` are the
        places of the rows in the order in which they are met, if it is not as given.
        Without `sentence_starts` all words are one sentence. `attributes` are in the order of the
        rows; split antecedents are named by the ids, and left out if one has no mention.
        Raises ValueError for a span without a word or before the document, and for tags or lemmas
        that are not one for each word; TypeError for a name that is no text.
        """
        if not isinstance(name, str):
            raise TypeError(f"a document is named {name!r}; expected a text, such as {str(name)!r}")
        if isinstance(rows, Ordered):
            ordered = rows
        else:
            columns = columns_of(rows)
            numbered = columns.ids if named_mentions else ()
            ordered = in_text_order(name, columns, met=met, numbered=numbered)
        for kind, of_words in (("tag", tags), ("lemma", lemmas)):
            if of_words and len(of_words) != len(words):
                both = f"{counted(len(of_words), kind)} for {counted(len(words), 'word')}"
                raise ValueError(f"document '{name}' has {both}")
        several = ordered.renumbered(split_antecedents) if split_antecedents else ()
        return cls(
            name=name,
            rows=ordered.table,
            words=_kept(words),
            sentence_starts=(0,) * bool(words) if sentence_starts is None else (*sentence_starts,),
            speakers=tuple(speakers),
            tags=_kept(tags),
            lemmas=_kept(lemmas),
            named_mentions=named_mentions,
            file=file,
            lines=lines,
            attributes=attributes and attributes.take(ordered.order),
            empty_nodes=empty_nodes or _NONE,
            split_antecedents=several,
            non_referring=ordered.of_plurals(non_referring, dict(several)) if several else (),
            named_spans=named_spans or _NONE,
            listed=ordered.listed,
            met=ordered.met,
            original=original,
            genre=genre,
            as_text=as_text,
        )

    @classmethod
    def of_entities(
        cls, name: str, entities: Iterable[Iterable[tuple[int, int]]], *, words: Sequence[str] = ()
    ) -> "Document":
        """A document from entities, each a collection of half-open (start, end) spans."""
        rows = [(s, e, i) for i, entity in enumerate(entities) for s, e in entity]
        return cls.of_rows(name, rows, words=words)

    @property
    def place(self) -> str:
        """Its file, or its name without one, for messages."""
        return self.file or self.name

    def line_of(self, word: int) -> int:
        """The line of a word, or of the last with a known one; 0 if none is known."""
        known: list[int] = [] if self.lines is None else self.lines[: word + 1][-1:].tolist()
        return known[0] if known else 0

    @property
    def pieces(self) -> Sequence[Pieces]:
        """The pieces of each mention; none of one without a gap."""
        return self.attributes.pieces if self.attributes else ((),) * len(self.rows)

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
        spans = self.spans.tolist()
        return tuple(Mention(s, e, of) for (s, e), of in zip(spans, self.pieces, strict=True))

    @cached_property
    def entities(self) -> tuple[tuple[Mention, ...], ...]:
        """The mentions of each entity, both in text order."""
        members: list[list[Mention]] = [[] for _ in range(self.n_entities)]
        for mention, entity in zip(self.mentions, self.entity_of.tolist(), strict=True):
            members[entity].append(mention)
        return tuple(map(tuple, members))

    @cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that identify a document without keeping it.

        They depend on everything that affects scores: the mentions with their entities, heads,
        minimum spans and pieces, the number of words, the places of empty nodes and split
        antecedents; of notation also on the names of mentions. Not on the text.
        """
        known = self.attributes
        pieces = [(at, of) for at, of in enumerate(known.pieces) if of] if known else []
        arrays = [self.rows] if known is None else [self.rows, known.head, known.minimum]
        names = self.words if self.named_mentions else ()
        several = [self.split_antecedents, self.non_referring] if self.split_antecedents else []
        places = repr((len(self.words), sorted(self.empty_nodes), pieces, *several))
        digest = blake2b(places.encode(), digest_size=16)
        for part in (*(array.astype("<i8").tobytes() for array in arrays), repr(names).encode()):
            digest.update(part)
        return digest.hexdigest()

    @cached_property
    def shown_words(self) -> Sequence[str]:
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
        return {(*self.spans[at].tolist(),): of for at, of in enumerate(self.pieces) if of}

    def text(self, mention: Mention) -> str:
        """The words of a mention, joined by spaces; " … " marks a gap."""
        return " … ".join(" ".join(self.shown_words[start:end]) for start, end in mention.runs)

    def text_at(self, start: int, end: int) -> str:
        """The words of the mention of a span, as `text` of `mention` joins them."""
        return self.text(self.mention(start, end))

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
            attributes=attributes and attributes.take(ordered.order),
            split_antecedents=(),
            non_referring=(),
            listed=ordered.listed,
            met=ordered.met,
        )

    def keep(self, kept: BoolArray) -> "Document":
        """The document with only these of its mentions; the entities are renumbered."""
        if kept.all():
            return self
        attributes = self.attributes and self.attributes.take(np.flatnonzero(kept))
        return self._with_own(self.rows[kept], attributes)

    def with_merged(self, to: IntArray) -> "Document":
        """The document with entities merged: entity `e` becomes entity `to[e]`."""
        rows = self.rows.copy()
        rows[:, 2] = to[rows[:, 2]]
        return self._with_own(rows, self.attributes)

    def over(self, words: Sequence[str], positions: Positions) -> "Document":
        """The document over other words; `positions` gives the new positions of its own words.

        Mentions and sentences without any word left are dropped. A word that the document does
        not have gets no tag, no lemma, and the line of the word before it.
        """
        runs = positions.runs(self)
        kept = np.array([bool(of) for of in runs], dtype=bool)
        rows = [
            (of[0][0], of[-1][1], entity)
            for of, entity in zip(runs, self.entity_of.tolist(), strict=True)
            if of
        ]
        known = (self.attributes or Attributes.of(len(runs))).take(np.flatnonzero(kept))
        attributes = replace(
            known,
            head=positions.words(known.head),
            minimum=positions.spans(known.minimum),
            pieces=tuple(of if len(of) > 1 else () for of in runs if of),
        )
        starts, speakers = self._sentences_over(positions)
        lines = self.lines
        named = np.array([*self.named_spans.values()], dtype=np.int64).reshape(-1, 2)
        named_spans = zip(self.named_spans, positions.spans(named).tolist(), strict=True)
        own = self._with_own(rows, attributes if self.attributes else attributes.or_none)
        elements = (
            (plural, tuple((s, e) for s, e in positions.spans(np.array(of)).tolist() if e > 0))
            for plural, of in own.non_referring
        )
        return replace(
            own,
            non_referring=tuple((plural, of) for plural, of in elements if of),
            words=tuple(words),
            sentence_starts=starts,
            speakers=speakers,
            tags=_at(self.tags, positions.sources),
            lemmas=_at(self.lemmas, positions.sources),
            lines=(
                lines[np.maximum(np.maximum.accumulate(positions.sources), 0)]
                if lines is not None and len(lines)
                else None
            ),
            empty_nodes={
                to: node._replace(parents=_parents(node, positions))
                for node, to in zip(
                    self.empty_nodes.values(),
                    positions.words(np.array([*self.empty_nodes], dtype=np.int64)).tolist(),
                    strict=True,
                )
                if to != NOWHERE
            },
            named_spans={name: (start, end) for name, (start, end) in named_spans if start >= 0},
        )

    def _sentences_over(self, positions: Positions) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The starts of the sentences that have a word left, and their speakers."""
        spans = positions.spans(np.array(self.sentences, dtype=np.int64).reshape(-1, 2))[
            :, 0
        ].tolist()
        speakers = self.speakers or ("",) * len(spans)
        started: dict[int, str] = {}
        for start, speaker in zip(spans, speakers, strict=True):
            if start != NOWHERE:
                started.setdefault(start if started else 0, speaker)
        started = started or dict(zip([0], speakers, strict=False))
        return tuple(started), tuple(started.values()) if self.speakers else ()

    def _with_own(self, rows: Rows, attributes: Attributes | None) -> "Document":
        """The document with these rows of its own entities."""
        numbered = range(self.n_entities) if self.named_mentions else ()
        ordered = in_text_order(self.name, rows, numbered=numbered)
        listed, met = (
            tuple(ordered.number[one] for one in before if one in ordered.number)
            for before in (self.listed, self.met)
        )
        several = ordered.renumbered(self.split_antecedents)
        return replace(
            self,
            rows=ordered.table,
            attributes=attributes and attributes.take(ordered.order),
            split_antecedents=several,
            non_referring=ordered.of_plurals(self.non_referring, dict(several)),
            listed=listed or ordered.listed,
            met=met or ordered.met,
        )

    def __eq__(self, other: object) -> bool:
        """Equal in all that is said of the text; where it was read does not count."""
        if not isinstance(other, Document):
            return NotImplemented
        same_rows = np.array_equal(self.rows, other.rows)
        return same_rows and all(getattr(self, of) == getattr(other, of) for of in _SAID)

    def __hash__(self) -> int:
        return hash((self.name, self.words))


def _kept(words: Sequence[str]) -> Sequence[str]:
    return words if type(words) is JoinedWords else tuple(words)


def _at(values: Sequence[str], sources: IntArray) -> tuple[str, ...]:
    """The values of words at their new positions, "" where there was none; none of none."""
    known = [*values, ""]
    return tuple(known[at] for at in sources.tolist()) if values else ()


def _parents(node: EmptyNode, positions: Positions) -> frozenset[tuple[int, str]]:
    """The parents that are left, at their new positions; the root stays −1."""
    old = np.array([parent for parent, _ in node.parents], dtype=np.int64)
    moved = zip(positions.words(old).tolist(), node.parents, strict=True)
    return frozenset((to, relation) for to, (one, relation) in moved if to >= 0 or one < 0)


_ABOUT_READING = ("rows", "file", "lines", "listed", "met", "original", "genre")

# Of the text, beside the rows
_SAID = tuple(of.name for of in fields(Document) if of.name not in _ABOUT_READING)


def _sizes(documents: Iterable[Document]) -> str:
    """389 words, 107 mentions in 47 entities."""
    words = mentions = entities = 0
    for document in documents:
        words += len(document.words)
        mentions += len(document.rows)
        entities += document.n_entities
    annotated = f"{counted(mentions, 'mention')} in {counted(entities, 'entity')}"
    return f"{counted(words, 'word')}, {annotated}"


@dataclass(frozen=True)
class Corpus:
    """The documents of one file or folder, in order.

    `warnings`: problems the reader noticed but tolerated, each with file and line.
    `format`: the id of the file's format; "" if the documents come from several files.

    >>> import corescore
    >>> corpus = corescore.read("key.conll")
    >>> corpus
    Corpus: 17 documents, 6,586 words, 1,934 mentions in 797 entities | key.conll
    >>> corpus["news_harbour"]
    Document 'news_harbour': 372 words, 107 mentions in 52 entities
    """

    documents: tuple[Document, ...]
    file: str = field(default="", compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)
    format: str = field(default="", compare=False)

    def __repr__(self) -> str:
        place = f" | {self.file}" if self.file else ""
        return f"Corpus: {counted(len(self), 'document')}, {_sizes(self)}{place}"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first documents and how much each holds."""
        from corescore.rendering.tables import documents

        return str(documents(self))

    def __add__(self, other: "Corpus") -> "Corpus":
        """The documents of both, in order. Raises ValueError if a document's name is in both."""
        if not isinstance(other, Corpus):
            return NotImplemented
        if twice := self.by_name.keys() & other.by_name.keys():
            raise ValueError(f"two documents named {min(twice)!r}; expected each name once")
        file = self.file if self.file == other.file else ""
        return Corpus(
            self.documents + other.documents,
            file,
            self.warnings + other.warnings,
            self.format if self.format == other.format else "",
        )

    def __radd__(self, other: object) -> "Corpus":
        """So that `sum([a, b])` adds up."""
        return self if other == 0 else NotImplemented

    @cached_property
    def by_name(self) -> dict[str, Document]:
        """The documents by their names."""
        return {document.name: document for document in self.documents}

    def __getitem__(self, name: str) -> Document:
        try:
            return self.by_name[name]
        except KeyError:
            near = (
                did_you_mean(name, self.by_name)
                or ". Documents are in by_name, in order in documents."
            )
            raise KeyError(f"no document {name!r} in {self.file or 'the corpus'}{near}") from None

    def __contains__(self, one: object) -> bool:
        """Whether it has a document, or one of this name."""
        return one in self.by_name if isinstance(one, str) else one in self.documents

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)
