"""Links: the arcs of a group, all or MUC's minimum, and its pairs."""

import json

import pytest
from playwright.sync_api import expect

from tests.support.browser import click_at, click_point, open_at, place_of, turn_to
from tests.support.pages import give, html, page_of, reads, run

VIEW = "links"


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_links_of_the_worst_group_are_counted(b):
    app = page_of(view=VIEW, b=b)
    kinds = app.dataframe[0].value["kind"]
    right, missing = (kinds == "correct").sum(), (kinds == "missing").sum()
    assert reads(html(app), "MUC", right + missing, "key", right, "correct")
    assert reads(html(app), (kinds == "wrong").sum(), "wrong", "response")


def test_all_links_are_more_than_the_fewest():
    app = page_of(view=VIEW)
    fewest = len(app.dataframe[0].value)
    app = page_of(view=VIEW, links="all links")
    assert len(app.dataframe[0].value) > fewest
    assert "B³, BLANC and LEA" in html(app)


def test_another_group_can_be_chosen_and_has_its_pairs():
    app = run(view=VIEW)
    box = app.selectbox(key="link_group")
    box.select_index(1).run()
    assert not app.exception
    assert "correct coreference" in html(app)
    assert "Saltby" in html(app)


def test_the_selected_mention_chooses_the_group():
    app = page_of(view=VIEW, mention="12-15")
    assert "several hundred people" in html(app)
    assert "No link here" in html(app)


def jsonl(*clusters):
    """A document of 60 mentions, one word each, in these entities (ranges of words)."""
    spans = [[[at, at] for at in cluster] for cluster in clusters]
    return (
        json.dumps({"doc_key": "d", "sentences": [["w"] * 60], "clusters": spans}) + "\n"
    ).encode()


def test_too_many_links_are_sampled_from_the_largest_entity(monkeypatch, tmp_path):
    key, response = jsonl(range(60)), jsonl(range(30), range(30, 60))
    give(monkeypatch, tmp_path, key_jsonl=key, response_jsonl=response)
    app = run(view=VIEW, links="all links")
    assert app.segmented_control(key="links").value == "all"
    assert "1,770 links are too many to draw. Shown: 40 of the 60 mentions" in html(app)
    rows = app.dataframe[0].value
    assert len(rows) == 40 * 39 // 2  # not MUC's 59
    assert set(rows["kind"]) == {"correct", "missing"}
    assert set(rows["weight"].round(6)) == {round(2 / 59, 6)}  # LEA: 60 mentions over 1,770 links
    assert "one of several" not in html(app)
    app = run(view=VIEW, links="all links", weights_under="B³")
    assert set(app.dataframe[0].value["weight"].round(6)) == {round(2 / 60, 6)}
    app = run(view=VIEW)  # MUC's minimum
    assert set(app.dataframe[0].value["weight"]) == {1}


@pytest.mark.slow
def test_clicks_on_a_mention_a_square_and_the_list(page, address):
    """A mention is selected on every page, a square names its pair, and both lead to the text."""
    open_at(page, f"{address}/links")
    points = (
        page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace").last.locator(".point")
    )
    click_point(points.nth(3))
    page.wait_for_url("**mention=*")
    turn_to(page, "Credit")
    expect(page.locator(".grid .chosen").first).to_be_visible()
    turn_to(page, "Links")
    squares = page.locator(".js-plotly-plot").nth(1).locator(".scatterlayer .point")
    click_point(squares.first)
    told = "“The new sea wall at Saltby” and “it”: missing coreference."
    expect(page.get_by_text(told)).to_be_visible()
    expect(page.get_by_text("In the key, both in entity 1; in the response,")).to_be_visible()
    page.locator(".st-key-read_1 a").click()
    page.wait_for_url("**/text*mention=21-22")
    turn_to(page, "Links")
    canvas = page.locator('[data-testid="stDataFrame"] canvas').first
    page.locator(".st-key-follow").wait_for(state="attached")
    click_at(canvas, 0.1 * place_of(canvas)["width"], 32 + 16)
    page.wait_for_url("**/text*mention=0-6")


def test_the_minimum_of_muc_is_called_one_of_several():
    assert "one of several" in html(page_of(view=VIEW))
    assert "one of several" not in html(page_of(view=VIEW, links="all links"))
