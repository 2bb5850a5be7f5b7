"""Mentions of either side: their words, their class (how the response resolves them), their type,
and the slices of a corpus, such as pronouns or long entities, that they are in."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from corescore.corpus.documents import Document, Pieces
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
    head_position,
    type_by_tags,
    type_by_words,
)
from corescore.corpus.problems import choose
from corescore.counting.comparison import SIDES, Comparison
from corescore.counting.policies import DEFAULTS, Policies, Singletons
from corescore.counting.sides import Side, flatten, listed_before
from corescore.util import AnyArray, BoolArray, IntArray, as_rows, once_of, picked, ranges

if TYPE_CHECKING:
    import pandas as pd

CORRECT, UNLINKED, INCORRECTLY_RESOLVED = "correct", "unlinked", "incorrectly resolved"
SPAN_ERROR, MISSING, SPURIOUS, DUPLICATED = "span error", "missing", "spurious", "duplicated"
FOUND = (CORRECT, UNLINKED, INCORRECTLY_RESOLVED)  # both sides have the mention
MENTION_CLASSES = (*FOUND, SPAN_ERROR, MISSING, SPURIOUS, DUPLICATED)

# Which mentions are incorrectly resolved: all as below, or only those with a link in the key.
Incorrect = Literal["all", "linked"]
INCORRECT: tuple[Incorrect, ...] = get_args(Incorrect)


def category(numbers: ArrayLike, names: Iterable[str]) -> "pd.Categorical[str]":
    """The names with these numbers, as a categorical of all names; −1 is none."""
    import pandas as pd

    return pd.Categorical.from_codes(np.asarray(numbers), pd.Index([*names]))


def nullable(values: ArrayLike, known: ArrayLike) -> "pd.Series[int]":
    """Whole numbers; NA where they are not known."""
    import pandas as pd

    return pd.Series(np.asarray(values), dtype="Int64").mask(~np.asarray(known))


@dataclass(frozen=True, eq=False)
class Mentions:
    """Mentions by their numbers on either side.

    key, response  (rows,) −1 where the side lacks it, both −1 for none. A span error has both.
    own            of which side, if both have it, the span and the words are: of the key ("recall")
                   or of the response ("precision")
    """

    comparison: Comparison
    key: IntArray
    response: IntArray
    own: str = field(default="recall", kw_only=True)

    @classmethod
    def of_side(cls, comparison: Comparison, side: str, mentions: IntArray) -> "Mentions":
        """Those of one side, −1 for none, and their partners on the other."""
        partners = picked(comparison.view(side).own_partner, mentions)
        ends = (mentions, partners) if side == "recall" else (partners, mentions)
        return cls(comparison, *ends, own=side)

    @classmethod
    def of_both(cls, comparison: Comparison, key: IntArray, alone: IntArray) -> "Mentions":
        """Mentions of the key with their partners, and others of the response, in text order."""
        none, partners = np.full_like(alone, -1), comparison.recall.own_partner[key]
        mentions = cls(comparison, np.append(key, none), np.append(partners, alone))
        return mentions.take(mentions.text_order)

    @cached_property
    def is_key(self) -> BoolArray:
        """(rows,) whether the span and the words are the key's."""
        return self.key >= 0 if self.own == "recall" else self.response < 0

    def either(self, of_key: ArrayLike, of_response: ArrayLike, none: int | bool = -1) -> AnyArray:
        """(rows,) the value of the own side's mention, else of the other's, else `none`."""
        key, response = np.append(of_key, [none]), np.append(of_response, [none])
        return np.where(self.is_key, key[self.key], response[self.response])

    def _column(self, name: str) -> IntArray:
        key, response = (getattr(side, name) for side in self.comparison.matching.sides)
        return self.either(key, response)

    @cached_property
    def document(self) -> IntArray:
        """(rows,) the number of the document; −1 for none, as of start and end."""
        return self._column("document")

    @cached_property
    def start(self) -> IntArray:
        return self._column("start")

    @cached_property
    def end(self) -> IntArray:
        return self._column("end")

    @property
    def known(self) -> BoolArray:
        """(rows,) where there is one."""
        return self.document >= 0

    @property
    def text_order(self) -> IntArray:
        return np.lexsort((-self.end, self.start, self.document))

    def take(self, rows: IntArray) -> "Mentions":
        """Those of some rows, none for −1."""
        key, response = (picked(of, rows) for of in (self.key, self.response))
        return Mentions(self.comparison, key, response)

    @cached_property
    def words(self) -> list[str]:
        """(rows,) the words of each, joined by blanks; "" for none, and " … " for a gap."""
        shown = [text.shown_words for text in texts_of(self.comparison, self.own)]
        return [
            " … ".join([" ".join(shown[number][at:to]) for at, to in pieces])
            if pieces
            else " ".join(shown[number][start:end])
            for number, start, end, pieces in self.places
        ]

    @property
    def lemmas(self) -> list[str]:
        """(rows,) the known lemmas of the words of each, joined by blanks; "" for none."""
        known = document_lemmas(self.comparison)
        return [
            " ".join(
                of for at, to in pieces or ((start, end),) for of in known[number][at:to] if of
            )
            for number, start, end, pieces in self.places
        ]

    @property
    def places(self) -> Iterator[tuple[int, int, int, Pieces]]:
        """(rows,) document, start and end of each, and its pieces if it has gaps; −1 for none."""
        columns = self.document.tolist(), self.start.tolist(), self.end.tolist()
        sides = self.comparison.key, self.comparison.response
        gaps: Iterable[Pieces] = repeat(())
        if any(document.attributes for side in sides for document in side):
            rows = as_rows(self.is_key, self.document, self._column("row"))
            attribute_rows = (
                (sides[not is_key][n].attributes if n >= 0 else None, r) for is_key, n, r in rows
            )
            gaps = (known.pieces[row] if known else () for known, row in attribute_rows)
        return zip(*columns, gaps, strict=False)

    @property
    def heads(self) -> IntArray:
        """(rows,) the position in the document of the head of each mention: as its file tells, else
        by a rule for English."""
        words = [text.words for text in texts_of(self.comparison)]
        places = [*self.places]
        guessed = {
            place: start + head_position(phrase) if phrase else end - 1
            for place in {*places}
            for number, start, end, _ in (place,)
            for phrase in (words[number][start:end],)
        }
        key, response = (
            np.full_like(side.start, -1) if side.head is None else side.head
            for side in self.comparison.matching.sides
        )
        by_file = self.either(key, response)
        return np.where(by_file < 0, np.array([guessed[at] for at in places], np.int64), by_file)

    @property
    def types(self) -> "pd.DataFrame":
        """`mention_types` of each; the number −1, and neither guessed nor by a file, for none."""
        import pandas as pd

        of_key, of_response = (mention_types(self.comparison, side=side) for side in SIDES)
        none = {"number": -1, "guessed": False, "by_file": False}
        return pd.DataFrame(
            {name: self.either(of_key[name], of_response[name], of) for name, of in none.items()}
        )

    @property
    def slices(self) -> "dict[str, pd.Categorical[str]]":
        """The slice of each kind of each mention."""
        of_key, of_response = (_slices(self.comparison, side) for side in SIDES)
        return {
            kind: category(self.either(numbers, of_response[kind][0]), names)
            for kind, (numbers, names) in of_key.items()
        }

    def columns(self) -> "pd.DataFrame":
        """document (a categorical of all, in the key's order), mention (the words), start, end,
        key_entity and response_entity, counted from 1 in each document; NA where there is none."""
        import pandas as pd

        key, response = (
            nullable(picked(entity_numbers(side), at, 0), at >= 0)
            for side, at in zip(
                self.comparison.matching.sides, (self.key, self.response), strict=True
            )
        )
        return pd.DataFrame(
            {
                "document": category(self.document, self.comparison.names),
                "mention": pd.Series(self.words, dtype=str),
                "start": self.start,
                "end": self.end,
                "key_entity": key,
                "response_entity": response,
            }
        )


@dataclass(frozen=True, eq=False)
class Classified(Mentions):
    """Mentions with their classes.

    number  (rows,) the class of each, by its place in MENTION_CLASSES
    """

    number: IntArray

    def rows(self, rows: IntArray) -> "Classified":
        """Those of some rows."""
        columns = (self.key, self.response, self.number)
        return Classified(self.comparison, *(of[rows] for of in columns))

    def are(self, name: str) -> BoolArray:
        """(rows,) whether a mention is of this class."""
        is_of_class: BoolArray = self.number == MENTION_CLASSES.index(name)
        return is_of_class


def text_of(comparison: Comparison, document: int, side: str = "recall") -> Document:
    """The document of the key (recall) or response (precision), or the other's if only that has
    words."""
    both = comparison.key[document], comparison.response[document]
    own, other = both if side == "recall" else both[::-1]
    return own if own.words else other


def texts_of(comparison: Comparison, side: str = "recall") -> list[Document]:
    """(documents,) `text_of` each document."""
    return [text_of(comparison, number, side) for number in range(len(comparison.key))]


def entity_numbers(side: Side) -> IntArray:
    """(mentions,) the entity of each mention within its document, counted from 1."""
    return side.entity - np.searchsorted(side.entity_document, side.document) + 1


def document_lemmas(comparison: Comparison) -> list[Sequence[str]]:
    """The lemmas of each document's words: both sides are over the same, so either's will do."""
    both = zip(comparison.key, comparison.response, strict=True)
    return [key.lemmas or response.lemmas for key, response in both]


# How the response resolves each mention -----------------------------------------------------------


@dataclass(frozen=True)
class SpanAlignment:
    """The key mention that each response mention matches, exactly or with a span error.

    key_mention  (response mentions,) −1 if it matches none
    altered      (response mentions,) whether it matches with a span error
    """

    key_mention: IntArray
    altered: BoolArray


def incorrectly_resolved(comparison: Comparison, *, incorrect: Incorrect = "all") -> BoolArray:
    """(response mentions,) whether a mention is shared and all its partners are wrong.

    Its response entity has other mentions, but none that the key makes coreferent with it:
    L_r(m) ≠ ∅ and L_k(m) ∩ L_r(m) = ∅ (Moosavi & Strube 2016, §2). Its cell then has one mention.

    incorrect  "all" such mentions, or only "linked" ones, those with a link in the key:
               L_k(m) ≠ ∅. The rest are singletons in the key. The paper's key has none, and it
               calls m coreferent; on such a key both values give the same.

    Raises PolicyError for another value.
    """
    choose("incorrect", incorrect, INCORRECT)
    view = comparison.precision
    has_correct_partner = np.zeros(len(view.own.document), dtype=bool)
    has_correct_partner[view.pair_own[view.table.cell_sizes[view.pair_cell] > 1]] = True
    has_partner = view.table.key_sizes[view.own_entity] > 1
    is_wrong: BoolArray = (view.own_cell >= 0) & has_partner & ~has_correct_partner
    return is_wrong & linked_in_key(comparison) if incorrect == "linked" else is_wrong


def count_incorrectly_resolved(comparison: Comparison) -> tuple[int, int]:
    """How many mentions are incorrectly resolved, and how many of them are singletons in the key;
    the rest have a link in the key."""
    every = incorrectly_resolved(comparison)
    return int(every.sum()), int((every & ~linked_in_key(comparison)).sum())


def linked_in_key(comparison: Comparison) -> BoolArray:
    """(response mentions,) whether a mention is shared and its key entity has other mentions."""
    view = comparison.precision
    key_entity = picked(view.other_entity, view.own_partner)
    return picked(view.table.response_sizes, key_entity, 0) > 1


def unlinked(comparison: Comparison) -> BoolArray:
    """(response mentions,) whether a mention is shared and alone in its response entity, but not
    in its key entity."""
    view = comparison.precision
    alone: BoolArray = (view.table.key_sizes[view.own_entity] == 1) & linked_in_key(comparison)
    return alone


def repeated(side: Side) -> BoolArray:
    """(mentions,) whether a mention before it has its span and its gaps, or its minimum span if
    these match."""
    return listed_before(side, DEFAULTS)


def duplicates(comparison: Comparison, *, singletons: Singletons) -> tuple[IntArray, IntArray]:
    """Mentions that the response lists again in another entity; `repeats` may have removed them.

    Returns, for each repetition, the response mention that is listed first and the number in the
    corpus of the other entity. A mention that went because another has its minimum span is not
    told. `singletons` is the policy of the comparison.
    """
    every = flatten(comparison.response, Policies(singletons=singletons, repeats="all").of_sides[1])
    again = repeated(every)
    response = comparison.matching.response
    spans, other = (
        [*as_rows(side.document, side.start, side.end)] for side in (response, every.keep(again))
    )
    first = {span: at for at, span in reversed([*enumerate(spans)])}
    listed = np.array([first.get(span, -1) for span in other], dtype=np.int64)
    return listed[listed >= 0], every.entity[again][listed >= 0]


def align(comparison: Comparison) -> SpanAlignment:
    """The mentions that match, and the span errors.

    A span error is a spurious mention that overlaps a missing one and has the same head (by the
    file, or a rule for English, `corpus.english`), or contains it or is contained in it. The
    pairing is one to one and greedy: first pairs with the same head, then by the number of words by
    which the boundaries differ, then in text order.
    """
    view = comparison.precision
    key_mention = view.own_partner.copy()
    spurious = np.flatnonzero((view.own_cell < 0) & ~repeated(view.own))
    missing = np.flatnonzero(comparison.recall.own_cell < 0)
    response, key = _overlaps(view.own, spurious, view.other, missing)
    none = np.full(len(key), -1)
    ours, theirs = Mentions(comparison, none, response), Mentions(comparison, key, none)
    starts, ends = ours.start - theirs.start, ours.end - theirs.end
    same_head = ours.heads == theirs.heads
    order = np.lexsort((key, response, abs(starts) + abs(ends), ~same_head))
    order = order[((starts * ends <= 0) | same_head)[order]]
    taken: set[int] = set()
    for one, other in as_rows(response[order], key[order]):
        if key_mention[one] < 0 and other not in taken:
            key_mention[one] = other
            taken.add(other)
    return SpanAlignment(key_mention, (key_mention >= 0) & (view.own_cell < 0))


def _overlaps(one: Side, ones: IntArray, other: Side, others: IntArray) -> tuple[IntArray, ...]:
    """All overlapping pairs, in one document, of a mention of `ones` and one of `others`."""
    (one_start, one_end), (other_start, other_end) = through_documents(one, other)
    starts, other_starts = one_start[ones], other_start[others]
    later = ranges(
        np.searchsorted(other_starts, starts), np.searchsorted(other_starts, one_end[ones])
    )
    earlier = ranges(
        np.searchsorted(starts, other_starts, side="right"),
        np.searchsorted(starts, other_end[others]),
    )
    return (
        ones[np.concatenate([later[0], earlier[1]])],
        others[np.concatenate([later[1], earlier[0]])],
    )


def through_documents(*sides: Side | Mentions) -> list[tuple[IntArray, IntArray]]:
    """Start and end of the mentions of each, in words that are counted through all documents."""
    width = 1 + max(side.end.max(initial=0) for side in sides)
    return [
        (side.document * width + side.start, side.document * width + side.end) for side in sides
    ]


def mention_classes(comparison: Comparison) -> Classified:
    """Every mention of either side once, in text order, with its class.

    correct               both sides have it, and share one of its links or have none
    unlinked              both have it, and only the key links it: `unlinked`
    incorrectly resolved  both have it, all its partners are wrong: `incorrectly_resolved`
    span error            the response has it with another span: `align`
    missing, spurious     only the key has it, only the response

    A mention that the response lists again (`duplicates`) has a row only where it is listed first.
    """
    alignment, matching = align(comparison), comparison.matching
    stands_for, first = alignment.key_mention, ~repeated(matching.response)
    aligned, alone = (np.flatnonzero(of & first) for of in (stands_for >= 0, stands_for < 0))
    response = np.full(len(matching.key.document), -1)
    response[stands_for[aligned]] = aligned
    key = np.append(np.arange(len(response)), np.full(len(alone), -1))
    response = np.append(response, alone)
    conditions = {
        MISSING: response < 0,
        SPURIOUS: key < 0,
        SPAN_ERROR: picked(alignment.altered, response, False),
        INCORRECTLY_RESOLVED: picked(incorrectly_resolved(comparison), response, False),
        UNLINKED: picked(unlinked(comparison), response, False),
    }
    numbers = [MENTION_CLASSES.index(name) for name in conditions]
    classes = np.select([*conditions.values()], numbers, MENTION_CLASSES.index(CORRECT))
    every = Classified(comparison, key, response, classes)
    return every.rows(every.text_order)


def with_duplicates(
    mentions: Classified, *, singletons: Singletons
) -> tuple[Classified, IntArray, IntArray]:
    """Every mention with its class, and again for each other entity in which the response lists it.

    Returns them in text order; (rows,) the row of each in `mentions`, −1 of what is listed again;
    and (rows,) the entity that lists it again, as `duplicates` numbers it, −1 of all others.
    """
    listed, entity = duplicates(mentions.comparison, singletons=singletons)
    none = np.full(len(listed), -1)
    every = Classified(
        mentions.comparison,
        np.append(mentions.key, none),
        np.append(mentions.response, listed),
        np.append(mentions.number, none + 1 + MENTION_CLASSES.index(DUPLICATED)),
    )
    order = every.text_order
    row = np.append(np.arange(len(mentions.key)), none)[order]
    again = np.append(np.full(len(mentions.key), -1), entity)[order]
    return every.rows(order), row, again


# The type of every mention of a side: by its file where that tells, else by rules for English -----


def mention_types(comparison: Comparison, *, side: str) -> "pd.DataFrame":
    """The fine type of each mention of the key (recall) or the response (precision).

    A word that is not in the text is a zero. Others are pronouns, names or nominals by the mention
    type that either file gives the mention, if it is a known one (`given_type`); else by the tag of
    the head in the key or, if the key has no tags at all, in the response; else by the words
    (`corescore.corpus.english.type_by_words`). `fine_type` gives their kinds. Unknown without any.

    Columns: number, the type by its place in FINE_TYPES; guessed: whether rules for English told
    it, and not the file alone: its tag of the head or its mention type tells pronouns, names and
    nominals apart, but what kind of pronoun or nominal it is only with tags of the English Penn
    Treebank; by_file: whether the file told it at least as far as that.
    """
    return _types(comparison, SIDES)[choose("side", side, SIDES)]


@once_of  # several tables ask for them
def _types(comparison: Comparison, sides: tuple[str, ...]) -> "dict[str, pd.DataFrame]":
    import pandas as pd

    type_at = [_types_in(comparison, number) for number in range(len(comparison.key))]
    views = [comparison.view(side) for side in sides]
    given = []
    for view in views:
        by_file = [
            attributes.mention_type if (attributes := one.attributes) else ()
            for one in view.documents
        ]
        document_rows = as_rows(view.own.document, view.own.row)
        given.append(
            [given_type(by_file[n][row]) if by_file[n] else "" for n, row in document_rows]
        )
    by_side = {}
    for side, view, own, other in zip(sides, views, given, given[::-1], strict=True):
        partners = zip(own, view.own_partner.tolist(), strict=True)
        named = [one or (other[at] if at >= 0 else "") for one, at in partners]
        places = as_rows(view.own.document, view.own.start, view.own.end)
        rows = [
            type_at[number](start, end, name)
            for (number, start, end), name in zip(places, named, strict=True)
        ]
        columns = {"number": np.int64, "guessed": bool, "by_file": bool}
        by_side[side] = pd.DataFrame(rows, columns=[*columns]).astype(columns)
    return by_side


# Possessive or personal by what follows
_BEFORE_NOUNS = (("her",), ("Her",))


def _types_in(
    comparison: Comparison, number: int
) -> Callable[[int, int, str], tuple[int, bool, bool]]:
    """What finds the type of a mention of a document by its span and the type that a file gives it,
    as in `mention_types`."""
    text = text_of(comparison, number)
    # Both sides are over the same words, so either's tags are those of the text
    tags = comparison.key[number].tags or comparison.response[number].tags
    words = () if text.named_mentions else text.words
    in_lower_case = frozenset(word for word in words if word.islower())
    openings, empty_nodes = frozenset(text.sentence_starts), frozenset(text.empty_nodes)
    is_english = has_english_tags(tags)

    @cache
    def of_phrase(
        words: tuple[str, ...],
        tags: tuple[str, ...],
        given: str,
        opens_sentence: bool,
        follows: str,
        tag_of_follows: str,
    ) -> tuple[int, bool, bool]:
        phrase = Phrase.of(words, tags)
        by_file = given or type_by_tags(phrase)
        coarse = by_file or type_by_words(
            phrase, opens_sentence=opens_sentence, in_lower_case=in_lower_case
        )
        fine = fine_type(phrase, coarse, follows=follows, tag_of_follows=tag_of_follows)
        is_told = bool(by_file) and (is_english or coarse == NAME)
        return FINE_TYPES.index(fine), coarse != UNKNOWN and not is_told, bool(by_file)

    def of_span(start: int, end: int, given: str) -> tuple[int, bool, bool]:
        if end - start == 1 and start in empty_nodes:
            return FINE_TYPES.index(ZERO), False, True
        own = words[start:end]
        after = end if own in _BEFORE_NOUNS else len(words)
        follows = "".join(words[after : after + 1]), "".join(tags[after : after + 1])
        return of_phrase(own, tags[start:end], given, start in openings, *follows)

    return of_span


# Slices of a corpus, such as pronouns or long entities: the slice of each kind of each mention ----

SLICES = ("type", "length", "size", "position", "antecedent", "genre")

OTHER_GENRE = "other"

FIRST_MENTION, NOT_IN_KEY = "first of its entity", "not in the key"

_LENGTHS = ("1 word", "2 words", "3 to 5 words", "6 to 10 words", "more than 10 words")

_QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")

_DISTANCES = (
    FIRST_MENTION,
    "1 to 10 words",
    "11 to 50 words",
    "51 to 200 words",
    "more than 200 words",
    NOT_IN_KEY,
)


def slices(comparison: Comparison, *, side: str = "recall") -> "pd.DataFrame":
    """A row for each own mention of the key (recall) or the response (precision), in the order of
    its arrays; a categorical for each kind of slice.

    type        pronoun (a zero, which the text leaves out, is one too), name, nominal; unknown
                without words. As its file tells, else by rules for English: `mention_types`
    length      of the mention, in words
    size        of its own entity, in mentions
    position    the quarter of the document in which it starts
    antecedent  the distance in words to the nearest mention before it of the same key entity
    genre       of its document: `genres`

    Raises PolicyError for an unknown side.
    """
    import pandas as pd

    return pd.DataFrame({kind: category(*of) for kind, of in _slices(comparison, side).items()})


@once_of  # several tables ask for them, and a book's types take a second
def _slices(comparison: Comparison, side: str) -> dict[str, tuple[IntArray, Sequence[str]]]:
    view = comparison.view(side)
    types = np.array([MENTION_TYPES.index(COARSE_TYPE[fine]) for fine in FINE_TYPES])
    sizes = view.table.key_sizes[view.own_entity]
    lengths = np.array([len(document.words) for document in comparison.key])
    np.maximum.at(lengths, view.own.document, view.own.end)  # where the words are unknown
    quarter = 4 * view.own.start // lengths[view.own.document]
    of_document = genres(comparison.key)
    genre_names = tuple(dict.fromkeys(of_document))
    genre_of = np.array([genre_names.index(name) for name in of_document], dtype=np.int64)
    return {
        "type": (types[mention_types(comparison, side=side)["number"]], MENTION_TYPES),
        "length": (
            np.searchsorted([2, 3, 6, 11], view.own.end - view.own.start, "right"),
            _LENGTHS,
        ),
        "size": (
            np.searchsorted([2, 3, 6, 11], sizes, "right"),
            [name.replace("word", "mention") for name in _LENGTHS],
        ),
        "position": (quarter, _QUARTERS),
        "antecedent": (_distances(comparison, side), _DISTANCES),
        "genre": (genre_of[view.own.document], genre_names),
    }


def _distances(comparison: Comparison, side: str) -> IntArray:
    """(mentions,) the slice of each by its distance, by its place in `_DISTANCES`."""
    import pandas as pd

    key, bounds = comparison.recall, (10, 50, 200)
    before = pd.Series(key.own.start).groupby(key.own_entity).shift()
    distance = (key.own.start - before).to_numpy()
    of_key = np.where(np.isnan(distance), 0, 1 + np.searchsorted(bounds, distance))
    if side == "recall":
        return of_key
    return np.append(of_key, _DISTANCES.index(NOT_IN_KEY))[comparison.precision.own_partner]


def genres(documents: Iterable[Document]) -> list[str]:
    """The genre of each document: what their file says or, if it says nothing of any of them, the
    `genre` in their names. "other" if there is none.

    A prefix of names is none if it groups no documents: if it is a number, as in "105_persuasion",
    or if several documents have each another one.
    """
    every = list(documents)
    if any(document.genre for document in every):
        return [document.genre or OTHER_GENRE for document in every]
    prefixes = [genre(document.name) for document in every]
    if len(prefixes) > 1 and len({*prefixes}) == len(prefixes):
        return [OTHER_GENRE] * len(prefixes)
    return [OTHER_GENRE if one.isdigit() else one for one in prefixes]


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
