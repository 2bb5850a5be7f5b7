"""Pitfalls: where do metrics disagree?"""

import streamlit as st

from corescore.metrics import METRIC_IDS, name_of
from corescore.rendering import classroom
from corescore.rendering.html import paragraph, problem_list
from corescore.sentences.names import subscripted
from corescore.teaching.criteria import GROUPS
from corescore.teaching.own import GROUP as OWN_GROUP
from corescore.teaching.pitfalls import PITFALLS, Pitfall
from dashboard.session import progress
from dashboard.session.cards import own_cards
from dashboard.views.pitfalls import presenting
from dashboard.views.pitfalls.card import show_card
from dashboard.widgets.link_values import switch
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import headline, subtitle, title

CARD, ABOUT = "card", "about"
_GROUPS = (OWN_GROUP, *GROUPS)
EVERY = "all"
FILTERS = (EVERY, *METRIC_IDS, "conll")


def page() -> None:
    """The gallery, or the card that the URL names."""
    presenting.dress()
    _, problems = own_cards()
    if problems:
        st.html(problem_list(problems, kept=False))
    if pitfall := shown():
        show_one(pitfall)
    else:
        show_gallery(st.query_params.get(CARD, ""))
    progress.keep_in_tab()


def open_(name: str) -> None:
    """Go to a card, its question first, or to the gallery with an empty name."""
    presenting.cover()
    if name:
        st.query_params[CARD] = name
    else:
        presenting.leave()
        st.query_params.pop(CARD, None)


def every_card() -> dict[str, Pitfall]:
    """All cards by their ids, those of one's own first."""
    own, _ = own_cards()
    return {pitfall.id: pitfall for pitfall in (*own, *PITFALLS)}


def shown() -> Pitfall | None:
    """The card that the URL names."""
    return every_card().get(st.query_params.get(CARD, ""))


# The callbacks ask which card is shown: of two quick presses of a key, the second may come from a
# button that is about to be redrawn.


def back() -> None:
    """Go to the card before, or out of the first one; a presentation stays on its first."""
    pitfall, ids = shown(), [*every_card()]
    at = ids.index(pitfall.id) if pitfall else 0
    if at or not presenting.is_presenting():
        open_(ids[at - 1] if at else "")


def forward() -> None:
    """Reveal the card, or go to the next one, and from the last to the first."""
    pitfall = shown()
    if pitfall and not presenting.is_revealed(pitfall):
        presenting.reveal(pitfall)
    elif pitfall:
        ids = [*every_card()]
        open_(ids[(ids.index(pitfall.id) + 1) % len(ids)])


def show_one(pitfall: Pitfall) -> None:
    """One card with the way to its neighbours."""
    with st.container(horizontal=True, vertical_alignment="center", key="card_bar"):
        if not presenting.is_presenting():
            st.button("All pitfalls", key="all_pitfalls", on_click=open_, args=("",))
        label = presenting.label_of(pitfall)
        ids = [*every_card()]
        place = f"{pitfall.group}, card {ids.index(pitfall.id) + 1} of {len(ids)}"
        presenting.bar(back, forward, label=label, place=place)
    show_card(pitfall)


def show_gallery(unknown: str) -> None:
    """All cards by group, or those that are about one metric."""
    title("Where do metrics disagree?")
    checks = [check for pitfall in PITFALLS for check in pitfall.checks]
    sentence = (
        f"{len(PITFALLS)} cards, each a tiny key with two responses: choose which is better, by a "
        "criterion that you can change, then see what each metric says. "
        f"{classroom.tally(checks)}, checked just now."
    )
    if unknown:
        sentence = f"There is no card “{unknown}”. These are all. {sentence}"
    headline(sentence)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = switch(
            "Cards about",
            FILTERS,
            default=EVERY,
            format_func=lambda name: "all metrics" if name == EVERY else name_of(name),
            key=ABOUT,
            is_lasting=True,
        )
        st.button("Present all", key="present_all", on_click=present_all)
    fitting = [p for p in every_card().values() if metric in (EVERY, *p.about)]
    with st.container(key="pit_gallery"):
        for group in _GROUPS:
            show_group(group, [pitfall for pitfall in fitting if pitfall.group == group])
    st.html(paragraph(classroom.WORDS, "pit-words"))


def present_all() -> None:
    """Begin the presenter mode with the first card."""
    presenting.present()
    open_(next(iter(every_card())))


def show_group(group: str, pitfalls: list[Pitfall]) -> None:
    """The cards of one group, as many in a row as there is room for."""
    if not pitfalls:
        return
    subtitle(group)
    with st.container(key=f"pit_group_{_GROUPS.index(group)}"):
        for pitfall in pitfalls:
            with st.container(border=True, height="stretch"):
                st.button(
                    plain(subscripted(name_of_card(pitfall))),
                    key=f"card-{pitfall.id}",
                    on_click=open_,
                    args=(pitfall.id,),
                    type="tertiary",
                    width="stretch",
                    wrap=True,
                )
                st.html(classroom.tile(pitfall))


def name_of_card(pitfall: Pitfall) -> str:
    """A question until the card was answered, then what it claims."""
    return pitfall.title if presenting.is_answered(pitfall) else pitfall.question
