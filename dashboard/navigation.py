"""The pages, in the order of the sidebar, and where pages that became parts of others lead."""

from collections.abc import Callable, Mapping
from importlib import import_module
from threading import Event
from types import ModuleType
from typing import NamedTuple

import streamlit as st

from corescore.rendering import html as markup
from dashboard.session.url_names import VIEWS, keep_pages, page_named
from dashboard.widgets.page import side_by_side
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
        _one("experiments", "Experiments"),
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
        _one("scorers", "Which scorer?", "which_scorer"),
    ),
    "Learn": (
        _one("sandbox", "Sandbox"),
        Entry("lesson", "Lesson", {"lesson": "lesson", "all cards": "pitfalls"}, "cards"),
        _one("metrics", "Metrics"),
    ),
    "Report": (_one("export", "Export"),),
}
_ENTRIES = {entry.path: entry for section in SECTIONS.values() for entry in section}
_FIRST = "overview"
was_drawn = Event()  # whether any page was, in any session


def navigate() -> st.Page:
    """Draw the list of pages in the sidebar; the page that is selected."""
    pages = {
        path: st.Page(_drawing(entry), title=entry.title, url_path=path, default=path == _FIRST)
        for path, entry in _ENTRIES.items()
    }
    keep_pages(pages)
    listed = {name: [pages[entry.path] for entry in SECTIONS[name]] for name in SECTIONS}
    former = [
        st.Page(_leading(*view), title=former, url_path=former, visibility="hidden")
        for former, view in VIEWS.items()
    ]
    return st.navigation({**listed, "": former}, expanded=True)


def show_name(page: st.Page) -> None:
    """The name of the page, small, and the switch between its views, if it has several."""
    entry = _ENTRIES.get(page.url_path or _FIRST)
    if entry is None:
        return
    with side_by_side("center", key="page_name"):
        st.html(markup.paragraph(entry.title, "page-name"), width="content")
        if entry.selects:
            switch(entry.selects, list(entry.views))


def is_of_no_files(page: st.Page) -> bool:
    """Whether a page has examples of its own: its A and B are not the responses that are loaded."""
    return page.title in {entry.title for entry in SECTIONS["Learn"]}


def import_views() -> None:
    """Import what draws the pages, all of it."""
    for entry in _ENTRIES.values():
        for module in entry.views.values():
            _imported(module)


def _drawing(entry: Entry) -> Callable[[], None]:
    def draw() -> None:
        view, *_ = entry.views
        if entry.selects:
            view = st.session_state[entry.selects]
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
