"""Recasens & Hovy 2011, Tables 8 to 11: eight responses to a key with many singletons."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.metrics.diagnostics import RAND
from corescore.replication.claims import (
    Checker,
    as_printed,
    by_metric,
    in_order,
    needing,
    numbers_of,
    points,
    told_by,
    wide,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.printed import Printed
from corescore.replication.recasens2011.table8 import N_SINGLETONS, SYSTEMS, eight_systems
from corescore.replication.toys import toy_table, with_diagnostics
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

_HERE = Path(__file__)
TABLE_9 = Printed("Table 9", _HERE.with_name("table9.csv"), on=("response",))
TABLE_10 = Printed("Table 10", _HERE.with_name("table10.csv"))
TABLE_11 = Printed("Table 11", _HERE.with_name("table11.csv"))
ALL, LINKED = "ABCDEFGH", "ABCDEF"


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), responses A to H, with the diagnostic "rand".

    Columns as `toy_table`, and about (in words), entities and singletons (their numbers).
    """
    pairs = eight_systems(setting.number("singletons"))
    metrics = with_diagnostics(setting.metrics, RAND)
    table = toy_table(list(SYSTEMS), pairs, metrics, name="response")
    table.insert(1, "about", table["response"].map(SYSTEMS))
    sizes = {name: [*map(len, r)] for name, (_, r) in zip(SYSTEMS, pairs, strict=True)}
    return table.assign(
        entities=[len(sizes[name]) for name in table["response"]],
        singletons=[sizes[name].count(1) for name in table["response"]],
    )


# Checks -------------------------------------------------------------------------------------------


def _errors(table: pd.DataFrame) -> Check:
    """By the numbers of wrong links of A to E."""
    wrong = table.drop_duplicates("response").set_index("response")
    made, missed = (
        wrong[f"wrong_{kind}"].astype(int).to_dict() for kind in ("coreference", "non_coreference")
    )
    none_made = made["C"] == 0 and missed["C"] > 0
    none_missed = missed["A"] == missed["B"] == missed["D"] == 0
    both = made["E"] > 0 and missed["E"] > 0
    in_number = made["A"] == 1 and made["B"] == 4 and made["D"] > made["B"]
    numbers = ", ".join(f"{name} {made[name]} and {missed[name]}" for name in "ABCDE")
    holds = none_made and none_missed and both and in_number
    return Check(holds, f"wrong links and missing links: {numbers}")


def _falls(metric: str, responses: str) -> Checker:
    """Whether each response scores higher than the next."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        return in_order(wide(table, "response")[metric], [*responses])

    return check


def _never_rises(metric: str, responses: str = ALL) -> Checker:
    """Whether no response scores higher than the one before it; where it does."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "response")[metric][[*responses]]
        rises = [f"{name} above the one before" for name in f1.index[f1.diff() > TOLERANCE]]
        return Check(not rises, "; ".join([numbers_of(f1), *rises]))

    return check


def _not(check: Checker) -> Checker:
    def negated(table: pd.DataFrame) -> Check:
        told = check(table)
        return Check(None if told.holds is None else not told.holds, told.numbers)

    return negated


@needing("bcub", "ceafm", "blanc")
def _spread(table: pd.DataFrame) -> Check:
    """A to G; the one entity of H is low by any metric."""
    names = ["blanc", "ceafm", "bcub"]
    f1 = wide(table, "response").loc[[*"ABCDEFG"], names]
    low, high = f1.min(), f1.max()
    width = high - low
    numbers = (
        f"{title_of(name)} {percent(high[name])} to {percent(low[name])} ({points(width[name])})"
        for name in names
    )
    return Check(bool(width["blanc"] > max(width["ceafm"], width["bcub"])), ", ".join(numbers))


def _rand_is_close(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response")["rand"][[*"ABCDEFG"]]
    low, high = f1.min(), f1.max()
    return Check(bool(high - low < 0.01), f"Rand of A to G {percent(low)} to {percent(high)}")


@needing("muc")
def _muc_misses_it(table: pd.DataFrame) -> Check:
    muc = wide(table, "response")["muc"][["G", "H"]]
    return Check(bool(muc["G"] <= muc["H"]), f"MUC: {numbers_of(muc)}")


@needing("bcub", "ceafm")
def _boundaries_apart(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response").loc[["G", "H"], ["bcub", "ceafm"]]
    numbers = "; ".join(f"{title_of(str(name))}: {numbers_of(f1[name])}" for name in f1)
    return Check(bool(f1.loc["G"].min() > 0.9 and f1.loc["H"].max() < 0.1), numbers)


@needing("blanc")
def _bounded_recall(table: pd.DataFrame) -> Check:
    recall = wide(table, "response", "recall")["blanc"][["G", "H"]]
    return Check(bool(recall.max() <= 0.5 + TOLERANCE), f"recall of BLANC: {numbers_of(recall)}")


def _alike(one: str, other: str, *metrics: str) -> Checker:
    """Whether these metrics score two responses alike, and BLANC scores the first higher."""

    @needing(*metrics, "blanc")
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "response").loc[[one, other], [*metrics, "blanc"]]
        ahead = {str(name): float(f1[name].iloc[0] - f1[name].iloc[1]) for name in f1}
        same = all(abs(ahead[name]) < TOLERANCE for name in metrics)
        return Check(same and ahead["blanc"] > TOLERANCE, by_metric(f1, ahead))

    return check


@needing("muc", "bcub", "blanc")
def _all_singletons(table: pd.DataFrame) -> Check:
    names = ["muc", "bcub", "blanc"]
    f1 = wide(table, "response").loc[["F", "G"], names]
    rises = (f1.loc["G"] > f1.loc["F"]).to_dict()
    return Check(rises == {"muc": False, "bcub": True, "blanc": False}, by_metric(f1, names))


# Claims -------------------------------------------------------------------------------------------


def _claim(
    id: str,
    says: str,
    check: Checker,
    *,
    where: str = "§5.1, Table 10",
    told: Printed | None = TABLE_10,
    note: str = "",
) -> Claim:
    """A claim that the printed figures tell of, too."""
    return Claim(
        says,
        where,
        check,
        note,
        id,
        told_by(told, check) if told else None,
        scope="result",
        ours=where.startswith("our"),
    )


CLAIMS = (
    _claim(
        "errors",
        "A has one wrong link and B four. C has none but misses links; D misses none but has many "
        "wrong links; E has both kinds of errors.",
        _errors,
        where="§5.1, Table 9",
        told=TABLE_9,
    ),
    _claim(
        "blanc-order", "BLANC falls from A to H, as intuition ranks them.", _falls("blanc", ALL)
    ),
    _claim(
        "ceaf-order",
        "CEAF never rises from A to H, though some have the same score.",
        _never_rises("ceafm"),
    ),
    _claim(
        "bcub-order",
        "B³ falls from A to F; the boundary responses G and H are left aside.",
        _falls("bcub", LINKED),
    ),
    _claim("rand-order", "The Rand index does not rank them so.", _not(_never_rises("rand"))),
    _claim(
        "rand-close",
        "The Rand index hardly tells the responses apart.",
        _rand_is_close,
        note="The bound is ours: A to G within one point.",
    ),
    _claim(
        "spread",
        "From A to G, BLANC uses more of the scale than CEAF and B³.",
        _spread,
    ),
    _claim(
        "muc-boundary",
        "MUC does not see that all singletons (G) are better than one entity (H).",
        _muc_misses_it,
        told=None,
    ),
    _claim(
        "boundaries-apart",
        "B³ and CEAF score one entity (H) close to 0 and all singletons (G) close to 100, though G "
        "links nothing.",
        _boundaries_apart,
        note="The bounds are ours: below 10 and above 90.",
    ),
    _claim(
        "blanc-recall",
        "BLANC's recall of G and H is at most 50.",
        _bounded_recall,
        where="§5.1, Table 11",
        told=TABLE_11,
    ),
    _claim(
        "a-and-b",
        "MUC and CEAF score A and B alike, though B has more wrong links; BLANC scores B lower.",
        _alike("A", "B", "muc", "ceafm"),
    ),
    _claim(
        "d-and-e",
        "CEAF scores D and E alike; BLANC scores E lower.",
        _alike("D", "E", "ceafm"),
    ),
    _claim(
        "muc-d",
        "MUC scores D like B, too, though D has three times as many wrong links.",
        _alike("B", "D", "muc"),
        where="our reading of Table 10",
    ),
    _claim(
        "g-above-f",
        "B³ scores singletons alone (G) higher than a response that keeps two of the entities "
        "(F); MUC and BLANC do not.",
        _all_singletons,
        where="our reading of Table 10",
        told=None,
    ),
    Claim(
        "The printed links match.",
        "Table 9",
        as_printed(TABLE_9),
        id="printed-9",
        scope="result",
        ours=True,
    ),
    Claim(
        "The printed F1 match.",
        "Table 10",
        as_printed(TABLE_10),
        note="The cell of MUC of G cannot be read in the scan; it may be empty or have a dash. G "
        "has no link, so that MUC is 0 here.",
        id="printed-10",
        scope="result",
        ours=True,
    ),
    Claim(
        "The printed precision and recall match.",
        "Table 11",
        as_printed(TABLE_11),
        note="54 figures are printed: CEAF has one for both, which counts twice here. MUC of G as "
        "in Table 10.",
        id="printed-11",
        scope="result",
        ours=True,
    ),
)

TABLES_8_TO_11 = Experiment(
    id="recasens2011-tables8-11",
    paper=RECASENS_2011,
    where="Tables 8 to 11",
    title="Can responses be told apart where most mentions are singletons?",
    setup=(
        "The key of Table 8 has 70 mentions: 61 singletons, which are 95% of its 64 entities, and "
        "entities of four, three and two. Its eight responses, A to H, stand in the order in which "
        "the authors rank them, the best first: from A (one wrong link) to G (all singletons) and "
        "H (one entity). Key and responses are the paper's, mention by mention, and all of Tables "
        "9 to 11 stands beside what comes out. CEAF in the paper is CEAF_m. Shown beside the "
        "metrics: the Rand index. The number of singletons can be changed."
    ),
    run=_systems,
    chart=Chart("bars", x="response", x_title="response"),
    claims=CLAIMS,
    parameters=(N_SINGLETONS,),
    printed=(TABLE_9, TABLE_10, TABLE_11),
)
