"""Uploads, and files that change while a page is open."""

import gc
import gzip
import re
import shutil
import tracemalloc
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from corescore import InputError
from corescore.corpus.problems import Problem
from dashboard.session import files as sources
from dashboard.session import scoring
from dashboard.session.access import DATA_SETS_VARIABLE
from dashboard.session.files import file_of
from dashboard.session.uploads import MOST_NAMES, MOST_UPLOADS
from tests.support.acts import choose, says
from tests.support.browser import (
    OWN_FILES,
    open_at,
    push,
    served,
    title_of,
    turn_to,
    wait_until_idle,
    watched,
)
from tests.support.every_format import BRAT, TEXT
from tests.support.pages import (
    BAD,
    KEY,
    QUICK,
    RESPONSE,
    html,
    loaded_in,
    name_files,
    open_page,
    reads,
    run,
    upload,
)
from tests.support.texts import put

# Uploads outlive a reload, and a copied link opens them wherever the server still has -------------

GONE = "The files of this link are not here"


def parameters(app):
    return {
        of: app.query_params[of] for of in ("data", "upload", "files") if of in app.query_params
    }


# Under Streamlit's test runner --------------------------------------------------------------------


def test_the_link_of_an_upload_opens_it_in_another_session():
    app = upload(run(QUICK), ("mine.conll", KEY), ("out.conll", RESPONSE))
    link = parameters(app)
    assert link["files"] == ["mine.conll", "out.conll"]
    again = run(QUICK, **link)
    assert loaded_in(again).key_name == "mine.conll"
    assert parameters(again) == link


def test_an_upload_is_looked_at_once(monkeypatch):
    looked_at = []

    def look(name, data):
        looked_at.append(name)
        return file_of(name, data)

    monkeypatch.setattr(sources, "file_of", look)
    app = upload(run(QUICK), ("mine.conll", KEY), ("out.conll", RESPONSE), ("out.conll", KEY))
    app.run()
    assert looked_at == ["mine.conll", "out.conll", "out.conll"]
    assert [file.name for file in loaded_in(app).files.responses] == [
        "out.conll",
        "out (2).conll",
    ]


def test_what_is_uploaded_is_kept_once():
    plain = "1\ta" + 7 * "\t_" + f"\tNote={'x' * 500}\n\n"
    head, begun = (
        "# newdoc id = d\n# global.Entity = eid\n",
        "1\ta" + 7 * "\t_" + "\tEntity=(e1)\n\n",
    )
    key = f"{head}{begun}{plain * 1000}".encode()
    response = f"{head}{begun * 2}{plain * 999}".encode()
    app = run(QUICK)
    upload(app, ("k.conll", KEY), ("r.conll", RESPONSE))  # what is made the first time
    tracemalloc.start()
    try:
        upload(app, ("key.conllu", key), ("response.conllu", response))
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert loaded_in(app).key_name == "key.conllu"
    assert kept < 0.8 * len(key + response)  # beside the bytes that the test has given


def test_a_link_names_few_of_many_files_and_no_text():
    many = [(f"system{n}.conll", RESPONSE) for n in range(10)]
    link = parameters(upload(run(QUICK), ("mine.conll", KEY), *many))
    assert len(link["files"]) == MOST_NAMES + 1
    assert link["files"][-1] == f"{11 - MOST_NAMES} more"
    assert "slept" not in str(link)


def test_the_sample_data_have_a_link_without_the_upload():
    app = upload(run(QUICK), ("mine.conll", KEY), ("out.conll", RESPONSE))
    assert _opens_an_upload(app)
    choose(app, "data", "sample data")
    assert not parameters(app)
    assert not _opens_an_upload(app)
    choose(app, "data", "uploaded files")
    assert loaded_in(app).key_name == "mine.conll"


def _opens_an_upload(app):
    """Whether the app says who can open the link."""
    return any("anyone with the link" in caption.value for caption in app.caption)


def told(app):
    """What the page says where the files of its link are not here."""
    assert [heading.value for heading in app.title] == [GONE]
    (advice,) = [text.value for text in app.text]
    return advice


def test_a_link_to_an_upload_that_is_gone_names_the_files_and_what_to_do():
    names = ["gold.conll", "*mine*.conll"]
    app = run("text", data="uploaded files", upload="nobody", files=names)
    latest = f"{MOST_UPLOADS} latest uploads"
    assert reads(told(app), "gold.conll, *mine*.conll", latest, "same files again")
    upload(app, ("gold.conll", KEY), ("out.conll", RESPONSE))
    assert "In d, A (out) finds" in html(app)


def test_a_link_to_files_of_the_command_line_names_them(give):
    give(key_conll=KEY, out_conll=RESPONSE)
    app = run(QUICK)
    assert parameters(app) == {"files": ["key.conll", "out.conll"]}
    choose(app, "data", "sample data")
    assert "files" not in parameters(app)
    choose(app, "data", "files from the command line")
    assert parameters(app) == {"files": ["key.conll", "out.conll"]}
    again = run(QUICK, **parameters(app))
    assert loaded_in(again).key_name == "key.conll"


def test_the_link_opens_where_more_responses_were_named(give):
    give(key_conll=KEY, new_conll=RESPONSE, out_conll=RESPONSE)
    app = run(QUICK, files=["key.conll", "out.conll"])
    assert loaded_in(app).key_name == "key.conll"
    assert parameters(app)["files"] == ["key.conll", "new.conll", "out.conll"]


def test_files_of_a_command_line_that_are_not_here_are_named():
    app = run("text", files=["gold.conll", "*mine*.conll"], document="d")
    assert reads(told(app), "gold.conll, *mine*.conll", "without them")
    assert parameters(app)["files"] == ["gold.conll", "*mine*.conll"]
    assert told(run(QUICK, data=sources.LINKED, **parameters(app))) == told(app)
    choose(app, "data", "sample data")
    assert "news_harbour" in html(app)
    assert "files" not in parameters(app)
    choose(app, "data", sources.LINKED)
    assert told(app)
    upload(app, ("gold.conll", KEY), ("out.conll", RESPONSE))
    assert "In d, A (out) finds" in html(app)


def test_only_what_is_missing_of_a_link_is_told_to_be(give):
    give(key_conll=KEY, out_conll=RESPONSE)
    other_key = run(QUICK, files=["gold.conll", "out.conll"])
    assert "without gold.conll." in told(other_key)
    app = run(QUICK, files=["key.conll", "out.conll", "more.conll", "8 more"])
    assert "without more.conll." in told(app)
    choose(app, "data", sources.GIVEN)
    assert loaded_in(app).key_name == "key.conll"
    assert parameters(app)["files"] == ["key.conll", "out.conll"]


def test_a_link_from_where_files_were_missing_opens_where_they_are(give):
    give(key_conll=KEY, out_conll=RESPONSE)
    app = run(QUICK, data="files of the link", files=["key.conll", "out.conll"])
    assert loaded_in(app).key_name == "key.conll"
    assert parameters(app) == {"files": ["key.conll", "out.conll"]}


# In a browser -------------------------------------------------------------------------------------


def document(name, *words):
    rows = "".join(f"{name}\t0\t{n}\t{word}\t-\n" for n, word in enumerate(words))
    return f"#begin document ({name}); part 000\n{rows}\n#end document\n".replace("-", "(1)", 1)


MINE = (document("porch", "Ida", "sang") + document("barn", "Ola", "hums")).encode()


def open_files(page, key, response):
    page.get_by_text(OWN_FILES, exact=True).click()
    for at, name in enumerate((key, response)):
        box = page.get_by_test_id("stFileUploader").nth(at)
        file = {"name": name, "mimeType": "text/plain", "buffer": MINE}
        box.locator("input").first.set_input_files(file)
        expect(box.get_by_text(name)).to_be_visible()
        wait_until_idle(page)  # the boxes are drawn anew: a file given meanwhile would be lost
    expect(page.get_by_role("combobox", name="Shown")).to_have_value("uploaded files")
    wait_until_idle(page)


def expect_mine(page):
    expect(page.locator(".headline").first).to_contain_text("In barn, A (out) finds")
    expect(page.get_by_role("combobox", name="Shown")).to_have_value("uploaded files")
    wait_until_idle(page)


def test_an_upload_outlives_reload_back_and_a_copied_link(chromium, stranger, address):
    with watched(chromium, address) as page:
        open_at(page, f"{address}/text?document=news_library")
        expect(page.locator(".headline").first).to_contain_text("In news_library")
        open_files(page, "mine.conll", "out.conll")
        expect(page.get_by_role("combobox", name="Document")).to_have_value(re.compile("^porch"))
        push(page, "Next", exact=True)
        expect_mine(page)
        link = page.url
        assert parse_qs(urlsplit(link).query)["files"] == ["mine.conll", "out.conll"]
        page.reload()
        expect_mine(page)
        turn_to(page, "Documents")
        expect(page.get_by_role("combobox", name="Shown")).to_have_value("uploaded files")
        page.go_back()
        expect_mine(page)
        page.go_forward()
        wait_until_idle(page)
        page.go_back()
        expect_mine(page)
        expect(page).to_have_url(link)
    with watched(stranger, address) as page:
        open_at(page, link)
        expect_mine(page)
        expect(page).to_have_url(link)


def test_a_format_is_chosen_for_each_side_and_can_be_read_in_its_box(page, address):
    open_at(page, address)
    page.get_by_text(OWN_FILES).click()
    for side in ("Key", "Response"):
        box = page.get_by_role("combobox", name=f"{side} format")
        expect(box).to_have_value("automatic")
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), side


def test_an_upload_comes_back_at_the_plain_address_until_something_else_is_shown(page, address):
    shown = page.get_by_role("combobox", name="Shown")
    open_at(page, address)
    open_files(page, "mine.conll", "out.conll")
    open_at(page, f"{address}/text?document=barn")
    expect_mine(page)
    expect(page.get_by_text("Opened in this tab before: mine.conll, out.conll.")).to_be_visible()
    open_at(page, f"{address}/text?data=uploaded+files&upload=nobody&files=other.conll")
    expect(title_of(page)).to_have_text(GONE)
    open_at(page, f"{address}/text?document=barn&data=uploaded+files")
    expect_mine(page)
    push(page, "Show the sample data")
    expect(shown).to_have_value("sample data")
    wait_until_idle(page)
    open_at(page, address)
    expect(shown).to_have_value("sample data")
    open_at(page, f"{address}/?data=uploaded+files")
    expect(shown).to_have_value("uploaded files")
    open_at(page, f"{address}/text?document=news_library")  # a link counts, whatever was uploaded
    expect(shown).to_have_value("sample data")


def test_an_upload_that_the_server_has_lost_is_named_once_at_the_plain_address(page, address):
    open_at(page, f"{address}/text")
    page.evaluate("sessionStorage.setItem('corescore upload', 'nobody\\nmine.conll\\nout.conll')")
    lost = page.get_by_text("no longer on the server: mine.conll, out.conll.")
    open_at(page, f"{address}/text")
    expect(lost).to_be_visible()
    expect(page.get_by_role("combobox", name="Shown")).to_have_value("sample data")
    wait_until_idle(page)
    open_at(page, f"{address}/text")
    expect(lost).to_have_count(0)


def test_an_upload_that_unpacks_to_far_more_is_refused():
    bomb = gzip.compress(KEY + b"\n" * 30_000_000)
    assert len(bomb) < 100_000
    app = upload(run(QUICK), ("key.conll.gz", bomb), ("response.conll", RESPONSE))
    assert says(app, "key.conll.gz", "more than 10,000,000;")


def test_a_key_alone_replaces_nothing_that_is_shown():
    app = run(QUICK)
    before = loaded_in(app)
    app.file_uploader(key="key_file").upload("other.conll", KEY).run()
    assert loaded_in(app).key_name == before.key_name
    assert app.selectbox(key="data").value == "sample data"


# Files of the command line that change while the app shows them -----------------------------------

NEWER = KEY.replace(b"slept", b"sat")
OTHER = RESPONSE.replace(b"slept", b"sat")
HALF = KEY.replace(b"d\t0\t1\tslept\t-\n", b"")


@pytest.fixture
def folder(tmp_path, give):
    give(key_conll=KEY, a_conll=RESPONSE, b_conll=RESPONSE, c_conll=KEY)
    return tmp_path


def forget():
    """Let nothing that was read and scored be kept, as after much else was opened."""
    for cached in (scoring._read, scoring._score):
        cached.clear()


def words(app):
    """Those of the key that is shown."""
    return [word for document in loaded_in(app).key for word in document.words]


def shown(app):
    """Which responses are."""
    return [system.name for system in loaded_in(app).systems]


def changed(folder, *names, content=NEWER):
    for name in names:
        (folder / f"{name}.conll").write_bytes(content)


def test_files_that_change_are_read_again_and_that_is_said_until_another_page_is_opened(folder):
    app = run(QUICK, a="b.conll", b="c.conll")
    assert "on disk" not in html(app)
    changed(folder, "key", "b", "c")
    for _ in range(2):
        app.run()
        assert words(app) == ["She", "sat"]
        assert shown(app) == ["b", "c"]
        assert says(app, "Changed on disk", "key.conll, b.conll and c.conll")
    open_page(app, "overview")
    assert "on disk" not in html(app)
    assert "on disk" not in html(run(QUICK))


@pytest.mark.slow
def test_a_text_that_is_read_with_a_file_counts_as_part_of_it(monkeypatch, tmp_path):
    for name in ("key", "out"):
        (tmp_path / f"{name}.ann").write_text(BRAT)
        (tmp_path / f"{name}.txt").write_text(TEXT)
    name_files(monkeypatch, tmp_path / "key.ann", tmp_path / "out.ann")
    app = run(QUICK)
    assert words(app)[-2:] == ["it", "."]
    for name in ("key", "out"):
        (tmp_path / f"{name}.txt").write_text(TEXT.replace(".\nThe girls", "!\nThe girls"))
    app.run()
    assert says(app, "Changed on disk", "key.ann and out.ann")
    assert "!" in words(app)


@pytest.mark.parametrize("name, content", [("key", HALF), ("b", BAD)])
def test_half_a_file_is_told_and_all_stays_as_it_was_shown(name, content, folder):
    app = run(QUICK, a="b.conll", b="c.conll")
    changed(folder, name, content=content)
    for singletons in ("keep", "drop"):
        choose(app, "singletons", singletons)
        assert says(app, "could not be loaded", "stays", "b.conll")
        assert "read again" not in html(app)
        assert words(app) == ["She", "slept"]
        assert shown(app) == ["b", "c"]
        assert f"singletons {singletons}" in loaded_in(app).signature
    changed(folder, "key", content=NEWER)
    changed(folder, "b", "c", content=OTHER)
    app.run()
    assert "could not be loaded" not in html(app)
    assert words(app) == ["She", "sat"]
    assert shown(app) == ["b", "c"]


@pytest.mark.slow
def test_what_was_read_stays_if_it_is_no_longer_kept_either(folder):
    app = run(QUICK)
    changed(folder, "key", content=BAD)
    forget()
    app.run()
    assert "key.conll:2" in html(app)
    assert words(app) == ["She", "slept"]
    assert shown(app) == ["a", "b"]


@pytest.mark.slow
def test_a_response_is_read_for_the_first_time_as_it_is_then(folder):
    app = run(QUICK)
    changed(folder, "c", content=KEY.replace(b"(1)", b"(1)|(2)"))
    choose(app, "a", "c.conll")
    system = loaded_in(app).systems[0]
    assert (system.name, sum(len(entity) for entity in system.corpus["d"].entities)) == ("c", 2)
    assert "on disk" not in html(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, view, is_readable",
    [("key", QUICK, True), ("a", QUICK, False), ("c", "many", True)],
)
def test_a_file_that_changes_whenever_it_is_read_is_told_and_not_kept(
    name, view, is_readable, folder, monkeypatch
):
    def half(file, *, side):
        if file.name == f"{name}.conll":
            changed(folder, name, content=(folder / file.name).read_bytes() + b"\n")
            if not is_readable:
                raise InputError([Problem(file.name, 1, "half a line", "a line", "Write it.")])
        return corpus_of(file, side=side)

    corpus_of = scoring.corpus_of
    app = run(view)
    changed(folder, name, content=KEY + b"\n")
    monkeypatch.setattr(scoring, "corpus_of", half)
    app.run()
    assert (words(app), shown(app)) == (["She", "slept"], ["a", "b"])
    monkeypatch.setattr(scoring, "corpus_of", corpus_of)
    if name != "c":  # which is noted, and said in the next run
        assert f"{name}.conll: a file that changed on disk while it was read" in html(app)
        app.run()
    assert "while it was read" not in html(app)
    assert shown(app) == ["a", "b"]


@pytest.mark.slow
def test_a_file_that_changes_when_the_app_is_opened_is_told(folder, monkeypatch):
    monkeypatch.setattr(sources.File, "is_unchanged", False)
    app = run(QUICK)
    assert "key.conll: a file that changed on disk while it was read" in html(app)
    assert "loaded" not in app.session_state


@pytest.mark.slow
def test_a_file_that_is_gone_is_told_and_what_was_read_stays(folder):
    app = run(QUICK)
    for name in ("key", "a"):
        (folder / f"{name}.conll").unlink()
    for view in ("overview", "text", "errors", "perturb", "export"):
        open_page(app, view)
        assert words(app) == ["She", "slept"]
        assert shown(app) == ["a", "b"]
        assert says(app, "No longer on disk", "key.conll and a.conll")
        assert "could not" not in html(app)
    choose(app, "singletons", "drop")
    assert "singletons drop" in loaded_in(app).signature


@pytest.mark.slow
def test_a_folder_that_is_gone_stays_and_can_be_perturbed(monkeypatch, tmp_path):
    put(tmp_path, {"key/d.conll": KEY, "a/d.conll": RESPONSE})
    name_files(monkeypatch, tmp_path / "key", tmp_path / "a")
    app = run(QUICK)
    shutil.rmtree(tmp_path / "a")
    open_page(app, "perturb")
    assert says(app, "No longer on disk", "a")
    loaded = loaded_in(app)
    assert scoring.format_of_system(loaded, loaded.systems[0]).id == "conll"


@pytest.mark.slow
def test_a_response_that_is_new_in_a_folder_is_offered_and_one_that_is_gone_stays(
    monkeypatch, tmp_path
):
    put(tmp_path, {"key.conll": KEY, "outputs/a.conll": RESPONSE, "outputs/b.conll": RESPONSE})
    name_files(monkeypatch, tmp_path / "key.conll", tmp_path / "outputs")
    app = run(QUICK)
    changed(tmp_path / "outputs", "c", content=RESPONSE)
    (tmp_path / "outputs" / "a.conll").unlink()
    app.run()
    assert says(app, "No longer on disk", "a.conll")
    assert app.selectbox(key="a").options == ["b.conll", "c.conll", "a.conll"]
    assert shown(app) == ["a", "b"]
    assert app.query_params["files"] == ["key.conll", "b.conll", "c.conll"]  # as after a reload


@pytest.mark.slow
def test_of_a_data_set_that_changed_is_said_where_it_is_shown(monkeypatch, tmp_path):
    files = {f"{of}/{name}.conll": KEY for of in ("x", "y") for name in ("key", "a", "b")}
    put(tmp_path, files)
    monkeypatch.setenv(DATA_SETS_VARIABLE, str(tmp_path))
    app = run(QUICK)
    choose(app, "data", "sample data")
    changed(tmp_path / "x", "key", "a", "b")
    assert "on disk" not in html(app.run())
    choose(app, "data", "data set x")
    assert words(app) == ["She", "sat"]
    assert says(app, "read again", "key.conll, a.conll and b.conll")


def test_files_that_are_gone_are_opened_again_from_their_link(chromium, address):
    link = "/text?document=barn&data=uploaded+files&upload=nobody&files=mine.conll&files=out.conll"
    with watched(chromium, address) as page:
        open_at(page, address + link)
        expect(title_of(page)).to_have_text(GONE)
        turn_to(page, "Credit")
        expect(title_of(page)).to_have_text(GONE)
        turn_to(page, "Sandbox")
        expect(page.locator(".chip").first).to_be_visible()
        wait_until_idle(page)
        page.go_back()
        expect(title_of(page)).to_have_text(GONE)
        turn_to(page, "Text")
        expect(page.get_by_text("mine.conll, out.conll")).to_be_visible()
        open_files(page, "mine.conll", "out.conll")
        expect_mine(page)


SLOW_PAGES = """
import time
from dashboard import navigation
navigate = navigation.navigate
navigation.navigate = lambda: time.sleep(1) or navigate()
"""


@pytest.mark.long
def test_an_upload_comes_back_on_the_page_that_was_opened(chromium):
    with served(before=SLOW_PAGES) as address, watched(chromium, address) as page:
        open_at(page, address)
        open_files(page, "mine.conll", "out.conll")
        open_at(page, f"{address}/text?document=barn")
        expect_mine(page)
