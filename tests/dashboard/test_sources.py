"""Files that the dashboard shows: their names, their stamps and their tables."""

import os

from corescore.counting.policies import Policies
from dashboard.session import analyses, scoring
from dashboard.session import files as sources
from dashboard.session.files import file_of, sample_files
from tests.support.pages import (
    KEY,
    RESPONSE,
    give,
    name_files,
)
from tests.support.together import put


def test_a_file_in_a_folder_of_a_folder_is_read_again_when_it_changes(monkeypatch, tmp_path):
    files = {"key/markables/d.xml": "a", "key/Basedata/d.xml": "b", "out/d.xml": "c"}
    put(tmp_path, files)
    name_files(monkeypatch, tmp_path / "key", tmp_path / "out")
    before = sources.given_files()
    os.utime(tmp_path / "key" / "Basedata" / "d.xml", (1, 1))
    after = sources.given_files()
    assert before.key.stamp != after.key.stamp
    assert before.responses == after.responses


def test_a_file_is_read_again_when_another_of_the_same_time_takes_its_place(monkeypatch, tmp_path):
    give(monkeypatch, tmp_path, key_conll=KEY, out_conll=RESPONSE)
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


def test_the_ending_of_an_archive_is_no_part_of_a_name():
    assert sources.short_name("emma.zip") == sources.short_name("emma.conll.zip") == "emma"


def test_uploads_of_one_name_are_numbered():
    files = sources.named_apart(sources.file_of("out.conll", data) for data in (b"1", b"2"))
    assert [file.name for file in files] == ["out.conll", "out (2).conll"]


def test_file_names_lose_the_ending_of_their_format():
    assert sources.short_name("cautious.conll") == "cautious"
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
