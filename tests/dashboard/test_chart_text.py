"""The text of a chart stays within it where it has little room.

On the pages, and in the pictures that are saved there, it is looked at in `test_for_everyone`.
"""

import json

import pandas as pd
import pytest
from playwright.sync_api import expect

from corescore.plots.compare import parts
from corescore.plots.template import plotly_script
from tests.support.browser import watched
from tests.support.everyone import LOOK

SCROLLED = "bars => bars.map((bar) => bar.getBoundingClientRect().height)"
DRAW = """([figure, width]) => Plotly.newPlot("chart", figure.data, {...figure.layout, width})"""


@pytest.mark.slow
def test_counts_of_five_digits_have_room_beside_their_bars(chromium, address):
    """Where the page is narrow, and where it is wide."""
    heads = ["A", "all", "part", "none", "B"]
    table = pd.DataFrame([[10_211, 12_345, 98_765, 20_000, 54_321]] * 2, columns=heads)
    figure = parts(table, ["<b>MUC</b>", "<b>B³</b>"], ["#0072B2"] * 2, heads=heads)
    with watched(chromium, address) as page:
        page.set_content("<div id='chart'></div>")
        page.add_script_tag(content=plotly_script())
        page.evaluate(LOOK)
        for width in (410, 430, 500, 700):
            page.evaluate(DRAW, [json.loads(figure.to_json()), width])
            assert page.evaluate("look.cut()") == []


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [1, 3])
def test_the_legend_of_few_bars_names_every_part(chromium, address, n_rows):
    """One that does not fit its chart has a bar to scroll it by."""
    heads = ["A earns more", "both earn all", "equal, not all", "nothing to earn", "B earns more"]
    table = pd.DataFrame([[1_295, 1_979, 2_536, 20, 2_087]] * n_rows, columns=heads)
    figure = parts(table, ["<b>name</b>"] * n_rows, ["#0072B2"] * n_rows, heads=list("abcde"))
    with watched(chromium, address) as page:
        page.set_content("<div id='chart'></div>")
        page.add_script_tag(content=plotly_script())
        for width in (380, 520, 900):
            page.evaluate(DRAW, [json.loads(figure.to_json()), width])
            expect(page.locator(".infolayer .traces text")).to_have_text(heads)
            bars = page.locator(".scrollbar").evaluate_all(SCROLLED)
            assert not any(bars), f"{width} pixels: {bars}"
