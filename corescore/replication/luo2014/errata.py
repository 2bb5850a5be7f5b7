"""What is printed in the paper and does not come out."""

from corescore.replication.erratum import Erratum

ERRATA: tuple[Erratum, ...] = ()
