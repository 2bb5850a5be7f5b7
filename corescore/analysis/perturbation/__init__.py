"""The registry: every perturbation there is, by its id."""

from corescore.analysis.perturbation.additions import (
    Add,
    LessPreciseA,
    LessPreciseB,
    LessPreciseBPrinted,
)
from corescore.analysis.perturbation.corpus import LEFT_BEHIND, perturb
from corescore.analysis.perturbation.perturbation import Dosed, Perturbation
from corescore.analysis.perturbation.regroupings import Merge, Move, OneEntity, Singletons, Split
from corescore.analysis.perturbation.removals import Drop, DropEntities, MorePrecise
from corescore.analysis.perturbation.repair import Repair

PERTURBATIONS: dict[str, type[Perturbation]] = {
    kind.id: kind
    for kind in (
        MorePrecise,
        LessPreciseA,
        LessPreciseB,
        LessPreciseBPrinted,
        Drop,
        DropEntities,
        Add,
        Move,
        Split,
        Merge,
        Singletons,
        OneEntity,
        Repair,
    )
}

__all__ = [
    "LEFT_BEHIND",
    "PERTURBATIONS",
    "Add",
    "Dosed",
    "Drop",
    "DropEntities",
    "LessPreciseA",
    "LessPreciseB",
    "LessPreciseBPrinted",
    "Merge",
    "MorePrecise",
    "Move",
    "OneEntity",
    "Perturbation",
    "Repair",
    "Singletons",
    "Split",
    "perturb",
]
