"""Whole entities at a glance on the page Text, the search in it, and the credit of one system."""

import re

import pytest
from playwright.sync_api import expect

from dashboard.session import analyses
from tests.support.browser import open_at, place_of, served, wait_until_idle, watched
from tests.support.pages import html, name_files, page_of, run

# The page -----------------------------------------------------------------------------------------


def test_the_errors_of_entities_are_filters():
    app = page_of(view="text", error_kinds=["divided entity"])
    system = app.session_state["loaded"].systems[0]
    here = analyses.operations(system).query("document == 'news_harbour'")
    divided = here[here["kind"] == "divided entity"]["spans"]
    n = len({span for spans in divided for span in spans})
    assert n > 0
    assert f"The filters leave {n} of " in html(app)


@pytest.mark.parametrize("letters", ["A", "B", "AB", ""])
def test_the_errors_of_entities_of_a_of_b_or_of_either_are_filters_on_one_text(letters):
    app = page_of(
        view="text", together="true", error_kinds=["conflated entities"], errors_of=list(letters)
    )
    spans = set()
    for system in app.session_state["loaded"].systems:
        here = analyses.operations(system).query("document == 'news_harbour'")
        conflated = here[here["kind"] == "conflated entities"]["spans"]
        if system.letter in (letters or "AB"):
            spans |= {span for several in conflated for span in several}
    assert f"The filters leave {len(spans)} of " in html(app)


def test_a_search_turns_to_the_next_window_that_has_the_words(monkeypatch, tmp_path):
    with_word = tuple("needle" if at == 1500 else f"w{at}" for at in range(2000))
    lines = "".join(f"d\t0\t{at}\t{word}\t-\n" for at, word in enumerate(with_word))
    text = f"#begin document (d); part 000\n{lines}\n#end document\n"
    for name in ("key.conll", "a.conll"):
        (tmp_path / name).write_text(text.replace("w7\t-", "w7\t(1)"), encoding="utf-8")
    name_files(monkeypatch, tmp_path / "key.conll", tmp_path / "a.conll")
    app = run(view="text", find="needle")
    part = app.session_state["part"]
    assert part > 1
    app.text_input(key="find").input("w3 ").run()
    assert app.session_state["part"] == 1
    assert run(view="text", find="needle", part="1").session_state["part"] == 1  # as a link says


def open_(page, url):
    open_at(page, url)
    page.locator(".passage .word").first.wait_for()
    wait_until_idle(page)


@pytest.mark.slow
def test_the_text_can_be_coloured_by_entity_and_a_mark_selects_its_mention(page, address):
    open_(page, f"{address}/text?colour_by=key+entities")
    rows = page.locator(".entity")
    expect(rows.first.locator(".chip")).to_have_text("A")
    n = int(rows.first.locator("small").inner_text())
    expect(page.locator(".lines .label.hue-0.pattern-0:not(.again)")).to_have_count(n)
    labels = page.locator(".lines .label.hue-0.pattern-0").all_inner_texts()
    assert set(labels) == {"A"}
    mark = rows.first.locator(".mark").last
    at = mark.get_attribute("data-go")
    mark.click()
    expect(page.locator(f'.lines .label[data-at="{at}"]')).to_be_focused()
    expect(page).to_have_url(re.compile(f"mention={at}"))
    expect(page.locator(".credit th")).to_have_text(["", "recall", "precision"])


@pytest.mark.slow
def test_words_that_are_found_are_marked_and_stepped_through(page, address):
    open_(page, address + "/text?find=the")
    found = page.locator(".form.found")
    found.first.wait_for()
    page.get_by_role("button", name="Next place with these words").click()
    expect(page.locator(".hits")).to_have_text(re.compile(r"“the”: 1 of \d+"))
    expect(page.locator(".form.found.now")).to_have_count(1)
    page.get_by_role("button", name="Next place with these words").click()
    expect(page.locator(".hits")).to_have_text(re.compile(r"“the”: 2 of \d+"))


@pytest.mark.slow
def test_in_a_narrow_window_the_chains_stay_in_sight_and_the_bar_below_the_header(
    chromium, address
):
    with watched(chromium, address, width=1024) as page:
        open_(page, f"{address}/text?document=news_harbour")
        page.keyboard.press("n")
        expect(page.locator(".chain").first).to_be_visible()
        for _ in range(2):
            page.mouse.move(700, 500)
            page.mouse.wheel(0, 300)
            chains, bar = (place_of(page.locator(of)) for of in (".chains", ".tools"))
            assert chains["y"] + chains["height"] <= 900 + 1
            assert bar["y"] >= place_of(page.get_by_test_id("stHeader"))["height"] - 1


@pytest.mark.slow
def test_the_note_tells_a_long_mention_from_both_ends(chromium, tmp_path):
    cells = {0: "(1", 59: "1)"}
    rows = "".join(f"d\t0\t{at}\tword{at}\t{cells.get(at, '-')}\n" for at in range(80))
    text = f"#begin document (d); part 000\n{rows}\n#end document\n"
    for name in ("key.conll", "a.conll"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = str(tmp_path / "key.conll"), str(tmp_path / "a.conll")
    with served(*files) as url, watched(chromium, url, width=1024) as page:
        open_(page, f"{url}/text")
        page.locator(".line .label").first.hover()
        note = page.locator(".note")
        expect(note).to_contain_text("word0 word1")
        expect(note).to_contain_text("word58 word59")
        assert note.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
