"""Recasens & Hovy 2011: how BLANC itself behaves, link by link and at its boundaries."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import numpy as np
import pandas as pd

from corescore.arrays import FloatArray
from corescore.bibliography import RECASENS_2011
from corescore.corpus.problems import PolicyError
from corescore.counting.counts import Counts, Score
from corescore.metrics import Metric
from corescore.metrics.blanc import BLANC, blanc_score
from corescore.metrics.diagnostics import LINKS
from corescore.replication.claims import needing, points, title, wide
from corescore.replication.experiment import Chart, Check, Claim, Experiment, Parameter, Setting
from corescore.replication.partitions import Partition, of_sizes, score_partitions
from corescore.replication.recasens2011.metrics import N_SINGLETONS
from corescore.replication.toys import (
    LINK_COLUMNS,
    NON_COREFERENCE,
    Pair,
    listed,
    toy_table,
    with_diagnostics,
)
from corescore.tolerances import TOLERANCE
from corescore.wording import percent

# Tables 12 and 13: the weight α -------------------------------------------------------------------


def read_weights(text: str) -> tuple[float, ...]:
    """Up to ten weights α from 0 to 1, apart by blanks or commas; PolicyError for all else."""
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
        "BLANC with α = 0.5 is BLANC itself; the non-coreference links weigh 1 − α.",
        reads=read_weights,
    ),
    Parameter("mentions", "Mentions", 70, "As in Tables 8 to 11.", minimum=5, maximum=500),
)
TWO, THREE = "an entity of 2", "an entity of 3"
FOUND, BESIDE, PART, MISSED = "found", "and a wrong link", "in part", "missed"


def _alpha(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric): the six, and "blanc_α" for each weight α.

    Columns: key and response in words, metric, recall, precision, f1, and the links as `toy_table`.
    """
    weights = read_weights(str(setting.values["alpha"]))
    metrics = (*setting.metrics, *map(weighted_blanc, weights))
    cases = _alpha_cases(int(setting.values["mentions"]))
    table = toy_table(list(cases), list(cases.values()), metrics, name="case")
    table.insert(0, "key", [key for key, _ in table["case"]])
    table.insert(1, "response", [response for _, response in table["case"]])
    return table.drop(columns="case")


def weighted_blanc(weight: float) -> Metric:
    """BLANC_α = α · F of the coreference links + (1 − α) · F of the non-coreference links.

    R and P likewise. Where the key lacks a kind of link, the other alone, as in BLANC. Range 0
    to 1; `weight` is α.
    """
    score = partial(_weighted_score, weight=weight)
    return replace(BLANC, id=f"blanc_{weight}", title=f"BLANC, α = {weight:g}", score=score)


def _weighted_score(counts: Counts, *, empty: float, weight: float) -> Score[FloatArray]:
    plain = blanc_score(counts, empty=empty)
    c, n = plain.parts["coreference"], plain.parts["non_coreference"]
    both = (c.recall_denominator > 0) & (n.recall_denominator > 0)

    def mean(one: FloatArray, other: FloatArray, alone: FloatArray) -> FloatArray:
        weighted = weight * np.nan_to_num(one) + (1 - weight) * np.nan_to_num(other)
        return np.where(both, weighted, alone)

    return replace(
        plain,
        recall=mean(c.recall, n.recall, plain.recall),
        precision=mean(c.precision, n.precision, plain.precision),
        f1=mean(c.f1, n.f1, plain.f1),
    )


def _alpha_cases(n: int) -> dict[tuple[str, str], Pair]:
    """The key and response of each (key, response) in words; all other mentions are alone."""
    linked = {
        (TWO, FOUND): ([2], [2]),
        (TWO, BESIDE): ([2], [2, 2]),
        (TWO, MISSED): ([2], []),
        (THREE, FOUND): ([3], [3]),
        (THREE, PART): ([3], [2]),
        (THREE, MISSED): ([3], []),
    }
    return {case: (_and_alone(key, n), _and_alone(r, n)) for case, (key, r) in linked.items()}


def _and_alone(sizes: list[int], n: int) -> Partition:
    return of_sizes([*sizes, *[1] * (n - sum(sizes))])


def _missed(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the only coreference link missed, by metric."""
    missed = (table["key"] == TWO) & (table["response"] == MISSED)
    return table[missed].set_index("metric")


@needing("blanc", "bcub", "ceafm")
def _severe_fall(table: pd.DataFrame) -> Check:
    rows = _missed(table)
    links = rows.iloc[0][list(LINK_COLUMNS)]
    wrong = links["wrong_coreference"] + links["wrong_non_coreference"]
    f1 = rows["f1"][["blanc", "bcub", "ceafm"]]
    numbers = f"{wrong} of {links.sum()} pairs wrong: {listed(f1)}"
    return Check(bool(f1["blanc"] <= 0.5 and min(f1["bcub"], f1["ceafm"]) > 0.9), numbers)


def _softer(table: pd.DataFrame) -> Check:
    f1 = _missed(table)["f1"]
    weights = sorted((name for name in f1.index if name.startswith("blanc_")), key=_weight_of)
    numbers = ", ".join(f"α = {_weight_of(name):g}: {percent(f1[name])}" for name in weights)
    if len(weights) < 2:
        return Check(None, f"one weight only, {numbers}")
    return Check(all(f1[small] > f1[large] for small, large in pairwise(weights)), numbers)


def _weight_of(metric: str) -> float:
    return float(metric.removeprefix("blanc_"))


@needing("blanc")
def _part_found(table: pd.DataFrame) -> Check:
    f1 = wide(table[table["key"] == THREE], "response")["blanc"]
    return Check(bool(f1[FOUND] > f1[PART] > f1[MISSED]), listed(f1))


TABLES_12_AND_13 = Experiment(
    id="recasens2011-tables12-13",
    paper=RECASENS_2011,
    where="after Tables 12 and 13",
    title="What if the only coreference link is missed?",
    setup=(
        "A key whose only entity of more than one mention has two mentions (one link) or three; "
        "all others are singletons. It is found, found with a wrong link beside it, found in part "
        "or missed. BLANC_α = α · F of the coreference links + (1 − α) · F of the others. The "
        "weights are the paper's; the partitions are ours, as those of Tables 12 and 13 "
        "could not be checked."
    ),
    run=_alpha,
    chart=Chart("bars", x="response", x_title="response", facet="key"),
    claims=(
        Claim(
            "Missing the only coreference link is one wrong pair, and BLANC falls to half; B³ and "
            "CEAF hardly move.",
            "Tables 12 and 13",
            _severe_fall,
        ),
        Claim("A smaller α softens the fall.", "Tables 12 and 13", _softer),
        Claim(
            "Finding part of an entity lies between finding it and missing it.",
            "not in the paper",
            _part_found,
        ),
    ),
    parameters=ALPHA,
)


# Section 4.1.2: boundary cases --------------------------------------------------------------------

BOUNDARY_MENTIONS = Parameter(
    "mentions", "Mentions", 10, "In the key and in the response.", minimum=4, maximum=200
)
Case = tuple[str, str]  # of the key, of the response
ONE, ALONE, MIXED = "one entity", "all singletons", "both"


def _boundaries(setting: Setting) -> pd.DataFrame:
    """Rows (key, response, metric), with "links" and "non_coreference", BLANC's two parts.

    Columns: key and response in words, metric, recall, precision and f1.
    """
    n = int(setting.values["mentions"])
    half = n // 2
    keys = {
        ONE: of_sizes([n]),
        ALONE: of_sizes([1] * n),
        MIXED: of_sizes([half, *[1] * (n - half)]),
    }
    responses = {**keys, MIXED: of_sizes([2, n - 2])}
    cases = list(product(keys, responses))
    pairs = [(keys[key], responses[response]) for key, response in cases]
    scores = score_partitions(pairs, with_diagnostics(setting.metrics, LINKS, NON_COREFERENCE))
    scores.insert(0, "key", [cases[pair][0] for pair in scores["pair"]])
    scores.insert(1, "response", [cases[pair][1] for pair in scores["pair"]])
    return scores[["key", "response", "metric", "recall", "precision", "f1"]]


def _f1(table: pd.DataFrame, metric: str) -> dict[Case, float]:
    """F1 of one metric by key and response."""
    rows = table[table["metric"] == metric]
    return dict(zip(zip(rows["key"], rows["response"], strict=True), rows["f1"], strict=True))


@needing("blanc", "muc")
def _perfect(table: pd.DataFrame) -> Check:
    blanc, muc = _f1(table, "blanc"), _f1(table, "muc")
    same = [(ONE, ONE), (ALONE, ALONE)]
    numbers = (
        f"{case[0]}: BLANC {percent(blanc[case])}, MUC {percent(muc[case])}" for case in same
    )
    return Check(all(blanc[case] == 1 for case in same), "; ".join(numbers))


@needing("blanc")
def _opposite(table: pd.DataFrame) -> Check:
    blanc = _f1(table, "blanc")
    cases = [(ONE, ALONE), (ALONE, ONE)]
    numbers = (
        f"{key} against {response} {percent(blanc[key, response])}" for key, response in cases
    )
    return Check(all(blanc[case] == 0 for case in cases), ", ".join(numbers))


@needing("blanc")
def _one_part(table: pd.DataFrame) -> Check:
    """A key of one entity has no non-coreference link, one of singletons no coreference link."""
    return _part_of(table, {(ONE, MIXED): "links", (ALONE, MIXED): "non_coreference"}, share=1)


@needing("blanc")
def _half(table: pd.DataFrame) -> Check:
    """The response lacks a kind of link that the key has: that part is 0."""
    return _part_of(table, {(MIXED, ONE): "links", (MIXED, ALONE): "non_coreference"}, share=0.5)


def _part_of(table: pd.DataFrame, cases: dict[Case, str], *, share: float) -> Check:
    """Whether BLANC is this share of the part that each case names."""
    blanc = _f1(table, "blanc")
    part = {case: _f1(table, name)[case] for case, name in cases.items()}
    numbers = (
        f"key {key}, response {response}: BLANC {percent(blanc[key, response])}, "
        f"the part {percent(part[key, response])}"
        for key, response in cases
    )
    holds = all(abs(blanc[case] - share * part[case]) < TOLERANCE for case in cases)
    return Check(holds, "; ".join(numbers))


BOUNDARIES = Experiment(
    id="recasens2011-boundaries",
    paper=RECASENS_2011,
    where="§4.1.2",
    title="What is BLANC where there is only one kind of link?",
    setup=(
        "A key that is one entity has no non-coreference link, one of singletons no coreference "
        "link; a key with both is one entity of half the mentions and singletons. Each is held "
        "against one entity, all singletons, and a response of two entities. Beside the metrics: "
        "F1 of the coreference links alone (links) and of the non-coreference links alone. "
        "BLANC's rule is that of the reference scorer: only the key decides which part counts."
    ),
    run=_boundaries,
    chart=Chart("bars", x="response", x_title="response", facet="key"),
    claims=(
        Claim(
            "A response that is the key gets 100 where the key is one entity and where it has "
            "only singletons.",
            "§4.1.2",
            _perfect,
            note="MUC has no link to count among singletons and gives 0.",
        ),
        Claim("One entity against all singletons is 0, either way round.", "§4.1.2", _opposite),
        Claim("Where the key has one kind of link, BLANC is that part alone.", "§4.1.2", _one_part),
        Claim(
            "Where the key has both and the response one, BLANC is half of that part.",
            "§4.1.2",
            _half,
        ),
    ),
    parameters=(BOUNDARY_MENTIONS,),
)


# Figure 6: right coreference links ----------------------------------------------------------------


def _figure_6(setting: Setting) -> pd.DataFrame:
    """Rows (links, metric): the responses with so many right coreference links and no wrong one.

    Columns: right_coreference (their number), metric, f1 (the mean of these responses), low and
    high (the least and the greatest of them), responses (how many there are).
    """
    n = int(setting.values["singletons"])
    key = of_sizes([4, 3, 2, *[1] * n])
    responses = [
        of_sizes([*four, *three, *two, *[1] * n])
        for four, three, two in product(*(list(_splits(size, size)) for size in (4, 3, 2)))
    ]
    table = toy_table(
        [""] * len(responses), [(key, r) for r in responses], setting.metrics, name=""
    )
    groups = table.groupby(["right_coreference", "metric"], sort=False)["f1"]
    summary = groups.agg(f1="mean", low="min", high="max", responses="size")
    return summary.sort_index(level=0, sort_remaining=False, kind="stable").reset_index()


def _splits(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to cut n mentions into parts of at most `most`, as sizes from large to small."""
    if not n:
        yield ()
    for size in range(min(n, most), 0, -1):
        yield from ((size, *rest) for rest in _splits(n - size, size))


@needing("blanc")
def _each_link_counts(table: pd.DataFrame) -> Check:
    blanc = table[table["metric"] == "blanc"]
    band = float((blanc["high"] - blanc["low"]).max())
    steps = blanc["f1"].diff().dropna()
    least, greatest = points(float(steps.min())), points(float(steps.max()))
    numbers = (
        f"each link adds {least} to {greatest}; responses with as many differ by {points(band)}"
    )
    return Check(bool(steps.min() > 0 and band < TOLERANCE), numbers)


@needing("bcub", "ceafm", "blanc")
def _room(table: pd.DataFrame) -> Check:
    """How much of the scale lies between no link and all."""
    first, last = (table["right_coreference"].agg(end) for end in ("min", "max"))
    names = ["bcub", "ceafm", "blanc"]
    f1 = wide(table, "right_coreference")[names]
    room = f1.loc[last] - f1.loc[first]
    numbers = (
        f"{title(name)} {percent(f1[name][first])} to {percent(f1[name][last])}" for name in names
    )
    return Check(bool(room["blanc"] > max(room["bcub"], room["ceafm"])), ", ".join(numbers))


FIGURE_6 = Experiment(
    id="recasens2011-fig6",
    paper=RECASENS_2011,
    where="Figure 6, with the key of Table 8",
    title="What is one more right link worth?",
    setup=(
        "The key of Tables 8 to 11: entities of four, three and two, ten links in all, and 61 "
        "singletons. The responses have 0 to 10 of these links and no wrong one. Which links come "
        "first is left open by us: every way to cut the three entities is scored, the line is the "
        "mean of the responses with as many right links, the band their lowest and highest score. "
        "The number of singletons can be changed."
    ),
    run=_figure_6,
    chart=Chart("lines", x="right_coreference", x_title="right coreference links"),
    claims=(
        Claim(
            "BLANC rises with every further right link, whichever it is.",
            "Figure 6",
            _each_link_counts,
        ),
        Claim(
            "BLANC uses more of the scale than B³ and CEAF, which begin high because of the "
            "singletons.",
            "Figure 6, abstract",
            _room,
        ),
    ),
    parameters=(N_SINGLETONS,),
)


# Figure 7: the surface ----------------------------------------------------------------------------

STEPS = Parameter("steps", "Steps along each axis", 20, "", minimum=2, maximum=50)
N_COREFERENCE, N_MENTIONS = 6 + 3 + 1, 70


def _figure_7(setting: Setting) -> pd.DataFrame:
    """Rows (share of right coreference links, share of right non-coreference links).

    Columns: right_coreference and right_non_coreference (shares of the key's links, fractions),
    and f1 (BLANC). A link of the key that is not right counts as a wrong one of the other kind,
    so that there are always C(70, 2) of them.
    """
    share = np.linspace(0, 1, int(setting.values["steps"]) + 1)
    coreference, non_coreference = (axis.ravel() for axis in np.meshgrid(share, share))
    f1 = blanc_score(_link_counts(coreference, non_coreference), empty=0).f1
    columns = {"right_coreference": coreference, "right_non_coreference": non_coreference}
    return pd.DataFrame({**columns, "f1": f1})


def _link_counts(coreference: FloatArray, non_coreference: FloatArray) -> Counts:
    n_c = np.full(len(coreference), N_COREFERENCE)
    n_n = np.full(len(coreference), N_MENTIONS * (N_MENTIONS - 1) // 2) - n_c
    right_c, right_n = coreference * n_c, non_coreference * n_n
    return Counts.of_parts(
        Counts.of(right_c, n_c, right_c, right_c + n_n - right_n),
        Counts.of(right_n, n_n, right_n, right_n + n_c - right_c),
    )


def _grid(table: pd.DataFrame) -> FloatArray:
    """F1, a row for each share of coreference, a column for each of non-coreference links."""
    names = ("right_coreference", "right_non_coreference", "f1")
    return table.pivot(index=names[0], columns=names[1], values=names[2]).to_numpy()


def _rises_and_ends(table: pd.DataFrame) -> Check:
    grid = _grid(table)
    steps = np.concatenate([np.diff(grid, axis=axis).ravel() for axis in (0, 1)])
    falls = int((steps < -TOLERANCE).sum())
    holds = falls == 0 and grid[0, 0] == 0 and grid[-1, -1] == 1
    ends = f"{percent(grid[0, 0])} to {percent(grid[-1, -1])}"
    return Check(bool(holds), f"{ends}; {falls} falls in {len(steps)} steps")


def _half_of_it(table: pd.DataFrame) -> Check:
    """The corners where all links of one kind are right and none of the other."""
    grid = _grid(table)
    non_coreference, coreference = float(grid[0, -1]), float(grid[-1, 0])
    numbers = (
        f"all non-coreference links and no other {percent(non_coreference)}, "
        f"all coreference links and no other {percent(coreference)}"
    )
    return Check(abs(non_coreference - 0.5) < 0.01 and coreference < 0.01, numbers)


FIGURE_7 = Experiment(
    id="recasens2011-fig7",
    paper=RECASENS_2011,
    where="Figure 7",
    title="How does BLANC weigh the two kinds of links?",
    setup=(
        "The key of Tables 8 to 11 has 10 coreference and 2,405 non-coreference links. BLANC is "
        "drawn over the share of each that the response has right; each link that it has wrong is "
        "a wrong link of the other kind. Not every point is a response: links of a partition "
        "depend on each other."
    ),
    run=_figure_7,
    chart=Chart(
        "surface",
        x="right_coreference",
        x_title="right coreference links, percent",
        y_title="BLANC, percent",
        facet="right_non_coreference",
        facet_title="right non-coreference links, percent",
    ),
    claims=(
        Claim(
            "BLANC goes from 0 to 100 and rises in both directions, everywhere.",
            "Figure 7",
            _rises_and_ends,
        ),
        Claim(
            "All non-coreference links without a coreference link are half of the score; all "
            "coreference links without the other are next to nothing, as they drown among wrong "
            "ones.",
            "our reading of Figure 7",
            _half_of_it,
        ),
    ),
    parameters=(STEPS,),
)

EXPERIMENTS = (TABLES_12_AND_13, BOUNDARIES, FIGURE_6, FIGURE_7)
