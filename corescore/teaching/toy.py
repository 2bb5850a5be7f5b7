"""A toy: a small key and response, with or without a sentence."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from string import ascii_lowercase
from typing import Never

import numpy as np

from corescore.analysis.errors.classes import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    MISSING,
    SPURIOUS,
    UNLINKED,
)
from corescore.corpus.build import from_entities
from corescore.corpus.documents import Document, Mention
from corescore.corpus.formats.format import unwritable
from corescore.corpus.formats.inline import in_braces, read_notation
from corescore.corpus.problems import InputError, Problem, choose, refusal, refuse
from corescore.scoring.scores import Result, score
from corescore.wording import listed

# A sentence with its mentions in brackets: `[a Mia] lost [b [a2 her] keys]` -----------------------

LONGEST = 400

_TOKEN = re.compile(r"\[|\]|[^\s\[\]]+")


@dataclass(frozen=True)
class Sentence:
    """The words, and the place of each mention by its name, in text order."""

    words: tuple[str, ...]
    mentions: dict[str, Mention]

    def said(self, name: str) -> str:
        """The words of a mention; empty if the sentence lacks it."""
        place = self.mentions.get(name)
        return " ".join(self.words[place.start : place.end]) if place else ""


def read_sentence(text: str) -> Sentence:
    """A sentence from text with nested brackets, each with a name followed by words.

    Raises InputError for a bracket that does not close or open, one without name or words, a name
    used twice, and over 400 characters.
    """
    words: list[str] = []
    mentions: dict[str, Mention] = {}
    waiting: list[tuple[str, int]] = []
    tokens = iter(_TOKEN.findall(_checked(text)))
    for token in tokens:
        if token == "[":
            waiting.append((_checked_name(next(tokens, "]"), mentions, waiting), len(words)))
        elif token == "]":
            name, start = waiting.pop() if waiting else _refuse("a ']' that closes nothing")
            mentions[name] = Mention(start, len(words))
            if start == len(words):
                _refuse(f"the mention '{name}' without words")
        else:
            words.append(token)
    if waiting:
        _refuse(f"a '[' that is not closed, before '{waiting[-1][0]}'")
    in_order = sorted(mentions.items(), key=lambda item: (item[1].start, -item[1].end))
    return Sentence(tuple(words), dict(in_order))


def _checked(text: str) -> str:
    if len(text) > LONGEST:
        _refuse(f"{len(text)} characters", f"at most {LONGEST}")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        _refuse("half a character (a lone surrogate)")
    return text


def _checked_name(token: str, known: dict[str, Mention], waiting: list[tuple[str, int]]) -> str:
    if token in "[]":
        _refuse("a '[' without the name of a mention after it")
    if token in known or token in dict(waiting):
        _refuse(f"the mention '{token}' twice")
    return token


def _refuse(problem: str, expected: str = "mentions such as [a Mia] or [b [a2 her] keys]") -> Never:
    raise refusal("the sentence", problem, expected, "Fix the sentence.")


Entities = tuple[tuple[str, ...], ...]

MOST_MENTIONS = 40

LONGEST_NAME = 20

SIDES = ("key", "response")


@dataclass(frozen=True)
class Toy:
    """A key and a response of at most 40 mentions in all, each a name, in entities.

    key, response   the entities in order, each its mentions in order
    text            a sentence, in one line, in which mentions stand in brackets, each after its
                    name: `[a Mia] lost [b [a2 her] keys]`; empty if there is none. It may lack
                    mentions of the toy, and have mentions that neither side has.

    Raises InputError for a mention listed twice on one side, more than 40 mentions, a name that
    braces cannot hold or of over 20 letters, and a sentence that cannot be read.
    """

    key: Entities
    response: Entities
    text: str = ""

    def __post_init__(self) -> None:
        problems = [*_side_problems("key", self.key), *_side_problems("response", self.response)]
        if len(self.mentions) > MOST_MENTIONS:
            what, expected = f"{len(self.mentions)} mentions", f"at most {MOST_MENTIONS}"
            problems.append(Problem("the toy", 0, what, expected, "Leave some out."))
        refuse(problems)
        self.sentence  # noqa: B018  raises here if the sentence cannot be read

    @classmethod
    def of(cls, key: str, response: str, text: str = "") -> "Toy":
        """From brace notation: `{abc}{de}` or `{a b c} {d e}`.

        Both sides are read in the same way: if one has names of several letters, `{abc}` is a
        single mention on the other too.
        """
        # A blank line would be skipped: an empty entity keeps it, and is itself left out.
        lines = ["{}" + " ".join(side.split()) for side in (key, response)]
        sides = _read_apart(lines)
        if any(len(mention) > 1 for side in sides for entity in side for mention in entity):
            sides = [
                *map(named_entities, read_notation("\n".join(lines), "the toy", any_name=True))
            ]
        return cls(sides[0], sides[1], " ".join(text.split()))

    @cached_property
    def sentence(self) -> Sentence:
        """The words of the text, and the place of each mention."""
        return read_sentence(self.text)

    @cached_property
    def mentions(self) -> tuple[str, ...]:
        """The mentions of both sides, the key's first, each once."""
        sides = (*self.key, *self.response)
        return tuple(dict.fromkeys(mention for entity in sides for mention in entity))

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The mentions of the key that the response lacks."""
        return _lacking(self.key, self.response)

    @cached_property
    def spurious(self) -> tuple[str, ...]:
        """The mentions of the response that the key lacks."""
        return _lacking(self.response, self.key)

    @cached_property
    def result(self) -> Result:
        """The scores by all metrics and diagnostics."""
        return score(*from_entities(self.key, self.response))

    @property
    def key_notation(self) -> str:
        """The key in braces, as `Toy.of` reads it together with `response_notation`."""
        return notation(self.key)

    @property
    def response_notation(self) -> str:
        """The response in braces, as `Toy.of` reads it together with `key_notation`."""
        return notation(self.response)

    def with_side(self, side: str, entities: Iterable[Iterable[str]]) -> "Toy":
        """The same with another key or response; entities without a mention are left out."""
        every = (tuple(entity) for entity in entities)
        kept = tuple(entity for entity in every if entity)
        return replace(self, key=kept) if side == "key" else replace(self, response=kept)


def notation(side: Entities) -> str:
    """`{a b} {c}`, and `{}` where there is no entity."""
    return in_braces(_toy_document(side), any_name=True)


def _toy_document(side: Entities) -> Document:
    names = [mention for entity in side for mention in entity]
    place = {name: number for number, name in enumerate(names)}
    rows = [(place[name], place[name] + 1, n) for n, entity in enumerate(side) for name in entity]
    return Document.of_rows("toy", rows, words=names, named_mentions=True)


def _read_apart(lines: Iterable[str]) -> list[Entities]:
    """Each side on its own. Raises InputError with the problems of both."""
    sides: list[Entities] = []
    errors: list[InputError] = []
    for side, line in zip(SIDES, lines, strict=True):
        try:
            sides += map(named_entities, read_notation(line, f"the {side}", any_name=True))
        except InputError as error:
            errors.append(InputError(problem._replace(line=0) for problem in error.problems))
    if errors:
        raise InputError.of(errors)
    return sides


def named_entities(document: Document) -> Entities:
    """The entities of a document, each mention by its words."""
    return tuple(tuple(document.text(m) for m in entity) for entity in document.entities)


def entity_sets(side: Entities) -> set[frozenset[str]]:
    """The entities of a side, in any order."""
    return {frozenset(entity) for entity in side}


def _lacking(own: Entities, other: Entities) -> tuple[str, ...]:
    there = {mention for entity in other for mention in entity}
    return tuple(mention for entity in own for mention in entity if mention not in there)


# What is wrong with a toy -------------------------------------------------------------------------


def _side_problems(side: str, entities: Entities) -> Iterable[Problem]:
    names = Counter(mention for entity in entities for mention in entity)
    for name, times in names.items():
        if problem := next((what for what, is_so in _WRONG.items() if is_so(name)), ""):
            expected = f"1 to {LONGEST_NAME} letters without spaces, commas and braces"
            yield Problem(f"the {side}", 0, f"{name[:40]!r}, {problem}", expected, "Rename it.")
        if times > 1:
            problem, advice = f"the mention '{name[:40]}' {times} times", "Take out all but one."
            yield Problem(f"the {side}", 0, problem, "each mention once", advice)


_WRONG: dict[str, Callable[[str], bool]] = {
    "a mention without a name": lambda name: not name,
    "a mention with too long a name": lambda name: len(name) > LONGEST_NAME,
    "a mention whose name braces cannot hold": lambda name: bool(re.search(r"[\s,{}]", name)),
    "a mention whose name is no text": lambda name: bool(
        [*unwritable(Document.of_rows("toy", (), words=(name,)))]
    ),
}

# The correct, wrong and missing links of a toy, and how an edit changed them, in words ------------

Link = tuple[str, str]

MOST_NAMED = 6


@dataclass(frozen=True)
class ToyLinks:
    """Links by status: correct if both sides have one, wrong or missing if only one side has.

    Links and the ends of each are in the order of `Toy.mentions`.
    """

    correct: tuple[Link, ...]
    wrong: tuple[Link, ...]
    missing: tuple[Link, ...]


@dataclass(frozen=True)
class LinkChanges(ToyLinks):
    """The links that have a new status in the second of two toys.

    unwrong   wrong links that are gone, but not correct now
    """

    unwrong: tuple[Link, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each kind of change: "a–b is now a correct link"."""
        sentences = (
            _sentence(self.correct, "is now a correct link", "are now correct links"),
            _sentence(self.wrong, "is now a wrong link", "are now wrong links"),
            _sentence(self.missing, "is now a missing link", "are now missing links"),
            _sentence(self.unwrong, "is no longer a wrong link", "are no longer wrong links"),
        )
        return tuple(sentence for sentence in sentences if sentence)


def links_of(toy: Toy) -> ToyLinks:
    """The coreference links of both sides."""
    place = {mention: number for number, mention in enumerate(toy.mentions)}
    key, response = (
        {link for entity in side for link in combinations(sorted(entity, key=place.__getitem__), 2)}
        for side in (toy.key, toy.response)
    )
    return ToyLinks(
        *(
            tuple(sorted(links, key=lambda link: [place[end] for end in link]))
            for links in (key & response, response - key, key - response)
        )
    )


def statuses(toy: Toy) -> dict[str, str]:
    """The class of each mention: missing, spurious, incorrectly resolved, unlinked or correct.

    As in `corescore.analysis.errors.classes.mention_classes`, which finds span errors as well.
    """
    links = links_of(toy)
    correct, wrong, missing = (
        {end for link in kind for end in link}
        for kind in (links.correct, links.wrong, links.missing)
    )
    classes = dict.fromkeys(toy.mentions, CORRECT)
    classes |= dict.fromkeys(missing - correct - wrong, UNLINKED)
    classes |= dict.fromkeys(wrong - correct, INCORRECTLY_RESOLVED)
    return classes | dict.fromkeys(toy.missing, MISSING) | dict.fromkeys(toy.spurious, SPURIOUS)


def changes(before: Toy, after: Toy) -> LinkChanges:
    """How the links changed from one toy to the next, whichever side was edited."""
    old, new = links_of(before), links_of(after)
    ends = {frozenset(link) for link in (*new.correct, *new.wrong)}
    return LinkChanges(
        _new(new.correct, old.correct),
        _new(new.wrong, old.wrong),
        _new(new.missing, old.missing),
        tuple(link for link in old.wrong if frozenset(link) not in ends),
    )


def _new(now: tuple[Link, ...], before: tuple[Link, ...]) -> tuple[Link, ...]:
    known = {frozenset(link) for link in before}
    return tuple(link for link in now if frozenset(link) not in known)


def _sentence(links: tuple[Link, ...], one: str, several: str) -> str:
    if not links:
        return ""
    names = [f"{a}–{b}" for a, b in links]
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    return f"{listed(names)} {one if len(names) == 1 else several}"


NEW, MISSING_MENTION = "new", "missing"

# Edits of a toy, each a function from toy to toy, and their history for undo and redo -------------
# An entity is given by its position on its side.

MOST_KEPT = 200


def move(toy: Toy, mention: str, to: int | str, *, side: str = "response") -> Toy:
    """Move a mention of one side to the end of an entity, to a NEW entity, or out (MISSING).

    The mention need not be on that side yet; an entity left empty is removed. Raises InputError
    for a mention that neither side has and for an unknown entity.
    """
    if mention not in toy.mentions:
        fault = f"the mention '{mention[:40]}'"
        raise refusal("the toy", fault, "one of the toy", "Choose another.")
    entities = entities_of(toy, side, *([to] if isinstance(to, int) else []))
    moved = [
        [*(m for m in entity if m != mention), *([mention] if number == to else [])]
        for number, entity in enumerate(entities)
    ]
    return toy.with_side(side, [*moved, [mention]] if to == NEW else moved)


def split(toy: Toy, entity: int, *, side: str = "response") -> Toy:
    """Split an entity into halves, the first the larger; a singleton does not change."""
    entities = entities_of(toy, side, entity)
    members = entities[entity]
    middle = (len(members) + 1) // 2
    halves = (members[:middle], members[middle:])
    return toy.with_side(side, [*entities[:entity], *halves, *entities[entity + 1 :]])


def merge(toy: Toy, one: int, other: int, *, side: str = "response") -> Toy:
    """Append the mentions of the second entity to the first; an entity and itself do not change."""
    entities = entities_of(toy, side, one, other)
    if one == other:
        return toy
    merged = [[*e, *entities[other]] if at == one else e for at, e in enumerate(entities)]
    return toy.with_side(side, [*merged[:other], *merged[other + 1 :]])


def drop(toy: Toy, entity: int, *, side: str = "response") -> Toy:
    """Remove an entity and its mentions."""
    entities = entities_of(toy, side, entity)
    return toy.with_side(side, [*entities[:entity], *entities[entity + 1 :]])


def add_spurious(toy: Toy) -> Toy:
    """Add a mention that the key lacks as a new response entity.

    It is one of the sentence that neither side has, else the next free letter, or x1, x2, …
    Raises InputError for a toy of 40 mentions.
    """
    numbered = (f"x{n}" for n in range(1, MOST_MENTIONS + 2))
    names = (*toy.sentence.mentions, *ascii_lowercase, *numbered)
    name = next(name for name in names if name not in toy.mentions)
    return toy.with_side("response", [*toy.response, [name]])


def swap(toy: Toy) -> Toy:
    """Exchange key and response."""
    return Toy(toy.response, toy.key, toy.text)


def all_singletons(toy: Toy) -> Toy:
    """A response in which every mention of the key is a singleton."""
    return toy.with_side("response", [[mention] for entity in toy.key for mention in entity])


def one_entity(toy: Toy) -> Toy:
    """A response with all mentions of the key in one entity."""
    return toy.with_side("response", [[mention for entity in toy.key for mention in entity]])


def random_response(toy: Toy, rng: np.random.Generator) -> Toy:
    """A response that leaves out each mention of the key with probability 1/8 and puts the others
    into random entities, at most one more than the key has."""
    mentions = [mention for entity in toy.key for mention in entity]
    entities: list[list[str]] = [[] for _ in range(len(toy.key) + 1)]
    places = rng.integers(0, len(entities), len(mentions)).tolist()
    left_out = rng.random(len(mentions)) < 1 / 8
    for mention, place, without in zip(mentions, places, left_out, strict=True):
        if not without:
            entities[place].append(mention)
    return toy.with_side("response", entities)


def entities_of(toy: Toy, side: str, *numbers: int) -> Entities:
    """The entities of a side. Raises InputError if it has none of one of these numbers."""
    entities = toy.key if choose("side", side, SIDES) == "key" else toy.response
    for number in numbers:
        if not 0 <= number < len(entities):
            expected = f"one of the {len(entities)} there are"
            raise refusal("the toy", f"entity {number + 1}", expected, "Choose another.")
    return entities


@dataclass(frozen=True)
class History:
    """The toys in order, at most the last 200.

    position  of the one shown, from 0
    before    the toy that was shown before it, also after undo and redo; None at first
    """

    toys: tuple[Toy, ...]
    position: int = 0
    before: Toy | None = None

    @property
    def toy(self) -> Toy:
        """The toy that is shown."""
        return self.toys[self.position]

    @property
    def can_undo(self) -> bool:
        return self.position > 0

    @property
    def can_redo(self) -> bool:
        return self.position < len(self.toys) - 1

    def then(self, toy: Toy) -> "History":
        """Add a toy after the one shown and drop those after it; the same toy changes nothing.

        The toy of the step before or after moves there, so that the browser's Back undoes.
        """
        if toy == self.toy:
            return self
        if self.can_undo and toy == self.toys[self.position - 1]:
            return self.undone()
        if self.can_redo and toy == self.toys[self.position + 1]:
            return self.redone()
        toys = (*self.toys[: self.position + 1], toy)[-MOST_KEPT:]
        return History(toys, len(toys) - 1, self.toy)

    def undone(self) -> "History":
        """One step back, if there is one."""
        return self._step(self.position - 1) if self.can_undo else self

    def redone(self) -> "History":
        """One step forward, if there is one."""
        return self._step(self.position + 1) if self.can_redo else self

    def _step(self, position: int) -> "History":
        return replace(self, position=position, before=self.toy)
