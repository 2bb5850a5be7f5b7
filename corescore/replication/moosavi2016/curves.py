"""Moosavi & Strube 2016, Figures 2, 3 and 8: responses that approach a key step by step.

What the paper leaves open, which mentions come first and which wrong partners they get, is tried
every way: the choices of the setting are drawn, all others are readings.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, product
from math import comb

import numpy as np
import pandas as pd

from corescore.metrics import name_of
from corescore.metrics.standard import LEA
from corescore.replication.claims import (
    UntoldError,
    judged,
    numbers_of,
    points,
    rest,
    wide,
)
from corescore.replication.experiment import Check, Reading, Setting
from corescore.replication.moosavi2016.systems import LESS_A, MORE, SCORES, gain
from corescore.replication.moosavi2016.toys import (
    DATA,
    KEY,
    KEY_WITH_SINGLETONS,
    Case,
    scored,
    toy_key,
)
from corescore.replication.partitions import Partition, of_sizes, read_sizes, score_partitions
from corescore.util import STEP, TOLERANCE
from corescore.wording import RATIOS, percent, signed

Entities = list[list[int]]
Rng = np.random.Generator

# Responses that grow by correct links, and wrong partners for the remaining mentions --------------

ORDERS = {
    "largest": "the largest entity first",
    "smallest": "the smallest entity first",
    "random": "entities in random order",
    "alike": "all entities in turn",
}


def ordered(key: Partition, order: str, rng: Rng) -> list[int]:
    """The mentions of the key in one of the orders."""
    if order == "alike":
        return [m for _, m in sorted((at, m) for entity in key for at, m in enumerate(entity))]
    if order == "random":
        return [*chain.from_iterable(key[at] for at in rng.permutation(len(key)))]
    return _by_size(key, reverse=order == "largest")


def _by_size(entities: Partition, *, reverse: bool = True) -> list[int]:
    """Their mentions, entity by entity, by default the largest first."""
    by_size = sorted(entities, key=len, reverse=reverse)
    return [*chain.from_iterable(by_size)]


def entity_numbers(key: Partition) -> dict[int, int]:
    """The entity of each mention."""
    return {mention: number for number, entity in enumerate(key) for mention in entity}


def correct_links(response: Partition, entity_of: dict[int, int]) -> int:
    """The number of coreference links of the response that the key has too."""
    parts = (n for entity in response for n in Counter(entity_of[m] for m in entity).values())
    return sum(comb(n, 2) for n in parts)


def _parts(mentions: Iterable[int], entity_of: dict[int, int]) -> Entities:
    parts: dict[int, list[int]] = {}
    for mention in mentions:
        parts.setdefault(entity_of[mention], []).append(mention)
    return [*parts.values()]


def correct_entities(key: Partition, mentions: Sequence[int], share: float) -> Entities:
    """The parts of the key's entities that are resolved: the first mentions, as few as give that
    share of the coreference links. Parts of one mention have no link and are left out."""
    entity_of = entity_numbers(key)
    wanted, links, seen = share * correct_links(key, entity_of) - STEP, 0, Counter[int]()
    first: list[int] = []
    for mention in mentions if share else ():
        links += seen[entity_of[mention]]
        seen[entity_of[mention]] += 1
        first.append(mention)
        if links >= wanted:
            break
    return [part for part in _parts(first, entity_of) if len(part) > 1]


def wrong_pairs(parts: Entities) -> tuple[Entities, list[int]]:
    """As many pairs of mentions of different parts as possible, and the remaining mentions.

    The mentions stand in a row part by part, the largest first. Of n mentions in p pairs, the one
    at i is paired with the one at i + n − p, and n − p is at least the size of the largest part.
    """
    mentions = _by_size(parts)
    n, most = len(mentions), max(map(len, parts), default=0)
    n_pairs = min(n // 2, n - most)
    pairs = [[mentions[at], mentions[at + n - n_pairs]] for at in range(n_pairs)]
    return pairs, mentions[n_pairs : n - n_pairs]


def wrong_groups(parts: Entities) -> tuple[Entities, list[int]]:
    """As few groups of mentions of different parts as possible, and the mentions left alone.

    The mentions are dealt out part by part, so that no group has two mentions of one part.
    """
    n_groups = max(map(len, parts), default=0)
    mentions = _by_size(parts)
    groups = [mentions[at::n_groups] for at in range(n_groups)]
    return [g for g in groups if len(g) > 1], [m for g in groups if len(g) == 1 for m in g]


WRONG: dict[str, Callable[[Entities], tuple[Entities, list[int]]]] = {
    "pairs": wrong_pairs,
    "groups": wrong_groups,
}
INTO_RIGHT, SINGLETONS = "into right", "singletons"
PARTNERS = (*WRONG, INTO_RIGHT)
PARTNER_WORDS = {
    "": "",
    "pairs": "wrong pairs",
    "groups": "few wrong groups",
    INTO_RIGHT: "into correct entities",
    SINGLETONS: "singletons",
}


def missing_parts(key: Partition, mentions: Iterable[int], rng: Rng) -> Entities:
    """The key without these mentions, entity by entity, all in random order."""
    there = {*mentions}
    parts = [[m for m in entity if m not in there] for entity in key]
    shuffled = [rng.permutation(part).tolist() for part in parts if part]
    return [shuffled[at] for at in rng.permutation(len(shuffled))]


def wrongly_linked(key: Partition, correct: Entities, rng: Rng, *, partners: str) -> Entities:
    """The correct entities, and every other mention of the key linked to one not coreferent.

    A mention that `partners` leaves alone joins an entity without coreferent mentions; if all have
    some, the one with the fewest, which adds a correct link that was not intended.
    """
    entity_of = entity_numbers(key)
    parts = missing_parts(key, chain.from_iterable(correct), rng)
    response = [[*entity] for entity in correct]

    def joins(mention: int, *, most: int) -> bool:
        """Puts it into an entity with other mentions and at most `most` coreferent ones."""
        own = entity_of[mention]
        coreferent = [sum(entity_of[m] == own for m in entity) for entity in response]
        fits = {at: n for at, n in enumerate(coreferent) if n < len(response[at])}
        fewest = min(fits.values(), default=most + 1)
        if fewest > most:
            return False
        among = [response[at] for at, n in fits.items() if n == fewest]
        among[int(rng.integers(len(among)))].append(mention)
        return True

    if partners == INTO_RIGHT:
        parts = _parts([m for part in parts for m in part if not joins(m, most=0)], entity_of)
    groups, alone = WRONG.get(partners, wrong_pairs)(parts)
    response += groups
    for mention in alone:
        joins(mention, most=len(entity_of))
    return response


# Tables -------------------------------------------------------------------------------------------

CHOICES = ["order", "partners"]
CURVE = [*CHOICES, "seed"]
POINT = [*CURVE, "step", "share"]

# Makes the response of a share (0 to 1) from key, its mentions in their order, share, partners.
Grow = Callable[[Partition, list[int], float, str, Rng], Entities]


def _curves(setting: Setting, *, grow: Grow, partners: Sequence[str]) -> pd.DataFrame:
    """The scores of all points of all curves; parameters "key" and "steps", and the choices.

    Rows (point, metric). Columns: order and partners (the choices; partners is "" where there is
    no such choice), seed, step (the intended share), share (of the key's coreference links that the
    response has), mentions_present (share of the key's mentions that it has), chosen (whether these
    are the choices of the setting), metric, recall, precision, f1; fractions.
    """
    key, n_steps = toy_key(setting), setting.number("steps")
    steps = [step / n_steps for step in range(n_steps + 1)]
    entity_of = entity_numbers(key)
    n_links = correct_links(key, entity_of)
    chosen = {name: setting.values.get(name, "") for name in CHOICES}
    cases: list[Case] = []
    for order, partner in product(ORDERS, partners):
        choice = {"order": order, "partners": partner}
        by_chance = partner or order == "random"
        for seed in range(setting.number("seeds") if by_chance else 1):
            rng = np.random.default_rng(seed)  # curves of one seed draw the same as far as possible
            mentions = ordered(key, order, rng)
            for step in steps:
                response = grow(key, mentions, step, partner, rng)
                point = {
                    **choice,
                    "seed": seed,
                    "step": step,
                    "share": correct_links(response, entity_of) / n_links,
                    "mentions_present": sum(map(len, response)) / len(entity_of),
                    "chosen": choice == chosen,
                }
                cases.append((point, key, response))
    return scored(cases, setting.metrics)


def _correct_only(
    key: Partition, mentions: list[int], share: float, partners: str, rng: Rng
) -> Entities:
    """Figure 2: correct parts of the key, and nothing else."""
    return correct_entities(key, mentions, share)


def _all_mentions(
    key: Partition, mentions: list[int], share: float, partners: str, rng: Rng
) -> Entities:
    """Figure 3: correct parts, and all other mentions in wrong entities."""
    return wrongly_linked(key, correct_entities(key, mentions, share), rng, partners=partners)


def _none_correct(
    key: Partition, mentions: list[int], share: float, partners: str, rng: Rng
) -> Entities:
    """Figure 8: mentions of the key, and no correct link."""
    n = round(share * len(mentions))
    entities, alone = Entities(), mentions[:n]
    if partners != SINGLETONS:
        entities, alone = WRONG[partners](missing_parts(key, mentions[n:], rng))
    return [*entities, *([mention] for mention in alone)]


def selected_line(table: pd.DataFrame) -> pd.DataFrame:
    """The selected curve: share, mentions_present and f1 (means over seeds), low and high of f1.

    Rows (step, metric).
    """
    steps = table[table["chosen"]].groupby(["step", "metric"], sort=False)
    means = steps[["share", "mentions_present", "f1"]].mean()
    return means.assign(low=steps["f1"].min(), high=steps["f1"].max()).reset_index()


# Checks -------------------------------------------------------------------------------------------


def _under_each(check: Callable[..., Check]) -> Callable[..., Check]:
    """The check on the curves with the choices of the setting; as readings, with all others."""

    def checked(table: pd.DataFrame, **given: Sequence[str]) -> Check:
        of = partial(judged, partial(check, **given))
        readings: list[Reading] = []
        for _, part in table.groupby(CHOICES, sort=False):
            order, partners = part[CHOICES].iloc[0]
            name = ", ".join(filter(None, [ORDERS[order], PARTNER_WORDS[partners]]))
            told = of(part)
            readings += [Reading(f"{name}, {one.name}", one.holds) for one in told.readings] or [
                Reading(name, told.holds)
            ]
        return replace(of(table[table["chosen"]]), readings=tuple(readings))

    return checked


def _at_point(f1: pd.DataFrame, at: int, *metrics: str) -> str:
    """Scores of the point at that row of a table by POINT: "MUC 12.00, LEA 34.00 at 30.1%"."""
    share = f1.index.get_level_values("share")[at]
    return f"{numbers_of(f1[[*metrics]].iloc[at])} at {100 * share:.1f}%"


def _never_above(table: pd.DataFrame, metrics: tuple[str, str]) -> Check:
    """Whether one metric is nowhere above another; where it is, or where it comes closest."""
    f1, (low, high) = wide(table, POINT), metrics
    margin = (f1[high] - f1[low]).to_numpy()
    n_wrong, at = int((margin < -TOLERANCE).sum()), int(margin.argmin())
    if n_wrong:
        where = f"{points(margin[at])}: {_at_point(f1, at, low, high)}"
        return Check(False, f"above at {n_wrong} of {len(f1)} points, by up to {where}")
    inner = f1[[low, high]].gt(TOLERANCE).all(axis=1) & f1[[low, high]].lt(1 - TOLERANCE).all(
        axis=1
    )
    at = int(np.where(inner, margin, np.inf).argmin())
    where = f"{points(margin[at])}: {_at_point(f1, at, low, high)}"
    return Check(True, f"at {len(f1)} points; the closest, by {where}")


def _all_zero(table: pd.DataFrame) -> Check:
    highest = table[table["step"] == 0].groupby("metric")["f1"].max()[rest(table)]
    return Check(highest.max() <= TOLERANCE, numbers_of(highest))


FIGURE_2 = DATA.experiment(
    "moosavi2016-fig2",
    partial(_curves, grow=_correct_only, partners=[""]),
    {
        "never-above": _under_each(_never_above),
        "empty-zero": _under_each(_all_zero),
    },
    of=selected_line,
    parameters=(KEY,),
)


def _alone_zero(table: pd.DataFrame, metrics: Sequence[str]) -> Check:
    f1, more = wide(table, POINT), rest(table, *metrics)
    none = f1[f1.index.get_level_values("share") == 0]
    if none.empty:
        raise UntoldError("no point without a correct link")
    highest, lowest = none[[*metrics]].max(), none[more].min()
    numbers = numbers_of(highest) + "".join(
        f", {name_of(name)} {percent(lowest[name])} or more" for name in more
    )
    holds = highest.max() <= TOLERANCE < lowest.min()
    return Check(holds, f"{numbers} with no correct link")


def _ceafe_drops(table: pd.DataFrame) -> Check:
    f1 = table[table["metric"] == "ceafe"].pivot_table(index=CURVE, columns="step", values="f1")
    later = max(step for step in f1.columns.to_numpy(float) if step <= 0.2 + TOLERANCE)
    if not later:
        raise UntoldError("no point between 0 and 20%")
    least = (f1[0] - f1[later]).min()
    numbers = (
        f"CEAFₑ {percent(f1[0].mean())} at 0%, {percent(f1[later].mean())} at {100 * later:.0f}%; "
        f"of {len(f1)} seeds at worst {points(least)} {'lower' if least >= 0 else 'higher'}"
    )
    return Check(least > TOLERANCE, numbers)


def _far_above(table: pd.DataFrame) -> Check:
    """Whether BLANC is 20 points above the others; as readings, "20%" as points or as a share of
    the other, with the right end or without it."""
    f1, more = wide(table, POINT), rest(table, "blanc")
    highest, step = f1[more].max(axis=1), f1.index.get_level_values("step")
    enough = {
        words: (f1["blanc"] >= bound - TOLERANCE).to_numpy()
        for words, bound in (
            ("20 points", highest + 0.2),
            ("a fifth of the other", 1.2 * highest),
        )
    }
    readings = tuple(
        Reading(f"{words}, {where}", bool(above[inside].all()))
        for words, above in enough.items()
        for where, inside in (("100% too", step >= 0), ("before 100%", step < 1 - TOLERANCE))
    )
    by_points, by_share = enough.values()
    failing = sorted({*step[~by_points]})
    numbers = [f"by 20 points at {by_points.sum()} of {len(f1)} points"]
    if failing:
        numbers.append(f"by a fifth of the other at {by_share.sum()}")
        numbers.append(f"less at {', '.join(f'{100 * one:.0f}' for one in failing)}%")
    margin = (f1["blanc"] - highest).to_numpy()
    for word, at in (("most", int(margin.argmax())), ("least", int(margin.argmin()))):
        next_ = more[int(f1[more].iloc[at].to_numpy().argmax())]
        above = f"{points(margin[at])} {'above' if margin[at] >= 0 else 'below'}"
        numbers.append(f"{word}, {above}: {_at_point(f1, at, 'blanc', next_)}")
    return Check(not failing, "; ".join(numbers), readings=readings)


FIGURE_3 = DATA.experiment(
    "moosavi2016-fig3",
    partial(_curves, grow=_all_mentions, partners=PARTNERS),
    {
        "only-muc-lea-zero": _under_each(_alone_zero),
        "ceafe-drops": _under_each(_ceafe_drops),
        "blanc-far-above": _under_each(_far_above),
    },
    of=selected_line,
    parameters=(KEY,),
)


def _stay_zero(table: pd.DataFrame, metrics: Sequence[str]) -> Check:
    highest = wide(table, POINT)[[*metrics]].max()
    numbers = ", ".join(f"{name_of(name)} at most {percent(highest[name])}" for name in metrics)
    if table["key_singletons"].iloc[0] and highest["muc"] <= TOLERANCE:
        raise UntoldError(f"{numbers}, as the key has singletons, whose self-links LEA counts")
    return Check(highest.max() <= TOLERANCE, numbers)


def _mentions_alone(table: pd.DataFrame) -> Check:
    """Whether LEA is 0 without a correct link: for the paper's key, and for that key with as many
    singletons. Every mention of the key is there, alone or in a wrong pair."""
    sizes = read_sizes(str(KEY.default))
    keys = of_sizes(sizes), of_sizes([*sizes, *[1] * len(sizes)])
    alone = [[[mention] for entity in key for mention in entity] for key in keys]
    pairs = [wrong_pairs([[*entity] for entity in key])[0] for key in keys]
    cases = [*zip(keys, alone, strict=True), *zip(keys, pairs, strict=True)]
    without, found, in_pairs, wrong = score_partitions(cases, [LEA])["f1"]
    numbers = (
        f"all mentions of the key as singletons: LEA {percent(without)} if the key has none, "
        f"{percent(found)} with {len(sizes)} singletons in it; in wrong pairs {percent(wrong)}"
    )
    readings = (
        Reading("the key has no singleton", max(without, in_pairs) <= TOLERANCE),
        Reading("a self-link is a link, as §4 has it", wrong <= TOLERANCE),
        Reading("the key has singletons, and a link has two mentions", found <= TOLERANCE),
    )
    return Check(found <= TOLERANCE, numbers, readings=readings)


def _figure_8(setting: Setting) -> pd.DataFrame:
    """Rows and columns as `_curves`, and key_singletons (how many singletons the key has)."""
    table = _curves(setting, grow=_none_correct, partners=(SINGLETONS, *WRONG))
    return table.assign(key_singletons=sum(len(entity) == 1 for entity in toy_key(setting)))


def _rise(table: pd.DataFrame) -> Check:
    """Whether the others end higher than they start, on every curve."""
    more = rest(table, "muc", "lea")
    by_curve = wide(table, POINT)[more].groupby(level=CURVE)
    start, end, gains = by_curve.first(), by_curve.last(), by_curve.diff().dropna()
    numbers = [
        f"{name_of(name)} from {percent(start[name].mean())} to {percent(end[name].mean())}, "
        f"lower than one step before at {(gains[name] < -TOLERANCE).sum()} of {len(gains)} points"
        for name in more
    ]
    return Check(bool((end > start + TOLERANCE).all(axis=None)), "; ".join(numbers))


def _blanc_gains_most(table: pd.DataFrame) -> Check:
    """Whether BLANC gains most from mentions alone, from none to all of them, on every curve."""
    more = rest(table, "blanc")
    by_curve = wide(table, POINT)[["blanc", *more]].groupby(level=CURVE)
    start = by_curve.first()
    gains, first = by_curve.last() - start, by_curve.nth(1).mean() - start.mean()
    holds = (gains["blanc"] > gains[more].max(axis=1) + TOLERANCE).all()
    numbers = f"all mentions of the key earn {numbers_of(gains.mean())}"
    return Check(bool(holds), f"{numbers}; the first step alone {numbers_of(first)}")


def _blanc_changes_most() -> Check:
    """Whether BLANC changes most where Table 1 changes the mentions of its Base; Less precise (b)
    is left out, which cannot come from its procedure."""
    readings, numbers = [], []
    for measure in ("recall", "f1"):
        for system in (LESS_A, MORE):
            change = gain(SCORES.told, system, measure)
            name = f"{RATIOS[measure]} of {system}"
            readings.append(Reading(f"{name} in Table 1", change.abs().idxmax() == "blanc"))
            numbers.append(f"{name}: {numbers_of(change, signed)}")
    words = f"against Base, in points: {'; '.join(numbers)}"
    return Check(all(one.holds for one in readings), words, readings=tuple(readings))


FIGURE_8 = DATA.experiment(
    "moosavi2016-fig8",
    _figure_8,
    {
        "muc-lea-zero": _under_each(_stay_zero),
        "lea-mentions-alone": _mentions_alone,
        "others-rise": _under_each(_rise),
        "blanc-most": _under_each(_blanc_gains_most),
    },
    in_print={"blanc-most": _blanc_changes_most},
    of=selected_line,
    parameters=(KEY_WITH_SINGLETONS,),
)
