"""Recasens & Hovy 2011, Tables 2, 3 and 14 to 16: figures of others, and what follows from them."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import Counts
from corescore.metrics.blanc import blanc_score
from corescore.replication.claims import PaperData, numbers_of, orders, wide
from corescore.replication.experiment import Check, Setting
from corescore.replication.partitions import LINK_COLUMNS
from corescore.util import FloatArray

PAPER = PaperData("recasens2011", RECASENS_2011)

# Table 2: how large the entities of two corpora are -----------------------------------------------

ENTITIES, SINGLETONS = "Entities", "Singletons"


def table_2(setting: Setting) -> pd.DataFrame:
    """Rows (corpus, size), the sum "Entities" first.

    Columns: corpus, size (as the rows are labelled), entities (how many are printed), count (their
    sum, in its row alone), share (of all entities, a fraction) and mentions (of the corpus).
    """
    printed = PAPER.printed("Table 2").numbers
    is_sum, corpus = printed["size"] == ENTITIES, printed["corpus"]
    mentions = printed[printed["size"] == "Mentions"].set_index("corpus")["count"]
    sizes = printed[~is_sum & (printed["size"] != "Mentions")]
    sums = corpus.map(sizes.groupby("corpus")["count"].sum())
    table = printed[["corpus", "size"]].assign(
        entities=printed["count"].astype(int),
        count=sums.where(is_sum),
        share=printed["count"] / sums,
        mentions=corpus.map(mentions).astype(int),
    )
    return table[table["size"] != "Mentions"]


def unlinked(entities: float, mentions: float) -> dict[str, float]:
    """B³ and CEAFₘ of a response that links nothing, to a key of so many entities and mentions.

    Each entity of the key is found with one of its mentions. That is recall by both metrics, and
    precision by CEAFₘ; precision by B³ is 1.
    """
    share = entities / mentions
    return {"bcub": 2 * share / (1 + share), "ceafm": share}


def _squeezed(table: pd.DataFrame) -> Check:
    """Whether more singletons mean higher scores for a response that links nothing."""
    share = table[table["size"] == SINGLETONS].set_index("corpus")["share"].sort_values()
    sums = table[table["size"] == ENTITIES].set_index("corpus")
    f1 = {str(name): unlinked(sums["count"][name], sums["mentions"][name]) for name in share.index}
    few, *_, many = f1.values()
    numbers = "; ".join(f"{name}: {numbers_of(of)}" for name, of in f1.items())
    return Check(all(many[metric] > few[metric] for metric in few), numbers)


TABLE_2 = PAPER.experiment(
    "recasens2011-table2",
    table_2,
    {"squeeze": _squeezed},
    # The rows of sizes, which the chart draws
    select=lambda table: table[table["size"] != ENTITIES].drop(columns=["count", "mentions"]),
)


# Tables 3 and 16: published scores on ACE, and two baselines --------------------------------------

ON = ["corpus", "system", "metric"]

TABLE_3, TABLE_16 = PAPER.printed("Table 3"), PAPER.printed("Table 16")

ALONE, ONE = "All-singletons baseline", "One-entity baseline"


def _published(setting: Setting) -> pd.DataFrame:
    """Rows (corpus, system, metric), metric "ace" for ACE-Value.

    Columns: corpus, system, metric, published (the score in Tables 3 and 16) and f1 (what follows
    from another published score; NaN where none does).
    """
    both = pd.concat([TABLE_3.numbers, TABLE_16.numbers]).drop_duplicates(ON).dropna(subset="f1")
    known = both.set_index(ON)["f1"].rename("published").sort_index(level=0, sort_remaining=False)
    table = known.to_frame().assign(f1=np.nan)
    for corpus in both["corpus"].unique():
        table.loc[(corpus, ALONE, "bcub"), "f1"] = unlinked(known[corpus, ALONE, "ceafm"], 1)[
            "bcub"
        ]
        table.loc[(corpus, ALONE, "blanc"), "f1"] = blanc_alone(known[corpus, ONE, "blanc"])
    return table.reset_index()


def blanc_alone(blanc_of_one: float) -> float:
    """BLANC of singletons alone by that of one entity, for the same key.

    Where a share p of all links are coreference links, one entity has BLANC p/(1 + p), half of F
    of the coreference links; singletons have (1 − p)/(2 − p), half of F of the others.
    """
    share = blanc_of_one / (1 - blanc_of_one)
    return (1 - share) / (2 - share)


TABLES_3_AND_16 = PAPER.experiment("recasens2011-tables3-16", _published)

# Tables 14 and 15: five models of a system on ACE-2004 --------------------------------------------

TABLE_14, TABLE_15 = PAPER.printed("Table 14"), PAPER.printed("Table 15")


def _models(setting: Setting) -> pd.DataFrame:
    """Rows (model, metric).

    Columns: model (its letter and name), metric, published (F1 in Table 14), f1 (what comes out;
    NaN where nothing can be computed), correct and of (MUC and CEAFₘ: the whole number of links
    or mentions that is nearest to the published F1, and how many the key has).
    """
    models, published = TABLE_15.numbers.set_index("model"), wide(TABLE_14.numbers, "model")
    # Model A has singletons alone, as many as there are mentions, and CEAFₘ finds an entity of
    # the key with each that it aligns.
    n = int(models["entities"].iloc[0])
    n_entities = round(n * published["ceafm"].iloc[0])
    totals = {"muc": n - n_entities, "ceafm": n}
    below = pd.DataFrame({"muc": (totals["muc"] + n - models["entities"]) / 2, "ceafm": n})
    correct = (published[[*totals]] * below).round()
    f1 = (correct / below).assign(blanc=blanc_of_links(*models[[*LINK_COLUMNS]].to_numpy(float).T))
    f1.loc[models.index[0], "bcub"] = unlinked(n_entities, n)["bcub"]
    parts = {"published": published, "f1": f1, "correct": correct}
    table = pd.DataFrame(
        {
            name: part.reindex(columns=published.columns).stack(future_stack=True)
            for name, part in parts.items()
        }
    ).reset_index()
    return table.assign(of=table["metric"].map(totals))


def blanc_of_links(
    right_c: FloatArray, wrong_c: FloatArray, right_n: FloatArray, wrong_n: FloatArray
) -> FloatArray:
    """F1 of BLANC by the four numbers of links, as in `LINK_COLUMNS`."""
    counts = Counts.of_parts(
        Counts.of(right_c, right_c + wrong_n, right_c, right_c + wrong_c),
        Counts.of(right_n, right_n + wrong_c, right_n, right_n + wrong_n),
    )
    return blanc_score(counts, empty=0).f1


def _by_letter(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(model=table["model"].str[0])


def _table_15() -> pd.DataFrame:
    """Table 15 by the letters of the models, with recall, precision and F1 of coreference links."""
    links = _by_letter(TABLE_15.numbers)
    rc, wc, _, wn = (links[name] for name in LINK_COLUMNS)
    recall, precision, f1 = rc / (rc + wn), rc / (rc + wc), 2 * rc / (2 * rc + wc + wn)
    return links.assign(recall=recall, precision=precision, F1=f1)


def _ranks(table: pd.DataFrame, claimed: Mapping[str, str]) -> Check:
    """Orders of the models by scores and by what Table 15 has of them."""
    cells = wide(_by_letter(table), "model").join(_table_15().set_index("model"))
    return orders(cells.reset_index(), claimed, by="model")


TABLES_14_AND_15 = PAPER.experiment(
    "recasens2011-tables14-15",
    _models,
    {"ranks": _ranks},
)
