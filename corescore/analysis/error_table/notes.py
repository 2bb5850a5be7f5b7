"""Notes on rows of the error table: tags of one's own and a text."""

import csv
import io
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from threading import Lock

import pandas as pd

from corescore.corpus.files import remove_file, write_file
from corescore.corpus.formats.json_objects import parsed, pieces
from corescore.corpus.packed import NOTES_ENDING, bytes_of, in_lines, text_of
from corescore.corpus.problems import InputError, Problem, refusal, refuse
from corescore.util import csv_of, inert, without_apostrophe
from corescore.wording import counted

BETWEEN_TAGS = ", "


@dataclass(frozen=True)
class Note:
    """What an annotator says about a row: tags (`tags_in`) and a text, both of which may be empty.

    A note that is empty says that the row was seen and nothing is to be said about it.
    """

    id: str
    tags: tuple[str, ...] = ()
    text: str = ""


def merged(now: Note, before: Note, after: Note) -> Note:
    """A note as it is now with the change from `before` to `after`: tags added or removed,
    and the text if it was changed."""
    added = [tag for tag in after.tags if tag not in before.tags]
    kept = [tag for tag in now.tags if tag in after.tags or tag not in before.tags]
    text = after.text if after.text != before.text else now.text
    return Note(now.id, tuple(dict.fromkeys([*kept, *added])), text)


@dataclass(frozen=True)
class Notes:
    """The notes of one annotator, by the ids of the rows that they have seen."""

    by_id: Mapping[str, Note] = field(default_factory=dict)

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "Notes":
        """These notes; of several about one row the last."""
        return cls({note.id: note for note in notes})

    def __len__(self) -> int:
        return len(self.by_id)

    @cached_property
    def version(self) -> str:
        """What differs where the notes do."""
        return sha256(repr([*self.by_id.values()]).encode("utf-8", "surrogatepass")).hexdigest()

    def with_note(self, note: Note) -> "Notes":
        """With this note about its row instead of the one there was."""
        return Notes({**self.by_id, note.id: note})

    def without(self, row: str) -> "Notes":
        """Without the note about a row, which then counts as not seen."""
        return Notes.of(note for note in self.by_id.values() if note.id != row)

    def of_rows(self, rows: Collection[str]) -> "Notes":
        """Only the notes about these rows."""
        kept = frozenset(rows)
        return Notes.of(note for note in self.by_id.values() if note.id in kept)

    @property
    def tags(self) -> tuple[str, ...]:
        """Every tag, the most frequent first, those as frequent by name."""
        number = Counter(tag for note in self.by_id.values() for tag in note.tags)
        return tuple(sorted(number, key=lambda tag: (-number[tag], tag)))


NO_NOTES = Notes()


def tags_in(text: str) -> tuple[str, ...]:
    """The tags in a text, which commas divide: each once, without blanks at its ends.

    A run of blanks counts as one, and double quotes, which a query could not hold, as none.
    """
    plain = (" ".join(part.replace('"', " ").split()) for part in text.split(","))
    return tuple(dict.fromkeys(tag for tag in plain if tag))


def with_notes(table: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """The error table with the columns tag (a row's tags with a comma between them), note (the
    text) and seen (whether there is a note on the row)."""
    by_row = pd.Series([notes.by_id.get(row) for row in table["id"]], table.index, dtype=object)
    tags = [BETWEEN_TAGS.join(note.tags) if note else "" for note in by_row]
    texts = [note.text if note else "" for note in by_row]
    with_columns = table.assign(tag=tags, note=texts, seen=by_row.notna())
    return with_columns.astype({"tag": str, "note": str})


def tag_counts(table: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """One row per tag, the most frequent first: tag; rows, how many rows of the table have it;
    and cost_conll, the points of CoNLL that fixing each of these rows alone gains, added up."""
    tags = [notes.by_id[row].tags if row in notes.by_id else () for row in table["id"]]
    gains = pd.DataFrame({"tag": pd.Series(tags, dtype=object), "gain": [*table["cost_conll"]]})
    of_tag = gains.explode("tag").dropna(subset="tag").groupby("tag")["gain"]
    counts = pd.DataFrame({"rows": of_tag.size(), "cost_conll": of_tag.sum(skipna=False)})
    return counts.reset_index().sort_values(["rows", "tag"], ascending=[False, True])


def unknown_rows(notes: Notes, rows: Collection[str], file: str) -> tuple[str, ...]:
    """A warning if notes of a file are about rows that the data do not have."""
    missing = notes.by_id.keys() - frozenset(rows)
    if not missing:
        return ()
    return (
        f"{file}: {counted(len(missing), 'note')} about rows that these data do not have, such as "
        f"{min(missing)!r}. They are kept in the file and not shown.",
    )


# Files of notes: JSON, one note a line, and CSV ---------------------------------------------------

_FIELDS = ("id", "tags", "note")

_COLUMNS = ("id", "tag", "note")

_A_NOTE = '{"id": "…", "tags": ["…"], "note": "…"}'

_NO_ID = ("a note without an id", "the id of a row")

_ADVICE = "Export the notes again, or correct this line."

_ONE_AT_A_TIME = Lock()  # sessions of one server may have the same file open; see `_locked`

# A note, what was found and expected instead of one, or nothing
_Entry = Note | tuple[str, str] | None


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
    rows = _json_rows if text.lstrip()[:1] in ("[", "{") else _csv_rows
    notes: dict[str, Note] = {}
    problems: list[Problem] = []
    for line, entry in rows(text, file):
        if isinstance(entry, Note) and entry.id in notes:
            entry = f"a second note on {entry.id!r}", "one a row"
        if isinstance(entry, Note):
            notes[entry.id] = entry
        elif entry:
            problems.append(Problem(file, line, *entry, _ADVICE))
    refuse(problems)
    return Notes(notes)


def _json_rows(text: str, file: str) -> Iterator[tuple[int, _Entry]]:
    try:
        for line, piece in pieces(text, file):
            yield line, _note_of(parsed(piece, file, line))
    except InputError as error:
        raise InputError(found._replace(advice=_ADVICE) for found in error.problems) from error


def _note_of(value: object) -> _Entry:
    values = value if isinstance(value, dict) else {}
    if {*values} != {*_FIELDS}:
        return f"a note with the fields {', '.join(sorted(values)) or 'no object'}", _A_NOTE
    name, tags, text = (values[field] for field in _FIELDS)
    if not isinstance(name, str) or not name:
        return _NO_ID
    if not isinstance(text, str):
        return "a note that is no text", "a text, which may be empty"
    if not isinstance(tags, list) or any(
        not isinstance(t, str) or tags_in(t) != (t,) for t in tags
    ):
        return f"the tags {str(tags)[:60]}", 'a list of texts without commas and "'
    return Note(name, tuple(dict.fromkeys(tags)), text)


def _csv_rows(text: str, file: str) -> Iterator[tuple[int, _Entry]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if not {*_COLUMNS} <= {*header}:
            problem = f"the columns {', '.join(header)[:60] or 'nothing'}"
            yield 1, (problem, "id, tag and note at least")
            return
        if len({*header}) < len(header):
            yield 1, ("a column twice", "each once")
            return
        line = reader.line_num + 1
        for cells in reader:
            values = dict(zip(header, cells, strict=False))
            if len(cells) != len(header):
                yield (
                    line,
                    (f"a row of {counted(len(cells), 'cell')}", f"{len(header)}, as in the header"),
                )
            else:
                name, tags, note = (without_apostrophe(values[column]) for column in _COLUMNS)
                is_note = tags or note or values.get("seen") == "True"
                entry = Note(name, tags_in(tags), note) if is_note else None
                yield line, entry if name else _NO_ID
            line = reader.line_num + 1
    except csv.Error as error:
        problem = f"a row of CSV that is broken ({error})"
        raise refusal(file, problem, "CSV", _ADVICE, reader.line_num) from error


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
    problem = "no file that can be locked against other programs"
    raise refusal(str(path), problem, "a folder that can be written", "")


def update_notes(path: str, change: Callable[[Notes], Notes]) -> Notes:
    """Change the notes of a file, JSON, which may not be there yet; the notes it then has.

    The file is read first, so that what others wrote since stays, and written whole or not at all:
    not where nothing changes. A file that is as we write it is removed with its last note.
    Raises InputError where it cannot be read (it then stays as it is) or written.
    """
    with _locked(Path(path)):
        place = Path(path)
        data = bytes_of(place) if place.exists() else None
        before = NO_NOTES if data is None else notes_of(data, path)
        if (notes := change(before)) == before:
            return notes
        is_ours = data == notes_as_json(before).encode() and not place.is_symlink()
        if is_ours and not notes.by_id:
            remove_file(path)
        else:
            write_file(path, notes_as_json(notes).encode(), force=True)
    return notes


# How far two annotators agree in what they tag ----------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How two annotators tag the rows that both have seen.

    rows                      how many both have seen: there is a note of each, if an empty one
    only_first, only_second   how many just one of them has seen, which do not count
    kappa                     Cohen's κ, a row's category being the set of its tags
    table                     one row per tag of either: tag; both, only_first, only_second and
                              neither: how many rows each tags with it; agreement, the share of
                              rows on which they agree; kappa, a row's category being whether it
                              has the tag

    κ = (p_o − p_e) / (1 − p_e), with p_o the share of rows in one category, p_e the share expected
    by chance (Cohen 1960); from −1 to 1. NaN where p_e is 1, since both put every row into the same
    category, and where no row was seen by both.
    """

    rows: int
    only_first: int
    only_second: int
    kappa: float
    table: pd.DataFrame


def agreement(first: Notes, second: Notes) -> Agreement:
    """Compare the notes of two annotators; `Notes.of_rows` leaves out what the data do not have."""
    seen = [row for row in first.by_id if row in second.by_id]
    pairs = [(first.by_id[row].tags, second.by_id[row].tags) for row in seen]
    sets = [[BETWEEN_TAGS.join(sorted(tags)) for tags in side] for side in zip(*pairs, strict=True)]
    return Agreement(
        rows=len(seen),
        only_first=len(first) - len(seen),
        only_second=len(second) - len(seen),
        kappa=cohens_kappa(*sets) if sets else math.nan,
        table=_by_tag(tuple(dict.fromkeys((*first.tags, *second.tags))), pairs),
    )


def _by_tag(
    tags: Sequence[str], pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]
) -> pd.DataFrame:
    rows = []
    for tag in tags:
        one, other = ([tag in side[at] for side in pairs] for at in (0, 1))
        both = sum(a and b for a, b in zip(one, other, strict=True))
        only = sum(one) - both, sum(other) - both
        neither = len(pairs) - both - sum(only)
        share = (both + neither) / len(pairs) if pairs else math.nan
        rows.append((tag, both, *only, neither, share, cohens_kappa(one, other)))
    columns = ["tag", "both", "only_first", "only_second", "neither", "agreement", "kappa"]
    return pd.DataFrame(rows, columns=columns)


def cohens_kappa(one: Sequence[object], other: Sequence[object]) -> float:
    """Cohen's κ of two annotators' categories, row by row; NaN where it is not defined."""
    if len({*one, *other}) < 2:
        return math.nan
    from sklearn.metrics import cohen_kappa_score  # takes a second to import

    return float(cohen_kappa_score(one, other))
