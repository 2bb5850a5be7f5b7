"""Our docstrings as reStructuredText: columns of names and meanings become definition lists."""

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

_NAMED = re.compile(r"(\S(?:.*?\S)?)(\s{2,})(\S.*)")
_EXPLAINED = ("class", "exception", "function", "method", "property")
_CODE = re.compile(r"(`[^`]+`)")


def check_documented(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Warn of what is public and has no docstring; fields are explained by their class."""
    if what in ("module", "class", "exception", "function", "method", "property") and not any(
        lines
    ):
        logging.getLogger(__name__).warning("%s has no docstring", name)


def as_rst(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrite a docstring in place."""
    paragraphs = "\n".join(lines).split("\n\n")
    lines[:] = [line for text in paragraphs for line in (*_paragraph(text.split("\n")), "")]


def _paragraph(lines: list[str]) -> Iterator[str]:
    if lines[0].startswith(">>>"):
        yield from lines
        return
    first = _NAMED.fullmatch(lines[0])
    if not first or lines[0].startswith((" ", ":", "..")):
        yield from map(_escaped, lines)
        return
    column = first.start(3)
    for line in lines:
        named = _NAMED.fullmatch(line)
        if named and named.start(3) == column:
            yield f"`{named[1]}`"
            yield f"    {_escaped(named[3])}"
        else:
            yield f"    {_escaped(line.strip())}"


def _escaped(line: str) -> str:
    """A line with the marks of reStructuredText as plain characters, code aside."""
    if line.startswith((":", "..")):
        return line
    parts = _CODE.split(line)
    parts[::2] = (re.sub(r"([*|\\])|(?<=\w)(_)(?!\w)", r"\\\g<0>", part) for part in parts[::2])
    return "".join(parts)
