"""Recasens & Hovy 2011: how a score should behave, on curves and on random and small partitions.

Figures 6 and 7, and the desiderata of §3.2.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations, product

import numpy as np
import pandas as pd

from corescore.metrics import Metric, name_of
from corescore.metrics.blanc import BLANC
from corescore.replication.claims import (
    COMPARED,
    UntoldError,
    joined,
    numbers_of,
    orders,
    points,
    spread,
    wide,
)
from corescore.replication.experiment import Check, Setting, run
from corescore.replication.partitions import (
    EntityLists,
    Pair,
    Partition,
    grouped,
    n_different,
    of_sizes,
    partitions_of,
    score_partitions,
    toy_table,
)
from corescore.replication.recasens2011.tables import PAPER, blanc_of_links
from corescore.replication.recasens2011.toys import SIZES, eight_systems
from corescore.util import STEP, STEP_PLACES, TOLERANCE, FloatArray
from corescore.wording import count, counted, percent

N_COREFERENCE, N_MENTIONS = 6 + 3 + 1, 70  # links of the key, and all mentions

# Figure 6: one more correct link ------------------------------------------------------------------


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (order, links, metric): the responses with that many correct coreference links, none
    wrong.

    Columns: order (of the entities, if mentions are added to one after the other; "" for every way
    to split all three), right_coreference (the number of links), metric, f1 (the mean of these
    responses), low and high (their lowest and highest), responses (how many there are).
    """
    alone = [1] * setting.number("singletons")
    key = of_sizes([*SIZES, *alone])
    curves: dict[str, Iterable[Iterable[tuple[int, ...]]]] = {
        "": product(*([*_splits(size, size)] for size in SIZES))
    }
    curves |= {", ".join(map(str, order)): _grown(order) for order in permutations(SIZES)}
    tables = []
    for order, responses in curves.items():
        pairs = [(key, of_sizes([*chain.from_iterable(split), *alone])) for split in responses]
        table = toy_table([order] * len(pairs), pairs, setting.metrics, name="order")
        groups = table.groupby(["order", "right_coreference", "metric"], sort=False)["f1"]
        summary = groups.agg(f1="mean", low="min", high="max", responses="size")
        tables.append(summary.sort_index(level=1, sort_remaining=False, kind="stable"))
    summaries: pd.DataFrame = pd.concat(tables)
    return summaries.reset_index()


def _splits(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to split n mentions into parts of at most `most`, as sizes from large to small."""
    if not n:
        yield ()
    for size in range(min(n, most), 0, -1):
        yield from ((size, *rest) for rest in _splits(n - size, size))


def _grown(order: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """The responses, as sizes by entity of the key, if mentions are added in this order: of each
    entity the part that is found, and singletons."""
    sizes = dict.fromkeys(SIZES, 1)
    stages = [(order[0], 1), *((of, n) for of in order for n in range(2, of + 1))]
    for of, n in stages:
        sizes[of] = n
        yield [(n, *[1] * (of - n)) for of, n in sizes.items()]


def _every_split(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of every way to split the entities, which the chart draws."""
    return table[table["order"] == ""].drop(columns="order")


def _links_add(table: pd.DataFrame) -> "pd.Series[float]":
    """What each further correct link adds to BLANC."""
    return wide(_every_split(table), "right_coreference")["blanc"].diff().dropna()


def _each_link_counts(table: pd.DataFrame) -> Check:
    steps, blanc = _links_add(table), table.query("metric == 'blanc' and order == ''")
    band = float((blanc["high"] - blanc["low"]).max())
    numbers = (
        f"each link adds between {points(steps.min())} and {points(steps.max())}; responses with "
        f"equally many differ by at most {points(band)}"
    )
    return Check(bool(steps.min() > 0 and band < TOLERANCE), numbers)


def _slope_increases(table: pd.DataFrame) -> Check:
    """Whether each further link adds at least as much as the one before."""
    steps = _links_add(table)
    first, last = points(steps.iloc[0]), points(steps.iloc[-1])
    steeper = bool(steps.diff().dropna().min() > -TOLERANCE)
    return Check(steeper, f"the first link adds {first}, the last of {len(steps)} adds {last}")


def _above_muc(table: pd.DataFrame) -> Check:
    """Whether BLANC is above MUC at each point before the last, in each order of the entities."""
    least = {}
    for order, rows in table[table["order"] != ""].groupby("order", sort=False):
        f1 = wide(rows, "right_coreference").iloc[:-1]
        least[order] = float((f1["blanc"] - f1["muc"]).min())
    margins = "; ".join(f"{order}: {points(by)}" for order, by in least.items())
    numbers = (
        f"before 100%, above it at least by, entities of {margins}. Over all ways to split, "
        f"{_nowhere_below(table, 'blanc', 'muc').numbers}"
    )
    return Check(min(least.values()) > 0, numbers)


def _nowhere_below(table: pd.DataFrame, high: str, low: str) -> Check:
    """By the lowest score of one and the highest of the other with equally many links."""
    every = _every_split(table)
    least = wide(every, "right_coreference", "low")[high]
    most = wide(every, "right_coreference", "high")[low]
    n_links = int((least - most).to_numpy().argmin())
    holds = bool(least[n_links] > most[n_links] - TOLERANCE)
    can = "nowhere below" if holds else "it can be below"
    numbers = f"with {n_links} links {percent(least[n_links])} and {percent(most[n_links])}"
    return Check(holds, f"{can} {name_of(low)}: {numbers}")


FIGURE_6 = PAPER.experiment(
    "recasens2011-fig6",
    _figure_6,
    {
        "rises": _each_link_counts,
        "slope": _slope_increases,
        "above-muc": _above_muc,
        "below-others": lambda table: joined(
            (name_of(name), _nowhere_below(table, name, "blanc")) for name in ("bcub", "ceafm")
        ),
        # How much of the scale lies between no link and all
        "rise": lambda table, order: spread(
            _every_split(table), [0, N_COREFERENCE], order, by="right_coreference"
        ),
    },
    select=_every_split,
)

# Figure 7: BLANC over the two kinds of links ------------------------------------------------------


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (share of correct coreference links, share of correct non-coreference links).

    Columns: right_coreference and right_non_coreference (shares of the key's links, fractions),
    and f1 (BLANC). An incorrect link of the key counts as a wrong link of the other kind, so
    that there are always C(70, 2) of them.
    """
    share = np.linspace(0, 1, setting.number("steps") + 1)
    coreference, non_coreference = (axis.ravel() for axis in np.meshgrid(share, share))
    columns = {"right_coreference": coreference, "right_non_coreference": non_coreference}
    return pd.DataFrame({**columns, "f1": _blanc_of_shares(coreference, non_coreference)})


def blanc_at(
    coreference: float, non_coreference: float, n_coreference: int = N_COREFERENCE
) -> float:
    """BLANC where these shares of the two kinds of links are right, as a fraction."""
    shares = np.array([coreference]), np.array([non_coreference])
    return float(_blanc_of_shares(*shares, n_coreference)[0])


def _blanc_of_shares(
    coreference: FloatArray, non_coreference: FloatArray, n_coreference: int = N_COREFERENCE
) -> FloatArray:
    n_n = N_MENTIONS * (N_MENTIONS - 1) // 2 - n_coreference
    right_c, right_n = coreference * n_coreference, non_coreference * n_n
    return blanc_of_links(right_c, n_n - right_n, right_n, n_coreference - right_c)


def _corners(table: pd.DataFrame, claimed: Mapping[str, str]) -> Check:
    """The surface where all links of one kind are correct and none, nearly all or all of the other;
    and where all coreference links and 90% of the others are, for several numbers of them."""
    grid = _grid(table)
    named = {
        "coreference links alone": grid.iat[-1, 0],
        "non-coreference links alone": grid.iat[0, -1],
        "all links": grid.iat[-1, -1],
        "coreference links and 90% of the others": grid.loc[1, : 0.9 + STEP].iloc[-1],
    }
    for n in (1, N_COREFERENCE, 100, 1000):
        named[counted(n, "coreference link")] = blanc_at(1, 0.9, n)
    table = pd.DataFrame({"blanc": named}).rename_axis("at").reset_index()
    return orders(table, claimed, by="at")


def _grid(table: pd.DataFrame) -> pd.DataFrame:
    """F1, one row per share of coreference, one column per of non-coreference links."""
    return table.pivot(index="right_coreference", columns="right_non_coreference", values="f1")


def _rises_and_ends(table: pd.DataFrame) -> Check:
    grid = _grid(table).to_numpy()
    steps = np.concatenate([np.diff(grid, axis=axis).ravel() for axis in (0, 1)])
    falls, first, last = int((steps < -TOLERANCE).sum()), grid[0, 0], grid[-1, -1]
    numbers = f"{percent(first)} to {percent(last)}; {falls} falls in {len(steps)} steps"
    return Check(falls == 0 and first == 0 and last == 1, numbers)


def _rear_face(table: pd.DataFrame) -> Check:
    """The edge at which all non-coreference links are right, beside the responses of Figure 6."""
    curve = run(FIGURE_6, FIGURE_6.setting(metrics=[BLANC])).drawn
    edge = _grid(table)[1]
    edge.index = (N_COREFERENCE * edge.index).to_numpy().round(STEP_PLACES)
    apart = (edge - curve.set_index("right_coreference")["f1"]).abs().dropna()
    numbers = f"at most {points(apart.max())} apart at {len(apart)} points"
    return Check(bool(apart.max() < TOLERANCE), numbers)


FIGURE_7 = PAPER.experiment(
    "recasens2011-fig7",
    _figure_7,
    {
        "rises": _rises_and_ends,
        "rear-face": _rear_face,
        "corners": _corners,
    },
)


# §3.2: desiderata, on random and on all small partitions ------------------------------------------

N_DRAWN = 8  # mentions

Chain = Sequence[Pair]  # a key with one response after the other

FALLS, ADDED = "steps that fall", "no rise: added"

REMOVED, ALONE = "no rise: removed", "no rise: singletons"

EIGHT, ALL, GAP = "different, eight responses", "different, all partitions", "widest gap"

WRONG, MISSED, LARGE = "one wrong link", "one missed link", "finds the entity of 4"

SMALL_KEY = of_sizes([1, 2, 3])


def drawn_labels(n: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """The entity of each mention in the key and in the response, n times."""
    drawn = np.random.default_rng(seed).integers(0, 4, (n, 2, N_DRAWN)).tolist()
    return [(key, response) for key, response in drawn]


def groups(labels: Sequence[int]) -> EntityLists:
    """The mentions 0, 1, … of each label."""
    return grouped(range(len(labels)), labels)


def repair(correct: Sequence[int], given: Sequence[int]) -> list[Pair]:
    """The response turned into the key step by step, each step paired with the key.

    correct, given  the entity of each mention in the key and in the response, numbers below 8

    First every response entity is split into what it shares with each key entity, then these parts
    are merged. A split removes only wrong coreference links, a merge adds only correct ones.
    """
    parts = groups([N_DRAWN * g + r for r, g in zip(correct, given, strict=True)])
    split = [(part, N_DRAWN + number) for number, part in enumerate(parts)]
    merged = [(part, 2 * N_DRAWN + correct[part[0]]) for part in parts]
    labels, steps = [*given], [groups(given)]
    for part, label in [*split, *merged]:
        labels = [label if mention in part else old for mention, old in enumerate(labels)]
        if groups(labels) != steps[-1]:
            steps.append(groups(labels))
    return [(groups(correct), step) for step in steps]


def singletons_set_right(key: Partition, response: Partition) -> Iterator[Chain]:
    """The response before and after each key singleton is taken out of its entity."""
    alone = [mention for entity in key if len(entity) == 1 for mention in entity]
    for mention in alone:
        rest = [[m for m in entity if m != mention] for entity in response]
        if [mention] not in response:
            yield [(key, response), (key, [[mention], *filter(None, rest)])]


def _score_chains(chains: Sequence[Chain], metrics: Sequence[Metric]) -> pd.DataFrame:
    """One row per pair of each chain and metric, by the metric.

    Columns: f1, change (of F1 since the pair before in its chain) and entities (how many more the
    response has than the one before); NaN for the first pair of a chain.
    """
    pairs = [pair for chain in chains for pair in chain]
    scores = score_partitions(pairs, metrics)
    scores["chain"] = np.repeat(np.arange(len(chains)), [*map(len, chains)])[scores["pair"]]
    scores["entities"] = [len(pairs[pair][1]) for pair in scores["pair"]]
    steps = scores.groupby(["metric", "chain"], sort=False)[["f1", "entities"]].diff()
    scores = scores[["metric", "f1"]].assign(change=steps["f1"], entities=steps["entities"])
    return scores.set_index("metric")


def _f1(pairs: Sequence[Pair], metrics: Sequence[Metric]) -> pd.DataFrame:
    """One row per pair, one column per metric."""
    return wide(score_partitions(pairs, metrics), "pair")


def _desiderata(setting: Setting) -> pd.DataFrame:
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
    repaired = _score_chains([repair(*sides) for sides in labels], metrics)
    drawn = [(groups(correct), groups(given)) for correct, given in labels]
    alone = [chain for pair in drawn for chain in singletons_set_right(*pair)]
    set_right = _score_chains(alone, metrics) if alone else repaired[:0]
    steps = {
        FALLS: repaired["change"].dropna() < -TOLERANCE,
        ADDED: repaired["change"][repaired["entities"] < 0] <= TOLERANCE,
        REMOVED: repaired["change"][repaired["entities"] > 0] <= TOLERANCE,
        ALONE: set_right["change"].dropna() <= TOLERANCE,
    }
    f1 = repaired["f1"].groupby(level="metric", sort=False)
    small = _f1([(SMALL_KEY, partition) for partition in partitions_of(6)], metrics)
    eight = eight_systems()
    key = eight[0][0]
    single = {
        WRONG: eight[0],
        MISSED: _only(key, 4, 3),
        "all singletons": eight[6],
        "one entity": eight[7],
        LARGE: _only(key, 4),
        "finds the entity of 2": _only(key, 2),
    }
    of_single = _f1([*single.values()], metrics).set_axis([*single])
    values_of_checks: list[tuple[str, pd.Series[float], int]] = [
        ("lowest", f1.min(), len(repaired) // len(f1)),
        ("highest", f1.max(), len(repaired) // len(f1)),
        *(
            (check, of.astype(float).groupby(level="metric", sort=False).mean(), len(of) // len(f1))
            for check, of in steps.items()
            if len(of)
        ),
        (ALL, n_different(small) / len(small), len(small)),
        (GAP, small.agg(_widest_gap), len(small)),
        (EIGHT, n_different(_f1(eight, metrics)) / len(eight), len(eight)),
        *((str(check), values, 1) for check, values in of_single.iterrows()),
    ]
    tables = [
        values.rename_axis("metric").rename("value").reset_index().assign(check=check, of=of)
        for check, values, of in values_of_checks
    ]
    return pd.concat(tables, ignore_index=True)[["check", "metric", "value", "of"]]


def _widest_gap(values: "pd.Series[float]") -> float:
    """The widest stretch from 0 to 1 without a value."""
    return float(np.diff(np.unique([0, *values, 1])).max())


def _only(key: Partition, *sizes: int) -> Pair:
    """The key, and the key with its entities of other sizes in singletons."""
    split = [[[*e]] if len(e) in sizes else [[mention] for mention in e] for e in key]
    return key, [*chain.from_iterable(split)]


def _never(table: pd.DataFrame, checks: Sequence[str]) -> Check:
    """Whether BLANC does not at any step do what these checks count, of those that were drawn."""
    drawn = table[table["check"].isin(checks)]
    if drawn.empty:
        raise UntoldError("no error was drawn")
    in_words = []
    for check, rows in drawn[drawn["metric"].isin(COMPARED)].groupby("check", sort=False):
        n_steps = rows["of"].iloc[0]
        counts = numbers_of(rows.set_index("metric")["value"] * n_steps, count)
        in_words.append(f"{check}, of {counted(n_steps, 'step')}: {counts}")
    return Check(not drawn.query("metric == 'blanc'")["value"].any(), ". ".join(in_words))


DESIDERATA = PAPER.experiment(
    "recasens2011-desiderata",
    _desiderata,
    {"never": _never},
    select=lambda table: table[table["check"].isin((FALLS, ADDED, REMOVED, ALONE, ALL, GAP))],
)
