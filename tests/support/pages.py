"""Pages of the dashboard under Streamlit's test runner, their charts, and clicks on them."""

import json
import os
import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import chain, zip_longest
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from corescore.analysis.error_table.query import matching, parse
from dashboard import launch
from dashboard.session import analyses
from dashboard.session.access import DATA_SETS_VARIABLE, FILES_VARIABLE, GENRES_VARIABLE
from dashboard.session.url_names import SETTINGS, VIEWS
from dashboard.views import two_systems, two_systems_argument
from dashboard.widgets.charts import AS_TABLE

# Pages of the dashboard under Streamlit's test runner, and the small files they are given ---------

APP = Path(launch.__file__).with_name("app.py")
KEY = b"#begin document (d); part 000\nd\t0\t0\tShe\t(1)\nd\t0\t1\tslept\t-\n\n#end document\n"
RESPONSE = KEY.replace(b"(1)", b"(7)")
BAD = b"#begin document (d)\nx\n"
GIVEN = {FILES_VARIABLE, DATA_SETS_VARIABLE, GENRES_VARIABLE}  # what the command line names
NEAR = 100  # characters from one part of a sentence to the next
QUICK = "text"  # a page that is soon drawn, for tests of what all pages share
REPEATS = tuple(SETTINGS["repeats"].options[name] for name in ("first", "all"))  # as in a URL
SESSION = "test session id"  # of Streamlit's test runner
PARTS = {  # of Two systems, below its first sentence
    "argument": (two_systems_argument, "show"),
    "scores": (two_systems, "show_scores"),
    "strip": (two_systems, "show_strip"),
    "examples": (two_systems, "show_examples"),
    "documents": (two_systems, "show_documents"),
    "mentions": (two_systems, "show_mentions"),
    "unequal": (two_systems, "show_most_unequal"),
    "errors": (two_systems, "show_errors"),
}


def run(view="overview", *, state=(), parts=tuple(PARTS), **parameters):
    """The app on a page, opened with these query parameters, its session in this state; each time
    it runs it has no exception, and of Two systems only these parts are drawn."""
    assert set(parts) <= set(PARTS)
    if set(parts) <= {"mentions", "unequal", "errors"}:
        parameters.setdefault("compared", "mentions and errors")
    app = AppTest.from_file(APP, default_timeout=120)
    whole, left_out = app._run, set(PARTS) - set(parts)

    def without_exception(*given, **named):
        with pytest.MonkeyPatch.context() as patch:
            for part in left_out:
                patch.setattr(*PARTS[part], lambda *_: None)
            drawn = whole(*given, **named)
        assert not drawn.exception
        return drawn

    app._run = without_exception
    for key, value in dict(state).items():
        app.session_state[key] = value
    app.query_params.update(parameters)
    return open_page(app, view)


def page_of(view="overview", **parameters):
    """The same on the sample data, opened once per process, for tests that only look at the page:
    it refuses to run again."""
    assert not GIVEN & os.environ.keys()
    lists = {name: tuple(of) if isinstance(of, list) else of for name, of in parameters.items()}
    return _opened(view, tuple(sorted(lists.items())))


@cache
def _opened(view, parameters):
    app = run(view, **dict(parameters))
    app._run = _refuse
    return app


def _refuse(*_, **__):
    raise AssertionError("other tests look at this page; to act on a page, open it with run()")


def open_page(app, view):
    """Turn to another page, or to a view of one by its former path; `AppTest.switch_page` knows
    only pages that are files."""
    path, selects, chosen = VIEWS.get(view, (view, "", ""))
    if selects:
        app.query_params[selects] = chosen
    app._page_hash = calc_hash(path)
    return app.run()


def upload(app, key, *responses):
    """Put files, each a name and its content, into the boxes of the sidebar."""
    app.file_uploader(key="key_file").upload(*key)
    named = [(*response, "text/plain") for response in responses]
    return app.file_uploader(key="response_files").set_value(named).run()


def html_as_sent(app):
    """The HTML of a page."""
    return "\n".join(element.proto.body for element in app.get("html"))


def html(app):
    """The same, its no-break spaces as spaces."""
    return html_as_sent(app).replace("\u00a0", " ")


def loaded_in(app):
    """The files and results that the app shows."""
    return app.session_state["loaded"]


def sent_to(app, component):
    """What the app sends each script of a component."""
    drawn = [one.proto for one in app.get("bidi_component")]
    return [json.loads(one.json) for one in drawn if one.component_name == f"corescore_{component}"]


def turn(app, beginning, number):
    """Turn to the part of this number, of what has a setting whose key begins so."""
    (key,) = (key for key in app.session_state if str(key).startswith(beginning))
    app.session_state[key] = number
    return app.run()


def plain(text):
    """HTML as it is read."""
    return re.sub("<[^>]+>", " ", re.sub(r"<(style|script).*?</\1>", "", text, flags=re.DOTALL))


def reads(text, *parts):
    """Whether a text has these names and numbers, each whole, in this order and near each other."""
    whole = (rf"(?<![\w])(?<!\d[.,]){re.escape(str(part))}(?!\w|[.,]\d)" for part in parts)
    return re.search(f".{{0,{NEAR}}}?".join(whole), text, re.DOTALL) is not None


def headlines(app):
    """The sentences that stand over a page and its parts."""
    return re.findall(r'<p class="headline">(.*?)</p>', html(app), re.DOTALL)


def name_files(monkeypatch, *paths):
    """Name these files as the command line does."""
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(list(map(str, paths))))


def give(monkeypatch, tmp_path, **files):
    """Write files and name them as the command line does."""
    paths = [tmp_path / name.replace("_", ".") for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content)
    name_files(monkeypatch, *paths)


# The charts of a page under Streamlit's test runner, and the tables that have their ---------------

TWO_DECIMALS = re.compile(r"\d[\d,]*\.\d\d(?!\d)")
NAMED = re.compile(rf" {AS_TABLE}: (.+)\.$")


@dataclass(frozen=True)
class Drawn:
    """A chart of a page: what it is described as, and what it tells when it is pointed at.

    has_box  whether the box with its table is the next thing on the page
    named    what its table is called, where that stands elsewhere
    """

    alt: str
    told: tuple[str, ...]
    has_box: bool
    named: str


def charts(app):
    """Every chart that is shown, with the way to its table."""
    return [
        _chart(child.proto, following)
        for block in _blocks(app.main)
        for child, following in _in_pairs(block)
        if child.type == "plotly_chart" and child.key != "nothing"
    ]


def _chart(proto, following):
    named = NAMED.search(proto.alt)
    traces = json.loads(proto.spec)["data"]
    told = [_texts(trace.get(name)) for trace in traces for name in ("hovertext", "text")]
    has_box = getattr(following, "label", "") == AS_TABLE
    return Drawn(proto.alt, tuple(chain(*told)), has_box, named[1] if named else "")


def _texts(values):
    if isinstance(values, str):
        yield values
    elif isinstance(values, list):
        yield from chain(*map(_texts, values))


def _blocks(block):
    yield block
    for child in getattr(block, "children", {}).values():
        yield from _blocks(child)


def _in_pairs(block):
    children = list(getattr(block, "children", {}).values())
    return zip_longest(children, children[1:])


def boxes(app):
    """The boxes with the tables of charts."""
    return [box for box in app.expander if box.label == AS_TABLE]


def open_tables(app):
    """Open them all."""
    for key in _keys(app):
        app.session_state[key] = True
    return app.run()


def with_open_tables(view, **parameters):
    """A page of the sample data as `page_of` opens it, but with the tables of its charts."""
    app = page_of(view, **parameters)
    keys = _keys(app)
    return run(view, state=dict.fromkeys(keys, True), **parameters) if keys else app


def _keys(app):
    return [box.proto.id.split("-", 2)[2] for box in boxes(app)]


def names(app):
    """What the tables of a page are called: headings, captions, descriptions, boxes."""
    headings = [heading.value for heading in app.header]
    captions = re.findall(r"<caption>(.*?)</caption>", html(app))
    described = [element.proto.alt for element in app.dataframe]
    return [*headings, *captions, *described, *(box.label for box in app.expander)]


def numbers_told(drawn):
    """Those with two decimals that a chart tells."""
    return {_number(found) for text in drawn.told for found in TWO_DECIMALS.findall(text)}


def numbers_in_tables(app):
    """Those of the page's tables, without their sign."""
    of_page = re.findall(r"<table.*?</table>", html(app), re.DOTALL)
    written = {_number(found) for table in of_page for found in TWO_DECIMALS.findall(table)}
    frames = [element.value.select_dtypes("number") for element in app.dataframe]
    return written | {abs(value) for frame in frames for value in frame.to_numpy().ravel().tolist()}


def _number(written):
    return float(written.replace(",", ""))


# Clicks on tables and charts under Streamlit's test runner, as the browser reports them, ----------

_NOTHING = {"rows": [], "columns": [], "cells": []}


def click_cell(app, table, row, column):
    """Click a cell of the table of this key; the app as it is drawn then."""
    return _select(app, _table(app, table), {**_NOTHING, "cells": [(row, column)]})


def click_head(app, table, column):
    """Click a column's head."""
    return _select(app, _table(app, table), {**_NOTHING, "columns": [column]})


def click_point(app, chart, stands_for):
    """Click a point of the chart of this key: `stands_for` is its `customdata`."""
    return _select(app, _chart_of_clicks(app, chart), {"points": [{"customdata": stands_for}]})


def rows(app, table):
    """The rows that the table of this key shows."""
    return _table(app, table).value


def drawn(app, chart):
    """What the chart of this key draws."""
    return json.loads(_chart_of_clicks(app, chart).proto.spec)


def _select(app, element, selection):
    states = app._tree.get_widget_states()
    told = json.dumps({"selection": selection})
    states.widgets.add(id=element.proto.id, string_value=told)
    return app._run(states)


def _table(app, key):
    return _only(app.dataframe, key)


def _chart_of_clicks(app, key):
    return _only(app.get("plotly_chart"), key)


def _only(elements, key):
    (found,) = (one for one in elements if one.key == key)
    return found


def links(app):
    """The page and the query that each link names, by what it says."""
    return {
        link.proto.label.replace("\\", ""): (
            link.proto.page,
            {name: value for name, (value,) in parse_qs(link.proto.query_string).items()},
        )
        for link in app.get("page_link")
    }


def headed(app, table):
    """The rows that the table of this key shows, each column under the head that it has there."""
    element = _table(app, table)
    columns = json.loads(element.proto.columns)
    heads = {name: column.get("label") or name for name, column in columns.items()}
    return element.value.rename(columns=heads)


# The links from numbers to the errors they count --------------------------------------------------

_LINK = re.compile(r'<a class="rows" href="errors\?([^"]*)">(.*?)</a>', re.DOTALL)
_NUMBER = re.compile(r"[0-9][0-9,]*")


def links_in(shown):
    """(number, query, letter) of each link to errors whose text begins with a number; a link that
    does not list correct mentions that fixes only move asks for those of any other class."""
    asked = (_asked(url, re.sub("<[^>]*>", "", text)) for url, text in _LINK.findall(shown))
    return [one for one in asked if one]


def _asked(url, text):
    query = parse_qs(unescape(url), keep_blank_values=True)
    number, find = _NUMBER.match(text), query["find"][0]
    if query.get("moved") != ["true"] and "class:" not in find:
        find = f"{find} -class:correct"
    return number and (int(number[0].replace(",", "")), find, query["of"][0][0])


def n_found(errors, find):
    """How many of the errors that a system has the list shows."""
    return int(matching(parse(find), errors).sum())


def listed_errors(app, letter):
    """The errors of a system as the list has them, with their classes in the other system."""
    return analyses.every_error(loaded_in(app).beside_other(letter))


def assert_numbers_are_those_of_the_lists(app):
    """Every number on the page that leads to errors leads to as many; at least one does."""
    found = [
        (number, find, letter, n_found(listed_errors(app, letter), find))
        for number, find, letter in links_in(html(app))
    ]
    assert found
    assert [one for one in found if one[0] != one[3]] == []
