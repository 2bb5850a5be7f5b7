"""What fixing each kind of error gains, and in which slices the credit is lost."""

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from corescore.analysis.error_table.confusion import both, term
from corescore.analysis.errors.classes import CORRECT, INCORRECTLY_RESOLVED
from corescore.analysis.errors.operations import KINDS
from corescore.analysis.errors.tables import error_counts, gain_table, impact_table
from corescore.corpus.problems import PolicyError
from corescore.metrics import HOW_MANY, METRIC_IDS, name_of
from corescore.plots import errors as error_plots
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.sentences import errors as sentences
from corescore.sentences.credit import not_told
from corescore.sentences.errors import NAMES, WORDS
from corescore.sentences.names import SLICE_NAMES
from corescore.wording import RATIOS, count, counted, key_singletons
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, System
from dashboard.views.errors.confusion import show_confusions
from dashboard.views.errors.examples import show_examples
from dashboard.widgets import selection
from dashboard.widgets.charts import chart, clicked_points, kept
from dashboard.widgets.error_counts import KEY_SINGLETONS, n_errors, slice_term
from dashboard.widgets.error_link import (
    error_url,
    link_to_clicked,
    linked_count,
    open_errors,
    rows_link,
)
from dashboard.widgets.link_values import switch
from dashboard.widgets.page import headline, note, signature_to_copy, subtitle
from dashboard.widgets.tables import download

_gains, _slice_credit = kept(error_plots.gains), kept(error_plots.slice_credit)
# By the words of the switch: the column of the gains, and what they are.
_MODES = {
    "alone": ("alone", "after fixing this kind and no other"),
    "in order": ("in_order", "after fixing the kinds above it"),
    "last": ("last", "after fixing all other kinds"),
    "share": ("share", "on average over all orders of fixing (Shapley value)"),
}


# What the URL says only where these charts are shown; links that are older than the list have it.
PARAMETERS = ("mended", "gain_in", "by_slice", "towards", "kind")


def show_impact(loaded: Loaded, system: System, head: DeltaGenerator) -> None:
    """Draw the charts; `head` is the place of the headline."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = switch(
            "Each kind fixed",
            list(_MODES),
            default="alone",
            key="mended",
            help="; ".join(f"{name}: {words}" for name, (_, words) in _MODES.items()),
        )
        measure = selection.select_measure("Gain in", key="gain_in")
    sentence = _answer(loaded, system)
    with head:
        headline(sentence or sentences.REPEATED)
    if sentence:
        _show_gains(loaded, system, mode, measure, sentence)
    signature_to_copy(loaded.signature, key="impact")
    show_examples(loaded, system, first=_worst(loaded) if sentence else None)
    _show_removal(loaded, system)
    _show_slices(loaded, system)
    show_confusions(loaded, system)


def _answer(loaded: Loaded, system: System) -> str | None:
    """Which kind of error is worth most; None where a repeated mention forbids to fix errors."""
    try:
        impact = {s.letter: gain_table(analyses.impact(s)) for s in loaded.systems}
    except PolicyError:
        return None
    first = impact[system.letter]
    sentence = sentences.largest_gain(system.title, first)
    others = [s for s in loaded.systems if s is not system]
    too = [sentences.largest_gain_of_other(s.title, first, impact[s.letter]) for s in others]
    return " ".join([sentence, *too])


def _worst(loaded: Loaded) -> str:
    """The kind of error that A would gain most from fixing."""
    return str(gain_table(analyses.impact(loaded.systems[0]))["conll"].iloc[:-1].idxmax())


def _show_gains(loaded: Loaded, system: System, mode: str, measure: str, sentence: str) -> None:
    """What fixing each kind of error gains, and how many there are."""
    column, words = _MODES[mode]
    points = f"Points of {RATIOS[measure]}"
    impact = analyses.impact(system, shares=column == "share")
    gains = gain_table(impact, gain=column, measure=measure)
    if measure != "f1":
        gains = gains.drop(columns="conll", errors="ignore")
    left, right = st.container(key="impact").columns([2.2, 1], gap="medium")
    with left:
        chart(
            _gains(gains, NAMES, words),
            *("gains", measure, system.name),
            key="gains",
            on_select=partial(_take_gain, system),
            alt=f"{points} that fixing each kind adds. {sentence}",
            rows=partial(drawn.gains, gains, NAMES),
        )
        sums = "add up to" if mode in ("in order", "share") else "need not add up to"
        note(
            f"{points} gained {words}. The kinds {sums} what fixing all seven gains. Click a "
            "number to list the mentions with these errors."
        )
        link_to_clicked()
        whole = partial(impact_table, system.result.comparison, analyses.six(system.result))
        download(whole, loaded.signature, "fixing", system.name, signed=False)
    with right:
        letters = [s.letter for s in loaded.systems]
        links = _mention_links(loaded)
        rows = markup.kind_rows(_kind_counts(loaded), WORDS, letters, links=links)
        st.html(rows + markup.note(f"{sentences.KINDS_ARE} {sentences.ERRORS_AND_MENTIONS}"))
        note(_how_many(system))


def _how_many(system: System) -> str:
    n_errors, n_mentions = len(analyses.operations(system)), len(analyses.every_error(system))
    return sentences.how_many(system.title, n_errors, n_mentions)


def _kind_counts(loaded: Loaded) -> Mapping[str, Mapping[str, int]]:
    """By kind, and for mentions that are incorrectly resolved: how many, by the system's letter."""
    found = {s.letter: analyses.operations(s)["kind"].value_counts() for s in loaded.systems}
    counts = {kind: {letter: int(of[kind]) for letter, of in found.items()} for kind in KINDS}
    incorrect = {s.letter: analyses.n_incorrectly_resolved(s)[0] for s in loaded.systems}
    return {**counts, INCORRECTLY_RESOLVED: incorrect}


def _written(loaded: Loaded, by: str, letter: str, name: str, of: str, number: float) -> str:
    """A number of mentions of a slice and class; one of errors leads to them."""
    if of == CORRECT:
        return count(number)
    find = both(slice_term(by, name), term("class", of))
    return linked_count(number, find, loaded.system(letter))


def _mention_links(loaded: Loaded) -> Mapping[str, Mapping[str, str]]:
    """By kind, and for mentions that are incorrectly resolved, by letter: how many mentions the
    errors affect, as a link to them."""
    finds = {kind: term("kind", kind) for kind in KINDS}
    links = {
        kind: {s.letter: _mention_link(s, find) for s in loaded.systems}
        for kind, find in finds.items()
    }
    incorrect = {s.letter: _incorrect_link(s) for s in loaded.systems}
    return {**links, INCORRECTLY_RESOLVED: incorrect}


def _mention_link(system: System, find: str) -> str:
    n = n_errors(system, find)
    return rows_link(counted(n), error_url(find, system)) if n else ""


def _incorrect_link(system: System) -> str:
    """Incorrectly resolved mentions, and those of them that are singletons in the key, as links."""
    every = _mention_link(system, term("class", INCORRECTLY_RESOLVED))
    if not (alone := key_singletons(*analyses.n_incorrectly_resolved(system))):
        return every
    return Markup(", ").join([every, rows_link(alone, error_url(KEY_SINGLETONS, system))])


def _take_gain(system: System) -> None:
    """List the errors of the kind that was clicked, the costliest under the metric first."""
    for kind, metric in clicked_points("gains")[:1]:
        find, label = term("kind", kind), f"The {NAMES[kind]}, by {name_of(metric)}"
        open_errors(find, system, label=label, order=f"cost.{metric}")


def _take_slice(system: System, by: str) -> None:
    """List the errors of the slice that was clicked, the costliest under the metric first."""
    for name, metric in clicked_points("slice_credit")[:1]:
        label = f"The mentions with errors of “{name}”, by {name_of(metric)}"
        open_errors(slice_term(by, name), system, label=label, order=f"cost.{metric}")


def _show_removal(loaded: Loaded, system: System) -> None:
    subtitle("If the incorrectly resolved mentions were removed")
    without = analyses.removal(system)
    number, singletons = analyses.n_incorrectly_resolved(system)
    headline(sentences.removal(system.title, number, singletons, without))
    caption, rows = "Scores without the incorrectly resolved mentions", [*METRIC_IDS, "conll"]
    st.html(markup.change_rows(without.loc[rows], after="without", caption=caption))
    linked = analyses.removal(system, incorrect="linked")
    if other := sentences.other_reading("all", without, linked):
        note(other)
        caption = f"{caption} that have a link in the key"
        note(f"{caption}:")
        st.html(markup.change_rows(linked.loc[rows], after="without", caption=caption))
    removed = "without-incorrect", system.name
    download(without.reset_index(), loaded.signature, *removed, signed=False)


def _show_slices(loaded: Loaded, system: System) -> None:
    """In which slices of the mentions the credit is lost."""
    subtitle("Where they are")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = selection.select_slice(loaded.key)
        towards = selection.select_direction(key="towards")
    credit = analyses.credit_of_slices(system, by=by, side=towards)
    headline(sentences.weakest_slice(system.title, towards, credit))
    name = "credit-by", by, towards, system.name
    chart(
        _slice_credit(credit),
        *name,
        key="slice_credit",
        on_select=partial(_take_slice, system, by),
        alt=f"Credit of mentions by {SLICE_NAMES[by]} under the {HOW_MANY} metrics.",
        rows=lambda: drawn.readable(credit.rename_axis(by).reset_index(), METRIC_IDS),
    )
    if silent := not_told():
        note(silent)
    download(credit.reset_index(), loaded.signature, *name, signed=False)
    tables = {s.letter: analyses.mentions(s) for s in loaded.systems}
    classes = {letter: error_counts(table, of="class", by=by) for letter, table in tables.items()}
    written = partial(_written, loaded, by)
    st.html(markup.class_rows(classes, SLICE_NAMES[by], written=written))
    every = pd.concat(classes, names=["response"]).reset_index()
    download(every, loaded.signature, "mentions-by", by, *loaded.names.values(), signed=False)
