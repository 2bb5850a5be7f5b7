"""Notes on rows of the error table: tags of one's own and a text."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType

import pandas as pd

from corescore.wording import counted

BETWEEN_TAGS = ", "
_NOTHING: Mapping[str, "Note"] = MappingProxyType({})


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

    by_id: Mapping[str, Note] = field(default_factory=lambda: _NOTHING)

    @classmethod
    def of(cls, notes: Iterable[Note]) -> "Notes":
        """These notes; of several about one row the last."""
        return cls(MappingProxyType({note.id: note for note in notes}))

    def __len__(self) -> int:
        return len(self.by_id)

    @cached_property
    def version(self) -> str:
        """What differs where the notes do."""
        return sha256(repr([*self.by_id.values()]).encode("utf-8", "surrogatepass")).hexdigest()

    def with_note(self, note: Note) -> "Notes":
        """With this note about its row instead of the one there was."""
        return Notes.of([*self.by_id.values(), note])

    def without(self, row: str) -> "Notes":
        """Without the note about a row, which then counts as not seen."""
        return Notes.of(note for note in self.by_id.values() if note.id != row)

    def of_rows(self, rows: Collection[str]) -> "Notes":
        """Only the notes about these rows."""
        kept = frozenset(rows)
        return Notes.of(note for note in self.by_id.values() if note.id in kept)

    def unknown(self, rows: Collection[str]) -> tuple[str, ...]:
        """The ids of notes that are about none of these rows."""
        return tuple(self.by_id.keys() - frozenset(rows))

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
    nothing = Note("")
    found = [notes.by_id.get(row, nothing) for row in table["id"]]
    texts = {
        "tag": [BETWEEN_TAGS.join(note.tags) for note in found],
        "note": [note.text for note in found],
    }
    columns = {name: pd.Series(of, index=table.index, dtype=str) for name, of in texts.items()}
    seen = pd.Series([note is not nothing for note in found], index=table.index, dtype=bool)
    return table.assign(**columns, seen=seen)


def tag_counts(table: pd.DataFrame, notes: Notes) -> pd.DataFrame:
    """A row for each tag, the most frequent first: tag; rows, how many rows of the table have it;
    and cost_conll, the points of CoNLL that fixing each of these rows alone gains, added up."""
    of_rows = notes.of_rows(table["id"])
    gains = dict(zip(table["id"], table["cost_conll"], strict=True))
    found = {
        tag: [gains[note.id] for note in of_rows.by_id.values() if tag in note.tags]
        for tag in of_rows.tags
    }
    return pd.DataFrame(
        {
            "tag": pd.Series([*found], dtype=str),
            "rows": pd.Series([len(of) for of in found.values()], dtype="int64"),
            "cost_conll": pd.Series([sum(of) for of in found.values()], dtype="float64"),
        }
    )


def unknown_rows(notes: Notes, rows: Collection[str], file: str) -> tuple[str, ...]:
    """A warning if notes of a file are about rows that the data do not have."""
    missing = notes.unknown(rows)
    if not missing:
        return ()
    example = min(missing)
    return (
        f"{file}: {counted(len(missing), 'note')} about rows that these data do not have, such as "
        f"{example!r}; they are kept in the file and not shown.",
    )
