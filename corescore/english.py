"""Two small rules for English phrases, told from their words alone: the head, and the type."""

from collections.abc import Collection, Sequence

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


def head_position(words: Sequence[str]) -> int:
    """Which of a phrase's words is its head: the last before what follows a head.

    That is before the first preposition, relative pronoun, comma, colon, dash or bracket other
    than the first word; a possessive 's is never the head. −1 without words.
    """
    lower = [word.lower() for word in words]
    cuts = (at for at, word in enumerate(lower) if at and word in _AFTER_THE_HEAD)
    end = next(cuts, len(lower))
    before = reversed(range(end))
    return next((at for at in before if lower[at] not in _POSSESSIVE), end - 1)


def mention_type(
    words: Sequence[str], *, opens_sentence: bool, in_lower_case: Collection[str]
) -> str:
    """One of MENTION_TYPES.

    pronoun  one word that is a personal, possessive, reflexive, demonstrative or interrogative
             pronoun
    name     the head has a capital first letter; where the head opens its sentence, only if the
             document nowhere has it in lower case
    nominal  all others; unknown if there are no words

    opens_sentence  whether the phrase's first word is the first of a sentence
    in_lower_case   the words that the document has in lower case
    """
    if not words:
        return UNKNOWN
    if len(words) == 1 and words[0].lower() in PRONOUNS:
        return PRONOUN
    at = head_position(words)
    head = words[at]
    doubtful = opens_sentence and at == 0 and head.lower() in in_lower_case
    return NAME if head[:1].isupper() and not doubtful else NOMINAL
