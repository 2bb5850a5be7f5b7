"""The errors one by one: a search box, facets, the list, and the panel of the row that is open."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.rendering import html as markup
from corescore.sentences import errors as sentences
from dashboard.components.error_list.component import show_list
from dashboard.components.error_list.values import ErrorListing
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System
from dashboard.session.notes import noted
from dashboard.views.errors import listing, searching
from dashboard.views.errors.asked import Asked, asked
from dashboard.views.errors.listing import Found
from dashboard.views.errors.notes import show_note, show_notes
from dashboard.views.errors.panel import show_error
from dashboard.views.errors.reported import LIST, Report, last_report, take
from dashboard.widgets.page import note
from dashboard.widgets.tables import download

AHEAD = 60  # rows sent before the one that is open
_STYLE = Path(__file__).with_name("errors.css")


@st.fragment
def show_errors(loaded: Loaded, system: System, head: DeltaGenerator) -> None:
    """Draw the list and the panel; `head` is the place of the headline."""
    now, plain = asked(), system
    moved = _select_moved(plain)
    system = noted(loaded, loaded.beside_other(system.letter))
    found = listing.find(system, now.find, now.order, now.row, moved=moved)
    every = analyses.every_error(system)
    at = listing.places_of_ids(system).get(now.row)
    metric = listing.metric_of_order(found.order)
    gains = listing.gains(system, found)
    n_found = len(found.every) + found.hidden
    head.html(
        markup.headline(
            sentences.found(system.title, len(every), n_found, metric, gains, n_hidden=found.hidden)
        )
    )
    st.html(_STYLE)
    if now.row and at is None:
        note(sentences.not_here(now.row, system.title))
    with st.container(key="errors_body"):
        with st.container(key="errors_list"):
            _show_list(system, now, found, at)
        if at is not None:
            with st.container(key="error_panel"):
                show_error(plain, listing.with_context(system, every.iloc[[at]]).iloc[0])
                show_note(loaded, plain, now.row)
        with st.container(key="errors_below"):
            file = "error-list", system.name
            download(partial(_every_found, system, found), loaded.signature, *file)
            if len(every):
                show_notes(loaded, plain)


def _select_moved(system: System) -> bool:
    """Whether correct mentions that a fix only moves are listed; no switch if there are none."""
    if not listing.only_moved(system).any():
        return False
    return st.toggle(
        "Correct mentions that fixes only move",
        key="moved",
        bind="query-params",
        help="Most are in an entity that the response divides: they are correct, as a partner is "
        "with them, but fixing the error moves them, too.",
    )


def _every_found(system: System, found: Found) -> pd.DataFrame:
    """The list as it is downloaded: the rows of the table, and the words around each."""
    rows = analyses.every_error(system).iloc[found.every].reset_index(drop=True)
    return listing.with_context(system, rows)


def _show_list(system: System, now: Asked, found: Found, at: int | None) -> None:
    report, version = last_report(), listing.version(system, found)
    place = next(iter(np.flatnonzero(found.places == at).tolist()), -1)
    first = _first(report, version, len(found.places), place)
    values = ErrorListing(
        find=now.find,
        order=found.order,
        row=now.row,
        orders=listing.orders(system, found.order),
        cost_head=listing.cost_head(found.order),
        version=version,
        n=len(found.places),
        first=first,
        rows=listing.rows(system, found.find, found.order, found.opened, first, found.moved),
        at=place,
        empty=sentences.NOTHING_FOUND,
        facets=searching.facets(system, found.find, found.moved),
        typed=report.typed,
        taken=report.number,
        completions=searching.completions(system, report.typed, report.cursor),
        problem=found.problem,
        help=searching.help_entries(system),
    )
    show_list(values, key=LIST, on_told=partial(take, system, found.moved))


def _first(report: Report, version: str, n: int, place: int) -> int:
    """The first row that is sent: the one that the list wants, or one ahead of the open row."""
    wanted = report.first if report.version == version else place - AHEAD
    return max(0, min(wanted, n - 1))
