"""CoNLL-U and CoNLL-UA: what is read, what is refused and how, and what is written."""

import itertools
import pickle
import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corescore import Corpus, Document, Mention
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conllu import write_conllu
from tests.support import messages
from tests.support.messages import refusal_of
from tests.support.strategies import NAMES, WORDS, corpora, documents

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


# --- Sentences -----------------------------------------------------------------------------------

IN_MANY_WAYS = (
    "# speaker = Ann\n# genre = talk\n# text = My aunt\n"
    + row("1-2", "Myaunt")
    + rows("My Entity=(e1--2(e2--1)", "aunt Entity=e1)")
    + "# global.Entity = eid-minspan-other\n# speaker = Bob\n"
    + row("1", "She", "Entity=(e1-1)|SplitAnte=e1<e3,e2<e3", tag="PRON", head="2")
    + row("1.1", "_", "Entity=(e3)", deps="2:obj")
    + row("2", "went", "SpaceAfter=No")
    + row("3", "Entity=", "-")
    + "\n\n"
    + row("1", "So")
    + "# speaker = Cid\n"
    + row("2", "what")
)


def test_a_block_read_at_once_is_as_if_read_row_by_row(monkeypatch):
    at_once = document_of(IN_MANY_WAYS)
    monkeypatch.setattr("corescore.corpus.formats.conllu._TenColumns.block", lambda *_: None)
    by_rows = document_of(IN_MANY_WAYS)
    assert at_once == by_rows
    assert at_once.lines.tolist() == by_rows.lines.tolist() == [7, 8, 12, 13, 14, 15, 18, 20]
    assert at_once.speakers == ("Ann", "Bob", "")
    assert (at_once.genre, at_once.tags) == ("talk", ("", "", "PRON", *[""] * 5))
    assert at_once.lemmas == ()
    assert pickle.loads(pickle.dumps(at_once)) == at_once


@pytest.mark.parametrize("size", [1, 200])
def test_blocks_of_another_size_make_no_difference(monkeypatch, size):
    text = f"{HEADER}{IN_MANY_WAYS}\n{HEADER.replace('= d', '= e')}{IN_MANY_WAYS}\n{rows('it')}"
    whole = [*conllu(text)]
    monkeypatch.setattr("corescore.corpus.formats.columns._BLOCK", size)
    in_blocks = [*conllu(text)]
    assert in_blocks == whole
    for one, other in zip(in_blocks, whole, strict=True):
        assert one.lines.tolist() == other.lines.tolist()


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


@pytest.mark.parametrize(
    "brackets, expected",
    [
        ("(e1 (e2 e1) e2)", [[(0, 3)], [(1, 4)]]),
        ("(e1--3 (e1--1 e1) e1)", [[(0, 4), (1, 3)]]),
        ("(e1 e1)(e1 e1)", [[(0, 2), (1, 3)]]),
    ],
    ids=["cross if of two entities", "the inner closes first", "close before the next opens"],
)
def test_mentions_may_overlap(brackets, expected):
    assert spans(document_of(rows(*(f"w Entity={cell}" for cell in brackets.split())))) == expected


def test_discontinuous_mentions_have_their_pieces_and_heads_count_their_words():
    document = document_of(
        rows("a Entity=(e1[1/3]--3", "b Entity=e1[1/3])", "c", "d Entity=(e1[2/3]--3)", "e")
        + rows("f Entity=(e1[3/3]--3)", "g Entity=(e1[1/2]--1)", "h", "i Entity=(e1[2/2]--1)")
    )
    first, second = (0, 2), (3, 4)
    assert [m.pieces for m in document.mentions] == [(first, second, (5, 6)), ((6, 7), (8, 9))]
    assert document.attributes.head.tolist() == [3, 6]


def test_parts_next_to_each_other_are_one_piece():
    document = document_of(rows("a Entity=(e1[1/2]--2)", "b Entity=(e1[2/2]--2)"))
    assert document.mentions == (Mention(0, 2),)
    assert document.attributes.head.tolist() == [1]


def test_entities_of_two_documents_are_two_and_one_declaration_stands_for_all():
    text = HEADER + rows("a Entity=(e1--1)") + "# newdoc id = e\n" + rows("b Entity=(e1-thing-1)")
    assert [document.n_entities for document in conllu(text)] == [1, 1]
    assert conllu(text)["e"].attributes.entity_type == ("thing",)


# --- Declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, opens, closes",
    [
        ("head-etype-eid", "(2-person-e1", "e1)"),
        ("entity-GRP-infstat", "(person-1-new", "person-1)"),
        ("GRP-etype-identity", "(1-person-Anne-Marie", "1)"),
    ],
)
def test_fields_may_come_in_any_order_and_the_last_hold_dashes(fields, opens, closes):
    header = f"# newdoc id = d\n# global.Entity = {fields}\n"
    document = document_of(rows(f"a Entity={opens}", f"b Entity={closes}"), header)
    assert spans(document) == [[(0, 2)]]
    assert document.attributes.head.tolist() == ([1] if "head" in fields else [-1])
    assert document.attributes.entity_type == ("person",)


@pytest.mark.parametrize("heads, head", [("3344", 2), ("____", 1)])
def test_of_a_minimum_span_the_word_that_depends_on_another_outside_or_the_first_is_the_head(
    heads, head
):
    header = "# newdoc id = d\n# global.Entity = GRP-etype-minspan\n"
    cells = [("the", "Entity=(1-place-2,3"), ("York", "_"), ("road", "Entity=1)"), ("ends", "_")]
    text = "".join(
        row(n, *cell, head=of) for n, (cell, of) in enumerate(zip(cells, heads, strict=True), 1)
    )
    corpus = conllu(header + text)
    assert corpus["d"].attributes.head.tolist() == [head]
    assert corpus["d"].attributes.minimum.tolist() == [[1, 3]]
    assert corpus.warnings == (
        "dev.conllu: no field 'head'; the heads of mentions are taken from 'minspan'.",
    )


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


def test_split_antecedents_speakers_and_lines_are_read_and_a_name_is_that_of_the_file():
    cells = ("Ann Entity=(e1--1)", "Bo Entity=(e2--1)", "both Entity=(e3--1)|SplitAnte=e1<e3,e2<e3")
    document = document_of("# speaker = Ann\n" + rows(*cells) + "# text = No\n" + rows("No"))
    assert document.split_antecedents == ((2, (0, 1)),)
    assert document.speakers == ("Ann", "")
    assert document.lines.tolist() == [4, 5, 6, 9]
    (nameless,) = conllu(rows("a Entity=(1)"))
    assert nameless.name == "dev"


def test_a_document_keeps_the_lines_it_was_read_from():
    text = "# global.columns = ID FORM\n" + HEADER + rows("a") + HEADER.replace("d", "e", 2)
    assert "\n".join(d.original.text for d in conllu(text)) == text


# --- What is refused -----------------------------------------------------------------------------


HEADS = {"2": "(e1--2)", "0": "(e1--0)", "x": "(e1--x)"}


@pytest.mark.parametrize(
    "text, start",
    [
        (rows("a Entity=(e1"), "3: '(e1' opens a mention that never closes; expected 'e1)'"),
        (rows("a Entity=e1)"), "3: 'e1)' closes a mention that was not opened; expected '(e1'"),
        (rows("a Entity=e1"), "3: 'e1' without a bracket; expected brackets such as"),
        (rows("a Entity="), "3: 'Entity='; expected brackets such as"),
        (rows("a Entity=((e1)"), "3: 'Entity=((e1)'; expected brackets such as"),
        (rows("a Entity=(-person)"), "3: '(-person' without an entity; expected"),
        *(
            (rows(f"a Entity={of}"), f"3: head or minimum span '{n}' of a mention of e1; expected")
            for n, of in HEADS.items()
        ),
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
        (row("9" * 5000, "_"), "3: the word number '9"),
        (row("0.1", "_") * 2, "4: empty node 0.1 after 0.1; expected a number above 1"),
        (row("0.1", "_", deps="3:x"), "3: the dependencies '3:x' of an empty node; expected"),
        (row("0.1", "_", deps="x"), "3: the dependencies 'x' of an empty node; expected"),
        (row("1-2", "ab", "Entity=(e1)"), "3: 'Entity=(e1)' at a multiword token; expected"),
        ("# global.Entity = etype-head\n", "3: '# global.Entity = etype-head'; expected a field"),
        (HEADER, "3: a second document 'd'"),
        (rows("a ClusterId=c1"), "3: 'ClusterId=', coreference as in CorefUD 0.1 and 0.2"),
    ],
    ids=itertools.count(),
)
def test_what_is_wrong_is_told_with_its_line(text, start):
    assert message_of(text).startswith(f"dev.conllu:{start}")
    message = message_of(rows("a Entity=(person-1)"), "# newdoc id = d\n")
    assert message.startswith("dev.conllu:2: '(person-1' in a file that does not name its fields")


@pytest.mark.parametrize("header", ["# newdoc id = d\n", "# global.Entity = eid\n"])
def test_brackets_that_name_types_only_are_no_coreference(header):
    message = message_of(rows("Mia Entity=(person)", "here Entity=(place)"), header)
    assert message.startswith("dev.conllu:2: brackets that name types only, such as '(person)'; ")
    assert message.endswith("Use another file: no coreference is annotated in it.")
    document = document_of(rows("Mia Entity=(e1)", "here Entity=(place)"), header)
    assert spans(document) == [[(0, 1)], [(1, 2)]]


@pytest.mark.parametrize("name", ["coref_chains", "ner"])
def test_chains_of_stanza_are_read_and_written_as_entities(name):
    text = rows(
        f"Mia start_char=0|{name}=unit-repr-id0|NamedEntity=Yes",
        f"fed {name}=middle-id7" if name == "ner" else "fed",
        f"her {name}=unit-id0,start-repr-id1",
        f"cat {name}=end-repr-id1|SpaceAfter=No",
        f"It {name}=unit-id1,start-id1",
        f"all {name}=end-id1",
    )
    corpus = conllu(f"# newdoc id = d\n{text}")
    assert corpus.warnings == ()
    assert spans(corpus["d"]) == [[(0, 1), (2, 3)], [(2, 4), (4, 6), (4, 5)]]
    written = write_conllu(corpus)
    assert f"{name}=unit" not in written
    assert "start_char=0" in written
    assert conllu(written)["d"].entities == corpus["d"].entities


def test_chains_of_stanza_in_another_shape_are_refused():
    text = rows("a coref_chains=unit-id0", "b x=1|coref_chains=begin-id0")
    message = message_of(text, "# newdoc id = d\n")
    assert message.startswith("dev.conllu:3: 'coref_chains=begin-id0'; expected Stanza's chains,")


@pytest.mark.parametrize("other", ["coref_chains=unit-id0", "ner=unit-id0", "ClusterId=c1"])
def test_what_may_be_coreference_beside_entities_is_told(other):
    beside = conllu(HEADER + rows("a Entity=(e1--1)", f"b {other}|Entity=(e1--1)"))
    assert spans(beside["d"]) == [[(0, 1), (1, 2)]]
    (warning,) = beside.warnings
    assert warning.startswith(f"dev.conllu:4: '{other}' may be coreference, but only 'Entity='")
    apart = f"# newdoc id = e\n{rows(f'a {other}')}"
    assert len(conllu(HEADER + rows("a Entity=(e1--1)") + apart).warnings) == (
        other == "ClusterId=c1"
    )


@pytest.mark.parametrize(
    "misc",
    [
        *("Coref=(1)", "x=1|coref_chains=[1]", "Antecedent=3", "ClusterId[1]=c1", "(1)|x=1", "(12"),
        *(
            "EntityId=1",
            "entity_id=(e1)",
            "NamedEntity=Yes|Coref=1",
            "MentionSpan=1",
            "ner=x|Chain=2",
        ),
    ],
)
def test_coreference_under_another_name_is_refused_by_it(misc):
    message = message_of(rows("a", f"b {misc}"), "# newdoc id = d\n")
    assert message.startswith("dev.conllu:3: 'ClusterId=', coref" if "Id[" in misc else "dev.")
    assert "; expected 'Entity=' in the last column, with brackets such as '(e1)'" in message
    assert len(conllu("# newdoc id = d\n" + rows("a", "b Gloss=chain|ner=S-PER|1:4"))) == 1
    assert len(conllu("# newdoc id = d\n" + rows("a NamedEntity=Yes|NE=B-PER"))) == 1
    elsewhere = message_of(row(1, "a", deps="Entity=(1)"), "# newdoc id = d\n")
    assert elsewhere.startswith("dev.conllu:2: 'Entity=(1)', which may be coreference; expected")


def test_a_type_is_never_advised_as_an_id():
    undeclared = message_of(rows("Mia Entity=(person-Mia)"), "# newdoc id = d\n")
    assert "expected '# global.Entity = etype-eid' above it" in undeclared
    declared = message_of(rows("Mia Entity=(person)"), "# global.Entity = etype\n")
    assert "If no field has ids, use another file: no coreference is annotated" in declared


def test_a_mention_over_a_sentence_end_is_read_and_told():
    corpus = conllu(HEADER + rows("a Entity=(e1--1") + rows("b Entity=e1)"))
    assert spans(corpus["d"]) == [[(0, 2)]]
    (warning,) = corpus.warnings
    assert re.fullmatch(r"dev\.conllu:5: .* entity e1 .*, which CorefUD does not allow\.", warning)


# --- What is written -----------------------------------------------------------------------------

RELATIONS = st.sampled_from(("nsubj", "obl:in", "conj>obj"))
TYPES = st.sampled_from(("", "person", "place"))


@st.composite
def annotated_documents(draw):
    """Documents with empty nodes, pieces, heads, minimum spans, types and split antecedents.

    No two mentions have the same first and last word.
    """
    sentences = draw(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=5), max_size=3))
    starts, empty_nodes, n_words = [], {}, 0
    for sentence in sentences:
        starts.append(n_words)
        end = n_words + len(sentence) + sum(sentence)
        parents = st.frozensets(st.tuples(st.integers(n_words, end - 1) | st.just(-1), RELATIONS))
        for n_empty in sentence:
            n_words += 1
            for number in range(1, n_empty + 1):
                empty_nodes[n_words] = EmptyNode(number, draw(parents))
                n_words += 1
    rows = draw(_discontinuous(n_words))
    mentions = [_mention(draw, words) for words, _ in rows]
    ids = [*dict.fromkeys(entity for _, entity in rows)]
    return Document.of_rows(
        draw(NAMES),
        [(words[0], words[-1] + 1, entity) for words, entity in rows],
        words=draw(st.lists(WORDS, min_size=n_words, max_size=n_words)),
        sentence_starts=starts,
        empty_nodes=empty_nodes,
        attributes=_attributes(mentions, draw(st.booleans())),
        split_antecedents=[(ids[0], ids[1:])] if ids[1:] else (),
    )


def _discontinuous(n_words):
    """(positions, entity) of mentions that may have gaps."""
    if not n_words:
        return st.just([])
    positions = st.sets(st.integers(0, n_words - 1), min_size=1, max_size=5).map(sorted)
    rows = st.lists(st.tuples(positions, st.integers(0, 3)), max_size=6)
    return rows.map(lambda of: [*{(words[0], words[-1]): (words, e) for words, e in of}.values()])


def _mention(draw, words):
    first, last = sorted(draw(st.tuples(st.sampled_from(words), st.sampled_from(words))))
    return words, draw(st.sampled_from([-1, *words])), (first, last + 1), draw(TYPES), draw(TYPES)


def _attributes(mentions, has_minima):
    heads = [head for _, head, *_ in mentions]
    minima = [minimum if has_minima else (-1, -1) for _, _, minimum, *_ in mentions]
    pieces = [_pieces(words) for words, *_ in mentions]
    types, kinds = ([mention[at] for mention in mentions] for at in (3, 4))
    if not any((*types, *kinds, *pieces, max(heads, default=-1) >= 0, mentions and has_minima)):
        return None
    return Attributes.of(
        len(mentions),
        head=heads,
        minimum=minima,
        pieces=pieces,
        entity_type=types,
        mention_type=kinds,
    )


def _pieces(words):
    starts = [at for at in words if at - 1 not in words]
    ends = [at + 1 for at in words if at + 1 not in words]
    return tuple(zip(starts, ends, strict=True)) if len(starts) > 1 else ()


@settings(max_examples=200)
@given(annotated_documents())
def test_what_is_written_is_read_again_with_all_that_is_known_of_it(document):
    corpus = Corpus((document,))
    assume(not refusal_of(write_conllu, corpus))
    assert conllu(write_conllu(corpus)) == corpus
    (read,) = conllu(write_conllu(corpus))
    assert write_conllu(Corpus((read,))) == write_conllu(corpus)


@given(corpora(documents(crossing=False, lemmas=True)))
def test_corpora_of_other_formats_are_written_and_read_again(corpus):
    assert conllu(write_conllu(corpus)) == corpus


@pytest.mark.slow
@settings(max_examples=100)
@given(annotated_documents(), annotated_documents())
def test_other_entities_over_the_same_lines_are_written_and_read_again(first, second):
    assume(not refusal_of(write_conllu, Corpus((first,))))
    (read,) = conllu(write_conllu(Corpus((first,))))
    within = second.rows[second.rows[:, 1] <= len(read.words)].tolist()
    changed = Corpus((read.with_entities([tuple(row) for row in within]),))
    assume(not refusal_of(write_conllu, changed))
    assert conllu(write_conllu(changed)) == changed


ORIGINAL = """# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
# newdoc id = d
# meta::title = The aunts
# global.Entity = GRP-etype-infstat-minspan
# sent_id = s1
# text = Ann's aunt knows
1-2\tAnn's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnmod\t_\tAlign=1|Entity=(7-person-new-3(5-person-new-1)|X=(
2\t's\ts\tPART\tPOS\t_\t1\tcase\t_\tBridge=5<7,7<5:of
3\taunt\taunt\tNOUN\tNN\t_\t4\tnsubj\t_\tEntity=7)
4\tknows\tknow\tVERB\tVBZ\t_\t0\troot\t_\t_
4.1\t_\tit\tPRON\t_\t_\t_\t_\t4:obj\tSplitAnte=5<9,7<9|Entity=(9-abstract-new-1)
"""


def changed(rows):
    """The lines of the original that are written otherwise with these entities."""
    (document,) = conllu(ORIGINAL)
    written = write_conllu(Corpus((document.with_entities(rows),))).split("\n")
    before = ORIGINAL.split("\n")
    return [line for line in written if line not in before]


def test_lines_keep_their_comments_and_columns_and_entities_their_names():
    assert changed([(0, 3, "aunt"), (2, 3, "noun"), (0, 1, "Ann")]) == [
        "# global.Entity = eid-etype-head-other",
        "1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnmod\t_\tAlign=1|Entity=(7(5)|X=(",
        "3\taunt\taunt\tNOUN\tNN\t_\t4\tnsubj\t_\tEntity=(e1)7)",
        "4.1\t_\tit\tPRON\t_\t_\t_\t_\t4:obj\t_",
    ]


def test_links_of_entities_that_have_changed_are_left_out_and_that_is_told():
    assert changed([(0, 2, "Ann")]) == [
        "# global.Entity = eid-etype-head-other",
        "# 2 links of Bridge left out: other mentions of the entities",
        "1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnmod\t_\tAlign=1|Entity=(e1|X=(",
        "2\t's\ts\tPART\tPOS\t_\t1\tcase\t_\tEntity=e1)",
        "3\taunt\taunt\tNOUN\tNN\t_\t4\tnsubj\t_\t_",
        "4.1\t_\tit\tPRON\t_\t_\t_\t_\t4:obj\t_",
    ]


def test_a_document_that_was_renamed_or_has_no_declaration_gets_new_headers():
    (document,) = conllu(rows("a Entity=(1)"))
    assert write_conllu(Corpus((document,))).startswith(
        "# newdoc id = dev\n# global.Entity = eid-etype-head-other\n1\ta\t"
    )
    (document,) = conllu(ORIGINAL)
    written = write_conllu(Corpus((replace(document, name="e"),)))
    assert written.split("\n")[1] == "# newdoc id = e"
    assert conllu(written)["e"] == replace(document, name="e")


def test_lines_end_as_those_of_the_file():
    corpus = read_bytes(ORIGINAL.replace("\n", "\r\n").encode(), "dev.conllu")
    written = write_conllu(corpus)
    assert written.count("\n") == written.count("\r\n") > 10
    assert read_bytes(written.encode(), "dev.conllu") == corpus


def test_documents_of_other_formats_are_written_with_what_is_known():
    document = Document.of_rows(
        "d",
        [(0, 2, "a"), (1, 2, "b"), (2, 3, "a")],
        words=["Ann", "Lee", "_", "reads"],
        sentence_starts=[0],
        speakers=["Bo  B"],
        tags=["NNP", "NNP", "", "V B"],
        empty_nodes={2: EmptyNode(1, frozenset({(3, "nsubj"), (-1, "root")}))},
        attributes=Attributes.of(3, head=[0, 1, -1], entity_type=["person", "person", "person"]),
    )
    assert write_conllu(Corpus((document,))) == (
        "# newdoc id = d\n"
        "# global.Entity = eid-etype-head-other\n"
        "# sent_id = d-1\n"
        "# speaker = Bo B\n"
        "# text = Ann Lee reads\n"
        "1\tAnn\t_\tNNP\t_\t_\t_\t_\t_\tEntity=(e1-person-1\n"
        "2\tLee\t_\tNNP\t_\t_\t_\t_\t_\tEntity=(e2-person-1)e1)\n"
        "2.1\t_\t_\t_\t_\t_\t_\t_\t0:root|3:nsubj\tEntity=(e1-person)\n"
        "3\treads\t_\tV_B\t_\t_\t_\t_\t_\t_\n\n"
    )


ONE = [(0, 1)]


@pytest.mark.parametrize(
    "spans, known, found",
    [
        ([(0, 3), (1, 4)], {}, "mentions of one entity ('a b c') that cross"),
        ((), {"words": ["a\tb"]}, "the word 'a\\tb'"),
        ((), {"words": [""]}, "the word ''"),
        ((), {"empty_nodes": {1: EmptyNode(0)}}, "empty node 1.0 after 1"),
        ((), {"empty_nodes": {1: EmptyNode(1), 2: EmptyNode(1)}}, "empty node 1.1 after 1.1"),
        (
            (),
            {"sentence_starts": [0, 2], "empty_nodes": {1: EmptyNode(1, frozenset({(2, "x")}))}},
            "empty node 1.1 that depends on another sentence",
        ),
        (
            (),
            {"empty_nodes": {1: EmptyNode(1, frozenset({(0, "x y")}))}},
            "a relation of empty node 1.1 with spaces or '|'",
        ),
        (ONE, {"attributes": Attributes.of(1, entity_type=["a-b"])}, "the type 'a-b' of a mention"),
        (ONE, {"attributes": Attributes.of(1, head=[2])}, "a head outside of its mention ('a')"),
        (
            ONE,
            {"split_antecedents": [(0, (0,))]},
            "an entity that is its own antecedent, or has none",
        ),
    ],
)
def test_what_cannot_be_held_is_refused_by_name(spans, known, found):
    rows = [(start, end, 0) for start, end in spans]
    document = Document.of_rows("d", rows, **{"words": "abcd", **known})
    (line,) = refusal_of(write_conllu, Corpus((document,)))
    assert line.startswith(f"d: {found} in document 'd'; expected ")


# --- Anything ------------------------------------------------------------------------------------


def test_a_document_without_words_is_told():
    row = "1\tMia\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1)\n\n"
    text = f"# global.Entity = eid-etype-head\n# newdoc id = d\n{row}# newdoc id = e\n\n"
    corpus = read_bytes(text.encode(), "f")
    assert [document.name for document in corpus] == ["d", "e"]
    assert corpus.warnings == ("f:5: document 'e' has no words.",)


@pytest.mark.parametrize("n, more", [(99, "… and 79 more"), (100, "… and more")])
def test_how_many_problems_a_file_has_is_told_up_to_a_hundred(n, more):
    told = message_of(f"{rows('a')}" + "a\n" * n)
    assert told.splitlines()[20:] == [more]


def test_words_of_a_document_are_kept_once_and_its_text_as_the_bytes_of_the_file():
    data = (
        HEADER + rows("naïve", "–", "naïve") + HEADER.replace("= d", "= e") + rows("–")
    ).encode()
    one, other = read_bytes(data, "dev.conllu")
    assert one.words[1] is other.words[0]
    assert one.original.source is other.original.source is data
    assert (one.original.text + other.original.text).encode() == data
    (alone,) = read_bytes(one.original.text.encode(), "dev.conllu")
    assert alone == one
    assert hash(alone.original) == hash(one.original)
    sent = pickle.loads(pickle.dumps(other))
    assert sent == other
    assert sent.original.source == other.original.text.encode()


# CoNLL-UA: what of Universal Anaphora's columns is read, and what is refused ----------------------


HEADER_UA = "# global.columns = ID FORM MISC IDENTITY BRIDGING REFERENCE\n"
BEGIN = HEADER_UA + "# newdoc id = d\n"


def conll_ua(text, file="dev.ua"):
    return read_bytes(text.encode(), file, format="conll-ua")


def rows_ua(*cells, start=1, separator="  ", references=()):
    """One row per cell of the column IDENTITY."""
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


def document_of_ua(text):
    (document,) = conll_ua(text)
    return document


def message_of_ua(text):
    return messages.message_of(conll_ua, text)


@pytest.mark.parametrize("separator", ["\t", "  ", " "])
def test_entities_stand_in_the_column_identity(separator):
    cells = (opens(1, 1), ")", opens(2, 2) + ")", opens(1, 3) + ")")
    document = document_of_ua(BEGIN + rows_ua(*cells, separator=separator))
    assert spans(document) == [[(0, 2), (3, 4)], [(2, 3)]]
    assert document.words == ("w1", "w2", "w3", "w4")
    assert document.attributes is None


@pytest.mark.parametrize(
    "cells, expected",
    [
        ((opens(1, 1) + opens(2, 2), ")", ")" + opens(3, 3) + ")"), [[(0, 3)], [(0, 2)], [(2, 3)]]),
        ((opens(1, 1), opens(2, 2) + "))"), [[(0, 2)], [(1, 2)]]),
        ((opens(1, 1), opens(1, 2), "m1)", "m2)"), [[(0, 3), (1, 4)]]),
    ],
    ids=["nest", "the last opened closes", "named ones cross"],
)
def test_brackets_close_the_one_opened_last_or_named(cells, expected):
    assert spans(document_of_ua(BEGIN + rows_ua(*cells))) == expected


def test_a_markable_that_opens_again_is_another_piece():
    cells = (opens(1, 1) + ")", "", opens(1, 1), ")", opens(1, 1) + ")")
    document = document_of_ua(BEGIN + rows_ua(*cells))
    assert document.mentions == (Mention(0, 5, ((0, 1), (2, 5))),)


@pytest.mark.parametrize("minimum, span", [("2", [1, 2]), ("2,3", [1, 3]), ("2-3", [1, 3])])
def test_min_is_the_minimum_span_counted_in_the_document_or_the_sentence(minimum, span):
    sentence = rows_ua(opens(1, 1, Min=minimum), "", ")")
    document = document_of_ua(f"{BEGIN}{sentence}\n{sentence.replace('m1', 'm2')}")
    assert document.attributes.minimum.tolist() == [span, [3 + at for at in span]]


@pytest.mark.parametrize("minimum", ["3", "9", "2,1", "x"])
def test_a_min_outside_of_the_mention_is_told_and_left_out(minimum):
    corpus = conll_ua(BEGIN + rows_ua(opens(1, 1, Min=minimum), ")", ""))
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
    document = document_of_ua(BEGIN + rows_ua(*cells, references=references))
    assert document.attributes.entity_type == ("person", "place")


def test_elements_are_split_antecedents():
    cells = (opens(1, 1, ElementOf=3) + ")", opens(2, 2, ElementOf="3,4") + ")", opens(3, 3) + ")")
    document = document_of_ua(BEGIN + rows_ua(*cells))
    assert document.split_antecedents == ((2, (0, 1)),)


def test_mentions_that_do_not_refer_are_left_out_and_counted():
    cells = (opens(1, 1) + ")", opens("2-Pseudo", 2) + ")", opens("3_Pseudo", 3) + ")")
    corpus = conll_ua(BEGIN + rows_ua(*cells))
    assert spans(corpus["d"]) == [[(0, 1)]]
    (warning,) = corpus.warnings
    assert warning.startswith("dev.ua:4: 2 mentions of 'd' that do not refer")


def test_ids_with_a_point_are_empty_nodes():
    text = rows_ua("") + rows_ua(opens(1, 1) + ")", start=9).replace("9 ", "1.0 ", 1)
    text += rows_ua("", start=9).replace("9 ", "1.1 ", 1) + rows_ua(opens(1, 2) + ")", start=2)
    document = document_of_ua(BEGIN + text)
    assert {at: node.number for at, node in document.empty_nodes.items()} == {1: 1, 2: 2}
    assert spans(document) == [[(1, 2), (3, 4)]]


def test_sentences_and_speakers():
    """Ranges of words are no words, and columns at the end may be missing."""
    text = f"# speaker = Ann\n{rows_ua('').replace('1 ', '1-2 ', 1)}{rows_ua('', '')}\n"
    document = document_of_ua(f"{BEGIN}{text}# speaker = -\n3  w3  _  {opens(1, 1)})\n")
    assert document.words == ("w1", "w2", "w3")
    assert document.sentence_starts == (0, 2)
    assert document.speakers == ("Ann", "")
    assert spans(document) == [[(2, 3)]]


@pytest.mark.parametrize(
    "text, line, found",
    [
        (BEGIN + "1  It  _\n", 3, "3 columns"),
        (BEGIN + rows_ua(opens(1, 1)), 3, "mention m1 opens"),
        (BEGIN + rows_ua("", ")"), 4, "a mention closes here, and none is open"),
        (BEGIN + rows_ua(opens(1, 1), "m2)", ")"), 4, "mention m2 closes here, and none is open"),
        (BEGIN + rows_ua("(MarkableID=m1)"), 3, "a mention without EntityID"),
        (BEGIN + rows_ua("(1)"), 3, "'(1)' in IDENTITY"),
        (BEGIN + rows_ua("x"), 3, "'x' in IDENTITY"),
        (HEADER_UA + rows_ua(""), 2, "outside of"),
        (HEADER_UA + "# newdoc\n" + rows_ua(""), 2, "'# newdoc' without a name"),
        (BEGIN + "# newdoc id = d\n", 3, "a second document 'd'"),
    ],
)
def test_a_problem_names_file_line_and_what_was_found(text, line, found):
    first = message_of_ua(text).split("\n")[0]
    assert first.startswith(f"dev.ua:{line}: ")
    assert found in first.partition("; expected ")[0]


def test_a_file_without_the_names_of_columns_is_refused():
    assert message_of_ua("# newdoc id = d\n").startswith("dev.ua: no names of columns; expected '#")
    text = "# global.columns = ID IDENTITY\n"
    assert message_of_ua(text).startswith("dev.ua: columns ID, IDENTITY; expected")
    assert message_of_ua(HEADER_UA).startswith("dev.ua: no document; expected '# newdoc id = NAME'")
