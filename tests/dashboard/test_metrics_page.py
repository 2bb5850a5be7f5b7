"""The page of metric cards: under Streamlit's test runner, and drawn by Chromium."""

import re
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from playwright.sync_api import expect

from corescore.bibliography import LUO_2014, RECASENS_2011
from corescore.metrics import CONLL, DIAGNOSTICS, METRICS, VARIANTS, name_of
from corescore.sentences.names import subscripted
from corescore.teaching.cards import EXAMPLE, empty_table, known_flaws, worked_lines, worked_table
from corescore.teaching.examples import toy_of
from tests.support.browser import downloaded, expect_to_fit, open_at, wait_until_idle, watched
from tests.support.pages import html, html_as_sent, page_of, reads, run

VIEW = "metrics"

CARDS = [row.card for row in (*METRICS, CONLL, *DIAGNOSTICS) if row.card]


def texts(app):
    return "\n".join(element.value for element in app.markdown)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_card_is_shown_whole(card):
    app = page_of(view=VIEW, metric=name_of(card.id))
    assert app.title[0].value == f"What does {card.name} count?"
    assert app.segmented_control(key="metric_box").value == card.id
    drawn = "\n".join(element.value for element in app.latex)
    for line in (line for lines in worked_lines(card) for line in lines):
        assert f"{line.formula} &&= {line.numbers} &&" in drawn
    words = (
        card.counts,
        card.unit,
        card.one,
        card.zero,
        card.empty,
        *(paper.reference for paper in card.papers),
    )
    assert [text for text in words if text not in html_as_sent(app)] == []
    assert all(symbol in texts(app) for symbol, _ in card.symbols)
    assert EXAMPLE.result.signature in html(app)
    assert ("blanc as named" in html(app)) is bool(card.variants)


def test_a_card_leads_to_the_errata_of_its_papers():
    links = page_of(view=VIEW, metric="BLANC").get("page_link")
    of = [parse_qs(link.proto.query_string).get("paper") for link in links]
    assert [RECASENS_2011.name] in of
    assert [LUO_2014.name] in of


@pytest.mark.parametrize("card", [metric.card for metric in VARIANTS], ids=lambda card: card.id)
def test_the_card_of_a_variant_tells_its_history(card):
    app = page_of(view=VIEW, metric=card.id)
    assert app.title[0].value == f"What does {card.name} count?"
    assert app.segmented_control(key="metric_box").value is None
    assert app.selectbox(key="variant_box").value == card.id
    words = (card.counts, card.unit, card.one, card.zero, card.empty, card.history, card.bounds)
    assert [text for text in words if text not in html_as_sent(app)] == []
    drawn = "\n".join(element.value for element in app.latex)
    formulas = [formula for part in card.parts for _, formula in part.steps.values()]
    assert all(formula in drawn for formula in formulas)
    assert ("&&=" in drawn) is any(worked_lines(card))


def test_a_variant_is_selected_beside_the_metrics():
    app = run(view=VIEW)
    app.selectbox(key="variant_box").set_value("b3-0").run()
    assert app.query_params["metric"] == "B³_0"
    assert reads(app.title[0].value, "B³₀")
    app.segmented_control(key="metric_box").set_value("lea").run()
    assert reads(app.title[0].value, "LEA")


def test_a_metric_that_is_none_is_named_and_the_first_is_shown():
    app = page_of(view=VIEW, metric="<b>F</b>")
    assert reads(html(app), "no metric", "“&lt;b&gt;f&lt;/b&gt;”", "MUC, B³, CEAFₘ")
    assert reads(app.title[0].value, "MUC")


@pytest.mark.parametrize("name", ["bcub", "B³", "b³"])
def test_a_link_may_have_the_short_name_too(name):
    assert page_of(view=VIEW, metric=name).title[0].value == "What does B³ count?"


def test_the_switch_keeps_the_url():
    app = run(view=VIEW)
    app.segmented_control(key="metric_box").set_value("lea").run()
    assert app.query_params["metric"] == "LEA"
    assert reads(app.title[0].value, "LEA")


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_formulas_are_drawn_offline_and_each_card_leads_on(page, address):
    open_at(page, f"{address}/metrics?metric=CEAFₑ")
    expect(page.get_by_role("heading", level=1)).to_have_text("What does CEAFₑ count?")
    expect(page.locator(".katex-display mfrac").first).to_be_attached()
    expect(page.locator(".katex-error")).to_have_count(0)
    page.wait_for_function("() => document.fonts.check('16px KaTeX_Main')")
    card = next(card for card in CARDS if card.id == "ceafe")
    for pitfall in known_flaws(card):
        link = page.locator(f'.st-key-flaws a[href*="card={pitfall.id}"]')
        expect(link).to_have_text(subscripted(pitfall.title))
    sandbox = page.get_by_role("link", name="Try the example in the sandbox")
    query = parse_qs(urlsplit(sandbox.get_attribute("href")).query)
    assert toy_of({name: values[0] for name, values in query.items()}) == EXAMPLE
    assert query["m"] == ["ceafe"]
    page.get_by_role("radio", name="BLANC").click()
    page.wait_for_url(re.compile("metric=BLANC"))
    expect(page.get_by_role("heading", level=1)).to_have_text("What does BLANC count?")
    expect(page.locator("table.empty")).to_contain_text("Luo 2014")
    clipped = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    wait_until_idle(page)
    assert page.locator(".scroll").evaluate_all(clipped) == 0
    for name, table in {"worked-example": worked_table, "empty-cases": empty_table}.items():
        saved = pd.read_csv(downloaded(page, f"{name}-blanc", "CSV").path())
        expected = table(next(card for card in CARDS if card.id == "blanc"))
        assert [*saved.columns] == [*expected.columns, "signature"]
        assert len(saved) == len(expected)
        page.keyboard.press("Escape")
    page.get_by_role("radio", name="BLANC").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What does LEA count?")


@pytest.mark.slow
def test_the_widest_card_fits_a_narrow_window(chromium, address):
    with watched(chromium, address, width=1024, scheme="dark") as narrow:
        open_at(narrow, f"{address}/metrics?metric=BLANC")
        expect(narrow.locator(".katex-display")).to_have_count(3)
        expect_to_fit(narrow)
        narrow.wait_for_function(  # once the fonts are there
            "() => [...document.querySelectorAll('.katex-display')]"
            ".every(one => one.scrollWidth <= one.clientWidth + 1)"
        )
