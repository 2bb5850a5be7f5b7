"""What is printed in the paper and does not come out."""

from corescore.replication.erratum import Erratum
from corescore.replication.recasens2011.errata_section3 import SECTION_3
from corescore.replication.recasens2011.errata_text import TABLES_AND_TEXT

ERRATA: tuple[Erratum, ...] = (*SECTION_3, *TABLES_AND_TEXT)
