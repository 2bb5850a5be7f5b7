"""JSON Lines: one document a line, its clusters as inclusive [start, end] word positions.

The shape of e2e-coref, fastcoref and AllenNLP: `doc_key` or `id`, `sentences` or `tokens`,
`clusters`, and `predicted_clusters` where the response stands in the same line. `speakers` and
`pos` (the part of speech), if given, have one for each word.
"""

import json
from collections.abc import Iterable, Iterator
from sys import intern
from typing import Any

import numpy as np

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format, unwritable
from corescore.corpus.problems import InputError, Problem


def read_jsonl(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file. The response side is `predicted_clusters` where a line has it.

    Raises InputError with every problem found, each with its line.
    """
    problems: list[Problem] = []
    documents: dict[str, Document] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            document = _document(_Line(file, number), line, side)
        except InputError as error:
            problems += error.problems
            continue
        if document.name in documents:
            found = f"a second document '{document.name}'"
            problems.append(Problem(file, number, found, "each name once", "Rename one of them."))
        documents[document.name] = document
    if not documents and not problems:
        problems.append(Problem(file, 0, "no document", "a JSON object a line", "Add one."))
    if problems:
        raise InputError(problems)
    return Corpus(tuple(documents.values()), file)


class _Line:
    """Where a document stands, for messages."""

    def __init__(self, file: str, number: int) -> None:
        self.file, self.number = file, number

    def require(self, holds: bool, found: str, expected: str, advice: str) -> None:
        if not holds:
            raise InputError([Problem(self.file, self.number, found, expected, advice)])


def _document(at: _Line, line: str, side: str) -> Document:
    values = _object(at, line)
    name = values.get("doc_key", values.get("id"))
    expected = "'doc_key' or 'id', a name"
    at.require(
        isinstance(name, str | int) and str(name).strip() != "",
        f"{name!r} as name" if name is not None else "no name",
        expected,
        "Give each document a name of its own.",
    )
    sentences = _sentences(at, values)
    words = [word for sentence in sentences for word in sentence]
    starts = np.cumsum([0, *(len(sentence) for sentence in sentences)])[:-1].tolist()
    full = [i for i, sentence in enumerate(sentences) if sentence]
    speakers = _speakers(at, values, sentences)
    tags = _tags(at, values, sentences)
    return Document.of_rows(
        str(name).strip(),
        _rows(at, values, side, words),
        words=words,
        sentence_starts=[starts[i] for i in full],
        speakers=[speakers[i] for i in full] if any(speakers) else (),
        tags=tags if any(tags) else (),
        file=at.file,
        lines=np.full(len(words), at.number),
    )


def _object(at: _Line, line: str) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        where = f" (column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        found = f"a line that is not JSON or is cut short{where}"
        at.require(False, found, "one whole JSON object", "Write one document a line.")
    at.require(
        isinstance(values, dict), "JSON that is no object", "{…}", "Write one document a line."
    )
    return dict(values)


def _sentences(at: _Line, values: dict[str, Any]) -> list[list[str]]:
    sentences = values.get("sentences", [values["tokens"]] if "tokens" in values else None)
    is_lists = isinstance(sentences, list) and all(isinstance(s, list) for s in sentences)
    good = is_lists and all(isinstance(word, str) for s in sentences or () for word in s)
    at.require(
        good,
        "no words" if sentences is None else "words in another shape",
        "'sentences', a list of lists of words, or 'tokens', a list of words",
        "Add the words of the document.",
    )
    return sentences or []


def _speakers(at: _Line, values: dict[str, Any], sentences: list[list[str]]) -> list[str]:
    """The speaker of each sentence: that of its first word."""
    speakers = _in_sentences(at, values, "speakers", sentences, "a name")
    first = [next(iter(names), None) for names in speakers or [[]] * len(sentences)]
    return ["" if name in (None, "-") else str(name) for name in first]


def _tags(at: _Line, values: dict[str, Any], sentences: list[list[str]]) -> list[str]:
    """The part of speech of each word; empty if none is given."""
    tags = _in_sentences(at, values, "pos", sentences, "a part of speech", for_every_word=True)
    given = [tag for of_sentence in tags for tag in of_sentence]
    return ["" if tag in (None, "-", "_", "*") else intern(tag) for tag in given]


def _in_sentences(
    at: _Line,
    values: dict[str, Any],
    name: str,
    sentences: list[list[str]],
    what: str,
    *,
    for_every_word: bool = False,
) -> list[list[str | None]]:
    """A list for each sentence, as the words are given; empty if the field is not there."""
    given = values.get(name)
    if given is None:
        return []
    lists = given if "sentences" in values else [given]
    at.require(
        isinstance(lists, list)
        and len(lists) == len(sentences)
        and all(isinstance(of_sentence, list) for of_sentence in lists)
        and all(isinstance(value, str | None) for of_sentence in lists for value in of_sentence)
        and (not for_every_word or [*map(len, lists)] == [*map(len, sentences)]),
        f"'{name}' in another shape than the words",
        f"{what} for each word, in lists like 'sentences'",
        "Fix the list or leave it out.",
    )
    return lists


def _rows(
    at: _Line, values: dict[str, Any], side: str, words: list[str]
) -> Iterator[tuple[int, int, int]]:
    names = ["clusters", "predicted_clusters"]
    ordered = reversed(names) if side == "response" else names
    present = [name for name in ordered if name in values]
    clusters = values[present[0]] if present else None
    at.require(
        isinstance(clusters, list) and all(isinstance(c, list) for c in clusters),
        "no clusters" if clusters is None else "clusters in another shape",
        "'clusters', a list of lists of [start, end]",
        "Write [] where there are none.",
    )
    for number, cluster in enumerate(clusters or ()):
        for span in cluster:
            at.require(
                isinstance(span, list) and [type(i) for i in span] == [int, int],
                f"{json.dumps(span)[:40]} in a cluster",
                "[start, end], two word positions",
                "Count words of the document from 0; both ends are inside the mention.",
            )
            start, end = span
            at.require(
                0 <= start <= end < len(words),
                f"the span {span} in a document of {len(words)} words",
                f"0 ≤ start ≤ end ≤ {len(words) - 1}",
                "Count words of the document from 0; both ends are inside the mention.",
            )
            yield start, end + 1, number  # inclusive → half-open


def fits_jsonl(text: str) -> bool:
    """Whether the text begins as a JSON object (or a list, which is refused with a reason)."""
    start = text.lstrip()[:200].replace(" ", "").replace("\n", "")
    return start.startswith(('{"', "["))


def write_jsonl(corpus: Corpus) -> str:
    """One object a line: doc_key, sentences, speakers and pos (if any is known) and clusters.

    Raises InputError for a document whose name or mentions a line cannot hold.
    """
    problems = [problem for document in corpus for problem in unwritable(document)]
    if problems:
        raise InputError(problems)
    return "".join(json.dumps(_values(document), ensure_ascii=False) + "\n" for document in corpus)


def _values(document: Document) -> dict[str, Any]:
    values: dict[str, Any] = {
        "doc_key": document.name,
        "sentences": [list(document.words[start:end]) for start, end in document.sentences],
    }
    if document.speakers:
        of_words: Iterable[tuple[str, int]] = (
            (speaker, end - start)
            for speaker, (start, end) in zip(document.speakers, document.sentences, strict=True)
        )
        values["speakers"] = [[speaker] * n for speaker, n in of_words]
    if document.tags:
        values["pos"] = [list(document.tags[start:end]) for start, end in document.sentences]
    values["clusters"] = [
        [[mention.start, mention.end - 1] for mention in entity] for entity in document.entities
    ]
    return values


JSONL = Format(
    id="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl", ".jsonlines", ".ndjson", ".json"),
    fits=fits_jsonl,
    read=read_jsonl,
    write=write_jsonl,
)
