"""The sandbox page: under Streamlit's test runner, and by pointer and keyboard in Chromium."""

import json
import re

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS
from corescore.teaching.examples import EXAMPLES
from corescore.teaching.exercises import EXERCISES
from corescore.teaching.own import OwnCard, card_in_link, cards_text
from corescore.teaching.toy import Toy
from dashboard.components.sandbox import boxes_of
from dashboard.session.access import CARDS_VARIABLE
from tests.support.acts import choose, press, says
from tests.support.browser import (
    THREE_EDITS,
    drag,
    expect_to_fit,
    open_at,
    param,
    push,
    turn_to,
    wait_until_idle,
    watched,
)
from tests.support.pages import html, html_as_sent, open_page, page_of, run

VIEW = "sandbox"
LINK = {"k": "abc.defg", "r": "ab.cd.fghi", "m": "lea"}


def shown(app):
    return app.session_state["sandbox"]


def pressed(app, label):
    return shown(press(app, label)).toy


# Under Streamlit's test runner --------------------------------------------------------------------


def test_it_opens_with_an_example_and_needs_no_files():
    app = page_of(VIEW, data="uploaded files")
    assert shown(app).toy == EXAMPLES[0].toy
    assert says(app, "2 correct", "6 wrong", "7 missing")
    assert "| singletons keep |" in html(app)


def test_a_link_is_followed_and_its_toy_scored():
    app = page_of(VIEW, **LINK)
    result = Toy.of("{abc}{defg}", "{ab}{cd}{fghi}").result
    for metric in METRICS:
        for measure in MEASURES:
            assert f"<td>{100 * getattr(result[metric.id], measure):.2f}<" in html(app)
    assert app.text_input(key="toy_response").value == "{a b} {c d} {f g h i}"
    assert "3\u00a0·\u00a01/3 + 4\u00a0·\u00a01/6</span>" in html_as_sent(app)  # of LEA


@pytest.mark.parametrize(
    "link, told",
    [
        ({"k": "ab"}, "the link: no response"),
        ({**LINK, "m": "<b>"}, "metric is '&lt;b&gt;'; expected one of"),
        ({"x": "nothing"}, "expected one of: bcub-no-link"),
        ({**LINK, "s": "f2"}, "measure is 'f2'"),
    ],
)
def test_a_damaged_link_is_explained_and_the_page_works(link, told):
    app = run(VIEW, **link)
    assert told in html(app).replace("&#39;", "'")
    assert pressed(app, "One entity").response == (tuple("abcdefg"),)
    assert told not in html(app).replace("&#39;", "'")


def test_buttons_edit_and_what_they_do_is_undone_and_stands_in_the_url():
    app = run(VIEW, **LINK)
    assert pressed(app, "All singletons").response == tuple((m,) for m in "abcdefg")
    assert param(app, "r") == "a.b.c.d.e.f.g"
    assert pressed(app, "Swap sides").key == tuple((m,) for m in "abcdefg")
    assert pressed(app, "Undo").key_notation == "{a b c} {d e f g}"
    assert pressed(app, "Redo").response_notation == "{a b c} {d e f g}"
    assert pressed(app, "Add a spurious one").spurious == ("h",)
    assert set(pressed(app, "Random").mentions) <= set("abcdefg")
    assert param(app, "m") == "lea"


def test_the_toy_stays_while_other_pages_are_looked_at():
    app = run(VIEW, **LINK)
    toy = pressed(app, "One entity")
    open_page(app, "metrics")
    app.query_params.clear()
    open_page(app, VIEW)
    assert shown(app).toy == toy
    assert (param(app, "r"), param(app, "m")) == ("abcdefg", "lea")
    assert app.text_input(key="toy_response").value == "{a b c d e f g}"
    app.query_params.clear()
    app.run()  # as the browser's Back does
    assert shown(app).toy == EXAMPLES[0].toy


def test_text_is_taken_over_and_wrong_text_loses_nothing():
    app = run(VIEW, **LINK)
    choose(app, "toy_response", "{abc}{de")
    assert "the response: &#39;{de&#39;; expected entities in braces" in html(app)
    assert app.text_input(key="toy_response").value == "{abc}{de"
    assert shown(app).toy.response_notation == "{a b} {c d} {f g h i}"
    choose(app, "toy_response", "{abc}{de}")
    assert app.text_input(key="toy_response").value == "{a b c} {d e}"
    assert param(app, "r") == "abc.de"
    assert says(app, "a–c, b–c and d–e", "correct")
    choose(app, "toy_key", "{abc}{de}")
    assert "No link of the response changed. 4 correct links, 0 wrong, 0 missing." in html(app)
    choose(app, "toy_sentence", "[a Mia] lost [b [c her] keys]")
    assert shown(app).toy.sentence.said("b") == "her keys"


def test_boxes_have_their_texts_in_every_run_and_only_the_changed_one_is_read():
    app = run(VIEW, **LINK)
    for name in ("toy_key", "toy_response", "toy_sentence"):
        app.session_state[name] = ""  # as where a run was cut short before the boxes were drawn
    app.run()
    assert app.text_input(key="toy_key").value == "{a b c} {d e f g}"
    assert app.text_input(key="toy_response").value == "{a b} {c d} {f g h i}"
    app.session_state["toy_key"] = ""
    choose(app, "toy_response", "{abc}")
    assert shown(app).toy.key_notation == "{a b c} {d e f g}"
    assert param(app, "k") == "abc.defg"
    assert param(app, "r") == "abc"


def test_two_wrong_texts_stay_until_both_are_right():
    app = run(VIEW, **LINK)
    choose(app, "toy_key", "{ab")
    choose(app, "toy_response", "{ab}")
    assert app.text_input(key="toy_key").value == "{ab"
    assert "the key: &#39;{ab&#39;" in html(app)
    choose(app, "toy_key", "{ab}")
    assert (param(app, "k"), param(app, "r")) == ("ab", "ab")


def test_an_example_is_opened_by_its_name():
    app = run(VIEW, x=EXERCISES[0].id)
    choose(app, "toy_example", EXAMPLES[1].name)
    assert shown(app).toy == EXAMPLES[1].toy
    assert shown(app).exercise is None
    assert "x" not in app.query_params


def test_an_exercise_shows_its_goal_and_can_be_left():
    exercise = EXERCISES[0]
    app = run(VIEW, x=exercise.id)
    assert exercise.goal in html(app)
    assert "not reached yet" in html(app)
    assert pressed(app, "One entity") != exercise.start
    assert param(app, "x") == exercise.id
    assert pressed(app, "Start again") == exercise.start
    press(app, "Leave the exercise")
    assert exercise.goal not in html(app)


def test_the_words_of_the_sentence_open_and_close_their_mentions():
    drawn = boxes_of(Toy.of("{a b}", "{a z}", "[a Mia] lost [b [z her] keys]"), news="")
    told = [(word.text, word.opens, word.closes) for word in drawn.words]
    assert told == [*(("Mia", ("a",), 1), ("lost", (), 0), ("her", ("b", "z"), 1), ("keys", (), 1))]
    assert [drawn.mentions[m].letter for m in "abz"] == ["i", "m", "s"]


def report_twice():
    """A script: edits are reported, and again with those made before the first were drawn."""
    import streamlit as st

    from corescore.teaching.toy import History, Toy
    from dashboard.views import sandbox

    if "sandbox" in st.session_state:
        return
    toy = Toy.of("{abc}{defg}", "{ab}{cd}{fghi}")
    st.session_state["sandbox"] = sandbox.Sandbox(History((toy,)))
    common = {"side": "response"}
    split = {"do": "split", "entity": ["f", "g", "h", "i"], "number": 1.0, **common}
    drop = {"do": "drop", "entity": ["a", "b"], "number": 2, **common}
    move = {"do": "move", "mention": "e", "to": ["c", "d"], "number": 3, **common}
    lost = {"do": "merge", "entity": ["c", "d"], "into": ["a", "b"], "number": 4, **common}
    out = {"do": "move", "mention": "d", "to": "missing", "number": 5, **common}
    sandbox.take([split])
    sandbox.take([split, drop, move, lost, out])


def test_edits_reported_again_are_applied_once_and_find_their_entities():
    app = AppTest.from_function(report_twice, default_timeout=60).run()
    assert not app.exception
    found = shown(app)
    assert found.toy.response_notation == "{c e} {f g} {h i}"
    assert (found.taken, len(found.history.toys)) == (5, 5)
    assert found.wrong == "edit"
    assert "the entity a, b" in "".join(found.problems)


# In a browser -------------------------------------------------------------------------------------


def open_sandbox(page, address, query=""):
    open_at(page, f"{address}/sandbox{query}")
    page.locator(".sandbox .chip").first.wait_for()
    page.locator(".toy-scores").wait_for()
    wait_until_idle(page)


def in_box(page, name, to):
    return page.locator(f'.response .box[data-to="{to}"] [data-mention="{name}"]')


def scores_of(page):
    return page.locator(".toy-scores td:not(.track)").evaluate_all(
        "cells => cells.map(cell => cell.firstChild.textContent)"
    )


def test_a_toy_is_edited_by_pointer_and_text_and_goes_along_in_its_link(page, stranger, address):
    open_sandbox(page, address, "?k=abc.defg&r=ab.cd.fghi&m=bcub")
    drag(page, "d", 2)
    expect(in_box(page, "d", 2)).to_be_visible()
    expect(page.locator(".toy-headline")).to_contain_text("d–f and d–g are now correct")
    expect(page.locator(".track i")).to_have_count(6)
    expect(page.get_by_label("Response as text", exact=True)).to_have_value("{a b} {c} {f g h i d}")
    page.wait_for_url(re.compile(r"r=ab\.c\.fghid"))
    page.go_back()
    expect(in_box(page, "d", 1)).to_be_visible()
    text = page.get_by_label("Key as text", exact=True)
    text.fill("{abcd}{efg}")
    text.press("Enter")
    expect(page.locator('.key .box[data-to="0"] [data-mention="d"]')).to_be_visible()
    page.wait_for_url(re.compile(r"k=abcd\.efg"))
    wait_until_idle(page)  # the URL comes before the scores
    push(page, "As a chart")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".xtick")).to_have_text(["MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA"])
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    with watched(stranger, address, width=1024, scheme="dark") as other:
        open_sandbox(other, address, page.url.partition("/sandbox")[2])
        assert scores_of(other) == scores_of(page)
        expect_to_fit(other)


def test_a_card_is_made_of_what_is_shown(monkeypatch, tmp_path):
    app = run(VIEW, k="abcd", r="ab.cd")
    press(app, "One entity")
    for name, text in {"title": "T", "question": "Whole?", "reason": "R."}.items():
        choose(app, f"card_{name}", text)
    card = OwnCard("T", "Whole?", "R.", "{a b c d}", "{a b} {c d}", "{a b c d}")
    links = [link.proto.query_string for link in app.get("page_link")]
    assert any(f"made={card_in_link(card)}" in link for link in links)
    monkeypatch.setenv(CARDS_VARIABLE, json.dumps([str(tmp_path / "cards.json")]))
    (tmp_path / "cards.json").write_text(cards_text([card]))
    for address in ({"made": card_in_link(card)}, {}):
        shown = run("pitfalls", card=card.id, **address)
        assert shown.title[0].value == r"Whole\?"
    opened = run("pitfalls", card=card.id, made=card_in_link(card), revealed="yes")
    assert says(opened, "B has fewer", 0, 4)


def test_a_damaged_link_of_a_card_is_told():
    app = page_of("pitfalls", made="x!")
    assert "the link: something other than a card" in html(app)


@pytest.mark.long
def test_a_reload_shows_the_texts_beside_progress_of_the_lesson(page, address):
    link = f"{address}/{VIEW}?k=abc.defg&r=ab.cd.fghi"
    open_at(page, link)
    progress = json.dumps({"lesson_done": ["one"], "pitfalls_seen": []})
    page.evaluate("t => sessionStorage.setItem('corescore progress', t)", progress)
    for _ in range(3):
        page.reload()
        wait_until_idle(page)
        boxes = {
            "Key as text": "{a b c} {d e f g}",
            "Response as text": "{a b} {c d} {f g h i}",
        }
        for label, text in boxes.items():
            expect(page.get_by_role("textbox", name=label)).to_have_value(text, timeout=20_000)


def test_quick_edits_are_all_applied_once_also_after_undo_and_on_the_way_to_another_page(
    page, address
):
    open_sandbox(page, address, "?k=abc.defg&r=ab.cd.fghi&m=bcub")
    text = page.get_by_label("Response as text", exact=True)
    boxes, undo = page.locator(".sandbox"), page.get_by_role("button", name="Undo")
    expect(boxes.locator(".response .apart")).to_have_text(["≠"] * 3)  # in cd and fghi
    expect(boxes.locator(".key .apart")).to_have_count(0)
    boxes.evaluate(THREE_EDITS)
    expect(text).to_have_value("{d} {f g} {h i}")
    for before in ("{a b} {d} {f g} {h i}", "{a b} {c d} {f g} {h i}", "{a b} {c d} {f g h i}"):
        undo.click()
        expect(text).to_have_value(before)
    expect(undo).to_be_disabled()
    expect(page.locator(".response .entity")).to_have_count(3)
    boxes.evaluate(THREE_EDITS)
    turn_to(page, "Metrics")
    turn_to(page, "Sandbox")
    expect(text).to_have_value("{d} {f g} {h i}")
    page.locator('[data-stop="response d"]').press("Delete")
    expect(text).to_have_value("{f g} {h i}")
