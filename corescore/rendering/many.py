"""Systems over several data sets, and the mention identification effect on ranks, as tables."""

from collections.abc import Mapping
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from corescore.analysis.systems.data_sets import DataSets
from corescore.analysis.systems.effect import IdentificationEffect
from corescore.metrics import name_of
from corescore.rendering.columns import PERCENT, Column, Columns, columns_of
from corescore.rendering.text import Table
from corescore.sentences import many as sentences
from corescore.wording import RATIOS, capital, counted, percent


def signature(compared: DataSets, settings: str, n_documents: int) -> str:
    """What the systems are compared by, on how much, and the policies.

    settings     of the tallies, as `Tally.settings`
    n_documents  of all data sets
    """
    return (
        f"{settings} within each of {counted(len(compared.data_sets), 'data set')} | "
        f"{counted(n_documents, 'document')} | {compared.metric} {compared.measure}"
    )


def every_score(compared: DataSets, signature: str) -> Table:
    """One row per system, the best first, and data set: metric, measure, score, a fraction, its
    rank on the data set; then what is of the system (macro, mean_rank) and of all systems
    (friedman_p, critical_difference of mean ranks), NaN where nothing is tested."""
    systems, data_sets = np.indices(compared.scores.shape).reshape(2, -1)
    order = systems.reshape(compared.scores.shape)[compared.order].ravel()
    frame = pd.DataFrame(
        {
            "system": [compared.systems[at] for at in order],
            "data_set": [compared.data_sets[at] for at in data_sets],
            "metric": compared.metric,
            "measure": compared.measure,
            "score": compared.scores[order, data_sets],
            "rank": compared.ranks[order, data_sets],
            "macro": compared.macro[order],
            "mean_rank": compared.mean_ranks[order],
            "friedman_p": compared.friedman[1],
            "critical_difference": compared.critical_difference,
        }
    )
    return Table(frame, signature=signature)


def score_table(compared: DataSets, signature: str) -> Table:
    """One row per system, the best first; one column per data set, their mean and the mean rank."""
    title = f"{name_of(compared.metric)}: {capital(RATIOS[compared.measure])} in percent."
    notes = (f"{title} {sentences.columns(compared)}", *sentences.tested(compared))
    scores = pd.DataFrame(compared.scores).rename(columns=str)
    columns = [Column(name, percent, (str(at),)) for at, name in enumerate(compared.data_sets)]
    rows = scores.assign(
        system=compared.systems, macro=compared.macro, mean_rank=compared.mean_ranks
    )
    shown: Columns = ["system", *columns, "macro", "mean_rank"]
    return Table(rows.iloc[compared.order], shown, notes=notes, signature=signature)


def task_frame(scores: Mapping[tuple[str, str, str], float]) -> pd.DataFrame:
    """One row per system, the best first, setting and data set, of CoNLL averages by these three:
    score, a fraction, and macro, its mean over data sets; the first setting is the primary one."""
    rows = [(system, of, setting, score) for (system, of, setting), score in scores.items()]
    frame = pd.DataFrame(rows, columns=["system", "data_set", "setting", "score"])
    frame["macro"] = frame.groupby(["system", "setting"])["score"].transform("mean")
    primary = frame[frame["setting"] == frame["setting"].iloc[0]]
    order = (
        primary.groupby("system", sort=False)["macro"]
        .first()
        .sort_values(ascending=False, kind="stable")
    )
    ranks = frame["system"].map({system: at for at, system in enumerate(order.index)})
    return frame.iloc[ranks.argsort(kind="stable")].reset_index(drop=True)


def task_table(frame: pd.DataFrame) -> Table:
    """The table of a shared task: one row per system, one column per setting."""
    wide = frame.pivot_table(index="system", columns="setting", values="macro", sort=False)
    first, *others = map(str, wide)
    columns = [Column(name, percent, (name,), PERCENT) for name in (first, *others)]
    n = counted(frame["data_set"].nunique(), "data set")
    notes = (
        f"CoNLL: F1 in percent, the mean over {n}, each alike. {capital(first)} without singletons "
        "is the primary score. Partial and exact match are without singletons as well.",
    )
    return Table(wide.reset_index(), ["system", *columns], notes=notes)


def tests(compared: DataSets) -> Mapping[str, Any]:
    """The tests as JSON has them; null where nothing is tested.

    friedman             chi_square, p
    orders               that p is counted from: whether all, how many, and the smallest p that
                         so many systems and data sets can give
    critical_difference  of mean ranks, at the level alpha
    pairs                Nemenyi's p of each two systems
    groups               of systems that do not differ significantly
    """
    chi_square, p = compared.friedman
    pairs = [
        {
            "system_a": compared.systems[a],
            "system_b": compared.systems[b],
            "p": _or_null(compared.p[a, b]),
        }
        for a, b in combinations(compared.order.tolist(), 2)
    ]
    return {
        "alpha": compared.alpha,
        "friedman": {"chi_square": _or_null(chi_square), "p": _or_null(p)},
        "orders": asdict(compared.orders) if compared.is_tested else None,
        "critical_difference": _or_null(compared.critical_difference),
        "pairs": pairs,
        "groups": compared.groups,
    }


def _or_null(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


# Whether ranks owe to the mention identification effect: before and after -------------------------


def effect_table(effect: IdentificationEffect) -> Table:
    """One row per metric and response, the best first: what its incorrectly resolved mentions earn
    of both numerators, and its score and rank with them and without; and without only those that
    have a link in the key, where this changes a sign or a rank."""
    both = len(effect.readings) > 1
    columns = columns_of("effect", measure=RATIOS[effect.measure])
    if not both:
        columns = [one for one in columns if not one.of[0].endswith("_linked")]
    notes = (
        sentences.removed(effect),
        f"{capital(RATIOS[effect.measure])} and shares in percent, change in points.",
        *((sentences.LINKED,) if both else ()),
        sentences.EARNED,
        sentences.ABOUT_EFFECT,
    )
    lines = (*filter(None, (sentences.moved(effect), sentences.other_reading(effect))),)
    rows = effect_rows(effect)
    return Table(rows, columns, sentences.EFFECT, said=lines, notes=notes, once=["metric"])


def effect_rows(effect: IdentificationEffect) -> pd.DataFrame:
    """The rows without all incorrectly resolved mentions, the metrics in their order, by each the
    best response first; score_linked and rank_linked are those of the other reading."""
    table = effect.table
    linked = table[table["incorrect"] == "linked"].set_index(["response", "metric"])
    rows = table[table["incorrect"] == "all"].join(
        linked[["score_after", "rank_after"]].set_axis(["score_linked", "rank_linked"], axis=1),
        on=["response", "metric"],
    )
    order = rows["metric"].map(effect.metrics.index)
    rows = rows.assign(order=order).sort_values(["order", "rank"], kind="stable")
    return rows.drop(columns=["incorrect", "order"]).reset_index(drop=True)
