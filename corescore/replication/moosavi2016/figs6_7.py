"""Moosavi & Strube 2016, Figure 6: an entity that is split or merged."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRICS, title_of
from corescore.replication.claims import (
    Checker,
    in_order,
    joined,
    needing,
    numbers_of,
    others,
    points,
    wide,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016.toys import KEY, fitting, scored, toy_key
from corescore.replication.partitions import Partition, of_sizes, read_parts, score_partitions
from corescore.util import PLACES, TOLERANCE, WHOLE
from corescore.wording import counted, listed, percent, signed

SPLIT, MERGED = "split", "merged"


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (way, parts, metric).

    Columns: way ("split": the response has the parts; "merged": the key has them), parts (their
    sizes, such as "18-2"), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for parts in read_parts(str(setting.values["parts"])):
        name, split = "-".join(map(str, parts)), _in_parts(key, parts)
        rows += [(SPLIT, name), (MERGED, name)]
        pairs += [(key, split), (split, key)]
    return scored(rows, ["way", "parts"], pairs, setting)


def _in_parts(key: list[range], sizes: Sequence[int]) -> Partition:
    """The key with its first entity of the sizes' sum split into parts of these sizes."""
    if 0 in sizes:
        raise PolicyError("a part has no mention; expected whole numbers from 1")
    at = entity_of_size(key, sum(sizes))
    parts = [[key[at][m] for m in part] for part in of_sizes(sizes)]
    return [*key[:at], *parts, *key[at + 1 :]]


def entity_of_size(key: list[range], size: int) -> int:
    """The first entity of a size; PolicyError if there is none."""
    at = next((at for at, entity in enumerate(key) if len(entity) == size), None)
    if at is None:
        raise PolicyError(f"the key has no entity of {size} mentions; expected the size of one")
    return at


def _split_rows(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["way"] == SPLIT]


def _splits(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each split, a column for each metric."""
    return wide(_split_rows(table), "parts")


@needing("muc")
def _only_number_of_parts(table: pd.DataFrame) -> Check:
    f1 = _splits(table)["muc"]
    n_parts = [len(name.split("-")) for name in f1.index]
    by_number = [f1[[at == n for at in n_parts]] for n in sorted({*n_parts})]
    if max(map(len, by_number)) == 1:
        return Check(None, "no two splits into the same number of parts")
    apart = max(scores.max() - scores.min() for scores in by_number)
    pairs = zip(sorted({*n_parts}), by_number, strict=True)
    numbers = [f"{percent(scores.max())} for {n} parts" for n, scores in pairs]
    return Check(bool(apart <= TOLERANCE), f"{', '.join(numbers)}; at most {points(apart)} apart")


@needing("muc", "bcub")
def _merged_alike(_table: pd.DataFrame) -> Check:
    """Whether two singletons that are merged score like two entities of ten, on a key of both."""
    ten, other, *singletons = of_sizes([10, 10, 1, 1])
    key = [ten, other, *singletons]
    small = [ten, other, [m for entity in singletons for m in entity]]
    large = [[*ten, *other], *singletons]
    f1 = wide(score_partitions([(key, small), (key, large)], METRICS), "pair")
    numbers = "; ".join(
        f"{title_of(name)}: singletons {percent(f1[name][0])}, entities of ten "
        f"{percent(f1[name][1])}"
        for name in ("muc", "bcub")
    )
    return Check(bool(abs(f1["muc"][0] - f1["muc"][1]) <= TOLERANCE), numbers)


@needing("ceafe")
def _not_told_apart(table: pd.DataFrame) -> Check:
    f1 = _splits(table)["ceafe"]
    pairs = [("2-2", "10-10"), ("9-9-2", "9-5-6")]
    there = [pair for pair in pairs if {*pair} <= {*f1.index}]
    if not there:
        return Check(None, "neither pair of splits is there")
    apart = [abs(f1[one] - f1[other]) for one, other in there]
    numbers = [f"{one} {percent(f1[one])}, {other} {percent(f1[other])}" for one, other in there]
    return Check(bool(max(apart) <= TOLERANCE), "; ".join(numbers))


def _splits_in_order(metrics: tuple[str, ...], names: tuple[str, ...]) -> Checker:
    @needing(*metrics)
    def check(table: pd.DataFrame) -> Check:
        f1 = _splits(table)
        return joined((title_of(metric), in_order(f1[metric], names)) for metric in metrics)

    return check


def n_scores(f1: pd.DataFrame) -> "pd.Series[int]":
    """How many different scores each metric gives: a row for each response, a column each."""
    return f1.round(PLACES).nunique()


def more_than_muc(name: str) -> Checker:
    """Whether LEA gives more different scores than MUC; for tables as of `swapped_alike`."""

    @needing("muc", "lea")
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, ["way", name])
        n, total = n_scores(f1), counted(len(f1.groupby(level=name)), "response")
        numbers = f"different scores of {total}: LEA {n['lea']}, MUC {n['muc']}"
        return Check(bool(n["lea"] > n["muc"]), numbers)

    return check


def swapped_alike(name: str) -> Checker:
    """Whether swapping the sides swaps recall and precision and keeps F1, under every metric.

    The table has two rows for each value of the column `name`, which `way` tells apart.
    """
    measures = (("f1", "f1"), ("recall", "precision"), ("precision", "recall"))

    def check(table: pd.DataFrame) -> Check:
        one, other = (part for _, part in table.groupby("way", sort=False))
        pairs = [(wide(one, name, here), wide(other, name, there)) for here, there in measures]
        apart = pd.concat([(here - there).abs() for here, there in pairs]).max()
        off = {str(metric): by for metric, by in apart.items() if by > TOLERANCE}
        numbers = [
            f"{title_of(metric)} differs by up to {points(by)}" for metric, by in off.items()
        ]
        return Check(not off, "; ".join(numbers) or "no metric differs")

    return check


FIGURE_6 = Experiment(
    id="moosavi2016-fig6",
    paper=MOOSAVI_2016,
    where="Figure 6",
    title="What does it cost to split an entity, or to merge several?",
    setup=(
        "The response is the key of Figures 2 to 5 with one of its entities split: 18-2 is the "
        "entity of 20 mentions in two parts, 5-3-2 one of the entities of ten in three parts. "
        "Everything else is correct. With this key the order of the scores is the paper's; with a "
        "key of that one entity alone it is not. The table to download has merging, too, where key "
        "and response are swapped."
    ),
    run=_figure_6,
    chart=Chart("bars", x="parts", x_title="sizes of the parts", of=_split_rows),
    claims=(
        Claim(
            "MUC depends only on the number of parts an entity is split into.",
            "§7.3, Figure 6",
            _only_number_of_parts,
            id="muc-parts",
            scope="property",
        ),
        Claim(
            "CEAF_e gives 2-2 and 10-10 the same score, and also 9-9-2 and 9-5-6.",
            "§7.3, Figure 6",
            _not_told_apart,
            id="ceafe-not-apart",
            scope="result",
        ),
        Claim(
            "B³ scores 18-2 higher than 5-3-2, and that higher than 16-4.",
            "§7.3, Figure 6",
            _splits_in_order(("bcub",), ("18-2", "5-3-2", "16-4")),
            id="bcub-order",
            scope="result",
        ),
        Claim(
            "BLANC scores 5-3-2 higher than 18-2, and that higher than 16-4.",
            "§7.3, Figure 6",
            _splits_in_order(("blanc",), ("5-3-2", "18-2", "16-4")),
            id="blanc-order",
            scope="result",
        ),
        Claim(
            "CEAF_m, CEAF_e and LEA score 18-2 higher than 16-4, and that higher than 5-3-2.",
            "§7.3, Figure 6",
            _splits_in_order(("ceafm", "ceafe", "lea"), ("18-2", "16-4", "5-3-2")),
            id="ceaf-lea-order",
            scope="result",
        ),
        Claim(
            "MUC depends on how many links are missing or wrong, not on whether two singletons or "
            "two large entities are merged.",
            "§3.1",
            _merged_alike,
            note="The key is ours: two entities of ten and two singletons. B³ is for comparison.",
            id="muc-merged",
            scope="property",
        ),
        Claim(
            "LEA discriminates more than MUC.",
            "§4",
            more_than_muc("parts"),
            id="more-than-muc",
            scope="property",
        ),
        Claim(
            "Merging has the effect of splitting with key and response swapped.",
            "§7.3",
            swapped_alike("parts"),
            note="Recall and precision are swapped, and F1 stays the same.",
            id="merging",
            scope="property",
        ),
    ),
    parameters=(
        KEY,
        Parameter(
            "parts",
            "Parts",
            "18-2 3-2 2-2 16-4 10-10 5-3-2 9-9-2 9-5-6",
            "Sizes of the parts, which add up to the size of an entity of the key.",
            reads=read_parts,
            of_key=fitting(sum),
        ),
    ),
)

EXTRA, MISSING = "extra", "missing"


# What is checked of Moosavi & Strube 2016, Figure 7; its table is that of `fig7` ------------------


def extras(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["way"] == EXTRA]


def _f1(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each list of extra mentions, a column for each metric."""
    return wide(extras(table), "extra")


# What §7.4 says of the figure ---------------------------------------------------------------------


@needing("muc", "ceafm")
def fewest_scores(table: pd.DataFrame) -> Check:
    n, rest = n_scores(_f1(table)), others(table, "muc", "ceafm")
    if not rest:
        return Check(None, "no other metric is scored")
    numbers = ", ".join(f"{title_of(name)} {n[name]}" for name in ("muc", "ceafm", *rest))
    total = counted(_f1(table).shape[0], "response")
    holds = max(n["muc"], n["ceafm"]) < min(n[name] for name in rest)
    return Check(bool(holds), f"different scores of {total}: {numbers}")


def _lowest(f1: "pd.Series[float]") -> list[str]:
    return [str(name) for name in f1.index[f1 <= f1.min() + TOLERANCE]]


@needing("ceafe")
def worst_but_for_ceafe(table: pd.DataFrame) -> Check:
    f1, rest = _f1(table), others(table, "ceafe")
    if "3-10" not in f1.index or not rest:
        return Check(None, "3-10 is not among the points" if rest else "no other metric is scored")
    lowest = {name: _lowest(f1[name]) for name in (*rest, "ceafe")}
    numbers = ", ".join(f"{title_of(name)} {listed(at)}" for name, at in lowest.items())
    holds = all("3-10" in lowest[name] for name in rest) and "3-10" not in lowest["ceafe"]
    return Check(holds, f"lowest: {numbers}")


@needing("ceafe")
def own_entity_worst(table: pd.DataFrame) -> Check:
    f1 = _f1(table)["ceafe"]
    if not {"2-0", "3-0"} <= {*f1.index}:
        return Check(None, "2-0 and 3-0 are not among the points")
    numbers = ", ".join(f"{name} {percent(value)}" for name, value in f1.sort_values().items())
    return Check({*_lowest(f1)} == {"2-0", "3-0"}, f"CEAF_e: {numbers}")


@needing("lea")
def only_lea(table: pd.DataFrame) -> Check:
    """Whether LEA alone scores 2-0 higher than 1-2 and than 1-10."""
    f1, rest = _f1(table), others(table, "lea")
    if not {"2-0", "1-2", "1-10"} <= {*f1.index} or not rest:
        return Check(None, "2-0, 1-2 or 1-10 is missing" if rest else "no other metric is scored")
    least = (f1.loc[["2-0"]] - f1.loc[["1-2", "1-10"]].max()).iloc[0]
    numbers = numbers_of(least[["lea", *rest]], signed)
    holds = least["lea"] > TOLERANCE and (least[rest] <= TOLERANCE).all()
    return Check(bool(holds), f"2-0 less the better of 1-2 and 1-10, in points: {numbers}")


def whatever_the_size(metric: str, numbers: tuple[int, ...]) -> Checker:
    """Whether each number of extra mentions costs the same in an entity of any size."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        of_extras = extras(table)
        joining = of_extras[of_extras["number"].isin(numbers) & (of_extras["size"] > 0)]
        by_number = wide(joining, ["number", "extra"]).groupby(level="number")
        apart = (by_number.max() - by_number.min()).max()
        several = (by_number.size() > 1).any()
        if not several:
            return Check(None, "no two sizes to compare")
        rest = [
            f"{title_of(str(name))} {points(by)}" for name, by in apart.items() if name != metric
        ]
        same = f"{title_of(metric)} differs by up to {points(apart[metric])}"
        return Check(bool(apart[metric] <= TOLERANCE), f"{same}; others: {', '.join(rest)}")

    return check


def weight_of_error(n: int, k: int) -> Fraction:
    """What LEA's precision loses for k extra mentions in an entity of n, in mentions: importance
    n + k, times the share of the entity's links that are wrong (§7.4)."""
    return (n + k) * (1 - Fraction(comb(n, 2), comb(n + k, 2)))


@needing("lea")
def formula(table: pd.DataFrame) -> Check:
    """Whether the formula gives what LEA's precision loses, and 2 for a single extra mention."""
    of_extras = extras(table)
    lea = of_extras[(of_extras["metric"] == "lea") & (of_extras["size"] > 1)]
    if lea.empty:
        return Check(None, "no extra mention joins an entity")
    lost = (1 - lea["precision"]) * lea["mentions"]
    weights = [weight_of_error(n, k) for n, k in zip(lea["size"], lea["number"], strict=True)]
    same = all(abs(a - b) < WHOLE for a, b in zip(lost, weights, strict=True))
    alone = [weight for weight, k in zip(weights, lea["number"], strict=True) if k == 1]
    told = zip(lea["extra"], weights, lost, strict=True)
    numbers = "; ".join(f"{name}: {float(w):.2f}, lost {value:.2f}" for name, w, value in told)
    return Check(same and all(weight == 2 for weight in alone), numbers)


# Ours ---------------------------------------------------------------------------------------------


@needing("lea")
def more_in_larger(table: pd.DataFrame) -> Check:
    f1, lists = _f1(table)["lea"], (("2-2", "2-10"), ("3-2", "3-10"))
    return joined((title_of("lea"), in_order(f1, names)) for names in lists)


@needing("lea")
def better_together(table: pd.DataFrame) -> Check:
    """Whether extra mentions cost less in an entity of their own than in one of the key."""
    of_extras = extras(table)
    joining, own = (
        wide(part, ["number", "extra"])
        for part in (of_extras[of_extras["size"] > 0], of_extras[of_extras["size"] == 0])
    )
    most = joining.groupby(level="number").max()
    least = (own.droplevel("extra") - most).dropna(how="all").min()
    if least.isna().all():
        return Check(
            None, "no number of extra mentions both in an entity of the key and on their own"
        )
    numbers = numbers_of(least[joining.columns], signed)
    return Check(bool(least["lea"] > TOLERANCE), f"at least, in points: {numbers}")


WHERE, OURS = "§7.4, Figure 7", "ours, from the same figure"


# Moosavi & Strube 2016, Figure 7: extra mentions --------------------------------------------------


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (way, extra, metric).

    Columns: way ("extra": the response has mentions that the key lacks; "missing": the sides
    are swapped), extra (such as "2-10"), number (of these mentions), size (of the entity that they
    join; 0 = they make an entity of their own), mentions (of the side that has them), metric,
    recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for extra in read_parts(str(setting.values["extra"])):
        if len(extra) != 2 or not extra[0]:
            raise PolicyError(f"an extra is '{'-'.join(map(str, extra))}'; expected one as '2-10'")
        name, more = f"{extra[0]}-{extra[1]}", _with_extra(key, *extra)
        n_mentions = sum(map(len, more))
        rows += [(way, name, *extra, n_mentions) for way in (EXTRA, MISSING)]
        pairs += [(key, more), (more, key)]
    return scored(rows, ["way", "extra", "number", "size", "mentions"], pairs, setting)


def _with_extra(key: list[range], number: int, size: int) -> Partition:
    n_mentions = sum(map(len, key))
    extra = range(n_mentions, n_mentions + number)
    if size == 0:
        return [*key, extra]
    at = entity_of_size(key, size)
    return [*key[:at], [*key[at], *extra], *key[at + 1 :]]


CLAIMS = (
    Claim(
        "MUC and CEAF_m discriminate least between outputs with extra mentions: they give the "
        "fewest different scores.",
        WHERE,
        fewest_scores,
        id="fewest-scores",
        scope="result",
    ),
    Claim(
        "LEA discriminates more than MUC.",
        "§4",
        more_than_muc("extra"),
        id="more-than-muc",
        scope="property",
    ),
    Claim(
        "All metrics but CEAF_e put 3-10 last, alone or with others.",
        WHERE,
        worst_but_for_ceafe,
        note="For MUC every three extra mentions that join an entity cost the same, for CEAF_m "
        "any three.",
        id="worst",
        scope="result",
    ),
    Claim(
        "CEAF_e puts 2-0 and 3-0 last, though the key's entities are all correct there.",
        WHERE,
        own_entity_worst,
        note="One response entity in 18 is wrong, of whatever size: F1 is 34/35.",
        id="ceafe-own-entity",
        scope="result",
    ),
    Claim(
        "Only LEA scores 2-0 higher than 1-2 and 1-10.",
        WHERE,
        only_lea,
        note="LEA loses a weight of 2 in all three. That 2-0 is ahead comes from the number of "
        "the response's mentions alone: 1 − 2/81 against 1 − 2/80.",
        id="only-lea",
        scope="result",
    ),
    Claim(
        "LEA: one extra mention costs the same whatever the size of the entity.",
        WHERE,
        whatever_the_size("lea", (1,)),
        id="one-extra",
        scope="universal",
    ),
    Claim(
        "k extra mentions in an entity of n cost LEA’s precision a weight of (n + k)(1 − n(n − 1) "
        "/ ((n + k)(n + k − 1))), which is 2 for k = 1.",
        "§7.4",
        formula,
        note="For k = 1 it is (n + 1)(1 − (n − 1)/(n + 1)) = (n + 1) − (n − 1).",
        id="formula",
        scope="universal",
    ),
    Claim(
        "Missing mentions have the effect of extra ones with key and response swapped.",
        "§7.4",
        swapped_alike("extra"),
        note="Recall and precision are swapped, and F1 stays the same.",
        id="missing",
        scope="property",
    ),
    Claim(
        "LEA: extra mentions linked to each other cost less than the same number linked to an "
        "entity.",
        OURS,
        better_together,
        id="together",
        scope="result",
        ours=True,
    ),
    Claim(
        "MUC: extra mentions cost the same whatever the size of the entity they join.",
        OURS,
        whatever_the_size("muc", (1, 2, 3)),
        id="muc-sizes",
        scope="property",
        ours=True,
    ),
    Claim(
        "LEA: two or three extra mentions cost more in the larger entity.",
        OURS,
        more_in_larger,
        id="more-in-larger",
        scope="result",
        ours=True,
    ),
)

FIGURE_7 = Experiment(
    id="moosavi2016-fig7",
    paper=MOOSAVI_2016,
    where="Figure 7",
    title="What do extra mentions cost?",
    setup=(
        "The response is the key with extra mentions: 2-10 adds two mentions to one of the key's "
        "entities of ten, 2-0 adds two mentions as an entity of their own. The paper does not say "
        "what they are added to; here it is the key of Figures 2 to 5, otherwise resolved without "
        "error. The table to download has missing mentions, too, where key and response are "
        "swapped."
    ),
    run=_figure_7,
    chart=Chart(
        "bars",
        x="extra",
        x_title="extra mentions – size of the entity they join",
        of=extras,
    ),
    claims=CLAIMS,
    parameters=(
        KEY,
        Parameter(
            "extra",
            "Extra mentions",
            "1-2 1-10 2-0 2-2 2-10 3-0 3-2 3-10",
            "How many, and the size of the entity they join; 0 for an entity of their own.",
            reads=read_parts,
            of_key=fitting(lambda extra: extra[1]),
        ),
    ),
)
