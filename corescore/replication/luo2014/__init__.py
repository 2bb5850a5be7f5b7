"""Luo et al. 2014: BLANC where key and response have different mentions, and its correlations."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from math import sqrt
from typing import Literal, cast

import numpy as np
import pandas as pd
from scipy.special import stdtr

from corescore.analysis.significance import measures_of
from corescore.bibliography import LUO_2014, PRADHAN_2014
from corescore.counting.counts import MEASURES
from corescore.metrics import BESIDE_IDS, BLANC_VARIANTS, Metric
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import PaperData, cells_of, numbers_of
from corescore.replication.experiment import Check, Setting
from corescore.replication.moosavi2016.systems import scores_in_print
from corescore.replication.partitions import (
    NON_COREFERENCE,
    partitions_of,
    score_partitions,
    toy_pair,
    toy_parameters,
    with_diagnostics,
)
from corescore.scoring.scores import score
from corescore.scoring.tables import by_document
from corescore.util import TOLERANCE
from corescore.wording import counted, spelled

PAPER = PaperData("luo2014", LUO_2014)

# §4.2 and §4.1: the toy examples, and three rules for BLANC where a kind of link is missing -------

Example = tuple[str, str]  # key and response in brace notation

PRINTED = PAPER.printed("§4.2")

EXAMPLES: tuple[Example, ...] = tuple(
    (key, response)
    for key, _, response in (name.partition(" / ") for name in PRINTED.cells["example"].unique())
)

PARTING = ("{abcdef}", "{ab}{cde}{f}")

CASES = (
    PARTING,
    ("{a}{b}{c}", "{ab}{c}"),
    ("{a}", "{a}"),
    *EXAMPLES,
    ("{abc}{de}", "{ab}{cde}"),
)

RULES = [
    replace(BLANC_VARIANTS[name], id=name) for name in ("reference", "luo2014", "recasens2011")
]

MOST = 4  # mentions of the partitions that are all compared


def _example_scores(
    setting: Setting, examples: Sequence[Example], metrics: Sequence[Metric]
) -> pd.DataFrame:
    """The scores of the key and response of the parameters and of each other example, once each,
    named "key / response" in a column "example"."""
    given = setting.text("key"), setting.text("response")
    different = [*dict.fromkeys([given, *examples])]
    scores = score_partitions([toy_pair(*example) for example in different], metrics)
    scores.insert(0, "example", [" / ".join(different[pair]) for pair in scores["pair"]])
    return scores.drop(columns="pair")


def _examples(setting: Setting) -> pd.DataFrame:
    """Rows (example, metric), with "links" and "non_coreference", the two parts of BLANC.

    Columns: example ("key / response"), metric, recall, precision and f1 (fractions), and their
    numerators and denominators: recall_numerator and so on (NaN for BLANC, a mean of two parts).
    """
    return _example_scores(
        setting, EXAMPLES[1:], with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE)
    )


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (example, rule): BLANC by each rule for a kind of link that a side lacks.

    Columns: example ("key / response"), metric (the rule: "reference", "luo2014" or
    "recasens2011"), recall, precision and f1 (fractions).
    """
    return _example_scores(setting, CASES, RULES)[["example", "metric", *MEASURES]]


def _both_kinds_of_links(partition: str) -> tuple[set[str], set[str]]:
    """C and N of a partition in brace notation: the coreference links ("ab") within its entities,
    and the non-coreference links between them."""
    entities = re.findall(r"\w+", partition)
    within, every = (
        {"".join(two) for letters in of for two in combinations(letters, 2)}
        for of in (entities, ["".join(entities)])
    )
    return within, every - within


def _on_no_list(table: pd.DataFrame) -> Check:
    """Whether the response has no link ab at all, and the key neither cf nor fg."""
    key, response = "{abc}{de}", "{bc}{efg}"
    of_key, of_response = (set.union(*_both_kinds_of_links(side)) for side in (key, response))
    missing, spurious = sorted(of_key - of_response), sorted(of_response - of_key)
    numbers = f"{key} / {response}: in the key only {', '.join(missing)}; in the response only "
    return Check("ab" in missing and {"cf", "fg"} <= {*spurious}, numbers + ", ".join(spurious))


@cache
def _same_mentions() -> "pd.Series[bool]":
    """Whether BLANC differs between the new rule and the old, for each key and response with the
    same two to four mentions."""
    every = [[*partitions_of(n)] for n in range(2, MOST + 1)]
    pairs = [pair for of_n in every for pair in product(of_n, of_n)]
    f1 = score_partitions(pairs, RULES).pivot(index="pair", columns="metric", values="f1")
    return (f1["luo2014"] - f1["recasens2011"]).abs() > TOLERANCE


_OF_PARTITIONS = f"of partitions of two to {spelled(MOST)} mentions"


def _same_as_old(table: pd.DataFrame) -> Check:
    differs, parting = _same_mentions(), " / ".join(PARTING)
    off = differs.sum()
    f1 = numbers_of(cells_of(table, "example").T[parting])
    numbers = f"another BLANC for {off} of {len(differs)} pairs {_OF_PARTITIONS}; {parting}: {f1}"
    return Check(off == 0, numbers)


TOY_EXAMPLES = PAPER.experiment(
    "luo2014-examples",
    _examples,
    {"on-no-list": _on_no_list},
    parameters=toy_parameters(*EXAMPLES[0]),
)

BOUNDARY_CASES = PAPER.experiment(
    "luo2014-boundaries",
    _boundaries,
    {"same-as-old": _same_as_old},
    parameters=toy_parameters(*PARTING),
)

# Tables 1 to 3 and Figure 1: how BLANC correlates with other metrics, over systems ----------------

TABLE_1, TABLE_2 = map(PAPER.printed, ("Table 1", "Table 2"))

# Five of the systems stand there with their other scores
POSTER = PaperData("pradhan2014", PRADHAN_2014).printed("poster, Table 1")

OTHERS = ("muc", "bcub", "ceafm", "ceafe")

LEVEL = 0.001  # of the paper's p-values

PARTICIPANT = ["task", "language", "system"]

Y = "BLANC F1"  # heading of the column in the list of points


def blanc_in_print() -> pd.DataFrame:
    """The participants of Tables 1 and 2: task, language, system, and BLANC's recall, precision
    and f1."""
    of_2011 = TABLE_1.numbers.assign(task="CoNLL-2011", language="English")
    both = pd.concat([of_2011, TABLE_2.numbers.assign(task="CoNLL-2012")], ignore_index=True)
    return both[[*PARTICIPANT, *MEASURES]]


def _systems(setting: Setting) -> pd.DataFrame:
    """Rows (participant, metric, measure): BLANC's recall, precision and F1 of all 53
    participants, and F1 by MUC, B³, CEAFₘ and CEAFₑ where it is printed somewhere: of 14 systems
    of 2012 and five of 2011.

    Columns: task, language, system, metric, other ("blanc"), measure, score and blanc (that of
    BLANC; fractions), systems (for how many both are printed), correlation of the two over these
    (−1 to 1) and its p; NaN for BLANC itself.
    """
    blanc = blanc_in_print().melt(PARTICIPANT, var_name="measure", value_name="score")
    of_2011 = POSTER.numbers.query("data == 'CoNLL-2011' and metric in @OTHERS")
    of_2011 = of_2011.assign(
        task=of_2011["data"], score=of_2011["rescored"].fillna(of_2011["official"])
    )
    of_2012 = scores_in_print().rename(index={"chunyuang": "chunyang"})  # as here
    of_2012 = of_2012[[*OTHERS]].reset_index().assign(task="CoNLL-2012")
    of_2012 = of_2012.melt(["task", "system"], var_name="metric", value_name="score")
    others = pd.concat([of_2011, of_2012]).assign(language="English", measure="f1")
    table = pd.concat([blanc.assign(metric="blanc"), others], ignore_index=True)
    keys = [*PARTICIPANT, "measure"]
    table = table.assign(other="blanc").merge(blanc.rename(columns={"score": "blanc"}), on=keys)
    by_metric = {
        metric: (len(rows), *_correlation_and_p(setting.text("coefficient"), rows))
        for metric, rows in table.groupby("metric")
        if metric != "blanc"
    }
    correlations = pd.DataFrame.from_dict(
        by_metric, "index", columns=["systems", "correlation", "p"]
    )
    columns = [*PARTICIPANT, "metric", "other", "measure", "score", "blanc", *correlations]
    return table.join(correlations, on="metric")[columns]


def _correlation_and_p(coefficient: str, rows: pd.DataFrame) -> tuple[float, float]:
    both = rows["score"].to_numpy(), rows["blanc"].to_numpy()
    if coefficient == "pearson":
        r = float(np.corrcoef(*both)[0, 1])
        n = len(rows)  # r·√((n − 2) / (1 − r²)) is distributed as t of n − 2
        return r, float(2 * stdtr(n - 2, -abs(r) * sqrt((n - 2) / (1 - r**2))))
    from scipy import stats  # slow to import: only if it is chosen

    test = stats.spearmanr(*both) if coefficient == "spearman" else stats.kendalltau(*both)
    return float(test.statistic), float(test.pvalue)


def _against_blanc(table: pd.DataFrame) -> pd.DataFrame:
    """The points to draw: F1 of each other metric and, in column `Y`, of BLANC."""
    others = table[table["metric"] != "blanc"]
    return others.drop(columns=["other", "measure", "p"]).rename(columns={"blanc": Y})


def _found(table: pd.DataFrame) -> pd.DataFrame:
    """One row per other metric: systems, correlation and p."""
    return table.groupby("metric")[["systems", "correlation", "p"]].first().loc[[*OTHERS]]


def _three_digits(values: "pd.Series[float]") -> str:
    return numbers_of(values, "{:.3f}".format)


def _correlates(table: pd.DataFrame) -> Check:
    correlations = _found(table)
    r, p = correlations["correlation"], correlations["p"].max()
    n = counted(int(correlations["systems"].max()), "system")
    return Check(
        bool(r.min() > 0 and p < LEVEL),
        f"F1 over {n}: {_three_digits(r)}; p at most {p:.1g}",
    )


def _most(r: "pd.Series[float]") -> Check:
    """Whether B³ and CEAFₘ are above MUC and CEAFₑ."""
    holds = bool(r[["bcub", "ceafm"]].min() > r[["muc", "ceafe"]].max())
    return Check(holds, _three_digits(r.sort_values(ascending=False, kind="stable")))


SYSTEM_SCORES = PAPER.experiment(
    "luo2014-systems",
    _systems,
    {
        "correlates": _correlates,
        "most": lambda table: _most(_found(table)["correlation"]),
    },
    select=_against_blanc,
)

# The same over documents --------------------------------------------------------------------------

Coefficient = Literal["pearson", "spearman", "kendall"]


def _correlation(setting: Setting) -> pd.DataFrame:
    """Rows (metric, other, measure): the correlation of each two metrics, "conll" among them.

    Columns: metric, other, measure (recall, precision or f1; CoNLL has only f1), correlation (−1
    to 1; NaN where one of the two does not vary), and documents (for how many both have a score).
    """
    result = score(*setting.data, setting.policies, metrics=setting.metrics)
    names = [name for name in result.scores if name not in BESIDE_IDS]
    parts = []
    for measure in MEASURES:
        shown = [name for name in names if measure in measures_of(name)]
        scores = by_document(result, measure)[shown]
        there = scores.notna().astype(int)
        method = cast(Coefficient, setting.text("coefficient"))
        matrices = {"correlation": scores.corr(method=method), "documents": there.T @ there}
        stacked = {name: matrix.stack(future_stack=True) for name, matrix in matrices.items()}
        part = pd.DataFrame(stacked).rename_axis(["metric", "other"]).reset_index()
        part.insert(2, "measure", measure)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


CORRELATION = PAPER.experiment(
    "luo2014-correlation",
    _correlation,
    select=lambda table: table[table["measure"] == "f1"],
)

EXPERIMENTS = (TOY_EXAMPLES, BOUNDARY_CASES, CORRELATION, SYSTEM_SCORES)
