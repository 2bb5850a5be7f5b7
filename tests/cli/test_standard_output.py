"""Standard output that is full, closed, gone, or cannot print some characters."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from corescore.__main__ import main

FULL = Path("/dev/full")


def command(folders, *options):
    return [sys.executable, "-m", "corescore", "score", *folders[:2], *options]


needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")


@pytest.mark.slow
@needs_full
@pytest.mark.parametrize(
    "options", [(), pytest.param(("--format", "json"), marks=pytest.mark.slow)]
)
def test_a_full_standard_output_is_told_in_one_line(folders, options):
    with FULL.open("w") as full:
        answer = subprocess.run(
            command(folders, *options), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert answer.returncode == 2
    (line,) = answer.stderr.splitlines()
    assert line == f"corescore: cannot write to standard output: {os.strerror(28)}"


@pytest.mark.slow
def test_a_closed_standard_output_is_told_in_one_line_unless_it_is_not_needed(folders, tmp_path):
    run = "import os, runpy, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])"
    for options, code in (((), 2), (("--out", str(tmp_path / "scores.txt")), 0)):
        closed = [sys.executable, "-c", run, *command(folders, *options)]
        answer = subprocess.run(closed, stderr=subprocess.PIPE, text=True)
        assert answer.returncode == code
        said = answer.stderr.splitlines()
        assert len(said) == (code == 2)
        assert all(re.fullmatch(r"corescore: .* standard output: .* closed", one) for one in said)
    assert "MUC" in (tmp_path / "scores.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_an_encoding_lacks_is_printed_in_other_characters(folders):
    def printed(encoding):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        answer = subprocess.run(command(folders), capture_output=True, env=environment, check=True)
        assert answer.stderr == b""
        return answer.stdout.decode(encoding)

    whole, plain = printed("utf-8"), printed("ascii")
    assert "B³" in whole
    assert "─" in whole
    assert plain == whole.replace("³", "3").replace("─", "-").replace("–", "-")


@pytest.mark.slow
def test_a_name_that_is_no_text_is_printed_with_its_bytes(folders, tmp_path, capsys):
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
    for name in ("json", "csv", "latex"):
        out = tmp_path / name
        words = ["score", folders[0], os.fsdecode(odd), "--format", name, "--out", str(out)]
        assert main(words) == 0
        assert name == "latex" or rb"\udcff" in out.read_bytes()
    parquet = ("--format", "parquet", "--out", str(tmp_path / "a.parquet"))
    assert main(["score", folders[0], os.fsdecode(odd), *parquet]) == 2
    assert "Rename the file, or choose another format." in capsys.readouterr().err


@pytest.mark.slow
def test_words_that_an_encoding_lacks_are_refused_not_changed(tmp_path):
    path = tmp_path / "a.conll"
    path.write_text("#begin document (d);\nd\t0\t0\tMüller\t-\t(1)\n\n#end document\n", "utf-8")
    words = [sys.executable, "-m", "corescore", "baseline", path, "--kind", "one-entity"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    answer = subprocess.run(words, capture_output=True, env=environment, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "in a name or text, which ascii lacks" in answer.stderr


@needs_full
@pytest.mark.slow
def test_an_exit_code_says_what_happened_where_nothing_can_be_told(folders):
    def code(*words, unbuffered=""):
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        words = [sys.executable, "-m", "corescore", *words]
        with FULL.open("w") as full:
            answer = subprocess.run(words, env=environment, stdout=full, stderr=full, check=False)
        return answer.returncode

    assert code("--version") == code("--version", unbuffered="1") == 2
    assert code("no-such-command") == code("score", "no.conll", "no.conll") == 2


@pytest.mark.slow
def test_closed_descriptors_are_given_to_no_file(folders, tmp_path):
    """Neither the table nor a message ends in a file that is open by chance."""
    run = "import os, sys; os.closerange(0, 3); os.execv(sys.executable, sys.argv[1:])"
    out = tmp_path / "scores.txt"
    words = [sys.executable, "-c", run, *command(folders, "--out", str(out))]
    assert subprocess.run(words, check=False).returncode == 0
    assert "MUC" in out.read_text(encoding="utf-8")
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
