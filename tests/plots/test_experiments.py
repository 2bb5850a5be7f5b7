"""Charts of experiments: lines, bars, surfaces and matrices."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from corescore.analysis.perturbation.effects import SAME
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS, colour_of
from corescore.metrics.registry import NEUTRAL
from corescore.plots import experiments as experiment_plots
from corescore.plots.experiments import apart
from corescore.replication.experiment import (
    Chart,
)

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
    assert lines["CoNLL average"].line.dash == "dash"
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
    _, bars, figures, headings = figure.data
    assert [text.strip() for text in figures.text].count("20.00") == n_metrics
    assert len(bars.x) == len(set(zip(bars.base, bars.y, strict=True))) == 3 * n_metrics
    ticks = ("F1, percent", "&lt;0&gt;", "&lt;1&gt;", "&lt;2&gt;")
    assert figure.layout.yaxis.ticktext == ticks
    assert ("<b>BLANC<br>α = 0.5</b>" in headings.text) == (n_metrics == 9)


def test_columns_that_do_not_fit_make_another_block():
    table = pd.DataFrame({"x": "word " * 6, "metric": [f"m{n}" for n in range(10)], "f1": 0.5})
    figure = experiment_plots.draw(Chart("bars", x="x"), table)
    rows = set(figure.data[1].y)
    assert len(rows) == 2


def test_bars_over_the_metrics_themselves_have_their_colours():
    table = pd.DataFrame({"metric": ["lea", "muc"], "f1": [0.5, 0.25]})
    figure = experiment_plots.draw(Chart("bars", x="metric"), table)
    bars = figure.data[1]
    drawn = dict(zip(bars.marker.color, zip(bars.y, bars.x, strict=True), strict=True))
    muc, lea = (drawn[colour_of(name)] for name in ("muc", "lea"))
    assert muc[0] < lea[0]
    assert lea[1] == pytest.approx(2 * muc[1])


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


def test_changes_are_drawn_in_points_with_their_spread_and_whether_they_are_as_they_should_be():
    rows = [
        (system, metric, *(base + by for by in (0.0, *spread)), other, should)
        for system, base, spread, other, should in (
            ("Base", 0.5, (0.0, 0.0), 0.5, ""),
            ("Better", 0.5, (0.0, 0.0), 0.6, SAME),
            ("Worse", 0.46, (-0.01, 0.02), 0.53, SAME),
        )
        for metric in ("lea", "muc")
    ]
    table = pd.DataFrame(rows, columns=["system", "metric", "at", "low", "high", "other", "should"])
    for measure in MEASURES:
        table[measure], table[f"{measure}_should"] = table["at"], table["should"]
        for end in ("low", "high", "other"):
            table[f"{measure}_{end}"] = table[end]
    table["f1_should"] = ""
    figure = experiment_plots.draw(Chart("changes", x="system"), table)
    drawn = [trace for trace in figure.data if trace.mode == "markers"]
    dots = [trace for trace in drawn if isinstance(trace.marker.symbol, str)]
    dots, diamonds = dots[0::2], dots[1::2]  # of each measure
    assert {trace.marker.symbol for trace in diamonds} == {"diamond-open"}
    assert all(np.allclose(trace.x, [3, 3]) for trace in diamonds)  # of Worse alone
    assert [trace.marker.symbol for trace in dots] == ["triangle-up", "triangle-down", "circle"]
    assert all(np.allclose(trace.x, [0, 0, -4, -4]) for trace in dots)
    assert [*dots[0].marker.color] == [colour_of("muc"), colour_of("lea")] * 2
    numbers = [trace.text for trace in figure.data if trace.mode == "text"]
    assert [*numbers[0]] == ["0.00 ✓", "0.00 ✓", "−4.00 ✗", "−4.00 ✗"]
    assert [*numbers[2]] == ["0.00", "0.00", "−4.00", "−4.00"]
    spreads = [(bar.x0, bar.x1) for bar in figure.layout.shapes if bar.line.width == 9]
    assert np.allclose(spreads, [(-5, -2)] * 6)
    assert "from −5.00 to −2.00" in dots[0].hovertext[2]
    heads = [annotation.text for annotation in figure.layout.annotations]
    assert heads.count(f"Recall {SAME}") == 2
