"""What happens to a command whose output or life is cut short."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import corescore
from corescore import Corpus
from tests.support.shell import printed, refused
from tests.support.tallies import document

# Standard output that is full, closed, gone, or cannot print some characters ----------------------

pytestmark = pytest.mark.slow  # each starts a process, or several
FULL = Path("/dev/full")


def command(folders, *options):
    return [sys.executable, "-m", "corescore", "score", *folders[:2], *options]


needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")


@needs_full
@pytest.mark.parametrize("options", [(), ("--format", "json")])
def test_a_full_standard_output_is_told_in_one_line(folders, options):
    with FULL.open("w") as full:
        answer = subprocess.run(
            command(folders, *options), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert answer.returncode == 2
    (line,) = answer.stderr.splitlines()
    assert line == f"corescore: cannot write to standard output: {os.strerror(28)}"


def test_a_closed_standard_output_is_told_in_one_line_unless_it_is_not_needed(folders, tmp_path):
    run = "import os, runpy, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"
    for options, code in (((), 2), (("--out", str(tmp_path / "scores.txt")), 0)):
        closed = [sys.executable, "-c", run, *command(folders, *options)]
        answer = subprocess.run(closed, stderr=subprocess.PIPE, text=True)
        assert answer.returncode == code
        said = answer.stderr.splitlines()
        assert said == [f"corescore: cannot write to standard output: {os.strerror(9)}"] * (
            code == 2
        )
    assert "MUC" in (tmp_path / "scores.txt").read_text("utf-8")


def test_what_an_encoding_lacks_is_printed_in_other_characters(folders):
    def printed(encoding):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        answer = subprocess.run(command(folders), capture_output=True, env=environment, check=True)
        assert answer.stderr == b""
        return answer.stdout.decode(encoding)

    whole, plain = printed("utf-8"), printed("ascii")
    assert "B³" in whole
    assert "─" in whole
    for other, ours in {"³": "3", "─": "-", "–": "-", "ₘ ": "_m", "ₑ ": "_e"}.items():
        whole = whole.replace(other, ours)
    assert plain == whole


def test_a_name_that_is_no_text_is_printed_with_its_bytes(folders, tmp_path):
    odd = os.fsencode(tmp_path) + b"/\xff"
    try:
        Path(folders[1]).rename(os.fsdecode(odd))
    except OSError:
        pytest.skip("this file system has names of characters only")
    answer = subprocess.run(
        [*map(os.fsencode, command(folders[:1])), odd, b"--format", b"json"], capture_output=True
    )
    assert answer.returncode == 0
    assert rb"\udcff" in answer.stdout
    call = f"score gold {os.fsdecode(odd)}"
    for name in ("json", "csv", "latex"):
        printed(f"{call} --format {name} --out {name}")
        assert name == "latex" or rb"\udcff" in (tmp_path / name).read_bytes()
    said = refused(f"{call} --format parquet --out a.parquet")
    assert "Rename the file, or choose another format." in said


def test_words_that_an_encoding_lacks_are_refused_not_changed(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("#begin document (d);\nd\t0\t0\tMüller\t-\t(1)\n\n#end document\n", "utf-8")
    words = [sys.executable, "-m", "corescore", "baseline", path, "--kind", "one-entity"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    answer = subprocess.run(words, capture_output=True, env=environment, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "in a name or text, which ascii does not have" in answer.stderr


@needs_full
def test_an_exit_code_says_what_happened_where_nothing_can_be_told(folders):
    def code(*words):
        environment = {**os.environ, "PYTHONUNBUFFERED": ""}
        words = [sys.executable, "-m", "corescore", *words]
        with FULL.open("w") as full:
            answer = subprocess.run(words, env=environment, stdout=full, stderr=full, check=False)
        return answer.returncode

    wrong = ("--version",), ("no-such-command",), ("score", "no.conll", "no.conll")
    assert [code(*words) for words in wrong] == [2, 2, 2]


def test_closed_descriptors_are_given_to_no_file(folders, tmp_path):
    """Neither the table nor a message ends in a file that is open by chance."""
    run = "import os, sys; os.closerange(0, 3); os.execv(sys.executable, sys.argv[1:])"
    out = tmp_path / "scores.txt"
    words = [sys.executable, "-c", run, *command(folders, "--out", str(out))]
    assert subprocess.run(words, check=False).returncode == 0
    assert "MUC" in out.read_text("utf-8")
    wrong = [sys.executable, "-c", run, sys.executable, "-m", "corescore", "score", "no", "no"]
    assert subprocess.run(wrong, check=False, capture_output=True).returncode == 2


def test_a_terminal_gets_no_control_characters_of_a_file(tmp_path):
    """Tables, other formats, messages: they could move its cursor or hide what follows."""
    pty = pytest.importorskip("pty")
    for name, word in (("key", "a\x1b[31m\x9b2J"), ("bad", "a\x1b[31m\u202e")):
        text = f"#begin document (d);\nd\t0\t0\t{word}\t-\t(1\n\n#end document\n"
        (tmp_path / name).write_text(text.replace("(1", "(1)" if name == "key" else "(1"))
    leader, follower = pty.openpty()
    words = (["perturb", "key", "key", "--do", "drop:share=0"], ["score", "key", "bad"])
    script = f"from corescore.__main__ import main; print([main(words) for words in {words}])"
    program = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    os.close(follower)
    told = _all_of(leader)
    program.wait()
    assert "a\\x1b[31m\\x9b2J" in told
    assert "bad" in told
    assert told.rstrip().endswith("[0, 2]")
    assert not [letter for letter in told if not (letter.isprintable() or letter in "\r\n\t")]


def _all_of(terminal):
    data = b""
    with contextlib.suppress(OSError):  # how Linux tells the end
        while piece := os.read(terminal, 1 << 16):
            data += piece
    os.close(terminal)
    return data.decode()


# Ctrl+C and the signals to end: no traceback at any moment, and nothing temporary is left ---------

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
        "corescore.corpus.documents",
        "corescore.metrics.standard",
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
        signal.SIGHUP,
        signal.SIGINT,
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
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); from corescore.__main__ import _started; "
        "os._exit = lambda code: print("
        "*(signal.getsignal(n).name for n in (signal.SIGINT, signal.SIGTERM))); "
        "_started(['metrics'])"
    )
    program = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert program.stdout.splitlines()[-1] == "SIG_IGN SIG_IGN"
