"""Where the notes on a system's errors are: beside its file, or in the session.

Where others use the app, too, each has notes of their own, which begin with those of the file.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from corescore import InputError
from corescore.analysis.error_table.notes import (
    NO_NOTES,
    Notes,
    notes_as_json,
    notes_of,
    notes_path,
    read_notes,
    update_notes,
)
from dashboard.components.page import store_in_tab
from dashboard.session.access import is_shared
from dashboard.session.loaded import Loaded, System
from dashboard.session.state import Slot, State


class _State(State):
    """The notes that no file keeps, by what they are of."""

    notes = Slot[Mapping[str, Notes]]({})


state = _State()


@dataclass(frozen=True)
class Kept:
    """The notes on a system's errors.

    path      the file that they are in, beside the response; "" where no file has them
    problems  what is wrong with that file, which then is not changed
    """

    notes: Notes
    path: str
    problems: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where they are, in words."""
        return Path(self.path).name if self.path else "this tab of the browser"


def kept_notes(loaded: Loaded, system: System) -> Kept:
    """The notes on a system, as they are now: a file may have been changed by someone else."""
    path, name = _path(loaded, system), _name(loaded, system)
    failed, own = tuple(state.notes_problems.get(name, ())), state.notes.get(name)
    if not path or (is_shared() and own is not None):
        return Kept(own or NO_NOTES, "", failed)
    try:
        notes = read_notes(path) if Path(path).exists() else NO_NOTES
        return Kept(notes, "" if is_shared() else path, failed)
    except InputError as error:
        return Kept(NO_NOTES, path, tuple(str(error).splitlines()))


def change_notes(loaded: Loaded, system: System, change: Callable[[Notes], Notes]) -> None:
    """Change the notes on a system; where their file cannot be written, `kept_notes` says why."""
    path, name = _path(loaded, system), _name(loaded, system)
    state.notes_problems = {**state.notes_problems, name: ()}
    if not path or is_shared():
        state.notes = {**state.notes, name: change(kept_notes(loaded, system).notes)}
        return
    try:
        update_notes(path, change)
    except InputError as error:
        state.notes_problems = {**state.notes_problems, name: str(error).splitlines()}


def keep_in_tab(loaded: Loaded, system: System) -> None:
    """Let the browser's tab keep notes that no file keeps, and take up what it has of them after a
    reload; to be called wherever notes are shown."""
    if _path(loaded, system) and not is_shared():
        return
    name = _name(loaded, system)
    notes = state.notes.get(name)
    store_in_tab(
        name, None if notes is None else notes_as_json(notes), on_stored=partial(_take, name)
    )


def _take(name: str, stored: str) -> None:
    if name not in state.notes:
        state.notes = {**state.notes, name: notes_of(stored.encode(), "this tab")}


def _place(loaded: Loaded, system: System) -> str:
    """Where the response is on this computer, if the command line named it; else ""."""
    named = (file.path for file in loaded.files.responses if file.name == system.stamps[2])
    return next(named, "")


def _path(loaded: Loaded, system: System) -> str:
    """The file for the notes, beside the response; "" if that is no file of this computer."""
    place = _place(loaded, system)
    return notes_path(place) if place else ""


def _name(loaded: Loaded, system: System) -> str:
    """What notes in the session are called: by the name of the response's file and its place, whose
    content may change, or its content."""
    name, content = system.stamps[2:4]
    return f"notes {(name, _place(loaded, system) or content)}"


def noted(loaded: Loaded, system: System) -> System:
    """The system with the notes on its errors: its error table then has them, too."""
    return replace(system, notes=kept_notes(loaded, system).notes)
