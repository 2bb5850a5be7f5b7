"""The charts of a page under Streamlit's test runner, and the tables that have their numbers."""

import json
import re
from dataclasses import dataclass
from itertools import chain, zip_longest

from dashboard.widgets.charts import AS_TABLE
from tests.support.pages import html, page_of, run

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
    return run(view=view, state=dict.fromkeys(keys, True), **parameters) if keys else app


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
