"""The Text page: what is drawn of a document, how it is filtered, and what keys and clicks do."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from corescore.analysis.errors.mention_tables import mention_table
from corescore.analysis.errors.outcomes import outcome_table
from dashboard.components.passage import mentions
from dashboard.session import analyses
from dashboard.views.text import cached
from tests.support.browser import open_at, place_of, served, wait_until_idle, watched
from tests.support.pages import KEY, RESPONSE, give, headlines, html, page_of, reads, run

TEXT = "text"


# The page ---------------------------------------------------------------------------------------


def test_a_link_selects_a_mention_and_another_document_forgets_it():
    app = run(view=TEXT)
    app.query_params["mention"] = "5-6"
    app.run()
    assert app.session_state["selected_mention"] == "5-6"
    next(button for button in app.button if button.label == "Next").click().run()
    assert app.session_state["selected_mention"] is None
    assert not app.exception


def test_both_systems_on_one_text():
    app = run(view=TEXT)
    app.toggle(key="together").set_value(True).run()
    assert not app.exception
    assert "both have" in html(app)


def test_what_each_metric_gives_a_mention_stands_side_by_side():
    app = run(view=TEXT, together="true")
    app.query_params["mention"] = "23-25"  # Last March
    app.run()
    assert not app.exception
    assert reads(html(app), "“Last March”", "could earn", "recall")
    assert reads(html(app), "lacks it", 0, 1, "key entity 6")
    assert reads(html(app), "Key entity 6", "response entity 6", 1, 1)
    app.toggle(key="together").set_value(False).run()
    assert "could earn" not in html(app)


def test_a_mention_that_only_one_response_has_is_explained_there(monkeypatch, tmp_path):
    with_cat = KEY.replace(b"slept\t-", b"slept\t(8)")
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=KEY, b_conll=with_cat)
    app = run(view=TEXT, together="true")
    app.query_params["mention"] = "1-2"
    app.run()
    assert reads(html(app), "“slept”", "could earn", "precision", "only B")


def test_a_link_with_a_filter_of_the_old_name_selects_it():
    assert page_of(view=TEXT, only=["right", "missing"]).session_state["only"] == [
        "correct",
        "missing",
    ]
    app = page_of(view=TEXT, together="true", only_outcomes="only A right")
    assert app.session_state["only_outcomes"] == ["only A correct"]


def test_the_filter_leaves_only_where_they_differ():
    app = page_of(view=TEXT, together="true", only_outcomes="where they differ")
    a, b = (analyses.mentions(system) for system in app.session_state["loaded"].systems)
    outcomes = outcome_table(a, b).query("document == 'news_harbour'")["outcome"]
    n = outcomes.isin(mentions.DIFFERENCES).sum()
    assert f"The filters leave {n} of {len(outcomes)} mentions." in html(app)


def test_the_switch_between_a_and_b_rests_while_both_are_on_one_text():
    app = run(view=TEXT)
    app.segmented_control(key="of").set_value("B").run()
    app.toggle(key="together").set_value(True).run()
    assert app.segmented_control(key="of").disabled
    app.toggle(key="together").set_value(False).run()
    assert not app.segmented_control(key="of").disabled
    assert "B (greedy) finds" in html(app)


def test_documents_without_words_have_their_mentions(monkeypatch, tmp_path):
    """Files of two columns hold the document's name and the entities."""
    key = b"#begin document (d)\nd (1\nd 1)\nd (1)\n"
    give(monkeypatch, tmp_path, key_conll=key, a_conll=key.replace(b"d (1)", b"d -"))
    app = run(view=TEXT)
    assert headlines(app)


@pytest.mark.parametrize(
    ("key", "response", "says"),
    [
        (
            b"{a b} {c}",
            b"{b c} {d}",
            (1, "A (response)", "finds 2 of 3", "2 with"),
        ),
        (
            KEY.replace(b"(1)", b"-"),
            KEY.replace(b"(1)", b"-"),
            ("Neither", "A (response)", "d"),
        ),
        (KEY, RESPONSE, ("d", "A (response)", "finds 1 of 1", "mention.")),
        (KEY, KEY.replace(b"(1)", b"(1)|(2)"), ("d", "A (response)", "finds 1 of 1", "it adds 1")),
    ],
    ids=["notation", "no mention", "all correct", "a repeat"],
)
def test_the_text_of_odd_data(key, response, says, monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=key, response_txt=response)
    for repeats in ("its first entity counts", "score both"):
        assert reads(headlines(run(view=TEXT, repeats=repeats))[0], *says)


# In a browser -----------------------------------------------------------------------------------


def open_(page, address, path):
    open_at(page, address + path)
    expect(page.get_by_role("heading", level=1)).to_have_text("What did it do here?")
    page.locator(".passage .word").first.wait_for()
    wait_until_idle(page)


def count(page):
    return page.locator(".passage .count")


@pytest.mark.slow
def test_keys_move_from_error_to_error(page, address):
    open_(page, address, "/text")
    for number in (1, 2, 3):
        page.keyboard.press("n")
        expect(count(page)).to_have_text(re.compile(rf"Error {number} of \d+"))
    expect(page.locator(".line .label.lit")).to_be_focused()
    page.keyboard.press("p")
    expect(count(page)).to_have_text(re.compile(r"Error 2 of"))
    expect(page).to_have_url(re.compile("mention="))


@pytest.mark.slow
def test_keys_move_from_difference_to_difference_with_the_credit_beside(page, address):
    open_(page, address, "/text?together=true")
    expect(page.locator(".credit")).to_have_count(0)
    page.keyboard.press("n")
    expect(count(page)).to_have_text(re.compile(r"Difference 1 of \d+"))
    expect(page.locator(".line .label.lit")).to_have_class(re.compile("only-"))
    expect(page.locator(".credit tr")).to_have_count(7)
    expect(page.locator(".credit tr").last).to_contain_text("LEA")


def test_a_click_selects_a_mention_and_shows_its_chains(page, address):
    open_(page, address, "/text")
    page.locator(".line .label.unlinked").first.click()  # the key has others of its entity
    expect(page.locator(".chain")).to_have_count(2)
    expect(page.locator('.member[aria-current="true"]').first).to_be_visible()
    other = page.locator(".chain").first.locator(".member:not([aria-current])").first
    at = other.get_attribute("data-go")
    other.click()
    expect(page.locator(f'.line .label[data-at="{at}"]')).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".chain")).to_have_count(0)


# Whose line stands at a place of the window, through the component's own tree.
UNDER = """([x, y]) => {
    let found = document.elementFromPoint(x, y);
    while (found.shadowRoot) found = found.shadowRoot.elementFromPoint(x, y);
    return found.closest("[data-mention]")?.dataset.mention;
}"""


@pytest.mark.slow
def test_the_mention_that_was_clicked_is_told_though_the_text_moves_under_the_pointer(
    page, address
):
    open_(page, address, "/text?document=news_harbour")
    wait_until_idle(page)
    label = page.locator('.line .label[data-at="50-53"]')  # four fishing boats
    box = label.bounding_box()
    place = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    label.click()
    expect(page.locator(".chain")).to_have_count(2)
    wait_until_idle(page)
    under = page.evaluate(UNDER, place)
    assert under not in (None, "", label.get_attribute("data-mention"))  # the chains took its place
    expect(page.locator(".note q")).to_have_text("four fishing boats")
    page.mouse.move(0, 0)
    page.mouse.move(*place)
    other = page.locator(f'.line .label[data-mention="{under}"]')
    told = other.get_attribute("aria-label").split(". ")[0]
    expect(page.locator(".note q")).to_have_text(told)


@pytest.mark.slow
def test_keys_move_on_after_a_document_or_both_responses_were_selected(page, address):
    open_(page, address, "/text")
    box = page.get_by_role("combobox", name="Document")
    box.click()
    page.get_by_role("option", name=re.compile("^news_library · ")).click()
    expect(page.locator(".headline").first).to_contain_text("In news_library")
    expect(box).not_to_be_focused()
    page.keyboard.press("n")
    expect(count(page)).to_have_text(re.compile(r"Error 1 of \d+"))
    expect(page).to_have_url(re.compile("mention="))
    page.get_by_text("A and B on one text").click()
    expect(page.locator(".of-two")).to_have_count(1)
    wait_until_idle(page)
    before = page.url
    page.keyboard.press("n")
    page.wait_for_function("before => location.href !== before", arg=before)
    expect(count(page)).to_have_text(re.compile(r"Difference \d+ of \d+"))
    told, before = count(page).inner_text(), page.url
    wait_until_idle(page)
    box.click()
    page.keyboard.type("n")  # what somebody types stays with them
    expect(box).to_have_value("n")
    assert (count(page).inner_text(), page.url) == (told, before)


def test_a_filter_leaves_only_what_it_names(page, address):
    open_(page, address, "/text?only=missing")
    page.locator(".line .label").first.wait_for()
    styles = page.locator(".line .label").evaluate_all("n => [...new Set(n.map(x => x.className))]")
    assert styles == ["label missing"]


@pytest.mark.slow
def test_the_filter_by_entity_is_in_the_link(page, address, stranger):
    open_(page, address, "/text?document=news_library")
    page.get_by_role("button", name="Filters").click()
    box = page.get_by_role("combobox", name="in the entity")
    box.click()
    page.get_by_role("option").nth(7).wait_for()
    for _ in range(7):  # by keyboard: the list may still move under a pointer
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    left = page.get_by_text("The filters leave")
    expect(left).to_be_visible()
    expect(page).to_have_url(re.compile(r"within=\d+"))
    with watched(stranger, address) as other:
        open_(other, address, page.url.removeprefix(address))
        expect(other.get_by_text(left.inner_text())).to_be_visible()
        other.get_by_role("button", name="Filters").click()
        box = other.get_by_role("combobox", name="in the entity")
        expect(box).to_have_value(re.compile("."))
        title = box.input_value()
        assert page.url.endswith(f"within={quote_plus(title)}")


@pytest.mark.slow
def test_an_entity_that_the_document_lacks_is_no_filter():
    app = page_of(view="text", within="999: nobody")
    assert "The filters leave" not in html(app)
    assert "within" not in app.query_params


def column_file(path, marks, n_words):
    """A document of that name with these brackets at these words."""
    lines = [f"d\t0\t{i}\tword{i}\t{marks.get(i, '-')}" for i in range(n_words)]
    path.write_text("\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""]))


# A mention and another part of the document in one breath: both are heard.
CLICK_BOTH = """page => {
  [...page.querySelectorAll(".line .label")].at(-1).click();
  page.querySelector(".stretch").click();
}"""


@pytest.mark.slow
def test_long_mentions_and_long_documents(chromium, tmp_path):
    """The text stays where it is when a long mention is told: were it to move away from the
    pointer, it would flicker for ever. A click on the strip turns to that window."""
    key, response = tmp_path / "key.conll", tmp_path / "out.conll"
    marks = dict.fromkeys(range(400, 4000, 400), "(1)")
    column_file(key, {2: "(1", 90: "1)", **marks}, 4000)
    column_file(response, {2: "(1", 90: "1)"}, 4000)
    with served(str(key), str(response)) as url, watched(chromium, url, width=1024) as page:
        open_(page, url, "/text")
        label = page.locator(".line .label").first
        before = place_of(label)["y"]
        label.hover()
        expect(page.locator(".note q")).to_contain_text("word2 word3")
        assert place_of(label)["y"] == before
        expect(page.locator(".form").first).to_have_text("word0")
        page.locator(".stretch").last.click()
        expect(page.get_by_text("word3999", exact=True)).to_have_count(1)
        expect(page.locator(".form").first).not_to_have_text("word0")
        wait_until_idle(page)
        at = page.locator(".line .label").last.get_attribute("data-at")
        page.locator(".passage").evaluate(CLICK_BOTH)
        expect(page.locator(".form").first).to_have_text("word0")
        expect(page).to_have_url(re.compile(f"mention={at}"))


def test_a_response_longer_than_its_key_is_read_where_positions_are_compared(monkeypatch, tmp_path):
    more = RESPONSE.replace(b"slept\t-", b"slept\t-\nd\t0\t2\twell\t(7)")
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=RESPONSE, b_conll=more)
    for together in ("false", "true"):
        app = run(
            view="text", words="compare positions", b="b.conll", a="a.conll", together=together
        )
        assert not app.exception
    assert not run(view="errors", words="compare positions", b="b.conll", a="a.conll").exception
    app = run(view="text", words="compare positions", a="b.conll", b="none")
    assert app.session_state["loaded"].systems[0].result["mentions"].precision == 1 / 2


def columns(*rows):
    """A file of one document: a word and what its last column holds in each row."""
    lines = "".join(f"d\t0\t{at}\t{row[0]}\t{row[1]}\n" for at, row in enumerate(rows))
    return f"#begin document (d); part 000\n{lines}\n#end document\n".encode()


LONG = columns(("old", "(1"), ("Mia", "1)"), ("saw", "-"), ("her", "(1)"), ("cat", "(2)"))
SHORT = columns(("old", "(1)"), ("Mia", "-"), ("saw", "-"), ("her", "(1)"), ("cat", "-"))


@pytest.mark.parametrize("at", ["0-2", "0-1"])
def test_the_page_says_with_which_mention_of_the_key_one_is_matched_and_how(
    at, monkeypatch, tmp_path
):
    give(monkeypatch, tmp_path, key_conll=LONG, a_conll=SHORT)
    app = run(view="text", match="or the same head", mention=at)
    assert reads(html(app), "1 mention", "other words", "head", "twice")
    assert any(
        reads(line, "response", "“old”", "key", "“old Mia”", "head") for line in headlines(app)
    )
    table = mention_table(app.session_state["loaded"].systems[0].result.comparison)
    drawn = mentions.of_one_system(table)
    assert [(d.start, d.end, d.kind, d.lines) for d in drawn[:2]] == [
        (0, 2, "correct", (0,)),
        (0, 1, "correct", (1,)),
    ]


def test_a_mention_matched_by_its_words_says_so_only_where_others_may_match(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=LONG, a_conll=SHORT)
    said = headlines(run(view="text", match="or within, around the head", mention="3-4"))
    assert any(reads(line, "response", "“her”", "key", "“her”", "same words") for line in said)
    exact = html(run(view="text", mention="3-4"))
    assert "matched with" not in exact
    missing = html(run(view="text", match="or the same head", mention="4-5"))
    assert "The response’s" not in missing


def conllu(*rows):
    """A CoNLL-U file of one sentence: number, word and entity in each row, "" for no entity."""
    lines = "".join(
        f"{number}\t{word}\t_\t_\t_\t_\t{'_' if '.' in number else 0}\t_\t0:root\t"
        f"{f'Entity=({entity}--1)' if entity else '_'}\n"
        for number, word, entity in rows
    )
    head = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = d-1\n"
    return f"{head}{lines}\n".encode()


def test_two_responses_with_other_empty_nodes_stand_on_one_text(monkeypatch, tmp_path):
    """Only B has an empty node before "saw": what follows is the same mention for both."""
    words = ("1", "Mia", "e1"), ("2", "saw", ""), ("3", "herself", "e1")
    more = (words[0], ("1.1", "_", ""), *words[1:])
    files = {"key_conllu": conllu(*words), "a_conllu": conllu(*words), "b_conllu": conllu(*more)}
    give(monkeypatch, tmp_path, **files)
    app = run(view="text", together=True)
    loaded = app.session_state["loaded"]
    assert [system.name for system in loaded.systems] == ["a", "b"]
    table = outcome_table(*(mention_table(system.result.comparison) for system in loaded.systems))
    assert table["outcome"].tolist() == ["both correct", "both correct"]
    assert not app.exception


# A long document --------------------------------------------------------------------------------


def test_the_filter_lists_the_largest_entities_and_says_so(monkeypatch):
    every = run(view=TEXT).selectbox(key="within").options
    monkeypatch.setattr(cached, "MOST_NAMES", 3)
    cached.entity_names.clear()
    app = run(view=TEXT)
    cached.entity_names.clear()
    listed = app.selectbox(key="within").options
    assert len(listed) == 5
    assert set(listed) < set(every)
    assert any(reads(caption.value, "3 largest", "listed") for caption in app.caption)
