"""Credit, marginal values, errors and sweeps of a corpus of shared-task size."""

from collections.abc import Iterator

import numpy as np

import corescore
from corescore.analysis.credit import credit_table, scores_without
from corescore.analysis.error_table.rows import error_rows, fix_gains
from corescore.analysis.errors.operations import impact_table
from corescore.analysis.errors.tables import (
    incorrectly_resolved_table,
    link_table,
    mention_table,
    operation_table,
)
from corescore.analysis.perturbation import Drop
from corescore.analysis.perturbation.sweep import Sweep
from corescore.counting.comparison import Comparison
from corescore.metrics import METRICS
from tests.benchmarks.timing import Row, seconds
from tests.support.synthetic import HUNDRED, LONG, SHARED_TASK, Shape, synthesise

DOSES = tuple(dose / 20 for dose in range(20))
LONG_DOCUMENT = Shape(documents=1, words=1500, mentions=200, entities=40)


def rows() -> Iterator[Row]:
    """One row per analysis that has a limit."""
    corpus = _comparison(SHARED_TASK)
    counts = seconds(lambda: [metric.counts(corpus.table) for metric in METRICS])
    for what, work, goal in (
        ("credit of all six spread over all mentions, as tables", _spread, "credit"),
        ("marginal value of all mentions, all six", _marginal, "marginal values"),
        ("all errors, links, slices and their impact", _errors, "errors"),
        ("gain of every single fix, all six", _gains, "gains"),
    ):
        time = seconds(lambda work=work: work(corpus), runs=3)
        against = f"{time / counts:.1f} times counting all six"
        yield Row(what, time, time / counts, against, goal=goal)
    for what, shape, goal in (
        ("100 documents of 2000 words", HUNDRED, "gains of 100 documents"),
        ("a book of 60,000 mentions", LONG, "gains of a book"),
    ):
        large = _comparison(shape)
        yield Row(f"the same, {what}", seconds(lambda of=large: _gains(of), runs=3), goal=goal)
    result = corescore.score(*synthesise(SHARED_TASK, np.random.default_rng(11)))
    sweep = Sweep(result=result, perturbation=Drop(), doses=DOSES, seeds=tuple(range(20)))
    time = seconds(lambda: list(sweep), runs=1)
    each = time / len(sweep) / counts
    against = f"{each:.1f} times counting all six, each"
    yield Row(f"sweep of {len(sweep)} runs", time, each, against, goal="sweep")
    long = _comparison(LONG_DOCUMENT)
    time = seconds(lambda: credit_table(long, METRICS[1], by="link"))
    yield Row("link list of a 1500-word document, B³", time, goal="links")


def _comparison(shape: Shape) -> Comparison:
    return corescore.score(*synthesise(shape, np.random.default_rng(11))).comparison


def _spread(comparison: Comparison) -> None:
    for metric in METRICS:
        credit_table(comparison, metric)


def _marginal(comparison: Comparison) -> None:
    for metric in METRICS:
        scores_without(comparison, metric)


def _gains(comparison: Comparison) -> None:
    fix_gains(comparison, error_rows(comparison))


def _errors(comparison: Comparison) -> None:
    mention_table(comparison)
    incorrectly_resolved_table(comparison)
    operation_table(comparison)
    link_table(comparison)
    impact_table(comparison)
