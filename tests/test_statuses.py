"""What became of each mention."""

from hypothesis import given

from corescore import Document, Mention, score
from corescore.formats import read_bytes
from corescore.pairing import pair_documents
from corescore.statuses import MISSING, RIGHT, SPURIOUS, mention_statuses
from tests.strategies import corpora_of, document_of, partition_pairs

KEY = Document.of_entities("d", [[(0, 2), (4, 5)], [(1, 2)]])
RESPONSE = Document.of_entities("d", [[(0, 2)], [(1, 2), (3, 4)]])


def test_every_mention_of_either_side_has_a_status_in_text_order():
    found = mention_statuses(KEY, RESPONSE)
    assert [(s.mention, s.status) for s in found] == [
        (Mention(0, 2), RIGHT),
        (Mention(1, 2), RIGHT),
        (Mention(3, 4), SPURIOUS),
        (Mention(4, 5), MISSING),
    ]


def test_the_entities_of_both_sides_are_given_and_none_where_a_side_lacks_the_mention():
    found = mention_statuses(KEY, RESPONSE)
    assert [(s.key_entity, s.response_entity) for s in found] == [
        (0, 0),
        (1, 1),
        (None, 1),
        (0, None),
    ]


def test_dropped_singletons_have_no_status():
    found = mention_statuses(KEY, RESPONSE, singletons="drop")
    assert [(s.mention, s.status) for s in found] == [
        (Mention(0, 2), MISSING),
        (Mention(1, 2), SPURIOUS),
        (Mention(3, 4), SPURIOUS),
        (Mention(4, 5), MISSING),
    ]


def test_of_a_span_listed_twice_the_first_entity_counts():
    twice = Document.of_entities("d", [[(0, 1), (3, 4)], [(1, 2), (3, 4)]])
    found = mention_statuses(twice, twice)
    assert [s.key_entity for s in found] == [0, 1, 0]


@given(partition_pairs())
def test_statuses_are_counted_as_mention_identification_counts_them(pair):
    found = [s.status for s in mention_statuses(*map(document_of, pair))]
    mentions = score(*corpora_of([pair]))["mentions"]
    assert found.count(RIGHT) == mentions.recall_numerator
    assert found.count(RIGHT) + found.count(MISSING) == mentions.recall_denominator
    assert found.count(RIGHT) + found.count(SPURIOUS) == mentions.precision_denominator


def test_of_paired_documents_a_mention_that_is_a_name_is_right_wherever_it_stands():
    sides = (read_bytes(text, "toy.txt", format="notation") for text in (b"{a b}", b"{b c}"))
    pairing = pair_documents(*sides)
    found = mention_statuses(pairing.key[0], pairing.response[0])
    assert {pairing.key[0].text(s.mention): s.status for s in found} == {
        "a": MISSING,
        "b": RIGHT,
        "c": SPURIOUS,
    }
