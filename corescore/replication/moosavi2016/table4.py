"""Moosavi & Strube 2016, Table 4: boundary systems, which know nothing of coreference."""

from collections.abc import Callable
from functools import partial
from math import floor
from pathlib import Path

import pandas as pd

from corescore.analysis.perturbation.baselines import baseline, without_singletons
from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import title_of
from corescore.replication.claims import (
    Checker,
    in_order,
    joined,
    needing,
    numbers_of,
    others,
    points,
    told_by,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Reading, Setting
from corescore.replication.moosavi2016.data import (
    ALLOWED,
    COUNTS,
    PRINTED,
    Bounded,
    Sizes,
    column,
    consistent,
    printed_numbers,
    response_sizes,
    response_total,
    results,
    score_rows,
    shown,
    sizes_of,
)
from corescore.replication.moosavi2016.data import PRINTED as HALF
from corescore.replication.printed import Printed
from corescore.scoring.scores import Result
from corescore.util import TOLERANCE, WHOLE
from corescore.wording import percent

SYS_SING, SYS_1ENT = "sys-sing", "sys-1ent"

KEY_SING, KEY_1ENT, RESPONSE = "key-sing", "key-1ent", "Response"

BEST, FIRST, SECOND = "Wiseman", "Martschat", "Peng"

# Moosavi & Strube 2016, Table 4: what the claims on boundary systems are checked by ---------------

LINK_BASED = ("muc", "lea")

PARTS = 346  # what the printed MUC of one entity a part fits, of the 348 that §2 counts

NOT_HERE = "the outputs of the paper's systems are not among the data"


def _needing_systems(*names: str) -> Callable[[Checker], Checker]:
    """Decorates a check of systems of the paper, which can be told in print alone."""

    def decorate(check: Checker) -> Checker:
        return lambda table: (
            check(table) if {*names} <= {*table["system"]} else Check(None, NOT_HERE)
        )

    return decorate


def _needing_links(check: Checker) -> Checker:
    """Decorates a check that cannot be told for a key without coreference links."""

    def checked(table: pd.DataFrame) -> Check:
        if table["key_mentions"].iloc[0] == table["key_entities"].iloc[0]:
            return Check(None, "the key has no coreference link")
        return check(table)

    return checked


def _is_empty(table: pd.DataFrame, system: str) -> bool:
    """Whether singletons are dropped and none of its mentions is left; never so in print."""
    return "mentions" in table and not column(table, system, "mentions").iloc[0]


# The systems' own mentions ------------------------------------------------------------------------


def singletons_score(system: str) -> Checker:
    """Whether MUC gives singletons nothing and LEA only those of the key, but all others some."""

    @needing(*LINK_BASED)
    def check(table: pd.DataFrame) -> Check:
        if _is_empty(table, system):
            return Check(None, "no mention is left to score")
        recall, rest = column(table, system, "recall"), others(table, *LINK_BASED)
        of_key, alone = (
            int(column(table, system, of).iloc[0]) for of in ("key_mentions", "key_singletons")
        )
        if not of_key:
            return Check(None, "the key has no mention")
        by_links = recall["muc"] <= TOLERANCE and abs(recall["lea"] - alone / of_key) <= TOLERANCE
        by_mentions = all(recall[name] > TOLERANCE for name in rest)
        numbers = numbers_of(recall[[*LINK_BASED, *rest]])
        had = f"of the key's {of_key:,} mentions, it has {alone:,} that are singletons there"
        return Check(bool(by_links and by_mentions), f"recall {numbers}; {had}")

    return check


@_needing_links
@needing("muc")
def one_entity_by_muc(table: pd.DataFrame) -> Check:
    f1, rest = column(table, SYS_1ENT), others(table, "muc")
    highest = max((f1[name] for name in rest), default=0)
    return Check(bool(f1["muc"] > highest + TOLERANCE), f"F1 {numbers_of(f1[['muc', *rest]])}")


@_needing_links
@needing("muc", "bcub", "ceafe")
def system_mentions(table: pd.DataFrame) -> Check:
    """Whether both systems tell the number of mentions and of documents that there are."""
    told = _told_sizes(table)
    if told is None:
        return Check(None, "a boundary system earns no credit, which tells nothing of its size")
    alone, together = told
    there, parts = (int(column(table, SYS_1ENT, of).iloc[0]) for of in ("mentions", "entities"))
    same = alone.allows(there) and together.mentions.allows(there)
    numbers = f"{_in_words(table, alone, together)}; there are {there:,} mentions in {parts:,}"
    return Check(same and together.entities.allows(parts), numbers)


def system_mentions_in_print(table: pd.DataFrame) -> Check:
    """Whether both systems can have the same number of mentions, in the parts that §3.1 fits."""
    told, best = _told_sizes(table, PRINTED), response_sizes(table, BEST, PRINTED)
    assert told
    assert best
    alone, together = told
    fits = alone.meets(together.mentions) and together.entities.allows(PARTS)
    numbers = f"{_in_words(table, alone, together)}; {BEST} has {best.mentions}"
    return Check(fits, numbers)


def _told_sizes(table: pd.DataFrame, half: float = 0) -> tuple[Bounded, Sizes] | None:
    """The entities of the singletons, which are mentions, and the sizes of the one entity."""
    n_entities = table["key_entities"].iloc[0]
    alone = response_total(table, SYS_SING, "ceafe", n_entities, half)
    together = response_sizes(table, SYS_1ENT, half)
    return (alone, together) if alone and together else None


def _in_words(table: pd.DataFrame, alone: Bounded, together: Sizes) -> str:
    found = column(table, SYS_SING, "precision")["bcub"] * together.mentions.value
    share = found / table["key_mentions"].iloc[0]
    return (
        f"mentions: {alone} by CEAF_e of {SYS_SING}, {together.mentions} by MUC and CEAF_e of "
        f"{SYS_1ENT}, in {together.entities} parts; the key has {found:,.0f} of them by B³ of "
        f"{SYS_SING}, {percent(share)}% of its own"
    )


# The paper's systems ------------------------------------------------------------------------------


@_needing_systems(FIRST, SECOND)
def equal_by_average(table: pd.DataFrame) -> Check:
    one, other = (column(table, system)["conll"] for system in (FIRST, SECOND))
    numbers = f"{FIRST} {percent(one)}, {SECOND} {percent(other)}: {points(one - other)} apart"
    return Check(bool(abs(one - other) < 0.001), numbers)


@_needing_systems(FIRST, SECOND)
def martschat_first(table: pd.DataFrame) -> Check:
    f1 = table.pivot(index="system", columns="metric", values="f1")
    return joined(
        (title_of(name), in_order(f1[name], [FIRST, SECOND])) for name in ("lea", "ceafe")
    )


# How far apart recall and precision may be for one to be "marginally" better, in points: the text
# calls CEAF_e's "similar", and F1 of two systems that are as far apart significantly different.
MARGINALLY = {"a point": 0.01, "five points": 0.05}


@_needing_systems(FIRST, SECOND)
def peng_is_precise(table: pd.DataFrame) -> Check:
    recall, precision = (column(table, SECOND, of) for of in ("recall", "precision"))
    alike = abs(recall["ceafe"] - precision["ceafe"]) < 0.01
    numbers = [
        f"{title_of(name)} recall {percent(recall[name])}, precision {percent(precision[name])}"
        for name in ("ceafe", "lea")
    ]
    apart = precision["lea"] - recall["lea"]
    one, other = (column(table, system)["lea"] for system in (FIRST, SECOND))
    bounds = {
        **MARGINALLY,
        f"the {points(one - other)} of §6 between significant scores": one - other,
    }
    readings = tuple(
        Reading(f"marginally: by less than {words}", bool(alike and TOLERANCE < apart < bound))
        for words, bound in bounds.items()
    )
    numbers.append(f"LEA's precision is {points(apart)} higher")
    return Check(any(one.holds for one in readings), "; ".join(numbers), readings=readings)


# The mentions of the key --------------------------------------------------------------------------


@_needing_links
@needing("muc")
def one_entity_beats_response(table: pd.DataFrame) -> Check:
    one, response = column(table, KEY_1ENT), column(table, RESPONSE)
    recall = column(table, KEY_1ENT, "recall")["muc"]
    numbers = ", ".join(
        f"{title_of(name)} {percent(one[name])} against {percent(response[name])}"
        for name in ("muc", *others(table, "muc"))
    )
    holds = recall >= 1 - TOLERANCE and one["muc"] > response["muc"] + TOLERANCE
    return Check(bool(holds), f"MUC recall {percent(recall)}; F1 {numbers}")


def one_entity_beats_best(table: pd.DataFrame) -> Check:
    """The same of the F1 that §3.1 prints."""
    best = 100 * column(table, BEST)["muc"]
    holds = COUNTS["recall"] == 100 and COUNTS["f1"] > best
    numbers = f"recall {COUNTS['recall']:.0f}; F1 {COUNTS['f1']:.2f} against {best:.2f} of {BEST}"
    return Check(bool(holds), f"MUC {numbers}")


@_needing_links
@needing("muc")
def precision_by_parts(table: pd.DataFrame) -> Check:
    mentions, entities, parts = (
        int(column(table, KEY_1ENT, of).iloc[0])
        for of in ("key_mentions", "key_entities", "entities")
    )
    precision = column(table, KEY_1ENT, "precision")["muc"]
    expected = _one_entity_precision(mentions, entities, parts)
    numbers = f"({mentions:,} − {entities:,}) / ({mentions:,} − {parts:,}) = {percent(expected)}"
    return Check(bool(abs(precision - expected) <= TOLERANCE), numbers)


def parts_in_print() -> Check:
    """Whether the MUC of §3.1 comes out: with one entity in all, as the text has it, or one in each
    part, as the scorer counts; the figures rounded or cut."""
    printed = (COUNTS["precision"], COUNTS["f1"])
    readings, numbers = [], []
    for n in (1, round(COUNTS["parts"]), PARTS):
        muc = _one_entity_muc(n)
        entities = "one entity in all" if n == 1 else f"one entity in each of {n} parts"
        for words, of in (("rounded", _rounded), ("cut", _cut)):
            holds = tuple(map(of, muc)) == printed
            readings.append(Reading(f"{entities}, figures {words}", holds))
        numbers.append(f"{entities}: {percent(muc[0])} and F1 {percent(muc[1])}")
    told = f"{'; '.join(numbers)}; printed: {printed[0]} and F1 {printed[1]}"
    return Check(readings[0].holds, told, readings=tuple(readings))


def _one_entity_muc(parts: int) -> tuple[float, float]:
    """Precision and F1 of all mentions of the paper's key in one entity for each of the parts."""
    precision = _one_entity_precision(COUNTS["key_mentions"], COUNTS["key_entities"], parts)
    return precision, 2 * precision / (1 + precision)


def _one_entity_precision(mentions: float, entities: float, parts: int) -> float:
    return (mentions - entities) / (mentions - parts)


def _rounded(fraction: float) -> float:
    """In percent, rounded to two decimals."""
    return round(100 * fraction, 2)


def _cut(fraction: float) -> float:
    """In percent, cut after two decimals."""
    return floor(1e4 * fraction + WHOLE) / 100


def is_full(table: pd.DataFrame, *, system: str, measure: str) -> Check:
    """Whether B³ gives a system full recall, or full precision."""
    if "bcub" not in {*table["metric"]}:
        return Check(None, f"{title_of('bcub')} is not scored")
    if not table["key_mentions"].iloc[0]:
        return Check(None, "the key has no mention")
    if _is_empty(table, system):
        return Check(None, "no mention is left to score")
    value = column(table, system, measure)["bcub"]
    return Check(bool(value >= 1 - TOLERANCE), f"{measure} {percent(value)}")


TABLE4_PRINTED = Printed(
    "Table 4", Path(__file__).with_name("table4.csv"), ("system", "metric"), same_data=False
)


def _table_4(setting: Setting) -> pd.DataFrame:
    """Rows (system, metric): the mentions of the response and of the key as singletons and in one
    entity a document, and the response itself.

    Columns: system, metric, recall, precision, f1 (fractions; the CoNLL average is an F1 only),
    mentions, entities (of that system), key_singletons (how many singletons of the key are among
    its mentions), key_mentions, key_entities.
    """
    (key, response), words = setting.data, setting.policies.words
    if setting.policies.singletons == "drop":  # before anything else
        key, response = without_singletons(key), without_singletons(response)
    responses = {
        SYS_SING: baseline(key, kind="singletons", mentions_of=response, words=words),
        SYS_1ENT: baseline(key, kind="one-entity", mentions_of=response, words=words),
        KEY_SING: baseline(key, kind="singletons"),
        KEY_1ENT: baseline(key, kind="one-entity"),
        RESPONSE: response,
    }
    scores = results(setting, responses)
    sizes = {
        name: {**sizes_of(result), "key_singletons": _key_singletons(result)}
        for name, result in scores.items()
    }
    columns = ["mentions", "entities", "key_singletons", "key_mentions", "key_entities"]
    return score_rows(scores, setting).join(pd.DataFrame(sizes).T[columns], on="system")


def _key_singletons(result: Result) -> int:
    """How many singletons of the key are among the mentions of the response."""
    own, sizes = result.comparison.recall, result.comparison.table.key_sizes
    return int(((own.own_partner >= 0) & (sizes[own.own_entity] == 1)).sum())


def _printed() -> pd.DataFrame:
    """All scores of the table; the key of CoNLL-2012 has no singletons."""
    return printed_numbers(TABLE4_PRINTED).assign(key_singletons=0)


CLAIMS = (
    Claim(
        "Where every mention of the system is a singleton, MUC gives nothing and LEA credits only "
        "singletons of the key; B³ and CEAF_e still give credit.",
        "§6, Table 4",
        singletons_score(SYS_SING),
        note="The key of CoNLL-2012 has no singletons, so LEA gives nothing either.",
        id="sys-sing",
        in_print=lambda: singletons_score(SYS_SING)(_printed()),
        scope="result",
    ),
    Claim(
        "MUC scores the system's mentions in one entity higher than all other metrics do.",
        "§6, Table 4",
        one_entity_by_muc,
        id="sys-1ent",
        in_print=lambda: one_entity_by_muc(_printed()),
        scope="result",
    ),
    Claim(
        "The scores of the two boundary systems tell how many mentions the system has, in how many "
        "parts, and how many of them the key has; the paper's are some 45,670 in 346 parts, and "
        "90% of the key's among them.",
        "ours, from Table 4",
        system_mentions,
        note="More than twice the mentions that any of the table's systems has in its entities; "
        "they may be those that a system starts from.",
        id="system-mentions",
        in_print=lambda: system_mentions_in_print(_printed()),
        scope="result",
        ours=True,
    ),
    Claim(
        "F1 is the harmonic mean of recall and precision in MUC, B³, CEAF_e and LEA, and the CoNLL "
        "average is the mean of the first three.",
        "ours, from Table 4",
        consistent,
        id="consistent",
        in_print=lambda: consistent(_printed(), half=HALF),
        scope="universal",
        ours=True,
    ),
    Claim(
        "Martschat and Peng are equal by the CoNLL average.",
        "§6, Table 4",
        equal_by_average,
        note="Equal: less than a tenth of a point apart.",
        id="equal-by-average",
        in_print=told_by(TABLE4_PRINTED, equal_by_average),
        scope="comparison",
    ),
    Claim(
        "LEA puts Martschat above Peng, and CEAF_e agrees.",
        "§6, Table 4",
        martschat_first,
        note="The paper calls the difference significant by approximate randomisation (Noreen "
        "1989) and prints no p-value; without the two outputs it cannot be tested again.",
        id="lea-order",
        in_print=told_by(TABLE4_PRINTED, martschat_first),
        scope="comparison",
    ),
    Claim(
        "CEAF_e gives Peng about as much recall as precision; LEA gives it marginally more "
        "precision.",
        "§6, Table 4",
        peng_is_precise,
        note="About as much: less than a point apart.",
        id="peng-precision",
        in_print=told_by(TABLE4_PRINTED, peng_is_precise),
        scope="comparison",
    ),
    Claim(
        "All mentions of the key in one entity have full recall by MUC, and a higher F1 than the "
        "response.",
        "§3.1",
        one_entity_beats_response,
        id="key-1ent-muc",
        in_print=lambda: one_entity_beats_best(_printed()),
        scope="result",
    ),
    Claim(
        "All mentions of the key in a single entity have the MUC precision that follows from its "
        "mentions and entities: 78.44 in the paper, and an F1 of 87.91.",
        "§3.1",
        precision_by_parts,
        note="Precision is (mentions − entities) / (mentions − parts) with an entity for each "
        "part, as the scorer counts. The paper has 348 parts (§2); two may have no mention. Its "
        "scorer cuts percentages.",
        id="key-1ent-parts",
        in_print=parts_in_print,
        scope="result",
    ),
    Claim(
        "All mentions of the key as singletons have a B³ precision of 100.",
        "§3.2",
        partial(is_full, system=KEY_SING, measure="precision"),
        id="key-sing-bcub",
        scope="universal",
    ),
    Claim(
        "All mentions of the key in one entity have a B³ recall of 100.",
        "§3.2",
        partial(is_full, system=KEY_1ENT, measure="recall"),
        id="key-1ent-bcub",
        scope="universal",
    ),
)

TABLE_4 = Experiment(
    id="moosavi2016-table4",
    paper=MOOSAVI_2016,
    where="Table 4",
    title="What do systems score that know nothing of coreference?",
    setup=(
        "The response beside boundary systems. sys-sing has every mention of the response as a "
        "singleton, sys-1ent has all of them in one entity a document. The paper does not say "
        "which system's mentions its two have; their scores fit some 45,670 mentions, far more "
        "than any output in its table has. key-sing and key-1ent are the same with the mentions of "
        "the key, which the paper speaks of in §3.1 and §3.2, and which Recasens & Hovy score in "
        "their Tables 3 and 16. A document here is a part of one in CoNLL-2012."
    ),
    run=_table_4,
    chart=Chart("bars", x="system", x_title="system", of=shown),
    claims=CLAIMS,
    on_data=True,
    allowed=ALLOWED,
    printed=(TABLE4_PRINTED,),
)
