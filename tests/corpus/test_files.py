"""Files and formats: packed ones, paths, names of runs, how a format is found; damage to each."""

import gzip
import io
import os
import random
import re
import threading
import zipfile
from contextlib import suppress
from hashlib import blake2b
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, PolicyError, read, write
from corescore.__main__ import main
from corescore.corpus import files, packed
from corescore.corpus.files import FORMATS, format_of, format_of_bytes, read_bytes, read_files
from corescore.corpus.names import by_system, counted_runs, run_of
from corescore.corpus.packed import VARIABLE, Ceiling, Files, files_of_zip
from corescore.corpus.problems import Problem
from corescore.wording import harmless
from tests.support.every_format import FILES
from tests.support.messages import message_of, refusal_of
from tests.support.tallies import peak_of
from tests.support.texts import put, zipped

# Gzip and zip: what is unpacked, in which names, and what is refused before memory is -------------

CONLL = "#begin document (d); part 000\nd 0 0 It (1)\n#end document\n"


def names(corpus):
    return [document.name for document in corpus]


def test_a_zip_archive_is_read_as_the_folder_that_it_holds(tmp_path):
    both = {"b.conll": CONLL, "a.conll.gz": gzip.compress(CONLL.encode(), mtime=0)}
    put(tmp_path, both)
    assert read_bytes(zipped(both), "dev.zip") == read(tmp_path)
    assert names(read(tmp_path)) == ["a/d", "b/d"]
    corpus = read_bytes(zipped({"d.conll": CONLL, "old/e.conll": CONLL}), "dev.zip")
    assert names(corpus) == ["d"]
    (warning,) = corpus.warnings
    assert re.fullmatch(r"dev\.zip: 1 file not read: old/e\.conll", warning)


def test_a_folder_around_all_files_of_an_archive_does_not_count(tmp_path):
    path = tmp_path / "dev.zip"
    path.write_bytes(zipped({"data/dev/d.conll": CONLL, "__MACOSX/data/._d.conll": "\x01"}))
    assert names(read(path)) == ["d"]
    assert format_of(path).id == "conll"


TWICE = zipped({"d.conll": CONLL, "e.conll": CONLL}).replace(b"e.conll", b"d.conll")


def of_kind(compression):
    """An archive of another kind of compression."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive:
        archive.writestr("d.conll", CONLL)
    return target.getvalue()


RARE = (
    ": an archive with 'd.conll' in a rare kind of compression; expected Deflate, as zip programs "
    "use by default. Compress it again."
)


@pytest.mark.parametrize(
    "data, said",
    [
        (
            zipped({"a/d.conll": CONLL, "b/d.conll": CONLL}),
            ": an archive without files; expected coreference files in it. Make an archive of each "
            "folder in it.",
        ),
        (zipped({"a.conll": CONLL, "b.conll": CONLL.replace("(1)", "(1")}), "/b.conll:2: "),
        (zipped({"a.zip": zipped({"d.conll": CONLL})}), "/a.zip: a zip archive in"),
        (TWICE, ": an archive with two files 'd.conll'; expected each name"),
        (of_kind(zipfile.ZIP_BZIP2), RARE),
        (of_kind(zipfile.ZIP_LZMA), RARE),
    ],
)
def test_archives_that_cannot_be_read_are_refused(data, said):
    assert message_of(read_bytes, data, "dev.zip").startswith(f"dev.zip{said}")


@pytest.mark.parametrize("name", ["../d.conll", "/etc/d.conll", "C:\\d.conll"])
def test_nothing_is_written_where_an_archive_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refusal_of(read_bytes, zipped({name: CONLL}), "dev.zip")
    assert not [*tmp_path.iterdir()]
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
    assert " more than 2,000,000; " in message_of(format_of_bytes, data, "bomb", ceiling=SMALL)
    unlike = Ceiling(most=3_000_000, ratio=10**6)
    assert " more than 3,000,000; " in message_of(read_bytes, data, "text", ceiling=unlike)


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


def test_an_archive_with_a_gzipped_bomb_is_refused_for_all_its_files():
    """So that twenty bombs in it take no more than one."""
    packed = {
        "bomb.gz": gzip.compress(b" " * 5_000_000),
        "d.conll.gz": gzip.compress(CONLL.encode()),
    }
    files = files_of_zip(zipped(packed), "dev.zip", SMALL)
    assert files.data("d.conll.gz") == CONLL.encode()
    files = files_of_zip(zipped(packed), "dev.zip", SMALL)
    for name in ("bomb.gz", "d.conll.gz"):
        assert " more than 2,000,000; " in message_of(files.data, name)


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


def test_the_limit_counts_what_is_gzipped_in_an_archive():
    packed = {f"{n}.conll.gz": gzip.compress(b" " * 1_000_000) for n in range(4)}
    lines = refusal_of(read_bytes, zipped(packed), "bomb.zip", ceiling=SMALL)
    assert sum("more than 2,000,000" in line for line in lines) == 3
    assert sum("an empty file" in line for line in lines) == 1


def test_an_archive_that_says_what_it_unpacks_to_is_refused_unopened(monkeypatch):
    data = zipped({"d.conll": b" " * 5_000_000})
    monkeypatch.delattr("zipfile.ZipFile.open")
    assert "more than 2,000,000" in message_of(read_bytes, data, "d.zip", ceiling=SMALL)


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


# Paths of responses: files, and folders of them ---------------------------------------------------


def test_a_folder_is_one_response_to_a_key_that_is_a_folder(tmp_path):
    """The key is no response to itself, and hidden files are none."""
    put(tmp_path, dict.fromkeys(("key/a.conll", "out/b.conll", "out/a.conll", "out/.notes"), ""))
    key, out = tmp_path / "key", tmp_path / "out"
    assert files.each_response(str(key), [str(out)]) == [str(out)]
    assert files.each_response(str(key / "a.conll"), [str(out)]) == [
        str(out / name) for name in ("a.conll", "b.conll")
    ]
    said = []
    assert files.each_response(str(out / "a.conll"), [str(out)], warn=said.extend) == [
        str(out / "b.conll")
    ]
    assert said == [f"{out}: 1 file not read: a.conll (the key)"]
    (alone,) = files.path_problems(str(key / "a.conll"), [str(key)])
    assert alone.found == "a folder without other files"
    both = [str(out), str(out / "a.conll")]
    assert files.each_response(str(key / "a.conll"), both[1:]) == both[1:]


OTHERS = {
    "metrics.json": '{"epoch": 3, "dev": {"f1": 0.7, "best": true}, "model": "x", "loss": [1, 2]}',
    "ours.json": '{\n  "signature": "corescore 0.2 | match exact",\n  "rows": []\n}',
    "perl.txt": "METRIC muc:\nCoreference: Recall: (1 / 2) 50%\n",
    **dict.fromkeys(("train.log", "Thumbs.db", ".DS_Store", "README", "setup.yaml"), "\0 any"),
}


@pytest.mark.parametrize("known", [False, True])
def test_what_is_plainly_no_response_is_left_out_of_a_folder_with_one_line(tmp_path, known):
    put(tmp_path, {**OTHERS, "a.conll": CONLL, "key/a.conll": CONLL})
    key, warnings = str(tmp_path / "key" / "a.conll"), []
    found = files.each_response(key, [str(tmp_path)], is_known=known, warn=warnings.extend)
    by_content = ["metrics.json", "ours.json", "perl.txt"] if known else []
    assert found == [str(tmp_path / name) for name in ("a.conll", *by_content)]
    (said,) = warnings
    assert said.startswith(f"{tmp_path}: {7 - len(by_content)} files not read: ")
    if not known:
        assert [document.name for document in read(tmp_path)] == ["a/d"]


@pytest.mark.parametrize(
    "name, text",
    [
        ("cut.json", '{"doc_key": "d", "tokens": ["a"], "clusters": [[[0'),
        ("other.json", '{"words": ["a", "b"], "spans": []}'),
        ("text.json", '{"text": "Mia fed her cat.", "score": 1}'),
        ("empty.json", '{"clusters": [], "n": 1}'),
        ("answer.txt", "Mia fed her cat.\n"),
        ("d.conll", "d 0 0 It (1)\n"),
    ],
)
def test_what_could_be_a_damaged_response_is_no_other_file(tmp_path, name, text):
    put(tmp_path, {name: text, "a.conll": CONLL, "key/a.conll": CONLL})
    found = files.each_response(str(tmp_path / "key" / "a.conll"), [str(tmp_path)])
    assert str(tmp_path / name) in found


# Which files are runs of one system, by their names -----------------------------------------------


@pytest.mark.parametrize(
    "path, found",
    [
        ("a.run1.conll", ("a", "run1")),
        ("out/a.run12.conll.gz", ("out/a", "run12")),
        ("out/a.Seed42.jsonl", ("out/a", "seed42")),
        ("a.dev.run3", ("a.dev", "run3")),
        ("a.run1.seed2.conllu", ("a", "run1.seed2")),
        ("a.run1.parquet", ("a", "run1")),
        ("a.run2/", ("a", "run2")),
        *(
            (path, None)
            for path in ("a.conll", "run1.conll", "a.run.conll", "a.rerun1.conll", "a_run1.conll")
        ),
        *((path, None) for path in (".run1", "a.run1x.conll", "a.run1/b.conll")),
    ],
)
def test_a_run_is_named_before_the_endings(path, found):
    assert run_of(path) == found


def test_systems_stand_in_the_order_given_and_runs_by_number():
    paths = ["b.run10.conll", "a.conll", "b.run2.conll", "x/b.run1.conll", "b.seed1.conll"]
    assert by_system(paths) == {
        "b": ("b.run2.conll", "b.run10.conll", "b.seed1.conll"),
        "a.conll": ("a.conll",),
        "x/b": ("x/b.run1.conll",),
    }
    with pytest.raises(PolicyError, match="are both run1 of a; expected each run once"):
        by_system(["a.run1.conll", "a.run1.jsonl"])


def test_systems_with_several_runs_are_counted_also_where_there_is_only_one():
    assert counted_runs(["a.run1.conll", "a.run2.conll", "b.run1.conll", "c.conll"]) == {"a": 2}
    assert counted_runs(["a.run1.conll", "a.run1.conll.gz"]) == {"a": 2}
    assert counted_runs(["a.conll", "b.run1.conll"]) == {}


# What a message says of an input: a line of it at most, nothing that a terminal acts upon ---------

LONG = "A" * 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        f"#begin document (d);\nd\t0\t0\tx\t-\t({LONG}\n\n#end document\n",
        f"#begin document ({LONG});\nd\t0\t0\tx\t-\t(1\n\n#end document\n",
        f'{{"doc_key":"d","sentences":[["x"]],"clusters":[[["{LONG}",0]]]}}\n',
        f"# global.Entity = eid\n# newdoc id = d\n1{8 * chr(9) + '_'}\tEntity=({LONG}\n\n",
        f"[Mia](#{LONG} gave [x](#1)\n",
        f"{LONG},{LONG}\n",
    ],
)
def test_a_message_quotes_at_most_a_line_of_a_cell(text):
    assert max(map(len, message_of(read_bytes, text.encode(), "d").split("\n"))) < 1500


def test_a_message_has_no_control_characters_of_the_file_or_its_name():
    problem = Problem("a\x1b[2J\n.conll", 3, "'x\x9b\u202e\ny\r'", "no\x07", "Go\x00.")
    expected = "a\\x1b[2J\\n.conll:3: 'x\\x9b\\u202e\\ny\\r'; expected no\\x07. Go\\x00."
    assert str(problem) == expected
    again = expected.partition("; expected")[0]
    assert str(InputError([problem, problem])) == f"{expected}\n{again}."
    assert problem.found == "'x\x9b\u202e\ny\r'"


# Finding out the format; files, folders and bytes that are none of them ---------------------------


# Finding out the format, files, folders and bytes that are none of them ---------------------------

JSONL = '{"doc_key": "d", "tokens": ["It"], "clusters": [[[0, 0]]]}\n'
NOTATION = "# d\n{It,}\n"
# The same in every process
ZIPPED, EMPTY = (gzip.compress(text.encode(), mtime=0) for text in (CONLL, ""))


# --- Which format --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, named",
    [
        (CONLL, False),
        (f"\n\n# made by hand\n{CONLL}", False),
        (CONLL.replace("\n", "\r\n"), False),
        (JSONL, False),
        ('\n  { "doc_key":"d", "tokens":[], "clusters":[]}', False),
        (NOTATION, True),
        ("{a b c} {d}\n", True),
        ("{ab}{c}", True),
        ("# d\n{}\n", True),
        ("{}\n{a b}\n", True),
        ("# The first document of part 2\n{a b}\n", True),
        ("# one of the words is (1)\n{a b}\n", True),
    ],
)
def test_the_format_is_found_out(text, named):
    corpus = read_bytes(text.encode(), "file")
    assert {document.named_mentions for document in corpus} == {named}


@pytest.mark.parametrize("text", ["It is so.\n", "<xml/>\n", "a,b\n1,2\n", "\x01\x02\n"])
def test_a_file_of_no_format_is_refused_at_its_first_words_with_all_there_are(text):
    message = message_of(read_bytes, f"\n\n{text}".encode(), "notes.txt")
    first = harmless(text.split("\n")[0])
    assert message.startswith(f"notes.txt:3: '{first}'; expected #begin document")
    assert message.endswith(f" “Key format”): {', '.join(known.id for known in FORMATS)}.")
    assert ("plain text" in message) == text.startswith("It")


ANSWER = '{"id": "a", "tokens": ["Mia"], "clusters": []}\n'


@pytest.mark.parametrize("text", [f"Sure! Here it is:\n{ANSWER}", f"{ANSWER}I hope it helps.\n"])
def test_json_between_other_lines_is_refused_with_what_to_keep(text):
    message = message_of(read_bytes, text.encode(), "answer.jsonl")
    assert message.endswith("keep only the JSON.")


@pytest.mark.parametrize("format", [None, "jsonl"])
@pytest.mark.parametrize(
    "answer, n, warnings",
    [
        (f"```json\n{ANSWER}```\n", 1, []),
        (f"~~~\n[{ANSWER},\n{ANSWER.replace('a', 'b', 1)}]\n~~~", 2, []),
        (f"Sure:\n```\n{ANSWER}```\n\n```json\n{ANSWER.replace('a', 'b', 1)}", 2, [1]),
        (f"<think>\n```\n{{}}\n```\n</think>\n```json\n{ANSWER}```\nDone.", 1, [1]),
    ],
)
def test_json_in_the_code_fence_of_an_answer_is_read(answer, n, warnings, format):
    corpus = read_bytes(answer.encode(), "answer.md", format=format)
    assert len(corpus) == n
    begin, outside = "answer.md:{}: '", " is outside the code fence, so it is left out"
    for line, warning in zip(warnings, corpus.warnings, strict=True):
        assert warning.startswith(begin.format(line))
        assert outside in warning


def test_a_fault_in_a_code_fence_has_its_line():
    text = f"Sure:\n\n```json\n{ANSWER[:-9]}\n```\n"
    assert message_of(read_bytes, text.encode(), "answer.md").startswith("answer.md:4: ")


@pytest.mark.parametrize(
    "text", ["Mia gave her brother a bike.\n", "# d\n\nHere are the entities:\n1. Mia, her\n"]
)
def test_plain_text_is_told_of_inline_markup(text):
    message = message_of(read_bytes, text.encode(), "answer.txt")
    assert "or mentions marked in a text, [Mia](#1) (inline). It looks like plain text" in message
    assert "or read it as inline if it has none. Formats (--key-format" in message
    message = message_of(read_bytes, text.encode(), "answer.txt", side="response")
    assert "inline if it has none. Formats (--response-format; in Python" in message
    assert "in the app, “Response format”): " in message
    (document,) = read_bytes(text.encode(), "answer.txt", format="inline")
    assert len(document.rows) == 0


def test_a_format_may_be_named():
    assert message_of(read_bytes, CONLL.encode(), "x", format="jsonl").startswith("x:1: a line")
    with pytest.raises(PolicyError, match=r"format is 'xml'; expected one of: conllu, .*conll, "):
        read_bytes(b"{a}", "x", format="xml")
    with pytest.raises(PolicyError, match=r"side is 'both'; expected one of: key, response"):
        read_bytes(b"{a}", "x", side="both")


# --- Files ---------------------------------------------------------------------------------------


CORPUS = Corpus(
    (Document.of_entities("d", [[(0, 1), (2, 4)], [(3, 4)]], words=["It", "is", "our", "key"]),)
)


@pytest.mark.parametrize("gz", ["", ".gz"])
@pytest.mark.parametrize(
    "ending", ["conll", "auto_conll", "v4_gold_conll", "jsonl", "jsonlines", "json", "JSONL"]
)
def test_a_written_file_is_read_again_and_the_same_every_time(tmp_path, ending, gz):
    path, again = (tmp_path / f"{name}.{ending}{gz}" for name in ("dev", "again"))
    for each in (path, again):
        write(CORPUS, each)
    assert read(path) == read(str(path)) == CORPUS
    assert read(path).file == str(path)
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == bool(gz)
    assert again.read_bytes() == path.read_bytes()


# --- Folders -------------------------------------------------------------------------------------


def test_a_folder_is_its_files_in_the_order_of_their_names(tmp_path):
    write(CORPUS, tmp_path / "b.conll")
    write(CORPUS, tmp_path / "a.jsonl.gz")
    write(CORPUS, tmp_path / "d.conll")
    (tmp_path / ".hidden").write_bytes(b"\x00")
    (tmp_path / "folder").mkdir()
    corpus = read(tmp_path)
    assert [document.name for document in corpus] == ["a/d", "b/d", "d"]
    assert corpus.file == str(tmp_path)


def test_a_folder_keeps_the_warnings_of_its_files(tmp_path):
    text = "#begin document (d)\nd 0 0 It (1\n\nd 0 0 is 1)\n#end document\n"
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(text)
    places = [warning.partition(": ")[0] for warning in read(tmp_path).warnings]
    assert places == [f"{tmp_path / name}:4" for name in ("a.conll", "b.conll")]


def test_a_folder_leaves_out_what_is_about_its_data_and_names_it(tmp_path):
    """By name, whatever is in it, or as prose; a data file that cannot be read is refused."""
    assert message_of(read, tmp_path).startswith(f"{tmp_path}: a folder without")
    (tmp_path / "README.md").write_text("Mark every mention of a person.\n")
    assert message_of(read, tmp_path).startswith(f"{tmp_path / 'README.md'}:1: ")
    (tmp_path / "README.md").write_text("# The data\n\nSee [Usage](#usage) for more.\n")
    (tmp_path / "a.conll").write_text(CONLL)
    (tmp_path / "LICENSE").write_text("Do what you like.\n")
    (tmp_path / "guidelines.txt").write_text("Mark every mention of a person.\n")
    corpus = read(tmp_path)
    assert [document.name for document in corpus] == ["a/d"]
    (said,) = corpus.warnings
    for name in ("README.md", "LICENSE", "guidelines.txt"):
        assert name in said
    (tmp_path / "b.conll").write_text("d 0 0 It (1)\n")
    (tmp_path / "c.txt").write_text("d\t0\tIt\t(1)\n")
    places = [line.partition(": ")[0] for line in message_of(read, tmp_path).split("\n")]
    assert places == [f"{tmp_path / name}:1" for name in ("b.conll", "c.txt")]


def test_problems_of_all_files_of_a_folder_are_reported_together(tmp_path):
    (tmp_path / "a.conll").write_text(CONLL.replace("(1)", "(1"))
    (tmp_path / "b.jsonl").write_text(JSONL)
    (tmp_path / "c.jsonl").write_text("{")
    places = [line.partition(": ")[0] for line in message_of(read, tmp_path).split("\n")]
    assert places == [f"{tmp_path / 'a.conll'}:2", f"{tmp_path / 'c.jsonl'}:1"]


def test_more_than_twenty_problems_of_a_folder_are_counted_all(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text('{"\n' * 25)
    lines = message_of(read, tmp_path).split("\n")
    assert len(lines) == 20 + 1
    assert lines[-1] == "… and 30 more"


def test_what_to_do_is_written_once():
    problems = [Problem("x", at + 1, "a", one, "Do it.") for at, one in enumerate("bcc")]
    expected = "x:1: a; expected b. Do it.\nx:2: a; expected c.\nx:3: a."
    assert str(InputError(problems)) == expected


def test_one_name_for_two_documents_of_a_folder_is_refused(tmp_path):
    write(CORPUS, tmp_path / "a.conll")
    write(CORPUS, tmp_path / "a.jsonl")
    message = message_of(read, tmp_path)
    assert message.startswith(f"{tmp_path / 'a.jsonl'}: a second document 'a/d' (")
    assert message.endswith(
        f" {tmp_path / 'a.conll'}); expected each name once. Rename one of the files."
    )


# --- Bytes that are no text ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, found",
    [
        *(
            (data, "x: an empty file; expected at least one document")
            for data in (b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\n\xef\xbb\xbf", EMPTY)
        ),
        *(
            (data, "x: a gzip file that is broken or cut short; expected a whole gzip file")
            for data in (ZIPPED[:-9], b"\x1f\x8b and then junk", b"\x1f\x8b")
        ),
        (CONLL.encode("utf-16"), "x:1: text in UTF-16; expected text in UTF-8. Save the file as"),
        *(
            (data, f"x:{line}: bytes that are not text; expected text in UTF-8")
            for data, line in (
                (CONLL.encode() + b"\xff\xfe", 4),
                ("#begin document (Ä)\n".encode("latin-1"), 1),
                (b"{a b}\n{c\x00}\n", 2),
                (bytes(range(128, 256)), 1),
            )
        ),
    ],
)
def test_bytes_that_are_no_text_are_refused(data, found):
    assert message_of(read_bytes, data, "x").startswith(found)


def test_gzip_is_known_by_its_bytes_and_not_by_its_name():
    assert read_bytes(ZIPPED, "dev.conll") == read_bytes(CONLL.encode(), "dev.conll.gz")


# Every format of the registry: whatever was done to a file of it, it is read or refused -----------

IDS = tuple(known.id for known in FORMATS)


def read_all(files, format):
    """The corpus of these files, by their names, as the files of a folder."""
    return read_files(Files("all", tuple(sorted(files)), files.__getitem__), format, "key", False)


def bytes_of(files):
    return {name: text.encode() for name, text in files.items()}


def test_every_format_has_a_file_to_damage_with_mentions():
    assert FILES.keys() == {*IDS}
    for known in IDS:
        corpus = read_all(bytes_of(FILES[known]), known)
        assert sum(len(document.rows) for document in corpus) >= 2


ENDS = {"CR": ("\r",), "CR LF": ("\r\n",), "CR CR LF": ("\r\r\n",), "mixed": ("\r", "\n", "\r\n")}


@pytest.mark.parametrize("format", IDS)
@pytest.mark.parametrize("ends", ENDS)
def test_lines_may_end_in_any_way(ends, format):
    def ended(text):
        lines = zip(text.split("\n"), cycle(ENDS[ends]))
        return "".join(map("".join, lines)).encode()

    others = {name: ended(text) for name, text in FILES[format].items()}
    for named in (format, None):
        as_it_is, other = read_all(bytes_of(FILES[format]), named), read_all(others, named)
        assert other == as_it_is
        assert other.warnings == as_it_is.warnings


@settings(max_examples=300)
@given(st.text(max_size=60), st.sampled_from((None, *IDS)))
@example("{", None)
@example("[]", "jsonl")
def test_any_text_is_read_or_refused(text, format):
    lines = refusal_of(read_bytes, text.encode("utf-8", "surrogatepass"), "fuzz", format=format)
    assert all(line.startswith(("fuzz", "… and ")) for line in lines)
