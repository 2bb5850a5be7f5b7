"""The passage's script with what the page Text sends it: pointer, keys, and what goes back."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.blank import Drawn, blank_page, param
from tests.support.pages import name_files, run

pytestmark = pytest.mark.slow


def drawn(page, **parameters):
    """The passage of the page Text."""
    return Drawn(page, run(view="text", **parameters), "passage")


def count(page):
    return page.locator(".passage .count")


def note(page):
    return page.locator(".passage .note")


# One mention --------------------------------------------------------------------------------------


def test_pointing_at_a_mention_lights_up_its_entity_on_both_sides(blank):
    text = drawn(blank)
    expect(note(blank)).to_have_text(text.data["hint"])
    label = blank.locator(".line .label.unlinked").first
    label.hover()
    expect(label).to_have_class("label unlinked lit-key lit-response lit")
    of_key = blank.locator(".lines .lane.lit-key:has(.key)").evaluate_all(
        "nodes => new Set(nodes.map(n => n.dataset.mention)).size"
    )
    expect(note(blank)).to_contain_text(f"key entity 2 ({of_key} mention", use_inner_text=True)
    blank.mouse.move(0, 0)
    expect(blank.locator(".lit, .lit-key, .lit-response")).to_have_count(0)
    expect(note(blank)).to_have_text(text.data["hint"])
    assert text.is_quiet()


def test_a_click_selects_a_mention_and_shows_its_chains(blank):
    text = drawn(blank)
    label = blank.locator(".line .label.unlinked").first  # the key has others of its entity
    at = label.get_attribute("data-at")
    label.click()
    assert text.answer() == [{"event": "chosen", "value": at}]
    assert param(text.app, "mention") == at
    chains = blank.locator(".chain")
    expect(chains).to_have_count(2)
    expect(chains.first).to_contain_text("Key entity 2")
    expect(chains.last).to_contain_text("of A")
    expect(blank.locator(f'.member[aria-current="true"][data-go="{at}"]')).to_have_count(2)
    other = chains.first.locator(".member:not([aria-current])").first
    at = other.get_attribute("data-go")
    other.click()
    assert text.answer() == [{"event": "chosen", "value": at}]
    expect(blank.locator(f'.line .label[data-at="{at}"]')).to_be_focused()
    blank.keyboard.press("Escape")
    assert text.answer() == [{"event": "chosen", "value": ""}]
    assert param(text.app, "mention") == ""
    expect(chains).to_have_count(0)


def test_a_second_click_on_a_mention_selects_none(blank):
    text = drawn(blank, document="news_harbour", mention="0-6")
    blank.locator('.line .label[data-at="0-6"]').click()
    assert text.answer() == [{"event": "chosen", "value": ""}]
    expect(blank.locator(".chain")).to_have_count(0)


def test_a_mention_can_be_reached_and_selected_by_keyboard(blank):
    text = drawn(blank)
    label = blank.locator(".line .label").first
    for key in ("Enter", " "):
        label.focus()
        blank.keyboard.press(key)
        text.answer()
        expect(blank.locator(".chain")).to_have_count(2)
        label.blur()
        expect(blank.locator(".label.lit")).to_have_count(1)
        label.focus()
        blank.keyboard.press("Escape")
        text.answer()
        expect(blank.locator(".chain")).to_have_count(0)


UNDER = """([x, y]) => {
    let found = document.elementFromPoint(x, y);
    while (found.shadowRoot) found = found.shadowRoot.elementFromPoint(x, y);
    return found.closest("[data-mention]")?.dataset.mention;
}"""


def test_the_mention_that_was_clicked_is_told_though_the_text_moves_under_the_pointer(blank):
    text = drawn(blank, document="news_harbour")
    label = blank.locator('.line .label[data-at="50-53"]')  # four fishing boats
    box = label.bounding_box()
    place = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    label.click()
    text.answer()
    expect(blank.locator(".chain")).to_have_count(2)
    under = blank.evaluate(UNDER, place)
    assert under not in (None, "", label.get_attribute("data-mention"))  # the chains took its place
    expect(note(blank).locator("q")).to_have_text("four fishing boats")
    blank.mouse.move(0, 0)
    blank.mouse.move(*place)
    other = blank.locator(f'.line .label[data-mention="{under}"]')
    told = other.get_attribute("aria-label").split(". ")[0]
    expect(note(blank).locator("q")).to_have_text(told)


# From error to error ------------------------------------------------------------------------------


def test_keys_move_from_error_to_error(blank):
    text = drawn(blank)
    n, places = text.data["n_errors"], text.data["errors"]
    expect(count(blank)).to_have_text(f"{n} mentions with errors")
    for number in (1, 2, 3):
        blank.keyboard.press("n")
        assert text.answer() == [{"event": "chosen", "value": places[number - 1]}]
        expect(count(blank)).to_have_text(f"{number} of {n} mentions with errors")
    expect(blank.locator(".line .label.lit")).to_be_focused()
    blank.keyboard.press("p")
    text.answer()
    expect(count(blank)).to_have_text(f"2 of {n} mentions with errors")
    assert param(text.app, "mention") == places[1]


def test_buttons_lead_to_the_errors_before_and_after_and_end_at_the_last(blank):
    text = drawn(blank)
    places = text.data["errors"]
    previous, following = (
        blank.get_by_role("button", name=name) for name in ("Previous error", "Next error")
    )
    expect(previous).to_be_disabled()
    following.click()
    text.answer()
    following.click()
    assert text.answer()[0]["value"] == places[1]
    previous.click()
    assert text.answer()[0]["value"] == places[0]
    expect(previous).to_be_disabled()
    expect(following).to_be_enabled()
    last = drawn(blank, mention=places[-1])
    expect(following.last).to_be_disabled()
    assert last.data["chosen"] == places[-1]


def test_keys_move_from_difference_to_difference_with_the_credit_beside(blank):
    text = drawn(blank, together="true")
    expect(blank.locator(".credit")).to_have_count(0)
    blank.keyboard.press("n")
    text.answer()
    expect(count(blank)).to_have_text(re.compile(r"1 of \d+ differences"))
    expect(blank.locator(".line .label.lit")).to_have_class(re.compile("only-"))
    expect(blank.locator(".credit th")).to_have_text(["", "A", "B"])
    expect(blank.locator(".credit tr")).to_have_count(7)
    rows = blank.locator(".credit tr:has(td)")
    for row, (title, shares) in zip(rows.all(), text.data["credit"]["rows"], strict=True):
        expect(row.locator("td")).to_have_text([title, *shares])
    expect(rows.last).to_contain_text("LEA")


def test_keys_that_are_typed_into_a_box_move_nothing(blank):
    text = drawn(blank)
    blank.evaluate("document.body.append(document.createElement('input'))")
    blank.locator("body > input").focus()
    blank.keyboard.type("np")
    expect(blank.locator("body > input")).to_have_value("np")
    assert text.is_quiet()


# Filters, colours, words --------------------------------------------------------------------------


def test_a_filter_leaves_only_what_it_names(blank):
    drawn(blank, only="missing")
    styles = blank.locator(".line .label").evaluate_all(
        "n => [...new Set(n.map(x => x.className))]"
    )
    assert styles == ["label missing"]


def test_the_text_can_be_coloured_by_entity_and_a_mark_selects_its_mention(blank):
    text = drawn(blank, colour_by="key entities")
    rows = blank.locator(".entity")
    expect(rows.first.locator(".chip")).to_have_text("A")
    n = int(rows.first.locator("small").inner_text())
    labels = blank.locator(".lines .label.hue-0.pattern-0")
    expect(blank.locator(".lines .label.hue-0.pattern-0:not(.again)")).to_have_count(n)
    assert set(labels.all_inner_texts()) == {"A"}
    mark = rows.first.locator(".mark").last
    at = mark.get_attribute("data-go")
    mark.click()
    assert text.answer() == [{"event": "chosen", "value": at}]
    expect(blank.locator(f'.lines .label[data-at="{at}"]')).to_be_focused()
    assert param(text.app, "mention") == at
    expect(blank.locator(".credit th")).to_have_text(["", "recall", "precision"])


def test_words_that_are_found_are_marked_and_stepped_through(blank):
    text = drawn(blank, search="the")
    places, n = text.data["found"]["places"], text.data["found"]["n"]
    found, now = blank.locator(".form.found"), blank.locator(".form.found.now")
    expect(found).to_have_count(n)  # one word each
    expect(blank.locator(".hits")).to_have_text(f"“the”: {n}")
    following, previous = (
        blank.get_by_role("button", name=f"{name} place with these words")
        for name in ("Next", "Previous")
    )
    expect(previous).to_be_disabled()
    for number in (1, 2):
        following.click()
        expect(blank.locator(".hits")).to_have_text(f"“the”: {number} of {n}")
        expect(now).to_have_count(1)
        forms = blank.locator(".lines .form")
        at = forms.evaluate_all("all => all.findIndex((one) => one.matches('.now'))")
        assert at == places[number - 1][0]
    previous.click()
    expect(blank.locator(".hits")).to_have_text(f"“the”: 1 of {n}")
    assert text.is_quiet()


# Long documents -----------------------------------------------------------------------------------


def column_file(path, marks, n_words):
    """A document of that name with these brackets at these words."""
    lines = [f"d\t0\t{i}\tword{i}\t{marks.get(i, '-')}" for i in range(n_words)]
    path.write_text("\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""]))
    return path


CLICK_BOTH = """page => {
  [...page.querySelectorAll(".line .label")].at(-1).click();
  page.querySelector(".stretch").click();
}"""


@pytest.fixture
def long(tmp_path, monkeypatch):
    """A long mention in a long document with errors all over it."""
    marks = dict.fromkeys(range(400, 4000, 400), "(1)")
    key = column_file(tmp_path / "key.conll", {2: "(1", 90: "1)", **marks}, 4000)
    name_files(monkeypatch, key, column_file(tmp_path / "out.conll", {2: "(1", 90: "1)"}, 4000))


@pytest.mark.usefixtures("long")
def test_the_text_stays_where_it_is_when_a_long_mention_is_told(chromium):
    """Were it to move away from the pointer, it would flicker for ever."""
    with blank_page(chromium, width=1024) as page:
        drawn(page)
        label = page.locator(".line .label").first
        before = label.bounding_box()["y"]
        label.hover()
        expect(note(page).locator("q")).to_contain_text("word2 word3")
        assert label.bounding_box()["y"] == before


@pytest.mark.usefixtures("long")
def test_a_click_on_the_strip_turns_to_its_window_and_loses_no_mention(blank):
    text = drawn(blank)
    forms = blank.locator(".form")
    expect(forms.first).to_have_text("word0")
    stretch = blank.locator(".stretch").last
    word = int(stretch.get_attribute("data-word"))
    assert blank.locator(".stretch.shown").first.get_attribute("data-word") == "0"
    stretch.click()
    assert text.answer() == [{"event": "place", "value": word}]
    expect(blank.get_by_text("word3999", exact=True)).to_have_count(1)
    expect(forms.first).not_to_have_text("word0")
    expect(stretch).to_have_class(re.compile("shown"))
    at = blank.locator(".line .label").last.get_attribute("data-at")
    blank.locator(".passage").evaluate(CLICK_BOTH)
    sent = text.answer()
    assert sent[-2:] == [{"event": "chosen", "value": at}, {"event": "place", "value": 0}]
    expect(forms.first).to_have_text("word0")
    assert param(text.app, "mention") == at


@pytest.mark.usefixtures("long")
def test_arrows_move_along_the_strip_and_each_stretch_says_what_it_has(blank):
    text = drawn(blank)
    strip, width = text.data["strip"], text.data["strip"]["width"]
    stretches = blank.locator(".stretch")
    expect(stretches).to_have_count(len(strip["counts"]))
    with_one = strip["counts"].index(1)
    title = f"Words {with_one * width + 1} to {(with_one + 1) * width}: 1 mention with errors"
    assert stretches.nth(with_one).get_attribute("title") == title
    stretches.first.focus()
    blank.keyboard.press("ArrowRight")
    expect(stretches.nth(1)).to_be_focused()
    blank.keyboard.press("ArrowLeft")
    expect(stretches.first).to_be_focused()


def test_the_note_tells_a_long_mention_from_both_ends(chromium, tmp_path, monkeypatch):
    marks = {0: "(1", 59: "1)"}
    name_files(
        monkeypatch,
        *(column_file(tmp_path / name, marks, 80) for name in ("key.conll", "a.conll")),
    )
    with blank_page(chromium, width=1024) as page:
        drawn(page)
        page.locator(".line .label").first.hover()
        expect(note(page)).to_contain_text("word0 word1")
        expect(note(page)).to_contain_text("word58 word59")
        assert note(page).evaluate("node => node.scrollHeight <= node.clientHeight + 1")
