"""The Text page: what is drawn of a document, how it is filtered, and what keys and clicks do."""

import re
from urllib.parse import quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from corescore import Document, score
from corescore.analysis.errors.mention_tables import mention_table
from corescore.analysis.errors.outcomes import outcome_table
from corescore.corpus.documents import Corpus
from corescore.corpus.formats import read_bytes
from corescore.rendering.html import Window
from dashboard.components.passage import mentions
from dashboard.components.passage.passage import MOST_MEMBERS, NEAR, passage
from dashboard.components.passage.values import Word
from dashboard.session import analyses
from dashboard.views.text import cached
from tests.support import gaps
from tests.support.browser import open_at, wait_until_idle, watched
from tests.support.pages import KEY, RESPONSE, give, headlines, html, run

WORDS = tuple("abcdefghij")
SIDES = ["the key", "A"]
NOT_IN_TEXT = "A word that is not in the text"
TEXT = "text"


def document(*entities, words=WORDS, **more):
    rows = [(start, end, i) for i, entity in enumerate(entities) for start, end in entity]
    return Document.of_rows("d", rows, words=words, **more)


def table(key, response):
    return mention_table(score(Corpus((key,)), Corpus((response,))).comparison)


def drawn(key, response, window=None, chosen=None):
    every = mentions.of_one_system(table(key, response))
    found = mentions.find(every, chosen)
    whole = window or Window(0, len(key.words))
    return passage(key, every, every, whole, sides=SIDES, selected=found)


# What is drawn ----------------------------------------------------------------------------------


def test_a_passage_gives_each_word_its_mentions_and_lanes():
    values = drawn(document([(0, 3)], [(7, 8)]), document([(0, 3)], [(5, 6)]))
    assert [mention.style for mention in values.mentions] == [
        "correct",
        "spurious",
        "missing",
    ]
    words = values.lines[0].words
    assert words[0] == Word("a", [0], [0])
    assert words[5] == Word("f", [1], [1])
    assert words[6] == Word("g", [], [])


def test_the_inner_of_two_nested_mentions_is_the_nearer_to_the_text():
    both = document([(0, 3)], [(1, 2)])
    words = drawn(both, both).lines[0].words
    assert words[0] == Word("a", [0], [-1, 0])
    assert words[1] == Word("b", [1], [1, 0])


def of_gaps(chosen=None):
    """The picnic's document as it is drawn."""
    compared = score(read_bytes(gaps.KEY, "key"), read_bytes(gaps.RESPONSE, "a")).comparison
    (key,), (response,) = compared.key, compared.response
    every = mentions.with_pieces(mentions.of_one_system(mention_table(compared)), (key, response))
    selected = mentions.find(every, chosen)
    return passage(key, every, every, Window(0, 23), sides=SIDES, selected=selected)


def test_words_that_are_not_in_the_text_are_marked_and_told():
    told = [(w.text, w.told) for line in of_gaps().lines for w in line.words if w.told]
    assert told == [("∅", NOT_IN_TEXT), ("∅it", NOT_IN_TEXT)]


def test_a_word_that_only_the_response_adds_is_told_apart():
    response = read_bytes(gaps.KEY, "a")
    key = score(read_bytes(gaps.RESPONSE, "key"), response).comparison.key[0]
    words = passage(key, (), (), Window(0, 23), sides=SIDES).lines[-1].words
    assert words[-1].told == f"{NOT_IN_TEXT}, and that the key does not have"


def test_a_mention_with_a_gap_has_its_pieces_and_their_words():
    drawn = {(m.at, m.lines): (m.runs, m.text) for m in of_gaps().mentions}
    assert drawn["8-14", (0, 1)] == (((8, 9), (13, 14)), "take … along")
    assert drawn["14-19", (0,)] == (((14, 19),), "the old basket that leaks")
    assert drawn["14-19", (1,)] == (((14, 16), (18, 19)), "the old … leaks")


def test_split_antecedents_are_told_beside_the_text():
    key, response = of_gaps(chosen=(7, 8)).chains
    assert key.note == "Refers to key entities 1 and 2 together (split antecedents, not scored)"
    assert response.note == ""


def test_a_span_that_is_off_is_drawn_on_both_sides_and_is_one_error():
    values = drawn(document([(0, 4), (8, 9)]), document([(0, 3), (8, 9)]))
    off = [m for m in values.mentions if m.style == "off"]
    assert [(m.at, m.lines, m.mark) for m in off] == [
        ("0-4", (0,), ("o", "1", "")),
        ("0-3", (1,), ("o", "", "/1")),
    ]
    assert values.errors == ["0-4", "8-9"]  # 8-9 has no right partner left


def test_a_chain_has_all_mentions_of_the_entity_on_each_side():
    key, response = document([(0, 1), (2, 3), (4, 5)]), document([(0, 1), (2, 3)], [(4, 5), (6, 7)])
    chains = drawn(key, response, chosen=(4, 5)).chains
    assert [[m.at for m in chain.members] for chain in chains] == [
        ["0-1", "2-3", "4-5"],
        ["4-5", "6-7"],
    ]
    assert [chain.title for chain in chains] == ["Key entity 1", "Entity 2 of A"]


def test_filters_leave_what_they_name_and_the_chosen_mention():
    key, response = document([(0, 1), (2, 3)], [(8, 9)]), document([(0, 1), (2, 3)], [(6, 7)])
    every = mentions.of_one_system(table(key, response))
    assert [d.at for d in mentions.kept(every, kinds=["missing"])] == ["8-9"]
    assert [d.at for d in mentions.kept(every, entity=1)] == ["0-1", "2-3"]
    selected = mentions.find(every, (6, 7))
    missing = mentions.kept(every, kinds=["missing"], selected=selected)
    assert [d.at for d in missing] == ["6-7", "8-9"]
    right = mentions.find(every, (0, 1))
    assert [d.at for d in mentions.kept(every, selected=right, of_selected=True)] == ["0-1", "2-3"]


def test_the_strip_counts_every_error_once():
    key = document([(0, 1), (400, 401)], words=("w",) * 500)
    strip = drawn(key, document(words=key.words), Window(0, 250)).strip
    assert sum(strip.counts) == 2
    assert strip.counts[400 // strip.width] == 1
    assert len(strip.counts) * strip.width >= 500


def test_lines_are_sentences_with_their_speakers():
    key = document(sentence_starts=(0, 4), speakers=("Ann", ""))
    lines = drawn(key, key).lines
    assert [(line.number, line.speaker, len(line.words)) for line in lines] == [
        (1, "Ann", 4),
        (2, "", 6),
    ]


spans = st.tuples(st.integers(0, 9), st.integers(1, 6)).map(lambda s: (s[0], min(10, s[0] + s[1])))


@given(st.lists(spans, max_size=12), st.lists(spans, max_size=12), st.integers(0, 9))
def test_a_mention_stays_on_one_line_of_its_own(key_spans, response_spans, start):
    values = drawn(document(key_spans), document(response_spans), Window(start, 10))
    words = values.lines[0].words
    for number, mention in enumerate(values.mentions):
        ((first, end),) = mention.runs
        at = range(max(first, start) - start, end - start)
        lanes = {words[i].lanes.index(number) for i in at}
        assert len(lanes) == 1
        assert [i for i, word in enumerate(words) if number in word.lanes] == list(at)
        assert sum(number in word.starts for word in words) == 1


def test_outcomes_tell_which_of_two_responses_is_right():
    key = document([(0, 1), (2, 3)], [(4, 6), (8, 9)])
    a, b = document([(0, 1), (2, 3)], [(4, 5)]), document([(0, 1)], [(4, 6), (8, 9)], [(6, 7)])
    found = outcome_table(table(key, a), table(key, b))
    rows = found[["start", "end", "outcome"]].itertuples(index=False, name=None)
    assert list(rows) == [
        (0, 1, "only A correct"),  # alone in b, which lacks its partner
        (2, 3, "only A correct"),
        (4, 6, "only B correct"),
        (4, 5, "spurious"),
        (6, 7, "spurious"),
        (8, 9, "only B correct"),
    ]


def of_two(a, b, kinds=None):
    """The passage of a key of three entities with two responses on it."""
    key = document([(0, 1), (2, 3)], [(4, 6), (8, 9)], [(6, 7)])
    every = mentions.of_two_systems(outcome_table(table(key, a), table(key, b)))
    shown = mentions.kept(every, kinds=kinds or ())
    sides = [mentions.THE_KEY, "A", "B"]
    return passage(key, every, shown, Window(0, 10), sides=sides)


def test_of_two_responses_the_keys_step_over_the_differences():
    a, b = document([(0, 1), (2, 3)]), document([(0, 1), (2, 3)], [(4, 6), (8, 9)])
    values = of_two(a, b)
    assert values.noun == "difference"
    assert values.errors == ["4-6", "8-9"]  # both lack 6-7
    assert sum(values.strip.counts) == 2
    assert [m.at for m in of_two(a, b, mentions.DIFFERENCES).mentions] == ["4-6", "8-9"]


def test_where_no_difference_is_left_the_keys_step_over_the_errors():
    a, b = document([(0, 1), (2, 3)]), document([(0, 1), (2, 3)], [(4, 6), (8, 9)])
    values = of_two(a, b, ["both wrong"])
    assert values.noun == "error"
    assert values.errors == ["6-7"]


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
    assert "“Last March” of what it could earn towards recall:" in html(app)
    assert "The response lacks it: 0 of the 1 mention of key entity 6" in html(app)
    assert "Key entity 6 is aligned with response entity 6, which has it: 1 of 1" in html(app)
    app.toggle(key="together").set_value(False).run()
    assert "of what it could earn" not in html(app)


def test_a_mention_that_only_one_response_has_is_explained_there(monkeypatch, tmp_path):
    with_cat = KEY.replace(b"slept\t-", b"slept\t(8)")
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=KEY, b_conll=with_cat)
    app = run(view=TEXT, together="true")
    app.query_params["mention"] = "1-2"
    app.run()
    assert "“slept” of what it could earn towards precision; only B has it:" in html(app)


def test_a_link_with_a_filter_of_the_old_name_selects_it():
    assert run(view=TEXT, only=["right", "missing"]).session_state["only"] == ["correct", "missing"]
    app = run(view=TEXT, together="true", only_outcomes="only A right")
    assert app.session_state["only_outcomes"] == ["only A correct"]


def test_the_filter_leaves_only_where_they_differ():
    app = run(view=TEXT, together="true", only_outcomes="where they differ")
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
            "In 1, A (response) finds 2 of 3 key mentions, including 2 with",
        ),
        (
            KEY.replace(b"(1)", b"-"),
            KEY.replace(b"(1)", b"-"),
            "Neither the key nor A (response) has a mention in d.",
        ),
        (KEY, RESPONSE, "In d, A (response) finds 1 of 1 key mention."),
        (KEY, KEY.replace(b"(1)", b"(1)|(2)"), "In d, A (response) finds 1 of 1 key mention; it"),
    ],
    ids=["notation", "no mention", "all correct", "a repeat"],
)
def test_the_text_of_odd_data(key, response, says, monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=key, response_txt=response)
    for repeats in ("its first entity counts", "score both"):
        assert headlines(run(view=TEXT, repeats=repeats))[0].startswith(says)


# In a browser -----------------------------------------------------------------------------------


def open_(page, address, path):
    open_at(page, address + path)
    expect(page.get_by_role("heading", level=1)).to_have_text("What did it do here?")
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
    app = run(view="text", within="999: nobody")
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
    assert "1 mention is matched with other words, by head: each is drawn twice." in html(app)
    said = "The response’s “old” is matched with the key’s “old Mia”, by head."
    assert said in headlines(app)
    table = mention_table(app.session_state["loaded"].systems[0].result.comparison)
    drawn = mentions.of_one_system(table)
    assert [(d.start, d.end, d.kind, d.lines) for d in drawn[:2]] == [
        (0, 2, "correct", (0,)),
        (0, 1, "correct", (1,)),
    ]


def test_a_mention_matched_by_its_words_says_so_only_where_others_may_match(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=LONG, a_conll=SHORT)
    said = "The response’s “her” is matched with the key’s “her”, with the same words."
    assert said in headlines(run(view="text", match="or within, around the head", mention="3-4"))
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


def long_text(n=600):
    """`n` mentions, one every two words, all of one entity that the response lacks."""
    words = tuple(f"w{number}" for number in range(2 * n))
    key = document([(2 * at, 2 * at + 1) for at in range(n)], words=words)
    return key, document(words=words)


def test_of_the_errors_of_a_long_document_those_near_the_window_are_sent():
    values = drawn(*long_text(), window=Window(600, 620))
    assert values.n_errors == 600
    numbers = values.numbers
    assert numbers == list(range(301 - NEAR, 311 + NEAR))
    assert values.errors[numbers.index(301)] == "600-601"
    assert sum(values.strip.counts) == 600


def test_errors_next_to_a_mention_selected_in_another_window_are_sent_too():
    values = drawn(*long_text(), window=Window(0, 20), chosen=(1000, 1001))
    near = dict(zip(values.errors, values.numbers, strict=True))
    assert near["998-999"] == 500
    assert near["1000-1001"] == 501
    assert near["1002-1003"] == 502
    assert near["18-19"] == 10


@pytest.mark.parametrize(("at", "first"), [(0, 1), (600, 201), (1198, 401)])
def test_of_a_large_entity_the_mentions_around_the_selected_one_are_listed(at, first):
    chain = drawn(*long_text(), chosen=(at, at + 1)).chains[0]
    assert chain.size == "600 mentions"
    assert [member.at for member in chain.members] == [
        f"{2 * n}-{2 * n + 1}" for n in range(first - 1, first - 1 + MOST_MEMBERS)
    ]
    assert chain.note.startswith(f"Shown: {first} to {first + MOST_MEMBERS - 1} of 600")


def test_the_filter_lists_the_largest_entities_and_says_so(monkeypatch):
    every = run(view=TEXT).selectbox(key="within").options
    monkeypatch.setattr(cached, "MOST_NAMES", 3)
    cached.entity_names.clear()
    app = run(view=TEXT)
    cached.entity_names.clear()
    listed = app.selectbox(key="within").options
    assert len(listed) == 5
    assert set(listed) < set(every)
    assert any("The 3 largest entities are listed" in caption.value for caption in app.caption)
