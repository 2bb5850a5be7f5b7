"""The code of the project as trees: parsed once, and walked through once, for all tests."""

import ast
from functools import cache


@cache
def tree_of(path):
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(tree):
    """Every node of a piece of code."""
    return [*ast.walk(tree)]
