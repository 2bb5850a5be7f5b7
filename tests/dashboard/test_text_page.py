"""The page Text."""

import re

import pytest
from playwright.sync_api import expect

from corescore.analysis.errors.tables import mention_table, outcome_table
from dashboard.components import mentions
from dashboard.session import analyses
from dashboard.session.url_names import SETTINGS
from dashboard.views import text
from tests.support.acts import choose, press, says
from tests.support.browser import open_at, param, place_of, title_of, wait_until_idle, watched
from tests.support.pages import (
    KEY,
    REPEATS,
    RESPONSE,
    headlines,
    html,
    loaded_in,
    name_files,
    open_page,
    page_of,
    reads,
    run,
)

# The Text page: what is drawn of a document, how it is filtered, and what keys and ----------------

TEXT = "text"


# The page ---------------------------------------------------------------------------------------


def test_a_link_selects_a_mention_and_another_document_forgets_it():
    app = run(TEXT)
    app.query_params["mention"] = "5-6"
    app.run()
    assert app.session_state["place"].mention == (5, 6)
    press(app, "Next")
    assert app.session_state["place"].mention is None
    assert app.selectbox(key="document").value == "news_library"
    assert "In news_library, A (cautious) finds" in html(app)


def test_what_each_metric_gives_a_mention_stands_side_by_side():
    app = run(TEXT, together="true")
    app.query_params["mention"] = "23-25"  # Last March
    app.run()
    assert says(app, "possible recall credit", "“Last March”")
    assert says(app, "missing from the response", "key entity 6", 0, 1)
    assert says(app, "Key entity 6", "response entity 6", 1, 1)
    choose(app, "together", False)
    assert "possible recall credit" not in html(app)


def test_a_mention_that_only_one_response_has_is_explained_there(give):
    with_cat = KEY.replace(b"slept\t-", b"slept\t(8)")
    give(key_conll=KEY, a_conll=KEY, b_conll=with_cat)
    app = run(TEXT, together="true")
    app.query_params["mention"] = "1-2"
    app.run()
    assert says(app, "possible precision credit", "“slept”", "only B")


def test_a_link_with_a_filter_of_the_old_name_selects_it():
    assert page_of(TEXT, only=["right", "missing"]).session_state["only"] == [
        "correct",
        "missing",
    ]
    app = page_of(TEXT, together="true", only_outcomes="only A right")
    assert app.session_state["only_outcomes"] == ["only A correct"]


def test_the_filter_leaves_only_where_they_differ():
    app = page_of(TEXT, together="true", only_outcomes="where they differ")
    a, b = (analyses.mentions(system) for system in loaded_in(app).systems)
    outcomes = outcome_table(a, b).query("document == 'news_harbour'")["outcome"]
    n = outcomes.isin(mentions.DIFFERENCES).sum()
    assert f"The filters leave {n} of {len(outcomes)} mentions." in html(app)


def test_a_b_or_both_are_read_by_one_switch():
    app = run(TEXT)
    for letter, together, words in (
        ("B", False, "B (greedy) finds"),
        ("Both", True, "both have"),
        ("A", False, "A (cautious) finds"),
    ):
        choose(app, "read_of", letter)
        assert words in html(app)
        assert app.session_state["together"] is together
    app = run(TEXT, of="B", together="true")
    assert app.segmented_control(key="read_of").value == "Both"
    choose(app, "read_of", "B")
    assert "B (greedy) finds" in html(app)


def test_documents_without_words_have_their_mentions(give):
    """Files of two columns hold the document's name and the entities."""
    key = b"#begin document (d)\nd (1\nd 1)\nd (1)\n"
    give(key_conll=key, a_conll=key.replace(b"d (1)", b"d -"))
    app = run(TEXT)
    assert headlines(app)


@pytest.mark.parametrize(
    "key, response, says",
    [
        (b"{a b} {c}", b"{b c} {d}", (1, "A (response)", "finds 2 of 3", "2 with")),
        (*[KEY.replace(b"(1)", b"-")] * 2, ("Neither", "A (response)", "d")),
        (KEY, KEY.replace(b"(1)", b"(1)|(2)"), ("d", "A (response)", "finds 1 of 1", "it adds 1")),
    ],
    ids=["notation", "no mention", "a repeat"],
)
def test_the_text_of_odd_data(key, response, says, give):
    give(key_txt=key, response_txt=response)
    for repeats in REPEATS:
        assert reads(headlines(run(TEXT, repeats=repeats))[0], *says)


# In a browser -----------------------------------------------------------------------------------


def open_(page, address, path):
    open_at(page, address + path)
    expect(title_of(page)).to_contain_text("it do here")
    page.locator(".passage .word").first.wait_for()
    wait_until_idle(page)


def count(page):
    return page.locator(".passage .count")


def test_keys_move_on_after_a_document_or_both_responses_were_selected(page, address):
    open_(page, address, "/text")
    box = page.get_by_role("combobox", name="Document")
    box.click()
    page.get_by_role("option", name=re.compile("^news_library · ")).click()
    expect(page.locator(".headline").first).to_contain_text("In news_library")
    expect(box).not_to_be_focused()
    page.keyboard.press("n")
    expect(count(page)).to_have_text(re.compile(r"1 of \d+ mentions with errors"))
    expect(page).to_have_url(re.compile("mention="))
    page.get_by_text("Both", exact=True).click()
    expect(page.locator(".of-two")).to_have_count(1)
    wait_until_idle(page)
    before = page.url
    page.keyboard.press("n")
    page.wait_for_function("before => location.href !== before", arg=before)
    expect(count(page)).to_have_text(re.compile(r"\d+ of \d+ differences"))
    told, before = count(page).inner_text(), page.url
    wait_until_idle(page)
    box.click()
    page.keyboard.type("n")  # what somebody types stays with them
    expect(box).to_have_value("n")
    assert (count(page).inner_text(), page.url) == (told, before)


def test_the_filter_by_entity_is_in_the_link_unless_the_document_lacks_it():
    app = run("text", document="news_library")
    app.selectbox(key="within").select_index(7).run()
    within = app.query_params["within"]
    (left,) = re.findall("The filters leave[^<]*", html(app))
    assert left in html(run("text", document="news_library", within=within))
    app = page_of("text", within="999: nobody")
    assert "The filters leave" not in html(app)
    assert "within" not in app.query_params


def test_a_response_longer_than_its_key_is_read_where_positions_are_compared(give):
    more = RESPONSE.replace(b"slept\t-", b"slept\t-\nd\t0\t2\twell\t(7)")
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=more)
    for together in ("false", "true"):
        app = run("text", words="compare positions", b="b.conll", a="a.conll", together=together)
    run("errors", words="compare positions", b="b.conll", a="a.conll")
    app = run("text", words="compare positions", a="b.conll", b="none")
    assert loaded_in(app).systems[0].result["mentions"].precision == 1 / 2


def columns(*rows):
    """A file of one document: a word and what its last column holds in each row."""
    lines = "".join(f"d\t0\t{at}\t{row[0]}\t{row[1]}\n" for at, row in enumerate(rows))
    return f"#begin document (d); part 000\n{lines}\n#end document\n".encode()


LONG = columns(("old", "(1"), ("Mia", "1)"), ("saw", "-"), ("her", "(1)"), ("cat", "(2)"))
SHORT = columns(("old", "(1)"), ("Mia", "-"), ("saw", "-"), ("her", "(1)"), ("cat", "-"))


@pytest.mark.parametrize("at", ["0-2", "0-1"])
def test_the_page_says_with_which_mention_of_the_key_one_is_matched_and_how(at, give):
    give(key_conll=LONG, a_conll=SHORT)
    app = run("text", match="or the same head", mention=at)
    assert says(app, "1 mention", "other words", "head", "twice")
    assert any(
        reads(line, "response", "“old”", "key", "“old Mia”", "head") for line in headlines(app)
    )
    table = mention_table(loaded_in(app).systems[0].result.comparison)
    drawn = mentions.of_one_system(table)
    assert [(d.start, d.end, d.kind, d.lines) for d in drawn[:2]] == [
        (0, 2, "correct", (0,)),
        (0, 1, "correct", (1,)),
    ]


def test_a_mention_matched_by_its_words_says_so_only_where_others_may_match(give):
    give(key_conll=LONG, a_conll=SHORT)
    said = headlines(run("text", match="or within, around the head", mention="3-4"))
    assert any(reads(line, "response", "“her”", "key", "“her”", "same words") for line in said)
    exact = html(run("text", mention="3-4"))
    assert "matched with" not in exact
    missing = html(run("text", match=SETTINGS["match"].options["head"], mention="4-5"))
    assert "The response’s" not in missing


# A long document --------------------------------------------------------------------------------


def test_the_filter_lists_the_largest_entities_and_says_so(monkeypatch):
    every = run(TEXT).selectbox(key="within").options
    monkeypatch.setattr(text, "MOST_NAMES", 3)
    text.entity_names.clear()
    app = run(TEXT)
    text.entity_names.clear()
    listed = app.selectbox(key="within").options
    assert len(listed) == 5
    assert set(listed) < set(every)
    assert any(reads(caption.value, "3 largest", "listed") for caption in app.caption)


@pytest.mark.parametrize("of", ["B", "b"])
def test_a_link_may_name_a_response_by_its_letter(of):
    app = page_of("text", of=of)
    assert app.segmented_control(key="of").value == "B"
    assert "B (greedy) finds" in html(app)


# Whole entities at a glance on the page Text, the search in it, and the credit of one -------------

# The page -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("letters", ["A", "B", "AB", ""])
def test_the_errors_of_entities_of_a_of_b_or_of_either_are_filters_on_one_text(letters):
    app = page_of(
        "text", together="true", error_kinds=["conflated entities"], errors_of=list(letters)
    )
    spans = set()
    for system in loaded_in(app).systems:
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
    app = run("text", search="needle")
    part = app.session_state["part"]
    assert part > 1
    choose(app, "search", "w3 ")
    assert app.session_state["part"] == 1
    assert run("text", search="needle", part="1").session_state["part"] == 1  # as a link says


def test_a_mention_selected_by_a_link_is_in_the_window_again_after_another_page(give):
    text = columns(*((f"w{at}", "(1)" if at in (2, 1400) else "-") for at in range(1500)))
    give(key_conll=text, response_conll=text)
    app = run("text", document="d", mention="1400-1401")
    assert app.session_state["part"] == 3
    assert param(app, "part") == "3"  # to which Back leads
    open_page(app, "overview")
    app.query_params.pop("part", None)
    open_page(app, "text")
    assert app.session_state["part"] == 3


def test_in_a_narrow_window_the_chains_and_the_bar_stay_in_sight(chromium, address):
    with watched(chromium, address, width=1024) as page:
        open_(page, address, "/text?document=news_harbour")
        page.keyboard.press("n")
        expect(page.locator(".chain").first).to_be_visible()
        for _ in range(2):
            page.mouse.move(700, 500)
            page.mouse.wheel(0, 300)
            chains, bar = (place_of(page.locator(of)) for of in (".chains", ".tools"))
            assert chains["y"] + chains["height"] <= 900 + 1
            assert 0 <= bar["y"] < 300


@pytest.mark.parametrize("mention", ["12-15", "42-45"])
def test_the_mention_of_a_link_is_in_sight_once_all_is_drawn(chromium, address, mention):
    with watched(chromium, address, width=1024) as page:
        page.set_viewport_size({"width": 1024, "height": 768})
        open_(page, address, f"/text?document=news_harbour&mention={mention}")
        page.locator(".chain").first.wait_for()
        wait_until_idle(page)
        parts = (page.locator(of) for of in (".tools", ".line .label.lit", ".chains"))
        bar, label, chains = (place_of(part) for part in parts)
        assert bar["y"] + bar["height"] <= label["y"] < chains["y"]
