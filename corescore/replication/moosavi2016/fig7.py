"""Moosavi & Strube 2016, Figure 7: extra mentions."""

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import PolicyError
from corescore.metrics import title_of
from corescore.replication.claims import Checker, in_order, joined, needing, points, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016.fig6 import entity_of_size
from corescore.replication.moosavi2016.toy_key import KEY, scored, toy_key
from corescore.replication.partitions import Partition, read_parts
from corescore.tolerances import TOLERANCE
from corescore.wording import signed

OURS = "ours, from the same figure"


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
    at = entity_of_size(key, size)
    return [*key[:at], [*key[at], *extra], *key[at + 1 :]]


def _whatever_the_size(metric: str, numbers: tuple[int, ...]) -> Checker:
    """Whether each number of extra mentions costs the same in an entity of any size."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        joining = table[table["number"].isin(numbers) & (table["size"] > 0)]
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


def _extras_in_order(metric: str, *lists: tuple[str, ...]) -> Checker:
    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "extra")[metric]
        return joined((title_of(metric), in_order(f1, names)) for names in lists)

    return check


@needing("lea")
def _better_together(table: pd.DataFrame) -> Check:
    """Whether extra mentions cost less in an entity of their own than in one of the key."""
    joining, own = (wide(part, ["number", "extra"]) for part in _by_joining(table))
    most = joining.groupby(level="number").max()
    least = (own.droplevel("extra") - most).dropna(how="all").min()
    if least.isna().all():
        return Check(
            None, "no number of extra mentions both in an entity of the key and on their own"
        )
    numbers = [f"{title_of(name)} {signed(least[name])}" for name in joining.columns]
    return Check(bool(least["lea"] > TOLERANCE), f"at least, in points: {', '.join(numbers)}")


def _by_joining(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows where extra mentions join an entity of the key, and those where they do not."""
    return table[table["size"] > 0], table[table["size"] == 0]


FIGURE_7 = Experiment(
    id="moosavi2016-fig7",
    paper=MOOSAVI_2016,
    where="Figure 7",
    title="What do extra mentions cost?",
    setup=(
        "The response is the key with extra mentions: 2-10 adds two mentions to one of the key's "
        "entities of ten, 2-0 adds two mentions as an entity of their own. The paper does not say "
        "what they are added to; here it is the key of Figures 2 to 5, otherwise resolved without "
        "error."
    ),
    run=_figure_7,
    chart=Chart("bars", x="extra", x_title="extra mentions – size of the entity they join"),
    claims=(
        Claim(
            "LEA: two extra mentions linked to each other cost less than one linked to an entity.",
            "§7.4",
            _extras_in_order("lea", ("2-0", "1-2")),
        ),
        Claim(
            "LEA: extra mentions linked to each other cost less than the same number linked to an "
            "entity.",
            OURS,
            _better_together,
        ),
        Claim(
            "MUC: extra mentions cost the same whatever the size of the entity they join.",
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
            "How many, and the size of the entity they join; 0 for an entity of their own.",
            reads=read_parts,
        ),
    ),
)
