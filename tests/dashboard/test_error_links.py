"""Numbers that lead to errors: each is as many as the list that it leads to shows."""

import pytest

from dashboard.views import documents
from tests.support.error_links import (
    assert_numbers_are_those_of_the_lists,
    n_found,
    write_hard_data,
    write_zeros,
)
from tests.support.pages import html, name_files, run

DATA = {"sample": None, "hard": write_hard_data, "zeros": write_zeros}
PAGES = {"overview": {}, "text": {}, "entities": {}, "compare": {"trials": "100"}}
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
