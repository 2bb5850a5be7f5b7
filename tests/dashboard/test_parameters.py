"""What pages write into their URLs is read back where a link is opened."""

import re

import pytest
from playwright.sync_api import expect

from dashboard.navigation import _SECTIONS
from tests.support.browser import open_at, turn_to_place, wait_until_idle
from tests.support.pages import html, open_page, page_of, run

VIEWS = [entry[0] for section in _SECTIONS.values() for entry in section]
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
    last = {key: widget.options[-1] for key, widget in choices(run(view=view)).items()}
    together = choices(run(view=view, **last))
    for key, option in last.items():
        # What one box shows may leave out another, or its option: that is opened alone.
        boxes = together if key in together and shown(together[key]) == [option] else None
        boxes = boxes or choices(run(view=view, **{key: option}))
        assert shown(boxes[key]) == [option], (key, option)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_a_switch_that_a_link_leaves_empty_shows_its_default(view):
    before = choices(run(view=view))
    after = choices(run(view=view, **dict.fromkeys(before, "")))
    for key, widget in before.items():
        assert shown(after[key]) == shown(widget), key


@pytest.mark.parametrize(
    ("view", "key", "given", "selected", "written"),
    [
        ("credit", "metric", "lea", "lea", "LEA"),
        ("entities", "worst_by", "CeafE", "ceafe", "CEAFₑ"),
        ("documents", "by", "bcub", "bcub", "B³"),
    ],
)
def test_a_link_may_name_a_metric_by_its_id(view, key, given, selected, written):
    app = run(view=view, **{key: given})
    assert app.selectbox(key=key).value == selected
    assert app.query_params[key] in (written, [written])


def test_a_metric_that_does_not_exist_leaves_the_first():
    assert page_of(view="credit", metric="nonsense").selectbox(key="metric").value == "muc"


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
    app = run(view=view, **also, **dict(zip(NUMBERS[view], given, strict=True)))
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


@pytest.mark.slow
def test_back_to_a_link_that_was_put_right_shows_no_error(page, address):
    open_at(page, address)
    for link, box in (("many?trials=inf&by=lea", "Resamples"), ("many?trials=7&by=LEA", "Seed")):
        turn_to_place(page, link)
        expect(page.locator(".caution", has_text="The link sets “Resamples”")).to_be_visible()
        page.get_by_role("spinbutton", name=box).fill("500")
        page.keyboard.press("Enter")
        wait_until_idle(page)
        page.go_back()
        wait_until_idle(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
