"""The formats of this folder."""

from corescore.corpus.formats.standoff.booknlp import BOOKNLP
from corescore.corpus.formats.standoff.brat import BRAT
from corescore.corpus.formats.standoff.ecbplus import ECBPLUS, ECBPLUS_TOPICS
from corescore.corpus.formats.standoff.litbank import LITBANK
from corescore.corpus.formats.standoff.mmax import MMAX
from corescore.corpus.formats.standoff.tei import TEI
from corescore.corpus.formats.standoff.webanno import WEBANNO

STANDOFF_FORMATS = (BRAT, LITBANK, BOOKNLP, WEBANNO, MMAX, ECBPLUS, ECBPLUS_TOPICS, TEI)
