"""What a session keeps from run to run, each value by its name, with its type and what it is at
first; and the one writer of the URL.

A value that a widget shows has the widget's key for a name: Streamlit keeps it there, binds it to
the URL, and has no other copy. Pages whose values have types of their own add these to `State`.
Where a key is computed, such as for each row of a list, `st.session_state` has it alone.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import streamlit as st

from dashboard.session.streamlit_inside import UploadedFile

Value = TypeVar("Value")
Span = tuple[int, int] | None


class Slot(Generic[Value]):
    """A value of a session, under its key, or else the name of the attribute that it is assigned
    to; `default` until it is set. As all sessions have the default, it is never changed itself."""

    def __init__(self, default: Value, *, key: str = "") -> None:
        self.default, self.name = default, key

    def __set_name__(self, record: type, name: str) -> None:
        self.name = self.name or name

    def __get__(self, record: object, kind: type) -> Value:
        value: Value = st.session_state.get(self.name, self.default)
        return value

    def __set__(self, record: object, value: Value) -> None:
        st.session_state[self.name] = value


class Place(NamedTuple):
    """A document, and where a mention of it starts and ends (in words, half-open); None for none.
    The mention stays selected until another one or another document is."""

    document: str | None = None
    mention: Span = None


class State:
    """What pages keep."""

    # The page that is shown, whether it was just entered, and what is selected on every page
    page = Slot("")
    has_arrived = Slot(False)
    place = Slot(Place())
    group = Slot(-1)  # of entities that overlap

    # The values of widgets, most of which the URL has too
    data = Slot("")
    letter = Slot("", key="of")
    by = Slot("")
    document = Slot("")
    worst_first = Slot(False)
    pictures = Slot("SVG")
    brackets = Slot("")
    primary = Slot("")
    beforehand = Slot(False)
    tab = Slot[str | None](None)
    part = Slot[int | None](None)
    window = Slot[int | None](None)
    within = Slot("")
    together = Slot(False)
    minutes = Slot("")
    steps = Slot("", key="do")
    sort = Slot("")
    compared = Slot("")
    one = Slot("")
    other = Slot("")
    axis = Slot("")
    response_a = Slot("", key="a")
    response_b = Slot("", key="b")

    evidence = Slot[Mapping[tuple[str, bool], bool]]({})  # by question, whether its box is open

    share_box = Slot(False)
    experiment_box = Slot("")
    metric_box = Slot[str | None](None)
    variant_box = Slot[str | None](None)
    add_step = Slot[str | None](None)
    notes_in = Slot[UploadedFile | None](None)

    # Pages by their paths, links, clicks and what was wrong with a link
    pages = Slot[Mapping[str, st.Page]]({})
    clicks = Slot(0)
    clicks_followed = Slot(0)
    click_leads_to = Slot("")
    clicked = Slot(Place())
    clicked_button = Slot("")
    rows_url = Slot("")
    rows_told = Slot(("", ""))
    refused_numbers = Slot[Mapping[str, str]]({})
    former_names = Slot[frozenset[str]](frozenset())
    former_metric = Slot("")

    # Text, Credit and Entities
    read_of = Slot("")
    shown_in_parts = Slot[Mapping[str, object]]({})
    took_place = Slot(False)  # a word was clicked in the strip
    searched = Slot[tuple[str, str] | None](None)
    cell = Slot[tuple[int, int, int] | None](None)
    clicked_overlap = Slot[tuple[int, tuple[object, ...]] | tuple[None, None]]((None, None))
    group_table = Slot(0)  # how many tables of overlaps were drawn anew
    link_group = Slot(-1)

    # Of tables the first row that is shown, and for what long work was asked for, by their keys
    first_rows = Slot[Mapping[str, int]]({})
    asked_for = Slot[Mapping[str, object]]({})

    # The notes on errors
    errors_looked_at = Slot[tuple[str, Span]](("", None))
    notes_drawn = Slot(0)  # how often boxes were drawn anew, since what they hold changed elsewhere
    notes_said = Slot[Sequence[str]](())
    note_changed_meanwhile = Slot("")
    notes_problems = Slot[Mapping[str, Sequence[str]]]({})

    # Perturb, Papers and Learn
    step_problem = Slot(("", ""))
    key_problem = Slot("")
    lesson_done = Slot[frozenset[str]](frozenset())
    pitfalls_seen = Slot[frozenset[str]](frozenset())
    progress_changed = Slot(False)
    progress_asked = Slot(False)


state = State()


def write_url(values: Mapping[str, str | Sequence[str] | None]) -> None:
    """Have the URL say this of these names, in one entry of the browser's history; None or an empty
    list takes a name out. A widget writes its own."""
    url, new = st.query_params, dict[str, list[str]]()
    for name, value in values.items():
        words = [value] if isinstance(value, str) else list(value or ())
        if not words:
            url.pop(name, None)
        elif words != url.get_all(name):
            new[name] = words
    if new:
        url.update(new)
