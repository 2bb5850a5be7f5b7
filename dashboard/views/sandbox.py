"""Sandbox: what if I move this mention?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from corescore.corpus.problems import InputError, Problem
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, metric_of, name_of
from corescore.plots.scores import scores_of_toy
from corescore.rendering import classroom as toy_html
from corescore.teaching import toy as edits
from corescore.teaching.criteria import COMMON
from corescore.teaching.examples import EXAMPLES, file_text
from corescore.teaching.exercises import LESSON
from corescore.teaching.moves import what_if, what_if_table
from corescore.teaching.own import card_in_link, cards_text, of_toys
from corescore.teaching.toy import Toy
from corescore.wording import RATIOS
from dashboard.components.sandbox import boxes_of, sandbox_boxes
from dashboard.session import teaching
from dashboard.session.teaching import MADE
from dashboard.views import pitfalls, sandbox_session
from dashboard.views.sandbox_session import EXAMPLE, KEY, MEASURE, METRIC, RESPONSE, SENTENCE
from dashboard.widgets.links import link_to_view
from dashboard.widgets.page import note, offer, question, say, side_by_side, subtitle
from dashboard.widgets.tables import clicked_cell, columns, download, table

# A card made of what the sandbox shows: A is what it began with, B what it is now -----------------

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
            # The card as a link and as a file, or why it cannot be.
            history = sandbox_session.current().history
            kept: Toy | None = st.session_state.get(_A)
            before = kept if kept and kept.key == history.toy.key else history.toys[0]
            try:
                card = of_toys(before, history.toy, texts=texts, criterion=criterion)
            except InputError as error:
                st.html(toy_html.problems(str(error).splitlines(), done=False))
                return
            with side_by_side("center"):
                query = {MADE: card_in_link(card), "card": card.id}
                link_to_view("lesson", "Open the card to copy its link", **pitfalls.kept(query))
                offer(
                    "Card as a file", lambda: cards_text([card]), "cards.json", "application/json"
                )
        else:
            note("Fill in question, title and reason.")


def keep_as_a() -> None:
    """B is what follows."""
    st.session_state[_A] = sandbox_session.current().toy


# Every single move of the response, and the search for a worse response that scores higher --------


def show_what_if() -> None:
    """Every single move, ranked; a click applies it."""
    shown = sandbox_session.current()
    moves = what_if(shown.toy, metric=shown.metric, measure=shown.measure)
    subtitle("What if: every single move")
    note(toy_html.what_if_sentence(moves, shown.metric, shown.measure))
    if not moves:
        return
    every = what_if_table(shown.toy, moves)
    key = f"toy_what_if {shown.query}"  # of this toy only: a row of another is another move

    def apply() -> None:
        if cell := clicked_cell(key):
            sandbox_session.do(moves[cell[0]].applied)

    table(
        toy_html.what_if_rows(every),
        columns("moves"),
        key=key,
        most=7,
        on_select=apply,
        alt="Every single move of the response, the greatest gain first.",
    )
    note("Click a row to make the move.")
    download(every, shown.signature, "sandbox", "moves")


# The edits that sandbox.js reports, taken over one after another ----------------------------------
# Each has a number. One may be reported several times, until the browser knows that it was taken
# over, and may have been made before the one ahead of it was drawn.


def take(reported: Sequence[Mapping[str, Any]]) -> None:
    """Apply the edits that are new, in order; say why where one cannot be."""
    problems: list[str] = []
    for edit in reported:
        number = int(edit["number"])
        if number <= sandbox_session.current().taken:
            continue
        sandbox_session.do(partial(_edited, edit))
        problems += sandbox_session.current().problems
        sandbox_session.keep(replace(sandbox_session.current(), taken=number))
    if problems:
        shown = sandbox_session.current()
        sandbox_session.keep(replace(shown, problems=tuple(problems), wrong="edit"))


def _edited(edit: Mapping[str, Any], toy: Toy) -> Toy:
    side = edit["side"]

    def place(name: str) -> int:
        # The position of the entity that has most of these mentions.
        mentions = edit[name]
        entities = toy.key if side == "key" else toy.response
        shared = [len(set(entity) & set(mentions)) for entity in entities]
        if not any(shared):
            gone = f"the entity {', '.join(mentions)[:40]}"
            advice = "Choose another."
            raise InputError([Problem("the toy", 0, gone, "one that is still there", advice)])
        return shared.index(max(shared))

    match edit["do"]:
        case "move":
            is_entity = not isinstance(edit["to"], str)
            to = place("to") if is_entity else edit["to"]
            return edits.move(toy, edit["mention"], to, side=side)
        case "merge":
            return edits.merge(toy, place("into"), place("entity"), side=side)
        case "split":
            return edits.split(toy, place("entity"), side=side)
        case _:
            return edits.drop(toy, place("entity"), side=side)


STYLE = Path(__file__).with_name("sandbox_page.css")

BOXES = "toy_boxes"

FORMATS = {"conll": "CoNLL", "notation": "notation"}

SCALE = (
    "Percent. The small number is the change by the last move, and the dashed bar is F1 before it."
)

EDITS = {
    "Add a spurious one": edits.add_spurious,
    "Swap sides": edits.swap,
    "All singletons": edits.all_singletons,
    "One entity": edits.one_entity,
}


def page() -> None:
    """A toy that can be edited, with its scores."""
    question("What if I move this mention?")
    sandbox_session.enter()
    pitfalls.dress()
    with st.container(key="sandbox"):
        st.html(STYLE)
        show()
    teaching.keep_in_tab()


@st.fragment
def show() -> None:
    """The page without its title: only this is drawn again after an edit."""
    sandbox_session.write_url()
    show_buttons()
    presents = pitfalls.is_presenting()
    if not presents:
        show_exercise()
    show_problems(typed=False)
    boxes, scores = st.columns([6, 5], gap="medium")
    with boxes:
        shown = sandbox_session.current()
        news = toy_html.headline(shown.toy, shown.history.before)
        drawn = boxes_of(shown.toy, news=news, taken=shown.taken, is_dense=presents)
        sandbox_boxes(drawn, key=BOXES, on_edits=take_edits)
    with scores:
        if presents:
            show_exercise()
        # The six scores, and what the last change did to them.
        history = sandbox_session.current().history
        say(toy_html.headline(history.toy, history.before), "headline toy-headline")
        st.html(toy_html.scores(history.toy, history.before))
        if presents:
            return
        note(SCALE)
        download(
            history.toy.result.table.reset_index(),
            history.toy.result.signature,
            "sandbox",
            "scores",
            chart=lambda: scores_of_toy(history),
            signed=True,
        )
    # Key, response and sentence as text.
    texts = {
        KEY: ("Key as text", "Entities in braces: {abc}{d}, or {a1 a2} {b} for longer names."),
        RESPONSE: (
            "Response as text",
            "Entities in braces, like the key. If key or response has names of several letters, "
            "{abc} is one mention: write {a b c}.",
        ),
        SENTENCE: (
            "Sentence",
            "Mentions in brackets, each after its name: [a Mia] lost [b [a2 her] keys].",
        ),
    }
    # In every run: the browser may draw boxes whose values it was never sent.
    st.session_state.update(sandbox_session.current().texts)
    for column, (name, (label, about)) in zip(st.columns([3, 3, 4]), texts.items(), strict=True):
        column.text_input(
            label, key=name, help=about, on_change=sandbox_session.take_text, args=(name,)
        )
    show_problems(typed=True)
    show_arithmetic()
    show_what_if()
    with st.expander("Download"):
        show_files()
    show_maker()


def take_edits() -> None:
    """Take over the edits made in the boxes."""
    if edits_made := st.session_state[BOXES].edits:
        take(edits_made)


def undo() -> None:
    """Undo the last edit; one that is reported at the same time was made before."""
    take_edits()
    sandbox_session.undo()


# Buttons and exercise -----------------------------------------------------------------------------


def show_buttons() -> None:
    """Examples, undo and redo, and the edits of the whole response; for a presenter what leads
    back, too, and no more than that."""
    shown, presents = sandbox_session.current(), pitfalls.is_presenting()
    with side_by_side("center", gap="small"):
        if not presents:
            st.selectbox(
                "Example",
                [example.name for example in EXAMPLES],
                index=None,
                key=EXAMPLE,
                placeholder="Examples",
                on_change=sandbox_session.take_example,
                label_visibility="collapsed",
                width=240,
            )
        st.button("Undo", on_click=undo, disabled=not shown.history.can_undo)
        st.button("Redo", on_click=sandbox_session.redo, disabled=not shown.history.can_redo)
        if presents:
            show_ways_back()
            st.button("Leave the presentation", on_click=pitfalls.leave)
            return
        for label, edit in EDITS.items():
            st.button(label, on_click=sandbox_session.do, args=(edit,))
        random = partial(edits.random_response, rng=np.random.default_rng())
        st.button("Random", on_click=sandbox_session.do, args=(random,))


def show_exercise() -> None:
    """The goal of the exercise, if there is one."""
    shown = sandbox_session.current()
    exercise = shown.exercise
    if exercise is None:
        return
    if exercise.progress(shown.toy)[0]:
        teaching.mark(exercise.id)
    with side_by_side("center", wrap=False):
        st.html(toy_html.exercise(exercise, shown.toy))
        if not pitfalls.is_presenting():
            show_ways_back()
            st.button("Leave the exercise", on_click=sandbox_session.leave_exercise)


def show_ways_back() -> None:
    """To the start of the exercise, and to its step of the lesson."""
    exercise = sandbox_session.current().exercise
    if exercise:
        st.button("Start again", on_click=sandbox_session.open_toy, args=(exercise.start,))
    step = next((n for n, s in enumerate(LESSON, 1) if exercise and s.exercise == exercise), "")
    link_to_view("lesson", "Back to the lesson", **pitfalls.kept({"step": str(step)}))


def show_problems(*, typed: bool) -> None:
    """What is wrong with what was typed, or with the link or an edit."""
    shown = sandbox_session.current()
    if shown.problems and (shown.wrong == "text") == typed:
        st.html(toy_html.problems(shown.problems, done=shown.wrong == "edit"))


# Scores, texts, arithmetic ------------------------------------------------------------------------


def show_arithmetic() -> None:
    """The selected metric, written out, below what selects it."""
    with side_by_side():
        st.segmented_control(
            "The arithmetic of",
            METRIC_IDS,
            required=True,
            format_func=name_of,
            key=METRIC,
            on_change=sandbox_session.take_metric,
        )
        st.segmented_control(
            "Moves by",
            MEASURES,
            required=True,
            format_func=RATIOS.__getitem__,
            key=MEASURE,
            on_change=sandbox_session.take_metric,
        )
    shown = sandbox_session.current()
    metric = metric_of(shown.metric)
    if metric.textbook:
        steps = metric.textbook(shown.toy.key, shown.toy.response)
        st.html(toy_html.arithmetic(steps, shown.toy))
    else:
        say(metric.no_textbook, "note")


def show_files() -> None:
    """A link to the toy, and the toy as files."""
    shown = sandbox_session.current()
    st.code(f"{(st.context.url or '').partition('?')[0]}?{shown.query}", language=None)
    with st.container(horizontal=True):
        for format_, words in FORMATS.items():
            for side in ("key", "response"):
                offer(
                    f"{side.capitalize()} as {words}",
                    partial(file_text, shown.toy, side=side, format=format_),
                    f"toy.{side}.{'conll' if format_ == 'conll' else 'txt'}",
                )
