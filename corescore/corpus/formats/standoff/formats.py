"""The formats of this folder."""

from corescore.corpus.formats.standoff.booknlp import BOOKNLP
from corescore.corpus.formats.standoff.brat import BRAT
from corescore.corpus.formats.standoff.litbank import LITBANK
from corescore.corpus.formats.standoff.webanno import WEBANNO

STANDOFF_FORMATS = (BRAT, LITBANK, BOOKNLP, WEBANNO)
