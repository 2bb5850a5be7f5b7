"""Slices: which each mention is in."""

import pytest
from hypothesis import given

from corescore import Corpus, Document, score
from corescore.analysis.errors.operations import SLICES, genre, genres, slice_kinds, slices
from corescore.analysis.errors.tables import error_counts, mention_table, slice_table
from corescore.corpus.english import head_position, mention_type
from corescore.corpus.files import read_bytes
from corescore.corpus.formats.conll import write_conll
from corescore.corpus.formats.jsonl import write_jsonl
from tests.support.damaged import span_corpora
from tests.support.zeros import with_zeros


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("the dog", "dog"),
        ("the dog of the man", "dog"),
        ("the man who barks", "man"),
        ("Ada Moss , the harbour master ,", "Moss"),
        ("the firm 's", "firm"),
        ("it", "it"),
        ("that", "that"),
        ("of", "of"),
        ("'s", "'s"),
    ],
)
def test_the_head_stands_before_what_follows_a_head(phrase, head):
    words = phrase.split()
    assert words[head_position(words)] == head


@pytest.mark.parametrize(
    ("phrase", "opens", "wanted"),
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
    ("phrase", "tags", "wanted"),
    [
        ("US", "NNP", "name"),
        ("us", "PRP", "pronoun"),
        ("it", "NN", "nominal"),
        ("Senators", "NNS", "nominal"),
        ("iPhones", "NNPS", "name"),
        ("the iPhone of Ann", "DT NNP IN NNP", "name"),
        ("ann", "PROPN", "name"),
        ("Ann 's", "NNP POS", "name"),
        ("his", "PRP$", "pronoun"),
        ("his dog", "PRP$ NN", "nominal"),
        ("one", "PRON", "pronoun"),
        ("’s", "PRP", "pronoun"),
        ("there", "EX", "pronoun"),
        ("whoever", "WP", "pronoun"),
        ("all", "DT", "pronoun"),
        ("that", "WDT", "pronoun"),
        ("that", "DET", "pronoun"),
        ("these all", "DT DT", "nominal"),
        ("he or she", "PRP CC PRP", "pronoun"),
        ("you with the hat", "PRP IN DT NN", "pronoun"),
        ("the island itself", "DT NN PRP", "nominal"),
        ("World War II", "NNP NNP CD", "name"),
        ("World War 2", "PROPN PROPN NUM", "name"),
        ("Two", "CD", "nominal"),
        ("chapter Two", "NN CD", "nominal"),
        ("他", "PN", "pronoun"),
        ("北京", "NR", "name"),
    ],
)
@pytest.mark.parametrize("opens", [True, False])
def test_types_are_told_from_the_part_of_speech_of_the_head(phrase, tags, wanted, opens):
    found = mention_type(
        phrase.split(), tags=tags.split(), opens_sentence=opens, in_lower_case={"dogs"}
    )
    assert found == wanted


@pytest.mark.parametrize(
    ("phrase", "tags", "wanted"),
    [
        ("Ann", [""], "name"),
        ("it", [""], "pronoun"),
        ("the dog", ["DT", ""], "nominal"),
        ("the Elbe", ["NN", ""], "name"),
        ("er", ["PPER"], "nominal"),
        ("Ann", ["NE"], "name"),
        ("where", ["WRB"], "pronoun"),
        ("", [], "unknown"),
    ],
)
def test_a_head_without_a_tag_or_with_one_of_another_set_falls_back_on_the_words(
    phrase, tags, wanted
):
    found = mention_type(phrase.split(), tags=tags, opens_sentence=False, in_lower_case=())
    assert found == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
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
    ("names", "wanted"),
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
KEY = [[(0, 1), (8, 9)], [(2, 4), (5, 6)], [(10, 11)]]
RESPONSE = [[(0, 1), (8, 9), (5, 6)], [(2, 4), (3, 4)]]
FIRST = "first of its entity"


def labels(side):
    key, response = (
        Corpus((Document.of_rows(
            "news_dog",
            [(*span, number) for number, entity in enumerate(entities) for span in entity],
            words=WORDS,
            sentence_starts=(0, 5, 10),
        ),))
        for entities in (KEY, RESPONSE)
    )  # fmt: skip
    return slice_table(score(key, response).comparison, side=side)


def test_mentions_of_the_key_are_sliced_by_all_kinds():
    table = labels("recall")
    assert table["type"].tolist() == ["name", "nominal", "pronoun", "pronoun", "name"]
    assert table["length"].tolist() == ["1 word", "2 words", "1 word", "1 word", "1 word"]
    assert table["size"].tolist() == ["2 mentions"] * 4 + ["1 mention"]
    quarters = ["first quarter", "first quarter", "second quarter", "third quarter", "last quarter"]
    assert table["position"].tolist() == quarters
    assert table["antecedent"].tolist() == [FIRST, FIRST, *["1 to 10 words"] * 2, FIRST]
    assert table["genre"].tolist() == ["news"] * 5


def test_mentions_of_the_response_have_its_sizes_and_the_keys_antecedents():
    table = labels("precision")
    assert table["size"].tolist() == [
        *("3 to 5 mentions", "2 mentions", "2 mentions", "3 to 5 mentions", "3 to 5 mentions")
    ]
    near = "1 to 10 words"
    assert table["antecedent"].tolist() == [FIRST, FIRST, "not in the key", near, near]


MAY = ("May", "ran", "to", "IT", "in", "May", ".", "It", "may", "help")
BY_TAGS = ["name", "nominal", "name", "pronoun"]
BY_WORDS = ["nominal", "pronoun", "name", "pronoun"]  # "may" stands in lower case, IT is it


def types(*, key_tags=(), response_tags=(), key_words=MAY, side="recall"):
    spans = [(0, 1, "Ann"), (3, 4, "department"), (5, 6, "month"), (7, 8, "department")]
    key, response = (
        Corpus((Document.of_rows("d", spans, words=words, tags=tags, sentence_starts=(0, 7)),))
        for words, tags in ((key_words, key_tags), (MAY, response_tags))
    )
    return slice_table(score(key, response).comparison, side=side)["type"].tolist()


TAGS = ("NNP", "VBD", "TO", "NN", "IN", "NNP", ".", "PRP", "MD", "VB")


@pytest.mark.parametrize("side", ["recall", "precision"])
@pytest.mark.parametrize(
    ("key_tags", "response_tags", "wanted"),
    [
        ((), (), BY_WORDS),
        (TAGS, (), BY_TAGS),
        ((), TAGS, BY_TAGS),
        (TAGS, ("NN",) * 10, BY_TAGS),
        # One tag is enough for the key's to count; the other words then have none
        (("NNP",) + ("",) * 9, TAGS, ["name", *BY_WORDS[1:]]),
    ],
)
def test_the_keys_tags_count_or_if_it_has_none_the_responses(side, key_tags, response_tags, wanted):
    assert types(key_tags=key_tags, response_tags=response_tags, side=side) == wanted


def test_the_responses_tags_count_for_a_key_without_words():
    assert types(response_tags=TAGS, key_words=()) == BY_TAGS


@pytest.mark.parametrize("write", [write_conll, write_jsonl])
def test_the_types_of_a_file_are_those_of_its_tags(write):
    rows = [(0, 1, 0), (3, 4, 1), (5, 6, 2), (7, 8, 1)]
    document = Document.of_rows("d", rows, words=MAY, tags=TAGS, sentence_starts=(0, 7))
    corpus = read_bytes(write(Corpus((document,))).encode(), "dev")
    none = Corpus((document.with_entities(()),))
    table = mention_table(score(corpus, none).comparison)
    assert table["type"].tolist() == BY_TAGS
    assert error_counts(table, of="class", by="type")["missing"].to_dict() == {
        "pronoun": 1,
        "name": 2,
        "nominal": 1,
        "unknown": 0,
    }


@pytest.mark.parametrize(
    ("gap", "wanted"),
    [
        (10, "1 to 10 words"),
        (11, "11 to 50 words"),
        (50, "11 to 50 words"),
        (51, "51 to 200 words"),
        (201, "more than 200 words"),
    ],
)
def test_antecedents_are_told_apart_by_the_words_between_the_starts(gap, wanted):
    corpus = Corpus((Document.of_entities("d", [[(0, 1), (gap, gap + 1)]]),))
    table = slice_table(score(corpus, corpus).comparison)
    assert table["antecedent"].tolist()[1] == wanted


@pytest.mark.parametrize("side", ["recall", "precision"])
@given(corpora=span_corpora())
def test_every_mention_is_in_one_slice_of_each_kind_and_both_sides_have_the_same(side, corpora):
    comparison = score(*corpora).comparison
    found = slices(comparison, side=side)
    assert found.keys() == SLICES.keys()
    for kind, of_kind in found.items():
        assert len(of_kind.number) == len(comparison.view(side).own.document)
        assert ((of_kind.number >= 0) & (of_kind.number < len(of_kind.names))).all()
        assert of_kind.names == slices(comparison, side="recall")[kind].names


def test_a_document_without_words_has_positions():
    corpus = Corpus((Document.of_entities("d", [[(0, 1), (1, 2), (2, 3), (7, 8)]]),))
    table = slice_table(score(corpus, corpus).comparison)
    quarters = ["first quarter", "first quarter", "second quarter", "last quarter"]
    assert table["position"].tolist() == quarters


def test_a_zero_is_a_pronoun():
    document = with_zeros({(1, 1): (0, [(1, "nsubj")])}, words=("Ann", "left"))
    comparison = score(Corpus((document,)), Corpus((document,))).comparison
    found = slices(comparison, side="recall")["type"]
    assert [found.names[number] for number in found.number] == ["pronoun"]
