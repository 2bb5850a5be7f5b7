"""The error table: which mentions have a row, and what each row says."""

import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corescore import Corpus, Document, score
from corescore.analysis.error_table.table import LONGEST, error_table
from corescore.analysis.errors.classes import mention_types
from corescore.analysis.errors.operations import KINDS, WRONG_SPLIT_ANTECEDENT
from corescore.analysis.errors.tables import mention_table, operation_table
from corescore.analysis.split_antecedents import (
    by_type,
    by_use,
    credit_with_plurals,
    plural_table,
)
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.corpus.english import COARSE_TYPE, FINE_TYPES
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conll import read_conll
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRICS
from corescore.scoring.scores import counts_of
from tests.scoring.test_split_antecedents import KEY, RESPONSE, corpus, sides
from tests.support import plurals
from tests.support.errors import span_corpora
from tests.support.letters import lettered
from tests.support.letters import scored as scored_letters
from tests.support.strategies import corpora_of, pair_corpora
from tests.support.texts import columns

# The error table: which mentions have a row, and what each row says, held against plain -----------


CORPORA = st.one_of(span_corpora(), pair_corpora().map(corpora_of))  # the latter without words


def table_of(key, response, **policies):
    return error_table(score(key, response, **policies).comparison)


def one(key, response, **text):
    """The rows of one document, its entities given in letters."""
    return rows(
        table_of(*(lettered(entities, **{"words": (), **text}) for entities in (key, response)))
    )


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
    """The span before this one in its entity; None for the first or if there is none."""
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
    """(document, span, whether the response's) → the kinds of its operations and their order."""
    found = {}
    for row in operations.itertuples():
        for span in row.spans:
            place = (row.document, span, row.kind == "span error")
            found.setdefault(place, []).append((row.kind, row.order))
    return found


@given(CORPORA)
def test_every_mention_with_an_error_has_a_row_and_no_other(corpora):
    """Its id does not depend on other documents, its operation is the first that has it."""
    comparison = score(*corpora).comparison
    operations = operation_table(comparison)
    kinds = wanted_kinds(operations)
    table = error_table(comparison)
    expected = []
    for row in rows(mention_table(comparison)):
        places = ((span_of(row, ""), False), (span_of(row, "response_"), True))
        own = [of for place in places for of in kinds.pop((row["document"], *place), [])]
        if row["class"] != "correct" or own:
            kind = ", ".join(sorted((kind for kind, _ in own), key=KINDS.index))
            first = min((order for _, order in own), default=None)
            expected.append((row["document"], *places[0][0], row["class"], kind, first))
    assert not kinds  # every mention of every operation has been met
    names = "document", "start", "end", "class", "kind", "operation"
    assert [tuple(row[name] for name in names) for row in rows(table)] == expected
    assert table["id"].is_unique
    name = corpora[0].documents[-1].name
    alone = table_of(*(side[name] for side in corpora))
    assert alone["id"].tolist() == table["id"][table["document"] == name].tolist()


# What a row says ----------------------------------------------------------------------------------


@given(CORPORA)
def test_antecedents_entities_and_distances_are_those_of_sets(corpora):
    key, response = corpora
    comparison = score(key, response).comparison
    mentions = rows(mention_table(comparison))
    types = {(row["document"], row["start"], row["end"]): row["type"] for row in mentions}
    partners = {(row["document"], span_of(row, "response_")): row["key_entity"] for row in mentions}
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
        is_exact = any(given in entity for entity in of_key.values())
        assert row["given_span_error"] == (right and not is_exact)
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
        known = {span for entity in of_key.values() for span in entity}
        known |= {(of["start"], of["end"]) for of in mentions if of["document"] == document}
        inside = any(s <= place[0] and place[1] <= e for s, e in known - {place})
        assert row["nested"] == inside
        assert COARSE_TYPE[row["type"]] == types[document, *place]


def test_a_row_gives_words_sentences_and_antecedents():
    """Key {Ann, her, She} {a dog}; the response gives her to the dog and has no She."""
    words = ["Ann", "saw", "a", "dog", "near", "her", ".", "She", "ran", "."]
    found = one("a f h | cd", "a | cd f", words=words, sentence_starts=[0, 7])
    first, last = found[2:]
    assert [first[of] for of in ("mention", "given", "antecedent")] == ["her", "a dog", "Ann"]
    assert [last[of] for of in ("mention", "given", "antecedent")] == ["She", "", "her"]
    assert (first["sentence"], last["sentence"]) == (1, 2)
    assert (first["distance_sentences"], last["distance_sentences"]) == (0, 1)
    assert (first["given_distance_sentences"], last["given_distance_sentences"]) == (0, None)
    assert (first["distance_mentions"], last["distance_mentions"]) == (2, 1)
    assert first["class"] == "incorrectly resolved"
    assert first["kind"] == "conflated entities, divided entity"


@pytest.mark.parametrize(
    "key, response, fixes",
    [
        ("a b c", "a b | c", ["move it from response entity 2 (c) to response entity 1 (b)"]),
        ("a b", "a", ["", "add it to response entity 1 (a)"]),
        ("a b", "", ["add it as a new entity"] * 2),
        ("a b", "a b c", ["remove it from response entity 1 (b)"]),
        ("a b c | d e", "a b c d e", ["split it and 1 other off from response entity 1 (b)"] * 2),
        ("a b | d", "a b d", ["split it off from response entity 1 (b)"]),
        ("a de", "a d", ["", "give it the span “d e”"]),
    ],
)
def test_the_fix_is_told_in_words(key, response, fixes):
    found = [row["fix"] for row in one(key, response, words="abcde")]
    leave = "leave it: resolved by fixing the surrounding mentions"
    assert found == [fix or leave for fix in fixes]


# Types, words, quotation -------------------------------------------------------------------------


def first_row(key, response, **text):
    return one(key, response, **text)[0]


@pytest.mark.parametrize(
    "tags, wanted",
    [
        ((), ("common definite", True, False)),
        (("DT", "NN", "VBD"), ("common definite", False, True)),
        (("DET", "NOUN", "VERB"), ("common definite", True, True)),
        (("DET", "PROPN", "VERB"), ("proper", False, True)),
        (("", "", ""), ("common definite", True, False)),
    ],
)
def test_a_type_is_guessed_where_rules_for_english_tell_it(tags, wanted):
    row = first_row("ab", "", words=["the", "dog", "ran"], tags=tags)
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
    comparison = score(key, response).comparison
    types = mention_types(comparison, side="recall")
    assert [FINE_TYPES[number] for number in types.number] == ["proper", "proper"]
    assert not types.guessed.any()


@pytest.mark.parametrize(
    "words, key, response, wanted",
    [
        ("Ann saw ann", "a c", "", "exact"),
        ("the dog , a Dog", "ab de", "", "head"),
        ("the dog of it a man", "abcd ef", "", "none"),
        ("so we ran", "b", "", ""),
        ("", "a b", "", ""),
        ("it It", "", "a b", "exact"),  # with the antecedent given where there is no other
    ],
)
def test_words_are_matched_with_those_of_the_antecedent(words, key, response, wanted):
    assert one(key, response, words=words.split())[-1]["string_match"] == wanted


@pytest.mark.parametrize(
    "text, inside",
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
    document = Document.of_entities("d", [[(at, at + 1)]], words=words)
    (row,) = rows(table_of(document, document.with_entities(())))
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
    row = rows(table_of(*sides))[1]
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
    first, second = rows(table_of(*sides))
    assert first["mention"] == second["antecedent"] == "both … went"


def test_texts_without_words_have_rows_without_words():
    row = one("a b", "a")[1]
    blank = ("mention", "given", "antecedent", "key_name", "response_name", "string_match")
    assert [row[name] for name in blank] == [""] * len(blank)
    assert (row["type"], row["type_guessed"], row["quotation"]) == ("unknown", False, False)
    assert (row["sentence"], row["distance_sentences"]) == (None, None)
    assert row["fix"] == "add it to response entity 1"


def test_names_of_mentions_are_no_words():
    """In notation the names stand for mentions, and are told as such."""
    row = first_row("a b", "", words=["it", "Ann"], named_mentions=True)
    assert row["mention"] == "it"
    assert (row["type"], row["sentence"], row["string_match"]) == ("unknown", None, "")


def test_a_mention_listed_again_has_a_row_that_removes_it():
    """The response lists b in its first entity and again in its second."""
    (row,) = one("a b | c d", "a b | b c d", words="abcd")
    assert (row["class"], row["id"]) == ("duplicated", "d:1-2:r")
    assert (row["key_entity"], row["response_entity"], row["response_size"]) == (None, 2, 2)
    assert row["fix"] == "remove the repetition from response entity 2 (c)"
    assert (row["given"], row["given_right"]) == ("", False)


def test_where_repeats_count_there_are_classes_and_no_kinds():
    result = scored_letters("a b | c d", "a b | b c", repeats="all")
    found = rows(error_table(result.comparison))
    assert [(row["class"], row["kind"]) for row in found] == [
        ("duplicated", ""),
        ("incorrectly resolved", ""),
        ("missing", ""),
    ]
    fix, *others = (row["fix"] for row in found)
    assert re.fullmatch(r"remove .* response entity 2 \(b\)", fix)
    assert others == ["", ""]
    assert {row["operation"] for row in found} == {None}


def test_a_document_that_the_response_lacks_has_a_row_for_each_mention():
    key = Corpus(tuple(document for name in "ab" for document in lettered("a b", name=name)))
    found = table_of(key, key["b"])
    assert found["document"].tolist() == ["a", "a"]
    assert found["document"].cat.categories.tolist() == ["a", "b"]
    assert (found["class"] == "missing").all()


@pytest.mark.parametrize(
    "match, classes",
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
    found = rows(table_of(key, response, match=match))
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
    response = key.documents[0].with_entities([(0, 2, "a"), (4, 5, "a")])
    found = table_of(key, response, match="min-span")
    told = [*zip(found["start"], found["response_end"].fillna(0), found["class"], strict=True)]
    assert told == [(0, 2, "incorrectly resolved"), (4, 5, "spurious"), (5, 0, "missing")]


def test_an_id_is_numbered_where_a_span_stands_twice():
    """The response lists c in three entities, once with the key's."""
    found = one("a c", "a c | b c | c d", words="abcd")
    assert [row["id"] for row in found] == ["d:1-2:r", "d:2-3:r", "d:2-3:r:2", "d:3-4:r"]


# Split antecedents in the error table: key's set against the response's ---------------------------

KIND = f'kind:"{WRONG_SPLIT_ANTECEDENT}"'


def scored(key=plurals.KEY, response=plurals.RESPONSE, **policies):
    return score(read_bytes(key, "key"), read_bytes(response, "a"), **policies)


def test_sets_that_are_partly_right_missing_or_spurious_are_errors():
    found = scored().error_table.set_index("mention")
    assert set(found["kind"]) == {WRONG_SPLIT_ANTECEDENT}
    sets = found[["given_split", "antecedent_split"]].apply(tuple, axis="columns").to_dict()
    assert sets == {
        "They": ("Mia and Ben", "Mia and Tom"),  # "them", Ann and Ben, is right
        "The two": ("", "Mia and Ann"),
        "We": ("Tom and Ann", ""),
    }
    assert found["fix"].to_dict() == {
        "They": "refer it to Mia and Tom together, not to Mia and Ben",
        "The two": "refer it to Mia and Ann together",
        "We": "refer it to no other entities, not to Tom and Ann",
    }
    assert set(found["class"]) == {"correct"}


def test_a_query_finds_them_and_what_they_should_be():
    result = scored()
    assert len(result.find(KIND)) == 3
    assert [*result.find("split:tom given.split:ben", order="text").table["mention"]] == ["They"]


def test_a_missing_mention_keeps_its_kind_beside():
    without = plurals.RESPONSE.replace(b"[[19, 20]]", b"[[20, 20]]").replace(b"[[24, 24]]", b"[]")
    found = scored(response=without).error_table.set_index("mention")
    assert found.loc["The two", "kind"] == f"span error, {WRONG_SPLIT_ANTECEDENT}"


def test_other_numbers_of_the_table_stay():
    response = plurals.RESPONSE.replace(b"[[0, 0], [11, 11]]", b"[[0, 0], [9, 9]]")
    response = response.replace(b"[[9, 9]],", b"[[11, 11]],", 1)
    with_, without = (
        scored(response=response, split_antecedents=of).error_table for of in ("score", "drop")
    )
    alone = with_[with_["kind"] != WRONG_SPLIT_ANTECEDENT].reset_index(drop=True)
    same = [name for name in without if name not in ("kind", "fix")]
    pd.testing.assert_frame_equal(alone[same], without[same])


# Credit of S, scores by type, split antecedents alone ---------------------------------------------


def assert_credits_add_up(result):
    """To the numerators and denominators, which an oracle in fractions has too."""
    for metric in METRICS:
        plurals = result.compared[metric.id].plurals
        if plurals is None:
            continue
        counts = counts_of(metric, result.compared[metric.id], result.policies).total()
        for side in ("recall", "precision"):
            credit, possible = np.zeros((2, counts.recall_numerator.shape[1]))
            for unit in credit_with_plurals(plurals, metric, side=side):
                credit[unit.part] += unit.credit.sum()
                possible[unit.part] += unit.possible.sum()
                assert unit.credit.min(initial=0) >= -1e-12
            for own, name in ((credit, "numerator"), (possible, "denominator")):
                whole = getattr(counts, f"{side}_{name}")[0]
                np.testing.assert_allclose(own, whole, atol=1e-12, err_msg=f"{metric.id} {side}")


@given(sides(), sides(), st.sampled_from(["keep", "drop"]))
def test_credits_of_mentions_and_plurals_add_up_to_the_counts(key, response, singletons):
    result = score(corpus(*key), corpus(*response), singletons=singletons)
    assert_credits_add_up(result)


@given(sides(), sides(), sides(), sides(), st.sampled_from(["keep", "drop"]))
def test_parts_by_type_add_up_to_each_score(a, b, c, d, singletons):
    key, response = (
        Corpus((*corpus(*one, "d").documents, *corpus(*other, "e").documents))
        for one, other in ((a, c), (b, d))
    )
    result = score(key, response, singletons=singletons)
    sums = by_type(result).groupby(["metric", "side"])["part"].sum()
    for (metric, side), whole in sums.items():
        assert whole == pytest.approx(getattr(result[metric], side), abs=1e-12)


def test_types_are_those_of_mentions_and_of_plurals():
    table = by_type(scored())
    lea = table[(table["metric"] == "lea") & (table["side"] == "recall")].set_index("type")
    assert lea["mentions"].to_dict() == {
        "pronoun": 5,
        "name": 4,
        "nominal": 1,
        "split antecedent": 3,
    }
    assert lea["part"].sum() == pytest.approx(scored()["lea"].recall)


F = Fraction

# {a,b} {c,d} {e} {S,f,g}, S = [ab, cd]; T = [ab, e]: what S earns, S with f and g in one cell
WORKED = {
    "muc": (F(1, 2) / 2, F(1, 2) / 2),
    "bcub": (F(5, 2) * F(1, 2) / 3, F(8, 3) * F(2, 3) / 3),
    "ceafm": (F(4, 7), F(4, 7)),
    "ceafe": (F(1, 2) * 2 / 6, F(1, 2) * 2 / 6),
    "lea": (F(2, 1) * F(1, 2) / 2, F(2, 1) * F(2, 3) / 2),
}


@pytest.mark.parametrize("metric", WORKED)
def test_what_s_earns_in_the_worked_example(metric):
    result = score(KEY, RESPONSE)
    sides_of = (plural_table(result, metric, side=side) for side in ("recall", "precision"))
    own = pd.concat(sides_of).set_index("side")
    assert own["credit"].to_dict() == pytest.approx(
        {"recall": float(WORKED[metric][0]), "precision": float(WORKED[metric][1])}
    )
    assert set(own["antecedents"]) == {"b and c", "b and e"}  # "a" is no name


def test_the_table_names_what_is_aligned():
    lea = plural_table(scored(), "lea").set_index("entity")
    assert lea[["antecedents", "aligned"]].apply(tuple, axis="columns").to_dict() == {
        "They": ("Mia and Tom", "Mia and Ben"),
        "them": ("Ann and Ben", "Ann and Ben"),
        "The two": ("Mia and Ann", "Tom and Ann"),
    }
    assert lea.loc["them", ["recall", "precision", "f1", "worth"]].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "response, expected",
    [
        # B³ of [ab, cd] against [ab, e]: 2 of 4 mentions, 2 of 3
        (RESPONSE, {"bcub": [1 / 2, 2 / 3, 4 / 7], "ceafe": [1 / 2, 1 / 2, 1 / 2]}),
        (corpus([[0, 1], [2, 3], [4], [5, 6]]), {"bcub": [0, 0, 0], "ceafe": [0, 0, 0]}),
    ],
)
def test_split_antecedents_alone(response, expected):
    table = by_use(score(KEY, response))
    found = table[table["use"] == "alone"].set_index("metric")[["recall", "precision", "f1"]]
    for metric, ratios in expected.items():
        assert found.loc[metric].fillna(0).tolist() == pytest.approx(ratios)


def test_scores_with_and_without_are_those_of_the_policy():
    table = by_use(scored()).set_index(["use", "metric"])["f1"]
    for use, policy in (("scored", "score"), ("dropped", "drop")):
        whole = scored(split_antecedents=policy)
        for metric in (*(one.id for one in METRICS), "conll"):
            assert table[use, metric] == pytest.approx(whole[metric].f1, abs=1e-12)


def test_without_any_there_is_nothing_to_tell():
    result = scored(split_antecedents="drop")
    assert result.error_table.empty
    assert "given_split" not in result.error_table
    assert plural_table(result, "lea").empty
    assert by_use(result).empty
    assert "split antecedent" not in set(by_type(result)["type"])


def test_where_a_mention_counts_twice_credit_is_refused():
    twice = plurals.RESPONSE.replace(b"[[13, 13]]", b"[[13, 13], [4, 4]]")
    assert by_type(scored(response=twice))["part"].notna().all()  # the first entity counts
    with pytest.raises(PolicyError, match="type expects each span once"):
        by_type(scored(response=twice, repeats="all"))
    with pytest.raises(PolicyError, match="antecedents expects each span once"):
        plural_table(scored(response=twice, repeats="all"), "lea")
