"""What is done between the start of the dashboard and its first page."""

import os
import subprocess
import sys
import time
from subprocess import PIPE
from urllib.request import urlopen

import pytest

from dashboard import launch, navigation
from dashboard.session.access import (
    CARDS_VARIABLE,
    FILES_VARIABLE,
    FIRST_PORT,
    SHARED_VARIABLE,
    listen,
)
from tests.support.browser import PATIENCE, free_port, served
from tests.support.pages import (
    BAD,
    KEY,
    RESPONSE,
    give,
)


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


def test_a_key_without_response_is_made_ready_too(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY)
    navigation.was_drawn.set()
    launch._warm_up()


NO_FILES = """
from dashboard.session import life, scoring

def load(*_):
    raise OSError(24, "Too many open files")

scoring.load = load
life.look_after_sessions = lambda server: open({here!r}, "x").close()
"""


@pytest.mark.slow
def test_sessions_are_looked_after_although_nothing_could_be_made_ready(tmp_path):
    here = tmp_path / "looked after"
    with served(before=NO_FILES.format(here=str(here))) as address:
        deadline = time.monotonic() + PATIENCE / 1000
        while not here.exists():
            assert time.monotonic() < deadline
            urlopen(f"{address}/_stcore/health").read()


def test_of_two_that_start_at_once_on_one_port_one_says_so_before_any_url():
    port = free_port()
    start = f"from dashboard.launch import launch; launch(None, [], port={port})"
    command = [sys.executable, "-c", start]
    both = [subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) for _ in range(2)]
    first, second = sorted(both, key=lambda one: one.stdout.readline(), reverse=True)
    try:
        said, complaint = second.communicate(timeout=60)
        assert (second.returncode, said, complaint.count("\n")) == (2, "", 1)
        assert f"port {port} is taken" in complaint
        assert first.poll() is None
    finally:
        first.terminate()
        first.communicate()


def test_without_a_port_the_first_free_one_is_taken():
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as other:
        assert FIRST_PORT <= one.getsockname()[1] < other.getsockname()[1]


@pytest.mark.parametrize("port", [0, 65536, -1])
def test_a_port_that_does_not_exist_is_refused(port):
    with pytest.raises(OSError, match=f"port {port} does not exist"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "share", "is_shared"),
    [
        *((host, False, False) for host in (None, "127.0.0.1", "localhost", "127.0.0.2")),
        *((host, True, True) for host in (None, "127.0.0.1")),
        ("0.0.0.0", False, True),
    ],
)
@pytest.mark.parametrize("given", [None, "our-class", ""])
def test_the_url_has_a_token_unless_none_is_wanted(
    monkeypatch, capsys, host, share, is_shared, given
):
    served = []
    monkeypatch.setattr(launch, "_serve", lambda *given, **_: served.append(given))
    for name in (FILES_VARIABLE, CARDS_VARIABLE, SHARED_VARIABLE):
        monkeypatch.setenv(name, "")
    launch.launch(None, [], port=free_port(), host=host, share=share, token=given)
    ((_, listens_on, token),) = served
    assert token == given if given is not None else len(token) == 43
    assert (f"/?token={token}" in capsys.readouterr().out) is bool(token)
    assert bool(os.environ[SHARED_VARIABLE]) is is_shared
    assert listens_on == (host or ("0.0.0.0" if share else "127.0.0.1"))


def test_a_port_that_is_taken_is_said_with_exit_code_2(capsys):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as stopped:
            launch.launch(None, [], port=port, host="127.0.0.1")
    assert stopped.value.code == 2
    assert f"port {port} is taken" in capsys.readouterr().err
