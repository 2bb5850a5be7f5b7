"""Every page, and what a page shows only if its link asks for it: each is opened once, and tests
look at it for what holds everywhere."""

import json
import re
from urllib.parse import parse_qsl

import pytest
from markupsafe import Markup

from corescore.teaching.exercises import LESSON
from dashboard.navigation import _SECTIONS
from dashboard.widgets.charts import AS_TABLE
from tests.support.charts import (
    boxes,
    charts,
    names,
    numbers_in_tables,
    numbers_told,
    with_open_tables,
)
from tests.support.error_links import assert_numbers_are_those_of_the_lists, links_in
from tests.support.pages import html, page_of

PAGES = [entry[0] for section in _SECTIONS.values() for entry in section]
EXERCISE = next(number for number, step in enumerate(LESSON, 1) if step.exercise)
PLACES = (
    *PAGES,
    "documents?across=distribution",
    "text?document=news_harbour&mention=0-4",
    "text?together=true",
    "credit?metric=BLANC",
    "credit?metric=CEAFₑ",
    "links?links=all+links&of=B",
    "errors?tab=by+kind",
    "errors?tab=by+kind&gain_in=recall&mended=share",
    "perturb?do=more-precise&seeds=1",
    "experiments?experiment=moosavi2016-fig2",
    "experiments?experiment=moosavi2016-table1",
    "experiments?experiment=conformance",
    "errata?list=Statements",
    "compare?trials=100&right_by=status",
    "scorers?number=62.74",
    "pitfalls?card=blanc-alpha&revealed=yes",
    f"lesson?step={EXERCISE}",
    "lesson?revealed=yes",
    "metrics?metric=blanc",
)
# The gallery, cards that ask first, and a page that needs a folder of data sets.
WITHOUT_SCORES = {"experiments", "pitfalls", "lesson", "data-sets"}
OF_ERRORS = {
    *("overview", "text", "text?together=true", "credit", "entities", "links"),
    *("links?links=all+links&of=B", "errors?tab=by+kind", "compare?trials=100&right_by=status"),
}
ALL_EXPERIMENTS = {"experiments", "errata?list=Statements"}  # take seconds
ROUNDING = 0.006
# A blank before "%" but in a heading, four digits that count after a point but in an equation,
# 10000 without a comma
UNUSUAL = re.compile(
    r".{0,30}(?:(?<!F)\d[ \u00a0]%|(?<!=)[−+ ]\d*\.\d*[1-9]\d{3}(?!\d)|(?<![#.\w])[1-9]\d{4,}\b)"
    r".{0,12}"
)
BOXES = ("selectbox", "segmented_control", "multiselect", "number_input", "toggle", "slider")
SIGNED = re.compile(
    r'(?:<p class="note">(?P<of>[^<]*:)</p>\s*)?<p class="signature">(?P<said>[^<]*)</p>'
)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(place, marks=[pytest.mark.slow] if place in ALL_EXPERIMENTS else [])
        for place in PLACES
    ],
)
def place(request):
    return request.param


@pytest.fixture
def link(place):
    view, _, query = place.partition("?")
    return {"view": view, **dict(parse_qsl(query))}


@pytest.fixture
def app(link):
    return page_of(**link)


def test_the_signature_stands_once_on_a_page(place, app):
    lines = [(line["of"], Markup(line["said"]).unescape()) for line in SIGNED.finditer(html(app))]
    said = [text for _, text in lines]
    assert len(said) == html(app).count('class="signature"')
    assert bool(said) == (place not in WITHOUT_SCORES)
    assert len(set(said)) == len(said)
    # A second one says what it is of, or where printed figures are from.
    assert sum(not (of or text.startswith("Printed in")) for of, text in lines) <= 1
    assert sorted(copied(app)) == sorted(said)


def test_percent_is_written_without_a_blank_and_points_with_two_decimals(app):
    told = [plain(html(app)), *texts_in(one.proto.spec for one in app.get("plotly_chart"))]
    told += texts_in(one.proto.json for one in app.get("bidi_component"))
    told += [str(getattr(one, "help", "")) for kind in BOXES for one in app.get(kind)]
    wrong = [one for text in told for one in UNUSUAL.findall(text)]
    assert wrong == []


def plain(text):
    """HTML as it is read."""
    return re.sub("<[^>]+>", " ", re.sub(r"<(style|script).*?</\1>", "", text, flags=re.DOTALL))


def texts_in(records):
    """The strings of records in JSON."""
    for record in filter(None, records):
        yield from strings(json.loads(record))


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def copied(app):
    """The texts that buttons of the page copy."""
    drawn = [component.proto for component in app.get("bidi_component")]
    buttons = [json.loads(one.json) for one in drawn if one.component_name == "corescore_copy_link"]
    return [button["text"] for button in buttons if button["text"]]


def test_every_chart_has_its_table_on_the_page(app, link):
    opened = with_open_tables(**link)
    assert len(opened.dataframe) == len(app.dataframe) + len(boxes(app))
    tables = [one.value for one in opened.dataframe if one.proto.alt.startswith(AS_TABLE)]
    assert all(len(table) for table in tables)
    known = sorted(numbers_in_tables(opened))
    for one in charts(opened):
        assert one.has_box or any(
            one.named and name.startswith(one.named) for name in names(opened)
        )
        missing = [n for n in numbers_told(one) if not any(abs(n - k) < ROUNDING for k in known)]
        assert not missing, (one.alt, missing)


def test_a_number_leads_to_as_many_errors_as_it_says(place, app):
    if place in OF_ERRORS or links_in(html(app)):
        assert_numbers_are_those_of_the_lists(app, html(app))
