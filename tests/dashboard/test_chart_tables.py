"""Whoever does not see a chart has what it draws as a table, on the same page."""

import pytest

from dashboard.navigation import _SECTIONS
from dashboard.widgets.charts import AS_TABLE
from tests.support.charts import (
    boxes,
    charts,
    names,
    numbers_in_tables,
    numbers_told,
    open_tables,
)
from tests.support.pages import run

PAGES = [entry[0] for section in _SECTIONS.values() for entry in section]
# What a page draws only where its address asks for it.
MORE = [
    ("documents", {"across": "distribution"}),
    ("credit", {"metric": "CEAFₑ"}),
    ("errors", {"tab": "by kind"}),
    ("errors", {"tab": "by kind", "gain_in": "recall", "mended": "share"}),
    ("perturb", {"do": "more-precise", "seeds": "1"}),
    ("experiments", {"experiment": "moosavi2016-fig2"}),
]
ROUNDING = 0.006


@pytest.mark.parametrize(("view", "parameters"), [*((page, {}) for page in PAGES), *MORE])
def test_every_chart_has_its_table_on_the_page(view, parameters):
    app = run(view=view, **parameters)
    closed = len(app.dataframe)
    app = open_tables(app)
    assert not app.exception
    assert len(app.dataframe) == closed + len(boxes(app))
    opened = [element.value for element in app.dataframe if element.proto.alt.startswith(AS_TABLE)]
    assert all(len(table) for table in opened)
    known = sorted(numbers_in_tables(app))
    for one in charts(app):
        assert one.has_box or any(one.named and name.startswith(one.named) for name in names(app))
        missing = [n for n in numbers_told(one) if not any(abs(n - k) < ROUNDING for k in known)]
        assert not missing, (one.alt, missing)
