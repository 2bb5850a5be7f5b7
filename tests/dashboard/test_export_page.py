"""Taking along from the app: the Export page, tables under pages, pictures of charts, links."""

import io
import json
import re
from xml.etree import ElementTree
from zipfile import ZipFile

import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import expect

import corescore
from corescore.corpus.files import read_bytes
from corescore.rendering.scores import as_latex, as_markdown
from dashboard.session import files as sources
from tests.support.browser import downloaded, open_at, place_of, watched
from tests.support.pages import KEY, RESPONSE, give, html, page_of, reads, run

EXPORT = "export"
TOY_KEY, TOY = b"# toy\n{abc}{defg}\n", b"# toy\n{ab}{cd}{fghi}\n"


@pytest.fixture(scope="module")
def results():
    files = sources.sample_files()
    key, *responses = [read_bytes(f.data, f.name) for f in (files.key, *files.responses[:2])]
    names = [sources.short_name(file.name) for file in files.responses[:2]]
    return {n: corescore.score(key, r) for n, r in zip(names, responses, strict=True)}


@pytest.mark.parametrize(("kind", "write"), [("LaTeX", as_latex), ("Markdown", as_markdown)])
def test_the_scores_can_be_copied_as_text(results, kind, write):
    app = run(view=EXPORT, scores_as=kind)
    assert (
        app.code[0].value.strip()
        == write(corescore.rendering.scores.Report("key", results)).strip()
    )
    assert app.session_state["loaded"].signature in html(app)


def test_the_rows_of_a_file_are_shown_unrounded(results):
    table = run(view=EXPORT, scores_as="Parquet", b="none").dataframe[0].value
    first = next(iter(results.values()))
    assert table.set_index("metric").loc["lea", "f1"] == first["lea"].f1


def test_one_response_has_no_comparison_to_report():
    two, one = (page_of(view=EXPORT, b=b) for b in ("greedy.conll", "none"))
    options = [app.button_group(key="sections").options for app in (two, one)]
    assert set(options[0]) - set(options[1]) == {"Comparison"}


def test_experiments_are_in_the_report_only_if_asked():
    sections = page_of(view=EXPORT, b="none").button_group(key="sections")
    assert "Experiments" in sections.options
    assert sections.value == ["overview", "documents", "errors", "credit"]


def test_a_report_that_cannot_be_made_says_why(monkeypatch):
    monkeypatch.setattr("corescore.rendering.report.report.MOST_BYTES", 1000)
    app = run(view=EXPORT, b="none", sections="Overview")
    next(b for b in app.button if b.label == "Make the report").click().run()
    assert "expected 6 at most" in html(app)
    assert not app.exception


def test_a_click_counts_though_the_run_that_it_begins_finds_a_response_to_leave_out(
    monkeypatch, tmp_path
):
    other = KEY.replace(b"slept", b"sat")
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=other, b_conll=RESPONSE)
    app = run(view=EXPORT, words="ignore", sections="Overview")
    next(b for b in app.button if b.label == "Make the report").click()
    app.selectbox(key="words").select("error").run()
    assert reads("".join(e.label for e in app.expander), "1 of 2", "left out")
    assert "report" in app.session_state


@pytest.mark.slow
def test_the_report_of_two_goes_by_the_primary_metric_of_the_url():
    app = run(view=EXPORT, primary="LEA", sections="Overview")
    next(b for b in app.button if b.label == "Make the report").click().run()
    front = app.session_state["report"].html.decode().partition("<main>")[0]
    assert "points of LEA F1" in front
    assert not reads(front, "points", "CoNLL average")
    assert "primary" not in {box.key for box in run(view=EXPORT, b="none").selectbox}


@pytest.mark.slow
def test_a_perturbed_output_is_first_offered_in_the_format_of_its_input(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_txt=TOY_KEY, response_txt=TOY)
    app = run(view="perturb", do="drop:share=0", seeds="1")
    assert app.selectbox(key="written_as response").options[0] == "brace notation"
    lines = [json.dumps({"doc_key": "d", "sentences": [["She", "slept"]], "clusters": [[[0, 0]]]})]
    data = "\n".join(lines).encode()
    give(monkeypatch, tmp_path, key_jsonl=data, response_jsonl=data)
    app = run(view="perturb", do="drop:share=0", seeds="1")
    assert app.selectbox(key="written_as response").options[0] == "JSON Lines"


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_report_and_all_tables_are_made_and_downloaded(page, address, results):
    open_at(page, f"{address}/export?sections=Overview")
    page.get_by_role("button", name="Make the report").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the report").click()
    assert download.value.suggested_filename == "report-cautious-greedy.html"
    report = download.value.path().read_text()
    assert results["cautious"].signature in report
    assert "How do the six disagree" in report
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all tables").click()
    with ZipFile(download.value.path()) as zipped:
        scores = pd.read_parquet(io.BytesIO(zipped.read("parquet/scores.parquet")))
    totals = scores[(scores["response"] == "greedy") & (scores["document"] == "")]
    assert totals.set_index("metric").loc["blanc", "f1"] == results["greedy"]["blanc"].f1
    expect(page.locator('[data-testid="stException"]')).to_have_count(0)


@pytest.mark.slow
def test_charts_are_saved_as_chosen_and_tables_and_links_go_along(stranger, address, results):
    with watched(stranger, address, scheme="dark") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        open_at(page, f"{address}/?singletons=leave+them+out")
        svg = picture_of(page)
        assert svg.suggested_filename == "six-metrics-cautious-greedy.svg"
        expect_on_paper(ElementTree.parse(svg.path()).getroot())

        page.get_by_test_id("stSidebar").get_by_text("Download and share", exact=True).click()
        page.get_by_role("radio", name="PNG").click()
        expect(page).to_have_url(re.compile("pictures=PNG"))
        page.wait_for_function(CAMERA_SAVES, arg="png")
        png = picture_of(page)
        assert png.suggested_filename == "six-metrics-cautious-greedy.png"
        with Image.open(png.path()) as image:
            assert image.format == "PNG"
            assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)

        page.get_by_role("button", name="Copy link to this view").click()
        expect(page.locator(".copy-link [role=status]")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == page.url
        assert "singletons=" in page.url
        page.get_by_role("button", name="Copy", exact=True).click()
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
    app = page_of(view="export")
    text, latex = (c.value for c in app.code if c.value.startswith("We report"))
    assert "CEAF_e" in text
    assert "CEAF$_e$" in latex
