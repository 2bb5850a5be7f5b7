"""Links: which links does each link metric see?"""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from corescore import Result
from corescore.analysis.explanation.titles import entity_titles
from corescore.analysis.overlaps.members import (
    PAIR_KINDS,
    overlap_links,
    overlap_members,
    overlap_of,
    pair_counts,
    pair_kinds,
)
from corescore.analysis.overlaps.table import overlap_table
from corescore.plots import overlaps as overlap_plots
from corescore.rendering import html as markup
from corescore.sentences import overlaps
from dashboard.session import state
from dashboard.session.pages import page_named
from dashboard.widgets import downloads as take_along
from dashboard.widgets import selection
from dashboard.widgets import text_link as to_text
from dashboard.widgets.markdown import plain

ROW = 32
MOST_PAIRS = 32
MOST_ARCS = 1500
LISTS = {"all": "all links", "minimum": "MUC's minimum"}


def link_rows(members: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """The links by the words of their two mentions."""
    words = members["text"].to_numpy(dtype=object)
    ends = {end: words[links[end].to_numpy(dtype=np.int64)] for end in ("first", "second")}
    return pd.DataFrame({"kind": links["kind"].to_numpy(), **ends})


@st.cache_data(max_entries=32, show_spinner="Grouping the entities that overlap")
def groups(stamp: str, _result: Result) -> pd.DataFrame:
    """Groups of overlapping entities, the greatest loss first."""
    known = {known.id: known for known in _result.metrics}
    return overlap_table(_result.comparison, known["lea"])


def take_mention(places: pd.DataFrame) -> None:
    """Select the mention that was clicked, on every page."""
    points = st.session_state["arcs"].selection.get("points", [])
    rows = [point["customdata"] for point in points if point.get("customdata") is not None]
    if rows:
        row = places.iloc[int(rows[0])]
        selection.select_mention(int(row["start"]), int(row["end"]))


def clicked_pair(points: list[dict[str, Any]]) -> tuple[int, int] | None:
    """The rows of the two mentions whose square was clicked."""
    data = next((point["customdata"] for point in points if point.get("customdata")), None)
    return (int(data[0]), int(data[1])) if data else None


def take_group() -> None:
    """Select the first mention of the group chosen by hand: it takes the group into the URL."""
    first = overlap_members(comparison, st.session_state["link_group"]).table.iloc[0]
    selection.select_mention(int(first["start"]), int(first["end"]))


def read_link(key: str, mention: tuple[int, int], words: str) -> None:
    """A way to one mention of a pair in the text."""
    st.container(key=key, width="content").page_link(
        page_named("text"),
        label=plain(f"Read “{words}”"),
        query_params={"document": name, "mention": "-".join(map(str, mention))},
    )


loaded = state.loaded()
signature = markup.paragraph(loaded.signature, "signature")
st.title("Which links does each link metric see?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = selection.select_document(loaded)
    letter = selection.select_letter("Response", loaded)
    choice = st.container(width=300)
    which = st.segmented_control(
        "Links",
        list(LISTS),
        default="minimum",
        required=True,
        format_func=LISTS.__getitem__,
        key="links",
        bind="query-params",
    )

system = loaded.system(letter)
result = system.result
comparison = result.comparison
chosen = selection.selected_mention()
table = groups(f"{system.stamps} {result.policies}", result)
table = table[table["document"] == name].reset_index(drop=True)
if table.empty:
    note = "Neither side has an entity in this document. Choose another document."
    st.html(markup.paragraph(note, "note") + signature)
    st.stop()

titles = entity_titles(comparison.recall, name), entity_titles(comparison.precision, name)
called = overlaps.titles(comparison, table, {name: titles[0]}, {name: titles[1]})
by_group = dict(zip(table["group"].tolist(), called, strict=True))
wanted = overlap_of(comparison, name, *chosen) if chosen else st.session_state.get("group")
if wanted in by_group and (chosen or st.session_state.get("link_group") not in by_group):
    st.session_state["link_group"] = wanted
if st.session_state.get("link_group") not in by_group:
    st.session_state["link_group"] = next(iter(by_group))
with choice:
    group = st.selectbox(
        "Group of overlapping entities, worst first",
        list(by_group),
        format_func=by_group.__getitem__,
        key="link_group",
        on_change=take_group,
        filter_mode=None,
    )
st.session_state["group"] = group
members = overlap_members(comparison, group)
links = overlap_links(comparison, members, which=which)
if len(links) > MOST_ARCS:
    note = f"{len(links):,} links are too many to draw: MUC's minimum is shown."
    st.html(markup.paragraph(note, "note"))
    which = "minimum"
    links = overlap_links(comparison, members, which=which)
headline.html(
    markup.paragraph(
        overlaps.links(by_group[group], which, members.table, links),
        "headline",
    )
)
places = members.table
at = None
if chosen:
    found = places.index[(places["start"] == chosen[0]) & (places["end"] == chosen[1])]
    at = int(found[0]) if len(found) else None
if links.empty:
    note = "No link here: every entity of this group has one mention. Choose another group."
    st.html(markup.paragraph(note, "note"))
st.plotly_chart(
    overlap_plots.arcs(places, links, selected=at),
    config=take_along.pictures("links", which, name, system.name),
    key="arcs",
    selection_mode="points",
    on_select=lambda: take_mention(places),
    alt="Mentions in text order with arcs for right, missing and wrong links.",
)
st.html(
    markup.paragraph(
        "Points: filled, both sides have the mention; open, only the key (missing); cross, only "
        "the response (spurious). Click one to select it on every page.",
        "note",
    )
    + signature
)

if len(places) <= MOST_PAIRS and len(places) > 1:
    kinds = pair_kinds(members)
    st.subheader("Every pair of mentions, as BLANC counts them", anchor=False)
    st.html(markup.paragraph(overlaps.pairs(pair_counts(kinds)), "headline"))
    with st.container(key="pair_matrix"):
        event = st.plotly_chart(
            overlap_plots.pair_matrix(places, kinds),
            config=take_along.pictures("pairs", name, system.name),
            width="content",
            key=f"pairs {group}",
            selection_mode="points",
            on_select="rerun",
            alt=overlaps.pairs(pair_counts(kinds)),
        )
    two = clicked_pair(event.selection.points)
    if two is None:
        st.html(markup.paragraph("Click a square to read what that pair is.", "note"))
    else:
        one, other = (places.iloc[row] for row in two)
        told = overlaps.pair(one, other, PAIR_KINDS[kinds[two]])
        st.html(markup.paragraph(told, "headline"))
        with st.container(horizontal=True):
            for number, end in enumerate((one, other)):
                read_link(f"read_{number}", (int(end["start"]), int(end["end"])), end["text"][:40])
    st.html(signature)

st.subheader("The links in words", anchor=False)
text = st.column_config.TextColumn
read = st.dataframe(
    link_rows(places, links),
    height=ROW * min(11, 1 + max(1, len(links))) + 3,
    row_height=ROW,
    hide_index=True,
    column_config={
        "kind": text("link", width=90),
        "first": text("from", width=330),
        "second": text("to", width=330),
    },
    key=f"link_table {group} {which} {letter}",
    selection_mode="single-cell",
    on_select=to_text.click,
    alt="The links that are drawn; a click on a mention opens the text there.",
)
if read.selection.cells:
    row, column = read.selection.cells[0]
    end = places.iloc[links["second" if column == "second" else "first"].iloc[row]]
    span = int(end["start"]), int(end["end"])
    to_text.link(f"Read “{end['text'][:40]}” in {name}", name, span)
else:
    to_text.link(f"Read {name}", name, chosen)
to_text.follow()
rows = link_rows(places, links)
take_along.table(rows, loaded.signature, "links", which, name, system.name)
