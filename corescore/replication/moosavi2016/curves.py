"""Moosavi & Strube 2016, Figures 2, 3 and 8; what the paper leaves open is a parameter."""

from dataclasses import replace
from itertools import chain, product

import numpy as np
import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, others, points, wide
from corescore.replication.curves import (
    CHOICES,
    ORDER,
    POINT,
    SEEDS,
    STEPS,
    Run,
    at_point,
    curves,
    never_above,
    selected,
    selected_line,
    under_every_choice,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.growing import (
    ORDERS,
    PARTNERS,
    PARTNERS_ABOUT,
    WRONG,
    Entities,
    correct_entities,
    missing_parts,
    wrongly_linked,
)
from corescore.replication.moosavi2016.toy_key import KEY
from corescore.replication.partitions import Partition
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

OURS = "ours: the paper leaves this open"


def _claims(checks: dict[str, Checker], where: str, *, open_: str) -> tuple[Claim, ...]:
    """A claim for each check on the selected curves, and that none depends on the choice."""
    claims = [Claim(f"{says}.", where, selected(check)) for says, check in checks.items()]
    return (*claims, Claim(f"It does not matter {open_}.", OURS, under_every_choice(checks)))


# Figure 2 -----------------------------------------------------------------------------------------


def _figure_2(setting: Setting) -> pd.DataFrame:
    """Responses: correct parts of the key, and nothing else; rows and columns as `curves`."""
    seeds = range(int(setting.values["seeds"]))
    chance = {order: seeds if order == "random" else range(1) for order in ORDERS}
    runs = [Run(order, "", seed) for order in ORDERS for seed in chance[order]]
    return curves(setting, runs, _correct_only)


def _correct_only(key: Partition, run: Run, shares: list[float]) -> list[Entities]:
    return correct_entities(key, run.mentions(key, run.rng), shares)


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
    claims=_claims(
        {
            "BLANC is never above B³": never_above("blanc", "bcub"),
            "BLANC is never above LEA": never_above("blanc", "lea"),
        },
        "Figure 2",
        open_="which links come first",
    ),
    parameters=(KEY, STEPS, ORDER, SEEDS),
)

# Figure 3 -----------------------------------------------------------------------------------------


def _figure_3(setting: Setting) -> pd.DataFrame:
    """Responses: correct parts, and all other mentions in wrong entities; otherwise as `curves`."""
    seeds = range(int(setting.values["seeds"]))
    runs = [Run(*choices) for choices in product(ORDERS, PARTNERS, seeds)]
    return curves(setting, runs, _all_mentions)


def _all_mentions(key: Partition, run: Run, shares: list[float]) -> list[Entities]:
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
    numbers = [f"{title_of(name)} {percent(highest[name])}" for name in ("muc", "lea")]
    numbers += [f"{title_of(name)} {percent(lowest[name])} or more" for name in rest]
    holds = (highest <= TOLERANCE).all() and (lowest > TOLERANCE).all()
    return Check(bool(holds), f"{', '.join(numbers)} with no correct link")


def _by_step(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The F1 of one metric: a row for each curve, a column for each step."""
    of_metric = table[table["metric"] == metric]
    return of_metric.pivot_table(index=[*CHOICES, "seed"], columns="step", values="f1")


@needing("ceafe")
def _ceafe_drops(table: pd.DataFrame) -> Check:
    f1 = _by_step(table, "ceafe")
    steps = f1.columns.to_numpy(dtype=float)
    later = int((steps <= 0.2 + TOLERANCE).sum()) - 1
    if later == 0:
        return Check(None, "no point between 0 and 20 %")
    drop = (f1.iloc[:, 0] - f1.iloc[:, later]).to_numpy()
    least = f"{points(drop.min())} {'lower' if drop.min() >= 0 else 'higher'}"
    means = f"{percent(f1.iloc[:, 0].mean())} at 0 %, {percent(f1.iloc[:, later].mean())}"
    numbers = f"CEAF_e {means} at {100 * steps[later]:.0f} %; of {len(f1)} seeds at worst {least}"
    return Check(bool(drop.min() > TOLERANCE), numbers)


@needing("blanc")
def _far_above(table: pd.DataFrame) -> Check:
    rest = others(table, "blanc")
    if not rest:
        return Check(None, "no other metric is scored")
    f1 = wide(table, POINT)
    margin = (f1["blanc"] - f1[rest].max(axis=1)).to_numpy()
    wrong = margin < 0.2 - TOLERANCE
    failing = sorted({*f1.index.get_level_values("step")[wrong]})
    numbers = [f"by 20 points at {int((~wrong).sum())} of {len(margin)} points"]
    if failing:
        numbers.append(f"less at {', '.join(f'{100 * step:.0f}' for step in failing)} %")
    for word, at in (("most", int(margin.argmax())), ("least", int(margin.argmin()))):
        next_ = rest[int(f1[rest].iloc[at].to_numpy().argmax())]
        above = f"{points(margin[at])} {'above' if margin[at] >= 0 else 'below'}"
        numbers.append(f"{word}, {above}: {at_point(f1, at, 'blanc', next_)}")
    return Check(not failing, "; ".join(numbers))


FIGURE_3 = Experiment(
    id="moosavi2016-fig3",
    paper=MOOSAVI_2016,
    where="Figure 3",
    title="What changes when all other mentions are there too, in wrong entities?",
    setup=(
        "A share of the links is correct, as in Figure 2. Every other mention of the key is in the "
        "response too, linked to at least one mention that it is not coreferent with, so that "
        "mention identification is 100 % throughout. The paper leaves open which links come first "
        "and which wrong partners the other mentions get; both are parameters. The defaults, the "
        "largest entity first and few wrong groups, come closest to what the paper says of CEAF_e. "
        "A mention left without a wrong partner joins an entity of others, which may make a few "
        "more links correct; the chart shows the actual share of the response."
    ),
    run=_figure_3,
    chart=Chart("lines", x="share", x_title="correct coreference links, percent", of=selected_line),
    claims=_claims(
        {
            "Only MUC and LEA are 0 when no link is correct": _alone_zero,
            "CEAF_e is lower with 20 % of the links correct than with none": _ceafe_drops,
            "BLANC is at least 20 points above all the others": _far_above,
        },
        "Figure 3",
        open_="which links come first and which wrong partners the others get",
    ),
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

# Figure 8 -----------------------------------------------------------------------------------------

SINGLETONS = "singletons"


def _figure_8(setting: Setting) -> pd.DataFrame:
    """Responses: mentions of the key, and no correct link; rows and columns as `curves`."""
    seeds = range(int(setting.values["seeds"]))
    runs = [Run(*choices) for choices in product(ORDERS, (SINGLETONS, *WRONG), seeds)]
    return curves(setting, runs, _none_correct)


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
    return Check(bool((highest <= TOLERANCE).all()), numbers)


def _rise(table: pd.DataFrame) -> Check:
    """Whether the others end higher than they start, on every curve."""
    rest = others(table, "muc", "lea")
    rises, numbers = [], []
    for name in rest:
        f1 = _by_step(table, name).to_numpy()
        gain = np.diff(f1, axis=1)
        rises.append(bool((f1[:, -1] > f1[:, 0] + TOLERANCE).all()))
        ends = f"from {percent(f1[:, 0].mean())} to {percent(f1[:, -1].mean())}"
        falls = (
            f"lower than one step before at {int((gain < -TOLERANCE).sum())} of {gain.size} points"
        )
        numbers.append(f"{title_of(name)} {ends}, {falls}")
    return Check(all(rises) if rises else None, "; ".join(numbers))


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
    claims=_claims(
        {"MUC and LEA stay 0": _stay_zero, "The other metrics rise": _rise},
        "Figure 8",
        open_="which mentions come first and how they are linked",
    ),
    parameters=(
        KEY,
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
