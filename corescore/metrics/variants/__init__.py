"""Variants of the metrics: what the literature defined and gave up. Scored when named."""

from corescore.metrics.metric import Metric
from corescore.metrics.variants.ace_value import ACE, Costs, ace_value
from corescore.metrics.variants.adjusted_rand import ARI
from corescore.metrics.variants.cai_strube import B3_SYS, CEAF_SYS
from corescore.metrics.variants.ceaf_links import CEAFE_LINKS, CEAFM_LINKS
from corescore.metrics.variants.discard import (
    B3_DISCARD,
    CEAFE_DISCARD,
    CEAFM_DISCARD,
    LEA_DISCARD,
    MUC_DISCARD,
)
from corescore.metrics.variants.information import (
    H_GEOMETRIC,
    H_JOINT,
    H_LOG,
    H_MAX,
    H,
)
from corescore.metrics.variants.lea_importance import LEA_LINKS, LEA_ONE, lea_by, lea_weighted
from corescore.metrics.variants.rahman_ng import B3_RN, CEAFE_RN, CEAFM_RN
from corescore.metrics.variants.stoyanov import B3_0
from corescore.metrics.variants.v_measure import V_MEASURE
from corescore.metrics.variants.variation import VI
from corescore.metrics.variants.weighted_blanc import BLANC_A1, BLANC_A2, weighted_blanc

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

__all__ = ["VARIANTS", "Costs", "ace_value", "lea_by", "lea_weighted", "weighted_blanc"]
