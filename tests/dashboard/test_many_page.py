"""Compare with many systems, and with data sets."""

import shutil

import pytest

from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.many import groups
from corescore.analysis.systems.many import ranking as rank
from corescore.corpus.files import write
from corescore.sentences import many as standings
from dashboard.session import files as sources
from dashboard.session.access import DATA_SETS_VARIABLE
from tests.support.acts import choose, says
from tests.support.pages import BAD, QUICK, headlines, html, name_files, reads, run
from tests.support.samples import RESPONSES, SAMPLE, damaged_results, damaged_sample

# The page that ranks three responses or more ------------------------------------------------------

MANY = "many"


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
    return folder / "key.conll", folder / "outputs"


@pytest.fixture
def given(paths, monkeypatch):
    name_files(monkeypatch, *paths)


@pytest.fixture(scope="module")
def shown(paths):
    """The page, for what only looks at it."""
    with pytest.MonkeyPatch.context() as patch:
        name_files(patch, *paths)
        return run(MANY, trials="100", state={"about effect": True})


def shown_rows(app):
    return app.dataframe[0].value.set_index("response")


def test_ranks_and_how_sure_they_are_stand_in_the_table(shown, results):
    found = rank(results, trials=100).table
    expected = found[found["metric"] == "conll"].set_index("response")
    rows = shown_rows(shown)
    assert rows["rank"].to_dict() == expected["rank"].to_dict()
    assert rows["score"].to_dict() == pytest.approx((100 * expected["score"]).to_dict())
    assert rows["first"].to_dict() == pytest.approx((100 * expected["first"]).to_dict())
    tested = groups(results, "conll", trials=100)
    assert rows["letters"].to_dict() == standings.letters(tested)
    assert "100 exchanges" in html(shown)
    assert "| 100 trials | seed 0" in html(shown)


def test_responses_that_do_not_differ_share_a_rank_where_the_link_says_so(given, results):
    tested = groups(results, "lea", measure="precision", trials=200)
    shared, by_score = tested.shared_ranks, {name: n for n, name in enumerate(tested.responses, 1)}
    assert shared != by_score
    app = run(MANY, trials="200", measure="precision", ties="no significant difference")
    rows = shown_rows(app)
    assert rows["rank"].to_dict() == shared
    assert rows["by_score"].to_dict() == by_score  # to which the interval belongs
    assert rows["by_score"].between(rows["low"], rows["high"]).all()
    assert "share the best" in html(app)
    choose(app, "ties", "equal")
    assert shown_rows(app)["rank"].to_dict() == by_score
    assert "share the best" not in html(app)


def test_rankings_of_few_responses_are_not_correlated(shown):
    charts = [one.proto.id for one in shown.get("plotly_chart")]
    assert not any("over_responses" in one for one in charts)
    assert any("over_documents" in one for one in charts)  # 17 of them
    assert "τ is not shown over 4 responses" in html(shown)


def test_a_file_that_cannot_be_read_is_left_out_and_said_above_the_page(shown):
    assert list(shown_rows(shown).index) == ["r1", "r2", "r3", "r4"]
    assert reads("".join(e.label for e in shown.expander), "1 of 5", "left out")
    assert "r5.conll" not in shown.selectbox(key="a").options


def test_other_responses_are_not_read_before_the_page_is_opened(given):
    app = run(QUICK)
    assert not app.expander or "left out" not in "".join(e.label for e in app.expander)
    assert "every_result" not in app.session_state


def test_what_the_link_selects_and_what_incorrectly_resolved_mentions_do_to_ranks(
    given, shown, results
):
    selected = {"by": "B³", "measure": "recall", "axis": "rank"}
    app = run(MANY, trials="100", state={"about effect": True}, **selected)
    recall = {name: 100 * result["bcub"].recall for name, result in results.items()}
    assert shown_rows(app)["score"].to_dict() == pytest.approx(recall)
    assert any(reads(heading.value, "ranks", "B³") for heading in app.header)
    assert "to scale" in html(shown)
    assert "to scale" not in html(app)
    assert says(app, "tie", "rank")
    for page, measure in ((shown, "f1"), (app, "recall")):
        effect = identification_effect(results, measure=measure)
        assert standings.moved(effect) in " ".join(headlines(page))
        assert standings.EFFECT in [heading.value for heading in page.header]
        assert any(one.proto.id.endswith("effect") for one in page.get("plotly_chart"))
    assert "a mention that is not found cannot be linked" in html(shown)


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_fewer_than_three_responses_lead_to_advice(monkeypatch, b):
    name_files(monkeypatch, *(SAMPLE / f"{name}.conll" for name in ("key", *RESPONSES)))
    app = run(MANY, data=sources.GIVEN, b=b)
    assert says(app, "three", "cautious and greedy")
    assert not app.dataframe


# Data sets in a folder of the command line --------------------------------------------------------


@pytest.fixture
def given_folder(tmp_path, monkeypatch):
    """Two data sets of three systems each."""
    for data_set in ("talk", "web"):
        (tmp_path / data_set).mkdir()
        for name, file in {"key": "key", "a": "greedy", "b": "cautious", "c": "heads"}.items():
            shutil.copy(SAMPLE / f"{file}.conll", tmp_path / data_set / f"{name}.conll")
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(tmp_path))
    return tmp_path


def test_each_data_set_of_the_folder_can_be_shown_on_other_pages(given_folder):
    app = run(QUICK, data="data set talk", b="c.conll")
    assert app.selectbox(key="data").value == "data set talk"
    assert app.selectbox(key="a").value == "a.conll"


def test_a_folder_of_data_sets_that_is_broken_is_told_and_other_data_are_shown(given_folder):
    (given_folder / "web" / "key.conll").unlink()
    app = run(MANY)
    assert says(app, "web: no key; expected one")
    assert app.selectbox(key="data").options == ["sample data", "uploaded files"]


def test_the_page_of_data_sets_leads_to_many_systems_which_names_the_command():
    assert says(run("data-sets"), "corescore data-sets FOLDER")
