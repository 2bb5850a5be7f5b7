"""Charts: that they are drawn from the tables, say so in words, and can be seen in both themes."""

import itertools

import pytest

import corescore
from corescore.analysis.significance.resamples import intervals_of
from corescore.metrics import METRIC_IDS, METRICS, ROW_IDS, colour_of
from corescore.metrics.registry import NEUTRAL
from corescore.plots import scores as score_plots
from corescore.plots.template import beside, final
from corescore.scoring.tables import document_summary
from dashboard.launch import _THEME

KEY = [{"a", "b", "c"}, {"d", "e", "f", "g"}]
A = corescore.score_entities(KEY, [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}])
B = corescore.score_entities(KEY, [{"a", "b", "c"}, {"d", "e"}, {"f", "g"}])


def test_the_margin_beside_names_follows_the_text_that_is_seen_within_bounds():
    assert beside(["<b>CEAF<sub>m</sub></b>"]) == beside(["CEAFm"]) == beside([])
    assert beside([]) < beside(["conflated entity", "a"]) < beside(["n" * 1000])
    assert beside(["n" * 1000]) == beside(["n" * 2000])


def test_a_figure_that_is_final_is_a_dictionary_made_once():
    made = score_plots.six_metrics({"A": A.table}).to_dict()
    figure = final(score_plots.six_metrics({"A": A.table}))
    assert figure.to_dict() == made
    assert figure.to_dict() is figure.to_dict()


def markers(figure):
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_the_six_are_drawn_in_the_registrys_order():
    assert [metric.id for metric in METRICS] == list(METRIC_IDS)
    axis = score_plots.six_metrics({"A": A.table}).layout.xaxis
    assert axis.ticktext[2] == "<b>CEAF<sub>m</sub></b>"
    assert list(axis.tickvals) == list(range(len(METRICS)))


@pytest.mark.parametrize("tables", [{"A": A.table}, {"A": A.table, "B": B.table}])
def test_each_metric_and_system_has_recall_precision_and_f1(tables):
    traces = markers(score_plots.six_metrics(tables))
    drawn = [tuple(trace.y) for trace in traces]
    wanted = [
        tuple(100 * table.loc[metric, ["recall", "precision", "f1"]])
        for table in tables.values()
        for metric in METRIC_IDS
    ]
    assert drawn == wanted


def test_the_first_system_is_filled_and_the_second_open():
    traces = markers(score_plots.six_metrics({"A": A.table, "B": B.table}))
    assert list(traces[0].marker.symbol) == ["triangle-up", "triangle-down", "circle"]
    assert traces[len(METRICS)].marker.symbol[2] == "circle-open"


def test_hover_says_the_fraction_in_words():
    muc = markers(score_plots.six_metrics({"A": A.table}))[0]
    assert muc.hovertext[0] == "A, MUC recall: 2/5 = 40.00%"


def test_every_colour_has_a_contrast_of_three_in_both_themes():
    colours = [*map(colour_of, ROW_IDS), *NEUTRAL]
    backgrounds = [str(theme["backgroundColor"]) for theme in _THEME.values()]
    for colour, background in itertools.product(colours, backgrounds):
        light, dark = sorted((luminance(colour), luminance(background)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 3, (colour, background)


def test_parts_and_variants_of_a_metric_have_its_colour():
    of_blanc = {colour_of(row) for row in ("blanc", "blanc.coreference", "blanc_0.2")}
    assert len(of_blanc) == 1
    assert colour_of("blanc_0.2") != colour_of("unknown_0.2")


def luminance(colour):
    """Relative luminance, as in WCAG 2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def against_words(table, metric):
    return score_plots.size_against_score(
        {"A": table}, size="words", size_title="words", metric=metric
    )


def test_a_documents_name_is_text_and_no_markup():
    key = corescore.Document.of_entities("<b>d</b>", [[(0, 1), (1, 2)]], words=("a", "b"))
    corpus = corescore.Corpus((key,))
    table = document_summary(corescore.score(corpus, corpus))
    figure = against_words(table, "lea")
    assert figure.data[0].customdata == ("<b>d</b>",)
    assert figure.data[0].hovertext[0].startswith("&lt;b&gt;d")


def test_a_document_with_nothing_to_score_has_no_point():
    key = corescore.Document.of_entities("d", [[(0, 1)]], words=("a",))
    corpus = corescore.Corpus((key,))
    table = document_summary(corescore.score(corpus, corpus))
    figure = against_words(table, "muc")
    assert len(figure.data[0].x) == 0


def test_f1_has_a_whisker_at_its_interval_and_the_hover_says_it():
    result = A + B
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


def test_one_document_has_no_whisker():
    table = intervals_of(A, trials=50).table
    figure = score_plots.six_metrics({"A": A.table}, {"A": table})
    assert not figure.layout.shapes
    assert "interval" not in figure.layout.annotations[-1].text
