"""Perturbations that remove mentions."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from corescore.analysis.perturbation.chance import Generators
from corescore.analysis.perturbation.draft import Draft
from corescore.analysis.perturbation.mentions import Mentions
from corescore.analysis.perturbation.perturbation import Dosed, DosedIncorrect, parameter
from corescore.arrays import BoolArray, IntArray
from corescore.corpus.english import MENTION_TYPES
from corescore.corpus.problems import choose

ANY, RANDOM, INCORRECTLY_RESOLVED = "any", "random", "incorrectly-resolved"


@dataclass(frozen=True, kw_only=True)
class MorePrecise(DosedIncorrect):
    """Removes incorrectly resolved mentions (Moosavi & Strube 2016, §2).

    No correct link is removed with them. If all are removed, the recall of MUC and LEA does not
    change; if a share is, or only "linked" ones, a correct singleton may remain of an entity, which
    LEA credits.
    """

    id = "more-precise"
    about = "Remove the incorrectly resolved mentions"

    @property
    def description(self) -> str:
        return f"Remove {self.amount(f'the incorrectly resolved mentions{self.limit}')}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        return _without_some(self, draft, rngs, draft.incorrectly_resolved(self.incorrect))


def _any(draft: Draft) -> BoolArray:
    return np.ones(len(draft.mentions.document), dtype=bool)


def _correct(draft: Draft) -> BoolArray:
    return (draft.mentions.key_mention >= 0) & ~(draft.incorrectly_resolved() | draft.unlinked)


def _spurious(draft: Draft) -> BoolArray:
    return draft.mentions.key_mention < 0


OF: dict[str, Callable[[Draft], BoolArray]] = {
    ANY: _any,
    "correct": _correct,
    "unlinked": lambda draft: draft.unlinked,
    INCORRECTLY_RESOLVED: lambda draft: draft.incorrectly_resolved(),
    "spurious": _spurious,
}
TYPES = (ANY, *MENTION_TYPES)


@dataclass(frozen=True, kw_only=True)
class Drop(DosedIncorrect):
    """Drops mentions, in random order.

    Classes are those of `mentions.mention_classes`, types those of `corpus.english`. `incorrect`
    applies if incorrectly resolved mentions are dropped.
    """

    id = "drop"
    about = "Drop mentions"
    of: str = parameter(ANY, "which mentions to drop", tuple(OF))
    type: str = parameter(ANY, "only mentions of this type", TYPES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of == "right":  # the former name, which links may contain
            object.__setattr__(self, "of", "correct")
        choose("of", self.of, OF)
        choose("type", self.type, TYPES)

    @property
    def description(self) -> str:
        of = "" if self.of == ANY else f"{self.of.replace('-', ' ')} "
        kind = "" if self.type == ANY else f" of type {self.type}"
        return f"Drop {self.amount(f'the {of}mentions{kind}{self.limit}')}"

    @property
    def uses_incorrect(self) -> bool:
        return self.of == INCORRECTLY_RESOLVED

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        may_go = OF[self.of](draft)
        if self.uses_incorrect:
            may_go = may_go & draft.incorrectly_resolved(self.incorrect)
        if self.type != ANY:
            may_go = may_go & (draft.types == MENTION_TYPES.index(self.type))
        return _without_some(self, draft, rngs, may_go)


def _without_some(dosed: Dosed, draft: Draft, rngs: Generators, may_go: BoolArray) -> Mentions:
    where = np.flatnonzero(may_go)
    gone = where[dosed.selected(rngs, draft.mentions.document[where])]
    stays = np.ones(len(may_go), dtype=bool)
    stays[gone] = False
    return draft.mentions.keep(stays)


ORDERS: dict[str, Callable[[IntArray], IntArray]] = {
    RANDOM: lambda sizes: np.zeros_like(sizes),
    "largest": lambda sizes: -sizes,
    "smallest": lambda sizes: sizes,
}


@dataclass(frozen=True, kw_only=True)
class DropEntities(Dosed):
    """Drops whole entities; entities of equal size in random order."""

    id = "drop-entities"
    about = "Drop whole entities"
    order: str = parameter(RANDOM, "which entities to drop first", tuple(ORDERS))

    def __post_init__(self) -> None:
        super().__post_init__()
        choose("order", self.order, ORDERS)

    @property
    def description(self) -> str:
        order = "in random order" if self.order == RANDOM else f"the {self.order} first"
        return f"Drop {self.amount('the entities')}, {order}"

    def apply(self, draft: Draft, rngs: Generators) -> Mentions:
        size = ORDERS[self.order](draft.entity_sizes)
        gone = self.selected(rngs, draft.entity_document, size)
        return draft.mentions.keep(~gone[draft.mentions.entity])
