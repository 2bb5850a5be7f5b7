"""The title of an axis names what is drawn along it: each point lies where its own hover text has
the value that the title names, and the points differ, so that no other axis would do."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import corescore
from corescore import Corpus
from corescore.analysis.perturbation import parse_perturbation, perturb
from corescore.analysis.perturbation.sweep import Sweep, band_table, run_table
from corescore.analysis.scorers.rescored import Rescored
from corescore.analysis.scorers.walk import walk
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.documents import compared_documents
from corescore.analysis.systems.many import ranking
from corescore.metrics import METRIC_IDS
from corescore.plots import compare, documents, experiments, many, pitfalls, scores
from corescore.plots import documents as scorers
from corescore.plots.compare import dumbbells
from corescore.scoring.tables import change_table, document_summary
from corescore.teaching.criteria import score_comparison
from corescore.teaching.pitfalls import PITFALLS
from corescore.wording import signed
from tests.support.samples import SAMPLE

KEY, A, B = (
    Corpus(tuple(corescore.read(SAMPLE / f"{name}.conll"))[3:8])
    for name in ("key", "cautious", "greedy")
)
OF_A, OF_B = corescore.score(KEY, A), corescore.score(KEY, B)
SUMMARIES = {"A": document_summary(OF_A), "B": document_summary(OF_B)}
NUMBER = r"([\d.,]+)"
SIGNED = r"([+−]?[\d.]+)"


DIFFERENCES = np.array([-0.03, -0.02, -0.02, 0.01, 0.04, 0.04, 0.04, 0.05])


def of_documents():
    table = compared_documents(OF_A, OF_B, measure="recall")
    return compare.documents(table[table["metric"] == "lea"], "lea", "recall")


def of_many(draw):
    drop = parse_perturbation("drop:share=0.4")
    third = corescore.score(KEY, perturb(KEY, B, [drop], seed=1))
    found = ranking({"a": OF_A, "third": third, "b": OF_B}, trials=20, measure="precision")
    return draw(found.table, ["muc", "lea"], {}, "precision")


def of_data_sets():
    values = np.array([[0.3, 0.4, 0.2], [0.9, 0.8, 0.3], [0.5, 0.9, 0.6]])
    found = DataSets("lea", "f1", ("x", "y", "z"), ("one", "two", "three"), values)
    return many.critical_differences(found)


def of_scorers():
    end = replace(OF_A.policies, singletons="drop", average="macro")
    return scorers.waterfall(walk(Rescored(KEY, A), OF_A.policies, end, "lea"), "this", "that")


def of_pitfall():
    table = score_comparison(PITFALLS[0])
    return pitfalls.comparison(table, measure="recall", title="T", finding="F")


def curves():
    sweep = Sweep(
        result=OF_A, perturbation=parse_perturbation("drop"), doses=(0.1, 0.5), seeds=(1, 2)
    )
    table = band_table(run_table(sweep, METRIC_IDS))
    return experiments.curves(table[table["measure"] == "recall"], "recall")


# By figure: what draws it; for each axis with values its title and, of a hover text, the value. How
# far a mark may lie from its value, which is rounded.
AXES = {
    "documents": (
        of_documents,
        {
            "x": ("A: LEA recall, percent", rf"A {NUMBER}%"),
            "y": ("B: LEA recall, percent", rf"B {NUMBER}%"),
        },
    ),
    "by chance": (
        lambda: compare.randomised(DIFFERENCES, 0.02, "lea"),
        {"x": ("B − A by chance, points", rf"from {SIGNED} "), "y": ("exchanges", rf"^{NUMBER} ")},
    ),
    "errors": (
        lambda: compare.errors(OF_A.compare(OF_B).errors),
        {"x": (None, rf": {NUMBER}")},
    ),
    "sizes": (
        lambda: scores.size_against_score(
            SUMMARIES, size="key_entities", size_title="entities", metric="muc"
        ),
        {
            "x": ("entities in the document", rf"{NUMBER} entities"),
            "y": ("MUC F1, percent", rf"MUC F1: {NUMBER}%"),
        },
    ),
    "distribution": (
        lambda: documents.distribution(SUMMARIES, metric="lea"),
        {"x": ("LEA F1, percent", rf"LEA F1: {NUMBER}%")},
    ),
    "six": (
        lambda: scores.six_metrics({"A": OF_A.table, "B": OF_B.table}),
        {"y": ("percent", rf"{NUMBER}%$")},
    ),
    "ranks": (lambda: of_many(many.bumps), {"y": ("rank", r": (\d)\w\w of 3 by ")}),
    "scores": (
        lambda: of_many(many.score_lines),
        {"y": ("precision, percent", rf"precision, {NUMBER}%")},
    ),
    "data sets": (of_data_sets, {"x": ("mean rank", rf"mean rank {NUMBER},")}),
    "scorers": (of_scorers, {"x": ("F1, percent", rf"^{NUMBER}%")}),
    "pitfalls": (of_pitfall, {"x": ("recall, percent", rf"recall: (?:\S+ = )?{NUMBER}%")}),
    "curves": (
        curves,
        {
            "x": ("dose, percent", rf"dose, percent: {NUMBER}"),
            "y": ("recall, points of 100", rf"recall, points of 100: {NUMBER}"),
        },
    ),
}
APART = {"distribution": 1, "by chance": 0.1}


@pytest.mark.parametrize("name", AXES)
def test_each_point_lies_at_the_value_that_the_title_of_its_axis_names(name):
    draw, axes = AXES[name]
    figure = draw()
    for axis, (title, told) in axes.items():
        assert figure.layout[f"{axis}axis"].title.text == title
        places, values = marked(figure, axis, told)
        assert len(set(values)) > 1
        assert places == pytest.approx(values, abs=APART.get(name, 0.0051))


def marked(figure, axis, told):
    """The places of all marks with a hover text along an axis, and the values in these texts."""
    found = [
        (place, re.search(told, text))
        for trace in figure.data
        if isinstance(trace.hovertext, tuple)  # a text alone is that of a line
        for place, text in zip(trace[axis], trace.hovertext, strict=True)
        if text
    ]
    known = [(place, value[1]) for place, value in found if value]
    assert known
    return [place for place, _ in known], [
        float(v.replace(",", "").replace("−", "-")) for _, v in known
    ]


def test_before_a_perturbation_is_open_and_after_is_filled():
    table = change_table(OF_A, OF_B)
    figure = scores.before_and_after(table)
    assert figure.layout.yaxis.title.text == "percent"
    drawn = [trace for trace in figure.data if trace.hovertext]
    assert drawn
    for trace in drawn:
        for at, text in enumerate(trace.hovertext):
            if text:
                before, after = re.findall(rf"{NUMBER}% (?:before|after)", text)
                is_open = trace.marker.symbol[at].endswith("-open")
                assert f"{trace.y[at]:.2f}" == (before if is_open else after)


def test_a_diamond_shows_the_other_reading_where_a_change_has_the_opposite_sign():
    table = change_table(OF_A, OF_B)
    assert len(scores.before_and_after(table, table, "all").data) == len(METRIC_IDS) + 1
    other = table.copy()
    other.loc["lea", "f1_after"] = 0.25
    other.loc["lea", "f1_change"] = -table.loc["lea", "f1_change"]
    *_, texts, diamonds = scores.before_and_after(table, other, "only some").data
    at = METRIC_IDS.index("lea") + 0.33
    assert (list(diamonds.x), list(diamonds.y)) == ([at], [25])
    change = signed(0.25 - table.loc["lea", "f1"])
    assert f"only some: 25.00% after<br>{change} points" in diamonds.hovertext[0]
    label = texts.x.index(at)
    assert texts.text[label] == signed(table.loc["lea", "f1_change"])
    assert texts.y[label] >= max(25, 100 * table.loc["lea", "f1"])  # not behind the diamond


@pytest.mark.parametrize(("first", "second", "sign"), [(OF_A, OF_B, -1), (OF_B, OF_A, 1)])
def test_a_is_ahead_where_its_score_is_higher_and_is_drawn_filled(first, second, sign):
    table = compared_documents(first, second)
    (points,) = compare.documents(table[table["metric"] == "lea"], "lea", "f1").data
    symbols = {"circle": 1, "circle-open": -1, "diamond": 0}
    signs = [int(np.sign(round(x - y, 9))) for x, y in zip(points.x, points.y, strict=True)]
    assert [symbols[symbol] for symbol in points.marker.symbol] == signs
    assert sign in signs
    for text, ahead in zip(points.hovertext, signs, strict=True):
        assert {1: "A is ahead", -1: "B is ahead", 0: "they tie"}[ahead] in text


def test_two_systems_side_by_side_have_their_own_scores_and_the_difference_its_sign():
    pair = OF_A.compare(OF_B, trials=20)
    table = pair.significance
    table = table[table["measure"] == "f1"].set_index("metric").loc[[*METRIC_IDS]]
    a, b, difference = dumbbells(table, "f1").data
    for letter, trace, of in (("A", a, OF_A), ("B", b, OF_B)):
        assert list(trace.x) == pytest.approx([100 * of[metric].f1 for metric in METRIC_IDS])
        assert all(text.strip().startswith(f"{letter} ") for text in trace.text)
    assert list(difference.x) == pytest.approx(np.subtract(b.x, a.x))
    below = {note.text: note.xanchor for note in figure_notes(table)}
    assert (below["◄ A ahead"], below["B ahead ►"]) == ("right", "left")


def figure_notes(table):
    return dumbbells(table, "f1").layout.annotations


def test_errors_of_a_are_filled_and_those_of_b_open():
    table = OF_A.compare(OF_B).errors
    assert table["a"].tolist() != table["b"].tolist()
    for trace, (letter, symbol) in zip(
        compare.errors(table).data, {"A": "circle", "B": "circle-open"}.items(), strict=True
    ):
        assert list(trace.x) == table[letter.lower()].tolist()
        assert trace.marker.symbol == symbol
        assert all(text.startswith(f"{letter}, ") for text in trace.hovertext)


def test_differences_by_chance_lie_on_the_side_of_who_is_ahead():
    bars = compare.randomised(DIFFERENCES, 0.02, "lea").data[0]
    mean = sum(x * n for x, n in zip(bars.x, bars.y, strict=True)) / sum(bars.y)
    assert mean == pytest.approx(100 * DIFFERENCES.mean(), abs=0.2)


def test_the_whisker_of_a_rank_goes_from_its_best_to_its_worst():
    ranks = {"rank": [2, 1, 3], "low": [1, 1, 3], "high": [4, 1, 5], "score": [0.5, 0.6, 0.4]}
    table = pd.DataFrame({"metric": "lea", "response": [*"xyz"], **ranks}).assign(first=0.5)
    ends = {
        trace.customdata[0]: (trace.y[0] - up, trace.y[0] + down)
        for trace in many.bumps(table, ["lea"], {}, "f1").data
        for up, down in zip(trace.error_y.arrayminus, trace.error_y.array, strict=True)
    }
    assert ends == {"x": (1, 4), "y": (1, 1), "z": (3, 5)}
