"""Lesson: the walk under Streamlit's test runner, and by keys in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from corescore.rendering import classroom
from corescore.sentences import names
from corescore.sentences.names import escaped
from corescore.teaching.exercises import LESSON
from tests.support.browser import drag, open_at, turn_to, wait_until_idle
from tests.support.pages import html, page_of, run

VIEW = "lesson"
EXERCISE = next(place for place, step in enumerate(LESSON, 1) if step.exercise)


@pytest.fixture(scope="module")
def app():
    return run(view=VIEW)


def at(app, step):
    app.query_params.clear()
    app.query_params.update(step=str(step))
    app.run()
    assert not app.exception
    return app


def heading(app):
    return app.title[0].value.replace("\\", "")


@pytest.mark.parametrize("step", ["0", "14", "x", "-1", "²", "1" * 5000])
def test_a_step_that_is_none_is_the_first(app, step):
    assert heading(at(app, step)) == LESSON[0].pitfall.question


@pytest.mark.parametrize(("view", "hidden"), [(VIEW, True), ("metrics", True), ("links", False)])
def test_a_page_with_examples_of_its_own_leaves_the_responses_out_of_sight(view, hidden):
    assert (".st-key-of_files { display: none; }" in html(page_of(view=view))) == hidden


def test_an_exercise_says_its_goal_and_where_it_begins(app):
    exercise = LESSON[EXERCISE - 1].exercise
    text = html(at(app, EXERCISE))
    assert escaped(exercise.goal) in text
    assert classroom.start(exercise.start) in text
    assert exercise.start.result.signature in text


def test_going_on_reveals_first_and_then_marks_the_step_as_done(app):
    at(app, 1)
    for _ in range(3):
        app.button(key="card_forward").click().run()
    assert heading(app) == LESSON[0].title
    assert LESSON[0].leads_on in html(app)
    app.button(key="card_forward").click().run()
    assert app.query_params["step"] == "2"
    assert "revealed" not in app.query_params
    assert app.button(key="step-1").label == "1 ✓"
    assert app.button(key="step-2").label == "2"
    labels = [expander.label for expander in app.expander]
    assert any(f"1 of {len(LESSON)} steps done" in label for label in labels)


def test_the_last_step_stays_as_it_is_when_it_is_done(app):
    at(app, len(LESSON))
    for label in ("Reveal", "Ask one metric", "Ask all metrics", "Done", "Done"):
        assert app.button(key="card_forward").label == label
        app.button(key="card_forward").click().run()
    assert heading(app) == LESSON[-1].title
    assert app.button(key=f"step-{len(LESSON)}").label == f"{len(LESSON)} ✓"


def test_the_last_step_stays_and_is_done(app):
    at(app, len(LESSON))
    app.button(key="choose_a").click().run()
    for _ in range(3):
        app.button(key="card_forward").click().run()
    assert app.query_params["step"] == str(len(LESSON))
    assert app.button(key=f"step-{len(LESSON)}").label.endswith("✓")


# In a browser -------------------------------------------------------------------------------------


def title_is(page, words):
    expect(page.locator("h1")).to_have_text(names.subscripted(words))
    wait_until_idle(page)


def reach(page, exercise):
    """Follow the link into the sandbox, reach the goal by merging, and come back."""
    page.get_by_role("link", name="Open the exercise in the sandbox").click()
    expect(page).to_have_url(re.compile(rf"/sandbox\?.*x={exercise.id}"))
    page.locator(".sandbox .chip").first.wait_for()
    drag(page, "c", 0)
    expect(page.locator(".exercise")).to_contain_text("not reached yet: MUC rose")
    scores = page.locator(".toy-scores")
    before = scores.inner_text()
    page.get_by_role("button", name="One entity").click()
    expect(scores).not_to_have_text(before, use_inner_text=True)
    expect(page.locator(".exercise")).to_contain_text("not reached yet: MUC rose")
    drag(page, "i", "new")
    expect(page.locator(".exercise")).to_contain_text("✓reached: MUC rose")
    page.get_by_role("link", name="Back to the lesson").click()
    title_is(page, f"Exercise: {exercise.title}")
    page.locator(".keys").wait_for()
    expect(page.get_by_role("button", name=f"{EXERCISE} ✓")).to_be_visible()


def answer_by_keys(page, step, first):
    """Turn a card over by a key, and ask the metrics; all cards are gone through in the walk."""
    title_is(page, step.pitfall.question)
    for key, stage in ((first, "Ask one metric"), ("ArrowRight", "Ask all metrics")):
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=stage)).to_be_visible()
    page.keyboard.press("ArrowRight")
    title_is(page, step.title)
    page.keyboard.press("ArrowRight")


@pytest.mark.slow
def test_cards_and_an_exercise_are_done_by_keys_and_stay_done_over_a_reload(page, address):
    open_at(page, f"{address}/lesson")
    page.locator(".keys").wait_for()
    assert EXERCISE == 2
    answer_by_keys(page, LESSON[0], "b")
    title_is(page, f"Exercise: {LESSON[1].title}")
    reach(page, LESSON[1].exercise)
    page.keyboard.press("ArrowRight")
    answer_by_keys(page, LESSON[2], "ArrowRight")
    title_is(page, LESSON[3].pitfall.question)
    told = f"3 of {len(LESSON)} steps done"
    expect(page.get_by_text(told)).to_be_visible()
    wait_until_idle(page)
    page.reload()
    expect(page.get_by_text(told)).to_be_visible()
    wait_until_idle(page)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=3"))


@pytest.mark.slow
def test_keys_turn_the_slides_however_often_the_lesson_is_opened(page, address):
    open_at(page, f"{address}/lesson")
    slide = page.get_by_test_id("stMain")
    for _ in range(3):
        for _ in range(2):
            before = slide.inner_text()
            page.keyboard.press("ArrowRight")
            wait_until_idle(page)  # which is quicker to see it than to look again and again
            expect(slide).not_to_have_text(before, use_inner_text=True)
            wait_until_idle(page)
        turn_to(page, "Pitfalls")
        turn_to(page, "Lesson")


@pytest.mark.slow
def test_keys_pressed_in_quick_succession_each_turn_a_slide(page, address):
    open_at(page, f"{address}/lesson?present=yes")
    title_is(page, LESSON[0].pitfall.question)
    for _ in ("Ask one metric", "Ask all metrics", "all is told"):
        page.keyboard.press("ArrowRight")
    title_is(page, LESSON[0].title)
    wait_until_idle(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("revealed=marks"))
    assert "step=3" in page.url
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    title_is(page, LESSON[0].pitfall.question)
