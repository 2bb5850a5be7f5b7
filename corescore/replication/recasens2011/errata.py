"""What is printed in the paper and does not come out, or not under every reading."""

from corescore.replication.recasens2011 import errata_section3, errata_text

ERRATA = (*errata_section3.ERRATA, *errata_text.ERRATA)
OPEN_READINGS = (*errata_section3.OPEN_READINGS, *errata_text.OPEN_READINGS)
