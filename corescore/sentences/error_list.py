"""Sentences about a list of errors and what fixing each of them gains."""

import math

import numpy as np

from corescore.arrays import FloatArray
from corescore.sentences.names import called
from corescore.tolerances import TOLERANCE
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


def found(
    name: str, n_all: int, n_found: int, metric: str, gains: FloatArray, *, n_hidden: int = 0
) -> str:
    """How many of a system's mentions with errors a query finds, and how much fixing them one at a
    time gains.

    n_all, n_found  the mentions with errors: all, and those that are found
    gains     (fixes,) points of the metric's F1 that each listed fix alone gains; NaN if it is not
              known
    n_hidden  the found mentions that are not listed: correct ones that a fix only moves
    """
    if not n_all:
        return f"{name} has no errors."
    all_ = f"{counted(n_all)} with errors"
    if not n_found:
        return f"None of the {all_} of {name} matches."
    hidden = _hidden(n_hidden, n_found)
    if n_found == n_all:
        which = f"{name} has {all_}{hidden}."
    else:
        verb = "matches" if n_found == 1 else "match"
        which = f"{count(n_found)} of the {all_} of {name} {verb}{hidden}."
    return which if n_hidden == n_found else f"{which} {_gain(called(metric), gains)}"


def _hidden(n: int, n_found: int) -> str:
    if not n:
        return ""
    if n == n_found:
        return "; the list hides them: they are correct, and fixes only move them"
    return f"; the list hides {count(n)} correct {'one' if n == 1 else 'ones'} that fixes only move"


def _gain(metric: str, gains: FloatArray) -> str:
    told = gains[~np.isnan(gains)]
    if not len(gains):
        return "Fixing the mentions around them resolves them."
    if not len(told):
        whose = "its fix gains" if len(gains) == 1 else "their fixes gain"
        return f"What {whose} under {metric} cannot be told."
    most = float(told.max())
    n = int((told > 0).sum())
    if n == 0:
        which = "it" if len(gains) == 1 else "any one of them"
        return f"Fixing {which} alone gains nothing under {metric}."
    best = f"{points(most).removeprefix('+')} points of {metric}"
    if len(gains) == 1:
        return f"The fix alone gains {best}."
    return (
        f"A single fix gains at most {best}; {count(n)} of the {counted(len(gains), 'fix')} "
        f"{'gains' if n == 1 else 'gain'} something."
    )


def points(gain: float) -> str:
    """A gain in points with two decimals, or with one digit that is not 0: +0.09, −0.40, +0.0003,
    0.00; "–" if there is none."""
    size = abs(gain)
    if not size > TOLERANCE:
        return written(size)
    return written(gain, f"+.{2 if size >= 0.005 else -math.floor(math.log10(size))}f")
