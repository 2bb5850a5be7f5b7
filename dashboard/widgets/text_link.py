"""The way to the text: a link, and a click on a row or a point that follows it at once.

The link is followed in the browser. `st.switch_page` would empty the URL before it leaves, and
the browser's Back would come to a page without its settings.
"""

from collections.abc import Sequence

import streamlit as st

from corescore.metrics import name_of
from corescore.sentences.scores import least
from corescore.wording import percent
from dashboard.components.follow.component import follow_link
from dashboard.session.loaded import Loaded, System
from dashboard.session.pages import page_named
from dashboard.widgets.charts import clicked_points
from dashboard.widgets.markdown import plain
from dashboard.widgets.tables import clicked_cell

Span = tuple[int, int] | None


def link(label: str, document: str, span: Span = None, *, together: bool = False) -> None:
    """The link that a click follows: to a document or, with start and end of its words, to a
    mention in it; `together` shows A and B on one text."""
    extra = {"together": "true"} if together else {}
    link_to("text", label, document, span, key="read", **extra)


def link_to(
    page: str, label: str, document: str, span: Span = None, *, key: str, **extra: str
) -> None:
    """A link to a document, or to a mention in it, on a page."""
    query = {"document": document, **extra}
    if span:
        query["mention"] = f"{span[0]}-{span[1]}"
    with st.container(key=key, width="content"):
        st.page_link(page_named(page), label=plain(label), query_params=query)


def link_to_weakest(system: System, metric: str) -> None:
    """A link to the document on which a metric scores a system lowest; none if there is one only,
    or nothing to score."""
    result = system.result
    f1 = dict(zip(result.documents, result.document_scores[metric].f1.tolist(), strict=True))
    for name in least(f1)[:1] if len(f1) > 1 else ():
        label = f"Read {name}: {name_of(metric)} {percent(f1[name])}, the lowest of {system.title}"
        link_to("text", label, name, key="read_worst")


def link_to_clicked(loaded: Loaded, *, together: bool = False) -> None:
    """A link to the document that was clicked last, if there is one."""
    document = st.session_state.get("clicked_document")
    if document in loaded.key.by_name:
        span = st.session_state.get("clicked_span")
        link(f"Read {document}", document, span, together=together)


def click() -> None:
    """Have `follow` follow the link that the run draws next."""
    st.session_state["clicks"] = st.session_state.get("clicks", 0) + 1


def choose_row(table: str, names: Sequence[str], spans: Sequence[Span] = ()) -> None:
    """Go to the document, and to the mention where there are spans, of the row that was clicked."""
    if cell := clicked_cell(table):
        _go(names[cell[0]], spans[cell[0]] if spans else None)


def choose_point(chart: str) -> None:
    """Go to the document that was clicked."""
    if points := clicked_points(chart):
        _go(points[0], None)


def _go(document: str, span: Span) -> None:
    st.session_state.update(clicked_document=document, clicked_span=span)
    click()


def follow() -> None:
    """Follow the link after a click; to be drawn below it and below what can be clicked."""
    clicks = st.session_state.get("clicks", 0)
    follow_link(clicks)
    st.session_state["clicks_followed"] = clicks


def follow_elsewhere() -> None:
    """In a fragment that has what can be clicked, but not the link: after a click, draw the whole
    page, once, so that `follow` follows it."""
    clicks = st.session_state.get("clicks", 0)
    if clicks > st.session_state.get("clicks_followed", 0):
        st.session_state["clicks_followed"] = clicks
        st.rerun()
