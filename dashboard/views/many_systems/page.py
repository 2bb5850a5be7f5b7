"""Many systems: which is first, by which metric, and how sure is it?"""

from functools import partial

import pandas as pd
import streamlit as st

from corescore.analysis.significance import SEED, TRIALS
from corescore.corpus.names import counted_runs
from corescore.plots import many as many_plots
from corescore.rendering import drawn
from corescore.rendering.html import paragraph
from corescore.sentences import many as sentences
from corescore.wording import RATIOS, counted
from dashboard.session import scoring, sources
from dashboard.session.loaded import Loaded, loaded_systems
from dashboard.views.many_systems import cached
from dashboard.views.many_systems.cached import Results
from dashboard.views.many_systems.ranks import show_ranks
from dashboard.views.many_systems.shown import Shown
from dashboard.views.two_systems.shown import metrics_of
from dashboard.widgets.charts import chart, clicked_points
from dashboard.widgets.link_values import switch, whole_number
from dashboard.widgets.markdown import plain
from dashboard.widgets.page import (
    caution,
    headline,
    note,
    show_warnings,
    signature_to_copy,
    subtitle,
    title,
)
from dashboard.widgets.selection import select_measure, select_metric
from dashboard.widgets.tables import download

FEWEST = 3
SIGNIFICANCE = "significance"
TIES = {"equal": "equal scores", SIGNIFICANCE: "no significant difference"}
SCORE, RANK = "score", "rank"
ABOUT_LINES = {
    SCORE: "Each line is a response; the axis is to scale, so that near scores look near.",
    RANK: "Each line is a response, the best at the top; upright lines are the ranks in 95% of "
    "the resamples of the documents. Responses that tie share a rank.",
}
ABOUT_CLICKS = "A click on a point makes it response A."


def page() -> None:
    """Rank all responses that are loaded."""
    loaded = loaded_systems()
    place = title("Which is first, by which metric, and how sure is it?")
    results = every_result(loaded)
    shown_above = {system.name for system in loaded.systems}
    others = [result for name, result in results.items() if name not in shown_above]
    show_warnings(others, about="the other responses")
    if len(results) < FEWEST:
        headline(sentences.too_few(list(results)))
        return
    shown = select(loaded, results)
    with place:
        said = show_answer(shown)
        say_runs(loaded)
    show_lines(shown, said)
    show_ranks(shown)
    show_correlations(shown)


def every_result(loaded: Loaded) -> Results:
    """The results of all responses; a bar says how many are read and scored."""
    n_files = len(loaded.files.responses)
    bar = st.empty()
    results = scoring.every_result(
        loaded,
        step=lambda done, name: bar.progress(
            done / n_files, f"Reading and scoring {plain(name)}, {done + 1} of {n_files}"
        ),
    )
    bar.empty()
    return results


def select(loaded: Loaded, results: Results) -> Shown:
    """Measure, metric, number of resamples, seed, and which responses share a rank."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = select_measure()
        metric = select_metric("Ranked by", metrics_of(measure), key="by", width=170)
        trials = whole_number("Resamples", 100, 100_000, TRIALS, step=100, key="trials", width=130)
        seed = whole_number("Seed", 0, 10**6, SEED, key="chance", width=90)
        ties = select_ties()
    ranking = cached.ranking(loaded, results, measure=measure, trials=trials, seed=seed)
    every = ranking.metrics if ties == SIGNIFICANCE else ()
    tested = {
        name: cached.groups(loaded, results, name, measure=measure, trials=trials, seed=seed)
        for name in every
    }
    return Shown(loaded, results, ranking, metric, tested)


def select_ties() -> str:
    """Which responses share a rank."""
    return st.selectbox(
        "Shared ranks",
        list(TIES),
        format_func=TIES.__getitem__,
        key="ties",
        bind="query-params",
        filter_mode=None,
        width=215,
        help=sentences.TIES,
    )


def show_answer(shown: Shown) -> str:
    """Who is first, in words; the words."""
    ranking = shown.ranking
    first = sentences.first(shown.table, ranking, shown.metric)
    said = f"{first} {sentences.agreement(ranking)}"
    headline(said)
    for warning in ranking.warnings:
        caution(warning)
    return said


def say_runs(loaded: Loaded) -> None:
    """Say where several responses are runs of one system."""
    if several := counted_runs(file.name for file in loaded.files.responses):
        caution(sentences.runs_apart(several))


def show_lines(shown: Shown, said: str) -> None:
    """A line for each response through its ranks."""
    ranking = shown.ranking
    axis = switch("Axis", [SCORE, RANK], key="axis", is_lasting=True)
    draw = many_plots.score_lines if axis == SCORE else many_plots.bumps
    chart(
        draw(shown.table, shown.metrics, shown.letters, ranking.measure),
        "ranks" if axis == RANK else "scores",
        ranking.measure,
        key="bumps",
        on_select=lambda: select_clicked(shown.loaded),
        alt=f"The {axis} of each response under each metric. {said}",
        rows=partial(drawn.ranks, shown.table, shown.metrics),
    )
    note(f"{ABOUT_LINES[axis]} {ABOUT_CLICKS}")
    signature_to_copy(shown.signature, key="many")


def select_clicked(loaded: Loaded) -> None:
    """Make the response of the clicked line A; the former A becomes B if it was B."""
    by_title = {name: file for file, name in sources.short_names(loaded.files.responses).items()}
    for clicked in clicked_points("bumps")[:1]:
        if by_title[clicked] == st.session_state.get("b"):
            st.session_state["b"] = st.session_state["a"]
        st.session_state["a"] = by_title[clicked]


def show_correlations(shown: Shown) -> None:
    """Whether the metrics rank the responses, and the documents of A, alike."""
    measure, metrics = shown.ranking.measure, shown.metrics
    subtitle(f"Do the metrics rank alike? Kendall’s τ of {RATIOS[measure]}")
    left, right = st.columns(2, gap="medium")
    with left:
        n, where = len(shown.results), f"{len(shown.results)} responses"
        st.html(paragraph(where, "step"))
        over_responses = shown.ranking.correlation.loc[metrics, metrics]
        if n < sentences.FEWEST_FOR_TAU:
            note(sentences.too_few_for_tau(n, "response"))
        else:
            show_correlation(shown, over_responses, f"the {where}", "over responses")
    with right:
        first, n = shown.loaded.systems[0], len(shown.loaded.key)
        where = counted(n, "document")
        st.html(paragraph(f"{where}, as {first.title} has them", "step"))
        over_documents = cached.over_documents(first, measure=measure).loc[metrics, metrics]
        if n < sentences.FEWEST_FOR_TAU:
            note(sentences.too_few_for_tau(n, "document"))
        else:
            show_correlation(shown, over_documents, f"the {where}", "over documents")


def show_correlation(shown: Shown, tau: pd.DataFrame, over: str, about: str) -> None:
    """How alike the metrics rank, as a sentence and a matrix."""
    sentence, key = sentences.correlation(tau, over), about.replace(" ", "_")
    note(sentence)
    chart(
        many_plots.correlations(tau, about),
        key,
        key=key,
        alt=sentence,
        rows=partial(drawn.by_metric, tau),
    )
    frame = tau.rename_axis("metric").reset_index()
    download(frame, shown.signature, key, signed=False)
