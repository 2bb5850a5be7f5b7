"""CoNLL-U: what is read, what is refused and how, and what is written."""

import pytest

from corescore import Mention
from corescore.corpus.formats import format_of_bytes, read_bytes
from corescore.corpus.mentions import EmptyNode
from tests.support import messages

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def conllu(text):
    return read_bytes(text.encode(), "dev.conllu", format="conllu")


def row(number, word, misc="_", *, deps="_", tag="_", head="_"):
    return "\t".join([str(number), word, "_", tag, "_", "_", head, "_", deps, misc]) + "\n"


def rows(*cells):
    """A sentence of words such as "it" or "it Entity=(e1)"."""
    return "".join(row(n, *cell.split(" ")) for n, cell in enumerate(cells, 1)) + "\n"


def document_of(text, header=HEADER):
    (document,) = conllu(header + text)
    return document


def message_of(text, header=HEADER):
    return messages.message_of(conllu, header + text)


def spans(document):
    return [[(m.start, m.end) for m in entity] for entity in document.entities]


# --- Brackets ------------------------------------------------------------------------------------


def test_mentions_open_and_close_several_at_a_word():
    document = document_of(
        rows("My Entity=(e1-person-2-x(e2-person-1)", "aunt Entity=e1)", "is")
        + rows("there Entity=(e3--1)(e1--1)")
    )
    assert spans(document) == [[(0, 2), (3, 4)], [(0, 1)], [(3, 4)]]
    assert document.words == ("My", "aunt", "is", "there")
    assert document.sentence_starts == (0, 3)
    assert document.attributes.head.tolist() == [1, 0, 3, 3]
    assert document.attributes.entity_type == ("person", "person", "", "")


def test_mentions_of_different_entities_may_cross():
    document = document_of(rows("a Entity=(e1", "b Entity=(e2", "c Entity=e1)", "d Entity=e2)"))
    assert spans(document) == [[(0, 3)], [(1, 4)]]


def test_of_an_entity_inside_itself_the_inner_mention_closes_first():
    cells = rows("a Entity=(e1--3", "b Entity=(e1--1", "c Entity=e1)", "d Entity=e1)")
    assert spans(document_of(cells)) == [[(0, 4), (1, 3)]]


def test_a_closing_bracket_goes_before_one_that_opens_at_the_same_word():
    document = document_of(rows("a Entity=(e1", "b Entity=e1)(e1", "c Entity=e1)"))
    assert spans(document) == [[(0, 2), (1, 3)]]


def test_a_discontinuous_mention_has_its_pieces_and_its_head_counts_their_words():
    document = document_of(
        rows("a Entity=(e1[1/3]--3", "b Entity=e1[1/3])", "c", "d Entity=(e1[2/3]--3)", "e")
        + rows("f Entity=(e1[3/3]--3)")
    )
    assert document.mentions == (Mention(0, 6, ((0, 2), (3, 4), (5, 6))),)
    assert document.attributes.head.tolist() == [3]


def test_parts_next_to_each_other_are_one_piece():
    document = document_of(rows("a Entity=(e1[1/2]--2)", "b Entity=(e1[2/2]--2)"))
    assert document.mentions == (Mention(0, 2),)
    assert document.attributes.head.tolist() == [1]


def test_two_discontinuous_mentions_of_one_entity_are_kept_apart():
    document = document_of(
        rows(
            "a Entity=(e1[1/2]--1)",
            "b",
            "c Entity=(e1[2/2]--1)",
            "d Entity=(e1[1/2]--1)",
            "e",
            "f Entity=(e1[2/2]--1)",
        )
    )
    assert [m.pieces for m in document.mentions] == [((0, 1), (2, 3)), ((3, 4), (5, 6))]


def test_entities_of_two_documents_are_two_even_with_one_name():
    text = HEADER + rows("a Entity=(e1--1)") + HEADER.replace("= d", "= e") + rows("b Entity=(e1)")
    assert [document.n_entities for document in conllu(text)] == [1, 1]


def test_one_declaration_stands_for_all_documents():
    text = HEADER + rows("a Entity=(e1--1)") + "# newdoc id = e\n" + rows("b Entity=(e1-thing-1)")
    assert conllu(text)["e"].attributes.entity_type == ("thing",)


# --- Declarations --------------------------------------------------------------------------------


def test_fields_may_come_in_any_order():
    header = "# newdoc id = d\n# global.Entity = head-etype-eid\n"
    document = document_of(rows("a Entity=(2-person-e1", "b Entity=e1)"), header)
    assert spans(document) == [[(0, 2)]]
    assert document.attributes.head.tolist() == [1]
    assert document.attributes.entity_type == ("person",)


def test_brackets_that_close_with_all_their_fields_are_understood():
    header = "# newdoc id = d\n# global.Entity = entity-GRP-infstat\n"
    document = document_of(rows("a Entity=(person-1-new", "b Entity=person-1)"), header)
    assert spans(document) == [[(0, 2)]]


def test_the_last_field_may_hold_dashes():
    header = "# newdoc id = d\n# global.Entity = GRP-etype-identity\n"
    document = document_of(rows("a Entity=(1-person-Anne-Marie", "b Entity=1)"), header)
    assert document.attributes.entity_type == ("person",)


def test_of_a_minimum_span_the_word_that_depends_on_another_outside_is_the_head():
    header = "# newdoc id = d\n# global.Entity = GRP-etype-minspan\n"
    text = (
        row(1, "the", "Entity=(1-place-2,3", head="3")
        + row(2, "York", head="3")
        + row(3, "road", "Entity=1)", head="4")
        + row(4, "ends", head="0")
    )
    document = document_of(text, header)
    assert document.attributes.head.tolist() == [2]
    assert document.attributes.minimum.tolist() == [[1, 3]]


def test_of_a_minimum_span_without_a_tree_the_first_word_is_the_head():
    header = "# newdoc id = d\n# global.Entity = GRP-etype-minspan\n"
    document = document_of(rows("the Entity=(1-place-2,3", "York", "road Entity=1)"), header)
    assert document.attributes.head.tolist() == [1]


def test_a_file_with_brackets_that_name_entities_alone_needs_no_declaration():
    document = document_of(rows("a Entity=(1", "b Entity=1)"), "# newdoc id = d\n")
    assert spans(document) == [[(0, 2)]]
    assert document.attributes is None


# --- Empty nodes ---------------------------------------------------------------------------------


def test_empty_nodes_are_words_with_their_parents():
    document = document_of(
        row("0.1", "_", "Entity=(e1--1)", deps="1:nsubj|0:root|1.10:conj")
        + row(1, "go", tag="VERB")
        + row("1.1", "you", deps="1:nsubj")
        + row("1.10", "they")
        + "\n"
        + row(1, "a")
        + row("1.1", "_", "Entity=(e1--1)", deps="1:obj")
    )
    assert document.words == ("_", "go", "you", "they", "a", "_")
    assert document.empty_nodes == {
        0: EmptyNode(1, frozenset({(1, "nsubj"), (-1, "root"), (3, "conj")})),
        2: EmptyNode(1, frozenset({(1, "nsubj")})),
        3: EmptyNode(10),
        5: EmptyNode(1, frozenset({(4, "obj")})),
    }
    assert document.tags == ("", "VERB", "", "", "", "")
    assert document.sentence_starts == (0, 4)
    assert spans(document) == [[(0, 1), (5, 6)]]


def test_a_mention_holds_the_empty_nodes_inside_it():
    document = document_of(
        row(1, "a", "Entity=(e1--3") + row("1.1", "_") + row(2, "b", "Entity=e1)")
    )
    assert spans(document) == [[(0, 3)]]
    assert document.attributes.head.tolist() == [2]


def test_multiword_tokens_are_no_words():
    document = document_of(row("1-2", "du") + row(1, "de") + row(2, "le", "Entity=(e1--1)"))
    assert document.words == ("de", "le")
    assert spans(document) == [[(1, 2)]]


# --- What else a document tells ------------------------------------------------------------------


def test_split_antecedents_are_read():
    cells = ("Ann Entity=(e1--1)", "Bo Entity=(e2--1)", "both Entity=(e3--1)|SplitAnte=e1<e3,e2<e3")
    assert document_of(rows(*cells)).split_antecedents == ((2, (0, 1)),)


def test_speakers_stand_above_their_sentences():
    document = document_of("# speaker = Ann\n" + rows("Yes") + rows("No"))
    assert document.speakers == ("Ann", "")


def test_lines_are_those_of_the_words():
    assert document_of("# text = a b\n" + rows("a", "b")).lines.tolist() == [4, 5]


def test_a_file_without_a_document_is_named_by_the_file():
    (document,) = conllu(rows("a Entity=(1)"))
    assert document.name == "dev"


def test_a_document_keeps_the_lines_it_was_read_from():
    text = "# global.columns = ID FORM\n" + HEADER + rows("a") + HEADER.replace("d", "e", 2)
    assert "\n".join(d.original.text for d in conllu(text)) == text


def test_a_file_is_known_by_its_rows():
    for text in (HEADER + rows("a"), rows("a"), HEADER + "1\ta\n", "# sent_id = 1\n1\ta\n"):
        assert format_of_bytes(text.encode(), "file").id == "conllu"


# --- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (rows("a Entity=(e1"), "3: '(e1' opens a mention that never closes; expected 'e1)'"),
        (rows("a Entity=e1)"), "3: 'e1)' closes a mention that was not opened; expected '(e1'"),
        (rows("a Entity=e1"), "3: 'e1' without a bracket; expected brackets such as"),
        (rows("a Entity="), "3: 'Entity='; expected brackets such as"),
        (rows("a Entity=((e1)"), "3: 'Entity=((e1)'; expected brackets such as"),
        (rows("a Entity=(-person)"), "3: '(-person' without an entity; expected"),
        (rows("a Entity=(e1--2)"), "3: head or minimum span '2' of a mention of e1; expected a"),
        (rows("a Entity=(e1--0)"), "3: head or minimum span '0' of a mention of e1; expected a"),
        (rows("a Entity=(e1--x)"), "3: head or minimum span 'x' of a mention of e1; expected a"),
        (rows("a Entity=(e1[2/2]--1)"), "3: the part '(e1[2/2]'; expected 'e1[1/2]' closed"),
        (rows("a Entity=(e1[1/2]--1)"), "3: '(e1[1/2]' is the last part of a mention; expected"),
        (rows("a Entity=(e1[1/2]--1", "b"), "3: '(e1[1/2]' opens a mention that never closes"),
        (rows("a Entity=(e1--1)|SplitAnte=e2<e1"), "3: entity e2 in SplitAnte, which has no"),
        (rows("a Entity=(e1--1)|SplitAnte=e1"), "3: 'SplitAnte=e1'; expected pairs such as"),
        ("1\ta\n", "3: 2 columns; expected 10 columns with tabs between them"),
        (row(1, ""), "3: no word; expected a word in the second column"),
        (rows("a") + row(2, "b"), "5: the word number '2'; expected 1, or an empty node such as"),
        (rows("a").strip("\n") + "\n" + row(1, "b"), "4: the word number '1'; expected 2, or an"),
        (row("1.1", "_"), "3: the word number '1.1'; expected 1, or an empty node such as 0.1"),
        (row("0.01", "_"), "3: the word number '0.01'; expected 1, or"),
        (row("0.1", "_") * 2, "4: empty node 0.1 after 0.1; expected a number above 1"),
        (row("0.1", "_", deps="3:x"), "3: the dependencies '3:x' of an empty node; expected"),
        (row("0.1", "_", deps="x"), "3: the dependencies 'x' of an empty node; expected"),
        (row("1-2", "ab", "Entity=(e1)"), "3: 'Entity=(e1)' at a multiword token; expected"),
        ("\ta\n", "3: 2 columns; expected 10"),
        ("# global.Entity = etype-head\n", "3: '# global.Entity = etype-head'; expected a field"),
        (HEADER, "3: a second document 'd' (the first is in line 1); expected each name once"),
        (
            rows("a ClusterId=c1"),
            "3: 'ClusterId=', coreference as in CorefUD 0.1 and 0.2",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, start):
    assert message_of(text).startswith(f"dev.conllu:{start}")


def test_fields_that_are_not_declared_are_not_guessed():
    message = message_of(rows("a Entity=(person-1)"), "# newdoc id = d\n")
    assert message.startswith("dev.conllu:2: '(person-1' in a file that does not name its fields")


def test_a_mention_over_a_sentence_end_is_read_and_told():
    corpus = conllu(HEADER + rows("a Entity=(e1--1") + rows("b Entity=e1)"))
    assert spans(corpus["d"]) == [[(0, 2)]]
    assert corpus.warnings == (
        "dev.conllu:5: a mention of entity e1 runs over a sentence end, which CorefUD does not "
        "allow.",
    )
