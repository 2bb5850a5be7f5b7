"""Axes and labels of charts, also where a browser draws them again."""

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import plotly
import pytest

import corescore
from corescore import Corpus, read, score
from corescore.analysis.perturbation import parse_perturbation, perturb
from corescore.analysis.perturbation.sweep import Sweep, band_table, run_table
from corescore.analysis.scorers import Rescored, walk
from corescore.analysis.significance import intervals_of
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.documents import compared_documents
from corescore.analysis.systems.many import ranking
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, METRICS, ROW_IDS, colour_of
from corescore.metrics.registry import NEUTRAL
from corescore.plots import compare, documents, experiments, many, pitfalls, scores
from corescore.plots import documents as scorers
from corescore.plots import scores as score_plots
from corescore.plots.scores import before_and_after
from corescore.plots.template import CLEAR, beside, final
from corescore.scoring.tables import change_table, document_summary
from corescore.teaching.criteria import score_comparison
from corescore.teaching.pitfalls import PITFALLS
from corescore.wording import signed
from dashboard.launch import _COLOURS
from tests.support.colours import contrast
from tests.support.samples import RESPONSES, SAMPLE

# The title of an axis names what is drawn along it: each point lies where its own hover -----------

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
    return compare.documents(table[table["metric"] == "lea"], "lea")


def of_many(column):
    drop = parse_perturbation("drop:share=0.4")
    third = corescore.score(KEY, perturb(KEY, B, [drop], seed=1))
    found = ranking({"a": OF_A, "third": third, "b": OF_B}, trials=20, measure="precision")
    return many.lines(found.table, ["muc", "lea"], {}, "precision", column)


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
        {"y": ("B − A, points", rf"by {NUMBER} ")},
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
    "ranks": (lambda: of_many("rank"), {"y": ("rank", r": (\d)\w\w of 3 by ")}),
    "scores": (
        lambda: of_many("score"),
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
    without = scores.before_and_after(table, table, "all").data
    assert len(without) == len(METRIC_IDS) + len(("coreference", "non-coreference")) + 1
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


@pytest.mark.parametrize("first, second, sign", [(OF_A, OF_B, -1), (OF_B, OF_A, 1)])
def test_a_is_ahead_where_its_score_is_higher_and_is_drawn_filled(first, second, sign):
    table = compared_documents(first, second)
    (bars,) = compare.documents(table[table["metric"] == "lea"], "lea").data
    assert list(bars.y) == sorted(bars.y, reverse=True)
    signs = [-int(np.sign(round(gap, 9))) for gap in bars.y]
    assert [colour != CLEAR for colour in bars.marker.color] == [ahead == 1 for ahead in signs]
    assert sign in signs
    for text, ahead in zip(bars.hovertext, signs, strict=True):
        assert {1: "A is ahead", -1: "B is ahead", 0: "they tie"}[ahead] in text


def test_two_systems_side_by_side_have_their_own_scores_and_the_difference_its_sign():
    figure = OF_A.compare(OF_B, trials=20).plot(measure="recall")
    a, b, difference = figure.data
    for letter, trace, of in (("A", a, OF_A), ("B", b, OF_B)):
        assert list(trace.x) == pytest.approx([100 * of[metric].recall for metric in METRIC_IDS])
        assert all(text.strip().startswith(f"{letter} ") for text in trace.text)
    assert list(difference.x) == pytest.approx(np.subtract(b.x, a.x))
    below = {note.text: note.xanchor for note in figure.layout.annotations}
    assert (below["◄ A ahead"], below["B ahead ►"]) == ("right", "left")


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
        for trace in many.lines(table, ["lea"], {}, "f1", "rank").data
        for up, down in zip(trace.error_y.arrayminus, trace.error_y.array, strict=True)
    }
    assert ends == {"x": (1, 4), "y": (1, 1), "z": (3, 5)}


# Charts: that they are drawn from the tables, say so in words, and can be seen in both ------------

KEY_OF_CHARTS = [{"a", "b", "c"}, {"d", "e", "f", "g"}]
A_OF_CHARTS = corescore.score_entities(
    KEY_OF_CHARTS, [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}]
)
B_OF_CHARTS = corescore.score_entities(KEY_OF_CHARTS, [{"a", "b", "c"}, {"d", "e"}, {"f", "g"}])


def test_the_margin_beside_names_follows_the_text_that_is_seen_within_bounds():
    assert beside(["<b>CEAF<sub>m</sub></b>"]) == beside(["CEAFm"]) == beside([])
    assert beside([]) < beside(["conflated entity", "a"]) < beside(["n" * 1000])
    assert beside(["n" * 1000]) == beside(["n" * 2000])


def test_a_figure_that_is_final_is_a_dictionary_made_once():
    made = score_plots.six_metrics({"A": A_OF_CHARTS.table}).to_dict()
    figure = final(score_plots.six_metrics({"A": A_OF_CHARTS.table}))
    assert figure.to_dict() == made
    assert figure.to_dict() is figure.to_dict()


def markers(figure):
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_the_six_are_drawn_in_the_registrys_order():
    assert [metric.id for metric in METRICS] == list(METRIC_IDS)
    axis = score_plots.six_metrics({"A": A_OF_CHARTS.table}).layout.xaxis
    assert axis.ticktext[2] == "<b>CEAF<sub>m</sub></b>"
    assert list(axis.tickvals) == list(range(len(METRICS)))


def test_each_metric_has_recall_precision_and_f1_filled_of_the_first_system_and_then_open():
    tables = {"A": A_OF_CHARTS.table, "B": B_OF_CHARTS.table}
    traces = markers(score_plots.six_metrics(tables))
    drawn = [tuple(trace.y) for trace in traces]
    assert drawn == [
        tuple(100 * table.loc[metric, ["recall", "precision", "f1"]])
        for table in tables.values()
        for metric in METRIC_IDS
    ]
    alone = markers(A_OF_CHARTS.plot())
    assert [tuple(trace.y) for trace in alone] == drawn[: len(METRICS)]
    assert list(traces[0].marker.symbol) == ["triangle-up", "triangle-down", "circle"]
    assert traces[len(METRICS)].marker.symbol[2] == "circle-open"


def test_hover_says_the_fraction_in_words():
    muc = markers(score_plots.six_metrics({"A": A_OF_CHARTS.table}))[0]
    assert muc.hovertext[0] == "A, MUC recall: 2/5 = 40.00%"


def test_every_colour_has_a_contrast_of_three_in_both_themes():
    colours = [*map(colour_of, ROW_IDS), *NEUTRAL]
    backgrounds = [str(_COLOURS[f"theme.{name}.backgroundColor"]) for name in ("light", "dark")]
    for both in itertools.product(colours, backgrounds):
        assert contrast(*(bytes.fromhex(one.removeprefix("#")) for one in both)) >= 3, both


def test_parts_and_variants_of_a_metric_have_its_colour():
    of_blanc = {colour_of(row) for row in ("blanc", "blanc.coreference", "blanc_0.2")}
    assert len(of_blanc) == 1
    assert colour_of("blanc_0.2") != colour_of("unknown_0.2")


def test_a_documents_name_is_no_markup_and_without_a_score_it_has_no_point():
    corpus = corescore.Document.of_entities("<b>d</b>", [[(0, 1)]])
    tables = {"A": document_summary(corescore.score(corpus, corpus))}
    of = {"size": "key_entities", "size_title": "entities"}
    (points,) = score_plots.size_against_score(tables, metric="lea", **of).data
    assert points.customdata == ("<b>d</b>",)
    assert points.hovertext[0].startswith("&lt;b&gt;d")
    assert len(score_plots.size_against_score(tables, metric="muc", **of).data[0].x) == 0


def test_f1_has_a_whisker_at_its_interval_and_the_hover_says_it():
    result = A_OF_CHARTS + B_OF_CHARTS
    table = intervals_of(result, trials=50).table
    figure = score_plots.six_metrics({"A": result.table}, {"A": table})
    ends = table[table["measure"] == "f1"].set_index("metric")
    bars = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(bar.y0, bar.y1) for bar in bars] == [
        (100 * ends.loc[metric, "t_low"], 100 * ends.loc[metric, "t_high"]) for metric in METRIC_IDS
    ]
    low, high = (f"{100 * ends.loc['muc', end]:.2f}" for end in ("t_low", "t_high"))
    assert markers(figure)[0].hovertext[2].endswith(f"95% interval: {low} to {high}")
    assert figure.layout.yaxis.range[0] <= min(bar.y0 for bar in bars)


def test_recall_precision_and_f1_of_each_metric_are_written_under_its_marks():
    tables = {"A": A_OF_CHARTS.table, "B": B_OF_CHARTS.table}
    notes = [note.text for note in score_plots.six_metrics(tables).layout.annotations]
    for letter, table in tables.items():
        for metric in METRIC_IDS:
            recall, precision, f1 = 100 * table.loc[metric, ["recall", "precision", "f1"]]
            text = f"{letter}<br><b>{f1:.2f}</b><br>R {recall:.2f}<br>P {precision:.2f}"
            assert notes.count(text) >= 1


def test_one_document_has_no_whisker():
    table = intervals_of(A_OF_CHARTS, trials=50).table
    figure = score_plots.six_metrics({"A": A_OF_CHARTS.table}, {"A": table})
    assert not figure.layout.shapes
    assert "interval" not in figure.layout.annotations[-1].text


# Charts that a browser draws again with other numbers, as after a click, show all their -----------

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
DRAW = "([data, layout]) => Plotly.react('chart', data, layout).then(() => {})"
LABELS = "[...document.querySelectorAll('.textpoint text')].map((one) => one.textContent)"


@pytest.fixture
def blank(chromium):
    page = chromium.new_page()
    page.set_content('<div id="chart" style="width: 900px; height: 400px"></div>')
    page.add_script_tag(path=PLOTLY)
    yield page
    page.close()


def changes(*, up):
    """Of the sample data, from one response to the other or back."""
    key = read(SAMPLE / "key.conll")
    results = [score(key, read(SAMPLE / f"{name}.conll")) for name in RESPONSES]
    return change_table(*(results if up else results[::-1]))


# The labels that overlap a mark or another label, by how many pixels.
OVERPRINTED = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].map((one) =>
    one.getBoundingClientRect()).filter((box) => box.width);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const labels = boxes(".textpoint text");
  const marks = boxes(".points path:not([style*='opacity: 0;'])");
  return [labels.length, marks.length, labels.filter((label, at) =>
    [...marks, ...labels.slice(at + 1)].some((other) => meet(label, other))).length];
}"""


def test_labels_of_changes_stay_when_drawn_again_and_overprint_neither_marks_nor_each_other(blank):
    for up in (True, False, True):
        table = changes(up=up)
        figure = json.loads(before_and_after(table).to_json())
        blank.evaluate(DRAW, [figure["data"], figure["layout"]])
        values = table.loc[list(METRIC_IDS), [f"{m}_change" for m in MEASURES]].to_numpy()
        assert sorted(filter(None, blank.evaluate(LABELS))) == sorted(
            signed(value) for value in values.flat
        )
        n_labels, n_marks, n_overprinted = blank.evaluate(OVERPRINTED)
        assert (n_labels, n_overprinted) == (3 * len(METRIC_IDS), 0)
        assert n_marks == 2 * n_labels + 2 * 2 * len(MEASURES)  # those of BLANC's halves, too
