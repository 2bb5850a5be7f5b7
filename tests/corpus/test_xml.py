"""XML: ECB+, MMAX2, TEI, and what is refused for safety."""

import re

import pytest

from corescore import Mention, read
from corescore.corpus.files import format_of_bytes, read_bytes
from corescore.corpus.formats.xml import first_element, name_of, root_of
from tests.support.messages import message_of
from tests.support.texts import (
    put,
    read_every_way,
    read_together,
    refused_together,
    texts,
)

# XML: lines, namespaces, and what is refused for safety -------------------------------------------


def test_elements_know_their_lines_and_names():
    """A document type by name is not fetched, an encoding that is declared not believed."""
    top = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a SYSTEM "/etc/passwd">'
    root = root_of(f'{top}\n<a xmlns:x="u">\n<x:b id="1">so <c/>é</x:b></a>', "f")
    assert [(e.tag, e.sourceline) for e in root.iter()] == [("a", 2), ("b", 3), ("c", 3)]
    assert root.find("b").get("id") == "1"
    assert root.find("b/c").tail == "é"


def test_lines_are_known_in_long_files():
    root = root_of("<a>" + "<b/>\n" * 70_000 + "<b>x</b></a>", "f")
    assert [root[at].sourceline for at in (0, 60_000)] == [1, 60_001]
    assert root[-1].sourceline == pytest.approx(70_001, abs=1)  # libxml2 estimates from 65,535 on


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
    message = message_of(root_of, bomb, "f")
    assert "XML that is not safe to read (Maximum entity amplification" in message
    first_element(bomb)  # without what it would become: no memory would hold that


@pytest.mark.parametrize(
    "text, said",
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
    "text, name",
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


# ECB+: texts by themselves, and the texts of a topic as one document ------------------------------


def xml(words, markables, relations):
    tokens = "".join(
        f'<token t_id="{n}" sentence="{n // 4}" number="{n % 4}">{word}</token>\n'
        for n, word in enumerate(words.split(), start=1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="x.xml" doc_id="D">\n{tokens}'
        f"<Markables>\n{markables}</Markables>\n<Relations>\n{relations}</Relations>\n</Document>\n"
    )


def markable(tag, number, *anchors):
    inside = "".join(f'<token_anchor t_id="{anchor}"/>' for anchor in anchors)
    return f'<{tag} m_id="{number}" >{inside}</{tag}>\n'


def instance(tag, number, name):
    return f'<{tag} m_id="{number}" RELATED_TO="" TAG_DESCRIPTOR="x" instance_id="{name}" />\n'


def relation(tag, *ends, note=""):
    *sources, target = ends
    inside = "".join(f'<source m_id="{source}" />' for source in sources)
    note = f' note="{note}"' if note else ""
    return f'<{tag} r_id="1"{note} >{inside}<target m_id="{target}" /></{tag}>\n'


PERSON, EVENT = "HUMAN_PART_PER", "ACTION_OCCURRENCE"
FIRST = xml(
    "Mia checked in . She took herself there",
    markable(PERSON, 1, 1)
    + markable(EVENT, 2, 2, 3)
    + markable(PERSON, 3, 5)
    + markable(PERSON, 4, 7)
    + markable(EVENT, 5, 6, 8)
    + instance(PERSON, 9, "HUM1")
    + '<HUMAN_PART_PER m_id="10" TAG_DESCRIPTOR="x" />\n',
    relation("CROSS_DOC_COREF", 1, 9, note="HUM1") + relation("INTRA_DOC_COREF", 3, 4, 10),
)
SECOND = xml(
    "Mia ran .",
    markable(PERSON, 1, 1) + markable(EVENT, 2, 2) + instance(PERSON, 8, "HUM1"),
    relation("CROSS_DOC_COREF", 1, 8, note="HUM1"),
)
FILES = {"1/1_10ecb.xml": FIRST, "1/1_2ecb.xml": SECOND, "1/1_1ecbplus.xml": SECOND}
OTHER = {"2/2_1ecb.xml": SECOND, "ECBplus_coreference_sentences.csv": "Topic,File,Sentence Number"}


def test_a_text_is_a_document():
    (document,) = read_bytes(FIRST.encode(), "1_10ecb.xml")
    assert document.name == "1_10ecb"
    assert document.words == ("Mia", "checked", "in", ".", "She", "took", "herself", "there")
    assert document.sentence_starts == (0, 3, 7)
    assert texts(document) == [["Mia"], ["She", "herself"], ["checked in"], ["took … there"]]
    assert document.mentions[3] == Mention(5, 8, ((5, 6), (7, 8)))
    assert document.attributes.entity_type == (PERSON, EVENT, PERSON, EVENT, PERSON)


def test_the_folders_of_topics_are_read_text_by_text(tmp_path):
    put(tmp_path, {**FILES, **OTHER})
    corpus = read(tmp_path)
    assert corpus == read_together({**FILES, **OTHER})
    assert [d.name for d in corpus] == ["1_10ecb", "1_1ecbplus", "1_2ecb", "2_1ecb"]
    (warning,) = corpus.warnings
    assert warning.startswith(f"{tmp_path}: 1 file not ")
    assert warning.endswith(f": {[*OTHER][1]}")


def test_a_topic_is_one_document_with_instances_as_entities():
    corpus = read_together({**FILES, **OTHER}, format="ecbplus-topics")
    assert [document.name for document in corpus] == ["1", "2"]
    first = corpus["1"]
    assert first.words[:4] + first.words[-3:] == ("Mia", "ran", ".", "Mia", "Mia", "ran", ".")
    alone = [["checked in"], ["ran"], ["ran"], ["took … there"]]
    assert texts(first) == [["Mia", "Mia", "Mia"], ["She", "herself"], *alone]
    assert first.sentence_starts == (0, 3, 6, 10, 11)


def test_a_topic_is_known_by_the_name_of_its_files():
    message = message_of(read_bytes, FIRST.encode(), "mia.xml", format="ecbplus-topics")
    assert message.startswith("mia.xml: a name without a topic; expected a topic, an underscore")
    assert len(read_bytes(FIRST.encode(), "1_10ecb.xml", format="ecbplus-topics")["1"].words) == 8


@pytest.mark.parametrize(
    "old, new, said",
    [
        (
            'anchor t_id="8"',
            'anchor t_id="9"',
            "x.xml:16: an anchor on token '9'; expected a",
        ),
        ('source m_id="3"', 'source m_id="7"', "x.xml:22: a link to markable '7'; expected one of"),
        ('_PER m_id="3"', '_PER m_id="1"', "x.xml:2: a second markable of one m_id; expected each"),
        ('t_id="2" s', 't_id="1" s', "x.xml:3: the token 'Mia' with t_id '1'; expected some text"),
        (">took<", "><", "x.xml:8: the token '' with t_id '6'; expected some text, and a number"),
    ],
)
def test_files_that_cannot_be_right_are_refused(old, new, said):
    assert old in FIRST
    assert said in message_of(read_bytes, FIRST.replace(old, new, 1).encode(), "x.xml")


# MMAX2: markables over the words of another file, beside it or in the folder Basedata -------------

TOP = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE {0} SYSTEM "{0}.dtd">\n'
WORDS = TOP.format("words") + "<words>\n{}</words>\n".format(
    "".join(
        f'<word id="word_{n}">{word}</word>\n'
        for n, word in enumerate(
            ["Mia", "gave", "her", "sister", "a", "bike", "&amp;", "ran"], start=1
        )
    )
)
COREF = (
    TOP.format("markables")
    + """\
<markables xmlns="www.eml.org/NameSpaces/coref">
<markable id="markable_1" span="word_3" coref_class="set_1" mention="pronoun"/>
<markable id="markable_2" span="word_1" coref_class="set_1" mention="np" category="person"/>
<markable id="markable_3" span="word_3..word_4" coref_class="set_2" min_ids="word_4"/>
<markable id="markable_4" span="word_5..word_6,word_8" coref_set="set_3"/>
<markable id="markable_5" span="word_8" coref_class="empty" type="pleonastic"/>
</markables>
"""
)
FILES_OF_MMAX = {"d_coref_level.xml": COREF, "d_words.xml": WORDS}
FOLDERS = {"markables/d_coref_level.xml": COREF, "Basedata/d_words.xml": WORDS}


@pytest.mark.parametrize("files", [FILES_OF_MMAX, FOLDERS], ids=["beside", "Basedata"])
def test_markables_stand_on_the_words(tmp_path, files):
    marked = {name: f"\ufeff{text}" for name, text in files.items()}
    (document,) = corpus = read_every_way(tmp_path, marked, next(iter(files)))
    assert document.name == "d"
    assert document.words == ("Mia", "gave", "her", "sister", "a", "bike", "&", "ran")
    assert texts(document) == [["Mia", "her"], ["a bike … ran"], ["her sister"]]
    assert document.mentions[-1] == Mention(4, 8, ((4, 6), (7, 8)))
    assert document.attributes.minimum.tolist() == [[-1, -1], [3, 4], [-1, -1], [-1, -1]]
    assert document.attributes.entity_type == ("person", "", "", "")
    assert document.attributes.mention_type == ("np", "", "pronoun", "")
    (warning,) = corpus.warnings
    assert "_coref_level.xml: 1 markable in no set not taken " in warning


POINTERS = (
    ("1", 'span="word_1"'),
    ("2", 'span="word_3" coref_class="empty" anaphor_antecedent="markable_1"'),
    ("3", 'span="word_4" anaphor_antecedent="markable_2"'),
    ("4", 'span="word_6" coref_class="set_1"'),
    ("5", 'span="word_7" anaphor_antecedent="markable_4"'),
    ("6", 'span="word_8" anaphor_antecedent="empty"'),
)


def pointing(*markables):
    rows = "".join(f'<markable id="markable_{n}" {rest}/>\n' for n, rest in markables)
    return {**FILES_OF_MMAX, "d_coref_level.xml": f"<markables>\n{rows}</markables>"}


def test_markables_without_a_set_are_linked_by_their_pointers():
    corpus = read_together(pointing(*POINTERS))
    assert texts(corpus["d"]) == [["&", "bike"], ["Mia", "her", "sister"]]
    assert "1 markable in no set not taken as mentions" in corpus.warnings[0]


def test_a_pointer_to_several_or_to_none_is_refused_by_name():
    wrong = ("7", 'span="word_2" anaphor_antecedent="markable_1;markable_4"')
    message = refused_together(pointing(*POINTERS, wrong))
    assert "8: anaphor_antecedent 'markable_1;markable_4' of markable_7; expected one" in message


@pytest.mark.parametrize("other", ['member="set_1"', 'antecedent="markable_1"'])
def test_sets_and_pointers_of_another_name_are_refused_by_it(other):
    message = refused_together(pointing(POINTERS[0], ("2", f'span="word_3" {other}')))
    assert f"_coref_level.xml:3: {other} of markable_2; expected its set in coref_class" in message
    beside = read_together(pointing(*POINTERS, ("7", f'span="word_2" {other}')))
    assert "2 markables in no set not taken as mentions" in beside.warnings[0]


def test_words_that_only_the_project_names_are_told(tmp_path):
    put(tmp_path, {"d_coref_level.xml": COREF, "w.xml": WORDS})
    project = "<mmax_project><words>w.xml</words></mmax_project>"
    (tmp_path / "d.mmax").write_text(project)
    message = message_of(read, tmp_path / "d_coref_level.xml")
    assert "expected 'd_words.xml', the file of its words, next to it (the file that " in message
    assert "d.mmax calls 'w.xml': copy it to this name)" in message
    assert "a project of MMAX2, without mentions" in message_of(read, tmp_path / "d.mmax")
    (tmp_path / "w.xml").rename(tmp_path / "d_words.xml")
    assert len(read(tmp_path / "d_coref_level.xml")["d"].rows) == 4


def sentences(*spans):
    rows = "".join(f'<markable id="markable_{n}" span="{s}"/>\n' for n, s in enumerate(spans))
    return f"<markables>\n{rows}</markables>"


@pytest.mark.parametrize("files", [FILES_OF_MMAX, FOLDERS], ids=["beside", "Basedata"])
def test_sentences_are_those_of_their_level(tmp_path, files):
    first = next(iter(files))
    level = sentences("word_1..word_5", "word_6..word_8")
    files = {**files, first.replace("coref", "sentence"): level}
    corpora = read_every_way(tmp_path, files, first)
    assert [document.sentence_starts for document in corpora] == [(0, 5)]
    assert read_together(FILES_OF_MMAX)["d"].sentence_starts == (0,)


def test_two_folders_of_one_layout_are_two_documents():
    files = {f"{top}/{name}": text for top in "ab" for name, text in FOLDERS.items()}
    assert [document.name for document in read_together(files)] == ["a/d", "b/d"]


def test_each_file_alone_is_told_which_other_is_missing(tmp_path):
    put(tmp_path, FILES_OF_MMAX)
    (tmp_path / "d_words.xml").rename(tmp_path / "e_words.xml")
    message = message_of(read, tmp_path / "d_coref_level.xml")
    assert "without their words; expected 'd_words.xml'," in message
    message = message_of(read, tmp_path / "e_words.xml")
    assert "the words of MMAX2, without mentions; expected the file of the coreference" in message


SENTENCES = sentences("word_1", "word_99")


@pytest.mark.parametrize(
    "name, old, new, said",
    [
        ("d_coref_level.xml", '"word_3"', '"word_9"', "4: the span 'word_9' of markable_1; exp"),
        ("d_coref_level.xml", "word_3..word_4", "word_4..word_3", "6: the span 'word_4..word_3'"),
        ("d_coref_level.xml", '"word_3"', '""', "4: the span '' of markable_1; expected words"),
        ("d_words.xml", "word_2", "word_1", "5: the word 'gave' with id 'word_1'; expected some"),
        ("d_words.xml", "gave", "", "5: the word '' with id 'word_2'; expected some text, and"),
        ("d_words.xml", "</words>", "", "13: XML that is"),
        ("d_sentence_level.xml", "", "", "3: the span 'word_99' of markable_1;"),
    ],
)
def test_files_that_cannot_be_right_are_refused_of_mmax(name, old, new, said):
    text = FILES_OF_MMAX.get(name, SENTENCES).replace(old, new, 1)
    message = refused_together({**FILES_OF_MMAX, name: text})
    assert message.startswith(f"all.zip/{name}:{said}")


# TEI: elements that refer to an entity, over words that are found in the text ---------------------

TEXT = """\
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><title><rs ref="#x">No text</rs></title></teiHeader>
<text><body><head>Birth<hi>day</hi></head>
<p><persName ref="#mia" type="person">Mia</persName> gave
<rs ref="#ann"><rs ref="#mia"><w>her</w></rs><w>sister</w></rs> a
<rs><w>bike</w></rs><pc>.</pc></p>
<p><rs ref="#mia  #ann">They</rs> ran.</p></body></text>
</TEI>
"""


def tei(text):
    return read_bytes(text.encode(), "mia.xml")


def test_mentions_are_elements_that_refer():
    (document,) = tei(TEXT)
    assert document.name == "mia"
    assert " ".join(document.words) == "Birthday Mia gave her sister a bike . They ran ."
    assert document.sentence_starts == (0, 1, 8)
    assert texts(document) == [["Mia", "her"], ["They"], ["her sister"]]
    assert document.attributes.entity_type == ("person", "", "", "")
    (warning,) = tei(TEXT).warnings
    assert re.fullmatch(r"mia\.xml: 1 name without 'ref' or 'key' not taken .*", warning)


def test_a_text_without_a_header_is_enough():
    (document,) = tei('<text><rs ref="#d">The dog</rs> barks. <rs key="#d">It</rs> ate.</text>')
    assert texts(document) == [["It", "The dog"]]


def test_other_markup_in_an_element_text_is_left_to_other_formats():
    assert format_of_bytes(b'<text><m id="1">Mia</m> ran.</text>', "x").id != "tei"
    assert format_of_bytes(b'<text><rs ref="#d">It</rs> ran.</text>', "x").id == "tei"


def test_mentions_that_cut_words_are_counted():
    (warning,) = tei('<text>The <rs ref="#d">dog</rs>house</text>').warnings
    assert warning.endswith("'dog' became 'doghouse'")


@pytest.mark.parametrize(
    "text, said",
    [
        ("<text>\n<rs >So</rs></text>", "mia.xml:1: a TEI text in which nothing refers to an"),
        ("<TEI>\n<text/><text/></TEI>", "mia.xml:1: 2 elements <text>; expected one. Split"),
        ("<teiCorpus/>", "mia.xml:1: 0 elements <text>; expected one."),
        ('<text>\n<rs ref="#a"> </rs></text>', "mia.xml:2: an empty <rs>; expected words in it"),
    ],
)
def test_files_without_a_text_of_mentions_are_refused(text, said):
    assert message_of(tei, text).startswith(said)
