"""The Errors page: what fixing is worth, the errors one by one, and the way to the text."""

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from playwright.sync_api import expect

import corescore
from corescore.analysis.errors.mention_tables import incorrectly_resolved_table, partner_table
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.slices import SLICES
from corescore.analysis.errors.summaries import ALL_KINDS, GAINS, gain_table, slice_credit
from corescore.analysis.errors.tables import impact_table
from corescore.plots import errors as error_plots
from corescore.sentences import errors as sentences
from tests.support.browser import click_at, open_at, place_of, turn_to, wait_until_idle
from tests.support.pages import KEY, RESPONSE, give, headlines, html, run

ERRORS, BY_KIND = "errors", "by kind"
NO_CHANGE = "Fixing the errors of A (response) would change no score."
PARTS = corescore.score_entities(
    [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}]
)


@pytest.mark.parametrize("gain", ["in_order", "share"])
def test_gains_in_order_and_shares_add_up_to_the_gap(gain):
    table = gain_table(impact_table(PARTS.comparison), gain=gain)
    assert list(table.index) == [*KINDS, ALL_KINDS]
    np.testing.assert_allclose(table.iloc[:-1].sum(), table.loc[ALL_KINDS], atol=1e-12)
    np.testing.assert_allclose(table.loc[ALL_KINDS, "lea"], 1 - PARTS["lea"].f1)


def test_the_first_kind_in_order_gains_what_it_gains_alone():
    impact = impact_table(PARTS.comparison)
    alone, in_order, last = (gain_table(impact, gain=g) for g in ("alone", "in_order", "last"))
    np.testing.assert_allclose(alone.iloc[0], in_order.iloc[0])
    np.testing.assert_allclose(last.iloc[-2], in_order.iloc[-2])


@pytest.mark.parametrize("side", ["recall", "precision"])
@pytest.mark.parametrize("by", SLICES)
def test_the_credit_of_slices_averages_to_the_score(by, side):
    app_result = PARTS
    table = slice_credit(app_result.comparison, by=by, side=side)
    sides = {"recall": "key_mentions", "precision": "response_mentions"}
    assert table["mentions"].sum() == app_result.sizes[sides[side]].sum()
    weighted = (table["bcub"] * table["mentions"]).sum() / table["mentions"].sum()
    assert weighted == pytest.approx(getattr(app_result["bcub"], side))


def test_the_chart_writes_every_gain_and_the_sum():
    table = gain_table(impact_table(PARTS.comparison))
    figure = error_plots.gains(table, {kind: kind for kind in KINDS}, "after fixing it")
    assert np.shape(figure.data[0].text) == (7, 7)
    assert len(figure.layout.annotations) == 7


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
@pytest.mark.parametrize("mended", ["alone", "in order", "last", "share"])
def test_the_page_says_what_to_mend_first(b, mended):
    app = run(view=ERRORS, tab=BY_KIND, b=b)
    app.session_state["mended"] = mended
    app.run()
    assert not app.exception
    assert "Fixing divided entities alone would help A (cautious) most" in html(app)
    assert ("For B (greedy)" in html(app)) == (b != "none")


@pytest.mark.parametrize(
    "old",
    [{"mended": "last"}, {"gain_in": "recall"}, {"by_slice": "length"}, {"towards": "precision"}],
    ids=lambda old: next(iter(old)),
)
def test_links_that_are_older_than_the_list_open_the_charts_that_they_selected(old):
    app = run(view=ERRORS, **old)
    (name, value), *_ = old.items()
    assert "Fixing divided entities alone would help A (cautious) most" in html(app)
    assert app.session_state[name] == value


def test_the_list_stays_open_where_a_chart_was_set_before():
    app = run(view=ERRORS, mended="last")
    app.session_state["tab"] = "one by one"
    app.run()
    assert "mentions with errors. A single fix gains" in headlines(app)[0]


def test_a_link_to_errors_opens_the_list_where_the_charts_were_shown_before():
    app = run(view=ERRORS, tab=BY_KIND)
    del app.query_params["tab"]
    app.query_params["find"] = "class:missing"
    app.session_state["page"] = "Text"  # from where the link leads
    app.run()
    assert "match. A single fix gains" in headlines(app)[0]


@pytest.mark.slow
def test_every_kind_and_slice_is_shown():
    app = run(view=ERRORS, tab=BY_KIND)
    for kind in app.selectbox(key="kind").options:
        app.selectbox(key="kind").select(kind).run()
        assert not app.exception
    for by in SLICES:
        app.selectbox(key="by_slice").select(by).run()
        assert not app.exception


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
    for repeats, says in (("its first entity counts", first), ("score both", both)):
        assert headlines(run(view=ERRORS, tab=BY_KIND, repeats=repeats))[0].startswith(says)


@pytest.mark.parametrize(
    ("kind", "fix"),
    [
        ("conflated entities", r"split it off from entity \d+ \(.+\)"),
        ("divided entity", "join it with “.+”"),
    ],
)
def test_the_fix_of_an_error_says_from_what_and_to_what(kind, fix):
    app = run(view=ERRORS, tab=BY_KIND, kind=kind)
    tables = [frame.value for frame in app.dataframe if "to fix it" in frame.value]
    assert tables[0]["to fix it"].str.fullmatch(fix).all()


def test_partners_are_listed_in_short():
    assert sentences.some(["a", "b"], 2) == "a · b"
    assert sentences.some(list("abcde"), 1006) == "a · b · c · d and 1,002 more"
    assert sentences.some([], 0).startswith("none")


def test_gains_have_names():
    assert set(GAINS) == {"alone", "in_order", "last", "share"}


@pytest.mark.slow
def test_a_click_on_an_example_opens_the_text_at_the_mention(page, address):
    open_at(page, f"{address}/text?document=news_library")
    page.locator(".line .label").first.wait_for()
    turn_to(page, "Errors")
    expect(page.get_by_role("heading", level=1)).to_have_text("What should be fixed first?")
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
    expect(page.get_by_role("heading", level=1)).to_have_text("What did it do here?")
    page.mouse.move(0, 0)
    expect(page.locator(".headline")).to_contain_text("In news_harbour")
    expect(page.locator(".line .label.wrong.lit")).to_have_count(1)
    expect(page.locator(".passage .note q")).to_have_text("they")


def test_partners_are_the_first_of_those_that_the_whole_table_lists():
    comparison = corescore.score_entities(
        [{"a", "b"}, {"c", "d", "e"}, {"f"}], [{"a", "c", "f"}, {"b"}, {"d"}, {"e"}]
    ).comparison
    whole, brief = incorrectly_resolved_table(comparison), partner_table(comparison, most=1)
    assert len(whole) > 1
    for side in ("wrong", "right"):
        assert [p[:1] for p in whole[f"{side}_partners"]] == brief[f"{side}_partners"].tolist()
        assert [len(p) for p in whole[f"{side}_partners"]] == brief[f"n_{side}"].tolist()


def test_without_shares_the_rest_of_the_impact_is_the_same():
    whole, quick = (impact_table(PARTS.comparison, shares=shares) for shares in (True, False))
    assert quick["share"].isna().all()
    assert not whole["share"].isna().any()
    assert_frame_equal(whole.drop(columns="share"), quick.drop(columns="share"))
