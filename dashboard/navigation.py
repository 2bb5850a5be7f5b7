"""The pages, in the order of the side bar."""

from collections.abc import Callable, Mapping
from importlib import import_module
from threading import Event
from types import ModuleType

import streamlit as st

from dashboard.session.url_names import keep_pages

# By section: the path in the URL, the title, and the module in `dashboard.views` whose `page` draws
# it. A module is imported when its page is shown first, so that the first page comes soon.
_Entry = tuple[str, str, str]
_SECTIONS: Mapping[str, tuple[_Entry, ...]] = {
    "Explore": (
        ("overview", "Overview", "overview"),
        ("documents", "Documents", "documents"),
        ("text", "Text", "text"),
        ("credit", "Credit", "credit"),
        ("entities", "Entities", "entities"),
        ("links", "Links", "links"),
        ("errors", "Errors", "errors"),
    ),
    "Perturb": (
        ("perturb", "Perturb", "perturb"),
        ("experiments", "Experiments", "experiments"),
        ("errata", "Errata", "errata"),
    ),
    "Compare": (
        ("compare", "Two systems", "two_systems"),
        ("many", "Many systems", "many_systems"),
        ("data-sets", "Data sets", "data_sets"),
        ("scorers", "Which scorer?", "which_scorer"),
    ),
    "Learn": (
        ("sandbox", "Sandbox", "sandbox"),
        ("pitfalls", "Pitfalls", "pitfalls"),
        ("lesson", "Lesson", "lesson"),
        ("metrics", "Metrics", "metrics"),
    ),
    "Report": (("export", "Export", "export"),),
}
_FIRST = "overview"
was_drawn = Event()  # whether any page was, in any session


def navigate() -> st.Page:
    """Draw the list of pages in the side bar; the page that is selected."""
    pages = {
        path: st.Page(_drawing(module), title=title, url_path=path, default=path == _FIRST)
        for section in _SECTIONS.values()
        for path, title, module in section
    }
    keep_pages(pages)
    listed = {name: [pages[entry[0]] for entry in _SECTIONS[name]] for name in _SECTIONS}
    return st.navigation(listed, expanded=True)


def is_of_no_files(page: st.Page) -> bool:
    """Whether a page has examples of its own: its A and B are not the responses that are loaded."""
    return page.title in {title for _, title, _ in _SECTIONS["Learn"]}


def import_views() -> None:
    """Import what draws the pages, all of it."""
    for section in _SECTIONS.values():
        for _, _, module in section:
            _imported(module)


def _drawing(module: str) -> Callable[[], None]:
    def draw() -> None:
        _imported(module).page()

    return draw


def _imported(module: str) -> ModuleType:
    return import_module(f"dashboard.views.{module}")
