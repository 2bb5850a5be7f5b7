"""The Errors page: what fixing is worth, the errors one by one, and the way to the text."""

import re

import pytest
from playwright.sync_api import expect

from corescore.analysis.errors.operations import SLICES
from corescore.sentences import errors as sentences
from corescore.wording import counted
from tests.support.browser import click_at, open_at, place_of, turn_to, wait_until_idle
from tests.support.pages import KEY, REPEATS, RESPONSE, give, headlines, html, page_of, reads, run

ERRORS, BY_KIND = "errors", "by kind"
NO_CHANGE = "Fixing the errors of A (response) would change no score."


@pytest.mark.slow
@pytest.mark.parametrize("b", ["greedy.conll", "none"])
@pytest.mark.parametrize("mended", ["alone", "in order", "last", "share"])
def test_the_page_says_what_to_mend_first(b, mended):
    app = page_of(view=ERRORS, tab=BY_KIND, b=b, mended=mended)
    assert app.session_state["mended"] == mended
    assert reads(html(app), "divided entities alone", "A (cautious) most")
    assert ("For B (greedy)" in html(app)) == (b != "none")


@pytest.mark.parametrize(
    "old",
    [{"mended": "last"}, {"gain_in": "recall"}, {"by_slice": "length"}, {"towards": "precision"}],
    ids=lambda old: next(iter(old)),
)
def test_links_that_are_older_than_the_list_open_the_charts_that_they_selected(old):
    app = page_of(view=ERRORS, **old)
    (name, value), *_ = old.items()
    assert reads(html(app), "divided entities alone", "A (cautious)")
    assert app.session_state[name] == value


def test_the_list_stays_open_where_a_chart_was_set_before():
    app = run(view=ERRORS, mended="last")
    app.session_state["tab"] = "one by one"
    app.run()
    assert reads(headlines(app)[0], "mentions with errors", "single fix")


def test_a_link_to_errors_opens_the_list_where_the_charts_were_shown_before():
    app = run(view=ERRORS, tab=BY_KIND)
    del app.query_params["tab"]
    app.query_params["find"] = "class:missing"
    app.session_state["page"] = "Text"  # from where the link leads
    app.run()
    assert reads(headlines(app)[0], "match", "single fix")


def test_singletons_in_the_key_are_told_beside_the_incorrectly_resolved(loaded_wrong):
    (number, singletons), shown = loaded_wrong, html(page_of(view=ERRORS, tab=BY_KIND))
    row = shown.split("wrong partners only")[1].split("</tr>")[0]
    without_tags = re.sub("<[^>]*>", " ", row)
    assert reads(without_tags, number, counted(number), "of which", singletons, "singletons")
    assert re.search(r'href="[^"]*incorrectly-resolved%20size%3A1[^"]*"[^>]*>of which', row)
    removed = "Without its" + shown.split("Without its")[1]
    assert reads(removed, number, "of which", singletons, "singletons in the key")
    assert reads(removed, "opposite sign", "CEAFₑ F1")
    assert "incorrectly resolved mentions that have a link in the key" in removed


@pytest.fixture
def loaded_wrong():
    """How many mentions of A are incorrectly resolved, and how many of these singletons."""
    table = page_of().session_state["loaded"].results["A"].incorrectly_resolved
    return len(table), int(table["key_singleton"].sum())


@pytest.mark.slow
def test_every_kind_and_slice_is_shown():
    app = run(view=ERRORS, tab=BY_KIND)
    for kind in app.selectbox(key="kind").options:
        app.selectbox(key="kind").select(kind).run()
        assert not app.exception
    for by in SLICES:
        app.selectbox(key="by_slice").select(by).run()
        assert not app.exception


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "response", "first", "both"),
    [
        (b"{a b} {c}", b"{b c} {d}", *["Fixing missing mentions alone would help A"] * 2),
        (KEY.replace(b"(1)", b"-"), KEY.replace(b"(1)", b"-"), NO_CHANGE, NO_CHANGE),
        (KEY, RESPONSE, NO_CHANGE, NO_CHANGE),
        (KEY, KEY.replace(b"(1)", b"(1)|(2)"), NO_CHANGE, sentences.REPEATED),
    ],
    ids=["notation", "no mention", "all correct", "a repeat"],
)
def test_odd_data(key, response, first, both, monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=key, response_txt=response)
    for repeats, says in zip(REPEATS, (first, both), strict=True):
        assert headlines(run(view=ERRORS, tab=BY_KIND, repeats=repeats))[0].startswith(says)


@pytest.mark.parametrize(
    ("kind", "fix"),
    [
        ("conflated entities", r"split .* from entity \d+ \(.+\)"),
        ("divided entity", "join it with “.+”"),
    ],
)
def test_the_fix_of_an_error_says_from_what_and_to_what(kind, fix):
    app = page_of(view=ERRORS, tab=BY_KIND, kind=kind)
    tables = [frame.value for frame in app.dataframe if "to fix it" in frame.value]
    assert tables[0]["to fix it"].str.fullmatch(fix).all()


@pytest.mark.slow
def test_a_click_on_an_example_opens_the_text_at_the_mention(page, address):
    open_at(page, f"{address}/text?document=news_library")
    page.locator(".line .label").first.wait_for()
    turn_to(page, "Errors")
    expect(page.get_by_role("heading", level=1)).to_contain_text("be fixed first")
    page.get_by_role("radio", name="by kind").click()
    wait_until_idle(page)
    kind = page.get_by_role("combobox", name="The errors one by one")
    kind.scroll_into_view_if_needed()
    place_of(kind)  # at rest: a list that is open closes when the page is scrolled
    kind.click()
    page.get_by_role("option", name="incorrectly resolved mentions").click()
    link = page.get_by_role("link", name="Read ")
    expect(link).to_contain_text("its")
    table = page.locator('[data-testid="stDataFrame"] canvas').first
    click_at(table, 300, 32 * 2 + 16)
    expect(page.get_by_role("heading", level=1)).to_contain_text("it do here")
    page.mouse.move(0, 0)
    expect(page.locator(".headline")).to_contain_text("In news_harbour")
    expect(page.locator(".line .label.wrong.lit")).to_have_count(1)
    expect(page.locator(".passage .note q")).to_have_text("they")
