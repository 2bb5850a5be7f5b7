"""What is printed in the paper and does not come out, or not under every reading."""

from corescore.replication.moosavi2016 import errata_table5, errata_tables1_4, errata_toys

_PARTS = (errata_tables1_4, errata_toys, errata_table5)
ERRATA = tuple(one for part in _PARTS for one in part.ERRATA)
OPEN_READINGS = tuple(one for part in _PARTS for one in part.OPEN_READINGS)
