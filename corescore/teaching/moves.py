"""The effect of each single move in a toy's response on a score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corescore.corpus.problems import choose
from corescore.counting.contingency import contingency_of
from corescore.counting.counts import MEASURES
from corescore.counting.sides import Side
from corescore.metrics import METRICS, metric_of
from corescore.metrics.diagnostics import LINKS
from corescore.teaching.toy import MISSING_MENTION, NEW, Entities, Toy, move
from corescore.util import PLACES, IntArray, as_rows

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
    moves = [*_single_moves(toy)]
    here = _labels(toy, toy.response)
    rows = np.array([here, *(row for *_, row in moves)])
    (score, correct, wrong), *after = _scan(toy, rows, metric=metric, measure=measure)
    every = [
        WhatIf(mention, to, now, now - score, n_correct - correct, n_wrong - wrong)
        for (mention, to, _), (now, n_correct, n_wrong) in zip(moves, after, strict=True)
    ]
    return sorted(every, key=lambda row: -round(row.gain, PLACES))


def what_if_table(toy: Toy, moves: Sequence[WhatIf]) -> pd.DataFrame:
    """One row per move of `what_if`, in its order.

    `mention`, `to` (the entity of the response in braces, "new" or "missing"), `gain` and `score`
    (fractions), `right_links` and `wrong_links` (changes of their numbers).
    """
    rows = [(m.mention, _place(toy, m.to), m.gain, m.score, m.correct, m.wrong) for m in moves]
    names = ["mention", "to", "gain", "score", "right_links", "wrong_links"]
    return pd.DataFrame(rows, columns=names)


def _place(toy: Toy, to: int | str) -> str:
    return to if isinstance(to, str) else f"{{{' '.join(toy.response[to])}}}"


def _single_moves(toy: Toy) -> Iterator[tuple[str, int | str, IntArray]]:
    """The mention and the target of every move, and the labels of the response after it."""
    here = _labels(toy, toy.response)
    for place, mention in enumerate(toy.mentions):
        now = int(here[place])
        targets: list[int | str] = [to for to in range(len(toy.response)) if to != now]
        targets += [NEW] if now == NOWHERE or len(toy.response[now]) > 1 else []
        targets += [MISSING_MENTION] if now != NOWHERE else []
        for to in targets:
            row = here.copy()
            row[place] = to if isinstance(to, int) else len(toy.response) if to == NEW else NOWHERE
            yield mention, to, row


# Scoring many responses at once -------------------------------------------------------------------


def _labels(toy: Toy, side: Entities) -> IntArray:
    """(mentions,) the position of each mention's entity; NOWHERE if this side lacks it."""
    entity = {mention: number for number, members in enumerate(side) for mention in members}
    return np.array([entity.get(mention, NOWHERE) for mention in toy.mentions], dtype=np.int64)


def _scan(
    toy: Toy, responses: IntArray, *, metric: str, measure: str
) -> list[tuple[float, int, int]]:
    """Scores responses to a toy's key, (n, mentions), given as `_labels`.

    Each response is scored as a document of its own; its labels may be any numbers below the number
    of mentions. Returns of each the score by one metric and measure, a fraction where 0/0 is 0, and
    the numbers of correct and wrong links.
    """
    key = np.broadcast_to(_labels(toy, toy.key), responses.shape)
    (key_side, in_key), (response_side, in_response) = map(_side, (key, responses))
    both = (key != NOWHERE) & (responses != NOWHERE)
    table = contingency_of(len(responses), key_side, response_side, in_key[both], in_response[both])
    scorer = metric_of(metric, METRICS)
    score = scorer.score(scorer.counts(table), empty=0)
    links = LINKS.counts(table)
    correct = links.recall_numerator[:, 0]
    wrong = links.precision_denominator[:, 0] - correct
    values = getattr(score, choose("measure", measure, MEASURES))
    return [*as_rows(values, correct.astype(np.int64), wrong.astype(np.int64))]


def _side(labels: IntArray) -> tuple[Side, IntArray]:
    """Responses as the documents of one side, and the position there of each that has a label."""
    n, n_mentions = labels.shape
    there = labels != NOWHERE
    document = np.nonzero(there)[0]
    entity = document * n_mentions + labels[there]
    unknown = np.zeros_like(entity)
    documents = np.repeat(np.arange(n), n_mentions)
    side = Side(document, entity, unknown, unknown, unknown, documents)
    return side, there.cumsum().reshape(labels.shape) - 1
