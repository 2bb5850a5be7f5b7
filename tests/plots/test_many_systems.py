"""Charts of many systems."""

from itertools import pairwise

import pytest

from corescore.analysis.systems.documents import document_correlation
from corescore.analysis.systems.many import ranking as rank
from corescore.plots import many as many_plots
from tests.support.samples import damaged_results


@pytest.fixture
def results():
    return damaged_results()


def test_each_response_is_a_line_through_its_ranks(results):
    table = rank(results, trials=50).table
    figure = many_plots.bumps(table, ["muc", "lea"], {"r2": "A", "r4": "B"}, "f1")
    by_name = {trace.customdata[0]: trace for trace in figure.data}
    ranks = table.set_index(["response", "metric"])["rank"]
    for name in results:
        assert list(by_name[name].y) == [ranks[name, "muc"], ranks[name, "lea"]]
    assert by_name["r4"].line.dash == "dot"
    assert by_name["r4"].marker.symbol == "circle-open"
    assert [trace.customdata[0] for trace in figure.data][-1] == "r2"  # A lies over all others
    assert "<b>A r2</b>" in [note.text for note in figure.layout.annotations]
    assert by_name["r1"].hovertext[0].startswith("r1: 1st of 4 by MUC F1, ")


def test_the_ranks_in_the_resamples_stand_on_each_point(results):
    table = rank(results, trials=50).table
    figure = many_plots.bumps(table, ["lea"], {}, "f1")
    rows = table[table["metric"] == "lea"].set_index("response")
    for trace in figure.data:
        row, error = rows.loc[trace.customdata[0]], trace.error_y
        assert (trace.y[0] + error.array[0], trace.y[0] - error.arrayminus[0]) == (
            row["high"],
            row["low"],
        )


def test_differences_of_scores_are_drawn_to_scale(results):
    table = rank(results, trials=50).table
    figure = many_plots.score_lines(table, ["muc", "lea"], {"r2": "A"}, "f1")
    for trace in figure.data:
        of = results[trace.customdata[0]]
        assert list(trace.y) == pytest.approx([100 * of["muc"].f1, 100 * of["lea"].f1])
    heights = sorted(note.y for note in figure.layout.annotations)
    low, high = figure.layout.yaxis.range
    pixels = (figure.layout.height - 38) / (high - low)
    assert min(b - a for a, b in pairwise(heights)) * pixels >= 17 - 1e-6


def test_markup_in_a_name_is_text(results):
    named = {"<b>x</b>": results["r1"], "y": results["r2"], "z": results["r3"]}
    found = rank(named, trials=20)
    figure = many_plots.bumps(found.table, ["muc", "lea"], {}, "f1")
    notes = [note.text for note in figure.layout.annotations]
    assert "&lt;b&gt;x&lt;/b&gt;" in notes
    shares = many_plots.rank_shares(found.shares[:, 0], list(named), [1, 2, 3], {}, row_height=24)
    assert shares.data[0].hovertext[0][0].startswith("&lt;b&gt;x")


def test_the_cells_of_the_correlation_are_kendalls_tau(results):
    table = document_correlation(results["r1"]).loc[["muc", "lea"], ["muc", "lea"]]
    figure = many_plots.correlations(table, "over documents")
    tau = table.loc["lea", "muc"]
    assert figure.data[0].z[1][0] == tau
    assert figure.data[0].text[1][0] == f"{tau:.2f}"
