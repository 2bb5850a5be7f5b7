"""Mentions of many documents out of their brackets at once, where the brackets are plain.

Plain are brackets whose ids are numbers of at most nine digits without leading zeros, with their
partners in the same sentence; no span occurs twice, and no entity closes and opens at one word. All
other documents are left to `Draft.read_brackets`, which knows what to say of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from corescore.arrays import AnyArray, BoolArray, IntArray
from corescore.corpus.formats.byte_cells import NEWLINE, Bytes, Stretches

MOST_DIGITS = 9
_OPENING, _CLOSING, _BAR, _ZERO = b"()|0"


@dataclass(frozen=True)
class Marked:
    """The words with brackets of some documents, in order.

    cells     (words,) their brackets
    row       (words,) the rows they stand in
    document  (words,) their documents
    sentence  (words,) their sentences; no two documents have one in common
    """

    cells: Stretches
    row: IntArray
    document: IntArray
    sentence: IntArray


def tables_of(words: Marked, edges: IntArray) -> Iterator[IntArray | None]:
    """The `rows` of each document; None where its brackets are not plain.

    edges  (documents + 1,) the first row of each document, and the number of all
    """
    are_plain = np.ones(len(edges) - 1, dtype=bool)
    brackets, wrong = _brackets_in(words)
    are_plain[wrong] = False
    brackets = brackets[are_plain[brackets.document]]
    in_pairs, wrong = _nested(brackets)
    are_plain[wrong] = False
    in_pairs = in_pairs[are_plain[brackets.document[in_pairs]]]
    opening, closing = in_pairs[::2], in_pairs[1::2]
    runs_over = brackets.sentence[opening] != brackets.sentence[closing]
    are_plain[brackets.document[opening[runs_over]]] = False
    stop = brackets.row + 1
    stop[opening] = stop[closing]
    begins = np.flatnonzero(brackets.opens & are_plain[brackets.document])
    order = begins[np.lexsort((-stop[begins], brackets.row[begins]))]
    mentions = brackets[order]
    is_again = (np.diff(mentions.row) == 0) & (np.diff(stop[order]) == 0)
    are_plain[mentions.document[1:][is_again]] = False
    limits = np.searchsorted(mentions.document, np.arange(len(edges)))
    entity = _in_text_order(mentions.entity)
    spans = np.column_stack([mentions.row, stop[order]]) - edges[mentions.document][:, None]
    table = np.column_stack([spans, entity - np.append(entity, 0)[limits][mentions.document]])
    for is_plain, (first, after) in zip(are_plain.tolist(), pairwise(limits.tolist()), strict=True):
        yield table[first:after] if is_plain else None


@dataclass(frozen=True)
class _Brackets:
    """The ids in brackets, in the order of the file.

    row, document, sentence  (brackets,) those of the word, as in `Marked`
    entity                   (brackets,) the id; no two documents have one in common
    opens, closes            (brackets,) on which sides of the id there is a bracket
    """

    row: IntArray
    document: IntArray
    sentence: IntArray
    entity: IntArray
    opens: BoolArray
    closes: BoolArray

    def __getitem__(self, which: AnyArray) -> "_Brackets":
        places = self.row[which], self.document[which], self.sentence[which]
        return _Brackets(*places, self.entity[which], self.opens[which], self.closes[which])


def _brackets_in(words: Marked) -> tuple[_Brackets, IntArray]:
    """The brackets, and the documents of those that are no brackets or are not plain."""
    data = np.append(np.uint8(NEWLINE), words.cells.joined())
    word = np.append(0, np.repeat(np.arange(len(words.row)), words.cells.lengths + 1))
    is_digit = data - np.uint8(_ZERO) < 10
    is_opening, is_closing = data == _OPENING, data == _CLOSING
    starts = np.flatnonzero(is_digit[1:] & ~is_digit[:-1]) + 1
    ends = np.flatnonzero(is_digit[:-1] & ~is_digit[1:]) + 1
    opens, closes = is_opening[starts - 1], is_closing[ends]
    is_wrong = ~(is_digit | is_opening | is_closing | (data == _BAR) | (data == NEWLINE))
    is_wrong[:-1] |= is_opening[:-1] & ~is_digit[1:]
    is_wrong[1:] |= is_closing[1:] & ~is_digit[:-1]
    is_wrong[starts] |= ~(opens | closes) | (ends - starts > MOST_DIGITS)
    is_wrong[starts] |= (data[starts] == _ZERO) & (ends - starts > 1)
    has_id = np.zeros(len(words.row), dtype=bool)
    has_id[word[starts]] = True
    at = word[starts]
    entity = words.document[at] * 10**MOST_DIGITS + _numbers(data, starts, ends)
    places = words.row[at], words.document[at], words.sentence[at]
    wrong = np.append(word[is_wrong], np.flatnonzero(~has_id))
    return _Brackets(*places, entity, opens, closes), words.document[wrong]


def _numbers(data: Bytes, starts: IntArray, ends: IntArray) -> IntArray:
    """The numbers whose digits stand here; of one with too many digits its first ones."""
    numbers = np.zeros(len(starts), dtype=np.int64)
    for n in range(min(int((ends - starts).max(initial=0)), MOST_DIGITS)):
        longer = starts + n < ends
        numbers[longer] = numbers[longer] * 10 + (data[starts[longer] + n] - _ZERO)
    return numbers


def _nested(brackets: _Brackets) -> tuple[IntArray, IntArray]:
    """Brackets on one side of an id, each that opens before its partner; and wrong documents.

    Wrong are documents in which a bracket has no partner, and those in which an entity closes and
    opens at one word, where what opens is read first: what is said of their brackets is not true.
    """
    half = np.flatnonzero(brackets.opens != brackets.closes)
    half = half[np.argsort(brackets.entity[half], kind="stable")]
    entity, opens = brackets.entity[half], brackets.opens[half]
    depth = np.cumsum(np.where(opens, 1, -1))
    firsts = np.flatnonzero(np.diff(entity, prepend=-1))
    n_brackets = np.diff(np.append(firsts, len(half)))
    depth -= np.repeat(np.append(0, depth)[firsts], n_brackets)
    is_last = np.diff(entity, append=-1) != 0
    wrong = (depth < 0) | (is_last & (depth != 0))
    row = brackets.row[half]
    wrong[1:] |= ~opens[:-1] & opens[1:] & (entity[1:] == entity[:-1]) & (row[1:] == row[:-1])
    in_pairs = np.lexsort((depth + ~opens, entity))
    return half[in_pairs], brackets.document[half[wrong]]


def _in_text_order(entity: IntArray) -> IntArray:
    """(mentions,) the entities numbered from 0 in the order in which they first occur."""
    _, first, number = np.unique(entity, return_index=True, return_inverse=True)
    rank = np.empty_like(first)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]
