"""SACR: mentions in braces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import read_bytes
from corescore.corpus.formats.tasks import fits_sacr, read_sacr
from tests.support import messages
from tests.support.messages import refusal_of


def sacr(text, format="sacr"):
    return read_bytes(text.encode(), "story.sacr", format=format)


def entities(document):
    return [[document.text(mention) for mention in entity] for entity in document.entities]


@pytest.mark.parametrize("format", ["sacr", None])
@pytest.mark.parametrize(
    "text",
    [
        "{e1 Mia} gave {e2 {e1 her} brother} a bike.",
        '{e1:n="1" Mia} gave {e2:kind="a, b",n=2 {e1 her} brother} a bike.',
        "#title: The bike\n\n*****\n#made by hand\n{e1 Mia} gave {e2 {e1 her} brother} a bike.\n",
        "#title: It\n\n{e1 Mia} gave {e2 {e1 her} brother} a bike.",
        "{e1 Mia} gave\n{e2\n{e1 her}\nbrother} a bike.",
    ],
)
def test_mentions_nest_and_names_are_entities(text, format):
    (document,) = sacr(text, format)
    assert document.name == "story"
    assert " ".join(document.words) == "Mia gave her brother a bike ."
    assert entities(document) == [["Mia", "her"], ["her brother"]]


def test_a_header_makes_braces_mentions():
    assert fits_sacr("#title: It\n\n{M1 It} is\n")


def test_a_number_sign_within_a_paragraph_is_text():
    (document,) = sacr("{e1 Mia} has\n# 1 hit.\n\n# said {e2\n\nThe end.")
    assert " ".join(document.words) == "Mia has # 1 hit . The end ."
    assert document.sentence_starts == (0, 2, 6)


def test_a_text_id_names_the_document_after_it():
    corpus = sacr("#title: x\n#text_id: one\n\n{e1 Mia} ran.\n\n#textid:two\n{e1 Bo} {e1 sat}.")
    assert [(document.name, entities(document)) for document in corpus] == [
        ("one", [["Mia"]]),
        ("two", [["Bo", "sat"]]),
    ]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("{e1 Mia} ran.\n{e1 She", 2, "'{e1 She': opens a mention"),
        ("{e1 Mia} ran.\n\nShe} sat", 3, "'} sat': closes a mention"),
        ("{e1 Mia} and { Bo }", 1, "'{ Bo }': no mention"),
        ("{e1 Mia} and {e2:n=; Bo }", 1, "'{e2:n=; Bo }': no mention"),
        ("{e1 Mia} and\n{e2 }", 2, "a mention of entity e2 without a word"),
        ("#text_id:a\nx\n\n#text_id:a\ny", 4, "a second document 'a'"),
    ],
)
def test_a_problem_names_file_line_and_what_was_found(text, line, found):
    message = messages.message_of(sacr, text)
    assert any(one.startswith(f"story.sacr:{line}: {found}") for one in message.split("\n"))


@pytest.mark.parametrize(
    "text", ["{a b} {c d}", "{ab}{cd}", "# d\n{a b}\n{c}\n", "{a b} c", "{a {b"]
)
def test_notation_is_not_taken_for_it(text):
    assert all(
        document.named_mentions
        for document in ([] if refusal_of(sacr, text, None) else sacr(text, None))
    )


PIECES = st.sampled_from(
    [
        *("{e1 ", "{e2:a=1 ", '{e1:a="b",c= ', "}", "{", "Mia", " ", "\n", "\n\n", "#", "*****"),
        *("#text_id: a\n", "ran", '"', ":", "é"),
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    for line in refusal_of(read_sacr, text, "fuzz"):
        assert line.startswith(("fuzz", "… and "))


def test_deep_nesting_is_read():
    (document,) = sacr("{e " * 5_000 + "x" + "}" * 5_000)
    assert len(document.rows) == 5_000
