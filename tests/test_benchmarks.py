"""What the benchmarks write down: dated files, the README's table, and what became slower."""

from dataclasses import replace

import pytest

from tests.benchmarks.cost import DASK, SENT, Cost, Load, makespan
from tests.benchmarks.goals import with_goals
from tests.benchmarks.record import README, Record, compared, newest, renew
from tests.benchmarks.timing import Row, alternating

READING = Row("reading 6.6 MB of CoNLL", 40.0, 4.0, "4.0 times splitting", "≥ 30", unit="MB/s")
SCORE = Row("score", 0.5, 2.0, "2.00 times importing", "≤ 3 times", megabytes=90)
SWITCH = Row("page switch", 0.2, wanted="≤ 0.6 s")
RECORD = Record("2020-01-31", "0.1", {"processors": 2}, (READING, SCORE, SWITCH))


def test_a_record_is_written_by_its_date_and_read_again(tmp_path):
    assert RECORD.write(tmp_path).name == "2020-01-31.json"
    replace(RECORD, date="2020-02-01").write(tmp_path)
    assert Record.read(tmp_path / "2020-01-31.json") == RECORD
    assert newest(tmp_path).name == "2020-02-01.json"


def test_a_run_replaces_another_of_its_day_only_on_the_same_machine(tmp_path):
    RECORD.write(tmp_path)
    again = replace(RECORD, rows=(SCORE,))
    assert again.write(tmp_path).name == "2020-01-31.json"
    elsewhere = replace(RECORD, machine={"processors": 64})
    assert elsewhere.write(tmp_path).name == "2020-01-31-2.json"
    assert Record.read(tmp_path / "2020-01-31.json") == again
    assert newest(tmp_path).name == "2020-01-31-2.json"
    assert elsewhere.write(tmp_path).name == "2020-01-31-2.json"
    assert len([*tmp_path.iterdir()]) == 2


def test_the_tenth_run_of_a_day_is_newer_than_the_ninth(tmp_path):
    for processors in range(10):
        replace(RECORD, machine={"processors": processors}).write(tmp_path)
    assert newest(tmp_path).name == "2020-01-31-10.json"


def test_other_machines_are_told_before_what_became_slower():
    there = replace(RECORD, machine={"processors": 64, "python": "3.12"})
    assert [*compared(RECORD, there)][:2] == [
        "other machine or packages: processors 2 → 64",
        "other machine or packages: python unknown → 3.12",
    ]


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (Row("", 0.02, 1 / 40, goal="shared-task size"), "≤ 20 ms, ≥ 40 times"),
        (Row("", 0.03, 1 / 39, goal="shared-task size"), "≤ 20 ms (missed), ≥ 40 times (missed)"),
        (Row("", 3, megabytes=501, goal="tangle"), "≤ 3 s, ≤ 500 MB (missed)"),
        (Row("", 69.9, unit="MB/s", goal="reading CoNLL"), "≥ 70 MB/s (missed)"),
        (Row("", 1, 1.31, goal="whole process"), "≤ 1.3 times (missed)"),
        (Row("", 0.15, goal="credit"), "≤ 150 ms each"),
        (Row("", 1), ""),
    ],
)
def test_a_limit_that_is_missed_is_marked(row, wanted):
    assert with_goals(row).wanted == wanted


def test_without_a_run_nothing_is_newest(tmp_path):
    with pytest.raises(FileNotFoundError, match="make bench"):
        newest(tmp_path)


def test_the_table_takes_the_place_of_the_readmes_and_of_nothing_else(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(README.read_text(encoding="utf-8"), encoding="utf-8")
    renew(RECORD, readme)
    text = readme.read_text(encoding="utf-8")
    assert "| score | 500.0 ms, 90 MB peak | 2.00 times importing | ≤ 3 times |\n" in text
    assert "| reading 6.6 MB of CoNLL | 40 MB/s |" in text
    original = README.read_text(encoding="utf-8")
    assert text.split("## Speed")[0] == original.split("## Speed")[0]
    assert text.split("## Contributing")[1] == original.split("## Contributing")[1]


def test_runs_are_compared_by_ratios_where_there_are_some():
    now = replace(
        RECORD,
        rows=(
            replace(READING, what="reading 6.7 MB of CoNLL", value=80.0, ratio=2.0),
            replace(SCORE, value=5.0, ratio=2.1),
            replace(SWITCH, value=0.4),
            Row("new", 1.0),
        ),
    )
    assert [*compared(RECORD, now)] == [
        "faster: reading of CoNLL, 0.50 times as long by its ratio (4.00 → 2.00)",
        "the same: score, 1.05 times as long by its ratio (2.00 → 2.10)",
        "slower: page switch, 2.00 times as long by the time alone (200.0 ms → 400.0 ms)",
        "only in the new run: new",
    ]


def test_both_are_called_in_turns_and_the_first_calls_do_not_count():
    calls = []
    alternating(lambda: calls.append("a"), lambda: calls.append("b"), runs=2)
    assert "".join(calls) == "ababab"


def test_the_readme_shows_the_newest_run():
    assert Record.read(newest()).table in README.read_text(encoding="utf-8")


def test_each_worker_takes_the_next_shard_when_it_is_free():
    """Shards of 1, 1, 2, 3 GB at 10 s a gigabyte: 1 + 2 by one of two workers, 1 + 3 by the other;
    by four, the largest alone."""
    load = Load((10**9, 10**9, 2 * 10**9, 3 * 10**9), 8)
    cost = Cost(seconds_a_gigabyte=10, bytes_of_document=500)
    times = [makespan(cost, load, workers=n) for n in (1, 2, 4)]
    assert times == pytest.approx([70, 40, 30])


def test_the_constants_of_the_cost_model_are_those_of_a_run():
    """100 MB/s by two workers: a worker takes 20 s for a gigabyte."""
    rows = Row(DASK, 100.0, unit="MB/s"), Row(SENT, 450.0, unit="B")
    assert Cost.of(replace(RECORD, rows=rows)) == Cost(20.0, 450.0)
