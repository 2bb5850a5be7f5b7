"""Two systems: which is better, where, and is it significant?"""

import pandas as pd
import streamlit as st

from corescore.analysis.significance import SEED, TRIALS
from corescore.analysis.systems.pair import Evidence
from corescore.metrics import name_of
from corescore.plots.compare import dumbbells
from corescore.sentences import compare
from corescore.sentences import compare as sentences
from corescore.sentences import runs as sentences_of_runs
from corescore.wording import RATIOS, in_percent, p_value
from dashboard.session.loaded import Loaded, how_to_load_second, loaded_systems
from dashboard.views.two_systems import argument, cached, columns, documents, errors, mentions, runs
from dashboard.views.two_systems.shown import Shown, metrics_of
from dashboard.widgets.charts import chart, kept
from dashboard.widgets.link_values import whole_number
from dashboard.widgets.page import caution, headline, note, subtitle, title
from dashboard.widgets.selection import select_measure, select_metric
from dashboard.widgets.tables import download

_dumbbells = kept(dumbbells)


def page() -> None:
    """Compare systems A and B."""
    loaded = loaded_systems()
    place = title("Which is better, where, and is it significant?")
    if len(loaded.systems) < 2:
        headline(how_to_load_second(loaded))
        return
    shown, of = select(loaded)
    over = runs.compared(loaded, trials=shown.pair.trials, seed=shown.pair.seed)
    with place:
        show_answer(shown, of)
        if over:
            runs.show_answer(over, of.metric, shown.measure)
    argument.show(shown, of, over)
    show_scores(shown)
    documents.show(shown)
    mentions.show(shown)
    mentions.show_most_unequal(shown)
    errors.show(shown)


def select(loaded: Loaded) -> tuple[Shown, Evidence]:
    """The measure and the primary metric; how often, and from which seed, the responses are
    exchanged at random."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = select_measure()
        metrics = metrics_of(measure)
        metric = select_metric("Primary metric", metrics, key="primary", first=metrics[-1])
        trials = whole_number(
            "Random trials", 100, 100_000, TRIALS, step=100, key="trials", width=130
        )
        seed = whole_number("Seed", 0, 10**6, SEED, key="chance", width=90)
    of = cached.evidence(loaded, metric, measure=measure, trials=trials, seed=seed)
    return Shown(loaded, cached.pair(loaded, trials=trials, seed=seed), measure), of


def show_answer(shown: Shown, of: Evidence) -> None:
    """What follows from the comparison, or that nothing does."""
    headline(compare.conclusion(of, titles_of(shown)))
    if system := runs.only_system(shown.loaded):
        caution(sentences_of_runs.of_one_system(system))
    for warning in shown.pair.warnings:
        caution(warning)


def titles_of(shown: Shown) -> dict[str, str]:
    """The systems' letters with their names, by the letters."""
    return {system.letter: system.title for system in shown.loaded.systems}


def all_metrics(shown: Shown) -> str:
    """Who is ahead under each metric, in words."""
    one, other = shown.first_two
    n_opposed = int(shown.opposed[other][one])
    return " ".join(
        [
            sentences.ahead(shown.significance, titles_of(shown), shown.measure),
            sentences.significance(shown.significance),
            sentences.disagreement(one, other, n_opposed, shown.n_documents),
        ]
    )


def show_scores(shown: Shown) -> None:
    """Both under each metric, as a chart and in numbers."""
    subtitle("Metric by metric")
    said, scores = all_metrics(shown), shown.significance
    headline(said)
    chart(
        _dumbbells(shown.significance, shown.measure),
        "a-and-b",
        shown.measure,
        *shown.names,
        key="dumbbells",
        alt=f"{RATIOS[shown.measure]} of A and B, their difference and its p-value. {said}",
        rows=lambda: numbers(scores),
        columns=columns.number_columns(),
    )
    if beside := compare.averages(shown.pair.a, shown.pair.b, shown.measure):
        note(beside)
    note(sentences.how_to_read(shown.pair.randomisation))
    download(scores.reset_index(), shown.pair.signature, "a-and-b", shown.measure, *shown.names)


def numbers(scores: pd.DataFrame) -> pd.DataFrame:
    """A row for each metric: A, B, their difference, its interval and p-values."""
    fractions = ["a", "b", "difference", "tested_low", "tested_high", "bca_low", "bca_high"]
    rows = in_percent(scores.rename(name_of).reset_index(), fractions)
    tests = ["p", "p_max", "p_holm", "p_sign"]
    rows[tests] = rows[tests].map(p_value).astype(str)
    return rows[list(columns.number_columns())]
