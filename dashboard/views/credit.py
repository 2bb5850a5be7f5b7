"""Credit: which links or entities does each metric credit, and how much?"""

from dataclasses import asdict

import pandas as pd
import streamlit as st

from corescore.analysis.credit.non_coreference import (
    non_coreference_links_between,
    non_coreference_links_of,
)
from corescore.analysis.credit.tables import alignment_table
from corescore.analysis.errors.mentions import INCORRECTLY_RESOLVED
from corescore.analysis.explanation.depth import blanc_cells, explained_links
from corescore.analysis.explanation.shares import find_mention, mean_shares
from corescore.analysis.explanation.titles import entity_titles
from corescore.metrics import METRIC_IDS, name_of
from corescore.metrics.metric import NON_COREFERENCE_LINK
from corescore.plots import credit as credit_plots
from corescore.rendering import html as markup
from corescore.rendering import panels
from corescore.sentences import credit as findings
from dashboard.components.assets import asset
from dashboard.session import state
from dashboard.session.pages import page_named
from dashboard.views import credit_rows, crediting
from dashboard.widgets import downloads as take_along
from dashboard.widgets import selection
from dashboard.widgets import text_link as to_text

WINDOW = 90
MOST_LISTED = 1500
MOST_LINKS = 500
ROW = 32
LEVELS = ("entity", "mention", "link")
ALIGNING = ("ceafm", "ceafe")


def take_click() -> None:
    """Select the mention that was clicked, or none if it was selected before."""
    span = st.session_state["credit_panels"].mention
    if span:
        start, end = map(int, span.split("-"))
        st.session_state["window_shows"] = (st.session_state["document"], span)
        selection.select_mention(start, end)
    elif span == "":
        selection.clear_mention()


def take_row(rows: pd.DataFrame, key: str) -> None:
    """Select the mention of the chosen row, on every page: the one that is credited, or the first
    of an entity. A row of two entities selects none, and has its links listed."""
    cells = st.session_state[key].selection.get("cells", [])
    if not cells or is_of_two_entities(rows.iloc[cells[0][0]]):
        return
    row = rows.iloc[cells[0][0]]
    if by == "entity":
        row = table[table["own_entity"] == row["entity"]].iloc[0]
    selection.select_mention(int(row["start"]), int(row["end"]))


def is_of_two_entities(row: pd.Series) -> bool:
    """Whether a row counts all non-coreference links between two entities."""
    return by == "link" and row["kind"] == NON_COREFERENCE_LINK


def read_link(key: str) -> None:
    """A way to the selected mention in the text."""
    st.container(key=key, width="content").page_link(
        page_named("text"),
        label="Read the selected mention in the text",
        query_params={"document": name, "mention": "-".join(map(str, chosen or ()))},
    )


def list_links(whose: str, links: pd.DataFrame, *, between: bool) -> None:
    """The first of them in a table; a click on a mention opens the text there."""
    columns = credit_rows.apart_columns(side, between=between)
    event = st.dataframe(
        credit_rows.non_coreference_rows(links.head(MOST_LINKS), side)[list(columns)],
        height=ROW * min(11, 1 + len(links)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=columns,
        key=f"apart_table {side} {letter} {name} {whose}",
        selection_mode="single-cell",
        on_select=to_text.click,
        alt=f"The non-coreference links {whose}, those that are not right first.",
    )
    row, column = next(iter(event.selection.cells), (0, "other"))
    end = "" if column == "mention" else "other_"
    span = int(links[f"{end}start"].iloc[row]), int(links[f"{end}end"].iloc[row])
    to_text.link(f"Read “{' '.join(text.words[slice(*span)])[:40]}” in {name}", name, span)
    to_text.follow()


def links_apart(row: pd.Series | None) -> tuple[str, pd.DataFrame] | None:
    """The non-coreference links between the two entities of a row or, where none is chosen, of
    the selected mention: whose they are, and the links."""
    comparison, metric_now = result.comparison, crediting.metric_in_force(system, metric)
    if row is not None and is_of_two_entities(row):
        entities = int(row["entity"]), int(row["other_entity"])
        links = non_coreference_links_between(
            comparison, metric_now, entities, side=side, document=name
        )
        whose = findings.between_entities(entities, entity_titles(comparison.view(side), name))
    else:
        if chosen is None:
            return None
        found = find_mention(comparison, side=side, document=name, start=chosen[0], end=chosen[1])
        if found is None:
            return None
        links = non_coreference_links_of(comparison, metric_now, found, side=side)
        whose = f"of “{' '.join(text.words[slice(*chosen)])}”"
    return whose, explained_links(comparison, metric_now, links, side=side, document=name)


def turn_window(mention: tuple[int, int] | None, starts: list[int]) -> None:
    """Turn to a mention that was selected elsewhere, or in another document to the first mention
    that is incorrectly resolved (`starts`: where those start)."""
    span = "-".join(map(str, mention)) if mention else ""
    now = (name, span)
    before = st.session_state.get("window_shows")
    linked = before is None and not mention and "window" in st.query_params
    if before != now and (mention or before is None or before[0] != name) and not linked:
        place = mention[0] if mention else min(starts, default=0)
        inside = [n for n, page in enumerate(pages, 1) if page.start <= place < page.end]
        st.session_state["window"] = inside[0] if inside else 1
    st.session_state["window_shows"] = now


loaded = state.loaded()
names = [document.name for document in loaded.key]
signature = markup.paragraph(loaded.signature, "signature")
st.title("Which links or entities does each metric credit, and how much?", anchor=False)
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = selection.select_document(loaded)
    letter = selection.select_letter("Response", loaded)
    side = st.segmented_control(
        "Credit towards",
        ["recall", "precision"],
        default="recall",
        required=True,
        key="side",
        bind="query-params",
    )
    paging = st.container(width="content")

system = loaded.system(letter)
result = system.result
chosen = selection.selected_mention()
table = crediting.shares(system, side, name)
wrong = table[table["status"] == INCORRECTLY_RESOLVED]
means = mean_shares(table, METRIC_IDS, status=INCORRECTLY_RESOLVED if len(wrong) else "")
headline.html(
    markup.paragraph(
        findings.incorrect_shares(name, system.title, len(wrong), side, means), "headline"
    )
)

at = names.index(name)
key, response = result.comparison.key[at], result.comparison.response[at]
text = key if key.words else response
pages = markup.windows(text, WINDOW)
turn_window(chosen, list(wrong["start"]))
number = 1
if len(pages) > 1:
    with paging:
        number = st.pagination(len(pages), key="window", bind="query-params")
where, told = crediting.reasons(system, side, name, chosen) if chosen else ("", [])
if table.empty:
    whose = "key" if side == "recall" else "response"
    note = (
        f"The {whose} has no mention in this document. Choose another document or the other side."
    )
    st.html(markup.paragraph(note, "note"))
st.components.v2.component("corescore_credit", css=asset("credit.css"), js=asset("credit.js"))(
    data=asdict(
        panels.panels(
            text.words,
            text.sentence_starts,
            table,
            pages[min(number, len(pages)) - 1],
            side=side,
            scores=panels.scores_in_words(result, name, side),
            chosen=chosen,
            explanations=told,
            where=where,
        )
    ),
    key="credit_panels",
    on_mention_change=take_click,
)
take_along.table(table, loaded.signature, "shares", side, name, system.name)
if chosen:
    if changes := crediting.without(system, name, chosen):
        st.html(markup.paragraph(findings.without(changes), "note"))
    read_link("read_mention")

st.subheader("One metric in depth", anchor=False)
with st.container(horizontal=True, vertical_alignment="bottom"):
    metric = st.selectbox(
        "Metric",
        METRIC_IDS,
        format_func=name_of,
        key="metric",
        bind="query-params",
        filter_mode=None,
        width=140,
    )
    by = st.segmented_control(
        "A row for each",
        LEVELS,
        default="entity",
        required=True,
        key="level",
        bind="query-params",
    )
if by == "link" and len(table) > MOST_LISTED:
    note = "This document has too many links to list one by one: a row is an entity."
    st.html(markup.paragraph(note, "note"))
    by = "entity"
rows = crediting.depth(system, metric, side, by, name)
st.html(markup.paragraph(findings.depth(name, metric, side, by, rows), "headline"))
columns = credit_rows.depth_columns(by, side)
picked: pd.Series | None = None
if not rows.empty:
    table_key = f"depth_table {metric} {by} {side} {letter} {name}"  # a table's row, no other's
    event = st.dataframe(
        credit_rows.depth_rows(rows, entity_titles(result.comparison.view(side), name))[
            list(columns)
        ],
        height=ROW * min(11, 1 + len(rows)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=columns,
        key=table_key,
        selection_mode="single-cell",
        on_select=lambda: take_row(rows, table_key),
        alt=f"What {name_of(metric)} counts, the greatest losses first.",
    )
    picked = rows.iloc[event.selection.cells[0][0]] if event.selection.cells else None
if chosen and picked is not None:
    read_link("read_row")
take_along.table(rows, loaded.signature, f"credit-by-{by}", metric, side, name, system.name)

if metric == "blanc":
    st.subheader("Non-coreference links one by one", anchor=False)
    listed = links_apart(picked)
    if listed is None:
        note = (
            "Select a mention to list its non-coreference links. With a row for each link, choose "
            "a row of two entities to list all links between them."
        )
        st.html(markup.paragraph(note, "note"))
    else:
        counted = findings.non_coreference(listed[0], side, listed[1], most=MOST_LINKS)
        st.html(markup.paragraph(counted, "headline"))
        if not listed[1].empty:
            list_links(*listed, between=picked is not None and is_of_two_entities(picked))
            called = "non-coreference-links", side, name, system.name
            take_along.table(listed[1], loaded.signature, *called)

if metric in ALIGNING:
    aligned = alignment_table(result.comparison, crediting.metric_in_force(system, metric))
    aligned = aligned[aligned["document"] == name]
    st.subheader(f"The alignment of {name_of(metric)}", anchor=False)
    st.html(markup.paragraph(findings.alignment(metric, aligned), "note"))
    key_titles = entity_titles(result.comparison.recall, name)
    response_titles = entity_titles(result.comparison.precision, name)
    if not aligned.empty:
        st.plotly_chart(
            credit_plots.alignment(aligned, key_titles, response_titles),
            config=take_along.pictures("alignment", metric, name, system.name),
            key="alignment_chart",
            alt=f"Lines from key entities to the response entities that {name_of(metric)} aligns.",
        )
    take_along.table(aligned, loaded.signature, "alignment", metric, name, system.name)
if metric == "blanc":
    st.subheader("Pairs of mentions, as BLANC sees them", anchor=False)
    st.html(markup.pair_counts(blanc_cells(result.comparison, name)) + signature)
