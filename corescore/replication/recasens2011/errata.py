"""What is printed in the paper and does not come out."""

from corescore.replication.erratum import Erratum
from corescore.replication.recasens2011.errata_section5 import SECTION_5
from corescore.replication.recasens2011.errata_table1 import TABLE_1

ERRATA: tuple[Erratum, ...] = (*TABLE_1, *SECTION_5)
