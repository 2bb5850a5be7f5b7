"""Whether the words of both sides are the same, and what is done where they are not."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple, Self

import numpy as np

from corescore.corpus.documents import Document, Pieces, Positions
from corescore.corpus.formats.json_objects import place_advice
from corescore.corpus.problems import Problem, Stage, refuse
from corescore.counting.policies import Words
from corescore.counting.sides import without_empty_nodes, words_of_text
from corescore.util import AnyArray, BoolArray, IntArray
from corescore.wording import counted, listed

# The characters of a text, whatever its tokenisation and notation ---------------------------------

# Treebank words for brackets and quotes, punctuation escaped by OntoNotes and the Penn Treebank,
# and one form of each kind of quote, dash and ellipsis.
_WHOLE = dict(zip(["-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"], "()[]{}", strict=True))

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


class Stream(NamedTuple):
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


def partners(key: Stream, response: Stream) -> IntArray:
    """(characters of the response,) the character of the key that each is, ascending; −1: none."""
    from difflib import SequenceMatcher  # few texts differ

    if key.text == response.text:
        return np.arange(len(response.text))
    (a, starts_a), (b, starts_b) = _character_codes(key), _character_codes(response)
    partner = np.full(len(b), -1)
    waiting = [(0, len(a), 0, len(b), 0)]
    while waiting:
        a0, a1, b0, b1, level = waiting.pop()
        n = _in_common(a[a0:a1], b[b0:b1], (starts_a[a0 + 1 : a1 + 1], starts_b[b0 + 1 : b1 + 1]))
        partner[b0 : b0 + n] = np.arange(a0, a0 + n)
        a0, b0 = a0 + n, b0 + n
        of_a, of_b = slice(a0, a1), slice(b0, b1)
        n = _in_common(a[of_a][::-1], b[of_b][::-1], (starts_a[of_a][::-1], starts_b[of_b][::-1]))
        a1, b1 = a1 - n, b1 - n
        partner[b1 : b1 + n] = np.arange(a1, a1 + n)
        if (a1 - a0) * (b1 - b0) <= MOST_CELLS:
            texts = key.text[a0:a1], response.text[b0:b1]
            for i, j, n in SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks():
                partner[b0 + j : b0 + j + n] = np.arange(a0 + i, a0 + i + n)
        elif level <= len(LENGTHS):
            length = LENGTHS[min(level, len(LENGTHS) - 1)]
            at_a, at_b = _anchors(a[a0:a1], b[b0:b1], length, unique=level < len(LENGTHS))
            at_a, at_b = at_a + a0, at_b + b0
            partner[at_b] = at_a
            from_a, to_a = np.append(a0, at_a + 1), np.append(at_a, a1)
            from_b, to_b = np.append(b0, at_b + 1), np.append(at_b, b1)
            gaps = np.column_stack([from_a, to_a, from_b, to_b])
            left = gaps[(to_a > from_a) & (to_b > from_b)]
            waiting += [(*gap, level + 1) for gap in left.tolist()]
    return partner


def _character_codes(text: Stream) -> tuple[AnyArray, BoolArray]:
    """The characters as numbers, and where words start; the end counts as such."""
    starts = np.zeros(len(text.text) + 1, dtype=bool)
    starts[text.starts] = starts[-1] = True
    return np.array([*map(ord, text.text)], dtype=np.uint64), starts


def _in_common(a: AnyArray, b: AnyArray, cuts: tuple[BoolArray, BoolArray]) -> int:
    """How many characters two stretches have in common from the start, up to the last place where
    both are cut into words, or "saw Sam" and "Sam" would begin with "Sa"."""
    n = min(len(a), len(b))
    if n and a[0] != b[0]:
        return 0
    differs = a[:n] != b[:n]
    if differs.any():
        n = int(differs.argmax())
    elif len(a) == len(b):
        return n
    first = max(n - LONGEST_WORD, 0)
    last = np.flatnonzero(cuts[0][first:n] & cuts[1][first:n])
    return first + int(last[-1]) + 1 if len(last) else n * (n > LONGEST_WORD)


def _anchors(a: AnyArray, b: AnyArray, length: int, *, unique: bool) -> tuple[IntArray, IntArray]:
    """Where runs of this length that both texts have begin in each, ascending in both.

    A run is anchored that is unique in each text; else the n-th of its kind with the n-th.
    """
    (ours, from_a), (theirs, from_b) = (_runs(text, length, unique=unique) for text in (a, b))
    _, of_a, of_b = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    at_a, at_b = from_a[of_a], from_b[of_b]
    same = a[at_a] == b[at_b]
    order = np.argsort(at_b[same])
    at_a, at_b = at_a[same][order], at_b[same][order]
    kept = _longest_ascending(at_a.tolist())
    return at_a[kept], at_b[kept]


def _runs(text: AnyArray, length: int, *, unique: bool) -> tuple[AnyArray, IntArray]:
    """A code for each run of this length, a power of two, and where it begins: one code for equal
    runs of two texts; of a run that comes again another for the second, unless `unique`."""
    codes, base, n = text * np.uint64(_BASE), _BASE, 1
    while n < length:
        codes = codes[:-n] * np.uint64(base) + (codes[n:] ^ (codes[n:] >> np.uint64(29)))
        base, n = (base * base + 2) & _MASK, 2 * n
    if unique:
        codes, first, times = np.unique(codes, return_index=True, return_counts=True)
        return codes[times == 1], first[times == 1]
    order = np.argsort(codes, kind="stable")
    codes = codes[order]
    number = np.arange(len(codes)) - np.searchsorted(codes, codes)
    codes = (codes ^ (number.astype(np.uint64) * np.uint64(_BASE))) * np.uint64(_BASE)
    distinct, first = np.unique(codes, return_index=True)
    return distinct, order[first]


def _longest_ascending(values: list[int]) -> IntArray:
    """The places of the longest ascending part of distinct values."""
    tails: list[int] = []  # the lowest last value of an ascending part of each length
    places: list[int] = []
    before = [-1] * len(values)
    for place, value in enumerate(values):
        length = bisect_left(tails, value)
        tails[length : length + 1] = [value]
        places[length : length + 1] = [place]
        before[place] = places[length - 1] if length else -1
    kept = []
    place = places[-1] if places else -1
    while place >= 0:
        kept.append(place)
        place = before[place]
    return np.array(kept[::-1], dtype=np.int64)


# A stretch of other words of at most this length stands for the stretch of the key in its place.
MOST_CHANGED = 6


class Alignment(NamedTuple):
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
    shared = np.zeros(len(ours.text), dtype=bool)
    shared[partner[partner >= 0]] = True
    start, end = _ranges(partner, ours, theirs)
    replaced = _replace(start, end, len(key), _visible(theirs))
    n_open = (np.bincount(places, minlength=len(key) + 1) for places in (start, end))
    inside = np.cumsum(np.subtract(*n_open))[: len(key)] > 0
    altered = np.append(0, np.cumsum(_sums(~shared, ours) > 0))
    other = replaced | (_sums(partner < 0, theirs) > 0) | (altered[end] > altered[start])
    shorter = min(len(ours.text), len(theirs.text))
    return Alignment(
        start,
        end,
        np.flatnonzero(other & (end > 0)),
        np.flatnonzero((end == 0) & _visible(theirs)),
        np.flatnonzero(~inside & _visible(ours)),
        float(shared.sum() / shorter) if shorter else 1.0,
    )


def _sums(characters: BoolArray, stream: Stream) -> IntArray:
    """(words,) in how many characters of each word it is so."""
    total: IntArray = np.append(0, np.cumsum(characters))
    return total[stream.ends] - total[stream.starts]


def _visible(stream: Stream) -> BoolArray:
    """(words,) whether the word has characters at all."""
    characters = np.array([*stream.text], dtype="U1")
    return _sums(characters != NOTHING, stream) > 0


def _ranges(partner: IntArray, ours: Stream, theirs: Stream) -> tuple[IntArray, IntArray]:
    """The key words from the first to the last character of each response word of which at least
    half of the characters are found; 0, 0 for the others."""
    words = np.repeat(np.arange(len(ours.starts)), ours.ends - ours.starts)
    places = np.flatnonzero(partner >= 0)
    word = words[partner[places]]
    first, after = np.searchsorted(places, theirs.starts), np.searchsorted(places, theirs.ends)
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
    before = np.maximum.accumulate(end)
    after = np.minimum.accumulate(np.where(end > 0, start, n_key)[::-1])[::-1]
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


# A response put onto the words of its key, which say the same text in another tokenisation --------


def realigned(key: Document, response: Document) -> "tuple[Document, float, OtherWords]":
    """The response over the words of its key and its own empty nodes; how much the texts have in
    common, from 0 to 1; and what that did to it. Both have words."""
    ours, theirs = words_of_text(key), words_of_text(response)
    alignment = align(ours, theirs)
    words, places = _mixed(response, alignment, ours)
    own, runs = response.mentions, places.runs(response)
    texts = [response.text(mention) for mention in own]
    first: dict[Pieces, Pieces] = {}  # what had the new words of a mention first
    widened, collided = [], []
    for at, of in enumerate(runs):
        if of and any(_cuts_word(places, *piece) for piece in own[at].runs):
            now = " … ".join(" ".join(words[start:end]) for start, end in of)
            widened.append(f"'{texts[at]}' → '{now}'")
        if of and first.setdefault(of, own[at].runs) != own[at].runs:
            collided.append(f"'{texts[at]}'")
    changed = [
        f"'{theirs[at]}' for '{' '.join(ours[alignment.start[at] : alignment.end[at]])}'"
        for at in alignment.changed
    ]
    return (
        replace(response.over(words, places), original=None),
        alignment.share,
        OtherWords(
            aligned=Few.of([response.name]),
            changed=Few.of(changed),
            added=Few.of(f"'{theirs[at]}'" for at in alignment.added),
            dropped=Few.of(f"'{ours[at]}'" for at in alignment.dropped),
            widened=Few.of(widened),
            vanished=Few.of(f"'{text}'" for text, of in zip(texts, runs, strict=True) if not of),
            collided=Few.of(collided),
        ),
    )


def _mixed(
    response: Document, alignment: Alignment, words: Sequence[str]
) -> tuple[list[str], Positions]:
    """The words of the key with the response's empty nodes between them, each behind the word that
    it follows; and where the response's words are among them."""
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
    nodes = [response.words[at] for at in empty.tolist()]
    mixed = np.insert(np.array(words, dtype=object), behind, nodes)
    return mixed.tolist(), Positions(start, end, len(mixed))


def _cuts_word(positions: Positions, start: int, end: int) -> bool:
    """Whether a key word of this span has also words of the response beside it."""
    first, last = positions.following[start], positions.preceding[end]
    before, after = positions.preceding[start], positions.following[end]
    return bool(
        first <= last
        and (
            (before >= 0 and positions.end[before] > positions.start[first])
            or (after < len(positions.start) and positions.start[after] < positions.end[last])
        )
    )


LEAST_IN_COMMON = 0.5  # the share of characters that two versions of one text have in common

MOST_NAMED, MOST_EXAMPLES = 5, 3

OTHER_WORDS = "has text that differs from the key in"  # how a warning of such a response begins

Pairs = Sequence[tuple[Document, Document]]


@dataclass(frozen=True)
class Few:
    """How many there are of something, and the first few of them."""

    n: int = 0
    first: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        every = tuple(names)
        return cls(len(every), every[:MOST_NAMED])

    def __add__(self, other: Self) -> Self:
        return type(self)(self.n + other.n, (*self.first, *other.first)[:MOST_NAMED])


NONE = Few()


@dataclass(frozen=True)
class OtherWords:
    """What was done to responses whose words differ from the key's; of several batches it adds up.

    ignored, aligned              the names of the documents compared by position, and mapped over
                                  characters
    changed, added, dropped       words in which the texts differ
    widened, vanished, collided   mentions of other words, of no words of the key, and of the words
                                  of another mention
    bare                          the names of the documents without words whose keys have empty
                                  nodes
    """

    ignored: Few = NONE
    aligned: Few = NONE
    changed: Few = NONE
    added: Few = NONE
    dropped: Few = NONE
    widened: Few = NONE
    vanished: Few = NONE
    collided: Few = NONE
    bare: Few = NONE

    def __add__(self, other: Self) -> Self:
        names = (field.name for field in fields(self))
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in names})

    def warnings(self, name: str) -> Iterator[str]:
        """A line for each kind of thing that was done, with examples; `name` is the response's."""
        if self == OtherWords():
            return
        differs = f"{name} {OTHER_WORDS} "
        ends = "does" if self.widened.n == 1 else "do"
        lines = {
            "ignored": f"{differs}{list_documents(self.ignored)}: compared by position.",
            "bare": (
                f"{name} has no words in {list_documents(self.bare)}: its positions are taken to "
                "count the key's empty nodes as words."
            ),
            "aligned": (
                f"{differs}{list_documents(self.aligned)}: mapped over characters.{self._changes}"
            ),
            "widened": (
                f"{name}: {counted(self.widened.n)} {ends} not begin and end with words of the "
                f"key. The smallest covering words are taken: {_examples(self.widened)}."
            ),
            "vanished": (
                f"{name}: {counted(self.vanished.n)} of words that are not in the key, left out "
                f"of scoring: {_examples(self.vanished)}."
            ),
            "collided": (
                f"{name}: {counted(self.collided.n)} with the same key words as another mention, "
                f"so listed twice: {_examples(self.collided)}."
            ),
        }
        yield from (line for kind, line in lines.items() if getattr(self, kind).n)

    @property
    def _changes(self) -> str:
        """In which words the texts differ; "" if only in their tokenisation."""
        kinds = {"changed": self.changed, "added": self.added, "dropped": self.dropped}
        parts = [
            f"{counted(words.n, 'word')} {kind} ({_examples(words)})"
            for kind, words in kinds.items()
            if words.n
        ]
        return f" Its text has {listed(parts)}." if parts else ""


def fit_words(pairs: Pairs, words: Words) -> tuple[list[Document], OtherWords]:
    """The responses over the words of their keys, as the policy says, and what was done to them.

    Raises InputError for a side without words whose positions do not fit the other's; and for words
    that differ, under "error" all and under "align" those of another text.
    """
    responses = [response for _, response in pairs]
    bare = Few.of(r.name for key, r in pairs if key.empty_nodes and len(r.rows) and not r.words)
    if words == "ignore":
        others = (response.name for key, response in pairs if other_words(key, response))
        return responses, OtherWords(ignored=Few.of(others), bare=bare)
    refuse((problem for pair in pairs for problem in _word_problems(*pair, words)), Stage.WORDS)
    done, unlike = OtherWords(bare=bare), []
    for at, (key, response) in enumerate(pairs):
        if words == "align" and other_words(key, response):
            responses[at], share, what = realigned(key, response)
            done += what
            if share < LEAST_IN_COMMON:
                unlike.append(_another_text(key, response, share))
    refuse(unlike, Stage.TEXT)
    return responses, done


def list_documents(names: Few) -> str:
    """2 documents ('a', 'b'): how many, and the names of the first."""
    more = names.n - len(names.first)
    first = ", ".join(f"'{name}'" for name in names.first)
    return f"{counted(names.n, 'document')} ({first}{f' and {more} more' * (more > 0)})"


def other_words(key: Document, response: Document) -> bool:
    """Whether both sides have words, and not the same."""
    if key.named_mentions or not key.words or not response.words:
        return False
    return words_of_text(key) != words_of_text(response)


def _word_problems(key: Document, response: Document, words: Words) -> Iterator[Problem]:
    if words == "error" and other_words(key, response):
        yield first_other_word(key, response)
    else:
        yield from positions_beyond(key, response)


def _another_text(key: Document, response: Document, share: float) -> Problem:
    return Problem(
        response.file or "response",
        0,
        f"document '{response.name}' has {100 * share:.0f}% of its characters in common with the "
        "key's",
        f"nearly the same text, as in {key.file or 'key'}",
        "Check that both files have the same documents.",
    )


def _examples(texts: Few) -> str:
    more = texts.n > MOST_EXAMPLES
    return ", ".join([*texts.first[:MOST_EXAMPLES], *["…"] * more])


def first_other_word(key: Document, response: Document) -> Problem:
    """The problem of documents whose words differ, with advice which policy fits."""
    key, response = without_empty_nodes(key), without_empty_nodes(response)
    pairs = zip(key.words, response.words, strict=False)
    shorter = min(len(key.words), len(response.words))
    place = next((i for i, (k, r) in enumerate(pairs) if k != r), shorter)
    n_key, n_response = len(key.words), len(response.words)
    expected = (
        f"'{key.words[place]}'" if place < n_key else f"an end after {counted(n_key, 'word')}"
    )
    what = f"ends after {counted(n_response, 'word')}"
    if place < n_response:
        what = f"has '{response.words[place]}' as word {place + 1}"
    return Problem(
        response.file or "response",
        response.line_of(place),
        f"document '{response.name}' {what}",
        f"{expected}, as in the key ({key.file or 'key'}:{key.line_of(place)})",
        f"Key and response must be over the same words. {_advice(key, response)}",
    )


def with_words_of(other: Document, document: Document) -> Document:
    """A document without words over those of the other side, if its positions fit."""
    if document.words or not other.words or document.spans.max(initial=0) > len(other.words):
        return document
    return replace(
        document,
        words=other.words,
        sentence_starts=other.sentence_starts,
        speakers=other.speakers,
        tags=other.tags,
        lemmas=other.lemmas,
        empty_nodes=other.empty_nodes,
        lines=None,
    )


def with_further_words(key: Document, response: Document) -> Document:
    """The key with the words that a longer response has after its end, where words are ignored, so
    that every mention has a place in its text."""
    further = response.words[len(key.words) :]
    if not key.words or not further:
        return key
    nothing = ("",) * len(further)
    tags, lemmas = (of and (*of, *nothing) for of in (key.tags, key.lemmas))
    lines = None if key.lines is None else np.append(key.lines, np.zeros(len(further), np.int64))
    return replace(key, words=(*key.words, *further), tags=tags, lemmas=lemmas, lines=lines)


def positions_beyond(key: Document, response: Document) -> Iterable[Problem]:
    """A side without words has a mention past the last word of the other."""
    for wordless, other in ((key, response), (response, key)):
        if wordless.words or not other.words:
            continue
        last = int(wordless.spans.max(initial=0))
        if last > len(other.words):
            yield Problem(
                wordless.file or ("key" if wordless is key else "response"),
                wordless.line_of(last - 1),
                f"document '{wordless.name}' has no words, and a mention up to word {last}",
                f"at most {counted(len(other.words), 'word')}, as in {other.file or 'the other'}",
                f"Key and response must be over the same words.{_advice_of_json(wordless, other)}",
            )


def _advice_of_json(wordless: Document, other: Document) -> str:
    """What the positions look like, read as inclusive from JSON Lines; "" of another file."""
    if wordless.original is None or wordless.original.format != "jsonl":
        return ""
    spans = [(start, end - 1) for start, end in wordless.spans.tolist()]
    return f" {place_advice(spans, other.words)}"


def _advice(key: Document, response: Document) -> str:
    if stream(key.words).text == stream(response.words).text:
        return (
            "Both have the same characters, in another tokenisation or notation (such as '/.' for "
            "'.'): with --words align (words='align'), positions are mapped over characters."
        )
    aligns = (
        "If the texts are nearly the same, score with --words align (words='align'), which maps "
        "positions over characters"
    )
    if len(key.words) == len(response.words):
        return (
            f"{aligns}, or with --words ignore (words='ignore'), which compares mentions by "
            f"position, whatever the words."
        )
    return f"{aligns}."
