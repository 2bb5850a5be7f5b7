"""Pages that everybody can read: for a screen reader, with weak eyes, in both themes and widths;
states of them that only an address opens; and shades of credit.

One browser looks at all of them, and at what looks the same only once.
"""

from itertools import pairwise

import pytest

from tests.support.browser import turn_to, turn_to_place
from tests.support.everyone import MORE, PAGES, problems, turn_on

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_and_use_a_page(opened, name):
    page, paper = opened
    turn_to(page, name)
    assert problems(page, paper) == {}


@pytest.mark.long
@pytest.mark.parametrize("place", MORE)
def test_everybody_can_read_and_use_a_state(opened, place):
    page, paper = opened
    turn_to_place(page, place)
    assert problems(page, paper) == {}


def test_shades_of_credit_can_be_told_apart_and_read(opened):
    page, _ = opened
    turn_to(page, "Credit")
    for scheme in ("light", "dark"):
        turn_on(page, scheme)
        _expect_shades(page.locator(".scale .sample").evaluate_all(LOOKS))


def _expect_shades(looks):
    shades = [_light_of(look) for look in looks]
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
