"""Moosavi & Strube 2016 on toys: Figures 1 and 4 to 7, Table 3, and mentions listed twice."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain
from math import comb, nan

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.build import from_entities
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Policies
from corescore.metrics import METRICS, Metric, name_of
from corescore.metrics.variants import CEAFE_LINKS, CEAFM_LINKS
from corescore.replication.claims import (
    PaperData,
    UntoldError,
    numbers_of,
    others,
    points,
    rest,
    wide,
)
from corescore.replication.experiment import Check, Parameter, Setting, Value
from corescore.replication.partitions import (
    Partition,
    entity_of_size,
    n_different,
    of_sizes,
    read_all_sizes,
    read_parts,
    read_sizes,
    score_partitions,
    with_diagnostics,
    with_parts,
    written_sizes,
)
from corescore.scoring.scores import Result, score
from corescore.util import TOLERANCE, WHOLE
from corescore.wording import counted, listed, percent, signed

DATA = PaperData("moosavi2016", MOOSAVI_2016)

KEY = Parameter(
    "key",
    "Entities of the key",
    "20 10×2 5×3 4 2×10",
    "Their sizes in mentions: 10×2 means two entities of ten mentions.",
    reads=read_sizes,
    of_key=lambda sizes, _: written_sizes(size for size in sizes if size > 1),
)

# The same for figures that are not about links alone: entities of one mention count there, too.
KEY_WITH_SINGLETONS = replace(
    KEY,
    about=f"{KEY.about} 1×30 are thirty singletons.",
    reads=read_all_sizes,
    of_key=lambda sizes, _: written_sizes(sizes),
)

Case = tuple[Mapping[str, object], Partition, Partition]


def scored(cases: Iterable[Case], metrics: Sequence[Metric]) -> pd.DataFrame:
    """The scores of cases, each with what identifies it, key and response.

    Rows (case, metric). Columns: what identifies it, metric, recall, precision, f1; fractions.
    """
    names, *sides = zip(*cases, strict=True)
    scores = score_partitions([*zip(*sides, strict=True)], metrics).set_index("pair")
    return pd.DataFrame(names).join(scores[["metric", *MEASURES]]).reset_index(drop=True)


def toy_key(setting: Setting) -> list[range]:
    """The key of the parameter "key"."""
    return of_sizes(read_all_sizes(setting.text("key")))


# Figure 1: a passage, its entities, and what CEAF makes of them -----------------------------------

LOST, FOUND = "all but this entity", "one mention of this entity"
N_WRONG = 2  # how many mentions that the key lacks are linked to the one that is found


def passage() -> dict[int, list[int]]:
    """The numbers of the mentions of each key entity."""
    mentions = pd.read_csv(DATA.path / "figure1.csv", comment="#")
    entity = mentions["entity"]
    return {number: [*mentions["number"][entity == number]] for number in entity.unique().tolist()}


def _figure_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, entity, metric), with CEAF on links as two more metrics.

    Columns: response ("all but this entity": the others are there, without an error; "one mention
    of this entity": it is linked to two spurious mentions, and two more of these are an
    entity), entity (such as "(1), 8 mentions"), number and size of the entity, metric, recall,
    precision, f1; fractions.
    """
    key = passage()
    first = 1 + max(map(max, key.values()))
    wrong = range(first, first + N_WRONG), range(first + N_WRONG, first + 2 * N_WRONG)
    cases: list[Case] = []
    for response in (LOST, FOUND):
        for number, entity in key.items():
            name = f"({number}), {len(entity)} mentions"
            named = {"response": response, "entity": name, "number": number, "size": len(entity)}
            others = [mentions for mentions in key.values() if mentions is not entity]
            as_found = [[entity[0], *wrong[0]], wrong[1]]
            cases.append((named, [*key.values()], others if response == LOST else as_found))
    return scored(cases, with_diagnostics(setting.metrics, CEAFM_LINKS, CEAFE_LINKS))


def _large_like_small(table: pd.DataFrame) -> Check:
    """Whether CEAFₑ scores the loss of entity (1) like that of entity (4)."""
    f1 = wide(table[table["response"] == LOST], "number").loc[
        [1, 4], ["ceafe", *others(table, "ceafe")]
    ]
    numbers = [f"{name_of(str(m))} {', '.join(map(percent, both))}" for m, both in f1.items()]
    return Check(
        abs(f1["ceafe"][1] - f1["ceafe"][4]) <= TOLERANCE,
        f"without entity (1) and without entity (4): {'; '.join(numbers)}",
    )


FIGURE_1 = DATA.experiment("moosavi2016-fig1", _figure_1, {"ceafe-sizes": _large_like_small})

# Table 3: an entity that CEAF does not align ------------------------------------------------------


def responses() -> dict[str, list[list[int]]]:
    """The entities of each response of Table 2, as numbers of mentions of Figure 1."""
    rows = pd.read_csv(DATA.path / "table2.csv", comment="#")
    return {
        str(name): [[*entity] for _, entity in of.groupby("entity")["number"]]
        for name, of in rows.groupby("response")
    }


def _table_3(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), response "cr1" (both halves) or "cr2" (one of them).

    Columns: response, metric, recall, precision, f1; fractions.
    """
    key = [passage()[1]]
    cases = [({"response": name}, key, entities) for name, entities in responses().items()]
    return scored(cases, setting.metrics)


def _f1(table: pd.DataFrame) -> pd.DataFrame:
    """F1 (of the first of two ways): one row per response, one column per metric."""
    return wide(_first_way(table) if "way" in table else table, _response_column(table))


def _response_column(table: pd.DataFrame) -> str:
    """The column that names the responses."""
    return next(name for name in ("response", "parts", "extra") if name in table)


TABLE_3 = DATA.experiment("moosavi2016-table3", _table_3, printed=(DATA.printed("Table 3"),))

# §3.2 and §4: mentions that several response entities list ----------------------------------------

REPEATS_KEY = (["a", "b", "c", "d"],)
ONCE, ONE_TWICE, PAIR_TWICE = "{ab}{cd}", "{abc}{cd}", "{ab}{cd}{cd}"
_AB, _CD = ["a", "b"], ["c", "d"]
RESPONSES = {ONCE: (_AB, _CD), ONE_TWICE: ([*_AB, "c"], _CD), PAIR_TWICE: (_AB, _CD, _CD)}
EACH_TIME, AS_REFERENCE = "every listing counts", "as the reference scorer counts"
POLICIES = {EACH_TIME: Policies(repeats="all"), AS_REFERENCE: Policies(repeats="reference")}


def _repeats(setting: Setting) -> pd.DataFrame:
    """Rows (repeats, response, metric).

    Columns: repeats (how they are counted, in words), response (in brace notation), metric,
    recall, precision, f1; fractions.
    """
    tables = []
    for words, policies in POLICIES.items():
        results = {
            name: score(*from_entities(REPEATS_KEY, response), policies, metrics=setting.metrics)
            for name, response in RESPONSES.items()
        }
        rows = score_rows(results, setting).rename(columns={"system": "response"})
        rows.insert(0, "repeats", words)
        tables.append(rows)
    return pd.concat(tables, ignore_index=True)


def score_rows(results: Mapping[str, Result], setting: Setting) -> pd.DataFrame:
    """Rows (system, metric), "conll" last where its three are there; recall, precision, f1."""
    names = [*(metric.id for metric in setting.metrics), "conll"]
    rows = [
        (system, name, *result[name].ratios)
        for system, result in results.items()
        for name in names
        if name in result.scores
    ]
    return pd.DataFrame(rows, columns=["system", "metric", *MEASURES])


REPEATS = DATA.experiment("moosavi2016-repeats", _repeats)

# Figures 4 and 5: whole entities, one after the other ---------------------------------------------


def _figures_4_5(setting: Setting) -> pd.DataFrame:
    """Rows (order, entities, metric).

    Columns: order ("decreasing size" or "increasing size"), entities (how many are resolved),
    resolved (their share of the key's entities), share (of the key's coreference links that are
    correct), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    cases: list[Case] = []
    for order in ("decreasing size", "increasing size"):
        entities = sorted(key, key=len, reverse=order == "decreasing size")
        links = [*accumulate((comb(len(entity), 2) for entity in entities), initial=0)]
        for n, found in enumerate(links):
            shares = {"resolved": n / len(key), "share": found / links[-1]}
            cases.append(({"order": order, "entities": n, **shares}, key, entities[:n]))
    return scored(cases, setting.metrics)


def _with_links(table: pd.DataFrame) -> pd.DataFrame:
    """The metrics and, as in the paper's figures, the share of correct links as one more curve."""
    links = table.drop_duplicates(["order", "entities"])
    links = links.assign(metric="correct_links", recall=nan, precision=nan, f1=links["share"])
    return pd.concat([table[table["metric"] != "conll"], links], ignore_index=True)


def _between(table: pd.DataFrame, within: str, over: str, value: str = "f1") -> pd.DataFrame:
    """How far a value differs over one column, within each value of another, by metric."""
    groups = wide(table, [within, over], value).groupby(level=within)
    if groups.size().max() == 1:
        raise UntoldError("no two points to compare")
    return groups.max() - groups.min()


def _alike(table: pd.DataFrame, metrics: Sequence[str], within: str, over: str) -> Check:
    """Whether a metric does not differ over one column, within each value of another."""
    (metric,), apart = metrics, _between(table, within, over).max()
    others = numbers_of(apart.drop(metric), points)
    numbers = f"{name_of(metric)} differs by up to {points(apart[metric])}; the others: {others}"
    return Check(apart[metric] <= TOLERANCE, numbers)


def _most_sensitive(table: pd.DataFrame) -> Check:
    """Whether BLANC differs most between the orders: as many entities, but other links."""
    f1, links = (_between(table, "entities", "order", of) for of in ("f1", "share"))
    most, place = f1[rest(table, "blanc")].max(), int(f1["blanc"].argmax())
    numbers = (
        f"BLANC {points(f1['blanc'].iloc[place])} with {f1.index[place]} entities each, where the "
        f"correct links are {points(links['blanc'].iloc[place])} apart; {numbers_of(most, points)}"
    )
    holds = f1["blanc"].max() > most.max() + TOLERANCE
    return Check(holds, f"between the orders, at most: {numbers}")


def _same(table: pd.DataFrame, metrics: Sequence[str]) -> Check:
    """Whether metrics agree at every point, and where they differ most."""
    f1 = wide(table, ["order", "entities"])[[*metrics]]
    apart = f1.max(axis=1) - f1.min(axis=1)
    if apart.max() <= TOLERANCE:
        return Check(True, f"at all {len(f1)} points")
    place = int(apart.argmax())
    order, entities = f1.index[place]
    where = f"with {entities} entities in {order}: {numbers_of(f1.iloc[place])}"
    return Check(False, f"up to {points(apart.max())} apart, {where}")


FIGURES_4_5 = DATA.experiment(
    "moosavi2016-fig4-5",
    _figures_4_5,
    {
        "ceafe-sizes": _alike,
        "equal": _same,
        "blanc-links": _most_sensitive,
    },
    select=_with_links,
    parameters=(KEY_WITH_SINGLETONS,),
)

# Figure 6: an entity that is split or merged ------------------------------------------------------


def _fitting(
    sizes: Sequence[int], default: Value, *, size_of: Callable[[Sequence[int]], int]
) -> str:
    """For `Parameter.of_key`: the entries of the default whose entity the key has.

    size_of  the size of the entity that an entry is about; 0 for none
    """
    there = {0, *(size for size in sizes if size > 1)}
    entries = [entry for entry in read_parts(str(default)) if size_of(entry) in there]
    if not entries:
        raise PolicyError(f"no entity of the key has the size of one of: {default}")
    return " ".join("-".join(map(str, entry)) for entry in entries)


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (way, parts, metric).

    Columns: way ("split": the response has the parts; "merged": the key has them), parts (their
    sizes, such as "18-2"), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    cases: list[Case] = []
    for parts in read_parts(setting.text("parts")):
        if 0 in parts:
            raise PolicyError("a part has no mention; expected whole numbers from 1")
        name = "-".join(map(str, parts))
        split = with_parts(key, parts)
        cases.append(({"way": "split", "parts": name}, key, split))
        cases.append(({"way": "merged", "parts": name}, split, key))
    return scored(cases, setting.metrics)


def _first_way(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of Figures 6 and 7 that the paper has: those whose sides are not swapped."""
    return table[table["way"].isin(["split", "extra"])]


def _by_number_of_parts(table: pd.DataFrame, metrics: Sequence[str]) -> Check:
    splits = _first_way(table)
    numbered = splits.assign(number=splits["parts"].str.count("-"))
    return _alike(numbered, metrics, within="number", over="parts")


def _merged_alike(table: pd.DataFrame) -> Check:
    """Whether two singletons that are merged score like two entities of ten, on a key of both."""
    ten, other, *alone = of_sizes([10, 10, 1, 1])
    key = [ten, other, *alone]
    small, large = [ten, other, range(20, 22)], [range(20), *alone]
    f1 = wide(score_partitions([(key, small), (key, large)], METRICS), "pair")
    numbers = "; ".join(
        f"{name_of(name)}: singletons {percent(f1[name][0])}, entities of ten "
        f"{percent(f1[name][1])}"
        for name in ("muc", "bcub")
    )
    return Check(abs(f1["muc"][0] - f1["muc"][1]) <= TOLERANCE, numbers)


def _more_than_muc(table: pd.DataFrame) -> Check:
    """Whether LEA gives more different scores than MUC."""
    n = n_different(wide(table, ["way", _response_column(table)]))
    total = counted(len(_f1(table)), "response")
    return Check(
        n["lea"] > n["muc"], f"different scores of {total}: LEA {n['lea']}, MUC {n['muc']}"
    )


def _swapped_alike(table: pd.DataFrame) -> Check:
    """Whether swapping the sides swaps recall and precision and keeps F1, under every metric."""
    one, other = (
        part.set_index([_response_column(table), "metric"])[[*MEASURES]]
        for _, part in table.groupby("way", sort=False)
    )
    swapped = other.rename(columns={"recall": "precision", "precision": "recall"})
    apart = (one - swapped).abs().max(axis=1).groupby(level="metric", sort=False).max()
    numbers = [
        f"{name_of(str(metric))} differs by up to {points(by)}"
        for metric, by in apart[apart > TOLERANCE].items()
    ]
    return Check(not numbers, "; ".join(numbers) or "no metric differs")


FIGURE_6 = DATA.experiment(
    "moosavi2016-fig6",
    _figure_6,
    {
        "muc-parts": _by_number_of_parts,
        "muc-merged": _merged_alike,
        "more-than-muc": _more_than_muc,
        "merging": _swapped_alike,
    },
    select=_first_way,
    parameters=(
        KEY,
        Parameter(
            "parts",
            "Parts",
            "18-2 3-2 2-2 16-4 10-10 5-3-2 9-9-2 9-5-6",
            "Sizes of the parts, which add up to the size of an entity of the key.",
            reads=read_parts,
            of_key=partial(_fitting, size_of=sum),
        ),
    ),
)

# Figure 7: extra mentions -------------------------------------------------------------------------


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (way, extra, metric).

    Columns: way ("extra": the response has mentions that the key lacks; "missing": the sides
    are swapped), extra (such as "2-10"), number (of these mentions), size (of the entity that they
    join; 0 = they make an entity of their own), mentions (of the side that has them), metric,
    recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    n_mentions = sum(map(len, key))
    cases: list[Case] = []
    for entry in read_parts(setting.text("extra")):
        name = "-".join(map(str, entry))
        if len(entry) != 2 or not entry[0]:
            raise PolicyError(f"an extra is '{name}'; expected one as '2-10'")
        number, size = entry
        extra = range(n_mentions, n_mentions + number)
        place = entity_of_size(key, size) if size else len(key)
        more = [*key[:place], [*chain(*key[place : place + 1]), *extra], *key[place + 1 :]]
        named = {"extra": name, "number": number, "size": size, "mentions": n_mentions + number}
        cases.append(({"way": "extra", **named}, key, more))
        cases.append(({"way": "missing", **named}, more, key))
    return scored(cases, setting.metrics)


def _joining(table: pd.DataFrame) -> pd.DataFrame:
    """The extra mentions that join an entity of the key."""
    return _first_way(table).query("size > 0")


def _fewest_scores(table: pd.DataFrame, metrics: Sequence[str]) -> Check:
    f1, more = _f1(table), rest(table, *metrics)
    n = n_different(f1)[[*metrics, *more]]
    numbers = f"different scores of {counted(len(f1), 'response')}: {numbers_of(n, str)}"
    return Check(n[[*metrics]].max() < n[more].min(), numbers)


def _only_lea(table: pd.DataFrame) -> Check:
    """Whether LEA alone scores 2-0 higher than 1-2 and than 1-10."""
    names, more = ["2-0", "1-2", "1-10"], rest(table, "lea")
    f1 = _f1(table).reindex(names)
    if f1.isna().any(axis=None):
        raise UntoldError(f"{listed(names)} are not all among the points")
    least = (f1.T["2-0"] - f1.drop("2-0").max())[["lea", *more]]
    numbers = f"2-0 less the better of 1-2 and 1-10, in points: {numbers_of(least, signed)}"
    return Check(least["lea"] > TOLERANCE >= least[more].max(), numbers)


def _whatever_the_size(
    table: pd.DataFrame, metrics: Sequence[str], numbers: Sequence[int]
) -> Check:
    """Whether each number of extra mentions costs the same in an entity of any size."""
    joining = _joining(table)
    of_numbers = joining[joining["number"].isin(numbers)]
    return _alike(of_numbers, metrics, within="number", over="extra")


def weight_of_error(n: int, k: int) -> Fraction:
    """What LEA's precision loses for k extra mentions in an entity of n, in mentions: importance
    n + k, times the share of the entity's links that are wrong (§7.4)."""
    return (n + k) * (1 - Fraction(comb(n, 2), comb(n + k, 2)))


def _formula(table: pd.DataFrame) -> Check:
    """Whether the formula gives what LEA's precision loses, and 2 for a single extra mention."""
    lea = _joining(table).query("metric == 'lea' and size > 1")
    if lea.empty:
        raise UntoldError("no extra mention joins an entity")
    weights = [weight_of_error(n, k) for n, k in zip(lea["size"], lea["number"], strict=True)]
    lost = (1 - lea["precision"]) * lea["mentions"]
    rows = [*zip(lea["extra"], lea["number"], weights, lost, strict=True)]
    same = all(abs(loss - w) < WHOLE and (k > 1 or w == 2) for _, k, w, loss in rows)
    numbers = [f"{name}: {float(w):.2f}, lost {loss:.2f}" for name, _, w, loss in rows]
    return Check(same, "; ".join(numbers))


FIGURE_7 = DATA.experiment(
    "moosavi2016-fig7",
    _figure_7,
    {
        "fewest-scores": _fewest_scores,
        "more-than-muc": _more_than_muc,
        "only-lea": _only_lea,
        "whatever-the-size": _whatever_the_size,
        "formula": _formula,
        "missing": _swapped_alike,
    },
    select=_first_way,
    parameters=(
        KEY,
        Parameter(
            "extra",
            "Extra mentions",
            "1-2 1-10 2-0 2-2 2-10 3-0 3-2 3-10",
            "How many, and the size of the entity they join (0 for an entity of their own).",
            reads=read_parts,
            of_key=partial(_fitting, size_of=lambda extra: extra[1]),
        ),
    ),
)
