"""Metrics of the reader's own, out of a Python file."""

import runpy
import traceback
from pathlib import Path

from corescore.corpus.problems import InputError, Problem
from corescore.metrics import DIAGNOSTICS, METRICS, NAMED
from corescore.metrics.blanc import BLANC_VARIANTS
from corescore.metrics.metric import Metric


def load_metrics(path: str) -> tuple[Metric, ...]:
    """Every `Metric` that a Python file makes, in the order of its lines. The file is run.

    Raises InputError for a file that is not there, that cannot be run, that makes no metric, or
    whose metric takes the id of one that exists.
    """
    if not Path(path).is_file():
        raise InputError([Problem(path, 0, "no such file", "a Python file", "Check the path.")])
    try:
        names = runpy.run_path(path)
    except (Exception, SystemExit) as error:
        raise InputError([_cannot_run(path, error)]) from error
    known = (*METRICS, *DIAGNOSTICS, *NAMED, *BLANC_VARIANTS.values())
    made = dict.fromkeys(value for value in names.values() if isinstance(value, Metric))
    own = tuple(metric for metric in made if metric not in known)
    if not own:
        expected = "a corescore.metrics.Metric under some name"
        raise InputError([Problem(path, 0, "no metric", expected, "Assign it to a variable.")])
    taken = [metric.id for metric in own if metric.id in {other.id for other in known}]
    if taken:
        found = f"a metric with the id '{taken[0]}'"
        raise InputError([Problem(path, 0, found, "an id of its own", "Choose another id.")])
    return own


def _cannot_run(path: str, error: BaseException) -> Problem:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), 0)
    found = f"{type(error).__name__}: {error}"
    return Problem(path, line or 0, found, "Python that runs", "Fix the file.")
