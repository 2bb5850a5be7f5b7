"""The components: how one is drawn, with its scripts and styles, and those that most pages have."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import streamlit as st

from corescore.rendering.html import STYLES, Window

_HERE = Path(__file__).parent


@st.cache_data
def script(*names: str) -> str:
    """The scripts of a component as one module, after the helpers that all of them share."""
    return "".join((_HERE / name).read_text(encoding="utf-8") for name in ("dom.js", *names))


@st.cache_data
def style(*names: str) -> str:
    """The styles of a component one after the other, its own or those that pages and reports
    share."""
    places = ((_HERE / name, STYLES / name) for name in names)
    paths = (next(path for path in both if path.is_file()) for both in places)
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def id_of(key: str) -> str:
    """The id of a component that is called so: Streamlit takes no underscores at the ends and no
    two of them together, which names of files and documents may have."""
    return sha256(key.encode()).hexdigest()


def draw(
    name: str,
    *scripts: str,
    key: str,
    css: Sequence[str] = (),
    data: object = None,
    **on: Callable[[Any], None],
) -> None:
    """Draw a component.

    scripts  by default the one that is called as the component is
    on       by values of the component: what is called with the value when it changes
    """
    js, styles = script(*(scripts or [f"{name}/{name}.js"])), style(*css)
    component = st.components.v2.component(f"corescore_{name}", css=styles or None, js=js)
    changed: dict[str, Any] = {
        f"on_{name}_change": partial(_hand_over, key, name, on[name]) for name in on
    }
    component(key=key, data=data, **changed)


def value_of(key: str, name: str) -> Any:
    """A value that a component has reported; None if it has not."""
    return st.session_state[key].get(name)


def _hand_over(key: str, name: str, take: Callable[[Any], None]) -> None:
    take(value_of(key, name))


# The strip of a document: how many errors, or other stops, each stretch of it has -----------------

STRETCHES = 150  # of a document, at most


@dataclass(frozen=True)
class Strip:
    """The whole document as a row of bars: how many stops of the next-error key each has.

    words, width  of the document, and of each bar
    window        the first word that is shown, and the first after it
    """

    words: int
    width: int
    counts: list[int]
    window: tuple[int, int]


def strip(n_words: int, stops: Iterable[int], window: Window) -> Strip:
    """The strip of a document of `n_words` words; `stops`: the words where its stops start."""
    width = max(1, -(-n_words // STRETCHES))
    counts = [0] * -(-n_words // width)
    for start in stops:
        counts[start // width] += 1
    return Strip(n_words, width, counts, (window.start, window.end))


# The camera of charts saves them dark on white, with their font -----------------------------------


def save_on_paper() -> None:
    """Have the camera of every chart save it as it would stand on paper; to be called once on every
    page."""
    draw("camera", key="camera")


# Buttons that copy: the URL of the page, with all selections in it, or a line of text -------------


def copy_button(label: str, *, key: str, text: str = "") -> None:
    """A button that copies the URL of the page or, smaller, a text."""
    data = {"label": label, "text": text}
    draw("copy_link", key=id_of(key), css=["copy_link/copy_link.css"], data=data)


# Numbers on a page that lead to the errors they count, and clicks on a row or a point -------------


def follow_link(clicks: int, url: str) -> None:
    """Follow the links of the class "rows" within the session; once the number of clicks has grown
    `url` or, if it is empty, the link in the container "read"; to be called once on every page."""
    draw("follow", key="follow", data={"clicks": clicks, "url": url})


# One entry of the browser's history for each page that somebody went to, and names that are too
# long for their box


def keep_history() -> None:
    """Leave out the entries that Streamlit adds of itself, and show the whole selection of every
    box on hover; to be called once on every page."""
    draw("history", key="history")


# A text in the storage of the browser's tab, which outlives a reload ------------------------------


def store_in_tab(name: str, text: str | None, *, on_stored: Callable[[str], None]) -> None:
    """Store a text under a name, or remove what is stored if it is empty; where there is none yet,
    hand over that of the tab.

    on_stored  called with the text that the tab has
    """
    data = {"name": name, "text": text}
    draw("tab_store", key=id_of(f"store of {name}"), data=data, stored=on_stored)


# Keys that press the buttons of a page with cards, and a card that fits a presenter's window ------

_times = count()  # of drawing it, so that it is told of each time


def presenter_keys(hint: str, *, asks: bool, fits: str) -> None:
    """Listen to the keys, and say which there are.

    asks  whether there is, or soon will be, something to choose on the page
    fits  a CSS selector of what has to fit the window; none if empty
    """
    data = {"hint": hint, "asks": asks, "fits": fits, "times": next(_times)}
    draw("presenter", key="presenter", css=["presenter/presenter.css"], data=data)
