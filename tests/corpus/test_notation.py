"""The papers' notation for toy partitions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, score
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.notation import write_notation
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.strategies import NAMES


def notation(text, file="toy.txt"):
    return read_bytes(text.encode(), file, format="notation")


def names(document):
    return [[document.text(mention) for mention in entity] for entity in document.entities]


def message_of(text):
    return messages.message_of(notation, text)


def named(name, entities):
    """A document of named mentions as reading gives it: positions in the order of appearance."""
    position = {}
    rows = [
        (at := position.setdefault(mention, len(position)), at + 1, number)
        for number, entity in enumerate(entities)
        for mention in entity
    ]
    return Document.of_rows(name, rows, words=tuple(position), named_mentions=True)


MENTIONS = st.from_regex(r"[^\s,{}\x00\"'`:()\[\]]{1,3}", fullmatch=True)
ENTITIES = st.lists(st.lists(MENTIONS, min_size=1, max_size=4), max_size=4)


@settings(max_examples=150)
@given(st.lists(st.tuples(NAMES, ENTITIES), min_size=1, max_size=3, unique_by=lambda d: d[0]))
def test_what_is_written_is_read_again(drawn):
    corpus = Corpus(tuple(named(name, _unrepeated(entities)) for name, entities in drawn))
    assert notation(write_notation(corpus)) == corpus


def _unrepeated(entities):
    """The entities with each mention only where it first appears."""
    seen = set()
    kept = [[m for m in entity if not (m in seen or seen.add(m))] for entity in entities]
    return [entity for entity in kept if entity]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a b c} {d e}", [["a", "b", "c"], ["d", "e"]]),
        ("{a, b, c} {d,e}", [["a", "b", "c"], ["d", "e"]]),
        ("{abc}{de}", [["a", "b", "c"], ["d", "e"]]),
        ("{abc} {de}", [["a", "b", "c"], ["d", "e"]]),
        ("{10}{7 9}", [["10"], ["7", "9"]]),
        ("{10}{7}", [["10"], ["7"]]),
        ("{the cat, it}", [["the", "cat", "it"]]),
        ("{cat,} {dog,}", [["cat"], ["dog"]]),
        ("{cat} {d e}", [["cat"], ["d", "e"]]),
        ("{}", []),
        ("  { a  b }  ", [["a", "b"]]),
    ],
)
def test_the_spellings(text, expected):
    (document,) = notation(text)
    assert names(document) == expected
    assert document.named_mentions


def test_letters_are_mentions_only_if_no_braces_of_the_file_hold_a_blank_or_a_comma():
    assert names(notation("{ab}\n{cd}")["2"]) == [["c", "d"]]
    assert names(notation("{a b}\n{cd}")["2"]) == [["cd"]]


def test_documents_are_named_by_the_line_before_them_or_by_their_number():
    corpus = notation("# the first\n{a}\n\n{b}\n#third\n# really third\n{c}\n")
    assert [document.name for document in corpus] == ["the first", "2", "really third"]


def test_the_order_of_names_does_not_matter():
    assert score(notation("{a b} {c}"), notation("{c} {b a}"))["bcub"].f1 == 1


def test_spans_are_written_as_numbers_of_words():
    document = Document.of_entities("d", [[(0, 1), (6, 9)], [(2, 3)]], words="abcdefghi")
    assert write_notation(Corpus((document,))) == "# d\n{1 7-9} {3}\n"


@pytest.mark.parametrize("mention", ["a b", "a,b", "a{", "}", "", "a'", '"a"', "a:b", "(a", "a]"])
def test_a_mention_that_braces_cannot_hold_is_refused(mention):
    with pytest.raises(InputError, match="expected names without blanks, commas and braces"):
        write_notation(Corpus((named("d", [[mention]]),)))


@pytest.mark.parametrize("name", ["a\nb", "", " d", "#d"])
def test_a_document_name_that_a_line_cannot_hold_is_refused_and_never_changed(name):
    corpus = Corpus((named(name, [["a", "b"]]),))
    if not refusal_of(write_notation, corpus):
        assert notation(write_notation(corpus)) == corpus


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{a b", "'{a b'"),
        ("a b}", "'a b}'"),
        ("{a} b", "'b'"),
        ("{a {b}}", "'{a }'"),
        ("no braces", "'no braces'"),
        ("{a} {'b'}", "' in '{a} {'b'}'"),
        ("{a [b}", "[ in '{a [b}'"),
        ("{a (b)}", "( in '{a (b)}'"),
        ("{a: b}", "an object in braces, as Python prints it or cut from JSON ('{a: b}')"),
        ("{a, b: c}", ": in '{a, b: c}'"),
    ],
)
def test_a_problem_names_file_line_what_was_found_and_what_was_expected(text, found):
    message = message_of(f"{{x y}}\n{text}\n")
    assert message.startswith(f"toy.txt:2: {found}; expected entities in braces")


@pytest.mark.parametrize(
    "text",
    [
        "{'tokens': ['It', 'is'], 'clusters': [[(0, 0), (1, 1)]]}",
        '{"tokens": ["It", "is"], "clusters": [[[0, 0], [1, 1]]]}',
        "{doc_key: a, clusters: }",
    ],
)
def test_objects_are_not_taken_for_entities(text):
    message = message_of(text)
    assert message.startswith("toy.txt:1: an object in")
    assert "json.dumps" in message


@pytest.mark.parametrize("printed", [{"tokens": ["It"], "clusters": [[(0, 0)]]}, {1: "a"}])
def test_a_printed_python_dict_is_no_corpus_whatever_format_is_tried(printed):
    message = messages.message_of(read_bytes, repr(printed).encode(), "predictions.txt")
    assert message.startswith("predictions.txt:1: ")


def test_one_name_for_two_documents_is_refused():
    message = message_of("# x\n{a}\n# x\n{b}\n")
    assert message.startswith("toy.txt:4: a second document 'x'; expected each name once.")


def test_a_file_of_names_only_is_refused():
    assert message_of("# x\n").startswith("toy.txt: no document; expected a line such as {a b}")


def test_every_bad_line_is_reported_and_at_most_twenty():
    lines = message_of("{a\n" * 23).split("\n")
    assert [line.partition(": ")[0] for line in lines[:20]] == [
        f"toy.txt:{number}" for number in range(1, 21)
    ]
    assert lines[20:] == ["… and 3 more"]
