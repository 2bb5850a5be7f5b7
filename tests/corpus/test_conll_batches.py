"""CoNLL rows read at once as arrays: the same as one row after the other, whatever the rows are."""

from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError
from corescore.corpus.formats import conll, conll_batches
from corescore.corpus.formats.conll import read_conll, write_conll
from corescore.corpus.formats.conll_draft import Draft
from tests.support.memory import peak_of
from tests.support.strategies import corpora, documents

BEGIN = "#begin document (d); part 000\n"


def row_by_row(drafts, text, bodies):
    for draft, body in zip(drafts, bodies, strict=True):
        draft.read(text[body])
    return len(drafts)


def told(text):
    """All that is read of a text, or all that is wrong with it."""
    try:
        corpus = read_conll(text, "f.conll")
    except InputError as error:
        return str(error)
    return corpus.warnings, [known_of(document) for document in corpus]


def known_of(document):
    lines = document.lines.tolist()
    return document, lines, document.listed, document.original, document.attributes


def assert_the_same(text):
    with mock.patch.object(conll, "read_rows", row_by_row):
        one_by_one = told(text)
    assert told(text) == one_by_one


# --- Files made of rows ---------------------------------------------------------------------------

NUMBERS = st.sampled_from("0123")
WORDS = st.sampled_from(
    [
        "It",
        "is",
        "é",
        "a\u00a0b",
        "\u2028",
        "\x0b",
        "\x85w",
        "𝄞",
        "\ud800",
        "\0",
        "#",
        "(1)",
        "-",
        "a b",
    ]
)
TAGS = st.sampled_from(["-", "-", "_", "*", "NN", "", "PRP$", " "])
CELLS = st.sampled_from(
    [
        *["-"] * 8,
        *("_", "*", "(1)", "(2", "2)", "(2|(1", "1)|2)", "(1)|(2", "2)1)", "(1(2", "(1|1)", "(0)"),
        *("(12", "12)", "(1)(1)", "(123456789)", "|(1)|"),
    ]
)
ODD = st.sampled_from(
    [
        *(
            "",
            " ",
            " -",
            "- ",
            "(01",
            "01)",
            "(x-1",
            "x-1)",
            "(x-2)",
            "1",
            "|",
            "(",
            ")",
            "()",
            "-1",
        ),
        *("(1234567890", "1234567890)", "2)_1)", "(1)2", "é", "(1)\x0b", "(1)\u00a0", "\r", "--"),
    ]
)
LINES = st.sampled_from(
    [
        "",
        " ",
        "\t",
        "# (01",
        "#\t(01",
        " # x",
        "#",
        "word",
        "d\t0",
        "\x0c",
        "a b c d",
        "\r",
        "#d\tx\t-",
    ]
)


@st.composite
def rows(draw, width, odd):
    front = [draw(st.sampled_from(["d", "x"])), "0", draw(NUMBERS), draw(WORDS), draw(TAGS)]
    rest = draw(st.lists(TAGS, min_size=width - 6, max_size=width - 6)) if width > 6 else []
    cell = draw(st.one_of(CELLS, ODD) if odd else CELLS)
    return [*[*front, *rest][: width - 1], cell]


@st.composite
def bodies(draw):
    odd = draw(st.booleans())
    separator = draw(st.sampled_from(["\t", "\t", " ", "   ", " \t "]))
    lines = []
    for _ in range(draw(st.integers(0, 3))):
        width = draw(st.sampled_from([2, 3, 5, 12, 12, 13]))
        sentence = draw(st.lists(rows(width, odd), min_size=1, max_size=4))
        lines += [*map(separator.join, sentence), draw(LINES) if odd else ""]
    if odd and lines and draw(st.booleans()):
        at = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(["\t", " ", "\t-", " \t", "x"]))
        lines[at] = draw(st.sampled_from([lines[at] + change, change + lines[at]]))
    return "\n".join(lines)


HEADERS = st.sampled_from(
    ["(d); part 000", "(d); part 001", "(x)", "(x); part 000", "(#d)", "#", "", "é", "0"]
)
ENDS = st.sampled_from(
    ["\n#end document\n", "\n", "", "\n\n# a comment\n", "\n#end document\nd x -\n"]
)


@settings(max_examples=100)
@given(st.lists(st.tuples(HEADERS, bodies(), ENDS), min_size=1, max_size=4))
@example([("(d)", "d\t0\t0\tIt\t(1\nd\t0\t1\tis\t1)", "\n")] * 2)
@example([("(d)", "d\t0\t0\tIt\t(1|1)|(1|1)", "\n")])
def test_all_rows_at_once_are_read_as_one_after_the_other(parts):
    assert_the_same("".join(f"#begin document {name}\n{body}{end}" for name, body, end in parts))


@settings(max_examples=40)
@given(corpora(documents(crossing=False), max_documents=4), st.booleans(), st.data())
def test_a_written_file_with_a_line_changed_is_read_as_one_row_after_the_other(
    corpus, blanks, data
):
    lines = write_conll(corpus).split("\n")
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(lines) - 1))
        front, _, _ = lines[at].rpartition("\t")
        lines[at : at + 1] = data.draw(
            st.sampled_from([[], [lines[at]] * 2, [""], [front], [f"{front}\t(7"], [f"{front}\t-"]])
        )
    text = "\n".join(lines)
    assert_the_same(text.replace("\t", "  ") if blanks else text)


SIMPLE = st.text("abcde", min_size=1, max_size=3)


@settings(max_examples=40)
@given(
    corpora(documents(crossing=False, name=SIMPLE), max_documents=4),
    st.sampled_from([1, 40, 200]),
)
def test_documents_are_read_alike_however_much_is_read_at_once(corpus, batch):
    """Long documents are cut between sentences."""
    text = write_conll(corpus)
    with mock.patch.object(conll_batches, "BATCH", batch):
        in_pieces = told(text)
    assert in_pieces == told(text)


@pytest.mark.parametrize("separator", ["\t", "  "])
def test_regular_rows_are_never_read_one_by_one(separator):
    """Or else all these tests would compare that with itself."""
    document = Document.of_entities(
        "d", [[(0, 3), (1, 2), (4, 5)], [(1, 3), (3, 4)]], words="abcde"
    )
    text = write_conll(Corpus((document,))).replace("\t", separator)
    with (
        mock.patch.object(Draft, "read", side_effect=AssertionError),
        mock.patch.object(Draft, "_close", side_effect=AssertionError),
    ):
        assert read_conll(text, "f.conll").documents == (document,)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["", "b"])
def test_a_document_of_short_lines_takes_little_more_memory_than_its_text(line):
    n = 300_000
    text = f"{BEGIN}d 0 0 It (1)\n" + f"{line}\n" * n
    assert_the_same(text)
    assert peak_of(told, text) < 60 * n
