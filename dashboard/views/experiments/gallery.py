"""All experiments by paper; their claims are checked once all are shown."""

from collections import Counter
from itertools import groupby

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.metrics import HOW_MANY
from corescore.plots import template
from corescore.rendering import html as markup
from corescore.rendering import papers
from corescore.replication import Experiment
from corescore.replication.conformance import QUESTIONS
from corescore.replication.erratum import Erratum
from corescore.replication.papers import ERRATA
from corescore.sentences.verdicts import overall
from dashboard.views.experiments import cached
from dashboard.views.experiments.links import SHEET, SHEET_TITLE, experiments, open_
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import title


def show_gallery() -> None:
    """The experiments in two columns, a paper below the other."""
    every = list(experiments().values())
    headline = title("Do the published observations hold?").empty()
    headline.html(markup.headline(overall([], n_waiting=len(every))))
    columns = st.container(key="gallery").columns(2, gap="large")
    heights = [0, 0]
    slots: dict[str, DeltaGenerator] = {}
    for paper, group in groupby(every, key=lambda experiment: experiment.paper):
        of_paper = list(group)
        lower = heights.index(min(heights))
        heights[lower] += len(of_paper) + 2
        with columns[lower]:
            st.html(papers.heading(paper.name, paper.full_title))
            slots |= {experiment.id: row(experiment) for experiment in of_paper}
    with columns[heights.index(min(heights))]:
        st.html(
            papers.heading("All papers", f"{len(QUESTIONS)} questions to each of the {HOW_MANY}")
        )
        st.button(SHEET_TITLE, key=f"open-{SHEET}", on_click=open_, args=(SHEET,), type="tertiary")
    with st.container(key="ahead"):  # not shown: the charts' code loads while one reads
        st.plotly_chart(template.nothing(), key="nothing")
    check_all(headline, every, slots)


def row(experiment: Experiment) -> DeltaGenerator:
    """One line of the gallery; the place for its tally."""
    line = st.container(horizontal=True, wrap=False, gap="small")
    line.button(
        f"**{plain(experiment.where)}** {plain(experiment.title)}",
        key=f"open-{experiment.id}",
        on_click=open_,
        args=(experiment.id,),
        type="tertiary",
        width="stretch",
        wrap=True,
    )
    slot = line.container(width=124).empty()
    slot.html(papers.waiting("on the loaded data" if experiment.on_data else "…"))
    return slot


def _is_a_claim(erratum: Erratum) -> bool:
    return erratum.kind == "statement" and bool(erratum.claims)


def check_all(
    headline: DeltaGenerator, every: list[Experiment], slots: dict[str, DeltaGenerator]
) -> None:
    """Run what needs no data, one after the other, and say what holds; below it how many errata
    there are, but for those of statements that a claim checks: it does not hold."""
    waiting = [experiment for experiment in every if not experiment.on_data]
    n_errata = Counter(one.experiment for one in ERRATA if not _is_a_claim(one))
    checked = []
    for n, experiment in enumerate(waiting, 1):
        checked.append(cached.outcome(experiment).checks)
        tally = papers.tally_line(checked[-1], n_errata=n_errata[experiment.id])
        slots[experiment.id].html(tally)
        headline.html(markup.headline(overall(checked, n_waiting=len(waiting) - n)))
