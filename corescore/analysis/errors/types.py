"""The type of every mention of a side: by its file where that tells, else by rules for English."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from corescore.analysis.errors.mentions import text_of
from corescore.arrays import BoolArray, IntArray
from corescore.corpus.documents import Document
from corescore.corpus.english import NAME, UNKNOWN, Phrase, type_by_tags, type_by_words
from corescore.corpus.mention_types import (
    FINE_TYPES,
    ZERO,
    fine_type,
    given_type,
    has_english_tags,
)
from corescore.corpus.problems import choose
from corescore.counting.comparison import SIDES, Comparison, View
from corescore.once import once_of


@dataclass(frozen=True)
class MentionTypes:
    """The fine types of a side's mentions.

    number   (mentions,) by its place in FINE_TYPES
    guessed  (mentions,) whether rules for English told it, and not the file alone: its tag of the
             head or its mention type tells pronouns, names and nominals apart, but what kind of
             pronoun or nominal it is only with tags of the English Penn Treebank
    by_file  (mentions,) whether the file told it at least as far as that
    """

    number: IntArray
    guessed: BoolArray
    by_file: BoolArray


def mention_types(comparison: Comparison, *, side: str) -> MentionTypes:
    """The fine type of each mention of the key (recall) or the response (precision).

    A word that is not in the text is a zero. Others are pronouns, names or nominals by the mention
    type that either file gives the mention, if it is a known one (`given_type`); else by the tag of
    the head in the key or, if the key has no tags at all, in the response; else by the words
    (`corescore.corpus.english.mention_type`). `fine_type` tells their kinds. Unknown without words.
    """
    return _of_both(comparison, SIDES)[choose("side", side, SIDES)]


@once_of  # several tables ask for them
def _of_both(comparison: Comparison, sides: tuple[str, ...]) -> dict[str, MentionTypes]:
    texts = [_Text.of(comparison, number) for number in range(len(comparison.key))]
    return {side: _types(comparison, comparison.view(side), texts) for side in sides}


def types_of(comparison: Comparison, key: IntArray, response: IntArray) -> MentionTypes:
    """(rows,) the types of mentions, given as in `errors.mentions.MentionClasses`: the key's if it
    has the mention; −1, and not guessed nor by a file, for none."""
    of_key, of_response = (mention_types(comparison, side=side) for side in SIDES)

    def either(of: Callable[[MentionTypes], IntArray | BoolArray], none: int) -> IntArray:
        own, other = (np.append(of(types), none) for types in (of_key, of_response))
        return np.where(key >= 0, own[key], other[response])

    return MentionTypes(
        either(lambda types: types.number, -1),
        either(lambda types: types.guessed, False).astype(bool),
        either(lambda types: types.by_file, False).astype(bool),
    )


def _types(comparison: Comparison, view: View, texts: Sequence["_Text"]) -> MentionTypes:
    own = view.own
    columns = (own.document.tolist(), own.start.tolist(), own.end.tolist())
    rows = zip(*columns, _given(comparison, view), strict=True)
    found = [texts[document].type(start, end, given) for document, start, end, given in rows]
    numbers, guessed, by_file = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return MentionTypes(numbers, guessed.astype(bool), by_file.astype(bool))


def _given(comparison: Comparison, view: View) -> list[str]:
    """(own mentions,) the coarse type of each by its own file, else by the other; "" if unknown."""
    own = _of_file(view.documents, view.own.document, view.own.row)
    if all(document.attributes is None for document in (*comparison.key, *comparison.response)):
        return own
    is_key = view is comparison.recall
    documents = comparison.response if is_key else comparison.key
    other = [*_of_file(documents, view.other.document, view.other.row), ""]
    return [one or other[at] for one, at in zip(own, view.own_partner.tolist(), strict=True)]


def _of_file(documents: Sequence[Document], document: IntArray, row: IntArray) -> list[str]:
    if all(one.attributes is None for one in documents):
        return [""] * len(document)
    types = [
        [given_type(name) for name in one.attributes.mention_type] if one.attributes else []
        for one in documents
    ]
    places = zip(document.tolist(), row.tolist(), strict=True)
    return [types[number][at] if types[number] else "" for number, at in places]


# Possessive or personal by what follows
_BEFORE_NOUNS = (("her",), ("Her",))

# Words, tags, the type that a file gives, whether they open a sentence, what follows and its tag
_Case = tuple[tuple[str, ...], tuple[str, ...], str, bool, str, str]
_Found = tuple[int, bool, bool]  # as in MentionTypes


@dataclass(frozen=True)
class _Text:
    """What the types of a document's mentions are found from; `met`: what has been found."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    in_lower_case: frozenset[str]
    openings: frozenset[int]
    empty_nodes: frozenset[int]
    is_english: bool
    met: dict[_Case, _Found] = field(default_factory=dict)

    @classmethod
    def of(cls, comparison: Comparison, number: int) -> "_Text":
        text = text_of(comparison, number)
        # Both sides are over the same words, so either's tags are those of the text
        tags = comparison.key[number].tags or comparison.response[number].tags
        words = () if text.named_mentions else text.words
        lower = frozenset(word for word in words if word.islower())
        places = frozenset(text.sentence_starts), frozenset(text.empty_nodes)
        return cls(words, tags, lower, *places, has_english_tags(tags))

    def type(self, start: int, end: int, given: str) -> _Found:
        """The place in FINE_TYPES, whether it is guessed, and whether by the file."""
        if end - start == 1 and start in self.empty_nodes:
            return FINE_TYPES.index(ZERO), False, True
        words, tags = self.words[start:end], self.tags[start:end]
        after = end if words in _BEFORE_NOUNS else len(self.words)
        follows = "".join(self.words[after : after + 1]), "".join(self.tags[after : after + 1])
        case = (words, tags, given, start in self.openings, *follows)
        found = self.met.get(case)
        if found is None:
            found = self.met[case] = self._type(*case)
        return found

    def _type(
        self,
        words: tuple[str, ...],
        tags: tuple[str, ...],
        given: str,
        opens_sentence: bool,
        follows: str,
        tag_of_follows: str,
    ) -> _Found:
        phrase = Phrase.of(words, tags)
        told = given or type_by_tags(phrase)
        coarse = told or type_by_words(
            phrase, opens_sentence=opens_sentence, in_lower_case=self.in_lower_case
        )
        fine = fine_type(phrase, coarse, follows=follows, tag_of_follows=tag_of_follows)
        is_told = bool(told) and (self.is_english or coarse == NAME)
        return FINE_TYPES.index(fine), coarse != UNKNOWN and not is_told, bool(told)
