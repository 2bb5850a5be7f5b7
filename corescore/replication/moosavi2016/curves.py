"""Moosavi & Strube 2016, Figure 2: correct links, and nothing else."""

from dataclasses import replace
from itertools import chain, product

import numpy as np
import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.metrics.lea import LEA
from corescore.replication.claims import needing, numbers_of, others, points, wide
from corescore.replication.curves import (
    CHOICES,
    ORDER,
    ORDERS,
    PARTNERS,
    PARTNERS_ABOUT,
    POINT,
    SEEDS,
    STEPS,
    WRONG,
    CurveRun,
    Entities,
    at_point,
    by_choice,
    by_step,
    correct_entities,
    curves,
    missing_parts,
    never_above,
    selected_line,
    under_each,
    wrongly_linked,
)
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Reading,
    Setting,
)
from corescore.replication.moosavi2016.table1 import BASE, LESS_A, MORE, SCORES
from corescore.replication.moosavi2016.toys import KEY, KEY_WITH_SINGLETONS
from corescore.replication.partitions import (
    Partition,
    of_sizes,
    read_all_sizes,
    read_sizes,
    score_partitions,
)
from corescore.util import TOLERANCE
from corescore.wording import RATIOS, percent, signed

# Moosavi & Strube 2016, Figure 3: correct links among wrong ones ----------------------------------

# Moosavi & Strube 2016, Figure 8: mentions without a correct link ---------------------------------

WHERE = "§7.1, Figure 2"


def _figure_2(setting: Setting) -> pd.DataFrame:
    """Responses: correct parts of the key, and nothing else; rows and columns as `curves`."""
    seeds = range(int(setting.values["seeds"]))
    chance = {order: seeds if order == "random" else range(1) for order in ORDERS}
    runs = [CurveRun(order, "", seed) for order in ORDERS for seed in chance[order]]
    return curves(setting, runs, _correct_only)


def _correct_only(key: Partition, run: CurveRun, shares: list[float]) -> list[Entities]:
    return correct_entities(key, run.mentions(key, run.rng), shares)


def all_zero(table: pd.DataFrame) -> Check:
    compared = others(table)
    if not compared:
        return Check(None, "none of the compared metrics is scored")
    highest = table[table["step"] == 0].groupby("metric")["f1"].max()[compared]
    return Check(bool((highest <= TOLERANCE).all()), numbers_of(highest))


CLAIMS = (
    Claim(
        "BLANC is never above B³.",
        WHERE,
        under_each(never_above("blanc", "bcub")),
        id="blanc-below-bcub",
        scope="result",
    ),
    Claim(
        "BLANC is never above LEA.",
        WHERE,
        under_each(never_above("blanc", "lea")),
        id="blanc-below-lea",
        scope="result",
    ),
    Claim(
        "With no link the response is empty, and every metric of the paper gives it 0.",
        "ours, from Figure 2",
        under_each(all_zero),
        id="empty-zero",
        scope="result",
        ours=True,
    ),
)

FIGURE_2 = Experiment(
    id="moosavi2016-fig2",
    paper=MOOSAVI_2016,
    where="Figure 2",
    title="How do scores grow with correct links, when nothing is wrong?",
    setup=(
        "The response has a share of the key's coreference links and nothing else: mentions "
        "without a correct link are missing. The paper does not say which links come first. Here "
        "entities grow mention by mention until the share is reached or just exceeded, by default "
        "one entity after the other in random order. The chart shows the actual share of the "
        "response."
    ),
    run=_figure_2,
    chart=Chart("lines", x="share", x_title="correct coreference links, percent", of=selected_line),
    claims=CLAIMS,
    parameters=(KEY, STEPS, ORDER, SEEDS),
)

FIG3_WHERE = "§7.1, Figure 3"


def _figure_3(setting: Setting) -> pd.DataFrame:
    """Responses: correct parts, and all other mentions in wrong entities; otherwise as `curves`."""
    seeds = range(int(setting.values["seeds"]))
    runs = [CurveRun(*choices) for choices in product(ORDERS, PARTNERS, seeds)]
    return curves(setting, runs, _all_mentions)


def _all_mentions(key: Partition, run: CurveRun, shares: list[float]) -> list[Entities]:
    rng = run.rng
    correct = correct_entities(key, run.mentions(key, rng), shares)
    return [wrongly_linked(key, entities, rng, partners=run.partners) for entities in correct]


@needing("muc", "lea")
def _alone_zero(table: pd.DataFrame) -> Check:
    f1 = wide(table, POINT)
    none = f1[f1.index.get_level_values("share") == 0]
    rest = others(table, "muc", "lea")
    if none.empty:
        return Check(None, "no point without a correct link")
    highest, lowest = none[["muc", "lea"]].max(), none[rest].min()
    numbers = [numbers_of(highest)]
    numbers += [f"{title_of(name)} {percent(lowest[name])} or more" for name in rest]
    holds = (highest <= TOLERANCE).all() and (lowest > TOLERANCE).all()
    return Check(bool(holds), f"{', '.join(numbers)} with no correct link")


@needing("ceafe")
def ceafe_drops(table: pd.DataFrame) -> Check:
    f1 = by_step(table, "ceafe")
    steps = f1.columns.to_numpy(dtype=float)
    later = int((steps <= 0.2 + TOLERANCE).sum()) - 1
    if later == 0:
        return Check(None, "no point between 0 and 20%")
    drop = (f1.iloc[:, 0] - f1.iloc[:, later]).to_numpy()
    least = f"{points(drop.min())} {'lower' if drop.min() >= 0 else 'higher'}"
    means = f"{percent(f1.iloc[:, 0].mean())} at 0%, {percent(f1.iloc[:, later].mean())}"
    numbers = f"CEAF_e {means} at {100 * steps[later]:.0f}%; of {len(f1)} seeds at worst {least}"
    return Check(bool(drop.min() > TOLERANCE), numbers)


@needing("blanc")
def far_above(table: pd.DataFrame) -> Check:
    rest = others(table, "blanc")
    if not rest:
        return Check(None, "no other metric is scored")
    f1 = wide(table, POINT)
    highest = f1[rest].max(axis=1)
    margin = (f1["blanc"] - highest).to_numpy()
    wrong = margin < 0.2 - TOLERANCE
    failing = sorted({*f1.index.get_level_values("step")[wrong]})
    numbers = [f"by 20 points at {int((~wrong).sum())} of {len(margin)} points"]
    if failing:
        a_fifth = (f1["blanc"] >= 1.2 * highest - TOLERANCE).sum()
        numbers.append(f"by a fifth of the other at {a_fifth}")
        numbers.append(f"less at {', '.join(f'{100 * step:.0f}' for step in failing)}%")
    for word, at in (("most", int(margin.argmax())), ("least", int(margin.argmin()))):
        next_ = rest[int(f1[rest].iloc[at].to_numpy().argmax())]
        above = f"{points(margin[at])} {'above' if margin[at] >= 0 else 'below'}"
        numbers.append(f"{word}, {above}: {at_point(f1, at, 'blanc', next_)}")
    return Check(not failing, "; ".join(numbers))


@needing("blanc")
def _far_above_if(table: pd.DataFrame) -> Check:
    """The same with "20%" in points or as a share of the other, with the right end or without it,
    each under every choice."""
    readings = []
    for choice, part in by_choice(table):
        f1 = wide(part, POINT)
        highest = f1[others(part, "blanc")].max(axis=1)
        inside = f1.index.get_level_values("step") < 1 - TOLERANCE
        for words, bound in (("20 points", highest + 0.2), ("a fifth of the other", 1.2 * highest)):
            enough = (f1["blanc"] >= bound - TOLERANCE).to_numpy()
            readings.append(Reading(f"{choice}, {words}, 100% too", bool(enough.all())))
            name = f"{choice}, {words}, before 100%"
            readings.append(Reading(name, bool(enough[inside].all())))
    return replace(far_above(table[table["chosen"]]), readings=tuple(readings))


FIG3_CLAIMS = (
    Claim(
        "Only MUC and LEA are 0 when no link is correct.",
        FIG3_WHERE,
        under_each(_alone_zero),
        note="In Figure 2 the response without a correct link is empty, and every metric gives it "
        "0: that MUC and LEA alone do so shows in Figure 3.",
        id="only-muc-lea-zero",
        scope="result",
    ),
    Claim(
        "CEAF_e is lower with 20% of the links correct than with none.",
        FIG3_WHERE,
        under_each(ceafe_drops),
        note="The paper does not name the figure; in Figure 2 CEAF_e begins at 0 and cannot drop. "
        "The default choices are those under which it drops.",
        id="ceafe-drops",
        scope="result",
    ),
    Claim(
        "BLANC is at least 20% above all the others.",
        FIG3_WHERE,
        _far_above_if,
        note="The paper leaves open whether 20% are points or a fifth of the other metric, and "
        "whether the right end counts, where every metric is 100.",
        id="blanc-far-above",
        scope="result",
    ),
)

FIGURE_3 = Experiment(
    id="moosavi2016-fig3",
    paper=MOOSAVI_2016,
    where="Figure 3",
    title="What changes when all other mentions are there too, in wrong entities?",
    setup=(
        "A share of the links is correct, as in Figure 2. Every other mention of the key is in the "
        "response too, linked to at least one mention that it is not coreferent with, so that "
        "mention identification is 100% throughout. The paper leaves open which links come first "
        "and which wrong partners the other mentions get; both are parameters. The defaults, the "
        "largest entity first and few wrong groups, come closest to what the paper says of CEAF_e. "
        "A mention left without a wrong partner joins an entity of others, which may make a few "
        "more links correct; the chart shows the actual share of the response."
    ),
    run=_figure_3,
    chart=Chart("lines", x="share", x_title="correct coreference links, percent", of=selected_line),
    claims=FIG3_CLAIMS,
    parameters=(
        KEY,
        STEPS,
        replace(ORDER, default="largest"),
        Parameter(
            "partners",
            "Wrong partners",
            "groups",
            f"What the other mentions are linked to: {PARTNERS_ABOUT}.",
            choices=PARTNERS,
        ),
        SEEDS,
    ),
)

SINGLETONS = "singletons"

FIG8_WHERE = "§7.5, Figure 8"

CURVE = [*CHOICES, "seed"]


def _figure_8(setting: Setting) -> pd.DataFrame:
    """Responses: mentions of the key, and no correct link; rows and columns as `curves`, and
    key_singletons (how many singletons the key has)."""
    seeds = range(int(setting.values["seeds"]))
    runs = [CurveRun(*choices) for choices in product(ORDERS, (SINGLETONS, *WRONG), seeds)]
    alone = sum(size == 1 for size in read_all_sizes(setting.text("key")))
    return curves(setting, runs, _none_correct).assign(key_singletons=alone)


def _none_correct(key: Partition, run: CurveRun, shares: list[float]) -> list[Entities]:
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


FIG8_CLAIMS = (
    Claim(
        "MUC and LEA stay 0, if the key has no singleton.",
        FIG8_WHERE,
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
        FIG8_WHERE,
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
    claims=FIG8_CLAIMS,
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
