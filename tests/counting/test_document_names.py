"""Documents with other names on both sides."""

import re

import pytest

from corescore import Corpus, Document, InputError, score
from corescore.counting.pairing import pair_documents, paired_by_name, spellings
from corescore.counting.policies import Policies


def corpus(names, file="", **texts):
    """Documents of these names, with a mention each; over a text where one is given."""
    rows = [(0, 1, 0)]
    documents = (
        Document.of_rows(name, rows, words=texts.get(name, "").split(), file=file)
        for name in names.split("|")
    )
    return Corpus(tuple(documents), file)


def matched(key, response, words="error"):
    """The names that are matched, and the warnings."""
    pairs, warnings = paired_by_name(key, response, words)
    return {name: document.name for name, document in pairs.items()}, warnings


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", "x_0"),
        ("x; part 3", "x_3"),
        ("x", "(x); part 000"),
        ("x", "x; part 0"),
        ("x; part 3", "(x); part 003"),
        ("105_persuasion_brat", "105_persuasion"),
        ("105_persuasion_brat", "105_persuasion.txt"),
        ("105_persuasion", "105_persuasion_brat_0"),
        ("bc/cctv/00/cctv_0001", "cctv_0001"),
        ("bc/cctv/00/cctv_0001", "bc/cctv/00/cctv_0001_0"),
        ("dev.conll:x", "x"),
        ("x.v4_gold_conll", "x"),
        ("X", "x"),
    ],
)
def test_spellings_of_one_name_are_matched(one, other):
    assert matched(corpus(one), corpus(other))[0] == {one: other}
    assert matched(corpus(other), corpus(one))[0] == {other: one}


@pytest.mark.parametrize(
    ("one", "other"),
    [("x", "x_1"), ("x; part 1", "x; part 2"), ("x_1", "x_2"), ("a", "b"), ("x", "; part 1")],
)
def test_other_names_are_not_matched(one, other):
    assert matched(corpus(one), corpus(other)) == ({}, [])


@pytest.mark.parametrize(
    "name", ["", "()", "; part 1", "/", "part 1", ".txt", "((x", "part " + "9" * 5000]
)
def test_any_name_has_spellings(name):
    assert all(spelling for spelling, _ in spellings(name[:4000]))


def test_exact_names_are_matched_first_and_in_silence():
    assert matched(corpus("x|x_0"), corpus("x_0|x")) == ({"x": "x", "x_0": "x_0"}, [])
    assert matched(corpus("x|y"), corpus("x|x_0")) == ({"x": "x"}, [])


def test_a_match_must_be_the_only_one_in_both_directions():
    assert matched(corpus("a/x|b/x"), corpus("x")) == ({}, [])
    assert matched(corpus("x"), corpus("a/x|b/x")) == ({}, [])
    assert matched(corpus("a/x|b/y"), corpus("x|y"))[0] == {"a/x": "x", "b/y": "y"}


def test_one_warning_says_how_names_were_matched():
    names = [f"{letter}{i}" for letter in "ab" for i in range(4)]
    key, response = corpus("|".join(names)), corpus("|".join(f"{n}_0" for n in names), "r.jsonl")
    (warning,) = score(key, response).warnings
    assert warning == (
        "r.jsonl has other names of documents than the key: 'a0_0' is matched with 'a0', 'a1_0' is "
        "matched with 'a1', 'a2_0' is matched with 'a2', 'a3_0' is matched with 'a3', 'b0_0' is "
        "matched with 'b0' and 3 more."
    )


def test_documents_that_say_the_same_are_matched():
    key = corpus("a|b|c", a="He ca n't", b="She can", c="They")
    response = corpus("1|2|3", "r.json", **{"1": "She can", "2": "He can't", "3": "We"})
    names, (warning,) = matched(key, response)
    assert names == {"a": "2", "b": "1"}
    assert re.fullmatch(
        r"r\.json .*: '2' is matched with 'a' and '1' is matched with 'b', .* the same text\.",
        warning,
    )


def test_a_text_that_stands_twice_is_not_matched():
    assert matched(corpus("a|b", a="He can", b="He can"), corpus("1", **{"1": "He can"})) == (
        {},
        [],
    )


def test_the_only_documents_are_matched_if_their_texts_align():
    key, response = (
        corpus("a", a="He can not see"),
        corpus("1", "r.json", **{"1": "He could not see"}),
    )
    names, (warning,) = matched(key, response, "align")
    assert names == {"a": "1"}
    assert warning.endswith(": '1' is matched with 'a', the only document of the key.")
    for words in ("error", "ignore"):
        with pytest.raises(InputError, match="none of which"):
            pair_documents(key, response, Policies(words=words))


def test_the_only_documents_are_refused_if_their_texts_do_not_align():
    key, response = corpus("a", a="He can not see"), corpus("1", **{"1": "Quiz du jour"})
    with pytest.raises(InputError, match="none of which"):
        pair_documents(key, response, Policies(words="align"))
    with pytest.raises(InputError, match="none of which"):
        pair_documents(corpus("a"), corpus("1"), Policies(words="align"))


def test_a_matched_document_keeps_its_name_and_scores_as_under_the_keys():
    key, response = corpus("x|y", x="a b", y="c"), corpus("y_0|x_0", x_0="a b", y_0="c")
    found = score(key, response)
    assert found.documents == ("x", "y")
    assert [document.name for document in found.comparison.response] == ["x_0", "y_0"]
    assert found["mentions"].f1 == 1


def test_credit_and_errors_of_a_matched_document_stand_under_the_keys_name():
    key, response = corpus("x", x="a b"), corpus("x_0", x_0="a b")
    found = score(key, response)
    for side in ("recall", "precision"):
        assert set(found.credit("bcub", side=side, documents=["x"])["document"]) == {"x"}
        assert [document.name for document in found.comparison.view(side).documents] == ["x"]


def test_the_only_documents_of_files_of_one_name_are_matched():
    key = corpus("a/story|b/tale|c/x|c/y", **{"a/story": "it", "c/x": "he", "c/y": "she"})
    response = corpus("a|b|c", a="its", b="her", c="him")
    names, (warning,) = matched(key, response, "ignore")
    assert names == {"a/story": "a", "b/tale": "b"}
    assert warning.endswith(", by the names of their files.")


def test_words_of_matched_documents_must_be_the_same():
    with pytest.raises(InputError, match="'x_0' has 'd' as word 2; expected 'b'"):
        pair_documents(corpus("x", x="a b"), corpus("x_0", x_0="a d"))
