"""Moosavi & Strube 2016, Figure 8: mentions without a correct link."""

from itertools import chain, product

import numpy as np
import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.metrics.lea import LEA
from corescore.replication.claims import needing, numbers_of, others, wide
from corescore.replication.curves import (
    CHOICES,
    ORDER,
    POINT,
    SEEDS,
    STEPS,
    Run,
    curves,
    selected_line,
    under_each,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.growing import (
    ORDERS,
    WRONG,
    Entities,
    missing_parts,
)
from corescore.replication.moosavi2016.table1_checks import BASE, LESS_A, MORE, SCORES
from corescore.replication.moosavi2016.toy_key import KEY, KEY_WITH_SINGLETONS
from corescore.replication.partitions import (
    Partition,
    of_sizes,
    read_all_sizes,
    read_sizes,
    score_partitions,
)
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import RATIOS, percent, signed

SINGLETONS = "singletons"
WHERE = "§7.5, Figure 8"
CURVE = [*CHOICES, "seed"]


def _figure_8(setting: Setting) -> pd.DataFrame:
    """Responses: mentions of the key, and no correct link; rows and columns as `curves`, and
    key_singletons (how many singletons the key has)."""
    seeds = range(int(setting.values["seeds"]))
    runs = [Run(*choices) for choices in product(ORDERS, (SINGLETONS, *WRONG), seeds)]
    alone = sum(size == 1 for size in read_all_sizes(setting.text("key")))
    return curves(setting, runs, _none_correct).assign(key_singletons=alone)


def _none_correct(key: Partition, run: Run, shares: list[float]) -> list[Entities]:
    rng = run.rng
    mentions = run.mentions(key, rng)
    counts = [round(share * len(mentions)) for share in shares]
    return [_wrong_entities(key, mentions[:n], rng, kind=run.partners) for n in counts]


def _wrong_entities(
    key: Partition, mentions: list[int], rng: np.random.Generator, *, kind: str
) -> Entities:
    if kind == SINGLETONS:
        return [[mention] for mention in mentions]
    absent = {*chain.from_iterable(key)} - {*mentions}
    entities, alone = WRONG[kind](missing_parts(key, absent, rng))
    return [*entities, *([mention] for mention in alone)]


@needing("muc", "lea")
def _stay_zero(table: pd.DataFrame) -> Check:
    highest = wide(table, POINT)[["muc", "lea"]].max()
    numbers = ", ".join(
        f"{title_of(name)} at most {percent(highest[name])}" for name in ("muc", "lea")
    )
    if table["key_singletons"].iloc[0] and highest["muc"] <= TOLERANCE:
        return Check(None, f"{numbers}, as the key has singletons, whose self-links LEA counts")
    return Check(bool((highest <= TOLERANCE).all()), numbers)


@needing("lea")
def mentions_alone(_table: pd.DataFrame) -> Check:
    """Whether LEA is 0 without a correct link: for the paper's key, and for that key with as many
    singletons. Every mention of the key is there, alone or in a wrong pair."""
    sizes = read_sizes(str(KEY.default))
    keys = {0: of_sizes(sizes), len(sizes): of_sizes([*sizes, *[1] * len(sizes)])}
    lea = {}
    for n, key in keys.items():
        alone = [[mention] for entity in key for mention in entity]
        pairs, _ = WRONG["pairs"]([[*entity] for entity in key])
        f1 = score_partitions([(key, alone), (key, pairs)], [LEA])["f1"]
        lea[n] = f1.tolist()
    (without, _), (found, wrong) = lea[0], lea[len(sizes)]
    numbers = (
        f"all mentions of the key as singletons: LEA {percent(without)} if the key has none, "
        f"{percent(found)} with {len(sizes)} singletons in it; in wrong pairs {percent(wrong)}"
    )
    readings = (
        Reading("the key has no singleton", max(lea[0]) <= TOLERANCE),
        Reading("a self-link is a link, as §4 has it", wrong <= TOLERANCE),
        Reading("the key has singletons, and a link has two mentions", found <= TOLERANCE),
    )
    return Check(found <= TOLERANCE, numbers, readings=readings)


def _rise(table: pd.DataFrame) -> Check:
    """Whether the others end higher than they start, on every curve."""
    rest = others(table, "muc", "lea")
    if not rest:
        return Check(None, "none of the other metrics is scored")
    f1 = wide(table, POINT)[rest]
    by_curve = f1.groupby(level=CURVE)
    start, end, gains = by_curve.first(), by_curve.last(), by_curve.diff().dropna()
    numbers = [
        f"{title_of(name)} from {percent(start[name].mean())} to {percent(end[name].mean())}, "
        f"lower than one step before at {(gains[name] < -TOLERANCE).sum()} of {len(gains)} points"
        for name in rest
    ]
    return Check(bool((end > start + TOLERANCE).all(axis=None)), "; ".join(numbers))


@needing("blanc")
def _blanc_gains_most(table: pd.DataFrame) -> Check:
    """Whether BLANC gains most from mentions alone, from none to all of them, on every curve."""
    rest = others(table, "blanc")
    if not rest:
        return Check(None, "no other metric is scored")
    by_curve = wide(table, POINT)[["blanc", *rest]].groupby(level=CURVE)
    start = by_curve.first()
    gains = by_curve.last() - start
    holds = (gains["blanc"] > gains[rest].max(axis=1) + TOLERANCE).all()
    numbers, first = (
        numbers_of(by) for by in (gains.mean(), by_curve.nth(1).mean() - start.mean())
    )
    return Check(
        bool(holds), f"all mentions of the key earn {numbers}; the first step alone {first}"
    )


def blanc_changes_most() -> Check:
    """Whether BLANC changes most where Table 1 changes the mentions of its Base; Less precise (b)
    is left out, which cannot come from its procedure."""
    readings, numbers = [], []
    for measure in ("recall", "f1"):
        score = wide(SCORES.numbers, "system", measure)
        changes = (score - score.loc[BASE]).loc[[LESS_A, MORE]]
        for system, row in changes.iterrows():
            name = f"{RATIOS[measure]} of {system} in Table 1"
            readings.append(Reading(name, bool(row.abs().idxmax() == "blanc")))
            numbers.append(f"{RATIOS[measure]} of {system}: {numbers_of(row, signed)}")
    words = f"against Base, in points: {'; '.join(numbers)}"
    return Check(all(one.holds for one in readings), words, readings=tuple(readings))


CLAIMS = (
    Claim(
        "MUC and LEA stay 0, if the key has no singleton.",
        WHERE,
        under_each(_stay_zero),
        note="The paper's key has none. LEA gives a singleton of the key a link to itself, which a "
        "response without any other link can have.",
        id="muc-lea-zero",
        scope="result",
    ),
    Claim(
        "Mentions alone earn nothing by LEA.",
        "§4",
        mentions_alone,
        note="“the mention identification effect does not apply to LEA recall and precision”. By "
        "the same section a singleton has a link, to itself.",
        id="lea-mentions-alone",
        scope="property",
    ),
    Claim(
        "B³, CEAF and BLANC rise with the share of the key's mentions.",
        WHERE,
        under_each(_rise),
        note="All mentions earn more than none; on the way CEAF can fall from one step to the "
        "next.",
        id="others-rise",
        scope="result",
    ),
    Claim(
        "BLANC gains most from mentions alone: each further one adds correct non-coreference "
        "links.",
        "§3.4",
        under_each(_blanc_gains_most),
        in_print=blanc_changes_most,
        note="In print: Table 1, where mentions go (More precise) or come (Less precise). Its row "
        "(b) is left out, as it cannot come from the procedure of §2. "
        "Pairs of mentions grow with the square of the mentions, so that the last ones add most.",
        id="blanc-most",
        scope="property",
    ),
)
FIGURE_8 = Experiment(
    id="moosavi2016-fig8",
    paper=MOOSAVI_2016,
    where="Figure 8",
    title="What do mentions earn when no link is correct?",
    setup=(
        "The response has a share of the key's mentions and not one correct link. The paper leaves "
        "open which mentions come first and how they are linked; both are parameters. The defaults "
        "are entities in random order and wrong pairs. A mention left without a wrong partner is a "
        "singleton."
    ),
    run=_figure_8,
    chart=Chart(
        "lines", x="mentions_present", x_title="mentions of the key, percent", of=selected_line
    ),
    claims=CLAIMS,
    parameters=(
        KEY_WITH_SINGLETONS,
        STEPS,
        ORDER,
        Parameter(
            "partners",
            "Wrong entities",
            "pairs",
            "What the mentions form: singletons, wrong pairs, or as few wrong groups as possible.",
            choices=(SINGLETONS, *WRONG),
        ),
        SEEDS,
    ),
)
