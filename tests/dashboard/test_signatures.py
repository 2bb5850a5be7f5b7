"""The line that names the policies: once on every page, with a button that copies it."""

import json
import re
from urllib.parse import parse_qsl

import pytest
from markupsafe import Markup

from corescore.teaching.lesson import LESSON
from dashboard.navigation import _SECTIONS
from tests.support.pages import html, run

PAGES = [entry[0] for section in _SECTIONS.values() for entry in section]
EXERCISE = next(number for number, step in enumerate(LESSON, 1) if step.exercise)
# What a page shows only where its address asks for it.
MORE = (
    "text?document=news_harbour&mention=0-4",
    "credit?metric=BLANC",
    "errors?tab=by+kind",
    "experiments?experiment=moosavi2016-table1",
    "experiments?experiment=conformance",
    "errata?list=Statements",
    "scorers?number=62.74",
    "pitfalls?card=blanc-alpha&revealed=yes",
    f"lesson?step={EXERCISE}",
    "lesson?revealed=yes",
    "metrics?metric=blanc",
)
# The gallery, cards that ask first, and a page that needs a folder of data sets.
WITHOUT_SCORES = {"experiments", "pitfalls", "lesson", "data-sets"}
SIGNED = re.compile(
    r'(?:<p class="note">(?P<of>[^<]*:)</p>\s*)?<p class="signature">(?P<said>[^<]*)</p>'
)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, marks=[pytest.mark.slow] if place == "experiments" else [])
        for place in (*PAGES, *MORE)
    ],
)
def test_the_signature_stands_once_on_a_page(place):
    view, _, query = place.partition("?")
    app = run(view=view, **dict(parse_qsl(query)))
    lines = [(line["of"], Markup(line["said"]).unescape()) for line in SIGNED.finditer(html(app))]
    said = [text for _, text in lines]
    assert len(said) == html(app).count('class="signature"')
    assert bool(said) == (place not in WITHOUT_SCORES)
    assert len(set(said)) == len(said)
    # A second one says what it is of, or where printed figures are from.
    assert sum(not (of or text.startswith("Printed in")) for of, text in lines) <= 1
    assert sorted(copied(app)) == sorted(said)


def copied(app):
    """The texts that buttons of the page copy."""
    drawn = [component.proto for component in app.get("bidi_component")]
    buttons = [json.loads(one.json) for one in drawn if one.component_name == "corescore_copy_link"]
    return [button["text"] for button in buttons if button["text"]]
