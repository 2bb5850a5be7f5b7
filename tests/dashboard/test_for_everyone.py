"""Pages that everybody can read: for a screen reader, with weak eyes, in both themes and widths."""

import re
from itertools import pairwise

import pytest

from tests.support.browser import watched
from tests.support.everyone import LOOK, WIDTHS, looks, open_place

pytestmark = pytest.mark.slow

# With a hyphen for a minus sign; five digits without a comma; thousands set off by something else.
ODD_NUMBERS = re.compile(
    r"(?<![\w.,–-])-\.?\d[\d.,]*|(?<![\d.])\b\d{5,}\b"
    r"|(?<![§\d.])\b\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3})+\b"
)


@pytest.fixture(scope="module")
def seen(chromium, address):
    """What every page looks like."""
    return dict(looks(chromium, address))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave(seen, scheme):
    found = {place: look.violations[scheme] for place, look in seen.items()}
    assert {place: grave for place, grave in found.items() if grave} == {}


def test_tab_leads_to_all_that_can_be_used_and_shows_where_it_is(seen):
    assert {place: look.missed for place, look in seen.items() if look.missed} == {}


def test_no_text_is_smaller_than_twelve_pixels(seen):
    assert {place: look.small for place, look in seen.items() if look.small} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_scrolled_sideways(seen, width):
    assert {place: look.wide[width] for place, look in seen.items() if look.wide[width]} == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_of_a_chart_is_cut_off(seen, width):
    assert {place: look.cut[width] for place, look in seen.items() if look.cut[width]} == {}


def test_no_text_of_a_saved_chart_is_cut_off(chromium, address, seen):
    saved = [(place, picture) for place, look in seen.items() for picture in look.saved]
    n_charts, found = len(saved), []
    with watched(chromium, address) as page:
        for place, picture in saved:
            page.set_content(picture)
            page.evaluate(LOOK)
            found += [f"{place}: {text}" for text in page.evaluate("look.cut('body > svg')")]
    assert n_charts > 20
    assert found == []


def test_numbers_have_one_minus_sign_and_one_separator_of_thousands(seen):
    said = {place: sorted(set(ODD_NUMBERS.findall(look.words))) for place, look in seen.items()}
    assert {place: numbers for place, numbers in said.items() if numbers} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_shades_of_credit_can_be_told_apart_and_read(chromium, address, scheme):
    with watched(chromium, address, scheme=scheme) as page:
        open_place(page, address, "credit")
        samples = page.locator(".scale .sample")
        shades = [_light_of(look) for look in samples.evaluate_all(LOOKS)]
    assert len(shades) == 5
    for one, other in pairwise(shades):
        assert _contrast(one["backgroundColor"], other["backgroundColor"]) > 1.25
    for shade in shades:
        assert _contrast(shade["color"], shade["backgroundColor"]) > 4.5


# The colours of elements as a canvas paints them: red, green and blue, 0 to 255.
LOOKS = """nodes => nodes.map(node => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  const painted = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const { color, backgroundColor } = getComputedStyle(node);
  return { color: painted(color), backgroundColor: painted(backgroundColor) };
})"""


def _light_of(colours):
    return {name: _luminance(colour) for name, colour in colours.items()}


def _luminance(colour):
    """Relative luminance of WCAG 2."""
    parts = [part / 255 for part in colour]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one, other):
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
