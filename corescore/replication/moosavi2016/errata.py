"""What is printed in the paper and does not come out."""

from corescore.replication.erratum import Erratum
from corescore.replication.moosavi2016.errata_table5 import ERRATA as TABLE_5

ERRATA: tuple[Erratum, ...] = (*TABLE_5,)
