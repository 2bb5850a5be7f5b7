"""What stands in the URL, what is selected, and what a parameter may be."""

import ast
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

import dashboard
from corescore.rendering import columns
from dashboard.navigation import SECTIONS, import_views
from dashboard.session.state import Slot, State
from dashboard.session.url_names import FORMER, SETTINGS
from dashboard.session.url_names import VIEWS as PARTS
from dashboard.views import errors_impact, errors_list, sandbox
from dashboard.widgets import policies
from dashboard.widgets.policies import POLICIES
from tests.support.acts import choose, says
from tests.support.browser import (
    open_at,
    param,
    push,
    title_of,
    turn_to,
    turn_to_place,
    wait_until_idle,
    watched,
)
from tests.support.pages import html, open_page, page_of, run, sent_to

# The register of URL names: every name in use is registered once, for the pages that use ----------

ROOT = Path(dashboard.__file__).parent
SELECTS = {e.path: e.selects for section in SECTIONS.values() for e in section if e.selects}
ON = {one.name: one.pages.split() for one in SETTINGS.values()}


@cache
def nodes(*others):
    """Of the app's code and of other files."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (*ROOT.rglob("*.py"), *others))
    return [node for tree in trees for node in ast.walk(tree)]


def names_in_use():
    """Literal ones in the app's code: of widgets that the URL sets, and of what it reads."""
    for node in nodes():
        if isinstance(node, ast.Call):
            given, called = {one.arg: one.value for one in node.keywords}, ast.unparse(node.func)
            if "bind" in given:
                yield given["key"]
            if called.startswith(("st.query_params.", "selection.turn")) and node.args:
                yield node.args[0]
            if called == "write_url":
                yield from getattr(node.args[0], "keys", ())
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "st.query_params":
            yield node.slice


def test_values_of_a_session_have_one_record_and_the_url_has_one_writer():
    """But for keys that are computed, and what widgets write themselves."""
    keys, writes = set(), {"update", "pop", "clear", "from_dict"}
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of, key = ast.unparse(node.func.value), node.args[0] if node.args else None
            assert not (of == "st.query_params" and node.func.attr in writes)
        elif isinstance(node, ast.Subscript):
            of, key = ast.unparse(node.value), node.slice
            assert not (of == "st.query_params" and not isinstance(node.ctx, ast.Load))
        else:
            continue
        if of == "st.session_state" and isinstance(key, ast.Constant):
            keys.add(key.value)
    assert keys == set()


def test_each_value_of_a_session_has_a_name_of_its_own():
    import_views()
    records = [vars(record).values() for record in (State, *State.__subclasses__())]
    names = Counter(slot.name for of in records for slot in of if isinstance(slot, Slot))
    assert [name for name, n in names.items() if n > 1] == []
    assert {"place", "sandbox", "upload"} <= names.keys()


def test_every_name_has_one_meaning():
    pages = {entry.path for section in SECTIONS.values() for entry in section}
    assert all(on == ["*"] or (on and set(on) <= pages) for on in ON.values())
    assert all(one.meaning for one in SETTINGS.values())


def test_every_name_in_use_is_registered():
    """For which page, is seen on each page in test_every_page.py."""
    names = {node.value for node in names_in_use() if isinstance(node, ast.Constant)}
    former = {former for _, former, _ in FORMER} | {"kind"}  # of errors: a query has it now
    assert names - {*ON} - former == set()
    assert {"document", "mention", "part"} <= names


def test_names_that_are_computed_are_registered():
    assert {name: [path] for path, name in SELECTS.items()}.items() <= ON.items()
    assert set(POLICIES) <= set(ON)
    assert set(errors_list.NAMES) <= {name for name in ON if "errors" in ON[name]}
    former = {name for _, name, _ in FORMER}
    assert {*errors_impact.PARAMETERS} - former <= {name for name in ON if "errors" in ON[name]}
    assert set(sandbox._PARAMS) == {name for name in ON if ON[name] == ["sandbox"]}


def test_no_name_is_registered_in_vain():
    words = {node.value for node in nodes() if isinstance(node, ast.Constant)}
    assert {*ON} - words - {*POLICIES} - {*errors_list.NAMES} == set()


@pytest.mark.slow
@pytest.mark.parametrize("page, former, now", FORMER)
def test_old_links_select_the_same(page, former, now):
    value = {"search": "needle", "about": "LEA", "by": "LEA"}[now]
    app = run(page, **{former: value})
    assert former not in app.query_params
    assert app.query_params[now] in (value, [value])
    shown = {
        box.key: box.value for box in (*app.text_input, *app.segmented_control, *app.selectbox)
    }
    assert shown[now] in (value, value.lower())


def test_every_table_of_columns_is_drawn():
    """A name that a page puts together, such as f"credit by {by}", is told by its beginning."""
    text = Path(columns.__file__).with_suffix(".toml").read_text(encoding="utf-8")
    beginnings = tuple(
        node.value
        for call in nodes(*Path(columns.__file__).parent.glob("*.py"))
        if isinstance(call, ast.Call) and call.args and ast.unparse(call.func) == "columns_of"
        for node in ast.walk(call.args[0])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    tables = set(tomllib.loads(text)) - {"any table"}
    assert {name for name in tables if not name.startswith(beginnings)} == set()
    assert len(tables) > 20


# What pages write into their URLs is read back where a link is opened -----------------------------

VIEWS = [*(entry.path for section in SECTIONS.values() for entry in section), *PARTS]
# Their options depend on a box beside them, which the same link changes.
DEPENDENT = {"document", "a", "b"}


def choices(app):
    """The boxes and switches whose selection stands in the URL, with what each shows."""
    widgets = [*app.selectbox, *app.segmented_control]
    return {w.key: w for w in widgets if w.proto.query_param_key and w.key not in DEPENDENT}


def shown(widget):
    """What is selected, in the words that stand in the URL."""
    value = widget.value
    return [widget.format_func(one) for one in (value if isinstance(value, list) else [value])]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_every_box_shows_what_its_link_selects(view):
    _, decided, _ = PARTS.get(view, ("", "", ""))  # by a former URL itself, whatever else it says
    every = choices(run(view))
    last = {key: widget.options[-1] for key, widget in every.items() if key != decided}
    together = choices(run(view, **last))
    for key, option in last.items():
        # What one box shows may leave out another, or its option: that is opened alone.
        boxes = together if key in together and shown(together[key]) == [option] else None
        boxes = boxes or choices(run(view, **{key: option}))
        assert shown(boxes[key]) == [option], (key, option)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_a_switch_that_a_link_leaves_empty_shows_its_default(view):
    before = choices(run(view))
    after = choices(run(view, **dict.fromkeys(before, "")))
    for key, widget in before.items():
        assert shown(after[key]) == shown(widget), key


def test_a_link_selects_a_metric_by_its_id():
    app = run("documents", by="bcub")
    assert app.selectbox(key="by").value == "bcub"
    assert param(app, "by") == "B³"


def test_a_former_name_opens_the_part_of_a_page_that_it_was_about():
    assert run("errors", confused_by="LEA").session_state["tab"] == "by kind"
    app = run("compare", parts=["scores"], credit_under="B³")
    assert app.session_state["compared"] == "mentions and errors"


def test_a_metric_that_does_not_exist_leaves_the_average():
    assert page_of("credit", metric="nonsense").selectbox(key="by").value == "conll"


def test_one_metric_orders_and_labels_all_pages():
    app = run("documents", by="MUC", document="news_harbour")
    assert says(app, "MUC")
    assert list(app.dataframe[0].value["muc"]) == sorted(app.dataframe[0].value["muc"])
    open_page(app, "entities")
    assert says(app, "MUC")
    open_page(app, "errors")
    assert listing(app)["cost_head"] == "MUC"
    choose(app, "by", "bcub")
    assert listing(app)["order"] == "cost.bcub"
    open_page(app, "credit")
    assert says(app, "B³ recall")
    assert app.selectbox(key="by").value == "bcub"


def test_where_an_average_credits_nothing_lea_is_shown_and_that_is_said():
    for view in ("credit", "entities"):
        assert says(page_of(view), "CoNLL is an average of three metrics, so this is LEA")


def listing(app):
    """What the list of errors is given."""
    (drawn,) = sent_to(app, "error_list")
    return drawn


# Numbers ------------------------------------------------------------------------------------------

NUMBERS = {
    "many": {"trials": "100 to 100,000", "chance": "0 to 1,000,000"},
    "compare": {"trials": "100 to 100,000", "chance": "0 to 1,000,000"},
    "perturb": {"seed": "0 to 1,000,000", "seeds": "1 to 100"},
    "experiments": {"moosavi2016-fig2-steps": "2 to 20", "moosavi2016-fig2-seeds": "1 to 10"},
}


def numbers(view, *given):
    """The page of a link with these numbers, and what its boxes show."""
    also = {"experiment": "moosavi2016-fig2"} if view == "experiments" else {}
    app = run(view, **also, **dict(zip(NUMBERS[view], given, strict=True)))
    boxes = {box.key: box.value for box in (*app.number_input, *app.slider)}
    return app, [boxes[key] for key in NUMBERS[view]]


def refused(app):
    return re.findall(r"The link sets [^<]+", html(app))


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", [("inf", "1e400"), ("nan", "9" * 400), ("٣", "1.5"), ("-1", "1e9"), ("x", "1000001")]
)
def test_a_number_of_a_link_that_does_not_fit_is_refused_in_a_sentence(given):
    app, shown = numbers("many", *given)
    assert shown == [10_000, 0]
    for value, allowed, said in zip(given, NUMBERS["many"].values(), refused(app), strict=True):
        assert f"to “{value[:20]}" in said
        assert f"whole number from {allowed}" in said
    assert not {"trials", "chance"} & set(app.query_params)
    open_page(app, "overview")
    assert not refused(app)


@pytest.mark.slow
@pytest.mark.parametrize("view", NUMBERS)
def test_numbers_of_links_are_checked_on_every_page(view):
    app, defaults = numbers(view, "inf", "1e9")
    assert all(map(str.__contains__, refused(app), NUMBERS[view].values()))
    assert len(refused(app)) == 2
    assert numbers(view, "nan", "-1")[1] == defaults
    app, shown = numbers(view, "100", "10") if view != "experiments" else numbers(view, "10", "10")
    assert shown == ([10, 10] if view == "experiments" else [100, 10])
    assert not refused(app)


@pytest.mark.long
def test_back_to_a_link_that_was_put_right_shows_no_error(page, address):
    open_at(page, address)
    for link, box in (("trials=inf&by=lea", "Resamples"), ("trials=7&by=LEA", "Seed")):
        turn_to_place(page, f"compare?systems=many+systems&{link}")
        expect(page.locator(".caution", has_text="The link sets “Resamples”")).to_be_visible()
        push(page, "Resampling, ties")
        page.get_by_role("spinbutton", name=box).fill("500")
        page.keyboard.press("Enter")
        wait_until_idle(page)
        page.go_back()
        wait_until_idle(page)
        expect(title_of(page)).to_be_visible()


def test_the_response_that_is_selected_is_so_after_back_forward_and_a_reload(page, address):
    """Streamlit takes a name out of the URL to which Back leads if both pages have its widget."""

    def expect_second():
        wait_until_idle(page)
        expect(page.get_by_role("radio", name=second)).to_be_checked()
        page.wait_for_url(re.compile("[?&]of=B"))

    second = re.compile("^B: ")
    open_at(page, f"{address}/credit?document=news_harbour")
    page.get_by_role("radio", name=second).click()
    expect_second()
    turn_to(page, "Entities")
    expect_second()
    for go in (page.go_back, page.go_forward, page.reload, page.go_back):
        go()
        expect_second()


# One document and one mention are selected on every page, wherever one comes from -----------------

SHOWING = ("Text", "Credit", "Entities")  # pages that show a document
STEPS = (
    *("Text", "mention", "Credit", "back", "forward", "Errors", "reload", "Text", "document"),
    *("mention", "Entities", "Documents", "back", "back", "forward", "Credit"),
)
DOCUMENTS = ("news_harbour", "news_library", "news_orchard")


@dataclass(frozen=True)
class Entry:
    """A page in the browser's history, with what its URL selects."""

    page: str
    document: str
    mention: str = ""


class Walk:
    """Somebody who goes from page to page, and what should be selected then."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        open_at(page, f"{address}/credit?document=news_orchard")
        self.entries, self.at = [Entry("Credit", "news_orchard")], 0

    @property
    def here(self):
        return self.entries[self.at]

    def go(self, entry):
        self.entries = [*self.entries[: self.at + 1], entry]
        self.at += 1

    def step(self, what):
        here = self.here
        if what == "back":
            self.page.go_back()
            self.at -= 1
        elif what == "forward":
            self.page.go_forward()
            self.at += 1
        elif what == "reload":
            self.page.reload()
        elif what == "document":
            self.step_to_another_document(here)
        elif what == "mention":
            self.select_a_mention(here)
        else:
            turn_to(self.page, what)
            self.go(replace(here, page=what))
        self.check()

    def step_to_another_document(self, here):
        at = DOCUMENTS.index(here.document)
        button, to = ("Next", at + 1) if at == 0 else ("Previous", at - 1)
        push(self.page, button, exact=True)
        self.go(Entry("Text", DOCUMENTS[to]))

    def select_a_mention(self, here):
        wait_until_idle(self.page)
        labels = self.page.locator(".line .label:not(.lit)")
        labels.first.wait_for()
        label = labels.nth(labels.count() // 2)
        before = self.page.url
        label.focus()
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("before => location.href !== before", arg=before)
        query = parse_qs(urlsplit(self.page.url).query)
        self.go(replace(here, mention=query["mention"][0]))

    def says(self, url):
        query = parse_qs(urlsplit(url).query)
        document, mention = query.get("document"), query.get("mention", [""])
        return (document, mention) == ([self.here.document], [self.here.mention])

    def check(self):
        name = self.page.get_by_test_id("stSidebarNav").locator("a[aria-current=page]")
        expect(name).to_have_text(self.here.page)
        wait_until_idle(self.page)
        if self.here.page in SHOWING:
            box = self.page.get_by_role("combobox", name="Document")
            expect(box).to_have_value(re.compile(f"^{self.here.document} · "))
        self.page.wait_for_url(self.says)


def test_a_walk_through_pages_keeps_what_is_selected(chromium, stranger, address):
    with watched(chromium, address) as page:
        walk = Walk(page, address)
        walk.check()
        for what in STEPS:
            walk.step(what)
        turn_to(page, "Text")
        link, selected = page.url, walk.here
    with watched(stranger, address) as page:
        open_at(page, link)
        box = page.get_by_role("combobox", name="Document")
        expect(box).to_have_value(re.compile(f"^{selected.document} · "))
        expect(page.locator(".chain").first).to_be_attached(attached=bool(selected.mention))
        expect(page).to_have_url(link)


@pytest.mark.slow
def test_a_link_to_a_document_that_is_not_here_says_so():
    app = page_of("text", document="elsewhere")
    assert "no document “elsewhere”" in html(app)
    assert app.selectbox(key="document").value == "news_harbour"


def test_the_page_of_a_link_is_known_before_the_sidebar_writes_labels_for_ids(monkeypatch):
    """It runs the app again, and that from a page that is not known would show the first."""
    for name, value, is_id in (("by", "lea", True), ("by", "LEA", False), ("match", "head", True)):
        monkeypatch.setattr(policies.st, "query_params", {name: value, "document": "d"})
        assert policies.has_ids_in_url() == is_id
