"""Reading a file, a folder or an archive, whatever its formats are."""

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conll import is_row, no_header
from corescore.corpus.formats.format import Format, likeness, lookalike
from corescore.corpus.formats.registry import FORMATS, fitting, format_named
from corescore.corpus.packed import (
    Ceiling,
    Files,
    bytes_of,
    files_in,
    files_of_zip,
    gunzipped,
    in_lines,
    is_zip,
    names_in,
    newline_of,
    text_of,
)
from corescore.corpus.problems import ENOUGH, InputError, Problem, choose
from corescore.wording import counted

# Files that are read together, such as the mentions of a text and the text ------------------------

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


SIDES = ("key", "response")

SETTINGS = (".conf",)  # of brat; their first line could be taken for JSON

# Files of a folder that are about its data: names without endings, and endings of prose.
ABOUT = frozenset(
    ("README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "CHANGES", "CITATION")
)

PROSE = (".md", ".txt", ".rst")


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    side: str = "key",
    repair_brackets: bool = False,
) -> Corpus:
    """The documents of a file (plain, .gz or .zip), or of all the files of a folder.

    format           the id of a format, such as "conll"; found from the content if None
    side             "response" takes `predicted_clusters` of a jsonl line that has both
    repair_brackets  leave out brackets of inline markup that have no partner, and count them in a
                     warning, instead of refusing the file

    A file of a format of two files, such as the `x.ann` of a text `x.txt`, finds the other beside
    it. In a folder or archive, files that belong together are read first, the rest one by one. A
    document is known by its file's name without endings and its own name (once, if they are the
    same), so that two folders are matched file by file.

    What is packed may unpack to 2 GB, and beyond 100 MB to 200 times its size; the environment's
    CORESCORE_UNPACK_LIMIT, such as 8GB, is the limit instead where it is set.

    Raises InputError with up to 20 problems; PolicyError for an unknown format and a limit that is
    no size.
    """
    choose("side", side, SIDES)
    place = Path(path)
    if place.is_dir():
        return read_files(files_in(place), format, side, repair_brackets)
    data = bytes_of(place)
    for known, files in [] if is_zip(data) else with_others(place, format):
        return read_group(known, files.names, files, side)
    return read_bytes(data, str(path), format=format, side=side, repair_brackets=repair_brackets)


def read_bytes(
    data: bytes,
    file: str,
    *,
    format: str | None = None,
    side: str = "key",
    repair_brackets: bool = False,
    ceiling: Ceiling | None = None,
) -> Corpus:
    """The documents of a file's bytes; `file` is its name in messages. Otherwise as `read`.

    ceiling  how much may come out of packed bytes; see `read` for the default
    """
    choose("side", side, SIDES)
    if is_zip(data):
        return read_files(files_of_zip(data, file, ceiling), format, side, repair_brackets)
    data = gunzipped(data, file, ceiling)
    as_it_is = _text(data, file)
    text = in_lines(as_it_is)
    known = _format(text, file, format)
    corpus = ((repair_brackets and known.repair) or known.read)(text, file, side)
    corpus = replace(corpus, format=known.id)
    if text == as_it_is:
        return replace(corpus, documents=tuple(_within(data, corpus)))
    return _ended_by(corpus, newline_of(as_it_is))


def _within(data: bytes, corpus: Corpus) -> Iterator[Document]:
    """The documents with their originals as stretches of the file's bytes, not copies of them.

    They stand one after the other; between those of JSON Lines is the end of a line.
    """
    at = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    for document in corpus:
        if original := document.original:
            at += data.startswith(b"\n", at)
            original = original.within(data, at)
            at = original.stop
            document = document.altered(original=original)
        yield document


def _ended_by(corpus: Corpus, newline: str) -> Corpus:
    """The corpus of a file whose lines end otherwise, for a writer to end them so again."""
    documents = (
        replace(document, original=original and replace(original, newline=newline))
        for document in corpus
        for original in (document.original,)
    )
    return replace(corpus, documents=tuple(documents))


def format_of(path: str | os.PathLike[str], *, format: str | None = None) -> Format:
    """The format of a file, or of the first file of a folder, that `read` can read."""
    place = Path(path)
    if format is not None:
        return format_named(format)
    if place.is_dir():
        return _format_of_files(files_in(place))
    return format_of_bytes(bytes_of(place), str(path))


def format_of_bytes(data: bytes, file: str, *, ceiling: Ceiling | None = None) -> Format:
    """The format of a file's bytes that `read_bytes` can read; `file` and `ceiling` as there."""
    if is_zip(data):
        return _format_of_files(files_of_zip(data, file, ceiling), ceiling)
    return _format(in_lines(_text(gunzipped(data, file, ceiling), file)), file, None)


def _format_of_files(files: Files, ceiling: Ceiling | None = None) -> Format:
    for known, _ in groups_of(files):
        return known
    name = next(name for name in files.names if "/" not in name)
    return format_of_bytes(files.data(name), f"{files.place}/{name}", ceiling=ceiling)


# Folders and archives ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Listing:
    """What is read of the files of a folder or an archive.

    groups   the files that are read together, with their format, by the first of them
    alone    those that are read one by one
    ignored  those that are not read
    """

    files: Files
    groups: Mapping[str, tuple[Format, Group]]
    alone: Sequence[str]
    ignored: Sequence[str]

    @classmethod
    def of(cls, files: Files, format: str | None) -> Self:
        groups = {group[0]: (known, group) for known, group in groups_of(files, format)}
        return cls(files, groups, *_rest(files, groups, format))

    @property
    def names(self) -> list[str]:
        """The first file of each group and the files read one by one, in the order of reading."""
        return sorted((*self.groups, *self.alone))

    def read(self, name: str, format: str | None, side: str, repair: bool) -> Corpus:
        """The documents of one of the names."""
        if name in self.groups:
            return read_group(*self.groups[name], self.files, side)
        return _read_alone(self.files, name, format, side, repair)

    def problems(self, documents: Iterable[tuple[str, str]]) -> list[Problem]:
        """What is wrong with the whole; (name, file) of each document."""
        return [*second_documents(documents), *_no_files(self.files, self.names)]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Which files are not read."""
        return tuple(_not_read(self.files, self.ignored))


def read_files(files: Files, format: str | None, side: str, repair: bool) -> Corpus:
    """The documents of the files of a folder or archive; see `read`."""
    errors: list[InputError] = []
    corpora: list[Corpus] = []
    listing = Listing.of(files, format)
    for name in listing.names:
        try:
            corpora.append(listing.read(name, format, side, repair))
        except InputError as error:
            errors.append(error)
        if sum(len(error.problems) + error.more for error in errors) >= ENOUGH:
            raise InputError.of(errors)
    documents = tuple(document for corpus in corpora for document in corpus)
    problems = listing.problems((document.name, document.file) for document in documents)
    if errors or problems:
        raise InputError.of([*errors, InputError(problems)])
    warnings = [warning for corpus in corpora for warning in corpus.warnings]
    return Corpus(documents, files.place, (*warnings, *listing.warnings))


def _rest(
    files: Files, groups: dict[str, tuple[Format, Group]], format: str | None
) -> tuple[list[str], list[str]]:
    """The files that are read one by one, and those that are not read.

    Next to files that are read together, one of no known format is left out, such as a list of
    guidelines or settings. Next to other data a file is left out that is about them by its name,
    such as README.md, or that is prose; any other is refused.
    """
    taken = {name for _, group in groups.values() for name in group}
    rest = [name for name in files.names if name not in taken]
    alone = [name for name in rest if "/" not in name and not (groups and format)]
    if groups:
        alone = [name for name in alone if not name.endswith(SETTINGS) and _is_known(files, name)]
    elif format is None:
        alone = [name for name in alone if not _is_about(files, name)] or alone
    return alone, [name for name in rest if name not in alone]


def _is_about(files: Files, name: str) -> bool:
    """Whether a file is about the others: by its name, or as prose without a mention."""
    if name.split(".")[0].upper() in ABOUT:
        return True
    if not name.endswith(PROSE):
        return False
    try:
        text = in_lines(_text(files.data(name), name))
    except InputError:
        return False  # it is told when it is read
    return fitting(text) is None and _is_prose(text)


def _is_known(files: Files, name: str) -> bool:
    try:
        data = files.data(name)
    except InputError:
        return True  # it is told when it is read
    try:
        return is_zip(data) or fitting(in_lines(_text(data, name))) is not None
    except InputError:
        return False


def _read_alone(files: Files, name: str, format: str | None, side: str, repair: bool) -> Corpus:
    data, path = files.data(name), files.path(name)
    if is_zip(data):
        found = "a zip archive in a folder or archive"
        raise InputError([Problem(path, 0, found, "files that are read", "Unpack it first.")])
    corpus = read_bytes(data, path, format=format, side=side, repair_brackets=repair)
    stem = name.split(".")[0]
    return replace(corpus, documents=tuple(in_file(stem, document) for document in corpus))


def in_file(stem: str, document: Document) -> Document:
    """A document of a file in a folder, by the name that it has there."""
    return document.called(name_in_file(stem, document.name))


def name_in_file(stem: str, name: str) -> str:
    """The name in a folder of a document of this name in a file; `stem` is the file's, without
    endings."""
    return name if name == stem else f"{stem}/{name}"


def _no_files(files: Files, read: Iterable[str]) -> Iterator[Problem]:
    if read:
        return
    folder = Path(files.place).is_dir()
    inner = next((name.split("/")[0] for name in files.names), "")
    advice = "Add some."
    if inner:
        example = f"Name the folders in it, such as {files.path(inner)}."
        advice = example if folder else "Make an archive of each folder in it."
    found = "a folder without files" if folder else "an archive without files"
    yield Problem(files.place, 0, found, "coreference files in it", advice)


def _not_read(files: Files, names: Sequence[str]) -> Iterator[str]:
    if names:
        few = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        yield f"{files.place}: {counted(len(names), 'file')} of it not read: {few}"


def second_documents(documents: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Documents of a folder, each with its file, whose names another has before them."""
    first: dict[str, str] = {}
    for name, file in documents:
        if name in first:
            found = f"a second document '{name}' (the first is in {first[name]})"
            yield Problem(file, 0, found, "each name once", "Rename one of the files.")
        first.setdefault(name, file)


# One file ----------------------------------------------------------------------------------------


def _text(data: bytes, file: str) -> str:
    text = text_of(data, file)
    if not text or text.isspace():  # strip would copy it
        problem = Problem(file, 0, "an empty file", "at least one document", "Check the file.")
        raise InputError([problem])
    return text


def _format(text: str, file: str, name: str | None) -> Format:
    if name is not None:
        return format_named(name)
    if like := lookalike(text):
        raise InputError([Problem(file, 1, like.found, like.expected, like.advice)])
    known = fitting(text)
    if known is None:
        raise InputError([_unknown(text, file)])
    return known


def _unknown(text: str, file: str) -> Problem:
    ids = ", ".join(known.id for known in FORMATS)
    if like := likeness(text):
        return Problem(file, like.number, like.found, f"one of: {ids}", like.shape.advice)
    lines = enumerate(text.split("\n"), start=1)
    number, first = next((n, line.strip()) for n, line in lines if line.strip())
    if is_row(first):
        return no_header(file, number, first)
    expected = (
        "#begin document (conll), a JSON object a line (jsonl), {a b} {c} (notation) or mentions "
        "marked in a text, [Mia](#1) (inline)"
    )
    advice = f"{_OF_PROSE if _is_prose(text) else ''}Name the format: {ids}."
    return Problem(file, number, f"'{first[:40]}'", expected, advice)


_OF_PROSE = (
    "It looks like plain text, such as the answer of a language model: mark its mentions, or read "
    "it with --input-format inline if it has none. "
)


def _is_prose(text: str) -> bool:
    """Whether the first line that is no heading has three words or more and no columns."""
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line and line[0] != "#"), "")
    words = [word for word in first.split() if word[0].isalpha()]
    return len(words) >= 3 and "\t" not in first and "<" not in first


# Which files and folders are the key and the responses, before any of them is read ----------------


def first_files(folder: Path) -> list[Path]:
    """The files of a folder, by name; of those that are read together only the first."""
    files = files_in(folder)
    groups = [group for _, group in groups_of(files)]
    others = {name for group in groups for name in group[1:]}
    firsts = {group[0] for group in groups} | {name for name in files.names if "/" not in name}
    return [folder / name for name in sorted(firsts - others)]


def each_response(key: str, responses: Sequence[str]) -> list[str]:
    """The files and folders that are one response each.

    Where the key is a file, each file of a folder is a response of its own, but for the key
    itself (unless it is named as one); where the key is a folder, a folder is one response. A
    folder without files stays, for `path_problems` to tell.
    """
    if Path(key).is_dir():
        return list(dict.fromkeys(responses))
    found = [
        str(path)
        for response in map(Path, responses)
        for path in ((response.is_dir() and first_files(response)) or [response])
        if path != Path(key) or not response.is_dir()
    ]
    return list(dict.fromkeys(found))


def path_problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """Which of the responses do not go with the key; paths that do not exist are left alone."""
    one_each = not Path(key).is_dir()
    for response in responses:
        place = Path(response)
        if place.is_file() and not one_each and place.suffix != ".zip":
            advice = "Give two files or two folders, or a key that is a file and a folder."
            yield Problem(response, 0, "a file", "a folder, as the key", advice)
        if place.is_dir() and not _has_files(place):
            expected = "a file for each response" if one_each else "a file for each of the key's"
            yield Problem(response, 0, "a folder without files", expected, _advice(place))


def _has_files(folder: Path) -> bool:
    names = names_in(folder)
    return any("/" not in name for name in names) or any(True for _ in groups_of(files_in(folder)))


def _advice(folder: Path) -> str:
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    return f"Name the folders in it, such as {inner[0]}." if inner else "Check the path."
