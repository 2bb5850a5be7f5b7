"""Two small rules for English phrases: the head, told from the words alone, and the type, told
from the part of speech of the head or else from the words.
"""

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


PERSONAL, POSSESSIVE, DEMONSTRATIVE = "personal", "possessive", "demonstrative"

REFLEXIVE, FIRST_OR_SECOND = "reflexive", "first or second person"

ZERO, OTHER_PRONOUN = "zero", "other pronoun"

# The types of mentions in full: the kind of a pronoun, a common noun phrase's determiner ----------

PROPER = "proper"

DEFINITE, INDEFINITE, QUANTIFIED = "common definite", "common indefinite", "quantified"

OTHER = "other"

# The types of each of the four that `corpus.english.mention_type` tells
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

# What files call the types of their mentions: LitBank, BookNLP, CoreNLP, ParCor, ACE
_GIVEN = {
    PRONOUN: ("pron", "pro", "pronoun", "pronominal"),
    NAME: ("prop", "nam", "name", "proper"),
    NOMINAL: ("nom", "nominal", "common"),
}

_COARSE_GIVEN = {name: coarse for coarse, names in _GIVEN.items() for name in names}

_PRONOUNS = {
    FIRST_OR_SECOND: (
        *("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "ourself"),
        *("you", "your", "yours", "yourself", "yourselves", "ya", "y'all", "u", "ur", "'s", "’s"),
        *("thou", "thee", "thy", "thine", "thyself", "ye"),
    ),
    REFLEXIVE: ("himself", "herself", "itself", "themselves", "themself", "oneself"),
    POSSESSIVE: ("his", "hers", "its", "their", "theirs"),
    PERSONAL: ("he", "him", "she", "her", "it", "they", "them", "'em", "’em", "em"),
    DEMONSTRATIVE: ("this", "that", "these", "those"),
}

_KIND_OF_PRONOUN = {word: kind for kind, words in _PRONOUNS.items() for word in words}

_DEFINITE = (
    *("the", "this", "that", "these", "those"),
    *("my", "our", "your", "his", "her", "its", "their", "whose", "thy"),
)

_QUANTIFIERS = (
    *("all", "both", "each", "every", "any", "some", "no", "none", "neither", "either"),
    *("many", "much", "more", "most", "few", "fewer", "fewest", "less", "several", "half"),
    *("everyone", "everybody", "everything", "someone", "somebody", "something"),
    *("anyone", "anybody", "anything", "nobody", "nothing", "plenty", "enough"),
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "twenty", "thirty", "forty", "fifty", "hundred", "thousand", "million"),
    *("dozens", "hundreds", "thousands", "millions"),
)

_QUANTITIES = ("few", "lot", "number", "couple", "bit", "dozen", "handful", "hundred", "thousand")

_QUANTITIES_AFTER_A = frozenset(_QUANTITIES)

_DETERMINER = {
    **dict.fromkeys(_DEFINITE, DEFINITE),
    **dict.fromkeys(_QUANTIFIERS, QUANTIFIED),
    **dict.fromkeys(("a", "an", "another", "such"), INDEFINITE),
}

_WITHOUT_CONTENT = frozenset(
    (*PRONOUNS, *_DETERMINER, "of", "ones", "other", "others", "own", "same")
)

_POSSESSIVE_MARKS = frozenset(("'s", "’s", "'", "’"))

_AFTER_OBJECT = frozenset(
    (
        *("about", "after", "and", "are", "as", "at", "back", "because", "before", "but", "by"),
        *("down", "for", "from", "had", "has", "have", "if", "in", "into", "is", "like", "not"),
        *("of", "off", "on", "or", "out", "over", "so", "than", "that", "the", "then", "there"),
        *("this", "through", "to", "up", "was", "were", "what", "when", "where", "which", "while"),
        *("who", "why", "with", "without", "a", "an", "again", "away", "how", "he", "she", "it"),
    )
)

# Parts of speech that only the English Penn Treebank has
_PENN = frozenset(("IN", "PRP", "PRP$", "NNP", "NNPS", "VBD", "VBZ", "VBP", "VBG", "VBN"))

_OF_NOUN_PHRASE = frozenset(
    (
        *("NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "VBG", "VBN"),
        *("NOUN", "PROPN", "ADJ", "NUM"),
    )
)

_EVENTS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "VERB", "RB", "RBR", "RBS", "ADV")


def given_type(name: str) -> str:
    """The coarse type that a file's name for a mention type stands for, such as "PROP"; "" if it
    is none of those known."""
    return _COARSE_GIVEN.get(name.lower(), "")


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
    return tag in _OF_NOUN_PHRASE if tag else word.isalpha() and word not in _AFTER_OBJECT


def _nominal(phrase: Phrase) -> str:
    words, tags = phrase.lower, phrase.tags
    first = words[0]
    if first in ("a", "an") and not _QUANTITIES_AFTER_A.isdisjoint(words[1:2]):
        return QUANTIFIED
    if first in _DETERMINER:
        return _DETERMINER[first]
    if first[:1].isdigit() or (tags and tags[0] in ("CD", "NUM")):
        return QUANTIFIED
    if not _POSSESSIVE_MARKS.isdisjoint(words[1 : phrase.head]):
        return DEFINITE
    return OTHER if tags and tags[phrase.head] in _EVENTS else INDEFINITE


def has_content(words: Sequence[str]) -> bool:
    """Whether one of the words, in lower case, says more than a pronoun, a determiner or a number
    word does: of "the same one" none, by a list for English."""
    return not _WITHOUT_CONTENT.issuperset(words)


def has_english_tags(tags: Sequence[str]) -> bool:
    """Whether some of the tags are only those of the English Penn Treebank."""
    return not _PENN.isdisjoint(tags)
