"""The fine types of mentions, from a phrase and its coarse type."""

import pytest

from corescore.corpus.english import (
    COARSE_TYPE,
    FINE_TYPES,
    MENTION_TYPES,
    TYPES_OF,
    Phrase,
    fine_type,
    given_type,
    has_content,
    has_english_tags,
    type_by_tags,
    type_by_words,
)


def type_of(words, tags="", **follows):
    phrase = Phrase.of(tuple(words.split()), tuple(tags.split()))
    by_words = type_by_words(phrase, opens_sentence=False, in_lower_case=())
    return fine_type(phrase, type_by_tags(phrase) or by_words, **follows)


@pytest.mark.parametrize(
    ("phrase", "tags", "wanted"),
    [
        ("He", "", "personal"),
        ("them", "PRON", "personal"),
        ("he or she", "PRP CC PRP", "personal"),
        ("his", "PRP$", "possessive"),
        ("theirs", "", "possessive"),
        ("her", "PRP$", "possessive"),
        ("her", "PRP", "personal"),
        ("itself", "", "reflexive"),
        ("I", "PRP", "first or second person"),
        ("my", "PRP$", "first or second person"),
        ("yourselves", "", "first or second person"),
        ("’s", "PRP", "first or second person"),
        ("those", "DT", "demonstrative"),
        ("that", "", "demonstrative"),
        ("that", "WDT", "other pronoun"),
        ("who", "", "other pronoun"),
        ("there", "EX", "other pronoun"),
        ("someone", "PRON", "other pronoun"),
        ("all", "DT", "other pronoun"),
        ("Ann", "", "proper"),
        ("the White House", "", "proper"),
        ("ann", "PROPN", "proper"),
        ("the dog", "", "common definite"),
        ("this dog", "DT NN", "common definite"),
        ("her dog", "PRP$ NN", "common definite"),
        ("Ann 's dog", "", "common definite"),
        ("a dog", "", "common indefinite"),
        ("another dog of Ann 's", "", "common indefinite"),
        ("dogs", "NNS", "common indefinite"),
        ("all the dogs", "", "quantified"),
        ("a few dogs", "", "quantified"),
        ("three dogs", "CD NNS", "quantified"),
        ("17 dogs", "", "quantified"),
        ("thrice 17", "CD CD", "quantified"),
        ("someone", "NN", "quantified"),
        ("ran away", "VBD RB", "other"),
        ("here", "ADV", "other"),
        ("the running", "DT VBG", "common definite"),
        ("", "", "unknown"),
    ],
)
def test_the_first_words_and_the_tags_tell_the_type(phrase, tags, wanted):
    assert type_of(phrase, tags) == wanted


@pytest.mark.parametrize(
    ("follows", "tag", "wanted"),
    [
        ("dog", "", "possessive"),
        ("to", "", "personal"),
        (".", "", "personal"),
        ("", "", "personal"),
        ("briefly", "ADV", "personal"),
        ("up", "NOUN", "possessive"),
    ],
)
def test_her_is_told_by_what_follows(follows, tag, wanted):
    assert type_of("Her", follows=follows, tag_of_follows=tag) == wanted


def test_every_fine_type_is_of_one_coarse_type():
    assert tuple(TYPES_OF) == MENTION_TYPES
    assert len(FINE_TYPES) == len(COARSE_TYPE) == sum(map(len, TYPES_OF.values()))


@pytest.mark.parametrize("coarse", MENTION_TYPES)
@pytest.mark.parametrize("words", ["", "it", "Ann", "a dog", "of", "'s"])
def test_a_fine_type_belongs_to_the_coarse_type_it_is_found_from(coarse, words):
    assert COARSE_TYPE[fine_type(Phrase.of(tuple(words.split())), coarse)] == coarse


def test_types_that_files_give_are_known_by_several_names():
    names = ["PRON", "pronoun", "PROP", "Nom", "nominal", "list", "np", ""]
    wanted = ["pronoun", "pronoun", "name", "nominal", "nominal", "", "", ""]
    assert [given_type(name) for name in names] == wanted


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        (["DT", "NN", "VBD"], True),
        (["DET", "NOUN", "VERB"], False),
        (["NN", "VV", "PN"], False),
        (["ART", "NN", "VVFIN", "PPER"], False),
        ([], False),
    ],
)
def test_tags_of_the_penn_treebank_are_told_from_others(tags, wanted):
    assert has_english_tags(tags) == wanted


@pytest.mark.parametrize("phrase", ["the same one", "you two", "all of them", "", "his", "those"])
def test_a_phrase_of_pronouns_determiners_and_number_words_has_no_content(phrase):
    assert not has_content(phrase.split())


@pytest.mark.parametrize("phrase", ["the lake", "two boats", "waive", "der See"])
def test_any_other_word_is_content(phrase):
    assert has_content(phrase.split())
