"""Moosavi & Strube 2016 on systems: Tables 1, 4 and 5."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from corescore.analysis.errors.classes import INCORRECT, Incorrect, count_incorrectly_resolved
from corescore.analysis.perturbation import (
    LessPreciseA,
    LessPreciseB,
    MorePrecise,
    baseline,
    perturb,
    without_singletons,
)
from corescore.analysis.perturbation.sweep import Expectation, Sweep, expectation, run_table
from corescore.analysis.systems.many import ranks
from corescore.corpus.documents import Corpus
from corescore.corpus.problems import choose
from corescore.counting.counts import MEASURES
from corescore.metrics import CONLL, METRIC_IDS, name_of
from corescore.replication.claims import UntoldError, numbers_of, orders, others, wide
from corescore.replication.experiment import Check, Setting
from corescore.replication.moosavi2016.toys import DATA, score_rows
from corescore.scoring.scores import Result, score
from corescore.scoring.tables import is_opposite
from corescore.util import TOLERANCE
from corescore.wording import counted, listed, percent, with_key_singletons

# Names, data and scores of responses --------------------------------------------------------------

BASE, MORE = "Base", "More precise"
LESS_A, LESS_B = "Less precise (a)", "Less precise (b)"
SYS_SING, SYS_1ENT = "sys-sing", "sys-1ent"
KEY_SING, KEY_1ENT, RESPONSE = "key-sing", "key-1ent", "Response"

COUNTS = DATA.printed("§2")
SCORES, BOUNDARIES = map(DATA.printed, ("Table 1", "Table 4"))
RANKING, MENTIONS = DATA.printed("Table 5"), DATA.printed("§6")

# Their responses are changed mention by mention: each mention is in one entity, and all metrics
# score the same ones.
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
    return rows[value]


def _count(table: pd.DataFrame, system: str, value: str) -> int:
    return int(_column(table, system, value).iloc[0])


# Table 1: responses that are more and less precise ------------------------------------------------

CHANGES = {
    MORE: MorePrecise(),
    LESS_A: LessPreciseA(),
    LESS_B: LessPreciseB(),
}


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): Base is the response as it is, the others are perturbed from it.

    Columns: system, metric, recall, precision, f1 (fractions; CoNLL is an F1 only),
    recall_other, precision_other, f1_other (with the other value of the parameter "incorrect"),
    mentions and entities (of that system), incorrectly_resolved (how many of its mentions are, by
    the parameter "incorrect"), incorrect_singletons (how many of these are singletons in the key),
    added_entities (how many more entities than Base; 0 where mentions were removed),
    removed_or_added (how many mentions were removed, or entities added), key_mentions,
    key_entities, recall_should, precision_should, f1_should (how each should change if a metric
    counts correct links; "" for any way).
    """
    key, response = setting.data
    incorrect = choose("incorrect", setting.text("incorrect"), INCORRECT)
    (other,) = {*INCORRECT} - {incorrect}
    seed, left_behind = setting.number("seed"), setting.text("left_behind")
    changes = {name: replace(change, incorrect=incorrect) for name, change in CHANGES.items()}
    responses = {BASE: response} | {
        name: perturb(
            key,
            response,
            [change],
            seed=seed,
            left_behind=left_behind,
            singletons=setting.policies.singletons,
            words=setting.policies.words,
        )
        for name, change in changes.items()
    }
    results = _results(setting, responses)
    table = score_rows(results, setting)

    def otherwise(name: str) -> pd.DataFrame:
        sweep = Sweep(
            result=results[BASE],
            perturbation=replace(CHANGES[name], incorrect=other),
            doses=(1.0,),
            seeds=(seed,),
            left_behind=left_behind,
        )
        return run_table(sweep, [*table["metric"].unique()]).assign(system=name)

    by_reading = [*map(otherwise, changes), table[table["system"] == BASE]]
    read_otherwise = (
        pd.concat(by_reading)
        .set_index(["system", "metric"])[[*MEASURES]]
        .astype(float)  # None for recall and precision of CoNLL
        .add_suffix("_other")
    )
    sizes = {name: _changed_sizes(of, results[BASE], incorrect) for name, of in results.items()}
    should = {name: expectation([change]) for name, change in changes.items()}
    should[BASE] = Expectation("", "")
    return (
        table.join(read_otherwise, on=["system", "metric"])
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


def _drawn_scores(table: pd.DataFrame) -> pd.DataFrame:
    """What the chart draws: the scores of each system, those of the other reading, and what each
    should do."""
    ends = ("", "_other", "_should")
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
    opposite = []
    for system in CHANGES:
        one, other = (
            _column(table, system, of) - _column(table, BASE) for of in ("f1", "f1_other")
        )
        names = [m for m in METRIC_IDS if m in one and is_opposite(one[m], other[m])]
        if names:
            opposite.append(f"{listed(map(name_of, names))} ({system})")
    if not opposite:
        return sentence
    return (
        f"{sentence} By the other reading of “incorrectly resolved”, F1 moves the other way under "
        f"{listed(opposite)}: only one reading counts singletons in the key, which have no link to "
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
        outcome = check(table, system, **given)
        return replace(outcome, numbers=f"{words}; {outcome.numbers}")

    return checked


def _counts(table: pd.DataFrame, system: str) -> Check:
    """Whether More precise lost the incorrectly resolved mentions; whether Less precise (a) adds
    pairs, and (b) fewer entities than (a) and larger ones."""
    mentions = _count(table, system, "mentions") - _count(table, BASE, "mentions")
    if system == MORE:
        removed = _count(table, BASE, "incorrectly_resolved")
        return Check(-mentions == removed, f"{counted(-mentions, 'mention')} fewer")
    n, of_a = (_count(table, of, "added_entities") for of in (system, LESS_A))
    holds = mentions == 2 * n if system == LESS_A else n < of_a and mentions > 2 * n
    numbers = f"{counted(mentions, 'mention')} in them"
    return Check(holds, numbers if system == LESS_A else f"{numbers}; (a) adds {of_a:,}")


TABLE_1 = DATA.experiment(
    "moosavi2016-table1",
    _table_1,
    {
        "orders-of-change": _of_change(lambda table, system, **given: orders(table, **given)),
        "counts": _of_change(_counts),
    },
    select=_drawn_scores,
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
    had = f"of the key's {counted(of_key)}, it has {alone:,} that are singletons there"
    return Check(by_links and all(recall[more] > TOLERANCE), f"recall {numbers}; {had}")


def _precision_by_parts(table: pd.DataFrame) -> Check:
    mentions, entities, parts = (
        _count(table, KEY_1ENT, of) for of in ("key_mentions", "key_entities", "entities")
    )
    expected = (mentions - entities) / (mentions - parts)
    off = abs(_column(table, KEY_1ENT, "precision")["muc"] - expected)
    numbers = f"({mentions:,} − {entities:,}) / ({mentions:,} − {parts:,}) = {percent(expected)}"
    return Check(off <= TOLERANCE, numbers)


TABLE_4 = DATA.experiment(
    "moosavi2016-table4",
    _table_4,
    {
        "sys-sing": _of_key(_singletons_score, links=False),
        "orders-of-links": _of_key(orders),
        "orders-of-mentions": _of_key(orders, links=False),
        "key-1ent-parts": _of_key(_precision_by_parts),
    },
    select=lambda table: table[["system", "metric", *MEASURES, "mentions", "entities"]],
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


def _xu_moves(table: pd.DataFrame) -> Check:
    """Whether xu is above both others by LEA and below by the average, and the ranks."""
    by = wide(table, "system", "place")[[SHARING, AVERAGE]].T
    numbers = [
        f"{name} {by[name][SHARING]:.0f} by LEA and {by[name][AVERAGE]:.0f} by the average"
        for name in ("xu", "chen", "chunyuang")
    ]
    below = by[["chen", "chunyuang"]].sub(by["xu"], axis=0).T
    holds = below[SHARING].min() > 0 > below[AVERAGE].max()
    return Check(holds, ", ".join(numbers))


TABLE_5 = DATA.experiment(
    "moosavi2016-table5",
    _table_5,
    {"xu-moves": _xu_moves},
    select=lambda table: table.drop(columns=["f1", "rank"]),
    printed=(RANKING, MENTIONS),
)
