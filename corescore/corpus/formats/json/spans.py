"""Clusters of [start, end] word positions, and what they look like where they are something else.

Whether an end is inside its mention no file says. Two signs betray ends that are not: one that is
the number of words, and no mention at all of a single word.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

import numpy as np

from corescore.arrays import IntArray
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.json.fields import clusters_of, whole_numbers
from corescore.corpus.formats.json.objects import Entry
from corescore.corpus.problems import InputError

Ends = Literal["inclusive", "exclusive"]
EXCLUSIVE_FORMAT = "jsonl-exclusive"
MOST_WORDS = 10_000_000  # of a document; a position beyond that is none of a word
ENOUGH_MENTIONS = 20  # so many without one of a single word are no accident
_INSIDE = "Count words of the document from 0; both ends are inside the mention."
_OUTSIDE = "Count words of the document from 0; the end is the word after the mention."


def rows_of(
    entry: Entry, field: str, words: Sequence[str] | None, ends: Ends = "inclusive"
) -> IntArray:
    """(mentions, 3) start, end and cluster of each mention, half-open, in the order of the file.

    words  of the document; None if the file has none
    """
    after = int(ends == "inclusive")  # inclusive → half-open
    n = MOST_WORDS if words is None else len(words)
    clusters = clusters_of(entry, field)
    spans = [*chain.from_iterable(clusters)]
    if not spans:
        return np.zeros((0, 3), dtype=np.int64)
    pairs = _pairs(spans)
    if pairs is None or not _are_places(pairs, n, after):
        raise _first_problem(entry, spans, words, after)
    rows = np.empty((len(spans), 3), dtype=np.int64)
    rows[:, :2] = pairs
    rows[:, 1] += after
    rows[:, 2] = np.repeat(np.arange(len(clusters)), [*map(len, clusters)])
    return rows


def _pairs(spans: Sequence[Any]) -> IntArray | None:
    """(spans, 2) the numbers; None if anything is no [start, end], or too large to be a place."""
    if not ({*map(type, spans)} == {list} and {*map(len, spans)} == {2}):
        return None
    numbers = [*chain.from_iterable(spans)]
    if {*map(type, numbers)} != {int}:
        return None
    try:
        return np.fromiter(numbers, dtype=np.int64, count=len(numbers)).reshape(-1, 2)
    except OverflowError:
        return None


def _are_places(pairs: IntArray, n_words: int, after: int) -> bool:
    """Whether 0 ≤ start < end ≤ words, half-open, of all of them, one or more."""
    last = int(pairs.view(np.uint64).max())  # a negative number is then a large one
    return last <= n_words - after and bool((pairs[:, 0] < pairs[:, 1] + after).all())


def _first_problem(
    entry: Entry, spans: Sequence[Any], words: Sequence[str] | None, after: int
) -> InputError:
    """What is wrong with the first span that cannot be read."""
    n = MOST_WORDS if words is None else len(words)
    bad = next(
        span
        for span in spans
        if not (whole_numbers(span, 2) and 0 <= span[0] < span[1] + after <= n)
    )
    if whole_numbers(bad, 2):
        return _place(entry, bad, words, after, spans)
    return _shape(entry, bad, _INSIDE if after else _OUTSIDE)


def _shape(entry: Entry, span: object, advice: str) -> InputError:
    found = f"{json.dumps(span)[:40]} in a cluster"
    return entry.problem(found, "[start, end], two word positions", advice)


def _place(
    entry: Entry, span: object, words: Sequence[str] | None, after: int, spans: Iterable[Any]
) -> InputError:
    n = MOST_WORDS if words is None else len(words)
    of = "without words" if words is None else f"of {n} words"
    expected = f"0 ≤ start ≤ end ≤ {n - 1}" if after else f"0 ≤ start < end ≤ {n}"
    pairs = [span for span in spans if whole_numbers(span, 2)]
    has_text = "text" in entry.values
    advice = place_advice(pairs, words or (), after=after, has_text=has_text)
    return entry.problem(f"the span {str(span)[:60]} in a document {of}", expected, advice)


def place_advice(
    spans: Sequence[Sequence[int]], words: Sequence[str], *, after: int = 1, has_text: bool = False
) -> str:
    """What positions that do not fit the words look like, and what to do then.

    after  1 if the ends are inside the mentions, 0 if they are the words after them
    """
    last = max(end for _, end in spans)
    good = all(0 <= start < end for start, end in spans)
    if after and good and last == len(words):
        return (
            "The ends look exclusive, each the word after its mention: "
            f"if they are, name the format {EXCLUSIVE_FORMAT}."
        )
    if good and len(words) < last <= sum(map(len, words)) + len(words):
        instead = "name the format fastcoref" if has_text else "count words instead"
        return f"These look like positions of characters, not of words: {instead}."
    return _INSIDE if after else _OUTSIDE


def with_ends_warning(corpus: Corpus) -> Corpus:
    """The corpus, with a warning if its inclusive ends look exclusive."""
    warnings = ends_warning(map(ends_of, corpus), corpus.file)
    return replace(corpus, warnings=(*corpus.warnings, *warnings))


def ends_of(document: Document) -> tuple[int, int, int]:
    """How many mentions a document has, how many of a single word and, if none, how many that start
    where another ends."""
    start, end = document.rows[:, 0], document.rows[:, 1]
    n_single = int((end - start == 1).sum())
    touching = 0 if n_single else int(np.isin(start, end - 1).sum())
    return len(start), n_single, touching


def ends_warning(ends: Iterable[Sequence[int]], file: str) -> Iterator[str]:
    """A warning if the inclusive ends of a file look exclusive; `ends_of` each document."""
    n_mentions, n_single, touching = map(sum, zip((0, 0, 0), *ends, strict=True))
    if n_mentions < 2 or n_single or (not touching and n_mentions < ENOUGH_MENTIONS):
        return
    starts = f" and {touching} start where another ends" if touching else ""
    yield (
        f"{file}: none of the {n_mentions} mentions has a single word{starts}: the ends look "
        "exclusive, but are read as inclusive; if they are exclusive, name the format "
        f"{EXCLUSIVE_FORMAT}."
    )
