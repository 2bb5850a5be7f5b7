"""`corescore compare`, of two responses, of several runs, and of tallies."""

import csv
import io
import json
import re
from functools import cache
from pathlib import Path

import pytest

import corescore
from corescore.analysis.perturbation import Drop, perturb
from corescore.metrics import METRICS
from corescore.sentences.compare import NO_INTERVALS
from corescore.util import bundled
from tests.support.samples import first_files
from tests.support.shell import made, printed, refused, run

# `corescore compare` ------------------------------------------------------------------------------

FILES = " ".join(str(bundled("sample_data") / f"{n}.conll") for n in ("key", "cautious", "greedy"))
KEY, CAUTIOUS, GREEDY = FILES.split()
HEADS = str(bundled("sample_data") / "heads.conll")
FEW = "--trials 200"
SIX = [metric.id for metric in METRICS]

ran = cache(run)  # once for all tests that ask for the same


def text_of(options=FEW, files=FILES):
    answer = ran(f"compare {files} {options} --explain")
    assert answer.code == 0, answer.err
    return answer.out


def made_of(options=FEW, files=FILES):
    return json.loads(text_of(f"{options} --format json", files))


def first(n):
    """The first documents of these files."""
    return " ".join(str(first_files(n) / Path(file).name) for file in FILES.split())


def rows_of(options=FEW, files=FILES):
    return made_of(options, files)["rows"]


def test_few_documents_are_warned_of_and_trials_and_seed_are_printed():
    answer = ran(f"compare {FILES} {FEW} --seed 3")
    assert "17 documents" in answer.err
    assert answer.out.splitlines()[-1].endswith("micro over 17 documents | 200 trials | seed 3")


def test_a_table_of_few_documents_says_that_it_has_no_intervals():
    told = text_of(files=first(5))
    assert NO_INTERVALS in told
    assert "hold together" not in told


def test_a_table_to_be_read_has_titles_percent_and_signed_points():
    row = next(row for row in rows_of() if row["metric"] == "ceafm")
    text = text_of(f"{FEW} --format markdown")
    line = next(line for line in text.splitlines() if "CEAFₘ" in line)
    cells = [cell.strip(" |\\") for cell in line.split(" | ")]
    ends = [f"{100 * row[end]:+.2f}" for end in ("tested_low", "tested_high")]
    assert cells == [
        "CEAFₘ",
        *(f"{100 * row[name]:.2f}" for name in "ab"),
        f"{100 * row['difference']:+.2f}",
        f"[{', '.join(ends)}]",
        f"{row['p']:.3f}",
        f"{row['p_max']:.3f}",
        f"{row['p_holm']:.3f}",
    ]
    assert text.count("A: cautious; B: greedy.") == 1
    assert "0.0000" not in text


def test_latex_has_the_table_that_the_app_shows_with_the_systems_names():
    row = next(row for row in rows_of() if row["metric"] == "ceafm")
    lines = text_of(f"{FEW} --format latex").splitlines()
    heads, cells = (
        [cell.strip(" \\") for cell in next(one for one in lines if word in one).split(" & ")]
        for word in ("cautious &", "CEAF$_m$ &")
    )
    found = dict(zip(heads, cells, strict=True))
    assert heads[1:4] == ["cautious", "greedy", "difference"]
    assert found["cautious"] == f"{100 * row['a']:.2f}"
    assert found["greedy"] == f"{100 * row['b']:.2f}"
    assert found["$p$"] == f"{row['p_max']:.3f}"


@pytest.mark.parametrize("primary, said", [("", False), ("--primary lea", True)])
def test_a_paragraph_says_chosen_beforehand_only_of_a_metric_that_was_named(primary, said):
    assert ("chosen beforehand" in text_of(f"{FEW} {primary}")) == said


def test_intervals_agree_with_the_corrected_p_or_hold_alone():
    row = next(row for row in rows_of() if row["metric"] == "ceafm")
    said = {"simultaneous": ("tested", "hold together"), "single": ("bca", "alone")}
    for kind, (ends, note) in said.items():
        text = text_of(f"{FEW} --intervals {kind}").replace("−", "-")
        low, high = (f"{100 * row[f'{ends}_{end}']:+.2f}" for end in ("low", "high"))
        assert f"[{low}, {high}]" in text
        assert note in text


def test_the_family_of_tests_is_named():
    rows = {row["metric"]: row for row in rows_of()}
    assert [rows[name]["family"] for name in ("lea", "conll")] == ["6 metrics of one pair", ""]
    ranks = rows_of(f"{FEW} --ranks --ties significance")
    (family,) = {row["family"] for row in ranks}
    assert family.startswith("1 pair ")
    assert "The six metrics of this pair are one family of tests." in text_of()


def test_a_verdict_on_two_responses_answers_each_question_and_says_what_follows():
    text = text_of()
    for asked in ("Comparable?", "Are there enough data?", "How large?", "Does it hold?", "Why?"):
        assert text.count(f"\n{asked} ") == 1
    assert text.startswith("B (greedy) is better by 8.02 points ")
    assert "(p = 0.005)." in text
    assert "\nFor a paper: We compare cautious (A) and greedy (B) on 17 documents." in text
    assert "\nWe compare cautious (A) and greedy (B)" in text_of(f"{FEW} --format latex")


def test_without_explain_verdict_and_table_are_followed_by_four_lines_at_most():
    brief, whole = printed(f"compare {FILES} {FEW}"), text_of()
    verdict = whole.splitlines()[0]
    assert brief.splitlines()[0] == verdict
    assert brief.splitlines()[-2].endswith("--explain has the rest.")
    table = whole[len(verdict) : whole.index("\nA: ")]
    assert brief.startswith(verdict + table)
    assert len(brief[len(verdict + table) :].strip().splitlines()) == 3


def test_the_verdict_is_on_the_primary_metric_in_json_too():
    told = made_of(f"{FEW} --primary lea")
    rows = {row["metric"]: row for row in told["rows"]}
    verdict = told["verdict"]
    assert (verdict["metric"], verdict["difference"]) == ("lea", rows["lea"]["difference"])
    assert verdict["effect"]["won_b"] == rows["lea"]["wins_b"]
    assert {row["kind"] for row in verdict["held"]} >= {"metric", "singletons", "scorer"}
    assert verdict["conclusion"].startswith("B (greedy) is better")


def test_what_cannot_be_concluded_is_said():
    assert "You cannot conclude" in text_of("", first(1))
    assert made_of("", first(1))["verdict"]["p"] is None


CUT = """#begin document (d)
d 0 0 a (1
d 0 1 well-known -
d 0 2 town 1)

d 0 0 it (1)

#end document
"""


@pytest.mark.parametrize("longer_first", [True, False])
def test_a_response_of_more_words_is_compared_by_position(tmp_path, longer_first):
    """The key has a word for each of its words; they are no part of what the two share."""
    cut = CUT.replace("d 0 1 well-known -\nd 0 2", "d 0 1 well- -\nd 0 2 known -\nd 0 3")
    paths = {name: tmp_path / f"{name}.conll" for name in ("key", "cut", "whole")}
    for name, path in paths.items():
        path.write_text(cut if name == "cut" else CUT)
    two = ["cut", "whole"] if longer_first else ["whole", "cut"]
    files = " ".join(str(paths[name]) for name in ("key", *two))
    answer = run(f"compare {files} --words ignore {FEW}")
    assert f"The text of {'AB'[not longer_first]} differs" in answer.out
    assert "compared by position" in answer.err


def test_the_verdict_is_on_lea_where_conll_lacks_the_measure():
    assert "points of LEA recall" in text_of(f"{FEW} --measure recall")


@pytest.mark.slow
def test_three_responses_have_the_verdict_of_the_two_best():
    options, files = f"{FEW} --primary lea", f"{FILES} {HEADS}"
    text, verdict = text_of(options, files), made_of(options, files)["verdict"]
    assert text.startswith("Of 3 responses, B (greedy) is first by all six, and by LEA in 100% ")
    assert verdict["conclusion"].startswith("B (greedy) is better by 6.23 points of LEA F1 (p = ")
    assert f"\n{verdict['conclusion']}\n" in text
    assert (verdict["metric"], verdict["best"]) == ("lea", ["cautious", "greedy"])


def test_gold_mentions_of_the_best_of_three_are_told_by_its_letter():
    text = text_of(f"{FEW} --format markdown", f"{FILES} {KEY}")
    assert "mentions given to C?" in text
    assert "that A (cautious) or C (key) is the better system" in text or (
        "that B (greedy) or C (key) is the better system" in text
    )


def test_that_max_t_can_exceed_holm_is_said():
    assert "p (max T) can be the larger of the two" in text_of()


def test_few_trials_are_warned_of():
    told = ran(f"compare {FILES} --trials 10").err
    assert "Only 10 trials: with fewer than 1,000, another seed may give another p." in told
    assert "be below 0.0909" in told
    assert "trials" not in ran(f"compare {FILES} --trials 1000").err


def test_documents_and_ranks_are_read_in_percent():
    rows = rows_of("--per-document")
    first = {row["metric"]: row["difference"] for row in rows if row["document"] == "news_library"}
    lines = text_of("--per-document").splitlines()
    at = next(number for number, line in enumerate(lines) if "news_library" in line)
    told = [f"{100 * first[metric]:+.2f}" for metric in (*SIX, "conll")]
    assert lines[at + 2].replace("−", "-").split()[-7:] == told
    ranks = rows_of(f"{FEW} --ranks")
    best = next(row for row in ranks if row["metric"] == "lea")
    ranked = text_of(f"{FEW} --ranks").splitlines()
    line = next(line for line in ranked if " LEA " in line)
    assert line.split()[1:4] == ["greedy", "1", f"{100 * best['score']:.2f}"]


def test_whether_ranks_owe_to_incorrectly_resolved_mentions():
    nearest = str(bundled("sample_data") / "nearest.conll")
    text = text_of("--effect", f"{FILES} {nearest}")
    assert text.startswith("Without incorrectly resolved mentions, cautious and nearest change")
    assert "nearest 525, of which 135 are singletons in the key" in text
    made = made_of("--effect", f"{FILES} {nearest}")
    rows = {(row["incorrect"], row["response"], row["metric"]): row for row in made["rows"]}
    assert len(rows) == 2 * 3 * 7
    row = rows["all", nearest, "blanc"]
    assert (row["incorrectly_resolved"], row["key_singletons"]) == (525, 135)
    assert (row["rank"], row["rank_after"]) == (2, 3)
    assert {
        "incorrect": "all",
        "metric": "blanc",
        "response": nearest,
        "other": CAUTIOUS,
    }.items() <= (made["pairs"][0].items())


@pytest.mark.parametrize("options", ["coval", "perl --measure recall --primary muc"])
def test_documents_have_the_metrics_of_the_scorer(options):
    heads = printed(f"compare {FILES} --per-document --as {options}").partition("\n")[0]
    assert ("LEA" in heads, "CEAFₘ" in heads) == ("coval" in options, "perl" in options)


def test_an_effect_needs_several_responses_with_their_mentions(tmp_path):
    assert "a second system's response" in refused(f"compare {KEY} {GREEDY} --effect")
    for other in ("--ranks", "--per-document"):
        said = refused(f"compare {FILES} --effect {other}")
        assert f"--effect is given with {other}; expected one of them" in said
    tally = tmp_path / "a.parquet"
    assert run(f"score {KEY} {CAUTIOUS} --save-tally {tally}").code == 0
    said = refused(f"compare {KEY} {tally} {GREEDY} --effect")
    assert "a.parquet is a tally, which has no mentions to remove" in said


def test_responses_that_do_not_differ_share_a_rank():
    ties, files = f"{FEW} --ranks --ties significance", f"{FILES} {HEADS}"
    out = text_of(ties, files)
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if " CEAFₑ " in line)
    read = [line.replace("CEAFₑ", "").split() for line in lines[at : at + 3]]
    shared_and_own = [["greedy", "1", "1"], ["heads", "1", "2"], ["cautious", "3", "3"]]
    assert [cells[:3] for cells in read] == shared_and_own
    for _, _, rank, _, interval, _ in read:  # the interval is that of the rank beside it
        low, _, high = interval.partition("–")
        assert int(low) <= int(rank) <= int(high or low)
    assert "200 exchanges, p ≥ 0.05" in out
    assert "over 3 pairs" in out


def test_three_responses_are_compared_two_by_two():
    files = f"{FILES} {HEADS}"
    pairs = {(row["response_a"], row["response_b"]) for row in rows_of(files=files)}
    assert pairs == {(CAUTIOUS, GREEDY), (CAUTIOUS, HEADS), (GREEDY, HEADS)}
    documents = rows_of("--per-document", files)
    assert set(documents[0]) == {"document", "metric", CAUTIOUS, GREEDY, HEADS}


@pytest.mark.parametrize(
    "call, message",
    [
        (f"{FILES} --trials 1000001", "trials is 1000001; expected 1,000,000"),
        (f"{FILES} --ties significance", "without --ranks"),
        (f"{FILES} --measure recall --primary conll", "--primary is conll, which has no recall"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(call, message):
    error = refused(f"compare {call}")
    assert message in error
    assert error.count("\n") == 1


# `corescore compare` of systems with several runs -------------------------------------------------

SAMPLE = first_files(6)


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


RUNS = ("b.run2", "b.run1", "a.run1", "a.run2", "a.run3")


@pytest.fixture
def files(folder, monkeypatch):
    """They are in the folder of the calls."""
    monkeypatch.chdir(folder)
    return " ".join(f"{name}.conll" for name in ("key", *RUNS))


def test_files_of_runs_are_grouped_and_systems_compared(files):
    told = made(f"compare {files} {FEW}")
    of_b, of_a = sorted(RUNS)[3:], sorted(RUNS)[:3]
    assert told["runs"] == {
        of: [f"{run}.conll" for run in runs] for of, runs in (("b", of_b), ("a", of_a))
    }
    scored = (
        [corescore.score("key.conll", f"{run}.conll") for run in runs] for runs in (of_b, of_a)
    )
    pair = corescore.compare(*scored, trials=200)
    known = pair.significance.query("measure == 'f1'").set_index("metric")
    assert [row["metric"] for row in told["rows"]] == list(known.index)
    for row in told["rows"]:
        assert (row["system_a"], row["system_b"], row["runs_a"], row["runs_b"]) == ("b", "a", 2, 3)
        for column in ("a", "sd_a", "highest_b", "difference", "low", "p", "p_documents", "p_runs"):
            assert row[column] == pytest.approx(known.loc[row["metric"], column], abs=1e-12)
    (verdict,) = told["verdicts"]
    assert (verdict["metric"], verdict["p"]) == ("conll", pytest.approx(known.loc["conll", "p"]))


def test_three_systems_are_compared_two_by_two_one_with_one_run(files):
    files = f"{files} c.conll.gz {FEW}"
    text = printed(f"compare {files} --measure recall --format csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    pairs = {(row["system_a"], row["system_b"]) for row in rows}
    assert pairs == {("b", "a"), ("b", "c"), ("a", "c")}
    assert {row["sd_b"] for row in rows if row["system_b"] == "c"} == {""}
    assert "conll" not in {row["metric"] for row in rows}
    text = printed(f"compare {files}")
    assert "C: c, 1 run." in text
    assert text.count(" points of CoNLL over runs (p") == 3
    assert "But C (c) has one run" in text


@pytest.mark.slow
def test_runs_can_be_compared_apart(files):
    for more in ("--runs apart", "--ranks", "--per-document"):
        assert "sd" not in printed(f"compare {files.partition(' a.run2')[0]} {FEW} {more}")
    said = refused(f"compare {files} --intervals single")
    assert "--intervals single is not available for several runs" in said


@pytest.mark.usefixtures("files")
def test_runs_of_one_system_are_compared_as_responses():
    text = printed(f"compare key.conll a.run1.conll a.run2.conll {FEW} --explain")
    assert "A: a.run1.conll; B: a.run2.conll." in text
    assert "Whether other runs (seeds) would differ as well cannot be seen" in text


def test_two_files_of_one_run_are_refused(files, folder, tmp_path):
    other = tmp_path / "a.run1.conll"
    twin = folder / "a.run1.copy.conll"
    twin.write_bytes((folder / "a.run1.conll").read_bytes())
    said = refused(f"compare {files} {twin.name}")
    assert re.search(r"are both run1 of .* or --runs apart", said)
    other.write_bytes(twin.read_bytes())
    twin.unlink()
    assert str(tmp_path / "a") in printed(f"compare {files} {other} {FEW} --format csv")


# `score --save-tally`, and `compare` of such files ------------------------------------------------

FAST = "--trials 50"
KEY_OF_TALLIES, A, B = (
    str(first_files(6) / f"{name}.conll") for name in ("key", "cautious", "greedy")
)


@pytest.fixture
def tallies(tmp_path, monkeypatch):
    """The folder of the calls has tallies of both sample responses."""
    monkeypatch.chdir(tmp_path)
    for name, response in (("a", A), ("b", B)):
        printed(f"score {KEY_OF_TALLIES} {response} --save-tally {name}.parquet")


@pytest.mark.slow
@pytest.mark.usefixtures("tallies")
@pytest.mark.parametrize(
    "options", ["", "--per-document", "--ranks", "--ranks --ties significance", "--measure recall"]
)
def test_tallies_compare_without_a_key_as_the_responses_do(options):
    tallies = "a.parquet b.parquet"
    first, *others = (
        printed(f"compare {files} {FAST} {options} --format csv")
        for files in (f"{KEY_OF_TALLIES} {A} {B}", f"{KEY_OF_TALLIES} {tallies}", tallies)
    )
    first = first.replace(A, "a.parquet").replace(B, "b.parquet")
    assert others == [first] * 2


@pytest.mark.usefixtures("tallies")
def test_a_tally_stands_beside_a_response_in_the_order_given():
    rows = made(f"compare {KEY_OF_TALLIES} b.parquet {A} {FAST}")["rows"]
    assert (rows[0]["response_a"], rows[0]["response_b"]) == ("b.parquet", A)


@pytest.mark.usefixtures("tallies")
def test_saving_a_tally_prints_the_same_and_replaces_a_file_only_by_force():
    call = f"score {KEY_OF_TALLIES} {A}"
    assert re.search(r"a\.parquet: .* exists", refused(f"{call} --save-tally a.parquet"))
    assert printed(f"{call} --save-tally a.parquet --force") == printed(call)


@pytest.mark.usefixtures("tallies")
def test_tallies_that_cannot_be_saved_or_compared_are_refused():
    Path("no.parquet").write_bytes(b"PAR1")
    printed(f"score {KEY_OF_TALLIES} {B} --match head --save-tally head.parquet")
    printed(f"score {A} {B} --save-tally wrong.parquet")
    for call, message in {
        f"score {KEY_OF_TALLIES} {A} {B} --save-tally c.parquet": "saves one response",
        f"score {KEY_OF_TALLIES} {A} --save-tally c.txt": "ends in .parquet",
        "compare a.parquet b.parquet --singletons drop": (
            "--singletons is drop, but a.parquet was counted under keep"
        ),
        "compare a.parquet head.parquet": "results under different policies",
        "compare a.parquet wrong.parquet": "results over different keys",
        f"compare a.parquet {A}": f"a.parquet is a tally, {A} is not",
        f"compare {KEY_OF_TALLIES} a.parquet": "one response",
        "compare a.parquet a.parquet": "named twice",
        f"compare {KEY_OF_TALLIES} {A} no.parquet": "no tally, or one that was changed",
    }.items():
        assert message in refused(call)
    assert "head.parquet" in refused("compare a.parquet head.parquet")


def test_responses_that_lack_documents_are_compared_over_those_that_both_have(tmp_path):
    def write(name, *documents):
        text = "#begin document (%s); part 000\n%s 0 0 She (1)\n%s 0 1 slept (1)\n\n#end document\n"
        path = tmp_path / f"{name}.conll"
        path.write_text("".join(text % (of, of, of) for of in documents))
        return str(path)

    key, a, b = write("key", *"xyz"), write("a", *"xyz"), write("b", *"yz")
    said = run(f"compare {key} {a} {b} --missing-documents skip {FAST}")
    assert "over 2 documents" in said.out
    assert f"{a} is scored without 1 document ('x')" in said.err
