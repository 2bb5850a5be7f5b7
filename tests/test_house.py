"""The house: imports go one way, the core stays small, a metric is one file and one line."""

import ast
import gc
import io
import json
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from threading import Barrier, Thread
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from corescore.counting.matching import equal_values
from corescore.util import once, once_of
from tests.support import every_command, every_page
from tests.support.browser import open_at, served, turn_to, watched
from tests.support.code import nodes_of, tree_of
from tests.support.own_metric import plant

# The core stays small: modules of one subject each, and no more code than it has ------------------

HOME = Path(__file__).parents[1]


def name_of(path, home=HOME):
    """corescore/corpus/formats/conll.py → corescore.corpus.formats.conll; a package is its name."""
    parts = path.relative_to(home).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PACKAGES = ("corescore", "dashboard")
EVERY_FILE = {
    name_of(path): path for top in PACKAGES for path in sorted((HOME / top).rglob("*.py"))
}
FILES = {name: path for name, path in EVERY_FILE.items() if name.startswith("corescore")}
MODULES = [name for name, path in FILES.items() if path.name != "__init__.py"]

MOST_TOKENS = 383_990  # may be lowered, and raised only by hand
MOST_MODULES = 187
MOST_TWINS = 3  # names of classes in more than one module
MOST_EMPTY_NAMES = 6  # may be lowered, and raised only by hand
EMPTY_NAMES = {"told", "said", "found", "at", "of", "it"}
FEW_MODULES = 3
FEW_LINES = 60
SHORT = {
    "corescore.__main__": "where the program starts",
    "corescore.cli.signals": "imported before all else",
    "corescore.corpus.formats.registry": "the list of the formats",
    "corescore.version": "read by the build",
}
ALONE = {
    "corescore.analysis.gap": "a task of its own",
    "corescore.distributed": "public, and imports Dask",
    "corescore.metrics.explanation": "one function from unit and textbook to words",
    "corescore.metrics.own": "public: metrics of one's own",
    "corescore.sentences.perturbation": "sentences, which the dashboard shows",
    "corescore.counting.text2text": "one format of the field, put onto its key",
}
# Each module of these is one group of commands, one format, one paper's figures or cards, or a
# section of a report.
LISTS = (
    *("corescore.cli", "corescore.corpus.formats", "corescore.replication", "corescore.teaching"),
    "corescore.rendering.report",
)


def n_tokens(name):
    skipped = {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER),
        *(tokenize.INDENT, tokenize.DEDENT),
    }
    docstrings = {
        node.body[0].lineno
        for node in nodes_of(tree_of(FILES[name]))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    }
    text = FILES[name].read_text("utf-8")
    return sum(
        token.type not in skipped
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


CLOCKS = {
    *("perf_counter", "process_time", "monotonic", "thread_time", "default_timer"),
    *("perf_counter_ns", "process_time_ns", "monotonic_ns", "thread_time_ns", "getrusage"),
}


def named_in(tree):
    """The names and attributes in a piece of code."""
    return {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(tree)}


def timed_assertions(tree):
    """The lines of assertions about a clock, or about a name to which a time is assigned."""
    timed = set(CLOCKS)
    kinds = ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr
    assigned = []
    for node in nodes_of(tree):
        if isinstance(node, kinds) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            made = {name for target in targets for name in named_in(target)} - {""}
            assigned.append((named_in(node.value), made))
    # what is made of a time is a time
    while more := set().union(*(made for used, made in assigned if used & timed)) - timed:
        timed |= more
    every = [node for node in nodes_of(tree) if isinstance(node, ast.Assert)]
    return [node.lineno for node in every if named_in(node) & timed]


@pytest.mark.parametrize(
    "text",
    [
        "assert time.perf_counter() - start < 10",
        "took = process_time() - start\nassert took < 1",
        "end = monotonic() + 3\nlate = end + 1\nassert now < late",
    ],
)
def test_the_rule_finds_assertions_about_time(text):
    assert timed_assertions(ast.parse(text)) == [text.count("\n") + 1]


def test_no_test_asserts_how_long_something_takes():
    """Machines differ: count work (`tests/support/work.py`), or print a ratio in a benchmark."""
    every = sorted((HOME / "tests").rglob("*.py"))
    wrong = {
        path.name: timed_assertions(tree_of(path))
        for path in every
        if "benchmarks" not in path.parts and any(clock in path.read_text() for clock in CLOCKS)
    }
    assert {name: lines for name, lines in wrong.items() if lines} == {}


@pytest.mark.slow
def test_the_core_does_not_grow():
    assert sum(map(n_tokens, FILES)) <= MOST_TOKENS
    assert len(FILES) <= MOST_MODULES


def test_short_modules_have_a_reason():
    lines = {name: len(FILES[name].read_text("utf-8").splitlines()) for name in MODULES}
    assert {name for name, n in lines.items() if n < FEW_LINES} == {*SHORT}


def test_modules_that_one_other_imports_have_a_reason():
    """The others belong into that one."""
    users = defaultdict(set)
    for name, path in EVERY_FILE.items():
        for module in imported_by(tree_of(path)) & {*MODULES}:
            users[module].add(name)
    alone = {name for name, of in users.items() if len(of) == 1}
    assert {name for name in alone if not name.startswith(LISTS)} == {*ALONE}


def test_every_module_says_what_it_is():
    """In its first line, a sentence of its own."""
    first = {name: (ast.get_docstring(tree_of(path)) or "") for name, path in EVERY_FILE.items()}
    whole = {name: text.partition("\n\n")[0] for name, text in first.items()}
    assert {name for name, text in whole.items() if not text.endswith((".", "?", ":"))} == set()
    twice = Counter(whole.values())
    assert {name for name, text in whole.items() if twice[text] > 1} == set()


def test_names_in_docstrings_are_those_of_the_code():
    for name, path in EVERY_FILE.items():
        for dotted in re.findall(r"`((?:corescore|dashboard)(?:\.\w+)+)", path.read_text("utf-8")):
            module = dotted
            while module not in EVERY_FILE:
                module = module.rpartition(".")[0]
            thing = dotted[len(module) + 1 :].partition(".")[0]
            there = EVERY_FILE[module].read_text("utf-8")
            assert re.search(rf"\b{thing}\b", there), f"{name}: {dotted}"


def named(files, kind):
    """In how many modules each name is defined."""
    every = (node for path in files.values() for node in tree_of(path).body)
    return Counter(node.name for node in every if isinstance(node, kind)).items()


def test_few_classes_have_one_name():
    assert len([name for name, n in named(FILES, ast.ClassDef) if n > 1]) <= MOST_TWINS


def empty_names(tree):
    """Where a value is called by a word that says nothing of it: in assignments, parameters and
    fields. What a loop, a comprehension or a lambda names ends with it."""
    loops = [one.target for one in nodes_of(tree) if isinstance(one, ast.For | ast.comprehension)]
    loops += [one.args for one in nodes_of(tree) if isinstance(one, ast.Lambda)]
    passing = {node for loop in loops for node in ast.walk(loop)}
    kinds = ast.Name, ast.arg, ast.Attribute, ast.ExceptHandler, ast.MatchAs
    for node in nodes_of(tree):
        if isinstance(node, kinds) and node not in passing:
            names = {getattr(node, key, None) for key in ("id", "arg", "attr", "name")}
            if EMPTY_NAMES & names and isinstance(getattr(node, "ctx", ast.Store()), ast.Store):
                yield node.lineno


@pytest.mark.parametrize(
    "text, n",
    [
        ("found = 1\nof: int = 2\nit, (at, name) = 3, (4, 5)", 4),
        ("def f(at, *, told=1): self.said = at", 3),
        ("class A:\n    of: str = ''", 1),
        ("if found := g(at): print(found)", 1),
        ("for at, of in x: y[at] = [it for it in of]", 0),
        ("sort(key=lambda of: of.name)", 0),
        ("f(found=1, at=x.of)", 0),
    ],
)
def test_the_rule_finds_names_that_say_nothing(text, n):
    assert len([*empty_names(ast.parse(text))]) == n


def test_values_have_names_that_say_which_thing_they_are():
    n = {name: len([*empty_names(tree_of(path))]) for name, path in EVERY_FILE.items()}
    assert sum(n.values()) <= MOST_EMPTY_NAMES, {name: found for name, found in n.items() if found}


def test_few_private_functions_have_one_name_in_many_modules():
    """A name that is unique enough can be searched for."""
    often = {name for name, n in named(EVERY_FILE, ast.FunctionDef) if n > FEW_MODULES}
    assert not {name for name in often if name.startswith("_")}


def names_of_imports(tree):
    """What a file calls each thing that it imports, and each thing of a module that it imports."""
    modules, names = {}, defaultdict(set)
    for node in nodes_of(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            of = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for one in node.names:
                called = one.asname or one.name
                names[of + one.name].add(called)
                modules[called] = of + one.name
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in modules:
            thing = f"{modules[node.value.id]}.{node.attr}"
            if thing in names:
                names[thing].add(f"{node.value.id}.{node.attr}")
    return names


def test_a_file_calls_a_thing_by_one_name():
    for name, path in EVERY_FILE.items():
        every = names_of_imports(tree_of(path))
        assert {thing: names for thing, names in every.items() if len(names) > 1} == {}, name


# Imports go one way: every file imports only from layers below its own, and nothing in a ----------

# From the bottom up. What stands in one line knows nothing of its neighbours; the files of one
# package may import from each other.
LAYERS = (
    {
        "corescore.util",
        "corescore.bibliography",
        "corescore.version",
    },
    {"corescore.wording"},
    {"corescore.corpus"},
    {"corescore.counting"},
    {"corescore.metrics"},
    {"corescore.scoring"},
    {"corescore.analysis.errors.classes"},
    {"corescore.analysis.credit", "corescore.analysis.significance"},
    {"corescore.analysis.errors"},
    {
        "corescore.analysis.explain",
        "corescore.analysis.gap",
        "corescore.analysis.long_documents",
        "corescore.analysis.perturbation",
        "corescore.analysis.scorers",
    },
    {"corescore.analysis.search"},
    {
        "corescore.analysis.systems",
        "corescore.analysis.decomposition",
        "corescore.analysis.split_antecedents",
    },
    {"corescore.analysis.error_table"},
    {"corescore.replication"},
    {"corescore.teaching"},
    {"corescore.sentences"},
    {"corescore.plots"},
    {"corescore.rendering"},
    {"corescore.distributed"},
    {"corescore.api"},
    {"corescore.migration"},
    {"corescore"},
    {"corescore.cli"},
    {"corescore.__main__"},
    {"dashboard.components"},
    {"dashboard.session"},
    {"dashboard.widgets"},
    {"dashboard.views"},
    {"dashboard.navigation", "dashboard.ahead"},
    {"dashboard.app", "dashboard.launch", "dashboard"},
)
LAYER_OF = {name: number for number, layer in enumerate(LAYERS) for name in layer}


# Methods of results, which import what draws, lists or compares them inside their bodies: the only
# imports that go up. What they return may be imported for the type checker.
GOES_UP = {
    "corescore.corpus.documents": ("Document._repr_html_", "Corpus._repr_html_"),
    "corescore.counting.counts": ("Score._repr_html_",),
    "corescore.scoring.tally": (
        *("Tally.plot", "Tally._repr_html_"),
        *("Tally.compare", "Tally.save"),
    ),
    "corescore.scoring.scores": (
        "Result.show",
        *("Result.credit", "Result.marginal", "Result.errors", "Result.error_table"),
        *("Result.find", "Result.decomposition", "Result.sweep", "Result.incorrectly_resolved"),
    ),
    "corescore.analysis.error_table.table": ("ErrorList.show",),
    "corescore.analysis.perturbation.sweep": ("Sweep.plot", "Sweep._repr_html_"),
    "corescore.analysis.systems.data_sets": ("DataSets._repr_html_",),
    "corescore.analysis.systems.effect": ("IdentificationEffect.plot",),
    "corescore.analysis.systems.pair": ("Pair.plot", "Pair._repr_html_"),
    "corescore.analysis.systems.runs": ("PairOverRuns._repr_html_",),
    "corescore.replication.experiment": ("Outcome.plot", "Outcome._repr_html_"),
}

# These start a program, or are what starts fast: they import modules below when they need them.
STARTS = (
    *("corescore.__main__", "corescore.api", "corescore.cli"),
    *("dashboard.launch", "dashboard.ahead"),
)


def imported_by(tree, without=()):
    """The modules that a piece of code imports anywhere, but for some nodes and what is in them."""
    modules, left_out = set(), {inner for node in without for inner in nodes_of(node)}
    for node in nodes_of(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            modules |= {one if one in EVERY_FILE else node.module for one in inner.values()}
    return modules


def methods_of(tree):
    return {
        f"{of.name}.{method.name}": method
        for of in tree.body
        if isinstance(of, ast.ClassDef)
        for method in of.body
        if isinstance(method, ast.FunctionDef)
    }


def names_in(node):
    """The names in a piece of code, in annotations that are texts, too."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        for annotation in (getattr(one, "annotation", None), getattr(one, "returns", None)):
            if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
                yield from names_in(ast.parse(annotation.value))


def goes_up(tree, name):
    """The nodes of a module whose imports may go up: its listed methods, and imports for the type
    checker of what is named in no other place."""
    methods = [of for called, of in methods_of(tree).items() if called in GOES_UP.get(name, ())]
    inside = Counter(chain.from_iterable(map(names_in, methods)))
    everywhere = Counter(names_in(tree)) if methods else {}
    types = [
        node
        for of in tree.body
        if isinstance(of, ast.If) and getattr(of.test, "id", "") == "TYPE_CHECKING"
        for node in of.body
        if isinstance(node, ast.ImportFrom)
        if all(0 < inside[one.name] == everywhere[one.name] for one in node.names)
    ]
    return [*methods, *types]


@cache
def imports_down(path, home=HOME):
    tree = tree_of(path)
    return imported_by(tree, goes_up(tree, name_of(path, home)))


def test_the_listed_methods_import_from_layers_above_or_of_their_own():
    for name, methods in GOES_UP.items():
        there = methods_of(tree_of(EVERY_FILE[name]))
        for method in methods:
            (module,) = imported_by(there[method]) - {"pandas"}
            assert LAYER_OF[layer_entry(module)] >= LAYER_OF[layer_entry(name)], method


def test_modules_of_ours_are_imported_at_the_top():
    """Only what is slow to import, and not ours, is imported inside a function."""
    for name, path in EVERY_FILE.items():
        if not name.startswith(STARTS):
            tree = tree_of(path)
            allowed = goes_up(tree, name)
            inside = set()
            for node in nodes_of(tree):
                if isinstance(node, ast.FunctionDef) and node not in allowed:
                    inside |= imported_by(node, allowed)
            assert not {one for one in inside if one.partition(".")[0] in PACKAGES}, name


def layer_entry(module):
    """The longest name in LAYERS that the module is, or lies in."""
    parts = module.split(".")
    prefixes = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((name for name in prefixes if name in LAYER_OF), None)


def wrong_imports(path, home=HOME):
    here = layer_entry(name_of(path, home))
    for module in imports_down(path, home):
        if module.partition(".")[0] not in PACKAGES:
            continue
        there = layer_entry(module)
        if here != there and LAYER_OF[there] >= LAYER_OF[here]:
            yield module


def test_files_import_only_from_lower_layers():
    wrong = {name: sorted(wrong_imports(path)) for name, path in EVERY_FILE.items()}
    assert {name: modules for name, modules in wrong.items() if modules} == {}


def who_imports(*libraries):
    """The files that import any of these."""
    return {
        name
        for name, path in EVERY_FILE.items()
        if {module.partition(".")[0] for module in imported_by(tree_of(path))} & {*libraries}
    }


def test_only_the_dashboard_knows_streamlit_and_only_plots_know_plotly():
    """A figure's type is `corescore.plots.template.Figure` for everyone else."""
    users = {"streamlit": "dashboard", "plotly": "corescore.plots"}
    for library, at in users.items():
        assert [name for name in who_imports(library) if not name.startswith(at)] == []


def test_one_module_reaches_into_streamlit():
    """`streamlit.runtime` is its inside, which any release may change."""
    inside = re.compile(r"^\s*from streamlit(\.runtime| import runtime)", re.MULTILINE)
    users = {name for name, path in EVERY_FILE.items() if inside.search(path.read_text())}
    assert users == {"dashboard.session.streamlit_inside"}


def test_only_what_scores_on_a_cluster_knows_dask():
    """It is an optional dependency, and slow to import."""
    of_cluster = "corescore.distributed", "corescore.cli.score"
    users = who_imports("dask", "distributed", "fsspec")
    assert [name for name in users if not name.startswith(of_cluster)] == []


def test_there_are_no_circles():
    """Imports inside functions count, too."""
    graph = {name: imports_down(path) & EVERY_FILE.keys() for name, path in EVERY_FILE.items()}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert set(graph) <= set(order)


def test_every_layer_is_there():
    assert {layer_entry(name) for name in EVERY_FILE} == set(LAYER_OF)


TABLE = "analysis.error_table.table"
LIST = f"from corescore.{TABLE} import ErrorList"
TYPED = f"if TYPE_CHECKING:\n    {LIST}\n"


@pytest.mark.parametrize(
    "file, text, wrong",
    [
        ("counting/counts", "from corescore.scoring.scores import score", "scoring.scores"),
        ("counting/counts", "from corescore import util", ""),
        ("scoring/scores", "def f():\n    from corescore.api import Result", "api"),
        (
            "scoring/scores",
            "if TYPE_CHECKING:\n    from corescore.analysis.errors import tables",
            "analysis.errors.tables",
        ),
        ("scoring/scores", f"class Result:\n  def find(self):\n    {LIST}", ""),
        ("scoring/scores", f"class Result:\n  def other(self):\n    {LIST}", TABLE),
        ("scoring/run", f"class Result:\n  def find(self):\n    {LIST}", TABLE),
        ("scoring/scores", f'{TYPED}class Result:\n  def find(self) -> "ErrorList": ...', ""),
        ("scoring/scores", f'{TYPED}class Result:\n  def other(self) -> "ErrorList": ...', TABLE),
        ("metrics/standard", "from corescore.metrics.metric import Metric", ""),
    ],
)
def test_the_rule_finds_what_breaks_it(file, text, wrong, tmp_path):
    path = tmp_path / "corescore" / f"{file}.py"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert [*wrong_imports(path, tmp_path)] == [f"corescore.{wrong}"] * bool(wrong)


# A metric is one file and one line: the documentation's own, added as it says, works --------------

NAMED = {"score", "errors --impact", "metrics", "compare", "sweep", "conformance"}
PAGES = {"overview", "credit", "entities", "errors", "perturb", "compare", "many", "sandbox"}


@pytest.fixture(scope="module")
def tree_of_seventh_metric(tmp_path_factory):
    return plant(tmp_path_factory.mktemp("seven"))


def run_in(tree_of_seventh_metric, script):
    """What a script of tests/support prints in the copied project, as values."""
    done = subprocess.run(
        [sys.executable, Path(script.__file__)],
        cwd=tree_of_seventh_metric,
        env=os.environ | {"PYTHONPATH": str(tree_of_seventh_metric)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.long
def test_every_command_works_with_it_and_names_it(tree_of_seventh_metric):
    for call in run_in(tree_of_seventh_metric, every_command):
        words, said = " ".join(call["words"]), call["out"].casefold()
        if words.startswith("credit") and "shared" in words:
            assert call["code"] == 2
            assert call["err"].startswith("corescore: metric 'shared' does not define credit")
            continue
        assert call["code"] == 0, (words, call["err"])
        assert "traceback" not in call["err"].casefold()
        if call["words"][0] in NAMED or "--impact" in words:
            assert "shared" in said, words
    report = (tree_of_seventh_metric / "report.html").read_text("utf-8")
    assert "How do the seven disagree" in report
    assert "Shared does not define credit" in report


@pytest.mark.slow
@pytest.mark.long
def test_every_page_works_with_it_and_names_it(tree_of_seventh_metric):
    pages = run_in(tree_of_seventh_metric, every_page)
    assert not [error for page in pages.values() for error in page["exceptions"]]
    assert {page for page in PAGES if "Shared" not in pages[page]["text"]} == set()
    assert "How do the seven metrics disagree" in pages["overview"]["text"]
    assert "Shared does not define credit" in pages["credit"]["text"]
    assert "Shared has no card" in pages["metrics"]["text"]
    assert "The arithmetic of Shared is not worked out here." in pages["sandbox"]["text"]


@pytest.mark.long
def test_a_browser_shows_it(tree_of_seventh_metric, chromium):
    with served(cwd=tree_of_seventh_metric) as address, watched(chromium, address) as page:
        open_at(page, address)
        expect(page.get_by_role("heading", level=1)).to_contain_text("the seven")
        expect(page.get_by_role("rowheader", name="Shared").first).to_be_visible()
        for name in ("Credit", "Compare", "Sandbox", "Metrics"):
            turn_to(page, name)
            expect(page.get_by_test_id("stException")).to_have_count(0)
        page.get_by_role("radio", name="Shared").click()
        expect(page.get_by_text("Shared has no card")).to_be_visible()


# Work that is done once, whoever asks for it ------------------------------------------------------


def test_threads_that_ask_at_the_same_time_get_what_was_made_once():
    n_threads, made, got = 8, [], []
    together = Barrier(n_threads)

    @once
    def doubled(number):
        made.append(number)
        return [2 * number]

    def ask():
        together.wait()
        got.append(doubled(7))

    threads = [Thread(target=ask) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [7]
    assert got == [[14]] * n_threads
    assert len({id(one) for one in got}) == 1


def test_who_asks_for_what_is_under_way_waits_for_it_and_others_do_not():
    begun, may_end = Barrier(2), Barrier(2)
    made = []

    @once
    def noted(name):
        if name == "slow":
            begun.wait()
            may_end.wait()
        made.append(name)
        return name

    slow, also_slow = (Thread(target=noted, args=["slow"]) for _ in range(2))
    slow.start()
    begun.wait()
    also_slow.start()
    assert noted("quick") == "quick"
    assert made == ["quick"]
    may_end.wait()
    slow.join()
    also_slow.join()
    assert made == ["quick", "slow"]


def test_what_failed_is_tried_again():
    tried = []

    @once
    def second_time(of):
        tried.append(of)
        if len(tried) == 1:
            raise ValueError(of)
        return of

    with pytest.raises(ValueError, match="x"):
        second_time("x")
    assert second_time("x") == "x"
    assert second_time("x") == "x"
    assert tried == ["x", "x"]


def test_work_may_ask_for_other_work_and_for_itself_on_something_else():
    @once
    def factorial(n):
        return n * factorial(n - 1) if n else 1

    assert factorial(5) == 120


class Thing:
    """Known by what it is, not by what it is like."""


def test_what_was_made_of_an_object_is_made_once_for_all_that_is_given():
    made = []

    @once_of
    def times(thing, given):
        made.append(given)
        return [given]

    one, other = Thing(), Thing()
    assert times(one, 2) is times(one, 2)
    assert times(one, 3) == [3]
    assert times(other, 2) is not times(one, 2)
    assert made == [2, 3, 2]


def test_what_was_made_of_an_object_is_forgotten_with_it():
    @once_of
    def of(thing, given):
        return Thing()

    gc.freeze()  # what other tests keep is not looked through
    thing = Thing()
    made = ref(of(thing, 1))
    gc.collect()
    assert made() is not None
    del thing
    gc.collect()
    assert made() is None


# Pairs of numbers against plain loops -------------------------------------------------------------

FEW = st.lists(st.integers(0, 5))


@given(FEW.map(sorted), st.lists(st.integers(-1, 6)))
def test_all_pairs_of_equal_values_are_found_repeats_too(key, response):
    found = equal_values(np.array(key, dtype=np.int64), np.array(response, dtype=np.int64))
    every = [(i, j) for j, r in enumerate(response) for i, k in enumerate(key) if k == r]
    assert [*zip(*(at.tolist() for at in found), strict=True)] == every
