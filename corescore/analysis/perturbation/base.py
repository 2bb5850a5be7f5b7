"""A response as arrays of mentions, what perturbations draw, and what every perturbation is."""

import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cached_property
from itertools import count, islice, pairwise
from numbers import Integral, Real
from typing import Any

import numpy as np

from corescore.analysis.errors.classes import INCORRECT, Incorrect, incorrectly_resolved, unlinked
from corescore.corpus.documents import Attributes, Document
from corescore.corpus.english import MENTION_TYPES
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.comparison import Comparison
from corescore.counting.matching import Matching
from corescore.counting.sides import Side
from corescore.util import (
    STEP_PLACES,
    AnyArray,
    Arrays,
    BoolArray,
    FloatArray,
    IntArray,
    picked,
    places_in,
)

# Mentions of a response in flat arrays, which perturbations change --------------------------------


@dataclass(frozen=True, eq=False)
class Mentions(Arrays):
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

    @classmethod
    def added(
        cls,
        document: IntArray,
        start: IntArray,
        end: IntArray,
        entity: IntArray,
        key_mention: IntArray,
    ) -> "Mentions":
        """Mentions that the response does not have."""
        own, alone = np.full(len(start), -1), np.zeros(len(start), dtype=bool)
        return cls(document, start, end, entity, key_mention, own, alone)

    def grouped(self, entity: IntArray) -> "Mentions":
        """The same mentions in other entities."""
        return replace(self, entity=entity)


@dataclass(frozen=True, eq=False)
class Draft:
    """A response to perturb, compared with its key.

    Mentions and entities are numbered through the corpus, in text order. A span listed twice keeps
    its first entity.
    """

    comparison: Comparison

    @cached_property
    def mentions(self) -> Mentions:
        """The response's mentions as they are."""
        view = self.comparison.precision
        own, entity = view.own, view.own_entity
        accompanied, itself = self.entity_sizes[entity] > 1, np.arange(len(entity))
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

    @property
    def entities_in(self) -> IntArray:
        """(documents,) how many response entities each document has."""
        return self.comparison.table.n_response_entities

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

    @cached_property
    def incorrectly_resolved(self) -> dict[str, BoolArray]:
        """(mentions,) by the values of `incorrect`; see
        `corescore.analysis.errors.classes.incorrectly_resolved`."""
        return {of: incorrectly_resolved(self.comparison, incorrect=of) for of in INCORRECT}

    @cached_property
    def unlinked(self) -> BoolArray:
        """(mentions,) see `corescore.analysis.errors.classes.unlinked`."""
        return unlinked(self.comparison)

    def fresh(self, groups: AnyArray) -> IntArray:
        """Numbers of new entities, one for each group (≥ 0)."""
        return self.n_entities + np.asarray(groups, dtype=np.int64)

    def free_words(self, most: IntArray) -> tuple[IntArray, IntArray]:
        """Documents and positions, ascending, of the words that are a mention on neither side.

        most  (documents,) how many positions to add at the end, where that is possible: in
              notation, and where the words are unknown
        """
        key, response = self.comparison.key, self.comparison.response
        sides = self.comparison.matching.sides
        length = np.array(
            [max(map(_n_words, pair)) for pair in zip(key, response, strict=True)], dtype=np.int64
        )
        wordless = length == 0
        for side in sides:
            np.maximum.at(length, side.document, side.end)
        is_named = np.array([document.named_mentions for document in key], dtype=bool)
        is_open = is_named | (wordless & (length > 0))
        space = length + most * is_open
        first = np.cumsum(space) - space
        document, position = places_in(space)
        free = ~is_open[document] | (position >= length[document])
        for at, of_document in enumerate(response):
            free[first[at] + np.array([*of_document.empty_nodes], dtype=np.int64)] = False
        for side in sides:
            words = side.keep(side.end - side.start == 1)
            free[first[words.document] + words.start] = False
        return document[free], position[free]

    def key_mentions(self, which: IntArray, entity: IntArray) -> Mentions:
        """These mentions of the key as mentions of these response entities."""
        key = self.comparison.matching.key
        return Mentions.added(key.document[which], key.start[which], key.end[which], entity, which)

    def matching(self, mentions: Mentions) -> Matching:
        """The key matched with these mentions instead of the draft's."""
        width = 1 + mentions.entity.max(initial=0)
        codes, entity = np.unique(mentions.document * width + mentions.entity, return_inverse=True)
        spans = mentions.start, mentions.end, mentions.own
        shared = np.flatnonzero(mentions.key_mention >= 0)
        return self.comparison.matching._replace(
            response=Side(mentions.document, entity, *spans, codes // width),
            key_mention=mentions.key_mention[shared],
            response_mention=shared,
        )

    def documents(self, mentions: Mentions) -> tuple[Document, ...]:
        """The response's documents with these mentions instead of the draft's.

        A mention keeps what is known of it beyond its span; one that is taken from the key brings
        what the key knows, and the empty nodes that it is made of. Split antecedents stay where
        none of their entities changed.
        """
        order = np.lexsort((-mentions.end, mentions.start, mentions.document))
        ordered = mentions.rows(order)
        cuts = np.searchsorted(ordered.document, np.arange(self.n_documents + 1)).tolist()
        return tuple(
            self._document(at, ordered.rows(np.arange(*ends)))
            for at, ends in enumerate(pairwise(cuts))
        )

    def _document(self, number: int, mentions: Mentions) -> Document:
        key, response = self.comparison.key[number], self.comparison.response[number]
        matching, is_new = self.comparison.matching, mentions.own < 0
        # The rows of the response's documents, or of the key's; −1 is none
        rows = picked(matching.response.row, mentions.own)
        key_rows = picked(matching.key.row, np.where(is_new, mentions.key_mention, -1))
        attributes, known = None, (response.attributes, key.attributes)
        if any(known):
            own, other = (of.attributes or Attributes.of(len(of.rows)) for of in (response, key))
            last = len(response.rows) + len(key.rows)  # of which nothing is known
            elsewhere = np.where(key_rows < 0, last, len(response.rows) + key_rows)
            every = own.plus(other).plus(Attributes.of(1))
            attributes = every.take(np.where(rows < 0, elsewhere, rows)).or_none
        nodes = dict(response.empty_nodes)
        for row in key_rows[key_rows >= 0].tolist() if nodes else ():
            for run in key.mentions[row].runs:
                nodes |= {n: key.empty_nodes[n] for n in range(*run) if n in key.empty_nodes}
        spans = mentions.start.tolist(), mentions.end.tolist(), mentions.entity.tolist()
        return replace(
            response.with_entities([*zip(*spans, strict=True)], attributes),
            words=_with_names(response, mentions.end.max(initial=0)),
            empty_nodes=nodes,
            **_split_antecedents(response, rows, mentions.entity),
        )


def _n_words(document: Document) -> int:
    """How many words there are, known or, of rows without a column of words, not; else 0."""
    return len(document.words or () if document.lines is None else document.lines)


def _with_names(response: Document, n_positions: int) -> tuple[str, ...]:
    """The words; in notation, positions after the end get new names."""
    words, taken = tuple(response.words), {*response.words}
    if response.named_mentions:
        new = (name for n in count(1) if (name := f"new{n}") not in taken)
        words += tuple(islice(new, max(n_positions - len(words), 0)))
    return words


def _split_antecedents(response: Document, rows: IntArray, entity: IntArray) -> dict[str, Any]:
    """Those of entities that have the same mentions as before; `rows` in text order."""
    if not response.split_antecedents:
        return {}

    def members(rows: Iterable[int], entity: IntArray) -> dict[int, frozenset[int]]:
        rows_of: dict[int, set[int]] = defaultdict(set)  # entities by their first mentions
        for row, of in zip(rows, entity.tolist(), strict=True):
            rows_of[of].add(row)
        return {of: frozenset(its) for of, its in rows_of.items()}

    after = members(rows.tolist(), entity).values()
    number = {its: at for at, its in enumerate(after)}
    before = members(range(len(response.rows)), response.entity_of)
    kept = {old: number[its] for old, its in before.items() if its in number}
    several = {
        kept[one]: tuple(kept[other] for other in others)
        for one, others in response.split_antecedents
        if {one, *others} <= kept.keys()
    }
    more = [(kept.get(one), spans) for one, spans in response.non_referring]
    return {
        "split_antecedents": (*several.items(),),
        "non_referring": tuple(pair for pair in more if pair[0] in several),
    }


# Random numbers and orders; each document has its own generator -----------------------------------
# Only `Generator.random` is used, and as often for every dose: the same seed gives the same
# selections everywhere, and a higher dose selects what a lower one does and more.


@dataclass
class Generators:
    """A generator for each document. What they draw is kept, so that another dose need not draw,
    and put into order, the same numbers again."""

    each: Sequence[np.random.Generator]
    _drawn: list[AnyArray] = field(default_factory=list)
    _at: int = 0

    def again(self) -> "Generators":
        """The same from the start, for another dose of the same perturbation."""
        return Generators(self.each, self._drawn)

    def uniform(self, document: IntArray) -> FloatArray:
        """(items,) a number in [0, 1) for each item; `document` is the document of each,
        ascending."""
        return self._next(lambda: self._uniform(document))

    def order(self, document: IntArray, *first: AnyArray) -> IntArray:
        """(items,) the rank of each item in its document, from 0: by ascending priorities `first`,
        and by chance."""
        return self._next(lambda: ranks(document, *first, self._uniform(document)))

    def _uniform(self, document: IntArray) -> FloatArray:
        counts = np.bincount(document, minlength=len(self.each)).tolist()
        numbers = [rng.random(n) for rng, n in zip(self.each, counts, strict=True)]
        return np.concatenate([np.zeros(0), *numbers])

    def _next(self, draw: Callable[[], AnyArray]) -> AnyArray:
        """What is drawn next; read-only."""
        if self._at == len(self._drawn):
            self._drawn.append(draw())
            self._drawn[-1].flags.writeable = False
        self._at += 1
        return self._drawn[self._at - 1]


def generators(names: Iterable[str], seed: int) -> Generators:
    """A generator for each document, seeded with `seed` and its name, whatever else is in the
    corpus. Raises PolicyError for a seed below 0."""
    if seed < 0:
        raise PolicyError(f"seed is {seed}; expected a whole number from 0")
    codes = (zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names)
    return Generators([np.random.Generator(np.random.PCG64((seed, code))) for code in codes])


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


# What every perturbation is -----------------------------------------------------------------------

MOST = 1_000_000  # the largest number that a parameter may have
ANY, INCORRECTLY_RESOLVED = "any", "incorrectly-resolved"
RANDOM, LARGEST, TOGETHER = "random", "largest", "together"
ORDERS = {RANDOM: 0, LARGEST: -1, "smallest": 1}  # of sizes
INTO = (TOGETHER, RANDOM, LARGEST)
YES, NO = "yes", "no"

# For each type of a parameter: the types of its values, how text is read, and their description.
_TYPES: dict[Any, tuple[Any, Callable[[str], Any], str]] = {
    float: (Real, float, "a number"),
    int: (Integral, int, "a whole number"),
    int | None: (Integral | None, int, "a whole number"),
    bool: (bool, {YES: True, NO: False}.__getitem__, f"{YES} or {NO}"),
    str | None: (str | None, str, "a word"),
}
_WORD = str, str, "a word"


def numbers_in(text: str, between: str) -> list[int]:
    """Whole numbers from 1 to MOST with a sign between; none if the text is anything else."""
    parts = text.split(between)
    known = all(part.isdecimal() and len(part) <= len(str(MOST)) for part in parts)
    numbers = [*map(int, parts)] if known else []
    return numbers if all(1 <= number <= MOST for number in numbers) else []


def _parameter(
    default: Any,
    about: str,
    choices: Sequence[str] = (),
    valid: Callable[[Any], bool] | None = None,
    expected: str = "",
) -> Any:
    """A field that the user sets; help texts show `about` and the choices.

    valid, expected  which values there are, and the same in words; without, the choices, if any
    """
    whole = f"{about}: {', '.join(choices)}" if choices else about
    known = {"about": whole, "choices": tuple(choices), "valid": valid, "expected": expected}
    return field(default=default, metadata=known)


@dataclass(frozen=True)
class Kind:
    """A kind of perturbation; called with parameters by name, it is a `Perturbation`.

    id                its name on the command line, such as "drop"
    about             what it does, in one line
    describe          the same with the parameters of a perturbation, in one line: a function of it,
                      or a text in which what can be changed in part stands in braces
    apply             (perturbation, draft, generators) the mentions of the perturbed response
    names             of its parameters, in order
    makes_singletons  whether singletons that it creates are intended, so that `left_behind` does
                      not apply to them
    """

    id: str
    about: str
    describe: Callable[["Perturbation"], str] | str
    apply: Callable[["Perturbation", Draft, Generators], Mentions]
    names: tuple[str, ...] = ()
    makes_singletons: bool = False

    def __repr__(self) -> str:
        return self.id

    def __call__(self, **values: Any) -> "Perturbation":
        if unknown := [name for name in values if name not in self.names]:
            raise TypeError(f"{self.id} has no parameter {unknown[0]!r}")
        return Perturbation(kind=self, **values)

    @property
    def parameters(self) -> Mapping[str, "Field[Any]"]:
        """The parameters by name: default, type, and in the metadata `about` and `choices`."""
        return {entry.name: entry for entry in fields(Perturbation) if entry.name in self.names}

    @property
    def is_dosed(self) -> bool:
        """Whether it changes a share of what it can change in each document, or a number."""
        return "share" in self.names

    def read(self, name: str, text: str) -> Any:
        """The value of a parameter out of text; PolicyError for another."""
        _, reader, expected = _TYPES.get(self.parameters[name].type, _WORD)
        try:
            return reader(text)
        except (KeyError, ValueError) as error:
            raise PolicyError(f"{name} of {self.id} is {text!r}; expected {expected}") from error


@dataclass(frozen=True, kw_only=True)
class Perturbation:
    """A change of a response, which may depend on its key: a kind and its parameters.

    Those that the kind does not name have no effect. With share 0, nothing is changed; with the
    same seed, a larger share changes all that a smaller one does, and more.

    Raises PolicyError for a parameter out of range.
    """

    kind: Kind
    share: float = _parameter(
        1.0,
        "the share to change, from 0 to 1",
        valid=lambda share: 0 <= share <= 1,
        expected="a number from 0 to 1",
    )
    number: int | None = _parameter(
        None,
        "instead of a share, how many in each document",
        valid=lambda number: 0 <= number <= MOST,
        expected=f"a whole number from 0 to {MOST}",
    )
    incorrect: Incorrect = _parameter(
        "all", "all incorrectly resolved mentions, or only those with a link in the key", INCORRECT
    )
    of: str = _parameter(
        ANY,
        "which mentions to drop",
        (ANY, "correct", "unlinked", INCORRECTLY_RESOLVED, "spurious"),
    )
    type: str = _parameter(ANY, "only mentions of this type", (ANY, *MENTION_TYPES))
    order: str = _parameter(RANDOM, "which entities to drop first", tuple(ORDERS))
    into: str = _parameter(
        TOGETHER,
        "which entity to add them to: its number, or one of",
        INTO,
        lambda into: into in INTO or len(numbers_in(into, "+")) == 1,
        f"one of: {', '.join(INTO)}, or a number from 1",
    )
    size: int = _parameter(
        2,
        "how many mentions to link together",
        valid=lambda size: 1 <= size <= MOST,
        expected=f"a whole number from 1 to {MOST}",
    )
    sizes: str | None = _parameter(
        None,
        "sizes of the parts, such as 18-2 (else two at random)",
        valid=lambda sizes: not sizes or len(numbers_in(sizes, "-")) > 1,
        expected="sizes of parts such as 18-2",
    )
    singletons: bool = _parameter(False, "whether a part may have only one mention: yes, no")
    pair: str | None = _parameter(
        None,
        "numbers of two entities in text order, such as 1+4",
        valid=lambda pair: not pair or len({*numbers_in(pair, "+")}) == 2 == pair.count("+") + 1,
        expected="two numbers from 1, such as 1+4",
    )

    def __post_init__(self) -> None:
        if self.of == "right":  # the former name, which links may contain
            object.__setattr__(self, "of", "correct")
        for name, entry in self.kind.parameters.items():
            value, known = getattr(self, name), entry.metadata
            types, _, expected = _TYPES.get(entry.type, _WORD)
            is_valid = isinstance(value, types) and isinstance(value, bool) == (types is bool)
            if is_valid and known["valid"] and value is not None:
                is_valid, expected = known["valid"](value), known["expected"]
            elif is_valid and known["choices"]:
                choose(name, value, known["choices"])
            if not is_valid:
                shown = f"{value:g}" if isinstance(value, float) else repr(value)
                raise PolicyError(f"{name} of {self.kind.id} is {shown}; expected {expected}")

    def __repr__(self) -> str:
        return f"Perturbation: {self.spec}"

    @property
    def description(self) -> str:
        """What it does, in one line."""
        if callable(describe := self.kind.describe):
            return describe(self)
        described = describe.replace("mentions", f"mentions{self.limit}")
        return re.sub("{(.*)}", lambda things: self.amount(things[1]), described)

    @property
    def spec(self) -> str:
        """As on the command line: "drop:share=0.2,type=pronoun"."""
        given = [
            f"{name}={written(value)}"
            for name, entry in self.kind.parameters.items()
            if (value := getattr(self, name)) != entry.default
        ]
        return f"{self.kind.id}:{','.join(given)}".rstrip(":")

    @property
    def uses_incorrect(self) -> bool:
        """Whether its effect depends on `incorrect`."""
        names = self.kind.names
        return "incorrect" in names and ("of" not in names or self.of == INCORRECTLY_RESOLVED)

    def at(self, dose: float) -> "Perturbation":
        """The same with this share."""
        return replace(self, share=dose, number=None, pair=None)

    # In words

    def amount(self, things: str) -> str:
        """ "all the mentions", "20% of the mentions", "3 of the mentions in each document"."""
        if self.number is not None:
            return f"{self.number} of {things} in each document"
        return f"all {things}" if self.share == 1 else f"{100 * self.share:.10g}% of {things}"

    @property
    def limit(self) -> str:
        """In a description, after the mentions: which of them; "" for all."""
        linked = self.uses_incorrect and self.incorrect == "linked"
        return " with a link in the key" if linked else ""

    # What is changed of what can be

    def quotas(self, rngs: Generators, available: IntArray) -> IntArray:
        """(documents,) how many items to change: a share of those `available`, or a number.

        A share that is not a whole number is rounded at random (`rounded`), so that it is met on
        average over many small documents.
        """
        u = rngs.uniform(np.arange(len(available)))
        wanted = rounded(self.share * available.astype(np.float64), u)
        return np.minimum(wanted if self.number is None else self.number, available)

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
        is_selected = np.zeros(len(document), dtype=bool)
        items = np.arange(len(document)) if among is None else np.flatnonzero(among)
        of_items = document[items]
        quota = self.quotas(rngs, np.bincount(of_items, minlength=len(rngs.each)))
        is_selected[items] = (
            rngs.order(of_items, *(priority[items] for priority in first)) < quota[of_items]
        )
        return is_selected


def written(value: object) -> str:
    """The value of a parameter as in a spec."""
    if isinstance(value, bool):
        return YES if value else NO
    return f"{value:.10g}" if isinstance(value, float) else str(value)
