"""What a file format is: a frozen record of how to know, read and write it."""

from collections.abc import Callable
from dataclasses import dataclass

from corescore.documents import Corpus


@dataclass(frozen=True)
class Format:
    """A format as data.

    id        its name on the command line, such as "conll"
    suffixes  ends of file names that are written in it
    fits      whether the text of a file looks like it
    read      (text, file, side) → Corpus; raises InputError with every problem it found. Where a
              file holds both sides, `side` ("key" or "response") says which one is wanted.
    write     Corpus → text; raises InputError for what the format cannot hold
    """

    id: str
    suffixes: tuple[str, ...]
    fits: Callable[[str], bool]
    read: Callable[[str, str, str], Corpus]
    write: Callable[[Corpus], str]
