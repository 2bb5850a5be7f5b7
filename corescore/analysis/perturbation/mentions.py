"""Mentions of a response in flat arrays, which perturbations change."""

from dataclasses import dataclass, fields

import numpy as np

from corescore.arrays import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Mentions:
    """Mentions of a response in flat arrays, in any order.

    document, start, end  (mentions,) the span of each
    entity                (mentions,) its entity: any numbers ≥ 0, each in one document only
    key_mention           (mentions,) the key mention of the same span; −1 where the key has none
    own                   (mentions,) which mention of the response it is; −1 of one that is added
    accompanied           (mentions,) whether its entity had other mentions before the change
    """

    document: IntArray
    start: IntArray
    end: IntArray
    entity: IntArray
    key_mention: IntArray
    own: IntArray
    accompanied: BoolArray

    def keep(self, kept: BoolArray | IntArray) -> "Mentions":
        """Those where `kept` is True, or those at these positions in this order."""
        return Mentions(*(getattr(self, column.name)[kept] for column in fields(self)))

    def plus(self, other: "Mentions") -> "Mentions":
        """These and the others."""
        names = [column.name for column in fields(self)]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return Mentions(*(np.concatenate(pair) for pair in pairs))

    def without_left_behind(self) -> "Mentions":
        """Without the mentions that are alone in their entity and were not before."""
        alone = np.bincount(self.entity)[self.entity] == 1
        return self.keep(~(alone & self.accompanied))
