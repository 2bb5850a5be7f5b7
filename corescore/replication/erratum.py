"""An erratum: a place of a paper where what is printed does not come out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from corescore.bibliography import Paper
from corescore.replication.experiment import Check, Experiment, in_paper

Kind = Literal["figure", "rank", "formula", "caption", "statement"]
KINDS: tuple[Kind, ...] = ("figure", "rank", "formula", "caption", "statement")


@dataclass(frozen=True)
class Erratum:
    """A printed figure, rank, formula, caption or statement that does not come out.

    id          its name among all errata: "moosavi2016-table3-blanc"
    where       the section, table or figure
    printed     what is printed there, in our words
    computed    what comes out instead
    arithmetic  works it out; `holds` is whether what is printed is indeed off, `numbers` the steps
    cause       the likely cause
    experiment  the id of the experiment that computes it, if there is one
    cells       the printed figures that differ from that experiment's: what `Printed.on` has of
                each, and the figure: ("cr2", "blanc", "f1")
    """

    id: str
    paper: Paper
    where: str
    kind: Kind
    printed: str
    computed: str
    arithmetic: Callable[[], Check]
    cause: str
    experiment: str = ""
    cells: tuple[tuple[str, ...], ...] = ()


def claim_holds(experiment: Experiment, claim: str) -> Callable[[], Check]:
    """Arithmetic: what is printed is off if the claim of this id holds."""
    return lambda: in_paper(experiment).by_claim[claim]


def claim_fails(experiment: Experiment, claim: str) -> Callable[[], Check]:
    """Arithmetic: what is printed is off if the claim of this id, which says it, does not hold."""
    return lambda: fails(in_paper(experiment).by_claim[claim])


def fails(check: Check) -> Check:
    """Whether what is checked does not hold."""
    return Check(check.holds is False, check.numbers)
