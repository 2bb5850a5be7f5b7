"""What the card of BLANC says."""

from corescore.bibliography import LUO_2014, PRADHAN_2014, RECASENS_2011
from corescore.metrics.card import (
    BOTH,
    KEY_SIZE,
    MENTION_COUNTS,
    PAIRS,
    RESPONSE_SIZE,
    SHARED,
    Card,
    Case,
    Part,
    Variant,
    harmonic_mean,
)

_LINKS = r"\sum_{i,j} \binom{n_{ij}}{2}"
_APART = (
    r"\binom{m}{2} - \sum_i \binom{n_{i\cdot}}{2} - \sum_j \binom{n_{\cdot j}}{2} + "
    r"\sum_{i,j} \binom{n_{ij}}{2}"
)
ONLY_COREFERENCE = "the part of the coreference links alone"
ONLY_NON_COREFERENCE = "the part of the non-coreference links alone"
MEAN = Case("otherwise", "the mean of the two parts")


def _by_the_key(the_key: str) -> tuple[Case, ...]:
    return (
        Case(f"{the_key} has no link of either kind", "empty"),
        Case(f"{the_key} has no coreference link", ONLY_NON_COREFERENCE),
        Case(f"{the_key} has no non-coreference link", ONLY_COREFERENCE),
        MEAN,
    )


_BY_BOTH = (
    Case("neither side has a coreference link", ONLY_NON_COREFERENCE),
    Case("neither side has a non-coreference link", ONLY_COREFERENCE),
    MEAN,
)


CARD = Card(
    id="blanc",
    name="BLANC",
    counts=(
        "All pairs of mentions, of two kinds: those that corefer, and those that do not. Each kind "
        "has a recall and a precision of its own, and both kinds weigh the same, however many "
        "pairs they have."
    ),
    parts=(
        Part(
            recall=rf"\frac{{{_LINKS}}}{{\sum_i \binom{{a_i}}{{2}}}}",
            precision=rf"\frac{{{_LINKS}}}{{\sum_j \binom{{b_j}}{{2}}}}",
            f1=harmonic_mean("c"),
            of="coreference links",
            sign="c",
        ),
        Part(
            recall=rf"\frac{{{_APART}}}{{\binom{{A}}{{2}} - \sum_i \binom{{a_i}}{{2}}}}",
            precision=rf"\frac{{{_APART}}}{{\binom{{B}}{{2}} - \sum_j \binom{{b_j}}{{2}}}}",
            f1=harmonic_mean("n"),
            of="non-coreference links",
            sign="n",
        ),
        Part(
            recall=r"\frac{R_c + R_n}{2}",
            precision=r"\frac{P_c + P_n}{2}",
            f1=r"\frac{F_c + F_n}{2}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        RESPONSE_SIZE,
        SHARED,
        (r"n_{i\cdot},\ n_{\cdot j}", "mentions of i, of j that the other side has"),
        MENTION_COUNTS,
        BOTH,
        PAIRS,
    ),
    unit=(
        "One pair of mentions about which both sides say the same. Where a side has L pairs of "
        "that kind, it is worth 1/(2L) of recall or precision."
    ),
    one="both sides have the same entities, if the key has links of both kinds",
    zero="there is no pair of mentions about which both sides say the same",
    empty=(
        "One of the two parts may have nothing to score. There are four rules for that; select "
        "one in the side bar under “How it is scored”."
    ),
    examples=(
        ("{abcdef}", "{ab}{cde}{f}"),
        ("{abc}", "{ab}{d}"),
        ("{a}{b}", "{ab}"),
        ("{a}", "{a}"),
        ("{a}", "{b}"),
    ),
    papers=(RECASENS_2011, LUO_2014, PRADHAN_2014),
    variants=(
        Variant("reference", "The reference scorer: the key decides", _by_the_key("the key")),
        Variant(
            "luo2014",
            "Luo et al. 2014: both sides decide",
            (
                Case("neither side has a link, and both have the same mentions", "1"),
                Case("neither side has a link, and their mentions differ", "0"),
                *_BY_BOTH,
            ),
        ),
        Variant(
            "recasens2011",
            "Recasens and Hovy 2011: the key decides, and only mentions that both sides have count",
            _by_the_key("the key, without its missing mentions,"),
        ),
        Variant(
            "corefud",
            "The CorefUD scorer: as Luo et al. 2014, but for documents without links",
            (Case("neither side has a link", "0"), *_BY_BOTH),
        ),
    ),
)
