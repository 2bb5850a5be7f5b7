"""What each single move of the response would do to a score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.arrays import AnyArray, FloatArray, IntArray
from corescore.corpus.problems import choose
from corescore.counting.contingency import Contingency
from corescore.counting.counts import MEASURES
from corescore.metrics import METRICS
from corescore.metrics.diagnostics import LINKS
from corescore.metrics.metric import Metric
from corescore.teaching.toy.edits import MISSING, NEW, move
from corescore.teaching.toy.toy import Entities, Toy
from corescore.tolerances import PLACES

_BY_ID: Mapping[str, Metric] = {metric.id: metric for metric in METRICS}
NOWHERE = -1


@dataclass(frozen=True)
class WhatIf:
    """A move of one mention of the response.

    to              the place of an entity of the response, NEW or MISSING
    score           what the response then scores, a fraction; `gain` is the difference to before
    correct, wrong  how many correct and wrong coreference links it then has more
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
    """Every move of a mention of either side in the response, the greatest gain first.

    That is each mention to each other entity, alone, and out. Moves of the same gain are in the
    order of mentions and entities.
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
    """A row a move of `what_if`, in its order.

    `mention`, `to` (the entity of the response in braces, "new" or "missing"), `gain` and `score`
    (fractions), `right_links` and `wrong_links` (how many more).
    """
    rows = [(m.mention, _place(toy, m.to), m.gain, m.score, m.correct, m.wrong) for m in moves]
    names = ["mention", "to", "gain", "score", "right_links", "wrong_links"]
    return pd.DataFrame(rows, columns=names)


def _place(toy: Toy, to: int | str) -> str:
    return to if isinstance(to, str) else f"{{{' '.join(toy.response[to])}}}"


def single_moves(toy: Toy) -> Iterator[tuple[str, int | str]]:
    """(mention, where to) of every move."""
    now = {mention: at for at, entity in enumerate(toy.response) for mention in entity}
    for mention in toy.mentions:
        entity = now.get(mention)
        yield from ((mention, to) for to in range(len(toy.response)) if to != entity)
        if entity is None or len(toy.response[entity]) > 1:
            yield mention, NEW
        if entity is not None:
            yield mention, MISSING


def moved(here: IntArray, at: int, to: int | str, toy: Toy) -> IntArray:
    """The labels of the toy's response, `here`, after the mention at that place has moved."""
    row = here.copy()
    row[at] = to if isinstance(to, int) else len(toy.response) if to == NEW else NOWHERE
    return row


# Scoring many responses at once -------------------------------------------------------------------


@dataclass(frozen=True)
class Scan:
    """What each of n responses scores, arrays of shape (n,).

    score           under the metric and measure asked for, a fraction; 0/0 is 0
    correct, wrong  its correct and wrong coreference links
    """

    score: FloatArray
    correct: IntArray
    wrong: IntArray


def labels(side: Entities, mentions: Sequence[str]) -> IntArray:
    """(mentions,) the place of each mention's entity; NOWHERE if this side lacks it."""
    entity = {mention: number for number, members in enumerate(side) for mention in members}
    return np.array([entity.get(mention, NOWHERE) for mention in mentions], dtype=np.int64)


def scan(key: IntArray, responses: IntArray, *, metric: str, measure: str) -> Scan:
    """Score responses, shape (n, mentions), against a key, shape (mentions,), as `labels` has them.

    The labels of a response may be any numbers below that of mentions.
    """
    table = _table(np.broadcast_to(key, responses.shape), responses)
    scorer = _BY_ID[choose("metric", metric, _BY_ID)]
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
