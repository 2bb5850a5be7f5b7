"""Overview: how do the six disagree about this response?"""

from functools import partial

import pandas as pd
import streamlit as st
from markupsafe import Markup

from corescore.analysis.error_table.facets import term
from corescore.analysis.errors.classes import (
    CORRECT,
    INCORRECTLY_RESOLVED,
    MENTION_CLASSES,
)
from corescore.analysis.split_antecedents import by_type, by_use
from corescore.corpus.problems import PolicyError
from corescore.metrics import HOW_MANY, METRIC_IDS
from corescore.rendering import decomposition
from corescore.rendering.exhibits import Exhibit, Overview
from corescore.rendering.html import render
from corescore.sentences import scores as sentences
from corescore.wording import count, listed
from dashboard.components.mentions import STATUSES
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.widgets import links
from dashboard.widgets.charts import exhibit, is_wanted
from dashboard.widgets.error_counts import KEY_SINGLETONS
from dashboard.widgets.page import (
    fold,
    headline,
    note,
    question,
    signature_to_copy,
    subtitle,
)
from dashboard.widgets.selection import metric_of_all
from dashboard.widgets.tables import download, table

_BELOW = ("blanc.coreference", "blanc.non_coreference", "mentions", "rand")


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    scores = Overview(loaded)
    with question(f"How do the {HOW_MANY} metrics disagree about this response?"):
        headline(scores.sentence)
        first = loaded.systems[0]
        if analyses.n_errors(first, ""):  # a link to the errors that cost most
            words = f"Mentions with errors of {first.title}, the costliest first"
            links.show_links([(words, links.error_url("", first))])
    st.html(scores.averages())
    left, right = st.container(key="overview").columns([2.7, 1], gap="medium")
    with left:
        six = six_metrics(scores, loaded)
        exhibit(six, *loaded.names.values(), key="six_metrics")
        note(six.note)
    with right:
        st.html(_classes(loaded))
        links.link_to_worst(first, metric_of_all())
    note(f"Shown: {loaded.key_name} against {listed(loaded.titles.values())}. {sentences.units()}")
    signature_to_copy(loaded.signature, key="overview")
    for remark in scores.remarks:
        note(remark)
    counts = analyses.side_counts(loaded)
    st.html(scores.counts(counts, "Key", errors=False))
    counts = counts.rename(index=loaded.names).rename_axis("side").reset_index()
    download(counts, loaded.signature, "counts", *loaded.names.values())
    _show_losses(loaded, scores)

    subtitle(f"The {HOW_MANY} as fractions")
    st.html(scores.scores(METRIC_IDS, f"The {HOW_MANY} metrics", in_percent=False))
    every = pd.concat(scores.tables, names=["response"])
    every = every.rename(index=loaded.names, level="response").reset_index()
    download(every, loaded.signature, "scores", *loaded.names.values())
    if scores.means:
        st.html(scores.means)

    subtitle("BLANC’s parts, and diagnostics")
    note(f"Mentions and Rand are not among the {HOW_MANY}, so do not rank by them.")
    st.html(scores.scores(_BELOW, "BLANC's parts, and diagnostics"))


def _show_losses(loaded: Loaded, scores: Overview) -> None:
    """What each score loses: detection, linking or singletons?"""
    subtitle("Detection, linking or singletons?")
    if not is_wanted(loaded, "Divide the losses", key="losses"):
        return
    try:
        lost = scores.losses()
    except PolicyError as error:
        note(f"{error}.")
        return
    headline(lost.sentence)
    exhibit(lost, *loaded.names.values(), key="losses")
    note(lost.note)
    if any(system.result.comparison.plurals for system in loaded.systems):
        note(decomposition.WITHOUT_SPLIT)
    fold(
        "Other responses to this key, singletons kept or dropped, and types of mentions",
        partial(_show_others, loaded),
        key="other responses",
    )


def _show_others(loaded: Loaded) -> None:
    """What else would score how much: counterfactual responses, and conventions on singletons."""
    for system in loaded.systems:
        name, result = f"{system.letter} · {system.name}", system.result
        for made, what, of in (
            (decomposition.other_responses(result.decomposition), "other responses", "F1"),
            (decomposition.conventions(result), "singletons", "F1"),
            (decomposition.uses(by_use(result), "f1"), "split antecedents", "F1"),
            (decomposition.types(by_type(result), "recall"), "types of mentions", "recall"),
        ):
            if made.frame.empty:  # without split antecedents
                continue
            alt = f"{name}: {of} of {what}, in percent"
            table(made, key=f"{what} {system.letter}", alt=alt, most=12)
            download(made.frame, loaded.signature, what, system.name)
    note(f"The last table: recall. {decomposition.BY_TYPE}")


def _classes(loaded: Loaded) -> Markup:
    """What became of the mentions of each response, as a bar and in numbers; those with errors
    lead to their list."""
    bars, rows = [], []
    counts = [analyses.class_counts(system).sum() for system in loaded.systems]
    for system, of_class in zip(loaded.systems, counts, strict=True):
        parts = []
        for name in MENTION_CLASSES:
            if n := int(of_class[name]):
                url = "" if name == CORRECT else links.error_url(term("class", name), system)
                parts.append((STATUSES[name].style, name, n, url))
        bars.append((system.title, parts))
    for name in MENTION_CLASSES:
        numbers = [int(of_class[name]) for of_class in counts]
        if not any(numbers):
            continue
        status, find = STATUSES[name], term("class", name)
        cells = [
            count(n) if name == CORRECT else links.linked_count(n, find, system)
            for n, system in zip(numbers, loaded.systems, strict=True)
        ]
        rows.append((status.style, status.letter, name, cells))
        if name == INCORRECTLY_RESOLVED:
            alone = [analyses.n_incorrectly_resolved(s)[1] for s in loaded.systems]
            both = zip(alone, loaded.systems, strict=True)
            cells = [links.linked_count(n, KEY_SINGLETONS, system) for n, system in both]
            rows.append(("", "", "of which key singletons", cells))
    letters = [system.letter for system in loaded.systems]
    return render("scores", "classes", bars=bars, letters=letters, rows=rows)


def six_metrics(scores: Overview, loaded: Loaded) -> Exhibit:
    """The scores with their intervals."""
    intervals = {system.letter: analyses.intervals(system) for system in loaded.systems}
    return scores.six_metrics(intervals)
