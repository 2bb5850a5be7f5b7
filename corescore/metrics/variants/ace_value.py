"""ACE-Value: what a response's errors cost, against a response without entities (Doddington et
al. 2004)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from functools import partial
from math import isfinite

import numpy as np

from corescore.arrays import FloatArray
from corescore.bibliography import DODDINGTON_2004, RECASENS_2011
from corescore.corpus.problems import PolicyError, choose
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score, empty_score, score_counts
from corescore.metrics.card import Card, Part
from corescore.metrics.ceaf import aligned_sum, aligned_summands
from corescore.metrics.expressions import Number, Quotient, Sum, difference, total, whole
from corescore.metrics.metric import GREY, Metric
from corescore.metrics.textbook import F1, Entities, Step, n_mentions


@dataclass(frozen=True)
class Costs:
    """What each error costs; ours by default, 1 for all, since the papers print no table.

    missing_entity, spurious_entity    an entity that is aligned with none
    missing_mention, spurious_mention  a mention that the aligned entity lacks; each mention of an
                                       entity that is aligned with none

    The tables of ACE also told costs by entity type and kind of mention apart, which these do not.
    Raises PolicyError for a cost that is negative or no number, and where nothing that is missing
    costs anything.
    """

    missing_entity: float = 1
    missing_mention: float = 1
    spurious_entity: float = 1
    spurious_mention: float = 1

    def __post_init__(self) -> None:
        for name, cost in asdict(self).items():
            if not (isfinite(cost) and cost >= 0):
                raise PolicyError(f"cost {name} is {cost}; expected a number of at least 0")
        if self.missing_entity + self.missing_mention == 0:
            raise PolicyError("nothing missing costs anything; expected a cost above 0")

    @classmethod
    def of(cls, table: Mapping[str, float]) -> "Costs":
        """From a table of costs by name; the others are 1."""
        names = [field.name for field in fields(cls)]
        return cls(**{choose("cost", name, names): cost for name, cost in table.items()})

    @property
    def aligned(self) -> float:
        """What is saved by aligning two entities, their mentions apart."""
        return self.missing_entity + self.spurious_entity

    @property
    def shared(self) -> float:
        """What is saved by each mention that aligned entities share."""
        return self.missing_mention + self.spurious_mention


def ace_value(
    costs: Costs = Costs(),
    *,
    id: str = "ace",
    title: str = "ACE-Value",
) -> Metric:
    """Value = 1 − cost of the response / cost of a response without entities.

    Entities that share a mention are aligned one to one so that the cost is least. Costs add up
    over documents. Range to 1, below 0 where the errors cost more than leaving out everything;
    empty where the key has no entity. It has no recall and no precision.
    """
    return Metric(
        id=id,
        title=title,
        unit="cost of an error",
        paper=DODDINGTON_2004.cited,
        counts=partial(_counts, costs=costs),
        score=_score,
        repeats="held",
        colour=GREY,
        textbook=partial(_steps, costs=costs),
        card=replace(_CARD, id=id),
    )


def _counts(table: Contingency, *, costs: Costs) -> Counts:
    """(empty − cost) of empty, in the columns of recall; nothing in those of precision."""
    n_key = np.bincount(table.key_document, minlength=table.n_documents)
    n_response = np.bincount(table.response_document, minlength=table.n_documents)
    empty = costs.missing_entity * n_key + costs.missing_mention * table.n_key_mentions
    spurious = costs.spurious_entity * n_response
    spurious = spurious + costs.spurious_mention * table.n_response_mentions
    saved = aligned_sum(table, costs.aligned + costs.shared * table.cell_sizes.astype(np.float64))
    nothing = np.zeros(table.n_documents)
    return Counts.of(saved - spurious, empty, nothing, nothing)


def _score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    value = score_counts(counts, empty=empty).recall
    return replace(empty_score(len(value)), f1=value)


def _steps(key: Entities, response: Entities, *, costs: Costs) -> list[Step]:
    """(cost of nothing − cost of the response) / cost of nothing."""
    missing, spurious = (
        Fraction(entity) * len(side) + Fraction(mention) * n_mentions(side)
        for side, entity, mention in (
            (key, costs.missing_entity, costs.missing_mention),
            (response, costs.spurious_entity, costs.spurious_mention),
        )
    )
    saved = aligned_summands(
        key,
        response,
        lambda n, a, b: Number(Fraction(costs.aligned) * (n > 0) + Fraction(costs.shared) * n),
    )
    cost = missing + spurious - total(summand.term for summand in saved).value
    above = Sum((Number(missing), Number(-cost)))
    if cost.denominator == missing.denominator == 1:
        above = difference(int(missing), int(cost))
    return [Step(F1, Quotient(above, Number(missing) if missing else whole(0)))]


_CARD = Card(
    id="ace",
    name="ACE-Value",
    counts=(
        "What the errors of the response cost: entities that are aligned with none, and mentions "
        "that aligned entities do not share. The value is what it saves against a response without "
        "any entity. Entities are aligned one to one, so that the cost is least; each missing or "
        "spurious entity or mention costs 1, unless you give other costs."
    ),
    parts=(Part(recall="", precision="", f1=r"\frac{e - c}{e}"),),
    symbols=(
        (r"e", "cost of a response without entities: all that is in the key is missing"),
        (r"c", "cost of the response"),
    ),
    unit="What one missing entity or mention costs.",
    one="both sides have the same entities",
    zero="the errors cost as much as leaving out everything, or the key has no mention",
    empty="Where the key has no mention, it is empty.",
    examples=(("", "{ab}"), ("", "")),
    papers=(DODDINGTON_2004, RECASENS_2011),
    history=(
        "It was the official score of the ACE program, and was given up with it: its costs by "
        "entity type and kind of mention changed from one evaluation to the "
        "next, so values cannot be compared, and 90 percent does not mean that 90 percent is "
        "right. The costs are not in the papers; ours are 1 throughout, and types are not told "
        "apart."
    ),
    bounds=(
        "At most 1, in percent 100; below 0 where the errors cost more than leaving out everything."
    ),
)


ACE = ace_value()
