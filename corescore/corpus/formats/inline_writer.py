"""Writing inline markup, `[Mia](#1)`, a sentence a line and blanks between the words."""

import re
from collections.abc import Iterator, Sequence

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import unwritable
from corescore.corpus.mentions import Mention
from corescore.corpus.problems import InputError, Problem

BY_BLANKS = "; words between blanks"
_NO_WORD = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")


def write_inline(corpus: Corpus) -> str:
    """For each document a line that says its name and that words stand between blanks, then its
    sentences, a line each, with its mentions as links.

    A backslash stands before brackets and backslashes of the text, and a '#' that begins a line.
    Raises InputError for mentions that cross, have a gap or are only names, and for words with
    blanks in them.
    """
    problems = [problem for document in corpus for problem in _unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(line for document in corpus for line in _lines(document))


def _unwritable(document: Document) -> Iterator[Problem]:
    place, name = document.file or document.name, document.name
    yield from unwritable(document)
    word = next((word for word in document.words if not word or _NO_WORD.search(word)), None)
    if word is not None:
        found = f"the word {word!r} in document '{name}'"
        yield Problem(place, 0, found, "words without blanks", "Write it as jsonl.")
    if document.named_mentions:
        found = f"document '{name}' has mentions that are only names"
        yield Problem(place, 0, found, "mentions that are words of a text", "Write it as notation.")
    if document.empty_nodes:
        found = f"document '{name}' has words that are not in the text"
        yield Problem(place, 0, found, "words of the text", "Write it as CoNLL-U.")
    if any(mention.pieces for mention in document.mentions):
        found = f"document '{name}' has a mention with a gap"
        yield Problem(place, 0, found, "mentions without gaps", "Write it as CoNLL-U.")
    if crossing := _crossing(document.mentions):
        words = " and ".join(f"'{document.text(mention)}'" for mention in crossing)
        found = f"mentions that cross in document '{name}': {words}"
        yield Problem(place, 0, found, "mentions that nest", "Write it as conll or jsonl.")


def _crossing(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Two mentions that overlap without one being inside the other; none if there are none."""
    around: list[Mention] = []
    for mention in mentions:
        while around and around[-1].end <= mention.start:
            around.pop()
        if around and around[-1].end < mention.end:
            return around[-1], mention
        around.append(mention)
    return ()


def _lines(document: Document) -> Iterator[str]:
    opens = [0] * len(document.words)
    closes: list[list[int]] = [[] for _ in document.words]
    for start, end, entity in document.rows.tolist():
        opens[start] += 1
        closes[end - 1].insert(0, entity + 1)
    words = [
        "[" * n + _escaped(word) + "".join(f"](#{entity})" for entity in entities)
        for n, word, entities in zip(opens, document.words, closes, strict=True)
    ]
    yield f"#begin document ({document.name}){BY_BLANKS}\n"
    for start, end in document.sentences:
        line = " ".join(words[start:end])
        yield ("\\" if line.startswith("#") else "") + f"{line}\n"
    yield "#end document\n"


def _escaped(word: str) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", word)
