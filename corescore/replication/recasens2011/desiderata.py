"""Recasens & Hovy 2011, §3.2: desiderata of a score, on random and on all small partitions."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import Metric, title_of
from corescore.replication.claims import COMPARED, needing, numbers_of
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Reading,
    Setting,
)
from corescore.replication.partitions import (
    Pair,
    Partition,
    n_different,
    of_sizes,
    partitions_of,
    score_partitions,
)
from corescore.replication.recasens2011.blanc import SYSTEMS, eight_systems
from corescore.util import TOLERANCE
from corescore.wording import counted, listed, percent

# Random responses, and their errors fixed step by step --------------------------------------------

N_DRAWN = 8  # mentions

Chain = Sequence[Pair]  # a key with one response after the other


def drawn_labels(n: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """The entity of each mention in the key and in the response, n times."""
    drawn = np.random.default_rng(seed).integers(0, 4, (n, 2, N_DRAWN)).tolist()
    return [(key, response) for key, response in drawn]


def groups(labels: Sequence[int]) -> list[list[int]]:
    """The mentions 0, 1, … of each label."""
    members: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        members.setdefault(label, []).append(mention)
    return list(members.values())


def repair(correct: Sequence[int], given: Sequence[int]) -> list[Pair]:
    """The response turned into the key step by step, each step paired with the key.

    correct, given  the entity of each mention in the key and in the response, numbers below 8

    First every response entity is split into what it shares with each key entity, then these parts
    are merged. A split removes only wrong coreference links, a merge adds only correct ones.
    """
    parts = groups([N_DRAWN * g + r for r, g in zip(correct, given, strict=True)])
    split = [N_DRAWN + number for number in range(len(parts))]
    merged = [2 * N_DRAWN + correct[part[0]] for part in parts]
    labels, stages = list(given), [groups(given)]
    for part, label in [*zip(parts, split, strict=True), *zip(parts, merged, strict=True)]:
        labels = [label if mention in part else old for mention, old in enumerate(labels)]
        stages.append(groups(labels))
    steps = [stage for at, stage in enumerate(stages) if not at or stage != stages[at - 1]]
    return [(groups(correct), step) for step in steps]


def singletons_set_right(key: Partition, response: Partition) -> Iterator[Chain]:
    """The response before and after each key singleton is taken out of its entity."""
    alone = [mention for entity in key if len(entity) == 1 for mention in entity]
    for mention in alone:
        rest = [[m for m in entity if m != mention] for entity in response]
        after = [[mention], *(entity for entity in rest if entity)]
        if [mention] not in response:
            yield [(key, response), (key, after)]


def score_chains(chains: Sequence[Chain], metrics: Sequence[Metric]) -> pd.DataFrame:
    """A row for each pair of each chain and metric.

    Columns: metric, f1, change (of F1 since the pair before in its chain) and entities (how many
    more the response has than the one before); NaN for the first pair of a chain.
    """
    pairs = [pair for chain in chains for pair in chain]
    scores = score_partitions(pairs, metrics)
    scores["chain"] = np.repeat(np.arange(len(chains)), [*map(len, chains)])[scores["pair"]]
    scores["entities"] = [len(pairs[pair][1]) for pair in scores["pair"]]
    steps = scores.groupby(["metric", "chain"], sort=False)[["f1", "entities"]].diff()
    return scores[["metric", "f1"]].assign(change=steps["f1"], entities=steps["entities"])


LOWEST, HIGHEST, FALLS = "lowest", "highest", "steps that fall"

ADDED, REMOVED, ALONE = "no rise: added", "no rise: removed", "no rise: singletons"

WRONG, MISSED = "one wrong link", "one missed link"

EIGHT, ALL = "different, eight responses", "different, all partitions"

# What is computed to check the desiderata of Recasens & Hovy 2011, §3.2 ---------------------------

GAP = "widest gap"

NOTHING, EVERYTHING = "all singletons", "one entity"

LARGE, SMALL = "finds the entity of 4", "finds the entity of 2"

SMALL_KEY = of_sizes([1, 2, 3])

DRAWN = (FALLS, ADDED, REMOVED, ALONE, ALL, GAP)


def desiderata(setting: Setting) -> pd.DataFrame:
    """Rows (check, metric). Columns: check, metric, value (a fraction) and `of` (how many).

    lowest, highest   the lowest and highest F1 of the pairs and of every step of their repair
    steps that fall   the share of repair steps at which F1 falls
    no rise: …        the share of steps at which F1 does not rise: of those that add correct links,
                      that remove wrong ones, and that take a key singleton out of an entity
    different, …      the number of different F1, by the number of responses: A to H of Table 8, and
                      all partitions of six mentions
    widest gap        the widest stretch from 0 to 1 that has no F1 of these partitions
    the others        F1 of responses to the key of Table 8
    """
    metrics = setting.metrics
    labels = drawn_labels(setting.number("pairs"), setting.number("seed"))
    checks = [*_repairs(labels, metrics), *_all_partitions(metrics), *_large_key(metrics)]
    return pd.concat(checks, ignore_index=True)


def drawn(table: pd.DataFrame) -> pd.DataFrame:
    """The checks of the chart."""
    return table[table["check"].isin(DRAWN)]


def _repairs(
    labels: Sequence[tuple[Sequence[int], Sequence[int]]], metrics: Sequence[Metric]
) -> Iterator[pd.DataFrame]:
    scores = score_chains([repair(correct, given) for correct, given in labels], metrics)
    f1 = scores.groupby("metric", sort=False)["f1"]
    yield _check(LOWEST, f1.min(), int(f1.size().iloc[0]))
    yield _check(HIGHEST, f1.max(), int(f1.size().iloc[0]))
    steps = scores.dropna()
    yield from _share(FALLS, steps, steps["change"] < -TOLERANCE)
    yield from _no_rise(ADDED, steps[steps["entities"] < 0])
    yield from _no_rise(REMOVED, steps[steps["entities"] > 0])
    first = [(groups(correct), groups(given)) for correct, given in labels]
    alone = [chain for pair in first for chain in singletons_set_right(*pair)]
    if alone:
        yield from _no_rise(ALONE, score_chains(alone, metrics).dropna())


def _no_rise(check: str, steps: pd.DataFrame) -> Iterator[pd.DataFrame]:
    return _share(check, steps, steps["change"] <= TOLERANCE)


def _share(check: str, steps: pd.DataFrame, where: "pd.Series[bool]") -> Iterator[pd.DataFrame]:
    """The share of steps for each metric; nothing without a step."""
    if len(steps):
        shares = where.astype(float).groupby(steps["metric"], sort=False)
        yield _check(check, shares.mean(), int(shares.size().iloc[0]))


def _all_partitions(metrics: Sequence[Metric]) -> Iterator[pd.DataFrame]:
    """Each partition of six mentions against the small key."""
    n = sum(map(len, SMALL_KEY))
    scores = score_partitions([(SMALL_KEY, partition) for partition in partitions_of(n)], metrics)
    f1 = scores.groupby("metric", sort=False)["f1"]
    of = scores["pair"].nunique()
    yield _check(ALL, f1.agg(n_different) / of, of)
    yield _check(GAP, f1.agg(_widest_gap), of)


def _widest_gap(values: "pd.Series[float]") -> float:
    """The widest stretch from 0 to 1 without a value."""
    return float(np.diff(np.unique([0, *values, 1])).max())


def _large_key(metrics: Sequence[Metric]) -> Iterator[pd.DataFrame]:
    """A to H of Table 8, and F1 of single responses to its key."""
    eight = eight_systems()
    f1 = score_partitions(eight, metrics).groupby("metric", sort=False)["f1"]
    yield _check(EIGHT, f1.agg(n_different) / len(eight), len(eight))
    key = eight[0][0]
    named = dict(zip(SYSTEMS, (response for _, response in eight), strict=True))
    responses = {
        WRONG: named["A"],
        MISSED: _only(key, 4, 3),
        NOTHING: named["G"],
        EVERYTHING: named["H"],
        LARGE: _only(key, 4),
        SMALL: _only(key, 2),
    }
    scores = score_partitions([(key, response) for response in responses.values()], metrics)
    for at, check in enumerate(responses):
        yield _check(check, scores[scores["pair"] == at].set_index("metric")["f1"], 1)


def _only(key: Partition, *sizes: int) -> Partition:
    """The key with its entities of other sizes in singletons."""
    split = [[[*e]] if len(e) in sizes else [[mention] for mention in e] for e in key]
    return [entity for entities in split for entity in entities]


def _check(check: str, values: "pd.Series[float]", of: int) -> pd.DataFrame:
    rows = [(check, metric, float(value), of) for metric, value in values.items()]
    return pd.DataFrame(rows, columns=["check", "metric", "value", "of"])


PARAMETERS = (
    Parameter(
        "pairs",
        "Random pairs",
        60,
        "How many keys and responses are drawn.",
        minimum=1,
        maximum=400,
    ),
    Parameter("seed", "Seed", 1, "Another seed draws other pairs.", minimum=0, maximum=10**6),
)

# The claims ---------------------------------------------------------------------------------------


def _values(table: pd.DataFrame, check: str) -> dict[str, float]:
    """The value of each compared metric; nothing where nothing was drawn to check."""
    rows = table[(table["check"] == check) & table["metric"].isin(COMPARED)]
    return {
        str(metric): float(value)
        for metric, value in zip(rows["metric"], rows["value"], strict=True)
    }


def _of(table: pd.DataFrame, check: str) -> int:
    return int(table.loc[table["check"] == check, "of"].sum() / table["metric"].nunique())


def _counted(table: pd.DataFrame, check: str) -> dict[str, int]:
    """The value as a count, for each compared metric."""
    of = _of(table, check)
    return {metric: round(of * value) for metric, value in _values(table, check).items()}


def _numbers(counts: dict[str, int]) -> str:
    return numbers_of(counts, str)


@needing(*COMPARED)
def _in_range(table: pd.DataFrame) -> Check:
    low, high = (_values(table, check).values() for check in (LOWEST, HIGHEST))
    numbers = f"from {percent(min(low))} to {percent(max(high))}; the key itself is among them"
    return Check(
        min(low) >= 0 and max(high) <= 1 + TOLERANCE and min(high) > 1 - TOLERANCE, numbers
    )


@needing(*COMPARED)
def _never_falls(table: pd.DataFrame) -> Check:
    if not _of(table, FALLS):
        return Check(None, "no error was drawn")
    falls = _counted(table, FALLS)
    numbers = f"falls in {_of(table, FALLS)} steps: {_numbers(falls)}"
    return Check(falls["blanc"] == 0, numbers)


@needing(*COMPARED)
def _rises(table: pd.DataFrame) -> Check:
    kinds = {ADDED: "correct links", REMOVED: "fewer wrong links", ALONE: "correct singletons"}
    counts = {check: _counted(table, check) for check in kinds if _of(table, check)}
    told = (
        f"{kinds[check]}, no rise in {counted(_of(table, check), 'step')}: {_numbers(of)}"
        for check, of in counts.items()
    )
    holds = not any(of["blanc"] for of in counts.values()) if counts else None
    return Check(holds, ". ".join(told) or "no error was drawn")


@needing(*COMPARED)
def _wrong_costs_more(table: pd.DataFrame) -> Check:
    wrong, missed = _values(table, WRONG), _values(table, MISSED)
    more = [title_of(name) for name in wrong if wrong[name] < missed[name] - TOLERANCE]
    numbers = (
        f"with a wrong link: {numbers_of(wrong)}. With one missed: {numbers_of(missed)}. More for "
        f"the wrong one: {listed(more) if more else 'none'}"
    )
    costs_more = wrong["blanc"] < missed["blanc"] - TOLERANCE
    readings = (
        Reading("a wrong link costs more than a missed one", costs_more),
        Reading("the score rises as the three points below it say", _rises(table).holds),
    )
    return Check(costs_more, numbers, readings=readings)


@needing(*COMPARED)
def _tells_systems(table: pd.DataFrame) -> Check:
    n = _counted(table, EIGHT)
    return Check(n["blanc"] == len(SYSTEMS), f"of {len(SYSTEMS)}: {_numbers(n)}")


@needing(*COMPARED)
def _fine(table: pd.DataFrame) -> Check:
    """Compares BLANC with the metrics that the paper knows; CEAF_e and LEA are only shown."""
    n = _counted(table, ALL)
    holds = n["blanc"] > max(n["muc"], n["bcub"], n["ceafm"])
    readings = (
        Reading("by the number of different scores of small partitions", holds),
        Reading("by the widest gap between these scores", _even(table).holds),
        Reading("by the eight responses of Table 8", _tells_systems(table).holds),
    )
    return Check(holds, f"of {_of(table, ALL)} partitions: {_numbers(n)}", readings=readings)


@needing(*COMPARED)
def _even(table: pd.DataFrame) -> Check:
    gaps = _values(table, GAP)
    holds = gaps["blanc"] < min(gaps["muc"], gaps["bcub"], gaps["ceafm"])
    return Check(holds, f"widest gap in points: {numbers_of(gaps)}")


@needing(*COMPARED)
def _moderate(table: pd.DataFrame) -> Check:
    f1 = _values(table, NOTHING)
    holds = 0 < f1["blanc"] <= 0.5 and f1["muc"] == 0 and min(f1["bcub"], f1["ceafm"]) > 0.9
    return Check(holds, f"all singletons: {numbers_of(f1)}")


@needing(*COMPARED)
def _boundary(table: pd.DataFrame) -> Check:
    nothing, everything = _values(table, NOTHING), _values(table, EVERYTHING)
    preferring = {name for name in nothing if nothing[name] <= everything[name]}
    numbers = f"all singletons: {numbers_of(nothing)}. One entity: {numbers_of(everything)}"
    return Check(preferring == {"muc"}, numbers)


@needing(*COMPARED)
def _large_earns_more(table: pd.DataFrame) -> Check:
    large, small = _values(table, LARGE), _values(table, SMALL)
    numbers = f"only the entity of 4: {numbers_of(large)}. Only that of 2: {numbers_of(small)}"
    return Check(all(large[name] > small[name] + TOLERANCE for name in large), numbers)


_WHERE = "§3.2"

DESIDERATA = Experiment(
    id="recasens2011-desiderata",
    paper=RECASENS_2011,
    where="§3.2, the desiderata",
    title="Does a score stay in range, rise with every fix, and tell responses apart?",
    setup=(
        "The paper names five desiderata and three open points; what exactly is checked is our "
        "choice. Range: the lowest and highest F1 of random keys and responses over the same eight "
        "mentions. Steps: each response is fixed until it is the key. First every entity is split "
        "into what it shares with each key entity, which removes only wrong links; then these "
        "parts are merged, which adds only correct links. Apart from that, singletons of the key "
        "are taken out of their entities. Granularity: how many different scores the eight "
        "responses of Table 8 have, and all 203 partitions of six mentions against "
        "{1}{2,3}{4,5,6}, and the widest gap between two of these. The rest are responses to the "
        "key of Table 8: two singletons linked (one wrong link), the entity of two split (one "
        "missed link), all singletons, one entity, and one entity found of three."
    ),
    run=desiderata,
    chart=Chart("bars", x="metric", y="value", y_title="percent", facet="check", of=drawn),
    claims=(
        Claim(
            "1. All scores lie between 0 and 100, and the key scores 100.",
            _WHERE,
            _in_range,
            id="range",
            scope="universal",
        ),
        Claim(
            "2. Fixing errors never lowers BLANC.",
            _WHERE,
            _never_falls,
            id="monotone",
            scope="universal",
        ),
        Claim(
            "3. BLANC rises with each correct link that is added, each wrong link that is removed, "
            "and each singleton set right.",
            _WHERE,
            _rises,
            id="rises",
            scope="universal",
        ),
        Claim(
            "3. BLANC rewards precision more than recall.",
            _WHERE,
            _wrong_costs_more,
            note="F1 stays the same when key and response are swapped, so that it cannot favour "
            "precision. That the missed link costs BLANC more is due to the few links of the key. "
            "The paper explains the desideratum by three points, which BLANC meets.",
            id="precision-weighs-more",
            scope="property",
        ),
        Claim(
            "4. BLANC gives each of the eight responses a different score.",
            _WHERE,
            _tells_systems,
            id="tells-systems",
            scope="property",
        ),
        Claim(
            "4. BLANC discriminates more finely than MUC, B³ and CEAF_m.",
            "abstract (fine granularity)",
            _fine,
            note="How fine a score is can be measured in several ways, all of them ours; the "
            "numbers are those of different scores of all partitions of six mentions.",
            id="fine",
            scope="property",
        ),
        Claim(
            "5. BLANC is as fine over the whole range: its widest gap between two scores is "
            "narrower than those of MUC, B³ and CEAF_m.",
            f"{_WHERE}, abstract",
            _even,
            note="This measure is ours, too: the widest gap between the scores of all partitions "
            "of six mentions.",
            id="even",
            scope="property",
        ),
        Claim(
            "Open point: correct singletons should earn something, but not much. Singletons alone "
            "earn nothing under MUC, over 90 under B³ and CEAF_m, and under BLANC at most 50.",
            _WHERE,
            _moderate,
            note="The bounds are ours.",
            id="singletons",
            scope="property",
        ),
        Claim(
            "Open point: of the boundary cases, all singletons are better than one entity. MUC "
            "alone has it the other way round.",
            _WHERE,
            _boundary,
            id="boundary",
            scope="property",
        ),
        Claim(
            "Open point: a large entity should weigh more than a small one. All six score the "
            "response that finds the larger one higher.",
            _WHERE,
            _large_earns_more,
            id="number-of-mentions",
            scope="property",
        ),
    ),
    parameters=PARAMETERS,
)
