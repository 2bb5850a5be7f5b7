"""Prices of entities under their best alignment: they tell without a search what else is best."""

from dataclasses import dataclass

import numpy as np

from corescore.arrays import FloatArray, IntArray
from corescore.counting.assignment import best_assignment
from corescore.counting.contingency import Contingency
from corescore.tolerances import SIMILARITY


@dataclass(frozen=True)
class Priced:
    """The best alignment of a table, and a price ≥ 0 of each entity: 0 of those left alone.

    Two entities cost together at least their similarity, and exactly that if they are aligned. So
    no alignment is worth more than all prices together, and the best is worth as much.

    key_partner, response_partner  (entities,) the entity that each is aligned with; −1 for none
    key_price, response_price      (entities,)
    worth                          (key entities,) the similarity with its partner; 0 without one
    """

    key_partner: IntArray
    response_partner: IntArray
    key_price: FloatArray
    response_price: FloatArray
    worth: FloatArray


def priced(table: Contingency, similarity: FloatArray) -> Priced:
    """The best alignment, priced half way between the least that the entities of one side can cost
    and the least that those of the other can: the prices that most changes leave valid."""
    n_key, n_response = len(table.key_sizes), len(table.response_sizes)
    chosen = best_assignment(table.components, similarity)
    key, response = table.cell_key[chosen], table.cell_response[chosen]
    partners = np.full(n_key, -1), np.full(n_response, -1)
    worth = np.zeros(n_key), np.zeros(n_response)
    partners[0][key], partners[1][response] = response, key
    worth[0][key] = worth[1][response] = similarity[chosen]
    cells = table.cell_key, table.cell_response
    least_key = _least(cells[1], cells[0], similarity - worth[1][cells[1]], partners[1], n_key)
    least_response = _least(
        cells[0], cells[1], similarity - worth[0][cells[0]], partners[0], n_response
    )
    half = np.zeros(n_response)
    half[response] = (least_response[response] + similarity[chosen] - least_key[key]) / 2
    key_price = np.zeros(n_key)
    key_price[key] = similarity[chosen] - half[response]
    return Priced(*partners, key_price, half, worth[0])


def _least(
    payer: IntArray, own: IntArray, more: FloatArray, partner: IntArray, n: int
) -> FloatArray:
    """(n,) the least prices of one side: the other side's entities pay what is left of their worth.

    payer, own  (cells,) the entities of the other side and of this one
    more        (cells,) by how much the cell is worth more than the payer's own alignment
    partner     the entity of this side that each payer is aligned with; −1 for none
    """
    price = np.zeros(n + 1)  # the last is that of no partner
    partners = partner[payer]
    while True:
        asked = price.copy()
        np.maximum.at(asked, own, more + price[partners])
        if (asked <= price + SIMILARITY).all():
            return price[:-1]
        price = asked
