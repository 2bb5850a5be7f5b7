"""A card made of what the sandbox shows: A is what it began with, B what it is now."""

import streamlit as st

from corescore.corpus.problems import InputError
from corescore.rendering import classroom as toy_html
from corescore.teaching.criteria import COMMON
from corescore.teaching.own import OwnCard, card_in_link, cards_text, of_toys
from corescore.teaching.toy import Toy
from dashboard.session.cards import MADE
from dashboard.session.pages import page_named
from dashboard.views.pitfalls import presenting
from dashboard.views.sandbox import session
from dashboard.widgets.downloads import offer
from dashboard.widgets.page import note

TEXTS = {
    "question": ("Question", "Both halves, or only one?"),
    "title": ("Title, shown with the answer", "CEAF does not see the second half"),
    "reason": ("Reason", "An entity of the key has one partner."),
}
ABOUT = (
    "A is the response before the first change, or the one you keep as A; B is the response as it "
    "is now. corescore dashboard --cards FILE opens a file of cards."
)
_A = "card_a"  # the toy that is kept as A


def show_maker() -> None:
    """The texts of a card; once all are there, the card as a link and as a file."""
    names = {one.id: one.name for one in COMMON}
    with st.expander("Make a card of this"):
        note(ABOUT)
        st.button("Keep this response as A", on_click=keep_as_a)
        texts = {
            name: st.text_input(label, placeholder=such, key=f"card_{name}")
            for name, (label, such) in TEXTS.items()
        }
        criterion = st.selectbox(
            "Better by", [*names], format_func=names.__getitem__, key="card_criterion"
        )
        if all(text.strip() for text in texts.values()):
            show_made(texts, criterion)
        else:
            note("Fill in question, title and reason.")


def keep_as_a() -> None:
    """B is what follows."""
    st.session_state[_A] = session.current().toy


def show_made(texts: dict[str, str], criterion: str) -> None:
    """The card as a link and as a file, or why it cannot be."""
    history = session.current().history
    kept: Toy | None = st.session_state.get(_A)
    before = kept if kept and kept.key == history.toy.key else history.toys[0]
    try:
        card = of_toys(before, history.toy, texts=texts, criterion=criterion)
    except InputError as error:
        st.html(toy_html.problems(str(error).splitlines(), done=False))
        return
    show_ways(card)


def show_ways(card: OwnCard) -> None:
    """Open it, download it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        query = {MADE: card_in_link(card), "card": card.id}
        page, kept = page_named("pitfalls"), presenting.kept(query)
        st.page_link(page, label="Open the card; its address is the link", query_params=kept)
        offer("Card as a file", lambda: cards_text([card]), "cards.json", "application/json")
