"""What is known of each response mention that may leave the response: for closed forms."""

from dataclasses import dataclass

import numpy as np

from corescore.arrays import BoolArray, FloatArray
from corescore.counting.comparison import View


@dataclass(frozen=True)
class Leaving:
    """What is known of each response mention: its entity's size b, its cell's n, its key's a.

    shared  whether the key has it; n is 0 and a is 1 where not
    """

    b: FloatArray
    n: FloatArray
    a: FloatArray
    shared: BoolArray


def leaving(view: View) -> Leaving:
    shared = view.own_cell >= 0
    cell = np.where(shared, view.own_cell, 0)
    n, a = np.zeros(len(cell)), np.ones(len(cell))
    n[shared] = view.table.cell_sizes[cell[shared]]
    a[shared] = view.table.response_sizes[view.table.cell_response[cell[shared]]]
    return Leaving(view.table.key_sizes[view.own_entity].astype(np.float64), n, a, shared)
