"""Moosavi & Strube 2016, Table 1: responses that are more and less precise."""

import pandas as pd

from corescore.analysis.errors.mentions import incorrectly_resolved
from corescore.analysis.perturbation import (
    LEFT_BEHIND,
    LessPreciseA,
    LessPreciseB,
    MorePrecise,
    perturb,
)
from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, others
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016.data import column, results, score_rows
from corescore.scoring.scores import Scores
from corescore.tolerances import TOLERANCE
from corescore.wording import signed

BASE, MORE = "Base", "More precise"
LESS_A, LESS_B = "Less precise (a)", "Less precise (b)"
CHANGES = {MORE: MorePrecise(), LESS_A: LessPreciseA(), LESS_B: LessPreciseB()}


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): Base is the response as it is, the others are perturbed from it.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
    mentions and entities (of that system), incorrectly_resolved (how many of its mentions are),
    added_entities (how many more entities than Base; 0 where mentions were removed).
    """
    key, response = setting.data
    responses = {BASE: response} | {
        name: perturb(
            key,
            response,
            [change],
            seed=setting.number("seed"),
            left_behind=setting.text("left_behind"),
        )
        for name, change in CHANGES.items()
    }
    scores = results(setting, responses)
    sizes = {name: _sizes(result) for name, result in scores.items()}
    for of in sizes.values():
        of["added_entities"] = max(of["entities"] - sizes[BASE]["entities"], 0)
    return score_rows(scores, setting).join(pd.DataFrame(sizes).T, on="system")


def _sizes(result: Scores) -> dict[str, int]:
    return {
        "mentions": int(result.sizes["response_mentions"].sum()),
        "entities": int(result.sizes["response_entities"].sum()),
        "incorrectly_resolved": int(incorrectly_resolved(result.comparison).sum()),
    }


def _recall_moves(system: str, up: bool) -> Checker:
    """Whether recall stays the same in MUC and LEA, and rises (or falls) in all the others."""

    @needing("muc", "lea")
    def check(table: pd.DataFrame) -> Check:
        changed = _changed(table, system)
        if not changed:
            return Check(None, "nothing to remove from or add to this response")
        recall, f1 = (
            column(table, system, of) - column(table, BASE, of) for of in ("recall", "f1")
        )
        rest = others(table, "muc", "lea")
        stays = all(abs(recall[name]) <= TOLERANCE for name in ("muc", "lea"))
        moves = all(
            (recall[name] > TOLERANCE) if up else (recall[name] < -TOLERANCE) for name in rest
        )
        numbers = [
            f"{title_of(name)} {signed(recall[name])} (F1 {signed(f1[name])})"
            for name in ("muc", "lea", *rest)
        ]
        return Check(stays and moves, f"{changed}; recall, in points: {', '.join(numbers)}")

    return check


def _changed(table: pd.DataFrame, system: str) -> str:
    """What was changed, in words; "" if nothing."""
    n_removed = column(table, BASE, "incorrectly_resolved").iloc[0]
    n_added = column(table, system, "added_entities").iloc[0]
    if system == MORE:
        return f"{n_removed:,} incorrectly resolved mentions removed" if n_removed else ""
    return f"{n_added:,} wrong entities added" if n_added else ""


TABLE_1 = Experiment(
    id="moosavi2016-table1",
    paper=MOOSAVI_2016,
    where="Table 1",
    title="Does recall change although no correct link is added or removed?",
    setup=(
        "The response as it is (Base) beside three variants of it. More precise: without its "
        "incorrectly resolved mentions, those whose partners are all wrong. Less precise (a): with "
        "as many wrong pairs of missing mentions as possible. Less precise (b): with wrong "
        "entities of missing mentions that are as large as possible. None of the three has more or "
        "fewer correct links than Base, so no recall should change. The paper does not say which "
        "missing mentions are put together; here they are drawn at random. The paper used the "
        "output of Wiseman et al. for CoNLL-2012."
    ),
    run=_table_1,
    chart=Chart("bars", x="system", y="recall", x_title="response", y_title="recall, percent"),
    claims=(
        Claim(
            "Removing the incorrectly resolved mentions lowers the recall of B³, CEAF and BLANC; "
            "that of MUC and LEA stays the same.",
            "§2, Table 1",
            _recall_moves(MORE, up=False),
        ),
        Claim(
            "Adding wrong pairs raises the recall of B³, CEAF and BLANC; that of MUC and LEA "
            "stays the same.",
            "§2, Table 1",
            _recall_moves(LESS_A, up=True),
        ),
        Claim(
            "Adding large wrong entities raises the recall of B³, CEAF and BLANC; that of MUC and "
            "LEA stays the same.",
            "§2, Table 1",
            _recall_moves(LESS_B, up=True),
        ),
    ),
    parameters=(
        Parameter(
            "seed",
            "Seed",
            1,
            "Random seed: which missing mentions are put together.",
            minimum=0,
            maximum=10**6,
        ),
        Parameter(
            "left_behind",
            "Mentions left alone",
            "keep",
            "What happens to a mention whose partners were all removed: it is kept as a singleton, "
            "or dropped.",
            choices=LEFT_BEHIND,
        ),
    ),
    on_data=True,
)
