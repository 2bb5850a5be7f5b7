"""Metrics of the reader's own, out of a Python file, and what they may return."""

import runpy
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from corescore.corpus.problems import InputError, refusal
from corescore.counting.comparison import Comparison
from corescore.counting.contingency import Contingency
from corescore.counting.counts import SCORE_FIELDS, Counts, Score, score_counts
from corescore.metrics import DIAGNOSTICS, METRICS, NAMED
from corescore.metrics.blanc import BLANC_VARIANTS
from corescore.metrics.metric import Metric, check_counts
from corescore.util import WHOLE, FloatArray

_TEXTS = ("id", "title", "unit", "paper", "colour")
_FIX = "Fix the file."


def load_metrics(path: str) -> tuple[Metric, ...]:
    """Every `Metric` that a Python file makes, in the order of its lines. The file is run.

    What the metrics return is checked: counting then raises InputError, too.

    Raises InputError for a file that is not there, that cannot be run, that makes no metric, or
    whose metric takes the id of one that exists or has fields of another kind.
    """
    if not Path(path).is_file():
        raise refusal(path, "no such file", "a Python file", "Check the path.")
    try:
        names = runpy.run_path(path)
    except (Exception, SystemExit) as error:
        raise _cannot_run(path, error) from error
    known = (*METRICS, *DIAGNOSTICS, *NAMED, *BLANC_VARIANTS.values())
    made = [value for value in names.values() if isinstance(value, Metric)]
    own = [one for at, one in enumerate(made) if one not in known and one not in made[:at]]
    if not own:
        expected = "a corescore.metrics.Metric under some name"
        raise refusal(path, "no metric", expected, "Assign it to a variable.")
    for metric in own:
        _check_fields(metric, path)
    taken = [metric.id for metric in own if metric.id in {other.id for other in known}]
    if taken:
        found_id = f"a metric with the id '{taken[0]}'"
        raise refusal(path, found_id, "an id of its own", "Choose another id.")
    return tuple(_checked_metric(metric, path) for metric in own)


@contextmanager
def errors_told(paths: Iterable[str]) -> Iterator[None]:
    """Tell what the code of these files raises as an InputError."""
    try:
        yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
        guilty = [path for path in paths if path in files]
        if not guilty:
            raise
        raise _cannot_run(guilty[0], error) from error


def _cannot_run(path: str, error: BaseException) -> InputError:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), 0)
    problem = f"{type(error).__name__}: {error}"
    return refusal(path, problem, "Python that runs", _FIX, line or 0)


def _check_fields(metric: Metric, path: str) -> None:
    for name in _TEXTS:
        if not isinstance(value := getattr(metric, name), str):
            problem = f"a metric whose {name} is {value!r}"
            raise refusal(path, problem, "a text", _FIX)
    if not metric.id or not (callable(metric.counts) and callable(metric.score)):
        problem = f"a metric '{metric.id}' without an id or a function"
        expected = "an id, and functions as counts and score"
        raise refusal(path, problem, expected, _FIX)


def _checked_metric(metric: Metric, path: str) -> Metric:
    """The metric with functions that check what they return; they go to other processes."""
    of_mentions = metric.of_mentions and partial(_checked_counts, metric, path, metric.of_mentions)
    return replace(
        metric,
        counts=partial(_checked_counts, metric, path, metric.counts),
        of_mentions=of_mentions,
        score=partial(_score, metric, path),
    )


def _checked_counts(
    metric: Metric, path: str, count: Callable[[Any], Counts], matched: Contingency | Comparison
) -> Counts:
    """Counts that are such; those that recall and precision are divided of have a range."""
    table = matched if isinstance(matched, Contingency) else matched.table
    counts = check_counts(count(matched), table.n_documents, f"metric '{metric.id}'", path)
    for direction in ("recall", "precision") if metric.score is score_counts else ():
        above = getattr(counts, f"{direction}_numerator")
        below = getattr(counts, f"{direction}_denominator")
        if (above < -WHOLE).any() or (above > below + WHOLE * (1 + below)).any():
            problem = f"metric '{metric.id}' with a {direction} outside 0 to 1"
            expected = "numerators from 0 to their denominators"
            raise refusal(path, problem, expected, _FIX)
    return counts


def _score(metric: Metric, path: str, counts: Counts, *, empty: float) -> Score[FloatArray]:
    made = metric.score(counts, empty=empty)
    n = len(counts.recall_numerator)
    columns = [getattr(made, name, None) for name in SCORE_FIELDS]
    if not isinstance(made, Score) or not all(_is_row(values, n) for values in columns):
        problem = f"metric '{metric.id}' with a score that is none"
        expected = f"a Score of arrays of shape ({n},), finite or NaN"
        raise refusal(path, problem, expected, _FIX)
    return made


def _is_row(values: object, n: int) -> bool:
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf":
        return False
    return values.shape == (n,) and not np.isinf(values).any()
