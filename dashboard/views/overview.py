"""Overview: how do the six disagree about this response?"""

from functools import partial

import pandas as pd
import streamlit as st
from markupsafe import Markup

from corescore.analysis.error_table.confusion import term
from corescore.analysis.errors.classes import MISSING, SPAN_ERROR, SPURIOUS
from corescore.analysis.errors.tables import with_span_errors
from corescore.analysis.significance.resamples import Intervals
from corescore.metrics import CONLL, HOW_MANY, METRIC_IDS
from corescore.plots.scores import six_metrics
from corescore.plots.template import Figure
from corescore.rendering import drawn
from corescore.rendering import html as markup
from corescore.scoring.tables import count_table, difference_table
from corescore.sentences import scores as sentences
from corescore.sentences.policies import beside_exact
from corescore.wording import count
from dashboard.session import analyses
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.widgets import links
from dashboard.widgets.charts import chart, kept
from dashboard.widgets.error_counts import show_incorrect
from dashboard.widgets.links import error_url, linked_count, show_links
from dashboard.widgets.page import headline, note, signature_to_copy, subtitle, title
from dashboard.widgets.tables import download

RESAMPLES = 1000
_six_metrics = kept(six_metrics)
# Counts of errors, and the class of the mentions that they count.
_COUNTED = {"span_errors": SPAN_ERROR, "missing": MISSING, "spurious": SPURIOUS}
_BLANC_PARTS = ("blanc.coreference", "blanc.non_coreference", "mentions")


def page() -> None:
    """Draw the page."""
    loaded = loaded_systems()
    title(f"How do the {HOW_MANY} disagree about this response?")
    _show_what_is_loaded(loaded)
    _show_chart(loaded)
    _show_averages(loaded)
    _show_counts(loaded)

    subtitle(f"The {HOW_MANY} in numbers")
    st.html(_rows(loaded, METRIC_IDS, f"The {HOW_MANY} metrics"))
    download(_scores(loaded), loaded.signature, "scores", *loaded.names.values(), signed=False)
    average = loaded.policies.average
    if average != "micro":
        caption = f"Means over documents ({average})"
        means = markup.mean_rows(METRIC_IDS, loaded.tables, caption=caption, average=average)
        st.html(means)

    subtitle("What BLANC is made of, and mention identification")
    st.html(_rows(loaded, _BLANC_PARTS, "BLANC's parts, mentions"))

    subtitle("Diagnostics")
    warning = markup.note(f"Not among the {HOW_MANY}, and not to be ranked by.")
    st.html(warning + _rows(loaded, ("links", "rand"), "Diagnostics"))


def _show_what_is_loaded(loaded: Loaded) -> None:
    """What is scored, and what the metrics count."""
    names = [system.title for system in loaded.systems]
    counts = count_table(loaded.key, loaded.results)
    note(f"{sentences.shown(loaded.key_name, counts, names)} {sentences.units()}")


def _show_worst(loaded: Loaded) -> None:
    """Links to the document that is scored lowest, and to the errors that cost most."""
    first = loaded.systems[0]
    with st.container(horizontal=True, vertical_alignment="center"):
        links.link_to_weakest(first, CONLL.id)
        words = f"Mentions with errors of {first.title}, the costliest first"
        show_links([(words, error_url("", first))])


def _show_chart(loaded: Loaded) -> None:
    results, titles = loaded.results, [system.title for system in loaded.systems]
    if "B" in results:
        sentence = sentences.preferences((titles[0], titles[1]), results["A"], results["B"])
    else:
        sentence = sentences.disagreement(titles[0], results["A"])
    headline(sentence)
    _show_worst(loaded)
    chart(
        chart_of(loaded),
        *("six-metrics", *loaded.names.values()),
        key="six_metrics",
        alt=f"Recall, precision and F1 of the {HOW_MANY} metrics. {sentence}",
        rows=lambda: drawn.scores_with_intervals(_intervals(loaded)),
    )
    note(sentences.whiskers(_intervals(loaded)["A"]))


def chart_of(loaded: Loaded) -> Figure:
    """The scores with their intervals."""
    tables = {letter: of.table for letter, of in _intervals(loaded).items()}
    return _six_metrics(loaded.tables, tables)


def _intervals(loaded: Loaded) -> dict[str, Intervals]:
    return {s.letter: analyses.intervals(s, trials=RESAMPLES) for s in loaded.systems}


def _show_averages(loaded: Loaded) -> None:
    averages = {
        s.letter: (s.name, s.result["conll"].f1, [(m, s.result[m].f1) for m in CONLL.members])
        for s in loaded.systems
    }
    difference = _difference(loaded)
    of_average = None if difference is None else float(difference["f1"]["conll"])
    st.html(markup.average_block(averages, of_average))
    signature_to_copy(loaded.signature, key="overview")
    for system in loaded.systems:
        if said := beside_exact(system.title, system.result):
            note(said)


def _show_counts(loaded: Loaded) -> None:
    found = {s.letter: analyses.span_errors(s) for s in loaded.systems}
    counts = with_span_errors(count_table(loaded.key, loaded.results), found)
    named = {letter: f"{letter} · {name}" for letter, name in loaded.names.items()}
    st.html(markup.count_rows(counts, {"key": "Key", **named}, written=partial(_written, loaded)))
    counts = counts.rename(index=loaded.names).rename_axis("side").reset_index()
    for system in loaded.systems:
        show_incorrect(system)
    download(counts, loaded.signature, "counts", *loaded.names.values(), signed=False)


def _written(loaded: Loaded, row: str, column: str, number: float) -> str:
    """A count; one of errors leads to them. `row` is a system's letter, or "key"."""
    if row == "key" or column not in _COUNTED:
        return count(number)
    return linked_count(number, term("class", _COUNTED[column]), loaded.system(row))


def _difference(loaded: Loaded) -> pd.DataFrame | None:
    results = loaded.results
    return difference_table(results["A"], results["B"]) if "B" in results else None


def _rows(loaded: Loaded, metrics: tuple[str, ...], caption: str) -> Markup:
    return markup.score_rows(metrics, loaded.tables, _difference(loaded), caption=caption)


def _scores(loaded: Loaded) -> pd.DataFrame:
    """A row for each response and metric."""
    every = pd.concat(loaded.tables, names=["response"])
    return every.rename(index=loaded.names, level="response").reset_index()
