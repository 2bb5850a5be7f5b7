"""Two systems: who is ahead, where, whether it is significant, and where a click leads."""

import math
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from playwright.sync_api import expect

from corescore.analysis.systems.documents import A_MORE, B_MORE, disagreements
from corescore.analysis.systems.pair import evidence
from corescore.metrics import name_of
from corescore.sentences.compare import CAN_TELL, QUESTIONS, facts
from corescore.wording import percent
from dashboard.session.url_names import SETTINGS
from dashboard.views.two_systems_argument import AHEAD, shaded
from tests.support.acts import choose, press, says
from tests.support.browser import (
    click_at,
    click_point,
    open_at,
    place_of,
    title_of,
    wait_until_idle,
)
from tests.support.pages import (
    KEY,
    RESPONSE,
    give,
    headlines,
    html,
    loaded_in,
    name_files,
    open_tables,
    page_of,
    reads,
    run,
)

VIEW = "compare"
DISAGREE = "Where do metrics disagree?"
MOST_LISTED = 300  # rows of the list of unequal mentions
TITLE = "Which is better, where, and is it significant?"


def results_of(app):
    return tuple(loaded_in(app).results.values())


@pytest.fixture
def opened():
    """The page on the sample data, for what only looks at it."""
    return page_of(VIEW)


# The page -----------------------------------------------------------------------------------------


def test_one_system_leads_to_advice():
    app = page_of(VIEW, b="none")
    assert app.title[0].value == TITLE
    assert "Select a response B" in html(app)


def test_the_first_screen_says_who_is_ahead_and_warns_of_few_documents(opened):
    n = len(disagreements(*results_of(opened)))
    assert says(opened, "B (greedy)", "ahead", "all six")
    assert says(opened, "LEA", "CoNLL", n, 17, "documents")
    assert says(opened, "Only 17 documents", "rough")
    assert "10,000 trials | seed 0" in html(opened)


def test_enough_documents_need_no_warning(give):
    documents = [KEY.replace(b"(d)", b"(%d)" % n).replace(b"d\t", b"%d\t" % n) for n in range(20)]
    key = b"".join(documents)
    give(key_conll=key, a_conll=key, b_conll=key.replace(b"(1)", b"-"))
    app = run(VIEW, parts=["scores"])
    assert says(app, "A (a)", "ahead")
    assert "rough" not in html(app)


def showing(question, **parameters):
    """The argument with the evidence for an answer."""
    opened = {f"evidence {question}": True}
    return run(VIEW, parts=["argument"], state=opened, **parameters)


def test_every_document_stands_under_every_metric_in_the_colour_of_the_winner():
    app = showing(DISAGREE)
    a, b = results_of(app)
    shown = listed(app, "ceafm")
    assert sorted(shown["document"]) == sorted(a.documents)
    gaps = dict(
        zip(a.documents, b.document_scores["lea"].f1 - a.document_scores["lea"].f1, strict=True)
    )
    for name, gap in zip(shown["document"], shown["lea"], strict=True):
        assert gap == pytest.approx(100 * gaps[name])
    row = pd.DataFrame(
        {"document": ["d"], "muc": [-2.0], "lea": [3.0], "blanc": [0.0], "conll": [math.nan]}
    )
    drawn = shaded(row).to_html()
    assert [drawn.count(f"background-color: {AHEAD[letter]}") for letter in "AB"] == [1, 1]


@pytest.mark.slow
def test_recall_leaves_the_conll_average_out():
    parts = ["argument", "strip"]
    app = run(VIEW, parts=parts, state={f"evidence {DISAGREE}": True})
    choose(app, "measure", "recall")
    assert says(app, "CoNLL is an average of three metrics, so this is LEA")
    assert "conll" not in app.selectbox(key="one").options
    assert reads(headlines(app)[0], "recall")


def test_mentions_are_counted_by_credit_and_by_status():
    app = run(VIEW, parts=["mentions"])
    a, b = results_of(app)
    counts = a.compare(b).verdicts.loc["lea"]
    more = ("recall", f"{counts[B_MORE]:,}", "A", f"{counts[A_MORE]:,}")
    assert says(app, "LEA", "B", *more)
    choose(app, "right_by", "status")
    choose(app, "by_slice", "antecedent")
    links = re.findall(r'<a [^>]*href="(errors[^"]*)"[^>]*>of ([AB])</a>', html(app))
    assert links
    for url, letter in links:  # where both are wrong, the same of either
        query = parse_qs(urlsplit(unescape(url)).query)
        assert query["of"][0].startswith(f"{letter}: ")
        assert "other:wrong" in query["find"][0]


@pytest.mark.slow
def test_averages_over_documents_stand_beside_the_sums():
    app = run(VIEW, parts=["scores"], average=SETTINGS["average"].options["macro"])
    a, b = results_of(app)
    assert f"MUC {percent(a.means['muc'].f1)} and {percent(b.means['muc'].f1)}" in html(app)
    assert "Averages over documents" not in html(page_of(VIEW))


def listed(app, column):
    return next(table.value for table in app.dataframe if column in table.value)


def test_of_the_mentions_that_differ_one_per_entity_is_listed_those_of_a_and_b_in_turn():
    app = page_of(VIEW, credit_under="B³")
    a, b = results_of(app)
    mentions = a.compare(b).mentions("bcub")
    unequal = mentions[mentions["difference"].abs() > 1e-12]
    shown = listed(app, "class_a")
    n_entities = len(unequal[["document", "key_entity"]].drop_duplicates())
    assert len(shown) == min(MOST_LISTED, n_entities)
    assert says(app, "One row per entity", "of A and B in turn")
    of_b = shown["credit_b"] > shown["credit_a"]
    assert of_b.head(10).tolist() in ([True, False] * 5, [False, True] * 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "b, repeats",
    [
        (RESPONSE, "first"),
        (RESPONSE.replace(b"(7)", b"-"), "first"),
        (RESPONSE.replace(b"(7)", b"(7)|(8)"), "score both"),
    ],
    ids=["equal", "empty", "a repeat"],
)
def test_one_document_and_odd_responses(b, repeats, give):
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=b)
    app = run(VIEW, repeats=repeats)
    assert "Only 1 document" in html(app)


@pytest.mark.slow
def test_no_mention_of_the_key_is_left_to_compare(give):
    give(key_txt=b"{a}{b}", a_txt=b"{a b}", b_txt=b"{a b c}")
    app = open_tables(run(VIEW, singletons="leave them out"))
    assert not listed(app, "metric").empty


# In a browser -------------------------------------------------------------------------------------


def labels(app):
    return [box.label for box in app.expander]


def test_the_page_argues_in_this_order(opened):
    a, b = results_of(opened)
    of = evidence(a.compare(b), "conll")
    split = len(disagreements(a, b))
    shown = [label.replace("\\", "").replace("\u00a0", " ") for label in labels(opened)]
    wanted = [*facts(of).values(), f"LEA and CoNLL split on {split} of 17 documents", "For a paper"]
    assert [label for label in shown if label in wanted] == wanted
    assert reads(headlines(opened)[0], "B (greedy)", "better by")


def test_the_primary_metric_is_kept_in_the_url():
    app = page_of(VIEW, primary="MUC")
    assert "points of MUC F1" in headlines(app)[0]


def test_the_primary_metric_is_the_average_again_after_a_look_at_the_recall():
    """As the URL says, which has no primary metric."""
    app = run(VIEW, measure="recall", trials="100")
    assert "points of LEA recall" in headlines(app)[0]
    assert "points of CoNLL" in headlines(choose(app, "measure", "f1"))[0]


@pytest.mark.slow
def test_what_makes_the_comparison_fair_is_one_click_away(give):
    alone = RESPONSE.replace(b"slept\t-", b"slept\t(7)")
    give(key_conll=alone, a_conll=KEY, b_conll=alone)
    app = run(VIEW, parts=["argument", "scores"])
    assert "Comparable with care" in labels(app)
    (answer,) = (one.value for one in app.markdown if one.value.startswith("**Comparable?**"))
    assert reads(answer, 1, "A", 0, "B", "one mention")
    press(app, "fair singletons")
    assert app.selectbox(key="singletons").value == "drop"
    assert "singletons drop" in html(app)
    (answer,) = (one.value for one in app.markdown if one.value.startswith("**Comparable?**"))
    assert "one mention" not in answer


def test_each_line_has_its_evidence():
    opened = (*(f"evidence {question}" for question in QUESTIONS), "for paper")
    app = run(VIEW, parts=["argument"], state=dict.fromkeys(opened, True))
    for told in (("Checked",), (17, "documents", "resampled"), ("tested alone",)):
        assert says(app, *told)
    conditions = next(of.value for of in app.dataframe if "told" in of.value)
    assert any("mean over documents" in told for told in conditions["told"])
    paragraph, latex = (of.value for of in app.code)
    assert reads(paragraph, "cautious (A)", "greedy (B)", 17, "documents")
    assert latex.startswith("% \\usepackage{booktabs}")
    assert " & cautious & greedy & difference &" in latex
    assert "chosen beforehand" not in paragraph
    choose(app, "beforehand", True)
    assert "chosen beforehand" in app.code[0].value
    (link,) = (one for one in app.get("page_link") if "in Scoring rules" in one.proto.label)
    assert parse_qs(link.proto.query_string) == {"by": [name_of("conll")]}


def test_missing_documents_left_out_are_left_out_of_both(give):
    key, b = KEY + KEY.replace(b"(d)", b"(e)"), RESPONSE.replace(b"(d)", b"(e)")
    give(key_conll=key, a_conll=key, b_conll=b)
    app = run(VIEW, parts=["scores"], missing_documents="leave it out")
    assert "micro over 1 document" in html(app)
    assert says(app, "a.conll", "without", 1, "document")


def headline(page):
    return page.locator(".headline").first


def click_row(page, key, number):
    """Click a row of the table of this key."""
    table = page.locator(f"[class*=st-key-{key}] canvas").first
    page.locator(".st-key-follow").wait_for(state="attached")
    click_at(table, 60, 32 * number + 16)


def test_the_answer_is_on_the_first_screen_and_clicks_lead_on(page, address):
    """A row opens its text, Back leads back, and a number lists where its two metrics disagree."""
    open_at(page, f"{address}/compare?chance=3&trials=200")
    page.locator(".st-key-dumbbells .js-plotly-plot .point").first.wait_for()
    strip = page.locator(".st-key-documents_chart")
    for seen in (headline(page), page.locator(".caution"), strip):
        box = place_of(seen)
        assert box["y"] + box["height"] <= 900
    page.get_by_text("LEA and CoNLL split on").click()
    click_row(page, "opposed_table", 1)
    page.wait_for_url("**/text*")
    expect(headline(page)).to_contain_text("In biography_cartographer, both have")
    page.go_back()
    expect(title_of(page)).to_have_text(TITLE)
    expect(page.locator(".signature").first).to_contain_text("seed 3")
    wait_until_idle(page)  # the box is open as it was left
    click_point(page.locator(".st-key-opposed .point").first)
    expect(page.get_by_text("B³ and MUC name different winners on")).to_be_visible()


def test_what_only_b_has_correct_and_a_document_are_one_click_away_in_the_text(page, address):
    open_at(page, f"{address}/compare?trials=200")
    only_b = page.locator(".st-key-examples table.numbers").nth(1)
    expect(only_b).to_contain_text("Only B (greedy) is correct")
    expect(only_b.get_by_role("link")).to_have_count(3)
    only_b.get_by_role("link").first.click()
    page.wait_for_url("**/text*together=true*")
    expect(page.locator(".lines .label.lit").first).to_be_in_viewport()
    page.go_back()
    wait_until_idle(page)
    click_point(page.locator(".st-key-documents_chart .point").first)
    page.wait_for_url("**/text*document=dialogue_garden*")
    assert "together=true" in page.url


SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def test_a_row_of_the_unequal_mentions_opens_its_text_and_back_leads_to_the_same_row(page, address):
    open_at(page, f"{address}/compare?compared=mentions+and+errors")
    key = "unequal-mentions"
    place_of(page.locator(f"[class*=st-key-{key}] canvas").first)
    click_row(page, key, 2)
    page.wait_for_url("**/text*")
    wait_until_idle(page)
    label = page.locator(".lines .label.lit").first
    expect(label).to_be_in_viewport()
    page.go_back()
    expect(title_of(page)).to_have_text(TITLE)
    expect(page.locator(f"[class*=st-key-{key}] canvas").first).to_be_in_viewport()
    assert page.evaluate(SCROLLED) > 0


@pytest.mark.slow
def test_a_genre_is_not_offered_where_all_documents_have_one(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    app = run(VIEW, parts=["mentions", "errors"], errors_by="genre", by_slice="genre")
    for key in ("errors_by", "by_slice"):
        assert "genre" not in app.selectbox(key=key).options
    assert app.selectbox(key="errors_by").value == "document"


# Several runs a system ----------------------------------------------------------------------------


def give_runs(monkeypatch, tmp_path):
    """Runs of a and b against a key of four documents: b has lost more of them."""
    documents = [KEY.replace(b"(d)", b"(%d)" % n).replace(b"d\t", b"%d\t" % n) for n in range(4)]

    def without(*lost):
        cut = (d.replace(b"(1)", b"-") if n in lost else d for n, d in enumerate(documents))
        return b"".join(cut)

    a, b = [without(), without(0)], [without(0, 1), without(1, 2), without(0, 1, 2)]
    runs = {f"a_run{n}_conll": run for n, run in enumerate(a, 1)}
    runs |= {f"b_run{n}_conll": run for n, run in enumerate(b, 1)}
    give(monkeypatch, tmp_path, key_conll=without(), **runs)


@pytest.mark.slow
def test_runs_that_are_loaded_are_grouped_and_compared_over_all(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    app = run(VIEW, parts=["argument"])
    loaded = loaded_in(app)
    assert list(loaded.names.values()) == ["a.run1", "b.run1"]  # B is of another system than A
    assert says(app, "Over all runs", "cannot conclude", "A (a) or B (b)")
    app.session_state["evidence Over all runs?"] = True
    app.run()
    (line,) = (one.value for one in app.markdown if one.value.startswith("**Over all runs?**"))
    assert reads(line.replace("\\", ""), "No", 4, "p", "0.125")
    of_lea = listed(app, "sd_b").set_index("metric").loc["LEA"]  # 100 and 6/7; 2/3, 2/3 and 2/5
    assert of_lea["a"] == pytest.approx(100 * (1 + 6 / 7) / 2)
    assert of_lea["b"] == pytest.approx(100 * (2 / 3 + 2 / 3 + 2 / 5) / 3)
    assert of_lea["difference"] == pytest.approx(of_lea["b"] - of_lea["a"])
    app.session_state[f"evidence {CAN_TELL}"] = True
    app.run()
    (line,) = (one.value for one in app.markdown if one.value.startswith(f"**{CAN_TELL}"))
    assert reads(line, "one run")
    assert says(app, "not over several runs")


@pytest.mark.slow
def test_two_runs_of_one_system_are_said_to_be_so(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    said = "A and B", "two runs of b"
    assert not says(run(VIEW, parts=["argument"]), *said)
    app = run(VIEW, parts=["argument"], a="b.run1.conll", b="b.run2.conll")
    assert says(app, *said)
    assert "Over all runs" not in html(app)


@pytest.mark.slow
def test_many_systems_says_that_it_ranks_each_run_by_itself(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    app = run("many")
    assert says(app, "Each run", "ranks", "2 runs of a", "3 runs of b")
    (tmp_path / "a.run1.conll").rename(tmp_path / "a.conll")
    name_files(monkeypatch, *(tmp_path / f"{n}.conll" for n in ("key", "a", "a.run2", "b.run3")))
    assert "Each run" not in html(run("many"))


def test_one_run_a_system_has_no_line_of_runs_and_says_what_it_cannot_tell(opened):
    assert "Over all runs" not in html(opened)
    assert not any("Over all runs" in one.label for one in opened.expander)
    assert says(showing(CAN_TELL), "other runs (seeds)", "cannot")
