"""V-measure: completeness and homogeneity, two shares of the entropies of entities."""

from dataclasses import replace

import numpy as np

from corescore.arrays import FloatArray
from corescore.bibliography import ROSENBERG_2007
from corescore.counting.contingency import Contingency
from corescore.counting.counts import Counts, Score, score_counts
from corescore.metrics.card import SAME_AMONG_SHARED, Card, Part
from corescore.metrics.variants.information import (
    APART,
    BITS,
    KEY_SHARE,
    LETTERS,
    RESPONSE_SHARE,
    information,
    information_metric,
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
        parts=(Part(RESPONSE_SHARE, KEY_SHARE, r"\frac{2 I}{H_K + H_R}"),),
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
