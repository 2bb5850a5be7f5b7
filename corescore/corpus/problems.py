"""What is wrong with an input, and how its owner can fix it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeVar

from corescore.wording import one_line

MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where, what was found, what was expected, what to do.

    `line` counts from 1; 0 means that the whole file is meant.
    """

    file: str
    line: int
    found: str
    expected: str
    advice: str

    def __str__(self) -> str:
        """On one line, without control characters; of a long quotation the middle is left out."""
        file, found, expected, advice = (
            one_line(text) for text in (self.file, self.found, self.expected, self.advice)
        )
        place = f"{file}:{self.line}" if self.line else file
        return f"{place}: {found}; expected {expected}. {advice}"


@dataclass
class Problems:
    """What is wrong with some lines: the problems that are told, and how many there are more, as a
    wrong file may have millions.

    first  in the order in which they were found; of the first lines, if there are more
    """

    first: list[Problem] = field(default_factory=list)
    more: int = 0

    def add(self, problem: Problem) -> None:
        """Count a problem, and keep it if it may be told."""
        self.first.append(problem)
        if len(self.first) > 10 * MOST_PROBLEMS:
            self.more += len(self.first) - MOST_PROBLEMS
            self.first = sorted(self.first, key=lambda of: of.line)[:MOST_PROBLEMS]


class Stage(IntEnum):
    """How far two sides had been compared when problems were found: all of them up to there are
    told before any that is found later."""

    READING = 0
    MISSING = 1
    KIND = 2
    SHARED = 3
    WORDS = 4
    TEXT = 5
    PARSES = 6
    TAGS = 7
    KEY_REPEATS = 8  # within an entity; then across
    RESPONSE_REPEATS = 10


class InputError(ValueError):
    """Input that cannot be scored: the first 20 `problems`, and how many `more` there are.

    The message has a line for each.
    """

    def __init__(
        self, problems: Iterable[Problem], more: int = 0, stage: int = Stage.READING
    ) -> None:
        every = tuple(problems)
        self.stage = stage
        self.problems = every[:MOST_PROBLEMS]
        self.more = more + len(every) - len(self.problems)
        lines = [str(problem) for problem in self.problems]
        super().__init__("\n".join([*lines, f"… and {self.more} more"] if self.more else lines))

    def __reduce__(self) -> tuple[type["InputError"], tuple[tuple[Problem, ...], int, int]]:
        """So that it comes back from another process as it was."""
        return type(self), (self.problems, self.more, self.stage)

    @classmethod
    def of(cls, errors: Iterable["InputError"]) -> "InputError":
        """The problems of several errors as one: of those of the earliest stage among them."""
        given = tuple(errors)
        stage = min((error.stage for error in given), default=Stage.READING)
        every = [error for error in given if error.stage == stage]
        problems = (problem for error in every for problem in error.problems)
        return cls(problems, sum(error.more for error in every), stage)


class PolicyError(ValueError):
    """A policy, a metric or a format that does not exist; the message lists those that do."""


Name = TypeVar("Name", bound=str)


def choose(what: str, value: str, allowed: Iterable[Name]) -> Name:
    """`value` as the one of `allowed` that it equals; PolicyError that lists them if none does."""
    values = tuple(allowed)
    if value not in values:
        raise PolicyError(f"{what} is {value!r}; expected one of: {', '.join(values)}")
    return values[values.index(value)]
