"""Subtokens of a BERT model joined to words: `[CLS] E ##hu ##d [SEP]` → `Ehud`."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from corescore.corpus.formats.json.fields import whole_numbers
from corescore.corpus.formats.json.objects import Entry

SUBTOKEN_FORMAT = "jsonl-subtokens"
_SPECIAL = frozenset(("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"))
_ENDS = frozenset(("[CLS]", "[SEP]"))  # of a segment
_ASCII = re.compile(r"\\u00[2-7]")  # a mark could be written so
_CONTINUED = re.compile(r"##\S")
_MARKS = re.compile(r"^(?:##(?=.)|[\u2581\u0120](?=.))")  # of WordPiece, SentencePiece, GPT-2's BPE


def in_words(
    entry: Entry, segments: Sequence[Sequence[str]], subtokens: Sequence[str], *, join: bool
) -> dict[str, Any] | None:
    """The values of a document over words; None if it is over words already.

    They are joined by `subtoken_map`, the word of each subtoken, and put into sentences by
    `sentence_map`, the sentence of each; without the first they are joined only if `join` says so,
    by the ## before what continues a word.
    """
    seen = _look_like_subtokens(entry.text, subtokens)
    given = entry.values.get("subtoken_map")
    if whole_numbers(given, len(subtokens)):
        word_of = given
        entry.require(
            word_of == sorted(word_of),
            "a 'subtoken_map' that goes back to an earlier word",
            "the word of each subtoken, ascending",
            "Give segments that do not overlap.",
        )
    elif join:
        word_of = [*_by_convention(subtokens)]
    else:
        if seen:
            entry.warn_once(
                "the words look like BERT subtokens ([CLS], ##ing) without a 'subtoken_map'; they "
                f"are read as words. To join them, name the format {SUBTOKEN_FORMAT}."
            )
        return None
    if not seen and len({*word_of}) == len(subtokens):
        return None
    entry.warn_once("subtokens are joined to words.")
    return _Joined(entry, segments, subtokens, word_of).values()


def _look_like_subtokens(text: str, words: Sequence[str]) -> bool:
    """Whether words of a JSON text do; words are looked at only if the text has such marks."""
    if not any(mark in text for mark in ("##", *_ENDS)) and not _ASCII.search(text):
        return False
    return not _ENDS.isdisjoint(words) or any(map(_CONTINUED.match, words))


def _by_convention(subtokens: Sequence[str]) -> Iterator[int]:
    word = -1
    for subtoken in subtokens:
        word += subtoken not in _SPECIAL and (word < 0 or not _CONTINUED.match(subtoken))
        yield max(word, 0)


class _Joined:
    """The subtokens of a document and the word of each, counted without [CLS] and its like."""

    def __init__(
        self,
        entry: Entry,
        segments: Sequence[Sequence[str]],
        subtokens: Sequence[str],
        word_of: Sequence[int],
    ) -> None:
        self.entry = entry
        self.segments = segments
        real = [at for at, subtoken in enumerate(subtokens) if subtoken not in _SPECIAL]
        parts = [[*group] for _, group in groupby(real, key=word_of.__getitem__)]
        self.word_at = {at: word for word, group in enumerate(parts) for at in group}
        self.words = ["".join(_MARKS.sub("", subtokens[at]) for at in group) for group in parts]
        self.first = [group[0] for group in parts]
        self.sentence_of = self._sentences()

    def _sentences(self) -> list[int]:
        """The sentence of each subtoken; its segment where no map says which."""
        given = self.entry.values.get("sentence_map")
        of_segments = [i for i, segment in enumerate(self.segments) for _ in segment]
        if given is None:
            return of_segments
        self.entry.require(
            whole_numbers(given, len(of_segments)),
            "'sentence_map' in another shape than the words",
            "the sentence of each subtoken",
            "Fix the list or leave it out.",
        )
        return list(given)

    def values(self) -> dict[str, Any]:
        """The values over words."""
        entry = self.entry
        changed: dict[str, Any] = {"sentences": self._in_sentences(self.words)}
        for field in ("speakers", "pos"):
            if _like(entry.values.get(field), self.segments, nested="sentences" in entry.values):
                changed[field] = self._in_sentences(self._of_words(entry.values[field]))
        for field in ("clusters", "predicted_clusters"):
            if isinstance(entry.values.get(field), list):
                changed[field] = [self._cluster(one) for one in entry.values[field]]
        return {**entry.values, **changed}

    def _of_words(self, given: Sequence[Any]) -> list[Any]:
        """The value of the first subtoken of each word."""
        nested = "sentences" in self.entry.values
        flat = [value for one in given for value in one] if nested else given
        return [flat[at] for at in self.first]

    def _in_sentences(self, of_words: Sequence[Any]) -> list[list[Any]]:
        pairs = zip((self.sentence_of[at] for at in self.first), of_words, strict=True)
        return [[value for _, value in group] for _, group in groupby(pairs, key=lambda p: p[0])]

    def _cluster(self, cluster: object) -> object:
        return [self._span(span) for span in cluster] if isinstance(cluster, list) else cluster

    def _span(self, span: object) -> object:
        """Of other words than those of the document the positions stay, and are refused later."""
        if not isinstance(span, list) or not whole_numbers(span, 2):
            return span
        self.entry.require(
            all(at in self.word_at for at in span),
            f"the span {str(span)[:60]}, which begins or ends at no part of a word",
            "subtokens of words",
            "Check the positions: [CLS] and [SEP] count, but are in no mention.",
        )
        return [self.word_at[at] for at in span]


def _like(given: object, segments: Sequence[Sequence[str]], *, nested: bool) -> bool:
    """Whether a field has a value for each subtoken."""
    lists = given if nested else [given]
    return (
        isinstance(lists, list)
        and all(isinstance(one, list) for one in lists)
        and [*map(len, lists)] == [*map(len, segments)]
    )
