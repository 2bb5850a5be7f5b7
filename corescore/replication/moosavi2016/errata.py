"""What is printed in the paper and does not come out."""

from corescore.replication.erratum import Erratum
from corescore.replication.moosavi2016.errata_table5 import ERRATA as TABLE_5
from corescore.replication.moosavi2016.errata_tables1_4 import ERRATA as TABLES_1_AND_4
from corescore.replication.moosavi2016.errata_toys import ERRATA as TOYS

ERRATA: tuple[Erratum, ...] = (*TABLES_1_AND_4, *TOYS, *TABLE_5)
