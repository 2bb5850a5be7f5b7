"""Two small rules for English phrases: the head, told from the words alone, and the type, told
from the part of speech of the head or else from the words."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

# A phrase's head stands before what follows it: a preposition, a relative pronoun, a comma.
_PREPOSITIONS = (
    *("about", "after", "at", "before", "behind", "beside", "between", "by", "during", "for"),
    *("from", "in", "into", "near", "of", "on", "over", "through", "to", "under", "with"),
    "without",
)
_RELATIVES = ("that", "when", "where", "which", "who", "whom", "whose")
_AFTER_THE_HEAD = frozenset((*_PREPOSITIONS, *_RELATIVES, ",", ";", ":", "(", "-"))
_POSSESSIVE = frozenset(("'s", "’s", "'", "’"))

_PERSONAL = (
    *("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "ourself"),
    *("you", "your", "yours", "yourself", "yourselves", "ya", "y'all", "thou", "thee", "thy"),
    *("he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself"),
    *("they", "them", "their", "theirs", "themselves", "themself", "'em", "oneself"),
)
_DEMONSTRATIVE = ("this", "that", "these", "those")
_INTERROGATIVE = ("who", "whom", "whose", "which", "what", "where", "when")
PRONOUNS = frozenset((*_PERSONAL, *_DEMONSTRATIVE, *_INTERROGATIVE))

PRONOUN, NAME, NOMINAL, UNKNOWN = "pronoun", "name", "nominal", "unknown"
MENTION_TYPES = (PRONOUN, NAME, NOMINAL, UNKNOWN)

# Of the Penn Treebank; of Universal Dependencies; of the Chinese Treebank where it has its own
_TAGS = {
    PRONOUN: ("PRP", "PRP$", "WP", "WP$", "EX", "PRON", "PN"),
    NAME: ("NNP", "NNPS", "PROPN", "NR"),
    NOMINAL: (
        *("NN", "NNS", "CD", "DT", "WDT", "JJ", "JJR", "JJS", "RB", "RBR", "RBS"),
        *("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
        *("NOUN", "NUM", "DET", "ADJ", "ADV", "VERB"),
        *("NT", "M"),
    ),
}
_TYPE_OF_TAG = {tag: type_ for type_, tags in _TAGS.items() for tag in tags}
_DETERMINERS = frozenset(("DT", "WDT", "DET"))
_NUMBERS = frozenset(("CD", "NUM"))


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
    if not _AFTER_THE_HEAD.isdisjoint(lower):
        cuts = (at for at, word in enumerate(lower) if at and word in _AFTER_THE_HEAD)
        end = next(cuts, end)
    if not end or lower[end - 1] not in _POSSESSIVE:
        return end - 1
    before = reversed(range(end))
    return next((at for at in before if lower[at] not in _POSSESSIVE), end - 1)


def mention_type(
    words: Sequence[str],
    *,
    tags: Sequence[str] = (),
    opens_sentence: bool,
    in_lower_case: Collection[str],
) -> str:
    """One of MENTION_TYPES; unknown if there are no words.

    The tag of the head (`head_position`) decides, if it is one of these of the Penn Treebank, of
    Universal Dependencies or of the Chinese Treebank:

    pronoun  PRP, PRP$, WP, WP$, EX, PRON, PN if the phrase begins with one ("he or she", not "the
             island itself"); DT, WDT, DET as the only word
    name     NNP, NNPS, PROPN, NR; CD, NUM after one of them ("World War II")
    nominal  all others: nouns, numbers, adjectives, adverbs, verbs, other determiners and pronouns

    Without a tag, or with another one, the words decide:

    pronoun  one word that is a personal, possessive, reflexive, demonstrative or interrogative
             pronoun
    name     the head has a capital first letter; where the head opens its sentence, only if the
             document nowhere has it in lower case
    nominal  all others

    tags            one for each word ("" if unknown); empty if none is known
    opens_sentence  whether the phrase's first word is the first of a sentence
    in_lower_case   the words that the document has in lower case
    """
    phrase = Phrase.of(tuple(words), tuple(tags))
    by_words = type_by_words(phrase, opens_sentence=opens_sentence, in_lower_case=in_lower_case)
    return type_by_tags(phrase) or by_words


def type_by_words(phrase: Phrase, *, opens_sentence: bool, in_lower_case: Collection[str]) -> str:
    """The type by the words alone, as in `mention_type`."""
    if not phrase.words:
        return UNKNOWN
    if len(phrase.words) == 1 and phrase.lower[0] in PRONOUNS:
        return PRONOUN
    at = phrase.head
    doubtful = opens_sentence and at == 0 and phrase.lower[at] in in_lower_case
    return NAME if phrase.words[at][:1].isupper() and not doubtful else NOMINAL


def type_by_tags(phrase: Phrase) -> str:
    """The type by the tag of the head, as in `mention_type`; "" if that does not tell it."""
    at, tags = phrase.head, phrase.tags
    found = _TYPE_OF_TAG.get(tags[at], "") if tags else ""
    if found == PRONOUN and _TYPE_OF_TAG.get(tags[0]) != PRONOUN:
        return NOMINAL
    if found and tags[at] in _DETERMINERS and len(tags) == 1:
        return PRONOUN
    if found and tags[at] in _NUMBERS and at and _TYPE_OF_TAG.get(tags[at - 1]) == NAME:
        return NAME
    return found
