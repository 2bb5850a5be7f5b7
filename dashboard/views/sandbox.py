"""Sandbox: what if I move this mention?"""

from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from corescore.analysis.explanation.textbook import textbook_steps
from corescore.counting.counts import MEASURES
from corescore.plots import charts
from corescore.rendering import html as markup
from corescore.rendering import toy as sandbox_markup
from corescore.scoring.tables import score_table
from corescore.sentences.names import SIX, TITLES
from corescore.teaching.lesson import LESSON
from corescore.teaching.toy import edits
from corescore.teaching.toy.examples import EXAMPLES
from corescore.teaching.toy.exploit import exploit
from corescore.teaching.toy.files import written
from corescore.teaching.toy.what_if import what_if, what_if_table
from corescore.wording import RATIOS
from dashboard.components.assets import asset
from dashboard.components.sandbox_values import values
from dashboard.session import progress
from dashboard.session.pages import page_named
from dashboard.views import presenting, sandboxing
from dashboard.views.sandboxing import EXAMPLE, KEY, MEASURE, METRIC, RESPONSE, SENTENCE
from dashboard.widgets import downloads as take_along

STYLE = Path(__file__).parent.parent / "static" / "sandbox_page.css"
ROW, MOST_ROWS = 32, 8
FORMATS = {"conll": "CoNLL", "notation": "notation"}
SCALE = "Percent. Below each number: how far from before the last change; dashed: F1 before it."
RULE = (
    "Worse by links: no right coreference link more, no wrong one fewer, and not as many of both. "
    "A step moves a mention, takes one in or leaves one out, leaves an entity out, or merges two; "
    "no mention is made up, and every step keeps to the rule. The search looks up to six steps "
    "ahead and follows the eight highest responses of each."
)


def take_boxes() -> None:
    """An edit in the boxes."""
    if event := st.session_state["toy_boxes"].edit:
        sandboxing.take_edit(event)


def randomise() -> None:
    """A random response."""
    sandboxing.do(edits.random_response, np.random.default_rng())


def draw_buttons() -> None:
    """Examples, undo and redo, and the edits of the whole response."""
    history = sandboxing.current().history
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Example",
            [example.name for example in EXAMPLES],
            index=None,
            key=EXAMPLE,
            placeholder="Examples",
            on_change=sandboxing.take_example,
            label_visibility="collapsed",
            width=240,
        )
        st.button("Undo", on_click=sandboxing.undo, disabled=not history.can_undo)
        st.button("Redo", on_click=sandboxing.redo, disabled=not history.can_redo)
        for label, edit in {
            "Add a spurious one": edits.add_spurious,
            "Swap sides": edits.swap,
            "All singletons": edits.all_singletons,
            "One entity": edits.one_entity,
        }.items():
            st.button(label, on_click=sandboxing.do, args=(edit,))
        st.button("Random", on_click=randomise)
        if presenting.is_presenting():
            st.button("Leave the presentation", on_click=presenting.leave)
            if sandboxing.current().exercise is None:
                st.page_link(page_named("lesson"), label="Lesson", query_params=presenting.kept({}))
                st.page_link(
                    page_named("pitfalls"), label="Pitfalls", query_params=presenting.kept({})
                )


def draw_exercise() -> None:
    """The goal of the exercise, if there is one."""
    shown = sandboxing.current()
    if shown.exercise is None:
        return
    exercise = shown.exercise
    if exercise.progress(shown.toy)[0]:
        progress.mark(exercise.id)
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.html(sandbox_markup.exercise(exercise, shown.toy))
        st.button("Start again", on_click=sandboxing.open_toy, args=(exercise.start,))
        st.button("Leave the exercise", on_click=sandboxing.leave_exercise)
        if step := next((n for n, s in enumerate(LESSON, 1) if s.exercise == exercise), 0):
            query = presenting.kept({"step": str(step)})
            st.page_link(page_named("lesson"), label="Back to the lesson", query_params=query)


def draw_problems(*, typed: bool) -> None:
    """What is wrong with what was typed; or with the link, or with an edit."""
    shown = sandboxing.current()
    if shown.problems and (shown.wrong == sandboxing.TEXT) == typed:
        st.html(sandbox_markup.problems(shown.problems, done=shown.wrong == sandboxing.EDIT))


def draw_scores() -> None:
    """The six, with what the last change did."""
    history = sandboxing.current().history
    told = sandbox_markup.headline(history.toy, history.before)
    st.html(markup.paragraph(told, "headline toy-headline"))
    st.html(sandbox_markup.scores(history.toy, history.before))
    st.html(markup.paragraph(SCALE, "note"))
    take_along.table(
        score_table(history.toy.result).reset_index(),
        history.toy.result.signature,
        "sandbox",
        "scores",
        chart=chart_of_scores,
    )


def chart_of_scores() -> go.Figure:
    """The six now and before the last change."""
    history = sandboxing.current().history
    tables = {"now": score_table(history.toy.result)}
    if history.before:
        tables["before"] = score_table(history.before.result)
    return charts.titled(
        charts.six_metrics(tables),
        f"{history.toy.response_notation} against the key {history.toy.key_notation}",
        history.toy.result.signature,
    )


def draw_texts() -> None:
    """Key, response and sentence as text."""
    for column, name, label, help_ in zip(
        st.columns([3, 3, 4]),
        (KEY, RESPONSE, SENTENCE),
        ("Key as text", "Response as text", "Sentence"),
        (
            "Entities in braces: {abc}{d}, or {a1 a2} {b} for longer names.",
            "Entities in braces, as the key. Where either side has names of several letters, "
            "{abc} is one mention: write {a b c}.",
            "Mentions in brackets, each after its name: [a Mia] lost [b [a2 her] keys].",
        ),
        strict=True,
    ):
        column.text_input(label, key=name, help=help_, on_change=sandboxing.take_texts)


def draw_arithmetic() -> None:
    """The chosen metric, written out."""
    shown = sandboxing.current()
    st.html(
        sandbox_markup.arithmetic(
            textbook_steps(shown.metric, shown.toy.key, shown.toy.response), shown.toy
        )
    )


def draw_what_if() -> None:
    """Every single move, ranked; a click applies it."""
    shown = sandboxing.current()
    toy = shown.toy
    moves = what_if(toy, metric=shown.metric, measure=shown.measure)
    st.subheader("What if: every single move", anchor=False)
    told = sandbox_markup.what_if_sentence(moves, shown.metric, shown.measure)
    st.html(markup.paragraph(told, "note"))
    if not moves:
        return
    table = what_if_table(toy, moves)
    key = f"toy_what_if {shown.query}"  # of this toy alone: a row of another would be another move

    def apply() -> None:
        if cells := st.session_state[key].selection.get("cells", []):
            sandboxing.do(lambda toy: moves[cells[0][0]].applied(toy))

    st.dataframe(
        sandbox_markup.what_if_rows(table),
        height=ROW * min(MOST_ROWS, 1 + len(moves)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=move_columns(),
        key=key,
        selection_mode="single-cell",
        on_select=apply,
        alt="Every single move of the response, the greatest gain first.",
    )
    st.html(markup.paragraph("Click a row to make the move.", "note"))
    take_along.table(table, _signature(), "sandbox", "moves")


def move_columns() -> dict[str, Any]:
    """How the table of moves is headed and written."""
    number = st.column_config.NumberColumn
    return {
        "move": st.column_config.TextColumn("move", width=180),
        "gain": number("gain", format="%+.2f", width=70, help="points"),
        "score": number("score then", format="%.2f", width=84, help="percent"),
        "right": number("right links", format="%+d", width=80),
        "wrong": number("wrong links", format="%+d", width=86),
    }


def search() -> None:
    """Search from what is shown."""
    shown = sandboxing.current()
    sandboxing.keep_exploit(exploit(shown.toy, metric=shown.metric, measure=shown.measure))


def draw_exploit() -> None:
    """The search for a worse response that scores higher, step by step."""
    shown = sandboxing.current()
    name = f"{TITLES[shown.metric]} {RATIOS[shown.measure]}"
    st.subheader("Exploit: worse by links, scored higher", anchor=False)
    st.button(f"Search for one under {name}", on_click=search)
    st.html(markup.paragraph(RULE, "note"))
    found = shown.found
    if found is None:
        return
    told = sandbox_markup.exploit_sentence(found, shown.metric, shown.measure)
    st.html(markup.paragraph(told, "note toy-found"))
    if not found.is_found:
        return
    rows = sandbox_markup.exploit_rows(found.table)
    key = f"toy_exploit {shown.query}"

    def open_stage() -> None:
        if cells := st.session_state[key].selection.get("cells", []):
            sandboxing.open_toy(found.stages[cells[0][0]].toy)

    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        rows,
        height=ROW * (1 + len(rows)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config={
            "step": number("step", width=46),
            "done": text("what is done", width=180),
            "score": number(name, format="%.2f", width=86),
            "right": number("right links", width=80),
            "wrong": number("wrong links", width=86),
        },
        key=key,
        selection_mode="single-cell",
        on_select=open_stage,
        alt="The steps from the response searched from to the one found.",
    )
    st.html(markup.paragraph("Click a row to open the response of that step.", "note"))
    take_along.table(found.table, _signature(), "sandbox", "exploit")


def _signature() -> str:
    """The policies, and which score moves and search are about."""
    shown = sandboxing.current()
    return f"{shown.toy.result.signature} | {TITLES[shown.metric]} {RATIOS[shown.measure]}"


def draw_way_out() -> None:
    """The link, and the toy as files."""
    shown = sandboxing.current()
    st.subheader("Take it along", anchor=False)
    st.code(f"{(st.context.url or '').partition('?')[0]}?{shown.query}", language=None)
    with st.container(horizontal=True):
        for name, title in FORMATS.items():
            for side in ("key", "response"):
                st.download_button(
                    f"{side.capitalize()} as {title}",
                    written(shown.toy, side=side, format=name),
                    f"toy.{side}.{'conll' if name == 'conll' else 'txt'}",
                    on_click="ignore",
                )


@st.fragment
def draw() -> None:
    """The page: drawn again alone when something is done in it."""
    sandboxing.write_url()
    draw_buttons()
    draw_exercise()
    draw_problems(typed=False)
    history = sandboxing.current().history
    boxes, scores = st.columns([6, 5], gap="medium")
    with boxes:
        st.components.v2.component(
            "corescore_sandbox",
            css=asset("sandbox.css"),
            js=asset("sandbox_boxes.js") + asset("sandbox.js"),
        )(
            data=values(history.toy, news=sandbox_markup.headline(history.toy, history.before)),
            key="toy_boxes",
            on_edit_change=take_boxes,
        )
    with scores:
        draw_scores()
    draw_texts()
    draw_problems(typed=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "The arithmetic of",
            SIX,
            required=True,
            format_func=TITLES.__getitem__,
            key=METRIC,
            on_change=sandboxing.take_metric,
        )
        st.segmented_control(
            "Moves and search by",
            MEASURES,
            required=True,
            format_func=RATIOS.__getitem__,
            key=MEASURE,
            on_change=sandboxing.take_metric,
        )
    draw_arithmetic()
    left, right = st.columns(2, gap="large")
    with left:
        draw_what_if()
    with right:
        draw_exploit()
    draw_way_out()


st.title("What if I move this mention?", anchor=False)
sandboxing.enter()
presenting.dress()
with st.container(key="sandbox"):
    st.html(STYLE)
    draw()
