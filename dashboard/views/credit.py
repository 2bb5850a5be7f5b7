"""Credit: which links or entities does each metric credit, and how much?"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.credit import (
    alignment_table,
    non_coreference_links_between,
    non_coreference_links_of,
    scores_without,
)
from corescore.analysis.errors.classes import CORRECT, INCORRECTLY_RESOLVED, MISSING
from corescore.analysis.explain import (
    Explanation,
    blanc_cells,
    depth_table,
    entity_titles,
    explain_mention,
    explained_links,
    find_mention,
    mean_shares,
    n_key_singletons,
    share_table,
    where_it_is,
)
from corescore.corpus.documents import Document
from corescore.corpus.problems import PolicyError
from corescore.counting.comparison import SIDES, Comparison
from corescore.metrics import METRIC_IDS, Metric, metric_of, name_of
from corescore.metrics.metric import COREFERENCE_LINK, NON_COREFERENCE_LINK, SPANNING_LINK
from corescore.plots import errors as credit_plots
from corescore.rendering import decomposition, drawn, panels
from corescore.rendering import html as markup
from corescore.rendering.columns import columns_of
from corescore.rendering.html import Window
from corescore.rendering.text import Table
from corescore.sentences import credit as sentences
from dashboard.components.mentions import window_of
from dashboard.components.page import strip
from dashboard.components.passage import show_panels
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.state import Place, Span, state, write_url
from dashboard.widgets import document_box, selection
from dashboard.widgets import links as text_link
from dashboard.widgets.charts import chart, is_wanted
from dashboard.widgets.error_counts import (
    show_classes,
    show_found,
    show_of_mentions,
    within_entities,
)
from dashboard.widgets.page import headline, note, question, side_by_side, subtitle, tools
from dashboard.widgets.tables import clicked_cell, download, table

# The tables of Credit as the page writes them, and how their columns are headed -------------------


def depth_rows(rows: pd.DataFrame, titles: Mapping[int, str]) -> pd.DataFrame:
    """A `depth_table` to be read. By link, two entities stand by their numbers and titles where a
    row counts all links between them, and a link of a mention with itself says so."""
    if "other" not in rows:
        return rows
    shown = rows.copy()
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
    status = np.where(links["credit"] == 1, CORRECT, lost)
    shown = links.assign(status=status, lost=100 * links["lost"])
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


def _row_of(system: System, side: str, document: str, mention: tuple[int, int]) -> int | None:
    compared, (start, end) = system.result.comparison, mention
    return find_mention(compared, side=side, document=document, start=start, end=end)


@cached(512)
def reasons(
    system: System, side: str, document: str, mention: tuple[int, int]
) -> tuple[str, list[Explanation]]:
    """Where the selected mention is, and the arithmetic under each metric."""
    result, mention_row = system.result, _row_of(system, side, document, mention)
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
    result, mention_row = system.result, _row_of(system, "precision", document, mention)
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
        by = selection.switch("level", on_change=selection.send_again)
    metric = selection.metric_among(METRIC_IDS)
    selection.note_other_metric(metric)
    _say_what_is_lost(shown, metric)
    if by == "link" and len(shown.shares) > _MOST_LISTED:
        note("This document has too many links to list one by one: each row is an entity.")
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
        heads = columns_of(f"credit by {by}") + columns_of("credit by any", side=direction)
        titles = entity_titles(shown.comparison, document, side=direction)
        # a row of this table, and of no other
        key = f"depth_table {metric} {by} {direction} {system.letter} {document}"
        cell = table(
            Table(depth_rows(rows, titles), heads),
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
    comparison, document, side = shown.comparison, shown.document, shown.direction
    scored_by, whose = metric_in_force(shown.system, metric), ""
    between = row is not None and _is_of_two_entities(row)
    if row is not None and between:
        entities = int(row["entity"]), int(row["other_entity"])
        links = non_coreference_links_between(
            comparison, scored_by, entities, side=side, document=document
        )
        whose = sentences.between_entities(entities, entity_titles(comparison, document, side=side))
    elif shown.selected:
        mention = _row_of(shown.system, side, document, shown.selected)
        if mention is not None:
            links = non_coreference_links_of(comparison, scored_by, mention, side=side)
            whose = f"of “{shown.words(*shown.selected)}”"
    if not whose:
        note(
            "Select a mention to list its non-coreference links. With one row per link, choose "
            "a row of two entities to list all links between them."
        )
        return
    links = explained_links(comparison, scored_by, links, side=side, document=document)
    headline(sentences.non_coreference(whose, side, links, most=_MOST_LINKS))
    if not links.empty:
        _show_links(shown, whose, links, between=between)
        name = shown.system.name
        download(links, shown.loaded.signature, "non-coreference-links", side, document, name)


def _show_links(shown: Shown, whose: str, links: pd.DataFrame, *, between: bool) -> None:
    """The first of them in a table; a click on a mention opens the text there."""
    which = "between entities" if between else "of a mention"
    heads = columns_of(f"non-coreference links {which}", side=shown.direction)
    rows = non_coreference_rows(links.head(_MOST_LINKS), shown.direction)
    cell = table(
        Table(rows, heads),
        key=f"apart_table {shown.direction} {shown.system.letter} {shown.document} {whose}",
        on_select=text_link.click,
        alt=f"The non-coreference links {whose}, incorrect ones first.",
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


WINDOW = 150  # words
SIDE_BY_SIDE = "metrics"  # in the URL: the one or two whose passages are drawn alone


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    head = question("Which links or entities does each metric credit, and how much?")
    with tools():
        document = document_box.select_document(loaded)
        document_box.step_through_documents(loaded)
        system = loaded.system(selection.select_letter("Response", loaded))
        direction = selection.switch("side", on_change=selection.send_again)
        losses = side_by_side("center", width="content")
        paging = side_by_side("center", width="content")
    shown = _shown(loaded, system, document, direction)
    wrong = shown.shares[shown.shares["status"] == INCORRECTLY_RESOLVED]
    status = INCORRECTLY_RESOLVED if len(wrong) else ""
    means = mean_shares(shown.shares, METRIC_IDS, status=status)
    with head:
        n, alone = len(wrong), n_key_singletons(shown.shares, side=direction)
        headline(
            sentences.incorrect_shares(
                document, system.title, n, direction, means, singletons=alone
            )
        )
    with losses:
        # Buttons, and the keys n and p, from a mention that does not earn all to the next.
        metric = name_of(selection.metric_among(METRIC_IDS))
        for words, key, by in (("Previous loss", "p", -1), ("Next loss", "n", 1)):
            st.button(
                words,
                key=words.lower().replace(" ", "_"),
                type="tertiary",
                shortcut=key,
                help=f"{words}: a mention that earns less than all under {metric}",
                on_click=_step,
                args=(shown, by),
                disabled=shown.shares.empty,
            )
    window = _select_window(shown, wrong["start"].tolist(), paging)
    if shown.shares.empty:
        side = "key" if direction == "recall" else "response"
        note(
            f"The {side} has no mention in this document. Choose another document, or recall or "
            "precision."
        )
    _show_panels(shown, window)
    if (window.start, window.end) != (0, len(shown.text.words)):
        # The numbers of the first and the last sentence of the window, counted from 1.
        starts = shown.text.sentence_starts
        first, last = bisect_right(starts, window.start), bisect_left(starts, window.end)
        note(sentences.sentences_of(max(1, first), max(1, last), len(starts)))
    _say_what_shares_are(shown)
    show_classes([system], document)
    download(
        shown.shares, loaded.signature, "shares", direction, document, system.name, signed=True
    )
    _show_selected(shown)
    show_depth(shown)


def _shown(loaded: Loaded, system: System, document: str, direction: str) -> Shown:
    number = [of_key.name for of_key in loaded.key].index(document)
    compared = system.result.comparison
    key, response = compared.key[number], compared.response[number]
    shares = shares_of(system, direction, document)
    selected = selection.place().mention
    text = key if key.words else response
    return Shown(loaded, system, document, text, direction, selected, shares)


# The passage --------------------------------------------------------------------------------------


def _select_window(shown: Shown, starts: Sequence[int], paging: DeltaGenerator) -> Window:
    """The part of the document that is shown; `starts`: where the mentions start that are
    incorrectly resolved."""
    windows = markup.windows(shown.text, WINDOW)
    # Turn to a mention that was selected elsewhere, or in another document to the first mention
    # that is incorrectly resolved.
    before = state.shown_in_parts.get("window")
    is_linked = before is None and "window" in st.query_params
    place = shown.selected[0] if shown.selected else min(starts, default=0)
    is_other = isinstance(before, Place) and before.document != shown.document
    turns = shown.selected or is_other or not (before or is_linked)
    selection.turn("window", selection.place(), window_of(windows, place) if turns else None)
    with paging:
        return windows[selection.turned("window", len(windows)) - 1]


def _step(shown: Shown, by: int) -> None:
    """Select the next mention that loses something; after the last, the first."""
    lost = _losses(shown)
    spans = sorted(zip(lost["start"].tolist(), (-lost["end"]).tolist(), strict=True))
    if not spans:
        return
    start, end = shown.selected or (-1, 0)
    beyond = [span for span in spans if (span > (start, -end) if by > 0 else span < (start, -end))]
    nearest = (beyond or spans)[0 if by > 0 else -1]
    selection.select_mention((nearest[0], -nearest[1]))


def _losses(shown: Shown) -> pd.DataFrame:
    """The mentions that earn less than all under the metric that is selected."""
    return shown.shares[shown.shares[selection.metric_among(METRIC_IDS)] < 1]


def _say_what_shares_are(shown: Shown) -> None:
    """That the denominators differ, and which metrics pay for being alone."""
    result = shown.system.result
    number, denominator = result.documents.index(shown.document), f"{shown.direction}_denominator"
    shares = shown.shares
    if shares.empty:
        return
    metrics = result.six
    scores = {metric.id: result.document_scores[metric.id].row(number) for metric in metrics}
    note(sentences.wholes(shown.direction, {m: getattr(s, denominator) for m, s in scores.items()}))
    alone = shares[(shares["own_size"] == 1) & (shares["other_size"] == 1)]
    pays = [metric.id for metric in metrics if pays_for_being_alone(shown.system, metric.id)]
    if sentence := sentences.alone(alone, pays):
        note(sentence)


def _show_panels(shown: Shown, window: Window) -> None:
    """The passage once for each metric, its mentions shaded by their credit."""
    where, explanations = "", list[Explanation]()
    if shown.selected:
        where, explanations = reasons(shown.system, shown.direction, shown.document, shown.selected)
    values = panels.panels(
        shown.text,
        shown.own,
        shown.shares,
        window,
        side=shown.direction,
        scores=panels.scores_in_words(shown.system.result, shown.document, shown.direction),
        chosen=shown.selected,
        explanations=explanations,
        where=where,
    )
    n_words = len(shown.text.words) or int(shown.shares["end"].max() if len(shown.shares) else 0)
    bars = strip(n_words, _losses(shown)["start"].tolist(), window)
    take_place = partial(_take_place, shown, bars.width)
    show_panels(
        values,
        bars,
        key="credit_panels",
        metrics=[m for m in st.query_params.get(SIDE_BY_SIDE, "").split() if m in METRIC_IDS][:2],
        on_mention=_take_mention,
        on_place=take_place,
        on_metrics=_take_metrics,
    )


def _take_metrics(metrics: str | None) -> None:
    """Draw the metrics that were chosen in the bar alone, or all again."""
    if metrics is not None:
        write_url({SIDE_BY_SIDE: metrics or None})


def _take_mention(mention: str | None) -> None:
    """Select the mention that was clicked, or none if it was selected before."""
    if mention is not None:
        selection.select_mention(selection.span_in(mention))
        selection.turn("window", selection.place(), None)


def _take_place(shown: Shown, width: int, first: int | None) -> None:
    """Turn to the first loss of the stretch that was clicked in the strip, or else to its first
    word."""
    if first is None:
        return
    starts = _losses(shown)["start"]
    inside = starts[(starts >= first) & (starts < first + width)]
    word = int(inside.min()) if len(inside) else first
    state.window = window_of(markup.windows(shown.text, WINDOW), word)


def _show_selected(shown: Shown) -> None:
    """What the scores would be without the selected mention, and the way to its text."""
    if not shown.selected:
        return
    if changes := without(shown.system, shown.document, shown.selected):
        note(sentences.without(changes))
    _show_split_antecedents(shown)
    show_of_mentions(shown.system, shown.document, [shown.selected], sentences.OF_SELECTED)
    read_selected(shown, key="read_mention")


def _show_split_antecedents(shown: Shown) -> None:
    """What each metric credits the set of entities to which the selected mention's refers."""
    result, spans = shown.system.result, [(s, e) for s, e in shown.own.spans.tolist()]
    if not result.comparison.plurals or shown.selected not in spans:
        return
    entities = shown.own.entity_of
    first = spans[int((entities == entities[spans.index(shown.selected)]).argmax())]
    with suppress(PolicyError):
        sentence, rows = decomposition.of_plural(
            result, shown.document, first, shown.direction, METRIC_IDS
        )
        if sentence:
            headline(sentence)
            table(rows, key="split_antecedents", alt=sentence, most=12)
            note(decomposition.EARNED_ALONE)
