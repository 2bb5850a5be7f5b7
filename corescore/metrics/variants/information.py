"""Mutual information H: entropies of entities, from which V-measure and VI are made, too.

All three are defined for the same mentions on both sides: mentions that one side lacks are left
out. Of the m mentions of a document that both sides have, a_i are in key entity i and n_ij also in
response entity j. In bits times mentions, so that documents add up:

    H(K) = Σ a_i log(m/a_i)    H(K | R) = Σ n_ij log(b_j/n_ij)    I = Σ n_ij log(n_ij·m/(a_i·b_j))

and with the sides swapped. A corpus is scored by the sums over its documents: mentions of two
documents are never asked whether they corefer, so to tell documents apart earns nothing. (The
entropies of one partition of the whole corpus would grow with the number of documents.)
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from corescore.arrays import AnyArray, FloatArray, IntArray
from corescore.bibliography import POPESCU_BELIS_2000, RECASENS_2011
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score, divide, score_counts
from corescore.metrics.card import SAME_AMONG_SHARED, Card, Part
from corescore.metrics.metric import GREY, Metric
from corescore.metrics.variants.changes import shared_only


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
        parts=(Part(KEY_SHARE, RESPONSE_SHARE, f1),),
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
        parts=(Part(_LOG, _LOG, _LOG),),
        symbols=(LETTERS[0], MOST),
        one="the mentions that both sides have are singletons on both, and there are two",
        empty="Where no document has two shared mentions, recall, precision and F1 are empty.",
        examples=(("{a}", "{a}"), ("{ab}", "{cd}")),
    ),
)
