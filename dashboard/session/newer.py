"""Files of the command line that change on the disk while a session shows them.

The session goes on with what it has loaded until it is told to load the newer files. What a file
held before is known only while it is kept in memory: where it is not, the newer files are shown at
once, and that is said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import streamlit as st

from corescore.wording import listed
from dashboard.session.sources import File

_LOADED, _GIVEN_UP = "files_loaded", "files_given_up"  # by source: its files; the name of one
_MOST = 3  # names in a sentence


class HasFiles(Protocol):
    """Files that are loaded together."""

    @property
    def by_path(self) -> Mapping[str, File]:
        """All of them by their places, called as a note calls them."""


_Some = TypeVar("_Some", bound=HasFiles)


def as_loaded(source: str, on_disk: _Some) -> _Some:
    """The files of a source as this session has loaded them."""
    loaded: _Some = st.session_state.setdefault(_LOADED, {}).setdefault(source, on_disk)
    return loaded


def loaded_before(source: str) -> Any:
    """What this session has loaded of a source; None if nothing."""
    return st.session_state.get(_LOADED, {}).get(source)


def load_newer(source: str) -> None:
    """Take the files of a source as they are on the disk from now on."""
    st.session_state.get(_LOADED, {}).pop(source, None)
    forget_given_up(source)


def forget_given_up(source: str) -> None:
    """Say no longer that a file of a source was given up."""
    st.session_state.get(_GIVEN_UP, {}).pop(source, None)


def give_up(file: File) -> bool:
    """Let go of the source of a file that can no longer be read as it was loaded; whether this
    session had loaded it so, and the page has to be run anew.

    Only once before `forget_given_up`: a file that changes all the time would be read without end.
    """
    given_up = st.session_state.setdefault(_GIVEN_UP, {})
    every = st.session_state.get(_LOADED, {})
    for source, files in every.items():
        loaded = files.by_path.get(file.path)
        if source not in given_up and loaded and loaded.stamp_on_disk == file.stamp_on_disk:
            given_up[source] = loaded.name
            del every[source]
            return True
    return False


@dataclass(frozen=True)
class Changes:
    """What became of the files of a source since they were loaded: the names of those that have
    changed, that are new and that are gone; and of one that was given up, "" if none was."""

    source: str
    changed: Sequence[str]
    new: Sequence[str]
    gone: Sequence[str]
    given_up: str

    @property
    def are_newer(self) -> bool:
        """Whether there is anything to load."""
        return bool(self.changed or self.new)

    @property
    def sentences(self) -> str:
        """In words; "" if the files are as they were."""
        said = (
            _said([self.given_up] if self.given_up else [], _ABOUT_GIVEN_UP, ""),
            _said(self.changed, "has changed on disk since it was loaded.", _HAVE_CHANGED),
            _said(self.new, "is new on disk.", "are new on disk."),
            _said(self.gone, "is no longer on disk; what was loaded stays.", _ARE_GONE),
        )
        return " ".join(filter(None, said))


def changes(source: str, on_disk: HasFiles) -> Changes:
    """How the files of a source differ from what this session has loaded."""
    before, now = as_loaded(source, on_disk).by_path, on_disk.by_path
    stamps = {path: file.stamp_on_disk for path, file in now.items()}
    others = [file for path, file in before.items() if stamps.get(path) != file.stamp_on_disk]
    return Changes(
        source,
        [file.name for file in others if file.is_there],
        [file.name for path, file in now.items() if path not in before],
        [file.name for file in others if not file.is_there],
        st.session_state.get(_GIVEN_UP, {}).get(source, ""),
    )


_ABOUT_GIVEN_UP = (
    "has changed on disk, and what it held before is no longer known: the newer files are shown."
)
_HAVE_CHANGED = "have changed on disk since they were loaded."
_ARE_GONE = "are no longer on disk; what was loaded stays."


def _said(names: Sequence[str], of_one: str, of_several: str) -> str:
    if not names:
        return ""
    more = len(names) - _MOST
    shown = [*names[:_MOST], *([f"{more} more"] if more > 0 else [])]
    return f"{listed(shown)} {of_one if len(names) == 1 else of_several}"
