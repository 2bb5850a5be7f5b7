"""The scripts of the error list and of the passage, with what pages send them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard import components
from tests.support.browser import Drawn, blank_page, param, push
from tests.support.pages import name_files, run

# The error list's script with what the page Errors sends it: rows, keys, search and ---------------

LIST = "Errors; Enter opens one"
FOLDER = Path(components.__file__).parent / "error_list"


class ErrorList(Drawn):
    """The list of the page Errors, and its parts."""

    def __init__(self, page, **parameters):
        super().__init__(page, run("errors", **parameters), "error_list")
        self.search = page.get_by_role("combobox", name="Search the errors")
        self.rows = page.locator(".error-list .row")
        self.place = page.locator(".error-list .at")
        self.opened = page.locator('.error-list .row[aria-selected="true"]')
        self.list = page.get_by_role("listbox", name=LIST)
        self.facets = page.locator(".facets")

    def press(self, key):
        """Press a key, and hand over what is reported."""
        self.page.keyboard.press(key)
        return self.told()

    def told(self):
        return self.answer()[-1]["value"]

    def words(self, number):
        return self.data["rows"][number]["mention"]["words"]

    def expect_open(self, row):
        number = row["number"] if row else None
        told = f"{self.data['n_mentions']:,} mentions"
        expect(self.place).to_have_text(f"{number:,} of {told}" if number else told)
        if number:
            expect(self.opened.locator(".mention")).to_have_attribute("title", in_context(row))
            assert param(self.app, "row") == row["id"]
        else:
            expect(self.opened).to_have_count(0)
            assert param(self.app, "row") == ""


def test_a_row_says_what_is_wrong(blank):
    errors = ErrorList(blank, find="given:wrong antecedent.type:proper")
    row, drawn = errors.data["rows"][0], errors.rows.first
    parts = {".letter": row["letter"], ".type": row["type"], ".cost": row["cost"]}
    parts |= {".document": row["document"]}
    parts |= {".kind": row["kind"] or row["status"]}
    for place, words in parts.items():
        expect(drawn.locator(place)).to_have_text(words)
    expect(drawn.locator(".mention")).to_have_attribute("title", in_context(row))
    both = row["given"]["words"], row["antecedent"]["words"]
    told = "given{}should be{}{}".format(*both, row["other"])
    expect(drawn.locator(".antecedents")).to_have_text(told)
    expect(drawn.locator(".wrong-one")).to_have_text(both[0])


def test_an_antecedent_that_is_correct_but_for_its_span_is_told_so(blank):
    errors = ErrorList(blank, find="given:right class:incorrectly-resolved")
    told = {True: "correct but for its span", False: "correct"}
    rows = errors.data["rows"][:5]
    assert any(row["has_given_span_error"] for row in rows)
    for at, row in enumerate(rows):
        words = f"given{row['given']['words']}{told[row['has_given_span_error']]}{row['other']}"
        expect(errors.rows.nth(at).locator(".antecedents")).to_have_text(words)


def test_the_class_in_the_other_system_is_not_cut_off_in_a_narrow_window(blank):
    blank.set_viewport_size({"width": 926, "height": 900})
    antecedents = ErrorList(blank).rows.first.locator(".antecedents")
    right = "node => node.getBoundingClientRect().right"
    assert antecedents.locator("small").evaluate(right) <= antecedents.evaluate(right)


def in_context(row):
    return " ".join(row["mention"].values()).strip()


CUT = """async (names) => {
  const { cut } = await import("data:text/javascript," + encodeURIComponent(names));
  return [cut("one two three", 13), cut("one two three", 9), cut("one two three", 11, true),
    cut("one two three", 7, true), cut("indivisible", 6)];
}"""


def test_words_are_cut_between_words(blank):
    source = (FOLDER / "rows.js").read_text(encoding="utf-8")
    function = source[source.index("function cut") : source.index("// A mention amid")]
    expected = ["one two three", "one two …", "… two three", "… three", "indi …"]
    assert blank.evaluate(CUT, f"export {function}") == expected


def test_n_and_p_open_the_next_row_and_the_one_before(blank):
    errors = ErrorList(blank)
    rows = errors.data["rows"]
    for number in (1, 2, 3):
        told = errors.press("n")
        assert (told["at"], told["row"]) == (number - 1, rows[number - 1]["id"])
        errors.expect_open(rows[number - 1])
    errors.press("p")
    errors.expect_open(rows[1])
    for name, number in (("Next", 3), ("Previous", 2), ("Previous", 1)):
        push(blank, name)
        errors.answer()
        errors.expect_open(rows[number - 1])
    expect(blank.get_by_role("button", name="Previous")).to_be_disabled()
    push(blank, "Close")
    errors.answer()
    errors.expect_open(None)


def test_keys_open_and_close_rows_unless_they_are_typed(blank):
    errors = ErrorList(blank, find="class:missing")
    errors.list.focus()
    blank.keyboard.press("ArrowDown")
    errors.press("Enter")
    errors.expect_open(errors.data["rows"][1])
    errors.press("Escape")
    errors.expect_open(None)
    errors.press("/")
    expect(errors.search).to_be_focused()
    blank.keyboard.type(" n p")
    expect(errors.search).to_have_value("class:missing n p")
    errors.answer()
    errors.expect_open(None)
    assert param(errors.app, "find") == "class:missing"  # of what is typed nothing is asked yet


def test_a_click_opens_a_row_in_any_order(blank):
    errors = ErrorList(blank, order="cost.lea")
    expect(blank.locator(".error-list .heads")).to_contain_text("LEA")
    row = errors.data["rows"][1]
    errors.rows.nth(1).click()
    assert errors.told()["row"] == row["id"]
    errors.expect_open(row)
    assert param(errors.app, "order") == "cost.lea"
    order = blank.get_by_role("combobox", name="Sort by")
    expect(order).to_have_value("cost.lea")
    order.select_option(label="cost in MUC")
    told = errors.told()
    assert (told["order"], told["row"], told["at"]) == ("cost.muc", row["id"], -1)
    expect(blank.locator(".error-list .heads")).to_contain_text("MUC")
    expect(errors.opened.locator(".mention .words")).to_have_text(row["mention"]["words"])


def test_only_rows_in_sight_are_drawn_and_the_others_come_when_they_are(blank):
    errors = ErrorList(blank)
    n = errors.data["n"]
    expect(errors.place).to_have_text(f"{errors.data['n_mentions']:,} mentions")
    assert errors.rows.count() < 60 < n
    errors.list.focus()
    blank.keyboard.press("End")
    last = blank.locator(f'.error-list .row[data-at="{n - 1}"] .mention .words')
    expect(last).to_have_count(0)
    told = errors.told()
    assert n - 200 < told["first"] < n
    expect(last).not_to_be_empty()
    words = last.inner_text()
    errors.press("Enter")
    errors.expect_open(errors.data["rows"][-1])
    expect(errors.opened.locator(".mention .words")).to_have_text(words)
    assert errors.rows.count() < 60


def test_keys_move_through_the_list_and_open_nothing(blank):
    errors = ErrorList(blank, find="class:missing")
    n, seen = errors.data["n"], errors.list.evaluate("node => Math.floor(node.clientHeight / 54)")
    active = blank.locator(".error-list .row.active")
    errors.list.focus()
    for key, at in (
        ("ArrowUp", 0),
        ("ArrowDown", 1),
        ("PageDown", min(seen, n - 1)),
        ("PageUp", 1),
        ("End", n - 1),
        ("Home", 0),
    ):
        blank.keyboard.press(key)
        expect(active).to_have_attribute("data-at", str(at))
        expect(errors.list).to_have_attribute("aria-activedescendant", f"row-{at}")
        expect(errors.opened).to_have_count(0)


def test_a_query_is_typed_completed_and_found(blank):
    errors = ErrorList(blank)
    every = errors.data["n"]
    errors.search.focus()
    errors.answer()
    errors.search.press_sequentially("class:mi")
    blank.wait_for_timeout(300)  # typed slowly, it asks for parts of the query first
    errors.answer()
    options = blank.locator(".completions li")
    expect(options).not_to_have_count(0)
    blank.keyboard.press("Escape")
    expect(options).to_have_count(0)
    expect(errors.search).to_be_focused()
    errors.press("s")
    completions = errors.data["completions"]
    expect(options.locator(".term")).to_have_text([one["term"] for one in completions])
    blank.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    blank.keyboard.press("Enter")
    expect(errors.search).to_have_value(completions[0]["query"])
    errors.answer()
    told = errors.press("Enter")
    assert told["find"] == completions[0]["query"]
    assert 0 < errors.data["n"] < every
    assert {row["status"] for row in errors.data["rows"]} == {"missing"}
    push(blank, "Clear the search")
    assert errors.told()["find"] == ""
    assert errors.data["n"] == every


def test_a_query_with_a_fault_marks_its_place(blank):
    errors = ErrorList(blank, find="class:missing size>many")
    problem = errors.data["problem"]
    wrong = blank.get_by_role("alert")
    expect(wrong).to_contain_text(problem["says"])
    find = errors.data["find"]
    expect(wrong.locator("mark")).to_have_text(find[problem["start"] : problem["end"]] or " ")
    expect(wrong.locator(".place")).to_have_text(find)
    expect(errors.search).to_have_attribute("aria-invalid", "true")


def value_of(errors, words):
    """The value of the first facet that is called so."""
    return next(one for one in errors.data["facets"][0]["values"] if one["words"] == words)


def test_a_value_is_added_excluded_and_taken_out_by_clicks(blank):
    errors = ErrorList(blank)
    value = errors.data["facets"][0]["values"][1]
    title = errors.data["facets"][0]["title"]
    push(blank, f"Leave out {title}: {value['words']}")
    assert errors.told()["find"] == value["exclude"]
    now = value_of(errors, value["words"])
    assert now["state"] == "excluded"
    adds = errors.facets.locator("button.add", has_text=value["words"]).first
    adds.click()
    assert errors.told()["find"] == now["add"] == value["add"]
    expect(adds).to_have_attribute("aria-pressed", "true")
    expect(adds.locator(".count")).to_have_text(value_of(errors, value["words"])["count"])
    adds.click()
    assert errors.told()["find"] == ""
    expect(adds).to_have_attribute("aria-pressed", "false")


CLICK_EACH = """(facets, names) => {
  const buttons = [...facets.querySelectorAll("button.add")];
  names.forEach((name) => buttons.find((b) => b.dataset.focus === name).click());
}"""


def test_a_query_is_kept_by_its_name_until_it_is_removed(blank):
    errors = ErrorList(blank, find="class:missing")
    push(blank, "Saved")
    blank.get_by_role("textbox", name="Name of this query").fill("what A lacks")
    blank.keyboard.press("Enter")
    assert errors.told()["saved"] == param(errors.app, "saved") == "what A lacks"
    saved = blank.get_by_role("button", name="what A lacks", exact=True)
    expect(saved).to_have_attribute("title", "class:missing")
    push(blank, "Clear the search")
    told = errors.told()
    assert (told["find"], told["saved"]) == ("", "")
    expect(blank.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    errors.remove()  # as by a reload
    errors = ErrorList(blank)
    push(blank, "Saved")
    saved.click()
    assert errors.told()["find"] == "class:missing"
    assert param(errors.app, "find") == "class:missing"
    assert param(errors.app, "saved") == "what A lacks"
    push(blank, "Remove what A lacks")
    expect(saved).to_have_count(0)


def test_a_link_to_a_saved_query_opens_with_its_name_which_another_browser_can_keep(blank):
    errors = ErrorList(blank, find="class:missing", saved="what A lacks")
    opens = blank.get_by_role("button", name="Saved: what A lacks", exact=True)
    opens.click()
    push(blank, "Save", exact=True)
    assert errors.told()["saved"] == "what A lacks"
    kept = blank.get_by_role("button", name="what A lacks", exact=True)
    expect(kept).to_have_attribute("title", "class:missing")
    value = errors.data["facets"][0]["values"][1]
    errors.facets.locator("button.add", has_text=value["words"]).first.click()
    assert errors.told()["saved"] == ""  # another query
    expect(opens).to_have_count(0)


def test_three_rows_are_drawn_at_random_and_others_by_another_click(blank):
    errors = ErrorList(blank, find="class:missing")
    n, three = errors.data["n_mentions"], blank.get_by_role("button", name="Three at random")
    seen = set()
    for _ in range(2):
        three.click()
        seen.add(errors.told()["order"])
        expect(errors.rows).to_have_count(3)
        expect(errors.place).to_have_text(f"3 of {n} mentions")
    assert len(seen) == 2
    assert {param(errors.app, "order")} < seen
    blank.get_by_role("combobox", name="Sort by").select_option("text")
    assert errors.told()["order"] == "text"
    expect(errors.place).to_have_text(f"{n} mentions")


def test_values_clicked_in_one_breath_all_narrow_the_list_down(blank):
    """The second waits for the answer to the first, which says what query it makes."""
    errors = ErrorList(blank)
    names = ["Class of the mention missing", "Type of the mention personal"]
    errors.facets.evaluate(CLICK_EACH, names)
    assert errors.told()["find"] == "class:missing"
    assert errors.told()["find"] == "class:missing type:personal"
    expect(errors.search).to_have_value("class:missing type:personal")
    assert param(errors.app, "find") == "class:missing type:personal"
    errors.facets.evaluate(CLICK_EACH, names)
    errors.answer()
    errors.answer()
    expect(errors.search).to_have_value("")
    assert param(errors.app, "find") == ""


def test_the_last_of_several_reports_is_enough(blank):
    """Streamlit passes on only the last of what is sent while the app is at work."""
    errors = ErrorList(blank)
    third = errors.data["rows"][2]
    for _ in range(3):
        blank.keyboard.press("n")
    sent = errors.answer(last=True)
    assert [one["value"]["number"] for one in sent] == [1, 2, 3]
    errors.expect_open(third)


# The passage's script with what the page Text sends it: pointer, keys, and what goes back ---------


def drawn(page, **parameters):
    """The passage of the page Text."""
    return Drawn(page, run("text", **parameters), "passage")


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


def test_a_pointer_that_rests_where_a_mention_is_drawn_leaves_the_selected_one_lit(blank):
    text = drawn(blank, mention="0-4", document="news_harbour")
    selected = blank.locator(".line .label.lit").first
    expect(selected).to_have_attribute("data-at", "0-4")
    box = blank.locator('.line .label[data-at="50-53"]').bounding_box()
    text.remove()
    blank.mouse.move(box["x"] + 4, box["y"] + 4)
    text.draw()
    rested = "() => new Promise((told) => requestAnimationFrame(() => setTimeout(told, 200)))"
    blank.evaluate(rested)  # the browser tells what came under the pointer
    expect(selected).to_have_attribute("data-at", "0-4")
    blank.mouse.move(0, 0)
    blank.mouse.move(box["x"] + 4, box["y"] + 4)
    expect(blank.locator(".line .label.lit").first).to_have_attribute("data-at", "50-53")


def test_a_click_selects_a_mention_and_shows_its_chains_and_a_second_selects_none(blank):
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
    label = blank.locator(f'.line .label[data-at="{at}"]')
    expect(label).to_be_focused()
    label.click()
    assert text.answer() == [{"event": "chosen", "value": ""}]
    assert param(text.app, "mention") == ""
    expect(chains).to_have_count(0)
    for key in ("Enter", " "):
        label.focus()
        blank.keyboard.press(key)
        text.answer()
        expect(chains).to_have_count(2)
        label.blur()
        expect(blank.locator(".label.lit")).to_have_count(1)
        label.focus()
        blank.keyboard.press("Escape")
        text.answer()
        expect(chains).to_have_count(0)


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


def test_keys_and_buttons_move_from_error_to_error_and_end_at_the_last(blank):
    text = drawn(blank)
    n, places = text.data["n_errors"], text.data["errors"]
    expect(count(blank)).to_have_text(f"{n} mentions with errors")
    previous, following = (
        blank.get_by_role("button", name=name) for name in ("Previous error", "Next error")
    )
    expect(previous).to_be_disabled()
    keys = {1: "n", 2: "n", 3: following, 4: following}
    for number, way in (*keys.items(), (3, "p"), (2, previous), (1, previous)):
        blank.keyboard.press(way) if way in ("n", "p") else way.click()
        assert text.answer() == [{"event": "chosen", "value": places[number - 1]}]
        expect(count(blank)).to_have_text(f"{number} of {n} mentions with errors")
        assert param(text.app, "mention") == places[number - 1]
    expect(blank.locator(".line .label.lit")).to_be_focused()
    expect(previous).to_be_disabled()
    expect(following).to_be_enabled()
    blank.evaluate("document.body.append(document.createElement('input'))")
    blank.locator("body > input").focus()
    blank.keyboard.type("np")  # what is typed into a box moves nothing
    expect(blank.locator("body > input")).to_have_value("np")
    assert text.is_quiet()
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
    rows = text.data["credit"]["rows"]
    expect(blank.locator(".tools .credit .of")).to_have_text("Credit (A · B)")
    told = [f"{title} {' · '.join(shares)}" for title, shares in rows]
    expect(blank.locator(".tools .credit .cell")).to_have_text(told)
    assert all(re.fullmatch(r"\d+/\d+|–|0\.\d+", share) for _, of in rows for share in of)
    assert told[-1].startswith("LEA ")


def test_the_bar_keeps_the_antecedents_and_the_credit_while_others_are_pointed_at(blank):
    text = drawn(blank, mention="42-45")  # a violent storm
    (key,) = (chain for chain in text.data["chains"] if chain["side"] == 0)
    words = [one["text"] for one in key["members"] if int(one["span"].split("-")[0]) < 42]
    told = f"Antecedent: {f'“{words[-1]}”' if words else 'none'} in the key, "
    kept = blank.locator(".tools .kept")
    expect(kept.locator(".antecedents")).to_contain_text(told)
    before = kept.inner_text()
    blank.locator(".line .label").first.hover()
    expect(note(blank).locator("q")).not_to_have_text("a violent storm")
    assert kept.inner_text() == before
    blank.locator(".line .label").first.press("Escape")
    text.answer()
    expect(kept).to_be_hidden()


# Filters, colours, words --------------------------------------------------------------------------


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
    expect(blank.locator(".credit .of")).to_have_text("Credit (recall · precision)")


def test_words_that_are_found_are_marked_and_stepped_through(blank):
    text = drawn(blank, search="the")
    places, n = text.data["hits"]["places"], text.data["hits"]["n"]
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
def test_a_long_mention_is_told_from_both_ends_and_the_text_stays_where_it_is(chromium):
    """Were it to move away from the pointer, it would flicker for ever."""
    with blank_page(chromium, width=1024) as page:
        drawn(page)
        label = page.locator(".line .label").first
        before = label.bounding_box()["y"]
        label.hover()
        expect(note(page).locator("q")).to_contain_text("word2 word3")
        expect(note(page)).to_contain_text("word89 word90")
        assert label.bounding_box()["y"] == before
        assert note(page).evaluate("node => node.scrollHeight <= node.clientHeight + 1")


@pytest.mark.usefixtures("long")
def test_a_stretch_of_the_strip_says_what_it_has_and_turns_to_its_window(blank):
    """A mention that is clicked at the same time is not lost."""
    text = drawn(blank)
    strip, width = text.data["strip"], text.data["strip"]["width"]
    stretches = blank.locator(".stretch")
    expect(stretches).to_have_count(len(strip["counts"]))
    with_one = strip["counts"].index(1)
    title = f"Words {with_one * width + 1} to {(with_one + 1) * width}: 1 mention with errors"
    assert stretches.nth(with_one).get_attribute("title") == title
    stretches.first.focus()
    for key, at in (("ArrowRight", 1), ("ArrowLeft", 0)):
        blank.keyboard.press(key)
        expect(stretches.nth(at)).to_be_focused()
    forms = blank.locator(".form")
    expect(forms.first).to_have_text("word0")
    stretch = stretches.last
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
