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


def found(name: str, n_all: int, n_found: int, metric: str, gains: FloatArray) -> str:
    """How many of a system's mentions with errors a query finds, and how much fixing them one at a
    time gains.

    n_all, n_found  the mentions with errors: all, and those that are found
    gains   (fixes,) points of the metric's F1 that each fix alone gains; NaN if it is not known
    """
    if not n_all:
        return f"{name} has no errors."
    all_ = f"{counted(n_all)} with errors"
    if not n_found:
        return f"None of the {all_} of {name} matches."
    if n_found == n_all:
        which = f"{name} has {all_}."
    else:
        verb = "matches" if n_found == 1 else "match"
        which = f"{count(n_found)} of the {all_} of {name} {verb}."
    return f"{which} {_gain(called(metric), gains)}"


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
    best = f"{written(most, f'.{places(most)}f')} points of {metric}"
    if len(gains) == 1:
        return f"The fix alone gains {best}."
    return (
        f"A single fix gains at most {best}; {count(n)} of the {counted(len(gains), 'fix')} "
        f"{'gains' if n == 1 else 'gain'} something."
    )


def places(most: float) -> int:
    """How many decimals gains are written with, the greatest of which is `most`: its first three
    digits that are not 0, and no fewer than two decimals."""
    return max(2, 2 - math.floor(math.log10(most))) if most > 0 else 2


def points(gain: float, places: int) -> str:
    """A gain in points: +0.0123, −0.4000, 0.00; "–" if there is none."""
    text = written(gain, f"+.{places}f")
    return text[1:] if not text.strip("+−0.") else text
