"""The Experiments page: the gallery, one experiment with its claims, links, and the charts."""

import re
from dataclasses import replace
from html import escape
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import corescore.replication
from corescore.metrics import METRICS, colour_of
from corescore.metrics.registry import NEUTRAL
from corescore.plots import experiments as experiment_plots
from corescore.plots.experiments.lines import apart
from corescore.rendering import claims
from corescore.rendering.drawn import with_decimals
from corescore.replication import EXPERIMENTS
from corescore.replication.conformance import QUESTIONS
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Outcome,
    Paper,
    Parameter,
    Setting,
)
from corescore.replication.experiment import run as run_experiment
from corescore.replication.partitions import of_sizes, read_sizes, score_partitions
from corescore.replication.printed import Printed
from dashboard.session import sources
from tests.support.browser import downloaded, open_at, place_of
from tests.support.pages import html, run

VIEW = "experiments"
PRINTED = Printed("Table <1>", Path(__file__).with_name("doe2020.csv"), ("metric",))
PAPER = Paper("Doe & Roe", 2020, "A paper <b>made up</b>")
SIX = [metric.id for metric in METRICS]


def split(setting):
    """An entity in two parts, of which the first has more and more mentions."""
    n = sum(read_sizes(setting.values["sizes"]))
    cuts = [round(n * step / setting.values["steps"]) for step in range(setting.values["steps"])]
    pairs = [(of_sizes([n]), of_sizes([cut, n - cut] if cut else [n])) for cut in cuts]
    table = score_partitions(pairs, setting.metrics)
    table.insert(0, "share", [cuts[pair] / n for pair in table["pair"]])
    return table[["share", "metric", "recall", "precision", "f1"]]


def on_data(setting):
    rows = [("mentions", 0, len(setting.key)), ("mentions", 1, len(setting.response))]
    return pd.DataFrame(rows, columns=["what", "side", "n"])


CLAIMS = (
    Claim(
        "Precision is <i>all</i> right.", "§1", lambda table: Check(True, "1 & 1"), scope="result"
    ),
    Claim(
        "CEAF_e stays.",
        "Fig. 1",
        lambda table: Check(False, "44.44"),
        note="An aside.",
        scope="result",
    ),
    Claim("Who knows.", "Fig. 2", lambda table: Check(None, "not here"), scope="result"),
)
PARAMETERS = (
    Parameter("steps", "Steps", 4, "how many", minimum=2, maximum=9),
    Parameter("weight", "Weight", 0.5, "how much", minimum=0, maximum=1),
    Parameter("order", "Order", "up", "which way", choices=("up", "down")),
    Parameter("sizes", "Sizes", "4 4", "of entities", reads=read_sizes),
)
SPLIT = Experiment(
    id="doe2020-fig1",
    paper=PAPER,
    where="Fig. 1",
    title="What does a *cut* cost?",
    setup="An entity <in two>.",
    run=split,
    chart=Chart("lines", x="share", x_title="first part, percent"),
    claims=CLAIMS,
    parameters=PARAMETERS,
    printed=(PRINTED,),
)
ON_DATA = Experiment(
    id="doe2020-table1",
    paper=PAPER,
    where="Table 1",
    title="How much is there?",
    setup="The documents are counted.",
    run=on_data,
    chart=Chart("table"),
    on_data=True,
)


@pytest.fixture
def made_up(monkeypatch):
    """The registry holds two experiments of ours alone."""
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", (SPLIT, ON_DATA))


def opened(app, name, **parameters):
    """The page with one experiment, as a link opens it."""
    app.query_params["experiment"] = name
    app.query_params.update({f"{name}-{key}": value for key, value in parameters.items()})
    app.run()
    assert not app.exception
    return app


@pytest.mark.slow
def test_every_experiment_opens():
    app = run(view=VIEW)
    for experiment in EXPERIMENTS:
        opened(app, experiment.id)
        assert [title.value.replace("\\", "") for title in app.title] == [experiment.title]
        assert len(app.get("plotly_chart")) == (experiment.chart.kind != "table")
        assert html(app).count('<b class="verdict">') == len(experiment.claims)


def test_the_gallery_says_how_many_claims_hold(made_up):
    app = run(view=VIEW)
    assert "1 of 3 holds, 1 does not, 1 cannot be tried" in html(app)
    assert "1 of 3 observations hold, 1 does not and 1 cannot be tried." in html(app)
    assert "on the loaded data" in html(app)
    assert "A paper &lt;b&gt;made up" in html(app)


@pytest.mark.slow
def test_a_click_opens_an_experiment_and_another_leads_back(made_up):
    app = run(view=VIEW)
    app.button(key=f"open-{SPLIT.id}").click().run()
    assert app.query_params["experiment"] == SPLIT.id
    app.button(key="next").click().run()
    assert app.title[0].value == ON_DATA.title.replace("?", r"\?")
    app.selectbox(key="experiment_box").select("conformance").run()
    assert app.title[0].value == "What each metric can and cannot tell"
    app.button(key="all_experiments").click().run()
    assert app.title[0].value == "Do the published observations hold?"
    assert "experiment" not in app.query_params


def test_an_unknown_experiment_leads_to_the_gallery(made_up):
    app = opened(run(view=VIEW), "<b>none</b>")
    assert "There is no experiment “&lt;b&gt;none&lt;/b&gt;”" in html(app)
    assert app.button(key=f"open-{SPLIT.id}")


def test_a_claim_has_its_mark_its_word_its_place_and_its_numbers(made_up):
    text = html(opened(run(view=VIEW), SPLIT.id))
    for sign, word in (
        ("✓", "holds"),
        ("✗", "does not hold under any reading"),
        ("–", "cannot be tried"),
    ):
        assert re.search(f'>{sign}</span><div><p><b class="verdict">{word}</b>', text)
    for words in ("Precision is &lt;i&gt;all", "1 &amp; 1", "CEAF<sub>e</sub> stays", "An aside"):
        assert words in text
    assert "1 of 3 observations holds here, 1 does not, 1 cannot be tried." in text
    assert "Does not hold under any reading: “CEAFₑ stays.”" in text
    assert "An entity &lt;in two&gt;." in text


def test_the_figures_of_a_paper_stand_under_the_name_of_their_table(made_up):
    app = opened(run(view=VIEW), SPLIT.id)
    assert [part.value for part in app.header] == ["Table <1>: printed and computed"]


def test_a_link_with_a_former_id_leads_to_the_experiment(made_up, monkeypatch):
    renamed = replace(SPLIT, former=("doe2020-figure",))
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", (renamed,))
    app = opened(run(view=VIEW), "doe2020-figure", steps="3")
    assert app.query_params["experiment"] == SPLIT.id
    assert app.slider(key=f"{SPLIT.id}-steps").value == 3


def test_a_parameter_changes_the_table_and_the_way_back_restores_it(made_up):
    app = opened(run(view=VIEW), SPLIT.id)
    before = app.dataframe[0].value
    assert app.button(key="back").disabled
    app.slider(key=f"{SPLIT.id}-steps").set_value(2).run()
    assert len(app.dataframe[0].value) < len(before)
    assert not app.button(key="back").disabled
    assert "with these values" in html(app)
    app.button(key="back").click().run()
    pd.testing.assert_frame_equal(app.dataframe[0].value, before)
    assert app.button(key="back").disabled
    assert f"{SPLIT.id}-steps" not in app.query_params


def test_a_link_opens_the_same_parameters(made_up):
    app = run(view=VIEW)
    opened(app, SPLIT.id, steps="3", weight="0.25", order="down", sizes="6 6")
    values = {"steps": 3, "weight": 0.25, "order": "down", "sizes": "6 6"}
    outcome = run_experiment(SPLIT, SPLIT.setting(values))
    assert escape(outcome.signature) in html(app)
    shown = app.dataframe[0].value
    np.testing.assert_allclose(shown["F1 %"], 100 * outcome.table["f1"])
    assert not app.button(key="back").disabled


def test_a_text_that_cannot_be_read_is_explained(made_up):
    app = opened(run(view=VIEW), SPLIT.id, sizes="nothing")
    assert "expected two or more whole numbers" in html(app)
    assert not app.get("plotly_chart")


def test_an_experiment_on_data_runs_on_the_chosen_system(made_up):
    app = opened(run(view=VIEW), ON_DATA.id)
    assert "Run on A (cautious) against key.conll." in html(app)
    app.segmented_control(key="of").set_value("B").run()
    assert "Run on B (greedy) against key.conll." in html(app)
    assert "micro over 17 documents" in html(app)


def test_without_data_an_experiment_on_data_says_what_to_do(made_up):
    app = opened(run(view=VIEW, data=sources.UPLOADED), ON_DATA.id)
    assert "select the sample data there" in html(app)
    assert not app.dataframe


def test_the_conformance_sheet_answers_every_question_for_each_of_the_six(made_up):
    app = opened(run(view=VIEW), "conformance")
    text = html(app)
    assert text.count("<td class=") == len(QUESTIONS) * len(SIX)
    assert re.search(
        r'<td class="fails" title="F1 29.46 % with [^"]*"><span [^/]*/span>no</td>', text
    )
    assert "Of 11 questions with a preferred answer, LEA gives it to all" in text
    assert "3 questions with reasons for either answer are not judged." in text
    assert "answered no by MUC to 3, CEAFₘ to 1 and LEA to 1." in text
    assert list(app.dataframe[0].value.columns)[:2] == ["question", "MUC"]


def test_the_table_is_in_percent_and_calls_metrics_by_their_titles():
    table = pd.DataFrame({"metric": ["ceafe"], "f1": [0.5], "n": [3.0], "rho": [0.25]})
    shown = claims.readable(table, Chart("matrix", y="rho", y_title="correlation"))
    assert shown.to_dict("list") == {"metric": ["CEAFₑ"], "F1 %": [50.0], "n": [3.0], "rho": [0.25]}
    assert with_decimals(shown) == ["F1 %", "rho"]


# Charts -------------------------------------------------------------------------------------------


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


def test_the_gallery_counts_errata_beside_claims():
    line = claims.tally_line([], n_errata=2)
    assert "✎" in line
    assert "2 errata in print" in line
    assert "1 erratum in print" in claims.tally_line([], n_errata=1)
    assert "print" not in claims.tally_line([])


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


def test_a_table_without_claims_is_summed_up_by_its_extremes():
    table = pd.DataFrame({"metric": ["lea", "muc"], "f1": [0.5, 0.25]})
    bare = Experiment("x", PAPER, "", "", "", lambda setting: table, Chart("bars", x="metric"))
    outcome = Outcome(bare, Setting(), table, ())
    sentence = claims.finding(outcome, changed=False)
    assert sentence.startswith("From 25.00 (MUC) to 50.00 (LEA)")


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_gallery_opens_an_experiment_and_its_table_can_be_taken_along(page, address):
    open_at(page, f"{address}/experiments")
    expect(page.get_by_role("heading", level=1)).to_have_text("Do the published observations hold?")
    experiment = next(one for one in EXPERIMENTS if one.chart.kind == "lines")
    page.get_by_role("button", name=experiment.title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(experiment.title)
    expect(page).to_have_url(re.compile(f"experiment={experiment.id}"))
    expect(page.locator("ul.claims li")).to_have_count(len(experiment.claims))
    expect(page.locator(".js-plotly-plot .scatterlayer .trace").first).to_be_attached()
    download = downloaded(page, experiment.id, "CSV")
    outcome = run_experiment(experiment)
    table = pd.read_csv(download.path())
    assert download.suggested_filename == f"{experiment.id}.csv"
    assert set(table["signature"]) == {outcome.signature}
    np.testing.assert_allclose(table["f1"], outcome.table["f1"])
    page.go_back()
    heading = page.get_by_role("heading", level=1).first  # the page that is left goes last
    expect(heading).to_have_text("Do the published observations hold?")


@pytest.mark.slow
def test_chart_and_claims_stand_side_by_side_on_the_first_screen(page, address):
    experiment = next(one for one in EXPERIMENTS if one.chart.kind == "lines")
    open_at(page, f"{address}/experiments?experiment={experiment.id}")
    chart = page.locator(".js-plotly-plot").first
    chart.wait_for()
    first = place_of(page.locator("ul.claims li").first)
    drawn = place_of(chart)
    assert drawn["x"] + drawn["width"] <= first["x"]
    assert drawn["y"] + drawn["height"] <= 900
