"""Two resolvers: which is better, where, and is it luck?"""

from html import escape

import pandas as pd
import streamlit as st

from corescore.analysis.errors.mention_tables import error_counts
from corescore.analysis.errors.outcomes import BOTH_RIGHT, BOTH_WRONG, ONLY_A, ONLY_B
from corescore.analysis.significance.draws import SEED, TRIALS
from corescore.analysis.systems.documents import (
    compared_documents,
    disagreement_counts,
    disagreements,
)
from corescore.analysis.systems.mentions import (
    A_MORE,
    B_MORE,
    BOTH_ALL,
    BOTH_PART,
    NOTHING,
    most_different,
    most_unequal,
)
from corescore.corpus.problems import PolicyError
from corescore.plots import charts, compare_charts
from corescore.plots.compare_marks import label
from corescore.plots.dumbbells import dumbbells
from corescore.plots.part_bars import parts
from corescore.rendering import html as markup
from corescore.scoring.tables import document_summary
from corescore.sentences import scores as sentences
from corescore.sentences import two_systems as verdicts
from corescore.sentences.names import SIX, SLICE_NAMES, TITLES
from corescore.wording import RATIOS, in_percent, p_value
from dashboard.session import state
from dashboard.views import compare_columns, comparing
from dashboard.widgets import choosing
from dashboard.widgets import downloads as take_along
from dashboard.widgets import text_link as to_text

ROW = 32
MOST_LISTED = 300
STATUS = "status"
# What the parts of a bar are, and what stands over their numbers.
BY_CREDIT = {A_MORE: "A", BOTH_ALL: "all", BOTH_PART: "part", NOTHING: "none", B_MORE: "B"}
BY_STATUS = {ONLY_A: "A", BOTH_RIGHT: "both", BOTH_WRONG: "neither", ONLY_B: "B"}
MEANING = (
    "By a metric: who earns the larger share of what the mention could earn towards recall. "
    f"By status: who has it right. {verdicts.RIGHT_MEANS}"
)


def choose_two() -> None:
    """Take over the two metrics whose number was clicked."""
    points = st.session_state["opposed"].selection.get("points", [])
    two = next((point["customdata"] for point in points if point.get("customdata")), None)
    if two:
        st.session_state["one"], st.session_state["other"] = two


@st.fragment
def in_detail() -> None:
    """One metric: document by document, and what chance makes of it."""
    st.subheader("Where? Document by document", anchor=False)
    headline = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric = choosing.choose_metric("Compared by", metrics, key="by")
        chosen = st.session_state.get("chosen_document")
        if chosen in loaded.key.by_name:
            to_text.link(
                f"Read {chosen}", chosen, st.session_state.get("chosen_span"), together=True
            )
    of_metric = table[table["metric"] == metric].drop(columns="metric").reset_index(drop=True)
    sentence = verdicts.documents(metric, of_metric)
    headline.html(markup.paragraph(sentence, "headline"))
    left, right = st.columns([1, 1.15], gap="medium")
    with left:
        st.plotly_chart(
            compare_charts.documents(of_metric, metric, measure),
            config=take_along.pictures("documents", metric, *names),
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
        parts(
            wins.set_axis(["A ahead", "tie", "B ahead"], axis=1),
            [label(name) for name in wins.index],
            [charts.COLOURS[name] for name in wins.index],
            heads=["A", "tie", "B"],
        ),
        config=take_along.pictures("documents-ahead", *names),
        key="wins",
        alt="On how many documents A or B is ahead under each metric.",
    )
    st.html(markup.paragraph(verdicts.sign_test(metric, significance.T[metric]), "note"))


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
        column_config=compare_columns.document_columns(metric, measure),
        key="documents_table",
        selection_mode="single-cell",
        on_select=lambda: to_text.choose("documents_table", shown["document"].to_list()),
        alt="A row for each document: A, B, B − A and sizes; a click on a row opens its text.",
    )
    take_along.table(table, pair.signature, "documents", *names)


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
            float(significance["difference"][metric]),
            metric,
        ),
        config=take_along.pictures("chance", metric, *names),
        key="randomised",
        alt="How often random exchanges of A and B make which difference, and the observed one.",
    )
    st.html(signature)


@st.fragment
def where_metrics_disagree() -> None:
    """Two metrics: on which documents they name different winners."""
    st.subheader("Where metrics disagree", anchor=False)
    st.html(markup.paragraph(verdicts.most_opposed(opposed, n_documents), "headline"))
    left, right = st.container(key="disagree").columns([1, 1.15], gap="medium")
    with right:
        with st.container(horizontal=True):
            one = choosing.choose_metric("One metric", metrics, key="one", first=two[0])
            other = choosing.choose_metric("Another", metrics, key="other", first=two[1])
        show_opposed(one, other)
    with left:
        st.plotly_chart(
            compare_charts.disagreements(opposed, (one, other)),
            config=take_along.pictures("disagreements", *names),
            key="opposed",
            selection_mode="points",
            on_select=choose_two,
            alt="On how many documents each two metrics name different winners.",
        )
    st.html(signature)
    to_text.follow_elsewhere()


def show_opposed(one: str, other: str) -> None:
    """The documents on which two metrics name different winners; a click leads to the text."""
    sentence = verdicts.disagreement(one, other, int(opposed[other][one]), n_documents)
    st.html(markup.paragraph(sentence, "note"))
    if not opposed.loc[one, other]:
        return
    against = disagreements(pair.a, pair.b, metric=one, other=other, measure=measure)
    documents = against["document"].to_list()
    widget = f"opposed_table {one} {other}"
    st.dataframe(
        in_percent(against, [one, other, "margin"]),
        height=ROW * min(8, 1 + len(against)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=compare_columns.opposed_columns(one, other),
        key=widget,
        selection_mode="single-cell",
        on_select=lambda: to_text.choose(widget, documents),
        alt=f"{sentence} A click on a row opens its text.",
    )
    take_along.table(against, pair.signature, "disagreements", one, other, *names)


@st.fragment
def mention_by_mention() -> None:
    """Who earns more by the mentions, under each metric and in each slice; who has them right."""
    st.subheader("Mention by mention", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        compared_by = choosing.choose_metric("Compared by", [*SIX, STATUS], key="right_by")
        by = choosing.choose_slice()
    credited = "lea" if compared_by == STATUS else compared_by
    mentions = comparing.mentions(loaded, credited)
    status = mentions["outcome"].value_counts()
    said = verdicts.mentions(credited, pair.verdicts.T[credited], status)
    st.html(markup.paragraph(said, "headline"))
    left, right = st.container(key="mentions").columns(2, gap="medium")
    with left:
        show_parts(pair.verdicts.loc[list(SIX)], BY_CREDIT, list(SIX), f"By metric. {said}")
        show_parts(status.to_frame(STATUS).T, BY_STATUS, [STATUS], f"By status. {said}")
    with right:
        of, heads = ("outcome", BY_STATUS) if compared_by == STATUS else ("verdict", BY_CREDIT)
        slices = error_counts(mentions, of=of, by=by)
        slices = slices[slices.any(axis=1)]
        alt = f"The same for mentions by {SLICE_NAMES[by]}."
        if not slices.empty:
            show_parts(slices, heads, [compared_by] * len(slices), alt, by)
    st.html(markup.paragraph(MEANING, "note"))
    take_along.table(mentions, pair.signature, "mentions", credited, *names)


def show_parts(
    counts: pd.DataFrame, heads: dict[str, str], coloured_as: list[str], alt: str, by: str = ""
) -> None:
    """How many mentions of each row are of which kind; `by` what the rows are slices."""
    rows = [escape(str(name)) if by else row_name(name) for name in counts.index]
    called = ("mentions-by", by) if by else ("mentions", *dict.fromkeys(coloured_as))
    st.plotly_chart(
        parts(
            counts.reindex(columns=list(heads), fill_value=0),
            rows,
            [charts.COLOURS.get(name, charts.COLOURS["conll"]) for name in coloured_as],
            heads=list(heads.values()),
        ),
        config=take_along.pictures(*called, *names),
        key=f"parts {' '.join(called)}",
        alt=alt,
    )


def row_name(name: str) -> str:
    """A metric, or the status, at the left of a bar."""
    return f"<b>{STATUS}</b>" if name == STATUS else label(name)


@st.fragment
def where_they_differ() -> None:
    """The mentions, or the entities of the key, of which A and B earn most unequally."""
    st.subheader("Where they differ most", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        listed = st.segmented_control(
            "Listed",
            ["mentions", "entities"],
            default="mentions",
            required=True,
            key="listed",
            bind="query-params",
            persist_state="session",
        )
        metric = choosing.choose_metric("Credit under", SIX, key="credit_under")
    of = comparing.entities if listed == "entities" else comparing.mentions
    unequal = most_unequal(of(loaded, metric))
    said = verdicts.unequal(metric, listed, unequal, most=MOST_LISTED)
    st.html(markup.paragraph(said, "headline"))
    if unequal.empty:
        return
    shown = unequal.head(MOST_LISTED)
    columns = compare_columns.entity_columns()
    if listed == "mentions":
        columns = compare_columns.mention_columns()
        shown = in_percent(shown, ["credit_a", "credit_b"])
    spans = list(zip(shown["start"].tolist(), shown["end"].tolist(), strict=True))
    widget = f"unequal {listed} {metric}"
    st.dataframe(
        shown[list(columns)],
        height=ROW * min(9, 1 + len(shown)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=columns,
        key=widget,
        selection_mode="single-cell",
        on_select=lambda: to_text.choose(widget, shown["document"].to_list(), spans),
        alt=f"The {listed} of which A and B earn most unequally; a click on a row opens the text.",
    )
    take_along.table(unequal, pair.signature, f"unequal-{listed}", metric, *names)
    to_text.follow_elsewhere()


@st.fragment
def errors_by() -> None:
    """How many more errors of each kind B has than A, in each document or slice."""
    by = st.selectbox(
        "How many more B has, by",
        ["document", *SLICE_NAMES],
        format_func=lambda name: SLICE_NAMES.get(name, name),
        key="errors_by",
        bind="query-params",
        persist_state="session",
        filter_mode=None,
        width=300,
    )
    table = comparing.errors(loaded, by=by)
    shown = most_different(table)
    if shown.empty:
        st.html(markup.paragraph("A and B make as many errors of each kind everywhere.", "note"))
        return
    st.dataframe(
        shown.reset_index(),
        height=ROW * min(9, 1 + len(shown)) + 3,
        row_height=ROW,
        hide_index=True,
        column_config=compare_columns.error_columns(by, list(table.columns)),
        key=f"errors_by {by}",
        alt="How many more errors of each kind B has than A; a row for each document or slice.",
    )
    take_along.table(table.reset_index(), pair.signature, "errors-by", by, *names)


loaded = state.loaded()
st.title("Which is better, where, and is it luck?", anchor=False)
if len(loaded.systems) < 2:
    st.html(
        markup.paragraph(
            "Only one response is shown. Choose a response B in the side bar, or open a second "
            "response there, and the two are compared here.",
            "headline",
        )
    )
    st.stop()

titles = {system.letter: system.title for system in loaded.systems}
names = [system.name for system in loaded.systems]
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
    verdicts.disagreement(*two, int(opposed[two[1]][two[0]]), n_documents),
]
headline.html(markup.paragraph(" ".join(said), "headline"))
for warning in pair.warnings:
    headline.html(markup.paragraph(warning, "caution"))
st.plotly_chart(
    dumbbells(significance, measure),
    config=take_along.pictures("a-and-b", measure, *names),
    key="dumbbells",
    alt=f"{RATIOS[measure]} of A and B, their difference and its p-value. {' '.join(said)}",
)
st.html(markup.paragraph(verdicts.HOW_TO_READ, "note") + signature)
with st.expander("The same in numbers"):
    columns = compare_columns.number_columns()
    fractions = ["a", "b", "difference", "bca_low", "bca_high"]
    numbers = in_percent(significance.rename(TITLES).reset_index(), fractions)
    tests = ["p", "p_holm", "p_sign"]
    numbers[tests] = numbers[tests].map(p_value).astype(str)
    st.dataframe(
        numbers[list(columns)],
        row_height=ROW,
        hide_index=True,
        column_config=columns,
        key="numbers",
        placeholder="–",
        alt="A row for each metric: A, B, their difference, its interval and p-values.",
    )
    take_along.table(significance.reset_index(), pair.signature, "a-and-b", measure, *names)

table = compared_documents(pair.a, pair.b, measure=measure)
in_detail()

where_metrics_disagree()
mention_by_mention()
where_they_differ()

st.subheader("Errors of each kind", anchor=False)
try:
    of_kind = pair.errors
    st.html(markup.paragraph(verdicts.errors(of_kind), "headline"))
    st.plotly_chart(
        compare_charts.errors(of_kind),
        config=take_along.pictures("errors", *names),
        key="errors",
        alt=f"How many errors of each kind A and B make. {verdicts.errors(of_kind)}",
    )
    take_along.table(of_kind.reset_index(), pair.signature, "errors", *names)
    errors_by()
except PolicyError:
    st.html(markup.paragraph(sentences.REPEATED, "note") + signature)
