"""Links: the arcs of a group, all or MUC's minimum, and its pairs."""

import pytest
from playwright.sync_api import expect

from tests.test_dashboard import _no_files_given, html, run  # noqa: F401

VIEW = "views/links.py"


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_links_of_the_worst_group_are_counted(b):
    app = run(view=VIEW, b=b)
    kinds = app.dataframe[0].value["kind"]
    right, missing = (kinds == "right").sum(), (kinds == "missing").sum()
    assert f"MUC sees {right + missing} links in the key, {right} of them right" in html(app)
    assert f"{(kinds == 'wrong').sum()} wrong links in the response" in html(app)


def test_all_links_are_more_than_the_fewest():
    app = run(view=VIEW)
    fewest = len(app.dataframe[0].value)
    app = run(view=VIEW, links="all links")
    assert len(app.dataframe[0].value) > fewest
    assert "B³, BLANC and LEA see" in html(app)


def test_another_group_can_be_chosen_and_has_its_pairs():
    app = run(view=VIEW)
    box = app.selectbox(key="link_group")
    box.select_index(1).run()
    assert not app.exception
    assert "right coreference" in html(app)
    assert "The town" in html(app)


def test_the_selected_mention_chooses_the_group():
    app = run(view=VIEW, mention="12-15")
    assert "several hundred people" in html(app)
    assert "No link here" in html(app)


def test_a_click_on_a_mention_selects_it_on_every_page(page, address):
    page.goto(f"{address}/links")
    points = page.locator(".js-plotly-plot .scatterlayer .trace").last.locator(".point")
    points.nth(3).wait_for()
    points.nth(3).click(force=True)
    page.wait_for_url("**mention=*")
    page.get_by_role("link", name="Credit").click()
    expect(page.locator(".grid .chosen").first).to_be_visible()
