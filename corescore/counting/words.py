"""Whether the words of both sides are the same, and what is said where they are not."""

from collections.abc import Iterable
from dataclasses import replace

from corescore.corpus.documents import Document
from corescore.corpus.problems import Problem
from corescore.counting.positions import without_empty_nodes, words_of_text
from corescore.wording import counted


def other_words(key: Document, response: Document) -> bool:
    """Whether both sides have words, and not the same."""
    if key.named_mentions or not key.words or not response.words:
        return False
    return words_of_text(key) != words_of_text(response)


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
        f"Key and response must be over the same words. {_advice(key, response)}".rstrip(),
    )


def with_key_words(key: Document, response: Document) -> Document:
    """A response without words over those of its key, if its positions fit."""
    if response.words or not key.words or _last_end(response) > len(key.words):
        return response
    return replace(
        response,
        words=key.words,
        sentence_starts=key.sentence_starts,
        speakers=key.speakers,
        tags=key.tags,
        empty_nodes=key.empty_nodes,
        lines=None,
    )


def positions_beyond(key: Document, response: Document) -> Iterable[Problem]:
    """A side without words has a mention past the last word of the other."""
    for wordless, other in ((key, response), (response, key)):
        last = _last_end(wordless)
        if other.words and not wordless.words and last > len(other.words):
            yield Problem(
                wordless.file or ("key" if wordless is key else "response"),
                0,
                f"document '{wordless.name}' has no words, and a mention up to word {last}",
                f"at most {counted(len(other.words), 'word')}, as in {other.file or 'the other'}",
                "Key and response must be over the same words.",
            )


def _last_end(document: Document) -> int:
    return int(document.spans.max(initial=0))


def _advice(key: Document, response: Document) -> str:
    if len(key.words) == len(response.words):
        return "Words 'ignore' compares mentions by position, whatever the words."
    return ""


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
