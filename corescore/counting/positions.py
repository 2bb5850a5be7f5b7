"""Empty nodes of both sides put on one set of positions, or left out of both."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.mentions import Attributes, EmptyNode, Pieces

# Where a word stands: the words of the text before it, then what orders the empty nodes there.
Place = tuple[int, int, int, int]
_ENDS_SENTENCE, _OPENS_SENTENCE, _IN_TEXT = 0, 1, 2
_NOWHERE = -1


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
    places = [_places(document, width) for document in (key, response)]
    union = sorted({*places[0], *places[1]})
    words = dict(zip(places[1], response.words, strict=True))
    words |= dict(zip(places[0], key.words, strict=True))
    every = tuple(words[place] for place in union)
    return _over(key, places[0], union, every), _over(response, places[1], union, every)


def _places(document: Document, width: int = 0) -> list[Place]:
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
    moved = _moved(document, to)
    absent = {
        at: EmptyNode(union[at][2], absent=True)
        for at in np.setdiff1d(np.arange(len(union)), to).tolist()
        if union[at][1] != _IN_TEXT
    }
    starts = [_first(int(to[start]), union, absent.keys()) for start in document.sentence_starts]
    return replace(
        moved,
        words=words,
        sentence_starts=tuple(starts),
        tags=_spread(document.tags, to, len(union)),
        lemmas=_spread(document.lemmas, to, len(union)),
        lines=None if document.lines is None else _spread_lines(document.lines, to, len(union)),
        empty_nodes={**moved.empty_nodes, **absent},
    )


def _first(start: int, union: Sequence[Place], absent: Container[int]) -> int:
    """Where a sentence starts: absent empty nodes that open it stand before its own words."""
    while start - 1 in absent and union[start - 1][1] == _OPENS_SENTENCE:
        start -= 1
    return start


def _spread(values: Sequence[str], to: IntArray, n_words: int) -> tuple[str, ...]:
    """The values at their new positions, "" at the others; none if there are none."""
    if not values:
        return ()
    spread = [""] * n_words
    for at, value in zip(to.tolist(), values, strict=True):
        spread[at] = value
    return tuple(spread)


def _spread_lines(lines: IntArray, to: IntArray, n_words: int) -> IntArray:
    """The line of each word; of an absent one that of the word before it."""
    at = np.searchsorted(to, np.arange(n_words), side="right") - 1
    return lines[np.maximum(at, 0)] if len(lines) else np.zeros(n_words, dtype=np.int64)


def _moved(document: Document, to: IntArray) -> Document:
    """The document with its mentions and empty nodes at other positions, in the same order.

    to  (words,) the new position of each word, ascending; −1 of a word that is left out
    """
    known = document.attributes or Attributes.of(len(document.rows))
    spans = zip(document.spans.tolist(), known.pieces, strict=True)
    runs = [_runs(pieces or ((start, end),), to) for (start, end), pieces in spans]
    ends = np.array([(of[0][0], of[-1][1]) for of in runs], dtype=np.int64).reshape(-1, 2)
    return replace(
        document,
        rows=np.column_stack([ends, document.entity_of]),
        attributes=replace(
            known,
            head=_positions(known.head, to),
            minimum=_spans(known.minimum, to),
            pieces=tuple(of if len(of) > 1 else () for of in runs),
        ),
        empty_nodes={
            int(to[at]): replace(node, parents=_parents(node, to))
            for at, node in document.empty_nodes.items()
            if to[at] != _NOWHERE
        },
    )


def _runs(pieces: Pieces, to: IntArray) -> Pieces:
    """The new runs of the words of a mention."""
    at = np.concatenate([to[start:end] for start, end in pieces])
    at = at[at != _NOWHERE]
    cuts = np.flatnonzero(np.diff(at) > 1) + 1
    return tuple((int(run[0]), int(run[-1]) + 1) for run in np.split(at, cuts) if len(run))


def _positions(positions: IntArray, to: IntArray) -> IntArray:
    """The new positions; −1 stays −1."""
    return np.append(to, _NOWHERE)[positions]


def _spans(spans: IntArray, to: IntArray) -> IntArray:
    """The new half-open spans; (−1, −1) stays."""
    known = spans[:, 0] >= 0
    first = _positions(spans[:, 0], to)
    last = _positions(np.where(known, spans[:, 1] - 1, _NOWHERE), to)
    known = (first != _NOWHERE) & (last != _NOWHERE)
    return np.where(known[:, None], np.column_stack([first, last + 1]), _NOWHERE)


def _parents(node: EmptyNode, to: IntArray) -> frozenset[tuple[int, str]]:
    """The parents at their new positions; the root stays −1."""
    return frozenset((int(to[at]) if at >= 0 else at, relation) for at, relation in node.parents)


def with_positions_of(key: Corpus, responses: Iterable[Corpus]) -> Corpus:
    """The key with the empty nodes of several responses, which then share its positions."""
    documents = {document.name: document for document in key}
    for response in responses:
        for document in response:
            own = documents.get(document.name)
            if own and document.empty_nodes and words_of_text(own) == words_of_text(document):
                documents[document.name] = with_common_positions(own, document)[0]
    return replace(key, documents=tuple(documents.values()))


def words_of_text(document: Document) -> tuple[str, ...]:
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
    stays = np.array([at not in document.empty_nodes for at in range(len(document.words))])
    to = np.where(stays, np.cumsum(stays) - 1, _NOWHERE)
    kept = np.flatnonzero(~_is_zero(document))
    known = document.attributes
    texts = replace(
        document,
        rows=document.rows[kept],
        attributes=None if known is None else known.take(kept),
    )
    moved = _moved(texts, to)
    in_text = np.flatnonzero(stays).tolist()
    starts = (np.cumsum(stays) - stays)[[*document.sentence_starts]]
    return Document.of_rows(
        document.name,
        [tuple(row) for row in moved.rows.tolist()],
        words=words_of_text(document),
        sentence_starts=starts.tolist(),
        speakers=document.speakers,
        tags=[document.tags[at] for at in in_text] if document.tags else (),
        lemmas=[document.lemmas[at] for at in in_text] if document.lemmas else (),
        file=document.file,
        lines=None if document.lines is None else document.lines[stays],
        attributes=moved.attributes,
        split_antecedents=document.split_antecedents,
    )


def without_absent(document: Document) -> Document:
    """The document without the empty nodes that only the other side has.

    Undoes `with_common_positions`.
    """
    absent = [at for at, node in document.empty_nodes.items() if node.absent]
    if not absent:
        return document
    stays = ~np.isin(np.arange(len(document.words)), absent)
    moved = _moved(document, np.where(stays, np.cumsum(stays) - 1, _NOWHERE))
    kept = np.flatnonzero(stays).tolist()
    n_before: IntArray = np.cumsum(stays) - stays
    return replace(
        moved,
        words=tuple(document.words[at] for at in kept),
        sentence_starts=tuple(int(n_before[at]) for at in document.sentence_starts),
        tags=tuple(document.tags[at] for at in kept) if document.tags else (),
        lemmas=tuple(document.lemmas[at] for at in kept) if document.lemmas else (),
        lines=None if document.lines is None else document.lines[stays],
        attributes=moved.attributes and moved.attributes.or_none,
    )


def _is_zero(document: Document) -> BoolArray:
    """(mentions,) whether the head is an empty node; the first word if the head is unknown."""
    starts = document.spans[:, 0]
    known = document.attributes
    heads = starts if known is None else np.where(known.head < 0, starts, known.head)
    return np.isin(heads, [*document.empty_nodes])
