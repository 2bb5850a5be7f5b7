"""The sidebar: what is loaded, which system is A and which B, the metric, the policies.

Everything lives in the URL, so that a link opens the same thing; of uploads, the name that they are
kept by.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import streamlit as st

from corescore import InputError
from corescore.corpus.names import is_run_of_same
from corescore.counting.policies import Policies
from corescore.rendering import html as markup
from corescore.scoring.tables import has_empty_side
from dashboard.session import files as sources
from dashboard.session import scoring
from dashboard.session.files import File, Files
from dashboard.session.link import keep_link, open_link, said_of_tab
from dashboard.session.loaded import is_loaded, loaded_systems, publish
from dashboard.session.uploads import state
from dashboard.widgets.page import note, plain, show_warnings
from dashboard.widgets.policies import select_policies
from dashboard.widgets.selection import pick, select_metric_of_all
from dashboard.widgets.uploads import as_read, receive, receive_genres, show_loading, uploaders

NOBODY = "none"
_MOST_LINES = 3  # about one file
OF_FILES = "of_files"  # what is about the files that are loaded


@dataclass(frozen=True)
class Selection:
    """What is selected in the sidebar: what to load, which responses are A and B, how to score
    them; and what is wrong with uploads."""

    files: Files | None
    responses: list[File]
    policies: Policies
    problems: list[str]


def select() -> Selection:
    """Draw the sidebar."""
    with st.sidebar:
        with st.expander("Open your own files"):  # first: in sight in a window of 768 pixels
            uploads = uploaders()
        with st.container(key=OF_FILES):
            source, systems = st.container(), st.container()
            select_metric_of_all()
            with st.expander("How it is scored"):
                policies = select_policies()
    open_link(
        lambda name: name in scoring.read_file(sources.sample_files().key, side="key").by_name
    )
    genres, problems = receive_genres(uploads)
    problems += receive(uploads, genres, policies)
    with source:
        files = _select_source()
        files = files.with_genres(genres) if files else None
    with systems:
        responses = _select_systems(files, policies) if files else []
    return Selection(files, responses, policies, problems)


def load(selected: Selection, page: str) -> None:
    """Load what is selected, for all pages.

    Files that have changed on disk are read again; if what is selected cannot be read or scored
    then, it stays as it was shown before. A response that was not shown before is left out, and a
    note above the page says why. If none is left, what was shown before stays.

    page  its title; "" if it shows none of the files. Nothing is said above such a page, but what
          is wrong with a selection
    """
    left_out: dict[str, list[str]] = {}
    problems, files, responses = [*selected.problems], selected.files, selected.responses
    policies, on_disk, changes = selected.policies, st.container(), ""
    try:
        if files is None:
            publish(None)
        else:
            show_loading(files, responses, policies)
            files, responses, wrong = _as_can_be_loaded(files, responses, policies)
            problems += wrong
            # The responses that are left out. If A or B is found to be one, another takes its
            # place.
            scoring.check(files, responses, policies)
            left_out = scoring.left_out(files, policies)
            is_left = len(left_out) < len(files.responses)
            if is_left and scoring.is_new_left_out(files, responses, policies):
                st.rerun()
            if is_left or not left_out:
                publish(scoring.load(files, responses, policies))
                if files.key.path:
                    shown = Files(files.key, tuple(responses))
                    changes = sources.note_shown(state.data, shown, page)
            else:
                problems += [line for lines in left_out.values() for line in lines]
    except InputError as error:
        problems += scoring.problem_lines(error)
    if problems:
        st.html(markup.problem_list(list(dict.fromkeys(problems)), kept=is_loaded()))
    if not page or files is None:
        return
    if changes:
        with on_disk:
            note(changes)
    is_upload_refused = selected.problems and state.data == sources.UPLOADED
    if 0 < len(left_out) < len(files.responses) and not is_upload_refused:
        n = len(left_out)
        is_ = "is left out: it" if n == 1 else "are left out: they"
        lines = [line for of_file in left_out.values() for line in _first(of_file)]
        with st.expander(
            f"{n} of {len(files.responses)} responses {is_} cannot be read or scored",
            expanded=n <= 3,
        ):
            st.html(markup.warning_list(lines))
    if is_loaded():
        loaded = loaded_systems()
        is_open = bool(loaded.doubts) or any(map(has_empty_side, loaded.results.values()))
        show_warnings(loaded.warnings, about="the loaded files", is_open=is_open)


def _as_can_be_loaded(
    files: Files, responses: list[File], policies: Policies
) -> tuple[Files, list[File], list[str]]:
    """The files and the selected responses, as they are or, if these cannot be read or scored, as
    they were shown before; and what is wrong then."""
    try:
        scoring.load(files, responses, policies)
    except InputError as error:
        before = sources.as_shown(state.data, files)
        both = zip(files.responses, before.responses, strict=False)
        by_name = {file.name: was for file, was in both}
        shown = [by_name[file.name] for file in responses]
        with suppress(InputError):
            scoring.load(before, shown, policies)
            return before, shown, scoring.problem_lines(error)
    return files, responses, []


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], *([f"… and {more} more in the same file"] if more > 0 else [])]


def hide_files() -> None:
    """Leave the files and responses out of sight, on a page that shows none of them; what is
    selected stays."""
    st.sidebar.html(f"<style>.st-key-{OF_FILES} {{ display: none; }}</style>")


# What is shown ----------------------------------------------------------------------------------


def _select_source() -> Files | None:
    """The files that are shown."""
    # What the command line named, as it is on the disk; its files come first.
    given = sources.given_files()
    on_disk = {sources.GIVEN: given} if given else {}
    try:
        on_disk |= sources.data_sets()
    except InputError as error:
        st.html(markup.problem_list(scoring.problem_lines(error), kept=True))
    uploaded = state.upload and state.upload.files
    offered = {
        **on_disk,
        sources.SAMPLE: sources.sample_files(),
        sources.UPLOADED: as_read(uploaded) if uploaded else None,
        **({sources.LINKED: None} if state.gone else {}),
    }
    shown = pick("data", list(offered), called=lambda source: sources.SHORT.get(source, source))
    keep_link(shown, offered[shown])
    if about_tab := said_of_tab(shown):
        st.caption(plain(about_tab))
    if shown == sources.UPLOADED and state.restored:
        first = next(iter(offered))
        st.button(f"Show the {first}", on_click=_show, args=(first,))
    if shown not in on_disk:
        return offered[shown]
    return sources.as_shown(shown, as_read(on_disk[shown]), only_gone=True)


def _show(source: str) -> None:
    state.data = source


def _select_systems(files: Files, policies: Policies) -> list[File]:
    """The responses that are A and, if there is one, B."""
    left_out = scoring.left_out(files, policies)
    by_name = {file.name: file for file in files.responses if file.name not in left_out}
    if not by_name:
        return []
    first = pick("a", list(by_name))
    others = sorted((n for n in by_name if n != first), key=partial(is_run_of_same, first))
    second = pick("b", [*others, NOBODY]) if others else NOBODY
    return [by_name[name] for name in (first, second) if name in by_name]
