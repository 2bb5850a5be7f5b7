"""The list of faults that `make faults` makes is up to date, and its run counts what is found."""

import ast

import pytest

from tests import faults
from tests.support.faults import FAULTS
from tests.support.faults.fault import ROOT, Fault, FaultError


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_can_be_made_and_names_tests_that_exist(fault):
    fault.check()
    made = fault.made_in((ROOT / fault.file).read_text(encoding="utf-8"))
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
    ("changed", "said"),
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


@pytest.mark.parametrize(("outcomes", "code"), [("kkkkkkkkkS", 0), ("kkkkkkkkSS", 1)])
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
