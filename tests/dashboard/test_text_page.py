"""The Text page: what is drawn of a document, how it is filtered, and what keys and clicks do."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from corescore.analysis.errors.tables import mention_table, outcome_table
from dashboard.components import mentions
from dashboard.session import analyses
from dashboard.views import text
from dashboard.widgets.policies import POLICIES
from tests.support.browser import open_at, wait_until_idle, watched
from tests.support.pages import KEY, REPEATS, RESPONSE, give, headlines, html, page_of, reads, run

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
    for repeats in REPEATS:
        assert reads(headlines(run(view=TEXT, repeats=repeats))[0], *says)


# In a browser -----------------------------------------------------------------------------------


def open_(page, address, path):
    open_at(page, address + path)
    expect(page.get_by_role("heading", level=1)).to_contain_text("it do here")
    page.locator(".passage .word").first.wait_for()
    wait_until_idle(page)


def count(page):
    return page.locator(".passage .count")


# Whose line stands at a place of the window, through the component's own tree.
@pytest.mark.slow
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
    page.get_by_text("A and B on one text").click()
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


# A mention and another part of the document in one breath: both are heard.
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
    missing = html(run(view="text", match=POLICIES["match"][1]["head"], mention="4-5"))
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
    monkeypatch.setattr(text, "MOST_NAMES", 3)
    text.entity_names.clear()
    app = run(view=TEXT)
    text.entity_names.clear()
    listed = app.selectbox(key="within").options
    assert len(listed) == 5
    assert set(listed) < set(every)
    assert any(reads(caption.value, "3 largest", "listed") for caption in app.caption)


@pytest.mark.parametrize("of", ["B", "B: greedy", "b"])
def test_a_link_to_b_shows_the_scores_of_b_in_the_box_of_documents(of):
    first = [
        page_of(view="text", **link).selectbox(key="document").options[0]
        for link in ({}, {"of": of})
    ]
    scores = [f"{document_f1('news_harbour', letter):.2f}" for letter in "AB"]
    assert [name.split(" · ")[1] for name in first] == scores
    assert scores[0] != scores[1]


def document_f1(name, letter):
    """The CoNLL F1 of a document of the sample, in percent."""
    result = page_of(view="text").session_state["loaded"].system(letter).result
    return 100 * result.document_scores["conll"].f1[result.documents.index(name)]
