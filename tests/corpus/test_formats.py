"""Finding out the format, files, folders and bytes that are none of them."""

import gzip

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, PolicyError, read, score, write
from corescore.corpus.files import FORMATS, read_bytes
from corescore.wording import harmless
from tests.support.messages import message_of, refusal_of
from tests.support.strategies import corpora, documents

CONLL = "#begin document (d); part 000\nd 0 0 It (1)\n#end document\n"
JSONL = '{"doc_key": "d", "tokens": ["It"], "clusters": [[[0, 0]]]}\n'
NOTATION = "# d\n{It,}\n"
ZIPPED = gzip.compress(CONLL.encode(), mtime=0)  # the same in every process
TEXTS = {"conll": CONLL, "jsonl": JSONL, "notation": NOTATION}


# --- Which format --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "named"),
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
def test_a_file_of_no_format_is_refused_with_all_there_are(text):
    message = message_of(read_bytes, text.encode(), "notes.txt")
    assert message.startswith(
        f"notes.txt:1: '{harmless(text.split(chr(10))[0])}'; expected #begin document"
    )
    assert message.endswith(f"Name the format: {', '.join(known.id for known in FORMATS)}.")


@pytest.mark.parametrize(
    "text", ["Mia gave her brother a bike.\n", "# d\n\nHere are the entities:\n1. Mia, her\n"]
)
def test_plain_text_is_told_of_inline_markup(text):
    message = message_of(read_bytes, text.encode(), "answer.txt")
    assert "or mentions marked in a text, [Mia](#1) (inline). It looks like plain text" in message
    assert "or read it with --input-format inline if it has none." in message
    (document,) = read_bytes(text.encode(), "answer.txt", format="inline")
    assert len(document.rows) == 0


@pytest.mark.parametrize("text", ["<a> of the xml\n", "one\ttwo\tthree\tfour\n", "1,2\n"])
def test_what_is_no_plain_text_is_not_told_so(text):
    assert "plain text" not in message_of(read_bytes, text.encode(), "x")


def test_the_line_of_a_file_of_no_format_is_that_of_its_first_words():
    message = message_of(read_bytes, b"\n\nIt is so.\n", "notes.txt")
    assert message.startswith("notes.txt:3: 'It is so.'; expected ")


def test_columns_without_a_header_are_taken_for_columns():
    message = message_of(read_bytes, b"d 0 0 It - - (1)\n", "dev.conll")
    assert message.startswith("dev.conll:1: 'd 0 0 It - - (1)' outside of")


def test_a_format_may_be_named():
    assert message_of(read_bytes, CONLL.encode(), "x", format="jsonl").startswith("x:1: a line")
    with pytest.raises(PolicyError, match=r"format is 'xml'; expected one of: conllu, .*conll, "):
        read_bytes(b"{a}", "x", format="xml")
    with pytest.raises(PolicyError, match=r"side is 'both'; expected one of: key, response"):
        read_bytes(b"{a}", "x", side="both")


@settings(max_examples=40)
@given(corpora(documents(crossing=False), max_documents=2), st.sampled_from(("conll", "jsonl")))
def test_what_is_written_is_found_out(corpus, format):
    (writer,) = (known for known in FORMATS if known.id == format)
    assert read_bytes(writer.write(corpus).encode(), "file") == corpus


# --- Files ---------------------------------------------------------------------------------------


CORPUS = Corpus(
    (Document.of_entities("d", [[(0, 1), (2, 4)], [(3, 4)]], words=["It", "is", "our", "key"]),)
)


@pytest.mark.parametrize("gz", ["", ".gz"])
@pytest.mark.parametrize(
    "ending", ["conll", "auto_conll", "v4_gold_conll", "jsonl", "jsonlines", "json", "JSONL"]
)
def test_a_written_file_is_read_again(tmp_path, ending, gz):
    path = tmp_path / f"dev.{ending}{gz}"
    write(CORPUS, path)
    assert read(path) == CORPUS
    assert read(str(path)) == CORPUS
    assert read(path).file == str(path)
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == bool(gz)


def test_a_written_file_is_the_same_every_time(tmp_path):
    for name in ("a.conll.gz", "b.conll.gz"):
        write(CORPUS, tmp_path / name)
    assert (tmp_path / "a.conll.gz").read_bytes() == (tmp_path / "b.conll.gz").read_bytes()


def test_a_format_named_goes_before_the_ending(tmp_path):
    write(CORPUS, tmp_path / "dev.txt", format="conll")
    assert (tmp_path / "dev.txt").read_text().startswith("#begin document (d); part 000\n")


def test_an_ending_that_tells_no_format_is_refused(tmp_path):
    with pytest.raises(PolicyError, match=r"the ending of .*dev.xml' is of no known format"):
        write(CORPUS, tmp_path / "dev.xml")
    assert not (tmp_path / "dev.xml").exists()


def test_what_a_format_cannot_hold_leaves_no_file(tmp_path):
    with pytest.raises(InputError):
        write(Corpus((Document.of_entities("d", [[(0, 1)]]),)), tmp_path / "dev.conll")
    assert not (tmp_path / "dev.conll").exists()


def test_a_path_that_cannot_be_written_is_refused(tmp_path):
    path = tmp_path / "nowhere" / "dev.conll"
    message = message_of(write, CORPUS, path)
    assert message.startswith(f"{path}: a path that cannot be written (No such file or directory);")


def test_a_missing_file_is_refused(tmp_path):
    path = tmp_path / "none.conll"
    message = message_of(read, path)
    assert message.startswith(f"{path}: no file that can be read (No such file or directory);")
    assert "expected a file or a folder of files" in message


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


def test_two_folders_are_matched_file_by_file(tmp_path):
    for folder, ending in (("key", "gold_conll"), ("response", "jsonl")):
        (tmp_path / folder).mkdir()
        for name in ("a", "b"):
            write(CORPUS, tmp_path / folder / f"{name}.{ending}", format=ending[-5:])
    result = score(read(tmp_path / "key"), read(tmp_path / "response"))
    assert result.documents == ("a/d", "b/d")
    assert result["bcub"].f1 == 1


def test_an_empty_folder_is_refused(tmp_path):
    message = message_of(read, tmp_path)
    assert message.startswith(f"{tmp_path}: a folder without")


def test_a_folder_keeps_the_warnings_of_its_files(tmp_path):
    text = "#begin document (d)\nd 0 0 It (1\n\nd 0 0 is 1)\n#end document\n"
    for name in ("a", "b"):
        (tmp_path / f"{name}.conll").write_text(text)
    places = [warning.partition(": ")[0] for warning in read(tmp_path).warnings]
    assert places == [f"{tmp_path / name}:4" for name in ("a.conll", "b.conll")]


def test_a_folder_leaves_out_what_is_about_its_data_and_names_it(tmp_path):
    """By name, whatever is in it, or as prose; a data file that cannot be read is refused."""
    (tmp_path / "a.conll").write_text(CONLL)
    (tmp_path / "README.md").write_text("# The data\n\nSee [Usage](#usage) for more.\n")
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


def test_a_folder_of_nothing_else_is_refused(tmp_path):
    (tmp_path / "README.md").write_text("Mark every mention of a person.\n")
    assert message_of(read, tmp_path).startswith(f"{tmp_path / 'README.md'}:1: ")


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
    ("data", "place", "found", "expected"),
    [
        (b"", "x", "an empty file", "at least one document"),
        (b" \n\t\r\n", "x", "an empty file", "at least one document"),
        (b"\xef\xbb\xbf", "x", "an empty file", "at least one document"),
        (gzip.compress(b"", mtime=0), "x", "an empty file", "at least one document"),
        (
            ZIPPED[:-9],
            "x",
            "a gzip file that is broken",
            "a whole gzip",
        ),
        (b"\x1f\x8b and then junk", "x", "a gzip file that is broken", "a whole gzip file"),
        (b"\x1f\x8b", "x", "a gzip file that is broken", "a whole gzip file"),
        (CONLL.encode() + b"\xff\xfe", "x:4", "bytes that are not text", "text in UTF-8"),
        ("#begin document (Ä)\n".encode("latin-1"), "x:1", "bytes that are not text", "UTF-8"),
        (CONLL.encode("utf-16"), "x:1", "bytes that are not text", "text in UTF-8"),
        (b"{a b}\n{c\x00}\n", "x:2", "bytes that are not text", "text in UTF-8"),
        (bytes(range(128, 256)), "x:1", "bytes that are not text", "text in UTF-8"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data, place, found, expected):
    before, _, after = message_of(read_bytes, data, "x").partition("; expected ")
    assert before.startswith(f"{place}: {found}")
    assert expected in after


def test_gzip_is_known_by_its_bytes_and_not_by_its_name():
    assert read_bytes(ZIPPED, "dev.conll") == read_bytes(CONLL.encode(), "dev.conll.gz")


def read_or_refused(data, format=None):
    lines = refusal_of(read_bytes, data, "fuzz", format=format)
    assert all(line.startswith(("fuzz", "… and ")) for line in lines)


formats = st.sampled_from((None, *(known.id for known in FORMATS)))


@settings(max_examples=300)
@given(st.binary(max_size=60), formats)
def test_any_bytes_are_read_or_refused(data, format):
    read_or_refused(data, format)


@settings(max_examples=300)
@given(st.text(max_size=60), formats)
@example("{", None)
@example("[]", "jsonl")
def test_any_text_is_read_or_refused(text, format):
    read_or_refused(text.encode("utf-8", "surrogatepass"), format)


PIECES = st.sampled_from(
    [
        *("#begin document", "#end document", " (d)", "; part ", "d 0 0 It ", "#", "\r\n", "\n"),
        *("\t", " ", "1", "(1", "1)", "(1)", "|", "-", "(", ")", "é", "\x00", "a b", "{", "}"),
        *('{"doc_key":', '"d"', '"tokens"', '"clusters"', ":", ",", "[", "]"),
    ]
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25), formats)
def test_any_mixture_of_what_the_formats_are_made_of_is_read_or_refused(pieces, format):
    read_or_refused("".join(pieces).encode(), format)


@settings(max_examples=150)
@given(st.sampled_from(tuple(TEXTS)), st.integers(0, 80), st.binary(max_size=3), st.booleans())
def test_any_file_with_a_piece_exchanged_or_cut_is_read_or_refused(format, at, piece, cut):
    data = TEXTS[format].encode()
    read_or_refused(data[:at] + piece + (b"" if cut else data[at + len(piece) :]))
