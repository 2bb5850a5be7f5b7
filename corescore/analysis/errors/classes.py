"""How the response resolves each mention: the mention's class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from corescore.corpus.documents import Document
from corescore.corpus.english import head_position
from corescore.corpus.problems import choose
from corescore.counting.comparison import Comparison
from corescore.counting.policies import Policies, Singletons
from corescore.counting.sides import Side, flatten, listed_before
from corescore.util import BoolArray, IntArray, ranges

CORRECT, UNLINKED, INCORRECTLY_RESOLVED = "correct", "unlinked", "incorrectly resolved"
SPAN_ERROR, MISSING, SPURIOUS, DUPLICATED = "span error", "missing", "spurious", "duplicated"
FOUND = (CORRECT, UNLINKED, INCORRECTLY_RESOLVED)  # both sides have the mention
MENTION_CLASSES = (*FOUND, SPAN_ERROR, MISSING, SPURIOUS, DUPLICATED)

# Which mentions are incorrectly resolved: all as below, or only those with a link in the key.
Incorrect = Literal["all", "linked"]
INCORRECT: tuple[Incorrect, ...] = get_args(Incorrect)


@dataclass(frozen=True)
class SpanAlignment:
    """The key mention that each response mention matches, exactly or with a span error.

    key_mention  (response mentions,) −1 if it matches none
    altered      (response mentions,) whether it matches with a span error
    """

    key_mention: IntArray
    altered: BoolArray


@dataclass(frozen=True)
class MentionClasses:
    """Every mention of either side once, in text order.

    key, response  (rows,) the mention of each side; −1 where the side lacks it. A span error
                   has both: the key's span and the response's.
    number         (rows,) its class, by its place in MENTION_CLASSES
    """

    key: IntArray
    response: IntArray
    number: IntArray

    def are(self, name: str) -> BoolArray:
        """(rows,) whether a mention is of this class."""
        found: BoolArray = self.number == MENTION_CLASSES.index(name)
        return found


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
    found: BoolArray = (view.own_cell >= 0) & has_partner & ~has_correct_partner
    return found & linked_in_key(comparison) if incorrect == "linked" else found


def count_incorrectly_resolved(comparison: Comparison) -> tuple[int, int]:
    """How many mentions are incorrectly resolved, and how many of them are singletons in the key;
    the rest have a link in the key."""
    every = incorrectly_resolved(comparison)
    return int(every.sum()), int((every & ~linked_in_key(comparison)).sum())


def linked_in_key(comparison: Comparison) -> BoolArray:
    """(response mentions,) whether a mention is shared and its key entity has other mentions."""
    view = comparison.precision
    key_entity = np.append(view.other_entity, -1)[view.own_partner]
    linked: BoolArray = np.append(view.table.response_sizes, 0)[key_entity] > 1
    return linked


def unlinked(comparison: Comparison) -> BoolArray:
    """(response mentions,) whether a mention is shared and alone in its response entity, but not
    in its key entity."""
    view = comparison.precision
    found: BoolArray = (view.table.key_sizes[view.own_entity] == 1) & linked_in_key(comparison)
    return found


def repeated(side: Side) -> BoolArray:
    """(mentions,) whether a mention before it has its span, or its minimum span if these match."""
    if side.label is not None:
        return listed_before(side.document, side.label, in_order=False)
    again = np.zeros(len(side.document), dtype=bool)
    spans = np.array([side.document, side.start, side.end])
    again[1:] = (spans[:, 1:] == spans[:, :-1]).all(axis=0)
    return again


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
        list(zip(side.document.tolist(), side.start.tolist(), side.end.tolist(), strict=True))
        for side in (response, every.keep(again))
    )
    first = {span: at for at, span in reversed([*enumerate(spans)])}
    told = np.array([span in first for span in other], dtype=bool)
    listed = np.array([first[span] for span in other if span in first], dtype=np.int64)
    return listed, every.entity[again][told]


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
    partners = _one_to_one(*_span_errors(comparison, response, key))
    for at, partner in partners.items():
        key_mention[at] = partner
    altered = (key_mention >= 0) & (view.own_cell < 0)
    return SpanAlignment(key_mention, altered)


def _overlaps(one: Side, ones: IntArray, other: Side, others: IntArray) -> tuple[IntArray, ...]:
    """All overlapping pairs, in one document, of a mention of `ones` and one of `others`."""
    width = 1 + max(one.end.max(initial=0), other.end.max(initial=0))
    one_start, one_end = (one.document * width + at for at in (one.start, one.end))
    other_start, other_end = (other.document * width + at for at in (other.start, other.end))
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


def _span_errors(
    comparison: Comparison, response: IntArray, key: IntArray
) -> tuple[IntArray, IntArray]:
    """The overlapping pairs that may be span errors, in order of preference."""
    ours, theirs = comparison.matching.response, comparison.matching.key
    starts, ends = ours.start[response] - theirs.start[key], ours.end[response] - theirs.end[key]
    contained = starts * ends <= 0
    same_head = heads(comparison, ours, response) == heads(comparison, theirs, key)
    order = np.lexsort((key, response, abs(starts) + abs(ends), ~same_head))
    order = order[(contained | same_head)[order]]
    return response[order], key[order]


def heads(comparison: Comparison, side: Side, mentions: IntArray) -> IntArray:
    """(mentions,) the position in the document of the head of each mention: as its file tells, else
    by a rule for English."""
    different, which = np.unique(mentions, return_inverse=True)
    rows = zip(side.document[different], side.start[different], side.end[different], strict=True)
    heads = [
        _head(text_of(comparison, document).words, start, end) for document, start, end in rows
    ]
    guessed = np.array(heads, dtype=np.int64)
    known = guessed if side.head is None else side.head[different]
    return np.where(known < 0, guessed, known)[which]


def _head(words: Sequence[str], start: int, end: int) -> int:
    phrase = words[start:end]
    return start + head_position(phrase) if phrase else end - 1


def text_of(comparison: Comparison, document: int) -> Document:
    """The key's document, or the response's if only that has words."""
    key = comparison.key[document]
    return key if key.words else comparison.response[document]


def _one_to_one(response: IntArray, key: IntArray) -> dict[int, int]:
    """The key mention by response mention: each pair in turn, if both mentions are unpaired."""
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for one, other in zip(response.tolist(), key.tolist(), strict=True):
        if one not in partners and other not in taken:
            partners[one] = other
            taken.add(other)
    return partners


def mention_classes(comparison: Comparison) -> MentionClasses:
    """The class of every mention of either side.

    correct               both sides have it, and share one of its links or have none
    unlinked              both have it, and only the key links it: `unlinked`
    incorrectly resolved  both have it, all its partners are wrong: `incorrectly_resolved`
    span error            the response has it with another span: `align`
    missing, spurious     only the key has it, only the response

    A mention that the response lists again (`duplicates`) has a row only where it is listed first.
    """
    alignment = align(comparison)
    matching = comparison.matching
    stands_for = alignment.key_mention
    key = np.arange(len(matching.key.document))
    response = np.full(len(key), -1)
    first = ~repeated(matching.response)
    aligned = np.flatnonzero((stands_for >= 0) & first)
    response[stands_for[aligned]] = aligned
    alone = np.flatnonzero((stands_for < 0) & first)
    key = np.concatenate([key, np.full(len(alone), -1)])
    response = np.concatenate([response, alone])
    classes = _class_numbers(comparison, alignment, key, response)
    order = text_order(comparison, key, response)
    return MentionClasses(key[order], response[order], classes[order])


def _class_numbers(
    comparison: Comparison, alignment: SpanAlignment, key: IntArray, response: IntArray
) -> IntArray:
    conditions = {
        MISSING: response < 0,
        SPURIOUS: key < 0,
        SPAN_ERROR: np.append(alignment.altered, False)[response],
        INCORRECTLY_RESOLVED: np.append(incorrectly_resolved(comparison), False)[response],
        UNLINKED: np.append(unlinked(comparison), False)[response],
    }
    numbers = [MENTION_CLASSES.index(name) for name in conditions]
    return np.select(list(conditions.values()), numbers, MENTION_CLASSES.index(CORRECT))


def text_order(comparison: Comparison, key: IntArray, response: IntArray) -> IntArray:
    """The text order of mentions, given as in `MentionClasses`."""
    document, start, end = spans(comparison, key, response)
    return np.lexsort((-end, start, document))


def spans(comparison: Comparison, key: IntArray, response: IntArray) -> tuple[IntArray, ...]:
    """Document, start and end of mentions, given as in `MentionClasses`; the key's span if any."""
    m = comparison.matching
    found = []
    for name in ("document", "start", "end"):
        of_key, of_response = (np.append(getattr(side, name), -1) for side in (m.key, m.response))
        found.append(np.where(key >= 0, of_key[key], of_response[response]))
    return tuple(found)
