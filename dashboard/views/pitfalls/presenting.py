"""Cards one after another, by mouse and by keys: what is selected and revealed, and for whom.

Which card is shown is the page's own part of the URL. A card is revealed in stages:
`revealed=marks` (what of A and B agrees with the key), `metric` (what one metric says) and `yes`
(all of it). `criterion=` is the one by which it is judged, and `present=yes` the presenter mode,
with large type and nothing beside the card. Choices are kept in the session only, so that a link
shows the question.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from corescore.rendering.html import STYLES
from corescore.teaching.pitfalls import Pitfall
from dashboard.components.presenter.component import presenter_keys
from dashboard.session import progress

HERE = Path(__file__).parent
YES, REVEAL = "yes", "Reveal"
QUESTION, MARKED, ONE_METRIC, ALL = STAGES = ("", "marks", "metric", YES)
LABELS = {QUESTION: REVEAL, MARKED: "Ask one metric", ONE_METRIC: "Ask all metrics"}
CRITERION = "criterion"
STAGE = "card_stage"  # what a presenter shows at once
_CHOICES = "pitfall_choices"  # by card
_AFTER_CHOICE = "pitfall_stages"  # by card: what was revealed after a choice


def is_presenting() -> bool:
    """Whether the URL asks for the presenter mode."""
    return st.query_params.get("present") == YES


def dress() -> None:
    """The styles of the cards and, for a presenter, of a page without a side bar."""
    st.html(STYLES / "pitfalls.css")
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


def stage_of(pitfall: Pitfall) -> str:
    """How much of a card is revealed, one of STAGES: by the URL, or by a choice and after it."""
    in_url = st.query_params.get("revealed", QUESTION)
    after = st.session_state.get(_AFTER_CHOICE, {}).get(pitfall.id, MARKED)
    chosen = after if choice_of(pitfall.id) else QUESTION
    return max(in_url if in_url in STAGES else QUESTION, chosen, key=STAGES.index)


def is_revealed(pitfall: Pitfall) -> bool:
    """Whether all of a card is revealed."""
    return stage_of(pitfall) == ALL


def is_answered(pitfall: Pitfall) -> bool:
    """Whether a choice was made, or the answer was shown."""
    return bool(choice_of(pitfall.id)) or pitfall.id in progress.seen()


def label_of(pitfall: Pitfall) -> str:
    """What the button that goes on does next to a card; "Next" if all of it is revealed."""
    return LABELS.get(stage_of(pitfall), "Next")


def reveal(pitfall: Pitfall) -> None:
    """Reveal the next stage of the card of the page: as a link does, but after a choice for this
    session only."""
    stage = STAGES[STAGES.index(stage_of(pitfall)) + 1]
    if choice_of(pitfall.id):
        _go_on(pitfall.id, stage)
    else:
        st.query_params["revealed"] = stage


def _go_on(card: str, stage: str) -> None:
    st.session_state[_AFTER_CHOICE] = {**st.session_state.get(_AFTER_CHOICE, {}), card: stage}


def cover() -> None:
    """Show the question of whatever card comes next, judged by its own criterion."""
    st.query_params.pop("revealed", None)
    st.query_params.pop(CRITERION, None)


def judged(pitfall: Pitfall) -> Pitfall:
    """The card by the criterion of the URL; by its own if that is none of the card's."""
    return pitfall.by(st.query_params.get(CRITERION, ""))


def ask_again(card: str) -> None:
    """Forget the choice made on a card, and cover it."""
    cover()
    choose(card, "")
    _go_on(card, MARKED)
