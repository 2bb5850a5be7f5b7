"""JSON Lines: one document a line, its clusters as inclusive [start, end] word positions.

`doc_key` or `id`, `sentences` or `tokens`, `clusters`, and `predicted_clusters` where the response
stands in the same line. `speakers` and `pos` (the part of speech), if given, have one for each
word. One object over many lines and a list of objects are read as well.

Two more formats are the same but for one thing, and only read if they are named:
`jsonl-exclusive`, whose ends are the word after the mention, and `jsonl-subtokens`, whose words
are BERT subtokens without a `subtoken_map`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.e2e import GOLD, PREDICTED, e2e_document
from corescore.corpus.formats.json.jsonl_writer import write_jsonl
from corescore.corpus.formats.json.objects import Entry, is_python, read_objects
from corescore.corpus.formats.json.spans import EXCLUSIVE_FORMAT, with_ends_warning
from corescore.corpus.formats.json.subtokens import SUBTOKEN_FORMAT
from corescore.corpus.problems import InputError, Problem

ReadDocument = Callable[[Entry, str], Document]


def read_jsonl(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file. The response side is `predicted_clusters` if the lines have it.

    Raises InputError with every problem found, each with its line.
    """
    return with_ends_warning(read_lines(text, file, side, e2e_document))


def read_lines(text: str, file: str, side: str, document: ReadDocument) -> Corpus:
    """The documents of a file by a function that reads one with the clusters of a field."""
    lines: dict[str, list[int]] = {GOLD: [], PREDICTED: []}
    first, other = (GOLD, PREDICTED) if side == "key" else (PREDICTED, GOLD)

    def documents(entry: Entry) -> Iterable[Document]:
        _refuse_by_name(entry)
        field = first if first in entry.values or other not in entry.values else other
        lines[field].append(entry.line)
        return [document(entry, field)]

    corpus = read_objects(text, file, documents)
    if lines[first] and lines[other]:
        raise InputError([_mixed(file, first, lines[other])])
    if side == "key" and lines[PREDICTED]:
        warning = f"{file}:{lines[PREDICTED][0]}: the key has only 'predicted_clusters'; is it one?"
        return replace(corpus, warnings=(*corpus.warnings, warning))
    return corpus


def _mixed(file: str, field: str, lines: Sequence[int]) -> Problem:
    more = f" and {len(lines) - 10} more" if len(lines) > 10 else ""
    shown = ", ".join(map(str, lines[:10]))
    found = f"no '{field}' in line{'s' * (len(lines) > 1)} {shown}{more}, but in others"
    expected = f"'{field}' in every line or in none"
    return Problem(file, lines[0], found, expected, "Add it: [] where there are no clusters.")


def _refuse_by_name(entry: Entry) -> None:
    """What is JSON, but of no format that could be read."""
    entry.require(
        "characters" not in entry.values or "sentences" in entry.values,
        "a .book file of BookNLP, which has no positions of mentions",
        "words and clusters of positions",
        "Give BookNLP's .tokens and .entities instead.",
    )


_START = re.compile(r'\{"|\[(?:[{\["\]0-9-]|$)')  # not "[Mia]" of a text


def fits_jsonl(text: str) -> bool:
    """Whether the text begins as a JSON object or list, or as a printed dict (refused by name)."""
    start = text.lstrip()[:200].replace(" ", "").replace("\n", "")
    return bool(_START.match(start)) or is_python(text)


def _never(text: str) -> bool:
    """Nothing in a file says so: the format has to be named."""
    return False


def _read_exclusive(text: str, file: str, side: str = "key") -> Corpus:
    return read_lines(text, file, side, partial(e2e_document, ends="exclusive"))


def _read_subtokens(text: str, file: str, side: str = "key") -> Corpus:
    return read_lines(text, file, side, partial(e2e_document, join_subtokens=True))


JSONL = Format(
    id="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl", ".jsonlines", ".ndjson", ".json"),
    fits=fits_jsonl,
    read=read_jsonl,
    write=write_jsonl,
    keeps=True,
)
JSONL_EXCLUSIVE = Format(
    id=EXCLUSIVE_FORMAT,
    title="JSON Lines with exclusive ends",
    suffixes=(),
    fits=_never,
    read=_read_exclusive,
)
JSONL_SUBTOKENS = Format(
    id=SUBTOKEN_FORMAT,
    title="JSON Lines over subtokens",
    suffixes=(),
    fits=_never,
    read=_read_subtokens,
)
