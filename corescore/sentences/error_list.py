"""Sentences about a list of errors and what fixing each of them gains."""

import math

import numpy as np

from corescore.arrays import FloatArray
from corescore.sentences.names import called
from corescore.wording import count, counted, written

NOTHING_FOUND = (
    "No error matches. Take a term out of the search, or take back what is selected at the left."
)


def not_here(row: str, name: str) -> str:
    """What to say where a link's row is not among a system's errors."""
    return (
        f"{name} has no error “{row}”: other files, another system or other policies may have been "
        "shown when the link was copied."
    )


def found(name: str, n_all: int, metric: str, gains: FloatArray) -> str:
    """How many of a system's errors a query finds, and what fixing them one at a time gains.

    n_all  how many errors the system has
    gains  (found,) points of the metric's F1 that each fix alone gains; NaN where nothing tells
    """
    if not n_all:
        return f"{name} has no errors."
    if not len(gains):
        return f"None of the {counted(n_all, 'error')} of {name} matches."
    if len(gains) == n_all:
        which = f"{name} has {counted(n_all, 'error')}."
    else:
        verb = "matches" if len(gains) == 1 else "match"
        which = f"{count(len(gains))} of the {counted(n_all, 'error')} of {name} {verb}."
    return f"{which} {_gain(called(metric), gains)}"


def _gain(metric: str, gains: FloatArray) -> str:
    told = gains[~np.isnan(gains)]
    if not len(told):
        whose = "its fix gains" if len(gains) == 1 else "their fixes gain"
        return f"What {whose} under {metric} cannot be told."
    most = float(told.max())
    n = int((told > 0).sum())
    if n == 0:
        which = "it" if len(gains) == 1 else "any one of them"
        return f"Fixing {which} alone gains nothing under {metric}."
    best = f"{written(most, f'.{places(most)}f')} points of {metric}"
    if len(gains) == 1:
        return f"Fixing it alone gains {best}."
    any_ = "gains" if n == 1 else "gain"
    return f"Fixing one alone gains up to {best}; {count(n)} of these fixes {any_} any."


def places(most: float) -> int:
    """How many decimals gains are written with, the greatest of which is `most`: its first three
    digits that are not 0, and no fewer than two decimals."""
    return max(2, 2 - math.floor(math.log10(most))) if most > 0 else 2


def points(gain: float, places: int) -> str:
    """A gain in points: +0.0123, −0.4000, 0.00; "–" if there is none."""
    text = written(gain, f"+.{places}f")
    return text[1:] if not text.strip("+−0.") else text
