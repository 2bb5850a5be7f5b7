"""The sandbox's script with what the page Sandbox sends it: chips moved by pointer and keyboard."""

import pytest
from playwright.sync_api import expect

from tests.support.blank import Drawn, param
from tests.support.browser import SETTLED
from tests.support.pages import html, run

pytestmark = pytest.mark.slow

TOY = {"k": "abc.defg", "r": "ab.cd.fghi", "m": "bcub"}


def drawn(page, **parameters):
    return Drawn(page, run(view="sandbox", **(parameters or TOY)), "sandbox")


def in_box(page, name, to):
    return page.locator(f'.response .box[data-to="{to}"] [data-mention="{name}"]')


def response(toy):
    """The response as the app has it now."""
    return toy.app.text_input(key="toy_response").value


def key_of(toy):
    return toy.app.text_input(key="toy_key").value


def drag(page, stop, box):
    """Drag a chip, or the number of an entity, into a box of the response."""
    chip = page.locator(f'[data-stop="response {stop}"]').evaluate(SETTLED)
    place = page.locator(f'.response .box[data-to="{box}"]').evaluate(SETTLED)
    page.mouse.move(chip["x"] + 8, chip["y"] + 8)
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] - 12, place["y"] + place["height"] - 8, steps=4)
    page.mouse.up()


def edits(sent):
    """The edits that were reported last, without their numbers."""
    return [{name: of for name, of in one.items() if name != "number"} for one in sent[-1]["value"]]


def test_a_mention_is_dragged_into_another_entity(blank):
    toy = drawn(blank)
    drag(blank, "d", 2)
    moved = {"do": "move", "side": "response", "mention": "d", "to": ["f", "g", "h", "i"]}
    assert edits(toy.answer()) == [moved]
    expect(in_box(blank, "d", 2)).to_be_visible()
    assert response(toy) == "{a b} {c} {f g h i d}"
    assert param(toy.app, "r") == "ab.c.fghid"
    assert "d–f and d–g are now correct" in html(toy.app)
    expect(blank.locator(".live")).to_contain_text("d–f and d–g are now correct")


def test_chips_and_entities_are_dragged_into_boxes(blank):
    toy = drawn(blank)
    for stop, box, after in (
        ("d", "new", "{a b} {c} {f g h i} {d}"),
        ("d", "missing", "{a b} {c} {f g h i}"),
        ("entity 1", "0", "{a b c d} {f g h i}"),
        ("entity 1", "missing", "{a b} {f g h i}"),
    ):
        drag(blank, stop, box)
        toy.answer()
        assert response(toy) == after
        toy.press("Undo")
        assert response(toy) == "{a b} {c d} {f g h i}"


def test_what_is_dropped_where_it_was_or_nowhere_stays(blank):
    toy = drawn(blank)
    drag(blank, "d", 1)
    expect(blank.locator(".sandbox .note")).to_have_text("d stays where it is.")
    chip = blank.locator('[data-stop="response d"]').bounding_box()
    blank.mouse.move(chip["x"] + 8, chip["y"] + 8)
    blank.mouse.down()
    blank.mouse.move(chip["x"] + 2, 5, steps=4)
    expect(blank.locator(".shade")).to_have_count(1)
    blank.mouse.up()
    expect(blank.locator(".shade")).to_have_count(0)
    drag(blank, "entity 1", "new")
    expect(in_box(blank, "d", 1)).to_be_visible()
    assert toy.is_quiet()


def test_a_mention_is_moved_by_keys_and_each_step_is_said(blank):
    toy = drawn(blank)
    blank.locator('[data-stop="response c"]').focus()
    for key in ("Enter", "ArrowLeft"):
        blank.keyboard.press(key)
    expect(blank.locator(".sandbox .note")).to_contain_text("c to Response entity 1: a, b?")
    blank.keyboard.press("Enter")
    toy.answer()
    expect(in_box(blank, "c", 0)).to_be_focused()
    expect(blank.locator(".live")).to_contain_text("a–c and b–c are now correct")
    assert response(toy) == "{a b c} {d} {f g h i}"
    for key in ("Enter", "ArrowRight", "Escape"):
        blank.keyboard.press(key)
    expect(in_box(blank, "c", 0)).to_be_focused()
    assert toy.is_quiet()


def test_tab_and_arrows_lead_to_a_mention_that_is_moved_by_keyboard_alone(blank):
    toy = drawn(blank)
    stops = blank.locator('.sandbox [data-stop][tabindex="0"]')
    expect(stops).to_have_count(2)  # one on each side
    for _ in range(2):
        blank.keyboard.press("Tab")
    expect(stops.last).to_be_focused()
    chip = blank.locator('[data-stop="response c"]')
    n_stops = blank.locator(".response [data-stop]").count()
    for _ in range(n_stops):
        if chip.evaluate("node => node.getRootNode().activeElement === node"):
            break
        blank.keyboard.press("ArrowRight")
    for key in ("Enter", "ArrowLeft", "Enter"):
        blank.keyboard.press(key)
    toy.answer()
    expect(blank.locator('.response .box[data-to="0"] [data-stop="response c"]')).to_be_focused()
    assert response(toy) == "{a b c} {d} {f g h i}"


def test_entities_are_split_left_out_and_merged_by_their_tools(blank):
    toy = drawn(blank, k="abcd.efg", r="ab.cd.fghi", m="bcub")
    blank.locator(".key .tool").get_by_text("split").first.click()
    toy.answer()
    assert key_of(toy) == "{a b} {c d} {e f g}"
    expect(blank.locator(".key .entity")).to_have_count(3)
    blank.locator(".key .tool").get_by_text("merge").first.click()
    expect(blank.locator(".sandbox .note")).to_contain_text("1 is picked up")
    blank.locator('.key .box[data-to="2"]').click()
    toy.answer()
    assert param(toy.app, "k") == "cd.efgab"
    blank.locator(".response .tool").get_by_text("drop").nth(1).click()
    toy.answer()
    assert response(toy) == "{a b} {f g h i}"


def test_pointing_at_a_mention_lights_up_its_entities(blank):
    toy = drawn(blank)
    in_box(blank, "c", 1).hover()
    lit = {name: blank.locator(f".chip.{name}") for name in ("lit", "kin-key", "kin-response")}
    names = {style: set(chips.locator("b").all_inner_texts()) for style, chips in lit.items()}
    assert names == {"lit": {"c"}, "kin-key": {"a", "b", "c"}, "kin-response": {"c", "d"}}
    assert toy.is_quiet()


THREE_EDITS = """root => {
  const at = (stop) => root.querySelector(`[data-stop="response ${stop}"]`);
  const press = (stop, key) =>
    at(stop).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("entity 2", "s");
  press("c", "Delete");
  press("entity 0", "Delete");
}"""


def test_quick_edits_are_all_applied_once_also_after_undo(blank):
    """Of what is sent while the app is at work, Streamlit passes on the last alone."""
    toy = drawn(blank)
    boxes = blank.locator(".sandbox")
    boxes.evaluate(THREE_EDITS)
    sent = toy.answer(last=True)
    assert [len(one["value"]) for one in sent] == [1, 2, 3]
    assert response(toy) == "{d} {f g} {h i}"
    for before in ("{a b} {d} {f g} {h i}", "{a b} {c d} {f g} {h i}", "{a b} {c d} {f g h i}"):
        toy.press("Undo")
        assert response(toy) == before
    expect(blank.locator(".response .entity")).to_have_count(3)
    boxes.evaluate(THREE_EDITS)
    assert edits(toy.answer(last=True))[0]["do"] == "split"
    assert response(toy) == "{d} {f g} {h i}"
    expect(blank.locator(".response .entity")).to_have_count(3)


def test_edits_that_no_answer_came_to_are_sent_again_by_the_next_boxes(blank):
    """As where another page was turned to before the answer."""
    toy = drawn(blank)
    blank.locator(".sandbox").evaluate(THREE_EDITS)
    assert len(toy.sent()) == 3  # which get lost
    toy.remove()
    toy.draw()
    (sent,) = toy.answer()
    assert [one["do"] for one in sent["value"]] == ["split", "move", "drop"]
    assert response(toy) == "{d} {f g} {h i}"
    blank.locator('[data-stop="response d"]').press("Delete")
    assert [one["do"] for one in toy.answer()[0]["value"]] == ["move"]
    assert response(toy) == "{f g} {h i}"
