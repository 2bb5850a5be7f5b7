"""JSON Lines: one document a line, its clusters as inclusive [start, end] word positions.

`doc_key` or `id`, `sentences` or `tokens`, `clusters`, and `predicted_clusters` where the response
stands in the same line. `speakers` and `pos` (the part of speech), if given, have one for each
word; `genre`, a text, is that of the document. A line without words gives a document without: a
response then takes those of its key. One object over many lines and a list of objects are read as
well.

Two more formats are the same but for one thing, and only read if they are named:
`jsonl-exclusive`, whose ends are the word after the mention, and `jsonl-subtokens`, whose words
are BERT subtokens without a `subtoken_map`.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.json.e2e import GOLD, PREDICTED, e2e_document
from corescore.corpus.formats.json.fields import plain_name
from corescore.corpus.formats.json.jsonl_writer import write_jsonl
from corescore.corpus.formats.json.objects import (
    Entry,
    ReadObject,
    is_python,
    one_a_line,
    read_objects,
    read_pieces,
    warnings_of,
)
from corescore.corpus.formats.json.spans import EXCLUSIVE_FORMAT, ends_of, ends_warning
from corescore.corpus.formats.json.subtokens import SUBTOKEN_FORMAT
from corescore.corpus.formats.parts import Begin, Lines, Notice, Part, Parts, Place, Seen, Texts
from corescore.corpus.problems import InputError, Problem

ReadDocument = Callable[[Entry, str], Document]
_ENDS = "ends"  # the kind of a notice of what the ends of mentions look like


def read_jsonl(text: str, file: str, side: str = "key") -> Corpus:
    """The documents of a file. The response side is `predicted_clusters` if the lines have it.

    Raises InputError with every problem found, each with its line.
    """
    return read_lines(text, file, side, _inclusive)


def read_lines(text: str, file: str, side: str, document: ReadDocument) -> Corpus:
    """The documents of a file by a function that reads one with the clusters of a field."""
    return read_objects(text, file, _reading(side, document), partial(_finish, side=side))


def _inclusive(entry: Entry, field: str) -> Document:
    document = e2e_document(entry, field)
    entry.notices.append(Notice(_ENDS, entry.line, numbers=ends_of(document)))
    return document


def _reading(side: str, document: ReadDocument) -> ReadObject:
    first, other = _fields_of(side)

    def documents(entry: Entry) -> Iterable[Document]:
        _refuse_by_name(entry)
        field = first if first in entry.values or other not in entry.values else other
        entry.notices.append(Notice(field, entry.line))
        return [document(entry, field)]

    return documents


def _fields_of(side: str) -> tuple[str, str]:
    """The field with the clusters of a side, and that of the other side."""
    return (GOLD, PREDICTED) if side == "key" else (PREDICTED, GOLD)


def _finish(seen: Sequence[Seen], file: str, side: str) -> tuple[str, ...]:
    """The warnings of a file. Raises InputError with every problem found."""
    warnings = warnings_of(seen, file)
    lines: dict[str, list[int]] = {GOLD: [], PREDICTED: []}
    ends = []
    for notice in (notice for of in seen for notice in of.notices):
        if notice.kind in lines:
            lines[notice.kind].append(notice.line)
        elif notice.kind == _ENDS:
            ends.append(notice.numbers)
    first, other = _fields_of(side)
    if lines[first] and lines[other]:
        raise InputError([_mixed(file, first, lines[other])])
    if side == "key" and lines[PREDICTED]:
        about = "the key has only 'predicted_clusters'; is it one?"
        warnings = (*warnings, f"{file}:{lines[PREDICTED][0]}: {about}")
    return (*warnings, *ends_warning(ends, file))


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


# The first field of an object, if it is its name
_NAMED = re.compile(rb'\s*\{\s*"(doc_key|id)"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*[,}]')


def _places(blocks: Iterable[Lines], file: str) -> Iterator[Place]:
    """Each line that is not empty, with the lines above it."""
    last: Place | None = None
    end = 0
    for block in blocks:
        at = block.start
        if last is None and not _is_one_a_line(block.data):
            return
        for number, line in enumerate(block.data.splitlines(keepends=True), start=block.line):
            if line.strip():
                if last:
                    yield replace(last, stop=at)
                begin = Begin(number) if last else Begin()
                last = Place(_name_in(line), at if last else 0, 0, begin)
            at += len(line)
        end = at
    if last:
        yield replace(last, stop=end)


def _is_one_a_line(data: bytes) -> bool:
    """Whether the first line that is not empty is an object."""
    first = data.lstrip().split(b"\n", 1)[0].rstrip()
    return not first or (first[:1] == b"{" and first[-1:] == b"}" and not is_python(first.decode()))


def _name_in(line: bytes) -> str | None:
    """The name of the document in a line; None if it has none."""
    match = _NAMED.match(line)
    if match and (match[1] == b"doc_key" or b'"doc_key"' not in line):
        value = json.loads(match[2])
    else:
        values = _values(line)
        value = next((values[name] for name in ("doc_key", "id") if name in values), None)
    return plain_name(str(value)) if isinstance(value, str | int) else None


def _values(line: bytes) -> dict[str, object]:
    """The object in a line; empty if there is none."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return {}  # it is told when the line is read
    return values if isinstance(values, dict) else {}


def _read_part(text: str, file: str, side: str, begin: Begin) -> Part:
    return read_pieces(one_a_line(text, begin.line), file, _reading(side, _inclusive))


def _finish_parts(seen: Sequence[Seen], file: str, side: str, texts: Texts) -> tuple[str, ...]:
    return _finish(seen, file, side)


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
    parts=Parts(_places, _read_part, _finish_parts),
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
