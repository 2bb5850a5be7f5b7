"""Cards of one's own: those of the command line, and that of a link."""

import json
import os

import streamlit as st

from corescore.corpus.problems import InputError
from corescore.teaching.own import card_of_link, read_cards
from corescore.teaching.pitfalls import Pitfall
from dashboard.session.given import CARDS_VARIABLE

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
