"""Two small rules for English phrases: the head, told from the words alone, and the type, told
from the part of speech of the head or else from the words.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from corescore.util import read_toml

# The types of mentions, and the kinds of each -----------------------------------------------------

PRONOUN, NAME, NOMINAL, UNKNOWN = "pronoun", "name", "nominal", "unknown"

MENTION_TYPES = (PRONOUN, NAME, NOMINAL, UNKNOWN)

PERSONAL, POSSESSIVE, DEMONSTRATIVE = "personal", "possessive", "demonstrative"

REFLEXIVE, FIRST_OR_SECOND = "reflexive", "first or second person"

ZERO, OTHER_PRONOUN = "zero", "other pronoun"

PROPER = "proper"

DEFINITE, INDEFINITE, QUANTIFIED = "common definite", "common indefinite", "quantified"

OTHER = "other"

TYPES_OF: dict[str, tuple[str, ...]] = {
    PRONOUN: (
        *(PERSONAL, POSSESSIVE, DEMONSTRATIVE, REFLEXIVE, FIRST_OR_SECOND),
        *(ZERO, OTHER_PRONOUN),
    ),
    NAME: (PROPER,),
    NOMINAL: (DEFINITE, INDEFINITE, QUANTIFIED, OTHER),
    UNKNOWN: (UNKNOWN,),
}

FINE_TYPES = tuple(fine for types in TYPES_OF.values() for fine in types)

COARSE_TYPE = {fine: coarse for coarse, types in TYPES_OF.items() for fine in types}

# The words and tags that the rules ask for --------------------------------------------------------

_TABLES: dict[str, dict[str, list[str]]] = read_toml("corpus/english.toml")

_LISTS = {name: frozenset(words) for name, words in _TABLES["lists"].items()}

_TYPE_OF_TAG, _GIVEN_TYPE, _KIND_OF_PRONOUN, _KIND_OF_DETERMINER = (
    {word: kind for kind, words in _TABLES[name].items() for word in words}
    for name in ("type_of_tag", "given_type", "pronouns", "determiners")
)

PRONOUNS = _LISTS["interrogatives"].union(_KIND_OF_PRONOUN) - _LISTS["pronouns_by_tag"]

_WITHOUT_CONTENT = _LISTS["without_content"].union(PRONOUNS, _KIND_OF_DETERMINER)


class Phrase(NamedTuple):
    """The words of a mention, their tags (() if none is known), the words in lower case, and the
    position of the head, as `head_position` finds it."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    lower: list[str]
    head: int

    @classmethod
    def of(cls, words: tuple[str, ...], tags: tuple[str, ...] = ()) -> "Phrase":
        lower = [word.lower() for word in words]
        return cls(words, tags, lower, _head(lower))


def head_position(words: Sequence[str]) -> int:
    """Which of a phrase's words is its head: the last before what follows a head.

    That is before the first preposition, relative pronoun, comma, colon, dash or bracket other
    than the first word; a possessive 's is never the head. −1 without words.
    """
    return _head([word.lower() for word in words])


def _head(lower: Sequence[str]) -> int:
    end = len(lower)
    if not _LISTS["after_the_head"].isdisjoint(lower):
        cuts = (at for at, word in enumerate(lower) if at and word in _LISTS["after_the_head"])
        end = next(cuts, end)
    if not end or lower[end - 1] not in _LISTS["possessive_marks"]:
        return end - 1
    before = reversed(range(end))
    return next((at for at in before if lower[at] not in _LISTS["possessive_marks"]), end - 1)


def type_by_words(phrase: Phrase, *, opens_sentence: bool, in_lower_case: Collection[str]) -> str:
    """The type of a phrase, one of MENTION_TYPES, by the words alone; unknown without words.

    pronoun  one word that is a personal, possessive, reflexive, demonstrative or interrogative
             pronoun; a personal one with words that say how many ("you both", "we two")
    name     the head has a capital first letter; where the head opens its sentence, only if the
             document nowhere has it in lower case
    nominal  all others

    opens_sentence  whether the phrase's first word is the first of a sentence
    in_lower_case   the words that the document has in lower case
    """
    if not phrase.words:
        return UNKNOWN
    if (len(phrase.words) == 1 and phrase.lower[0] in PRONOUNS) or _is_counted_pronoun(phrase):
        return PRONOUN
    head = phrase.head
    doubtful = opens_sentence and head == 0 and phrase.lower[head] in in_lower_case
    return NAME if phrase.words[head][:1].isupper() and not doubtful else NOMINAL


def type_by_tags(phrase: Phrase) -> str:
    """The type by the tag of the head; "" if it is none of these of the Penn Treebank, of Universal
    Dependencies or of the Chinese Treebank.

    pronoun  PRP, PRP$, WP, WP$, EX, PRON, PN if the phrase begins with one ("he or she", not "the
             island itself"); DT, WDT, DET as the only word; "you both", as by words alone
    name     NNP, NNPS, PROPN, NR; CD, NUM after one of them ("World War II")
    nominal  all others: nouns, numbers, adjectives, adverbs, verbs, other determiners and pronouns
    """
    head, tags = phrase.head, phrase.tags
    mention_type = _TYPE_OF_TAG.get(tags[head], "") if tags else ""
    if mention_type and _is_counted_pronoun(phrase):
        return PRONOUN
    if mention_type == PRONOUN and _TYPE_OF_TAG.get(tags[0]) != PRONOUN:
        return NOMINAL
    if mention_type and tags[head] in _LISTS["determiner_tags"] and len(tags) == 1:
        return PRONOUN
    if (
        mention_type
        and tags[head] in _LISTS["number_tags"]
        and head
        and _TYPE_OF_TAG.get(tags[head - 1]) == NAME
    ):
        return NAME
    return mention_type


def _is_counted_pronoun(phrase: Phrase) -> bool:
    first, *others = phrase.lower
    return (
        bool(others)
        and _KIND_OF_PRONOUN.get(first) in (PERSONAL, FIRST_OR_SECOND)
        and first not in _KIND_OF_DETERMINER
        and all(_KIND_OF_DETERMINER.get(word) == QUANTIFIED for word in others)
    )


def given_type(name: str) -> str:
    """The coarse type that a file's name for a mention type stands for, such as "PROP"; "" if it
    is none of those known."""
    return _GIVEN_TYPE.get(name.lower(), "")


def fine_type(phrase: Phrase, coarse: str, *, follows: str = "", tag_of_follows: str = "") -> str:
    """The fine type of a phrase of one of the four coarse types, by rules for English.

    pronoun  by the first word. First or second person: any form of I, we, you; of the third person
             reflexive, possessive and personal ("her" by its tag, PRP$ or PRP, else by what
             follows); demonstrative: this, that, these, those unless relative (WDT, WP); other
             pronoun: any other, such as "who" and "there"
    name     proper
    nominal  by the first words. Quantified: all, some, no, many, three, a few, …; common definite:
             the, this, my, …, or with a possessor before the head ("Ann 's dog"); other: the head
             is a verb or an adverb by its tag and no determiner is there; common indefinite: any
             other, such as "a dog" and "dogs"

    follows, tag_of_follows  the word after the phrase; only read after "her"
    """
    if not phrase.words:
        return TYPES_OF[coarse][-1]
    if coarse == PRONOUN:
        return _pronoun(phrase, before_noun=_is_of_noun_phrase(follows.lower(), tag_of_follows))
    if coarse == NOMINAL:
        return _nominal(phrase)
    return PROPER if coarse == NAME else UNKNOWN


def _pronoun(phrase: Phrase, *, before_noun: bool) -> str:
    word, tag = phrase.lower[0], "".join(phrase.tags[:1])
    kind = _KIND_OF_PRONOUN.get(word, OTHER_PRONOUN)
    if kind == DEMONSTRATIVE and tag in ("WDT", "WP"):
        return OTHER_PRONOUN
    if word == "her" and (tag == "PRP$" or (before_noun and tag != "PRP")):
        return POSSESSIVE
    return kind


def _is_of_noun_phrase(word: str, tag: str) -> bool:
    """Whether a word after "her" belongs to a noun phrase: by its tag, else because no object is
    followed by it."""
    return (
        tag in _LISTS["of_noun_phrase"]
        if tag
        else word.isalpha() and word not in _LISTS["after_object"]
    )


def _nominal(phrase: Phrase) -> str:
    words, tags = phrase.lower, phrase.tags
    first = words[0]
    if first in ("a", "an") and not _LISTS["quantities_after_a"].isdisjoint(words[1:2]):
        return QUANTIFIED
    if first in _KIND_OF_DETERMINER:
        return _KIND_OF_DETERMINER[first]
    if first[:1].isdigit() or (tags and tags[0] in _LISTS["number_tags"]):
        return QUANTIFIED
    if not _LISTS["possessive_marks"].isdisjoint(words[1 : phrase.head]):
        return DEFINITE
    return OTHER if tags and tags[phrase.head] in _LISTS["events"] else INDEFINITE


def has_content(words: Sequence[str]) -> bool:
    """Whether one of the words, in lower case, says more than a pronoun, a determiner or a number
    word does: of "the same one" none, by a list for English."""
    return not _WITHOUT_CONTENT.issuperset(words)


def has_english_tags(tags: Sequence[str]) -> bool:
    """Whether some of the tags are only those of the English Penn Treebank."""
    return not _LISTS["penn"].isdisjoint(tags)
