"""The way to the text: a link, and the click on a row or a point that follows it at once.

The link is followed in the browser. `st.switch_page` would empty the URL before it leaves, and
the browser's Back would come to a page without its settings.
"""

from pathlib import Path

import streamlit as st

from corescore.dashboard.assets import asset
from corescore.dashboard.markup import plain

TEXT_PAGE = Path(__file__).parent / "views" / "text.py"


def link(label: str, document: str, span: tuple[int, int] | None = None) -> None:
    """A link to a document or, with start and end of its words, to a mention in it."""
    query = {"document": document}
    if span:
        query["mention"] = f"{span[0]}-{span[1]}"
    with st.container(key="read", width="content"):
        st.page_link(TEXT_PAGE, label=plain(label), query_params=query)


def click() -> None:
    """Have `follow` follow the link that the run draws next."""
    st.session_state["clicks"] = st.session_state.get("clicks", 0) + 1


def choose(widget: str, names: list[str]) -> None:
    """Go to the document of the row or point that was clicked in a widget: "chosen_document"."""
    selection = st.session_state[widget].selection
    chosen = [names[row] for row, _ in selection.get("cells", [])]
    chosen += [point["customdata"] for point in selection.get("points", [])]
    if chosen:
        st.session_state["chosen_document"] = chosen[0]
        click()


def follow() -> None:
    """Follow the link after a click; to be drawn below it and below what can be clicked."""
    component = st.components.v2.component("corescore_follow", js=asset("follow.js"))
    component(key="follow", data={"clicks": st.session_state.get("clicks", 0)})
