"""What does not come out in the papers: errata, which no reading rescues, and open readings."""

from collections.abc import Iterable

import pandas as pd

from corescore.replication.erratum import Erratum
from corescore.replication.luo2014 import errata as luo2014
from corescore.replication.moosavi2016 import errata as moosavi2016
from corescore.replication.pradhan2014 import errata as pradhan2014
from corescore.replication.recasens2011 import errata as recasens2011

_PAPERS = (moosavi2016, recasens2011, luo2014, pradhan2014)
ERRATA: tuple[Erratum, ...] = tuple(one for paper in _PAPERS for one in paper.ERRATA)
# What one reading rescues and another does not, or what the text leaves too open to be tried.
OPEN_READINGS: tuple[Erratum, ...] = tuple(one for paper in _PAPERS for one in paper.OPEN_READINGS)


def errata_table(errata: Iterable[Erratum]) -> pd.DataFrame:
    """A row for each erratum or open reading, its arithmetic worked out.

    Columns: id, paper (as it is cited), where, kind, printed, verbatim (whether that is the paper's
    own wording), computed, arithmetic, verdict, held_under and not_under (the readings that were
    tried, joined by "; "), is_off (whether no reading rescues what is printed), cause, experiment
    (its id; "" if there is none).
    """
    rows = []
    for one in errata:
        check = one.arithmetic()
        readings = check.all_readings
        held = [reading.name for reading in readings if reading.holds]
        failed = [reading.name for reading in readings if not reading.holds]
        is_off = check.verdict == "does not hold under any reading"
        rows.append(
            {
                "id": one.id,
                "paper": one.paper.name,
                "where": one.where,
                "kind": one.kind,
                "printed": one.printed,
                "verbatim": one.is_verbatim,
                "computed": one.computed,
                "arithmetic": check.numbers,
                "verdict": check.verdict,
                "held_under": "; ".join(held),
                "not_under": "; ".join(failed),
                "is_off": is_off,
                "cause": one.cause,
                "experiment": one.experiment,
            }
        )
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = [
    *("id", "paper", "where", "kind", "printed", "verbatim", "computed", "arithmetic"),
    *("verdict", "held_under", "not_under", "is_off", "cause", "experiment"),
]
