"""Whole entities at a glance on the page Text, the search in it, and the credit of one system."""

import pytest
from playwright.sync_api import expect

from dashboard.session import analyses
from tests.support.browser import open_at, place_of, wait_until_idle, watched
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
    app = run(view="text", search="needle")
    part = app.session_state["part"]
    assert part > 1
    app.text_input(key="search").input("w3 ").run()
    assert app.session_state["part"] == 1
    assert run(view="text", search="needle", part="1").session_state["part"] == 1  # as a link says


def open_(page, url):
    open_at(page, url)
    page.locator(".passage .word").first.wait_for()
    wait_until_idle(page)


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
