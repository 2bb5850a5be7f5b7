"""What tests of tallies share: policies to tally under, and all that a tally holds, comparable."""

from dataclasses import fields

import numpy as np

from corescore.counting.counts import Counts
from corescore.scoring.tally import Alone, Tally

POLICIES = (
    {},
    {"average": "scorch", "metrics": ("muc", "bcub", "b3-0", "mor")},
    {"average": "scorch", "singletons": "e2e"},
    {"average": "stanza", "singletons": "stanza"},
    {"average": "macro", "blanc": "corefud", "match": "head", "singletons": "drop"},
    {"repeats": "reference", "words": "ignore"},
)


def bits(value):
    """All that a tally holds, floats as their bits."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {name: bits(of) for name, of in value.items()}
    if isinstance(value, (Tally, Counts, Alone)):
        return [(field.name, bits(getattr(value, field.name))) for field in fields(value)]
    return value


def numbers(tally):
    return [
        (name, repr(one))
        for of in (tally.scores, tally.means, tally.macro)
        for name, one in of.items()
    ]
