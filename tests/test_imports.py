"""Every file of corescore/ imports only from the floors below its own."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import corescore

HOUSE = Path(corescore.__file__).parent

# From the ground up. A room (a folder) is one entry, and its files may import from each other.
FLOORS = (
    {"arrays", "latex", "problems", "version"},
    {"documents", "counts", "english", "frames"},
    {"formats", "baselines", "synthetic"},
    {"matching", "pairing"},
    {"contingency"},
    {"comparison"},
    {"metrics"},
    {"scoring"},
    {"tables", "credit", "resampling"},
    {"errors"},
    {"explain", "groups", "perturb", "responses"},
    {"experiments"},
    {"sandbox"},
    {"pitfalls"},
    {"cards"},
    {"output"},
    {"__init__"},
    {"cli"},
    {"__main__"},
)
FLOOR_OF = {name: number for number, floor in enumerate(FLOORS) for name in floor}
ROOMS = {
    "cards",
    "cli",
    "credit",
    "errors",
    "experiments",
    "explain",
    "formats",
    "groups",
    "metrics",
    "perturb",
    "pitfalls",
    "resampling",
    "responses",
    "sandbox",
}

# Imports within a function that go up, each with its reason.
LAZY = {
    # A result makes its own tables, but pandas is slow to import and most scores need none.
    ("scoring", "tables"),
    ("scoring", "credit"),
    ("scoring", "errors"),
    ("scoring", "responses"),
    # The command line starts the dashboard, which is the only thing that needs Streamlit.
    ("cli", "dashboard"),
    # A result and a pair of results draw themselves for papers; nothing else needs plotly.
    ("scoring", "dashboard"),
    ("responses", "dashboard"),
}

FILES = sorted(path for path in HOUSE.rglob("*.py"))


def name_of(path):
    """formats/conll.py → formats.conll; formats/__init__.py → formats; __init__.py stays."""
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in FILES}
every_file = pytest.mark.parametrize("path", FILES, ids=name_of)


def imports_of(tree):
    """(module, whether within a function, or for the type checker alone) of every import."""
    lazy = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            yield from ((m, id(node) in lazy) for m in _imported(node.module, node.names))


def _imported(module, aliases):
    """`from corescore import read` is an import of corescore, `… import tables` of that file."""
    for alias in aliases:
        inner = f"{module}.{alias.name}"
        yield inner if inner.removeprefix("corescore.") in NAMES else module


def own_imports(path):
    """(file of corescore/, whether within a function) of what a file imports from corescore."""
    for module, lazy in imports_of(ast.parse(path.read_text(encoding="utf-8"))):
        if module == "corescore":
            yield "__init__", lazy
        elif module.startswith("corescore."):
            yield module.removeprefix("corescore."), lazy


def entry_of(name):
    return name.partition(".")[0]


def wrong_imports(path):
    here = entry_of(name_of(path))
    for name, lazy in own_imports(path):
        there = entry_of(name)
        in_one_room = here == there and here in ROOMS
        if in_one_room or (lazy and (here, there) in LAZY):
            continue
        if FLOOR_OF.get(there, len(FLOORS)) >= FLOOR_OF[here]:
            yield name


def test_every_file_stands_on_one_floor():
    assert sum(map(len, FLOORS)) == len(FLOOR_OF)
    assert {entry_of(name) for name in NAMES} - set(FLOOR_OF) == set()


@every_file
def test_a_file_imports_only_from_lower_floors(path):
    assert list(wrong_imports(path)) == []


@every_file
def test_a_file_draws_nothing(path):
    modules = {module.partition(".")[0] for module, _ in imports_of(ast.parse(path.read_text()))}
    assert modules & {"streamlit", "plotly", "dashboard"} == set()


def test_there_are_no_circles():
    graph = {
        name_of(path): {
            name
            for name, lazy in own_imports(path)
            if not (lazy and (entry_of(name_of(path)), entry_of(name)) in LAZY)
        }
        for path in FILES
    }
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert set(graph) <= set(order)


def test_what_is_imported_late_is_still_there():
    late = {
        (entry_of(name_of(path)), entry_of(name))
        for path in FILES
        for name, lazy in own_imports(path)
        if lazy
    }
    assert late >= LAZY


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("counts.py", "from corescore.scoring import score", ["scoring"]),
        ("counts.py", "from corescore import arrays", []),
        ("counts.py", "import corescore", ["__init__"]),
        ("counts.py", "def f():\n    from corescore import tables", ["tables"]),
        ("counts.py", "from corescore.documents import Corpus", ["documents"]),
        ("scoring.py", "from corescore.tables import score_table", ["tables"]),
        ("scoring.py", "def f():\n    from corescore.tables import score_table", []),
        ("scoring.py", "if TYPE_CHECKING:\n    from corescore.tables import score_table", []),
        ("counts.py", "if TYPE_CHECKING:\n    from corescore import tables", ["tables"]),
        ("metrics/muc.py", "from corescore.metrics.metric import Metric", []),
        ("metrics/muc.py", "if True:\n    import corescore.dashboard.app", ["dashboard.app"]),
    ],
)
def test_the_rule_finds_what_breaks_it(file, text, wrong, tmp_path, monkeypatch):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    monkeypatch.setattr("tests.test_imports.HOUSE", tmp_path)
    assert list(wrong_imports(path)) == wrong
