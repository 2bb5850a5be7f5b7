"""Lesson: an hour of class or 45 minutes, from card to card and into the sandbox."""

from functools import partial

import streamlit as st

from corescore.rendering import classroom
from corescore.rendering.classroom import answers, handout
from corescore.sentences.names import escaped
from corescore.teaching.examples import query_of
from corescore.teaching.exercises import (
    LESSON,
    LESSONS,
    MINUTES_OF_INTRODUCTION,
    LessonStep,
    minutes_of,
)
from corescore.wording import counted
from dashboard.session import teaching
from dashboard.views import pitfalls
from dashboard.views.pitfalls import sandbox_link, show_card
from dashboard.widgets.page import note, offer, plain, say, side_by_side, signature_to_copy, title
from dashboard.widgets.selection import switch

STEP, MINUTES = "step", "minutes"
HOW = (
    "The sandbox shows when the goal is reached. That marks this step as done; a link there leads "
    "back to the lesson. Next and the right arrow key also go on before that."
)
REACHED = "✓ You have reached this goal. Go on with Next or the right arrow key."


INTRODUCTION = "introduction"

_MINUTES = {f"{minutes} minutes": minutes for minutes in LESSONS}


def page() -> None:
    """The step that the URL names, and the way to the others."""
    pitfalls.dress()
    show_steps()
    number = at()
    show_step(number)
    if not pitfalls.is_presenting():
        show_list()
        steps = tuple(lesson().values())
        with st.container(horizontal=True):
            offer("Handout to print (HTML)", partial(handout, steps), "handout.html", "text/html")
            offer("Answers to print (HTML)", partial(answers, steps), "answers.html", "text/html")
    teaching.keep_in_tab()


def lesson() -> dict[int, LessonStep]:
    """The steps of the lesson of the length selected, by their numbers in the longest."""
    numbers = {step.id: number for number, step in enumerate(LESSON, 1)}
    minutes = _MINUTES[st.session_state.get(MINUTES) or next(iter(_MINUTES))]
    return {numbers[step.id]: step for step in LESSONS[minutes]}


def at() -> int:
    """The number of the step that the URL names; 0, the introduction, if it names none."""
    places = {str(number): number for number in lesson()}
    return places.get(st.query_params.get(STEP, ""), 0)


def go(number: int) -> None:
    """Go to a step, its question first."""
    pitfalls.cover()
    st.query_params[STEP] = str(number)


def go_by(by: int) -> None:
    """Go so many steps on, or back if it is negative; at an end, stay."""
    numbers = [0, *lesson()]
    go(numbers[min(max(0, numbers.index(at()) + by), len(numbers) - 1)])


# As on the page of pitfalls, the callbacks ask where they are.


def back() -> None:
    """Go to the step before."""
    go_by(-1)


def forward() -> None:
    """Reveal the card, or go to the next step, if there is one; a card is done then, an exercise in
    the sandbox."""
    step = lesson().get(at())
    pitfall = step.pitfall if step else None
    if pitfall and not pitfalls.is_revealed(pitfall):
        pitfalls.reveal(pitfall)
        return
    if step is None or pitfall:
        teaching.mark(step.id if step else INTRODUCTION)
    if at() != max(lesson()):
        go_by(1)


def show_steps() -> None:
    """The length of the lesson, and a button for each step, with a mark if it is done.

    A presenter does not see them, but the length is drawn: it stays in the URL only if it is.
    """
    with st.container(horizontal=True, gap="xsmall", key="lesson_steps"):
        switch(MINUTES, list(_MINUTES))
        if pitfalls.is_presenting():
            return
        number = at()
        named = {0: (INTRODUCTION, "The six metrics")}
        named |= {one: (step.id, name_of(step)) for one, step in lesson().items()}
        for place, (one, (step_id, name)) in enumerate(named.items()):
            st.button(
                f"{place}{' ✓' if step_id in teaching.done() else ''}",
                key=f"step-{one}",
                on_click=go,
                args=(one,),
                type="primary" if one == number else "secondary",
                help=plain(name),
            )


def show_list() -> None:
    """All steps by their names, each to be ticked off."""
    steps = lesson().values()
    n_done = sum(step.id in teaching.done() for step in steps)
    done = f"{n_done} of {counted(len(steps), 'step')} done"
    with st.expander(f"The whole lesson: about {minutes_of(steps)} minutes, {done}"):
        for place, step in enumerate(steps, 1):
            key = f"done {step.id}"
            st.session_state[key] = step.id in teaching.done()
            st.checkbox(
                f"{place}. {plain(name_of(step))}",
                key=key,
                on_change=teaching.turn,
                args=(step.id,),
            )


def name_of(step: LessonStep) -> str:
    """What a step is called in a list: a card by its question until it was answered."""
    if step.pitfall and not pitfalls.is_answered(step.pitfall):
        return step.pitfall.question
    return f"{'Exercise: ' if step.exercise else ''}{step.title}"


def show_step(number: int) -> None:
    """The introduction, the card or the exercise of a step, and what leads on."""
    step, steps = lesson().get(number), [*lesson()]
    minutes = step.minutes if step else MINUTES_OF_INTRODUCTION
    with side_by_side("center", key="card_bar"):
        label = "Next" if number != steps[-1] else "Done"
        if step and step.pitfall and not pitfalls.is_revealed(step.pitfall):
            label = pitfalls.label_of(step.pitfall)
        place = (
            f"Step {[0, *steps].index(number)} of {len(steps)}, about {counted(minutes, 'minute')}"
        )
        pitfalls.bar(back, forward, label=label, place=place)
    if step is None:
        title("Six metrics: what does each of them ask?")
        st.html(classroom.introduction())
        note(classroom.WORDS)
    elif step.pitfall:
        show_card(step.pitfall, leads_on=step.leads_on)
    elif step.exercise:
        # The goal and the start of an exercise, and the way to it.
        title(plain(f"Exercise: {step.exercise.title}"))
        say(escaped(step.exercise.goal), "pit-goal")
        st.html(classroom.start(step.exercise.start))
        query = query_of(
            step.exercise.start, metric=step.exercise.metric, exercise=step.exercise.id
        )
        sandbox_link("Open the exercise in the sandbox", query, key="read_exercise")
        note(REACHED if step.exercise.id in teaching.done() else HOW)
        signature_to_copy(step.exercise.start.result.signature, key="exercise")
        say(step.leads_on, "pit-leads")
