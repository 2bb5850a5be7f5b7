"""Gzip and zip: what is unpacked, in which names, and what is refused before memory is full."""

import gzip
import io
import os
import random
import re
import threading
import zipfile
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import InputError, PolicyError, read
from corescore.__main__ import main
from corescore.corpus import packed
from corescore.corpus.files import format_of, format_of_bytes, read_bytes
from corescore.corpus.packed import VARIABLE, Ceiling
from tests.support.memory import peak_of
from tests.support.messages import message_of, refusal_of
from tests.support.together import zipped

CONLL = "#begin document (d); part 000\nd 0 0 It (1)\n#end document\n"


def names(corpus):
    return [document.name for document in corpus]


def test_a_zip_archive_is_read_as_the_folder_that_it_holds(tmp_path):
    files = {"b.conll": CONLL, "a.conll.gz": gzip.compress(CONLL.encode(), mtime=0)}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    assert read_bytes(zipped(files), "dev.zip") == read(tmp_path)
    assert names(read(tmp_path)) == ["a/d", "b/d"]


def test_a_folder_around_all_files_of_an_archive_does_not_count(tmp_path):
    path = tmp_path / "dev.zip"
    path.write_bytes(zipped({"data/dev/d.conll": CONLL, "__MACOSX/data/._d.conll": "\x01"}))
    assert names(read(path)) == ["d"]
    assert format_of(path).id == "conll"


def test_files_of_folders_in_a_folder_are_named_where_they_are_not_read():
    corpus = read_bytes(zipped({"d.conll": CONLL, "old/e.conll": CONLL}), "dev.zip")
    assert names(corpus) == ["d"]
    (warning,) = corpus.warnings
    assert re.fullmatch(r"dev\.zip: 1 file .* not read: old/e\.conll", warning)


def test_an_archive_of_folders_only_is_refused():
    data = zipped({"a/d.conll": CONLL, "b/d.conll": CONLL})
    message = message_of(read_bytes, data, "dev.zip")
    assert message == (
        "dev.zip: an archive without files; expected coreference files in it. "
        "Make an archive of each folder in it."
    )


def test_problems_name_the_file_in_the_archive():
    data = zipped({"a.conll": CONLL, "b.conll": CONLL.replace("(1)", "(1")})
    assert message_of(read_bytes, data, "dev.zip").startswith("dev.zip/b.conll:2: ")


def test_an_archive_in_an_archive_is_refused():
    data = zipped({"a.zip": zipped({"d.conll": CONLL})})
    assert message_of(read_bytes, data, "dev.zip").startswith("dev.zip/a.zip: a zip archive in")


def test_two_files_of_one_name_are_refused():
    data = zipped({"d.conll": CONLL, "e.conll": CONLL}).replace(b"e.conll", b"d.conll")
    message = message_of(read_bytes, data, "dev.zip")
    assert message.startswith("dev.zip: an archive with two files 'd.conll'; expected each name")


@pytest.mark.parametrize("name", ["../d.conll", "/etc/d.conll", "C:\\d.conll"])
def test_nothing_is_written_where_an_archive_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refusal_of(read_bytes, zipped({name: CONLL}), "dev.zip")
    assert not list(tmp_path.iterdir())
    assert not (tmp_path.parent / "d.conll").exists()


SMALL = Ceiling(most=3_000_000, ratio=200, free=2_000_000)
PACKED = (gzip.compress, lambda text: zipped({"d.conll": text}))


@pytest.mark.parametrize("pack", PACKED)
def test_bytes_that_unpack_to_far_more_are_refused(pack):
    data = pack(b" " * 5_000_000)
    message = message_of(read_bytes, data, "bomb", ceiling=SMALL)
    assert message.startswith("bomb: ")
    assert " bytes that unpack to more than 2,000,000; expected at most 3,000,000, and" in message
    assert "CORESCORE_UNPACK_LIMIT=8GB" in message
    assert "empty file" in message_of(read_bytes, data, "bomb")


@pytest.mark.parametrize("pack", PACKED)
def test_the_format_of_packed_bytes_is_found_up_to_the_same_ceiling(pack):
    data = pack(b" " * 5_000_000)
    message = message_of(format_of_bytes, data, "bomb", ceiling=SMALL)
    assert " more than 2,000,000; " in message


@pytest.mark.parametrize("pack", PACKED)
def test_what_shrinks_no_more_than_text_does_is_refused_at_the_ceiling_alone(pack):
    text = CONLL.encode() + bytes(range(32, 127)) * 40_000
    data = pack(text)
    message = message_of(read_bytes, data, "text", ceiling=Ceiling(most=3_000_000, ratio=10**6))
    assert " more than 3,000,000; " in message


def test_a_bomb_behind_noise_is_refused_as_soon_as_it_is_one():
    noise = b"".join(blake2b(bytes([n])).hexdigest().encode() for n in range(256))
    data = gzip.compress(b" " * 3_000_000 + noise * 40)
    message = message_of(read_bytes, data, "bomb", ceiling=SMALL)
    said = int(message.split()[1].replace(",", ""))
    assert said < len(data)
    assert message.startswith(f"bomb: {said:,} bytes ")
    assert " more than 2,000,000;" in message


def test_no_more_memory_is_taken_than_may_come_out():
    data = gzip.compress(b"\n" * 50_000_000)
    ceiling = Ceiling(free=5_000_000)
    peak = peak_of(lambda: message_of(read_bytes, data, "bomb", ceiling=ceiling))
    assert peak < 10_000_000


def test_the_environment_sets_the_limit_at_any_ratio(monkeypatch):
    data = gzip.compress(CONLL.encode() + b"\n" * 3_000)
    monkeypatch.setenv(VARIABLE, "2kB")
    assert "more than 2,000; expected at most 2,000. If" in message_of(
        read_bytes, data, "d.conll.gz"
    )
    monkeypatch.setenv(VARIABLE, " 0.01 MB ")
    assert names(read_bytes(data, "d.conll.gz")) == ["d"]
    monkeypatch.setenv(VARIABLE, "much")
    with pytest.raises(PolicyError, match=r"^the unpack limit is 'much'; expected a size such as"):
        read_bytes(data, "d.conll.gz")


def test_the_limit_is_set_for_one_command(tmp_path, monkeypatch, capsys):
    path = tmp_path / "d.conll.gz"
    path.write_bytes(gzip.compress(CONLL.encode()))
    assert main(["score", str(path), str(path), "--unpack-limit", "50B"]) == 2
    assert "more than 50;" in capsys.readouterr().err
    assert main(["score", str(path), str(path)]) == 0
    monkeypatch.setenv(VARIABLE, "50")
    assert main(["score", str(path), str(path), "--unpack-limit", "1GB"]) == 0
    assert main(["score", str(path), str(path)]) == 2
    assert main(["score", str(path), str(path), "--unpack-limit", "9 lives"]) == 2
    assert "limit is '9 lives'; expected" in capsys.readouterr().err


def test_the_limit_counts_all_files_of_an_archive():
    data = zipped({f"{n}.conll": b" " * 1_000_000 for n in range(4)})
    message = message_of(read_bytes, data, "bomb.zip", ceiling=SMALL)
    assert "expected at most 3,000,000" in message


def test_the_limit_counts_what_is_gzipped_in_an_archive():
    packed = {f"{n}.conll.gz": gzip.compress(b" " * 1_000_000) for n in range(4)}
    lines = refusal_of(read_bytes, zipped(packed), "bomb.zip", ceiling=SMALL)
    assert sum("more than 2,000,000" in line for line in lines) == 3
    assert sum("an empty file" in line for line in lines) == 1


def test_an_archive_that_says_what_it_unpacks_to_is_refused_unopened(monkeypatch):
    data = zipped({"d.conll": b" " * 5_000_000})
    monkeypatch.delattr("zipfile.ZipFile.open")
    assert "more than 2,000,000" in message_of(read_bytes, data, "d.zip", ceiling=SMALL)


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_kinds_of_compression_that_unpack_without_bounds_are_refused(kind):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", kind) as archive:
        archive.writestr("d.conll", CONLL)
    message = message_of(read_bytes, target.getvalue(), "d.zip")
    assert message == (
        "d.zip: an archive with 'd.conll' in a rare kind of compression; expected Deflate, as zip "
        "programs use by default. Compress it again."
    )


def test_an_archive_of_too_many_files_is_refused(monkeypatch):
    monkeypatch.setattr(packed, "MOST_FILES", 3)
    data = zipped({f"{n}.conll": CONLL for n in range(4)})
    message = message_of(read_bytes, data, "dev.zip")
    assert message.startswith("dev.zip: an archive of 4 files; expected at most 3")


WHOLE = zipped({"d.conll": CONLL, "e.conll": CONLL * 2})


@settings(max_examples=300)
@given(st.integers(0, len(WHOLE)), st.binary(max_size=4), st.booleans())
def test_any_broken_archive_is_read_or_refused(at, piece, cut):
    data = WHOLE[:at] + piece + (b"" if cut else WHOLE[at + len(piece) :])
    lines = refusal_of(read_bytes, data, "fuzz")
    assert all(line.startswith("fuzz") for line in lines)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_no_broken_archive(tmp_path):
    path = tmp_path / "d.conll.gz"
    path.write_bytes(gzip.compress(CONLL.encode()))
    with pytest.raises(InputError, match=r"cannot be unpacked in .*No space left.*in TMPDIR"):
        packed.unpack(path, Path("/dev/full"))


# Streams that never end --------------------------------------------------------------------------


def endless(path, piece):
    """A pipe into which a piece is written again and again, until nobody reads any more."""
    os.mkfifo(path)

    def write():
        with suppress(BrokenPipeError), path.open("wb", buffering=0) as pipe:
            while True:
                pipe.write(piece)

    threading.Thread(target=write, daemon=True).start()
    return str(path)


@pytest.mark.parametrize("piece", [b"d\t0\t0\ta\t-\n" * 999, gzip.compress(random.randbytes(9999))])
def test_a_pipe_that_never_ends_is_refused_at_a_limit(tmp_path, monkeypatch, piece):
    monkeypatch.setenv(VARIABLE, "2MB")
    message = message_of(read, endless(tmp_path / "pipe", piece))
    assert "a stream of more than 2,000,000 bytes" in message
    assert VARIABLE in message


def test_a_pipe_of_text_that_never_ends_is_held_up_to_200_mb(tmp_path):
    path = endless(tmp_path / "pipe", b"d\t0\t0\ta\t-\n" * 99_999)
    assert "a stream of more than 200,000,000 bytes" in message_of(read, path)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_text_is_refused_at_once(device):
    assert peak_of(read, device) < 10_000_000
    assert "not text" in message_of(read, device)


def test_a_pipe_that_ends_is_read(tmp_path):
    os.mkfifo(path := tmp_path / "pipe")
    data = gzip.compress(b"{a b} {c}\n" * 9000)
    threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()
    assert len(read(str(path))) == 9000
