"""Many resolvers: which is first, by which metric, and how sure is it?"""

from typing import Any

import pandas as pd
import streamlit as st

from corescore.analysis.significance.draws import SEED, TRIALS
from corescore.analysis.systems.ranking import Groups
from corescore.plots import many_charts
from corescore.rendering import html as markup
from corescore.sentences import many_systems as standings
from corescore.sentences import markup as marks
from corescore.sentences.names import SIX, TITLES
from corescore.wording import RATIOS, in_percent
from dashboard.session import sources, state
from dashboard.views import ranking
from dashboard.widgets import choosing
from dashboard.widgets import downloads as take_along

FEWEST = 3
MOST_ROWS = 30
TESTED_AT_ONCE = 45  # responses: testing each two of more takes seconds


def columns() -> dict[str, Any]:
    """How the table of one metric is headed and written."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    score = f"{RATIOS[measure]} %"
    return {
        "response": text(pinned=True, width=130 if max(map(len, results)) > 16 else None),
        "rank": number(width=55),
        "score": number(score, format="%.2f", width=75, help=f"{TITLES[metric]}, percent"),
        "first": number(
            "first in %", format="%.2f", width=80, help="of the resamples: none is better there"
        ),
        "low": number("from", width=60, help="the best of the ranks in 95 % of the resamples"),
        "high": number("to", width=55, help="the worst of the ranks in 95 % of the resamples"),
        "letters": text("not told apart", width=100, help="those who share a letter"),
    }


def choose_system() -> None:
    """Make the response of the clicked line A; the former A becomes B if it was B."""
    points = st.session_state["bumps"].selection.get("points", [])
    if not points:
        return
    by_title = {name: file for file, name in sources.short_names(loaded.files.responses).items()}
    clicked = by_title[points[0]["customdata"]]
    if clicked == st.session_state.get("b"):
        st.session_state["b"] = st.session_state["a"]
    st.session_state["a"] = clicked


def tested() -> Groups | None:
    """Who cannot be told apart; asked for first where that takes long."""
    n = len(results)
    if n > TESTED_AT_ONCE and not st.toggle(
        f"Test each two of the {n} responses", key="test_pairs", bind="query-params"
    ):
        return None
    return ranking.groups(loaded, results, metric, measure=measure, trials=trials, seed=seed)


@st.fragment
def show_ranks() -> None:
    """One metric: ranks, how sure they are, and who cannot be told apart."""
    rows = table[table["metric"] == metric].drop(columns="metric").reset_index(drop=True)
    st.subheader(f"How sure are the ranks by {TITLES[metric]}?", anchor=False)
    sentence = standings.spread(rows, metric)
    st.html(markup.paragraph(sentence, "headline"))
    groups = tested()
    if groups:
        rows["letters"] = rows["response"].map(standings.letters(groups))
    row_height = 24 if len(rows) > 15 else 32
    left, right = st.container(key="standings").columns([1.1, 1], gap="medium")
    with left:
        shown = rows.drop(columns=["rank", "mean_rank"])
        shown.insert(1, "rank", rows["rank"])
        st.dataframe(
            in_percent(shown, ["score", "first"]),
            height=many_charts.HEADER + row_height * min(len(rows), MOST_ROWS) + 2,
            row_height=row_height,
            hide_index=True,
            column_config=columns(),
            key="ranks",
            alt=f"A row for each response: rank, score, how often first. {sentence}",
        )
        if groups:
            st.html(markup.paragraph(standings.apart(groups), "note"))
            for warning in groups.warnings:
                st.html(markup.paragraph(warning, "caution"))
        take_along.table(table, drawn, "ranks", measure)
    with right:
        order = [found.responses.index(name) for name in rows["response"]]
        st.plotly_chart(
            many_charts.rank_shares(
                found.shares[order, found.metrics.index(metric)],
                rows["response"].to_list(),
                rows["rank"].to_list(),
                chosen,
                row_height=row_height,
            ),
            config=take_along.pictures("rank-shares", metric),
            key="rank_shares",
            alt=f"In how many resamples each response has which rank. {sentence}",
        )
        note = "Shade: in how many resamples of the documents. Frame: the rank in all documents."
        st.html(markup.paragraph(note, "note") + signature)


def show_correlation(where: str, of: pd.DataFrame, over: str, what: str, key: str) -> None:
    """How alike the metrics rank."""
    sentence = standings.correlation(of, over)
    st.html(markup.paragraph(where, "step") + markup.paragraph(sentence, "note"))
    config = take_along.pictures(key)
    st.plotly_chart(many_charts.correlations(of, what), config=config, key=key, alt=sentence)
    take_along.table(of.rename_axis("metric").reset_index(), drawn, key)


loaded = state.loaded()
st.title("Which is first, by which metric, and how sure is it?", anchor=False)
n_files = len(loaded.files.responses)
bar = st.empty()
results = state.every_result(
    loaded,
    step=lambda done, name: bar.progress(
        done / n_files, f"Reading and scoring {marks.plain(name)}, {done + 1} of {n_files}"
    ),
)
bar.empty()
if len(results) < FEWEST:
    st.html(markup.paragraph(standings.too_few(list(results)), "headline"))
    st.stop()

headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    measure = choosing.choose_measure()
    metrics = [*SIX, *(["conll"] if measure == "f1" else [])]
    metric = choosing.choose_metric("Ranked by", metrics, key="by", width=170)
    trials = st.number_input(
        "Resamples", 100, 100_000, TRIALS, 100, key="trials", bind="query-params", width=130
    )
    seed = st.number_input("Seed", 0, 10**6, SEED, key="chance", bind="query-params", width=90)
found = ranking.ranking(loaded, results, measure=measure, trials=trials, seed=seed)
table = found.table
drawn = f"{loaded.signature} | {trials} trials | seed {seed}"
signature = markup.paragraph(drawn, "signature")
said = [standings.first(table, found, metric), standings.agreement(found)]
headline.html(markup.paragraph(" ".join(said), "headline"))
for warning in found.warnings:
    headline.html(markup.paragraph(warning, "caution"))

chosen = {system.name: system.letter for system in loaded.systems}
st.plotly_chart(
    many_charts.bumps(table, metrics, chosen, measure),
    config=take_along.pictures("ranks", measure),
    key="bumps",
    selection_mode="points",
    on_select=choose_system,
    alt=f"The rank of each response under each metric. {' '.join(said)}",
)
note = "Each line is a response, the best at the top. A click on a point makes it response A."
st.html(markup.paragraph(note, "note") + signature)

show_ranks()

st.subheader(f"Do the metrics rank alike? Kendall’s τ of {RATIOS[measure]}", anchor=False)
left, right = st.columns(2, gap="medium")
with left:
    show_correlation(
        f"{len(results)} responses",
        found.correlation.loc[metrics, metrics],
        f"the {len(results)} responses",
        "over responses",
        "over_responses",
    )
with right:
    first = loaded.systems[0]
    show_correlation(
        f"{len(loaded.key)} documents, as {first.title} has them",
        ranking.over_documents(first, measure=measure).loc[metrics, metrics],
        f"the {len(loaded.key)} documents",
        "over documents",
        "over_documents",
    )
