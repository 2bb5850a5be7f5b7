"""The registry: every perturbation there is, by its id."""

from collections.abc import Callable
from typing import Any

from corescore.analysis.perturbation.base import KINDS, NO, YES, Dosed, Perturbation
from corescore.analysis.perturbation.corpus import LEFT_BEHIND, perturb
from corescore.analysis.perturbation.operations import (
    Add,
    Drop,
    DropEntities,
    LessPreciseA,
    LessPreciseB,
    LessPreciseBPrinted,
    Merge,
    MorePrecise,
    Move,
    OneEntity,
    Repair,
    Singletons,
    Split,
)
from corescore.corpus.problems import PolicyError, choose
from corescore.util import STEP, STEP_PLACES
from corescore.wording import one_line

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

# Perturbations as text: `drop`, `split:share=0.2`, `add:number=3,into=largest` --------------------

MOST_DOSES = 1000

AMOUNTS = ("share", "number", "pair")  # only one of them may be given


def parse_perturbation(text: str) -> Perturbation:
    """A perturbation from its id and, after ":", its parameters as name=value.

    Raises PolicyError for an unknown id or parameter, and for an invalid value.
    """
    name, colon, rest = text.partition(":")
    kind = PERTURBATIONS[choose("perturbation", name.strip(), PERTURBATIONS)]
    pairs = [pair.partition("=") for pair in rest.split(",")] if colon else []
    values: dict[str, Any] = {}
    for parameter, equals, value in pairs:
        known = kind.parameters()
        name = choose(f"parameter of {kind.id}", parameter.strip(), known)
        if name in values or not equals:
            raise PolicyError(f"{text!r} as perturbation; expected each parameter once, name=value")
        values[name] = _value(f"{name} of {kind.id}", value.strip(), known[name].type)
    amounts = [name for name in AMOUNTS if name in values]
    if len(amounts) > 1:
        raise PolicyError(f"{text!r} gives {' and '.join(amounts)}; expected one of them")
    return kind(**values)


def _value(what: str, text: str, kind: Any) -> Any:
    try:
        return _READERS.get(kind, str)(text)
    except (KeyError, ValueError) as error:
        raise PolicyError(f"{what} is {text!r}; expected {KINDS[kind][1]}") from error


_READERS: dict[Any, Callable[[str], Any]] = {
    float: float,
    int: int,
    int | None: int,
    bool: {YES: True, NO: False}.__getitem__,
}


def parse_doses(text: str) -> tuple[float, ...]:
    """Doses from `0:1:0.05` (start:stop:step, with the stop) or `0,0.1,0.5`.

    Raises PolicyError for any other text and for more than 1000 doses.
    """
    try:
        if ":" not in text:
            if text.count(",") >= MOST_DOSES:
                raise _no_doses(text)
            return tuple(float(dose) for dose in text.split(","))
        start, stop, step = map(float, text.split(":"))
        n_steps = int((stop - start) / step + STEP)
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise _no_doses(text) from error
    if not 0 <= n_steps < MOST_DOSES or step < 0:
        raise _no_doses(text)
    return tuple(round(start + at * step, STEP_PLACES) for at in range(n_steps + 1))


def _no_doses(text: str) -> PolicyError:
    expected = f"start:stop:step or numbers with commas, at most {MOST_DOSES}"
    return PolicyError(
        f"doses are {one_line(text, 80)!r}; expected {expected}, such as 0:1:0.05 or 0,0.1,0.5"
    )
