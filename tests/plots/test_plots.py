"""Each chart: what it draws of its table."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import corescore
from corescore import PolicyError
from corescore.analysis.errors.operations import KINDS, impact_table
from corescore.analysis.errors.tables import gain_table
from corescore.analysis.scorers import Rescored, walk
from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.documents import (
    document_correlation,
)
from corescore.analysis.systems.many import ranking as rank
from corescore.corpus.documents import Corpus, Document
from corescore.counting.policies import DEFAULTS
from corescore.metrics import METRICS, colour_of
from corescore.metrics.registry import NEUTRAL
from corescore.plots import compare as compare_plots
from corescore.plots import errors as error_plots
from corescore.plots import experiments as experiment_plots
from corescore.plots import many as many_plots
from corescore.plots import pitfalls as pitfall_plots
from corescore.plots.compare import dumbbells, parts
from corescore.plots.documents import (
    are_alike,
    distribution,
    waterfall,
    waterfall_table,
)
from corescore.plots.many import critical_differences
from corescore.plots.template import apart, percents
from corescore.rendering import drawn
from corescore.replication.experiment import (
    Chart,
)
from corescore.scoring.presets import PRESETS
from corescore.teaching import criteria
from corescore.teaching.criteria import score_comparison
from corescore.teaching.pitfalls import PITFALLS
from tests.support.samples import damaged, damaged_results, partitions, results

# Figures from Python: a result and a pair of results draw themselves ------------------------------

KEY = [{"a", "b", "c"}, {"d", "e", "f", "g"}]
A = corescore.score_entities(KEY, [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}])
B = corescore.score_entities(KEY, [{"a", "b", "c"}, {"d", "e"}, {"f", "g"}])


def test_another_measure_is_refused():
    with pytest.raises(PolicyError, match="measure is 'f2'; expected one of: recall"):
        A.compare(B, trials=20).plot(measure="f2")


# Charts of documents by their scores --------------------------------------------------------------


@pytest.mark.parametrize(
    "sizes, alike",
    [([500] * 9, True), ([500, 600, 700], True), ([300, 600, 1200], False), ([0, 0], True)],
)
def test_sizes_are_alike_where_nine_tenths_hardly_differ(sizes, alike):
    assert are_alike(np.array(sizes)) is alike


def summary(**scores):
    return pd.DataFrame({"lea": scores}, dtype=float)


def test_each_document_is_a_dot_at_its_score_stacked_up_or_for_b_down():
    tables = {"A": summary(d=0.5, e=0.5, f=0.75, g=np.nan), "B": summary(d=0.5)}
    dots, below = distribution(tables, metric="lea").data
    assert list(dots.customdata) == ["d", "e", "f"]
    assert list(dots.x) == pytest.approx([50, 50, 75])
    assert (list(dots.y), list(below.y)) == ([1, 2, 1], [-1])


def test_a_document_s_name_is_no_markup():
    (dots,) = distribution({"A": summary(**{"<b>d": 0.5})}, metric="lea").data
    assert dots.hovertext[0].startswith("&lt;b&gt;d<br>")


# Charts of errors ---------------------------------------------------------------------------------

PARTS = corescore.score_entities(
    [{"a", "b", "c"}, {"d", "e", "f", "g"}], [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}]
)


def test_the_chart_writes_every_gain_and_the_sum():
    table = gain_table(impact_table(PARTS.comparison))
    figure = error_plots.gains(table, {kind: kind for kind in KINDS}, "after fixing it")
    assert np.shape(figure.data[0].text) == (7, 7)
    assert len(figure.layout.annotations) == 7


# Charts of experiments: lines, bars, surfaces and matrices ----------------------------------------

SIX = [metric.id for metric in METRICS]


def lines_table(metrics=SIX):
    rows = [
        (kind, x / 10, metric, x / (10 + place), 0.0, 1.0)
        for kind in ("one", "other")
        for place, metric in enumerate(metrics)
        for x in range(11)
    ]
    return pd.DataFrame(rows, columns=["kind", "x", "metric", "f1", "low", "high"])


def test_a_line_a_metric_in_percent_with_its_band_and_its_name_at_the_end():
    table = lines_table([*SIX, "conll", "mine"]).query("kind == 'one'")
    figure = experiment_plots.draw(Chart("lines", x="x", x_title="links, percent"), table)
    lines = {trace.name: trace for trace in figure.data if trace.name}
    assert len(figure.data) == 2 * len(lines) == 16
    assert max(lines["LEA"].x) == 100
    assert max(lines["MUC"].y) == pytest.approx(100)
    assert lines["CoNLL"].line.dash == "dash"
    assert lines["mine"].line.color == NEUTRAL[0]
    named = {annotation.text: annotation.ay for annotation in figure.layout.annotations}
    assert "<b>CEAF<sub>e</sub></b>" in named
    assert min(b - a for a, b in pairwise(sorted(named.values()))) > 3


def test_lines_that_coincide_are_named_once_and_both_seen():
    ends = {"muc": [0, 50, 80], "bcub": [0, 50, 80], "ceafm": [5, 20, 80], "lea": [0, 10, 40]}
    rows = [(x, metric, y / 100) for metric, ys in ends.items() for x, y in enumerate(ys)]
    table = pd.DataFrame(rows, columns=["x", "metric", "f1"])
    figure = experiment_plots.draw(Chart("lines", x="x", x_title="links"), table)
    named = {annotation.text: annotation.y for annotation in figure.layout.annotations}
    assert named == pytest.approx(
        {"<b>MUC, B³</b>": 80, "<b>CEAF<sub>m</sub></b>": 80, "<b>LEA</b>": 40}
    )
    dashes = [trace.line.dash for trace in figure.data if trace.name]
    assert dashes == ["solid", "dash", "solid", "solid"]


def test_names_at_line_ends_lie_apart_within_bounds_and_in_order():
    found = apart([0.0, 1.0, 50.0, 99.0, 100.0, 100.0], gap=5, within=(0, 100))
    assert found == [0.0, 5.0, 50.0, 90.0, 95.0, 100.0]
    assert apart([], gap=5, within=(0, 100)) == []


def test_a_facet_has_a_panel_for_each_value():
    chart = Chart("lines", x="x", x_title="links", facet="kind")
    figure = experiment_plots.draw(chart, lines_table())
    titles = [annotation.text for annotation in figure.layout.annotations]
    assert titles[:2] == ["<b>one</b>", "<b>other</b>"]
    assert len({trace.xaxis for trace in figure.data}) == 2


@pytest.mark.parametrize("n_metrics", [6, 9])
def test_bars_write_every_figure_once(n_metrics):
    metrics = [*SIX, "conll", "links", "blanc_0.5"][:n_metrics]
    table = pd.DataFrame(
        [(f"<{x}>", metric, x / 10) for x in range(3) for metric in metrics],
        columns=["x", "metric", "f1"],
    )
    figure = experiment_plots.draw(Chart("bars", x="x"), table)
    drawn = [(bar.xaxis, y, x, text) for bar in figure.data for x, y, text in row_of(bar)]
    assert [text for *_, text in drawn].count("20.00") == n_metrics
    assert len(set(drawn)) == len(drawn) == 3 * n_metrics
    assert {(y, x) for _, y, x, _ in drawn} == {(1, 0), (2, 0.1), (3, 0.2)}
    assert figure.layout.yaxis.ticktext[1:] == ("&lt;0&gt;", "&lt;1&gt;", "&lt;2&gt;")
    heads = [annotation.text for annotation in figure.layout.annotations]
    assert ("<b>BLANC<br>α = 0.5</b>" in heads) == (n_metrics == 9)
    places = {bar.yaxis for bar in figure.data}
    assert len({figure.layout[f"yaxis{y[1:]}"].domain for y in places}) == (n_metrics == 9) + 1


def row_of(bar):
    return zip(bar.x, bar.y, bar.text, strict=True)


def test_bars_over_the_metrics_themselves_have_their_colours():
    table = pd.DataFrame({"metric": ["lea", "muc"], "f1": [0.5, 0.25]})
    (bars,) = experiment_plots.draw(Chart("bars", x="metric"), table).data
    drawn = dict(zip(bars.marker.color, row_of(bars), strict=True))
    assert drawn == {colour_of("muc"): (0.25, 1, "25.00"), colour_of("lea"): (0.5, 2, "50.00")}


def test_a_block_of_bars_has_the_name_of_its_facet():
    table = pd.DataFrame({"x": "a", "metric": "lea", "f1": [0.5, 0.25], "on": ["one", "other"]})
    figure = experiment_plots.draw(Chart("bars", x="x", facet="on"), table)
    names = [figure.layout[axis].ticktext for axis in ("yaxis", "yaxis2")]
    assert names == [("<b>one</b>", "a"), ("<b>other</b>", "a")]


def test_a_surface_has_a_height_for_each_pair():
    rows = [(a / 4, b / 2, a * b / 8) for a in range(5) for b in range(3)]
    table = pd.DataFrame(rows, columns=["right", "wrong", "f1"])
    chart = Chart("surface", x="right", facet="wrong", x_title="a, percent", facet_title="b")
    surface = experiment_plots.draw(chart, table).data[0]
    assert np.shape(surface.z) == (3, 5)
    assert (surface.x[-1], surface.y[-1], surface.z[-1][-1]) == (100, 1, 100)


def test_a_matrix_writes_its_figures_and_leaves_what_is_not_there_open():
    table = pd.DataFrame(
        [("muc", "lea", -0.5), ("lea", "lea", 1.0), ("muc", "muc", 1.0)],
        columns=["metric", "other", "rho"],
    )
    chart = Chart("matrix", x="metric", y="rho", facet="other", y_title="correlation")
    figure = experiment_plots.draw(chart, table)
    assert [list(row) for row in figure.data[0].text] == [["−0.50", "1.00"], ["1.00", "–"]]
    assert figure.layout.xaxis.ticktext == ("<b>MUC</b>", "<b>LEA</b>")


def test_a_chart_of_kind_table_is_not_drawn():
    assert experiment_plots.draw(Chart("table"), pd.DataFrame()) is None


# Charts of pitfall cards --------------------------------------------------------------------------


# One for each measure, those with an average of metrics and without a value of one
SOME = [*{card.measure: card for card in PITFALLS}.values()]
SOME += [card for card in PITFALLS if card.id in ("conll-average", "bcub-singletons")]


@pytest.mark.parametrize("card", SOME)
def test_the_chart_of_a_card_has_the_bars_and_the_figures_of_its_table(card):
    figure = pitfall_plots.comparison(
        score_comparison(card), measure=card.measure, title=card.title, finding="F"
    )
    told = [one.text for one in figure.layout.annotations]
    for output, bars in zip((card.case.a, card.case.b), figure.data, strict=True):
        values = [output.value(metric, card.measure) for metric in card.shown]
        drawn = [pytest.approx(100 * value, nan_ok=True) for value in values]
        assert list(bars.x) == drawn
        mine = [text for text in told if text.startswith(f"{output.letter} <b>")]
        assert [text.split("<b>")[1].split("</b>")[0] for text in mine] == [
            *map(pitfall_plots.shown, values)
        ]
        spoken = [hover.split("<br>")[0] for hover in bars.hovertext]
        assert all(f" of {output.letter}" in words for words in spoken)
    against = ["disagrees" in name for name in figure.layout.yaxis.ticktext]
    assert against == [card.case.disagrees(metric) for metric in card.shown]
    assert pitfall_plots.MARKS in figure.layout.title.subtitle.text
    assert figure.layout.xaxis.title.text == f"{criteria.MEASURES[card.measure]}, percent"


# Charts of two systems ----------------------------------------------------------------------------

CORPUS = partitions(24, seed=1)
A_OF_TWO_SYSTEMS, B_OF_TWO_SYSTEMS = results(
    CORPUS, damaged(CORPUS, 0.2, seed=2), damaged(CORPUS, 0.5, seed=3)
)
PAIR = A_OF_TWO_SYSTEMS.compare(B_OF_TWO_SYSTEMS, trials=200)


def test_the_line_of_no_difference_leaves_room_for_numbers_that_are_near_it():
    table = PAIR.significance.query("measure == 'f1'").set_index("metric")
    shapes = dumbbells(table, "f1").layout.shapes
    pieces = [(one.y0, one.y1) for one in shapes if one.x0 == one.x1 == 0 and one.xref == "x2"]
    assert len(pieces) == len(table)
    for row in range(len(table)):
        assert not any(low < row - 0.2 and high > row - 0.45 for low, high in pieces)


def test_the_observed_difference_stands_in_the_histogram_of_all_trials():
    drawn = PAIR.randomised("lea")
    figure = compare_plots.randomised(drawn, 0.02, "lea")
    assert sum(figure.data[0].y) == PAIR.trials
    assert [line.x0 for line in figure.layout.shapes] == [2.0, -2.0]
    bars = compare_plots.randomised_table(drawn, 0.02)
    assert list(bars["exchanges"]) == list(figure.data[0].y)
    assert list(bars["to"])[:-1] == list(bars["from"])[1:]


def test_few_exchanges_are_counted_whole():
    figure = compare_plots.randomised(np.array([0.01, -0.01, 0.02, -0.02]), 0.02, "lea")
    assert figure.layout.yaxis.dtick == 1


def test_a_bar_of_parts_is_whole():
    figure = parts(PAIR.verdicts, list(PAIR.verdicts.index), ["#000000"] * 6, heads="abcde")
    bars = [trace for trace in figure.data if trace.y is not None]
    total = [sum(bar.x[row] for bar in bars) for row in range(len(PAIR.verdicts))]
    assert total == pytest.approx([100] * len(PAIR.verdicts))
    beside = [note.text for note in figure.layout.annotations]
    numbers = [f"{n:,}" for _, column in PAIR.verdicts.items() for n in column]
    assert sorted(beside) == sorted([*"abcde", *numbers])


# Charts of many systems ---------------------------------------------------------------------------


@pytest.fixture
def results_of_many_systems():
    return damaged_results()


def test_each_response_is_a_line_through_its_ranks(results_of_many_systems):
    table = rank(results_of_many_systems, trials=50).table
    figure = many_plots.lines(table, ["muc", "lea"], {"r2": "A", "r4": "B"}, "f1", "rank")
    by_name = {trace.customdata[0]: trace for trace in figure.data}
    ranks = table.set_index(["response", "metric"])["rank"]
    for name in results_of_many_systems:
        assert list(by_name[name].y) == [ranks[name, "muc"], ranks[name, "lea"]]
    assert by_name["r4"].line.dash == "dot"
    assert by_name["r4"].marker.symbol == "circle-open"
    assert [trace.customdata[0] for trace in figure.data][-1] == "r2"  # A lies over all others
    assert "<b>A r2</b>" in [note.text for note in figure.layout.annotations]
    assert by_name["r1"].hovertext[0].startswith("r1: 1st of 4 by MUC F1, ")


def test_differences_of_scores_are_drawn_to_scale(results_of_many_systems):
    table = rank(results_of_many_systems, trials=50).table
    figure = many_plots.lines(table, ["muc", "lea"], {"r2": "A"}, "f1", "score")
    for trace in figure.data:
        of = results_of_many_systems[trace.customdata[0]]
        assert list(trace.y) == pytest.approx([100 * of["muc"].f1, 100 * of["lea"].f1])
    heights = sorted(note.y for note in figure.layout.annotations)
    low, high = figure.layout.yaxis.range
    pixels = (figure.layout.height - 38) / (high - low)
    assert min(b - a for a, b in pairwise(heights)) * pixels >= 17 - 1e-6


@pytest.mark.parametrize(
    "low, high, ticks",
    [
        (95, 109, [96, 98, 100]),
        (-3, 103, [0, 20, 40, 60, 80, 100]),
        (99.94, 100.06, [99.94, 99.96, 99.98, 100]),
        (41, 55.5, [45, 50, 55]),
    ],
)
def test_an_axis_of_percents_has_no_tick_beyond_100(low, high, ticks):
    axis = percents(low, high)
    assert axis["range"] == [low, high]
    assert axis["tickvals"] == ticks


def test_markup_in_a_name_is_text(results_of_many_systems):
    named = {
        "<b>x</b>": results_of_many_systems["r1"],
        "y": results_of_many_systems["r2"],
        "z": results_of_many_systems["r3"],
    }
    found = rank(named, trials=20)
    figure = many_plots.lines(found.table, ["muc", "lea"], {}, "f1", "rank")
    notes = [note.text for note in figure.layout.annotations]
    assert "&lt;b&gt;x&lt;/b&gt;" in notes
    shares = many_plots.rank_shares(found.shares[:, 0], list(named), [1, 2, 3], {}, row_height=24)
    assert shares.data[0].hovertext[0][0].startswith("&lt;b&gt;x")


def test_the_cells_of_the_correlation_are_kendalls_tau(results_of_many_systems):
    table = document_correlation(results_of_many_systems["r1"]).loc[["muc", "lea"], ["muc", "lea"]]
    figure = many_plots.correlations(table, "over documents")
    tau = table.loc["lea", "muc"]
    assert figure.data[0].z[1][0] == tau
    assert figure.data[0].text[1][0] == f"{tau:.2f}"


# The critical-difference diagram: what it draws, and that none of its names lies over -------------


def made(n_systems, n_data_sets, apart, names=None):
    """Scores of which the first system has the highest, apart from the next one by so much."""
    rng = np.random.default_rng(n_systems)
    scores = rng.random((n_systems, n_data_sets)) * 0.3 - apart * np.arange(n_systems)[:, None]
    names = names or [f"system {number}" for number in range(n_systems)]
    data_sets = tuple(f"set {number}" for number in range(n_data_sets))
    return DataSets("lea", "f1", tuple(names), data_sets, scores)


def bars(figure):
    return [trace for trace in figure.data if trace.line.width == 5]


def test_each_system_stands_at_its_mean_rank_and_each_group_has_a_bar():
    found = made(5, 8, 0.1)
    figure = critical_differences(found)
    (marks,) = (trace for trace in figure.data if trace.mode == "markers")
    assert list(marks.x) == sorted(found.mean_ranks.tolist())
    assert len(bars(figure)) == len(found.groups) > 1
    rank_of = dict(zip(found.systems, found.mean_ranks, strict=True))
    for bar, group in zip(bars(figure), found.groups, strict=True):
        ends = [rank_of[name] for name in group]
        assert list(bar.x) == pytest.approx([min(ends), max(ends)], abs=0.05)


def test_the_bracket_is_as_long_as_the_critical_difference():
    found = made(5, 8, 0.1)
    lengths = [shape.x1 - shape.x0 for shape in critical_differences(found).layout.shapes]
    assert max(lengths) == pytest.approx(found.critical_difference)


def test_a_critical_difference_longer_than_the_axis_has_no_bracket_and_is_said():
    figure = critical_differences(made(3, 2, 0.2))
    assert not figure.layout.shapes
    assert figure.layout.annotations[0].text == "critical difference 2.34: longer than the axis"


@pytest.mark.parametrize("n_systems", [3, 4, 9, 30])
def test_each_name_has_a_row_of_its_own_below_all_bars(n_systems):
    figure = critical_differences(made(n_systems, 17, 0.04))
    names = [note for note in figure.layout.annotations if note.xref == "paper"]
    rows = {side: sorted(n.y for n in names if n.x == side) for side in (0, 1)}
    assert sum(map(len, rows.values())) == n_systems
    for heights in rows.values():
        assert min(np.diff(heights), default=1) >= 1
    assert all(bar.y[0] < min(map(min, rows.values())) for bar in bars(figure))
    assert max(map(max, rows.values())) < figure.layout.yaxis.range[0]


def test_long_names_that_begin_alike_are_told_apart_and_escaped():
    names = [f"the same long beginning <b> {end}" for end in "abc"]
    notes = critical_differences(made(3, 4, 0.2, names)).layout.annotations[1:]
    texts = [note.text for note in notes]
    assert len({text.split("</b>")[0].split("<b>")[-1] for text in texts}) == 3
    assert not any("<b> a" in text for text in texts)


def test_the_table_of_the_diagram_says_which_systems_are_under_one_bar():
    found = made(5, 8, 0.1)
    table = drawn.barred(found).set_index("system")
    assert table["mean_rank"].is_monotonic_increasing
    for letter, group in zip("abc", found.groups, strict=False):
        under = {name for name, letters in table["bars"].items() if letter in letters.split()}
        assert under == set(group)


# Charts of scorers: the walk between two, and the lead under each policy --------------------------


def small():
    words = tuple("abcdef")
    key = Corpus(
        (Document.of_rows("d", [(0, 1, 0), (1, 2, 1), (3, 4, 1), (5, 6, 2)], words=words),)
    )
    a = Corpus((Document.of_rows("d", [(0, 1, 0), (1, 2, 1)], words=words),))
    b = Corpus((Document.of_rows("d", [(1, 2, 1), (3, 4, 1)], words=words),))
    return {"a": Rescored(key, a), "b": Rescored(key, b)}


def test_the_bars_of_the_waterfall_lead_from_one_score_to_the_other():
    taken = walk(small()["b"], DEFAULTS, PRESETS["corefud"].policies, "bcub")
    ends, bars = waterfall(taken, "here", "there").data
    assert list(ends.x) == [100 * taken.first, 100 * taken.last]
    assert bars.base[0] == 100 * taken.first
    assert bars.base[-1] + bars.x[-1] == pytest.approx(100 * taken.last)
    rows = waterfall_table(taken, "here", "there")
    assert [*rows["scored by"].iloc[[0, -1]]] == ["here", "there"]
    assert list(100 * rows["difference"].dropna()) == list(bars.x)
    assert rows["score"].iloc[-1] == taken.last


def test_two_scorers_that_agree_have_no_bars():
    taken = walk(small()["b"], DEFAULTS, DEFAULTS, "bcub")
    assert len(waterfall(taken, "here", "there").data) == 1
