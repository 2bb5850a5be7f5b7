"""What a metric does where metrics differ, and metrics of the reader's own."""

import pytest

from corescore import InputError
from corescore.metrics import METRICS
from corescore.metrics.own import load_metrics
from corescore.replication.claims import COMPARED
from corescore.replication.conformance import QUESTIONS, conformance
from tests.support.own_metric import OWN

# Where the six part, by the papers and by their arithmetic
FAILS = {
    "no-right-link": {"bcub", "ceafm", "ceafe", "blanc"},
    "removing-incorrect": {"bcub", "ceafm", "ceafe", "blanc"},
    "adding-wrong": {"bcub", "ceafm", "ceafe", "blanc"},
    "more-right-links": {"ceafm", "ceafe"},
    "split-size": {"muc", "ceafe"},
    "split-balance": {"muc"},
    "merging": {"muc", "ceafe"},
}


@pytest.fixture(scope="module")
def sheet():
    return conformance([metric for metric in METRICS if metric.id in COMPARED])


@pytest.mark.slow
@pytest.mark.parametrize("question", [q.id for q in QUESTIONS if q.wanted is not None])
def test_the_six_fail_where_the_papers_say_so(sheet, question):
    rows = sheet[sheet["question"] == question]
    assert set(rows.loc[rows["passes"] == False, "metric"]) == FAILS.get(question, set())  # noqa: E712


def test_where_both_answers_have_their_reasons_nothing_passes_or_fails(sheet):
    open_ = sheet[sheet["wanted"].isna()]
    assert set(open_["question"]) == {"singletons", "diluting", "extra-mention"}
    assert open_["passes"].isna().all()
    answers = open_.set_index(["question", "metric"])["answer"]
    assert not answers["singletons", "muc"]
    assert not answers["extra-mention", "lea"]
    assert answers["extra-mention", "bcub"]


def test_a_metric_of_ones_own_is_asked_the_same(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    sheet = conformance(load_metrics(str(path))).set_index("question")
    assert set(sheet["metric"]) == {"own"}
    assert len(sheet) == len(QUESTIONS)
    assert sheet.loc["perfect", "passes"]
    # it sees mentions only, so it pays for mentions without one right link: 78 of 79
    assert not sheet.loc["no-right-link", "passes"]
    assert "99.36%" in sheet.loc["no-right-link", "numbers"]  # 2·78 / (79 + 78)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("x = (", 1, "SyntaxError"),
        ("a = 1\nb = a / 0\n", 2, "ZeroDivisionError"),
        ("from corescore.metrics import METRICS\n", 0, "no metric"),
        (OWN.replace('id="own"', 'id="muc"'), 0, "'muc'"),
    ],
)
def test_a_file_that_makes_no_metric_is_refused_with_its_line(tmp_path, text, line, found):
    path = tmp_path / "own.py"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_metrics(str(path))
    (problem,) = caught.value.problems
    assert (problem.line, found in problem.found) == (line, True)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_metrics(str(tmp_path / "none.py"))
