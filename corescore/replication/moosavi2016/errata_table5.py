"""What is printed in Table 5 and does not come out."""

import pandas as pd

from corescore.analysis.systems.ranking import ranks
from corescore.bibliography import LUO_2014, MOOSAVI_2016
from corescore.counting.counts import MEASURES, harmonic_mean_of
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Check
from corescore.replication.luo2014.systems import TABLE_2
from corescore.replication.moosavi2016.table5 import PRINTED, TABLE_5
from corescore.wording import percent

MISTAKEN = 0.1  # of MUC: what li would need more for all printed ranks to come out


def _muc() -> pd.DataFrame:
    """MUC's row of each system: f1 and rank as printed, and place by f1, the best first."""
    rows = PRINTED.numbers.query("metric == 'muc'").set_index("system")
    place = ranks(rows["f1"].to_numpy()).tolist()
    return rows.assign(place=place).sort_values("place")


def _muc_ranks() -> Check:
    muc = _muc()
    off = muc[muc["rank"] != muc["place"]]
    numbers = [
        f"{name}: {percent(row['f1'])} is number {row['place']:.0f}, printed {row['rank']:.0f}"
        for name, row in off.iterrows()
    ]
    with_more = muc["f1"].copy()
    with_more["li"] += MISTAKEN
    explained = (ranks(with_more.to_numpy()) == muc["rank"]).all()
    if explained:
        more = percent(with_more["li"])
        numbers.append(f"with {more} for li all {len(muc)} printed ranks come out")
    return Check(not off.empty, "; ".join(numbers))


def _blanc_of_yuan() -> Check:
    ours = PRINTED.numbers.query("metric == 'blanc'").set_index("system")["f1"]
    luo = TABLE_2.numbers.query("language == 'English'").set_index("system")
    recall, precision, f1 = (float(luo[name]["yuan"]) for name in MEASURES)
    bound = harmonic_mean_of(recall, precision)
    return Check(
        percent(ours["yuan"]) != percent(f1),
        f"{percent(ours['yuan'])} here, {percent(f1)} in {LUO_2014.at('Table 2')}, with recall "
        f"{percent(recall)} and precision {percent(precision)}; their harmonic mean, which F1 of "
        f"BLANC cannot exceed, is {percent(bound)} and allows both",
    )


ERRATA = (
    Erratum(
        id="moosavi2016-table5-muc-ranks",
        paper=MOOSAVI_2016,
        where="Table 5",
        kind="rank",
        printed="By MUC, li is 11th, songyang 12th and zhekova 13th.",
        computed="By their printed F1, songyang is 11th, zhekova 12th and li 13th.",
        arithmetic=_muc_ranks,
        cause="Probably li was ranked with an F1 ten points too high; its average has the F1 that "
        "is printed.",
        experiment=TABLE_5.id,
        cells=tuple((name, "muc", "rank") for name in ("li", "songyang", "zhekova")),
    ),
    Erratum(
        id="moosavi2016-table5-blanc-yuan",
        paper=MOOSAVI_2016,
        where="Table 5",
        kind="figure",
        printed="BLANC of yuan is 52.10.",
        computed="52.11 in Luo et al. 2014, Table 2, from which it cannot be told which is right; "
        "the other 13 systems have the same BLANC in both tables.",
        arithmetic=_blanc_of_yuan,
        cause="One of the two was cut or rounded differently.",
        experiment=TABLE_5.id,
    ),
)
