"""Every single move of the response, and the search for a worse response that scores higher."""

import streamlit as st

from corescore.rendering import classroom as toy_html
from corescore.rendering.html import paragraph
from corescore.teaching.exploit import exploit, what_if, what_if_table
from dashboard.views.sandbox import session
from dashboard.widgets.page import note, subtitle
from dashboard.widgets.tables import clicked_cell, download, table

RULE = (
    "Worse by links: no more correct coreference links, no fewer wrong ones, and not as many of "
    "both. A step moves a mention, adds or leaves out one, leaves out an entity, or merges two; "
    "no mention is made up, and every step keeps to the rule. The search looks up to six steps "
    "ahead and follows the eight highest-scoring responses of each step."
)


def show_what_if() -> None:
    """Every single move, ranked; a click applies it."""
    shown = session.current()
    moves = what_if(shown.toy, metric=shown.metric, measure=shown.measure)
    subtitle("What if: every single move")
    said = toy_html.what_if_sentence(moves, shown.metric, shown.measure)
    note(said)
    if not moves:
        return
    number, every = st.column_config.NumberColumn, what_if_table(shown.toy, moves)
    key = f"toy_what_if {shown.query}"  # of this toy only: a row of another is another move

    def apply() -> None:
        if cell := clicked_cell(key):
            session.do(moves[cell[0]].applied)

    table(
        toy_html.what_if_rows(every),
        {
            "move": st.column_config.TextColumn("move", width=180),
            "gain": number("gain", format="%+.2f", width=70, help="points"),
            "score": number("score then", format="%.2f", width=84, help="percent"),
            "right": number("correct", format="%+d", width=70, help="correct links"),
            "wrong": number("wrong", format="%+d", width=70, help="wrong links"),
        },
        key=key,
        most=7,
        on_select=apply,
        alt="Every single move of the response, the greatest gain first.",
    )
    note("Click a row to make the move.")
    download(every, shown.signature, "sandbox", "moves", signed=False)


def show_exploit() -> None:
    """The search for a worse response that scores higher, step by step."""
    shown = session.current()
    subtitle("Exploit: worse by links, scored higher")
    st.button(f"Search for one under {shown.score_name}", on_click=search)
    note(RULE)
    found = shown.exploit
    if found is None:
        return
    said = toy_html.exploit_sentence(found, shown.metric, shown.measure)
    st.html(paragraph(said, "note toy-found"))
    if not found.is_found:
        return
    number = st.column_config.NumberColumn
    key = f"toy_exploit {shown.query}"

    def open_stage() -> None:
        if cell := clicked_cell(key):
            session.open_toy(found.stages[cell[0]].toy)

    table(
        toy_html.exploit_rows(found.table),
        {
            "step": number("step", width=46),
            "done": st.column_config.TextColumn("what is done", width=180),
            "score": number(shown.score_name, format="%.2f", width=86),
            "right": number("correct", width=70, help="correct links"),
            "wrong": number("wrong", width=70, help="wrong links"),
        },
        key=key,
        most=len(found.stages),
        on_select=open_stage,
        alt="The steps from the response searched from to the one found.",
    )
    note("Click a row to open the response of that step.")
    download(found.table, shown.signature, "sandbox", "exploit", signed=False)


def search() -> None:
    """Search from what is shown."""
    shown = session.current()
    session.keep_exploit(exploit(shown.toy, metric=shown.metric, measure=shown.measure))
