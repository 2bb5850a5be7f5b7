"""Entities: which entities were cut or glued?"""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from corescore import Result
from corescore.analysis.explanation.titles import entity_titles
from corescore.analysis.overlaps.members import members_in_context, overlap_members, overlap_of
from corescore.analysis.overlaps.table import overlap_grid, overlap_table
from corescore.arrays import BoolArray
from corescore.metrics import METRIC_IDS, name_of
from corescore.plots import overlaps as overlap_plots
from corescore.rendering import html as markup
from corescore.sentences import overlaps
from corescore.wording import in_percent
from dashboard.session import state
from dashboard.session.pages import page_named
from dashboard.widgets import downloads as take_along
from dashboard.widgets import selection
from dashboard.widgets import text_link as to_text
from dashboard.widgets.markdown import plain

ROW = 32
MOST_FLOWS = 12
SCOPES = ("this document", "all documents")


def members_of_cell(table: pd.DataFrame, key: int, response: int) -> BoolArray:
    """(mentions,) those that both entities have."""
    inside = (table["key_entity"] == key) & (table["response_entity"] == response)
    return inside.to_numpy(dtype=bool)


def context_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Mentions in context for a table; – where a side lacks one."""
    entities = ["key_entity", "response_entity"]
    shown = table[["before", "text", "after", *entities]]
    return shown.assign(**{e: ["–" if n == 0 else str(n) for n in shown[e]] for e in entities})


@st.cache_data(max_entries=32, show_spinner="Grouping the entities that overlap")
def groups(stamp: str, metric: str, _result: Result) -> pd.DataFrame:
    """Groups of overlapping entities, the greatest loss first."""
    known = {known.id: known for known in _result.metrics}
    return overlap_table(_result.comparison, known[metric])


def take_group() -> None:
    """Select the first mention of the selected row's group: it takes the group into the URL."""
    cells = st.session_state["group_table"].selection.get("cells", [])
    st.session_state["cell"] = None
    if cells:
        row = shown.iloc[cells[0][0]]
        first = overlap_members(comparison, int(row["group"])).table.iloc[0]
        st.session_state["document"] = row["document"]
        selection.select_mention(int(first["start"]), int(first["end"]))


def take_cell() -> None:
    """Remember the cell that was clicked: a key and a response entity."""
    points = st.session_state["grid"].selection.get("points", [])
    st.session_state["cell"] = (*points[0]["customdata"], group) if points else None


def columns() -> dict[str, Any]:
    """How the table of groups is headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    head = {"document": text("document", width=130)} if scope == SCOPES[1] else {}
    return {
        **head,
        "called": text("first key entities", width=310),
        "loss": number(
            "loss",
            format="%.2f",
            width=62,
            help=f"points of {name_of(metric)} over the corpus: mean of recall and precision",
        ),
        "key_entities": number("key entities", width=84),
        "response_entities": number("response entities", width=116),
        "key_mentions": number("key mentions", width=92),
        "response_mentions": number("response mentions", width=122),
        "shared_mentions": number("shared", width=66, help="mentions that both sides have"),
    }


loaded = state.loaded()
signature = markup.paragraph(loaded.signature, "signature")
st.title("Which entities were cut or glued?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = selection.select_document(loaded)
    letter = selection.select_letter("Response", loaded)
    scope = st.segmented_control(
        "Groups of", SCOPES, default=SCOPES[0], required=True, key="scope", bind="query-params"
    )
    metric = st.selectbox(
        "Worst by",
        METRIC_IDS,
        index=METRIC_IDS.index("lea"),
        format_func=name_of,
        key="worst_by",
        bind="query-params",
        filter_mode=None,
        width=130,
    )

system = loaded.system(letter)
result = system.result
comparison = result.comparison
chosen = selection.selected_mention()
table = groups(f"{system.stamps} {result.policies}", metric, result)
table = table[table["document"] == name] if scope == SCOPES[0] else table
headline.html(
    markup.paragraph(
        overlaps.losses(name if scope == SCOPES[0] else "", system.title, metric, table),
        "headline",
    )
)
shown = table.reset_index(drop=True)
if shown.empty:
    note = "Neither side has an entity in this document. Choose another, or all documents."
    st.html(markup.paragraph(note, "note") + signature)
    st.stop()

called = {
    document: entity_titles(comparison.recall, document) for document in shown["document"].unique()
}
responses = {
    document: entity_titles(comparison.precision, document)
    for document in shown["document"].unique()
}
shown["called"] = overlaps.titles(comparison, shown, called, responses)
st.dataframe(
    in_percent(shown, ["loss"])[list(columns())],
    height=ROW * min(6, 1 + len(shown)) + 3,
    row_height=ROW,
    hide_index=True,
    column_config=columns(),
    key="group_table",
    selection_mode="single-cell",
    on_select=take_group,
    alt="A row for each group of overlapping entities, the greatest loss first.",
)
take_along.table(shown, loaded.signature, "groups", metric, system.name)

kept = st.session_state.get("group")
known = set(shown["group"])
if chosen and (st.session_state.get("group_of") != chosen or kept not in known):
    kept = overlap_of(comparison, name, *chosen)  # selected elsewhere since
group = int(shown["group"].iloc[0] if kept is None or kept not in known else kept)
st.session_state["group"], st.session_state["group_of"] = group, chosen
grid = overlap_grid(comparison, group)
key_titles, response_titles = called[grid.document], responses[grid.document]
st.subheader(plain(overlaps.grid_title(grid, key_titles, response_titles)), anchor=False)
st.html(markup.paragraph(overlaps.grid(grid), "note"))
if grid.shared.size:
    st.plotly_chart(
        overlap_plots.grid(grid, key_titles, response_titles),
        config=take_along.pictures("grid", grid.document, system.name),
        key="grid",
        selection_mode="points",
        on_select=take_cell,
        alt=f"Key entities against response entities and the mentions they share. "
        f"{overlaps.grid(grid)}",
    )
st.html(signature)

members = overlap_members(comparison, group)
cell = st.session_state.get("cell")
inside = np.ones(len(members.table), dtype=bool)
if cell and cell[2] == group:
    inside = members_of_cell(members.table, cell[0], cell[1])
    st.subheader(f"Key entity {cell[0]} and response entity {cell[1]}", anchor=False)
else:
    st.subheader("The mentions of the group", anchor=False)
    note = "Click a cell of the grid to see only its mentions, a mention to read it in the text."
    st.html(markup.paragraph(note, "note"))
context = members_in_context(comparison, members, np.flatnonzero(inside))
text_column = st.column_config.TextColumn
event = st.dataframe(
    context_rows(context),
    height=ROW * min(9, 1 + max(1, len(context))) + 3,
    row_height=ROW,
    hide_index=True,
    column_config={
        "before": text_column("before", width=260, alignment="right"),
        "text": text_column("mention", width=230),
        "after": text_column("after", width=260),
        "key_entity": text_column("key entity", width=76, alignment="right"),
        "response_entity": text_column("response entity", width=112, alignment="right"),
    },
    key=f"cell_table {group} {cell}",
    selection_mode="single-cell",
    on_select=to_text.click,
    alt="The mentions in context; a click on one opens the text there.",
)
with st.container(horizontal=True):
    span: tuple[int, int] | None
    if event.selection.cells:
        it = context.iloc[event.selection.cells[0][0]]
        span, words = (int(it["start"]), int(it["end"])), it["text"][:40]
        to_text.link(f"Read “{words}” in {grid.document}", grid.document, span)
    else:
        span = chosen if grid.document == name else None
        to_text.link(f"Read {grid.document}", grid.document, span)
    query = {"document": grid.document}
    if chosen and grid.document == name:
        query["mention"] = "-".join(map(str, chosen))
    st.container(key="read_links", width="content").page_link(
        page_named("links"), label="See its links", query_params=query
    )
to_text.follow()
take_along.table(context, loaded.signature, "mentions-of-a-group", grid.document, system.name)

if max(grid.shared.shape) <= MOST_FLOWS and grid.shared.any():
    st.subheader("How the mentions flow", anchor=False)
    st.plotly_chart(
        overlap_plots.flows(grid, key_titles, response_titles),
        config=take_along.pictures("flows", grid.document, system.name),
        key="flows",
        alt="Bands from key entities to response entities, as wide as the mentions they share.",
    )
    st.html(signature)
