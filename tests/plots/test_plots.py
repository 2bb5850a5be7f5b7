"""Figures from Python: a result and a pair of results draw themselves."""

import sys
from subprocess import run

import pytest

import corescore
from corescore import PolicyError
from corescore.metrics import METRICS

KEY = [{"a", "b", "c"}, {"d", "e", "f", "g"}]
A = corescore.score_entities(KEY, [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}])
B = corescore.score_entities(KEY, [{"a", "b", "c"}, {"d", "e"}, {"f", "g"}])


def test_a_result_draws_recall_precision_and_f1_of_the_six_in_percent():
    marks = [trace for trace in A.plot().data if trace.mode == "markers"]
    drawn = [value for trace in marks for value in trace.y]
    scores = [A[metric.id] for metric in METRICS]
    assert drawn == [100 * value for s in scores for value in (s.recall, s.precision, s.f1)]


@pytest.mark.parametrize("measure", ["f1", "recall", "precision"])
def test_a_pair_draws_a_and_b_under_each_metric(measure):
    figure = A.compare(B, trials=20).plot(measure=measure)
    a, b = (list(trace.x) for trace in figure.data[:2])
    shown = [*(metric.id for metric in METRICS), *(["conll"] if measure == "f1" else [])]
    assert a == [100 * getattr(A[metric], measure) for metric in shown]
    assert b == [100 * getattr(B[metric], measure) for metric in shown]


def test_another_measure_is_refused():
    with pytest.raises(PolicyError, match="measure is 'f2'; expected one of: recall"):
        A.compare(B, trials=20).plot(measure="f2")


def test_scoring_needs_no_plotly():
    script = "import corescore, sys; corescore.score_entities([{1}], [{1}]).scores; "
    script += "sys.exit('plotly' in sys.modules)"
    assert run([sys.executable, "-c", script], check=False).returncode == 0
