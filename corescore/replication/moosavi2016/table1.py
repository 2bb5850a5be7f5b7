"""Moosavi & Strube 2016, Table 1: responses that are more and less precise."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from corescore.analysis.errors.mentions import INCORRECT, Incorrect, count_incorrectly_resolved
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
from corescore.replication.claims import Checker, others, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.moosavi2016 import table1_checks as checks
from corescore.replication.moosavi2016.consistency import consistent
from corescore.replication.moosavi2016.data import (
    ALLOWED,
    KEY_SIZES,
    printed_numbers,
    results,
    score_rows,
    sizes_of,
)
from corescore.replication.moosavi2016.sizes import PRINTED as HALF
from corescore.replication.moosavi2016.table1_checks import (
    BASE,
    LESS_A,
    LESS_B,
    LESS_B_PRINTED,
    MORE,
)
from corescore.scoring.scores import Scores
from corescore.scoring.tables import is_opposite
from corescore.tolerances import TOLERANCE
from corescore.wording import listed

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


def _drawn_again(setting: Setting, base: Scores, drawn: pd.DataFrame) -> pd.DataFrame:
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


def _sizes(result: Scores, base: Scores, incorrect: Incorrect) -> dict[str, int]:
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
    return lambda: check(printed_numbers(checks.SCORES))


CLAIMS = (
    Claim(
        "Removing the incorrectly resolved mentions lowers the recall of B³, CEAF and BLANC; that "
        "of MUC and LEA stays the same.",
        "§2, Table 1",
        checks.on_data(MORE, checks.recall_moves(MORE, up=False)),
        note="LEA is not in the paper's table.",
        id="recall-more",
        in_print=_in_print(checks.recall_moves(MORE, up=False)),
        scope="result",
    ),
    Claim(
        "Removing them lowers both recall and precision of CEAF_e.",
        "§2, Table 1",
        checks.on_data(MORE, checks.both_fall("ceafe", "recall", "precision")),
        id="ceafe-falls",
        in_print=_in_print(checks.both_fall("ceafe", "recall", "precision")),
        scope="result",
    ),
    Claim(
        "Removing them lowers the recall of BLANC so far that its F1 falls, too.",
        "§2, Table 1",
        checks.on_data(MORE, checks.both_fall("blanc", "recall", "f1")),
        id="blanc-falls",
        in_print=_in_print(checks.both_fall("blanc", "recall", "f1")),
        scope="result",
    ),
    Claim(
        "Adding wrong pairs raises the recall of B³, CEAF and BLANC; that of MUC and LEA stays "
        "the same.",
        "§2, Table 1",
        checks.on_data(LESS_A, checks.recall_moves(LESS_A, up=True)),
        id="recall-less-a",
        in_print=_in_print(checks.recall_moves(LESS_A, up=True)),
        scope="result",
    ),
    Claim(
        "Adding large wrong entities raises the recall of B³, CEAF and BLANC; that of MUC and "
        "LEA stays the same.",
        "§2, Table 1",
        checks.on_data(LESS_B, checks.recall_moves(LESS_B, up=True)),
        id="recall-less-b",
        in_print=_in_print(checks.recall_moves(LESS_B, up=True)),
        scope="result",
    ),
    Claim(
        "Adding wrong pairs improves the scores of B³, CEAF and BLANC.",
        "§2, Table 1",
        checks.on_data(LESS_A, checks.scores_rise(LESS_A)),
        id="f1-less-a",
        in_print=_in_print(checks.scores_rise(LESS_A)),
        scope="result",
    ),
    Claim(
        "Adding large wrong entities improves the scores of B³, CEAF and BLANC.",
        "§2, Table 1",
        checks.on_data(LESS_B, checks.scores_rise(LESS_B)),
        id="f1-less-b",
        in_print=_in_print(checks.scores_rise(LESS_B)),
        scope="result",
    ),
    Claim(
        "More precise has lost the incorrectly resolved mentions of Base and nothing else, as the "
        "scores tell; the paper removed 1075.",
        "§2",
        checks.on_data(MORE, checks.mentions_lost),
        note="By the key's links times recall over precision of MUC, and its entities times recall "
        "over precision of CEAF_e.",
        id="count-more",
        in_print=checks.mentions_lost_in_print,
        scope="result",
    ),
    Claim(
        "The entities that Less precise (a) adds are pairs, as the scores tell; the paper added "
        "1350.",
        "§2",
        checks.on_data(LESS_A, checks.pairs_added),
        id="count-less-a",
        in_print=checks.pairs_added_in_print,
        scope="result",
    ),
    Claim(
        "Less precise (b) adds fewer entities than (a) and larger ones, as the scores tell; the "
        "paper added 283.",
        "§2",
        checks.on_data(LESS_B, checks.large_entities_added),
        note="The printed row cannot come from the procedure that §2 describes: see the errata.",
        id="count-less-b",
        in_print=checks.large_entities_added_in_print,
        scope="result",
    ),
    Claim(
        "The printed row Less precise (b) fits a wrong pair for each of its 283 entities and "
        "singletons for the rest; Less precise (b), as printed, is made so.",
        "ours, from Table 1 and §2",
        checks.on_data(LESS_B_PRINTED, checks.pairs_and_singletons_added),
        id="pairs-and-singletons",
        in_print=checks.pairs_and_singletons_in_print,
        scope="result",
        ours=True,
    ),
    Claim(
        "Less precise (b), as printed, moves recall, precision and F1 of MUC, B³, CEAF_e and BLANC "
        "in the direction that is printed.",
        "ours, from Table 1",
        checks.on_data(LESS_B_PRINTED, checks.printed_directions),
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
        in_print=lambda: consistent(checks.SCORES.numbers, half=HALF),
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
    printed=(checks.SCORES, checks.COUNTS),
)
