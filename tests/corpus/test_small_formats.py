"""GAP, SACR, WinoBias, the papers' notation, and the words of plain text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, score
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.inline import write_notation
from corescore.corpus.formats.standoff import Offsets
from corescore.corpus.formats.tasks import (
    fits_winobias,
)
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.shell import refused
from tests.support.strategies import NAMES

# GAP: a pronoun and two names a line; a system's answers without a text ---------------------------

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
    corpus = gap(KEY + row("d3", "true", "true", "Ärzte: Ann Lee, Bo 🙂, she"))
    assert [entities(document) for document in corpus] == [
        [["Ann Lee", "she"]],
        [],
        [["Ann Lee", "Bo", "she"]],
    ]
    assert corpus["d1"].words[:5] == ("Ann", "Lee", "met", "Bo", "'")
    assert corpus["d2"].named_spans == {"Pronoun": (10, 11), "A": (0, 2), "B": (3, 4)}


@pytest.mark.parametrize("header", ["", "ID\tA-coref\tB-coref\n"])
def test_the_answers_of_a_system_name_their_mentions(header):
    corpus = gap(f"{header}d1\tTRUE\tFALSE\nd2\tFalse\tfalse\n")
    assert [entities(document) for document in corpus] == [[["Pronoun", "A"]], []]
    assert all(document.named_mentions for document in corpus)
    assert score(corpus, corpus)["bcub"].f1 == 1


@pytest.mark.parametrize("header", ["", '"ID"\t"A-coref"\t"B-coref"\n', "ID\tA-coref\tB-coref\n"])
def test_answers_may_be_quoted(header):
    plain = gap("d1\tTRUE\tFALSE\nd2\tFalse\tfalse\n")
    assert gap(f'{header}"d1"\t"TRUE"\t"FALSE"\n"d2"\tFalse\tfalse\n') == plain


def test_the_command_gap_names_its_columns_whatever_it_is_given(tmp_path):
    paths = tmp_path / "key.tsv", tmp_path / "answers.txt"
    paths[0].write_text(KEY)
    for text, found in (("ID,A,B,NEITHER\nd1,1,0,0\n", "of Kaggle"), ("d1 yes no\n", "1 column")):
        paths[1].write_text(text)
        message = refused(f"gap {paths[0]} {paths[1]}")
        assert found.lower() in message.lower()
        assert "ID, A-coref, B-coref" in message


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


@pytest.mark.parametrize(
    "text, line, found",
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
        ("d1\tTRUE\tFALSE\nd2\tTRUE\n", 2, "2 columns; expected 3, separated by tabs: ID, A-coref"),
        ("ID,A-coref,B-coref\nd1,TRUE,FALSE\n", 1, "'ID,A-coref,B-coref', columns separated by co"),
        ("ID,A,B,NEITHER\nd1,1,0,0\n", 1, "'ID,A,B,NEITHER', columns separated by commas; exp"),
        ("d1\tTRUE\tFALSE\nd1\tTRUE\tFALSE\n", 2, "a second document 'd1'"),
    ],
)
def test_a_problem_names_file_line_what_was_found_and_what_was_expected(text, line, found):
    message = messages.message_of(gap, text)
    assert message.startswith(f"gap.tsv:{line}: {found}" if line else f"gap.tsv: {found}")


# SACR: mentions in braces -------------------------------------------------------------------------


def sacr(text, format="sacr"):
    return read_bytes(text.encode(), "story.sacr", format=format)


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
    "text, line, found",
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


def test_deep_nesting_is_read():
    (document,) = sacr("{e " * 5_000 + "x" + "}" * 5_000)
    assert len(document.rows) == 5_000


# WinoBias: a sentence a line, mentions in brackets ------------------------------------------------

LINES = "[The cook] paid the guard as [she] left.\nThe cook paid [the guard] as [he] left.\n"


def winobias(text, format="winobias"):
    return read_bytes(text.encode(), "type1.txt", format=format)


@pytest.mark.parametrize("text", [LINES, "\n" + LINES, "1 " + LINES.replace("\nT", "\n2 T")])
def test_each_line_is_a_document_with_one_entity(text):
    corpus = winobias(text, None)
    assert [document.name for document in corpus] == ["1", "2"]
    assert [*map(entities, corpus)] == [[["The cook", "she"]], [["the guard", "he"]]]
    assert corpus["1"].words == ("The", "cook", "paid", "the", "guard", "as", "she", "left", ".")
    assert "each line is a document" in corpus.warnings[0]
    counting_nothing = winobias(LINES.replace("The cook paid", "2 cooks paid"))
    assert counting_nothing["2"].words[0] == "2"


def test_round_brackets_are_another_entity():
    (document,) = winobias("[A cook] sold (hats) as [he] had made (them).")
    assert entities(document) == [["A cook", "he"], ["hats", "them"]]


@pytest.mark.parametrize(
    "line, found",
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


def test_a_line_that_begins_with_an_endless_number_is_no_numbered_line():
    text = "1" * 5000 + " [Mia] fed [her] cat.\n"
    (document,) = read_bytes(text.encode(), "w", format="winobias")
    assert document.words[0] == "1" * 5000


# The papers' notation for toy partitions ----------------------------------------------------------


def notation(text, file="toy.txt"):
    return read_bytes(text.encode(), file, format="notation")


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
    "text, expected",
    [
        ("{a b c} {d e}", "a b c; d e"),
        ("{a, b, c} {d,e}", "a b c; d e"),
        ("{abc}{de}", "a b c; d e"),
        ("{abc} {de}", "a b c; d e"),
        ("{10}{7 9}", "10; 7 9"),
        ("{10}{7}", "10; 7"),
        ("{the cat, it}", "the cat it"),
        ("{cat,} {dog,}", "cat; dog"),
        ("{cat} {d e}", "cat; d e"),
        ("{}", ""),
        ("  { a  b }  ", "a b"),
        ("{ab}\n{cd}", "a b"),
        ("{ab}\n{c d}", "ab"),
    ],
)
def test_letters_are_mentions_unless_braces_of_the_file_hold_a_blank_or_a_comma(text, expected):
    document = notation(text)["1"]
    assert "; ".join(" ".join(entity) for entity in entities(document)) == expected
    assert document.named_mentions


def test_documents_are_named_by_the_line_before_them_or_by_their_number():
    corpus = notation("# the first\n{a}\n\n{b}\n#third\n# really third\n{c}\n")
    assert [document.name for document in corpus] == ["the first", "2", "really third"]


def test_spans_are_written_as_numbers_of_words():
    document = Document.of_entities("d", [[(0, 1), (6, 9)], [(2, 3)]], words="abcdefghi")
    assert write_notation(Corpus((document,))) == "# d\n{1 7-9} {3}\n"


@pytest.mark.parametrize("mention", ["a b", "a,b", "a{", "}", "", "a'", '"a"', "a:b", "(a", "a]"])
def test_a_mention_that_braces_cannot_hold_is_refused(mention):
    with pytest.raises(InputError, match="expected names without spaces, commas and braces"):
        write_notation(Corpus((named("d", [[mention]]),)))


@pytest.mark.parametrize(
    "text, found",
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
def test_a_problem_names_file_line_what_was_found_and_what_was_expected_of_notation(text, found):
    message = messages.message_of(notation, f"{{x y}}\n{text}\n")
    assert message.startswith(f"toy.txt:2: {found}; expected entities in braces")


@pytest.mark.parametrize(
    "text, said",
    [
        ("# x\n{a}\n# x\n{b}\n", "toy.txt:4: a second document 'x'; expected each name once."),
        ("# x\n", "toy.txt: no document; expected a line such as {a b}"),
        ("{'tokens': ['It', 'is'], 'clusters': [[(0, 0), (1, 1)]]}", "toy.txt:1: an object in"),
        ('{"tokens": ["It", "is"], "clusters": [[[0, 0], [1, 1]]]}', "toy.txt:1: an object in"),
        ("{doc_key: a, clusters: }", "toy.txt:1: an object in"),
    ],
)
def test_what_is_no_corpus_in_the_notation_is_refused(text, said):
    message = messages.message_of(notation, text)
    assert message.startswith(said)
    assert ("json.dumps" in message) == said.endswith("an object in")


@pytest.mark.parametrize("printed", [{"tokens": ["It"], "clusters": [[(0, 0)]]}, {1: "a"}])
def test_a_printed_python_dict_is_no_corpus_whatever_format_is_tried(printed):
    message = messages.message_of(read_bytes, repr(printed).encode(), "predictions.txt")
    assert message.startswith("predictions.txt:1: ")


# Words of a plain text, and the words that a span of characters covers ----------------------------


@pytest.mark.parametrize(
    "text, words",
    [
        ("", ()),
        (" \n\t", ()),
        ("Mia gave her, yes.", ("Mia", "gave", "her", ",", "yes", ".")),
        ("can't 3.5 e-mail", ("can", "'", "t", "3", ".", "5", "e", "-", "mail")),
        ("a_b (c)", ("a", "_", "b", "(", "c", ")")),
        ("--", ("-", "-")),
        ("ete\u0301 हिन्दी", ("ete\u0301", "हिन्दी")),
        ("她笑了。", ("她笑了", "。")),
    ],
)
def test_words_are_runs_of_letters_and_digits_and_other_characters(text, words):
    assert Offsets(text).words == words
