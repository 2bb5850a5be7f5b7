"""`corescore statement`."""

import argparse

from corescore.cli.shell import (
    AS,
    AVERAGE,
    ONE_RESPONSE,
    POLICIES,
    Command,
    choice,
    out,
    put,
    score_each,
)
from corescore.rendering.latex import latex
from corescore.sentences.statement import statement


def _statement(options: argparse.Namespace) -> None:
    (result,) = score_each([options.response], options).values()
    said = statement(result)
    put(f"{latex(said) if options.format == 'latex' else said}\n", options)


_OPTIONS = (
    *ONE_RESPONSE,
    AS,
    AVERAGE,
    choice("--format", ("text", "latex"), "plain text, or escaped for LaTeX"),
    *out("write to FILE instead of printing"),
    *POLICIES,
)
_ABOUT = "how the files are scored, as a paragraph for a paper"
COMMANDS = (Command("statement", _ABOUT, _OPTIONS, _statement),)
