"""Moosavi & Strube 2016, Table 1: responses that are more and less precise."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.analysis.errors.classes import INCORRECT, Incorrect, count_incorrectly_resolved
from corescore.analysis.perturbation import (
    LEFT_BEHIND,
    LessPreciseA,
    LessPreciseB,
    LessPreciseBPrinted,
    MorePrecise,
    perturb,
)
from corescore.analysis.perturbation.effects import Expectation, expectation
from corescore.analysis.perturbation.sweep import Sweep, run_table
from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.metrics import CONLL, METRIC_IDS, title_of
from corescore.replication.claims import Checker, needing, numbers_of, others, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Reading,
    Setting,
)
from corescore.replication.moosavi2016.data import (
    ALLOWED,
    EXACT,
    KEY_SIZES,
    PRINTED,
    Sizes,
    column,
    consistent,
    mention_precision,
    printed_numbers,
    response_sizes,
    results,
    score_rows,
    sizes_of,
)
from corescore.replication.moosavi2016.data import PRINTED as HALF
from corescore.replication.printed import Printed
from corescore.scoring.scores import Result
from corescore.scoring.tables import is_opposite
from corescore.util import TOLERANCE
from corescore.wording import RATIOS, counted, listed, out_of, percent, signed, with_key_singletons

BASE, MORE = "Base", "More precise"

LESS_A, LESS_B = "Less precise (a)", "Less precise (b)"

# Moosavi & Strube 2016, Table 1: what its claims are checked by -----------------------------------

LESS_B_PRINTED = "Less precise (b), as printed"

LINK_BASED = ("muc", "lea")

IN_TABLE_1 = ("muc", "bcub", "ceafe", "blanc")

SCORES = Printed(
    "Table 1",
    Path(__file__).with_name("table1.csv"),
    ("system", "metric"),
    same_data=False,
    again=((LESS_B, LESS_B_PRINTED),),
)

COUNTS = Printed("§2", Path(__file__).with_name("table1_counts.csv"), ("system",), same_data=False)

_INCORRECT = ("incorrectly_resolved", "incorrect_singletons")

UNTOLD = "a response without a correct link tells nothing of its size"

# Scores -------------------------------------------------------------------------------------------


def recall_moves(system: str, *, up: bool) -> Checker:
    """Whether recall stays the same in MUC and LEA, and rises (or falls) in the other metrics of
    the paper's table."""

    @needing("muc")
    def check(table: pd.DataFrame) -> Check:
        recall, f1 = (_gain(table, system, of) for of in ("recall", "f1"))
        rest = others(table, *LINK_BASED)
        fixed = [name for name in LINK_BASED if name in recall.index]
        stays = all(abs(recall[name]) <= TOLERANCE for name in fixed)
        moves = all(_moves(recall[name], up=up) for name in rest if name in IN_TABLE_1)
        numbers = [
            f"{title_of(name)} {signed(recall[name])} (F1 {signed(f1[name])})"
            for name in (*fixed, *rest)
        ]
        return Check(stays and moves, f"recall, in points: {', '.join(numbers)}")

    return check


def both_fall(metric: str, *measures: str) -> Checker:
    """Whether these of More precise are below those of Base."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        gains = {of: _gain(table, MORE, of)[metric] for of in measures}
        numbers = [f"{RATIOS[of]} {signed(gain)}" for of, gain in gains.items()]
        holds = all(_moves(gain, up=False) for gain in gains.values())
        return Check(holds, f"{title_of(metric)}, in points: {', '.join(numbers)}")

    return check


def scores_rise(system: str) -> Checker:
    """Whether the scores rise in all metrics of the paper's table but MUC: by F1, or read as
    recall."""

    def check(table: pd.DataFrame) -> Check:
        rest = [name for name in others(table, *LINK_BASED) if name in IN_TABLE_1]
        if not rest:
            return Check(None, "none of these metrics is scored")
        gains = {of: _gain(table, system, of)[rest] for of in ("f1", "recall")}
        rises = {of: all(_moves(by, up=True) for by in gain) for of, gain in gains.items()}
        numbers = [f"{RATIOS[of]}: {numbers_of(gain, signed)}" for of, gain in gains.items()]
        readings = (Reading(f"by {RATIOS[of]}", holds) for of, holds in rises.items())
        return Check(rises["f1"], f"in points, {'; '.join(numbers)}", readings=tuple(readings))

    return check


@needing(*IN_TABLE_1)
def printed_directions(table: pd.DataFrame) -> Check:
    """Whether each score of (b), as printed, moves as the printed row does; and how many of (b)."""
    printed = _directions(SCORES.numbers, LESS_B)
    numbers, holds = [], False
    for system in (LESS_B_PRINTED, LESS_B):
        same = _directions(table, system) == printed
        off = [f"{RATIOS[of]} of {title_of(str(m))}" for m, of in same.index[~same]]
        numbers.append(f"{system}: {out_of(int(same.sum()), len(same))}")
        numbers[-1] += f", but not {listed(off)}" if off else ""
        holds = holds or (system == LESS_B_PRINTED and not off)
    return Check(holds, "; ".join(numbers))


def _directions(table: pd.DataFrame, system: str) -> "pd.Series[float]":
    """By metric of the paper's table and measure: 1 for a score above that of Base, −1 below."""
    gains = {of: _gain(table, system, of)[[*IN_TABLE_1]] for of in MEASURES}
    signs = {
        (metric, of): np.sign(gain) if abs(gain) > TOLERANCE else 0
        for of, by_metric in gains.items()
        for metric, gain in by_metric.items()
    }
    return pd.Series(signs, dtype=float)


def _gain(table: pd.DataFrame, system: str, of: str) -> "pd.Series[float]":
    return column(table, system, of) - column(table, BASE, of)


def _moves(gain: float, *, up: bool) -> bool:
    return bool(gain > TOLERANCE if up else gain < -TOLERANCE)


def on_data(system: str, check: Checker) -> Checker:
    """The check, with what was changed; it cannot be told where nothing was."""

    def checked(table: pd.DataFrame) -> Check:
        changed = _changed(table, system)
        if not changed:
            return Check(None, "nothing to remove from or add to this response")
        of = check(table)
        return replace(of, numbers=f"{changed}; {of.numbers}")

    return checked


def _changed(table: pd.DataFrame, system: str) -> str:
    """What was changed, in words; "" if nothing."""
    n_removed, alone = (int(column(table, BASE, of).iloc[0]) for of in _INCORRECT)
    n_added = _added(table, system)
    if system == MORE:
        removed = f"{counted(n_removed, 'incorrectly resolved mention')} removed"
        return with_key_singletons(removed, n_removed, alone) if n_removed else ""
    return f"{counted(n_added, 'wrong entity')} added" if n_added else ""


def _added(table: pd.DataFrame, system: str) -> int:
    return int(column(table, system, "added_entities").iloc[0])


# Sizes --------------------------------------------------------------------------------------------


def _change(table: pd.DataFrame, system: str, half: float = EXACT) -> Sizes | None:
    """How many more links and entities a system has than Base, as the scores tell."""
    both = response_sizes(table, system, half), response_sizes(table, BASE, half)
    return both[0] - both[1] if both[0] and both[1] else None


@needing("muc", "ceafe")
def mentions_lost(table: pd.DataFrame) -> Check:
    """Whether the scores tell that More precise lost the incorrectly resolved mentions."""
    change = _change(table, MORE)
    if change is None:
        return Check(None, UNTOLD)
    n = int(column(table, BASE, "incorrectly_resolved").iloc[0])
    return Check(change.mentions.allows(-n), f"mentions {change.mentions}")


@needing("muc", "ceafe")
def pairs_added(table: pd.DataFrame) -> Check:
    """Whether the scores tell that what Less precise (a) adds are pairs."""
    change = _change(table, LESS_A)
    return _as_pairs(change, _added(table, LESS_A)) if change else Check(None, UNTOLD)


@needing("muc", "ceafe")
def large_entities_added(table: pd.DataFrame) -> Check:
    """Whether Less precise (b) adds fewer entities than (a), and larger ones."""
    change, n = _change(table, LESS_B), _added(table, LESS_B)
    if change is None:
        return Check(None, UNTOLD)
    fewer, larger = n < _added(table, LESS_A), not _as_pairs(change, n).holds
    told = change.entities.allows(n)
    return Check(fewer and larger and told, _in_words(change))


@needing("muc", "bcub", "ceafe")
def pairs_and_singletons_added(table: pd.DataFrame) -> Check:
    """Whether the scores of (b) as printed tell of a pair for each entity of (b)."""
    return _pairs_and_singletons(table, LESS_B_PRINTED, _added(table, LESS_B), EXACT)


def _as_pairs(change: Sizes, n: int) -> Check:
    """Whether n entities of two mentions each were added."""
    return Check(change.links.allows(n) and change.entities.allows(n), _in_words(change))


def _in_words(change: Sizes) -> str:
    return (
        f"more MUC links: {change.links}; entities: {change.entities}; mentions: {change.mentions}"
    )


def _pairs_and_singletons(table: pd.DataFrame, system: str, n: int, half: float) -> Check:
    """Whether n links were added, and entities all wrong: each earns B³ a precision of 1 in sum."""
    change = _change(table, system, half)
    if change is None:
        return Check(None, UNTOLD)
    gained = mention_precision(table, system, half) - mention_precision(table, BASE, half)
    singletons = change.entities - change.links
    numbers = (
        f"{change.links} pairs and {singletons} singletons; the sum of B³ precision over mentions "
        f"rises by {gained}, 1 for each of {change.entities} wrong entities"
    )
    return Check(change.links.allows(n) and gained.meets(change.entities), numbers)


# The same in print --------------------------------------------------------------------------------


def counts() -> "pd.Series[float]":
    """What §2 says was removed or added, by system."""
    return COUNTS.numbers.set_index("system")["removed_or_added"]


def mentions_lost_in_print() -> Check:
    change, n = _printed_change(MORE), counts()[MORE]
    return Check(change.mentions.allows(-n), f"mentions {change.mentions}; by §2 {n:,.0f} fewer")


def pairs_added_in_print() -> Check:
    n = round(counts()[LESS_A])
    check = _as_pairs(_printed_change(LESS_A), n)
    return Check(check.holds, f"{check.numbers}; by §2 {n:,} entities")


def large_entities_added_in_print() -> Check:
    """Whether the printed scores of (b) tell of as many entities as §2 has."""
    change, n = _printed_change(LESS_B), counts()[LESS_B]
    table = printed_numbers(SCORES)
    base, precision = response_sizes(table, BASE), column(table, BASE, "precision")["muc"]
    assert base
    links = base.links.value + change.mentions.value - n
    expected = precision * base.links.value / links
    numbers = (
        f"{_in_words(change)}; by §2 {n:,.0f} entities, which would have "
        f"{change.mentions.value - n:,.0f} more links and bring MUC precision to "
        f"{percent(expected)}, not {percent(column(table, LESS_B, 'precision')['muc'])}"
    )
    return Check(change.entities.allows(n), numbers)


def pairs_and_singletons_in_print() -> Check:
    n = round(counts()[LESS_B])
    return _pairs_and_singletons(printed_numbers(SCORES), LESS_B, n, PRINTED)


def _printed_change(system: str) -> Sizes:
    change = _change(printed_numbers(SCORES), system, PRINTED)
    assert change
    return change


def row_b() -> Check:
    """The same, with what the printed scores of (b) do fit."""
    of_text, fit = large_entities_added_in_print(), pairs_and_singletons_in_print()
    change, n = _printed_change(LESS_B), counts()[LESS_B]
    readings = (
        Reading("as many larger entities as §2 has", of_text.holds),
        Reading("as many pairs", change.links.allows(n) and change.entities.allows(n)),
    )
    numbers = f"{of_text.numbers}. What fits: {fit.numbers}"
    return replace(of_text, numbers=numbers, readings=readings)


def scores_rise_in_print(system: str) -> Check:
    return scores_rise(system)(printed_numbers(SCORES))


CHANGES = {
    MORE: MorePrecise(),
    LESS_A: LessPreciseA(),
    LESS_B: LessPreciseB(),
    LESS_B_PRINTED: LessPreciseBPrinted(),
}

_SIZES = [
    "mentions",
    "entities",
    "incorrectly_resolved",
    "incorrect_singletons",
    "added_entities",
    "removed_or_added",
]


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): Base is the response as it is, the others are perturbed from it.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
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
    responses = {BASE: response} | {
        name: perturb(
            key,
            response,
            [replace(change, incorrect=incorrect)],
            seed=setting.number("seed"),
            left_behind=setting.text("left_behind"),
            singletons=setting.policies.singletons,
            words=setting.policies.words,
        )
        for name, change in CHANGES.items()
    }
    scores = results(setting, responses)
    drawn = score_rows(scores, setting)
    drawn = drawn.join(_drawn_again(setting, scores[BASE], drawn), on=["system", "metric"])
    sizes = {name: _sizes(result, scores[BASE], incorrect) for name, result in scores.items()}
    rows = pd.DataFrame(sizes).T[[*_SIZES, *KEY_SIZES]]
    should = {BASE: Expectation("", "")} | {
        name: expectation([replace(change, incorrect=incorrect)])
        for name, change in CHANGES.items()
    }
    return drawn.join(rows, on="system").assign(
        recall_should=[should[name].recall for name in drawn["system"]],
        precision_should=[should[name].precision for name in drawn["system"]],
        f1_should="",
    )


def _drawn_again(setting: Setting, base: Result, drawn: pd.DataFrame) -> pd.DataFrame:
    """The lowest and the highest score of each system over the random draws, and its score by the
    other reading of incorrectly resolved."""
    incorrect = choose("incorrect", setting.text("incorrect"), INCORRECT)
    first, left_behind = setting.number("seed"), setting.text("left_behind")
    seeds = tuple(range(first, first + setting.number("seeds")))
    metrics = list(drawn["metric"].unique())

    def runs(name: str, reading: Incorrect, seeds: tuple[int, ...]) -> pd.DataFrame:
        change = replace(CHANGES[name], incorrect=reading)
        sweep = Sweep(
            result=base, perturbation=change, doses=(1.0,), seeds=seeds, left_behind=left_behind
        )
        return run_table(sweep, metrics).assign(system=name)

    (other,) = {*INCORRECT} - {incorrect}
    own = [runs(name, incorrect, seeds) for name in CHANGES if name != MORE]  # that is not random
    own.append(drawn[["system", "metric", *MEASURES]])
    by_reading = [drawn[drawn["system"] == BASE]]
    by_reading += [runs(name, other, (first,)) for name in CHANGES]
    by_system, by_other = (
        pd.concat(of)
        .astype(dict.fromkeys(MEASURES, float))  # None for recall and precision of CoNLL
        .groupby(["system", "metric"], sort=False)[[*MEASURES]]
        for of in (own, by_reading)
    )
    ends = {"low": by_system.min(), "high": by_system.max(), "other": by_other.first()}
    columns = pd.concat([of.add_suffix(f"_{end}") for end, of in ends.items()], axis=1)
    bounds = [f"{measure}_{end}" for measure in MEASURES for end in ("low", "high")]
    return columns[[*bounds, *(f"{measure}_other" for measure in MEASURES)]]


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
    moves = (recall.drop(index=BASE) - recall.loc[BASE]).abs().max()
    stays, moved = (
        [title_of(str(name)) for name in moves.index[of]]
        for of in (moves <= TOLERANCE, moves > TOLERANCE)
    )
    does = f"changes under {listed(moved)}" if moved else "does not"
    does += f", not under {listed(stays)}" if moved and stays else ""
    told = "By the paper, recall should not change in any variant."
    return " ".join(filter(None, [f"{told} It {does}.", _opposite(table)]))


def _opposite(table: pd.DataFrame) -> str:
    """The changes of F1 that have the opposite sign by the other reading, and why; "" if none."""
    found = []
    for system in CHANGES:
        base, mine = (table[table["system"] == name].set_index("metric") for name in (BASE, system))
        one, other = (mine[of] - base["f1"] for of in ("f1", "f1_other"))
        names = [m for m in METRIC_IDS if m in one and is_opposite(one[m], other[m])]
        if names:
            found.append(f"{listed(map(title_of, names))} ({system})")
    if not found:
        return ""
    return (
        f"By the other reading of “incorrectly resolved”, F1 moves the other way under "
        f"{listed(found)}: only one reading counts singletons in the key, which have no link to "
        "find."
    )


def _sizes(result: Result, base: Result, incorrect: Incorrect) -> dict[str, int]:
    mine, before = sizes_of(result), sizes_of(base)
    removed = before["mentions"] - mine["mentions"]
    added = max(mine["entities"] - before["entities"], 0)
    every, singletons = count_incorrectly_resolved(result.comparison)
    counted = singletons if incorrect == "all" else 0
    return {
        **mine,
        "incorrectly_resolved": every - singletons + counted,
        "incorrect_singletons": counted,
        "added_entities": added,
        "removed_or_added": removed if removed > 0 else added,
    }


def _in_print(check: Checker) -> Callable[[], Check]:
    return lambda: check(printed_numbers(SCORES))


CLAIMS = (
    Claim(
        "Removing the incorrectly resolved mentions lowers the recall of B³, CEAF and BLANC; that "
        "of MUC and LEA stays the same.",
        "§2, Table 1",
        on_data(MORE, recall_moves(MORE, up=False)),
        note="LEA is not in the paper's table.",
        id="recall-more",
        in_print=_in_print(recall_moves(MORE, up=False)),
        scope="result",
    ),
    Claim(
        "Removing them lowers both recall and precision of CEAF_e.",
        "§2, Table 1",
        on_data(MORE, both_fall("ceafe", "recall", "precision")),
        id="ceafe-falls",
        in_print=_in_print(both_fall("ceafe", "recall", "precision")),
        scope="result",
    ),
    Claim(
        "Removing them lowers the recall of BLANC so far that its F1 falls, too.",
        "§2, Table 1",
        on_data(MORE, both_fall("blanc", "recall", "f1")),
        id="blanc-falls",
        in_print=_in_print(both_fall("blanc", "recall", "f1")),
        scope="result",
    ),
    Claim(
        "Adding wrong pairs raises the recall of B³, CEAF and BLANC; that of MUC and LEA stays "
        "the same.",
        "§2, Table 1",
        on_data(LESS_A, recall_moves(LESS_A, up=True)),
        id="recall-less-a",
        in_print=_in_print(recall_moves(LESS_A, up=True)),
        scope="result",
    ),
    Claim(
        "Adding large wrong entities raises the recall of B³, CEAF and BLANC; that of MUC and "
        "LEA stays the same.",
        "§2, Table 1",
        on_data(LESS_B, recall_moves(LESS_B, up=True)),
        id="recall-less-b",
        in_print=_in_print(recall_moves(LESS_B, up=True)),
        scope="result",
    ),
    Claim(
        "Adding wrong pairs improves the scores of B³, CEAF and BLANC.",
        "§2, Table 1",
        on_data(LESS_A, scores_rise(LESS_A)),
        id="f1-less-a",
        in_print=_in_print(scores_rise(LESS_A)),
        scope="result",
    ),
    Claim(
        "Adding large wrong entities improves the scores of B³, CEAF and BLANC.",
        "§2, Table 1",
        on_data(LESS_B, scores_rise(LESS_B)),
        id="f1-less-b",
        in_print=_in_print(scores_rise(LESS_B)),
        scope="result",
    ),
    Claim(
        "More precise has lost the incorrectly resolved mentions of Base and nothing else, as the "
        "scores tell; the paper removed 1075.",
        "§2",
        on_data(MORE, mentions_lost),
        note="By the key's links times recall over precision of MUC, and its entities times recall "
        "over precision of CEAF_e.",
        id="count-more",
        in_print=mentions_lost_in_print,
        scope="result",
    ),
    Claim(
        "The entities that Less precise (a) adds are pairs, as the scores tell; the paper added "
        "1350.",
        "§2",
        on_data(LESS_A, pairs_added),
        id="count-less-a",
        in_print=pairs_added_in_print,
        scope="result",
    ),
    Claim(
        "Less precise (b) adds fewer entities than (a) and larger ones, as the scores tell; the "
        "paper added 283.",
        "§2",
        on_data(LESS_B, large_entities_added),
        note="The printed row cannot come from the procedure that §2 describes: see the errata.",
        id="count-less-b",
        in_print=large_entities_added_in_print,
        scope="result",
    ),
    Claim(
        "The printed row Less precise (b) fits a wrong pair for each of its 283 entities and "
        "singletons for the rest; Less precise (b), as printed, is made so.",
        "ours, from Table 1 and §2",
        on_data(LESS_B_PRINTED, pairs_and_singletons_added),
        id="pairs-and-singletons",
        in_print=pairs_and_singletons_in_print,
        scope="result",
        ours=True,
    ),
    Claim(
        "Less precise (b), as printed, moves recall, precision and F1 of MUC, B³, CEAF_e and BLANC "
        "in the direction that is printed.",
        "ours, from Table 1",
        on_data(LESS_B_PRINTED, printed_directions),
        note="The row (b) that §2 describes is counted beside it.",
        id="printed-directions",
        scope="result",
        ours=True,
    ),
    Claim(
        "F1 is the harmonic mean of recall and precision in MUC, B³ and CEAF_e.",
        "ours, from Table 1",
        lambda table: consistent(table[table["metric"].isin(CONLL.members)]),
        note="F1 of BLANC is the mean of two.",
        id="consistent",
        in_print=lambda: consistent(SCORES.numbers, half=HALF),
        scope="universal",
        ours=True,
    ),
)

TABLE_1 = Experiment(
    id="moosavi2016-table1",
    paper=MOOSAVI_2016,
    where="Table 1",
    title="Does recall change although no correct link is added or removed?",
    setup=(
        "The response as it is (Base) beside variants of it. More precise: without its incorrectly "
        "resolved mentions, those whose partners are all wrong; one that this leaves alone stays "
        "as a singleton, as the paper's counts show. Less precise (a): with as many wrong pairs of "
        "missing mentions as possible. Less precise (b): with wrong entities of missing mentions "
        "that are as large as possible. The paper links a missing mention to all that are not "
        "coreferent with it; as these may be coreferent with each other, an entity here gets one "
        "mention of each entity of the key. Less precise (b), as printed: each of these entities "
        "as a pair and singletons, which the printed row fits. None has more or fewer correct "
        "links than Base, so no recall should change. Which missing mentions are put together the "
        "paper does not say; here they are drawn at random. The paper used the output of Wiseman "
        "et al. for CoNLL-2012."
    ),
    run=_table_1,
    chart=Chart("changes", x="system", x_title="response", y_title="points", of=_drawn),
    finding=_at_a_glance,
    claims=CLAIMS,
    parameters=(
        Parameter(
            "seed",
            "Seed",
            1,
            "Random seed: which missing mentions are put together.",
            minimum=0,
            maximum=10**6,
        ),
        Parameter(
            "seeds",
            "Random draws",
            10,
            "How often missing mentions are put together at random, from this seed on: the bar "
            "goes from the lowest to the highest score.",
            minimum=1,
            maximum=50,
        ),
        Parameter(
            "left_behind",
            "Mentions left alone",
            "keep",
            "What happens to a mention whose partners were all removed: it is kept as a singleton, "
            "or dropped.",
            choices=LEFT_BEHIND,
        ),
        Parameter(
            "incorrect",
            "Incorrectly resolved",
            "all",
            "Which mentions are removed, or added in wrong entities: all, or only those with a "
            "link in the key (linked). The two differ if the key has singletons; the paper's has "
            "none. With linked, a singleton in the key may be left alone: LEA credits that.",
            choices=INCORRECT,
        ),
    ),
    on_data=True,
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
