"""What is printed in the paper and does not come out."""

from corescore.replication.erratum import Erratum
from corescore.replication.recasens2011.errata_table1 import TABLE_1
from corescore.replication.recasens2011.errata_text import TABLES_AND_TEXT

ERRATA: tuple[Erratum, ...] = (*TABLE_1, *TABLES_AND_TEXT)
