"""A mention, what a file may tell of it beyond its span, and words that are not in the text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from corescore.arrays import IntArray

_HALVES = "surrogatepass"  # half a character, which only a program can give, is kept
Pieces = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A span of one document: the words from `start` up to, not including, `end`.

    A discontinuous mention has its `pieces`, (start, end) each, ascending, none next to another.
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
        """The attributes of this many mentions; what is left out is unknown of all of them."""
        return cls(
            np.array(head or [-1] * n_mentions, dtype=np.int64),
            np.array(minimum or [(-1, -1)] * n_mentions, dtype=np.int64).reshape(-1, 2),
            tuple(pieces) or ((),) * n_mentions,
            tuple(entity_type) or ("",) * n_mentions,
            tuple(mention_type) or ("",) * n_mentions,
        )

    def take(self, order: IntArray) -> "Attributes":
        """Those of the mentions at these positions, in this order."""
        at = order.tolist()
        return Attributes(
            self.head[order],
            self.minimum[order],
            tuple(self.pieces[i] for i in at),
            tuple(self.entity_type[i] for i in at),
            tuple(self.mention_type[i] for i in at),
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
        mine, theirs = (
            (a.head.tolist(), a.minimum.tolist(), a.pieces, a.entity_type, a.mention_type)
            for a in (self, other)
        )
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.pieces, self.entity_type, self.mention_type))


@dataclass(frozen=True, slots=True)
class EmptyNode:
    """A word that is not in the text, such as a dropped pronoun (CoNLL-U `8.1`).

    number   its place among the empty nodes after the same word: 1 in `8.1`
    parents  (position, relation) of each word that it depends on; the root is −1
    absent   whether only the other side has it, so that both sides have the same positions
    """

    number: int
    parents: frozenset[tuple[int, str]] = frozenset()
    absent: bool = False


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
    name: str = ""
    line: int = 1
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
        stop = start + self.stop - self.start
        if self.start or source[start:stop] != self.source:
            return self
        return replace(self, source=source, start=start, stop=stop)

    # What else the bytes hold does not count, and does not go to another process.

    def _own(self) -> tuple[str, bytes, str, int, str]:
        return self.format, self.source[self.start : self.stop], self.name, self.line, self.newline

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Original) and self._own() == other._own()

    def __hash__(self) -> int:
        return hash(self._own())

    def __reduce__(self) -> tuple[Any, ...]:
        of, own, *more = self._own()
        return Original, (of, own, 0, len(own), *more)
