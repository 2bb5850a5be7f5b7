"""Text: what did it do here?"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.errors.mentions import (
    DUPLICATED,
    MENTION_CLASSES,
    MISSING,
    SPAN_ERROR,
    SPURIOUS,
)
from corescore.analysis.errors.outcomes import OUTCOMES
from corescore.corpus.documents import Document
from corescore.corpus.english import MENTION_TYPES
from corescore.rendering import html as markup
from corescore.rendering.html import Window
from corescore.sentences import credit as sentences
from corescore.sentences import matching
from dashboard.components.passage import mentions
from dashboard.components.passage.component import show_passage
from dashboard.components.passage.mentions import STATUSES, THE_KEY, Drawn
from dashboard.components.passage.passage import passage
from dashboard.session import analyses, scoring
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.views.text import cached
from dashboard.widgets import selection
from dashboard.widgets.page import headline, note, title
from dashboard.widgets.tables import download

WINDOW = 600  # words
ANY, SELECTED = "any", "the selected one"


@dataclass(frozen=True)
class Reading:
    """A document as it is read: with one response to it, or with A and B.

    table    of `mention_table` or `outcome_table`, the rows of the document
    every    all mentions that can be drawn
    sides    the names of the sides
    summary  what became of the mentions, in a sentence
    """

    loaded: Loaded
    systems: Sequence[System]
    key: Document
    table: pd.DataFrame
    every: Sequence[Drawn]
    sides: Sequence[str]
    summary: str

    @property
    def together(self) -> bool:
        """Whether A and B are read on one text."""
        return len(self.systems) > 1


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = title("What did it do here?")
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        document = _select_document(loaded)
        reading = _reading(loaded, document, _select_systems(loaded))
    with head:
        headline(reading.summary)
    selected = mentions.find(reading.every, selection.selected_mention())
    shown = _filtered(reading, selected, controls)
    if len(shown) < len(reading.every):
        note(sentences.filtered(len(shown), len(reading.every)))
    _show_passage(reading, shown, selected)
    if reading.together and selected:
        _show_credit(reading, selected)
    elif not reading.together:
        _show_match(reading, selected)
    names = [system.name for system in reading.systems]
    download(reading.table, loaded.signature, "mentions", document, *names)


# What is read -------------------------------------------------------------------------------------


def _select_document(loaded: Loaded) -> str:
    name = selection.select_document(loaded, on_change=_begin)
    names = selection.document_names(loaded)
    at = names.index(name)
    for label, by, last in (("Previous", -1, 0), ("Next", 1, len(names) - 1)):
        st.button(label, on_click=_step, args=(by, names), disabled=at == last)
    return name


def _step(by: int, names: Sequence[str]) -> None:
    at = names.index(st.session_state["document"])
    selection.go_to_document(names[at + by])
    _begin()


def _begin() -> None:
    """Begin a document at its beginning, with nothing selected in it."""
    st.session_state["part"] = 1
    st.session_state["within"] = ANY
    selection.clear_mention()


def _select_systems(loaded: Loaded) -> Sequence[System]:
    switch = st.container(width="content")
    together = len(loaded.systems) > 1 and st.toggle(
        "A and B on one text", key="together", bind="query-params", persist_state="session"
    )
    with switch:
        letter = selection.select_letter("Response", loaded, disabled=together)
    return loaded.systems if together else [loaded.system(letter)]


def _reading(loaded: Loaded, document: str, systems: Sequence[System]) -> Reading:
    first, *others = systems
    key = cached.longest_key(systems, document)
    if not others:
        table = analyses.mentions(first)
        here = table[table["document"] == document]
        summary = sentences.counts(document, first.title, here["class"])
        every, sides = cached.drawn(first, document), [THE_KEY, first.letter]
        return Reading(loaded, systems, key, here, every, sides, summary)
    table, every = cached.drawn_together(loaded, document)
    titles = first.title, others[0].title
    summary = sentences.outcomes(document, titles, table["outcome"])
    return Reading(loaded, systems, key, table, every, [THE_KEY, "A", "B"], summary)


# Filters ------------------------------------------------------------------------------------------


def _filtered(
    reading: Reading, selected: Drawn | None, controls: DeltaGenerator
) -> Sequence[Drawn]:
    """The mentions that pass the filters, which are drawn in a popover."""
    statuses = OUTCOMES if reading.together else MENTION_CLASSES
    kinds: dict[str, tuple[str, ...]] = {STATUSES[kind].words: (kind,) for kind in statuses}
    if reading.together:
        kinds["where they differ"] = mentions.DIFFERENCES
    entities = cached.entity_names(reading.systems[0], reading.key.name)
    box = "only_outcomes" if reading.together else "only"
    selection.rename_in_url(box, "right", "correct")
    with controls.popover("Filters"):
        only, type_, within = _filters(list(kinds), list(entities), key=box)
    return mentions.kept(
        reading.every,
        kinds=[kind for words in only for kind in kinds[words]],
        type_=type_,
        entity=entities.get(within),
        selected=selected,
        of_selected=within == SELECTED,
    )


def _filters(
    kinds: list[str], entities: list[str], *, key: str
) -> tuple[list[str], str | None, str]:
    """The boxes: kinds of mentions, a type, and an entity."""
    only = st.pills(
        "Show only mentions that are",
        kinds,
        selection_mode="multi",
        key=key,
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
    if len(entities) == cached.MOST_NAMES:
        st.caption(
            f"The {cached.MOST_NAMES:,} largest entities are listed. For another, select a mention "
            f"of it in the text and choose “{SELECTED}”."
        )
    return only, type_, within


# The passage --------------------------------------------------------------------------------------


def _show_passage(reading: Reading, shown: Sequence[Drawn], selected: Drawn | None) -> None:
    windows = markup.windows(reading.key, WINDOW)
    _turn_to(reading.key.name, selected, windows)
    above, number = st.container(), 1
    if len(windows) > 1:
        number = st.pagination(len(windows), key="part", bind="query-params")
    shown_window = windows[min(number, len(windows)) - 1]
    with above:
        show_passage(
            passage(
                reading.key,
                reading.every,
                shown,
                shown_window,
                sides=reading.sides,
                selected=selected,
                credit=_credit(reading, selected)[1],
            ),
            key="passage",
            on_mention=_take_mention,
            on_place=lambda: _take_place(windows),
        )


def _show_match(reading: Reading, selected: Drawn | None) -> None:
    """How many mentions match with other words, and with which the selected one matches."""
    system, table = reading.systems[0], reading.table
    is_shared = ~table["class"].isin([SPAN_ERROR, MISSING, SPURIOUS, DUPLICATED])
    is_other = is_shared & mentions.has_two_spans(table)
    match = system.result.policies.match
    if said := matching.other_spans(int(is_other.sum()), match):
        note(said)
    if selected is None or (match == "exact" and not is_other.any()):
        return
    response = scoring.scored_response(system, reading.key.name)
    for at in table.index[is_shared & mentions.has_span(table, selected.start, selected.end)]:
        key_words, *span = table.loc[at, ["mention", "response_start", "response_end"]]
        words = response.text_at(*map(int, span))
        headline(matching.matched(key_words, words, match, same_span=not is_other[at]))


def _turn_to(document: str, selected: Drawn | None, windows: Sequence[Window]) -> None:
    """Turn to the window of a mention that was selected since the last run."""
    place = selected and (document, selected.at)
    if selected and st.session_state.get("turned_to") != place:
        st.session_state["part"] = mentions.window_of(windows, selected.start)
    st.session_state["turned_to"] = place


def _take_mention() -> None:
    """Select the mention that was clicked, or none."""
    at = st.session_state["passage"]["chosen"]
    if at:
        start, end = at.split("-")
        selection.select_mention(int(start), int(end))
    else:
        selection.clear_mention()


def _take_place(windows: Sequence[Window]) -> None:
    """Turn to the window with the word that was clicked in the strip."""
    word = st.session_state["passage"]["place"]
    st.session_state["part"] = mentions.window_of(windows, word)


def _credit(reading: Reading, selected: Drawn | None) -> tuple[str, cached.Explained]:
    """Towards what A and B earn by the selected mention, and what each metric gives them."""
    if not (reading.together and selected):
        return "recall", {}
    side = "recall" if selected.entities[mentions.KEY] else "precision"
    span = selected.start, selected.end
    return side, cached.explained(reading.loaded, reading.key.name, span, side=side)


def _show_credit(reading: Reading, selected: Drawn) -> None:
    side, told = _credit(reading, selected)
    words = reading.key.text(selected.mention)
    headline(sentences.given(words, side, [letter for letter in told if told[letter]]))
    st.html(markup.credit_rows(told))
