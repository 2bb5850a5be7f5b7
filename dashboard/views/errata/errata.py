"""Errata, which no reading rescues, and open readings."""

from collections.abc import Hashable, Mapping
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.rendering import papers as claims
from corescore.rendering import papers as markup
from corescore.replication.erratum import KINDS, Erratum
from corescore.replication.papers import ERRATA, OPEN_READINGS, errata_table
from corescore.version import __version__
from dashboard.views.errata.filters import ALL, select, select_paper
from dashboard.views.experiments.links import link_to_claims
from dashboard.widgets.page import headline, note, title
from dashboard.widgets.tables import download

OPEN_TITLE = "What is printed and depends on the reading?"


@st.cache_resource(show_spinner=False)
def every_erratum() -> pd.DataFrame:
    """Errata and open readings with their arithmetic: `errata_table`."""
    return errata_table((*ERRATA, *OPEN_READINGS))


def show_errata(place: DeltaGenerator, *, are_open: bool = False) -> None:
    """The selected errata, or open readings, by paper; title and headline go to `place`."""
    every = OPEN_READINGS if are_open else ERRATA
    with st.container(horizontal=True, key="errata_filters"):
        papers = select_paper()
        kind = select("Kind", KINDS, "of_kind")
    kept = [one for one in every if one.paper in papers and kind in (ALL, one.kind)]
    with place:
        title(OPEN_TITLE if are_open else "What is printed and does not come out?")
        headline(markup.headline(kept, len(every)))
        note(markup.OPEN_ABOUT if are_open else markup.ERRATA_ABOUT)
    table = every_erratum()
    rows = {row["id"]: row for row in table.to_dict("records")}
    with st.container(key="errata", gap="small"):
        for paper, of_paper in groupby(kept, key=lambda one: one.paper):
            st.html(claims.heading(paper.name, paper.full_title))
            for one in of_paper:
                show_erratum(one, rows[one.id])
    if not kept:
        note("None of this kind was found in this paper.")
    shown = table[table["id"].isin([one.id for one in kept])]
    name = "open-readings" if are_open else "errata"
    download(shown, f"corescore {__version__} | {name.replace('-', ' ')}", name)


def show_erratum(erratum: Erratum, row: Mapping[Hashable, Any]) -> None:
    """What is printed, what comes out and why, and the way to the experiment."""
    with st.container(horizontal=True, wrap=False, key=f"erratum-{erratum.id}"):
        st.html(markup.erratum(row))
        if erratum.experiment:
            with st.container(width=150):
                link_to_claims(erratum.experiment, erratum.claims)
