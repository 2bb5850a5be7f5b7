"""Imports go one way: every file imports only from layers below its own, and nothing in a circle.

An import within a function counts like any other; one for the type checker alone, too, but in the
files of results, which draw, list and compare themselves by `corescore.util.later`.
"""

import ast
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]

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
    {"corescore.analysis.credit", "corescore.analysis.significance"},
    {"corescore.analysis.errors"},
    {
        "corescore.analysis.explain",
        "corescore.analysis.gap",
        "corescore.analysis.perturbation",
        "corescore.analysis.scorers",
    },
    {"corescore.analysis.systems"},
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
PACKAGES = ("corescore", "dashboard")


def files(home):
    return sorted(path for package in PACKAGES for path in (home / package).rglob("*.py"))


def name_of(path, home=HOME):
    """corescore/corpus/formats/conll.py → corescore.corpus.formats.conll; a package is its name."""
    parts = path.relative_to(home).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in files(HOME)}


@cache
def imported(path):
    """Every module that a file imports anywhere."""
    return set(_imported(path))


def _imported(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = {id(node) for node in _for_types(tree)} if [*_later(tree)] else ()
    for node in ast.walk(tree):
        if id(node) in typed:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in FILES else node.module


def _for_types(tree):
    """The imports for the type checker alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            yield from node.body


def _later(tree):
    """The places that a file names to `corescore.util.later`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "later":
            yield node.args[0].value


# Whose results know layers above by name.
RESULTS = {
    "corescore.scoring.tally",
    "corescore.scoring.scores",
    "corescore.analysis.error_table.table",
    "corescore.analysis.perturbation.sweep",
    "corescore.analysis.systems.pair",
    "corescore.replication.experiment",
}


def test_only_results_name_layers_above_and_what_they_name_is_there():
    named = {name: [*_later(ast.parse(path.read_text()))] for name, path in FILES.items()}
    assert {name for name, places in named.items() if places} == RESULTS
    for place in chain.from_iterable(named.values()):
        module, _, name = place.rpartition(".")
        assert callable(getattr(import_module(f"corescore.{module}"), name)), place


def layer_entry(module):
    """The longest name in LAYERS that the module is, or lies in."""
    parts = module.split(".")
    prefixes = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((name for name in prefixes if name in LAYER_OF), None)


def wrong_imports(path, home=HOME):
    here = layer_entry(name_of(path, home))
    for module in imported(path):
        if module.partition(".")[0] not in PACKAGES:
            continue
        there = layer_entry(module)
        if here != there and LAYER_OF[there] >= LAYER_OF[here]:
            yield module


def test_files_import_only_from_lower_layers():
    wrong = {name: sorted(wrong_imports(path)) for name, path in FILES.items()}
    assert {name: modules for name, modules in wrong.items() if modules} == {}


def who_imports(*libraries):
    """The files that import any of these."""
    return {
        name
        for name, path in FILES.items()
        if {module.partition(".")[0] for module in imported(path)} & {*libraries}
    }


def test_only_the_dashboard_knows_streamlit_and_only_plots_know_plotly():
    """A figure's type is `corescore.plots.template.Figure` for everyone else."""
    users = {"streamlit": "dashboard", "plotly": "corescore.plots"}
    for library, at in users.items():
        assert [name for name in who_imports(library) if not name.startswith(at)] == []


def test_only_what_scores_on_a_cluster_knows_dask():
    """It is an optional dependency, and slow to import."""
    of_cluster = "corescore.distributed", "corescore.cli.score"
    users = who_imports("dask", "distributed", "fsspec")
    assert [name for name in users if not name.startswith(of_cluster)] == []


def test_there_are_no_circles():
    graph = {name: imported(path) & FILES.keys() for name, path in FILES.items()}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert set(graph) <= set(order)


def test_every_layer_is_there():
    assert {layer_entry(name) for name in FILES} == set(LAYER_OF)


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        (
            "corescore/counting/counts.py",
            "from corescore.scoring.scores import score",
            ["corescore.scoring.scores"],
        ),
        ("corescore/counting/counts.py", "from corescore import util", []),
        ("corescore/counting/counts.py", "import corescore", ["corescore"]),
        (
            "corescore/scoring/scores.py",
            "def f():\n    from corescore.api import Result",
            ["corescore.api"],
        ),
        (
            "corescore/scoring/scores.py",
            "if TYPE_CHECKING:\n    from corescore.analysis.errors import tables",
            ["corescore.analysis.errors.tables"],
        ),
        ("corescore/metrics/muc.py", "from corescore.metrics.metric import Metric", []),
        ("corescore/cli/report.py", "import dashboard.app", ["dashboard.app"]),
        ("dashboard/views/text.py", "import corescore", []),
    ],
)
def test_the_rule_finds_what_breaks_it(file, text, wrong, tmp_path):
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert list(wrong_imports(path, tmp_path)) == wrong
