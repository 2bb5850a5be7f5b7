"""Recasens & Hovy 2011, Table 2: how large the entities of two corpora are."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import Counts, harmonic_mean
from corescore.metrics import title_of
from corescore.metrics.blanc import blanc_score
from corescore.replication.claims import as_printed, numbers_of, points, told_by, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.partitions import LINK_COLUMNS
from corescore.replication.printed import Printed
from corescore.util import TOLERANCE
from corescore.wording import count, counted, percent

PRINTED = Printed("Table 2", Path(__file__).with_name("table2.csv"), on=("corpus", "size"))

MENTIONS, ENTITIES, SINGLETONS = "Mentions", "Entities", "Singletons"


def _table_2(setting: Setting) -> pd.DataFrame:
    """Rows (corpus, size), the sum "Entities" first.

    Columns: corpus, size (as the rows are labelled), entities (how many are printed), count (their
    sum, in its row alone), share (of all entities, a fraction) and mentions (of the corpus).
    """
    return pd.concat([_corpus(rows) for _, rows in PRINTED.numbers.groupby("corpus", sort=False)])


def _corpus(printed: pd.DataFrame) -> pd.DataFrame:
    numbers = printed.set_index("size")["count"]
    sizes = numbers.drop([MENTIONS, ENTITIES])
    rows = printed[printed["size"] != MENTIONS][["corpus", "size"]]
    entities = rows["size"].map(numbers).astype(int)
    is_sum = rows["size"] == ENTITIES
    return rows.assign(
        entities=entities,
        count=is_sum.map({True: sizes.sum()}),
        share=entities / sizes.sum(),
        mentions=int(numbers[MENTIONS]),
    )


def _sizes(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of sizes, which the chart draws."""
    return table[table["size"] != ENTITIES].drop(columns=["count", "mentions"])


def _singletons(table: pd.DataFrame) -> Check:
    shares = table.pivot(index="size", columns="corpus", values="share").drop(ENTITIES)
    shares = shares.drop(MENTIONS, errors="ignore")
    of_singletons = shares.loc[[SINGLETONS]].iloc[0]
    numbers = ", ".join(f"{corpus} {percent(value)}%" for corpus, value in of_singletons.items())
    return Check(bool((shares.idxmax() == SINGLETONS).all() and of_singletons.min() > 0.5), numbers)


def unlinked(entities: float, mentions: float) -> dict[str, float]:
    """B³ and CEAF_m of a response that links nothing, to a key of so many entities and mentions.

    Each entity of the key is found with one of its mentions. That is recall by both metrics, and
    precision by CEAF_m; precision by B³ is 1.
    """
    found = entities / mentions
    return {"bcub": 2 * found / (1 + found), "ceafm": found}


def _squeezed(table: pd.DataFrame) -> Check:
    """Whether more singletons mean higher scores for a response that links nothing."""
    sums = table[table["size"] == ENTITIES].set_index("corpus")
    shares = table[table["size"] == SINGLETONS].set_index("corpus")["share"]
    few, many = shares.idxmin(), shares.idxmax()
    f1 = {
        name: unlinked(row["count"], row["mentions"]) for name, row in sums.to_dict("index").items()
    }
    numbers = "; ".join(f"{name}: {numbers_of(of)}" for name, of in f1.items())
    return Check(all(f1[many][metric] > f1[few][metric] for metric in f1[few]), numbers)


def rows_hold_all(table: pd.DataFrame) -> Check:
    """Whether the rows hold all entities, so that none of 11 mentions is left out."""
    sums = table[table["size"] == ENTITIES]
    left = (sums["entities"] - sums["count"]).to_list()
    both = zip(sums["corpus"], sums["count"], sums["entities"], strict=True)
    numbers = ", ".join(
        f"{name} {count(rows)} in the rows, {count(printed)} in all" for name, rows, printed in both
    )
    return Check(not any(left), numbers)


TABLE_2 = Experiment(
    id="recasens2011-table2",
    paper=RECASENS_2011,
    where="Table 2",
    title="How many entities are singletons, and what does a response gain by them?",
    setup=(
        "The entities of two corpora by size, as the paper prints them: ACE-2004 (English), where "
        "mentions are of seven types, and AnCora-Es (Spanish), where all mentions are annotated. "
        "The corpora are not here, so the counts are the paper's; computed are the sums, the "
        "percentages and, from the numbers of entities and mentions alone, what a response scores "
        "that links nothing: its recall by B³ and CEAF_m is entities / mentions, its precision by "
        "B³ is 100 and by CEAF_m the same as recall."
    ),
    run=_table_2,
    chart=Chart(
        "bars",
        x="size",
        y="share",
        x_title="size",
        y_title="percent of entities",
        facet="corpus",
        of=_sizes,
    ),
    claims=(
        Claim(
            "Singletons are the largest group and most of the entities in both corpora.",
            "§3.1, Table 2",
            _singletons,
            id="singletons",
            in_print=told_by(PRINTED, _singletons),
            scope="comparison",
        ),
        Claim(
            "Singletons raise B³ and CEAF: the more there are, the higher is the score of a "
            "response that links nothing.",
            "§3.1; computed from Table 2",
            _squeezed,
            note="Tables 3 and 16 have this baseline on other documents of ACE-2004.",
            id="squeeze",
            scope="property",
        ),
        Claim(
            "The rows hold every entity, although the last is labelled “> 11-mention” and the one "
            "before ends with 10.",
            "our reading of Table 2",
            rows_hold_all,
            note="So entities of 11 mentions, if there are any, are in the last row: it must be "
            "“≥ 11”.",
            id="all-rows",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "The printed sums and percentages come out.",
            "Table 2",
            as_printed(PRINTED),
            id="printed",
            scope="comparison",
            ours=True,
        ),
    ),
    printed=(PRINTED,),
)

# Recasens & Hovy 2011, Tables 3 and 16: published scores on ACE, and two baselines ----------------

ON = ("corpus", "system", "metric")

# Recasens & Hovy 2011, Tables 14 and 15: five models of a system on ACE-2004 ----------------------

_HERE = Path(__file__)

TABLE_3 = Printed("Table 3", _HERE.with_name("table3.csv"), ON)

TABLE_16 = Printed("Table 16", _HERE.with_name("table16.csv"), ON)

ALONE, ONE = "All-singletons baseline", "One-entity baseline"


def _published(setting: Setting) -> pd.DataFrame:
    """Rows (corpus, system, metric), metric "ace" for ACE-Value.

    Columns: corpus, system, metric, published (the score in Tables 3 and 16) and f1 (what follows
    from another published score; NaN where none does).
    """
    both = pd.concat([TABLE_3.numbers, TABLE_16.numbers]).drop_duplicates([*ON])
    table = both.dropna(subset="f1").rename(columns={"f1": "published"})
    table = table.sort_values("corpus", kind="stable", ignore_index=True)
    known = table.set_index([*ON])["published"]
    follows = {
        (corpus, ALONE, metric): value
        for corpus in table["corpus"].unique()
        for metric, value in (
            ("bcub", unlinked(known[corpus, ALONE, "ceafm"], 1)["bcub"]),
            ("blanc", blanc_alone(known[corpus, ONE, "blanc"])),
        )
    }
    rows = table[[*ON]].itertuples(index=False, name=None)
    return table.assign(f1=[follows.get(row, np.nan) for row in rows])


def blanc_alone(blanc_of_one: float) -> float:
    """BLANC of singletons alone by that of one entity, for the same key.

    Where a share p of all links are coreference links, one entity has BLANC p/(1 + p), half of F
    of the coreference links; singletons have (1 − p)/(2 − p), half of F of the others.
    """
    share = blanc_of_one / (1 - blanc_of_one)
    return (1 - share) / (2 - share)


# Checks of the published scores -------------------------------------------------------------------


def _f1(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Each corpus, with a row for each system and a column for each metric."""
    for corpus, rows in table.groupby("corpus", sort=False):
        yield str(corpus), rows.pivot(index="system", columns="metric", values="f1")


def _one_entity_is_high(table: pd.DataFrame) -> Check:
    """Above more than half of the systems, by MUC."""
    numbers, holds = [], []
    for corpus, f1 in _f1(table):
        muc = f1["muc"].drop(ALONE).dropna()
        systems = muc.drop(ONE)
        below = int((systems < muc[ONE]).sum())
        above = f"above {below} of {counted(len(systems), 'system')}"
        numbers.append(f"{corpus}: {100 * muc[ONE]:.1f}, {above}")
        holds.append(below > len(systems) / 2)
    return Check(all(holds), "; ".join(numbers))


def _not_alike(table: pd.DataFrame) -> Check:
    """Two systems that two metrics put in different orders, on each corpus."""
    found = {corpus: _reversal(f1.drop([ALONE, ONE])) for corpus, f1 in _f1(table)}
    numbers = "; ".join(f"{corpus}: {says or 'all alike'}" for corpus, says in found.items())
    return Check(any(found.values()), numbers)


def _reversal(f1: pd.DataFrame) -> str:
    for one, other in combinations(f1, 2):
        both = f1[[one, other]].dropna()
        for a, b in combinations(both.index, 2):
            ahead = both.loc[[a]].to_numpy() - both.loc[[b]].to_numpy()
            if ahead.prod() < 0:
                first, second = (a, b) if ahead[0, 0] > 0 else (b, a)
                return (
                    f"{title_of(str(one))} puts {first} above {second}, {title_of(str(other))} the "
                    "other way round"
                )
    return ""


def _luo_first(table: pd.DataFrame) -> Check:
    best = {corpus: {*f1.idxmax()} for corpus, f1 in _f1(table)}
    numbers = "; ".join(f"{corpus}: {' or '.join(sorted(first))}" for corpus, first in best.items())
    every = [name for first in best.values() for name in first]
    return Check(len(every) == len(best) and all("Luo" in name for name in every), numbers)


def _closer(table: pd.DataFrame) -> Check:
    """By the systems; the baselines are named where they are an exception."""
    nearer = {"ACE-2": "bcub", "ACE-2004": "ceafm"}
    numbers, holds = [], []
    for corpus, f1 in _f1(table.dropna(subset="f1")):
        apart = f1[["bcub", "ceafm"]].sub(f1["blanc"], axis=0).abs()
        for system, row in apart.iterrows():
            fits = row.idxmin() == nearer[corpus]
            is_baseline = system in (ALONE, ONE)
            holds += [] if is_baseline else [fits]
            if not (is_baseline and fits):
                far = " and ".join(f"{points(row[m])} from {title_of(m)}" for m in row.index)
                numbers.append(f"{system} on {corpus}: {far}")
    return Check(all(holds), "; ".join(numbers))


def _repeated(table: pd.DataFrame) -> Check:
    """Whether the cells that both tables have are the same."""
    both = TABLE_3.numbers.merge(TABLE_16.numbers, on=[*ON]).dropna(subset=["f1_x", "f1_y"])
    same = int(((both["f1_x"] - both["f1_y"]).abs() < TOLERANCE).sum())
    return Check(same == len(both), f"{same} of {len(both)} cells")


def _not_here(table: pd.DataFrame) -> Check:
    return Check(None, "the responses are not public, so that nothing can be scored")


TABLES_3_AND_16 = Experiment(
    id="recasens2011-tables3-16",
    paper=RECASENS_2011,
    where="Tables 3 and 16",
    title="Do the metrics rank published systems alike?",
    setup=(
        "Published scores of systems on ACE-2 and ACE-2004, with two baselines: every mention "
        "alone, and all mentions of a document together. Table 16 adds BLANC to some rows of Table "
        "3. Nothing is scored here, since the responses are not public; so what the paper says of "
        "them can hold in print only. Two scores of the first baseline follow from others: its "
        "CEAF_m c is the share of entities among mentions, and its B³ is 2c/(1 + c); its BLANC "
        "follows from that of the second baseline, because both depend on the share of coreference "
        "links alone. The systems were not all scored on the same documents and mentions (§3.1)."
    ),
    run=_published,
    chart=Chart(
        "bars",
        x="system",
        y="published",
        x_title="system",
        y_title="published score, percent",
        facet="corpus",
    ),
    claims=(
        Claim(
            "The one-entity baseline scores high by MUC.",
            "§3.1, Table 3",
            _not_here,
            note="What we check: it is above more than half of the systems.",
            id="one-entity",
            in_print=told_by(TABLE_3, _one_entity_is_high),
            scope="comparison",
        ),
        Claim(
            "The metrics do not rank the systems alike.",
            "§3.1, Table 3",
            _not_here,
            id="not-alike",
            in_print=told_by(TABLE_3, _not_alike),
            scope="comparison",
        ),
        Claim(
            "All metrics put Luo et al. (2004) and Luo & Zitouni (2005) first.",
            "§3.1, Table 3",
            _not_here,
            id="luo-first",
            in_print=told_by(TABLE_3, _luo_first),
            scope="comparison",
        ),
        Claim(
            "BLANC is closer to B³ on ACE-2 and closer to CEAF on ACE-2004.",
            "§5.2, Table 16",
            _not_here,
            note="How far BLANC is from both, for the systems and for a baseline that is an "
            "exception.",
            id="closer",
            in_print=told_by(TABLE_16, _closer),
            scope="comparison",
        ),
        Claim(
            "B³ and BLANC of the all-singletons baseline follow from its CEAF and from BLANC of "
            "the other baseline.",
            "our check of Tables 3 and 16",
            as_printed(TABLE_16),
            id="baselines",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "Table 16 repeats the figures of Table 3.",
            "our check of Table 16",
            _repeated,
            id="repeated",
            scope="comparison",
            ours=True,
        ),
    ),
    printed=(TABLE_3, TABLE_16),
)

TABLE_14 = Printed("Table 14", _HERE.with_name("table14.csv"), on=("model", "metric"))

TABLE_15 = Printed("Table 15", _HERE.with_name("table15.csv"), on=("model",))

METRICS = ("muc", "bcub", "ceafm", "blanc")

RC, WC, RN, WN = LINK_COLUMNS


def _models(setting: Setting) -> pd.DataFrame:
    """Rows (model, metric).

    Columns: model (its letter and name), metric, published (F1 in Table 14), f1 (what comes out;
    NaN where nothing can be computed), correct and of (MUC and CEAF_m: the whole number of links
    or mentions that is nearest to the published F1, and how many the key has).
    """
    models = TABLE_15.numbers.set_index("model").astype(int)
    published = wide(TABLE_14.numbers, "model")
    n, n_entities = _of_key(models, published)
    of = {"muc": n - n_entities, "ceafm": n}
    everything = pd.Series(n, models.index)
    below = {"muc": (of["muc"] + n - models["entities"]) / 2, "ceafm": everything}
    correct = {name: (published[name] * most).round() for name, most in below.items()}
    baseline = {models.index[0]: unlinked(n_entities, n)["bcub"]}
    f1 = {
        **{name: correct[name] / below[name] for name in below},
        "bcub": pd.Series(baseline).reindex(models.index),
        "blanc": blanc_of_links(models),
    }
    parts = [
        pd.DataFrame(
            {
                "metric": name,
                "published": published[name],
                "f1": f1[name],
                "correct": correct.get(name, np.nan),
                "of": of.get(name, np.nan),
            }
        )
        for name in METRICS
    ]
    return pd.concat(parts).reset_index().sort_values("model", kind="stable", ignore_index=True)


def _of_key(models: pd.DataFrame, published: pd.DataFrame) -> tuple[int, int]:
    """The mentions and the entities of the key.

    Model A has singletons alone, as many as there are mentions, and CEAF_m finds an entity of the
    key with each that it aligns.
    """
    n = int(models["entities"].iloc[0])
    return n, round(n * published["ceafm"].iloc[0])


def blanc_of_links(links: pd.DataFrame) -> "pd.Series[float]":
    """BLANC by the four numbers of links."""
    rc, wc, rn, wn = (links[name].to_numpy(float) for name in LINK_COLUMNS)
    counts = Counts.of_parts(
        Counts.of(rc, rc + wn, rc, rc + wc), Counts.of(rn, rn + wc, rn, rn + wn)
    )
    return pd.Series(blanc_score(counts, empty=0).f1, links.index)


# Checks -------------------------------------------------------------------------------------------


def _links() -> pd.DataFrame:
    """The links of each model, by its letter."""
    return TABLE_15.numbers.set_index("model")[list(LINK_COLUMNS)].astype(int).rename(index=_letter)


def _sums_stay(table: pd.DataFrame) -> Check:
    links = _links()
    every, of_key = links.sum(axis=1).unique(), (links[RC] + links[WN]).unique()
    numbers = (
        f"{' or '.join(map(count, every))} links in all, {' or '.join(map(count, of_key))} of them "
        "coreference links of the key"
    )
    return Check(len(every) == len(of_key) == 1, numbers)


def _blanc_comes_out(table: pd.DataFrame) -> Check:
    return as_printed(TABLE_14)(table[table["metric"] == "blanc"])


def _whole_numbers(table: pd.DataFrame) -> Check:
    """Whether the nearest whole numbers give the published figures of MUC and CEAF_m."""
    rows = table[table["correct"].notna()]
    of_metric = ((name, rows[rows["metric"] == name]) for name in ("muc", "ceafm"))
    numbers = (
        f"{title_of(name)} {', '.join(map(count, of['correct']))} of {count(of['of'].iloc[0])}"
        for name, of in of_metric
    )
    return Check(as_printed(TABLE_14)(rows).holds, "; ".join(numbers))


def _many_links(table: pd.DataFrame) -> Check:
    links = _links()
    numbers = "; ".join(
        f"{model} {count(row[RC])} correct, {count(row[WC])} wrong"
        for model, row in links.iterrows()
    )
    most = {links[RC].idxmax(), links[WC].idxmax()}
    return Check(most == {"E"}, numbers)


def _of_links() -> pd.DataFrame:
    """Recall, precision and F1 of the coreference links, of each model but A, which has none."""
    links = _links().iloc[1:]
    precision = links[RC] / (links[RC] + links[WC])
    recall = links[RC] / (links[RC] + links[WN])
    f1 = harmonic_mean(recall.to_numpy(), precision.to_numpy())
    return pd.DataFrame({"recall": recall, "precision": precision, "F1": f1})


def _head_match(table: pd.DataFrame) -> Check:
    scores = _of_links()
    numbers = ", ".join(
        f"{model} {percent(row['precision'])} and {percent(row['recall'])}"
        for model, row in scores.iterrows()
    )
    holds = scores["precision"].idxmax() == "B" == scores["recall"].idxmin()
    return Check(bool(holds), f"precision and recall of the coreference links: {numbers}")


def _best_trade_off(table: pd.DataFrame) -> Check:
    f1 = _of_links()["F1"]
    numbers = ", ".join(f"{model} {percent(value)}" for model, value in f1.items())
    return Check(bool(f1.idxmax() == "C"), f"F1 of the coreference links: {numbers}")


def _letter(model: object) -> str:
    return str(model).partition(".")[0]


# Checks of rankings -------------------------------------------------------------------------------


def _order(table: pd.DataFrame, metric: str) -> str:
    """The letters of the models with a score, the best first."""
    rows = table[(table["metric"] == metric) & table["f1"].notna()]
    return "".join(map(_letter, rows.sort_values("f1", ascending=False)["model"]))


def _no_two_alike(table: pd.DataFrame) -> Check:
    """Compares two metrics by the models that both score."""
    orders = {name: _order(table, name) for name in table["metric"].unique()}
    pairs = combinations(orders.values(), 2)
    alike = [
        [m for m in one if m in other] == [m for m in other if m in one] for one, other in pairs
    ]
    numbers = ", ".join(f"{title_of(name)} {' '.join(order)}" for name, order in orders.items())
    return Check(not any(alike), numbers)


def _first(table: pd.DataFrame) -> Check:
    best = {name: _order(table, name)[:1] for name in table["metric"].unique()}
    wanted = {"muc": "E", "bcub": "D", "ceafm": "C", "blanc": "C"}
    second = _order(table, "bcub")[1:2]
    numbers = ", ".join(f"{title_of(name)} {order}" for name, order in best.items())
    return Check(best == wanted and second == "B", f"first: {numbers}; second by B³: {second}")


def _blanc_first(table: pd.DataFrame) -> Check:
    order = _order(table, "blanc")
    return Check(order[:1] == "C", f"by BLANC: {' '.join(order)}")


def _likes_singletons() -> Check:
    """Whether the two best by B³ have the most singletons, A apart, which has nothing else."""
    singletons = TABLE_15.numbers.set_index("model")["singletons"].iloc[1:].rename(index=_letter)
    most = singletons.sort_values(ascending=False)
    best = _order(TABLE_14.numbers, "bcub")[:2]
    numbers = ", ".join(f"{model} {count(n)}" for model, n in most.items())
    holds = {*best} == {*most.index[:2]}
    return Check(holds, f"first by B³: {' '.join(best)}; singletons: {numbers}")


def _not_in_table15(table: pd.DataFrame) -> Check:
    return Check(None, "the responses are not published: MUC, B³ and CEAF cannot be computed")


TABLES_14_AND_15 = Experiment(
    id="recasens2011-tables14-15",
    paper=RECASENS_2011,
    where="Tables 14 and 15",
    title="Which of five models of a system is the best?",
    setup=(
        "Five models on 33 documents of ACE-2004: all singletons (A), mentions with the same head "
        "linked (B), and a learnt classifier with three ways to link what it finds coreferent (C, "
        "D, E). The responses are not published, but Table 15 has their entities and links, and "
        "Table 14 their scores. BLANC follows from the links. MUC and CEAF_m must be fractions of "
        "whole numbers: A has as many entities as there are mentions, and its CEAF tells how many "
        "entities the key has, so how many links for MUC; what comes out is the score of the "
        "nearest whole number. B³ follows for A alone. The four printed figures of MUC run "
        "together in our copy; which model each belongs to is our reading, the only one that gives "
        "whole numbers."
    ),
    run=_models,
    chart=Chart("bars", x="model", y="published", x_title="model", y_title="published F1, percent"),
    claims=(
        Claim(
            "BLANC follows from the links.",
            "Tables 14 and 15",
            _blanc_comes_out,
            id="blanc",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "MUC and CEAF_m are fractions of whole numbers.",
            "our check of Table 14",
            _whole_numbers,
            id="whole",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "All five models have the same number of links, and the key's coreference links are "
            "the same for all.",
            "our check of Table 15",
            _sums_stay,
            id="sums",
            scope="comparison",
            ours=True,
        ),
        Claim(
            "No two metrics rank the five models alike.",
            "§5.2, Table 14",
            _not_in_table15,
            id="no-two-alike",
            in_print=told_by(TABLE_14, _no_two_alike),
            scope="comparison",
        ),
        Claim(
            "MUC puts E first, B³ D and then B, CEAF and BLANC C.",
            "§5.2, Table 14",
            _not_in_table15,
            id="first",
            in_print=told_by(TABLE_14, _first),
            scope="comparison",
        ),
        Claim(
            "BLANC puts C first.",
            "§5.2, Table 14",
            _blanc_first,
            id="blanc-first",
            in_print=told_by(TABLE_14, _blanc_first),
            scope="comparison",
        ),
        Claim(
            "E, the first by MUC, has the most correct links and by far the most wrong ones.",
            "§5.2, Table 15",
            _many_links,
            id="overmerged",
            scope="comparison",
        ),
        Claim(
            "B³ prefers models that leave many singletons.",
            "§5.2",
            _not_in_table15,
            note="What we check: the two best by B³ have the most singletons, A apart.",
            id="conservative",
            in_print=_likes_singletons,
            scope="comparison",
        ),
        Claim(
            "B has high precision and low recall.",
            "§5.2, Table 15",
            _head_match,
            note="What we check: of B to E it has the highest precision and the lowest recall of "
            "coreference links.",
            id="head-match",
            scope="comparison",
        ),
        Claim(
            "C has the best balance of precision and recall.",
            "§5.2",
            _best_trade_off,
            note="What we check: the highest F1 of the coreference links. The authors looked at "
            "the responses themselves.",
            id="trade-off",
            scope="comparison",
        ),
    ),
    printed=(TABLE_14, TABLE_15),
)
