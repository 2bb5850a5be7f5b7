"""Where a score is lost or earned, in sentences and tables to be read: detection, linking or
singletons; types of mentions; split antecedents."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from corescore.analysis.decomposition import (
    CONVENTIONS,
    GROUPS,
    PARTS,
    Decomposition,
    between,
    by_convention,
)
from corescore.analysis.explain import SIDE_WORDS
from corescore.analysis.split_antecedents import ALONE, DROPPED, SCORED, TYPES, plural_table
from corescore.counting.counts import MEASURES
from corescore.metrics import CONLL, METRIC_IDS, name_of
from corescore.rendering.columns import POINTS, Column, Columns, column
from corescore.rendering.text import Table
from corescore.scoring.scores import Result
from corescore.wording import RATIOS, capital, counted, gap_points, listed, percent, plural, signed

ABOUT = (
    "Each part is fixed alone and after others: its share is what that adds to the score, on "
    "average over all orders of fixing the six (Shapley values), so shares add up to the loss."
)

WITHOUT_SPLIT = (
    "Losses leave out split antecedents, which the scores count. Credit and Errors show what these "
    "lose, and the table of scores with and without them below."
)


def loss(made: Decomposition, name: str, metric: str, measure: str = "f1") -> str:
    """cautious loses 48.90 points of CoNLL: 21.48 to detection, …"""
    row, m = made.metrics.index(metric), MEASURES.index(measure)
    lost = made.best[row, m] - made.score[row, m]
    by_group = {group: made.of_group(measure, group)[row] for group in GROUPS}
    what = name_of(metric) if measure == "f1" else f"{name_of(metric)} {measure}"
    if percent(lost) == percent(0):
        return f"{name} loses nothing of {what}."
    order = sorted(by_group, key=lambda group: -by_group[group])
    parts = [f"{signed(by_group[g]).removeprefix('+')} to {g}" for g in order]
    return f"{name} loses {gap_points(lost)} of {what}: {listed(parts)}."


def ahead(
    a: Decomposition, b: Decomposition, names: tuple[str, str], metric: str, measure: str = "f1"
) -> str:
    """greedy is ahead by 8.02 points of CoNLL: detection +8.49, linking −2.64, …"""
    table = between(a, b)
    rows = table[(table["metric"] == metric) & (table["measure"] == measure)]
    difference = float(rows["difference"].iloc[0])
    what = name_of(metric) if measure == "f1" else f"{name_of(metric)} {measure}"
    if percent(abs(difference)) == percent(0):
        return f"{names[0]} and {names[1]} are equal by {what}."
    sign = 1 if difference > 0 else -1
    first = names[1] if difference > 0 else names[0]
    by_group = rows.groupby("group", sort=False)["share"].sum() * sign
    shares = [f"{group} {signed(by_group[group])}" for group in GROUPS]
    return f"{first} is ahead by {gap_points(difference)} of {what}: {listed(shares)}."


def in_short(a: Decomposition, b: Decomposition, metric: str, measure: str = "f1") -> str:
    """Detection +8.50, linking −2.64, singletons +2.17: of B − A."""
    row = a.metrics.index(metric)
    shares = {g: a.of_group(measure, g)[row] - b.of_group(measure, g)[row] for g in GROUPS}
    return capital(", ".join(f"{group} {signed(share)}" for group, share in shares.items()))


def lines(
    each: Mapping[str, Decomposition], titles: Mapping[str, str], measure: str = "f1"
) -> list[str]:
    """Of two who is ahead and why, then what each loses, by the primary metric or, if that is CoNLL
    and the measure is not F1, the last of the others; by the systems' letters or names."""
    first, *others = each
    metric = each[first].metrics[-1]
    if measure != "f1" and metric == CONLL.id:
        metric = each[first].metrics[-2]
    losses = [loss(made, titles[name], metric, measure) for name, made in each.items()]
    if not others:
        return losses
    names = titles[first], titles[others[0]]
    return [ahead(each[first], each[others[0]], names, metric, measure), *losses]


def loss_table(made: Decomposition, measure: str = "f1", *, groups: bool = False) -> Table:
    """One row per metric: its score, what it loses, and the share of each part in points; before
    them, perhaps, that of each group of parts."""
    table = _of_measure(made.table, measure)
    wide = table.pivot(index="metric", columns="part", values="loss")[[*PARTS]]
    scores = table.groupby("metric")[["score", "best"]].first()
    wide = scores.assign(loss=scores["best"] - scores["score"]).join(wide)
    sizes = "; ".join(f"{part}: {counted(made.mentions[part])}" for part in PARTS)
    notes = (
        f"{capital(RATIOS[measure])} in percent, losses in points. A loss below 0 is a part whose "
        "fix lowers the score.",
        ABOUT,
        f"{sizes}.",
    )
    for group in GROUPS if groups else ():
        wide[group] = wide[[part for part in PARTS if PARTS[part] == group]].sum(axis=1)
    shown = dict.fromkeys([*(GROUPS if groups else ()), *PARTS])
    parts = [Column(part, percent, (part,), POINTS) for part in shown]
    columns: Columns = ("metric", column("score", RATIOS[measure]), "loss", *parts)
    return Table(wide.loc[table["metric"].unique()].reset_index(), columns, notes=notes)


def difference_table(
    a: Decomposition, b: Decomposition, names: tuple[str, str], measure: str = "f1"
) -> Table:
    """One row per metric: the difference of both scores, and the share of each part of it."""
    table = _of_measure(between(a, b), measure)
    wide = table.pivot(index=["metric", "difference"], columns="part", values="share")
    notes = (
        f"A: {names[0]}; B: {names[1]}.",
        f"{capital(RATIOS[measure])}: B − A and its parts, in points.",
        ABOUT,
    )
    parts = [Column(part, signed, (part,), POINTS) for part in PARTS]
    rows = wide.loc[table["metric"].unique()].reset_index()
    return Table(rows, ("metric", "difference", *parts), notes=notes)


def other_responses(made: Decomposition, measure: str = "f1") -> Table:
    """One row per response that is scored beside the real one, one column per metric."""
    notes = (f"{capital(RATIOS[measure])} in percent of other responses to the same key.",)
    return Table(by_metric(made.counterfactuals, "response", measure), notes=notes)


def conventions(result: Result, measure: str = "f1") -> Table:
    """One row per thing that may be done to singletons, one column per metric."""
    wide = by_metric(by_convention(result), "singletons", measure)
    about, where = zip(*wide["singletons"].map(CONVENTIONS), strict=True)
    sizes = result.sizes
    singletons = int(sizes["key_singletons"].sum()), int(sizes["response_singletons"].sum())
    notes = (
        f"{capital(RATIOS[measure])} in percent. {counted(singletons[0], 'singleton')} in the key, "
        f"{singletons[1]:,} in the response. LEA without singletons is LEA without self-links.",
    )
    return Table(wide.assign(singletons=about, so_published=where), notes=notes)


def below(tables: Mapping[str, Table]) -> Table:
    """The tables of responses one below the other, of several each row with its response."""
    lines = [f"{name}: {one}" for name, table in tables.items() for one in table.said]
    first, *others = tables.values()
    if not others:
        return replace(first, said=lines)
    named = [of.frame.assign(called=name) for name, of in tables.items()]
    columns = (column("called", "response"), *first.shown)
    return replace(first, frame=pd.concat(named), columns=columns, said=lines)


def by_metric(table: pd.DataFrame, rows: str, value: str) -> pd.DataFrame:
    """A table with one row per value of `rows` and metric as one with one column per metric; of
    CoNLL there is only F1."""
    own = table[table["metric"] != CONLL.id] if value in MEASURES[:2] else table
    wide = own.pivot(index=rows, columns="metric", values=value)
    return (
        wide.loc[own[rows].unique(), own["metric"].unique()].rename_axis(columns=None).reset_index()
    )


def told_by(wide: pd.DataFrame) -> str:
    """The metric of the sentences, of a table with a column for each: LEA, or the last."""
    return "lea" if "lea" in wide else str(wide.columns[-1])


def _of_measure(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    rows = table[table["measure"] == measure]
    return rows if measure == "f1" else rows[rows["metric"] != CONLL.id]


# Types of mentions and split antecedents: which earn the score, and what they change --------------

BY_TYPE = (
    "Points that mentions of each type earn, a link half at each end. They add up to the score: "
    "frequent types earn more of it, so they do not show which type is found best."
)
ALONE_MEANS = (
    "Alone: the antecedents of plurals in the key against their antecedents in the response, by "
    "the metric itself. All plurals count, aligned or not."
)
EARNED_ALONE = (
    "Percent. Recall, precision and F1 compare the entities it refers to with the entities of the "
    "split antecedent it is aligned with. The credit of mentions on this page leaves it out."
)
NONE = "the files have no split antecedents to score."


def types(table: pd.DataFrame, side: str) -> Table:
    """What mentions of each type earn of recall or precision: one row per type."""
    own = table[(table["side"] == side) & table["metric"].isin(METRIC_IDS)]
    if own.empty:
        return Table(own[["type"]], said=(f"no mention counts for {side}.",))
    wide = by_metric(own, "type", "part").set_index("type")
    wide.insert(0, "mentions", own.groupby("type")["mentions"].first())
    wide = wide.loc[[name for name in TYPES if name in wide.index]]
    wide.loc["all"] = wide.sum()
    metric = told_by(wide)
    points = wide[metric].map(percent)
    order = wide[metric].drop("all").sort_values(ascending=False, kind="stable").index
    parts = listed(f"{points[name]} to {plural(str(name))}" for name in order)
    sentence = f"{name_of(metric)} {side} is {points['all']}%: {parts}."
    notes = (f"{capital(side)}, points. {BY_TYPE}",)
    return Table(wide.reset_index(), said=(sentence,), notes=notes)


def uses(table: pd.DataFrame, measure: str) -> Table:
    """The scores with split antecedents scored, dropped and alone: one row for each."""
    if table.empty:
        return Table(pd.DataFrame(columns=["split_antecedents"]), said=(NONE,))
    wide = by_metric(table, "use", measure).rename(columns={"use": "split_antecedents"})
    metric = str(wide.columns[-1])
    with_, without, alone = (
        f"{percent(score)}%"
        for score in wide.set_index("split_antecedents").loc[[SCORED, DROPPED, ALONE], metric]
    )
    sentence = (
        f"{name_of(metric)} {RATIOS[measure]} is {with_} with split antecedents, {without} "
        f"without them, and {alone} for them alone."
    )
    notes = (f"{capital(RATIOS[measure])}, percent. {ALONE_MEANS}",)
    return Table(wide, said=(sentence,), notes=notes)


def of_plural(
    result: Result, document: str, mention: tuple[int, int], side: str, metrics: Sequence[str]
) -> tuple[str, pd.DataFrame]:
    """What each metric credits the split antecedent of a plural, by the span of its first mention:
    a sentence, and a table in percent with a row for each metric; "" and an empty one for none."""
    every = pd.concat(
        plural_table(result, metric, side=side, documents=[document]) for metric in metrics
    )
    rows = every[(every["start"] == mention[0]) & (every["end"] == mention[1])]
    if rows.empty:
        return "", rows
    first = rows.iloc[0]
    own, other = SIDE_WORDS[side]
    sentence = (
        f"In the {own}, “{first['entity']}” refers to {first['antecedents']} together. This is one "
        "more mention of its entity, worth as much as the metric finds of its antecedents."
    )
    shown = {
        "metric": rows["metric"].map(name_of),
        "unit": rows["kind"],
        f"aligned with, in the {other}": rows["aligned"].where(rows["aligned"] != "", "nothing"),
        **{f"{RATIOS[measure]} of it": 100 * rows[measure] for measure in MEASURES},
        "earned": 100 * rows["credit"] / rows["possible"],
    }
    return sentence, pd.DataFrame(shown).reset_index(drop=True)
