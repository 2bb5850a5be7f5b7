"""Files are found and read alike wherever they are stored."""

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem
from fsspec.registry import known_implementations

from corescore import InputError
from corescore.distributed import UnreadableError, bytes_of, files_at


@pytest.fixture
def folder(tmp_path):
    for name in ("b.conll", "a.conll.gz", ".hidden", "notes.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.conll").write_text("c")
    return tmp_path


def test_a_folder_has_its_files_in_order_and_not_those_in_its_folders(folder):
    found = files_at(str(folder), {})
    assert [*found.files] == ["a.conll.gz", "b.conll", "notes.txt"]
    assert found.files["b.conll"].name == str(folder / "b.conll")
    assert not found.alone


def test_a_pattern_has_the_files_that_match(folder):
    assert [*files_at(f"{folder}/*.conll*", {}).files] == ["a.conll.gz", "b.conll"]
    assert [*files_at(f"{folder}/**/*.conll", {}).files] == ["b.conll", "inner/c.conll"]


def test_files_are_named_as_they_were_written(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for place, name in (("*.conll", "b.conll"), ("./*.conll", "b.conll"), (".", "b.conll")):
        file = files_at(place, {}).files["b.conll"]
        assert file.name == name
        assert bytes_of(file, {}) == b"b.conll"


def test_one_file_stands_alone_even_with_a_bracket_in_its_name(tmp_path):
    path = tmp_path / "key[1].conll"
    path.write_bytes(b"text")
    found = files_at(str(path), {})
    assert found.alone
    assert [bytes_of(file, {}) for file in found.files.values()] == [b"text"]


def test_a_folder_may_have_a_bracket_in_its_name(tmp_path):
    (tmp_path / "[gold]").mkdir()
    (tmp_path / "[gold]" / "a.conll").write_bytes(b"text")
    assert [*files_at(str(tmp_path / "[gold]"), {}).files] == ["a.conll"]


def test_urls_of_every_file_system_are_read():
    fsspec.filesystem("memory").pipe({"/test-files/gold/a.conll": b"a", "/test-files/b": b"b"})
    for place in ("memory://test-files/gold", "memory://test-files/gold/*.conll"):
        (file,) = files_at(place, {}).files.values()
        assert file.name == "memory://test-files/gold/a.conll"
        assert bytes_of(file, {}) == b"a"


@pytest.mark.parametrize("place", ["empty", "*.conll"])
def test_a_place_without_files_is_refused(tmp_path, place):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no files"):
        files_at(str(tmp_path / place), {})


def test_a_url_whose_package_lacks_says_which(monkeypatch):
    monkeypatch.setitem(known_implementations, "s4", {"class": "s4fs.S4", "err": "Install s4fs"})
    with pytest.raises(InputError, match="s4://b/x: a URL that needs a package; expected Install"):
        files_at("s4://b/x", {})


def test_an_unknown_kind_of_url_is_refused():
    with pytest.raises(InputError, match=r"no file that .*nonsense"):
        files_at("nonsense://x", {})


def test_a_file_that_is_not_there_is_refused(tmp_path):
    (file,) = files_at(str(tmp_path / "none.conll"), {}).files.values()
    with pytest.raises(InputError, match=r"none.conll: no file .*\(No such file"):
        bytes_of(file, {})


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.conll"
    path.write_bytes(b"first")
    read = LocalFileSystem.cat_file

    def grow(self, path, **options):
        data = read(self, path, **options)
        with open(path, "ab") as file:  # noqa: PTH123
            file.write(b"more")
        return data

    monkeypatch.setattr(LocalFileSystem, "cat_file", grow)
    (file,) = files_at(str(path), {}).files.values()
    with pytest.raises(InputError, match=r"a\.conll: .* changed"):
        bytes_of(file, {})


def test_what_may_pass_is_another_error_that_the_cluster_tries_again(tmp_path, monkeypatch):
    path = tmp_path / "a.conll"
    path.write_bytes(b"text")
    (file,) = files_at(str(path), {}).files.values()

    def fail(self, path, **options):
        raise TimeoutError("the disk is asleep")

    monkeypatch.setattr(LocalFileSystem, "cat_file", fail)
    with pytest.raises(UnreadableError) as raised:
        bytes_of(file, {})
    assert raised.value.problem.found.endswith("(the disk is asleep)")
