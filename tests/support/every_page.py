"""Run by `test_seventh_metric` in a copy of the project: every page, in one process."""

import json
import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard.navigation import SECTIONS
from dashboard.session.url_names import VIEWS

# Where the metric is selected by the URL.
SELECTED = {
    "credit": {"metric": "Shared"},
    "errors": {"tab": "by kind"},
    "metrics": {"metric": "shared"},
    "sandbox": {"m": "shared"},
}


def shown(app, page, parameters):
    """The page's exceptions, and all that it says and offers outside of tables and charts."""
    for name, value in parameters.items():
        app.query_params[name] = value
    app._page_hash = calc_hash(page)
    app.run()
    said = [element.proto.body for element in app.get("html")]
    said += [element.value for element in (*app.title, *app.header, *app.markdown)]
    said += [option for box in app.selectbox for option in box.options]
    return {
        "exceptions": ["\n".join(error.stack_trace) for error in app.exception],
        "text": "\n".join(said),
    }


if __name__ == "__main__":
    app = AppTest.from_file(Path("dashboard/app.py").resolve(), default_timeout=120)
    pages = [*(entry.path for section in SECTIONS.values() for entry in section), *VIEWS]
    found = {page: shown(app, page, SELECTED.get(page, {})) for page in pages}
    json.dump(found, sys.stdout)
