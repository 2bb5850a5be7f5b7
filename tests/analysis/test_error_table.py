"""The error table: which mentions have a row, and what each row says, held against plain sets."""

import re

import pandas as pd
import pytest
from hypothesis import given

from corescore import Corpus, Document, read, score
from corescore.analysis.error_table.table import LONGEST, error_table
from corescore.analysis.errors.operations import KINDS, mention_types
from corescore.analysis.errors.tables import mention_table, operation_table
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.english import COARSE_TYPE, FINE_TYPES
from corescore.corpus.formats.conll import read_conll
from tests.support.damaged import span_corpora
from tests.support.parses import columns
from tests.support.samples import RESPONSES, first_files
from tests.support.strategies import corpora_of, pair_corpora

SAMPLE = first_files(6)

CORPORA = span_corpora()
PARTITIONS = pair_corpora().map(corpora_of)


def table_of(key, response, **policies):
    return error_table(score(key, response, **policies).comparison)


def one(key, response, **text):
    """The error table of one document, its entities given as collections of spans."""
    sides = (
        Document.of_rows(
            "d",
            [(*span, at) for at, entity in enumerate(entities) for span in entity],
            **text,
        )
        for entities in (key, response)
    )
    return table_of(*(Corpus((side,)) for side in sides))


def words(*positions):
    """Spans of one word."""
    return [(at, at + 1) for at in positions]


def rows(frame):
    """A dictionary of each row, None for NA."""
    return [
        {name: None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]


def in_text_order(spans):
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def entities_of(document):
    """The entities as sets of spans, by their number from 1."""
    found = {}
    for start, end, entity in document.rows.tolist():
        found.setdefault(entity + 1, set()).add((start, end))
    return found


def before(entities, span):
    """The span before this one in its entity; None for the first or where there is none."""
    for entity in entities.values():
        if span in entity:
            earlier = in_text_order(entity)[: in_text_order(entity).index(span)]
            return earlier[-1] if earlier else None
    return None


def span_of(row, prefix):
    start = row[f"{prefix}start"]
    return None if start is None else (start, row[f"{prefix}end"])


# Which mentions have a row ------------------------------------------------------------------------


def wanted_kinds(operations):
    """(document, span, whether the response's) → the kinds of its operations."""
    found = {}
    for row in operations.itertuples():
        for span in row.spans:
            place = (row.document, span, row.kind == "span error")
            found.setdefault(place, []).append(row.kind)
    return found


def assert_rows_are_the_errors(key, response):
    comparison = score(key, response).comparison
    kinds = wanted_kinds(operation_table(comparison))
    found = rows(error_table(comparison))
    expected = []
    for row in rows(mention_table(comparison)):
        places = ((span_of(row, ""), False), (span_of(row, "response_"), True))
        own = [kind for place in places for kind in kinds.pop((row["document"], *place), [])]
        if row["class"] != "correct" or own:
            kind = ", ".join(sorted(own, key=KINDS.index))
            expected.append((row["document"], row["start"], row["end"], row["class"], kind))
    assert not kinds  # every mention of every operation has been met
    names = "document", "start", "end", "class", "kind"
    assert [tuple(row[name] for name in names) for row in found] == expected


@given(CORPORA)
def test_every_mention_with_an_error_has_a_row_and_no_other(corpora):
    assert_rows_are_the_errors(*corpora)


@given(PARTITIONS)
def test_so_it_is_of_partitions_without_words(corpora):
    assert_rows_are_the_errors(*corpora)


@pytest.mark.parametrize("name", RESPONSES)
def test_so_it_is_of_every_sample(name):
    assert_rows_are_the_errors(read(SAMPLE / "key.conll"), read(SAMPLE / f"{name}.conll"))


@given(CORPORA)
def test_a_response_that_is_the_key_has_no_error(corpora):
    assert table_of(corpora[0], corpora[0]).empty


@given(CORPORA)
def test_ids_are_unique_and_do_not_depend_on_other_documents(corpora):
    whole = table_of(*corpora)
    assert whole["id"].is_unique
    for document in corpora[0]:
        alone = table_of(*(Corpus((side[document.name],)) for side in corpora))
        assert alone["id"].tolist() == whole["id"][whole["document"] == document.name].tolist()


@given(CORPORA)
def test_an_operation_of_a_row_is_the_first_that_has_its_mention(corpora):
    comparison = score(*corpora).comparison
    operations = operation_table(comparison)
    for row in rows(error_table(comparison)):
        own = operations[operations["document"] == row["document"]]
        spans = {(span_of(row, ""), False), (span_of(row, "response_"), True)}
        orders = [
            of.order
            for of in own.itertuples()
            if any((span, of.kind == "span error") in spans for span in of.spans)
        ]
        assert row["operation"] == min(orders, default=None)


# What a row says ----------------------------------------------------------------------------------


def assert_rows_tell_of_sets(key, response):
    comparison = score(key, response).comparison
    partners = {
        (row["document"], span_of(row, "response_")): row["key_entity"]
        for row in rows(mention_table(comparison))
    }
    for row in rows(error_table(comparison)):
        document = row["document"]
        of_key, of_response = entities_of(key[document]), entities_of(response[document])
        place, heard = span_of(row, ""), span_of(row, "response_")
        in_key = place if row["id"][-1] in "kb" else None
        given, wanted = before(of_response, heard), before(of_key, in_key)
        assert span_of(row, "given_") == given
        assert span_of(row, "antecedent_") == wanted
        right = given is not None and partners[document, given] == row["key_entity"] is not None
        assert row["given_right"] == right
        for side, entities, span in (("key", of_key, in_key), ("response", of_response, heard)):
            (number,) = [n for n, entity in entities.items() if span in entity] or [None]
            assert row[f"{side}_entity"] == number
            assert row[f"{side}_size"] == (number and len(entities[number]))
        ends = (("", of_key, in_key, wanted), ("given_", of_response, heard, given))
        for name, entities, span, other in ends:
            every = in_text_order(set().union(*entities.values()))
            apart = None if other is None else every.index(span) - every.index(other)
            assert row[f"{name}distance_mentions"] == apart
        assert row["length"] == place[1] - place[0]
        spans = {span for entity in of_key.values() for span in entity}
        spans |= {
            (of["start"], of["end"])
            for of in rows(mention_table(comparison))
            if of["document"] == document
        }
        inside = any(s <= place[0] and place[1] <= e for s, e in spans - {place})
        assert row["nested"] == inside


@given(CORPORA)
def test_antecedents_entities_and_distances_are_those_of_sets(corpora):
    assert_rows_tell_of_sets(*corpora)


@given(PARTITIONS)
def test_they_are_of_partitions(corpora):
    assert_rows_tell_of_sets(*corpora)


def test_a_row_gives_words_sentences_and_antecedents():
    """Key {Ann, her, She} {a dog}; the response gives her to the dog and has no She."""
    text = {
        "words": ["Ann", "saw", "a", "dog", "near", "her", ".", "She", "ran", "."],
        "sentence_starts": [0, 7],
    }
    ann, dog, her, she = (0, 1), (2, 4), (5, 6), (7, 8)
    first, last = rows(one([[ann, her, she], [dog]], [[ann], [dog, her]], **text))[2:]
    assert [first[of] for of in ("mention", "given", "antecedent")] == ["her", "a dog", "Ann"]
    assert [last[of] for of in ("mention", "given", "antecedent")] == ["She", "", "her"]
    assert (first["sentence"], last["sentence"]) == (1, 2)
    assert (first["distance_sentences"], last["distance_sentences"]) == (0, 1)
    assert (first["given_distance_sentences"], last["given_distance_sentences"]) == (0, None)
    assert (first["distance_mentions"], last["distance_mentions"]) == (2, 1)
    assert first["class"] == "incorrectly resolved"
    assert first["kind"] == "conflated entities, divided entity"


@pytest.mark.parametrize(
    ("key", "response", "fixes"),
    [
        ([words(0, 1, 2)], [words(0, 1), words(2)], ["move it from entity 2 (c) to entity 1 (b)"]),
        ([words(0, 1)], [words(0)], ["", "add it to entity 1 (a)"]),
        ([words(0, 1)], [], ["add it as a new entity"] * 2),
        ([words(0, 1)], [words(0, 1, 2)], ["remove it from entity 1 (b)"]),
        (
            [words(0, 1, 2), words(3, 4)],
            [words(0, 1, 2, 3, 4)],
            ["split it and 1 other off from entity 1 (b)"] * 2,
        ),
        ([words(0, 1), words(3)], [words(0, 1, 3)], ["split it off from entity 1 (b)"]),
        ([[(0, 1), (3, 5)]], [[(0, 1), (3, 4)]], ["", "give it the span “d e”"]),
    ],
)
def test_the_fix_is_told_in_words(key, response, fixes):
    found = one(key, response, words=["a", "b", "c", "d", "e"])["fix"].tolist()
    leave = "leave it: fixing the mentions around it puts it right"
    assert found == [fix or leave for fix in fixes]


# Types, words, quotation -------------------------------------------------------------------------


def first_row(key, response, **text):
    return rows(one(key, response, **text))[0]


@given(CORPORA)
def test_fine_types_are_of_the_slices_of_mentions(corpora):
    comparison = score(*corpora).comparison
    slices = mention_table(comparison).set_index(["document", "start", "end"])["type"]
    for row in rows(error_table(comparison)):
        assert COARSE_TYPE[row["type"]] == slices[row["document"], row["start"], row["end"]]
        for name in ("given", "antecedent"):
            assert (row[f"{name}_type"] is None) == (row[f"{name}_start"] is None)


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        ((), ("common definite", True, False)),
        (("DT", "NN", "VBD"), ("common definite", False, True)),
        (("DET", "NOUN", "VERB"), ("common definite", True, True)),
        (("DET", "PROPN", "VERB"), ("proper", False, True)),
        (("", "", ""), ("common definite", True, False)),
    ],
)
def test_a_type_is_guessed_where_rules_for_english_tell_it(tags, wanted):
    row = first_row([[(0, 2)]], [], words=["the", "dog", "ran"], tags=tags)
    assert (row["type"], row["type_guessed"], row["type_by_file"]) == wanted


def test_the_types_that_either_file_gives_come_first():
    """Only the response calls "dawn" a name; only the key calls "it" a name, against its tag."""
    text = {"words": ["dawn", "of", "it"], "tags": ["NN", "IN", "PRP"]}
    spans = [(0, 1, "a"), (2, 3, "b")]
    key, response = (
        Document.of_rows(
            "d", spans[:n], **text, attributes=Attributes.of(n, mention_type=types[:n])
        )
        for types, n in ((["", "PROP"], 2), (["PROP"], 1))
    )
    comparison = score(Corpus((key,)), Corpus((response,))).comparison
    types = mention_types(comparison, side="recall")
    assert [FINE_TYPES[number] for number in types.number] == ["proper", "proper"]
    assert not types.guessed.any()


@pytest.mark.parametrize(
    ("words", "spans", "wanted"),
    [
        (["Ann", "saw", "ann"], [(0, 1), (2, 3)], "exact"),
        (["the", "dog", ",", "a", "Dog"], [(0, 2), (3, 5)], "head"),
        (["the", "dog", "of", "it", "a", "man"], [(0, 4), (4, 6)], "none"),
        (["so", "we", "ran"], [(1, 2)], ""),
        ((), [(0, 1), (1, 2)], ""),
    ],
)
def test_words_are_matched_with_those_of_the_antecedent(words, spans, wanted):
    assert rows(one([spans], [], words=words))[-1]["string_match"] == wanted


def test_words_are_matched_with_the_given_antecedent_where_no_other_is():
    assert rows(one([], [[(0, 1), (1, 2)]], words=["it", "It"]))[1]["string_match"] == "exact"


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('so " I " said', True),
        ('" so " I " said "', False),
        ('" so I said', False),  # never closed
        ("`` I '' said", True),
        ("„ so I “ said", True),
        ("“so I” said", True),
        ("“ so “ I ”", True),  # a paragraph that opens again
        ("« so » I « said »", False),
        ("' I '", False),
        (" ".join(['"', *["so"] * LONGEST, "I", '"']), False),
    ],
)
def test_a_mention_stands_inside_quotation_marks(text, inside):
    words = text.split()
    at = next(at for at, word in enumerate(words) if word.strip("”") == "I")
    row = first_row([[(at, at + 1)]], [], words=words)
    assert row["quotation"] == inside


# Texts of other kinds ----------------------------------------------------------------------------


def test_a_zero_is_a_pronoun_without_words():
    empty = {1: EmptyNode(1), 3: EmptyNode(1)}
    sides = [
        Document.of_rows(
            "d", [(1, 2, "a"), (3, 4, "a")][:n], words=["a", "", "b", ""], empty_nodes=empty
        )
        for n in (2, 0)
    ]
    row = rows(table_of(*(Corpus((side,)) for side in sides)))[1]
    told = [row[name] for name in ("mention", "antecedent", "type", "antecedent_type")]
    assert told == ["∅", "∅", "zero", "zero"]
    assert (row["string_match"], row["type_guessed"]) == ("none", False)


def test_a_mention_with_a_gap_is_told_with_its_gap():
    pieces = ((0, 1), (2, 3))
    sides = [
        Document.of_rows(
            "d",
            [(0, 3, "a"), (3, 4, "a")][:n],
            words=["both", "she", "went", "so"],
            attributes=Attributes.of(n, pieces=[pieces, ()][:n]),
        )
        for n in (2, 1)
    ]
    first, second = rows(table_of(*(Corpus((side,)) for side in sides)))
    assert first["mention"] == second["antecedent"] == "both … went"


def test_texts_without_words_have_rows_without_words():
    row = rows(one([words(0, 1)], [words(0)]))[1]
    blank = ("mention", "given", "antecedent", "key_name", "response_name", "string_match")
    assert [row[name] for name in blank] == [""] * len(blank)
    assert (row["type"], row["type_guessed"], row["quotation"]) == ("unknown", False, False)
    assert (row["sentence"], row["distance_sentences"]) == (None, None)
    assert row["fix"] == "add it to entity 1"


def test_names_of_mentions_are_no_words():
    """In notation the names stand for mentions, and are told as such."""
    row = first_row([words(0, 1)], [], words=["it", "Ann"], named_mentions=True)
    assert row["mention"] == "it"
    assert (row["type"], row["sentence"], row["string_match"]) == ("unknown", None, "")


def test_a_mention_listed_again_has_a_row_that_removes_it():
    """The response lists word 1 in its first entity and again in its second."""
    key, response = [words(0, 1), words(2, 3)], [words(0, 1), words(1, 2, 3)]
    (row,) = rows(one(key, response, words=["a", "b", "c", "d"]))
    assert (row["class"], row["id"]) == ("duplicated", "d:1-2:r")
    assert (row["key_entity"], row["response_entity"], row["response_size"]) == (None, 2, 2)
    assert row["fix"] == "remove the repetition from entity 2 (c)"
    assert (row["given"], row["given_right"]) == ("", False)


def test_where_repeats_count_there_are_classes_and_no_kinds():
    key, response = [words(0, 1), words(2, 3)], [words(0, 1), words(1, 2)]
    sides = (
        Corpus((Document.of_entities("d", of, words=["a", "b", "c", "d"]),))
        for of in (key, response)
    )
    found = rows(table_of(*sides, repeats="all"))
    assert [(row["class"], row["kind"]) for row in found] == [
        ("duplicated", ""),
        ("incorrectly resolved", ""),
        ("missing", ""),
    ]
    fix, *others = (row["fix"] for row in found)
    assert re.fullmatch(r"remove .* entity 2 \(b\)", fix)
    assert others == ["", ""]
    assert {row["operation"] for row in found} == {None}


def test_a_document_that_the_response_lacks_has_a_row_for_each_mention():
    key = Corpus(tuple(Document.of_entities(name, [words(0, 1)]) for name in ("a", "b")))
    found = table_of(key, Corpus((key["b"],)))
    assert found["document"].tolist() == ["a", "a"]
    assert found["document"].cat.categories.tolist() == ["a", "b"]
    assert (found["class"] == "missing").all()


@pytest.mark.parametrize(
    ("match", "classes"),
    [("exact", ["span error"]), ("partial", []), ("lenient", []), ("head", [])],
)
def test_a_mention_that_matches_in_part_has_no_row(match, classes):
    """The response's "big dog" has the head of the key's "the big dog"."""
    text = {"words": ["the", "big", "dog", "ran", "it", "so"]}
    key, response = (
        Document.of_rows(
            "d",
            [(start, 3, "a"), (3, 4, "a"), (4, 5, "a")],
            **text,
            attributes=Attributes.of(3, head=[2, 3, 4]),
        )
        for start in (0, 1)
    )
    found = rows(table_of(Corpus((key,)), Corpus((response,)), match=match))
    assert [row["class"] for row in found] == classes
    assert [row["id"] for row in found] == ["d:0-3:b"] * len(classes)
    assert [row["response_start"] for row in found] == [1] * len(classes)


def test_mentions_with_one_minimum_span_match():
    """By the parse, "of Ann" is left out of the phrase that "dog" is the head of."""
    file = columns(
        [
            [
                ("the", "DT", "(TOP(S(NP(NP*", "(0"),
                ("dog", "NN", "*)", "-"),
                ("of", "IN", "(PP*", "-"),
                ("Ann", "NNP", "(NP*)))", "0)"),
                ("ran", "VBD", "(VP*)", "-"),
                ("it", "PRP", "(NP*)))", "(0)"),
            ]
        ]
    )
    key = read_conll(file, "key")
    response = Corpus((key.documents[0].with_entities([(0, 2, "a"), (4, 5, "a")]),))
    found = table_of(key, response, match="min-span")
    told = [*zip(found["start"], found["response_end"].fillna(0), found["class"], strict=True)]
    assert told == [(0, 2, "incorrectly resolved"), (4, 5, "spurious"), (5, 0, "missing")]


def test_an_id_is_numbered_where_a_span_stands_twice():
    """The response lists word 2 in three entities, once with the key's."""
    response = [words(0, 2), words(1, 2), [(2, 3), (3, 4)]]
    found = one([words(0, 2)], response, words=["a", "b", "c", "d"])
    assert found["id"].tolist() == ["d:1-2:r", "d:2-3:r", "d:2-3:r:2", "d:3-4:r"]
