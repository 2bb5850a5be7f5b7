"""XML as a tree: lines, namespaces, and what is refused for safety."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.formats.xml import DEPTH, every, first_element, root_of
from tests.support.messages import message_of, refusal_of


def test_elements_know_their_lines_attributes_and_text():
    root = root_of('<?xml version="1.0"?>\n<a xmlns:x="u">\n<x:b x:id="1">so <c/>it</x:b></a>', "f")
    assert [(e.name, e.line) for e in every(root)] == [("a", 2), ("b", 3), ("c", 3)]
    (child,) = root.elements
    assert (child["id"], child["none"], child.text) == ("1", "", "so it")


def test_a_document_type_by_name_is_not_fetched():
    assert root_of('<!DOCTYPE a SYSTEM "/etc/passwd"><a/>', "f").name == "a"


LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'
FOREIGN = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'


@pytest.mark.parametrize("text", [LAUGHS, FOREIGN])
def test_declarations_are_refused(text):
    message = message_of(root_of, text, "f")
    assert message.startswith("f:1: a document type with declarations, which could read other")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<!DOCTYPE a SYSTEM "a.dtd"><a>&b;</a>', "f:1: the entity &b;; expected characters"),
        ("<a>\n<b></a>", "f:2: XML that is broken or cut short (mismatched tag); expected"),
        ("<a>", "f:1: XML that is broken or cut short (no element found); expected a whole"),
        ("<a>&b;</a>", "f:1: XML that is broken or cut short (undefined entity); expected"),
        ("<a>\ud800</a>", "f:1: half a character; expected text in UTF-8"),
        ("<a>" * (DEPTH + 1), f"f:1: elements nested more than {DEPTH} deep; expected at most"),
        ("<a>" * 100_000, f"f:1: elements nested more than {DEPTH} deep; expected at most"),
    ],
)
def test_what_is_not_whole_or_too_deep_is_refused(text, said):
    assert message_of(root_of, text, "f").startswith(said)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('\ufeff<?xml version="1.0"?><!-- so --><!DOCTYPE a SYSTEM "b"><x:a b="1"><b></a>', "a"),
        ("<a" + " " * 5000 + "/>", None),
        ("{a b}", None),
        ("<<<", None),
        ("", None),
    ],
)
def test_the_first_element_is_found_in_files_that_are_cut_short(text, name):
    found = first_element(text)
    assert (found and found.name) == name


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["<a>", "</a>", "<b c='1'/>", "&lt;", "&b;", "<!--", "x", "<"])))
def test_any_pieces_are_read_or_refused(pieces):
    assert all(line.startswith("f:") for line in refusal_of(root_of, "".join(pieces), "f"))
