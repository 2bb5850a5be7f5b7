"""Edits of a toy, each a function from toy to toy, and their history for undo and redo.

An entity is given by its position on its side.
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase

import numpy as np

from corescore.corpus.problems import InputError, Problem, choose
from corescore.teaching.toy.toy import MOST_MENTIONS, SIDES, Entities, Toy

NEW, MISSING = "new", "missing"
MOST_KEPT = 200


def move(toy: Toy, mention: str, to: int | str, *, side: str = "response") -> Toy:
    """Move a mention of one side to the end of an entity, to a NEW entity, or out (MISSING).

    The mention need not be on that side yet; an entity left empty is removed. Raises InputError
    for a mention that neither side has and for an unknown entity.
    """
    if mention not in toy.mentions:
        raise _absent(f"the mention '{mention[:40]}'", "one of the toy")
    entities = _side(toy, side)
    if isinstance(to, int):
        _check(entities, to)
    moved = [
        [*(m for m in entity if m != mention), *([mention] if number == to else [])]
        for number, entity in enumerate(entities)
    ]
    return toy.with_side(side, [*moved, [mention]] if to == NEW else moved)


def split(toy: Toy, entity: int, *, side: str = "response") -> Toy:
    """Split an entity into halves, the first the larger; a singleton does not change."""
    entities = _side(toy, side)
    _check(entities, entity)
    members = entities[entity]
    middle = (len(members) + 1) // 2
    halves = (members[:middle], members[middle:])
    return toy.with_side(side, [*entities[:entity], *halves, *entities[entity + 1 :]])


def merge(toy: Toy, one: int, other: int, *, side: str = "response") -> Toy:
    """Append the mentions of the second entity to the first; an entity and itself do not change."""
    entities = _side(toy, side)
    for entity in (one, other):
        _check(entities, entity)
    if one == other:
        return toy
    merged = [[*e, *entities[other]] if at == one else e for at, e in enumerate(entities)]
    return toy.with_side(side, [*merged[:other], *merged[other + 1 :]])


def drop(toy: Toy, entity: int, *, side: str = "response") -> Toy:
    """Remove an entity and its mentions."""
    entities = _side(toy, side)
    _check(entities, entity)
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


def _side(toy: Toy, side: str) -> Entities:
    return toy.key if choose("side", side, SIDES) == "key" else toy.response


def _check(entities: Entities, entity: int) -> None:
    if not 0 <= entity < len(entities):
        raise _absent(f"entity {entity + 1}", f"one of the {len(entities)} there are")


def _absent(found: str, expected: str) -> InputError:
    return InputError([Problem("the toy", 0, found, expected, "Choose another.")])


@dataclass(frozen=True)
class History:
    """The toys in order, at most the last 200.

    at      the position of the one shown
    before  the toy that was shown before it, also after undo and redo; None at first
    """

    toys: tuple[Toy, ...]
    at: int = 0
    before: Toy | None = None

    @property
    def toy(self) -> Toy:
        """The toy that is shown."""
        return self.toys[self.at]

    @property
    def can_undo(self) -> bool:
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        return self.at < len(self.toys) - 1

    def then(self, toy: Toy) -> "History":
        """Add a toy after the one shown and drop those after it; the same toy changes nothing.

        The toy of the step before or after moves there, so that the browser's Back undoes.
        """
        if toy == self.toy:
            return self
        if self.can_undo and toy == self.toys[self.at - 1]:
            return self.undone()
        if self.can_redo and toy == self.toys[self.at + 1]:
            return self.redone()
        toys = (*self.toys[: self.at + 1], toy)[-MOST_KEPT:]
        return History(toys, len(toys) - 1, self.toy)

    def undone(self) -> "History":
        """One step back, if there is one."""
        return self._step(self.at - 1) if self.can_undo else self

    def redone(self) -> "History":
        """One step forward, if there is one."""
        return self._step(self.at + 1) if self.can_redo else self

    def _step(self, at: int) -> "History":
        return replace(self, at=at, before=self.toy)
