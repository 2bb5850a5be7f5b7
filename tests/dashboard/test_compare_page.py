"""Two systems: who is ahead, where, whether it is significant, and where a click leads."""

import math
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from markupsafe import escape
from playwright.sync_api import expect

from corescore import read, score
from corescore.analysis.systems.documents import (
    compared_documents,
    disagreement_counts,
    disagreements,
)
from corescore.analysis.systems.mentions import A_MORE, B_MORE, verdict_counts
from corescore.analysis.systems.runs import PairOverRuns
from corescore.metrics import METRIC_IDS, name_of
from corescore.sentences import compare as verdicts
from corescore.sentences.compare import CAN_TELL, HOW_LARGE, QUESTIONS, equivalent
from corescore.sentences.runs import conclusion, row_of
from corescore.wording import p_value, percent
from dashboard.views import which_scorer as grids
from dashboard.views.two_systems_argument import AHEAD, shaded
from dashboard.widgets.policies import POLICIES
from tests.support.browser import click_at, click_point, open_at, place_of, wait_until_idle
from tests.support.charts import open_tables, with_open_tables
from tests.support.pages import (
    KEY,
    RESPONSE,
    give,
    headlines,
    html,
    name_files,
    page_of,
    reads,
    run,
)
from tests.support.rivals import damaged, partitions, results

VIEW = "compare"
DISAGREE = "Where do metrics disagree?"
MOST_LISTED = 300  # rows of the list of unequal mentions
TITLE = "Which is better, where, and is it significant?"
CORPUS = partitions(24, seed=1)
A, B = results(CORPUS, damaged(CORPUS, 0.2, seed=2), damaged(CORPUS, 0.5, seed=3))


def results_of(app):
    return tuple(app.session_state["loaded"].results.values())


def figures(app, **fixed):
    """The rows of one measure of what the page has compared, by metric."""
    a, b = results_of(app)
    table = a.compare(b, **fixed).significance
    return table[table["measure"] == "f1"].set_index("metric")


@pytest.fixture
def opened():
    """The page on the sample data, for what only looks at it."""
    return page_of(view=VIEW)


# The page -----------------------------------------------------------------------------------------


def test_one_system_leads_to_advice():
    app = page_of(view=VIEW, b="none")
    assert app.title[0].value == TITLE
    assert "Select a response B" in html(app)


def test_the_first_screen_says_who_is_ahead_and_warns_of_few_documents(opened):
    app = opened
    table = figures(app)
    a, b = results_of(app)
    n = len(disagreements(a, b))
    assert (table.loc[list(METRIC_IDS), "winner"] == "B").all()
    assert reads(html(app), "B (greedy)", "ahead", "all six")
    assert reads(html(app), "LEA", "CoNLL", n, 17, "documents")
    assert reads(html(app), "Only 17 documents", "rough")
    assert "10,000 trials | seed 0" in html(app)


def test_enough_documents_need_no_warning(monkeypatch, tmp_path):
    documents = [KEY.replace(b"(d)", b"(%d)" % n).replace(b"d\t", b"%d\t" % n) for n in range(20)]
    key = b"".join(documents)
    give(monkeypatch, tmp_path, key_conll=key, a_conll=key, b_conll=key.replace(b"(1)", b"-"))
    app = run(view=VIEW, parts=["scores"])
    assert reads(html(app), "A (a)", "ahead")
    assert "rough" not in html(app)


def test_the_documents_of_the_chosen_metric_are_listed_with_their_differences():
    app = run(view=VIEW, parts=["documents"])
    app.selectbox(key="by").select("ceafe").run()
    assert not app.exception
    a, b = results_of(app)
    wanted = compared_documents(a, b).query("metric == 'ceafe'").set_index("document")
    shown = app.dataframe[0].value.set_index("document")
    assert len(shown) == 17
    assert shown["difference"].is_monotonic_decreasing
    expected = 100 * wanted["difference"].loc[shown.index]
    assert shown["difference"].tolist() == pytest.approx(expected.tolist())
    assert reads(html(app), "CEAFₑ", "B first on", (wanted["difference"] > 0).sum())


def test_the_six_stand_in_numbers_below_their_chart():
    app = with_open_tables(view=VIEW)
    table, shown = figures(app), app.dataframe[0].value
    assert shown["metric"].tolist()[-1] == "CoNLL average"
    wanted = table.loc[[*METRIC_IDS, "conll"], "difference"]
    assert shown["difference"].tolist() == pytest.approx((100 * wanted).tolist())


def showing(question, **parameters):
    """The argument with the evidence for an answer."""
    opened = {f"evidence {question}": True}
    return run(view=VIEW, parts=["argument"], state=opened, **parameters)


@pytest.mark.parametrize("trials", [500, 600])
def test_what_chance_makes_of_the_primary_metric_is_evidence_for_how_large_it_is(trials):
    app = run(view=VIEW, parts=["argument"], primary="MUC", trials=str(trials))
    a, b = results_of(app)
    randomisation = a.compare(b, trials=trials).randomisation
    said = escape(verdicts.randomisation(randomisation, "muc", "f1"))
    assert said not in html(app)
    app.session_state[f"evidence {HOW_LARGE}"] = True
    app.run()
    assert said in html(app)


@pytest.mark.slow
def test_where_two_chosen_metrics_disagree():
    app = showing(DISAGREE)
    a, b = results_of(app)
    app.selectbox(key="one").select("muc").run()
    app.selectbox(key="other").select("ceafe").run()
    assert not app.exception
    wanted = disagreements(a, b, metric="muc", other="ceafe")
    assert listed(app, "margin")["document"].tolist() == wanted["document"].tolist()
    n = disagreement_counts(a, b).loc["muc", "ceafe"]
    assert reads(html(app), "MUC", "CEAFₑ", n, 17)


def test_disagreement_by_direction_is_a_filter_in_the_url():
    app = page_of(view=VIEW, one="BLANC", other="MUC", preferring="B under BLANC, A under MUC")
    wanted = disagreements(*results_of(app), metric="blanc", other="muc")
    wanted = wanted[wanted["blanc"] > 0]
    assert len(wanted)
    assert listed(app, "margin")["document"].tolist() == wanted["document"].tolist()
    assert reads(html(app), "B", "BLANC", "A", "MUC", len(wanted))


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
    app = run(view=VIEW, state={f"evidence {DISAGREE}": True})
    app.selectbox(key="by").select("conll").run()
    app.segmented_control(key="measure").set_value("recall").run()
    assert not app.exception
    assert app.selectbox(key="by").value == "lea"
    assert "conll" not in app.selectbox(key="one").options
    assert reads(headlines(app)[0], "recall")


def test_mentions_are_counted_by_credit_and_by_status():
    app = run(view=VIEW, parts=["mentions"])
    a, b = results_of(app)
    counts = a.compare(b).verdicts.loc["lea"]
    more = ("recall", f"{counts[B_MORE]:,}", "A", f"{counts[A_MORE]:,}")
    assert reads(html(app), "LEA", "B", *more)
    app.selectbox(key="right_by").select("status").run()
    app.selectbox(key="by_slice").select("antecedent").run()
    assert not app.exception
    links = re.findall(r'<a [^>]*href="(errors[^"]*)"[^>]*>of ([AB])</a>', html(app))
    assert links
    for url, letter in links:  # where both are wrong, the same of either
        query = parse_qs(urlsplit(unescape(url)).query)
        assert query["of"][0].startswith(f"{letter}: ")
        assert "other:wrong" in query["find"][0]


def test_mentions_follow_the_measure():
    app = page_of(view=VIEW, measure="precision")
    counts = verdict_counts(*results_of(app), side="precision").loc["lea"]
    more = ("precision", f"{counts[B_MORE]:,}", "A", f"{counts[A_MORE]:,}")
    assert reads(html(app), "both responses", "LEA", "B", *more)
    assert "towards recall for" not in headlines_of(app, "Of the")
    assert "status" not in app.selectbox(key="right_by").options


def headlines_of(app, beginning):
    return " ".join(line for line in headlines(app) if line.startswith(beginning))


@pytest.mark.slow
def test_averages_over_documents_stand_beside_the_sums():
    app = run(view=VIEW, parts=["scores"], average=POLICIES["average"][1]["macro"])
    a, b = results_of(app)
    assert f"MUC {percent(a.means['muc'].f1)} and {percent(b.means['muc'].f1)}" in html(app)
    assert "Averages over documents" not in html(page_of(view=VIEW))


def listed(app, column):
    return next(table.value for table in app.dataframe if column in table.value)


def test_the_mentions_and_entities_that_differ_are_listed_the_most_unequal_first():
    app = page_of(view=VIEW, credit_under="B³")
    a, b = results_of(app)
    mentions = a.compare(b).mentions("bcub")
    unequal = mentions[mentions["difference"].abs() > 1e-12]
    shown = listed(app, "class_a")
    assert len(shown) == min(MOST_LISTED, len(unequal))
    assert reads(html(app), MOST_LISTED, "most unequal")
    gaps = (shown["credit_b"] - shown["credit_a"]).abs()
    assert gaps.round(9).is_monotonic_decreasing
    app = page_of(view=VIEW, credit_under="B³", listed="entities")
    entities = listed(app, "kind")
    gaps = sorted(a.compare(b).entities("bcub")["difference"].abs(), reverse=True)
    shown = (entities["credit_b"] - entities["credit_a"]).abs()
    assert shown.to_list() == pytest.approx(gaps[:MOST_LISTED])
    assert entities["title"].str.len().gt(0).all()


@pytest.mark.parametrize("by", ["document", "genre"])
def test_the_errors_of_documents_and_slices_add_up(by):
    app = page_of(view=VIEW, errors_by=by)
    a, b = results_of(app)
    difference = a.compare(b).errors["difference"]
    shown = listed(app, "divided entity").set_index(by)
    assert (shown.sum() == difference[shown.columns]).all()


def test_another_seed_and_fewer_trials_are_in_the_signature():
    app = run(view=VIEW, parts=["scores"])
    app.number_input(key="trials").set_value(500).run()
    app.number_input(key="chance").set_value(7).run()
    assert "500 trials | seed 7" in html(app)


@pytest.mark.slow
@pytest.mark.parametrize("repeats", ["its first entity counts", "score both"])
@pytest.mark.parametrize(
    "b",
    [RESPONSE, RESPONSE.replace(b"(7)", b"-"), RESPONSE.replace(b"(7)", b"(7)|(8)")],
    ids=["equal", "empty", "a repeat"],
)
def test_one_document_and_odd_responses(b, repeats, monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=RESPONSE, b_conll=b)
    app = run(view=VIEW, repeats=repeats)
    assert "Only 1 document" in html(app)


@pytest.mark.slow
def test_no_mention_of_the_key_is_left_to_compare(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=b"{a}{b}", a_txt=b"{a b}", b_txt=b"{a b c}")
    app = open_tables(run(view=VIEW, singletons="leave them out"))
    assert not app.exception
    assert not listed(app, "metric").empty


# In a browser -------------------------------------------------------------------------------------


def labels(app):
    return [box.label for box in app.expander]


def test_the_page_argues_in_this_order(opened):
    asked = [label for label in labels(opened) if label.startswith("**")]
    heads = [f"**{question}**" for question in QUESTIONS]
    assert [label.split("** ")[0] + "**" for label in asked] == [
        *heads,
        f"**{DISAGREE}**",
        "**For a paper:**",
    ]
    assert reads(headlines(opened)[0], "B (greedy)", "better by")


def test_the_primary_metric_is_kept_in_the_url():
    app = page_of(view=VIEW, primary="MUC")
    assert "points of MUC F1" in headlines(app)[0]


@pytest.mark.slow
def test_what_makes_the_comparison_fair_is_one_click_away(monkeypatch, tmp_path):
    alone = RESPONSE.replace(b"slept\t-", b"slept\t(7)")
    give(monkeypatch, tmp_path, key_conll=alone, a_conll=KEY, b_conll=alone)
    app = run(view=VIEW, parts=["argument", "scores"])
    assert reads(" ".join(labels(app)), 1, "A", 0, "B", "one mention")
    app.button(key="fair singletons").click().run()
    assert not app.exception
    assert app.selectbox(key="singletons").value == "drop"
    assert "singletons drop" in html(app)
    assert "one mention" not in " ".join(labels(app))


def test_each_line_has_its_evidence():
    opened = (*(f"evidence {question}" for question in QUESTIONS), "for paper")
    app = run(view=VIEW, parts=["argument"], state=dict.fromkeys(opened, True))
    for told in (("Checked",), (17, "documents", "resampled"), ("tested alone",)):
        assert reads(html(app), *told)
    conditions = next(of.value for of in app.dataframe if "told" in of.value)
    assert any("mean over documents" in told for told in conditions["told"])
    paragraph, latex = (of.value for of in app.code)
    assert reads(paragraph, "cautious (A)", "greedy (B)", 17, "documents")
    assert latex.startswith("% \\usepackage{booktabs}")
    assert " & cautious & greedy & difference &" in latex
    assert "chosen beforehand" not in paragraph
    app.checkbox(key="beforehand").check().run()
    assert "chosen beforehand" in app.code[0].value
    (link,) = (one for one in app.get("page_link") if "combinations" in one.proto.label)
    assert parse_qs(link.proto.query_string) == {"followed": [name_of("conll")]}
    n = len(grids.grid_of(app.session_state["loaded"], "conll"))
    told = f"greedy > cautious under all {n} combinations"
    assert told in link.proto.label.replace("\\", "")
    scorers = page_of(view="scorers", followed="CoNLL average")
    assert told in unescape(html(scorers))


def test_missing_documents_left_out_are_left_out_of_both(monkeypatch, tmp_path):
    key, b = KEY + KEY.replace(b"(d)", b"(e)"), RESPONSE.replace(b"(d)", b"(e)")
    give(monkeypatch, tmp_path, key_conll=key, a_conll=key, b_conll=b)
    app = run(view=VIEW, parts=["scores"], missing_documents="leave it out")
    assert "micro over 1 document" in html(app)
    assert reads(html(app), "a.conll", "without", 1, "document")


def headline(page):
    return page.locator(".headline").first


def click_row(page, key, number):
    """Click a row of the table of this key."""
    table = page.locator(f"[class*=st-key-{key}] canvas").first
    page.locator(".st-key-follow").wait_for(state="attached")
    click_at(table, 60, 32 * number + 16)


@pytest.mark.slow
def test_a_link_restores_measure_metric_trials_and_seed():
    app = page_of(view=VIEW, measure="precision", by="MUC", trials="300", chance="5")
    assert reads(html(app), "ahead", "precision")
    assert "300 trials | seed 5" in html(app)
    assert reads(html(app), "MUC", "A first")


@pytest.mark.slow
def test_the_answer_is_on_the_first_screen_and_clicks_lead_on(page, address):
    """A row opens its text, Back leads back, a number lists where its two metrics disagree, a point
    opens the text of its document, and what only A has correct lists the errors of B."""
    open_at(page, f"{address}/compare?chance=3&trials=200&right_by=status")
    page.locator(".st-key-dumbbells .js-plotly-plot .point").first.wait_for()
    for seen in (headline(page), page.locator(".caution"), page.locator(".st-key-argument")):
        box = place_of(seen)
        assert box["y"] + box["height"] <= 900
    page.get_by_text(DISAGREE).click()
    click_row(page, "opposed_table", 1)
    page.wait_for_url("**/text*")
    expect(headline(page)).to_contain_text("In biography_cartographer, both have")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    expect(page.locator(".signature").first).to_contain_text("seed 3")
    wait_until_idle(page)  # the box is open as it was left
    click_point(page.locator(".st-key-opposed .point").first)
    expect(page.get_by_text("B³ and MUC name different winners on")).to_be_visible()
    click_point(page.locator(".st-key-documents_chart .point").first)
    page.wait_for_url("**/text*")
    expect(headline(page)).to_contain_text("In news_harbour, both have")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(TITLE)
    by_status = page.locator(".st-key-mention_by_mention .js-plotly-plot").nth(1)
    click_point(by_status.locator(".point").first)
    page.wait_for_url("**/errors?find=class*other%3Acorrect&of=B*")
    wait_until_idle(page)
    assert page.locator(".st-key-error_list").count() == 1


@pytest.mark.slow
def test_a_genre_is_not_offered_where_all_documents_have_one(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    app = run(view=VIEW, parts=["mentions", "errors"], errors_by="genre", by_slice="genre")
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
    app = run(view=VIEW, parts=["argument"])
    loaded = app.session_state["loaded"]
    assert list(loaded.names.values()) == ["a.run1", "b.run1"]  # B is of another system than A
    results = [
        [score(read(tmp_path / "key.conll"), read(tmp_path / f"{name}.run{n}.conll")) for n in of]
        for name, of in (("a", (1, 2)), ("b", (1, 2, 3)))
    ]
    pair = PairOverRuns(*results)
    titles = {"A": "A (a)", "B": "B (b)"}
    assert f"Over all runs: {conclusion(pair, 'conll', 'f1', titles)}" in html(app)
    (line,) = (one.label for one in app.expander if one.label.startswith("**Over all runs?**"))
    assert reads(line.replace("\\", ""), "No", 4, "p", "0.125")
    app.session_state["evidence Over all runs?"] = True
    app.run()
    assert not app.exception
    table = listed(app, "sd_b").set_index("metric")
    row = row_of(pair, "lea", "f1")
    for column in ("a", "sd_a", "b", "sd_b", "difference"):
        assert table.loc["LEA", column] == pytest.approx(100 * row[column], abs=1e-9)
    assert table.loc["LEA", "p_documents"] == p_value(row["p_documents"])
    (line,) = (one.label for one in app.expander if one.label.startswith(f"**{CAN_TELL}"))
    assert reads(line, "one run")
    app.session_state[f"evidence {CAN_TELL}"] = True
    assert reads(html(app.run()), "not known", "several")


def test_a_margin_asks_whether_the_two_are_equivalent():
    assert not reads(html(showing(HOW_LARGE)), "differ", "less than")
    app = showing(HOW_LARGE, margin="50")
    a, b = (system.result for system in app.session_state["loaded"].systems)
    found = a.compare(b).equivalence(0.5)
    assert escape(equivalent(found, "conll", "f1")) in html(app)


def test_a_margin_asks_for_the_means_over_runs_too(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    app = showing(HOW_LARGE, margin="50")
    assert reads(html(app), "CoNLL", "runs", "cannot", 2, "A", 3, "B")


@pytest.mark.slow
def test_two_runs_of_one_system_are_said_to_be_so(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    said = "A and B", "two runs of b"
    assert not reads(html(run(view=VIEW, parts=["argument"])), *said)
    app = run(view=VIEW, parts=["argument"], a="b.run1.conll", b="b.run2.conll")
    assert reads(html(app), *said)
    assert "Over all runs" not in html(app)


@pytest.mark.slow
def test_many_systems_says_that_it_ranks_each_run_by_itself(monkeypatch, tmp_path):
    give_runs(monkeypatch, tmp_path)
    app = run(view="many")
    assert reads(html(app), "Each run", "ranks", "2 runs of a", "3 runs of b")
    (tmp_path / "a.run1.conll").rename(tmp_path / "a.conll")
    name_files(monkeypatch, *(tmp_path / f"{n}.conll" for n in ("key", "a", "a.run2", "b.run3")))
    assert "Each run" not in html(run(view="many"))


def test_one_run_a_system_has_no_line_of_runs_and_says_what_it_cannot_tell(opened):
    assert "Over all runs" not in html(opened)
    assert not any("Over all runs" in one.label for one in opened.expander)
    assert reads(html(showing(CAN_TELL)), "other runs (seeds)", "cannot")
