"""Cards one after another, by mouse and by keys: what is selected and revealed, and for whom.

Which card is shown is the page's own part of the URL. `revealed=yes` shows what a choice would
show; `present=yes` is the presenter mode, with large type and nothing beside the card. Choices are
kept in the session only, so that a link shows the question.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from corescore.teaching.pitfalls import Pitfall
from dashboard.components.presenter.component import presenter_keys

HERE = Path(__file__).parent
YES, REVEAL = "yes", "Reveal"
STAGE = "card_stage"  # what a presenter shows at once
_CHOICES = "pitfall_choices"  # by card


def is_presenting() -> bool:
    """Whether the URL asks for the presenter mode."""
    return st.query_params.get("present") == YES


def dress() -> None:
    """The styles of the cards and, for a presenter, of a page without a side bar."""
    st.html(HERE / "pitfalls.css")
    if is_presenting():
        st.html(HERE / "present.css")


def present() -> None:
    """Begin the presenter mode."""
    st.query_params["present"] = YES


def leave() -> None:
    """End the presenter mode."""
    st.query_params.pop("present", None)


def kept(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a link that stays in the presenter mode where that is on."""
    return {**query, "present": YES} if is_presenting() else {**query}


def bar(back: Callable[[], None], forward: Callable[[], None], *, label: str, place: str) -> None:
    """The buttons that the keys press too, and what the keys do.

    label  of the button that goes on: REVEAL before the card is revealed
    place  which card or step this is
    """
    presents, asks = is_presenting(), label == REVEAL
    st.button("Back", key="card_back", on_click=back)
    st.button(label, key="card_forward", on_click=forward, type="primary")
    if presents:
        st.button("Leave", key="card_leave", on_click=leave)
    else:
        st.button("Present", key="card_present", on_click=present)
    keys = "A, B or S (neither is better) selects; → reveals without a choice"
    leaving = "; Esc leaves" if presents else ""
    hint = f"{place}. Keys: {keys if asks else '→ goes on'}; ← goes back{leaving}."
    presenter_keys(hint, asks=asks, fits=f".st-key-{STAGE}" if presents else "")


# What is selected and revealed --------------------------------------------------------------------


def choice_of(card: str) -> str:
    """What was selected on a card in this session; empty if nothing was."""
    return str(st.session_state.get(_CHOICES, {}).get(card, ""))


def choose(card: str, choice: str) -> None:
    """Keep a choice."""
    st.session_state[_CHOICES] = {**st.session_state.get(_CHOICES, {}), card: choice}


def is_revealed(pitfall: Pitfall) -> bool:
    """Whether a choice was made, or the URL reveals the card."""
    return bool(choice_of(pitfall.id)) or st.query_params.get("revealed") == YES


def reveal() -> None:
    """Reveal the card of the page, as a link does."""
    st.query_params["revealed"] = YES


def cover() -> None:
    """Show the question of whatever card comes next."""
    st.query_params.pop("revealed", None)


def ask_again(card: str) -> None:
    """Forget the choice made on a card, and cover it."""
    cover()
    choose(card, "")
