"""What does not come out in Figures 1 to 8, Table 3 and what the paper says of LEA in §4."""

from math import comb

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.counting.policies import Blanc, Policies
from corescore.metrics import title_of
from corescore.replication.claims import cut
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Check, in_paper
from corescore.replication.moosavi2016.fig1 import FIGURE_1, FOLDER, passage
from corescore.replication.moosavi2016.fig2 import FIGURE_2
from corescore.replication.moosavi2016.fig3 import FIGURE_3
from corescore.replication.moosavi2016.fig8 import FIGURE_8
from corescore.replication.moosavi2016.figs4_5 import FIGURES_4_5
from corescore.replication.moosavi2016.repeats import REPEATS
from corescore.replication.moosavi2016.table3 import PRINTED, TABLE_3, responses
from corescore.replication.verdict import Reading
from corescore.scoring.scores import score_entities
from corescore.wording import percent

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


ERRATA: tuple[Erratum, ...] = (
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
OPEN_READINGS: tuple[Erratum, ...] = (
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
