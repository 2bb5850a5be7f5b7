"""What is done between the start of the dashboard and its first page."""

import subprocess
import sys

import pytest

from dashboard import launch, navigation
from tests.support.pages import BAD, KEY, RESPONSE, give


def _imported(what):
    """The modules that a new interpreter has after this import."""
    script = f"import sys, {what}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_the_port_is_opened_before_the_scorer_is_imported():
    assert not {"corescore", "numpy", "streamlit"} & _imported("dashboard.launch")


def test_the_first_page_brings_no_other_along():
    modules = _imported("dashboard.navigation, dashboard.widgets.sidebar, dashboard.views.overview")
    assert not {"corescore.replication", "corescore.teaching", "scipy.stats"} & modules
    assert {name for name in modules if name.startswith("dashboard.views.")} == {
        "dashboard.views.overview"
    }


@pytest.mark.parametrize("response", [RESPONSE, BAD])
def test_what_the_first_page_needs_is_made_ready_whatever_is_loaded(
    monkeypatch, tmp_path, capfd, response
):
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=response)
    navigation.was_drawn.set()
    launch._warm_up()
    assert "missing ScriptRunContext" not in "".join(capfd.readouterr())
    assert "dashboard.views.export" in sys.modules
