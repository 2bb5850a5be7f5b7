"""Notes on errors: tags of one's own and a text, kept beside the data or in the session."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from corescore import InputError
from corescore.analysis.error_table.confusion import term
from corescore.analysis.error_table.notes import (
    Note,
    Notes,
    agreement,
    merged,
    notes_as_csv,
    notes_as_json,
    notes_of,
    tag_counts,
    tags_in,
    unknown_rows,
)
from corescore.rendering import html as markup
from corescore.rendering.tables import file_name
from corescore.sentences import errors as sentences
from corescore.wording import count, signed
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System
from dashboard.session.notes import Kept, change_notes, keep_in_tab, kept_notes
from dashboard.widgets.downloads import offer
from dashboard.widgets.error_link import error_url, rows_link
from dashboard.widgets.page import caution, headline, note

_NEW = "notes_drawn"  # how often boxes were drawn anew, since what they hold changed elsewhere
_SAID = "notes_said"
_CHANGED = "note_changed_meanwhile"
_TAGS_HELP = "Choose a tag of yours or type a new one. The search finds it: tag:“…”."
_SEEN_HELP = (
    "Mentions that you have seen count in the comparison with another annotator, even without a "
    "tag or text. In the search: seen:yes."
)


# One error ----------------------------------------------------------------------------------------


def show_note(loaded: Loaded, system: System, row: str) -> None:
    """Draw the boxes for the note on an error, and where it is saved."""
    kept = kept_notes(loaded, system)
    given = kept.notes.by_id.get(row)
    had = given or Note(row)
    key = f"{st.session_state.get(_NEW, 0)} {system.letter} {row}"
    change = partial(_change, loaded, system, row, given)
    with st.container(key="error_note"):
        if said := st.session_state.pop(_CHANGED, ""):
            caution(said)
        st.multiselect(
            "Tags",
            sorted({*kept.notes.tags, *had.tags}),
            default=had.tags,
            accept_new_options=True,
            placeholder="such as “world knowledge”",
            help=_TAGS_HELP,
            key=f"tags {key}",
            on_change=partial(change, f"tags {key}", _with_tags),
        )
        st.text_area(
            "Note",
            had.text,
            height=70,
            key=f"text {key}",
            on_change=partial(change, f"text {key}", _with_text),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.checkbox(
                "Seen",
                given is not None,
                help=_SEEN_HELP,
                key=f"seen {key}",
                on_change=partial(change, f"seen {key}", _with_seen),
            )
            _say_where(kept, is_noted=given is not None)


def _with_tags(had: Note, tags: list[str]) -> Note:
    return replace(had, tags=tags_in(", ".join(tags)))


def _with_text(had: Note, text: str) -> Note:
    return replace(had, text=text.strip())


def _with_seen(had: Note, is_seen: bool) -> Note | None:
    return had if is_seen else None


def _change(
    loaded: Loaded,
    system: System,
    row: str,
    before: Note | None,
    key: str,
    change: Callable[[Note, object], Note | None],
) -> None:
    """Save the change of a box to the note as it is saved by now.

    before  the note as it was when the boxes were drawn
    """
    after = change(before or Note(row), st.session_state[key])

    def changed(notes: Notes) -> Notes:
        now = notes.by_id.get(row)
        new = after and merged(now or Note(row), before or Note(row), after)
        if now not in (before, new):
            st.session_state[_CHANGED] = sentences.changed_meanwhile(now, new)
        return notes.with_note(new) if new else notes.without(row)

    change_notes(loaded, system, changed)
    _draw_anew()


def _draw_anew() -> None:
    st.session_state[_NEW] = st.session_state.get(_NEW, 0) + 1


def _say_where(kept: Kept, *, is_noted: bool) -> None:
    if kept.problems:
        what = "The note could not be saved."
        st.html(markup.problem_list(kept.problems, kept=True, what=what))
    elif is_noted:
        st.caption(f"Saved in {kept.place}", width="content")


# All of them --------------------------------------------------------------------------------------


def show_notes(loaded: Loaded, system: System) -> None:
    """Draw the tags with the errors that have them, and the ways in and out."""
    kept, table = kept_notes(loaded, system), analyses.every_error(system)
    here = kept.notes.of_rows(table["id"])
    keep_in_tab(loaded, system)
    with st.expander("Notes and tags", expanded=bool(here.tags)):
        if kept.problems:
            st.html(markup.problem_list(kept.problems, kept=True, what="The notes’ file is wrong."))
        n_tagged = sum(bool(one.tags) for one in here.by_id.values())
        headline(sentences.seen(len(here), n_tagged, len(table)))
        if here.tags:
            _show_tags(system, here)
        for warning in unknown_rows(kept.notes, table["id"], kept.place):
            note(warning)
        _show_where(kept)
        _show_files(loaded, system, kept)


def _show_tags(system: System, notes: Notes) -> None:
    counts = tag_counts(analyses.every_error(system), notes)
    rows = [
        (tag, rows_link(count(n), error_url(term("tag", tag), system)), signed(cost / 100))
        for tag, n, cost in counts.itertuples(index=False, name=None)
    ]
    st.html(markup.rows_table("Tags", ["tag", "mentions", "CoNLL points"], rows))


def _show_where(kept: Kept) -> None:
    if kept.path:
        note(f"Notes are saved in {kept.place}, beside the response.")
    else:
        note(
            "Notes are kept in this tab of the browser until it is closed: download them to keep "
            "them longer."
        )


def _show_files(loaded: Loaded, system: System, kept: Kept) -> None:
    name = file_name("notes", system.name)
    with st.container(horizontal=True):
        offer("Download notes as JSON", partial(notes_as_json, kept.notes), f"{name}.json")
        offer("as CSV", partial(notes_as_csv, kept.notes), f"{name}.csv")
    left, right = st.columns(2)
    with left:
        st.file_uploader(
            "Import notes",
            key="notes_in",
            help="Notes in JSON or CSV, or a list of errors that was exported as CSV. Of a "
            "mention that has a note here and there, the imported one counts.",
            on_change=partial(_import, loaded, system),
        )
        for said in st.session_state.pop(_SAID, ()):
            note(said)
    with right:
        st.file_uploader("Another annotator’s notes", key="notes_beside")
        _show_agreement(system, kept)


def _import(loaded: Loaded, system: System) -> None:
    if not (upload := st.session_state["notes_in"]):
        return
    try:
        found = notes_of(upload.getvalue(), upload.name)
    except InputError as error:
        st.session_state[_SAID] = str(error).splitlines()
        return
    replaced = kept_notes(loaded, system).notes.of_rows(found.by_id)
    change_notes(
        loaded, system, lambda notes: Notes.of([*notes.by_id.values(), *found.by_id.values()])
    )
    ids = analyses.every_error(system)["id"]
    said = sentences.imported(len(found), len(replaced))
    st.session_state[_SAID] = [said, *unknown_rows(found, ids, upload.name)]
    _draw_anew()


def _show_agreement(system: System, kept: Kept) -> None:
    """How far the notes agree with those in a second annotator's file."""
    if not (upload := st.session_state.get("notes_beside")):
        return
    try:
        other = notes_of(upload.getvalue(), upload.name)
    except InputError as error:
        lines = str(error).splitlines()
        st.html(markup.problem_list(lines, kept=True, what="These notes cannot be read."))
        return
    ids = analyses.every_error(system)["id"]
    for warning in unknown_rows(other, ids, upload.name):
        note(warning)
    found = agreement(kept.notes.of_rows(ids), other.of_rows(ids))
    headline(sentences.agreement(found, upload.name))
    if found.rows:
        heads = ["tag", "both", "only here", "only there", "neither", "agree", "κ"]
        rows = sentences.agreement_rows(found)
        st.html(markup.rows_table("Agreement by tag", heads, rows))
