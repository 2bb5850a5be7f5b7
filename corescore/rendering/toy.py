"""The sandbox's scores, arithmetic and exercises → HTML, tables and sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from markupsafe import Markup

from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, name_of
from corescore.metrics.textbook import Step, Summand
from corescore.rendering.html import problem_list
from corescore.rendering.templates import render
from corescore.teaching.toy.edits import MISSING, NEW
from corescore.teaching.toy.exercises import Exercise
from corescore.teaching.toy.exploit import Exploit
from corescore.teaching.toy.links import changes, links_of
from corescore.teaching.toy.toy import Entities, Toy
from corescore.teaching.toy.what_if import WhatIf
from corescore.wording import RATIOS, counted, percent, signed

# The scores ---------------------------------------------------------------------------------------


def scores(toy: Toy, before: Toy | None) -> Markup:
    """The six in a table: scores, changes since the last edit, F1 as a bar."""
    rows = []
    for metric in METRIC_IDS:
        now, old = toy.result[metric], before.result[metric] if before else None
        rows.append((metric, now, old, _told(metric, now.f1, old.f1 if old else None)))
    return render("toy", "scores", measures=MEASURES, rows=rows)


def _told(metric: str, now: float, old: float | None) -> str:
    then = f", {percent(old)} before: {signed(now - old)} points" if old is not None else ""
    return f"{name_of(metric)} F1 {percent(now)} percent{then}"


def headline(toy: Toy, before: Toy | None) -> str:
    """How the last edit changed links and scores, or how many links are correct."""
    links = links_of(toy)
    correct = counted(len(links.correct), "correct link")
    n = f"{correct}, {len(links.wrong)} wrong, {len(links.missing)}"
    if before is None:
        return f"{n} missing. Move a mention and see which scores follow."
    told = changes(before, toy).sentences
    return f"{'; '.join(told)}. {n} missing." if told else f"No link changed. {n} missing."


# The arithmetic -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equation:
    """A step as a fraction: what is above and below its line, what follows, and its value.

    summands  the terms of the numerator, each with its entities
    """

    name: str
    above: str
    below: str
    rest: str
    value: float
    summands: Sequence[str]


def arithmetic(steps: Sequence[Step], toy: Toy) -> Markup:
    """Each step as a fraction with its numbers, and which entities the summands are from."""
    return render("toy", "arithmetic", steps=[_equation(step, toy) for step in steps])


def _equation(step: Step, toy: Toy) -> Equation:
    above, below = step.quotient.above, step.quotient.below
    sign = f"= {step.value}" if below.value else ", taken as 0"
    own, other = toy.key, toy.response
    if step.name.startswith("precision"):
        own, other = other, own
    summands = [_summand(summand, own, other) for summand in step.summands]
    name = step.name.replace("f1", "F1")
    written = _written(above.text), _written(below.text)
    return Equation(name, *written, sign, float(step.value), summands)


def _written(text: str) -> str:
    """Numerator or denominator; a line may end only between summands."""
    bare = text.replace(" · ", "\u00a0·\u00a0")
    return re.sub(r"\([^()]*\)", lambda found: found[0].replace(" ", "\u00a0"), bare)


def _summand(summand: Summand, own: Entities, other: Entities) -> str:
    pair = f" with {_braces(other[summand.other])}" if summand.other is not None else ""
    return f"{_braces(own[summand.own])}{pair}: {summand.text}"


def _braces(entity: Sequence[str]) -> str:
    return f"{{{' '.join(entity)}}}"


def problems(lines: Sequence[str], *, done: bool) -> Markup:
    """What is wrong with a link, or with what was typed or (`done`) attempted."""
    return problem_list(lines, kept=True, what=f"This cannot be {'done' if done else 'read'}.")


# The exercise, what if, exploit -------------------------------------------------------------------


def exercise(task: Exercise, toy: Toy) -> Markup:
    """The goal, and how far the toy is from it."""
    reached, told = task.progress(toy)
    return render("toy", "exercise", task=task, reached=reached, told=told)


_OUT = {NEW: "alone", MISSING: "left out"}


def what_if_rows(table: pd.DataFrame) -> pd.DataFrame:
    """A table of moves for the page: the move in words, gain in points, score in percent."""
    where = [_OUT.get(to, f"to {to}") for to in table["to"]]
    return pd.DataFrame(
        {
            "move": [f"{name} {to}" for name, to in zip(table["mention"], where, strict=True)],
            "gain": 100 * table["gain"],
            "score": 100 * table["score"],
            "right": table["right_links"],
            "wrong": table["wrong_links"],
        }
    )


def what_if_sentence(moves: Sequence[WhatIf], metric: str, measure: str) -> str:
    """How many moves raise and lower the score."""
    name = f"{name_of(metric)} {RATIOS[measure]}"
    if not moves:
        return "There is no mention to move."
    up = sum(round(move.gain, 9) > 0 for move in moves)
    down = sum(round(move.gain, 9) < 0 for move in moves)
    paid = sum(round(m.gain, 9) > 0 and m.correct <= 0 and m.wrong >= 0 for m in moves)
    without = f"; {paid or 'none'} of them without one more correct link or one fewer wrong link"
    return (
        f"Of {counted(len(moves), 'move')}, {down} lower {name} and {up} raise it"
        f"{without if up else ''}."
    )


def exploit_rows(table: pd.DataFrame) -> pd.DataFrame:
    """A table of stages for the page, scores in percent."""
    return pd.DataFrame(
        {
            "step": table["step"],
            "done": table["done"].replace("", "the start"),
            "score": 100 * table["score"],
            "right": table["right_links"],
            "wrong": table["wrong_links"],
        }
    )


def exploit_sentence(found: Exploit, metric: str, measure: str) -> str:
    """What the search found, or that it found nothing."""
    name = f"{name_of(metric)} {RATIOS[measure]}"
    first, last = found.stages[0], found.stages[-1]
    if not found.is_found:
        return (
            f"None was found: of {counted(found.n_scored, 'response')} at most six edits away, "
            f"none that has worse links has a higher {name} than {percent(first.score)}. There "
            "may be one farther away."
        )
    return (
        f"In {counted(len(found.stages) - 1, 'step')}, {name} rises from {percent(first.score)} to "
        f"{percent(last.score)}, while correct links go from {first.correct} to {last.correct} and "
        f"wrong links from {first.wrong} to {last.wrong}."
    )
