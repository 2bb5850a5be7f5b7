"""Errata, open readings, and every statement of the papers."""

from collections.abc import Callable, Sequence
from itertools import groupby

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.bibliography import Paper
from corescore.rendering import papers as markup
from corescore.replication import EXPERIMENTS
from corescore.replication.claims import KINDS
from corescore.replication.experiment import VERDICTS, Outcome
from corescore.replication.papers import (
    ERRATA,
    FOLDERS,
    OPEN_READINGS,
    STATEMENTS,
    Tried,
    errata_table,
    run_on_sample,
    statements_table,
    try_statements,
)
from corescore.sentences.verdicts import statement_counts
from corescore.util import SAMPLE
from corescore.version import __version__
from corescore.wording import capital
from dashboard.views import experiments
from dashboard.views.experiments import link_to_claims
from dashboard.widgets.page import headline, note, title
from dashboard.widgets.selection import pick, switch
from dashboard.widgets.tables import download

# The boxes that select a paper, and a kind or a verdict -------------------------------------------

ALL = "all"


def select_paper() -> set[Paper]:
    """The selected paper, or all."""
    name = pick_one("paper", [*FOLDERS], lambda name: FOLDERS[name].name)
    return set(FOLDERS.values()) if name == ALL else {FOLDERS[name]}


def pick_one(key: str, names: Sequence[str], called: Callable[[str], str] = capital) -> str:
    """The selected one of these, or ALL."""
    return pick(key, [ALL, *names], called=lambda name: "All" if name == ALL else called(name))


# Errata, which no reading rescues, and open readings ----------------------------------------------

OPEN_TITLE = "Which published results depend on the reading?"


@st.cache_resource(show_spinner=False)
def every_erratum() -> pd.DataFrame:
    """Errata and open readings with their arithmetic: `errata_table`."""
    return errata_table((*ERRATA, *OPEN_READINGS))


def show_errata(place: DeltaGenerator, *, are_open: bool = False) -> None:
    """The selected errata, or open readings, by paper; title and headline go to `place`."""
    every = OPEN_READINGS if are_open else ERRATA
    with st.container(horizontal=True, key="errata_filters"):
        papers = select_paper()
        kind = pick_one("of_kind", KINDS)
    kept = [one for one in every if one.paper in papers and kind in (ALL, one.kind)]
    with place:
        title(OPEN_TITLE if are_open else "Which published results could not be reproduced?")
        headline(markup.headline(kept, len(every)))
        note(markup.OPEN_ABOUT if are_open else markup.ERRATA_ABOUT)
    table = every_erratum()
    rows = {row["id"]: row for row in table.to_dict("records")}
    with st.container(key="errata", gap="small"):
        for paper, of_paper in groupby(kept, key=lambda one: one.paper):
            st.html(markup.heading(paper.name, paper.full_title))
            for one in of_paper:
                with st.container(horizontal=True, wrap=False, key=f"erratum-{one.id}"):
                    st.html(markup.erratum(rows[one.id]))
                    if one.experiment:
                        with st.container(width=150):
                            link_to_claims(one.experiment, one.claims)
    if not kept:
        note("None of this kind was found in this paper.")
    shown = table[table["id"].isin([one.id for one in kept])]
    name = "open-readings" if are_open else "errata"
    download(shown, f"corescore {__version__} | {name.replace('-', ' ')}", name, signed=True)


# Every testable statement of the papers, and whether it holds -------------------------------------

ABOUT = (
    "If several claims check a statement, the worst result counts. A statement about printed "
    "figures holds if the figures support it; any other must also hold when recomputed, under "
    "each reading of the points that the paper leaves open. Text in quotation marks is the "
    "paper's wording; the rest is ours. Claims on data were tried on the sample data, "
    f"{SAMPLE[1]} against {SAMPLE[0]}, as it is and without its singletons."
)


@st.cache_resource(show_spinner=False)
def on_sample() -> list[Outcome]:
    """The experiments on data, run on the sample."""
    return run_on_sample(one for one in EXPERIMENTS if one.on_data)


def every_statement() -> tuple[Tried, ...]:
    """All statements, tried; what runs on data runs on the sample."""
    others = [experiments.outcome_of(one) for one in EXPERIMENTS if not one.on_data]
    return try_statements(STATEMENTS, [*others, *on_sample()])


OPEN = "Open readings"

SHOWN = ("Errata", OPEN, "Statements")


def page() -> None:
    """The errata, the open readings or the statements, as the URL says."""
    place = st.container()
    shown = switch("list", SHOWN)
    if shown == "Statements":
        # The selected statements, paper by paper; title and headline go to `place`.
        with st.container(horizontal=True, key="statement_filters"):
            papers = select_paper()
            verdict = pick_one("verdict", VERDICTS)
        with place:
            title("Which statements of the papers hold?")
            with st.spinner("Trying the statements"):
                of_papers = [one for one in every_statement() if one.statement.paper in papers]
            headline(statement_counts(one.verdict for one in of_papers))
            note(ABOUT)
        kept = [one for one in of_papers if verdict in (ALL, one.verdict)]
        with st.container(key="statements", gap="small"):
            for paper, of_paper in groupby(kept, key=lambda one: one.statement.paper):
                st.html(markup.heading(paper.name, paper.full_title))
                for number, one in enumerate(of_paper):
                    with st.container(
                        key=f"tried-{paper.name}-{number}", horizontal=True, wrap=False
                    ):
                        # Verdict, statement and reasons, and the way to the claims that check it.
                        st.html(markup.statement(one))
                        with st.container(width=150, gap="xsmall"):
                            for name, of_one in groupby(
                                one.statement.claims, key=lambda claim: claim[0]
                            ):
                                link_to_claims(name, [claim for _, claim in of_one])
        if not kept:
            note("No statement of this paper has this verdict.")
        download(
            statements_table(kept),
            f"corescore {__version__} | statements",
            "statements",
            signed=True,
        )
    else:
        show_errata(place, are_open=shown == OPEN)
