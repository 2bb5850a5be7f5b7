"""What is done between the start of the dashboard and its first page."""

import subprocess
import sys

import pytest

from corescore.analysis.error_table.table import error_table
from corescore.counting.policies import Policies
from dashboard import launch, navigation
from dashboard.session import analyses, scoring, sources
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


def test_the_errors_of_the_first_response_are_found_before_their_page_is_opened(
    monkeypatch, tmp_path
):
    found = []

    def counting(*arguments, **options):
        found.append(arguments)
        return error_table(*arguments, **options)

    monkeypatch.setattr(analyses, "error_table", counting)
    give(monkeypatch, tmp_path, key_conll=KEY, response_conll=RESPONSE)
    navigation.was_drawn.set()
    launch._warm_up()
    assert len(found) == 1
    files = sources.given_files()
    analyses.every_error(scoring.load(files, files.responses, Policies()).systems[0])
    assert len(found) == 1
