"""Links: which links does each link metric see?"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from corescore.analysis.explanation.titles import entity_titles
from corescore.analysis.overlaps.members import (
    PAIR_KINDS,
    Members,
    overlap_links,
    overlap_members,
    overlap_of,
    pair_counts,
    pair_kinds,
)
from corescore.counting.comparison import Comparison
from corescore.plots import overlaps as overlap_plots
from corescore.sentences import overlaps as sentences
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.widgets import selection, text_link
from dashboard.widgets.charts import chart, clicked_points
from dashboard.widgets.page import headline, note, signature, subtitle, title
from dashboard.widgets.tables import Columns, download, table
from dashboard.widgets.text_link import Span

_MOST_PAIRS = 32
_MOST_ARCS = 1500
_LISTS = {"all": "all links", "minimum": "MUC's minimum"}


@dataclass(frozen=True)
class Shown:
    """The links of an overlap that are shown.

    which  the links: "all", or "minimum", MUC's
    """

    loaded: Loaded
    system: System
    document: str
    overlap: int
    title: str
    members: Members
    which: str
    links: pd.DataFrame
    selected: Span


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = title("Which links does each link metric see?")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        document = selection.select_document(loaded)
        system = loaded.system(selection.select_letter("Response", loaded))
        place = st.container(width=300)
        which = st.segmented_control(
            "Links",
            list(_LISTS),
            default="minimum",
            required=True,
            format_func=_LISTS.__getitem__,
            key="links",
            bind="query-params",
        )
    selected = selection.selected_mention()
    titles = _overlap_titles(system, document)
    if not titles:
        note("Neither side has an entity in this document. Choose another document.")
        signature(loaded.signature)
        return
    comparison = system.result.comparison
    with place:
        overlap = _select_overlap(comparison, document, titles, selected)
    members = overlap_members(comparison, overlap)
    which, links = _links(comparison, members, which)
    shown = Shown(
        loaded, system, document, overlap, titles[overlap], members, which, links, selected
    )
    with head:
        headline(sentences.links(shown.title, which, members.table, links))
    _show_arcs(shown)
    if 1 < len(members.table) <= _MOST_PAIRS:
        _show_pairs(shown)
    _show_list(shown)


def _overlap_titles(system: System, document: str) -> dict[int, str]:
    """A title for each overlap of a document, the greatest loss under LEA first."""
    table = analyses.overlaps(system, "lea")
    table = table[table["document"] == document].reset_index(drop=True)
    comparison = system.result.comparison
    key, response = (entity_titles(comparison.view(d), document) for d in ("recall", "precision"))
    titles = sentences.titles(comparison, table, {document: key}, {document: response})
    return dict(zip(table["group"].tolist(), titles, strict=True))


def _select_overlap(
    comparison: Comparison, document: str, titles: dict[int, str], selected: Span
) -> int:
    """A box of the overlaps. It shows that of the selected mention, or the one shown last."""
    last = st.session_state.get("group")
    followed = overlap_of(comparison, document, *selected) if selected else last
    if followed in titles and (selected or st.session_state.get("link_group") not in titles):
        st.session_state["link_group"] = followed
    if st.session_state.get("link_group") not in titles:
        st.session_state["link_group"] = next(iter(titles))
    overlap: int = st.selectbox(
        "Entities that overlap, worst first",
        list(titles),
        format_func=titles.__getitem__,
        key="link_group",
        on_change=lambda: _take_overlap(comparison),
        filter_mode=None,
    )
    st.session_state["group"] = overlap
    return overlap


def _take_overlap(comparison: Comparison) -> None:
    """Select the first mention of the selected overlap, which puts the overlap into the URL."""
    first = overlap_members(comparison, st.session_state["link_group"]).table.iloc[0]
    selection.select_mention(int(first["start"]), int(first["end"]))


def _links(comparison: Comparison, members: Members, which: str) -> tuple[str, pd.DataFrame]:
    """The links, or MUC's minimum where there are too many to draw."""
    links = overlap_links(comparison, members, which=which)
    if len(links) <= _MOST_ARCS:
        return which, links
    note(f"{len(links):,} links are too many to draw: MUC's minimum is shown.")
    return "minimum", overlap_links(comparison, members, which="minimum")


def _show_arcs(shown: Shown) -> None:
    places = shown.members.table
    at = None
    if shown.selected:
        start, end = shown.selected
        rows = places.index[(places["start"] == start) & (places["end"] == end)]
        at = int(rows[0]) if len(rows) else None
    if shown.links.empty:
        note("No link here: each of these entities has one mention. Choose others.")
    chart(
        overlap_plots.arcs(places, shown.links, selected=at),
        *("links", shown.which, shown.document, shown.system.name),
        key="arcs",
        on_select=lambda: _take_mention(places),
        alt="Mentions in text order with arcs for correct, missing and wrong links.",
    )
    note(
        "Points: filled, both sides have the mention; open, only the key (missing); cross, only "
        "the response (spurious). Click one to select it on every page."
    )
    signature(shown.loaded.signature)


def _take_mention(places: pd.DataFrame) -> None:
    """Select the mention that was clicked, on every page."""
    if points := clicked_points("arcs"):
        row = places.iloc[int(points[0])]
        selection.select_mention(int(row["start"]), int(row["end"]))


def _show_pairs(shown: Shown) -> None:
    """Every pair of mentions; a click on one says what it is."""
    places, kinds = shown.members.table, pair_kinds(shown.members)
    said = sentences.pairs(pair_counts(kinds))
    subtitle("Every pair of mentions, as BLANC counts them")
    headline(said)
    with st.container(key="pair_matrix"):
        clicked = chart(
            overlap_plots.pair_matrix(places, kinds),
            *("pairs", shown.document, shown.system.name),
            width="content",
            key=f"pairs {shown.overlap}",
            on_select="rerun",
            alt=said,
        )
    if clicked:
        one, other = (int(row) for row in clicked[0])
        _show_pair(shown, places.iloc[one], places.iloc[other], PAIR_KINDS[kinds[one, other]])
    else:
        note("Click a square to read what that pair is.")
    signature(shown.loaded.signature)


def _show_pair(shown: Shown, one: pd.Series, other: pd.Series, kind: str) -> None:
    headline(sentences.pair(one, other, kind))
    with st.container(horizontal=True):
        for number, mention in enumerate((one, other)):
            span, words = _span(mention), mention["text"][:40]
            key = f"read_{number}"
            text_link.link_to("text", f"Read “{words}”", shown.document, span, key=key)


def _span(mention: pd.Series) -> tuple[int, int]:
    return int(mention["start"]), int(mention["end"])


def _show_list(shown: Shown) -> None:
    """A row for each link; a click on a mention opens the text there."""
    subtitle("The links in words")
    places, document = shown.members.table, shown.document
    rows = _link_rows(places, shown.links)
    cell = table(
        rows,
        _columns(),
        key=f"link_table {shown.overlap} {shown.which} {shown.system.letter}",
        on_select=text_link.click,
        alt="The links that are drawn; a click on a mention opens the text there.",
    )
    if cell:
        row, column = cell
        mention = places.iloc[shown.links["second" if column == "second" else "first"].iloc[row]]
        text_link.link(f"Read “{mention['text'][:40]}” in {document}", document, _span(mention))
    else:
        text_link.link(f"Read {document}", document, shown.selected)
    text_link.follow()
    download(rows, shown.loaded.signature, "links", shown.which, document, shown.system.name)


def _link_rows(members: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """The links by the words of their two mentions."""
    words = members["text"].to_numpy(dtype=object)
    ends = {end: words[links[end].to_numpy(dtype=np.int64)] for end in ("first", "second")}
    return pd.DataFrame({"kind": links["kind"].to_numpy(), **ends})


def _columns() -> Columns:
    text = st.column_config.TextColumn
    return {
        "kind": text("link", width=90),
        "first": text("from", width=330),
        "second": text("to", width=330),
    }
