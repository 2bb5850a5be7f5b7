"""Entities: the groups, their grid, and the mentions of a cell."""

import re

import pytest
from playwright.sync_api import expect

from corescore.analysis.errors.overlaps import overlap_grid, overlap_table
from corescore.metrics import METRICS
from tests.support.browser import (
    click_at,
    click_point,
    open_at,
    place_of,
    wait_until_idle,
)
from tests.support.pages import html, page_of, reads, run

VIEW = "entities"


def groups_of(app, metric="lea"):
    known = {known.id: known for known in METRICS}
    return overlap_table(app.session_state["loaded"].results["A"].comparison, known[metric])


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_groups_of_a_document_stand_worst_first(b):
    app = page_of(view=VIEW, b=b)
    wanted = groups_of(app)
    wanted = wanted[wanted["document"] == "news_harbour"]
    shown = app.dataframe[0].value
    assert shown["loss"].to_list() == pytest.approx((100 * wanted["loss"]).tolist())
    assert reads(html(app), "of", len(wanted), "overlaps", "merges")


def test_all_documents_and_another_metric_can_be_chosen():
    app = run(view=VIEW, scope="all documents")
    app.selectbox(key="worst_by").select("muc").run()
    assert not app.exception
    assert len(app.dataframe[0].value) == len(groups_of(app, "muc"))


def test_a_selected_mention_leads_to_its_group():
    app = page_of(view=VIEW, mention="12-15")  # several hundred people, alone in its entity
    assert "several hundred people" in app.header[0].value
    assert app.dataframe[1].value["text"].to_list() == ["several hundred people"]


def test_a_cell_shows_its_mentions():
    app = run(view=VIEW)
    comparison = app.session_state["loaded"].results["A"].comparison
    group = int(groups_of(app).query("document == 'news_harbour'")["group"].iloc[0])
    grid = overlap_grid(comparison, group)
    row, place = map(int, divmod(int(grid.shared.argmax()), grid.shared.shape[1]))
    cell = int(grid.key_entities[row]), int(grid.response_entities[place])
    app.session_state["cell"] = (*cell, group)
    app.run()
    assert not app.exception
    shown = app.dataframe[1].value
    assert len(shown) == grid.shared.max()
    assert (shown["key_entity"] == str(cell[0])).all()
    assert (shown["response_entity"] == str(cell[1])).all()


@pytest.mark.slow
def test_a_chosen_group_lives_in_the_url_and_clicks_lead_to_mentions_and_the_text(page, address):
    """A row chooses a group, a cell shows its mentions, a mention opens the text; the grid of all
    documents is that of their first group."""
    open_at(page, f"{address}/entities?document=news_library")
    page.get_by_role("radio", name="all documents").click()
    expect(page.locator(".headline").first).to_contain_text("In all documents")
    expect(page.get_by_role("combobox", name="Document")).to_have_count(0)
    first_document = page.locator('[data-testid="stDataFrame"] [role=gridcell]').first
    expect(first_document).to_have_text(re.compile("^[a-z]+_[a-z]+$"))  # not an entity any more
    expect(page.locator("h2").first).to_have_text(re.compile(f"^{first_document.inner_text()}: "))

    open_at(page, f"{address}/entities")
    table = page.locator('[data-testid="stDataFrame"] canvas').first
    titles = page.locator("h2")
    before = titles.first.inner_text()
    click_at(table, 17, 32 * 2 + 16)
    expect(titles.first).not_to_have_text(before)
    expect(page).to_have_url(re.compile("mention="))
    chosen = titles.first.inner_text()
    open_at(page, page.url)
    expect(titles.first).to_have_text(chosen)
    click_point(page.locator(".js-plotly-plot .scatterlayer .point").first)
    expect(page.get_by_role("heading", name="Key entity")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)

    click_at(table, 17, 32 + 16)
    expect(titles.first).to_have_text(before)
    wait_until_idle(page)
    mentions = page.locator('[data-testid="stDataFrame"]').nth(1).locator("canvas").first
    page.locator(".st-key-follow").wait_for(state="attached")
    click_at(mentions, 0.5 * place_of(mentions)["width"], 32 + 16)
    page.wait_for_url("**/text*mention=0-6")  # The new sea wall at Saltby
