"""What is printed in the paper and does not come out, or not under every reading."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import log2, sqrt
from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.counting.counts import harmonic_mean_of
from corescore.metrics import metric_of
from corescore.metrics.diagnostics import LINKS, RAND
from corescore.metrics.information import H
from corescore.replication.claims import wide
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Check, Reading, in_paper
from corescore.replication.partitions import Partition, score_partitions, toy_pair
from corescore.replication.recasens2011.blanc import KEY as TABLE_8_KEY
from corescore.replication.recasens2011.blanc import table_8
from corescore.replication.recasens2011.curves import FIGURE_6, blanc_at
from corescore.replication.recasens2011.desiderata import DESIDERATA
from corescore.replication.recasens2011.figures import (
    FIGURE_1,
    FIGURE_1_TOY,
    FIGURES_4_AND_5,
    KEY,
    RESPONSES,
    TABLE1_PRINTED,
)
from corescore.replication.recasens2011.tables import TABLE_2
from corescore.util import TOLERANCE
from corescore.wording import listed, percent, ratio

# Errata of §3: Table 1, and what is said of MUC and of Figure 4 -----------------------------------

LAST_DIGIT = 0.001  # of one decimal in percent, as a fraction

_MEANS: Mapping[str, Callable[[float, float], float]] = {
    "harmonic": harmonic_mean_of,
    "arithmetic": lambda r, p: (r + p) / 2,
    "geometric": lambda r, p: sqrt(r * p),
}


def _printed(metric: str) -> dict[str, float]:
    """The column of a metric, by response."""
    column = wide(TABLE1_PRINTED.numbers, "response")[metric]
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


_OF_SECTION_3: tuple[Erratum, ...] = (
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

_OPEN_IN_SECTION_3: tuple[Erratum, ...] = (
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

# Table 2, §4.1 and Section 5: what is printed there and does not come out -------------------------

TEXT = Path(__file__).with_name("text.csv")


def in_text(name: str) -> str:
    """A number of the running text, as printed."""
    return str(pd.read_csv(TEXT, comment="#", dtype=str).set_index("id")["printed"][name])


def _names_of_agreement() -> Check:
    """By the links of Figure 1, where the two numbers are far apart."""
    links = in_paper(FIGURE_1).table.iloc[0]
    together, apart = int(links["right_coreference"]), int(links["right_non_coreference"])
    n = together + apart + int(links["wrong_coreference"] + links["wrong_non_coreference"])
    numbers = (
        f"Figure 1 has {together} pairs in one entity on both sides and {apart} apart on both: "
        f"N₁₁ = {together} and N₀₀ = {apart}, by §4.1 N₀₀ = {together} and N₁₁ = {apart}. Their "
        f"sum is the same: the Rand index is {together + apart}/{n} = "
        f"{percent((together + apart) / n)}"
    )
    pair = toy_pair(*(str(parameter.default) for parameter in FIGURE_1_TOY))
    rand = float(score_partitions([pair], [RAND])["f1"].iloc[0])
    readings = (
        Reading("1 stands for a link, as elsewhere", together == apart),
        Reading("the names of §4.1", abs((together + apart) / n - rand) < TOLERANCE),
    )
    return Check(together == apart, numbers, readings=readings)


def _partners() -> Check:
    sides = table_8()
    (linked,) = (entity for entity in sides["B"] if 1 in entity)
    partners = [str(mention) for mention in linked if mention != 1]
    both = [61] in sides[TABLE_8_KEY] and [61] in sides["B"]
    numbers = f"B links mention 1 with {listed(partners)}"
    numbers += "; mention 61 is a singleton of the key and of B" if both else ""
    same = partners == in_text("partners").split()
    return Check(same, numbers, readings=(Reading("the numbers of Table 8", same),))


def _last_row() -> Check:
    """The rows of Table 2 hold all entities: so the last one cannot begin above 11."""
    check = in_paper(TABLE_2).by_claim["all-rows"]
    readings = (
        Reading("> as we read it", not check.holds),
        Reading("≥ as it may be printed", check.holds),
    )
    return Check(not check.holds, check.numbers, readings=readings)


def _front_face() -> Check:
    shares = (0, 0.5, 0.9, 1)
    blanc = [blanc_at(1, share) for share in shares]
    numbers = ", ".join(
        f"{percent(value)} at {100 * share:.0f}%"
        for share, value in zip(shares, blanc, strict=True)
    )
    without = f"with no coreference link right it ends at {percent(blanc_at(0, 1))}"
    ends = abs(blanc[-1] - float(in_text("fig7-end"))) < 0.01
    readings = (Reading("a right coreference of 1, right non-coreference from 0 to 1", ends),)
    return Check(ends, f"{numbers}; {without}", readings=readings)


_OF_TEXT: tuple[Erratum, ...] = (
    Erratum(
        id="recasens2011-partners-of-mention-1",
        paper=RECASENS_2011,
        where="§5.1",
        kind="statement",
        printed="“mentions 61, 62, 63 and 64”",
        computed="By Table 8, B links mention 1 with 62, 63, 64 and 65.",
        arithmetic=_partners,
        cause="Counted from one mention too early: the key has 61 singletons, so that the entity "
        "of four begins with 62.",
        experiment="recasens2011-tables8-11",
    ),
    Erratum(
        id="recasens2011-front-face-of-figure-7",
        paper=RECASENS_2011,
        where="§5.3, Figure 7",
        kind="statement",
        printed="“ranges from near zero to 0.5 as right non-coreference ranges from zero to 1”",
        computed="With all coreference links right it ends at 1: then every link is right.",
        arithmetic=_front_face,
        cause="Read off the surface, whose last, steep part is at its edge; or confused with the "
        "face on which no coreference link is right.",
        experiment="recasens2011-fig7",
        claims=("front-face",),
    ),
)

_OPEN_IN_TEXT: tuple[Erratum, ...] = (
    Erratum(
        id="recasens2011-table2-label",
        paper=RECASENS_2011,
        where="Table 2",
        kind="caption",
        printed="“> 11-mention”",
        computed="The row before ends with 10, so that entities of 11 would be left out. The last "
        "row must be “≥ 11” (or “> 10”): the rows add up to all entities of both "
        "corpora.",
        arithmetic=_last_row,
        cause="We know the paper from a scan, in which ≥ can be taken for >.",
        experiment="recasens2011-table2",
    ),
    Erratum(
        id="recasens2011-names-of-agreement",
        paper=RECASENS_2011,
        where="§4.1, eq. 1",
        kind="formula",
        printed="N₀₀ is the number of pairs that are in one entity on both sides, N₁₁ that of "
        "pairs that are in different entities on both.",
        computed="The other way round, as the names are used elsewhere: 1 stands for a link.",
        arithmetic=_names_of_agreement,
        cause="A paper may name as it likes: the text keeps to its names, and the Rand index, the "
        "sum of both, stays the same.",
        experiment="recasens2011-fig1",
    ),
    Erratum(
        id="recasens2011-slope-of-figure-6",
        paper=RECASENS_2011,
        where="§5.3, Figure 6",
        kind="statement",
        printed="“The curve slope for BLANC gradually increases”",
        computed="The curve gets flatter: with no wrong link, each further link adds less than the "
        "one before.",
        arithmetic=of_claim(FIGURE_6, "slope"),
        cause="The curve itself may be meant, which does increase: the sentence before has the "
        "slope plotted, and this one goes on to say that it stays above MUC.",
        experiment="recasens2011-fig6",
        claims=("slope",),
    ),
    Erratum(
        id="recasens2011-five-desiderata",
        paper=RECASENS_2011,
        where="§6",
        kind="statement",
        printed="“BLANC fulfills the five desiderata”",
        computed="It does, but that precision is not rewarded more than recall if a wrong link has "
        "to cost more than a missed one.",
        arithmetic=of_claim(DESIDERATA, "precision-weighs-more"),
        cause="The third desideratum is explained by three points, which BLANC meets; how fine a "
        "score has to be is not said, either.",
        experiment=DESIDERATA.id,
        claims=("precision-weighs-more", "fine"),
    ),
)

ERRATA = (*_OF_SECTION_3, *_OF_TEXT)

OPEN_READINGS = (*_OPEN_IN_SECTION_3, *_OPEN_IN_TEXT)
