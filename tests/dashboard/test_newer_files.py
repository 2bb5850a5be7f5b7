"""Files of the command line that change while the app shows them."""

import shutil

import pytest

from corescore import InputError
from corescore.corpus.problems import Problem
from dashboard.session import data_sets as data_set_scores
from dashboard.session import files as sources
from dashboard.session import scoring
from dashboard.session.access import DATA_SETS_VARIABLE
from tests.support.every_format import BRAT, TEXT
from tests.support.pages import (
    BAD,
    KEY,
    LOAD_NEWER,
    QUICK,
    RESPONSE,
    give,
    html,
    load_newer,
    name_files,
    open_page,
    reads,
    run,
)
from tests.support.together import put

pytestmark = pytest.mark.slow

NEWER = KEY.replace(b"slept", b"sat")
CHANGED = "key.conll has changed on disk since it was loaded."


@pytest.fixture
def folder(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE, c_conll=KEY)
    return tmp_path


def forget():
    """Let nothing that was read and scored be kept, as after much else was opened."""
    for cached in (scoring._read, scoring._score):
        cached.clear()


def words(app):
    """Those of the key that is shown."""
    return [word for document in app.session_state["loaded"].key for word in document.words]


def is_loaded(app):
    return "loaded" in app.session_state


def offers(app):
    return LOAD_NEWER in [button.label for button in app.main.button]


def changed(folder, *names, content=NEWER):
    for name in names:
        (folder / f"{name}.conll").write_bytes(content)


def test_what_is_shown_stays_until_the_newer_files_are_asked_for(folder):
    app = run(view=QUICK)
    assert "on disk" not in html(app)
    assert not offers(app)
    changed(folder, "key", "a", "b")
    for view in ("errors", "overview"):
        open_page(app, view)
        assert not app.exception
        assert words(app) == ["She", "slept"]
        assert reads(html(app), "key.conll, a.conll and b.conll", "changed")
    load_newer(app)
    assert words(app) == ["She", "sat"]
    assert "on disk" not in html(app)
    assert not offers(app)


def test_a_text_that_is_read_with_a_file_counts_as_part_of_it(monkeypatch, tmp_path):
    for name in ("key", "out"):
        (tmp_path / f"{name}.ann").write_text(BRAT)
        (tmp_path / f"{name}.txt").write_text(TEXT)
    name_files(monkeypatch, tmp_path / "key.ann", tmp_path / "out.ann")
    app = run(view=QUICK)
    assert words(app)[-2:] == ["it", "."]
    for name in ("key", "out"):
        (tmp_path / f"{name}.txt").write_text(TEXT.replace(".\nThe girls", "!\nThe girls"))
    app.run()
    assert reads(html(app), "key.ann and out.ann", "changed")
    load_newer(app)
    assert "!" in words(app)


def test_policies_and_systems_change_over_what_is_loaded(folder):
    app = run(view=QUICK)
    changed(folder, "key")
    app.selectbox(key="singletons").select("drop").run()
    app.selectbox(key="b").select("none").run()
    assert not app.exception
    loaded = app.session_state["loaded"]
    assert "singletons drop" in loaded.signature
    assert words(app) == ["She", "slept"]
    assert CHANGED in html(app)


def test_a_new_session_shows_the_newer_files(folder):
    app = run(view=QUICK)
    changed(folder, "key", "a", "b", "c")
    other = run(view=QUICK)
    assert words(other) == ["She", "sat"]
    assert "on disk" not in html(other)
    assert words(app.run()) == ["She", "slept"]


def test_newer_files_that_are_wrong_are_told_and_what_was_loaded_stays(folder):
    app = run(view=QUICK)
    changed(folder, "key", content=BAD)
    load_newer(app.run())
    assert "key.conll:2" in html(app)
    assert words(app) == ["She", "slept"]
    changed(folder, "key", content=KEY + b"\n")
    load_newer(app.run())
    assert "key.conll:2" not in html(app)


def test_where_the_old_content_is_not_kept_the_newer_is_shown_and_that_is_said(folder):
    app = run(view=QUICK)
    changed(folder, "key", "a", "b")
    forget()
    app.run()
    assert not app.exception
    assert words(app) == ["She", "sat"]
    assert reads(html(app), "changed", "before", "no longer")
    assert not offers(app)
    next(one for one in app.main.button if one.label == "Close").click().run()
    assert "on disk" not in html(app)
    changed(folder, "key", content=KEY + b"\n")
    assert CHANGED in html(app.run())
    load_newer(app)
    assert words(app) == ["She", "slept"]
    assert "on disk" not in html(app)


def test_a_response_that_changes_before_it_is_first_read_is_read_as_it_is(folder):
    app = run(view=QUICK)
    changed(folder, "c", content=KEY.replace(b"(1)", b"(1)|(2)"))
    app.selectbox(key="a").select("c.conll").run()
    assert not app.exception
    system = app.session_state["loaded"].systems[0]
    assert (system.name, sum(len(entity) for entity in system.corpus["d"].entities)) == ("c", 2)
    assert reads(html(app), "c.conll", "changed", "before", "no longer")


def test_a_file_that_changes_all_the_time_is_given_up_once_and_then_told(folder, monkeypatch):
    app = run(view=QUICK)
    forget()
    monkeypatch.setattr(sources.File, "is_unchanged", False)
    app.run()
    assert not app.exception
    assert "a file that has changed on disk; expected the file as it was loaded" in html(app)
    assert words(app) == ["She", "slept"]


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_file_that_changes_while_it_is_read_is_told_and_not_kept(
    is_readable, folder, monkeypatch
):
    def half(file, *, side):
        changed(folder, "key", "a", "b")
        if not is_readable:
            raise InputError([Problem(file.name, 1, "half a line", "a line", "Write it.")])
        return corpus_of(file, side=side)

    corpus_of = scoring.corpus_of
    monkeypatch.setattr(scoring, "corpus_of", half)
    app = run(view=QUICK)
    assert "key.conll: a file that changed while it was read" in html(app)
    assert not is_loaded(app)
    monkeypatch.setattr(scoring, "corpus_of", corpus_of)
    assert words(app.run()) == ["She", "sat"]


def test_a_file_that_is_gone_is_told_and_what_was_loaded_stays(folder):
    app = run(view=QUICK)
    for name in ("key", "a"):
        (folder / f"{name}.conll").unlink()
    for view in ("overview", "text", "errors", "perturb", "export"):
        open_page(app, view)
        assert not app.exception
        assert words(app) == ["She", "slept"]
        assert reads(html(app), "key.conll and a.conll", "no longer", "stays")
        assert not offers(app)


def test_a_folder_that_is_gone_stays_and_can_be_perturbed(monkeypatch, tmp_path):
    put(tmp_path, {"key/d.conll": KEY, "a/d.conll": RESPONSE})
    name_files(monkeypatch, tmp_path / "key", tmp_path / "a")
    app = run(view=QUICK)
    shutil.rmtree(tmp_path / "a")
    open_page(app, "perturb")
    assert not app.exception
    assert reads(html(app), "a", "no longer", "stays")
    loaded = app.session_state["loaded"]
    assert scoring.format_of_system(loaded, loaded.systems[0]).id == "conll"


def test_a_response_that_is_new_in_a_folder_is_offered_and_one_that_is_gone_told(
    monkeypatch, tmp_path
):
    put(tmp_path, {"key.conll": KEY, "outputs/a.conll": RESPONSE, "outputs/b.conll": RESPONSE})
    name_files(monkeypatch, tmp_path / "key.conll", tmp_path / "outputs")
    app = run(view=QUICK)
    changed(tmp_path / "outputs", "c", content=RESPONSE)
    (tmp_path / "outputs" / "a.conll").unlink()
    app.run()
    assert reads(html(app), "c.conll", "new", "a.conll", "no longer")
    assert app.selectbox(key="a").options == ["a.conll", "b.conll"]
    assert app.query_params["files"] == ["key.conll", "b.conll", "c.conll"]  # as after a reload
    load_newer(app)
    assert app.selectbox(key="a").options == ["b.conll", "c.conll"]


@pytest.fixture
def data_sets(monkeypatch, tmp_path):
    """The page of two data sets: `a` has in neither the key's entities, `b` in both."""
    of_each = {"key": KEY, "a": KEY.replace(b"(1)", b"-"), "b": KEY}
    put(tmp_path, {f"{of}/{name}.conll": data for of in "xy" for name, data in of_each.items()})
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(tmp_path))
    return tmp_path


def macros(app):
    """By system, in percent of B³."""
    return dict(app.dataframe[0].value[["system", "macro"]].to_numpy().tolist())


def on_page(**parameters):
    return run(view="data-sets", by="B³", data="sample data", **parameters)


def test_the_page_of_data_sets_stays_as_loaded_until_the_newer_files_are_asked_for(data_sets):
    app = on_page()
    assert macros(app) == {"b": 100, "a": 0}
    assert "on disk" not in html(app)
    changed(data_sets / "x", "a", content=KEY)
    assert macros(app.run()) == {"b": 100, "a": 0}
    assert reads(html(app), "x/a.conll", "changed", "since")
    assert macros(on_page()) == {"b": 100, "a": 50}
    load_newer(app)
    assert macros(app) == {"b": 100, "a": 50}
    assert "on disk" not in html(app)


def test_data_sets_whose_old_scores_are_not_kept_are_scored_anew_and_that_is_said(data_sets):
    app = on_page()
    changed(data_sets / "y", "a", content=KEY)
    data_set_scores._of_data_set.clear()
    assert macros(app.run()) == {"b": 100, "a": 50}
    assert reads(html(app), "y/a.conll", "changed", "before", "no longer")
    assert not offers(app)


def test_a_folder_of_data_sets_that_is_broken_is_told_and_what_was_loaded_stays(data_sets):
    app = on_page()
    (data_sets / "x" / "key.conll").unlink()
    assert macros(app.run()) == {"b": 100, "a": 0}
    assert "no key" in html(app)


def test_a_data_set_stays_as_loaded_and_other_data_say_nothing_of_it(monkeypatch, tmp_path):
    files = {f"{of}/{name}.conll": KEY for of in ("x", "y") for name in ("key", "a", "b")}
    put(tmp_path, files)
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(tmp_path))
    app = run(view=QUICK)
    changed(tmp_path / "x", "key", "a", "b")
    assert "changed" in html(app.run())
    assert words(app) == ["She", "slept"]
    app.selectbox(key="data").select("sample data").run()
    assert "on disk" not in html(app)
    app.selectbox(key="data").select("data set x").run()
    assert words(app) == ["She", "slept"]
    load_newer(app)
    assert words(app) == ["She", "sat"]
