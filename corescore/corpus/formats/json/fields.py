"""What the JSON formats share: names, words and clusters, checked as they are read."""

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, TypeGuard

from corescore.corpus.formats.json.objects import Entry
from corescore.wording import counted

Row = tuple[int, int, int]
_CONLL_NAME = re.compile(r"\((.+)\); part ([0-9]+)")


def document_name(entry: Entry, *fields: str) -> str:
    """The first of these fields that is there, as a name.

    A name as CoNLL has it, `(x); part 003`, is what such a file's document is known by: "x; part 3"
    and, for part 000, "x".
    """
    name = next((entry.values[field] for field in fields if field in entry.values), None)
    entry.require(
        isinstance(name, str | int) and str(name).strip() != "",
        f"{repr(name)[:40]} as name" if name is not None else "no name",
        f"{' or '.join(map(repr, fields))}, a name",
        "Give each document a name of its own.",
    )
    return plain_name(str(name))


def plain_name(name: str) -> str:
    """A name without the brackets and the part 0 of CoNLL."""
    name = name.strip()
    conll = _CONLL_NAME.fullmatch(name)
    if not conll or not conll[1].strip():
        return name
    part = conll[2].lstrip("0")
    return f"{conll[1].strip()}; part {part}" if part else conll[1].strip()


def name_or_number(entry: Entry, *fields: str) -> str:
    """The same; where none of the fields is there, the number of the object in its file."""
    if any(entry.values.get(field) is not None for field in fields):
        return document_name(entry, *fields)
    if entry.number == 1:
        entry.warn(f"the documents have no {fields[0]}; they are named 1, 2, … in their order.")
    return str(entry.number)


def is_words(value: object) -> TypeGuard[list[str]]:
    """Whether a value is a list of words."""
    return isinstance(value, list) and {*map(type, value)} <= {str}


def are_sentences(value: object) -> TypeGuard[list[list[str]]]:
    """Whether a value is a list of lists of words."""
    return isinstance(value, list) and all(map(is_words, value))


def words_of(entry: Entry, field: str) -> list[str]:
    """A list of words."""
    words = entry.values.get(field)
    good = is_words(words)
    found = "words in another shape" if field in entry.values else "no words"
    entry.require(good, found, f"'{field}', a list of words", "Add the words of the document.")
    return words or []


def sentences_of(entry: Entry) -> list[list[str]]:
    """The words in `sentences`, a list of lists."""
    sentences = entry.values.get("sentences")
    good = are_sentences(sentences)
    found = "words in another shape" if "sentences" in entry.values else "no words"
    expected = "'sentences', a list of lists of words"
    entry.require(good, found, expected, "Add the words of the document.")
    return sentences or []


def starts_of(sentences: Sequence[Sequence[object]]) -> list[int]:
    """The position of the first word of each sentence, the empty ones too."""
    starts, at = [], 0
    for sentence in sentences:
        starts.append(at)
        at += len(sentence)
    return starts


def clusters_of(entry: Entry, field: str, shape: str = "[start, end]") -> list[list[Any]]:
    """A list of lists of whatever a mention is in this format."""
    clusters = entry.values.get(field)
    entry.require(
        isinstance(clusters, list) and all(isinstance(cluster, list) for cluster in clusters),
        "no clusters" if clusters is None else "clusters in another shape",
        f"'{field}', a list of lists of {shape}",
        "Write [] where there are none.",
    )
    return clusters or []


def whole_numbers(value: object, n: int) -> TypeGuard[list[int]]:
    """Whether a value is a list of n whole numbers."""
    return isinstance(value, list) and [*map(type, value)] == [int] * n


def check_texts(entry: Entry, field: str, ours: Iterable[str]) -> None:
    """Warn where the texts of mentions that a field has by cluster are not those read."""
    given = entry.values.get(field)
    if given is not None:
        lists = given if isinstance(given, list) else [given]
        theirs = [text for one in lists for text in (one if isinstance(one, list) else [one])]
        warn_of_other_texts(entry, field, ours, theirs)


def warn_of_other_texts(
    entry: Entry, field: str, ours: Iterable[str], theirs: Iterable[object]
) -> None:
    """Warn where texts differ by more than blanks."""
    others = [pair for pair in zip_longest(ours, theirs) if not _same_text(*pair)]
    if others:
        read, given = map(_shown, others[0])
        entry.warn(
            f"'{field}' has {counted(len(others), 'text')} other than what stands at the positions,"
            f" such as {given} where {read} stands; the positions are used."
        )


def _same_text(ours: object, theirs: object) -> bool:
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return False
    return "".join(ours.split()) == "".join(theirs.split())


def _shown(text: object) -> str:
    return "nothing" if text is None else repr(text)[:60]
