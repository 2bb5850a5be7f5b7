"""Text: what did it do here?"""

import streamlit as st

from corescore.analysis.errors.mentions import MENTION_CLASSES
from corescore.analysis.errors.outcomes import OUTCOMES, outcome_table
from corescore.corpus.english import MENTION_TYPES
from corescore.rendering import html as markup
from corescore.sentences import scores as sentences
from dashboard.components import passages
from dashboard.components.assets import asset
from dashboard.components.passages import STATUSES
from dashboard.session import state
from dashboard.views.two_systems import cached as comparing
from dashboard.widgets import downloads as take_along
from dashboard.widgets import selection

WINDOW = 600
ANY, SELECTED = "any", "the selected one"


def step(by: int, names: list[str]) -> None:
    """Go to another document."""
    at = names.index(st.session_state["document"])
    st.session_state["document"] = names[at + by]
    begin()


def begin() -> None:
    """Begin a document at its beginning, with nothing selected in it."""
    st.session_state["part"] = 1
    st.session_state["within"] = ANY
    selection.clear_mention()


def choose() -> None:
    """Select the mention that was clicked, or none."""
    at = st.session_state["passage"]["chosen"]
    if at:
        start, end = at.split("-")
        selection.select_mention(int(start), int(end))
    else:
        selection.clear_mention()


def go() -> None:
    """Turn to the window with the word that was clicked in the strip."""
    word = st.session_state["passage"]["place"]
    st.session_state["part"] = passages.window_of(pieces, word)


loaded = state.loaded()
names = [document.name for document in loaded.key]
st.title("What did it do here?", anchor=False)
headline = st.container()
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    name = selection.select_document(loaded, on_change=begin)
    at = names.index(name)
    st.button("Previous", on_click=step, args=(-1, names), disabled=at == 0)
    st.button("Next", on_click=step, args=(1, names), disabled=at == len(names) - 1)
    switch = st.container(width="content")
    together = len(loaded.systems) > 1 and st.toggle(
        "A and B on one text", key="together", bind="query-params", persist_state="session"
    )
    with switch:
        letter = selection.select_letter("Response", loaded, disabled=together)

system = loaded.system(letter)
key, _ = state.paired_document(loaded, system, name)
tables = [state.mentions(of) for of in (loaded.systems if together else [system])]
here = [table[table["document"] == name] for table in tables]
if together:
    table = outcome_table(here[0], here[1])
    every, sides = passages.of_two_systems(table), [passages.THE_KEY, "A", "B"]
    sentence = sentences.outcome_counts(
        name, (loaded.systems[0].title, loaded.systems[1].title), table["outcome"]
    )
else:
    every, sides = state.drawn(system, name), [passages.THE_KEY, letter]
    sentence = sentences.passage_counts(name, system.title, here[0]["class"])
headline.html(markup.paragraph(sentence, "headline"))
chosen = passages.find(every, selection.selected_mention())

kinds: dict[str, tuple[str, ...]] = {
    STATUSES[kind].words: (kind,) for kind in (OUTCOMES if together else MENTION_CLASSES)
}
if together:
    kinds["where they differ"] = passages.DIFFERENCES
entities = {title: number for number, title in passages.entity_names(key, every).items()}
with controls.popover("Filters"):
    box = "only_outcomes" if together else "only"
    selection.rename_in_url(box, "right", "correct")
    only = st.pills(
        "Show only mentions that are",
        list(kinds),
        selection_mode="multi",
        key=box,
        bind="query-params",
        persist_state="session",
    )
    type_ = st.pills(
        "of the type",
        MENTION_TYPES[:-1],
        key="mention_type",
        bind="query-params",
        persist_state="session",
    )
    # The options are names, which the URL has as well: number and words fit one document only.
    within = st.selectbox(
        "in the entity",
        [ANY, SELECTED, *entities],
        key="within",
        bind="query-params",
        persist_state="session",
    )

shown = passages.kept(
    every,
    kinds=[kind for words in only for kind in kinds[words]],
    type_=type_,
    entity=entities.get(within),
    chosen=chosen,
    of_chosen=within == SELECTED,
)
if len(shown) < len(every):
    st.html(markup.paragraph(sentences.filtered(len(shown), len(every)), "note"))

pieces = markup.windows(key, WINDOW)
if chosen and st.session_state.get("turned_to") != (name, chosen.at):
    st.session_state["part"] = passages.window_of(pieces, chosen.start)
st.session_state["turned_to"] = chosen and (name, chosen.at)
told, side = {}, "recall"
if together and chosen:
    side = "recall" if chosen.entities[passages.KEY] else "precision"
    told = comparing.explained(loaded, name, (chosen.start, chosen.end), side=side)
above = st.container()
number = 1
if len(pieces) > 1:
    number = st.pagination(len(pieces), key="part", bind="query-params")
passage = st.components.v2.component(
    "corescore_passage", css=asset("passage.css"), js=asset("passage.js")
)
with above:
    passage(
        data=passages.passage(
            key,
            every,
            shown,
            pieces[min(number, len(pieces)) - 1],
            sides=sides,
            chosen=chosen,
            credit=told,
        ),
        key="passage",
        on_chosen_change=choose,
        on_place_change=go,
    )
if told and chosen:
    words = " ".join(key.words[chosen.start : chosen.end])
    having = [letter for letter in told if told[letter]]
    st.html(
        markup.paragraph(sentences.given(words, side, having), "headline")
        + markup.credit_rows(told)
    )
of = [s.name for s in loaded.systems] if together else [system.name]
take_along.table(table if together else here[0], loaded.signature, "mentions", name, *of)
