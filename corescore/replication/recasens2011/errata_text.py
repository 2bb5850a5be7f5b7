"""Table 2, §4.1 and Section 5: what is printed there and does not come out."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.replication.erratum import Erratum, claim_fails, claim_holds
from corescore.replication.experiment import Check, in_paper
from corescore.replication.recasens2011.fig1 import FIGURE_1
from corescore.replication.recasens2011.fig6 import FIGURE_6
from corescore.replication.recasens2011.fig7 import blanc_at
from corescore.replication.recasens2011.table2 import TABLE_2
from corescore.replication.recasens2011.table8 import KEY, table_8
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
    return Check(together != apart, numbers)


def _partners() -> Check:
    sides = table_8()
    (linked,) = (entity for entity in sides["B"] if 1 in entity)
    partners = [str(mention) for mention in linked if mention != 1]
    both = [61] in sides[KEY] and [61] in sides["B"]
    numbers = f"B links mention 1 with {listed(partners)}"
    numbers += "; mention 61 is a singleton of the key and of B" if both else ""
    return Check(partners != in_text("partners").split(), numbers)


def _front_face() -> Check:
    shares = (0, 0.5, 0.9, 1)
    blanc = [blanc_at(1, share) for share in shares]
    numbers = ", ".join(
        f"{percent(value)} at {100 * share:.0f} %"
        for share, value in zip(shares, blanc, strict=True)
    )
    without = f"with no coreference link right it ends at {percent(blanc_at(0, 1))}"
    return Check(abs(blanc[-1] - float(in_text("fig7-end"))) > 0.01, f"{numbers}; {without}")


TABLES_AND_TEXT = (
    Erratum(
        id="recasens2011-table2-label",
        paper=RECASENS_2011,
        where="Table 2",
        kind="caption",
        printed="The last two rows are labelled “6-10-mention” and “> 11-mention”, which leaves "
        "entities of 11 mentions out.",
        computed="The last row must be “≥ 11” (or “> 10”): the rows add up to all entities of both "
        "corpora.",
        arithmetic=claim_holds(TABLE_2, "all-rows"),
        cause="“>” for “≥”.",
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
        cause="The names were exchanged. The Rand index, their sum, stays the same.",
        experiment="recasens2011-fig1",
    ),
    Erratum(
        id="recasens2011-partners-of-mention-1",
        paper=RECASENS_2011,
        where="§5.1",
        kind="statement",
        printed="Response B links mention 1 with mentions 61, 62, 63 and 64.",
        computed="By Table 8, B links it with 62, 63, 64 and 65.",
        arithmetic=_partners,
        cause="Counted from one mention too early: the key has 61 singletons, so that the entity "
        "of four begins with 62.",
        experiment="recasens2011-tables8-11",
    ),
    Erratum(
        id="recasens2011-slope-of-figure-6",
        paper=RECASENS_2011,
        where="§5.3, Figure 6",
        kind="statement",
        printed="The slope of BLANC's curve gradually increases with the correct coreference "
        "links.",
        computed="It decreases: with no wrong link, each further link adds less than the one "
        "before.",
        arithmetic=claim_fails(FIGURE_6, "slope"),
        cause="Perhaps it is the curve that is meant, which does increase. It is steepest at its "
        "beginning.",
        experiment="recasens2011-fig6",
    ),
    Erratum(
        id="recasens2011-blanc-above-muc",
        paper=RECASENS_2011,
        where="§5.3, Figure 6",
        kind="statement",
        printed="BLANC's curve stays above that of MUC.",
        computed="Not for every choice of correct links.",
        arithmetic=claim_fails(FIGURE_6, "above-muc"),
        cause="True of the order in which the figure adds links, perhaps; the paper does not say "
        "which it is. MUC counts the fewest links that connect an entity, BLANC all pairs.",
        experiment="recasens2011-fig6",
    ),
    Erratum(
        id="recasens2011-front-face-of-figure-7",
        paper=RECASENS_2011,
        where="§5.3, Figure 7",
        kind="statement",
        printed="With all coreference links right, BLANC goes from near 0 to 0.5 as the share of "
        "right non-coreference links goes from 0 to 1.",
        computed="It ends at 1: then every link is right.",
        arithmetic=_front_face,
        cause="Read off the surface, whose last, steep part is at its edge; or confused with the "
        "face on which no coreference link is right.",
        experiment="recasens2011-fig7",
    ),
)
