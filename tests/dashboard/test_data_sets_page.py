"""The page on systems over several data sets: a folder of the command line, or an archive."""

import io
import shutil
import zipfile

import pytest
from playwright.sync_api import expect

from corescore import read, score
from corescore.__main__ import main
from corescore.util import bundled
from dashboard.session.access import DATA_SETS_VARIABLE
from tests.support.browser import click_at, place_of, served, wait_until_idle, watched
from tests.support.everyone import WIDTHS, open_place, wait_until_drawn
from tests.support.pages import BAD, headlines, html, reads, run

PAGE = "data-sets"
SAMPLES = bundled("sample_data")
GIVEN = {  # which file each system gave for each data set: `a` leads all
    "books": {"a": "key", "b": "greedy", "c": "heads"},
    "news": {"a": "key", "b": "cautious", "c": "heads"},
    "talk": {"a": "greedy", "b": "cautious", "c": "heads"},
    "web": {"a": "key", "b": "heads", "c": "greedy"},
}
TABLE = "data_sets_table"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "evaluation"
    for data_set, systems in GIVEN.items():
        (place / data_set).mkdir(parents=True)
        for name, file in {"key": "key", **systems}.items():
            shutil.copy(SAMPLES / f"{file}.conll", place / data_set / f"{name}.conll")
    return place


@pytest.fixture
def given(folder, monkeypatch):
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


def standings(app):
    return app.dataframe[0].value.set_index("system")


def expected(system):
    key = read(SAMPLES / "key.conll")
    return [
        100 * score(key, read(SAMPLES / f"{systems[system]}.conll"))["conll"].f1
        for systems in GIVEN.values()
    ]


def test_the_folder_of_the_command_line_is_compared(given):
    app = run(view=PAGE)
    shown = standings(app)
    assert list(shown.index) == list("abc")
    for system in "abc":
        own = expected(system)
        assert shown.loc[system][["0", "1", "2", "3"]].tolist() == pytest.approx(own)
        assert shown.loc[system]["macro"] == pytest.approx(sum(own) / 4)
    said = headlines(app)[0]
    assert reads(said, "better ranked", "a than c")
    assert reads(html(app), "p = 0.042", "not all")
    assert reads(html(app), "exact", 216)


@pytest.mark.slow
def test_data_sets_with_the_same_texts_are_warned_of(given):
    assert reads(html(run(view=PAGE)), "books and news", "texts", "words in 17")


@pytest.mark.slow
def test_ranks_stand_in_the_same_table(given):
    shown = standings(run(view=PAGE, cells="ranks"))
    assert shown.loc["b"][["0", "1", "2", "3"]].tolist() == [2, 2, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize("given_by_link", ["", "nonsense"])
def test_a_link_that_selects_no_cells_shows_scores(given, given_by_link):
    shown = standings(run(view=PAGE, cells=given_by_link))
    assert shown.loc["a"]["0"] == 100


@pytest.mark.slow
def test_policies_and_metric_are_those_selected(given):
    key, response = (read(SAMPLES / f"{name}.conll") for name in ("key", "greedy"))
    found = score(key, response, singletons="drop")["lea"].recall
    app = run(view=PAGE, by="LEA", measure="recall", singletons="leave them out")
    assert standings(app).loc["c"]["3"] == pytest.approx(100 * found)
    assert "singletons drop" in html(app)


def test_each_data_set_of_the_folder_can_be_shown_on_other_pages(given):
    app = run(data="data set talk", b="c.conll")
    assert app.selectbox(key="data").value == "data set talk"
    assert app.selectbox(key="a").value == "a.conll"
    assert not app.exception


@pytest.mark.slow
def test_a_system_that_lacks_a_data_set_is_said_and_left_out(given):
    (given / "news" / "b.conll").unlink()
    app = run(view=PAGE)
    assert reads(html(app), "evaluation/news", "no response of b", "left out")
    assert list(standings(app).index) == ["a", "c"]
    assert "Nothing is tested" in html(app)
    assert "cannot conclude" in headlines(app)[0]


@pytest.mark.slow
def test_a_response_that_cannot_be_read_leaves_its_system_out_and_is_said(given):
    (given / "web" / "c.conll").write_bytes(BAD)
    app = run(view=PAGE)
    assert "c.conll:" in html(app)
    assert list(standings(app).index) == ["a", "b"]


@pytest.mark.slow
def test_a_key_that_cannot_be_read_leaves_its_data_set_out_and_is_said(given):
    (given / "web" / "key.conll").write_bytes(BAD)
    app = run(view=PAGE)
    assert "web: " in html(app)
    assert "over 3 data sets" in headlines(app)[0]


@pytest.mark.slow
def test_tallies_are_compared_without_their_texts(given):
    before = standings(run(view=PAGE))
    for name in GIVEN:
        place = given / name
        for system in "abc":
            text, saved = place / f"{system}.conll", place / f"{system}.parquet"
            assert not main(
                ["score", str(place / "key.conll"), str(text), "--save-tally", str(saved)]
            )
            text.unlink()
    (given / "web" / "key.conll").unlink()
    app = run(view=PAGE)
    assert standings(app).equals(before)
    app = run(view=PAGE, singletons="leave them out")
    assert "other policies" in html(app)
    assert "No system" in headlines(app)[0]


def test_an_archive_is_opened_and_gives_the_same(folder, monkeypatch):
    app = run(view=PAGE)
    assert "zip archive" in headlines(app)[0]
    own = standings(upload(app, archive(folder)))
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(folder))
    assert own.equals(standings(run(view=PAGE)))


@pytest.mark.slow
def test_keys_and_responses_of_an_archive_may_be_folders_and_tallies(folder):
    before = standings(upload(run(view=PAGE), archive(folder)))
    for name in ("key", "a", "b", "c"):
        text = folder / "books" / f"{name}.conll"
        (folder / "books" / name).mkdir()
        text.rename(folder / "books" / name / "text.conll")
    place = folder / "web"
    for system in "abc":
        text, saved = place / f"{system}.conll", place / f"{system}.parquet"
        assert not main(["score", str(place / "key.conll"), str(text), "--save-tally", str(saved)])
        text.unlink()
    assert standings(upload(run(view=PAGE), archive(folder))).equals(before)


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
        canvas = page.locator(f".st-key-{TABLE} canvas").first
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
