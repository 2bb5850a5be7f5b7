"""A table of genres, uploaded or named by the command line, and the pages that group by genre."""

import gc
from collections import Counter
from weakref import ref

import pandas as pd
import pytest
from playwright.sync_api import expect

from dashboard.session import life, scoring
from dashboard.session.access import GENRES_VARIABLE
from dashboard.session.files import UPLOADED, sample_files
from tests.support.browser import OWN_FILES, downloaded, open_at, turn_to, wait_until_idle, watched
from tests.support.pages import (
    KEY,
    QUICK,
    RESPONSE,
    SESSION,
    give,
    headlines,
    html,
    load_newer,
    open_page,
    reads,
    run,
    upload,
)

pytestmark = pytest.mark.slow

NAMES = [document.name for document in scoring.read_file(sample_files().key, side="key")]
ODD_OF = {name: "odd" if at % 2 else "even" for at, name in enumerate(NAMES)}
TABLE = "".join(f"{name}\t{genre}\n" for name, genre in ODD_OF.items()).encode()


def give_table(app, data, name="genres.tsv"):
    """Put a table into the box of the side bar."""
    app.file_uploader(key="genre_file").upload(name, data, "text/plain").run()
    assert not app.exception
    return app


def genres(app):
    return {of.name: of.genre for of in app.session_state["loaded"].key}


def documents(app):
    open_page(app, "documents")
    return app.dataframe[0].value.set_index("document")


# The box ------------------------------------------------------------------------------------------


def test_documents_are_shown_and_sorted_by_the_genres_of_an_uploaded_table():
    app = give_table(run(view="documents", show="sizes", sort="genre"), TABLE)
    shown = documents(app)["genre"]
    assert shown.to_dict() == ODD_OF
    assert shown.is_monotonic_increasing


def test_two_systems_are_compared_by_the_genres_of_a_table():
    """Errors by genre are the sums of those by document."""
    app = give_table(run(view="compare", parts=["errors"], errors_by="genre"), TABLE)
    shown = next(one.value for one in app.dataframe if "genre" in one.value.columns)
    a, b = (system.result.errors for system in app.session_state["loaded"].systems)
    extra = Counter({"odd": 0, "even": 0})
    for of, sign in ((a, -1), (b, 1)):
        for document in of["document"][of["kind"] == "divided entity"]:
            extra[ODD_OF[document]] += sign
    assert shown.set_index("genre")["divided entity"].to_dict() == dict(extra)


def test_errors_are_found_by_the_genres_of_a_table():
    app = give_table(run(view="errors", find="genre:odd"), TABLE)
    every = app.session_state["loaded"].systems[0].result.find("").table
    n = every["document"].map(ODD_OF).eq("odd").sum()
    assert 0 < n < len(every)
    assert reads(headlines(app)[0], f"{n:,}", f"{len(every):,}", "A (cautious)", "match")


def test_a_table_counts_for_the_session_that_has_it_and_until_it_is_taken_out():
    app = give_table(run(view=QUICK), TABLE)
    assert genres(app) == ODD_OF
    assert set(genres(run(view=QUICK)).values()) == {""}
    app.file_uploader(key="genre_file").set_value(None).run()
    assert set(genres(app).values()) == {""}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a\tnews\nb\n", "genres.tsv:2: 1 column: 'b'; expected a document and its genre"),
        (b"\xff\xfe", "genres.tsv: bytes that are"),
        (TABLE + TABLE, f"document '{NAMES[0]}'; expected each document"),
    ],
)
def test_a_wrong_table_is_told_in_words_and_the_one_before_stays(data, said):
    app = give_table(give_table(run(view=QUICK), TABLE), data)
    assert said.replace("'", "&#39;") in html(app)
    assert "stays" in html(app)
    assert genres(app) == ODD_OF


def test_documents_of_a_table_that_the_key_lacks_are_warned_of():
    app = give_table(run(view=QUICK), b"elsewhere,novel\nnews_harbour,novel\n", "genres.csv")
    assert reads(html(app), "genres.csv", "lacks 1 document", "&#39;elsewhere&#39;")
    assert genres(app)["news_harbour"] == "novel"


def test_a_table_stays_with_the_upload_that_it_was_given_for():
    app = upload(run(view=QUICK), ("mine.conll", KEY), ("out.conll", RESPONSE))
    (name,) = genres(app)
    app = give_table(app, f"{name},novel".encode(), "genres.csv")
    again = run(upload=app.query_params["upload"], data=UPLOADED)
    assert genres(again) == {name: "novel"}
    app.file_uploader(key="genre_file").set_value(None).run()
    assert genres(app) == {name: ""}


def test_nothing_that_was_made_with_a_table_outlives_its_session():
    """Here of the sample data, which are no upload."""
    app = give_table(run(view=QUICK), TABLE.replace(b"odd", b"strange"))
    made = [app.session_state["loaded"].key, app.session_state["loaded"].systems[0].result]
    still_there = [ref(one) for one in made]
    del app, made
    life.held.let_go([SESSION])
    gc.collect()
    assert [one() for one in still_there] == [None] * 2


# The command line ---------------------------------------------------------------------------------


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A key, a response and a table that the command line named."""
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=RESPONSE)
    (tmp_path / "genres.csv").write_text("d,novel\n(d); part 000,novel\n")
    monkeypatch.setenv(GENRES_VARIABLE, str(tmp_path / "genres.csv"))
    return tmp_path


def test_the_table_of_the_command_line_counts_until_the_newer_one_is_asked_for(folder):
    app = run(view=QUICK)
    assert set(genres(app).values()) == {"novel"}
    (folder / "genres.csv").write_text("d,letter\n(d); part 000,letter\n")
    app.run()
    assert set(genres(app).values()) == {"novel"}
    assert reads(html(app), "genres.csv", "changed", "since")
    load_newer(app)
    assert set(genres(app).values()) == {"letter"}
    assert "on disk" not in html(app)


def test_a_newer_table_that_is_wrong_is_told_and_the_one_before_stays(folder):
    app = run(view=QUICK)
    (folder / "genres.csv").write_text("d\n")
    app.run()
    load_newer(app)
    assert reads(html(app), "genres.csv:1", "1 column", "&#39;d&#39;")
    assert set(genres(app).values()) == {"novel"}


def test_an_uploaded_table_counts_instead_of_that_of_the_command_line(folder):
    app = run(view=QUICK)
    (name,) = genres(app)
    give_table(app, f"{name}\tletter".encode())
    assert genres(app) == {name: "letter"}
    app.file_uploader(key="genre_file").set_value(None).run()
    assert genres(app) == {name: "novel"}


# In a browser -------------------------------------------------------------------------------------


def test_an_uploaded_table_is_in_the_list_of_errors_and_in_what_is_downloaded(
    chromium, address, tmp_path
):
    table = tmp_path / "genres.tsv"
    table.write_bytes(TABLE)
    with watched(chromium, address) as page:
        open_at(page, f"{address}/documents?show=sizes")
        page.get_by_text(OWN_FILES).click()
        wait_until_idle(page)
        page.locator(".st-key-genre_file input[type=file]").set_input_files(table)
        wait_until_idle(page)
        file = pd.read_csv(downloaded(page, "documents-cautious", "CSV").path())
        assert dict(zip(file["document"], file["genre"], strict=True)) == ODD_OF
        turn_to(page, "Errors")
        expect(page.locator(".facets")).to_contain_text("odd")
