"""Compare with many systems, and with data sets."""

import io
import json
import shutil
import zipfile

import pytest
from playwright.sync_api import expect

from corescore import read, score
from corescore.__main__ import main
from corescore.analysis.systems.effect import identification_effect
from corescore.analysis.systems.many import groups
from corescore.analysis.systems.many import ranking as rank
from corescore.corpus.files import write
from corescore.sentences import many as standings
from corescore.util import bundled
from dashboard.session import files as sources
from dashboard.session.access import DATA_SETS_VARIABLE, FILES_VARIABLE
from tests.support.acts import choose, says
from tests.support.browser import (
    WIDTHS,
    click_at,
    open_place,
    place_of,
    served,
    wait_until_drawn,
    wait_until_idle,
    watched,
)
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
    assert "conll" not in app.selectbox(key="by").options
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
    app = run(view=MANY, trials="100")
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


# The page on systems over several data sets: a folder of the command line, or an archive ----------

PAGE = "data-sets"
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
def given_of_data_sets_page(folder, monkeypatch):
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(folder))
    return folder


def archive(folder):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.write(path, path.relative_to(folder.parent))
    return file.getvalue()


def upload(app, data, name="evaluation.zip"):
    app.file_uploader(key="data_sets_archive").upload(name, data, "application/zip").run()
    assert not app.exception
    return app


def standings_of_data_sets_page(app):
    return app.dataframe[0].value.set_index("system")


def expected(system):
    key = read(SAMPLES / "key.conll")
    return [
        100 * score(key, read(SAMPLES / f"{systems[system]}.conll"))["conll"].f1
        for systems in GIVEN.values()
    ]


def test_the_folder_of_the_command_line_is_compared(given_of_data_sets_page):
    app = run(view=PAGE)
    shown = standings_of_data_sets_page(app)
    assert list(shown.index) == list("abc")
    for system in "abc":
        own = expected(system)
        assert shown.loc[system][["0", "1", "2", "3"]].tolist() == pytest.approx(own)
        assert shown.loc[system]["macro"] == pytest.approx(sum(own) / 4)
    said = headlines(app)[0]
    assert reads(said, "better ranked", "a than c")
    assert says(app, "p = 0.042", "not all")
    assert says(app, "exact", 216)


@pytest.mark.slow
def test_data_sets_with_the_same_texts_are_warned_of(given_of_data_sets_page):
    assert says(run(view=PAGE), "books and news", "texts", "words in 17")


@pytest.mark.slow
def test_ranks_stand_in_the_same_table(given_of_data_sets_page):
    shown = standings_of_data_sets_page(run(view=PAGE, cells="ranks"))
    assert shown.loc["b"][["0", "1", "2", "3"]].tolist() == [2, 2, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize("given_by_link", ["", "nonsense"])
def test_a_link_that_selects_no_cells_shows_scores(given_of_data_sets_page, given_by_link):
    shown = standings_of_data_sets_page(run(view=PAGE, cells=given_by_link))
    assert shown.loc["a"]["0"] == 100


@pytest.mark.slow
def test_policies_and_metric_are_those_selected(given_of_data_sets_page):
    key, response = (read(SAMPLES / f"{name}.conll") for name in ("key", "greedy"))
    found = score(key, response, singletons="drop")["lea"].recall
    app = run(view=PAGE, by="LEA", measure="recall", singletons="leave them out")
    assert standings_of_data_sets_page(app).loc["c"]["3"] == pytest.approx(100 * found)
    assert "singletons drop" in html(app)


def test_each_data_set_of_the_folder_can_be_shown_on_other_pages(given_of_data_sets_page):
    app = run(data="data set talk", b="c.conll")
    assert app.selectbox(key="data").value == "data set talk"
    assert app.selectbox(key="a").value == "a.conll"
    assert not app.exception


@pytest.mark.slow
def test_a_system_that_lacks_a_data_set_is_said_and_left_out(given_of_data_sets_page):
    (given_of_data_sets_page / "news" / "b.conll").unlink()
    app = run(view=PAGE)
    assert says(app, "evaluation/news", "no response of b", "left out")
    assert list(standings_of_data_sets_page(app).index) == ["a", "c"]
    assert "Nothing is tested" in html(app)
    assert "cannot conclude" in headlines(app)[0]


@pytest.mark.slow
def test_a_response_that_cannot_be_read_leaves_its_system_out_and_is_said(given_of_data_sets_page):
    (given_of_data_sets_page / "web" / "c.conll").write_bytes(BAD)
    app = run(view=PAGE)
    assert "c.conll:" in html(app)
    assert list(standings_of_data_sets_page(app).index) == ["a", "b"]


@pytest.mark.slow
def test_a_key_that_cannot_be_read_leaves_its_data_set_out_and_is_said(given_of_data_sets_page):
    (given_of_data_sets_page / "web" / "key.conll").write_bytes(BAD)
    app = run(view=PAGE)
    assert "web: " in html(app)
    assert "over 3 data sets" in headlines(app)[0]


@pytest.mark.slow
def test_tallies_are_compared_without_their_texts(given_of_data_sets_page):
    before = standings_of_data_sets_page(run(view=PAGE))
    for name in GIVEN:
        place = given_of_data_sets_page / name
        for system in "abc":
            text, saved = place / f"{system}.conll", place / f"{system}.parquet"
            assert not main(
                ["score", str(place / "key.conll"), str(text), "--save-tally", str(saved)]
            )
            text.unlink()
    (given_of_data_sets_page / "web" / "key.conll").unlink()
    app = run(view=PAGE)
    assert standings_of_data_sets_page(app).equals(before)
    app = run(view=PAGE, singletons="leave them out")
    assert "other policies" in html(app)
    assert "No system" in headlines(app)[0]


def test_an_archive_is_opened_and_gives_the_same(folder, monkeypatch):
    app = run(view=PAGE)
    assert "zip archive" in headlines(app)[0]
    own = standings_of_data_sets_page(upload(app, archive(folder)))
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(folder))
    assert own.equals(standings_of_data_sets_page(run(view=PAGE)))


def test_what_is_no_archive_of_data_sets_is_refused_by_its_name(folder):
    assert "a.zip: no zip archive; expected a zip archive of folders" in html(
        upload(run(view=PAGE), b"text", "a.zip")
    )
    (folder / "news" / "key.conll").rename(folder / "news" / "gold.conll")
    said = html(upload(run(view=PAGE), archive(folder)))
    assert "evaluation.zip/news: no key; expected one" in said
    assert "/tmp" not in said
    outside = io.BytesIO()
    with zipfile.ZipFile(outside, "w") as packed:
        packed.writestr("../../outside.conll", "x")
        packed.writestr("one/key.conll", "x")
        packed.writestr("two/key.conll", "x")
    said = html(upload(run(view=PAGE), outside.getvalue()))
    assert "no response; expected one" in said


@pytest.mark.slow
def test_a_cell_leads_to_its_data_set_and_the_diagram_fits(folder, chromium):
    with served(data_sets=folder) as address, watched(chromium, address) as page:
        open_place(page, address, PAGE)
        canvas = page.locator(".st-key-data_sets_table canvas").first
        with (folder / "web" / "key.conll").open("a") as newer:
            newer.write("\n")
        # The last cell of the second row.
        click_at(canvas, place_of(canvas)["width"] - 12, 2 * 32 + 16)
        expect(page.get_by_role("heading", level=1)).to_contain_text("disagree")
        wait_until_idle(page)
        expect(page.get_by_role("combobox", name="Shown")).to_have_value("data set web")
        expect(page.get_by_text("key.conll has changed")).to_be_visible()
        expect(page.get_by_role("combobox", name="Response A")).to_have_value("b.conll")
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_contain_text("several data sets")
        wait_until_drawn(page)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_function("look.isFitted() && !look.cut().length")
