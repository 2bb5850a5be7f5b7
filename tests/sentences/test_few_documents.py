"""What is said of two responses where there are too few documents to tell."""

import pandas as pd

from corescore.analysis.systems.pair import Pair
from corescore.plots.compare import dumbbells
from corescore.sentences import compare as sentences
from tests.support.rivals import damaged, partitions, results


def pair(n):
    key = partitions(n, seed=3)
    return Pair(*results(key, damaged(key, 0.2, seed=1), damaged(key, 0.5, seed=2)))


def test_a_single_document_has_no_test_and_no_count_of_documents():
    found = pair(1)
    said = sentences.sign_test("lea", found.significance.query("measure == 'f1'").iloc[0])
    assert said == "A sign test over documents needs more than a single one."
    same, unlike = (sentences.disagreement("lea", "conll", n, 1) for n in (0, 1))
    assert same == "LEA and the CoNLL average name the same winner."
    assert unlike == "LEA and the CoNLL average name different winners."
    winner = pd.Categorical(["B"], ["A", "B", "tie"])
    table = pd.DataFrame({"document": ["d"], "winner": winner, "difference": [0.1]})
    assert sentences.documents("lea", table) == "LEA puts B first. B leads on d by 10.00 points."
    tie = table.assign(winner=pd.Categorical(["tie"], ["A", "B", "tie"]), difference=0.0)
    assert sentences.documents("lea", tie) == "LEA scores A and B alike."


def test_intervals_are_told_of_only_where_there_are_any():
    few, more = (sentences.how_to_read(pair(n).randomisation) for n in (5, 8))
    assert sentences.NO_INTERVALS in few
    assert "hold together" not in few
    assert "all six hold together" in more
    assert sentences.about_intervals(pair(1).randomisation, "single") == sentences.NONE_OF_ONE
    single = sentences.how_to_read(pair(5).randomisation, "single")
    assert sentences.INTERVALS_ARE["single"] in single


def test_a_chart_speaks_of_an_interval_only_where_it_draws_one():
    heads = []
    for n in (1, 5, 8):
        table = pair(n).significance.query("measure == 'f1'").set_index("metric")
        heads.append([note.text for note in dumbbells(table, "f1").layout.annotations])
    none, few, more = heads
    for of in (none, few):
        assert "B − A in points" in of
        assert not any("interval" in text for text in of)
    assert "B − A in points, 95% interval" in more
