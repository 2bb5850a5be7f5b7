"""Two resolvers: which is better, where, and is it luck?"""

from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from corescore.dashboard import (
    charts,
    choosing,
    compare_charts,
    comparing,
    markup,
    sentences,
    state,
    to_text,
    verdicts,
)
from corescore.dashboard.wording import RATIOS, SIX, SLICE_NAMES, TITLES, in_percent
from corescore.errors.mention_tables import error_counts
from corescore.errors.outcomes import BOTH_WRONG, ONLY_A, ONLY_B
from corescore.frames import render_frame
from corescore.problems import PolicyError
from corescore.resampling.draws import SEED, TRIALS
from corescore.responses.documents import compared_documents, disagreement_counts, disagreements
from corescore.responses.mentions import (
    A_MORE,
    B_MORE,
    BOTH_RIGHT,
    EQUALLY_WRONG,
    NOT_COUNTED,
)
from corescore.tables import document_summary

ROW = 32
STATUS = "status"
ORDER = (A_MORE, BOTH_RIGHT, EQUALLY_WRONG, NOT_COUNTED, B_MORE)
AS_VERDICT = {ONLY_A: A_MORE, ONLY_B: B_MORE, BOTH_WRONG: EQUALLY_WRONG}
MEANING = (
    "By a metric: who earns the larger share of what the mention could earn towards recall. By "
    "status: who has found it, and not with wrong partners only."
)


def choose_two() -> None:
    """Take over the two metrics whose number was clicked."""
    points = st.session_state["opposed"].selection.get("points", [])
    two = next((point["customdata"] for point in points if point.get("customdata")), None)
    if two:
        st.session_state["one"], st.session_state["other"] = two


def document_columns(metric: str) -> dict[str, Any]:
    """How the table of documents is headed and written."""
    number = st.column_config.NumberColumn
    score = f"{TITLES[metric]} {RATIOS[measure]}, percent"
    return {
        "document": st.column_config.TextColumn(width=210, pinned=True),
        "a": number("A", format="%.2f", width=80, help=score),
        "b": number("B", format="%.2f", width=80, help=score),
        "difference": number("B − A", format="%+.2f", width=86, help="points"),
        "winner": st.column_config.TextColumn("ahead", width=70),
        "words": number("words", width=80, help="words of the key"),
        "key_mentions": number("mentions", width=86, help="mentions of the key"),
        "key_entities": number("entities", width=80, help="entities of the key"),
    }


def opposed_columns(one: str, other: str) -> dict[str, Any]:
    """How the list of documents with two winners is headed and written."""
    number = st.column_config.NumberColumn
    return {
        "document": st.column_config.TextColumn(width=150, pinned=True),
        **{
            name: number(f"{TITLES[name].split()[0]} B − A", format="%+.2f", help="points")
            for name in (one, other)
        },
        "margin": number("both by", format="%.2f", help="points, or more"),
    }


def number_columns() -> dict[str, Any]:
    """How the six in numbers are headed and written."""
    number = st.column_config.NumberColumn
    ends = {"bca_low": "from", "bca_high": "to"}
    tests = {
        "p": ("p", "approximate randomisation"),
        "p_holm": ("p, Holm", "corrected over the six"),
        "p_sign": ("p, sign", "sign test over documents"),
    }
    wins = {"wins_a": "A ahead", "ties": "tie", "wins_b": "B ahead"}
    return {
        "metric": st.column_config.TextColumn(width=110, pinned=True),
        "a": number("A", format="%.2f", help="percent"),
        "b": number("B", format="%.2f", help="percent"),
        "difference": number("B − A", format="%+.2f", help="points"),
        **{n: number(head, format="%+.2f", help="95 % (BCa)") for n, head in ends.items()},
        **{n: number(head, format="%.5f", help=note) for n, (head, note) in tests.items()},
        **{name: number(head, help="documents") for name, head in wins.items()},
    }


@st.fragment
def in_detail() -> None:
    """One metric: document by document, and what chance makes of it."""
    st.subheader("Where? Document by document", anchor=False)
    headline = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = choosing.choose_metric("Compared by", metrics, key="by")
        chosen = st.session_state.get("chosen_document")
        if chosen in loaded.key.by_name:
            to_text.link(f"Read {chosen}", chosen)
        st.download_button(
            "All documents and metrics as CSV",
            lambda: render_frame(table, pair.signature, format="csv"),
            file_name="documents.csv",
            mime="text/csv",
            on_click="ignore",
        )
    of_metric = table[table["metric"] == metric].drop(columns="metric").reset_index(drop=True)
    sentence = verdicts.documents(metric, of_metric)
    headline.html(markup.paragraph(sentence, "headline"))
    left, right = st.columns([1, 1.15], gap="medium")
    with left:
        st.plotly_chart(
            compare_charts.documents(of_metric, metric, measure),
            config=charts.CONFIG,
            key="documents_chart",
            selection_mode="points",
            on_select=lambda: to_text.choose("documents_chart", []),
            alt=f"Each document, A across and B up. {sentence}",
        )
    with right:
        show_wins(metric)
    st.html(signature)
    show_documents(of_metric, metric)
    show_chance(metric)
    to_text.follow()


def show_wins(metric: str) -> None:
    """On how many documents A and B are ahead under each metric."""
    wins = significance[["wins_a", "ties", "wins_b"]]
    st.plotly_chart(
        compare_charts.parts(
            wins.set_axis(["A ahead", "tie", "B ahead"], axis=1),
            [compare_charts.label(name) for name in wins.index],
            [charts.COLOURS[name] for name in wins.index],
        ),
        config=charts.CONFIG,
        key="wins",
        alt="On how many documents A or B is ahead under each metric.",
    )
    st.html(markup.paragraph(verdicts.sign_test(metric, significance.loc[metric]), "note"))


def show_documents(of_metric: pd.DataFrame, metric: str) -> None:
    """A row for each document; a click on it leads to its text."""
    sizes = document_summary(loaded.key, pair.a)[["words", "key_mentions", "key_entities"]]
    shown = in_percent(of_metric, ["a", "b", "difference"]).join(sizes, on="document")
    shown = shown.sort_values("difference", ascending=False, kind="stable")
    st.dataframe(
        shown,
        height=ROW * min(11, 1 + len(shown)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=document_columns(metric),
        key="documents_table",
        selection_mode="single-cell",
        on_select=lambda: to_text.choose("documents_table", shown["document"].to_list()),
        alt="A row for each document: A, B, B − A and sizes; a click on a row opens its text.",
    )
    st.html(signature)


def show_chance(metric: str) -> None:
    """How often chance makes a difference as large."""
    st.subheader("Is it luck?", anchor=False)
    st.html(
        markup.paragraph(verdicts.randomisation(pair.randomisation, metric, measure), "headline")
    )
    st.plotly_chart(
        compare_charts.randomised(
            comparing.randomised(
                loaded, metric, measure=measure, trials=pair.trials, seed=pair.seed
            ),
            significance.loc[metric, "difference"],
            metric,
        ),
        config=charts.CONFIG,
        key="randomised",
        alt="How often random exchanges of A and B make which difference, and the observed one.",
    )
    st.html(signature)


@st.fragment
def mention_by_mention() -> None:
    """Who has the mentions more right, under each metric and in each slice."""
    st.subheader("Mention by mention", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        right_by = choosing.choose_metric("More right by", [*SIX, STATUS], key="right_by")
        by = choosing.choose_slice()
    credited = "lea" if right_by == STATUS else right_by
    mentions = comparing.mentions(loaded, credited)
    status = mentions["outcome"].value_counts()
    said_of_mentions = verdicts.mentions(credited, pair.verdicts.loc[credited], status)
    st.html(markup.paragraph(said_of_mentions, "headline"))
    left, right = st.columns(2, gap="medium")
    with left:
        by_metric = pair.verdicts.loc[list(SIX)].rename(index=compare_charts.label)
        by_metric.loc[f"<b>{STATUS}</b>"] = status.rename(AS_VERDICT)
        st.plotly_chart(
            compare_charts.parts(
                by_metric.fillna(0)[list(ORDER)],
                list(by_metric.index),
                [charts.COLOURS[name] for name in (*SIX, "conll")],
            ),
            config=charts.CONFIG,
            key="verdicts",
            alt=f"How many mentions either has more right. {said_of_mentions}",
        )
    with right:
        of = "outcome" if right_by == STATUS else "verdict"
        slices = error_counts(mentions, of=of, by=by).rename(columns=AS_VERDICT)
        slices = slices[slices.any(axis=1)].reindex(columns=ORDER, fill_value=0)
        st.plotly_chart(
            compare_charts.parts(
                slices,
                [escape(str(name)) for name in slices.index],
                [charts.COLOURS["conll" if right_by == STATUS else right_by]] * len(slices),
                legend=False,
            ),
            config=charts.CONFIG,
            key="slices",
            alt=f"The same for mentions by {SLICE_NAMES[by]}.",
        )
    st.html(markup.paragraph(MEANING, "note") + signature)


loaded = state.loaded()
st.title("Which is better, where, and is it luck?", anchor=False)
if len(loaded.systems) < 2:
    st.html(
        markup.paragraph(
            "Only one response is shown. Choose a system B in the side bar, or open a second "
            "response there, and the two are compared here.",
            "headline",
        )
    )
    st.stop()

titles = {system.letter: system.title for system in loaded.systems}
headline = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    measure = choosing.choose_measure()
    metrics = [*SIX, *(["conll"] if measure == "f1" else [])]
    trials = st.number_input(
        "Random trials", 100, 100_000, TRIALS, 100, key="trials", bind="query-params", width=130
    )
    seed = st.number_input("Seed", 0, 10**6, SEED, key="chance", bind="query-params", width=90)
pair = comparing.pair(loaded, trials=trials, seed=seed)
significance = pair.significance.query("measure == @measure").set_index("metric").loc[metrics]
signature = markup.paragraph(pair.signature, "signature")
n_documents = len(loaded.key)
opposed = disagreement_counts(pair.a, pair.b, measure=measure).loc[metrics, metrics]
two = ("lea", "conll") if measure == "f1" else ("lea", "muc")

said = [
    verdicts.ahead(significance, titles, measure),
    verdicts.significance(significance),
    verdicts.disagreement(*two, opposed.loc[two], n_documents),
]
headline.html(markup.paragraph(" ".join(said), "headline"))
for warning in pair.warnings:
    headline.html(markup.paragraph(warning, "caution"))
st.plotly_chart(
    compare_charts.dumbbells(significance, measure),
    config=charts.CONFIG,
    key="dumbbells",
    alt=f"{RATIOS[measure]} of A and B, their difference and its p-value. {' '.join(said)}",
)
st.html(markup.paragraph(verdicts.HOW_TO_READ, "note") + signature)
with st.expander("The same in numbers"):
    columns = number_columns()
    fractions = ["a", "b", "difference", "bca_low", "bca_high"]
    numbers = in_percent(significance.rename(TITLES).reset_index(), fractions)
    st.dataframe(
        numbers[list(columns)],
        row_height=ROW,
        hide_index=True,
        column_config=columns,
        key="numbers",
        placeholder="–",
        alt="A row for each metric: A, B, their difference, its intervals and p-values.",
    )
    st.html(signature)

table = compared_documents(pair.a, pair.b, measure=measure)
in_detail()

st.subheader("Where metrics disagree", anchor=False)
st.html(markup.paragraph(verdicts.most_opposed(opposed, n_documents), "headline"))
left, right = st.columns([1, 1.15], gap="medium")
with right:
    with st.container(horizontal=True):
        one = choosing.choose_metric("One metric", metrics, key="one", first=two[0])
        other = choosing.choose_metric("Another", metrics, key="other", first=two[1])
    sentence = verdicts.disagreement(one, other, opposed.loc[one, other], n_documents)
    st.html(markup.paragraph(sentence, "note"))
    if opposed.loc[one, other]:
        against = disagreements(pair.a, pair.b, metric=one, other=other, measure=measure)
        names = against["document"].to_list()
        st.dataframe(
            in_percent(against, [one, other, "margin"]),
            height=ROW * min(8, 1 + len(against)) + 3,
            row_height=ROW,
            hide_index=True,
            column_config=opposed_columns(one, other),
            key=f"opposed_table {one} {other}",
            selection_mode="single-cell",
            on_select=lambda: to_text.choose(f"opposed_table {one} {other}", names),
            alt=f"{sentence} A click on a row opens its text.",
        )
with left:
    st.plotly_chart(
        compare_charts.disagreements(opposed, (one, other)),
        config=charts.CONFIG,
        key="opposed",
        selection_mode="points",
        on_select=choose_two,
        alt="On how many documents each two metrics name different winners.",
    )
st.html(signature)

mention_by_mention()

st.subheader("Errors of each kind", anchor=False)
try:
    of_kind = pair.errors
    st.html(markup.paragraph(verdicts.errors(of_kind), "headline"))
    st.plotly_chart(
        compare_charts.errors(of_kind),
        config=charts.CONFIG,
        key="errors",
        alt=f"How many errors of each kind A and B make. {verdicts.errors(of_kind)}",
    )
except PolicyError:
    st.html(markup.paragraph(sentences.REPEATED, "note"))
st.html(signature)
