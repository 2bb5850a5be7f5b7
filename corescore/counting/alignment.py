"""Which words of a key each word of a response stands for: the same text in other words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corescore.arrays import BoolArray, IntArray
from corescore.counting.characters import partners
from corescore.counting.normalisation import NOTHING, Stream, stream

# A stretch of other words of at most this length stands for the stretch of the key in its place.
MOST_CHANGED = 6


@dataclass(frozen=True)
class Alignment:
    """The words of a key that each word of a response covers.

    start, end  (response words,) half-open ranges of key words, ascending; 0, 0 where there is none
    changed     the response words that stand for other characters than their own
    added       the response words that the key lacks, dropped the key words that the response lacks
    share       the share of the shorter text's characters that the other has, from 0 to 1
    """

    start: IntArray
    end: IntArray
    changed: IntArray
    added: IntArray
    dropped: IntArray
    share: float


def align(key: Sequence[str], response: Sequence[str]) -> Alignment:
    """Align the words of two texts over their normalised characters.

    A response word stands for the key words that have its characters, if these are at least half of
    its own. Other words in the place of up to six key words stand for these, the first for the
    first; longer stretches have nothing in common. Takes about linear time in nearly equal texts.
    """
    ours, theirs = stream(key), stream(response)
    partner = partners(ours, theirs)
    found = np.zeros(len(ours.text), dtype=bool)
    found[partner[partner >= 0]] = True
    start, end = _ranges(partner, ours, theirs)
    replaced = _replace(start, end, len(key), _visible(theirs))
    inside = np.cumsum(_per_place(start, len(key)) - _per_place(end, len(key)))[: len(key)] > 0
    altered = np.append(0, np.cumsum(_sums(~found, ours) > 0))
    other = replaced | (_sums(partner < 0, theirs) > 0) | (altered[end] > altered[start])
    shorter = min(len(ours.text), len(theirs.text))
    return Alignment(
        start,
        end,
        np.flatnonzero(other & (end > 0)),
        np.flatnonzero((end == 0) & _visible(theirs)),
        np.flatnonzero(~inside & _visible(ours)),
        float(found.sum() / shorter) if shorter else 1.0,
    )


def _sums(characters: BoolArray, of: Stream) -> IntArray:
    """(words,) in how many characters of each word it is so."""
    total: IntArray = np.append(0, np.cumsum(characters))
    return total[of.ends] - total[of.starts]


def _visible(of: Stream) -> BoolArray:
    """(words,) whether the word has characters at all."""
    characters = np.array([*of.text]) if of.text else np.zeros(0, dtype="U1")
    return _sums(characters != NOTHING, of) > 0


def _per_place(places: IntArray, n_words: int) -> IntArray:
    return np.bincount(places, minlength=n_words + 1)


def _ranges(partner: IntArray, ours: Stream, theirs: Stream) -> tuple[IntArray, IntArray]:
    """The key words from the first to the last character of each response word of which at least
    half of the characters are found; 0, 0 for the others."""
    words = np.repeat(np.arange(len(ours.starts)), ours.ends - ours.starts)
    at = np.flatnonzero(partner >= 0)
    word = words[partner[at]]
    first, after = np.searchsorted(at, theirs.starts), np.searchsorted(at, theirs.ends)
    kept = (after > first) & (2 * (after - first) >= theirs.ends - theirs.starts)
    start, end = np.zeros_like(first), np.zeros_like(first)
    start[kept], end[kept] = word[first[kept]], word[after[kept] - 1] + 1
    return start, end


def _replace(start: IntArray, end: IntArray, n_key: int, visible: BoolArray) -> BoolArray:
    """Lets other words stand for the key words in their place; returns which do.

    Of m words in the place of n, the i-th covers what lies between i/m and (i + 1)/m of the n.
    """
    none = np.flatnonzero(end == 0)
    replaced = np.zeros(len(end), dtype=bool)
    before, after = np.maximum.accumulate(end), _next_start(start, end, n_key)
    for stretch in np.split(none, np.flatnonzero(np.diff(none) > 1) + 1):
        run = stretch[visible[stretch]]
        if not 0 < len(run) <= MOST_CHANGED:
            continue
        first, last = int(before[run[0]]), int(after[run[-1]])
        m, n = len(run), last - first
        if 0 < n <= MOST_CHANGED:
            i = np.arange(m)
            start[run], end[run] = first + i * n // m, first - (-(i + 1) * n // m)
            replaced[run] = True
    return replaced


def _next_start(start: IntArray, end: IntArray, n_key: int) -> IntArray:
    """(words,) where the next word that has a range begins; `n_key` if there is none."""
    known = np.where(end > 0, start, n_key)
    return np.minimum.accumulate(known[::-1])[::-1]
