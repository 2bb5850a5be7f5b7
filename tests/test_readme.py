"""What the README shows works: its commands, its Python, its files, its pictures."""

import re
import shlex
from pathlib import Path

import pytest

from corescore.__main__ import main
from corescore.cli.program import COMMANDS
from corescore.corpus.files import read, write
from tests.support.gap import GAP_FILES
from tests.support.samples import first_documents

HOME = Path(__file__).parents[1]
README = (HOME / "README.md").read_text(encoding="utf-8")
LARGEST = 300_000  # bytes of a picture


def blocks(language):
    """(what it is, its lines) of each fenced block; "python mymetric.py" is a file."""
    for match in re.finditer(r"^```(.*)\n((?:.*\n)*?)```$", README, re.MULTILINE):
        kind, _, name = match[1].partition(" ")
        if kind == language:
            yield name, match[2]


def commands():
    """Each call of corescore in a shell block, without its comment."""
    for _, text in blocks("sh"):
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["corescore"]:
                yield words[1:]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with every file that the README names, where its examples run."""
    names = ("key", "cautious", "greedy", "cautious")
    key, *outputs = (first_documents(name, 5) for name in names)
    copies = {"key.conll": key, "response.conll": outputs[0]}
    copies |= {"a.conll": outputs[0], "b.conll": outputs[1]}
    copies |= {f"outputs/{name}.conll": text for name, text in zip("abc", outputs, strict=True)}
    copies |= {"gold/d.conll": key, "output/d.conll": outputs[0]}
    copies |= {f"evaluation/{of}/key.conll": key for of in ("news", "talk")}
    copies |= {f"evaluation/{of}/a.conll": outputs[0] for of in ("news", "talk")}
    for name, text in copies.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write(read(tmp_path / "a.conll"), tmp_path / "predictions.jsonl")
    (tmp_path / "genres.tsv").write_text("news_tram\treport\n", encoding="utf-8")
    for name, text in GAP_FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, text in (*blocks("python"), *blocks("text")):
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_a_command_of_the_readme_works(words, desk, capsys, monkeypatch):
    served = []
    app = {"launch": lambda *files, **how: served.append(files)}
    monkeypatch.setattr("corescore.cli.report.run_module", lambda path: app)
    before = {path for path in desk.rglob("*") if path.is_file()}
    assert main(words) == 0
    made = {path for path in desk.rglob("*") if path.is_file()} - before
    named = words[words.index("--out") + 1] if "--out" in words else words[-1]
    if "--out" in words or words[0] == "convert":
        assert {path.relative_to(desk).as_posix(): path.stat().st_size > 0 for path in made} == {
            named: True
        }
    else:
        assert not made
        assert capsys.readouterr().out if words[0] != "dashboard" else len(served) == 1


def test_every_command_is_in_the_readme():
    assert {command.name for command in COMMANDS} <= {words[0] for words in commands()}


def test_the_python_of_the_readme_runs(desk):
    names = {}
    for name, text in blocks("python"):
        if not name:
            exec(compile(text, "README.md", "exec"), names)
    assert names["result"]["bcub"].f1 > 0


def test_the_warnings_of_the_example_are_those_of_the_readme(desk, capsys):
    command = next(words for words in commands() if words[:2] == ["score", "gold.md"])
    assert main(command) == 0
    out, err = capsys.readouterr()
    rows = re.findall(r"^\| `(.*?)` \| .*$", README.partition("| warning |")[2], re.MULTILINE)[:4]
    assert len(rows) == err.count("warning: ") == 4
    assert all(row in err for row in rows)
    assert re.search(r"Mentions .* 6/7 +6/6", out)
    assert main([word for word in command if word != "--repair-brackets"]) == 2


@pytest.mark.parametrize("path", re.findall(r"\]\((?!http|#)([^)]+)\)", README))
def test_what_the_readme_links_to_is_there_and_small(path):
    assert (HOME / path).is_file()
    if path.endswith(".png"):
        assert (HOME / path).stat().st_size <= LARGEST


def test_each_promise_names_a_test_that_holds_it():
    section = README.partition("## What it promises\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert rows
    for row in rows:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", row.split("|")[-2])
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (HOME / "tests" / file).read_text(encoding="utf-8"), row
