"""The pages Scoring rules and Metrics, and Share."""

import io
import json
import re
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree
from zipfile import ZipFile

import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect

from corescore import score
from corescore.corpus.documents import Corpus, Document
from corescore.corpus.files import read, write
from corescore.metrics import CONLL, DIAGNOSTICS, METRICS, VARIANTS, name_of
from corescore.scoring.presets import PRESETS
from corescore.teaching.cards import EXAMPLE, empty_table, known_flaws, worked_lines, worked_table
from corescore.teaching.examples import toy_of
from tests.support.acts import choose, press, says
from tests.support.browser import (
    downloaded,
    expect_to_fit,
    open_at,
    place_of,
    push,
    title_of,
    wait_until_idle,
    watched,
)
from tests.support.pages import (
    KEY,
    QUICK,
    RESPONSE,
    headlines,
    html,
    html_as_sent,
    loaded_in,
    name_files,
    open_page,
    page_of,
    reads,
    run,
)
from tests.support.samples import RESPONSES, SAMPLE

# The page that says why two scorers disagree ------------------------------------------------------

SCORERS = "scorers"


def frames(app, column):
    """The tables that have this column."""
    return [element.value for element in app.dataframe if column in element.value]


def test_a_row_for_each_response_and_the_scorers_that_give_it_the_same_scores():
    app = page_of(SCORERS)
    (table,) = frames(app, "scorer")
    merged, *alone = table["scorer"].unique()
    assert merged == "corescore, perl, coval, ua"
    assert len(table) == 2 * (1 + len(alone)) == 2 * (1 + len(PRESETS) - 3)
    assert table["lea"].isna().sum() == 2 * sum(
        "lea" not in one.metrics for name, one in PRESETS.items() if name not in merged
    )
    assert "points apart" in headlines(app)[0]
    assert "v8.01 (perl) (no LEA), coval (no CEAF" in html(app)
    assert "1.0 (ua) give the same scores." in html(app)


def test_the_steps_between_the_two_scorers_of_the_link_add_up_to_the_headline():
    app = page_of(SCORERS, **{"from": "coval", "to": "CorefUD scorer 1.2"})
    assert app.selectbox(key="from").value == "coval"
    (steps,) = frames(app, "clause")
    said = next(line for line in headlines(app) if "CorefUD" in line and "points." in line)
    total = float(said.split(": ")[1].split(" points")[0].replace("−", "-"))
    assert steps["difference"].sum() == pytest.approx(total, abs=0.006)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_a_metric_that_a_scorer_lacks_has_no_walk_and_is_kept_while_other_pages_are_open():
    app = run(SCORERS)
    choose(app, "by", "lea")
    assert says(app, "not have LEA")
    open_page(app, QUICK)
    open_page(app, SCORERS)
    assert app.selectbox(key="by").value == "lea"


@pytest.mark.slow
def test_a_number_is_traced_and_a_wrong_one_is_named():
    app = run(SCORERS, number="51.10")
    assert any("51.10" in line and "perl" in line for line in headlines(app))
    choose(app, "number", "many")
    assert "expected percent" in html(app)
    choose(app, "number", "99.9999")
    assert any("Nothing prints 99.9999" in line for line in headlines(app))


def test_a_scorer_that_refuses_the_files_says_so(monkeypatch, tmp_path):
    words = "Mia", "slept"
    key, other = (
        Corpus((Document.of_rows("d", [(0, 1, 0), (1, 2, 0)], words=(w, "slept")),))
        for w in (words[0], "Lea")
    )
    paths = [tmp_path / "key.conll", tmp_path / "response.conll"]
    for path, corpus in zip(paths, (key, other), strict=True):
        write(corpus, path)
    name_files(monkeypatch, *paths)
    app = run(SCORERS, words="compare positions")
    assert says(app, "CorefUD scorer 1.2", "refuses")


# The page of metric cards: under Streamlit's test runner, and drawn by Chromium -------------------

VIEW = "metrics"

CARDS = {row.id: row.card for row in (*METRICS, CONLL, *DIAGNOSTICS) if row.card}
SOME = [CARDS[name] for name in ("ceafe", "blanc", "conll", DIAGNOSTICS[0].id)]


def texts(app):
    return "\n".join(element.value for element in app.markdown)


@pytest.mark.parametrize("card", SOME)
def test_a_card_is_shown_whole(card):
    app = page_of(VIEW, metric=name_of(card.id))
    assert app.title[0].value == f"{name_of(card.id)}: what does it count?"
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


@pytest.mark.parametrize("name", ["ace", "h"])  # the second has no worked example
def test_the_card_of_a_variant_tells_its_history(name):
    (card,) = (metric.card for metric in VARIANTS if metric.id == name)
    app = page_of(VIEW, metric=name)
    assert app.title[0].value == f"{name_of(card.id)}: what does it count?"
    assert app.segmented_control(key="metric_box").value is None
    assert app.selectbox(key="variant_box").value == card.id
    words = (card.counts, card.unit, card.one, card.zero, card.empty, card.history, card.bounds)
    assert [text for text in words if text not in html_as_sent(app)] == []
    drawn = "\n".join(element.value for element in app.latex)
    formulas = [formula for part in card.parts for _, formula in part.steps.values()]
    assert all(formula in drawn for formula in formulas)
    assert ("&&=" in drawn) is any(worked_lines(card))


def test_a_variant_is_selected_beside_the_metrics():
    app = run(VIEW)
    choose(app, "variant_box", "b3-0")
    assert app.query_params["metric"] == "B³₀"
    assert reads(app.title[0].value, "B³₀")
    choose(app, "metric_box", "lea")
    assert app.query_params["metric"] == "LEA"
    assert reads(app.title[0].value, "LEA")


def test_a_metric_that_is_none_is_named_and_the_first_is_shown():
    app = page_of(VIEW, metric="<b>F</b>")
    assert says(app, "no metric", "“&lt;b&gt;f&lt;/b&gt;”", "MUC, B³, CEAFₘ")
    assert reads(app.title[0].value, "MUC")


@pytest.mark.parametrize("name", ["bcub", "B³", "b³"])
def test_a_link_may_have_the_short_name_too(name):
    assert page_of(VIEW, metric=name).title[0].value == "B³: what does it count?"


# In a browser -------------------------------------------------------------------------------------


def test_formulas_are_drawn_offline_and_each_card_leads_on(page, address):
    open_at(page, f"{address}/metrics?metric=CEAFₑ")
    expect(title_of(page)).to_have_text("CEAFₑ: what does it count?")
    expect(page.locator(".katex-display mfrac").first).to_be_attached()
    expect(page.locator(".katex-error")).to_have_count(0)
    page.wait_for_function("() => document.fonts.check('16px KaTeX_Main')")
    for pitfall in known_flaws(CARDS["ceafe"]):
        link = page.locator(f'.st-key-flaws a[href*="card={pitfall.id}"]')
        expect(link).to_have_text(pitfall.title)
    sandbox = page.get_by_role("link", name="Try the example in the sandbox")
    query = parse_qs(urlsplit(sandbox.get_attribute("href")).query)
    assert toy_of({name: values[0] for name, values in query.items()}) == EXAMPLE
    assert query["m"] == ["ceafe"]
    page.get_by_role("radio", name="BLANC").click()
    page.wait_for_url(re.compile("metric=BLANC"))
    expect(title_of(page)).to_have_text("BLANC: what does it count?")
    page.get_by_text("Empty sides, papers").click()
    expect(page.locator("table.empty")).to_contain_text("Luo 2014")
    clipped = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    wait_until_idle(page)
    assert page.locator(".scroll").evaluate_all(clipped) == 0
    for name, table in {"worked-example": worked_table, "empty-cases": empty_table}.items():
        saved = pd.read_csv(downloaded(page, f"{name}-blanc", "CSV").path())
        expected = table(CARDS["blanc"])
        assert [*saved.columns] == [*expected.columns, "signature"]
        assert len(saved) == len(expected)
        page.keyboard.press("Escape")
    page.get_by_role("radio", name="BLANC").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(title_of(page)).to_have_text("LEA: what does it count?")


# Taking along from the app: Share, tables under pages, pictures of charts, --------------

EXPORT = "export"
TOY_KEY, TOY = b"# toy\n{abc}{defg}\n", b"# toy\n{ab}{cd}{fghi}\n"


@pytest.fixture(scope="module")
def results():
    key, *responses = (read(SAMPLE / f"{name}.conll") for name in ("key", *RESPONSES))
    return dict(zip(RESPONSES, (score(key, one) for one in responses), strict=True))


@pytest.mark.parametrize("kind, has", [("LaTeX", "\\begin{tabular}"), ("Markdown", "| MUC")])
def test_the_scores_can_be_copied_as_text(kind, has):
    app = run(EXPORT, scores_as=kind)
    assert has in app.code[0].value
    assert loaded_in(app).signature in html(app)


def test_share_computes_nothing_until_it_is_opened(monkeypatch):
    monkeypatch.setattr("dashboard.views.share.show", lambda: pytest.fail("not opened"))
    for view in ("overview", "text", "metrics"):
        assert run(view).button_group(key="pictures").value == "SVG"


def test_the_rows_of_a_file_are_shown_unrounded(results):
    table = run(EXPORT, scores_as="Parquet", b="none").dataframe[0].value
    first = next(iter(results.values()))
    assert table.set_index("metric").loc["lea", "f1"] == first["lea"].f1


def test_one_response_has_no_comparison_to_report():
    two, one = (page_of(EXPORT, b=b) for b in ("greedy.conll", "none"))
    options = [app.button_group(key="sections").options for app in (two, one)]
    assert set(options[0]) - set(options[1]) == {"Comparison"}


def test_experiments_are_in_the_report_only_if_asked():
    sections = page_of(EXPORT, b="none").button_group(key="sections")
    assert "Experiments" in sections.options
    assert sections.value == ["overview", "documents", "errors", "credit"]


def test_a_report_that_cannot_be_made_says_why(monkeypatch):
    monkeypatch.setattr("corescore.rendering.report.report.MOST_BYTES", 1000)
    app = run(EXPORT, b="none", sections="Overview")
    press(app, "Make the report")
    assert "expected 6 at most" in html(app)


def test_a_click_counts_though_the_run_that_it_begins_finds_a_response_to_leave_out(give):
    other = KEY.replace(b"slept", b"sat")
    give(key_conll=KEY, a_conll=other, b_conll=RESPONSE)
    app = run(EXPORT, words="ignore", sections="Overview")
    next(b for b in app.button if b.label == "Make the report").click()
    choose(app, "words", "error")
    assert reads(" ".join(e.label for e in app.expander), "1 of 2", "left out")
    assert "report" in app.session_state


@pytest.mark.slow
def test_the_report_of_two_goes_by_the_primary_metric_of_the_url():
    app = run(EXPORT, primary="LEA", sections="Overview")
    press(app, "Make the report")
    front = app.session_state["report"].html.decode().partition("<main>")[0]
    assert "points of LEA F1" in front
    assert not reads(front, "points", "CoNLL")
    assert "primary" not in {box.key for box in run(EXPORT, b="none").selectbox}


@pytest.mark.slow
def test_a_perturbed_output_is_first_offered_in_the_format_of_its_input(give):
    give(key_txt=TOY_KEY, response_txt=TOY)
    app = run("perturb", do="drop:share=0", seeds="1")
    assert app.selectbox(key="written_as response").options[0] == "brace notation"
    lines = [json.dumps({"doc_key": "d", "sentences": [["She", "slept"]], "clusters": [[[0, 0]]]})]
    data = "\n".join(lines).encode()
    give(key_jsonl=data, response_jsonl=data)
    app = run("perturb", do="drop:share=0", seeds="1")
    assert app.selectbox(key="written_as response").options[0] == "JSON Lines"


# In a browser -------------------------------------------------------------------------------------


def test_the_report_and_all_tables_are_made_and_downloaded(page, address, results):
    open_at(page, f"{address}/export?sections=Overview")
    push(page, "Make the report")
    page.get_by_role("button", name="Download the report").wait_for()
    wait_until_idle(page)  # at the end of runs Streamlit drops what was not yet fetched
    with page.expect_download() as download:
        push(page, "Download the report")
    assert download.value.suggested_filename == "report-cautious-greedy.html"
    report = download.value.path().read_text()
    assert results["cautious"].signature in report
    assert "How do the six disagree" in report
    with page.expect_download() as download:
        push(page, "Download all tables")
    with ZipFile(download.value.path()) as zipped:
        scores = pd.read_parquet(io.BytesIO(zipped.read("parquet/scores.parquet")))
    totals = scores[(scores["response"] == "greedy") & (scores["document"] == "")]
    assert totals.set_index("metric").loc["blanc", "f1"] == results["greedy"]["blanc"].f1


@pytest.mark.long
def test_charts_are_saved_as_chosen_and_tables_and_links_go_along(stranger, address, results):
    with watched(stranger, address, scheme="dark") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        open_at(page, f"{address}/?singletons=leave+them+out")
        svg = picture_of(page)
        assert svg.suggested_filename == "six-metrics-cautious-greedy.svg"
        expect_on_paper(ElementTree.parse(svg.path()).getroot())

        push(page, "Share")
        page.get_by_role("radio", name="PNG").click()
        expect(page).to_have_url(re.compile("pictures=PNG"))
        page.wait_for_function(CAMERA_SAVES, arg="png")
        page.keyboard.press("Escape")  # the box may lie over the chart
        png = picture_of(page)
        assert png.suggested_filename == "six-metrics-cautious-greedy.png"
        with Image.open(png.path()) as image:
            assert image.format == "PNG"
            assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)

        push(page, "Share")
        push(page, "Copy link to this view")
        expect(page.locator(".copy-link [role=status]")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == page.url
        assert "singletons=" in page.url
        push(page, "Copy", exact=True)
        expect(page.locator(".copy-text [role=status]")).to_have_text("Copied")
        signature = page.locator(".signature").inner_text()
        assert page.evaluate("navigator.clipboard.readText()") == signature

        download = downloaded(page, "scores-cautious-greedy", "JSON")
        values = json.loads(download.path().read_text())
        assert "singletons drop" in values["signature"]
        rows = {(row["response"], row["metric"]): row for row in values["rows"]}
        assert 0 < rows["greedy", "lea"]["f1"] != results["greedy"]["lea"].f1


# Whether the first chart was drawn again for the selected format.
CAMERA_SAVES = """format =>
  document.querySelector(".js-plotly-plot")._context.toImageButtonOptions.format === format"""


def picture_of(page):
    """What the camera of the first chart saves."""
    place_of(page.locator(".js-plotly-plot").first)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.locator(".js-plotly-plot").first.hover()
    with page.expect_download() as download:
        page.locator(".modebar-btn").first.click()
    return download.value


SVG = "{http://www.w3.org/2000/svg}"


def expect_on_paper(root):
    """A white ground, each text dark or black, and the font in the file."""
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}rect").get("fill") == "#fff"
    texts = [text.get("style") for text in root.iter(f"{SVG}text")]
    fills = [re.search(r"fill: rgba?\((\d+), (\d+), (\d+)", style) for style in texts if style]
    assert len(fills) > 20
    assert all(sum(map(int, fill.groups())) < 3 * 128 for fill in fills if fill)
    assert 'src: url("data:font/woff2;base64,' in root.find(f"{SVG}style").text


def test_the_paragraph_for_a_paper_is_shown_as_text_and_as_latex():
    app = page_of("export")
    text, latex = (c.value for c in app.code if c.value.startswith("We report"))
    assert "CEAFₑ" in text
    assert "CEAF$_e$" in latex


def test_the_widest_card_fits_a_narrow_window(chromium, address):
    with watched(chromium, address, width=1024, scheme="dark") as narrow:
        open_at(narrow, f"{address}/metrics?metric=BLANC")
        expect(narrow.locator(".katex-display")).to_have_count(3)
        expect_to_fit(narrow)
        narrow.wait_for_function(  # once the fonts are there
            "() => [...document.querySelectorAll('.katex-display')]"
            ".every(one => one.scrollWidth <= one.clientWidth + 1)"
        )
