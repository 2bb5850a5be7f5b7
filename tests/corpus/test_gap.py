"""GAP: a pronoun and two names a line; a system's answers without a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import InputError, score
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.tasks import read_gap
from tests.support import messages
from tests.support.messages import refusal_of

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
TEXT = 'Ann Lee met Bo\'s aunt, and "she" ran.'


def row(name, a, b, text=TEXT):
    spans = [str(text.find(mention)) for mention in ("she", "Ann Lee", "Bo")]
    cells = [name, text, "she", spans[0], "Ann Lee", spans[1], a, "Bo", spans[2], b, "http://x"]
    return "\t".join(cells)


KEY = "\n".join([HEADER, row("d1", "TRUE", "FALSE"), row("d2", "FALSE", "FALSE")]) + "\n"


def gap(text, file="gap.tsv"):
    return read_bytes(text.encode(), file)


def entities(document):
    return [[document.text(mention) for mention in entity] for entity in document.entities]


def test_the_pronoun_and_the_names_that_are_true_are_one_entity():
    corpus = gap(KEY)
    assert [(document.name, entities(document)) for document in corpus] == [
        ("d1", [["Ann Lee", "she"]]),
        ("d2", []),
    ]
    assert corpus["d1"].words[:5] == ("Ann", "Lee", "met", "Bo", "'")
    assert corpus["d2"].named_spans == {"Pronoun": (10, 11), "A": (0, 2), "B": (3, 4)}


def test_characters_are_counted_and_not_bytes():
    (document,) = gap(f"{HEADER}\n{row('d', 'true', 'true', 'Ärzte: Ann Lee, Bo 🙂, she')}")
    assert entities(document) == [["Ann Lee", "Bo", "she"]]


@pytest.mark.parametrize("header", ["", "ID\tA-coref\tB-coref\n"])
def test_the_answers_of_a_system_name_their_mentions(header):
    corpus = gap(f"{header}d1\tTRUE\tFALSE\nd2\tFalse\tfalse\n")
    assert [entities(document) for document in corpus] == [[["Pronoun", "A"]], []]
    assert all(document.named_mentions for document in corpus)


def test_answers_are_scored_over_the_text_of_the_key():
    result = score(gap(KEY), gap("d2\tTRUE\tFALSE\nd1\tTRUE\tFALSE\n"))
    muc = result["muc"]
    assert (muc.recall_numerator, muc.recall_denominator) == (1, 1)
    assert (muc.precision_numerator, muc.precision_denominator) == (1, 2)
    assert {document.words for document in result.comparison.response} == {gap(KEY)["d1"].words}


def test_answers_do_not_fit_a_key_without_names():
    key = read_bytes(b"#begin document (d1)\nd1 0 0 It (1)\n#end document\n", "key.conll")
    with pytest.raises(InputError, match="only names"):
        score(key, gap("d1\tTRUE\tFALSE\n"))


def test_answers_may_be_scored_against_answers():
    answers = gap("d1\tTRUE\tFALSE\nd2\tFALSE\tTRUE\n")
    assert score(answers, answers)["bcub"].f1 == 1


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (KEY.replace("\t28\t", "\t27\t", 1), 2, "'she' is not at character"),
        (KEY.replace("\t0\t", "\t-1\t", 1), 2, "'Ann Lee' is not at character -1 of the text"),
        (KEY.replace("\t0\t", "\tx\t", 1), 2, "'Ann Lee' is not at character x of the text"),
        (KEY.replace("FALSE\thttp", "?\thttp", 1), 2, "'?' as B-coref; expected TRUE or FALSE"),
        (KEY.replace("\td2", "\td1").replace("\nd2", "\nd1"), 3, "a second document 'd1'"),
        (KEY.replace("\thttp://x", "", 1), 2, "10 columns; expected 11, separated by tabs"),
        (KEY.replace("\nd2", "\n "), 3, "no ID; expected a name for each line"),
        (KEY.replace("\tB-offset", "\tB-start", 1), 1, "no column B-offset; expected the columns"),
        (KEY.replace("-coref", "-said"), 1, "no column A-coref, B-coref; expected the columns ID"),
        (HEADER, 0, "no document; expected a line for each text"),
        ("d1\tTRUE\tFALSE\nd2\tTRUE\n", 2, "2 columns; expected 3, separated by tabs"),
        ("d1\tTRUE\tFALSE\nd1\tTRUE\tFALSE\n", 2, "a second document 'd1'"),
    ],
)
def test_a_problem_names_file_line_what_was_found_and_what_was_expected(text, line, found):
    message = messages.message_of(gap, text)
    assert message.startswith(f"gap.tsv:{line}: {found}" if line else f"gap.tsv: {found}")


PIECES = st.sampled_from(
    [*HEADER.split("\t"), "\t", "\n", "TRUE", "false", "d1", TEXT, "she", "Bo", "0", "12", HEADER]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(min_size=1, max_size=40))
def test_any_text_is_read_or_refused(text):
    if text.strip():
        for line in refusal_of(read_gap, text, "fuzz"):
            assert line.startswith(("fuzz", "… and "))


@settings(max_examples=150)
@given(st.integers(0, len(KEY)), st.text(max_size=3), st.booleans())
def test_any_file_with_a_piece_exchanged_or_cut_is_read_or_refused(at, piece, cut):
    text = KEY[:at] + piece + ("" if cut else KEY[at + len(piece) :])
    if text.strip():
        for line in refusal_of(read_gap, text, "fuzz"):
            assert line.startswith(("fuzz", "… and "))
