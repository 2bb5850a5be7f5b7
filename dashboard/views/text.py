"""Text: what did it do here?"""

from pathlib import Path

import streamlit as st

from corescore.dashboard import markup, sentences, state

STATIC = Path(__file__).parents[1] / "static"
WINDOW = 1500


@st.cache_data
def asset(name: str) -> str:
    """A file of the page's own script or style."""
    return (STATIC / name).read_text()


def step(by: int, names: list[str]) -> None:
    """Go to another document."""
    at = names.index(st.session_state["document"])
    st.session_state["document"] = names[at + by]
    to_first_part()


def to_first_part() -> None:
    """Begin a document at its beginning."""
    st.session_state["part"] = 1


loaded = state.loaded()
names = [document.name for document in loaded.key]
st.title("What did it do here?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = st.selectbox(
        "Document",
        names,
        key="document",
        bind="query-params",
        persist_state="session",
        on_change=to_first_part,
        width=280,
    )
    at = names.index(name)
    st.button("Previous", on_click=step, args=(-1, names), disabled=at == 0)
    st.button("Next", on_click=step, args=(1, names), disabled=at == len(names) - 1)
    letter = state.choose_letter("Response", loaded)

system = loaded.system(letter)
key, response = state.paired_document(loaded, system, name)
statuses = state.statuses(key, response, system.result.policies)
headline.html(markup.paragraph(sentences.passage_counts(name, system.title, statuses), "headline"))

pages = markup.windows(key, WINDOW)
number = 1
if len(pages) > 1:
    number = st.pagination(len(pages), key="part", bind="query-params")
passage = st.components.v2.component(
    "corescore_passage", css=asset("passage.css"), js=asset("passage.js")
)
passage(
    data=markup.passage(
        key, response, statuses, pages[min(number, len(pages)) - 1], letter=system.letter
    ),
    key="passage",
)
st.html(markup.paragraph(loaded.signature, "signature"))
