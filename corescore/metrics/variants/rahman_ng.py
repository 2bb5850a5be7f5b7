"""B³ and CEAF without spurious singletons (Rahman & Ng 2009)."""

from corescore.bibliography import PRADHAN_2014, RAHMAN_2009
from corescore.metrics.bcub import BCUB
from corescore.metrics.card import NO_SHARED_MENTION
from corescore.metrics.ceaf import CEAFE, CEAFM
from corescore.metrics.metric import Metric
from corescore.metrics.variants.changes import (
    UNCHANGED,
    WITHOUT_SPURIOUS_SINGLETONS,
    card_of,
    variant_of,
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
