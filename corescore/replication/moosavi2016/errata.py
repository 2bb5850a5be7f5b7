"""What is printed in the paper and does not come out, or not under every reading."""

from corescore.replication.moosavi2016 import errata_table5, errata_tables1_4, errata_toys

ERRATA = (*errata_tables1_4.ERRATA, *errata_toys.ERRATA, *errata_table5.ERRATA)
OPEN_READINGS = (
    *errata_tables1_4.OPEN_READINGS,
    *errata_toys.OPEN_READINGS,
    *errata_table5.OPEN_READINGS,
)
