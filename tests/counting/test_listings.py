"""The tenth empty node after a word, whose number the CorefUD scorer takes for a decimal one."""

from corescore import Corpus, score
from tests.support.zeros import with_zeros

FIRST, TENTH = (1, 1), (1, 10)


def f1(key, response, **policies):
    sides = (Corpus((document,)) for document in (key, response))
    return score(*sides, repeats="all", **policies)["ceafm"].f1


def test_the_tenth_empty_node_is_the_first_only_where_mentions_are_looked_up():
    """The key's zero is at 1.1, the response's at 1.10, numbered as in CoNLL-U."""
    both = with_zeros({FIRST: (0, [(1, "nsubj")]), TENTH: (1, [(1, "obj")])})
    key, response = both.with_entities([(1, 2, 0)]), both.with_entities([(2, 3, 0)])
    assert f1(key, response, zeros="linear") == 0
    assert f1(key, response, zeros="linear", lookup="table") == 1


def test_a_zero_that_moves_before_others_is_still_found():
    """1.10 stands after 1.2 in the text, and is taken for 1.1, before it."""
    both = with_zeros({number: (0, []) for number in (FIRST, (1, 2), TENTH)})
    key, response = both.with_entities([(2, 3, 0), (3, 4, 0)]), both.with_entities([(1, 2, 0)])
    found = score(
        Corpus((key,)), Corpus((response,)), zeros="linear", repeats="all", lookup="table"
    )
    assert (found["mentions"].recall, found["mentions"].precision) == (1 / 2, 1)
