"""The registry: every metric there is, in the order in which they are always shown."""

from corescore.counting.counts import Counts
from corescore.metrics.bcub import BCUB
from corescore.metrics.blanc import BLANC, BLANC_VARIANTS
from corescore.metrics.ceaf import CEAFE, CEAFM
from corescore.metrics.diagnostics import LINKS, MENTIONS, RAND
from corescore.metrics.lea import LEA
from corescore.metrics.metric import Metric
from corescore.metrics.muc import MUC

METRICS = (MUC, BCUB, CEAFM, CEAFE, BLANC, LEA)
DIAGNOSTICS = (MENTIONS, LINKS, RAND)

__all__ = ["BLANC_VARIANTS", "DIAGNOSTICS", "METRICS", "Counts", "Metric"]
