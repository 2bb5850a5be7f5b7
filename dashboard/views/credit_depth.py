"""One metric in depth: what it counts, row by row, and what it alone has."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from corescore.analysis.credit import (
    alignment_table,
    non_coreference_links_between,
    non_coreference_links_of,
    scores_without,
)
from corescore.analysis.errors.classes import CORRECT, MISSING
from corescore.analysis.explain import (
    Explanation,
    blanc_cells,
    depth_table,
    entity_titles,
    explain_mention,
    explained_links,
    find_mention,
    share_table,
    where_it_is,
)
from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import SIDES, Comparison
from corescore.metrics import METRIC_IDS, Metric, metric_of, name_of
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, SPANNING_LINK
from corescore.plots import errors as credit_plots
from corescore.rendering import decomposition, drawn
from corescore.rendering import html as markup
from corescore.sentences import credit as sentences
from corescore.wording import in_percent
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System
from dashboard.widgets import links as text_link
from dashboard.widgets import selection
from dashboard.widgets.charts import chart, is_wanted
from dashboard.widgets.error_counts import show_found, show_of_mentions, within_entities
from dashboard.widgets.page import headline, note, side_by_side, subtitle
from dashboard.widgets.selection import Span, switch
from dashboard.widgets.tables import clicked_cell, columns, download, table

# The tables of Credit as the page writes them, and how their columns are headed -------------------


def depth_rows(rows: pd.DataFrame, titles: Mapping[int, str]) -> pd.DataFrame:
    """A `depth_table` in percent. By link, two entities stand by their numbers and titles where a
    row counts all links between them, and a link of a mention with itself says so."""
    shown = in_percent(rows, ["lost", "earned", "running"])
    if "other" not in rows:
        return shown
    shown["other"] = rows["other"].where(rows["other"].notna(), "itself")
    if "entity" in rows:
        of_two = rows["entity"].notna()
        for name, entity in (("mention", "entity"), ("other", "other_entity")):
            numbers = rows.loc[of_two, entity]
            shown.loc[of_two, name] = [f"entity {n}: {titles[n]}" for n in numbers]
    return shown


def non_coreference_rows(links: pd.DataFrame, side: str) -> pd.DataFrame:
    """Links of `explained_links`, right, or missing (of the key) or wrong (of the response); the
    entities of both ends (`key_entities`, `response_entities`), – where a side lacks an end."""
    lost = MISSING if side == "recall" else "wrong"
    shown = in_percent(links, ["lost"]).assign(status=np.where(links["credit"] == 1, CORRECT, lost))
    for of in ("key", "response"):
        ends = [_numbers(links[f"{end}{of}_entity"]) for end in ("", "other_")]
        shown[f"other_{of}_entity"] = ends[1]
        shown[f"{of}_entities"] = [" · ".join(both) for both in zip(*ends, strict=True)]
    return shown


def _numbers(entities: "pd.Series[int]") -> list[str]:
    return ["–" if pd.isna(entity) else str(entity) for entity in entities]


# What the Credit page asks of `analysis.credit` and `analysis.explanation`, cached ----------------


def metric_in_force(system: System, name: str) -> Metric:
    """One of the six as it is in force."""
    return metric_of(name, system.result.metrics)


@cached(64, "Spreading the credit over the mentions")
def shares_of(system: System, side: str, document: str) -> pd.DataFrame:
    """The mentions of a document and what each metric gives them."""
    result = system.result
    return share_table(result.comparison, result.six, side=side, document=document)


def pays_for_being_alone(system: System, name: str) -> bool:
    """Whether a metric credits more than links, such as a mention with itself."""
    credit = metric_in_force(system, name).credit
    links = {COREFERENCE_LINK, NON_COREFERENCE_LINK, SPANNING_LINK}
    kinds = {unit.kind for unit in credit(system.result.comparison.table)} if credit else set()
    return not kinds <= links


@cached(64, "Adding up the credit")
def depth(system: System, metric: str, side: str, by: str, document: str) -> pd.DataFrame:
    """One metric row by row."""
    chosen = metric_in_force(system, metric)
    return depth_table(system.result.comparison, chosen, side=side, by=by, document=document)


@cached(256)
def reasons(
    system: System, side: str, document: str, mention: tuple[int, int]
) -> tuple[str, list[Explanation]]:
    """Where the selected mention is, and the arithmetic under each metric."""
    result, (start, end) = system.result, mention
    mention_row = find_mention(
        result.comparison, side=side, document=document, start=start, end=end
    )
    if mention_row is None:
        has, lacks = ("response", "key") if side == "recall" else ("key", "response")
        other = "precision" if side == "recall" else "recall"
        missing = f"The selected mention is missing from the {lacks}. The {has} has it"
        return f"{missing}: switch to {other}.", []
    explanations = explain_mention(result.comparison, result.six, mention_row, side=side)
    return where_it_is(result.comparison, mention_row, side=side), explanations


@cached(256)
def without(system: System, document: str, mention: tuple[int, int]) -> dict[str, float]:
    """What each metric's F1 over all documents would gain without a mention of the response."""
    result, (start, end) = system.result, mention
    mention_row = find_mention(
        result.comparison, side="precision", document=document, start=start, end=end
    )
    if mention_row is None or result.policies.keeps_repeats:
        return {}
    table, only = result.comparison.table, np.array([mention_row])
    return {
        metric.id: scores_without(result.comparison, metric, only).row(0).f1
        - metric.score(metric.counts(table).total(), empty=0).row(0).f1
        for metric in result.six
    }


# What the Credit page shows -----------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """A document, the response and the direction whose credit is shown.

    text    the words: of the key, or of the response where the key has none
    shares  of `share_table`: the mentions, and what each metric gives them
    """

    loaded: Loaded
    system: System
    document: str
    text: Document
    direction: str
    selected: Span
    shares: pd.DataFrame

    @property
    def comparison(self) -> Comparison:
        return self.system.result.comparison

    @property
    def own(self) -> Document:
        """The document of the side whose mentions are shown."""
        number = self.system.result.documents.index(self.document)
        return self.comparison.view(self.direction).documents[number]

    def words(self, start: int, end: int) -> str:
        return self.text.text(self.own.mention(start, end))


_MOST_LISTED = 1500  # mentions of a document whose links are listed one by one

_MOST_LINKS = 500


def show_depth(shown: Shown) -> None:
    """Draw this part of the page."""
    subtitle("One metric in depth")
    with side_by_side():
        by = switch("level", on_change=selection.send_again)
    metric = selection.metric_among(METRIC_IDS)
    selection.note_other_metric(metric)
    _say_what_is_lost(shown, metric)
    if by == "link" and len(shown.shares) > _MOST_LISTED:
        note("This document has too many links to list one by one: a row is an entity.")
        by = "entity"
    record = metric_in_force(shown.system, metric)
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
        subtitle(f"Pairs of mentions, as {record.title} sees them")
        st.html(markup.pair_counts(blanc_cells(shown.comparison, shown.document)))
        note(sentences.PAIRS_ARE_NOT_ERRORS)


def _say_what_is_lost(shown: Shown, metric: str) -> None:
    """What the metric loses over all documents to detection, linking and singletons; nothing where
    a loss cannot be divided."""
    if not is_wanted(shown.loaded, "Divide the losses", key="losses"):
        return
    with suppress(PolicyError):
        made = shown.system.result.decomposition
        if metric in made.metrics:
            note(f"Over all documents, {decomposition.loss(made, shown.system.title, metric)}")


def _show_rows(shown: Shown, metric: str, by: str) -> pd.Series | None:
    """What the metric counts, the greatest losses first; the row that is selected."""
    document, direction, system = shown.document, shown.direction, shown.system
    rows = depth(system, metric, direction, by, document)
    apart = "split antecedents" if shown.comparison.plurals else ""
    headline(sentences.depth(document, metric, direction, by, rows, apart=apart))
    row: pd.Series | None = None
    if not rows.empty:
        # How the table's columns are headed and written.
        heads = columns(f"credit by {by}") | columns("credit by any", side=direction)
        titles = entity_titles(shown.comparison, document, side=direction)
        # a row of this table, and of no other
        key = f"depth_table {metric} {by} {direction} {system.letter} {document}"
        cell = table(
            depth_rows(rows, titles)[list(heads)],
            heads,
            key=key,
            on_select=partial(_take_row, shown, rows, by, key),
            alt=f"The counts of {name_of(metric)}, the greatest losses first.",
        )
        row = rows.iloc[cell[0]] if cell else None
    if row is not None:
        _show_errors_of_row(shown, row, by)
        read_selected(shown, key="read_row")
    name = f"credit-by-{by}", metric, direction, document, system.name
    download(rows, shown.loaded.signature, *name)
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
    selection.select_mention(selection.span_of(row))


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
        # Whose links, and the links.
        scored_by, document = metric_in_force(shown.system, metric), shown.document
        entities = int(row["entity"]), int(row["other_entity"])
        links = non_coreference_links_between(
            shown.comparison, scored_by, entities, side=shown.direction, document=document
        )
        titles = entity_titles(shown.comparison, document, side=shown.direction)
        whose, links = (
            sentences.between_entities(entities, titles),
            _explained(shown, metric, links),
        )
    elif links_of_mention := _links_of_selected(shown, metric):
        whose, links = links_of_mention
    else:
        note(
            "Select a mention to list its non-coreference links. With one row per link, choose "
            "a row of two entities to list all links between them."
        )
        return
    headline(sentences.non_coreference(whose, shown.direction, links, most=_MOST_LINKS))
    if not links.empty:
        _show_links(shown, whose, links, between=between)
        name = "non-coreference-links", shown.direction, shown.document, shown.system.name
        download(links, shown.loaded.signature, *name)


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
    scored_by = metric_in_force(shown.system, metric)
    links = non_coreference_links_of(shown.comparison, scored_by, mention, side=shown.direction)
    return f"of “{shown.words(start, end)}”", _explained(shown, metric, links)


def _explained(shown: Shown, metric: str, links: pd.DataFrame) -> pd.DataFrame:
    scored_by = metric_in_force(shown.system, metric)
    return explained_links(
        shown.comparison, scored_by, links, side=shown.direction, document=shown.document
    )


def _show_links(shown: Shown, whose: str, links: pd.DataFrame, *, between: bool) -> None:
    """The first of them in a table; a click on a mention opens the text there."""
    which = "between entities" if between else "of a mention"
    heads = columns(f"non-coreference links {which}", side=shown.direction)
    rows = non_coreference_rows(links.head(_MOST_LINKS), shown.direction)
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


# CEAF's alignment ---------------------------------------------------------------------------------


def _show_alignment(shown: Shown, metric: str) -> None:
    document, comparison = shown.document, shown.comparison
    aligned = alignment_table(comparison, metric_in_force(shown.system, metric))
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
    download(aligned, shown.loaded.signature, *name)
