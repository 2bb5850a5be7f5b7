"""Data sets: which system is best over several?"""

from functools import partial

import streamlit as st

from corescore.analysis.systems.data_sets import DataSets, over_data_sets, repeated_texts
from corescore.plots.many import critical_differences
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.rendering import many as tables
from corescore.sentences import many as sentences
from dashboard.session.data_set_scores import Scored
from dashboard.views.data_sets import opening
from dashboard.views.data_sets.standings import select_cells, show_standings
from dashboard.views.two_systems.shown import metrics_of
from dashboard.widgets.charts import chart
from dashboard.widgets.page import (
    caution,
    headline,
    note,
    show_warnings,
    signature_to_copy,
    subtitle,
    title,
)
from dashboard.widgets.selection import select_measure, select_metric
from dashboard.widgets.tables import download

_NOTHING = "Open a zip archive of data sets, or start the dashboard with a folder of them."
_COMMAND = "corescore dashboard --data-sets FOLDER"


def page() -> None:
    """Compare the systems over the data sets that are opened."""
    place = title("Which system is best over several data sets?")
    opened, problems = opening.select()
    if problems:
        st.html(markup.problem_list(problems, kept=opened is not None))
    if opened is None:
        headline(_NOTHING)
        st.code(_COMMAND, language=None)
        return
    scored = opening.score_all(opened)
    repeated = sentences.repeated(repeated_texts(scored.texts))
    if lines := [*opened.warnings, *scored.problems, *repeated]:
        st.html(markup.warning_list(lines))
    if not scored.tallies:
        headline("No system has a response that can be scored on each data set.")
        return
    found, cells = select(scored)
    with place:
        headline(f"{sentences.leader(found)} {sentences.conclusion(found)}")
    show_standings(opened, found, cells)
    every = (tally for of in scored.tallies.values() for tally in of.values())
    show_warnings(every, about="the data sets")
    show_signature(scored, found)
    show_differences(found)


def select(scored: Scored) -> tuple[DataSets, str]:
    """The systems, compared by a measure of a metric, and what the cells of the table are."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = select_measure()
        metrics = metrics_of(measure)
        metric = select_metric("Compared by", metrics, key="by", first=metrics[-1])
        cells = select_cells()
    return over_data_sets(scored.tallies, metric, measure=measure), cells


def show_signature(scored: Scored, found: DataSets) -> None:
    """How it was scored, and the scores as a file."""
    of_each = [list(of.values()) for of in scored.tallies.values()]
    # Where no document has zeros the policy for them is not named.
    settings = max((tally.settings for of in of_each for tally in of), key=len)
    signature = tables.signature(found, settings, sum(len(of[0].documents) for of in of_each))
    signature_to_copy(signature, key="data_sets")
    name = "data-sets", found.metric, found.measure
    download(tables.frame(found), signature, *name, signed=False)


def show_differences(found: DataSets) -> None:
    """Which systems differ over the data sets, and what the tests say."""
    place = subtitle("Which systems differ?")
    said = sentences.diagram(found)
    if found.is_tested:
        with place:
            note(sentences.BARS)
        chart(
            critical_differences(found),
            "critical-differences",
            found.metric,
            found.measure,
            key="critical_differences",
            alt=f"{said}. {sentences.conclusion(found)}",
            rows=partial(drawn.critical_differences, found),
        )
        caution(sentences.CAUTION)
    for line in sentences.tested(found):
        note(line)
