"""The adjusted Rand index: links that are right beyond chance (Hubert & Arabie 1985)."""

from corescore.arrays import FloatArray
from corescore.bibliography import HUBERT_1985, RECASENS_2011
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import Counts, divide
from corescore.metrics.card import (
    PAIRS,
    SAME_AMONG_SHARED,
    SHARED_OF_KEY,
    SHARED_OF_RESPONSE,
    Card,
    Part,
)
from corescore.metrics.expressions import Minus, Number, Product, Quotient, Ratio, Sum, whole
from corescore.metrics.metric import GREY, Metric
from corescore.metrics.textbook import (
    PRECISION,
    RECALL,
    Entities,
    Step,
    cells,
    n_pairs,
    with_f1,
)


def adjusted_rand_counts(table: Contingency) -> Counts:
    """Recall (c − e) / (k − e), precision (c − e) / (r − e), of the mentions that both sides have.

    c are the links that both sides have, k and r those of each side, and e = k·r / C(m) those
    that both would have if the response's entities kept their sizes and had any of the m mentions.
    F1 is the adjusted Rand index; recall and precision are the adjusted coefficients of Wallace.

    Corpus: mentions are only exchanged within their document, so e is reckoned for each document,
    and c − e, k − e and r − e add up. Range to 1, below 0 where fewer links are right than by
    chance; in links. Hubert & Arabie 1985.
    """
    common = table.shared_links
    key = table.key_links_of_shared
    response = table.response_links_of_shared
    chance: FloatArray = divide(key * response, pairs(table.n_shared_mentions), empty=0)
    return Counts.of(common - chance, key - chance, common - chance, response - chance)


def _steps(key: Entities, response: Entities) -> list[Step]:
    rows, columns = cells(key, response), cells(response, key)
    common = whole(sum(n_pairs(n) for row in rows for n in row))
    of_key, of_response = (whole(sum(n_pairs(sum(r)) for r in side)) for side in (rows, columns))
    every = n_pairs(sum(map(sum, rows)))
    product = Product((of_key, of_response), tight=True)
    chance = Minus(Number(Ratio(product, whole(every)).value) if every else whole(0))
    recall, precision = (
        Step(name, Quotient(Sum((common, chance)), Sum((links, chance))))
        for name, links in ((RECALL, of_key), (PRECISION, of_response))
    )
    return with_f1(recall, precision)


_CARD = Card(
    id="ari",
    name="the adjusted Rand index",
    counts=(
        "The coreference links among the mentions that both sides have: how many more are right "
        "than if the response had put mentions into its entities at random?"
    ),
    parts=(
        Part(
            recall=r"\frac{c - e}{\sum_i \binom{n_{i\cdot}}{2} - e}",
            precision=r"\frac{c - e}{\sum_j \binom{n_{\cdot j}}{2} - e}",
        ),
    ),
    symbols=(
        (r"c", "pairs that corefer on both sides"),
        (
            r"e",
            "pairs that would by chance: the links of the key times those of the response, by all "
            "pairs of the mentions that both have",
        ),
        SHARED_OF_KEY,
        SHARED_OF_RESPONSE,
        PAIRS,
    ),
    unit="One coreference link that is right beyond those that are by chance.",
    one=f"{SAME_AMONG_SHARED}, where some corefer and some do not",
    zero="exactly as many links are right as by chance",
    empty=(
        "Recall is empty where, among the mentions that both sides have, the key has no "
        "coreference link or the response no other; precision with the sides swapped. F1 is empty "
        "where both are, and 0 where one is."
    ),
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}"), ("{ab}", "{ab}")),
    papers=(HUBERT_1985, RECASENS_2011),
    history=(
        "It is the usual score of clusterings. Recasens and Hovy name it and reject it for "
        "coreference: what is expected by chance depends on the linked pairs alone, so singletons "
        "are ignored, of which coreference has many. It is defined for the same mentions on both "
        "sides; those that one side lacks are left out. Chance is reckoned within each document."
    ),
    bounds="At most 1, in percent 100; below 0 where fewer links are right than by chance.",
)

ARI = Metric(
    id="ari",
    title="Adjusted Rand",
    unit="coreference link beyond chance",
    paper=HUBERT_1985.cited,
    counts=adjusted_rand_counts,
    repeats="once",
    name="Adjusted Rand index",
    colour=GREY,
    textbook=_steps,
    card=_CARD,
)
