"""Metrics of the reader's own that raise or return nonsense are refused, with their file."""

import pytest

import corescore
from corescore import Counts, InputError, Metric
from corescore.__main__ import main
from corescore.metrics.own import load_metrics
from tests.support.messages import message_of

HEAD = "import numpy as np\nfrom corescore.metrics import Counts, Metric\n\n\n"
TAIL = "\n\nMINE = Metric(id='mine', title='Mine', unit='mention', paper='none', counts=counts)\n"
SHARED = "Counts.of(t.n_shared_mentions{}, t.n_key_mentions, t.n_shared_mentions, {})"

WRONG = {
    "raise KeyError('no\\nkey')": ":6: KeyError: 'no\\\\nkey'; expected Python that runs",
    "import sys; sys.exit(3)": ":6: SystemExit: 3",
    "return counts(t)": ":6: RecursionError: maximum recursion depth exceeded",
    "return Counts.of('a', 'b', 'c', 'd')": ":6: ValueError: could not convert string to float",
    "return None": "metric 'mine' that returns NoneType; expected Counts",
    "return Counts(1.0, 1.0, 1.0, 1.0)": "counts that are no numbers; expected four arrays of them",
    "x = t.n_key_mentions[:, None] * 1j; return Counts(x, x, x, x)": "counts that are no numbers",
    "x = np.full((1, 1), None); return Counts(x, x, x, x)": "counts that are no numbers",
    "x = np.ones(3); return Counts.of(x, x, x, x)": "counts of shape (3, 1); expected (1, parts)",
    "x = np.ones((1, 1)); return Counts(x, x, x, np.ones((1, 2)))": "shape (1, 1) and (1, 2)",
    "x = t.n_key_mentions * np.nan; return Counts.of(x, x, x, x)": "NaN or infinite",
    "x = t.n_key_mentions * np.inf; return Counts.of(x, x, x, x)": "NaN or infinite",
    f"return {SHARED.format(' * 99', 't.n_response_mentions')}": "a recall outside 0 to 1",
    f"return {SHARED.format(' * -1', 't.n_response_mentions')}": "a recall outside 0 to 1",
    f"return {SHARED.format('', '0 * t.n_response_mentions')}": "a precision outside 0 to 1",
}


@pytest.fixture
def written(tmp_path):
    """Writes a file with a metric and gives its path."""

    def write(body="return None", tail=TAIL):
        path = tmp_path / "mine.py"
        path.write_text(f"{HEAD}def counts(t):\n    {body}\n{tail}")
        return str(path)

    return write


@pytest.mark.parametrize(("body", "told"), WRONG.items(), ids=range(len(WRONG)))
def test_a_metric_that_raises_or_returns_nonsense_is_refused_in_one_line(
    body, told, written, capsys
):
    path = written(body)
    assert main(["conformance", "--metric", path]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"corescore: {path}:")
    assert told.replace("\\\\", "\\") in line
    assert main(["experiment", "moosavi2016-table3", "--metric", path]) == 2


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("id=3, title='Mine'", "a metric whose id is 3; expected a text"),
        ("id='mine', title=None", "a metric whose title is None"),
        ("id='', title='Mine'", "without an id or a function"),
        ("id='mine', title='Mine', score=4", "without an id or a function"),
    ],
)
def test_a_metric_whose_fields_are_of_another_kind_is_refused(fields, told, written):
    made = f"\n\nMINE = Metric({fields}, unit='mention', paper='none', counts=counts)\n"
    assert told in message_of(load_metrics, written(tail=made))


@pytest.mark.parametrize("score", ["'high'", "c", "Score(*7 * [np.ones(9)])", "Score(*7 * [1.0])"])
def test_a_score_that_is_none_is_refused(score, written):
    body = f"return {SHARED.format('', 't.n_response_mentions')}"
    imported = "\n\nfrom corescore.counting.counts import Score\n"
    tail = f"{imported}{TAIL[:-2]}, score=lambda c, empty: {score})\n"
    result = corescore.score_entities([{1}], [{1}], metrics=load_metrics(written(body, tail)))
    told = message_of(lambda: result["mine"])
    assert "a score that is none; expected a Score of arrays of shape (1,)" in told


def test_a_metric_made_in_python_is_refused_where_its_counts_are_of_other_documents():
    def counts(table):
        return Counts.of(*4 * [[1.0, 1.0]])

    mine = Metric(id="mine", title="Mine", unit="mention", paper="none", counts=counts)
    with pytest.raises(InputError, match=r"shape \(2, 1\); expected \(1, parts\)"):
        corescore.score_entities([{1, 2}], [{1, 2}], metrics=(mine,))
