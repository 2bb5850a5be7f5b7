"""Metrics of the shared mentions alone: all others are discarded (Bengtson & Roth 2008)."""

from corescore.bibliography import BENGTSON_2008, RECASENS_2011
from corescore.metrics.bcub import BCUB
from corescore.metrics.card import NO_RIGHT_LINK, NO_SHARED_MENTION, SAME_AMONG_SHARED
from corescore.metrics.ceaf import CEAFE, CEAFM
from corescore.metrics.lea import LEA
from corescore.metrics.metric import Metric
from corescore.metrics.muc import MUC
from corescore.metrics.variants.changes import SHARED_ONLY, card_of, variant_of

_EMPTY = "Where the two sides share no mention, recall, precision and F1 are empty."


def _of_shared_mentions(
    metric: Metric,
    id: str,
    *,
    one: str = SAME_AMONG_SHARED,
    zero: str = "",
    empty: str = _EMPTY,
    examples: tuple[tuple[str, str], ...] = (("{ab}", "{cd}"), ("{ab}", "")),
) -> Metric:
    card = card_of(
        metric,
        id=id,
        name=f"{metric.name} of the shared mentions",
        counts=(
            f"{metric.name} of the mentions that both sides have. All others are removed from both "
            "sides first, so it tells nothing of how well mentions are found. The letters count "
            "what is left."
        ),
        one=one,
        zero=zero,
        empty=empty,
        examples=examples,
        papers=(BENGTSON_2008, RECASENS_2011),
        history=(
            "Bengtson and Roth scored a system with mentions of its own by metrics that expect the "
            "same mentions on both sides. It was given up because a system that finds only the "
            "easiest mentions scores best. For BLANC it is still the rule “recasens2011”."
        ),
    )
    return variant_of(
        metric,
        id,
        title=f"{metric.title} discard",
        recall=SHARED_ONLY,
        precision=SHARED_ONLY,
        paper=BENGTSON_2008.cited,
        card=card,
    )


MUC_DISCARD = _of_shared_mentions(
    MUC,
    "muc-discard",
    one=f"{SAME_AMONG_SHARED}, and two of them corefer",
    zero=NO_RIGHT_LINK,
    empty=(
        "Where no key entity has two shared mentions, recall is empty; where no response entity "
        "has two, precision is empty. F1 is empty where both are, and 0 where one is."
    ),
    examples=(("{a}{b}", "{ab}"), ("{ab}", "{cd}")),
)
B3_DISCARD = _of_shared_mentions(BCUB, "b3-discard", zero=NO_SHARED_MENTION)
CEAFM_DISCARD = _of_shared_mentions(CEAFM, "ceafm-discard", zero=NO_SHARED_MENTION)
CEAFE_DISCARD = _of_shared_mentions(CEAFE, "ceafe-discard", zero=NO_SHARED_MENTION)
LEA_DISCARD = _of_shared_mentions(
    LEA,
    "lea-discard",
    zero=f"{NO_RIGHT_LINK}, and no shared mention is alone among the shared ones on both sides",
)
