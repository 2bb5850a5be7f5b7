"""The mention detector of our two resolvers: pronouns, names and noun phrases by word lists alone.

The lists are the closed classes of English, its commonest verbs, and the nouns that tell a gender:
general words, not chosen to fit the sample documents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from corescore import Document


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = {
    "he": _words("he him his himself"),
    "she": _words("she her hers herself"),
    "it": _words("it its itself"),
    "they": _words("they them their theirs themselves"),
    "i": _words("i me my mine myself"),
    "you": _words("you your yours yourself yourselves"),
    "we": _words("we us our ours ourselves"),
}
PERSON_OF = {form: person for person, forms in PRONOUNS.items() for form in forms}
POSSESSIVES = _words("my your his her its our their")
DEFINITES = _words("the this that these those") | POSSESSIVES
NUMBERS = _words("two three four five six seven eight nine ten eleven twelve")
SEVERAL = NUMBERS | _words("these those many few several both")
INDEFINITES = NUMBERS | _words("a an some any every each another many few several both no")
PHRASE_STARTS = DEFINITES | INDEFINITES | PERSON_OF.keys()
PREPOSITIONS = _words("""
    about above across after against along among around as at before behind below beside between
    by down during for from in inside into like near of off on onto out outside over past since
    than through to towards under until up with without
""")
CONJUNCTIONS = _words("and because but if nor or so though when where whether while yet")
ADVERBS = _words("""
    again all almost already also always away back either even ever here how just more most much
    never not n't now often once quite soon still then there together too twice very well what
    which who whom whose why
""")
VERBS = _words("""
    am are asked be been being can could did do does had has have is may might must shall should
    was were will would became began brought came fell felt found gave go goes got held kept knew
    let lost made makes met put ran said sat saw says sent stood take takes taught tell told
    thought took went wore wrote
""")
# A number may also stand inside a phrase: "those two boats".
STOPS = (PHRASE_STARTS | PREPOSITIONS | CONJUNCTIONS | ADVERBS | VERBS) - NUMBERS

MALE = _words("boy brother father gentleman grandfather husband king man mr nephew sir son uncle")
FEMALE = _words("""
    aunt daughter girl grandmother lady madam madame miss mother mrs niece queen sister widow wife
    woman
""")
PERSONAL_ENDINGS = ("er", "or", "ist", "ant", "man", "child", "friend")
TIMES = _words("""
    day night morning evening week month year january february march april june july august
    september october november december
""")


@dataclass(frozen=True)
class Phrase:
    """What may be a mention: the words from `start` up to `end`, in sentence number `sentence`.

    kind     "name", "definite", "possessive", "indefinite", "bare", "pronoun" or "appositive"
    text     its words in lower case, without a possessive 's or what was added to it later
    persons  the pronouns that may stand for it, in the nominative
    """

    start: int
    end: int
    sentence: int
    kind: str
    text: str
    persons: frozenset[str]

    @property
    def head(self) -> str:
        """The last word."""
        return self.text.split()[-1]


@dataclass(frozen=True)
class Sentence:
    """The words of a document from `start` up to `end`, and what seem to be names in it."""

    words: tuple[str, ...]
    start: int
    end: int
    number: int
    names: frozenset[str]

    def word(self, at: int) -> str:
        """The word in lower case; "" outside the sentence."""
        return self.words[at].lower() if self.start <= at < self.end else ""

    def is_name(self, at: int) -> bool:
        """Whether the word has a capital for another reason than being the first."""
        if not self.word(at) or self.word(at) in STOPS or not self.words[at][0].isupper():
            return False
        first = _is_first(self.words, at, self.start)
        return not first or self.words[at] in self.names or self.is_name(at + 1)

    def name_end(self, at: int) -> int:
        """Where the row of names ends that begins at `at`; `at` if none does."""
        return at + sum(1 for _ in takewhile(self.is_name, range(at, self.end)))

    def run_end(self, at: int) -> int:
        """Where the words end that may make up a noun phrase after its determiner."""
        end = at
        while self._is_content(end) and not (end > at and _is_participle(self.word(end))):
            end += 1
        # "the town hopes that", "a stranger gave it": before a new phrase stands a verb.
        verb_last = self.word(end) in PHRASE_STARTS and not self.is_name(end - 1)
        return end - 1 if end - at > 1 and verb_last else end

    def owns(self, at: int) -> bool:
        """Whether an apostrophe stands here, with something owned after it."""
        return self.word(at) in ("'s", "'") and self.run_end(at + 1) > at + 1

    def _is_content(self, at: int) -> bool:
        word = self.word(at)
        return word.replace("-", "").isalnum() and word not in STOPS and not word.endswith("ly")


def _is_first(words: Sequence[str], at: int, start: int) -> bool:
    return at == start or words[at - 1] == '"'


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "ing"))


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def sentences(document: Document) -> list[Sentence]:
    """The sentences of a document; a word with a capital inside one is a name in all of them."""
    words, starts = tuple(document.words), document.sentence_starts
    bounds = list(zip(starts, (*starts[1:], len(words)), strict=True))
    names = frozenset(
        words[at]
        for start, end in bounds
        for at in range(start, end)
        if words[at][0].isupper() and not _is_first(words, at, start)
    )
    return [Sentence(words, *bound, number, names) for number, bound in enumerate(bounds)]


def phrases(sentence: Sentence) -> Iterator[Phrase]:
    """The pronouns, names and noun phrases from left to right, and the possessors inside them."""
    at = sentence.start
    while at < sentence.end:
        word, (end, kind) = sentence.word(at), _bounds(sentence, at)
        if word in PERSON_OF:
            persons = frozenset([PERSON_OF[word]])
            yield Phrase(at, at + 1, sentence.number, "pronoun", word, persons)
        while end > at and sentence.owns(end):
            yield _phrase(sentence, at, end, kind, end + 1)
            end, kind = sentence.run_end(end + 1), "possessive"
        if end > at:
            yield _phrase(sentence, at, end, kind, end)
        at = max(end, at + 1)


def _bounds(sentence: Sentence, at: int) -> tuple[int, str]:
    """Where the phrase that begins at `at` ends, and its kind; `at` if none begins."""
    word, end = sentence.word(at), sentence.run_end(at + 1)
    if end > at + 1 and word in POSSESSIVES:
        return end, "possessive"
    if end > at + 1 and word in DEFINITES | INDEFINITES:
        return end, "definite" if word in DEFINITES else "indefinite"
    if sentence.is_name(at):
        return sentence.name_end(at), "name"
    return (sentence.run_end(at), "bare") if _begins_bare_plural(sentence, at) else (at, "")


def _begins_bare_plural(sentence: Sentence, at: int) -> bool:
    end = sentence.run_end(at)
    follows = sentence.word(at - 1) in PREPOSITIONS | {"and", "or"}
    return end > at and follows and _is_plural(sentence.word(end - 1))


def _phrase(sentence: Sentence, start: int, text_end: int, kind: str, end: int) -> Phrase:
    words = [sentence.word(at) for at in range(start, text_end)]
    place = kind == "name" and sentence.word(start - 1) in ("at", "in", "near")
    persons = frozenset(["it"]) if place else _persons(words, kind)
    return Phrase(start, end, sentence.number, kind, " ".join(words), persons)


def _persons(words: Sequence[str], kind: str) -> frozenset[str]:
    if TIMES & set(words) or words[-1].endswith("day"):
        return frozenset()
    if words[0] in SEVERAL or (kind != "name" and _is_plural(words[-1])):
        return frozenset(["they"])
    for gender, nouns in (("he", MALE), ("she", FEMALE)):
        if nouns & {words[0], words[-1]}:
            return frozenset([gender])
    personal = kind == "name" or words[-1].endswith(PERSONAL_ENDINGS)
    return frozenset(["he", "she"] if personal else ["it"])
