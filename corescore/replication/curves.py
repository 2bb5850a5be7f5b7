"""Curves: scores of responses that approach a key step by step, under every open choice."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

import numpy as np
import pandas as pd

from corescore.counting.counts import MEASURES
from corescore.replication.claims import Checker, needing, numbers_of, points, wide
from corescore.replication.experiment import Check, Parameter, Reading, Setting
from corescore.replication.partitions import Partition, of_sizes, read_all_sizes, score_partitions
from corescore.util import STEP, TOLERANCE

# Responses that grow by correct links, and wrong partners for the remaining mentions --------------

Entities = list[list[int]]

# Orders in which mentions come --------------------------------------------------------------------


def _largest(key: Partition, rng: np.random.Generator) -> list[int]:
    entities = sorted(key, key=len, reverse=True)
    return [*chain.from_iterable(entities)]


def _smallest(key: Partition, rng: np.random.Generator) -> list[int]:
    entities = sorted(key, key=len)
    return [*chain.from_iterable(entities)]


def _random(key: Partition, rng: np.random.Generator) -> list[int]:
    return [*chain.from_iterable(key[at] for at in rng.permutation(len(key)).tolist())]


def _alike(key: Partition, rng: np.random.Generator) -> list[int]:
    places = [(at, mention) for entity in key for at, mention in enumerate(entity)]
    return [mention for _, mention in sorted(places)]


ORDERS: dict[str, Callable[[Partition, np.random.Generator], list[int]]] = {
    "largest": _largest,
    "smallest": _smallest,
    "random": _random,
    "alike": _alike,
}

ORDERS_ABOUT = (
    "the largest entity first, the smallest first, entities in random order (each mention by "
    "mention), or all entities alike (a mention of each in turn)"
)


def correct_entities(
    key: Partition, mentions: Sequence[int], shares: Sequence[float]
) -> list[Entities]:
    """For each share, the parts of the key's entities that are resolved: the first mentions, as few
    as give that share of the coreference links. Parts of one mention have no link and are left
    out."""
    entity_of = entity_numbers(key)
    links = [*accumulate(_links_gained([entity_of[m] for m in mentions]))]
    needed = np.searchsorted(links, np.array(shares) * links[-1] - STEP) + 1
    counts = np.where(np.array(shares) > 0, needed, 0).tolist()
    return [[part for part in _parts(mentions[:n], entity_of) if len(part) > 1] for n in counts]


def entity_numbers(key: Partition) -> dict[int, int]:
    """The entity of each mention."""
    return {mention: number for number, entity in enumerate(key) for mention in entity}


def correct_links(response: Partition, entity_of: dict[int, int]) -> int:
    """The number of coreference links of the response that the key has too."""
    return sum(sum(_links_gained([entity_of[m] for m in entity])) for entity in response)


def _links_gained(entities: Sequence[int]) -> list[int]:
    """With how many mentions before it each mention is coreferent."""
    seen: dict[int, int] = {}
    gained = []
    for entity in entities:
        gained.append(seen.get(entity, 0))
        seen[entity] = gained[-1] + 1
    return gained


def _parts(mentions: Sequence[int], entity_of: dict[int, int]) -> Entities:
    parts: dict[int, list[int]] = {}
    for mention in mentions:
        parts.setdefault(entity_of[mention], []).append(mention)
    return [*parts.values()]


# Partners that are wrong --------------------------------------------------------------------------


def _part_by_part(parts: Entities) -> list[int]:
    largest_first = sorted(parts, key=len, reverse=True)
    return [*chain.from_iterable(largest_first)]


def wrong_pairs(parts: Entities) -> tuple[Entities, list[int]]:
    """As many pairs of mentions of different parts as possible, and the remaining mentions.

    The mentions stand in a row part by part, the largest first. Of n mentions in p pairs, the one
    at i is paired with the one at i + n − p, and n − p is at least the size of the largest part.
    """
    mentions = _part_by_part(parts)
    n, most = len(mentions), max(map(len, parts), default=0)
    n_pairs = min(n // 2, n - most)
    pairs = [[mentions[at], mentions[at + n - n_pairs]] for at in range(n_pairs)]
    return pairs, mentions[n_pairs : n - n_pairs]


def wrong_groups(parts: Entities) -> tuple[Entities, list[int]]:
    """As few groups of mentions of different parts as possible, and the mentions left alone.

    The mentions are dealt out part by part, so that no group has two mentions of one part.
    """
    n_groups = max(map(len, parts), default=0)
    mentions = _part_by_part(parts)
    groups = [mentions[at::n_groups] for at in range(n_groups)]
    alone = [group[0] for group in groups if len(group) == 1]
    return [group for group in groups if len(group) > 1], alone


WRONG: dict[str, Callable[[Entities], tuple[Entities, list[int]]]] = {
    "pairs": wrong_pairs,
    "groups": wrong_groups,
}

INTO_RIGHT = "into right"

PARTNERS = (*WRONG, INTO_RIGHT)

PARTNERS_ABOUT = (
    "each other in wrong pairs; each other in as few wrong groups as possible; or a correct entity "
    "of others (in pairs where there is none)"
)


def wrongly_linked(
    key: Partition, correct: Entities, rng: np.random.Generator, *, partners: str
) -> Entities:
    """The correct entities, and every other mention of the key linked to one not coreferent.

    A mention that `partners` leaves alone joins an entity without coreferent mentions; if all have
    some, the one with the fewest, which adds a correct link that was not intended.
    """
    entity_of = entity_numbers(key)
    parts = missing_parts(key, [*chain.from_iterable(correct)], rng)
    response = [[*entity] for entity in correct]
    if partners == INTO_RIGHT:
        alone = [m for part in parts for m in part if not _joins(m, response, entity_of, rng)]
        parts = _parts(alone, entity_of)
    groups, alone = WRONG.get(partners, wrong_pairs)(parts)
    response += groups
    for mention in alone:
        _joins(mention, response, entity_of, rng, most=len(entity_of))
    return response


def missing_parts(key: Partition, mentions: Iterable[int], rng: np.random.Generator) -> Entities:
    """The key without these mentions, entity by entity, all in random order."""
    there = set(mentions)
    parts = [[m for m in entity if m not in there] for entity in key]
    shuffled = [rng.permutation(part).tolist() for part in parts if part]
    return [shuffled[at] for at in rng.permutation(len(shuffled)).tolist()]


def _joins(
    mention: int,
    response: Entities,
    entity_of: dict[int, int],
    rng: np.random.Generator,
    *,
    most: int = 0,
) -> bool:
    """Puts a mention into an entity with other mentions and at most `most` coreferent ones."""
    own = entity_of[mention]
    coreferent = [sum(entity_of[m] == own for m in entity) for entity in response]
    fits = {at: n for at, n in enumerate(coreferent) if n < len(response[at])}
    fewest = min(fits.values(), default=most + 1)
    if fewest > most:
        return False
    among = [response[at] for at, n in fits.items() if n == fewest]
    among[int(rng.integers(len(among)))].append(mention)
    return True


CHOICES = ["order", "partners"]

POINT = [*CHOICES, "seed", "step", "share"]

ORDER_WORDS = {
    "largest": "the largest entity first",
    "smallest": "the smallest entity first",
    "random": "entities in random order",
    "alike": "all entities in turn",
}

PARTNER_WORDS = {
    "": "",
    "pairs": "wrong pairs",
    "groups": "few wrong groups",
    "into right": "into correct entities",
    "singletons": "singletons",
}

STEPS = Parameter("steps", "Steps", 10, "Steps from 0 to 100%.", minimum=2, maximum=20)

ORDER = Parameter(
    "order", "Order", "random", f"What comes first: {ORDERS_ABOUT}.", choices=(*ORDERS,)
)

SEEDS = Parameter(
    "seeds",
    "Seeds",
    5,
    "Number of random runs. The line is their mean, the band goes from the lowest to the highest.",
    minimum=1,
    maximum=10,
)


@dataclass(frozen=True)
class CurveRun:
    """One curve: its choices and its seed."""

    order: str
    partners: str
    seed: int

    @property
    def rng(self) -> np.random.Generator:
        """A new generator, so that curves of one seed draw the same numbers as far as possible."""
        return np.random.default_rng(self.seed)

    def mentions(self, key: Partition, rng: np.random.Generator) -> list[int]:
        """The mentions of the key in the order of this curve."""
        return ORDERS[self.order](key, rng)


Grow = Callable[[Partition, CurveRun, list[float]], list[Entities]]


def curves(setting: Setting, runs: Iterable[CurveRun], grow: Grow) -> pd.DataFrame:
    """The scores of all points of all curves; parameters "key" and "steps", and the choices.

    grow  makes a response for each share (0 to 1) from key, run and shares

    Rows (point, metric). Columns: order and partners (the choices; partners is "" where there is
    no such choice), seed, step (the intended share), share (of the key's coreference links that the
    response has), mentions_present (share of the key's mentions that it has), chosen (whether these
    are the choices of the setting), metric, recall, precision, f1; fractions.
    """
    key = of_sizes(read_all_sizes(setting.text("key")))
    n_steps = setting.number("steps")
    steps = [step / n_steps for step in range(n_steps + 1)]
    entity_of = entity_numbers(key)
    n_links = correct_links(key, entity_of)
    rows, pairs = [], []
    for run in runs:
        chosen = all(setting.values.get(name, "") == getattr(run, name) for name in CHOICES)
        for step, response in zip(steps, grow(key, run, steps), strict=True):
            pairs.append((key, response))
            share = correct_links(response, entity_of) / n_links
            mentions = sum(map(len, response)) / len(entity_of)
            rows.append((run.order, run.partners, run.seed, step, share, mentions, chosen))
    identified = pd.DataFrame(rows, columns=[*POINT, "mentions_present", "chosen"])
    scores = score_partitions(pairs, setting.metrics)
    return identified.join(scores.set_index("pair")[["metric", *MEASURES]]).reset_index(drop=True)


def selected_line(table: pd.DataFrame) -> pd.DataFrame:
    """The selected curve: share, mentions_present and f1 (means over seeds), low and high of f1.

    Rows (step, metric).
    """
    steps = table[table["chosen"]].groupby(["step", "metric"], sort=False)
    means = steps[["share", "mentions_present", "f1"]].mean()
    return means.assign(low=steps["f1"].min(), high=steps["f1"].max()).reset_index()


# Checks -------------------------------------------------------------------------------------------


def under_each(check: Checker) -> Checker:
    """The check on the curves with the choices of the setting; as readings, with all others."""

    def checked(table: pd.DataFrame) -> Check:
        readings = tuple(Reading(words, check(part).holds) for words, part in by_choice(table))
        return replace(check(table[table["chosen"]]), readings=readings)

    return checked


def by_choice(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The curves of each choice of what the paper leaves open, as if it were the selected one."""
    for _, part in table.assign(chosen=True).groupby(CHOICES, sort=False):
        order, partners = part[CHOICES].iloc[0]
        yield ", ".join(filter(None, [ORDER_WORDS[order], PARTNER_WORDS[partners]])), part


def by_step(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The F1 of one metric: a row for each curve, a column for each step."""
    of_metric = table[table["metric"] == metric]
    return of_metric.pivot_table(index=[*CHOICES, "seed"], columns="step", values="f1")


def at_point(f1: pd.DataFrame, at: int, *metrics: str) -> str:
    """Scores of the point at that row of a table by POINT: "MUC 12.00, LEA 34.00 at 30.1%"."""
    scores = numbers_of(f1[[*metrics]].iloc[at])
    return f"{scores} at {100 * f1.index.get_level_values('share')[at]:.1f}%"


def never_above(low: str, high: str) -> Checker:
    """Whether one metric is nowhere above another; where it is, or where it comes closest."""

    @needing(low, high)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, POINT)
        margin = (f1[high] - f1[low]).to_numpy()
        n_wrong, at = int((margin < -TOLERANCE).sum()), int(margin.argmin())
        if n_wrong:
            where = f"{points(margin[at])}: {at_point(f1, at, low, high)}"
            return Check(False, f"above at {n_wrong} of {len(f1)} points, by up to {where}")
        both = f1[[low, high]].to_numpy()
        inner = np.where(((both > TOLERANCE) & (both < 1 - TOLERANCE)).all(axis=1), margin, np.inf)
        at = int(inner.argmin())
        where = f"{points(margin[at])}: {at_point(f1, at, low, high)}"
        return Check(True, f"at {len(f1)} points; the closest, by {where}")

    return check
