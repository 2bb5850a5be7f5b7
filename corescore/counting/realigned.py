"""A response put onto the words of its key, which say the same text in another tokenisation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Document
from corescore.corpus.mentions import Attributes, EmptyNode, Pieces
from corescore.counting.alignment import Alignment, align
from corescore.counting.positions import words_of_text

_NOWHERE = -1


@dataclass(frozen=True)
class Realigned:
    """A response over the words of its key, and what that did to it.

    document   the response, over the key's words and its own empty nodes
    share      how much the texts have in common, from 0 to 1
    widened    (own words, key words) of mentions that do not begin and end with key words, and so
               take the smallest covering ones
    vanished   the words of mentions of which the key has no word, which are left out
    collided   the words of mentions that now have the words of another mention
    changed    (own word, key words) of words that stand for others
    added      words that the key lacks
    dropped    key words that the response lacks
    """

    document: Document
    share: float
    widened: tuple[tuple[str, str], ...]
    vanished: tuple[str, ...]
    collided: tuple[str, ...]
    changed: tuple[tuple[str, str], ...]
    added: tuple[str, ...]
    dropped: tuple[str, ...]


def realigned(key: Document, response: Document) -> Realigned:
    """The response over the words of its key. Both have words."""
    ours, theirs = words_of_text(key), words_of_text(response)
    alignment = align(ours, theirs)
    places = _Places.of(response, alignment, ours)
    runs = [places.runs(mention.runs) for mention in response.mentions]
    kept = [at for at, of in enumerate(runs) if of]
    document = _document(response, places, [runs[at] for at in kept], kept)
    own, spans = response.mentions, zip(alignment.start, alignment.end, strict=True)
    standing = [" ".join(ours[start:end]) for start, end in spans]
    return Realigned(
        document,
        alignment.share,
        tuple(
            (response.text(own[at]), _text(places.words, runs[at]))
            for at in kept
            if any(places.cuts_word(*piece) for piece in own[at].runs)
        ),
        tuple(response.text(own[at]) for at, of in enumerate(runs) if not of),
        tuple(response.text(own[at]) for at in _collided(response, runs, kept)),
        tuple((theirs[at], standing[at]) for at in alignment.changed.tolist()),
        tuple(theirs[at] for at in alignment.added.tolist()),
        tuple(ours[at] for at in alignment.dropped.tolist()),
    )


def _text(words: Sequence[str], runs: Pieces) -> str:
    return " … ".join(" ".join(words[start:end]) for start, end in runs)


def _collided(response: Document, runs: Sequence[Pieces], kept: Sequence[int]) -> list[int]:
    """The mentions that have the runs of an earlier one, which had others before."""
    first: dict[Pieces, Pieces] = {}
    own = response.mentions
    return [at for at in kept if first.setdefault(runs[at], own[at].runs) != own[at].runs]


@dataclass(frozen=True)
class _Places:
    """Where the positions of a response stand among the words of the key and its empty nodes.

    words       the words of the key, and the response's empty nodes between them
    start, end  (positions,) half-open ranges of `words`, ascending; 0, 0 where there is none
    following   (positions + 1,) the first position from here that has a range; the last + 1 if none
    preceding   (positions + 1,) the last position before here that has one; −1 if none
    """

    words: tuple[str, ...]
    start: IntArray
    end: IntArray
    following: IntArray
    preceding: IntArray

    @classmethod
    def of(cls, response: Document, alignment: Alignment, words: Sequence[str]) -> "_Places":
        """Empty nodes stay behind the word that they follow."""
        n = len(response.words)
        empty = np.array(sorted(response.empty_nodes), dtype=np.int64)
        in_text = np.setdiff1d(np.arange(n), empty)
        ends = np.append(0, np.maximum.accumulate(alignment.end))
        behind = ends[np.searchsorted(in_text, empty)]  # how many key words are before each
        start, end = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        known = alignment.end > 0
        first, last = alignment.start[known], alignment.end[known] - 1
        start[in_text[known]] = first + np.searchsorted(behind, first, side="right")
        end[in_text[known]] = last + np.searchsorted(behind, last, side="right") + 1
        start[empty] = behind + np.arange(len(empty))
        end[empty] = start[empty] + 1
        mixed = np.insert(np.array(words, dtype=object), behind, _words_at(response, empty))
        places = np.arange(n)
        here = np.where(end > 0, places, n)
        following = np.append(np.minimum.accumulate(here[::-1])[::-1], n)
        here = np.where(end > 0, places, _NOWHERE)
        preceding = np.append(_NOWHERE, np.maximum.accumulate(here))
        return cls(tuple(mixed.tolist()), start, end, following, preceding)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The smallest range that covers what these positions stand for; None if nothing."""
        first, last = int(self.following[start]), int(self.preceding[end])
        return (int(self.start[first]), int(self.end[last])) if first <= last else None

    def cuts_word(self, start: int, end: int) -> bool:
        """Whether a word that these positions stand for belongs to others, too."""
        span, before, after = self.span(start, end), self.preceding[start], self.following[end]
        if span is None:
            return False
        return bool(
            (before >= 0 and self.end[before] > span[0])
            or (after < len(self.start) and self.start[after] < span[1])
        )

    def runs(self, pieces: Pieces) -> Pieces:
        """The pieces of a mention at their new positions, those that touch joined."""
        joined: list[tuple[int, int]] = []
        for start, end in filter(None, (self.span(*piece) for piece in pieces)):
            if joined and start <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((start, end))
        return tuple(joined)

    def position(self, at: int) -> int:
        """The new position of a word; −1 if it has none or is unknown."""
        return int(self.start[at]) if 0 <= at < len(self.end) and self.end[at] else _NOWHERE

    def sources(self) -> IntArray:
        """(new positions,) the first position that stands for each; −1 if none does."""
        source = np.full(len(self.words), _NOWHERE)
        for at in np.flatnonzero(self.end)[::-1].tolist():
            source[self.start[at] : self.end[at]] = at
        return source


def _words_at(document: Document, positions: IntArray) -> list[str]:
    return [document.words[at] for at in positions.tolist()]


def _document(
    response: Document, places: _Places, runs: Sequence[Pieces], kept: Sequence[int]
) -> Document:
    """The response over other words, with those of its mentions that are kept."""
    entity = response.entity_of.tolist()
    sources = places.sources()
    starts, speakers = _sentences(response, places)
    return Document.of_rows(
        response.name,
        [(of[0][0], of[-1][1], entity[at]) for at, of in zip(kept, runs, strict=True)],
        words=places.words,
        sentence_starts=starts,
        speakers=speakers,
        tags=_at(response.tags, sources),
        lemmas=_at(response.lemmas, sources),
        file=response.file,
        lines=_lines(response, sources),
        attributes=_attributes(response, places, runs, kept),
        empty_nodes={
            places.position(at): replace(node, parents=_parents(node, places))
            for at, node in response.empty_nodes.items()
        },
        split_antecedents=response.split_antecedents,
    )


def _at(values: Sequence[str], sources: IntArray) -> list[str]:
    """The values of words at their new positions, "" where there was none; none of none."""
    known = [*values, ""]
    return [known[at] for at in sources.tolist()] if values else []


def _sentences(response: Document, places: _Places) -> tuple[list[int], list[str]]:
    """The starts of the sentences, and their speakers; a sentence without a word left goes."""
    speakers = response.speakers or ("",) * len(response.sentence_starts)
    started = {0: speakers[0]} if speakers else {0: ""}
    for (start, end), speaker in zip(response.sentences, speakers, strict=True):
        span = places.span(start, end)
        if span and span[0] > 0:
            started.setdefault(span[0], speaker)
    return [*started], [*started.values()] if response.speakers else []


def _lines(response: Document, sources: IntArray) -> IntArray | None:
    """The line of each word; of one that the response lacks that of the word before it."""
    if response.lines is None or not len(response.lines):
        return None
    return response.lines[np.maximum(np.maximum.accumulate(sources), 0)]


def _attributes(
    response: Document, places: _Places, runs: Sequence[Pieces], kept: Sequence[int]
) -> Attributes | None:
    """What is known of the kept mentions, at their new positions."""
    if response.attributes is None and all(len(of) == 1 for of in runs):
        return None
    n = len(response.rows)
    known = (response.attributes or Attributes.of(n)).take(np.array(kept, dtype=np.int64))
    minimum = [
        (places.span(start, end) if start >= 0 else None) or (_NOWHERE, _NOWHERE)
        for start, end in known.minimum.tolist()
    ]
    return replace(
        known,
        head=np.array([places.position(at) for at in known.head.tolist()], dtype=np.int64),
        minimum=np.array(minimum, dtype=np.int64).reshape(-1, 2),
        pieces=tuple(of if len(of) > 1 else () for of in runs),
    )


def _parents(node: EmptyNode, places: _Places) -> frozenset[tuple[int, str]]:
    """The parents that are left, at their new positions; the root stays −1."""
    moved = ((places.position(at), at, relation) for at, relation in node.parents)
    return frozenset((to, relation) for to, at, relation in moved if to >= 0 or at < 0)
