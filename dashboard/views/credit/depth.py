"""One metric in depth: what it counts, row by row, and what it alone has."""

from functools import partial

import pandas as pd
import streamlit as st

from corescore.analysis.credit import (
    alignment_table,
    non_coreference_links_between,
    non_coreference_links_of,
)
from corescore.analysis.explain import blanc_cells, entity_titles, explained_links, find_mention
from corescore.counting.comparison import SIDES
from corescore.metrics import METRIC_IDS, name_of
from corescore.metrics.metric import NON_COREFERENCE_LINK
from corescore.plots import errors as credit_plots
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.sentences import credit as sentences
from dashboard.views.credit import cached, columns
from dashboard.views.credit.shown import Shown
from dashboard.widgets import selection, text_link
from dashboard.widgets.charts import chart
from dashboard.widgets.error_counts import show_found, show_of_mentions, within_entities
from dashboard.widgets.link_values import switch
from dashboard.widgets.page import headline, note, subtitle
from dashboard.widgets.tables import clicked_cell, download, table

_MOST_LISTED = 1500  # mentions of a document whose links are listed one by one
_MOST_LINKS = 500
_LEVELS = ("entity", "mention", "link")


def show_depth(shown: Shown) -> None:
    """Draw this part of the page."""
    subtitle("One metric in depth")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = selection.select_lasting(
            "Metric", METRIC_IDS, key="metric", format_func=name_of, width=140
        )
        by = switch(
            "A row for each", _LEVELS, default="entity", key="level", on_change=selection.send_again
        )
    if by == "link" and len(shown.shares) > _MOST_LISTED:
        note("This document has too many links to list one by one: a row is an entity.")
        by = "entity"
    record = cached.metric_in_force(shown.system, metric)
    if record.credit is None:
        note(record.no_credit)
        return
    kinds = {unit.kind for unit in record.credit(shown.comparison.table)}
    row = _show_rows(shown, metric, by)
    if NON_COREFERENCE_LINK in kinds:
        _show_non_coreference(shown, metric, row)
    if record.similarity:
        _show_alignment(shown, metric)
    if NON_COREFERENCE_LINK in kinds:
        subtitle(f"Pairs of mentions, as {record.name} sees them")
        st.html(markup.pair_counts(blanc_cells(shown.comparison, shown.document)))
        note(sentences.PAIRS_ARE_NOT_ERRORS)


def _show_rows(shown: Shown, metric: str, by: str) -> pd.Series | None:
    """What the metric counts, the greatest losses first; the row that is selected."""
    document, direction, system = shown.document, shown.direction, shown.system
    rows = cached.depth(system, metric, direction, by, document)
    headline(sentences.depth(document, metric, direction, by, rows))
    row: pd.Series | None = None
    if not rows.empty:
        heads = columns.depth_columns(by, direction)
        titles = entity_titles(shown.comparison, document, side=direction)
        # a row of this table, and of no other
        key = f"depth_table {metric} {by} {direction} {system.letter} {document}"
        cell = table(
            columns.depth_rows(rows, titles)[list(heads)],
            heads,
            key=key,
            on_select=partial(_take_row, shown, rows, by, key),
            alt=f"What {name_of(metric)} counts, the greatest losses first.",
        )
        row = rows.iloc[cell[0]] if cell else None
    if row is not None:
        _show_errors_of_row(shown, row, by)
        read_selected(shown, key="read_row")
    name = f"credit-by-{by}", metric, direction, document, system.name
    download(rows, shown.loaded.signature, *name, signed=False)
    return row


def _show_errors_of_row(shown: Shown, row: pd.Series, by: str) -> None:
    """The errors of the entity that was clicked, or of the mentions of the link; those of a mention
    stand above, where it is selected."""
    system, document = shown.system, shown.document
    if by == "entity":
        entity = [int(row["entity"])]
        sides = (entity, []) if shown.direction == "recall" else ([], entity)
        show_found(
            system, {"mentions with errors in this entity": within_entities(document, *sides)}
        )
    elif by == "link" and not _is_of_two_entities(row):
        known = [at for at in ("", "other_") if pd.notna(row[f"{at}start"])]  # one of its own
        ends = [(int(row[f"{at}start"]), int(row[f"{at}end"])) for at in known]
        show_of_mentions(system, document, ends, "mentions with errors of this link")


def _take_row(shown: Shown, rows: pd.DataFrame, by: str, key: str) -> None:
    """Select the mention of the row that was clicked, on every page: the one that is credited, or
    the first of an entity. A row of two entities selects none, and has its links listed."""
    cell = clicked_cell(key)
    if cell is None or _is_of_two_entities(rows.iloc[cell[0]]):
        return
    row = rows.iloc[cell[0]]
    if by == "entity":
        row = shown.shares[shown.shares["own_entity"] == row["entity"]].iloc[0]
    selection.select_mention(int(row["start"]), int(row["end"]))


def _is_of_two_entities(row: pd.Series) -> bool:
    """Whether a row counts all non-coreference links between two entities."""
    return "other_entity" in row and row["kind"] == NON_COREFERENCE_LINK


def read_selected(shown: Shown, *, key: str) -> None:
    """The way to the selected mention in the text."""
    if shown.selected:
        label = "Read the selected mention in the text"
        text_link.link_to("text", label, shown.document, shown.selected, key=key)


# BLANC's non-coreference links --------------------------------------------------------------------


def _show_non_coreference(shown: Shown, metric: str, row: pd.Series | None) -> None:
    """The links between the two entities of a row or, without one, of the selected mention."""
    subtitle("Non-coreference links one by one")
    between = row is not None and _is_of_two_entities(row)
    if row is not None and between:
        whose, links = _links_between(shown, metric, row)
    elif found := _links_of_selected(shown, metric):
        whose, links = found
    else:
        note(
            "Select a mention to list its non-coreference links. With a row for each link, choose "
            "a row of two entities to list all links between them."
        )
        return
    headline(sentences.non_coreference(whose, shown.direction, links, most=_MOST_LINKS))
    if not links.empty:
        _show_links(shown, whose, links, between=between)
        name = "non-coreference-links", shown.direction, shown.document, shown.system.name
        download(links, shown.loaded.signature, *name, signed=False)


def _links_between(shown: Shown, metric: str, row: pd.Series) -> tuple[str, pd.DataFrame]:
    """Whose links, and the links."""
    of, document = cached.metric_in_force(shown.system, metric), shown.document
    entities = int(row["entity"]), int(row["other_entity"])
    links = non_coreference_links_between(
        shown.comparison, of, entities, side=shown.direction, document=document
    )
    titles = entity_titles(shown.comparison, document, side=shown.direction)
    return sentences.between_entities(entities, titles), _explained(shown, metric, links)


def _links_of_selected(shown: Shown, metric: str) -> tuple[str, pd.DataFrame] | None:
    """Whose links, and the links; None where this side lacks the mention, or none is selected."""
    if not shown.selected:
        return None
    start, end = shown.selected
    mention = find_mention(
        shown.comparison, side=shown.direction, document=shown.document, start=start, end=end
    )
    if mention is None:
        return None
    of = cached.metric_in_force(shown.system, metric)
    links = non_coreference_links_of(shown.comparison, of, mention, side=shown.direction)
    return f"of “{shown.words(start, end)}”", _explained(shown, metric, links)


def _explained(shown: Shown, metric: str, links: pd.DataFrame) -> pd.DataFrame:
    of = cached.metric_in_force(shown.system, metric)
    return explained_links(
        shown.comparison, of, links, side=shown.direction, document=shown.document
    )


def _show_links(shown: Shown, whose: str, links: pd.DataFrame, *, between: bool) -> None:
    """The first of them in a table; a click on a mention opens the text there."""
    heads = columns.non_coreference_columns(shown.direction, between=between)
    rows = columns.non_coreference_rows(links.head(_MOST_LINKS), shown.direction)
    cell = table(
        rows[list(heads)],
        heads,
        key=f"apart_table {shown.direction} {shown.system.letter} {shown.document} {whose}",
        on_select=text_link.click,
        alt=f"The non-coreference links {whose}, those that are not correct first.",
    )
    row, column = cell or (0, "other")
    end = "" if column == "mention" else "other_"
    span = int(links[f"{end}start"].iloc[row]), int(links[f"{end}end"].iloc[row])
    label = f"Read “{shown.words(*span)[:40]}” in {shown.document}"
    text_link.link(label, shown.document, span)
    text_link.follow()


# CEAF's alignment ---------------------------------------------------------------------------------


def _show_alignment(shown: Shown, metric: str) -> None:
    document, comparison = shown.document, shown.comparison
    aligned = alignment_table(comparison, cached.metric_in_force(shown.system, metric))
    aligned = aligned[aligned["document"] == document]
    name = "alignment", metric, document, shown.system.name
    subtitle(f"The alignment of {name_of(metric)}")
    note(sentences.alignment(metric, aligned))
    if part := sentences.alignment_part(credit_plots.MOST_ALIGNED, aligned):
        note(part)
    if not aligned.empty:
        key, response = (entity_titles(comparison, document, side=side) for side in SIDES)
        chart(
            credit_plots.alignment(aligned, key, response),
            *name,
            key="alignment_chart",
            alt=f"Lines from key entities to the response entities that {name_of(metric)} aligns.",
            rows=partial(drawn.alignment, aligned, key, response),
        )
    download(aligned, shown.loaded.signature, *name, signed=False)
