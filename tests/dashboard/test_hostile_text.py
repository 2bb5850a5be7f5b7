"""Words that are markup, formulas, marks of direction or endless are shown as they are."""

import re

import pytest
from playwright.sync_api import expect

import corescore
from tests.support.browser import expect_to_fit, open_at, served, turn_to, wait_until_idle, watched
from tests.support.hostile import NAME, WORDS

MARKUP = "main script, .passage script, .katex, .stMain b > i, .passage img, .stHtml img"
PAGES = (
    *("Overview", "Documents", "Text", "Credit", "Entities", "Links", "Errors"),
    *("Perturb", "Two systems", "Many systems", "Export"),
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The address of a dashboard over these words, each a mention; the response joins others."""
    folder = tmp_path_factory.mktemp("hostile")
    spans = [(at, at + 1) for at in range(len(WORDS))]
    sides = {
        "key": [spans[:4], spans[4:7], *([span] for span in spans[7:])],
        "<b>a": [spans[:2], [*spans[2:6]], spans[7:9]],
        "<i>$b$": [spans[:3], spans[4:9]],
        "c": [spans],
    }
    for side, entities in sides.items():
        document = corescore.Document.of_entities(NAME, entities, words=WORDS)
        corescore.write(corescore.Corpus((document,)), folder / f"{side}.conll")
    with served(*(str(folder / f"{side}.conll") for side in sides)) as url:
        yield url


@pytest.mark.slow
def test_hostile_words_are_text_on_every_page(chromium, hostile):
    with watched(chromium, hostile, width=1024, scheme="dark") as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        open_at(page, hostile)
        for name in PAGES:
            turn_to(page, name)
            if name == "Overview":
                expect(page.locator(".headline").first).to_contain_text("<b>a")
            expect(page.locator(".signature").first).to_contain_text("corescore")
            expect(page.get_by_test_id("stException")).to_have_count(0)
            assert page.locator(MARKUP).count() == 0
            expect_to_fit(page)
            if name in ("Text", "Credit"):
                for word in WORDS:
                    expect(page.get_by_test_id("stMain")).to_contain_text(word[:60])
        # Nothing that the server forgets when the page is drawn anew, before the browser has it.
        assert not [url for url in asked if url.startswith(f"{hostile}/media/")]


QUOTES = ('"Tom', "&", "Jerry's\"", "<b>Ann</b>", "R&B", "she", "o'clock", "it")
CHARTS = ("Credit", "Documents", "Entities", "Links")
REFERENCE = re.compile(r"&(#?\w+);")


@pytest.fixture(scope="module")
def quoting(tmp_path_factory):
    """The address of a dashboard over words and names with quotes and ampersands."""
    folder = tmp_path_factory.mktemp("quoting")
    one, *others = [(0, 3), *((at, at + 1) for at in range(3, len(QUOTES)))]
    sides = {
        "key": [[one, others[0], others[1]], others[2:4], others[4:]],
        'Q&A "one"': [[one, others[2]], [others[0], others[3]], others[4:]],
        "b's": [[one, *others]],
    }
    for side, entities in sides.items():
        documents = (
            corescore.Document.of_entities(name, entities, words=QUOTES)
            for name in ('nw_"q&a"', "bc_o'n")
        )
        corescore.write(corescore.Corpus(tuple(documents)), folder / f"{side}.conll")
    with served(*(str(folder / f"{side}.conll") for side in sides)) as url:
        yield url


@pytest.mark.slow
def test_quotes_and_ampersands_stand_in_labels_of_charts_as_they_are(chromium, quoting):
    with watched(chromium, quoting) as page:
        page.set_viewport_size({"width": 1440, "height": 2600})
        open_at(page, f"{quoting}/credit?metric=CEAFₑ")
        for name in CHARTS:
            turn_to(page, name)
            place = "metric=CEAF" if name == "Credit" else name.lower()
            expect(page).to_have_url(re.compile(place))
            page.locator(".js-plotly-plot text").first.wait_for()
            wait_until_idle(page)
            labels = page.locator(".js-plotly-plot text").all_text_contents()
            assert not [label for label in labels if REFERENCE.search(label)]
            if name != "Documents":
                assert any('"Tom & Jerry' in label for label in labels)
