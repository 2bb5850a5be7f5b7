"""Moosavi & Strube 2016 on systems: Tables 1, 4 and 5; and what is worked out of the errata."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import INCORRECT, Incorrect, count_incorrectly_resolved
from corescore.analysis.perturbation import (
    LessPreciseA,
    LessPreciseB,
    LessPreciseBPrinted,
    MorePrecise,
    baseline,
    perturb,
    without_singletons,
)
from corescore.analysis.perturbation.sweep import Expectation, Sweep, expectation, run_table
from corescore.analysis.systems.many import ranks
from corescore.bibliography import LUO_2014
from corescore.corpus.build import from_entities
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES, harmonic_mean, harmonic_mean_of
from corescore.counting.policies import Blanc, Policies
from corescore.metrics import CONLL, METRIC_IDS, name_of
from corescore.replication.claims import (
    UntoldError,
    cut,
    joined,
    numbers_of,
    orders,
    others,
    points,
    wide,
)
from corescore.replication.experiment import Check, Reading, Setting, in_paper
from corescore.replication.moosavi2016.toys import (
    DATA,
    TABLE_3,
    passage,
    responses,
    score_rows,
)
from corescore.replication.printed import Printed
from corescore.scoring.scores import Result, score
from corescore.scoring.tables import is_opposite
from corescore.util import HALF_A_PLACE, TOLERANCE, WHOLE, FloatArray
from corescore.wording import (
    RATIOS,
    counted,
    listed,
    out_of,
    percent,
    with_key_singletons,
    written,
)

# What is printed, and what scores tell of a response ----------------------------------------------

BASE, MORE = "Base", "More precise"
LESS_A, LESS_B = "Less precise (a)", "Less precise (b)"
LESS_B_PRINTED = "Less precise (b), as printed"
SYS_SING, SYS_1ENT = "sys-sing", "sys-1ent"
KEY_SING, KEY_1ENT, RESPONSE = "key-sing", "key-1ent", "Response"
BEST, FIRST, SECOND = "Wiseman", "Martschat", "Peng"
IN_TABLE_1 = ("muc", "bcub", "ceafe", "blanc")

# The numbers in the running text, by their names.
TEXT = pd.read_csv(DATA.path / "counts.csv", comment="#", index_col="name")["value"]
COUNTS = DATA.printed("§2")


def _with_text(numbers: pd.DataFrame) -> pd.DataFrame:
    """Printed scores with what the text says of the key and of what was removed and added, named as
    in the computed tables, and how far a score may be off. The key has no singletons."""
    n = COUNTS.numbers.set_index("system")["removed_or_added"]
    return numbers.assign(
        key_mentions=TEXT["key_mentions"],
        key_entities=TEXT["key_entities"],
        key_singletons=0,
        incorrectly_resolved=n[MORE],
        incorrect_singletons=0,
        added_entities=numbers["system"].map(n.drop(MORE)).fillna(0),
        off_by=HALF_A_PLACE,
    )


SCORES, BOUNDARIES = (
    replace(DATA.printed(where), also=_with_text) for where in ("Table 1", "Table 4")
)
RANKING, MENTIONS = DATA.printed("Table 5"), DATA.printed("§6")

# Their responses are changed mention by mention and their sizes told from the scores: each mention
# is in one entity, and all metrics score the same ones.
ALLOWED = {"singletons": ("keep", "drop"), "repeats": ("first", "error")}


def _results(setting: Setting, responses: Mapping[str, Corpus]) -> dict[str, Result]:
    """The scores of responses that are made of the data's, and of this one, named BASE."""
    (key, _), policies = setting.data, setting.policies
    return {
        name: score(
            key, of, policies if name == BASE else policies.of_perturbed, metrics=setting.metrics
        )
        for name, of in responses.items()
    }


def _sizes_of(result: Result) -> dict[str, int]:
    """Mentions and entities of the response and of the key."""
    sizes = {name: int(of.sum()) for name, of in result.sizes.items()}
    mine = {name: sizes[f"response_{name}"] for name in ("mentions", "entities")}
    return mine | {name: sizes[name] for name in ("key_mentions", "key_entities")}


def _column(table: pd.DataFrame, system: str, value: str = "f1") -> "pd.Series[float]":
    """One column of the rows of a system, by metric."""
    rows = table[table["system"] == system].set_index("metric")
    if rows.empty:
        raise UntoldError("the outputs of the paper's systems are not among the data")
    return rows[value]


def _count(table: pd.DataFrame, system: str, value: str) -> int:
    return int(_column(table, system, value).iloc[0])


def _cut(fraction: float) -> str:
    """In percent, cut after two decimals."""
    return cut(100 * fraction)


# Recall and precision of a metric are one sum over two totals, of the key and of the response. So
# the total of the response is the key's, times recall, over precision: links by MUC (of each entity
# one fewer than it has mentions), entities by CEAFₑ. Printed scores are rounded, which leaves
# bounds: numbers stand in rows of three, as they are, at least and at most.


class Bounded(NamedTuple):
    """A number, and the bounds that it is within."""

    value: float
    low: float
    high: float

    def meets(self, other: "Bounded") -> bool:
        """Whether both can be the same number."""
        return bool(self.low <= other.high + WHOLE and other.low <= self.high + WHOLE)

    def allows(self, number: float) -> bool:
        return self.meets(Bounded(number, number, number))

    def __str__(self) -> str:
        """1,020 exactly, or with how far it may be off: 1,019.9 ± 2.4."""
        off = max(self.high - self.value, self.value - self.low)
        exact = off < WHOLE
        return written(self.value, ",.0f" if exact else ",.1f") + ("" if exact else f" ± {off:.1f}")


class Sizes(NamedTuple):
    """Of a response, or how many more than another: links as MUC counts them, and so on."""

    links: Bounded
    entities: Bounded
    mentions: Bounded

    def __str__(self) -> str:
        links, entities, mentions = map(str, self)
        return f"more MUC links: {links}; entities: {entities}; mentions: {mentions}"


def _minus(one: FloatArray, other: FloatArray) -> FloatArray:
    """The difference of rows of bounds."""
    return one - other[..., [0, 2, 1]]


def _off_by(table: pd.DataFrame) -> FloatArray:
    """How far off a score may be: not at all, unless it is printed."""
    return np.array([0, -1, 1]) * (table["off_by"].iloc[0] if "off_by" in table else 0.0)


def _totals(table: pd.DataFrame, system: str, *metrics: str) -> FloatArray:
    """(metrics × bounds) what MUC or CEAFₑ divides precision by; columns key_mentions and
    key_entities."""
    mentions, entities = (table[f"key_{of}"].iloc[0] for of in ("mentions", "entities"))
    of_key = {"muc": mentions - entities, "ceafe": entities}
    off = _off_by(table)
    recall, precision = (
        _column(table, system, of)[[*metrics]].to_numpy()[:, None] for of in ("recall", "precision")
    )
    if min(recall.min(), precision.min()) <= off.max():
        raise UntoldError("a response that earns no credit says nothing about its size")
    totals = np.array([[of_key[metric]] for metric in metrics])
    of_response: FloatArray = totals * (recall + off) / (precision - off)
    return of_response


def _sizes(table: pd.DataFrame, system: str) -> FloatArray:
    """(links, entities, mentions × bounds) by the scores of MUC and CEAFₑ."""
    totals = _totals(table, system, "muc", "ceafe")
    return np.vstack([totals, totals.sum(axis=0)])


def response_sizes(table: pd.DataFrame, system: str, *, beyond: str = "") -> Sizes:
    """How many links, entities and mentions a system has, as its scores tell; or how many more than
    another."""
    sizes = _sizes(table, system)
    sizes = _minus(sizes, _sizes(table, beyond)) if beyond else sizes
    return Sizes(*(Bounded(*row) for row in sizes))


def consistent(table: pd.DataFrame, harmonic: Sequence[str], *, average: bool = False) -> Check:
    """Whether F1 and the average are the means that they should be, as far as rounding tells.

    harmonic  the metrics whose F1 is the harmonic mean of recall and precision
    """
    scores = table[table["metric"].isin(harmonic)]
    if scores.empty:
        raise UntoldError("none of these metrics is scored")
    half = _off_by(table).max()  # of F1; and twice as much of a mean of two as far apart as can be
    recall, precision, f1 = scores[[*MEASURES]].to_numpy(float).T
    fits = {"F1": abs(harmonic_mean(recall, precision) - f1) <= 3 * half + TOLERANCE}
    by_system = wide(table, "system")
    if average and CONLL.id in by_system:
        off = by_system[[*CONLL.members]].mean(axis=1) - by_system[CONLL.id]
        fits["averages"] = off.abs().to_numpy() <= 2 * half + TOLERANCE
    numbers = [f"{out_of(int(of.sum()), len(of))} {name}" for name, of in fits.items()]
    return Check(all(of.all() for of in fits.values()), f"{listed(numbers)} fit")


# Table 1: responses that are more and less precise ------------------------------------------------

CHANGES = {
    MORE: MorePrecise(),
    LESS_A: LessPreciseA(),
    LESS_B: LessPreciseB(),
    LESS_B_PRINTED: LessPreciseBPrinted(),
}


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): Base is the response as it is, the others are perturbed from it.

    Columns: system, metric, recall, precision, f1 (fractions; CoNLL is an F1 only),
    recall_low, recall_high, precision_low … f1_high (the lowest and the highest over as many random
    draws as the parameter "seeds" says, the first of them with the parameter "seed"), recall_other,
    precision_other, f1_other (with the other value of the parameter "incorrect"), mentions and
    entities (of that system), incorrectly_resolved (how many of its mentions are, by the parameter
    "incorrect"), incorrect_singletons (how many of these are singletons in the key),
    added_entities (how many more entities than Base; 0 where mentions were removed),
    removed_or_added (how many mentions were removed, or entities added), key_mentions,
    key_entities, recall_should, precision_should, f1_should (how each should change if a metric
    counts correct links; "" for any way).
    """
    key, response = setting.data
    incorrect = choose("incorrect", setting.text("incorrect"), INCORRECT)
    (other,) = {*INCORRECT} - {incorrect}
    first, left_behind = setting.number("seed"), setting.text("left_behind")
    changes = {name: replace(change, incorrect=incorrect) for name, change in CHANGES.items()}
    responses = {BASE: response} | {
        name: perturb(
            key,
            response,
            [change],
            seed=first,
            left_behind=left_behind,
            singletons=setting.policies.singletons,
            words=setting.policies.words,
        )
        for name, change in changes.items()
    }
    results = _results(setting, responses)
    table = score_rows(results, setting)

    def drawn(name: str, reading: Incorrect, n_seeds: int) -> pd.DataFrame:
        sweep = Sweep(
            result=results[BASE],
            perturbation=replace(CHANGES[name], incorrect=reading),
            doses=(1.0,),
            seeds=tuple(range(first, first + n_seeds)),
            left_behind=left_behind,
        )
        return run_table(sweep, [*table["metric"].unique()]).assign(system=name)

    by_chance = [drawn(one, incorrect, setting.number("seeds")) for one in changes if one != MORE]
    by_reading = [drawn(one, other, 1) for one in changes]
    every, read_otherwise = (
        pd.concat(rows)
        .astype(dict.fromkeys(MEASURES, float))  # None for recall and precision of CoNLL
        .groupby(["system", "metric"], sort=False)[[*MEASURES]]
        for rows in ([*by_chance, table], [*by_reading, table[table["system"] == BASE]])
    )
    ends = {"low": every.min(), "high": every.max(), "other": read_otherwise.first()}
    bounds = pd.concat([of.add_suffix(f"_{end}") for end, of in ends.items()], axis=1)
    named = [f"{of}_{end}" for of in MEASURES for end in ("low", "high")]
    named += [f"{of}_other" for of in MEASURES]
    sizes = {name: _changed_sizes(of, results[BASE], incorrect) for name, of in results.items()}
    should = {name: expectation([change]) for name, change in changes.items()}
    should[BASE] = Expectation("", "")
    return (
        table.join(bounds[named], on=["system", "metric"])
        .join(pd.DataFrame(sizes).T, on="system")
        .assign(
            recall_should=[should[name].recall for name in table["system"]],
            precision_should=[should[name].precision for name in table["system"]],
            f1_should="",
        )
    )


def _changed_sizes(result: Result, base: Result, incorrect: Incorrect) -> dict[str, int]:
    mine, before = _sizes_of(result), _sizes_of(base)
    removed = before["mentions"] - mine["mentions"]
    added = max(mine["entities"] - before["entities"], 0)
    every, singletons = count_incorrectly_resolved(result.comparison)
    counted = singletons if incorrect == "all" else 0
    return {
        "mentions": mine["mentions"],
        "entities": mine["entities"],
        "incorrectly_resolved": every - singletons + counted,
        "incorrect_singletons": counted,
        "added_entities": added,
        "removed_or_added": removed if removed > 0 else added,
        **{name: mine[name] for name in ("key_mentions", "key_entities")},
    }


def _drawn(table: pd.DataFrame) -> pd.DataFrame:
    """What the chart draws: the scores of each system, their bounds, those of the other reading,
    and what each should do."""
    ends = ("", "_low", "_high", "_other", "_should")
    scores = [f"{measure}{end}" for measure in MEASURES for end in ends]
    return table[["system", "metric", *scores, "mentions", "entities"]]


def _at_a_glance(table: pd.DataFrame) -> str:
    """Which metrics' recall stays as it should, and which one's does not; and which signs depend on
    the reading of incorrectly resolved."""
    recall = wide(table, "system", "recall")[others(table)].astype(float)
    moves = (recall.drop(index=BASE) - recall.loc[BASE]).abs().max() > TOLERANCE
    stays, moved = ([name_of(str(m)) for m in moves.index[moves == of]] for of in (False, True))
    does = f"changes under {listed(moved)}" if moved else "does not"
    does += f", not under {listed(stays)}" if moved and stays else ""
    sentence = f"By the paper, recall should not change in any variant. It {does}."
    found = []
    for system in CHANGES:
        one, other = (
            _column(table, system, of) - _column(table, BASE) for of in ("f1", "f1_other")
        )
        names = [m for m in METRIC_IDS if m in one and is_opposite(one[m], other[m])]
        if names:
            found.append(f"{listed(map(name_of, names))} ({system})")
    if not found:
        return sentence
    return (
        f"{sentence} By the other reading of “incorrectly resolved”, F1 moves the other way under "
        f"{listed(found)}: only one reading counts singletons in the key, which have no link to "
        "find."
    )


def _of_change(check: Callable[..., Check]) -> Callable[..., Check]:
    """The check, with what was changed; it cannot be told where nothing was."""

    def checked(table: pd.DataFrame, system: str, **given: Any) -> Check:
        removed, alone, added = (
            _count(table, of, name)
            for of, name in (
                (BASE, "incorrectly_resolved"),
                (BASE, "incorrect_singletons"),
                (system, "added_entities"),
            )
        )
        words = f"{counted(added, 'wrong entity')} added"
        if system == MORE:
            words = f"{counted(removed, 'incorrectly resolved mention')} removed"
            words = with_key_singletons(words, removed, alone)
        if not (removed if system == MORE else added):
            raise UntoldError("nothing to remove from or add to this response")
        of = check(table, system, **given)
        return replace(of, numbers=f"{words}; {of.numbers}")

    return checked


def gain(table: pd.DataFrame, system: str, of: str) -> "pd.Series[float]":
    return _column(table, system, of) - _column(table, BASE, of)


def scores_rise(table: pd.DataFrame, system: str) -> Check:
    """Whether the scores rise in all metrics of the paper's table but MUC: by F1, or read as
    recall."""
    rises = {
        RATIOS[of]: orders(table, {f"bcub ceafe blanc {of}": f"{system} > {BASE}"}, by="system")
        for of in ("f1", "recall")
    }
    readings = tuple(Reading(f"by {name}", check.holds) for name, check in rises.items())
    return replace(joined(rises.items()), holds=readings[0].holds, readings=readings)


def printed_directions(table: pd.DataFrame, system: str) -> Check:
    """Whether each score of (b), as printed, moves as the printed row does; and how many of (b)."""
    printed, numbers, holds = _directions(SCORES.told, LESS_B), [], True
    for name in (system, LESS_B):
        same = _directions(table, name) == printed
        off = [f"{RATIOS[of]} of {name_of(m)}" for of, m in same.index[~same]]
        numbers.append(f"{name}: {out_of(int(same.sum()), len(same))}")
        numbers[-1] += f", but not {listed(off)}" if off else ""
        holds = holds and (name == LESS_B or not off)
    return Check(holds, "; ".join(numbers))


def _directions(table: pd.DataFrame, system: str) -> "pd.Series[float]":
    """By measure and metric of the paper's table: 1 for a score above that of Base, −1 below."""
    gains = pd.concat({of: gain(table, system, of)[[*IN_TABLE_1]] for of in MEASURES})
    return gains.gt(TOLERANCE).astype(float) - gains.lt(-TOLERANCE)


def _told(table: pd.DataFrame, system: str) -> tuple[Sizes, int]:
    """How many more links, entities and mentions than Base a system has, as the scores show; and
    how many entities were added."""
    change = response_sizes(table, system, beyond=BASE)
    return change, _count(table, system, "added_entities")


def mentions_lost(table: pd.DataFrame, system: str) -> Check:
    """Whether the scores tell that More precise lost the incorrectly resolved mentions."""
    (*_, mentions), _ = _told(table, system)
    n = _count(table, BASE, "incorrectly_resolved")
    return Check(mentions.allows(-n), f"mentions {mentions}")


def pairs_added(table: pd.DataFrame, system: str) -> Check:
    """Whether the scores tell that what a system adds are pairs."""
    change, n = _told(table, system)
    return Check(change.links.allows(n) and change.entities.allows(n), str(change))


def large_entities_added(table: pd.DataFrame, system: str) -> Check:
    """Whether Less precise (b) adds fewer entities than (a), and larger ones."""
    (change, n), (_, of_a) = _told(table, system), _told(table, LESS_A)
    larger = not change.links.allows(n)
    return Check(n < of_a and larger and change.entities.allows(n), str(change))


def large_entities_added_in_print() -> Check:
    """Whether the printed scores of (b) tell of as many entities as §2 has; as readings, whether
    of larger ones or of pairs."""
    table = SCORES.told
    change, n = _told(table, LESS_B)
    more = change.mentions.value - n
    links = response_sizes(table, BASE).links.value
    expected = _column(table, BASE, "precision")["muc"] * links / (links + more)
    numbers = (
        f"{change}; by §2 {n:,.0f} entities, which would have {more:,.0f} more links and bring "
        f"MUC precision to {percent(expected)}, not "
        f"{percent(_column(table, LESS_B, 'precision')['muc'])}"
    )
    return Check(change.entities.allows(n), numbers)


def pairs_and_singletons(table: pd.DataFrame, system: str) -> Check:
    """Whether a pair was added for each entity of (b), and singletons, all of them wrong: each
    entity earns B³ a precision of 1 in sum."""
    after, before = (
        _sizes(table, name)[2] * (_column(table, name, "precision")["bcub"] + _off_by(table))
        for name in (system, BASE)
    )
    gained, ((links, entities, _), _) = Bounded(*_minus(after, before)), _told(table, system)
    singletons = Bounded(*_minus(np.array(entities), np.array(links)))
    numbers = (
        f"{links} pairs and {singletons} singletons; the sum of B³ precision over mentions rises "
        f"by {gained}, 1 for each of {entities} wrong entities"
    )
    n = _count(table, LESS_B, "added_entities")
    return Check(links.allows(n) and gained.meets(entities), numbers)


def _row_b() -> Check:
    """The same, with what the printed scores of (b) do fit."""
    of_text, fit = large_entities_added_in_print(), pairs_and_singletons(SCORES.told, LESS_B)
    readings = (
        Reading("as many larger entities as §2 has", of_text.holds),
        Reading("as many pairs", pairs_added(SCORES.told, LESS_B).holds),
    )
    return replace(
        of_text, numbers=f"{of_text.numbers}. What fits: {fit.numbers}", readings=readings
    )


TABLE_1 = DATA.experiment(
    "moosavi2016-table1",
    _table_1,
    {
        "orders-of-change": _of_change(lambda table, system, **given: orders(table, **given)),
        "scores-rise": _of_change(scores_rise),
        "count-more": _of_change(mentions_lost),
        "count-less-a": _of_change(pairs_added),
        "count-less-b": _of_change(large_entities_added),
        "pairs-and-singletons": _of_change(pairs_and_singletons),
        "printed-directions": _of_change(printed_directions),
        "consistent": consistent,
    },
    in_print={
        "count-less-b": large_entities_added_in_print,
        "pairs-and-singletons": lambda: pairs_and_singletons(SCORES.told, LESS_B),
    },
    of=_drawn,
    finding=_at_a_glance,
    allowed={
        **ALLOWED,
        # As mentions are removed and added: those of the same words, and all of them.
        "match": ("exact",),
        "lookup": ("pairs",),
        "mentions": ("all",),
        "zeros": ("dependent", "linear"),
    },
    printed=(SCORES, COUNTS),
)

# Table 4: boundary systems, which know nothing of coreference -------------------------------------


def _table_4(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): the mentions of the response and of the key as singletons and in one
    entity per document, and the response itself.

    Columns: system, metric, recall, precision, f1 (fractions; CoNLL is an F1 only),
    mentions, entities (of that system), key_singletons (how many singletons of the key are among
    its mentions), key_mentions, key_entities.
    """
    (key, response), words = setting.data, setting.policies.words
    if setting.policies.singletons == "drop":  # before anything else
        key, response = without_singletons(key), without_singletons(response)
    results = _results(
        setting,
        {
            SYS_SING: baseline(key, kind="singletons", mentions_of=response, words=words),
            SYS_1ENT: baseline(key, kind="one-entity", mentions_of=response, words=words),
            KEY_SING: baseline(key, kind="singletons"),
            KEY_1ENT: baseline(key, kind="one-entity"),
            RESPONSE: response,
        },
    )
    sizes = pd.DataFrame({name: _sizes_of(result) for name, result in results.items()}).T
    sizes.insert(2, "key_singletons", [*map(_key_singletons, results.values())])
    return score_rows(results, setting).join(sizes, on="system")


def _key_singletons(result: Result) -> int:
    """How many singletons of the key are among the mentions of the response."""
    own, sizes = result.comparison.recall, result.comparison.table.key_sizes
    return int(((own.own_partner >= 0) & (sizes[own.own_entity] == 1)).sum())


def _of_key(check: Callable[..., Check], *, links: bool = True) -> Callable[..., Check]:
    """The check, which cannot be told for a key without coreference links, or without mentions."""

    def checked(table: pd.DataFrame, **given: Any) -> Check:
        mentions, entities = (table[of].iloc[0] for of in ("key_mentions", "key_entities"))
        if mentions == (entities if links else 0):
            raise UntoldError(f"the key has no {'coreference link' if links else 'mention'}")
        return check(table, **given)

    return checked


def _singletons_score(table: pd.DataFrame, system: str, metrics: Sequence[str]) -> Check:
    """Whether MUC gives singletons nothing and LEA only those of the key, but all others some."""
    if "mentions" in table and not _count(table, system, "mentions"):
        raise UntoldError("no mention is left to score")  # as singletons are dropped
    recall, more = _column(table, system, "recall"), others(table, *metrics)
    of_key, alone = (_count(table, system, of) for of in ("key_mentions", "key_singletons"))
    by_links = recall["muc"] <= TOLERANCE and abs(recall["lea"] - alone / of_key) <= TOLERANCE
    numbers = numbers_of(recall[[*metrics, *more]])
    had = f"of the key's {of_key:,} mentions, it has {alone:,} that are singletons there"
    return Check(by_links and all(recall[more] > TOLERANCE), f"recall {numbers}; {had}")


def _told_sizes(table: pd.DataFrame) -> tuple[Bounded, Sizes, str]:
    """The entities of the singletons, which are mentions, the sizes of the one entity, in words."""
    alone = Bounded(*_totals(table, SYS_SING, "ceafe")[0])
    together = response_sizes(table, SYS_1ENT)
    found = _column(table, SYS_SING, "precision")["bcub"] * together.mentions.value
    words = (
        f"mentions: {alone} by CEAFₑ of {SYS_SING}, {together.mentions} by MUC and CEAFₑ of "
        f"{SYS_1ENT}, in {together.entities} parts; the key has {found:,.0f} of them by B³ of "
        f"{SYS_SING}, {percent(found / table['key_mentions'].iloc[0])}% of its own"
    )
    return alone, together, words


def _system_mentions(table: pd.DataFrame) -> Check:
    """Whether both systems tell the number of mentions and of documents that there are."""
    alone, together, words = _told_sizes(table)
    there, parts = (_count(table, SYS_1ENT, of) for of in ("mentions", "entities"))
    holds = alone.allows(there) and together.mentions.allows(there)
    return Check(
        holds and together.entities.allows(parts),
        f"{words}; there are {there:,} mentions in {parts:,}",
    )


PARTS = 346  # what the printed MUC of one entity a part fits, of the 348 that §2 counts


def system_mentions_in_print(table: pd.DataFrame) -> Check:
    """Whether both systems can have the same number of mentions, in the parts that §3.1 fits."""
    alone, together, words = _told_sizes(table)
    fits = alone.meets(together.mentions) and together.entities.allows(PARTS)
    return Check(fits, f"{words}; {BEST} has {response_sizes(table, BEST).mentions}")


def _equal_by_average(table: pd.DataFrame) -> Check:
    one, other = (_column(table, system)["conll"] for system in (FIRST, SECOND))
    numbers = f"{FIRST} {percent(one)}, {SECOND} {percent(other)}: {points(one - other)} apart"
    return Check(abs(one - other) < 0.001, numbers)


def peng_is_precise(table: pd.DataFrame) -> Check:
    """Whether CEAFₑ gives Peng about as much recall as precision, and LEA marginally more
    precision: by how many points at most is open."""
    recall, precision = (_column(table, SECOND, of) for of in ("recall", "precision"))
    alike = abs(recall["ceafe"] - precision["ceafe"]) < 0.01
    numbers = [
        f"{name_of(name)} recall {percent(recall[name])}, precision {percent(precision[name])}"
        for name in ("ceafe", "lea")
    ]
    apart = precision["lea"] - recall["lea"]
    significant = _column(table, FIRST)["lea"] - _column(table, SECOND)["lea"]
    bounds = {
        "a point": 0.01,
        "five points": 0.05,
        f"the {points(significant)} of §6 between significant scores": significant,
    }
    readings = tuple(
        Reading(f"marginally: by less than {words}", alike and TOLERANCE < apart < bound)
        for words, bound in bounds.items()
    )
    numbers.append(f"LEA's precision is {points(apart)} higher")
    return Check(any(one.holds for one in readings), "; ".join(numbers), readings=readings)


def _one_entity_beats_best() -> Check:
    """Whether MUC of the F1 that §3.1 prints beats the best system."""
    best = 100 * _column(BOUNDARIES.told, BEST)["muc"]
    numbers = f"recall {TEXT['recall']:.0f}; F1 {TEXT['f1']:.2f} against {best:.2f} of {BEST}"
    return Check(TEXT["recall"] == 100 and TEXT["f1"] > best, f"MUC {numbers}")


def _precision_by_parts(table: pd.DataFrame) -> Check:
    mentions, entities, parts = (
        _count(table, KEY_1ENT, of) for of in ("key_mentions", "key_entities", "entities")
    )
    expected = (mentions - entities) / (mentions - parts)
    off = abs(_column(table, KEY_1ENT, "precision")["muc"] - expected)
    numbers = f"({mentions:,} − {entities:,}) / ({mentions:,} − {parts:,}) = {percent(expected)}"
    return Check(off <= TOLERANCE, numbers)


def parts_in_print() -> Check:
    """Whether the MUC of §3.1 comes out: with one entity in all, as the text has it, or one in each
    part, as the scorer counts; the figures rounded or cut."""
    printed = [f"{TEXT[of]:.2f}" for of in ("precision", "f1")]
    readings, numbers = [], []
    for n in (1, round(TEXT["parts"]), PARTS):
        mentions = TEXT["key_mentions"]
        precision = (mentions - TEXT["key_entities"]) / (mentions - n)
        muc = (precision, 2 * precision / (1 + precision))
        entities = "one entity in all" if n == 1 else f"one entity in each of {n} parts"
        for words, write in (("rounded", percent), ("cut", _cut)):
            holds = [write(value) for value in muc] == printed
            readings.append(Reading(f"{entities}, figures {words}", holds))
        numbers.append(f"{entities}: {percent(muc[0])} and F1 {percent(muc[1])}")
    told = f"{'; '.join(numbers)}; printed: {printed[0]} and F1 {printed[1]}"
    return Check(readings[0].holds, told, readings=tuple(readings))


TABLE_4 = DATA.experiment(
    "moosavi2016-table4",
    _table_4,
    {
        "sys-sing": _of_key(_singletons_score, links=False),
        "orders-of-links": _of_key(orders),
        "orders-of-mentions": _of_key(orders, links=False),
        "system-mentions": _of_key(_system_mentions),
        "consistent": consistent,
        "equal-by-average": _equal_by_average,
        "peng-precision": peng_is_precise,
        "key-1ent-parts": _of_key(_precision_by_parts),
    },
    in_print={
        "system-mentions": lambda: system_mentions_in_print(BOUNDARIES.told),
        "key-1ent-muc": _one_entity_beats_best,
        "key-1ent-parts": parts_in_print,
    },
    of=lambda table: table[["system", "metric", *MEASURES, "mentions", "entities"]],
    allowed=ALLOWED,
    printed=(BOUNDARIES,),
)

# Table 5: the systems of CoNLL-2012, ranked by each metric ----------------------------------------

AVERAGE, SHARING = "conll", "lea"


def scores_in_print() -> pd.DataFrame:
    """(systems × metrics) the printed F1 as fractions, in the order of the table."""
    numbers = RANKING.numbers
    return wide(numbers, "system").loc[numbers["system"].unique()]


def _table_5(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), "conll" among the metrics.

    Columns: system, metric, score (F1 as printed; of the average the mean of the three printed
    ones; fractions), place (by that score; 1 is the best), moves (how many places lower than by
    the average). f1 and rank: what can be recomputed of the figures that Table 5 prints, the
    average and the ranks by score; NaN for the rest, with LEA's ranks, which need a test.
    """
    score = scores_in_print()
    score[AVERAGE] = score[[*CONLL.members]].mean(axis=1)
    place = pd.DataFrame(ranks(score.to_numpy().T).T, score.index, score.columns)
    moves = place.sub(place[AVERAGE], axis=0)
    columns = {"score": score, "place": place, "moves": moves}
    table = pd.DataFrame({name: of.stack() for name, of in columns.items()}).reset_index()
    has_rank = wide(RANKING.numbers, "system", "rank").loc[score.index].notna().stack().to_numpy()
    return table.assign(
        f1=table["score"].where(table["metric"] == AVERAGE),
        rank=table["place"].where(has_rank & (table["metric"] != SHARING)),
    )


def _one_winner(table: pd.DataFrame) -> Check:
    score = wide(table, "system", "score")
    best = score.idxmax()
    numbers = [f"{name_of(m)} {best[m]} {percent(score[m].max())}" for m in map(str, score)]
    return Check(best.nunique() == 1, ", ".join(numbers))


def _ranked_otherwise(table: pd.DataFrame) -> Check:
    """By Kendall's τ-b of each pair of metrics over the systems: the correlation of the signs of
    the differences of two systems. (Importing scipy.stats takes longer than all else.)"""
    score = wide(table, "system", "score")
    values, titles = score.to_numpy(), [name_of(str(metric)) for metric in score]
    tau = np.corrcoef(np.sign(values[:, None] - values).reshape(-1, len(titles)), rowvar=False)
    pairs = [(tau[a, b], titles[a], titles[b]) for a, b in combinations(range(len(titles)), 2)]
    numbers = " to ".join(
        f"{of:.2f} ({one} and {other})" for of, one, other in (min(pairs), max(pairs))
    )
    return Check(min(pairs)[0] < 1 - TOLERANCE, f"Kendall's τ from {numbers}")


def _someone_moves(table: pd.DataFrame) -> Check:
    moves = table["moves"].abs()
    most = table[(moves == moves.max()) & (moves > 0)]
    numbers = [
        f"{row['system']} is {row['place']} by {name_of(row['metric'])} and "
        f"{row['place'] - row['moves']} by CoNLL"
        for row in most.to_dict("records")
    ]
    return Check(not most.empty, "; ".join(numbers) or "no system moves")


def shared_ranks(printed: pd.DataFrame) -> Check:
    """Whether the systems that share LEA's rank stand together, at the best one's place."""
    lea = _table_5(TABLE_5.setting()).query("metric == @SHARING").set_index("system")
    lea["printed"] = wide(printed, "system", "rank")[SHARING]
    fits, numbers = [], []
    for rank, rows in lea.sort_values("place").groupby("printed"):
        best = rows["place"].min()
        fits.append(best == rank and rows["place"].max() < best + len(rows))
        if len(rows) > 1:
            named = listed(f"{name} ({percent(value)})" for name, value in rows["score"].items())
            numbers.append(f"{named} share rank {rank:.0f}")
    return Check(all(fits) and bool(numbers), "; ".join(numbers))


def _xu_moves(table: pd.DataFrame, rank: str = "place") -> Check:
    """Whether xu is above both others by LEA and below by the average, and the ranks."""
    by = wide(table, "system", rank)[[SHARING, AVERAGE]].T
    numbers = [
        f"{name} {by[name][SHARING]:.0f} by LEA and {by[name][AVERAGE]:.0f} by the average"
        for name in ("xu", "chen", "chunyuang")
    ]
    below = by[["chen", "chunyuang"]].sub(by["xu"], axis=0).T
    holds = below[SHARING].min() > 0 > below[AVERAGE].max()
    return Check(holds, ", ".join(numbers))


def _mentions(printed: pd.DataFrame) -> Check:
    counts = printed.set_index("system")
    recall, bare = counts["mention recall"], counts["without a correct link"]
    many, best = ["chen", "chunyuang"], ["fernandes", "martschat"]
    holds = recall[many].min() > recall[best].max() and bare[many].min() > bare["xu"]
    found = numbers_of(recall[[*many, *best]])
    without = numbers_of(bare[[*many, "xu"]], "{:.0f}".format)
    return Check(holds, f"recall of mentions: {found}; without a correct link: {without}")


TABLE_5 = DATA.experiment(
    "moosavi2016-table5",
    _table_5,
    {
        "xu-moves": _xu_moves,
        "shared-ranks": shared_ranks,
        "mentions": _mentions,
        "one-winner": _one_winner,
        "orders-differ": _ranked_otherwise,
        "single-metric": _someone_moves,
    },
    of=lambda table: table.drop(columns=["f1", "rank"]),
    printed=(RANKING, MENTIONS),
)

# Errata that are not the check of a claim ---------------------------------------------------------

RULES: tuple[Blanc, ...] = ("reference", "luo2014", "recasens2011")
SLIP = ("cr2", "blanc")  # the one cell of Table 3 that neither rounding nor cutting gives


def _mentions_named_twice() -> Check:
    mentions = pd.read_csv(DATA.path / "figure1.csv", comment="#")
    numbered = mentions[mentions["mention"].str.contains(r"\d$")]
    twice = numbered[numbered.duplicated("mention", keep=False)]
    numbers = [
        f"mention {row['number']} is {row['mention']} of entity ({row['entity']})"
        for row in twice.to_dict("records")
    ]
    within = numbered.duplicated(["mention", "entity"]).any()
    readings = (
        Reading("the numbers count in the whole text", twice.empty),
        Reading("the numbers count within an entity, whose index is a mark, too", not within),
    )
    return Check(twice.empty, "; ".join(numbers), readings=readings)


def _blanc_of_one_half() -> Check:
    key, (half,) = passage()[1], responses()["cr2"]
    found, of = comb(len(half), 2), comb(len(key), 2)
    f1 = percent(2 * found / (of + found))
    printed = TABLE_3.printed[0].cells.set_index(["response", "metric"])["f1 %"].to_dict()[SLIP]
    numbers = (
        f"{found} of the key's {of} links, and no other: recall {found}/{of}, precision 1, F1 = "
        f"2 · {found} / ({of} + {found}) = {f1}; printed {printed}. Neither side "
        "keeps two mentions apart, so this is BLANC"
    )
    readings = []
    for rule in RULES:
        value = score(*from_entities([key], [half]), Policies(blanc=rule))["blanc"].f1
        readings += [
            Reading(f"by the rule {rule}, {words}", write(value) == printed)
            for words, write in (("rounded", percent), ("cut", _cut))
        ]
    return Check(f1 == printed, numbers, readings=tuple(readings))


def _cut_not_rounded() -> Check:
    beside = TABLE_3.printed[0].beside(in_paper(TABLE_3).table)
    rows = [row for row in beside.to_dict("records") if (row["response"], row["metric"]) != SLIP]
    numbers = [
        f"{name_of(row['metric'])} of {row['response']} {row['computed']:.3f}: printed "
        f"{row['printed']}, rounded {row['computed']:.2f}"
        for row in rows
        if f"{row['computed']:.2f}" != row["printed"]
    ]
    readings = (
        Reading("the figures are rounded", not numbers),
        Reading("the figures are cut", all(cut(row["computed"]) == row["printed"] for row in rows)),
    )
    return Check(not numbers, "; ".join(numbers), readings=readings)


MISTAKEN = 0.1  # of MUC: what li would need more for all printed ranks to come out


def _muc_ranks() -> Check:
    muc = RANKING.numbers.query("metric == 'muc'").set_index("system")
    more = muc["f1"] + MISTAKEN * (muc.index == "li")
    tried = {"by F1": muc["f1"], "by F1 to one decimal": muc["f1"].round(3), "with more": more}
    place = {words: ranks(np.asarray(f1, float)) for words, f1 in tried.items()}
    fits = {words: bool((of == muc["rank"]).all()) for words, of in place.items()}
    off = muc.assign(place=place["by F1"]).query("rank != place").sort_values("place")
    numbers = [
        f"{name}: {percent(row['f1'])} is number {row['place']:.0f}, printed {row['rank']:.0f}"
        for name, row in off.iterrows()
    ]
    if fits.pop("with more"):
        numbers.append(
            f"with {percent(more['li'])} for li all {len(muc)} printed ranks are reproduced"
        )
    readings = tuple(Reading(words, holds) for words, holds in fits.items())
    return Check(off.empty, "; ".join(numbers), readings=readings)


def _blanc_of_yuan() -> Check:
    path = DATA.path.parent / "luo2014" / "table2.csv"
    luo = Printed("Table 2", path, ("language", "system"), paper=LUO_2014)
    rows = luo.numbers.query("language == 'English' and system == 'yuan'")
    recall, precision, there = (float(rows[name].iloc[0]) for name in MEASURES)
    here = float(_column(RANKING.numbers, "yuan")["blanc"])
    half = HALF_A_PLACE
    readings = (
        Reading("both papers round", abs(here - there) < half),
        Reading("this paper cuts and the other rounds", there - half < here + 2 * half),
    )
    return Check(
        percent(here) == percent(there),
        f"{percent(here)} here, {percent(there)} in {luo.title}, with recall {percent(recall)} and "
        f"precision {percent(precision)}; their harmonic mean, which F1 of BLANC cannot exceed, is "
        f"{percent(harmonic_mean_of(recall, precision))} and allows both",
        readings=readings,
    )


ARITHMETIC: dict[str, Callable[[], Check]] = {
    "moosavi2016-table1-less-precise-b": _row_b,
    "moosavi2016-table3-blanc": _blanc_of_one_half,
    "moosavi2016-table5-muc-ranks": _muc_ranks,
    "moosavi2016-figure1-them": _mentions_named_twice,
    "moosavi2016-table3-cut": _cut_not_rounded,
    "moosavi2016-table5-blanc-yuan": _blanc_of_yuan,
}
