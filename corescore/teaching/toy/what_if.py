"""The effect of each single move in the response on a score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.arrays import AnyArray, FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS, metric_of
from corescore.metrics.diagnostics import LINKS
from corescore.teaching.toy.edits import MISSING, NEW, move
from corescore.teaching.toy.toy import Entities, Toy
from corescore.tolerances import PLACES

NOWHERE = -1


@dataclass(frozen=True)
class WhatIf:
    """A move of one mention of the response.

    to              the position of a response entity, NEW or MISSING
    score           the score after the move, a fraction; `gain` is the change
    correct, wrong  the changes of the numbers of correct and wrong links
    """

    mention: str
    to: int | str
    score: float
    gain: float
    correct: int
    wrong: int

    def applied(self, toy: Toy) -> Toy:
        """The toy after the move."""
        return move(toy, self.mention, self.to)


def what_if(toy: Toy, *, metric: str, measure: str) -> list[WhatIf]:
    """Every move of a mention in the response, the largest gain first.

    Each mention of either side moves to each other entity, to a new one, and out. Moves of equal
    gain are in the order of mentions and entities.
    """
    here = labels(toy.response, toy.mentions)
    at = {mention: number for number, mention in enumerate(toy.mentions)}
    moves = [*single_moves(toy)]
    rows = np.vstack([here, *(moved(here, at[mention], to, toy) for mention, to in moves)])
    found = scan(labels(toy.key, toy.mentions), rows, metric=metric, measure=measure)
    gains, correct, wrong = (v - v[0] for v in (found.score, found.correct, found.wrong))
    changes = zip(found.score[1:], gains[1:], correct[1:], wrong[1:], strict=True)
    every = [
        WhatIf(mention, to, *(value.item() for value in change))
        for (mention, to), change in zip(moves, changes, strict=True)
    ]
    return sorted(every, key=lambda row: -round(row.gain, PLACES))


def what_if_table(toy: Toy, moves: Sequence[WhatIf]) -> pd.DataFrame:
    """A row for each move of `what_if`, in its order.

    `mention`, `to` (the entity of the response in braces, "new" or "missing"), `gain` and `score`
    (fractions), `right_links` and `wrong_links` (changes of their numbers).
    """
    rows = [(m.mention, _place(toy, m.to), m.gain, m.score, m.correct, m.wrong) for m in moves]
    names = ["mention", "to", "gain", "score", "right_links", "wrong_links"]
    return pd.DataFrame(rows, columns=names)


def _place(toy: Toy, to: int | str) -> str:
    return to if isinstance(to, str) else f"{{{' '.join(toy.response[to])}}}"


def single_moves(toy: Toy) -> Iterator[tuple[str, int | str]]:
    """(mention, target) of every move."""
    now = {mention: at for at, entity in enumerate(toy.response) for mention in entity}
    for mention in toy.mentions:
        entity = now.get(mention)
        yield from ((mention, to) for to in range(len(toy.response)) if to != entity)
        if entity is None or len(toy.response[entity]) > 1:
            yield mention, NEW
        if entity is not None:
            yield mention, MISSING


def moved(here: IntArray, at: int, to: int | str, toy: Toy) -> IntArray:
    """The labels `here` of the toy's response after moving the mention at this position."""
    row = here.copy()
    row[at] = to if isinstance(to, int) else len(toy.response) if to == NEW else NOWHERE
    return row


# Scoring many responses at once -------------------------------------------------------------------


@dataclass(frozen=True)
class Scan:
    """The scores of n responses.

    score           (n,) by one metric and measure, a fraction; 0/0 is 0
    correct, wrong  (n,) the numbers of correct and wrong links
    """

    score: FloatArray
    correct: IntArray
    wrong: IntArray


def labels(side: Entities, mentions: Sequence[str]) -> IntArray:
    """(mentions,) the position of each mention's entity; NOWHERE if this side lacks it."""
    entity = {mention: number for number, members in enumerate(side) for mention in members}
    return np.array([entity.get(mention, NOWHERE) for mention in mentions], dtype=np.int64)


def scan(key: IntArray, responses: IntArray, *, metric: str, measure: str) -> Scan:
    """Score responses, (n, mentions), against a key, (mentions,), given as `labels`.

    Each response is scored as a document of its own. Its labels may be any numbers below the
    number of mentions.
    """
    table = _table(np.broadcast_to(key, responses.shape), responses)
    scorer = metric_of(metric, METRICS)
    score = scorer.score(scorer.counts(table), empty=0)
    links = LINKS.counts(table)
    correct = links.recall_numerator[:, 0]
    return Scan(
        getattr(score, choose("measure", measure, MEASURES)),
        correct.astype(np.int64),
        (links.precision_denominator[:, 0] - correct).astype(np.int64),
    )


def _table(key: IntArray, response: IntArray) -> Contingency:
    n, mentions = response.shape
    document = np.broadcast_to(np.arange(n)[:, None], response.shape)
    key_code, response_code = (document * mentions + side for side in (key, response))
    key_entities, key_sizes = np.unique(key_code[key != NOWHERE], return_counts=True)
    entities, sizes = np.unique(response_code[response != NOWHERE], return_counts=True)
    shared = (key != NOWHERE) & (response != NOWHERE)
    pairs = _positions(key_entities, key_code[shared]) * max(len(entities), 1)
    cells, cell_sizes = np.unique(
        pairs + _positions(entities, response_code[shared]), return_counts=True
    )
    return Contingency(
        n,
        key_sizes,
        key_entities // mentions,
        sizes,
        entities // mentions,
        *np.divmod(cells, max(len(entities), 1)),
        cell_sizes,
    )


def _positions(values: IntArray, wanted: AnyArray) -> IntArray:
    return np.searchsorted(values, wanted).astype(np.int64)
