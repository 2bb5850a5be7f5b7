"""Pages of the dashboard under Streamlit's test runner, and the small files they are given."""

import json
import os
import re
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard import launch
from dashboard.session.access import DATA_SETS_VARIABLE, FILES_VARIABLE, GENRES_VARIABLE
from dashboard.views import two_systems, two_systems_argument
from dashboard.widgets.policies import POLICIES

APP = Path(launch.__file__).with_name("app.py")
KEY = b"#begin document (d); part 000\nd\t0\t0\tShe\t(1)\nd\t0\t1\tslept\t-\n\n#end document\n"
RESPONSE = KEY.replace(b"(1)", b"(7)")
BAD = b"#begin document (d)\nx\n"
GIVEN = {FILES_VARIABLE, DATA_SETS_VARIABLE, GENRES_VARIABLE}  # what the command line names
LOAD_NEWER = "Load the newer files"
NEAR = 100  # characters from one part of a sentence to the next
QUICK = "export"  # a page that is soon drawn, for tests of what all pages share
REPEATS = tuple(POLICIES["repeats"][1][name] for name in ("first", "all"))  # as a link names them
SESSION = "test session id"  # of Streamlit's test runner
PARTS = {  # of Two systems, below its first sentence
    "argument": (two_systems_argument, "show"),
    "scores": (two_systems, "show_scores"),
    "documents": (two_systems, "show_documents"),
    "mentions": (two_systems, "show_mentions"),
    "unequal": (two_systems, "show_most_unequal"),
    "errors": (two_systems, "show_errors"),
}


def run(*, view="overview", state=(), parts=tuple(PARTS), **parameters):
    """The app on a page, opened with these query parameters, its session in this state; of Two
    systems only these parts are drawn, each time it runs."""
    assert set(parts) <= set(PARTS)
    app = AppTest.from_file(APP, default_timeout=120)
    leave_out(app, set(PARTS) - set(parts))
    for key, value in dict(state).items():
        app.session_state[key] = value
    app.query_params.update(parameters)
    open_page(app, view)
    assert not app.exception
    return app


def leave_out(app, parts):
    """Whenever the app runs, these parts of Two systems are not drawn."""
    whole = app._run

    def partly(*given, **named):
        with pytest.MonkeyPatch.context() as patch:
            for part in parts:
                patch.setattr(*PARTS[part], lambda *_: None)
            return whole(*given, **named)

    if parts:
        app._run = partly


def page_of(view="overview", **parameters):
    """The same on the sample data, opened once per process, for tests that only look at the page:
    it refuses to run again."""
    assert not GIVEN & os.environ.keys()
    lists = {name: tuple(of) if isinstance(of, list) else of for name, of in parameters.items()}
    return _opened(view, tuple(sorted(lists.items())))


@cache
def _opened(view, parameters):
    app = run(view=view, **dict(parameters))
    app._run = _refuse
    return app


def _refuse(*_, **__):
    raise AssertionError("other tests look at this page; to act on a page, open it with run()")


def open_page(app, view):
    """Turn to another page; `AppTest.switch_page` knows only pages that are files."""
    app._page_hash = calc_hash(view)
    return app.run()


def upload(app, key, *responses):
    """Put files, each a name and its content, into the boxes of the side bar."""
    app.file_uploader(key="key_file").upload(*key)
    named = [(*response, "text/plain") for response in responses]
    app.file_uploader(key="response_files").set_value(named).run()
    assert not app.exception
    return app


def load_newer(app):
    """Load the files of the command line that have changed on the disk."""
    (button,) = (one for one in app.main.button if one.label == LOAD_NEWER)
    button.click().run()
    assert not app.exception
    return app


def html_as_sent(app):
    """The HTML of a page."""
    return "\n".join(element.proto.body for element in app.get("html"))


def html(app):
    """The same, its no-break spaces as spaces."""
    return html_as_sent(app).replace("\u00a0", " ")


def reads(text, *parts):
    """Whether a text has these names and numbers, each whole, in this order and near each other."""
    whole = (rf"(?<![\w])(?<!\d[.,]){re.escape(str(part))}(?!\w|[.,]\d)" for part in parts)
    return re.search(f".{{0,{NEAR}}}?".join(whole), text, re.DOTALL) is not None


def headlines(app):
    """The sentences that stand over a page and its parts."""
    return re.findall(r'<p class="headline">(.*?)</p>', html(app), re.DOTALL)


def name_files(monkeypatch, *paths):
    """Name these files as the command line does."""
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(list(map(str, paths))))


def give(monkeypatch, tmp_path, **files):
    """Write files and name them as the command line does."""
    paths = [tmp_path / name.replace("_", ".") for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content)
    name_files(monkeypatch, *paths)
