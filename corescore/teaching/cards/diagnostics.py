"""The cards of the figures beside the six."""

from corescore.bibliography import (
    DENIS_2009,
    LUO_2014,
    PRADHAN_2011,
    PRADHAN_2014,
    RAND_1971,
    RECASENS_2011,
)
from corescore.teaching.cards import words
from corescore.teaching.cards.card import Card, Part
from corescore.teaching.cards.six import BLANC

_COREFERENCE = BLANC.parts[0]

CONLL = Card(
    id="conll",
    name="the CoNLL average",
    counts=(
        "Nothing of its own: it is the mean of the F1 of MUC, B³ and CEAFₑ. The shared tasks of "
        "2011 and 2012 ranked systems by it."
    ),
    parts=(
        Part(
            recall="",
            precision="",
            f1=r"\frac{F_1^{\mathrm{MUC}} + F_1^{\mathrm{B}^3} + F_1^{\mathrm{CEAF}_e}}{3}",
        ),
    ),
    symbols=((r"F_1^{\mathrm{MUC}}", "the F1 of MUC, and so on"),),
    unit="None: its three metrics count links, mentions and entities, which have no common unit.",
    one="both sides have the same entities, and one of them has two or more mentions",
    zero=words.NO_SHARED_MENTION,
    empty=(
        "Where neither side has a mention, it is empty. Where only MUC is empty, because there are "
        "only singletons, it counts as 0 in the mean."
    ),
    examples=(("{a}{b}", "{a}{b}"), ("", "")),
    papers=(DENIS_2009, PRADHAN_2011),
)

MENTIONS = Card(
    id="mentions",
    name="mention identification",
    counts="The mentions that both sides have, whatever entity they were put in.",
    parts=(Part(recall=r"\frac{m}{A}", precision=r"\frac{m}{B}"),),
    symbols=(words.BOTH, words.MENTIONS),
    unit="One mention that both sides have.",
    one="both sides have the same mentions",
    zero=words.NO_SHARED_MENTION,
    empty=words.EMPTY_WITHOUT_MENTIONS,
    examples=(("{ab}{c}", ""), ("{ab}", "{cd}")),
    papers=(PRADHAN_2014,),
)

LINKS = Card(
    id="links",
    name="the score of coreference links",
    counts=(
        "Every pair of mentions of one entity: how many of them both sides have. It is the first "
        "part of BLANC, on its own."
    ),
    parts=(Part(_COREFERENCE.recall, _COREFERENCE.precision),),
    symbols=(words.KEY_SIZE, words.RESPONSE_SIZE, words.SHARED, words.PAIRS),
    unit="One coreference link that both sides have. An entity of n mentions has n(n − 1)/2.",
    one=words.SAME_LINKED,
    zero=words.NO_RIGHT_LINK,
    empty=words.EMPTY_WITHOUT_LINKS,
    examples=(("{a}{b}", "{ab}"), ("{a}{b}", "{a}{b}")),
    papers=(RECASENS_2011, LUO_2014),
)

RAND = Card(
    id="rand",
    name="the Rand index",
    counts=(
        "All pairs of mentions: of how many do both sides say the same, that they corefer or that "
        "they do not? Each pair weighs the same, so the kind with more pairs decides."
    ),
    parts=(Part(recall=r"\frac{c + d}{\binom{A}{2}}", precision=r"\frac{c + d}{\binom{B}{2}}"),),
    symbols=(
        (r"c", "pairs that corefer on both sides"),
        (r"d", "pairs that both sides have and that corefer on neither"),
        words.MENTIONS,
        words.PAIRS,
    ),
    unit="One pair of mentions about which both sides say the same.",
    one="both sides have the same entities, and two or more mentions",
    zero="there is no pair of mentions about which both sides say the same",
    empty=words.empty_where("has fewer than two mentions"),
    examples=(("{a}", "{ab}"), ("{a}", "{a}")),
    papers=(RAND_1971, RECASENS_2011),
)
