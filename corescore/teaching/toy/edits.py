"""Edits of a toy, each a function from toy to toy. An entity is known by its place on its side."""

from dataclasses import dataclass, replace
from string import ascii_lowercase

import numpy as np

from corescore.corpus.problems import InputError, Problem, choose
from corescore.teaching.toy.toy import MOST_MENTIONS, SIDES, Entities, Toy

NEW, MISSING = "new", "missing"
MOST_KEPT = 200


def move(toy: Toy, mention: str, to: int | str, *, side: str = "response") -> Toy:
    """A mention moved, on one side, to the end of an entity, to NEW, one of its own, or to MISSING.

    It may be on that side already or not; what it leaves empty is gone. Raises InputError for a
    mention that neither side has and for an entity that is not there.
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
    """An entity cut into two halves, the first the greater; one of a mention stays as it is."""
    entities = _side(toy, side)
    _check(entities, entity)
    members = entities[entity]
    middle = (len(members) + 1) // 2
    halves = (members[:middle], members[middle:])
    return toy.with_side(side, [*entities[:entity], *halves, *entities[entity + 1 :]])


def merge(toy: Toy, one: int, other: int, *, side: str = "response") -> Toy:
    """The mentions of the second entity at the end of the first; one and the same stays."""
    entities = _side(toy, side)
    for entity in (one, other):
        _check(entities, entity)
    if one == other:
        return toy
    joined = [[*e, *entities[other]] if at == one else e for at, e in enumerate(entities)]
    return toy.with_side(side, [*joined[:other], *joined[other + 1 :]])


def drop(toy: Toy, entity: int, *, side: str = "response") -> Toy:
    """Without an entity and its mentions."""
    entities = _side(toy, side)
    _check(entities, entity)
    return toy.with_side(side, [*entities[:entity], *entities[entity + 1 :]])


def add_spurious(toy: Toy) -> Toy:
    """With a mention that the key lacks as a response entity of its own.

    One that the sentence has and neither side, else a new name: the next letter, or x1, x2, …
    Raises InputError for a toy of 40 mentions.
    """
    numbered = (f"x{n}" for n in range(1, MOST_MENTIONS + 2))
    names = (*toy.sentence.mentions, *ascii_lowercase, *numbered)
    name = next(name for name in names if name not in toy.mentions)
    return toy.with_side("response", [*toy.response, [name]])


def swap(toy: Toy) -> Toy:
    """Key and response exchanged."""
    return Toy(toy.response, toy.key, toy.text)


def all_singletons(toy: Toy) -> Toy:
    """A response that has every mention of the key alone."""
    return toy.with_side("response", [[mention] for entity in toy.key for mention in entity])


def one_entity(toy: Toy) -> Toy:
    """A response that has all mentions of the key in one entity."""
    return toy.with_side("response", [[mention for entity in toy.key for mention in entity]])


def random_response(toy: Toy, rng: np.random.Generator) -> Toy:
    """Each mention of the key left out with a probability of 1/8, else in a random entity, of
    which there can be as many as the key has and one more."""
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
    """The toys one after the other, the oldest of more than 200 forgotten.

    at      which of them is shown
    before  the toy that was shown before this one, whichever way it was left; None at first
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
        """With another toy after the one shown, and none after that; the same one is no change.

        The toy of the step before or after goes there, so that the browser's Back undoes.
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
        """A step back, where there is one."""
        return self._step(self.at - 1) if self.can_undo else self

    def redone(self) -> "History":
        """A step forward again, where there is one."""
        return self._step(self.at + 1) if self.can_redo else self

    def _step(self, at: int) -> "History":
        return replace(self, at=at, before=self.toy)
