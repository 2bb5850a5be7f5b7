"""Every testable statement of the papers, and whether it holds."""

from itertools import groupby

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.rendering import papers as claims
from corescore.rendering import papers as markup
from corescore.replication import EXPERIMENTS
from corescore.replication.experiment import VERDICTS, Outcome
from corescore.replication.papers import (
    STATEMENTS,
    Tried,
    run_on_sample,
    statements_table,
    try_statements,
)
from corescore.sentences.verdicts import statement_counts
from corescore.util import SAMPLE
from corescore.version import __version__
from dashboard.views.errata.filters import ALL, select, select_paper
from dashboard.views.experiments import cached
from dashboard.views.experiments.links import link_to_claims
from dashboard.widgets.page import headline, note, title
from dashboard.widgets.tables import download

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
    others = [cached.outcome(one) for one in EXPERIMENTS if not one.on_data]
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
