"""Moosavi & Strube 2016, Figure 6: an entity that is split or merged."""

from collections.abc import Sequence

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRICS, title_of
from corescore.replication.claims import Checker, in_order, joined, needing, points, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016.toy_key import KEY, fitting, scored, toy_key
from corescore.replication.partitions import Partition, of_sizes, read_parts, score_partitions
from corescore.tolerances import PLACES, TOLERANCE
from corescore.wording import counted, percent

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
