"""CoNLL-UA: what of Universal Anaphora's columns is read, and what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Mention, score
from corescore.corpus.files import format_of_bytes, read_bytes
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.strategies import corpora, documents

HEADER = "# global.columns = ID FORM MISC IDENTITY BRIDGING REFERENCE\n"
BEGIN = HEADER + "# newdoc id = d\n"


def conll_ua(text, file="dev.ua"):
    return read_bytes(text.encode(), file, format="conll-ua")


def rows(*cells, start=1, separator="  ", references=()):
    """A row for each cell of the column IDENTITY."""
    other = dict(references)
    lines = (
        (str(at), f"w{at}", "_", cell or "_", "_", other.get(at, "_"))
        for at, cell in enumerate(cells, start=start)
    )
    return "".join(separator.join(line) + "\n" for line in lines)


def opens(entity, markable, **fields):
    return "|".join(
        [f"(EntityID={entity}", f"MarkableID=m{markable}", *(f"{k}={v}" for k, v in fields.items())]
    )


def document_of(text):
    (document,) = conll_ua(text)
    return document


def entities(document):
    return [[(m.start, m.end) for m in entity] for entity in document.entities]


def message_of(text):
    return messages.message_of(conll_ua, text)


def ua_of(document):
    """A document of spans as CoNLL-UA, with named brackets, since its mentions may cross."""
    cells = [["", ""] for _ in document.words]
    for number, (start, end, entity) in enumerate(document.rows.tolist()):
        single = ")" if end - start == 1 else ""
        cells[start][1] += opens(entity, number) + single
        if not single:
            cells[end - 1][0] = f"m{number})" + cells[end - 1][0]
    lines = []
    for at, (word, (closing, opening)) in enumerate(zip(document.words, cells, strict=True)):
        lines += [""] if at in document.sentence_starts and at else []
        lines.append(f"{at + 1}\t{word}\t_\t{closing + opening or '_'}\t_\t_")
    return f"# newdoc id = {document.name}\n" + "".join(f"{line}\n" for line in lines) + "\n"


@settings(max_examples=100)
@given(corpora(documents()))
def test_documents_come_out_as_they_went_in(corpus):
    read = conll_ua(HEADER + "".join(map(ua_of, corpus)))
    for before, after in zip(corpus, read, strict=True):
        assert after.rows.tolist() == before.rows.tolist()
        assert after.words == before.words
        assert after.name == before.name


@pytest.mark.parametrize("separator", ["\t", "  ", " "])
def test_entities_stand_in_the_column_identity(separator):
    cells = (opens(1, 1), ")", opens(2, 2) + ")", opens(1, 3) + ")")
    document = document_of(BEGIN + rows(*cells, separator=separator))
    assert entities(document) == [[(0, 2), (3, 4)], [(2, 3)]]
    assert document.words == ("w1", "w2", "w3", "w4")
    assert document.attributes is None


def test_the_format_is_found_out():
    text = BEGIN + rows(opens(1, 1) + ")", separator="\t")
    assert format_of_bytes(text.encode(), "x.conllu").id == "conll-ua"


def test_brackets_nest_and_close_the_one_opened_last():
    cells = (opens(1, 1) + opens(2, 2), ")", ")" + opens(3, 3) + ")")
    assert entities(document_of(BEGIN + rows(*cells))) == [[(0, 3)], [(0, 2)], [(2, 3)]]
    cells = (opens(1, 1), opens(2, 2) + "))")
    assert entities(document_of(BEGIN + rows(*cells))) == [[(0, 2)], [(1, 2)]]


def test_named_brackets_may_cross():
    cells = (opens(1, 1), opens(1, 2), "m1)", "m2)")
    assert entities(document_of(BEGIN + rows(*cells))) == [[(0, 3), (1, 4)]]


def test_a_markable_that_opens_again_is_another_piece():
    cells = (opens(1, 1) + ")", "", opens(1, 1), ")", opens(1, 1) + ")")
    document = document_of(BEGIN + rows(*cells))
    assert document.mentions == (Mention(0, 5, ((0, 1), (2, 5))),)


@pytest.mark.parametrize(("minimum", "span"), [("2", (1, 2)), ("2,3", (1, 3)), ("2-3", (1, 3))])
def test_min_is_the_minimum_span(minimum, span):
    document = document_of(BEGIN + rows(opens(1, 1, Min=minimum), "", ")", opens(2, 2) + ")"))
    assert document.attributes.minimum.tolist() == [list(span), [-1, -1]]


def test_min_may_count_from_the_start_of_its_sentence():
    sentence = rows(opens(1, 1, Min=2), ")")
    document = document_of(f"{BEGIN}{sentence}\n{sentence.replace('m1', 'm2')}")
    assert document.attributes.minimum.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("minimum", ["3", "9", "2,1", "x"])
def test_a_min_outside_of_the_mention_is_told_and_left_out(minimum):
    corpus = conll_ua(BEGIN + rows(opens(1, 1, Min=minimum), ")", ""))
    assert corpus["d"].attributes is None
    assert corpus.warnings == (
        f"dev.ua:3: Min={minimum} of m1 is not within the mention: left out.",
    )


def test_types_stand_in_the_column_reference():
    references = [
        (1, "(MarkableID=m1|Entity_Type=person"),
        (2, ")(MarkableID=m2|Entity_Type=place)"),
    ]
    cells = (opens(1, 1), ")" + opens(2, 2) + ")")
    document = document_of(BEGIN + rows(*cells, references=references))
    assert document.attributes.entity_type == ("person", "place")


def test_elements_are_split_antecedents():
    cells = (opens(1, 1, ElementOf=3) + ")", opens(2, 2, ElementOf="3,4") + ")", opens(3, 3) + ")")
    document = document_of(BEGIN + rows(*cells))
    assert document.split_antecedents == ((2, (0, 1)),)


def test_mentions_that_do_not_refer_are_left_out_and_counted():
    cells = (opens(1, 1) + ")", opens("2-Pseudo", 2) + ")", opens("3_Pseudo", 3) + ")")
    corpus = conll_ua(BEGIN + rows(*cells))
    assert entities(corpus["d"]) == [[(0, 1)]]
    (warning,) = corpus.warnings
    assert warning.startswith("dev.ua:4: 2 mentions of 'd' that do not refer")


def test_ids_with_a_point_are_empty_nodes():
    text = rows("") + rows(opens(1, 1) + ")", start=9).replace("9 ", "1.0 ", 1)
    text += rows("", start=9).replace("9 ", "1.1 ", 1) + rows(opens(1, 2) + ")", start=2)
    document = document_of(BEGIN + text)
    assert {at: node.number for at, node in document.empty_nodes.items()} == {1: 1, 2: 2}
    assert entities(document) == [[(1, 2), (3, 4)]]


def test_ranges_of_words_are_no_words():
    assert document_of(BEGIN + rows("").replace("1 ", "1-2 ", 1) + rows("", "")).words == (
        "w1",
        "w2",
    )


def test_sentences_and_speakers():
    text = f"# speaker = Ann\n{rows('', '')}\n# speaker = -\n{rows('', start=3)}"
    document = document_of(BEGIN + text)
    assert document.sentence_starts == (0, 2)
    assert document.speakers == ("Ann", "")


def test_columns_at_the_end_may_be_missing():
    text = BEGIN + "1  It  _  (EntityID=1|MarkableID=m1)\n2  is  _  _  _\n"
    assert entities(document_of(text)) == [[(0, 1)]]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (BEGIN + "1  It  _\n", 3, "3 columns"),
        (BEGIN + rows(opens(1, 1)), 3, "mention m1 opens"),
        (BEGIN + rows("", ")"), 4, "a mention closes here, and none is open"),
        (BEGIN + rows(opens(1, 1), "m2)", ")"), 4, "mention m2 closes here, and none is open"),
        (BEGIN + rows("(MarkableID=m1)"), 3, "a mention without EntityID"),
        (BEGIN + rows("(1)"), 3, "'(1)' in IDENTITY"),
        (BEGIN + rows("x"), 3, "'x' in IDENTITY"),
        (HEADER + rows(""), 2, "outside of"),
        (HEADER + "# newdoc\n" + rows(""), 2, "'# newdoc' without a name"),
        (BEGIN + "# newdoc id = d\n", 3, "a second document 'd'"),
    ],
)
def test_a_problem_names_file_line_and_what_was_found(text, line, found):
    first = message_of(text).split("\n")[0]
    assert first.startswith(f"dev.ua:{line}: ")
    assert found in first.partition("; expected ")[0]


def test_a_file_without_the_names_of_columns_is_refused():
    assert message_of("# newdoc id = d\n").startswith("dev.ua: no names of columns; expected '#")
    text = "# global.columns = ID IDENTITY\n"
    assert message_of(text).startswith("dev.ua: columns ID, IDENTITY; expected")
    assert message_of(HEADER).startswith("dev.ua: no document; expected '# newdoc id = NAME'")


def test_a_file_scores_as_the_same_entities_in_other_columns():
    cells = (opens(1, 1), ")", opens(1, 2) + ")")
    other = "".join(f"d 0 {at} w{at + 1} {cell}\n" for at, cell in enumerate(["(1", "1)", "(1)"]))
    response = read_bytes(f"#begin document (d)\n{other}".encode(), "x")
    assert score(conll_ua(BEGIN + rows(*cells)), response)["bcub"].f1 == 1


PIECES = st.sampled_from(
    [
        *(
            "(EntityID=1",
            "(EntityID=2-Pseudo",
            "|MarkableID=m1",
            "|Min=1",
            "|Min=1,2",
            "|ElementOf=2",
        ),
        *(")", "m1)", "_", "  ", "\t", "\n", "\n1  It  _  ", "\n1.1  It  _  ", "# newdoc id = e\n"),
        *("(", "|", "=", "@", "1-2", "# speaker = Ann\n", "é"),
    ]
)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(PIECES, max_size=25).map("".join), st.booleans())
def test_any_mixture_of_its_parts_is_read_or_refused(text, begun):
    lines = refusal_of(conll_ua, (BEGIN if begun else HEADER) + text)
    assert all(line.startswith(("dev.ua", "… and ")) for line in lines)
