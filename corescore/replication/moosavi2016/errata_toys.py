"""What does not come out in Figures 1 to 8, Table 3 and what the paper says of LEA in §4."""

from math import comb

import pandas as pd

from corescore.bibliography import MOOSAVI_2016
from corescore.metrics import METRIC_IDS, METRICS, title_of
from corescore.replication.claims import cut, numbers_of
from corescore.replication.curves import by_step
from corescore.replication.erratum import Erratum, claim_fails, claim_holds, fails
from corescore.replication.experiment import Check, in_paper
from corescore.replication.moosavi2016.fig1 import FIGURE_1, FOLDER, passage
from corescore.replication.moosavi2016.fig2 import FIGURE_2
from corescore.replication.moosavi2016.fig3 import FIGURE_3
from corescore.replication.moosavi2016.fig8 import FIGURE_8, recall_of_blanc_changes_most
from corescore.replication.moosavi2016.figs4_5 import FIGURES_4_5
from corescore.replication.moosavi2016.repeats import REPEATS
from corescore.replication.moosavi2016.table3 import PRINTED, TABLE_3, responses
from corescore.replication.moosavi2016.toy_key import toy_key
from corescore.replication.partitions import score_partitions
from corescore.wording import percent


def _mentions_named_twice() -> Check:
    mentions = pd.read_csv(FOLDER / "figure1.csv", comment="#")
    numbered = mentions[mentions["mention"].str.contains(r"\d$")]
    twice = numbered[numbered.duplicated("mention", keep=False)]
    numbers = [
        f"mention {row['number']} is {row['mention']} of entity ({row['entity']})"
        for row in twice.to_dict("records")
    ]
    return Check(bool(twice["entity"].nunique() > 1), "; ".join(numbers))


def _blanc_of_one_half() -> Check:
    (half,) = responses()["cr2"]
    found, of = comb(len(half), 2), comb(len(passage()[1]), 2)
    f1 = 2 * found / (of + found)
    rows = PRINTED.numbers.set_index(["response", "metric"])
    printed = float(rows["f1"]["cr2", "blanc"])
    numbers = (
        f"{found} of the key's {of} links, and no other: recall {found}/{of}, precision 1, F1 = "
        f"2 · {found} / ({of} + {found}) = {percent(f1)}; printed {percent(printed)}. Neither side "
        "keeps two mentions apart, so that this is BLANC"
    )
    return Check(percent(f1) != percent(printed), numbers)


def _cut_not_rounded() -> Check:
    rows = PRINTED.beside(in_paper(TABLE_3).table).to_dict("records")
    slips = [
        f"{title_of(row['metric'])} of {row['response']} {row['computed']:.3f}: "
        f"printed {row['printed']}, rounded {row['computed']:.2f}"
        for row in rows
        if f"{row['computed']:.2f}" != row["printed"] == cut(row["computed"])
    ]
    return Check(bool(slips), "; ".join(slips))


def _no_drop_in_figure_2() -> Check:
    table = in_paper(FIGURE_2).table
    f1 = by_step(table[table["chosen"]], "ceafe").mean()
    none, fifth = f1[0.0], f1[0.2]
    numbers = (
        f"CEAF_e is {percent(none)} at 0 %, where the response is empty, and {percent(fifth)} at "
        "20 %; it can drop in Figure 3 alone"
    )
    return Check(bool(none <= fifth), numbers)


def _no_room_above() -> Check:
    key = toy_key(FIGURE_3.setting())
    f1 = score_partitions([(key, key)], METRICS).set_index("metric")["f1"][[*METRIC_IDS]]
    margin = f1["blanc"] - f1.drop("blanc").max()
    return Check(bool(margin < 0.2), f"at 100 % the response is the key: {numbers_of(f1)}")


ERRATA = (
    Erratum(
        id="moosavi2016-figure1-them",
        paper=MOOSAVI_2016,
        where="§3.3, Figure 1",
        kind="figure",
        printed="Two mentions of different entities are both named them1.",
        computed="Mentions with the same words have different numbers: the second is them2.",
        arithmetic=_mentions_named_twice,
        cause="A slip; Table 2 lists “them” without a number and means the one of entity (1).",
        experiment=FIGURE_1.id,
    ),
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
    Erratum(
        id="moosavi2016-table3-cut",
        paper=MOOSAVI_2016,
        where="§3.3, Table 3",
        kind="figure",
        printed="Scores are cut after two decimals: 92.30, 66.66.",
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
        printed="The mention identification effect is strongest in BLANC.",
        computed="In Table 1 CEAF_e’s recall changes more in More precise and in Less precise (b).",
        arithmetic=lambda: fails(recall_of_blanc_changes_most()),
        cause="BLANC gains with the number of pairs of found mentions, CEAF_e with the number of "
        "entities they are in: which gains more depends on the output. With all mentions of the "
        "key and no correct link, as in Figure 8, BLANC is highest.",
        experiment=FIGURE_8.id,
    ),
    Erratum(
        id="moosavi2016-lea-repeats",
        paper=MOOSAVI_2016,
        where="§4",
        kind="statement",
        printed="Repeated mentions in several response entities are no trouble for LEA.",
        computed="Where two mentions are repeated together, LEA counts their link each time.",
        arithmetic=claim_fails(REPEATS, "lea-untroubled"),
        cause="The formula adds up the links of each response entity, whether they were there "
        "before or not. It is true where one mention alone is repeated, and of scores by the "
        "reference scorer, which drops repeats first.",
        experiment=REPEATS.id,
    ),
    Erratum(
        id="moosavi2016-figure2-zero",
        paper=MOOSAVI_2016,
        where="§7.1, Figures 2 and 3",
        kind="statement",
        printed="Of both figures: only MUC and LEA give 0 to a response without a correct link.",
        computed="In Figure 2 every metric does.",
        arithmetic=claim_holds(FIGURE_2, "empty-zero"),
        cause="The sentence is about Figure 3. In Figure 2 such a response is empty, as only "
        "mentions that are correctly resolved are there.",
        experiment=FIGURE_2.id,
    ),
    Erratum(
        id="moosavi2016-figure2-ceafe",
        paper=MOOSAVI_2016,
        where="§7.1, Figures 2 and 3",
        kind="statement",
        printed="Of both figures: CEAF_e drops between 0 % and 20 % correct links.",
        computed="In Figure 2 it cannot.",
        arithmetic=_no_drop_in_figure_2,
        cause="The sentence is about Figure 3, where CEAF_e drops for one of our twelve choices of "
        "what the paper leaves open: the largest entity first, few wrong groups.",
        experiment=FIGURE_3.id,
    ),
    Erratum(
        id="moosavi2016-figure3-blanc",
        paper=MOOSAVI_2016,
        where="§7.1, Figure 3",
        kind="statement",
        printed="BLANC is at least 20 % higher than the other metrics.",
        computed="It cannot be at 100 %, nor by 20 points where another metric is above 80.",
        arithmetic=_no_room_above,
        cause="The right end of the figure was not meant.",
        experiment=FIGURE_3.id,
    ),
    Erratum(
        id="moosavi2016-figures4-5-captions",
        paper=MOOSAVI_2016,
        where="Captions of Figures 4 and 5",
        kind="caption",
        printed="F1 of B³, CEAF and LEA are the same.",
        computed="Those of B³, CEAF_m and LEA are, as §7.2 says; CEAF_e is another curve.",
        arithmetic=claim_fails(FIGURES_4_5, "equal-by-captions"),
        cause="The index of CEAF_m was dropped in the captions.",
        experiment=FIGURES_4_5.id,
    ),
)
