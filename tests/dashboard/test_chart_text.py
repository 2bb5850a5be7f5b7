"""The text of every chart stays within it: at any width, and in the picture of the camera."""

import json

import pandas as pd
import pytest

from corescore.plots.parts import parts
from corescore.plots.template import plotly_script
from dashboard.navigation import _SECTIONS
from tests.support.browser import open_at, turn_to, wait_until_idle, watched

WIDTHS = (1440, 1366, 1280, 1024)
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
# Charts are drawn anew some time after their place has another width.
FITS = """() => [...document.querySelectorAll(".js-plotly-plot")].every((chart) => {
  const drawn = chart.querySelector(".main-svg").getBoundingClientRect().width;
  return Math.abs(drawn - chart.parentElement.getBoundingClientRect().width) < 1;
})"""
DRAW = """([figure, width]) => Plotly.newPlot("chart", figure.data, {...figure.layout, width})"""


def outside(page):
    """What is cut off in the charts of a page, once they have found their size."""
    wait_until_idle(page)
    page.wait_for_function(FITS)
    return page.locator(".js-plotly-plot .main-svg").evaluate_all(OUTSIDE)


def saved(chart, tmp_path):
    """The picture that a chart's camera saves."""
    chart.hover()
    with chart.page.expect_download() as download:
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
            if not page.locator(".js-plotly-plot").count():
                continue
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                wrong += [f"{name} at {width}: {text}" for text in outside(page)]
            for chart in page.locator(".js-plotly-plot:visible").all():
                n_charts += 1
                picture.set_content(saved(chart, tmp_path))
                found = picture.locator("body > svg").evaluate_all(OUTSIDE)
                wrong += [f"{name}, saved: {text}" for text in found]
    assert n_charts > 15
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_counts_of_five_digits_have_room_beside_their_bars(chromium, address):
    """Where the page is narrow, and where it is wide."""
    heads = ["A", "all", "part", "none", "B"]
    table = pd.DataFrame([[10_211, 12_345, 98_765, 20_000, 54_321]] * 2, columns=heads)
    figure = parts(table, ["<b>MUC</b>", "<b>B³</b>"], ["#0072B2"] * 2, heads=heads)
    with watched(chromium, address) as page:
        page.set_content("<div id='chart'></div>")
        page.add_script_tag(content=plotly_script())
        for width in (410, 430, 500, 700):
            page.evaluate(DRAW, [json.loads(figure.to_json()), width])
            assert page.locator("#chart .main-svg").evaluate_all(OUTSIDE) == []
