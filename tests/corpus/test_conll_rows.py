"""Rows of CoNLL files: read alike in any way, and kept by what we derive from them."""

import pickle
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError
from corescore.analysis.perturbation import parse_perturbation, perturb
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.files import read as read_of_conll_writer
from corescore.corpus.files import read_bytes
from corescore.corpus.formats import columns
from corescore.corpus.formats.conll import read_conll, write_conll
from corescore.corpus.parts import How, open_corpus, read_part
from tests.support.messages import message_of
from tests.support.strategies import corpora, documents

# CoNLL rows: sentences are read the same whether all rows are alike or each is looked at ----------

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


def test_each_of_several_documents_has_its_own_rows_with_and_without_a_line_feed_at_the_end():
    rows = "d\t0\t0\té\t(1)\nd\t0\t1\t𝄞\t-"
    text = "\n#end document\n".join(f"#begin document ({name})\n{rows}" for name in "abc")
    for whole in (text, f"{text}\n"):
        assert lines_of(whole) == [[2, 3], [6, 7], [10, 11]]
        assert [document.words for document in read_conll(whole, "f.conll")] == [("é", "𝄞")] * 3


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
    assert read(text_of(sentences, comment="# x\t-\n")) == read(text_of(sentences))


def test_a_word_in_the_first_column_may_begin_with_a_number_sign():
    (document,) = read_conll(f"{BEGIN}#NLP\t(1)\n#\t-\n# x\t-\nit\t(1)\n", "f.conll")
    assert (document.words, document.spans.tolist()) == (("#NLP", "#", "it"), [[0, 1], [2, 3]])


@settings(max_examples=100)
@given(st.lists(sentences(), min_size=1, max_size=3), st.integers(0, 100), st.booleans())
def test_rows_are_the_same_in_blocks_of_any_size_and_one_by_one(documents, size, one_by_one):
    texts = (
        text_of(sentences).replace("(d)", f"({name})")
        for name, sentences in zip("abc", documents, strict=False)
    )
    text = "".join(texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "_BLOCK", size)
        if one_by_one:
            patch.setattr(columns.Block, "of", lambda *_, **__: None)
        found = read(text)
    assert found == read(text)


@pytest.mark.parametrize("other", ["", "# a comment\t-\n", "d\t2\tc\t-\t\n"])
def test_a_line_of_blanks_and_tabs_ends_a_sentence(other):
    """It was a word of one blank where all lines had as many tabs."""
    text = f"{BEGIN}d\t0\ta\t-\n \t \t \t \nd\t1\tb\t-\n{other}#end document\n"
    (document,) = read_conll(text, "f.conll")
    assert (document.words[:2], document.sentence_starts) == (("a", "b"), (0, 1))


@settings(max_examples=100)
@given(sentences(), st.sampled_from([" ", "   "]))
@example([[["d", "0", "0", "\x0b", *"-------", "(1)"]]], " ")
@example([[["d", "0", "0", "\u2028", *"-------", "(1)"]]], " ")
def test_blanks_between_columns_are_as_good_as_tabs(sentences, separator):
    assert read(text_of(sentences, separator)) == read(text_of(sentences))


@given(sentences(), st.sampled_from(["\t", "\t\t", "\t "]))
def test_empty_columns_after_the_last_change_nothing(sentences, end):
    filled = [[[*first[:-1], "(7)"], *others] for first, *others in sentences]
    assert read(text_of(filled, end=end)) == read(text_of(filled))


@given(
    corpora(documents(crossing=False), max_documents=4),
    st.lists(st.sampled_from(["", " ", "\t", "  \t", "\t" * 7]), min_size=1, max_size=4),
)
def test_words_know_their_lines_after_any_lines_of_blanks(corpus, blanks):
    """As spreadsheets write an empty row, with a tab for each column too."""
    text = write_conll(corpus)
    spaced = text.replace("\n\n", "\n".join(["", *blanks, ""]))
    assert read(spaced) == read(text)
    lines = spaced.split("\n")
    for document, at in zip(corpus, lines_of(spaced), strict=True):
        assert tuple(lines[number - 1].split("\t")[3] for number in at) == document.words


def test_what_is_open_after_a_hundred_problems_is_none_of_them():
    text = f"{BEGIN}d 0 0 It (1\n\nd 0 0 is -\n" + "d 0\n" * 100 + "d 0 0 It 1)\n#end document\n"
    with pytest.raises(InputError) as refused:
        read_conll(text, "f.conll")
    assert {problem.found for problem in refused.value.problems} == {"2 columns"}


@pytest.mark.parametrize("opening", ["(1", "(person-1", "(01"])
@pytest.mark.parametrize("other", ["", "\nd 0 0 is"])
def test_a_cell_of_more_than_a_thousand_brackets_is_refused_as_such(opening, other):
    """Rows that are alike, and rows of which one lacks a cell."""
    text = f"{BEGIN}d 0 0 It {opening * 1001}{other}\n"
    assert ("more than 1,000 brackets in one cell", "at most 1,000") in read(text)
    text = f"{BEGIN}d 0 0 It {opening * 1000}{other}\n"
    assert "more than 1,000" not in str(read(text))


# Files in columns that we derive from others: all stays but the coreference column ----------------

PLAIN = """\
# made by hand
#begin document (a/b); part 007
a/b\t7\t0\tMia\tNNP\t(01)
a/b\t7\t1\tsaw\tVBD\t-
a/b\t7\t2\tthe\tDT\t(4
a/b\t7\t3\tcat\tNN\t4)

# a comment in between
a/b\t7\t0\tShe\tPRP\t(1)
a/b\t7\t1\tslept\tVBD\t-

#end document

"""
NO_PART = """\
#begin document cctv_0000;
x   0   Mia      -    *   (5)
x   1   slept    -    *    -
x   2   herself  -    *   (5)
#end document
"""
LITBANK = """\
#begin document (1_novel_brat); part 0
1_novel_brat\t0\t0\tSnow\t_\t_\t_\t_\t_\t_\t_\t_\t
1_novel_brat\t0\t1\tfell\t_\t_\t_\t_\t_\t_\t_\t_\t

1_novel_brat\t0\t0\tMia\t_\t_\t_\t_\t_\t_\t_\t_\t(0)
1_novel_brat\t0\t1\tslept\t_\t_\t_\t_\t_\t_\t_\t_\t

1_novel_brat\t0\t0\tShe\t_\t_\t_\t_\t_\t_\t_\t_\t(0)

#end document
"""
TYPED = """\
# begin document GUM_x
0\tMia\t(person-1-Mia)
1\tsaw\t_
2\tthe\t(place-2
3\town\t(abstract-3)
4\thouse\tplace-2)
5\tof\t_
6\tMia\t(person-1)(event-7)
# end document

"""
NO_WORDS = "#begin document (a)\na -\na (1\n\na (3)\na 1)\n#end document\n"
FILES = {
    "an empty cell where nothing is": LITBANK,
    "an empty last column": PLAIN.replace("\n\n", "\n")
    .replace(")\n", ")\t\n")
    .replace("-\n", "-\t\n"),
    "types in ids": TYPED,
    "bars as sacr2conll writes them": PLAIN.replace("(4\n", "(4_(9)_(8)\n"),
    "no words": NO_WORDS,
    "a part, a comment, a leading zero": PLAIN,
    "no part, blanks": NO_PART,
    "no end": PLAIN.replace("#end document\n\n", ""),
    "no line end": PLAIN.rstrip("\n"),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "several documents": PLAIN + NO_PART + "\n\n" + PLAIN.replace("007", "8"),
    "no document's end between": PLAIN.replace("#end document\n\n", "") + NO_PART,
    "blanks at the ends of rows and of the header": re.sub(
        r"(\)|-)$", r"\1  ", NO_PART, flags=re.M
    ),
    "'_' and '*' where nothing is": PLAIN.replace("\t-\n", "\t_\n", 1).replace("\t-\n", "\t*\n"),
    "brackets in another order": PLAIN.replace("(4\n", "(4|(9)|(8)\n"),
    "brackets without bars": PLAIN.replace("(4\n", "(4(9)(8)\n"),
}


def conll(text):
    return read_bytes(text.encode(), "dev.conll", format="conll")


def lines_but_the_last_column(text):
    """Each line; of a row all but its last filled column, or the 13th, as in `LITBANK`."""
    return [
        line
        if line.startswith("#")
        else line.rpartition("\t")[0]
        if line.count("\t") == 12
        else re.sub(r"\S+(\s*)$", r"\1", line)
        for line in text.split("\n")
    ]


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_a_file_that_is_read_and_written_stays_as_it_is(text):
    assert write_conll(conll(text)) == text


@given(corpora(documents(crossing=False)), st.data())
def test_a_file_with_other_entities_differs_in_the_coreference_column_only(corpus, data):
    text = write_conll(corpus)
    rows = [
        data.draw(documents_rows(len(document.words)), label=document.name) for document in corpus
    ]
    read_again = conll(text)
    changed = replace(
        read_again,
        documents=tuple(d.with_entities(r) for d, r in zip(read_again, rows, strict=True)),
    )
    written = write_conll(changed)
    assert lines_but_the_last_column(written) == lines_but_the_last_column(text)
    assert conll(written) == changed


def documents_rows(n_words):
    """Rows of one word or of a whole document, so that none cross."""
    if not n_words:
        return st.just([])
    word = st.integers(0, n_words - 1).map(lambda at: (at, at + 1))
    span = word | st.just((0, n_words))
    return st.lists(st.tuples(span, st.integers(0, 3)).map(lambda r: (*r[0], r[1])), max_size=6)


@pytest.mark.parametrize("kind", ["drop", "add", "merge"])
@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_a_perturbed_file_keeps_headers_and_columns(kind, text):
    key = conll(PLAIN + NO_PART + LITBANK + TYPED + NO_WORDS)
    changed = perturb(key, conll(text), [parse_perturbation(kind)], seed=1)
    written = write_conll(changed)
    # Documents of the key that the response lacks come after it.
    before, after = (
        lines_but_the_last_column(t.rstrip().replace("\r", "")) for t in (text, written)
    )
    assert after[: len(before)] == before
    # Of several types of one entity one is left.
    assert [*map(untyped, conll(written))] == [*map(untyped, changed)]


def untyped(document):
    return replace(document, attributes=None)


def test_an_entity_keeps_its_number_where_it_has_most_of_its_mentions():
    """Entity 7 loses a mention to a new entity; 9 keeps its number beside it."""
    text = FILES["no part, blanks"].replace("(5)", "(7)").replace("-    *    -", "-    *   (9)")
    document = conll(text)["cctv_0000"]
    apart = document.with_entities([(0, 1, "a"), (1, 2, "b"), (2, 3, "c")])
    cells = [line.split()[-1] for line in write_conll(Corpus((apart,))).splitlines()[1:4]]
    assert cells == ["(7)", "(9)", "(10)"]


def test_a_document_with_another_name_or_other_words_is_written_anew():
    document = replace(conll(PLAIN)["a/b; part 7"], name="c; part 2")
    assert write_conll(Corpus((document,))) == PLAIN.replace("(a/b); part 007", "(c); part 002")
    other = Corpus((replace(document, words=("Ann", *document.words[1:])),))
    assert conll(write_conll(other)) == other


def test_documents_of_a_folder_keep_their_headers_unless_two_have_the_same(tmp_path):
    (tmp_path / "one.conll").write_text(PLAIN)
    (tmp_path / "two.conll").write_text(NO_PART)
    assert write_conll(read_of_conll_writer(tmp_path)) == PLAIN + NO_PART
    (tmp_path / "two.conll").write_text(PLAIN)
    headers = re.findall(r"#begin.*", write_conll(read_of_conll_writer(tmp_path)))
    assert headers == [f"#begin document ({name}/a/b); part 007" for name in ("one", "two")]


def test_a_name_that_is_a_header_already_is_not_wrapped_again():
    document = Document.of_entities("(x/y); part 003", [[(0, 1)]], words=["It"])
    text = write_conll(Corpus((document,)))
    assert text.startswith("#begin document (x/y); part 003\n")
    assert [read.name for read in conll(text)] == ["x/y; part 3"]


def test_two_documents_that_would_have_one_header_are_refused():
    both = [Document.of_entities(name, [[(0, 1)]], words=["It"]) for name in ("(x); part 000", "x")]
    with pytest.raises(InputError, match=r"'\(x\); part 000' and 'x'"):
        write_conll(Corpus(tuple(both)))


@pytest.mark.parametrize(
    "known, found",
    [
        (
            {"attributes": Attributes.of(1, pieces=[((0, 1), (2, 3))])},
            "discontinuous mentions in document 'd', such as 'Mia … Ann'",
        ),
        ({"empty_nodes": {0: EmptyNode(1)}}, "empty nodes (zeros) in document 'd'"),
    ],
)
def test_what_is_no_span_of_words_is_refused_by_name(known, found):
    document = Document.of_rows("d", [(0, 3, 1)], words=["Mia", "and", "Ann"], **known)
    message = message_of(write_conll, Corpus((document,)))
    assert found in message
    assert "CoNLL-U" in message


# Files that were joined, and cells of which a part is wrong ---------------------------------------

DOCUMENT = "#begin document (NAME); part 000\nd\t0\t0\tIt\t(1)\n\n#end document"


@pytest.mark.parametrize("between", ["", " ", "\n\ufeff", "\ufeff", "\n\n\ufeff"])
def test_files_are_read_that_were_joined_without_a_line_break_or_with_byte_order_marks(between):
    text = f"{DOCUMENT.replace('NAME', 'a')}{between}{DOCUMENT.replace('NAME', 'b')}\n"
    corpus = read_bytes(text.encode(), "f.conll")
    second = 5 + between.count("\n")
    assert [(of.name, of.lines.tolist()) for of in corpus] == [("a", [2]), ("b", [second])]
    assert corpus.warnings == ()
    again = read_bytes(write_conll(Corpus(corpus.documents[::-1])).encode(), "f.conll")
    assert set(again) == set(corpus)


def test_a_file_that_was_joined_is_read_in_parts_too(tmp_path):
    text = "\n\ufeff".join(DOCUMENT.replace("NAME", name) for name in "ab")
    text += DOCUMENT.replace("NAME", "c") + "\n"
    (tmp_path / "f.conll").write_text(text)
    files = open_corpus(str(tmp_path / "f.conll"), None, tmp_path)
    (pieces,) = files.pieces.values()
    parts = [read_part(piece, "key", How()) for piece in pieces]
    (whole,) = [read_bytes(text.encode(), "f.conll")]
    assert [piece.name for piece in pieces] == ["a", "b", "c"]
    assert tuple(document for part in parts for document in part.documents) == whole.documents
    lines = [document.lines.tolist() for part in parts for document in part.documents]
    assert lines == [document.lines.tolist() for document in whole]


def problems(*cells):
    """What is found wrong with a sentence that has these cells: (line, found)."""
    rows = "".join(f"d\t0\t{at}\tw\t{cell}\n" for at, cell in enumerate(cells))
    try:
        read_conll(f"{BEGIN}{rows}#end document\n", "f.conll")
    except InputError as error:
        return [(problem.line, problem.found) for problem in error.problems]
    return []


@pytest.mark.parametrize(
    "cells, line, found",
    [
        (("(1", "(x?)|1)"), 3, "'(x?)|1)' in the last column"),
        (("(x?)|(1", "1)"), 2, "'(x?)|(1' in the last column"),
        (("(1", "(x?)1)"), 3, "'(x?)1)' in the last column"),
        (("(1", "?1)", "1)|(2)"), 3, "'?1)' in the last column"),
        (("(x-1", "x-01]"), 3, "'x-01]' in the last column"),
        (("(1", "x\t1)"), 3, "6 columns"),
        (("(1", "|".join(["(1", *["(2)"] * 1001, "1)|1)"])), 3, "more than 1,000 brackets in one"),
    ],
)
def test_no_bracket_is_said_to_lack_a_partner_that_may_be_in_what_is_refused(cells, line, found):
    ((number, what),) = problems(*cells)
    assert number == line
    assert what.startswith(found)


def test_other_brackets_without_a_partner_are_still_told():
    assert [line for line, _ in problems("(1", "x?", "2)")] == [2, 3, 4]


def test_a_number_without_a_bracket_inside_a_mention_of_its_entity_is_left_out():
    """As the reference scorer reads it; files of NewsReader have one at each word of a mention."""
    rows = ["(1", "1", "1|(0)", "(2)|1", "1)", "(1)"]
    text = BEGIN + "".join(f"d\t0\t{at}\tw\t{cell}\n" for at, cell in enumerate(rows))
    corpus = read_conll(f"{text}#end document\n", "f.conll")
    assert corpus.documents[0].rows.tolist() == [[0, 5, 0], [2, 3, 1], [3, 4, 2], [5, 6, 0]]
    (warning,) = corpus.warnings
    assert warning.startswith("f.conll:3: a number without a bracket inside a mention")
    assert "(3 words)" in warning
    assert write_conll(corpus) == f"{text}#end document\n"


@pytest.mark.parametrize("cells", [("1", "(1)"), ("(1", "2", "1)"), ("(1", "1)", "1")])
def test_a_number_without_a_bracket_elsewhere_is_refused(cells):
    ((line, found),) = problems(*cells)
    at = next(at for at, cell in enumerate(cells) if cell.isdecimal())
    assert (line, found) == (at + 2, f"'{cells[at]}' in the last column")


def test_words_of_columns_are_a_sequence_that_equals_the_tuple():
    (document,) = read_conll(f"{BEGIN}d\t0\t0\tIt\t-\nd\t0\t1\tis\t-\n#end document\n", "f.conll")
    words, known = document.words, ("It", "is")
    assert len(words) == 2
    assert words == known
    assert known == words
    assert (words[1], words[:1], [*words]) == ("is", ("It",), ["It", "is"])
    assert (hash(words), repr(words)) == (hash(known), repr(known))
    assert pickle.loads(pickle.dumps(words)) == words
