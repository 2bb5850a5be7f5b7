"""Cards of one's own, and what a class has done of the cards and of the lesson."""

import json
import os

import streamlit as st

from corescore.corpus.problems import InputError
from corescore.teaching.own import card_of_link, read_cards
from corescore.teaching.pitfalls import Pitfall
from dashboard.components.page import store_in_tab
from dashboard.session.access import CARDS_VARIABLE
from dashboard.session.state import state

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
# The tab keeps it over a reload, under these names.

_DONE, _SEEN = "lesson_done", "pitfalls_seen"


def done() -> frozenset[str]:
    """The ids of the steps that are done."""
    return state.lesson_done


def seen() -> frozenset[str]:
    """The ids of the cards whose answer was shown."""
    return state.pitfalls_seen


def mark(step: str) -> None:
    """A step is done from now on."""
    _keep(done() | {step}, seen())


def turn(step: str) -> None:
    """A step that was not done is, and one that was is not."""
    _keep(done() ^ {step}, seen())


def see(card: str) -> None:
    """The answer of a card was shown."""
    _keep(done(), seen() | {card})


def keep_in_tab() -> None:
    """Let the tab keep all of it, and take up what it has after a reload.

    To be called at the end of every page that shows or changes any of it.
    """
    text = None
    if state.progress_asked and state.progress_changed:  # else what the tab has would be lost
        text = json.dumps({_DONE: sorted(done()), _SEEN: sorted(seen())})
    state.progress_asked = True
    store_in_tab("progress", text, on_stored=_take)


def _keep(now_done: frozenset[str], now_seen: frozenset[str]) -> None:
    if (now_done, now_seen) != (done(), seen()):
        state.lesson_done, state.pitfalls_seen = now_done, now_seen
        state.progress_changed = True


def _take(stored: str) -> None:
    """Add what the tab had to what was done since the reload."""
    kept = json.loads(stored)
    _keep(done() | {*kept.get(_DONE, ())}, seen() | {*kept.get(_SEEN, ())})
    state.progress_changed = True
