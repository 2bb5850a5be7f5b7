"""The pages, in the order of the side bar."""

from collections.abc import Callable, Mapping

import streamlit as st

from dashboard.session.pages import keep_pages
from dashboard.views import documents, entities, export, lesson, links, metrics, overview
from dashboard.views.credit import page as credit
from dashboard.views.errata import page as errata
from dashboard.views.errors import page as errors
from dashboard.views.experiments import page as experiments
from dashboard.views.many_systems import page as many_systems
from dashboard.views.perturb import page as perturb
from dashboard.views.pitfalls import page as pitfalls
from dashboard.views.sandbox import page as sandbox
from dashboard.views.text import page as text
from dashboard.views.two_systems import page as two_systems
from dashboard.views.which_scorer import page as which_scorer

# By section: the path in the URL, the title, and the function that draws the page.
_Entry = tuple[str, str, Callable[[], None]]
_SECTIONS: Mapping[str, tuple[_Entry, ...]] = {
    "Explore": (
        ("overview", "Overview", overview.page),
        ("documents", "Documents", documents.page),
        ("text", "Text", text.page),
        ("credit", "Credit", credit.page),
        ("entities", "Entities", entities.page),
        ("links", "Links", links.page),
        ("errors", "Errors", errors.page),
    ),
    "Perturb": (
        ("perturb", "Perturb", perturb.page),
        ("experiments", "Experiments", experiments.page),
        ("errata", "Errata", errata.page),
    ),
    "Compare": (
        ("compare", "Two systems", two_systems.page),
        ("many", "Many systems", many_systems.page),
        ("scorers", "Which scorer?", which_scorer.page),
    ),
    "Learn": (
        ("sandbox", "Sandbox", sandbox.page),
        ("pitfalls", "Pitfalls", pitfalls.page),
        ("lesson", "Lesson", lesson.page),
        ("metrics", "Metrics", metrics.page),
    ),
    "Report": (("export", "Export", export.page),),
}
_FIRST = "overview"


def navigate() -> st.Page:
    """Draw the list of pages in the side bar; the page that is selected."""
    pages = {
        path: st.Page(draws, title=title, url_path=path, default=path == _FIRST)
        for section in _SECTIONS.values()
        for path, title, draws in section
    }
    keep_pages(pages)
    listed = {name: [pages[entry[0]] for entry in _SECTIONS[name]] for name in _SECTIONS}
    return st.navigation(listed, expanded=True)
