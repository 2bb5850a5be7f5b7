"""Lesson: an hour of class, from card to card and into the sandbox."""

from functools import partial

import streamlit as st

from corescore.rendering import classroom
from corescore.rendering.classroom import handout
from corescore.rendering.html import paragraph
from corescore.sentences.names import escaped, subscripted
from corescore.teaching.examples import query_of
from corescore.teaching.exercises import LESSON, Exercise, LessonStep
from corescore.wording import counted
from dashboard.session import state
from dashboard.views import pitfalls
from dashboard.views.pitfalls import sandbox_link, show_card
from dashboard.widgets.page import note, offer, plain, signature_to_copy, title

STEP = "step"
HOW = (
    "The sandbox says when the goal is reached. That marks this step as done; a link there leads "
    "back to the lesson. Next and the right arrow key also go on before that."
)
REACHED = "✓ You have reached this goal. Go on with Next or the right arrow key."


def page() -> None:
    """The step that the URL names, and the way to the others."""
    pitfalls.dress()
    number = at()
    if not pitfalls.is_presenting():
        show_steps(number)
    show_step(number, LESSON[number - 1])
    if not pitfalls.is_presenting():
        show_list()
        offer("Handout to print (HTML)", partial(handout, LESSON), "handout.html", "text/html")
    state.keep_in_tab()


def at() -> int:
    """The number of the step that the URL names, from 1; the first if it names none."""
    places = {str(place): place for place in range(1, len(LESSON) + 1)}
    return places.get(st.query_params.get(STEP, ""), 1)


def go(number: int) -> None:
    """Go to a step, its question first."""
    pitfalls.cover()
    st.query_params[STEP] = str(number)


# As on the page of pitfalls, the callbacks ask where they are.


def back() -> None:
    """Go to the step before."""
    go(max(1, at() - 1))


def forward() -> None:
    """Reveal the card, or go to the next step, if there is one; a card is done then, an exercise in
    the sandbox."""
    number = at()
    pitfall = LESSON[number - 1].pitfall
    if pitfall and not pitfalls.is_revealed(pitfall):
        pitfalls.reveal(pitfall)
        return
    if pitfall:
        state.mark(pitfall.id)
    if number < len(LESSON):
        go(number + 1)


def show_steps(number: int) -> None:
    """A button for each step, with a mark where it is done."""
    with st.container(horizontal=True, gap="xsmall", key="lesson_steps"):
        for place, step in enumerate(LESSON, 1):
            st.button(
                f"{place}{mark_of(step)}",
                key=f"step-{place}",
                on_click=go,
                args=(place,),
                type="primary" if place == number else "secondary",
                help=plain(name_of(step)),
            )


def show_list() -> None:
    """All steps by their names."""
    minutes = sum(step.minutes for step in LESSON)
    n_done = sum(step.id in state.done() for step in LESSON)
    done = f"{n_done} of {counted(len(LESSON), 'step')} done"
    with st.expander(f"The whole lesson: about {minutes} minutes, {done}"):
        lines = [
            f"{place}. {plain(name_of(step))}{mark_of(step)}"
            for place, step in enumerate(LESSON, 1)
        ]
        st.markdown("\n".join(lines))


def mark_of(step: LessonStep) -> str:
    """A check mark where a step is done."""
    return " ✓" if step.id in state.done() else ""


def name_of(step: LessonStep) -> str:
    """What a step is called in a list: a card by its question until it was answered."""
    if step.pitfall and not pitfalls.is_answered(step.pitfall):
        return subscripted(step.pitfall.question)
    return subscripted(f"{'Exercise: ' if step.exercise else ''}{step.title}")


def show_step(number: int, step: LessonStep) -> None:
    """The card or the exercise of a step, and what leads on."""
    with st.container(horizontal=True, vertical_alignment="center", key="card_bar"):
        label = "Next" if number < len(LESSON) else "Done"
        if step.pitfall and not pitfalls.is_revealed(step.pitfall):
            label = pitfalls.label_of(step.pitfall)
        place = f"Step {number} of {len(LESSON)}, about {step.minutes} minutes"
        pitfalls.bar(back, forward, label=label, place=place)
    if step.pitfall:
        show_card(step.pitfall, leads_on=step.leads_on)
    if step.exercise:
        show_exercise(step.exercise)
        st.html(paragraph(step.leads_on, "pit-leads"))


def show_exercise(exercise: Exercise) -> None:
    """The goal and the start of an exercise, and the way to it."""
    title(plain(f"Exercise: {exercise.title}"))
    st.html(paragraph(escaped(exercise.goal), "pit-goal"))
    st.html(classroom.start(exercise.start))
    query = query_of(exercise.start, metric=exercise.metric, exercise=exercise.id)
    sandbox_link("Open the exercise in the sandbox", query, key="read_exercise")
    note(REACHED if exercise.id in state.done() else HOW)
    signature_to_copy(exercise.start.result.signature, key="exercise")
