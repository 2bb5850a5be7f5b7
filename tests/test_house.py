"""The core stays small: modules of one subject each, and no more code than it has.

Code is counted in Python's tokens without comments and docstrings, so that squeezing lines gains
nothing.
"""

import ast
import io
import tokenize
from collections import Counter, defaultdict
from pathlib import Path

HOME = Path(__file__).parents[1]
FILES = {
    ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((HOME / "corescore").rglob("*.py"))
}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
MODULES = [name for name, path in FILES.items() if path.name != "__init__.py"]

MOST_TOKENS = 417_000  # may be lowered, and raised only by hand
MOST_MODULES = 213
MOST_TWINS = 3  # names of classes in more than one module
FEW_LINES = 60
SHORT = {
    "corescore.__main__": "where the program starts",
    "corescore.cli.signals": "imported before all else",
    "corescore.corpus.formats.registry": "the list of the formats",
    "corescore.replication.erratum": "a record, below experiments and above papers",
    "corescore.version": "read by the build",
}
ALONE = {
    "corescore.analysis.error_table.completion": "what a search box offers; a query needs none",
    "corescore.analysis.error_table.texts": "texts of mentions, below the columns of the table",
    "corescore.analysis.errors.impact": "what fixes gain, beside the tables that show it",
    "corescore.analysis.gap": "a task of its own",
    "corescore.analysis.perturbation.operations": "the perturbations, in a list above them",
    "corescore.corpus.build": "public: corpora out of Python values",
    "corescore.corpus.index": "where documents stand, below what scores them in batches",
    "corescore.distributed": "public, and imports Dask",
    "corescore.metrics.own": "public: metrics of one's own",
    "corescore.sentences.perturbation": "sentences, which the dashboard shows",
}
# Each module of these is one group of commands, one format, one paper's figures or cards.
LISTS = ("corescore.cli", "corescore.corpus.formats", "corescore.replication", "corescore.teaching")


def n_tokens(name):
    skipped = {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER),
        *(tokenize.INDENT, tokenize.DEDENT),
    }
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    }
    text = FILES[name].read_text(encoding="utf-8")
    return sum(
        token.type not in skipped
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_the_core_does_not_grow():
    assert sum(map(n_tokens, FILES)) <= MOST_TOKENS
    assert len(FILES) <= MOST_MODULES


def test_short_modules_have_a_reason():
    lines = {name: len(FILES[name].read_text(encoding="utf-8").splitlines()) for name in MODULES}
    assert {name for name, n in lines.items() if n < FEW_LINES} == {*SHORT}


def test_modules_that_one_other_imports_have_a_reason():
    """The others belong into that one; what `corescore.util.later` names is imported, too."""
    users = defaultdict(set)
    for top in ("corescore", "dashboard"):
        for path in (HOME / top).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for name in {*imported(tree), *named_later(tree)} & {*MODULES}:
                users[name].add(path)
    alone = {name for name, of in users.items() if len(of) == 1}
    assert {name for name in alone if not name.startswith(LISTS)} == {*ALONE}


def named_later(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "later":
            yield f"corescore.{node.args[0].value.rpartition('.')[0]}"


def test_few_classes_have_one_name():
    named = Counter(
        node.name for tree in TREES.values() for node in tree.body if isinstance(node, ast.ClassDef)
    )
    assert len([name for name, n in named.items() if n > 1]) <= MOST_TWINS
