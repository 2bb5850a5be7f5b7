"""Which words of a key each word of a response stands for: the same text in other words."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from corescore.util import AnyArray, BoolArray, IntArray

# The characters of a text, whatever its tokenisation and notation ---------------------------------

# Treebank words for brackets and quotes, punctuation escaped by OntoNotes and the Penn Treebank,
# and one form of each kind of quote, dash and ellipsis.
_WHOLE = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}

_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)

_ESCAPED = re.compile(r"^[/\\](?=[^\w\s]$)|\\(?=[/*])")

# The marks of pieces of words: BERT, SentencePiece, GPT-2 and byte-pair encoding.
_PIECE = re.compile(r"^##(?=.)|^[▁Ġ]|(?<=.)@@$")

_UNSEEN = ("Cf", "Cc", "Zs", "Zl", "Zp")

NOTHING = "\ufffc"  # stands for a word without any character


@dataclass(frozen=True)
class Stream:
    """The normalised characters of all words in one text.

    starts, ends  (words,) where the characters of each word begin and end in it; each has some
    """

    text: str
    starts: IntArray
    ends: IntArray


def stream(words: Sequence[str]) -> Stream:
    """The characters of these words one after the other."""
    known = {word: normalised(word) for word in set(words)}
    forms = [known[word] for word in words]
    ends = np.cumsum([len(form) for form in forms], dtype=np.int64)
    return Stream("".join(forms), np.append(0, ends[:-1])[: len(forms)], ends)


def normalised(word: str) -> str:
    """A word without what notations and tokenisers change: case, accents, width, escapes, marks of
    subwords, and kinds of quotes, dashes and brackets. Never empty."""
    plain = _ESCAPED.sub("", _PIECE.sub("", word))
    folded = unicodedata.normalize("NFKD", plain.translate(_SPELLINGS)).casefold()
    folded = _WHOLE.get(folded, folded).replace("''", '"').replace("--", "-")
    visible = [char for char in folded if unicodedata.category(char) not in _UNSEEN]
    bare = [char for char in visible if unicodedata.category(char) != "Mn"]
    return "".join(bare or visible) or NOTHING


# Which character of one text is which of another: what is equal, then anchors, then what is left --
# Two texts that say nearly the same are aligned in about linear time. Runs of characters that each
# text has once and the other too are anchors, as in patience diff: the most of them that are in the
# same order hold. Between anchors the same is done with shorter runs, and difflib aligns what is
# short. A stretch that was moved is aligned in one place only.

# The lengths of runs, in characters; the last is also tried with runs that are not unique.
LENGTHS = (32, 16, 8, 4)

LONGEST_WORD = 100  # characters; equal text ends where a word ends, if that is not further off

MOST_CELLS = 4096  # of the grid of two stretches that difflib aligns: about 64 by 64 characters

_BASE, _MASK = 0x9E3779B97F4A7C15, 2**64 - 1

Gap = tuple[int, int, int, int]  # the start and end of a stretch of the key, and of the response


@dataclass(frozen=True)
class _Texts:
    """Both texts as numbers, where words start in each (and the end), and what is aligned."""

    key: Stream
    response: Stream
    a: AnyArray
    b: AnyArray
    starts_a: BoolArray
    starts_b: BoolArray
    partner: IntArray

    @classmethod
    def of(cls, key: Stream, response: Stream) -> "_Texts":
        a, b = (np.array([*map(ord, side.text)], dtype=np.uint64) for side in (key, response))
        return cls(key, response, a, b, _starts(key), _starts(response), np.full(len(b), -1))

    def pair(self, at_a: int, at_b: int, n: int) -> None:
        """Align n characters from here."""
        self.partner[at_b : at_b + n] = np.arange(at_a, at_a + n)


def _starts(text: Stream) -> BoolArray:
    starts = np.zeros(len(text.text) + 1, dtype=bool)
    starts[text.starts] = starts[-1] = True
    return starts


def partners(key: Stream, response: Stream) -> IntArray:
    """(characters of the response,) the character of the key that each is, ascending; −1: none."""
    if key.text == response.text:
        return np.arange(len(response.text))
    texts = _Texts.of(key, response)
    waiting = [((0, len(texts.a), 0, len(texts.b)), 0)]
    while waiting:
        gap, level = waiting.pop()
        gap = _without_equal_ends(texts, gap)
        size = (gap[1] - gap[0]) * (gap[3] - gap[2])
        if 0 < size <= MOST_CELLS:
            _align_short(texts, gap)
        elif size and level <= len(LENGTHS):
            waiting += [(part, level + 1) for part in _split(texts, gap, level)]
    return texts.partner


def _without_equal_ends(texts: _Texts, gap: Gap) -> Gap:
    """The gap without what both stretches begin and end with, which is aligned.

    That ends where a word ends in both, or "saw Sam" and "Sam" would begin with "Sa".
    """
    a0, a1, b0, b1 = gap
    n = _equal(texts.a[a0:a1], texts.b[b0:b1])
    if n < max(a1 - a0, b1 - b0):
        ends = texts.starts_a[a0 + 1 : a0 + n + 1] & texts.starts_b[b0 + 1 : b0 + n + 1]
        n = _up_to_last(ends)
    texts.pair(a0, b0, n)
    a0, b0 = a0 + n, b0 + n
    n = _equal(texts.a[a0:a1][::-1], texts.b[b0:b1][::-1])
    n = _up_to_last((texts.starts_a[a1 - n : a1] & texts.starts_b[b1 - n : b1])[::-1])
    texts.pair(a1 - n, b1 - n, n)
    return a0, a1 - n, b0, b1 - n


def _up_to_last(boundaries: BoolArray) -> int:
    """How many characters there are up to the last boundary; all if it is too far back."""
    n = len(boundaries)
    last = np.flatnonzero(boundaries[-LONGEST_WORD:])
    if len(last):
        return max(n - LONGEST_WORD, 0) + int(last[-1]) + 1
    return n if n > LONGEST_WORD else 0


def _equal(a: AnyArray, b: AnyArray) -> int:
    """How many characters two texts have in common from the start."""
    n = min(len(a), len(b))
    if not n or a[0] != b[0]:
        return 0
    other = a[:n] != b[:n]
    at = int(other.argmax())
    return at if other[at] else n


def _align_short(texts: _Texts, gap: Gap) -> None:
    a0, a1, b0, b1 = gap
    stretches = texts.key.text[a0:a1], texts.response.text[b0:b1]
    for i, j, n in SequenceMatcher(None, *stretches, autojunk=False).get_matching_blocks():
        texts.pair(a0 + i, b0 + j, n)


def _split(texts: _Texts, gap: Gap, level: int) -> list[Gap]:
    """What is left between the anchors of a gap; the gap itself if there are none."""
    a0, a1, b0, b1 = gap
    length = LENGTHS[min(level, len(LENGTHS) - 1)]
    stretches = texts.a[a0:a1], texts.b[b0:b1]
    at_a, at_b = _anchors(*stretches, length, unique=level < len(LENGTHS))
    at_a, at_b = at_a + a0, at_b + b0
    texts.partner[at_b] = at_a
    from_a, to_a = np.append(a0, at_a + 1), np.append(at_a, a1)
    from_b, to_b = np.append(b0, at_b + 1), np.append(at_b, b1)
    left = (to_a > from_a) & (to_b > from_b)
    return [*zip(*(ends[left].tolist() for ends in (from_a, to_a, from_b, to_b)), strict=True)]


def _anchors(a: AnyArray, b: AnyArray, length: int, *, unique: bool) -> tuple[IntArray, IntArray]:
    """Where runs of this length that both texts have begin in each, ascending in both.

    A run is anchored that is unique in each text; else the n-th of its kind with the n-th.
    """
    if min(len(a), len(b)) < length:
        none = np.zeros(0, dtype=np.int64)
        return none, none
    ours, theirs = (_once(text, length) if unique else _numbered(text, length) for text in (a, b))
    _, of_a, of_b = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    at_a, at_b = ours[1][of_a], theirs[1][of_b]
    same = a[at_a] == b[at_b]
    order = np.argsort(at_b[same])
    at_a, at_b = at_a[same][order], at_b[same][order]
    kept = _longest_ascending(at_a.tolist())
    return at_a[kept], at_b[kept]


def _codes(text: AnyArray, length: int) -> AnyArray:
    """A number for each run of this length, a power of two, that is equal for equal runs."""
    codes, base, n = text * np.uint64(_BASE), _BASE, 1
    while n < length:
        codes = codes[:-n] * np.uint64(base) + (codes[n:] ^ (codes[n:] >> np.uint64(29)))
        base, n = (base * base + 2) & _MASK, 2 * n
    return codes


def _once(text: AnyArray, length: int) -> tuple[AnyArray, IntArray]:
    """The codes of the runs that a text has once, and where they begin."""
    codes, first, times = np.unique(_codes(text, length), return_index=True, return_counts=True)
    return codes[times == 1], first[times == 1]


def _numbered(text: AnyArray, length: int) -> tuple[AnyArray, IntArray]:
    """A code for each run, one for the first of its kind, another for the second and so on."""
    codes = _codes(text, length)
    order = np.argsort(codes, kind="stable")
    new = np.flatnonzero(np.diff(codes[order], prepend=codes[order][:1] + np.uint64(1)) != 0)
    number = np.arange(len(codes)) - np.repeat(new, np.diff(new, append=len(codes)))
    mixed = (codes[order] ^ (number.astype(np.uint64) * np.uint64(_BASE))) * np.uint64(_BASE)
    distinct, first = np.unique(mixed, return_index=True)
    return distinct, order[first]


def _longest_ascending(values: list[int]) -> IntArray:
    """The places of the longest ascending part of distinct values."""
    tails: list[int] = []  # the lowest last value of an ascending part of each length
    places: list[int] = []
    before = [-1] * len(values)
    for place, value in enumerate(values):
        at = bisect_left(tails, value)
        tails[at : at + 1] = [value]
        places[at : at + 1] = [place]
        before[place] = places[at - 1] if at else -1
    kept = []
    place = places[-1] if places else -1
    while place >= 0:
        kept.append(place)
        place = before[place]
    return np.array(kept[::-1], dtype=np.int64)


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
