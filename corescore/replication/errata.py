"""The errata of all the papers: every place found where what is printed does not come out."""

from collections.abc import Iterable

import pandas as pd

from corescore.replication.erratum import Erratum
from corescore.replication.luo2014.errata import ERRATA as LUO
from corescore.replication.moosavi2016.errata import ERRATA as MOOSAVI
from corescore.replication.pradhan2014.errata import ERRATA as PRADHAN
from corescore.replication.recasens2011.errata import ERRATA as RECASENS

ERRATA: tuple[Erratum, ...] = (*MOOSAVI, *RECASENS, *LUO, *PRADHAN)


def errata_table(errata: Iterable[Erratum]) -> pd.DataFrame:
    """A row for each erratum, its arithmetic worked out.

    Columns: id, paper (as it is cited), where, kind, printed, computed, arithmetic, is_off (whether
    what is printed is indeed off), cause, experiment (its id; "" if there is none).
    """
    rows = []
    for one in errata:
        check = one.arithmetic()
        told = (one.id, one.paper.name, one.where, one.kind, one.printed, one.computed)
        rows.append((*told, check.numbers, check.holds, one.cause, one.experiment))
    names = ["id", "paper", "where", "kind", "printed", "computed"]
    return pd.DataFrame(rows, columns=[*names, "arithmetic", "is_off", "cause", "experiment"])
