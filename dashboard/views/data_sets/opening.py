"""Which data sets the page shows: those of the command line, or of an archive that is opened."""

import streamlit as st

from corescore import InputError
from dashboard.session import newer
from dashboard.session.data_set_scores import Scored, scored
from dashboard.session.data_sets import Opened, given_data_sets, unpacked
from dashboard.session.holding import hold_files
from dashboard.session.scoring import problem_lines
from dashboard.widgets.markdown import plain
from dashboard.widgets.newer_files import say_changes
from dashboard.widgets.page import note
from dashboard.widgets.policies import selected_policies
from dashboard.widgets.uploads import as_read

_ABOUT = (
    "A folder for each data set, all with the same systems. In each, the file or folder called key "
    "is the key (key.conll, key.conllu.gz, …); each other is the response of the system that it is "
    "named after, or a tally that corescore score --save-tally wrote."
)
_ARCHIVE = "data_sets_archive"
_SOURCE = "data sets"


def select() -> tuple[Opened | None, list[str]]:
    """The data sets, and what is wrong with those of the command line or with the archive that was
    opened last. Data sets of the command line that change on the disk stay as they were loaded."""
    given, changes, problems = _given()
    if changes and "data_sets" not in st.session_state:
        with st.container(horizontal=True, vertical_alignment="center"):
            say_changes(changes)
    opened: Opened | None = st.session_state.get("data_sets") or given
    with st.expander("Open data sets", expanded=opened is None):
        upload = st.file_uploader("Folders of data sets, as a zip archive", key=_ARCHIVE)
        note(_ABOUT)
        if "data_sets" in st.session_state and given:
            st.button("Show those of the command line", on_click=_show_given)
    if upload is None or st.session_state.get("data_sets_of") == upload.file_id:
        return opened, problems
    try:
        opened = unpacked(upload.getvalue(), upload.name)
        hold_files(file for one in opened.data_sets for file in one.every_file)
        st.session_state.update(data_sets=opened, data_sets_of=upload.file_id)
    except InputError as error:
        problems = problem_lines(error)
    return opened, problems


def _given() -> tuple[Opened | None, newer.Changes | None, list[str]]:
    """The data sets of the command line as they were loaded, what became of them on the disk, and
    what is wrong with them there."""
    try:
        on_disk = given_data_sets()
    except InputError as error:
        return newer.loaded_before(_SOURCE), None, problem_lines(error)
    if on_disk is None:
        return None, None, []
    return newer.as_loaded(_SOURCE, on_disk), newer.changes(_SOURCE, on_disk), []


def _show_given() -> None:
    st.session_state.pop("data_sets", None)


def score_all(opened: Opened) -> Scored:
    """All data sets by the policies that are selected; a bar says how far that is."""
    n, bar = len(opened.data_sets), st.empty()
    found = scored(
        as_read(opened).data_sets,
        selected_policies(),
        step=lambda done, name: bar.progress(
            done / n, f"Reading and scoring {plain(name)}, {done + 1} of {n}"
        ),
    )
    bar.empty()
    return found
