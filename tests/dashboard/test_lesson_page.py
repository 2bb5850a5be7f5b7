"""The page Lesson: its steps, a walk through it, and its cards."""

import json
import re

import pytest
from playwright.sync_api import expect

from corescore.rendering import classroom
from corescore.sentences.names import escaped
from corescore.teaching.criteria import SAME, score_comparison
from corescore.teaching.exercises import LESSON
from corescore.teaching.pitfalls import PITFALLS
from tests.support.acts import choose, press, says
from tests.support.browser import (
    downloaded,
    drag,
    expect_to_fit,
    open_at,
    place_of,
    push,
    turn_to_place,
    wait_until_idle,
    watched,
)
from tests.support.pages import html, html_as_sent, page_of, run

# Lesson: the walk under Streamlit's test runner, and by keys in Chromium --------------------------

VIEW = "lesson"
EXERCISE = next(place for place, step in enumerate(LESSON, 1) if step.exercise)


@pytest.fixture(scope="module")
def opened():
    """One app for all that only needs another URL."""
    app = run(VIEW)

    def open_(**parameters):
        app.query_params.clear()
        app.query_params.update(parameters)
        app.session_state["pitfall_answers"] = {}
        app.session_state["pitfalls_seen"] = frozenset()
        app.run()
        return app

    return open_


def listed(app, beginning):
    """The buttons of the list whose keys begin so, with their labels."""
    return {
        one.key: one.label.replace("\\", "")
        for one in app.button
        if one.key and one.key.startswith(beginning)
    }


def heading(app):
    return app.title[0].value.replace("\\", "")


def test_the_lesson_begins_with_six_metrics(opened):
    app = opened(step="0")
    assert heading(app) == "Six metrics: what does each of them ask?"
    assert html(app).count("<li>") == 6


@pytest.mark.parametrize("step", ["14", "-1", "²", "1" * 5000])
def test_a_step_that_is_none_is_the_list(opened, step):
    assert len(listed(opened(step=step), "step-")) == len(LESSON) + 1


def test_a_lesson_of_45_minutes_leaves_steps_out_and_leads_on(opened):
    app = opened(step="")
    choose(app, "minutes", "45 minutes")
    shown = listed(app, "step-")
    assert [*shown] == [f"step-{one}" for one in (0, 1, 2, 3, 4, 5, 8, 10, 11, 12, 13)]
    assert "about 45 minutes" in html(app)
    press(app, "step-5")
    for _ in range(3):
        press(app, "card_forward")
    assert LESSON[6].leads_on in html(app)
    press(app, "card_forward")
    assert app.query_params["step"] == "8"
    assert heading(app) == LESSON[7].pitfall.question
    choose(app, "minutes", "60 minutes")


def test_a_presenter_who_reloads_stays_in_the_lesson_of_45_minutes():
    app = run(VIEW, step="7", minutes="45 minutes", present="yes")  # which is left out
    assert heading(app) == "Six metrics: what does each of them ask?"
    assert app.query_params["minutes"] == "45 minutes"
    assert not listed(app, "step-")


def test_a_step_is_ticked_off_and_not_done_again(opened):
    app = opened(step="")
    box = "done mentions-removed"
    choose(app, box, True)
    assert says(app, "1 of 14 steps done")
    choose(app, box, False)
    assert says(app, "0 of 14 steps done")


@pytest.mark.parametrize("view, hidden", [(VIEW, True), ("metrics", True), ("links", False)])
def test_a_page_with_examples_of_its_own_leaves_the_responses_out_of_sight(view, hidden):
    assert (".st-key-of_files { display: none; }" in html(page_of(view))) == hidden


def test_an_exercise_says_its_goal_and_where_it_begins(opened):
    exercise = LESSON[EXERCISE - 1].exercise
    text = html(opened(step=str(EXERCISE)))
    assert escaped(exercise.goal) in text
    assert classroom.start(exercise.start) in text
    assert exercise.start.result.signature in text


def test_going_on_reveals_first_and_then_marks_the_step_as_done(opened):
    app = opened(step="1")
    for _ in range(3):
        press(app, "card_forward")
    assert heading(app) == LESSON[0].title
    assert LESSON[0].leads_on in html(app)
    press(app, "card_forward")
    assert app.query_params["step"] == "2"
    assert "revealed" not in app.query_params
    press(app, "all_cards")
    assert says(app, f"1 of {len(LESSON) + 1} steps done")
    assert app.checkbox(key=f"done {LESSON[0].id}").value
    assert listed(app, "step-1")["step-1"] == f"1. {LESSON[0].title}"


def test_the_last_step_stays_as_it_is_when_it_is_done(opened):
    app = opened(step=str(len(LESSON)))
    for label in ("Reveal", "Ask one metric", "Ask all metrics", "Done", "Done"):
        assert app.button(key="card_forward").label == label
        press(app, "card_forward")
    assert heading(app) == LESSON[-1].title
    press(app, "all_cards")
    assert app.checkbox(key=f"done {LESSON[-1].id}").value


# In a browser -------------------------------------------------------------------------------------


def title_is(page, words):
    expect(page.locator("h1")).to_have_text(words)
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
    push(page, "One entity")
    expect(scores).not_to_have_text(before, use_inner_text=True)
    expect(page.locator(".exercise")).to_contain_text("not reached yet: MUC rose")
    drag(page, "i", "new")
    expect(page.locator(".exercise")).to_contain_text("✓reached: MUC rose")
    page.get_by_role("link", name="Back to the lesson").click()
    title_is(page, f"Exercise: {exercise.title}")
    expect(page.get_by_text("You have reached this goal")).to_be_visible()
    page.locator(".keys").wait_for()


def answer_by_keys(page, step, first):
    """Turn a card over by a key, and ask the metrics; all cards are gone through in the walk."""
    title_is(page, step.pitfall.question)
    for key, stage in ((first, "Ask one metric"), ("ArrowRight", "Ask all metrics")):
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=stage)).to_be_visible()
    page.keyboard.press("ArrowRight")
    title_is(page, step.title)
    page.keyboard.press("ArrowRight")


def test_cards_and_an_exercise_are_done_by_keys_and_stay_done_over_a_reload(page, address):
    open_at(page, f"{address}/lesson?step=1")
    page.locator(".keys").wait_for()
    assert EXERCISE == 2
    answer_by_keys(page, LESSON[0], "b")
    title_is(page, f"Exercise: {LESSON[1].title}")
    reach(page, LESSON[1].exercise)
    page.keyboard.press("ArrowRight")
    answer_by_keys(page, LESSON[2], "ArrowRight")
    title_is(page, LESSON[3].pitfall.question)
    page.keyboard.press("ArrowLeft")
    title_is(page, LESSON[2].pitfall.question)
    push(page, "All", exact=True)
    told = f"3 of {len(LESSON) + 1} steps done"
    expect(page.get_by_text(told)).to_be_visible()
    wait_until_idle(page)
    page.reload()
    expect(page.get_by_text(told)).to_be_visible()


def test_keys_pressed_in_quick_succession_each_turn_a_slide(page, address):
    open_at(page, f"{address}/lesson?step=1&present=yes")
    title_is(page, LESSON[0].pitfall.question)
    for _ in ("Ask one metric", "Ask all metrics", "all is told"):
        page.keyboard.press("ArrowRight")
    title_is(page, LESSON[0].title)
    wait_until_idle(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("revealed=marks"))
    assert "step=3" in page.url
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    title_is(page, LESSON[0].pitfall.question)
    expect(page).to_have_url(re.compile("step=1(&|$)"))
    title_is(page, LESSON[0].pitfall.question)


# What is set in smaller type, in components, too
SMALL = """least => {
  const small = [];
  const look = (root) => {
    const walker = document.createTreeWalker(root);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (node.shadowRoot) look(node.shadowRoot);
      const text = node.nodeType === Node.TEXT_NODE && node.textContent.trim();
      if (!text) continue;
      const { width } = node.parentElement.getBoundingClientRect();
      const { fontSize, visibility } = getComputedStyle(node.parentElement);
      if (width && visibility !== "hidden" && parseFloat(fontSize) < least) small.push(text);
    }
  };
  look(document.body);
  return small;
}"""


# The lesson before a class: every stage of every card, and the exercises, fit a projector ---------

STAGES = ("Reveal", "Ask one metric", "Ask all metrics")
# The type is fitted in the frame after a change.
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
PROJECTORS = ((1024, 768), (1280, 720), (1920, 1080))
LEAST = 18  # pixels of type on the smallest
# Whether all there is stands in the window, nothing cut off or to be scrolled to
FITS = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const wide = (box) => box.scrollWidth > box.clientWidth;
  const boxes = main.querySelectorAll(".scroll, .stColumn, .stButtonGroup [role=radiogroup]");
  return main.scrollHeight <= innerHeight && ![main, ...boxes].some(wide);
}"""
# Counts of links that do not stand in one line
BROKEN = """counts => counts.filter((one) => {
  const tops = [...one.querySelectorAll("span")].map((count) => count.offsetTop);
  return Math.max(...tops) - Math.min(...tops) > 4;
}).length"""
CUT = "words => words.filter((one) => one.scrollWidth > one.clientWidth).length"
# By exercise, where mentions go until its goal is reached
MOVES = {
    "muc-merging": dict.fromkeys("cde", 0),
    "bcub-no-link": dict.fromkeys("hi", "new"),
    "ceaf-right-links": {"e": "new", "f": 1},
}


def on_each_projector(page):
    """The window is as large as what each projector shows, in the end as the smallest one."""
    for width, height in reversed(PROJECTORS):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        yield


def fits(page):
    """All there is fits the window, in large type; no line of counts is broken."""
    page.wait_for_function(FITS)
    assert page.locator(".pit-links").evaluate_all(BROKEN) == 0
    if page.viewport_size["width"] == PROJECTORS[0][0]:
        assert page.evaluate(SMALL, LEAST) == []


def go_through(page, card):
    """Every stage of a card by the arrow key, on the smallest projector; all of it on each."""
    title_is(page, card.question)
    for stage in STAGES:
        expect(page.get_by_role("button", name=stage)).to_be_visible()
        fits(page)
        page.keyboard.press("ArrowRight")
    title_is(page, card.title)
    for _ in on_each_projector(page):
        fits(page)


def reach_in_the_sandbox(page, exercise):
    """Reach the goal of an exercise with boxes, goal and scores in sight all the time; and back."""
    page.get_by_role("link", name="Open the exercise").click()
    page.locator(".sandbox .chip").first.wait_for()
    fits(page)
    for mention, to in MOVES[exercise].items():
        expect(page.locator(".exercise")).to_contain_text("not reached yet")
        drag(page, mention, to)
        fits(page)
    expect(page.locator(".exercise")).to_contain_text("✓reached")
    for _ in on_each_projector(page):
        fits(page)
        assert page.locator(".sandbox .words").evaluate_all(CUT) == 0
    page.get_by_role("link", name="Back to the lesson").click()
    expect(page.get_by_text("You have reached this goal")).to_be_visible()
    page.locator(".keys").wait_for()


@pytest.mark.long
def test_the_lesson_is_presented_stage_by_stage(page, address):
    width, height = PROJECTORS[0]
    page.set_viewport_size({"width": width, "height": height})
    open_at(page, f"{address}/lesson?present=yes")
    title_is(page, "Six metrics: what does each of them ask?")
    page.locator(".keys").wait_for()
    fits(page)
    page.keyboard.press("ArrowRight")
    for step in LESSON:
        if step.pitfall:
            go_through(page, step.pitfall)
        else:
            title_is(page, f"Exercise: {step.title}")
            fits(page)
            reach_in_the_sandbox(page, step.id)
            title_is(page, f"Exercise: {step.title}")
        page.keyboard.press("ArrowRight")
    wait_until_idle(page)  # the last key leaves the last step as it is
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    for card in {pitfall.id for pitfall in PITFALLS} - {step.id for step in LESSON}:
        turn_to_place(page, f"lesson?card={card}&present=yes&revealed=yes")
        title_is(page, BY_ID[card].title)
        fits(page)


def test_keys_work_after_each_hand_over_to_the_presenter_and_back(page, address):
    """Begun on a revealed card, where the buttons beside the keys' component change, too."""
    open_at(page, f"{address}/lesson?step=3&revealed=yes")
    fitted = "document.documentElement.style.getPropertyValue('--presented') !== ''"
    for _ in range(6):
        push(page, "Present", exact=True)
        expect(page.get_by_role("button", name="Leave")).to_be_visible()
        wait_until_idle(page)
        page.wait_for_function(fitted, timeout=10_000)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Present", exact=True)).to_be_visible(timeout=10_000)
        wait_until_idle(page)
        page.wait_for_function(f"!({fitted})", timeout=10_000)


# The list and the cards under Streamlit's test runner, and a class going through them -------------

BY_ID = {pitfall.id: pitfall for pitfall in PITFALLS}
FIRST, SECOND = PITFALLS[:2]
ROOM = "m => [m.scrollWidth, m.clientWidth]"


def titles(app):
    """What cards are called in the list, in their groups and as steps of the lesson."""
    steps = {one.split(". ", 1)[1] for one in listed(app, "step-").values()}
    cards = {*listed(app, "card-").values()}
    assert not cards & steps  # each of them once
    every = {name for pitfall in PITFALLS for name in (pitfall.title, pitfall.question)}
    return (cards | steps) & every


def plain_titles(pitfalls):
    return {pitfall.question for pitfall in pitfalls}


def unfold(app):
    """Open every group of cards."""
    for group in {pitfall.group for pitfall in PITFALLS}:
        app.session_state[f"group {group} all"] = True
    return app.run()


def test_the_list_has_every_card_and_says_how_many_claims_hold(opened):
    app = opened()
    assert titles(app) == {step.pitfall.question for step in LESSON if step.pitfall}
    assert titles(unfold(app)) == plain_titles(PITFALLS)
    n = sum(len(pitfall.claims) for pitfall in PITFALLS)
    assert f"{n} of {n} claims hold" in html(app)


def test_the_list_shows_the_cards_about_one_metric(opened):
    app = opened()
    choose(app, "about", "lea")
    about = [pitfall for pitfall in PITFALLS if "lea" in pitfall.about]
    assert titles(app) == plain_titles(about)
    assert 0 < len(about) < len(PITFALLS)
    choose(app, "about", "all")


def test_an_unknown_card_leads_to_all(opened):
    app = opened(card="<b>no such card</b>")
    assert "no card “&lt;b&gt;no such card&lt;/b&gt;”" in html(app)
    assert titles(unfold(app)) == plain_titles(PITFALLS)


def test_the_list_asks_until_a_card_was_answered(opened):
    app = opened()
    app.query_params.update(card=FIRST.id)
    app.run()
    press(app, "choose_a")
    app.query_params.clear()
    app.run()
    assert titles(unfold(app)) == plain_titles(PITFALLS[1:]) | {FIRST.title}


def test_a_card_is_revealed_in_stages(opened):
    card = BY_ID["ceafe-sizes"]
    app = opened(card=card.id)
    assert 'class="pit-mark"' not in html(app)
    press(app, "card_forward")
    assert app.query_params["revealed"] == "marks"
    assert classroom.sides(card, marked=True) in html(app)
    assert 'class="numbers pit-scores"' not in html(app)
    press(app, "card_forward")
    assert classroom.score_table(card, [card.featured]) in html(app)
    assert heading(app) == card.question
    press(app, "card_forward")
    assert classroom.score_table(card) in html(app)
    assert heading(app) == card.title


def test_a_class_can_turn_to_another_criterion(opened):
    card = BY_ID["ceafe-sizes"]
    app = opened(card=card.id, revealed="yes")
    assert says(app, "A has fewer", 2, 190, "CEAFₑ disagrees")
    choose(app, "criterion_box", "entities")
    assert app.query_params["criterion"] == "entities"
    assert classroom.judgement(card.by("entities")) in html(app)
    assert classroom.score_table(card.by("entities")) in html(app)


@pytest.mark.parametrize("name", ["blanc-alpha", "blanc-two-scorers"])
def test_a_card_asks_first_and_tells_all_when_it_is_revealed(opened, name):
    card = BY_ID[name]
    app = opened(card=name)
    assert heading(app) == card.question
    assert 'class="numbers pit-scores"' not in html(app)
    assert "| match" not in html(app)
    app = opened(card=name, revealed="yes")
    assert heading(app) == card.title
    drawn = (
        classroom.score_table(card),
        classroom.link_rows(card),
        classroom.criterion_rows(card),
        classroom.why(card),
    )
    for told in (*drawn, card.signature, card.link_signature):
        assert told in html_as_sent(app)
    assert html(app).count('<li class="holds">') == len(card.claims)


def test_a_choice_reveals_and_is_told_whether_it_is_right(opened):
    app = opened(card=FIRST.id)
    press(app, "choose_a")
    assert says(app, "You said", "A is better", "B is better")
    press(app, "ask_again")
    assert heading(app) == FIRST.question
    press(app, "choose_b")
    assert says(app, "You said", "B is better", "So says")


def test_a_choice_stays_with_its_card(opened):
    app = opened(card=FIRST.id)
    press(app, "choose_b")
    for _ in range(3):
        press(app, "card_forward")
    assert heading(app) == SECOND.question
    press(app, "card_back")
    assert "You said: B" in html(app)


def test_where_neither_is_better_that_is_the_answer(opened):
    card = next(pitfall for pitfall in PITFALLS if pitfall.case.better == SAME)
    app = opened(card=card.id)
    press(app, "choose_same")
    assert says(app, "You said", "neither", "So says")


# In a browser -------------------------------------------------------------------------------------

# Whether all of a card is in the window, in type of at least 15 pixels where that is 900 high
FITS_OF_PITFALLS_PAGE = """() => {
  const why = document.querySelector(".st-key-card_stage .pit-why");
  if (!why) return false;
  const last = why.closest(".st-key-card_stage").lastElementChild;
  const type = parseFloat(getComputedStyle(why).fontSize);
  return last.getBoundingClientRect().bottom <= innerHeight && type >= innerHeight / 60;
}"""
WIDTHS = "all => [...new Set(all.map(one => Math.round(one.offsetWidth)))]"


def open_(page, address, query):
    open_at(page, f"{address}/pitfalls{query}")
    page.locator("h1").wait_for()
    page.locator(".keys").wait_for()


def reveal_all(page):
    """Go on from what of A and B agrees with the key, by keys."""
    for stage in ("Ask one metric", "Ask all metrics"):
        expect(page.get_by_role("button", name=stage)).to_be_visible()
        wait_until_idle(page)
        page.keyboard.press("ArrowRight")


def test_predict_then_reveal_and_the_same_link_asks_anew_in_another_browser(
    page, stranger, address
):
    open_at(page, f"{address}/pitfalls?about=LEA")
    place_of(page.locator('[class*="st-key-pit_group_"]').first)
    assert len(page.locator('[class*="st-key-pit_group_"] > *').evaluate_all(WIDTHS)) == 1
    open_at(page, f"{address}/lesson")
    push(page, FIRST.question)
    title_is(page, FIRST.question)
    expect(page.locator(".pit-scores")).to_have_count(0)
    sides = page.locator(".pit-sides").text_content()
    push(page, "A is better")
    reveal_all(page)
    title_is(page, FIRST.title)
    expect(page.locator(".pit-scores tbody tr")).to_have_count(6)
    expect(page.locator("ul.claims li.holds")).to_have_count(len(FIRST.claims))
    with watched(stranger, address, width=1024, scheme="dark") as other:
        open_at(other, page.url)
        title_is(other, FIRST.question)
        expect(other.locator(".pit-scores")).to_have_count(0)
        expect(other.locator(".pit-sides")).to_have_text(sides)
        expect_to_fit(other)


def test_a_presenter_goes_by_keys_through_cards_that_fit_the_window(page, address):
    first, second = BY_ID["micro-macro"], BY_ID["conll-average"]  # the longest

    def reveal(card):
        reveal_all(page)
        title_is(page, card.title)
        page.wait_for_function(FITS_OF_PITFALLS_PAGE)

    open_(page, address, f"?card={first.id}&present=yes")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    reveal(first)
    expect(page).to_have_url(re.compile("revealed=yes"))
    page.keyboard.press("PageDown")
    title_is(page, second.question)
    page.set_viewport_size({"width": 1280, "height": 800})  # a smaller one scrolls
    page.keyboard.press("a")
    reveal(second)
    page.keyboard.press("ArrowLeft")
    title_is(page, first.question)
    page.keyboard.press("ArrowRight")
    reveal(first)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"card={first.id}(?!.*present)"))


def test_a_chart_stands_on_the_first_screen_and_an_output_opens_in_the_sandbox(page, address):
    open_(page, address, f"?card={FIRST.id}&revealed=yes")
    table = place_of(page.locator(".pit-scores"))
    assert table["y"] + table["height"] <= 900
    for scrolling in page.locator(".scroll").all():
        wide, fits = scrolling.evaluate(ROOM)
        assert wide <= fits
    saved = json.loads(downloaded(page, f"scores-{FIRST.id}", "JSON").path().read_text())
    table = score_comparison(FIRST)
    assert [row["f1"] for row in saved["rows"]] == list(table["f1"])
    assert saved["signature"] == FIRST.signature
    page.keyboard.press("Escape")
    push(page, "As a chart")
    expect(page.get_by_role("dialog").locator(".js-plotly-plot .gtitle")).to_have_text(FIRST.title)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Open A in the sandbox").click()
    expect(page).to_have_url(re.compile(r"/sandbox\?.*k=ab\.cd\.ef\.gh&r=abcdefgh"))
