"""Operations of seven kinds that turn the response into the key, after Kummerfeld & Klein 2013.

They take the heads of mentions from parses; here a rule finds the heads, and a span error may also
be a span that contains the other (`corescore.analysis.errors.classes.align`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from corescore.analysis.errors.classes import (
    SPAN_ERROR,
    MentionClasses,
    mention_classes,
    repeated,
    spans,
    text_of,
)
from corescore.corpus.documents import Document
from corescore.corpus.english import (
    COARSE_TYPE,
    FINE_TYPES,
    MENTION_TYPES,
    NAME,
    UNKNOWN,
    ZERO,
    Phrase,
    fine_type,
    given_type,
    has_english_tags,
    type_by_tags,
    type_by_words,
)
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import SIDES, Comparison, View
from corescore.counting.contingency import Contingency
from corescore.util import BoolArray, IntArray, once_of

CONFLATED_ENTITIES, DIVIDED_ENTITY = "conflated entities", "divided entity"

EXTRA_MENTION, EXTRA_ENTITY = "extra mention", "extra entity"

MISSING_MENTION, MISSING_ENTITY = "missing mention", "missing entity"

OPERATION_OF = {
    SPAN_ERROR: "alter span",
    CONFLATED_ENTITIES: "split",
    EXTRA_MENTION: "remove",
    EXTRA_ENTITY: "remove",
    MISSING_MENTION: "introduce",
    MISSING_ENTITY: "introduce",
    DIVIDED_ENTITY: "merge",
}

KINDS = tuple(OPERATION_OF)


@dataclass(frozen=True)
class EntityParts:
    """All mentions of either side, and the parts of entities that both sides agree on.

    A part is the intersection of a key and a response entity once the spans are fixed; it is a
    cell of `table`. The rows are `mentions`, in text order; −1 stands for none.

    document                     (rows,)
    key_entity, response_entity  (rows,) rows of the table
    part                         (rows,) the part of a shared mention
    stays                        (rows,) the largest part of the mention's response entity
    gathers                      (rows,) the largest part of its key entity; of equal parts the
                                 first in the text
    first                        (parts,) the row of the first mention of each part
    """

    mentions: MentionClasses
    document: IntArray
    key_entity: IntArray
    response_entity: IntArray
    part: IntArray
    stays: IntArray
    gathers: IntArray
    first: IntArray
    table: Contingency

    @cached_property
    def errors(self) -> dict[str, IntArray]:
        """(rows,) for each kind, a number for the error that a mention belongs to; −1 for none."""
        row = np.arange(len(self.part))
        in_both = self.part >= 0
        extra, missing = self.key_entity < 0, self.response_entity < 0
        found = {
            SPAN_ERROR: (self.mentions.are(SPAN_ERROR), row),
            CONFLATED_ENTITIES: (in_both & (self.part != self.stays), self.part),
            EXTRA_MENTION: (extra & (self.stays >= 0), row),
            EXTRA_ENTITY: (extra & (self.stays < 0), self.response_entity),
            MISSING_MENTION: (missing & (self.gathers >= 0), row),
            MISSING_ENTITY: (missing & (self.gathers < 0), self.key_entity),
            DIVIDED_ENTITY: (in_both & (self.part != self.gathers), self.part),
        }
        return {kind: np.where(is_one, number, -1) for kind, (is_one, number) in found.items()}


def has_repeats(comparison: Comparison) -> bool:
    """Whether a side lists a span twice."""
    matching = comparison.matching
    return any(bool(repeated(side).any()) for side in (matching.key, matching.response))


def parts_of(comparison: Comparison) -> EntityParts:
    """The parts of a response. Raises PolicyError where a side lists a span twice."""
    if has_repeats(comparison):
        raise PolicyError("repeats is 'all'; errors of entities expect one of: first, error")
    mentions = mention_classes(comparison)
    document, _, _ = spans(comparison, mentions.key, mentions.response)
    key_entity = np.append(comparison.recall.own_entity, -1)[mentions.key]
    response_entity = np.append(comparison.precision.own_entity, -1)[mentions.response]
    part, first, table = _partition(comparison.table, key_entity, response_entity)
    sizes = table.cell_sizes
    stays = _largest(table.cell_response, sizes, first, len(table.response_sizes))[response_entity]
    gathers = _largest(table.cell_key, sizes, first, len(table.key_sizes))[key_entity]
    entities = (key_entity, response_entity)
    return EntityParts(mentions, document, *entities, part, stays, gathers, first, table)


def _partition(
    table: Contingency, key_entity: IntArray, response_entity: IntArray
) -> tuple[IntArray, IntArray, Contingency]:
    """The part of each mention, the first mention of each part, and the table with these cells."""
    n_response = max(len(table.response_sizes), 1)
    in_both = np.flatnonzero((key_entity >= 0) & (response_entity >= 0))
    codes, first, which, sizes = np.unique(
        key_entity[in_both] * n_response + response_entity[in_both],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    part = np.full(len(key_entity), -1)
    part[in_both] = which
    key, response = np.divmod(codes, n_response)
    parted = replace(table, cell_key=key, cell_response=response, cell_sizes=sizes)
    return part, in_both[first], parted


def _largest(entity: IntArray, sizes: IntArray, first: IntArray, n_entities: int) -> IntArray:
    """(entities + 1,) the part with most mentions, of equal parts the first in the text; −1 for an
    entity without parts and, at the end, for no entity."""
    largest = np.full(n_entities + 1, -1)
    order = np.lexsort((-first, sizes, entity))
    largest[entity[order]] = order  # the last of each entity stays
    return largest


@dataclass(frozen=True)
class Operations:
    """Operations in order: by document, then by kind as in KINDS, then in text order.

    kind       (operations,) the kind, by its position in KINDS
    first      (operations,) the first mention that each affects, as a row of Parts
    target     (operations,) the first mention of the part to which mentions are added, as a row
               of Parts; −1 where there is none
    operation  (members,) the operation of each affected mention, ascending
    mention    (members,) that mention, as a row of Parts, in text order
    """

    kind: IntArray
    first: IntArray
    target: IntArray
    operation: IntArray
    mention: IntArray


def operations(parts: EntityParts) -> Operations:
    """The operations that turn the response into the key, one for each error.

    Carried out in order in each overlap of entities (spans fixed first), they give the key
    exactly. By kind:

    span error          alter span: an extra mention gets the span of the key's mention
    conflated entities  split: a part leaves its response entity; the largest part stays
    extra mention       remove: a mention that the key lacks, from an entity with shared ones
    extra entity        remove: a response entity of which the key has no mention
    missing mention     introduce: a mention that the response lacks, into the largest part of its
                        key entity
    missing entity      introduce: a key entity of which the response has no mention
    divided entity      merge: a part is added to the largest part of its key entity

    Kummerfeld & Klein 2013, §3; they introduce a missing mention as an entity and then merge it.
    """
    errors = np.array(list(parts.errors.values()))
    kind, row = np.nonzero(errors >= 0)
    code = kind * (1 + errors.max(initial=0)) + errors[kind, row]
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    of_kind, of_row = kind[first], row[first]
    order = np.lexsort((of_row, of_kind, parts.document[of_row]))
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    members = np.lexsort((row, number[which]))
    return Operations(
        of_kind[order],
        of_row[order],
        _targets(parts, of_kind[order], of_row[order]),
        number[which][members],
        row[members],
    )


def _targets(parts: EntityParts, kind: IntArray, row: IntArray) -> IntArray:
    joins = np.isin(kind, [KINDS.index(name) for name in (MISSING_MENTION, DIVIDED_ENTITY)])
    return np.where(joins, np.append(parts.first, -1)[parts.gathers[row]], -1)


# The type of every mention of a side: by its file where that tells, else by rules for English -----


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


# Slices of a corpus, such as pronouns or long entities: the slice of each kind of each mention ----


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


OTHER_GENRE = "other"

FIRST_MENTION, NOT_IN_KEY = "first of its entity", "not in the key"


@dataclass(frozen=True)
class Slices:
    """The slices of one kind.

    names   their names, in order
    number  (mentions,) the slice of each mention, by its position in `names`
    """

    names: tuple[str, ...]
    number: IntArray


def slices(comparison: Comparison, *, side: str) -> dict[str, Slices]:
    """The slices of each own mention of the key (recall) or the response (precision), by kind.

    type        pronoun (a zero, which the text leaves out, is one too), name, nominal; unknown
                without words. As its file tells, else by rules for English: `mention_types`
    length      of the mention, in words
    size        of its own entity, in mentions
    position    the quarter of the document in which it starts
    antecedent  the distance in words to the nearest mention before it of the same key entity
    genre       of its document: `genres`

    Raises PolicyError for an unknown side.
    """
    return _slices(comparison, side)


@once_of  # several tables ask for them, and a book's types take a second
def _slices(comparison: Comparison, side: str) -> dict[str, Slices]:
    view = comparison.view(side)
    return {kind: of(comparison, view) for kind, of in SLICES.items()}


def genres(documents: Iterable[Document]) -> list[str]:
    """The genre of each document: what their file says or, if it says nothing of any of them, the
    `genre` in their names. "other" where there is none.

    A prefix of names is none if it groups no documents: if it is a number, as in "105_persuasion",
    or if several documents have each another one.
    """
    every = list(documents)
    if any(document.genre for document in every):
        return [document.genre or OTHER_GENRE for document in every]
    found = [genre(document.name) for document in every]
    if len(found) > 1 and len({*found}) == len(found):
        return [OTHER_GENRE] * len(found)
    return [OTHER_GENRE if one.isdigit() else one for one in found]


def slice_kinds(documents: Iterable[Document]) -> tuple[str, ...]:
    """The kinds of slices that can tell mentions of these documents apart: all, but for the genre
    where all documents have one."""
    has_genres = len({*genres(documents)}) > 1
    return tuple(kind for kind in SLICES if kind != "genre" or has_genres)


def genre(name: str) -> str:
    """The genre in the name of a document: the part before the first "/" or, without one, "_".

    If that is in capitals and two parts follow, it is the corpus, and the genre comes next:
    "bc/cctv/00" is bc, "news_harbour" news, "GUM_bio_byron" bio. Other names: "other".
    """
    if "/" in name.strip("/"):
        return name.strip("/").partition("/")[0]
    first, *rest = name.split("_")
    if first.isupper() and len(rest) > 1:
        first = rest[0]
    return first if first and rest else OTHER_GENRE


def _slices_of_types(comparison: Comparison, view: View) -> Slices:
    coarse = [MENTION_TYPES.index(COARSE_TYPE[fine]) for fine in FINE_TYPES]
    side = "recall" if view is comparison.recall else "precision"
    return Slices(MENTION_TYPES, np.array(coarse)[mention_types(comparison, side=side).number])


def _lengths(comparison: Comparison, view: View) -> Slices:
    names = ("1 word", "2 words", "3 to 5 words", "6 to 10 words", "more than 10 words")
    return Slices(names, np.searchsorted([2, 3, 6, 11], view.own.end - view.own.start, "right"))


def _sizes(comparison: Comparison, view: View) -> Slices:
    names = ("1 mention", "2 mentions", "3 to 5 mentions", "6 to 10 mentions")
    sizes = view.table.key_sizes[view.own_entity]
    return Slices((*names, "more than 10 mentions"), np.searchsorted([2, 3, 6, 11], sizes, "right"))


def _positions(comparison: Comparison, view: View) -> Slices:
    lengths = np.array([len(document.words) for document in comparison.key])
    np.maximum.at(lengths, view.own.document, view.own.end)  # where the words are unknown
    quarter = 4 * view.own.start // lengths[view.own.document]
    names = ("first quarter", "second quarter", "third quarter", "last quarter")
    return Slices(names, quarter)


def _antecedents(comparison: Comparison, view: View) -> Slices:
    bounds = (10, 50, 200)
    between = [
        f"{low + 1} to {high} words" for low, high in zip((0, *bounds), bounds, strict=False)
    ]
    names = (FIRST_MENTION, *between, f"more than {bounds[-1]} words", NOT_IN_KEY)
    distance = _distances(comparison.recall)
    of_key = np.where(distance < 0, 0, 1 + np.searchsorted(bounds, distance))
    if view is comparison.recall:
        return Slices(names, of_key)
    return Slices(names, np.append(of_key, names.index(NOT_IN_KEY))[view.own_partner])


def _distances(key: View) -> IntArray:
    """(key mentions,) words from the start of its entity's mention before it; −1 for the first."""
    order = np.lexsort((np.arange(len(key.own_entity)), key.own_entity))
    start, entity = key.own.start[order], key.own_entity[order]
    distance = np.full(len(order), -1)
    later = np.flatnonzero(np.diff(entity) == 0) + 1
    distance[order[later]] = start[later] - start[later - 1]
    return distance


def _genres(comparison: Comparison, view: View) -> Slices:
    of_document = genres(comparison.key)
    names = tuple(dict.fromkeys(of_document))
    numbers = np.array([names.index(name) for name in of_document], dtype=np.int64)
    return Slices(names, numbers[view.own.document])


SLICES: dict[str, Callable[[Comparison, View], Slices]] = {
    "type": _slices_of_types,
    "length": _lengths,
    "size": _sizes,
    "position": _positions,
    "antecedent": _antecedents,
    "genre": _genres,
}
