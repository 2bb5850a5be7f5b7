"""Tables, figures beside printed ones, and statements."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import read
from corescore import score as score_of_statement
from corescore.analysis.error_table.table import contexts, error_table
from corescore.analysis.scorers import Rescored, equal_here
from corescore.analysis.systems.data_sets import DataSets
from corescore.corpus.documents import Corpus, Document
from corescore.rendering import drawn, papers
from corescore.rendering.panels import facts
from corescore.rendering.papers import (
    MOST_COLUMNS,
    as_table,
    html_table,
    sentence,
    text_table,
    with_digits_of,
)
from corescore.rendering.text import MOST_IN_BLOCKS, render
from corescore.replication.experiment import (
    Chart,
    Experiment,
    Outcome,
    Paper,
    Setting,
    in_paper,
)
from corescore.replication.luo2014 import SYSTEM_SCORES
from corescore.replication.printed import Printed
from corescore.scoring.presets import PRESETS, preset
from corescore.scoring.scores import score
from corescore.sentences.policies import statement
from corescore.util import bundled
from corescore.version import __version__
from tests.support import shell

# Tables fit the terminal, and lose nothing by it --------------------------------------------------

WORDS = st.text(st.sampled_from("ab漢 "), max_size=60)


def shown(monkeypatch, width, header, rows, left=(0,)):
    monkeypatch.setenv("COLUMNS", str(width))
    return render(header, rows, left=left).splitlines()


def test_columns_come_closer_before_a_text_is_broken(monkeypatch):
    header, rows = ("", "F1", "R"), [("MUC", "12.50", "25.00")]
    assert shown(monkeypatch, 22, header, rows)[2] == " MUC   12.50   25.00"
    assert shown(monkeypatch, 19, header, rows)[2] == " MUC  12.50  25.00"
    assert shown(monkeypatch, 18, header, rows)[2] == " MUC 12.50 25.00"


def test_a_text_is_broken_between_words_beside_its_numbers(monkeypatch):
    rows = [("an example of a longer text", "1.00"), ("short", "2.00")]
    _, _, *body = shown(monkeypatch, 26, ("", "F1"), rows)
    assert body == [" an example of a     1.00", " longer text", " short               2.00"]


def test_columns_that_never_fit_are_in_blocks_some_rows_at_a_time(monkeypatch):
    header, row = ["", *"abcdef"], ["MUC", *["100.00"] * 6]
    blocks = "\n".join(shown(monkeypatch, 30, header, [row])).split("\n\n")
    assert [block.split("\n")[0].split() for block in blocks] == [["a", "b", "c"], ["d", "e", "f"]]
    assert all(block.split("\n")[2].startswith(" MUC") for block in blocks)
    many = "\n".join(shown(monkeypatch, 30, header, [row] * (MOST_IN_BLOCKS + 1))).split("\n\n")
    assert [len(block.strip().split("\n")) - 2 for block in many] == [*[MOST_IN_BLOCKS] * 2, 1, 1]


@given(rows=st.lists(st.tuples(WORDS, st.just("1.00"), WORDS), max_size=4))
def test_no_word_is_lost_and_no_line_is_too_long(rows):
    with pytest.MonkeyPatch.context() as patch:
        head, rule, *body = shown(patch, 40, ("name", "F1", "text"), rows, left=(0, 2))
    letters = sorted("".join(body).replace(" ", ""))
    assert letters == sorted("".join(map("".join, rows)).replace(" ", ""))
    assert len(rule) <= 40
    assert all(len(line) + line.count("漢") <= 40 for line in (head, *body))


@pytest.mark.parametrize(
    "call",
    [
        "score key.conll cautious.conll greedy.conll heads.conll",
        "compare key.conll cautious.conll greedy.conll heads.conll --trials 20 --ranks",
        "errors key.conll cautious.conll --by mention",
        "credit key.conll cautious.conll --metric lea --by link --document news_tram",
        "experiments",
    ],
)
def test_the_tables_of_commands_fit_80_columns(call, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(bundled("sample_data"))
    lines = shell.printed(call).splitlines()
    rules = [at for at, line in enumerate(lines) if line.startswith("─")]
    assert rules
    for rule in rules:
        end = next((at for at in range(rule, len(lines)) if not lines[at]), len(lines))
        assert max(map(len, lines[rule - 1 : end])) <= 80


# What charts draw, as tables to read --------------------------------------------------------------


def as_read(table):
    heads = [one.titled for one in table.shown]
    return [dict(zip(heads, row, strict=True)) for row in table.rows()]


def test_a_row_and_a_column_for_each_metric_are_called_by_their_names():
    table = pd.DataFrame([[1.0, 0.5], [0.5, 1.0]], ["muc", "lea"], ["muc", "lea"])
    assert as_read(drawn.by_metric(table)) == [
        {"metric": "MUC", "MUC": "1.0000", "LEA": "0.5000"},
        {"metric": "LEA", "MUC": "0.5000", "LEA": "1.0000"},
    ]


def test_each_end_of_an_interval_has_its_own_column():
    table = pd.DataFrame(
        {"metric": ["lea"], "measure": ["recall"], "value": [0.5], "t_low": [0.25]}
        | {"t_high": [0.75], "percentile_low": [0.1], "percentile_high": [0.9]}
    )
    shown = drawn.scores_with_intervals({"B": SimpleNamespace(table=table)})
    assert as_read(shown) == [
        {"response": "B", "metric": "LEA", "measure": "recall"}
        | {"score %": "50.00", "from %": "25.00", "to %": "75.00"}
    ]


def test_each_system_has_its_own_column_of_scores_beside_the_sizes():
    sizes = {"words": [9, 5], "key_mentions": [3, 2]}
    of = {
        letter: pd.DataFrame({**sizes, "lea": f1}, ["one", "two"])
        for letter, f1 in {"A": [0.25, 0.5], "B": [0.75, 1.0]}.items()
    }
    shown = drawn.documents(of, "lea", {"words": "words", "key_mentions": "mentions"})
    assert as_read(shown)[0] == {
        "document": "one",
        "words": "9",
        "key mentions": "3",
        "A %": "25.00",
        "B %": "75.00",
    }


def test_alignments_that_are_not_perfect_come_first_the_most_similar_before_others():
    rows = [(1, 2, 1.0, True), (2, 1, 0.25, False), (3, 4, 0.75, False), (4, 3, 0.5, False)]
    columns = ["key_entity", "response_entity", "similarity", "perfect"]
    table = pd.DataFrame(rows, columns=columns).assign(document="d")
    key = {n: f"key {n}" for n in range(1, 5)}
    response = {n: f"response {n}" for n in range(1, 5)}
    shown = drawn.alignment(table, key, response)
    assert shown.frame["similarity"].tolist() == [0.75, 0.5, 0.25, 1.0]
    assert [*as_read(shown)[0].values()] == ["3 key 3", "4 response 4", "0.7500", "False"]


def test_a_rank_has_its_score_and_its_ends_each_in_its_own_column():
    table = pd.DataFrame(
        {"metric": ["lea", "muc"], "response": ["x", "y"], "rank": [2, 1], "score": [0.5, 0.25]}
        | {"first": [0.125, 0.75], "mean_rank": [2.5, 1.5], "low": [1, 2], "high": [4, 3]}
    )
    (row,) = as_read(drawn.ranks(table, ["lea"]))
    assert row == {
        "metric": "LEA",
        "response": "x",
        "rank": "2",
        "score %": "50.00",
        "first in %": "12.50",
        "from": "1",
        "to": "4",
    }


def test_systems_over_data_sets_are_listed_by_mean_rank_not_by_macro_score():
    scores = np.array([[0.5, 0.5, 0.5], [0.99, 0.4, 0.4], [0.1, 0.1, 0.1]])
    found = DataSets("lea", "f1", ("even", "spiky", "last"), ("p", "q", "r"), scores)
    shown = drawn.barred(found)
    assert shown["system"].tolist() == ["even", "spiky", "last"]
    assert shown["mean_rank"].is_monotonic_increasing
    assert shown["macro"].tolist() == pytest.approx([0.5, 0.5967, 0.1], abs=0.0001)


def test_curves_have_one_metric_after_the_other_with_mean_low_and_high():
    rows = [(0.1, "muc", 0.5, 0.4, 0.6), (0.1, "lea", 0.3, 0.1, 0.7), (0.2, "muc", 0.2, 0.1, 0.3)]
    bands = pd.DataFrame(rows, columns=["dose", "metric", "mean", "low", "high"])
    shown = as_read(drawn.curves(bands))
    assert [row["metric"] for row in shown] == ["LEA", "MUC", "MUC"]
    assert [*shown[0].values()] == ["LEA", "10.00", "30.00", "10.00", "70.00"]


# Printed figures beside the computed ones, as text and as HTML ------------------------------------

CELLS = """# Doe & Roe 2020, Table 2.
response,metric,f1 %,mentions
cr1,muc,92.30,"1,464"
cr1,ceafe,44.4,
cr2,muc,—,12
cr2,ceafe,50,—
"""
COMPUTED = pd.DataFrame(
    {
        "response": ["cr1", "cr1", "cr2", "cr2"],
        "metric": ["muc", "ceafe", "muc", "ceafe"],
        "f1": [0.92307, 0.4644, 0.25, float("nan")],
        "mentions": [1463, 7, 12, 3],
    }
)
ON = ("response", "metric")


@pytest.fixture
def printed(tmp_path):
    path = tmp_path / "table2.csv"
    path.write_text(CELLS, encoding="utf-8")
    return Printed("Table 2", path)


@pytest.mark.parametrize(
    "cell, value, shown",
    [
        ("92.30", 92.30769, "92.31"),
        ("57.9", 57.84, "57.8"),
        ("1,464", 1463.0, "1,463"),
        ("12", 12.0, "12"),
        ("-0.1", -0.25, "−0.2"),
        ("5/12", 5 / 12, "5/12"),
        ("5/12", 0.41, "41/100"),
        ("5/12", 0.123456789, "0.1235"),
        ("—", 0.25, "0.25"),
        ("", 7.0, "7"),
        ("92.30", float("nan"), ""),
    ],
)
def test_a_computed_number_has_as_many_digits_as_the_printed_one(cell, value, shown):
    assert with_digits_of(cell, value) == shown


def test_a_line_of_text_has_each_figure_printed_and_computed(printed):
    table = text_table(printed.beside(COMPUTED), printed)
    assert table.heads == [
        *ON,
        *("F1 % printed", "F1 % computed"),
        *("mentions printed", "mentions computed"),
    ]
    assert table.rows() == [
        ["cr1", "muc", "92.30", "92.31", "1,464", "≠ 1,463"],
        ["cr1", "ceafe", "44.4", "≠ 46.4", "–", "7"],
        ["cr2", "muc", "—", "25.00", "12", "12"],
        ["cr2", "ceafe", "50", "–", "—", "3"],
    ]
    assert table.notes[0] == (
        "2 of 4 recomputed figures match the printed value to within its last digit; 2 differ (≠)."
    )


def test_what_is_nowhere_computed_has_no_column_for_it(printed):
    table = text_table(printed.beside(COMPUTED.drop(columns="f1")), printed)
    assert table.heads[2:] == ["F1 % printed", "mentions printed", "mentions computed"]


def test_in_html_a_response_has_a_row_and_a_metric_its_columns(printed):
    table = as_table(printed.beside(COMPUTED), ON)
    assert table.groups == [
        ("MUC", ["F1 %", "mentions"]),
        ("CEAF<sub>e</sub>", ["F1 %", "mentions"]),
    ]
    assert [row.header for row in table.rows] == ["cr1", "cr2"]
    assert [pair.printed for pair in table.rows[0].pairs] == ["92.30", "1,464", "44.4", ""]
    assert [pair.computed for pair in table.rows[1].pairs] == ["25.00", "12", "", "3"]
    text = html_table(table, "Table <2>")
    assert '<td class="differs" title="1 less than printed"><b>≠</b> 1,463</td>' in text
    assert "Table &lt;2&gt;" in text
    assert text.count(">printed<") == text.count(">computed<") == 2


def test_one_figure_of_each_metric_needs_no_second_head(printed, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("response,metric,f1 %\ncr1,muc,92.30\ncr1,lea,60\n", encoding="utf-8")
    beside = Printed("Table 3", path).beside(COMPUTED)
    table = as_table(beside, ON)
    assert table.groups == [("MUC", []), ("LEA", [])]
    assert html_table(table, "").count("<tr>") == 3  # a head, printed, computed
    assert re.fullmatch(
        r"The recomputed figure matches .* last digit\. In percent\.", sentence(beside, printed)
    )


def test_figures_that_are_not_computed_have_one_line(printed):
    beside = printed.beside(COMPUTED[["response", "metric"]])
    text = html_table(as_table(beside, ON), "")
    assert "computed" not in text
    assert sentence(beside, printed) == "As in the paper, nothing recomputed."


def test_on_data_it_is_said_what_the_numbers_are_of(printed):
    beside = printed.beside(COMPUTED).assign(differs=False)
    words = sentence(beside, printed, ran_on="b.conll against key.conll")
    assert words == "Printed for the paper's systems, computed on b.conll against key.conll."
    assert "≠" not in html_table(as_table(beside, ON), "")
    other = replace(printed, same_data=False)
    assert sentence(beside, other) == "Printed for the paper's systems, computed on other data."


def test_a_table_too_wide_has_a_row_for_each_metric(tmp_path):
    path = tmp_path / "wide.csv"
    metrics = [f"m{n}" for n in range(MOST_COLUMNS + 1)]
    lines = "".join(f"cr1,{metric},50\n" for metric in metrics)
    path.write_text(f"response,metric,f1 %\n{lines}", encoding="utf-8")
    table = as_table(Printed("Table 4", path).beside(COMPUTED), ON)
    assert [row.header for row in table.rows] == [f"cr1, {metric}" for metric in metrics]
    assert table.groups == [("", ["F1"])]
    assert re.search(r"<th scope=\"col\">F1</th>", html_table(table, ""))


def test_names_of_rows_are_written_as_words():
    printed = SYSTEM_SCORES.printed[0]
    beside = in_paper(SYSTEM_SCORES).beside(printed)
    rows = as_table(beside, printed.on).rows
    assert [row.header for row in rows] == ["BLANC, recall", "BLANC, precision", "BLANC, F1"]


# The claims of an experiment, and its table -------------------------------------------------------

PAPER = Paper("Doe & Roe", 2020, "A paper <b>made up</b>")


def test_the_table_is_in_percent_and_calls_metrics_by_their_titles():
    table = pd.DataFrame(
        {"metric": ["ceafe"], "measure": ["f1"], "f1": [0.5], "n_runs": [3.0], "rho": [0.25]}
    )
    shown = papers.readable_table(table, Chart("matrix", y="rho", y_title="correlation"))
    assert as_read(shown) == [
        {"metric": "CEAFₑ", "measure": "F1", "F1 %": "50.00", "n runs": "3", "rho": "0.25"}
    ]


def test_a_table_without_claims_is_summed_up_by_its_extremes():
    table = pd.DataFrame({"metric": ["lea", "muc"], "f1": [0.5, 0.25]})
    bare = Experiment("x", PAPER, "", "", "", lambda setting: table, Chart("bars", x="metric"))
    outcome = Outcome(bare, Setting(), table, ())
    sentence = papers.finding(outcome, changed=False)
    assert sentence.startswith("From 25.00 (MUC) to 50.00 (LEA)")


# What the panel tells of one error ----------------------------------------------------------------

GUESSED = "common definite (guessed by English rules)"
IN_PART = "common definite (a nominal by the file, its subtype by English rules)"


def facts_of(tags):
    """Of "the dog", which the response lacks."""
    words = ("the", "dog", "ran")
    key, response = (
        Corpus((Document.of_rows("d", rows, words=words, tags=tags),)) for rows in ([(0, 2, 0)], [])
    )
    comparison = score(key, response).comparison
    table = error_table(comparison)
    row: pd.Series = table.join(contexts(comparison, table)).iloc[0]
    return dict(facts(row))


@pytest.mark.parametrize(
    "tags, wanted",
    [
        ((), GUESSED),
        (("DET", "NOUN", "VERB"), IN_PART),
        (("DT", "NN", "VBD"), "common definite"),
        (("DET", "PROPN", "VERB"), "proper"),
    ],
)
def test_rules_for_english_are_named_only_where_they_told_the_type(tags, wanted):
    assert facts_of(tags)["type"] == wanted


# The paragraph for a paper that says how something was scored -------------------------------------

KEY, RESPONSE = (bundled("sample_data") / f"{name}.conll" for name in ("key", "greedy"))


@pytest.fixture(scope="module")
def corpora():
    return read(KEY, side="key"), read(RESPONSE, side="response")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_named_with_version_and_signature(corpora, name):
    result = score_of_statement(*corpora, **preset(name))
    said = statement(result)
    assert PRESETS[name].title in said
    assert f"corescore {__version__}" in said
    assert result.signature in said
    assert ("BLANC" in said.split(".")[0]) == ("blanc" in PRESETS[name].metrics)


def test_other_policies_name_no_scorer(corpora):
    said = statement(score_of_statement(*corpora, singletons="drop"))
    assert "by the rules of" not in said
    assert "ingletons are removed" in said


def test_a_metric_that_the_scorer_lacks_is_said(corpora):
    policies = {k: v for k, v in preset("perl").items() if k != "metrics"}
    assert "(all metrics but LEA)" in statement(score_of_statement(*corpora, **policies))


def test_scorers_that_give_the_same_scores_on_the_files_are_named_and_no_others():
    """Without repeats and singletons all agree on MUC; e2e drops what is not there."""
    key = Document.of_rows("d", [(0, 1, 0), (2, 3, 0), (4, 5, 1), (6, 7, 1)], words=[*"abcdefgh"])
    response = Document.of_rows("d", [(0, 1, 0), (2, 3, 0), (4, 5, 0)], words=[*"abcdefgh"])
    sides = Corpus((key,)), Corpus((response,))
    result = score_of_statement(*sides, metrics=["muc", "bcub", "lea"])
    equal = equal_here(Rescored(*sides), result)
    assert set(equal) == {"perl", "coval", "ua", "ua2", "e2e", "scorch", "stanza", "corefud"}
    said = statement(result, equal=equal)
    assert "On these files, the CoNLL reference scorer v8.01 (all metrics but LEA), coval" in said
    single = Document.of_rows("d", [(0, 1, 0), (2, 3, 0), (4, 5, 1)], words=[*"abcdefgh"])
    sides = sides[0], Corpus((single,))
    equal = equal_here(Rescored(*sides), score_of_statement(*sides, metrics=["bcub"]))
    assert not {"corefud", "e2e"} & {*equal}  # they leave the singleton out
    assert {"perl", "coval"} <= {*equal}


def test_the_command_names_scorers_that_give_the_same_scores_as_text_or_latex():
    said = shell.printed(f"statement {KEY} {RESPONSE}")
    assert "CoNLL reference scorer v8.01 (all metrics" in said
    assert "coval (MUC, B³, CEAFₑ and LEA)" in said
    assert "the scorer of e2e-coref" not in said
    out = shell.printed(f"statement {KEY} {RESPONSE} --as perl --format latex")
    assert "B$^3$" in out
    assert "CEAF$_e$" in out
    assert "|" not in out
