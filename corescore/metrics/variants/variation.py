"""VI, the variation of information: how far apart two sides are, in bits."""

from dataclasses import replace

import numpy as np

from corescore.arrays import FloatArray
from corescore.bibliography import MEILA_2007
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score, score_counts
from corescore.metrics.card import NO_RIGHT_LINK, SAME_AMONG_SHARED, Card, Part
from corescore.metrics.variants.information import BITS, MOST, information, information_metric


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
            Part(
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
