"""A file of mentions and the file of its text, and what is said where that is missing."""

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from corescore.corpus.formats.packed import in_lines
from corescore.corpus.problems import InputError, Problem

_LONG = 80


@dataclass(frozen=True)
class Pair:
    """A file of mentions and the file of its text.

    name   of the document: the path of the first file without its ending
    file   the path of the first file, for messages; `first` is its text, with LF after each line
    other  the path of the second file; `second` is its text, as character offsets count it
    """

    name: str
    file: str
    first: str
    other: str
    second: str


def with_ending(
    ending: str, *others: str, folders: tuple[str, ...] = ("",)
) -> Callable[[str], tuple[tuple[str, ...], ...]]:
    """For `Format.beside`: a file of this ending is read with those of the same name up to there.

    The others are in one of the folders. Each file may be gzipped.
    """

    def beside(name: str) -> tuple[tuple[str, ...], ...]:
        plain = posixpath.basename(name).removesuffix(".gz")
        if not plain.endswith(ending) or plain == ending:
            return ()
        stem = plain.removesuffix(ending)
        return tuple(
            tuple(folder + stem + other + gz for folder in folders for gz in ("", ".gz"))
            for other in others
        )

    return beside


def stem_of(name: str, ending: str) -> str:
    """A path without the ending of its format."""
    return name.removesuffix(".gz").removesuffix(ending)


def pair_of(texts: Mapping[str, str], place: str, ending: str, other: str) -> Pair:
    """The two files of a format, as `Format.read_files` is given them.

    Raises InputError where the second is missing, with the name that it should have.
    """
    (name, first), *rest = texts.items()
    stem, file = stem_of(name, ending), path_in(place, name)
    for second_name, second in rest:
        if second_name.removesuffix(".gz").endswith(other):
            return Pair(stem, file, in_lines(first), path_in(place, second_name), second)
    expected = f"'{posixpath.basename(stem)}{other}', the file of its words, beside it"
    advice = "Put both files into one folder, or into one zip archive to upload them."
    raise InputError([Problem(file, 0, "mentions without their words", expected, advice)])


def alone(text: str, file: str) -> tuple[dict[str, str], str]:
    """A single file as the arguments `texts` and `place` of `Format.read_files`."""
    place, name = posixpath.split(file)
    return {name: text}, place


def path_in(place: str, name: str) -> str:
    """The path of a file of a folder, for messages."""
    return posixpath.normpath(f"{place}/{name}") if place else name


def quoted(text: str) -> str:
    """Text in quotes on one line; of a long one the start and the end."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= _LONG else f"'{line[: _LONG // 2]} … {line[-_LONG // 2 :]}'"
