"""Charts that a browser draws again with other numbers, as after a click, show all their labels."""

import json
from pathlib import Path

import plotly
import pytest

from corescore import read, score
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS
from corescore.plots.scores import before_and_after
from corescore.scoring.tables import change_table
from corescore.wording import signed
from tests.support.samples import RESPONSES, SAMPLE

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
DRAW = "([data, layout]) => Plotly.react('chart', data, layout).then(() => {})"
LABELS = "[...document.querySelectorAll('.textpoint text')].map((one) => one.textContent)"


@pytest.fixture
def blank(chromium):
    page = chromium.new_page()
    page.set_content('<div id="chart" style="width: 900px; height: 400px"></div>')
    page.add_script_tag(path=PLOTLY)
    yield page
    page.close()


def changes(*, up):
    """Of the sample data, from one response to the other or back."""
    key = read(SAMPLE / "key.conll")
    results = [score(key, read(SAMPLE / f"{name}.conll")) for name in RESPONSES]
    return change_table(*(results if up else results[::-1]))


@pytest.mark.slow
def test_labels_of_changes_stay_when_the_chart_is_drawn_again(blank):
    for up in (True, False, True):
        table = changes(up=up)
        figure = json.loads(before_and_after(table).to_json())
        blank.evaluate(DRAW, [figure["data"], figure["layout"]])
        values = table.loc[list(METRIC_IDS), [f"{m}_change" for m in MEASURES]].to_numpy()
        assert sorted(filter(None, blank.evaluate(LABELS))) == sorted(
            signed(value) for value in values.flat
        )
