"""Errors in sentences."""

from corescore.sentences import errors as sentences


def test_partners_are_listed_in_short():
    assert sentences.some(["a", "b"], 2) == "a · b"
    assert sentences.some(list("abcde"), 1006) == "a · b · c · d and 1,002 more"
    assert sentences.some([], 0).startswith("none")
