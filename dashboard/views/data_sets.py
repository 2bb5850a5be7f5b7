"""Data sets: which system is best over several?"""

from functools import partial

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.elements.lib.column_types import ColumnConfig

from corescore import InputError
from corescore.analysis.systems.data_sets import DataSets, over_data_sets, repeated_texts
from corescore.plots.many import critical_differences
from corescore.plots.template import ACCENT, faint
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.rendering import many as tables
from corescore.sentences import many as sentences
from dashboard.session import files
from dashboard.session.data_sets import Opened, Scored, given_data_sets, scored, unpacked
from dashboard.session.files import as_loaded, of_data_set
from dashboard.session.life import hold_files
from dashboard.session.scoring import problem_lines
from dashboard.session.uploads import show_upload
from dashboard.session.url_names import page_named
from dashboard.views.two_systems_shown import metrics_of
from dashboard.widgets.charts import chart
from dashboard.widgets.links import click
from dashboard.widgets.page import (
    caution,
    headline,
    note,
    plain,
    say_changes,
    show_warnings,
    side_by_side,
    signature_to_copy,
    subtitle,
    title,
)
from dashboard.widgets.policies import selected_policies
from dashboard.widgets.selection import select_measure, select_metric, switch
from dashboard.widgets.tables import clicked_cell, columns, download, table
from dashboard.widgets.uploads import as_read

# Which data sets the page shows: those of the command line, or of an archive that is opened -------

_ABOUT = (
    "A folder for each data set, all with the same systems. In each, the file or folder called key "
    "is the key (key.conll, key.conllu.gz, …); every other one is the response of the system it is "
    "named after, or a tally that corescore score --save-tally wrote."
)

_ARCHIVE = "data_sets_archive"

_SOURCE = "data sets"


def select_data_sets() -> tuple[Opened | None, list[str]]:
    """The data sets, and what is wrong with those of the command line or with the archive that was
    opened last. Data sets of the command line that change on the disk stay as they were loaded."""
    given, changes, problems = _given()
    if changes and "data_sets" not in st.session_state:
        with side_by_side("center"):
            say_changes(changes)
    opened: Opened | None = st.session_state.get("data_sets") or given
    with st.expander("Open data sets", expanded=opened is None):
        upload = st.file_uploader("Folders of data sets, as a zip archive", key=_ARCHIVE)
        note(_ABOUT)
        if "data_sets" in st.session_state and given:
            st.button("Show the data sets of the command line", on_click=_show_given)
    if upload is None or st.session_state.get("data_sets_of") == upload.file_id:
        return opened, problems
    try:
        opened = unpacked(upload.getvalue(), upload.name)
        hold_files(file for one in opened.data_sets for file in one.every_file)
        st.session_state.update(data_sets=opened, data_sets_of=upload.file_id)
    except InputError as error:
        problems = problem_lines(error)
    return opened, problems


def _given() -> tuple[Opened | None, files.Changes | None, list[str]]:
    """The data sets of the command line as they were loaded, what became of them on the disk, and
    what is wrong with them there."""
    try:
        on_disk = given_data_sets()
    except InputError as error:
        return files.loaded_before(_SOURCE), None, problem_lines(error)
    if on_disk is None:
        return None, None, []
    return files.as_loaded(_SOURCE, on_disk), files.changes(_SOURCE, on_disk), []


def _show_given() -> None:
    st.session_state.pop("data_sets", None)


def score_all(opened: Opened) -> Scored:
    """All data sets by the policies that are selected; a bar says how far that is."""
    n, bar = len(opened.data_sets), st.empty()
    found = scored(
        as_read(opened).data_sets,
        selected_policies(),
        step=lambda done, name: bar.progress(
            done / n, f"Reading and scoring {plain(name)}, {done + 1} of {n}"
        ),
    )
    bar.empty()
    return found


SCORES, RANKS = "scores", "ranks"

# The table system × data set, and the way from a cell to its data set -----------------------------

KEY = "data_sets_table"

_DARKEST = 0.45


def rows(found: DataSets, cells: str) -> pd.DataFrame:
    """The best by macro first; the columns of data sets are called by their numbers."""
    values = 100 * found.scores if cells == SCORES else found.ranks
    of_data_sets = {str(at): values[found.order, at] for at in range(len(found.data_sets))}
    systems = [found.systems[at] for at in found.order]
    means = {"macro": 100 * found.macro[found.order], "mean_rank": found.mean_ranks[found.order]}
    return pd.DataFrame({"system": systems, **means, **of_data_sets})


def _columns(found: DataSets, cells: str) -> dict[str, ColumnConfig]:
    """How they are headed and written."""
    written = "%.2f" if cells == SCORES else None
    return columns("data sets") | {
        str(at): st.column_config.NumberColumn(
            name, format=written, help=f"{plain(name)}: click a cell to open it in Explore"
        )
        for at, name in enumerate(found.data_sets)
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
    if opened.is_given:
        source = of_data_set(data_set.name)
        as_loaded(source, data_set.files)
        st.session_state["data"] = source
    else:
        show_upload(as_read(data_set.files))
    st.session_state["a"] = file.name
    click()


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


_NOTHING = "Open a zip archive of data sets, or start the dashboard with a folder of them."

_COMMAND = "corescore dashboard --data-sets FOLDER"


def page() -> None:
    """Compare the systems over the data sets that are opened."""
    place = title("Which system is best over several data sets?")
    opened, problems = select_data_sets()
    if problems:
        st.html(markup.problem_list(problems, kept=opened is not None))
    if opened is None:
        headline(_NOTHING)
        st.code(_COMMAND, language=None)
        return
    scored = score_all(opened)
    above, warnings = st.container(), [*opened.warnings, *scored.problems]
    if scored.tallies:
        found, cells = select(scored)
        shared = repeated_texts(scored.texts)
        warnings += sentences.repeated(shared, is_tested=found.is_tested)
    if warnings:
        above.html(markup.warning_list(warnings))
    if not scored.tallies:
        headline("No system has a response that can be scored on each data set.")
        return
    with place:
        headline(f"{sentences.leader(found)} {sentences.conclusion(found)}")
    # One row per system, one column per data set; a click on a cell opens the data set.
    table(
        rows(found, cells),
        _columns(found, cells),
        key=KEY,
        most=20,
        alt=f"One row per system: {cells} on each data set, their mean, the mean rank.",
        style=partial(shaded, found),
        on_select=partial(choose, opened, found),
    )
    note(f"{sentences.columns(found)} Shade: the rank on the data set.")
    link_to_chosen()
    every = (tally for of in scored.tallies.values() for tally in of.values())
    show_warnings(every, about="the data sets")
    show_signature(scored, found)
    show_differences(found)


def select(scored: Scored) -> tuple[DataSets, str]:
    """The systems, compared by a measure of a metric, and what the cells of the table are."""
    with side_by_side():
        measure = select_measure()
        metrics = metrics_of(measure)
        metric = select_metric("by", metrics, first=metrics[-1])
        cells = switch("cells", [SCORES, RANKS])
    return over_data_sets(scored.tallies, metric, measure=measure), cells


def show_signature(scored: Scored, found: DataSets) -> None:
    """How it was scored, and the scores as a file."""
    of_each = [list(of.values()) for of in scored.tallies.values()]
    # Where no document has zeros the policy for them is not named.
    settings = max((tally.settings for of in of_each for tally in of), key=len)
    signature = tables.signature(found, settings, sum(len(of[0].documents) for of in of_each))
    signature_to_copy(signature, key="data_sets")
    name = "data-sets", found.metric, found.measure
    download(tables.every_score(found, signature).frame, signature, *name)


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
