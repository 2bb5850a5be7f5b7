"""Exercises for the sandbox, each with a start and a check of its goal."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from corescore.metrics import name_of
from corescore.replication.claims import read_data
from corescore.teaching.pitfalls import PITFALLS, Pitfall
from corescore.teaching.toy import Toy, changes, entity_sets, links_of
from corescore.util import TOLERANCE
from corescore.wording import counted, percent

Progress = tuple[bool, str]


@dataclass(frozen=True)
class Exercise:
    """An exercise.

    id       its name in a link
    title    its subject
    goal     the goal, in one sentence
    start    the toy at the start, whose key must not change
    metric   the metric that the goal is about
    check    (start, toy) → what `progress` says
    solution a response that reaches the goal, in brace notation; there are others
    """

    id: str
    title: str
    goal: str
    start: Toy
    metric: str
    check: Callable[[Toy, Toy], Progress]
    solution: str

    @property
    def solved(self) -> Toy:
        """The start with the response of the solution."""
        return Toy.of(self.start.key_notation, self.solution, self.start.text)

    def progress(self, toy: Toy) -> Progress:
        """Whether the goal is reached, and a sentence with the numbers."""
        if entity_sets(toy.key) != entity_sets(self.start.key):
            problem = "The key is not that of the exercise: only the response may change"
            return False, f"{problem}. Start again has it back."
        return self.check(self.start, toy)


def _f1(toy: Toy, metric: str) -> float:
    return toy.result[metric].f1


def _from_to(metric: str, start: Toy, toy: Toy) -> str:
    before, now = _f1(start, metric), _f1(toy, metric)
    if abs(now - before) < TOLERANCE:
        return f"{name_of(metric)} is {percent(now)} as at the start"
    went = "rose" if now > before else "fell"
    return f"{name_of(metric)} {went} from {percent(before)} to {percent(now)}"


def _rises(metric: str, start: Toy, toy: Toy) -> bool:
    return _f1(toy, metric) > _f1(start, metric) + TOLERANCE


def _came_in(start: Toy, toy: Toy) -> tuple[int, int]:
    """The numbers of correct and of wrong links that are new in the response."""
    new = changes(start, toy)
    return len(new.correct), len(new.wrong)


# The checks ---------------------------------------------------------------------------------------


_TEN_POINTS = 0.1


def _bcub_without_correct_link(start: Toy, toy: Toy) -> Progress:
    correct, wrong = _came_in(start, toy)
    kept = counted(len(links_of(toy).correct), "correct link")
    came_in = f"{counted(correct, 'correct link')} and {wrong} wrong came in. It has {kept}."
    sentence = f"{_from_to('bcub', start, toy)}; {came_in}"
    rise = _f1(toy, "bcub") - _f1(start, "bcub")
    lost = len(links_of(start).correct) - len(links_of(toy).correct)
    return rise >= _TEN_POINTS and not correct and not lost, sentence


def _muc_by_merging(start: Toy, toy: Toy) -> Progress:
    links = links_of(toy)
    has = f"the response has {counted(len(links.correct), 'correct link')}"
    in_all = f"in {counted(len(toy.response), 'entity')}"
    sentence = f"{_from_to('muc', start, toy)}; {has} and {len(links.wrong)} wrong, {in_all}."
    more_wrong = len(links.wrong) > len(links.correct)
    return _rises("muc", start, toy) and more_wrong and len(toy.response) > 1, sentence


def _ceaf_falls(start: Toy, toy: Toy) -> Progress:
    old, new = links_of(start), links_of(toy)
    more = len(new.correct) - len(old.correct)
    n = counted(len(new.correct), "correct link")
    has = f"the response has {n}, {len(old.correct)} at the start"
    sentence = f"{_from_to('ceafm', start, toy)}; {has}, and {len(new.wrong)} wrong."
    return more > 0 and not new.wrong and _f1(toy, "ceafm") < _f1(
        start, "ceafm"
    ) - TOLERANCE, sentence


_BLIND = ("bcub", "ceafm", "ceafe", "blanc")


def _wrong_links_only(start: Toy, toy: Toy) -> Progress:
    correct, wrong = _came_in(start, toy)
    up = [name_of(metric) for metric in _BLIND if _rises(metric, start, toy)]
    sentence = (
        f"Of {', '.join(map(name_of, _BLIND))}, {len(up)} rose"
        f"{': ' + ', '.join(up) if up else ''}; "
        f"{counted(correct, 'correct link')} and {wrong} wrong came in."
    )
    return len(up) == len(_BLIND) and not correct and wrong > 0, sentence


# The exercises ------------------------------------------------------------------------------------

_DATA = read_data("teaching/exercises.toml")

_CHECKS = {
    "bcub-no-link": _bcub_without_correct_link,
    "muc-merging": _muc_by_merging,
    "ceaf-right-links": _ceaf_falls,
    "wrong-links-only": _wrong_links_only,
}

EXERCISES = tuple(
    Exercise(
        name,
        one["title"],
        one["goal"],
        Toy.of(one["key"], one["response"], one.get("text", "")),
        one["metric"],
        _CHECKS[name],
        one["solution"],
    )
    for name, one in _DATA["exercises"].items()
)

MINUTES_A_CARD, MINUTES_AN_EXERCISE = 4, 6

# The lesson: cards and sandbox exercises in order, about an hour ----------------------------------

_CARDS = {pitfall.id: pitfall for pitfall in PITFALLS}

_EXERCISES = {exercise.id: exercise for exercise in EXERCISES}


@dataclass(frozen=True)
class LessonStep:
    """A card or an exercise, by its id, and a sentence that leads to the next step."""

    id: str
    leads_on: str

    @property
    def pitfall(self) -> Pitfall | None:
        """The card of the step, if it is one."""
        return _CARDS.get(self.id)

    @property
    def exercise(self) -> Exercise | None:
        """The exercise of the step, if it is one."""
        return _EXERCISES.get(self.id)

    @property
    def title(self) -> str:
        """The title of the card or the exercise; KeyError if there is neither."""
        return _CARDS[self.id].title if self.id in _CARDS else _EXERCISES[self.id].title

    @property
    def minutes(self) -> int:
        """Roughly how long a class takes."""
        return MINUTES_A_CARD if self.pitfall else MINUTES_AN_EXERCISE


# What each metric asks, before the first of them is shown: step 0.
INTRODUCTION: dict[str, str] = _DATA["introduction"]

# The recall of each metric, for paper; of precision with the sides swapped.
FORMULAS: dict[str, str] = _DATA["formulas"]

MINUTES_OF_INTRODUCTION = 3

LESSON = tuple(LessonStep(one["id"], one["leads_on"]) for one in _DATA["lesson"])

_ONLY_IN_AN_HOUR = {one["id"] for one in _DATA["lesson"] if one.get("only_in_an_hour")}


def _shorter(steps: Iterable[LessonStep]) -> tuple[LessonStep, ...]:
    """The lesson without some steps; what led on from these then leads on from the step before."""
    kept: list[LessonStep] = []
    for step in steps:
        if step.id in _ONLY_IN_AN_HOUR:
            kept[-1] = replace(kept[-1], leads_on=step.leads_on)
        else:
            kept.append(step)
    return tuple(kept)


# The steps by how many minutes there are.
LESSONS = {60: LESSON, 45: _shorter(LESSON)}


def minutes_of(steps: Iterable[LessonStep]) -> int:
    """Roughly how long a class takes for the steps and the introduction, to five minutes."""
    return 5 * round((MINUTES_OF_INTRODUCTION + sum(step.minutes for step in steps)) / 5)
