"""The registry: every perturbation there is, by its id."""

from corescore.perturb.additions import Add, LessPreciseA, LessPreciseB
from corescore.perturb.corpus import LEFT_BEHIND, perturb
from corescore.perturb.perturbation import Dosed, Perturbation
from corescore.perturb.regroupings import Merge, Move, OneEntity, Singletons, Split
from corescore.perturb.removals import Drop, DropEntities, MorePrecise
from corescore.perturb.repair import Repair

PERTURBATIONS: dict[str, type[Perturbation]] = {
    kind.id: kind
    for kind in (
        MorePrecise,
        LessPreciseA,
        LessPreciseB,
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
