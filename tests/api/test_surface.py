"""What a newcomer types first, what it finds, and what `help` says of tables."""

import json
import re
import warnings
from dataclasses import replace
from functools import partial
from inspect import getattr_static, getdoc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pair_confusion_matrix

import corescore
from corescore import Corpus, InputError, PolicyError
from corescore.__main__ import main
from corescore.analysis.error_table.facets import changed, facets
from corescore.analysis.error_table.notes import Note, Notes, notes_as_json
from corescore.analysis.error_table.query import QueryError, fields_in, matching, parse
from corescore.analysis.error_table.table import ordered
from corescore.analysis.perturbation import Drop, MorePrecise, perturb
from corescore.analysis.systems.effect import identification_effect
from corescore.metrics import METRIC_IDS
from corescore.util import SAMPLE, bundled
from tests.support.samples import first_files

# What a newcomer types first: short answers, and calls that work as they are meant ----------------

KEY, RESPONSE = (str(bundled("sample_data") / name) for name in SAMPLE)
SIDES = corescore.read(KEY), corescore.read(RESPONSE, side="response")
RESULT = corescore.score(*SIDES)
DATA_SETS = corescore.compare_data_sets({"one": {"a": RESULT, "b": RESULT}}, "LEA")


@pytest.mark.parametrize(
    "value, beginning",
    [
        (RESULT, "Result: 17 documents, CoNLL 51.10, LEA 39.26 | match exact | "),
        (RESULT.tally, "Tally: 17 documents, CoNLL 51.10, LEA 39.26 | match exact | "),
        (RESULT.compare(RESULT), "Pair: A CoNLL 51.10, LEA 39.26; B CoNLL 51.10, LEA 39.26 | "),
        (corescore.compare([RESULT], [RESULT]), "PairOverRuns: corescore"),
        (DATA_SETS, "DataSets: 2 systems on 1 "),
        (RESULT.find("kind:missing"), "ErrorList: 457 mentions by cost.conll | kind:missing | "),
        (RESULT.comparison, "Comparison: 17 documents, 1,934 and 1,491 mentions"),
        (RESULT.counts["lea"], "Counts: 17 documents, 1 part"),
        (RESULT.metrics[1], "Metric('bcub')"),
        (RESULT["lea"], "Score: recall 0.2892, precision 0.6108, F1 0.3926"),
        (RESULT["CoNLL"], "Score: recall –, precision –, F1 0.5110"),
        (RESULT.document_scores["lea"], "Score: 17 documents"),
        (RESULT.sweep("drop", doses=0.5, seeds=1), "Sweep: corescore"),
        (corescore.experiment("moosavi2016-fig2"), "Outcome: 2 of 2 claims hold | corescore"),
        (SIDES[0], "Corpus: 17 documents, 6,586 words, 1,934 mentions in 797 entities | "),
        (SIDES[0]["news_harbour"], "Document 'news_harbour': "),
    ],
)
def test_every_public_value_is_one_line(value, beginning):
    assert repr(value).startswith(beginning)
    assert "\n" not in repr(value)
    assert len(repr(value)) < 500


@pytest.mark.parametrize(
    "value, parts",
    [
        (SIDES[0], ["17 documents", "news_harbour", "107"]),
        (SIDES[0]["news_harbour"], ["The new sea wall at Saltby · it", "and 32 more"]),
        (RESULT["blanc"], ["score", "coreference links", "non-coreference links", "/103,737"]),
        (RESULT.find("kind:missing"), ["457"]),
        (corescore.compare([RESULT], [RESULT]), ["B³", "51.10"]),
        (DATA_SETS, ["LEA", "39.26", "mean rank"]),
    ],
)
def test_a_notebook_shows_a_table(value, parts):
    shown = value._repr_html_()
    assert "<table" in shown or "<article" in shown
    assert all(part in shown for part in parts)


def test_only_public_names_are_listed():
    public = {name for name in dir(corescore) if not name.startswith("_")}
    assert public == {*corescore.__all__} - {"__version__"}


@pytest.mark.parametrize(
    "of",
    [
        lambda side: side,
        list,
        iter,
        lambda side: side.file,
        lambda side: [side],
    ],
)
def test_corpora_documents_and_paths_are_scored(of):
    made = corescore.score(*map(of, SIDES))
    f1 = [{name: score.f1 for name, score in one.scores.items()} for one in (made, RESULT)]
    assert f1[0] == f1[1]
    one = corescore.score(*(side["news_harbour"] for side in SIDES))
    assert one.documents == ("news_harbour",)


def test_results_add_up_with_each_document_once():
    alone = replace(corescore.score_entities([{1}], []), warnings=("noticed",))
    both = alone + alone
    assert both.errors["document"].tolist() == ["document 1", "document 2"]
    assert both.warnings == ("noticed", "noticed")
    named = corescore.score_entities([{1}], [{1}], name="a")
    with pytest.raises(ValueError, match="both have a document 'a'"):
        named + named
    with pytest.raises(ValueError, match="different keys: only A has document 'a'"):
        corescore.compare_data_sets({"one": {"a": named, "b": alone}})


SIDE = "the key is of type .*; expected a Corpus.*score_entities"


@pytest.mark.parametrize(
    "call, found",
    [
        *(
            (partial(corescore.score, side, SIDES[1]), SIDE)
            for side in ([[(0, 1), (2, 3)]], 7, [{"a", "b"}], None)
        ),
        *(
            (partial(corescore.score_entities, key, response), found)
            for key, response, found in (
                ([1, 2], [{1}], "entity 1 of the key is 1; expected a collection of mentions"),
                ({0, 1}, {0, 1}, "entity 1 of the key is 0; expected a collection of mentions"),
                ("ab", [{1}], "the key is of type str; expected entities"),
                ([{1}], None, "the response is of type NoneType; expected entities"),
                (["ab"], [{1}], "entity 1 of the key is 'ab'; expected a collection"),
                ([{"a": 1, "b": 2}], [{1}], "entity 1 of the key is a dict; expected a collection"),
                ({"a": {"b": 1}}, [{1}], "entity 1 of the key is a dict; expected a collection"),
                ({"m1": 0}, {"m1": 0}, "the key maps 'm1' to 0; expected entities.*invert"),
                ([[[[0, 1]]]], [{1}], r"has the mention \[\[0, 1\]\]; .* Score each document"),
                ([[float("nan")]], [{1}], "has the mention nan; expected a number"),
                (SIDES[0], SIDES[1], "entity 1 of the key is Document 'news_harbour'"),
                (pd.DataFrame([[1]]), [{1}], "the key is of type DataFrame; expected entities"),
            )
        ),
        (partial(corescore.compare, *SIDES), "a Document is given; expected results of corescore"),
        (partial(corescore.compare, RESULT, 3), "a int is given; expected results of corescore"),
        (partial(corescore.perturb, *SIDES, 3), "a int is given; expected a perturbation"),
        (partial(corescore.compare_data_sets, "x"), "expected results by data set and system"),
        (partial(RESULT.compare, 3), "the other response is of type int; expected a result"),
        (partial(corescore.score, *SIDES, metrics=[3]), "a metric is 3; expected a Metric, or a"),
        (partial(corescore.score, *SIDES, metrics=None), "metrics is None; expected a metric"),
        (partial(corescore.read, b"key.conll"), r"bytes cannot be read; expected .*BytesIO"),
        (partial(corescore.score_files, *SIDES), "the key is of type Corpus; expected the path"),
        (partial(corescore.write, [], "x.conll"), "the corpus is a list; expected a Corpus"),
        (partial(corescore.score_entities, [], [], name=0), "a document is named 0; .* '0'"),
    ],
)
def test_a_value_of_another_type_is_refused_by_what_was_given(call, found, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=found):
        call()


@pytest.mark.parametrize(
    "key, response",
    [
        ({"e1": [1, 2], "e2": [3]}, {"e1": [1], "e2": [2, 3]}),
        ([0, 0, 1], [0, 1, 1]),
        (["a", "a", "b"], pd.Series(["x", "y", "y"])),
        (np.array([0, 0, 1]), (0, 1, 1)),
        ([[[0, 0], [2, 2]], [[4, 5]]], [{(0, 0)}, np.array([[2, 2], [4, 5]])]),
        (({one} if one == 3 else {1, 2} for one in (2, 3)), [iter([1]), (2, 3)]),
    ],
)
def test_entities_are_collections_values_of_a_mapping_or_labels(key, response):
    # Recall: mentions 1 and 2 find 1 of 2, mention 3 its whole entity: 2/3; precision likewise.
    score = corescore.score_entities(key, response)["bcub"]
    assert (score.recall, score.precision) == pytest.approx((2 / 3, 2 / 3))


@pytest.mark.parametrize(
    "key, found",
    [
        ([0, 1], "2 labels in the key and 3 in the response; expected a label of each mention"),
        ([0, 1, float("nan")], "label 3 of the key is NaN; expected a label of each mention"),
    ],
)
def test_labels_are_of_the_same_mentions(key, found):
    with pytest.raises(InputError, match=found):
        corescore.score_entities(key, [0, 0, 1])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_labels_are_taken_as_scikit_learn_takes_them(pairs):
    sides = [*zip(*pairs, strict=True)]
    grouped = [
        [{at for at, one in enumerate(side) if one == label} for label in {*side}] for side in sides
    ]
    as_labels, as_entities = (corescore.score_entities(*of) for of in (sides, grouped))
    for metric in METRIC_IDS:
        assert as_labels[metric].f1 == pytest.approx(as_entities[metric].f1)
    both, theirs = pair_confusion_matrix(*sides)[1, 1], pair_confusion_matrix(*sides)[1].sum()
    assert as_labels["links"].recall == pytest.approx(both / theirs if theirs else 0)


def test_results_are_equal_only_to_themselves():
    again = corescore.score(*SIDES)
    assert RESULT == RESULT
    assert again != RESULT
    assert again.scores["lea"] == RESULT.scores["lea"]
    assert len({again, RESULT, RESULT}) == 2


def test_a_mention_that_a_side_lists_twice_is_warned_of():
    with pytest.warns(UserWarning, match="the response lists 1 mention more than once.*'2'"):
        corescore.score_entities([{1, 2, 3}], [[1, 2], [2, 3]])
    with pytest.warns(UserWarning, match="document lists 1 mention more than once, such as 'Mia'"):
        corescore.from_clusters(["Mia"], [[(0, 0)], [(0, 0)]], ends="inclusive")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corescore.score_entities([{1, 2, 3}], [[1, 2], [2, 3]], repeats="all")


TOKENS = ["Mia", "fed", "her", "cat"]


@pytest.mark.parametrize(
    "tokens",
    [
        lambda: tuple(TOKENS),
        lambda: iter(TOKENS),
        lambda: np.array(TOKENS),
        lambda: [np.array(TOKENS[:2]), iter(TOKENS[2:])],
    ],
)
@pytest.mark.parametrize(
    "clusters", [[[(0, 0), (2, 2)]], {7: [[0, 0], [2, 2]]}, np.array([[[0, 0], [2, 2]]])]
)
def test_clusters_are_of_words_and_spans_of_any_collection(tokens, clusters):
    (document,) = corescore.from_clusters(tokens(), clusters, ends="inclusive")
    assert document.words == tuple(TOKENS)
    assert [document.text(mention) for mention in document.mentions] == ["Mia", "her"]


@pytest.mark.parametrize(
    "tokens, clusters, found",
    [
        ("Mia fed her", [], "the tokens are a str; expected a list of words.*from_char_clusters"),
        (None, [], "the tokens are a NoneType; expected a list of words"),
        ({"Mia": 1}, [], "the tokens are a dict; expected a list of words"),
        ([1, 2], [], "the tokens have 1 in place of a word; expected a list of words"),
        (["Mia", ["fed"]], [], "the tokens have 'Mia' in place of a word"),
        (TOKENS, None, "clusters is of type NoneType; expected clusters, each a list of"),
        (TOKENS, [0, 0, 1, 1], "cluster 1 is of type int; expected a list of"),
    ],
)
def test_words_or_clusters_of_another_type_are_refused(tokens, clusters, found):
    with pytest.raises(TypeError, match=found):
        corescore.from_clusters(tokens, clusters, ends="inclusive")


def test_words_are_no_text():
    with pytest.raises(TypeError, match=r"the text is a list; expected a str. Use from_clusters"):
        corescore.from_char_clusters(TOKENS, [[(0, 3)]])


@pytest.mark.parametrize(
    "names, id",
    [
        ("bcub B3 b-cubed B³ b_cubed", "bcub"),
        ("CEAFₑ", "ceafe"),
        ("ceaf-m", "ceafm"),
        ("Lea", "lea"),
    ],
)
def test_a_metric_may_be_given_alone_and_by_any_of_its_names(names, id):
    for name in names.split():
        made = corescore.score(*SIDES, metrics=name)
        assert made.metrics[0].id == id
        assert made[id] == RESULT[id]
    with pytest.raises(PolicyError, match="metric is 'bcubb'; expected one of: muc, bcub"):
        corescore.score(*SIDES, metrics="bcubb")


def test_a_result_is_a_mapping_of_its_scores_by_any_name_of_a_metric():
    assert [*RESULT] == [*RESULT.scores] == [*dict(RESULT)]
    assert dict(RESULT)["conll"] == RESULT["CoNLL"] == RESULT["conll_score"]
    assert RESULT["b3"] == RESULT["B³"] == RESULT["bcub "] == RESULT["bcub"]
    assert "CEAF_e" in RESULT
    assert "ceaf" not in RESULT
    assert 3 not in RESULT
    with pytest.raises(PolicyError, match=r"metric is 'ceaf'; expected one of: muc, .*'ceafm'"):
        _ = RESULT["ceaf"]


def test_metrics_are_named_alike_wherever_one_is_asked_for():
    pair = corescore.compare(RESULT, RESULT, trials=10)
    assert pair.held("B³").metric == pair.effect("b3").metric == "bcub"
    assert pair.detectable("CoNLL").metric == "conll"
    assert RESULT.credit("B³", by="entity").equals(RESULT.credit("bcub", by="entity"))
    assert pair.entities("B3").equals(pair.entities("bcub"))
    assert corescore.compare_data_sets({"one": {"a": RESULT}}, "b3").metric == "bcub"


@pytest.mark.parametrize(
    "metrics, ids",
    [
        ("conll", "muc bcub ceafe"),
        (["CoNLL", "lea", "b3"], "muc bcub ceafe lea"),
        ("all", "muc bcub ceafm ceafe blanc lea"),
    ],
)
def test_conll_and_all_are_several_metrics(metrics, ids):
    made = corescore.score(*SIDES, metrics=metrics)
    assert [one.id for one in made.metrics][:-3] == ids.split()
    assert made["conll"].f1 == RESULT["conll"].f1


def test_corpora_add_unless_a_document_is_in_both():
    documents = SIDES[0].documents
    one, other = Corpus(documents[:3], file="a"), Corpus(documents[3:], file="b", warnings=("w",))
    assert (one + other).documents == documents
    assert (one + other).warnings == ("w",)
    with pytest.raises(ValueError, match=f"two documents named '{documents[0].name}'"):
        _ = one + one
    with pytest.raises(TypeError):
        _ = one + documents[3]


@pytest.mark.parametrize("mode", ["r", "rb"])
def test_an_open_file_is_read(mode):
    with Path(KEY).open(mode, encoding=None if mode == "rb" else "utf-8") as file:
        read = corescore.read(file)
    assert read == SIDES[0]
    assert read.file == KEY


def test_a_file_that_is_not_there_is_said_to_be_so(tmp_path):
    with pytest.raises(InputError, match=r"none\.conll: no such file or folder\. Check the path\."):
        corescore.score(tmp_path / "none.conll", RESPONSE)


@pytest.mark.parametrize("call", [corescore.read, partial(corescore.score, response=RESPONSE)])
@pytest.mark.parametrize("text", [Path(KEY).read_text("utf-8"), '{"tokens": []}'])
def test_a_text_is_no_path(call, text):
    with pytest.raises(InputError, match=r"a text; expected the path .*StringIO"):
        call(text)


def test_perturbing_comparing_and_experiments_are_at_the_top():
    steps = [MorePrecise(), Drop()]
    made = corescore.perturb(KEY, RESPONSE, "more-precise", steps[1], seed=3)
    assert made == perturb(*SIDES, steps, seed=3)
    assert made != SIDES[1]
    pair = corescore.compare(RESULT, corescore.score(SIDES[0], made), trials=10)
    assert pair.significance.equals(RESULT.compare(pair.b, trials=10).significance)
    assert corescore.experiment("moosavi2016-fig1").checks


# `result.find` and `corescore errors --query`: the same rows, in Python and in the shell ----------

SAMPLE_OF_FIND = first_files(5)
KEY_OF_FIND, RESPONSE_OF_FIND = (
    str(SAMPLE_OF_FIND / "key.conll"),
    str(SAMPLE_OF_FIND / "greedy.conll"),
)
OTHER = str(SAMPLE_OF_FIND / "cautious.conll")
QUERY = "given:wrong size>2"


@pytest.fixture(scope="module")
def result():
    return corescore.score(corescore.read(KEY_OF_FIND), corescore.read(RESPONSE_OF_FIND))


def shell(*arguments, capsys):
    code = main(["errors", KEY_OF_FIND, RESPONSE_OF_FIND, *arguments])
    return code, *capsys.readouterr()


def test_what_is_found_is_in_the_order_asked_for(result):
    found = result.find(QUERY, order="cost.lea")
    assert 0 < len(found) < len(result.error_table)
    assert found.table["cost_lea"].is_monotonic_decreasing
    assert not found.table["given_right"].any()
    assert (found.table["key_size"] > 2).all()
    assert len(result.find()) == len(result.error_table)
    assert result.find(order="text").table.equals(result.error_table)
    with pytest.raises(QueryError) as refused:
        result.find("she typ:proper")
    assert refused.value.position == 4
    with pytest.raises(PolicyError, match="order is 'colour'"):
        result.find(order="colour")


def test_every_facet_and_order_of_the_real_table_works(result):
    frame = result.error_table
    for facet in facets(frame):
        for value, count in facet.counts:
            assert (
                matching(parse(changed("", facet.field.name, value, "added")), frame).sum() == count
            )
    for field in fields_in(frame):
        assert len(ordered(frame, field.name)) == len(frame)
    known = {column for field in fields_in(frame) for column in field.columns}
    assert {"kind", "class", "given", "cost_lea", "cost_conll"} <= known


def test_python_and_shell_find_the_same_rows(result, capsys):
    expected = result.find(QUERY, order="cost.lea").top(5).with_contexts()
    asked = ("--query", QUERY, "--order", "cost.lea", "--top", "5")
    code, text, _ = shell(*asked, "--format", "json", capsys=capsys)
    rows = json.loads(text)["rows"]
    assert code == 0
    assert [row["id"] for row in rows] == expected["id"].tolist()
    assert list(rows[0]) == list(expected.columns)


def test_the_shell_shows_the_most_telling_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    code, text, _ = shell("--query", QUERY, "--order", "cost.lea", "--top", "1", capsys=capsys)
    header, _, row, *notes = text.splitlines()
    assert code == 0
    _, whole, _ = shell("--query", QUERY, capsys=capsys)
    n_found = next(line for line in whole.splitlines() if "Costs in points" in line)
    assert f"The first 1 of {n_found}" in notes
    assert header.split()[-4:] == ["cost", "lea", "cost", "conll"]
    assert header.split()[:3] == ["document", "sentence", "mention"]
    assert row


def test_errors_of_mentions_that_another_response_has_correct_are_listed(result, capsys, tmp_path):
    other = corescore.score(corescore.read(KEY_OF_FIND), corescore.read(OTHER))
    found = result.find("other:correct", other=other)
    assert 0 < len(found) < len(result.error_table)
    options = "--other", OTHER, "--query", "other:correct", "--format", "json"
    code, printed, _ = shell(*options, capsys=capsys)
    assert code == 0
    assert [row["id"] for row in json.loads(printed)["rows"]] == found.table["id"].tolist()
    with pytest.raises(QueryError, match=r"other, which .* It needs a second response"):
        result.find("other:correct")
    assert shell("--other", RESPONSE_OF_FIND, capsys=capsys)[0] == 2
    copy = tmp_path / "other.conll"
    copy.write_bytes(Path(OTHER).read_bytes())
    assert shell("--other", str(copy), "--out", str(copy), "--force", capsys=capsys)[0] == 2
    assert copy.read_bytes() == Path(OTHER).read_bytes()


def test_notes_are_found_and_listed(result, capsys, tmp_path):
    first, second, *_ = result.find(order="text").table["id"]
    notes = Notes.of([Note(first, ("hard",), "a long way"), Note(second), Note("gone:0-1:b")])
    found = result.find("tag:hard", notes=notes).table
    assert (found["id"].tolist(), found["note"].tolist()) == ([first], ["a long way"])
    assert len(result.find("seen:yes", notes=notes)) == 2
    file = tmp_path / "notes.json"
    file.write_text(notes_as_json(notes), "utf-8")
    options = "--notes", str(file), "--query", "seen:yes", "--order", "text", "--format", "json"
    code, printed, said = shell(*options, capsys=capsys)
    assert code == 0
    rows = json.loads(printed)["rows"]
    assert [(row["id"], row["tag"]) for row in rows] == [(first, "hard"), (second, "")]
    assert "such as 'gone:0-1:b'" in said
    file.write_text("{")
    code, _, said = shell("--notes", str(file), capsys=capsys)
    assert code == 2
    assert said.startswith(f"corescore: {file}:1: ")


# The columns of each table stand in the docstring that `help` shows, with their types -------------

TYPES = "str|int64|Int64|float64|bool|object|category"
LEVELS = ("mention", "link", "entity", "document", "entity-type", "size", "distance")

FOLDER = bundled("sample_data")
KEY_OF_COLUMNS, A, B = (
    corescore.read(FOLDER / f"{name}.conll") for name in ("key", "cautious", "greedy")
)
RESULT_OF_COLUMNS = corescore.score(KEY_OF_COLUMNS, A)
PAIR = corescore.compare(RESULT_OF_COLUMNS, corescore.score(KEY_OF_COLUMNS, B))
RUNS = corescore.compare([PAIR.a], [PAIR.b], trials=10)
EFFECT = identification_effect({"a": PAIR.a, "b": PAIR.b})
SWEEP = PAIR.a.sweep("drop", doses=(0.5, 1), seeds=1)

# Each method or property by its class, with tables that it gives.
TABLES = {
    **{
        f"{type(of).__name__}.{name}": (of, [getattr(of, name)])
        for of, names in (
            (RESULT_OF_COLUMNS, "table per_document errors error_table incorrectly_resolved"),
            (PAIR, "significance documents disagreements disagreement_counts verdicts errors"),
            (RUNS, "significance"),
            (PAIR.randomisation, "table"),
            (PAIR.intervals, "table"),
            (RESULT_OF_COLUMNS.decomposition, "counterfactuals"),
            (DATA_SETS, "table"),
            (EFFECT, "table pairs"),
            (SWEEP, "table"),
        )
        for name in names.split()
    },
    "Result.credit": (
        RESULT_OF_COLUMNS,
        [RESULT_OF_COLUMNS.credit(metric, by=by) for by in LEVELS for metric in ("lea", "blanc")],
    ),
    "Result.marginal": (RESULT_OF_COLUMNS, [RESULT_OF_COLUMNS.marginal("lea")]),
    "Pair.mentions": (PAIR, [PAIR.mentions("lea")]),
    "Pair.entities": (PAIR, [PAIR.entities("lea")]),
}


def documented(text):
    """The type of each column by its name; "…" stands for all that are not named."""
    lines = re.findall(rf"^(\S.*?) +({TYPES})(?:  .*)?$", text.split("Columns:")[1], re.MULTILINE)
    return {
        name: kind
        for names, kind in lines
        for name in ([names] if names == "equal, not all" else names.split(", "))
    }


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_documented_with_its_type(name):
    of, tables = TABLES[name]
    said = documented(getdoc(getattr_static(type(of), name.split(".")[1])))
    seen = {}
    for table in tables:
        named = table.reset_index() if table.index.names != [None] else table
        seen |= {str(column): str(kind) for column, kind in named.dtypes.items()}
    others = said.pop("…", None)
    assert {one: said.get(one, others) for one in seen} == seen
    assert said.keys() <= seen.keys()
