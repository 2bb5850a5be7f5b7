"""Files are written whole or not at all, over others only by force, never over an input."""

import errno
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corescore
from corescore import Corpus, Document, InputError, PolicyError
from corescore.__main__ import main
from corescore.corpus.documents import Attributes
from corescore.corpus.files import WRITTEN, read_bytes, write_file
from tests.support.messages import message_of, refusal_of
from tests.support.strategies import corpora, documents

CORPUS = Corpus((Document.of_entities("d", [[(0, 1)]], words=["Mia", "slept"]),))


def refused(path, **options):
    before = {p: p.read_bytes() for p in path.parent.rglob("*") if p.is_file()}
    with pytest.raises(InputError) as caught:
        write_file(str(path), b"new", **options)
    assert {p: p.read_bytes() for p in path.parent.rglob("*") if p.is_file()} == before
    return str(caught.value)


def test_a_file_that_exists_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "a.txt"
    write_file(str(path), b"old")
    assert "already exists" in refused(path)
    write_file(str(path), b"new", force=True)
    assert path.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


def test_an_input_is_never_replaced_whatever_it_is_called(tmp_path, monkeypatch):
    path = tmp_path / "key.conll"
    path.write_bytes(b"old")
    (tmp_path / "link").symlink_to(path)
    os.link(path, tmp_path / "hard")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "in.conll").write_bytes(b"old")
    monkeypatch.chdir(tmp_path)
    for inputs in (["key.conll"], [str(path)], ["link"], ["folder/../key.conll"], [str(tmp_path)]):
        assert "an input file, which is never overwritten" in refused(
            path, force=True, inputs=inputs
        )
    assert "an input" in refused(tmp_path / "folder/in.conll", force=True, inputs=["*/i*.conll"])
    for other in ("link", "hard"):
        assert "an input" in refused(tmp_path / other, force=True, inputs=["key.conll"])
    assert "an input" in refused(tmp_path / "folder/in.conll", force=True, inputs=["folder"])
    write_file("folder/new.conll", b"new", inputs=["folder", "", "not/there"])


def test_where_writing_fails_the_old_file_stays_and_no_other_is_left(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    assert "cannot be written (No space left on device)" in refused(path, force=True)
    assert "cannot be written" in refused(tmp_path / "b.txt")


def test_a_full_disk_leaves_the_old_file_and_nothing_half_written(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    script = (
        "import resource, signal, sys; from corescore.corpus.files import write_file; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "write_file(sys.argv[1], bytes(2000), force=True)"
    )
    answer = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True)
    assert "(File too large)" in answer.stderr
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


def test_an_interruption_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.copymode", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(str(path), b"new", force=True)
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("name", ["no/such/a.txt", ".", "a.txt/b", "x" * 300])
def test_a_path_that_cannot_be_written_is_refused(name, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    assert "cannot be written" in refused(tmp_path / name)


def test_rights_and_links_stay_and_new_files_have_those_of_any_new_file(tmp_path):
    path, link = tmp_path / "a.txt", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to("a.txt")
    write_file(str(link), b"new", force=True)
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    write_file(str(tmp_path / "ours"), b"")
    (tmp_path / "theirs").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_a_device_or_pipe_is_written_to_and_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(str(pipe), b"new")
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_corpus_is_not_written_over_the_file_that_it_was_read_from(tmp_path):
    path = tmp_path / "a.conll"
    corescore.write(CORPUS, path)
    with pytest.raises(InputError, match=r"a\.conll: .* exists"):
        corescore.write(CORPUS, path)
    corescore.write(CORPUS, path, force=True)
    with pytest.raises(InputError, match="an input"):
        corescore.write(corescore.read(path), path, force=True)
    with pytest.raises(InputError, match="an input"):
        corescore.write(corescore.read(tmp_path), path, force=True)
    assert corescore.read(path) == CORPUS


def test_a_file_that_is_read_beside_an_input_is_not_replaced_either(tmp_path, capsys):
    text, marks = tmp_path / "x.txt", tmp_path / "x.ann"
    text.write_text("Mia fed her.")
    marks.write_text("T1\tPerson 0 3\tMia\nT2\tPerson 8 11\ther\nR1\tCoref Arg1:T2 Arg2:T1\n")
    with pytest.raises(InputError, match="an input"):
        corescore.write(corescore.read(marks), text, format="conll", force=True)
    made = (
        ["convert", str(marks), str(text), "--output-format", "conll"],
        ["score", str(marks), str(marks), "--out", str(text)],
    )
    for command in made:
        assert main([*command, "--force"]) == 2
        assert "x.txt: an input" in capsys.readouterr().err
    assert text.read_text() == "Mia fed her."


WITH_MORE = Document.of_rows(
    "d",
    [(0, 1, 0)],
    words=["Mia", "slept"],
    attributes=Attributes.of(1, head=[0], entity_type=["person"]),
)


@pytest.mark.parametrize("known", WRITTEN)
def test_what_a_format_does_not_hold_is_told(known, tmp_path):
    path = tmp_path / "made"
    told = corescore.write(Corpus((WITH_MORE,)), path, format=known.id)
    again = corescore.read(path, format=known.id)
    if known.keeps:
        assert told == ()
        assert again["d"].attributes == WITH_MORE.attributes
    else:
        words = "" if known.has_words else "words (2), "
        lost = f"{words}heads (1) and mention types (1)"
        assert told == (f"{known.title} does not hold {lost}: left out.",)
        assert again["d"].attributes is None
        assert corescore.write(again, tmp_path / "again", format=known.id) == ()


@given(
    corpora(documents()), st.sampled_from([known for known in WRITTEN if known.id != "notation"])
)
def test_what_is_written_is_refused_or_read_again(corpus, known):
    """In every format that holds words: the same words, mentions and entities."""
    if not refusal_of(known.text, corpus):
        again = known.read(known.text(corpus), "", "key")
        said, kept = ([(d.name, d.words, d.rows.tolist()) for d in of] for of in (corpus, again))
        assert kept == said


# What breaks lines and cells, what other formats are made of, and what is no text
SIGNS = (
    *("\t", "\n", "\r", " ", "\v", "\f", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u3000"),
    *("\ufeff", "\ud800", "\0", "\x1b", "#", ";", "; part 3", "(", ")", "|", "=", "-", "_"),
    *("[", "]", "{", "}", "\\", "/", '"', ",", "a", "1"),
)
HARD_TEXTS = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=4).map("".join)
DRAWN = {"name": "d", "word": "Mia", "speaker": "Ann", "tag": "NNP", "lemma": "Mia"}


def with_text(**texts):
    """A document of two words that has these texts somewhere."""
    drawn = {**DRAWN, **texts}
    return Document.of_rows(
        drawn["name"],
        [(0, 1, 0), (1, 2, 0)],
        words=[drawn["word"], "slept"],
        speakers=(drawn["speaker"],),
        tags=(drawn["tag"], "VBD"),
        lemmas=(drawn["lemma"], "sleep"),
    )


@given(st.sampled_from(tuple(DRAWN)), HARD_TEXTS, st.sampled_from(WRITTEN))
def test_any_text_is_kept_to_the_letter_or_refused(where, text, known):
    """Of speakers, tags and lemmas, formats of columns keep no white space."""
    before = Corpus((with_text(**{where: text}),))
    if refusal_of(known.text, before):
        return
    (after,) = read_bytes(known.text(before).encode(), "f", format=known.id)
    assert after.name == before.documents[0].name
    assert known.id == "notation" or after.words == before.documents[0].words
    is_unknown = text in ("-", "_")
    if known.id == "jsonl" and not is_unknown:
        assert after == before.documents[0]


@pytest.mark.parametrize("known", WRITTEN)
def test_what_is_no_text_is_refused_wherever_it_stands(known):
    for where, text in product(DRAWN, ("\udc80", "a\0")):
        message = message_of(known.text, Corpus((with_text(**{where: text}),)))
        assert re.search(r"(a NUL character|a lone surrogate\)) in the \w+ of document '", message)
    for end, form in product("\v\f\u3000\x85 ", ("d{}", "{}d")):
        message = message_of(known.text, Corpus((with_text(name=form.format(end)),)))
        assert "expected a name on one line" in message
    wordless = Corpus((Document.of_entities("d", [[(0, 1), (1, 3)], [(0, 2)]]),))
    assert "document 'd' has mentions but no words" in message_of(known.text, wordless)
    beyond = Corpus((Document.of_entities("d", [[(0, 5)]], words=["a"]),))
    assert "document 'd' has a mention that ends after its 1 word" in message_of(known.text, beyond)


def test_an_ending_of_any_format_is_refused_with_the_choice(tmp_path):
    """Words were lost without a word: .txt was brace notation."""
    with pytest.raises(PolicyError) as refused:
        corescore.write(Corpus((WITH_MORE,)), tmp_path / "key.txt")
    assert all(known.id in str(refused.value) for known in WRITTEN)
    assert not (tmp_path / "key.txt").exists()
    with pytest.raises(PolicyError, match=r"the ending of .*dev\.xml' is of no known format"):
        corescore.write(Corpus((WITH_MORE,)), tmp_path / "dev.xml")
    corescore.write(Corpus((WITH_MORE,)), tmp_path / "key.txt", format="notation")
    assert (tmp_path / "key.txt").read_text() == "# d\n{1}\n"


# A process that writes a file and is stopped while it does.
HALF_WRITTEN = """
import os, sys, time
from corescore.corpus.files import write_file
def stopped(_):
    print("half", flush=True)
    time.sleep(600)
os.fsync = stopped
write_file(sys.argv[1], b"half")
"""


def test_what_a_killed_process_left_goes_with_the_next_write_and_not_before(tmp_path):
    mine = tmp_path / ".corescore-notes"
    mine.write_text("my own")
    command = [sys.executable, "-c", HALF_WRITTEN, str(tmp_path / "half.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writing:
        writing.stdout.readline()
        (left,) = {*tmp_path.iterdir()} - {mine}
        write_file(str(tmp_path / "a.txt"), b"a")
        assert left.exists()
        writing.kill()
    write_file(str(tmp_path / "b.txt"), b"b")
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "b.txt", mine.name}
