"""Empty nodes of the key and of several responses on one set of positions."""

import pytest

from corescore import Corpus, Document, score
from corescore.corpus.documents import Attributes, EmptyNode
from corescore.counting.sides import with_positions_of, without_absent
from tests.support.zeros import with_zeros

KEY = with_zeros({(1, 1): (0, [(1, "nsubj")]), (3, 1): (0, [(3, "nsubj")])})
EARLY = with_zeros({(0, 1): (0, [(0, "obj")]), (3, 1): (0, [(3, "nsubj")])})
LATE = with_zeros({(3, 1): (0, [(3, "nsubj")]), (4, 1): (0, [(2, "obj")])})


def test_responses_with_other_empty_nodes_are_compared_over_one_key():
    a, b = (score(Corpus((KEY,)), Corpus((document,))) for document in (EARLY, LATE))
    assert a.comparison.key != b.comparison.key
    found = a.compare(b, trials=10).significance
    assert found["difference"].abs().max() == 0


def test_a_key_with_the_empty_nodes_of_all_responses_keeps_its_positions():
    responses = [Corpus((document,)) for document in (EARLY, LATE)]
    key = with_positions_of(Corpus((KEY,)), responses)
    a, b = (score(key, response) for response in responses)
    assert a.comparison.key == b.comparison.key == key.documents
    assert len(key["d"].words) == 4 + 4  # words, and empty nodes after 0, 1, 3 and 4 of them
    plain = score(Corpus((KEY,)), responses[0])
    assert a.table.equals(plain.table)
    assert without_absent(key["d"]) == KEY


@pytest.mark.parametrize("zeros", ["dependent", "linear"])
def test_a_key_without_words_has_the_positions_of_a_response_with_empty_nodes(zeros):
    bare = Document.of_rows("d", KEY.rows)
    found = score(Corpus((bare,)), Corpus((KEY,)), zeros=zeros)
    assert found.table.loc["muc", "f1"] == 1
    assert found.comparison.key[0].words == KEY.words


@pytest.mark.parametrize("swapped", [False, True])
def test_a_side_without_words_may_have_positions_beyond_those_of_words_that_are_ignored(swapped):
    bare = Document.of_rows("d", [(0, 1, 0), (len(KEY.words), len(KEY.words) + 1, 0)])
    key, response = (bare, KEY) if swapped else (KEY, bare)
    found = score(Corpus((key,)), Corpus((response,)), words="ignore").comparison
    assert (found.key, found.response) == ((key,), (response,))


def test_an_empty_node_of_the_other_side_is_no_part_of_a_mention_around_it():
    key = Document.of_rows("d", [(0, 1, 0)], words=["a", "*", "b"], empty_nodes={1: EmptyNode(1)})
    response = Document.of_rows("d", [(0, 2, 0)], words=["a", "b"])
    (found,) = score(Corpus((key,)), Corpus((response,))).comparison.response
    assert found.words == ("a", "*", "b")
    assert [mention.runs for mention in found.mentions] == [((0, 1), (2, 3))]
    assert without_absent(found) == response


def test_what_is_left_of_a_minimum_span_without_its_empty_node_stays():
    attributes = Attributes.of(1, head=[2], minimum=[(1, 3)])
    nodes = {1: EmptyNode(1)}
    both = Document.of_rows(
        "d", [(0, 3, 0)], words=["a", "*", "b"], attributes=attributes, empty_nodes=nodes
    )
    comparison = score(Corpus((both,)), Corpus((both,)), zeros="drop").comparison
    (found,) = comparison.key
    assert found.spans.tolist() == [[0, 2]]
    assert found.attributes.head.tolist() == [1]
    assert found.attributes.minimum.tolist() == [[1, 2]]
