"""Curves: scores of responses that approach a key step by step, under every open choice."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from corescore.counting.counts import MEASURES
from corescore.replication.claims import Checker, needing, numbers_of, points, wide
from corescore.replication.experiment import Check, Parameter, Setting
from corescore.replication.growing import (
    ORDERS,
    ORDERS_ABOUT,
    Entities,
    correct_links,
    entity_numbers,
)
from corescore.replication.partitions import Partition, of_sizes, read_all_sizes, score_partitions
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE

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
class Run:
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


Grow = Callable[[Partition, Run, list[float]], list[Entities]]


def curves(setting: Setting, runs: Iterable[Run], grow: Grow) -> pd.DataFrame:
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
