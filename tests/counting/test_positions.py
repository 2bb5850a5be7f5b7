"""Empty nodes of the key and of several responses on one set of positions."""

from corescore import Corpus, score
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
