"""Moosavi & Strube 2016: the key that Figures 2 to 8 share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, chain, combinations
from math import nan
from pathlib import Path

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import MEASURES
from corescore.counting.policies import Policies
from corescore.metrics import title_of
from corescore.metrics.weighted import CEAFE_LINKS, CEAFM_LINKS
from corescore.replication.claims import (
    Checker,
    as_printed,
    in_order,
    joined,
    needing,
    numbers_of,
    others,
    points,
    told_by,
    wide,
)
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Reading,
    Setting,
    Value,
)
from corescore.replication.moosavi2016.data import score_rows
from corescore.replication.partitions import (
    Partition,
    of_sizes,
    read_all_sizes,
    read_parts,
    read_sizes,
    score_partitions,
    with_diagnostics,
    written_sizes,
)
from corescore.replication.printed import Printed
from corescore.scoring.scores import score_entities
from corescore.util import TOLERANCE
from corescore.wording import percent

# Moosavi & Strube 2016, §3.2 and §4: mentions that several response entities list -----------------

KEY = Parameter(
    "key",
    "Entities of the key",
    "20 10×2 5×3 4 2×10",
    "Their sizes in mentions; 10×2 means two entities of ten mentions.",
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


def fitting(size_of: Callable[[Sequence[int]], int]) -> Callable[[Sequence[int], Value], str]:
    """For `Parameter.of_key`: the entries of the default whose entity the key has.

    size_of  the size of the entity that an entry is about; 0 for none
    """

    def of_key(sizes: Sequence[int], default: Value) -> str:
        there = {0, *(size for size in sizes if size > 1)}
        entries = [entry for entry in read_parts(str(default)) if size_of(entry) in there]
        if not entries:
            raise PolicyError(f"no entity of the key has the size of one of: {default}")
        return " ".join("-".join(map(str, entry)) for entry in entries)

    return of_key


def scored(
    rows: list[tuple[object, ...]],
    names: list[str],
    pairs: list[tuple[Partition, Partition]],
    setting: Setting,
) -> pd.DataFrame:
    """The scores of each pair, identified by its row of values for the columns `names`.

    Rows (pair, metric). Columns: the names, metric, recall, precision, f1; fractions.
    """
    identified = pd.DataFrame(rows, columns=names)
    scores = score_partitions(pairs, setting.metrics).set_index("pair")
    return identified.join(scores[["metric", *MEASURES]]).reset_index(drop=True)


def toy_key(setting: Setting) -> list[range]:
    """The key of the parameter "key"."""
    return of_sizes(read_all_sizes(setting.text("key")))


# Moosavi & Strube 2016, Figure 1: a passage, its entities, and what CEAF makes of them ------------

FOLDER = Path(__file__).parent

LOST, FOUND = "all but this entity", "one mention of this entity"

N_WRONG = 2  # how many mentions that the key lacks are linked to the one that is found

WHERE = "§3.3, Figure 1"


def passage() -> dict[int, list[int]]:
    """The numbers of the mentions of each key entity."""
    entities: dict[int, list[int]] = {}
    for row in pd.read_csv(FOLDER / "figure1.csv", comment="#").to_dict("records"):
        entities.setdefault(row["entity"], []).append(row["number"])
    return entities


def _figure_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, entity, metric), with CEAF on links as two more metrics.

    Columns: response ("all but this entity": the others are there, without an error; "one mention
    of this entity": it is linked to two mentions that the key lacks, and two more of these are an
    entity), entity (such as "(1), 8 mentions"), number and size of the entity, metric, recall,
    precision, f1; fractions.
    """
    entities = passage()
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for response in (LOST, FOUND):
        for number, entity in entities.items():
            rows.append((response, f"({number}), {len(entity)} mentions", number, len(entity)))
            pairs.append(([*entities.values()], _response(entities, number, response)))
    metrics = with_diagnostics(setting.metrics, CEAFM_LINKS, CEAFE_LINKS)
    scores = score_partitions(pairs, metrics).set_index("pair")[["metric", *MEASURES]]
    named = pd.DataFrame(rows, columns=["response", "entity", "number", "size"])
    return named.join(scores).reset_index(drop=True)


def _response(entities: dict[int, list[int]], number: int, response: str) -> Partition:
    if response == LOST:
        return [mentions for other, mentions in entities.items() if other != number]
    first = 1 + max(chain.from_iterable(entities.values()))
    wrong = range(first, first + 2 * N_WRONG)
    return [[entities[number][0], *wrong[:N_WRONG]], wrong[N_WRONG:]]


def _of(table: pd.DataFrame, response: str) -> pd.DataFrame:
    return table[table["response"] == response]


@needing("ceafe")
def _large_like_small(table: pd.DataFrame) -> Check:
    """Whether CEAF_e scores the loss of entity (1) like that of entity (4)."""
    f1 = wide(_of(table, LOST), "number").loc[[1, 4]]
    names = ["ceafe", *others(table, "ceafe")]
    numbers = [f"{title_of(m)} {percent(f1[m].iloc[0])}, {percent(f1[m].iloc[1])}" for m in names]
    holds = abs(f1["ceafe"].iloc[0] - f1["ceafe"].iloc[1]) <= TOLERANCE
    return Check(bool(holds), f"without entity (1) and without entity (4): {'; '.join(numbers)}")


@needing("lea")
def _weighs_by_size(table: pd.DataFrame) -> Check:
    """Whether a lost entity costs LEA's recall its share of the mentions."""
    lost = _of(table, LOST)
    lea = lost[lost["metric"] == "lea"]
    costs, shares = 1 - lea["recall"], lea["size"] / lea["size"].sum()
    numbers = [
        f"({number}) {percent(cost)}" for number, cost in zip(lea["number"], costs, strict=True)
    ]
    holds = ((costs - shares).abs() <= TOLERANCE).all()
    return Check(bool(holds), f"LEA’s recall loses without {', '.join(numbers)}")


@needing("ceafm", "ceafe")
def _by_one_mention(table: pd.DataFrame) -> Check:
    """Whether CEAF_m earns 1/A and 1/B, CEAF_e 2/((a + b)K) and 2/((a + b)L)."""
    found = _of(table, FOUND)
    m, e = (found[found["metric"] == name].set_index("entity") for name in ("ceafm", "ceafe"))
    n_key, n_response = m["size"].sum(), 1 + 2 * N_WRONG
    similarity = 2 / (e["size"] + 1 + N_WRONG)
    off = [
        *(m["recall"] - 1 / n_key, m["precision"] - 1 / n_response),
        *(e["recall"] - similarity / len(e), e["precision"] - similarity / 2),
    ]
    numbers = [
        f"({number}) {percent(recall)} and {percent(precision)}"
        for number, recall, precision in zip(e["number"], e["recall"], e["precision"], strict=True)
    ]
    of_m = f"CEAF_m {percent(m['recall'].iloc[0])} and {percent(m['precision'].iloc[0])}"
    return Check(
        bool(pd.concat(off).abs().max() <= TOLERANCE),
        f"recall and precision: {of_m} for each; CEAF_e {', '.join(numbers)}",
    )


def _links_earn_nothing(table: pd.DataFrame) -> Check:
    """Whether CEAF on links is 0 where no link is found, and above 0 where some are."""
    names = [CEAFM_LINKS.id, CEAFE_LINKS.id]
    found, lost = (wide(_of(table, response), "number")[names] for response in (FOUND, LOST))
    numbers = [
        f"{title_of(name)} {percent(found[name].max())} for one mention, from "
        f"{percent(lost[name].min())} where one entity is missing"
        for name in names
    ]
    holds = found.max().max() <= TOLERANCE and lost.min().min() > TOLERANCE
    return Check(bool(holds), "; ".join(numbers))


FIGURE_1 = Experiment(
    id="moosavi2016-fig1",
    paper=MOOSAVI_2016,
    where="Figure 1",
    title="Is an entity of two mentions worth as much as one of eight?",
    setup=(
        "The key has the 18 mentions of the passage in five entities of 8, 2, 4, 2 and 2. Above, "
        "the response has four of these entities and not the one that is named. Below, it "
        "has a single mention of that entity, linked to two mentions that the key lacks, and one "
        "more entity of two such mentions: it has no correct link. CEAF is also counted in links "
        "instead of mentions; the paper has no formula for this, and it is our reading."
    ),
    run=_figure_1,
    chart=Chart("bars", x="entity", facet="response", x_title="entity of the key"),
    claims=(
        Claim(
            "CEAF_e scores a response without entity (1), the largest, like one without entity "
            "(4), of two mentions.",
            WHERE,
            _large_like_small,
            note="Four of five entities are found, without an error: recall 4/5, precision 1, F1 "
            "8/9.",
            id="ceafe-sizes",
            scope="property",
        ),
        Claim(
            "LEA weighs entities by their size: a lost entity costs its share of the mentions.",
            "§4",
            _weighs_by_size,
            id="lea-sizes",
            scope="property",
        ),
        Claim(
            "One shared mention of aligned entities earns CEAF_m 1/A of recall and 1/B of "
            "precision, and CEAF_e 2/((a + b)K) and 2/((a + b)L).",
            "§3.3",
            _by_one_mention,
            note="A and B are the mentions, K and L the entities of key and response; a and b are "
            "the sizes of the two entities.",
            id="one-mention",
            scope="universal",
        ),
        Claim(
            "Counted in links instead of mentions, CEAF gives nothing for a single mention.",
            "§3.3",
            _links_earn_nothing,
            id="ceaf-links",
            scope="property",
        ),
    ),
)

# Moosavi & Strube 2016, Table 3: an entity that CEAF does not align -------------------------------

PRINTED = Printed("Table 3", FOLDER / "table3.csv")


def responses() -> dict[str, list[list[int]]]:
    """The entities of each response of Table 2, as numbers of mentions of Figure 1."""
    found: dict[str, dict[int, list[int]]] = {}
    for row in pd.read_csv(FOLDER / "table2.csv", comment="#").to_dict("records"):
        found.setdefault(row["response"], {}).setdefault(row["entity"], []).append(row["number"])
    return {name: [*entities.values()] for name, entities in found.items()}


def _table_3(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), response "cr1" (both halves) or "cr2" (one of them).

    Columns: response, metric, recall, precision, f1; fractions.
    """
    pairs = [([passage()[1]], entities) for entities in responses().values()]
    table = score_partitions(pairs, setting.metrics)
    table.insert(0, "response", table["pair"].map(dict(enumerate(responses()))))
    return table[["response", "metric", "recall", "precision", "f1"]]


@needing("ceafm", "ceafe")
def _half_is_better(table: pd.DataFrame) -> Check:
    f1 = wide(table, "response")
    metrics = ("ceafm", "ceafe")
    return joined((title_of(name), in_order(f1[name], ["cr2", "cr1"])) for name in metrics)


def _both_are_better(*metrics: str) -> Checker:
    @needing(*metrics)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, "response")
        return joined((title_of(name), in_order(f1[name], ["cr1", "cr2"])) for name in metrics)

    return check


TABLE_3 = Experiment(
    id="moosavi2016-table3",
    paper=MOOSAVI_2016,
    where="Table 3",
    title="Does CEAF see what it has not aligned?",
    setup=(
        "The key is entity (1) of Figure 1, of eight mentions. Response cr1 splits it into halves "
        "of four mentions; cr2 has one of these halves and nothing else. Everything that is "
        "correct in cr2 is also correct in cr1, which has six more correct links. The paper leaves "
        "nothing open."
    ),
    run=_table_3,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "CEAF scores one half higher than both halves: it aligns each entity with one other "
            "and does not see that the second half is correct too.",
            "§3.3, Table 3",
            _half_is_better,
            id="half-is-better",
            in_print=told_by(PRINTED, _half_is_better),
            scope="result",
        ),
        Claim(
            "MUC, B³, BLANC and LEA score both halves higher than one.",
            "§3.3, Table 3; LEA is not in it",
            _both_are_better("muc", "bcub", "blanc", "lea"),
            id="both-are-better",
            in_print=told_by(PRINTED, _both_are_better("muc", "bcub", "blanc")),
            scope="result",
        ),
        Claim(
            "The printed scores match, to a hundredth of a point.",
            "§3.3, Table 3",
            as_printed(PRINTED),
            id="as-printed",
            note="The paper's numbers are truncated after two decimals, not rounded. BLANC of cr2 "
            "is 2·(6/28) / (1 + 6/28) = 6/17 = 35.29; we take the 32.29 of the paper for a slip.",
            scope="result",
            ours=True,
        ),
    ),
    printed=(PRINTED,),
)

REPEATS_KEY = ("abcd",)

ONCE, ONE_TWICE, PAIR_TWICE = "{ab}{cd}", "{abc}{cd}", "{ab}{cd}{cd}"

RESPONSES = {ONCE: ("ab", "cd"), ONE_TWICE: ("abc", "cd"), PAIR_TWICE: ("ab", "cd", "cd")}

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
            name: score_entities(REPEATS_KEY, response, policies, metrics=setting.metrics)
            for name, response in RESPONSES.items()
        }
        rows = score_rows(results, setting).rename(columns={"system": "response"})
        rows.insert(0, "repeats", words)
        tables.append(rows)
    return pd.concat(tables, ignore_index=True)


def _recall(table: pd.DataFrame, repeats: str) -> pd.DataFrame:
    """A row for each response, a column for each metric."""
    return wide(table[table["repeats"] == repeats], "response", "recall")


def _gain(table: pd.DataFrame, metric: str) -> tuple[float, str]:
    """What listing {cd} twice adds to recall where every listing counts, and the numbers."""
    recall = _recall(table, EACH_TIME)
    added = recall.T[PAIR_TWICE] - recall.T[ONCE]
    once, twice = (percent(recall[metric][name]) for name in (ONCE, PAIR_TWICE))
    rest = ", ".join(f"{title_of(m)} {points(added[m])}" for m in others(table, metric))
    numbers = f"{title_of(metric)}: recall {once} with {{cd}} once, {twice} with {{cd}} twice"
    return added[metric], f"{numbers}; the others gain: {rest}" if rest else numbers


@needing("bcub")
def _credited_every_time(table: pd.DataFrame) -> Check:
    added, numbers = _gain(table, "bcub")
    return Check(bool(added > TOLERANCE), numbers)


@needing("lea")
def _untroubled(table: pd.DataFrame) -> Check:
    added, numbers = _gain(table, "lea")
    repeated = bool(abs(added) <= TOLERANCE)
    readings = (
        Reading("two mentions are repeated together, and every listing counts", repeated),
        Reading("one mention alone is repeated", _links_once(table).holds),
        Reading("repeats count as in the reference scorer", _dropped(table).holds),
    )
    return Check(repeated, numbers, readings=readings)


@needing("lea")
def _links_once(table: pd.DataFrame) -> Check:
    """Whether LEA's recall is the share of links found where no two mentions are repeated."""
    recall = _recall(table, EACH_TIME)["lea"]
    n_links = {name: len(_links(RESPONSES[name])) for name in (ONCE, ONE_TWICE)}
    of = len(_links(REPEATS_KEY))
    numbers = [f"{name}: {percent(recall[name])}, {n} of {of} links" for name, n in n_links.items()]
    holds = all(abs(recall[name] - n / of) <= TOLERANCE for name, n in n_links.items())
    return Check(bool(holds), "; ".join(numbers))


def _links(entities: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {link for entity in entities for link in combinations(entity, 2)}


def _dropped(table: pd.DataFrame) -> Check:
    """Whether the reference scorer gives {cd} twice what it gives {cd} once."""
    rows = table[table["repeats"] == AS_REFERENCE]
    f1 = wide(rows, "response")[others(table)]
    if f1.empty:
        return Check(None, "none of the compared metrics is scored")
    apart = (f1.T[PAIR_TWICE] - f1.T[ONCE]).abs()
    numbers = ", ".join(f"{title_of(str(name))} {points(by)}" for name, by in apart.items())
    return Check(bool((apart <= TOLERANCE).all()), f"F1 differs by: {numbers}")


REPEATS = Experiment(
    id="moosavi2016-repeats",
    paper=MOOSAVI_2016,
    where="§3.2 and §4",
    title="What do mentions earn that the response lists twice?",
    setup=(
        "The key is one entity of four mentions, {abcd}. The response has it in halves; lists one "
        "mention, c, in both of them; or lists the second half twice. The paper has no example and "
        "does not say how repeats are counted: here once with every listing, and once as the "
        "reference scorer counts, which drops a mention that it has seen in an entity before."
    ),
    run=_repeats,
    chart=Chart("bars", x="response", y="recall", facet="repeats", y_title="recall, percent"),
    claims=(
        Claim(
            "B³ credits a mention in each of the response entities that list it.",
            "§3.2, after Luo & Pradhan 2016",
            _credited_every_time,
            note="Each response entity adds |k ∩ r|² / |k|: {cd} adds 4/4 of four mentions again.",
            id="bcub-every-time",
            scope="universal",
        ),
        Claim(
            "Repeated mentions in several response entities make no difference to LEA.",
            "§4",
            _untroubled,
            note="By the paper’s formula each response entity adds its links, so that a link "
            "between two repeated mentions counts twice. A mention repeated by itself has no such "
            "link, and the reference scorer, with which the paper scores, drops repeats first.",
            id="lea-untroubled",
            scope="universal",
        ),
        Claim(
            "Where one mention alone is repeated, no link is, and LEA counts each link once.",
            "ours, from the formula of §4",
            _links_once,
            id="lea-links-once",
            scope="property",
            ours=True,
        ),
        Claim(
            "The reference scorer drops repeats before any metric sees them.",
            "ours: the paper scores with it",
            _dropped,
            id="reference-drops",
            scope="property",
            ours=True,
        ),
    ),
)


# Moosavi & Strube 2016, Figures 4 and 5: whole entities, one after the other ----------------------


def _figures_4_5(setting: Setting) -> pd.DataFrame:
    """Rows (order, entities, metric).

    Columns: order ("decreasing size" or "increasing size"), entities (how many are resolved),
    resolved (their share of the key's entities), share (of the key's coreference links that are
    correct), metric, recall, precision, f1; fractions.
    """
    key = toy_key(setting)
    rows: list[tuple[object, ...]] = []
    pairs: list[tuple[Partition, Partition]] = []
    for order, reverse in {"decreasing size": True, "increasing size": False}.items():
        entities = sorted(key, key=len, reverse=reverse)
        links = [*accumulate((len(e) * (len(e) - 1) // 2 for e in entities), initial=0)]
        rows += [(order, n, n / len(key), found / links[-1]) for n, found in enumerate(links)]
        pairs += [(key, entities[:n]) for n in range(len(links))]
    return scored(rows, ["order", "entities", "resolved", "share"], pairs, setting)


def _drawn(table: pd.DataFrame) -> pd.DataFrame:
    """The metrics and, as in the paper's figures, the share of correct links as one more curve."""
    links = table.drop_duplicates(["order", "entities"])
    links = links.assign(metric="correct_links", recall=nan, precision=nan, f1=links["share"])
    return pd.concat([table[table["metric"] != "conll"], links], ignore_index=True)


@needing("ceafe")
def _size_blind(table: pd.DataFrame) -> Check:
    apart = _between_orders(table, "f1").max()
    numbers = [
        f"{title_of(str(name))} {points(by)}" for name, by in apart.items() if name != "ceafe"
    ]
    same = f"CEAF_e differs by {points(apart['ceafe'])} between the orders"
    return Check(
        bool(apart["ceafe"] <= TOLERANCE), f"{same}; the others by up to: {', '.join(numbers)}"
    )


@needing("blanc")
def _most_sensitive(table: pd.DataFrame) -> Check:
    """Whether BLANC differs most between the orders: as many entities, but other links."""
    rest = others(table, "blanc")
    if not rest:
        return Check(None, "no other metric is scored")
    apart, links = _between_orders(table, "f1"), _between_orders(table, "share")["blanc"]
    numbers = ", ".join(f"{title_of(name)} {points(apart[name].max())}" for name in rest)
    at = int(apart["blanc"].argmax())
    most = f"BLANC {points(apart['blanc'].iloc[at])} with {apart.index[at]} entities each"
    holds = apart["blanc"].max() > apart[rest].max().max() + TOLERANCE
    return Check(
        bool(holds),
        f"between the orders, at most: {most}, where the correct links are "
        f"{points(links.iloc[at])} apart; {numbers}",
    )


def _between_orders(table: pd.DataFrame, value: str) -> pd.DataFrame:
    """How far a value differs between the orders: a row for each number of entities, by metric."""
    orders = wide(table, ["order", "entities"], value).groupby(level="entities")
    return orders.max() - orders.min()


def _same(*metrics: str) -> Checker:
    """Whether metrics agree at every point, and where they differ most."""

    @needing(*metrics)
    def check(table: pd.DataFrame) -> Check:
        f1 = wide(table, ["order", "entities"])[[*metrics]]
        apart = (f1.max(axis=1) - f1.min(axis=1)).to_numpy()
        at = int(apart.argmax())
        if apart[at] <= TOLERANCE:
            return Check(True, f"at all {len(f1)} points")
        orders, entities = (f1.index.get_level_values(name) for name in ("order", "entities"))
        where = f"with {entities[at]} entities in {orders[at]}: {numbers_of(f1.iloc[at])}"
        return Check(False, f"up to {points(apart[at])} apart, {where}")

    return check


def _equal_by_captions(table: pd.DataFrame) -> Check:
    """Whether B³, CEAF and LEA agree, with either CEAF."""
    checks = {name: _same("bcub", name, "lea")(table) for name in ("ceafm", "ceafe")}
    readings = (Reading(f"CEAF is {title_of(name)}", check.holds) for name, check in checks.items())
    numbers = "; ".join(f"{title_of(name)}: {check.numbers}" for name, check in checks.items())
    return Check(checks["ceafe"].holds, numbers, readings=tuple(readings))


FIGURES_4_5 = Experiment(
    id="moosavi2016-fig4-5",
    paper=MOOSAVI_2016,
    where="Figures 4 and 5",
    title="Does it matter whether the large or the small entities are correct?",
    setup=(
        "Whole entities of the key are resolved one after the other, in decreasing size (Figure "
        "4) and in increasing size (Figure 5); the response has nothing else. The paper does not "
        "name the horizontal axis: we take it for the share of the entities that are resolved, as "
        "the share of the correct links is a curve of its own, there and here."
    ),
    run=_figures_4_5,
    chart=Chart(
        "lines",
        x="resolved",
        facet="order",
        x_title="resolved entities, percent",
        of=_drawn,
    ),
    claims=(
        Claim(
            "CEAF_e depends only on how many entities are correct, not on which.",
            "§7.2, Figures 4 and 5",
            _size_blind,
            id="ceafe-sizes",
            scope="result",
        ),
        Claim(
            "B³, CEAF_m and LEA are equal.",
            "§7.2, Figures 4 and 5",
            _same("bcub", "ceafm", "lea"),
            id="equal",
            scope="result",
        ),
        Claim(
            "B³, CEAF and LEA are equal.",
            "captions of Figures 4 and 5",
            _equal_by_captions,
            note="§7.2 says so of CEAF_m; the captions name no variant.",
            id="equal-by-captions",
            scope="result",
        ),
        Claim(
            "BLANC is the most sensitive to the number of links: with as many entities resolved, "
            "it differs most between large and small ones.",
            "§7.2, Figures 4 and 5",
            _most_sensitive,
            note="The paper says that BLANC is very sensitive; that we compare is our reading.",
            id="blanc-links",
            scope="result",
        ),
    ),
    parameters=(KEY_WITH_SINGLETONS,),
)
