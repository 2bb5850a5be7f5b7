"""Steps of matching: which mentions of the key and the response can be paired, and which are.

Each step takes the mentions that the steps before have left over, and pairs some of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from corescore.corpus.documents import Pieces
from corescore.counting.assignment import best_assignment, components_of
from corescore.counting.sides import Side
from corescore.util import FloatArray, IntArray


@dataclass(frozen=True)
class DistinctMentions:
    """Different mentions of one side, ordered by document, first word, last word and length.

    code                        (mentions,) a number, the same for the same mention of either side
    document, start, end, head  (mentions,) as in `Side`, the head always known
    core                        (mentions, 2) as `Side.cores`
    size                        (mentions,) the number of words
    pieces                      the pieces of each discontinuous mention, by its position here
    """

    code: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    head: IntArray
    core: IntArray
    size: IntArray
    pieces: dict[int, Pieces]

    @classmethod
    def of(cls, side: Side, code: IntArray, shapes: Sequence[Pieces]) -> "DistinctMentions":
        """The mentions of a side, each once; `shapes` are the pieces of each shape by number."""
        _, rows = np.unique(code, return_index=True)
        shape = side.shapes[rows]
        size = side.end[rows] - side.start[rows]
        for at in np.flatnonzero(shape).tolist():
            size[at] = sum(end - start for start, end in shapes[shape[at]])
        order = np.lexsort((size, side.end[rows], side.start[rows], side.document[rows]))
        rows, shape = rows[order], shape[order]
        pieces = {at: shapes[shape[at]] for at in np.flatnonzero(shape).tolist()}
        return cls(
            code[rows],
            side.document[rows],
            side.start[rows],
            side.end[rows],
            side.heads[rows],
            side.cores[rows],
            size[order],
            pieces,
        )

    def without(self, paired: IntArray) -> "DistinctMentions":
        """Those that are not at these positions."""
        return self.at(np.delete(np.arange(len(self.code)), paired))

    def at(self, which: IntArray) -> "DistinctMentions":
        """Those at these positions."""
        numbered = enumerate(which.tolist())
        return DistinctMentions(
            self.code[which],
            self.document[which],
            self.start[which],
            self.end[which],
            self.head[which],
            self.core[which],
            self.size[which],
            {new: self.pieces[old] for new, old in numbered if old in self.pieces},
        )

    def runs(self, at: int) -> Pieces:
        """The (start, end) of each piece of a mention."""
        return self.pieces.get(at) or ((int(self.start[at]), int(self.end[at])),)


@dataclass(frozen=True)
class Pairs:
    """Positions in the key's and the response's mentions, one pair a row."""

    key: IntArray
    response: IntArray


MOST_CELLS = 1 << 24  # of the matrix of a document: 128 MB
Step = Callable[[DistinctMentions, DistinctMentions], Pairs]
# Mentions of both sides, pairs of them and weights (> 0) → the pairs that use each mention once at
# most and whose weights add up to the most.
Assign = Callable[[DistinctMentions, DistinctMentions, Pairs, FloatArray], Pairs]


def same_mentions(key: DistinctMentions, response: DistinctMentions) -> Pairs:
    """The mentions that are the same on both sides."""
    _, at_key, at_response = np.intersect1d(
        key.code, response.code, assume_unique=True, return_indices=True
    )
    return Pairs(at_key, at_response)


def by_component(
    key: DistinctMentions, response: DistinctMentions, candidates: Pairs, weight: FloatArray
) -> Pairs:
    """An `Assign` that solves each group of mentions that depend on each other by itself."""
    order = np.lexsort((candidates.response, candidates.key))
    at_key, at_response = candidates.key[order], candidates.response[order]
    parts = components_of(at_key, at_response)
    chosen = best_assignment(parts, weight[order])
    return Pairs(at_key[chosen], at_response[chosen])


def by_document(
    key: DistinctMentions, response: DistinctMentions, candidates: Pairs, weight: FloatArray
) -> Pairs:
    """An `Assign` that solves each document as one matrix, as the CorefUD scorer does: the same
    sum, but where several assignments are as good it can be another one. A document whose matrix
    would not fit is solved by components."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = [], []
    of_pair = key.document[candidates.key]
    for document in np.unique(of_pair).tolist():
        k, r = (np.flatnonzero(side.document == document) for side in (key, response))
        within = of_pair == document
        if len(k) * len(r) > MOST_CELLS:
            its = Pairs(candidates.key[within], candidates.response[within])
            solved = by_component(key, response, its, weight[within])
            rows.append(solved.key)
            columns.append(solved.response)
            continue
        row, column = candidates.key[within] - k[0], candidates.response[within] - r[0]
        matrix = np.zeros((len(k), len(r)))
        matrix[row, column] = weight[within]
        row, column = linear_sum_assignment(-matrix)
        made = matrix[row, column] > 0
        rows.append(k[row[made]])
        columns.append(r[column[made]])
    none = np.zeros(0, dtype=np.int64)
    return Pairs(np.concatenate([none, *rows]), np.concatenate([none, *columns]))


def same_head(key: DistinctMentions, response: DistinctMentions, *, assign: Assign) -> Pairs:
    """Mentions with one head, one to one, so that the sum of |k ∩ r| / |k| is greatest."""
    found = _equal(_places(key.document, key.head), _places(response.document, response.head))
    share = _common_words(key, response, found) / key.size[found.key]
    return assign(key, response, found, share)


def within_around_core(
    key: DistinctMentions, response: DistinctMentions, *, assign: Assign
) -> Pairs:
    """Response mentions within a key mention and around its core, one to one, so that the sum of
    |r| / |k| is greatest."""
    found = _around_core(key, response)
    return assign(key, response, found, response.size[found.response] / key.size[found.key])


def most_around_core(key: DistinctMentions, response: DistinctMentions, *, assign: Assign) -> Pairs:
    """Response mentions within a key mention and around its core: as many pairs as possible, and
    of these assignments the one with the greatest sum of |r| / |k|."""
    found = _around_core(key, response)
    share = response.size[found.response] / key.size[found.key]
    return assign(key, response, found, share + len(key.code))  # more than all shares together


def overlapping(key: DistinctMentions, response: DistinctMentions) -> tuple[Pairs, IntArray]:
    """All pairs of mentions with a word in common, and how many they have."""
    at_key, word = _every_word(key)
    at_response, other = _every_word(response)
    both = _equal(
        _places(key.document[at_key], word), _places(response.document[at_response], other)
    )
    width = max(len(response.code), 1)
    code, common = np.unique(
        at_key[both.key] * width + at_response[both.response], return_counts=True
    )
    return Pairs(*np.divmod(code, width)), common


def _around_core(key: DistinctMentions, response: DistinctMentions) -> Pairs:
    """All pairs whose response mention lies within the key mention and covers its core."""
    at, word = _every_word(response)
    start, end = key.core.T
    on_core = _equal(_places(key.document, start), _places(response.document[at], word))
    found = Pairs(on_core.key, at[on_core.response])
    cores = replace(key, start=start, end=end, size=end - start, pieces={})
    covers = _common_words(cores, response, found) == cores.size[found.key]
    within = _common_words(key, response, found) == response.size[found.response]
    return Pairs(found.key[covers & within], found.response[covers & within])


def _every_word(mentions: DistinctMentions) -> tuple[IntArray, IntArray]:
    """The mention and the position of each word of each mention."""
    runs = [(at, *run) for at, pieces in mentions.pieces.items() for run in pieces]
    whole = np.delete(np.arange(len(mentions.code)), [*mentions.pieces])
    columns = np.array(runs, dtype=np.int64).reshape(-1, 3)
    at = np.concatenate([whole, columns[:, 0]])
    start = np.concatenate([mentions.start[whole], columns[:, 1]])
    length = np.concatenate([mentions.end[whole], columns[:, 2]]) - start
    first = np.cumsum(length) - length
    return np.repeat(at, length), np.arange(length.sum()) + np.repeat(start - first, length)


def _common_words(key: DistinctMentions, response: DistinctMentions, pairs: Pairs) -> IntArray:
    """(pairs,) the number of words that both mentions of each pair have."""
    k, r = pairs.key, pairs.response
    common = np.minimum(key.end[k], response.end[r]) - np.maximum(key.start[k], response.start[r])
    has_gap = np.isin(k, [*key.pieces]) | np.isin(r, [*response.pieces])
    for at in np.flatnonzero(has_gap).tolist():
        both = ((one, other) for one in key.runs(k[at]) for other in response.runs(r[at]))
        common[at] = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in both)
    positive: IntArray = np.maximum(common, 0)
    return positive


def _places(document: IntArray, position: IntArray) -> IntArray:
    """(n,) one number for each position of each document."""
    return (document << _POSITION_BITS) | position


_POSITION_BITS = 40


def _equal(key: IntArray, response: IntArray) -> Pairs:
    """All pairs of equal values."""
    order = np.argsort(key, kind="stable")
    at_key, at_response = equal_values(key[order], response)
    return Pairs(order[at_key], at_response)


def equal_values(key: IntArray, response: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of equal values, as two index arrays, the second ascending; `key` ascends from 0
    or more."""
    first = np.searchsorted(key, response)
    found = np.flatnonzero(np.append(key, _PAST_END)[first] == response)
    first = first[found]
    if not (key[1:] == key[:-1]).any():
        return first, found
    n_pairs = np.searchsorted(key, response[found], side="right") - first
    before = np.cumsum(n_pairs) - n_pairs
    at_key = np.arange(n_pairs.sum()) + np.repeat(first - before, n_pairs)
    return at_key, np.repeat(found, n_pairs)


_PAST_END = -2  # equal to no value, nor to the −1 of a mention without a partner
