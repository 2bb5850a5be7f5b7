"""The text of every chart stays within its chart: at any width, and in the picture of the camera."""

from dataclasses import replace

import numpy as np
import pytest

from corescore.corpus.formats import write
from dashboard.navigation import _SECTIONS
from tests.support.browser import open_at, served, turn_to, wait_until_idle, watched
from tests.support.synthetic import Shape, synthesise

WIDTHS = (1440, 1366, 1280, 1024)
# So many mentions that their counts have five digits.
LARGE = Shape(documents=6, words=3500, mentions=2000, entities=500)
PAGES = [entry[1] for section in _SECTIONS.values() for entry in section]

# What each text of a picture has outside of it, in pixels; those that cannot be seen have no width.
OUTSIDE = """(pictures) => pictures.flatMap((picture) => {
  const frame = picture.getBoundingClientRect();
  return [...picture.querySelectorAll("text")].flatMap((text) => {
    const box = text.getBoundingClientRect();
    const over = Math.max(frame.left - box.left, box.right - frame.right,
      frame.top - box.top, box.bottom - frame.bottom);
    return box.width && over > 1 ? [`“${text.textContent}” by ${Math.round(over)} pixels`] : [];
  });
})"""
DRAWN = ".js-plotly-plot .main-svg"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The dashboard on a large key and three responses."""
    folder = tmp_path_factory.mktemp("large")
    key, response = synthesise(LARGE, np.random.default_rng(1))
    half = [replace(document, rows=document.rows[::2]) for document in response]
    others = {"second": key, "third": replace(response, documents=tuple(half))}
    paths = []
    for name, corpus in {"key": key, "first": response, **others}.items():
        paths.append(folder / f"{name}.conll")
        write(corpus, paths[-1])
    with served(*map(str, paths)) as url:
        yield url


# Charts are drawn anew some time after their place has another width.
FITS = """() => [...document.querySelectorAll(".js-plotly-plot")].every((chart) => {
  const drawn = chart.querySelector(".main-svg").getBoundingClientRect().width;
  return Math.abs(drawn - chart.parentElement.getBoundingClientRect().width) < 1;
})"""


def outside(page):
    """What is cut off in the charts of a page, once they have found their size."""
    wait_until_idle(page)
    page.wait_for_function(FITS)
    return page.locator(DRAWN).evaluate_all(OUTSIDE)


def saved(page, chart, tmp_path):
    """The picture that a chart's camera saves."""
    chart.hover()
    with page.expect_download() as download:
        chart.locator(".modebar-btn").click()
    path = tmp_path / "chart.svg"
    download.value.save_as(path)
    return path.read_text()


@pytest.mark.slow
def test_no_text_of_a_chart_is_cut_off(chromium, address, tmp_path):
    wrong, n_charts = [], 0
    with watched(chromium, address) as page, watched(chromium, address) as picture:
        open_at(page, address)
        for name in PAGES:
            page.set_viewport_size({"width": WIDTHS[0], "height": 900})
            turn_to(page, name)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                wrong += [f"{name} at {width}: {text}" for text in outside(page)]
            for chart in page.locator(".js-plotly-plot:visible").all():
                n_charts += 1
                picture.set_content(saved(page, chart, tmp_path))
                found = picture.locator("body > svg").evaluate_all(OUTSIDE)
                wrong += [f"{name}, exported: {text}" for text in found]
    assert n_charts > 20
    assert not wrong, "\n".join(wrong)
