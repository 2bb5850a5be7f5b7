"""Recasens & Hovy 2011, §3.2: desiderata of a score, on random and on all small partitions."""

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.replication.claims import COMPARED, needing, numbers_of
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter
from corescore.replication.recasens2011.desiderata_table import (
    ADDED,
    ALL,
    ALONE,
    EIGHT,
    EVERYTHING,
    FALLS,
    GAP,
    HIGHEST,
    LARGE,
    LOWEST,
    MISSED,
    NOTHING,
    REMOVED,
    SMALL,
    WRONG,
    desiderata,
    drawn,
)
from corescore.replication.recasens2011.table8 import SYSTEMS
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import counted, listed, percent

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
