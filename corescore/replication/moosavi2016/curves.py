"""Moosavi & Strube 2016, Figures 2, 3 and 8: responses that approach a key step by step.

The paper leaves open which mentions come first and which wrong partners they get: both are
parameters.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from math import comb

import numpy as np
import pandas as pd

from corescore.metrics import name_of
from corescore.replication.claims import UntoldError, numbers_of, points, rest, wide
from corescore.replication.experiment import Check, Setting
from corescore.replication.moosavi2016.toys import (
    DATA,
    KEY,
    KEY_WITH_SINGLETONS,
    Case,
    scored,
    toy_key,
)
from corescore.replication.partitions import EntityLists, Partition, grouped
from corescore.util import STEP, TOLERANCE
from corescore.wording import percent

Rng = np.random.Generator

# Responses that grow by correct links, and wrong partners for the remaining mentions --------------


def ordered(key: Partition, order: str, rng: Rng) -> list[int]:
    """The mentions of the key: the "largest" entity first or the "smallest", entities in "random"
    order, or all entities in turn ("alike")."""
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


def correct_entities(key: Partition, mentions: Sequence[int], share: float) -> EntityLists:
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
    return [part for part in grouped(first, entity_of) if len(part) > 1]


def wrong_pairs(parts: EntityLists) -> tuple[EntityLists, list[int]]:
    """As many pairs of mentions of different parts as possible, and the remaining mentions.

    The mentions stand in a row part by part, the largest first. Of n mentions in p pairs, the one
    at i is paired with the one at i + n − p, and n − p is at least the size of the largest part.
    """
    mentions = _by_size(parts)
    n, most = len(mentions), max(map(len, parts), default=0)
    n_pairs = min(n // 2, n - most)
    pairs = [[mentions[at], mentions[at + n - n_pairs]] for at in range(n_pairs)]
    return pairs, mentions[n_pairs : n - n_pairs]


def wrong_groups(parts: EntityLists) -> tuple[EntityLists, list[int]]:
    """As few groups of mentions of different parts as possible, and the mentions left alone.

    The mentions are dealt out part by part, so that no group has two mentions of one part.
    """
    n_groups = max(map(len, parts), default=0)
    mentions = _by_size(parts)
    groups = [mentions[at::n_groups] for at in range(n_groups)]
    return [g for g in groups if len(g) > 1], [m for g in groups if len(g) == 1 for m in g]


WRONG: dict[str, Callable[[EntityLists], tuple[EntityLists, list[int]]]] = {
    "pairs": wrong_pairs,
    "groups": wrong_groups,
}
INTO_RIGHT, SINGLETONS = "into right", "singletons"


def missing_parts(key: Partition, mentions: Iterable[int], rng: Rng) -> EntityLists:
    """The key without these mentions, entity by entity, all in random order."""
    there = {*mentions}
    parts = [[m for m in entity if m not in there] for entity in key]
    shuffled = [rng.permutation(part).tolist() for part in parts if part]
    return [shuffled[at] for at in rng.permutation(len(shuffled))]


def wrongly_linked(key: Partition, correct: EntityLists, rng: Rng, *, partners: str) -> EntityLists:
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
        parts = grouped([m for part in parts for m in part if not joins(m, most=0)], entity_of)
    groups, alone = WRONG.get(partners, wrong_pairs)(parts)
    response += groups
    for mention in alone:
        joins(mention, most=len(entity_of))
    return response


# Tables -------------------------------------------------------------------------------------------

POINT = ["seed", "step", "share"]

# Makes the response of a share (0 to 1) from key, its mentions in their order, share, partners.
Grow = Callable[[Partition, list[int], float, str, Rng], EntityLists]


def _curves(setting: Setting, *, grow: Grow) -> pd.DataFrame:
    """The scores of all points of all seeds' curves.

    Rows (point, metric). Columns: order and partners (those of the setting; partners is "" where
    there is no such choice), seed, step (the intended share), share (of the key's coreference links
    that the response has), mentions_present (share of the key's mentions that it has), metric,
    recall, precision, f1; fractions.
    """
    key, n_steps = toy_key(setting), setting.number("steps")
    steps = [step / n_steps for step in range(n_steps + 1)]
    entity_of = entity_numbers(key)
    n_links = correct_links(key, entity_of)
    choice = {name: str(setting.values.get(name, "")) for name in ("order", "partners")}
    order, partners = choice.values()
    cases: list[Case] = []
    for seed in range(setting.number("seeds") if partners or order == "random" else 1):
        rng = np.random.default_rng(seed)
        mentions = ordered(key, order, rng)
        for step in steps:
            response = grow(key, mentions, step, partners, rng)
            point = {
                **choice,
                "seed": seed,
                "step": step,
                "share": correct_links(response, entity_of) / n_links,
                "mentions_present": sum(map(len, response)) / len(entity_of),
            }
            cases.append((point, key, response))
    return scored(cases, setting.metrics)


def _none_correct(
    key: Partition, mentions: list[int], share: float, partners: str, rng: Rng
) -> EntityLists:
    """Figure 8: mentions of the key, and no correct link."""
    n = round(share * len(mentions))
    entities, alone = EntityLists(), mentions[:n]
    if partners != SINGLETONS:
        entities, alone = WRONG[partners](missing_parts(key, mentions[n:], rng))
    return [*entities, *([mention] for mention in alone)]


def selected_line(table: pd.DataFrame) -> pd.DataFrame:
    """The curve: share, mentions_present and f1 (means over seeds), low and high of f1.

    Rows (step, metric).
    """
    steps = table.groupby(["step", "metric"], sort=False)
    means = steps[["share", "mentions_present", "f1"]].mean()
    return means.assign(low=steps["f1"].min(), high=steps["f1"].max()).reset_index()


# Checks -------------------------------------------------------------------------------------------


def _at_point(f1: pd.DataFrame, row: int, *metrics: str) -> str:
    """Scores of the point at that row of a table by POINT: "MUC 12.00, LEA 34.00 at 30.1%"."""
    share = f1.index.get_level_values("share")[row]
    return f"{numbers_of(f1[[*metrics]].iloc[row])} at {100 * share:.1f}%"


def _never_above(table: pd.DataFrame, metrics: tuple[str, str]) -> Check:
    """Whether one metric is nowhere above another; where it is, or where it comes closest."""
    f1, (low, high) = wide(table, POINT), metrics
    margin = (f1[high] - f1[low]).to_numpy()
    n_wrong, row = int((margin < -TOLERANCE).sum()), int(margin.argmin())
    if n_wrong:
        where = f"{points(margin[row])}: {_at_point(f1, row, low, high)}"
        return Check(False, f"above at {n_wrong} of {len(f1)} points, by up to {where}")
    both = f1[[low, high]]
    inner = ((both > TOLERANCE) & (both < 1 - TOLERANCE)).all(axis=1)
    row = int(np.where(inner, margin, np.inf).argmin())
    where = f"{points(margin[row])}: {_at_point(f1, row, low, high)}"
    return Check(True, f"at {len(f1)} points; the closest, by {where}")


# Correct parts of the key, and nothing else
FIGURE_2 = DATA.experiment(
    "moosavi2016-fig2",
    partial(_curves, grow=lambda key, mentions, share, *_: correct_entities(key, mentions, share)),
    {"never-above": _never_above},
    select=selected_line,
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
    f1 = table[table["metric"] == "ceafe"].pivot_table(index="seed", columns="step", values="f1")
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
    """Whether BLANC is 20 points above the others at each point."""
    f1, more = wide(table, POINT), rest(table, "blanc")
    margin = (f1["blanc"] - f1[more].max(axis=1)).to_numpy()
    enough = margin >= 0.2 - TOLERANCE
    numbers = [f"by 20 points at {enough.sum()} of {len(f1)} points"]
    if not enough.all():
        failing = sorted({*f1.index.get_level_values("step")[~enough]})
        numbers.append(f"less at {', '.join(f'{100 * one:.0f}' for one in failing)}%")
    for word, at in (("most", int(margin.argmax())), ("least", int(margin.argmin()))):
        next_ = more[int(f1[more].iloc[at].to_numpy().argmax())]
        above = f"{points(margin[at])} {'above' if margin[at] >= 0 else 'below'}"
        numbers.append(f"{word}, {above}: {_at_point(f1, at, 'blanc', next_)}")
    return Check(bool(enough.all()), "; ".join(numbers))


# Correct parts, and all other mentions in wrong entities
FIGURE_3 = DATA.experiment(
    "moosavi2016-fig3",
    partial(
        _curves,
        grow=lambda key, mentions, share, partners, rng: wrongly_linked(
            key, correct_entities(key, mentions, share), rng, partners=partners
        ),
    ),
    {
        "only-muc-lea-zero": _alone_zero,
        "ceafe-drops": _ceafe_drops,
        "blanc-far-above": _far_above,
    },
    select=selected_line,
    parameters=(KEY,),
)


def _stay_zero(table: pd.DataFrame, metrics: Sequence[str]) -> Check:
    highest = wide(table, POINT)[[*metrics]].max()
    numbers = ", ".join(f"{name_of(name)} at most {percent(highest[name])}" for name in metrics)
    if table["key_singletons"].iloc[0] and highest["muc"] <= TOLERANCE:
        raise UntoldError(f"{numbers}, as the key has singletons, whose self-links LEA counts")
    return Check(highest.max() <= TOLERANCE, numbers)


def _figure_8(setting: Setting) -> pd.DataFrame:
    """Rows and columns as `_curves`, and key_singletons (how many singletons the key has)."""
    table = _curves(setting, grow=_none_correct)
    return table.assign(key_singletons=sum(len(entity) == 1 for entity in toy_key(setting)))


def _rise(table: pd.DataFrame) -> Check:
    """Whether the others end higher than they start, on every curve."""
    more = rest(table, "muc", "lea")
    by_curve = wide(table, POINT)[more].groupby(level="seed")
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
    by_curve = wide(table, POINT)[["blanc", *more]].groupby(level="seed")
    start = by_curve.first()
    gains, first = by_curve.last() - start, by_curve.nth(1).mean() - start.mean()
    holds = (gains["blanc"] > gains[more].max(axis=1) + TOLERANCE).all()
    numbers = f"all mentions of the key earn {numbers_of(gains.mean())}"
    return Check(bool(holds), f"{numbers}; the first step alone {numbers_of(first)}")


FIGURE_8 = DATA.experiment(
    "moosavi2016-fig8",
    _figure_8,
    {
        "muc-lea-zero": _stay_zero,
        "others-rise": _rise,
        "blanc-most": _blanc_gains_most,
    },
    select=selected_line,
    parameters=(KEY_WITH_SINGLETONS,),
)
