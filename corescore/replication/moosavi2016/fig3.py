"""Moosavi & Strube 2016, Figure 3: correct links among wrong ones."""

from dataclasses import replace
from itertools import product

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import needing, numbers_of, others, points, wide
from corescore.replication.curves import (
    ORDER,
    POINT,
    SEEDS,
    STEPS,
    Run,
    at_point,
    by_choice,
    by_step,
    curves,
    selected_line,
    under_each,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.growing import (
    ORDERS,
    PARTNERS,
    PARTNERS_ABOUT,
    Entities,
    correct_entities,
    wrongly_linked,
)
from corescore.replication.moosavi2016.toy_key import KEY
from corescore.replication.partitions import Partition
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

WHERE = "§7.1, Figure 3"


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


CLAIMS = (
    Claim(
        "Only MUC and LEA are 0 when no link is correct.",
        WHERE,
        under_each(_alone_zero),
        note="In Figure 2 the response without a correct link is empty, and every metric gives it "
        "0: that MUC and LEA alone do so shows in Figure 3.",
        id="only-muc-lea-zero",
        scope="result",
    ),
    Claim(
        "CEAF_e is lower with 20% of the links correct than with none.",
        WHERE,
        under_each(ceafe_drops),
        note="The paper does not name the figure; in Figure 2 CEAF_e begins at 0 and cannot drop. "
        "The default choices are those under which it drops.",
        id="ceafe-drops",
        scope="result",
    ),
    Claim(
        "BLANC is at least 20% above all the others.",
        WHERE,
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
    claims=CLAIMS,
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
