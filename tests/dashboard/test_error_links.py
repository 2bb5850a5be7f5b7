"""Numbers that lead to errors: each is as many as the list that it leads to shows."""

import json
from functools import partial

import pytest

from corescore.analysis.error_table.written import term
from corescore.metrics import METRIC_IDS
from corescore.sentences.names import SLICE_NAMES
from dashboard.views import documents
from dashboard.widgets.error_counts import slice_term
from tests.support.error_links import (
    assert_numbers_are_those_of_the_lists,
    n_found,
    write_hard_data,
    write_zeros,
)
from tests.support.pages import html, name_files, run

DATA = {"sample": None, "hard": write_hard_data, "zeros": write_zeros}
PAGES = {
    "overview": {},
    "text": {},
    "entities": {},
    "errors": {"tab": "by kind"},
    "compare": {"trials": "100"},
}
ERRORS_OF_DOCUMENTS = (
    *("incorrectly_resolved", "unlinked", "span_errors", "missing_mentions", "spurious_mentions"),
)


@pytest.fixture(params=DATA)
def _data(request, tmp_path, monkeypatch):
    if write := DATA[request.param]:
        name_files(monkeypatch, *write(tmp_path))


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("view", PAGES)
def test_a_number_leads_to_as_many_errors_as_it_says(view):
    app = run(view=view, **PAGES[view])
    assert_numbers_are_those_of_the_lists(app, html(app))


@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_number_in_the_row_of_a_document_leads_to_as_many(letter):
    app = run(view="documents")
    loaded = app.session_state["loaded"]
    app.segmented_control(key="of").set_value(letter).run()
    shown = app.dataframe[0].value
    for column in ERRORS_OF_DOCUMENTS:
        for document, number in zip(shown["document"], shown[column], strict=True):
            found = n_found(loaded, documents.counted_errors(document, column), letter)
            assert number == found, (document, column)


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("by", SLICE_NAMES)
def test_a_number_of_mentions_of_a_slice_and_class_leads_to_as_many(by):
    app = run(view="errors", tab="by kind")
    app.selectbox(key="by_slice").set_value(by).run()
    assert not app.exception
    assert_numbers_are_those_of_the_lists(app, html(app))


@pytest.mark.usefixtures("_data")
def test_a_cell_of_the_charts_of_errors_leads_to_errors_of_its_row_and_column():
    app = run(view="errors", tab="by kind")
    loaded = app.session_state["loaded"]
    gains, slices = (json.loads(app.get("plotly_chart")[at].proto.spec) for at in (0, 1))
    for chart, find in ((gains, partial(term, "kind")), (slices, partial(slice_term, "type"))):
        (points,) = (trace for trace in chart["data"] if "customdata" in trace)
        assert {metric for _, metric in points["customdata"]} >= set(METRIC_IDS)
        for name in {name for name, _ in points["customdata"]}:
            assert n_found(loaded, find(name), "A") >= 0
