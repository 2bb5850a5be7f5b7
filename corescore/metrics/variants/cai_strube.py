"""B³_sys and CEAF_sys: twinless mentions stand alone on the side that lacks them (Cai & Strube
2010)."""

from corescore.bibliography import CAI_2010, PRADHAN_2014, RECASENS_2011
from corescore.metrics.bcub import BCUB
from corescore.metrics.ceaf import CEAFM
from corescore.metrics.metric import Metric
from corescore.metrics.variants.changes import (
    MISSING_ALONE,
    SPURIOUS_ALONE,
    WITHOUT_SPURIOUS_SINGLETONS,
    card_of,
    variant_of,
)

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
