"""The table system × data set, and the way from a cell to its data set."""

from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.analysis.systems.data_sets import DataSets
from corescore.plots.template import ACCENT, faint
from corescore.sentences import many as sentences
from dashboard.session.data_sets import DataSet, Opened
from dashboard.session.kept import show_upload
from dashboard.session.newer import as_loaded
from dashboard.session.pages import page_named
from dashboard.session.sources import Files, of_data_set
from dashboard.widgets.link_values import switch
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import note
from dashboard.widgets.tables import clicked_cell, table
from dashboard.widgets.text_link import click, follow
from dashboard.widgets.uploads import as_read

SCORES, RANKS = "scores", "ranks"
KEY = "data_sets_table"
_DARKEST = 0.45


def select_cells() -> str:
    """Whether the table has scores or ranks."""
    return switch("Table", [SCORES, RANKS], key="cells", is_lasting=True)


def show_standings(opened: Opened, found: DataSets, cells: str) -> None:
    """A row for each system, a column for each data set; a click on a cell opens the data set."""
    table(
        rows(found, cells),
        columns(found, cells),
        key=KEY,
        most=20,
        alt=f"A row for each system: {cells} on each data set, their mean, the mean rank.",
        style=partial(shaded, found),
        on_select=partial(choose, opened, found),
    )
    note(f"{sentences.columns(found)} Shade: the rank on the data set.")
    link_to_chosen()
    follow()


def rows(found: DataSets, cells: str) -> pd.DataFrame:
    """The best by macro first; the columns of data sets are called by their numbers."""
    values = 100 * found.scores if cells == SCORES else found.ranks
    of_data_sets = {str(at): values[found.order, at] for at in range(len(found.data_sets))}
    systems = [found.systems[at] for at in found.order]
    means = {"macro": 100 * found.macro[found.order], "mean_rank": found.mean_ranks[found.order]}
    return pd.DataFrame({"system": systems, **means, **of_data_sets})


def columns(found: DataSets, cells: str) -> dict[str, ColumnConfig]:
    """How they are headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    written = "%.2f" if cells == SCORES else None
    of_data_sets = {
        str(at): number(
            name, format=written, help=f"{plain(name)}: a click on a cell opens it in Explore"
        )
        for at, name in enumerate(found.data_sets)
    }
    return {
        "system": text(pinned=True),
        "macro": number("macro %", format="%.2f", help="the mean over data sets, each alike"),
        "mean_rank": number("mean rank", format="%.2f"),
        **of_data_sets,
    }


def shaded(found: DataSets, shown: pd.DataFrame) -> Styler:
    """The better the rank on a data set, the darker its cell."""
    worst = max(len(found.systems) - 1, 1)
    shares = (len(found.systems) - found.ranks[found.order]) / worst
    looks = pd.DataFrame("", index=shown.index, columns=shown.columns)
    for at in range(len(found.data_sets)):
        looks[str(at)] = [
            f"background-color: {faint(ACCENT, _DARKEST * share)}" for share in shares[:, at]
        ]
    return shown.style.apply(lambda _: looks, axis=None)


# To Explore ---------------------------------------------------------------------------------------


def choose(opened: Opened, found: DataSets) -> None:
    """Show the data set of the cell that was clicked, its system as response A."""
    cell = clicked_cell(KEY)
    if cell is None or not cell[1].isdigit():
        return
    name, system = found.data_sets[int(cell[1])], found.systems[found.order[cell[0]]]
    data_set = next(one for one in opened.data_sets if one.name == name)
    st.session_state["clicked_data_set"] = (name, system, data_set.files is not None)
    file = data_set.responses[system]
    if data_set.files is None or file not in data_set.files.responses:
        st.session_state["clicked_data_set"] = (name, system, False)
        return
    _load(opened, data_set, data_set.files)
    st.session_state["a"] = file.name
    click()


def _load(opened: Opened, data_set: DataSet, files: Files) -> None:
    """Make it what the pages of Explore show."""
    if opened.is_given:
        source = of_data_set(data_set.name)
        as_loaded(source, files)
        st.session_state["data"] = source
    else:
        show_upload(as_read(files))


def link_to_chosen() -> None:
    """The link that the click follows, or why there is none."""
    name, system, has_texts = st.session_state.get("clicked_data_set", ("", "", False))
    if not name:
        return
    if not has_texts:
        note(f"{name} has a tally of {system}, without its texts: there is nothing to explore.")
        return
    with st.container(key="read", width="content"):
        st.page_link(page_named("overview"), label=plain(f"Explore {name}, response A: {system}"))
