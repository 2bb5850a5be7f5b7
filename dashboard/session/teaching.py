"""Cards of one's own, and what a class has done of the cards and of the lesson."""

import json
import os

import streamlit as st

from corescore.corpus.problems import InputError
from corescore.teaching.own import card_of_link, read_cards
from corescore.teaching.pitfalls import Pitfall
from dashboard.components.page import store_in_tab
from dashboard.session.access import CARDS_VARIABLE

# Cards of one's own: those of the command line, and that of a link --------------------------------

MADE = "made"  # the parameter of a link


def own_cards() -> tuple[tuple[Pitfall, ...], list[str]]:
    """The card of the link, if it has one, and those of the files; and what is wrong with them."""
    cards: dict[str, Pitfall] = {}
    problems: list[str] = []
    try:
        if made := st.query_params.get(MADE, ""):
            card = card_of_link(made)
            cards[card.id] = card.pitfall
    except InputError as error:
        problems += str(error).splitlines()
    for path in json.loads(os.environ.get(CARDS_VARIABLE, "[]")):
        try:
            cards |= {card.id: card.pitfall for card in read_cards(path)}
        except InputError as error:
            problems += str(error).splitlines()
    return tuple(cards.values()), problems


# What a class did: cards answered, steps of the lesson done ---------------------------------------
# The tab keeps it over a reload.

_DONE = "lesson_done"  # ids of steps

_SEEN = "pitfalls_seen"  # ids of cards whose answer was shown

_LISTS = (_DONE, _SEEN)

_CHANGED, _ASKED = "progress_changed", "progress_asked"


def done() -> frozenset[str]:
    """The ids of the steps that are done."""
    return frozenset(st.session_state.get(_DONE, ()))


def mark(step: str) -> None:
    """A step is done from now on."""
    _add(_DONE, step)


def turn(step: str) -> None:
    """A step that was not done is, and one that was is not."""
    st.session_state[_DONE] = done() ^ {step}
    st.session_state[_CHANGED] = True


def seen() -> frozenset[str]:
    """The ids of the cards whose answer was shown."""
    return frozenset(st.session_state.get(_SEEN, ()))


def see(card: str) -> None:
    """The answer of a card was shown."""
    _add(_SEEN, card)


def keep_in_tab() -> None:
    """Let the tab keep all of it, and take up what it has after a reload.

    To be called at the end of every page that shows or changes any of it.
    """
    is_asked = st.session_state.get(_ASKED, False)
    st.session_state[_ASKED] = True  # first what the tab has: else it would be lost
    text = json.dumps(_kept()) if is_asked and st.session_state.get(_CHANGED) else None
    store_in_tab("progress", text, on_stored=_take)


def _add(name: str, one: str) -> None:
    before = frozenset(st.session_state.get(name, ()))
    if one not in before:
        st.session_state[name] = before | {one}
        st.session_state[_CHANGED] = True


def _kept() -> dict[str, object]:
    return {name: sorted(st.session_state.get(name, ())) for name in _LISTS}


def _take(stored: str) -> None:
    """Add what the tab had to what was done since the reload."""
    kept = json.loads(stored)
    for name in _LISTS:
        st.session_state[name] = frozenset(st.session_state.get(name, ())) | {*kept.get(name, ())}
    st.session_state[_CHANGED] = True
