"""Sandbox: what if I move this mention?"""

from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st

from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, metric_of, name_of
from corescore.plots.scores import scores_of_toy
from corescore.rendering import classroom as toy_html
from corescore.rendering.html import paragraph
from corescore.scoring.tables import score_table
from corescore.teaching import toy as edits
from corescore.teaching.examples import EXAMPLES, file_text
from corescore.teaching.exercises import LESSON
from corescore.wording import RATIOS
from dashboard.components.sandbox.component import sandbox_boxes
from dashboard.session import progress
from dashboard.session.pages import page_named
from dashboard.views.pitfalls import presenting
from dashboard.views.sandbox import reported, session
from dashboard.views.sandbox.card import show_maker
from dashboard.views.sandbox.moves import show_exploit, show_what_if
from dashboard.views.sandbox.session import EXAMPLE, KEY, MEASURE, METRIC, RESPONSE, SENTENCE
from dashboard.widgets.downloads import offer
from dashboard.widgets.page import note, subtitle, title
from dashboard.widgets.tables import download

STYLE = Path(__file__).with_name("sandbox_page.css")
BOXES = "toy_boxes"
FORMATS = {"conll": "CoNLL", "notation": "notation"}
SCALE = (
    "Percent. The small number is the difference to before the last change; the dashed bar is F1 "
    "before it."
)
EDITS = {
    "Add a spurious one": edits.add_spurious,
    "Swap sides": edits.swap,
    "All singletons": edits.all_singletons,
    "One entity": edits.one_entity,
}


def page() -> None:
    """A toy that can be edited, with its scores."""
    title("What if I move this mention?")
    session.enter()
    presenting.dress()
    with st.container(key="sandbox"):
        st.html(STYLE)
        show()
    progress.keep_in_tab()


@st.fragment
def show() -> None:
    """The page without its title: only this is drawn again after an edit."""
    session.write_url()
    show_buttons()
    show_exercise()
    show_problems(typed=False)
    boxes, scores = st.columns([6, 5], gap="medium")
    with boxes:
        shown = session.current()
        news = toy_html.headline(shown.toy, shown.history.before)
        sandbox_boxes(shown.toy, news=news, taken=shown.taken, key=BOXES, on_edits=take_edits)
    with scores:
        show_scores()
    show_texts()
    show_problems(typed=True)
    show_arithmetic()
    left, right = st.columns(2, gap="large")
    with left:
        show_what_if()
    with right:
        show_exploit()
    show_files()
    show_maker()


def take_edits() -> None:
    """Take over the edits made in the boxes."""
    if edits_made := st.session_state[BOXES].edits:
        reported.take(edits_made)


def undo() -> None:
    """Undo the last edit; one that is reported at the same time was made before."""
    take_edits()
    session.undo()


# Buttons and exercise -----------------------------------------------------------------------------


def show_buttons() -> None:
    """Examples, undo and redo, and the edits of the whole response."""
    shown = session.current()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Example",
            [example.name for example in EXAMPLES],
            index=None,
            key=EXAMPLE,
            placeholder="Examples",
            on_change=session.take_example,
            label_visibility="collapsed",
            width=240,
        )
        st.button("Undo", on_click=undo, disabled=not shown.history.can_undo)
        st.button("Redo", on_click=session.redo, disabled=not shown.history.can_redo)
        for label, edit in EDITS.items():
            st.button(label, on_click=session.do, args=(edit,))
        st.button("Random", on_click=randomise)
        if presenting.is_presenting():
            st.button("Leave the presentation", on_click=presenting.leave)
            if shown.exercise is None:
                for name, label in {"lesson": "Lesson", "pitfalls": "Pitfalls"}.items():
                    query = presenting.kept({})
                    st.page_link(page_named(name), label=label, query_params=query)


def randomise() -> None:
    """Show a random response."""
    session.do(lambda toy: edits.random_response(toy, np.random.default_rng()))


def show_exercise() -> None:
    """The goal of the exercise, if there is one."""
    shown = session.current()
    exercise = shown.exercise
    if exercise is None:
        return
    if exercise.progress(shown.toy)[0]:
        progress.mark(exercise.id)
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.html(toy_html.exercise(exercise, shown.toy))
        st.button("Start again", on_click=session.open_toy, args=(exercise.start,))
        st.button("Leave the exercise", on_click=session.leave_exercise)
        if step := next((n for n, s in enumerate(LESSON, 1) if s.exercise == exercise), 0):
            query = presenting.kept({"step": str(step)})
            st.page_link(page_named("lesson"), label="Back to the lesson", query_params=query)


def show_problems(*, typed: bool) -> None:
    """What is wrong with what was typed, or with the link or an edit."""
    shown = session.current()
    if shown.problems and (shown.wrong == "text") == typed:
        st.html(toy_html.problems(shown.problems, done=shown.wrong == "edit"))


# Scores, texts, arithmetic ------------------------------------------------------------------------


def show_scores() -> None:
    """The six scores, and what the last change did to them."""
    history = session.current().history
    headline = toy_html.headline(history.toy, history.before)
    st.html(paragraph(headline, "headline toy-headline"))
    st.html(toy_html.scores(history.toy, history.before))
    note(SCALE)
    download(
        score_table(history.toy.result).reset_index(),
        history.toy.result.signature,
        "sandbox",
        "scores",
        chart=lambda: scores_of_toy(history),
    )


def show_texts() -> None:
    """Key, response and sentence as text."""
    texts = {
        KEY: ("Key as text", "Entities in braces: {abc}{d}, or {a1 a2} {b} for longer names."),
        RESPONSE: (
            "Response as text",
            "Entities in braces, like the key. Where either side has names of several letters, "
            "{abc} is one mention: write {a b c}.",
        ),
        SENTENCE: (
            "Sentence",
            "Mentions in brackets, each after its name: [a Mia] lost [b [a2 her] keys].",
        ),
    }
    session.fill_texts()
    for column, (name, (label, about)) in zip(st.columns([3, 3, 4]), texts.items(), strict=True):
        column.text_input(label, key=name, help=about, on_change=session.take_text, args=(name,))


def show_arithmetic() -> None:
    """The selected metric, written out, below what selects it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "The arithmetic of",
            METRIC_IDS,
            required=True,
            format_func=name_of,
            key=METRIC,
            on_change=session.take_metric,
        )
        st.segmented_control(
            "Moves and search by",
            MEASURES,
            required=True,
            format_func=RATIOS.__getitem__,
            key=MEASURE,
            on_change=session.take_metric,
        )
    shown = session.current()
    metric = metric_of(shown.metric)
    if metric.textbook:
        steps = metric.textbook(shown.toy.key, shown.toy.response)
        st.html(toy_html.arithmetic(steps, shown.toy))
    else:
        st.html(paragraph(metric.no_textbook, "note"))


def show_files() -> None:
    """A link to the toy, and the toy as files."""
    shown = session.current()
    subtitle("Download")
    st.code(f"{(st.context.url or '').partition('?')[0]}?{shown.query}", language=None)
    with st.container(horizontal=True):
        for format_, words in FORMATS.items():
            for side in ("key", "response"):
                offer(
                    f"{side.capitalize()} as {words}",
                    partial(file_text, shown.toy, side=side, format=format_),
                    f"toy.{side}.{'conll' if format_ == 'conll' else 'txt'}",
                )
