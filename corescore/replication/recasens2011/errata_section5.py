"""§4.1 and Section 5: what is printed there and does not come out."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.replication.erratum import Erratum
from corescore.replication.experiment import Check, run
from corescore.replication.recasens2011.fig1 import FIGURE_1
from corescore.replication.recasens2011.table8 import KEY, table_8
from corescore.wording import listed, percent

TEXT = Path(__file__).with_name("text.csv")


def in_text(name: str) -> str:
    """A number of the running text, as printed."""
    return str(pd.read_csv(TEXT, comment="#", dtype=str).set_index("id")["printed"][name])


def _names_of_agreement() -> Check:
    """By the links of Figure 1, where the two numbers are far apart."""
    links = run(FIGURE_1).table.iloc[0]
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


SECTION_5 = (
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
)
