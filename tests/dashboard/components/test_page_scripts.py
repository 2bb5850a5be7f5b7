"""The scripts of pages: what they copy, keep and press; panels of Credit, boxes of the sandbox."""

import re
from fractions import Fraction

import pytest
from playwright.sync_api import expect

from corescore.analysis.explain import share_table
from corescore.metrics import METRICS
from corescore.rendering.html import windows
from dashboard.views.credit import WINDOW
from tests.dashboard.test_credit_page import SIX, VIEW, wrong_mentions
from tests.support.browser import ADDRESS, SETTLED, THREE_EDITS, Drawn, drag_into, param
from tests.support.pages import QUICK, html, page_of, run

# The small scripts of every page: what they copy, keep, follow and press --------------------------


def test_keys_press_the_buttons_of_a_card_one_after_another(blank):
    """Each key waits until the page was drawn after the one before; where none is left, a key that
    was pressed does nothing."""
    keys = Drawn(blank, run("lesson", step="0"), "presenter")
    expect(blank.locator(".keys")).to_have_text(keys.data["hint"])
    blank.evaluate(BUTTONS, ["card_forward", "card_back", "choose_b"])
    for key in ("ArrowRight", "b", "ArrowLeft", "PageDown"):
        blank.keyboard.press(key)
    pressed = ["card_forward"]
    expect_pressed(blank, pressed)
    for name in ("choose_b", "card_back"):  # a page without "Leave" leaves Page Down to scrolling
        blank.evaluate(DRAWN_AGAIN, [keys.component, keys.data])
        pressed.append(name)
        expect_pressed(blank, pressed)
    keys.remove()
    blank.keyboard.press("ArrowRight")
    expect_pressed(blank, pressed)


BUTTONS = """names => {
  globalThis.pressed = [];
  for (const name of names) {
    const place = document.createElement("div");
    place.className = `st-key-${name}`;
    place.innerHTML = "<button>button</button>";
    place.addEventListener("click", () => pressed.push(name));
    document.querySelector("main").append(place);
  }
}"""
DRAWN_AGAIN = """([name, data]) => {
  const again = { ...data, times: (globalThis.times = (globalThis.times ?? data.times) + 1) };
  return blank.draw(name, { js: Object.keys(blank.modules)[0], data: JSON.stringify(again) });
}"""


def expect_pressed(page, names):
    page.wait_for_function("n => pressed.length >= n", arg=len(names))
    assert page.evaluate("pressed") == names


def test_a_number_leads_to_its_errors_within_the_session(blank):
    Drawn(blank, run("overview"), "follow")
    blank.evaluate(
        """() => {
          const link = Object.assign(document.createElement("a"), { className: "rows" });
          link.href = "/errors?find=class:missing";
          link.textContent = "7";
          document.querySelector("main").append(link);
          globalThis.turned = 0;
          addEventListener("popstate", () => (turned += 1));
        }"""
    )
    blank.get_by_role("link", name="7").click()
    assert blank.evaluate("[location.href, turned, typeof blank]") == [
        f"{ADDRESS}/errors?find=class:missing",
        1,
        "object",
    ]


def test_a_text_is_kept_in_the_tab_and_taken_out_again(blank):
    app = run("sandbox")
    stores = [
        one.proto
        for one in app.get("bidi_component")
        if "tab_store" in one.proto.js_content or one.proto.component_name == "corescore_tab_store"
    ]
    js = stores[0].js_content

    def draw(text):
        given = {"js": js, "css": "", "data": f'{{"name": "toy", "text": {text}}}'}
        blank.evaluate("([name, given]) => blank.draw(name, given)", ["store", given])
        return blank.evaluate("[sessionStorage.getItem('corescore toy'), blank.taken()]")

    assert draw("null") == [None, []]
    assert draw('"one"') == ["one", []]
    assert draw("null") == ["one", [{"event": "stored", "value": "one"}]]
    assert draw('""') == [None, []]


# A page in a state, so many pixels high; where it is scrolled to.
LOOKS = """([state, height]) => {
  const main = document.querySelector("main");
  main.dataset.testScriptState = state;
  main.style.cssText = "height: 300px; overflow: auto";
  document.querySelector(".long").style.height = `${height}px`;
  return main.scrollTop;
}"""
LEAVE = """() => {
  const main = document.querySelector("main");
  main.scrollTop = 1000;
  dispatchEvent(new Event("pointerdown"));
  history.pushState(null, "", "/text");
  main.scrollTop = 0;
}"""


def test_back_leads_down_again_though_the_server_answers_late(blank):
    """Until then the page that is left is there, and long enough; then the other is drawn anew."""
    Drawn(blank, page_of(QUICK), "history")
    blank.evaluate("document.querySelector('main').innerHTML = '<p class=long>'")
    blank.evaluate(LOOKS, ["notRunning", 3000])
    blank.evaluate(LEAVE)
    blank.evaluate("history.back()")
    blank.wait_for_url(f"{ADDRESS}/")
    blank.evaluate(LOOKS, ["rerunRequested", 3000])
    blank.wait_for_timeout(1000)
    blank.evaluate(LOOKS, ["running", 10])
    blank.evaluate(LOOKS, ["notRunning", 3000])
    blank.wait_for_function("document.querySelector('main').scrollTop === 1000")


# The script of the panels with what the page Credit sends it: shades, pointer and keys ------------


@pytest.fixture(scope="module")
def loaded():
    return run().session_state["loaded"]


def drawn(page, **parameters):
    return Drawn(page, run(VIEW, **parameters), "credit")


def test_the_strip_shows_where_the_losses_are_and_leads_there(blank, loaded):
    """A click turns to the part with the first loss of the stretch, and writes it into the URL."""
    shares = share_table(
        loaded.results["A"].comparison, METRICS, side="recall", document="news_harbour"
    )
    last = shares[shares["lea"] < 1].iloc[-1]
    pages = windows(loaded.key["news_harbour"], WINDOW)
    number = next(n for n, one in enumerate(pages, 1) if one.start <= last["start"] < one.end)
    assert number > 1
    credit = drawn(blank, metric="LEA", document="news_harbour", window="1")
    losing = blank.locator(".stretch").and_(blank.get_by_title(re.compile(": [1-9]")))
    assert losing.count() == sum(n > 0 for n in credit.data["strip"]["counts"]) > 1
    losing.last.click()
    (told,) = credit.answer()
    assert told == {"event": "place", "value": int(losing.last.get_attribute("data-word"))}
    assert param(credit.app, "window") == str(number)
    shown = blank.locator(f'.stretch.shown[title="{losing.last.get_attribute("title")}"]')
    expect(shown).to_have_count(1)


def test_a_wrongly_resolved_mention_is_blank_under_muc_and_lea(blank, loaded):
    rows = wrong_mentions(loaded)
    row = rows[(rows["muc"] == 0) & (rows["lea"] == 0) & (rows["bcub"] > 0)].iloc[0]
    drawn(blank, mention=f"{row['start']}-{row['end']}")
    marks = blank.locator(".grid .chosen")
    expect(marks).to_have_count(6)
    for number, metric in enumerate(SIX):
        shaded = "some" if row[metric] > 0 else "none"
        expect(marks.nth(number)).to_have_class(re.compile(rf"\b{shaded}\b"))
        expect(marks.nth(number)).to_have_class(re.compile("incorrectly-resolved"))
    empty = "background-color", "rgb(255, 255, 255)"
    expect(marks.nth(0)).to_have_css(*empty)
    expect(marks.nth(1)).not_to_have_css(*empty)


def test_a_mention_is_pointed_at_clicked_forgotten_and_chosen_by_keyboard(blank):
    credit = drawn(blank)
    note, why = blank.locator(".credit .note"), blank.locator(".why")
    expect(note).to_have_text(credit.data["hint"])
    sums, height = blank.locator(".cell b"), blank.locator(".earned").bounding_box()["height"]
    expect(sums).to_have_text([""] * 6)
    blank.locator(".panel").nth(2).locator(".mention").first.hover()
    expect(blank.locator(".grid .lit")).to_have_count(6)
    expect(sums).to_have_text(credit.data["mentions"][0]["sums"])
    assert blank.locator(".earned").bounding_box()["height"] == height
    told = credit.data["mentions"][0]["told"]
    expect(blank.locator(".score")).to_have_text(told)
    assert all(re.search("%|nothing", words) for words in told)
    expect(note).to_contain_text("entity", use_inner_text=True)
    first = blank.locator(".panel").first.locator(".mention").first
    first.click(position={"x": 4, "y": 6})
    span = credit.data["mentions"][int(first.get_attribute("data-mention"))]["span"]
    assert credit.answer() == [{"event": "mention", "value": span}]
    expect(why).to_have_count(6)
    assert param(credit.app, "mention") == span
    blank.keyboard.press("Escape")
    assert credit.answer() == [{"event": "mention", "value": ""}]
    expect(why).to_have_count(0)
    blank.locator(".grid [tabindex='0']").first.focus()
    blank.keyboard.press("ArrowRight")
    expect(blank.locator(".grid .lit")).to_have_count(6)
    blank.keyboard.press("Enter")
    assert credit.answer() == [{"event": "mention", "value": credit.data["mentions"][1]["span"]}]
    expect(why).to_have_count(6)


def test_the_bar_keeps_the_shares_of_the_selected_mention_while_others_are_pointed_at(blank):
    """Its arithmetic is not shown with numbers of another."""
    credit = drawn(blank, mention="42-45")
    panel, reasons = blank.locator(".panel").nth(3), blank.locator(".why")
    cells, panels = blank.locator(".cell"), credit.data["panels"]
    assert all(Fraction(one["share"]) <= 1 for one in panels)
    shares = [re.compile(f" {re.escape(one['share'])}$") for one in panels]
    own = blank.locator(".score").all_inner_texts()
    for place, is_own in (("header", True), (".mention:not(.chosen)", False), ("header", True)):
        panel.locator(place).first.hover()
        expect(blank.locator(".elsewhere")).to_have_count(int(not is_own))
        expect(cells).to_have_text(shares)
        for reason, one in zip(reasons.all(), panels, strict=True):
            expect(reason).to_have_text(one["why"])
            expect(reason).to_be_visible(visible=is_own)
    assert blank.locator(".score").all_inner_texts() == own
    (chosen,) = (one for one in credit.data["mentions"] if one["span"] == "42-45")
    expect(blank.locator(".credit .note")).to_contain_text(chosen["text"])


def test_two_metrics_chosen_in_the_bar_stand_side_by_side(blank):
    credit = drawn(blank, mention="42-45")
    blank.locator(".cell").nth(1).click()
    assert credit.answer() == [{"event": "metrics", "value": "bcub"}]
    expect(blank.locator(".panel")).to_have_count(1)
    blank.locator(".cell").nth(5).click()
    assert credit.answer() == [{"event": "metrics", "value": "bcub lea"}]
    assert param(credit.app, "metrics") == "bcub lea"
    expect(blank.locator(".panel .title")).to_have_text(["B³", "LEA"])
    both = [credit.data["panels"][at]["why"] for at in (1, 5)]
    expect(blank.locator(".why")).to_have_text(both)
    expect(blank.locator('.cell[aria-pressed="true"]')).to_have_count(2)
    blank.locator(".cell").nth(1).click()
    credit.answer()
    blank.locator(".cell").nth(5).click()
    credit.answer()
    expect(blank.locator(".panel")).to_have_count(6)
    assert "metrics" not in credit.app.query_params


# The sandbox's script with what the page Sandbox sends it: chips moved by pointer and -------------

TOY = {"k": "abc.defg", "r": "ab.cd.fghi", "m": "bcub"}


def drawn_of_sandbox_boxes(page, **parameters):
    return Drawn(page, run("sandbox", **(parameters or TOY)), "sandbox")


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
    drag_into(page, chip, page.locator(f'.response .box[data-to="{box}"]').evaluate(SETTLED))


def edits(sent):
    """The edits that were reported last, without their numbers."""
    return [{name: of for name, of in one.items() if name != "number"} for one in sent[-1]["value"]]


def test_a_mention_is_dragged_into_another_entity(blank):
    toy = drawn_of_sandbox_boxes(blank)
    in_box(blank, "c", 1).hover()
    lit = {name: blank.locator(f".chip.{name}") for name in ("lit", "kin-key", "kin-response")}
    names = {style: set(chips.locator("b").all_inner_texts()) for style, chips in lit.items()}
    assert names == {"lit": {"c"}, "kin-key": {"a", "b", "c"}, "kin-response": {"c", "d"}}
    assert toy.is_quiet()
    drag(blank, "d", 2)
    moved = {"do": "move", "side": "response", "mention": "d", "to": ["f", "g", "h", "i"]}
    assert edits(toy.answer()) == [moved]
    expect(in_box(blank, "d", 2)).to_be_visible()
    assert response(toy) == "{a b} {c} {f g h i d}"
    assert param(toy.app, "r") == "ab.c.fghid"
    assert "d–f and d–g are now correct" in html(toy.app)
    expect(blank.locator(".live")).to_contain_text("d–f and d–g are now correct")
    toy.press("Undo")
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
    toy = drawn_of_sandbox_boxes(blank)
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


def test_a_mention_is_reached_and_moved_by_keys_and_each_step_is_said(blank):
    toy = drawn_of_sandbox_boxes(blank)
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


def test_entities_are_split_left_out_and_merged_by_their_tools(blank):
    toy = drawn_of_sandbox_boxes(blank, k="abcd.efg", r="ab.cd.fghi", m="bcub")
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


def test_edits_that_no_answer_came_to_are_sent_again_by_the_next_boxes(blank):
    """As where another page was turned to before the answer."""
    toy = drawn_of_sandbox_boxes(blank)
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
