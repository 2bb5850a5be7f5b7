"""BLANC: coreference and non-coreference links, each scored, then averaged.

Recasens & Hovy 2011 for mentions that both sides have; Luo et al. 2014 for all others.
"""

from dataclasses import replace

from corescore.bibliography import LUO_2014, PRADHAN_2014, RECASENS_2011
from corescore.metrics.blanc.card import CARD
from corescore.metrics.blanc.counts import (
    blanc_changes,
    blanc_corefud_score,
    blanc_counts,
    blanc_credit,
    blanc_luo_changes,
    blanc_luo_counts,
    blanc_luo_score,
    blanc_score,
    blanc_shared_changes,
    blanc_shared_counts,
    blanc_shared_credit,
)
from corescore.metrics.blanc.explanation import EXPLAINER, blanc_steps
from corescore.metrics.metric import Metric

BLANC = Metric(
    id="blanc",
    title="BLANC",
    unit="coreference or non-coreference link",
    paper=f"{LUO_2014.cited}; {PRADHAN_2014.cited}",
    counts=blanc_counts,
    repeats="links",
    credit=blanc_credit,
    score=blanc_score,
    colour="#D55E00",
    changes=blanc_changes,
    explanation=EXPLAINER,
    textbook=blanc_steps,
    card=CARD,
)
BLANC_LUO2014 = replace(
    BLANC,
    paper=LUO_2014.cited,
    counts=blanc_luo_counts,
    repeats="links",
    credit=blanc_credit,
    score=blanc_luo_score,
    changes=blanc_luo_changes,
)
BLANC_RECASENS2011 = replace(
    BLANC,
    paper=RECASENS_2011.cited,
    counts=blanc_shared_counts,
    repeats="links",
    credit=blanc_shared_credit,
    score=blanc_score,
    changes=blanc_shared_changes,
)
BLANC_COREFUD = replace(BLANC, score=blanc_corefud_score)
BLANC_VARIANTS = {
    "reference": BLANC,
    "luo2014": BLANC_LUO2014,
    "recasens2011": BLANC_RECASENS2011,
    "corefud": BLANC_COREFUD,
}
