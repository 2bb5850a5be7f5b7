"""The errata of all the papers: every place found where what is printed does not come out."""

from corescore.replication.erratum import Erratum
from corescore.replication.luo2014.errata import ERRATA as LUO
from corescore.replication.moosavi2016.errata import ERRATA as MOOSAVI
from corescore.replication.pradhan2014.errata import ERRATA as PRADHAN
from corescore.replication.recasens2011.errata import ERRATA as RECASENS

ERRATA: tuple[Erratum, ...] = (*MOOSAVI, *RECASENS, *LUO, *PRADHAN)
