"""Recasens & Hovy 2011, Table 1: the four responses of Luo 2005."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import title_of
from corescore.metrics.diagnostics import LINKS, RAND
from corescore.metrics.variants.information import H_GEOMETRIC, H_JOINT, H_LOG, H_MAX, H
from corescore.replication.claims import as_printed, needing, numbers_of, told_by, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Setting,
)
from corescore.replication.partitions import Partition, of_sizes, score_partitions
from corescore.replication.printed import Printed
from corescore.replication.toys import (
    Pair,
    toy_table,
    with_diagnostics,
)
from corescore.tolerances import TOLERANCE
from corescore.wording import counted, percent

KEY = of_sizes([5, 2, 5])
MOVED = "moved"
RESPONSES: dict[str, Partition] = {
    "a": of_sizes([5, 7]),
    "b": [[*KEY[0], *KEY[2]], KEY[1]],
    "c": of_sizes([12]),
    "d": of_sizes([1] * 12),
    MOVED: of_sizes([4, 3, 5]),
}
NORMALISED = (H, H_JOINT, H_GEOMETRIC, H_MAX, H_LOG)
_OTHERS = [metric.id for metric in NORMALISED[1:]]
_BESIDE_MUC = ("bcub", "ceafm", "links", "h", "rand")
PRINTED = Printed("Table 1", Path(__file__).with_name("table1.csv"))


def table_1_pairs() -> dict[str, Pair]:
    """The key with each response, by the response's name."""
    return {name: (KEY, response) for name, response in RESPONSES.items()}


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), with the diagnostics "links" and "rand" and mutual information.

    Columns as `toy_table`; recall_errors and precision_errors, what the numerator of each lacks of
    its denominator (links, of MUC).
    """
    pairs = table_1_pairs()
    metrics = with_diagnostics(setting.metrics, LINKS, RAND, *NORMALISED)
    table = toy_table(list(pairs), list(pairs.values()), metrics, name="response")
    scores = score_partitions(list(pairs.values()), metrics)
    for of in ("recall", "precision"):
        table[f"{of}_errors"] = scores[f"{of}_denominator"] - scores[f"{of}_numerator"]
    return table


def _drawn(table: pd.DataFrame) -> pd.DataFrame:
    """The paper's responses, and mutual information by one normalisation only."""
    return table[~table["metric"].isin(_OTHERS) & (table["response"] != MOVED)]


# The claims ---------------------------------------------------------------------------------------


def _without_h(table: pd.DataFrame) -> Check:
    return as_printed(PRINTED)(table[table["metric"] != H.id])


def _no_normalisation(table: pd.DataFrame) -> Check:
    """Whether each way to normalise is off the printed column by a unit of its last digit."""
    f1 = wide(table[table["response"] != MOVED], "response")
    printed = wide(PRINTED.numbers, "response")[H.id]
    numbers = [f"printed: {', '.join(f'{100 * value:g}' for value in printed)}"]
    apart = {}
    for metric in NORMALISED:
        apart[metric.id] = 100 * (f1[metric.id] - printed).abs().max()
        numbers.append(f"{title_of(metric.id)}: {', '.join(map(percent, f1[metric.id]))}")
    return Check(min(apart.values()) >= 0.1, "; ".join(numbers))


@needing("muc", "blanc")
def _muc_sees_no_size(table: pd.DataFrame) -> Check:
    muc, blanc = (wide(table, "response")[metric][["a", "b"]] for metric in ("muc", "blanc"))
    numbers = f"MUC: {numbers_of(muc)}; BLANC: {numbers_of(blanc)}"
    return Check(bool(abs(muc["a"] - muc["b"]) < TOLERANCE and blanc["a"] > blanc["b"]), numbers)


def _errors(table: pd.DataFrame, response: str) -> tuple[int, int, str]:
    """MUC's missing and wrong links of a response, and both in words."""
    row = table[(table["response"] == response) & (table["metric"] == "muc")].iloc[0]
    recall, precision = round(row["recall_errors"]), round(row["precision_errors"])
    numbers = f"{counted(recall, 'link')} missing in recall, {precision} wrong in precision"
    return recall, precision, numbers


@needing("muc")
def _moved(table: pd.DataFrame) -> Check:
    *errors, numbers = _errors(table, MOVED)
    return Check(errors == [1, 1], numbers)


@needing("muc")
def _merged(table: pd.DataFrame) -> Check:
    """What the paper says: one recall error, and none of precision."""
    *errors, numbers = _errors(table, "a")
    return Check(errors == [1, 0], f"a: {numbers}")


@needing("muc", "bcub", "ceafm")
def _lenient(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response")
    numbers, holds = [], True
    for name in ("b", "c"):
        muc, *others = (float(f1[metric][name]) for metric in ("muc", *_BESIDE_MUC))
        rest = max(others)
        numbers.append(f"{name}: MUC {percent(muc)}, the highest of the others {percent(rest)}")
        holds = holds and muc >= 0.9 - TOLERANCE and muc > rest
    return Check(bool(holds), "; ".join(numbers))


def _rand_likes_singletons(table: pd.DataFrame) -> Check:
    rand = wide(table, "response")["rand"]
    return Check(bool(rand["d"] > max(rand["b"], rand["c"])), numbers_of(rand[[*"abcd"]]))


@needing("bcub")
def _full_without_an_entity(table: pd.DataFrame) -> Check:
    """c and d have no entity of the key, yet B³ finds all of recall or of precision."""
    rows = table[table["metric"] == "bcub"].set_index("response")
    recall, precision = float(rows["recall"]["c"]), float(rows["precision"]["d"])
    found = {name: sum({*e} in [{*k} for k in KEY] for e in RESPONSES[name]) for name in "cd"}
    numbers = (
        f"recall of c {percent(recall)}, precision of d {percent(precision)}; entities of the key "
        f"in c: {found['c']}, in d: {found['d']}"
    )
    holds = min(recall, precision) > 1 - TOLERANCE and not any(found.values())
    return Check(bool(holds), numbers)


TABLE_1 = Experiment(
    id="recasens2011-table1",
    paper=RECASENS_2011,
    where="Table 1, after Luo 2005",
    title="What does it cost to merge entities, or to leave all mentions singletons?",
    setup=(
        "Twelve mentions in entities of five, two and five. Response a merges the entity of two "
        "with the second entity of five, b merges the two entities of five, c merges everything "
        "and d has only singletons. (The paper draws them in Figure 3, a picture that we could "
        "not see; these reproduce its scores.) Shown beside the metrics: F1 of the coreference "
        "links alone (links), the share of correct links of both kinds (rand, the Rand index), "
        "and mutual information H divided by the entropy of each side. The file also has H "
        "divided in four other ways, and a response of ours, moved: the key with a mention of the "
        "first entity of five in the entity of two."
    ),
    run=_table_1,
    chart=Chart("bars", x="response", x_title="response", of=_drawn),
    claims=(
        Claim(
            "The printed scores match, column H aside.",
            "Table 1",
            _without_h,
            note="All 21 links of the key are among the C(10, 2) + 1 = 46 links of b: F = 42/67 = "
            "62.69. The printed 63.6 is 42/66, as if b had 45 links.",
            id="as-printed",
            scope="result",
            ours=True,
        ),
        Claim(
            "No way to normalise mutual information gives column H.",
            "Table 1; the paper does not say by what it divides",
            _no_normalisation,
            note="Divided by the entropy of each side, the joint entropy, the geometric mean of "
            "both, the larger one, and the entropy of singletons.",
            id="no-normalisation",
            scope="result",
            ours=True,
        ),
        Claim(
            "A mention in the wrong entity costs MUC one link in recall and one in precision.",
            "§3.1, on MUC",
            _moved,
            note="The response is ours: a mention of an entity of five moves to the entity of two.",
            id="moved-mention",
            scope="property",
        ),
        Claim(
            "Two merged entities cost MUC one link, in recall.",
            "§3.1, on MUC",
            _merged,
            note="By MUC’s formula the link is one of precision: the response has it, and the key "
            "does not. To split an entity costs one in recall.",
            id="merged-entities",
            scope="property",
        ),
        Claim(
            "MUC is lenient with merged entities: b and c score 90 or more, and higher than by any "
            "other measure of the table.",
            "§3.1, Table 1",
            _lenient,
            id="lenient",
            in_print=told_by(PRINTED, _lenient),
            scope="result",
        ),
        Claim(
            "MUC gives the same score whether the small entity is merged with a large one or the "
            "two large ones are merged; BLANC does not.",
            "Table 1; BLANC is not in it",
            _muc_sees_no_size,
            id="muc-sees-no-size",
            scope="property",
        ),
        Claim(
            "B³ recall of c and B³ precision of d are 100, though neither has an entity of the "
            "key.",
            "§3.1, on CEAF",
            _full_without_an_entity,
            id="bcub-full",
            scope="result",
        ),
        Claim(
            "The Rand index is higher for singletons alone than for merged large entities, because "
            "most pairs of mentions are not coreferent.",
            "§3.1, Table 1",
            _rand_likes_singletons,
            id="rand-likes-singletons",
            in_print=told_by(PRINTED, _rand_likes_singletons),
            scope="result",
        ),
    ),
    printed=(PRINTED,),
)
