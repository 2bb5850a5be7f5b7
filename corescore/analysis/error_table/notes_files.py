"""Files of notes: JSON, one note a line, and CSV."""

import csv
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from tempfile import gettempdir
from threading import Lock

from corescore.analysis.error_table.notes import BETWEEN_TAGS, Note, Notes, tags_in
from corescore.comma_separated import csv_of, inert, without_apostrophe
from corescore.corpus.formats.json.objects import parsed, pieces
from corescore.corpus.formats.packed import NOTES_ENDING, bytes_of, in_lines, text_of
from corescore.corpus.formats.writing import write_file
from corescore.corpus.problems import InputError, Problem

_FIELDS = ("id", "tags", "note")
_COLUMNS = ("id", "tag", "note")
_A_NOTE = '{"id": "…", "tags": ["…"], "note": "…"}'
_ADVICE = "Export the notes again, or correct this line."
_ONE_AT_A_TIME = Lock()  # sessions of one server may have the same file open; see `_locked`


@dataclass(frozen=True)
class _Row:
    """One note as it stands in a file."""

    file: str
    line: int
    values: Mapping[str, object]

    def require(self, holds: bool, found: str, expected: str) -> None:
        if not holds:
            raise InputError([Problem(self.file, self.line, found, expected, _ADVICE)])


def notes_path(response: str) -> str:
    """Where the notes on the errors of a response are kept: beside its file or folder. Files of
    this name in a folder of documents are not read as documents."""
    return f"{Path(response)}{NOTES_ENDING}"


def read_notes(path: str) -> Notes:
    """The notes of a file, JSON or CSV by its content. Raises InputError as `notes_of`, and where
    the file cannot be read."""
    return notes_of(bytes_of(Path(path)), path)


def notes_of(data: bytes, file: str) -> Notes:
    """The notes in the bytes of a file; `file` is its name in messages.

    JSON  a list of objects with the fields id, tags (a list of texts) and note
    CSV   a header with at least id, tag (the tags with commas between them) and note: an exported
          list of errors, too. Rows with neither tag nor note count only where a column seen says
          True.

    Raises InputError with the line where JSON or CSV is broken, else with every problem found, each
    with its line: fields or columns that are missing or unknown, tags that hold a comma or are
    empty, a row noted twice.
    """
    text = in_lines(text_of(data, file))
    rows = _json_rows(text, file) if text.lstrip()[:1] in ("[", "{") else _csv_rows(text, file)
    notes: dict[str, Note] = {}
    problems: list[Problem] = []
    for row, read in rows:
        try:
            note = read(row)
            if note is not None:
                row.require(note.id not in notes, f"a second note on {note.id!r}", "one a row")
                notes[note.id] = note
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return Notes.of(notes.values())


_Rows = Iterator[tuple[_Row, Callable[[_Row], Note | None]]]


def _json_rows(text: str, file: str) -> _Rows:
    try:
        for line, piece in pieces(text, file):
            values = parsed(piece, file, line)
            row = _Row(file, line, values if isinstance(values, dict) else {})
            yield row, _note_of_object
    except InputError as error:
        raise InputError(replace(found, advice=_ADVICE) for found in error.problems) from error


def _note_of_object(row: _Row) -> Note:
    fields = {*row.values}
    given = ", ".join(sorted(fields)) or "no object"
    row.require(fields == {*_FIELDS}, f"a note with the fields {given}", _A_NOTE)
    name, tags, text = (row.values[field] for field in _FIELDS)
    row.require(isinstance(name, str) and name != "", "a note without an id", "the id of a row")
    row.require(isinstance(text, str), "a note that is no text", "a text, which may be empty")
    good = isinstance(tags, list) and all(isinstance(t, str) and tags_in(t) == (t,) for t in tags)
    row.require(good, f"the tags {str(tags)[:60]}", 'a list of texts without commas and "')
    every = tags if isinstance(tags, list) else []
    return Note(str(name), tuple(dict.fromkeys(every)), str(text))


def _csv_rows(text: str, file: str) -> _Rows:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        top = _Row(file, 1, {})
        given = ", ".join(header)[:60] or "nothing"
        top.require({*_COLUMNS} <= {*header}, f"the columns {given}", "id, tag and note at least")
        top.require(len({*header}) == len(header), "a column twice", "each once")
        line = reader.line_num + 1
        for cells in reader:
            row = _Row(file, line, dict(zip_longest(header, cells[: len(header)])))
            yield row, partial(_note_of_cells, n_cells=len(cells))
            line = reader.line_num + 1
    except csv.Error as error:
        found = f"a row of CSV that is broken ({error})"
        raise InputError([Problem(file, reader.line_num, found, "CSV", _ADVICE)]) from error


def _note_of_cells(row: _Row, n_cells: int) -> Note | None:
    wanted = len(row.values)
    row.require(n_cells == wanted, f"a row of {n_cells} cells", f"{wanted}, as in the header")
    name, tags, text = (without_apostrophe(str(row.values[column])) for column in _COLUMNS)
    row.require(name != "", "a note without an id", "the id of a row")
    is_note = tags or text or row.values.get("seen") == "True"
    return Note(name, tags_in(tags), text) if is_note else None


def notes_as_json(notes: Notes) -> str:
    """The notes as JSON, one a line, in the order in which they were made."""
    lines = [
        json.dumps({"id": note.id, "tags": note.tags, "note": note.text}, ensure_ascii=False)
        for note in notes.by_id.values()
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def notes_as_csv(notes: Notes) -> str:
    """The notes as CSV: id, tag, note and seen, which is True; no cell is a formula."""
    rows = ([one.id, BETWEEN_TAGS.join(one.tags), one.text, True] for one in notes.by_id.values())
    return inert(csv_of([[*_COLUMNS, "seen"], *rows]))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """While no other thread and no other process changes the notes of a file.

    Raises InputError if its folder is not there. Where folders cannot be locked, as over a network,
    and on Windows, a file in this computer's folder for temporary files is locked instead.
    """
    with _ONE_AT_A_TIME:
        lock = _opened_lock(path)
        try:
            yield
        finally:
            os.close(lock)  # lets go of it


def _opened_lock(path: Path) -> int:
    """The number of an open file or folder that this process alone has locked."""
    name = sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    own = Path(gettempdir()) / f"corescore-notes-{name}.lock"
    if sys.platform == "win32":
        import msvcrt

        opened = os.open(own, os.O_RDWR | os.O_CREAT)
        while True:
            try:
                msvcrt.locking(opened, msvcrt.LK_LOCK, 1)
                return opened
            except OSError:  # after ten seconds of waiting
                continue
    import fcntl

    for place, flags in ((path.resolve().parent, os.O_RDONLY), (own, os.O_RDWR | os.O_CREAT)):
        try:
            opened = os.open(place, flags)
        except OSError:
            continue
        try:
            fcntl.flock(opened, fcntl.LOCK_EX)
            return opened
        except OSError:
            os.close(opened)
    found = "no file that can be locked against other programs"
    raise InputError([Problem(str(path), 0, found, "a folder that can be written", "")])


def update_notes(path: str, change: Callable[[Notes], Notes]) -> Notes:
    """Change the notes of a file, JSON, which may not be there yet; the notes it then has.

    The file is read first, so that what others wrote since stays, and written whole or not at all.
    Raises InputError where it cannot be read (it then stays as it is) or written.
    """
    with _locked(Path(path)):
        notes = change(read_notes(path) if Path(path).exists() else Notes())
        write_file(path, notes_as_json(notes).encode(), force=True)
    return notes
