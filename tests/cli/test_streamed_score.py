"""`corescore score` of large files prints what it prints of small ones."""

import sys
from pathlib import Path

import pytest

from corescore.__main__ import main
from corescore.cli import score

KEY = """#begin document (a); part 000
a 0 0 Mia (0)
a 0 1 saw -
a 0 2 her (0)

#end document
#begin document (b); part 000
b 0 0 Tom (1)
b 0 1 slept -

#end document
"""
RESPONSE = KEY.replace("her (0)", "her (2)").replace("b 0 1 slept -", "b 0 1 slept (1)")


@pytest.fixture
def paths(tmp_path):
    paths = [tmp_path / f"{name}.conll" for name in ("key", "first", "second")]
    for path, text in zip(paths, (KEY, RESPONSE, KEY), strict=True):
        path.write_text(text)
    return [*map(str, paths)]


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--format", "json", "--per-document"],
        ["--format", "csv", "--match", "head"],
        ["--format", "markdown", "--average", "macro"],
        ["--format", "latex", "--singletons", "drop"],
        ["--as", "perl"],
        ["--as", "coval", "--format", "coval"],
    ],
)
def test_large_files_are_scored_as_small_ones(paths, options, capsys, monkeypatch):
    given = paths[:2] if "coval" in options else paths
    codes, printed = [], []
    for least in (10**9, 0):
        monkeypatch.setattr(score, "STREAMED_FROM", least)
        codes.append(main(["score", *given, *options]))
        printed.append(capsys.readouterr())
    assert codes == [0, 0]
    assert printed[0] == printed[1]


def test_problems_of_large_files_are_those_of_small_ones(paths, capsys, monkeypatch):
    monkeypatch.setattr(score, "STREAMED_FROM", 0)
    with Path(paths[1]).open("a") as response:
        response.write("#begin document (c); part 000\nc 0 0 x 1)\n")
    assert main(["score", *paths]) == 2
    assert "first.conll:13: entity 1 closes here" in capsys.readouterr().err


def test_the_bar_is_imported_only_on_a_terminal(paths, monkeypatch):
    monkeypatch.setattr(score, "STREAMED_FROM", 0)
    monkeypatch.delitem(sys.modules, "rich.progress", raising=False)
    assert main(["score", *paths]) == 0
    assert "rich.progress" not in sys.modules
