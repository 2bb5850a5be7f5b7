"""One metric: the ranks, how sure they are, and which responses cannot be told apart."""

from functools import partial

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from corescore.analysis.systems.many import Groups
from corescore.metrics import name_of
from corescore.plots import many as many_plots
from corescore.rendering import drawn
from corescore.sentences import many as sentences
from corescore.wording import RATIOS, in_percent
from dashboard.views.many_systems import cached
from dashboard.views.many_systems.shown import Shown
from dashboard.widgets.charts import chart
from dashboard.widgets.page import caution, headline, note, subtitle
from dashboard.widgets.tables import download, table

MOST_ROWS = 30
RANKED, RESAMPLED = ["response", "rank", "score"], ["first", "low", "high"]
TESTED_AT_ONCE = 45  # responses: testing each pair of more takes seconds
ABOUT_SHADES = "Shade: in how many resamples of the documents. Frame: the rank in all documents."
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
        show_table(shown, rows, row_height, sentence)
        if groups:
            note(sentences.apart(groups))
            if shown.tested:
                note(sentences.TIES)
            for warning in groups.warnings:
                caution(warning)
        name = "ranks", shown.ranking.measure
        download(shown.exported, shown.signature, *name, signed=False)
    with right:
        show_shares(shown, rows, row_height, sentence)


def tested(shown: Shown) -> Groups | None:
    """Which responses cannot be told apart; on request where that takes long."""
    n, ranking = len(shown.results), shown.ranking
    if n > TESTED_AT_ONCE and not st.toggle(
        f"Test each two of the {n} responses", key="test_pairs", bind="query-params"
    ):
        return None
    return cached.groups(
        shown.loaded,
        shown.results,
        shown.metric,
        measure=ranking.measure,
        trials=ranking.trials,
        seed=ranking.seed,
    )


def show_table(shown: Shown, rows: pd.DataFrame, row_height: int, sentence: str) -> None:
    """A row for each response."""
    table(
        in_percent(rows, ["score", "first"]),
        columns(shown),
        height=many_plots.HEADER + row_height * min(len(rows), MOST_ROWS) + 2,
        row_height=row_height,
        key="ranks",
        alt=f"A row for each response: rank, score, how often first. {sentence}",
    )


def columns(shown: Shown) -> dict[str, ColumnConfig]:
    """The columns of the table of ranks."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    score = f"{RATIOS[shown.ranking.measure]} %"
    about_score = f"{name_of(shown.metric)}, percent"
    return {
        "response": text(pinned=True, width=130 if max(map(len, shown.results)) > 16 else None),
        "rank": number(width=55),
        "by_score": number("by score", width=75, help="the rank without shared ones"),
        "score": number(score, format="%.2f", width=75, help=about_score),
        "first": number(
            "first in %", format="%.2f", width=80, help="of the resamples: no response is better"
        ),
        "low": number(
            "from", width=60, help="the best of the ranks by score in 95% of the resamples"
        ),
        "high": number(
            "to", width=55, help="the worst of the ranks by score in 95% of the resamples"
        ),
        "letters": text("letters", width=100, help=sentences.SHARED_LETTER),
    }


def show_shares(shown: Shown, rows: pd.DataFrame, row_height: int, sentence: str) -> None:
    """In how many resamples each response has which rank."""
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
        alt=f"In how many resamples each response has which rank. {sentence}",
        rows=partial(drawn.rank_shares, shares, names),
    )
    note(about)
