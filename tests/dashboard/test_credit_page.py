"""Credit: the page under Streamlit's test runner, and what a pointer does in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from corescore.analysis.credit import non_coreference_links_of
from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.analysis.errors.tables import incorrectly_resolved_counts
from corescore.analysis.explain import find_mention, share_table
from corescore.metrics import METRICS
from corescore.rendering.html import windows
from dashboard.views.credit import WINDOW
from tests.support.browser import click_at, open_at, wait_until_idle
from tests.support.pages import KEY, RESPONSE, give, html, page_of, reads, run

VIEW = "credit"
SIX = {metric.id: "" for metric in METRICS}


@pytest.fixture(scope="module")
def loaded():
    return page_of().session_state["loaded"]


def wrong_mentions(loaded, document="news_harbour"):
    result = loaded.results["A"]
    six = [metric for metric in result.metrics if metric.id in SIX]
    table = share_table(result.comparison, six, side="recall", document=document)
    return table[table["status"] == INCORRECTLY_RESOLVED]


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_credit_says_what_incorrectly_resolved_mentions_get(b, loaded):
    app = page_of(view=VIEW, b=b)
    n = len(wrong_mentions(loaded))
    assert reads(html(app), "news_harbour", "A (cautious)", n, "wrong partners")
    assert reads(html(app), "nothing", "MUC and LEA")
    assert loaded.signature in html(app)


@pytest.mark.parametrize("side", ["recall", "precision"])
@pytest.mark.parametrize("view", [VIEW, "text"])
def test_singletons_in_the_key_are_told_beside_the_incorrectly_resolved(view, side, loaded):
    counts = incorrectly_resolved_counts(loaded.results["A"].comparison)
    document = counts["incorrect_singletons"].idxmax()
    number, singletons = counts.loc[document, ["incorrectly_resolved", "incorrect_singletons"]]
    assert number > singletons > 0
    shown = html(page_of(view=view, document=document, **({"side": side} if view == VIEW else {})))
    assert reads(shown, document, number, "wrong partners only", int(singletons), "singletons")
    errors = shown.split("with errors of A")[1]
    without_tags = re.sub("<[^>]*>", " ", errors)
    assert reads(without_tags, f"{number:g} incorrectly resolved", "of which", int(singletons))
    assert re.search(r'href="[^"]*incorrectly-resolved%20size%3A1[^"]*"[^>]*>of which', errors)


@pytest.mark.parametrize("side", ["recall", "precision"])
def test_every_metric_is_told_in_depth(side):
    for metric in METRICS:
        app = page_of(view=VIEW, side=side, metric=metric.name)
        result = app.session_state["loaded"].results["A"]
        assert app.selectbox(key="metric").value == metric.id
        value = getattr(result.document_scores[metric.id], side)[0]
        assert reads(html(app), side, "news_harbour", f"{100 * value:.2f}%")
        assert app.dataframe[0].value["running"].iloc[-1] == pytest.approx(100 * value)


@pytest.mark.parametrize("level", ["mention", "link"])
def test_a_metric_is_told_by_mention_and_by_link(level):
    app = page_of(view=VIEW, level=level)
    assert not app.dataframe[0].value.empty


def test_a_mention_selected_elsewhere_is_explained_where_it_stands(loaded):
    row = wrong_mentions(loaded).iloc[-1]
    app = page_of(view=VIEW, mention=f"{row['start']}-{row['end']}")
    assert app.session_state["selected_mention"] == f"{row['start']}-{row['end']}"
    key = loaded.key["news_harbour"]
    pages = windows(key, WINDOW)
    shown = pages[app.session_state["window"] - 1]
    assert shown.start <= row["start"] < shown.end


@pytest.mark.parametrize("side", ["recall", "precision"])
def test_the_non_coreference_links_of_the_selected_mention_are_listed(side):
    app = page_of(view=VIEW, metric="BLANC", side=side, mention="42-45")  # a violent storm
    result = app.session_state["loaded"].results["A"]
    metric = next(metric for metric in result.metrics if metric.id == "blanc")
    place = {"side": side, "document": "news_harbour", "start": 42, "end": 45}
    mention = find_mention(result.comparison, **place)
    links = non_coreference_links_of(result.comparison, metric, mention, side=side)
    n, right = len(links), int(links["credit"].sum())
    assert 0 < right < n
    own, other = ("key", "response") if side == "recall" else ("response", "key")
    told = (n, "“a violent storm”", own, other, right, n - right, "cost")
    assert reads(html(app), *told)
    assert "no list" in html(app)
    table = app.dataframe[1].value
    assert table["other"].tolist() == links["other"].tolist()
    assert (table["status"] == "correct").sum() == right
    assert table["lost"].is_monotonic_decreasing


def test_a_row_of_two_entities_lists_the_links_between_them():
    app = run(view=VIEW, metric="BLANC", level="link")
    assert "Select a mention" in html(app)
    rows = app.dataframe[0].value
    number = int((rows["kind"] == "non-coreference link").to_numpy().argmax())
    key = "depth_table blanc link recall A news_harbour"
    app.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [(number, "lost")]}}
    app.run()
    assert not app.exception
    told = re.search(r"(\d+) non-coreference links between", html(app))
    assert f"of {told[1]}" in app.dataframe[0].value["arithmetic"][number].replace("= ", "of ")
    assert len(app.dataframe[1].value) == int(told[1])
    assert "mention" not in app.query_params


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (b"{a b} {c}", b"{b c} {d}"),
        (b"{a b} {c}", b"{a b} {c}"),
        (b"{a}", b""),
    ],
    ids=["notation", "all right", "no response mention"],
)
@pytest.mark.parametrize("view", [VIEW, "entities", "links"])
def test_toy_data_is_shown_without_fail(monkeypatch, tmp_path, view, key, response):
    give(monkeypatch, tmp_path, key_txt=key, response_txt=response or b"{z}")
    app = run(view=view)
    assert app.session_state["loaded"].signature in html(app)


@pytest.mark.parametrize("side", ["recall", "precision"])
@pytest.mark.parametrize("view", [VIEW, "entities", "links"])
def test_a_document_without_any_mention_leads_on(monkeypatch, tmp_path, view, side):
    empty = b"#begin document (d); part 000\nd\t0\t0\tShe\t-\n\n#end document\n"
    give(monkeypatch, tmp_path, key_conll=empty, response_conll=empty)
    app = run(view=view, side=side)
    assert "Choose another" in html(app)


# What is drawn ------------------------------------------------------------------------------------


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return param(app, "mention")


def param(app, name):
    found = app.query_params.get(name)
    return found[0] if isinstance(found, list) else found


def test_the_next_loss_is_the_next_mention_that_earns_less_than_all(loaded):
    app = run(view=VIEW, metric="B³")
    shares = share_table(
        loaded.results["A"].comparison, METRICS, side="recall", document="news_harbour"
    )
    lost = shares[shares["bcub"] < 1]
    spans = [f"{start}-{end}" for start, end in zip(lost["start"], lost["end"], strict=True)]
    assert 1 < len(spans) < len(shares)
    assert [press(app, "Next loss") for _ in range(3)] == spans[:3]
    assert press(app, "Previous loss") == spans[1]
    assert press(app, "Previous loss") == spans[0]
    assert press(app, "Previous loss") == spans[-1]


def test_credit_goes_from_document_to_document():
    app = run(view=VIEW, mention="0-6")
    names = app.selectbox(key="document").options
    press(app, "Next")
    assert app.selectbox(key="document").value == param(app, "document")
    assert "mention" not in app.query_params
    press(app, "Previous")
    assert names[0].startswith(app.selectbox(key="document").value)


def test_credit_says_which_sentences_are_shown_and_what_shares_are_shares_of():
    app = page_of(view=VIEW, window="2")
    text = html(app)
    assert re.search(r"Sentences \d+ to \d+ of \d+\.", text)
    result = app.session_state["loaded"].results["A"]
    muc = result.document_scores["muc"].row(result.documents.index("news_harbour"))
    assert f"{muc.recall_denominator:.0f} under MUC" in text


def test_mentions_that_earn_for_being_alone_are_pointed_out(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    assert reads(html(run(view=VIEW)), "1 mention", "alone", "B³, CEAFₘ, CEAFₑ and LEA")


# In a browser -------------------------------------------------------------------------------------


def open_credit(page, address, query=""):
    open_at(page, f"{address}/credit{query}")
    page.locator(".panel").nth(5).wait_for()
    wait_until_idle(page)
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


@pytest.mark.slow
def test_a_metric_selected_in_one_breath_with_a_mention_stays_in_the_link(page, address):
    """The two go to the server together, with the URL from before."""
    open_credit(page, address, "?metric=LEA")
    wait_until_idle(page)
    box = page.get_by_role("combobox", name="Metric")
    box.scroll_into_view_if_needed()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    box.focus()  # the page has scrolled: a list that is open closes where it does
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    selected = page.locator(".panel [role=button]").nth(3)
    box.evaluate("""box => {
        window.pick = () => box.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true }));
    }""")
    selected.evaluate("mention => { window.pick(); mention.click(); }")
    expect(page.locator(".why")).to_have_count(6)
    expect(box).to_have_value("BLANC")
    expect(page).to_have_url(re.compile("(?=.*metric=BLANC).*mention="))
    wait_until_idle(page)
    page.reload()
    expect(page.locator(".why")).to_have_count(6)
    expect(box).to_have_value("BLANC")


@pytest.mark.slow
@pytest.mark.parametrize("level", ["entity", "mention", "link"])
def test_a_click_on_a_row_selects_its_mention_and_leads_to_the_text(level, page, address):
    open_credit(page, address, f"?metric=B³&level={level}")
    click_row(page, 1)
    page.wait_for_url(re.compile("mention="))
    expect(page.locator(".why")).to_have_count(6)
    page.locator(".st-key-read_row a").click()
    page.wait_for_url(re.compile("/text.*mention="))
    expect(page.get_by_label("Mentions of the selected entities")).to_be_visible()


@pytest.mark.slow
def test_a_click_on_a_link_opens_the_text_at_its_other_end(page, address):
    open_credit(page, address, "?metric=BLANC&mention=42-45")
    page.locator(".st-key-follow").wait_for(state="attached")
    click_row(page, 1, table=1)
    page.wait_for_url(re.compile("/text.*mention=0-6"))  # The new sea wall at Saltby


def click_row(page, number, *, table=0):
    """Click a row of the table of that number."""
    canvas = page.locator('[data-testid="stDataFrame"]').nth(table).locator("canvas").first
    click_at(canvas, 117, 32 * number + 16)
