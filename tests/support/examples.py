"""The public functions and classes, and whether the examples in their docstrings are true."""

import ast
import doctest
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import corescore

HOME = Path(__file__).parents[2]


def _listed(name):
    """A list of public names below `corescore` that the documentation has."""
    tree = ast.parse((HOME / "docs" / "generator.py").read_text(encoding="utf-8"))
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name
    )
    return ast.literal_eval(value)


def _public():
    paths = [*(f"corescore.{name}" for name in corescore.__all__), *_listed("RETURNED")]
    for module in _listed("MODULES"):
        own = vars(import_module(module)).items()
        paths += [f"{module}.{n}" for n, of in own if getattr(of, "__module__", "") == module]
    every = {path: pkgutil.resolve_name(path) for path in paths if "._" not in path}
    return {path: of for path, of in every.items() if inspect.isroutine(of) or inspect.isclass(of)}


PUBLIC = _public()


def failures(path, **names):
    """What is printed of the examples of a name that are not true; there must be one or more."""
    text, said = inspect.cleandoc(PUBLIC[path].__doc__ or ""), []
    examples = doctest.DocTestParser().get_doctest(text, names, path, None, None)
    assert examples.examples, f"{path} has no example"
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    return "".join(said)
