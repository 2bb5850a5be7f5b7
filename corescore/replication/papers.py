"""What the papers state that can be tested, statement by statement, and how each comes out.

The statements stand in a file `statements.csv` in each paper's folder, in our words or, in
quotation marks, verbatim: where it stands, what it says, the claims of the experiments that check
it ("moosavi2016-table1:recall"; several are joined by "; "), and why none can if there is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from corescore.analysis.perturbation import without_singletons
from corescore.bibliography import LUO_2014, MOOSAVI_2016, PRADHAN_2014, RECASENS_2011, Paper
from corescore.corpus.documents import Corpus
from corescore.corpus.files import read
from corescore.replication import EXPERIMENTS, PAPERS
from corescore.replication.claims import Erratum, is_verbatim
from corescore.replication.experiment import (
    SCOPES,
    Check,
    Claim,
    Experiment,
    Outcome,
    Reading,
    Scope,
    Told,
    Verdict,
    in_paper,
    run,
    worst,
)
from corescore.util import SAMPLE, bundled, once

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
        """That of the claim that fares worst: a statement is as good as each of its parts."""
        return worst(check.verdict for *_, check in self.checks)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Of what it is said, as its claims declare."""
        declared = {claim.scope for _, claim, _ in self.checks}
        return tuple(scope for scope in SCOPES if scope in declared)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings of those of its claims that depend on them."""
        parts = (check for *_, check in self.checks if check.verdict == "depends on the reading")
        return tuple(dict.fromkeys(one for check in parts for one in check.all_readings))

    @property
    def on_data(self) -> bool:
        """Whether any claim is checked on data, and not on the paper's own example."""
        return any(experiment.on_data for experiment, *_ in self.checks)

    @property
    def kinds(self) -> str:
        """What comes out on each kind of data, claim by claim; "" where it does not matter."""
        told = [kinds_told(experiment).get(claim.id, "") for experiment, claim, _ in self.checks]
        return ". ".join(dict.fromkeys(filter(None, told)))

    @property
    def because(self) -> str:
        """The numbers of each check, or why it cannot be tried."""
        told = []
        for *_, check in self.checks:
            told.append(f"{check.numbers}.")
            told += [f"In print: {check.printed.numbers}."] if check.printed else []
        return " ".join([*told, self.statement.why_not]).replace("..", ".").strip()


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
    key, response = _sample()
    return [
        run(one, one.setting(key=key, response=response)) if one.on_data else in_paper(one)
        for one in experiments
    ]


def _sample() -> tuple[Corpus, Corpus]:
    folder = bundled("sample_data")
    key, response = (read(folder / name) for name in SAMPLE)
    return key, response


# Kinds of data ------------------------------------------------------------------------------------

# What comes out on data depends on whether singletons are annotated.
KINDS_OF_DATA = (
    "the sample, with its singletons",
    "the sample, without them",
)


@once
def on_kinds_of_data(experiment: Experiment) -> dict[str, tuple[Told, ...]]:
    """What the recomputed figures of an experiment on data tell on each of `KINDS_OF_DATA`: by the
    ids of its claims."""
    sides = _sample()
    without = tuple(map(without_singletons, sides))
    outcomes = [
        run(experiment, experiment.setting(key=key, response=response))
        for key, response in (sides, without)
    ]
    told = (tuple(check.told for _, check in outcome.checks) for outcome in outcomes)
    ids = (claim.id for claim in experiment.claims)
    return dict(zip(ids, zip(*told, strict=True), strict=True))


def kinds_told(experiment: Experiment) -> dict[str, str]:
    """What comes out on each kind of data, in words, by the ids of the claims for which it
    matters; nothing for an experiment that needs no data."""
    words: dict[Told, str] = {True: "yes", False: "no", "some": "under some readings", None: "–"}
    if not experiment.on_data:
        return {}
    return {
        claim: "; ".join(
            f"{kind}: {words[one]}" for kind, one in zip(KINDS_OF_DATA, told, strict=True)
        )
        for claim, told in on_kinds_of_data(experiment).items()
        if len(set(told)) > 1
    }


def _under(readings: Iterable[Reading], *, holds: bool) -> str:
    """The names of the readings under which something holds, or does not."""
    return BETWEEN.join(one.name for one in readings if one.holds == holds)


def statements_table(tried: Iterable[Tried]) -> pd.DataFrame:
    """One row per statement.

    Columns: paper (as it is cited), where, says, verbatim (whether that is the paper's own
    wording), scope (of what it is said; several joined by "; "), verdict, held_under and not_under
    (the readings that it depends on, joined by "; "), because (numbers or the reason why it cannot
    be tried), on_data (whether it was tried on data that is not the paper's), on_other_data (what
    comes out on each of `KINDS_OF_DATA`, claim by claim), claims
    ("experiment:claim", several joined by "; ").
    """
    columns = [
        *("paper", "where", "says", "verbatim", "scope", "verdict", "held_under", "not_under"),
        *("because", "on_data", "on_other_data", "claims"),
    ]
    rows = [
        (
            *(one.statement.paper.name, one.statement.place, one.statement.says),
            *(is_verbatim(one.statement.says), BETWEEN.join(one.scopes), one.verdict),
            *(_under(one.readings, holds=True), _under(one.readings, holds=False)),
            *(one.because, one.on_data, one.kinds),
            BETWEEN.join(map(":".join, one.statement.claims)),
        )
        for one in tried
    ]
    return pd.DataFrame(rows, columns=columns)


# What does not come out in the papers -------------------------------------------------------------

# What no reading rescues.
ERRATA: tuple[Erratum, ...] = tuple(one for paper in PAPERS for one in paper.ERRATA)

# What one reading rescues and another does not, or what the text leaves too open to be tried.
OPEN_READINGS: tuple[Erratum, ...] = tuple(one for paper in PAPERS for one in paper.OPEN_READINGS)


def errata_table(errata: Iterable[Erratum]) -> pd.DataFrame:
    """One row per erratum or open reading, its arithmetic worked out.

    Columns: id, paper (as it is cited), where, kind, printed, verbatim (whether that is the paper's
    own wording), computed, arithmetic, verdict, held_under and not_under (the readings that were
    tried, joined by "; "), is_off (whether no reading rescues what is printed), cause, experiment
    (its id; "" if there is none).
    """
    columns = [
        *("id", "paper", "where", "kind", "printed", "verbatim", "computed", "arithmetic"),
        *("verdict", "held_under", "not_under", "is_off", "cause", "experiment"),
    ]
    rows = [
        (
            *(one.id, one.paper.name, one.where, one.kind, one.printed, one.is_verbatim),
            *(one.computed, check.numbers, check.verdict),
            *(_under(check.all_readings, holds=holds) for holds in (True, False)),
            *(check.verdict == "does not hold under any reading", one.cause, one.experiment),
        )
        for one, check in ((one, one.arithmetic()) for one in errata)
    ]
    return pd.DataFrame(rows, columns=columns)
