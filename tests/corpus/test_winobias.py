"""WinoBias: a sentence a line, mentions in brackets."""

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import read_bytes
from corescore.corpus.formats.tasks import fits_winobias, read_winobias
from tests.support import messages
from tests.support.messages import refusal_of

LINES = "[The cook] paid the guard as [she] left.\nThe cook paid [the guard] as [he] left.\n"


def winobias(text, format="winobias"):
    return read_bytes(text.encode(), "type1.txt", format=format)


def entities(corpus):
    return [
        [[document.text(mention) for mention in entity] for entity in document.entities]
        for document in corpus
    ]


@pytest.mark.parametrize("text", [LINES, "\n" + LINES, "1 " + LINES.replace("\nT", "\n2 T")])
def test_each_line_is_a_document_with_one_entity(text):
    corpus = winobias(text, None)
    assert [document.name for document in corpus] == ["1", "2"]
    assert entities(corpus) == [[["The cook", "she"]], [["the guard", "he"]]]
    assert corpus["1"].words == ("The", "cook", "paid", "the", "guard", "as", "she", "left", ".")
    assert "each line is a document" in corpus.warnings[0]


def test_round_brackets_are_another_entity():
    corpus = winobias("[A cook] sold (hats) as [he] had made (them).")
    assert entities(corpus) == [[["A cook", "he"], ["hats", "them"]]]


def test_numbers_that_do_not_count_the_lines_are_text():
    corpus = winobias(LINES.replace("The cook paid", "2 cooks paid"))
    assert corpus["2"].words[0] == "2"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("No one is here.", "no mention"),
        ("[She] left.", "one mention in square brackets"),
        ("[She] left (early) as [she] said.", "one mention in round brackets"),
        ("[She left as [she] said.", "brackets that nest, are empty or have no partner"),
        ("[She] left as [] said [she].", "brackets that nest, are empty or have no partner"),
    ],
)
def test_a_line_that_is_not_plain_is_refused(line, found):
    message = messages.message_of(winobias, LINES + line)
    assert message.startswith("type1.txt:3: ")
    assert f"': {found}; expected two mentions or more in brackets of one kind" in message


@pytest.mark.parametrize(
    "text",
    [
        "[Mia] gave [her] brother a bike.",  # one line: markup whose ids were left out
        "[Mia] gave [her] brother a bike.\nHe was glad.",
        "[Mia](#1) gave [her](#1) brother\n[a](#2) [bike](#3)",
        "",
    ],
)
def test_other_brackets_are_not_taken_for_it(text):
    assert not fits_winobias(text)


PIECES = st.sampled_from(["[", "]", "(", ")", "she", " ", "\n", "1 ", "é", "."])


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    for line in refusal_of(read_winobias, text, "fuzz"):
        assert line.startswith(("fuzz", "… and "))


def test_a_line_that_begins_with_an_endless_number_is_no_numbered_line():
    text = "1" * 5000 + " [Mia] fed [her] cat.\n"
    (document,) = read_bytes(text.encode(), "w", format="winobias")
    assert document.words[0] == "1" * 5000


@pytest.mark.slow
def test_a_line_of_very_many_mentions_takes_no_longer_for_each():
    line = "[it](it)" * 50_000
    began = process_time()
    (document,) = read_winobias(line, "w")
    assert len(document.rows) == 100_000
    assert process_time() - began < 10  # comparing each mention with all others takes a minute
