"""Ctrl+C and the signals to end: no traceback at any moment, and nothing temporary is left."""

import os
import signal
import subprocess
import sys
import time

import pytest

import corescore
from corescore import Corpus
from tests.support.shards import document

pytestmark = pytest.mark.slow

if sys.platform == "win32":
    pytest.skip("signals as Linux and macOS have them", allow_module_level=True)


def started(*words, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "corescore", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **settings,
    )


def interrupted_at(module, folder):
    """What the program says where Ctrl+C comes as this module is imported; and its exit code.

    A finder of modules sends the signal, so that it comes at one and the same place.
    """
    (folder / "interrupts.py").write_text(
        "import importlib.abc, os, signal, sys\n"
        "class Finder(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from corescore.__main__ import main\n"
        "sys.exit(main())\n"
    )
    program = subprocess.run(
        [sys.executable, folder / "interrupts.py", "score", "no.conll", "no.conll"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
    )
    return program.returncode, program.stdout + program.stderr


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize(
    "module",
    [
        "corescore.cli.signals",
        "numpy",
        pytest.param("corescore.corpus.documents", marks=pytest.mark.slow),
        pytest.param("corescore.metrics.lea", marks=pytest.mark.slow),
        "corescore.cli.program",
    ],
)
def test_ctrl_c_during_the_imports_ends_the_program_without_a_word(module, tmp_path):
    assert interrupted_at(module, tmp_path) == (130, "")


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
    ],
)
def test_nothing_that_was_unpacked_is_left_when_the_program_is_ended(number, tmp_path):
    key, response, folder = (tmp_path / name for name in ("gold", "output", "temporary"))
    for place in (key, response, folder):
        place.mkdir()
    corescore.write(Corpus((document("d"),)), key / "d.conll.gz")
    os.mkfifo(response / "d.conll")  # nobody writes to it: the program waits there
    words = ("score", key, response, "--workers", "2")
    program = started(*words, env={**os.environ, "TMPDIR": str(folder)})
    while not [*folder.glob("corescore-*/*")]:  # not the file with which Python tries the folder
        assert program.poll() is None
        time.sleep(0.01)
    program.send_signal(number)
    assert program.communicate() == ("", "")
    assert program.returncode == 128 + number
    assert [*folder.iterdir()] == []


def test_signals_that_the_caller_ignores_stay_ignored(tmp_path):
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); from corescore.__main__ import _started; "
        "_started(['metrics']); "
        "print(*(signal.getsignal(n).name for n in (signal.SIGINT, signal.SIGTERM)))"
    )
    program = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert program.stdout.splitlines()[-1] == "SIG_IGN SIG_IGN"
