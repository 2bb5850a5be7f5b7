"""The wheel, the README and the sample data are what they say."""

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from distributed import LocalCluster
from nbclient import NotebookClient

import corescore
from corescore import read as read_of_sample_data
from corescore import score
from corescore.__main__ import main
from corescore.cli.program import commands_of, groups
from corescore.corpus.files import read, write
from corescore.corpus.formats.registry import FORMATS
from corescore.teaching.own import read_cards
from corescore.util import bundled
from corescore.version import __version__
from tests.pictures.__main__ import PICTURES
from tests.support import gaps
from tests.support.samples import first_documents
from tests.support.texts import GAP_FILES

# The wheel: what is in it, and that it works outside of the checkout ------------------------------

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the sdist of a copy so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = (
        f"git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t {folder}"
    )
    subprocess.run(copy, shell=True, cwd=ROOT, check=True)
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--outdir",
        folder,
        folder,
    ]
    subprocess.run(command, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_the_wheel_holds_the_dashboard_the_sample_and_the_type_marker(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"corescore"}
    tracked = subprocess.run(
        ["git", "ls-files", "corescore", "dashboard", "sample_data"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert "corescore/py.typed" in tracked
    inside = {
        path if path.startswith("corescore/") else f"corescore/bundled/{path}" for path in tracked
    }
    assert inside <= names


@pytest.mark.slow
def test_the_installed_wheel_scores_its_own_sample_outside_of_the_checkout(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    script = (
        "import corescore, sys; from corescore.util import bundled; "
        "sys.path.append(str(bundled('dashboard').parent)); import dashboard.launch; "
        "sample = bundled('sample_data'); print(corescore.__file__); "
        "print(corescore.score(*(corescore.read(sample / f'{n}.conll') for n in ('key', 'greedy')))"
        "['conll'].f1)"
    )
    where, f1 = printed(script, tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert Path(where).is_relative_to(tmp_path)
    assert 0 < float(f1) < 1


def printed(script, folder=ROOT, **environment):
    """The words that a script prints."""
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return answer.stdout.split()


SCORED = "import corescore; corescore.score('sample_data/key.conll', 'sample_data/greedy.conll')"


@pytest.mark.parametrize("start", [SCORED, "from corescore.cli.program import groups; groups()"])
def test_nothing_slow_is_imported_before_it_is_needed(start):
    """Each of these takes longer to import than most corpora take to score."""
    script = f"import sys; {start}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    imported = printed(script)
    assert "corescore" in imported
    slow = {"pandas", "plotly", "scipy", "streamlit", "jinja2", "rich", "lxml", "multiprocessing"}
    assert slow.isdisjoint(imported)


@pytest.mark.parametrize("command", [["score"], []])
def test_scoring_imports_no_other_command(command):
    words = [*command, "sample_data/key.conll", "sample_data/greedy.conll"]
    script = f"import sys; from corescore.cli.program import run; run({words}); print(*sys.modules)"
    imported = printed(script)
    assert "corescore.cli.score" in imported
    assert "corescore.cli.compare" not in imported


def test_the_public_names_are_those_that_are_imported_when_one_is_needed():
    public = importlib.import_module("corescore.api")
    assert corescore.__all__ == public.__all__
    for name in public.__all__:
        assert getattr(corescore, name) is getattr(public, name)
    assert corescore.scoring.__name__ == "corescore.scoring"
    assert {*corescore.__all__} <= {*dir(corescore)}
    with pytest.raises(AttributeError, match="module 'corescore' has no attribute 'scores'"):
        corescore.scores  # noqa: B018


# What README and documentation show works: commands, Python, files, pictures, links ---------------

HOME = Path(__file__).parents[1]
DOCS = HOME / "docs"
README = HOME / "README.md"
WRITTEN = [path for path in sorted(DOCS.rglob("*.md")) if path.parent.name != "generated"]
CONTRIBUTING = HOME / "CONTRIBUTING.md"
PAGES = {
    path.relative_to(HOME).as_posix(): path.read_text("utf-8")
    for path in (README, CONTRIBUTING, *WRITTEN)
}
RESPONSES = ("cautious", "greedy", "heads", "nearest")
SAMPLE = ("key", *RESPONSES)
LARGEST = 300_000  # bytes of a picture
MOST_LINES = 180  # of the README


def blocks(language, pages=tuple(PAGES)):
    """(name, lines) of each fenced block of some pages; "python mymetric.py" is a file."""
    for page in pages:
        for match in re.finditer(r"^```(.*)\n((?:.*\n)*?)```$", PAGES[page], re.MULTILINE):
            kind, _, name = match[1].partition(" ")
            if kind == language:
                yield name, match[2]


def printed_blocks(page):
    """Its blocks of a command and what that prints."""
    texts = (text for _, text in blocks("console", [page]))
    return [text for text in texts if text.startswith("$ corescore ") and text.count("\n") > 1]


def commands():
    """Each call of corescore in a shell block, once, without its comment."""
    lines = (line for _, text in blocks("sh") for line in text.splitlines())
    calls = (tuple(shlex.split(line, comments=True)) for line in lines)
    return [words[1:] for words in dict.fromkeys(calls) if words[:1] == ("corescore",)]


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    """A folder with every file that the pages name, two documents of the sample data in each."""
    folder = tmp_path_factory.mktemp("laid")
    (folder / "sample_data").mkdir()
    for path in (HOME / "sample_data").iterdir():
        if path.suffix != ".conll":
            (folder / "sample_data" / path.name).symlink_to(path)
    names = ("key", "cautious", "greedy", "cautious")
    key, *outputs = (first_documents(name, 2) for name in names)
    copies = {f"sample_data/{name}.conll": first_documents(name, 2) for name in SAMPLE}
    copies |= {"key.conll": key, "response.conll": outputs[0]}
    copies |= {"a.conll": outputs[0], "b.conll": outputs[1]}
    copies |= {f"outputs/{name}.conll": text for name, text in zip("abc", outputs, strict=True)}
    copies |= {f"{of}.run{n}.conll": copies[f"{of}.conll"] for of in "ab" for n in (1, 2)}
    copies |= {"key.conllu": gaps.KEY.decode(), "response.conllu": gaps.RESPONSE.decode()}
    sets = HOME / "sample_data" / "split_antecedents"
    copies |= {path.name: path.read_text("utf-8") for path in sets.iterdir()}
    copies |= {"gold/d.conll": key, "output/d.conll": outputs[0]}
    copies |= {f"evaluation/{of}/key.conll": key for of in ("news", "talk")}
    copies |= {f"evaluation/{of}/a.conll": outputs[0] for of in ("news", "talk")}
    for name, text in copies.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    write(read(folder / "a.conll"), folder / "predictions.jsonl")
    (folder / "genres.tsv").write_text("news_tram\treport\n", "utf-8")
    for name, text in GAP_FILES.items():
        (folder / name).write_text(text, "utf-8")
    for name, text in (*blocks("python"), *blocks("text")):
        if name:
            (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def desk(laid, tmp_path, monkeypatch):
    """A copy of it with all of the sample data, where the Python of the pages runs."""
    others = shutil.ignore_patterns("sample_data")
    shutil.copytree(laid, tmp_path, ignore=others, dirs_exist_ok=True)
    (tmp_path / "sample_data").symlink_to(HOME / "sample_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files_of(folder):
    return {(path, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


TAKE_A_SECOND = {"--find", "conformance", "report"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=[pytest.mark.slow] * bool(TAKE_A_SECOND & {*words}))
        for words in commands()
    ],
    ids=" ".join,
)
def test_a_command_works(words, laid, capsys, monkeypatch):
    monkeypatch.chdir(laid)
    served = []
    app = {"launch": lambda *files, **how: served.append(files)}
    monkeypatch.setattr("corescore.cli.report.run_module", lambda path: app)
    before = files_of(laid)
    assert main(words) == 0
    made = {path.relative_to(laid).as_posix(): path for path, _ in files_of(laid) - before}
    sizes = {name: path.stat().st_size for name, path in made.items()}
    for path in made.values():
        path.unlink()
    named = words[words.index("--out") + 1] if "--out" in words else words[-1]
    if "--out" in words or words[0] == "convert":
        assert [*sizes] == [named]
        assert sizes[named] > 0
    else:
        assert not sizes
        assert capsys.readouterr().out if words[0] != "dashboard" else len(served) == 1


def test_every_command_is_shown():
    assert {command.name for command in commands_of(groups())} <= {words[0] for words in commands()}


@pytest.mark.parametrize("page", [page for page in PAGES if "```python\n" in PAGES[page]])
def test_the_python_of_a_page_runs_and_its_commands_print_what_it_shows(
    page, desk, capsys, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "80")
    names = {}
    for name, text in blocks("python", [page]):
        if not name:
            exec(compile(text, page, "exec"), names)
    assert names["corescore"]
    capsys.readouterr()
    for text in printed_blocks(page):
        expect_printed(text, capsys)


def test_the_python_for_a_cluster_runs(desk, capsys):
    ((name, text),) = (of for of in blocks("python", ["docs/howto/clusters.md"]) if of[0])
    (desk / "others").mkdir()
    (desk / "others" / "d.conll").write_text(first_documents("greedy", 2), "utf-8")
    here = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **here) as cluster:
        local = text.replace("tcp://10.0.0.1:8786", cluster.scheduler_address)
        assert local != text
        exec(compile(local, name, "exec"), {})
    assert "bcub" in capsys.readouterr().out


def test_the_cards_of_a_page_are_read(tmp_path):
    ((_, text),) = blocks("json")
    (tmp_path / "cards.json").write_text(text, "utf-8")
    assert [card.title for card in read_cards(str(tmp_path / "cards.json"))] == ["One wrong link"]


def test_the_readme_is_short_and_pages_show_what_commands_print():
    assert len(PAGES["README.md"].splitlines()) <= MOST_LINES
    pages = [page for page in PAGES if printed_blocks(page)]
    assert pages == ["README.md", "docs/guides/comparing.md", "docs/howto/losses.md"]
    assert all("```python\n" in PAGES[page] for page in pages)  # see above


def expect_printed(text, capsys):
    """A block of a command and what it prints is what it prints."""
    command, _, printed = text.partition("\n")
    assert main(shlex.split(command.removeprefix("$ corescore "))) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()


@pytest.mark.slow
def test_the_notebook_runs(tmp_path):
    notebook = nbformat.read(DOCS / "first_steps.ipynb", as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", ())]
    assert len(shown) == sum(cell.cell_type == "code" for cell in notebook.cells)
    assert sum("text/html" in data for data in shown) >= 6


def test_the_warnings_of_the_example_are_those_of_its_page(desk, capsys):
    command = next(words for words in commands() if words[:2] == ("score", "gold.md"))
    assert main(command) == 0
    out, err = capsys.readouterr()
    rows = re.findall(
        r"^\| `(.*?)` \| .*$",
        PAGES["docs/howto/language-models.md"].partition("| warning |")[2],
        re.MULTILINE,
    )[:4]
    assert len(rows) == err.count("warning: ") == 4
    assert all(row in err for row in rows)
    assert re.search(r"Mentions .* 6/7 +6/6", out)
    assert main([word for word in command if word != "--repair-brackets"]) == 2


LINKS = [
    (page, path) for page in PAGES for path in re.findall(r"\]\((?!http)([^)#]+)", PAGES[page])
]


@pytest.mark.parametrize("page, path", LINKS)
def test_links_lead_to_files_and_pictures_are_small(page, path):
    target = (HOME / page).parent / path
    assert target.is_file()
    if path.endswith(".png"):
        assert target.stat().st_size <= LARGEST


def test_the_pictures_that_are_shown_are_those_that_are_taken():
    shown = {Path(path).stem for _, path in LINKS if path.endswith(".png")}
    assert shown == {picture.name for picture in PICTURES}
    assert shown == {path.stem for path in (DOCS / "pictures").iterdir()}


def test_each_promise_names_a_test_that_holds_it():
    page = PAGES["docs/reference/promises.md"]
    rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
    assert rows
    for row in rows:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", row.split("|")[-2])
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (HOME / "tests" / file).read_text("utf-8"), row


def test_every_format_is_explained():
    page = PAGES["docs/reference/formats.md"]
    assert all(re.search(rf"^\|.*`{known.id}`", page, re.MULTILINE) for known in FORMATS)


@pytest.mark.parametrize("page", ["README.md", "docs/start.md"])
def test_the_number_of_formats_is_counted(page):
    assert re.findall(r"(\d+) \[?formats\]", PAGES[page]) == [str(len(FORMATS))]


def test_the_version_to_cite_is_that_of_the_package():
    citation = (HOME / "CITATION.cff").read_text("utf-8")
    assert f'\nversion: "{__version__}"\n' in citation


# The sample data is what its README says, and can be made again -----------------------------------

FOLDER = bundled("sample_data")
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


def scored(response):
    return score(
        read_of_sample_data(FOLDER / "key.conll"), read_of_sample_data(FOLDER / f"{response}.conll")
    )


@pytest.mark.slow
def test_the_resolvers_make_the_same_bytes_again(tmp_path):
    command = [sys.executable, "-m", "sample_data.resolvers", str(tmp_path)]
    subprocess.run(command, check=True)
    for response in RESPONSES:
        again = (tmp_path / f"{response}.conll").read_bytes()
        assert again == (FOLDER / f"{response}.conll").read_bytes()


@pytest.mark.parametrize("name", SAMPLE)
def test_writing_what_was_read_gives_the_same_bytes(name, tmp_path):
    corpus = read_of_sample_data(FOLDER / f"{name}.conll")
    write(corpus, tmp_path / "again.conll")
    assert not corpus.warnings
    assert (tmp_path / "again.conll").read_bytes() == (FOLDER / f"{name}.conll").read_bytes()


@pytest.mark.parametrize("response", RESPONSES)
def test_the_readme_has_the_scores(response):
    lines = (FOLDER / "README.md").read_text("utf-8").splitlines()
    row = next(line for line in lines if line.startswith(f"| `{response}` |"))
    result = scored(response)
    assert result.signature in "\n".join(lines)
    for metric in (*METRICS, "conll", "mentions"):
        assert f"| {100 * result[metric].f1:.2f} " in row


SPLIT = FOLDER / "split_antecedents"


@pytest.mark.parametrize("policy", ["score", "drop"])
@pytest.mark.parametrize("response", ["sets", "plain"])
def test_the_readme_has_the_scores_with_and_without_split_antecedents(response, policy):
    row = f"| `{response}`, with |" if policy == "score" else "| both, without |"
    lines = (FOLDER / "README.md").read_text("utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith(row))
    sides = (
        read_of_sample_data(SPLIT / "key.conllua"),
        read_of_sample_data(SPLIT / f"{response}.conllua"),
    )
    result = score(*sides, split_antecedents=policy)
    assert line == " ".join([row, *(f"{100 * result[n].f1:.2f} |" for n in (*METRICS, "conll"))])


def test_the_readme_has_the_sizes_of_the_key_with_split_antecedents():
    key = read_of_sample_data(SPLIT / "key.conllua")
    n_words, n_mentions = (
        sum(len(getattr(one, of)) for one in key) for of in ("words", "mentions")
    )
    told = " ".join((FOLDER / "README.md").read_text("utf-8").split())
    n_entities = sum(one.n_entities for one in key)
    assert f"has {n_words} words, {n_mentions} mentions and {n_entities} entities, six of" in told
    assert sum(len(one.split_antecedents) for one in key) == 6
    assert (
        sum(len(one.split_antecedents) for one in read_of_sample_data(SPLIT / "sets.conllua")) == 7
    )
    assert not any(one.split_antecedents for one in read_of_sample_data(SPLIT / "plain.conllua"))


def test_the_readme_has_the_sizes_of_the_key():
    key = read_of_sample_data(FOLDER / "key.conll")
    n_words = sum(len(document.words) for document in key)
    n_mentions = sum(len(document.mentions) for document in key)
    n_entities = sum(document.n_entities for document in key)
    n_singletons = sum(len(entity) == 1 for document in key for entity in document.entities)
    sizes = (
        f"{len(key)} documents, {n_words:,} words, {n_mentions:,} mentions, "
        f"{n_entities} entities, {n_singletons} of them singletons"
    )
    assert sizes in (FOLDER / "README.md").read_text("utf-8")


TEXTBOOK = {
    ("luo2005", "a", "ceafm"): 83.33,
    ("luo2005", "b", "ceafm"): 58.33,
    ("luo2005", "c", "ceafm"): 41.67,
    ("luo2005", "d", "ceafm"): 25.00,
    ("recasens2011", "response", "blanc"): 70.78,
    ("moosavi2016", "cr1", "ceafe"): 44.44,
    ("moosavi2016", "cr2", "muc"): 60.00,
    ("pradhan2014", "response", "bcub"): 45.45,
}


@pytest.mark.parametrize("name, response, metric", TEXTBOOK)
def test_the_textbook_files_score_as_printed(name, response, metric):
    """The derivations are in metrics/test_values.py."""
    sides = (FOLDER / "textbook" / f"{name}.{side}.txt" for side in ("key", response))
    assert round(100 * score(*sides)[metric].f1, 2) == TEXTBOOK[name, response, metric]


def test_luo_2014():
    """bc of ab, ac, bc and of bc, de; and bd and cd, but not ad, be, ce: 17/35."""
    sides = (FOLDER / "textbook" / f"luo2014.{side}.txt" for side in ("key", "response"))
    f1 = score(*sides, blanc="luo2014").document_scores["blanc"].f1
    assert [*f1] == pytest.approx([17 / 35, 0, 1 / 3, 1 / 2])
