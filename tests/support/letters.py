"""Entities written in letters, each a word of the text: "a bc | d" has the mentions a, bc and d."""

from corescore import Corpus, Document, score

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def sets(text):
    """The entities of mentions of one letter, as sets of positions: "ab c" is {0, 1} and {2}."""
    return [frozenset(map(LETTERS.index, entity)) for entity in text.split()]


def spans(text):
    """The entities as lists of spans."""
    entities = [entity.split() for entity in text.split("|")] if text else []
    return [[(LETTERS.index(m[0]), LETTERS.index(m[-1]) + 1) for m in e] for e in entities]


def lettered(text, words=LETTERS, name="d", **known):
    """A corpus of one document of these entities; its words are the letters unless given."""
    rows = [(*span, number) for number, entity in enumerate(spans(text)) for span in entity]
    return Corpus((Document.of_rows(name, rows, words=words, **known),))


def scored(key, response, words=LETTERS, **policies):
    """The score of a response against a key of one document each."""
    return score(*(lettered(side, words) for side in (key, response)), **policies)
