"""Standard output and standard error that are full, closed, a terminal, or lack some characters."""

import codecs
import errno
import io
import os
import sys
import unicodedata
from contextlib import suppress
from typing import TextIO

from corescore.wording import harmless, one_line

_PLAIN = {"─": "-", "│": "|", "┼": "+", "−": "-", "–": "-", "—": "-", "…": "...", "·": "."} | {
    "“": '"',
    "”": '"',
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "×": "x",
    "∅": "0",
}

_LONGEST_LINE = 2000  # characters of a message


def prepare_output() -> None:
    """Print what the encoding of standard output lacks in other characters; let a closed one say
    that it is closed, and send a terminal nothing that it would act upon."""
    codecs.register_error("corescore.plain", _in_plain_characters)
    if sys.stdout is None:
        _occupy(1)
        sys.stdout = _Closed()
    if sys.stderr is None:
        _occupy(2)
        sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False)
    if sys.stdout is sys.__stdout__ and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _Output(
            *(sys.stdout.buffer, sys.stdout.encoding, "corescore.plain"),
            line_buffering=sys.stdout.line_buffering,
            write_through=sys.stdout.write_through,
        )


def print_exactly(text: str) -> None:
    """Print what is data. Raises UnicodeEncodeError where the encoding of standard output lacks a
    character: another one in its place would change a word."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if encoding.lower().replace("-", "") != "utf8":
        text.encode(encoding)
    sys.stdout.write(text)


def tell(text: str) -> None:
    """Print a message to standard error, if that can be written to."""
    lines = [one_line(line, _LONGEST_LINE) for line in text.split("\n")]
    with suppress(OSError):
        print("\n".join(lines), file=sys.stderr)
    flush_errors()


def flush_errors() -> None:
    """Send messages to standard error, or nowhere where that fails."""
    try:
        sys.stderr.flush()
    except OSError:
        _give_up(sys.stderr)


def give_up_output() -> None:
    """Send what is still to be printed nowhere, so that nothing fails at the exit."""
    _give_up(sys.stdout)


def _give_up(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # it has no number: a program has replaced it
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_about_output(error: OSError) -> bool:
    """Whether an error came from printing: one of a file names the file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EBADF, errno.EIO)


class _Closed(io.TextIOBase):
    """What is printed to where there is nothing. As `_Output`, it tells its error again."""

    is_wanted = False

    def write(self, text: str) -> int:
        self.is_wanted = True
        raise self._error()

    def flush(self) -> None:
        is_wanted, self.is_wanted = self.is_wanted, False
        if is_wanted:
            raise self._error()

    def _error(self) -> OSError:
        return OSError(errno.EBADF, "it is closed")


class _Output(io.TextIOWrapper):
    """Standard output. It tells an error again when it is flushed, as argparse goes on after one;
    a terminal gets no control characters of names and words."""

    error: OSError | None = None

    def write(self, text: str) -> int:
        try:
            return super().write(harmless(text) if self.isatty() else text)
        except OSError as error:
            self.error = error
            raise

    def flush(self) -> None:
        error, self.error = self.error, None
        if error:
            raise error
        super().flush()


def _occupy(number: int) -> None:
    """Open a descriptor that is closed, so that no file gets it and what is meant for it."""
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def _in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(map(_plain, text)), error.end


def _plain(character: str) -> str:
    """A character in ASCII: its like, without its accent, or by its number."""
    if character in _PLAIN:
        return _PLAIN[character]
    decomposed = unicodedata.normalize("NFKD", character)
    kept = decomposed.encode("ascii", "ignore").decode()
    return kept or character.encode("ascii", "backslashreplace").decode()
