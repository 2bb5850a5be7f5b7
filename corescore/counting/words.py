"""Whether the words of both sides are the same, and what is done where they are not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np

from corescore.corpus.documents import Document, Pieces, Positions
from corescore.corpus.formats.json_shapes import place_advice
from corescore.corpus.problems import InputError, Problem, Stage
from corescore.counting.alignment import Alignment, align, stream
from corescore.counting.policies import Words
from corescore.counting.sides import without_empty_nodes, words_of_text
from corescore.wording import counted, listed

# A response put onto the words of its key, which say the same text in another tokenisation --------


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
    words, places = _mixed(response, alignment, ours)
    runs = places.runs(response)
    kept = [at for at, of in enumerate(runs) if of]
    own, spans = response.mentions, zip(alignment.start, alignment.end, strict=True)
    standing = [" ".join(ours[start:end]) for start, end in spans]
    return Realigned(
        replace(response.over(words, places), original=None),
        alignment.share,
        tuple(
            (response.text(own[at]), _text(words, runs[at]))
            for at in kept
            if any(_cuts_word(places, *piece) for piece in own[at].runs)
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


def _cuts_word(at: Positions, start: int, end: int) -> bool:
    """Whether a key word of this span has also words of the response beside it."""
    first, last = at.following[start], at.preceding[end]
    before, after = at.preceding[start], at.following[end]
    return bool(
        first <= last
        and (
            (before >= 0 and at.end[before] > at.start[first])
            or (after < len(at.start) and at.start[after] < at.end[last])
        )
    )


LEAST_IN_COMMON = 0.5  # the share of characters that two versions of one text have in common

MOST_NAMED, MOST_EXAMPLES = 5, 3

OTHER_WORDS = "has other words than the key in"  # how a warning of such a response begins

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
        return replace(self, n=self.n + other.n, first=(*self.first, *other.first)[:MOST_NAMED])


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

    @classmethod
    def of(cls, aligned: Sequence[Realigned]) -> Self:
        """What aligning did."""
        return cls(
            aligned=Few.of(of.document.name for of in aligned),
            changed=Few.of(f"'{own}' for '{key}'" for of in aligned for own, key in of.changed),
            added=Few.of(f"'{word}'" for of in aligned for word in of.added),
            dropped=Few.of(f"'{word}'" for of in aligned for word in of.dropped),
            widened=Few.of(f"'{own}' → '{key}'" for of in aligned for own, key in of.widened),
            vanished=Few.of(f"'{words}'" for of in aligned for words in of.vanished),
            collided=Few.of(f"'{words}'" for of in aligned for words in of.collided),
        )

    def __add__(self, other: Self) -> Self:
        names = (field.name for field in fields(self))
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in names})

    def warnings(self, name: str) -> Iterator[str]:
        """A line for each kind of thing that was done, with examples; `name` is the response's."""
        if self.ignored.n:
            found = f"{name} {OTHER_WORDS} {list_documents(self.ignored)}"
            yield f"{found}: compared by position."
        if self.bare.n:
            found = f"{name} has no words in {list_documents(self.bare)}"
            yield f"{found}: its positions are taken to count the key's empty nodes as words."
        if self.aligned.n:
            found = f"{name} {OTHER_WORDS} {list_documents(self.aligned)}"
            yield f"{found}: mapped over characters.{self._changes}"
        if self.widened.n:
            ends = "does" if self.widened.n == 1 else "do"
            yield (
                f"{name}: {counted(self.widened.n)} {ends} not begin and end with words of the "
                f"key; the smallest covering words are taken: {_examples(self.widened)}."
            )
        if self.vanished.n:
            yield (
                f"{name}: {counted(self.vanished.n)} of words that the key lacks, left out of "
                f"scoring: {_examples(self.vanished)}."
            )
        if self.collided.n:
            yield (
                f"{name}: {counted(self.collided.n)} with the same key words as another mention, "
                f"so listed twice: {_examples(self.collided)}."
            )

    @property
    def _changes(self) -> str:
        """In which words the texts differ; "" if only in their tokenisation."""
        kinds = {"changed": self.changed, "added": self.added, "dropped": self.dropped}
        said = [
            f"{counted(words.n, 'word')} {kind} ({_examples(words)})"
            for kind, words in kinds.items()
            if words.n
        ]
        return f" Its text has {listed(said)}." if said else ""


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
    refuse((problem for pair in pairs for problem in _problems(*pair, words)), Stage.WORDS)
    aligned = {
        at: realigned(key, response)
        for at, (key, response) in enumerate(pairs)
        if words == "align" and other_words(key, response)
    }
    unlike = [
        _another_text(*pairs[at], of.share)
        for at, of in aligned.items()
        if of.share < LEAST_IN_COMMON
    ]
    refuse(unlike, Stage.TEXT)
    for at, of in aligned.items():
        responses[at] = of.document
    return responses, replace(OtherWords.of([*aligned.values()]), bare=bare)


def refuse(problems: Iterable[Problem], stage: Stage) -> None:
    """Raises InputError if there are any."""
    if found := list(problems):
        raise InputError(found, stage=stage)


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


def _problems(key: Document, response: Document, words: Words) -> Iterator[Problem]:
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
    at = next((i for i, (k, r) in enumerate(pairs) if k != r), shorter)
    return Problem(
        response.file or "response",
        _line(response, at),
        f"document '{response.name}' {_found(response, at)}",
        f"{_expected(key, at)} ({key.file or 'key'}:{_line(key, at)})",
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
                _line(wordless, last - 1),
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
            "'.'): words 'align' maps positions over characters."
        )
    aligns = "If it is nearly the same text, words 'align' maps positions over characters"
    if len(key.words) == len(response.words):
        return f"{aligns}; words 'ignore' compares mentions by position, whatever the words."
    return f"{aligns}."


def _found(document: Document, at: int) -> str:
    if at < len(document.words):
        return f"has '{document.words[at]}' as word {at + 1}"
    return f"ends after {len(document.words)} words"


def _expected(document: Document, at: int) -> str:
    if at < len(document.words):
        return f"'{document.words[at]}', as in the key"
    return f"an end after {len(document.words)} words, as in the key"


def _line(document: Document, at: int) -> int:
    if document.lines is None or not len(document.lines):
        return 0
    return int(document.lines[min(at, len(document.lines) - 1)])
