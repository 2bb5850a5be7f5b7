"""The head of a page, and its paragraphs."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.rendering import html as markup
from corescore.wording import counted, unbroken
from dashboard.components.page import copy_button
from dashboard.session.state import Slot, State

# A button that downloads a file -------------------------------------------------------------------


def offer(label: str, write: Callable[[], str | bytes], name: str, mime: str | None = None) -> None:
    """A button that downloads what `write` makes when it is clicked.

    Of a file that is there at once the browser asks as soon as it sees the button, and is refused
    where the page has been drawn anew in between.
    """
    st.download_button(label, write, file_name=name, mime=mime, on_click="ignore")


MOST_WARNINGS = 100


def title(words: str) -> DeltaGenerator:
    """The title of what a page shows, such as a card's; the place below it, for the headline."""
    if place := _state.place_of_answer:
        place.empty()  # at once: the question of a page that was left may be there
    st.title(words, anchor=False)
    return st.container(key="head")


class _State(State):
    """Where the answer to the question of the page is drawn, beside its name."""

    place_of_answer = Slot[DeltaGenerator | None](None)


_state = _State()


def keep_place_of_answer() -> None:
    """Keep the place beside the name of the page, for the answer to its question."""
    _state.place_of_answer = st.container(key="answer")


def question(words: str) -> DeltaGenerator:
    """The question of a page, which is only read out where there is an answer; the place of that,
    beside the page's name."""
    place = _state.place_of_answer or st.container()
    place.title(words, anchor=False)
    return place


def tools() -> DeltaGenerator:
    """The line of what the page is set by: document, order, paging, mode."""
    return side_by_side("center", key="tools", gap="xsmall")


def side_by_side(align: Literal["bottom", "center"] = "bottom", **looks: Any) -> DeltaGenerator:
    """A line of widgets, at the level of their lower ends or of their middles."""
    return st.container(horizontal=True, vertical_alignment=align, **looks)


def subtitle(text: str) -> DeltaGenerator:
    """The title of a part of the page; the place below it, for its headline."""
    st.header(text, anchor=False)  # <h2>: the next below the title
    return st.container()


def say(text: str, style: str) -> None:
    """A paragraph of the page in a style."""
    st.html(markup.paragraph(text, style))


def headline(text: str) -> None:
    """What a page, chart or table shows, in a sentence."""
    st.html(markup.headline(text))


def note(text: str) -> None:
    """A remark in small print."""
    st.html(markup.note(text))


def caution(text: str) -> None:
    """What weakens the numbers shown."""
    say(text, "caution")


def fold(
    label: str, show: Callable[[], object], *, key: str, is_open: bool = False, **looks: Any
) -> bool:
    """A box whose contents are made when it is opened; whether it is open."""
    box = st.expander(label, expanded=is_open, key=key, on_change="rerun", **looks)
    if box.open:
        with box:
            show()
    return bool(box.open)


def show_warnings(warnings: Sequence[str], *, about: str, is_open: bool) -> None:
    """What was noticed when something was read and scored."""
    if warnings:
        label = f"{counted(len(warnings), 'warning')} about {about}"
        with st.expander(label, expanded=is_open):
            st.html(markup.warning_list(warnings[:MOST_WARNINGS]))
            if len(warnings) > MOST_WARNINGS:
                note(f"These are the first {MOST_WARNINGS} of {len(warnings):,}; the file has all.")
                write = "\n".join(warnings).encode
                offer(f"Download all warnings about {about}", write, "warnings.txt")


def signature_to_copy(text: str, *, key: str, about: str = "") -> None:
    """The line that names the policies, with a button that copies it; a page says it once.

    key    unique on the page
    about  what it is of, in words, on a page that has two of them
    """
    with st.container(key=f"signed-{key}", horizontal=True, gap="small"):
        show_signature(text, key=key, about=about)


def show_signature(text: str, *, key: str, about: str) -> None:
    """The same, in a horizontal container of the caller's."""
    if about:
        st.html(markup.note(about), width="content")
    st.html(markup.signature(text), width="content")
    copy_button("Copy", key=f"copy {key}", text=text)


# Text for labels that Streamlit reads as Markdown -------------------------------------------------


def plain(text: str) -> str:
    """The text with nothing in it that Markdown would read as a mark, and its numbers unbroken."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", unbroken(text))


# A button for what the page does where it stands, such as making a file ---------------------------


def clicked(
    label: str,
    *,
    key: str,
    help: str | None = None,
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
    disabled: bool = False,
) -> bool:
    """A button; whether it was clicked.

    The value of `st.button` is lost where the run that the click begins ends above the button, for
    another one: a click that follows at once does that, and so does `st.rerun`.
    """
    st.button(label, key=key, help=help, type=type, disabled=disabled, on_click=_note, args=(key,))
    if _state.clicked_button != key:
        return False
    _state.clicked_button = ""
    return True


def _note(key: str) -> None:
    _state.clicked_button = key
