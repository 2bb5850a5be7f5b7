"""Which files are runs of one system, by their names."""

import pytest

from corescore.corpus.names import by_system, counted_runs, run_of
from corescore.corpus.problems import PolicyError


@pytest.mark.parametrize(
    ("path", "system", "run"),
    [
        ("a.run1.conll", "a", "run1"),
        ("out/a.run12.conll.gz", "out/a", "run12"),
        ("out/a.Seed42.jsonl", "out/a", "seed42"),
        ("a.dev.run3", "a.dev", "run3"),
        ("a.run1.seed2.conllu", "a", "run1.seed2"),
        ("a.run1.parquet", "a", "run1"),
        ("a.run2/", "a", "run2"),
    ],
)
def test_a_run_is_named_before_the_endings(path, system, run):
    assert run_of(path) == (system, run)


@pytest.mark.parametrize(
    "path",
    [
        "a.conll",
        "run1.conll",
        "a.run.conll",
        "a.rerun1.conll",
        "a_run1.conll",
        ".run1",
        "a.run1x.conll",
        "a.run1/b.conll",
    ],
)
def test_other_names_are_of_no_run(path):
    assert run_of(path) is None


def test_systems_stand_in_the_order_given_and_runs_by_number():
    paths = ["b.run10.conll", "a.conll", "b.run2.conll", "x/b.run1.conll", "b.seed1.conll"]
    assert by_system(paths) == {
        "b": ("b.run2.conll", "b.run10.conll", "b.seed1.conll"),
        "a.conll": ("a.conll",),
        "x/b": ("x/b.run1.conll",),
    }


def test_one_run_of_a_system_in_two_files_is_refused():
    with pytest.raises(PolicyError, match="are both run1 of a; expected each run once"):
        by_system(["a.run1.conll", "a.run1.jsonl"])


def test_systems_with_several_runs_are_counted_also_where_there_is_only_one():
    assert counted_runs(["a.run1.conll", "a.run2.conll", "b.run1.conll", "c.conll"]) == {"a": 2}
    assert counted_runs(["a.run1.conll", "a.run1.conll.gz"]) == {"a": 2}
    assert counted_runs(["a.conll", "b.run1.conll"]) == {}
