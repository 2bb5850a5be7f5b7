"""Inline markup, `[Mia](#1)` and `<m id="1">Mia</m>`, with what language models do to it."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, InputError, read, write
from corescore.__main__ import main
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.inline import read_inline, repair_inline, write_inline
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import Policies
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.strategies import corpora, documents
from tests.support.work import lines_run

MIA = "[Mia](#1) gave [[her](#1) brother](#2) a bike."
TAGGED_MIA = '<m id="1">Mia</m> gave <m id="2"><m id="1">her</m> brother</m> a bike.'


def inline(text, file="answer.md", **options):
    return read_bytes(text.encode(), file, format="inline", **options)


def document(text, **options):
    (only,) = inline(text, **options)
    return only


def entities(text, **options):
    """The texts of the mentions of each entity."""
    read = document(text, **options)
    return [[read.text(mention) for mention in entity] for entity in read.entities]


def message_of(text, **options):
    return messages.message_of(inline, text, **options)


# --- Links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        MIA,
        TAGGED_MIA,
        MIA.replace("#1", "#e3").replace("#2", "#the brother"),
        MIA.replace("](", "] ("),
        MIA.replace("#", "##"),
        TAGGED_MIA.replace('"', "'"),
        TAGGED_MIA.replace('"', ""),
        TAGGED_MIA.replace('"1"', '"#1"'),
        TAGGED_MIA.replace("<m id", "<mention cluster").replace("</m>", "</mention>"),
        TAGGED_MIA.replace("<m id", "<M  entity-id ").replace("</m>", "</M>"),
        TAGGED_MIA.replace("<m id", '<coref type="person" chain').replace("</m>", "</coref>"),
    ],
)
def test_mentions_nest_and_ids_name_entities(text):
    read = document(text)
    assert " ".join(read.words) == "Mia gave her brother a bike ."
    assert read.rows.tolist() == [[0, 1, 0], [2, 4, 1], [2, 3, 0]]


def test_of_mentions_that_end_at_one_word_the_inner_one_closes_first():
    assert entities("[the [cat](#2)](#1) and [[it](#2)](#3)") == [
        ["the cat"],
        ["cat", "it"],
        ["it"],
    ]


def test_a_mention_within_a_word_splits_it():
    read = document("[Mia](#1)s [post](#2)man")
    assert read.words == ("Mia", "s", "post", "man")
    assert read.rows.tolist() == [[0, 1, 0], [2, 3, 1]]


def test_a_mention_may_run_over_lines_and_each_line_is_a_sentence():
    read = document("[Mia\n\nSmith](#1) left.\nShe ran.")
    assert read.sentence_starts == (0, 1, 4)
    assert read.lines.tolist() == [1, 3, 3, 3, 4, 4, 4]
    assert [read.text(mention) for mention in read.mentions] == ["Mia Smith"]


def test_links_to_a_page_and_brackets_without_an_id_are_text_and_are_told():
    corpus = inline("[Mia](#1) saw [this](https://a.b/c) [sic].\nAnd [so] [on].")
    assert corpus["answer"].rows.tolist() == [[0, 1, 0]]
    assert "https" in corpus["answer"].words
    assert corpus["answer"].words.count("[") == 4
    link, no_id = corpus.warnings
    assert link == "answer.md:1: '[this](https://a.b/c)' is a link, so it is text."
    assert re.fullmatch(r"answer\.md:1: '\[sic\]' has no id, .* \(2 more like this\)\.", no_id)


def test_a_backslash_makes_a_bracket_text():
    read = document(r"[Mia](#1) \[sic\] \\ \# \x [a\]](#2)")
    assert " ".join(read.words) == r"Mia [ sic ] \ # \ x a ]"
    assert [read.text(mention) for mention in read.mentions] == ["Mia", "a ]"]


# --- What is unbalanced --------------------------------------------------------------------------

UNBALANCED = [
    ("x\n[Mia](#1) her](#2)", 2, "'](#2)': closes a mention that was never opened", "Mia her"),
    ("[Mia](#1)\n[her", 2, "'[her': opens a mention that is never closed", "Mia her"),
    ("[Mia](#1) her]", 1, "']': closes a mention that was never opened", "Mia her"),
    ("[Mia](#1) [her](2)", 1, "'](2)': a mention without one id", "Mia her"),
    ("[Mia](#1) [her](#)", 1, "'](#)': a mention without one id", "Mia her"),
    ("[Mia](#1) [her]()", 1, "']()': a mention without one id", "Mia her"),
    ("[Mia](#1) [her](#1, #2)", 1, "'](#1, #2)': a mention without one id", "Mia her"),
    ("[Mia](#1) [her](#1,2)", 1, "'](#1,2)': a mention without one id", "Mia her"),
    ("[Mia](#1) [her](#2 ran", 1, "'](#2 ran': an id that is not closed", "Mia her ran"),
    ("[Mia](#1) [](#2)", 1, "a mention of entity 2 without a word", "Mia"),
    ('<m id="1">Mia</m> her</m>', 1, "'</m>': closes a mention that was never", "Mia her"),
    ('<m id="1">Mia</m> <m id="2">her', 1, "'<m id=\"2\">her': opens a mention that", "Mia her"),
    ('<m id="1">Mia</m> <m>her</m>', 1, "'<m>her</m>': a mention without one id", "Mia her"),
    ('<m id="1">Mia</m> <m id="1,2">her</m>', 1, "'<m id=\"1,2\">her</m>': a mention", "Mia her"),
    ('<m id="1">Mia</m> <m id="2"/>', 1, "'<m id=\"2\"/>': a mention without words", "Mia"),
]


@pytest.mark.parametrize("text, line, found, words", UNBALANCED)
def test_what_is_unbalanced_is_refused_or_left_out_and_counted_if_that_is_asked_for(
    text, line, found, words
):
    message = message_of(text)
    assert message.startswith(f"answer.md:{line}: {found}")
    assert "\n" not in message
    corpus = inline(text, repair_brackets=True)
    assert " ".join(corpus["answer"].words).removeprefix("x ") == words
    assert [corpus["answer"].text(m) for m in corpus["answer"].mentions] == ["Mia"]
    told = "1 piece of markup without a partner, an id or a word left out."
    assert corpus.warnings == (f"answer.md:{line}: {told}",)


def test_elements_that_cross_are_unbalanced():
    text = '<m id="1">Mia <e id="2">and</m> Bo</e> <m id="1">ran</m>'
    assert [line.split("'")[1] for line in message_of(text).split("\n")] == [
        '<e id="2">and</m> Bo</e> <m id="1">ran</…',
        '</e> <m id="1">ran</m>',
    ]
    assert entities(text, repair_brackets=True) == [["Mia and", "ran"]]


def test_an_element_without_an_id_takes_its_own_end_with_it():
    text = '<m id="1">the <m>cat</m> food</m>'
    assert entities(text, repair_brackets=True) == [["the cat food"]]


def test_an_option_of_the_shell_repairs_brackets(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text("[Mia](#1) her](#2)")
    command = ["convert", str(path), str(tmp_path / "b.jsonl")]
    assert main(command) == 2
    assert "--repair-brackets" in capsys.readouterr().err
    assert main([*command, "--repair-brackets"]) == 0
    assert "1 piece of markup" in capsys.readouterr().err
    assert read(tmp_path / "b.jsonl").documents[0].words == ("Mia", "her")


# --- Elements ------------------------------------------------------------------------------------


def test_other_elements_are_left_out_and_told_and_characters_are_what_they_stand_for():
    corpus = inline('<p><m id="1">Mia &amp; Co</m> &lt; AT&T <b>3</b></p>')
    assert " ".join(corpus["answer"].words) == "Mia & Co < AT & T 3"
    assert corpus.warnings == (
        "answer.md:1: '<p>' is no mention, so it is left out (3 more like this).",
    )


def test_the_attribute_that_names_the_entity_goes_before_the_id_of_a_mention():
    text = '<m id="7" cluster="1">Mia</m> <m id="8" cluster="1">she</m>'
    assert entities(text) == [["Mia", "she"]]


@pytest.mark.parametrize(
    "kind", ['TYPE="APPOS" SUBTYPE="HEAD"', "type='bridging'", 'ref_type="predicative"']
)
def test_what_is_linked_by_something_else_than_identity_is_left_out_and_told(kind):
    text = (
        f'<COREF ID="2" TYPE="IDENT">Mia</COREF>, <COREF ID="3" {kind}>a pilot</COREF>, '
        f'<COREF ID="3" {kind}>the boss</COREF>, <COREF ID="2" TYPE="IDENT">she</COREF>'
    )
    (document,), (warning,) = inline(text), inline(text).warnings
    assert entities(text) == [["Mia", "she"]]
    assert " ".join(document.words) == "Mia , a pilot , the boss , she"
    assert "not identity, so it is left out (1 more like this)" in warning


@pytest.mark.parametrize("holder", ["DOC", 'TEXT PARTNO="0"', "document id=1"])
def test_a_second_document_in_one_is_refused_and_read_under_a_name(holder):
    text = f"<{holder}>\n{TAGGED_MIA}\n"
    assert f"answer.md:3: a second <{holder}> in a document" in message_of(2 * text)
    assert len(inline("".join(f"# {name}\n{text}" for name in "ab"))) == 2


def test_attributes_that_do_not_tell_the_entity_are_refused():
    message = message_of('<m id="7">Mia</m> <m cluster="1">she</m>')
    assert "expected one attribute that names the entity of every mention" in message
    message = message_of('<COREF ID="1">Mia</COREF> <COREF ID="2" REF="1">she</COREF>')
    assert "whose REF names another mention" in message
    message = message_of('[Mia](#1) <m id="1">she</m>')
    assert "in one document; expected one of the two" in message


def test_ids_that_never_repeat_are_told():
    (warning,) = inline("[a](#1) [b](#2) [c](#3)").warnings
    assert "all 3 mentions of document 'answer' have ids of their own" in warning
    assert not inline("[a](#1) [b](#2) [c](#1)").warnings


@pytest.mark.parametrize(
    "text, format",
    [
        ("It rains.\n[Mia](#PER) met [Ben](#PER) in [Rome](#location).", "inline"),
        ('It rains.\n<entity id="Person">Mia</entity> slept.', "inline"),
        ("It rains.\n{PER Mia} met {PER Ben}.", "sacr"),
    ],
)
def test_types_instead_of_ids_are_no_coreference(text, format):
    message = messages.message_of(read_bytes, text.encode(), "x.md", format=format)
    assert message.startswith("x.md:2: mentions that name types only, such as 'P")
    assert message.endswith("Use another file: no coreference is annotated in it.")
    assert entities("[Mia](#PER) met [Ben](#2).") == [["Mia"], ["Ben"]]


# --- What stands around the text -----------------------------------------------------------------


@pytest.mark.parametrize("markup", [MIA, TAGGED_MIA])
@pytest.mark.parametrize(
    "before, after, told",
    [
        ("", "", 0),
        ("\n\n", "\n\n", 0),
        ("```\n", "\n```\n", 0),
        ("```markdown\n", "\n```", 0),
        ("```xml\n", "", 0),
        ("", "\n```\n", 0),
        ("Here is the annotated text:\n\n", "", 1),
        ("Sure! Here's the text with mentions marked:\n", "", 1),
        ("**Annotated text:**\n\n", "", 1),
        ("Here you are:\n```\n", "\n```\nI hope this helps!", 2),
        ("<think>Who is [her](#3)?</think>\n\n", "", 1),
        ("<think>\nHm.\n</think>\nHere is the text:\n```\n", "\n```\n", 2),
    ],
)
def test_what_a_model_says_around_the_text_is_left_out_and_told(before, after, told, markup):
    corpus = inline(before + markup + after)
    assert " ".join(corpus["answer"].words) == "Mia gave her brother a bike ."
    assert sum(1 + ("(1 more" in warning) for warning in corpus.warnings) == told
    line = before.count("\n") + 1
    assert set(corpus["answer"].lines.tolist()) == {line}


def test_what_is_left_out_is_told_with_its_line():
    corpus = inline(f"\nSure, here it is:\n```\n{MIA}\n```\n\nBye.")
    assert corpus.warnings == (
        "answer.md:2: 'Sure, here it is:' is outside the code fence, so it is left out (1 "
        "more like this).",
    )
    corpus = inline(f"<think>\nHm.\n</think>\nHere is the text:\n{MIA} [sic]")
    *others, no_id = corpus.warnings
    assert others == [
        "answer.md:1: '<think>' is left out as reasoning.",
        "answer.md:4: 'Here is the text:' is left out as an introduction.",
    ]
    assert no_id.startswith("answer.md:5: '[sic]' has no id")


@pytest.mark.parametrize(
    "text, words",
    [
        ("Here is what [she](#1) said:\n[Mia](#1) ran.", "Here is what she said : Mia ran ."),
        ("He said:\n[Mia](#1) ran.", "He said : Mia ran ."),
        ("[Mia](#1)\n```\ncode\n```\n[she](#1)", "Mia code she"),
    ],
)
def test_a_sentence_of_the_text_is_none_of_that(text, words):
    assert " ".join(document(text).words) == words


# --- Several documents ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, names",
    [
        (MIA, ["answer"]),
        (f"# one\n{MIA}\n# two\n{MIA}", ["one", "two"]),
        (
            f"#begin document (one)\n{MIA}\n#end document\n#begin document (two)\n{MIA}",
            ["one", "two"],
        ),
        (f"# begin document (x); part 000\n{MIA}\n# end document", ["x"]),
        (f"#begin document (x); part 003\n{MIA}\n", ["x; part 3"]),
        (f"```\n# one\n{MIA}\n# two\n{MIA}\n```", ["one", "two"]),
        (f"## one\n{MIA}\n## two\n{MIA}", ["one", "two"]),
        (f"#\tone\n{MIA}", ["one"]),
    ],
)
def test_documents_are_named_by_lines_or_by_the_file(text, names):
    corpus = inline(text, "runs/answer.v2.md.gz")
    assert [read.name for read in corpus] == names
    assert {read.n_entities for read in corpus} == {2}
    assert not corpus.warnings


@pytest.mark.parametrize(
    "text, line, found",
    [
        (f"# one\n{MIA}\n# one\n{MIA}", 3, "a second document 'one'"),
        (f"{MIA}\n# one\n{MIA}", 1, "'[Mia](#1) gave [[her](#1) brother](#2) a…' outside of a"),
        (f"#begin document\n{MIA}", 1, "a document without a name"),
        *(
            (f"{before}{sign}\n{MIA}", line, f"'{sign}': a line of the text that begins")
            for before, sign, line in (
                ("", "#one", 1),
                ("", "##one", 1),
                ("# one\nShe.\n", "## two", 3),
                ("#begin document (d)\n", "# one", 2),
            )
        ),
        (f"# one\n{MIA}\n\n# two\n[x](#1", 5, "'](#1': an id that"),
    ],
)
def test_what_is_wrong_with_documents_is_told_with_its_line(text, line, found):
    assert message_of(text).startswith(f"answer.md:{line}: {found}")


def test_a_line_with_a_number_sign_is_text_where_that_is_asked_for_or_written():
    """Repaired it is told; with a backslash it is as the file says."""
    corpus = inline(f"#one\n{MIA}", repair_brackets=True)
    assert corpus.documents[0].words[:3] == ("#", "one", "Mia")
    assert ["'#one'" in warning for warning in corpus.warnings] == [True]
    corpus = inline(f"\\#one\n{MIA}")
    assert corpus.documents[0].words[:3] == ("#", "one", "Mia")
    assert not corpus.warnings


def test_text_outside_of_documents_is_left_out_and_told():
    corpus = inline(f"Notes.\n#begin document (d)\n{MIA}\n#end document\nThe end.")
    assert [warning.split(": ")[0] for warning in corpus.warnings] == ["answer.md:1", "answer.md:5"]


# --- Finding out the format ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [MIA, TAGGED_MIA, f"Here you are:\n{MIA}", f"#begin document (d)\n{MIA}"]
)
def test_inline_markup_is_found_out(text):
    assert read_bytes(text.encode(), "answer") == inline(text, "answer")


@pytest.mark.parametrize(
    "text",
    [
        "#begin document (d); part 000\nd 0 0 [a](#1) (1)\nd 0 1 b -\n",
        "#begin document (d); part 000\nd\t0\t0\t[a](#1)\t(1)\n",
        '{"doc_key": "d", "tokens": ["[a](#1)"], "clusters": []}\n',
    ],
)
def test_a_word_that_looks_like_markup_does_not_make_it_so(text):
    assert read_bytes(text.encode(), "f").documents[0].words[0] == "[a](#1)"


def test_named_entities_without_ids_are_no_coreference():
    message = messages.message_of(read_bytes, b'<ENAMEX TYPE="PERSON">Mia</ENAMEX> ran.', "x.name")
    assert message.startswith("x.name:1: this looks like named entities without coreference (")
    assert message.endswith("Use a file that has been annotated for coreference.")


@pytest.mark.parametrize(
    "text",
    [
        *("[Mia](1) ran.", "[[her](1) cat](2)", "[[[her](1) cat](2)'s milk](3)", "[Mia]#1 ran."),
        *("Mia.\n\nSo [the dog]_{2} ran.", "[Mia][1]", "[Mia]{1}"),
    ],
)
def test_another_spelling_is_named(text):
    message = messages.message_of(read_bytes, text.encode(), "answer.md")
    assert "this looks like inline markup with ids in another spelling" in message
    assert message.endswith('Write [Mia](#1) or <m id="1">Mia</m>, with the id of the entity.')


# --- Writing -------------------------------------------------------------------------------------


def _held(drawn):
    held = []
    for start, end, entity in drawn.rows.tolist():
        if not any(a < start < b < end or start < a < end < b for a, b, _ in held):
            held.append((start, end, entity))
    return Document.of_rows(
        drawn.name, held, words=drawn.words, sentence_starts=drawn.sentence_starts
    )


HARD_WORDS = st.text(st.sampled_from("[](#1)\\`<m>/&;ab"), min_size=1, max_size=6)


@settings(max_examples=100)
@given(corpora(documents()) | corpora(documents(words=HARD_WORDS)))
def test_what_is_written_is_read_again(drawn):
    """Without mentions that cross, speakers and tags, which inline markup lacks."""
    corpus = Corpus(tuple(map(_held, drawn)))
    text = write_inline(corpus)
    assert read_bytes(text.encode(), "file") == corpus
    assert write_inline(read_bytes(text.encode(), "file")) == text


def test_a_written_document_can_be_shown_to_a_model():
    written = write_inline(inline(f"# d\n{MIA}"))
    assert written == (
        "#begin document (d); words between blanks\n"
        "[Mia](#1) gave [[her](#1) brother](#2) a bike .\n"
        "#end document\n"
    )


def of_rows(*rows, words="abc", **known):
    return Document.of_rows("d", rows, words=[*words], **known)


@pytest.mark.parametrize(
    "written, found",
    [
        (of_rows((0, 2, 0), (1, 3, 0)), "mentions that cross"),
        (of_rows((0, 2, 0), (1, 3, 1)), "'a b' and 'b c'"),
        (of_rows(words=["a b"]), "the word 'a b'"),
        (of_rows(words=["a", ""]), "the word ''"),
        (of_rows((0, 1, 0), named_mentions=True), "only names"),
        (of_rows(empty_nodes={0: EmptyNode(1)}), "words that are not in the text"),
        (
            of_rows((0, 3, 0), attributes=Attributes.of(1, pieces=[((0, 1), (2, 3))])),
            "a mention with a gap",
        ),
    ],
)
def test_what_inline_markup_cannot_hold_is_refused_by_name(written, found, tmp_path):
    path = tmp_path / "a.inline"
    with pytest.raises(InputError, match="document 'd'") as error:
        write(Corpus((written,)), path)
    assert found in str(error.value)
    assert not path.exists()


# --- Anything ------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("[", "]", "](#1)", "](#", "](http://a)", "(#2)", "\\", "\\[", "#", "# name", "```", "\n"),
        *('<m id="1">', "<m>", "</m>", "<e cluster='2'>", "</e>", "<b>", "<m id=1/>", "&amp;"),
        *("Mia", " ", "ran", "#begin document (d)", "; words between blanks", "#end document"),
        *("<think>", "</think>", "Here is the text:", "é", "\t"),
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=40))
@example("](#1)")
@example("```")
def test_any_text_is_read_or_refused_and_repaired(text):
    for reader in (read_inline, repair_inline):
        lines = refusal_of(reader, text, "fuzz")
        assert all(line.startswith(("fuzz", "… and ")) for line in lines)
    if not refusal_of(read_inline, text, "fuzz"):
        assert read_inline(text, "fuzz") == repair_inline(text, "fuzz")


@pytest.mark.parametrize(
    "markup",
    [
        lambda n: "[" * n + "x" + "](#1)" * n,
        lambda n: "<m id='1'>" * n + "x" + "</m>" * n,
        lambda n: "<m " + "id=" * n,
        lambda n: "](#" + " " * n,
        lambda n: "] " * n,
        lambda n: "<think>" * n,
    ],
    ids=["brackets", "elements", "attributes", "blanks", "ends", "reasoning"],
)
def test_twice_as_much_deep_and_long_markup_is_twice_the_work(markup):
    def work(n):
        text = markup(n).encode()
        return lines_run(refusal_of, read_bytes, text, "fuzz", format="inline")

    assert work(2000) < 2.2 * work(1000)


# --- Against a key -------------------------------------------------------------------------------

KEY_WORDS = st.sampled_from(["Mia", "the", "dog", "did", "n't", "'s", ".", ",", "-LRB-", "[", "Ö"])


@settings(max_examples=150)
@given(documents(words=KEY_WORDS, repeats=False), st.data())
def test_a_key_marked_in_a_text_without_its_blanks_is_all_correct(drawn, data):
    key = _held(drawn)
    marked = write_inline(Corpus((key,))).split("\n", 1)[1].rpartition("#end")[0]
    pieces = marked.replace("-LRB-", "(").split(" ")
    blanks = [data.draw(st.sampled_from(("", " ", "\n"))) for _ in pieces]
    text = "".join(map("".join, zip(pieces, blanks, strict=True)))
    response = inline(f"# {key.name}\n{text}")
    (aligned,) = pair_documents(Corpus((key,)), response, Policies(words="align")).response
    assert aligned.words == key.words
    assert aligned.rows.tolist() == key.rows.tolist()


def test_a_document_without_words_is_told():
    empty = "#begin document (d)\n#end document\n"
    corpus = read_bytes(f"{empty}#begin document (e)\n[Mia](#1)\n#end document\n".encode(), "f")
    assert [document.name for document in corpus] == ["d", "e"]
    assert corpus.warnings == ("f:1: document 'd' has no words.",)
