"""Many systems: which system wins, on which metric, and how certain is that?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import pandas as pd
import streamlit as st

from corescore import Result
from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.systems.documents import document_correlation
from corescore.analysis.systems.effect import IdentificationEffect, identification_effect
from corescore.analysis.systems.many import Groups, Ranking, with_shared_ranks
from corescore.analysis.systems.many import groups as group_responses
from corescore.analysis.systems.many import ranking as rank_responses
from corescore.corpus.names import counted_runs
from corescore.metrics import name_of
from corescore.plots import many as many_plots
from corescore.rendering import drawn, exhibits
from corescore.rendering.columns import columns_of
from corescore.rendering.text import Table
from corescore.scoring.noticed import warnings_of
from corescore.scoring.tables import has_empty_side
from corescore.sentences import many as sentences
from corescore.wording import RATIOS, counted
from dashboard.session import files, scoring
from dashboard.session.caching import cached
from dashboard.session.loaded import Loaded, System, loaded_systems
from dashboard.session.state import state
from dashboard.widgets import selection
from dashboard.widgets.charts import chart, clicked_points, exhibit, is_wanted
from dashboard.widgets.page import (
    caution,
    fold,
    headline,
    note,
    plain,
    question,
    say,
    show_warnings,
    signature_to_copy,
    subtitle,
    tools,
)
from dashboard.widgets.tables import download, table

# The ranking of all loaded responses, cached by their files, policies, resamples and seed ---------

Results = dict[str, Result]


def _stamps(loaded: Loaded) -> list[str]:
    files = (loaded.files.key, *loaded.files.responses)
    return [part for file in files for part in (file.name, file.stamp)]


# All responses that can be scored count, not only A and B.
_BY_FILES: dict[str | type[Any], Callable[[Any], Any]] = {
    Loaded: _stamps,
    dict: lambda results: [(name, repr(result.policies)) for name, result in results.items()],
    Ranking: lambda ranking: (ranking.measure, ranking.trials, ranking.seed),
}


@cached(16, "Ranking again on resamples of the documents", by=_BY_FILES)
def ranking_of(
    loaded: Loaded, results: Results, *, measure: str, trials: int, seed: int
) -> Ranking:
    """The ranks of the results under each metric, and on that many resamples."""
    return rank_responses(results, measure=measure, trials=trials, seed=seed)


@cached(64, "Testing each pair of responses", by=_BY_FILES)
def groups(loaded: Loaded, results: Results, metric: str, ranking: Ranking) -> Groups:
    """Which of the results cannot be told apart under one metric, tested as they are ranked."""
    trials, seed = ranking.trials, ranking.seed
    return group_responses(results, metric, measure=ranking.measure, trials=trials, seed=seed)


@cached(16, "Removing incorrectly resolved mentions", by=_BY_FILES)
def effect_of(loaded: Loaded, results: Results, *, measure: str) -> IdentificationEffect:
    """What the incorrectly resolved mentions do to scores and ranks."""
    return identification_effect(results, measure=measure)


@cached(16)
def metrics_over_documents(system: System, *, measure: str) -> pd.DataFrame:
    """How alike the metrics score the documents of a system: `document_correlation`."""
    return document_correlation(system.result, measure=measure)


# What the page ranks ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """All responses, ranked by one measure.

    metric  the one looked at closely
    tested  by metric, which responses differ, where those that do not share a rank; else empty
    """

    loaded: Loaded
    results: Results
    ranking: Ranking
    metric: str
    tested: Mapping[str, Groups]

    @cached_property
    def exported(self) -> pd.DataFrame:
        """One row per metric and response: `Ranking.table`, with shared_rank if tested."""
        table = self.ranking.table
        return with_shared_ranks(table, self.tested) if self.tested else table

    @cached_property
    def table(self) -> pd.DataFrame:
        """The same, with the rank that is shown as rank, and by_score if that is another."""
        table = self.exported
        if not self.tested:
            return table
        return table.assign(rank=table["shared_rank"], by_score=table["rank"])

    @property
    def metrics(self) -> list[str]:
        return exhibits.metrics_of(self.ranking.measure)

    @property
    def letters(self) -> dict[str, str]:
        """The letters of the systems A and B by their names."""
        return {system.name: system.letter for system in self.loaded.systems}

    @property
    def signature(self) -> str:
        ranking = self.ranking
        return f"{self.loaded.signature} | {counted(ranking.trials, 'trial')} | seed {ranking.seed}"


# One metric: the ranks, how sure they are, and which responses cannot be told apart ---------------

MOST_ROWS = 30

RANKED, RESAMPLED = ["response", "rank", "score"], ["first", "low", "high"]

TESTED_AT_ONCE = 45  # responses: testing each pair of more takes seconds

ABOUT_SHADES = "Shading: share of resamples. Outline: the rank on all documents."

ABOUT_FRAMES = f"{ABOUT_SHADES[:-1]}, by score alone."


@st.fragment
def show_ranks(shown: Shown) -> None:
    """The ranks in numbers, and beside them the share of resamples with each rank."""
    rows = shown.table[shown.table["metric"] == shown.metric]
    by_score = ["by_score"] if shown.tested else []
    rows = rows[[*RANKED, *by_score, *RESAMPLED]].reset_index(drop=True)
    subtitle(f"How sure are the ranks by {name_of(shown.metric)}?")
    sentence = sentences.spread(rows, shown.metric)
    headline(sentence)
    groups = tested(shown)
    if groups:
        rows["letters"] = rows["response"].map(sentences.letters(groups))
    row_height = 24 if len(rows) > 15 else 32
    left, right = st.container(key="standings").columns([1.1, 1], gap="medium")
    with left:
        heads = columns_of(
            "ranks",
            measure=RATIOS[shown.ranking.measure],
            metric=name_of(shown.metric),
            shared_letter=sentences.SHARED_LETTER,
        )
        if max(map(len, shown.results)) > 16:
            heads[0] = replace(heads[0], width=130)
        table(
            Table(rows, [one for one in heads if one.of[0] in rows]),
            height=many_plots.HEADER + row_height * min(len(rows), MOST_ROWS) + 2,
            row_height=row_height,
            key="ranks",
            alt=f"One row per response: rank, score, how often first. {sentence}",
        )
        if groups:
            note(sentences.apart(groups))
            if shown.tested:
                note(sentences.TIES)
            for warning in groups.warnings:
                if warning not in shown.ranking.warnings:  # these are above the chart
                    caution(warning)
        download(shown.exported, shown.signature, "ranks", shown.ranking.measure)
    with right:
        show_shares(shown, rows, row_height, sentence)


def tested(shown: Shown) -> Groups | None:
    """Which responses cannot be told apart; on request where that takes long."""
    n = len(shown.results)
    if n > TESTED_AT_ONCE and not selection.toggled(
        "test_pairs", f"Test each pair of the {n} responses"
    ):
        return None
    return groups(shown.loaded, shown.results, shown.metric, shown.ranking)


def show_shares(shown: Shown, rows: pd.DataFrame, row_height: int, sentence: str) -> None:
    """How often each response has each rank over the resamples."""
    ranking, about = shown.ranking, ABOUT_FRAMES if shown.tested else ABOUT_SHADES
    by_score = ranking.table.query("metric == @shown.metric")["rank"]
    order = [ranking.responses.index(name) for name in rows["response"]]
    shares = ranking.shares[order, ranking.metrics.index(shown.metric)]
    names = rows["response"].to_list()
    chart(
        many_plots.rank_shares(
            shares,
            names,
            by_score.to_list(),
            shown.letters,
            row_height=row_height,
        ),
        "rank-shares",
        shown.metric,
        key="rank_shares",
        alt=f"How often each response has each rank over the resamples. {sentence}",
        rows=partial(drawn.rank_shares, shares, names),
    )
    note(about)


# The mention identification effect ----------------------------------------------------------------


def show_effect(shown: Shown) -> None:
    """Scores and ranks before and after the incorrectly resolved mentions are removed."""
    subtitle(sentences.EFFECT)
    if not is_wanted(shown.loaded, "Remove these mentions", key="effect"):
        return
    measure = shown.ranking.measure
    effect = effect_of(shown.loaded, shown.results, measure=measure)
    made = exhibits.effect(effect)
    headline(made.sentence)
    exhibit(made, measure, key="effect")

    def about() -> None:
        if other := sentences.other_reading(effect):
            note(other)
        note(f"{sentences.SLOPES} {sentences.EARNED}")
        note(f"{sentences.removed(effect)} {sentences.ABOUT_EFFECT}")

    fold("The mentions removed, and how to read it", about, key="about effect")
    download(effect.table, shown.loaded.signature, "effect", measure)


FEWEST = 3

OVER_DATA_SETS = "Over several data sets, a folder for each: corescore data-sets FOLDER."

SIGNIFICANCE = "significance"

SCORE, RANK = "score", "rank"

ABOUT_LINES = {
    SCORE: "Each line is a response. The axis is to scale, so near scores look near.",
    RANK: "Each line is a response, the best at the top. Upright lines are the ranks in 95% of "
    "the resamples of the documents. Responses that tie share a rank.",
}

ABOUT_CLICKS = "Click a point to select response A."


def page() -> None:
    """Rank all responses that are loaded."""
    loaded = loaded_systems()
    place = question("Which system wins, on which metric, and how certain is that?")
    results = every_result(loaded)
    others = [result for name, result in results.items() if name not in loaded.names.values()]
    is_open = any(map(has_empty_side, others))
    show_warnings(warnings_of(others), about="the other responses", is_open=is_open)
    if len(results) < FEWEST:
        headline(sentences.too_few(list(results)))
        return
    shown = select(loaded, results)
    with place:
        # Who is first, in words.
        leader = sentences.first(shown.table, shown.ranking, shown.metric)
        sentence = f"{leader} {sentences.agreement(shown.ranking)}"
        headline(sentence)
        for warning in shown.ranking.warnings:
            caution(warning)
        selection.note_other_metric(shown.metric)
        if several := counted_runs(file.name for file in loaded.files.responses):
            caution(sentences.runs_apart(several))
    # A line for each response through its ranks.
    ranking, axis = shown.ranking, state.axis
    chart(
        many_plots.lines(shown.table, shown.metrics, shown.letters, ranking.measure, axis),
        "ranks" if axis == RANK else "scores",
        ranking.measure,
        key="bumps",
        on_select=lambda: select_clicked(shown.loaded),
        alt=f"The {axis} of each response under each metric. {sentence}",
        rows=partial(drawn.ranks, shown.table, shown.metrics),
    )
    note(f"{ABOUT_LINES[axis]} {ABOUT_CLICKS} {OVER_DATA_SETS}")
    signature_to_copy(shown.signature, key="many")
    show_ranks(shown)
    show_effect(shown)
    # Whether the metrics rank the responses, and the documents of A, alike.
    measure, metrics = shown.ranking.measure, shown.metrics
    subtitle(f"Do the metrics rank alike? Kendall’s τ of {RATIOS[measure]}")
    left, right = st.columns(2, gap="medium")
    first = shown.loaded.systems[0]
    over_documents = metrics_over_documents(first, measure=measure)
    for place, noun, n, whose, tau in (
        (left, "response", len(results), "", shown.ranking.correlation),
        (right, "document", len(loaded.key), f", as {first.title} has them", over_documents),
    ):
        with place:
            where = counted(n, noun)
            say(f"{where}{whose}", "step")
            if n < sentences.FEWEST_FOR_TAU:
                note(sentences.too_few_for_tau(n, noun))
            else:
                show_correlation(shown, tau.loc[metrics, metrics], f"the {where}", f"over {noun}s")


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
    with tools():
        measure = selection.select_measure()
        selection.switch("axis", [SCORE, RANK], label_visibility="collapsed")
        with st.popover("Resampling, ties"):
            trials = selection.whole_number("trials", TRIALS, "Resamples", width=130)
            seed = selection.whole_number("chance", SEED, width=90)
            ties = selection.pick("ties", help=sentences.TIES)
    metric = selection.metric_among(exhibits.metrics_of(measure))
    ranking = ranking_of(loaded, results, measure=measure, trials=trials, seed=seed)
    every = ranking.metrics if ties == SIGNIFICANCE else ()
    tested = {name: groups(loaded, results, name, ranking) for name in every}
    return Shown(loaded, results, ranking, metric, tested)


def select_clicked(loaded: Loaded) -> None:
    """Make the response of the clicked line A; the former A becomes B if it was B."""
    by_title = {name: file for file, name in files.short_names(loaded.files.responses).items()}
    for clicked in clicked_points("bumps")[:1]:
        if by_title[clicked] == state.response_b:
            state.response_b = state.response_a
        state.response_a = by_title[clicked]


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
    download(frame, shown.signature, key)
