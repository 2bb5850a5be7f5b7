"""What is printed in the paper and does not come out, or not under every reading."""

from functools import partial
from math import comb

import pandas as pd

from corescore.analysis.systems.many import ranks
from corescore.bibliography import LUO_2014, MOOSAVI_2016
from corescore.counting.counts import MEASURES, harmonic_mean_of
from corescore.counting.policies import Blanc, Policies
from corescore.metrics import title_of
from corescore.replication.claims import cut, told_by
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Check, Reading, in_paper
from corescore.replication.luo2014.systems import TABLE_2
from corescore.replication.moosavi2016 import table1, table4
from corescore.replication.moosavi2016.curves import FIGURE_2, FIGURE_3, FIGURE_8
from corescore.replication.moosavi2016.table4 import TABLE4_PRINTED as TABLE_4
from corescore.replication.moosavi2016.table5 import PRINTED as TABLE_5_PRINTED
from corescore.replication.moosavi2016.table5 import TABLE_5
from corescore.replication.moosavi2016.toys import (
    FIGURE_1,
    FIGURES_4_5,
    FOLDER,
    PRINTED,
    REPEATS,
    TABLE_3,
    passage,
    responses,
)
from corescore.scoring.scores import score_entities
from corescore.wording import percent

# What does not come out in Figures 1 to 8, Table 3 and what the paper says of LEA in §4 -----------

RULES: tuple[Blanc, ...] = ("reference", "luo2014", "recasens2011")

SLIP = ("cr2", "blanc")  # the one cell of Table 3 that neither rounding nor cutting gives


def _mentions_named_twice() -> Check:
    mentions = pd.read_csv(FOLDER / "figure1.csv", comment="#")
    numbered = mentions[mentions["mention"].str.contains(r"\d$")]
    twice = numbered[numbered.duplicated("mention", keep=False)]
    numbers = [
        f"mention {row['number']} is {row['mention']} of entity ({row['entity']})"
        for row in twice.to_dict("records")
    ]
    within = numbered.duplicated(["mention", "entity"]).any()
    readings = (
        Reading("the numbers count in the whole text", twice.empty),
        Reading("the numbers count within an entity, whose index is a mark, too", not within),
    )
    return Check(twice.empty, "; ".join(numbers), readings=readings)


def _blanc_of_one_half() -> Check:
    key, (half,) = passage()[1], responses()["cr2"]
    found, of = comb(len(half), 2), comb(len(key), 2)
    f1 = 2 * found / (of + found)
    cells = PRINTED.cells.set_index(["response", "metric"])["f1 %"].to_dict()
    printed = cells[SLIP]
    numbers = (
        f"{found} of the key's {of} links, and no other: recall {found}/{of}, precision 1, F1 = "
        f"2 · {found} / ({of} + {found}) = {percent(f1)}; printed {printed}. Neither side "
        "keeps two mentions apart, so that this is BLANC"
    )
    rules = {
        rule: score_entities([key], [half], Policies(blanc=rule))["blanc"].f1 for rule in RULES
    }
    readings = tuple(
        Reading(f"by the rule {rule}, {words}", of_rule == printed)
        for rule, value in rules.items()
        for words, of_rule in (("rounded", percent(value)), ("cut", cut(100 * value)))
    )
    return Check(percent(f1) == printed, numbers, readings=readings)


def _cut_not_rounded() -> Check:
    rows = [
        row
        for row in PRINTED.beside(in_paper(TABLE_3).table).to_dict("records")
        if (row["response"], row["metric"]) != SLIP
    ]
    rounded = [f"{row['computed']:.2f}" for row in rows]
    slips = [
        f"{title_of(row['metric'])} of {row['response']} {row['computed']:.3f}: "
        f"printed {row['printed']}, rounded {value}"
        for row, value in zip(rows, rounded, strict=True)
        if value != row["printed"]
    ]
    readings = (
        Reading("the figures are rounded", not slips),
        Reading("the figures are cut", all(cut(row["computed"]) == row["printed"] for row in rows)),
    )
    return Check(not slips, "; ".join(slips), readings=readings)


_OF_TOYS: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table3-blanc",
        paper=MOOSAVI_2016,
        where="§3.3, Table 3",
        kind="figure",
        printed="BLANC of cr2 is 32.29.",
        computed="It is 6/17, 35.29.",
        arithmetic=_blanc_of_one_half,
        cause="A digit mistyped: all other digits and all other cells come out.",
        experiment=TABLE_3.id,
        cells=(("cr2", "blanc", "f1"),),
    ),
)

_OPEN_IN_TOYS: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-lea-mentions-alone",
        paper=MOOSAVI_2016,
        where="§4",
        kind="statement",
        printed="“the mention identification effect does not apply to LEA recall and precision”",
        computed="Without singletons in the key it does not. With some, a response of singletons "
        "scores although it has no link of two mentions: LEA 17.71 for the key of Figure 8 with as "
        "many singletons as other entities.",
        arithmetic=of_claim(FIGURE_8, "lea-mentions-alone"),
        cause="By the same section a singleton has one link, to itself, which counts as found only "
        "if it is a singleton on both sides: so read, what LEA pays for is a link. The paper's "
        "data and its toy key have no singletons.",
        experiment="moosavi2016-fig8",
        claims=("lea-mentions-alone",),
    ),
    Erratum(
        id="moosavi2016-figure1-them",
        paper=MOOSAVI_2016,
        where="§3.3, Figure 1",
        kind="figure",
        printed="“Mentions with the same text are marked with different indices”",
        computed="Two mentions, of entities (1) and (5), are both named them1.",
        arithmetic=_mentions_named_twice,
        cause="Either a slip, or mentions are numbered within their entity: all other mentions "
        "with the same words are of one entity. Table 2 lists them without a number.",
        experiment=FIGURE_1.id,
    ),
    Erratum(
        id="moosavi2016-table3-cut",
        paper=MOOSAVI_2016,
        where="§3.3, Table 3",
        kind="figure",
        printed="MUC of cr1 is 92.30, B³ of cr1 and both CEAF of cr2 are 66.66.",
        computed="Rounded they are 92.31 and 66.67.",
        arithmetic=_cut_not_rounded,
        cause="The reference scorer, which the paper uses, prints percentages cut, not rounded.",
        experiment=TABLE_3.id,
    ),
    Erratum(
        id="moosavi2016-blanc-mentions",
        paper=MOOSAVI_2016,
        where="§3.4",
        kind="statement",
        printed="“the mention identification effect affects BLANC most strongly”",
        computed="With mentions that come, it does: under every choice of Figure 8, and in Less "
        "precise (a). When mentions go (More precise), CEAF_e loses more: 0.10 points of recall.",
        arithmetic=of_claim(FIGURE_8, "blanc-most"),
        cause="The text argues with mentions that come. BLANC gains with the number of pairs of "
        "found mentions, CEAF_e with the number of entities they are in: which gains more depends "
        "on the output. With all mentions of the key and no correct link, as in Figure 8, BLANC is "
        "highest.",
        experiment=FIGURE_8.id,
        claims=("blanc-most",),
    ),
    Erratum(
        id="moosavi2016-lea-repeats",
        paper=MOOSAVI_2016,
        where="§4",
        kind="statement",
        printed="“the existence of repeated mentions in different response entities is not "
        "troublesome for LEA”",
        computed="Where two mentions are repeated together, LEA counts their link each time.",
        arithmetic=of_claim(REPEATS, "lea-untroubled"),
        cause="The formula adds up the links of each response entity, whether they were there "
        "before or not. It is true where one mention alone is repeated, and of scores by the "
        "reference scorer, which drops repeats first.",
        experiment=REPEATS.id,
        claims=("lea-untroubled",),
    ),
    Erratum(
        id="moosavi2016-figure2-blanc",
        paper=MOOSAVI_2016,
        where="§7.1, Figure 2",
        kind="statement",
        printed="“less than or equal to those of B³ and LEA”",
        computed="BLANC is never above B³ and LEA, but when the largest entity comes first.",
        arithmetic=of_claim(FIGURE_2, "blanc-below-bcub"),
        cause="The paper does not say which links come first.",
        experiment=FIGURE_2.id,
        claims=("blanc-below-bcub", "blanc-below-lea"),
    ),
    Erratum(
        id="moosavi2016-figure3-ceafe",
        paper=MOOSAVI_2016,
        where="§7.1",
        kind="statement",
        printed="“an unreasonable drop when the correct link ratio changes from 0% to 20%”",
        computed="CEAF_e drops under one of our twelve choices for Figure 3: the largest entity "
        "first, few wrong groups. In Figure 2 it begins at 0.",
        arithmetic=of_claim(FIGURE_3, "ceafe-drops"),
        cause="The paper names neither the figure, nor which links come first and which wrong "
        "partners the other mentions get.",
        experiment=FIGURE_3.id,
        claims=("ceafe-drops",),
    ),
    Erratum(
        id="moosavi2016-figure3-blanc",
        paper=MOOSAVI_2016,
        where="§7.1, Figure 3",
        kind="statement",
        printed="“at least 20% higher than that of other metrics”",
        computed="At 100% all metrics are 100. Before, BLANC is a fifth higher than the others if "
        "the largest entity comes first; it is nowhere 20 points higher throughout.",
        arithmetic=of_claim(FIGURE_3, "blanc-far-above"),
        cause="The right end of the figure may not be meant, and 20% may be a share. The paper "
        "does not say which links come first, and which wrong partners the other mentions get.",
        experiment=FIGURE_3.id,
        claims=("blanc-far-above",),
    ),
    Erratum(
        id="moosavi2016-figures4-5-captions",
        paper=MOOSAVI_2016,
        where="Captions of Figures 4 and 5",
        kind="caption",
        printed="“CEAF, and LEA are the same”",
        computed="F1 of B³, CEAF_m and LEA is the same, as §7.2 says; CEAF_e is another curve.",
        arithmetic=of_claim(FIGURES_4_5, "equal-by-captions"),
        cause="The captions do not say which CEAF; the text does.",
        experiment=FIGURES_4_5.id,
        claims=("equal-by-captions",),
    ),
)

_OF_TABLES_1_TO_4: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table1-less-precise-b",
        paper=MOOSAVI_2016,
        where="Table 1, Less precise (b), and §2",
        kind="figure",
        printed="“the new entities are larger but their number is smaller”",
        computed="By the scores of the row about 2,429 entities are added, with about 284 links "
        "among them: 283 or 284 pairs and about 2,146 singletons.",
        arithmetic=table1.row_b,
        cause="Perhaps only one link of each of the 283 entities came into the output that was "
        "scored, so that its other mentions became singletons.",
        experiment="moosavi2016-table1",
        claims=("count-less-b",),
    ),
    Erratum(
        id="moosavi2016-table4-peng",
        paper=MOOSAVI_2016,
        where="§6, Table 4",
        kind="statement",
        printed="“Peng’s precision is marginally better than recall”",
        computed="By LEA its precision is 58.97 and its recall 51.91: 7.06 points apart.",
        arithmetic=told_by(TABLE_4, table4.peng_is_precise),
        cause="Probably another word was meant, such as markedly: the sentence sets LEA off from "
        "CEAF_e, whose recall and precision it calls similar.",
        experiment="moosavi2016-table4",
        claims=("peng-precision",),
    ),
)

_OPEN_IN_TABLES_1_TO_4: tuple[Erratum, ...] = (
    Erratum(
        id="moosavi2016-table1-ceafe-of-b",
        paper=MOOSAVI_2016,
        where="§2, on Table 1",
        kind="statement",
        printed="“scores improve significantly over those of Base”",
        computed="F1 of CEAF_e is 57.05 for Base and 56.51 for Less precise (b); all other F1, all "
        "recall and every score of Less precise (a) rise.",
        arithmetic=partial(table1.scores_rise_in_print, table1.LESS_B),
        cause="Scores may be recall, of which the sentence before speaks. That output has many "
        "singletons, which lower precision of CEAF_e by almost as much as they raise recall.",
        experiment="moosavi2016-table1",
        claims=("f1-less-b",),
    ),
    Erratum(
        id="moosavi2016-single-entity",
        paper=MOOSAVI_2016,
        where="§3.1",
        kind="statement",
        printed="With all mentions of the key in a single response entity, MUC has a precision of "
        "78.44 and an F1 of 87.91.",
        computed="With one entity in all, a precision of 77.07 and an F1 of 87.05.",
        arithmetic=table4.parts_in_print,
        cause="The scorer goes part by part, so that each part has an entity of its own, and cuts "
        "percentages. The paper counts 348 parts; two may have no mention: the boundary systems of "
        "Table 4 fit 346, too.",
        experiment="moosavi2016-table4",
        claims=("key-1ent-parts",),
    ),
)

# What is printed in Table 5 and does not come out -------------------------------------------------

UNIT = 0.01  # of the last printed digit, in percent

MISTAKEN = 0.1  # of MUC: what li would need more for all printed ranks to come out


def _muc() -> pd.DataFrame:
    """MUC's row of each system: f1 and rank as printed, and place by f1, the best first."""
    rows = TABLE_5_PRINTED.numbers.query("metric == 'muc'").set_index("system")
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
    ours = TABLE_5_PRINTED.numbers.query("metric == 'blanc'").set_index("system")["f1"]
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


_OF_TABLE_5: tuple[Erratum, ...] = (
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

_OPEN_IN_TABLE_5: tuple[Erratum, ...] = (
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

# What does not come out in Tables 1 and 4 of the paper, and in what its text says of them ---------

ERRATA = (*_OF_TABLES_1_TO_4, *_OF_TOYS, *_OF_TABLE_5)

OPEN_READINGS = (
    *_OPEN_IN_TABLES_1_TO_4,
    *_OPEN_IN_TOYS,
    *_OPEN_IN_TABLE_5,
)
