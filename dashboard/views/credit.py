"""Credit: which links or entities does each metric credit, and how much?"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.errors.classes import INCORRECTLY_RESOLVED
from corescore.analysis.explain import Explanation, mean_shares, n_key_singletons
from corescore.corpus.problems import PolicyError
from corescore.metrics import METRIC_IDS, name_of
from corescore.rendering import decomposition, panels
from corescore.rendering import html as markup
from corescore.rendering.html import Window
from corescore.sentences import credit as sentences
from dashboard.components.mentions import window_of
from dashboard.components.page import strip
from dashboard.components.passage import show_panels
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.views import credit_depth
from dashboard.views.credit_depth import Shown, read_selected, show_depth
from dashboard.widgets import document_box, selection
from dashboard.widgets.error_counts import show_classes, show_of_mentions
from dashboard.widgets.page import headline, note, question, side_by_side, tools
from dashboard.widgets.tables import download, numbers

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
        n_sentences = len(shown.text.sentence_starts)
        note(sentences.sentences_of(*_sentences(shown, window), n_sentences))
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
    shares = credit_depth.shares_of(system, direction, document)
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
    now = shown.document, shown.selected
    before = st.session_state.get("window_shows")
    is_other = before is None or before[0] != shown.document
    is_linked = before is None and not shown.selected and "window" in st.query_params
    if before != now and (shown.selected or is_other) and not is_linked:
        place = shown.selected[0] if shown.selected else min(starts, default=0)
        st.session_state["window"] = window_of(windows, place)
    st.session_state["window_shows"] = now
    if len(windows) == 1:
        return windows[0]
    with paging:
        number = st.pagination(len(windows), key="window", bind="query-params")
    return windows[min(number, len(windows)) - 1]


def _sentences(shown: Shown, window: Window) -> tuple[int, int]:
    """The numbers of the first and the last sentence of a window, counted from 1."""
    starts = shown.text.sentence_starts
    return max(1, bisect_right(starts, window.start)), max(1, bisect_left(starts, window.end))


def _step(shown: Shown, by: int) -> None:
    """Select the next mention that loses something; after the last, the first."""
    lost = _losses(shown)
    spans = sorted(zip(lost["start"].tolist(), (-lost["end"]).tolist(), strict=True))
    if not spans:
        return
    start, end = shown.selected or (-1, 0)
    beyond = [span for span in spans if (span > (start, -end) if by > 0 else span < (start, -end))]
    candidates = beyond or spans
    nearest = candidates[0 if by > 0 else -1]
    selection.select_mention((nearest[0], -nearest[1]))


def _losses(shown: Shown) -> pd.DataFrame:
    """The mentions that earn less than all under the metric that is selected."""
    metric = selection.metric_among(METRIC_IDS)
    return shown.shares[shown.shares[metric] < 1]


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
    pays = [
        metric.id
        for metric in metrics
        if credit_depth.pays_for_being_alone(shown.system, metric.id)
    ]
    if sentence := sentences.alone(alone, pays):
        note(sentence)


def _show_panels(shown: Shown, window: Window) -> None:
    """The passage once for each metric, its mentions shaded by their credit."""
    where, explanations = "", list[Explanation]()
    if shown.selected:
        where, explanations = credit_depth.reasons(
            shown.system, shown.direction, shown.document, shown.selected
        )
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


def _take_metrics() -> None:
    """Draw the metrics that were chosen in the bar alone, or all again."""
    metrics = st.session_state["credit_panels"].metrics
    if metrics:
        st.query_params[SIDE_BY_SIDE] = metrics
    elif metrics == "":
        st.query_params.pop(SIDE_BY_SIDE, None)


def _take_mention() -> None:
    """Select the mention that was clicked, or none if it was selected before."""
    span = st.session_state["credit_panels"].mention
    if span is not None:
        selection.select_mention(selection.span_in(span))
        st.session_state["window_shows"] = selection.place()


def _take_place(shown: Shown, width: int) -> None:
    """Turn to the first loss of the stretch that was clicked in the strip, or else to its first
    word."""
    first = st.session_state["credit_panels"].place
    if first is None:
        return
    starts = _losses(shown)["start"]
    inside = starts[(starts >= first) & (starts < first + width)]
    word = int(inside.min()) if len(inside) else first
    windows = markup.windows(shown.text, WINDOW)
    st.session_state["window"] = window_of(windows, word)


def _show_selected(shown: Shown) -> None:
    """What the scores would be without the selected mention, and the way to its text."""
    if not shown.selected:
        return
    if changes := credit_depth.without(shown.system, shown.document, shown.selected):
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
            numbers(rows, key="split_antecedents", alt=sentence)
            note(decomposition.EARNED_ALONE)
