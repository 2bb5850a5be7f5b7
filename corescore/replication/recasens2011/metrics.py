"""Recasens & Hovy 2011: what BLANC sees that MUC, B³ and CEAF do not, all on toy partitions.

BLANC by itself is in `recasens_hovy_2011_blanc`, what a score should be like in
`recasens_hovy_2011_desiderata`.
"""

import numpy as np
import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics import METRIC_IDS
from corescore.metrics.diagnostics import LINKS, RAND
from corescore.replication.claims import needing, title, wide
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Parameter,
    Setting,
)
from corescore.replication.partitions import Partition, of_sizes
from corescore.replication.toys import (
    LINK_COLUMNS,
    Pair,
    listed,
    n_different,
    printed,
    published_table,
    toy_pair,
    toy_parameters,
    toy_table,
    with_diagnostics,
)
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

# Figure 1 -----------------------------------------------------------------------------------------

FIGURE_1_TOY = toy_parameters(
    "{1}{2}{3}{4}{6}{8}{10}{11}{13}{7,9}{5,12,14}",
    "{1}{2}{3}{8}{10}{11}{13}{4,6}{5,12}{7,9,14}",
)
FIGURE_1_F1 = {"muc": 57.14, "bcub": 86.76, "ceafm": 85.71, "blanc": 70.78}
FIGURE_1_LINKS = (2, 3, 84, 2)


def _figure_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric); the response is "figure 1". Columns as `toy_table`."""
    pair = toy_pair(str(setting.values["key"]), str(setting.values["response"]))
    return toy_table(["figure 1"], [pair], setting.metrics, name="response")


def _figure_1_printed() -> pd.DataFrame:
    figures = {metric: {"figure 1": f1} for metric, f1 in FIGURE_1_F1.items()}
    return published_table(figures, name="response")


def _figure_1_as_printed(table: pd.DataFrame) -> Check:
    return printed(table, _figure_1_printed())


def _figure_1_links(table: pd.DataFrame) -> Check:
    rc, wc, rn, wn = found = tuple(table.iloc[0][list(LINK_COLUMNS)].astype(int))
    numbers = (
        f"of {rc + wc + rn + wn} pairs of mentions {rc} rightly and {wc} wrongly coreferent, "
        f"{rn} rightly and {wn} wrongly not"
    )
    return Check(found == FIGURE_1_LINKS, numbers)


@needing("muc", "bcub", "ceafm", "blanc")
def _between(table: pd.DataFrame) -> Check:
    f1 = table.set_index("metric")["f1"]
    holds = f1["muc"] < f1["blanc"] < min(f1["bcub"], f1["ceafm"])
    return Check(bool(holds), listed(f1[["muc", "blanc", "ceafm", "bcub"]]))


FIGURE_1 = Experiment(
    id="recasens2011-fig1",
    paper=RECASENS_2011,
    where="Figure 1 with Tables 5 and 7",
    title="How can one text have four very different scores?",
    setup=(
        "Fourteen mentions of a short text. The key has nine singletons, an entity of two and one "
        "of three; the response finds two of the four coreference links, makes up three and gets "
        "seven singletons right. Each pair of mentions is a link, coreferent or not, that the "
        "response has right or wrong. Key and response can be changed."
    ),
    run=_figure_1,
    chart=Chart("bars", x="metric"),
    claims=(
        Claim(
            "Two coreference links are right and three wrong; 84 pairs are rightly kept apart, "
            "two wrongly.",
            "Table 5",
            _figure_1_links,
        ),
        Claim("The printed scores come out.", "Table 7", _figure_1_as_printed),
        Claim(
            "MUC, which ignores singletons, is far below B³ and CEAF, which singletons raise; "
            "BLANC lies between.",
            "Table 7, abstract",
            _between,
        ),
    ),
    parameters=FIGURE_1_TOY,
    published=_figure_1_printed,
)


# Table 1: Luo's four responses --------------------------------------------------------------------

LUO_KEY = of_sizes([5, 2, 5])
LUO_RESPONSES: dict[str, Partition] = {
    "a": of_sizes([5, 7]),
    "b": [[*LUO_KEY[0], *LUO_KEY[2]], LUO_KEY[1]],
    "c": of_sizes([12]),
    "d": of_sizes([1] * 12),
}
LUO_F1 = {
    "muc": {"a": 94.74, "b": 94.74, "c": 90.00, "d": 0.0},
    "bcub": {"a": 86.49, "b": 73.68, "c": 54.55, "d": 40.00},
    "ceafm": {"a": 83.33, "b": 58.33, "c": 41.67, "d": 25.00},
    "links": {"a": 80.77, "b": 63.64, "c": 48.28, "d": 0.0},
    "rand": {"a": 84.85, "b": 62.12, "c": 31.82, "d": 68.18},
}


def _table_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), with the diagnostics "links" and "rand". Columns as `toy_table`."""
    pairs = [(LUO_KEY, response) for response in LUO_RESPONSES.values()]
    metrics = with_diagnostics(setting.metrics, LINKS, RAND)
    return toy_table(list(LUO_RESPONSES), pairs, metrics, name="response")


def _table_1_printed() -> pd.DataFrame:
    return published_table(LUO_F1, name="response")


def _table_1_as_printed(table: pd.DataFrame) -> Check:
    return printed(table, _table_1_printed())


@needing("muc", "blanc")
def _muc_sees_no_size(table: pd.DataFrame) -> Check:
    muc, blanc = (wide(table, "response")[metric][["a", "b"]] for metric in ("muc", "blanc"))
    numbers = f"MUC: {listed(muc)}; BLANC: {listed(blanc)}"
    return Check(bool(abs(muc["a"] - muc["b"]) < TOLERANCE and blanc["a"] > blanc["b"]), numbers)


def _rand_likes_singletons(table: pd.DataFrame) -> Check:
    rand = wide(table, "response")["rand"]
    return Check(bool(rand["d"] > max(rand["b"], rand["c"])), listed(rand))


TABLE_1 = Experiment(
    id="recasens2011-table1",
    paper=RECASENS_2011,
    where="Table 1, after Luo 2005",
    title="What does joining entities cost, and what leaving all apart?",
    setup=(
        "Twelve mentions in entities of five, two and five. Response a joins the two with the "
        "second five, b joins the two fives, c joins everything, d has only singletons. Beside "
        "the metrics: the F1 of the coreference links alone (links) and the share of right pairs "
        "(rand, the Rand index). The paper's column H (mutual information) is left out."
    ),
    run=_table_1,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim(
            "The printed scores come out.",
            "Table 1",
            _table_1_as_printed,
            note="The links of b are 21 right of 21 and of C(10, 2) + 1 = 46: 42/67 = 62.69. The "
            "printed 63.64 is 42/66, as if the response had 45 links.",
        ),
        Claim(
            "MUC does not tell joining with the small entity from joining the two large ones; "
            "BLANC does.",
            "Table 1; BLANC is not in it",
            _muc_sees_no_size,
        ),
        Claim(
            "The Rand index puts all singletons above joining large entities, as most pairs of "
            "mentions are not coreferent.",
            "Table 1",
            _rand_likes_singletons,
        ),
    ),
    published=_table_1_printed,
)


# Tables 8 to 11: eight systems --------------------------------------------------------------------

N_SINGLETONS = Parameter(
    "singletons",
    "Singletons in the key",
    61,
    "The paper has 61. With fewer, B³ and CEAF come down; MUC of A to G stays.",
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
SYSTEMS_F1 = {
    "muc": dict(zip("ABCDEFH", (92.31, 92.31, 80.0, 92.31, 76.92, 46.15, 16.0), strict=True)),
    "bcub": dict(
        zip(SYSTEMS, (99.28, 98.84, 98.55, 97.49, 96.66, 94.99, 95.52, 3.61), strict=True)
    ),
    "ceafm": dict(
        zip(SYSTEMS, (98.57, 98.57, 97.14, 95.71, 95.71, 94.29, 91.43, 5.71), strict=True)
    ),
    "blanc": dict(
        zip(SYSTEMS, (97.61, 91.63, 91.15, 81.12, 79.92, 72.12, 49.90, 0.41), strict=True)
    ),
}


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric), responses A to H. Columns as `toy_table`, and about (in words)."""
    pairs = eight_systems(int(setting.values["singletons"]))
    table = toy_table(list(SYSTEMS), pairs, setting.metrics, name="response")
    table.insert(1, "about", table["response"].map(SYSTEMS))
    return table


def eight_systems(n_singletons: int = 61) -> list[Pair]:
    """The key of so many singletons and entities of 4, 3 and 2, with each of A to H."""
    *alone, four, three, two = ([*e] for e in of_sizes([*[1] * n_singletons, 4, 3, 2]))
    key = [*alone, four, three, two]
    every = [[m] for entity in key for m in entity]
    responses = [
        [[*alone[0], *alone[1]], *alone[2:], four, three, two],
        [[*alone[0], *four], *alone[1:], three, two],
        [*alone, four, *([m] for m in three), two],
        [*alone, [*four, *three], two],
        [[*alone[0], *four[:2]], [*alone[1], *four[2:]], *alone[2:], three, two],
        [*([*a, m] for a, m in zip(alone, four, strict=False)), *alone[4:], three, two],
        every,
        [[m for entity in key for m in entity]],
    ]
    return [(key, response) for response in responses]


def _systems_printed() -> pd.DataFrame:
    return published_table(SYSTEMS_F1, name="response")


def _systems_as_printed(table: pd.DataFrame) -> Check:
    return printed(table, _systems_printed())


@needing("muc", "blanc")
def _same_muc(table: pd.DataFrame) -> Check:
    muc, blanc = (wide(table, "response")[metric][[*"ABD"]] for metric in ("muc", "blanc"))
    holds = np.ptp(muc) < TOLERANCE and blanc.is_monotonic_decreasing and blanc.is_unique
    return Check(bool(holds), f"MUC: {listed(muc)}; BLANC: {listed(blanc)}")


@needing("bcub", "ceafm", "blanc")
def _inflated(table: pd.DataFrame) -> Check:
    """A to G; the one entity of H is low by any metric."""
    names = ["bcub", "ceafm", "blanc"]
    f1 = wide(table, "response").loc[[*"ABCDEFG"], names]
    low, high = f1.min(), f1.max()
    numbers = (f"{title(name)} {percent(low[name])} to {percent(high[name])}" for name in names)
    holds = min(low["bcub"], low["ceafm"]) > 0.9 and low["blanc"] < 0.5
    return Check(bool(holds), ", ".join(numbers))


@needing("muc", "bcub", "blanc")
def _all_singletons(table: pd.DataFrame) -> Check:
    names = ["muc", "bcub", "blanc"]
    f1 = wide(table, "response").loc[["F", "G"], names]
    rises = (f1.loc["G"] > f1.loc["F"]).to_dict()
    numbers = "; ".join(f"{title(name)}: {listed(f1[name])}" for name in names)
    return Check(rises == {"muc": False, "bcub": True, "blanc": False}, numbers)


@needing(*METRIC_IDS)
def _discriminates(table: pd.DataFrame) -> Check:
    n = wide(table, "response")[list(METRIC_IDS)].apply(n_different)
    numbers = ", ".join(f"{title(str(metric))} {count}" for metric, count in n.items())
    return Check(bool(n["blanc"] == len(SYSTEMS)), f"of {len(SYSTEMS)}: {numbers}")


TABLES_8_TO_11 = Experiment(
    id="recasens2011-tables8-11",
    paper=RECASENS_2011,
    where="Tables 8 to 11",
    title="What can be told apart where most mentions are singletons?",
    setup=(
        "Seventy mentions: 61 singletons and entities of four, three and two. Eight responses, "
        "from A (one wrong link) to G (all singletons) and H (one entity), each with its links "
        "right and wrong. Key, responses and printed scores were read from the tests of an open "
        "scorer (TestCorefMeasures of BBN-E/bue-common-open), which cite pp. 124–125 of Recasens's "
        "thesis (Barcelona 2010), not from the paper itself. The number of singletons can be "
        "changed."
    ),
    run=_systems,
    chart=Chart("bars", x="response", x_title="response"),
    claims=(
        Claim("The printed scores come out.", "Tables 8 to 11", _systems_as_printed),
        Claim(
            "Singletons raise B³ and CEAF, so that all responses but H lie close together near the "
            "top; BLANC spreads them.",
            "Tables 8 to 11, abstract",
            _inflated,
            note="Near the top is ours: B³ and CEAF_m above 90, BLANC below 50 for the worst.",
        ),
        Claim(
            "MUC gives A, B and D the same score, whatever the wrong link joins; BLANC falls "
            "from A to B to D.",
            "Tables 8 to 11",
            _same_muc,
        ),
        Claim(
            "B³ puts all singletons (G) above a response that keeps two of the entities (F); MUC "
            "and BLANC do not.",
            "our reading of Tables 8 to 11",
            _all_singletons,
        ),
        Claim(
            "BLANC gives each of the eight a score of its own.",
            "abstract (discrimination between systems)",
            _discriminates,
        ),
    ),
    parameters=(N_SINGLETONS,),
    published=_systems_printed,
)

EXPERIMENTS = (FIGURE_1, TABLE_1, TABLES_8_TO_11)
