"""Slices: which each mention is in."""

import pytest
from hypothesis import given

from corescore import Corpus, Document, score
from corescore.analysis.errors.classes import SLICES, genre, genres, slice_kinds, slices
from corescore.analysis.errors.tables import error_counts, mention_table
from corescore.corpus.english import Phrase, head_position, type_by_tags, type_by_words
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conll import write_conll
from corescore.corpus.formats.jsonl import write_jsonl
from tests.support.errors import span_corpora
from tests.support.letters import lettered, scored
from tests.support.texts import with_zeros


def mention_type(words, tags=(), **where):
    phrase = Phrase.of(tuple(words), tuple(tags))
    return type_by_tags(phrase) or type_by_words(phrase, **where)


# By type: the tags of phrases whose words follow
TAGGED = {
    "pronoun": [
        *("PRP us", "PRP$ his", "PRON one", "PRP ’s", "EX there", "WP whoever", "DT all"),
        *("WDT that", "DET that", "PRP/CC/PRP he or she", "PRP/IN/DT/NN you with the hat"),
        *("PN 他", "- it", "WRB where"),
    ],
    "name": [
        *("NNP US", "NNPS iPhones", "DT/NNP/IN/NNP the iPhone of Ann", "PROPN ann"),
        *("NNP/POS Ann 's", "NNP/NNP/CD World War II", "PROPN/PROPN/NUM World War 2", "NR 北京"),
        *("- Ann", "NN/- the Elbe", "NE Ann"),
    ],
    "nominal": [
        *("NN it", "NNS Senators", "PRP$/NN his dog", "DT/DT these all"),
        *("DT/NN/PRP the island itself", "CD Two", "NN/CD chapter Two", "DT/- the dog", "PPER er"),
    ],
}


@pytest.mark.parametrize("wanted", TAGGED)
def test_types_are_told_from_the_part_of_speech_of_the_head(wanted):
    """A head without a tag, or with one of another set, falls back on the words."""
    for text in TAGGED[wanted]:
        tags, *words = text.split()
        told = [tag.strip("-") for tag in tags.split("/")]
        found = mention_type(words, told, opens_sentence=False, in_lower_case={"dogs"})
        assert found == wanted, text


@pytest.mark.parametrize(
    "phrase",
    [
        "the *dog",
        "the *dog of the man",
        "the *man who barks",
        "Ada *Moss , the harbour master ,",
        "the *firm 's",
        "*it",
        "*that",
        "*of",
        "*'s",
    ],
)
def test_the_head_stands_before_what_follows_a_head(phrase):
    words = phrase.split()
    assert words[head_position([word.strip("*") for word in words])].startswith("*")


@pytest.mark.parametrize(
    "phrase, opens, wanted",
    [
        ("She", True, "pronoun"),
        ("whose", False, "pronoun"),
        ("Ann", False, "name"),
        ("the White House", False, "name"),
        ("the dogs of Ann", False, "nominal"),
        ("Dogs", True, "nominal"),
        ("Dogs", False, "name"),
        ("Ann", True, "name"),
        ("The Dogs", True, "name"),
        ("1999", False, "nominal"),
        ("", False, "unknown"),
    ],
)
def test_types_are_told_from_the_words(phrase, opens, wanted):
    """The document has "dogs" in lower case, "ann" nowhere."""
    found = mention_type(phrase.split(), opens_sentence=opens, in_lower_case={"dogs", "the"})
    assert found == wanted


@pytest.mark.parametrize(
    "name, wanted",
    [
        ("GUM_bio_byron", "bio"),
        ("news_harbour", "news"),
        ("bc/cctv/00/cctv_0000", "bc"),
        ("/bc/cctv/00", "bc"),
        ("wsj_0001", "wsj"),
        ("GUM_bio", "GUM"),
        ("document0", "other"),
        ("_0", "other"),
        ("", "other"),
    ],
)
def test_the_genre_is_the_first_of_a_documents_names_or_what_follows_the_corpus(name, wanted):
    assert genre(name) == wanted


@pytest.mark.parametrize(
    "names, wanted",
    [
        (["105_persuasion", "158_emma"], ["other", "other"]),
        (["105_persuasion", "105_emma"], ["other", "other"]),
        (["emma_austen", "dracula_stoker"], ["other", "other"]),
        (["news_harbour", "news_ferry", "bio_byron"], ["news", "news", "bio"]),
        (["news_harbour"], ["news"]),
    ],
)
def test_a_prefix_that_groups_no_documents_is_no_genre(names, wanted):
    documents = [Document.of_rows(name, ()) for name in names]
    assert genres(documents) == wanted
    assert ("genre" in slice_kinds(documents)) == (len({*wanted}) > 1)


def test_the_genre_that_a_file_tells_comes_before_names():
    told = {"bio_a": "letter", "bio_b": "", "news_c": "novel", "news_d": "letter"}
    documents = [Document.of_rows(name, (), genre=genre) for name, genre in told.items()]
    assert genres(documents) == ["letter", "other", "novel", "letter"]
    alike = [Document.of_rows(name, (), genre="novel") for name in told]
    assert genres(alike) == ["novel"] * 4
    assert "genre" not in slice_kinds(alike)
    assert set(slice_kinds(documents)) == set(SLICES)


WORDS = ("Ann", "saw", "a", "dog", ".", "It", "barked", "at", "her", ".", "Dogs", "bark")
KEY, RESPONSE = "a i | cd f | k", "a i f | cd d"
FIRST = "first of its entity"


def labels(side):
    sides = (lettered(of, WORDS, "news_dog", sentence_starts=(0, 5, 10)) for of in (KEY, RESPONSE))
    return slices(score(*sides).comparison, side=side)


def test_mentions_are_sliced_by_all_kinds():
    table = labels("recall")
    assert table["type"].tolist() == ["name", "nominal", "pronoun", "pronoun", "name"]
    assert table["length"].tolist() == ["1 word", "2 words", "1 word", "1 word", "1 word"]
    assert table["size"].tolist() == ["2 mentions"] * 4 + ["1 mention"]
    quarters = ["first quarter", "first quarter", "second quarter", "third quarter", "last quarter"]
    assert table["position"].tolist() == quarters
    near = "1 to 10 words"
    assert table["antecedent"].tolist() == [FIRST, FIRST, near, near, FIRST]
    assert table["genre"].tolist() == ["news"] * 5
    # Those of the response have its sizes and the key's antecedents
    table = labels("precision")
    assert table["size"].tolist() == [
        *("3 to 5 mentions", "2 mentions", "2 mentions", "3 to 5 mentions", "3 to 5 mentions")
    ]
    assert table["antecedent"].tolist() == [FIRST, FIRST, "not in the key", near, near]
    without_words = scored("a b c h", "", words=()).comparison
    quarters = ["first quarter", "first quarter", "second quarter", "last quarter"]
    assert slices(without_words)["position"].tolist() == quarters


MAY = ("May", "ran", "to", "IT", "in", "May", ".", "It", "may", "help")
BY_TAGS = ["name", "nominal", "name", "pronoun"]
BY_WORDS = ["nominal", "pronoun", "name", "pronoun"]  # "may" stands in lower case, IT is it


def types(*, key_tags=(), response_tags=(), key_words=MAY, side="recall"):
    sides = (
        lettered("a | d h | f", words, tags=tags, sentence_starts=(0, 7))
        for words, tags in ((key_words, key_tags), (MAY, response_tags))
    )
    return slices(score(*sides).comparison, side=side)["type"].tolist()


TAGS = ("NNP", "VBD", "TO", "NN", "IN", "NNP", ".", "PRP", "MD", "VB")


@pytest.mark.parametrize("side", ["recall", "precision"])
def test_the_keys_tags_count_or_if_it_has_none_the_responses(side):
    for key_tags, response_tags, wanted in (
        ((), (), BY_WORDS),
        (TAGS, (), BY_TAGS),
        ((), TAGS, BY_TAGS),
        (TAGS, ("NN",) * 10, BY_TAGS),
        # One tag is enough for the key's to count; the other words then have none
        (("NNP",) + ("",) * 9, TAGS, ["name", *BY_WORDS[1:]]),
    ):
        assert types(key_tags=key_tags, response_tags=response_tags, side=side) == wanted
    assert types(response_tags=TAGS, key_words=()) == BY_TAGS


@pytest.mark.parametrize("write", [write_conll, write_jsonl])
def test_the_types_of_a_file_are_those_of_its_tags(write):
    rows = [(0, 1, 0), (3, 4, 1), (5, 6, 2), (7, 8, 1)]
    document = Document.of_rows("d", rows, words=MAY, tags=TAGS, sentence_starts=(0, 7))
    corpus = read_bytes(write(Corpus((document,))).encode(), "dev")
    none = Corpus((document.with_entities(()),))
    table = mention_table(score(corpus, none).comparison)
    assert table["type"].tolist() == BY_TAGS
    assert error_counts(table, column="class", by="type")["missing"].to_dict() == {
        "pronoun": 1,
        "name": 2,
        "nominal": 1,
        "unknown": 0,
    }


@pytest.mark.parametrize("side", ["recall", "precision"])
@given(corpora=span_corpora())
def test_every_mention_is_in_one_slice_of_each_kind_and_both_sides_have_the_same(side, corpora):
    comparison = score(*corpora).comparison
    found = slices(comparison, side=side)
    assert tuple(found) == SLICES
    for kind, of_kind in found.items():
        assert len(of_kind) == len(comparison.view(side).own.document)
        assert of_kind.notna().all()
        assert of_kind.dtype == slices(comparison, side="recall")[kind].dtype


def test_a_zero_is_a_pronoun():
    document = with_zeros({(1, 1): (0, [(1, "nsubj")])}, words=("Ann", "left"))
    comparison = score(document, document).comparison
    found = slices(comparison, side="recall")["type"]
    assert found.tolist() == ["pronoun"]
