"""Mutual information H: entropies of entities, from which V-measure and VI are made, too.

All three are defined for the same mentions on both sides: mentions that one side lacks are left
out. Of the m mentions of a document that both sides have, a_i are in key entity i and n_ij also in
response entity j. In bits times mentions, so that documents add up:

    H(K) = Σ a_i log(m/a_i)    H(K | R) = Σ n_ij log(b_j/n_ij)    I = Σ n_ij log(n_ij·m/(a_i·b_j))

and with the sides swapped. A corpus is scored by the sums over its documents: mentions of two
documents are never asked whether they corefer, so to tell documents apart earns nothing. (The
entropies of one partition of the whole corpus would grow with the number of documents.)

V-measure: completeness and homogeneity, two shares of the entropies of entities.

VI, the variation of information: how far apart two sides are, in bits.

The adjusted Rand index: links that are right beyond chance (Hubert & Arabie 1985).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from corescore.bibliography import (
    HUBERT_1985,
    MEILA_2007,
    POPESCU_BELIS_2000,
    RECASENS_2011,
    ROSENBERG_2007,
)
from corescore.counting.contingency import Contingency, pairs
from corescore.counting.counts import Counts, Score, divide, score_counts
from corescore.metrics.metric import (
    GREY,
    NO_RIGHT_LINK,
    PAIRS,
    SAME_AMONG_SHARED,
    SHARED_OF_KEY,
    SHARED_OF_RESPONSE,
    Card,
    Formulas,
    Metric,
)
from corescore.metrics.textbook import (
    PRECISION,
    RECALL,
    Entities,
    Minus,
    Number,
    Product,
    Quotient,
    Ratio,
    Step,
    Sum,
    cells,
    n_pairs,
    whole,
    with_f1,
)
from corescore.metrics.variant import shared_only
from corescore.util import AnyArray, FloatArray, IntArray


@dataclass(frozen=True)
class Information:
    """(documents,) each, in bits times mentions; mentions are those that both sides have.

    mutual         I, what either side tells of the other
    key, response  H(K), H(R), the entropy of each side
    key_left       H(K | R), what of the key is unknown once the response is known
    response_left  H(R | K)
    most           log m: the entropy of m singletons
    """

    mentions: FloatArray
    mutual: FloatArray
    key: FloatArray
    response: FloatArray
    key_left: FloatArray
    response_left: FloatArray
    most: FloatArray


def information(table: Contingency) -> Information:
    """The entropies of each document's shared mentions."""
    shared = shared_only(table)
    m, n = shared.n_shared_mentions, shared.cell_sizes
    a, b = shared.key_sizes[shared.cell_key], shared.response_sizes[shared.cell_response]

    def bits(document: IntArray, size: IntArray, ratio: AnyArray) -> FloatArray:
        return shared.by_document(document, size * np.log2(ratio))

    def entropy(document: IntArray, sizes: IntArray) -> FloatArray:
        return bits(document, sizes, m[document] / sizes)

    of_cell = shared.cell_document
    return Information(
        m,
        bits(of_cell, n, n * m[of_cell] / (a * b)),
        entropy(shared.key_document, shared.key_sizes),
        entropy(shared.response_document, shared.response_sizes),
        bits(of_cell, n, b / n),
        bits(of_cell, n, a / n),
        m * np.log2(np.maximum(m, 1)),
    )


def h_counts(table: Contingency) -> Counts:
    """Recall I / H(K), precision I / H(R): the share of each side's entropy that both have.

    Range 0 to 1; empty where a side has fewer than two entities with a shared mention.
    Popescu-Belis 2000, as Recasens & Hovy 2011, §3.1, can be read.
    """
    bits = information(table)
    return Counts.of(bits.mutual, bits.key, bits.mutual, bits.response)


def h_log_counts(table: Contingency) -> Counts:
    """I / log m, the entropy of singletons: recall, precision and F1 alike. Range 0 to 1.

    Only where all mentions are singletons on both sides is it 1.
    """
    bits = information(table)
    return Counts.of(bits.mutual, bits.most, bits.mutual, bits.most)


Mean = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def _score_by(denominator: Mean) -> Callable[..., Score[FloatArray]]:
    """Recall and precision by each side's entropy; F1 is I by one number out of (I, H(K), H(R))."""

    def score(counts: Counts, *, empty: float) -> Score[FloatArray]:
        plain = score_counts(counts, empty=empty)
        key, response = plain.recall_denominator, plain.precision_denominator
        below = denominator(plain.recall_numerator, key, response)
        f1 = divide(plain.recall_numerator, below, empty=0)
        return replace(plain, f1=np.where((key == 0) & (response == 0), empty, f1))

    return score


# Cards --------------------------------------------------------------------------------------------

BITS = "One bit of information about one mention that both sides have."

APART = "knowing one side’s entities tells nothing of the other’s"

LETTERS = (
    (r"I", "mutual information of the two sides"),
    (r"H_K,\ H_R", "entropy of the key, of the response, by the mentions that both sides have"),
)

_H_EMPTY = (
    "Where all shared mentions are in one entity of the key, or there are none, recall is empty; "
    "where they are in one entity of the response, precision is. F1 is empty where both are, and 0 "
    "where one is."
)

_H_ONE = f"{SAME_AMONG_SHARED}, and some document has two of these entities"

_H_HISTORY = (
    "Popescu-Belis saw key and response as the two ends of a channel. Recasens and Hovy print "
    "values of it, but not by what information is divided; no choice that is offered here gives "
    "their column (they print 77.8, 57.1, 0 and 48.7 for Luo’s four responses, where dividing by "
    "each side’s entropy gives 79.6, 60.9, 0 and 58.5). It was given up because bits are hard to "
    "read, and a response of one entity and one that is unrelated both score 0."
)

KEY_SHARE, RESPONSE_SHARE = r"\frac{I}{H_K}", r"\frac{I}{H_R}"


def _h(id: str, title: str, how: str, f1: str, score: Callable[..., Score[FloatArray]]) -> Metric:
    card = _card_of_h(id, how, f1)
    return information_metric(id, title, POPESCU_BELIS_2000.cited, h_counts, score, card)


def _card_of_h(id: str, how: str, f1: str) -> Card:
    return Card(
        id=id,
        name=f"mutual information {how}",
        counts=(
            "Of a mention that both sides have: how much does its response entity tell of its key "
            f"entity, in bits? This information is divided {how}."
        ),
        parts=(Formulas(KEY_SHARE, RESPONSE_SHARE, f1),),
        symbols=LETTERS,
        unit=BITS,
        one=_H_ONE,
        zero=APART,
        empty=_H_EMPTY,
        examples=(("{ab}", "{ab}"), ("{ab}", "{a}{b}")),
        papers=(POPESCU_BELIS_2000, RECASENS_2011),
        history=_H_HISTORY,
    )


def information_metric(
    id: str,
    title: str,
    paper: str,
    counts: Callable[[Contingency], Counts],
    score: Callable[..., Score[FloatArray]],
    card: Card,
) -> Metric:
    return Metric(
        id=id,
        title=title,
        unit="bit of information",
        paper=paper,
        counts=counts,
        score=score,
        repeats="once",
        colour=GREY,
        card=card,
    )


H = _h(
    "h",
    "H",
    "by each side’s entropy",
    r"\frac{2 I}{H_K + H_R}",
    score_counts,
)

H_JOINT = _h(
    "h-joint",
    "H, joint",
    "by the joint entropy",
    r"\frac{I}{H_K + H_R - I}",
    _score_by(lambda i, key, response: key + response - i),
)

H_GEOMETRIC = _h(
    "h-geometric",
    "H, geometric",
    "by the geometric mean of the entropies",
    r"\frac{I}{\sqrt{H_K H_R}}",
    _score_by(lambda i, key, response: np.sqrt(key * response)),
)

H_MAX = _h(
    "h-max",
    "H, maximum",
    "by the larger entropy",
    r"\frac{I}{\max(H_K, H_R)}",
    _score_by(lambda i, key, response: np.maximum(key, response)),
)

MOST = (r"m", "mentions that both sides have")

_LOG = r"\frac{I}{\log_2 m}"

H_LOG = information_metric(
    "h-log",
    "H, log",
    POPESCU_BELIS_2000.cited,
    h_log_counts,
    score_counts,
    replace(
        _card_of_h("h-log", "by the entropy of singletons", _LOG),
        parts=(Formulas(_LOG, _LOG, _LOG),),
        symbols=(LETTERS[0], MOST),
        one="the mentions that both sides have are singletons on both, and there are two",
        empty="Where no document has two shared mentions, recall, precision and F1 are empty.",
        examples=(("{a}", "{a}"), ("{ab}", "{cd}")),
    ),
)


def v_measure_counts(table: Contingency) -> Counts:
    """Recall is completeness, I / H(R), and precision homogeneity, I / H(K); 0/0 is 1 there.

    A second part, the shared mentions, tells whether there is anything to score. Range 0 to 1;
    empty where the two sides share no mention. Rosenberg & Hirschberg 2007, β = 1.
    """
    bits = information(table)
    mentions = (bits.mentions,) * 4
    return Counts.of_parts(
        Counts.of(bits.mutual, bits.response, bits.mutual, bits.key), Counts.of(*mentions)
    )


def _v_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    plain = score_counts(counts.part(0), empty=1)
    nothing = counts.part(1).recall_denominator[:, 0] == 0
    recall, precision, f1 = (
        np.where(nothing, empty, value) for value in (plain.recall, plain.precision, plain.f1)
    )
    return replace(plain, recall=recall, precision=precision, f1=f1)


V_MEASURE = information_metric(
    "v-measure",
    "V-measure",
    ROSENBERG_2007.cited,
    v_measure_counts,
    _v_score,
    Card(
        id="v-measure",
        name="V-measure",
        counts=(
            "Completeness: is a key entity kept together? Homogeneity: has a response entity "
            "mentions of one key entity alone? Each is the share of an entropy that the other side "
            "explains, by the mentions that both sides have."
        ),
        parts=(Formulas(RESPONSE_SHARE, KEY_SHARE, r"\frac{2 I}{H_K + H_R}"),),
        symbols=LETTERS,
        unit=BITS,
        one=SAME_AMONG_SHARED,
        zero=f"{APART}, though both sides have several; or they share no mention",
        empty=(
            "Where the two sides share no mention, recall, precision and F1 are empty. A side with "
            "one entity has no entropy: the measure that would divide by it is 1."
        ),
        examples=(("{ab}", "{cd}"), ("{ab}", "{ab}"), ("{ab}", "{a}{b}")),
        papers=(ROSENBERG_2007,),
        history=(
            "A score of clusterings, and of word senses, where it is still used. It is "
            "mutual information H by the sum of the entropies, with another rule for what is "
            "empty. Coreference did not take it up: it grows with the number of entities, and so "
            "favours a response of singletons."
        ),
    ),
)


def variation_counts(table: Contingency) -> Counts:
    """Recall 1 − H(R | K) / log m, which falls where entities are split; precision
    1 − H(K | R) / log m, which falls where entities are merged.

    F1 is 1 − VI / log m. What the numerators lack of their denominators, both added up, is the
    variation of information in bits, times mentions. Range 0 to 1; empty with fewer than two
    shared mentions. Meilă 2007.
    """
    bits = information(table)
    return Counts.of(
        bits.most - bits.response_left, bits.most, bits.most - bits.key_left, bits.most
    )


def _variation_score(counts: Counts, *, empty: float) -> Score[FloatArray]:
    plain = score_counts(counts, empty=empty)
    nothing = plain.recall_denominator == 0
    return replace(plain, f1=np.where(nothing, empty, plain.recall + plain.precision - 1))


VI = information_metric(
    "vi",
    "VI",
    MEILA_2007.cited,
    variation_counts,
    _variation_score,
    Card(
        id="vi",
        name="the variation of information",
        counts=(
            "Of a mention that both sides have: how many bits of its response entity are open once "
            "its key entity is known (split entities), and the other way round (merged "
            "entities)? Both together are the distance between the two sides; the score is 1 minus "
            "their share of the most that it can be."
        ),
        parts=(
            Formulas(
                r"1 - \frac{H_{R|K}}{\log_2 m}",
                r"1 - \frac{H_{K|R}}{\log_2 m}",
                r"1 - \frac{H_{R|K} + H_{K|R}}{\log_2 m}",
            ),
        ),
        symbols=(
            (r"H_{R|K}", "entropy of the response once the key is known"),
            (r"H_{K|R}", "entropy of the key once the response is known"),
            MOST,
        ),
        unit=BITS,
        one=f"{SAME_AMONG_SHARED}, and some document has two of these mentions",
        zero=f"{NO_RIGHT_LINK}, and neither side tells anything of the other",
        empty="Where no document has two shared mentions, recall, precision and F1 are empty.",
        examples=(("{a}", "{a}"), ("{ab}", "{cd}")),
        papers=(MEILA_2007,),
        history=(
            "A distance of clusterings that obeys the triangle inequality. Coreference did not "
            "take it up: it has no recall and precision of its own (those here are its two halves) "
            "and, where most mentions are singletons, hardly tells responses apart. F1 is recall "
            "+ precision − 1 and no harmonic mean."
        ),
    ),
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
        Formulas(
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
