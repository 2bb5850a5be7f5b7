"""Numbers that lead to errors: each is as many as the list that it leads to shows."""

import json
from functools import partial

import pytest

from corescore.analysis.error_table.confusion import term
from corescore.analysis.errors.operations import slice_kinds
from corescore.analysis.errors.tables import BOTH_WRONG, ONLY_A, ONLY_B, error_counts
from corescore.metrics import METRIC_IDS
from corescore.sentences.names import SLICE_NAMES
from dashboard.session import analyses
from dashboard.views import documents
from dashboard.widgets.error_counts import (
    errors_behind,
    slice_term,
    within_mentions,
)
from tests.support.error_links import (
    assert_numbers_are_those_of_the_lists,
    links_in,
    listed_errors,
    n_found,
    write_hard_data,
    write_zeros,
)
from tests.support.pages import html, name_files, page_of, run

DATA = {"sample": None, "hard": write_hard_data, "zeros": write_zeros}
PAGES = {
    "overview": {},
    "text": {},
    "text together": {"together": "true"},
    "entities": {},
    "errors": {"tab": "by kind"},
    "compare": {"trials": "100", "right_by": "status"},
    "links": {},
    "links all": {"links": "all links", "of": "B"},
    "credit": {},
}
ERRORS_OF_DOCUMENTS = (
    *("incorrectly_resolved", "unlinked", "span_errors", "missing_mentions", "spurious_mentions"),
)
_SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in DATA if name != "sample"]
_WRONG = (ONLY_A, ONLY_B, BOTH_WRONG)


@pytest.fixture(params=["sample", *_SLOW])
def _data(request, tmp_path, monkeypatch):
    if write := DATA[request.param]:
        name_files(monkeypatch, *write(tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("_data", ["hard", "zeros"], indirect=True)
@pytest.mark.parametrize("page", PAGES)
def test_a_number_leads_to_as_many_errors_as_it_says(page):
    app = run(view=page.split()[0], **PAGES[page])
    assert_numbers_are_those_of_the_lists(app, html(app))


@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_number_in_the_row_of_a_document_leads_to_as_many(letter):
    app = run(view="documents")
    errors = listed_errors(app.session_state["loaded"], letter)
    app.segmented_control(key="of").set_value(letter).run()
    shown = app.dataframe[0].value
    for column in ERRORS_OF_DOCUMENTS:
        for document, number in zip(shown["document"], shown[column], strict=True):
            found = n_found(errors, documents.counted_errors(document, column))
            assert number == found, (document, column)


def is_sliced(app, by):
    """Whether a link slices the mentions in this way: only a genre that all documents share is not
    offered."""
    box = app.selectbox(key="by_slice")
    is_offered = by in slice_kinds(app.session_state["loaded"].key)
    assert is_offered or by == "genre"
    assert (SLICE_NAMES[by] in box.options) == (box.value == by) == is_offered
    return is_offered


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("by", SLICE_NAMES)
def test_a_number_of_mentions_of_a_slice_and_class_leads_to_as_many(by):
    app = run(view="errors", tab="by kind", by_slice=SLICE_NAMES[by])
    if is_sliced(app, by):
        assert_numbers_are_those_of_the_lists(app, html(app))


@pytest.mark.usefixtures("_data")
def test_a_cell_of_the_charts_of_errors_leads_to_errors_of_its_row_and_column():
    app = run(view="errors", tab="by kind")
    errors = listed_errors(app.session_state["loaded"], "A")
    gains, slices = (json.loads(app.get("plotly_chart")[at].proto.spec) for at in (0, 1))
    for chart, find in ((gains, partial(term, "kind")), (slices, partial(slice_term, "type"))):
        (points,) = (trace for trace in chart["data"] if "customdata" in trace)
        assert {metric for _, metric in points["customdata"]} >= set(METRIC_IDS)
        for name in {name for name, _ in points["customdata"]}:
            assert n_found(errors, find(name)) >= 0


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("by", SLICE_NAMES)
def test_the_mentions_of_a_slice_that_one_system_has_correct_lead_to_the_errors_of_the_other(by):
    app = run(view="compare", trials="100", right_by="status", by_slice=SLICE_NAMES[by])
    if not is_sliced(app, by):
        return
    assert_numbers_are_those_of_the_lists(app, html(app))
    loaded = app.session_state["loaded"]
    a, b = loaded.results.values()
    counts = error_counts(a.compare(b).mentions("lea"), of="outcome", by=by)
    drawn = [json.loads(chart.proto.spec)["data"] for chart in app.get("plotly_chart")]
    points = [point for data in drawn for trace in data for point in trace.get("customdata") or ()]
    parts = [point for point in points if point[0] in counts.index and point[-1] in _WRONG]
    assert len(parts) == len(_WRONG) * counts.any(axis=1).sum()
    errors = {letter: listed_errors(loaded, letter) for letter in "AB"}
    for of, outcome in parts[:4]:
        for letter, find in errors_behind(outcome, slice_term(by, of)):
            assert n_found(errors[letter], find) == counts[outcome][of]


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("direction", ["recall", "precision"])
def test_the_selected_mention_leads_to_its_error(direction):
    app = run(view="errors")
    table = analyses.every_error(app.session_state["loaded"].systems[0])
    lacks = "response_start" if direction == "precision" else "key_entity"
    row = table[table[lacks].notna()].iloc[0]
    start, end = ("start", "end") if direction == "recall" else ("response_start", "response_end")
    app = run(
        view="credit",
        document=row["document"],
        mention=f"{row[start]}-{row[end]}",
        side=direction,
    )
    assert_numbers_are_those_of_the_lists(app, html(app))
    finds = [find for _, find, _ in links_in(html(app)) if find.startswith("id:")]
    assert [row["id"] in find for find in finds] == [True]


def test_the_errors_of_one_mention_that_has_none_are_not_told():
    app = page_of(view="errors")
    system = app.session_state["loaded"].systems[0]
    correct = analyses.mentions(system).query("`class` == 'correct'").iloc[0]
    spans = [(correct["start"], correct["end"])]
    rows = analyses.every_error(system).query("document == @correct.document")
    has_error = ((rows["start"] == spans[0][0]) & (rows["end"] == spans[0][1])).any()
    assert (within_mentions(system, correct["document"], spans) == "") is not has_error
    assert within_mentions(system, "no such document", spans) == ""
