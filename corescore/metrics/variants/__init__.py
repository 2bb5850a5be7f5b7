"""Variants of the metrics: what the literature defined and gave up. Scored when named."""

from corescore.metrics.metric import Metric
from corescore.metrics.variants.cai_strube import B3_SYS, CEAF_SYS
from corescore.metrics.variants.discard import (
    B3_DISCARD,
    CEAFE_DISCARD,
    CEAFM_DISCARD,
    LEA_DISCARD,
    MUC_DISCARD,
)
from corescore.metrics.variants.rahman_ng import B3_RN, CEAFE_RN, CEAFM_RN
from corescore.metrics.variants.stoyanov import B3_0

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
)
