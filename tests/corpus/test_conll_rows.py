"""CoNLL rows: sentences are read the same whether all rows are alike or each is looked at."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import InputError
from corescore.corpus.formats.conll import read_conll, write_conll
from tests.support.memory import peak_of
from tests.support.strategies import corpora, documents

BEGIN = "#begin document (d); part 000\n"


def read(text):
    """All that is read of a text, or all that is wrong with it, without the numbers of lines."""
    try:
        corpus = read_conll(text, "f.conll")
    except InputError as error:
        found = [(problem.found, problem.expected) for problem in error.problems]
        return [(re.sub(r"in (line )?[0-9]+", "", what), expected) for what, expected in found]
    warnings = [warning.split(": ", 1)[1] for warning in corpus.warnings]
    return warnings, [(of, of.listed, of.attributes) for of in corpus]


def lines_of(text):
    """The line of each word."""
    return [document.lines.tolist() for document in read_conll(text, "f.conll")]


# --- Files made of rows ---------------------------------------------------------------------------

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
        "\x80",
        "(1)",
        "-",
    ]
)
TAGS = st.sampled_from(["-", "-", "_", "*", "NN", "PRP$"])
CELLS = st.sampled_from(
    [
        *["-"] * 8,
        *("_", "*", "(1)", "(2", "2)", "(2|(1", "1)|2)", "(1)|(2", "2)1)", "(1(2", "(1|1)", "(0)"),
        *(
            "(12",
            "12)",
            "(1)(1)",
            "(123456789)",
            "|(1)|",
            "(01",
            "x-1)",
            "(x-1",
            "(x-2)",
            "1",
            "()",
        ),
    ]
)


@st.composite
def rows(draw, width):
    front = ["d", "0", draw(st.sampled_from("0123")), draw(WORDS), draw(TAGS)]
    rest = draw(st.lists(TAGS, min_size=12, max_size=12))
    return [*[*front, *rest][: width - 1], draw(CELLS)]


@st.composite
def sentences(draw):
    """Sentences of rows; all rows of one have as many cells."""
    known = draw(st.sampled_from([[2], [5], [5, 12, 13, 17]]))
    widths = draw(st.lists(st.sampled_from(known), max_size=3))
    return [draw(st.lists(rows(width), min_size=1, max_size=4)) for width in widths]


def text_of(sentences, separator="\t", end="", comment=""):
    body = "\n".join(
        comment + "".join(f"{separator.join(row)}{end}\n" for row in sentence)
        for sentence in sentences
    )
    return f"{BEGIN}{body}\n#end document\n"


@settings(max_examples=100)
@given(sentences())
def test_a_comment_in_each_sentence_changes_nothing(sentences):
    """Sentences with comments are read row by row."""
    assert read(text_of(sentences, comment="# x\t-\n")) == read(text_of(sentences))


@settings(max_examples=100)
@given(sentences(), st.sampled_from([" ", "   "]))
@example([[["d", "0", "0", "\x0b", *"-------", "(1)"]]], " ")
@example([[["d", "0", "0", "\u2028", *"-------", "(1)"]]], " ")
def test_blanks_between_columns_are_as_good_as_tabs(sentences, separator):
    assert read(text_of(sentences, separator)) == read(text_of(sentences))


@settings(max_examples=50)
@given(sentences(), st.sampled_from(["\t", "\t\t", "\t "]))
def test_empty_columns_after_the_last_change_nothing(sentences, end):
    filled = [[[*first[:-1], "(7)"], *others] for first, *others in sentences]
    assert read(text_of(filled, end=end)) == read(text_of(filled))


@settings(max_examples=50)
@given(corpora(documents(crossing=False), max_documents=4), st.sampled_from([" ", "\t", "  \t"]))
def test_a_line_of_blanks_ends_a_sentence_as_an_empty_one_does(corpus, blanks):
    text = write_conll(corpus)
    assert read(text.replace("\n\n", f"\n{blanks}\n")) == read(text)
    assert lines_of(text.replace("\n\n", f"\n{blanks}\n")) == lines_of(text)


@settings(max_examples=50)
@given(corpora(documents(crossing=False), max_documents=4), st.integers(2, 5))
def test_words_know_their_lines_after_any_number_of_empty_ones(corpus, n):
    text = write_conll(corpus).replace("\n\n", "\n" * n)
    lines = text.split("\n")
    for document, at in zip(corpus, lines_of(text), strict=True):
        assert tuple(lines[number - 1].split("\t")[3] for number in at) == document.words


def test_what_is_open_after_a_hundred_problems_is_none_of_them():
    text = f"{BEGIN}d 0 0 It (1\n\nd 0 0 is -\n" + "d 0\n" * 100 + "d 0 0 It 1)\n#end document\n"
    with pytest.raises(InputError) as refused:
        read_conll(text, "f.conll")
    assert {problem.found for problem in refused.value.problems} == {"2 columns"}


@pytest.mark.slow
@pytest.mark.parametrize("line", ["", "b"])
def test_a_document_of_short_lines_takes_little_more_memory_than_its_text(line):
    n = 300_000
    text = f"{BEGIN}d 0 0 It (1)\n" + f"{line}\n" * n
    assert peak_of(read, text) < 60 * n


@pytest.mark.parametrize("opening", ["(1", "(person-1", "(01"])
@pytest.mark.parametrize("other", ["", "\nd 0 0 is"])
def test_a_cell_of_more_than_a_thousand_brackets_is_refused_as_such(opening, other):
    """Rows that are alike, and rows of which one lacks a cell."""
    text = f"{BEGIN}d 0 0 It {opening * 1001}{other}\n"
    assert ("more than 1,000 brackets in one cell", "at most 1,000") in read(text)
    text = f"{BEGIN}d 0 0 It {opening * 1000}{other}\n"
    assert "more than 1,000" not in str(read(text))
