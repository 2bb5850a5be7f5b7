"""Errata, open readings, and every statement of the papers."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.bibliography import Paper
from corescore.rendering import papers as claims
from corescore.rendering import papers as markup
from corescore.replication import EXPERIMENTS
from corescore.replication.erratum import KINDS, Erratum
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
from dashboard.widgets.selection import switch
from dashboard.widgets.tables import download

# The boxes that select a paper, and a kind or a verdict -------------------------------------------

ALL = "all"


def select_paper() -> set[Paper]:
    """The selected paper, or all."""
    name = select("Paper", [*FOLDERS], "paper", lambda name: FOLDERS[name].name)
    return set(FOLDERS.values()) if name == ALL else {FOLDERS[name]}


def select(
    label: str, names: Sequence[str], key: str, called: Callable[[str], str] = capital
) -> str:
    """The selected one of these, or ALL; the selection stands in the URL."""
    return st.selectbox(
        label,
        [ALL, *names],
        format_func=lambda name: "All" if name == ALL else called(name),
        key=key,
        bind="query-params",
        filter_mode=None,
        width=220,
    )


# Errata, which no reading rescues, and open readings ----------------------------------------------

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


# Every testable statement of the papers, and whether it holds -------------------------------------

ABOUT = (
    "A statement is as good as the claim that fares worst of those that check it. One said of "
    "printed figures holds if they bear it out; any other has to come out when recomputed, too, "
    "under each reading of what the paper leaves open. What stands in quotation marks is the "
    "paper's wording, all else is ours. What runs on data was tried on the sample data, "
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


def show_statements(place: DeltaGenerator) -> None:
    """The selected statements, paper by paper; title and headline go to `place`."""
    with st.container(horizontal=True, key="statement_filters"):
        papers = select_paper()
        verdict = select("Verdict", VERDICTS, "verdict")
    with place:
        title("Which statements of the papers hold?")
        with st.spinner("Trying the statements"):
            of_papers = [one for one in every_statement() if one.statement.paper in papers]
        headline(statement_counts(one.verdict for one in of_papers))
        note(ABOUT)
    kept = [one for one in of_papers if verdict in (ALL, one.verdict)]
    with st.container(key="statements", gap="small"):
        for paper, of_paper in groupby(kept, key=lambda one: one.statement.paper):
            st.html(claims.heading(paper.name, paper.full_title))
            for number, one in enumerate(of_paper):
                with st.container(key=f"tried-{paper.name}-{number}", horizontal=True, wrap=False):
                    show_statement(one)
    if not kept:
        note("No statement of this paper has this verdict.")
    download(statements_table(kept), f"corescore {__version__} | statements", "statements")


def show_statement(tried: Tried) -> None:
    """Verdict, statement and reasons, and the way to the claims that check it."""
    st.html(markup.statement(tried))
    with st.container(width=150, gap="xsmall"):
        for name, of_one in groupby(tried.statement.claims, key=lambda claim: claim[0]):
            link_to_claims(name, [claim for _, claim in of_one])


OPEN = "Open readings"

SHOWN = ("Errata", OPEN, "Statements")


def page() -> None:
    """The errata, the open readings or the statements, as the URL says."""
    place = st.container()
    shown = switch("Show", SHOWN, key="list", label_visibility="collapsed")
    if shown == "Statements":
        show_statements(place)
    else:
        show_errata(place, are_open=shown == OPEN)
