"""What is printed in the paper and does not come out, or not under every reading."""

from corescore.replication.recasens2011 import errata_section3, errata_text

_PARTS = (errata_section3, errata_text)
ERRATA = tuple(one for part in _PARTS for one in part.ERRATA)
OPEN_READINGS = tuple(one for part in _PARTS for one in part.OPEN_READINGS)
