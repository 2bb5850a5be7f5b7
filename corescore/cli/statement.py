"""`corescore statement`."""

import argparse

from corescore.analysis.scorers.equal import equal_here
from corescore.analysis.scorers.rescored import Rescored
from corescore.cli.options import (
    AS,
    AVERAGE,
    ONE_RESPONSE,
    POLICIES,
    Command,
    choice,
    metrics_of,
    out,
    policies,
)
from corescore.cli.shell import progress, put, read_all, warn
from corescore.metrics import METRICS, metric_of
from corescore.rendering.latex import latex
from corescore.scoring.scores import score
from corescore.sentences.statement import statement


def _statement(options: argparse.Namespace) -> None:
    with progress(2) as step:
        key, response = read_all([options.key, options.response], options, step)
    metrics = [metric_of(name) for name in metrics_of(options)] or METRICS
    result = score(key, response, policies(options), metrics=metrics)
    warn(result.warnings)
    said = statement(result, equal=equal_here(Rescored(key, response), result))
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
