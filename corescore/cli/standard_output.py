"""Standard output that is full, closed, or cannot print some characters."""

import codecs
import errno
import io
import os
import sys
import unicodedata

_PLAIN = {"─": "-", "│": "|", "┼": "+", "−": "-", "–": "-", "—": "-", "…": "...", "·": "."} | {
    "“": '"',
    "”": '"',
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "×": "x",
    "∅": "0",
}


def prepare_output() -> None:
    """Print what the encoding of standard output lacks in other characters; let a closed one say
    that it is closed."""
    codecs.register_error("corescore.plain", _in_plain_characters)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="corescore.plain")


def give_up_output() -> None:
    """Send what is still to be printed nowhere, so that nothing fails at the exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # it has no number: it was closed, or a program has replaced it
        sys.stdout = None


def is_about_output(error: OSError) -> bool:
    """Whether an error came from printing: one of a file names the file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EBADF, errno.EIO)


class _Closed(io.TextIOBase):
    """What is printed to where there is nothing."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


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
