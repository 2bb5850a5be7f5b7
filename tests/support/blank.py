"""The script of a component on a page with nothing else, and the app that answers it.

The app runs under Streamlit's test runner; the script draws what the app sends, and what the script
sends the app is given. Between them there is no server and nothing of Streamlit's page.
"""

import json
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from tests.support.browser import PATIENCE, watched

ADDRESS = "http://blank.localhost"  # of no server: a page of an address may keep texts and copy
SCRIPT = Path(__file__).with_name("blank.js")
SOON = 20_000  # milliseconds: without a server all comes at once
PAGE = """<!doctype html><title>blank</title>
<style>
  body { margin: 0; font: 16px sans-serif }
  main { margin-left: 300px; padding: 0 40px } /* the side bar, and the room around a page */
  :root { --st-background-color: #fff; --st-text-color: #111; --st-base-font-size: 16px }
</style>
<main class="stApp" data-testid="stMain"></main>"""


@contextmanager
def blank_page(chromium, **looks):
    """An empty page that fails the test on an error or a request."""
    with watched(chromium, ADDRESS, **looks) as page:
        page.route("**/*", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.add_init_script(path=SCRIPT)
        page.goto(ADDRESS)
        page.set_default_timeout(SOON)
        expect.set_options(timeout=SOON)
        try:
            yield page
        finally:
            expect.set_options(timeout=PATIENCE)


class Drawn:
    """A component of the app, drawn on an empty page."""

    def __init__(self, page, app, component):
        self.page, self.app, self.component = page, app, f"corescore_{component}"
        self.draw()

    @property
    def _proto(self):
        found = [one.proto for one in self.app.get("bidi_component")]
        (proto,) = (one for one in found if one.component_name == self.component)
        return proto

    @property
    def data(self):
        """What the app sends the script."""
        return json.loads(self._proto.json)

    def draw(self):
        """Give the script what the app sends now."""
        proto = self._proto
        given = {"js": proto.js_content, "css": proto.css_content, "data": proto.json}
        given["isolated"] = proto.isolate_styles
        self.page.evaluate("([name, given]) => blank.draw(name, given)", [self.component, given])

    def remove(self):
        """Take it off the page."""
        self.page.evaluate("name => blank.remove(name)", self.component)

    def press(self, label):
        """Press a button of the app beside it, and draw the answer."""
        next(button for button in self.app.button if button.label == label).click().run()
        assert not self.app.exception
        self.draw()

    def sent(self):
        """What the script has sent since, once it has sent something: names with values."""
        self.page.wait_for_function("blank.sent.length")
        return self.page.evaluate("blank.taken()")

    def answer(self, *, last=False):
        """Give the app what the script has sent, and draw its answer; what it was.

        last  whether only the last of it arrives, as of what is sent while the app is at work
        """
        sent = self.sent()
        self.app = tell(self.app, self._proto.id, sent[-1:] if last else sent)
        self.draw()
        return sent

    def is_quiet(self):
        """Whether the script has sent nothing since."""
        return not self.page.evaluate("blank.sent.length")


def tell(app, component, sent):
    """Run the app with what the script of a component has sent."""
    states = app._tree.get_widget_states()
    triggers = f"$$STREAMLIT_INTERNAL_KEY_{component}__events"
    states.widgets.add(id=triggers, json_trigger_value=json.dumps(sent))
    app._run(states)
    assert not app.exception
    return app


def param(app, name):
    """A setting in the URL of the app; "" if it has none of this name."""
    found = app.query_params.get(name) or [""]
    return found[0] if isinstance(found, list) else found
