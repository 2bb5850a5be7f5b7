"""What the papers state that can be tested, statement by statement, and how each comes out.

The statements stand in a file `statements.csv` in each paper's folder, in our words: where it
stands, what it says, the claims of the experiments that check it ("moosavi2016-table1:recall";
several are joined by "; "), and why none can where there is none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011, Paper
from corescore.replication.experiment import Check, Outcome

Verdict = Literal["holds", "does not hold", "holds in print only", "cannot be tried"]
VERDICTS: tuple[Verdict, ...] = ("holds", "does not hold", "holds in print only", "cannot be tried")
FOLDERS = {
    "moosavi2016": MOOSAVI_2016,
    "recasens2011": RECASENS_2011,
    "luo2014": LUO_2014,
    "pradhan2014": PRADHAN_2014,
}
BETWEEN = "; "


@dataclass(frozen=True)
class Statement:
    """A testable statement of a paper.

    where    the section or table it stands in
    claims   (experiment, claim) ids of the claims that check it
    why_not  why it cannot be tried, where no claim checks it
    """

    paper: Paper
    where: str
    says: str
    claims: tuple[tuple[str, str], ...]
    why_not: str

    def verdict(self, checks: Mapping[tuple[str, str], Check]) -> Verdict:
        """What the checks of its claims come to. Raises KeyError for a claim that is not there."""
        return _verdict([checks[claim] for claim in self.claims])


def _verdict(checks: Iterable[Check]) -> Verdict:
    """It holds if each claim holds that can be told, as computed and as printed.

    Where it does not as computed, or no figure tells, it may still hold as printed.
    """
    every = list(checks)
    computed = {check.holds for check in every} - {None}
    printed = {check.printed.holds for check in every if check.printed} - {None}
    if computed == {True} and False not in printed:
        return "holds"
    if printed == {True}:
        return "holds in print only"
    return "does not hold" if computed or printed else "cannot be tried"


def read_statements(path: Path, paper: Paper) -> tuple[Statement, ...]:
    rows = pd.read_csv(path, comment="#", dtype=str, keep_default_na=False).to_dict("records")
    return tuple(
        Statement(paper, row["where"], row["says"], _claims(row["claims"]), row["why_not"])
        for row in rows
    )


def _claims(cell: str) -> tuple[tuple[str, str], ...]:
    names = [name.partition(":") for name in cell.split(BETWEEN) if name]
    return tuple((experiment, claim) for experiment, _, claim in names)


STATEMENTS = tuple(
    statement
    for folder, paper in FOLDERS.items()
    for statement in read_statements(Path(__file__).parent / folder / "statements.csv", paper)
)


def checks_of(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], Check]:
    """The checks of the outcomes by (experiment, claim) ids."""
    return {
        (outcome.experiment.id, claim.id): check
        for outcome in outcomes
        for claim, check in outcome.checks
    }
