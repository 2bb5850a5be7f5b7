"""Recasens & Hovy 2011: keys and responses of a few entities, each metric's score of them.

Figures 1, 4 and 5, Tables 1, 5 and 7 to 13, and §4.1.2.
"""

import re
from collections.abc import Sequence
from itertools import chain, product

import pandas as pd

from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.metrics.diagnostics import LINKS, RAND
from corescore.metrics.variants import H_GEOMETRIC, H_JOINT, H_LOG, H_MAX, H, weighted_blanc
from corescore.replication.claims import UntoldError, points, wide
from corescore.replication.experiment import Check, Parameter, Setting
from corescore.replication.partitions import (
    NON_COREFERENCE,
    Pair,
    Partition,
    of_sizes,
    score_partitions,
    toy_pair,
    toy_parameters,
    toy_table,
    with_diagnostics,
)
from corescore.replication.recasens2011.tables import PAPER
from corescore.util import TOLERANCE
from corescore.wording import counted, percent

# Figure 1 -----------------------------------------------------------------------------------------

FIGURE_1_TOY = toy_parameters(
    "{1}{2}{3}{4}{6}{8}{10}{11}{13}{7,9}{5,12,14}",
    "{1}{2}{3}{8}{10}{11}{13}{4,6}{5,12}{7,9,14}",
)


def _figure_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric); the response is "figure 1". Columns as `toy_table`."""
    pair = toy_pair(setting.text("key"), setting.text("response"))
    return toy_table(["figure 1"], [pair], setting.metrics, name="response")


FIGURE_1 = PAPER.experiment(
    "recasens2011-fig1",
    _figure_1,
    parameters=FIGURE_1_TOY,
)

# Table 1: the four responses of Luo 2005 ----------------------------------------------------------

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


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), with the diagnostics "links" and "rand" and mutual information.

    Columns as `toy_table`; recall_errors and precision_errors, what the numerator of each lacks of
    its denominator (links, of MUC).
    """
    pairs = [(KEY, response) for response in RESPONSES.values()]
    metrics = with_diagnostics(setting.metrics, LINKS, RAND, *NORMALISED)
    table, scores = (
        toy_table([*RESPONSES], pairs, metrics, name="response"),
        score_partitions(pairs, metrics),
    )
    for of in ("recall", "precision"):
        table[f"{of}_errors"] = scores[f"{of}_denominator"] - scores[f"{of}_numerator"]
    return table


def _drawn_of_table_1(table: pd.DataFrame) -> pd.DataFrame:
    """The paper's responses, and mutual information by one normalisation only."""
    others = [metric.id for metric in NORMALISED[1:]]
    return table[~table["metric"].isin(others) & (table["response"] != MOVED)]


def _errors_of_muc(table: pd.DataFrame, response: str, links: Sequence[int]) -> Check:
    """Whether MUC lacks so many links in recall and in precision."""
    row = table.query("metric == 'muc' and response == @response").iloc[0]
    missing, wrong = round(row["recall_errors"]), round(row["precision_errors"])
    numbers = f"{counted(missing, 'link')} missing in recall, {wrong} wrong in precision"
    return Check([missing, wrong] == [*links], f"{response}: {numbers}")


def _full_without_an_entity(table: pd.DataFrame) -> Check:
    """c and d have no entity of the key, yet B³ finds all of recall or of precision."""
    rows = table[table["metric"] == "bcub"].set_index("response")
    recall, precision = float(rows["recall"]["c"]), float(rows["precision"]["d"])
    shared = [e for name in "cd" for e in RESPONSES[name] if e in KEY]
    numbers = f"recall of c {percent(recall)}, precision of d {percent(precision)}; "
    numbers += f"{counted(len(shared), 'entity')} of the key in c and d"
    return Check(min(recall, precision) > 1 - TOLERANCE and not shared, numbers)


TABLE_1 = PAPER.experiment(
    "recasens2011-table1",
    _table_1,
    {
        "errors-of-muc": _errors_of_muc,
        "bcub-full": _full_without_an_entity,
    },
    select=_drawn_of_table_1,
)

# Figures 4 and 5: two constraints that they reject for coreference --------------------------------

FIGURE_4, LARGER = "Figure 4", "Figure 4, more singletons"


def _figures_4_and_5(setting: Setting) -> pd.DataFrame:
    """Rows (figure, response, metric), with the Rand index.

    Columns as `toy_table`; key and entities (those of the response) in brace notation.
    """
    rows = pd.read_csv(PAPER.path / "figures4_5.csv", comment="#").to_dict("records")
    cases = [(row["figure"], name, row["key"], row[name]) for row in rows for name in ("S1", "S2")]
    pairs = [toy_pair(key, response) for *_, key, response in cases]
    table = toy_table(cases, pairs, with_diagnostics(setting.metrics, RAND), name="case")
    for at, name in enumerate(("figure", "response", "key", "entities")):
        table.insert(at, name, table["case"].str[at])
    return table.drop(columns="case")


def _errors(table: pd.DataFrame, figure: str) -> tuple[int, int, str]:
    """How many links S1 and S2 have wrong or miss; and in words."""
    rows = table[table["figure"] == figure].drop_duplicates("response")
    wrong, missed = rows["wrong_coreference"], rows["wrong_non_coreference"]
    counts = zip(rows["response"], wrong, missed, strict=True)
    numbers = "; ".join(f"{name}: {w} wrong, {m} missed" for name, w, m in counts)
    one, other = wrong + missed
    return one, other, numbers


def _not_better(table: pd.DataFrame, figure: str) -> Check:
    """Whether S2 has as many links wrong or missed as S1, or more."""
    one, other, numbers = _errors(table, figure)
    return Check(other >= one, numbers)


def _larger_is_worse(table: pd.DataFrame) -> Check:
    few, many = (other - one for one, other, _ in (_errors(table, f) for f in (FIGURE_4, LARGER)))
    numbers = f"S2 has {few} errors more than S1; with three more singletons, {many} more"
    return Check(many > few > 0, numbers)


FIGURES_4_AND_5 = PAPER.experiment(
    "recasens2011-fig4-5",
    _figures_4_and_5,
    {
        "not-better": _not_better,
        "larger-bag": _larger_is_worse,
    },
)

# Tables 8 to 11: a key with many singletons, and eight responses to it ----------------------------

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

SIZES = (4, 3, 2)  # of the entities of the key that are no singletons


def table_8() -> dict[str, Partition]:
    """The key ("Gold") and the responses A to H as printed; mentions are numbers from 1."""
    rows = pd.read_csv(PAPER.path / "table8.csv", comment="#").set_index("response")["output"]
    sides: dict[str, Partition] = {
        str(name): [[*map(int, entity.split(","))] for entity in re.findall(r"\(([\d,]+)\)", text)]
        for name, text in rows.items()
    }
    mentions = [mention for entity in sides["Gold"] for mention in entity]
    return sides | {"G": [[mention] for mention in mentions], "H": [mentions]}


def eight_systems(n_singletons: int = 61) -> list[Pair]:
    """The key with each of A to H, and with another number of singletons in the key.

    Singletons are taken out of both sides, those first that the response has alone, or added to
    both. Mentions are numbered from 0 through the key.
    """
    sides = table_8()
    key = sides.pop("Gold")
    return [_resized(key, response, n_singletons) for response in sides.values()]


def _resized(key: Partition, response: Partition, n_singletons: int) -> Pair:
    size = {mention: len(entity) for entity in response for mention in entity}
    alone = sorted((m for entity in key if len(entity) == 1 for m in entity), key=size.__getitem__)
    gone, n = {*alone[:-n_singletons]}, n_singletons + sum(SIZES)
    kept = [mention for entity in key for mention in entity if mention not in gone]
    number = {mention: at for at, mention in enumerate(kept)}
    key, response = (
        [*filter(None, ([number[m] for m in entity if m in number] for entity in side))]
        + [[added] for added in range(len(kept), n)]
        for side in (key, response)
    )
    return key, [[*range(n)]] if max(size.values()) == len(size) else response


def _eight(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), responses A to H, with the diagnostic "rand".

    Columns as `toy_table`, and about (in words), entities and singletons (their numbers).
    """
    pairs = eight_systems(setting.number("singletons"))
    metrics = with_diagnostics(setting.metrics, RAND)
    table = toy_table([*SYSTEMS], pairs, metrics, name="response")
    sizes = [[*map(len, response)] for _, response in pairs]
    facts = pd.DataFrame(
        {
            "response": [*SYSTEMS],
            "entities": [*map(len, sizes)],
            "singletons": [of.count(1) for of in sizes],
        }
    )
    table.insert(1, "about", table["response"].map(SYSTEMS))
    return table.merge(facts)


TABLES_8_TO_11 = PAPER.experiment(
    "recasens2011-tables8-11",
    _eight,
)

# Tables 12 and 13: a key with a single link, and the weight α -------------------------------------


def read_weights(text: str) -> tuple[float, ...]:
    """Up to ten weights α from 0 to 1, separated by spaces or commas; else PolicyError."""
    try:
        weights = tuple(float(word) for word in text.replace(",", " ").split())
    except ValueError:
        weights = ()
    if not 1 <= len(weights) <= 10 or not all(0 <= weight <= 1 for weight in weights):
        raise PolicyError(f"α is '{text}'; expected one to ten numbers from 0 to 1: 0.5 0.2 0.1")
    return tuple(dict.fromkeys(weights))


ALPHA = Parameter(
    "alpha",
    "Weights α of the coreference links",
    "0.5 0.2 0.1",
    "α = 0.5 is BLANC itself. The weight of the non-coreference links is 1 − α.",
    reads=read_weights,
)


def table_12_pairs(n: int) -> dict[str, Pair]:
    """The key, whose last two of n mentions corefer, with each response by its name."""
    right, nearly, wrong = [n - 2, n - 1], [n - 3, n - 2], [n - 4, n - 3]
    responses = {"A": [], "B": [nearly], "C": [wrong], "D": [wrong, right]}
    return {name: (_linked(n, right), _linked(n, *of)) for name, of in responses.items()}


def _linked(n: int, *entities: list[int]) -> Partition:
    """These entities, and every other of n mentions alone."""
    alone = sorted({*range(n)} - {*chain.from_iterable(entities)})
    return [*([mention] for mention in alone), *entities]


def _table_13(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric): the metrics, and "blanc_α" for each weight α but that of BLANC.

    Columns as `toy_table`.
    """
    weights = read_weights(setting.text("alpha"))
    metrics = (*setting.metrics, *(weighted_blanc(weight) for weight in weights if weight != 0.5))
    pairs = table_12_pairs(setting.number("mentions"))
    return toy_table([*pairs], [*pairs.values()], metrics, name="response")


def _leap(table: pd.DataFrame) -> Check:
    """From the best of A, B and C to D, by weight."""
    f1 = wide(table, "response").filter(regex="^blanc").T
    weights = f1.index.str.removeprefix("blanc_").str.replace("blanc", "0.5").astype(float)
    leap = (f1["D"] - f1[[*"ABC"]].max(axis=1)).set_axis(weights).sort_index()
    numbers = ", ".join(f"α = {alpha:g}: {points(by)}" for alpha, by in leap.items())
    if len(leap) < 2:
        raise UntoldError(f"one weight only, {numbers}")
    return Check(bool(leap.min() > 0 and leap.diff().iloc[1:].min() > 0), numbers)


TABLES_12_AND_13 = PAPER.experiment(
    "recasens2011-tables12-13",
    _table_13,
    {"leap": _leap},
    parameters=(ALPHA,),
)

# §4.1.2: one kind of link only, or one link only --------------------------------------------------


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric), with "links" and "non_coreference", BLANC's two parts.

    Columns: key and response in words, metric, recall, precision and f1.
    """
    n = setting.number("mentions")
    half = n // 2
    only: dict[str, Partition] = {"one entity": of_sizes([n]), "all singletons": of_sizes([1] * n)}
    keys = only | {
        "both": of_sizes([half, *[1] * (n - half)]),
        "one link": of_sizes([2, *[1] * (n - 2)]),
    }
    responses = only | {"both": of_sizes([2, n - 2]), "a wrong pair": _linked(n, [0, n - 1])}
    cases = [*product(keys, responses)]
    pairs = [(keys[key], responses[response]) for key, response in cases]
    scores = score_partitions(pairs, with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE))
    named = pd.DataFrame(cases, columns=["key", "response"]).loc[scores["pair"]]
    return named.reset_index(drop=True).join(scores[["metric", *MEASURES]])


def _rule(table: pd.DataFrame, cases: Sequence[tuple[str, str, float, str]]) -> Check:
    """Whether BLANC is what is expected of each case, in recall, precision and F1.

    cases  key, response, and a share of one of the two parts, or a number of an unnamed one
    """
    holds, in_words = True, []
    for key, response, share, part in cases:
        scores = (
            table.query("key == @key and response == @response").set_index("metric")[[*MEASURES]].T
        )
        expected = share * scores[part] if part else share
        holds = holds and bool(((scores["blanc"] - expected).abs() < TOLERANCE).all())
        beside = f", the part {_three(scores[part])}" if part else ""
        in_words.append(f"key {key}, response {response}: {_three(scores['blanc'])}{beside}")
    return Check(holds, "; ".join(in_words))


def _three(scores: "pd.Series[float]") -> str:
    """R 100.00, P 52.63, F1 68.97."""
    recall, precision, f1 = map(percent, scores)
    return f"R {recall}, P {precision}, F1 {f1}"


BOUNDARIES = PAPER.experiment(
    "recasens2011-boundaries",
    _boundaries,
    {"rule": _rule},
)
