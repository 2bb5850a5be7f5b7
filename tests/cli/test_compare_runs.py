"""`corescore compare` of systems with several runs."""

import csv
import io
import json
import re
import shutil

import pytest

import corescore
from corescore.__main__ import main
from corescore.analysis.perturbation import Drop, perturb
from corescore.analysis.systems.runs import PairOverRuns
from corescore.sentences import runs as sentences
from tests.support.samples import first_files

SAMPLE = first_files(6)
FEW = ["--trials", "200"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A key, three runs of a and two of b, and one response without a run."""
    place = tmp_path_factory.mktemp("runs")
    key = corescore.read(SAMPLE / "key.conll")
    corescore.write(key, place / "key.conll")
    for name, of, n in (("a", "cautious", 3), ("b", "greedy", 2), ("c", "heads", 1)):
        response = corescore.read(SAMPLE / f"{of}.conll")
        for seed in range(1, n + 1):
            ending = f".run{seed}.conll" if n > 1 else ".conll.gz"
            corescore.write(
                perturb(key, response, [Drop(share=0.1)], seed=seed), place / (name + ending)
            )
    return place


@pytest.fixture
def files(folder):
    return [
        str(folder / name)
        for name in (
            "key.conll",
            "b.run2.conll",
            "b.run1.conll",
            "a.run1.conll",
            "a.run2.conll",
            "a.run3.conll",
        )
    ]


def compared(folder, seed=0):
    """B against A over runs, as the files are named: b comes first."""
    key = corescore.read(folder / "key.conll")
    of = {
        name: [
            corescore.score(key, corescore.read(folder / f"{name}.run{at}.conll"))
            for at in range(1, n + 1)
        ]
        for name, n in (("b", 2), ("a", 3))
    }
    return PairOverRuns(of["b"], of["a"], trials=200, seed=seed)


def test_files_of_runs_are_grouped_and_systems_compared(capsys, files, folder):
    assert main(["compare", *files, *FEW, "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["runs"] == {"b": [files[2], files[1]], "a": files[3:]}
    known = compared(folder).significance.query("measure == 'f1'").set_index("metric")
    assert [row["metric"] for row in made["rows"]] == list(known.index)
    for row in made["rows"]:
        assert (row["system_a"], row["system_b"], row["runs_a"], row["runs_b"]) == ("b", "a", 2, 3)
        for column in ("a", "sd_a", "highest_b", "difference", "low", "p", "p_documents", "p_runs"):
            assert row[column] == pytest.approx(known.loc[row["metric"], column], abs=1e-12)
    (verdict,) = made["verdicts"]
    assert (verdict["metric"], verdict["p"]) == ("conll", pytest.approx(known.loc["conll", "p"]))


def test_the_table_has_means_with_spread_and_the_argument(capsys, files, folder):
    assert main(["compare", *files, *FEW, "--primary", "lea"]) == 0
    told = capsys.readouterr()
    assert "Only 2 runs of A: with fewer than 5" in told.err
    pair = compared(folder)
    row = sentences.row_of(pair, "lea", "f1")
    line = next(line for line in told.out.splitlines() if line.startswith(" LEA "))
    assert f"{100 * row['a']:.2f} ± {100 * row['sd_a']:.2f}" in line
    assert f"{100 * row['lowest_b']:.2f}–{100 * row['highest_b']:.2f}" in line
    assert "A: b, 2 runs; B: a, 3 runs." in told.out
    for asked, answer in sentences.lines(pair, "lea", "f1").items():
        assert f"\n{asked} {answer}\n" in told.out
    titles = {"A": "A (b)", "B": "B (a)"}
    assert f"\n{sentences.conclusion(pair, 'lea', 'f1', titles)}\n" in told.out
    assert "\nFor a paper: We compare b (A, 2 runs) and a (B, 3 runs) on 6 documents." in told.out
    assert main(["compare", *files, *FEW, "--format", "latex"]) == 0
    assert "\nWe compare b (A, 2 runs)" in capsys.readouterr().out


def test_three_systems_are_compared_two_by_two_one_with_one_run(capsys, files, folder):
    one = str(folder / "c.conll.gz")
    assert main(["compare", *files, one, *FEW, "--measure", "recall", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    pairs = {(row["system_a"], row["system_b"]) for row in rows}
    assert pairs == {("b", "a"), ("b", "c"), ("a", "c")}
    assert {row["sd_b"] for row in rows if row["system_b"] == "c"} == {""}
    assert "conll" not in {row["metric"] for row in rows}
    assert main(["compare", *files, one, *FEW]) == 0
    text = capsys.readouterr().out
    assert "C: c, 1 run." in text
    assert text.count(" average over runs (p") == 3
    assert "But C (c) has one run" in text


@pytest.mark.slow
def test_runs_can_be_compared_apart(capsys, files):
    for more in (["--runs", "apart"], ["--ranks"], ["--per-document"]):
        assert main(["compare", *files[:4], *FEW, *more]) == 0
        assert "sd" not in capsys.readouterr().out
    assert main(["compare", *files, "--intervals", "single"]) == 2
    assert "--intervals single is not known of several runs" in capsys.readouterr().err


def test_few_runs_are_not_called_equivalent(capsys, files):
    assert main(["compare", *files, *FEW, "--margin", "1"]) == 2
    assert re.search(r"2 runs of A .*3 of B; .* 5 of each", capsys.readouterr().err)


@pytest.mark.slow
def test_a_margin_asks_whether_systems_are_equivalent_over_their_runs(capsys, tmp_path):
    files = [str(SAMPLE / "key.conll")]
    for system, names in {"a": ("greedy", "heads"), "b": ("greedy", "cautious")}.items():
        for run in range(6):
            place = tmp_path / f"{system}.run{run}.conll"
            shutil.copy(SAMPLE / f"{names[run % 2]}.conll", place)
            files.append(str(place))
    assert main(["compare", *files, *FEW, "--margin", "30", "--format", "json"]) == 0
    of = {
        system: [corescore.score(corescore.read(files[0]), corescore.read(file)) for file in runs]
        for system, runs in (("a", files[1:7]), ("b", files[7:]))
    }
    found = PairOverRuns(of["a"], of["b"], trials=200).equivalence(0.3)
    known = found.table.query("measure == 'f1'").set_index("metric")
    for row in json.loads(capsys.readouterr().out)["rows"]:
        assert row["p_equivalence"] == pytest.approx(known.loc[row["metric"], "p"])
        assert row["equivalent"] is bool(known.loc[row["metric"], "equivalent"])
    assert main(["compare", *files, *FEW, "--margin", "30"]) == 0
    told = capsys.readouterr().out
    assert "p (±30.00): " in told
    assert "less than 30.00 points" in told
    assert "average over runs? Yes" in told


def test_runs_of_one_system_are_compared_as_responses(capsys, files):
    assert main(["compare", files[0], *files[3:5], *FEW]) == 0
    text = capsys.readouterr().out
    assert "A: a.run1.conll; B: a.run2.conll." in text
    assert "Whether other runs (seeds) would differ as well cannot be told" in text


def test_two_files_of_one_run_are_refused(capsys, files, folder, tmp_path):
    other = tmp_path / "a.run1.conll"
    twin = folder / "a.run1.copy.conll"
    twin.write_bytes((folder / "a.run1.conll").read_bytes())
    assert main(["compare", *files, str(twin)]) == 2
    assert re.search(r"are both run1 of .* or --runs apart", capsys.readouterr().err)
    other.write_bytes(twin.read_bytes())
    twin.unlink()
    assert main(["compare", *files, str(other), *FEW, "--format", "csv"]) == 0
    assert str(tmp_path / "a") in capsys.readouterr().out  # in another folder it is another system
