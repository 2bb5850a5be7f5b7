"""What the papers state that can be tested, statement by statement, and how each comes out.

The statements stand in a file `statements.csv` in each paper's folder, in our words: where it
stands, what it says, the claims of the experiments that check it ("moosavi2016-table1:recall";
several are joined by "; "), and why none can where there is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011, Paper
from corescore.corpus.formats import read
from corescore.installation import SAMPLE, bundled
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import Check, Claim, Experiment, Outcome, in_paper, run

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

    @property
    def place(self) -> str:
        """Where it stands, as it is cited: "§6, Table 5"."""
        return f"§{self.where}" if self.where[:1].isdigit() else self.where


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


@dataclass(frozen=True)
class Tried:
    """A statement that was tried.

    checks  each claim that checks it, with the experiment whose claim it is and its check
    """

    statement: Statement
    checks: tuple[tuple[Experiment, Claim, Check], ...]

    @property
    def verdict(self) -> Verdict:
        """It holds if each claim holds that can be told, as computed and as printed.

        Where it does not as computed, or no figure tells, it may still hold as printed.
        """
        checks = [check for *_, check in self.checks]
        computed = {check.holds for check in checks} - {None}
        printed = {check.printed.holds for check in checks if check.printed} - {None}
        if computed == {True} and False not in printed:
            return "holds"
        if printed == {True}:
            return "holds in print only"
        return "does not hold" if computed or printed else "cannot be tried"

    @property
    def on_data(self) -> bool:
        """Whether any claim is checked on data, and not on the paper's own example."""
        return any(experiment.on_data for experiment, *_ in self.checks)

    @property
    def because(self) -> str:
        """The numbers of each check, or why it cannot be tried."""
        numbers = [_numbers(check) for *_, check in self.checks]
        return " ".join(filter(None, [*numbers, self.statement.why_not]))


def _numbers(check: Check) -> str:
    """What was computed and what is printed, as a sentence each."""
    printed = f" In print: {check.printed.numbers}." if check.printed else ""
    return f"{check.numbers}.{printed}".replace("..", ".")


def try_statements(
    statements: Iterable[Statement], outcomes: Iterable[Outcome]
) -> tuple[Tried, ...]:
    """The statements by the checks of these outcomes.

    Raises KeyError for a claim that none of the outcomes has.
    """
    found = {
        (outcome.experiment.id, claim.id): (outcome.experiment, claim, check)
        for outcome in outcomes
        for claim, check in outcome.checks
    }
    return tuple(Tried(one, tuple(found[claim] for claim in one.claims)) for one in statements)


def run_on_sample(experiments: Iterable[Experiment] = EXPERIMENTS) -> list[Outcome]:
    """Experiments in their default setting; those on data on a key and a response of the sample."""
    folder = bundled("sample_data")
    key, response = (read(folder / name) for name in SAMPLE)
    return [
        run(one, one.setting(key=key, response=response)) if one.on_data else in_paper(one)
        for one in experiments
    ]


def statements_table(tried: Iterable[Tried]) -> pd.DataFrame:
    """A row for each statement.

    Columns: paper (as it is cited), where, says, verdict, because (numbers or the reason why it
    cannot be tried), on_data (whether it was tried on data that is not the paper's), claims
    ("experiment:claim", several joined by "; ").
    """
    rows = [
        (
            one.statement.paper.name,
            one.statement.place,
            one.statement.says,
            one.verdict,
            one.because,
            one.on_data,
            BETWEEN.join(map(":".join, one.statement.claims)),
        )
        for one in tried
    ]
    names = ["paper", "where", "says", "verdict", "because", "on_data", "claims"]
    return pd.DataFrame(rows, columns=names)
