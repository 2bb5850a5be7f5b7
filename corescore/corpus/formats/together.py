"""Files that are read together, such as the mentions of a text and the text."""

from collections.abc import Iterator
from pathlib import Path

from corescore.corpus.documents import Corpus
from corescore.corpus.formats.format import Format
from corescore.corpus.formats.packed import Files, bytes_of, in_lines, text_of
from corescore.corpus.formats.registry import FORMATS, format_named
from corescore.corpus.problems import InputError

Group = tuple[str, ...]


def groups_of(files: Files, format: str | None = None) -> Iterator[tuple[Format, Group]]:
    """The files that are read together, each in one group, with the format that reads them."""
    taken: set[str] = set()
    for known in [format_named(format)] if format else FORMATS:
        left = {name: None for name in files.names if name not in taken}
        for group in known.groups(left):
            if format or _claims(known, files, group):
                taken.update(group)
                yield known, group


def _claims(known: Format, files: Files, group: Group) -> bool:
    """Whether the first file of a group looks like a format, or is empty beside the second."""
    try:
        text = text_of(files.data(group[0]), group[0])
    except InputError:
        return False  # it is told when the file is read by itself
    return known.fits(in_lines(text)) if text.strip() else len(group) > 1


def read_beside(path: str) -> Iterator[str]:
    """The paths of the files that are read with the one of this path, such as its text."""
    place = Path(path)
    for known in FORMATS:
        for other in known.others(place.name, lambda other: (place.parent / other).is_file()):
            yield str(place.parent / other)


def is_read_with_others(place: Path, format: str | None) -> bool:
    """Whether other files are read with this one."""
    return any(True for _ in with_others(place, format))


def with_others(place: Path, format: str | None) -> Iterator[tuple[Format, Files]]:
    """The formats of two files that may read this one, with both files."""
    folder = place.parent
    for known in [format_named(format)] if format else FORMATS:
        group = (place.name, *known.others(place.name, lambda path: (folder / path).is_file()))
        files = Files(str(folder), group, lambda path: bytes_of(folder / path))
        if len(group) > 1 and (format or _claims(known, files, group)):
            yield known, files


def read_group(known: Format, group: Group, files: Files, side: str) -> Corpus:
    if known.read_files is None:
        raise TypeError(f"{known.title} has groups of files, but does not say how to read them")
    texts = {name: text_of(files.data(name), files.path(name), encoding="utf-8") for name in group}
    return known.read_files(texts, files.place, side)
