"""The cards of the six."""

from corescore.bibliography import (
    BAGGA_1998,
    LUO_2005,
    LUO_2014,
    MOOSAVI_2016,
    PRADHAN_2014,
    RECASENS_2011,
    VILAIN_1995,
)
from corescore.teaching.cards import words
from corescore.teaching.cards.card import Card, Case, Part, Variant, harmonic_mean

MUC = Card(
    id="muc",
    name="MUC",
    counts=(
        "The links that hold entities together: an entity of n mentions needs n\u00a0−\u00a01 of "
        "them. MUC counts how many of those the other side has, too."
    ),
    parts=(
        Part(
            recall=r"\frac{\sum_i (a_i - p_i)}{\sum_i (a_i - 1)}",
            precision=r"\frac{\sum_j (b_j - q_j)}{\sum_j (b_j - 1)}",
        ),
    ),
    symbols=(
        words.KEY_SIZE,
        words.RESPONSE_SIZE,
        (
            r"p_i",
            "parts into which the response cuts key entity i; each mention that it lacks is a part "
            "of its own",
        ),
        (r"q_j", "the same for response entity j and the key"),
    ),
    unit=(
        "One link of the fewest that hold an entity together. An entity of n mentions can earn "
        "n\u00a0−\u00a01, and a singleton nothing."
    ),
    one=words.SAME_LINKED,
    zero=words.NO_RIGHT_LINK,
    empty=words.EMPTY_WITHOUT_LINKS,
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}")),
    papers=(VILAIN_1995,),
)

BCUB = Card(
    id="bcub",
    name="B³",
    counts=(
        "Mention by mention: how much of the mention’s entity has the other side kept together "
        "with it? The mention itself counts as kept. The score is the mean over all mentions."
    ),
    parts=(
        Part(
            recall=r"\frac{1}{A} \sum_{i,j} \frac{n_{ij}^2}{a_i}",
            precision=r"\frac{1}{B} \sum_{i,j} \frac{n_{ij}^2}{b_j}",
        ),
    ),
    symbols=(words.KEY_SIZE, words.RESPONSE_SIZE, words.SHARED, words.MENTIONS),
    unit=(
        "One mention whose whole entity was found. In an entity of n mentions, being found at all "
        "earns a mention 1/n, and each other mention found together with it 1/n more."
    ),
    one=words.SAME_ENTITIES,
    zero=words.NO_SHARED_MENTION,
    empty=words.EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(BAGGA_1998, PRADHAN_2014),
)

CEAFM = Card(
    id="ceafm",
    name="CEAFₘ",
    counts=(
        "Each key entity is aligned with one response entity at most, in the way that is best "
        "overall. CEAFₘ counts the mentions that aligned entities share; all others are wrong."
    ),
    parts=(
        Part(
            recall=r"\frac{\sum_{i \sim j} n_{ij}}{A}",
            precision=r"\frac{\sum_{i \sim j} n_{ij}}{B}",
        ),
    ),
    symbols=(words.SHARED, words.ALIGNED, words.MENTIONS),
    unit="One mention that lies in both entities of an aligned pair.",
    one=words.SAME_ENTITIES,
    zero=words.NO_SHARED_MENTION,
    empty=words.EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(LUO_2005, PRADHAN_2014),
)

CEAFE = Card(
    id="ceafe",
    name="CEAFₑ",
    counts=(
        "Each key entity is aligned with one response entity at most, in the way that is best "
        "overall. CEAFₑ adds up how alike aligned entities are; an entity of 2 weighs as much as "
        "one of 20."
    ),
    parts=(
        Part(
            recall=r"\frac{1}{K} \sum_{i \sim j} \frac{2 n_{ij}}{a_i + b_j}",
            precision=r"\frac{1}{L} \sum_{i \sim j} \frac{2 n_{ij}}{a_i + b_j}",
        ),
    ),
    symbols=(
        words.KEY_SIZE,
        words.RESPONSE_SIZE,
        words.SHARED,
        words.ALIGNED,
        (r"K,\ L", "entities of the key, of the response"),
    ),
    unit=(
        "One aligned pair of equal entities. Where entities of n and m mentions are aligned, each "
        "mention that they share earns 2/(n + m)."
    ),
    one=words.SAME_ENTITIES,
    zero=words.NO_SHARED_MENTION,
    empty=words.EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(LUO_2005, PRADHAN_2014),
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


BLANC = Card(
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
        words.KEY_SIZE,
        words.RESPONSE_SIZE,
        words.SHARED,
        (r"n_{i\cdot},\ n_{\cdot j}", "mentions of i, of j that the other side has"),
        words.MENTIONS,
        words.BOTH,
        words.PAIRS,
    ),
    unit=(
        "One pair of mentions about which both sides say the same. Where a side has L pairs of "
        "that kind, it is worth 1/(2L) of recall or precision."
    ),
    one="both sides have the same entities, if the key has links of both kinds",
    zero="there is no pair of mentions about which both sides say the same",
    empty=(
        "One of the two parts may have nothing to score. There are three rules for that, to be "
        "chosen in the side bar under “How it is scored”."
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
                Case("neither side has a coreference link", ONLY_NON_COREFERENCE),
                Case("neither side has a non-coreference link", ONLY_COREFERENCE),
                MEAN,
            ),
        ),
        Variant(
            "recasens2011",
            "Recasens and Hovy 2011: the key decides, and only mentions that both sides have count",
            _by_the_key("the key, without its missing mentions,"),
        ),
    ),
)

LEA = Card(
    id="lea",
    name="LEA",
    counts=(
        "Entity by entity: what share of its coreference links has the other side? An entity "
        "weighs as much as it has mentions. A singleton has one link, to itself, which is right "
        "only if it is a singleton on both sides."
    ),
    parts=(
        Part(
            recall=r"\frac{1}{A} \sum_i a_i \cdot \frac{\sum_j \binom{n_{ij}}{2}}{\binom{a_i}{2}}",
            precision=(
                r"\frac{1}{B} \sum_j b_j \cdot \frac{\sum_i \binom{n_{ij}}{2}}{\binom{b_j}{2}}"
            ),
        ),
    ),
    symbols=(
        words.KEY_SIZE,
        words.RESPONSE_SIZE,
        words.SHARED,
        words.MENTIONS,
        words.PAIRS,
    ),
    unit=(
        "One mention of an entity whose links are all right. In an entity of n mentions each link "
        "earns 2/(n − 1): the more mentions, the less a single link is worth."
    ),
    one=words.SAME_ENTITIES,
    zero=words.NO_RIGHT_LINK + ", and no mention is a singleton on both",
    empty=words.EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(MOOSAVI_2016,),
)
