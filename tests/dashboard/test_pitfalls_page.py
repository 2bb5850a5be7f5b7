"""Pitfalls: the pages under Streamlit's test runner, and a class going through them in Chromium."""

import json
import re

import pytest
from playwright.sync_api import expect

from corescore.rendering import classroom
from corescore.sentences import names
from corescore.teaching.criteria import SAME, score_comparison
from corescore.teaching.pitfalls import PITFALLS
from tests.support.browser import (
    downloaded,
    expect_to_fit,
    open_at,
    place_of,
    wait_until_idle,
    watched,
)
from tests.support.pages import html, html_as_sent, reads, run

VIEW = "pitfalls"
BY_ID = {pitfall.id: pitfall for pitfall in PITFALLS}
FIRST, SECOND = PITFALLS[:2]
ROOM = "m => [m.scrollWidth, m.clientWidth]"


def heading(app):
    return app.title[0].value.replace("\\", "")


def titles(app):
    return {button.label.replace("\\", "") for button in app.button if button.key[:5] == "card-"}


def plain_titles(pitfalls):
    return {names.subscripted(pitfall.question) for pitfall in pitfalls}


@pytest.fixture(scope="module")
def opened():
    """One app for all that only needs another URL."""
    app = run(view=VIEW)

    def open_(**parameters):
        app.query_params.clear()
        app.query_params.update(parameters)
        app.session_state["pitfall_choices"] = {}
        app.session_state["pitfalls_seen"] = frozenset()
        app.session_state["pitfall_votes"] = {}
        app.session_state["pitfall_stages"] = {}
        app.run()
        assert not app.exception
        return app

    return open_


def test_the_gallery_has_every_card_and_says_how_many_claims_hold(opened):
    app = opened()
    assert titles(app) == plain_titles(PITFALLS)
    n = sum(len(pitfall.claims) for pitfall in PITFALLS)
    assert f"{n} of {n} claims hold" in html(app)


def test_the_gallery_shows_the_cards_about_one_metric(opened):
    app = opened()
    app.segmented_control(key="about").set_value("lea").run()
    about = [pitfall for pitfall in PITFALLS if "lea" in pitfall.about]
    assert titles(app) == plain_titles(about)
    assert 0 < len(about) < len(PITFALLS)
    app.segmented_control(key="about").set_value("all").run()


def test_an_unknown_card_leads_to_all(opened):
    app = opened(card="<b>no such card</b>")
    assert "no card “&lt;b&gt;no such card&lt;/b&gt;”" in html(app)
    assert titles(app) == plain_titles(PITFALLS)


def test_the_gallery_asks_until_a_card_was_answered(opened):
    app = opened()
    app.query_params.update(card=FIRST.id)
    app.run()
    app.button(key="choose_a").click().run()
    app.query_params.clear()
    app.run()
    assert titles(app) == plain_titles(PITFALLS[1:]) | {FIRST.title}


def test_a_link_with_the_old_name_of_the_filter_is_followed(opened):
    app = opened(misled="lea")
    assert titles(app) == plain_titles([p for p in PITFALLS if "lea" in p.about])
    app.segmented_control(key="about").set_value("all").run()


def test_a_card_is_revealed_in_stages(opened):
    card = BY_ID["ceafe-sizes"]
    app = opened(card=card.id)
    assert 'class="pit-mark"' not in html(app)
    app.button(key="card_forward").click().run()
    assert app.query_params["revealed"] == "marks"
    assert classroom.sides(card, marked=True) in html(app)
    assert 'class="numbers pit-scores"' not in html(app)
    app.button(key="card_forward").click().run()
    assert classroom.score_table(card, [card.featured]) in html(app)
    assert heading(app) == card.question
    app.button(key="card_forward").click().run()
    assert classroom.score_table(card) in html(app)
    assert heading(app) == names.subscripted(card.title)


def test_a_class_can_turn_to_another_criterion(opened):
    card = BY_ID["ceafe-sizes"]
    app = opened(card=card.id, revealed="yes")
    assert reads(html(app), "A has fewer", 2, 190, "CEAFₑ disagrees")
    app.segmented_control(key="criterion_box").set_value("entities").run()
    assert app.query_params["criterion"] == "entities"
    assert classroom.judgement(card.by("entities")) in html(app)
    assert classroom.score_table(card.by("entities")) in html(app)


def test_the_votes_of_a_class_stand_beside_the_answer(opened):
    app = opened(card=FIRST.id)
    for choice, n in zip(("A", "B", SAME), (9, 3, 0), strict=True):
        app.number_input(key=f"votes {FIRST.id} {choice}").set_value(n).run()
    assert "The class:" not in html(app)
    app.button(key="choose_b").click().run()
    assert "The class:" in html(app)
    assert "A <b>9</b> <small>75%</small>" in html(app)


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
    app.button(key="choose_a").click().run()
    assert reads(html(app), "You said", "A is better", "B is better")
    app.button(key="ask_again").click().run()
    assert heading(app) == FIRST.question
    app.button(key="choose_b").click().run()
    assert reads(html(app), "You said", "B is better", "So says")


def test_a_choice_stays_with_its_card(opened):
    app = opened(card=FIRST.id)
    app.button(key="choose_b").click().run()
    for _ in range(3):
        app.button(key="card_forward").click().run()
    assert heading(app) == SECOND.question
    app.button(key="card_back").click().run()
    assert "You said: B" in html(app)


def test_where_neither_is_better_that_is_the_answer(opened):
    card = next(pitfall for pitfall in PITFALLS if pitfall.case.better == SAME)
    app = opened(card=card.id)
    app.button(key="choose_same").click().run()
    assert reads(html(app), "You said", "neither", "So says")


# In a browser -------------------------------------------------------------------------------------

# Whether all of a card is in the window, in type of at least 15 pixels where that is 900 high
FITS = """() => {
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
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


def title_is(page, words):
    expect(page.locator("h1")).to_have_text(names.subscripted(words))
    wait_until_idle(page)


def reveal_all(page):
    """Go on from what of A and B agrees with the key, by keys."""
    for stage in ("Ask one metric", "Ask all metrics"):
        expect(page.get_by_role("button", name=stage)).to_be_visible()
        wait_until_idle(page)
        page.keyboard.press("ArrowRight")


@pytest.mark.slow
def test_predict_then_reveal_and_the_same_link_asks_anew_in_another_browser(
    page, stranger, address
):
    open_at(page, f"{address}/pitfalls")
    place_of(page.get_by_role("button", name=FIRST.question))
    assert len(page.locator('[class*="st-key-pit_group_"] > *').evaluate_all(WIDTHS)) == 1
    page.get_by_role("button", name=FIRST.question).click()
    title_is(page, FIRST.question)
    expect(page.locator(".pit-scores")).to_have_count(0)
    sides = page.locator(".pit-sides").text_content()
    page.get_by_role("button", name="A is better").click()
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


@pytest.mark.slow
def test_a_presenter_goes_by_keys_through_cards_that_fit_the_window(page, address):
    first, second = BY_ID["micro-macro"], BY_ID["conll-average"]  # the longest
    open_(page, address, f"?card={first.id}&present=yes")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    reveal_all(page)
    title_is(page, first.title)
    expect(page).to_have_url(re.compile("revealed=yes"))
    page.wait_for_function(FITS)
    page.keyboard.press("PageDown")
    title_is(page, second.question)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.keyboard.press("a")
    reveal_all(page)
    title_is(page, second.title)
    page.wait_for_function(FITS)
    page.keyboard.press("ArrowLeft")
    title_is(page, first.question)
    page.keyboard.press("ArrowRight")
    reveal_all(page)
    title_is(page, first.title)
    page.wait_for_function(FITS)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"card={first.id}(?!.*present)"))


@pytest.mark.slow
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
    page.get_by_role("button", name="As a chart").click()
    expect(page.get_by_role("dialog").locator(".js-plotly-plot .gtitle")).to_have_text(FIRST.title)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Open A in the sandbox").click()
    expect(page).to_have_url(re.compile(r"/sandbox\?.*k=ab\.cd\.ef\.gh&r=abcdefgh"))
