"""Moosavi & Strube 2016, Figures 6 and 7: an entity split, and mentions too many."""

from collections.abc import Sequence

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import PolicyError
from corescore.replication.claims import Checker, in_order, joined, needing, points, title, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016.toys import KEY, scored, toy_key
from corescore.replication.partitions import Partition, of_sizes, read_parts
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

OURS = "ours, of the same figure"

# Figure 6: an entity in parts ---------------------------------------------------------------------

SPLIT, MERGED = "split", "merged"


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (way, parts, metric).

    Columns: way ("split": the response has the parts, "merged": the key has them), parts (their
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
    """The key with its first entity of that many mentions in parts of these sizes."""
    if 0 in sizes:
        raise PolicyError("a part has no mention; expected whole numbers from 1")
    at = _entity_of(key, sum(sizes))
    parts = [[key[at][m] for m in part] for part in of_sizes(sizes)]
    return [*key[:at], *parts, *key[at + 1 :]]


def _entity_of(key: list[range], size: int) -> int:
    """The first entity of a size; PolicyError if there is none."""
    at = next((at for at, entity in enumerate(key) if len(entity) == size), None)
    if at is None:
        raise PolicyError(f"the key has no entity of {size} mentions; expected the size of one")
    return at


def _splits(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each split, a column for each metric."""
    return wide(table[table["way"] == SPLIT], "parts")


@needing("muc")
def _only_number_of_parts(table: pd.DataFrame) -> Check:
    f1 = _splits(table)["muc"]
    n_parts = [len(name.split("-")) for name in f1.index]
    by_number = [f1[[at == n for at in n_parts]] for n in sorted({*n_parts})]
    if max(map(len, by_number)) == 1:
        return Check(None, "no two splits into as many parts")
    apart = max(scores.max() - scores.min() for scores in by_number)
    pairs = zip(sorted({*n_parts}), by_number, strict=True)
    numbers = [f"{percent(scores.max())} for {n} parts" for n, scores in pairs]
    return Check(bool(apart <= TOLERANCE), f"{', '.join(numbers)}; at most {points(apart)} apart")


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
        return joined((title(metric), in_order(f1[metric], names)) for metric in metrics)

    return check


def _same_merged(table: pd.DataFrame) -> Check:
    f1 = wide(table, ["parts", "way"])
    ways = f1.groupby(level="parts")
    apart = (ways.max() - ways.min()).max()
    other = {str(name): by for name, by in apart.items() if by > TOLERANCE}
    numbers = [f"{title(name)} differs by up to {points(by)}" for name, by in other.items()]
    return Check(not other, "; ".join(numbers) or "no metric differs")


FIGURE_6 = Experiment(
    id="moosavi2016-fig6",
    paper=MOOSAVI_2016,
    where="Figure 6",
    title="What does it cost to split an entity, or to merge several?",
    setup=(
        "The response is the key of Figures 2 to 5 with one of its entities in parts: 18-2 is the "
        "entity of 20 mentions in two parts, 5-3-2 one of the entities of ten in three. The rest "
        "is right. The paper's orders come out so, and not if the key is that one entity alone. "
        "Beside it the same merged: key and response change places."
    ),
    run=_figure_6,
    chart=Chart("bars", x="parts", facet="way", x_title="sizes of the parts"),
    claims=(
        Claim(
            "MUC sees only into how many parts an entity falls.",
            "Figure 6",
            _only_number_of_parts,
        ),
        Claim(
            "CEAF_e tells neither 2-2 from 10-10 nor 9-9-2 from 9-5-6.",
            "Figure 6",
            _not_told_apart,
        ),
        Claim(
            "B³ puts 18-2 before 5-3-2 and that before 16-4.",
            "Figure 6",
            _splits_in_order(("bcub",), ("18-2", "5-3-2", "16-4")),
        ),
        Claim(
            "BLANC puts 5-3-2 before 18-2 and that before 16-4.",
            "Figure 6",
            _splits_in_order(("blanc",), ("5-3-2", "18-2", "16-4")),
        ),
        Claim(
            "CEAF_m, CEAF_e and LEA put 18-2 before 16-4 and that before 5-3-2.",
            "Figure 6",
            _splits_in_order(("ceafm", "ceafe", "lea"), ("18-2", "16-4", "5-3-2")),
        ),
        Claim(
            "Merging costs as much as splitting.",
            OURS,
            _same_merged,
            note="Recall and precision change places, and F1 stays.",
        ),
    ),
    parameters=(
        KEY,
        Parameter(
            "parts",
            "Parts",
            "18-2 3-2 2-2 16-4 10-10 5-3-2 9-9-2 9-5-6",
            "Sizes of the parts; together they are the size of an entity of the key.",
            reads=read_parts,
        ),
    ),
)

# Figure 7: extra mentions -------------------------------------------------------------------------


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (extra, metric).

    Columns: extra (such as "2-10"), number (of extra mentions), size (of the key entity that they
    join; 0 = they make an entity of their own), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for extra in read_parts(str(setting.values["extra"])):
        if len(extra) != 2 or not extra[0]:
            raise PolicyError(f"an extra is '{'-'.join(map(str, extra))}'; expected one as '2-10'")
        rows.append((f"{extra[0]}-{extra[1]}", *extra))
        pairs.append((key, _with_extra(key, *extra)))
    return scored(rows, ["extra", "number", "size"], pairs, setting)


def _with_extra(key: list[range], number: int, size: int) -> Partition:
    n_mentions = sum(map(len, key))
    extra = range(n_mentions, n_mentions + number)
    if size == 0:
        return [*key, extra]
    at = _entity_of(key, size)
    return [*key[:at], [*key[at], *extra], *key[at + 1 :]]


def _whatever_the_size(metric: str, numbers: tuple[int, ...]) -> Checker:
    """Whether so many extra mentions cost the same in an entity of any size."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        joining = table[table["number"].isin(numbers) & (table["size"] > 0)]
        by_number = wide(joining, ["number", "extra"]).groupby(level="number")
        apart = (by_number.max() - by_number.min()).max()
        several = (by_number.size() > 1).any()
        if not several:
            return Check(None, "no two sizes to compare")
        rest = [f"{title(str(name))} {points(by)}" for name, by in apart.items() if name != metric]
        same = f"{title(metric)} differs by up to {points(apart[metric])}"
        return Check(bool(apart[metric] <= TOLERANCE), f"{same}; others: {', '.join(rest)}")

    return check


def _extras_in_order(metric: str, *lists: tuple[str, ...]) -> Checker:
    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "extra")[metric]
        return joined((title(metric), in_order(f1, names)) for names in lists)

    return check


@needing("lea")
def _better_together(table: pd.DataFrame) -> Check:
    """Whether extra mentions of their own cost less than as many in an entity of the key."""
    joining, own = (wide(part, ["number", "extra"]) for part in _by_joining(table))
    most = joining.groupby(level="number").max()
    least = (own.droplevel("extra") - most).dropna(how="all").min()
    if least.isna().all():
        return Check(None, "no number of mentions that both join and stay apart")
    told = [f"{title(name)} {100 * least[name]:+.2f}" for name in joining.columns]
    return Check(bool(least["lea"] > TOLERANCE), f"at the least, in points: {', '.join(told)}")


def _by_joining(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows where extra mentions join an entity, and those where they do not."""
    return table[table["size"] > 0], table[table["size"] == 0]


FIGURE_7 = Experiment(
    id="moosavi2016-fig7",
    paper=MOOSAVI_2016,
    where="Figure 7",
    title="What do extra mentions cost?",
    setup=(
        "The response is the key with extra mentions: 2-10 are two extra mentions in one of the "
        "key's entities of ten, 2-0 two extra mentions that make an entity of their own. The "
        "paper does not say what they are added to; here it is the key of Figures 2 to 5, "
        "otherwise resolved without an error."
    ),
    run=_figure_7,
    chart=Chart("bars", x="extra", x_title="extra mentions – size of the entity that they join"),
    claims=(
        Claim(
            "LEA: two extra mentions linked together cost less than one linked to an entity.",
            "§7.4",
            _extras_in_order("lea", ("2-0", "1-2")),
        ),
        Claim(
            "LEA: extra mentions linked together cost less than as many linked to an entity.",
            OURS,
            _better_together,
        ),
        Claim(
            "MUC: extra mentions cost the same whatever the size of the entity that they join.",
            OURS,
            _whatever_the_size("muc", (1, 2, 3)),
        ),
        Claim(
            "LEA: one extra mention costs the same whatever the size of the entity.",
            OURS,
            _whatever_the_size("lea", (1,)),
        ),
        Claim(
            "LEA: two or three extra mentions cost more in the larger entity.",
            OURS,
            _extras_in_order("lea", ("2-2", "2-10"), ("3-2", "3-10")),
        ),
    ),
    parameters=(
        KEY,
        Parameter(
            "extra",
            "Extra mentions",
            "1-2 1-10 2-0 2-2 2-10 3-0 3-2 3-10",
            "How many, and the size of the entity that they join; 0 for one of their own.",
            reads=read_parts,
        ),
    ),
)

EXPERIMENTS = (FIGURE_6, FIGURE_7)
