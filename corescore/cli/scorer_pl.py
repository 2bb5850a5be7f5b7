"""`corescore scorer.pl` and `corescore-scorer`: called as the CoNLL reference scorer is."""

import argparse
import sys
from collections.abc import Sequence

from corescore.cli.options import Command, option
from corescore.cli.standard_output import tell
from corescore.corpus.formats.conll_reference import ScorerStops
from corescore.rendering.reference_scorer import reference_lines


def main(arguments: Sequence[str]) -> int:
    """Print what that scorer prints when called with these arguments; its exit code."""
    try:
        for line in reference_lines(arguments):
            print(line)
    except ScorerStops as stop:
        sys.stdout.flush()
        tell(str(stop))
        return stop.code
    return 0


def _scorer(options: argparse.Namespace) -> None:
    if code := main(options.arguments):
        sys.exit(code)


_ARGUMENTS = option(
    "arguments",
    "METRIC: muc, bcub, ceafm, ceafe, blanc or all; KEY and RESPONSE: files in CoNLL columns; "
    "NAME: score this document alone, or “none” to print the totals only",
    "METRIC KEY RESPONSE [NAME]",
    nargs="*",
)
_ABOUT = "print what the CoNLL reference scorer v8.01 prints, called with its arguments"
COMMANDS = (Command("scorer.pl", _ABOUT, (_ARGUMENTS,), _scorer),)
