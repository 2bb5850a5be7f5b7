"""The experiments by their ids, and what tests ask of their outcomes."""

from fractions import Fraction

from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import VERDICTS

_, PRINT_ONLY, _, DEPENDS, FAILS, _ = VERDICTS
BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}


def f1_of(recall, precision=Fraction(1)):
    return 2 * recall * precision / (recall + precision)


def scores_of(outcome, metric, value="f1", **where):
    """The one figure of a metric at a point of an outcome."""
    table = outcome.table
    for column, wanted in {**where, "metric": metric}.items():
        table = table[table[column] == wanted]
    (figure,) = table[value]
    return figure
