"""The conformance sheet: questions to every metric."""

import streamlit as st

from corescore.metrics import HOW_MANY
from corescore.rendering import papers as sheets
from corescore.version import __version__
from dashboard.views.experiments import cached
from dashboard.views.experiments.links import SHEET, SHEET_TITLE
from dashboard.widgets.page import headline, note, subtitle, title
from dashboard.widgets.tables import download, numbers

SIGNATURE = f"corescore {__version__} | {SHEET_TITLE} | made-up partitions"


def show_sheet() -> None:
    """A row for each question, a column for each metric."""
    title(SHEET_TITLE)
    with st.spinner(f"Putting the questions to the {HOW_MANY}"):
        sheet = cached.conformance_sheet()
    headline(sheets.sheet_sentence(sheet))
    st.html(sheets.sheet_rows(sheet))
    note(sheets.SHEET_NOTE)
    subtitle("The numbers behind the answers")
    shown = sheets.sheet_numbers(sheet)
    numbers(shown, key="sheet_numbers", alt="What each answer was read from")
    download(sheet, SIGNATURE, SHEET)
