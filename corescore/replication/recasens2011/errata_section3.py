"""Errata of §3: Table 1, and what is said of MUC and of Figure 4."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import log2, sqrt

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import harmonic_mean_of
from corescore.metrics import metric_of
from corescore.metrics.diagnostics import LINKS
from corescore.metrics.variants.information import H
from corescore.replication.claims import wide
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Check
from corescore.replication.partitions import Partition, score_partitions
from corescore.replication.recasens2011.figs4_5 import FIGURES_4_AND_5
from corescore.replication.recasens2011.table1 import KEY, PRINTED, RESPONSES
from corescore.replication.verdict import Reading
from corescore.wording import percent, ratio

LAST_DIGIT = 0.001  # of one decimal in percent, as a fraction
_MEANS: Mapping[str, Callable[[float, float], float]] = {
    "harmonic": harmonic_mean_of,
    "arithmetic": lambda r, p: (r + p) / 2,
    "geometric": lambda r, p: sqrt(r * p),
}


def _printed(metric: str) -> dict[str, float]:
    """The column of a metric, by response."""
    column = wide(PRINTED.numbers, "response")[metric]
    return {str(response): float(value) for response, value in column.items()}


# F1 of (b) ----------------------------------------------------------------------------------------


def _links_of_b() -> Check:
    scores = score_partitions([(KEY, RESPONSES["b"])], [LINKS]).iloc[0]
    right, of_key, of_b = (
        round(scores[name])
        for name in ("recall_numerator", "recall_denominator", "precision_denominator")
    )
    printed, f1 = _printed(LINKS.id)["b"], scores["f1"]
    one_less = 2 * right / (of_key + of_b - 1)
    numbers = (
        f"b has {right} of the key’s {of_key} links, and {of_b} in all: F = 2 · {right} / "
        f"({of_key} + {of_b}) = {percent(f1)}; with {of_b - 1} it would be {percent(one_less)}. "
        f"{100 * printed:.1f} is printed"
    )
    means = {name: mean(right / of_key, right / of_b) for name, mean in _MEANS.items()}
    readings = tuple(
        Reading(f"F is the {name} mean", abs(value - printed) < LAST_DIGIT)
        for name, value in means.items()
    )
    return Check(bool(abs(f1 - printed) < LAST_DIGIT), numbers, readings=readings)


# Column H -----------------------------------------------------------------------------------------


def _entropies(response: Partition) -> tuple[float, dict[str, float]]:
    """The mutual information of key and response in bits, and what it may be divided by."""
    key, other = _entropy(KEY), _entropy(response)
    cells = [{*k} & {*r} for k in KEY for r in response]
    joint = _entropy([cell for cell in cells if cell])
    mentions = sum(map(len, KEY))
    by = {
        "H(key)": key,
        "H(response)": other,
        "H(key, response)": joint,
        "the larger": max(key, other),
        "the smaller": min(key, other),
        "log of the mentions": log2(mentions),
        "log of the key’s entities": log2(len(KEY)),
        "log of the response’s entities": log2(len(response)),
    }
    return key + other - joint, by


def _entropy(partition: Partition) -> float:
    n = sum(map(len, partition))
    return sum(len(entity) / n * log2(n / len(entity)) for entity in partition)


def _columns() -> Iterator[tuple[str, list[float]]]:
    """What column H would be: I divided by one entropy for R, by one for P, and their mean."""
    told = [_entropies(RESPONSES[name]) for name in _printed(H.id)]
    names = list(told[0][1])
    for (of_r, of_p), (mean, f) in product(product(names, names), _MEANS.items()):
        yield (
            f"R = I/{of_r}, P = I/{of_p}, {mean} mean",
            [f(_divided(i, by[of_r]), _divided(i, by[of_p])) for i, by in told],
        )


def _divided(information: float, by: float) -> float:
    return information / by if by else 0


def _column_h() -> Check:
    """Whether a way that we tried gives the column; None if none does, as there may be others."""
    printed = _printed(H.id)
    values = [*printed.values()]
    columns = list(_columns())
    apart = [max(abs(a - b) for a, b in zip(column, values, strict=True)) for _, column in columns]
    how, nearest = columns[apart.index(min(apart))]
    plain = wide(score_partitions([(KEY, RESPONSES[r]) for r in printed], [H]), "pair")[H.id]
    numbers = (
        f"printed: {', '.join(f'{100 * value:g}' for value in values)}. Divided by the entropy of "
        f"each side: {', '.join(map(percent, plain))}. Of {len(columns)} ways the nearest is "
        f"{how}: {', '.join(map(percent, nearest))}"
    )
    return Check(True if min(apart) < LAST_DIGIT else None, numbers)


# MUC and merged entities --------------------------------------------------------------------------


def _merging_is_recall() -> Check:
    scores = score_partitions([(KEY, RESPONSES["a"])], [metric_of("muc")]).iloc[0]
    told = {}
    for name in ("recall", "precision"):
        part, whole = (round(scores[f"{name}_{side}"]) for side in ("numerator", "denominator"))
        told[name] = ratio(part, whole)
    numbers = "; ".join(f"{name} of a {value}" for name, value in told.items())
    as_recall = bool(scores["recall"] < 1 and scores["precision"] == 1)
    readings = (Reading("the response merges two entities of the key", as_recall),)
    return Check(as_recall, numbers, readings=readings)


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="recasens2011-table1-links-b",
        paper=RECASENS_2011,
        where="Table 1",
        kind="figure",
        printed="F1 of the links of response (b) is 63.6.",
        computed="It is 42/67 = 62.69.",
        arithmetic=_links_of_b,
        cause="One link of the response was not counted: 42/66 is 63.64.",
        experiment="recasens2011-table1",
        cells=(("b", "links", "f1"),),
    ),
    Erratum(
        id="recasens2011-muc-merging",
        paper=RECASENS_2011,
        where="§3.1, on MUC",
        kind="statement",
        printed="“counts as a single R error”",
        computed="Two merged entities count as one precision error.",
        arithmetic=_merging_is_recall,
        cause="Recall and precision were confused: a link that only the response has lowers "
        "precision.",
        experiment="recasens2011-table1",
        claims=("merged-entities",),
    ),
)
OPEN_READINGS: tuple[Erratum, ...] = (
    Erratum(
        id="recasens2011-table1-h",
        paper=RECASENS_2011,
        where="Table 1",
        kind="figure",
        printed="Mutual information H of responses (a) to (d) is 77.8, 57.1, 0 and 48.7.",
        computed="Divided by the entropy of each side, it is 79.56, 60.94, 0.00 and 58.53.",
        arithmetic=_column_h,
        cause="The paper does not say by what the information is divided, and there may be ways "
        "that we have not tried.",
        experiment="recasens2011-table1",
        cells=tuple((name, H.id, "f1") for name in ("a", "b", "d")),
    ),
    Erratum(
        id="recasens2011-figure4-rag-bag",
        paper=RECASENS_2011,
        where="§3.2, Figure 4",
        kind="statement",
        printed="“as it would follow from constraint (3)”",
        computed="It would not in Figure 4 as we read it: B³, which is said to satisfy the "
        "constraint, gives S1 88.00 and S2 72.73.",
        arithmetic=of_claim(FIGURES_4_AND_5, "bcub-prefers-rag-bag"),
        cause="The constraint compares two responses that both have a mixed entity; in Figure 4, "
        "S1 has none. (The key of the figure is a reading.) With a mixed entity in S1 too, "
        "the argument stands: as many wrong links, and B³ prefers S2.",
        experiment="recasens2011-fig4-5",
        claims=("bcub-prefers-rag-bag",),
    ),
)
