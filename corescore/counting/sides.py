"""One side of a corpus in flat arrays, under the policies for singletons and repeats."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corescore.corpus.documents import (
    NOWHERE,
    Attributes,
    Corpus,
    Document,
    EmptyNode,
    Pieces,
    Positions,
)
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.policies import Policies, Repeats
from corescore.util import BoolArray, IntArray

MOST_PLACES = 5

# The number of each way to be discontinuous, the same on both sides; 0 is a span without a gap.
Shapes = dict[Pieces, int]


class Side(NamedTuple):
    """The mentions of one side of a corpus in flat arrays, documents one after the other.

    document, entity, start, end   (mentions,) of each mention; entities are numbered through the
                                   corpus, and some may be left without a mention by a policy.
    rows_kept                      (mentions,) its row in its document; None where the side has
                                   all rows of each document.
    entity_document                (entities,) the document of each entity.
    n_repeats, repeats             how many mentions the side listed twice; and of the first their
                                   documents, rows and places in words.
    head                           (mentions,) the position of each head, −1 if unknown; None if
                                   no head is known.
    shape                          (mentions,) the number of its shape in `Shapes`; None if no
                                   mention is discontinuous.
    minimum                        (mentions, 2) the minimum span that the file names, −1 if
                                   unknown; None if it names heads, or no minimum span.
    label                          (mentions,) the number of its minimum span; None unless mentions
                                   are matched by it.
    """

    document: IntArray
    entity: IntArray
    start: IntArray
    end: IntArray
    rows_kept: IntArray | None
    entity_document: IntArray
    n_repeats: int = 0
    repeats: tuple[tuple[int, int, str], ...] = ()
    head: IntArray | None = None
    shape: IntArray | None = None
    minimum: IntArray | None = None
    label: IntArray | None = None

    def keep(self, kept: BoolArray | IntArray) -> "Side":
        """The side without the mentions where `kept` is False, or with those at these positions."""
        columns = {name: getattr(self, name) for name in _OF_MENTIONS} | {"rows_kept": self.row}
        known = {name: of[kept] for name, of in columns.items() if of is not None}
        return self._replace(**known)

    @property
    def row(self) -> IntArray:
        """(mentions,) its row in its document."""
        if self.rows_kept is not None:
            return self.rows_kept
        n_mentions = np.bincount(self.document)
        return np.arange(len(self.start)) - (np.cumsum(n_mentions) - n_mentions)[self.document]

    @property
    def without_singletons(self) -> "Side":
        """The side without the entities of one mention."""
        return self.keep(np.bincount(self.entity)[self.entity] > 1)

    @property
    def heads(self) -> IntArray:
        """(mentions,) the position of each head; the first word of a mention whose head is
        unknown, as in the CorefUD scorer."""
        return self.start if self.head is None else np.where(self.head < 0, self.start, self.head)

    @property
    def cores(self) -> IntArray:
        """(mentions, 2) the words of each mention that a part of it must have to match: its head,
        or its minimum span; −1 where a side that names minimum spans names none."""
        if self.minimum is not None:
            return self.minimum
        return np.column_stack([self.heads, self.heads + 1])

    @property
    def shapes(self) -> IntArray:
        """(mentions,) the number of each shape."""
        return np.zeros_like(self.start) if self.shape is None else self.shape

    def identity(self, policies: Policies) -> tuple[IntArray, ...]:
        """The columns in which two mentions are equal if they are the same mention, but for their
        shapes: the document, the span and, under match "head", the head; or the minimum span."""
        if self.label is not None:
            return self.document, self.label
        if policies.match != "head":
            return self.document, self.start, self.end
        is_word = self.end - self.start == 1  # which is then its head
        return self.document, self.start, self.end, np.where(is_word, self.start, self.heads)


_OF_MENTIONS = {*Side._fields} - {"entity_document", "n_repeats", "repeats"}


def flatten(
    documents: Sequence[Document],
    policies: Policies,
    shapes: Shapes | None = None,
    labels: IntArray | None = None,
    stage: int = Stage.KEY_REPEATS,
) -> Side:
    """One side in flat arrays under the policies for singletons, then those for repeats.

    `drop` removes singletons; then, of a span listed in several entities, `first` keeps the entity
    that appears first in its document, `error` raises InputError, and `all` keeps every one. A span
    listed twice in one entity is one mention. Entities that `first` leaves with one mention are
    singletons, too: under `drop` they are removed.

    shapes  the shapes of discontinuous mentions met so far; new ones are added
    labels  `Side.label`
    stage   of an error that is raised
    """
    side = side_of(documents, {} if shapes is None else shapes, labels)
    has_repeats = listed_before(side, policies).any()
    if has_repeats:
        again = listed_before(side, policies, side.entity)
        side = _without(side, again, documents, policies.repeats, stage)
    drops = policies.singletons == "drop"
    if drops:
        side = side.without_singletons
    if has_repeats:
        kept = policies.repeats == "all"
        again = listed_before(side, policies)
        side = _without(side, again, documents, policies.repeats, stage + 1, kept=kept)
        if drops and not kept:
            side = side.without_singletons
    return side


def identities(key: Side, response: Side, policies: Policies) -> tuple[IntArray, IntArray]:
    """A number for each mention of both sides, equal where they are the same mention."""
    return numbered(*((*side.identity(policies), side.shapes) for side in (key, response)))


def numbered(key: Sequence[IntArray], response: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """A number for each row of the columns of both sides, equal for equal rows, in their order."""
    columns = [np.concatenate(pair) for pair in zip(key, response, strict=True)]
    order = np.lexsort(columns[::-1])
    differs = [column[order][1:] != column[order][:-1] for column in columns]
    code = np.zeros(len(order), dtype=np.int64)
    code[order[1:]] = np.cumsum(np.logical_or.reduce(differs))
    return code[: len(key[0])], code[len(key[0]) :]


def side_of(documents: Sequence[Document], shapes: Shapes, labels: IntArray | None) -> Side:
    if not documents:
        none = np.zeros(0, dtype=np.int64)
        return Side(none, none, none, none, None, none, label=labels)
    rows = [document.rows for document in documents]
    n_mentions, numbers = np.array([*map(len, rows)]), np.arange(len(documents))
    start, end, of_document = np.concatenate(rows).T
    before = np.cumsum(n_mentions) - n_mentions
    n_entities, filled = np.zeros_like(numbers), n_mentions > 0
    if len(start):
        n_entities[filled] = np.maximum.reduceat(of_document, before[filled]) + 1
    entity = np.repeat(np.cumsum(n_entities) - n_entities, n_mentions)
    entity += of_document
    side = Side(
        np.repeat(numbers, n_mentions),
        entity,
        start.copy(),
        end.copy(),
        None,
        np.repeat(numbers, n_entities),
        label=labels,
    )
    if not any(document.attributes for document in documents):
        return side
    known = [one.attributes or Attributes.of(len(one.rows)) for one in documents]
    head, minimum = (
        np.concatenate([getattr(of, name) for of in known]) for name in ("head", "minimum")
    )
    shape = None
    if any(any(of.pieces) for of in known):
        shapes.setdefault((), 0)
        number = [shapes.setdefault(one, len(shapes)) for of in known for one in of.pieces]
        shape = np.array(number, dtype=np.int64)
    names_spans = (minimum >= 0).any() and not (head >= 0).any()
    return side._replace(head=head, shape=shape, minimum=minimum if names_spans else None)


def listed_before(side: Side, policies: Policies, *also: IntArray) -> BoolArray:
    """(mentions,) where a mention is the same as one before it, and equal in the other columns."""
    shape = () if side.shape is None else (side.shape,)
    columns = (*side.identity(policies), *shape, *also)
    order = None
    if shape or side.label is not None or policies.match == "head":
        order = np.lexsort(columns[::-1])
        columns = tuple(column[order] for column in columns)
    last, *others = reversed(columns)
    equal = np.flatnonzero(last[1:] == last[:-1])  # few, at which the others are compared
    for of in others:
        equal = equal[of[equal + 1] == of[equal]]
    again = np.zeros(len(last), dtype=bool)
    again[equal + 1 if order is None else order[equal + 1]] = True
    return again


def _without(
    side: Side,
    again: BoolArray,
    documents: Sequence[Document],
    repeats: Repeats,
    stage: int,
    *,
    kept: bool = False,
) -> Side:
    """The side without the mentions listed `again` (with them if `kept`), and a note of them."""
    if not again.any():
        return side
    where = np.flatnonzero(again).tolist()
    if repeats == "error":
        problems = (_repeat_problem(side, documents, at) for at in where)
        raise InputError(problems, stage=stage)
    places = (place_of(side, documents, at) for at in where[:MOST_PLACES])
    return (side if kept else side.keep(~again))._replace(
        n_repeats=side.n_repeats + len(where),
        repeats=tuple(sorted([*side.repeats, *places])[:MOST_PLACES]),
    )


def place_of(side: Side, documents: Sequence[Document], mention: int) -> tuple[int, int, str]:
    """The document, the row and the place in words of a mention."""
    document = documents[side.document[mention]]
    start, end = int(side.start[mention]), int(side.end[mention])
    place = f"word {end}" if end - start == 1 else f"words {start + 1} to {end}"
    text = f"'{' '.join(document.words[start:end])}' in {document.name}, {place}"
    return int(side.document[mention]), int(side.row[mention]), text


def _repeat_problem(side: Side, documents: Sequence[Document], mention: int) -> Problem:
    document = documents[side.document[mention]]
    span = "span" if side.label is None else "minimum span"
    return Problem(
        document.place,
        document.line_of(int(side.start[mention])),
        f"a {span} listed twice: {place_of(side, documents, mention)[2]}",
        f"each {span} once",
        "Fix the file, or choose repeats 'first' or 'all'.",
    )


# Empty nodes of both sides put on one set of positions, or left out of both -----------------------

# Where a word stands: the words of the text before it, then what orders the empty nodes there.
Place = tuple[int, int, int, int]

_ENDS_SENTENCE, _OPENS_SENTENCE, _IN_TEXT = 0, 1, 2


def with_common_positions(
    key: Document, response: Document, *, by_sentence: bool = False
) -> tuple[Document, Document]:
    """Both documents over the words of the text and the empty nodes of both.

    Empty nodes with one number after the same word are one position. One that only the other side
    has is `absent`, and no part of a mention that spans it. The words of the text are the key's.

    by_sentence  whether words of the text are counted in their sentences, not in the document: the
                 n-th sentence of one is that of the other, and words that one has more at its end
                 are positions of their own
    """
    width = 1 + max(len(key.words), len(response.words)) if by_sentence else 0
    places = [_word_places(document, width) for document in (key, response)]
    union = sorted({*places[0], *places[1]})
    words = dict(zip(places[1], response.words, strict=True))
    words |= dict(zip(places[0], key.words, strict=True))
    every = tuple(words[place] for place in union)
    return _over(key, places[0], union, every), _over(response, places[1], union, every)


def _word_places(document: Document, width: int) -> list[Place]:
    """The place of each word; two empty nodes of one number are told apart by their order.

    width  by which the places of sentences are apart; 0 if words are counted in the document
    """
    first = {start: number * width for number, start in enumerate(document.sentence_starts)}
    met: Counter[Place] = Counter()
    places: list[Place] = []
    n_before, opens = 0, True
    for at in range(len(document.words)):
        opens = opens or at in first
        if width:
            n_before = first.get(at, n_before)
        node = document.empty_nodes.get(at)
        if node is None:
            places.append((n_before, _IN_TEXT, 0, 0))
            n_before, opens = n_before + 1, False
            continue
        place = n_before, _OPENS_SENTENCE if opens else _ENDS_SENTENCE, node.number, 0
        places.append((*place[:3], met[place]))
        met[place] += 1
    return places


def _over(
    document: Document, own: Sequence[Place], union: Sequence[Place], words: tuple[str, ...]
) -> Document:
    """The document over the union of the places, of which it has its own."""
    position = {place: at for at, place in enumerate(union)}
    to = np.array([position[place] for place in own], dtype=np.int64)
    moved = document.over(words, Positions.of(to, len(union)))
    absent = {
        at: EmptyNode(union[at][2], absent=True)
        for at in np.setdiff1d(np.arange(len(union)), to).tolist()
        if union[at][1] != _IN_TEXT
    }
    starts = [_first(start, union, absent.keys()) for start in moved.sentence_starts]
    return replace(
        moved, sentence_starts=tuple(starts), empty_nodes={**moved.empty_nodes, **absent}
    )


def _first(start: int, union: Sequence[Place], absent: Container[int]) -> int:
    """Where a sentence starts: absent empty nodes that open it stand before its own words."""
    while start - 1 in absent and union[start - 1][1] == _OPENS_SENTENCE:
        start -= 1
    return start


def with_positions_of(key: Corpus, responses: Iterable[Corpus]) -> Corpus:
    """The key with the empty nodes of several responses, which then share its positions."""
    documents = {document.name: document for document in key}
    for response in responses:
        for document in response:
            own = documents.get(document.name)
            if own and document.empty_nodes and words_of_text(own) == words_of_text(document):
                documents[document.name] = with_common_positions(own, document)[0]
    return replace(key, documents=tuple(documents.values()))


def words_of_text(document: Document) -> Sequence[str]:
    """The words that are in the text."""
    if not document.empty_nodes:
        return document.words
    return tuple(w for at, w in enumerate(document.words) if at not in document.empty_nodes)


def without_empty_nodes(document: Document) -> Document:
    """The document without its empty nodes and its zeros, the mentions whose head is one.

    Of other mentions the words of the text stay.
    """
    if not document.empty_nodes:
        return document
    texts = document.keep(~_is_zero(document))
    return replace(_without_words(texts, document.empty_nodes), original=None)


def without_absent(document: Document) -> Document:
    """The document without the empty nodes that only the other side has.

    Undoes `with_common_positions`.
    """
    absent = [at for at, node in document.empty_nodes.items() if node.absent]
    if not absent:
        return document
    moved = _without_words(document, absent)
    return replace(moved, attributes=moved.attributes and moved.attributes.or_none)


def _without_words(document: Document, left_out: Iterable[int]) -> Document:
    """The document without the words at these positions."""
    stays = ~np.isin(np.arange(len(document.words)), [*left_out])
    words = [document.words[at] for at in np.flatnonzero(stays).tolist()]
    to = np.where(stays, np.cumsum(stays) - 1, NOWHERE)
    return document.over(words, Positions.of(to, len(words)))


def _is_zero(document: Document) -> BoolArray:
    """(mentions,) whether the head is an empty node; the first word if the head is unknown."""
    starts = document.spans[:, 0]
    known = document.attributes
    heads = starts if known is None else np.where(known.head < 0, starts, known.head)
    return np.isin(heads, [*document.empty_nodes])
