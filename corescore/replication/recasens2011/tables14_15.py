"""Recasens & Hovy 2011, Tables 14 and 15: five models of a system on ACE-2004."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import Counts, harmonic_mean
from corescore.metrics import title_of
from corescore.metrics.blanc.counts import blanc_score
from corescore.replication.claims import as_printed, told_by, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.printed import Printed
from corescore.replication.recasens2011.table2 import unlinked
from corescore.replication.toys import LINK_COLUMNS
from corescore.wording import count, percent

_HERE = Path(__file__)
TABLE_14 = Printed("Table 14", _HERE.with_name("table14.csv"), on=("model", "metric"))
TABLE_15 = Printed("Table 15", _HERE.with_name("table15.csv"), on=("model",))
METRICS = ("muc", "bcub", "ceafm", "blanc")
RC, WC, RN, WN = LINK_COLUMNS


def _models(setting: Setting) -> pd.DataFrame:
    """Rows (model, metric).

    Columns: model (its letter and name), metric, published (F1 in Table 14), f1 (what comes out;
    NaN where nothing can be computed), correct and of (MUC and CEAF_m: the whole number of links
    or mentions that is nearest to the published F1, and how many the key has).
    """
    models = TABLE_15.numbers.set_index("model").astype(int)
    published = wide(TABLE_14.numbers, "model")
    n, n_entities = _of_key(models, published)
    of = {"muc": n - n_entities, "ceafm": n}
    everything = pd.Series(n, models.index)
    below = {"muc": (of["muc"] + n - models["entities"]) / 2, "ceafm": everything}
    correct = {name: (published[name] * most).round() for name, most in below.items()}
    baseline = {models.index[0]: unlinked(n_entities, n)["bcub"]}
    f1 = {
        **{name: correct[name] / below[name] for name in below},
        "bcub": pd.Series(baseline).reindex(models.index),
        "blanc": blanc_of_links(models),
    }
    parts = [
        pd.DataFrame(
            {
                "metric": name,
                "published": published[name],
                "f1": f1[name],
                "correct": correct.get(name, np.nan),
                "of": of.get(name, np.nan),
            }
        )
        for name in METRICS
    ]
    return pd.concat(parts).reset_index().sort_values("model", kind="stable", ignore_index=True)


def _of_key(models: pd.DataFrame, published: pd.DataFrame) -> tuple[int, int]:
    """The mentions and the entities of the key.

    Model A has singletons alone, as many as there are mentions, and CEAF_m finds an entity of the
    key with each that it aligns.
    """
    n = int(models["entities"].iloc[0])
    return n, round(n * published["ceafm"].iloc[0])


def blanc_of_links(links: pd.DataFrame) -> "pd.Series[float]":
    """BLANC by the four numbers of links."""
    rc, wc, rn, wn = (links[name].to_numpy(float) for name in LINK_COLUMNS)
    counts = Counts.of_parts(
        Counts.of(rc, rc + wn, rc, rc + wc), Counts.of(rn, rn + wc, rn, rn + wn)
    )
    return pd.Series(blanc_score(counts, empty=0).f1, links.index)


# Checks -------------------------------------------------------------------------------------------


def _links() -> pd.DataFrame:
    """The links of each model, by its letter."""
    return TABLE_15.numbers.set_index("model")[list(LINK_COLUMNS)].astype(int).rename(index=_letter)


def _sums_stay(table: pd.DataFrame) -> Check:
    links = _links()
    every, of_key = links.sum(axis=1).unique(), (links[RC] + links[WN]).unique()
    numbers = (
        f"{' or '.join(map(count, every))} links in all, {' or '.join(map(count, of_key))} of them "
        "coreference links of the key"
    )
    return Check(len(every) == len(of_key) == 1, numbers)


def _blanc_comes_out(table: pd.DataFrame) -> Check:
    return as_printed(TABLE_14)(table[table["metric"] == "blanc"])


def _whole_numbers(table: pd.DataFrame) -> Check:
    """Whether the nearest whole numbers give the published figures of MUC and CEAF_m."""
    rows = table[table["correct"].notna()]
    of_metric = ((name, rows[rows["metric"] == name]) for name in ("muc", "ceafm"))
    numbers = (
        f"{title_of(name)} {', '.join(map(count, of['correct']))} of {count(of['of'].iloc[0])}"
        for name, of in of_metric
    )
    return Check(as_printed(TABLE_14)(rows).holds, "; ".join(numbers))


def _many_links(table: pd.DataFrame) -> Check:
    links = _links()
    numbers = "; ".join(
        f"{model} {count(row[RC])} correct, {count(row[WC])} wrong"
        for model, row in links.iterrows()
    )
    most = {links[RC].idxmax(), links[WC].idxmax()}
    return Check(most == {"E"}, numbers)


def _of_links() -> pd.DataFrame:
    """Recall, precision and F1 of the coreference links, of each model but A, which has none."""
    links = _links().iloc[1:]
    precision = links[RC] / (links[RC] + links[WC])
    recall = links[RC] / (links[RC] + links[WN])
    f1 = harmonic_mean(recall.to_numpy(), precision.to_numpy())
    return pd.DataFrame({"recall": recall, "precision": precision, "F1": f1})


def _head_match(table: pd.DataFrame) -> Check:
    scores = _of_links()
    numbers = ", ".join(
        f"{model} {percent(row['precision'])} and {percent(row['recall'])}"
        for model, row in scores.iterrows()
    )
    holds = scores["precision"].idxmax() == "B" == scores["recall"].idxmin()
    return Check(bool(holds), f"precision and recall of the coreference links: {numbers}")


def _best_trade_off(table: pd.DataFrame) -> Check:
    f1 = _of_links()["F1"]
    numbers = ", ".join(f"{model} {percent(value)}" for model, value in f1.items())
    return Check(bool(f1.idxmax() == "C"), f"F1 of the coreference links: {numbers}")


def _letter(model: object) -> str:
    return str(model).partition(".")[0]


# Checks of rankings -------------------------------------------------------------------------------


def _order(table: pd.DataFrame, metric: str) -> str:
    """The letters of the models with a score, the best first."""
    rows = table[(table["metric"] == metric) & table["f1"].notna()]
    return "".join(map(_letter, rows.sort_values("f1", ascending=False)["model"]))


def _no_two_alike(table: pd.DataFrame) -> Check:
    """Compares two metrics by the models that both score."""
    orders = {name: _order(table, name) for name in table["metric"].unique()}
    pairs = combinations(orders.values(), 2)
    alike = [
        [m for m in one if m in other] == [m for m in other if m in one] for one, other in pairs
    ]
    numbers = ", ".join(f"{title_of(name)} {' '.join(order)}" for name, order in orders.items())
    return Check(not any(alike), numbers)


def _first(table: pd.DataFrame) -> Check:
    best = {name: _order(table, name)[:1] for name in table["metric"].unique()}
    wanted = {"muc": "E", "bcub": "D", "ceafm": "C", "blanc": "C"}
    second = _order(table, "bcub")[1:2]
    numbers = ", ".join(f"{title_of(name)} {order}" for name, order in best.items())
    return Check(best == wanted and second == "B", f"first: {numbers}; second by B³: {second}")


def _blanc_first(table: pd.DataFrame) -> Check:
    order = _order(table, "blanc")
    return Check(order[:1] == "C", f"by BLANC: {' '.join(order)}")


def _likes_singletons() -> Check:
    """Whether the two best by B³ have the most singletons, A apart, which has nothing else."""
    singletons = TABLE_15.numbers.set_index("model")["singletons"].iloc[1:].rename(index=_letter)
    most = singletons.sort_values(ascending=False)
    best = _order(TABLE_14.numbers, "bcub")[:2]
    numbers = ", ".join(f"{model} {count(n)}" for model, n in most.items())
    holds = {*best} == {*most.index[:2]}
    return Check(holds, f"first by B³: {' '.join(best)}; singletons: {numbers}")


def _not_here(table: pd.DataFrame) -> Check:
    return Check(None, "the responses are not published: MUC, B³ and CEAF cannot be computed")


TABLES_14_AND_15 = Experiment(
    id="recasens2011-tables14-15",
    paper=RECASENS_2011,
    where="Tables 14 and 15",
    title="Which of five models of a system is the best?",
    setup=(
        "Five models on 33 documents of ACE-2004: all singletons (A), mentions with the same head "
        "linked (B), and a learnt classifier with three ways to link what it finds coreferent (C, "
        "D, E). The responses are not published, but Table 15 has their entities and links, and "
        "Table 14 their scores. BLANC follows from the links. MUC and CEAF_m must be fractions of "
        "whole numbers: A has as many entities as there are mentions, and its CEAF tells how many "
        "entities the key has, so how many links for MUC; what comes out is the score of the "
        "nearest whole number. B³ follows for A alone. The four printed figures of MUC run "
        "together in our copy; which model each belongs to is our reading, the only one that gives "
        "whole numbers."
    ),
    run=_models,
    chart=Chart("bars", x="model", y="published", x_title="model", y_title="published F1, percent"),
    claims=(
        Claim(
            "BLANC follows from the links.",
            "Tables 14 and 15",
            _blanc_comes_out,
            id="blanc",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "MUC and CEAF_m are fractions of whole numbers.",
            "our check of Table 14",
            _whole_numbers,
            id="whole",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "All five models have the same number of links, and the key's coreference links are "
            "the same for all.",
            "our check of Table 15",
            _sums_stay,
            id="sums",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "No two metrics rank the five models alike.",
            "§5.2, Table 14",
            _not_here,
            id="no-two-alike",
            in_print=told_by(TABLE_14, _no_two_alike),
            scope="comparison",
        ),
        Claim(
            "MUC puts E first, B³ D and then B, CEAF and BLANC C.",
            "§5.2, Table 14",
            _not_here,
            id="first",
            in_print=told_by(TABLE_14, _first),
            scope="comparison",
        ),
        Claim(
            "BLANC puts C first.",
            "§5.2, Table 14",
            _blanc_first,
            id="blanc-first",
            in_print=told_by(TABLE_14, _blanc_first),
            scope="comparison",
        ),
        Claim(
            "E, the first by MUC, has the most correct links and by far the most wrong ones.",
            "§5.2, Table 15",
            _many_links,
            id="overmerged",
            scope="comparison",
        ),
        Claim(
            "B³ prefers models that leave many singletons.",
            "§5.2",
            _not_here,
            note="What we check: the two best by B³ have the most singletons, A apart.",
            id="conservative",
            in_print=_likes_singletons,
            scope="comparison",
        ),
        Claim(
            "B has high precision and low recall.",
            "§5.2, Table 15",
            _head_match,
            note="What we check: of B to E it has the highest precision and the lowest recall of "
            "coreference links.",
            id="head-match",
            scope="comparison",
        ),
        Claim(
            "C has the best balance of precision and recall.",
            "§5.2",
            _best_trade_off,
            note="What we check: the highest F1 of the coreference links. The authors looked at "
            "the responses themselves.",
            id="trade-off",
            scope="comparison",
        ),
    ),
    printed=(TABLE_14, TABLE_15),
)
