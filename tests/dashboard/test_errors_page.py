"""The page Errors: its counts, their links, and spans."""

import json
import re
from functools import partial

import pytest

from corescore.analysis.error_table.facets import term
from corescore.analysis.error_table.query import parse
from corescore.analysis.errors.classes import SLICES, slice_kinds
from corescore.metrics import METRIC_IDS
from corescore.sentences import errors as sentences
from corescore.sentences.names import SLICE_NAMES
from dashboard.session import analyses
from dashboard.views import documents
from dashboard.widgets.error_counts import (
    MOST_ASKED,
    slice_term,
    within_entities,
    within_mentions,
)
from tests.support import shell
from tests.support.acts import choose, says
from tests.support.errors import write_hard_data, write_zeros
from tests.support.pages import (
    KEY,
    REPEATS,
    RESPONSE,
    assert_numbers_are_those_of_the_lists,
    drawn,
    headlines,
    html,
    links_in,
    listed_errors,
    loaded_in,
    n_found,
    name_files,
    page_of,
    plain,
    reads,
    run,
)
from tests.support.samples import SAMPLE

# The Errors page: what fixing is worth, the errors one by one, and the way to the text ------------

ERRORS, BY_KIND = "errors", "by kind"
NO_CHANGE = "Fixing the errors of A (response) would change no score."


@pytest.mark.slow
@pytest.mark.parametrize(
    "mended, b",
    [*((one, "greedy.conll") for one in ("alone", "in order", "last", "share")), ("last", "none")],
)
def test_the_page_says_what_to_mend_first(mended, b):
    app = page_of(ERRORS, tab=BY_KIND, b=b, mended=mended)
    assert app.session_state["mended"] == mended
    assert says(app, "divided entities alone", "A (cautious) most")
    assert ("For B (greedy)" in html(app)) == (b != "none")


@pytest.mark.parametrize(
    "mention, row",
    [
        ("15-19", "news_orchard:15-19:k"),  # which the response lacks
        ("188-189", "news_orchard:188-196:b"),  # the response's span
        ("37-39", ""),  # one without an error
    ],
)
def test_the_row_of_a_mention_selected_elsewhere_is_open_if_there_is_one(mention, row):
    app = page_of(ERRORS, document="news_orchard", mention=mention)
    assert app.session_state["errors_asked"].row == row
    assert app.query_params["mention"] == mention


@pytest.mark.parametrize(
    "old",
    [{"mended": "last"}, {"gain_in": "recall"}, {"by_slice": "length"}, {"towards": "precision"}],
    ids=lambda old: next(iter(old)),
)
def test_links_that_are_older_than_the_list_open_the_charts_that_they_selected(old):
    app = page_of(ERRORS, **old)
    (name, value), *_ = old.items()
    assert reads(headlines(app)[0], "divided entities alone", "A (cautious)")
    assert app.session_state["tab"] == BY_KIND
    assert app.session_state[name] == value


def test_a_link_to_the_former_tab_of_types_opens_them_below_the_kinds_with_what_it_selects():
    app = page_of(ERRORS, tab="by type", by_slice="genre", towards="precision")
    assert app.session_state["tab"] == BY_KIND
    assert BY_KIND in app.query_params["tab"]
    chart = drawn(app, "slice_credit")
    (told,) = [words for words in headlines(app) if "precision" in words]
    genres = {name for trace in chart["data"] for name, _ in trace.get("customdata", ())}
    assert {"news", "story"} <= genres
    assert any(genre in told for genre in genres)


def test_the_list_stays_open_where_a_chart_was_set_before():
    app = run(ERRORS, mended="last")
    app.session_state["tab"] = "one by one"
    app.run()
    assert reads(headlines(app)[0], "mentions with errors", "single fix")


def test_a_link_to_errors_opens_the_list_where_the_charts_were_shown_before():
    app = run(ERRORS, tab=BY_KIND)
    del app.query_params["tab"]
    app.query_params["find"] = "class:missing"
    app.session_state["page"] = "Text"  # from where the link leads
    app.run()
    assert reads(headlines(app)[0], "match", "single fix")


@pytest.mark.slow
def test_every_slice_is_shown():
    app = run(ERRORS, tab=BY_KIND)
    for by in SLICES:
        choose(app, "by_slice", by)


@pytest.mark.slow
@pytest.mark.parametrize(
    "key, response, first, both",
    [
        (b"{a b} {c}", b"{b c} {d}", *["Fixing missing mentions alone would help A"] * 2),
        (KEY.replace(b"(1)", b"-"), KEY.replace(b"(1)", b"-"), NO_CHANGE, NO_CHANGE),
        (KEY, RESPONSE, NO_CHANGE, NO_CHANGE),
        (KEY, KEY.replace(b"(1)", b"(1)|(2)"), NO_CHANGE, sentences.REPEATED),
    ],
    ids=["notation", "no mention", "all correct", "a repeat"],
)
def test_odd_data(key, response, first, both, give):
    give(key_txt=key, response_txt=response)
    for repeats, said in zip(REPEATS, (first, both), strict=True):
        assert headlines(run(ERRORS, tab=BY_KIND, repeats=repeats))[0].startswith(said)


@pytest.mark.parametrize(
    "kind, query",
    [
        ("divided entities", 'kind:"divided entity"'),
        ("incorrectly resolved mentions", 'class:"incorrectly resolved"'),
    ],
)
def test_a_link_to_the_former_table_of_a_kind_lists_its_mentions(kind, query):
    app = page_of(ERRORS, tab=BY_KIND, kind=kind)
    asked = app.session_state["errors_asked"].find
    assert parse(asked) == parse(query)
    assert reads(headlines(app)[0], "match", "single fix")
    assert {"tab", "kind"}.isdisjoint(app.query_params)


# Queries behind the counts of errors, and one word for each count in all places -------------------

FILES = [str(SAMPLE / f"{name}.conll") for name in ("key", "cautious")]
_COUNT = re.compile(r"\b(\d[\d,]*) (mentions? with errors|mentions with [a-z]+|errors?)\b")


def counts(text):
    """Every number of errors in a text, with the word after it."""
    words = " ".join(plain(text).split())
    return {(int(n.replace(",", "")), word) for n, word in _COUNT.findall(words)}


@pytest.mark.slow
def test_a_number_of_errors_has_the_same_word_everywhere(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")  # no cell is broken
    report, files = tmp_path / "report.html", " ".join(FILES)
    shell.printed(f"report {files} --sections errors --out {report}")
    places = {
        "report": report.read_text(encoding="utf-8"),
        "kinds in the shell": shell.printed(f"errors {files}"),
        "list in the shell": shell.printed(f"errors {files} --query ''"),
        "one by one": headlines(page_of("errors"))[0],
        "by kind": html(page_of("errors", tab="by kind")),
    }
    found = {place: counts(text) for place, text in places.items()}
    errors, mentions = (1086, "errors"), (978, "mentions with errors")
    assert found == {
        "report": {errors, mentions},
        "kinds in the shell": {errors},
        "list in the shell": {mentions},
        "one by one": {mentions},
        "by kind": {errors, mentions},
    }


def test_entities_are_asked_for_by_their_numbers_unless_they_are_too_many():
    assert within_entities("d", [1, 4], [2]) == "doc:d (entity:1,4 or entity.response:2)"
    assert within_entities("d", [], [2]) == "doc:d entity.response:2"
    assert within_entities("d", [], []) == within_entities("d", [*range(MOST_ASKED)], [1]) == ""


def test_a_single_error_of_the_selected_mention_is_one_error():
    text = html(page_of("credit", document="news_harbour", mention="0-4"))
    assert "1 error of the selected mention" in text


# Numbers that lead to errors: each is as many as the list that it leads to shows ------------------

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


@pytest.fixture(params=["sample", *_SLOW])
def _data(request, tmp_path, monkeypatch):
    if write := DATA[request.param]:
        name_files(monkeypatch, *write(tmp_path))


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("_data", ["hard", "zeros"], indirect=True)
@pytest.mark.parametrize("page", PAGES)
def test_a_number_leads_to_as_many_errors_as_it_says(page):
    app = run(page.split()[0], **PAGES[page])
    assert_numbers_are_those_of_the_lists(app)


@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_number_in_the_row_of_a_document_leads_to_as_many(letter):
    app = run("documents", show="errors")
    errors = listed_errors(app, letter)
    choose(app, "of", letter)
    shown = app.dataframe[0].value
    for column in ERRORS_OF_DOCUMENTS:
        for document, number in zip(shown["document"], shown[column], strict=True):
            found = n_found(errors, documents.counted_errors(document, column))
            assert number == found, (document, column)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("by", SLICE_NAMES)
def test_a_number_of_mentions_of_a_slice_and_class_leads_to_as_many(by):
    app = run("errors", tab="by kind", by_slice=SLICE_NAMES[by])
    box = app.selectbox(key="by_slice")
    # Only a genre that all documents share is not offered
    is_offered = by in slice_kinds(loaded_in(app).key)
    assert is_offered or by == "genre"
    assert (SLICE_NAMES[by] in box.options) == (box.value == by) == is_offered
    assert_numbers_are_those_of_the_lists(app)


@pytest.mark.usefixtures("_data")
def test_a_cell_of_the_charts_of_errors_leads_to_errors_of_its_row_and_column():
    app = run("errors", tab="by kind")
    errors = listed_errors(app, "A")
    gains, slices = (json.loads(chart.proto.spec) for chart in app.get("plotly_chart"))
    for chart, find in ((gains, partial(term, "kind")), (slices, partial(slice_term, "type"))):
        (points,) = (trace for trace in chart["data"] if "customdata" in trace)
        assert {metric for _, metric in points["customdata"]} >= set(METRIC_IDS)
        for name in {name for name, _ in points["customdata"]}:
            assert n_found(errors, find(name)) >= 0


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("direction", ["recall", "precision"])
def test_the_selected_mention_leads_to_its_error(direction):
    app = run("errors")
    table = analyses.every_error(loaded_in(app).systems[0])
    lacks = "response_start" if direction == "precision" else "key_entity"
    row = table[table[lacks].notna()].iloc[0]
    start, end = ("start", "end") if direction == "recall" else ("response_start", "response_end")
    app = run(
        "credit",
        document=row["document"],
        mention=f"{row[start]}-{row[end]}",
        side=direction,
    )
    assert_numbers_are_those_of_the_lists(app)
    finds = [find for _, find, _ in links_in(html(app)) if find.startswith("id:")]
    assert [row["id"] in find for find in finds] == [True]


def test_the_errors_of_one_mention_that_has_none_are_not_told():
    app = page_of("errors")
    system = loaded_in(app).systems[0]
    correct = analyses.mentions(system).query("`class` == 'correct'").iloc[0]
    spans = [(correct["start"], correct["end"])]
    rows = analyses.every_error(system).query("document == @correct.document")
    has_error = ((rows["start"] == spans[0][0]) & (rows["end"] == spans[0][1])).any()
    assert (within_mentions(system, correct["document"], spans) == "") is not has_error
    assert within_mentions(system, "no such document", spans) == ""


def test_each_part_of_the_bar_of_classes_leads_where_its_number_leads():
    shown = html(page_of("overview"))
    parts = re.findall(r'<a class="rows [\w-]+" href="([^"]*)" style.*? the ([\d,]+) ', shown)
    counts = re.findall(r'<a class="rows" href="([^"]*)">([\d,]+)<', shown)
    assert len(parts) == 2 * 5  # of two responses; a correct mention has no row
    assert {*parts} <= {*counts}
