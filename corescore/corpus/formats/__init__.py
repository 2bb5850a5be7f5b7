"""Reading and writing: `read` finds out which format a file is in, `write` goes by its name."""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conll import CONLL
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.jsonlines import JSONL
from corescore.corpus.formats.notation import NOTATION
from corescore.corpus.formats.paths import files_of, write_file
from corescore.corpus.problems import InputError, PolicyError, Problem, choose

FORMATS = (CONLL, JSONL, NOTATION)
WRITTEN = tuple(known for known in FORMATS if known.write is not None)
SIDES = ("key", "response")
_BY_ID = {known.id: known for known in FORMATS}

__all__ = [
    "FORMATS",
    "WRITTEN",
    "Format",
    "format_of",
    "format_of_bytes",
    "read",
    "read_bytes",
    "write",
]


def read(path: str | os.PathLike[str], *, format: str | None = None, side: str = "key") -> Corpus:
    """The documents of a file (plain or .gz), or of all the files of a folder.

    format  "conll", "jsonl" or "notation"; found from the content if None
    side    "response" takes `predicted_clusters` of a jsonl line that has both

    In a folder, a document is known by its file's name without endings and its own name (once, if
    they are the same), so that two folders are matched file by file.

    Raises InputError with up to 20 problems; PolicyError for an unknown format.
    """
    place = Path(path)
    if place.is_dir():
        return _read_folder(place, format, side)
    try:
        data = place.read_bytes()
    except OSError as error:
        found = f"no file that can be read ({error.strerror})"
        problem = Problem(str(path), 0, found, "a file or a folder of files", "Check the path.")
        raise InputError([problem]) from error
    return read_bytes(data, str(path), format=format, side=side)


def read_bytes(data: bytes, file: str, *, format: str | None = None, side: str = "key") -> Corpus:
    """The documents of a file's bytes; `file` is its name in messages. Otherwise as `read`."""
    choose("side", side, SIDES)
    as_it_is = _decoded(data, file)
    text = as_it_is.replace("\r\n", "\n")
    corpus = _format(text, file, format).read(text, file, side)
    return corpus if text == as_it_is else _ended_by_crlf(corpus)


def _ended_by_crlf(corpus: Corpus) -> Corpus:
    """The corpus of a file whose lines end in CR and LF, for a writer to end them so again."""
    documents = (
        replace(document, original=original and replace(original, newline="\r\n"))
        for document in corpus
        for original in (document.original,)
    )
    return replace(corpus, documents=tuple(documents))


def format_of(path: str | os.PathLike[str], *, format: str | None = None) -> Format:
    """The format of a file, or of the first file of a folder, that `read` can read."""
    place = Path(path)
    if place.is_dir():
        place = files_of(place)[0]
    return _format(_text(place.read_bytes(), str(place)), str(place), format)


def format_of_bytes(data: bytes, file: str) -> Format:
    """The format of a file's bytes that `read_bytes` can read; `file` is its name in messages."""
    return _format(_text(data, file), file, None)


def _read_folder(folder: Path, format: str | None, side: str) -> Corpus:
    errors: list[InputError] = []
    corpora: list[Corpus] = []
    for file in files_of(folder):
        try:
            corpus = read(file, format=format, side=side)
        except InputError as error:
            errors.append(error)
            continue
        corpora.append(replace(corpus, documents=tuple(_in_file(file, d) for d in corpus)))
    documents = tuple(document for corpus in corpora for document in corpus)
    problems = list(_same_names(documents))
    if not corpora and not errors:
        found = "a folder without files"
        problems.append(Problem(str(folder), 0, found, "coreference files in it", "Add some."))
    if errors or problems:
        raise InputError.of([*errors, InputError(problems)])
    return Corpus(documents, str(folder), tuple(w for corpus in corpora for w in corpus.warnings))


def _same_names(documents: Iterable[Document]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for document in documents:
        if document.name in first:
            found = f"a second document '{document.name}' (the first is in {first[document.name]})"
            advice = "Rename one of the files."
            yield Problem(document.file, 0, found, "each name once", advice)
        first.setdefault(document.name, document.file)


def _in_file(file: Path, document: Document) -> Document:
    stem = file.name.split(".")[0]
    same = stem == document.name
    return document if same else replace(document, name=f"{stem}/{document.name}")


def _text(data: bytes, file: str) -> str:
    return _decoded(data, file).replace("\r\n", "\n")


def _decoded(data: bytes, file: str) -> str:
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            found = "a gzip file that is broken or cut short"
            problem = Problem(file, 0, found, "a whole gzip file", "Compress it again.")
            raise InputError([problem]) from error
    try:
        text = data.decode("utf-8-sig")
        bad = text.find("\0")
    except UnicodeDecodeError as error:
        text, bad = data[: error.start].decode("utf-8", "replace"), error.start
    if bad >= 0:
        found = "bytes that are not text"
        line = text.count("\n", 0, bad) + 1
        raise InputError([Problem(file, line, found, "text in UTF-8", "Save the file as UTF-8.")])
    if not text.strip():
        problem = Problem(file, 0, "an empty file", "at least one document", "Check the file.")
        raise InputError([problem])
    return text


def _format(text: str, file: str, name: str | None) -> Format:
    if name is not None:
        return _BY_ID[choose("format", name, _BY_ID)]
    fitting = next((known for known in FORMATS if known.fits(text)), None)
    if fitting is None:
        lines = enumerate(text.split("\n"), start=1)
        number, first = next((n, line.strip()[:40]) for n, line in lines if line.strip())
        expected = "#begin document (conll), a JSON object a line (jsonl) or {a b} {c} (notation)"
        advice = f"Name the format: {', '.join(known.id for known in FORMATS)}."
        raise InputError([Problem(file, number, f"'{first}'", expected, advice)])
    return fitting


def write(corpus: Corpus, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a corpus; gzipped if `path` ends in .gz.

    format  "conll", "jsonl" or "notation"; found from the path's ending if None

    Raises InputError for what the format cannot hold and a path that cannot be written,
    PolicyError if the ending is of no known format.
    """
    name = os.fspath(path)
    data = _format_of_name(name, format).text(corpus).encode()
    write_file(name, gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


def _format_of_name(name: str, format: str | None) -> Format:
    if format is not None:
        return _BY_ID[choose("format", format, _BY_ID)]
    plain = name.removesuffix(".gz").lower()
    for known in WRITTEN:
        if plain.endswith(known.suffixes):
            return known
    endings = ", ".join(f"{known.suffixes[0]} ({known.id})" for known in WRITTEN)
    raise PolicyError(f"the ending of {name!r} is of no known format; expected one of: {endings}")
