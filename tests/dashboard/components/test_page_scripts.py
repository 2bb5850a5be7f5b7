"""The small scripts of every page: what they copy, keep, follow and press."""

from playwright.sync_api import expect

from tests.support.blank import ADDRESS, Drawn
from tests.support.pages import run


def test_keys_press_the_buttons_of_a_card_one_after_another(blank):
    """Each key waits until the page was drawn after the one before; where none is left, a key that
    was pressed does nothing."""
    keys = Drawn(blank, run(view="lesson"), "presenter")
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
    Drawn(blank, run(view="overview"), "rows_link")
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
    app = run(view="sandbox")
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
