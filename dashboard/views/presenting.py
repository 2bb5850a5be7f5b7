"""One card on a page: the question first, then what the metrics say; by mouse and by keys.

Which card is shown is the page's own part of the URL. `revealed=yes` shows what a choice would
show, `present=yes` is the presenter mode: large type and nothing beside the card. What was chosen
is kept in the session, so that a link shows the question.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

import streamlit as st

from corescore.plots import pitfall_charts
from corescore.rendering import html as markup
from corescore.rendering import pitfall_cards
from corescore.sentences import markup as marks
from corescore.sentences.names import SIX, subscripted
from corescore.teaching.pitfalls import Pitfall
from corescore.teaching.pitfalls.pitfall import CHOICES, SAME, Scored
from corescore.teaching.pitfalls.tables import score_comparison, truth_table
from corescore.teaching.toy.url import address
from dashboard.components.assets import asset
from dashboard.session.pages import page_named
from dashboard.widgets import downloads as take_along

STATIC = Path(__file__).parents[1] / "static"
YES, REVEAL = "yes", "Reveal"
_CHOSEN = "pitfall_choices"  # by card
_STAGE = "card_stage"  # what a presenter shows at once
_LABELS = {"A": "A is better", "B": "B is better", SAME: "Neither is better"}
_KEYS = {"A": "choose_a", "B": "choose_b", SAME: "choose_same"}
_CHOOSING = "A, B or S (neither is better) chooses; → reveals without a choice"
_GOING = "→ goes on"
_LEAVING = "; Esc leaves"


def is_presenting() -> bool:
    """Whether the URL asks for the presenter mode."""
    return st.query_params.get("present") == YES


def dress() -> None:
    """The styles of the cards and, for a presenter, of a page without a side bar."""
    st.html(STATIC / "pitfalls.css")
    if is_presenting():
        st.html(STATIC / "present.css")


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
    """The buttons that the keys press too, where one is, and what the keys do.

    label  what the button says that goes on; `Reveal` before the card is revealed
    """
    st.button("Back", key="card_back", on_click=back)
    st.button(label, key="card_forward", on_click=forward, type="primary")
    if is_presenting():
        st.button("Leave", key="card_leave", on_click=leave)
    else:
        st.button("Present", key="card_present", on_click=present)
    _listen(place, asks=label == REVEAL)


def _listen(place: str, *, asks: bool) -> None:
    """Let keys press the buttons of the page, and say which from when they work; and let a
    presenter's card fit the window."""
    presents = is_presenting()
    component = st.components.v2.component(
        "corescore_presenter", css=asset("presenter.css"), js=asset("presenter.js")
    )
    keys = _CHOOSING if asks else _GOING
    hint = f"{place}. Keys: {keys}; ← goes back{_LEAVING if presents else ''}."
    fits = f".st-key-{_STAGE}" if presents else ""
    component(key="presenter", data={"hint": hint, "asks": asks, "fits": fits})


# What is chosen and revealed ----------------------------------------------------------------------


def chosen(pitfall: Pitfall) -> str:
    """What was chosen on this card in this session; nothing if nothing was."""
    return str(st.session_state.get(_CHOSEN, {}).get(pitfall.id, ""))


def is_revealed(pitfall: Pitfall) -> bool:
    """Whether something was chosen, or the URL reveals it."""
    return bool(chosen(pitfall)) or st.query_params.get("revealed") == YES


def choose(card: str, choice: str) -> None:
    """Keep a choice."""
    st.session_state[_CHOSEN] = {**st.session_state.get(_CHOSEN, {}), card: choice}


def reveal() -> None:
    """Reveal the card of the page, as a link does."""
    st.query_params["revealed"] = YES


def cover() -> None:
    """Show the question of whatever card comes."""
    st.query_params.pop("revealed", None)


def ask_again(card: str) -> None:
    """Forget what was chosen on a card, and cover it."""
    cover()
    before = st.session_state.get(_CHOSEN, {})
    st.session_state[_CHOSEN] = {name: choice for name, choice in before.items() if name != card}


# The card -----------------------------------------------------------------------------------------


def show_card(pitfall: Pitfall, *, leads_on: str = "") -> None:
    """The question and the outputs; once it is revealed, what the metrics say and what is true.

    leads_on  a sentence that stands below that, if the card is one of several
    """
    revealed = is_revealed(pitfall)
    with st.container(key=_STAGE):
        heading = subscripted(pitfall.title if revealed else pitfall.question)
        st.title(marks.plain(heading), anchor=False)
        question = markup.paragraph(subscripted(pitfall.question), "pit-question")
        sides = pitfall_cards.sides(pitfall, asked=not revealed)
        st.html(f"{question if revealed else ''}{sides}")
        if revealed:
            _show_revealed(pitfall, leads_on)
        else:
            _ask(pitfall)
    if revealed:
        _show_files(pitfall)
        _show_ways_on(pitfall)
        _show_claims(pitfall)


def _ask(pitfall: Pitfall) -> None:
    with st.container(horizontal=True, key="choices"):
        for choice in CHOICES:
            st.button(
                _LABELS[choice],
                key=_KEYS[choice],
                on_click=choose,
                args=(pitfall.id, choice),
            )
    if not is_presenting():
        st.html(markup.paragraph(pitfall_cards.WORDS, "pit-words"))


def _show_revealed(pitfall: Pitfall, leads_on: str) -> None:
    st.html(
        pitfall_cards.answer(pitfall, chosen(pitfall))
        + markup.paragraph(pitfall_cards.finding(pitfall), "headline")
    )
    left, right = st.container(key="card_told").columns([1.6, 1], gap="medium")
    left.html(pitfall_cards.score_table(pitfall))
    right.html(pitfall_cards.truth_rows(pitfall) + pitfall_cards.why(pitfall))
    if leads_on:
        st.html(markup.paragraph(leads_on, "pit-leads"))


def _show_files(pitfall: Pitfall) -> None:
    """Both tables as files, and the first as a chart, under the policies of each."""
    scores = score_comparison(pitfall)
    chart = partial(
        pitfall_charts.comparison,
        scores,
        measure=pitfall.measure,
        title=pitfall.title,
        finding=pitfall_cards.finding(pitfall),
    )
    with st.container(key="card_files", gap=None):
        with st.container(horizontal=True, gap="small"):
            st.html(markup.paragraph("What the metrics say:", "note"), width="content")
            take_along.table(scores, pitfall.signature, "scores", pitfall.id, chart=chart)
        with st.container(horizontal=True, gap="small"):
            st.html(markup.paragraph("The truth:", "note"), width="content")
            truth = truth_table(pitfall)
            take_along.table(truth, pitfall.truth_signature, "truth", pitfall.id)


def _show_ways_on(pitfall: Pitfall) -> None:
    """Into the sandbox, and back to the question."""
    with st.container(horizontal=True, vertical_alignment="center"):
        outputs = [pitfall.case.a] if pitfall.is_one_output else [pitfall.case.a, pitfall.case.b]
        for output in outputs:
            _sandbox_links(pitfall, output)
        st.button("Ask again", key="ask_again", on_click=ask_again, args=(pitfall.id,))


def _show_claims(pitfall: Pitfall) -> None:
    checks = pitfall.checks
    st.subheader(f"Checked: {pitfall_cards.tally(checks)}", anchor=False)
    st.html(pitfall_cards.claim_list(checks))


def _sandbox_links(pitfall: Pitfall, output: Scored) -> None:
    """A way into the sandbox for each document of an output, to the metric that it is about."""
    name = "the output" if pitfall.is_one_output else output.letter
    metric = next((metric for metric in pitfall.misled if metric in SIX), "")
    for number, toy in enumerate(output.toys, 1):
        which = f", document {number}" if len(output.toys) > 1 else ""
        with st.container(key=f"read_{output.letter}_{number}", width="content"):
            st.page_link(
                page_named("sandbox"),
                label=f"Open {name}{which} in the sandbox",
                query_params=kept(parameters(address(toy, metric=metric))),
            )


def parameters(query: str) -> dict[str, str]:
    """The part of a link after "?" as `st.page_link` takes it."""
    return dict(parse_qsl(query, keep_blank_values=True))
