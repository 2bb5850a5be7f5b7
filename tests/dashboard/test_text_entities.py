"""Whole entities at a glance on the page Text, the search in it, and the credit of one system."""

import re

import pytest
from playwright.sync_api import expect

from corescore import Document, score
from corescore.analysis.errors.mention_tables import mention_table
from corescore.corpus.documents import Corpus
from corescore.rendering.html import Window
from dashboard.components.passage import mentions
from dashboard.components.passage.entities import COLOURS, MOST_ROWS, PATTERNS, tints
from dashboard.components.passage.mentions import FIRST, KEY
from dashboard.components.passage.passage import passage
from dashboard.components.passage.search import Search, places
from dashboard.session import analyses
from tests.support.browser import open_at, place_of, served, wait_until_idle, watched
from tests.support.pages import html, name_files, run

SIDES = ["the key", "A"]


def document(*entities, n_words=20, words=None):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words or tuple(f"w{at}" for at in range(n_words)))


def drawn(key, response):
    return mentions.of_one_system(
        mention_table(score(Corpus((key,)), Corpus((response,))).comparison)
    )


def alone(*places):
    """Mentions of one word."""
    return [(at, at + 1) for at in places]


def coloured(key, every, side=KEY, **more):
    whole = Window(0, len(key.words))
    return passage(key, every, every, whole, sides=SIDES, coloured_by=side, **more)


# Letters and colours ------------------------------------------------------------------------------


def test_the_largest_entities_have_the_first_letters_and_one_mention_alone_has_none():
    key = document(alone(0), alone(1, 2), alone(3, 4, 5))
    told = tints(drawn(key, key), KEY)
    assert {entity: tint.letter for entity, tint in told.items()} == {3: "A", 2: "B"}
    labels = coloured(key, drawn(key, key)).mentions
    assert [label.tint.letter for label in labels] == ["", "B", "B", "A", "A", "A"]


def test_where_entities_are_many_colours_come_again_and_letters_do_not():
    n = COLOURS * PATTERNS + 10
    key = document(*(alone(2 * at, 2 * at + 1) for at in range(n)), n_words=2 * n)
    told = [*tints(drawn(key, key), KEY).values()]
    assert len({tint.letter for tint in told}) == n
    assert told[26].letter == "AA"
    looks = [(tint.colour, tint.pattern) for tint in told]
    assert len(set(looks[: COLOURS * PATTERNS])) == COLOURS * PATTERNS
    assert looks[COLOURS * PATTERNS :] == looks[:10]


def test_an_entity_of_the_response_has_the_letter_of_the_key_entity_it_shares_most_with():
    key = document(alone(0, 1, 2, 3), alone(4, 5, 6))
    response = document(alone(4, 5), alone(0, 1, 2), alone(3, 6), alone(7, 8))
    letters = {e: tint.letter for e, tint in tints(drawn(key, response), FIRST).items()}
    of_words = {0: "A", 4: "B"}
    numbers = {d.start: d.entities[FIRST] for d in drawn(key, response)}
    assert {at: letters[numbers[at]] for at in of_words} == of_words
    assert {letters[numbers[3]], letters[numbers[7]]} == {"C", "D"}


def test_rows_say_where_in_the_document_each_entity_is():
    key = document(alone(0, 1, 299), alone(150, 151), n_words=300)
    entities = coloured(key, drawn(key, key)).entities
    assert [(row.tint.letter, row.size) for row in entities.rows] == [
        ("A", "3 mentions"),
        ("B", "2 mentions"),
    ]
    assert entities.n_stretches == 150
    assert entities.rows[0].stretches == [0, 149]
    assert entities.rows[0].ats == ["0-1", "299-300"]
    assert entities.title == "2 entities of the key of several mentions"
    assert [row.name for row in entities.rows] == ["w0", "w150"]
    named = coloured(key, drawn(key, key), names={KEY: {1: "Oakland"}}).entities
    assert [row.name for row in named.rows] == ["Oakland", "w150"]


def test_of_many_entities_the_largest_have_rows_and_the_title_says_so():
    n = MOST_ROWS + 5
    key = document(*(alone(2 * at, 2 * at + 1) for at in range(n)), n_words=2 * n)
    entities = coloured(key, drawn(key, key)).entities
    assert len(entities.rows) == MOST_ROWS
    assert entities.title.endswith(f"of several mentions, the {MOST_ROWS} largest")


# Search -------------------------------------------------------------------------------------------

WORDS = ("The", "old", "Bank", "of", "the", "river", "banks", "on", "the", "old", "bank")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("old bank", [(1, 3), (9, 11)]),
        ("BANK", [(2, 3), (6, 7), (10, 11)]),
        ("ank", []),
        ("bank  of the r", [(2, 6)]),
        (" ", []),
        ("the old bank", [(0, 3), (8, 11)]),
    ],
)
def test_words_are_found_from_their_beginnings(query, found):
    assert places(document(words=WORDS), query) == found


def test_a_search_finds_the_entities_with_a_mention_that_has_the_words():
    key = document([(0, 3), (5, 6)], [(8, 11)], alone(6, 7), words=WORDS)
    every = drawn(key, key)
    search = Search("old bank", places(key, "old bank"))
    found = passage(key, every, every, Window(0, 11), sides=SIDES, search=search)
    assert [row.name for row in found.entities.rows] == ["The old Bank", "the old bank"]
    assert (found.found.n, found.found.places) == (2, [(1, 3), (9, 11)])
    assert not found.entities.coloured


# The page -----------------------------------------------------------------------------------------


def test_the_errors_of_entities_are_filters():
    app = run(view="text", error_kinds=["divided entity"])
    system = app.session_state["loaded"].systems[0]
    here = analyses.operations(system).query("document == 'news_harbour'")
    divided = here[here["kind"] == "divided entity"]["spans"]
    n = len({span for spans in divided for span in spans})
    assert n > 0
    assert f"The filters leave {n} of " in html(app)


@pytest.mark.parametrize("letters", ["A", "B", "AB", ""])
def test_the_errors_of_entities_of_a_of_b_or_of_either_are_filters_on_one_text(letters):
    app = run(
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
    open_(page, address + "/text?search=the")
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
