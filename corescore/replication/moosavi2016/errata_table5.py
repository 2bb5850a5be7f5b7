"""What is printed in Table 5 and does not come out."""

import pandas as pd

from corescore.analysis.systems.ranking import ranks
from corescore.bibliography import LUO_2014, MOOSAVI_2016
from corescore.counting.counts import MEASURES, harmonic_mean_of
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Check
from corescore.replication.luo2014.systems import TABLE_2
from corescore.replication.moosavi2016.table5 import PRINTED, TABLE_5
from corescore.replication.verdict import Reading
from corescore.wording import percent

UNIT = 0.01  # of the last printed digit, in percent
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
    readings = tuple(
        Reading(words, bool((ranks(of.to_numpy()) == muc["rank"]).all()))
        for words, of in (("by F1", muc["f1"]), ("by F1 to one decimal", muc["f1"].round(3)))
    )
    return Check(off.empty, "; ".join(numbers), readings=readings)


def _blanc_of_yuan() -> Check:
    ours = PRINTED.numbers.query("metric == 'blanc'").set_index("system")["f1"]
    luo = TABLE_2.numbers.query("language == 'English'").set_index("system")
    recall, precision, f1 = (float(luo[name]["yuan"]) for name in MEASURES)
    bound = harmonic_mean_of(recall, precision)
    here, there = (100 * float(value) for value in (ours["yuan"], f1))
    readings = (
        Reading("both papers round", abs(here - there) < UNIT / 2),
        Reading("this paper cuts and the other rounds", there - UNIT / 2 < here + UNIT),
    )
    return Check(
        percent(ours["yuan"]) == percent(f1),
        f"{percent(ours['yuan'])} here, {percent(f1)} in {LUO_2014.at('Table 2')}, with recall "
        f"{percent(recall)} and precision {percent(precision)}; their harmonic mean, which F1 of "
        f"BLANC cannot exceed, is {percent(bound)} and allows both",
        readings=readings,
    )


ERRATA: tuple[Erratum, ...] = (
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
)
OPEN_READINGS: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table5-blanc-yuan",
        paper=MOOSAVI_2016,
        where="Table 5",
        kind="figure",
        printed="BLANC of yuan is 52.10.",
        computed="52.11 in Luo et al. 2014, Table 2, from which it cannot be told which is right; "
        "the other 13 systems have the same BLANC in both tables.",
        arithmetic=_blanc_of_yuan,
        cause="One of the two may be cut and the other rounded: this paper’s scorer cuts.",
        experiment=TABLE_5.id,
    ),
)
