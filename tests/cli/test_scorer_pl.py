"""`corescore scorer.pl`: the same as the console script, with its exit codes."""

import sys

import pytest

from corescore.__main__ import main, scorer

KEY = "#begin document a\nx\t(1)\nx\t(1)\n#end document\n"


def test_the_command_and_the_script_print_the_same(tmp_path, capsys, monkeypatch):
    path = tmp_path / "key.conll"
    path.write_text(KEY)
    arguments = ["muc", str(path), str(path), "none"]
    assert main(["scorer.pl", *arguments]) == 0
    printed = capsys.readouterr().out
    assert "Coreference: Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%\n" in printed
    monkeypatch.setattr(sys, "argv", ["corescore-scorer", *arguments])
    assert scorer() == 0
    assert capsys.readouterr().out == printed


def test_the_command_ends_with_the_exit_code_of_the_scorer(tmp_path, capsys):
    path = tmp_path / "key.conll"
    path.write_text(KEY.replace("(1)", "(1", 1))
    with pytest.raises(SystemExit) as stop:
        main(["scorer.pl", "muc", str(path), str(path)])
    assert stop.value.code == 25
    assert capsys.readouterr().err.endswith(" do not close\n")
