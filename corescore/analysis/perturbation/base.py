"""A response as arrays of mentions, and the base classes of what changes them."""

import zlib
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, ClassVar, Self, TypeGuard

import numpy as np

from corescore.analysis.errors.classes import INCORRECT, Incorrect, incorrectly_resolved, unlinked
from corescore.analysis.errors.operations import SLICES
from corescore.corpus.documents import Attributes, Document, EmptyNode
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import Comparison, compare
from corescore.counting.matching import Matching
from corescore.counting.policies import Policies, Singletons
from corescore.counting.sides import Side
from corescore.util import STEP_PLACES, AnyArray, BoolArray, FloatArray, IntArray

# Mentions of a response in flat arrays, which perturbations change --------------------------------


@dataclass(frozen=True, eq=False)
class Mentions:
    """Mentions of a response in flat arrays, in any order.

    document, start, end  (mentions,) the span of each
    entity                (mentions,) its entity: any numbers ≥ 0, each in one document only
    key_mention           (mentions,) the key mention of the same span; −1 where the key has none
    own                   (mentions,) which mention of the response it is; −1 of one that is added
    accompanied           (mentions,) whether its entity had other mentions before the change
    """

    document: IntArray
    start: IntArray
    end: IntArray
    entity: IntArray
    key_mention: IntArray
    own: IntArray
    accompanied: BoolArray

    def keep(self, kept: BoolArray | IntArray) -> "Mentions":
        """Those where `kept` is True, or those at these positions in this order."""
        return Mentions(*(getattr(self, column.name)[kept] for column in fields(self)))

    def plus(self, other: "Mentions") -> "Mentions":
        """These and the others."""
        names = [column.name for column in fields(self)]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return Mentions(*(np.concatenate(pair) for pair in pairs))

    def without_left_behind(self) -> "Mentions":
        """Without the mentions that are alone in their entity and were not before."""
        alone = np.bincount(self.entity)[self.entity] == 1
        return self.keep(~(alone & self.accompanied))


# From the arrays of a perturbed response back to its documents ------------------------------------


def _perturbed(comparison: Comparison, at: int, mentions: Mentions) -> Document:
    key, response, matching = comparison.key[at], comparison.response[at], comparison.matching
    rows = np.append(matching.response.row, -1)[mentions.own]
    taken = np.where(mentions.own < 0, mentions.key_mention, -1)
    key_rows = np.append(matching.key.row, -1)[taken]
    spans = mentions.start.tolist(), mentions.end.tolist(), mentions.entity.tolist()
    attributes = _attributes(key, response, rows, key_rows)
    changed = response.with_entities([*zip(*spans, strict=True)], attributes)
    return replace(
        changed,
        words=_words(response, mentions.end.max(initial=0)),
        empty_nodes=_empty_nodes(key, response, key_rows),
        split_antecedents=_split_antecedents(response, rows, mentions.entity),
    )


def _attributes(
    key: Document, response: Document, rows: IntArray, key_rows: IntArray
) -> Attributes | None:
    """Of each mention those of its row in the response or else in the key; −1 is no row."""
    if key.attributes is None and response.attributes is None:
        return None
    own, other = (d.attributes or Attributes.of(len(d.rows)) for d in (response, key))
    every = own.plus(other).plus(Attributes.of(1))
    n_own, n_other = len(response.rows), len(key.rows)
    elsewhere = n_own + np.where(key_rows < 0, n_other, key_rows)
    return every.take(np.where(rows < 0, elsewhere, rows)).or_none


def _words(response: Document, n_positions: int) -> tuple[str, ...]:
    """The words; in notation, positions after the end get new names."""
    if not response.named_mentions:
        return response.words
    taken = set(response.words)
    new = (name for n in range(10**9) if (name := f"new{n + 1}") not in taken)
    return (*response.words, *(next(new) for _ in range(n_positions - len(response.words))))


def _empty_nodes(key: Document, response: Document, key_rows: IntArray) -> dict[int, EmptyNode]:
    """The response's empty nodes, and those of the key that the mentions of these rows have."""
    nodes = dict(response.empty_nodes)
    for row in key_rows[key_rows >= 0].tolist() if nodes else ():
        for start, end in key.mentions[row].runs:
            nodes |= {at: key.empty_nodes[at] for at in range(start, end) if at in key.empty_nodes}
    return nodes


def _split_antecedents(
    response: Document, rows: IntArray, entity: IntArray
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Those of entities that have the same mentions as before; `rows` in text order."""
    if not response.split_antecedents:
        return ()
    before, after = _members(range(len(response.rows)), response.entity_of), _members(rows, entity)
    numbers = {members: number for number, members in enumerate(after.values())}
    kept = {old: numbers[m] for old, m in before.items() if m in numbers}
    return tuple(
        (kept[one], tuple(kept[other] for other in others))
        for one, others in response.split_antecedents
        if {one, *others} <= kept.keys()
    )


def _members(rows: Sequence[int] | IntArray, entity: IntArray) -> dict[int, frozenset[int]]:
    """The rows of the mentions of each entity, entities by their first mentions."""
    members = defaultdict(set)
    for row, of in zip(rows, entity.tolist(), strict=True):
        members[of].add(int(row))
    return {of: frozenset(its) for of, its in members.items()}


# The response as flat arrays, which perturbations change, and back to documents -------------------


@dataclass(frozen=True, eq=False)
class Draft:
    """A response to perturb, compared with its key.

    Mentions and entities are numbered through the corpus, in text order.
    """

    comparison: Comparison
    _resolved: dict[Incorrect, BoolArray] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls,
        key: Sequence[Document],
        response: Sequence[Document],
        *,
        singletons: Singletons = "keep",
    ) -> "Draft":
        """The draft of paired documents; a span listed twice keeps its first entity.

        With singletons "drop", entities of one mention are removed from both sides first.
        """
        return cls(compare(key, response, Policies(singletons=singletons)))

    @cached_property
    def mentions(self) -> Mentions:
        """The response's mentions as they are."""
        view = self.comparison.precision
        own, entity = view.own, view.own_entity
        accompanied = self.entity_sizes[entity] > 1
        itself = np.arange(len(entity))
        spans = own.document, own.start, own.end
        return Mentions(*spans, entity, view.own_partner, itself, accompanied)

    @property
    def n_documents(self) -> int:
        return len(self.comparison.key)

    @property
    def n_entities(self) -> int:
        return len(self.entity_sizes)

    @property
    def entity_sizes(self) -> IntArray:
        """(entities,) mentions of each response entity."""
        return self.comparison.table.response_sizes

    @property
    def entity_document(self) -> IntArray:
        """(entities,) the document of each response entity, ascending."""
        return self.comparison.table.response_document

    @cached_property
    def entities_in(self) -> IntArray:
        """(documents,) how many response entities each document has."""
        return np.bincount(self.entity_document, minlength=self.n_documents)

    @cached_property
    def first_entity(self) -> IntArray:
        """(documents,) the first response entity of each document."""
        return np.cumsum(self.entities_in) - self.entities_in

    @cached_property
    def missing(self) -> IntArray:
        """The key mentions that the response lacks, ascending."""
        return np.flatnonzero(self.comparison.recall.own_partner < 0)

    def missing_for(self, incorrect: Incorrect) -> IntArray:
        """The missing mentions that a wrong entity makes incorrectly resolved: "all", or only those
        with a link in the key."""
        entity = self.comparison.recall.own_entity[self.missing]
        linked = self.comparison.table.key_sizes[entity] > 1
        return self.missing[linked] if incorrect == "linked" else self.missing

    def incorrectly_resolved(self, incorrect: Incorrect = "all") -> BoolArray:
        """(mentions,) see `corescore.analysis.errors.classes.incorrectly_resolved`; found once for
        all runs of a sweep."""
        if incorrect not in self._resolved:
            self._resolved[incorrect] = incorrectly_resolved(self.comparison, incorrect=incorrect)
        return self._resolved[incorrect]

    @cached_property
    def unlinked(self) -> BoolArray:
        """(mentions,) see `corescore.analysis.errors.classes.unlinked`."""
        return unlinked(self.comparison)

    @cached_property
    def types(self) -> IntArray:
        """(mentions,) their types, by their positions in MENTION_TYPES."""
        return SLICES["type"](self.comparison, self.comparison.precision).number

    @cached_property
    def _lengths(self) -> tuple[IntArray, BoolArray]:
        """(documents,) how many positions each document has, and whether positions can be added: in
        notation, and where the words are unknown."""
        both = [*zip(self.comparison.key, self.comparison.response, strict=True)]
        length = np.array([max(map(_n_words, pair)) for pair in both], dtype=np.int64)
        wordless = length == 0
        for side in (self.comparison.matching.key, self.comparison.matching.response):
            np.maximum.at(length, side.document, side.end)
        is_named = np.array([key.named_mentions for key, _ in both], dtype=bool)
        return length, is_named | (wordless & (length > 0))

    def free_words(self, most: IntArray) -> tuple[IntArray, IntArray]:
        """Documents and positions, ascending, of the words that are a mention on neither side.

        most  (documents,) how many positions to add at the end, where that is possible
        """
        length, is_open = self._lengths
        space = length + most * is_open
        start = np.cumsum(space) - space
        document = np.repeat(np.arange(len(space)), space)
        position = np.arange(len(document)) - start[document]
        free = ~is_open[document] | (position >= length[document])
        for at, of_document in enumerate(self.comparison.response):
            free[start[at] + np.array([*of_document.empty_nodes], dtype=np.int64)] = False
        for side in (self.comparison.matching.key, self.comparison.matching.response):
            words = side.keep(side.end - side.start == 1)
            free[start[words.document] + words.start] = False
        return document[free], position[free]

    def key_mentions(self, which: IntArray, entity: IntArray) -> Mentions:
        """These mentions of the key as mentions of these response entities."""
        key = self.comparison.matching.key
        spans = key.document[which], key.start[which], key.end[which]
        added, alone = np.full(len(which), -1), np.zeros(len(which), dtype=bool)
        return Mentions(*spans, entity, which, added, alone)

    def matching(self, mentions: Mentions) -> Matching:
        """The key matched with these mentions instead of the draft's."""
        width = 1 + mentions.entity.max(initial=0)
        codes, entity = np.unique(mentions.document * width + mentions.entity, return_inverse=True)
        spans = mentions.start, mentions.end, mentions.own
        side = Side(mentions.document, entity, *spans, codes // width)
        shared = np.flatnonzero(mentions.key_mention >= 0)
        key_mention = mentions.key_mention[shared]
        return replace(
            self.comparison.matching,
            response=side,
            key_mention=key_mention,
            response_mention=shared,
        )

    def documents(self, mentions: Mentions) -> tuple[Document, ...]:
        """The response's documents with these mentions instead of the draft's.

        A mention keeps what is known of it beyond its span; one that is taken from the key brings
        what the key knows, and the empty nodes that it is made of. Split antecedents stay where
        none of their entities changed.
        """
        order = np.lexsort((-mentions.end, mentions.start, mentions.document))
        ordered = mentions.keep(order)
        cuts = np.searchsorted(ordered.document, np.arange(self.n_documents + 1)).tolist()
        return tuple(
            _perturbed(self.comparison, at, ordered.keep(np.arange(*ends)))
            for at, ends in enumerate(pairwise(cuts))
        )


def _n_words(document: Document) -> int:
    """How many words there are, known or, of rows without a column of words, not; else 0."""
    return len(document.words or () if document.lines is None else document.lines)


# Random numbers and selections; each document has its own generator -------------------------------
# Only `Generator.random` is used, and as often for every dose: the same seed gives the same
# selections everywhere, and a higher dose selects what a lower one does and more.

_Each = Sequence[np.random.Generator]


@dataclass
class Generators:
    """A generator for each document. What they draw is kept, so that another dose need not draw,
    and put into order, the same numbers again."""

    each: _Each
    _drawn: list[AnyArray] = field(default_factory=list)
    _at: int = 0

    def __len__(self) -> int:
        return len(self.each)

    def draw(self, draw: Callable[[_Each], AnyArray]) -> AnyArray:
        """What is drawn next; read-only."""
        if self._at == len(self._drawn):
            made = draw(self.each)
            made.flags.writeable = False
            self._drawn.append(made)
        self._at += 1
        return self._drawn[self._at - 1]

    def again(self) -> "Generators":
        """The same from the start, for another dose of the same perturbation."""
        return Generators(self.each, self._drawn)


def generators(names: Iterable[str], seed: int) -> Generators:
    """A generator for each document, seeded with `seed` and its name, whatever else is in the
    corpus. Raises PolicyError for a seed below 0."""
    if seed < 0:
        raise PolicyError(f"seed is {seed}; expected a whole number from 0")
    codes = (zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names)
    return Generators([np.random.Generator(np.random.PCG64((seed, code))) for code in codes])


def uniform(rngs: Generators, document: IntArray) -> FloatArray:
    """(items,) a number in [0, 1) for each item; `document` is the document of each, ascending."""
    return rngs.draw(lambda each: _uniform(each, document))


def _uniform(each: _Each, document: IntArray) -> FloatArray:
    counts = np.bincount(document, minlength=len(each)).tolist()
    numbers = [rng.random(n) for rng, n in zip(each, counts, strict=True)]
    return np.concatenate([np.zeros(0), *numbers])


def rounded(amount: FloatArray, u: FloatArray) -> IntArray:
    """`amount` rounded down, or up with the probability of its fraction.

    amount  ≥ 0; taken to nine decimals, so that 0.29 · 100 is 29
    u       a number in [0, 1) for each
    """
    amount = np.round(amount, STEP_PLACES)
    whole = np.floor(amount)
    return (whole + (u < amount - whole)).astype(np.int64)


def ranks(group: IntArray, *priorities: AnyArray) -> IntArray:
    """(items,) the rank of each item in its group, from 0, by ascending priorities."""
    order = np.lexsort((*priorities[::-1], group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return place


# What every perturbation is, and those with a dose ------------------------------------------------

YES, NO = "yes", "no"

# For each type of a parameter: the types of its values, and their description.
KINDS: dict[Any, tuple[Any, str]] = {
    float: (Real, "a number"),
    int: (Integral, "a whole number"),
    int | None: (Integral | None, "a whole number"),
    bool: (bool, f"{YES} or {NO}"),
    str: (str, "a word"),
    str | None: (str | None, "a word"),
    Incorrect: (str, "a word"),
}

MOST = 1_000_000  # the largest number that a parameter may have


def parameter(default: Any, about: str, choices: Sequence[str] = ()) -> Any:
    """A field of a perturbation that the user sets; help texts show `about` and the choices."""
    whole = f"{about}: {', '.join(choices)}" if choices else about
    return field(default=default, metadata={"about": whole, "choices": tuple(choices)})


@dataclass(frozen=True, kw_only=True)
class Perturbation(ABC):
    """A change of a response, which may depend on its key.

    id               its name on the command line, such as "drop"
    about            what it does, in one line
    description      the same with its parameters, in one line
    makes_singletons whether singletons that it creates are intended, so that `left_behind` does
                     not apply to them

    Raises PolicyError for a parameter out of range.
    """

    id: ClassVar[str]
    about: ClassVar[str]
    makes_singletons: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name, entry in self.parameters().items():
            value, (kind, expected) = getattr(self, name), KINDS[entry.type]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                raise PolicyError(f"{name} of {self.id} is {value!r}; expected {expected}")

    @property
    def description(self) -> str:
        return self.about

    @property
    def spec(self) -> str:
        """As on the command line: "drop:share=0.2,type=pronoun"."""
        given = [
            f"{name}={written(value)}"
            for name, entry in self.parameters().items()
            if (value := getattr(self, name)) != entry.default
        ]
        return f"{self.id}:{','.join(given)}".rstrip(":")

    @classmethod
    def parameters(cls) -> dict[str, "Field[Any]"]:
        """The parameters by name: default, type, and in the metadata `about` and `choices`."""
        return {entry.name: entry for entry in fields(cls)}

    @abstractmethod
    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        """The mentions of the perturbed response; `rngs` has a generator for each document."""


def written(value: object) -> str:
    """The value of a parameter as in a spec."""
    if isinstance(value, bool):
        return YES if value else NO
    return f"{value:.10g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, kw_only=True)
class Dosed(Perturbation):
    """A perturbation that changes a share of what it can change in each document, or a number.

    Share 0 changes nothing; with the same seed, a larger share changes all that a smaller one
    does, and more.
    """

    share: float = parameter(1.0, "the share to change, from 0 to 1")
    number: int | None = parameter(None, "instead of a share, how many in each document")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.share <= 1:
            raise PolicyError(
                f"share of {self.id} is {self.share:g}; expected a number from 0 to 1"
            )
        if self.number is not None and not 0 <= self.number <= MOST:
            expected = f"a whole number from 0 to {MOST}"
            raise PolicyError(f"number of {self.id} is {self.number}; expected {expected}")

    def at(self, dose: float) -> Self:
        """The same with this share."""
        return replace(self, share=dose, number=None)

    def amount(self, things: str) -> str:
        """ "all the mentions", "20% of the mentions", "3 of the mentions in each document"."""
        if self.number is not None:
            return f"{self.number} of {things} in each document"
        return f"all {things}" if self.share == 1 else f"{100 * self.share:.10g}% of {things}"

    def quotas(self, rngs: Generators, available: IntArray) -> IntArray:
        """(documents,) how many items to change: a share of those `available`, or a number.

        A share that is not a whole number is rounded at random (`rounded`), so that it is met on
        average over many small documents.
        """
        u, wished = uniform(rngs, np.arange(len(rngs))), self.share * available.astype(np.float64)
        wanted = rounded(wished, u) if self.number is None else np.full(len(rngs), self.number)
        return np.minimum(wanted, available)

    def selected(
        self,
        rngs: Generators,
        document: IntArray,
        *first: AnyArray,
        among: BoolArray | None = None,
    ) -> BoolArray:
        """(items,) which items to change: the `quotas` of each document.

        document  (items,) ascending
        first     (items,) priorities that decide before chance does, the lowest first
        among     (items,) those that can be changed; all if None
        """
        found = np.zeros(len(document), dtype=bool)
        items = np.arange(len(document)) if among is None else np.flatnonzero(among)
        of = document[items]
        quota = self.quotas(rngs, np.bincount(of, minlength=len(rngs)))
        before = [priority[items] for priority in first]
        place = rngs.draw(lambda each: ranks(of, *before, _uniform(each, of)))
        found[items] = place < quota[of]
        return found


@dataclass(frozen=True, kw_only=True)
class DosedIncorrect(Dosed):
    """A dosed perturbation that removes incorrectly resolved mentions, or adds mentions that are.

    With incorrect "linked" these are only mentions with a link in the key, as in
    `corescore.analysis.errors.classes.incorrectly_resolved`.
    """

    incorrect: Incorrect = parameter(
        "all", "all incorrectly resolved mentions, or only those with a link in the key", INCORRECT
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("incorrect", self.incorrect, INCORRECT)

    @property
    def uses_incorrect(self) -> bool:
        """Whether its effect depends on `incorrect`."""
        return True

    @property
    def limit(self) -> str:
        """In a description, after the mentions: which of them; "" for all."""
        linked = self.uses_incorrect and self.incorrect == "linked"
        return " with a link in the key" if linked else ""


def uses_incorrect(step: Perturbation) -> TypeGuard[DosedIncorrect]:
    """Whether the effect of a perturbation depends on its `incorrect`."""
    return isinstance(step, DosedIncorrect) and step.uses_incorrect


def is_count(text: str) -> bool:
    """Whether a text is a whole number from 1 to MOST."""
    return text.isdecimal() and len(text) <= len(str(MOST)) and 1 <= int(text) <= MOST


def fresh(draft: Draft, groups: AnyArray) -> IntArray:
    """Numbers of new entities, one for each group (≥ 0)."""
    return draft.n_entities + np.asarray(groups, dtype=np.int64)
