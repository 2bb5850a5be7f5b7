"""XML: lines, namespaces, and what is refused for safety."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore.corpus.files import read_bytes
from corescore.corpus.formats.xml import first_element, name_of, root_of
from tests.support.messages import message_of, refusal_of


def test_elements_know_their_lines_and_names():
    root = root_of('<?xml version="1.0"?>\n<a xmlns:x="u">\n<x:b id="1">so <c/>it</x:b></a>', "f")
    assert [(e.tag, e.sourceline) for e in root.iter()] == [("a", 2), ("b", 3), ("c", 3)]
    assert root.find("b").get("id") == "1"


def test_lines_are_known_in_long_files():
    root = root_of("<a>" + "<b/>\n" * 70_000 + "<b>x</b></a>", "f")
    assert [root[at].sourceline for at in (0, 60_000)] == [1, 60_001]
    assert root[-1].sourceline == pytest.approx(70_001, abs=1)  # libxml2 estimates from 65,535 on


def test_a_document_type_by_name_is_not_fetched():
    assert root_of('<!DOCTYPE a SYSTEM "/etc/passwd"><a/>', "f").tag == "a"


def test_an_encoding_that_is_declared_is_not_that_of_a_text():
    assert root_of('<?xml version="1.0" encoding="UTF-16"?><a>é</a>', "f").text == "é"


def declared(entities, *, text="&b;", attribute=""):
    return f'<!DOCTYPE a [{entities}]>\n<a b="{attribute}">{text}</a>'


@pytest.mark.parametrize(
    "text",
    [
        declared('<!ENTITY b "ha"><!ENTITY c "&b;&b;">', text="&c;"),
        declared('<!ENTITY b "ha">', text=""),
        declared('<!ENTITY b "ha">', text="", attribute="&b;"),
        declared('<!ENTITY b SYSTEM "file:///etc/passwd">'),
        declared('<!ENTITY % b SYSTEM "http://127.0.0.1:9/x.dtd"> %b;', text=""),
    ],
)
def test_declarations_of_entities_are_refused(text):
    message = message_of(root_of, text, "f")
    assert message.startswith("f:2: a document type with declarations, which could read other")


def test_what_stands_in_a_foreign_file_is_in_no_document(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("sesame")
    tei = '<TEI><text><rs ref="#a">&b;</rs></text></TEI>'
    for entity in (f'<!ENTITY b SYSTEM "{secret}">', f'<!ENTITY b SYSTEM "{secret.as_uri()}">'):
        data = f"<!DOCTYPE TEI [{entity}]>{tei}".encode()
        message = message_of(read_bytes, data, "x.xml", format="tei")
        assert "which could read other files" in message
        assert "sesame" not in message


LAUGHS = (
    '<!ENTITY e0 "'
    + "ha" * 50
    + '">'
    + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
)


@pytest.mark.parametrize("place", ["text", "attribute"])
def test_a_billion_laughs_are_refused_at_once(place):
    bomb = declared(LAUGHS, **{place: "&e11;"})
    start = time.process_time()
    message = message_of(root_of, bomb, "f")
    assert time.process_time() - start < 2
    assert "XML that is not safe to read (Maximum entity amplification" in message
    first_element(bomb)
    assert time.process_time() - start < 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<!DOCTYPE a SYSTEM "a.dtd"><a>&b;</a>', "f:1: the entity &b;; expected characters"),
        ("<a>\n<b></a>", "f:2: XML that is broken or cut short (Opening and ending tag mismatch"),
        ("<a>", "f:1: XML that is broken or cut short (Premature end of data in tag a line 1); e"),
        ("<a>&b;</a>", "f:1: XML that is broken or cut short (Entity 'b' not defined); expected"),
        ("<x:a/>", "f:1: XML that is broken or cut short (Namespace prefix x on a is not defined)"),
        ("<a>\n\0</a>", "f:2: XML that is broken or cut short (Invalid character: Char 0x0 out of"),
        ("", "f:1: XML that is broken or cut short (Document is empty); expected a whole XML"),
        ("<a>\ud800</a>", "f:1: half a character; expected text in UTF-8"),
        ("<a>\n" * 300 + "</a>" * 300, "f:257: XML that is not safe to read (Excessive depth in"),
        ("<a>" * 100_000, "f:1: XML that is not safe to read (Excessive depth in document: 256);"),
    ],
)
def test_what_is_not_whole_or_too_deep_is_refused(text, said):
    assert message_of(root_of, text, "f").startswith(said)


def test_what_a_message_quotes_of_a_file_is_short():
    assert len(message_of(root_of, f'<a xmlns="u [{"x" * 5000}"/>', "f")) < 300


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('\ufeff<?xml version="1.0"?><!-- so --><!DOCTYPE a SYSTEM "b"><x:a b="1"><b></a>', "a"),
        ('<a xmlns="u"><b', "a"),
        ("{a b}", None),
        ("<<<", None),
        ("", None),
    ],
)
def test_the_first_element_is_found_in_files_that_are_cut_short(text, name):
    found = first_element(text)
    assert (None if found is None else name_of(found)) == name


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["<a>", "</a>", "<b c='1'/>", "&lt;", "&b;", "<!--", "x", "<"])))
def test_any_pieces_are_read_or_refused(pieces):
    assert all(line.startswith("f:") for line in refusal_of(root_of, "".join(pieces), "f"))
