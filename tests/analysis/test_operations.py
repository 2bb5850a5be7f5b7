"""Errors of entities: the operations that turn the response into the key."""

import pytest
from hypothesis import given

from corescore import Corpus, Document, PolicyError, read, score
from corescore.analysis.errors.operations import KINDS, OPERATION_OF
from corescore.analysis.errors.tables import operation_table
from tests.support.damaged import carried_out, partition, span_corpora
from tests.support.samples import RESPONSES, first_files
from tests.support.strategies import corpora_of, pair_corpora

SAMPLE = first_files(6)


def table_of(key, response, **policies):
    return operation_table(score(key, response, **policies).comparison)


def one(key, response, words=()):
    """The operation table of one document, its entities given as collections of spans."""
    sides = (Document.of_entities("d", entities, words=words) for entities in (key, response))
    return table_of(*(Corpus((side,)) for side in sides))


def words(*positions):
    """Spans of one word."""
    return [(at, at + 1) for at in positions]


def told(table):
    return [*zip(table["kind"], table["spans"], table["target"], strict=True)]


def assert_leads_to_the_key(key, response):
    table = table_of(key, response)
    for document in key:
        rows = table[table["document"] == document.name]
        assert carried_out(response[document.name], rows) == partition(document)


@given(span_corpora())
def test_the_operations_carried_out_in_full_give_the_key(corpora):
    assert_leads_to_the_key(*corpora)


@given(pair_corpora())
def test_they_do_so_on_partitions_of_words(pairs):
    assert_leads_to_the_key(*corpora_of(pairs))


@pytest.mark.parametrize("name", RESPONSES)
def test_they_do_so_on_every_sample_document(name):
    assert_leads_to_the_key(read(SAMPLE / "key.conll"), read(SAMPLE / f"{name}.conll"))


@given(span_corpora())
def test_a_response_that_is_the_key_needs_no_operation(corpora):
    assert len(table_of(corpora[0], corpora[0])) == 0


@given(span_corpora())
def test_operations_stand_in_order_and_are_numbered(corpora):
    table = table_of(*corpora)
    for _, rows in table.groupby("document", observed=True):
        assert rows["order"].tolist() == [*range(1, len(rows) + 1)]
        assert rows["kind"].cat.codes.is_monotonic_increasing
    for _, rows in table.groupby(["document", "kind"], observed=True):
        places = [(start, -end) for ((start, end), *_) in rows["spans"]]
        altered = rows["target"] if (rows["operation"] == "alter span").all() else []
        places = [(start, -end) for start, end in altered] or places
        assert places == sorted(places)
    assert [OPERATION_OF[kind] for kind in table["kind"]] == table["operation"].tolist()


def test_a_part_of_another_key_entity_is_split_off_and_the_largest_part_stays():
    """Key {0 1} {2 3 4}, response {0 1 2 3 4}: the first two leave."""
    table = one([words(0, 1), words(2, 3, 4)], [words(0, 1, 2, 3, 4)])
    assert told(table) == [("conflated entities", ((0, 1), (1, 2)), None)]
    assert table[["key_entity", "response_entity"]].values.tolist() == [[1, 1]]


def test_of_parts_as_large_the_first_in_the_text_stays():
    table = one([words(0, 2), words(1, 3)], [words(0, 1, 2, 3)])
    assert told(table) == [("conflated entities", ((1, 2), (3, 4)), None)]


def test_a_part_joins_the_largest_part_of_its_key_entity():
    table = one([words(0, 1, 2)], [words(0), words(1, 2)])
    assert told(table) == [("divided entity", ((0, 1),), (1, 2))]


def test_a_mention_the_key_lacks_is_extra_and_so_is_an_entity_of_such():
    table = one([words(0)], [words(0, 1), words(2, 3)])
    assert told(table) == [
        ("extra mention", ((1, 2),), None),
        ("extra entity", ((2, 3), (3, 4)), None),
    ]
    assert table["key_entity"].isna().all()


def test_a_mention_the_response_lacks_is_missing_and_so_is_an_entity_of_such():
    table = one([words(0, 1), words(2, 3)], [words(0)])
    assert told(table) == [
        ("missing mention", ((1, 2),), (0, 1)),
        ("missing entity", ((2, 3), (3, 4)), None),
    ]
    assert table["response_entity"].isna().all()


def test_a_span_is_altered_first_and_its_mention_is_then_a_part_like_any():
    """Response (0, 3) stands for key (0, 2): no extra, no missing mention, but a divided entity."""
    table = one([[(0, 2), (4, 5)]], [[(0, 3)], [(4, 5)]], words=("the", "dog", "barks", "at", "it"))
    assert told(table) == [
        ("span error", ((0, 3),), (0, 2)),
        ("divided entity", ((4, 5),), (0, 2)),
    ]


def test_entities_that_overlap_through_others_are_one_group():
    """Key {0 1} {2 3} {4}, response {1 2} {5}: the third and the fourth group stand alone."""
    table = one([words(0, 1), words(2, 3), words(4)], [words(1, 2), words(5)])
    group = dict(zip(table["spans"], table["group"], strict=True))
    assert group == {
        ((0, 1),): 1,
        ((2, 3),): 1,
        ((3, 4),): 1,
        ((4, 5),): 2,
        ((5, 6),): 3,
    }


def test_entities_are_numbered_as_in_their_documents_when_singletons_are_dropped():
    key, response = (
        Corpus((Document.of_entities("d", e),)) for e in ([words(0), words(1, 2)], [words(1)])
    )
    table = table_of(key, response, singletons="drop")
    assert table["key_entity"].tolist() == [2]


def test_a_span_listed_twice_is_refused_where_repeats_stand():
    twice = Corpus((Document.of_entities("d", [words(0, 1), words(0, 2)]),))
    with pytest.raises(PolicyError, match="repeats"):
        table_of(twice, twice, repeats="all")
    assert len(table_of(twice, twice)) == 0


def test_every_kind_has_an_operation():
    assert len(KINDS) == 7
    assert list(dict.fromkeys(OPERATION_OF.values())) == [
        *("alter span", "split", "remove", "introduce", "merge")
    ]
