"""The way to the text: a link, and the click on a row or a point that follows it at once.

The link is followed in the browser. `st.switch_page` would empty the URL before it leaves, and
the browser's Back would come to a page without its settings.
"""

from collections.abc import Sequence

import streamlit as st

from corescore.sentences.markup import plain
from dashboard.components.assets import asset
from dashboard.session.pages import page_named

Span = tuple[int, int] | None


def link(label: str, document: str, span: Span = None, *, together: bool = False) -> None:
    """A link to a document or, with start and end of its words, to a mention in it; `together`
    shows A and B on one text."""
    query = {"document": document} | ({"together": "true"} if together else {})
    if span:
        query["mention"] = f"{span[0]}-{span[1]}"
    with st.container(key="read", width="content"):
        st.page_link(page_named("text"), label=plain(label), query_params=query)


def click() -> None:
    """Have `follow` follow the link that the run draws next."""
    st.session_state["clicks"] = st.session_state.get("clicks", 0) + 1


def choose(widget: str, names: Sequence[str], spans: Sequence[Span] = ()) -> None:
    """Go to the document, and to the mention where there are spans, of the row or point that was
    clicked in a widget: "chosen_document" and "chosen_span"."""
    selection = st.session_state[widget].selection
    rows = [row for row, _ in selection.get("cells", [])]
    chosen = [names[row] for row in rows]
    chosen += [point["customdata"] for point in selection.get("points", [])]
    if chosen:
        st.session_state["chosen_document"] = chosen[0]
        st.session_state["chosen_span"] = spans[rows[0]] if spans else None
        click()


def follow() -> None:
    """Follow the link after a click; to be drawn below it and below what can be clicked."""
    clicks = st.session_state.get("clicks", 0)
    component = st.components.v2.component("corescore_follow", js=asset("follow.js"))
    component(key="follow", data={"clicks": clicks})
    st.session_state["followed"] = clicks


def follow_elsewhere() -> None:
    """In a fragment that has what can be clicked, but not the link: draw the whole page after a
    click, so that `follow` follows it."""
    if st.session_state.get("clicks", 0) > st.session_state.get("followed", 0):
        st.rerun()
