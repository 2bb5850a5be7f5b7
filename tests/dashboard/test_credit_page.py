"""The pages Credit, and Entities and links."""

import json
import re
from itertools import cycle

import pandas as pd
import pytest
from playwright.sync_api import expect

from corescore.analysis.credit import non_coreference_links_of
from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.analysis.errors.overlaps import (
    entity_table,
    overlap_grid,
    overlap_table,
)
from corescore.analysis.explain import find_mention, share_table
from corescore.metrics import METRICS, metric_of
from corescore.rendering.columns import Column, column
from corescore.rendering.html import windows
from corescore.wording import percent
from dashboard.views.credit import WINDOW
from dashboard.widgets.tables import with_cells_written
from tests.support.acts import says
from tests.support.browser import (
    open_at,
    wait_until_idle,
)
from tests.support.pages import (
    KEY,
    RESPONSE,
    click_cell,
    html,
    loaded_in,
    open_page,
    page_of,
    reads,
    rows,
    run,
)

# Credit: the page under Streamlit's test runner, and what a pointer does in Chromium --------------

VIEW = "credit"
SIX = {metric.id: "" for metric in METRICS}


@pytest.fixture(scope="module")
def loaded():
    return loaded_in(page_of())


def wrong_mentions(loaded, document="news_harbour"):
    result = loaded.results["A"]
    six = [metric for metric in result.metrics if metric.id in SIX]
    table = share_table(result.comparison, six, side="recall", document=document)
    return table[table["status"] == INCORRECTLY_RESOLVED]


def test_credit_says_what_the_selected_metric_loses_to_each_group(loaded):
    made = loaded.results["A"].decomposition
    at = made.metrics.index("bcub")
    lost = percent(made.best[at, 2] - made.score[at, 2])
    detection = percent(made.of_group("f1", "detection")[at])
    text = html(page_of(VIEW, metric="bcub"))
    assert reads(text, "Over all documents", "A (cautious)", lost, "B³", detection, "detection")


def test_credit_says_what_incorrectly_resolved_mentions_get(loaded):
    app = page_of(VIEW)
    n = len(wrong_mentions(loaded))
    assert says(app, "news_harbour", "A (cautious)", n, "wrong partners")
    assert says(app, "nothing", "MUC and LEA")
    assert loaded.signature in html(app)


def test_every_metric_is_told_in_depth():
    for metric, side in zip(METRICS, cycle(("recall", "precision"))):
        app = page_of(VIEW, side=side, metric=metric.title)
        result = loaded_in(app).results["A"]
        assert app.selectbox(key="by").value == metric.id
        value = getattr(result.document_scores[metric.id], side)[0]
        assert says(app, side, "news_harbour", f"{100 * value:.2f}%")
        assert app.dataframe[0].value["running"].iloc[-1] == pytest.approx(100 * value)


def test_a_metric_is_told_by_mention():
    assert not page_of(VIEW, level="mention").dataframe[0].value.empty


def test_a_mention_selected_elsewhere_is_explained_where_it_stands(loaded):
    row = wrong_mentions(loaded).iloc[-1]
    app = page_of(VIEW, mention=f"{row['start']}-{row['end']}")
    assert app.session_state["place"].mention == (row["start"], row["end"])
    key = loaded.key["news_harbour"]
    pages = windows(key, WINDOW)
    shown = pages[app.session_state["window"] - 1]
    assert shown.start <= row["start"] < shown.end


@pytest.mark.parametrize("side", ["recall", "precision"])
def test_the_non_coreference_links_of_the_selected_mention_are_listed(side):
    app = page_of(VIEW, metric="BLANC", side=side, mention="42-45")  # a violent storm
    result = loaded_in(app).results["A"]
    metric = next(metric for metric in result.metrics if metric.id == "blanc")
    place = {"side": side, "document": "news_harbour", "start": 42, "end": 45}
    mention = find_mention(result.comparison, **place)
    links = non_coreference_links_of(result.comparison, metric, mention, side=side)
    n, right = len(links), int(links["credit"].sum())
    assert 0 < right < n
    own, other = ("key", "response") if side == "recall" else ("response", "key")
    told = (n, "“a violent storm”", own, other, right, n - right, "cost")
    assert says(app, *told)
    assert "no list" in html(app)
    table = app.dataframe[1].value
    assert table["other"].tolist() == links["other"].tolist()
    assert (table["status"] == "correct").sum() == right
    assert table["lost"].is_monotonic_decreasing


def test_a_row_of_two_entities_lists_the_links_between_them():
    app = run(VIEW, metric="BLANC", level="link")
    assert "Select a mention" in html(app)
    rows = app.dataframe[0].value
    number = int((rows["kind"] == "non-coreference link").to_numpy().argmax())
    key = "depth_table blanc link recall A news_harbour"
    app.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [(number, "lost")]}}
    app.run()
    told = re.search(r"(\d+) non-coreference links between", html(app))
    assert f"of {told[1]}" in app.dataframe[0].value["arithmetic"][number].replace("= ", "of ")
    assert len(app.dataframe[1].value) == int(told[1])
    assert "mention" not in app.query_params


@pytest.mark.parametrize("key, response", [(b"{a b} {c}", b"{a b} {c}"), (b"{a}", b"{z}")])
def test_toy_data_is_shown_without_fail(key, response, give):
    give(key_txt=key, response_txt=response)
    app = run(VIEW)
    for view in (VIEW, "entities", "links"):
        assert loaded_in(app).signature in html(open_page(app, view))


def test_a_document_without_any_mention_leads_on(give):
    empty = b"#begin document (d); part 000\nd\t0\t0\tShe\t-\n\n#end document\n"
    give(key_conll=empty, response_conll=empty)
    app = run(VIEW)
    for view in (VIEW, "entities", "links"):
        assert "Choose another" in html(open_page(app, view))


# What is drawn ------------------------------------------------------------------------------------


def test_credit_says_which_sentences_are_shown_and_what_shares_are_shares_of():
    app = page_of(VIEW, window="2")
    text = html(app)
    assert re.search(r"Sentences \d+ to \d+ of \d+\.", text)
    result = loaded_in(app).results["A"]
    muc = result.document_scores["muc"].row(result.documents.index("news_harbour"))
    assert f"{muc.recall_denominator:.0f} under MUC" in text


def test_mentions_that_earn_for_being_alone_are_pointed_out(give):
    give(key_conll=KEY, response_conll=RESPONSE)
    assert says(run(VIEW), "1 mention", "alone", "B³, CEAFₘ, CEAFₑ and LEA")


# In a browser -------------------------------------------------------------------------------------


def open_credit(page, address, query=""):
    open_at(page, f"{address}/credit{query}")
    page.locator(".panel").nth(5).wait_for()
    wait_until_idle(page)


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
    expect(page).to_have_url(re.compile("(?=.*by=BLANC).*mention="))
    wait_until_idle(page)
    page.reload()
    expect(page.locator(".why")).to_have_count(6)
    expect(box).to_have_value("BLANC")


# Entities: the groups, their grid, and the mentions of a cell -------------------------------------

VIEW_OF_ENTITIES_PAGE = "entities"


def test_entities_are_listed_by_what_they_lose_and_open_with_their_links():
    app = run(VIEW_OF_ENTITIES_PAGE)
    system = loaded_in(app).system("A")
    shown = rows(app, "entity_table key")
    wanted = entity_table(system.result.comparison, metric_of("lea"))
    wanted = wanted[wanted["document"] == "news_harbour"]
    assert shown["loss"].tolist() == pytest.approx((100 * wanted["loss"]).tolist())
    assert shown["parts"].tolist() == wanted["parts"].tolist()
    number = int(shown["parts"].str.contains("+", regex=False).to_numpy().nonzero()[0][-1])
    click_cell(app, "entity_table key", number, "called")
    of_row = wanted.iloc[number]
    grid = overlap_grid(system.result.comparison, int(of_row["group"]))
    assert of_row["entity"] in grid.key_entities
    assert app.session_state["group"] == of_row["group"]


def test_merged_entities_of_the_response_have_a_list():
    app = run(VIEW_OF_ENTITIES_PAGE, entities="merged in the response", scope="all documents")
    shown = rows(app, "entity_table response")
    assert len(shown)
    assert shown["parts"].str.contains("+", regex=False).all()
    groups = overlap_table(loaded_in(app).results["A"].comparison, metric_of("lea"))
    assert len(shown) == groups["merged"].sum()
    click_cell(app, "entity_table response", 1, "called")
    assert app.session_state["place"].document == shown["document"][1]


def test_a_selected_mention_leads_to_its_group():
    app = page_of(
        VIEW_OF_ENTITIES_PAGE, mention="12-15"
    )  # several hundred people, alone in its entity
    assert "several hundred people" in app.header[0].value
    assert app.dataframe[1].value["text"].to_list() == ["several hundred people"]


# Links: the arcs of a group, all or MUC's minimum, and its pairs ----------------------------------

VIEW_OF_LINKS_PAGE = "links"


def test_links_of_the_worst_group_are_counted():
    app = page_of(VIEW_OF_LINKS_PAGE)
    kinds = app.dataframe[0].value["kind"]
    right, missing = (kinds == "correct").sum(), (kinds == "missing").sum()
    assert says(app, "MUC", right + missing, "key", right, "correct")
    assert says(app, (kinds == "wrong").sum(), "wrong", "response")


def test_all_links_are_more_than_the_fewest():
    app = page_of(VIEW_OF_LINKS_PAGE)
    fewest = len(app.dataframe[0].value)
    assert "one possible spanning tree" in html(app)
    app = page_of(VIEW_OF_LINKS_PAGE, links="all links")
    assert len(app.dataframe[0].value) > fewest
    assert "B³, BLANC and LEA" in html(app)
    assert "one possible spanning tree" not in html(app)


def test_another_group_can_be_chosen_and_has_its_pairs():
    app = run(VIEW_OF_LINKS_PAGE)
    box = app.selectbox(key="link_group")
    box.select_index(1).run()
    assert "correct coreference" in html(app)
    assert "Saltby" in html(app)


def test_the_selected_mention_chooses_the_group():
    app = page_of(VIEW_OF_LINKS_PAGE, mention="12-15")
    assert "several hundred people" in html(app)
    assert "No link here" in html(app)


def jsonl(*clusters):
    """A document of 60 mentions, one word each, in these entities (ranges of words)."""
    spans = [[[at, at] for at in cluster] for cluster in clusters]
    return (
        json.dumps({"doc_key": "d", "sentences": [["w"] * 60], "clusters": spans}) + "\n"
    ).encode()


def test_too_many_links_are_sampled_from_the_largest_entity(give):
    key, response = jsonl(range(60)), jsonl(range(30), range(30, 60))
    give(key_jsonl=key, response_jsonl=response)
    app = run(VIEW_OF_LINKS_PAGE, links="all links")
    assert app.segmented_control(key="links").value == "all"
    assert "1,770 links are too many to draw. Shown: 40 of the 60 mentions" in html(app)
    rows = app.dataframe[0].value
    assert len(rows) == 40 * 39 // 2  # not MUC's 59
    assert set(rows["kind"]) == {"correct", "missing"}
    assert set(rows["recall_weight"].round(6)) == {
        round(2 / 59, 6)
    }  # LEA: 60 mentions over 1,770 links
    assert "one possible spanning tree" not in html(app)
    app = run(VIEW_OF_LINKS_PAGE, links="all links", weights_under="B³")
    assert set(app.dataframe[0].value["recall_weight"].round(6)) == {round(2 / 60, 6)}
    app = run(VIEW_OF_LINKS_PAGE)  # MUC's minimum
    assert set(app.dataframe[0].value["recall_weight"]) == {1}


# What tables show of their numbers, and what they keep --------------------------------------------


def shown(rows, missing="–", **columns):
    """What stands in the cells."""
    columns = {name: columns.get(name, Column(name)) for name in rows}
    styler = with_cells_written(columns, rows, rows.style, missing)
    pd.testing.assert_frame_equal(styler.data, rows)
    return styler.hide(axis="index").to_string(delimiter="|").splitlines()[1:]


@pytest.mark.parametrize(
    "name, values, cells",
    [
        ("n", [1234567, -12, 0], ["1,234,567", "−12", "0"]),
        ("n", [1234.5, -0.0471, 100.0, -0.00001], ["1,234.50", "−0.05", "100.00", "0.00"]),
        ("mentions", [1000, 3], ["1,000", "3"]),
        ("f1", [-40.004, 1234.5, -0.001], ["−40.00", "1,234.50", "0.00"]),
        ("difference", [1.234, -10.756, -0.001], ["+1.23", "−10.76", "0.00"]),
        ("similarity", [0.0004, 1.5], ["0.0004", "1.5000"]),
        ("p", [0.0004, 0.25], ["< 0.001", "0.250"]),
    ],
)
def test_numbers_have_a_minus_sign_and_separators(name, values, cells):
    assert shown(pd.DataFrame({"n": values}), n=column(name)) == cells


@pytest.mark.parametrize("cell", ["–", ""])
def test_a_missing_number_is_what_the_table_says(cell):
    rows = pd.DataFrame({"n": [1.0, float("nan")]})
    assert shown(rows, cell, n=column("f1")) == ["1.00", cell]


def test_other_columns_and_names_alone_stay_as_they_are():
    rows = pd.DataFrame({"name": ["a-b", None], "is": [True, False], "n": [-1, 2]})
    assert shown(rows) == ["a-b|True|−1", "–|False|2"]


def test_long_names_of_documents_are_shown_with_what_tells_them_apart():
    names = [f"harbour_corpus_2021_{end}" for end in ("lighthouse", "ferry")]
    rows = pd.DataFrame({"document": names, "word": ["x" * 40] * 2})
    assert shown(rows) == [f"…lighthouse|{'x' * 40}", f"…ferry|{'x' * 40}"]
