"""Which response document belongs to which key document."""

import re
from dataclasses import replace

import pytest

from corescore import Corpus, Document, PolicyError
from corescore.corpus.documents import EmptyNode
from corescore.corpus.files import read_bytes
from corescore.counting.pairing import pair_documents
from corescore.counting.policies import Policies
from tests.support import messages


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


def test_documents_are_paired_by_name_in_the_keys_order():
    pairing = pair_documents(notation("# x\n{a}\n# y\n{b}"), notation("# y\n{b}\n# x\n{a}"))
    assert [document.name for document in pairing.key] == ["x", "y"]
    assert [document.name for document in pairing.response] == ["x", "y"]
    assert pairing.warnings == ()


def test_a_missing_document_is_an_empty_one_over_the_same_words():
    key = conll("a b", "key.conll")
    pairing = pair_documents(key, Corpus(()))
    assert pairing.response[0].words == ("a", "b")
    assert pairing.response[0].mentions == ()
    assert pairing.warnings == (
        "the response lacks 1 document ('d') of the key: scored as an empty response.",
    )


def test_five_missing_documents_are_named_and_the_rest_counted():
    key = notation("\n".join("{a}" for _ in range(7)))
    (warning,) = pair_documents(key, Corpus((key["1"],))).warnings
    assert "lacks 6 documents ('2', '3', '4', '5', '6' and 1 more)" in warning


def test_every_missing_document_is_a_problem_where_they_are_refused():
    key = notation("{a}\n{b}\n{c}")
    message = message_of(key, notation("{a}", "r.txt"), missing_documents="error")
    assert message.split("\n") == [
        f"r.txt: no document '{name}'; expected every document of the key (key.txt). "
        "Add the document, or score it as empty with missing documents 'empty'."
        for name in ("2", "3")
    ]


def test_corpora_without_a_common_document_are_refused():
    message = message_of(notation("# x\n{a}"), notation("# y\n{a}", "r.txt"))
    assert message == (
        "r.txt: documents such as 'y', none of which the key has; expected documents such as 'x' "
        "(key.txt). Give the documents of both files the same names."
    )


def test_the_first_word_that_differs_is_named_with_both_lines():
    message = message_of(conll("a b c", "key.conll"), conll("a x c", "r.conll"))
    assert message == (
        "r.conll:3: document 'd' has 'x' as word 2; expected 'b', as in the key (key.conll:3). "
        "Key and response must be over the same words. If it is nearly the same text, words "
        "'align' maps positions over characters; words 'ignore' compares mentions by position, "
        "whatever the words."
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
    key = Corpus((*conll("a", "k", "x"), *conll("b", "k", "y"), *conll("c", "k", "z")))
    response = Corpus((*conll("1", "r", "x"), *conll("b", "r", "y"), *conll("3", "r", "z")))
    lines = message_of(key, response).split("\n")
    assert [line.split(" has ")[0] for line in lines] == ["r:2: document 'x'", "r:2: document 'z'"]


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


def test_an_unknown_policy_is_refused():
    with pytest.raises(PolicyError, match=r"missing documents is 'ignore'; expected one of: empty"):
        pair_documents(Corpus(()), Corpus(()), Policies.of({"missing_documents": "ignore"}))


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
        r"r\.conll has other words .* 1 document \('d'\): .* by position\.", warning
    )


def test_a_response_without_words_takes_those_of_its_key():
    pairing = pair_documents(conll("a b c", "key.conll"), without_words((0, 2), (2, 3)))
    (response,) = pairing.response
    assert [response.text(mention) for mention in response.mentions] == ["a b", "c"]
    assert pairing.warnings == ()


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
        "r.conll has other words than the key in 1 document ('d'): mapped over characters. Its "
        "text has 1 word changed ('color' for 'colour'), 1 word added ('uh') and 2 words dropped "
        "('very', '.').",
        "r.conll: 2 mentions do not begin and end with words of the key; the smallest covering "
        "words are taken: 'Obama' → 'Obama's', ''s' → 'Obama's'.",
        "r.conll: 1 mention of words that the key lacks, left out of scoring: 'uh'.",
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
        "'.'): words 'align' maps"
    )
    assert said in message
    assert "'ignore'" not in message


def test_a_missing_document_can_be_left_out_with_a_warning():
    key = Corpus((Document.of_entities("a", [[(0, 1)]]), Document.of_entities("b", [[(0, 1)]])))
    response = Corpus((Document.of_entities("b", [[(0, 1)]]),))
    pairing = pair_documents(key, response, Policies(missing_documents="skip"))
    assert [document.name for document in pairing.key] == ["b"]
    assert pairing.response == response.documents
    (warning,) = pairing.warnings
    assert warning.endswith("lacks 1 document ('a') of the key: left out, which raises the score.")
