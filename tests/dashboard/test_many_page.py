"""Compare with many systems, and with data sets."""

import json
import shutil

import pytest

from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.many import groups
from corescore.analysis.systems.many import ranking as rank
from corescore.corpus.files import write
from corescore.sentences import many as standings
from corescore.util import bundled
from dashboard.session import files as sources
from dashboard.session.access import DATA_SETS_VARIABLE, FILES_VARIABLE
from tests.support.acts import choose, says
from tests.support.pages import BAD, headlines, html, reads, run
from tests.support.samples import damaged_results, damaged_sample

# The page that ranks three responses or more ------------------------------------------------------

MANY = "many"
SAMPLE = str(bundled("sample_data"))


@pytest.fixture
def results():
    return damaged_results()


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """A key, and a folder of four responses and a file that cannot be read."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "outputs").mkdir()
    key, responses = damaged_sample()
    write(key, folder / "key.conll")
    for name, response in responses.items():
        write(response, folder / "outputs" / f"{name}.conll")
    (folder / "outputs" / "r5.conll").write_bytes(BAD)
    return [str(folder / "key.conll"), str(folder / "outputs")]


@pytest.fixture
def given(paths, monkeypatch):
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(paths))


def shown_rows(app):
    return app.dataframe[0].value.set_index("response")


def test_ranks_and_how_sure_they_are_stand_in_the_table(given, results):
    app = run(view=MANY, trials="300")
    found = rank(results, trials=300).table
    expected = found[found["metric"] == "conll"].set_index("response")
    rows = shown_rows(app)
    assert rows["rank"].to_dict() == expected["rank"].to_dict()
    assert rows["score"].to_dict() == pytest.approx((100 * expected["score"]).to_dict())
    assert rows["first"].to_dict() == pytest.approx((100 * expected["first"]).to_dict())
    tested = groups(results, "conll", trials=300)
    assert rows["letters"].to_dict() == standings.letters(tested)
    assert "300 exchanges" in html(app)
    assert "| 300 trials | seed 0" in html(app)


def test_responses_that_do_not_differ_share_a_rank_where_the_link_says_so(given, results):
    tested = groups(results, "lea", measure="precision", trials=200)
    shared, by_score = tested.shared_ranks, {name: n for n, name in enumerate(tested.responses, 1)}
    assert shared != by_score
    app = run(view=MANY, trials="200", measure="precision", ties="no significant difference")
    rows = shown_rows(app)
    assert rows["rank"].to_dict() == shared
    assert rows["by_score"].to_dict() == by_score  # to which the interval belongs
    assert rows["by_score"].between(rows["low"], rows["high"]).all()
    assert "share the best" in html(app)
    choose(app, "ties", "equal")
    assert shown_rows(app)["rank"].to_dict() == by_score
    assert "share the best" not in html(app)


def test_rankings_of_few_responses_are_not_correlated(given):
    app = run(view=MANY, trials="100")
    charts = [one.proto.id for one in app.get("plotly_chart")]
    assert not any("over_responses" in one for one in charts)
    assert any("over_documents" in one for one in charts)  # 17 of them
    assert "τ is not shown over 4 responses" in html(app)


def test_a_file_that_cannot_be_read_is_left_out_and_said_above_the_page(given):
    app = run(view=MANY, trials="100")
    assert list(shown_rows(app).index) == ["r1", "r2", "r3", "r4"]
    assert reads("".join(e.label for e in app.expander), "1 of 5", "left out")
    assert "r5.conll" not in app.selectbox(key="a").options


def test_other_responses_are_not_read_before_the_page_is_opened(given):
    app = run()
    assert not app.expander or "left out" not in "".join(e.label for e in app.expander)
    assert "every_result" not in app.session_state


def test_metric_and_measure_come_from_the_link(given, results):
    app = run(view=MANY, by="B³", measure="recall", trials="100")
    recall = {name: 100 * result["bcub"].recall for name, result in results.items()}
    assert shown_rows(app)["score"].to_dict() == pytest.approx(recall)
    assert any(reads(heading.value, "ranks", "B³") for heading in app.header)


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_fewer_than_three_responses_lead_to_advice(monkeypatch, b):
    paths = [f"{SAMPLE}/{name}.conll" for name in ("key", "cautious", "greedy")]
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(paths))
    app = run(view=MANY, data=sources.GIVEN, b=b)
    assert says(app, "three", "cautious and greedy")
    assert not app.dataframe


def test_a_changed_policy_scores_all_anew(given):
    app = run(view=MANY, trials="100")
    before = shown_rows(app)["score"]
    choose(app, "singletons", "drop")
    assert "singletons drop" in html(app)
    assert (shown_rows(app)["score"] != before).any()


def test_what_incorrectly_resolved_mentions_do_to_ranks_is_shown(given, results):
    app = run(view=MANY, trials="100", state={"about effect": True})
    found = identification_effect(results)
    assert standings.EFFECT in [heading.value for heading in app.header]
    assert standings.moved(found) in " ".join(headlines(app))
    assert any(one.proto.id.endswith("effect") for one in app.get("plotly_chart"))
    assert "a mention that is not found cannot be linked" in html(app)
    by_recall = identification_effect(results, measure="recall")
    app = run(view=MANY, trials="100", measure="recall")
    assert standings.moved(by_recall) in " ".join(headlines(app))


# Sentences and charts -----------------------------------------------------------------------------


def test_the_axis_is_to_scale_unless_ranks_are_asked_for(given):
    assert "to scale" in html(run(view=MANY, trials="100"))
    by_rank = html(run(view=MANY, trials="100", axis="rank"))
    assert "to scale" not in by_rank
    assert reads(by_rank, "tie", "rank")


# In the browser -----------------------------------------------------------------------------------


# Data sets in a folder of the command line --------------------------------------------------------

SAMPLES = bundled("sample_data")
GIVEN = {  # which file each system gave for each data set: `a` leads all
    "books": {"a": "key", "b": "greedy", "c": "heads"},
    "news": {"a": "key", "b": "cautious", "c": "heads"},
    "talk": {"a": "greedy", "b": "cautious", "c": "heads"},
    "web": {"a": "key", "b": "heads", "c": "greedy"},
}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "evaluation"
    for data_set, systems in GIVEN.items():
        (place / data_set).mkdir(parents=True)
        for name, file in {"key": "key", **systems}.items():
            shutil.copy(SAMPLES / f"{file}.conll", place / data_set / f"{name}.conll")
    return place


@pytest.fixture
def given_folder(folder, monkeypatch):
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(folder))
    return folder


def test_each_data_set_of_the_folder_can_be_shown_on_other_pages(given_folder):
    app = run(data="data set talk", b="c.conll")
    assert app.selectbox(key="data").value == "data set talk"
    assert app.selectbox(key="a").value == "a.conll"
    assert not app.exception


def test_a_folder_of_data_sets_that_is_broken_is_told_and_other_data_are_shown(given_folder):
    (given_folder / "web" / "key.conll").unlink()
    app = run(view=MANY)
    assert says(app, "web: no key; expected one")
    assert app.selectbox(key="data").options == ["sample data", "uploaded files"]


def test_the_page_of_data_sets_leads_to_many_systems_which_names_the_command():
    assert says(run(view="data-sets"), "corescore data-sets FOLDER")
