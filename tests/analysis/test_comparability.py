"""Whether two responses can be compared: gold mentions, singletons, documents, words."""

import pytest

from corescore.analysis.systems.comparability import comparability
from corescore.corpus.documents import Corpus, Document
from corescore.counting.policies import Policies
from corescore.scoring.scores import score

WORDS = (
    "the",
    "ferry",
    "left",
    "the",
    "pier",
    "as",
    "its",
    "captain",
    "waved",
    "to",
    "her",
    "crew",
)
FERRY, HARBOUR, ITS, CAPTAIN, HER = (0, 2), (3, 5), (6, 7), (7, 8), (10, 11)
ENTITIES = [[FERRY, ITS], [CAPTAIN, HER], [HARBOUR]]


def corpus(*documents, words=WORDS, file=""):
    """A document "d0", "d1", … for each list of entities; none for None."""
    return Corpus(
        tuple(
            Document.of_rows(
                f"d{at}",
                [(*span, number) for number, of in enumerate(entities) for span in of],
                words=words,
            )
            for at, entities in enumerate(documents)
            if entities is not None
        ),
        file=file,
    )


def found(a, b, *, key=None, **policies):
    of = Policies(**policies)
    key = key or corpus(ENTITIES, ENTITIES)
    return comparability(score(key, a, of), score(key, b, of))


def kinds(*args, **policies):
    return [(one.kind, one.policy, one.value) for one in found(*args, **policies)]


LINKED = [[FERRY, HARBOUR], [CAPTAIN, HER]]
ALL_ALONE = [[span] for span in (FERRY, HARBOUR, ITS, CAPTAIN, HER)]


def test_nothing_speaks_against_two_responses_of_one_kind():
    assert found(corpus(LINKED, LINKED), corpus(LINKED, LINKED[:1])) == ()


def test_all_mentions_of_the_key_and_no_other_on_one_side_only():
    other = corpus([*LINKED, [ITS]], [*LINKED, [(1, 2)]])
    (one,) = found(corpus(ALL_ALONE, ENTITIES), other)
    assert (one.kind, one.policy) == ("gold mentions", "")
    assert one.sentence.startswith("A has all 10 mentions of the key and no other, B has not")
    (turned,) = found(other, corpus(ALL_ALONE, ENTITIES))
    assert turned.sentence.startswith("B has all 10 mentions")


def test_all_mentions_of_the_key_on_both_sides():
    assert found(corpus(ALL_ALONE, ENTITIES), corpus(ENTITIES, ENTITIES)) == ()


@pytest.mark.parametrize("also", [[(1, 2)], [HER]])
def test_one_mention_more_or_less_is_no_sign_of_given_mentions(also):
    entities = [[FERRY, ITS], [HARBOUR], [CAPTAIN], also]
    entities = entities if also != [HER] else entities[:3]
    assert "gold mentions" not in dict.fromkeys(
        one.kind for one in found(corpus(ENTITIES, entities), corpus(LINKED, LINKED))
    )


def test_given_mentions_are_told_where_singletons_are_dropped():
    """Without singletons A, with other entities, no longer has the same mentions as the key."""
    a, b = corpus(ALL_ALONE, ENTITIES), corpus([*LINKED, [ITS]], LINKED)
    assert kinds(a, b, singletons="drop") == [("gold mentions", "", "")]


def test_singletons_on_one_side_only_and_the_policy_that_makes_it_fair():
    a, b = corpus(LINKED, LINKED), corpus([*LINKED, [ITS]], [*LINKED, [(1, 2)]])
    (one,) = found(a, b)
    assert (one.kind, one.policy, one.value) == ("singletons", "singletons", "drop")
    assert one.sentence.startswith("2 entities of B and 0 of A have one mention, 2 entities of the")
    assert found(a, b, **{one.policy: one.value}) == ()


def test_a_document_that_one_response_lacks():
    a, b = corpus(LINKED, LINKED), corpus(LINKED, None)
    (one,) = found(a, b)
    assert (one.kind, one.policy, one.value) == ("documents", "missing_documents", "skip")
    assert one.sentence == (
        "B has no mention in 1 document ('d1'), A has: it lacks documents, which count as empty."
    )


def test_a_document_in_which_one_response_has_no_mention():
    (one,) = found(corpus(LINKED, LINKED), corpus(LINKED, []))
    assert (one.kind, one.policy) == ("documents", "")
    assert one.sentence.endswith("did its system fail?")


def test_a_document_without_mentions_in_the_key_is_none_that_a_response_lacks():
    key = corpus(ENTITIES, [])
    assert found(corpus(LINKED, LINKED), corpus(LINKED, None), key=key) == ()


@pytest.mark.parametrize(
    ("words", "offered"), [("align", ("", "")), ("ignore", ("words", "align"))]
)
def test_another_tokenisation_on_one_side(words, offered):
    other = (*WORDS[:-1], "cr", "ew")
    a, b = corpus(LINKED, LINKED), corpus(LINKED, LINKED, words=other)
    (one,) = found(a, b, words=words)
    assert (one.kind, one.policy, one.value) == ("words", *offered)
    assert one.sentence.startswith("B has other words than the key, A has not")
    both = corpus(LINKED, LINKED[:1], words=other)
    assert found(b, both, words=words) == ()


def test_tallies_without_documents_tell_the_same():
    key, b = corpus(ENTITIES, ENTITIES), corpus([*LINKED, [ITS]], None)
    a, b = score(key, corpus(ALL_ALONE, ENTITIES)), score(key, b)
    assert comparability(a.tally, b.tally) == comparability(a, b) != ()
