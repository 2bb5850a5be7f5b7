"""Lines of links to errors: how many of which sort there are, each link with its own number."""

from collections.abc import Iterable, Mapping

import streamlit as st

from corescore.analysis.error_table.query import parse
from corescore.analysis.error_table.written import both, term
from corescore.analysis.errors.mentions import CORRECT, SPAN_ERROR
from corescore.analysis.errors.operations import KINDS
from corescore.sentences.errors import NAMES
from corescore.wording import count, plural
from dashboard.session import analyses
from dashboard.session.loaded import BY_CONTENT, System
from dashboard.widgets.error_link import error_url, show_links


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=BY_CONTENT)
def n_errors(system: System, find: str) -> int:
    """How many errors of a system a query finds."""
    return int(parse(find).matches(analyses.every_error(system)).sum())


def show_classes(systems: Iterable[System], document: str) -> None:
    """A line for each system: how many of a document's mentions are of which class but correct."""
    for system in systems:
        counts = analyses.class_counts(system).loc[document]
        links = [
            (
                f"{count(n)} {plural(name) if name == SPAN_ERROR and n > 1 else name}",
                error_url(both(term("doc", document), term("class", str(name))), system),
            )
            for name, n in counts.items()
            if n and name != CORRECT
        ]
        show_links(links, before=f"Errors of {system.title}: ")


def show_found(system: System, finds: Mapping[str, str], *, before: str = "") -> None:
    """A line of links to the errors that queries find: how many, and the words for each query."""
    numbers = {words: n_errors(system, find) for words, find in finds.items()}
    links = [
        (f"{count(n)} {words}", error_url(finds[words], system))
        for words, n in numbers.items()
        if n
    ]
    show_links(links, before=before)


def show_kinds(systems: Iterable[System], within: str = "", kinds: Iterable[str] = KINDS) -> None:
    """A line for each system: how many mentions errors of each kind affect."""
    for system in systems:
        finds = {NAMES[kind]: both(within, term("kind", kind)) for kind in kinds}
        show_found(system, finds, before=f"Mentions of {system.title} with errors: ")


def slice_term(by: str, name: str) -> str:
    """The term that finds the errors of a document or slice."""
    fields = {"document": "doc", "genre": "genre"}
    return term(fields.get(by, f"slice.{by}"), name)
