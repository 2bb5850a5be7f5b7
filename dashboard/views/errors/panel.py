"""One error: what it is, the passage with both entities, the arithmetic, and what the fix gains."""

from bisect import bisect_right
from functools import partial

import pandas as pd
import streamlit as st

from corescore.corpus.documents import Document
from corescore.rendering.html import Window, render
from corescore.rendering.panels import facts, gains
from corescore.wording import percent
from dashboard.components.passage import mentions
from dashboard.components.passage.component import show_passage
from dashboard.components.passage.mentions import STATUSES, THE_KEY
from dashboard.components.passage.passage import passage
from dashboard.session.loaded import System
from dashboard.views.credit import cached as credit
from dashboard.views.text import cached as text
from dashboard.widgets import selection, text_link

AROUND = 60  # words of the passage on either side of the mention, and up to sentence bounds
MOST_BEFORE = 2 * AROUND
PASSAGE = "error_passage"
LOOKED_AT = "errors_looked_at"  # a row's id, and the mention that is looked at instead of its own
Span = tuple[int, int]


def show_error(system: System, row: pd.Series) -> None:
    """Draw the panel of a row of the error table, with context; select its mention on every
    page."""
    document, span = str(row["document"]), (int(row["start"]), int(row["end"]))
    selection.select_in_document(document, *span)
    status = STATUSES[row["class"]].words
    card = render("errors", "card", words=row["mention"], status=status, facts=[*facts(row)])
    st.html(card + render("errors", "gains", rows=gains(row)))
    _show_links(document, span)
    _show_passage(system, document, span, str(row["id"]))
    _show_arithmetic(system, "recall", document, span)
    if pd.notna(row["response_start"]):
        span = int(row["response_start"]), int(row["response_end"])
        _show_arithmetic(system, "precision", document, span)


def _show_links(document: str, span: Span) -> None:
    with st.container(horizontal=True, key="error_links"):
        for page in ("text", "credit", "entities"):
            name = page.capitalize()
            text_link.link_to(page, name, document, span, key=f"read_error_{page}")


def _show_passage(system: System, document: str, span: Span, row: str) -> None:
    """The text around the mention, or around one of its document that was clicked since."""
    every = text.drawn(system, document)
    key = text.longest_key([system], document)
    of_row, looked_at = st.session_state.get(LOOKED_AT, ("", span))
    selected = mentions.find(every, looked_at if of_row == row else span)
    at = selected.start if selected else span[0]
    values = passage(
        key,
        every,
        every,
        _window(key, at),
        sides=[THE_KEY, system.letter],
        selected=selected,
        walks=False,
    )
    show_passage(values, key=PASSAGE, on_mention=partial(_look_at, row))


def _look_at(row: str) -> None:
    if at := st.session_state[PASSAGE]["chosen"]:
        start, end = map(int, at.split("-"))
        st.session_state[LOOKED_AT] = row, (start, end)


def _window(document: Document, at: int) -> Window:
    """Some words around a place, from the beginning of a sentence if one is near."""
    first = max(0, at - AROUND)
    before = bisect_right(document.sentence_starts, first) - 1
    start = document.sentence_starts[before] if before >= 0 else 0
    n_words = len(document.words)
    return Window(max(start, at - MOST_BEFORE, 0), min(n_words, at + AROUND))


def _show_arithmetic(system: System, side: str, document: str, span: Span) -> None:
    """What each metric gives the mention, where that side has it."""
    where, told = credit.reasons(system, side, document, span)
    if told:
        rows = [(one.metric, percent(one.share), one.sentence) for one in told]
        title = f"Credit towards {side}, percent"
        st.html(render("errors", "arithmetic", title=title, where=where, rows=rows))
