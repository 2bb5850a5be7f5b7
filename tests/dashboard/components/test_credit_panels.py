"""The script of the panels with what the page Credit sends it: shades, pointer and keys."""

import re

import pytest
from playwright.sync_api import expect

from corescore.analysis.explain import share_table
from corescore.metrics import METRICS
from corescore.rendering.html import windows
from dashboard.views.credit import WINDOW
from tests.dashboard.test_credit_page import SIX, VIEW, wrong_mentions
from tests.support.blank import Drawn, param
from tests.support.pages import run


@pytest.fixture(scope="module")
def loaded():
    return run().session_state["loaded"]


def drawn(page, **parameters):
    return Drawn(page, run(view=VIEW, **parameters), "credit")


@pytest.mark.slow
def test_the_strip_shows_where_the_losses_are_and_leads_there(blank, loaded):
    """A click turns to the part with the first loss of the stretch, and writes it into the URL."""
    shares = share_table(
        loaded.results["A"].comparison, METRICS, side="recall", document="news_harbour"
    )
    last = shares[shares["lea"] < 1].iloc[-1]
    pages = windows(loaded.key["news_harbour"], WINDOW)
    number = next(n for n, one in enumerate(pages, 1) if one.start <= last["start"] < one.end)
    assert number > 1
    credit = drawn(blank, metric="LEA", document="news_harbour", window="1")
    losing = blank.locator(".stretch").and_(blank.get_by_title(re.compile(": [1-9]")))
    assert losing.count() == sum(n > 0 for n in credit.data["strip"]["counts"]) > 1
    losing.last.click()
    (told,) = credit.answer()
    assert told == {"event": "place", "value": int(losing.last.get_attribute("data-word"))}
    assert param(credit.app, "window") == str(number)
    shown = blank.locator(f'.stretch.shown[title="{losing.last.get_attribute("title")}"]')
    expect(shown).to_have_count(1)


def test_a_wrongly_resolved_mention_is_blank_under_muc_and_lea(blank, loaded):
    rows = wrong_mentions(loaded)
    row = rows[(rows["muc"] == 0) & (rows["lea"] == 0) & (rows["bcub"] > 0)].iloc[0]
    drawn(blank, mention=f"{row['start']}-{row['end']}")
    marks = blank.locator(".grid .chosen")
    expect(marks).to_have_count(6)
    for number, metric in enumerate(SIX):
        shaded = "some" if row[metric] > 0 else "none"
        expect(marks.nth(number)).to_have_class(re.compile(rf"\b{shaded}\b"))
        expect(marks.nth(number)).to_have_class(re.compile("incorrectly-resolved"))
    empty = "background-color", "rgb(255, 255, 255)"
    expect(marks.nth(0)).to_have_css(*empty)
    expect(marks.nth(1)).not_to_have_css(*empty)


def test_a_mention_is_pointed_at_clicked_forgotten_and_chosen_by_keyboard(blank):
    credit = drawn(blank)
    note, why = blank.locator(".credit .note"), blank.locator(".why")
    expect(note).to_have_text(credit.data["hint"])
    blank.locator(".panel").nth(2).locator(".mention").first.hover()
    expect(blank.locator(".grid .lit")).to_have_count(6)
    told = credit.data["mentions"][0]["told"]
    expect(blank.locator(".score")).to_have_text(told)
    assert all(re.search("%|nothing", words) for words in told)
    expect(note).to_contain_text("entity", use_inner_text=True)
    first = blank.locator(".panel").first.locator(".mention").first
    first.click(position={"x": 4, "y": 6})
    span = credit.data["mentions"][int(first.get_attribute("data-mention"))]["span"]
    assert credit.answer() == [{"event": "mention", "value": span}]
    expect(why).to_have_count(6)
    assert param(credit.app, "mention") == span
    blank.keyboard.press("Escape")
    assert credit.answer() == [{"event": "mention", "value": ""}]
    expect(why).to_have_count(0)
    blank.locator(".grid [tabindex='0']").first.focus()
    blank.keyboard.press("ArrowRight")
    expect(blank.locator(".grid .lit")).to_have_count(6)
    blank.keyboard.press("Enter")
    assert credit.answer() == [{"event": "mention", "value": credit.data["mentions"][1]["span"]}]
    expect(why).to_have_count(6)


def test_the_arithmetic_of_the_selected_mention_is_not_shown_with_numbers_of_another(blank):
    credit = drawn(blank, mention="42-45")
    panel, reasons = blank.locator(".panel").nth(3), blank.locator(".why")
    expect(reasons).to_have_text([one["why"] for one in credit.data["panels"]])
    expect(reasons.first).to_be_visible()
    own = blank.locator(".score").all_inner_texts()
    panel.locator(".mention:not(.chosen)").first.hover()
    expect(blank.locator(".elsewhere")).to_have_count(1)
    for number in range(6):
        expect(reasons.nth(number)).to_be_hidden()
    panel.locator("header").hover()
    for number in range(6):
        expect(reasons.nth(number)).to_be_visible()
    assert blank.locator(".score").all_inner_texts() == own
