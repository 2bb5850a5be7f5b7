"""What is wrong with an input, and how its owner can fix it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple, TypeVar

from corescore.wording import one_line

MOST_PROBLEMS = 20  # that are shown
MOST_NAMES = 8  # of documents that a message lists
LEAST_PART = 3  # letters of a part by which a name is known, and one more
ENOUGH = 100  # after so many problems a reader stops


class Problem(NamedTuple):
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
        file, fault, expected, advice = (
            one_line(text) for text in (self.file, self.found, self.expected, self.advice)
        )
        place = f"{file}:{self.line}" if self.line else file
        if not expected:
            return f"{place}: {fault}. {advice}"
        return f"{place}: {fault}; expected {expected}. {advice}"


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
    ELEMENTS = 12  # of split antecedents


class InputError(ValueError):
    """Input that cannot be scored: the first 20 `problems`, and how many `more` were found.

    The message has one line per problem, without what the line before says is expected. Reading
    stops after a hundred problems. The message then ends in "and more", as the total is unknown.

    >>> import corescore
    >>> corescore.read("none.conll")
    Traceback (most recent call last):
    corescore.corpus.problems.InputError: none.conll: no such file or folder. Check the path.
    """

    def __init__(
        self, problems: Iterable[Problem], more: int = 0, stage: int = Stage.READING
    ) -> None:
        every = tuple(problems)
        self.stage = stage
        self.problems = every[:MOST_PROBLEMS]
        self.more = more + len(every) - len(self.problems)
        lines: list[str] = []
        expected = advice = ""
        for problem in self.problems:  # what is expected, and what to do, is written once
            again = problem.advice == advice
            short = problem._replace(advice="") if again else problem
            if again and problem.expected == expected:
                short = short._replace(expected="")
            lines.append(str(short).rstrip())
            expected, advice = problem.expected, problem.advice
        stopped = stage == Stage.READING and self.more + len(self.problems) >= ENOUGH
        ending = "… and more" if stopped else f"… and {self.more} more"
        super().__init__("\n".join([*lines, ending] if self.more else lines))

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


def refusal(file: str, fault: str, expected: str, advice: str, line: int = 0) -> InputError:
    """The error of one problem."""
    return InputError([Problem(file, line, fault, expected, advice)])


def refuse(problems: Iterable[Problem], stage: int = Stage.READING) -> None:
    """Raises InputError if there are any."""
    if every := list(problems):
        raise InputError(every, stage=stage)


class TooManyProblems(InputError):  # noqa: N818 - the others are errors, this says how many
    """A hundred problems: reading stops."""


@dataclass
class Problems:
    """What is wrong with an input, in the order in which its reader finds it.

    All readers keep this rule: the first problem makes `noted` true, and no more documents are
    built, only looked through; the hundredth raises TooManyProblems, and reading stops.
    """

    noted: list[Problem] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.noted)

    def add(self, problem: Problem) -> None:
        """Note a problem."""
        self.noted.append(problem)
        if len(self.noted) >= ENOUGH:
            raise TooManyProblems(self.in_order)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Note problems; no more are asked for than are noted."""
        for problem in problems:
            self.add(problem)

    @property
    def in_order(self) -> list[Problem]:
        """The problems in the order of their lines."""
        return sorted(self.noted, key=lambda problem: problem.line)

    def refuse(self) -> None:
        """Raise InputError with the problems, if there are any."""
        refuse(self.in_order)


class PolicyError(ValueError):
    """A policy, a metric or a format that does not exist; the message lists those that do.

    >>> import corescore
    >>> corescore.read("key.conll", side="gold")
    Traceback (most recent call last):
    corescore.corpus.problems.PolicyError: side is 'gold'; expected one of: key, response
    """


Name = TypeVar("Name", bound=str)


def choose(what: str, value: str, allowed: Iterable[Name], *, most: int | None = None) -> Name:
    """`value` as the one of `allowed` that it equals; PolicyError that lists them, or the first
    `most`, if none does."""
    values = tuple(allowed)
    if value not in values:
        more = f" and {len(values) - most} more" if most and len(values) > most else ""
        expected = f"expected one of: {', '.join(values[:most])}{more}"
        raise PolicyError(f"{what} is {value!r}; {expected}{did_you_mean(value, values)}")
    return values[values.index(value)]


def did_you_mean(value: str, allowed: Iterable[str]) -> str:
    """A question that names the most similar of `allowed`, with a full stop and a space before it;
    empty if none is similar. The dashes before options do not make them similar, nor do a few
    letters after another initial ("--verbose" is not "--zeros")."""
    from difflib import get_close_matches  # only a mistake needs it

    alike = {one.lower().lstrip("-"): one for one in allowed}
    given = str(value).lower().lstrip("-")
    if "perl" in alike and given.replace("-", "") in ("conll", "conll2012", "official", "v8.01"):
        given = "perl"
    similar = get_close_matches(given, [one for one in alike if one[:1] == given[:1]], n=1)
    similar = similar or get_close_matches(given, alike, n=1, cutoff=0.75)
    similar = similar or [one for one in alike if len(given) > LEAST_PART and given in one]
    similar = similar or [one for one in alike if one.endswith(f".{given}")]
    return f". Did you mean {alike[similar[0]]!r}?" if similar else ""
