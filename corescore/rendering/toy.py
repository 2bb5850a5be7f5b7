"""The sandbox's scores, arithmetic and sentences as HTML. No Streamlit here."""

import re
from collections.abc import Sequence
from html import escape

import pandas as pd

from corescore.analysis.explanation.textbook import Step, Summand
from corescore.counting.counts import MEASURES
from corescore.metrics import METRIC_IDS, colour_of, name_of
from corescore.sentences.markup import escaped, title
from corescore.teaching.toy.edits import MISSING, NEW
from corescore.teaching.toy.exercises import Exercise
from corescore.teaching.toy.exploit import Exploit
from corescore.teaching.toy.links import changes, links_of
from corescore.teaching.toy.toy import Entities, Toy
from corescore.teaching.toy.what_if import WhatIf
from corescore.wording import RATIOS, counted, percent, signed

# The scores ---------------------------------------------------------------------------------------


def scores(toy: Toy, before: Toy | None) -> str:
    """The six in a table: numbers, signed differences to before, F1 as a bar with its ghost."""
    heads = "".join(f'<th scope="col">{RATIOS[measure]}</th>' for measure in MEASURES)
    rows = "".join(_row(metric, toy, before) for metric in METRIC_IDS)
    return (
        '<table class="numbers toy-scores"><caption>Scores in percent, and how far from those '
        "before the last change</caption>"
        f'<thead><tr><th></th>{heads}<th scope="col" class="scale"><span>F1: 0</span>'
        "<span>50</span><span>100 %</span></th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(metric: str, toy: Toy, before: Toy | None) -> str:
    now = toy.result[metric]
    old = before.result[metric] if before else None
    cells = "".join(
        _cell(getattr(now, measure), getattr(old, measure) if old else None) for measure in MEASURES
    )
    told = _told(metric, now.f1, old.f1 if old else None)
    ghost = f'<i style="width:{100 * old.f1:.2f}%"></i>' if old else ""
    colour = colour_of(metric)
    return (
        f'<tr><th scope="row">{title(metric)}</th>{cells}<td class="track" title="{escape(told)}">'
        f'<div><b style="width:{100 * now.f1:.2f}%;background:{colour}"></b>{ghost}</div></td></tr>'
    )


def _cell(now: float, old: float | None) -> str:
    difference = "" if old is None else signed(now - old)
    return f"<td>{percent(now)}<small>{difference}</small></td>"


def _told(metric: str, now: float, old: float | None) -> str:
    then = f", {percent(old)} before: {signed(now - old)} points" if old is not None else ""
    return f"{name_of(metric)} F1 {percent(now)} percent{then}"


def headline(toy: Toy, before: Toy | None) -> str:
    """What became of the links and of the six, or how many links are correct."""
    links = links_of(toy)
    correct = counted(len(links.correct), "correct link")
    n = f"{correct}, {len(links.wrong)} wrong, {len(links.missing)}"
    if before is None:
        return f"{n} missing. Move a mention and see which scores follow."
    told = changes(before, toy).sentences
    return f"{'; '.join(told)}. {n} missing." if told else f"No link changed. {n} missing."


# The arithmetic -----------------------------------------------------------------------------------


def arithmetic(steps: Sequence[Step], toy: Toy) -> str:
    """Each step as a fraction with its numbers, and whose the summands are; three in a row."""
    return f'<dl class="textbook">{"".join(_step(step, toy) for step in steps)}</dl>'


def _step(step: Step, toy: Toy) -> str:
    formula, _, rest = step.formula.partition(", ")
    ratio, _, value = formula.partition(" = ")
    above, below = ratio.split(" / ")
    sign = f", {rest}" if rest else f" = {value}" if value else ""
    return (
        f"<div><dt>{escape(step.name.replace('f1', 'F1'))}</dt><dd>"
        f'<span class="frac"><span>{_written(above)}</span><span class="over"> / </span>'
        f"<span>{_written(below)}</span></span>"
        f"<span>{_kept(sign)}{_kept(f' = {percent(float(step.value))} %')}</span>"
        f"{_summands(step, toy)}</dd></div>"
    )


def _kept(text: str) -> str:
    """A part of an equation that is not broken; the line may break before it."""
    return f' <span class="kept">{escape(text.strip())}</span>' if text else ""


def _written(text: str) -> str:
    """What stands above or below the line; a line may break between summands only."""
    bare = escape(_bare(text)).replace(" · ", "\u00a0·\u00a0")
    return re.sub(r"\([^()]*\)", lambda found: found[0].replace(" ", "\u00a0"), bare)


def _bare(text: str) -> str:
    """Without the brackets around a sum, which the line of the fraction makes needless."""
    inner = text[1:-1]
    whole = text.startswith("(") and text.endswith(")") and inner.find(")") in (-1, *_inside(inner))
    return inner if whole else text


def _inside(inner: str) -> range:
    """Where a first ")" may stand that closes a bracket of the inside."""
    opened = inner.find("(")
    return range(opened + 1, len(inner)) if opened >= 0 else range(0)


def _summands(step: Step, toy: Toy) -> str:
    if not step.summands:
        return ""
    own, other = toy.key, toy.response
    if step.name.startswith("precision"):
        own, other = other, own
    told = (_summand(summand, own, other) for summand in step.summands)
    return f'<small class="summands">{"".join(told)}</small>'


def _summand(summand: Summand, own: Entities, other: Entities) -> str:
    pair = f" with {_braces(other[summand.other])}" if summand.other is not None else ""
    return f"<span>{_braces(own[summand.own])}{pair}: {escape(summand.text)}</span> "


def _braces(entity: Sequence[str]) -> str:
    return escape(f"{{{' '.join(entity)}}}")


def problems(lines: Sequence[str], *, done: bool) -> str:
    """What is wrong with a link or with what was typed, or with what was to be done."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        f'<div class="problems" role="alert"><strong>This cannot be {"done" if done else "read"}.'
        f"</strong> What was shown before stays.<ul>{items}</ul></div>"
    )


# The exercise, what if, exploit -------------------------------------------------------------------


def exercise(task: Exercise, toy: Toy) -> str:
    """The goal, and how far the toy is from it."""
    reached, told = task.progress(toy)
    state = "reached" if reached else "not reached yet"
    sign = "✓" if reached else "○"
    return (
        f'<div class="exercise {"holds" if reached else "open"}" role="status">'
        f"<strong>{escaped(task.title)}.</strong> {escaped(task.goal)} "
        f'<span class="sign">{sign}</span><strong>{state}:</strong> {escaped(told)}</div>'
    )


_OUT = {NEW: "alone", MISSING: "left out"}


def what_if_rows(table: pd.DataFrame) -> pd.DataFrame:
    """A table of moves as it is read: the move in words, gain in points, score in percent."""
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
    without = f"; {paid or 'none'} of them without a correct link more or a wrong one less"
    return (
        f"Of {counted(len(moves), 'move')}, {down} lower {name} and {up} raise it"
        f"{without if up else ''}."
    )


def exploit_rows(table: pd.DataFrame) -> pd.DataFrame:
    """A table of stages as it is read, scores in percent."""
    return pd.DataFrame(
        {
            "step": table["step"],
            "done": table["done"].replace("", "where it starts"),
            "score": 100 * table["score"],
            "right": table["right_links"],
            "wrong": table["wrong_links"],
        }
    )


def exploit_sentence(found: Exploit, metric: str, measure: str) -> str:
    """What was found, or that nothing was."""
    name = f"{name_of(metric)} {RATIOS[measure]}"
    first, last = found.stages[0], found.stages[-1]
    if not found.is_found:
        return (
            f"None was found: of {counted(found.n_scored, 'response')} up to six edits away, no "
            f"one that is worse by links has a higher {name} than {percent(first.score)}. There "
            "may be one farther off."
        )
    return (
        f"In {counted(len(found.stages) - 1, 'step')}, {name} rises from {percent(first.score)} to "
        f"{percent(last.score)}, while correct links go from {first.correct} to {last.correct} and "
        f"wrong ones from {first.wrong} to {last.wrong}."
    )
