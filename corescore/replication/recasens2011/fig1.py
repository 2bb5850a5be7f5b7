"""Recasens & Hovy 2011, Figure 1: one text, four very different scores."""

from pathlib import Path

import pandas as pd

from corescore.bibliography import RECASENS_2011
from corescore.replication.claims import as_printed, needing, numbers_of, told_by
from corescore.replication.experiment import (
    Chart,
    Check,
    Claim,
    Experiment,
    Setting,
)
from corescore.replication.printed import Printed
from corescore.replication.toys import (
    LINK_COLUMNS,
    toy_pair,
    toy_parameters,
    toy_table,
)

FIGURE_1_TOY = toy_parameters(
    "{1}{2}{3}{4}{6}{8}{10}{11}{13}{7,9}{5,12,14}",
    "{1}{2}{3}{8}{10}{11}{13}{4,6}{5,12}{7,9,14}",
)
_FOLDER = Path(__file__).parent
PRINTED = Printed("Table 7", _FOLDER / "table7.csv")
PRINTED_LINKS = Printed("Table 5", _FOLDER / "table5.csv", on=("response",))


def _figure_1(setting: Setting) -> pd.DataFrame:
    """Rows (response, metric); the response is "figure 1". Columns as `toy_table`."""
    pair = toy_pair(setting.text("key"), setting.text("response"))
    return toy_table(["figure 1"], [pair], setting.metrics, name="response")


def _figure_1_links(table: pd.DataFrame) -> Check:
    found, printed = (
        rows.iloc[0][list(LINK_COLUMNS)].astype(int).tolist()
        for rows in (table, PRINTED_LINKS.numbers)
    )
    rc, wc, rn, wn = found
    numbers = (
        f"of {sum(found)} links: {rc} correct and {wc} wrong coreference links, {rn} correct and "
        f"{wn} wrong non-coreference links"
    )
    return Check(found == printed, numbers)


@needing("muc", "bcub", "ceafm", "blanc")
def _between(table: pd.DataFrame) -> Check:
    f1 = table.set_index("metric")["f1"]
    holds = f1["muc"] < f1["blanc"] < min(f1["bcub"], f1["ceafm"])
    return Check(bool(holds), numbers_of(f1[["muc", "blanc", "ceafm", "bcub"]]))


FIGURE_1 = Experiment(
    id="recasens2011-fig1",
    paper=RECASENS_2011,
    where="Figure 1 with Tables 5 and 7",
    title="How can one text have four very different scores?",
    setup=(
        "Fourteen mentions of a short text. The key has nine singletons, an entity of two and one "
        "of three. The response finds two of the four coreference links, invents three and keeps "
        "seven singletons. Every pair of mentions is a coreference or a non-coreference "
        "link, which the response gets right or wrong. Key and response can be changed."
    ),
    run=_figure_1,
    chart=Chart("bars", x="metric"),
    claims=(
        Claim(
            "Two coreference links are correct and three wrong; 84 non-coreference links are "
            "correct and two wrong.",
            "§4.1, Table 5",
            _figure_1_links,
            id="links",
            scope="result",
        ),
        Claim(
            "The printed scores match.",
            "Table 7",
            as_printed(PRINTED),
            id="as-printed",
            scope="result",
            ours=True,
        ),
        Claim(
            "MUC, which ignores singletons, is far below B³ and CEAF, which singletons raise; "
            "BLANC lies in between.",
            "Table 7, abstract",
            _between,
            id="between",
            in_print=told_by(PRINTED, _between),
            scope="result",
        ),
    ),
    parameters=FIGURE_1_TOY,
    printed=(PRINTED_LINKS, PRINTED),
)
