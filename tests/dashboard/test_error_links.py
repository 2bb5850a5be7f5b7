"""Numbers that lead to errors: each is as many as the list that it leads to shows."""

import pytest

from tests.support.error_links import (
    assert_numbers_are_those_of_the_lists,
    write_hard_data,
    write_zeros,
)
from tests.support.pages import html, name_files, run

DATA = {"sample": None, "hard": write_hard_data, "zeros": write_zeros}
PAGES = {"overview": {}}


@pytest.fixture(params=DATA)
def _data(request, tmp_path, monkeypatch):
    if write := DATA[request.param]:
        name_files(monkeypatch, *write(tmp_path))


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("view", PAGES)
def test_a_number_leads_to_as_many_errors_as_it_says(view):
    app = run(view=view, **PAGES[view])
    assert_numbers_are_those_of_the_lists(app, html(app))
