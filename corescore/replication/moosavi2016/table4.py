"""Moosavi & Strube 2016, Table 4: two systems that know nothing of coreference."""

import pandas as pd

from corescore.analysis.perturbation.baselines import baseline
from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import Checker, needing, others
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.moosavi2016.data import column, results, score_rows
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

SINGLETONS, ONE_ENTITY, RESPONSE = "All-singletons", "One-entity", "Response"


def _table_4(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): two systems that have exactly the key's mentions, and the response.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
    key_mentions, key_singletons.
    """
    key, response = setting.data
    responses = {
        SINGLETONS: baseline(key, kind="singletons"),
        ONE_ENTITY: baseline(key, kind="one-entity"),
        RESPONSE: response,
    }
    scores = results(setting, responses)
    sizes = scores[RESPONSE].sizes
    counts = {name: int(sizes[name].sum()) for name in ("key_mentions", "key_singletons")}
    return score_rows(scores, setting).assign(**counts)


@needing("muc", "lea")
def _singletons_score(table: pd.DataFrame) -> Check:
    recall = column(table, SINGLETONS, "recall")
    rest = others(table, "muc", "lea")
    n_singletons, n_mentions = _singletons_and_mentions(table)
    if not n_mentions:
        return Check(None, "the key has no mention")
    own = n_singletons / n_mentions
    holds = recall["muc"] <= TOLERANCE and abs(recall["lea"] - own) <= TOLERANCE
    numbers = ", ".join(
        f"{title_of(name)} {percent(recall[name])}" for name in ("muc", "lea", *rest)
    )
    all_others = all(recall[name] > TOLERANCE for name in rest)
    of_key = f"{n_singletons:,} of {n_mentions:,} mentions of the key are singletons"
    return Check(bool(holds and all_others), f"recall {numbers}; {of_key}")


def _singletons_and_mentions(table: pd.DataFrame) -> tuple[int, int]:
    return int(table["key_singletons"].iloc[0]), int(table["key_mentions"].iloc[0])


def _needing_links(check: Checker) -> Checker:
    """The check, which cannot be told for a key without coreference links."""

    def checked(table: pd.DataFrame) -> Check:
        n_singletons, n_mentions = _singletons_and_mentions(table)
        if n_singletons == n_mentions:
            return Check(None, "the key has no coreference link")
        return check(table)

    return checked


@_needing_links
@needing("muc", "bcub")
def _one_entity_recalls_all(table: pd.DataFrame) -> Check:
    recall = column(table, ONE_ENTITY, "recall")
    names = ("muc", "bcub", *others(table, "muc", "bcub"))
    numbers = ", ".join(f"{title_of(name)} {percent(recall[name])}" for name in names)
    return Check(bool(min(recall["muc"], recall["bcub"]) >= 1 - TOLERANCE), f"recall {numbers}")


@_needing_links
@needing("muc")
def _one_entity_wins(table: pd.DataFrame) -> Check:
    one, response = column(table, ONE_ENTITY), column(table, RESPONSE)
    numbers = ", ".join(
        f"{title_of(name)} {percent(one[name])} against {percent(response[name])}"
        for name in ("muc", *others(table, "muc"))
    )
    return Check(bool(one["muc"] > response["muc"] + TOLERANCE), f"F1 {numbers}")


TABLE_4 = Experiment(
    id="moosavi2016-table4",
    paper=MOOSAVI_2016,
    where="Table 4",
    title="What do two systems score that know nothing of coreference?",
    setup=(
        "Two systems that have exactly the key's mentions: one makes each mention a singleton, the "
        "other makes all mentions of a document one entity. The response is shown beside them."
    ),
    run=_table_4,
    chart=Chart("bars", x="system", x_title="system"),
    claims=(
        Claim(
            "MUC gives singletons nothing, and LEA credits only those that are singletons in the "
            "key; all the others give credit for mentions alone.",
            "ours, from the same table",
            _singletons_score,
            note="If the key has no singletons, as in CoNLL-2012, LEA gives nothing either.",
        ),
        Claim(
            "The single entity has full recall in MUC and B³.",
            "ours, from the same table",
            _one_entity_recalls_all,
        ),
        Claim(
            "MUC scores the single entity higher than the response.",
            "ours, from the same table",
            _one_entity_wins,
        ),
    ),
    on_data=True,
)
