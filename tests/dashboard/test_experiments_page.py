"""The page Experiments."""

import re
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import corescore.replication
from corescore.metrics import METRICS
from corescore.replication import EXPERIMENTS
from corescore.replication.conformance import QUESTIONS
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Paper,
    Parameter,
)
from corescore.replication.experiment import run as run_experiment
from corescore.replication.partitions import of_sizes, read_sizes, score_partitions
from corescore.replication.printed import Printed
from corescore.scoring.scores import score
from dashboard.session import files
from tests.support.acts import choose, press, says
from tests.support.browser import downloaded, open_at, place_of, push, title_of, wait_until_idle
from tests.support.pages import headlines, html, reads, run

# The Experiments page: the gallery, one experiment with its claims, links, and the charts ---------

VIEW = "experiments"
PRINTED = Printed("Table <1>", Path(__file__).with_name("doe2020.csv"), ("metric",))
PAPER = Paper("Doe & Roe", 2020, "A paper <b>made up</b>")
SIDES = ("key", "response")
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
    scored = score(setting.key, setting.response, setting.policies).sizes
    rows = [("mentions", side, int(scored[f"{side}_mentions"].sum())) for side in SIDES]
    return pd.DataFrame(rows, columns=["what", "side", "n"])


CLAIMS = (
    Claim("Precision is <i>all</i> right.", "§1", lambda table: Check(True, "1 & 1")),
    Claim(
        "CEAFₑ stays.",
        "Fig. 1",
        lambda table: Check(False, "44.44"),
        note="An aside.",
    ),
    Claim("Who knows.", "Fig. 2", lambda table: Check(None, "not here")),
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


def opened(name, link=(), **parameters):
    """The page with one experiment, as a link opens it."""
    own = {f"{name}-{key}": value for key, value in parameters.items()}
    return run(VIEW, experiment=name, **dict(link), **own)


@pytest.mark.long
@pytest.mark.slow
def test_every_experiment_opens():
    for experiment in EXPERIMENTS:
        app = opened(experiment.id)
        assert [title.value.replace("\\", "") for title in app.title] == [experiment.title]
        assert len(app.get("plotly_chart")) == (experiment.chart.kind != "table")
        assert html(app).count('<b class="verdict">') == len(experiment.claims)


def test_the_gallery_says_how_many_observations_hold(made_up):
    app = run(VIEW)
    assert says(app, "1 of 3 observations holds here, 1 cannot be checked")
    assert reads(headlines(app)[0], "1 of 3 observations holds when recomputed")
    assert "loaded data" in html(app)
    assert "A paper &lt;b&gt;made up" in html(app)


@pytest.mark.slow
def test_a_click_opens_an_experiment_and_another_leads_back(made_up):
    app = run(VIEW)
    press(app, f"open-{SPLIT.id}")
    assert app.query_params["experiment"] == SPLIT.id
    press(app, "next")
    assert app.title[0].value == ON_DATA.title.replace("?", r"\?")
    choose(app, "experiment_box", "conformance")
    assert app.query_params["experiment"] == "conformance"
    press(app, "all_experiments")
    assert app.button(key=f"open-{SPLIT.id}")
    assert "experiment" not in app.query_params


def test_an_unknown_experiment_leads_to_the_gallery(made_up):
    app = opened("<b>none</b>")
    assert "no experiment “&lt;b&gt;none&lt;/b&gt;”" in html(app)
    assert app.button(key=f"open-{SPLIT.id}")


def test_a_claim_has_its_mark_its_word_its_place_and_its_numbers(made_up):
    text = html(opened(SPLIT.id))
    for sign, word in (
        ("✓", "holds here"),
        ("✗", "does not hold here"),
        ("–", "cannot be checked here"),
    ):
        assert re.search(f'>{sign}</span><div><p><b class="verdict">{word}</b>', text)
    for words in ("Precision is &lt;i&gt;all", "1 &amp; 1", "CEAF<sub>e</sub> stays", "An aside"):
        assert words in text
    assert reads(text, "1 of 3 observations holds here, 1 cannot be checked")
    assert reads(text, "Does not hold: “CEAFₑ stays.”")
    assert text.count('<a href="#numbers">') == len(CLAIMS)
    assert '<span id="numbers">' in text
    assert "An entity &lt;in two&gt;." in text


def test_the_figures_of_a_paper_stand_under_the_name_of_their_table(made_up):
    app = opened(SPLIT.id)
    assert [part.value for part in app.header] == ["Table <1>: printed and computed"]


def test_a_link_with_a_former_id_leads_to_the_experiment(made_up, monkeypatch):
    renamed = replace(SPLIT, former=("doe2020-figure",))
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", (renamed,))
    app = opened("doe2020-figure", steps="3")
    assert app.query_params["experiment"] == SPLIT.id
    assert app.slider(key=f"{SPLIT.id}-steps").value == 3


def test_a_parameter_changes_the_table_and_the_way_back_restores_it(made_up):
    app = opened(SPLIT.id)
    before = app.dataframe[0].value
    assert app.button(key="back").disabled
    choose(app, f"{SPLIT.id}-steps", 2)
    assert len(app.dataframe[0].value) < len(before)
    assert not app.button(key="back").disabled
    assert "with these values" in html(app)
    press(app, "back")
    pd.testing.assert_frame_equal(app.dataframe[0].value, before)
    assert app.button(key="back").disabled
    assert f"{SPLIT.id}-steps" not in app.query_params


def test_a_link_opens_the_same_parameters(made_up):
    app = opened(SPLIT.id, steps="3", weight="0.25", order="down", sizes="6 6")
    values = {"steps": 3, "weight": 0.25, "order": "down", "sizes": "6 6"}
    outcome = run_experiment(SPLIT, SPLIT.setting(values))
    assert escape(outcome.signature) in html(app)
    shown = app.dataframe[0].value
    np.testing.assert_allclose(shown["f1"], 100 * outcome.table["f1"])
    assert not app.button(key="back").disabled


def test_a_text_that_cannot_be_read_is_explained(made_up):
    app = opened(SPLIT.id, sizes="nothing")
    assert "expected two or more whole numbers" in html(app)
    assert not app.get("plotly_chart")


def test_an_experiment_on_data_runs_on_the_chosen_system(made_up):
    app = opened(ON_DATA.id)
    assert says(app, "Run on A (cautious)", "key.conll")
    choose(app, "of", "B")
    assert says(app, "Run on B (greedy)", "key.conll")
    assert "micro over 17 documents" in html(app)


def test_an_experiment_on_data_obeys_the_policies_of_the_side_bar(few, made_up):
    kept = opened(ON_DATA.id)
    dropped = opened(ON_DATA.id, {"singletons": "drop"})
    assert "singletons keep" in html(kept)
    assert "singletons drop" in html(dropped)
    n_kept, n_dropped = (app.dataframe[0].value["n"].tolist() for app in (kept, dropped))
    assert all(less < more for less, more in zip(n_dropped, n_kept, strict=True))


def test_an_experiment_of_its_own_entities_says_that_it_does_not_obey_them(few, made_up):
    app = opened(SPLIT.id, {"singletons": "drop"})
    assert "singletons drop" not in html(app)
    assert says(app, "default policies", "sidebar")
    assert "default policies" not in html(opened(ON_DATA.id))


def test_a_policy_that_an_experiment_cannot_be_scored_by_is_refused_with_those_that_it_can(
    few, made_up, monkeypatch
):
    some = replace(ON_DATA, allowed={"singletons": ("keep", "drop")})
    monkeypatch.setattr(corescore.replication, "EXPERIMENTS", (some,))
    app = opened(ON_DATA.id, {"singletons": "e2e"})
    assert reads(headlines(app)[0], "e2e", "keep", "drop")
    assert not app.dataframe


@pytest.mark.slow
def test_a_document_of_the_loaded_key_becomes_the_key_of_a_figure(few):
    name = "moosavi2016-fig4-5"
    app = run(VIEW, experiment=name)
    before = app.dataframe[0].value
    choose(app, f"{name} key of document", "news_tram")
    assert "1×" in app.text_input(key=f"{name}-key").value
    assert app.query_params[f"{name}-key"] == app.text_input(key=f"{name}-key").value
    assert len(app.dataframe[0].value) != len(before)
    press(app, "back")
    pd.testing.assert_frame_equal(app.dataframe[0].value, before)
    assert app.selectbox(key=f"{name} key of document").value is None


def test_without_data_an_experiment_on_data_says_what_to_do(made_up):
    app = opened(ON_DATA.id, {"data": files.UPLOADED})
    assert "sample data" in html(app)
    assert not app.dataframe


@pytest.mark.slow
def test_the_conformance_sheet_answers_every_question_for_each_of_the_six(made_up):
    app = opened("conformance")
    text = html(app)
    assert text.count("<td class=") == len(QUESTIONS) * len(SIX)
    assert re.search(
        r'<td class="fails" title="F1 29.46% with [^"]*"><span [^/]*/span>no</td>', text
    )
    assert reads(text, "no", "MUC to 3", "CEAFₘ to 1", "LEA to 1")
    assert list(app.dataframe[0].value.columns)[:2] == ["question", "MUC"]


# In a browser -------------------------------------------------------------------------------------


def test_the_gallery_opens_an_experiment_and_its_table_can_be_taken_along(page, address):
    open_at(page, f"{address}/experiments")
    expect(title_of(page)).to_have_text("Printed, computed: the same direction?")
    experiment = next(one for one in EXPERIMENTS if one.chart.kind == "lines")
    page.locator(".st-key-gallery summary").click()
    place_of(page.get_by_role("button", name=experiment.title))
    push(page, experiment.title)
    expect(title_of(page)).to_have_text(experiment.title)
    expect(page).to_have_url(re.compile(f"experiment={experiment.id}"))
    expect(page.locator("ul.claims li")).to_have_count(len(experiment.claims))
    expect(page.locator(".js-plotly-plot .scatterlayer .trace").first).to_be_attached()
    wait_until_idle(page)
    first = place_of(page.locator("ul.claims li").first)
    drawn = place_of(page.locator(".js-plotly-plot").first)
    assert drawn["x"] + drawn["width"] <= first["x"]
    assert drawn["y"] + drawn["height"] <= 900  # side by side on the first screen
    download = downloaded(page, experiment.id, "CSV")
    outcome = run_experiment(experiment)
    table = pd.read_csv(download.path())
    assert download.suggested_filename == f"{experiment.id}.csv"
    assert set(table["signature"]) == {outcome.signature}
    np.testing.assert_allclose(table["f1"], outcome.table["f1"])
    page.go_back()
    heading = title_of(page).first  # the page that is left goes last
    expect(heading).to_have_text("Printed, computed: the same direction?")
