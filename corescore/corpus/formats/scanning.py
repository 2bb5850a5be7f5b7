"""Where the documents of a file stand that is read in parts: its lines are looked through once."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from corescore.corpus.formats.format import Format
from corescore.corpus.formats.lookalikes import lookalike
from corescore.corpus.formats.packed import in_lines
from corescore.corpus.formats.parts import Lines, Place
from corescore.corpus.formats.registry import fitting, format_named
from corescore.corpus.problems import InputError, Problem

_BLOCK = 1 << 22
_TELLING = (b"IDENTITY", b"begin document")  # tell other formats, anywhere in a file
_MARK = b"\xef\xbb\xbf"  # of the byte order


class _UnfitError(Exception):
    """The file has to be read whole: where its lines end, or what format it is, is not sure."""


def in_parts(text: str, file: str, format: str | None) -> tuple[Format, list[Place]] | None:
    """The format of a file that is read in parts and the places of its documents; None if it is
    read whole.

    text    the path of the file, or of what was unpacked of it
    file    its name in messages
    format  the id of the format; found from the content if None

    Raises InputError for bytes that are not text.
    """
    blocks = _blocks(text, file)
    try:
        first = next(blocks, None)
        known = _known(first.data, format) if first else None
        if first is None or known is None or known.parts is None:
            return None
        named = format is not None
        others = blocks if named else _of_format(known, blocks)
        places = [*known.parts.places(chain([first], others), file)]
    except _UnfitError:
        return None
    return (known, places) if places else None


def _known(start: bytes, format: str | None) -> Format | None:
    """The format of a file that begins so; None if it has none, which reading it will say."""
    if format is not None:
        return format_named(format)
    text = in_lines(start.decode())
    return None if lookalike(text) else fitting(text)


def _of_format(known: Format, blocks: Iterable[Lines]) -> Iterator[Lines]:
    for block in blocks:
        told = any(word in block.data for word in _TELLING[: 1 if known.id == "conll" else 2])
        if told and fitting(block.data.decode()) not in (known, None):
            raise _UnfitError
        yield block


def _blocks(path: str, file: str) -> Iterator[Lines]:
    """All lines of a file in blocks; without the mark of the byte order at the start.

    Raises InputError for bytes that are not text, as reading the file would.
    """
    start, line, rest, nul = 0, 1, b"", 0
    with Path(path).open("rb") as stream:
        while piece := stream.read(_BLOCK):
            data = rest + piece
            end = data.rfind(b"\n") + 1
            data, rest = data[:end], data[end:]
            if data:
                nul = nul or _check(data, line, file)
                yield _without_mark(Lines(start, line, data))
            start, line = start + len(data), line + data.count(b"\n")
    if rest:
        nul = nul or _check(rest, line, file)
        yield _without_mark(Lines(start, line, rest))
    if nul:
        raise InputError([_no_text(file, nul)])


def _check(data: bytes, line: int, file: str) -> int:
    """The line of the first NUL of some lines; 0 if there is none."""
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        raise _UnfitError
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise InputError([_no_text(file, line + data.count(b"\n", 0, error.start))]) from error
    at = data.find(b"\0")
    return line + data.count(b"\n", 0, at) if at >= 0 else 0


def _no_text(file: str, line: int) -> Problem:
    found, expected = "bytes that are not text", "text in UTF-8"
    return Problem(file, line, found, expected, "Save the file as UTF-8.")


def _without_mark(lines: Lines) -> Lines:
    if lines.start or not lines.data.startswith(_MARK):
        return lines
    return Lines(len(_MARK), lines.line, lines.data[len(_MARK) :])
