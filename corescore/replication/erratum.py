"""An erratum: a place of a paper that no reading rescues; and an open reading, which one does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from corescore.bibliography import Paper
from corescore.replication.experiment import Check, Experiment, in_paper

Kind = Literal["figure", "rank", "formula", "caption", "statement"]
KINDS: tuple[Kind, ...] = ("figure", "rank", "formula", "caption", "statement")


@dataclass(frozen=True)
class Erratum:
    """A figure, rank, formula, caption or statement that does not come out as it stands.

    id          its name among all of them: "moosavi2016-table3-blanc"
    where       the section, table or figure
    printed     what is printed there: verbatim in quotation marks, else in our words
    computed    what comes out instead
    arithmetic  works it out: whether what is printed comes out, under each reading that was tried
    cause       the likely cause, or what the text leaves open
    experiment  the id of the experiment that computes it, if there is one
    claims      the claims of that experiment which check the same sentence, by their ids
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
    claims: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()

    @property
    def is_verbatim(self) -> bool:
        return is_verbatim(self.printed)


def is_verbatim(words: str) -> bool:
    """Whether words are a paper's own, which stand in quotation marks; all others are ours."""
    return words.startswith("“")


def of_claim(experiment: Experiment, claim: str) -> Callable[[], Check]:
    """The check of the claim of this id, which says what is printed."""
    return lambda: in_paper(experiment).by_claim[claim]
