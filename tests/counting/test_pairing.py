"""Which response document belongs to which key document, also under other names."""

import re
from dataclasses import replace

import pytest

from corescore import Corpus, Document, InputError, score
from corescore.corpus.documents import EmptyNode
from corescore.corpus.files import read_bytes
from corescore.counting.pairing import pair_documents, paired_by_name, spellings
from corescore.counting.policies import Policies
from tests.support import messages

# Which response document belongs to which key document --------------------------------------------


def conll(words, file, name="d"):
    rows = "".join(f"{name} 0 {at} {word} -\n" for at, word in enumerate(words.split()))
    return read_bytes(f"#begin document ({name})\n{rows}#end document\n".encode(), file)


def bracketed(cells, words, file="r.conll"):
    """A document with these cells in the last column: `(1 1) -` for a mention of two words."""
    rows = zip(words.split(), cells.split(), strict=True)
    text = "".join(f"d 0 {at} {word} {cell}\n" for at, (word, cell) in enumerate(rows))
    return read_bytes(f"#begin document (d)\n{text}#end document\n".encode(), file)


def notation(text, file="key.txt"):
    return read_bytes(text.encode(), file, format="notation")


def message_of(key, response, **policies):
    return messages.message_of(pair_documents, key, response, Policies(**policies))


def test_a_missing_document_is_an_empty_one_over_the_same_words():
    key = conll("a b", "key.conll")
    pairing = pair_documents(key, Corpus(()))
    assert (pairing.response[0].words, pairing.response[0].mentions) == (("a", "b"), ())
    assert pairing.warnings == (
        "the response is missing 1 document ('d') of the key: scored as an empty response.",
    )
    many = notation("\n".join("{a}" for _ in range(7)))
    (warning,) = pair_documents(many, Corpus((many["1"],))).warnings
    assert "is missing 6 documents ('2', '3', '4', '5', '6' and 1 more)" in warning


def test_every_missing_document_is_a_problem_where_they_are_refused():
    key = notation("{a}\n{b}\n{c}")
    message = message_of(key, notation("{a}", "r.txt"), missing_documents="error")
    assert message == (
        "r.txt: no document '2'; expected every document of the key (key.txt). "
        "Add the document, or score it as empty with --missing-documents empty "
        "(missing_documents='empty').\nr.txt: no document '3'."
    )


def test_corpora_without_a_common_document_are_refused():
    key = read_bytes(b'{"doc_key": "x", "sentences": [["a"]], "clusters": []}', "key.json")
    response = read_bytes(b'{"doc_key": "y", "sentences": [["b"]], "clusters": []}', "r.json")
    message = message_of(key, response)
    assert message == (
        "r.json: documents such as 'y', none of which the key has; expected documents such as 'x' "
        "(key.json). Give the documents of both files the same names (without one, it is the "
        "name of the file). If the texts are nearly the same, score with --words align "
        "(words='align') instead."
    )
    names = message_of(notation("# x\n{a}"), notation("# y\n{a}", "r.txt"))
    aligned = message_of(key, response, words="align")
    several = message_of(notation("# x\n{a}\n# z\n{a}"), notation("# y\n{a}", "r.txt"))
    no_words = read_bytes(b'{"doc_key": "y", "clusters": []}', "r.json")
    wordless = message_of(conll("a b", "key.conll"), no_words)
    assert "align" not in names + aligned + several + wordless


def test_the_first_word_that_differs_is_named_with_both_lines():
    message = message_of(conll("a b c", "key.conll"), conll("a x c", "r.conll"))
    assert message == (
        "r.conll:3: document 'd' has 'x' as word 2; expected 'b', as in the key (key.conll:3). "
        "Key and response must be over the same words. If the texts are nearly the same, score "
        "with --words align (words='align'), which maps positions over characters, or with "
        "--words ignore (words='ignore'), which compares mentions by position, whatever the words."
    )


def test_a_side_that_stops_early_is_refused():
    long, short = conll("a b c", "long.conll"), conll("a b", "short.conll")
    for key, response, said in (
        (
            long,
            short,
            r"short\.conll:3: .* ends after 2 words; expected 'c', .*\(long\.conll:4\)\.",
        ),
        (short, long, r"long\.conll:4: .* 'c' as word 3; .* after 2 words, .*\(short\.conll:3\)\."),
    ):
        message = message_of(key, response)
        assert re.match(said, message)
        assert "'align'" in message
        assert "'ignore'" not in message  # the sides have not as many words


def test_a_problem_for_each_document_whose_words_differ():
    key, response = (
        Corpus(tuple(corpus("x|y|z", file, **dict(zip("xyz", texts, strict=True)))))
        for file, texts in (("k", "abc"), ("r", "1b3"))
    )
    lines = message_of(key, response).split("\n")
    assert [line.split(" has ")[0] for line in lines] == ["r: document 'x'", "r: document 'z'"]


def test_names_and_spans_are_not_compared():
    message = message_of(conll("a", "key.conll", "1"), notation("{a}", "r.txt"))
    assert message.startswith("r.txt: document '1' has mentions that are only names; expected")
    assert "(key.conll)" in message


def test_one_name_is_one_mention_wherever_it_stands():
    pairing = pair_documents(notation("{a b} {c}"), notation("{c d} {b a}"))
    (key,), (response,) = pairing.key, pairing.response
    assert key.words == response.words
    assert {response.text(m) for m in {*key.mentions} & {*response.mentions}} == {"a", "b", "c"}
    entities = {frozenset(map(response.text, entity)) for entity in response.entities}
    assert entities == {frozenset("ab"), frozenset("cd")}


# --- Words ----------------------------------------------------------------------------------------


def spans(document):
    return [*map(tuple, document.spans.tolist())]


def without_words(*mentions, name="d"):
    rows = [(start, end, 0) for start, end in mentions]
    return Corpus((Document.of_rows(name, rows, file="bare.json"),), "bare.json")


def test_ignored_words_leave_positions_as_they_are_and_are_warned_of():
    key, response = bracketed("(1 1) - (1)", "a b c d"), bracketed("(1 1) - (1)", "x y c z")
    pairing = pair_documents(key, response, Policies(words="ignore"))
    assert spans(pairing.response[0]) == spans(pairing.key[0]) == [(0, 2), (3, 4)]
    (warning,) = pairing.warnings
    assert re.fullmatch(
        r"r\.conll has text that differs from the key in 1 document \('d'\): .* by position\.",
        warning,
    )


def test_a_response_without_words_counts_the_empty_nodes_of_its_key_and_says_so():
    (plain,) = conll("a b c", "key.conll")
    key = Corpus((replace(plain, empty_nodes={1: EmptyNode(1)}),))
    pairing = pair_documents(key, without_words((0, 2)))
    (response,) = pairing.response
    assert [response.text(mention) for mention in response.mentions] == ["a ∅b"]
    assert pairing.warnings == (
        "bare.json has no words in 1 document ('d'): its positions are taken to count the key's "
        "empty nodes as words.",
    )


@pytest.mark.parametrize("words", ["error", "align"])
def test_positions_past_the_words_of_the_other_side_are_refused(words):
    text, bare = conll("a b c", "text.conll"), without_words((0, 1), (2, 4))
    expected = (
        "bare.json: document 'd' has no words, and a mention up to word 4; expected at most 3 "
        "words, as in text.conll."
    )
    assert message_of(text, bare, words=words).startswith(expected)
    assert message_of(bare, text, words=words).startswith(expected)
    assert pair_documents(text, bare, Policies(words="ignore")).response == bare.documents


def test_aligned_words_are_warned_of_with_numbers_and_examples():
    key = bracketed("(1) - (2 2) -", "Obama's very big colour .", "key.conll")
    response = bracketed("(4) (1) (3) (2 2)", "uh Obama 's big color")
    pairing = pair_documents(key, response, Policies(words="align"))
    assert pairing.warnings == (
        "r.conll has text that differs from the key in 1 document ('d'): mapped over characters. "
        "Its text has 1 word changed ('color' for 'colour'), 1 word added ('uh') and 2 words "
        "dropped ('very', '.').",
        "r.conll: 2 mentions do not begin and end with words of the key. The smallest covering "
        "words are taken: 'Obama' → 'Obama's', ''s' → 'Obama's'.",
        "r.conll: 1 mention of words that are not in the key, left out of scoring: 'uh'.",
        "r.conll: 1 mention with the same key words as another mention, so listed twice: ''s'.",
    )
    assert spans(pairing.response[0]) == [(0, 1), (0, 1), (2, 4)]


def test_words_of_another_text_are_not_aligned():
    key, response = conll("a rose is red", "key.conll"), conll("quite 12 pm now", "r.conll")
    assert message_of(key, response, words="align") == (
        "r.conll: document 'd' has 10% of its characters in common with the key's; expected "
        "nearly the same text, as in key.conll. Check that both files have the same documents."
    )


def test_the_advice_says_where_both_have_the_same_characters():
    message = message_of(conll("He left /.", "key.conll"), conll("He left .", "r.conll"))
    said = (
        "Both have the same characters, in another tokenisation or notation (such as '/.' for "
        "'.'): with --words align (words='align'), positions are mapped over characters."
    )
    assert said in message
    assert "'ignore'" not in message


def test_a_missing_document_can_be_left_out_with_a_warning():
    key, response = corpus("a|b"), corpus("b")
    pairing = pair_documents(key, response, Policies(missing_documents="skip"))
    assert [document.name for document in pairing.key] == ["b"]
    assert pairing.response == response.documents
    (warning,) = pairing.warnings
    assert warning.endswith(
        "is missing 1 document ('a') of the key: left out, which raises the score."
    )


# Documents with other names on both sides ---------------------------------------------------------


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
    return paired_by_name(key, response, words)


@pytest.mark.parametrize(
    "one, other",
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
    "one, other, found",
    [
        *(
            (*of, {})
            for of in (
                ("x", "x_1"),
                ("x_1", "x_2"),
                ("a", "b"),
                ("x", "; part 1"),
                ("a/x|b/x", "x"),
            )
        ),
        ("x; part 1", "x; part 2", {}),
        ("x", "a/x|b/x", {}),
        ("a/x|b/x", "x", {}),
        ("x|x_0", "x_0|x", {"x": "x", "x_0": "x_0"}),
        ("x|y", "x|x_0", {"x": "x"}),
    ],
)
def test_other_names_are_not_matched_and_exact_ones_first_and_in_silence(one, other, found):
    assert matched(corpus(one), corpus(other)) == (found, [])


@pytest.mark.parametrize(
    "name", ["", "()", "; part 1", "/", "part 1", ".txt", "((x", "part " + "9" * 5000]
)
def test_any_name_has_spellings(name):
    assert all(spelling for spelling, _ in spellings(name[:4000]))


def test_a_match_must_be_the_only_one_in_both_directions():
    assert matched(corpus("a/x|b/y"), corpus("x|y"))[0] == {"a/x": "x", "b/y": "y"}
    twice, once = corpus("a|b", a="He can", b="He can"), corpus("1", **{"1": "He can"})
    assert matched(twice, once) == ({}, [])


def test_one_warning_says_how_names_were_matched():
    names = [f"{letter}{i}" for letter in "ab" for i in range(4)]
    key, response = corpus("|".join(names)), corpus("|".join(f"{n}_0" for n in names), "r.jsonl")
    (warning,) = score(key, response).warnings
    assert warning == (
        "r.jsonl has document names that differ from the key: 'a0_0' is matched with 'a0', 'a1_0' "
        "is matched with 'a1', 'a2_0' is matched with 'a2', 'a3_0' is matched with 'a3', 'b0_0' is "
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
    for side in ("recall", "precision"):
        assert set(found.credit("bcub", side=side)["document"]) == {"x", "y"}
        assert [document.name for document in found.comparison.view(side).documents] == ["x", "y"]
    with pytest.raises(InputError, match="'x_0' has 'd' as word 2; expected 'b'"):
        score(key, corpus("x_0", x_0="a d"))


def test_the_only_documents_of_files_of_one_name_are_matched():
    key = corpus("a/story|b/tale|c/x|c/y", **{"a/story": "it", "c/x": "he", "c/y": "she"})
    response = corpus("a|b|c", a="its", b="her", c="him")
    names, (warning,) = matched(key, response, "ignore")
    assert names == {"a/story": "a", "b/tale": "b"}
    assert warning.endswith(", by the names of their files.")
