"""Recasens & Hovy 2011, Table 2: how large the entities of two corpora are."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.replication.claims import as_printed, numbers_of, told_by
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Setting
from corescore.replication.printed import Printed
from corescore.wording import count, percent

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
