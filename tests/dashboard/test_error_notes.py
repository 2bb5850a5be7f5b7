"""Notes on the Errors page: tags and texts, where they are kept, and a second annotator."""

import json
from pathlib import Path

import pytest

from corescore import read, score
from corescore.analysis.error_table.notes import (
    Note,
    Notes,
    notes_as_json,
    notes_path,
    read_notes,
    update_notes,
)
from corescore.analysis.error_table.table import error_table
from dashboard.session.access import SHARED_VARIABLE
from tests.support.error_links import links_in, write_hard_data
from tests.support.pages import html, name_files, page_of, reads, run


@pytest.fixture
def files(tmp_path, monkeypatch):
    paths = write_hard_data(tmp_path)
    name_files(monkeypatch, *paths)
    return paths


@pytest.fixture
def rows(files):
    """The ids of the errors."""
    result = score(read(files[0]), read(files[1]))
    return error_table(result.comparison)["id"].tolist()


def opened(app, row):
    app.query_params["row"] = row
    app.run()
    assert not app.exception
    return app


def box(app, kind, row):
    """The box of a kind for the note on a row."""
    (found,) = (one for one in app.get(kind) if one.key and one.key.endswith(f" A {row}"))
    return found


def tag(app, row, *tags):
    box(app, "multiselect", row).set_value(list(tags)).run()
    assert not app.exception


def said(app):
    return html(app) + " ".join(caption.value for caption in app.caption)


@pytest.mark.slow
def test_where_others_use_the_app_notes_are_their_own_and_no_file_changes(files, rows, monkeypatch):
    path = Path(notes_path(str(files[1])))
    row = rows[0]
    before = notes_as_json(Notes.of([Note(row, ("hard",), "")]))
    path.write_text(before)
    monkeypatch.setenv(SHARED_VARIABLE, "yes")
    one, other = (run(view="errors", row=row) for _ in range(2))
    assert box(one, "multiselect", row).value == ["hard"]
    tag(one, row, "hard", "mine")
    assert box(one, "multiselect", row).value == ["hard", "mine"]
    assert reads(said(one), "Saved", "tab")
    assert box(other.run(), "multiselect", row).value == ["hard"]
    assert path.read_text() == before


def test_tags_and_a_text_are_saved_beside_the_response(files, rows):
    row = rows[0]
    app = run(view="errors", row=row)
    tag(app, row, "world knowledge, hard")
    box(app, "text_area", row).set_value("needs a map").run()
    name = notes_path(str(files[1]))
    assert read_notes(name).by_id == {row: Note(row, ("world knowledge", "hard"), "needs a map")}
    assert reads(said(app), "Saved", "one.jsonl.corescore-notes.json")
    assert box(app, "multiselect", row).value == ["world knowledge", "hard"]


def test_an_error_is_seen_without_a_word_and_no_longer_when_that_is_taken_back(files, rows):
    row = rows[1]
    app = run(view="errors", row=row)
    box(app, "checkbox", row).check().run()
    assert read_notes(notes_path(str(files[1]))).by_id == {row: Note(row)}
    box(app, "checkbox", row).uncheck().run()
    assert read_notes(notes_path(str(files[1]))).by_id == {}


@pytest.mark.slow
def test_a_note_that_another_process_changed_meanwhile_is_told_and_kept(files, rows):
    path = notes_path(str(files[1]))
    app = run(view="errors")
    row = rows[0]
    opened(app, row)
    update_notes(path, lambda notes: notes.with_note(Note(row, ("theirs",), "their text")))
    tag(app, row, "mine")
    assert read_notes(path).by_id[row] == Note(row, ("theirs", "mine"), "their text")
    assert "in the meantime (tags “theirs”, text “their text”)" in said(app)
    assert "in the meantime" not in said(app.run())
    update_notes(path, lambda notes: notes.with_note(Note(row, ("theirs",), "changed again")))
    box(app, "text_area", row).set_value("my text").run()
    assert read_notes(path).by_id[row].text == "my text"
    assert "text “changed again”" in said(app)


@pytest.mark.slow
def test_counts_by_tag_lead_to_the_errors_that_have_it(rows):
    one, two, *_ = rows
    app = run(view="errors")
    for row in (one, two):
        tag(opened(app, row), row, "hard")
    assert (2, "tag:hard", "A") in links_in(html(app))
    app.query_params["find"] = "tag:hard"
    app.run()
    assert "2 of the" in html(app)


def test_notes_that_someone_else_wrote_meanwhile_stay(files, rows):
    one, two, *_ = rows
    app = run(view="errors", row=one)
    path = notes_path(str(files[1]))
    Path(path).write_text(notes_as_json(Notes.of([Note(two, ("theirs",))])))
    tag(app, one, "mine")
    assert {note.tags for note in read_notes(path).by_id.values()} == {("theirs",), ("mine",)}


def test_a_file_that_is_broken_is_told_and_not_overwritten(files, rows):
    path = notes_path(str(files[1]))
    Path(path).write_text("[{]")
    row = rows[0]
    app = run(view="errors", row=row)
    assert "one.jsonl.corescore-notes.json:1: " in html(app)
    tag(app, row, "x")
    assert Path(path).read_text() == "[{]"


@pytest.mark.slow
def test_notes_on_the_sample_data_are_kept_in_the_session():
    result = page_of().session_state["loaded"].system("A").result
    row = error_table(result.comparison)["id"].iloc[0]
    app = run(view="errors", row=row)
    tag(app, row, "hard")
    assert reads(said(app), "Saved", "tab")
    assert "download them" in html(app)


def test_notes_are_imported_and_those_about_other_rows_told(rows):
    app = run(view="errors")
    row = rows[0]
    notes = [{"id": name, "tags": ["theirs"], "note": ""} for name in (row, "gone:1-2:k")]
    app.file_uploader(key="notes_in").upload("n.json", json.dumps(notes).encode()).run()
    assert not app.exception
    assert "2 notes imported." in html(app)
    assert reads(html(app), "n.json", "1 note")
    assert (1, "tag:theirs", "A") in links_in(html(app))


def test_a_bad_file_is_told_with_its_line(files):
    app = run(view="errors")
    app.file_uploader(key="notes_in").upload("n.json", b'[\n{"id": 3}\n]').run()
    assert "n.json:2" in html(app)


def test_a_second_annotator_is_compared_on_the_rows_both_have_seen(files, rows):
    app = run(view="errors")
    one, two, three, *_ = rows
    path = notes_path(str(files[1]))
    mine = [Note(one, ("x",)), Note(two), Note(three, ("x",))]
    Path(path).write_text(notes_as_json(Notes.of(mine)))
    theirs = [{"id": name, "tags": tags, "note": ""} for name, tags in ((one, ["x"]), (two, []))]
    app.file_uploader(key="notes_beside").upload("b.json", json.dumps(theirs).encode()).run()
    assert not app.exception
    told = html(app)
    assert reads(told, "2 mentions with errors", "both", "b.json", "1 more", "0 only in b.json")
    assert reads(told, "κ", "1.00")
