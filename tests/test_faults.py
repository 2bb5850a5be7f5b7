"""The lists of faults, of damage and of benchmarks, and how tests are run."""

import ast
import os
import subprocess
import sys
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import faults
from tests.benchmarks import garbage
from tests.benchmarks.goals import with_goals
from tests.benchmarks.record import Record, compared, newest
from tests.benchmarks.timing import Row
from tests.conftest import draw_fewer
from tests.fuzzing.targets import TARGETS
from tests.support.faults import FAULTS
from tests.support.faults.fault import ROOT, Fault, FaultError

# CI: what failed is run again at the end ----------------------------------------------------------


@pytest.fixture
def ci(tmp_path):
    """Runs CI over a project with a few tests, of which some fail: its exit code and output."""
    home = tmp_path / "project"
    binaries = home / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (home / ".ci").mkdir()
    for name in (".ci/run", "Makefile"):
        (home / name).write_text((ROOT / name).read_text("utf-8"))
    for name in ("pyproject.toml", "constraints.txt"):
        (home / name).write_text("[tool.pytest.ini_options]\nmarkers = ['slow', 'long']\n")
    python = f'case "$2" in sphinx) ;; *) exec {sys.executable} "$@" ;; esac'
    for name, does in (("python", python), ("ruff", ""), ("mypy", "")):
        (binaries / name).write_text(f"#!/bin/sh\n{does}\n")
        (binaries / name).chmod(0o755)
    for name in ("installed-test", "installed-docs", "chromium"):
        (home / ".venv" / name).touch()

    def run(*tests):
        (home / "test_it.py").write_text("import pathlib, pytest\n" + "".join(tests))
        (home / "conftest.py").write_text(
            "from hypothesis import settings\nsettings.register_profile('quick')\n"
        )
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
        command = ["bash", ".ci/run"]
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout

    return run


ONCE = """
{mark}
def test_{name}():
    here = pathlib.Path("{name}")
    there = here.exists()
    here.touch()
    assert there
"""
SLOW = "@pytest.mark.slow"
GOOD = f"def test_quick(): pass\n{SLOW}\ndef test_slow(): pass\n"


@pytest.mark.slow
def test_ci_is_green_and_names_what_needed_another_run(ci):
    code, out = ci(GOOD, ONCE.format(mark="", name="busy"), ONCE.format(mark=SLOW, name="late"))
    assert code == 0, out
    assert "Run again: test_it.py::test_busy\ntest_it.py::test_late\n" in out
    assert "s  make test-slow" in out.partition("Took:")[2]
    code, out = ci(GOOD)
    assert code == 0, out
    assert "Run again: nothing" in out


@pytest.mark.slow
def test_ci_is_red_for_what_fails_each_time_and_at_once_for_more_than_five(ci):
    wrong = f"{SLOW}\ndef test_wrong(): assert False\n"
    code, out = ci(GOOD, ONCE.format(mark="", name="busy"), wrong)
    assert code == 1
    assert "Red: failed each time:\ntest_it.py::test_wrong\n" in out
    assert out.count("1 failed") == 4  # the first one of each part, and twice again
    code, out = ci(*(ONCE.format(mark="", name=f"n{n}") for n in range(6)))
    assert code == 1
    assert "Red: 6 tests failed" in out
    assert "test-slow" not in out


# The list of faults that `make faults` makes is up to date, and its run counts what is ------------


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_can_be_made_and_names_tests_that_exist(fault):
    fault.check()
    made = fault.made_in((ROOT / fault.file).read_text("utf-8"))
    assert fault.new != fault.old
    assert fault.tests
    if fault.file.endswith(".py"):
        ast.parse(made)


def test_there_are_enough_faults_of_every_part_each_of_its_own_name():
    names = [fault.name for fault in FAULTS]
    assert len(names) >= 60
    assert len(set(names)) == len(names)
    for part, least in (("corescore/", 20), ("dashboard/", 20), (".js", 5)):
        assert sum(part in fault.file for fault in FAULTS) >= least


def fault(**changed):
    here = {"file": "corescore/version.py", "old": "__version__", "new": "version"}
    return Fault(**{"name": "x", "tests": ("tests/test_package.py",), **here, **changed})


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"old": "no such text"}, "0 ×"),
        ({"old": "e"}, "expected 1 ×"),
        ({"file": "corescore/none.py"}, "no file corescore/none.py"),
        ({"tests": ("tests/test_none.py",)}, "no test file tests/test_none.py"),
        ({"tests": ("tests/test_package.py::test_none",)}, "no test test_none"),
    ],
)
def test_a_fault_that_is_out_of_date_is_said_before_anything_runs(
    changed, said, monkeypatch, capsys
):
    monkeypatch.setattr(faults, "FAULTS", (fault(**changed),))
    with pytest.raises(FaultError, match=said):
        fault(**changed).check()
    assert faults.main() == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("outcomes, code", [("kkkkkkkkkS", 0), ("kkkkkkkkSS", 1)])
def test_nine_of_ten_must_be_killed(outcomes, code, monkeypatch, capsys):
    listed = tuple(fault(name=f"{n}") for n in range(10))
    of = {
        one.name: "killed" if o == "k" else "SURVIVED"
        for one, o in zip(listed, outcomes, strict=True)
    }
    monkeypatch.setattr(faults, "FAULTS", listed)
    monkeypatch.setattr(Fault, "check", lambda self: None)
    monkeypatch.setattr(faults, "_copy", lambda place: place)
    monkeypatch.setattr(faults, "_check_tests_pass", lambda *_: None)
    monkeypatch.setattr(faults, "_outcome", lambda fault, copy: of[fault.name])
    assert faults.main() == code
    said = capsys.readouterr().out
    assert said.count("SURVIVED") == outcomes.count("S")
    assert said.endswith(f"killed {outcomes.count('k')} of 10\n")


# A thousand cases of `make fuzz`, always the same ones --------------------------------------------

CASES = 1000 // len(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_damaged_input_is_read_or_refused_in_words(target):
    for number in range(CASES):
        TARGETS[target](Random(f"{target} {number}"))


# What garbage in the name of a format does: it is refused in words, and needs no memory beyond its
# size.

SMALL = 10_000


@pytest.mark.parametrize("kind", garbage.KINDS)
def test_a_little_garbage_is_refused_or_read_without_a_foreign_exception(kind):
    ends = {
        shape: garbage.end_of(kind, garbage.garbage(kind, shape, SMALL)) for shape in garbage.SHAPES
    }
    assert all(end == "read" or "expected" in end for end in ends.values()), ends


MOST_MEMORY = 120  # MB for each MB of garbage: the promise is half of it


@pytest.mark.slow
@pytest.mark.parametrize("kind", garbage.KINDS)
def test_no_garbage_needs_more_memory_than_its_size(kind):
    garbage.warm_up()
    for shape in garbage.SHAPES:
        found = garbage.cost(kind, garbage.garbage(kind, shape, garbage.SIZE))
        assert found.memory <= MOST_MEMORY, (shape, found)
        assert found.end == "read" or "expected" in found.end, (shape, found)


# What the benchmarks write down: dated files, their table, and what became slower -----------------

READING = Row("reading 6.6 MB of CoNLL", 40.0, 4.0, "4.0 times splitting", "≥ 30", unit="MB/s")
SCORE = Row("score", 0.5, 2.0, "2.00 times importing", "≤ 3 times", megabytes=90)
SWITCH = Row("page switch", 0.2, wanted="≤ 0.6 s")
RECORD = Record("2020-01-31", "0.1", {"processors": 2}, (READING, SCORE, SWITCH))


def test_a_record_is_written_by_its_date_and_read_again(tmp_path):
    with pytest.raises(FileNotFoundError, match="make bench"):
        newest(tmp_path)
    assert RECORD.write(tmp_path).name == "2020-01-31.json"
    replace(RECORD, date="2020-02-01").write(tmp_path)
    assert Record.read(tmp_path / "2020-01-31.json") == RECORD
    assert newest(tmp_path).name == "2020-02-01.json"
    lines = RECORD.table.splitlines()
    assert lines[0] == "| what | measured | against | wanted |"
    assert "| score | 500.0 ms, 90 MB peak | 2.00 times importing | ≤ 3 times |" in lines
    assert len(lines) == 2 + len(RECORD.rows)


def test_a_run_replaces_another_of_its_day_only_on_the_same_machine(tmp_path):
    for processors in range(10):
        replace(RECORD, machine={"processors": processors}).write(tmp_path)
    assert newest(tmp_path).name == "2020-01-31-10.json"
    again = replace(RECORD, machine={"processors": 0}, rows=(SCORE,))
    assert again.write(tmp_path).name == "2020-01-31.json"
    assert Record.read(tmp_path / "2020-01-31.json") == again
    assert len([*tmp_path.iterdir()]) == 10


def test_other_machines_are_told_before_what_became_slower():
    there = replace(RECORD, machine={"processors": 64, "python": "3.12"})
    assert [*compared(RECORD, there)][:2] == [
        "other machine or packages: processors 2 → 64",
        "other machine or packages: python unknown → 3.12",
    ]


@pytest.mark.parametrize(
    "row, wanted",
    [
        (Row("", 0.02, 1 / 40, goal="shared-task size"), "≤ 20 ms, ≥ 40 times"),
        (Row("", 0.03, 1 / 39, goal="shared-task size"), "≤ 20 ms (missed), ≥ 40 times (missed)"),
        (Row("", 3, megabytes=501, goal="tangle"), "≤ 3 s, ≤ 500 MB (missed)"),
        (Row("", 69.9, 3, unit="MB/s", goal="reading jsonl"), "≤ 3 times, ≥ 70 MB/s (missed)"),
        (Row("", 1, 1.16, goal="corescore score of one short document"), "≤ 1.15 times (missed)"),
        (Row("", 1), ""),
    ],
)
def test_a_limit_that_is_missed_is_marked(row, wanted):
    assert with_goals(row).wanted == wanted


def test_the_ratios_of_before_are_beside_that_of_the_run():
    row = Row("", 1, 0.3, "0.30 times a loop", goal="reading CoNLL, a book")
    assert with_goals(row).against == "0.30 times a loop (0.1.0: 0.50, ca186de: 0.56)"


def test_runs_are_compared_by_ratios_where_there_are_some():
    now = replace(
        RECORD,
        rows=(
            replace(READING, what="reading 6.7 MB of CoNLL", value=80.0, ratio=2.0),
            replace(SCORE, value=5.0, ratio=2.1),
            replace(SWITCH, value=0.4),
            Row("new", 1.0),
        ),
    )
    assert [*compared(RECORD, now)] == [
        "faster: reading of CoNLL, 0.50 times as long by its ratio (4.00 → 2.00)",
        "the same: score, 1.05 times as long by its ratio (2.00 → 2.10)",
        "slower: page switch, 2.00 times as long by the time alone (200.0 ms → 400.0 ms)",
        "only in the new run: new",
    ]


# How the tests are run ----------------------------------------------------------------------------


@pytest.mark.parametrize("full, few", [(300, 80), (30, 8), (10, 5), (3, 3)])
def test_a_quick_run_draws_8_examples_for_30_but_at_least_5(full, few):
    drawn = []

    @settings(max_examples=full, database=None)
    @given(st.integers())
    def on_what_is_drawn(number):
        drawn.append(number)

    draw_fewer([SimpleNamespace(obj=on_what_is_drawn)])
    on_what_is_drawn()
    assert len(drawn) == few
