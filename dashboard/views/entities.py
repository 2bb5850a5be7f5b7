"""Entities: which entities were split or merged?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from corescore.analysis.error_table.facets import both, term
from corescore.analysis.errors.overlaps import (
    Grid,
    along_diagonal,
    grid_part,
    members_in_context,
    overlap_grid,
    overlap_of,
)
from corescore.metrics import CREDITED_IDS, name_of
from corescore.plots import errors as overlap_plots
from corescore.plots.template import INK, faint
from corescore.rendering import drawn
from corescore.rendering.columns import columns_of
from corescore.rendering.text import Table
from corescore.sentences import credit
from corescore.sentences import errors as sentences
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.state import Span, state
from dashboard.views import links as links_view
from dashboard.widgets import document_box, links, selection
from dashboard.widgets.charts import chart, clicked_points
from dashboard.widgets.error_counts import show_found, within_entities
from dashboard.widgets.page import (
    headline,
    note,
    plain,
    question,
    side_by_side,
    signature_to_copy,
    subtitle,
)
from dashboard.widgets.selection import span_of, switch
from dashboard.widgets.tables import clicked_cell, download, table

_MOST_FLOWS = 12
_MOST_ENTITIES, _PART = 30, 20  # of either side in a grid; in a part of one that has more
_MARK = faint(INK, 0.3)
_SCOPES = ("this document", "all documents")
_KEY, _MERGED, _OVERLAPS = _LISTED = ("key entities", "merged in the response", "overlaps")
_SIDES = {_KEY: ("key", "recall"), _MERGED: ("response", "precision")}


@dataclass(frozen=True)
class Shown:
    """The overlap that is shown, and what its entities are called.

    document, selected  what is selected on every page; the overlap may be in another document
    """

    loaded: Loaded
    system: System
    document: str
    selected: Span
    overlap: int
    grid: Grid
    titles: tuple[sentences.Titles, sentences.Titles]


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = question("Which entities were split or merged?")
    with side_by_side():
        scope = switch("scope", _SCOPES)
        is_here = scope == _SCOPES[0]
        document = (document_box.select_document if is_here else document_box.keep_document)(loaded)
        system = loaded.system(selection.select_letter("Response", loaded))
        listed = switch("entities", _LISTED)
    metric = selection.metric_among(CREDITED_IDS)
    selected = selection.place().mention
    here = document if is_here else ""
    overlaps = analyses.overlaps_called(system, metric, here)
    with head:
        headline(sentences.losses(here, system.title, metric, overlaps))
        if silent := credit.not_told():
            note(silent)
    if overlaps.empty:
        note("Neither side has an entity in this document. Choose another, or all documents.")
        signature_to_copy(loaded.signature, key="entities")
        return
    overlap = _selected_overlap(system, document, overlaps, selected)
    if listed == _OVERLAPS:
        _show_overlaps(loaded, system, metric, overlaps, here, overlap)
    else:
        _show_entities(loaded, system, metric, here, overlap, selected, *_SIDES[listed])
    selection.note_other_metric(metric)
    grid = _grid(system, overlap)
    named = analyses.called(system, grid.document)
    shown = Shown(loaded, system, document, selected, overlap, grid, named)
    _show_grid(shown)
    _show_mentions(shown)
    subtitle("Its links")
    (called,) = overlaps["called"][overlaps["group"] == overlap]
    links_view.show_overlap(loaded, system, grid.document, overlap, called, metric, selected)
    _show_flows(shown)


# The entities, and the overlaps -------------------------------------------------------------------


def _show_entities(
    loaded: Loaded,
    system: System,
    metric: str,
    here: str,
    overlap: int,
    selected: Span,
    side: str,
    direction: str,
) -> None:
    """One row per entity of the key, or per entity of the response that has mentions of several of
    the key; that of the selected mention is marked, or else the first of the overlap shown."""
    rows = analyses.entities_called(system, metric, direction, here)
    if side == "response":
        rows = rows[rows["parts"].str.contains("+", regex=False)].reset_index(drop=True)
    if rows.empty:
        note(f"No entity of {system.title} has mentions of several key entities here.")
        return
    marked = np.flatnonzero(rows["group"] == overlap)
    if selected is None:
        marked = marked[:1]
    else:
        members = analyses.members(system, overlap).table
        is_selected = (members["start"] == selected[0]) & (members["end"] == selected[1])
        own = members.loc[is_selected, f"{side}_entity"]
        marked = marked[rows["entity"].iloc[marked].isin(own)]
    heads = [] if here else columns_of("entities of all documents")
    heads += columns_of("entities" if side == "key" else "merged entities", metric=name_of(metric))
    table(
        Table(rows, heads),
        key=f"entity_table {side}",
        most=6,
        on_select=partial(_take_entity, system, rows, side),
        style=partial(_marked, marked.tolist()),
        alt="One row per entity, the greatest loss first.",
    )
    every = rows.drop(columns=["others", "merged_with"])
    download(every, loaded.signature, f"{side}-entities", metric, system.name, signed=True)


def _take_entity(system: System, rows: pd.DataFrame, side: str) -> None:
    """Select the first mention of the entity in the row that was clicked."""
    if cell := clicked_cell(f"entity_table {side}"):
        row = rows.iloc[cell[0]]
        members = analyses.members(system, int(row["group"])).table
        own = members[members[f"{side}_entity"] == row["entity"]]
        _select_overlap(system, row, own.iloc[0])


def _show_overlaps(
    loaded: Loaded, system: System, metric: str, overlaps: pd.DataFrame, here: str, overlap: int
) -> None:
    """One row per overlap; that of the one that is shown is marked."""
    (row,) = np.flatnonzero(overlaps["group"] == overlap)
    # The table's; a new one, without a selected cell, if the row of the selected is not shown.
    cell = clicked_cell(f"group_table {state.group_table}")
    if cell and cell[0] != int(row):
        state.group_table += 1
    key = f"group_table {state.group_table}"
    heads = columns_of("overlaps of a document" if here else "overlaps of all documents")
    heads += columns_of("overlaps", metric=name_of(metric))
    table(
        Table(overlaps, heads),
        key=key,
        most=5,
        on_select=partial(_take_overlap, system, overlaps, key),
        style=partial(_marked, [int(row)]),
        alt="One row per set of entities that overlap, the greatest loss first.",
    )
    download(overlaps, loaded.signature, "overlaps", metric, system.name, signed=True)


def _marked(places: Sequence[int], rows: pd.DataFrame) -> Styler:
    """The rows, with a shade behind some rows of the table."""
    here = rows.index[rows.index.isin(places)]
    look = f"background-color: {_MARK}"
    return rows.style.map(lambda _: look, subset=pd.IndexSlice[here, :])


def _take_overlap(system: System, overlaps: pd.DataFrame, key: str) -> None:
    """Select the first mention of the overlap in the row that was clicked, which puts the overlap
    into the URL."""
    if cell := clicked_cell(key):
        row = overlaps.iloc[cell[0]]
        _select_overlap(system, row, analyses.members(system, int(row["group"])).table.iloc[0])


def _select_overlap(system: System, row: pd.Series, mention: pd.Series) -> None:
    """Select a mention, and the overlap of a row, which may be one of several that have it."""
    state.cell = None
    span = span_of(mention)
    selection.select(row["document"], span)
    state.clicked_overlap = int(row["group"]), _place(system, row["document"], span)


def _place(system: System, document: str, span: Span) -> tuple[object, ...]:
    return (*system.stamps, document, span)


def _selected_overlap(system: System, document: str, overlaps: pd.DataFrame, selected: Span) -> int:
    """That of the selected mention: the one clicked, where it is in several; else the worst."""
    overlap, place = state.clicked_overlap
    if place != _place(system, document, selected):
        overlap = overlap_of(system.result.comparison, document, *selected) if selected else None
    known = overlaps["group"]
    state.group = shown = int([*known[known == overlap], known.iloc[0]][0])
    return shown


# One of them --------------------------------------------------------------------------------------


@cached(16)
def _grid(system: System, overlap: int) -> Grid:
    return overlap_grid(system.result.comparison, overlap)


def _show_grid(shown: Shown) -> None:
    sentence = sentences.grid(shown.grid)
    subtitle(plain(sentences.grid_title(shown.grid, *shown.titles)))
    note(sentence)
    grid = _part(shown) if max(shown.grid.shared.shape) > _MOST_ENTITIES else shown.grid
    if grid.shared.size:
        chart(
            overlap_plots.grid(along_diagonal(grid), *shown.titles),
            "grid",
            grid.document,
            shown.system.name,
            key="grid",
            on_select=partial(_take_cell, shown.overlap),
            alt=f"Key entities against response entities and the mentions they share. {sentence}",
            rows=partial(drawn.grid, grid, *shown.titles),
        )
    every = shown.grid.key_entities.tolist(), shown.grid.response_entities.tolist()
    if find := within_entities(shown.grid.document, *every):
        show_found(shown.system, {"mentions with errors in these entities": find})


def _part(shown: Shown) -> Grid:
    """The part of a large grid that is shown; it is said which."""
    place, n_parts = st.container(), -(-len(shown.grid.key_entities) // _PART)
    number = selection.turned(f"grid part {shown.system.letter} {shown.overlap}", n_parts)
    part = grid_part(shown.grid, first=_PART * (number - 1), most=_PART)
    with place:
        note(sentences.grid_part(part, shown.grid))
    return part


def _take_cell(overlap: int) -> None:
    """Remember the cell that was clicked: a key and a response entity."""
    points = clicked_points("grid")
    state.cell = (*points[0], overlap) if points else None


def _show_mentions(shown: Shown) -> None:
    """The mentions of the overlap, or of one cell; a click on one opens the text there."""
    comparison, document = shown.system.result.comparison, shown.grid.document
    members = analyses.members(shown.system, shown.overlap)
    inside = np.ones(len(members.table), dtype=bool)
    cell = state.cell
    if cell and cell[2] == shown.overlap:
        of_both = members.table[["key_entity", "response_entity"]] == [*cell[:2]]
        inside = of_both.all(axis=1).to_numpy(dtype=bool)
        subtitle(f"Key entity {cell[0]} and response entity {cell[1]}")
        inside_both = term("entity", cell[0]), term("entity.response", cell[1])
        find = both(term("doc", document), *inside_both)
        show_found(shown.system, {"mentions with errors that both have": find})
    else:
        subtitle("The mentions of these entities")
        note("Click a cell of the grid to see only its mentions, a mention to read it in the text.")
    context = members_in_context(comparison, members, np.flatnonzero(inside))
    sides = "key_entity", "response_entity"  # – where a side lacks the mention
    entities = {side: ["–" if n == 0 else str(n) for n in context[side]] for side in sides}
    clicked = table(
        Table(context.assign(**entities), columns_of("mentions in context")),
        key=f"cell_table {shown.overlap} {cell}",
        most=8,
        on_select=links.click,
        missing="",
        alt="The mentions in context. Click one to open the text there.",
    )
    if clicked:
        mention = context.iloc[clicked[0]]
        links.link(f"Read “{mention['text'][:40]}” in {document}", document, span_of(mention))
    else:
        is_here = document == shown.document
        links.link(f"Read {document}", document, shown.selected if is_here else None)
    name = shown.system.name
    download(context, shown.loaded.signature, "mentions-of-an-overlap", document, name)


def _show_flows(shown: Shown) -> None:
    grid = shown.grid
    if not grid.shared.any() or max(grid.shared.shape) > _MOST_FLOWS:
        return
    subtitle("How the mentions flow")
    chart(
        overlap_plots.flows(grid, *shown.titles),
        "flows",
        grid.document,
        shown.system.name,
        key="flows",
        alt="Bands from key entities to response entities, as wide as the mentions they share.",
        rows=partial(drawn.grid, grid, *shown.titles),
    )
