"""The page that ranks three responses or more."""

import json
import re

import pytest
from playwright.sync_api import expect

from corescore.analysis.systems.many import groups
from corescore.analysis.systems.many import ranking as rank
from corescore.corpus.files import write
from corescore.sentences import many as standings
from corescore.util import bundled
from dashboard.session import files as sources
from dashboard.session.access import FILES_VARIABLE
from dashboard.session.loaded import Loaded
from dashboard.views import many_systems
from tests.support.browser import click_point, downloaded, expect_to_fit, open_at, served, watched
from tests.support.pages import BAD, html, reads, run
from tests.support.samples import damaged_results, damaged_sample

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
    expected = found[found["metric"] == "lea"].set_index("response")
    rows = shown_rows(app)
    assert rows["rank"].to_dict() == expected["rank"].to_dict()
    assert rows["score"].to_dict() == pytest.approx((100 * expected["score"]).to_dict())
    assert rows["first"].to_dict() == pytest.approx((100 * expected["first"]).to_dict())
    tested = groups(results, "lea", trials=300)
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
    app.selectbox(key="ties").select("equal").run()
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
    assert "conll" not in app.selectbox(key="by").options
    assert any(reads(heading.value, "ranks", "B³") for heading in app.header)


@pytest.mark.parametrize("b", ["greedy.conll", "none"])
def test_fewer_than_three_responses_lead_to_advice(monkeypatch, b):
    paths = [f"{SAMPLE}/{name}.conll" for name in ("key", "cautious", "greedy")]
    monkeypatch.setenv(FILES_VARIABLE, json.dumps(paths))
    app = run(view=MANY, data=sources.GIVEN, b=b)
    assert reads(html(app), "three", "cautious and greedy")
    assert not app.dataframe


def test_a_changed_policy_scores_all_anew(given):
    app = run(view=MANY, trials="100")
    before = shown_rows(app)["score"]
    app.selectbox(key="singletons").select("drop").run()
    assert "singletons drop" in html(app)
    assert (shown_rows(app)["score"] != before).any()


# Sentences and charts -----------------------------------------------------------------------------


def test_the_axis_is_to_scale_unless_ranks_are_asked_for(given):
    assert "to scale" in html(run(view=MANY, trials="100"))
    by_rank = html(run(view=MANY, trials="100", axis="rank"))
    assert "to scale" not in by_rank
    assert reads(by_rank, "tie", "rank")


def test_a_ranking_is_told_from_that_of_other_responses(results):
    """What is cached by file is not taken for another choice of responses."""
    file = sources.file_of("key", b"k")
    files = sources.Files(file, tuple(sources.file_of(name, b"") for name in results))
    loaded = Loaded("key", damaged_sample()[0], (), files)
    fewer = {name: result for name, result in results.items() if name != "r1"}
    of = {"measure": "f1", "trials": 10, "seed": 0}
    assert many_systems.ranking_of(loaded, results, **of).responses == tuple(results)
    assert many_systems.ranking_of(loaded, fewer, **of).responses == tuple(fewer)


# In the browser -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_click_on_a_line_makes_it_system_a(chromium, paths):
    with served(*paths) as url, watched(chromium, url) as page:
        open_at(page, f"{url}/many?by=MUC&trials=200")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Which is first")
        expect(page.locator(".headline").first).to_contain_text("Of 4 responses, r1 is first")
        expect(page.get_by_text("1 of 5 responses is left out")).to_be_visible()
        expect(page.locator(".st-key-over_documents .main-svg").first).to_be_visible()
        lines = page.locator(".st-key-bumps .scatterlayer .trace")
        expect(lines).to_have_count(4)
        click_point(lines.first.locator(".point").first)
        expect(page).to_have_url(re.compile(r"a=r[34]\.conll"))
        expect(page.locator(".st-key-bumps .annotation").filter(has_text="A r")).to_have_count(1)
        text = downloaded(page, "ranks-f1", "CSV").path().read_text()
        assert text.startswith("response,metric,score,rank,first")
        assert "200 trials" in text
        expect_to_fit(page)
