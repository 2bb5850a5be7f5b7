"""What is loaded: the records that the pages show, and where the session keeps them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from corescore import Corpus, Result
from corescore.analysis.error_table.notes import NO_NOTES, Notes
from corescore.analysis.systems import comparability
from corescore.wording import counted
from dashboard.session.files import Files
from dashboard.session.link import advice_where_gone
from dashboard.session.state import Slot, State


@dataclass(frozen=True)
class System(comparability.System):
    """A system with its response, on the key's words if that is how it is scored, and, to cache by,
    what tells it and its key from any others; on the Errors page also the notes on its errors, and
    the system beside it."""

    result: Result
    corpus: Corpus
    stamps: tuple[str, ...]
    notes: Notes = NO_NOTES
    other: "System | None" = None


@dataclass(frozen=True)
class Loaded(comparability.ScoredSystems):
    """What the pages show: the key, system A and perhaps B, and the files on offer."""

    systems: tuple[System, ...]
    files: Files

    def system(self, letter: str) -> System:
        """The system of that letter; A if there is none."""
        return next((s for s in self.systems if s.letter == letter), self.systems[0])

    def beside_other(self, letter: str) -> System:
        """The system of that letter; its error table tells what the other makes of each mention."""
        system = self.system(letter)
        return replace(
            system, other=next((s for s in self.systems if s.letter != system.letter), None)
        )


def _content(system: System) -> tuple[object, ...]:
    other = _content(system.other) if system.other else ()
    return (*system.stamps, repr(system.result.policies), system.notes.version, *other)


# What a system's tables are cached by: its files, policies, notes, and those of the system beside
# it. Its objects are not hashed.
BY_CONTENT: dict[str | type[Any], Callable[[Any], Any]] = {
    System: _content,
    Loaded: lambda loaded: [_content(system) for system in loaded.systems],
}


class _State(State):
    """What the pages of this session show."""

    loaded = Slot[Loaded | None](None)


_state = _State()


def publish(loaded: Loaded | None) -> None:
    """Make it what the pages of this session show."""
    _state.loaded = loaded


def is_loaded() -> bool:
    """Whether this session has anything to show."""
    return _state.loaded is not None


def loaded_systems() -> Loaded:
    """What this session shows; stops the page with advice if there is nothing to show."""
    current = _state.loaded
    if current is None or not current.systems:
        gone = advice_where_gone()
        title = "The files of this link are not here" if gone else "Nothing is scored yet"
        st.title(title, anchor=False)
        st.text(gone or _next_step(current))
        st.stop()
    return current


def _next_step(key_only: Loaded | None) -> str:
    if key_only is None:
        return (
            "Open a key and at least one response under “Open your own files” in the sidebar, or "
            "select the sample data there."
        )
    return (
        f"The key {key_only.key_name} is loaded ({counted(len(key_only.key), 'document')}), but no "
        "response. Name a response after the key on the command line, or open both under “Open "
        "your own files” in the sidebar."
    )


def how_to_load_second(loaded: Loaded) -> str:
    """How to get a second response to compare with the one that is shown."""
    if len(loaded.files.responses) > 1:
        return "Only one response is selected. Select a response B in the sidebar."
    return (
        "Only one response is loaded. To compare two, open the key and both responses under “Open "
        "your own files” in the sidebar, or name both on the command line."
    )
