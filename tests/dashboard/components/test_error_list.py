"""The error list's script with what the page Errors sends it: rows, keys, search and facets."""

from playwright.sync_api import expect

from tests.support.blank import Drawn, param
from tests.support.pages import run

LIST = "Errors; Enter opens one"


class ErrorList(Drawn):
    """The list of the page Errors, and its parts."""

    def __init__(self, page, **parameters):
        super().__init__(page, run(view="errors", **parameters), "error_list")
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

    def expect_open(self, number, row):
        n = self.data["n"]
        expect(self.place).to_have_text(f"{number:,} of {n:,}" if number else f"{n:,}")
        if number:
            expect(self.opened.locator(".mention .words")).to_have_text(row["mention"]["words"])
            assert param(self.app, "row") == row["id"]
        else:
            expect(self.opened).to_have_count(0)
            assert param(self.app, "row") == ""


def test_a_row_says_what_is_wrong(blank):
    errors = ErrorList(blank, find="given:wrong antecedent.type:proper")
    row, drawn = errors.data["rows"][0], errors.rows.first
    parts = {".letter": row["letter"], ".type": row["type"], ".cost": row["cost"]}
    parts |= {".mention .words": row["mention"]["words"], ".document": row["document"]}
    parts |= {".kind": row["kind"] or row["status"]}
    for place, words in parts.items():
        expect(drawn.locator(place)).to_have_text(words)
    snippets = drawn.locator(".antecedents .snippet")
    expect(snippets.first.locator(".words")).to_have_text(row["given"]["words"])
    expect(snippets.last.locator(".words")).to_have_text(row["antecedent"]["words"])
    expect(snippets.first).to_have_class("snippet wrong-one")
    expect(snippets.last).to_have_class("snippet right")


def test_n_and_p_open_the_next_row_and_the_one_before(blank):
    errors = ErrorList(blank)
    rows = errors.data["rows"]
    for number in (1, 2, 3):
        told = errors.press("n")
        assert (told["at"], told["row"]) == (number - 1, rows[number - 1]["id"])
        errors.expect_open(number, rows[number - 1])
    errors.press("p")
    errors.expect_open(2, rows[1])
    for name, number in (("Next", 3), ("Previous", 2), ("Previous", 1)):
        blank.get_by_role("button", name=name).click()
        errors.answer()
        errors.expect_open(number, rows[number - 1])
    expect(blank.get_by_role("button", name="Previous")).to_be_disabled()
    blank.get_by_role("button", name="Close").click()
    errors.answer()
    errors.expect_open(None, None)


def test_keys_open_and_close_rows(blank):
    errors = ErrorList(blank, find="class:missing")
    first, second = errors.data["rows"][:2]
    errors.list.focus()
    blank.keyboard.press("ArrowDown")
    errors.press("Enter")
    errors.expect_open(2, second)
    errors.press("p")
    errors.expect_open(1, first)
    errors.press("Escape")
    errors.expect_open(None, None)
    errors.press("/")
    expect(errors.search).to_be_focused()
    blank.keyboard.type(" n p")
    expect(errors.search).to_have_value("class:missing n p")
    errors.answer()
    errors.expect_open(None, None)
    assert param(errors.app, "find") == "class:missing"  # of what is typed nothing is asked yet


def test_a_click_opens_a_row_in_any_order(blank):
    errors = ErrorList(blank, order="cost.lea")
    expect(blank.locator(".error-list .heads")).to_contain_text("LEA")
    row = errors.data["rows"][1]
    errors.rows.nth(1).click()
    assert errors.told()["row"] == row["id"]
    errors.expect_open(2, row)
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
    expect(errors.place).to_have_text(f"{n:,}")
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
    errors.expect_open(n, errors.data["rows"][-1])
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
    blank.get_by_role("button", name="Clear the search").click()
    assert errors.told()["find"] == ""
    assert errors.data["n"] == every


def test_a_query_with_a_fault_marks_its_place(blank):
    errors = ErrorList(blank, find="class:missing size>many")
    problem = errors.data["problem"]
    wrong = blank.get_by_role("alert")
    expect(wrong).to_contain_text(problem["says"])
    find = errors.data["find"]
    expect(wrong.locator("mark")).to_have_text(find[problem["start"] : problem["end"]] or " ")
    expect(errors.search).to_have_attribute("aria-invalid", "true")


def value_of(errors, words):
    """The value of the first facet that is called so."""
    return next(one for one in errors.data["facets"][0]["values"] if one["words"] == words)


def test_a_value_is_added_excluded_and_taken_out_by_clicks(blank):
    errors = ErrorList(blank)
    value = errors.data["facets"][0]["values"][1]
    title = errors.data["facets"][0]["title"]
    blank.get_by_role("button", name=f"Leave out {title}: {value['words']}").click()
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
    errors.expect_open(3, third)
