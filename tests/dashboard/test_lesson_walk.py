"""The lesson before a class: every stage of every card, and the exercises, fit a projector."""

import pytest
from playwright.sync_api import expect

from corescore.sentences import names
from corescore.teaching.exercises import LESSON
from tests.support.browser import open_at, wait_until_idle

STAGES = ("Reveal", "Ask one metric", "Ask all metrics")
# The type is fitted in the frame after a change.
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
PROJECTORS = ((1024, 768), (1920, 1080))
# Whether all of a card is in the window, its type found and nothing cut off at the right
FITS = """() => {
  const stage = document.querySelector(".st-key-card_stage");
  const last = stage?.lastElementChild.getBoundingClientRect().bottom;
  const cut = (one) => one.getBoundingClientRect().right > innerWidth;
  return last <= innerHeight && ![...stage.querySelectorAll(".pit-box, table")].some(cut);
}"""
# Entities whose mentions stand in more than one line
WRAPPED = """boxes => boxes.filter((box) => {
  const tops = [...box.querySelectorAll(".pit-chip")].map((chip) => chip.offsetTop);
  return new Set(tops).size > 1;
}).length"""
# Counts of links that do not stand in one line
BROKEN = """counts => counts.filter((one) => {
  const tops = [...one.querySelectorAll("span")].map((count) => count.offsetTop);
  return Math.max(...tops) - Math.min(...tops) > 4;
}).length"""
SCORES_IN_SIGHT = """() => {
  const scores = document.querySelector(".toy-scores");
  return scores && scores.getBoundingClientRect().bottom <= innerHeight;
}"""


def title_is(page, words):
    expect(page.locator("h1")).to_have_text(names.subscripted(words))
    wait_until_idle(page)


def on_each_projector(page):
    """The window is as large as what each projector shows, in the end as the smaller one."""
    for width, height in reversed(PROJECTORS):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        yield


def fits(page):
    """All of the card is in the window; no entity and no line of counts is broken."""
    page.wait_for_function(FITS)
    assert page.locator(".pit-sides .pit-box").evaluate_all(WRAPPED) == 0
    assert page.locator(".pit-links").evaluate_all(BROKEN) == 0


def go_through(page, card):
    """Every stage of a card by the arrow key, on the smaller projector; all of it on both."""
    title_is(page, card.question)
    for stage in STAGES:
        expect(page.get_by_role("button", name=stage)).to_be_visible()
        fits(page)
        page.keyboard.press("ArrowRight")
    title_is(page, card.title)
    expect(page.locator("ul.claims li.holds")).to_have_count(len(card.claims))
    for _ in on_each_projector(page):
        fits(page)


def go_into_the_sandbox(page):
    """Boxes and scores of an exercise stand in one window; and back."""
    page.get_by_role("link", name="Open the exercise").click()
    page.locator(".sandbox .chip").first.wait_for()
    for _ in on_each_projector(page):
        page.wait_for_function(SCORES_IN_SIGHT)
    page.get_by_role("link", name="Back to").click()
    page.locator(".keys").wait_for()


@pytest.mark.long
@pytest.mark.slow
def test_the_lesson_is_presented_stage_by_stage(page, address):
    width, height = PROJECTORS[0]
    page.set_viewport_size({"width": width, "height": height})
    open_at(page, f"{address}/lesson?present=yes")
    page.locator(".keys").wait_for()
    for step in LESSON:
        if step.pitfall:
            go_through(page, step.pitfall)
        else:
            title_is(page, f"Exercise: {step.title}")
            go_into_the_sandbox(page)
            title_is(page, f"Exercise: {step.title}")
        page.keyboard.press("ArrowRight")
    wait_until_idle(page)  # the last key leaves the last step as it is
    expect(page.get_by_role("button", name="Done")).to_be_visible()


@pytest.mark.slow
def test_keys_work_after_each_hand_over_to_the_presenter_and_back(page, address):
    """Begun on a revealed card, where the buttons beside the keys' component change, too."""
    open_at(page, f"{address}/lesson?step=3&revealed=yes")
    fitted = "document.documentElement.style.getPropertyValue('--presented') !== ''"
    for _ in range(6):
        page.get_by_role("button", name="Present", exact=True).click()
        expect(page.get_by_role("button", name="Leave")).to_be_visible()
        wait_until_idle(page)
        page.wait_for_function(fitted, timeout=10_000)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Present", exact=True)).to_be_visible(timeout=10_000)
        wait_until_idle(page)
        page.wait_for_function(f"!({fitted})", timeout=10_000)
