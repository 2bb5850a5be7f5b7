"""The CoNLL average: the mean of the F1 of MUC, B³ and CEAF_e (Pradhan et al. 2012)."""

from corescore.metrics.metric import GREY, Average

CONLL = Average(
    id="conll",
    title="CoNLL",
    name="CoNLL average",
    members=("muc", "bcub", "ceafe"),
    colour=GREY,
)
