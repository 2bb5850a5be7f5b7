"""A table of an experiment or of the sheet."""

import pandas as pd
import streamlit as st

from corescore.rendering.claims import with_decimals
from dashboard.widgets.tables import table


def show_numbers(shown: pd.DataFrame, *, key: str, alt: str) -> None:
    """Columns with fractional numbers have two decimals."""
    decimals = st.column_config.NumberColumn(format="%.2f")
    columns = dict.fromkeys(with_decimals(shown), decimals)
    table(shown, columns, key=key, alt=alt, most=12, missing="–")
