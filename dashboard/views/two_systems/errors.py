"""Which errors A and B make, and where B makes more."""

import streamlit as st

from corescore.analysis.error_table.confusion import term
from corescore.analysis.errors.operations import slice_kinds
from corescore.analysis.systems.mentions import most_different
from corescore.corpus.problems import PolicyError
from corescore.plots import compare as compare_plots
from corescore.sentences import compare
from corescore.sentences.errors import KINDS_ARE, NAMES, REPEATED
from corescore.sentences.names import SLICE_NAMES
from dashboard.views.two_systems import cached, columns
from dashboard.views.two_systems.shown import Shown
from dashboard.widgets.charts import chart, clicked_points, kept
from dashboard.widgets.error_counts import show_kinds, slice_term
from dashboard.widgets.error_link import open_errors
from dashboard.widgets.page import headline, note, subtitle
from dashboard.widgets.selection import select_lasting
from dashboard.widgets.tables import download, table

_errors = kept(compare_plots.errors)


def show(shown: Shown) -> None:
    """How many errors of each kind either makes; why not, where mentions are listed twice."""
    subtitle("Errors of each kind")
    try:
        of_kind = shown.pair.errors
    except PolicyError:
        note(REPEATED)
        return
    said = compare.errors(of_kind)
    headline(said)
    chart(
        _errors(of_kind),
        "errors",
        *shown.names,
        key="errors",
        on_select=lambda: take_kind(shown),
        alt=f"How many errors of each kind A and B make. {said}",
        rows=lambda: of_kind.set_axis(["A", "B", "B − A"], axis=1).reset_index(),
    )
    note(KINDS_ARE)
    show_kinds(shown.loaded.systems)
    frame = of_kind.reset_index()
    download(frame, shown.pair.signature, "errors", *shown.names, signed=False)
    show_differences(shown)


def take_kind(shown: Shown) -> None:
    """List the errors of the kind and the system that were clicked."""
    for letter, kind in clicked_points("errors")[:1]:
        system = shown.loaded.system(letter)
        open_errors(term("kind", kind), system, label=f"The {NAMES[kind]} of {letter}")


@st.fragment
def show_differences(shown: Shown) -> None:
    """How many more errors of each kind B has than A, in each document or slice."""
    by = select_lasting(
        "How many more B has, by",
        ["document", *slice_kinds(shown.loaded.key)],
        format_func=lambda name: SLICE_NAMES.get(name, name),
        key="errors_by",
        width=300,
    )
    differences = cached.errors(shown.loaded, by=by)
    rows = most_different(differences)
    if rows.empty:
        note("A and B make as many errors of each kind everywhere.")
        return
    cell = table(
        rows.reset_index(),
        columns.error_columns(by, list(differences.columns)),
        most=8,
        key=f"errors_by {by}",
        on_select=lambda: None,  # the run that follows shows what was clicked
        alt="How many more errors of each kind B has than A; a row for each document or slice.",
    )
    if cell and cell[1] in differences.columns:
        within = slice_term(by, str(rows.index[cell[0]]))
        show_kinds(shown.loaded.systems, within, [cell[1]])
    else:
        note("Click a number to list the mentions of A and of B with these errors.")
    name = "errors-by", by, *shown.names
    download(differences.reset_index(), shown.pair.signature, *name, signed=False)
