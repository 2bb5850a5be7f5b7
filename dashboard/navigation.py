"""The pages, in the order of the sidebar, and where pages that became parts of others lead."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from corescore.rendering import html as markup
from dashboard.components.page import copy_button
from dashboard.session.files import UPLOADED
from dashboard.session.loaded import is_loaded
from dashboard.session.state import state, write_url
from dashboard.session.url_names import VIEWS
from dashboard.widgets.links import page_named
from dashboard.widgets.page import keep_place_of_answer
from dashboard.widgets.selection import switch


class Entry(NamedTuple):
    """A page: its path in the URL, its title, the modules in `dashboard.views` whose `page` draws
    its views, by what a view is called; and the URL name that selects one of several."""

    path: str
    title: str
    views: Mapping[str, str]
    selects: str = ""


def _one(path: str, title: str, module: str = "") -> Entry:
    return Entry(path, title, {title: module or path})


# A module is imported when its view is shown first, so that the first page comes soon.
SECTIONS: Mapping[str, tuple[Entry, ...]] = {
    "Explore": (
        _one("overview", "Overview"),
        _one("documents", "Documents"),
        _one("text", "Text"),
        _one("credit", "Credit"),
        Entry("entities", "Entities", {"entities": "entities", "links": "links"}, "drawn"),
        _one("errors", "Errors"),
    ),
    "Perturb": (
        _one("perturb", "Perturb"),
        _one("experiments", "Papers"),
    ),
    "Compare": (
        Entry(
            "compare",
            "Compare",
            {
                "two systems": "two_systems",
                "many systems": "many_systems",
            },
            "systems",
        ),
        _one("scorers", "Scoring rules", "which_scorer"),
    ),
    "Learn": (
        _one("sandbox", "Sandbox"),
        _one("lesson", "Lesson"),
        _one("metrics", "Metrics"),
    ),
}
_ENTRIES = {entry.path: entry for section in SECTIONS.values() for entry in section}
_FIRST = "overview"


def navigate() -> st.Page:
    """Draw the list of pages in the sidebar; the page that is selected."""
    pages = {
        path: st.Page(_drawing(entry), title=entry.title, url_path=path, default=path == _FIRST)
        for path, entry in _ENTRIES.items()
    }
    state.pages = pages
    listed = {name: [pages[entry.path] for entry in SECTIONS[name]] for name in SECTIONS}
    former = [
        st.Page(_leading(*view), title=former, url_path=former, visibility="hidden")
        for former, view in VIEWS.items()
    ]
    return st.navigation({**listed, "": former}, expanded=True)


def show_name(page: st.Page) -> PopoverContainer | None:
    """The line above a page: its name, the switch between its views if it has several, the place
    of its answer, and Share; the box of Share, which `show_share` fills."""
    entry = _ENTRIES.get(page.url_path or _FIRST)
    if entry is None:
        return None
    with st.container(horizontal=True, key="page_name"):
        st.html(markup.paragraph(entry.title, "page-name"), width="content")
        if entry.selects:
            switch(entry.selects, list(entry.views))
        keep_place_of_answer()
        return _share_box()


def _share_box() -> PopoverContainer:
    """The box of Share, with what costs nothing in it: the link, and the format of charts."""
    if st.query_params.get("share"):
        write_url({"share": None})
        state.share_box = True
    box = st.popover("Share", key="share_box", on_change="rerun", type="tertiary")
    with box:
        copy_button("Copy link to this view", key="copy_link")
        st.caption(
            "Opens your upload for anyone with the link."
            if state.data == UPLOADED
            else "It has selections and toys, no files: anyone who opens it needs the same files."
        )
        switch("pictures")  # whether charts are saved as SVG or PNG
    return box


def show_share(box: PopoverContainer | None) -> None:
    """Fill the box of Share if it is open; to be called below the page."""
    if box is not None and box.open and is_loaded():
        with box:
            _imported("share").show()


def is_of_no_files(page: st.Page) -> bool:
    """Whether a page has examples of its own: its A and B are not the responses that are loaded."""
    return page.title in {entry.title for entry in SECTIONS["Learn"]}


def import_views() -> None:
    """Import what draws the pages, all of it."""
    for entry in _ENTRIES.values():
        for module in entry.views.values():
            _imported(module)
    _imported("share")


def _drawing(entry: Entry) -> Callable[[], None]:
    def draw() -> None:
        view = st.session_state[entry.selects] if entry.selects else entry.title
        _imported(entry.views[view]).page()

    return draw


def _leading(path: str, selects: str, view: str) -> Callable[[], None]:
    """What a former page does: it leads to the view that it is now, with what its URL selects.

    A box that has been drawn keeps what it shows, since Streamlit sets no URL name of a box; with
    the box of the data go the names of the files.
    """

    def lead() -> None:
        drawn = {*st.session_state, "files", "upload", "token"}
        given = {name: value for name, value in st.query_params.items() if name not in drawn}
        if selects and selects in st.session_state:
            st.session_state[selects] = view
        elif selects:
            given[selects] = view
        st.switch_page(page_named(path), query_params=given)

    return lead


def _imported(module: str) -> ModuleType:
    return import_module(f"dashboard.views.{module}")
