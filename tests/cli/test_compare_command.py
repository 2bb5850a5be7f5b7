"""`corescore compare`."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest

import corescore
from corescore.__main__ import main
from corescore.analysis.systems.many import ranking
from corescore.analysis.systems.pair import evidence
from corescore.metrics import METRICS
from corescore.sentences.compare import NO_INTERVALS, conclusion
from corescore.sentences.many import first_and_spread
from corescore.util import bundled
from corescore.wording import p_value
from tests.support.samples import first_documents

FILES = [str(bundled("sample_data") / f"{n}.conll") for n in ("key", "cautious", "greedy")]
KEY, CAUTIOUS, GREEDY = FILES
FEW = ["--trials", "200"]
SIX = [metric.id for metric in METRICS]


@cache
def ran(*words):
    """(output, messages) of the command, which is run once for all tests that ask for the same."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        assert main(["compare", *words]) == 0
    return out.getvalue(), err.getvalue()


def text_of(*words):
    return ran(*words)[0]


def made_of(*words):
    return json.loads(text_of(*words, "--format", "json"))


def rows_of(*words):
    return made_of(*words)["rows"]


def test_there_is_a_row_for_each_metric_with_p_values_and_intervals():
    rows = {row["metric"]: row for row in rows_of(*FILES, *FEW)}
    assert {metric.id for metric in METRICS} | {"conll"} <= set(rows)
    for row in rows.values():
        assert row["difference"] == pytest.approx(row["b"] - row["a"])
        assert 0 < row["p"] <= 1
        assert row["wins_a"] + row["wins_b"] + row["ties"] == 17
    assert rows["muc"]["p_holm"] >= rows["muc"]["p"]


def test_responses_in_another_order_have_the_same_p_values():
    there = {row["metric"]: row for row in rows_of(KEY, CAUTIOUS, GREEDY, *FEW)}
    back = {row["metric"]: row for row in rows_of(KEY, GREEDY, CAUTIOUS, *FEW)}
    for metric, row in there.items():
        assert (row["p"], row["p_holm"]) == (back[metric]["p"], back[metric]["p_holm"])
        assert row["difference"] == -back[metric]["difference"]


def test_few_documents_are_warned_of_and_trials_and_seed_are_printed():
    out, err = ran(*FILES, *FEW, "--seed", "3")
    assert "17 documents" in err
    assert out.splitlines()[-1].endswith("micro over 17 documents | 200 trials | seed 3")


def test_a_table_of_few_documents_says_that_it_has_no_intervals(tmp_path):
    paths = [tmp_path / f"{name}.conll" for name in "kab"]
    for path, name in zip(paths, ("key", "cautious", "greedy"), strict=True):
        path.write_text(first_documents(name, 5))
    told = text_of(*map(str, paths), *FEW)
    assert NO_INTERVALS in told
    assert "hold together" not in told


def test_a_table_to_be_read_has_titles_percent_and_signed_points():
    row = next(row for row in rows_of(*FILES, *FEW) if row["metric"] == "ceafm")
    text = text_of(*FILES, *FEW, "--format", "markdown")
    line = next(line for line in text.splitlines() if "CEAF_m" in line)
    cells = [cell.strip(" |\\") for cell in line.split(" | ")]
    ends = [f"{100 * row[end]:+.2f}" for end in ("tested_low", "tested_high")]
    assert cells == [
        "CEAF_m",
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
    row = next(row for row in rows_of(*FILES, *FEW) if row["metric"] == "ceafm")
    lines = text_of(*FILES, *FEW, "--format", "latex", "--margin", "12").splitlines()
    heads, cells = (
        [cell.strip(" \\") for cell in next(one for one in lines if word in one).split(" & ")]
        for word in ("cautious &", "CEAF$_m$ &")
    )
    found = dict(zip(heads, cells, strict=True))
    assert heads[1:4] == ["cautious", "greedy", "difference"]
    assert found["cautious"] == f"{100 * row['a']:.2f}"
    assert found["greedy"] == f"{100 * row['b']:.2f}"
    assert found["$p$"] == f"{row['p_max']:.3f}"
    assert heads[-1].startswith("$p$ (")


@pytest.mark.parametrize(("primary", "said"), [((), False), (("--primary", "lea"), True)])
def test_a_paragraph_says_chosen_beforehand_only_of_a_metric_that_was_named(primary, said):
    assert ("chosen beforehand" in text_of(*FILES, *FEW, *primary)) == said


def test_a_p_value_that_rounds_to_nothing_is_below_a_thousandth():
    assert p_value(1e-4) == "< 0.001"
    assert p_value(0.001) == "0.001"
    assert p_value(float("nan")) == "–"


def test_intervals_agree_with_the_corrected_p_or_hold_alone():
    row = next(row for row in rows_of(*FILES, *FEW) if row["metric"] == "ceafm")
    said = {"simultaneous": ("tested", "hold together"), "single": ("bca", "alone")}
    for kind, (ends, note) in said.items():
        text = text_of(*FILES, *FEW, "--intervals", kind).replace("−", "-")
        low, high = (f"{100 * row[f'{ends}_{end}']:+.2f}" for end in ("low", "high"))
        assert f"[{low}, {high}]" in text
        assert note in text


def test_a_margin_asks_whether_two_responses_are_equivalent(capsys):
    rows = {row["metric"]: row for row in rows_of(*FILES, *FEW, "--margin", "12")}
    assert {name for name, row in rows.items() if row["equivalent"]} >= {"ceafe", "lea"}
    for row in rows.values():
        within = row["equivalence_low"] > -0.12 and row["equivalence_high"] < 0.12
        assert row["equivalent"] == within == (row["p_equivalence"] < 0.05)
    text = text_of(*FILES, *FEW, "--margin", "12")
    assert "p (±12.00)" in text
    assert "less than 12.00 points" in text
    assert main(["compare", *FILES, "--margin", "0"]) == 2
    assert "--margin is 0; expected more than 0" in capsys.readouterr().err


def test_the_family_of_tests_is_named():
    rows = {row["metric"]: row for row in rows_of(*FILES, *FEW)}
    assert [rows[name]["family"] for name in ("lea", "conll")] == ["6 metrics of one pair", ""]
    ties = ["--ranks", "--ties", "significance"]
    (family,) = {row["family"] for row in rows_of(*FILES, *FEW, *ties)}
    assert family.startswith("1 pair ")
    assert "The six metrics of this pair are one family of tests." in text_of(*FILES, *FEW)


def test_a_verdict_on_two_responses_answers_each_question_and_says_what_follows():
    text = text_of(*FILES, *FEW)
    for asked in ("Comparable?", "Can these data tell?", "How large?", "Does it hold?", "Why?"):
        assert text.count(f"\n{asked} ") == 1
    assert "\nB (greedy) is better by 8.02 points " in text
    assert "(p = 0.005)." in text
    assert "\nFor a paper: We compare cautious (A) and greedy (B) on 17 documents." in text
    assert "\nWe compare cautious (A) and greedy (B)" in text_of(*FILES, *FEW, "--format", "latex")


def test_the_verdict_is_on_the_primary_metric_in_json_too():
    made = made_of(*FILES, *FEW, "--primary", "lea")
    rows = {row["metric"]: row for row in made["rows"]}
    verdict = made["verdict"]
    assert (verdict["metric"], verdict["difference"]) == ("lea", rows["lea"]["difference"])
    assert verdict["effect"]["won_b"] == rows["lea"]["wins_b"]
    assert {row["kind"] for row in verdict["held"]} >= {"metric", "singletons", "scorer"}
    assert verdict["conclusion"].startswith("B (greedy) is better")


def test_what_cannot_be_concluded_is_said(tmp_path):
    one = [str(tmp_path / f"{name}.conll") for name in ("key", "a", "b")]
    for path, file in zip(one, FILES, strict=True):
        text = Path(file).read_text(encoding="utf-8")
        first = text[: text.index("#end document") + len("#end document\n")]
        Path(path).write_text(first, encoding="utf-8")
    text = text_of(*one, "--margin", "1")
    assert "You cannot conclude" in text
    assert "less than 1.00 points" in text
    assert "? With a single" in text
    assert made_of(*one)["verdict"]["p"] is None


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
    files = [str(paths[name]) for name in ("key", *two)]
    out, err = ran(*files, "--words", "ignore", *FEW)
    assert f"{'AB'[not longer_first]} has other words" in out
    assert "compared by position" in err


def test_the_verdict_needs_a_metric_that_has_the_measure(capsys):
    assert "points of LEA recall" in text_of(*FILES, *FEW, "--measure", "recall")
    assert main(["compare", *FILES, "--measure", "recall", "--primary", "conll"]) == 2
    assert "--primary is conll, which has no recall" in capsys.readouterr().err


@pytest.mark.slow
def test_three_responses_have_the_verdict_of_a_report():
    heads = str(bundled("sample_data") / "heads.conll")
    arguments = (*FILES, heads, *FEW, "--primary", "lea")
    text = text_of(*arguments)
    key, *responses = (corescore.read(path) for path in (*FILES, heads))
    titles = ("A (cautious)", "B (greedy)", "C (heads)")
    results = {
        title: corescore.score(key, response)
        for title, response in zip(titles, responses, strict=True)
    }
    best, second, _ = sorted(titles, key=lambda title: -results[title]["lea"].f1)
    two = sorted((best, second))
    pair = results[two[0]].compare(results[two[1]], trials=200)
    found = ranking(results, trials=200)
    assert f"\n{first_and_spread(found, 'lea')}\n" in text
    concluded = conclusion(evidence(pair, "lea"), dict(zip("AB", two, strict=True)))
    assert f"\n{concluded}\n" in text
    verdict = made_of(*arguments)["verdict"]
    assert (verdict["metric"], verdict["conclusion"]) == ("lea", concluded)
    assert set(verdict["best"]) == {title[3:-1] for title in two}


def test_gold_mentions_of_the_best_of_three_are_told_by_its_letter():
    text = text_of(*FILES, KEY, *FEW, "--format", "markdown")
    assert "mentions given to C?" in text
    assert "that A (cautious) or C (key) is the better system" in text or (
        "that B (greedy) or C (key) is the better system" in text
    )


def test_that_max_t_can_exceed_holm_is_said():
    assert "p (max T) can be the larger of the two" in text_of(*FILES, *FEW)


def test_few_trials_are_warned_of():
    _, told = ran(*FILES, "--trials", "10")
    assert "Only 10 trials: with fewer than 1,000, another seed may give another p." in told
    assert "be below 0.0909" in told
    assert "trials" not in ran(*FILES, "--trials", "1000")[1]


def test_documents_and_ranks_are_read_in_percent():
    rows = rows_of(*FILES, "--per-document")
    first = {row["metric"]: row["difference"] for row in rows if row["document"] == "news_library"}
    lines = text_of(*FILES, "--per-document").splitlines()
    at = next(number for number, line in enumerate(lines) if "news_library" in line)
    told = [f"{100 * first[metric]:+.2f}" for metric in (*SIX, "conll")]
    assert lines[at + 2].replace("−", "-").split()[-7:] == told
    ranks = rows_of(*FILES, *FEW, "--ranks")
    best = next(row for row in ranks if row["metric"] == "lea")
    ranked = text_of(*FILES, *FEW, "--ranks").splitlines()
    line = next(line for line in ranked if " LEA " in line)
    assert line.split()[1:4] == ["greedy", "1", f"{100 * best['score']:.2f}"]


def test_responses_that_do_not_differ_share_a_rank():
    heads = str(bundled("sample_data") / "heads.conll")
    ties = ["--trials", "200", "--ranks", "--ties", "significance"]
    rows = rows_of(*FILES, heads, *ties)
    of_ceafe = {row["response"]: row for row in rows if row["metric"] == "ceafe"}
    by_score, shared = (
        [of_ceafe[name][column] for name in (GREEDY, heads, CAUTIOUS)]
        for column in ("rank", "shared_rank")
    )
    assert (by_score, shared) == ([1, 2, 3], [1, 1, 3])
    out = text_of(*FILES, heads, *ties)
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if " CEAF_e " in line)
    read = [line.replace("CEAF_e", "").split() for line in lines[at : at + 3]]
    shared_and_own = [["greedy", "1", "1"], ["heads", "1", "2"], ["cautious", "3", "3"]]
    assert [cells[:3] for cells in read] == shared_and_own
    for _, _, rank, _, interval, _ in read:  # the interval is that of the rank beside it
        low, _, high = interval.partition("–")
        assert int(low) <= int(rank) <= int(high or low)
    assert "200 exchanges, p ≥ 0.05" in out
    assert "over 3 pairs" in out


def test_ties_by_significance_are_of_ranks_alone(capsys):
    assert main(["compare", *FILES, "--ties", "significance"]) == 2
    assert "without --ranks" in capsys.readouterr().err


def test_each_document_has_its_winner():
    rows = rows_of(*FILES, "--per-document", "--measure", "recall")
    assert {row["winner"] for row in rows} <= {"A", "B", "tie", None}
    assert len({row["document"] for row in rows}) == 17
    assert "conll" not in {row["metric"] for row in rows}  # it has no recall


@pytest.mark.slow
def test_three_responses_are_compared_two_by_two_and_ranked(tmp_path):
    third = tmp_path / "third.conll"
    assert main(["baseline", KEY, "--kind", "same-head", "--out", str(third)]) == 0
    rows = rows_of(*FILES, str(third), *FEW)
    pairs = {(row["response_a"], row["response_b"]) for row in rows}
    assert pairs == {(CAUTIOUS, GREEDY), (CAUTIOUS, str(third)), (GREEDY, str(third))}
    ranks = rows_of(*FILES, str(third), *FEW, "--ranks")
    assert sorted(row["rank"] for row in ranks if row["metric"] == "lea") == [1, 2, 3]
    documents = rows_of(*FILES, str(third), "--per-document")
    assert set(documents[0]) == {"document", "metric", CAUTIOUS, GREEDY, str(third)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([KEY, CAUTIOUS], "two or more"),
        ([KEY, CAUTIOUS, CAUTIOUS], "expected each once"),
        ([*FILES, "--trials", "0"], "trials is 0"),
        ([*FILES, "--trials", "1000001"], "trials is 1000001; expected 1,000,000"),
        ([*FILES, "--seed", "-1"], "seed is -1"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(capsys, arguments, message):
    assert main(["compare", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
