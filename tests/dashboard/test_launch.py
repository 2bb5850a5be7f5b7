"""How the app starts, and the files that it is started with."""

import gc
import os
import subprocess
import sys
from subprocess import PIPE
from urllib.request import urlopen
from weakref import ref

import pytest

from corescore.counting.policies import Policies
from dashboard import ahead, launch
from dashboard.session import analyses, life, scoring
from dashboard.session import files as sources
from dashboard.session.access import (
    CARDS_VARIABLE,
    FILES_VARIABLE,
    FIRST_PORT,
    GENRES_VARIABLE,
    SHARED_VARIABLE,
    listen,
)
from dashboard.session.files import UPLOADED, file_of, sample_files
from tests.support.acts import says
from tests.support.browser import (
    free_port,
    served,
)
from tests.support.pages import (
    BAD,
    KEY,
    QUICK,
    RESPONSE,
    SESSION,
    html,
    loaded_in,
    name_files,
    open_page,
    run,
    upload,
)
from tests.support.texts import put

# What is done between the start of the dashboard and its first page -------------------------------


def _imported(what):
    """The modules that a new interpreter has after this import."""
    script = f"import sys, {what}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_the_port_is_opened_before_the_scorer_is_imported():
    assert not {"corescore", "numpy", "streamlit"} & _imported("dashboard.launch")


@pytest.mark.slow
def test_the_first_page_brings_no_other_along():
    modules = _imported("dashboard.navigation, dashboard.widgets.sidebar, dashboard.views.overview")
    assert not {"corescore.replication", "corescore.teaching", "scipy.stats"} & modules
    assert {name for name in modules if name.startswith("dashboard.views.")} == {
        "dashboard.views.overview"
    }


@pytest.mark.parametrize(
    "responses", [{"response_conll": RESPONSE}, {"response_conll": BAD}, {}], ids=range(3)
)
def test_what_the_first_page_needs_is_made_ready_whatever_is_loaded(
    monkeypatch, capfd, responses, give
):
    give(key_conll=KEY, **responses)
    monkeypatch.setattr(ahead.background, "wait_for_pages", lambda: None)
    launch._warm_up()
    assert "missing ScriptRunContext" not in "".join(capfd.readouterr())
    assert "dashboard.views.share" in sys.modules


NO_FILES = """
from dashboard.session import life, scoring

def load(*_):
    raise OSError(24, "Too many open files")

scoring.load = load
life.look_after_sessions = lambda server: open({here!r}, "x").close()
"""


@pytest.mark.slow
def test_sessions_are_looked_after_although_nothing_could_be_made_ready(tmp_path):
    here = tmp_path / "looked after"
    with served(before=NO_FILES.format(here=str(here))) as address:
        while not here.exists():  # no longer than a test may take
            urlopen(f"{address}/_stcore/health").read()


def test_of_two_that_start_at_once_on_one_port_one_says_so_before_any_url():
    port = free_port()
    start = f"from dashboard.launch import launch; launch(None, [], port={port})"
    command = [sys.executable, "-c", start]
    both = [subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) for _ in range(2)]
    first, second = sorted(both, key=lambda one: one.stdout.readline(), reverse=True)
    try:
        said, complaint = second.communicate(timeout=60)
        assert (second.returncode, said, complaint.count("\n")) == (2, "", 1)
        assert f"port {port} is taken" in complaint
        assert first.poll() is None
    finally:
        first.terminate()
        first.communicate()


def test_without_a_port_the_first_free_one_is_taken():
    with listen("127.0.0.1", None) as one, listen("127.0.0.1", None) as other:
        assert FIRST_PORT <= one.getsockname()[1] < other.getsockname()[1]


@pytest.mark.parametrize("port", [0, 65536, -1])
def test_a_port_that_does_not_exist_is_refused(port):
    with pytest.raises(OSError, match=f"port {port} does not exist"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize(
    "host, share, is_shared",
    [
        *((host, False, False) for host in (None, "127.0.0.1", "localhost", "127.0.0.2")),
        *((host, True, True) for host in (None, "127.0.0.1")),
        ("0.0.0.0", False, True),
    ],
)
@pytest.mark.parametrize("given", [None, "our-class", ""])
def test_the_url_has_a_token_unless_none_is_wanted(
    monkeypatch, capsys, host, share, is_shared, given
):
    served = []
    monkeypatch.setattr(launch, "_serve", lambda *given, **_: served.append(given))
    for name in (FILES_VARIABLE, CARDS_VARIABLE, SHARED_VARIABLE):
        monkeypatch.setenv(name, "")
    launch.launch(None, [], port=free_port(), host=host, share=share, token=given)
    ((_, listens_on, token),) = served
    assert token == given if given is not None else len(token) == 43
    assert (f"/?token={token}" in capsys.readouterr().out) is bool(token)
    assert bool(os.environ[SHARED_VARIABLE]) is is_shared
    assert listens_on == (host or ("0.0.0.0" if share else "127.0.0.1"))


# Files that the dashboard shows: their names, their stamps and their tables -----------------------


def test_a_file_in_a_folder_of_a_folder_is_read_again_when_it_changes(monkeypatch, tmp_path):
    files = {"key/markables/d.xml": "a", "key/Basedata/d.xml": "b", "out/d.xml": "c"}
    put(tmp_path, files)
    name_files(monkeypatch, tmp_path / "key", tmp_path / "out")
    before = sources.given_files()
    os.utime(tmp_path / "key" / "Basedata" / "d.xml", (1, 1))
    after = sources.given_files()
    assert before.key.stamp != after.key.stamp
    assert before.responses == after.responses


def test_a_file_is_read_again_when_another_of_the_same_time_takes_its_place(tmp_path, give):
    give(key_conll=KEY, out_conll=RESPONSE)
    path, stamps = tmp_path / "key.conll", []
    os.utime(path, (1, 1))
    stamps.append(sources.given_files().key.stamp)
    path.write_bytes(KEY + b"\n")  # of another size
    os.utime(path, (1, 1))
    stamps.append(sources.given_files().key.stamp)
    (tmp_path / "new").write_bytes(KEY.replace(b"slept", b"wept!") + b"\n")
    (tmp_path / "new").replace(path)
    os.utime(path, (1, 1))
    stamps.append(sources.given_files().key.stamp)
    assert len(set(stamps)) == 3


def test_files_of_one_name_are_told_apart_by_their_folders(monkeypatch, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dev.conll").write_bytes(RESPONSE)
    (tmp_path / "key.conll").write_bytes(KEY)
    names = ("key.conll", "one/dev.conll", "two/dev.conll")
    name_files(monkeypatch, *(tmp_path / name for name in names))
    files = sources.given_files()
    assert [files.key.name, *(file.name for file in files.responses)] == list(names)
    assert list(sources.short_names(files.responses).values()) == ["one/dev", "two/dev"]


def test_names_that_differ_in_their_ending_only_keep_it():
    files = [sources.file_of(name, b"") for name in ("r.conll", "r.jsonl", "s.conll")]
    assert list(sources.short_names(files).values()) == ["r.conll", "r.jsonl", "s"]


def test_file_names_lose_the_endings_of_their_format_and_of_an_archive():
    assert sources.short_name("emma.zip") == sources.short_name("emma.conll.zip") == "emma"
    assert sources.short_name("v1.2.jsonl.gz") == "v1.2"
    assert sources.short_name("readable") == "readable"


def test_mentions_of_a_notation_file_go_by_their_names(tmp_path):
    files = [sources.file_of(n, t) for n, t in (("k", b"{a b} {c}"), ("r", b"{b c} {d}"))]
    chosen = sources.Files(files[0], tuple(files[1:]))
    loaded = scoring.load(chosen, chosen.responses, Policies())
    found = analyses.mentions(loaded.systems[0]).set_index("mention")["class"].to_dict()
    wrong = "incorrectly resolved"
    assert found == {"a": "missing", "b": wrong, "c": wrong, "d": "spurious"}


def test_a_key_with_a_table_is_told_from_the_key_alone_and_with_another():
    key, one, other = sample_files().key, file_of("g", b"a,b"), file_of("g", b"a,c")
    with_one = key.with_genres(one)
    assert len({key.stamp, with_one.stamp, key.with_genres(other).stamp}) == 3
    assert with_one.with_genres(other) == key.with_genres(other)
    assert with_one.with_genres(None) == with_one
    assert with_one.repaired() == key.repaired().with_genres(one)
    assert with_one.stamp_on_disk == with_one.repaired().stamp_on_disk == key.stamp
    assert with_one.repaired().alone == key.repaired()
    named = with_one.repaired().in_format("conll")
    assert named == key.repaired().in_format("conll").with_genres(one)
    assert named.stamp_on_disk == key.stamp


# A table of genres, uploaded or named by the command line, and the pages that group by ------------

NAMES = [document.name for document in scoring.read_file(sample_files().key, side="key")]
ODD_OF = {name: "odd" if at % 2 else "even" for at, name in enumerate(NAMES)}
TABLE = "".join(f"{name}\t{genre}\n" for name, genre in ODD_OF.items()).encode()


def give_table(app, data, name="genres.tsv"):
    """Put a table into the box of the sidebar."""
    app.file_uploader(key="genre_file").upload(name, data, "text/plain").run()
    return app


def genres(app):
    return {of.name: of.genre for of in loaded_in(app).key}


def documents(app):
    open_page(app, "documents")
    return app.dataframe[0].value.set_index("document")


# The box ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_documents_are_shown_and_sorted_by_the_genres_of_an_uploaded_table():
    app = give_table(run("documents", show="sizes", sort="genre"), TABLE)
    shown = documents(app)["genre"]
    assert shown.to_dict() == ODD_OF
    assert shown.is_monotonic_increasing
    assert set(genres(run(QUICK)).values()) == {""}  # of another session


@pytest.mark.slow
def test_a_wrong_table_is_told_in_words_and_the_one_before_stays():
    app = give_table(give_table(run(QUICK), TABLE), b"a\tnews\nb\n")
    assert "genres.tsv:2: 1 column: &#39;b&#39;; expected a document and its genre" in html(app)
    assert "stays" in html(app)
    assert genres(app) == ODD_OF


@pytest.mark.slow
def test_a_table_stays_with_the_upload_that_it_was_given_for():
    app = upload(run(QUICK), ("mine.conll", KEY), ("out.conll", RESPONSE))
    (name,) = genres(app)
    app = give_table(app, f"{name},novel".encode(), "genres.csv")
    again = run(upload=app.query_params["upload"], data=UPLOADED)
    assert genres(again) == {name: "novel"}
    app.file_uploader(key="genre_file").set_value(None).run()
    assert genres(app) == {name: ""}


@pytest.mark.slow
def test_nothing_that_was_made_with_a_table_outlives_its_session():
    """Here of the sample data, which are no upload."""
    app = give_table(run(QUICK), TABLE.replace(b"odd", b"strange"))
    made = [loaded_in(app).key, loaded_in(app).systems[0].result]
    still_there = [ref(one) for one in made]
    del app, made
    life.held.let_go([SESSION])
    gc.collect()
    assert [one() for one in still_there] == [None] * 2


# The command line ---------------------------------------------------------------------------------


@pytest.fixture
def folder(monkeypatch, tmp_path, give):
    """A key, a response and a table that the command line named."""
    give(key_conll=KEY, a_conll=RESPONSE)
    (tmp_path / "genres.csv").write_text("d,novel\n(d); part 000,novel\n")
    monkeypatch.setenv(GENRES_VARIABLE, str(tmp_path / "genres.csv"))
    return tmp_path


@pytest.mark.slow
def test_the_table_of_the_command_line_is_read_again_when_it_changes(folder):
    app = run(QUICK)
    assert set(genres(app).values()) == {"novel"}
    (folder / "genres.csv").write_text("d,letter\n(d); part 000,letter\n")
    app.run()
    assert set(genres(app).values()) == {"letter"}
    assert says(app, "Changed on disk and read again: genres.csv")
    (folder / "genres.csv").write_text("d\n")
    app.run()
    assert says(app, "genres.csv:1", "1 column", "&#39;d&#39;")
    assert set(genres(app).values()) == {"letter"}
    (folder / "genres.csv").unlink()
    app.run()
    assert says(app, "No longer on disk, kept as read before: genres.csv")
    assert set(genres(app).values()) == {"letter"}


@pytest.mark.slow
def test_an_uploaded_table_counts_instead_of_that_of_the_command_line(folder):
    app = run(QUICK)
    (name,) = genres(app)
    give_table(app, f"{name}\tletter".encode())
    assert genres(app) == {name: "letter"}
    app.file_uploader(key="genre_file").set_value(None).run()
    assert genres(app) == {name: "novel"}
