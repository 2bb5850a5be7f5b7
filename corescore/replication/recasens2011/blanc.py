"""Recasens & Hovy 2011, Table 8: a key with many singletons, and eight responses to it."""

import re
from collections.abc import Mapping
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.metrics import title_of
from corescore.metrics.diagnostics import LINKS, RAND
from corescore.metrics.variants import weighted_blanc
from corescore.replication.claims import (
    Checker,
    as_printed,
    by_metric,
    in_order,
    joined,
    needing,
    numbers_of,
    points,
    told_by,
    wide,
)
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import (
    NON_COREFERENCE,
    Pair,
    Partition,
    of_sizes,
    score_partitions,
    toy_table,
    with_diagnostics,
)
from corescore.replication.printed import Printed
from corescore.util import TOLERANCE
from corescore.wording import percent

N_SINGLETONS = Parameter(
    "singletons",
    "Singletons in the key",
    61,
    "The paper has 61. With fewer, B³ and CEAF fall; MUC of A to G stays the same.",
    minimum=4,
    maximum=500,
)

SYSTEMS = {
    "A": "two singletons linked",
    "B": "a singleton linked to the entity of 4",
    "C": "the entity of 3 in singletons",
    "D": "the entities of 4 and 3 as one",
    "E": "the entity of 4 in two halves, each with a singleton",
    "F": "the entity of 4 in four parts, each with a singleton",
    "G": "all singletons",
    "H": "one entity",
}

PATH = Path(__file__).with_name("table8.csv")

KEY, ALL_SINGLETONS, ONE_ENTITY = "Gold", "All singletons", "One entity"


def table_8() -> dict[str, Partition]:
    """The key ("Gold") and the responses A to H as printed; mentions are numbers from 1."""
    rows = pd.read_csv(PATH, comment="#").set_index("response")["output"]
    mentions = [mention for entity in _entities(rows[KEY]) for mention in entity]
    in_words = {ALL_SINGLETONS: [[m] for m in mentions], ONE_ENTITY: [mentions]}
    return {str(name): in_words.get(text) or _entities(text) for name, text in rows.items()}


def _entities(text: str) -> list[list[int]]:
    """The entities of "(1,62) (2)"."""
    return [[*map(int, entity.split(","))] for entity in re.findall(r"\(([\d,]+)\)", text)]


def eight_systems(n_singletons: int = 61) -> list[Pair]:
    """The key with each of A to H, and with another number of singletons in the key.

    Singletons are taken out of both sides, those first that the response has alone, or added to
    both. Mentions are numbered from 0 through the key.
    """
    sides = table_8()
    key = sides.pop(KEY)
    return [_resized(key, response, n_singletons) for response in sides.values()]


def _resized(key: Partition, response: Partition, n_singletons: int) -> Pair:
    size = {mention: len(entity) for entity in response for mention in entity}
    alone = sorted((m for entity in key if len(entity) == 1 for m in entity), key=size.__getitem__)
    gone = {*alone[:-n_singletons]}
    more = [[len(size) + at] for at in range(1, n_singletons - len(alone) + 1)]
    key = [*more, *_without(gone, key)]
    if len(response) == 1:
        response = [[mention for entity in key for mention in entity]]
    else:
        response = [*more, *_without(gone, response)]
    number = {mention: at for at, mention in enumerate(m for entity in key for m in entity)}
    return _numbered(number, key), _numbered(number, response)


def _without(gone: set[int], side: Partition) -> list[list[int]]:
    rest = ([m for m in entity if m not in gone] for entity in side)
    return [entity for entity in rest if entity]


def _numbered(number: dict[int, int], side: Partition) -> list[list[int]]:
    return [[number[mention] for mention in entity] for entity in side]


# Recasens & Hovy 2011, Tables 8 to 11: eight responses to a key with many singletons --------------

_HERE = Path(__file__)

TABLE_9 = Printed("Table 9", _HERE.with_name("table9.csv"), on=("response",))

TABLE_10 = Printed("Table 10", _HERE.with_name("table10.csv"))

TABLE_11 = Printed("Table 11", _HERE.with_name("table11.csv"))

ALL, LINKED = "ABCDEFGH", "ABCDEF"


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), responses A to H, with the diagnostic "rand".

    Columns as `toy_table`, and about (in words), entities and singletons (their numbers).
    """
    pairs = eight_systems(setting.number("singletons"))
    metrics = with_diagnostics(setting.metrics, RAND)
    table = toy_table(list(SYSTEMS), pairs, metrics, name="response")
    table.insert(1, "about", table["response"].map(SYSTEMS))
    sizes = {name: [*map(len, r)] for name, (_, r) in zip(SYSTEMS, pairs, strict=True)}
    return table.assign(
        entities=[len(sizes[name]) for name in table["response"]],
        singletons=[sizes[name].count(1) for name in table["response"]],
    )


# Checks -------------------------------------------------------------------------------------------


def _errors(table: pd.DataFrame) -> Check:
    """By the numbers of wrong links of A to E."""
    wrong = table.drop_duplicates("response").set_index("response")
    made, missed = (
        wrong[f"wrong_{kind}"].astype(int).to_dict() for kind in ("coreference", "non_coreference")
    )
    none_made = made["C"] == 0 and missed["C"] > 0
    none_missed = missed["A"] == missed["B"] == missed["D"] == 0
    both = made["E"] > 0 and missed["E"] > 0
    in_number = made["A"] == 1 and made["B"] == 4 and made["D"] > made["B"]
    numbers = ", ".join(f"{name} {made[name]} and {missed[name]}" for name in "ABCDE")
    holds = none_made and none_missed and both and in_number
    return Check(holds, f"wrong links and missing links: {numbers}")


def _falls(metric: str, responses: str) -> Checker:
    """Whether each response scores higher than the next."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        return in_order(wide(table, "response")[metric], [*responses])

    return check


def _never_rises(metric: str, responses: str = ALL) -> Checker:
    """Whether no response scores higher than the one before it; where it does."""

    @needing(metric)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "response")[metric][[*responses]]
        rises = [f"{name} above the one before" for name in f1.index[f1.diff() > TOLERANCE]]
        return Check(not rises, "; ".join([numbers_of(f1), *rises]))

    return check


def _not(check: Checker) -> Checker:
    def negated(table: pd.DataFrame) -> Check:
        told = check(table)
        return Check(None if told.holds is None else not told.holds, told.numbers)

    return negated


@needing("bcub", "ceafm", "blanc")
def _spread(table: pd.DataFrame) -> Check:
    """A to G; the one entity of H is low by any metric."""
    names = ["blanc", "ceafm", "bcub"]
    f1 = wide(table, "response").loc[[*"ABCDEFG"], names]
    low, high = f1.min(), f1.max()
    width = high - low
    numbers = (
        f"{title_of(name)} {percent(high[name])} to {percent(low[name])} ({points(width[name])})"
        for name in names
    )
    return Check(bool(width["blanc"] > max(width["ceafm"], width["bcub"])), ", ".join(numbers))


def _rand_is_close(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response")["rand"][[*"ABCDEFG"]]
    low, high = f1.min(), f1.max()
    return Check(bool(high - low < 0.01), f"Rand of A to G {percent(low)} to {percent(high)}")


@needing("muc")
def _muc_misses_it(table: pd.DataFrame) -> Check:
    muc = wide(table, "response")["muc"][["G", "H"]]
    return Check(bool(muc["G"] <= muc["H"]), f"MUC: {numbers_of(muc)}")


@needing("bcub", "ceafm")
def _boundaries_apart(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response").loc[["G", "H"], ["bcub", "ceafm"]]
    numbers = "; ".join(f"{title_of(str(name))}: {numbers_of(f1[name])}" for name in f1)
    return Check(bool(f1.loc["G"].min() > 0.9 and f1.loc["H"].max() < 0.1), numbers)


@needing("blanc")
def _bounded_recall(table: pd.DataFrame) -> Check:
    recall = wide(table, "response", "recall")["blanc"][["G", "H"]]
    return Check(bool(recall.max() <= 0.5 + TOLERANCE), f"recall of BLANC: {numbers_of(recall)}")


def _alike(one: str, other: str, *metrics: str) -> Checker:
    """Whether these metrics score two responses alike, and BLANC scores the first higher."""

    @needing(*metrics, "blanc")
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "response").loc[[one, other], [*metrics, "blanc"]]
        ahead = {str(name): float(f1[name].iloc[0] - f1[name].iloc[1]) for name in f1}
        same = all(abs(ahead[name]) < TOLERANCE for name in metrics)
        return Check(same and ahead["blanc"] > TOLERANCE, by_metric(f1, ahead))

    return check


@needing("muc", "bcub", "blanc")
def _all_singletons(table: pd.DataFrame) -> Check:
    names = ["muc", "bcub", "blanc"]
    f1 = wide(table, "response").loc[["F", "G"], names]
    rises = (f1.loc["G"] > f1.loc["F"]).to_dict()
    return Check(rises == {"muc": False, "bcub": True, "blanc": False}, by_metric(f1, names))


# Claims -------------------------------------------------------------------------------------------


def _claim(
    id: str,
    says: str,
    check: Checker,
    *,
    where: str = "§5.1, Table 10",
    told: Printed | None = TABLE_10,
    note: str = "",
) -> Claim:
    """A claim that the printed figures tell of, too."""
    return Claim(
        says,
        where,
        check,
        note,
        id,
        told_by(told, check) if told else None,
        scope="result",
        ours=where.startswith("our"),
    )


CLAIMS = (
    _claim(
        "errors",
        "A has one wrong link and B four. C has none but misses links; D misses none but has many "
        "wrong links; E has both kinds of errors.",
        _errors,
        where="§5.1, Table 9",
        told=TABLE_9,
    ),
    _claim(
        "blanc-order", "BLANC falls from A to H, as intuition ranks them.", _falls("blanc", ALL)
    ),
    _claim(
        "ceaf-order",
        "CEAF never rises from A to H, though some have the same score.",
        _never_rises("ceafm"),
    ),
    _claim(
        "bcub-order",
        "B³ falls from A to F; the boundary responses G and H are left aside.",
        _falls("bcub", LINKED),
    ),
    _claim("rand-order", "The Rand index does not rank them so.", _not(_never_rises("rand"))),
    _claim(
        "rand-close",
        "The Rand index hardly tells the responses apart.",
        _rand_is_close,
        note="The bound is ours: A to G within one point.",
    ),
    _claim(
        "spread",
        "From A to G, BLANC uses more of the scale than CEAF and B³.",
        _spread,
    ),
    _claim(
        "muc-boundary",
        "MUC does not see that all singletons (G) are better than one entity (H).",
        _muc_misses_it,
        told=None,
    ),
    _claim(
        "boundaries-apart",
        "B³ and CEAF score one entity (H) close to 0 and all singletons (G) close to 100, though G "
        "links nothing.",
        _boundaries_apart,
        note="The bounds are ours: below 10 and above 90.",
    ),
    _claim(
        "blanc-recall",
        "BLANC's recall of G and H is at most 50.",
        _bounded_recall,
        where="§5.1, Table 11",
        told=TABLE_11,
    ),
    _claim(
        "a-and-b",
        "MUC and CEAF score A and B alike, though B has more wrong links; BLANC scores B lower.",
        _alike("A", "B", "muc", "ceafm"),
    ),
    _claim(
        "d-and-e",
        "CEAF scores D and E alike; BLANC scores E lower.",
        _alike("D", "E", "ceafm"),
    ),
    _claim(
        "muc-d",
        "MUC scores D like B, too, though D has three times as many wrong links.",
        _alike("B", "D", "muc"),
        where="our reading of Table 10",
    ),
    _claim(
        "g-above-f",
        "B³ scores singletons alone (G) higher than a response that keeps two of the entities "
        "(F); MUC and BLANC do not.",
        _all_singletons,
        where="our reading of Table 10",
        told=None,
    ),
    Claim(
        "The printed links match.",
        "Table 9",
        as_printed(TABLE_9),
        id="printed-9",
        scope="result",
        ours=True,
    ),
    Claim(
        "The printed F1 match.",
        "Table 10",
        as_printed(TABLE_10),
        note="The cell of MUC of G cannot be read in the scan; it may be empty or have a dash. G "
        "has no link, so that MUC is 0 here.",
        id="printed-10",
        scope="result",
        ours=True,
    ),
    Claim(
        "The printed precision and recall match.",
        "Table 11",
        as_printed(TABLE_11),
        note="54 figures are printed: CEAF has one for both, which counts twice here. MUC of G as "
        "in Table 10.",
        id="printed-11",
        scope="result",
        ours=True,
    ),
)

TABLES_8_TO_11 = Experiment(
    id="recasens2011-tables8-11",
    paper=RECASENS_2011,
    where="Tables 8 to 11",
    title="Can responses be told apart where most mentions are singletons?",
    setup=(
        "The key of Table 8 has 70 mentions: 61 singletons, which are 95% of its 64 entities, and "
        "entities of four, three and two. Its eight responses, A to H, stand in the order in which "
        "the authors rank them, the best first: from A (one wrong link) to G (all singletons) and "
        "H (one entity). Key and responses are the paper's, mention by mention, and all of Tables "
        "9 to 11 stands beside what comes out. CEAF in the paper is CEAF_m. Shown beside the "
        "metrics: the Rand index. The number of singletons can be changed."
    ),
    run=_systems,
    chart=Chart("bars", x="response", x_title="response"),
    claims=CLAIMS,
    parameters=(N_SINGLETONS,),
    printed=(TABLE_9, TABLE_10, TABLE_11),
)


# Recasens & Hovy 2011, Tables 12 and 13: a key with a single link, and the weight α ---------------


def read_weights(text: str) -> tuple[float, ...]:
    """Up to ten weights α from 0 to 1, separated by spaces or commas; else PolicyError."""
    try:
        weights = tuple(float(word) for word in text.replace(",", " ").split())
    except ValueError:
        weights = ()
    if not 1 <= len(weights) <= 10 or not all(0 <= weight <= 1 for weight in weights):
        raise PolicyError(f"α is '{text}'; expected one to ten numbers from 0 to 1: 0.5 0.2 0.1")
    return tuple(dict.fromkeys(weights))


ALPHA = (
    Parameter(
        "alpha",
        "Weights α of the coreference links",
        "0.5 0.2 0.1",
        "α = 0.5 is BLANC itself; the weight of the non-coreference links is 1 − α.",
        reads=read_weights,
    ),
    Parameter(
        "mentions", "Mentions", 18, "The paper has 18; two of them corefer.", minimum=5, maximum=500
    ),
)

PRINTED = Printed("Table 13", Path(__file__).with_name("table13.csv"))

EVEN = 0.5  # the weight of BLANC itself


def table_12_pairs(n: int = 18) -> dict[str, Pair]:
    """The key, whose last two of n mentions corefer, with each response by its name."""
    last = n - 1
    key = _linked(n, [last - 1, last])
    return {
        "A": (key, _linked(n)),
        "B": (key, _linked(n, [last - 2, last - 1])),
        "C": (key, _linked(n, [last - 3, last - 2])),
        "D": (key, _linked(n, [last - 3, last - 2], [last - 1, last])),
    }


def _linked(n: int, *entities: list[int]) -> Partition:
    """These entities, and every other of n mentions alone."""
    alone = sorted({*range(n)} - {mention for entity in entities for mention in entity})
    return [*([mention] for mention in alone), *entities]


def _table_13(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric): the metrics, and "blanc_α" for each weight α but that of BLANC.

    Columns as `toy_table`.
    """
    weights = read_weights(setting.text("alpha"))
    metrics = (*setting.metrics, *(weighted_blanc(weight) for weight in weights if weight != EVEN))
    pairs = table_12_pairs(setting.number("mentions"))
    return toy_table(list(pairs), list(pairs.values()), metrics, name="response")


# The claims ---------------------------------------------------------------------------------------


def _leap(table: pd.DataFrame) -> Check:
    """From the best of A, B and C to D, by weight."""
    f1 = wide(table, "response").to_dict()
    weights = sorted((str(name) for name in f1 if str(name).startswith("blanc")), key=_weight_of)
    leaps = [f1[name]["D"] - max(f1[name][other] for other in "ABC") for name in weights]
    numbers = ", ".join(
        f"α = {_weight_of(name):g}: {points(leap)}"
        for name, leap in zip(weights, leaps, strict=True)
    )
    if len(weights) < 2:
        return Check(None, f"one weight only, {numbers}")
    return Check(min(leaps) > 0 and all(a < b for a, b in pairwise(leaps)), numbers)


def _weight_of(metric: str) -> float:
    return float(metric.removeprefix("blanc_")) if metric != "blanc" else EVEN


@needing("muc", "blanc")
def _muc_leaps_more(table: pd.DataFrame) -> Check:
    """A dash is no score; B and C have 0."""
    f1 = wide(table, "response").to_dict()
    blanc, muc = (f1[name]["D"] - f1[name]["B"] for name in ("blanc", "muc"))
    return Check(bool(muc > blanc), f"from B to D: MUC {points(muc)}, BLANC {points(blanc)}")


@needing("bcub", "ceafm")
def _no_difference(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response").loc[["A", "D"]]
    names = ["bcub", "ceafm"]
    holds = all(np.ptp(f1[name]) < TOLERANCE for name in names)
    return Check(holds, by_metric(f1, names))


@needing("bcub", "ceafm")
def _only_d_finds_it(table: pd.DataFrame) -> Check:
    found = table.drop_duplicates("response").set_index("response")["right_coreference"]
    links = ", ".join(f"{name} {count}" for name, count in found.items())
    only_d = Check(bool(found["D"] == 1 and found.sum() == 1), links)
    return joined([("correct links", only_d), ("scores", _no_difference(table))])


@needing("bcub", "ceafm", "blanc")
def _b_above_c(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response").loc[["B", "C"]]
    by = {name: b - c for name in ("ceafm", "bcub", "blanc") for b, c in [f1[name].tolist()]}
    alike = max(abs(by["bcub"]), abs(by["blanc"])) < TOLERANCE
    return Check(bool(by["ceafm"] > TOLERANCE and alike), by_metric(f1, by))


TABLES_12_AND_13 = Experiment(
    id="recasens2011-tables12-13",
    paper=RECASENS_2011,
    where="Tables 12 and 13",
    title="What if a key has one coreference link only?",
    setup=(
        "Eighteen mentions, of which the last two corefer; all others are singletons. Response A "
        "has only singletons, B and C have one wrong link, which touches the entity (B) or does "
        "not (C), and D finds the link and adds C’s wrong one. BLANC_α = α · F of the coreference "
        "links + (1 − α) · F of the non-coreference links; with α = 0.5 it is BLANC. In our copy, "
        "a scan, both tables are garbled: which row belongs to which response is a reading, by "
        "which all figures of Table 13 come out."
    ),
    run=_table_13,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "The printed scores match.",
            "Table 13",
            as_printed(PRINTED),
            id="as-printed",
            scope="result",
            ours=True,
        ),
        Claim(
            "BLANC leaps from A, B and C to D; the smaller α is, the less it does.",
            "§5.1, Table 13",
            _leap,
            id="leap",
            in_print=told_by(PRINTED, _leap),
            scope="result",
        ),
        Claim(
            "MUC, which cannot score A to C, rises even more.",
            "§5.1, Table 13",
            _muc_leaps_more,
            id="muc-rises-more",
            in_print=told_by(PRINTED, _muc_leaps_more),
            scope="result",
        ),
        Claim(
            "B³ and CEAF score A and D alike, though D alone finds the link.",
            "§5.1, Table 13",
            _only_d_finds_it,
            note="CEAF is that of mentions; CEAF_e, which the paper leaves out, even puts A first. "
            "LEA, which is younger, scores both alike, too.",
            id="a-and-d-alike",
            in_print=told_by(PRINTED, _no_difference),
            scope="result",
        ),
        Claim(
            "CEAF scores B above C, which B³ and BLANC score alike.",
            "§5.1, Table 13",
            _b_above_c,
            id="b-above-c",
            in_print=told_by(PRINTED, _b_above_c),
            scope="result",
        ),
    ),
    parameters=ALPHA,
    printed=(PRINTED,),
)

# Recasens & Hovy 2011, §4.1.2: one kind of link only, or one link only ----------------------------

BOUNDARY_MENTIONS = Parameter(
    "mentions", "Mentions", 10, "In the key and in the response.", minimum=4, maximum=200
)

Case = tuple[str, str]  # of the key, of the response

ONE, ALONE, MIXED = "one entity", "all singletons", "both"

ONE_LINK, WRONG_PAIR = "one link", "a wrong pair"

C, N = LINKS.id, NON_COREFERENCE.id


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric), with "links" and "non_coreference", BLANC's two parts.

    Columns: key and response in words, metric, recall, precision and f1.
    """
    keys, responses = _sides(setting.number("mentions"))
    cases = list(product(keys, responses))
    pairs = [(keys[key], responses[response]) for key, response in cases]
    scores = score_partitions(pairs, with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE))
    scores.insert(0, "key", [cases[pair][0] for pair in scores["pair"]])
    scores.insert(1, "response", [cases[pair][1] for pair in scores["pair"]])
    return scores[["key", "response", "metric", "recall", "precision", "f1"]]


def _sides(n: int) -> tuple[dict[str, Partition], dict[str, Partition]]:
    """The keys and the responses of n mentions, by their names."""
    half = n // 2
    only: dict[str, Partition] = {ONE: of_sizes([n]), ALONE: of_sizes([1] * n)}
    both, one_link = of_sizes([half, *[1] * (n - half)]), of_sizes([2, *[1] * (n - 2)])
    wrong_pair = [[0, n - 1], *([mention] for mention in range(1, n - 1))]
    keys = {**only, MIXED: both, ONE_LINK: one_link}
    return keys, {**only, MIXED: of_sizes([2, n - 2]), WRONG_PAIR: wrong_pair}


# The claims ---------------------------------------------------------------------------------------


def _scores(table: pd.DataFrame, metric: str) -> dict[Case, dict[str, float]]:
    """Recall, precision and F1 of one metric, by key and response."""
    rows = table[table["metric"] == metric].to_dict("records")
    return {
        (row["key"], row["response"]): {measure: row[measure] for measure in MEASURES}
        for row in rows
    }


def _rule(expected: Mapping[Case, tuple[float, str]]) -> Checker:
    """Whether BLANC is what is expected of each case, in recall, precision and F1.

    expected  a share of one of the two parts, or a number, with an empty name of the part
    """

    @needing("blanc")
    def check(table: pd.DataFrame) -> Check:
        blanc, holds, told = _scores(table, "blanc"), True, []
        for case, (share, part) in expected.items():
            of_part = _scores(table, part)[case] if part else dict.fromkeys(MEASURES, 1.0)
            apart = (blanc[case][measure] - share * of_part[measure] for measure in MEASURES)
            holds = holds and all(abs(difference) < TOLERANCE for difference in apart)
            beside = f", the part {_told(of_part)}" if part else ""
            told.append(f"key {case[0]}, response {case[1]}: {_told(blanc[case])}{beside}")
        return Check(holds, "; ".join(told))

    return check


def _told(scores: Mapping[str, float]) -> str:
    """R 100.00, P 52.63, F1 68.97."""
    values = zip(("R", "P", "F1"), (scores[measure] for measure in MEASURES), strict=True)
    return ", ".join(f"{letter} {percent(value)}" for letter, value in values)


@needing("blanc")
def _never_above_half(table: pd.DataFrame) -> Check:
    """Of the responses that lack the only link."""
    blanc, links = (
        {case[1]: of["f1"] for case, of in _scores(table, name).items() if case[0] == ONE_LINK}
        for name in ("blanc", C)
    )
    missing = {response: f1 for response, f1 in blanc.items() if not links[response]}
    return _below_half(missing)


def _printed_below_half() -> Check:
    rows = PRINTED.numbers
    rows = rows[(rows["metric"] == "blanc") & rows["response"].isin([*"ABC"])]
    return _below_half(dict(zip(rows["response"], rows["f1"], strict=True)))


def _below_half(blanc: Mapping[str, float]) -> Check:
    return Check(bool(blanc) and max(blanc.values()) <= 0.5, numbers_of(blanc))


_WHERE = "§4.1.2"

BOUNDARIES = Experiment(
    id="recasens2011-boundaries",
    paper=RECASENS_2011,
    where=_WHERE,
    title="What is BLANC where there is only one kind of link?",
    setup=(
        "A key that is a single entity has no non-coreference link, a key of singletons has no "
        "coreference link. A key with both kinds is an entity of half the mentions, and "
        "singletons; one more has a single coreference link. Each is compared with one entity, "
        "with singletons alone, with a response of two entities (both), and with one that links "
        "the first mention to the last, which only the key of one entity does. Shown beside the "
        "metrics: F1 of the coreference links alone (links) and of the non-coreference links "
        "alone. BLANC follows the reference scorer, which on the same mentions is what the "
        "paper’s rules come to: only the key decides which part counts."
    ),
    run=_boundaries,
    chart=Chart("bars", x="response", x_title="response", facet="key"),
    claims=(
        Claim(
            "A response of one entity scores 100 if the key is the same, and 0 if the key has only "
            "singletons.",
            f"{_WHERE}, first rule",
            _rule({(ONE, ONE): (1, ""), (ALONE, ONE): (0, "")}),
            id="response-one-entity",
            scope="property",
        ),
        Claim(
            "If the key has both kinds of link, a response of one entity scores 0 in the part of "
            "the non-coreference links, and BLANC is half of the other part.",
            f"{_WHERE}, first rule",
            _rule({(MIXED, ONE): (0.5, C), (ONE_LINK, ONE): (0.5, C)}),
            id="one-entity-has-half",
            scope="property",
        ),
        Claim(
            "A response of singletons scores 100 if the key is the same, and 0 if the key is one "
            "entity.",
            f"{_WHERE}, second rule",
            _rule({(ALONE, ALONE): (1, ""), (ONE, ALONE): (0, "")}),
            note="MUC has no link to count among singletons and gives 0.",
            id="response-singletons",
            scope="property",
        ),
        Claim(
            "If the key has both kinds of link, a response of singletons scores 0 in the part of "
            "the coreference links, and BLANC is half of the other part.",
            f"{_WHERE}, second rule",
            _rule({(MIXED, ALONE): (0.5, N), (ONE_LINK, ALONE): (0.5, N)}),
            id="singletons-have-half",
            scope="property",
        ),
        Claim(
            "So it is wherever the key has both kinds and the response has no correct coreference "
            "link, even if it has wrong ones.",
            f"{_WHERE}, third rule",
            _rule({(MIXED, WRONG_PAIR): (0.5, N), (ONE_LINK, WRONG_PAIR): (0.5, N)}),
            note="The rule has a second half, for a response without a correct non-coreference "
            "link. On the same mentions only one entity has none, which the first rule is about.",
            id="no-correct-link",
            scope="property",
        ),
        Claim(
            "If the key is one entity and the response has both kinds of link, BLANC is the part "
            "of the coreference links.",
            f"{_WHERE}, fourth rule",
            _rule({(ONE, MIXED): (1, C), (ONE, WRONG_PAIR): (1, C)}),
            id="key-one-entity",
            scope="property",
        ),
        Claim(
            "If the key has only singletons and the response both kinds of link, BLANC is the part "
            "of the non-coreference links.",
            f"{_WHERE}, fourth rule",
            _rule({(ALONE, MIXED): (1, N), (ALONE, WRONG_PAIR): (1, N)}),
            id="key-singletons",
            scope="property",
        ),
        Claim(
            "If one pair is coreferent and the response does not find it, BLANC is never above 50.",
            f"{_WHERE}, on the weakness of BLANC",
            _never_above_half,
            note="BLANC is then half of the part of the non-coreference links, which is 100 at "
            "most. In print: Table 13, A to C.",
            id="never-above-half",
            in_print=_printed_below_half,
            scope="universal",
        ),
    ),
    parameters=(BOUNDARY_MENTIONS,),
)
