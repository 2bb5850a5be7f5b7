"""Whether the words of both sides are the same, and what is done where they are not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from corescore.corpus.documents import Document
from corescore.corpus.problems import InputError, Problem
from corescore.counting.normalisation import stream
from corescore.counting.policies import Words
from corescore.counting.positions import without_empty_nodes, words_of_text
from corescore.counting.realigned import Realigned, realigned
from corescore.wording import counted, listed

LEAST_IN_COMMON = 0.5  # the share of characters that two versions of one text have in common
MOST_NAMED, MOST_EXAMPLES = 5, 3

Pairs = Sequence[tuple[Document, Document]]


def fit_words(pairs: Pairs, words: Words, name: str) -> tuple[list[Document], list[str]]:
    """The responses over the words of their keys, as the policy says, and what was done to them.

    name  of the response, for the warnings

    Raises InputError for a side without words whose positions do not fit the other's; and for words
    that differ, under "error" all and under "align" those of another text.
    """
    responses = [response for _, response in pairs]
    if words == "ignore":
        others = [response for key, response in pairs if other_words(key, response)]
        found = f"{name} has other words than the key in {list_documents(others)}"
        return responses, [f"{found}: compared by position."] if others else []
    problems = [problem for pair in pairs for problem in _problems(*pair, words)]
    aligned = {
        at: realigned(key, response)
        for at, (key, response) in enumerate(pairs)
        if words == "align" and not problems and other_words(key, response)
    }
    problems += [
        _another_text(*pairs[at], of.share)
        for at, of in aligned.items()
        if of.share < LEAST_IN_COMMON
    ]
    if problems:
        raise InputError(problems)
    for at, of in aligned.items():
        responses[at] = of.document
    return responses, [*_alignment_warnings([*aligned.values()], name)]


def list_documents(documents: Sequence[Document]) -> str:
    """2 documents ('a', 'b'): how many, and the names of the first."""
    more = len(documents) - MOST_NAMED
    names = ", ".join(f"'{document.name}'" for document in documents[:MOST_NAMED])
    return f"{counted(len(documents), 'document')} ({names}{f' and {more} more' * (more > 0)})"


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
        f"document '{response.name}' has {100 * share:.0f} % of its characters in common with the "
        "key's",
        f"nearly the same text, as in {key.file or 'key'}",
        "Check that both files have the same documents.",
    )


def _alignment_warnings(aligned: Sequence[Realigned], name: str) -> Iterator[str]:
    """What aligning did to the mentions and the words, a line for each kind, with examples."""
    if not aligned:
        return
    documents = list_documents([of.document for of in aligned])
    found = f"{name} has other words than the key in {documents}"
    yield f"{found}: mapped over characters.{_changes(aligned)}"
    if widened := [pair for of in aligned for pair in of.widened]:
        examples = _examples(f"'{own}' → '{covering}'" for own, covering in widened)
        ends = "does" if len(widened) == 1 else "do"
        yield (
            f"{name}: {counted(len(widened))} {ends} not begin and end with words of the key; the "
            f"smallest covering words are taken: {examples}."
        )
    if vanished := [words for of in aligned for words in of.vanished]:
        examples = _examples(f"'{words}'" for words in vanished)
        yield (
            f"{name}: {counted(len(vanished))} of words that the key lacks, left out of scoring: "
            f"{examples}."
        )
    if collided := [words for of in aligned for words in of.collided]:
        examples = _examples(f"'{words}'" for words in collided)
        yield (
            f"{name}: {counted(len(collided))} with the same key words as another mention, so "
            f"listed twice: {examples}."
        )


def _changes(aligned: Sequence[Realigned]) -> str:
    """In which words the texts differ; "" if only in their tokenisation."""
    changed = [f"'{own}' for '{words}'" for of in aligned for own, words in of.changed]
    added = [f"'{word}'" for of in aligned for word in of.added]
    dropped = [f"'{word}'" for of in aligned for word in of.dropped]
    kinds = {"changed": changed, "added": added, "dropped": dropped}
    said = [
        f"{counted(len(words), 'word')} {kind} ({_examples(words)})"
        for kind, words in kinds.items()
        if words
    ]
    return f" Its text has {listed(said)}." if said else ""


def _examples(texts: Iterable[str]) -> str:
    every = [*texts]
    return ", ".join([*every[:MOST_EXAMPLES], *["…"] * (len(every) > MOST_EXAMPLES)])


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


def with_key_words(key: Document, response: Document) -> Document:
    """A response without words over those of its key, if its positions fit."""
    if response.words or not key.words or response.spans.max(initial=0) > len(key.words):
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


def with_further_words(key: Document, response: Document) -> Document:
    """The key with the words that a longer response has after its end, where words are ignored, so
    that every mention has a place in its text."""
    further = response.words[len(key.words) :]
    if not key.words or not further:
        return key
    tags = key.tags and (*key.tags, *[""] * len(further))
    return replace(key, words=(*key.words, *further), tags=tags)


def positions_beyond(key: Document, response: Document) -> Iterable[Problem]:
    """A side without words has a mention past the last word of the other."""
    for wordless, other in ((key, response), (response, key)):
        if wordless.words or not other.words:
            continue
        last = int(wordless.spans.max(initial=0))
        if last > len(other.words):
            yield Problem(
                wordless.file or ("key" if wordless is key else "response"),
                0,
                f"document '{wordless.name}' has no words, and a mention up to word {last}",
                f"at most {counted(len(other.words), 'word')}, as in {other.file or 'the other'}",
                "Key and response must be over the same words.",
            )


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
