"""Table 2, §4.1 and Section 5: what is printed there and does not come out."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.metrics.diagnostics import RAND
from corescore.replication.erratum import Erratum, of_claim
from corescore.replication.experiment import Check, in_paper
from corescore.replication.partitions import score_partitions
from corescore.replication.recasens2011.desiderata import DESIDERATA
from corescore.replication.recasens2011.fig1 import FIGURE_1, FIGURE_1_TOY
from corescore.replication.recasens2011.fig6 import FIGURE_6
from corescore.replication.recasens2011.fig7 import blanc_at
from corescore.replication.recasens2011.table2 import TABLE_2
from corescore.replication.recasens2011.table8 import KEY, table_8
from corescore.replication.toys import toy_pair
from corescore.replication.verdict import Reading
from corescore.tolerances import TOLERANCE
from corescore.wording import listed, percent

TEXT = Path(__file__).with_name("text.csv")


def in_text(name: str) -> str:
    """A number of the running text, as printed."""
    return str(pd.read_csv(TEXT, comment="#", dtype=str).set_index("id")["printed"][name])


def _names_of_agreement() -> Check:
    """By the links of Figure 1, where the two numbers are far apart."""
    links = in_paper(FIGURE_1).table.iloc[0]
    together, apart = int(links["right_coreference"]), int(links["right_non_coreference"])
    n = together + apart + int(links["wrong_coreference"] + links["wrong_non_coreference"])
    numbers = (
        f"Figure 1 has {together} pairs in one entity on both sides and {apart} apart on both: "
        f"N₁₁ = {together} and N₀₀ = {apart}, by §4.1 N₀₀ = {together} and N₁₁ = {apart}. Their "
        f"sum is the same: the Rand index is {together + apart}/{n} = "
        f"{percent((together + apart) / n)}"
    )
    pair = toy_pair(*(str(parameter.default) for parameter in FIGURE_1_TOY))
    rand = float(score_partitions([pair], [RAND])["f1"].iloc[0])
    readings = (
        Reading("1 stands for a link, as elsewhere", together == apart),
        Reading("the names of §4.1", abs((together + apart) / n - rand) < TOLERANCE),
    )
    return Check(together == apart, numbers, readings=readings)


def _partners() -> Check:
    sides = table_8()
    (linked,) = (entity for entity in sides["B"] if 1 in entity)
    partners = [str(mention) for mention in linked if mention != 1]
    both = [61] in sides[KEY] and [61] in sides["B"]
    numbers = f"B links mention 1 with {listed(partners)}"
    numbers += "; mention 61 is a singleton of the key and of B" if both else ""
    same = partners == in_text("partners").split()
    return Check(same, numbers, readings=(Reading("the numbers of Table 8", same),))


def _last_row() -> Check:
    """The rows of Table 2 hold all entities: so the last one cannot begin above 11."""
    check = in_paper(TABLE_2).by_claim["all-rows"]
    readings = (
        Reading("> as we read it", not check.holds),
        Reading("≥ as it may be printed", check.holds),
    )
    return Check(not check.holds, check.numbers, readings=readings)


def _front_face() -> Check:
    shares = (0, 0.5, 0.9, 1)
    blanc = [blanc_at(1, share) for share in shares]
    numbers = ", ".join(
        f"{percent(value)} at {100 * share:.0f}%"
        for share, value in zip(shares, blanc, strict=True)
    )
    without = f"with no coreference link right it ends at {percent(blanc_at(0, 1))}"
    ends = abs(blanc[-1] - float(in_text("fig7-end"))) < 0.01
    readings = (Reading("a right coreference of 1, right non-coreference from 0 to 1", ends),)
    return Check(ends, f"{numbers}; {without}", readings=readings)


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        id="recasens2011-partners-of-mention-1",
        paper=RECASENS_2011,
        where="§5.1",
        kind="statement",
        printed="“mentions 61, 62, 63 and 64”",
        computed="By Table 8, B links mention 1 with 62, 63, 64 and 65.",
        arithmetic=_partners,
        cause="Counted from one mention too early: the key has 61 singletons, so that the entity "
        "of four begins with 62.",
        experiment="recasens2011-tables8-11",
    ),
    Erratum(
        id="recasens2011-front-face-of-figure-7",
        paper=RECASENS_2011,
        where="§5.3, Figure 7",
        kind="statement",
        printed="“ranges from near zero to 0.5 as right non-coreference ranges from zero to 1”",
        computed="With all coreference links right it ends at 1: then every link is right.",
        arithmetic=_front_face,
        cause="Read off the surface, whose last, steep part is at its edge; or confused with the "
        "face on which no coreference link is right.",
        experiment="recasens2011-fig7",
        claims=("front-face",),
    ),
)
OPEN_READINGS: tuple[Erratum, ...] = (
    Erratum(
        id="recasens2011-table2-label",
        paper=RECASENS_2011,
        where="Table 2",
        kind="caption",
        printed="“> 11-mention”",
        computed="The row before ends with 10, so that entities of 11 would be left out. The last "
        "row must be “≥ 11” (or “> 10”): the rows add up to all entities of both "
        "corpora.",
        arithmetic=_last_row,
        cause="We know the paper from a scan, in which ≥ can be taken for >.",
        experiment="recasens2011-table2",
    ),
    Erratum(
        id="recasens2011-names-of-agreement",
        paper=RECASENS_2011,
        where="§4.1, eq. 1",
        kind="formula",
        printed="N₀₀ is the number of pairs that are in one entity on both sides, N₁₁ that of "
        "pairs that are in different entities on both.",
        computed="The other way round, as the names are used elsewhere: 1 stands for a link.",
        arithmetic=_names_of_agreement,
        cause="A paper may name as it likes: the text keeps to its names, and the Rand index, the "
        "sum of both, stays the same.",
        experiment="recasens2011-fig1",
    ),
    Erratum(
        id="recasens2011-slope-of-figure-6",
        paper=RECASENS_2011,
        where="§5.3, Figure 6",
        kind="statement",
        printed="“The curve slope for BLANC gradually increases”",
        computed="The curve gets flatter: with no wrong link, each further link adds less than the "
        "one before.",
        arithmetic=of_claim(FIGURE_6, "slope"),
        cause="The curve itself may be meant, which does increase: the sentence before has the "
        "slope plotted, and this one goes on to say that it stays above MUC.",
        experiment="recasens2011-fig6",
        claims=("slope",),
    ),
    Erratum(
        id="recasens2011-five-desiderata",
        paper=RECASENS_2011,
        where="§6",
        kind="statement",
        printed="“BLANC fulfills the five desiderata”",
        computed="It does, but that precision is not rewarded more than recall if a wrong link has "
        "to cost more than a missed one.",
        arithmetic=of_claim(DESIDERATA, "precision-weighs-more"),
        cause="The third desideratum is explained by three points, which BLANC meets; how fine a "
        "score has to be is not said, either.",
        experiment=DESIDERATA.id,
        claims=("precision-weighs-more", "fine"),
    ),
)
