"""Variants of the metrics: what the literature defined and gave up. Scored when named.

B³_sys and CEAF_sys: twinless mentions stand alone on the side that lacks them (Cai & Strube
2010).

B³_0: B³ without the spurious mentions (Stoyanov et al. 2009).

B³ and CEAF without spurious singletons (Rahman & Ng 2009).

Metrics of the shared mentions alone: all others are discarded (Bengtson & Roth 2008).
"""

from corescore.bibliography import (
    BENGTSON_2008,
    CAI_2010,
    PRADHAN_2014,
    RAHMAN_2009,
    RECASENS_2011,
    STOYANOV_2009,
)
from corescore.metrics.bcub import BCUB
from corescore.metrics.ceaf import CEAFE, CEAFM
from corescore.metrics.information import ARI, H_GEOMETRIC, H_JOINT, H_LOG, H_MAX, V_MEASURE, VI, H
from corescore.metrics.lea import LEA
from corescore.metrics.metric import (
    BOTH,
    KEY_SIZE,
    NO_RIGHT_LINK,
    NO_SHARED_MENTION,
    SAME_AMONG_SHARED,
    SHARED,
    SHARED_OF_RESPONSE,
    Card,
    Formulas,
    Metric,
)
from corescore.metrics.muc import MUC
from corescore.metrics.variant import (
    MISSING_ALONE,
    SHARED_ONLY,
    SPURIOUS_ALONE,
    UNCHANGED,
    WITHOUT_SPURIOUS,
    WITHOUT_SPURIOUS_SINGLETONS,
    card_of,
    variant_of,
)
from corescore.metrics.weighted import (
    ACE,
    BLANC_A1,
    BLANC_A2,
    CEAFE_LINKS,
    CEAFM_LINKS,
    LEA_LINKS,
    LEA_ONE,
    Costs,
    ace_value,
    lea_by,
    lea_weighted,
    weighted_blanc,
)

__all__ = ["VARIANTS", "Costs", "ace_value", "lea_by", "lea_weighted", "weighted_blanc"]

_COMPLETED = WITHOUT_SPURIOUS_SINGLETONS.then(MISSING_ALONE)


def _completed(metric: Metric, id: str, title: str) -> Metric:
    """Recall of the key as it is; precision with the spurious mentions as singletons of the key."""
    card = card_of(
        metric,
        id=id,
        name=f"{metric.name} of Cai and Strube",
        counts=(
            f"{metric.name} after three steps. Each missing mention is added to the response as a "
            "singleton, and each spurious singleton removed from it. For precision alone, each "
            "spurious mention that is left is added to the key as a singleton. The letters count "
            "what is there then."
        ),
        one=(
            "the response, without its spurious singletons and with each missing mention as a "
            "singleton, has the entities of the key"
        ),
        zero="the key has no mention",
        empty=(
            "Where the key has no mention, recall is empty; where the response then has no mention "
            "either, precision is empty. F1 is empty where both are, and 0 where one is."
        ),
        examples=(("", "{cd}"), ("", "{d}")),
        papers=(CAI_2010, RECASENS_2011, PRADHAN_2014),
        history=(
            "Cai and Strube wanted one B³ and one CEAF for key mentions and for a system’s own. "
            "It was given up because a mention that the response lacks still earns credit as a "
            "singleton: Pradhan et al. (2014) find its results unintuitive, and score both sides "
            "as they are. What the papers leave open is read so: added mentions are singletons, "
            "and spurious ones change nothing in recall."
        ),
    )
    return variant_of(
        metric,
        id,
        title=title,
        recall=_COMPLETED,
        precision=_COMPLETED.then(SPURIOUS_ALONE),
        paper=CAI_2010.cited,
        card=card,
    )


B3_SYS = _completed(BCUB, "b3-sys", "B³_sys")

CEAF_SYS = _completed(CEAFM, "ceaf-sys", "CEAF_sys")

_CARD = Card(
    id="b3-0",
    name="B³₀",
    counts=(
        "B³ after the spurious mentions were removed from the response. A missing mention earns "
        "nothing in recall, as in B³; a spurious one costs nothing in precision."
    ),
    parts=(
        Formulas(
            recall=r"\frac{1}{A} \sum_{i,j} \frac{n_{ij}^2}{a_i}",
            precision=r"\frac{1}{m} \sum_{i,j} \frac{n_{ij}^2}{n_{\cdot j}}",
        ),
    ),
    symbols=(
        KEY_SIZE,
        SHARED,
        SHARED_OF_RESPONSE,
        (r"A", "mentions of the key"),
        BOTH,
    ),
    unit="As in B³: one mention whose whole entity was found.",
    one="the response, without its spurious mentions, has the entities of the key",
    zero=NO_SHARED_MENTION,
    empty=(
        "Where the key has no mention, recall is empty; where the two sides share no mention, "
        "precision is empty. F1 is empty where both are, and 0 where one is."
    ),
    examples=(("{ab}{c}", "{de}"), ("", "{cd}")),
    papers=(STOYANOV_2009, PRADHAN_2014),
    history=(
        "Stoyanov et al. scored systems that find their mentions themselves, for which B³ had not "
        "been defined. It was given up because it tells nothing of spurious mentions: a response "
        "may add any number of them for free. Pradhan et al. (2014) score both sides as they are."
    ),
)

B3_0 = variant_of(
    BCUB,
    "b3-0",
    title="B³_0",
    recall=UNCHANGED,
    precision=WITHOUT_SPURIOUS,
    paper=STOYANOV_2009.cited,
    card=_CARD,
)


def _without_spurious_singletons(metric: Metric, id: str) -> Metric:
    card = card_of(
        metric,
        id=id,
        name=f"{metric.name} of Rahman and Ng",
        counts=(
            f"{metric.name} after the singletons whose mention the key lacks were removed from "
            "the response. All other spurious mentions stay. The letters count what is left."
        ),
        one="the response, without its spurious singletons, has the entities of the key",
        zero=NO_SHARED_MENTION,
        empty=(
            "Where the key has no mention, recall is empty; where the response has no mention but "
            "spurious singletons, precision is empty. F1 is empty where both are, and 0 where one "
            "is."
        ),
        examples=(("{ab}{c}", "{d}"), ("", "{c}{d}")),
        papers=(RAHMAN_2009, PRADHAN_2014),
        history=(
            "Rahman and Ng did not want to punish a system for mentions that it leaves alone, "
            "since it does not say that they corefer with anything. It was given up because it "
            "removes some spurious mentions and no missing ones. Pradhan et al. (2014) score both "
            "sides as they are."
        ),
    )
    return variant_of(
        metric,
        id,
        title=f"{metric.title} r&n",
        recall=UNCHANGED,
        precision=WITHOUT_SPURIOUS_SINGLETONS,
        paper=RAHMAN_2009.cited,
        card=card,
    )


B3_RN = _without_spurious_singletons(BCUB, "b3-rn")

CEAFM_RN = _without_spurious_singletons(CEAFM, "ceafm-rn")

CEAFE_RN = _without_spurious_singletons(CEAFE, "ceafe-rn")

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

VARIANTS: tuple[Metric, ...] = (
    B3_0,
    B3_RN,
    CEAFM_RN,
    CEAFE_RN,
    MUC_DISCARD,
    B3_DISCARD,
    CEAFM_DISCARD,
    CEAFE_DISCARD,
    LEA_DISCARD,
    B3_SYS,
    CEAF_SYS,
    CEAFM_LINKS,
    CEAFE_LINKS,
    LEA_ONE,
    LEA_LINKS,
    BLANC_A2,
    BLANC_A1,
    H,
    H_JOINT,
    H_GEOMETRIC,
    H_MAX,
    H_LOG,
    V_MEASURE,
    VI,
    ARI,
    ACE,
)
