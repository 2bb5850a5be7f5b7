"""Links: which links does each link metric see?"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from corescore.analysis.errors.overlaps import (
    LINK_METRICS,
    PAIR_KINDS,
    Members,
    link_counts,
    link_credit,
    overlap_links,
    overlap_of,
    pair_counts,
    pair_kinds,
    pair_table,
)
from corescore.metrics import name_of
from corescore.plots import errors as overlap_plots
from corescore.rendering.columns import columns_of
from corescore.rendering.text import Table
from corescore.sentences import errors as sentences
from dashboard.session import analyses
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.state import Span, state
from dashboard.widgets import document_box, selection
from dashboard.widgets import links as text_link
from dashboard.widgets.charts import chart, clicked_points
from dashboard.widgets.error_counts import (
    show_found,
    show_kinds,
    show_of_mentions,
    within_entities,
)
from dashboard.widgets.page import (
    headline,
    note,
    question,
    signature_to_copy,
    subtitle,
    tools,
)
from dashboard.widgets.selection import span_of, switch
from dashboard.widgets.tables import Cell, download, table

_MOST_PAIRS = 32
_MOST_ARCS = 1500
_MOST_SAMPLED = 40  # mentions, where there are more arcs
_MOST_MENTIONS = 150  # on the line at once
_MOST_OVERLAPS = 500  # in the box
_IN_WORDS = "The links in words"


@dataclass(frozen=True)
class Shown:
    """The links of an overlap that are shown.

    members  those between which links are shown: all, or a part of them from the `first` on
    which    the links: "all", or "minimum", MUC's
    metric   that credits them
    """

    loaded: Loaded
    system: System
    document: str
    overlap: int
    title: str
    first: int
    members: Members
    which: str
    metric: str
    links: pd.DataFrame
    selected: Span


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = question("Which links does each link metric see?")
    with tools():
        document = document_box.select_document(loaded)
        system = loaded.system(selection.select_letter("Response", loaded))
        place = st.container(width=220)
        which = switch("links", default="minimum")
        metric = "muc"
        if which != "minimum":
            others = [one for one in LINK_METRICS if one != "muc"]
            metric = selection.metric_among(others)
    selected = selection.place().mention
    # A title for each overlap of a document, the greatest loss under LEA first.
    table = analyses.overlaps_called(system, "lea", document)
    titles = dict(zip(table["group"].tolist(), table["called"], strict=True))
    if not titles:
        note("Neither side has an entity in this document. Choose another document.")
        signature_to_copy(loaded.signature, key="links")
        return
    with place:
        overlap = _select_overlap(system, document, titles, selected)
    every = analyses.members(system, overlap)
    below = st.container()
    if len(titles) > _MOST_OVERLAPS:
        with below:
            note(sentences.listed_overlaps(_MOST_OVERLAPS, len(titles)))
    first = _first_shown(every, f"{system.letter} {overlap}", selected)
    members = every.part(first, first + _MOST_MENTIONS)
    is_sample = which == "all" and sum(link_counts(members).values()) > _MOST_ARCS
    if is_sample:
        members = _sample(members)
    links = _links(system, overlap, members, first, which)
    shown = Shown(
        loaded,
        system,
        document,
        overlap,
        titles[overlap],
        first,
        members,
        which,
        metric,
        links,
        selected,
    )
    sentence, part = _in_sentences(shown, every)
    with head:
        headline(sentence)
    if part and not is_sample:
        with below:
            note(part)
    _show_arcs(shown)
    signature_to_copy(loaded.signature, key="links")
    _show_errors(shown, every)
    if which != "minimum":
        selection.note_other_metric(metric)
    if 1 < len(every.table) <= _MOST_PAIRS:
        _show_pairs(shown)
    _show_list(shown)


def _in_sentences(shown: Shown, every: Members) -> tuple[str, str]:
    """How many links the overlap has, and which part of them is shown; "" for all."""
    counts, n = _counts(shown.system, shown.overlap, shown.which), len(every.table)
    end, n_links = shown.first + len(shown.members.table), sum(counts.values())
    part = sentences.links_part(shown.first, end, n, len(shown.links), n_links)
    is_whole = len(shown.members.table) == n
    return sentences.links(shown.title, shown.which, n, counts), "" if is_whole else part


def _show_errors(shown: Shown, every: Members) -> None:
    """How many of the mentions have an error, in all and of each kind: rows are no links."""
    sides = ("key_entity", "response_entity")
    entities = (sorted(set(every.table[side].tolist()) - {0}) for side in sides)
    if find := within_entities(shown.document, *entities):
        whole = {"mentions with errors in these entities": find}
        show_found(shown.system, whole, before=sentences.LISTED_BY_MENTION)
        show_kinds([shown.system], find)


def _select_overlap(system: System, document: str, titles: dict[int, str], selected: Span) -> int:
    """A box of the overlaps. It shows that of the selected mention, or the one shown last."""
    comparison = system.result.comparison
    followed = overlap_of(comparison, document, *selected) if selected else state.group
    if followed in titles and (selected or state.link_group not in titles):
        state.link_group = followed
    if state.link_group not in titles:
        state.link_group = next(iter(titles))
    listed = list(titles)[:_MOST_OVERLAPS]
    others = {state.link_group} - set(listed)
    overlap: int = st.selectbox(
        "Entities that overlap, worst first",
        [*listed, *others],
        format_func=titles.__getitem__,
        key="link_group",
        on_change=lambda: _take_overlap(system),
        filter_mode=None,
        label_visibility="collapsed",
    )
    state.group = overlap
    return overlap


def _take_overlap(system: System) -> None:
    """Select the first mention of the selected overlap, which puts the overlap into the URL."""
    selection.select_mention(span_of(analyses.members(system, state.link_group).table.iloc[0]))


def _first_shown(every: Members, which: str, selected: Span) -> int:
    """The first of the mentions that are shown: a large overlap is turned page by page, and to the
    mention that was selected since."""
    key, row = f"links part {which}", _row_of(every.table, selected)
    selection.turn(key, selected, None if row is None else row // _MOST_MENTIONS + 1)
    n_parts = -(-len(every.table) // _MOST_MENTIONS)
    return _MOST_MENTIONS * (selection.turned(key, n_parts) - 1)


def _row_of(places: pd.DataFrame, selected: Span) -> int | None:
    if selected is None:
        return None
    start, end = selected
    rows = np.flatnonzero((places["start"] == start) & (places["end"] == end))
    return int(rows[0]) if len(rows) else None


def _sample(members: Members) -> Members:
    """Some mentions of the largest entity, said as such, as all links are too many to draw."""
    n_links = sum(link_counts(members).values())
    side, number, rows = members.sample(_MOST_SAMPLED)
    size = int((members.table[f"{side}_entity"] == number).sum())
    note(sentences.links_sample(len(rows), size, side, number, n_links))
    return members.rows(rows)


def _links(system: System, overlap: int, members: Members, first: int, which: str) -> pd.DataFrame:
    """The links between some members."""
    if which == "all":
        return overlap_links(system.result.comparison, members, which=which)
    links, end = _minimum(system, overlap), first + len(members.table)
    within = (links["first"] >= first) & (links["second"] < end)
    ends = {name: links.loc[within, name] - first for name in ("first", "second")}
    return links[within].assign(**ends).reset_index(drop=True)


@cached(16)
def _minimum(system: System, overlap: int) -> pd.DataFrame:
    members = analyses.members(system, overlap)
    return overlap_links(system.result.comparison, members, which="minimum")


def _counts(system: System, overlap: int, which: str) -> dict[str, int]:
    """How many links of the whole overlap are of each kind."""
    if which == "all":
        return link_counts(analyses.members(system, overlap))
    return {
        str(kind): int(n) for kind, n in _minimum(system, overlap)["kind"].value_counts().items()
    }


def _show_arcs(shown: Shown) -> None:
    places = shown.members.table
    row = _row_of(places, shown.selected)
    if shown.links.empty:
        note("No link here: each of these entities has one mention. Choose other entities.")
    chart(
        overlap_plots.arcs(places, shown.links, selected=row),
        *("links", shown.which, shown.document, shown.system.name),
        key="arcs",
        on_select=lambda: _take_mention(places),
        alt="Mentions in text order with arcs for correct, missing and wrong links.",
        rows=_IN_WORDS,
    )
    if shown.which == "minimum":
        note(sentences.MINIMUM)
    note(
        "Filled points are shared mentions, open points are missing (key only), crosses are "
        "spurious (response only). Click one to select it on every page."
    )


def _take_mention(places: pd.DataFrame) -> None:
    """Select the mention that was clicked, on every page."""
    if points := clicked_points("arcs"):
        selection.select_mention(span_of(places.iloc[int(points[0])]))


def _show_pairs(shown: Shown) -> None:
    """Every pair of mentions; a click on one says what it is."""
    places, kinds = shown.members.table, pair_kinds(shown.members)
    sentence = sentences.pairs(pair_counts(kinds))
    subtitle("Every pair of mentions, as BLANC counts them")
    headline(sentence)
    with st.container(key="pair_matrix"):
        clicked = chart(
            overlap_plots.pair_matrix(places, kinds),
            *("pairs", shown.document, shown.system.name),
            width="content",
            key=f"pairs {shown.overlap}",
            on_select="rerun",
            alt=sentence,
            rows=partial(pair_table, shown.members, kinds),
        )
    if clicked:
        one, other = (int(row) for row in clicked[0])
        both, document = (places.iloc[one], places.iloc[other]), shown.document
        headline(sentences.pair(*both, PAIR_KINDS[kinds[one, other]]))
        with st.container(horizontal=True):
            for number, mention in enumerate(both):
                label, key = f"Read “{mention['text'][:40]}”", f"read_{number}"
                text_link.link_to("text", label, document, span_of(mention), key=key)
        ends = [span_of(mention) for mention in both]
        show_of_mentions(shown.system, document, ends, "mentions with errors of these two")
    else:
        note("Click a square to read what that pair is, and which of its two mentions have errors.")


def _show_list(shown: Shown) -> None:
    """One row per link; a click on a mention opens the text there."""
    cell = _show_table(shown, on_select=text_link.click)
    places, document = shown.members.table, shown.document
    if cell:
        row, column = cell
        mention = places.iloc[shown.links["second" if column == "second" else "first"].iloc[row]]
        text_link.link(f"Read “{mention['text'][:40]}” in {document}", document, span_of(mention))
    else:
        text_link.link(f"Read {document}", document, shown.selected)


def _show_table(shown: Shown, **looks: Any) -> Cell | None:
    """The links by the words of their two mentions, with what each earns of what it could."""
    subtitle(_IN_WORDS)
    words = shown.members.table["text"].to_numpy(dtype=object)
    ends = {end: words[shown.links[end].to_numpy(dtype=np.int64)] for end in ("first", "second")}
    comparison = shown.system.result.comparison
    credit = link_credit(comparison, shown.members, shown.links, metric=shown.metric)
    rows = shown.links[["kind"]].assign(**ends).join(credit)
    cell = table(
        Table(rows, columns_of("links", metric=name_of(shown.metric))),
        key=f"link_table {shown.overlap} {shown.which} {shown.system.letter} {shown.first}",
        alt="The links that are drawn, with credit and weight: click a mention to read it.",
        **looks,
    )
    note(sentences.link_weight(shown.metric))
    name = "links", shown.which, shown.document, shown.system.name
    download(rows, shown.loaded.signature, *name)
    return cell


def show_overlap(
    loaded: Loaded,
    system: System,
    document: str,
    overlap: int,
    title: str,
    metric: str,
    selected: Span,
) -> None:
    """Draw the links of an overlap, and what each weighs under a metric, on another page: all of
    them, or MUC's minimum under MUC and where all are too many to draw."""
    every = analyses.members(system, overlap)
    is_all = metric != "muc" and sum(link_counts(every).values()) <= _MOST_ARCS
    which = "all" if is_all else "minimum"
    under = "muc" if not is_all else metric if metric in LINK_METRICS else "lea"
    members = every.part(0, _MOST_MENTIONS)
    links = _links(system, overlap, members, 0, which)
    shown = Shown(
        loaded, system, document, overlap, title, 0, members, which, under, links, selected
    )
    sentence, part = _in_sentences(shown, every)
    headline(sentence)
    if part:
        note(part)
    _show_arcs(shown)
    _show_table(shown, most=6)
