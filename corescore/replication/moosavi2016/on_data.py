"""Moosavi & Strube 2016, Tables 1 and 4, on any key and response."""

from collections.abc import Mapping

import pandas as pd

from corescore.analysis.errors.mentions import incorrectly_resolved
from corescore.analysis.perturbation import (
    LEFT_BEHIND,
    LessPreciseA,
    LessPreciseB,
    MorePrecise,
    perturb,
)
from corescore.analysis.perturbation.baselines import baseline
from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.documents import Corpus
from corescore.counting.counts import MEASURES
from corescore.replication.claims import Checker, needing, others, title
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.scoring.scores import Scores, score
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

BASE, MORE = "Base", "More precise"
LESS_A, LESS_B = "Less precise (a)", "Less precise (b)"
CHANGES = {MORE: MorePrecise(), LESS_A: LessPreciseA(), LESS_B: LessPreciseB()}


def _sides(setting: Setting) -> tuple[Corpus, Corpus]:
    assert setting.key is not None
    assert setting.response is not None
    return setting.key, setting.response


def _results(setting: Setting, responses: Mapping[str, Corpus]) -> dict[str, Scores]:
    key, _ = _sides(setting)
    return {
        name: score(key, response, metrics=setting.metrics) for name, response in responses.items()
    }


def _rows(results: Mapping[str, Scores], setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), "conll" last where its three are there; recall, precision, f1."""
    names = [metric.id for metric in setting.metrics]
    rows = [
        (system, name, *(getattr(result[name], ratio) for ratio in MEASURES))
        for system, result in results.items()
        for name in [*names, *(["conll"] if "conll" in result.scores else [])]
    ]
    return pd.DataFrame(rows, columns=["system", "metric", *MEASURES])


def _of(table: pd.DataFrame, system: str, value: str = "f1") -> "pd.Series[float]":
    """One column of a system, by metric."""
    return table[table["system"] == system].set_index("metric")[value]


# Table 1: outputs that are more and less precise --------------------------------------------------


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): Base is the response as it is, the others are it perturbed.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
    mentions and entities (of that system), incorrectly_resolved (so many of its mentions are),
    added_entities (so many more entities than Base; 0 where mentions were removed).
    """
    key, response = _sides(setting)
    values = setting.values
    responses = {BASE: response} | {
        name: perturb(
            key,
            response,
            [change],
            seed=int(values["seed"]),
            left_behind=str(values["left_behind"]),
        )
        for name, change in CHANGES.items()
    }
    results = _results(setting, responses)
    sizes = {name: _sizes(result) for name, result in results.items()}
    for of in sizes.values():
        of["added_entities"] = max(of["entities"] - sizes[BASE]["entities"], 0)
    return _rows(results, setting).join(pd.DataFrame(sizes).T, on="system")


def _sizes(result: Scores) -> dict[str, int]:
    return {
        "mentions": int(result.sizes["response_mentions"].sum()),
        "entities": int(result.sizes["response_entities"].sum()),
        "incorrectly_resolved": int(incorrectly_resolved(result.comparison).sum()),
    }


def _published_table_1() -> pd.DataFrame:
    """Columns: system, figure, value: counts of the paper, for Wiseman et al. on CoNLL-2012."""
    rows = [
        (MORE, "removed mentions", 1075),
        (LESS_A, "added entities", 1350),
        (LESS_B, "added entities", 283),
    ]
    return pd.DataFrame(rows, columns=["system", "figure", "value"])


def _recall_moves(system: str, up: bool) -> Checker:
    """Whether recall stays in MUC and LEA, and goes up (or down) in all the others."""

    @needing("muc", "lea")
    def check(table: pd.DataFrame) -> Check:
        changed = _changed(table, system)
        if not changed:
            return Check(None, "nothing to remove or to add in this output")
        recall, f1 = (_of(table, system, of) - _of(table, BASE, of) for of in ("recall", "f1"))
        rest = others(table, "muc", "lea")
        stays = all(abs(recall[name]) <= TOLERANCE for name in ("muc", "lea"))
        moves = all(
            (recall[name] > TOLERANCE) if up else (recall[name] < -TOLERANCE) for name in rest
        )
        numbers = [
            f"{title(name)} {100 * recall[name]:+.2f} (F1 {100 * f1[name]:+.2f})"
            for name in ("muc", "lea", *rest)
        ]
        return Check(stays and moves, f"{changed}; recall, in points: {', '.join(numbers)}")

    return check


def _changed(table: pd.DataFrame, system: str) -> str:
    """What was changed, in words; "" if nothing was."""
    n_removed = _of(table, BASE, "incorrectly_resolved").iloc[0]
    n_added = _of(table, system, "added_entities").iloc[0]
    if system == MORE:
        return f"{n_removed:,} incorrectly resolved mentions removed" if n_removed else ""
    return f"{n_added:,} wrong entities added" if n_added else ""


TABLE_1 = Experiment(
    id="moosavi2016-table1",
    paper=MOOSAVI_2016,
    where="Table 1",
    title="Does recall change although no right link comes or goes?",
    setup=(
        "The response as it is (Base) beside three others made of it. More precise: without its "
        "incorrectly resolved mentions, those whose partners are all wrong. Less precise (a): with "
        "wrong entities of two mentions that it lacked, as many as fit. Less precise (b): with "
        "wrong entities of them as large as fit. None of the three has a right link more or less "
        "than Base, so that no recall should change. The paper does not say which missing "
        "mentions meet; here it is left to chance. It had the output of Wiseman et al. for "
        "CoNLL-2012."
    ),
    run=_table_1,
    chart=Chart("bars", x="system", y="recall", x_title="output", y_title="recall, percent"),
    claims=(
        Claim(
            "Removing the incorrectly resolved mentions lowers the recall of B³, CEAF and BLANC; "
            "that of MUC and LEA stays.",
            "§2, Table 1",
            _recall_moves(MORE, up=False),
        ),
        Claim(
            "Adding wrong pairs raises the recall of B³, CEAF and BLANC; that of MUC and LEA "
            "stays.",
            "§2, Table 1",
            _recall_moves(LESS_A, up=True),
        ),
        Claim(
            "Adding large wrong entities raises the recall of B³, CEAF and BLANC; that of MUC and "
            "LEA stays.",
            "§2, Table 1",
            _recall_moves(LESS_B, up=True),
        ),
    ),
    parameters=(
        Parameter(
            "seed", "Seed", 1, "Decides which missing mentions meet.", minimum=0, maximum=10**6
        ),
        Parameter(
            "left_behind",
            "Mentions left alone",
            "keep",
            "What becomes of a mention whose partners were all removed: kept as a singleton, or "
            "dropped.",
            choices=LEFT_BEHIND,
        ),
    ),
    on_data=True,
    published=_published_table_1,
)

# Table 4: boundary systems ------------------------------------------------------------------------

SINGLETONS, ONE_ENTITY, RESPONSE = "All-singletons", "One-entity", "Response"


def _table_4(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): two systems on the key's own mentions, and the response.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
    key_mentions, key_singletons.
    """
    key, response = _sides(setting)
    responses = {
        SINGLETONS: baseline(key, kind="singletons"),
        ONE_ENTITY: baseline(key, kind="one-entity"),
        RESPONSE: response,
    }
    results = _results(setting, responses)
    sizes = results[RESPONSE].sizes
    counts = {name: int(sizes[name].sum()) for name in ("key_mentions", "key_singletons")}
    return _rows(results, setting).assign(**counts)


@needing("muc", "lea")
def _singletons_earn(table: pd.DataFrame) -> Check:
    recall = _of(table, SINGLETONS, "recall")
    rest = others(table, "muc", "lea")
    n_singletons, n_mentions = _singletons_and_mentions(table)
    if not n_mentions:
        return Check(None, "the key has no mention")
    own = n_singletons / n_mentions
    holds = recall["muc"] <= TOLERANCE and abs(recall["lea"] - own) <= TOLERANCE
    numbers = ", ".join(f"{title(name)} {percent(recall[name])}" for name in ("muc", "lea", *rest))
    some = all(recall[name] > TOLERANCE for name in rest)
    of_key = f"{n_singletons:,} of {n_mentions:,} mentions of the key are singletons"
    return Check(bool(holds and some), f"recall {numbers}; {of_key}")


def _singletons_and_mentions(table: pd.DataFrame) -> tuple[int, int]:
    return int(table["key_singletons"].iloc[0]), int(table["key_mentions"].iloc[0])


def _needing_links(check: Checker) -> Checker:
    """The check, which says nothing of a key without coreference links."""

    def checked(table: pd.DataFrame) -> Check:
        n_singletons, n_mentions = _singletons_and_mentions(table)
        if n_singletons == n_mentions:
            return Check(None, "the key has no coreference link")
        return check(table)

    return checked


@_needing_links
@needing("muc", "bcub")
def _one_entity_recalls_all(table: pd.DataFrame) -> Check:
    recall = _of(table, ONE_ENTITY, "recall")
    names = ("muc", "bcub", *others(table, "muc", "bcub"))
    numbers = ", ".join(f"{title(name)} {percent(recall[name])}" for name in names)
    return Check(bool(min(recall["muc"], recall["bcub"]) >= 1 - TOLERANCE), f"recall {numbers}")


@_needing_links
@needing("muc")
def _one_entity_wins(table: pd.DataFrame) -> Check:
    one, response = _of(table, ONE_ENTITY), _of(table, RESPONSE)
    numbers = ", ".join(
        f"{title(name)} {percent(one[name])} against {percent(response[name])}"
        for name in ("muc", *others(table, "muc"))
    )
    return Check(bool(one["muc"] > response["muc"] + TOLERANCE), f"F1 {numbers}")


TABLE_4 = Experiment(
    id="moosavi2016-table4",
    paper=MOOSAVI_2016,
    where="Table 4",
    title="What do two systems earn that know nothing of coreference?",
    setup=(
        "Two systems that have the key's own mentions: one makes each mention an entity, one makes "
        "all mentions of a document a single entity. Beside them the response."
    ),
    run=_table_4,
    chart=Chart("bars", x="system", x_title="system"),
    claims=(
        Claim(
            "MUC gives singletons nothing, and LEA no more than the key's own singletons; all the "
            "others give something for mentions alone.",
            "ours, of the same table",
            _singletons_earn,
            note="With no singleton in the key, as in CoNLL-2012, LEA gives nothing either.",
        ),
        Claim(
            "One entity has full recall in MUC and B³.",
            "ours, of the same table",
            _one_entity_recalls_all,
        ),
        Claim(
            "MUC scores one entity higher than the response.",
            "ours, of the same table",
            _one_entity_wins,
        ),
    ),
    on_data=True,
)

EXPERIMENTS = (TABLE_1, TABLE_4)
