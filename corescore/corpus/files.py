"""Reading and writing: `read` finds out which format a file, a folder or an archive is in, `write`
goes by the name."""

import gc
import gzip
import json
import os
import re
import shutil
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, NamedTuple

from corescore.corpus.documents import Corpus, Document
from corescore.corpus.formats.conll import is_row, no_header
from corescore.corpus.formats.format import Format, likeness, lookalike
from corescore.corpus.formats.registry import FORMATS, WRITTEN, fitting, format_named
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
from corescore.corpus.problems import ENOUGH, InputError, PolicyError, Problem, choose, refusal
from corescore.wording import counted

__all__ = ["FORMATS", "WRITTEN", "Format"]

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


def with_others(place: Path, format: str | None) -> Iterator[tuple[Format, Files]]:
    """The formats of several files that may read this one, with these files."""
    folder = place.parent
    for known in [format_named(format)] if format else FORMATS:
        group = (place.name, *known.others(place.name, lambda path: (folder / path).is_file()))
        files = Files(str(folder), group, lambda path: bytes_of(folder / path))
        if len(group) > 1 and (format or _claims(known, files, group)):
            yield known, files


def read_group(known: Format, group: Group, files: Files, side: str) -> Corpus:
    assert known.read_files
    texts = {name: text_of(files.data(name), files.path(name), encoding="utf-8") for name in group}
    return known.read_files(texts, files.place, side)


# Reading ------------------------------------------------------------------------------------------

SIDES = ("key", "response")

SETTINGS = (".conf",)  # of brat; their first line could be taken for JSON

# Files of a folder that are about its data, or plainly something else: names without endings, and
# endings of what holds no documents, of text that may be scores or settings, and of prose.
ABOUT = frozenset(
    ("README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "CHANGES", "CITATION")
)

OTHERS = (
    *("Thumbs.db", "desktop.ini", ".log", ".yaml", ".yml", ".toml", ".cfg", ".ini", ".sh", ".py"),
    *(".ipynb", ".html", ".pdf", ".png", ".svg", ".pt"),
)

MAY_BE_SCORES = (".json", ".txt")

PROSE = (".md", ".txt", ".rst")


def read(
    path: str | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    format: str | None = None,
    side: str = "key",
    repair_brackets: bool = False,
) -> Corpus:
    """The documents of a file (plain, .gz or .zip), open or by its path, or of all the files of a
    folder.

    format           the id of a format, such as "conll"; detected from the content if None
    side             "response" takes `predicted_clusters` of a jsonl line that has both
    repair_brackets  leave out brackets of inline markup that have no partner, and count them in a
                     warning, instead of refusing the file

    If a format needs two files, such as `x.ann` and its text `x.txt`, the second is found next to
    the first. In a folder or archive, files that belong together are read first, the rest one by
    one.
    A document is known by its file's name without endings and its own name (once, if they are the
    same), so that two folders are matched file by file.

    A packed file may unpack to at most 2 GB and, above 100 MB, to at most 200 times its size. Set
    the environment variable CORESCORE_UNPACK_LIMIT, such as 8GB, for another limit.

    Raises InputError with up to 20 problems, PolicyError for an unknown format or an invalid limit.

    >>> import io
    >>> import corescore
    >>> corescore.read("key.conll")
    Corpus: 17 documents, 6,586 words, 1,934 mentions in 797 entities | key.conll
    >>> corescore.read(io.StringIO("[Mia] fed [her] cat"), format="winobias")["1"].mentions
    (Mention(start=0, end=1, pieces=()), Mention(start=2, end=3, pieces=()))
    """
    choose("side", side, SIDES)
    if not isinstance(path, str | os.PathLike):
        if not hasattr(path, "read"):
            raise TypeError(
                f"{type(path).__name__} cannot be read; expected the path of a file or folder, "
                "or an open file, such as io.BytesIO(data)"
            )
        content, name = path.read(), str(getattr(path, "name", "open file"))
        data = content.encode() if isinstance(content, str) else content
        return read_bytes(data, name, format=format, side=side, repair_brackets=repair_brackets)
    if str(path) == "":
        raise refusal("''", "no such file or folder", "", "Check the path.")
    place = Path(path)
    if re.match(r"[{\[<#]|.*\n", str(path)) and not os.path.lexists(place):
        start, advice = f"{str(path)[:40]!r} …", "Open a text: read(io.StringIO(text))."
        raise refusal(start, "a text", "the path of a file or folder", advice)
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
    known = _format(text, file, format, side)
    is_collecting = gc.isenabled()
    gc.disable()  # documents have no circles, and all of them are kept: up to a fifth of the time
    try:
        corpus = ((repair_brackets and known.repair) or known.read)(text, file, side)
    finally:
        if is_collecting:
            gc.enable()
    corpus = replace(corpus, format=known.id)
    if text == as_it_is:
        return replace(corpus, documents=tuple(_within(data, corpus)))
    return _ended_by(corpus, newline_of(as_it_is))


def _within(data: bytes, corpus: Corpus) -> Iterator[Document]:
    """The documents with their originals as stretches of the file's bytes, not copies of them.

    They stand one after the other; between those of JSON Lines is the end of a line.
    """
    start = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    for document in corpus:
        if original := document.original:
            start += data.startswith(b"\n", start)
            original = original.within(data, start)
            start = original.stop
            object.__setattr__(document, "original", original)  # nobody else has it yet
        yield document


def _ended_by(corpus: Corpus, newline: str) -> Corpus:
    """The corpus of a file whose lines end otherwise, for a writer to end them so again."""
    documents = (
        replace(one, original=one.original and replace(one.original, newline=newline))
        for one in corpus
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


class Listing(NamedTuple):
    """What is read of the files of a folder or an archive.

    groups   the files that are read together, with their format, by the first of them
    names    the first file of each group and the files read one by one, in the order of reading
    ignored  those that are not read
    """

    files: Files
    groups: Mapping[str, tuple[Format, Group]]
    names: Sequence[str]
    ignored: Sequence[str]

    @property
    def problems(self) -> list[Problem]:
        """That there is nothing to be read, if so."""
        return [] if self.names else [_no_files(self.files)]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Which files are not read."""
        return _not_read(self.files, self.ignored)


def _not_read(files: Files, names: Sequence[str]) -> tuple[str, ...]:
    """A warning that names the first of them, if there are any."""
    few = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return (f"{files.place}: {counted(len(names), 'file')} not read: {few}",) if names else ()


def listing_of(files: Files, format: str | None) -> Listing:
    """What is read of them.

    Next to files that are read together, one of no known format is left out, such as a list of
    guidelines or settings. Next to other data a file is left out that is plainly something else,
    such as README.md or metrics.json, or that is prose; any other is refused.
    """
    groups = {group[0]: (known, group) for known, group in groups_of(files, format)}
    taken = {name for _, group in groups.values() for name in group}
    rest = [name for name in files.names if name not in taken]
    alone = [name for name in rest if "/" not in name and not (groups and format)]
    if groups:
        alone = [name for name in alone if not name.endswith(SETTINGS) and _is_known(files, name)]
    else:
        known = format is not None
        alone = [name for name in alone if not _is_about(files, name, known, PROSE)] or alone
    return Listing(
        files, groups, sorted((*groups, *alone)), [name for name in rest if name not in alone]
    )


def read_files(files: Files, format: str | None, side: str, repair: bool) -> Corpus:
    """The documents of the files of a folder or archive; see `read`."""
    errors: list[InputError] = []
    corpora: list[Corpus] = []
    listing = listing_of(files, format)
    for name in listing.names:
        try:
            if name in listing.groups:
                corpora.append(read_group(*listing.groups[name], files, side))
            else:
                corpora.append(_read_alone(files, name, format, side, repair))
        except InputError as error:
            errors.append(error)
        if sum(len(error.problems) + error.more for error in errors) >= ENOUGH:
            raise InputError.of(errors)
    documents = tuple(document for corpus in corpora for document in corpus)
    twice = second_documents((document.name, document.file) for document in documents)
    if problems := [*twice, *listing.problems]:
        errors.append(InputError(problems))
    if errors:
        raise InputError.of(errors)
    warnings = [warning for corpus in corpora for warning in corpus.warnings]
    return Corpus(documents, files.place, (*warnings, *listing.warnings))


def _is_about(files: Files, name: str, is_known: bool, prose: tuple[str, ...] = ()) -> bool:
    """Whether a file of a folder is plainly something else than documents: by its name or, unless
    its format is known, as scores or settings, or as prose if it has one of these endings."""
    if name.split(".")[0].upper() in ABOUT or name.endswith(OTHERS):
        return True
    if is_known or not name.endswith((*MAY_BE_SCORES, *prose)):
        return False
    try:
        text = in_lines(_text(files.data(name), name))
    except InputError:
        return False  # it is told when it is read
    is_prose = name.endswith(prose) and fitting(text) is None and _is_prose(text)
    return is_prose or _is_scores(text)


_OF_SCORERS = re.compile(r"""\s*\{\s*"signature": "corescore |METRIC (?:muc|bcub|ceaf|blanc)""")


def _is_scores(text: str) -> bool:
    """Whether a text is what a scorer prints, or JSON that only has numbers and words with names:
    no list that could be of words or mentions."""
    if _OF_SCORERS.match(text):
        return True
    try:
        values = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return False  # damaged, so that nothing is sure
    waiting, has_numbers = [values] if values else [], False
    while waiting:
        match waiting.pop():
            case dict(fields):
                waiting += fields.values()
            case [*of] if not of or not all(isinstance(one, int | float) for one in of):
                return False
            case str(word) if len(word.split()) > MOST_WORDS:
                return False
            case int() | float():
                has_numbers = True
    return has_numbers


MOST_WORDS = 3  # of a setting; what is longer may be a text


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
        fault = "a zip archive in a folder or archive"
        raise refusal(path, fault, "files that are read", "Unpack it first.")
    corpus = read_bytes(data, path, format=format, side=side, repair_brackets=repair)
    stem = name.split(".")[0]
    documents = tuple(document.called(name_in_file(stem, document.name)) for document in corpus)
    return replace(corpus, documents=documents)


def name_in_file(stem: str, name: str) -> str:
    """The name in a folder of a document of this name in a file; `stem` is the file's, without
    endings."""
    return name if name == stem else f"{stem}/{name}"


def _no_files(files: Files) -> Problem:
    folder = Path(files.place).is_dir()
    inner = next((name.split("/")[0] for name in files.names), "")
    advice = "Add some."
    if inner:
        example = f"Name the folders in it, such as {files.path(inner)}."
        advice = example if folder else "Make an archive of each folder in it."
    fault = "a folder without files" if folder else "an archive without files"
    return Problem(files.place, 0, fault, "coreference files in it", advice)


def second_documents(documents: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Documents of a folder, each with its file, whose names another has before them."""
    first: dict[str, str] = {}
    for name, file in documents:
        if name in first:
            fault = f"a second document '{name}' (the first is in {first[name]})"
            yield Problem(file, 0, fault, "each name once", "Rename one of the files.")
        first.setdefault(name, file)


# One file ----------------------------------------------------------------------------------------


_EMPTY = re.compile(r"[\s\ufeff]*\Z")


def _text(data: bytes, file: str) -> str:
    text = text_of(data, file)
    if _EMPTY.match(text):  # strip would copy it
        raise refusal(file, "an empty file", "at least one document", "Check the file.")
    return text


def _format(text: str, file: str, name: str | None, side: str = SIDES[0]) -> Format:
    if name is not None:
        return format_named(name)
    if like := lookalike(text):
        raise InputError([Problem(file, 1, *like)])
    known = fitting(text)
    if known is None:
        raise InputError([_unknown(text, file, side)])
    return known


def _unknown(text: str, file: str, side: str) -> Problem:
    if like := likeness(text):
        expected = f"one of the {len(FORMATS)} formats that corescore reads"
        return Problem(file, like.number, like.fault, expected, like.advice)
    lines = enumerate(text.split("\n"), start=1)
    number, first = next((n, line.rstrip()) for n, line in lines if line.strip())
    if is_row(first):
        return no_header(file, number, first)
    expected = (
        "#begin document (conll), one JSON object per line (jsonl), {a b} {c} (notation) or "
        "mentions marked in a text, [Mia](#1) (inline)"
    )
    where = f"--{side}-format{', convert: --input-format' * (side == SIDES[0])}"
    ids = ", ".join(known.id for known in FORMATS)
    advice = f"Formats ({where}; in Python, format=; in the app, “{side.title()} format”): {ids}."
    if _WITH_JSON.search(text):
        advice = "It looks like JSON with other lines around it: keep only the JSON."
    elif _is_prose(text):
        advice = f"{_OF_PROSE}{advice}"
    return Problem(file, number, f"'{first[:40]}'", expected, advice)


_WITH_JSON = re.compile(r"^[ \t]*(?:\{\s*\"|\[\s*[\[{\"])", re.MULTILINE)

_OF_PROSE = (
    "It looks like plain text, such as the answer of a language model: mark its mentions, or read "
    "it as inline if it has none. "
)


def _is_prose(text: str) -> bool:
    """Whether the first line that is no heading has three words or more and no columns."""
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line and line[0] != "#"), "")
    words = [word for word in first.split() if word[0].isalpha()]
    return len(words) >= 3 and "\t" not in first and "<" not in first


# Which files and folders are the key and the responses, before any of them is read ----------------


Warn = Callable[[Iterable[str]], object]


def _ignored(warnings: Iterable[str]) -> None:
    """What is told elsewhere."""


def first_files(
    folder: Path,
    *,
    key: Path | None = None,
    is_known: bool = False,
    or_all: bool = True,
    warn: Warn = _ignored,
) -> list[Path]:
    """The files of a folder, by name; of those that are read together only the first. Those that
    are plainly something else, such as metrics.json, are left out.

    key       a file that is left out if it is in the folder
    is_known  whether their format is named
    or_all    whether they stay where there are no others
    warn      is told which are left out
    """
    files = files_in(folder)
    groups = [group for _, group in groups_of(files)]
    others = {name for group in groups for name in group[1:]}
    firsts = {group[0] for group in groups}
    alone = [name for name in files.names if "/" not in name and name not in firsts | others]
    about = [name for name in alone if _is_about(files, name, is_known)]
    if or_all and len(about) == len(firsts) + len(alone):
        about = []
    keys = [name for name in {*firsts, *alone} if folder / name == key]
    warn(_not_read(files, [*(f"{name} (the key)" for name in keys), *about]))
    return [folder / name for name in sorted({*firsts, *alone} - {*about, *keys})]


def each_response(
    key: str, responses: Sequence[str], *, is_known: bool = False, warn: Warn = _ignored
) -> list[str]:
    """The files and folders that are one response each.

    Where the key is a file, each file of a folder is a response of its own, but for the key
    itself (unless it is named as one) and what `first_files` leaves out; where the key is a folder,
    a folder is one response. A folder without files stays, for `path_problems` to tell.
    """
    if Path(key).is_dir():
        return list(dict.fromkeys(responses))
    every: list[str] = []
    for response in map(Path, responses):
        paths = [response]
        if response.is_dir():
            paths = first_files(response, key=Path(key), is_known=is_known, warn=warn) or paths
        every += map(str, paths)
    return list(dict.fromkeys(every))


def path_problems(key: str, responses: Sequence[str]) -> Iterator[Problem]:
    """Which of the responses do not go with the key; paths that do not exist are left alone."""
    one_each = not Path(key).is_dir()
    for response in responses:
        place = Path(response)
        if place.is_file() and not one_each and place.suffix != ".zip":
            advice = "Give two files or two folders, or a key that is a file and a folder."
            yield Problem(response, 0, "a file", "a folder, as the key", advice)
        if place.is_dir() and not _has_files(place, Path(key)):
            fault = f"a folder without {'other ' * (place == Path(key).parent)}files"
            expected = "a file for each response" if one_each else "a file for each of the key's"
            yield Problem(response, 0, fault, expected, _advice(place))


def _has_files(folder: Path, key: Path) -> bool:
    names = names_in(folder)
    alone = any("/" not in name and folder / name != key for name in names)
    return alone or any(True for _ in groups_of(files_in(folder)))


def _advice(folder: Path) -> str:
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    return f"Name the folders in it, such as {inner[0]}." if inner else "Check the path."


# Writing a file: whole or not at all, over another only by force, never over an input -------------

_BESIDE = ".corescore-"

_LEFT_OVER = re.compile(rf"{re.escape(_BESIDE)}[0-9a-f]{{16}}")

_OTHER_OR_FORCE = "Name another file, or replace it with --force (in Python: force=True)."


def write_file(path: str, data: bytes, *, force: bool = False, inputs: Iterable[str] = ()) -> None:
    """Write a file; where that fails, what was there stays as it was.

    force   whether to replace a file
    inputs  files, and folders of files, that are not replaced even so

    A link stays a link, and a device or pipe is written to. Raises InputError where a file is not
    replaced and where writing fails.
    """
    refuse_replacing(path, force=force, inputs=inputs)
    with _told(path):
        place = Path(path)
        if place.exists() and not place.is_file():
            place.write_bytes(data)  # as named: what /dev/stdout leads to has no path of its own
        else:
            _replace(Path(os.path.realpath(path)), data)


def remove_file(path: str) -> None:
    """Remove a file. Raises InputError where that fails."""
    with _told(path):
        Path(path).unlink(missing_ok=True)


def refuse_replacing(path: str, *, force: bool, inputs: Iterable[str]) -> None:
    """Raise InputError if this is a file that is not to be replaced."""
    with _told(path):
        place = Path(path)
        if not place.is_file():
            return
        if any(_is_or_is_in(place, Path(one)) for one in inputs if one):
            raise refusal(
                path, "an input file, which is never overwritten", "", "Name another file."
            )
        if not force:
            raise refusal(path, "already exists", "", _OTHER_OR_FORCE)


def _is_or_is_in(place: Path, other: Path) -> bool:
    if other.is_dir():
        return other.resolve() in place.resolve().parents
    if other.exists():
        return place.samefile(other)
    return place.resolve().match(str(other.resolve()))  # a pattern, of files on a cluster


def _replace(place: Path, data: bytes) -> None:
    """Write to a file beside it first, whose name begins with a dot, so that no reader takes it.

    The file is locked while it is written; what a killed process has left is not.
    """
    _remove_left_over(place.parent)
    beside = place.with_name(f"{_BESIDE}{os.urandom(8).hex()}")
    try:
        beside.touch(exist_ok=False)
        with _locked(beside, wait=True):
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # a crash of the machine leaves the old file or the new one
            if place.exists():
                shutil.copymode(place, beside)
            beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _remove_left_over(folder: Path) -> None:
    """Remove the files of this kind in a folder that no process is writing."""
    for left in folder.glob(f"{_BESIDE}*"):
        if _LEFT_OVER.fullmatch(left.name) and left.is_file() and not left.is_symlink():
            with suppress(OSError), _locked(left) as is_dead:  # it may be somebody else's
                if is_dead:
                    left.unlink()


@contextmanager
def _locked(path: Path, *, wait: bool = False) -> Iterator[bool]:
    """Lock a file; whether that is possible, and no other process has locked it."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    with path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            is_locked = False
        else:
            is_locked = True
        yield is_locked


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Tell an error of the file system as an InputError."""
    try:
        yield
    except OSError as error:
        fault = f"a path that cannot be written ({error.strerror})"
        expected = "a file in a folder that exists"
        raise refusal(path, fault, expected, "Check the path.") from error


def write(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    force: bool = False,
) -> tuple[str, ...]:
    """Write a corpus; gzipped if `path` ends in .gz. Writes are atomic.

    Returns a warning that counts the information the format does not hold, such as words or heads.

    format  the id of a format that is written, such as "conll"; found from the ending of the
            path if None
    force   whether to overwrite an existing file; a file that the corpus was read from never is

    Raises InputError if the format cannot hold the corpus, if the file exists and if the path
    cannot be written, PolicyError for an unknown ending, TypeError for anything but a corpus.

    >>> import corescore
    >>> corescore.write(corescore.read("key.conll"), "key.jsonl")
    ()
    >>> len(corescore.read("key.jsonl"))
    17
    """
    if not isinstance(corpus, Corpus):
        raise TypeError(
            f"the corpus is a {type(corpus).__name__}; expected a Corpus, "
            "such as corescore.read gives"
        )
    name = os.fspath(path)
    known = _format_of_name(name, format)
    data = known.text(corpus).encode()
    packed = gzip.compress(data, mtime=0) if name.endswith(".gz") else data
    read_from = {corpus.file, *(document.file for document in corpus)}
    beside = (other for file in read_from for other in read_beside(file))
    write_file(name, packed, force=force, inputs=(*read_from, *beside))
    return known.left_out(corpus)


def _format_of_name(name: str, format: str | None) -> Format:
    if format is not None:
        return format_named(format)
    plain = name.removesuffix(".gz").lower()
    if plain.endswith(".txt"):
        ids = ", ".join(known.id for known in WRITTEN)
        raise PolicyError(
            f"{name!r} could be in any format. Name it (--output-format, in Python format=): {ids}"
        )
    for known in WRITTEN:
        if plain.endswith(known.suffixes):
            return known
    endings = ", ".join(f".{known.suffixes[0].lstrip('.')} ({known.id})" for known in WRITTEN)
    raise PolicyError(f"the ending of {name!r} is of no known format; expected one of: {endings}")
