"""The list of errors: rows, notes, and a walk through them."""

import csv
import json
import re
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from corescore import read, score
from corescore.analysis.error_table.notes import (
    Note,
    Notes,
    notes_as_json,
    notes_path,
    read_notes,
    update_notes,
)
from corescore.analysis.error_table.table import error_table
from corescore.sentences.errors import NO_KIND
from dashboard.session import analyses
from dashboard.session.access import SHARED_VARIABLE
from dashboard.views import errors_list
from dashboard.widgets.links import error_url
from tests.support import gaps
from tests.support.acts import choose, says
from tests.support.browser import (
    downloaded,
    expect_to_fit,
    open_at,
    place_of,
    title_of,
    turn_to,
    wait_until_idle,
    watched,
)
from tests.support.errors import write_hard_data
from tests.support.pages import (
    KEY,
    headlines,
    html,
    links,
    links_in,
    loaded_in,
    name_files,
    page_of,
    reads,
    run,
    sent_to,
)

# The list of errors: what a query, an order and a row of the URL show -----------------------------

ERRORS = "errors"


def listed(app):
    """What the list of errors is given to draw."""
    (drawn,) = sent_to(app, "error_list")
    return drawn


def costs(shown):
    return [float(row["cost"].replace("−", "-")) for row in shown["rows"]]


def test_a_list_of_what_the_other_system_has_correct_shows_what_it_has():
    app = page_of(ERRORS, find="class:missing other:correct")
    rows = listed(app)["rows"]
    assert {row["other"] for row in rows} == {"B: correct"}
    # B has the first of these three: its antecedent there is the mention before it in B's entity.
    app = page_of(ERRORS, find="class:missing other:correct", row=rows[0]["id"])
    table = errors_of(app).set_index("id")
    document, start = table.loc[rows[0]["id"], ["document", "start"]]
    b = loaded_in(app).system("B").corpus[document]
    (entity,) = (one for one in b.entities if any(mention.start == start for mention in one))
    words = [b.text(mention) for mention in entity if mention.start < start]
    assert reads(html(app), "in B", "correct", *(["antecedent", words[-1]] if words else []))


def test_the_costliest_errors_come_first_and_are_counted_above():
    app = page_of(ERRORS, moved="true")
    shown = listed(app)
    table = errors_of(app)
    assert shown["n"] + sum(row["more"] for row in every_row(app)) == len(table)
    assert shown["n_mentions"] == len(table)
    assert shown["order"] == "cost.conll"
    assert costs(shown) == sorted(costs(shown), reverse=True)
    assert costs(shown)[0] > 0


def test_a_query_and_an_order_of_the_url_are_followed():
    every = listed(page_of(ERRORS))
    app = page_of(ERRORS, find="class:missing", order="cost.lea")
    shown = listed(app)
    assert 0 < shown["n"] < every["n"]
    assert {row["status"] for row in shown["rows"]} == {"missing"}
    assert {row["letter"] for row in shown["rows"]} == {"m"}
    assert costs(shown) == sorted(costs(shown), reverse=True)
    assert "LEA" in headlines(app)[0]
    assert f"{shown['n']:,} of the 978 mentions with errors of A" in headlines(app)[0]


@pytest.mark.parametrize("tab, letter, other", [("A", "A", "B"), ("B", "B", "A")])
def test_what_only_one_system_has_wrong_has_a_tab(tab, letter, other):
    app = run(ERRORS, tab=f"only {tab} wrong", of="A")
    shown, loaded = listed(app), loaded_in(app)
    assert {row["other"] for row in shown["rows"]} == {f"{other}: correct"}
    asked = run(ERRORS, of=letter, find="other:correct")
    assert shown["n_mentions"] == listed(asked)["n_mentions"] > 0
    assert says(app, shown["n_mentions"], "of the", loaded.system(letter).title)
    (kinds,) = (one for one in shown["facets"] if one["title"] == "Class of the mention")
    counts = [int(value["count"]) for value in kinds["values"]]
    assert sum(counts) == shown["n_mentions"]


def test_a_tab_of_two_systems_is_left_with_the_second():
    app = run(ERRORS, tab="only B wrong")
    choose(app, "b", "none")
    assert app.session_state["tab"] == "one by one"


@pytest.mark.parametrize(
    "find, side", [("class:spurious", "precision"), ("class:missing", "recall")]
)
def test_an_error_leads_to_the_credit_of_its_mention_on_the_side_that_has_it(find, side):
    row = listed(page_of(ERRORS, find=find))["rows"][0]
    app = run(ERRORS, find=find, row=row["id"])
    page, query = links(app)["Credit"]
    assert (page, query.get("side", "recall")) == ("credit", side)
    app = run(page, **query)
    (panels,) = sent_to(app, "credit")
    assert all(one["share"] and one["why"] for one in panels["panels"])


def test_three_fixes_are_drawn_at_random_by_the_seed_of_the_link():
    find = "kind:divided-entity"
    drawn = [listed(page_of(ERRORS, find=find, order=f"random-{n}")) for n in range(5)]
    ids = [tuple(row["id"] for row in one["rows"]) for one in drawn]
    assert {len(three) for three in ids} == {3}
    assert {one["n"] for one in drawn} == {3}
    assert len({*ids}) > 1
    assert all("divided entity" in row["kind"] for one in drawn for row in one["rows"])
    assert len({one["n_mentions"] for one in drawn}) == 1
    again = run(ERRORS, find=find, order="random-0", row=ids[0][1])
    assert [row["id"] for row in listed(again)["rows"] if not row["is_part"]] == [*ids[0]]
    assert ["random-0", "at random"] in listed(again)["orders"]


def test_every_order_lists_the_same_errors():
    apps = [
        page_of(ERRORS, find="doc:news_harbour", order=order)
        for order in ("text", "distance", "unknown")
    ]
    number = analyses.fixes(apps[0].session_state["loaded"].system("A"))
    place = {row: at for at, row in enumerate(errors_of(apps[0])["id"])}
    first, *others = (
        sorted(number[place[row["id"]]] for row in listed(app)["rows"]) for app in apps
    )
    assert others == [first] * 2
    assert first


def errors_of(app):
    return analyses.every_error(loaded_in(app).system("A"))


def every_row(app):
    """All rows of the list, in the windows in which they are sent."""
    system = loaded_in(app).system("A")
    scope = errors_list.Scope(app.toggle(key="moved").value)
    every = errors_list.find(system, "", "cost.conll", "", scope)
    windows = range(0, listed(app)["n"], errors_list.WINDOW)
    sent = [errors_list.rows(system, every, first) for first in windows]
    return [asdict(row) for rows in sent for row in rows]


def test_correct_mentions_that_a_fix_only_moves_are_hidden_until_the_switch_lists_them():
    app = run(ERRORS)
    table = errors_of(app)
    correct = table[table["class"] == "correct"]
    shown = listed(app)
    assert "correct" not in {row["status"] for row in every_row(app)}
    assert shown["n"] + sum(row["more"] for row in every_row(app)) == len(table) - len(correct)
    assert f"not listed: {len(correct)} correct mentions" in headlines(app)[0]
    assert facet_of(shown, "Class of the mention").get("correct") is None
    choose(app, "moved", True)
    assert [row["status"] for row in every_row(app)].count("correct") > 0
    assert facet_of(listed(app), "Class of the mention")["correct"] == f"{len(correct)}"


def facet_of(shown, title):
    """The numbers of a facet by its values."""
    (found,) = (facet for facet in shown["facets"] if facet["title"] == title)
    return {value["words"]: value["count"] for value in found["values"]}


def test_a_link_to_counted_mentions_lists_correct_ones_if_they_are_counted():
    app = page_of(ERRORS, find="class:correct")
    n = (errors_of(app)["class"] == "correct").sum()
    assert listed(app)["n"] == 0
    assert (
        f"None of the 978 mentions with errors of A (cautious) matches; not listed: {n}"
        in (headlines(app)[0])
    )
    assert "Switch them on" in listed(app)["empty"]
    system = loaded_in(app).system("A")
    assert "moved" not in error_url("kind:divided-entity", system)
    assert "moved=true" in error_url("class:correct", system, moved=True)


def test_facet_headline_list_and_the_page_by_kind_count_the_same_mentions():
    find = "kind:conflated-entities"
    app = page_of(ERRORS, find=find)
    shown, table = listed(app), errors_of(app)
    is_conflated = table["kind"].str.contains("conflated entities")
    n = int((is_conflated & (table["class"] != "correct")).sum())
    assert facet_of(shown, "Kind of error")["conflated entities"] == f"{n:,}"
    assert headlines(app)[0].startswith(f"{n:,} of the 978 mentions with errors of A (cautious)")
    assert shown["n_mentions"] == n
    numbers = [row["number"] for row in shown["rows"]]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))
    assert numbers[-1] + shown["rows"][-1]["more"] == n or shown["n"] > len(shown["rows"])
    by_kind = html(page_of(ERRORS, tab="by kind"))
    assert (n, f"{find} -class:correct", "A") in links_in(by_kind)


def test_the_kind_of_mentions_that_other_fixes_resolve_is_explained():
    kinds = facet_of(listed(page_of(ERRORS)), "Kind of error")
    assert "none" not in kinds
    assert kinds[NO_KIND] == "75"
    by_kind = html(page_of(ERRORS, tab="by kind"))
    assert f">{NO_KIND}<" in by_kind
    assert ">none<" not in by_kind


def test_a_fix_of_several_mentions_has_one_row_and_opens_to_all_of_them_with_the_same_numbers():
    app = run(ERRORS, moved="true", find="kind:conflated-entities")
    shown = listed(app)
    head, later = next(pair for pair in pairwise(shown["rows"]) if pair[0]["more"] > 1)
    app.query_params["row"] = head["id"]
    opened = listed(app.run())
    assert opened["n"] == shown["n"] + head["more"]
    assert opened["n_mentions"] == shown["n_mentions"]
    at = opened["place"] - opened["first"]
    parts = opened["rows"][at : at + head["more"] + 1]
    assert [row["is_part"] for row in parts] == [False] + [True] * head["more"]
    assert all(row["more"] == 0 for row in parts)
    numbers = {row["id"]: row["number"] for row in opened["rows"]}
    assert numbers[head["id"]] == head["number"]
    assert numbers[later["id"]] == later["number"] == head["number"] + head["more"] + 1
    rows = errors_of(app).set_index("id").loc[[row["id"] for row in parts]]
    for of_fix in ("response_entity", "key_entity", "cost_conll"):
        assert rows[of_fix].nunique() == 1


def test_the_headline_counts_each_fix_once():
    app = page_of(ERRORS, moved="true")
    table = errors_of(app)
    number = analyses.fixes(loaded_in(app).system("A"))
    gains = {n: gain for n, gain in zip(number, table["cost_conll"], strict=True) if n >= 0}
    n_gain = sum(gain > 0 for gain in gains.values())
    assert f"{n_gain:,} of the {len(gains):,} fixes gain something" in headlines(app)[0]
    assert n_gain < (table["cost_conll"] > 0).sum()


def test_a_query_with_an_error_says_where_and_keeps_the_last_list():
    app = run(ERRORS, find="class:missing")
    last = listed(app)
    app.query_params["find"] = "class:missing size>many"
    shown = listed(app.run())
    assert shown["find"] == "class:missing size>many"
    assert shown["problem"]["says"]
    assert shown["find"][: shown["problem"]["start"]].startswith("class:missing size")
    assert (shown["n"], shown["rows"]) == (last["n"], last["rows"])
    assert headlines(app)[0].startswith(f"{last['n']} of the")


def test_the_row_of_the_url_is_open_and_its_mention_selected_on_every_page():
    row = listed(page_of(ERRORS))["rows"][3]
    app = page_of(ERRORS, row=row["id"])
    shown = listed(app)
    assert (shown["row"], shown["place"]) == (row["id"], 3)
    assert row["mention"]["words"] in html(app)
    assert "Credit towards" in html(app)
    assert app.query_params["document"] == row["document"]
    place = row["id"].removeprefix(f"{row['document']}:").split(":")[0]
    assert app.query_params["mention"] == place


def test_an_open_row_that_the_query_does_not_find_stays_open():
    row = next(r for r in listed(page_of(ERRORS))["rows"] if r["status"] != "missing")
    app = page_of(ERRORS, row=row["id"], find="class:missing")
    assert listed(app)["place"] == -1
    assert "Credit towards" in html(app)


def test_a_row_that_is_not_there_is_said():
    app = page_of(ERRORS, row="elsewhere:1-2:k")
    assert says(app, "A (cautious)", "no error", "“elsewhere:1-2:k”")
    assert listed(app)["place"] == -1


REPEAT = KEY, KEY.replace(b"(1)", b"(1)|(2)")
ODD = {
    "a repeat": ("conll", *REPEAT, "first", 0),
    "a repeat that counts": ("conll", *REPEAT, "score both", 1),
    "no words": ("txt", b"{a b} {c}", b"{b c} {d}", "", 4),
    "gaps": ("conllu", gaps.KEY, gaps.RESPONSE, "", 1),
}


@pytest.mark.parametrize("of", ODD)
def test_errors_of_odd_data_open_one_after_another(of, give):
    ending, key, response, repeats, least = ODD[of]
    give(**{f"key_{ending}": key, f"response_{ending}": response})
    app = run(ERRORS, repeats=repeats)
    rows = listed(app)["rows"]
    assert len(rows) >= least
    for row in rows[:4]:
        app.query_params["row"] = row["id"]
        app.run()
        assert listed(app)["row"] == row["id"]


# Notes on the Errors page: tags and texts, where they are kept, and a second annotator ------------


@pytest.fixture
def files(tmp_path, monkeypatch):
    paths = write_hard_data(tmp_path)
    name_files(monkeypatch, *paths)
    return paths


@pytest.fixture
def rows(files):
    """The ids of the errors."""
    result = score(read(files[0]), read(files[1]))
    return error_table(result.comparison)["id"].tolist()


def opened(app, row):
    app.query_params["row"] = row
    app.run()
    return app


def box(app, kind, row):
    """The box of a kind for the note on a row."""
    (found,) = (one for one in app.get(kind) if one.key and one.key.endswith(f" A {row}"))
    return found


def tag(app, row, *tags):
    box(app, "multiselect", row).set_value(list(tags)).run()


def said(app):
    return html(app) + " ".join(caption.value for caption in app.caption)


@pytest.mark.slow
def test_where_others_use_the_app_notes_are_their_own_and_no_file_changes(files, rows, monkeypatch):
    path = Path(notes_path(str(files[1])))
    row = rows[0]
    before = notes_as_json(Notes.of([Note(row, ("hard",), "")]))
    path.write_text(before)
    monkeypatch.setenv(SHARED_VARIABLE, "yes")
    one, other = (run("errors", row=row) for _ in range(2))
    assert box(one, "multiselect", row).value == ["hard"]
    tag(one, row, "hard", "mine")
    assert box(one, "multiselect", row).value == ["hard", "mine"]
    assert reads(said(one), "Saved", "tab")
    assert box(other.run(), "multiselect", row).value == ["hard"]
    assert path.read_text() == before
    files[1].write_text(f"{files[1].read_text()}\n")
    assert box(one.run(), "multiselect", row).value == ["hard", "mine"]
    assert reads(html(one), "Changed on disk and read again: one.jsonl")


def test_tags_and_a_text_are_saved_beside_the_response(files, rows):
    row = rows[0]
    app = run("errors", row=row)
    tag(app, row, "world knowledge, hard")
    box(app, "text_area", row).set_value("needs a map").run()
    name = notes_path(str(files[1]))
    assert read_notes(name).by_id == {row: Note(row, ("world knowledge", "hard"), "needs a map")}
    assert reads(said(app), "Saved", "one.jsonl.corescore-notes.json")
    assert box(app, "multiselect", row).value == ["world knowledge", "hard"]


def test_an_error_is_seen_without_a_word_and_no_longer_when_that_is_taken_back(files, rows):
    row = rows[1]
    app = run("errors", row=row)
    box(app, "checkbox", row).check().run()
    assert read_notes(notes_path(str(files[1]))).by_id == {row: Note(row)}
    box(app, "checkbox", row).uncheck().run()
    assert not Path(notes_path(str(files[1]))).exists()


def run_with_boxes_of(app, before):
    """A run in which the browser still has boxes that the run before no longer drew, as where
    clicks follow each other faster than pages."""
    states = app._tree.get_widget_states()
    here = {state.id for state in states.widgets}
    states.widgets.extend(state for state in before.widgets if state.id not in here)
    app._run(states)


def test_a_note_is_kept_and_no_other_is_made_if_the_next_rows_are_opened_at_once(files, rows):
    row, path = rows[0], Path(notes_path(str(files[1])))
    app = run("errors", row=row)
    text = box(app, "text_area", row)
    text.set_value("needs a map")
    typed = app._tree.get_widget_states()
    text.set_value("")
    untouched = app._tree.get_widget_states()
    run_with_boxes_of(opened(app, rows[1]), untouched)
    assert not path.exists()
    run_with_boxes_of(opened(app, rows[2]), typed)
    assert read_notes(path).by_id == {row: Note(row, (), "needs a map")}


@pytest.mark.slow
def test_a_note_that_another_process_changed_meanwhile_is_told_and_kept(files, rows):
    path = notes_path(str(files[1]))
    app = run("errors")
    row, other = rows[:2]
    opened(app, row)
    update_notes(path, lambda notes: notes.with_note(Note(row, ("theirs",), "their text")))
    update_notes(path, lambda notes: notes.with_note(Note(other, ("theirs",))))
    tag(app, row, "mine")
    assert read_notes(path).by_id == {
        row: Note(row, ("theirs", "mine"), "their text"),
        other: Note(other, ("theirs",)),
    }
    assert "in the meantime (tags “theirs”, text “their text”)" in said(app)
    assert "in the meantime" not in said(app.run())
    update_notes(path, lambda notes: notes.with_note(Note(row, ("theirs",), "changed again")))
    box(app, "text_area", row).set_value("my text").run()
    assert read_notes(path).by_id[row].text == "my text"
    assert "text “changed again”" in said(app)


def test_a_file_that_is_broken_is_told_and_not_overwritten(files, rows):
    path = notes_path(str(files[1]))
    Path(path).write_text("[{]")
    row = rows[0]
    app = run("errors", row=row)
    assert "one.jsonl.corescore-notes.json:1: " in html(app)
    tag(app, row, "x")
    assert Path(path).read_text() == "[{]"


@pytest.mark.slow
def test_notes_on_the_sample_data_are_kept_in_the_session():
    result = loaded_in(page_of()).system("A").result
    row = error_table(result.comparison)["id"].iloc[0]
    app = run("errors", row=row)
    tag(app, row, "hard")
    assert reads(said(app), "Saved", "tab")
    assert "download them" in html(app)


def test_notes_are_imported_and_those_about_other_rows_told(rows):
    app = run("errors")
    row = rows[0]
    notes = [{"id": name, "tags": ["theirs"], "note": ""} for name in (row, "gone:1-2:k")]
    app.file_uploader(key="notes_in").upload("n.json", json.dumps(notes).encode()).run()
    assert "2 notes imported." in html(app)
    assert says(app, "n.json", "1 note")
    assert (1, "tag:theirs", "A") in links_in(html(app))


def test_a_bad_file_is_told_with_its_line(files):
    app = run("errors")
    app.file_uploader(key="notes_in").upload("n.json", b'[\n{"id": 3}\n]').run()
    assert "n.json:2" in html(app)


def test_a_second_annotator_is_compared_on_the_rows_both_have_seen(files, rows):
    app = run("errors")
    one, two, three, *_ = rows
    path = notes_path(str(files[1]))
    mine = [Note(one, ("x",)), Note(two), Note(three, ("x",))]
    Path(path).write_text(notes_as_json(Notes.of(mine)))
    theirs = [{"id": name, "tags": tags, "note": ""} for name, tags in ((one, ["x"]), (two, []))]
    app.file_uploader(key="notes_beside").upload("b.json", json.dumps(theirs).encode()).run()
    told = html(app)
    assert reads(told, "2 mentions with errors", "both", "b.json", "1 more", "0 only in b.json")
    assert reads(told, "κ", "1.00")


# The list of errors in a browser: found, read one after another, exported, and linked to ----------

FIND = "type:pronoun antecedent.type:proper given:wrong"


class ErrorsPage:
    """The parts of the page."""

    def __init__(self, page):
        self.page = page
        self.headline = page.locator(".headline").first
        self.search = page.get_by_role("combobox", name="Search the errors")
        self.rows = page.locator(".error-list .row")
        self.place = page.locator(".error-list .at")
        self.opened = page.locator('.error-list .row[aria-selected="true"]')
        self.panel = page.locator(".st-key-error_panel")

    def find(self, query):
        self.rows.first.wait_for()
        wait_until_idle(self.page)
        self.page.keyboard.press("/")
        expect(self.search).to_be_focused()
        self.search.fill(query)
        self.search.press("Enter")
        self.search.press("Escape")
        expect(self.headline).to_contain_text("match")

    def expect_open(self, number, words):
        expect(self.place).to_have_text(re.compile(rf"^{number:,} of "))
        expect(self.opened.locator(".mention .words")).to_have_text(words)
        expect(self.panel.locator(".error-card h2 bdi")).to_have_text(words)
        expect(self.panel.locator(".passage .note q")).to_have_text(words)

    def tag(self, name):
        """Tag the error that is open, and wait until that is said to be saved."""
        box = self.panel.get_by_role("combobox", name="Tags")
        box.click()
        box.fill(name)
        box.press("Enter")
        expect(self.panel).to_contain_text("Saved in")

    def words(self, number):
        return self.rows.nth(number).locator(".mention .words").inner_text()


def test_pronouns_with_a_wrong_antecedent_are_found_read_exported_and_linked_to(
    chromium, stranger, address
):
    """Back, Text and the way from there to the list find the row again that is open."""
    with watched(chromium, address) as page:
        open_at(page, address)
        turn_to(page, "Errors")
        errors = ErrorsPage(page)
        errors.find(FIND)
        page.get_by_role("combobox", name="Sort by").select_option(label="cost in LEA")
        expect(page.locator(".error-list .heads")).to_contain_text("LEA")
        words = [errors.words(number) for number in range(3)]
        wait_until_idle(page)
        for number, of_row in enumerate(words, 1):
            page.keyboard.press("n")
            errors.expect_open(number, of_row)
            expect(errors.panel).to_contain_text("Credit towards recall")
            expect(errors.panel.locator(".chain")).to_have_count(2)
        page.go_back()
        errors.expect_open(2, words[1])
        errors.panel.get_by_role("link", name="Text").click()
        expect(title_of(page)).to_contain_text("it do here")
        turn_to(page, "Errors")
        errors.expect_open(2, words[1])
        errors.tag("world knowledge")
        errors.expect_open(2, words[1])
        download = downloaded(page, "error-list-cautious", "CSV")
        text = download.path().read_text(encoding="utf-8")
        exported = list(csv.DictReader(text.splitlines()))
        assert [row["mention"] for row in exported[:3]] == words
        assert [row["tag"] for row in exported[:3]] == ["", "world knowledge", ""]
        assert f"of {len(exported):,}" in errors.place.inner_text()
        page.wait_for_url(re.compile("row="))
        link, headline = page.url, errors.headline.inner_text()
    with watched(stranger, address) as page:
        open_at(page, link)
        errors = ErrorsPage(page)
        errors.expect_open(2, words[1])
        assert errors.headline.inner_text() == headline
        expect(errors.search).to_have_value(FIND)
        assert [errors.words(number) for number in range(3)] == words
        expect(page).to_have_url(link)


def test_the_credit_of_an_error_is_one_click_away_with_all_six_reasons_in_sight(page, address):
    open_at(page, f"{address}/errors?find=kind:divided-entity")
    errors = ErrorsPage(page)
    errors.rows.first.click()
    errors.panel.get_by_role("link", name="Credit").click()
    reasons, sums = page.locator(".panel .why"), page.locator(".cell b")
    reasons.nth(5).wait_for()
    wait_until_idle(page)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    assert all(map(str.strip, sums.all_inner_texts()))
    for box in (place_of(reason) for reason in reasons.all()):
        assert box["y"] + box["height"] <= 900


def test_the_panel_fits_beside_the_list_or_below_it(page, address):
    open_at(page, f"{address}/errors")
    errors = ErrorsPage(page)
    for width in (1440, 1280, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        wait_until_idle(page)
        errors.rows.nth(5).click()  # which the list, lower than before, would no longer show
        expect_to_stand_in_sight(page, errors, width)
        page.keyboard.press("Escape")
        expect(errors.panel).to_have_count(0)


def expect_to_stand_in_sight(page, errors, width):
    errors.panel.locator(".passage").wait_for()
    expect_to_fit(page)
    wait_until_idle(page)
    shown, scroller = errors.panel.bounding_box(), page.locator(".scroller").bounding_box()
    row, notes = errors.opened.bounding_box(), page.locator(".st-key-errors_below").bounding_box()
    assert scroller["y"] <= row["y"]
    assert row["y"] + row["height"] <= scroller["y"] + scroller["height"]
    is_beside = shown["x"] > scroller["x"] + scroller["width"]
    is_below = shown["y"] > scroller["y"] + scroller["height"]
    assert (is_beside, is_below) == (width > 1250, width <= 1250)
    assert shown["y"] < 760
    if width == 1280:
        expect(errors.panel.locator(".passage .lit").first).to_be_in_viewport()
        ask = page.get_by_role("button", name="Help", exact=True)
        ask.click()
        assert place_of(page.locator(".help dd").first)["width"] > 200
        ask.click()
    assert is_beside or notes["y"] > shown["y"] + shown["height"]
