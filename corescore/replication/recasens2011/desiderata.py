"""Recasens & Hovy 2011: desiderata of a score, checked on random and on all small partitions."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import Metric, title_of
from corescore.replication.claims import COMPARED, needing
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import of_sizes, score_partitions
from corescore.replication.recasens2011.table8 import SYSTEMS, eight_systems
from corescore.replication.toys import Pair, n_different
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

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
N_DRAWN = 8
LOWEST, HIGHEST, FALLS = "lowest", "highest", "steps that fall"
EIGHT, ALL = "different, eight responses", "different, all partitions"
SMALL_KEY = of_sizes([1, 2, 3])


def _desiderata(setting: Setting) -> pd.DataFrame:
    """Rows (check, metric). Columns: check, metric, value (a fraction) and `of` (how many).

    lowest, highest   the lowest and highest F1 of the pairs and of every step of their repair
    steps that fall   the share of repair steps at which F1 falls
    different, eight responses  the number of different F1 among A to H of Tables 8 to 11, by eight
    different, all partitions   the same for all partitions of six mentions
    """
    rng = np.random.default_rng(setting.number("seed"))
    drawn = rng.integers(0, 4, (setting.number("pairs"), 2, N_DRAWN)).tolist()
    chains = [repair(correct, given) for correct, given in drawn]
    checks = [
        *_range_and_falls(chains, setting.metrics),
        _granularity(EIGHT, eight_systems(), setting.metrics),
        _granularity(ALL, _all_partitions(), setting.metrics),
    ]
    return pd.concat(checks, ignore_index=True)


def _groups(labels: Sequence[int]) -> list[list[int]]:
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
    parts = _groups([N_DRAWN * g + r for r, g in zip(correct, given, strict=True)])
    split = [N_DRAWN + number for number in range(len(parts))]
    merged = [2 * N_DRAWN + correct[part[0]] for part in parts]
    labels, stages = list(given), [_groups(given)]
    for part, label in [*zip(parts, split, strict=True), *zip(parts, merged, strict=True)]:
        labels = [label if mention in part else old for mention, old in enumerate(labels)]
        stages.append(_groups(labels))
    steps = [stage for at, stage in enumerate(stages) if not at or stage != stages[at - 1]]
    return [(_groups(correct), step) for step in steps]


def _range_and_falls(
    chains: Sequence[Sequence[Pair]], metrics: Sequence[Metric]
) -> Iterator[pd.DataFrame]:
    scores = score_partitions([pair for chain in chains for pair in chain], metrics)
    scores["chain"] = np.repeat(np.arange(len(chains)), [*map(len, chains)])[scores["pair"]]
    f1 = scores.groupby("metric", sort=False)["f1"]
    yield _check(LOWEST, f1.min(), scores["pair"].nunique())
    yield _check(HIGHEST, f1.max(), scores["pair"].nunique())
    steps = scores.groupby(["metric", "chain"], sort=False)["f1"].diff().dropna()
    falls = (steps < -TOLERANCE).groupby(scores["metric"], sort=False)
    n_steps = int(falls.size().iloc[0])
    yield _check(FALLS, falls.sum() / n_steps, n_steps)


def _granularity(check: str, pairs: Sequence[Pair], metrics: Sequence[Metric]) -> pd.DataFrame:
    f1 = score_partitions(pairs, metrics).groupby("metric", sort=False)["f1"]
    return _check(check, f1.agg(n_different) / len(pairs), len(pairs))


def _check(check: str, values: "pd.Series[float]", of: int) -> pd.DataFrame:
    rows = [(check, metric, float(value), of) for metric, value in values.items()]
    return pd.DataFrame(rows, columns=["check", "metric", "value", "of"])


def _all_partitions() -> list[Pair]:
    """Each partition of six mentions against the small key."""
    n = sum(map(len, SMALL_KEY))
    return [(SMALL_KEY, _groups(labels)) for labels in _labellings(n)]


def _labellings(n: int) -> Iterator[list[int]]:
    """One labelling of each partition of n mentions: a new label is the next number."""
    if not n:
        yield []
        return
    for labels in _labellings(n - 1):
        yield from ([*labels, label] for label in range(max(labels, default=-1) + 2))


def _values(table: pd.DataFrame, check: str) -> "pd.Series[float]":
    """The value of each compared metric."""
    return table[table["check"] == check].set_index("metric")["value"][list(COMPARED)]


def _of(table: pd.DataFrame, check: str) -> int:
    return int(table.loc[table["check"] == check, "of"].iloc[0])


def _counted(table: pd.DataFrame, check: str) -> dict[str, int]:
    """The value as a count, for each compared metric."""
    of, values = _of(table, check), _values(table, check)
    return {metric: round(of * values[metric]) for metric in COMPARED}


def _numbers(counts: dict[str, int]) -> str:
    return ", ".join(f"{title_of(metric)} {count}" for metric, count in counts.items())


@needing(*COMPARED)
def _in_range(table: pd.DataFrame) -> Check:
    low, high = _values(table, LOWEST), _values(table, HIGHEST)
    numbers = f"from {percent(low.min())} to {percent(high.max())}"
    return Check(bool(low.min() >= 0 and high.max() <= 1 + TOLERANCE), numbers)


@needing(*COMPARED)
def _never_falls(table: pd.DataFrame) -> Check:
    falls = _counted(table, FALLS)
    numbers = f"falls in {_of(table, FALLS)} steps: {_numbers(falls)}"
    return Check(falls["blanc"] == 0, numbers)


@needing(*COMPARED)
def _tells_systems(table: pd.DataFrame) -> Check:
    n = _counted(table, EIGHT)
    return Check(n["blanc"] == len(SYSTEMS), f"of {len(SYSTEMS)}: {_numbers(n)}")


@needing(*COMPARED)
def _fine(table: pd.DataFrame) -> Check:
    """Compares BLANC with the metrics that the paper knows; CEAF_e and LEA are only shown."""
    n = _counted(table, ALL)
    holds = n["blanc"] > max(n["muc"], n["bcub"], n["ceafm"])
    return Check(holds, f"of {_of(table, ALL)} partitions: {_numbers(n)}")


DESIDERATA = Experiment(
    id="recasens2011-desiderata",
    paper=RECASENS_2011,
    where="the desiderata",
    title="Does a score stay in range, rise with every fix, and tell responses apart?",
    setup=(
        "Range: the lowest and highest F1 of random keys and responses over the same eight "
        "mentions. Steps: each response is fixed step by step until it is the key. First every "
        "entity is split into what it shares with each key entity, which removes only wrong links; "
        "then these parts are merged, which adds only correct links. A score should never fall. "
        "Granularity: how many different scores the eight responses of Tables 8 to 11 have, and "
        "all 203 partitions of six mentions against {1}{2,3}{4,5,6}. What exactly is checked is "
        "our choice."
    ),
    run=_desiderata,
    chart=Chart("bars", x="metric", y="value", y_title="percent", facet="check"),
    claims=(
        Claim("All scores lie between 0 and 100.", "desiderata: range", _in_range),
        Claim("Fixing errors never lowers BLANC.", "desiderata: monotone", _never_falls),
        Claim(
            "BLANC gives each of the eight responses a different score.",
            "desiderata: discrimination",
            _tells_systems,
        ),
        Claim(
            "BLANC distinguishes more partitions than MUC, B³ and CEAF_m.",
            "abstract (fine granularity)",
            _fine,
            note="This measure is ours: the number of different scores of all partitions of six "
            "mentions.",
        ),
    ),
    parameters=PARAMETERS,
)
