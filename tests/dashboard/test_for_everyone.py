"""Pages that everybody can read: for a screen reader, with weak eyes, in both themes and widths."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.support.browser import watched
from tests.support.everyone import (
    MOST_STOPS,
    PLACES,
    looks,
    open_place,
    wait_until_drawn,
    walk_by_keyboard,
)

pytestmark = pytest.mark.slow

# With a hyphen for a minus sign; five digits without a comma; thousands set off by something else.
ODD_NUMBERS = re.compile(
    r"(?<![\w.,–-])-\.?\d[\d.,]*|(?<![\d.])\b\d{5,}\b"
    r"|(?<![§\d.])\b\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3})+\b"
)


@pytest.fixture(scope="module", params=["light", "dark"])
def seen(request, chromium, address):
    """What every page looks like, in one theme."""
    with watched(chromium, address, scheme=request.param) as page:
        return dict(looks(page, address))


def test_axe_finds_nothing_grave(seen):
    assert {place: look.violations for place, look in seen.items() if look.violations} == {}


def test_no_text_is_smaller_than_twelve_pixels(seen):
    assert {place: look.small for place, look in seen.items() if look.small} == {}


@pytest.mark.parametrize("width", [1440, 1024])
def test_nothing_is_scrolled_sideways(seen, width):
    assert {place: look.wide[width] for place, look in seen.items() if look.wide[width]} == {}


def test_numbers_have_one_minus_sign_and_one_separator_of_thousands(seen):
    said = {place: sorted(set(ODD_NUMBERS.findall(look.words))) for place, look in seen.items()}
    assert {place: numbers for place, numbers in said.items() if numbers} == {}


def test_tab_leads_to_all_that_can_be_used_and_shows_where_it_is(page, address):
    missed = {}
    for place in PLACES:
        open_place(page, address, place)
        missed[place] = walk_by_keyboard(page)
    assert {place: what for place, what in missed.items() if what} == {}


def tab_to(page, locator):
    """Press Tab until the element has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if locator.evaluate("node => node.getRootNode().activeElement === node"):
            return
    raise AssertionError(f"Tab does not lead to {locator}")


def test_an_error_is_found_and_read_on_text_by_keyboard_alone(page, address):
    open_place(page, address, "overview")
    tab_to(page, page.get_by_test_id("stSidebarNav").get_by_role("link", name="Text", exact=True))
    page.keyboard.press("Enter")
    page.locator(".line .label").first.wait_for()
    wait_until_drawn(page)
    tab_to(page, page.get_by_role("button", name="Next error"))
    page.keyboard.press("Enter")
    expect(page.locator(".chain")).to_have_count(2)
    expect(page.locator(".line .label.lit")).to_be_focused()
    expect(page).to_have_url(re.compile("mention="))
    page.keyboard.press("Escape")
    expect(page.locator(".chain")).to_have_count(0)


def test_a_chart_is_read_as_a_table_by_keyboard_alone(page, address):
    open_place(page, address, "errors?tab=by+kind")
    tab_to(page, page.locator("summary", has_text="As a table").first)
    page.keyboard.press("Enter")
    table = page.get_by_test_id("stDataFrame").filter(has_text="span errors")
    tab_to(page, table.locator("canvas").first)
    expect(table.locator("[role=grid]")).to_contain_text("conflated entities")


def test_a_mention_is_moved_in_the_sandbox_by_keyboard_alone(page, address):
    open_place(page, address, "sandbox?k=abc.defg&r=ab.cd.fghi&m=bcub")
    tab_to(page, page.locator('.response [data-stop][tabindex="0"]'))
    chip = page.locator('[data-stop="response c"]')
    while chip.evaluate("node => node.getRootNode().activeElement !== node"):
        page.keyboard.press("ArrowRight")
    for key in ("Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator('.response .box[data-to="0"] [data-stop="response c"]')).to_be_focused()
    expect(page.get_by_label("Response as text", exact=True)).to_have_value("{a b c} {d} {f g h i}")


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
